"""The feed-forward sub-layer's non-linearities: activations, and the gate of SwiGLU (Shazeer 2020)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, number_like
from solvers.operations.base import Edited, Mistake, Operation, dropped, symbol, where, with_parameters
from solvers.operations.scoring import each_cell
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor

CUBIC = Fraction(44715, 10**6)
"""The coefficient of x³ in the tanh form of GELU (Hendrycks and Gimpel 2016)."""


def _is(*kinds: str) -> Callable[[Program, Call], bool]:
    """Make a condition: the activation is one of these."""
    return lambda _, line: line.parameter("kind", "relu") in kinds


def _after_second(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the activation comes after the second matrix (and its bias), not before it."""
    users = program.consumers(line.node)
    if len(users) != 1 or users[0].operation != "project" or ask.node == line.node:
        return
    last = users[0]
    following = program.consumers(last.node)
    if len(following) == 1 and following[0].operation == "add":
        last = following[0]
    bare = f"{last.node} before the activation"
    calls: list[Call] = []
    for other in program.calls:
        if other.node == line.node:
            calls.append(Call(line.node, "same", line.arguments))
        elif other.node == last.node:
            calls += [replace(last, node=bare), replace(line, node=last.node, arguments=(bare,))]
        else:
            calls.append(other)
    yield Edited(replace(program, calls=tuple(calls), asks=(ask,)))


class Activation(Operation):
    """``activation(X)``: a function of each entry.

    Parameters: ``kind`` is ``relu`` (the default: max(0, x)), ``gelu`` (x · Φ(x), exact, by erf), ``gelu_tanh`` (its usual
    approximation by tanh), ``silu`` (x · σ(x), also called Swish), ``tanh`` or ``sigmoid``; for a mistake ``normal``, Φ(x)
    alone, ``absolute`` (|x|), ``negative`` (min(0, x)) or ``quick`` (x · σ(1.702 x)).
    """

    name = "activation"
    section = "7.21"
    title = Text("Apply the activation to each entry", "对每个分量应用激活函数")
    reason = Text(
        "The non-linearity is what makes a layer more than a product with a matrix: without it, two matrices in a row are one.",
        "有了非线性，一层才不只是乘一个矩阵；没有它，前后两个矩阵相乘仍是一个矩阵。",
    )
    aligned = (0,)
    mistakes = (
        Mistake("activation.left-out", Text("You left out the activation", "你漏掉了激活函数"), dropped()),
        Mistake(
            "activation.absolute",
            Text(
                "You took the absolute value; ReLU turns negative entries into 0",
                "你取了绝对值，而 ReLU 把负数变成 0",
            ),
            where(_is("relu"), with_parameters(kind="absolute")),
        ),
        Mistake(
            "activation.negative-part",
            Text(
                "You kept the negative entries; ReLU keeps the positive ones",
                "你保留的是负数，而 ReLU 保留的是正数",
            ),
            where(_is("relu"), with_parameters(kind="negative")),
        ),
        Mistake(
            "activation.relu",
            Text(
                "You used ReLU; a negative entry doesn't become 0 here",
                "你用的是 ReLU，而这里负数不会变成 0",
            ),
            where(_is("silu", "gelu", "gelu_tanh"), with_parameters(kind="relu")),
        ),
        Mistake(
            "activation.quick",
            Text(
                "You computed $x \\cdot \\sigma(1.702 x)$, a rough stand-in; GELU is $x \\cdot \\Phi(x)$",
                "你算的是粗略的近似 $x \\cdot \\sigma(1.702 x)$，而 GELU 是 $x \\cdot \\Phi(x)$",
            ),
            where(_is("gelu"), with_parameters(kind="quick")),
        ),
        Mistake(
            "activation.swapped",
            Text(
                "You computed GELU, with $\\Phi$; SiLU is $x \\cdot \\sigma(x)$",
                "你用 $\\Phi$ 算成了 GELU，而 SiLU 是 $x \\cdot \\sigma(x)$",
            ),
            where(_is("silu"), with_parameters(kind="gelu")),
        ),
        Mistake(
            "activation.sigmoid",
            Text(
                "You took $\\sigma(x)$ alone; SiLU is $x \\cdot \\sigma(x)$",
                "你只取了 $\\sigma(x)$，而 SiLU 是 $x \\cdot \\sigma(x)$",
            ),
            where(_is("silu"), with_parameters(kind="sigmoid")),
        ),
        Mistake(
            "activation.silu",
            Text(
                "You computed SiLU, with $\\sigma$; GELU is $x \\cdot \\Phi(x)$",
                "你用 $\\sigma$ 算成了 SiLU，而 GELU 是 $x \\cdot \\Phi(x)$",
            ),
            where(_is("gelu", "gelu_tanh"), with_parameters(kind="silu")),
        ),
        Mistake(
            "activation.normal",
            Text(
                "You took $\\Phi(x)$ alone; GELU is $x \\cdot \\Phi(x)$",
                "你只取了 $\\Phi(x)$，而 GELU 是 $x \\cdot \\Phi(x)$",
            ),
            where(_is("gelu", "gelu_tanh"), with_parameters(kind="normal")),
        ),
        Mistake(
            "activation.after-second",
            Text(
                "You applied the activation after the second matrix; it comes between the two",
                "你在乘第二个矩阵之后才用激活函数，应当放在两个矩阵之间",
            ),
            _after_second,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        x = symbol(line.arguments[0])
        right = {
            "relu": rf"\max(0, {x})",
            "gelu": rf"{x} \cdot \Phi({x})",
            "gelu_tanh": rf"\frac{{{x}}}{{2}} \left(1 + \tanh\left(\sqrt{{2/\pi}} ({x} + 0.044715 {x}^3)\right)\right)",
            "silu": rf"{x} \cdot \sigma({x})",
            "tanh": rf"\tanh({x})",
            "sigmoid": rf"\sigma({x})",
        }
        return rf"{symbol(line.node)} = {right[str(line.parameter('kind', 'relu'))]}"

    def torch(self, X: Tensor, kind: str = "relu") -> Tensor:
        """Apply torch's own function."""
        import torch
        from torch.nn import functional

        if X.is_meta:
            return X  # the shape stays; torch takes 0.3 ms to say so

        functions: dict[str, Callable[[Tensor], Tensor]] = {
            "relu": torch.relu,
            "gelu": functional.gelu,
            "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
            "silu": functional.silu,
            "tanh": torch.tanh,
            "sigmoid": torch.sigmoid,
            "normal": torch.special.ndtr,
            "absolute": torch.abs,
            "negative": lambda x: x.clamp(max=0),
            "quick": lambda x: x * torch.sigmoid(1.702 * x),
        }
        return functions[kind](X)

    def by_hand(self, hand: Hand, X: Array, kind: str = "relu") -> Array:
        """Work out entry by entry."""
        entry = _BY_HAND[kind]
        factor = hand.root("√(2/π)", None, 2 / hand.pi, _CONSTANT) if kind == "gelu_tanh" else None

        def cell(value: Number, *index: int) -> Number:
            return entry(hand, value, hand.label(*index), index[0] if len(index) > 1 else 0, hand.given("x", *index), factor)

        return each_cell(X, cell)


_CONSTANT = Text("a constant, for every entry", "常数，各分量通用")
_TIMES = Text("entry times that", "分量乘以它")


def _relu(hand: Hand, x: Number, label: str, row: int, *_: Any) -> Number:
    say = Text("negative: becomes 0", "负数，变成 0") if x < 0 else Text("not negative: stays", "非负，不变")
    return hand.taken(label, row, x * 0 if x < 0 else x, say)


def _absolute(hand: Hand, x: Number, label: str, row: int, *_: Any) -> Number:
    return hand.taken(label, row, abs(x), _TIMES)


def _negative(hand: Hand, x: Number, label: str, row: int, *_: Any) -> Number:
    return hand.taken(label, row, x if x < 0 else x * 0, _TIMES)


def _quick(hand: Hand, x: Number, label: str, row: int, name: str, *_: Any) -> Number:
    steeper = hand.product("", row, (number_like(x, Fraction(1702, 1000)), x), _TIMES)
    return hand.product(label, row, (x, _sigmoid(hand, steeper, "", row, name)), _TIMES)


def _sigmoid(hand: Hand, x: Number, label: str, row: int, name: str, *_: Any) -> Number:
    power = hand.exponential(f"e^(−{name})", row, -x, Text("exponential of minus the entry", "对分量的相反数取指数"))
    return hand.quotient(
        label, row, number_like(x, 1), 1 + power, Text("sigmoid: 1 over 1 plus that", "sigmoid：1 除以（1 + 它）")
    )


def _silu(hand: Hand, x: Number, label: str, row: int, name: str, *_: Any) -> Number:
    return hand.product(label, row, (x, _sigmoid(hand, x, f"σ({name})", row, name)), _TIMES)


def _tanh(hand: Hand, x: Number, label: str, row: int, *_: Any) -> Number:
    return hand.function(LineKind.TANH, label, row, x, Text("tanh of the entry", "对分量取 tanh"))


def _normal(hand: Hand, x: Number, label: str, row: int, *_: Any) -> Number:
    say = Text("share of the standard normal distribution below the entry", "标准正态分布中小于该分量的概率")
    return hand.function(LineKind.NORMAL, label, row, x, say)


def _gelu(hand: Hand, x: Number, label: str, row: int, name: str, *_: Any) -> Number:
    return hand.product(label, row, (x, _normal(hand, x, f"Φ({name})", row)), _TIMES)


def _gelu_tanh(hand: Hand, x: Number, label: str, row: int, name: str, factor: Number) -> Number:
    cube = hand.product(f"0.044715{name}³", row, (number_like(x, CUBIC), x, x, x), Text("the cubic term", "三次项"))
    inner = hand.sum(f"{name} + 0.044715{name}³", row, (x, cube), Text("entry plus that", "分量加上它"))
    scaled = hand.product(f"u{name[1:]}", row, (factor, inner), Text("times the constant", "乘常数"))
    waved = hand.function(LineKind.TANH, f"tanh(u{name[1:]})", row, scaled, Text("tanh of that", "对它取 tanh"))
    return hand.product(label, row, (x / 2, 1 + waved), Text("half the entry, times 1 plus that", "分量的一半，乘以（1 + 它）"))


_BY_HAND: dict[str, Callable[..., Number]] = {
    "relu": _relu,
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "silu": _silu,
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "normal": _normal,
    "absolute": _absolute,
    "negative": _negative,
    "quick": _quick,
}


def _other_branch(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the activation is applied to the branch that should stay linear."""
    gated = program.lines.get(line.arguments[0])
    if gated is None or gated.operation != "activation" or len(program.consumers(gated.node)) != 1 or ask.node == gated.node:
        return
    straight = line.arguments[1]
    calls: list[Call] = []
    for other in program.calls:
        if other.node == line.node:  # the other branch may be computed later than the gated one
            calls += [replace(gated, arguments=(straight,)), replace(line, arguments=(gated.node, *gated.arguments))]
        elif other.node != gated.node:
            calls.append(other)
    yield Edited(replace(program, calls=tuple(calls), asks=(ask,)))


class Gate(Operation):
    """``gate(A, B)``: A ⊙ B, entry by entry, of equal shapes. SwiGLU: A is the activated branch SiLU(X W), B the linear X V.

    Parameters: ``form`` is ``product``, or ``sum`` for the mistake.
    """

    name = "gate"
    section = "7.21"
    title = Text("Multiply by the gate, entry by entry", "与门控分支逐分量相乘")
    reason = Text(
        "One branch decides, entry by entry, how much of the other passes.",
        "一个分支逐分量决定另一个分支通过多少。",
    )
    aligned = (0, 1)
    mistakes = (
        Mistake(
            "gate.added",
            Text("You added the two branches; they are multiplied", "你把两个分支相加了，应当逐分量相乘"),
            with_parameters(form="sum"),
        ),
        Mistake(
            "gate.other-branch",
            Text("You applied the activation to the other branch", "你把激活函数用在了另一个分支上"),
            _other_branch,
        ),
        Mistake("gate.left-out", Text("You left out the second branch", "你漏乘了第二个分支"), dropped()),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = {symbol(line.arguments[0])} \odot {symbol(line.arguments[1])}"

    def torch(self, A: Tensor, B: Tensor, form: str = "product") -> Tensor:
        """Compute A ⊙ B."""
        require(A.shape == B.shape, "equal shapes", A=A, B=B)
        return A + B if form == "sum" else A * B  # [.., S, d_ff]

    def by_hand(self, hand: Hand, A: Array, B: Array, form: str = "product") -> Array:
        """Multiply cell by cell."""
        say = Text("product of the two entries", "两个分量之积")

        def cell(value: Number, *index: int) -> Number:
            other = B
            for place in index:
                other = other[place]
            row = index[0] if len(index) > 1 else 0
            if form == "sum":
                return hand.sum(hand.label(*index), row, (value, other), say)
            return hand.product(hand.label(*index), row, (value, other), say)

        return each_cell(A, cell)


OPERATIONS = (Activation(), Gate())
