"""Papers as they are cited: ``Vaswani et al. 2017``, in Chinese ``Vaswani 等，2017``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from question_bank.text import Text

_AUTHORS_AND_YEAR = re.compile(r"(?P<authors>.+) (?P<year>\d{4}[a-z]?)")


def cited(sources: Iterable[str]) -> Text:
    """List papers, in the way of each language.

    Args:
        sources: Authors and year of each, as questions and lessons have them; other texts stay as they are.
    """
    english = tuple(sources)
    return Text("; ".join(english), "；".join(map(_chinese, english)))


def _chinese(source: str) -> str:
    found = _AUTHORS_AND_YEAR.fullmatch(source)
    if found is None:
        return source
    authors = found["authors"].replace(" et al.", " 等").replace(" and ", " 和 ").replace(", ", "、")
    return f"{authors}，{found['year']}"
