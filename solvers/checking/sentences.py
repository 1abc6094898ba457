"""What checking a module says to a person."""

from __future__ import annotations

from question_bank.text import Text

RIGHT = Text("Right: on {n} inputs, the module agrees with the reference.", "正确：在 {n} 组输入上都与参考实现一致。")
WRONG = Text(
    "The module differs from the reference, and no known mistake gives its numbers.",
    "与参考实现不一致，也不是已知的任何一种错误。",
)
NAN = Text(
    "The module gives NaN ({given}), where the reference gives numbers. Look for a row of scores that is −∞ throughout, or 0/0.",
    "模块给出了 NaN（{given}），参考实现给出的是正常的数。请检查是否有某一行分数全是 −∞，或者出现了 0/0。",
)
CRASHED = Text("The module crashed ({given}): {fault}.", "模块运行出错（{given}）：{fault}。")
MASKS_TRIED = Text(
    "The mask was tried as {forms}, of True and False, of 1 and 0, and of 0 and −∞. If the module takes another, say how to call it: check_module(module, call=lambda module, x, memory, mask: ...).",
    "mask 试过的形状有 {forms}，取值试过 True/False、1/0 和 0/−∞。如果模块要的是别的形式，请说明如何调用：check_module(module, call=lambda module, x, memory, mask: ...)。",
)
OTHER_SHAPE = Text(
    "The module returns the shape {found} ({given}); expected: {expected}.",
    "模块输出的形状是 {found}（{given}），应为 {expected}。",
)
BATCH = Text(
    "The module attends across the batch: it takes the first axis for the sequence, but inputs are [B, S, d_model].",
    "模块是在 batch 维上做注意力：它把第一维当成了序列，而输入是 [B, S, d_model]。",
)


def random(dropout: bool) -> Text:
    """Say that outputs are random."""
    if dropout:
        return Text(
            "The same input gives different outputs: dropout is on. Call module.eval() first.",
            "同一输入两次结果不同：dropout 还开着，请先调用 module.eval()。",
        )
    return Text(
        "The same input gives different outputs: something in the module is random. If it is dropout, switch it off with module.eval().",
        "同一输入两次结果不同：模块里有随机的部分。如果是 dropout，请先调用 module.eval() 关掉。",
    )


def no_place(missing: str, found: str) -> Text:
    """Say that some weights have no place."""
    return Text(
        "No parameter looks like {missing} (found: {found}). Say which is which: check_module(module, names=dict(W_Q=..., W_K=..., W_V=..., W_O=...)).",
        "没有找到像 {missing} 的参数（现有：{found}）。请说明哪个是哪个：check_module(module, names=dict(W_Q=..., W_K=..., W_V=..., W_O=...))。",
    ).fill(missing=missing, found=found)


def given(batch: int, queries: int, keys: int, kind: str, *, cross: bool) -> Text:
    """Say what an input was."""
    masks = {
        "none": Text("no mask", "无 mask"),
        "causal": Text("a causal mask", "causal mask"),
        "padding": Text("a padding mask", "padding mask"),
    }[kind]
    if cross:
        asking = Text("1 query" if queries == 1 else "{q} queries", "{q} 个 query").fill(q=queries)
        asked = Text("1 key" if keys == 1 else "{k} keys", "{k} 个 key").fill(k=keys)
        return Text("batch {b}, {asking}, {asked}, {masks}", "batch 为 {b}，{asking}，{asked}，{masks}").fill(
            b=batch, asking=asking, asked=asked, masks=masks
        )
    tokens = Text("1 token" if queries == 1 else "{q} tokens", "{q} 个 token").fill(q=queries)
    return Text("batch {b}, {tokens}, {masks}", "batch 为 {b}，{tokens}，{masks}").fill(b=batch, tokens=tokens, masks=masks)


BOTH_MASKS = {
    "mask.forgotten": Text("You didn't use the mask that was passed in", "你没有用上传入的 mask"),
    "mask.after-softmax": Text(
        "You masked after the softmax, so that the weights left don't add up to 1; mask the scores with −∞ before it",
        "你在 softmax 之后才遮，剩下的权重之和不再是 1；应当在 softmax 之前把分数填成 −∞",
    ),
    "mask.zero": Text(
        "You put 0 in place of masked scores; $e^0$ is 1, so fill with $-\\infty$",
        "你把被遮住的分数填成了 0，而 $e^0$ 是 1；应填 $-\\infty$",
    ),
    "mask.inverted": Text(
        "You took the mask the other way round: here True says that a key may be seen, unless you pass polarity=MaskPolarity.TRUE_MASKS",
        "你把 mask 的含义弄反了：这里 True 表示可以看到，除非传入 polarity=MaskPolarity.TRUE_MASKS",
    ),
}
"""Mistakes that a module makes with whatever mask it is given."""

CAUSAL = Text(
    "The module hides later tokens by itself. If that is meant, say so: check_module(module, causal=True).",
    "模块自己遮住了后面的 token。如果本来就该这样，请写明：check_module(module, causal=True)。",
)
CAUSAL_BY_DEFAULT = Text(
    "The module hides later tokens when it is given no mask; the reference then hides none. To check it with masks alone, give it one always: check_module(module, call=lambda module, x, memory, mask: ...).",
    "没有传入 mask 时，模块会遮住后面的 token；参考实现这时什么也不遮。如果只想检查有 mask 的情形，请每次都传入 mask：check_module(module, call=lambda module, x, memory, mask: ...)。",
)
LAZY = Text(
    "The module has lazy layers, whose sizes aren't known yet. Run it once on an input first.",
    "模块里有 Lazy 层，尺寸还没有确定。请先用一个输入运行一次。",
)
ADDITIVE = Text(
    "This looks like additive attention (found: {found}), whose v turns each pair into one score; check_module knows dot-product attention only. If the values do have one feature, say so: check_module(module, names=dict(W_V=...)).",
    "这像是加性注意力（现有：{found}），其中的 v 把每一对 query 和 key 变成一个分数；check_module 只认识点积注意力。如果 value 确实只有一维，请写明：check_module(module, names=dict(W_V=...))。",
)
HEADS = Text(
    "{width} features can't be divided among {heads} heads (found: {found}). Say how many heads there are: check_module(module, heads=...).",
    "{width} 维没法平均分给 {heads} 个 head（现有：{found}）。请说明有几个 head：check_module(module, heads=...)。",
)
KV_HEADS = Text(
    "Queries of {q} features and keys of {k} fit no grouped-query attention (found: {found}; heads: {heads}): the number of KV heads must divide that of the heads. Say how many heads there are: check_module(module, heads=...).",
    "query 共 {q} 维、key 共 {k} 维，凑不成分组查询注意力（现有：{found}；head 数：{heads}）：head 数应当是 KV head 数的整数倍。请说明有几个 head：check_module(module, heads=...)。",
)
MISFIT = Text(
    "These weights don't make one attention (found: {found}; heads: {heads}). If a name misleads, say which is which: check_module(module, names=dict(W_Q=..., W_K=..., W_V=..., W_O=...)).",
    "这些权重凑不成一个注意力（现有：{found}；head 数：{heads}）。如果是名字引起了误会，请说明哪个是哪个：check_module(module, names=dict(W_Q=..., W_K=..., W_V=..., W_O=...))。",
)
OVER_THE_BATCH = Text(
    "You took the softmax over the batch, the first axis, not over the keys: write dim=-1 (without dim, torch takes the first axis of a 3-D tensor)",
    "你在 batch 维（第一维）上做了 softmax，应当在 key 维上做：请写明 dim=-1（不写 dim 时，torch 对三维张量取的是第一维）",
)
TILED = Text(
    "You repeated the KV heads in turn (0, 1, 0, 1); each must stand beside its own copies (0, 0, 1, 1), as repeat_interleave puts it",
    "你把 KV head 整组轮流重复了（0、1、0、1），应当每个连续重复（0、0、1、1），像 repeat_interleave 那样",
)
ADDED = Text(
    "Its mask is added to the scores, so it was given 0 where a key may be seen and −∞ where not; True and False would count as 1 and 0.",
    "模块把 mask 直接加到分数上，因此传入的是：可以看到的位置为 0，其余为 −∞；如果传 True 和 False，会被当成 1 和 0。",
)
SEQUENCE_FIRST = Text(
    "The module takes the sequence first (batch_first=False); inputs here are [B, S, d_model]. Make it with batch_first=True.",
    "这个模块的输入是序列维在前（batch_first=False），而这里的输入是 [B, S, d_model]。请在创建时加上 batch_first=True。",
)


def arguments(names: str) -> Text:
    """Say that a forward is not understood."""
    return Text(
        "forward({names}) is not understood: expected forward(x), forward(x, memory) or forward(q, k, v), with a mask if you like. Say how to call it: check_module(module, call=lambda module, x, memory, mask: ...).",
        "无法识别 forward({names})：参数应为 (x)、(x, memory) 或 (q, k, v)，也可以再加 mask。其他写法请说明如何调用：check_module(module, call=lambda module, x, memory, mask: ...)。",
    ).fill(names=names)
