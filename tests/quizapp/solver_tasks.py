"""What the tests of the solver process have the worker do. A module of its own: the worker imports it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def process_id() -> int:
    return os.getpid()


def double(number: int) -> int:
    return 2 * number


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def raise_value_error() -> None:
    raise ValueError("no such thing")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(marker: Path) -> str:
    """Die the first time, and answer the second."""
    if not marker.exists():
        marker.touch()
        die()
    return "answered"


def write_to_the_terminal() -> None:
    print("this would garble the screen")
    os.write(2, b"and this")
