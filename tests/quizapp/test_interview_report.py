"""What came of an interview: the report, as data, as JSON and as Markdown; and one under way on disk."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from question_bank.bank import SHIPPED
from question_bank.text import Language, same
from quizapp import wording_interview as wording
from quizapp.interview.markdown import file_name, markdown
from quizapp.interview.report import Report, ReportError, from_text, to_text
from quizapp.interview.under_way import Ending, UnderWay, load, save
from solvers.verdict import Outcome
from tests.quizapp.interviews import CODE, GOOD, PITFALL, SCRIPT, STARTED, held, question, report_of, right, wrong_root

ENTRY = SCRIPT.turns[4].code or ""


@pytest.fixture(scope="module")
def mixed() -> Report:
    """A good answer, a vague follow-up, a forgotten root, then nothing."""
    return report_of(held([GOOD, "it depends", wrong_root(CODE), None, None]))


def test_what_was_said_is_told_point_by_point(mixed: Report) -> None:
    first, second = mixed.threads
    assert [point.made for point in first.points].count(True) == first.made >= 4
    made = next(point for point in first.points if point.made)
    assert made.words
    assert made.words.split(" … ")[0] in " ".join(GOOD.split())
    assert second.said.passed
    assert second.made == 0
    assert second.missing == len(question(4).key_points)
    assert first.follow_ups[0].answer == question(7).follow_ups[1].answer
    assert first.follow_ups[0].said.typed == "it depends"


def test_numbers_that_were_wrong_say_why(mixed: Report) -> None:
    [drill] = mixed.threads[0].drills
    [number] = drill.numbers
    assert number.outcome is Outcome.KNOWN_MISTAKE
    assert number.mistake
    assert number.message.en
    assert number.message.zh
    assert number.expected.en == right(CODE)[0]
    assert (drill.code, drill.section, drill.said.meant) == (CODE, "7.9", 120)
    [passed] = mixed.threads[1].drills
    assert passed.numbers[0].outcome is Outcome.GIVEN_UP
    assert passed.numbers[0].expected.en == right(ENTRY)[0]
    assert mixed.computed == (0, 2)


def test_what_to_study_comes_in_order_of_need(mixed: Report) -> None:
    assert [study.section for study in mixed.study] == ["7.7", "7.9"]
    first, second = mixed.study
    assert first.questions == (4,)
    assert first.drills == ("score-entry",)
    assert first.points == len(question(4).key_points)
    assert second.drills == ("scale-row",)
    assert first.need > second.need > 0
    assert first.title.en == "Scores"


@pytest.mark.parametrize(
    ("said", "made", "computed", "studied"),
    [
        ([], 0, (0, 0), []),
        ([GOOD], None, (0, 0), []),
        ([""], 0, (0, 0), ["7.9"]),
        (["", None, right(CODE)], 0, (1, 1), ["7.9"]),
        (["", None, ("nonsense",)], 0, (0, 1), ["7.9"]),
    ],
)
def test_an_interview_that_ended_early(
    said: list[str | tuple[str, ...] | None], made: int | None, computed: tuple[int, int], studied: list[str]
) -> None:
    report = report_of(held(said))
    assert report.ending is Ending.EARLY
    assert report.unasked == 5 - len(said)
    assert report.computed == computed
    if made is not None:
        assert report.points[0] == made
        assert [study.section for study in report.study] == studied


def test_a_pitfall_weighs_more_than_a_missing_point() -> None:
    report = report_of(held([PITFALL]))
    [fall] = report.threads[0].falls
    assert fall.words
    assert fall.why.zh
    assert report.study[0].falls == 1
    assert report.study[0].need == report.study[0].points + 2


def test_two_digits_of_three_are_no_mistake() -> None:
    report = report_of(held([GOOD, "", right(CODE)]))
    assert report.computed == (1, 1)
    number = replace(report.threads[0].drills[0].numbers[0], outcome=Outcome.COARSE)
    assert number.is_right


def test_time_up_finishes_the_answer_at_hand() -> None:
    under_way = replace(held([]), ending=None)
    under_way = replace(under_way, seconds=15 * 60 + 5.0)
    assert under_way.is_time_up
    assert under_way.turn is not None
    over = under_way.answered(("late",))
    assert over.ending is Ending.TIME_UP
    assert over.turn is None
    report = report_of(over)
    assert report.unasked == 4
    assert report.threads[0].said.typed == "late"
    with pytest.raises(ValueError, match="over"):
        over.answered(("more",))


def test_ending_early_counts_what_is_typed() -> None:
    under_way = replace(held([]), ending=None, typed=("half a sent",))
    assert report_of(under_way.ended()).threads[0].said.typed == "half a sent"
    assert report_of(replace(under_way, typed=(" ",)).ended()).threads == ()


# As text


def test_a_report_reads_back_the_same(mixed: Report) -> None:
    assert from_text(to_text(mixed)) == mixed
    odd = report_of(held(["half \ud800 a pair $x [b]"]))
    assert to_text(odd).isascii()
    assert from_text(to_text(odd)) == odd


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version": 1}'])
def test_a_report_that_is_none(text: str) -> None:
    with pytest.raises(ReportError):
        from_text(text)


def test_a_report_of_another_release(mixed: Report) -> None:
    with pytest.raises(ReportError):
        from_text(to_text(replace(mixed, version=2)))


@pytest.mark.parametrize("language", Language)
def test_markdown_says_what_the_report_says(mixed: Report, language: Language) -> None:
    text = markdown(mixed, (language,), UTC)
    tokens = MarkdownIt("commonmark").parse(text)
    headings = [tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "heading_open"]
    levels = [token.tag for token in tokens if token.type == "heading_open"]
    assert headings[0] == wording.REPORT[language]
    assert [heading.split()[0] for heading in headings if heading.startswith("Q")] == ["Q7", "Q4"]
    assert levels == ["h1", "h2", "h2", "h3", "h3", "h2", "h3"]
    items = sum(token.type == "list_item_open" for token in tokens)
    assert items >= sum(len(thread.points) for thread in mixed.threads) + len(mixed.study)
    quotes = [tokens[place + 2].content for place, token in enumerate(tokens) if token.type == "blockquote_open"]
    assert [quote.rstrip() for quote in quotes] == [GOOD.replace("_", r"\_"), "it depends"]
    assert CODE in text
    other = Language.ZH if language is Language.EN else Language.EN
    assert wording.WHAT_TO_STUDY[other] not in text


def test_both_languages_stand_one_after_the_other(mixed: Report) -> None:
    both = markdown(mixed, tuple(Language), UTC)
    assert both == "\n".join(markdown(mixed, (language,), UTC) for language in Language)


@pytest.mark.parametrize(
    "typed",
    [
        "# no heading",
        "1. no list\n2. none",
        "- no list\n\n    no code\n```\nno fence",
        "> no quote",
        "<b>no html</b> [no](link) *no* _no_ `no` $no$",
        "---\n===\n![no](image)",
    ],
)
def test_what_was_typed_is_never_markdown(typed: str) -> None:
    tokens = MarkdownIt("commonmark").parse(markdown(report_of(held([typed])), (Language.EN,)))
    start = next(place for place, token in enumerate(tokens) if token.type == "blockquote_open")
    end = next(place for place, token in enumerate(tokens) if token.type == "blockquote_close")
    inside = tokens[start + 1 : end]
    assert {token.type for token in inside} == {"paragraph_open", "inline", "paragraph_close"}
    children = [child for token in inside for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "softbreak", "hardbreak", "text_special"}
    shown = "".join(child.content for child in children)
    assert "".join(shown.split()) == "".join(typed.split())


def test_files_are_named_by_time_and_language() -> None:
    assert file_name(STARTED, Language.ZH).endswith(".zh.md")
    assert file_name(STARTED, Language.EN) != file_name(STARTED + timedelta(seconds=1), Language.EN)


# On disk


@pytest.mark.parametrize(
    "under_way",
    [
        replace(held([]), ending=None, typed=("half \ud800\n$[",), seconds=1.5, shows_clock=False),
        replace(held([GOOD, "x", right(CODE)]), ending=None),
        held([GOOD]),
    ],
    ids=["typed", "marked", "ended"],
)
def test_an_interview_under_way_reads_back_the_same(tmp_path: Path, under_way: UnderWay) -> None:
    file = tmp_path / "deep" / "interview.json"
    assert save(file, under_way) is None
    assert load(file, SHIPPED.question).under_way == under_way


def test_none_is_under_way(tmp_path: Path) -> None:
    loaded = load(tmp_path / "interview.json", SHIPPED.question)
    assert (loaded.under_way, loaded.problem) == (None, None)


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"version": 9}', "code", "turns", "zone", "number", "follow-up"])
def test_what_can_not_be_read_is_put_aside(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "interview.json"
    save(file, held([GOOD]))
    values = json.loads(file.read_text())
    if damage == "code":
        values["script"]["turns"][2]["code"] = "gone.1.0000"
    elif damage == "turns":
        values["script"]["turns"] = []
    elif damage == "zone":
        values["started"] = "2026-11-30T20:00:00"
    elif damage == "follow-up":
        values["script"]["turns"][1]["follow_up"] = 99
    elif damage == "number":
        values["script"]["turns"][0]["number"] = 999
    file.write_text(json.dumps(values) if damage.replace("-", "").isalpha() else damage)
    before = file.read_text()
    loaded = load(file, SHIPPED.question)
    assert loaded.under_way is None
    assert loaded.problem is not None
    assert not file.exists()
    assert file.with_name("interview.json.unreadable").read_text() == before
    assert str(file.with_name("interview.json.unreadable")) in loaded.problem.en


def test_where_it_can_not_be_written_the_reason_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    problem_told = save(tmp_path / "file" / "interview.json", held([]))
    assert problem_told is not None
    assert problem_told != same("")
