"""Random keys, pastes and sizes in a pseudo-terminal: nothing crashes, and no answer is lost whose verdict was shown."""

from __future__ import annotations

import random
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")]
if sys.platform != "win32":
    from tests.terminal.terminal import EndedError, Terminal
    from tests.terminal.witness import Witness

HOME = "Transformer interview practice"
KEYS = (
    *("enter", "escape", "tab", "down", "up", "\x1b[C", "\x1b[D", " ") * 6,
    *"abcdefghijklmnoprstuvwxyz0123456789",
    *"tudnshe1234" * 3,
    *"?/.,-[]()=+*^%$#@!<>~|\\{}\"'",
    *"注意力？１ｌ、。ＵＤ",
    "\x7f",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[H",
    "\x1b[F",
    "\x14",
    "\x10",
)
"""Everything but the keys that leave."""
SIZES = ((80, 24), (80, 24), (120, 40), (60, 16), (40, 10), (20, 5), (200, 60))
PASTES = ("1 2 3", "[[1, 2],\n [3, 4]]", "tensor([[1., 2.],\n        [3., 4.]])", "[red]\\x[/", "注意力\n" * 3)
BURST = 12
IN_SESSION = re.compile(r"\d of \d|第 \d+/\d+ 项")
"""What the heading says of an item of the session."""


def _soak(home: Path, keys: int, seed: int) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('language = "en"\ntheme = "night"\ndaily = 100\n', "utf-8")
    chance = random.Random(seed)
    witness = Witness(home)
    terminal = Terminal(home, program="tests.terminal.quick")
    terminal.shows(HOME)
    pressed = 0
    try:
        while pressed < keys:
            if terminal.has_ended:  # the palette can do that
                assert terminal.exit_code == 0
                terminal = Terminal(home, program="tests.terminal.quick")
                terminal.settle(0.3)
            with suppress(EndedError):
                kind = chance.random()
                if kind < 0.04:
                    terminal.resize(*chance.choice(SIZES))
                elif kind < 0.08:
                    terminal.paste(chance.choice(PASTES))
                elif kind < 0.14:
                    _answer_something(terminal, witness)
                terminal.press(*chance.choices(KEYS, k=BURST))
                pressed += BURST
                terminal.settle()
                witness.look(terminal)
    except AssertionError as fault:
        logs = [path.read_text("utf-8") for path in home.glob("crash-*.log")]
        raise AssertionError(f"after {pressed} keys of seed {seed}: {fault}\n" + "\n".join(logs)) from fault
    terminal.resize(80, 24)
    for _time in range(60):  # out of whatever is open, fields and questions among it
        if terminal.text.startswith("  quizapp "):
            break
        terminal.press("escape")
        terminal.settle(0.1)
    terminal.until(lambda: terminal.text.startswith("  quizapp "), "home")
    terminal.close()
    assert witness.lost() == set()
    assert witness.seen


def _answer_something(terminal: Terminal, witness: Witness) -> None:
    """Go to the session and give its item up, so that there are verdicts among all that is random."""
    terminal.resize(80, 24)
    terminal.escape()
    for _time in range(40):
        if not terminal.text.startswith("  quizapp "):
            terminal.escape()
    for _time in range(30):  # on a busy machine, Esc and t may arrive together, which is another key
        if IN_SESSION.search(terminal.text.splitlines()[0]):
            break
        terminal.press("t")
        terminal.settle(0.4)
    terminal.escape()
    for key in ("d", "3"):
        terminal.press(key)
        for _time in range(2):
            terminal.settle(0.15)
            witness.look(terminal)


def test_random_keys(tmp_path: Path) -> None:
    _soak(tmp_path / "quizapp", 2_000, 1)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_random_keys(tmp_path: Path) -> None:
    _soak(tmp_path / "quizapp", 20_000, 2)
