"""The nine parts of a lesson as rows of the page: each folds beneath its heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import BindingType
from textual.containers import VerticalGroup
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from question_bank.bank import Bank
from question_bank.drills import DRILLS
from question_bank.lessons.computed import Computed, Sized, as_table
from question_bank.lessons.lesson import Example, Lesson, paragraphs
from question_bank.lessons.places import fill
from question_bank.text import Text, same
from quizapp import wording_lesson as wording
from quizapp import wording_stops as stops
from quizapp.citations import cited
from quizapp.screens.places import DrillPlace, QuestionPlace
from quizapp.widgets.bilingual import Bilingual, Phrase, language_of, written
from quizapp.widgets.matrices import Matrices, Named, symbol
from quizapp.widgets.page import Row
from quizapp.widgets.stops import Fold, Link, Stop, acting
from quizapp.widgets.wrapping import wrap


class PartHeading(Stop):
    """The heading of a part: its number in the margin, its name, and whether it is open."""

    BINDINGS: ClassVar[list[BindingType]] = [acting(stops.UNFOLD, stops.UNFOLD_TIP)]

    def __init__(self, number: int, name: Text) -> None:
        """Name the part."""
        super().__init__(same(f"{number} {Fold.SHUT.en}"), Phrase(name, classes="strong"), classes="part-heading")
        self.number = number

    def mark(self, opened: bool) -> None:
        """Show whether the part is open."""
        self.note.say(same(f"{self.number} {(Fold.OPEN if opened else Fold.SHUT).en}"))


class LessonPart(VerticalGroup):
    """A part: its heading, and its rows while it is open."""

    def __init__(self, number: int, rows: Sequence[Widget], *, opened: bool = False) -> None:
        """Hold the rows back until the part is opened.

        Args:
            number: Which of the nine parts.
            rows: What is beneath the heading.
            opened: Whether it starts open.
        """
        super().__init__()
        self.heading = PartHeading(number, wording.PARTS[number - 1])
        self._rows = VerticalGroup(*rows, classes="part-rows")
        self.set_open(opened)

    def compose(self) -> Iterator[Widget]:
        """Lay out heading and rows."""
        yield self.heading
        yield self._rows

    @property
    def is_open(self) -> bool:
        """Whether the rows are shown."""
        return bool(self._rows.display)

    def set_open(self, opened: bool) -> None:
        """Show the rows, or hide them."""
        self._rows.display = opened
        self.heading.mark(opened)


class Code(Widget):
    """Python as an editor shows it. A remark that the line has no room for moves closer, or stands above it."""

    DEFAULT_CSS = "Code { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self, text: str) -> None:
        """Show some code."""
        super().__init__()
        self._code = text.strip("\n")

    def _fitted(self, width: int) -> str:
        return "\n".join(line for written in self._code.split("\n") for line in _fitted(written, width))

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take what there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that it takes in this width."""
        return self._fitted(width).count("\n") + 1

    def render(self) -> Content:
        """Highlight it."""
        from textual.highlight import highlight  # brings a lexer, which only a lesson needs

        return highlight(self._fitted(self.content_size.width), language="python")


def _fitted(line: str, width: int) -> list[str]:
    code, mark, remark = line.partition("  #")
    if cell_len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    code, remark = code.rstrip(), "#" + remark
    if mark and cell_len(f"{code}  {remark}") <= width:
        return [f"{code}  {remark}"]
    first, *more = wrap((code if mark else line).strip(), width - len(indent) - 4)
    return [*([indent + remark] if mark else []), indent + first, *(f"{indent}    {part}" for part in more)]


class ShapeTable(Bilingual):
    """A shape flow: formula, sizes by name, sizes as numbers; in columns where there is room."""

    DEFAULT_CSS = "ShapeTable { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self, lines: Sequence[Sized]) -> None:
        """Show some lines."""
        super().__init__()
        self._lines = tuple(lines)

    def _drawn(self, width: int) -> list[str]:
        language = language_of(self)
        cells = [(written(same(f"${line.formula}$"), language), line.names, line.numbers) for line in self._lines]
        first, second = (max(cell_len(row[place]) for row in cells) for place in (0, 1))
        third = max(cell_len(row[2]) for row in cells)
        if first + second + third + 6 <= width:
            return [f"{_padded(a, first)}   {_padded(b, second)}   {c}".rstrip() for a, b, c in cells]
        if first + second + 3 <= width:
            return [line for a, b, c in cells for line in (f"{_padded(a, first)}   {b}", f"{' ' * first}   {c}")]
        return [line for row in cells for line in wrap("  ".join(row), width)]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take what there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that it takes in this width."""
        return len(self._drawn(width))

    def render(self) -> Content:
        """Draw it."""
        return Content("\n".join(self._drawn(self.content_size.width)))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def parts(lesson: Lesson, computed: Computed, bank: Bank) -> list[LessonPart]:
    """Return the nine parts of a lesson; the first is open.

    Args:
        lesson: The lesson.
        computed: What its programs give.
        bank: Where the questions that it names are.
    """
    makers = (_intuition, _formulas, _terms, _shapes, _examples, _demonstration, _code, _mistakes)
    rows = [list(make(lesson, computed)) for make in makers]
    rows.append(list(_links(lesson, bank)))
    return [LessonPart(number, part, opened=number == 1) for number, part in enumerate(rows, 1)]


def _prose(text: Text, computed: Computed) -> Iterator[Widget]:
    for paragraph in paragraphs(fill(text, computed.values)):
        yield Row(None, Phrase(paragraph, classes="prose"))


def _intuition(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    yield from _prose(lesson.intuition, computed)


def _formulas(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    for formula in lesson.formulas:
        yield Row(
            None,
            Phrase(same(f"${formula.latex}$"), classes="formula"),
            Phrase(fill(formula.says, computed.values), classes="prose"),
            Phrase(wording.SOURCE.fill(source=formula.source), classes="soft prose"),
        )


def _terms(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    for term in lesson.terms:
        yield Row(
            None, Phrase(same(f"${term.symbol}$"), classes="formula"), Phrase(fill(term.says, computed.values), classes="prose")
        )


def _shapes(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    sizes = ", ".join(f"{name} = {size}" for name, size in lesson.shapes.sizes.items() if not name.isdigit())
    yield Row(None, Phrase(wording.SIZES.fill(sizes=sizes), classes="soft"), ShapeTable(computed.shapes))
    yield from _prose(lesson.shapes.says, computed)


def _examples(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    for example, tables in zip(lesson.examples, computed.examples, strict=True):
        yield Row(None, Phrase(fill(example.title, computed.values), classes="strong"), _drawn(example, tables))
        yield from _prose(example.says, computed)


def _drawn(example: Example, tables: dict[str, object]) -> Matrices:
    return Matrices([Named(same(f"${symbol(node)}$ = "), as_table(tables[node])) for node in example.show], classes="drawn")


def _demonstration(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    demo = lesson.demonstration
    yield from _prose(demo.says, computed)
    for variation, new, old in zip(demo.variations, computed.variations, computed.unchanged, strict=True):
        values = [
            Named(same(f"${symbol(variation.show)}$ = "), as_table(new)),
            Named(wording.INSTEAD_OF, as_table(old), "$ink-soft"),
        ]
        yield Row(wording.IF, Phrase(fill(variation.what, computed.values), classes="prose"), Matrices(values))


def _code(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    yield from _prose(lesson.code.says, computed)
    yield Row(None, Code(lesson.code.text))
    yield Row(None, Phrase(wording.PRINTS, classes="soft"), Static(Content(lesson.code.output.strip("\n")), classes="output"))


def _mistakes(lesson: Lesson, computed: Computed) -> Iterator[Widget]:
    for mistake in lesson.mistakes:
        claim = wording.CLAIM.fill(claim=mistake.claim)
        why = fill(mistake.why, computed.values)
        yield Row(same("✗"), Phrase(claim, classes="prose"), Phrase(why, classes="soft prose"), classes="mistake")


def _links(lesson: Lesson, bank: Bank) -> Iterator[Widget]:
    titles = {heading.number: heading for heading in bank.titles()}
    for number in lesson.questions:
        if number in titles:
            yield Link(same(titles[number].id), titles[number].title, QuestionPlace(number))
    for drill in lesson.drills:
        if drill in DRILLS:
            yield Link(wording.PRACTISE, DRILLS[drill].title, DrillPlace(drill, DRILLS[drill].levels[0]))
    yield Row(wording.SOURCES, Phrase(cited(lesson.sources), classes="soft"))
