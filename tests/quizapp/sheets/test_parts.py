"""Rosters, fonts and QR codes."""

from __future__ import annotations

from pathlib import Path

import pytest
import segno

from question_bank import questions
from question_bank.codes import LARGEST_SEED
from question_bank.drills import DRILLS
from question_bank.problem import draw
from question_bank.walk import texts
from quizapp.sheets import compile as typst
from quizapp.sheets.glyphs import is_covered
from quizapp.sheets.plan import problems_in, qr_text
from quizapp.sheets.qr import LARGEST_VERSION, qr_codes, qr_parts
from quizapp.sheets.room import room
from quizapp.sheets.roster import LONGEST_NAME, RosterError, read_roster
from quizapp.sheets.solutions import nested
from quizapp.sheets.typst_text import grouped, sentence, string, table

# Rosters ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (b"Anna\nBob\n", ("Anna", "Bob")),
        (b"name\r\nAnna\r\n\r\nBob", ("Anna", "Bob")),
        ("学号,姓名\n1,李雷\n2,韩梅梅\n".encode(), ("李雷", "韩梅梅")),
        ("\ufeff姓名;班级\n李雷;1\n".encode(), ("李雷",)),
        ("姓名\t班级\n李雷\t1\n".encode("utf-16"), ("李雷",)),
        (b'"Doe, Jane",1\n"Roe, Richard",2\n', ("Doe, Jane", "Roe, Richard")),
        (b" Anna  \n", ("Anna",)),
        (b"Anna\nBob,,\n", ("Anna", "Bob")),
        (b"Last name,First name,Email\nDoe,Jane,j@x\nDoe,John,k@x\n", ("Jane Doe", "John Doe")),
        (b"Surname,First,Name\nDoe,Jane,JD\n", ("JD",)),
        (b"first,last\nJane,\n,Roe", ("Jane", "Roe")),
        ("姓,名\n李,雷\n".encode(), ("李雷",)),
        (b"Last\nFirst\n", ("Last", "First")),
        (b"id,student name\n1,Anna\n2,Bob\n", ("Anna", "Bob")),
        ("编号,名单\n1,李雷\n".encode(), ("李雷",)),
        ("编号，学生的名字\n1，李雷\n".encode(), ("李雷",)),
        (b"user name,Student_Name\na1,Anna\n", ("Anna",)),
        (b"Student last name,Student first name\nDoe,Jane\n", ("Jane Doe",)),
        ("三班名单\n学号;姓名\n1;李雷\n".encode(), ("李雷",)),
        (b"student id\n1001\n1002\n", ("1001", "1002")),
        (b"Anna,\nBob,3\nEve,4\n", ("Anna", "Bob", "Eve")),
        (b"Rename Surnamer\nVename\n", ("Rename Surnamer", "Vename")),
        (b"=1+1\n$x$\n#include\n", ("=1+1", "$x$", "#include")),
    ],
)
def test_names_are_read(tmp_path: Path, content: bytes, names: tuple[str, ...]) -> None:
    path = tmp_path / "names.csv"
    path.write_bytes(content)
    assert read_roster(path) == names


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "has no names"),
        (b"name\n\n", "has no names"),
        (b"name,id\nAnna,1\n,2\n", "line 3: the name is missing"),
        (b"id,name\n1,Anna\n2\n", "line 3: the name is missing"),
        (b"Anna\nBob\nAnna\n", "line 3: “Anna” is on line 1 already"),
        (b"Anna\n" + b"x" * (LONGEST_NAME + 1), "line 2: the name is longer than 60"),
        (b"Anna\nB\x07ob\n", "line 2: the name has a control character"),
        (b"Anna\n\nDoe, Jane\n", "line 3: more columns than line 1. A name with a comma stands"),
        (b"name,id\nDoe, Jane,1\n", "line 2: more columns than line 1"),
        (b"first name,last name\nJane,Doe\n,\nJane,Doe\n", "line 4: “Jane Doe” is on line 2"),
        (b'Anna\n"Bob\n', "line 2: not readable as CSV (a quotation mark is never closed)"),
        (b'Anna\n"Bob"by\n', "line 2: not readable as CSV (something follows a closing quotation mark)"),
        (b"Anna\n" + b"x" * 140_000, "line 2: not readable as CSV (a cell is too long)"),
        (b"1,Anna\n2,Bob\n", "line 1: “1” is a number, and there are other columns"),
        (b"code,pupils\nS1,Anna\nS2,Bob\n", "line 2: “S1” is a number"),
        (b"id,who\n1,Anna\n", "line 1: these look like headings, and none says “name”: id, who"),
        ("学号,谁\n1,李雷\n".encode(), "none says “name”: 学号, 谁"),
        (b"who,class\nAnna,3\nBob,4\n", "line 1: these look like headings"),
        ("姓名\n李雷\n".encode("gb18030"), "line 1"),
        ("Anna\n李雷\n".encode("gb18030"), "(line 2). In a spreadsheet, save it as “CSV UTF-8”"),
        (b"".join(b"p%d\n" % number for number in range(5001)), "more than 5,000"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "names.csv"
    path.write_bytes(content)
    with pytest.raises(RosterError) as caught:
        read_roster(path)
    assert said in caught.value.message.en


# Fonts -----------------------------------------------------------------------------------------------------------------


def test_the_fonts_have_every_character_of_our_own_texts() -> None:
    found = {character for drill in DRILLS.values() for text in (drill.title, *drill.hints) for character in text.zh + text.en}
    for number in questions.numbers():
        found |= {character for _, text in texts(questions.load(number)) for character in text.zh + text.en}
    assert {character for character in found if not is_covered(character)} == set()
    assert len(found) > 900


def test_signs_letters_and_names_are_covered_and_what_is_not_is_known() -> None:
    assert [character for character in "ᵀ√×·≤≥∞−±∑⌈⌉αβγθσΣΦπ₁²喆昊婧Łőß李國ʼ " if not is_covered(character)] == []
    assert [character for character in "𠮷😀ก" if is_covered(character)] == []


def test_the_list_of_characters_is_that_of_the_font() -> None:
    from fontTools.ttLib import TTFont

    [path] = (Path(typst.__file__).parent / "fonts").glob("*.otf")
    assert path.stat().st_size < 2_500_000
    assert [chr(point) for point in TTFont(path).getBestCmap() if not is_covered(chr(point))] == []


def test_a_character_is_looked_for_in_the_fonts_of_the_system() -> None:
    assert typst.prints("a")
    assert typst.prints('"')
    assert not typst.prints("\U0010fffd")


# Room ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("less", "more", "level"),
    [
        ("permute-output", "score-matrix", 2),  # copied
        ("spot-the-bug", "attention-output", 1),  # looked at
        ("score-entry", "rope-relative", 3),  # one dot product, and two rotations before it
        ("attention-output", "attention-by-hand", 2),  # seven parts have a page
    ],
)
def test_what_takes_more_work_has_more_room(less: str, more: str, level: int) -> None:
    assert 1.3 * room(draw(less, level, "x")) < room(draw(more, level, "x"))


# QR codes --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 6, 13, 14, 40, 200])
def test_qr_codes_hold_all_codes_and_stay_legible(count: int) -> None:
    codes = tuple(f"multi-head-parameters.2.0{number:03}a" for number in range(count))
    parts = qr_parts(codes)
    assert tuple(code for part in parts for code in part) == codes
    assert max(map(len, parts), default=0) - min(map(len, parts), default=0) <= 1, "none is left with the remainder"
    assert len(qr_codes(codes)) == len(parts)
    for number, part in enumerate(parts, 1):
        version = segno.make_qr(qr_text(part, number, len(parts)), error="m", boost_error=False).version
        assert isinstance(version, int)
        assert version <= LARGEST_VERSION


def test_the_longest_code_fits() -> None:
    assert LARGEST_SEED == 32**6 - 1
    longest = max(DRILLS, key=len) + ".4.0zzzzzz0"
    assert len(qr_parts((longest,) * 10)[0]) >= 5


def test_a_qr_code_is_read_back_into_problems() -> None:
    codes = ("softmax-row.2.009xh", "scale-row.1.00ksk")
    assert [problem.code for problem in problems_in(qr_text(codes))] == list(codes)


@pytest.mark.parametrize(
    ("plain", "written"),
    [("406644736", "406 644 736"), ("50257", "50257"), ("0.0000001", "0.0000001"), ("[1048576, 2]", "[1 048 576, 2]")],
)
def test_long_numbers_are_parted_in_thousands(plain: str, written: str) -> None:
    assert grouped(plain, " ") == written


# Typst -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ['"', "\\", '#panic("x")', "$x$", "$x", "*a* _b_ `c` = d", "a\nb\x00", "// c", "/* c", "]", "#[", "@x <y>", "\udcff"],
)
def test_nothing_typed_is_read_as_typst(text: str) -> None:
    typst.to_pdf(f"#{string(text)} {sentence(text)}")


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        ("3", "3"),
        ("[0.5, -1, 0.25]", "mat(0.5, - 1, 0.25)"),
        ("[[1, 0.5], [10, 2]]", 'mat(1, 0.5; 10, 2 pad(".5"))'),
        ("[[ln(2), 1/3], [−∞, inf]]", "mat(ln (2), 1 slash 3; - ∞, inf)"),
    ],
)
def test_answers_become_matrices_with_their_points_aligned(answer: str, written: str) -> None:
    assert table(nested(answer)) == written
