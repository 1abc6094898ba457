"""Files of answers as people and spreadsheets write them; no line is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from question_bank.text import Language
from quizapp import wording_marking as wording
from quizapp.marking.answers_file import AnswersError, load, read


def cells(text: str) -> list[tuple[int, str, str, str]]:
    found = read(text)
    assert found.bad == ()
    return [(line.number, line.person, line.problem, line.answer) for line in found.lines]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada,1,0.5\nBob,2b,\n", [(1, "Ada", "1", "0.5"), (2, "Bob", "2b", "")]),
        ('Ada,1,"[0.1, 0.2]"\n', [(1, "Ada", "1", "[0.1, 0.2]")]),
        ("Ada,1,0.1, 0.2\n", [(1, "Ada", "1", "0.1, 0.2")]),
        ("Ada,1,0.5,,,\nBob,1,,,,\n", [(1, "Ada", "1", "0.5"), (2, "Bob", "1", "")]),
        ("Ada;1;0,5; 0,2\n", [(1, "Ada", "1", "0,5; 0,2")]),
        ("Ada\t1\t0.5, 0.2\n", [(1, "Ada", "1", "0.5, 0.2")]),
        ('Ada,1,"0.1; 0.2; 0.7"\nBob,1,"1; 2; 3"\n', [(1, "Ada", "1", "0.1; 0.2; 0.7"), (2, "Bob", "1", "1; 2; 3")]),
        ("张三，1，0.5\n李四，mix-row.2.009xh，1 2\n", [(1, "张三", "1", "0.5"), (2, "李四", "mix-row.2.009xh", "1 2")]),
        ("张三，1，0.5\n李四,2,7\n王五，3,\n", [(1, "张三", "1", "0.5"), (2, "李四", "2", "7"), (3, "王五", "3", "")]),
        ("\ufeff姓名；题号；答案\r\n张三；2a；0，5\r\n", [(2, "张三", "2a", "0，5")]),
        ("Answer,Person,Problem\n0.5,Ada,1\n", [(2, "Ada", "1", "0.5")]),
        ("problem,answer\n1,0.1, 0.2\n\n2,\n", [(2, "", "1", "0.1, 0.2"), (4, "", "2", "")]),
        ("1,0.5\n2,0.25\n", [(1, "", "1", "0.5"), (2, "", "2", "0.25")]),
        ('"Lovelace, Ada",1,0.5\n"Hopper, Grace",2,7\n', [(1, "Lovelace, Ada", "1", "0.5"), (2, "Hopper, Grace", "2", "7")]),
        ('Ada,1,"[[1, 2],\n[3, 4]]"\nAda,2,5\n', [(1, "Ada", "1", "[[1, 2],\n[3, 4]]"), (3, "Ada", "2", "5")]),
        ('Ada,1,5"\nBob,1,6\n', [(1, "Ada", "1", '5"'), (2, "Bob", "1", "6")]),
        (
            'name,1,2a,2b\nAda,0.5,,"1, 2"\nBob,1\n',
            [
                (2, "Ada", "1", "0.5"), (2, "Ada", "2a", ""), (2, "Ada", "2b", "1, 2"),
                (3, "Bob", "1", "1"), (3, "Bob", "2a", ""), (3, "Bob", "2b", ""),
            ],
        ),
        ("", []),
    ],
)  # fmt: skip
def test_what_lines_say(text: str, expected: list[tuple[int, str, str, str]]) -> None:
    assert cells(text) == expected


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ('Ada,1,"5\nBob,2,"0.1, 0.2"\n', {1: wording.BROKEN_QUOTE}),
        ('Ada,1,"5"x\nBob,2,6\n', {1: wording.BROKEN}),
        ("Ada,1,5\nBob\n,2,5\nEve,,5\n", {2: wording.THREE_CELLS, 3: wording.NO_PERSON, 4: wording.NO_PROBLEM}),
        ("problem,answer\n,5\n", {2: wording.NO_PROBLEM}),
        ("name,1,2\nAda,1,2,3\n,1,2\n", {2: wording.MORE_CELLS.fill(found=4, named=3), 3: wording.NO_PERSON}),
    ],
)
def test_lines_that_cannot_be_used_are_named(text: str, bad: dict[int, object]) -> None:
    found = read(text)
    assert {line.number: line.message for line in found.bad} == bad
    assert all(line.text in text for line in found.bad)
    assert len(found.bad) + len({line.number for line in found.lines}) >= len(text.splitlines()) - 1, "none is lost"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("张三,1,0.5\n".encode("gbk"), "“CSV UTF-8”"),
        (b"", "no answers"),
        (b"\n\n", "no answers"),
        (None, "no such file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, data: bytes | None, said: str) -> None:
    path = tmp_path / "answers.csv"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(AnswersError) as refused:
        load(path)
    assert said in refused.value.message[Language.EN]
    assert "answers.csv" in refused.value.message[Language.ZH]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_spreadsheets(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes("姓名\t题号\t答案\r\n张三\t1\t0.5\r\n".encode(encoding))
    [line] = load(path).lines
    assert (line.person, line.problem, line.answer) == ("张三", "1", "0.5")
