"""Along the residual stream: a gradient through layers that differ, and which positions a change reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Parameter, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like, subscript
from solvers.operations.base import (
    Edited,
    Mistake,
    Operation,
    dropped,
    everywhere,
    only_if,
    only_with,
    symbol,
    term,
    with_parameters,
)
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


class ResidualChain(Operation):
    """``residual_chain(f)``: the product of (1 + f_i), by which residual layers with the derivatives f [n] multiply a gradient.

    (``residual_gradient`` is for layers that are all alike.)

    Parameters: ``path`` is ``residual``, or ``plain`` for layers without a residual connection, the product of the f_i;
    ``form`` is ``product``; the mistakes are ``one-plus-product`` (1 + f_1 f_2 ...), ``sum`` (1 + f_1 + f_2 + ...) and ``one``.
    """

    name = "residual_chain"
    section = "7.19"
    title = Text("Multiply the gradient layer by layer", "逐层相乘，求梯度")
    reason = Text(
        "The chain rule multiplies the layers' derivatives. The derivative of $y = x + F(x)$ is $1 + f$, that of $y = F(x)$ alone is $f$.",
        "链式法则把各层的导数相乘。$y = x + F(x)$ 的导数是 $1 + f$，只有 $y = F(x)$ 时是 $f$。",
    )
    mistakes = (
        Mistake(
            "residual_chain.one-plus-product",
            Text(
                "You added 1 once, to the product of all $f_i$; every layer has a 1 of its own",
                "你先把各个 $f_i$ 相乘，最后只加了一个 1，而每一层都要各加一个 1",
            ),
            only_with("path", "residual", "residual", with_parameters(form="one-plus-product")),
        ),
        Mistake(
            "residual_chain.sum",
            Text(
                "You added up the $f_i$; the factors $1 + f_i$ are multiplied",
                "你把各个 $f_i$ 加了起来，应当把各个 $1 + f_i$ 相乘",
            ),
            only_with("path", "residual", "residual", with_parameters(form="sum")),
        ),
        Mistake(
            "residual_chain.one",
            Text(
                "You let the gradient pass unchanged; the branch $F$ changes it too",
                "你让梯度原样通过了，而 $F$ 这一支也会改变它",
            ),
            only_with("path", "residual", "residual", with_parameters(form="one")),
        ),
        Mistake(
            "residual_chain.no-residual",
            Text("You left out the residual path", "你漏掉了残差路径"),
            only_with("path", "residual", "residual", with_parameters(path="plain")),
        ),
        Mistake(
            "residual_chain.residual",
            Text("You counted a residual path where there is none", "这里没有残差路径，你却把它算进去了"),
            only_with("path", "plain", "residual", with_parameters(path="residual")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        f = symbol(line.arguments[0])
        factor = f"{f}_i" if line.parameter("path", "residual") == "plain" else f"(1 + {f}_i)"
        return rf"{symbol(line.node)} = \prod_i {factor}"

    def torch(self, f: Tensor, path: str = "residual", form: str = "product") -> Tensor:
        """Multiply the layers' factors."""
        if form == "one":
            return f.new_ones(())
        if form == "sum":
            return 1 + f.sum(-1)
        if form == "one-plus-product":
            return 1 + f.prod(-1)
        return (f if path == "plain" else 1 + f).prod(-1)

    def by_hand(self, hand: Hand, f: Array, path: str = "residual", form: str = "product") -> Array:
        """Write each layer's factor, then their product."""
        one = number_like(f[0], 1)
        say = Text("one factor per layer", "每层乘一次")
        if form == "one":
            return hand.taken(hand.label(), None, one, Text("unchanged", "不变"))
        if form == "sum":
            return hand.sum(hand.label(), None, (one, *f), say)
        if form == "one-plus-product":
            return hand.sum(hand.label(), None, (one, hand.product("", None, f, say)), say)
        factors = f
        if path == "residual":
            layer = Text("derivative of the layer with its residual", "该层（含残差）的导数")
            factors = [hand.sum(f"1 + f{subscript(i)}", None, (one, value), layer) for i, value in enumerate(f)]
        return hand.product(hand.label(), None, factors, say)


def _open(program: Program) -> bool:
    """Tell whether a layer of the program lets every position see every other."""
    return any(
        line.operation == "influence" and line.parameter("ahead", 0) == line.parameter("behind", "all") == "all"
        for line in program.calls
    )


def _looks_ahead(line: Call) -> bool:
    return line.parameter("ahead", 0) != 0


def _closed(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: one layer that looks ahead is taken for one with a causal mask."""
    if _looks_ahead(line):
        yield from with_parameters(ahead=0)(program, line, ask)


def _all_closed(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: no layer looks ahead; made once, whichever of these layers is looked at."""
    if line == next((one for one in program.calls if one.operation == line.operation and _looks_ahead(one)), None):
        yield from everywhere(_closed)(program, line, ask)


def _turned(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    behind, ahead = line.parameter("behind", "all"), line.parameter("ahead", 0)
    yield from with_parameters(behind=ahead, ahead=behind)(program, line, ask)


def _is_shut(program: Program, line: Call) -> bool:
    """Tell whether a layer's mask keeps something off: it doesn't look ahead, nor is all seen in another layer anyway."""
    return not _looks_ahead(line) and all(one.parameter("ahead", 0) != "all" for one in program.calls)


def _reaches_on(program: Program, line: Call) -> bool:
    """Tell whether one layer more carries a change further: the layer sees a part only, on some side."""
    several = sum(one.operation == "influence" for one in program.calls) > 1
    return several and any(
        isinstance(line.parameter(side, start), int) and line.parameter(side, start) != 0 for side, start in _SIDES
    )


_SIDES: tuple[tuple[str, Parameter], ...] = (("behind", "all"), ("ahead", 0))


class Influence(Operation):
    """``influence(c)``: which positions differ behind a self-attention layer with a residual, if those marked 1 in c [S] do.

    Position i sees itself, ``behind`` positions before it and ``ahead`` after it, each a number or ``all``; the default,
    ``all`` and 0, is a causal mask. An output differs if a position that it sees does. (Numbers that happen to cancel aside.)
    """

    name = "influence"
    section = "7.19"
    title = Text("See which positions the change reaches", "看改动传到了哪些位置")
    reason = Text(
        "A position's output can change only if a position that it sees has changed; $V(i)$ is what position $i$ sees. The residual connection adds each position's own vector to itself, so it carries nothing across positions.",
        "一个位置的输出会变，前提是它看得到的某个位置变了；$V(i)$ 是位置 $i$ 看得到的所有位置。残差只把每个位置自己的向量加回自己，不会跨位置传递任何东西。",
    )
    mistakes = (
        Mistake(
            "influence.residual-leaks",
            Text(
                "You let the change get to earlier positions past the mask; a residual connection stays within its own position",
                "你让改动绕过 mask 传到了前面的位置，而残差只在自己的位置上相加",
            ),
            only_if(_is_shut, with_parameters(ahead="all")),
        ),
        Mistake(
            "influence.masks-undo",
            Text(
                "You left out what looks ahead; masks in the other layers don't undo it",
                "你没有算上能往后看的层，而其他层的 mask 补救不了",
            ),
            _all_closed,
        ),
        Mistake(
            "influence.turned-round",
            Text(
                "You took the masks the wrong way round: a position sees earlier ones, so a change spreads to later ones",
                "你把 mask 的方向弄反了：每个位置看的是前面，所以改动是往后传的",
            ),
            only_if(lambda program, _: not _open(program), everywhere(_turned)),
        ),
        Mistake(
            "influence.own-only",
            Text(
                "You let only the changed position's own output change; every position that sees it changes too",
                "你只让被改动的位置自己变了，而看得到它的位置也都会变",
            ),
            everywhere(dropped()),
        ),
        Mistake(
            "influence.one-layer-less",
            Text(
                "You left a layer out; each layer carries the change further",
                "你少算了一层，而每过一层，改动就传得更远",
            ),
            only_if(_reaches_on, dropped()),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)}_i = \max_{{j \in V(i)}} {symbol(line.arguments[0])}_j"

    def torch(self, c: Tensor, behind: str | int = "all", ahead: str | int = 0) -> Tensor:
        """Multiply with the matrix of what is seen."""
        import torch

        require(c.dim() == 1, "one number a position", c=c)
        places = torch.arange(c.shape[0], device=c.device)
        offset = places - places[:, None]  # [S, S], j − i
        seen = torch.ones_like(offset, dtype=torch.bool)
        if ahead != "all":
            seen &= offset <= int(ahead)
        if behind != "all":
            seen &= -offset <= int(behind)
        return ((seen.to(c.dtype) @ c) > 0).to(c.dtype)  # [S]

    def by_hand(self, hand: Hand, c: Array, behind: str | int = "all", ahead: str | int = 0) -> Array:
        """Look at what each position sees."""
        size = len(c)
        reached = Text("sees a position that has changed", "看得到改动过的位置")
        untouched = Text("sees none that has changed", "看到的位置都没变")

        def position(i: int) -> Number:
            first = 0 if behind == "all" else max(0, i - int(behind))
            last = size if ahead == "all" else min(size, i + int(ahead) + 1)
            changed = any(value != 0 for value in c[first:last])
            return hand.taken(hand.label(i), None, number_like(c[0], int(changed)), reached if changed else untouched)

        return [position(i) for i in range(size)]


class HowMany(Operation):
    """``how_many(c)``: how many of the numbers, each 0 or 1, are 1.

    Parameters: ``which`` is ``ones``, or ``zeros`` for the mistake.
    """

    name = "how_many"
    section = "7.19"
    title = Text("Count the marked positions", "数出有标记的位置")
    reason = Text(
        "A position whose output changes is marked 1, all others 0.", "输出会变的位置标为 1，其余标为 0，数一数有几个 1。"
    )
    mistakes = (
        Mistake(
            "how_many.others",
            Text("You counted the outputs that stay as they are", "你数的是不变的那些"),
            with_parameters(which="zeros"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \sum_i {term(line.arguments[0])}"

    def torch(self, c: Tensor, which: str = "ones") -> Tensor:
        """Add up."""
        return c.sum(-1) if which == "ones" else (1 - c).sum(-1)

    def by_hand(self, hand: Hand, c: Array, which: str = "ones") -> Array:
        """Add up."""
        marked = sum(value != 0 for value in c)
        count = marked if which == "ones" else len(c) - marked
        return hand.taken(
            hand.label(), None, number_like(c[0], count), Text("how many positions are marked 1", "标为 1 的位置数")
        )


OPERATIONS = (ResidualChain(), Influence(), HowMany())
