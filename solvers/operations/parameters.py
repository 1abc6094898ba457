"""Parameters of attention, of the FFN, and of a whole layer.

A linear layer is counted with its bias unless said otherwise, as torch's modules have them by default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, only_if, only_with, other_of, rewired, symbol, with_parameters
from solvers.operations.costs import times_heads
from solvers.operations.counting import Count, Term, left_out, require_shared

if TYPE_CHECKING:
    from torch import Tensor

_NO_BIASES = Text("You left out the biases", "你漏掉了偏置")
_BIASES = Text("You counted biases; these layers have none", "你把偏置也算了进去，这里的层没有偏置")
_NO_OUTPUT = Text("You left out the output projection $W_O$", "你漏掉了输出投影 $W_O$")


def _bias_mistakes(name: str) -> tuple[Mistake, Mistake]:
    other = other_of("biases", "yes", "no")
    return (
        Mistake(f"{name}.no-biases", _NO_BIASES, only_with("biases", "yes", "yes", other)),
        Mistake(f"{name}.biases", _BIASES, only_with("biases", "no", "yes", other)),
    )


def _query_heads(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: keys and values are counted with the query heads; no mistake where every head has its own."""
    if len(line.arguments) > 2 and program.values.get(line.arguments[1]) != program.values.get(line.arguments[2]):
        yield from rewired(2, line.arguments[1])(program, line, ask)


def _unshared(program: Program, line: Call) -> bool:
    """Tell whether every head has the whole width, and keys and values of its own."""
    if len(line.arguments) < 4:
        return False
    d, h, h_kv, d_head = (program.values.get(name) for name in line.arguments)
    return d == d_head is not None and h == h_kv is not None and h != 1


def _other_width(program: Program, line: Call) -> bool:
    """Tell whether all heads together, of a width that is given, are not as wide as the model."""
    if len(line.arguments) < 4:
        return False
    d, h, _, d_head = (program.values.get(name) for name in line.arguments)
    return isinstance(h, int) and isinstance(d_head, int) and h * d_head != d


def _width_of_shares(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the width of a head is taken for d_model / h, although another is given."""
    if _other_width(program, line) and not _unshared(program, line):
        yield Edited(replace(program, asks=(ask,)).with_call(replace(line, arguments=line.arguments[:3])))


def _shared_out(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the width is shared among the heads."""
    if _unshared(program, line):
        yield Edited(replace(program, asks=(ask,)).with_call(replace(line, arguments=line.arguments[:1])))


class AttentionParameters(Count):
    """``attention_parameters(d_model)``, ``(d_model, h, h_kv)`` or ``(d_model, h, h_kv, d_head)``: W_Q, W_K, W_V and W_O.

    With d_model alone, every head has its own keys and values and d_model / h of the width: 4 · d_model². With h query and
    h_kv KV heads, 2 · d_model · (h + h_kv) · d_head, where d_head is d_model / h unless given (d_head = d_model: no shrinking).

    Parameters: ``biases`` is ``yes``, ``no``, or ``qkv`` (W_O has none); ``output`` is ``counted``; the mistakes are
    ``forgotten`` and ``narrow`` (W_O with d_model rows); ``times`` is 1, or h for the mistake of counting the heads again.
    """

    name = "attention_parameters"
    section = "7.14"
    title = Text("Count the parameters of attention", "计算注意力层的参数量")
    reason = Text(
        "Four linear layers hold all the parameters; scores, softmax and mixing have none. The heads only cut up the same matrices, so their number changes nothing as long as they share the width.",
        "参数全在四个线性层里，打分、softmax 和加权求和都没有参数。各个 head 只是切分同样的矩阵，只要是平分宽度，head 数就不影响参数量。",
    )
    mistakes = (
        Mistake("attention_parameters.no-output", _NO_OUTPUT, with_parameters(output="forgotten")),
        Mistake(
            "attention_parameters.no-qkv-biases",
            Text("You left out the biases of $W_Q$, $W_K$ and $W_V$", "你漏掉了 $W_Q$、$W_K$、$W_V$ 的偏置"),
            only_with("biases", "qkv", "yes", with_parameters(biases="no")),
        ),
        Mistake(
            "attention_parameters.output-bias",
            Text("You gave $W_O$ a bias; it has none here", "你给 $W_O$ 也算了偏置，这里它没有"),
            only_with("biases", "qkv", "yes", with_parameters(biases="yes")),
        ),
        Mistake(
            "attention_parameters.times-heads",
            Text(
                "You multiplied by the number of heads; they share the width",
                "你又乘了 head 数，而各个 head 是平分宽度的",
            ),
            only_if(lambda _program, line: len(line.arguments) < 4, times_heads()),
        ),
        Mistake(
            "attention_parameters.query-heads",
            Text("You used the number of query heads for keys and values too", "你把 key 和 value 也按 query head 数算了"),
            _query_heads,
        ),
        Mistake(
            "attention_parameters.shared",
            Text(
                "You shared out the width among the heads; here each head has all of it",
                "你让各个 head 平分了宽度，而这里每个 head 都占整个宽度",
            ),
            _shared_out,
        ),
        Mistake(
            "attention_parameters.narrow-output",
            Text(
                "You gave $W_O$ only $d_{\\text{model}}$ rows; it takes in all heads, side by side",
                "你只给了 $W_O$ $d_{\\text{model}}$ 行，而它的输入是所有 head 拼起来的",
            ),
            only_if(_other_width, with_parameters(output="narrow")),
        ),
        Mistake(
            "attention_parameters.head-width",
            Text(
                "You took $d_{\\text{model}} / h$ for the width of a head; here $d_{\\text{head}}$ is given apart from it",
                "你把 head 的宽度当成了 $d_{\\text{model}} / h$，而这里另外给定了 $d_{\\text{head}}$",
            ),
            _width_of_shares,
        ),
        *_bias_mistakes("attention_parameters"),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        d, *heads = map(symbol, line.arguments)
        with_biases = line.parameter("biases", "yes")
        biased = with_biases != "no"
        if not heads:
            return f"{symbol(line.node)} = 4 {d}^2" + (f" + {3 if with_biases == 'qkv' else 4} {d}" if biased else "")
        width = heads[2] if len(heads) > 2 else rf"\frac{{{d}}}{{{heads[0]}}}"
        own = heads[0] == heads[1]  # every query head has keys and values of its own
        if own:
            both = rf"4 {heads[0]} {d}^2" if width == d else rf"4 {heads[0]} {d} \cdot {width}"
        else:
            both = rf"2 {d} ({heads[0]} + {heads[1]}) \cdot {width}"
        rows = rf"3 {heads[0]}" if own else rf"({heads[0]} + 2 {heads[1]})"
        biases = rf" + {rows} \cdot {width}" + (f" + {d}" if with_biases == "yes" else "") if biased else ""
        return f"{symbol(line.node)} = {both}{biases}"

    def terms(
        self,
        d: Any,
        h: Any = None,
        h_kv: Any = None,
        d_head: Any = None,
        biases: str = "yes",
        output: str = "counted",
        times: int = 1,
    ) -> list[Term]:
        """Return a product for each kind of matrix and bias."""
        more, out = [times] if times > 1 else [], output != "forgotten"
        if h is None:
            count = 4 if out else 3
            said = Text("projections × rows × columns", "投影个数 × 行数 × 列数")
            terms = [Term("W_Q, W_K, W_V, W_O" if out else "W_Q, W_K, W_V", [count, d, d, *more], said)]
            one_each = Text("a bias for each column", "每列一个偏置")
            biased = 3 if biases == "qkv" else count
            return [*terms, Term("b", [biased, d, *more], one_each)] if biases != "no" else terms
        width = d / h if d_head is None else d_head
        rows = Text("rows × heads × head width", "行数 × head 数 × head 宽度")
        twice = Text("2 × rows × KV heads × head width", "2 × 行数 × KV head 数 × head 宽度")
        terms = [Term("W_Q", [d, h, width, *more], rows), Term("W_K, W_V", [2, d, h_kv, width, *more], twice)]
        if out:
            into = [d] if output == "narrow" else [h, width]
            terms.append(Term("W_O", [*into, d, *more], Text("heads × head width × columns", "head 数 × head 宽度 × 列数")))
        if biases != "no":
            wide = Text("a bias for each column", "每列一个偏置")
            terms += [Term("b_Q", [h, width, *more], wide), Term("b_K, b_V", [2, h_kv, width, *more], wide)]
            terms += [Term("b_O", [d, *more], wide)] if out and biases == "yes" else []
        return terms

    def torch(self, *numbers: Tensor, **parameters: Any) -> Tensor:
        """Multiply and add up."""
        if len(numbers) == 3:
            require_shared(numbers[0], numbers[1])
        return super().torch(*numbers, **parameters)

    def by_hand(self, hand: Hand, *numbers: Array, **parameters: Any) -> Array:
        """Write the head width, each product, and the sum."""
        if len(numbers) == 3:
            width = hand.quotient("d_head", None, numbers[0], numbers[1], Text("width of a head", "每个 head 的宽度"))
            numbers = (*numbers, width)
        return super().by_hand(hand, *numbers, **parameters)


def _ffn(d: Any, d_ff: Any, form: str, biases: str) -> list[Term]:
    wide = 2 if form == "swiglu" else 1
    matrices = Text("matrices × rows × columns", "矩阵个数 × 行数 × 列数")
    terms = [Term("W₁, W₂" if wide == 1 else "W₁, W₂, W₃", [wide + 1, d, d_ff], matrices)]
    if biases == "yes":
        hidden = Text("biases of the wide layer", "中间层的偏置")
        narrow = Text("biases of the last layer", "最后一层的偏置")
        terms += [Term("b₁" if wide == 1 else "b₁, b₃", [wide, d_ff] if wide > 1 else [d_ff], hidden), Term("b₂", [d], narrow)]
    return terms


class FFNParameters(Count):
    """``ffn_parameters(d_model, d_ff)``: two matrices, 2 · d_model · d_ff, or three for SwiGLU; with a third number, in N layers.

    Parameters: ``form`` is ``relu`` (or any activation of one branch) or ``swiglu`` (a gate, Shazeer 2020); ``biases`` is
    ``yes`` or ``no``; ``layers`` is ``all``, or ``one`` for the mistake.
    """

    name = "ffn_parameters"
    section = "7.21"
    title = Text("Count the parameters of the FFN", "计算 FFN 的参数量")
    reason = Text(
        "One matrix widens $d_{\\text{model}}$ to $d_{\\text{ff}}$, another narrows it again; a gated FFN has two that widen.",
        "一个矩阵把宽度从 $d_{\\text{model}}$ 扩到 $d_{\\text{ff}}$，另一个再缩回来；带门控的 FFN 有两个扩宽的矩阵。",
    )
    mistakes = (
        Mistake(
            "ffn_parameters.two-matrices",
            Text(
                "You counted two matrices; SwiGLU has three, one of them for the gate",
                "你只算了两个矩阵，而 SwiGLU 有三个，其中一个用于门控",
            ),
            only_with("form", "swiglu", "relu", with_parameters(form="relu")),
        ),
        Mistake(
            "ffn_parameters.three-matrices",
            Text("You counted three matrices; without a gate there are two", "你算了三个矩阵，没有门控时只有两个"),
            only_with("form", "relu", "relu", with_parameters(form="swiglu")),
        ),
        *_bias_mistakes("ffn_parameters"),
        Mistake(
            "ffn_parameters.one-layer",
            Text("You counted one layer", "你只算了一层"),
            only_if(lambda _program, line: len(line.arguments) > 2, left_out(-1, layers="one")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        d, d_ff, *layers = map(symbol, line.arguments)
        gated = line.parameter("form", "relu") == "swiglu"
        biases = f" + {'2 ' if gated else ''}{d_ff} + {d}" if line.parameter("biases", "yes") == "yes" else ""
        layer = f"{3 if gated else 2} {d} {d_ff}{biases}"
        return f"{symbol(line.node)} = " + (rf"{layers[0]} \cdot ({layer})" if layers else layer)

    def terms(
        self, d: Any, d_ff: Any, N: Any = None, form: str = "relu", biases: str = "yes", layers: str = "all"
    ) -> list[Term]:
        """Return a product for the matrices, and the biases."""
        times = [] if N is None or layers == "one" else [N]
        return [Term(term.label, [*term.factors, *times], term.say) for term in _ffn(d, d_ff, form, biases)]

    def by_hand(self, hand: Hand, *numbers: Array, **parameters: Any) -> Array:
        """Write out one layer, then all of them."""
        if len(numbers) < 3 or parameters.get("layers") == "one":
            return super().by_hand(hand, *numbers[:2], **parameters)
        layer = self.added(hand, "Σ", self.terms(*numbers[:2], **parameters))
        return hand.product(hand.label(), None, (numbers[2], layer), Text("layers × parameters of one", "层数 × 每层参数量"))


class LayerParameters(Count):
    """``layer_parameters(d_model, d_ff)`` or ``layer_parameters(d_model, d_ff, N)``: one layer, or N of them.

    An encoder layer has one attention (4 · d_model²), an FFN and two norms; a decoder layer has a cross-attention and a norm
    more. A last norm behind the N layers is not counted, nor are embeddings.

    Parameters: ``kind`` is ``encoder`` or ``decoder``; ``biases`` of the linear layers is ``yes`` or ``no``; ``norm`` is
    ``layer`` (gain and bias: 2 · d_model each), ``rms`` (gain alone; so, too, torch's LayerNorm with ``bias=False``) or
    ``none`` (the mistake); ``form`` is the FFN's, ``relu`` or ``swiglu``; ``output`` is ``counted``, or ``forgotten`` for the
    mistake without W_O; ``layers`` is ``all``, or ``one`` for the mistake.
    """

    name = "layer_parameters"
    section = "7.2"
    title = Text("Count the parameters of a layer", "计算一层的参数量")
    reason = Text(
        "A layer holds its attention (a decoder layer two), its FFN, and a norm for each of these. The length of the sequence plays no part.",
        "一层的参数包括注意力（解码器层有两个）、FFN，以及与它们一一对应的归一化层，与序列长度无关。",
    )
    mistakes = (
        *_bias_mistakes("layer_parameters"),
        Mistake(
            "layer_parameters.no-norms",
            Text("You left out the normalisation layers", "你漏掉了归一化层"),
            with_parameters(norm="none"),
        ),
        Mistake("layer_parameters.no-output", _NO_OUTPUT, with_parameters(output="forgotten")),
        Mistake(
            "layer_parameters.encoder",
            Text(
                "You left out the cross-attention of a decoder layer, and its norm",
                "你漏掉了解码器层的 cross-attention，以及它的归一化层",
            ),
            only_with("kind", "decoder", "encoder", with_parameters(kind="encoder")),
        ),
        Mistake(
            "layer_parameters.one-layer",
            Text("You counted one layer", "你只算了一层"),
            only_if(lambda _program, line: len(line.arguments) > 2, left_out(-1, layers="one")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        d, d_ff, *layers = map(symbol, line.arguments)
        attentions = 2 if line.parameter("kind", "encoder") == "decoder" else 1
        biased, gated = line.parameter("biases", "yes") == "yes", line.parameter("form", "relu") == "swiglu"
        parts = [f"{4 * attentions} {d}^2", *([f"{4 * attentions} {d}"] if biased else []), f"{3 if gated else 2} {d} {d_ff}"]
        parts += [f"{'2 ' if gated else ''}{d_ff}", d] if biased else []
        gains = {"layer": 2, "rms": 1}.get(str(line.parameter("norm", "layer")), 0) * (attentions + 1)
        parts += [f"{gains} {d}"] if gains else []
        whole = " + ".join(parts)
        return f"{symbol(line.node)} = " + (rf"{layers[0]} \cdot ({whole})" if layers else whole)

    def terms(
        self,
        d: Any,
        d_ff: Any,
        N: Any = None,
        kind: str = "encoder",
        biases: str = "yes",
        norm: str = "layer",
        form: str = "relu",
        output: str = "counted",
        layers: str = "all",
    ) -> list[Term]:
        """Return the products of all layers."""
        times = [] if N is None or layers == "one" else [N]
        return [
            Term(term.label, [*term.factors, *times], term.say)
            for term in self._layer(d, d_ff, kind, biases, norm, form, output)
        ]

    def _layer(self, d: Any, d_ff: Any, kind: str, biases: str, norm: str, form: str, output: str) -> list[Term]:
        attentions = 2 if kind == "decoder" else 1
        of_each = [2] if attentions > 1 else []
        projections = 4 if output == "counted" else 3
        said = Text("the projections of attention", "注意力的各个投影")
        crossed = Text("the projections of self- and cross-attention", "self-attention 和 cross-attention 的各个投影")
        terms = [Term("W_Q … W_O", [*of_each, projections, d, d], crossed if of_each else said)]
        if biases == "yes":
            terms.append(Term("b_Q … b_O", [*of_each, projections, d], Text("their biases", "它们的偏置")))
        terms += [Term(f"FFN, {term.label}", term.factors, term.say) for term in _ffn(d, d_ff, form, biases)]
        if norm != "none":
            gains = Text("norms × (gain and bias) × width", "归一化层数 ×（增益和偏置）× 宽度")
            alone = Text("norms × gains", "归一化层数 × 增益个数")
            each = [2] if norm == "layer" else []
            terms.append(Term("γ, β" if each else "γ", [attentions + 1, *each, d], gains if each else alone))
        return terms

    def by_hand(self, hand: Hand, *numbers: Array, **parameters: Any) -> Array:
        """Write out one layer, then all of them."""
        if len(numbers) < 3 or parameters.get("layers") == "one":
            return super().by_hand(hand, *numbers[:2], **parameters)
        layer = self.added(hand, "Σ", self.terms(*numbers[:2], **parameters))
        return hand.product(hand.label(), None, (numbers[2], layer), Text("layers × parameters of one", "层数 × 每层参数量"))


OPERATIONS = (AttentionParameters(), FFNParameters(), LayerParameters())
