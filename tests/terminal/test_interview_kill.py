"""kill -9 in the middle of a mock interview: it is gone on with at the same question, with what was said and typed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")]
if sys.platform != "win32":
    from tests.terminal.terminal import Terminal

HOME = "Transformer interview practice"


def _at_the_interview(home: Path, *shown: str) -> Terminal:
    terminal = Terminal(home, program="tests.terminal.quick")
    terminal.shows(HOME)
    terminal.press("home", "down", "enter")
    terminal.shows("Mock interview", *shown)
    return terminal


def test_an_interview_goes_on_after_a_kill(tmp_path: Path) -> None:
    home = tmp_path / "quizapp"
    home.mkdir()
    (home / "settings.toml").write_text('language = "en"\ntheme = "night"\n', "utf-8")
    terminal = _at_the_interview(home, "Start: 30 min")
    terminal.press("enter")
    terminal.shows("1 of", "Answer as you would aloud")
    terminal.press("first things")
    terminal.shows("first things")
    terminal.escape()
    terminal.press("enter")
    terminal.shows("2 of", "Noted")
    terminal.press("half of it")
    terminal.until(lambda: "half of it" in (home / "interview.json").read_text("utf-8"), "the text on disk")
    terminal.kill()
    terminal.close()

    again = _at_the_interview(home, "Go on:", "2 of")
    again.press("enter")
    again.shows("half of it")
    again.escape()
    for _twice in range(2):
        again.press("f")
        again.settle(0.2)
    again.shows("Interview report", "first things")
    again.close()
