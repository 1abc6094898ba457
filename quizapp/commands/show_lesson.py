"""A lesson as a page, and as data; its computed numbers are filled in."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from question_bank.bank import Bank
from question_bank.drills import DRILLS
from question_bank.lessons.computed import Computed, Sized, as_table
from question_bank.lessons.lesson import Example, Lesson, paragraphs
from question_bank.lessons.places import fill
from question_bank.text import Text
from question_bank.written import read_value
from quizapp import wording_lesson as wording
from quizapp.citations import cited
from quizapp.commands.drawing import INDENT, named_lines
from quizapp.commands.pages import Page, Section, spaced, stacked
from quizapp.commands.problem import number_data
from quizapp.commands.session import Session
from quizapp.commands.show_question import claim_lines


class LessonPart(StrEnum):
    """The nine parts of a lesson."""

    INTUITION = "intuition"
    FORMULA = "formula"
    TERMS = "terms"
    SHAPES = "shapes"
    EXAMPLE = "example"
    DEMONSTRATION = "demonstration"
    CODE = "code"
    MISTAKES = "mistakes"
    QUESTIONS = "questions"

    @property
    def heading(self) -> Text:
        """What stands above it."""
        return wording.PARTS[tuple(LessonPart).index(self)]


INSTEAD_OF = Text("instead of {name}", "原来 {name}")


def results_of(lesson: Lesson, bank: Bank) -> Computed:
    """Return the numbers of a lesson; those of a person's own are computed.

    Raises:
        ContentError: The programs of a person's own lesson can't be run.
    """
    if lesson.section in bank.own_lessons:
        from solvers.lessons import compute

        return compute(lesson)
    from question_bank.lessons import results

    return results(lesson.section)


def sections(page: Page, lesson: Lesson, computed: Computed, bank: Bank, part: LessonPart | None) -> list[Section]:
    """Lay out a part of a lesson, or all of it."""
    shown = tuple(LessonPart) if part is None else (part,)
    layout = _Layout(page, lesson, computed, bank)
    return [Section(each.heading, layout.parts[each]()) for each in shown]


class _Layout:
    """Lays out the parts of one lesson."""

    def __init__(self, page: Page, lesson: Lesson, computed: Computed, bank: Bank) -> None:
        self.page, self.lesson, self.computed, self.bank = page, lesson, computed, bank
        self.parts: dict[LessonPart, Callable[[], list[str]]] = {
            LessonPart.INTUITION: lambda: self._prose(lesson.intuition),
            LessonPart.FORMULA: self._formulas,
            LessonPart.TERMS: self._terms,
            LessonPart.SHAPES: self._shapes,
            LessonPart.EXAMPLE: self._examples,
            LessonPart.DEMONSTRATION: self._demonstration,
            LessonPart.CODE: self._code,
            LessonPart.MISTAKES: self._mistakes,
            LessonPart.QUESTIONS: self._links,
        }

    def _filled(self, text: Text) -> Text:
        return fill(text, self.computed.values)

    def _written(self, text: Text) -> str:
        return self.page.written(self._filled(text))

    def _prose(self, text: Text) -> list[str]:
        return self.page.prose(*paragraphs(self._filled(text)))

    def _formulas(self) -> list[str]:
        return spaced(
            [
                *self.page.hanging("", self.page.formula(each.latex)),
                *self.page.beneath(self._written(each.says), self.page.written(wording.SOURCE.fill(source=each.source))),
            ]
            for each in self.lesson.formulas
        )

    def _terms(self) -> list[str]:
        return spaced(
            [*self.page.hanging("", self.page.formula(each.symbol)), *self.page.beneath(self._written(each.says))]
            for each in self.lesson.terms
        )

    def _shapes(self) -> list[str]:
        sizes = ", ".join(
            f"{self.page.name(name)} = {size}" for name, size in self.lesson.shapes.sizes.items() if not name.isdigit()
        )
        return spaced(
            [
                self.page.hanging("", self.page.written(wording.SIZES.fill(sizes=sizes))),
                _flow(self.page, self.computed.shapes),
                self._prose(self.lesson.shapes.says),
            ]
        )

    def _examples(self) -> list[str]:
        return spaced(map(self._example, self.lesson.examples, self.computed.examples))

    def _example(self, example: Example, tables: dict[str, object]) -> list[str]:
        drawn = stacked(named_lines(self.page.name(node), as_table(tables[node])) for node in example.show)
        return spaced([self.page.hanging("", self._written(example.title)), drawn, self._prose(example.says)])

    def _demonstration(self) -> list[str]:
        demo = self.lesson.demonstration
        blocks = [self._prose(demo.says)]
        for number, variation in enumerate(demo.variations, 1):
            new, old = (as_table(each[number - 1]) for each in (self.computed.variations, self.computed.unchanged))
            name = self.page.name(variation.show)
            before = self.page.written(INSTEAD_OF.fill(name=name))
            drawn = stacked([named_lines(name, new), named_lines(before, old)])
            lead = f"{number}. "
            beneath = [" " * len(lead) + line if line else "" for line in drawn]
            blocks.append([*self.page.hanging(lead, self._written(variation.what)), *beneath])
        return spaced(blocks)

    def _code(self) -> list[str]:
        code = self.lesson.code
        return spaced(
            [
                self._prose(code.says),
                code.text.strip("\n").split("\n"),
                [self.page.written(wording.PRINTS)],
                code.output.strip("\n").split("\n"),
            ]
        )

    def _mistakes(self) -> list[str]:
        return spaced(claim_lines(self.page, self._filled(each.claim), self._filled(each.why)) for each in self.lesson.mistakes)

    def _links(self) -> list[str]:
        titles = {heading.number: heading for heading in self.bank.titles()}
        known = [titles[number] for number in self.lesson.questions if number in titles]
        drills = [DRILLS[drill] for drill in self.lesson.drills if drill in DRILLS]
        return spaced(
            [
                self.page.table([(each.id, self.page.written(each.title)) for each in known]),
                self.page.table([(each.id, self.page.written(each.title)) for each in drills]),
                self.page.prose(cited(self.lesson.sources)),
            ]
        )


def _flow(page: Page, lines: tuple[Sized, ...]) -> list[str]:
    """Write formula, named sizes and sizes in columns."""
    from question_bank.math import cell_len

    rows = [(page.formula(line.formula), line.names, line.numbers) for line in lines]
    widths = [max(cell_len(row[place]) for row in rows) for place in range(3)]
    if sum(widths) + 2 * len(INDENT) > page.width:
        return [line for row in rows for line in (*page.hanging("", row[0]), *page.beneath(row[1], row[2]))]
    return [
        INDENT.join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


# JSON ------------------------------------------------------------------------------------------------------------------


def data(session: Session, lesson: Lesson, computed: Computed, part: LessonPart | None) -> dict[str, object]:
    """Return a part of a lesson for JSON, or all of it."""

    def written(text: Text) -> str:
        return session.written(fill(text, computed.values))

    def prose(text: Text) -> list[str]:
        return [session.written(paragraph) for paragraph in paragraphs(fill(text, computed.values))]

    heading: dict[str, object] = {"kind": "lesson", "id": lesson.section, "title": written(lesson.title)}
    demo = lesson.demonstration
    parts: dict[str, object] = {
        "intuition": prose(lesson.intuition),
        "formula": [
            {"formula": each.latex, "says": written(each.says), "source": written(each.source)} for each in lesson.formulas
        ],
        "terms": [{"formula": each.symbol, "says": written(each.says)} for each in lesson.terms],
        "shapes": {
            "sizes": lesson.shapes.sizes,
            "stages": [
                {"node": each.node, "formula": each.formula, "names": each.names, "shape": _sizes(each)}
                for each in computed.shapes
            ],
            "says": prose(lesson.shapes.says),
        },
        "example": [
            {
                "title": written(example.title),
                "inputs": {name: number_data(read_value(value)) for name, value in example.inputs.items()},
                "program": list(example.program),
                "values": {node: tables[node] for node in example.show},
                "says": prose(example.says),
            }
            for example, tables in zip(lesson.examples, computed.examples, strict=True)
        ],
        "demonstration": {
            "lab": demo.lab,
            "example": demo.example,
            "says": prose(demo.says),
            "variations": [
                {"what": written(each.what), "node": each.show, "value": new, "instead_of": old}
                for each, new, old in zip(demo.variations, computed.variations, computed.unchanged, strict=True)
            ],
        },
        "code": {"says": prose(lesson.code.says), "text": lesson.code.text, "output": lesson.code.output},
        "mistakes": [{"claim": written(each.claim), "why": written(each.why)} for each in lesson.mistakes],
        "questions": [f"Q{number}" for number in lesson.questions],
    }
    if part is not None:
        return heading | {part.value: parts[part.value]}
    return heading | parts | {"drills": list(lesson.drills), "sources": list(lesson.sources)}


def _sizes(line: Sized) -> list[int]:
    return [int(size) for size in line.numbers.strip("[]").split(",") if size.strip()]
