"""Orders of growth: ``O(n²d)``, ``Θ(n·log n)``, read into a normal form in which equal orders are equal.

An order is a polynomial in its symbols and their logarithms. Constants vanish, and so does every term that another one
dominates whatever the symbols do: for each symbol, its power (and then its logarithm's) is at most the other's.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from question_bank.program import AnswerFormat
from question_bank.text import Text, same
from solvers.reading.folding import Source
from solvers.reading.growth import Growth
from solvers.reading.model import Answer, RefusedError, quoted
from solvers.reading.synonyms import LONGEST, meant, read_as
from solvers.reading.wrappers import unwrap
from solvers.symbolic import show_order

_TOKEN = re.compile(
    r"(?P<number>[0-9]++(?:\.[0-9]++)?+)|(?P<word>[^\W\d_]++(?:_[^\W_]++)*+)|(?P<blank>\s++)|(?P<sign>\*\*|[-+*×·/^()\[\]√])"
)
_DEEPEST = 20
_MOST_TOKENS = 120
_LOGARITHMS = ("log", "lg", "ln")
_BIG = ("O", "o", "Θ", "θ", "Theta", "theta")


class _Piece(NamedTuple):
    """A token: its sort (``number``, ``symbol``, ``log``, ``root``, ``big``, or a sign itself), its text, its place."""

    sort: str
    text: str
    at: int | None


def read_order(source: Source, form: AnswerFormat) -> Answer:
    """Read an order of growth.

    Raises:
        RefusedError: It is none, uses other symbols, or subtracts something that isn't of lower order.
    """
    source = unwrap(source, names="=")
    names = _Names(form.symbols)
    pieces = _cut(source, names)
    growth = _Parser(pieces, form.symbols).whole().leading()
    if growth is None:
        raise RefusedError(
            Text("The subtraction leaves no positive leading term.", "相减之后没有剩下正的最高阶项。"), source.origin(0)
        )
    word = growth.write(form.symbols)
    return Answer(form, (), (), word=word, understood=same(show_order(word)), notes=tuple(dict.fromkeys(names.notes)))


def _cut(source: Source, names: _Names) -> list[_Piece]:
    pieces: list[_Piece] = []
    position, tight = 0, False
    while position < len(source.text) and len(pieces) <= _MOST_TOKENS:
        match = _TOKEN.match(source.text, position)
        at = source.origin(position)
        if match is None:
            raise _unknown(source.text[position], at, names.symbols)
        found = match[0]
        if match["word"]:
            pieces.extend(names.cut(found[: _MOST_TOKENS + 1], at))
        elif match["number"]:
            if tight and pieces[-1].sort in ("symbol", "log", "number"):
                raise RefusedError(
                    Text(
                        "“{found}” is unclear; write {power} for a power.", "“{found}”不明确；如果是幂，请写成 {power}。"
                    ).fill(found=quoted(pieces[-1].text + found), power=quoted(f"{pieces[-1].text}^{found}")),
                    at,
                )
            if len(found) > 30:
                raise RefusedError(_too_long(), at)
            pieces.append(_Piece("number", found, at))
        elif match["sign"]:
            sign = {"**": "^", "·": "*", "×": "*", "[": "(", "]": ")"}.get(found, found)
            pieces.append(_Piece("root" if sign == "√" else sign, sign, at))
        tight = not match["blank"]
        position = match.end()
    if not pieces or len(pieces) > _MOST_TOKENS:
        raise RefusedError(_too_long() if pieces else _no_order())
    return pieces


class _Names:
    """The symbols and names that letters may stand for."""

    def __init__(self, symbols: tuple[str, ...]) -> None:
        distinct = len({symbol.lower() for symbol in symbols}) == len(symbols)
        self.symbols = symbols
        self.notes: list[Text] = []
        self._exact = {symbol: ("symbol", symbol) for symbol in symbols}
        self._lower = {symbol.lower(): ("symbol", symbol) for symbol in symbols} if distinct else {}
        self._names = {name: ("log", name) for name in _LOGARITHMS} | {"sqrt": ("root", "√")}
        self._longest = max(LONGEST, *map(len, symbols))

    def cut(self, found: str, at: int | None) -> list[_Piece]:
        """Cut letters that stand together into symbols and names: ``nlogn``, ``nd``, the longest name first.

        Raises:
            RefusedError: They are none.
        """
        if found in _BIG and found not in self._exact:
            return [_Piece("big", found, at)]
        pieces: list[_Piece] = []
        position = 0
        while position < len(found):
            length, meaning = self._longest_at(found, position)
            if meaning is not None:
                pieces.append(_Piece(*meaning, at))
                position += length
                continue
            base = found[position:]
            # log_2 n and log_k S: the base of a logarithm, a number or a symbol.
            if pieces and pieces[-1].sort == "log" and base[0] == "_" and (base[1:].isdigit() or base[1:] in self._exact):
                pieces[-1] = _Piece("log", base[1:], at)
                break
            raise _unknown(found, at, self.symbols)
        return pieces

    def _longest_at(self, found: str, position: int) -> tuple[int, tuple[str, str] | None]:
        for length in range(min(self._longest, len(found) - position), 0, -1):
            part = found[position : position + length]
            lower = part.lower()
            meaning = self._exact.get(part) or self._names.get(lower) or self._lower.get(lower)
            if meaning is not None:
                return length, meaning
            other = meant(part, self.symbols)
            if len(other) == 1:
                self.notes.append(read_as(quoted(part), other[0]))
                return length, ("symbol", other[0])
        return 0, None


def _no_order() -> Text:
    return Text("That is not an order of growth.", "这不是增长的量级。")


def _too_long() -> Text:
    return Text("That is too long for an order of growth.", "量级的表达式过长。")


def _unknown(found: str, at: int | None, symbols: tuple[str, ...]) -> RefusedError:
    if found in ("Ω", "ω", "Omega", "omega"):
        return RefusedError(Text("Ω is a lower bound; O or Θ is asked for.", "Ω 表示下界；这里要的是 O 或 Θ。"), at)
    return RefusedError(
        Text("“{found}” has no meaning here; use {symbols}.", "“{found}”在这里没有意义，请用{symbols}。").fill(
            found=quoted(found),
            symbols=Text(" and ".join(filter(None, (", ".join(symbols[:-1]), symbols[-1]))), " " + "、".join(symbols))
            if symbols
            else Text("numbers", "数字"),
        ),
        at,
        complete=True,
    )


class _Parser:
    """A grammar of sums, products, powers, roots and logarithms, over growth instead of numbers."""

    def __init__(self, pieces: list[_Piece], symbols: tuple[str, ...]) -> None:
        self._pieces = pieces
        self._symbols = symbols
        self._position = 0
        self._depth = 0
        self._bare_log = False

    @property
    def _next(self) -> str:
        return self._pieces[self._position].sort if self._position < len(self._pieces) else ""

    def _advance(self) -> _Piece:
        self._position += 1
        return self._pieces[self._position - 1]

    def whole(self) -> Growth:
        growth = self._sum()
        if self._next:
            raise self._unexpected()
        return growth

    def _unexpected(self) -> RefusedError:
        if not self._next:
            return RefusedError(Text("The order of growth is incomplete.", "量级的表达式不完整。"), self._pieces[-1].at)
        piece = self._pieces[self._position]
        return RefusedError(
            Text("“{found}” doesn't belong there.", "“{found}”不应出现在这里。").fill(found=quoted(piece.text)), piece.at
        )

    def _ambiguous(self) -> RefusedError:
        piece = self._pieces[self._position]
        return RefusedError(
            Text("From “{found}” on, there are two readings; add brackets.", "从“{found}”起有两种读法，请加上括号。").fill(
                found=quoted(piece.text)
            ),
            piece.at,
        )

    def _sum(self) -> Growth:
        growth = self._product()
        while self._next in ("+", "-"):
            sign = 1 if self._advance().sort == "+" else -1
            growth = growth.plus(self._product(), sign)
        return growth

    def _product(self) -> Growth:
        growth = self._power()
        divided = False
        while self._next and self._next not in ("+", "-", ")"):
            bare_log = self._bare_log
            if self._next == "*":
                self._advance()
                growth, divided = growth.times(self._power()), False
            elif self._next == "/":
                if bare_log:
                    raise self._ambiguous()
                self._advance()
                growth, divided = growth.over(self._power()), True
            elif self._next in ("number", "^"):
                raise self._unexpected()
            elif divided or (bare_log and self._next != "log"):
                raise self._ambiguous()
            else:
                growth = growth.times(self._power())
        return growth

    def _power(self) -> Growth:
        base = self._base()
        if self._next != "^":
            return base
        self._advance()
        return base.to_the(self._exponent())

    def _exponent(self) -> Fraction:
        """Read a constant exponent: 2, -1, (1/2), 0.5."""
        bracketed = self._next == "("
        if bracketed:
            self._advance()
        sign = -1 if self._next == "-" else 1
        if self._next in ("+", "-"):
            self._advance()
        value = sign * self._number()
        if bracketed:
            if self._next == "/":
                self._advance()
                below = self._number()
                if below == 0:
                    raise self._unexpected()
                value /= below
            if self._next != ")":
                raise self._unexpected()
            self._advance()
        return value

    def _number(self) -> Fraction:
        if self._next == "symbol":
            raise RefusedError(
                Text("An exponent must be a number here.", "指数在这里必须是数字。"), self._pieces[self._position].at
            )
        if self._next != "number":
            raise self._unexpected()
        return Fraction(self._advance().text)

    def _base(self) -> Growth:
        count = len(self._symbols)
        self._bare_log = False
        sort = self._next
        if sort not in ("number", "symbol", "log", "root", "big", "("):
            raise self._unexpected()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RefusedError(Text("The brackets are nested too deeply.", "括号嵌套过深。"), self._pieces[self._position].at)
        piece = self._advance()
        if sort == "number":
            growth = Growth.constant(Fraction(piece.text), count)
        elif sort == "symbol":
            growth = Growth.symbol(self._symbols.index(piece.text), count)
        elif sort == "root":
            growth = self._base().to_the(Fraction(1, 2))
        elif sort == "log":
            growth = self._logarithm(piece)
        else:
            if sort == "big":
                if self._next != "(":
                    raise self._unexpected()
                self._advance()
            growth = self._sum()
            if self._next != ")":
                raise self._unexpected()
            self._advance()
        self._depth -= 1
        return growth

    def _logarithm(self, piece: _Piece) -> Growth:
        """Read ``log n``, ``log(n d)``, ``log² n``, ``log_2 n``, ``log_k S``."""
        power = Fraction(1)
        if self._next == "^":
            self._advance()
            power = self._exponent()
        bracketed = self._next == "("
        growth = (self._base() if bracketed else self._power()).logarithm()
        if piece.text in self._symbols:
            base = Growth.symbol(self._symbols.index(piece.text), len(self._symbols))
            growth = growth.over(base.logarithm())
        self._bare_log = not bracketed
        return growth.to_the(power) if power != 1 else growth
