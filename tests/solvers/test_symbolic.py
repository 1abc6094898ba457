"""Shapes written with letters and orders of growth: right, wrong, plausibly wrong and unreadable answers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from question_bank.exact import to_float
from question_bank.program import AnswerFormat, Ask, Asked, Kind, Program, Shape, call, from_json, to_json
from question_bank.text import same
from solvers.answers import Answer, read
from solvers.display import closed_form, show_bytes
from solvers.grading import grade
from solvers.growing import Grown, order
from solvers.reading.growth import Growth
from solvers.run import RunError
from solvers.symbolic import show_order
from solvers.verdict import Outcome
from solvers.worked import answers, work

NAMES = {"B": 3, "h": 4, "S_dec": 7, "S_enc": 11, "d_k": 16, "d_model": 64}
NAMED = AnswerFormat(Kind.NAMED_SHAPE, symbols=tuple(NAMES), sizes=tuple(NAMES.values()))


def _ask(node: str, form: AnswerFormat = NAMED) -> Ask:
    return Ask(node, form, (), Asked.SHAPE, same(node))


CROSS = Program(
    (("X", Shape((3, 7, 64))), ("E", Shape((3, 11, 64))), ("d_model", 64), ("h", 4)),
    (
        *(call(f"W_{name}", "weight", "d_model", "d_model") for name in "QKV"),
        call("Q", "project", "X", "W_Q"),
        call("K", "project", "E", "W_K"),
        call("V", "project", "E", "W_V"),
        *(call(f"{name}_h", "split_heads", name, "h") for name in "QKV"),
        call("S", "scores", "Q_h", "K_h"),
        call("A", "softmax", "S"),
        call("O", "mix", "A", "V_h"),
        call("H", "concat_heads", "O"),
    ),
    (_ask("S"),),
)
SCORES = CROSS
HEADS = CROSS.with_asks(_ask("O"))
JOINED = CROSS.with_asks(_ask("H"))

SHAPES = [
    (SCORES, "[B, h, S_dec, S_enc]", Outcome.RIGHT, None),
    (SCORES, "(N, H, T_q, S_kv)", Outcome.RIGHT, None),
    (SCORES, "B×h×S_dec×S_enc", Outcome.RIGHT, None),
    (SCORES, "（Ｂ，ｈ，Ｓ_dec，Ｓ_enc）", Outcome.RIGHT, None),
    (SCORES, "[B, d_model/d_k, S_dec, S_enc]", Outcome.RIGHT, None),
    (SCORES, "[B, h, S_enc, S_dec]", Outcome.KNOWN_MISTAKE, "scores.sources-swapped"),
    (SCORES, "[B, h, S_dec, S_dec]", Outcome.KNOWN_MISTAKE, "scores.square"),
    (SCORES, "[B, S_dec, S_enc]", Outcome.KNOWN_MISTAKE, "split_heads.forgotten"),
    (SCORES, "[B, h, S_enc]", Outcome.WRONG, None),
    (SCORES, "[h, B, S_dec, S_enc]", Outcome.WRONG, None),
    (SCORES, "[B, h, S_dec, d_k]", Outcome.WRONG, None),
    (SCORES, "[B, B*B, S_dec, S_enc]", Outcome.WRONG, None),
    (SCORES, "[B, h, S, S]", Outcome.UNREADABLE, None),
    (SCORES, "[3, 4, 7, 11]", Outcome.UNREADABLE, None),
    (SCORES, "[B, h, S_dec", Outcome.UNREADABLE, None),
    (SCORES, "[B, h, d, d]", Outcome.UNREADABLE, None),
    (SCORES, "the scores", Outcome.UNREADABLE, None),
    (HEADS, "[B, h, S_dec, d_k]", Outcome.RIGHT, None),
    (HEADS, "[B, h, S_dec, d_head]", Outcome.RIGHT, None),
    (HEADS, "[B, h, S_dec, d_model/h]", Outcome.RIGHT, None),
    (HEADS, "[B, h, S_dec, d_model]", Outcome.KNOWN_MISTAKE, "split_heads.undivided"),
    (HEADS, "[B, h, S_enc, d_k]", Outcome.KNOWN_MISTAKE, "scores.sources-swapped"),
    (JOINED, "[B, S_dec, d_model]", Outcome.RIGHT, None),
    (JOINED, "[B, S_dec, h·d_k]", Outcome.RIGHT, None),
    (JOINED, "[B, h, S_dec, d_k]", Outcome.KNOWN_MISTAKE, "concat_heads.forgotten"),
    (JOINED, "[B, S_dec, d_k]", Outcome.KNOWN_MISTAKE, "concat_heads.summed"),
]


@pytest.mark.parametrize(("program", "typed", "outcome", "mistake"), SHAPES, ids=[f"{row[1]}" for row in SHAPES])
def test_shapes_in_letters(program: Program, typed: str, outcome: Outcome, mistake: str | None) -> None:
    part = grade(program, [typed]).parts[0]
    assert (part.outcome, part.mistake) == (outcome, mistake), part
    assert part.message.en
    assert part.message.zh
    assert part.expected.en == answers(program)[0]


def test_what_was_read_as_what_is_said() -> None:
    notes = grade(SCORES, ["[N, H, L_q, L_k]"]).parts[0].notes
    assert [note.en for note in notes] == ["N was read as B.", "L_q was read as S_dec.", "L_k was read as S_enc."]
    assert notes[0].zh == "N 按 B 理解。"


def test_wrong_axes_are_pointed_out() -> None:
    part = grade(SCORES, ["[h, B, S_dec, S_enc]"]).parts[0]
    assert part.wrong_cells == ((0,), (1,))
    assert part.message.en == "Not right: axes 1 and 2. The names are right, but not their order."
    assert part.message.zh == "第 1、2 维不对。名称都对，顺序不对。"
    message = grade(SCORES, ["[B, S_enc]"]).parts[0].message
    assert message.en == "Not right: the shape has 4 dimensions, yours has 2."


def test_a_mistake_is_shown_in_letters() -> None:
    message = grade(SCORES, ["[B, h, S_enc, S_dec]"]).parts[0].message
    assert message.en.endswith("the shape [B, h, S_enc, S_dec].")
    assert message.zh.endswith("的形状是 [B, h, S_enc, S_dec]。")


def test_a_later_part_follows_from_a_shape_in_letters() -> None:
    program = CROSS.with_asks(_ask("V_h"), _ask("O"))
    verdict = grade(program, ["[B, h, S_enc, d_model]", "[B, h, S_dec, d_model]"])
    assert [part.outcome for part in verdict.parts] == [Outcome.KNOWN_MISTAKE, Outcome.RIGHT_AFTER_SLIP]


def test_sizes_survive_json_and_are_left_out_where_there_are_none() -> None:
    assert from_json(to_json(CROSS)) == CROSS
    plain = CROSS.with_asks(_ask("S", AnswerFormat(Kind.SHAPE)))
    assert "sizes" not in str(to_json(plain))
    assert work(CROSS)[-1].result == "[3, 4, 7, 11]"


# Orders ------------------------------------------------------------------------------------------------------------------


def _cost(operation: str, *inputs: str, symbols: tuple[str, ...], **parameters: str) -> Program:
    names = tuple(dict.fromkeys(inputs))
    return Program(
        tuple((name, 5 + number) for number, name in enumerate(names)),
        (call("F", operation, *inputs, **parameters),),
        (Ask("F", AnswerFormat(Kind.ORDER, symbols=symbols), label=same("F")),),
    )


ATTENTION = _cost("attention_flops", "S", "S", "d_model", symbols=("S", "d_model"), part="attention")
PROJECTIONS = _cost("attention_flops", "S", "S", "d_model", symbols=("S", "d_model"), part="projections")
LAYER = _cost("layer_flops", "S", "d_model", "d_ff", symbols=("S", "d_model"))
CACHED = _cost("decode_dot_products", "n", "h", symbols=("n",))
UNCACHED = _cost("decode_dot_products", "n", "h", symbols=("n",), cache="no", mask="causal")

ORDERS = [
    (ATTENTION, "O(S²·d_model)", Outcome.RIGHT, None),
    (ATTENTION, "O(S^2 d)", Outcome.RIGHT, None),
    (ATTENTION, "Θ(d*n^2)", Outcome.RIGHT, None),
    (ATTENTION, "O(4 T² D + T)", Outcome.RIGHT, None),
    (ATTENTION, "Ｏ（Ｓ²ｄ）", Outcome.RIGHT, None),
    (ATTENTION, "O(S d)", Outcome.KNOWN_MISTAKE, "ask.power-too-few"),
    (ATTENTION, "O(S^2)", Outcome.KNOWN_MISTAKE, "ask.power-too-few"),
    (ATTENTION, "O(S^3 d)", Outcome.KNOWN_MISTAKE, "ask.power-too-many"),
    (ATTENTION, "O(S d²)", Outcome.KNOWN_MISTAKE, "attention_flops.projections"),
    (ATTENTION, "O(S²d + S d²)", Outcome.KNOWN_MISTAKE, "attention_flops.whole-layer"),
    (ATTENTION, "O(1)", Outcome.WRONG, None),
    (ATTENTION, "O(S log S)", Outcome.WRONG, None),
    (ATTENTION, "Ω(S²d)", Outcome.UNREADABLE, None),
    (ATTENTION, "O(2^S)", Outcome.UNREADABLE, None),
    (ATTENTION, "O(S2d)", Outcome.UNREADABLE, None),
    (ATTENTION, "quadratic", Outcome.UNREADABLE, None),
    (PROJECTIONS, "O(S·d²)", Outcome.RIGHT, None),
    (PROJECTIONS, "O(S²d)", Outcome.KNOWN_MISTAKE, "attention_flops.products"),
    (LAYER, "O(S²d + S d²)", Outcome.RIGHT, None),
    (LAYER, "O(S d (S + d))", Outcome.RIGHT, None),
    (LAYER, "O(S²d)", Outcome.WRONG, None),
    (CACHED, "O(n)", Outcome.RIGHT, None),
    (CACHED, "O(n²)", Outcome.KNOWN_MISTAKE, "decode_dot_products.no-cache"),
    (UNCACHED, "O(S²)", Outcome.RIGHT, None),
    (UNCACHED, "O(n)", Outcome.KNOWN_MISTAKE, "decode_dot_products.cache"),
]


@pytest.mark.parametrize(("program", "typed", "outcome", "mistake"), ORDERS, ids=[f"{row[1]}" for row in ORDERS])
def test_orders_of_growth(program: Program, typed: str, outcome: Outcome, mistake: str | None) -> None:
    part = grade(program, [typed]).parts[0]
    assert (part.outcome, part.mistake) == (outcome, mistake), part
    assert part.expected.en == answers(program)[0]


def test_an_order_agrees_with_the_numbers_far_out() -> None:
    """The second route: when a symbol is multiplied by 1,000, the count grows by that to its power."""
    for program, symbol, power in ((ATTENTION, "S", 2), (ATTENTION, "d_model", 1), (UNCACHED, "n", 2), (CACHED, "n", 1)):
        counts = [
            float(answers(program.with_inputs(**{symbol: size}).with_asks(Ask("F", AnswerFormat(Kind.INTEGER))))[0])
            for size in (10**6, 10**9)
        ]
        assert counts[1] / counts[0] == pytest.approx(1000**power, rel=1e-5)
        word = order(program, "F", program.asks[0].format)
        assert f"{symbol}^{power}" in word if power > 1 else symbol in word.split("*")


def test_the_new_length_over_the_old_is_of_the_order_of_what_is_counted() -> None:
    linear = _cost("length_factor", "S", "T", symbols=("T",), of="cache")
    assert answers(linear) == ("O(T)",)
    assert answers(_cost("length_factor", "S", "T", symbols=("T",), of="scores")) == ("O(T²)",)
    assert grade(linear, ["O(S)"]).parts[0].notes[0].en == "S was read as T."


def test_what_does_not_grow_like_a_polynomial_has_no_order() -> None:
    exponential = _cost("length_factor", "S", "T", symbols=("T",), form="exponential")
    with pytest.raises(RunError, match="no order of growth"):
        answers(exponential)


def test_polynomials_calculate_as_numbers_do() -> None:
    n, d = (Grown(Growth.symbol(which, 2), 2) for which in (0, 1))
    assert (n + 1) * (n - 1) == n * n - 1
    assert 2 * n * d / n == d + d
    assert n**2 == n * n
    assert 1 / n * n == 1
    assert 3 - n != n - 3
    with pytest.raises(ArithmeticError):
        n**d


@pytest.mark.parametrize(
    ("word", "shown"),
    [("S^2*d", "O(S²·d)"), ("n^2 + n*S", "O(n² + n·S)"), ("S^12", "O(S¹²)"), ("1", "O(1)"), ("n^-1", "O(n^-1)")],
)
def test_orders_are_written_as_on_a_page(word: str, shown: str) -> None:
    assert show_order(word) == shown


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (1 / 3, "1/3"), (-2 / 7, "-2/7"), (12**0.5, "2√3"), (-(0.75**0.5), "-√3/2"), (45**0.5 / 2, "3√5/2"), (2**-0.5, "√2/2"),
        (math.log(13), "ln 13"), (math.log(2 / 3), "ln(2/3)"), (0.1234567, None), (math.pi, None), 
        (1e-9, None), (12345.678, None),
    ],
)  # fmt: skip
def test_numbers_in_closed_form_are_read_back(number: float, written: str | None) -> None:
    assert closed_form(number) == written
    if written is not None:
        answer = read(written, AnswerFormat(Kind.EXPRESSION))
        assert isinstance(answer, Answer)
        assert math.isclose(to_float(answer.cells[0].value), number, rel_tol=1e-14)


@pytest.mark.parametrize(
    ("size", "written"),
    [
        (Fraction(2**30), "1 GiB"), (Fraction(1536), "1.5 KiB"), (Fraction(3_000_000), "3 MB"), (Fraction(7), "7 B"),
        (Fraction(100, 3), "33.333 B"),
    ],
)  # fmt: skip
def test_sizes_are_written_in_a_short_unit(size: Fraction, written: str) -> None:
    assert show_bytes(size) == written
