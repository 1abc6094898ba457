"""How far apart positions are: steps between two of them, and layers until one sees many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Edited, Mistake, Operation, only_with, symbol, with_parameters
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor


def _one_off(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    for more in (1, -1):
        yield from with_parameters(off_by=more)(program, line, ask)


def _require_kernel(k: Tensor | None) -> None:
    if k is None or (not k.is_meta and not bool(k >= 2)):
        raise ShapeError("a kernel of 2 positions or more is needed")


_NOT_WHOLE = Text("layers, not yet whole", "层数，尚未取整")


def _whole(hand: Hand, label: str, top: Number, bottom: Number, say: Text) -> Number:
    """Divide and round up; what is rounded up is the quotient itself, for 6.33 rounded to 6 would be a layer short."""
    hand.quotient(label, None, top, bottom, say)
    return hand.ceiling(hand.label(), None, top / bottom, Text("rounded up to whole layers", "向上取整，得到层数"))


class PathSteps(Operation):
    """``path_steps(D)`` or ``path_steps(D, k)``: steps or layers that a signal takes between positions that are D apart.

    Parameters: ``kind`` is ``rnn`` (D steps), ``attention`` (1), ``cnn`` (stacked kernels of k, stride 1: ⌈D / (k − 1)⌉) or
    ``dilated`` (dilations 1, k, k², ...: the least L with k^L > D; van den Oord et al. 2016). ``window`` is ``causal`` (a
    layer reaches k − 1 back) or ``centred`` (k odd, half as far to either side: D counts twice). ``off_by`` is 0, or 1 or −1
    for the mistake; ``reach`` is ``k-1``, or ``k`` for the mistake.
    """

    name = "path_steps"
    section = "7.1"
    title = Text("Count the steps between two positions", "数两个位置之间的步数")
    reason = Text(
        "An RNN passes a signal on by one position per step; a convolution reaches as far as its kernel in each layer; attention joins any two positions directly.",
        "RNN 每一步把信号传给下一个位置；卷积每一层只能传到卷积核够得着的地方；注意力把任意两个位置直接连起来。",
    )
    mistakes = (
        Mistake("path_steps.one-off", Text("You counted one too many or one too few", "你多算或少算了 1"), _one_off),
        Mistake(
            "path_steps.dilated",
            Text(
                "You assumed dilated convolutions; these are stacked without dilation",
                "你按空洞卷积算了，这里只是普通卷积层层堆叠",
            ),
            only_with("kind", "cnn", "rnn", with_parameters(kind="dilated")),
        ),
        Mistake(
            "path_steps.not-dilated",
            Text(
                "You left out the dilation, with which the reach grows by a factor of $k$",
                "你没有考虑空洞：每多一层，感受野扩大到 $k$ 倍",
            ),
            only_with("kind", "dilated", "rnn", with_parameters(kind="cnn")),
        ),
        Mistake(
            "path_steps.whole-kernel",
            Text(
                "You divided by $k$; a layer reaches $k - 1$ positions further",
                "你除以了 $k$，而每一层只能多看到 $k - 1$ 个位置",
            ),
            only_with("kind", "cnn", "rnn", with_parameters(reach="k")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        D, *kernel = map(symbol, line.arguments)
        k = kernel[0] if kernel else "k"
        far = f"2 {D}" if line.parameter("window", "causal") == "centred" else D
        written = {
            "rnn": D,
            "attention": "1",
            "cnn": rf"\left\lceil \frac{{{far}}}{{{k} - 1}} \right\rceil",
            "dilated": rf"\lceil \log_{{{k}}}({far} + 1) \rceil",
        }
        return f"{symbol(line.node)} = {written[str(line.parameter('kind', 'rnn'))]}"

    def torch(
        self,
        D: Tensor,
        k: Tensor | None = None,
        kind: str = "rnn",
        window: str = "causal",
        off_by: int = 0,
        reach: str = "k-1",
    ) -> Tensor:
        """Count the steps."""
        import torch

        if kind == "rnn":
            return D + off_by
        if kind == "attention":
            return D.new_ones(()) + off_by
        _require_kernel(k)
        assert k is not None
        far = 2 * D if window == "centred" else D
        if kind == "cnn":
            return (far / (k if reach == "k" else k - 1)).ceil() + off_by
        # The logarithm of a power may come out a little below it; whether the power reaches is decided in whole numbers.
        near = (torch.log(far + 1) / torch.log(k) + 1e-9).floor()
        return torch.where((k**near).round() > far, near, near + 1) + off_by

    def by_hand(
        self,
        hand: Hand,
        D: Number,
        k: Number | None = None,
        kind: str = "rnn",
        window: str = "causal",
        off_by: int = 0,
        reach: str = "k-1",
    ) -> Array:
        """Write the count out."""
        if kind == "rnn":
            return hand.taken(hand.label(), None, D, Text("one step per position", "每个位置一步")) + off_by
        if kind == "attention":
            return hand.taken(hand.label(), None, number_like(D, 1), Text("directly", "直接相连")) + off_by
        one = number_like(D, 1)
        assert k is not None
        far = "2D" if window == "centred" else "D"
        if window == "centred":
            halves = Text(
                "a centred kernel reaches half as far, so the distance counts twice",
                "居中的卷积核朝一个方向只够到一半，距离按两倍算",
            )
            D = hand.product("2 · D", None, (one + one, D), halves)
        if kind == "cnn":
            step = Text("how far each layer reaches", "每一层推进多远")
            further = k if reach == "k" else hand.difference("k − 1", None, k, one, step)
            whole = _whole(hand, f"{far} / (k − 1)", D, further, Text("the distance over that", "距离除以它"))
            return whole + off_by
        layers, power = 0, one
        while power <= D < hand.infinity and k > 1:
            layers += 1
            beyond = Text("until it exceeds the distance", "直到超过距离为止")
            power = hand.power(f"k^{layers}", None, k, number_like(D, layers), beyond)
        first = Text("the first power that does", "第一个超过距离的幂")
        return hand.taken(hand.label(), None, number_like(D, layers), first) + off_by


class ReceptiveLayers(Operation):
    """``receptive_layers(S, k)``: layers of kernel k and stride 1, without dilation, that see S positions: ⌈(S − 1)/(k − 1)⌉.

    L layers see L(k − 1) + 1 positions.

    Parameters: ``form`` is ``up``; the mistakes are ``by-k`` (⌈S / k⌉) and ``down`` (not rounded up).
    """

    name = "receptive_layers"
    section = "7.1"
    title = Text("Stack layers until they see the sequence", "层层堆叠，直到看见整个序列")
    reason = Text(
        "The first position needs no layer, and each layer adds $k - 1$ more.",
        "第一个位置不用层就能看到，之后每一层多看 $k - 1$ 个。",
    )
    mistakes = (
        Mistake(
            "receptive_layers.by-k",
            Text(
                "You divided $S$ by $k$; each layer adds only $k - 1$ positions, and the first one is counted apart",
                "你用 $S$ 除以了 $k$，而每一层只增加 $k - 1$ 个位置，第一个位置另算",
            ),
            with_parameters(form="by-k"),
        ),
        Mistake(
            "receptive_layers.not-rounded-up",
            Text("You didn't round up; that many layers don't reach the end", "你没有向上取整，这么多层还看不到整个序列"),
            with_parameters(form="down"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        S, k = map(symbol, line.arguments)
        return rf"{symbol(line.node)} = \left\lceil \frac{{{S} - 1}}{{{k} - 1}} \right\rceil"

    def torch(self, S: Tensor, k: Tensor, form: str = "up") -> Tensor:
        """Divide and round up."""
        _require_kernel(k)
        if form == "by-k":
            return (S / k).ceil()
        layers = (S - 1) / (k - 1)
        return layers.floor() if form == "down" else layers.ceil()

    def by_hand(self, hand: Hand, S: Number, k: Number, form: str = "up") -> Array:
        """Divide and round up."""
        if form == "by-k":
            return _whole(hand, "S / k", S, k, _NOT_WHOLE)
        one = number_like(S, 1)
        others = hand.difference("S − 1", None, S, one, Text("positions other than the first", "除第一个之外的位置"))
        more = hand.difference("k − 1", None, k, one, Text("positions that a layer adds", "每一层增加的位置"))
        return others // more if form == "down" else _whole(hand, "(S − 1)/(k − 1)", others, more, _NOT_WHOLE)


OPERATIONS = (PathSteps(), ReceptiveLayers())
