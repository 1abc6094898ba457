"""The command as a process: exit codes, streams, what it loads."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from question_bank.drills import DRILLS
from question_bank.lessons import sections
from question_bank.questions import numbers
from quizapp.commands.exits import Exit
from tests.quizapp.shell import quiz
from tests.quizapp.test_cli import BY_HAND, CHINESE, SOFTMAX, inputs, softmax, written

SCRIPT = shutil.which("quizapp", path=str(Path(sys.executable).parent))
COMMAND = [SCRIPT] if SCRIPT else [sys.executable, "-m", "quizapp"]
"""The installed command; from a folder of sources that is not installed, what it would run."""


def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        timeout=120,
    )


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a command has loaded by its end."""
    program = (
        "import sys; sys.argv = ['quizapp', *sys.argv[1:]]\n"
        "from quizapp.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "finally: print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=120,
    )
    assert ended.stdout
    return {name.partition(".")[0] for name in ended.stderr.split()}


def test_every_exit_code_reaches_the_shell() -> None:
    right = written(softmax(inputs(SOFTMAX)["z"]), 3)
    table = [
        (["check", SOFTMAX, right], Exit.RIGHT),
        (["check", SOFTMAX, "0.11 0.22 0.67"], Exit.NOT_RIGHT),
        (["check", SOFTMAX], Exit.MISUSED),
        (["check", SOFTMAX, "x"], Exit.UNREADABLE),
        (["list", "drills"], Exit.DONE),
    ]
    for arguments, code in table:
        assert run(*arguments).returncode == code, arguments


def test_answers_are_piped_in() -> None:
    assert run("check", SOFTMAX, "-", stdin=written(softmax(inputs(SOFTMAX)["z"]), 3) + "\n").returncode == Exit.RIGHT


def test_a_reader_that_leaves_early_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run([*COMMAND, "list", "drills"], stdout=writing, stderr=subprocess.PIPE, encoding="utf-8", timeout=60)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (Exit.DONE, "")


def test_nothing_but_text_goes_down_a_pipe() -> None:
    for arguments in (["--help"], ["problem", SOFTMAX], ["check", SOFTMAX, "?"], ["frob"]):
        ended = run(*arguments, FORCE_COLOR="1", CLICOLOR_FORCE="1", TERM="xterm-256color")
        assert "\x1b" not in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "drills"],
        ["list", "questions"],
        ["list", "lessons"],
        ["problem", SOFTMAX],
        ["problem", "softmax-row"],
        ["--help"],
    ],
)
def test_what_needs_no_numbers_loads_nothing_heavy(arguments: list[str]) -> None:
    assert not loaded(*arguments) & {"torch", "sympy", "numpy", "textual", "msgspec"}


@pytest.mark.parametrize(
    "arguments", [["show", "Q7"], ["show", "7.9", "--json"], ["show", "softmax-row"], ["ask", "Q7"], ["find", "softmax"]]
)
def test_what_shows_questions_and_lessons_loads_nothing_heavy(arguments: list[str]) -> None:
    assert not loaded(*arguments) & {"torch", "sympy", "numpy", "textual"}


def test_check_loads_torch_and_nothing_else_that_is_heavy() -> None:
    modules = loaded("check", SOFTMAX, "0.11 0.22 0.67")
    assert "torch" in modules
    assert not modules & {"sympy", "textual", "rich", "msgspec", "pylatexenc"}


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "cp1252"])
def test_a_terminal_without_our_characters_gets_the_rest(encoding: str) -> None:
    ended = subprocess.run(
        [*COMMAND, "problem", BY_HAND],
        capture_output=True,
        env={**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "LC_ALL": "C"},
        timeout=60,
    )
    assert (ended.returncode, b"Traceback" in ended.stderr) == (Exit.DONE, False)
    assert BY_HAND.encode() in ended.stdout


def test_json_is_json_in_any_encoding() -> None:
    import json

    for encoding in ("ascii", "utf-8", "gbk"):
        ended = subprocess.run(
            [*COMMAND, "list", "questions", "--json", "--lang", "zh"],
            capture_output=True,
            env={**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding},
            timeout=60,
        )
        assert CHINESE.search(json.loads(ended.stdout.decode(encoding))[0]["title"]), encoding


def test_the_version_is_told() -> None:
    ended = run("--version")
    assert ended.returncode == Exit.DONE
    assert re.fullmatch(r"quizapp (\d+\.\d+\S*|\?)\n", ended.stdout)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (
            "quizapp ",
            {
                "list",
                "show",
                "ask",
                "find",
                "problem",
                "solve",
                "check",
                "validate",
                "sheet",
                "mark",
                "interview",
                "export",
                "progress",
                "doctor",
            },
        ),
        ("quizapp show 7.1", {section for section in sections() if section.startswith("7.1")}),
        ("quizapp ask q1", {f"Q{number}" for number in numbers() if str(number).startswith("1")}),
        ("quizapp show Q7 --part p", {"prompt", "points", "pitfalls"}),
        ("quizapp solve at", {"attention"}),
        ("quizapp problem softmax-", {drill for drill in DRILLS if drill.startswith("softmax-")}),
        ("quizapp check attention --ca", {"--causal"}),
        ("quizapp list drills --lang ", {"en", "zh"}),
    ],
)
def test_the_shell_completes(words: str, wanted: set[str]) -> None:
    position = len(words.split()) - (not words.endswith(" "))
    ran = quiz(environment={"_QUIZAPP_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(position)})
    assert {line.partition(",")[2] for line in ran.out.splitlines()} == wanted


def test_completion_is_described_in_the_language_of_the_session() -> None:
    environment = {"_QUIZAPP_COMPLETE": "fish_complete", "COMP_WORDS": "quizapp ", "COMP_CWORD": ""}
    assert not CHINESE.search(quiz(environment=environment).out)
    assert CHINESE.search(quiz(environment={**environment, "LC_ALL": "zh_CN.UTF-8"}).out)


def test_without_a_terminal_the_application_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quizapp"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert done.stdout == ""


def test_a_shell_that_completes_gets_words_not_the_application() -> None:
    environment = os.environ | {"_QUIZAPP_COMPLETE": "bash_source"}
    done = subprocess.run([sys.executable, "-m", "quizapp"], env=environment, capture_output=True, text=True, check=False)
    assert "_completion()" in done.stdout
