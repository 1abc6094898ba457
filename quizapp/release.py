"""Which release this is."""

from __future__ import annotations

NAME = "quizapp"


def release() -> str:
    """Return the version of the installed package; ``?`` when run from a folder of sources without having been installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(NAME)
    except PackageNotFoundError:
        return "?"
