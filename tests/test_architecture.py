"""What the sources may import, load and do."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PACKAGES = ("question_bank", "solvers", "quizapp")
HEAVY = {"torch", "sympy", "numpy"}


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def loaded_by(module: str) -> set[str]:
    """Return the top-level modules that a new interpreter has loaded after an import."""
    program = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    answer = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    return set(answer.stdout.split())


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("question_bank", {*HEAVY, "textual", "rich"}),
        ("solvers.verdict", {*HEAVY, "textual", "rich"}),
        ("solvers.answers", {*HEAVY, "textual", "rich"}),
        ("quizapp.app", {"torch", "sympy", "fsrs"}),
        ("quizapp.progress", {*HEAVY, "textual", "rich", "fsrs"}),
        ("quizapp.planning", {*HEAVY, "textual", "rich", "fsrs"}),
        ("quizapp.sitting", {*HEAVY, "textual", "rich", "fsrs"}),
        ("quizapp.settings", {*HEAVY, "textual", "rich"}),
        ("quizapp.__main__", {*HEAVY, "textual", "rich"}),
    ],
)
def test_what_an_import_loads(module: str, forbidden: set[str]) -> None:
    loaded = loaded_by(module)
    assert module.partition(".")[0] in loaded
    assert not loaded & forbidden


CALLS = {"eval", "exec", "compile", "__import__"}
ATTRIBUTES = {"sympify", "parse_expr", "lambdify", "load_module", "unsafe_load"}
PICKLES = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal"}


def faults(source: str) -> Iterator[str]:
    """Yield what in a source could turn text or a file into running code."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in CALLS | ATTRIBUTES:
                yield name
            case ast.Call(func=ast.Attribute(attr=name)) if name in ATTRIBUTES:
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="load")):
                yield "torch.load"
            case ast.Import(names=names) if PICKLES & {name.name for name in names}:
                yield "pickle"
            case ast.ImportFrom(module=module, names=names) if module in PICKLES or ATTRIBUTES & {name.name for name in names}:
                yield str(module)
            case ast.keyword(arg="allow_pickle", value=ast.Constant(value=value)) if value is not False:
                yield "allow_pickle"
            case ast.keyword(arg="shell", value=ast.Constant(value=True)):
                yield "shell"


@pytest.mark.parametrize("path", sources(*PACKAGES), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_evaluates_text_or_pickles(path: Path) -> None:
    """sympify and its like evaluate text; sympy.Integer and sympy.Rational make numbers without."""
    assert list(faults(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("eval(typed)", 1),
        ("x = exec('1')", 1),
        ("import sympy\nsympy.sympify(typed)", 1),
        ("from sympy import sympify\nsympify(typed)", 2),
        ("import pickle\npickle.load(f)", 1),
        ("from pickle import loads", 1),
        ("np.load(f, allow_pickle=True)", 1),
        ("torch.load(f)", 1),
        ("model.eval()\nre.compile('x')\nnp.load(f, allow_pickle=False)", 0),
    ],
)
def test_the_look_at_sources_sees_what_it_should(source: str, found: int) -> None:
    assert len(list(faults(source))) == found


def texts() -> list[Path]:
    """Return every file that a person could read in a clone."""
    kinds = {".py", ".toml", ".md", ".json", ".tcss", ".txt", ".svg", ".tsv", ""}
    top = [path for path in ROOT.iterdir() if path.is_file()]
    below = [
        path
        for folder in (*PACKAGES, "tests", "tools", "benchmarks", "docs", ".ci")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not {"__pycache__", "snapshot_report.html"} & set(path.parts)
    ]
    return [path for path in top + below if path.suffix in kinds]


def test_no_file_names_a_place_outside_the_clone() -> None:
    places = re.compile(r"(?<![\w.~-])/(?:work|root)\b|\.\./" + "shared", re.ASCII)
    found = [f"{path.relative_to(ROOT)}: {match[0]}" for path in texts() for match in places.finditer(path.read_text("utf-8"))]
    assert len(texts()) > 50
    assert found == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Build the wheel from a copy, so that nothing of an earlier build gets in, and return the names of its files."""
    folder = tmp_path_factory.mktemp("wheel")
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder / "source", ignore=unwanted)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    built = subprocess.run([*pip, "-w", str(folder), str(folder / "source")], capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, built.stdout + built.stderr
    [file] = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_file_of_the_packages(wheel: set[str]) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for folder in PACKAGES
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {Path(name).suffix for name in wanted} >= {".py", ".toml", ".json", ".tcss"}
    assert wanted - wheel == set()


def test_the_wheel_holds_nothing_else(wheel: set[str]) -> None:
    others = {name for name in wheel if name.partition("/")[0] not in PACKAGES}
    assert {name.partition("/")[0].partition("-")[0] for name in others} == {"quizapp"}
    assert all(".dist-info/" in name for name in others)
    assert any(name.endswith("LICENSE") for name in others)


def test_everything_that_is_installed_is_pinned() -> None:
    """Follow what the project needs, and what that needs in turn, on this machine."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {canonicalize_name(name): version for name, version in (line.split("==") for line in lines if "==" in line)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    waiting = [
        Requirement(line)
        for line in (
            *project["build-system"]["requires"],
            *project["project"]["dependencies"],
            *project["project"]["optional-dependencies"]["dev"],
        )
    ]
    seen: dict[str, str] = {}
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        installed = distribution(name)
        seen[name] = installed.version.partition("+")[0]  # torch's build, such as +cpu, is the machine's own matter
        waiting += map(Requirement, installed.requires or ())
    assert len(seen) > 40
    assert {name: version for name, version in seen.items() if pinned.get(name) != version} == {}
    assert seen["torch"] == "2.13.0"
