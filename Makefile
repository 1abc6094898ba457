# Everything runs in the virtual environment .venv, which the first target that needs it makes: `make run` and `make test`
# are all that a fresh clone needs. Versions come from constraints.txt; a change there or in pyproject.toml installs anew.
#
#   make run PYTHON=python3.12     with another Python (3.11 or later), the first time
#   make run ARGS='list drills'    arguments for quizapp; `make test ARGS=-x` likewise for pytest

PYTHONS := $(or $(PYTHON),python3 python python3.14 python3.13 python3.12 python3.11)
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := $(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt
# One more than there are processors: the tests in a terminal mostly wait.
WORKERS = $(shell $(BIN)/python -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))')
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
SOURCES := quizapp solvers question_bank tests benchmarks tools
RUN := .venv/.ready-to-run
DEV := .venv/.ready-to-test

.PHONY: help run test test-long lint check bench format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: $(RUN) ## start the application
	@$(BIN)/python -m quizapp $(ARGS)

test: $(DEV) ## run the tests
	$(PYTEST) -m 'not long' $(ARGS)

test-long: $(DEV) ## run the property tests and soaks at their full size
	HYPOTHESIS_PROFILE=long $(PYTEST) -m long $(ARGS)

lint: $(DEV) ## look at format, style, types and the import rules
	$(BIN)/python -m ruff format --check $(SOURCES)
	$(BIN)/python -m ruff check $(SOURCES)
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

check: lint test ## everything that must hold before a change lands

bench: $(DEV) ## print the figures: times, memory, share of discriminating problems
	$(BIN)/python -m benchmarks $(ARGS)

format: $(DEV) ## format the code, and mend what the linter can
	$(BIN)/python -m ruff check --fix $(SOURCES)
	$(BIN)/python -m ruff format $(SOURCES)

clean: ## remove caches and what was built; the environment stays (rm -r .venv)
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# setuptools comes first, in the pinned version, and builds the project: without isolation, pip fetches no other.
$(RUN): pyproject.toml constraints.txt
	@found=; for python in $(PYTHONS); do \
	    if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	    echo "quizapp needs Python 3.11 or later; none of these is: $(PYTHONS)." >&2; \
	    echo "Name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; exit 1; \
	fi; \
	"$$found" -m venv .venv || { \
	    echo "This Python can't make a virtual environment; on Debian and Ubuntu, install python3-venv." >&2; exit 1; \
	}
	@echo "Installing the pinned versions. PyTorch is large: the first time takes minutes."
	$(PIP) setuptools
	$(PIP) --no-build-isolation --editable .
	@touch $@

$(DEV): $(RUN)
	$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@
