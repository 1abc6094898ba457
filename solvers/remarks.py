"""What grading says to a person: one sentence for each verdict, in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from question_bank.exact import Exact
from question_bank.problem import Problem
from question_bank.program import Ask, Asked, Kind, Program
from question_bank.text import Text, same
from solvers import run
from solvers.answers import Answer
from solvers.display import NO, YES, intermediate, show
from solvers.mistakes import Slip, value_symbol
from solvers.naming import called
from solvers.operations import OPERATIONS
from solvers.scenario import WITHOUT_TOLERANCE, Scenario, Solved
from solvers.symbolic import typed_sizes

RIGHT = Text("Right.", "正确。")


_YES_OR_NO = {YES: Text("yes", "是"), NO: Text("no", "否")}


def expected(shown: str, ask: Ask) -> Text:
    """Return the right answer as displayed, in both languages."""
    if ask.format.kind is Kind.LINE:
        return Text("line {n}", "第 {n} 行").fill(n=shown)
    return _YES_OR_NO[shown] if ask.format.kind is Kind.YES_NO else same(shown)


def given_up(answer: Text, ask: Ask) -> Text:
    """Tell the right answer to a person who doesn't know it."""
    chinese = "答案：{answer}。" if ask.format.kind in (Kind.YES_NO, Kind.LINE) else "答案是 {answer}。"  # not 答案是 是
    return Text("The answer is {answer}.", chinese).fill(answer=answer)


def follows(parts: Sequence[Ask]) -> Text:
    """Say that a part is right after slips in earlier ones."""
    named = [ask.label if ask.index and ask.label else _symbol(ask.node) for ask in parts]
    slips = "the slip is" if len(named) == 1 else "the slips are"
    return Text(f"Right, given your {{parts}}; {slips} there.", "按你的{parts}来算，这一步是对的；错在前面。").fill(
        parts=_listed(named)
    )


def _listed(named: Sequence[Text]) -> Text:
    """List names; the Chinese ones bring the blanks around Latin letters along, but none belongs beside a 、."""
    *before, last = named
    if not before:
        return last
    first, final = before[0].zh, before[-1].zh
    start, end = " " if first.startswith(" ") else "", " " if final.endswith(" ") else ""
    return Text(
        f"{', '.join(part.en for part in before)} and {last.en}",
        f"{start}{'、'.join(part.zh.strip() for part in before)}{end}和{last.zh}",
    )


def _symbol(node: str) -> Text:
    return Text(value_symbol(node), f" {value_symbol(node)} ")


def names(slip: Slip, scenario: Scenario, ask: Ask, true: Program, problem: Problem | None = None) -> Text:
    """Name a mistake, with the number that it produces at its step; what the problem hasn't named is said in words."""
    if ask.format.kind in (Kind.YES_NO, Kind.LINE):
        return Text(f"{slip.sentence.en}.", f"{slip.sentence.zh}。")
    node = _telling_node(slip, true)
    tensor = scenario.environment[node]
    given = slip.program.asks[0].index
    if ask.format.kind is Kind.ORDER:
        value = scenario.shown(0)
        place = Text(". That makes it {value}.", "。照这样算，量级是 {value}。")
    elif ask.asked is Asked.SHAPE and not (tensor.dim() == 0 and not tensor.is_meta):  # a width on the way is a number
        named = ask.format.kind is Kind.NAMED_SHAPE
        value = show(list(tensor.shape), ask.format) if named else intermediate(list(tensor.shape), ask.asked)
        place = Text(". That gives {node} the shape {value}.", "。照这样算，{node} 的形状是 {value}。")
    elif given != ask.index:
        value = intermediate(run.at(tensor, given).tolist())
        place = Text(": {value}.", "：{value}。")
    elif given and tensor.dim() == 2 and 1 < len(tensor) > given[0] and _lines_up(node, ask.node, true):
        value = intermediate(tensor[given[0]].tolist())
        place = Text(". That makes row {row} of {node} {value}.", "。照这样算，{node} 的第 {row} 行是 {value}。").fill(
            row=given[0] + 1
        )
    else:
        of_answer = node == ask.node
        if of_answer and ask.format.kind is Kind.BYTES:
            value = show(tensor.tolist(), ask.format)
        elif of_answer and ask.format.kind is Kind.PERCENT:
            value = f"{intermediate((100 * tensor).tolist())}%"
        else:
            one_row = tensor.dim() == 2 and len(tensor) == 1
            value = intermediate((tensor.squeeze() if one_row else tensor).tolist())
        place = Text(". That gives {node} = {value}.", "。照这样算，{node} = {value}。")
    return Text(slip.sentence.en + place.en, slip.sentence.zh + place.zh).fill(node=called(node, true, problem), value=value)


def _lines_up(node: str, asked: str, true: Program) -> bool:
    """Tell whether row i of what is asked needs row i of a node: of the queries, say, but not of the keys."""
    lined_up = {asked}
    for line in reversed(true.calls):
        if line.node in lined_up:
            lined_up.update(line.arguments[position] for position in OPERATIONS[line.operation].aligned)
    return node in lined_up


def _telling_node(slip: Slip, true: Program) -> str:
    """Return the node whose number tells: of a line that was moved elsewhere, the one where it went."""
    moved = true.lines[slip.node].operation
    if slip.program.lines[slip.node].operation != moved:
        for line in slip.program.calls:
            if line.operation == moved and line.node in true.lines and true.lines[line.node].operation != moved:
                return line.node
    return slip.node


def coarse(ask: Ask) -> Text:
    """Say that more digits are asked."""
    if ask.format.significant is not None:
        digits = ask.format.significant
        named = Text("1 significant digit" if digits == 1 else "{n} significant digits", "{n} 位有效数字")
    else:
        digits = ask.format.decimals if ask.format.decimals is not None else 4
        named = Text("1 decimal" if digits == 1 else "{n} decimals", "{n} 位小数")
    message = Text("Right as far as it goes, but give {digits}.", "写出的几位是对的，但要求保留 {digits}。")
    return message.fill(digits=named.fill(n=digits))


def other_shape(typed: tuple[int, ...], expected: tuple[int, ...]) -> Text:
    """Say that an answer has another shape than what is asked."""
    return Text("{expected} expected, {typed} read.", "应为 {expected}，读到的是 {typed}。").fill(
        expected=_shape_words(expected), typed=_shape_words(typed)
    )


def _shape_words(shape: tuple[int, ...]) -> Text:
    if len(shape) <= 1:
        count = shape[0] if shape else 1
        return Text("1 number", "1 个数") if count == 1 else Text("{n} numbers", "{n} 个数").fill(n=count)
    return same("×".join(map(str, shape)))


MOST_NAMED = 4
"""Wrong cells that a sentence names one by one."""


def wrong(cells: tuple[tuple[int, ...], ...], answer: Answer, true: Solved, part: int) -> Text:
    """Say which cells are wrong, and what the answer looks like where it looks like something."""
    named = answer.format.kind is Kind.NAMED_SHAPE
    if (named or answer.format.kind is Kind.SHAPE) and answer.dimensions != (len(true.results[part]),):
        return Text(
            "Not right: the shape has {right} dimensions, yours has {typed}.",
            "不对：形状应有 {right} 维，你写的是 {typed} 维。",
        ).fill(right=len(true.results[part]), typed=answer.dimensions[0])
    message = _axes(cells) if named else _where(cells, len(answer.cells))
    hint = _hint(answer, true, part)
    return message + hint if hint else message


def _axes(cells: tuple[tuple[int, ...], ...]) -> Text:
    numbers = [str(place + 1) for (place,) in cells]
    if len(numbers) == 1:
        return Text("Not right: axis {n}.", "第 {n} 维不对。").fill(n=numbers[0])
    return Text("Not right: axes {n}.", "第 {n} 维不对。").fill(n=_listed_numbers(numbers))


def _where(cells: tuple[tuple[int, ...], ...], total: int) -> Text:
    if not cells or total == 1:
        return Text("Not right.", "不对。")
    if len(cells) == total:
        return Text("Not right: every number is wrong.", "不对：没有一个数是对的。")
    if len(cells) > MOST_NAMED:
        return Text("Not right: {n} of {total} numbers are wrong.", "不对：{total} 个数里错了 {n} 个。").fill(
            n=len(cells), total=total
        )
    if len(cells[0]) == 1:
        numbers = [str(cell[0] + 1) for cell in cells]
        one = len(numbers) == 1
        return Text("Not right: number {n}." if one else "Not right: numbers {n}.", "第 {n} 个数不对。").fill(
            n=numbers[0] if one else _listed_numbers(numbers)
        )
    places = [Text(f"row {cell[-2] + 1}, column {cell[-1] + 1}", f"第 {cell[-2] + 1} 行第 {cell[-1] + 1} 列") for cell in cells]
    joined = Text("; ".join(place.en for place in places), "、".join(place.zh for place in places))
    return Text("Not right: {places}.", "{places}不对。").fill(places=joined)


def _listed_numbers(numbers: Sequence[str]) -> Text:
    return Text(f"{', '.join(numbers[:-1])} and {numbers[-1]}", "、".join(numbers))


def _hint(answer: Answer, true: Solved, part: int) -> Text | None:
    """Say what a wrong answer looks like, where it looks like something."""
    form = answer.format
    if form.kind is Kind.NAMED_SHAPE and sorted(typed_sizes(answer.word, form)) == sorted(true.results[part]):
        return Text("The names are right, but not their order.", "名称都对，顺序不对。")
    if form.kind in WITHOUT_TOLERANCE:
        return None
    expected = true.expected(part)
    if form.kind is Kind.MATRIX and len(answer.dimensions) == 2:
        rows, columns = answer.dimensions
        flipped = tuple(answer.cells[i * columns + j] for j in range(columns) for i in range(rows))
        if true.accepts(replace(answer, cells=flipped, dimensions=(columns, rows)), part):
            return Text("This is the right matrix, transposed.", "你写的是正确答案的转置。")
    if len(answer.cells) != 1 or len(expected) != 1:
        return None
    value, one = answer.cells[0].value, expected[0]
    if form.kind is Kind.PERCENT and isinstance(value, int | Fraction) and one.accepts(Fraction(value) * 100):
        return Text("Did you mean {percent} %?", "是不是想写 {percent}%？").fill(percent=show(float(value * 100), form))
    if form.kind is Kind.BYTES and answer.unit:
        return _unit_hint(answer.unit, value, one.value) or _rounded_hint(answer.unit, value, one.value)
    return None


_UNITS = (("kB", 3, "KiB", 10), ("MB", 6, "MiB", 20), ("GB", 9, "GiB", 30), ("TB", 12, "TiB", 40))


def _unit_hint(unit: str, value: Exact, expected: Fraction) -> Text | None:
    """Say that the number would be right in the unit of the other family."""
    if not isinstance(value, int | Fraction):
        return None
    message = Text("1 {unit} is {size} bytes; you may mean {other}.", "1 {unit} 是 {size} 字节，是不是想写 {other}？")
    for decimal, tens, binary, twos in _UNITS:
        if unit.lower() == decimal.lower() and Fraction(value) / 10**tens * 2**twos == expected:
            return message.fill(unit=unit, size=f"10^{tens}", other=binary)
        if unit.lower() == binary.lower() and Fraction(value) / 2**twos * 10**tens == expected:
            return message.fill(unit=unit, size=f"2^{twos}", other=decimal)
    return None


def _rounded_hint(unit: str, value: Exact, expected: Fraction) -> Text | None:
    """Say that a size is the right one, rounded to the decimals that were typed."""
    sizes = {
        name.lower(): size for decimal, tens, binary, twos in _UNITS for name, size in ((decimal, 10**tens), (binary, 2**twos))
    }
    size = sizes.get(unit.lower())
    if size is None or not isinstance(value, int | Fraction) or value == 0:
        return None
    typed = Fraction(value) / size
    decimals = next((places for places in range(_MOST_DECIMALS) if (typed * 10**places).denominator == 1), None)
    if decimals is None or abs(Fraction(value) - expected) * 2 > Fraction(size, 10**decimals):
        return None
    return Text("That is the size rounded; it is asked for exactly.", "这是取近似之后的大小，这里要精确值。")


_MOST_DECIMALS = 12
