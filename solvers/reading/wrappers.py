"""What stands around an answer: quotes, ``x =``, ``tensor(..., dtype=...)``, the frame of a table. It is taken off."""

from __future__ import annotations

import re

from question_bank.text import Text
from solvers.reading.folding import Source, Writer
from solvers.reading.latex import plain
from solvers.reading.model import MAX_CELLS, RefusedError, too_many

_QUOTES = (("```", "```"), ("$$", "$$"), ("`", "`"), ('"', '"'), ("'", "'"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_FENCE = re.compile(r"```[a-z]{0,10}[ ]*\n")

# A name, its subscript, its index or its argument, then an equals sign or a colon; not a formula such as sqrt(2).
_NAME = re.compile(
    r"(?!(?:sqrt|exp|ln|log)\()[^\W\d_]\w{0,30}+(?:\.[^\W\d]\w{0,30}+){0,3}+'?"
    r"(?:\[[\w ,:]{0,20}+\])?(?:\([A-Za-z_, ]{0,20}+\))?"
    r"[ ]*+(?P<sign>:=|=|:)[ ]*+\n?"
)
_MARK = re.compile(r"=[ ]*+")
_PARAMETER = re.compile(r"Parameter containing:\s*+")
_CALL = re.compile(
    r"(?:(?:torch|np|numpy|jnp|sympy|sp|tf)\.)?"
    r"(?:tensor|Tensor|FloatTensor|DoubleTensor|array|Array|asarray|matrix|Matrix|MutableDenseMatrix|Size|list|tuple)[ ]?\("
)
_KEYWORD = (
    r",\s*+(?:dtype|grad_fn|requires_grad|device|size|shape|layout)\s*+=\s*+"
    r"(?:<[^<>]{0,80}+>|'[^']{0,40}+'|\"[^\"]{0,40}+\"|\([^()]{0,80}+\)|[\w.]{1,40}+)\s*+"
)
_FIRST_KEYWORD = re.compile(_KEYWORD)
_KEYWORDS = re.compile(rf"(?:{_KEYWORD}){{1,6}}+,?+\s*+")

_MODULE = re.compile(r"(?<![\w.])(?:math|np|numpy|torch|jnp|sympy)\.(?=(?:sqrt|exp|log|inf|nan|pi|e|Infinity)\b)")
_SCALAR = re.compile(r"(?<![\w.])(?:np|numpy|torch)\.(?:float|int|uint)\d{1,3}\(([^()]{0,70}+)\)")
_FLOAT = re.compile(r"(?<![\w.])float\(['\"]([+-]?(?:inf|infinity|nan))['\"]\)", re.IGNORECASE)

_RULE = re.compile(r"(?=.*(?:[-─━═]{2}|[┌┐└┘╭╮╰╯╔╗╚╝]))[ |:+─━═┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬╞╡╪-]*+")
_BARS = re.compile(r"\|[^|\n]*+\|")  # an absolute value is no table
_SENTENCE_END = re.compile(r"(?:[)\]}%]|[^\W\d_]|\.\d{1,60})\.\Z")
_LEFT = "⎡⎢⎣⎛⎜⎝"
_RIGHT = "⎤⎥⎦⎞⎟⎠"


def unwrap(source: Source, *, names: str = "=:") -> Source:
    """Take off what stands around an answer, and rewrite its LaTeX.

    Args:
        source: The folded text.
        names: The signs that part a leading name (``x =``, ``答案：``) from the answer.

    Raises:
        RefusedError: The LaTeX is not understood.
    """
    source = _unquoted(source.stripped())
    source = _unquoted(plain(source).stripped())
    source = _without_name(source, names)
    return _without_full_stop(_unquoted(source))


def unwrap_numbers(source: Source) -> Source:
    """Take off also what stands around numbers: printouts of tensors and arrays, frames of tables and matrices.

    Raises:
        RefusedError: The LaTeX is not understood, or numbers are left out with dots.
    """
    source = unwrap(source)
    dots = source.text.find("...")
    if dots >= 0:
        raise RefusedError(
            Text(
                "“...” leaves numbers out; every number is needed.",
                "“...”省略了一部分数字；请把数字全部写出来。",
            ),
            source.origin(dots),
        )
    lines = source.text.count("\n")
    if lines > MAX_CELLS:
        raise too_many(lines)
    source = without_call(source)
    source = source.keep(_MODULE).keep(_SCALAR).keep(_FLOAT)
    return _without_frame(source).stripped()


def _unquoted(source: Source) -> Source:
    for opening, closing in _QUOTES:
        text = source.text
        inside = len(text) - len(opening) - len(closing)
        if inside > 0 and text.startswith(opening) and text.endswith(closing):
            fence = _FENCE.match(text)
            start = fence.end() if fence else len(opening)
            if closing not in text[start : -len(closing)]:
                return source.cut(start, len(text) - len(closing)).stripped()
    return source


def _without_name(source: Source, signs: str) -> Source:
    label = _PARAMETER.match(source.text)
    if label:
        return source.cut(label.end(), len(source.text))
    name = _NAME.match(source.text)
    if name and name["sign"][-1] in signs:
        return source.cut(name.end(), len(source.text)).stripped()
    mark = _MARK.match(source.text) if "=" in signs else None
    return source.cut(mark.end(), len(source.text)) if mark else source


def _without_full_stop(source: Source) -> Source:
    """Take off the full stop of a sentence: ``[1, 2].``, ``1 GiB.``, ``0.5.``; a number such as ``5.`` keeps its own."""
    text = source.text
    if _SENTENCE_END.search(text[-62:]):
        return source.cut(0, len(text) - 1).stripped()
    return source


def without_call(source: Source) -> Source:
    """Take off a call that makes or prints an array: ``tensor(..., dtype=...)``, ``np.array(...)``, ``torch.Size(...)``."""
    call = _CALL.match(source.text)
    if call is None or not source.text.endswith(")"):
        return source
    inner = source.cut(call.end(), len(source.text) - 1).stripped()
    first = _FIRST_KEYWORD.search(inner.text)
    if first and _KEYWORDS.fullmatch(inner.text, first.start()):
        inner = inner.cut(0, first.start()).stripped()
    # A call within: Parameter(tensor(...)) is not printed by anything, but torch.tensor(np.array(...)) may be typed.
    if not inner.text:
        return source.cut(call.end() - 1, len(source.text))
    nested = _CALL.match(inner.text)
    return without_call(inner) if nested and inner.text.count("(") < 4 else inner


def _without_frame(source: Source) -> Source:
    """Take off the frame of a Markdown table or of a matrix drawn with pieces of tall brackets."""
    text = source.text
    if not any(sign in text for sign in "|⎡⎢⎣⎛⎜⎝─") or _BARS.fullmatch(text):
        return source
    out = Writer()
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        row = source.cut(start, end).stripped()
        if row.text and not _RULE.fullmatch(row.text):
            if row.text[0] in _LEFT and row.text[-1] in _RIGHT:
                row = row.cut(1, len(row.text) - 1)
            if row.text.startswith("|"):
                row = row.cut(1, len(row.text))
            if row.text.endswith("|"):
                row = row.cut(0, len(row.text) - 1)
            out.copy(row, 0, len(row.text))
        if end < len(text):
            out.write("\n", source.at[end])
        start = end + 1
    cells = out.source()
    return Source(cells.text.replace("|", "&"), cells.at)
