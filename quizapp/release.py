"""Which release this is."""

from __future__ import annotations

NAME = "quizapp"


def release() -> str:
    """Return the version of the installed package; ``?`` when run from a folder of sources without having been installed."""
    return version_of(NAME)


def version_of(package: str) -> str:
    """Return the version of a package; ``?`` where it isn't installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
