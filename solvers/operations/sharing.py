"""What heads share: the width of the model, and with grouped queries the keys and values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import (
    Edited,
    Mistake,
    Operation,
    only_if,
    only_with,
    other_of,
    rewired,
    symbol,
    with_parameters,
)
from solvers.operations.counting import require_shared

if TYPE_CHECKING:
    from torch import Tensor


def _all_heads(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the query heads are taken for the KV heads."""
    heads, of = program.values.get("h"), line.parameter("of", "d_k")
    place = {"d_model": 0, "d_k": 1}.get(str(of))
    if place is not None and heads not in (None, program.values.get(line.arguments[place])):
        yield from rewired(place, "h")(program, line, ask)


def _few_heads(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the KV heads are taken for the query heads."""
    if line.arguments[0] == "h" and program.values.get("h_kv") != program.values.get("h"):
        yield from rewired(0, "h_kv")(program, line, ask)


class HeadDimension(Operation):
    """``head_dimension(d_model, h)``: d_model / h, the width of a head; from two of the three, the third.

    Parameters: ``of`` is ``d_k`` (arguments d_model, h), ``h`` (d_model, d_k) or ``d_model`` (h, d_k; with KV heads, the width
    of all keys of a token). ``form`` is ``shared``; the mistakes are ``undivided`` (every head has d_model), ``one-head`` (the
    width of one for that of all), ``multiplied`` and ``fused`` (three times as much).
    """

    name = "head_dimension"
    section = "7.14"
    title = Text("Work out the width of the heads", "计算 head 的宽度")
    reason = Text(
        "Side by side, heads are as wide as their number times the width of one. Where they share the model's width, $d_{\\text{model}} = h \\cdot d_k$, so more heads are narrower ones.",
        "各个 head 并排放置，总宽度等于 head 数乘每个 head 的宽度。平分模型宽度时，$d_{\\text{model}} = h \\cdot d_k$，head 越多，每个就越窄。",
    )
    mistakes = (
        Mistake(
            "head_dimension.undivided",
            Text(
                "You gave every head the whole $d_{\\text{model}}$; each has $d_{\\text{model}} / h$",
                "你让每个 head 都占了整个 $d_{\\text{model}}$，每个只有 $d_{\\text{model}} / h$",
            ),
            only_with("of", "d_k", "d_k", with_parameters(form="undivided")),
        ),
        Mistake(
            "head_dimension.query-heads",
            Text(
                "You took the query heads; keys and values have fewer heads",
                "你用的是 query head 数，key 和 value 的 head 更少",
            ),
            _all_heads,
        ),
        Mistake(
            "head_dimension.kv-heads",
            Text(
                "You took the KV heads; it is the query heads that share out the width of the model",
                "你用的是 KV head 数，而平分模型宽度的是 query head",
            ),
            _few_heads,
        ),
        Mistake(
            "head_dimension.one-head",
            Text(
                "You gave the width of one head; the width of all of them together is asked for",
                "你给的是一个 head 的宽度，问的是所有 head 合起来的宽度",
            ),
            only_with("of", "d_model", "d_k", with_parameters(form="one-head")),
        ),
        Mistake(
            "head_dimension.multiplied",
            Text("You multiplied; the width is shared out, so divide", "你做了乘法，而宽度是平分的，应当做除法"),
            only_if(lambda _program, line: line.parameter("of", "d_k") != "d_model", with_parameters(form="multiplied")),
        ),
        Mistake(
            "head_dimension.fused",
            Text(
                "You counted $Q$, $K$ and $V$ together: that is three times as much",
                "你把 $Q$、$K$、$V$ 加在一起算了，结果成了三倍",
            ),
            with_parameters(form="fused"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        first, second = map(symbol, line.arguments)
        product = line.parameter("of", "d_k") == "d_model"
        return rf"{symbol(line.node)} = " + (rf"{first} \cdot {second}" if product else rf"\frac{{{first}}}{{{second}}}")

    def torch(self, whole: Tensor, part: Tensor, of: str = "d_k", form: str = "shared") -> Tensor:
        """Divide, or multiply."""
        if form == "one-head":
            return part * 1
        times = 3 if form == "fused" else 1
        if of == "d_model" or form == "multiplied":
            return whole * part * times
        require_shared(whole, part)
        return whole * 1 if form == "undivided" else whole / part * times

    def by_hand(self, hand: Hand, whole: Number, part: Number, of: str = "d_k", form: str = "shared") -> Array:
        """Divide, or multiply."""
        if form == "undivided":
            return hand.taken(hand.label(), None, whole, Text("the whole width", "整个宽度"))
        if form == "one-head":
            return part
        if form == "fused":
            return 3 * (whole * part if of == "d_model" else whole / part)
        if of == "d_model" or form == "multiplied":
            return hand.product(hand.label(), None, (whole, part), Text("heads × head width", "head 数 × head 宽度"))
        say = {
            "d_k": Text("width of all heads divided by their number", "所有 head 的总宽度除以 head 数"),
            "h": Text("model width divided by head width", "模型宽度除以 head 宽度"),
        }
        return hand.quotient(hand.label(), None, whole, part, say[of])


def _shared(program: Program, line: Call) -> bool:
    heads, kv_heads = (program.values.get(name) for name in line.arguments)
    return heads is None or heads != kv_heads


def _half(program: Program, line: Call) -> bool:
    heads, kv_heads = (program.values.get(name) for name in line.arguments)
    return line.parameter("of", "cache") == "cache" and isinstance(kv_heads, int) and heads == 2 * kv_heads


class GQARatio(Operation):
    """``gqa_ratio(h, h_kv)``: what grouped-query attention needs, as a share of multi-head attention with the same h.

    Parameters: ``of`` is ``cache`` (h_kv / h) or ``parameters`` (of all four projections: W_Q and W_O stay, W_K and W_V
    shrink: (h + h_kv) / 2h; no biases). ``form`` is ``share``; the mistakes are ``inverse`` and ``saved`` (1 less the share).
    """

    name = "gqa_ratio"
    section = "7.15"
    title = Text("Compare grouped-query with multi-head attention", "比较 GQA 与 MHA")
    reason = Text(
        "The cache holds KV heads alone and shrinks with them. Of the four projections only $W_K$ and $W_V$ shrink; $W_Q$ and $W_O$ serve all query heads.",
        "cache 里只有 KV head，会随之等比缩小；四个投影里只有 $W_K$ 和 $W_V$ 变小，$W_Q$ 和 $W_O$ 仍要服务所有 query head。",
    )
    mistakes = (
        Mistake(
            "gqa_ratio.inverse",
            Text("You gave the inverse: multi-head over grouped-query", "你把比例写倒了：写成了 MHA 比 GQA"),
            only_if(_shared, with_parameters(form="inverse")),
        ),
        Mistake(
            "gqa_ratio.saved",
            Text("You gave what is saved, not what is left", "你给的是省下的比例，问的是剩下的比例"),
            only_if(lambda program, line: _shared(program, line) and not _half(program, line), with_parameters(form="saved")),
        ),
        Mistake(
            "gqa_ratio.cache",
            Text(
                "You gave the share of the cache; of the parameters, those of $W_Q$ and $W_O$ don't shrink",
                "你给的是 cache 的比例，而参数里 $W_Q$ 和 $W_O$ 不会变小",
            ),
            only_if(_shared, only_with("of", "parameters", "cache", other_of("of", "cache", "parameters"))),
        ),
        Mistake(
            "gqa_ratio.parameters",
            Text(
                "You gave the share of the parameters; the cache holds keys and values alone",
                "你给的是参数的比例，而 cache 里只有 key 和 value",
            ),
            only_if(_shared, only_with("of", "cache", "cache", other_of("of", "cache", "parameters"))),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        h, kv = map(symbol, line.arguments)
        share = rf"\frac{{{h} + {kv}}}{{2 {h}}}" if line.parameter("of", "cache") == "parameters" else rf"\frac{{{kv}}}{{{h}}}"
        return f"{symbol(line.node)} = {share}"

    def torch(self, h: Tensor, h_kv: Tensor, of: str = "cache", form: str = "share") -> Tensor:
        """Divide heads by heads."""
        share = h_kv / h if of == "cache" else (h + h_kv) / (2 * h)
        if form == "saved":
            return 1 - share
        return share if form == "share" else 1 / share

    def by_hand(self, hand: Hand, h: Number, h_kv: Number, of: str = "cache", form: str = "share") -> Array:
        """Write out what each has, then the quotient."""
        top, bottom = h_kv, h
        say = Text("KV heads over query heads", "KV head 数除以 query head 数")
        if of == "parameters":
            top = hand.sum(
                "h + h_kv",
                None,
                (h, h_kv),
                Text(
                    "$W_Q$ and $W_O$ by $h$, $W_K$ and $W_V$ by $h_{\\text{kv}}$; half of it",
                    "$W_Q$、$W_O$ 按 $h$ 计，$W_K$、$W_V$ 按 $h_{\\text{kv}}$ 计，各取一半",
                ),
            )
            bottom = hand.product(
                "2 · h", None, (number_like(h, 2), h), Text("all four by $h$, likewise", "四个都按 $h$ 计，同样取一半")
            )
            say = Text("grouped-query over multi-head", "GQA 除以 MHA")
        if form == "saved":
            return 1 - top / bottom
        return hand.quotient(hand.label(), None, *((top, bottom) if form == "share" else (bottom, top)), say)


OPERATIONS = (HeadDimension(), GQARatio())
