"""Answers without numbers: one of n choices, yes or no, a shape with names."""

from __future__ import annotations

import re

from question_bank.program import AnswerFormat
from question_bank.text import Text, same
from solvers.reading.folding import Source
from solvers.reading.model import Answer, RefusedError, quoted
from solvers.reading.synonyms import meant, meant_beside, read_as
from solvers.reading.wrappers import unwrap, without_call

_CHOICE = re.compile(
    r"(?:(?:the )?(?:answer|option|choice)(?: is)?|我?选择?项?|答案?(?:是|为|选)?)?\s*+[:=]?\s*+"
    r"(?:\(\s*+([a-z])\s*+\)|\[\s*+([a-z])\s*+\]|([a-z]))\s*+[).,!]?",
    re.IGNORECASE | re.ASCII,
)
_YES = frozenset(["yes", "y", "yep", "yeah", "true", "t", "是", "是的", "对", "对的", "正确", "真", "会", "√", "✓", "✔", "☑"])
_NO = frozenset(
    [
        "no",
        "n",
        "nope",
        "false",
        "f",
        "否",
        "不",
        "不是",
        "不是的",
        "不对",
        "错",
        "错的",
        "错误",
        "不正确",
        "假",
        "不会",
        "×",
        "✗",
        "✘",
    ]
)
_ENDS = " \t\n.,!;:\"'`()[]"
_NAMED_SEPARATOR = re.compile(r"\s*+[,;*×·]\s*+|\s++[xX]\s++|\s++")
_BETWEEN_NAMES = re.compile(r"\s*+([*×·/÷])\s*+")
_MOST_SIGNS = 4
"""Signs in one axis of a shape; more make no size that anybody means."""
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def letters(choices: int) -> str:
    """Return the letters of so many choices: ``abcd``."""
    return "abcdefghijklmnopqrstuvwxyz"[: max(0, choices)]


def read_choice(source: Source, form: AnswerFormat) -> Answer:
    """Read the letter of a choice: ``b``, ``(B)``, ``b.``, ``选 B``.

    Raises:
        RefusedError: It is no letter, or not one of those offered.
    """
    source = unwrap(source, names="")
    match = _CHOICE.fullmatch(source.text)
    letter = (match[1] or match[2] or match[3]).lower() if match else ""
    if letter not in letters(form.choices) or not letter:
        raise RefusedError(
            Text("“{found}” is not one of the letters offered.", "“{found}”不是可选的字母。").fill(found=quoted(source.text)),
            source.origin(0),
        )
    return Answer(form, (), (), word=letter, understood=same(letter))


def read_yes_no(source: Source, form: AnswerFormat) -> Answer:
    """Read yes or no, in either language.

    Raises:
        RefusedError: It is neither.
    """
    source = unwrap(source, names=":")
    said = source.text.strip(_ENDS).lower()
    if said in _YES:
        return Answer(form, (), (), word="yes", understood=Text("yes", "是"))
    if said in _NO:
        return Answer(form, (), (), word="no", understood=Text("no", "否"))
    raise RefusedError(
        Text("“{found}” is neither yes nor no.", "“{found}”既不是“是”，也不是“否”。").fill(found=quoted(source.text)),
        source.origin(0),
    )


def read_named_shape(source: Source, form: AnswerFormat) -> Answer:
    """Read a shape with names: ``[B, h, S_dec, S_enc]``, ``B×h×S_dec×S_enc``, ``[B, h, S, d_model/h]``.

    Raises:
        RefusedError: A name is not one of the format's symbols, nor another name for just one of them.
    """
    source = without_call(unwrap(source, names="=")).stripped()
    text = source.text
    if len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        source = source.cut(1, len(text) - 1).stripped()
        text = source.text
    if text.endswith(","):
        text = text[:-1].rstrip()
    names = _Names(source, form.symbols)
    pieces = names.pieces(text)
    names.look_over(pieces)
    axes = [names.axis(piece) for piece in pieces]
    shown = ", ".join(axes)
    return Answer(
        form, (), (len(axes),), word=",".join(axes), understood=same(f"[{shown}]"), notes=tuple(dict.fromkeys(names.notes))
    )


class _Names:
    """The names that a shape may be written with, and remarks on those that stood for others."""

    def __init__(self, source: Source, symbols: tuple[str, ...]) -> None:
        lower: dict[str, list[str]] = {}
        for symbol in symbols:
            lower.setdefault(symbol.lower(), []).append(symbol)
        self._known = {spelling: found[0] for spelling, found in lower.items() if len(found) == 1}
        self._known |= {symbol: symbol for symbol in symbols}
        self._source = source
        self._symbols = symbols
        self._together: dict[str, str] = {}
        self._small_n_is_unclear = False
        self.notes: list[Text] = []

    def look_over(self, pieces: list[str]) -> None:
        """Look at all names of a shape: what some of them stand for shows beside others only."""
        found = {part.strip("() ") for piece in pieces for part in _BETWEEN_NAMES.split(piece)[::2]}
        self._together = meant_beside(found, self._symbols)
        stand_for = {self._clear(name) for name in found if name != "n"}
        # [n, S, d] may mean a batch of n; [B, n, d] can't.
        self._small_n_is_unclear = "B" in self._symbols and "B" not in stand_for and self._clear("n") in stand_for - {None}

    def _clear(self, name: str) -> str | None:
        candidates = meant(name, self._symbols)
        known = self._known.get(name) or self._known.get(name.lower()) or self._together.get(name)
        return known or (candidates[0] if len(candidates) == 1 else None)

    def pieces(self, text: str) -> list[str]:
        """Cut a shape into its axes: at commas where there are any, else at signs of multiplication, blanks, or an x."""
        if "," in text or ";" in text:
            return [piece.strip() for piece in re.split("[,;]", text)]
        pieces = _NAMED_SEPARATOR.split(text)
        if len(pieces) == 1 and not self._is_known(pieces[0]):
            by_cross = re.split("[xX]", pieces[0])
            if len(by_cross) > 1 and all(self._is_known(piece) for piece in by_cross):
                return by_cross
        return pieces

    def _is_known(self, piece: str) -> bool:
        return piece in self._known or piece.lower() in self._known or bool(meant(piece, self._symbols))

    def axis(self, piece: str) -> str:
        """Read one axis: a name, or names with signs between them: ``h*d_k``, ``d_model/h``."""
        while len(piece) > 1 and piece[0] == "(" and piece[-1] == ")":
            piece = piece[1:-1].strip()
        parts = _BETWEEN_NAMES.split(piece)
        signs = ["/" if sign in "/÷" else "*" for sign in parts[1::2]]
        if len(signs) > _MOST_SIGNS:
            raise self._refused(Text("“{found}” is too long for one axis.", "“{found}”作为一维太长了。"), piece)
        names = [self._name(part.strip("() ") if len(parts) > 1 else part) for part in parts[::2]]
        return names[0] + "".join(sign + name for sign, name in zip(signs, names[1:], strict=True))

    def _name(self, piece: str) -> str:
        found = self._known.get(piece) or self._known.get(piece.lower())
        if found is not None:
            return found
        if not piece:
            raise self._refused(Text("A name is missing between two separators.", "两个分隔符之间缺少名称。"), piece)
        together = self._together.get(piece)
        candidates = (together,) if together else meant(piece, self._symbols)
        if piece == "n" and self._small_n_is_unclear:
            candidates = ("B", *candidates)
        if len(candidates) == 1:
            self.notes.append(read_as(quoted(piece), candidates[0]))
            return candidates[0]
        if candidates:
            either = Text(" or ".join(candidates), " 或 ".join(candidates))
            message = Text("“{found}” could be {either} here; write which.", "“{found}”在这里可以是 {either}，请写明是哪一个。")
            raise self._refused(message.fill(either=either), piece)
        raise self._refused(Text("“{found}” is not one of the names used here.", "这里没有名为“{found}”的量。"), piece)

    def _refused(self, message: Text, piece: str) -> RefusedError:
        at = self._source.origin(max(0, self._source.text.find(piece)))
        return RefusedError(message.fill(found=quoted(piece)), at)
