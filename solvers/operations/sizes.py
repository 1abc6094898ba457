"""Sizes of the stored scores: how many numbers, how many bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.operations.base import Edited, Mistake, only_if, symbol, with_parameters
from solvers.operations.counting import Count, Term, decimal_unit, left_out

_ONE_HEAD = Text("You counted one head; each has its own matrix of scores", "你只算了一个 head，而每个 head 都有自己的分数矩阵")
_ONE_SEQUENCE = Text("You left out the batch", "你漏乘了 batch 里的序列数")


class ScoreElements(Count):
    """``score_elements(B, h, S_q, S_k)``: numbers in the scores (or weights) of one layer, B · h · S_q · S_k.

    Parameters: ``heads``, ``batch`` and ``keys`` are ``all``, or ``one`` for the mistakes.
    """

    name = "score_elements"
    section = "7.15"
    title = Text("Count the scores", "计算分数的个数")
    reason = Text(
        "Each head of each sequence scores every query against every key: a matrix of $S_q \\times S_k$.",
        "每条序列的每个 head，都要让每个 query 给每个 key 打分，得到一个 $S_q \\times S_k$ 的矩阵。",
    )
    mistakes = (
        Mistake("score_elements.one-head", _ONE_HEAD, left_out(1, heads="one")),
        Mistake("score_elements.one-sequence", _ONE_SEQUENCE, left_out(0, batch="one")),
        Mistake(
            "score_elements.rows",
            Text(
                "You counted one number per query; each query has one for every key",
                "你给每个 query 只算了一个数，而它对每个 key 都有一个数",
            ),
            with_parameters(keys="one"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = " + r" \cdot ".join(map(symbol, line.arguments))

    def terms(
        self, B: Any, h: Any, S_q: Any, S_k: Any, heads: str = "all", batch: str = "all", keys: str = "all"
    ) -> list[Term]:
        """Return the one product."""
        say = Text("sequences × heads × queries × keys", "序列数 × head 数 × query 数 × key 数")
        cells = _cells(B, h, S_q, S_k, heads, batch)
        return [Term("", cells if keys == "all" else cells[:-1], say)]


def _cells(B: Any, h: Any, S_q: Any, S_k: Any, heads: str, batch: str) -> list[Any]:
    return [*([B] if batch == "all" else []), *([h] if heads == "all" else []), S_q, S_k]


ELEMENT_SIZES = (4, 2)
"""Bytes of float32, and of float16 or bfloat16: the sizes that are mixed up."""


def _other_size(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the size of another type is taken; the value must be known to be another."""
    given = program.values.get(line.arguments[4])
    for size in ELEMENT_SIZES:
        if given in ELEMENT_SIZES and size != given:
            for edited in with_parameters(element=size)(program, line, ask):
                yield Edited(edited.program, (("used", str(size)), ("meant", str(given))))


class ScoreBytes(Count):
    """``score_bytes(B, h, S_q, S_k, bytes)``: bytes of the stored scores of one layer; one matrix, not scores and weights.

    With a sixth number, of so many layers.

    Parameters: ``heads``, ``batch`` and ``layers`` are ``all``, or ``one`` for the mistakes; ``element`` is 0 for the size given, or
    another size for the mistake; ``unit`` is ``bytes``, or ``bits`` for the mistake; with ``unit_power`` n, each 1,024 to the
    n-th of them is taken for 1,000 to the n-th.
    """

    name = "score_bytes"
    section = "7.4"
    title = Text("Count the bytes of the scores", "计算分数占用的字节数")
    reason = Text(
        "Each head of each sequence keeps a matrix of $S_q \\times S_k$ numbers, and each number takes as many bytes as its type has.",
        "每条序列的每个 head 都存一个 $S_q \\times S_k$ 的矩阵，每个数占多少字节由数据类型决定。",
    )
    mistakes = (
        Mistake("score_bytes.one-head", _ONE_HEAD, left_out(1, heads="one")),
        Mistake("score_bytes.one-sequence", _ONE_SEQUENCE, left_out(0, batch="one")),
        Mistake(
            "score_bytes.one-layer",
            Text("You counted one layer; every layer has scores of its own", "你只算了一层，而每一层都有自己的分数"),
            only_if(lambda _program, line: len(line.arguments) > 5, left_out(-1, layers="one")),
        ),
        Mistake(
            "score_bytes.bits",
            Text("You counted bits; a byte has 8", "你算的是比特数，1 字节等于 8 比特"),
            with_parameters(unit="bits"),
        ),
        Mistake(
            "score_bytes.element-size",
            Text("You took {used} bytes per number; it has {meant}", "你按每个数 {used} 字节计算，应当是 {meant} 字节"),
            _other_size,
        ),
        Mistake(
            "score_bytes.decimal-unit",
            Text(
                "You mixed up decimal and binary units: GB is $10^9$ bytes, GiB is $2^{30}$ (MB, MiB and kB, KiB likewise)",
                "你把十进制单位和二进制单位弄混了：GB 是 $10^9$ 字节，GiB 才是 $2^{30}$ 字节（MB 与 MiB、kB 与 KiB 同理）",
            ),
            decimal_unit,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = " + r" \cdot ".join(map(symbol, line.arguments))

    def terms(
        self,
        B: Any,
        h: Any,
        S_q: Any,
        S_k: Any,
        size: Any,
        N: Any = None,
        heads: str = "all",
        batch: str = "all",
        layers: str = "all",
        element: int = 0,
        unit: str = "bytes",
        unit_power: int = 0,
    ) -> list[Term]:
        """Return the one product."""
        say = Text(
            "sequences × heads × queries × keys × bytes per number", "序列数 × head 数 × query 数 × key 数 × 每个数的字节数"
        )
        if N is not None and layers == "all":
            say = Text(say.en + " × layers", say.zh + " × 层数")
        more = [
            element or size,
            *([N] if N is not None and layers == "all" else []),
            *([8] if unit == "bits" else []),
            *([1000 / 1024] * unit_power),
        ]
        return [Term("", [*_cells(B, h, S_q, S_k, heads, batch), *more], say)]


OPERATIONS = (ScoreElements(), ScoreBytes())
