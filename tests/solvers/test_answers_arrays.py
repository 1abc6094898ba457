"""Reading vectors, matrices, shapes and one's own numbers, in the forms in which people and programs write them."""

from __future__ import annotations

import pytest

from question_bank.exact import INFINITY, MINUS_INFINITY, Expression
from question_bank.program import AnswerFormat, Kind
from solvers.answers import Answer, Unreadable, read, read_value
from tests.solvers.test_answers import MATRIX, SHAPE, VECTOR, answer, refusal, same_number

# Typed, numbers row by row, dimensions where they are not those of one row --------------------------------------------------

VECTORS: tuple[tuple[str, str] | tuple[str, str, tuple[int, ...]], ...] = (
    ("[0.2, 0.3, 0.5]", "0.2 0.3 0.5"),
    ("0.2 0.3 0.5", "0.2 0.3 0.5"),
    ("0.2,0.3,0.5", "0.2 0.3 0.5"),
    (" 0.2 ,  0.3 ,\t0.5 ", "0.2 0.3 0.5"),
    ("0.2\t0.3\t0.5", "0.2 0.3 0.5"),
    ("(0.2, 0.3, 0.5)", "0.2 0.3 0.5"),
    ("{0.2, 0.3, 0.5}", "0.2 0.3 0.5"),
    ("（０．２，０．３，０．５）", "0.2 0.3 0.5"),
    ("【0.2，0.3，0.5】", "0.2 0.3 0.5"),
    ("0.2、0.3、0.5", "0.2 0.3 0.5"),
    ("0。2，0。3，0。5", "0.2 0.3 0.5"),
    ("0.2\u20030.3\u00a00.5", "0.2 0.3 0.5"),
    ("0.2; 0.3; 0.5", "0.2 0.3 0.5"),
    ("[0.2; 0.3; 0.5]", "0.2 0.3 0.5"),
    ("0.2\n0.3\n0.5\n", "0.2 0.3 0.5"),
    ("0.2\r\n0.3\r\n0.5", "0.2 0.3 0.5"),
    ("[0.2, 0.3, 0.5,]", "0.2 0.3 0.5"),
    ("0.2, 0.3, 0.5,", "0.2 0.3 0.5"),
    ("[0.2, 0.3, 0.5].", "0.2 0.3 0.5"),
    ("0,2 0,3 0,5", "0.2 0.3 0.5"),
    ("0,2; 0,3; 0,5", "0.2 0.3 0.5"),
    ("0,2\n0,3\n0,5", "0.2 0.3 0.5"),
    ("0,5 1 0,25", "0.5 1 0.25"),
    ("[1,234]", "1 234"),
    ("1,2,3", "1 2 3"),
    ("0,2, 0,3, 0,5", "0 2 0 3 0 5"),
    ("1,2 3,4 5,6", "1.2 3.4 5.6"),
    ("1 -2 3", "1 -2 3"),
    ("[1 -2 +3]", "1 -2 3"),
    ("[ 1, -2,  3]", "1 -2 3"),
    ("[1-2 3]", "-1 3"),
    ("[1 - 2, 3]", "-1 3"),
    ("1/2 1/3 1/6", "1/2 1/3 1/6"),
    ("1 2/3", "1 2/3"),
    ("[½, ¼, ¼]", "1/2 1/4 1/4"),
    ("√2 √3", "~1.4142135623730951 ~1.7320508075688772"),
    ("2 √3", "2 ~1.7320508075688772"),
    ("2√3 4", "~3.4641016151377544 4"),
    ("ln 2 ln 3", "~0.6931471805599453 ~1.0986122886681098"),
    ("[sqrt(2)/2, e^(1/2), (1+2)/4]", "~0.7071067811865476 ~1.6487212707001282 3/4"),
    ("20% 30% 50%", "0.2 0.3 0.5"),
    ("20 %, 30 %, 50 %", "0.2 0.3 0.5"),
    ("2e-1 3e-1 5e-1", "0.2 0.3 0.5"),
    ("2×10⁻¹, 3×10⁻¹, 5×10⁻¹", "0.2 0.3 0.5"),
    ("-inf 0 inf nan", "-inf 0 inf nan"),
    ("tensor([0.2000, 0.3000, 0.5000])", "0.2 0.3 0.5"),
    ("tensor([0.2000, 0.3000,\n        0.5000], grad_fn=<SelectBackward0>)", "0.2 0.3 0.5"),
    ("tensor([2., 3., 5.], device='cuda:0', dtype=torch.float64, requires_grad=True)", "2 3 5"),
    ("torch.tensor([0.2, 0.3, 0.5])", "0.2 0.3 0.5"),
    ("Parameter containing:\ntensor([0.2, 0.3], requires_grad=True)", "0.2 0.3"),
    ("tensor([-inf, 1.0000e+00, 2.5000e-05])", "-inf 1 0.000025"),
    ("array([0.2, 0.3, 0.5])", "0.2 0.3 0.5"),
    ("np.array([0.2, 0.3, 0.5], dtype=float32)", "0.2 0.3 0.5"),
    ("[np.float64(0.2), np.float64(0.3)]", "0.2 0.3"),
    ("[0.2 0.3 0.5]", "0.2 0.3 0.5"),
    ("[0.2 0.3\n 0.5 0.7]", "0.2 0.3 0.5 0.7"),
    ("[1.e+00 2.e-01]", "1 0.2"),
    ("p = [0.2, 0.3, 0.5]", "0.2 0.3 0.5"),
    ("O[1, :] = tensor([0.2, 0.3])", "0.2 0.3"),
    ("$(0.2, 0.3, 0.5)$", "0.2 0.3 0.5"),
    ("\\begin{pmatrix} 0.2 & 0.3 & 0.5 \\end{pmatrix}", "0.2 0.3 0.5"),
    ("\\begin{bmatrix}0.2\\\\0.3\\\\0.5\\end{bmatrix}", "0.2 0.3 0.5"),
    ("\\left[\\tfrac{1}{5}, \\sqrt{2}\\right]", "0.2 ~1.4142135623730951"),
    ("\\left\\{0.2,\\ 0.3\\right\\}", "0.2 0.3"),
    ("| 0.2 | 0.3 | 0.5 |", "0.2 0.3 0.5"),
    ("⎡0.2⎤\n⎢0.3⎥\n⎣0.5⎦", "0.2 0.3 0.5"),
    ("0.2", "0.2"),
    ("[0.2]", "0.2"),
    ("(0.2,)", "0.2"),
    ("((0.2, 0.3))", "0.2 0.3"),
    ("[[0.2, 0.3, 0.5]]", "0.2 0.3 0.5", (1, 3)),
    ("[[0.2], [0.3]]", "0.2 0.3", (2, 1)),
    ("1 2; 3 4; 5 6", "1 2 3 4 5 6", (3, 2)),
    ("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", "1 2 3 4 5 6 7 8", (2, 2, 2)),
)

MATRICES: tuple[tuple[str, str] | tuple[str, str, tuple[int, ...]], ...] = (
    ("[[0.5, -1], [2, 0.25]]", "0.5 -1 2 0.25"),
    ("[[0.5,-1],[2,0.25]]", "0.5 -1 2 0.25"),
    ("0.5 -1\n2 0.25", "0.5 -1 2 0.25"),
    ("0.5 -1\n\n  2 0.25\n", "0.5 -1 2 0.25"),
    ("0.5, -1\n2, 0.25", "0.5 -1 2 0.25"),
    ("0.5,-1,\n2,0.25,", "0.5 -1 2 0.25"),
    ("0.5\t-1\n2\t0.25", "0.5 -1 2 0.25"),
    ("0.5 -1; 2 0.25", "0.5 -1 2 0.25"),
    ("[0.5 -1; 2 0.25]", "0.5 -1 2 0.25"),
    ("[0.5, -1; 2, 0.25;]", "0.5 -1 2 0.25"),
    ("[0.5 -1\n 2 0.25]", "0.5 -1 2 0.25"),
    ("［［０．５，－１］；［２，０．２５］］", "0.5 -1 2 0.25"),
    ("[[0.5 -1]\n [2 0.25]]", "0.5 -1 2 0.25"),
    ("[[ 0.5  -1.  ]\n [ 2.    0.25]]", "0.5 -1 2 0.25"),
    ("[0.5, -1]\n[2, 0.25]", "0.5 -1 2 0.25"),
    ("[0.5, -1], [2, 0.25]", "0.5 -1 2 0.25"),
    ("[0.5 -1] [2 0.25]", "0.5 -1 2 0.25"),
    ("((0.5, -1), (2, 0.25))", "0.5 -1 2 0.25"),
    ("{{0.5, -1}, {2, 0.25}}", "0.5 -1 2 0.25"),
    ("tensor([[ 0.5000, -1.0000],\n        [ 2.0000,  0.2500]], dtype=torch.float64)", "0.5 -1 2 0.25"),
    ("array([[ 0.5 , -1.  ],\n       [ 2.  ,  0.25]])", "0.5 -1 2 0.25"),
    ("Matrix([[1/2, -1], [2, 1/4]])", "0.5 -1 2 0.25"),
    ("A = [[0.5, -1], [2, 0.25]]", "0.5 -1 2 0.25"),
    ("```\n0.5 -1\n2 0.25\n```", "0.5 -1 2 0.25"),
    ("| 0.5 | -1 |\n|-----|----|\n| 2 | 0.25 |", "0.5 -1 2 0.25"),
    ("|0.5 -1|\n|2 0.25|", "0.5 -1 2 0.25"),
    ("┌           ┐\n│ 0.5  -1   │\n│ 2    0.25 │\n└           ┘", "0.5 -1 2 0.25"),
    ("⎡0.5  -1 ⎤\n⎣2   0.25⎦", "0.5 -1 2 0.25"),
    ("\\begin{pmatrix}0.5 & -1 \\\\ 2 & 0.25\\end{pmatrix}", "0.5 -1 2 0.25"),
    ("$$A = \\left[\\begin{array}{rr}0.5 & -1\\\\ 2 & \\frac{1}{4}\\end{array}\\right]$$", "0.5 -1 2 0.25"),
    ("0.5 & -1 \\\\ 2 & 0.25", "0.5 -1 2 0.25"),
    ("0.5 -1\\n2 0.25", "0.5 -1 2 0.25"),
    ("0,5 -1\n2 0,25", "0.5 -1 2 0.25"),
    ("0,5 -1; 2 0,25", "0.5 -1 2 0.25"),
    ("0,5\t-1\n2\t0,25", "0.5 -1 2 0.25"),
    ("\\begin{pmatrix}0{,}5 & -1 \\\\ 2 & 0{,}25\\end{pmatrix}", "0.5 -1 2 0.25"),
    ("[1,2;3,4]", "1 2 3 4"),  # the reading that has the dimensions asked
    ("1,2\n3,4", "1 2 3 4"),
    ("[[1,2],[3,4]]", "1 2 3 4"),
    ("1 -1\n-1 1", "1 -1 -1 1"),
    ("1/2 1/2\n1/3 2/3", "1/2 1/2 1/3 2/3"),
    ("[[1, -inf], [1, 1]]", "1 -inf 1 1"),
    ("[[0.1 0.2 0.3\n  0.4]\n [0.5 0.6 0.7\n  0.8]]", "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8", (2, 4)),
    ("1 2 3", "1 2 3", (1, 3)),
    ("[1, 2, 3]", "1 2 3", (1, 3)),
    ("1\n2\n3", "1 2 3", (3, 1)),
    ("[1; 2; 3]", "1 2 3", (3, 1)),
    ("7", "7", (1, 1)),
    ("[[[1, 2]], [[3, 4]]]", "1 2 3 4", (2, 1, 2)),
)


def check(typed: str, numbers: str, dimensions: tuple[int, ...], form: AnswerFormat) -> None:
    found = answer(typed, form)
    expected = numbers.split()
    assert found.dimensions == dimensions
    assert len(found.cells) == len(expected)
    assert all(same_number(cell.value, number) for cell, number in zip(found.cells, expected, strict=True)), found.understood


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: repr(case[0]))
def test_vector(case: tuple[str, str] | tuple[str, str, tuple[int, ...]]) -> None:
    check(case[0], case[1], case[2] if len(case) > 2 else (len(case[1].split()),), VECTOR)


@pytest.mark.parametrize("case", MATRICES, ids=lambda case: repr(case[0]))
def test_matrix(case: tuple[str, str] | tuple[str, str, tuple[int, ...]]) -> None:
    check(case[0], case[1], case[2] if len(case) > 2 else (2, 2), MATRIX)


def test_places_and_digits_of_each_cell_are_kept() -> None:
    cells = answer("[0.20, 1, .050, 1/2, 7e-3, 70%]", VECTOR).cells
    assert [(cell.decimals, cell.significant, cell.percent) for cell in cells] == [
        (2, 2, False),
        (0, 1, False),
        (3, 2, False),
        (None, None, False),
        (3, 1, False),
        (2, 2, True),
    ]


NO_ARRAYS = (
    ("1 - 2 3", "a sign or an operator?"),
    ("1 + 2 3", "a sign or an operator?"),
    ("1- 2 3", "a sign or an operator?"),
    ("- 1 2", "a bullet or a minus sign?"),
    ("- 0.5\n- 0.5", "a bullet or a minus sign?"),
    ("1, 2 3", "Spaces and commas both separate"),
    ("[1 -2, 3]", "Spaces and commas both separate"),
    ("0.5 0.5; 0,25 0.75", "Spaces and commas both separate"),
    ("1,,2", "A number is missing before “,” (character 3)"),
    ("[,1]", "A number is missing"),
    ("1;;2", "A number is missing"),
    ("; 1", "A number is missing"),
    ("[1,2", "“[” (character 1) is not closed"),
    ("1,2]", "“]” (character 4) has no match"),
    ("[1,2)", "“)” (character 5) has no match"),
    ("[]", "no number in the brackets"),
    ("tensor([])", "no number in the brackets"),
    ("[[], []]", "no number in the brackets"),
    ("[[1, 2], [3]]", "row 2 has 1, row 1 has 2"),
    ("1 2\n3 4\n5 6 7", "row 3 has 3, row 1 has 2"),
    ("1 2; 3", "row 2 has 1, row 1 has 2"),
    ("[1, [2, 3]]", "part 2 is not built like part 1"),
    ("[1, 2] 3", "part 2 is not built like part 1"),
    ("[[1,2],[3,4];[5,6],[7,8]]", "Block matrices"),
    ("[[[[[[[[1]]]]]]]]", "nested too deeply"),
    ("[1][2]", "“[” (character 4) doesn't belong there"),
    ("(1,2)(3,4)", "doesn't belong there"),
    ("2*[1,2]", "doesn't belong there"),
    ("[1,2]*2", "doesn't belong there"),
    ("[[1,2],[3,4]].T", "“.” (character 14)"),
    ("[0.1, 0.2, ..., 0.9]", "leaves numbers out"),
    ("tensor([[0.1, 0.2],\n        ...,\n        [0.3, 0.4]])", "leaves numbers out"),
    ("[0,05, 0,10]", "Use a dot for decimals"),
    ("| a | b |\n|---|---|\n| 1 | 2 |", "“a” (character 3)"),
    ("⎡1 2⎤⎡1⎤\n⎣3 4⎦⎣2⎦", "“⎤”"),
    ("tensor([True, False])", "“True”"),
    ("[1, 2]; DROP", "“DROP”"),
    ("1e400 2", "too large"),
    ("1 " * 600, "600 numbers are too many"),
    ("1 2 3 4 5\n" * 110, "550 numbers are too many"),
    ("1/3 " * 600, "too much for one answer"),
    ("e^1 " * 200, "too much calculation"),
)


@pytest.mark.parametrize(("typed", "fragment"), NO_ARRAYS, ids=lambda text: repr(text[:40]))
def test_no_array(typed: str, fragment: str) -> None:
    for form in (VECTOR, MATRIX):
        assert fragment in refusal(typed, form).message.en


def test_a_ragged_row_is_named_and_pointed_at() -> None:
    found = refusal("1 2\n3 4\n5", MATRIX)
    assert "第 3 行有 1 个数，第 1 行有 2 个" in found.message.zh
    assert found.offset == 8


# Commas with two readings: the dimensions asked decide, or nothing does -----------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "dimensions", "numbers", "read_as"),
    [
        ("[1,2;3,4]", (2, 2), "1 2 3 4", (2, 2)),
        ("[1,2;3,4]", (2, 1), "1.2 3.4", (2, 1)),
        ("0,5;0,25;1,5", (3, 1), "0.5 0.25 1.5", (3, 1)),
        ("0,5;0,25;1,5", (3, 2), "0 5 0 25 1 5", (3, 2)),
    ],
)
def test_semicolons_and_commas(typed: str, dimensions: tuple[int, ...], numbers: str, read_as: tuple[int, ...]) -> None:
    check(typed, numbers, read_as, AnswerFormat(Kind.MATRIX, decimals=2, dimensions=dimensions))


@pytest.mark.parametrize("dimensions", [None, (3, 3)])
def test_semicolons_and_commas_without_dimensions_that_decide(dimensions: tuple[int, ...] | None) -> None:
    message = refusal("1,2;3,4", AnswerFormat(Kind.MATRIX, decimals=0, dimensions=dimensions)).message
    assert "[[1, 2], [3, 4]] or as [[1.2], [3.4]]" in message.en


def test_thousands_where_whole_numbers_are_asked() -> None:
    whole = AnswerFormat(Kind.VECTOR, decimals=0, dimensions=(2,))
    assert "1.234 or as 1234" in refusal("1,234 5,678", whole).message.en
    check("1,234 5,678", "1.234 5.678", (2,), VECTOR)
    check("1,5 2,25", "1.5 2.25", (2,), whole)


# Shapes ---------------------------------------------------------------------------------------------------------------------

SHAPES = (
    ("(4, 2, 16)", (4, 2, 16)),
    ("[4, 2, 16]", (4, 2, 16)),
    ("（４，２，１６）", (4, 2, 16)),
    ("4x2x16", (4, 2, 16)),
    ("4 x 2 X 16", (4, 2, 16)),
    ("4×2×16", (4, 2, 16)),
    ("4·2·16", (4, 2, 16)),
    ("(4*2*16)", (4, 2, 16)),
    ("4 \\times 2 \\times 16", (4, 2, 16)),
    ("4 2 16", (4, 2, 16)),
    ("4、2、16", (4, 2, 16)),
    ("4, 2, 16,", (4, 2, 16)),
    ("torch.Size([4, 2, 16])", (4, 2, 16)),
    ("Q.shape = torch.Size([4, 2, 16])", (4, 2, 16)),
    ("shape: (4, 2, 16)", (4, 2, 16)),
    ("(4, 2*8)", (4, 16)),
    ("(4, 2^4)", (4, 16)),
    ("(4, 16.0)", (4, 16)),
    ("(4, -1)", (4, -1)),
    ("(4,)", (4,)),
    ("(4)", (4,)),
    ("4", (4,)),
    ("()", ()),
    ("[]", ()),
    ("torch.Size([])", ()),
)


@pytest.mark.parametrize(("typed", "sizes"), SHAPES)
def test_shape(typed: str, sizes: tuple[int, ...]) -> None:
    found = answer(typed, SHAPE)
    assert tuple(cell.value for cell in found.cells) == sizes
    assert found.dimensions == (len(sizes),)


NO_SHAPES = (
    ("(4, 2.5)", "Dimensions are whole numbers; 2.5 is not one"),
    ("(4, 1/2)", "Dimensions are whole numbers; 1/2 is not one"),
    ("(4, inf)", "Dimensions are whole numbers; inf is not one"),
    ("(4, 50%)", "Dimensions are whole numbers; 50% is not one"),
    ("(1,024, 8)", "Does the comma in “1,024” separate two numbers?"),
    ("((4, 2), (3, 1))", "one row of dimensions"),
    ("(B, 4)", "“B”"),
    ("4x2, 16", "“x”"),
    ("4 by 2", "“by”"),
    ("(4, 2", "not closed"),
)


@pytest.mark.parametrize(("typed", "fragment"), NO_SHAPES)
def test_no_shape(typed: str, fragment: str) -> None:
    assert fragment in refusal(typed, SHAPE).message.en


# One's own numbers ----------------------------------------------------------------------------------------------------------

HALF = answer("0.5", VECTOR).cells[0].value
ROOT = Expression("sqrt", (2,))

OWN = (
    ("7", 7),
    ("√2", ROOT),
    ("2 1 3", (2, 1, 3)),
    ("[2, 1, 3]", (2, 1, 3)),
    ("2,1,3", (2, 1, 3)),
    ("0,5 1", (HALF, 1)),
    ("-inf 0 inf", (MINUS_INFINITY, 0, INFINITY)),
    ("1 0; 0 1; 1 1", ((1, 0), (0, 1), (1, 1))),
    ("[1, 0; 0, 1]", ((1, 0), (0, 1))),
    ("1 0\n0 √2", ((1, 0), (0, ROOT))),
    ("1,0\n0,1", ((1, 0), (0, 1))),
    ("[[1, 0], [0, 1]]", ((1, 0), (0, 1))),
    ("[[1, 0]]", ((1, 0),)),
    ("2\n1", ((2,), (1,))),
    ("2; 1", ((2,), (1,))),
    ("X = tensor([[1., 0.],\n        [0., 1.]])", ((1, 0), (0, 1))),
)


@pytest.mark.parametrize(("typed", "value"), OWN)
def test_own_numbers(typed: str, value: object) -> None:
    assert read_value(typed) == value


NOT_OWN = (
    ("", "Nothing has been typed"),
    ("X", "“X”"),
    ("[]", "no number in the brackets"),
    ("1 0; 0", "row 2 has 1, row 1 has 2"),
    ("0,5", "one number or two? Write 0.5 for one, 0 5 for two"),
    ("1,0;0,1", "[[1, 0], [0, 1]] or as [[1.0], [0.1]]"),
    ("[1 2\n3 4]", "rows, or one long vector?"),
)


@pytest.mark.parametrize(("typed", "fragment"), NOT_OWN)
def test_not_own_numbers(typed: str, fragment: str) -> None:
    found = read_value(typed)
    assert isinstance(found, Unreadable)
    assert fragment in found.message.en


def test_reading_does_not_grade() -> None:
    # Three numbers are asked, two rows of two: whatever is well formed is read, and grading compares the dimensions.
    for typed in ("1 2", "1 2 3 4", "[[1, 2], [3, 4]]", "nan"):
        assert isinstance(read(typed, VECTOR), Answer)
    for typed in ("1 2 3", "[[1, 2, 3], [4, 5, 6]]"):
        assert isinstance(read(typed, MATRIX), Answer)
