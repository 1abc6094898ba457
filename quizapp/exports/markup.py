"""Sentences as HTML with MathJax. What a sentence says is never markup: neither HTML, nor a formula, nor a field of Anki's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from question_bank.math import Formula, MathError, Words, segments
from quizapp.exports.formulas import formula

_DELIMITER = re.compile(r"(\\)(?=[()\[\]])|(\$)(?=\$)")
"""What MathJax, and Moodle's filter for it, would take for the start or the end of a formula."""

_ANKI = re.compile(r"\[(?=sound:|anki:|/?latex\]|/?\${1,2}\])", re.IGNORECASE)
"""What Anki takes for a sound, a voice or a picture of LaTeX."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML can't hold, and that no card needs."""


def words(text: str) -> str:
    """Write a text as HTML that shows just that text."""
    return _DELIMITER.sub(lambda found: f"{found[0]}<span></span>", escaped(text))


def escaped(text: str) -> str:
    """Write a text as HTML for a place where formulas aren't looked for, such as code."""
    return _ANKI.sub("&#91;", escape(clean(text)))


def clean(text: str) -> str:
    """Replace characters that XML can't hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def math(latex: str) -> str:
    r"""Write LaTeX as a formula within a line, between ``\(`` and ``\)``."""
    return rf"\({escaped(latex)}\)"


def display(latex: str) -> str:
    r"""Write LaTeX as a formula on a line of its own, between ``\[`` and ``\]``."""
    return rf"\[{escaped(latex)}\]"


def sentence(text: str) -> str:
    """Write a sentence with formulas between dollar signs; its line breaks stay."""
    try:
        parts = segments(text)
    except MathError:  # the dollar sign is one that a person typed
        parts = (Words(text),)
    written = (math(formula(part.latex)) if isinstance(part, Formula) else words(part.text) for part in parts)
    return "".join(written).strip("\n").replace("\n", "<br>")


def paragraph(text: str) -> str:
    """Write a sentence as a paragraph."""
    return f"<p>{sentence(text)}</p>"


def code(lines: Iterable[str]) -> str:
    """Write lines of code."""
    return f"<pre><code>{escaped(chr(10).join(lines))}</code></pre>"


def numbered(items: Iterable[str]) -> str:
    """Write a numbered list of HTML."""
    return f"<ol>{''.join(f'<li>{item}</li>' for item in items)}</ol>"


def listed(items: Iterable[str]) -> str:
    """Write a list of HTML."""
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
