"""Grade what a person typed: right, right after a slip, a known mistake, wrong, coarse, unreadable, given up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from question_bank.exact import Exact, to_float
from question_bank.problem import Problem
from question_bank.program import Ask, Asked, Kind, Program
from question_bank.text import Text, same
from solvers import run
from solvers.answers import Answer, Unreadable, read
from solvers.comparing import Match, dimensions_of
from solvers.display import intermediate, show
from solvers.hand import Array
from solvers.mistakes import Slip, value_symbol
from solvers.scenario import Scenario, Solved, same_shape, solved
from solvers.verdict import Outcome, PartVerdict, Verdict

_SEVERITY = list(Outcome)


def grade(problem: Problem | Program, answers: Sequence[str | None]) -> Verdict:
    """Grade the answers to a problem.

    Args:
        problem: The problem, or a program of a person's own numbers.
        answers: What was typed, one text per part; None for a part given up.

    Raises:
        RunError: The number of answers isn't the number of parts, or the program can't be run.
    """
    program, code = (problem.program, problem.code) if isinstance(problem, Problem) else (problem, "")
    if len(answers) != len(program.asks):
        raise run.RunError(
            Text(
                "{expected} answers are expected, one per part; {found} were given.",
                "应当给出 {expected} 个答案（每部分一个），实际有 {found} 个。",
            ).fill(expected=len(program.asks), found=len(answers))
        )
    grader = _Grader(solved(program))
    for text in answers:
        grader.add(text)
    parts = tuple(grader.parts)
    worst = max((part.outcome for part in parts), key=_SEVERITY.index)
    return Verdict(worst, parts, _summary(parts, worst), code)


def _summary(parts: tuple[PartVerdict, ...], worst: Outcome) -> Text:
    if len(parts) == 1:
        return parts[0].message
    if not worst.spends_an_attempt:
        return next(part.message for part in parts if part.outcome is worst)
    earned = sum(part.outcome.earns_the_mark for part in parts)
    if worst is Outcome.RIGHT:
        return Text("All {n} parts are right.", "{n} 个部分全部正确。").fill(n=len(parts))
    return Text("{earned} of {n} marks.", "{n} 分中得 {earned} 分。").fill(earned=earned, n=len(parts))


@dataclass(frozen=True, slots=True)
class _Graded:
    """An earlier part: what was read of it, what became of it, and the mistake recognised."""

    ask: Ask
    answer: Answer | None
    outcome: Outcome
    slip: Slip | None


class _Grader:
    """Grades part after part, keeping what later parts may follow from."""

    def __init__(self, true: Solved) -> None:
        self.parts: list[PartVerdict] = []
        self._true = true
        self._earlier: list[_Graded] = []

    def add(self, text: str | None) -> None:
        """Grade the next part."""
        part = len(self.parts)
        ask = self._true.program.asks[part]
        expected = same(show(self._true.results[part], ask.format))
        reading = None if text is None else read(text, ask.format)
        slip: Slip | None = None
        if reading is None:
            verdict = PartVerdict(
                Outcome.GIVEN_UP, Text("The answer is {answer}.", "答案是 {answer}。").fill(answer=expected), same(""), expected
            )
        elif isinstance(reading, Unreadable):
            verdict = PartVerdict(Outcome.UNREADABLE, reading.message, same(""), expected, text or "")
        else:
            verdict, slip = self._judge(part, ask, reading)
            verdict = replace(
                verdict, understood=reading.understood, expected=expected, typed=text or "", notes=reading.notes + verdict.notes
            )
        self.parts.append(verdict)
        self._earlier.append(_Graded(ask, reading if isinstance(reading, Answer) else None, verdict.outcome, slip))

    def _judge(self, part: int, ask: Ask, answer: Answer) -> tuple[PartVerdict, Slip | None]:
        found = self._true.matches(answer, part)
        if found is not None and all(match is Match.RIGHT for match in found):
            return _verdict(Outcome.RIGHT, Text("Right.", "正确。")), None
        origin = self._origin(ask)
        own = self._overrides(part, wrong_only=False)
        own_runs = self._own_runs(part, own, origin)
        if any(scenario.accepts(answer, 0) for scenario in own_runs):
            return self._follows(origin), None
        if found is not None and all(match is not Match.WRONG for match in found):
            return _verdict(Outcome.COARSE, _coarse(ask)), None
        slip = self._recognised(part, answer, own if origin is not None else run.NO_OVERRIDES)
        if slip is not None:
            return _verdict(Outcome.KNOWN_MISTAKE, _named(slip[0], slip[1], ask), mistake=slip[0].mistake), slip[0]
        if found is None:
            return _verdict(Outcome.UNREADABLE, _other_shape(answer.dimensions, dimensions_of(self._true.results[part]))), None
        wrong = _wrong_cells(found, self._true.results[part], ask)
        return _verdict(Outcome.WRONG, _wrong(wrong, answer, self._true, part), wrong_cells=wrong), None

    def _origin(self, ask: Ask) -> int | None:
        """Return the first earlier part that is wrong and that this one depends on."""
        needed = {line.node for line in self._true.program.needed(ask.node)}
        for number, earlier in enumerate(self._earlier):
            if earlier.outcome in (Outcome.WRONG, Outcome.KNOWN_MISTAKE) and earlier.ask.node in needed:
                return number
        return None

    def _overrides(self, part: int, *, wrong_only: bool) -> dict[tuple[str, tuple[int, ...]], Array]:
        """Return the learner's own earlier values, by node and index."""
        own: dict[tuple[str, tuple[int, ...]], Array] = {}
        for number, earlier in enumerate(self._earlier[:part]):
            if earlier.answer is None or earlier.ask.asked is Asked.SHAPE or earlier.outcome is Outcome.UNREADABLE:
                continue
            wrong = earlier.outcome in (Outcome.WRONG, Outcome.KNOWN_MISTAKE)
            if wrong or not wrong_only:
                shape = dimensions_of(self._true.results[number])
                if same_shape(earlier.answer.dimensions, shape):
                    own[earlier.ask.node, earlier.ask.index] = _nested([cell.value for cell in earlier.answer.cells], shape)
        return own

    def _own_runs(self, part: int, own: run.Overrides, origin: int | None) -> list[Scenario]:
        """Return the three ways of following through: all own values, the wrong ones only, the recognised mistake's."""
        program = replace(self._true.program, asks=(self._true.program.asks[part],))
        base = (self._true.program, self._true.environment)
        runs = [Scenario(program, own)] if own else []
        if origin is not None:
            runs.append(Scenario(program, self._overrides(part, wrong_only=True)))
            runs += [
                Scenario(replace(earlier.slip.program, asks=program.asks), base=base)
                for earlier in self._earlier
                if earlier.slip is not None
            ]
        return runs

    def _follows(self, origin: int | None) -> PartVerdict:
        if origin is None:  # from earlier values that are right, rounded as the learner has them
            return _verdict(Outcome.RIGHT, Text("Right.", "正确。"))
        ask = self._earlier[origin].ask
        message = Text(
            "Rightly computed from your {part}; the slip is there.", "按你写的{part}算，这一步是对的；错在那里。"
        ).fill(part=_label(ask))
        return _verdict(Outcome.RIGHT_AFTER_SLIP, message, slip=origin)

    def _recognised(self, part: int, answer: Answer, own: run.Overrides) -> tuple[Slip, Scenario] | None:
        """Find the mistake that gives this very answer, made on the true values or on the learner's own."""
        for slip, scenario in self._true.slips(part):
            if scenario.accepts(answer, 0):
                return slip, scenario
            if own and slip.local:
                after_own = Scenario(slip.program, own)
                if after_own.accepts(answer, 0):
                    return slip, after_own
        return None


def _verdict(
    outcome: Outcome,
    message: Text,
    *,
    mistake: str | None = None,
    slip: int | None = None,
    wrong_cells: tuple[tuple[int, ...], ...] = (),
) -> PartVerdict:
    nothing = same("")
    return PartVerdict(outcome, message, nothing, nothing, mistake=mistake, slip=slip, wrong_cells=wrong_cells)


def _label(ask: Ask) -> Text:
    return ask.label or same(f" {value_symbol(ask.node)} ")


def _nested(numbers: list[Exact], shape: tuple[int, ...]) -> Array:
    if not shape:
        return to_float(numbers[0])
    size = len(numbers) // shape[0]
    return [_nested(numbers[start : start + size], shape[1:]) for start in range(0, len(numbers), size)]


# Messages --------------------------------------------------------------------------------------------------------------


def _named(slip: Slip, scenario: Scenario, ask: Ask) -> Text:
    """Name a mistake, with the number that it produces at its step."""
    tensor = scenario.environment[slip.node]
    if ask.asked is Asked.SHAPE:
        value = intermediate(list(tensor.shape), ask.asked)
        place = Text("; so {node} comes out as {value}.", "，于是 {node} 成了 {value}。")
    else:
        at_row = len(ask.index) > 0 and tensor.dim() == 2 and slip.mistake != "ask.other-row"
        row = ask.index[0] if at_row and ask.index[0] < len(tensor) else None
        value = intermediate(tensor[row].tolist() if row is not None else tensor.tolist())
        place = Text("; that makes {node} = {value}.", "，于是 {node} = {value}。")
        if row is not None:
            place = Text("; that makes row {row} of {node} {value}.", "，于是 {node} 的第 {row} 行成了 {value}。").fill(
                row=row + 1
            )
    return Text(slip.sentence.en + place.en, slip.sentence.zh + place.zh).fill(node=value_symbol(slip.node), value=value)


def _coarse(ask: Ask) -> Text:
    if ask.format.significant is not None:
        return Text("Right so far; {n} significant digits are asked.", "目前是对的，但要求 {n} 位有效数字。").fill(
            n=ask.format.significant
        )
    return Text("Right so far; {n} decimal places are asked.", "目前是对的，但要求 {n} 位小数。").fill(
        n=ask.format.decimals if ask.format.decimals is not None else 4
    )


def _other_shape(typed: tuple[int, ...], expected: tuple[int, ...]) -> Text:
    return Text("{expected} expected, {typed} read.", "应为 {expected}，读到的是 {typed}。").fill(
        expected=_shape_words(expected), typed=_shape_words(typed)
    )


def _shape_words(shape: tuple[int, ...]) -> Text:
    if len(shape) <= 1:
        count = shape[0] if shape else 1
        return Text("1 number", "1 个数") if count == 1 else Text("{n} numbers", "{n} 个数").fill(n=count)
    return same("×".join(map(str, shape)))


def _wrong_cells(found: list[Match], result: Array, ask: Ask) -> tuple[tuple[int, ...], ...]:
    if ask.format.kind is Kind.SHAPE:
        return tuple((position,) for position, match in enumerate(found) if match is not Match.RIGHT)
    shape = dimensions_of(result)
    if not shape:
        return ()
    cells = []
    for position, match in enumerate(found):
        if match is Match.WRONG:
            index: list[int] = []
            for size in reversed(shape):
                position, at = divmod(position, size)
                index.insert(0, at)
            cells.append(tuple(index))
    return tuple(cells)


MOST_NAMED = 4
"""Wrong cells that a sentence names one by one."""


def _wrong(cells: tuple[tuple[int, ...], ...], answer: Answer, true: Solved, part: int) -> Text:
    message = _where(cells, len(answer.cells))
    hint = _hint(answer, true, part)
    return message + hint if hint else message


def _where(cells: tuple[tuple[int, ...], ...], total: int) -> Text:
    if not cells or total == 1:
        return Text("Not right.", "不对。")
    if len(cells) == total:
        return Text("Not right: no number fits.", "不对：没有一个数是对的。")
    if len(cells) > MOST_NAMED:
        return Text("Not right: {n} of {total} numbers are wrong.", "不对：{total} 个数里错了 {n} 个。").fill(
            n=len(cells), total=total
        )
    if len(cells[0]) == 1:
        places = [Text(f"number {cell[0] + 1}", f"第 {cell[0] + 1} 个数") for cell in cells]
    else:
        places = [
            Text(f"row {cell[-2] + 1}, column {cell[-1] + 1}", f"第 {cell[-2] + 1} 行第 {cell[-1] + 1} 列") for cell in cells
        ]
    joined = Text("; ".join(place.en for place in places), "、".join(place.zh for place in places))
    return Text("Not right in {places}.", "{places}不对。").fill(places=joined)


def _hint(answer: Answer, true: Solved, part: int) -> Text | None:
    """Say what a wrong answer looks like, where it looks like something."""
    form, expected = answer.format, true.expected(part)
    if form.kind is Kind.MATRIX and len(answer.dimensions) == 2:
        rows, columns = answer.dimensions
        flipped = tuple(answer.cells[i * columns + j] for j in range(columns) for i in range(rows))
        if true.accepts(replace(answer, cells=flipped, dimensions=(columns, rows)), part):
            return Text("This is the transposed matrix.", "这是转置后的矩阵。")
    if len(answer.cells) != 1 or len(expected) != 1:
        return None
    value, one = answer.cells[0].value, expected[0]
    if form.kind is Kind.PERCENT and isinstance(value, int | Fraction) and one.accepts(Fraction(value) * 100):
        return Text("Did you mean {percent} %?", "是不是想写 {percent}%？").fill(percent=show(float(value * 100), form))
    if form.kind is Kind.BYTES and answer.unit:
        return _unit_hint(answer.unit, value, one.value)
    return None


_UNITS = {"kb": (10**3, 2**10, "KiB"), "mb": (10**6, 2**20, "MiB"), "gb": (10**9, 2**30, "GiB"), "tb": (10**12, 2**40, "TiB")}


def _unit_hint(unit: str, value: Exact, expected: Fraction) -> Text | None:
    decimal = _UNITS.get(unit.lower())
    if decimal is None or isinstance(value, int | Fraction) is False:
        return None
    size, binary, name = decimal
    if Fraction(value) / size * binary == expected:  # type: ignore[arg-type]
        power = len(str(size)) - 1
        return Text(
            "{unit} means 10^{power} bytes; you may mean {name}.", "{unit} 是 10^{power} 字节；你可能想写 {name}。"
        ).fill(unit=unit, power=power, name=name)
    return None
