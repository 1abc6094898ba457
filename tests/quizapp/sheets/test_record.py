"""What is on a sheet, how it is chosen, and its JSON."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from question_bank import questions
from question_bank.codes import CodeError
from question_bank.drills import DRILLS
from question_bank.problem import draw
from quizapp.sheets import choosing, record
from quizapp.sheets.choosing import Source
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet, problems_in, qr_text

SOFTMAX = Source(DRILLS["softmax-row"], 2)
HEADS = Source(DRILLS["head-shapes"], 1)


def chosen(people: tuple[str, ...] = ("",), count: int = 5, seed: str = "s") -> tuple[Copy, ...]:
    return tuple(choosing.copies(people, (SOFTMAX, HEADS), count, seed))


def sheet() -> Sheet:
    asked = choosing.open_question(questions.load(7))
    copies = choosing.copies(("Anna", "李雷"), (SOFTMAX, HEADS), 5, "s", [asked])
    return Sheet("注意力练习：softmax(QKᵀ/√d_k)", Languages.BOTH, Paper.LETTER, "s", tuple(copies))


def test_a_sheet_survives_its_json() -> None:
    assert record.read(record.write(sheet())) == sheet()


def test_every_drill_survives_its_json() -> None:
    problems = tuple(draw(drill.id, level, "x") for drill in DRILLS.values() for level in drill.levels)
    whole = Sheet("all", Languages.EN, Paper.A4, "x", (Copy("", problems),))
    assert record.read(record.write(whole)) == whole


def test_a_sheet_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    path.write_text("\ufeff" + record.write(sheet()), "utf-8")  # an editor on Windows may have put the mark there
    assert record.load(path) == sheet()


def changed(**fields: object) -> str:
    return json.dumps(json.loads(record.write(sheet())) | fields)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not whole JSON|不是完整的 JSON"),
        (record.write(sheet())[:-9], "not whole JSON|不是完整的 JSON"),
        ("\ud800", "not whole JSON|不是完整的 JSON"),
        ("[1, 2]", "fields of a sheet|缺少练习卷"),
        ('{"kind": "other", "version": 1}', "is not a sheet|不是 quizapp 生成的练习卷文件。"),
        ("[" * 100_000, "fields of a sheet|缺少练习卷"),
        (changed(version=2, release="9.9"), "newer release (9.9)|更新的版本（9.9）"),
        (changed(copies=[{"person": "Anna", "items": ["head-shapes.1.0"]}]), "head-shapes.1.0 is named|引用了 head-shapes.1.0"),
        (changed(paper="a0"), "$.paper is missing or|（$.paper 处"),
        (changed(questions={"Q7": {"title": 1}}), "$.questions|（$.questions"),
        (changed(problems={"x.1.00000": {"drill": "x", "level": 1, "seed": 0, "prompt": {"en": "", "zh": ""}, "program": {}}}),
         "the problem x.1.00000|题目 x.1.00000"),
    ],
)  # fmt: skip
def test_what_is_no_sheet_is_refused(text: str, said: str) -> None:
    with pytest.raises(record.SheetError) as caught:
        record.read(text, "sheet.json")
    english, chinese = said.split("|")
    assert english in caught.value.message.en
    assert chinese in caught.value.message.zh
    assert not re.search("[a-z] [a-z]", caught.value.message.zh), "no English sentence"


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(record.SheetError, match=r"nowhere\.json can't be read"):
        record.load(tmp_path / "nowhere.json")


def test_fields_of_a_later_release_are_passed_over() -> None:
    assert record.read(changed(watermark="x")) == sheet()


def test_codes_come_back_out_of_a_qr_code() -> None:
    [copy] = chosen()
    text = f"{qr_text(copy.codes[:3], 1, 2)}\n{qr_text(copy.codes[3:], 2, 2)}"
    assert set(text) <= set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:\n"), "the compact alphabet of QR codes"
    assert problems_in(text) == copy.problems
    assert problems_in("1) " + ", ".join(copy.codes) + ". And again " + copy.codes[0]) == copy.problems


def test_a_wrong_character_in_a_code_is_told() -> None:
    with pytest.raises(CodeError, match="typo"):
        problems_in("softmax-row.2.009xj")
    with pytest.raises(CodeError, match="no problem code"):
        problems_in("nothing here")


def test_nobody_has_a_problem_twice_and_everybody_has_others() -> None:
    copies = chosen(tuple(f"p{number}" for number in range(80)), count=5)
    assert all(len(set(copy.codes)) == 5 for copy in copies)
    softmax = Counter(code for copy in copies for code in copy.codes if code.startswith("softmax"))
    assert len(softmax) == 3 * 80, "298 distinct problems are enough for 240"
    assert [code.split(".")[0] for code in copies[0].codes] == ["softmax-row"] * 3 + ["head-shapes"] * 2


def test_a_drill_with_few_problems_gives_them_again_but_never_twice_to_one() -> None:
    copies = chosen(tuple(map(str, range(150))), count=5)
    assert all(len(set(copy.problems)) == 5 for copy in copies)


def test_the_first_problem_is_the_one_that_the_same_seed_draws_elsewhere() -> None:
    for seed in ("s", "-1", "1e3", "一百", str(2**70), ""):
        assert chosen(seed=seed)[0].codes[0] == draw("softmax-row", 2, seed).code
    assert len({chosen(seed=seed)[0].codes for seed in ("s", "-1", "1e3", "一百", str(2**70), "")}) == 6


def test_a_seed_chooses_the_same_in_every_process() -> None:
    program = (
        "from question_bank.drills import DRILLS; from quizapp.sheets.choosing import Source, copies;"
        "print([c.codes for c in copies(['a', 'b'], [Source(DRILLS['softmax-row'], 2), Source(DRILLS['head-shapes'], 1)],"
        " 5, 's')])"
    )
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == str([copy.codes for copy in chosen(("a", "b"))])


def test_fewer_problems_than_drills_come_from_drills_that_the_seed_chooses() -> None:
    sources = [Source(drill, drill.levels[0]) for drill in DRILLS.values()][:10]
    picks = {choosing.shares(sources, 3, str(seed)) for seed in range(20)}
    assert all(sum(pick) == 3 for pick in picks)
    assert len(picks) > 10


def test_a_drill_that_has_too_few_problems_is_found() -> None:
    assert choosing.smallest([SOFTMAX, HEADS], 40, "s") is None
    found = choosing.smallest([SOFTMAX], 500, "s")
    assert found is not None
    source, there_are = found
    assert source == SOFTMAX
    assert 200 < there_are < 500
