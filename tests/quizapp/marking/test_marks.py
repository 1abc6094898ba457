"""From a sheet to marks: whose a line is, what is right, what a class got wrong."""

from __future__ import annotations

import csv
import io
import re
import time
from collections import Counter

import pytest

from question_bank import draw, problem
from question_bank.drills import DRILLS
from question_bank.math import plain
from question_bank.problem import Problem
from question_bank.text import Language, same
from quizapp.marking import pages, tables
from quizapp.marking.answers_file import read
from quizapp.marking.marks import Marked, mark
from quizapp.marking.mistakes import class_mistakes, class_problems
from quizapp.marking.places import sort
from quizapp.sheets import record
from quizapp.sheets.choosing import Source, copies
from quizapp.sheets.plan import Copy, Languages, OpenQuestion, Paper, Sheet, problems_in, qr_text
from quizapp.widgets.verdict import MARKS
from solvers.grading import grade
from solvers.scenario import solved
from solvers.verdict import Outcome
from solvers.worked import answers

BY_HAND = draw("attention-by-hand", 2, "s")  # parts Q, K, V, S, Z, A, O
SCALE = draw("scale-row", 2, "s")
OTHER = draw("scale-row", 2, "t")


def sheet_of(*people: Copy) -> Sheet:
    return Sheet("A sheet", Languages.EN, Paper.A4, "s", people)


NOBODYS = sheet_of(Copy("", (SCALE, BY_HAND)))
CLASS = sheet_of(Copy("Ada Lovelace", (SCALE, BY_HAND)), Copy("张三", (OTHER, BY_HAND)), Copy("Bob", (SCALE, BY_HAND)))
VARIANTS = sheet_of(Copy("1", (SCALE, BY_HAND), False), Copy("2", (OTHER, BY_HAND), False))


def marked(sheet: Sheet, text: str) -> Marked:
    found = read(text)
    return mark(sheet, sort(sheet, found.lines), found.bad, grade)


def outcomes(result: Marked, person: int = 0) -> list[list[Outcome]]:
    return [[part.outcome for part in each.verdict.parts] for each in result.sheets[person].problems]


def right(of: Problem, part: int = 0) -> str:
    return answers(of)[part]


def by_d_k(of: Problem) -> str:
    """Type what dividing by d_k in place of its root gives."""
    slip, scenario = next((slip, found) for slip, found in solved(of.program).slips(0) if slip.mistake == "scale.by-d_k")
    assert slip.local
    return scenario.shown(0)


def test_the_keys_own_answers_have_full_marks_for_every_drill_and_level() -> None:
    problems = tuple(draw(drill.id, level, "key") for drill in DRILLS.values() for level in drill.levels)
    from_codes = problems_in(qr_text(tuple(each.code for each in problems)))
    assert from_codes == problems
    read_back = record.read(record.write(sheet_of(Copy("", problems))))
    lines = ["problem;answer"]
    for number, each in enumerate(problems, 1):
        shown = answers(each)
        lines += [f"{number}{chr(97 + part) if len(shown) > 1 else ''};{answer}" for part, answer in enumerate(shown)]
    result = marked(read_back, "\n".join(lines))
    assert result.bad == ()
    assert [(each.problem.code, each.verdict.parts) for each in result.sheets[0].problems if not each.is_right] == []
    assert result.sheets[0].marks == result.sheets[0].possible == len(lines) - 1


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (right(SCALE), Outcome.RIGHT),
        (by_d_k(SCALE), Outcome.KNOWN_MISTAKE),
        ("17 18 19", Outcome.WRONG),
        ("", Outcome.GIVEN_UP),
        ("？", Outcome.GIVEN_UP),
        ("n/a", Outcome.UNREADABLE),
        ("1 2 3 4 5 6 7 8 9", Outcome.UNREADABLE),
    ],
)
def test_right_wrong_plausible_blank_and_unreadable(answer: str, outcome: Outcome) -> None:
    result = marked(NOBODYS, f"Ada;1;{answer}\n")
    assert outcomes(result)[0] == [outcome]
    assert outcomes(result)[1] == [Outcome.GIVEN_UP] * 7, "no line is a blank"
    assert result.sheets[0].marks == (outcome is Outcome.RIGHT)
    assert result.sheets[0].problems[0].lines == (1,)
    assert result.sheets[0].problems[0].verdict.parts[0].typed == ("" if outcome is Outcome.GIVEN_UP else answer)


def test_later_parts_follow_from_what_the_person_has() -> None:
    lines = [f"Ada;2{chr(97 + part)};{right(BY_HAND, part)}" for part in range(7)]
    lines[3] = f"Ada;2d;{solved(BY_HAND.program).slips(3)[0][1].shown(0)}"  # S by the first known mistake
    wrong_scores = solved(BY_HAND.program).slips(3)[0][1]
    lines[4] = f"Ada;2e;{_shown_with(wrong_scores.program.asks[0].node, wrong_scores)}"
    result = marked(NOBODYS, "\n".join(lines))
    assert outcomes(result)[1][3:5] == [Outcome.KNOWN_MISTAKE, Outcome.RIGHT_AFTER_SLIP]


def _shown_with(node: str, wrong: object) -> str:
    from dataclasses import replace

    from solvers.scenario import Scenario

    assert isinstance(wrong, Scenario)
    assert node == BY_HAND.program.asks[3].node
    return Scenario(replace(wrong.program, asks=(BY_HAND.program.asks[4],))).shown(0)


# Whose, and what ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "line", "place"),
    [
        (NOBODYS, "Ada;1;X", (0, 0)),
        (NOBODYS, "Ada;1.;X", (0, 0)),
        (NOBODYS, "Ada;1.0;X", (0, 0)),
        (NOBODYS, "Ada;1a;X", (0, 0)),
        (NOBODYS, "Ada;第1题;X", (0, 0)),
        (NOBODYS, "Ada;１;X", (0, 0)),
        (NOBODYS, f"Ada;{SCALE.code.upper()};X", (0, 0)),
        (NOBODYS, "Ada;2b;X", (1, 1)),
        (NOBODYS, "Ada;2 (b);X", (1, 1)),
        (NOBODYS, "Ada;2（b）;X", (1, 1)),
        (NOBODYS, "Ada;2.B;X", (1, 1)),
        (NOBODYS, "Ada;2O;X", (1, 6)),
        (NOBODYS, "Ada;2a;X", (1, 0)),
        (NOBODYS, f"Ada;{BY_HAND.code} g;X", (1, 6)),
        (NOBODYS, f"Ada;{BY_HAND.code}/c;X", (1, 2)),
        (CLASS, "ada  LOVELACE;2b;X", (1, 1)),
        (CLASS, " 张三 ;1;X", (0, 0)),
        (CLASS, "张　三;1;X", (0, 0)),
        (CLASS, "adalovelace;1;X", (0, 0)),
        (VARIANTS, "02;1;X", (0, 0)),
        (VARIANTS, "Variant 2;1;X", (0, 0)),
        (VARIANTS, "第 2 卷;1;X", (0, 0)),
        (VARIANTS, f"李四;{OTHER.code};X", (0, 0)),
    ],
)
def test_where_a_line_belongs(sheet: Sheet, line: str, place: tuple[int, int]) -> None:
    found = sort(sheet, read(line).lines)
    assert found.bad == ()
    [one] = found.handed_in
    where = [(number, part) for number, given in enumerate(one.answers) for part, text in enumerate(given) if text == "X"]
    assert where == [place]


@pytest.mark.parametrize(
    ("sheet", "line", "said"),
    [
        (CLASS, "Ada Lovelase;1;5", "is it Ada Lovelace"),
        (CLASS, "Eve;1;5", "nobody called “Eve”"),
        (VARIANTS, "Eve;1;5", "1 to 2"),
        (VARIANTS, "3;1;5", "1 to 2"),
        (NOBODYS, "Ada;3;5", "1 to 2"),
        (NOBODYS, "Ada;0;5", "1 to 2"),
        (NOBODYS, "Ada;one;5", "“one” is neither"),
        (NOBODYS, "Ada;1b;5", "one part only"),
        (NOBODYS, "Ada;2;5", "2a (Q), 2b (K), 2c (V), 2d (S), 2e (Z), 2f (A), 2g (O)"),
        (NOBODYS, "Ada;2h;5", "no part “h”"),
        (NOBODYS, "Ada;2A;5", "write 2f for that one"),
        (NOBODYS, "Ada;1;5\nAda;1;6", "line 1 already"),
        (NOBODYS, f"Ada;{OTHER.code};5", f"{OTHER.code} is not on this sheet"),
        (NOBODYS, "Ada;softmax-row.2.00000;5", "softmax-row.2.00000"),
        (CLASS, f"Bob;{OTHER.code};5", "on the sheet of 张三"),
    ],
)
def test_lines_that_belong_nowhere_say_what_was_expected(sheet: Sheet, line: str, said: str) -> None:
    result = marked(sheet, line)
    assert plain(result.bad[-1].message.en).count(said) == 1, result.bad
    assert result.bad[-1].number == line.count("\n") + 1
    assert result.bad[-1].message.zh != result.bad[-1].message.en
    for content in (
        tables.table(result, Language.ZH).decode("utf-8-sig"),
        tables.document(result, Language.EN).decode(),
        "\n".join(pages.text(result, Language.EN, 200)),
    ):
        assert result.bad[-1].text in content


def test_the_same_answer_twice_is_no_fault_and_a_blank_gives_all_parts_up() -> None:
    result = marked(NOBODYS, f"Ada;1;{right(SCALE)}\nAda;1;{right(SCALE)}\nAda;2;\n")
    assert result.bad == ()
    assert result.sheets[0].marks == 1


def test_an_interview_question_keeps_its_number_and_is_not_marked() -> None:
    question = OpenQuestion("Q7", same("Why?"), same("Why?"), (), same("So."))
    sheet = sheet_of(Copy("", (question, SCALE)))
    result = marked(sheet, f"Ada;2;{right(SCALE)}\nAda;1;because\nAda;q7;because\n")
    [ada] = result.sheets
    assert (ada.marks, ada.possible, ada.open, [each.number for each in ada.problems]) == (1, 1, (1,), [2])
    assert [line.number for line in result.bad] == [2, 3]
    assert all("by hand" in line.message.en for line in result.bad)


# A class ---------------------------------------------------------------------------------------------------------------

LINES = f"""Bob;1;{by_d_k(SCALE)}
Ada Lovelace;1;{right(SCALE)}
张三;1;{by_d_k(OTHER)}
张三;2;"""


def test_what_a_class_got_wrong() -> None:
    result = marked(CLASS, LINES)
    assert [sheet.person for sheet in result.sheets] == ["Ada Lovelace", "张三", "Bob"], "in the order of the class"
    [mistake] = class_mistakes(result)
    assert (mistake.id, mistake.times, mistake.people) == ("scale.by-d_k", 2, ("张三", "Bob"))
    first, second = class_problems(result)
    assert (first.number, first.right, first.people, first.blank) == (1, 1, 3, 0)
    assert (second.right, second.people, second.blank) == (0, 3, 3)
    assert marked(CLASS, "Bob;1;5").absent == ("Ada Lovelace", "张三")


@pytest.mark.parametrize("language", Language)
def test_reports_name_people_marks_mistakes_and_what_was_typed(language: Language) -> None:
    result = marked(CLASS, LINES + "\nBob;7;=1+1\n")
    said = plain(class_mistakes(result)[0].sentence[language])
    text = "\n".join(pages.text(result, language, 80))
    markdown = pages.markdown(result, language)
    for wanted in ("Ada Lovelace", "张三", "Bob", "7"):
        assert wanted in text
        assert wanted in markdown
    assert said in text
    assert by_d_k(OTHER) in text
    rows = list(csv.DictReader(io.StringIO(tables.table(result, language).decode("utf-8-sig"))))
    assert Counter(row["kind"] for row in rows) == {"person": 3, "problem": 4, "mistake": 1, "part": 3 * 8, "line": 1}
    assert [(row["person"], row["marks"], row["possible"]) for row in rows[:3]] == [
        ("Ada Lovelace", "1", "8"),
        ("张三", "0", "8"),
        ("Bob", "0", "8"),
    ]
    assert [(row["problem"], row["verdict"], row["times"], row["people"]) for row in rows[3:5]] == [
        ("1", "right", "1", "3"),
        ("1", "given-up", "0", "3"),
    ]
    assert [rows[7][name] for name in ("mistake", "times", "people", "names")] == ["scale.by-d_k", "2", "2", "张三; Bob"]
    assert plain(rows[7]["message"]) == said
    assert (rows[-1]["line"], rows[-1]["verdict"]) == ("5", "not-marked")
    data = tables.data(result, language)
    assert [person["marks"] for person in data["people"]] == [1, 0, 0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", Language)
def test_a_transposed_answer_counts_as_a_mistake(language: Language) -> None:
    weights = [row.split(", ") for row in right(BY_HAND, 5).strip("[]").split("], [")]
    flipped = " ; ".join(" ".join(column) for column in zip(*weights, strict=True))
    result = marked(CLASS, f'Ada Lovelace,2f,"{flipped}"\nBob,2f,"{flipped}"')
    [mistake] = class_mistakes(result)
    assert (mistake.id, mistake.people) == ("answer.transposed", ("Ada Lovelace", "Bob"))
    assert mistake.sentence[language] in "\n".join(pages.text(result, language, 200))
    rows = list(csv.DictReader(io.StringIO(tables.table(result, language).decode("utf-8-sig"))))
    assert [row["person"] for row in rows if row["kind"] == "part" and row["mistake"] == mistake.id] == ["Ada Lovelace", "Bob"]


def test_the_same_name_with_and_without_blanks_is_taken_apart() -> None:
    sheet = sheet_of(Copy("张三", (SCALE,)), Copy("张 三", (OTHER,)), Copy("An Na", (SCALE,)), Copy("Anna", (OTHER,)))
    found = sort(sheet, read("张 三;1;X\nann a;1;X").lines)
    assert [one.person for one in found.handed_in] == ["张 三"]
    assert [line.number for line in found.bad] == [2]


@pytest.mark.parametrize("language", Language)
def test_markdown_has_the_colons_of_its_language(language: Language) -> None:
    lines = pages.markdown(marked(CLASS, LINES), language).splitlines()
    chinese = [line for line in lines if re.search(r"[\u4e00-\u9fff]: |[\u4e00-\u9fff]：", line)]
    assert all(": " not in line for line in chinese) if language is Language.ZH else not any("：" in line for line in lines)
    assert len(chinese) > 5 or language is Language.EN


def test_signs_are_those_of_the_screen() -> None:
    assert {outcome: each.sign for outcome, each in MARKS.items()} == pages.SIGNS


def test_a_class_of_thirty_with_twenty_problems_takes_seconds() -> None:
    drills = [Source(DRILLS[name], 2) for name in ("softmax-row", "scale-row", "attention-by-hand", "score-matrix")]
    people = [str(number) for number in range(30)]
    sheet = sheet_of(*copies(people, drills, 20, "s"))
    lines = []
    for copy in sheet.copies:
        for number, each in enumerate(copy.problems, 1):
            asks = each.program.asks
            lines += [f"{copy.person};{number}{chr(97 + part) if len(asks) > 1 else ''};17" for part in range(len(asks))]
    start = time.process_time()
    result = marked(sheet, "\n".join(lines))
    assert time.process_time() - start < 20, "a slow machine at work on other things"
    assert (len(result.sheets), len(result.sheets[0].problems)) == (30, 20)
    assert problem(sheet.copies[0].codes[0]) == sheet.copies[0].problems[0]
