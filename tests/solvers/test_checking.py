"""Whole attention modules of other people: right in several styles, and wrong in the ways people are."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from question_bank.math import plain
from solvers.checking import MaskPolarity, ModuleCheck, ModuleOutcome, check_module

RIGHT, MISTAKE = ModuleOutcome.RIGHT, ModuleOutcome.KNOWN_MISTAKE

# Right ones, in different styles -----------------------------------------------------------------------------------------


class Separate(nn.Module):
    """Three linear layers and an output, biases and all; steps may be replaced to make mistakes."""

    def __init__(self, d: int = 8, h: int = 2, **steps: Callable[..., Any]) -> None:
        super().__init__()
        self.n_heads, self.steps = h, steps
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d, d) for _ in range(4))

    def step(self, name: str, default: Callable[..., Any]) -> Callable[..., Any]:
        return self.steps.get(name, default)

    def split(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], self.n_heads, -1).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        split = self.step("split", Separate.split)
        q, k, v = (split(self, layer(x)) for layer in (self.q_proj, self.k_proj, self.v_proj))
        scores = self.step("score", lambda q, k: q @ k.transpose(-2, -1))(q, k)
        scores = self.step("scale", lambda s, q, x: s / math.sqrt(q.shape[-1]))(scores, q, x)
        if mask is not None:
            scores = self.step("mask", lambda s, m: s.masked_fill(~m, -math.inf))(scores, mask)
        weights = self.step("softmax", lambda s: s.softmax(-1))(scores)
        if mask is not None:
            weights = self.step("after", lambda w, m: w)(weights, mask)
        out = self.step("mix", lambda w, q, k, v: w @ v)(weights, q, k, v)
        joined = self.step("join", lambda o, x: o.transpose(1, 2).reshape(x.shape))(out, x)
        return self.step("output", lambda y, layer: layer(y))(joined, self.out_proj)


class Fused(nn.Module):
    """One matrix for queries, keys and values, in any order or head by head."""

    def __init__(self, order: str = "qkv", by_head: bool = False) -> None:
        super().__init__()
        self.num_heads, self.order, self.by_head = 3, order, by_head
        self.c_attn = nn.Linear(12, 36)
        self.c_proj = nn.Linear(12, 12)

    def forward(self, x: Tensor) -> Tensor:
        if self.by_head:
            parts = self.c_attn(x).view(*x.shape[:2], 3, 12).transpose(1, 2).chunk(3, -1)
        else:
            parts = tuple(one.view(*x.shape[:2], 3, 4).transpose(1, 2) for one in self.c_attn(x).chunk(3, -1))
        by_name = dict(zip(self.order, parts, strict=True))
        out = F.scaled_dot_product_attention(by_name["q"], by_name["k"], by_name["v"])
        return self.c_proj(out.transpose(1, 2).flatten(2))


class Einsum(nn.Module):
    """Bare parameters, a matrix for each head, and einsum."""

    def __init__(self, last: str = "bhqs,bhsk->bhqk") -> None:
        super().__init__()
        self.heads, self.last = 3, last
        self.W_q, self.W_k, self.W_v = (nn.Parameter(torch.randn(3, 12, 4)) for _ in range(3))
        self.W_o = nn.Parameter(torch.randn(3, 4, 12))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (torch.einsum("bsd,hdk->bhsk", x, w) for w in (self.W_q, self.W_k, self.W_v))
        weights = (torch.einsum("bhqk,bhsk->bhqs", q, k) / 2).softmax(-1)
        return torch.einsum("bhqk,hkd->bqd", torch.einsum(self.last, weights, v), self.W_o), weights


class Head(nn.Module):
    """One head of a width of its own, causal if asked."""

    def __init__(self, d: int = 6, width: int = 4, causal: bool = False) -> None:
        super().__init__()
        self.causal = causal
        self.query, self.key, self.value = (nn.Linear(d, width, bias=False) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x), is_causal=self.causal)


class Heads(nn.Module):
    """Heads in a list."""

    def __init__(self, causal: bool = False) -> None:
        super().__init__()
        self.heads = nn.ModuleList(Head(6, 3, causal) for _ in range(2))
        self.proj = nn.Linear(6, 6)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(torch.cat([head(x) for head in self.heads], -1))


class Bare(nn.Module):
    """Parameters for X W, or for its transpose."""

    def __init__(self, turned: bool) -> None:
        super().__init__()
        self.turned = turned
        self.W_Q, self.W_K, self.W_V = (nn.Parameter(torch.randn(5, 5)) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (x @ (w.T if self.turned else w) for w in (self.W_Q, self.W_K, self.W_V))
        return F.scaled_dot_product_attention(q, k, v)


class Cross(nn.Module):
    """Queries from one sequence, keys and values from another."""

    def __init__(self, swapped: bool = False) -> None:
        super().__init__()
        self.swapped = swapped
        self.to_q, self.to_kv, self.to_out = nn.Linear(6, 6), nn.Linear(6, 12), nn.Linear(6, 6)

    def forward(self, x: Tensor, context: Tensor) -> Tensor:
        k, v = self.to_kv(context).chunk(2, -1)
        return self.to_out(F.scaled_dot_product_attention(self.to_q(x), v if self.swapped else k, v))


class Grouped(Separate):
    """Fewer heads of keys and values than of queries."""

    def __init__(self, kv: int = 2, *, tiled: bool = False) -> None:
        super().__init__(d=16, h=4)
        self.kv, self.tiled = kv, tiled
        self.k_proj, self.v_proj = nn.Linear(16, 4 * kv), nn.Linear(16, 4 * kv)
        self.steps = {"split": lambda self, x: self.repeated(x)}

    def repeated(self, x: Tensor) -> Tensor:
        heads = x.view(*x.shape[:2], -1, 4).transpose(1, 2)
        times = 4 // heads.shape[1]
        return heads.repeat(1, times, 1, 1) if self.tiled else heads.repeat_interleave(times, 1)


class FusedGrouped(nn.Module):
    """One matrix for them."""

    def __init__(self) -> None:
        super().__init__()
        self.num_heads, self.num_key_value_heads = 4, 2
        self.qkv = nn.Linear(16, 32)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (part.view(*x.shape[:2], -1, 4).transpose(1, 2) for part in self.qkv(x).split([16, 8, 8], -1))
        out = F.scaled_dot_product_attention(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1))
        return out.transpose(1, 2).flatten(2)


class OfKeys(Separate):
    """A mask as Hugging Face passes it, [B, S] of 1 and 0; over the rows for the mistake."""

    def __init__(self, rows: bool = False) -> None:
        super().__init__()
        self.rows = rows

    def forward(self, x: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        if attention_mask is None:
            return super().forward(x)
        hidden = 1 - attention_mask  # of booleans there is no difference
        hidden = hidden[:, None, :, None] if self.rows else hidden[:, None, None, :]
        return super().forward(x, hidden == 0)


class Function(nn.Module):
    """Nothing but the formula."""

    def __init__(self, formula: Callable[..., Tensor]) -> None:
        super().__init__()
        self.formula = formula

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.formula(q, k, v, mask)


class Alone(Separate):
    """One head that is never split."""

    def __init__(self, **steps: Callable[..., Any]) -> None:
        super().__init__(h=1)
        self.steps = {"split": lambda self, x: x, "join": lambda o, x: o, **steps}


class Default(Separate):
    """A causal mask where none is given."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        return super().forward(x, torch.ones(x.shape[1], x.shape[1]).tril().bool() if mask is None else mask)


def _hidden(scores: Tensor, diagonal: int, fill: float = -math.inf) -> Tensor:
    return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(diagonal), fill)


def _rows(scores: Tensor, mask: Tensor, fill: float) -> Tensor:
    padding = mask.dim() > 2
    return scores.masked_fill(~(mask.mT if padding else mask), fill)


class Unscaled(Separate):
    """What T5 does, and means to."""

    def __init__(self) -> None:
        super().__init__(scale=lambda s, q, x: s)


def _formula(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


RIGHT_ONES: dict[str, tuple[nn.Module, dict[str, Any]]] = {
    "separate layers": (Separate(), {}),
    "one head of them": (Separate(h=1), {}),
    "fused": (Fused(), {}),
    "fused in another order": (Fused("kqv"), {}),
    "fused head by head": (Fused(by_head=True), {}),
    "einsum": (Einsum(), {}),
    "one head": (Head(), {}),
    "one causal head": (Head(causal=True), {"causal": True}),
    "a list of heads": (Heads(), {}),
    "a list of causal heads": (Heads(causal=True), {"causal": True}),
    "bare parameters": (Bare(turned=False), {}),
    "bare parameters, transposed": (Bare(turned=True), {}),
    "cross-attention": (Cross(), {}),
    "the formula": (Function(_formula), {}),
    "grouped queries": (Grouped(), {}),
    "one head of keys and values": (Grouped(1), {}),
    "grouped queries, fused": (FusedGrouped(), {}),
    "a mask of keys": (OfKeys(), {}),
    "a mask that is added": (Separate(mask=lambda s, m: s + m), {}),
    "a finite fill": (Separate(mask=lambda s, m: s.masked_fill(~m, -1e9)), {}),
    "half precision": (Separate().bfloat16(), {}),
    "torch's own with features of another number": (
        nn.MultiheadAttention(8, 2, kdim=6, vdim=6, batch_first=True),
        {"polarity": MaskPolarity.TRUE_MASKS},
    ),
    "double precision": (Separate().double(), {}),
    "torch's own": (nn.MultiheadAttention(8, 2, batch_first=True), {"polarity": MaskPolarity.TRUE_MASKS}),
    "not scaled, and meant so": (Unscaled(), {"scaled": False}),
    "dropout switched off": (
        nn.MultiheadAttention(8, 2, dropout=0.5, batch_first=True).eval(),
        {"polarity": MaskPolarity.TRUE_MASKS},
    ),
}


@pytest.mark.parametrize("name", RIGHT_ONES)
def test_right_modules_are_right(name: str) -> None:
    module, options = RIGHT_ONES[name]
    before = {key: value.clone() for key, value in module.state_dict().items()}
    for seed in (0, 1):
        found = check_module(module, seed=seed, **options)
        assert found.outcome is RIGHT, found.message.en
        assert found.right
        assert found.compared >= 5
        assert found.mistake is found.difference is None
    after = module.state_dict()
    assert all(torch.equal(before[key], after[key]) for key in before), "a module gets its own weights back"


# Wrong ones --------------------------------------------------------------------------------------------------------------


def _untransposed_join(out: Tensor, x: Tensor) -> Tensor:
    return out.reshape(x.shape)


def _turned(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _formula(*(x.transpose(0, 1) for x in (q, k, v)), None).transpose(0, 1)


ONE_SEQUENCE: dict[str, Any] = {"call": lambda module, x, memory, mask: module(x, x, x)}
WRONG_ONES: dict[str, tuple[nn.Module, dict[str, Any], str]] = {
    "no scaling": (Separate(scale=lambda s, q, x: s), {}, "scale.not-scaled"),
    "scaling by d_k": (Separate(scale=lambda s, q, x: s / q.shape[-1]), {}, "scale.by-d_k"),
    "scaling by the root of d_model": (Separate(scale=lambda s, q, x: s / math.sqrt(x.shape[-1])), {}, "scale.root-d_model"),
    "scaling up": (Separate(scale=lambda s, q, x: s * math.sqrt(q.shape[-1])), {}, "scale.times-root"),
    "softmax over queries": (Separate(softmax=lambda s: s.softmax(-2)), {}, "softmax.columns"),
    "softmax over heads": (Separate(softmax=lambda s: s.softmax(1)), {}, "softmax.heads"),
    "no softmax but a sigmoid": (Separate(softmax=torch.sigmoid), {}, "softmax.sigmoid"),
    "exponentials that are not normalised": (Separate(softmax=torch.exp), {}, "softmax.not-normalised"),
    "mask ignored": (Separate(mask=lambda s, m: s), {}, "mask.forgotten"),
    "mask after the softmax": (Separate(mask=lambda s, m: s, after=lambda w, m: w * m), {}, "mask.after-softmax"),
    "scores of 0 for masked keys": (Separate(mask=lambda s, m: s * m), {}, "mask.zero"),
    "the other polarity": (Separate(mask=lambda s, m: s.masked_fill(m, -math.inf)), {}, "mask.inverted"),
    "heads not transposed": (
        Separate(split=lambda self, x: x.view(*x.shape[:2], self.n_heads, -1), join=_untransposed_join),
        {},
        "split_heads.never-transposed",
    ),
    "heads cut out of the sequence": (
        Separate(split=lambda self, x: x.reshape(x.shape[0], self.n_heads, x.shape[1], -1)),
        {},
        "split_heads.cut-sequence",
    ),
    "heads joined without transposing back": (Separate(join=_untransposed_join), {}, "concat_heads.no-transpose"),
    "W_O missing": (Separate(output=lambda y, layer: y), {}, "output_projection.forgotten"),
    "keys mixed instead of values": (Separate(mix=lambda w, q, k, v: w @ k), {}, "mix.keys-for-values"),
    "weights transposed": (Separate(score=lambda q, k: k @ q.transpose(-2, -1)), {}, "scores.transposed"),
    "queries scored against themselves": (Separate(score=lambda q, k: q @ q.transpose(-2, -1)), {}, "scores.square"),
    "the future seen": (Head(), {"causal": True}, "causal_mask.forgotten"),
    "causal, and not meant to be": (Head(causal=True), {}, "module.causal"),
    "the batch for the sequence": (Function(lambda q, k, v, m: _turned(q, k, v)), ONE_SEQUENCE, "module.across-the-batch"),
    "values scored in cross-attention": (Cross(swapped=True), {}, "project.wrong-weight"),
    "softmax over the batch": (Separate(softmax=lambda s: s.softmax(0)), {}, "softmax.batch"),
    "softmax over the batch, one head": (Alone(softmax=lambda s: s.softmax(0)), {}, "softmax.batch"),
    "KV heads in turn": (Grouped(tiled=True), {}, "repeat_heads.tiled"),
    "exponentials of many features": (Separate(d=32, h=1, softmax=torch.exp), {}, "softmax.not-normalised"),
    "causal, and with a mask": (Separate(scale=lambda s, q, x: _hidden(s / math.sqrt(q.shape[-1]), 1)), {}, "module.causal"),
    "causal where there is no mask": (Default(), {}, "module.causal"),
    "scaling by d_k, and a mask that is added": (
        Separate(scale=lambda s, q, x: s / q.shape[-1], mask=lambda s, m: s + m), {}, "scale.by-d_k",
    ),
    "a mask of keys over the rows": (OfKeys(rows=True), {}, "padding_mask.queries"),
}  # fmt: skip

for _fill in (-1e9, -1e4):
    _set = partial(lambda s, m, f: s.masked_fill(~m, f), f=_fill)
    _strict = partial(lambda s, q, x, f: _hidden(s / math.sqrt(q.shape[-1]), 0, f), f=_fill)
    _past = partial(lambda s, q, x, f: _hidden((s / math.sqrt(q.shape[-1])).mT, 1, f).mT, f=_fill)
    WRONG_ONES |= {
        f"softmax over queries, {_fill}": (Separate(mask=_set, softmax=lambda s: s.softmax(-2)), {}, "softmax.columns"),
        f"the other polarity, {_fill}": (Separate(mask=lambda s, m, f=_set: f(s, ~m)), {}, "mask.inverted"),
        f"the other polarity, added, {_fill}": (Separate(mask=lambda s, m, f=_fill: s + m * f), {}, "mask.inverted"),
        f"no token sees itself, {_fill}": (Alone(mask=_set, scale=_strict), {"causal": True}, "causal_mask.strict"),
        f"the past hidden, {_fill}": (Alone(mask=_set, scale=_past), {"causal": True}, "causal_mask.lower"),
        f"padded rows hidden, {_fill}": (Separate(mask=partial(_rows, fill=_fill)), {}, "padding_mask.queries"),
    }


@pytest.mark.parametrize("name", WRONG_ONES)
def test_the_mistake_is_named(name: str) -> None:
    module, options, mistake = WRONG_ONES[name]
    found = check_module(module, **options)
    assert (found.outcome, found.mistake) == (MISTAKE, mistake), found.message.en
    assert found.difference is not None
    assert found.difference.expected is not None
    assert found.difference.found is not None
    assert not torch.allclose(found.difference.expected, found.difference.found.double())
    assert "First seen with" in found.message.en
    assert "最先出现差异的输入" in found.message.zh
    assert found.message.en.endswith(".")
    assert found.message.zh.endswith("。")
    assert not set("{}$") & set(plain(found.message.en) + plain(found.message.zh))


class Strict(nn.Module):
    """Causal, but no token sees itself."""

    def __init__(self, diagonal: int) -> None:
        super().__init__()
        self.diagonal = diagonal
        self.query, self.key, self.value = (nn.Linear(4, 4, bias=False) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.query(x), self.key(x), self.value(x)
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(self.diagonal).bool()
        return (q @ k.transpose(-2, -1) / 2).masked_fill(hidden, -math.inf).softmax(-1) @ v


def test_a_lost_diagonal_is_named_though_it_makes_nan() -> None:
    assert check_module(Strict(1), causal=True).right
    found = check_module(Strict(0), causal=True)
    assert (found.outcome, found.mistake) == (MISTAKE, "causal_mask.strict"), found.message.en


# Nothing to compare ------------------------------------------------------------------------------------------------------


class Odd(nn.Module):
    """Whatever else a module may do."""

    def __init__(self, result: Callable[[Tensor], Any]) -> None:
        super().__init__()
        self.result = result

    def forward(self, x: Tensor) -> Any:
        return self.result(x)


class Alpha(nn.Module):
    """Names that say nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.alpha, self.beta, self.gamma = (nn.Linear(4, 4) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(self.alpha(x), self.beta(x), self.gamma(x))


class Arguments(nn.Module):
    """Arguments that say nothing."""

    def forward(self, tokens: Tensor, depth: int, scale: float, kind: str) -> Tensor:
        return tokens


def _check(result: Callable[[Tensor], Any]) -> ModuleCheck:
    return check_module(Odd(result))


def test_what_can_not_be_compared_is_said() -> None:
    crashed = _check(lambda x: x @ x)
    assert crashed.outcome is ModuleOutcome.CRASHED
    assert "RuntimeError" in crashed.message.en
    assert crashed.difference is not None
    assert _check(lambda x: {"out": x}).outcome is ModuleOutcome.CRASHED
    shape = _check(lambda x: x.mean(1))
    assert shape.outcome is ModuleOutcome.OTHER_SHAPE
    assert "[1, 8]" in shape.message.en
    assert "[1, 1, 8]" in shape.message.zh
    assert _check(lambda x: x + torch.rand_like(x)).outcome is ModuleOutcome.RANDOM
    assert _check(lambda x: x / 0 * 0).outcome is ModuleOutcome.NOT_A_NUMBER
    wrong = _check(lambda x: x * 3)
    assert (wrong.outcome, wrong.mistake) == (ModuleOutcome.WRONG, None)


def test_dropout_is_told_to_be_switched_off() -> None:
    module = nn.Sequential(Separate(), nn.Dropout(0.5))
    module.forward = lambda x: module[1](module[0](x))  # type: ignore[method-assign]
    found = check_module(module, heads=2)
    assert found.outcome is ModuleOutcome.RANDOM
    assert "call module.eval() first" in found.message.en.lower() or "Call module.eval() first" in found.message.en
    assert check_module(module.eval(), heads=2).right


class Additive(nn.Module):
    """Scores from a small network, not from dot products."""

    def __init__(self) -> None:
        super().__init__()
        self.W_q, self.W_k, self.v = nn.Linear(8, 6), nn.Linear(8, 6), nn.Linear(6, 1)

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        scores = self.v(torch.tanh(self.W_q(query)[:, :, None] + self.W_k(keys)[:, None]))[..., 0]
        return scores.softmax(-1) @ keys


def test_weights_that_make_no_such_attention_are_said() -> None:
    uneven = Separate(h=2)
    uneven.k_proj = nn.Linear(8, 6)
    apart = Separate()
    apart.v_proj = nn.Linear(7, 8)
    for module, words in (
        (Additive(), "additive attention"),
        (uneven, "Queries of 8 features and keys of 6"),
        (apart, "don't make one attention"),
        (Separate(h=3), "8 features can't be divided among 3 heads"),
        (nn.Sequential(nn.LazyLinear(3)), "lazy layers"),
    ):
        found = check_module(module)
        assert found.outcome is ModuleOutcome.NOT_UNDERSTOOD
        assert words in found.message.en, found.message.en
    with pytest.raises(ValueError, match="8 features can't be divided among 3 heads"):
        check_module(Separate(), heads=3)


def test_a_mask_in_no_known_form_is_said() -> None:
    def refuse(scores: Tensor, mask: Tensor) -> Tensor:
        raise AssertionError

    found = check_module(Separate(mask=refuse))
    assert found.outcome is ModuleOutcome.CRASHED
    assert "AssertionError. The mask was tried as [S_q, S_k], [B, 1, S_q, S_k]" in found.message.en
    assert "call=lambda" in found.message.zh


def test_one_query_is_one() -> None:
    assert "1 query, 4 keys" in check_module(Cross(swapped=True)).message.en


def test_a_module_gets_its_very_tensors_back() -> None:
    module = Separate(output=lambda y, layer: layer(y) * 3)
    module.register_buffer("table", torch.ones(3))
    own = {name: (tensor, tensor.data_ptr(), tensor.clone()) for name, tensor in module.state_dict(keep_vars=True).items()}
    assert check_module(module).outcome is ModuleOutcome.WRONG  # so that it was run in float64 too
    after = module.state_dict(keep_vars=True)
    for name, (tensor, place, numbers) in own.items():
        assert after[name] is tensor
        assert tensor.data_ptr() == place
        assert tensor.dtype is torch.float32
        assert torch.equal(tensor, numbers)


@pytest.mark.parametrize(
    ("module", "options", "error", "words"),
    [
        (Separate, {}, TypeError, "found the class Separate"),
        (_formula, {}, TypeError, "found the function _formula"),
        ("attention", {}, TypeError, "found str 'attention'"),
        (Separate(), {"heads": "2"}, TypeError, "heads: expected a whole number, found str '2'"),
        (Separate(), {"heads": 0}, ValueError, "heads: expected at least 1, found 0"),
        (Separate(), {"heads": True}, TypeError, "heads: expected a whole number, found bool True"),
        (Separate(), {"causal": "yes"}, TypeError, "causal: expected True or False, found str 'yes'"),
        (Separate(), {"polarity": True}, TypeError, "polarity: expected MaskPolarity.TRUE_KEEPS"),
        (Separate(), {"call": 3}, TypeError, "call: expected a function"),
        (Separate(), {"names": ["W_Q"]}, TypeError, "names: expected a mapping"),
        (Separate(), {"names": {"W_X": "q_proj"}}, ValueError, "found 'W_X'"),
        (Separate(), {"names": {"W_Q": "query"}}, ValueError, "no parameter 'query'; it has q_proj.weight"),
        (Function(_formula), {"heads": 3, "width": 8}, ValueError, "width: 8 features can't be divided among 3 heads"),
    ],
)
def test_arguments_that_can_not_be_are_refused(
    module: Any, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as refusal:
        check_module(module, **options)
    assert words in str(refusal.value)


def test_names_and_calls_of_ones_own() -> None:
    refused = check_module(Alpha())
    assert refused.outcome is ModuleOutcome.NOT_UNDERSTOOD
    assert "W_Q, W_K, W_V" in refused.message.en
    assert "alpha.weight [4, 4]" in refused.message.zh
    assert check_module(Alpha(), names={"W_Q": "alpha", "W_K": "beta", "W_V": "gamma"}).right
    found = check_module(Alpha(), names={"W_Q": "alpha", "W_K": "gamma", "W_V": "beta"})
    assert found.outcome is not RIGHT
    refused = check_module(Arguments())
    assert refused.outcome is ModuleOutcome.NOT_UNDERSTOOD
    assert "forward(tokens, depth, scale, kind)" in refused.message.en
    first = nn.MultiheadAttention(8, 2)
    assert "batch_first=True" in check_module(first).message.en
    called = check_module(Function(_formula), call=lambda module, x, memory, mask: module(x, x, x, mask))
    assert called.right, called.message.en
