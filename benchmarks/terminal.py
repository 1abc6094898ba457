"""A process in a pseudo-terminal of 80 × 24, and when something was written to it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from benchmarks.timing import ROOT, environment

ROWS, COLUMNS = 24, 80
PATIENCE = 60.0
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_].*?\x1b\\|[ -/]*[0-~])", re.DOTALL)


class NotShownError(Exception):
    """What was waited for did not come."""


class Terminal:
    """Runs Python in a pseudo-terminal; ends it, and all that it started, on leaving the ``with`` block.

    Times are those at which output arrived, before it was looked at. No terminal is emulated: the letters of a line are
    written one after the other, so that a text stands in the output once the escape sequences are taken out.
    """

    def __init__(self, home: Path, *arguments: str) -> None:
        """Start a process.

        Args:
            home: Where it keeps its files.
            arguments: For Python, such as ``-m quizapp``.
        """
        import fcntl
        import struct
        import termios

        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._output = b""
        self.started = perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env=environment(home),
            start_new_session=True,
        )
        os.close(slave)
        self.memory = 0.0
        """Megabytes that the process had at its largest; known once it has ended."""

    def __enter__(self) -> Terminal:
        """Return the terminal."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the process and what it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self.memory = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        os.close(self._master)

    def processor_seconds(self) -> float | None:
        """Return the processor time of the main thread so far, which a busy machine lengthens little; None where unknown."""
        try:
            nanoseconds, *_ = Path(f"/proc/{self._process.pid}/schedstat").read_text("ascii").split()
        except OSError:
            return None  # only Linux tells
        return int(nanoseconds) / 1e9

    def press(self, keys: str) -> float:
        """Send keys; return the time. What was written before is forgotten."""
        self._read(0.0)
        self._output = b""
        now = perf_counter()
        os.write(self._master, keys.encode())
        return now

    def wait_for(self, text: str) -> float:
        """Wait until a text is written; return the time at which it had arrived.

        Raises:
            NotShownError: The process ended, or a minute passed.
        """
        wanted = text.encode()
        while perf_counter() - self.started < PATIENCE:
            now = self._read(0.5)
            if wanted in _ESCAPES.sub(b"", self._output):
                return now
            if self._process.poll() is not None:
                break
        shown = _ESCAPES.sub(b"", self._output).decode(errors="replace")[-2000:]
        raise NotShownError(f"{text!r} was not shown; this was: {shown}")

    def rest(self, seconds: float) -> None:
        """Take in what is written for some time."""
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            self._read(left)

    def _read(self, seconds: float) -> float:
        ready, _, _ = select.select([self._master], [], [], seconds)
        now = perf_counter()
        if ready:
            with suppress(OSError):  # Linux says so when the other side is closed
                self._output += os.read(self._master, 1 << 16)
        return now
