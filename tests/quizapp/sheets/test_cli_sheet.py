"""``quizapp sheet`` on the shell."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pypdf import PdfReader

from quizapp.commands.exits import Exit
from quizapp.sheets import compile as typst
from quizapp.sheets import glyphs, record
from solvers.worked import answers
from tests.quizapp.shell import quiz


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def text_of(path: str) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def test_a_sheet_its_key_and_its_record_have_the_same_problems() -> None:
    ran = quiz("sheet", "softmax-row", "scale-row", "--count", "4", "--seed", "s", "--key-file", "key.pdf", "-o", "s.pdf")
    assert ran.code == Exit.DONE
    assert ran.out == ""
    assert names() == ["key.pdf", "s.json", "s.pdf"]
    sheet = record.load(Path("s.json"))
    [copy] = sheet.copies
    asked, key = text_of("s.pdf"), text_of("key.pdf")
    assert [code in asked and code in key for code in copy.codes] == [True] * 4
    shown = [number for problem in copy.problems for part in answers(problem) for number in part.strip("[]").split(", ")]
    assert all(number.lstrip("-") in key for number in shown)
    assert "Answer key" not in asked
    for told in ("s.pdf", "--seed s", "key.pdf", "quizapp mark s.json"):
        assert told in ran.err


@pytest.mark.parametrize("seed", ["-1", "1e3", "一百", str(2**70), "", "it's", "$x$", "\udcff"])
def test_a_seed_is_any_text_and_chooses_the_same_on_screen_and_on_paper(seed: str) -> None:
    drawn = quiz("problem", "softmax-row", "--seed", seed, "--json").json
    shown = quiz("sheet", "softmax-row", "--seed", seed, "--count", "3", "--json").json
    again = quiz("sheet", "softmax-row", "--seed", seed, "--count", "3", "--lang", "both", "--json").json
    assert shown["copies"] == again["copies"]
    assert shown["copies"][0]["items"][0] == drawn["code"]
    assert len(set(shown["copies"][0]["items"])) == 3


def test_without_a_file_the_sheet_is_shown() -> None:
    ran = quiz("sheet", "softmax-row", "--count", "2", "--seed", "s", "--key", "worked")
    codes = quiz("sheet", "softmax-row", "--count", "2", "--seed", "s", "--json").json["copies"][0]["items"]
    sheet, key = ran.out.split("\nAnswer key\n")
    assert [code in sheet for code in codes] == [True, True]
    assert "z = [ " in sheet
    assert "p = [" in key
    assert "Softmax of each row" in key, "the steps"
    assert names() == []


def test_without_a_seed_chance_chooses_and_says_how_to_get_the_same() -> None:
    first, second = (quiz("sheet", "softmax-row", "--level", "3", "--json").json for _ in range(2))
    assert first["copies"] != second["copies"]
    assert quiz("sheet", "softmax-row", "--level", "3", "--seed", first["seed"], "--json").json["copies"] == first["copies"]


def test_questions_have_lines_to_write_on_and_their_points_in_the_key() -> None:
    assert quiz("sheet", "--questions", "A", "--key", "answers", "--lang", "zh", "-o", "q.pdf").code == Exit.DONE
    pages = [page.extract_text() for page in PdfReader("q.pdf").pages]
    sheet = record.load(Path("q.json"))
    assert [item.id for item in sheet.copies[0].items][:2] == ["Q1", "Q2"]  # type: ignore[union-attr]
    starts = next(place for place, page in enumerate(pages) if "参考答案" in page)
    assert starts > 3
    assert "完整的回答应包括" in "".join(pages[starts:])
    assert "完整的回答应包括" not in "".join(pages[:starts])


def test_codes_make_a_sheet_of_just_these() -> None:
    codes = quiz("sheet", "softmax-row", "--count", "2", "--json").json["copies"][0]["items"]
    assert quiz("sheet", *codes, "--json").json["copies"][0]["items"] == codes


def test_a_section_gives_one_of_each_of_its_drills() -> None:
    items = quiz("sheet", "--section", "7.10", "--level", "3", "--json", "--seed", "s").json["copies"][0]["items"]
    drills = [code.partition(".")[0] for code in items]
    assert "softmax-matrix" in drills
    assert len(drills) >= 6


def test_typst_and_markdown_by_the_ending() -> None:
    for name in ("s.typ", "s.md"):
        assert quiz("sheet", "softmax-matrix", "--count", "1", "--seed", "s", "--key", "worked", "-o", name).code == Exit.DONE
    source = Path("s.typ").read_text("utf-8")
    reader = PdfReader(io.BytesIO(typst.to_pdf(source)))
    [code] = record.load(Path("s.json")).copies[0].codes
    assert code in reader.pages[0].extract_text()
    text = Path("s.md").read_text("utf-8")
    assert text.count(f"`{code}`") == 2
    assert r"\begin{bmatrix}" in text
    assert "Answer key" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "What is to be on the sheet?"),
        (["softmx-row"], "Did you mean softmax-row?"),
        (["softmax-row", "--level", "9"], "levels 1, 2, 3"),
        (["softmax-row", "--count", "0"], "whole number from 1 to 200"),
        (["--section", "7.99"], "Section 7.99 has no drills"),
        (["--section", "7.10", "--level", "9"], "No drill of section 7.10 has level 9"),
        (["--questions", "Z"], "Z"),
        (["softmax-row", "--paper", "a0"], "--paper should be one of a4, letter"),
        (["softmax-row", "--key", "full"], "--key should be one of none, answers, worked"),
        (["softmax-row", "--lang", "fr"], "choose en, zh or both"),
        (["softmax-row", "-o", "x.doc"], "should end with .pdf, .typ or .md"),
        (["softmax-row", "-o", "nowhere/x.pdf"], "nowhere/x.pdf can't be written: there is no folder nowhere"),
        (["softmax-row", "-o", "x.pdf", "--key-file", "nowhere/k.pdf"], "nowhere/k.pdf can't be written"),
        (["softmax-row", "-o", "x.pdf", "--key-file", "k.md"], "should end with .pdf too"),
        (["softmax-row", "-o", "x.pdf", "--key-file", "./x.pdf"], "can't have the same file"),
        (["softmax-row", "--key-file", "k.pdf"], "--key-file needs -o"),
        (["softmax-row", "-o", "x.pdf", "--key", "none", "--key-file", "k.pdf"], "--key none makes no key"),
        (["softmax-row", "--copies", "2", "--each", "-o", "x", "--key-file", "x/2.pdf"], "can't have the same file"),
        (["softmax-row", "--each", "-o", "folder"], "--each needs --roster or --copies"),
        (["softmax-row", "--copies", "2", "--each"], "-o names the folder"),
        (["softmax-row", "--copies", "2", "--each", "-o", "nowhere/folder"], "there is no folder nowhere"),
        (["softmax-row", "--copies", "2", "--roster", "r.csv"], "not both"),
        (["softmax-row", "--roster", "r.csv", "-o", "x.pdf"], "r.csv can't be read: there is no such file"),
        (["softmax-row", "softmax-row.2.009xh"], "drills or codes, not both"),
        (["softmax-row.2.009xh", "--count", "2"], "codes name them already"),
        (["softmax-row.2.009xh", "--copies", "2"], "everybody would get the same"),
        (["softmax-row.2.009xj"], "typo"),
        (["softmax-row", "--titel", "x"], "Did you mean --title?"),
        (["softmax-row", "--title", "Tiếng \U000323af", "-o", "x.pdf"], "U+323AF"),
    ],
)
def test_what_can_t_be_made_is_said_and_nothing_is_written(arguments: list[str], said: str) -> None:
    ran = quiz("sheet", *arguments)
    assert ran.code == Exit.MISUSED
    assert said in ran.err
    assert ran.out == ""
    assert names() == []


def test_a_full_disk_leaves_nothing_half_written(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("x.pdf").write_bytes(b"before")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = quiz("sheet", "softmax-row", "--count", "1", "-o", "x.pdf")
    assert ran.code == Exit.MISUSED
    assert "x.pdf can't be written: the disk is full" in ran.err
    assert names() == ["x.pdf"]
    assert Path("x.pdf").read_bytes() == b"before"


ONE = ("sheet", "softmax-row", "--count", "1", "--key-file", "k.pdf", "-o", "x.pdf")
EACH = ("sheet", "softmax-row", "--count", "1", "--copies", "2", "--each", "--key", "answers", "-o", "x")


@pytest.mark.parametrize("arguments", [ONE, EACH])
@pytest.mark.parametrize(("function", "fails_at"), [("fsync", 2), ("fsync", 3), ("replace", 2), ("replace", 3)])
@pytest.mark.parametrize("has_links", [True, False])
def test_a_later_file_that_fails_leaves_all_of_the_order_before(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], function: str, fails_at: int, has_links: bool
) -> None:
    Path("x").mkdir()
    assert quiz(*arguments, "--seed", "one").code == Exit.DONE
    before = contents()
    works, calls = getattr(os, function), 0

    def fails(*given: object) -> None:
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise OSError(errno.EIO, "")
        works(*given)

    def refuses(*given: object) -> None:
        raise PermissionError(errno.EPERM, "")

    with monkeypatch.context() as patch:
        patch.setattr(os, function, fails)
        if not has_links:
            patch.setattr(os, "link", refuses)
        ran = quiz(*arguments, "--seed", "two")
    assert (ran.code, calls >= fails_at) == (Exit.MISUSED, True)
    assert "the disk reports an error" in ran.err
    assert contents() == before
    assert quiz(*arguments, "--seed", "two").code == Exit.DONE
    assert contents().keys() == before.keys()
    assert not set(contents().values()) & set(before.values())


def contents() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def test_a_first_order_that_fails_at_its_last_file_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def fails(source: Path, target: Path) -> None:
        if Path(target).name == "x.json":
            raise OSError(errno.EIO, "")
        replace(source, target)

    monkeypatch.setattr("os.replace", fails)
    assert "x.json can't be written: the disk reports an error" in quiz(*ONE).err
    assert names() == []


def test_pages_of_another_class_never_mix_with_these() -> None:
    assert quiz(*EACH[:-2], "-o", "x").code == Exit.DONE
    before = contents()
    ran = quiz("sheet", "softmax-row", "--count", "1", "--copies", "1", "--each", "-o", "x")
    assert ran.code == Exit.MISUSED
    assert "x has other PDFs, 2.pdf and 1 more" in ran.err, "the key too"
    assert contents() == before


def test_a_class_gets_a_file_each_and_its_key_is_not_among_theirs() -> None:
    Path("class.csv").write_text("姓名,班级\n李雷,1\nAC/DC: ?,2\n", "utf-8-sig")
    ran = quiz("sheet", "softmax-row", "--count", "2", "--roster", "class.csv", "--each", "--key", "answers", "-o", "out")
    assert ran.code == Exit.DONE
    assert sorted(path.name for path in Path("out").iterdir()) == ["1-李雷.pdf", "2-AC_DC_ _.pdf", "key.pdf", "sheet.json"]
    assert "李雷" in text_of("out/1-李雷.pdf")
    assert "Answer key" not in text_of("out/1-李雷.pdf")
    key = text_of("out/key.pdf")
    assert "李雷" in key
    assert "AC/DC" in key
    first, second = record.load(Path("out/sheet.json")).copies
    assert not set(first.codes) & set(second.codes)


def test_a_title_that_cannot_be_printed_is_shown_as_it_was_typed() -> None:
    ran = quiz("sheet", "softmax-row", "--title", "$x$ \U0010fffd", "-o", "x.pdf")
    assert ran.code == Exit.MISUSED
    assert "“$x$ \U0010fffd” has the character \U0010fffd (U+10FFFD)" in ran.err


@pytest.mark.parametrize(("there", "code"), [('{"name": "mine"}', Exit.MISUSED), ("[1", Exit.MISUSED), ("", Exit.DONE)])
def test_a_json_that_is_no_sheet_is_never_replaced(there: str, code: Exit) -> None:
    Path("package.json").write_text(there)
    ran = quiz("sheet", "softmax-row", "--count", "1", "-o", "package.typ")
    assert ran.code == code
    assert ("package.json is there already" in ran.err) == (code is not Exit.DONE)
    assert (Path("package.json").read_text() == there) == (code is not Exit.DONE)
    assert Path("package.typ").exists() == (code is Exit.DONE)
    assert quiz("sheet", "softmax-row", "--count", "1", "-o", "package.typ").code == code, "a sheet's own is"


def test_a_bad_line_of_a_roster_is_named() -> None:
    Path("class.csv").write_text("name\nAnna\n\nAnna\n", "utf-8")
    ran = quiz("sheet", "softmax-row", "--roster", "class.csv", "-o", "x.pdf")
    assert ran.code == Exit.MISUSED
    assert "class.csv, line 4: “Anna” is on line 2 already" in ran.err
    assert names() == ["class.csv"]


def test_one_sheet_of_a_class_is_spoken_of_as_one() -> None:
    Path("class.csv").write_text("name\nAnna\n", "utf-8")
    ran = quiz("sheet", "softmax-row", "--count", "1", "--seed", "s", "--roster", "class.csv", "-o", "x.typ")
    assert "x.typ: 1 sheet of 1 problem. To make it again: --seed s" in ran.err


def test_variants_leave_room_for_a_name() -> None:
    assert quiz("sheet", "softmax-row", "--count", "1", "--copies", "2", "-o", "x.pdf").code == Exit.DONE
    pages = [page.extract_text() for page in PdfReader("x.pdf").pages]
    assert ["Variant 1" in pages[0], "Variant 2" in pages[1], "Name" in pages[0]] == [True] * 3
    assert [copy.person for copy in record.load(Path("x.json")).copies] == ["1", "2"]


def test_a_name_that_no_shipped_font_has_takes_a_font_of_the_system_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("class.csv").write_text("name\n𠮷田\n", "utf-8")
    monkeypatch.setattr(glyphs, "prints", lambda character: False)
    ran = quiz("sheet", "softmax-row", "--roster", "class.csv", "-o", "x.pdf")
    assert ran.code == Exit.MISUSED
    assert "“𠮷田” has the character 𠮷 (U+20BB7)" in ran.err
    assert "fonts-hanazono" in ran.err
    monkeypatch.setattr(glyphs, "prints", lambda character: True)
    assert quiz("sheet", "softmax-row", "--count", "1", "--roster", "class.csv", "-o", "x.pdf").code == Exit.DONE


@pytest.mark.parametrize(
    ("character", "said"),
    [
        ("ก", "fonts-noto-core"),
        ("😀", "fonts-noto-color-emoji"),
        ("\U0001f004", "Install a font"),  # a tile that the emoji have, and whose neighbours they don't
        ("\U0002ebe0", "fonts-hanazono"),
        ("\U0002ebf0", "Install a font"),  # of Unicode 15.1, after the font's last release
        ("\U000323af", "Install a font"),
        ("\u0b55", "Install a font"),
    ],
)
def test_a_package_is_named_only_where_it_has_the_character(monkeypatch: pytest.MonkeyPatch, character: str, said: str) -> None:
    monkeypatch.setattr(glyphs, "prints", lambda character: False)
    with pytest.raises(glyphs.NoGlyphError, match=said):
        glyphs.needs_system_fonts([character])


def test_what_was_made_is_told_as_json() -> None:
    ran = quiz("sheet", "softmax-row", "--count", "1", "--seed", "s", "-o", "x.pdf", "--json")
    assert ran.json["files"] == ["x.pdf", "x.json"]
    assert ran.json["copies"][0]["codes"] == list(record.load(Path("x.json")).copies[0].codes)


def any_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is no signal there")
def test_ctrl_c_ends_a_long_run_and_leaves_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-m", "quizapp", "sheet", "softmax-row", "--copies", "3000", "--key", "worked", "-o", "x.pdf"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    time.sleep(2.5)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the processes that compile, too
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert (out, err.strip()) == (b"", b"")
    assert names() == []
    ends = time.monotonic() + 20
    while any_left(process.pid):
        assert time.monotonic() < ends, "a process goes on"
        time.sleep(0.05)


def test_help_is_in_both_languages() -> None:
    assert "quizapp sheet DRILL..." in quiz("sheet", "--help", "--lang", "en").out
    assert "生成纸质练习卷" in quiz("sheet", "--help", "--lang", "zh").out
    assert json.loads(quiz("sheet", "softmax-row", "--json", "--lang", "both").out)["languages"] == "both"
