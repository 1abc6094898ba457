"""``read`` on ordinary answers, and on texts made to be slow."""

from __future__ import annotations

from time import process_time

from benchmarks.figures import Figure, Report, Table, Unit, at_most, number
from benchmarks.options import Options
from benchmarks.timing import call_seconds
from question_bank.program import AnswerFormat, Kind

ORDINARY = (
    ("number", AnswerFormat(Kind.NUMBER, decimals=3), "0.138"),
    ("vector", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(3,)), "0.198 0.401 0.401"),
    ("vector with decimal commas", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(3,)), "0,198 0,401 0,401"),
    (
        "matrix 3×3",
        AnswerFormat(Kind.MATRIX, decimals=4, dimensions=(3, 3)),
        "[[0.1978, 0.4011, 0.4011], [0.2483, 0.2483, 0.5035], [0.1400, 0.2840, 0.5760]]",
    ),
    ("shape", AnswerFormat(Kind.SHAPE), "[2, 8, 5, 64]"),
    ("expression", AnswerFormat(Kind.EXPRESSION, decimals=3), "1/(1+2e^(√2/2))"),
    ("size in bytes", AnswerFormat(Kind.BYTES), "512 MiB"),
)

UNITS = (
    "1 ", "1,", "1/2 ", "√2+", "1+", "(", "[]", "[],", "-", "\n", "1\n", "[1],", "(1) ", "e+", "2^", "1.000001^3.3 ", "ln(3)+",
    "e^900 ", "2^.5 ", "a", "１", "²ₙ", "\t", "1,1 ", "1,000", "0", "9", ".", "=", "a=", "\\frac{1}{2} ", "\\frac{", "|1|\n",
    "`", "$", "n*", "(n+d)", "1x", ",dtype=a", "tensor(", "np.float64(1) ", "1_", "😀", "½", "<", "A.", "A(", "1e-399 ", "1.5,",
    "(1,", "√(", "[(", "⎡1⎤\n", "1&", "1 B ", "^{", "2(3)", "3*10^2 ", "7/3*", "9999999999/7777777777+",
)  # fmt: skip
"""Each is repeated until no more may be typed, once as it is and once within brackets, and read in every form."""

MILLISECONDS = 10
SLOWEST = 5


def _formats() -> list[AnswerFormat]:
    return [AnswerFormat(kind, symbols=("n", "d"), choices=4) for kind in Kind]


def _slow() -> list[tuple[float, str, str]]:
    from solvers.answers import MAX_CHARACTERS, read

    found = []
    for unit in UNITS:
        bare = unit * (MAX_CHARACTERS // len(unit))
        bracketed = "[" + unit * ((MAX_CHARACTERS - 2) // len(unit)) + "]"
        for text in (bare, bracketed):
            for form in _formats():
                best = 1e9
                for _ in range(3):
                    start = process_time()
                    read(text, form)
                    best = min(best, process_time() - start)
                found.append((best, f"{text[: len(unit) + 8]!r} …", form.kind.value))
    return sorted(found, reverse=True)


def measure(_options: Options) -> Report:
    """Read ordinary answers many times, and slow ones three times each, of which the best counts."""
    from solvers.answers import read

    ordinary = [
        Figure(what, call_seconds(lambda text=text, form=form: read(text, form), 200, 10) * 1e6, Unit.MICROSECONDS, None, text)  # type: ignore[misc]
        for what, form, text in ORDINARY
    ]
    slow = _slow()
    return Report(
        "reading what was typed",
        f"Medians for ordinary answers. Then {len(UNITS)} pieces, each repeated to the most characters that may be typed, bare "
        "and in brackets, in every form of answer: processor time, best of three.",
        (
            *ordinary,
            Figure("slowest of the long ones", slow[0][0] * 1e3, Unit.MILLISECONDS, at_most(MILLISECONDS)),
            Figure("texts and forms tried", len(slow), Unit.COUNT),
        ),
        (
            Table(
                ("slowest", "form", "time"),
                tuple((text, kind, number(seconds * 1e3, Unit.MILLISECONDS)) for seconds, text, kind in slow[:SLOWEST]),
            ),
        ),
    )
