"""``quizapp solve`` on problems: answers in the language asked for, and steps that lead to their lessons."""

from __future__ import annotations

import pytest

from question_bank import Language, draw
from tests.quizapp.shell import quiz

WORDS = {Language.EN: {"yes", "no"}, Language.ZH: {"是", "否"}}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("choice", ["a", "b", "c"])
def test_yes_or_no_is_said_in_the_language_and_right_when_typed_back(language: Language, choice: str) -> None:
    code = draw("self-product", 2, choice).code
    answers = [each["answer"] for each in quiz("solve", code, "--lang", language, "--json").json["answers"]]
    assert answers[-1] in WORDS[language]
    assert f" = {answers[-1]}\n" in quiz("solve", code, "--lang", language).out
    assert quiz("check", code, *answers, "--lang", language).code == 0


def test_each_step_names_the_lesson_that_explains_it() -> None:
    code = draw("attention-output", 2, "a").code
    steps = quiz("solve", code, "--json").json["steps"]
    assert [step["section"] for step in steps] == ["7.7", "7.9", "7.10", "7.11"]
    lines = [line for line in quiz("solve", code).out.splitlines() if line[:1].isdigit()]
    assert [line.rpartition("  §")[2] for line in lines] == [step["section"] for step in steps]
