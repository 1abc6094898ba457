"""The ``quizapp`` command. Without arguments it starts the application, and loads nothing that only the shell commands need."""

from __future__ import annotations

import sys


def main() -> None:
    """Start the application, or hand the arguments to the command line."""
    if len(sys.argv) == 1:
        from quizapp.app import run

        run()
    else:
        from quizapp.cli import main as command_line

        command_line()


if __name__ == "__main__":
    main()
