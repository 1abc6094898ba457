"""Grade what a person typed: right, right after a slip, a known mistake, wrong, coarse, unreadable, given up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from question_bank.problem import Problem
from question_bank.program import Ask, Kind, Program
from question_bank.text import Text, same
from solvers import remarks, run
from solvers.answers import Answer, Unreadable, read
from solvers.comparing import Match, dimensions_of
from solvers.following import Earlier, origins, overrides, own_values, ways
from solvers.hand import Array
from solvers.mistakes import Slip, value_symbol
from solvers.scenario import Scenario, Solved, solved
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
                "Answers expected: {expected}, one per part; answers given: {found}.",
                "应当给出 {expected} 个答案，每个部分一个；实际给了 {found} 个。",
            ).fill(expected=len(program.asks), found=len(answers))
        )
    grader = _Grader(solved(program), problem if isinstance(problem, Problem) else None)
    for text in answers:
        grader.add(text)
    parts = tuple(grader.parts)
    worst = max((part.outcome for part in parts), key=_SEVERITY.index)
    return Verdict(worst, parts, _summary(program.asks, parts, worst), code)


def _summary(asks: Sequence[Ask], parts: tuple[PartVerdict, ...], worst: Outcome) -> Text:
    if len(parts) == 1:
        return parts[0].message
    if not worst.spends_an_attempt:
        ask, part = next((ask, part) for ask, part in zip(asks, parts, strict=True) if part.outcome is worst)
        name = ask.label or same(value_symbol(ask.node))
        return Text(f"{name.en.strip()}: {part.message.en}", f"{name.zh.strip()}：{part.message.zh}")
    earned = sum(part.outcome.earns_the_mark for part in parts)
    if worst is Outcome.RIGHT:
        return Text("All {n} parts are right.", "{n} 个部分全部正确。").fill(n=len(parts))
    return Text("{earned} of {n} marks.", "满分 {n} 分，得 {earned} 分。").fill(earned=earned, n=len(parts))


@dataclass(frozen=True, slots=True)
class _Judgement:
    """A verdict, with what later parts need to know of it."""

    verdict: PartVerdict
    slip: Slip | None = None
    origins: tuple[int, ...] = ()


class _Grader:
    """Grades part after part, keeping what later parts may follow from."""

    def __init__(self, true: Solved, problem: Problem | None) -> None:
        self.parts: list[PartVerdict] = []
        self._true, self._problem = true, problem
        self._earlier: list[Earlier] = []

    def add(self, text: str | None) -> None:
        """Grade the next part."""
        part = len(self.parts)
        ask = self._true.program.asks[part]
        expected = remarks.expected(self._true.shown(part), ask)
        reading = None if text is None else read(text, ask.format)
        if reading is None:
            message = remarks.given_up(expected, ask)
            judged = _Judgement(_verdict(Outcome.GIVEN_UP, message))
        elif isinstance(reading, Unreadable):
            judged = _Judgement(_verdict(Outcome.UNREADABLE, reading.message))
        else:
            judged = self._judge(part, ask, reading)
        answer = reading if isinstance(reading, Answer) else None
        self.parts.append(
            replace(
                judged.verdict,
                understood=answer.understood if answer else judged.verdict.understood,
                expected=expected,
                typed=text or "",
                notes=answer.notes if answer else (),
            )
        )
        self._earlier.append(Earlier(ask, answer, judged.verdict.outcome, judged.slip, judged.origins))

    def _judge(self, part: int, ask: Ask, answer: Answer) -> _Judgement:
        found = self._true.matches(answer, part)
        if found is not None and all(match is Match.RIGHT for match in found):
            return _Judgement(_verdict(Outcome.RIGHT, remarks.RIGHT))
        way = next((way for way in ways(self._true, self._earlier, ask) if way.scenario.accepts(answer, 0)), None)
        if way is not None:
            return self._follows(way.origins)
        if found is not None and all(match is not Match.WRONG for match in found):
            return _Judgement(_verdict(Outcome.COARSE, remarks.coarse(ask)))
        recognised = self._recognised(part, answer)
        if recognised is not None:
            slip, scenario = recognised
            message = remarks.names(slip, scenario, ask, self._true.program, self._problem)
            return _Judgement(_verdict(Outcome.KNOWN_MISTAKE, message, mistake=slip.mistake), slip)
        result = self._true.results[part]
        if found is None:
            message = remarks.other_shape(answer.dimensions, dimensions_of(result))
            return _Judgement(_verdict(Outcome.UNREADABLE, message))
        cells = _wrong_cells(found, answer, result)
        return _Judgement(_verdict(Outcome.WRONG, remarks.wrong(cells, answer, self._true, part), wrong_cells=cells))

    def _follows(self, numbers: tuple[int, ...]) -> _Judgement:
        if not numbers:  # from earlier values that are right, rounded as the learner has them
            return _Judgement(_verdict(Outcome.RIGHT, remarks.RIGHT))
        message = remarks.follows([self._earlier[number].ask for number in numbers])
        return _Judgement(_verdict(Outcome.RIGHT_AFTER_SLIP, message, slip=numbers[0]), origins=numbers)

    def _recognised(self, part: int, answer: Answer) -> tuple[Slip, Scenario] | None:
        """Find the mistake that gives this very answer, made on the true values or, after a slip, on the learner's own."""
        ask = self._true.program.asks[part]
        wrong = own_values(self._true, self._earlier, wrong_only=True)
        after_slip = bool(origins(self._true, self._earlier, ask, wrong))
        own = overrides(own_values(self._true, self._earlier)) if after_slip else run.NO_OVERRIDES
        base = Scenario(replace(self._true.program, asks=(ask,)), own, self._true)
        if own:
            with suppress(run.RunError):
                _ = base.environment  # each mistake goes on from there
        nearly: tuple[Slip, Scenario] | None = None
        for slip, scenario in self._true.slips(part):
            found = scenario if scenario.accepts(answer, 0) else None
            if found is None and own and slip.local:
                after_own = Scenario(slip.program, own, base)
                found = after_own if after_own.accepts(answer, 0) else None
            if found is not None:
                if not found.is_near(answer, 0):
                    return slip, found
                nearly = nearly or (slip, found)  # another mistake may give this very number
        return nearly


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


def _wrong_cells(found: list[Match], answer: Answer, result: Array) -> tuple[tuple[int, ...], ...]:
    if answer.format.kind in (Kind.SHAPE, Kind.NAMED_SHAPE):
        return tuple((place,) for place, match in enumerate(found[: answer.dimensions[0]]) if match is not Match.RIGHT)
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
