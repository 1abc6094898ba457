"""Sheets as PDFs, read back with software that isn't ours."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from question_bank import questions, verified
from question_bank.drills import DRILLS
from question_bank.math import Words, segments
from question_bank.problem import Problem, draw
from question_bank.text import Language
from quizapp.sheets import choosing, compile, key_source, making, record, source
from quizapp.sheets.making import Order, make
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet, letter
from quizapp.sheets.solutions import Key, solver
from solvers.worked import answers

TITLE = "注意力练习：softmax(QKᵀ/√d_k)"
MILLIMETRE = 72 / 25.4


def every_problem() -> tuple[Problem, ...]:
    """Return a problem of each drill and level."""
    pairs = [(drill.id, level) for drill in DRILLS.values() for level in drill.levels]
    return tuple(draw(drill, level, "paper") for drill, level in pairs if verified.seeds(drill, level))


@dataclass(frozen=True)
class Printed:
    """A document, its pages as pypdf reads them, their texts, and what stands outside the margins."""

    sheet: Sheet
    source: str
    pages: list[PageObject]
    texts: list[str]
    outside: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def source_of(sheet: Sheet, key: Key = Key.NONE) -> str:
    return source.document(sheet, [*making.question_parts(sheet, sheet.copies), *making.key_parts(sheet, key, solver(key))])


def printed(sheet: Sheet, key: Key = Key.NONE) -> Printed:
    written = source_of(sheet, key)
    pages = list(PdfReader(io.BytesIO(compile.to_pdf(written))).pages)
    outside: list[str] = []
    texts = [read(page, outside) for page in pages]
    return Printed(sheet, written, pages, texts, outside)


def read(page: PageObject, outside: list[str]) -> str:
    """Return a page's text, and note texts that start or end outside the margins; widths are estimated low."""
    left, right = 18 * MILLIMETRE, float(page.mediabox.width) - 15 * MILLIMETRE
    bottom, top = 8 * MILLIMETRE, float(page.mediabox.height) - 8 * MILLIMETRE

    def visit(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if not text.strip():
            return
        x, y = tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]
        width = sum(1.0 if letter > "\u2e80" else 0.3 for letter in text.strip()) * size * abs(tm[0]) * abs(cm[0])
        if not (left <= x and x + width <= right and bottom <= y <= top):
            outside.append(f"{text!r} at {x:.0f}, {y:.0f}")

    return page.extract_text(visitor_text=visit)


@pytest.fixture(scope="module", params=["en", "zh"])
def everything(request: pytest.FixtureRequest) -> Printed:
    """Half of all drills and levels with their key in one language; the other half in the other."""
    asked = tuple(choosing.open_question(questions.load(number)) for number in (7, 12))
    copy = Copy("", (*every_problem()[request.param == "zh" :: 2], *asked))
    return printed(Sheet(TITLE, Languages(request.param), Paper.A4, "", (copy,)), Key.ANSWERS)


def bare(text: str) -> str:
    """Leave out blanks and line breaks, which a page puts elsewhere."""
    return "".join(text.split())


def test_every_code_stands_in_its_place(everything: Printed) -> None:
    codes = [problem.code for problem in everything.sheet.copies[0].problems]
    found = re.findall("|".join(map(re.escape, codes)), everything.text)
    assert found == codes * 2, "once on the sheet, once in the key"


def test_what_is_asked_reads_the_same_on_paper(everything: Printed) -> None:
    [language] = everything.sheet.languages.each
    text = bare(everything.text).translate(str.maketrans({"ﬁ": "fi", "ﬂ": "fl"}))  # ligatures
    missing = [
        (item.prompt[language], part.text)
        for item in everything.sheet.copies[0].items
        for part in segments(item.prompt[language])
        if isinstance(part, Words) and bare(part.text).replace("ﬁ", "fi") not in text
    ]
    assert missing == []


def test_the_title_has_real_glyphs_and_reads_the_same(everything: Printed) -> None:
    assert bare(TITLE) in bare(everything.texts[0])
    assert "\N{REPLACEMENT CHARACTER}" not in everything.text


def fonts(page: PageObject) -> Iterator[dict[str, object]]:
    for font in page["/Resources"].get("/Font", {}).values():
        whole = font.get_object()
        yield from (each.get_object() for each in whole.get("/DescendantFonts", [whole]))


def test_every_font_is_embedded(everything: Printed) -> None:
    descriptors = [font["/FontDescriptor"] for page in everything.pages for font in fonts(page)]
    assert len(descriptors) > 10
    assert all({"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor) for descriptor in descriptors)


def test_nothing_stands_outside_the_margins(everything: Printed) -> None:
    assert everything.outside == []


def places(source: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(compile.query(source, "<place>"))
    return found


def cut_items(source: str, count: int) -> list[dict[str, object]]:
    found = places(source)
    starts = [each for each in found if each["end"] == "start"]
    ends = [each for each in found if each["end"] == "end"]
    assert [each["item"] for each in starts] == list(range(1, count + 1))
    return [
        start
        for start, end in zip(starts, ends, strict=True)
        if start["page"] != end["page"] or not start["y"] < end["y"]  # type: ignore[operator]
    ]


def key_starts(texts: list[str]) -> int:
    return next(place for place, text in enumerate(texts) if re.search("Answer key|参考答案", text))


def test_the_key_is_on_pages_of_its_own(everything: Printed) -> None:
    first = key_starts(everything.texts)
    last = max(each["page"] for each in places(everything.source))  # type: ignore[type-var]
    assert last == first, "pages count from 1: the questions end on the page before the key"
    alone = PdfReader(io.BytesIO(compile.to_pdf(source_of(everything.sheet)))).pages
    assert len(alone) == first, "the question pages are the same without a key"
    assert all(alone[place].extract_text() == everything.texts[place] for place in (0, first - 1))
    assert all(re.search(r"(Key|答案) \d+ / \d+", text) for text in everything.texts[first:])


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+(?:\.\d+)?", text))


def test_the_key_has_the_answers_of_the_same_numbers(everything: Printed) -> None:
    key = "\n".join(everything.texts[key_starts(everything.texts) :])
    problems = everything.sheet.copies[0].problems
    places = [key.index(problem.code) for problem in problems]
    for problem, start, end in zip(problems, places, [*places[1:], len(key)], strict=True):
        wanted = numbers(" ".join(answers(problem)))  # a matrix is printed column by column
        printed_there = key[start:end].removeprefix(problem.code)
        without_gaps = re.sub(
            r"(?<=\d)[ \u2009](?=\d{3})", "", printed_there
        )  # between thousands, where a gap is read as a blank
        assert wanted <= numbers(printed_there) + numbers(without_gaps), problem.code


def test_all_drills_at_all_levels_fit_in_both_languages_and_no_page_break_cuts_one() -> None:
    sheet = Sheet(TITLE, Languages.BOTH, Paper.LETTER, "", (Copy("", every_problem()),))
    assert cut_items(source_of(sheet), len(sheet.copies[0].items)) == []


@pytest.mark.parametrize("paper", list(Paper))
def test_the_paper_is_as_asked(paper: Paper) -> None:
    page = printed(Sheet("t", Languages.BOTH, paper, "", (Copy("", every_problem()[:2]),))).pages[0]
    size = round(float(page.mediabox.width) / MILLIMETRE), round(float(page.mediabox.height) / MILLIMETRE)
    assert size == {Paper.A4: (210, 297), Paper.LETTER: (216, 279)}[paper]


def test_a_sheet_in_both_languages_asks_in_both() -> None:
    problem = draw("softmax-row", 1, "x")
    sheet = Sheet("t", Languages.BOTH, Paper.A4, "", (Copy("", (problem,)),))
    text = bare(printed(sheet, Key.WORKED).text)
    for language in Language:
        for part in segments(problem.prompt[language]):
            assert not isinstance(part, Words) or bare(part.text) in text
    assert text.count(problem.code) == 2


def test_a_listing_is_set_line_by_line() -> None:
    listed = next(problem for problem in every_problem() if problem.listing)
    text = printed(Sheet("t", Languages.EN, Paper.A4, "", (Copy("", (listed,)),))).text
    assert all(bare(line) in bare(text) for line in listed.listing)


def test_parts_have_the_letters_that_marking_goes_by_and_a_remark_stands_once() -> None:
    problem = draw("decode-cost", 3, "x")
    whole = printed(Sheet("t", Languages.EN, Paper.A4, "", (Copy("", (problem, draw("scale-row", 1, "x"))),)), Key.WORKED)
    sheet, key = bare(whole.texts[0]), bare("".join(whole.texts[1:]))
    letters = [f"({letter(part)})" for part in range(len(problem.program.asks))]
    assert [re.findall(r"\([a-z]\)", text) for text in (sheet, key)] == [letters, letters]
    assert problem.remark is not None
    [said, *_] = [bare(part.text) for part in segments(problem.remark.en) if isinstance(part, Words)]
    assert key.count(said) == 1


@pytest.mark.parametrize("columns", [14, 26])
def test_a_wide_matrix_shrinks_to_the_page_and_stays_legible(columns: int) -> None:
    problem = draw("score-matrix", 3, "x")
    wide = tuple(tuple(row * 100 + column for column in range(columns)) for row in range(4))
    program = problem.program.with_inputs(Q=wide, K=wide)
    sheet = Sheet("t", Languages.EN, Paper.A4, "", (Copy("", (Problem(**{
        field: getattr(problem, field) for field in Problem.__slots__} | {"program": program}),)),))  # fmt: skip
    page = printed(sheet).pages[0]
    found: list[str] = []
    assert "313" in read(page, found)
    assert found == []
    assert min(sizes(source_of(sheet)).keys() - OTHER_SIZES, default=FULL) >= LEGIBLE * FULL


def test_no_matrix_of_a_drill_shrinks_until_it_is_hard_to_read() -> None:
    sheet = Sheet("t", Languages.BOTH, Paper.LETTER, "", (Copy("", every_problem()),))
    assert min(sizes(source_of(sheet)).keys() - OTHER_SIZES, default=FULL) >= LEGIBLE * FULL


def test_matrices_that_are_compared_stay_on_the_page() -> None:
    bugs = tuple(draw("spot-the-bug", 3, seed) for seed in "abc")
    assert printed(Sheet("t", Languages.BOTH, Paper.LETTER, "", (Copy("", bugs),)), Key.WORKED).outside == []


FULL = 10.5
"""Points of what is asked."""

OTHER_SIZES = {5.2, 6.8, 7.3, 8.0, 8.3, 13.0, 17.0}
"""Those of indices, codes, small print, listings, numbers and the title."""

LEGIBLE = 0.7
"""The share of its size down to which a matrix shrinks before it takes the margins too."""

SMALLEST = 4.7
"""Points of an index of an index, of nine points and a half."""


def sizes(source: str) -> Counter[float]:
    """Return the sizes of type of a document, in points."""
    found: Counter[float] = Counter()

    def visit(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if text.strip():
            found[round(size * abs(tm[0] * cm[0]), 1)] += 1

    for page in PdfReader(io.BytesIO(compile.to_pdf(source))).pages:
        page.extract_text(visitor_text=visit)
    return found


def test_long_answers_take_more_lines_rather_than_shrink() -> None:
    sheet = Sheet("t", Languages.BOTH, Paper.LETTER, "", (Copy("", every_problem()),))
    whole = sizes(source.document(sheet, making.key_parts(sheet, Key.ANSWERS, solver(Key.ANSWERS))))
    assert min(whole) >= SMALLEST
    people = tuple(Copy(name, (draw("attention-by-hand", 3, name), draw("self-product", 3, name))) for name in NAMES)
    klass = Sheet("t", Languages.BOTH, Paper.LETTER, "", people)
    table = sizes(source.document(klass, making.key_parts(klass, Key.ANSWERS, solver(Key.ANSWERS))))
    assert min(table) >= SMALLEST * 8.5 / 9.5 - 0.1


def test_a_word_that_no_line_holds_breaks() -> None:
    page = printed(Sheet("x" * 120, Languages.EN, Paper.A4, "", (Copy("y" * 60, every_problem()[:1]),)))
    assert page.outside == []
    assert "".join(page.text.replace("\u200b", "").split()).startswith("x" * 120)


@pytest.mark.parametrize("languages", list(Languages))
def test_the_title_is_never_alone_on_its_page(languages: Languages) -> None:
    longest = draw("attention-by-hand", 3, "x")
    pages = printed(Sheet("t", languages, Paper.LETTER, "", (Copy("", (longest,)),))).pages
    assert len(pages) == 1


def test_no_line_of_the_steps_is_alone_on_a_page() -> None:
    drills = [("softmax-row", 1)] * 4 + [("permute-output", 2), ("head-dimension", 1), ("path-length", 1)]
    pool = [draw(drill, level, str(number)) for number, (drill, level) in enumerate(drills)]
    people = tuple(Copy("", tuple(pool[-turn:] + pool[:-turn])) for turn in range(4))
    sheet = Sheet("t", Languages.BOTH, Paper.A4, "", people)
    keys = [key_source.key(sheet, copy, number, solver(Key.WORKED)) for number, copy in enumerate(people)]
    pages = PdfReader(io.BytesIO(compile.to_pdf(source.document(sheet, keys)))).pages
    carried = [lines_above_the_first_heading(page) for page in pages]
    assert max(carried) > 0, "some steps are parted"
    assert {1, 2}.isdisjoint(carried)


def lines_above_the_first_heading(page: PageObject) -> int:
    """Count the lines of arithmetic that a page starts with, before a problem or a step does."""
    heights: dict[bool, set[int]] = {True: set(), False: set()}

    def visit(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        beside_a_title = tm[4] * cm[0] + cm[4] > float(page.mediabox.width) / 2
        if ("=" in text and not beside_a_title) or "§" in text or re.search(r"[a-z]\.\d\.", text):
            heights["=" not in text].add(round(tm[5] * cm[3] + cm[5]))

    page.extract_text(visitor_text=visit)
    return sum(height > max(heights[True], default=0) for height in heights[False])


NAMES = ("Anna Müller", "李雷", "O'Brien #1 $x$", "王喆")


def klass(count: int = 0) -> Sheet:
    names = NAMES if not count else tuple(f"Person {number}" for number in range(count))
    sources = [choosing.Source(DRILLS["softmax-row"], 2), choosing.Source(DRILLS["head-shapes"], 1)]
    return Sheet("Class", Languages.EN, Paper.A4, "s", tuple(choosing.copies(names, sources, 3, "s")))


def test_each_person_has_pages_with_their_name_and_the_key_is_one_table() -> None:
    whole = printed(klass(), Key.ANSWERS)
    first = key_starts(whole.texts)
    assert [next(name for name in NAMES if name in text.replace("’", "'")) for text in whole.texts[:first]] == list(NAMES)
    assert all("1 / 1" in text for text in whole.texts[:first])
    assert len(whole.texts) == first + 1
    assert all(bare(name) in bare(whole.texts[first]) for name in NAMES)


def test_a_class_is_compiled_in_chunks_and_joined(tmp_path: Path) -> None:
    sheet = klass(30)
    told: list[tuple[int, int]] = []
    out, key_file = tmp_path / "class.pdf", tmp_path / "key.pdf"
    files = make(Order(sheet, Key.WORKED, out, key_file), lambda done, total: told.append((done, total)))
    assert files == (out, key_file, tmp_path / "class.json")
    assert told == [(done, 5) for done in range(1, 6)], "two documents of questions, a table, two of steps"
    reader, key = PdfReader(out), PdfReader(key_file)
    texts = [page.extract_text() for page in reader.pages]
    assert [re.search(r"Person \d+", text)[0] for text in texts] == [copy.person for copy in sheet.copies]  # type: ignore[index]
    assert reader.metadata is not None
    assert reader.metadata.title == "Class"
    assert "Person 29" in key.pages[-1].extract_text()
    assert record.load(files[-1]) == sheet
    assert sorted(tmp_path.iterdir()) == sorted(files)
