"""The window is closed: the application leaves, told by a signal or not, and what was typed is there the next time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")]
if sys.platform != "win32":
    from tests.terminal.terminal import PATIENCE, Terminal

HOME = "Transformer interview practice"


def _read_until(terminal: int, wanted: bytes) -> None:
    seen = b""
    while wanted not in seen:
        seen += os.read(terminal, 65536)


def _leave_without_a_signal(home: Path, *then: signal.Signals) -> None:
    """Close a terminal that doesn't control the process, as that of ``make run`` doesn't once its window is gone."""
    ours, theirs = os.openpty()
    environment = os.environ | {"QUIZAPP_HOME": str(home), "TERM": "xterm-256color", "LC_ALL": "en_US.UTF-8"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.terminal.quick"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    _read_until(ours, b"Steps between two")
    os.write(ours, b"\x1b[B\x1b[B\r")
    _read_until(ours, b"RNN")
    os.write(ours, b"4273")
    _read_until(ours, b"read as 4273")
    os.close(ours)
    for sent in then:
        process.send_signal(sent)
    assert process.wait(PATIENCE) == 0


def _leave_with_the_last_signal(home: Path) -> None:
    """Close it and send what comes with a SIGHUP, at which Textual takes the terminal up again."""
    _leave_without_a_signal(home, signal.SIGCONT)


def _leave_by_a_signal(home: Path) -> None:
    terminal = Terminal(home, program="tests.terminal.quick")
    terminal.shows(HOME)
    terminal.press("down", "down", "enter")
    terminal.shows("RNN")
    terminal.press("4273")
    terminal.shows("read as 4273")
    terminal.close_window()


@pytest.mark.parametrize("leave", [_leave_without_a_signal, _leave_with_the_last_signal, _leave_by_a_signal])
def test_what_was_typed_is_there_again(tmp_path: Path, leave: object) -> None:
    home = tmp_path / "quizapp"
    assert callable(leave)
    leave(home)
    again = Terminal(home, program="tests.terminal.quick")
    again.shows(HOME, "What you had typed is there")
    again.press("down", "down", "enter")
    again.shows("4273")
    again.close()
