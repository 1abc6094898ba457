"""Programs over a person's own numbers: any operation, and attention as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from question_bank.exact import NotANumberError, is_finite, to_float, to_fraction
from question_bank.program import (
    AnswerFormat,
    Ask,
    Asked,
    Call,
    Kind,
    Nested,
    Parameter,
    Program,
    Shape,
    call,
    cells,
    shape_of,
)
from question_bank.text import Text, same


class OwnNumbersError(ValueError):
    """Numbers that an operation can't take.

    Attributes:
        message: What was found and what was expected, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


class FieldKind(Enum):
    """What a field takes."""

    ROW = "row"
    MATRIX = "matrix"
    ROW_OR_MATRIX = "row-or-matrix"
    NUMBER = "number"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to give.

    Attributes:
        name: Its name on the shell, such as ``q``.
        symbol: Its name in the program, such as ``Q``.
        title: What it is.
        kind: What it takes.
        required: Whether it must be given.
        example: A value that shows the form.
    """

    name: str
    symbol: str
    title: Text
    kind: FieldKind
    required: bool = True
    example: str = ""


Values = Mapping[str, Nested]
"""What was given, by the fields' names; a flag that is set has the value 1."""


@dataclass(frozen=True, slots=True)
class Template:
    """An operation that takes a person's own numbers.

    Attributes:
        id: Its name on the shell.
        title: Its name for people.
        fields: What it takes, in order.
        write: Writes inputs, calls and the node asked.
    """

    id: str
    title: Text
    fields: tuple[Field, ...]
    write: Callable[[Values], tuple[tuple[tuple[str, Nested], ...], tuple[Call, ...], str]]


_X = Field("x", "X", Text("tokens, one per row", "token，一行一个"), FieldKind.ROW_OR_MATRIX, example="1 0; 0 1; 1 1")
_W = Field("w", "W", Text("weight matrix, used as X W", "权重矩阵，按 X W 相乘"), FieldKind.MATRIX, example="1 0; 1 1")
_Q = Field("q", "Q", Text("queries, one per row", "query，一行一个"), FieldKind.MATRIX, example="1 0; 1 1; 2 1")
_K = Field("k", "K", Text("keys, one per row", "key，一行一个"), FieldKind.MATRIX, example="0 1; 1 0; 1 1")
_V = Field("v", "V", Text("values, one per row", "value，一行一个"), FieldKind.MATRIX, example="1 0; 0 1; 1 1")
_S = Field("s", "S", Text("scores, one row per query", "分数，一行对应一个 query"), FieldKind.ROW_OR_MATRIX, example="0 1 1")
_S2 = Field("s", "S", Text("scores, one row per query", "分数，一行对应一个 query"), FieldKind.MATRIX, example="0 1; 1 2")
_A = Field(
    "a",
    "A",
    Text("attention weights, one row per query", "注意力权重，一行对应一个 query"),
    FieldKind.ROW_OR_MATRIX,
    example="0.2 0.3 0.5",
)
_KEEP = Field("keep", "m", Text("mask: 1 keeps a key, 0 masks it", "mask：1 保留 key，0 遮住"), FieldKind.ROW, example="1 1 0")
_D_K = Field("dk", "d_k", Text("key width d_k", "key 的宽度 d_k"), FieldKind.NUMBER, example="2")


def _one(
    node: str, operation: str, *fields: Field, **parameters: Parameter
) -> Callable[[Values], tuple[tuple[tuple[str, Nested], ...], tuple[Call, ...], str]]:
    """Write a program of one call on the fields that are given."""

    def write(values: Values) -> tuple[tuple[tuple[str, Nested], ...], tuple[Call, ...], str]:
        given = [field for field in fields if field.name in values]
        return (
            tuple((field.symbol, values[field.name]) for field in given),
            (call(node, operation, *(field.symbol for field in given), **parameters),),
            node,
        )

    return write


def _fraction(number: Nested) -> Fraction | None:
    """Return the value of one finite number as a fraction; None for anything else."""
    return to_fraction(number) if not isinstance(number, tuple) and is_finite(number) else None


def _verify_mask(keep: Nested, keys: int) -> None:
    if shape_of(keep) != (keys,):
        raise OwnNumbersError(
            Text(
                "The mask needs one entry per key; keys: {n}, entries: {m}.",
                "mask 要给每个 key 一个数：key 有 {n} 个，mask 里有 {m} 个数。",
            ).fill(n=keys, m=_size(shape_of(keep)))
        )
    if any(entry not in (0, 1) for _, entry in cells(keep)):
        raise OwnNumbersError(
            Text(
                "A mask holds only 1 (the key is kept) and 0 (the key is masked).",
                "mask 里只能写 1（保留 key）和 0（遮住 key）。",
            )
        )


def _padding_mask(values: Values) -> tuple[tuple[tuple[str, Nested], ...], tuple[Call, ...], str]:
    _verify_mask(values["keep"], shape_of(values["s"])[-1])
    inputs = (("S", values["s"]), ("m", values["keep"]))
    return inputs, (call("M", "padding_mask", "S", "m"), call("A", "softmax", "M")), "A"


def _scale(values: Values) -> tuple[tuple[tuple[str, Nested], ...], tuple[Call, ...], str]:
    width = _fraction(values["dk"])
    if width is None or width <= 0:
        raise OwnNumbersError(Text("The key width d_k must be a positive number.", "key 的宽度 d_k 必须是正数。"))
    return (("S", values["s"]), ("d_k", values["dk"])), (call("Z", "scale", "S", "d_k"),), "Z"


def _layer_norm(values: Values) -> tuple[tuple[tuple[str, Nested], ...], tuple[Call, ...], str]:
    width = shape_of(values["x"])[-1]
    gamma, beta = values.get("gamma"), values.get("beta")
    epsilon = _fraction(values.get("eps", 0))
    if epsilon is None or epsilon < 0:
        raise OwnNumbersError(Text("ε must be a number that is not negative.", "ε 必须是非负数。"))
    for symbol, given in (("γ", gamma), ("β", beta)):
        if given is not None and shape_of(given) != (width,):
            raise OwnNumbersError(
                Text(
                    "{symbol} needs one number per feature; features: {n}, numbers in {symbol}: {m}.",
                    "{symbol} 要给每个特征一个数：特征有 {n} 个，{symbol} 里有 {m} 个数。",
                ).fill(symbol=symbol, n=width, m=len(given) if isinstance(given, tuple) else 1)
            )
    inputs: tuple[tuple[str, Nested], ...] = (("X", values["x"]),)
    if gamma is not None or beta is not None:
        inputs += (("γ", gamma if gamma is not None else (1,) * width), ("β", beta if beta is not None else (0,) * width))
    return inputs, (call("Y", "layer_norm", *(name for name, _ in inputs), epsilon=epsilon),), "Y"


def _attention(values: Values) -> tuple[tuple[tuple[str, Nested], ...], tuple[Call, ...], str]:
    queries, keys, contents = (shape_of(values[name]) for name in "qkv")
    if queries[-1] != keys[-1]:
        raise OwnNumbersError(
            Text(
                "Queries and keys must have the same width: Q is {q}, K is {k}.",
                "query 和 key 的宽度必须相同：Q 是 {q}，K 是 {k}。",
            ).fill(q=_size(queries), k=_size(keys))
        )
    if keys[0] != contents[0]:
        raise OwnNumbersError(
            Text("Every key needs a value: K is {k}, V is {v}.", "key 和 value 必须一一对应：K 是 {k}，V 是 {v}。").fill(
                k=_size(keys), v=_size(contents)
            )
        )
    inputs: list[tuple[str, Nested]] = [("Q", values["q"]), ("K", values["k"]), ("V", values["v"])]
    calls = [call("S", "scores", "Q", "K")]
    scale = values.get("scale")
    if scale is None:
        inputs.append(("d_k", queries[-1]))
        calls.append(call("Z", "scale", "S", "d_k"))
    else:
        factor = _fraction(scale)
        if factor is None or factor <= 0:
            raise OwnNumbersError(Text("The scale must be a positive number.", "缩放因子必须是正数。"))
        inputs.append(("f", scale))
        calls.append(call("Z", "scale_by", "S", "f"))
    if "keep" in values:
        _verify_mask(values["keep"], keys[0])
        inputs.append(("m", values["keep"]))
        calls.append(call("P", "padding_mask", calls[-1].node, "m"))
    if "bottom_right" in values and "causal" not in values:
        raise OwnNumbersError(
            Text(
                "“Bottom-right” only says how a causal mask is aligned, and no causal mask was chosen.",
                "“右下对齐”只决定 causal mask 怎样对齐，而这里没有选用 causal mask。",
            )
        )
    if "causal" in values:
        align = "bottom-right" if "bottom_right" in values else "top-left"
        calls.append(call("M", "causal_mask", calls[-1].node, align=align))
    calls += [call("A", "softmax", calls[-1].node), call("O", "mix", "A", "V")]
    return tuple(inputs), tuple(calls), "O"


_CAUSAL = Field("causal", "causal", Text("causal mask", "causal mask"), FieldKind.FLAG, required=False)
_BOTTOM_RIGHT = Field(
    "bottom_right",
    "bottom-right",
    Text("causal mask aligned to the bottom right, as with a KV cache", "causal mask 右下对齐，用于带 KV cache 的解码"),
    FieldKind.FLAG,
    required=False,
)

TEMPLATES: dict[str, Template] = {
    template.id: template
    for template in (
        Template("attention", Text("Attention", "注意力"), (
            _Q, _K, _V, _CAUSAL, _BOTTOM_RIGHT,
            Field("keep", "m", _KEEP.title, FieldKind.ROW, required=False, example="1 1 0"),
            Field("scale", "scale", Text("factor for the scores; 1/√d_k by default", "分数的缩放因子，默认 1/√d_k"), FieldKind.NUMBER, required=False, example="0.5"),
        ), _attention),
        Template("softmax", Text("Softmax", "softmax"), (_S,), _one("A", "softmax", _S)),
        Template("scores", Text("Scores Q Kᵀ", "分数 Q Kᵀ"), (_Q, _K), _one("S", "scores", _Q, _K)),
        Template("scale", Text("Scale by 1/√d_k", "按 1/√d_k 缩放"), (_S, _D_K), _scale),
        Template("mix", Text("Weighted sum A V", "加权求和 A V"), (_A, _V), _one("O", "mix", _A, _V)),
        Template("project", Text("Projection X W", "投影 X W"), (_X, _W), _one("Y", "project", _X, _W)),
        Template("padding-mask", Text("Softmax with a padding mask", "带 padding mask 的 softmax"), (_S, _KEEP), _padding_mask),
        Template("causal-mask", Text("Softmax with a causal mask", "带 causal mask 的 softmax"), (_S2,),
            lambda values: ((("S", values["s"]),), (call("M", "causal_mask", "S"), call("A", "softmax", "M")), "A")),
        Template("layer-norm", Text("LayerNorm", "LayerNorm"), (
            _X,
            Field("gamma", "γ", Text("γ, one per feature", "γ，每个特征一个"), FieldKind.ROW, required=False, example="1 1"),
            Field("beta", "β", Text("β, one per feature", "β，每个特征一个"), FieldKind.ROW, required=False, example="0 0"),
            Field("eps", "ε", Text("ε; 0 by default", "ε，默认 0"), FieldKind.NUMBER, required=False, example="1e-5"),
        ), _layer_norm),
        Template("residual-add", Text("Residual x + F(x)", "残差 x + F(x)"), (
            _X, Field("f", "F", Text("what is added to it, of the same shape", "要加上的量，形状相同"), FieldKind.ROW_OR_MATRIX, example="1 1; 0 0; 2 0"),
        ), lambda values: ((("X", values["x"]), ("F", values["f"])), (call("Y", "residual_add", "X", "F"),), "Y")),
    )
}  # fmt: skip
"""Every operation on own numbers, by its name on the shell."""


def build(template: Template, values: Values, decimals: int = 4) -> Program:
    """Write the program of an operation on a person's own numbers.

    Args:
        template: The operation.
        values: What was given, by the fields' names.
        decimals: Decimal places asked of the result.

    Raises:
        OwnNumbersError: A field is missing, or its value has a form that the operation can't take.
    """
    values = {field.name: as_wanted(field, values[field.name]) for field in template.fields if field.name in values}
    for field in template.fields:
        if field.name not in values:
            if field.required:
                raise OwnNumbersError(
                    Text("{symbol} is missing: {title}.", "缺少 {symbol}：{title}。").fill(
                        title=field.title, symbol=field.symbol
                    )
                )
            continue
        verify(field, values[field.name])
    inputs, calls, node = template.write(values)
    # How large the result is shows when the program is run; a row alone gives a row.
    first = template.fields[0]
    row = first.kind is FieldKind.ROW_OR_MATRIX and len(shape_of(values[first.name])) == 1
    form = AnswerFormat(Kind.VECTOR if row else Kind.MATRIX, decimals=decimals)
    return Program(inputs, calls, (Ask(node, form, label=same(f"${node}$")),))


def as_wanted(field: Field, value: Nested) -> Nested:
    """Take one row for a matrix of one row, where a matrix is wanted."""
    is_row = isinstance(value, tuple) and not any(isinstance(part, tuple) for part in value)
    return (value,) if field.kind is FieldKind.MATRIX and is_row else value


def verify(field: Field, value: Nested) -> None:
    """See that a value has the form that its field takes.

    Raises:
        OwnNumbersError: It has not, or holds a number that is out of range.
    """
    if field.kind is FieldKind.FLAG:
        return
    try:
        shape = shape_of(value)
    except ValueError as fault:
        raise OwnNumbersError(
            Text("The rows of {symbol} have different lengths.", "{symbol} 各行的长度不一致。").fill(symbol=field.symbol)
        ) from fault
    if 0 in shape:
        raise OwnNumbersError(Text("{symbol} is empty.", "{symbol} 是空的。").fill(symbol=field.symbol))
    depth = len(shape)
    fits = {
        FieldKind.ROW: depth == 1,
        FieldKind.MATRIX: depth == 2,
        FieldKind.ROW_OR_MATRIX: depth in (1, 2),
        FieldKind.NUMBER: depth == 0,
    }[field.kind]
    if not fits:
        raise OwnNumbersError(
            Text("{symbol} should be {wanted}; read: {found}.", "{symbol} 应为{wanted}，读到的是：{found}。").fill(
                symbol=field.symbol, wanted=_WANTED[field.kind], found=_found(shape)
            )
        )
    for _, number in cells(value):
        try:
            to_float(number)
        except NotANumberError as fault:
            raise OwnNumbersError(
                Text("{symbol} holds a number that can't be used here.", "{symbol} 里有无法参与计算的数。").fill(
                    symbol=field.symbol
                )
            ) from fault


_WANTED = {
    FieldKind.ROW: Text("one row of numbers", "一行数"),
    FieldKind.MATRIX: Text("a matrix, its rows separated by semicolons or line breaks", "矩阵（行与行之间用分号或换行隔开）"),
    FieldKind.ROW_OR_MATRIX: Text("a row or a matrix", "一行数或矩阵"),
    FieldKind.NUMBER: Text("one number", "一个数"),
}


def _found(shape: tuple[int, ...]) -> Text:
    if not shape:
        return Text("one number", "一个数")
    if len(shape) == 1:
        return Text("a row of length {n}", "一行 {n} 个数").fill(n=shape[0])
    return Text("{size} numbers", "{size} 个数").fill(size=_size(shape))


def _size(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape))


# Shapes ----------------------------------------------------------------------------------------------------------------

SIZES: dict[str, tuple[str, ...]] = {
    "self-attention": ("B", "S", "d_model"),
    "cross-attention": ("B", "S_dec", "S_enc", "d_model"),
}
"""Sizes that each kind of attention needs; ``h`` (heads) may be added."""

MOST_ELEMENTS = 2**55
"""Numbers that a tensor may have: what its bytes can still be counted with in 64 bits."""


def _listed(names: Iterable[str]) -> Text:
    shown = list(names)
    return Text(", ".join(shown), "、".join(shown))


def build_shapes(kind: str, sizes: Mapping[str, int]) -> Program:
    """Write the program that gives the shape at every stage of attention.

    Args:
        kind: ``self-attention`` or ``cross-attention``.
        sizes: Its sizes by name; ``h`` is 1 if left out, and then the heads' axis is left out too.

    Raises:
        OwnNumbersError: A size is missing, unknown, not positive or too large, or d_model can't be divided by h.
    """
    if kind not in SIZES:
        raise OwnNumbersError(
            Text("There is no “{kind}”; choose from {known}.", "没有“{kind}”，可选 {known}。").fill(
                kind=kind[:40], known=_listed(SIZES)
            )
        )
    wanted = SIZES[kind]
    for name in wanted:
        if name not in sizes:
            raise OwnNumbersError(
                Text(
                    "{name} is missing; {kind} needs {all}, and h for several heads.",
                    "缺少 {name}；{kind} 需要 {all}，多头时还要 h。",
                ).fill(name=name, kind=kind, all=_listed(wanted))
            )
    for name, size in sizes.items():
        if name not in (*wanted, "h"):
            raise OwnNumbersError(
                Text("{kind} has no size {name}; it has {all} and h.", "{kind} 没有 {name}，可用的有 {all} 和 h。").fill(
                    kind=kind, name=name[:20], all=_listed(wanted)
                )
            )
        if size < 1:
            raise OwnNumbersError(
                Text("{name} must be at least 1; {size} was given.", "{name} 至少是 1，给的却是 {size}。").fill(
                    name=name, size=size
                )
            )
    heads, model = sizes.get("h", 1), sizes["d_model"]
    if model % heads:
        raise OwnNumbersError(
            Text(
                "d_model = {model} can't be divided evenly among {heads} heads.",
                "d_model = {model} 不能平分给 {heads} 个 head。",
            ).fill(model=model, heads=heads)
        )
    cross = kind == "cross-attention"
    queries, keys = (sizes["S_dec"], sizes["S_enc"]) if cross else (sizes["S"], sizes["S"])
    largest = max(sizes["B"] * max(queries, keys) * model, sizes["B"] * heads * queries * keys, model * model)
    if largest > MOST_ELEMENTS:
        raise OwnNumbersError(
            Text("These sizes are too large: no such tensor could exist.", "尺寸过大，不可能有这么大的张量。")
        )
    source = "E" if cross else "X"
    inputs: tuple[tuple[str, Nested | Shape], ...] = (
        ("X", Shape((sizes["B"], sizes["S_dec" if cross else "S"], model))),
        *((("E", Shape((sizes["B"], sizes["S_enc"], model))),) if cross else ()),
        ("d_model", model),
        ("h", heads),
    )
    many = "h" in sizes
    suffix = "_h" if many else ""
    calls: tuple[Call, ...] = (
        *(call(f"W_{name}", "weight", "d_model", "d_model") for name in "QKV"),
        call("Q", "project", "X", "W_Q"),
        call("K", "project", source, "W_K"),
        call("V", "project", source, "W_V"),
        *(call(f"{name}_h", "split_heads", name, "h") for name in "QKV" if many),
        call("S", "scores", f"Q{suffix}", f"K{suffix}"),
        call("A", "softmax", "S"),
        call("O", "mix", "A", f"V{suffix}"),
        *((call("H", "concat_heads", "O"),) if many else ()),
        call("W_O", "weight", "d_model", "d_model"),
        call("Y", "output_projection", "H" if many else "O", "W_O"),
    )
    return Program(inputs, calls, (Ask("Y", AnswerFormat(Kind.SHAPE), (), Asked.SHAPE, same("$Y$")),))
