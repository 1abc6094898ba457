"""``quizapp interview``: listing and printing what was kept."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from question_bank.text import Language
from quizapp import wording_interview as wording
from quizapp.commands.exits import Exit
from quizapp.events import InterviewHeld
from quizapp.interview.report import to_text
from quizapp.progress import Log
from tests.quizapp.interviews import CODE, GOOD, STARTED, held, report_of, wrong_root
from tests.quizapp.shell import quiz


@pytest.fixture
def two() -> None:
    """Keep a full interview, then one that ended at once, and before both a report that nobody can read."""
    full = report_of(held([GOOD, "$[b] {expected}", wrong_root(CODE), None, None]))
    none = report_of(held([]))
    with Log(Path(os.environ["QUIZAPP_HOME"]) / "progress.db") as log:
        for day, report in enumerate(("{}", to_text(full), to_text(none))):
            log.record(InterviewHeld(STARTED + timedelta(days=day), 15, report))


@pytest.mark.usefixtures("two")
def test_the_list_numbers_them_the_latest_first() -> None:
    ran = quiz("interview", "list")
    assert ran.code == Exit.DONE
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert "points 0/0" in lines[0]
    assert "points 4/9 · numbers 0/2" in lines[1]
    assert wording.BEFORE_UNREADABLE.en in lines[2]
    assert "要点 4/9" in quiz("interview", "list", "--lang", "zh").out


@pytest.mark.usefixtures("two")
def test_the_list_as_data() -> None:
    found = quiz("interview", "list", "--json").json
    assert [each["number"] for each in found] == [1, 2, 3]
    assert [each["readable"] for each in found] == [True, True, False]
    assert found[1]["points"] == {"made": 4, "of": 9}
    assert found[1]["numbers"] == {"right": 0, "of": 2}


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("language", Language)
def test_a_report_is_printed_in_either_language(language: Language) -> None:
    ran = quiz("interview", "show", "2", "--lang", language, environment={"COLUMNS": "72"})
    assert ran.code == Exit.DONE
    flat = "".join(ran.out.split())
    assert "".join(GOOD.split()).replace("\n", "") in flat.replace(">", "")
    assert wording.WHAT_TO_STUDY[language] in ran.out
    assert CODE in ran.out
    assert "$[b] {expected}" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 72


@pytest.mark.usefixtures("two")
def test_a_report_as_markdown_in_both_languages_and_as_data() -> None:
    both = quiz("interview", "show", "2", "--markdown", "--lang", "both")
    headings = [token.tag for token in MarkdownIt().parse(both.out) if token.type == "heading_open"]
    assert headings.count("h1") == 2
    assert both.out == quiz("interview", "show", "2", "--markdown").out + "\n" + (
        quiz("interview", "show", "2", "--markdown", "--lang", "zh").out
    )
    data = quiz("interview", "show", "2", "--json").json
    assert [thread["number"] for thread in data["threads"]] == [7, 4]


@pytest.mark.usefixtures("two")
def test_the_latest_is_shown_by_default() -> None:
    assert quiz("interview", "show").out == quiz("interview", "show", "1").out
    assert wording.NOTHING_ASKED.en in quiz("interview", "show").out


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("number", ["0", "4", "x", "１", "9" * 50, "3"])
def test_what_is_not_there_or_can_not_be_read_is_refused(number: str) -> None:
    ran = quiz("interview", "show", number)
    assert ran.code == Exit.MISUSED
    assert ran.out == ""
    assert number[:40] in ran.err


def test_none_were_held() -> None:
    listed, shown, bare = quiz("interview", "list"), quiz("interview", "show"), quiz("interview")
    assert (listed.code, listed.out) == (Exit.DONE, "")
    assert "No mock interview" in listed.err
    assert quiz("interview", "list", "--json").json == []
    assert shown.code == bare.code == Exit.MISUSED
    assert "No mock interview" in shown.err
