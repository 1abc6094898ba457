"""Formulas: a small grammar over + - * / ^ √ exp ln e π, with bounds on everything; nothing is ever evaluated as code.

    sum      = [sign] product { ("+" | "-") [sign] product }
    product  = power { ("*" | "/") [sign] power | power }         an implied product: 2√3, 2(3), 2e^x
    power    = root [ "^" exponent ]                              to the right: 2^3^2 is 2^9
    exponent = [sign] root [ "^" exponent ]
    root     = ("√" | "ln" | "exp") root | atom

An implied product is read only where it has one meaning: not behind a division (1/2√3), a bare exponent (2^3(4)) or a bare
argument (√2π). Neither is a bare ``ln 2`` followed by ``/3`` or ``^3``.
"""

from __future__ import annotations

from fractions import Fraction

from question_bank.exact import Exact, Expression, NotANumberError, to_fraction
from question_bank.text import Text
from solvers.reading.arithmetic import FUNCTIONS, Arithmetic, Budget, joined, may_vanish, no_value
from solvers.reading.literals import literal, out_of_range, value_of
from solvers.reading.model import RefusedError, quoted
from solvers.reading.tokens import FRACTIONS, OPERAND_STARTS, SIGNS, Sort, Token

_DEEPEST = 25
_E = Expression("e")
_SWALLOWING = ("ln", "exp")  # whose bare argument might be thought to go on


def formula(tokens: list[Token], budget: Budget) -> Exact:
    """Read the tokens of one formula, at least one, as an exact number.

    Raises:
        RefusedError: They are no formula, or one without a finite real value of a reasonable size.
    """
    parser = _Parser(tokens, budget)
    value = parser.sum()
    if parser.next is not None:
        raise parser.unexpected()
    if isinstance(value, Expression):
        try:
            exact = to_fraction(value)
        except NotANumberError as fault:
            if "large" in str(fault) or "Overflow" in str(fault):
                raise out_of_range(joined(tokens), tokens[0].at, small=False) from fault
            raise no_value(tokens) from fault
        if exact == 0 and not may_vanish(value):
            raise out_of_range(joined(tokens), tokens[0].at, small=True)
    return value


class _Parser:
    def __init__(self, tokens: list[Token], budget: Budget) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0
        self._do = Arithmetic(tokens, budget)
        self._bare = ""  # what was read last ends in a bare exponent ("^") or in the bare argument of this function
        self.next: Token | None = tokens[0]

    def _advance(self) -> Token:
        token = self._tokens[self._position]
        self._position += 1
        self.next = self._tokens[self._position] if self._position < len(self._tokens) else None
        return token

    def unexpected(self) -> RefusedError:
        """Return the message on the next token."""
        token = self.next
        if token is None:
            return RefusedError(
                Text("The formula “{found}” is incomplete.", "算式“{found}”不完整。").fill(found=quoted(joined(self._tokens))),
                self._tokens[-1].at,
            )
        return RefusedError(
            Text("“{found}” (character {n}) doesn't belong there.", "第 {n} 个字符处的“{found}”不应出现在这里。").fill(
                found=quoted(token.text), n=token.at + 1
            ),
            token.at,
        )

    def _ambiguous(self, token: Token) -> RefusedError:
        return RefusedError(
            Text(
                "“{found}” can be read in two ways from “{there}” on; add brackets.",
                "“{found}”从“{there}”起有两种读法，请加上括号。",
            ).fill(found=quoted(joined(self._tokens)), there=quoted(token.text)),
            token.at,
        )

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RefusedError(Text("The formula is nested too deeply.", "算式嵌套过深。"), self._tokens[self._position - 1].at)

    def _sign(self) -> bool:
        """Read a sign where there is one; tell whether it is a minus."""
        if self.next is not None and self.next.sort in SIGNS:
            return self._advance().sort == Sort.MINUS
        return False

    def sum(self) -> Exact:
        """Read a sum."""
        negative = self._sign()
        value = self._product()
        if negative:
            value = self._do.negative(value)
        while self.next is not None and self.next.sort in SIGNS:
            operator = self._advance()
            negative = self._sign()
            right = self._product()
            value = self._do.combined(operator, value, self._do.negative(right) if negative else right)
        return value

    def _product(self) -> Exact:
        value = self._power()
        divided = False
        while self.next is not None:
            token = self.next
            if token.sort in (Sort.TIMES, Sort.OVER):
                if self._bare in _SWALLOWING:
                    raise self._ambiguous(token)  # ln 2/3
                self._advance()
                divided = token.sort == Sort.OVER
                negative = self._sign()
                right = self._power()
                value = self._do.combined(token, value, self._do.negative(right) if negative else right)
            elif token.sort in OPERAND_STARTS and token.sort not in (Sort.NUMBER, Sort.FRACTION):
                if divided or self._bare or self._is_recurring(token):
                    raise self._ambiguous(token)
                value = self._do.combined(token._replace(sort=Sort.TIMES), value, self._power())
            else:
                break
        return value

    def _is_recurring(self, token: Token) -> bool:
        """Tell whether a bracket behind a decimal may mean digits that recur, 0.1(6), and not a factor."""
        before = self._tokens[self._position - 1]
        return token.sort == Sort.OPENING and before.sort == Sort.NUMBER and "." in before.text

    def _power(self) -> Exact:
        base = self._root()
        if self.next is None or self.next.sort != Sort.POWER:
            return base
        if self._bare in _SWALLOWING:
            raise self._ambiguous(self.next)  # ln 2^3
        operator = self._advance()
        value = self._raised(operator, base, self._exponent())
        self._bare = "" if self._tokens[self._position - 1].sort == Sort.CLOSING else "^"
        return value

    def _exponent(self) -> Exact:
        self._deeper()
        negative = self._sign()
        value = self._root()
        if self.next is not None and self.next.sort == Sort.POWER:
            operator = self._advance()
            value = self._raised(operator, value, self._exponent())
        self._depth -= 1
        return self._do.negative(value) if negative else value

    def _raised(self, operator: Token, base: Exact, exponent: Exact) -> Exact:
        return self._do.applied("exp", exponent, operator) if base == _E else self._do.combined(operator, base, exponent)

    def _root(self) -> Exact:
        token = self.next
        if token is None or token.sort != Sort.FUNCTION:
            value = self._atom()
            self._bare = ""
            return value
        self._advance()
        self._deeper()
        bracketed = self.next is not None and self.next.sort == Sort.OPENING
        operand = self._root()
        if bracketed:
            self._bare = ""
        elif self._bare not in _SWALLOWING:
            self._bare = token.text
        self._depth -= 1
        return self._do.applied(FUNCTIONS[token.text], operand, token)

    def _atom(self) -> Exact:
        token = self.next
        if token is None or token.sort not in OPERAND_STARTS or token.text in "[{":
            raise self.unexpected()
        self._advance()
        if token.sort == Sort.NUMBER:
            value = value_of(literal(token))
            after = self.next
            if after is not None and after.sort == Sort.FRACTION and not after.blank and token.text.isdigit():
                self._advance()  # 1½ has one meaning
                value += Fraction(*FRACTIONS[after.text])
            return self._do.within(value, token)
        if token.sort == Sort.FRACTION:
            return Fraction(*FRACTIONS[token.text])
        if token.sort == Sort.CONSTANT:
            if token.text in ("inf", "nan"):
                raise RefusedError(
                    Text("“{found}” must stand alone, not in a formula.", "“{found}”只能单独写，不能放在算式里。").fill(
                        found=token.text
                    ),
                    token.at,
                )
            return self._do.constant(token)
        self._deeper()
        inner = self.sum()
        if self.next is None or self.next.sort != Sort.CLOSING:
            raise self.unexpected()
        self._advance()
        self._depth -= 1
        return inner
