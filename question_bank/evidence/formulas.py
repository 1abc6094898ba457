r"""Formulas among typed words: one token each, however they are typed.

    √dk     sqrt(dk), sqrt dk, \sqrt{d_k}, d_k^0.5, d_k**(1/2), square root of d_k, 根号下 d_k, d_k 的平方根, dk 开根号
    dk      d_k, d_{k}, dₖ, d k, d_head, head_dim; likewise dv, dmodel, dff, and any index: xi, kj, sij, sdec
    wq      W_Q, W^Q, W_{Q}, W_i^Q; likewise wk, wv, wo
    qkt     QK^T, QKᵀ, Q·Kᵀ, Q @ K.T, Q @ K.transpose(-2, -1), q k transpose, QK转置; likewise xxt
    -inf    −∞, -inf, float("-inf"), negative infinity, 负无穷
    o(s^2d) O(n²d), O(n^2 · d); the length letters n, l, t, s are s there, and in powers and products: n², N×N, S*S are s^2
    1/dk    1/d_k, 1 over dk, \frac{1}{d_k}, dk 分之一
    e^x     e^x, exp(x)
    h*dk    h·d_k, h × dk, h d_k with a sign between; a number in front is glued: 4d², 4·d^2 are 4d^2
    7e-4    7.0 × 10^{-4}, 7*10⁻⁴; 1e9 is 10^9
    (1+f)^n (1 + f)ⁿ, (1+f) to the power n, (1+f) 的 n 次方

A - is a sign by itself between one-letter names, or one and a number: t-1, 1 - p, (m - n). Elsewhere it is a hyphen or a dash.
The words "squared", "quadratic", 平方 stay words ("n squared" is ``s^2 squared``).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import or_

from question_bank.evidence.factors import WIDEST, Factors, Read
from question_bank.evidence.lexing import Lex, Lexeme
from question_bank.evidence.symbols import (
    ATOMS,
    LENGTHS,
    OPENERS,
    OPENING_CJK,
    TRANSPOSING,
    multiplied,
    ordered,
)

_BINDING = frozenset("-/*^_")
_NEVER_LESS = frozenset("qkvd")
_LITTLE = frozenset(("is", "of", "to", "in", "it", "we", "be", "as", "by", "or", "at", "an", "on", "if", "so", "no", "do"))
_REPEATING = frozenset(("by", "times", "x", "乘"))


class FormulaReader:
    """Reads formulas among the pieces of one text."""

    def __init__(self, pieces: Sequence[Lexeme]) -> None:
        """Get ready.

        Args:
            pieces: The pieces of the text.
        """
        self._reader = _Reader(pieces)

    def formula(self, place: int) -> Read | None:
        """Read a formula, if one starts here.

        Returns:
            Its token and the place behind it; None for what is better read as a word, a number or a sign by itself.
        """
        pieces = self._reader.pieces
        piece = pieces[place]
        if piece.kind is Lex.CJK:
            return self._reader.token(place) if piece.text in OPENING_CJK else None
        if piece.kind is Lex.WORD and (len(piece.text) > 2 or piece.text in _LITTLE) and piece.text not in OPENERS:
            following = place + 1
            if following == len(pieces) or pieces[following].kind is not Lex.SIGN:
                return None
        return self._reader.token(place)

    def is_minus(self, place: int) -> bool:
        """Tell whether a - is a minus: it stands between two letters, or a letter and a number, with blanks or without."""
        return self._reader.is_minus(place)

    def is_difference(self, opening: int) -> bool:
        """Tell whether nothing but a difference stands within a bracket, as in (1 - p)."""
        return self._reader.text(opening + 4) == ")" and self._reader.is_minus(opening + 2)


class _Reader(Factors):
    def token(self, place: int) -> Read | None:
        piece = self.pieces[place]
        if piece.is_stem:
            return None
        text = piece.text
        if piece.kind is Lex.CJK:
            if text == "负" and (end := self.behind(place, "负无穷")):
                return "-inf", end + (self.text(end) == "大")
            if text == "根":
                return self.root(place)
            return None
        if text in ("negative", "minus", "neg") and self.text(place + 1) in ("inf", "infinity", "infty"):
            return "-inf", place + 2
        if text == "-":
            return self.negative(place)
        if text in ("o", "theta") and self.text(place + 1) == "(":
            return self.order(place + 1)
        if text == "one" and self.text(place + 1) == "over" and (below := self.factor(place + 2)):
            return f"1/{below[0]}", below[1]
        read = self.product(place)
        if read is None:
            return None
        if read[1] == place + 1 and read[0] == text:
            return None
        return read

    def is_minus(self, place: int) -> bool:
        is_tight = self.is_glued(place)
        if self.text(place) != "-" or is_tight != self.is_glued(place + 1):
            return False
        before, after = self.text(place - 1), self.text(place + 1)
        is_number = self.is_kind(place - 1, Lex.NUMBER), self.is_kind(place + 1, Lex.NUMBER)
        is_letter = self.is_letter(place - 1), self.is_letter(place + 1)
        if not any(is_letter) or not all(map(or_, is_number, is_letter)):
            return False
        if self.is_glued(place - 1) and self.text(place - 2) in _BINDING:
            return False
        if self.text(place + 2) == "-" and self.is_glued(place + 2):
            return False
        if is_number[0] and (after in _NEVER_LESS or (after in ("a", "i") and not is_tight)):
            return False  # a size ("2-d"), or a list: "1 - q asks"
        return not (before in _NEVER_LESS and after in _NEVER_LESS)  # "q-k-v"

    def is_letter(self, place: int) -> bool:
        return self.is_kind(place, Lex.WORD) and len(self.text(place)) == 1

    def negative(self, place: int) -> Read | None:
        at = place + 1
        while self.text(at) in ("np", "torch", "math", "float", ".", "(", "'", '"') and at < place + 6:
            at += 1
        if self.text(at) in ("inf", "infinity", "infty"):
            while self.text(at + 1) in ("'", '"') or (self.text(at + 1) == ")" and at > place + 1 and self.text(at) != ")"):
                at += 1
                if self.text(at) == ")":
                    break
            return "-inf", at + 1
        before = place - 1
        binds = (
            self.is_glued(place)
            and before >= 0
            and (self.is_kind(before, Lex.WORD) or self.is_kind(before, Lex.NUMBER) or self.text(before) == ")")
        )
        if self.is_kind(place + 1, Lex.NUMBER) and self.is_glued(place + 1) and not binds:
            read = self.product(place + 1)
            if read:
                return f"-{read[0]}", read[1]
        return None

    def order(self, opening: int) -> Read | None:
        closing = self.closing(opening, 2 * WIDEST)
        if closing is None or closing == opening + 1 or closing - opening > WIDEST:
            return None
        factors: list[str] = []
        at = opening + 1
        while at < closing:
            text = self.text(at)
            if text in ("*", "(", ")"):
                at += 1
                continue
            if text == "/" or text == "+":
                factors.append(text)
                at += 1
                continue
            is_log = text in ("log", "log2", "logk") and at + 1 < closing
            if is_log and self.text(at + 1) == "_":
                at += 2  # the base doesn't matter
            read = self.powered(at + is_log, is_order=True)
            if read is None or read[1] > closing:
                return None
            factors.append(f"log{read[0]}" if is_log else read[0])
            at = read[1]
        return f"o({ordered(factors)})", closing + 1

    def product(self, place: int) -> Read | None:
        """A product of factors, or a fraction, or one factor."""
        if (special := self.transposed_product(place)) is not None:
            return special
        first = self.factor(place)
        if first is None:
            return None
        factors, at = [first[0]], first[1]
        while True:
            following = self.connector(at, factors[-1])
            if following is None:
                break
            factor = self.factor(following)
            if factor is None:
                break
            factors.append(factor[0])
            at = factor[1]
        whole = multiplied(factors)
        if self.text(at) == "/" and (below := self.factor(at + 1)) and self.is_fraction(whole, below[0]):
            return f"{whole}/{below[0]}", below[1]
        if whole == "1" and self.text(at) == "over" and (below := self.factor(at + 1)):
            return f"1/{below[0]}", below[1]
        if len(factors) == 1 and (end := self.behind(at, "分之一") or self.behind(at, "分之1")):
            return f"1/{whole}", end
        if (
            len(factors) == 1
            and whole in LENGTHS | {"d"}
            and (self.text(at) == "squared" or self.behind(at, "平方") or self.behind(at, "的平方"))
        ):
            return f"{'s' if whole in LENGTHS else whole}^2", at
        if len(factors) == 1 and self.text(at) in _REPEATING and (end := self.repeated(at, whole)):
            return multiplied([whole, whole]), end
        return whole, at

    def repeated(self, at: int, whole: str) -> int | None:
        """``n by n``, ``n 乘 n``."""
        for words in (("by",), ("times",), ("x",), ("乘",), ("乘", "以")):
            if all(self.text(at + offset) == word for offset, word in enumerate(words)):
                second = self.factor(at + len(words))
                if second and second[0] == whole and (len(whole) == 1 or whole in ATOMS or whole[0].isdigit()):
                    return second[1]
        return None

    def is_fraction(self, above: str, below: str) -> bool:
        if self.depth or above[0].isdigit():
            return True
        if above in ("dmodel", "d") and (below == "h" or below[0].isdigit() or below in ("nheads", "numheads", "nhead")):
            return True
        return above in ("dy", "df", "dl") and below.startswith("d")

    def connector(self, at: int, before: str) -> int | None:
        """The place of the next factor, if one follows."""
        text = self.text(at)
        if text == "*" or (text == "@" and self.is_kind(at + 1, Lex.WORD)):
            return at + 1
        if text == "." and before[0] == "q" and self.text(at + 1) in ("k", "kj", "ki"):
            return at + 1
        if text in ("x", "dot") and self.is_sized(before, at + 1, text):
            return at + 1
        if self.is_glued(at) and self.is_kind(at, Lex.WORD) and (before[-1].isdigit() and before != text):
            return at if self.text(at + 1) != "-" or len(text) == 1 else None
        if before.endswith("t") and len(before) > 2 and before[0] == "q" and text in ("k", "kj", "ki"):
            return at
        return None

    def is_sized(self, before: str, at: int, sign: str) -> bool:
        """Whether an x, or "dot", between two things is a product sign."""
        if sign == "x" and self.text(at - 3) == self.text(at + 1) == "_":
            return True
        if self.is_kind(at, Lex.NUMBER):
            return sign == "x" and before[0].isdigit()
        following = self.factor(at)
        if following is None:
            return False
        if sign == "dot":
            return before[0] in "qk" and following[0][0] in "qk" and len(before) <= 2 and len(following[0]) <= 3
        sizes = ("d", "s", "n", "l", "t", "h", "b")
        return before[0] in sizes and following[0][0] in sizes and (len(before) < 3 or before in ATOMS or before[0] in "sd")

    def transposed_product(self, place: int) -> Read | None:
        """QKᵀ and XXᵀ in all their spellings."""
        first = self.text(place)
        if first in ("qk", "xx"):
            end = self.transposing(place + 1)
            return (f"{first}t", end) if end else None
        if first in ("qkt", "xxt"):
            return first, place + 1
        if first not in ("q", "x"):
            return None
        at = place + 1
        for words in (("*",), ("@",), ("times",), ("dot",), ("x",), ("点", "乘"), ("乘", "以"), ("乘",), ("和",), ("and",)):
            if all(self.text(at + offset) == word for offset, word in enumerate(words)) and not (first == "x" == words[0]):
                at += len(words)
                break
        second = self.text(at)
        if second in ("kt", "xt") and second[0] == ("k" if first == "q" else "x") and at > place + 1:
            return f"{first}{second}", at + 1
        if second != ("k" if first == "q" else "x"):
            return None
        end = self.transposing(at + 1)
        return (f"{first}{second}t", end) if end else None

    def transposing(self, at: int) -> int | None:
        """The place behind a mark of transposition."""
        text = self.text(at)
        if text == "^":
            if self.text(at + 1) == "t":
                return at + 2
            if self.text(at + 1) == "(" and self.text(at + 2) == "t" and self.text(at + 3) == ")":
                return at + 4
        if text == "." and self.text(at + 1) in ("t", "mt"):
            return at + 2
        if text == "." and self.text(at + 1) == "transpose":
            closing = self.closing(at + 2, 2 * WIDEST) if self.text(at + 2) == "(" else None
            return closing + 1 if closing else at + 2
        if text in TRANSPOSING or (text == "t" and not self.is_glued(at)):
            return at + 1
        if text == "'" and self.is_glued(at):
            return at + 1
        return self.behind(at, "的转置") or self.behind(at, "转置")
