"""Reading typed answers: nothing raises, evaluates or hangs, and what is understood reads the same when typed back."""

from __future__ import annotations

import ast
import math
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from question_bank.exact import Exact, Expression, NotANumberError, is_finite, show, to_float, to_fraction
from question_bank.program import AnswerFormat, Kind
from solvers import answers
from solvers.answers import MAX_CHARACTERS, Answer, Unreadable, read, read_value
from solvers.reading import fast
from tests.solvers import test_answers, test_answers_arrays, test_answers_counts, test_answers_words
from tests.solvers.test_answers import FORMS, MATRIX, NUMBER, ORDER, PERCENT, VECTOR, answer

TYPED: tuple[tuple[str, AnswerFormat], ...] = (
    *((row[0], NUMBER) for row in test_answers.NUMBERS),
    *((row[0], PERCENT) for row in test_answers_counts.PERCENTAGES),
    *((row[0], test_answers.INTEGER) for row in test_answers_counts.INTEGERS),
    *((row[0], test_answers.BYTES) for row in test_answers_counts.SIZES),
    *((row[0], VECTOR) for row in test_answers_arrays.VECTORS),
    *((row[0], MATRIX) for row in test_answers_arrays.MATRICES),
    *((row[0], test_answers.SHAPE) for row in test_answers_arrays.SHAPES),
    *((row[0], ORDER) for row in test_answers_words.ORDERS),
    *((row[0], test_answers.NAMED) for row in test_answers_words.NAMED_SHAPES),
    *((row[0], test_answers.CHOICE) for row in test_answers_words.CHOICES),
    *((typed, test_answers.YES_NO) for typed in test_answers_words.YES + test_answers_words.NO),
)
"""Every answer of the tables that can be read, with the form in which it was asked."""

PIECES = (
    *"0123456789.,;:+-−–*/^()[]{}eE%√∞πxX|&_'\"`$\\ \t\n　·×½²⁻ₙ…，。；（）［］１０nd=<>!?@#~٣五é😀\u200b\ufeff\x00\ud800",
    "1e5", "0.5", "1/2", "sqrt", "ln ", "exp(", "e^", "10^", "inf", "nan", "tensor(", "array(", ", dtype=", "grad_fn=<",
    "torch.Size([", "np.float64(", "\\frac{", "\\sqrt{", "\\begin{pmatrix}", "\\end{pmatrix}", "\\\\", "O(", "log ", "GiB",
    " MB", "x = ", "答案：", "S_dec", "], [", "\n\n", "...", "```", "9**", "⎡", "⎦", "│", "yes", "是",
)  # fmt: skip


# Nothing raises -------------------------------------------------------------------------------------------------------------


def never_raises(typed: str) -> None:
    for form in FORMS:
        found = read(typed, form)
        assert isinstance(found, Answer | Unreadable)
        if isinstance(found, Answer):
            size = math.prod(found.dimensions) if form.kind != Kind.SHAPE else found.dimensions[0]
            assert len(found.cells) == size or form.kind in (Kind.ORDER, Kind.NAMED_SHAPE, Kind.CHOICE, Kind.YES_NO)
            assert all(is_finite(cell.value) or cell.decimals is None for cell in found.cells)
            assert all(abs(to_fraction(cell.value)) < 10**400 for cell in found.cells if is_finite(cell.value))
        else:
            said = found.message
            assert said.en
            assert any("一" <= symbol <= "鿿" for symbol in said.zh)
            assert "$" not in said.en + said.zh
            assert found.offset is None or 0 <= found.offset <= len(typed)
    assert isinstance(read_value(typed), int | Fraction | Expression | tuple | Unreadable)


@given(st.text(st.characters(exclude_categories=()), max_size=MAX_CHARACTERS))
def test_any_text(typed: str) -> None:
    never_raises(typed)


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_text_of_the_signs_that_answers_are_made_of(typed: str) -> None:
    never_raises(typed)


@given(st.sampled_from(PIECES), st.sampled_from(PIECES), st.integers(1, 2000))
def test_any_repetition(first: str, second: str, times: int) -> None:
    never_raises((first * times)[: MAX_CHARACTERS // 2] + (second * times)[: MAX_CHARACTERS // 2])


@given(st.sampled_from(TYPED), st.randoms(use_true_random=False))
def test_mutations_of_valid_answers(row: tuple[str, AnswerFormat], random: Random) -> None:
    never_raises(mutated(row[0], random))


def mutated(typed: str, random: Random) -> str:
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(typed))
        end = min(len(typed), at + random.randint(0, 3))
        typed = typed[:at] + random.choice(("", random.choice(PIECES), typed[at:end] * 2)) + typed[end:]
    return typed


@pytest.mark.parametrize("name", ["eval", "exec", "compile", "sympify", "literal_eval", "__import__", "getattr", "parse_expr"])
def test_nothing_typed_can_be_evaluated(name: str) -> None:
    package = Path(answers.__file__).parent
    for path in (package / "answers.py", *(package / "reading").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                called = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
                compiles_a_pattern = isinstance(function, ast.Attribute) and ast.unparse(function) == "re.compile"
                assert called != name or compiles_a_pattern, f"{path.name}:{node.lineno}"
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert name not in {alias.name for alias in node.names}


def test_the_reader_needs_neither_torch_nor_sympy_nor_numpy() -> None:
    program = "import sys, solvers.answers; print(*{'torch', 'sympy', 'numpy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


@pytest.mark.parametrize("around", ["{} q", "q q {}", "{} 字", "{}?", "{} 0.5.5", "#{}"])
def test_all_of_it_is_read_or_none_of_it(around: str) -> None:
    for typed, form in TYPED:
        assert isinstance(read(around.replace("{}", typed), form), Unreadable), typed


# What is understood reads the same when typed back --------------------------------------------------------------------------


def same_value(new: Exact, old: Exact) -> bool:
    """Compare exactly; a·(b/c), written a·b/c, comes back as (a·b)/c, the same to the last of forty digits."""
    if new == old or not (isinstance(new, Expression) and isinstance(old, Expression)):
        return new == old
    return abs(to_fraction(new) - to_fraction(old)) <= abs(to_fraction(old)) / 10**35


def typed_back(found: Answer) -> None:
    for written in (found.understood.en, found.understood.zh):
        again = answer(written, found.format)
        assert all(same_value(new.value, old.value) for new, old in zip(again.cells, found.cells, strict=True))
        assert (again.dimensions, again.word, again.unit) == (found.dimensions, found.word, found.unit)
        assert again.understood == found.understood
        assert again.notes == ()
        for new, old in zip(again.cells, found.cells, strict=True):
            # A literal keeps its digits; an exact form that came out whole, such as 2^3, is written as a whole number.
            assert new == old or old.decimals is None


@pytest.mark.parametrize(("typed", "form"), TYPED, ids=lambda case: repr(case)[:40])
def test_every_answer_of_the_tables_typed_back(typed: str, form: AnswerFormat) -> None:
    typed_back(answer(typed, form))


@given(st.sampled_from(TYPED), st.randoms(use_true_random=False))
def test_whatever_can_be_read_typed_back(row: tuple[str, AnswerFormat], random: Random) -> None:
    for _ in range(20):
        found = read(mutated(row[0], random), row[1])
        if isinstance(found, Answer):
            typed_back(found)


# Numbers written in many ways, against the numbers themselves ---------------------------------------------------------------

plain_numbers = st.builds(
    lambda sign, digits, places: f"{sign}{digits // 10**places}" + (f".{digits % 10**places:0{places}}" if places else ""),
    st.sampled_from(("", "-")),
    st.integers(0, 99_999),
    st.integers(0, 4),
)


@st.composite
def matrices(draw: st.DrawFn, rows: int = 4) -> list[list[str]]:
    width = draw(st.integers(2, 4))
    return draw(st.lists(st.lists(plain_numbers, min_size=width, max_size=width), min_size=2, max_size=rows))


def joined(row: list[str], between: str, left: str = "", right: str = "") -> str:
    return left + between.join(row) + right


VECTOR_STYLES = (
    lambda row: joined(row, ", ", "[", "]"),
    lambda row: joined(row, ",", "[", "]"),
    lambda row: joined(row, " "),
    lambda row: joined(row, "  ", "[ ", " ]"),
    lambda row: joined(row, "; "),
    lambda row: joined(row, "\n"),
    lambda row: joined(row, ",\n        ", "tensor([", "], dtype=torch.float64)"),
    lambda row: joined(row, "，", "（", "）").replace("-", "−") if any("." in one for one in row) else joined(row, "， "),
    lambda row: joined(row, " & ", "\\begin{pmatrix}", "\\end{pmatrix}"),
    lambda row: joined(row, " | ", "| ", " |"),
    lambda row: joined([one.replace(".", ",") for one in row], " "),
    lambda row: joined([one.replace(".", ",") for one in row], "; "),
)

MATRIX_STYLES = (
    lambda rows: joined([joined(row, ", ", "[", "]") for row in rows], ", ", "[", "]"),
    lambda rows: joined([joined(row, ",", "[", "]") for row in rows], ",", "[", "]"),
    lambda rows: joined([joined(row, " ", "[", "]") for row in rows], "\n ", "[", "]"),
    lambda rows: joined([joined(row, " ") for row in rows], "\n"),
    lambda rows: joined([joined(row, "\t") for row in rows], "\r\n"),
    lambda rows: joined([joined(row, ", ") for row in rows], "\n"),
    lambda rows: joined([joined(row, " ") for row in rows], "; ", "[", "]"),
    lambda rows: joined([joined(row, ", ") for row in rows], "; ", "[", "]"),
    lambda rows: joined([joined(row, ", ", "[", "]") for row in rows], ",\n        ", "tensor([", "], grad_fn=<MmBackward0>)"),
    lambda rows: joined([joined(row, " & ") for row in rows], " \\\\ ", "$\\begin{bmatrix}", "\\end{bmatrix}$"),
    lambda rows: joined([joined(row, " | ", "| ", " |") for row in rows], "\n"),
    lambda rows: joined([joined(row, "，", "［", "］") for row in rows], "；", "［", "］"),
)


@given(st.lists(plain_numbers, min_size=2, max_size=6), st.sampled_from(VECTOR_STYLES))
def test_vectors_in_every_style(row: list[str], style: object) -> None:
    assert callable(style)
    found = answer(style(row), VECTOR)
    assert [cell.value for cell in found.cells] == list(map(Fraction, row))
    assert [cell.decimals for cell in found.cells] == [len(one.partition(".")[2]) for one in row]


@given(matrices(), st.sampled_from(MATRIX_STYLES))
def test_matrices_in_every_style(rows: list[list[str]], style: object) -> None:
    assert callable(style)
    found = answer(style(rows), MATRIX)
    assert found.dimensions == (len(rows), len(rows[0]))
    assert [cell.value for cell in found.cells] == [Fraction(one) for row in rows for one in row]


# The short way and the long way ---------------------------------------------------------------------------------------------

almost_plain = st.one_of(
    st.lists(st.one_of(plain_numbers, st.sampled_from((" ", ",", ", ", "[", "]", "\n", ";", "-", "+", "."))), max_size=14).map(
        "".join
    ),
    st.builds(lambda row, style: style(row), st.lists(plain_numbers, min_size=1, max_size=5), st.sampled_from(VECTOR_STYLES)),
    st.builds(lambda rows, style: style(rows), matrices(), st.sampled_from(MATRIX_STYLES)),
)


@given(almost_plain, st.sampled_from((NUMBER, PERCENT, VECTOR, MATRIX, test_answers.EXPRESSION)))
def test_the_short_way_reads_as_the_long_way_does(typed: str, form: AnswerFormat) -> None:
    short = fast.read_plain(typed, form)
    if short is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "read_plain", lambda *_: None)
        assert read(typed, form) == short


def test_the_short_way_is_taken_where_it_matters() -> None:
    for typed, form in (
        ("0.198", NUMBER),
        ("-3", NUMBER),
        ("37.5", PERCENT),
        ("0.198 0.401 0.401", VECTOR),
        ("[0.198, 0.401, 0.401]", VECTOR),
        ("[0.198,0.401,0.401]", VECTOR),
        ("[1,2,3]", VECTOR),
        ("[[0.1978, 0.4011], [0.4011, 0.1978]]", MATRIX),
        ("[[1,2],[3,4]]", MATRIX),
        ("0.1978 0.4011\n0.4011 0.1978", MATRIX),
    ):
        assert fast.read_plain(typed, form) is not None


# Formulas against Python's own arithmetic, and the answers that the product itself displays ---------------------------------

leaves = st.one_of(
    st.integers(0, 30),
    st.builds(Fraction, st.integers(0, 99), st.sampled_from((2, 4, 5, 8, 10, 100, 3, 7))),
    st.sampled_from((Expression("e"), Expression("pi"))),
)


def grown(inner: st.SearchStrategy[Exact]) -> st.SearchStrategy[Exact]:
    unary = st.builds(lambda operator, one: Expression(operator, (one,)), st.sampled_from(("neg", "sqrt", "exp", "ln")), inner)
    binary = st.builds(
        lambda operator, one, other: Expression(operator, (one, other)),
        st.sampled_from(("+", "-", "*", "/", "^")),
        inner,
        inner,
    )
    return unary | binary


expressions: st.SearchStrategy[Exact] = st.recursive(leaves, grown, max_leaves=8)


@given(expressions)
def test_an_exact_form_as_displayed_is_read_as_the_same_number(value: Exact) -> None:
    try:
        expected = to_float(value)
    except NotANumberError:
        assume(False)
    assume(expected == 0 or 1e-30 < abs(expected) < 1e30)
    found = read(show(value), test_answers.EXPRESSION)
    if isinstance(found, Unreadable):
        # Bounds on the way, such as 30^(30^2) under a root, are the only reason.
        assert any(reason in found.message.en for reason in ("too large", "too small", "no real value", "divide by 0", "0·"))
        return
    assert math.isclose(to_float(found.cells[0].value), expected, rel_tol=1e-9, abs_tol=1e-9)


def in_latex(value: Exact) -> str:
    if not isinstance(value, Expression):
        return str(value) if isinstance(value, int) else f"\\frac{{{value.numerator}}}{{{value.denominator}}}"
    inner = [in_latex(operand) for operand in value.operands]
    return {
        "neg": "-\\left({0}\\right)", "sqrt": "\\sqrt{{{0}}}", "exp": "e^{{{0}}}", "ln": "\\ln({0})", "e": "e", "pi": "\\pi",
        "+": "({0}) + ({1})", "-": "({0}) - ({1})", "*": "({0}) \\cdot ({1})", "/": "\\frac{{{0}}}{{{1}}}",
        "^": "({0})^{{{1}}}",
    }[value.operator].format(*inner)  # fmt: skip


@given(expressions)
def test_an_exact_form_in_latex_is_read_as_the_same_number(value: Exact) -> None:
    try:
        expected = to_float(value)
    except NotANumberError:
        assume(False)
    found = read(in_latex(value), test_answers.EXPRESSION)
    assume(isinstance(found, Answer))
    assert isinstance(found, Answer)
    assert math.isclose(to_float(found.cells[0].value), expected, rel_tol=1e-9, abs_tol=1e-9)


# Orders: constants, lower terms and the order of writing change nothing -----------------------------------------------------

powers = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=3, unique=True)


@given(powers, st.randoms(use_true_random=False))
def test_equal_orders_have_one_normal_form(terms: list[tuple[int, int]], random: Random) -> None:
    plain = " + ".join(f"n^{n} d^{d}" for n, d in terms)
    lower = [(max(0, n - random.randint(0, 2)), d) for n, d in terms]
    written = terms + lower
    random.shuffle(written)
    disguised = " + ".join(
        "·".join([str(random.randint(1, 9)), *random.sample(["n"] * n + ["d"] * d, n + d)]) for n, d in written
    )
    assert answer(f"Θ({disguised})", ORDER).word == answer(f"O({plain})", ORDER).word


# Time -----------------------------------------------------------------------------------------------------------------------


def random_text(random: Random) -> str:
    how = random.randrange(5)
    if how == 0:
        length = random.choice((5, 50, 500, MAX_CHARACTERS))
        return "".join(chr(random.randrange(0x110000)) for _ in range(random.randint(0, length)))
    if how == 1:
        return "".join(random.choices(PIECES, k=random.choice((5, 20, 100, 1000))))[:MAX_CHARACTERS]
    if how == 2:
        unit = "".join(random.choices(PIECES, k=random.randint(1, 5)))
        return (random.choice(("", "[", "(")) + unit * MAX_CHARACTERS)[: random.choice((40, 400, MAX_CHARACTERS))]
    if how == 3:
        typed = random.choice(TYPED)[0]
        return "\n".join([typed] * random.choice((1, 3, 300)))[:MAX_CHARACTERS]
    return mutated(random.choice(TYPED)[0], random)


HANGS = 1.0
"""Seconds after which a text is one that makes the reader hang; how fast it is, the benchmarks tell."""


def check_random_texts(count: int, seed: str) -> None:
    random = Random(seed)
    for _ in range(count):
        typed, form = random_text(random), random.choice(FORMS)
        start = time.process_time()
        read(typed, form)
        assert time.process_time() - start < HANGS, (form.kind, typed)


def test_random_texts_are_read() -> None:
    check_random_texts(2_000, "short")


@pytest.mark.long
def test_100_000_random_texts_are_read() -> None:
    check_random_texts(100_000, "long")
