"""Why a step is taken, said of the case at hand where one operation covers several."""

from __future__ import annotations

from collections.abc import Callable

from question_bank.program import Call, Parameter
from question_bank.text import Text
from solvers.operations import OPERATIONS


def reason(line: Call) -> Text:
    """Return the sentence of reason for a line of a program: the operation's own, or that of its case."""
    case = _CASES.get(line.operation)
    return (case(line) if case is not None else None) or OPERATIONS[line.operation].reason


# Steps and layers ------------------------------------------------------------------------------------------------------

_PATHS = {
    "rnn": Text(
        "An RNN hands a signal to the next position only, so every position of the distance costs a step.",
        "RNN 每一步只把信号传给下一个位置，相隔几个位置就要走几步。",
    ),
    "attention": Text(
        "Self-attention joins any two positions directly, so one layer does whatever the distance.",
        "self-attention 把任意两个位置直接连起来，无论相距多远，一层就够。",
    ),
    "cnn causal": Text(
        "Each layer of a causal convolution looks $k - 1$ positions further back; the last layer need not be used to the full, so the quotient is rounded up.",
        "因果卷积每多一层，就能往前多看 $k - 1$ 个位置；最后一层不必用满，所以商要向上取整。",
    ),
    "cnn centred": Text(
        "A centred kernel looks $(k - 1)/2$ positions to either side, so each layer gains half as much in one direction as a causal one.",
        "居中的卷积核左右各看 $(k - 1)/2$ 个位置，朝一个方向，每层只能推进因果卷积的一半。",
    ),
    "dilated causal": Text(
        "With dilations $1, k, k^2, \\ldots$ the field grows by a factor of $k$ per layer: $n$ layers see $k^n$ positions, $k^n - 1$ of them behind.",
        "空洞率依次为 $1, k, k^2, \\ldots$ 时，每多一层，感受野扩大到 $k$ 倍：$n$ 层共看到 $k^n$ 个位置，其中 $k^n - 1$ 个在前面。",
    ),
    "dilated centred": Text(
        "With dilations $1, k, k^2, \\ldots$ the field grows by a factor of $k$ per layer; of the $k^n$ positions that $n$ layers see, $(k^n - 1)/2$ lie to either side.",
        "空洞率依次为 $1, k, k^2, \\ldots$ 时，每多一层，感受野扩大到 $k$ 倍；$n$ 层看到 $k^n$ 个位置，左右各 $(k^n - 1)/2$ 个。",
    ),
}


def _path(line: Call) -> Text:
    kind = str(line.parameter("kind", "rnn"))
    return _PATHS.get(kind) or _PATHS[f"{kind} {line.parameter('window', 'causal')}"]


# Counts ----------------------------------------------------------------------------------------------------------------

_BIASES = Text("A bias adds one number for each output.", "偏置为每一维输出再添一个参数。")
_QKV_BIASES = Text(
    "$Q$, $K$ and $V$ have a bias, one number for each output; $W_O$ has none.",
    "$Q$、$K$、$V$ 带偏置，每一维输出一个参数；$W_O$ 不带。",
)


def _with_biases(said: Text, line: Call) -> Text:
    biases = line.parameter("biases", "no")
    return said + _QKV_BIASES if biases == "qkv" else said + _BIASES if biases == "yes" else said


def _attention_parameters(line: Call) -> Text:
    if len(line.arguments) == 1:
        said = Text(
            "All parameters are in four matrices of $d_{\\text{model}} \\times d_{\\text{model}}$; scores, softmax and mixing have none. The heads only cut up these matrices, so their number plays no part.",
            "参数全在四个 $d_{\\text{model}} \\times d_{\\text{model}}$ 的矩阵里，打分、softmax 和加权求和都没有参数。各个 head 只是把这些矩阵切开，head 数不影响参数量。",
        )
    else:
        said = Text(
            "$W_Q$ and $W_O$ are as wide as all query heads together, $W_K$ and $W_V$ as all KV heads; scores, softmax and mixing have no parameters.",
            "$W_Q$、$W_O$ 的宽度是全部 query head 的总宽度，$W_K$、$W_V$ 的宽度是全部 KV head 的总宽度；打分、softmax 和加权求和都没有参数。",
        )
    return _with_biases(said, line)


_GATED = Text(
    "A gated FFN has three matrices: two widen $d_{\\text{model}}$ to $d_{\\text{ff}}$, one of them for the gate, and the third narrows it again.",
    "带门控的 FFN 有三个矩阵：两个把宽度从 $d_{\\text{model}}$ 扩到 $d_{\\text{ff}}$，其中一个用于门控；第三个再缩回来。",
)
_UNGATED = Text(
    "One matrix widens $d_{\\text{model}}$ to $d_{\\text{ff}}$, the other narrows it again.",
    "一个矩阵把宽度从 $d_{\\text{model}}$ 扩到 $d_{\\text{ff}}$，另一个再缩回来。",
)


def _ffn_parameters(line: Call) -> Text:
    said = _with_biases(_GATED if line.parameter("form", "relu") == "swiglu" else _UNGATED, line)
    return said + Text("Every layer has its own.", "每一层各有一份。") if len(line.arguments) > 2 else said


def _layer_parameters(line: Call) -> Text:
    if line.parameter("kind", "encoder") == "decoder":
        return Text(
            "A decoder layer has self-attention, cross-attention and an FFN, and a norm for each of the three. The length of the sequence plays no part.",
            "解码器层有 self-attention、cross-attention 和 FFN，三者各配一个归一化层；参数量与序列长度无关。",
        )
    return Text(
        "An encoder layer has attention and an FFN, and a norm for each of the two. The length of the sequence plays no part.",
        "编码器层有注意力和 FFN，两者各配一个归一化层；参数量与序列长度无关。",
    )


def _embedding_parameters(line: Call) -> Text:
    tied = line.parameter("tied", "yes") == "yes"
    said = Text(
        "Each token of the vocabulary has a row; the output layer is tied to this matrix and adds nothing."
        if tied
        else "Each token of the vocabulary has a row; the output layer isn't tied to it and has a matrix of the same size.",
        "词表里每个 token 占一行；输出层与它绑定权重，不再增加参数。"
        if tied
        else "词表里每个 token 占一行；输出层不与它绑定，另有一个同样大小的矩阵。",
    )
    if len(line.arguments) > 2:
        said += Text("Each learned position has a row too.", "每个可学习的位置也占一行。")
    return said


def _model_parameters(line: Call) -> Text:
    if line.parameter("kind", "one-stack") == "encoder-decoder":
        said = Text(
            "Embeddings count once, all else once for each layer; a decoder layer has a second attention, the cross-attention, and a third norm.",
            "embedding 只算一次，其余的每层各算一次；解码器层多一个注意力（cross-attention），也多一个归一化层。",
        )
    else:
        said = Text(
            "Embeddings count once; attention, FFN and two norms count once for each layer.",
            "embedding 只算一次；注意力、FFN 和两个归一化层，每层各算一次。",
        )
    if line.parameter("last", "no") == "yes":
        said += Text("One more norm follows the last layer.", "最后一层之后还有一个归一化层。")
    return said


_FLOPS = {
    "projections": Text(
        "Four matrices of $d_{\\text{model}} \\times d_{\\text{model}}$ each turn rows of width $d_{\\text{model}}$ into rows of width $d_{\\text{model}}$: $d_{\\text{model}}^2$ multiply-adds a row, whatever the number of heads.",
        "四个 $d_{\\text{model}} \\times d_{\\text{model}}$ 的矩阵，各把宽度为 $d_{\\text{model}}$ 的一行变成宽度为 $d_{\\text{model}}$ 的一行：每行 $d_{\\text{model}}^2$ 次乘加，与 head 数无关。",
    ),
    "scores": Text(
        "Every query meets every key in a dot product. A head's is $d_{\\text{model}} / h$ wide, and the $h$ heads together make $d_{\\text{model}}$ multiply-adds for each pair.",
        "每个 query 与每个 key 做一次点积。一个 head 的宽度是 $d_{\\text{model}} / h$，$h$ 个 head 合起来，每一对要 $d_{\\text{model}}$ 次乘加。",
    ),
    "mix": Text(
        "Each output row is a sum over all values: $d_{\\text{model}}$ multiply-adds for each pair of query and key, all heads together.",
        "每一行输出都要把所有 value 加权相加：所有 head 合起来，每一对 query 和 key 要 $d_{\\text{model}}$ 次乘加。",
    ),
    "attention": Text(
        "$QK^\\top$ and $AV$ each take $d_{\\text{model}}$ multiply-adds for every pair of query and key: the $h$ heads of width $d_{\\text{model}} / h$ make $d_{\\text{model}}$ once.",
        "$QK^\\top$ 和 $AV$ 对每一对 query 和 key 各要 $d_{\\text{model}}$ 次乘加：$h$ 个宽 $d_{\\text{model}} / h$ 的 head 合起来就是一个 $d_{\\text{model}}$。",
    ),
}
_TWO = Text("A multiply-add counts as two FLOPs.", "一次乘加算两次浮点运算。")


def _attention_flops(line: Call) -> Text | None:
    said = _FLOPS.get(str(line.parameter("part", "scores")))
    return said + _TWO if said and line.parameter("counted", "flops") == "flops" else said


def _crossover(line: Call) -> Text:
    if len(line.arguments) == 1:
        return Text(
            "With $d$ for $d_{\\text{model}}$, scores and mixing take $4 S^2 d$, the four projections $8 S d^2$: divided by $4 S d$, that leaves $S$ and $2 d$.",
            "把 $d_{\\text{model}}$ 简写成 $d$：打分和加权求和共 $4 S^2 d$，四个投影共 $8 S d^2$；两边约去 $4 S d$，剩下 $S$ 和 $2 d$。",
        )
    if line.parameter("form", "relu") == "swiglu":
        return Text(
            "With $d$ for $d_{\\text{model}}$, scores and mixing take $4 S^2 d$; the projections take $8 S d^2$ and the three matrices of the FFN $6 S d \\cdot d_{\\text{ff}}$. Divided by $4 S d$, the first leaves $S$ alone.",
            "把 $d_{\\text{model}}$ 简写成 $d$：打分和加权求和共 $4 S^2 d$；投影共 $8 S d^2$，FFN 的三个矩阵共 $6 S d \\cdot d_{\\text{ff}}$。两边约去 $4 S d$，前者只剩 $S$。",
        )
    return Text(
        "With $d$ for $d_{\\text{model}}$, scores and mixing take $4 S^2 d$; the projections take $8 S d^2$ and the two matrices of the FFN $4 S d \\cdot d_{\\text{ff}}$. Divided by $4 S d$, the first leaves $S$ alone.",
        "把 $d_{\\text{model}}$ 简写成 $d$：打分和加权求和共 $4 S^2 d$；投影共 $8 S d^2$，FFN 的两个矩阵共 $4 S d \\cdot d_{\\text{ff}}$。两边约去 $4 S d$，前者只剩 $S$。",
    )


def _causal_count(line: Call) -> Text:
    masked = line.parameter("of", "kept") == "masked"
    if len(line.arguments) > 1:
        return (
            Text(
                "The queries are the last positions, and all keys before them stand open: cells are masked only where a query meets a later one of these.",
                "这些 query 是最后几个位置，它们之前的 key 全都看得到；只有这几个位置彼此之间，才有要遮住的格子。",
            )
            if masked
            else Text(
                "The queries are the last positions: each sees all keys before them, itself, and those of the other queries that come earlier.",
                "这些 query 是最后几个位置：每个都看得到它们之前的全部 key、自己，以及这几个位置中排在自己前面的。",
            )
        )
    return (
        Text(
            "Position $i$ doesn't see the $S - i$ after it, so the rows mask $S - 1, \\ldots, 1, 0$ cells.",
            "第 $i$ 个位置看不到后面的 $S - i$ 个，所以各行遮住 $S - 1, \\ldots, 1, 0$ 格。",
        )
        if masked
        else Text(
            "Position $i$ sees itself and the $i - 1$ before it, so the rows keep $1, 2, \\ldots, S$ cells.",
            "第 $i$ 个位置能看到自己和前面 $i - 1$ 个，所以各行保留 $1, 2, \\ldots, S$ 格。",
        )
    )


def _decoding(line: Call) -> Text:
    if line.parameter("cache", "yes") == "yes":
        return Text(
            "The cache holds the keys so far, so only the newest query is scored: against all $n$ keys, its own included.",
            "之前的 key 都在 cache 里，只有最新的 query 需要打分，它要对全部 $n$ 个 key（包括自己的）各算一次点积。",
        )
    if line.parameter("mask", "whole") == "causal":
        return Text(
            "Without a cache every query is scored anew, the $i$-th against the $i$ keys that the mask leaves it.",
            "没有 cache，所有 query 都要重新打分；第 $i$ 个 query 只对 mask 留给它的 $i$ 个 key 算点积。",
        )
    return Text(
        "Without a cache every query is scored anew; a whole matrix product pairs each of the $n$ queries with each of the $n$ keys, masked or not.",
        "没有 cache，所有 query 都要重新打分；整个矩阵相乘时，$n$ 个 query 与 $n$ 个 key 两两都算，遮不遮都一样。",
    )


def _passes(line: Call) -> Text:
    if line.parameter("when", "training") == "training":
        return Text(
            "In training all target tokens are known, so with a causal mask one pass predicts every position.",
            "训练时目标 token 全部已知，加上 causal mask，一次前向就能预测所有位置。",
        )
    if line.parameter("of", "passes") == "passes":
        return Text(
            "In generation each token has to wait for the one before it, so each takes a pass of its own.",
            "生成时，每个 token 都要等前一个出来，所以一个 token 一次前向。",
        )
    if line.parameter("cache", "yes") == "yes":
        return Text(
            "With a cache each position is computed once: the prompt in the first pass, then one token a pass. The last token isn't fed back.",
            "有 cache 时，每个位置只算一次：第一次前向算 prompt，之后每次算一个 token；最后生成的 token 不再送回去。",
        )
    return Text(
        "Without a cache each pass computes the whole sequence so far, which is one token longer every time.",
        "没有 cache 时，每次前向都要把到目前为止的整个序列重算一遍，而序列每次多一个 token。",
    )


_FOR_EACH_PAIR = Text(
    "There is one for each pair of tokens, and the pairs grow as the square of the length.",
    "它对每一对 token 各有一份，而 token 对的个数随长度的平方增长。",
)
_FOR_EACH_TOKEN = Text(
    "It is done, or kept, once for each token, so it grows in proportion to the length.",
    "它对每个 token 各算（或各存）一份，所以随长度成正比增长。",
)


def _length_factor(line: Call) -> Text:
    return _FOR_EACH_PAIR if str(line.parameter("of", "scores")).startswith("score") else _FOR_EACH_TOKEN


def _row_statistics(line: Call) -> Text:
    if line.parameter("each", 2) == 1:
        return Text(
            "The scores are computed block by block on the chip and thrown away. What is kept is one number, the log-sum-exp, for each query of each head.",
            "分数在片上分块算出，用完即弃；每个 head 的每个 query 只保留一个数，即 log-sum-exp。",
        )
    return Text(
        "The scores are computed block by block on the chip and thrown away. What is kept is two numbers, maximum and sum, for each query of each head.",
        "分数在片上分块算出，用完即弃；每个 head 的每个 query 只保留两个数，即最大值与和。",
    )


def _head_dimension(line: Call) -> Text:
    return {
        "h": Text(
            "The heads share the model's width, $d_{\\text{model}} = h \\cdot d_k$, so their number is that width over the width of one.",
            "各个 head 平分模型宽度，$d_{\\text{model}} = h \\cdot d_k$，所以 head 数等于模型宽度除以每个 head 的宽度。",
        ),
        "d_model": Text(
            "Side by side, the heads are as wide as their number times the width of one.",
            "各个 head 并排放置，总宽度等于 head 数乘每个 head 的宽度。",
        ),
    }.get(
        str(line.parameter("of", "d_k")),
        Text(
            "The heads share the model's width, $d_{\\text{model}} = h \\cdot d_k$: the more there are, the narrower each is.",
            "各个 head 平分模型宽度，$d_{\\text{model}} = h \\cdot d_k$：head 越多，每个就越窄。",
        ),
    )


def _gqa_ratio(line: Call) -> Text:
    if line.parameter("of", "cache") == "cache":
        return Text(
            "The cache holds keys and values alone, so it shrinks as the number of KV heads does.",
            "cache 里只存 key 和 value，KV head 少到几分之几，cache 就小到几分之几。",
        )
    return Text(
        "Of the four projections only $W_K$ and $W_V$ shrink with the KV heads; $W_Q$ and $W_O$ still serve all query heads.",
        "四个投影里，只有 $W_K$ 和 $W_V$ 随 KV head 变小；$W_Q$ 和 $W_O$ 仍要服务所有 query head。",
    )


# Attention, training ---------------------------------------------------------------------------------------------------


def _mask_view(line: Call) -> Text:
    if line.parameter("of", "padding") == "causal":
        return Text(
            "A causal mask depends on query and key alone: those two axes keep their length, and batch and heads get size 1, which broadcasts.",
            "causal mask 只取决于 query 和 key：这两维保持原长，batch 维和 head 维取 1，靠广播扩展。",
        )
    return Text(
        "A padding mask depends on sequence and key alone: those two axes keep their length, and all between them get size 1, which broadcasts.",
        "padding mask 只取决于是哪条序列、哪个 key：这两维保持原长，中间各维取 1，靠广播扩展。",
    )


def _causal_mask(line: Call) -> Text | None:
    if line.parameter("align", "top-left") != "bottom-right":
        return None
    return Text(
        "The queries are the last positions, so the mask is aligned at the bottom right: each sees all cached keys, and those up to its own. Later scores become $-\\infty$, and their weights exactly 0.",
        "这些 query 是最后几个位置，mask 要按右下角对齐：每个 query 看得到缓存里的全部 key，以及直到自己为止的 key。更晚的分数填成 $-\\infty$，权重正好是 0。",
    )


def _logits(line: Call) -> Text:
    if line.parameter("positions", "all") == "last":
        return Text(
            "A decoding step chooses one token, so the output layer is applied to the newest position alone; it gives a logit for every token of the vocabulary.",
            "解码时每一步只选一个 token，所以输出层只作用在最新的那个位置上，给词表中每个 token 一个 logit。",
        )
    return Text(
        "In training every position predicts its next token, so each gets a logit for every token of the vocabulary.",
        "训练时每个位置都要预测下一个 token，所以每个位置都对词表中每个 token 给出一个 logit。",
    )


def _chain(line: Call) -> Text:
    plain = line.parameter("path", "residual") == "plain"
    power = line.operation == "residual_gradient"
    said = (
        Text(
            "The chain rule multiplies the layers' derivatives; without a residual connection, $y = F(x)$, each is $f$ alone.",
            "链式法则把各层的导数相乘；没有残差连接时 $y = F(x)$，每层的导数只有 $f$。",
        )
        if plain
        else Text(
            "The chain rule multiplies the layers' derivatives; with a residual connection, $y = x + F(x)$, each is $1 + f$.",
            "链式法则把各层的导数相乘；有残差连接时 $y = x + F(x)$，每层的导数是 $1 + f$。",
        )
    )
    return said + Text("Over $n$ layers alike that is a power.", "$n$ 层都一样，就是 $n$ 次幂。") if power else said


_SEES = Text(
    "Output $i$ changes if any position in $V(i)$ has changed; here $V(i)$ is {sees}. The residual adds each position's own vector to itself and carries nothing across positions.",
    "只要 $V(i)$ 中有一个位置变了，第 $i$ 个输出就会变；这一层的 $V(i)$ 是{sees}。残差只把每个位置自己的向量加回自己，不会跨位置传递。",
)


def _influence(line: Call) -> Text:
    behind, ahead = line.parameter("behind", "all"), line.parameter("ahead", 0)
    if (behind, ahead) == ("all", "all"):
        return _SEES.fill(sees=Text("every position", "所有位置"))
    back = _beside(behind, Text("before", "前面"))
    front = _beside(ahead, Text("after", "后面"))
    if behind and ahead:
        sees = Text("$i$, {back} and {front}", "第 $i$ 个位置、它{back}和{front}").fill(back=back, front=front)
    elif behind or ahead:
        sees = Text("$i$ and {some}", "第 $i$ 个位置和它{some}").fill(some=back if behind else front)
    else:
        sees = Text("$i$ alone", "第 $i$ 个位置自己")
    return _SEES.fill(sees=sees)


def _beside(count: Parameter, side: Text) -> Text:
    """Say how many neighbours on one side."""
    if count == "all":
        return Text("all positions {side} it", "{side}的所有位置").fill(side=side)
    return Text("the one {side} it" if count == 1 else "the {n} {side} it", "{side} {n} 个").fill(n=count, side=side)


def _dropout(line: Call) -> Text:
    if line.parameter("mode", "train") == "eval":
        return Text(
            "At test time nothing is dropped; training already divided by $1 - p$, so nothing needs rescaling either.",
            "测试时什么也不丢弃；训练时已经除过 $1 - p$，这里也不必再缩放。",
        )
    return Text(
        "In training a share $p$ of the values is set to 0. Dividing the others by $1 - p$ keeps the expected value as it was.",
        "训练时，比例为 $p$ 的值置为 0；其余的除以 $1 - p$，期望保持不变。",
    )


def _dot_variance(line: Call) -> Text:
    said = Text(
        "Each product of two components has mean 0, and its variance is the product of theirs; the $d_k$ products are uncorrelated, so their variances add up.",
        "每一对分量之积均值为 0，方差等于两者方差之积；$d_k$ 个乘积互不相关，方差直接相加。",
    )
    if line.parameter("scaled", "no") != "no":
        said += Text(
            "Dividing by $c$ divides the variance by $c^2$.",
            "除以 $c$，方差就除以 $c^2$。",
        )
    if line.parameter("of", "variance") == "deviation":
        said += Text("The standard deviation is its root.", "标准差是方差的平方根。")
    return said


def _cross_entropy(line: Call) -> Text:
    if line.parameter("of", "classes") == "probabilities":
        return Text(
            "The loss is $-\\ln p_k$ of every token $k$, weighted by its target; with $-\\ln \\text{softmax}(z)_k = \\ln \\sum_j e^{z_j} - z_k$ no probability has to be worked out.",
            "损失是各个 token 的 $-\\ln p_k$ 按目标分布加权之和；用 $-\\ln \\text{softmax}(z)_k = \\ln \\sum_j e^{z_j} - z_k$，不必先算出概率。",
        )
    said = Text(
        "The loss of a position is $-\\ln$ of the probability given to the right token, and $-\\ln \\text{softmax}(z)_y = \\ln \\sum_k e^{z_k} - z_y$. The mean is taken over the positions that count.",
        "一个位置的损失，是正确 token 的概率取对数再取负，即 $-\\ln \\text{softmax}(z)_y = \\ln \\sum_k e^{z_k} - z_y$；再对计入损失的位置取平均。",
    )
    if line.parameter("shift", "no") == "yes":
        said += Text(
            "The logits of position $t$ are held against token $t + 1$.", "位置 $t$ 的 logit 对照的是第 $t + 1$ 个 token。"
        )
    return said


def _label_smoothing(line: Call) -> Text:
    said = OPERATIONS[line.operation].reason
    if line.parameter("over", "all") == "others":
        return said + Text("Here it is spread over the other classes alone.", "这里只分给其余各类。")
    return said + Text("Here the right class gets its part of it back.", "这里正确的类也分得一份。")


def _merge_blocks(line: Call) -> Text:
    first = Text(
        "Each block was shifted by its own maximum, so both are first brought to the common one: $e^{s - m} = e^{s - m_i} \\cdot e^{m_i - m}$.",
        "两个分块各自减去了自己的最大值，先要统一到共同的最大值：$e^{s - m} = e^{s - m_i} \\cdot e^{m_i - m}$。",
    )
    if line.parameter("of", "all") != "o":
        return first
    if line.parameter("output", "normalised") == "sum":
        return first + Text(
            "The outputs aren't divided by their sums yet, so they are rescaled alike and added.",
            "两个输出还没有除以各自的和，同样缩放之后相加即可。",
        )
    return first + Text(
        "Each output was divided by its block's sum, so it is weighted by that sum, and the total divided by the new one.",
        "每个输出已经除过本块的和，所以要先乘回这个和，相加之后再除以新的和。",
    )


def _largest_score(line: Call) -> Text:
    said = OPERATIONS[line.operation].reason
    if len(line.arguments) > 1:
        said += Text(
            "The scores are divided by $\\sqrt{d_k}$ before the exponential, so they may be that much larger.",
            "分数在取指数之前要除以 $\\sqrt{d_k}$，所以本身还可以大 $\\sqrt{d_k}$ 倍。",
        )
    return said


def _symmetric(line: Call) -> Text | None:
    if line.arguments[0] == "A":
        return Text(
            "The softmax divides each row by a sum of its own: $A_{ij}$ and $A_{ji}$ have the same numerator and different denominators, unless the rows' sums happen to agree (1 stands for yes, 0 for no).",
            "softmax 让每一行除以自己的和：$A_{ij}$ 与 $A_{ji}$ 分子相同，分母不同，除非各行的和碰巧相等（1 表示是，0 表示否）。",
        )
    if line.arguments[0] != "G":
        return None
    return Text(
        "$G_{ij}$ and $G_{ji}$ are dot products of the same two rows, so $XX^\\top$ is always symmetric (1 stands for yes, 0 for no).",
        "$G_{ij}$ 和 $G_{ji}$ 是同样两行的点积，所以 $XX^\\top$ 总是对称的（1 表示是，0 表示否）。",
    )


def _add(line: Call) -> Text | None:
    if not line.arguments[1].startswith("b"):
        return None
    return Text("The bias is one row; it is added to every token's.", "偏置只有一行，给每个 token 的那一行都加上它。")


_CASES: dict[str, Callable[[Call], Text | None]] = {
    "add": _add,
    "attention_flops": _attention_flops,
    "attention_parameters": _attention_parameters,
    "causal_count": _causal_count,
    "causal_mask": _causal_mask,
    "cross_entropy": _cross_entropy,
    "crossover": _crossover,
    "decode_dot_products": _decoding,
    "dot_variance": _dot_variance,
    "dropout": _dropout,
    "embedding_parameters": _embedding_parameters,
    "ffn_parameters": _ffn_parameters,
    "forward_passes": _passes,
    "gqa_ratio": _gqa_ratio,
    "head_dimension": _head_dimension,
    "influence": _influence,
    "label_smoothing": _label_smoothing,
    "largest_score": _largest_score,
    "layer_parameters": _layer_parameters,
    "length_factor": _length_factor,
    "logits": _logits,
    "mask_view": _mask_view,
    "merge_blocks": _merge_blocks,
    "model_parameters": _model_parameters,
    "path_steps": _path,
    "residual_chain": _chain,
    "residual_gradient": _chain,
    "row_statistics": _row_statistics,
    "symmetric": _symmetric,
}
