"""Listings with one planted mistake (7.13): each line of PyTorch beside the calls that it is, and the ways to get it wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from question_bank.drills.base import Draw, Drawn, Drill, Matrix, name_row
from question_bank.program import PRIME, AnswerFormat, Ask, Asked, Call, Kind, Nested, Program, Shape, call
from question_bank.text import Text


@dataclass(frozen=True, slots=True)
class Sizes:
    """What decides whether a wrong line runs at all, and shows.

    Attributes:
        queries: How many queries there are.
        keys: How many keys and values.
        key_width: Width of a query and of a key.
        value_width: Width of a value.
        model_width: Width of a token before it is projected; 0 where nothing is.
    """

    queries: int
    keys: int
    key_width: int
    value_width: int
    model_width: int = 0

    @property
    def is_square(self) -> bool:
        """Whether there are as many queries as keys."""
        return self.queries == self.keys


def _always(_sizes: Sizes) -> bool:
    return True


def _square(sizes: Sizes) -> bool:
    return sizes.is_square


@dataclass(frozen=True, slots=True)
class Wrong:
    """A way to get a line wrong.

    Attributes:
        mistake: The catalogued mistake that it is.
        code: The line.
        calls: The calls that the wrong line is.
        says: What is wrong with it.
        fits: Whether the listing still runs with it, and gives something else.
    """

    mistake: str
    code: str
    calls: tuple[Call, ...]
    says: Text
    fits: Callable[[Sizes], bool] = _always


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a listing.

    Attributes:
        code: The line as it should be.
        node: The node that it makes, or prints.
        calls: The calls that it is; none where it prints.
        wrong: Ways to get it wrong.
    """

    code: str
    node: str
    calls: tuple[Call, ...] = ()
    wrong: tuple[Wrong, ...] = ()


# Lines -----------------------------------------------------------------------------------------------------------------


def _projection(node: str, source: str, others: str) -> Line:
    """``Q = X @ W_Q``."""
    weight = f"W_{node}"
    return Line(
        f"{node} = {source} @ {weight}",
        node,
        (call(node, "project", source, weight),),
        (
            Wrong(
                "project.transposed-weight",
                f"{node} = {source} @ {weight}.T",
                (call(node, "project", source, weight, form="xwt"),),
                Text(f"It multiplies by the transpose of ${weight}$.", f"它乘的是 ${weight}$ 的转置。"),
                lambda sizes: sizes.model_width == (sizes.value_width if node == "V" else sizes.key_width),
            ),
            *(
                Wrong(
                    "project.wrong-weight",
                    f"{node} = {source} @ W_{other}",
                    (call(node, "project", source, f"W_{other}"),),
                    Text(f"It multiplies by $W_{other}$, not by ${weight}$.", f"它乘的是 $W_{other}$，应当乘 ${weight}$。"),
                    lambda sizes: sizes.key_width == sizes.value_width,
                )
                for other in others
            ),
        ),
    )


SCORES = Line(
    "S = Q @ K.transpose(-2, -1)",
    "S",
    (call("S", "scores", "Q", "K"),),
    (
        Wrong(
            "scores.transposed",
            "S = K @ Q.transpose(-2, -1)",
            (call("S", "scores", "Q", "K", form="kqt"),),
            Text(
                "It gives $KQ^\\top$: a row for each key, and the softmax then runs over the queries.",
                "它算出来的是 $KQ^\\top$：一个 key 一行，后面的 softmax 就成了对 query 做。",
            ),
            _square,
        ),
        Wrong(
            "scores.no-transpose",
            "S = Q @ K",
            (call("S", "scores", "Q", "K", form="qk"),),
            Text(
                "Nothing is transposed, and it runs only because the number of keys happens to equal their width.",
                "它没有转置，只是因为 key 的个数恰好等于 key 的宽度才没有报错。",
            ),
            lambda sizes: sizes.keys == sizes.key_width,
        ),
        Wrong(
            "scores.columns",
            "S = Q.transpose(-2, -1) @ K",
            (call("S", "scores", "Q", "K", form="qtk"),),
            Text(
                "It transposes $Q$ instead of $K$, and so multiplies columns by columns.",
                "它转置的是 $Q$，应当转置 $K$；这样算出来的是列与列的点积。",
            ),
            lambda sizes: sizes.queries == sizes.keys == sizes.key_width,
        ),
        Wrong(
            "scores.square",
            "S = Q @ Q.transpose(-2, -1)",
            (call("S", "scores", "Q", "Q"),),
            Text("It scores the queries against themselves.", "它让 query 给 query 打了分。"),
            _square,
        ),
    ),
)

SCALE = Line(
    "Z = S / math.sqrt(d_k)",
    "Z",
    (call("Z", "scale", "S", "d_k"),),
    (
        Wrong(
            "scale.by-d_k",
            "Z = S / d_k",
            (call("Z", "scale", "S", "d_k", by="whole"),),
            Text("It divides by $d_k$ itself.", "它除以的是 $d_k$ 本身。"),
        ),
        Wrong(
            "scale.times-root",
            "Z = S * math.sqrt(d_k)",
            (call("Z", "scale", "S", "d_k", by="times"),),
            Text("It multiplies where it should divide.", "该除的地方，它乘了。"),
        ),
        Wrong(
            "scale.root-d_model",
            "Z = S / math.sqrt(d_model)",
            (call("Z", "scale", "S", "d_model"),),
            Text("It uses the width of the tokens, not that of the keys.", "它用的是 token 的宽度，应当用 key 的宽度。"),
            lambda sizes: sizes.model_width not in (0, sizes.key_width),
        ),
    ),
)

SCALED_SCORES = Line(
    "Z = Q @ K.transpose(-2, -1) / math.sqrt(d_k)",
    "Z",
    (*SCORES.calls, *SCALE.calls),
    (
        Wrong(
            "scale.not-scaled",
            "Z = Q @ K.transpose(-2, -1)",
            (call("S", "scores", "Q", "K"), call("Z", "same", "S")),
            Text("Nothing divides the scores by $\\sqrt{d_k}$.", "分数没有除以 $\\sqrt{d_k}$。"),
        ),
        Wrong(
            "scale.by-d_k",
            "Z = Q @ K.transpose(-2, -1) / d_k",
            (*SCORES.calls, call("Z", "scale", "S", "d_k", by="whole")),
            Text("It divides by $d_k$ itself.", "它除以的是 $d_k$ 本身。"),
        ),
        Wrong(
            "scores.transposed",
            "Z = K @ Q.transpose(-2, -1) / math.sqrt(d_k)",
            (call("S", "scores", "Q", "K", form="kqt"), *SCALE.calls),
            SCORES.wrong[0].says,
            _square,
        ),
    ),
)


def _softmax(scores: str) -> Line:
    """``A = torch.softmax(Z, dim=-1)``."""
    return Line(
        f"A = torch.softmax({scores}, dim=-1)",
        "A",
        (call("A", "softmax", scores),),
        (
            Wrong(
                "softmax.columns",
                f"A = torch.softmax({scores}, dim=-2)",
                (call("A", "softmax", scores, over="queries"),),
                Text(
                    "It normalises over the queries: columns add up to 1, not rows.",
                    "它对 query 做了归一化：和为 1 的是列，不是行。",
                ),
            ),
            Wrong(
                "softmax.sigmoid",
                f"A = torch.sigmoid({scores})",
                (call("A", "softmax", scores, form="sigmoid"),),
                Text(
                    "It treats each score on its own, so the weights don't add up to 1.",
                    "它对每个分数单独计算，权重之和不是 1。",
                ),
            ),
            Wrong(
                "softmax.not-normalised",
                f"A = torch.exp({scores})",
                (call("A", "softmax", scores, form="unnormalised"),),
                Text("It takes exponentials and leaves out the division by their sum.", "它取了指数，却没有除以指数之和。"),
            ),
        ),
    )


MIX = Line(
    "O = A @ V",
    "O",
    (call("O", "mix", "A", "V"),),
    (
        Wrong(
            "mix.column-of-weights",
            "O = A.transpose(-2, -1) @ V",
            (call("O", "mix", "A", "V", form="atv"),),
            Text("It takes the weights column by column, not row by row.", "它用的是权重的列，应当用行。"),
            _square,
        ),
        Wrong(
            "mix.arg-max",
            "O = V[A.argmax(dim=-1)]",
            (call("O", "mix", "A", "V", form="argmax"),),
            Text(
                "It picks the one value with the largest weight; attention takes a weighted sum.",
                "它只取权重最大的那个 value；注意力应当加权求和。",
            ),
        ),
        Wrong(
            "mix.keys-for-values",
            "O = A @ K",
            (call("O", "mix", "A", "K"),),
            Text("It mixes the keys.", "它加权求和的是 key。"),
        ),
    ),
)

_FUTURE = "torch.full_like(Z, -math.inf)"

_STRICT = Text("It hides the diagonal too, but a token may attend to itself.", "它连对角线也遮了，而 token 可以看自己。")
_PAST = Text("It hides the past and leaves the future open.", "它遮的是过去，未来反而没有遮。")
_ZERO = Text(
    "It fills hidden scores with 0, and $e^0 = 1$ still gets weight.", "它把遮住的分数填成了 0，而 $e^0 = 1$，仍会分到权重。"
)
_AFTER = Text(
    "It masks after the softmax, so the weights that are left no longer add up to 1.",
    "它在 softmax 之后才遮，剩下的权重之和不再是 1。",
)

CAUSAL = Line(
    f"M = Z + {_FUTURE}.triu(1)",
    "M",
    (call("M", "causal_mask", "Z"),),
    (
        Wrong(
            "causal_mask.strict",
            f"M = Z + {_FUTURE}.triu(0)",
            (call("M", "causal_mask", "Z", hides="future-and-self"),),
            _STRICT + Text("Row 1 is then left without any key.", "第 1 行于是一个 key 也不剩。"),
        ),
        Wrong(
            "causal_mask.lower",
            f"M = Z + {_FUTURE}.tril(-1)",
            (call("M", "causal_mask", "Z", hides="past"),),
            _PAST,
        ),
        Wrong("causal_mask.zero", "M = Z.tril()", (call("M", "causal_mask", "Z", fill="zero"),), _ZERO),
    ),
)

CAUSAL_SOFTMAX = Line(
    f"A = torch.softmax(Z + {_FUTURE}.triu(1), dim=-1)",
    "A",
    (*CAUSAL.calls, call("A", "softmax", "M")),
    (
        Wrong(
            "causal_mask.after-softmax",
            "A = torch.softmax(Z, dim=-1).tril()",
            (call("W", "softmax", "Z"), call("A", "causal_mask", "W", fill="zero")),
            _AFTER,
        ),
        Wrong(
            "causal_mask.zero",
            "A = torch.softmax(Z.tril(), dim=-1)",
            (call("M", "causal_mask", "Z", fill="zero"), call("A", "softmax", "M")),
            _ZERO,
        ),
        Wrong(
            "causal_mask.forgotten",
            "A = torch.softmax(Z, dim=-1)",
            (call("M", "same", "Z"), call("A", "softmax", "M")),
            Text("Nothing hides the future.", "未来的位置没有遮住。"),
        ),
    ),
)

CACHED = Line(
    f"M = Z + {_FUTURE}.triu(1 + K.size(0) - Q.size(0))",
    "M",
    (call("M", "causal_mask", "Z", align="bottom-right"),),
    (
        Wrong(
            "causal_mask.aligned-left",
            f"M = Z + {_FUTURE}.triu(1)",
            (call("M", "causal_mask", "Z", align="top-left"),),
            Text(
                "It takes the first query for the first token; these queries are the last ones and see all keys before them.",
                "它把第 1 个 query 当成了第 1 个 token；这里的 query 是最后几个，前面的 key 都看得到。",
            ),
        ),
        Wrong(
            "causal_mask.strict",
            f"M = Z + {_FUTURE}.triu(K.size(0) - Q.size(0))",
            (call("M", "causal_mask", "Z", align="bottom-right", hides="future-and-self"),),
            _STRICT,
        ),
        Wrong(
            "causal_mask.lower",
            f"M = Z + {_FUTURE}.tril(K.size(0) - Q.size(0) - 1)",
            (call("M", "causal_mask", "Z", align="bottom-right", hides="past"),),
            _PAST,
        ),
    ),
)

PADDING = Line(
    "M = Z.masked_fill(keep == 0, -math.inf)",
    "M",
    (call("M", "padding_mask", "Z", "keep"),),
    (
        Wrong(
            "padding_mask.inverted",
            "M = Z.masked_fill(keep == 1, -math.inf)",
            (call("M", "padding_mask", "Z", "keep", polarity="inverted"),),
            Text("It hides the tokens and keeps the padding.", "它遮住的是真实 token，留下的反而是 padding。"),
        ),
        Wrong(
            "padding_mask.zero",
            "M = Z.masked_fill(keep == 0, 0.0)",
            (call("M", "padding_mask", "Z", "keep", fill="zero"),),
            _ZERO,
        ),
        Wrong(
            "padding_mask.queries",
            "M = Z.masked_fill((keep == 0).unsqueeze(-1), -math.inf)",
            (call("M", "padding_mask", "Z", "keep", over="queries"),),
            Text(
                "It hides rows, which are queries; padding is hidden as a key.",
                "它遮的是行，也就是 query；padding 应当作为 key 遮住。",
            ),
            _square,
        ),
    ),
)

PADDED_SOFTMAX = Line(
    "A = torch.softmax(Z.masked_fill(keep == 0, -math.inf), dim=-1)",
    "A",
    (*PADDING.calls, call("A", "softmax", "M")),
    (
        Wrong(
            "padding_mask.after-softmax",
            "A = torch.softmax(Z, dim=-1) * keep",
            (call("W", "softmax", "Z"), call("A", "padding_mask", "W", "keep", fill="zero")),
            _AFTER,
        ),
        Wrong(
            "padding_mask.zero",
            "A = torch.softmax(Z * keep, dim=-1)",
            (call("M", "padding_mask", "Z", "keep", fill="zero"), call("A", "softmax", "M")),
            _ZERO,
        ),
    ),
)

_PLAIN: tuple[Line, ...] = (_softmax("Z"),)
_CAUSAL: tuple[tuple[Line, ...], ...] = ((CAUSAL, _softmax("M")), (CAUSAL_SOFTMAX,))
_PADDED: tuple[tuple[Line, ...], ...] = ((PADDING, _softmax("M")), (PADDED_SOFTMAX,))

_SPLIT = "Q, K, V = (t.unflatten(-1, (h, -1)){} for t in (q, k, v))"


def _heads(source: str) -> tuple[Line, ...]:
    """Return attention over several heads, known by its shapes."""

    def split(form: str) -> tuple[Call, ...]:
        return tuple(call(node, "split_heads", node.lower(), "h", form=form) for node in "QKV")

    return (
        Line(
            f"q, k, v = X @ W_Q, {source} @ W_K, {source} @ W_V",
            "v",
            tuple(call(node.lower(), "project", "X" if node == "Q" else source, f"W_{node}") for node in "QKV"),
        ),
        Line(
            _SPLIT.format(".transpose(1, 2)"),
            "V",
            split("split"),
            (
                Wrong(
                    "split_heads.no-transpose",
                    _SPLIT.format(""),
                    split("no-transpose"),
                    Text(
                        "The head axis stays after the sequence axis, so heads are scored against heads within each token.",
                        "head 维还排在序列维之后，于是变成了在每个 token 内部让 head 给 head 打分。",
                    ),
                    _square,
                ),
                Wrong(
                    "split_heads.swapped",
                    _SPLIT.format(".permute(0, 2, 3, 1)"),
                    split("swapped"),
                    Text(
                        "Sequence and width swap places, so features are scored against features.",
                        "序列维和宽度换了位置，于是变成了特征给特征打分。",
                    ),
                    _square,
                ),
                Wrong(
                    "split_heads.undivided",
                    "Q, K, V = (t.unsqueeze(1).expand(-1, h, -1, -1) for t in (q, k, v))",
                    split("undivided"),
                    Text(
                        "Every head is given the full width, not its part of it.",
                        "每个 head 拿到的都是全部宽度，而不是其中一段。",
                    ),
                ),
            ),
        ),
        Line("S = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))", "S", (call("S", "scores", "Q", "K"),)),
        Line("A = torch.softmax(S, dim=-1)", "A", (call("A", "softmax", "S"),)),
        Line("O = A @ V", "O", MIX.calls),
        Line(
            "H = O.transpose(1, 2).flatten(2)",
            "H",
            (call("H", "concat_heads", "O"),),
            (
                Wrong(
                    "concat_heads.summed",
                    "H = O.sum(dim=1)",
                    (call("H", "concat_heads", "O", form="summed"),),
                    Text("It adds up the heads; they belong side by side.", "它把各个 head 相加了，应当并排拼接。"),
                ),
                Wrong(
                    "concat_heads.averaged",
                    "H = O.mean(dim=1)",
                    (call("H", "concat_heads", "O", form="averaged"),),
                    Text("It averages the heads; they belong side by side.", "它对各个 head 取了平均，应当并排拼接。"),
                ),
                Wrong(
                    "concat_heads.forgotten",
                    "H = O.contiguous()",
                    (call("H", "concat_heads", "O", form="apart"),),
                    Text("It only copies: the heads are never joined.", "它只是复制了一份，各个 head 并没有拼接起来。"),
                ),
            ),
        ),
        Line("print(tuple(H.shape))", "H"),
    )


# A listing with a mistake ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listing:
    """A listing with one wrong line, and the calls that show it.

    Attributes:
        lines: The lines as shown.
        calls: Each line's calls; where a line gives something wrong, those of what it should give stand before them.
        compared: For each line the node it makes and the node that it should be.
        remark: Which line is wrong, why, and how it should read.
        mistake: The catalogued mistake.
    """

    lines: tuple[str, ...]
    calls: tuple[Call, ...]
    compared: tuple[str, ...]
    remark: Text
    mistake: str


def plant(lines: Sequence[Line], at: int, wrong: Wrong) -> Listing:
    """Put a wrong line in a listing.

    Args:
        lines: The right lines.
        at: Which one goes wrong, from 0.
        wrong: How.
    """
    meant: dict[str, str] = {}
    calls: list[Call] = []
    compared: list[str] = []
    for number, line in enumerate(lines):
        touched = number == at or any(name in meant for one in line.calls for name in one.arguments)
        listed = wrong.calls if number == at else line.calls
        for one in line.calls if touched else ():
            if number == at and one in listed and not any(name in meant for name in one.arguments):
                calls.append(one)  # the wrong line begins as the right one does
                listed = tuple(other for other in listed if other != one)
                continue
            arguments = tuple(meant.get(name, name) for name in one.arguments)
            meant[one.node] = f"{one.node}{PRIME}"
            calls.append(replace(one, node=meant[one.node], arguments=arguments))
        calls += listed
        compared += [line.node, meant.get(line.node, line.node)]
    fixed = Text("Line {n} should read: {code}.", "第 {n} 行应为 {code}。").fill(n=at + 1, code=lines[at].code)
    shown = tuple(wrong.code if place == at else line.code for place, line in enumerate(lines))
    return Listing(shown, tuple(calls), tuple(compared), fixed + wrong.says, wrong.mistake)


def _planted(draw: Draw, lines: Sequence[Line], sizes: Sizes) -> Listing:
    """Draw a line, then a way to get it wrong: each line is as likely as any other."""
    ways = {at: fitting for at, line in enumerate(lines) if (fitting := [one for one in line.wrong if one.fits(sizes)])}
    at = draw.choice(sorted(ways))
    return plant(lines, at, draw.choice(ways[at]))


# Problems ----------------------------------------------------------------------------------------------------------------

_WHICH = Text("One line is wrong. Which one?", "其中有一行写错了，是第几行？")
_LINE = Text("wrong line", "写错的行")


def _asked_line(listing: Listing) -> Ask:
    return Ask("line", AnswerFormat(Kind.LINE, decimals=0, choices=len(listing.lines)), (), label=_LINE)


def _program(
    inputs: Sequence[tuple[str, Nested | Shape]], listing: Listing, asks: Sequence[Ask], first: Sequence[Call] = ()
) -> Program:
    compare = call("line", "first_difference", *listing.compared)
    return Program(tuple(inputs), (*first, *listing.calls, compare), (_asked_line(listing), *asks))


def _different(draw: Draw, rows: int, columns: int, low: int, high: int) -> Matrix:
    """Draw a matrix of which no two rows are alike, so that a mistake shows."""
    return draw.until(lambda: draw.matrix(rows, columns, low, high), lambda made: len(set(made)) == rows)


_ATTENTION = Text(
    "This listing should compute scaled dot-product attention{masked}. The inputs below it are float tensors.",
    "下面的代码本应计算缩放点积注意力{masked}。代码下方的输入都是浮点张量。",
)
_UNMASKED = Text("", "")
_CAUSALLY = Text(" with a causal mask", "，带 causal mask")
_PADDED_ONLY = Text(
    " with the padding masked; keep is 1 for a token and 0 for padding",
    "，并遮住 padding；keep 为 1 是真实 token，为 0 是 padding",
)
_WITH_CACHE = Text(
    " with a causal mask; the keys come from a KV cache, and the queries are the last tokens",
    "，带 causal mask；key 来自 KV cache，query 是最后几个 token",
)


def _given(draw: Draw, sizes: Sizes) -> list[tuple[str, Nested | Shape]]:
    return [
        ("Q", _different(draw, sizes.queries, sizes.key_width, -1, 2)),
        ("K", _different(draw, sizes.keys, sizes.key_width, -1, 2)),
        ("V", _different(draw, sizes.keys, sizes.value_width, 0, 9)),
        ("d_k", sizes.key_width),
    ]


def _in_the_head(draw: Draw) -> Drawn:
    """Level 1: queries, keys and values are given; the line alone is asked."""
    size, width = draw.integer(2, 3), draw.choice((2, 3, 4))
    sizes = Sizes(size, size, width, width)
    inputs = _given(draw, sizes)
    causal = draw.choice((False, True))
    scoring = draw.choice(((SCORES, SCALE), (SCALED_SCORES,)))
    weighing = draw.choice(_CAUSAL) if causal else _PLAIN
    listing = _planted(draw, (*scoring, *weighing, MIX, Line("print(O)", "O")), sizes)
    prompt = _ATTENTION.fill(masked=_CAUSALLY if causal else _UNMASKED) + _WHICH
    return Drawn(prompt, _program(inputs, listing, ()), listing.lines, listing.remark)


def _on_paper(draw: Draw) -> Drawn:
    """Level 2: with projections, self- or cross-attention; or several heads, with the shape that is printed."""
    return _several_heads(draw) if draw.choice((True, False)) else _projected(draw)


def _projected(draw: Draw) -> Drawn:
    crossing = draw.choice((False, True))
    queries = draw.integer(2, 3)
    keys = 5 - queries if crossing else queries
    width = draw.choice((2, 3))
    inner = draw.choice((2, 3))
    sizes = Sizes(queries, keys, inner, inner, width)
    source = "E" if crossing else "X"
    inputs: list[tuple[str, Nested | Shape]] = [("X", _different(draw, queries, width, -1, 2))]
    if crossing:
        inputs.append(("E", _different(draw, keys, width, -1, 2)))
    inputs += [(f"W_{node}", _different(draw, width, inner, -1, 2)) for node in "QKV"]
    inputs += [("d_model", width), ("d_k", inner)]
    kind = draw.choice(("plain", "padding")) if crossing else draw.choice(("plain", "causal", "padding"))
    if kind == "padding":
        inputs.append(("keep", tuple(int(place < keys - 1) for place in range(keys))))
    weighing = {"plain": (_PLAIN,), "causal": _CAUSAL, "padding": _PADDED}[kind]
    lines: tuple[Line, ...] = (
        _projection("Q", "X", "KV"),
        _projection("K", source, "QV"),
        _projection("V", source, "QK"),
        SCALED_SCORES if draw.choice((True, False)) else SCORES,
    )
    lines += () if lines[-1] is SCALED_SCORES else (SCALE,)
    listing = _planted(draw, (*lines, *draw.choice(weighing), MIX, Line("print(O)", "O")), sizes)
    masked = {"plain": _UNMASKED, "causal": _CAUSALLY, "padding": _PADDED_ONLY}[kind]
    crossed = Text("The decoder states $X$ attend to the encoder output $E$.", "解码器状态 $X$ 关注编码器输出 $E$。")
    prompt = _ATTENTION.fill(masked=masked)
    if crossing:
        prompt += crossed
    return Drawn(prompt + _WHICH, _program(inputs, listing, ()), listing.lines, listing.remark)


def _several_heads(draw: Draw) -> Drawn:
    crossing = draw.choice((False, True))
    batch, heads, head = draw.integer(2, 5), draw.choice((2, 3, 4, 6, 8)), draw.choice((4, 5, 10, 16, 32, 64))
    lengths = [one for one in (3, 5, 6, 7, 9, 10, 12, 20, 50) if one not in (batch, heads, head)]
    queries, keys = draw.shuffled(lengths)[:2]
    width = heads * head
    states: list[tuple[str, Nested | Shape]] = [("X", Shape((batch, queries, width)))]
    if crossing:
        states.append(("E", Shape((batch, keys, width))))
    weights = tuple(call(f"W_{name}", "weight", "d_model", "d_model") for name in "QKV")
    sizes = Sizes(queries, keys if crossing else queries, head, head, width)
    listing = _planted(draw, _heads("E" if crossing else "X"), sizes)
    printed = Ask("H", AnswerFormat(Kind.SHAPE), (), Asked.SHAPE, Text("shape printed", "输出的形状"))
    what = (
        Text("multi-head cross-attention of $X$ to $E$", " $X$ 对 $E$ 的多头 cross-attention")
        if crossing
        else Text("multi-head self-attention over $X$", "对 $X$ 的多头 self-attention")
    )
    prompt = Text(
        "This listing should compute {what}; $W_Q$, $W_K$ and $W_V$ have the shape $[d_{\\text{model}}, d_{\\text{model}}]$.",
        "下面的代码本应计算{what}；$W_Q$、$W_K$、$W_V$ 的形状都是 $[d_{\\text{model}}, d_{\\text{model}}]$。",
    ).fill(what=what)
    prints = Text("And what does the listing print as it stands?", "按现在的代码，会输出什么？")
    program = _program([*states, ("d_model", width), ("h", heads)], listing, (printed,), weights)
    return Drawn(prompt + _WHICH + prints, program, listing.lines, listing.remark)


def _with_a_calculator(draw: Draw) -> Drawn:
    """Level 3: a mask or a cache; asked is the line, and what the listing prints of weights and output."""
    kind = draw.choice(("plain", "causal", "padding", "cache"))
    # As many keys as leave at least two to a row in which something is hidden, by a right mask or a wrong one.
    keys = {"plain": 3, "causal": 4, "padding": 4, "cache": 5}[kind]
    queries = {"plain": 3, "causal": 4, "padding": draw.choice((2, 4)), "cache": 4}[kind]
    sizes = Sizes(queries, keys, 3, 3)
    inputs = _given(draw, sizes)
    if kind == "padding":
        inputs.append(("keep", (1, 1, 0, 0)))
    scoring = draw.choice(((SCORES, SCALE), (SCALED_SCORES,)))
    weighing = draw.choice(
        {"plain": (_PLAIN,), "causal": _CAUSAL, "padding": _PADDED, "cache": ((CACHED, _softmax("M")),)}[kind]
    )
    row = {"causal": 2, "cache": 2}.get(kind, draw.integer(0, min(queries, 3) - 1))
    prints = (Line(f"print(A[{row}])", "A"), Line(f"print(O[{row}])", "O"))
    listing = _planted(draw, (*scoring, *weighing, MIX, *prints), sizes)
    asks = [
        Ask(node, AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(size,)), (row,), label=name_row(node, row))
        for node, size in (("A", keys), ("O", sizes.value_width))
    ]
    masked = {"plain": _UNMASKED, "causal": _CAUSALLY, "padding": _PADDED_ONLY, "cache": _WITH_CACHE}[kind]
    printed = Text(
        "And what does the listing print as it stands: row {row} of $A$, then of $O$? Round to 3 decimals.",
        "按现在的代码，会输出什么？先是 $A$ 的第 {row} 行，后是 $O$ 的第 {row} 行，保留 3 位小数。",
    ).fill(row=row + 1)
    prompt = _ATTENTION.fill(masked=masked) + _WHICH + printed
    return Drawn(prompt, _program(inputs, listing, asks), listing.lines, listing.remark)


def _spot_the_bug(draw: Draw, level: int) -> Drawn:
    return {1: _in_the_head, 2: _on_paper, 3: _with_a_calculator}[level](draw)


DRILLS = (
    Drill(
        "spot-the-bug",
        "7.13",
        Text("Find the wrong line", "找出写错的那一行"),
        "0",
        (1, 2, 3),
        _spot_the_bug,
        hints=(
            Text(
                "Put the formula beside the listing, and find the symbol that each line stands for.",
                "把公式放在代码旁边，逐行对应：这一行是公式里的哪个符号。",
            ),
            Text(
                "Ask each line in turn: what is multiplied, what is it divided by, along which axis, and with what filled in?",
                "逐行问自己：乘的是谁、除以什么、沿哪一维、填的是什么。",
            ),
            Text(
                "The usual suspects: the transposed factor, $\\sqrt{d_k}$, dim=-1, the mask and its place before the softmax, $V$ at the end, and how heads are split and joined.",
                "最常出错的地方：该转置的是谁、$\\sqrt{d_k}$、dim=-1、mask 的写法和位置（应在 softmax 之前）、最后乘的是不是 $V$、head 的拆分与拼接。",
            ),
        ),
    ),
)
