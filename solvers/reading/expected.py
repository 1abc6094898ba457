"""What an answer of each form looks like, for messages."""

from __future__ import annotations

from question_bank.program import AnswerFormat, Kind
from question_bank.text import Text
from solvers.reading.words import letters

_FORMS = {
    Kind.INTEGER: Text("a whole number, such as 1536", "整数，例如 1536"),
    Kind.NUMBER: Text("one number, such as 0.25 or 1/4", "一个数，例如 0.25 或 1/4"),
    Kind.PERCENT: Text("a percentage, such as 25 or 25%", "百分数，例如 25 或 25%"),
    Kind.EXPRESSION: Text("a number or a formula, such as sqrt(2)/2 or e^(1/2)", "数或算式，例如 sqrt(2)/2 或 e^(1/2)"),
    Kind.VECTOR: Text("a vector, such as [0.2, 0.3, 0.5]", "向量，例如 [0.2, 0.3, 0.5]"),
    Kind.MATRIX: Text("a matrix, such as [[1, 2], [3, 4]] or one row per line", "矩阵，例如 [[1, 2], [3, 4]]，也可以分行写"),
    Kind.SHAPE: Text("a shape, such as (2, 5, 64)", "形状，例如 (2, 5, 64)"),
    Kind.BYTES: Text("a size in bytes, such as 4096, 512 MiB or 1.5 GB", "字节数，例如 4096、512 MiB 或 1.5 GB"),
    Kind.YES_NO: Text("yes or no", "“是”或“否”"),
}


def expected(form: AnswerFormat) -> Text:
    """Say what an answer of a form looks like."""
    symbols = Text(", ".join(form.symbols), "、".join(form.symbols))
    if form.kind == Kind.CHOICE:
        offered = letters(form.choices)
        return Text("one letter, {first} to {last}", "一个字母（{first} 到 {last}）").fill(first=offered[:1], last=offered[-1:])
    if form.kind == Kind.LINE:
        return Text("the number of a line, 1 to {last}", "行号（1 到 {last}）").fill(last=form.choices)
    if form.kind == Kind.NAMED_SHAPE:
        return Text("a shape written with {names}, in brackets", "形状，用 {names} 表示，写在方括号里").fill(names=symbols)
    if form.kind == Kind.ORDER:
        return Text(
            "an order of growth in {names}, such as O({first}^2)", "增长的量级，用 {names} 表示，例如 O({first}^2)"
        ).fill(names=symbols, first=form.symbols[0] if form.symbols else "n")
    return _FORMS[form.kind]


def own_numbers() -> Text:
    """Say what a person's own numbers look like."""
    return Text(
        "a number, a vector such as 2 1 3, or a matrix such as 1 0; 0 1", "一个数、向量（如 2 1 3）或矩阵（如 1 0; 0 1）"
    )
