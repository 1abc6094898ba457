"""A terminal of 80 columns and 24 lines with the real application in it. Tests wait on what it shows, never on the clock."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pexpect
import pyte

PATIENCE = float(os.environ.get("QUIZAPP_TEST_PATIENCE", "180"))
"""Seconds to wait for something to appear: a slow machine with two busy cores has to import torch meanwhile."""

NAMES = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "down": "\x1b[B",
    "up": "\x1b[A",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "ctrl+c": "\x03",
    "ctrl+p": "\x10",
}


class EndedError(AssertionError):
    """The application has left."""


class Terminal:
    """The application in a pseudo-terminal, and what it shows."""

    def __init__(
        self, home: Path, language: str = "en_US.UTF-8", columns: int = 80, lines: int = 24, program: str = "quizapp"
    ) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        environment = os.environ | {
            "QUIZAPP_HOME": str(home),
            "TERM": "xterm-256color",
            "LC_ALL": language,
            "LANGUAGE": "",
            "PYTHONUTF8": "1",
        }
        for fixed in ("COLUMNS", "LINES"):  # whatever started the tests may have set them, and no resize is seen then
            environment.pop(fixed, None)
        self._process = pexpect.spawn(
            sys.executable, ["-m", program], env=environment, dimensions=(lines, columns), timeout=PATIENCE
        )

        self._process.delaybeforesend = None

    @property
    def process_id(self) -> int:
        return int(self._process.pid)

    @property
    def text(self) -> str:
        """What is shown; the second column of a wide character is left out."""
        return "\n".join(
            "".join(self.screen.buffer[y][x].data for x in range(self.screen.columns)) for y in range(self.screen.lines)
        )

    @property
    def flat(self) -> str:
        """What is shown without blanks and the margin line: a sentence may be broken anywhere."""
        return "".join(self.text.replace("│", " ").split())

    @property
    def code(self) -> str:
        """The code of the problem that is shown."""
        found = re.search(r"[a-z-]+\.\d\.[0-9a-z]{5,}", self.text.splitlines()[0])
        return found[0] if found else ""

    def read(self) -> None:
        """Take in what the application has written."""
        try:
            self._stream.feed(self._process.read_nonblocking(65536, timeout=0.05))
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            raise EndedError(f"the application has ended; the terminal shows\n{self.text}") from None

    def settle(self, seconds: float = 0.03) -> None:
        """Read until nothing has come for a moment."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            try:
                self._stream.feed(self._process.read_nonblocking(65536, timeout=seconds))
            except pexpect.TIMEOUT:
                return
            except pexpect.EOF:
                raise EndedError(f"the application has ended; the terminal shows\n{self.text}") from None

    def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Read until a condition holds."""
        ends = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < ends, f"waited in vain for {what or condition}; the terminal shows\n{self.text}"
            self.read()

    def shows(self, *texts: str) -> None:
        """Read until all of these are shown, blanks and line breaks aside."""
        for text in texts:
            wanted = "".join(text.split())
            self.until(lambda wanted=wanted: wanted in self.flat, repr(text))

    def hides(self, text: str) -> None:
        """Read until this is no longer shown."""
        wanted = "".join(text.split())
        self.until(lambda: wanted not in self.flat, f"{text!r} to go")

    def press(self, *keys: str) -> None:
        """Press keys; anything that names no key is typed."""
        for key in keys:
            self._process.send(NAMES.get(key, key))

    def escape(self, times: int = 1) -> None:
        """Press Esc, and wait until it can't be taken for the beginning of another key any more."""
        for _time in range(times):
            self.press("escape")
            ends = time.monotonic() + 0.13
            while time.monotonic() < ends:
                self.read()

    @property
    def has_ended(self) -> bool:
        """Tell whether the application has left."""
        return not self._process.isalive()

    @property
    def exit_code(self) -> int | None:
        """With which code it has left."""
        self._process.close()
        return self._process.exitstatus

    def paste(self, text: str) -> None:
        """Paste as a terminal does, in brackets."""
        self._process.send(f"\x1b[200~{text}\x1b[201~")

    def resize(self, columns: int, lines: int) -> None:
        """Change the size."""
        self.screen.resize(lines, columns)
        self._process.setwinsize(lines, columns)

    def open_drill(self, drill: str, level: int = 1) -> str:
        """Go to a drill from home; returns the code of the problem."""
        self.press("/")
        self.shows("Esc" if "Esc" in self.text else "esc")
        self.press(drill)
        self.until(lambda: drill in self.text and "‹1›" in self.text, "the drill in the list")
        self.press("enter")
        self.until(lambda: self.code.startswith(f"{drill}.{level}."), "the problem")
        self.until(lambda: "⏎" in self.text.splitlines()[-1], "the field")
        return self.code

    def workers(self) -> list[int]:
        """Return the process ids of the solver's workers."""
        listed = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
        ).stdout
        rows = [line.split(None, 2) for line in listed.splitlines()]
        return [int(row[0]) for row in rows if len(row) == 3 and int(row[1]) == self.process_id and "spawn_main" in row[2]]

    def kill_worker(self) -> None:
        """Kill the solver's worker, as the system does when memory runs out."""
        self.until(self.workers, "a worker")
        for worker in self.workers():
            os.kill(worker, signal.SIGKILL)

    def kill(self) -> None:
        """Kill the application."""
        os.kill(self.process_id, signal.SIGKILL)
        self._process.wait()

    def until_gone(self) -> None:
        """Wait until the application has left."""
        self._process.expect(pexpect.EOF)
        self._process.close()

    def close_window(self) -> None:
        """Close the window, at which the system sends a SIGHUP, and wait until the application has left."""
        self._process.ptyproc.fileobj.close()
        self._until_dead()

    def close(self) -> None:
        """Leave nothing behind: the application is killed where it doesn't leave within a moment."""
        with suppress(
            pexpect.ExceptionPexpect
        ):  # a process that is killed may take more than the tenth of a second it is given
            self._process.close(force=True)
        self._until_dead()

    def _until_dead(self) -> None:
        ends = time.monotonic() + PATIENCE
        while self._process.ptyproc.isalive():
            assert time.monotonic() < ends, "the application stays, though its window is closed"
            time.sleep(0.02)
