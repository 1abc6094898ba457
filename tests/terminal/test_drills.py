"""A drill answered right, wrong and by a known mistake in a real terminal, with the worker killed in the middle."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from question_bank import problem
from question_bank.exact import show
from question_bank.math import plain
from question_bank.text import Language
from quizapp.events import DrillAnswered
from quizapp.progress import Log
from quizapp.wording import MORE_ROOM
from solvers.grading import grade
from solvers.verdict import Outcome

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")]
if sys.platform != "win32":
    from tests.terminal.terminal import Terminal

OpenTerminal = Callable[..., "Terminal"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "quizapp"


@pytest.fixture
def open_terminal(home: Path) -> Iterator[OpenTerminal]:
    opened: list[Terminal] = []

    def start(language: str = "en_US.UTF-8") -> Terminal:
        opened.append(Terminal(home, language))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def right(code: str) -> str:
    return grade(problem(code), [None]).parts[0].expected.en


def by_d_k(code: str) -> str:
    """Scale by d_k in place of its root: a known mistake."""
    values = dict(problem(code).program.inputs)
    row, width = values["s"], values["d_k"]
    assert isinstance(row, tuple)
    return " ".join(show(Fraction(number) / width) for number in row)  # type: ignore[arg-type]


def kept(home: Path) -> list[tuple[str, Outcome]]:
    with Log(home / "progress.db") as log:
        return [(event.what.code, event.what.outcome) for event in log.recent() if isinstance(event.what, DrillAnswered)][::-1]


WORDS = {
    Language.EN: ("Transformer interview practice", "yours", "right", "1/1"),
    Language.ZH: ("Transformer 面试练习", "你的答案", "正确答案", "1/1"),
}


@pytest.mark.parametrize(("locale", "language"), [("en_US.UTF-8", Language.EN), ("zh_CN.UTF-8", Language.ZH)])
def test_right_wrong_and_a_known_mistake(open_terminal: OpenTerminal, home: Path, locale: str, language: Language) -> None:
    tagline, own, the_right_one, step = WORDS[language]
    terminal = open_terminal(locale)
    terminal.shows(tagline)
    first = terminal.open_drill("scale-row")
    terminal.press(right(first), "enter")
    terminal.shows(f"✓ z {grade(problem(first), [right(first)]).message[language]}")

    terminal.press("n")
    terminal.until(lambda: terminal.code not in ("", first), "another problem")
    terminal.hides("✓")
    second = terminal.code
    terminal.press("9 9 9", "enter")
    terminal.shows("✗ z", own, the_right_one, "9✗")
    terminal.press("s")
    terminal.shows(step)

    terminal.kill_worker()
    terminal.press("r")
    terminal.hides("✗")
    terminal.press(by_d_k(second), "enter")
    verdict = grade(problem(second), [by_d_k(second)])
    assert verdict.outcome is Outcome.KNOWN_MISTAKE
    terminal.shows("✗ z", plain(verdict.message[language]))

    terminal.press("l")
    other = Language.EN if language == Language.ZH else Language.ZH
    terminal.shows(plain(verdict.message[other]), WORDS[other][1])
    assert kept(home) == [(first, Outcome.RIGHT), (second, Outcome.WRONG), (second, Outcome.KNOWN_MISTAKE)]


def test_an_answer_is_on_disk_when_its_verdict_is_shown(open_terminal: OpenTerminal, home: Path) -> None:
    terminal = open_terminal()
    terminal.shows("Transformer interview practice")
    code = terminal.open_drill("scale-row")
    terminal.press("1 2 3", "enter")
    terminal.shows("✗ z")
    terminal.kill()
    assert [answered for answered, _outcome in kept(home)] == [code]


def test_the_worker_killed_while_it_marks(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal()
    terminal.shows("Transformer interview practice")
    code = terminal.open_drill("scale-row")
    terminal.until(terminal.workers, "the worker")
    terminal.press(right(code), "enter")
    terminal.kill_worker()
    terminal.shows("✓ z")


def test_pasting_typing_and_resizing(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal()
    terminal.shows("Transformer interview practice")
    terminal.open_drill("score-matrix")
    terminal.paste("tensor([[1., 2.],\n        [3., 4.]])")
    terminal.shows("⎡ 1 2 ⎤", "⎣ 3 4 ⎦", "read as [[1, 2], [3, 4]]")
    terminal.press("？", "ｌ", "q", "１")
    terminal.shows("？ｌq１", "Row 2, column 2")
    terminal.resize(20, 5)
    terminal.shows("This needs 36")
    terminal.resize(80, 24)
    terminal.shows("？ｌq１", "⎡ 1 2 ⎤")


def test_every_character_of_the_notice_is_there_in_chinese(home: Path) -> None:
    """Textual loses wide characters where something under a text begins or ends; nothing is under this one."""
    terminal = Terminal(home, "zh_CN.UTF-8", program="tests.terminal.quick")
    terminal.shows("Transformer 面试练习")
    notice = MORE_ROOM.fill(columns=36, lines=9).zh
    for columns, lines in ((35, 9), (20, 5), (36, 8)):
        terminal.resize(columns, lines)
        terminal.shows(notice)
        terminal.resize(80, 24)
        terminal.shows("Transformer 面试练习")
    terminal.close()


def test_leaving_says_what_would_be_lost_and_leaves_nobody_behind(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal()
    terminal.shows("Transformer interview practice")
    terminal.open_drill("scale-row")
    terminal.press("1 2")
    terminal.shows("1 2")
    terminal.until(terminal.workers, "the worker")
    workers = terminal.workers()
    terminal.press("ctrl+c")
    terminal.shows("would be lost")
    terminal.press("ctrl+c")
    terminal.until_gone()
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


@pytest.mark.parametrize("key", ["ｑ", "q"])
def test_leaving_at_once_while_torch_is_being_imported(open_terminal: OpenTerminal, key: str) -> None:
    terminal = open_terminal()
    terminal.shows("Transformer interview practice")
    terminal.press(key)
    terminal.until_gone()
