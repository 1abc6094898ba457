"""``quizapp ask``: what is read, how it is marked, and what is printed of it; and ``quizapp find``."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from question_bank.evidence import Span
from quizapp.commands.asking import read_answer
from quizapp.commands.exits import MisuseError
from quizapp.commands.marked import quoted
from tests.quizapp.own_content import EXAMPLES, QUESTION, changed, write
from tests.quizapp.shell import Ran, quiz


def ask(typed: str, *arguments: str) -> Ran:
    return quiz("ask", "Q101", "--bank", str(EXAMPLES), *arguments, stdin=typed)


def headings(ran: Ran) -> list[str]:
    return [line for line in ran.out.splitlines()[1:] if line and not line.startswith(" ")]


ENGLISH = "exp overflows in half precision, and a constant shift cancels\n"
CHINESE = "指数会溢出，每个分数减同一个数会约掉\n"


def test_what_was_made_is_shown_with_the_words_that_earned_it_and_then_what_is_missing() -> None:
    ran = ask(ENGLISH)
    assert (ran.code, ran.err) == (0, "")
    assert headings(ran) == ["You made 2 of 3 points.", "Made", "Missing", "Short answer"]
    made, missing = ran.out.split("\nMissing\n")
    assert "your words: “overflows”" in made
    assert "  3. With the maximum subtracted" in missing
    assert "Because eᶻ overflows" in missing
    chinese = ask(CHINESE, "--lang", "zh")
    assert headings(chinese)[0] == "你说到了 3 个要点中的 2 个。"
    assert "你的原话：“溢出”" in chinese.out


def test_what_was_wrong_is_said_with_the_reason() -> None:
    ran = ask("It makes the weights smoother.")
    assert headings(ran) == [
        "You made 0 of 3 points. And you said something wrong; see below.",
        "Missing",
        "Said, but wrong",
        "Short answer",
    ]
    wrong = ran.out.split("\nSaid, but wrong\n")[1]
    assert wrong.startswith(
        "  “It makes the weights smoother.”\n    your words: “smoother”\n    The weights stay what they are."
    )


@pytest.mark.parametrize("typed", ["", "\n \n", ".\nnever read", "\ufeff"])
def test_an_empty_answer_shows_the_model_answer_and_is_not_marked(typed: str) -> None:
    ran = ask(typed)
    assert ran.code == 0
    assert headings(ran) == ["Nothing was typed, so nothing is marked.", "Key points", "Short answer"]
    data = ask(typed, "--json").json
    assert {each["state"] for each in data["points"]} == {None}
    assert {each["said"] for each in data["pitfalls"]} == {None}
    assert data["answer"].startswith("Because eᶻ overflows")


def test_json_has_states_words_and_their_places() -> None:
    typed = ENGLISH.strip() + ", so it is smoother"
    data = ask(typed, "--json").json
    assert [each["state"] for each in data["points"]] == ["made", "made", "missing"]
    assert data["typed"] == typed
    assert data["points"][0]["words"] == ["overflows"]
    for each in (*data["points"], *data["pitfalls"]):
        assert [typed[start:end] for start, end in each["spans"]] == each["words"]
    assert data["pitfalls"][0]["said"] is True


def test_what_was_typed_is_never_taken_for_a_formula_or_for_keys() -> None:
    ran = ask(r"the \frac overflows $x$ $\frac$ [bold] and" + "\x1b[31m cancels with a constant")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    quoting = ask("overflow $ 5 inf $")
    assert quoting.code == 0


def test_points_without_evidence_are_left_to_the_person(tmp_path: Path) -> None:
    bare = "".join(line for line in QUESTION.splitlines(keepends=True) if not line.startswith("evidence"))
    folder = write(tmp_path, Q101=bare)
    ran = quiz("ask", "Q101", "--bank", str(folder), stdin=ENGLISH)
    assert (ran.code, len(headings(ran))) == (0, 3)
    assert "can't be marked" in headings(ran)[0]
    assert "made" not in ran.out
    states = [each["state"] for each in quiz("ask", "Q101", "--bank", str(folder), "--json", stdin=ENGLISH).json["points"]]
    assert states == ["unmarkable"] * 3


def test_evidence_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path, Q101=changed(QUESTION, ("'overflow*|inf'", "'(overflow'")))
    ran = quiz("ask", "Q101", "--bank", str(folder), stdin=ENGLISH)
    assert (ran.code, ran.out) == (2, "")
    assert "has 1 fault" in ran.err
    assert "quizapp validate" in ran.err


def test_too_long_an_answer_is_marked_as_far_as_it_is_looked_at() -> None:
    ran = ask("x " * 10_000 + ENGLISH)
    assert ran.code == 0
    assert "20,000" in ran.err
    assert headings(ran)[0] == "You made 0 of 3 points."


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (b"", ""),
        (b"one\r\ntwo\r\n", "one\ntwo"),
        (b"one\n.\ntwo\n", "one"),
        ("一\n。\n二\n".encode(), "一"),
        (b"a. b\n..\n", "a. b\n.."),
        (b"\n\none\n\ntwo", "one\n\ntwo"),
    ],
)
def test_an_answer_ends_with_the_stream_or_at_a_single_dot(sent: bytes, read: str) -> None:
    assert read_answer(io.BytesIO(sent)) == read


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(MisuseError, match="UTF-8"):
        read_answer(io.BytesIO(b"\xff\xfe\n"))


@pytest.mark.parametrize(
    ("places", "shown"),
    [([(0, 3)], "one"), ([(0, 3), (4, 7)], "one two"), ([(0, 3), (8, 13)], "one … three"), ([(4, 13)], "two three")],
)
def test_quoted_words(places: list[tuple[int, int]], shown: str) -> None:
    assert quoted("one\ntwo three", [Span(*place) for place in places]) == shown


@pytest.mark.terminal
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), (".\r", 0), ("\x04", 0)])
def test_at_the_keyboard_the_question_is_shown_first(keys: str, code: int) -> None:
    import pexpect

    child = pexpect.spawn(sys.executable, ["-m", "quizapp", "ask", "Q7"], encoding="utf-8", timeout=60)
    child.expect("Why are the scores divided by √d_k")
    child.expect("single dot")
    child.send(keys)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == code
    assert ("Short answer" in child.before) == (code == 0)


# Finding ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (["KV", "cache"], {"7.15", "Q20", "kv-cache-bytes"}),
        (["KV cache"], {"7.15", "Q20"}),
        (["缩放"], {"Q7", "scale-row"}),
    ],
)
def test_words_are_found_in_questions_lessons_and_drills(query: list[str], wanted: set[str]) -> None:
    hits = quiz("find", *query, "--json").json
    assert wanted <= {hit["id"] for hit in hits[:8]}
    assert all(set(hit) == {"kind", "id", "title", "passage"} for hit in hits)
    out = quiz("find", *query).out
    assert all(f"{name}  " in out for name in wanted)
    assert "$" not in out


def test_the_limit_is_kept_and_said() -> None:
    ran = quiz("find", "softmax", "--limit", "2")
    assert len([line for line in ran.out.splitlines() if not line.startswith(" ")]) == 2
    assert "--limit 4" in ran.err
    assert len(quiz("find", "softmax", "--limit", "3", "--json").json) == 3


def test_nothing_found_is_a_no() -> None:
    for language, said in (("en", "Nothing found for “qqqq $x”."), ("zh", "没有找到“qqqq $x”。")):
        ran = quiz("find", "qqqq", "$x", "--lang", language)
        assert (ran.code, ran.out, ran.err.strip()) == (1, "", said)
    assert (quiz("find", "qqqq", "--json").code, quiz("find", "qqqq", "--json").json) == (1, [])


def test_own_questions_are_found() -> None:
    assert quiz("find", "row maximum", "--bank", str(EXAMPLES), "--json").json[0]["id"] == "Q101"
