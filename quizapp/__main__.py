"""The ``quizapp`` command. Without arguments it starts the application, and loads nothing that only the shell commands need."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Start the application, or hand the arguments to the command line."""
    if len(sys.argv) > 1 or "_QUIZAPP_COMPLETE" in os.environ:  # a shell completes a command by running it without arguments
        from quizapp.cli import main as command_line

        command_line()
    elif sys.stdin is None or not sys.stdin.isatty():
        sys.exit(_no_terminal())
    else:
        gc.disable()  # see run
        from quizapp.app import run

        run()


def _no_terminal() -> int:
    from quizapp.commands.exits import Exit
    from quizapp.settings import system_language
    from quizapp.wording import NO_TERMINAL

    print(NO_TERMINAL[system_language()], file=sys.stderr)
    return Exit.MISUSED


if __name__ == "__main__":
    main()
