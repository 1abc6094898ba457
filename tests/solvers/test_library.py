"""The library as docs/library.md shows it: every block of code runs, and naming the package loads nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import solvers

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Each block goes on from those before it."""
    names: dict[str, object] = {"__name__": "page"}
    for block in BLOCKS:
        exec(compile(block, str(PAGE), "exec"), names)
    printed = capsys.readouterr().out
    assert "You divided by $\\sqrt{d_{\\text{model}}}$" in printed
    assert len(BLOCKS) >= 7


def test_every_public_name_is_there_and_documented() -> None:
    for name in solvers.__all__:
        found = getattr(solvers, name)
        assert found.__doc__, name
    assert set(dir(solvers)) == set(solvers.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = solvers.nothing
    for function in ("check_module", "draw", "grade", "problem", "read", "right_answers", "work"):
        assert f"``{function}``" in (solvers.__doc__ or "")
        assert function in PAGE.read_text("utf-8")


def test_naming_the_package_loads_nothing() -> None:
    heavy = "sorted(m for m in sys.modules if m.partition('.')[0] in ('torch', 'sympy', 'numpy') or m.startswith('solvers.'))"
    there = f"import sys, solvers; print({heavy})"
    assert subprocess.run([sys.executable, "-c", there], capture_output=True, text=True, check=True).stdout.strip() == "[]"
