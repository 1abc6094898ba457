"""``quizapp solve`` and ``check`` on one's own numbers, and exact forms."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest
import sympy

from question_bank.exact import to_float
from question_bank.own_numbers import TEMPLATES, FieldKind
from quizapp.commands.exact_forms import to_exact, written_exactly
from quizapp.commands.own_numbers import option_name
from tests.quizapp.shell import quiz
from tests.quizapp.test_cli import CHINESE, written

COURSE = ("attention", "--q", "1 0; 1 1; 2 1", "--k", "0 1; 1 0; 1 1", "--v", "1 0; 0 1; 1 1")
"""The worked example of the course."""

Q = np.array([[1, 0], [1, 1], [2, 1]], dtype=float)
K = np.array([[0, 1], [1, 0], [1, 1]], dtype=float)
V = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)


def softmax(scores: Any, axis: int = -1) -> Any:
    return np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)


# The worked example ----------------------------------------------------------------------------------------------------

S_SHOWN = ("0 1 1", "1 1 2", "1 2 3")
A_SHOWN = ("0.1978 0.4011 0.4011", "0.2483 0.2483 0.5035", "0.1400 0.2840 0.5760")
O_SHOWN = ("0.5989 0.8022", "0.7517 0.7517", "0.7160 0.8600")
CAUSAL_SHOWN = ("1 0 0", "0.5 0.5 0", "0.1400 0.2840 0.5760")


def drawn(shown: str, name: str) -> tuple[str, ...]:
    """Return the rows of a matrix that is drawn between tall brackets."""
    lines = shown.splitlines()
    middle = next(place for place, line in enumerate(lines) if line.strip().startswith(f"{name} = ⎢"))
    return tuple(" ".join(re.findall(r"[-−.\d]+", line.partition("=")[2] or line)) for line in lines[middle - 1 : middle + 2])


def test_the_worked_example_shows_every_number() -> None:
    ran = quiz("solve", *COURSE)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "O = [[0.5989, 0.8022], [0.7517, 0.7517], [0.7160, 0.8600]]"
    assert drawn(ran.out, "S") == S_SHOWN
    assert drawn(ran.out, "A") == A_SHOWN
    assert drawn(ran.out, "O") == O_SHOWN
    assert "$" not in ran.out


def test_the_worked_example_reads_in_chinese_with_the_same_numbers() -> None:
    ran = quiz("solve", *COURSE, "--lang", "zh")
    assert drawn(ran.out, "A") == A_SHOWN
    assert CHINESE.search(ran.out)


def test_the_worked_example_with_a_causal_mask() -> None:
    ran = quiz("solve", *COURSE, "--causal")
    assert drawn(ran.out, "A") == CAUSAL_SHOWN


def test_the_worked_example_has_exact_forms() -> None:
    steps = {step["node"]: step for step in quiz("solve", *COURSE, "--exact", "--json").json["steps"]}
    assert steps["S"]["exact"] == [["0", "1", "1"], ["1", "1", "2"], ["1", "2", "3"]]
    assert steps["Z"]["exact"][2] == ["√2/2", "√2", "3·√2/2"]
    assert steps["A"]["exact"][0] == ["1/(1 + 2·e^(√2/2))", *["e^(√2/2)/(1 + 2·e^(√2/2))"] * 2]
    shown = quiz("solve", *COURSE, "--exact").out
    assert "exact  [[1/(1 + 2·e^(√2/2)) + e^(√2/2)/(1 + 2·e^(√2/2)), 2·e^(√2/2)/(1 + 2·e^(√2/2))],\n" in shown
    assert "exact  " not in quiz("solve", *COURSE).out


def test_the_three_decimal_matrix_is_accepted() -> None:
    assert quiz("check", *COURSE, "--answer", "0.599 0.802; 0.752 0.752; 0.716 0.860").code == 0


def test_decimals_asked_can_be_set() -> None:
    three = "0.599 0.802; 0.752 0.752; 0.716 0.860"
    for decimals, code in (("2", 0), ("3", 0), ("5", 3)):
        assert quiz("check", *COURSE, "--answer", three, "--decimals", decimals).code == code
    assert quiz("solve", *COURSE, "--decimals", "2").out.startswith("O = [[0.60, 0.80], ")


MISTAKES = {
    "scale.not-scaled": softmax(Q @ K.T) @ V,
    "scale.by-d_k": softmax(Q @ K.T / 2) @ V,
    "mix.keys-for-values": softmax(Q @ K.T / math.sqrt(2)) @ K,
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_known_mistakes_are_named(mistake: str) -> None:
    ran = quiz("check", *COURSE, "--answer", written(MISTAKES[mistake], 4), "--json")
    assert (ran.code, ran.json["verdict"], ran.json["mistake"]) == (1, "known-mistake", mistake)
    assert ran.json["code"] is None


# Every operation -------------------------------------------------------------------------------------------------------


def example(name: str) -> list[str]:
    arguments = [name]
    for field in TEMPLATES[name].fields:
        if field.kind is not FieldKind.FLAG and field.required:
            arguments += [option_name(field), field.example]
    return arguments


def text(value: Any) -> str:
    return value if isinstance(value, str) else "[" + ", ".join(map(text, value)) + "]"


@pytest.mark.parametrize("name", TEMPLATES)
def test_what_solve_shows_is_right_for_check(name: str) -> None:
    (answer,) = quiz("solve", *example(name), "--exact", "--json").json["answers"]
    for language in ("en", "zh"):
        assert quiz("check", *example(name), "--answer", answer["answer"], "--decimals", "4", "--lang", language).code == 0
    assert quiz("check", *example(name), "--answer", text(answer["exact"]), "--decimals", "11").code == 0
    assert quiz("check", *example(name), "--answer", "x").code == 3


VALUES: list[tuple[list[str], Any]] = [
    (["softmax", "2 1 3"], softmax(np.array([2.0, 1, 3]))),
    (["softmax", "2", "1", "3"], softmax(np.array([2.0, 1, 3]))),
    (["softmax", "-1", "0.5"], softmax(np.array([-1, 0.5]))),
    (["softmax", "--", "-1 0.5"], softmax(np.array([-1, 0.5]))),
    (["softmax", "--s", "-1 0.5"], softmax(np.array([-1, 0.5]))),
    (["softmax", "ln 2, ln 6"], np.array([0.25, 0.75])),
    (["softmax", "[[1, 2], [3, 5]]"], softmax(np.array([[1.0, 2], [3, 5]]))),
    (["causal-mask", "0 1; 1 2"], np.array([[1, 0], softmax(np.array([1.0, 2]))])),
    (["padding-mask", "--s", "1 2 3", "--keep", "1 1 0"], np.array([*softmax(np.array([1.0, 2])), 0])),
    (["scores", "--q", "1 2; 3 4", "--k", "5 6; 7 9"], np.array([[17, 25], [39, 57]])),
    (["scale", "--s", "2 4", "--dk", "16"], np.array([0.5, 1])),
    (["mix", "--a", "0.25 0.75", "--v", "4 0; 0 8"], np.array([1, 6])),
    (["project", "--x", "1 2", "--w", "1 0; 3 1"], np.array([7, 2])),
    (["layer-norm", "1 2 3 4"], np.array([-1.3416, -0.4472, 0.4472, 1.3416])),
    (["layer-norm", "--x", "1 3", "--gamma", "2 2", "--beta", "0 1"], np.array([-2, 3])),
    (["residual-add", "--x", "1 2", "--f", "0.5 -3"], np.array([1.5, -1])),
    ([*COURSE, "--scale", "1"], softmax(Q @ K.T) @ V),
    ([*COURSE, "--keep", "1 1 0"], softmax((Q @ K.T / math.sqrt(2))[:, :2]) @ V[:2]),
]


@pytest.mark.parametrize(("arguments", "value"), VALUES, ids=[" ".join(arguments) for arguments, _ in VALUES])
def test_operations_on_own_numbers(arguments: list[str], value: Any) -> None:
    (answer,) = quiz("solve", "--json", *arguments).json["answers"]
    np.testing.assert_allclose(np.asarray(json.loads(answer["answer"]), dtype=float), value, atol=6e-5)


def test_the_causal_mask_can_be_aligned_as_a_cache_needs_it() -> None:
    numbers = ("attention", "--q", "0 0; 0 0", "--k", "0 0; 0 0; 0 0; 0 0; 0 0", "--v", "1; 2; 3; 4; 5", "--causal")
    assert quiz("solve", *numbers).out.startswith("O = [[1], [1.5]]\n")
    assert quiz("solve", *numbers, "--bottom-right").out.startswith("O = [[2.5], [3]]\n")


SHAPES = [
    (
        ["cross-attention", "B=2", "h=8", "S_dec=5", "S_enc=9", "d_model=512"],
        {"Q_h": [2, 8, 5, 64], "S": [2, 8, 5, 9], "Y": [2, 5, 512]},
    ),
    (["self-attention", "B=3", "S=7", "d_model=12"], {"X": [3, 7, 12], "S": [3, 7, 7], "Y": [3, 7, 12]}),
    (["self-attention", "d_model ＝ 12", "S=7", "B=3", "h=4"], {"K_h": [3, 4, 7, 3], "H": [3, 7, 12]}),
]


@pytest.mark.parametrize(("arguments", "shapes"), SHAPES)
def test_shapes_at_every_stage(arguments: list[str], shapes: dict[str, list[int]]) -> None:
    stages = {stage["node"]: stage["shape"] for stage in quiz("solve", "shape", *arguments, "--json").json["stages"]}
    assert shapes.items() <= stages.items()
    lines = [re.split(r"  +", line) for line in quiz("solve", "shape", *arguments).out.splitlines()]
    assert {line[0]: json.loads(line[1]) for line in lines} == stages


FAULTS: list[tuple[list[str], str, str]] = [
    (["solve", "attention", "--q", "1 0"], "--k is missing: keys", "缺少 --k：key"),
    (["solve", "softmax"], "The numbers are missing: scores", "缺少数字：分数"),
    (["solve", "softmax", "1 2", "--s", "1 2"], "given twice", "给了两次"),
    (["solve", "softmax", "1 2", "3 4"], "one pair of quotes", "放在一对引号里"),
    (["solve", "softmax", "one two"], "NUMBERS: ", "NUMBERS："),
    (["solve", "scores", "1 2"], "“1 2” is one argument too many", "多出了参数“1 2”"),
    (["solve", "scores", "--q", "1 2; 3", "--k", "1 2"], "--q: ", "--q："),
    (["solve", "scores", "--q", "1 2; 3 4", "--k", "1 2 3; 4 5 6"], "shapes don't match", "形状对不上"),
    (["solve", "softmax", "1 2", "--decimals", "13"], "from 0 to 12", "0 到 12"),
    (["solve", "softmax", "1 2", "--decimals", "0.5"], "“0.5” is not", "“0.5”不是"),
    (["solve", "softmax", "1 2", "--answer", "1"], "There is no option --answer", "没有选项 --answer"),
    (["check", "softmax", "1 2"], "--answer is missing", "缺少 --answer"),
    (["check", "softmax", "1 2", "--exact", "--answer", "1"], "There is no option --exact", "没有选项 --exact"),
    (["solve", "shape"], "KIND is missing", "缺少 KIND"),
    (["solve", "shape", "self-attention", "B=2", "S=3"], "d_model is missing", "缺少 d_model"),
    (["solve", "shape", "self-attention", "B=2.5"], "“B=2.5” should be a size", "“B=2.5”应写成"),
    (["solve", "shape", "self-attention", "B=2", "B=3"], "B is given twice", "B 给了两次"),
    (["solve", "shape", "self-attention", "B=" + "9" * 5000], "should be a size", "应写成"),
]


@pytest.mark.parametrize(("arguments", "en", "zh"), FAULTS, ids=[" ".join(each[0])[:60] for each in FAULTS])
def test_what_is_wrong_with_the_numbers_is_said(arguments: list[str], en: str, zh: str) -> None:
    english, chinese = quiz(*arguments), quiz(*arguments, "--lang=zh")
    assert (english.code, english.out, chinese.code, chinese.out) == (2, "", 2, "")
    assert en in english.err
    assert zh in chinese.err


# Exact forms -----------------------------------------------------------------------------------------------------------

FORMS = [
    (0, "0"),
    (sympy.Rational(-2, 3), "−2/3"),
    (sympy.Rational(1, 4), "0.25"),
    (sympy.sqrt(2) / 2, "√2/2"),
    (-sympy.sqrt(2), "−√2"),
    (3 / sympy.sqrt(5), "3·√5/5"),
    (sympy.exp(-1), "e^(−1)"),
    (1 / (1 + 2 * sympy.exp(sympy.sqrt(2) / 2)), "1/(1 + 2·e^(√2/2))"),
    (sympy.log(2) / sympy.log(3), "ln(2)/ln 3"),
    (sympy.log(2) - 1, "−1 + ln 2"),
    (sympy.pi * 2, "2·π"),
    (sympy.Integer(2) ** sympy.Rational(1, 3), "2^(1/3)"),
    (1 / (sympy.sqrt(3) + 1) ** 2, "1/(1 + √3)^2"),
    (sympy.oo, "∞"),
    (-sympy.oo, "−∞"),
    (sympy.nan, "nan"),
]


@pytest.mark.parametrize(("number", "shown"), FORMS, ids=[shown for _, shown in FORMS])
def test_exact_forms_are_written_as_they_are_typed(number: Any, shown: str) -> None:
    assert written_exactly(number) == shown
    value = to_float(to_exact(number))
    assert value == pytest.approx(float(number), rel=1e-14, nan_ok=True)


def test_a_matrix_keeps_its_form() -> None:
    assert written_exactly([[1, sympy.sqrt(2)], [sympy.E, 0]]) == (("1", "√2"), ("e", "0"))


def test_exact_forms_too_large_to_be_written_are_left_out() -> None:
    ran = quiz("solve", "softmax", "--exact", "20000*ln(2) 0")
    assert ran.code == 0
    assert "too large to be written" in ran.err
    assert ran.out == quiz("solve", "softmax", "20000*ln(2) 0").out


def test_shapes_have_no_exact_form_and_are_shown_all_the_same() -> None:
    code = quiz("problem", "head-shapes", "--seed", "1", "--json").json["code"]
    ran = quiz("solve", code, "--exact")
    assert ran.code == 0
    assert "no exact value" in ran.err
    assert ran.out == quiz("solve", code).out
    assert "→  Q [" in ran.out
