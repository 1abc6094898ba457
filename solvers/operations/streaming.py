"""Softmax over blocks of keys, merged on the way, and the derivative of the softmax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Edit, Edited, Mistake, Operation, only_if, only_with, symbol, with_parameters
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor

_PARTS = {"all": ("m", "l", "o"), "m": ("m",), "l": ("l",), "o": ("o",)}


def _beyond_m(_program: Program, line: Call) -> bool:
    return line.parameter("of", "all") != "m"


def _of_o(_program: Program, line: Call) -> bool:
    return line.parameter("of", "all") in ("all", "o")


def _same_maximum(program: Program, line: Call) -> bool:
    first, second = (program.values.get(line.arguments[at]) for at in (0, 3))
    return first is not None and first == second


class MergeBlocks(Operation):
    """``merge_blocks(m_1, l_1, o_1, m_2, l_2, o_2)``: one query's softmax over two blocks of keys, merged.

    Of each block, m is the largest score, l the sum of e^(score − m), and o [d_v] the output. With m = max(m_1, m_2) and
    a_i = e^(m_i − m): l = a_1·l_1 + a_2·l_2, and o = (a_1·l_1·o_1 + a_2·l_2·o_2) / l. (Milakov and Gimelshein 2018; Dao et
    al. 2022, algorithm 1.)

    Parameters: ``of`` is ``all`` ([m, l, o...] as one vector, [2 + d_v]), ``m``, ``l`` or ``o``. ``output`` is
    ``normalised`` (o is the block's weighted average, as above) or ``sum`` (o is the sum of e^(score − m)·v, not divided by
    l, as in FlashAttention-2: o = a_1·o_1 + a_2·o_2). ``form`` is ``merged``; the mistakes are ``not-rescaled`` (a_1 = a_2 =
    1), ``swapped`` (a_1 and a_2 change places), ``averaged`` (the mean of both l and of both o) and ``larger`` (the block
    with the larger m is taken as it is).
    """

    name = "merge_blocks"
    section = "7.15"
    title = Text("Merge two blocks of an online softmax", "合并 online softmax 的两个分块")
    reason = Text(
        "Each block was shifted by its own maximum. Before adding, both are brought to the common maximum: $e^{s - m} = e^{s - m_i} \\cdot e^{m_i - m}$. The result is that of the whole row.",
        "两个分块各自减去了自己的最大值；相加之前，要统一到共同的最大值：$e^{s - m} = e^{s - m_i} \\cdot e^{m_i - m}$。这样得到的，与对整行一起做 softmax 完全相同。",
    )
    mistakes = (
        Mistake(
            "merge_blocks.not-rescaled",
            Text(
                "You added the blocks without bringing them to the common maximum",
                "你没有先统一到共同的最大值，就把两个分块相加了",
            ),
            only_if(
                lambda program, line: _beyond_m(program, line) and not _same_maximum(program, line),
                with_parameters(form="not-rescaled"),
            ),
        ),
        Mistake(
            "merge_blocks.swapped",
            Text(
                "You scaled the wrong block: the one with the smaller maximum takes the factor below 1",
                "你缩小错了分块：小于 1 的系数应当乘在最大值较小的那个分块上",
            ),
            only_if(
                lambda program, line: _beyond_m(program, line) and not _same_maximum(program, line),
                with_parameters(form="swapped"),
            ),
        ),
        Mistake(
            "merge_blocks.averaged",
            Text("You averaged the two blocks", "你对两个分块取了平均"),
            only_if(_beyond_m, with_parameters(form="averaged")),
        ),
        Mistake(
            "merge_blocks.larger-only",
            Text("You kept only the block with the larger maximum", "你只保留了最大值较大的那个分块"),
            only_if(_beyond_m, with_parameters(form="larger")),
        ),
        Mistake(
            "merge_blocks.sums",
            Text(
                "You took the outputs for sums; they are averages, so each is weighted by its $l$",
                "你把输出当成了未归一化的和，而这里是平均，要先按各自的 $l$ 加权",
            ),
            only_if(_of_o, only_with("output", "normalised", "normalised", with_parameters(output="sum"))),
        ),
        Mistake(
            "merge_blocks.averages",
            Text(
                "You took the outputs for averages; they are sums not yet divided by $l$",
                "你把输出当成了归一化的平均，而这里是还没有除以 $l$ 的和",
            ),
            only_if(_of_o, only_with("output", "sum", "normalised", with_parameters(output="normalised"))),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        m_1, l_1, o_1, m_2, l_2, o_2 = map(symbol, line.arguments)
        first, second = f"e^{{{m_1} - m}}", f"e^{{{m_2} - m}}"
        largest = rf"\max({m_1}, {m_2})"
        total = f"{first} {l_1} + {second} {l_2}"
        if line.parameter("output", "normalised") == "normalised":
            output = rf"\frac{{{first} {l_1} {o_1} + {second} {l_2} {o_2}}}{{l}}"
        else:
            output = f"{first} {o_1} + {second} {o_2}"
        rest = rf", \quad m = {largest}"
        of = line.parameter("of", "all")
        if of == "all":
            return rf"m = {largest}, \quad l = {total}, \quad o = {output}"
        if of == "m":
            return f"{symbol(line.node)} = {largest}"
        if of == "l" or line.parameter("output", "normalised") == "sum":
            return f"{symbol(line.node)} = {total if of == 'l' else output}{rest}"
        return rf"{symbol(line.node)} = {output}{rest}, \quad l = {total}"

    def torch(
        self,
        m_1: Tensor,
        l_1: Tensor,
        o_1: Tensor,
        m_2: Tensor,
        l_2: Tensor,
        o_2: Tensor,
        of: str = "all",
        output: str = "normalised",
        form: str = "merged",
    ) -> Tensor:
        """Bring both blocks to the common maximum and add them."""
        import torch

        for number in (m_1, l_1, m_2, l_2):
            require(not number.shape, "one number per block", m_1=m_1, l_1=l_1, m_2=m_2, l_2=l_2)
        require(o_1.shape == o_2.shape and len(o_1.shape) == 1, "one output [d_v] per block", o_1=o_1, o_2=o_2)
        m = torch.maximum(m_1, m_2)
        if form == "averaged":
            total, o = (l_1 + l_2) / 2, (o_1 + o_2) / 2
        elif form == "larger":
            total, o = torch.where(m_1 >= m_2, l_1, l_2), torch.where(m_1 >= m_2, o_1, o_2)
        else:
            own = (m_2, m_1) if form == "swapped" else (m_1, m_2)
            a_1, a_2 = (torch.ones_like(m) if form == "not-rescaled" else torch.exp(each - m) for each in own)
            total = a_1 * l_1 + a_2 * l_2
            w_1, w_2 = (a_1 * l_1 / total, a_2 * l_2 / total) if output == "normalised" else (a_1, a_2)
            o = w_1 * o_1 + w_2 * o_2  # [d_v]
        one = o.new_ones(1)  # numbers with values go with outputs known by their shape
        return torch.cat((one * m, one * total, o)) if of == "all" else {"m": m, "l": total, "o": o}[of]

    def by_hand(
        self,
        hand: Hand,
        m_1: Number,
        l_1: Number,
        o_1: Array,
        m_2: Number,
        l_2: Number,
        o_2: Array,
        of: str = "all",
        output: str = "normalised",
        form: str = "merged",
    ) -> Array:
        """Write maximum, factors, sum and output."""
        wanted = _PARTS[of]

        def label(part: str, *index: int) -> str:
            if of == "all":
                return hand.label({"m": 0, "l": 1}.get(part, 2 + sum(index)))
            return hand.label(*index) if part == of else part

        if form in ("averaged", "larger"):
            return self._blockwise(m_1, l_1, o_1, m_2, l_2, o_2, of, form)
        m = hand.largest(label("m"), None, (m_1, m_2), Text("the larger maximum", "较大的那个最大值"))
        if wanted == ("m",):
            return m
        factors = []
        for i, own in enumerate((m_2, m_1) if form == "swapped" else (m_1, m_2)):
            if form != "not-rescaled":
                say = Text("block {n}: its maximum minus the common one", "分块 {n}：自己的最大值减去共同的最大值").fill(
                    n=i + 1
                )
                shift = hand.difference(f"m{'₁₂'[i]} − m", None, own, m, say)
                say = Text("factor for block {n}", "分块 {n} 的系数").fill(n=i + 1)
                factors.append(hand.exponential(f"a{'₁₂'[i]}", None, shift, say))
            else:
                factors.append(own * 0 + 1)
        weights = factors
        total = m
        if output == "normalised" or "l" in wanted:
            say = Text("sum of the exponentials, brought to the common maximum", "统一到共同最大值之后的指数之和")
            shares = [
                hand.product(f"a{'₁₂'[i]}·l{'₁₂'[i]}", None, pair, say)
                for i, pair in enumerate(zip(factors, (l_1, l_2), strict=True))
            ]
            total = hand.sum(label("l"), None, shares, Text("both blocks together", "两个分块相加"))
            if wanted == ("l",):
                return total
            weights = shares if output == "normalised" else factors
        found = []
        for j, pair in enumerate(zip(o_1, o_2, strict=True)):
            own = label("o", j)
            added = Text("outputs of both blocks, weighted", "两个分块的输出加权相加")
            if output == "normalised":
                top = hand.dot("", None, weights, pair, added)
                found.append(hand.quotient(own, None, top, total, Text("divided by the sum", "除以指数之和")))
            else:
                found.append(hand.dot(own, None, weights, pair, added))
        return [m, total, *found] if of == "all" else found

    def _blockwise(
        self, m_1: Number, l_1: Number, o_1: Array, m_2: Number, l_2: Number, o_2: Array, of: str, form: str
    ) -> Array:
        m = max(m_1, m_2)
        if form == "averaged":
            total, o = (l_1 + l_2) / 2, [(a + b) / 2 for a, b in zip(o_1, o_2, strict=True)]
        else:
            total, o = (l_1, list(o_1)) if m_1 >= m_2 else (l_2, list(o_2))
        return [m, total, *o] if of == "all" else {"m": m, "l": total, "o": o}[of]


def _where_asked(edit: Edit, *, diagonal: bool) -> Edit:
    """Edit: made only where it shows: for the whole matrix, or for an entry on the diagonal or beside it."""

    def edit_some(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if ask.node != line.node or len(ask.index) < 2 or (len(set(ask.index)) == 1) == diagonal:
            yield from edit(program, line, ask)

    return edit_some


class SoftmaxJacobian(Operation):
    """``softmax_jacobian(p)``: ∂p_i/∂z_j of p = softmax(z), diag(p) − p pᵀ, [n] to [n, n].

    Parameters: ``form`` is ``whole``; the mistakes are ``sign`` (+ p_i p_j off the diagonal), ``diagonal`` (p_i on the
    diagonal and 0 beside it: the sum taken for a constant), ``beside`` (−p_i p_j on the diagonal too) and ``on``
    (p_i (1 − p_j) beside it too).
    """

    name = "softmax_jacobian"
    section = "7.10"
    title = Text("Differentiate the softmax", "对 softmax 求导")
    reason = Text(
        "Raising $z_i$ raises $p_i$ in proportion to $p_i$ and enlarges the sum that all are divided by: hence $p_i (1 - p_i)$ on the diagonal and $-p_i p_j$ off it. Each row adds up to 0.",
        "$z_i$ 增大，分子 $e^{z_i}$ 按自身比例增大，作为分母的和也变大，所以对角线上是 $p_i (1 - p_i)$，其余是 $-p_i p_j$；每一行之和为 0。",
    )
    mistakes = (
        Mistake(
            "softmax_jacobian.sign",
            Text(
                "You got the sign wrong off the diagonal: raising one score lowers the other weights",
                "非对角线的符号错了：一个分数变大，其他权重就变小",
            ),
            _where_asked(with_parameters(form="sign"), diagonal=False),
        ),
        Mistake(
            "softmax_jacobian.constant-sum",
            Text("You took the sum in the denominator for a constant", "你把分母里的和当成了常数"),
            with_parameters(form="diagonal"),
        ),
        Mistake(
            "softmax_jacobian.beside-on",
            Text(
                "You used $-p_i p_j$ on the diagonal too; with $i = j$ it is $p_i (1 - p_i)$",
                "你在对角线上也用了 $-p_i p_j$；$i = j$ 时应当是 $p_i (1 - p_i)$",
            ),
            _where_asked(with_parameters(form="beside"), diagonal=True),
        ),
        Mistake(
            "softmax_jacobian.on-beside",
            Text(
                "You used the diagonal's $p_i (1 - p_j)$; with $i \\ne j$ it is $-p_i p_j$",
                "你用了对角线上的 $p_i (1 - p_j)$；$i \\ne j$ 时应当是 $-p_i p_j$",
            ),
            _where_asked(with_parameters(form="on"), diagonal=False),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        p = symbol(line.arguments[0])
        return rf"{symbol(line.node)} = \operatorname{{diag}}({p}) - {p} {p}^\top"

    def torch(self, p: Tensor, form: str = "whole") -> Tensor:
        """Compute diag(p) − p pᵀ."""
        require(len(p.shape) == 1, "one row of weights [n]", p=p)
        outer = p.outer(p)  # [n, n]
        if form in ("diagonal", "beside", "on"):
            return {"diagonal": p.diag(), "beside": -outer, "on": p.unsqueeze(1) - outer}[form]
        return (p - 2 * p * p).diag() + outer if form == "sign" else p.diag() - outer

    def by_hand(self, hand: Hand, p: Array, form: str = "whole") -> Array:
        """Write out p_i (1 − p_i) and −p_i p_j."""
        on = Text("on the diagonal: $p_i (1 - p_i) = p_i - p_i^2$", "对角线：$p_i (1 - p_i) = p_i - p_i^2$")
        off = Text("off the diagonal: $-p_i p_j$", "非对角线：$-p_i p_j$")
        rows = []
        for i, own in enumerate(p):
            if form in ("beside", "on"):
                rows.append([own * (number_like(own, int(form == "on")) - other) for other in p])
                continue
            row = []
            for j, other in enumerate(p):
                if i == j and form == "diagonal":
                    row.append(own)
                elif i == j:
                    row.append(hand.dot(hand.label(i, j), i, (own, -own), (number_like(own, 1), own), on))
                elif form == "diagonal":
                    row.append(number_like(own, 0))
                else:
                    row.append(hand.product(hand.label(i, j), i, (own if form == "sign" else -own, other), off))
            rows.append(row)
        return rows


OPERATIONS = (MergeBlocks(), SoftmaxJacobian())
