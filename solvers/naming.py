"""How a remark calls a node: by its symbol alone where the person has seen it, with what it is where it hasn't been named."""

from __future__ import annotations

import re

from question_bank.problem import Problem
from question_bank.program import Call, Program
from question_bank.text import Text, same
from solvers.mistakes import value_symbol
from solvers.operations import OPERATIONS

_MATH = re.compile(r"\$([^$]*)\$")


def called(node: str, program: Program, problem: Problem | None) -> Text:
    """Return how to call a node in a sentence, the symbol included.

    Args:
        node: The node.
        program: The program as it is meant.
        problem: The problem whose prompt names some of the nodes; None where there is only a program, which is known whole.
    """
    written = value_symbol(node)
    line = program.lines.get(node)
    if problem is None or line is None or is_named(node, problem):
        return same(written)
    return _what(line).fill(node=written)


def is_named(node: str, problem: Problem) -> bool:
    """Tell whether a person has seen a node's symbol: among the inputs, in the prompt, beside an answer, or in the code."""
    program = problem.program
    if node in program.values or any(ask.node == node and ask.label is None for ask in program.asks):
        return True
    if any(re.search(rf"\b{re.escape(node)}\b", line) for line in problem.listing):
        return True
    texts = [problem.prompt.en, *(ask.label.en for ask in program.asks if ask.label is not None)]
    # $Q$ isn't named by $W_Q$, nor $V$ by $V_h$.
    alone = re.compile(rf"(?<![A-Za-z\\_])(?<!_\{{){re.escape(value_symbol(node)[1:-1])}(?![A-Za-z_])")
    return any(alone.search(math) for text in texts for math in _MATH.findall(text))


_SIDES = {"Q": Text("queries", "query"), "K": Text("keys", "key"), "V": Text("values", "value")}

_WHAT = {
    "activation": Text("the hidden values {node}", "隐藏层的值 {node}"),
    "add": Text("the sum {node}", "相加之后的结果 {node}"),
    "alibi": Text("the scores with their penalties {node}", "加上距离惩罚之后的分数 {node}"),
    "alibi_slope": Text("the slope {node}", "斜率 {node}"),
    "attention_parameters": Text("the parameters of attention {node}", "注意力部分的参数量 {node}"),
    "causal_mask": Text("the scores under the causal mask {node}", "加上 causal mask 之后的分数 {node}"),
    "concat_heads": Text("the concatenated heads {node}", "各个 head 拼接之后的结果 {node}"),
    "embedding_parameters": Text("the parameters of the embeddings {node}", "embedding 部分的参数量 {node}"),
    "embedding_scale": Text("the scaled embedding {node}", "缩放之后的 embedding {node}"),
    "ffn_parameters": Text("the parameters of the FFN {node}", "FFN 部分的参数量 {node}"),
    "gate": Text("the gated hidden layer {node}", "门控之后的隐藏层 {node}"),
    "head_dimension": Text("the width of a head {node}", "每个 head 的宽度 {node}"),
    "influence": Text("the positions reached (1) or not (0) {node}", "各位置是否受影响（1 是，0 否）{node}"),
    "layer_norm": Text("the normalised vector {node}", "归一化之后的向量 {node}"),
    "mix": Text("the output {node}", "输出 {node}"),
    "padding_mask": Text("the scores under the padding mask {node}", "遮住 padding 之后的分数 {node}"),
    "residual_add": Text("the sum with the residual {node}", "加上残差之后的结果 {node}"),
    "scale": Text("the scaled scores {node}", "缩放之后的分数 {node}"),
    "scores": Text("the scores {node}", "分数 {node}"),
    "softmax": Text("the weights {node}", "权重 {node}"),
    "temperature": Text("the scores at this temperature {node}", "按温度调整之后的分数 {node}"),
    "total": Text("the total {node}", "总数 {node}"),
    "weight": Text("the weight matrix {node}", "权重矩阵 {node}"),
}


def _what(line: Call) -> Text:
    """Say what a line makes, with a place for its symbol."""
    first = value_symbol(line.arguments[0]) if line.arguments else ""
    side = _SIDES.get(line.node[0])
    own = _SIDES.get(line.node[-1])
    match line.operation:
        case "project" if line.node in _SIDES:
            return Text("the {side} {node}", "{side} {node}").fill(side=_SIDES[line.node])
        case "project":
            return Text("{node} (the product with {weight})", "乘以 {weight} 之后的结果 {node}").fill(
                weight=value_symbol(line.arguments[1])
            )
        case "split_heads" if side:
            return Text("the {side} split into heads {node}", "拆分成多头之后的 {side} {node}").fill(side=side)
        case "repeat_heads" if side:
            return Text("the repeated {side} {node}", "复制之后的 {side} {node}").fill(side=side)
        case "rotate":
            return Text("the rotated {vector} {node}", "旋转之后的 {vector} {node}").fill(vector=_rotated(line.node))
        case "head_dimension" if own and line.arguments[-1] != "h":
            return Text("{node} (the width of the {side} of all heads)", "全部 head 的 {side} 总宽度 {node}").fill(side=own)
        case "layer_flops":
            return Text("{node} (the FLOPs at length {length})", "序列长度为 {length} 时的 FLOPs {node}").fill(length=first)
        case "mix" if "_" in line.arguments[1]:
            return Text("the outputs of the heads {node}", "各个 head 的输出 {node}")
    title = Text("{node} of the step “{title}”", "“{title}”这一步的 {node}").fill(title=OPERATIONS[line.operation].title)
    return _WHAT.get(line.operation, title)


def _rotated(node: str) -> Text:
    return Text("key", "key") if node.lower().startswith("k") else Text("query", "query")
