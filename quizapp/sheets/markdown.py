"""A sheet as Markdown, its formulas between dollar signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from question_bank.problem import Problem
from question_bank.program import Ask, Kind
from question_bank.text import Language, Text
from quizapp.commands.drawing import form, label, substep_line
from quizapp.exports import formulas
from quizapp.exports.markdown import fenced, sentence, words
from quizapp.sheets.plan import Copy, Item, Sheet, letter
from quizapp.sheets.solutions import Key, Solver, nested
from quizapp.sheets.source import IN_WORDS, person_of, title_of
from quizapp.wording_exports import PART
from quizapp.wording_sheets import DATE, IN_SHORT, KEY, NAME, POINTS
from solvers.operations.base import symbol
from solvers.steps import Step


def questions(sheet: Sheet) -> str:
    """Write everybody's sheet."""
    return "\n\n".join(block for copy in sheet.copies for block in _copy(sheet, copy)) + "\n"


def key(sheet: Sheet, solve: Solver) -> str:
    """Write the key to everybody's sheet, with the steps that the solver gives."""
    spoken = sheet.languages.each
    blocks = [f"# {_line(KEY, spoken)}{_colon(spoken)}{words(sheet.title, starts=False)}"]
    for copy in sheet.copies:
        if copy.person:
            blocks.append(f"## {_line(person_of(copy), spoken)}")
        for number, item in copy.numbered():
            blocks += _key_item(number, item, spoken, solve)
    return "\n\n".join(blocks) + "\n"


def whole(sheet: Sheet, key_kind: Key, solve: Solver) -> str:
    """Write everybody's sheet, and behind all of them the key, if there is to be one."""
    return questions(sheet) + ("" if key_kind is Key.NONE else "\n---\n\n" + key(sheet, solve))


def _each(text: Text, spoken: Sequence[Language]) -> list[str]:
    return list(dict.fromkeys(sentence(text[language].strip()) for language in spoken))


def _line(text: Text, spoken: Sequence[Language]) -> str:
    return " ".join(_each(text, spoken))


def _colon(spoken: Sequence[Language]) -> str:
    return "：" if tuple(spoken) == (Language.ZH,) else ": "


def _copy(sheet: Sheet, copy: Copy) -> Iterator[str]:
    spoken = sheet.languages.each
    yield f"# {words(sheet.title, starts=False)}"
    blank = "\\_" * 20
    name = _line(person_of(copy), spoken) if copy.person and copy.is_named else blank
    variant = f" · {_line(person_of(copy), spoken)}" if copy.person and not copy.is_named else ""
    yield f"{_line(NAME, spoken)}{_colon(spoken)}{name} · {_line(DATE, spoken)}{_colon(spoken)}{blank}{variant}"
    for number, item in copy.numbered():
        yield _heading(number, item, spoken)
        yield from _each(item.prompt, spoken)
        if isinstance(item, Problem):
            yield from _given(item, spoken)


def _heading(number: int, item: Item, spoken: Sequence[Language]) -> str:
    if isinstance(item, Problem):
        return f"## {number}. {_line(title_of(item), spoken)} `{item.code}`"
    return f"## {number}. {_line(item.title, spoken)} `{item.id}`"


def _given(problem: Problem, spoken: Sequence[Language]) -> Iterator[str]:
    if problem.listing:
        yield fenced(problem.listing, "python")
    for name, value in problem.program.inputs:
        yield f"$$\n{formulas.input_formula(name, value)}\n$$"
    asks = problem.program.asks
    asked = (PART.fill(label=label(ask), form=form(ask.format)) for ask in asks)
    yield "\n".join(f"- {_letter(place, asks)}{_line(each, spoken)}" for place, each in enumerate(asked))


def _letter(place: int, asks: Sequence[Ask]) -> str:
    """Write the letter of a part of several; bold, since a bare one would begin a list within the list."""
    return f"**({letter(place)})** " if len(asks) > 1 else ""


def _key_item(number: int, item: Item, spoken: Sequence[Language], solve: Solver) -> Iterator[str]:
    yield _heading(number, item, spoken).replace("## ", "### ", 1)
    if not isinstance(item, Problem):
        yield from _each(POINTS, spoken)
        yield "\n".join(f"{place}. {_line(point, spoken)}" for place, point in enumerate(item.points, 1))
        yield from _each(IN_SHORT.fill(answer=item.answer), spoken)
        return
    solution = solve(item)
    lines = []
    asks = item.program.asks
    for part, (ask, given) in enumerate(zip(asks, solution.answers, strict=True)):
        kind = ask.format.kind
        if kind in (Kind.VECTOR, Kind.MATRIX):
            value = f"${formulas.table(nested(given))}$"
        else:
            value = _line(IN_WORDS[given], spoken) if kind is Kind.YES_NO else words(given, starts=False)
        lines.append(f"- {_letter(part, asks)}{_line(label(ask), spoken)} = {value}")
    yield "\n".join(lines)
    for place, step in enumerate(solution.steps, 1):
        yield from _step(place, step, spoken)


def _step(number: int, step: Step, spoken: Sequence[Language]) -> Iterator[str]:
    yield f"{number}\\. {_line(step.title, spoken)}{_colon(spoken)}${formulas.formula(step.formula)}$"
    yield from _each(step.reason, spoken)
    if step.substeps:
        yield fenced([substep_line(line) for line in step.substeps])
    if not (isinstance(step.result, str) and step.result.startswith("[")):
        yield f"$$\n{symbol(step.node)} = {formulas.table(step.result)}\n$$"
