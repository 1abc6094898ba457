"""``quizapp list``, ``problem`` and ``check``: what they print, where, and with which exit code."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from question_bank import problem
from question_bank.drills import DRILLS
from question_bank.questions import titles
from quizapp.cli import DEBUG_VARIABLE
from tests.quizapp.shell import Ran, quiz

CHINESE = re.compile("[\u4e00-\u9fff]")
SOFTMAX = problem("softmax-row", 2, 5).code
BY_HAND = problem("attention-by-hand", 2, 7).code


def inputs(code: str) -> dict[str, Any]:
    return {each["name"]: each.get("value", each.get("shape")) for each in quiz("problem", code, "--json").json["inputs"]}


def softmax(row: list[float]) -> list[float]:
    total = sum(map(math.exp, row))
    return [math.exp(score) / total for score in row]


def written(numbers: Any, decimals: int) -> str:
    """Write a matrix as a person might: rows parted by semicolons."""
    rows = np.atleast_2d(np.asarray(numbers, dtype=float))
    return "; ".join(" ".join(f"{number:.{decimals}f}" for number in row) for row in rows)


# Lists -----------------------------------------------------------------------------------------------------------------


def test_the_drills_are_listed_one_a_line() -> None:
    ran = quiz("list", "drills")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()] == list(DRILLS)


def test_the_questions_are_listed_in_either_language() -> None:
    for language in ("en", "zh"):
        ran = quiz("list", "questions", "--lang", language)
        assert [line.split()[0] for line in ran.out.splitlines()] == [heading.id for heading in titles()]
        assert "$" not in ran.out
        assert bool(CHINESE.search(ran.out)) == (language == "zh")


@pytest.mark.parametrize(
    ("what", "keys"), [("drills", "id section levels title"), ("questions", "id group section title"), ("lessons", "id title")]
)
def test_lists_come_as_json(what: str, keys: str) -> None:
    listed = quiz("list", what, "--json").json
    assert listed
    assert all(set(each) == set(keys.split()) for each in listed)


# Problems --------------------------------------------------------------------------------------------------------------


def test_a_problem_shows_prompt_inputs_parts_and_code_and_says_on_stderr_how_to_go_on() -> None:
    ran = quiz("problem", BY_HAND)
    assert ran.code == 0
    assert "$" not in ran.out
    assert "scores S = QKᵀ" in ran.out
    assert re.search(r"X = ⎢ +-?[0-9−]", ran.out)
    assert "Z  (3×3 matrix, 3 decimals)" in ran.out
    assert ran.out.splitlines()[-1] == f"code  {BY_HAND}"
    assert f"quizapp check {BY_HAND} ANSWER..." in ran.err


def test_shapes_are_shown_as_shapes() -> None:
    assert re.search(r"^X: \[\d+, \d+, \d+\]$", quiz("problem", "head-shapes", "--seed", "1").out, re.MULTILINE)


def test_a_problem_as_json() -> None:
    data = quiz("problem", BY_HAND, "--json").json
    assert (data["code"], data["drill"], data["level"], data["seed"]) == (BY_HAND, "attention-by-hand", 2, 7)
    assert np.asarray(data["inputs"][0]["value"]).shape == (3, 2)
    assert [part["label"] for part in data["parts"]] == list("QKVSZAO")
    assert data["parts"][4] == {"label": "Z", "kind": "matrix", "decimals": 3, "significant": None, "dimensions": [3, 3]}


def test_numbers_in_json_are_numbers_where_json_has_them_and_text_elsewhere() -> None:
    values = [number for seed in range(8) for number in inputs(problem("softmax-row", 1, seed).code)["z"]]
    assert {type(number) for number in values} <= {int, str}
    assert any(re.fullmatch(r"ln \d", str(number)) for number in values)
    decimals = [number for seed in range(8) for number in inputs(problem("softmax-row", 3, seed).code)["z"]]
    assert any(isinstance(number, float) for number in decimals)


@pytest.mark.parametrize("seed", ["-1", "1e3", "一百", str(2**70), "", "--json", "\udcff"])
def test_any_text_chooses_a_problem_and_always_the_same(seed: str) -> None:
    first, second = (quiz("problem", "softmax-row", "--level", "2", f"--seed={seed}", "--json").json for _ in range(2))
    assert first == second
    assert first["level"] == 2
    assert quiz("problem", first["code"], "--json").json == first


def test_other_texts_and_chance_choose_other_problems() -> None:
    assert len({quiz("problem", "score-matrix", "--seed", str(seed), "--json").json["code"] for seed in range(8)}) > 1
    assert len({quiz("problem", "score-matrix", "--json").json["code"] for _ in range(8)}) > 1


# Checking: one part ----------------------------------------------------------------------------------------------------


def spellings() -> list[str]:
    right = softmax(inputs(SOFTMAX)["z"])
    plain = [f"{number:.3f}" for number in right]
    return [
        " ".join(plain),
        "[" + ", ".join(plain) + "]",
        "tensor([" + ", ".join(f"{number:.4f}" for number in right) + "])",
        "；".join(plain),
        "\n".join(repr(number) for number in right),
    ]


def test_the_right_answer_is_right_in_every_spelling() -> None:
    for spelling in spellings():
        assert quiz("check", SOFTMAX, spelling).code == 0, spelling


def test_what_check_prints_is_data_and_names_what_it_read() -> None:
    ran = quiz("check", SOFTMAX, spellings()[0])
    assert ran.err == ""
    assert ran.out.splitlines()[0] == "Right."
    assert re.search(r"read +\[0\.\d{3}, 0\.\d{3}, 0\.\d{3}\]", ran.out)
    assert re.search(r"expected +\[0\.\d{3}, 0\.\d{3}, 0\.\d{3}\]", ran.out)


def test_each_outcome_has_its_exit_code() -> None:
    row = inputs(SOFTMAX)["z"]
    right = softmax(row)
    sigmoids = [1 / (1 + math.exp(-score)) for score in row]
    table = [
        (written(right, 3), 0, "right"),
        (written(right, 1), 3, "coarse"),
        (written(sigmoids, 4), 1, "known-mistake"),
        ("0.11 0.22 0.67", 1, "wrong"),
        ("?", 1, "given-up"),
        ("？", 1, "given-up"),
        ("0.5 0.5", 3, "unreadable"),
        ("about a half", 3, "unreadable"),
        ("", 3, "unreadable"),
    ]
    for typed, code, verdict in table:
        ran = quiz("check", SOFTMAX, typed, "--json")
        assert (ran.code, ran.json["verdict"]) == (code, verdict), typed


def test_a_known_mistake_is_named_in_text_and_json() -> None:
    sigmoids = written([1 / (1 + math.exp(-score)) for score in inputs(SOFTMAX)["z"]], 4)
    data = quiz("check", SOFTMAX, sigmoids, "--json").json
    assert data["mistake"] == data["parts"][0]["mistake"] == "softmax.sigmoid"
    ran = quiz("check", SOFTMAX, sigmoids)
    assert ran.out.startswith("Not right. ")
    assert re.search(r"^ +mistake +softmax\.sigmoid$", ran.out, re.MULTILINE)


def test_the_answer_stays_hidden_while_an_attempt_is_left() -> None:
    right = softmax(inputs(SOFTMAX)["z"])
    for typed in (written(right, 1), "x"):
        assert "expected " not in quiz("check", SOFTMAX, typed).out
        data = quiz("check", SOFTMAX, typed, "--json").json
        assert (data["expected"], data["parts"][0]["expected"]) == (None, None)
    assert f"{right[0]:.3f}" in quiz("check", SOFTMAX, "?").out


def test_negative_answers_are_no_options() -> None:
    for seed in range(200):
        code = problem("score-entry", 3, seed).code
        values = inputs(code)
        row, column = problem(code).program.asks[0].index
        score = round(float(np.dot(values["Q"][row], values["K"][column])), 6)
        if score < 0:
            break
    number = f"{score:g}"
    assert number.startswith("-")
    for arguments in ((number,), ("--", number), (number, "--json"), ("--json", number)):
        assert quiz("check", code, *arguments).code == 0
    assert quiz("check", code, f"{score - 1:g}").code == 1
    assert quiz("check", code, "-h").out.startswith("Usage:")


def test_json_of_one_part() -> None:
    data = quiz("check", SOFTMAX, "0.11 0.22 0.67", "--json").json
    assert list(data) == ["code", "verdict", "mistake", "understood", "expected", "message", "parts"]
    assert (data["code"], data["mistake"], data["understood"]) == (SOFTMAX, None, "[0.11, 0.22, 0.67]")
    (part,) = data["parts"]
    assert list(part) == ["verdict", "mistake", "understood", "expected", "message", "wrong_cells", "slip", "notes"]
    assert part["expected"] == data["expected"]


def test_wrong_cells_are_counted_from_one() -> None:
    right = softmax(inputs(SOFTMAX)["z"])
    data = quiz("check", SOFTMAX, written([right[0], right[1], right[2] + 0.05], 3), "--json").json
    assert data["parts"][0]["wrong_cells"] == [[3]]


def test_notes_on_the_reading_are_printed() -> None:
    typed = written(softmax(inputs(SOFTMAX)["z"]), 3).replace(".", ",")
    assert quiz("check", SOFTMAX, typed, "--json").json["parts"][0]["notes"]
    assert "decimal commas" in quiz("check", SOFTMAX, typed).out


# Checking: several parts -----------------------------------------------------------------------------------------------


def worked_by_hand(slip: bool = False) -> list[str]:
    """Work ``BY_HAND`` out in NumPy; with a slip in one score, everything behind it follows."""
    given = {name: np.asarray(value, dtype=float) for name, value in inputs(BY_HAND).items()}
    Q, K, V = (given["X"] @ given[f"W_{name}"] for name in "QKV")
    S = Q @ K.T
    if slip:
        S[1, 2] -= 3
    Z = S / math.sqrt(2)
    A = np.exp(Z) / np.exp(Z).sum(axis=1, keepdims=True)
    return [*(written(each, 0) for each in (Q, K, V, S)), *(written(each, 4) for each in (Z, A, A @ V))]


def test_every_part_has_its_answer() -> None:
    ran = quiz("check", BY_HAND, *worked_by_hand())
    assert ran.code == 0
    assert ran.out.startswith("All 7 parts are right.\n")
    data = quiz("check", BY_HAND, *worked_by_hand(), "--json").json
    assert data["verdict"] == "right"
    assert data["understood"] == [part["understood"] for part in data["parts"]]
    assert data["expected"] == [part["expected"] for part in data["parts"]]
    assert len(data["parts"]) == 7


def test_what_follows_rightly_from_a_slip_is_right() -> None:
    ran = quiz("check", BY_HAND, *worked_by_hand(slip=True), "--json")
    assert ran.code == 1
    parts = ran.json["parts"]
    assert [part["verdict"] for part in parts] == ["right"] * 3 + ["wrong"] + ["right-after-slip"] * 3
    assert parts[3]["wrong_cells"] == [[2, 3]]
    assert [part["slip"] for part in parts] == [None] * 4 + [4] * 3


def test_parts_can_be_given_up() -> None:
    answers = worked_by_hand()
    answers[1] = "?"
    ran = quiz("check", BY_HAND, *answers)
    assert ran.code == 1
    assert ran.out.startswith("6 of 7 marks.")
    assert quiz("check", BY_HAND, *answers, "--json").json["parts"][1]["verdict"] == "given-up"


@pytest.mark.parametrize("count", [0, 1, 6, 8])
def test_one_answer_for_each_part_is_wanted(count: int) -> None:
    ran = quiz("check", BY_HAND, *["1"] * count)
    assert (ran.code, ran.out) == (2, "")
    assert f"Q, K, V, S, Z, A, O; given: {count}." in ran.err


# Misuse ----------------------------------------------------------------------------------------------------------------

MISTYPED = SOFTMAX[:-1] + ("0" if SOFTMAX[-1] != "0" else "1")
MISUSES: list[tuple[str, list[str], str, str]] = [
    ("no command", ["--json"], "A command is missing", "缺少命令"),
    ("unknown command", ["lst"], "There is no command “lst”. Did you mean list?", "没有命令“lst”。是不是想用 list？"),
    ("unknown option", ["list", "drills", "--jso"], "There is no option --jso. Did you mean --json?", "没有选项 --jso。"),
    ("unknown option of the root", ["--frob"], "There is no option --frob", "没有选项 --frob。"),
    ("unknown short option", ["list", "drills", "-x"], "“-x” is one argument too many", "多出了参数“-x”"),
    ("list of what", ["list"], "drills, questions or lessons?", "可选 drills、questions、lessons"),
    ("no command", ["--json"], "A command is missing: list, show, ask, find", "缺少命令，可选 list、show、ask、find"),
    ("a bank and no terminal", ["--bank", "."], "needs a terminal", "要在终端里运行"),
    ("list of something else", ["list", "drill"], "Did you mean drills?", "是不是想用 drills？"),
    ("value for a flag", ["list", "drills", "--json=1"], "--json takes no value", "--json 不带值"),
    ("no value", ["problem", "softmax-row", "--level"], "--level needs a value", "--level 需要一个值"),
    ("no language", ["list", "drills", "--lang"], "--lang needs a value", ""),
    ("no such language", ["list", "drills", "--lang", "fr"], "There is no language “fr”", ""),
    ("no drill", ["problem"], "DRILL|CODE is missing", "缺少 DRILL|CODE"),
    ("unknown drill", ["problem", "softmax-rwo"], "Did you mean softmax-row?", "是不是想找 softmax-row？"),
    ("unknown level", ["problem", "softmax-row", "--level", "9"], "has levels 1, 2, 3, but no level 9", "没有难度 9"),
    ("level in words", ["problem", "softmax-row", "--level", "two"], "“two” is not", "“two”不是"),
    ("level of a code", ["problem", SOFTMAX, "--level", "2"], "leave out --level", "请去掉 --level"),
    ("seed of a code", ["problem", SOFTMAX, "--seed", "2"], "leave out --level", "请去掉 --level"),
    ("two drills", ["problem", "softmax-row", "scale-row"], "“scale-row” is one argument too many", "多出了参数“scale-row”"),
    ("mistyped code", ["problem", MISTYPED], "has a typo", "校验字符对不上"),
    ("mistyped code to solve", ["solve", MISTYPED], "has a typo", "校验字符对不上"),
    ("mistyped code to check", ["check", MISTYPED, "1"], "has a typo", "校验字符对不上"),
    ("something with dots", ["check", "0.5", "1"], "is not a problem code", "不是题目代码"),
    ("nothing to check", ["check"], "The code of a problem, or an operation, is missing", "缺少题目代码或运算名"),
    ("nothing to solve", ["solve"], "The code of a problem, or an operation, is missing", "缺少题目代码或运算名"),
    (
        "a drill",
        ["check", "softmax-row", "1"],
        "“quizapp problem softmax-row” draws a problem",
        "用 quizapp problem softmax-row",
    ),
    ("unknown operation", ["solve", "sofmax", "--json"], "Did you mean softmax?", "是不是想用 softmax？"),
    ("neither", ["solve", "zzz"], "the operations are attention, softmax", "运算有 attention、softmax"),
    ("no answer", ["check", SOFTMAX], "The answer is missing", "缺少答案"),
    ("numbers not in quotes", ["check", SOFTMAX, "0.1", "0.2", "0.7"], "in quotes", "用引号括起来"),
    ("unknown option beside answers", ["check", SOFTMAX, "--jsn", "1"], "There is no option --jsn", "没有选项 --jsn"),
]


@pytest.mark.parametrize(("arguments", "en", "zh"), [each[1:] for each in MISUSES], ids=[each[0] for each in MISUSES])
def test_a_command_misused_is_told_so_in_either_language(arguments: list[str], en: str, zh: str) -> None:
    english = quiz(*arguments)
    assert (english.code, english.out) == (2, "")
    assert en in english.err
    assert "Traceback" not in english.err
    if zh:
        chinese = quiz("--lang", "zh", *arguments)
        assert (chinese.code, chinese.out) == (2, "")
        assert zh in chinese.err


# Languages -------------------------------------------------------------------------------------------------------------


def speaks_chinese(ran: Ran) -> bool:
    return bool(CHINESE.search(ran.out))


def test_the_language_is_the_command_lines_then_the_settings_then_the_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path))
    assert not speaks_chinese(quiz("problem", SOFTMAX))
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert speaks_chinese(quiz("problem", SOFTMAX))
    (tmp_path / "settings.toml").write_text('language = "en"\n', "utf-8")
    assert not speaks_chinese(quiz("problem", SOFTMAX))
    for arguments in (
        ("--lang", "zh", "problem", SOFTMAX),
        ("problem", "--lang=zh", SOFTMAX),
        ("problem", SOFTMAX, "--lang", "zh"),
    ):
        assert speaks_chinese(quiz(*arguments)), arguments
    assert not speaks_chinese(quiz("check", SOFTMAX, "0.5 0.5", "--", "--lang=zh"))


def test_settings_that_cannot_be_read_are_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("language = ", "utf-8")
    ran = quiz("list", "drills", "--json")
    assert (ran.code, len(ran.json)) == (0, len(DRILLS))
    assert "settings.toml" in ran.err


# Internal errors -------------------------------------------------------------------------------------------------------


def test_an_internal_error_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("two\nlines")

    monkeypatch.setattr("solvers.grading.grade", fail)
    ran = quiz("check", SOFTMAX, "1 2 3")
    assert (ran.code, ran.out) == (4, "")
    assert len(ran.err.splitlines()) == 1
    assert "KeyError" in ran.err
    assert f"{DEBUG_VARIABLE}=1" in ran.err
    assert "内部错误" in quiz("check", SOFTMAX, "1 2 3", "--lang", "zh").err
    assert "Traceback" in quiz("check", SOFTMAX, "1 2 3", environment={DEBUG_VARIABLE: "1"}).err


def test_what_is_typed_does_not_steer_the_terminal() -> None:
    for arguments in (
        ("problem", "\x1b\x07[31mred"),
        ("check", "\x1b]0;title\x07.1.00000", "1"),
        ("solve", "softmax", "\x1b[2J"),
    ):
        ran = quiz(*arguments)
        assert ran.code == 2
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", ran.out + ran.err)
