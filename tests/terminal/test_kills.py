"""kill -9 at random moments of a session: no answer is lost whose verdict was shown, and the session resumes."""

from __future__ import annotations

import random
import re
import sys
import time
from pathlib import Path

import pytest

from quizapp.sitting import load

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")]
if sys.platform != "win32":
    from tests.terminal.terminal import Terminal
    from tests.terminal.witness import Witness

HOME = "Transformer interview practice"
SAVED_WITHIN = 0.4
"""Seconds after which what is typed is on disk, a busy machine aside."""


class Session:
    """One start of the application, killed in the end."""

    def __init__(self, home: Path, witness: Witness, chance: random.Random) -> None:
        # Wide enough for a long title, the place in the session and the code beside each other
        self._terminal = Terminal(home, columns=120, program="tests.terminal.quick")
        self._witness = witness
        self._chance = chance
        self._typed = ""
        self._terminal.shows(HOME)
        self._terminal.press("t")
        self._terminal.until(self._is_item, "an item")
        self._terminal.settle(0.05)

    @property
    def _foot(self) -> str:
        return self._terminal.text.splitlines()[-1]

    def _is_item(self) -> bool:
        return bool(re.search(r"\d of \d", self._terminal.text.splitlines()[0])) and self._foot.strip() != ""

    @property
    def at(self) -> str:
        """The heading, which names the item; a drill by its code."""
        return self._terminal.code or self._terminal.text.splitlines()[0].split("  ")[1]

    @property
    def is_marked(self) -> bool:
        return "u Undo" in self._foot and ("Rate" in self._foot or "Easy" in self._foot)

    def act(self) -> None:
        """Do something that a person does there."""
        for key in self._keys():
            if key == "escape":
                self._terminal.escape()
            else:
                self._terminal.press(key)
        self._wait(self._chance.uniform(0.0, 0.35))

    def _keys(self) -> list[str]:
        if self.is_marked:
            return self._chance.choice((["1"], ["2"], ["3"], ["4"], ["u"], ["enter"], ["n"], ["n"]))
        giving_up = (
            ["escape", "d"] if self._terminal.code else self._chance.choice((["escape", "enter", "3"], ["escape", "enter"]))
        )
        return self._chance.choice((["1 2"], ["0.5"], ["x"], ["enter"], giving_up, giving_up, ["escape", "h", "tab"]))

    def _wait(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self._terminal.settle(0.02)
            self._witness.look(self._terminal)

    def kill(self) -> None:
        self._terminal.kill()
        self._terminal.close()


def _kill_again_and_again(home: Path, times: int, seed: int) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('language = "en"\ntheme = "night"\ndaily = 100\n', "utf-8")
    chance = random.Random(seed)
    witness = Witness(home)
    for _time in range(times):
        before = load(home / "sitting.json").sitting
        session = Session(home, witness, chance)
        if before is not None and before.spot is not None and before.spot.answer is None and before.spot.code is not None:
            # Where no verdict came before the last kill, the same problem stands there; else the session goes on behind it.
            assert session.at == before.spot.code or before.spot.code in witness.seen or _is_kept(home, before.spot.code)
        for _action in range(chance.randrange(1, 7)):
            session.act()
        session.kill()
        assert witness.lost() == set()
    assert witness.seen


def _is_kept(home: Path, code: str) -> bool:
    witness = Witness(home)
    witness.seen.add(code)
    return not witness.lost()


def test_no_answer_is_lost_by_kills(tmp_path: Path) -> None:
    _kill_again_and_again(tmp_path / "quizapp", 20, 1)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_no_answer_is_lost_by_two_hundred_kills(tmp_path: Path) -> None:
    _kill_again_and_again(tmp_path / "quizapp", 200, 2)


def test_a_kill_loses_nothing_typed_but_the_last_moment(tmp_path: Path) -> None:
    """What was typed stands in its field again, at the same problem, with the hints that were shown."""
    home = tmp_path / "quizapp"
    home.mkdir()
    (home / "settings.toml").write_text('language = "en"\ntheme = "night"\ndaily = 100\n', "utf-8")
    terminal = Terminal(home, program="tests.terminal.quick")
    terminal.shows(HOME)
    terminal.press("t")
    terminal.shows("1 of 100", "Say it aloud")
    terminal.press("because of the variance")
    terminal.shows("because of the variance")
    terminal.until(lambda: "because of the variance" in (home / "sitting.json").read_text("ascii"), "the text on disk")
    terminal.kill()
    again = Terminal(home, program="tests.terminal.quick")
    again.shows(HOME)
    again.press("t")
    again.shows("1 of 100", "because of the variance")
    again.close()


def test_a_kill_loses_no_question_whose_points_were_shown(tmp_path: Path) -> None:
    home = tmp_path / "quizapp"
    home.mkdir()
    (home / "settings.toml").write_text('language = "en"\ntheme = "night"\ndaily = 100\n', "utf-8")
    witness = Witness(home)
    terminal = Terminal(home, columns=120, lines=40, program="tests.terminal.quick")
    terminal.shows(HOME)
    terminal.press("t")
    terminal.shows("1 of 100", "Say it aloud")
    terminal.press("because of the variance")
    terminal.shows("because of the variance")
    terminal.escape()
    terminal.press("enter")
    terminal.shows("Found in your answer:")
    terminal.kill()
    witness.seen.add("Q1")
    assert witness.lost() == set()


def test_a_kill_loses_nothing_typed_outside_a_session(tmp_path: Path) -> None:
    home = tmp_path / "quizapp"
    terminal = Terminal(home, program="tests.terminal.quick")
    terminal.shows(HOME)
    code = terminal.open_drill("softmax-row")
    terminal.press("0.125")
    terminal.until(lambda: any("0.125" in file.read_text("ascii") for file in home.glob("typed-*.json")), "the text on disk")
    terminal.kill()
    again = Terminal(home, program="tests.terminal.quick")
    again.shows(HOME, f"again: {code}")
    again.press("down", "down", "enter")
    again.until(lambda: again.code == code, "the problem")
    again.shows("0.125")
    again.close()
