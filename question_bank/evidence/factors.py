"""The factors of formulas: numbers, names with their indices and powers, roots, exponentials, brackets."""

from __future__ import annotations

from abc import ABC, abstractmethod

from question_bank.evidence.lexing import Lex, Pieces
from question_bank.evidence.symbols import (
    ATOMS,
    HALVES,
    LENGTHS,
    MATRICES,
    MINUS_HALVES,
    NAMES,
    OWNERS,
    ROOTS,
    SIZES,
    SPLIT,
    SUBS,
    length_folded,
)

WIDEST = 14
"""Pieces within one pair of brackets of a formula."""
_DEEPEST = 4  # brackets within brackets

Read = tuple[str, int]
"""A folded formula, and the piece behind it."""


def _raised(base: str, value: str) -> str:
    if base == "10" and value.lstrip("-").isdigit():
        return f"1e{value}"
    return f"{'s' if base in LENGTHS and value in ('2', '3') else base}^{value}"


class Factors(Pieces, ABC):
    """Reads factors. What stands within brackets are products, which are read elsewhere."""

    depth = 0  # of brackets being read

    @abstractmethod
    def product(self, place: int) -> Read | None:
        """Read a product of factors, or a fraction, or one factor."""

    def factor(self, place: int) -> Read | None:
        """Read one factor: a root, an exponential, a bracket with a power, a number or a name with its indices and power."""
        text = self.text(place)
        if text in ("sqrt", "root", "square", "根", "math", "np", "torch"):
            return self.root(place)
        if text == "exp" and self.text(place + 1) == "(":
            inner = self.bracket(place + 1)
            return (f"e^{inner[0]}", inner[1]) if inner else None
        if text == "(":
            inner = self.bracket(place)
            if inner is None:
                return None
            whole = inner[0] if inner[0].lstrip("√").isalnum() else f"({inner[0]})"
            after = self.power(whole, inner[1], is_order=False)
            if after is not None:
                return after
            is_known = whole in ATOMS or len(whole) == 1
            is_divided = "/" in (self.text(place - 1), self.text(inner[1])) and whole[0] != "("
            return (whole, inner[1]) if self.depth or is_known or is_divided or self.text(place - 1) == "/" else None
        return self.powered(place, is_order=False)

    def powered(self, place: int, is_order: bool) -> Read | None:
        """Read a number or a name, with its power; ``is_order`` inside O( )."""
        base = self.base(place, is_order)
        if base is None:
            return None
        return self.power(*base, is_order) or base

    def power(self, base: str, at: int, is_order: bool) -> Read | None:
        """Return the base with what makes a power or a root of it; None where nothing does."""
        text = self.text(at)
        if text == "^":
            exponent = self.exponent(at + 1)
            if exponent is None:
                return None
            value, end = exponent
            if value in HALVES:
                return f"√{base}", end
            if value in MINUS_HALVES:
                return f"1/√{base}", end
            if base[0] == "w" and len(base) < 3 and value[0] in "qkvo" and len(value) < 3:
                return f"w{value[0]}", end
            if base in MATRICES:
                return base, end
            if value == "t":
                return f"{base}t", end
            return _raised(base, value), end
        if is_order:
            return None
        if raised := self.raised_in_words(at):
            return _raised(base, raised[0]), raised[1]
        following = self.text(at + 1)
        if base in ATOMS and text == "square" and following == "root":
            return f"√{base}", at + 2
        if base in ATOMS and text == "sqrt" and following not in ("(", "of") and not self.is_kind(at + 1, Lex.WORD):
            return f"√{base}", at + 1
        for words in ROOTS:
            if text == words[0] and (behind := self.behind(at, words)):
                return f"√{base}", behind
        return None

    def raised_in_words(self, at: int) -> Read | None:
        """Read "to the power n", "to the n-th power", 的 n 次方."""
        if self.text(at) == "的":
            exponent = self.exponent(at + 1)
            end = exponent and (self.behind(exponent[1], "次方") or self.behind(exponent[1], "次幂"))
            return (exponent[0], end) if exponent and end else None
        at += self.text(at) == "raised"
        if self.text(at) != "to" or self.text(at + 1) != "the":
            return None
        if self.text(at + 2) == "power":
            return self.exponent(at + 3 + (self.text(at + 3) == "of"))
        value, end = self.text(at + 2), at + 3
        if self.text(end) == "-":
            end += 1
        if self.text(end) == "th":
            end += 1
        elif value.endswith("th"):
            value = value.removesuffix("th")
        else:
            return None
        return (value, end + (self.text(end) == "power")) if 0 < len(value) < 3 else None

    def exponent(self, at: int) -> Read | None:
        """Read what stands behind ^."""
        if self.text(at) == "(":
            return self.bracket(at)
        sign = ""
        if self.text(at) == "-":
            sign, at = "-", at + 1
        if self.is_kind(at, Lex.NUMBER):
            if self.text(at + 1) == "/" and sign == "" and self.text(at + 2) == "2" and self.text(at) == "1":
                return "1/2", at + 3
            return sign + self.text(at), at + 1
        if sign and self.text(at) in ("inf", "infinity"):
            return "-inf", at + 1
        base = self.base(at, is_order=False)
        return (sign + base[0], base[1]) if base else None

    def base(self, place: int, is_order: bool) -> Read | None:
        """Read a number, or a name with its indices."""
        if self.is_kind(place, Lex.NUMBER):
            text, end = self.text(place), place + 1
            if (
                self.text(end) == "x"
                and self.is_glued(end)
                and not (self.is_glued(end + 1) and self.is_kind(end + 1, Lex.NUMBER))
            ):
                return f"{text}x", end + 1
            return text, end
        if not self.is_kind(place, Lex.WORD):
            return None
        name, end = self.text(place), place + 1
        if name == "d" and not self.is_glued(end) and self.text(end) in SUBS:
            name, end = f"d{self.text(end)}", end + 1
        elif name == "d" and self.text(end) == "-" and self.is_glued(end) and self.text(end + 1) in SUBS:
            name, end = f"d{self.text(end + 1)}", end + 2
        while self.text(end) == "_":
            index = self.index(end + 1)
            if index is None:
                break
            name, end = name + index[0], index[1]
        if name in ("a", "s") and (element := self.element(end)):
            name, end = name + element[0], element[1]
        if is_order:
            return length_folded(name), end
        return NAMES.get(name, SPLIT.get(name, name)), end

    def element(self, at: int) -> Read | None:
        """``[i, j]`` or ``[i][j]`` behind a matrix."""
        for signs in ("[#,#]", "[#][#]"):
            texts = [self.text(at + offset) for offset in range(len(signs))]
            if all(text in ("i", "j") if sign == "#" else text == sign for text, sign in zip(texts, signs, strict=True)):
                return "".join(text for text in texts if text.isalpha()), at + len(signs)
        return None

    def index(self, at: int) -> Read | None:
        """Read what stands behind _."""
        if self.is_kind(at, Lex.WORD) or self.is_kind(at, Lex.NUMBER):
            return self.text(at), at + 1
        if self.text(at) != "(":
            return None
        closing = self.closing(at, 2 * WIDEST)
        if closing is None or closing - at > 8:
            return None
        return "".join(self.text(inner) for inner in range(at + 1, closing) if self.text(inner) not in (",", "(", ")", "_")), (
            closing + 1
        )

    def bracket(self, opening: int) -> Read | None:
        """Read what stands within brackets, folded, if it is a formula."""
        closing = self.closing(opening, 2 * WIDEST)
        if closing is None or closing - opening > WIDEST or self.depth >= _DEEPEST:
            return None
        self.depth += 1
        try:
            parts: list[str] = []
            at = opening + 1
            while at < closing:
                if self.text(at) == "'":
                    at += 1
                    continue
                if self.text(at) in ("+", "-", "/", "*", "="):
                    parts.append(self.text(at))
                    at += 1
                    continue
                read = self.product(at)
                if read is None or read[1] > closing:
                    return None
                parts.append(read[0])
                at = read[1]
        finally:
            self.depth -= 1
        return ("".join(parts), closing + 1) if parts else None

    def root(self, place: int) -> Read | None:
        """Read a root sign or its words, with what stands under it; the bare sign where that is no formula."""
        at = place
        if self.text(at) in ("math", "np", "torch") and self.text(at + 1) == ".":
            at += 2
        text = self.text(at)
        if text == "square" and self.text(at + 1) in ("root", "roots"):
            at += 2
        elif text == "sqrt" or (text == "root" and at == place):
            at += 1
        elif behind := self.behind(at, "根号下") or self.behind(at, "根号里") or self.behind(at, "根号"):
            at = behind
            text = "sqrt"
        else:
            return None
        bare = at
        for word in ("of", "the", "each"):
            at += self.text(at) == word
        if self.text(at) == "-" and self.is_glued(at):
            at += 1
        under = self.under(at)
        if under is not None:
            return f"√{under[0]}", under[1]
        return None if text == "root" else ("√", bare)

    def under(self, at: int) -> Read | None:
        """Read what may stand under a root: a bracket, a number, a known name, or "the key dimension"."""
        if self.text(at) == "(":
            inner = self.bracket(at)
            if inner is not None:
                whole, end = inner
                if whole in SIZES or whole in ("headdim", "keydim"):
                    return None
                return (whole if whole.isalnum() else f"({whole})"), end
            named = self.named(at + 1)
            return (named[0], named[1] + 1) if named and self.text(named[1]) == ")" else None
        if named := self.named(at):
            return named
        base = self.base(at, is_order=False)
        if base and (base[0] in ATOMS or base[0][0].isdigit() or len(base[0]) == 1):
            return base
        return None

    def named(self, at: int) -> Read | None:
        """Read "key dimension", "model width" and the like."""
        owner = self.text(at)
        if owner in ("key", "query", "head") and self.text(at + 1) == "'":
            return None
        if owner in OWNERS:
            at += 1
            at += self.text(at) == "的"
            if self.text(at) in SIZES:
                return OWNERS[owner], at + 1
            if end := self.behind(at, "维度") or self.behind(at, "维数") or self.behind(at, "宽度"):
                return OWNERS[owner], end
        return None
