"""Cut LaTeX into tokens with ``pylatexenc``, which is imported on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from question_bank.math import faults
from question_bank.math.tree import MathError


class Token(NamedTuple):
    r"""A piece of source: a character, ``\macro``, ``\begin{name}``, ``\end{name}``; empty at the end."""

    text: str
    start: int
    end: int


def tokenizer(source: str) -> Callable[[int], Token]:
    """Return a function that reads the token at an offset."""
    from pylatexenc.latexwalker import LatexWalker, LatexWalkerEndOfStream, LatexWalkerParseError
    from pylatexenc.macrospec import LatexContextDb

    walker: Any = LatexWalker(source, latex_context=LatexContextDb(), tolerant_parsing=False)
    state: Any = walker.make_parsing_state(in_math_mode=True, math_mode_delimiter="$")

    def read(offset: int) -> Token:
        try:
            token = walker.get_token(offset, parsing_state=state)
        except LatexWalkerEndOfStream:
            rest = source[offset:].strip()
            if rest:  # a lone backslash at the end counts as nothing there
                raise MathError(faults.UNKNOWN_CHARACTER, source.rindex(rest), "\\") from None
            return Token("", len(source), len(source))
        except LatexWalkerParseError:
            at = source.index("\\", offset)
            raise MathError(faults.UNKNOWN_MACRO, at, shown(source[at : at + 20])) from None
        start, end = token.pos, token.pos + token.len
        if token.tok == "macro":
            end = start + 1 + len(token.arg)
        text = source[start] if token.tok == "comment" else source[start:end]
        if token.tok.endswith("_environment"):
            text = f"\\{token.tok.split('_')[0]}{{{token.arg}}}"
        return Token(text, start, end)

    return read


def shown(source: str) -> str:
    """Quote a piece of source in a message, which is a sentence where a dollar sign would start a formula."""
    return " ".join(source[:20].split()).replace("$", r"\$") or "¶"
