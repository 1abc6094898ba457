"""Numbers from files and from stdin."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from tests.quizapp.shell import quiz
from tests.quizapp.test_cli import BY_HAND, SOFTMAX, worked_by_hand

ROW = "A = [0.2689, 0.7311]"
"""Softmax of 1 2."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("array", "shown"),
    [
        (np.array([1, 2]), ROW),
        (np.array([1, 2], dtype=np.uint8), ROW),
        (np.array([1, 2], dtype=np.float16), ROW),
        (np.array([1, 2], dtype=">f8"), ROW),
        (np.array([1, 2], dtype=np.longdouble), ROW),
        (np.array([False, True]), ROW),
        (np.array([[1, 2], [2, 1]], order="F"), "A = [[0.2689, 0.7311], [0.7311, 0.2689]]"),
        (np.array([0.0, -np.inf]), "A = [1, 0]"),
        (np.array([np.nan, 1]), "A = [nan, nan]"),
    ],
    ids=str,
)
def test_arrays_are_read(folder: Path, array: Any, shown: str) -> None:
    np.save(folder / "row.npy", array)
    np.savez(folder / "many.npz", row=array, other=np.zeros(3))
    np.savez_compressed(folder / "one.npz", row=array)
    for source in ("@row.npy", "@many.npz:row", "@one.npz", "@one.npz:row", f"@{folder / 'row.npy'}"):
        assert quiz("solve", "softmax", source).out.splitlines()[0] == shown, source


def test_a_number_is_the_shortest_decimal_that_stands_for_it(folder: Path) -> None:
    np.save("tenth.npy", np.array([0.1, 0.2], dtype=np.float32))
    (step,) = quiz("solve", "residual-add", "--x", "@tenth.npy", "--f", "0 0", "--exact", "--json").json["steps"]
    assert step["exact"] == ["0.1", "0.2"]


def test_answers_may_be_arrays(folder: Path) -> None:
    for part, answer in enumerate(worked_by_hand()):
        np.save(f"{part}.npy", np.array([[float(cell) for cell in row.split()] for row in answer.split(";")]))
    assert quiz("check", BY_HAND, *(f"@{part}.npy" for part in range(7))).code == 0
    np.save("nothing.npy", np.full((3, 2), np.nan))
    ran = quiz("check", BY_HAND, *(f"@{part}.npy" for part in range(6)), "@nothing.npy", "--json")
    assert (ran.code, ran.json["parts"][6]["verdict"]) == (1, "wrong")


@pytest.mark.parametrize(
    ("name", "content", "shown"),
    [
        ("m.txt", b"1 2\n2 1\n", "A = [[0.2689, 0.7311], [0.7311, 0.2689]]"),
        ("m.txt", "\ufeff1 2\r\n2 1\r\n".encode(), "A = [[0.2689, 0.7311], [0.7311, 0.2689]]"),
        ("m.csv", b"1,2\n2,1\n", "A = [[0.2689, 0.7311], [0.7311, 0.2689]]"),
        ("m.csv", b"0.5,1.5\n", ROW),
        ("m.csv", b"0,5;1,5\n1,5;0,5\n", "A = [[0.2689, 0.7311], [0.7311, 0.2689]]"),
        ("m.csv", b"0.5;1.5\n", ROW),
        ("printout", b"tensor([1., 2.])\n", ROW),
    ],
)
def test_text_files_are_read(folder: Path, name: str, content: bytes, shown: str) -> None:
    (folder / name).write_bytes(content)
    assert quiz("solve", "softmax", f"@{name}").out.splitlines()[0] == shown


def make_files(folder: Path) -> None:
    np.save(folder / "objects.npy", np.array([1, None], dtype=object))
    np.savez(folder / "objects.npz", x=np.array([1, None], dtype=object))
    np.save(folder / "complex.npy", np.array([1 + 2j]))
    np.save(folder / "words.npy", np.array(["a"]))
    np.save(folder / "dates.npy", np.array(["2020-01-01"], dtype="datetime64[D]"))
    np.save(folder / "empty.npy", np.zeros((0, 3)))
    np.save(folder / "large.npy", np.zeros((100, 100)))
    np.savez(folder / "large.npz", x=np.zeros((100, 100)))
    np.savez(folder / "two.npz", first=np.zeros(2), second=np.zeros(2))
    np.save(folder / "deep.npy", np.zeros((1,) * 9))
    np.save(folder / "cube.npy", np.zeros((2, 2, 2)))
    (folder / "text.npy").write_text("1 2")
    (folder / "nothing.npy").touch()
    (folder / "cut.npy").write_bytes((folder / "large.npy").read_bytes()[:200])
    (folder / "text.npz").write_text("1 2")
    with ZipFile(folder / "other.npz", "w") as archive:
        archive.writestr("x.npy", "1 2")
    (folder / "utf16.txt").write_text("1 2", "utf-16")
    (folder / "long.txt").write_text("1 " * 20_000)
    (folder / "wide.txt").write_text("一" * 20_000, "utf-8")
    (folder / "folder.npy").mkdir()


@pytest.mark.parametrize(
    ("source", "en", "zh"),
    [
        ("objects.npy", "pickled Python objects, which are never loaded", "一律不加载"),
        ("objects.npz:x", "pickled Python objects, which are never loaded", "一律不加载"),
        ("complex.npy", "complex numbers", "复数"),
        ("words.npy", "it holds <U1, not numbers", "数组元素是 <U1，不是数"),
        ("dates.npy", "it holds datetime64[D], not numbers", "数组元素是 datetime64[D]，不是数"),
        ("empty.npy", "its shape is [0, 3]", "形状为 [0, 3]"),
        ("large.npy", "it has 10000 numbers; at most", "里面有 10000 个数，最多"),
        ("large.npz:x", "too large; at most", "文件太大，最多"),
        ("large.npz", "too large; at most", "文件太大，最多"),
        ("two.npz", "one of first, second", "名称可选 first、second"),
        ("two.npz:", "one of first, second", "名称可选 first、second"),
        ("two.npz:third", "no array “third”; it has first, second", "没有数组“third”"),
        ("deep.npy", "it has 9 dimensions", "数组有 9 维"),
        ("text.npy", "not a file that NumPy wrote", "不是 NumPy 保存的文件"),
        ("nothing.npy", "not a file that NumPy wrote", "不是 NumPy 保存的文件"),
        ("cut.npy", "not a file that NumPy wrote, or it is damaged", "已经损坏"),
        ("text.npz", "not a file that NumPy wrote", "不是 NumPy 保存的文件"),
        ("other.npz:x", "not a file that NumPy wrote", "不是 NumPy 保存的文件"),
        ("missing.npy", "missing.npy can't be used: there is no such file", "文件或文件夹不存在"),
        ("missing.npz:x", "there is no such file", "文件或文件夹不存在"),
        ("missing.txt", "there is no such file", "文件或文件夹不存在"),
        ("folder.npy", "it is a folder", "这是一个文件夹"),
        (".", "it is a folder", "这是一个文件夹"),
        ("utf16.txt", "not UTF-8 text", "不是 UTF-8 文本"),
        ("long.txt", "characters are too many", "太长了"),
        ("wide.txt", "characters are too many", "太长了"),
    ],
)
def test_files_that_hold_no_numbers_are_refused(folder: Path, source: str, en: str, zh: str) -> None:
    make_files(folder)
    english = quiz("solve", "softmax", f"@{source}")
    chinese = quiz("solve", "softmax", f"@{source}", "--lang", "zh")
    assert (english.code, english.out, chinese.code) == (2, "", 2)
    assert en in english.err
    assert zh in chinese.err


def test_a_pickle_is_not_run(folder: Path) -> None:
    import pickle

    class Trap:
        def __reduce__(self) -> tuple[Any, tuple[str]]:
            return Path.touch, (Path("sprung"),)  # type: ignore[return-value]

    (folder / "trap.npy").write_bytes(pickle.dumps(Trap()))
    np.save(folder / "traps.npy", np.array([Trap()], dtype=object))
    for name in ("trap.npy", "traps.npy"):
        assert quiz("solve", "softmax", f"@{name}").code == 2
        assert quiz("check", SOFTMAX, f"@{name}").code == 2
    assert not (folder / "sprung").exists()


# stdin -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["1 2", "1 2\n", "\ufeff1 2\r\n", "[1., 2.]\n\n"])
def test_numbers_come_from_stdin(typed: str) -> None:
    assert quiz("solve", "softmax", "-", stdin=typed).out.splitlines()[0] == ROW
    assert quiz("solve", "softmax", "--s", "-", stdin=typed).out.splitlines()[0] == ROW


def test_answers_come_from_stdin() -> None:
    answers = worked_by_hand()
    assert quiz("check", BY_HAND, *answers[:6], "-", stdin=answers[6].replace("; ", "\n") + "\n").code == 0
    assert quiz("check", "softmax", "1 2", "--answer", "-", stdin="0.269 0.731\n").code == 0
    assert quiz("check", "softmax", "-", "--answer", "0.269 0.731", stdin="1 2\n").code == 0


def test_an_empty_stdin_is_no_answer() -> None:
    assert quiz("check", SOFTMAX, "-", stdin="").code == 3


def test_stdin_that_is_no_text_is_refused() -> None:
    ran = quiz("check", SOFTMAX, "-", stdin=b"\xff\xfe1")
    assert (ran.code, ran.out) == (2, "")
    assert "ANSWER 1 is not UTF-8 text" in ran.err


def test_stdin_can_be_read_once() -> None:
    ran = quiz("solve", "scores", "--q", "-", "--k", "-", stdin="1 2; 3 4")
    assert ran.code == 2
    assert "stdin is already used for --q, so --k can't have it" in ran.err
