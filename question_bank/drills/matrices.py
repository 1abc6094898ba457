"""Whole matrices: projections (7.5), scores of tokens against themselves, and their symmetry (7.6)."""

from __future__ import annotations

from question_bank.drills.base import Draw, Drawn, Drill, Matrix, decimal, log_of, name_node
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text


def _tenths(matrix: Matrix) -> Nested:
    return tuple(tuple(decimal(10 * cell) for cell in row) for row in matrix)


def _project_matrix(draw: Draw, level: int) -> Drawn:
    tokens, width = {1: (2, 2), 2: (3, 2), 3: (3, 3)}[level]
    low, high = {1: (0, 3), 2: (-2, 4), 3: (-15, 25)}[level]
    target = draw.choice("QKV")
    states = draw.until(
        lambda: draw.matrix(tokens, width, 0 if level == 1 else -1, 3 if level == 1 else 4),
        lambda made: all(any(row) for row in made),
    )
    inputs: list[tuple[str, Nested]] = [("X", states)]
    for name in "QKV":
        weights = draw.asymmetric(width, low, high)
        inputs.append((f"W_{name}", weights if level < 3 else _tenths(weights)))
    form = AnswerFormat(Kind.MATRIX, decimals=0 if level < 3 else 1, dimensions=(tokens, width))
    return Drawn(
        Text(
            "Each row of $X$ is one token. Compute the whole of ${target} = X W_{target}$.",
            "$X$ 的每一行是一个 token。求整个矩阵 ${target} = X W_{target}$。",
        ).fill(target=target),
        Program(tuple(inputs), (call(target, "project", "X", f"W_{target}"),), (Ask(target, form, label=name_node(target)),)),
    )


def _gram(states: Matrix) -> Matrix:
    return tuple(tuple(sum(a * b for a, b in zip(one, other, strict=True)) for other in states) for one in states)


def _rows_differ(states: Matrix) -> bool:
    """Tell whether the rows of the scores differ, in whatever order: only then do the softmax's sums."""
    scores = _gram(states)
    return len({tuple(sorted(row)) for row in scores}) == len(scores) and all(any(row) for row in states)


def _self_product(draw: Draw, level: int) -> Drawn:
    tokens, width = draw.choice({1: ((2, 2), (2, 3)), 2: ((3, 2), (3, 3)), 3: ((3, 3), (4, 2))}[level])
    low, high = {1: (0, 3), 2: (-2, 4), 3: (-15, 25)}[level]
    states = draw.until(lambda: draw.matrix(tokens, width, low, high), _rows_differ)
    of = draw.choice("GA")
    calls: tuple[Call, ...] = (call("G", "self_product", "X"),)
    if of == "A":
        calls += (call("A", "softmax", "G"),)
    calls += (call("y", "symmetric", of),)
    form = AnswerFormat(Kind.MATRIX, decimals=0 if level < 3 else 2, dimensions=(tokens, tokens))
    asks = (
        Ask("G", form, label=name_node("G")),
        Ask("y", AnswerFormat(Kind.YES_NO, decimals=0), label=Text(f"is ${of}$ symmetric", f" ${of}$ 是否对称")),
    )
    prompts = {
        "G": Text(
            "Each row of $X$ is one token, and nothing is projected. Compute the scores $G = XX^\\top$, and say whether $G$ is symmetric: yes or no.",
            "$X$ 的每一行是一个 token，不做投影。求分数 $G = XX^\\top$，并判断 $G$ 是否对称，回答是或否。",
        ),
        "A": Text(
            "Each row of $X$ is one token, and nothing is projected. Compute the scores $G = XX^\\top$. Then say whether the weights $A = \\mathrm{softmax}(G)$, row by row, are symmetric: yes or no; you needn't compute them.",
            "$X$ 的每一行是一个 token，不做投影。求分数 $G = XX^\\top$。再判断逐行做 softmax 得到的权重 $A = \\mathrm{softmax}(G)$ 是否对称，回答是或否，不必算出 $A$。",
        ),
    }
    return Drawn(prompts[of], Program((("X", states if level < 3 else _tenths(states)),), calls, asks))


def _cross_weights(draw: Draw, level: int) -> Drawn:
    size = 2 if level == 1 else 3

    def make() -> Matrix:
        low, high = {1: (1, 9), 2: (-2, 4), 3: (-20, 30)}[level]
        upper = {(i, j): draw.integer(low, high) for i in range(size) for j in range(i, size)}
        return tuple(tuple(upper[min(i, j), max(i, j)] for j in range(size)) for i in range(size))

    scores = draw.until(make, lambda made: len({tuple(sorted(row)) for row in made}) == size)
    shown: Nested = _tenths(scores) if level == 3 else scores
    if level == 1:
        shown = tuple(tuple(log_of(cell) for cell in row) for row in scores)
    i, j = draw.shuffled(range(size))[:2]
    decimals = 4 if level == 3 else 3

    def ask(row: int, column: int) -> Ask:
        name = f"$A_{{{row + 1}{column + 1}}}$"
        return Ask("A", AnswerFormat(Kind.NUMBER, decimals=decimals), (row, column), label=Text(name, f" {name} "))

    return Drawn(
        Text(
            "The scaled scores $S$ are symmetric. Of the attention weights $A$, compute $A_{{i}{j}}$, of query {i} for key {j}, and $A_{{j}{i}}$, of query {j} for key {i}, to {n} decimals.",
            "缩放后的分数 $S$ 是对称的。求注意力权重 $A$ 中的两项，保留 {n} 位小数：第 {i} 个 query 对第 {j} 个 key 的 $A_{{i}{j}}$，以及第 {j} 个 query 对第 {i} 个 key 的 $A_{{j}{i}}$。",
        ).fill(i=i + 1, j=j + 1, n=decimals),
        Program((("S", shown),), (call("A", "softmax", "S"),), (ask(i, j), ask(j, i))),
    )


DRILLS = (
    Drill(
        "project-matrix",
        "7.5",
        Text("The whole of Q, K or V", "整个 Q、K 或 V"),
        "0",
        (1, 2, 3),
        _project_matrix,
        hints=(
            Text(
                "All tokens are projected by the same matrix, each row on its own.",
                "所有 token 用同一个矩阵投影，每一行各算各的。",
            ),
            Text(
                "Row i of the result is row i of $X$ times the weight matrix.",
                "结果的第 i 行，是 $X$ 的第 i 行乘权重矩阵。",
            ),
            Text(
                "Entry (i, j) is row i of $X$ times column j of the matrix whose name fits: $W_Q$ for $Q$.",
                "第 (i, j) 项是 $X$ 的第 i 行点乘权重矩阵的第 j 列；矩阵要用名字对应的那个，求 $Q$ 用 $W_Q$。",
            ),
        ),
    ),
    Drill(
        "self-product",
        "7.6",
        Text("Scores without projections", "不做投影的分数"),
        "0",
        (1, 2, 3),
        _self_product,
        hints=(
            Text("Every token is compared with every token, itself included.", "每个 token 都要和每个 token 比较，包括自己。"),
            Text(
                "$G_{ij}$ is the dot product of rows i and j of $X$. Their order doesn't matter.",
                "$G_{ij}$ 是 $X$ 第 i 行与第 j 行的点积，先后顺序无所谓。",
            ),
            Text(
                "So $G$ is symmetric. A row-wise softmax divides each row by its own sum: $A_{ij}$ and $A_{ji}$ have the same numerator, but different denominators.",
                "所以 $G$ 是对称的。逐行 softmax 让每一行除以自己的和：$A_{ij}$ 和 $A_{ji}$ 分子相同，分母不同。",
            ),
        ),
    ),
    Drill(
        "cross-weights",
        "7.6",
        Text("Two weights from one symmetric score", "对称分数的两个权重"),
        "0",
        (1, 2, 3),
        _cross_weights,
        hints=(
            Text("Equal scores, but each belongs to another query.", "分数相等，却属于不同的 query。"),
            Text(
                "A weight is its exponential over the sum of its own row.",
                "权重等于自己的指数，除以自己那一行的和。",
            ),
            Text(
                "For $A_{ij}$ add up the exponentials of row i, for $A_{ji}$ those of row j.",
                "$A_{ij}$ 的分母把第 i 行的指数相加，$A_{ji}$ 的分母把第 j 行的相加。",
            ),
        ),
    ),
)
