"""The key as Typst source: answers, worked steps, and for a class everybody's answers in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from question_bank.math import plain
from question_bank.problem import Problem
from question_bank.text import Language, Text
from quizapp.commands.drawing import substep_line
from quizapp.sheets.plan import Copy, Item, OpenQuestion, Sheet
from quizapp.sheets.solutions import Solver, nested
from quizapp.sheets.source import answer, key_heading, labelled_answers, lettered, owner, pages, title_of
from quizapp.sheets.typst_text import (
    displayed,
    formula,
    in_each,
    named,
    on_one_line,
    shown,
    string,
    table,
)
from quizapp.wording_sheets import IN_SHORT, KEY_PAGE, NAME, POINTS
from solvers.steps import Step, SubStep, Table


def key(sheet: Sheet, copy: Copy, number: int, solve: Solver) -> str:
    """Write the key to one person's sheet, on pages of its own; with the steps that the solver gives."""
    items = [key_item(place, item, sheet.languages.each, solve) for place, item in copy.numbered()]
    return pages(f"key-{number}", sheet, copy, KEY_PAGE, [key_heading(sheet, copy), *items])


def key_item(number: int, item: Item, spoken: Sequence[Language], solve: Solver) -> str:
    """Write the key to one problem or question."""
    if isinstance(item, OpenQuestion):
        lead, short = in_each(POINTS, spoken), in_each(IN_SHORT.fill(answer=item.answer), spoken)
        texts = ", ".join(in_each(point, spoken) for point in item.points)
        head = f"{number}, {on_one_line(item.title, spoken)}, {string(item.id)}"
        return f"#key-item({head}, points({lead}, {short}, {texts}))"
    solution = solve(item)
    answers = labelled_answers(item.program.asks, solution.answers, spoken)
    worked = [_without_remark(step, item.remark) for step in solution.steps]
    reasons = {step.reason: place for place, step in reversed(list(enumerate(worked)))}
    steps = [_step(place + 1, step, spoken, with_reason=reasons[step.reason] == place) for place, step in enumerate(worked)]
    if item.remark is not None and steps:
        remark = f"block(below: 2mm, {in_each(item.remark, spoken)})"
        steps.insert(0 if item.listing else len(steps), remark)  # of a listing it says what is wrong, and is all that most want
    if not steps:
        return f"#brief-item({number}, {string(item.code)}, side-by-side({answers}))"
    head = f"{number}, {on_one_line(title_of(item), spoken)}, {string(item.code)}"
    return f"#key-item({', '.join([head, f'side-by-side({answers})', *steps])})"


def _without_remark(step: Step, remark: Text | None) -> Step:
    """Leave out of a reason what the solution ends with: it stands beneath the last step."""
    if remark is None or not step.reason.zh.endswith(remark.zh):
        return step
    reason = Text(step.reason.en.removesuffix(remark.en).strip(), step.reason.zh.removesuffix(remark.zh))
    return replace(step, reason=reason)


def _step(number: int, step: Step, spoken: Sequence[Language], *, with_reason: bool) -> str:
    """Write a step; what several steps say of themselves is said once."""
    reason = in_each(step.reason, spoken, "asking-") if with_reason else "none"
    title = on_one_line(step.title, spoken)
    if step.section:
        title = f"[#{title} #h(1mm) #small[§{step.section}]]"
    arguments = [str(number), title, displayed(formula(step.formula)), reason]
    if _is_wide(step, spoken):
        arguments.append("wide: true")
    if isinstance(step.result, str) and step.result.startswith("["):  # shapes go in, and a shape comes out
        arguments.append("none")
        arguments += [f"(none, ({_shape_line(step, line)},))" for line in step.substeps]
    else:
        arguments.append("none" if _is_said(step) else displayed(named(step.node), "=", table(step.result)))
        arguments += _lines(step, spoken)
    return f"step({', '.join(arguments)})"


def _is_said(step: Step) -> bool:
    """Tell whether the lines of a step give its result: a number, or the few of a matrix that are asked."""
    lines = [line.result for line in step.substeps]
    if isinstance(step.result, str):
        return lines[-1:] == [step.result]
    rows = [row for row in _rows(step.result) if set(row) != {UNKNOWN}]
    cells = [cell for row in rows for cell in row if cell != UNKNOWN]
    part = UNKNOWN in {cell for row in _rows(step.result) for cell in row}
    return (part or len(cells) == 1) and set(cells) <= set(lines) and (len(rows) == 1 or len(cells) <= FEW)


UNKNOWN = "·"
"""What stands in a matrix where nothing is computed, since nobody asks for it."""

FEW = 2
"""So many numbers of a matrix that their lines are enough; those of a single row always are."""


def _rows(table: Table) -> Iterator[tuple[str, ...]]:
    if isinstance(table, tuple) and all(isinstance(part, str) for part in table):
        yield tuple(map(str, table))
    elif isinstance(table, tuple):
        for part in table:
            yield from _rows(part)


def _shape_line(step: Step, line: SubStep) -> str:
    return f"${shown(line.expression)} quad -> quad {named(step.node)} {shown(line.result)}$"


WIDEST_HEADING = 80
"""Characters of a step's title and formula that stand side by side."""


def _is_wide(step: Step, spoken: Sequence[Language]) -> bool:
    """Tell whether a step's formula has to go beneath its title; Chinese characters are twice as wide."""
    words = "".join(dict.fromkeys(step.title[language] for language in spoken))
    return sum(1 + (character > "\u2e80") for character in words) + len(plain(f"${step.formula}$")) > WIDEST_HEADING


def _lines(step: Step, spoken: Sequence[Language]) -> Iterator[str]:
    """Write the lines of arithmetic, those that do the same beneath one explanation; none repeats the title."""
    for said, grouped in groupby(step.substeps, key=attrgetter("explanation")):
        lines = list(grouped)
        gloss = "none" if said == step.title else on_one_line(said, spoken)
        matrices = [_matrix(line) for line in lines]
        if all(matrices):  # side by side beneath what is said of them
            yield f"({gloss}, side-by-side(gap: 4mm, {', '.join(matrices)}))"
        else:
            sums = [sums for line in lines if (sums := _sum(line))]
            yield f"({gloss}, ({', '.join(sums)}{',' if sums else ''}))"


def _matrix(line: SubStep) -> str:
    """Write a line that does nothing but give a matrix; nothing of other lines."""
    if line.expression or not line.result.startswith("[["):
        return ""
    return displayed(shown(line.cell), "=", table(nested(line.result)))


def _sum(line: SubStep) -> str:
    written = substep_line(line)
    return "" if written in ("", "…") else f"${shown(written)}$"


# A class ---------------------------------------------------------------------------------------------------------------

ROWS = 200
"""Rows of one table: Typst keeps a whole document in memory."""

WIDEST_TABLE = 76
"""Characters that a row of the table has room for where each problem has a column of its own."""


def class_keys(sheet: Sheet, solve: Solver) -> Iterator[str]:
    """Write everybody's answers in one table; of a crowd, in a table for every so many, with its own page numbers.

    A row for each person; a column for each problem where they are short enough. What everybody is asked in words comes first.
    """
    spoken = sheet.languages.each
    everybody = {place: item for copy in sheet.copies for place, item in copy.numbered() if isinstance(item, OpenQuestion)}
    words = [key_item(place, item, spoken, solve) for place, item in everybody.items()]
    for start in range(0, len(sheet.copies), ROWS):
        copies = sheet.copies[start : start + ROWS]
        rows = [(copy, [(number, item) for number, item in copy.numbered() if isinstance(item, Problem)]) for copy in copies]
        numbers = max((number for _, items in rows for number, _ in items), default=0)
        table = [_class_table(rows, numbers, spoken, solve)] if numbers else []
        if start == 0 or table:
            body = [key_heading(sheet, Copy("", ())), *(words if start == 0 else []), *table]
            yield pages(f"class-key-{start}", sheet, Copy("", ()), KEY_PAGE, body)


def _class_table(
    rows: Sequence[tuple[Copy, Sequence[tuple[int, Problem]]]], numbers: int, spoken: Sequence[Language], solve: Solver
) -> str:
    widths = [0] * (numbers + 1)
    for copy, items in rows:
        widths[0] = max(widths[0], sum(1 + (not each.isascii()) for each in copy.person))
        for number, item in items:
            widths[number] = max(widths[number], sum(len(each) + 3 for each in solve(item).answers))
    header = on_one_line(NAME, spoken)
    if sum(width + 2 for width in widths) <= WIDEST_TABLE:
        heads = [header, *(f"[{number}]" for number in range(1, numbers + 1))]
        columns = ", ".join(["1fr"] + ["auto"] * numbers)
        cells = [cell for copy, items in rows for cell in _one_cell_each(copy, dict(items), numbers, spoken, solve)]
    else:
        heads = [header, "[]"]
        columns = "auto, 1fr"
        cells = [cell for copy, items in rows for cell in (owner(copy, spoken[0]), _all_in_one(items, spoken, solve))]
    return f"#class-table(({columns}), ({', '.join(heads)},), {', '.join(cells)})"


def _one_cell_each(
    copy: Copy, items: dict[int, Problem], numbers: int, spoken: Sequence[Language], solve: Solver
) -> Iterator[str]:
    yield owner(copy, spoken[0])
    for number in range(1, numbers + 1):
        item = items.get(number)
        yield "[]" if item is None else f"[#{' #h(2mm) #'.join(_answers(item, spoken, solve))}]"


def _answers(item: Problem, spoken: Sequence[Language], solve: Solver) -> list[str]:
    """Write a problem's answers; with their letters where there are several."""
    asks = item.program.asks
    given = zip(asks, solve(item).answers, strict=True)
    return [lettered(place, answer(ask, each, spoken), asks, "part-in-table") for place, (ask, each) in enumerate(given)]


def _all_in_one(items: Sequence[tuple[int, Problem]], spoken: Sequence[Language], solve: Solver) -> str:
    """Write a person's answers, on as many lines as they take, each problem's behind its number."""
    pieces = []
    for number, item in items:
        first, *others = _answers(item, spoken, solve)
        pieces += [f"[#text(fill: accent, weight: 700)[{number}] #h(1.5mm) #{first}]", *others]
    return f"side-by-side(gap: 5mm, {', '.join(pieces)})"
