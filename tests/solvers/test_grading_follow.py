"""Following through: later parts that are computed rightly from an earlier slip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from question_bank.program import AnswerFormat, Ask, Asked, Kind, Program, Shape, call
from question_bank.text import Text, same
from solvers import following
from solvers.answers import Answer, read
from solvers.following import Earlier, Way
from solvers.grading import grade
from solvers.scenario import solved
from solvers.verdict import Outcome, Verdict
from tests.solvers import spellings

R, AFTER, KNOWN, W = Outcome.RIGHT, Outcome.RIGHT_AFTER_SLIP, Outcome.KNOWN_MISTAKE, Outcome.WRONG
PARTS = "QKVSZAO"

X = ((1, 2), (2, 0), (0, 1))
W_Q, W_K, W_V = ((1, 0), (1, 1)), ((0, 1), (1, -1)), ((71, -13), (-38, 60))
"""Large values: what is left of a weight behind its third decimal shows in the output."""


def _part(node: str, decimals: int, columns: int) -> Ask:
    return Ask(node, AnswerFormat(Kind.MATRIX, decimals=decimals, dimensions=(3, columns)), label=same(f"${node}$"))


BY_HAND = Program(
    (("X", X), ("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V), ("d_k", 2)),
    (
        *(call(name, "project", "X", f"W_{name}") for name in "QKV"),
        call("S", "scores", "Q", "K"),
        call("Z", "scale", "S", "d_k"),
        call("A", "softmax", "Z"),
        call("O", "mix", "A", "V"),
    ),
    (*(_part(node, 0, 2) for node in "QKV"), _part("S", 0, 3), _part("Z", 3, 3), _part("A", 3, 3), _part("O", 3, 2)),
)


def softmax(Z: Any) -> Any:
    powers = np.exp(Z)
    return powers / powers.sum(-1, keepdims=True)


def work(**own: Any) -> dict[str, Any]:
    """Attention in NumPy, with own values in place of computed ones."""
    nodes: dict[str, Any] = {}
    steps = {
        "Q": lambda: np.array(X) @ np.array(W_Q),
        "K": lambda: np.array(X) @ np.array(W_K),
        "V": lambda: np.array(X) @ np.array(W_V),
        "S": lambda: nodes["Q"] @ nodes["K"].T,
        "Z": lambda: nodes["S"] / np.sqrt(2),
        "A": lambda: softmax(nodes["Z"]),
        "O": lambda: nodes["A"] @ nodes["V"],
    }
    for node, step in steps.items():
        nodes[node] = np.array(own[node], dtype=float) if node in own else step()
    return nodes


def typed(nodes: dict[str, Any], digits: int = 3) -> list[str | None]:
    """All seven parts, written down to so many decimals."""
    return [spellings.lists(nodes[node].tolist(), 0 if node in "QKVS" else digits) for node in PARTS]


def careless(values: Any) -> Any:
    """Three decimals, each cut where it should be rounded up and the reverse: within a unit, and not what rounding gives."""
    thousands = values * 1000
    return np.where(np.round(thousands) > thousands, np.floor(thousands), np.ceil(thousands)) / 1000


def with_slip(node: str, row: int = 0, column: int = 0, by: float = 1) -> Any:
    """The right value of a node with one cell off."""
    value = work()[node].astype(float).copy()
    value[row, column] += by
    return value


def outcomes(verdict: Verdict) -> str:
    """One letter for each part: r right, f followed through, m known mistake, w wrong, c, u, g."""
    letters = {R: "r", AFTER: "f", KNOWN: "m", W: "w", Outcome.COARSE: "c", Outcome.UNREADABLE: "u", Outcome.GIVEN_UP: "g"}
    return "".join(letters[part.outcome] for part in verdict.parts)


def slips(verdict: Verdict) -> list[int | None]:
    return [part.slip for part in verdict.parts]


def test_all_right() -> None:
    verdict = grade(BY_HAND, typed(work()))
    assert outcomes(verdict) == "rrrrrrr"
    assert (verdict.marks, verdict.possible) == (7, 7)
    assert (verdict.message.en, verdict.message.zh) == ("All 7 parts are right.", "7 个部分全部正确。")


@pytest.mark.parametrize("digits", [3, 4, 6])
def test_a_slip_in_the_scores_is_counted_once(digits: int) -> None:
    verdict = grade(BY_HAND, typed(work(S=with_slip("S", 1, 2)), digits))
    assert outcomes(verdict) == "rrrwfff"
    assert slips(verdict) == [None, None, None, None, 3, 3, 3]
    assert verdict.marks == 6
    assert verdict.outcome is W
    assert (verdict.message.en, verdict.message.zh) == ("6 of 7 marks.", "满分 7 分，得 6 分。")
    assert verdict.parts[3].wrong_cells == ((1, 2),)
    assert verdict.parts[6].message == Text(
        "Right, given your $S$; the slip is there.", "按你的 $S$ 来算，这一步是对的；错在前面。"
    )


@pytest.mark.parametrize(
    ("node", "expected", "from_part"),
    [
        ("Q", "wrrffff", 0),
        ("K", "rwrffff", 1),
        ("V", "rrwrrrf", 2),  # the weights don't depend on the values
        ("S", "rrrwfff", 3),
        ("Z", "rrrrwff", 4),
        ("A", "rrrrrwf", 5),
        ("O", "rrrrrrw", None),
    ],
)
def test_a_slip_anywhere(node: str, expected: str, from_part: int | None) -> None:
    by = 0.25 if node == "A" else 1
    # Six decimals: three of a wrong weight leave the output open by more than a unit.
    verdict = grade(BY_HAND, typed(work(**{node: with_slip(node, 2, 1, by)}), 6))
    assert outcomes(verdict) == expected
    assert {part.slip for part in verdict.parts if part.outcome is AFTER} == ({from_part} if "f" in expected else set())
    assert verdict.marks == 6


def test_right_later_parts_after_a_slip_of_the_pen_are_simply_right() -> None:
    """S is written down wrong, but everything was computed from the right one."""
    parts = typed(work())
    parts[3] = typed(work(S=with_slip("S")))[3]
    assert outcomes(grade(BY_HAND, parts)) == "rrrwrrr"


def test_what_follows_from_own_right_values_is_right_although_another_part_is_wrong() -> None:
    """S is written down wrong, A was rounded from the right one, O was computed from A as written down."""
    rounded = np.round(work()["A"], 3)
    parts = typed(work(A=rounded))
    parts[3] = typed(work(S=with_slip("S")))[3]
    assert np.abs(work(A=rounded)["O"] - work()["O"]).max() > 0.002
    verdict = grade(BY_HAND, parts)
    assert outcomes(verdict) == "rrrwrrr"
    assert slips(verdict) == [None] * 7


# The three ways, each by itself ------------------------------------------------------------------------------------------


def _accepting(parts: list[str | None], part: int) -> list[int]:
    """Which of the ways accept a part, numbered as they are offered."""
    true = solved(BY_HAND)
    verdict = grade(BY_HAND, parts)
    earlier = []
    for number, ask in enumerate(BY_HAND.asks[:part]):
        text = parts[number]
        assert text is not None
        answer = read(text, ask.format)
        assert isinstance(answer, Answer)
        slip = next((slip for slip, _ in true.slips(number) if slip.mistake == verdict.parts[number].mistake), None)
        earlier.append(Earlier(ask, answer, verdict.parts[number].outcome, slip))
    text = parts[part]
    assert text is not None
    answer = read(text, BY_HAND.asks[part].format)
    assert isinstance(answer, Answer)
    assert not true.accepts(answer, part)
    offered: list[Way] = list(following.ways(true, earlier, BY_HAND.asks[part]))
    return [number for number, way in enumerate(offered) if way.scenario.accepts(answer, 0)]


def test_from_all_own_values_rounded_ones_included() -> None:
    slip = work(S=with_slip("S", 1, 2))
    parts = typed(work(S=slip["S"], A=careless(slip["A"])))
    verdict = grade(BY_HAND, parts)
    assert outcomes(verdict) == "rrrwfff"
    assert verdict.parts[6].slip == 3
    assert _accepting(parts, 6) == [0]


def test_from_own_values_in_the_wrong_parts_only() -> None:
    slip = work(S=with_slip("S", 1, 2))
    weights = careless(slip["A"])
    parts = typed(slip)  # the output is computed with full precision ...
    parts[5] = spellings.lists(weights.tolist(), 3)  # ... and the weights written down carelessly
    assert np.abs(weights @ slip["V"] - slip["O"]).max() > 0.02
    verdict = grade(BY_HAND, parts)
    assert outcomes(verdict) == "rrrwfff"
    assert verdict.parts[6].slip == 3
    assert _accepting(parts, 6) == [1]


def test_from_the_unrounded_values_of_the_recognised_mistake() -> None:
    base_2 = 2.0 ** work()["Z"]
    base_2 /= base_2.sum(-1, keepdims=True)
    parts = typed(work(A=base_2))
    parts[5] = spellings.lists(careless(base_2).tolist(), 3)
    assert np.abs(careless(base_2) @ work()["V"] - base_2 @ work()["V"]).max() > 0.02
    verdict = grade(BY_HAND, parts)
    assert outcomes(verdict) == "rrrrrmf"
    assert verdict.parts[5].mistake == "softmax.base-2"
    assert verdict.parts[6].slip == 5
    assert _accepting(parts, 6) == [2]


def test_none_of_the_three_ways_is_no_way() -> None:
    slip = work(S=with_slip("S", 1, 2))
    slip["O"][0, 0] += 0.1
    assert outcomes(grade(BY_HAND, typed(slip))) == "rrrwffw"


# Several slips -----------------------------------------------------------------------------------------------------------


def test_two_independent_slips() -> None:
    verdict = grade(BY_HAND, typed(work(Q=with_slip("Q", 0, 1), V=with_slip("V", 1, 0))))
    assert outcomes(verdict) == "wrwffff"
    assert slips(verdict) == [None, None, None, 0, 0, 0, 0]
    assert verdict.marks == 5
    assert verdict.parts[5].message.en == "Right, given your $Q$; the slip is there."
    assert verdict.parts[6].message == Text(
        "Right, given your $Q$ and $V$; the slips are there.", "按你的 $Q$ 和 $V$ 来算，这一步是对的；错在前面。"
    )


def test_a_new_slip_cuts_off_the_one_before() -> None:
    own = work(S=with_slip("S", 1, 2))
    weights = own["A"].copy()
    weights[1, 1] += 0.3
    verdict = grade(BY_HAND, typed(work(S=own["S"], A=weights), 6))
    assert outcomes(verdict) == "rrrwfwf"
    assert slips(verdict) == [None, None, None, None, 3, None, 5]
    assert verdict.parts[6].message.en == "Right, given your $A$; the slip is there."


def test_a_later_mistake_after_an_earlier_slip_is_named() -> None:
    own = work(S=with_slip("S", 1, 2))
    base_2 = 2.0 ** own["Z"]
    base_2 /= base_2.sum(-1, keepdims=True)
    verdict = grade(BY_HAND, typed(work(S=own["S"], A=base_2), 6))
    assert outcomes(verdict) == "rrrwfmf"
    assert verdict.parts[5].mistake == verdict.mistake == "softmax.base-2"
    for number in base_2[0]:
        assert f"{number:.4f}" in verdict.parts[5].message.en, "the number at that step is the learner's"
    assert verdict.parts[6].slip == 5
    assert verdict.marks == 5


def test_the_same_mistake_is_not_named_twice() -> None:
    """d_k for its root in Z: A and O follow from it."""
    verdict = grade(BY_HAND, typed(work(Z=work()["S"] / 2)))
    assert outcomes(verdict) == "rrrrmff"
    assert verdict.mistake == "scale.by-d_k"
    assert verdict.marks == 6


def test_a_mistake_that_changes_the_shape() -> None:
    """Q without its last column, as it were: what follows has no number, and nothing raises."""
    parts = typed(work())
    parts[0] = "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]"
    verdict = grade(BY_HAND, parts)
    assert outcomes(verdict) == "urrrrrr"
    assert verdict.parts[0].message.en == "3×2 expected, 3×3 read."
    assert verdict.message == Text("$Q$: 3×2 expected, 3×3 read.", "$Q$：应为 3×2，读到的是 3×3。")


# Parts that are no attempt ------------------------------------------------------------------------------------------------


def test_a_part_given_up_or_unreadable_stands_for_nothing() -> None:
    parts = typed(work(S=with_slip("S", 1, 2)), 6)
    parts[3] = None
    verdict = grade(BY_HAND, parts)
    assert outcomes(verdict) == "rrrgwff"  # Z is wrong now: there is nothing that it follows from
    assert slips(verdict)[5:] == [4, 4]
    parts[3] = "[[1, 2], [3]]"
    assert outcomes(grade(BY_HAND, parts)) == "rrruwff"
    assert outcomes(grade(BY_HAND, [*typed(work())[:3], None, *typed(work())[4:]])) == "rrrgrrr"


def test_the_worst_part_gives_the_verdict() -> None:
    right = typed(work())
    coarse = spellings.lists(work()["A"].tolist(), 2)
    cases: list[tuple[dict[int, str | None], Outcome, int]] = [
        ({}, R, 7),
        ({4: None}, Outcome.GIVEN_UP, 6),
        ({3: "[[0,0,0],[0,0,0],[0,0,9]]"}, W, 6),
        ({3: "[[0,0,0],[0,0,0],[0,0,9]]", 4: None}, Outcome.GIVEN_UP, 5),
        ({4: typed(work(Z=work()["S"] / 2))[4]}, KNOWN, 6),
        ({4: typed(work(Z=work()["S"] / 2))[4], 3: "[[0,0,0],[0,0,0],[0,0,9]]"}, W, 5),
        ({5: coarse}, Outcome.COARSE, 6),
        ({5: coarse, 3: None}, Outcome.COARSE, 5),
        ({5: coarse, 6: "?"}, Outcome.UNREADABLE, 5),
    ]
    for changed, worst, marks in cases:
        verdict = grade(BY_HAND, [changed.get(number, text) for number, text in enumerate(right)])
        assert (verdict.outcome, verdict.marks) == (worst, marks), changed


def test_what_follows_from_coarse_own_values_is_right() -> None:
    """The weights want more digits; the output may have been computed from them as they are."""
    weights = np.round(work()["A"], 2)
    parts = typed(work(A=weights))
    parts[5] = spellings.lists(weights.tolist(), 2)
    assert np.abs(work(A=weights)["O"] - work()["O"]).max() > 0.01
    assert outcomes(grade(BY_HAND, parts)) == "rrrrrcr"


@pytest.mark.parametrize("cell", ["1e350", "-1e200", "nan", "inf", "-inf", "1e308", "10^300", "e^700"])
@pytest.mark.parametrize("part", range(6))
def test_numbers_without_measure_are_wrong_and_break_nothing(part: int, cell: str) -> None:
    columns = len(work()[PARTS[part]][0])
    parts = typed(work(S=with_slip("S", 1, 2)))
    parts[part] = "; ".join([" ".join([cell] * columns)] * 3)
    parts[6] = "1 2; 3 4; 5 6"
    verdict = grade(BY_HAND, parts)
    assert verdict.parts[part].outcome is W
    assert verdict.parts[6].outcome is W
    assert {part.outcome for part in verdict.parts} <= {R, W, AFTER}


# Rows, and shapes ---------------------------------------------------------------------------------------------------------

ROWS = replace(
    BY_HAND,
    asks=(
        Ask("A", AnswerFormat(Kind.VECTOR, decimals=3), (1,), label=Text("row 2 of $A$", " $A$ 的第 2 行")),
        Ask("O", AnswerFormat(Kind.VECTOR, decimals=3), (1,), label=Text("row 2 of $O$", " $O$ 的第 2 行")),
        Ask("O", AnswerFormat(Kind.VECTOR, decimals=3), (0,), label=Text("row 1 of $O$", " $O$ 的第 1 行")),
    ),
)


def test_an_own_row_stands_for_that_row_alone() -> None:
    weights = with_slip("A", 1, 0, 0.25)
    own = work(A=weights)["O"]
    rows = [weights[1], own[1], own[0]]
    verdict = grade(ROWS, [spellings.lists(row.tolist(), 6) for row in rows])
    assert outcomes(verdict) == "wfr"
    assert verdict.parts[1].message == Text(
        "Right, given your row 2 of $A$; the slip is there.", "按你的 $A$ 的第 2 行来算，这一步是对的；错在前面。"
    )


def _shape(*sizes: int) -> str:
    return spellings.written([str(size) for size in sizes])


SHAPES = Program(
    (("Q", Shape((2, 8, 5, 64))), ("K", Shape((2, 8, 9, 64)))),
    (call("S", "scores", "Q", "K"), call("A", "softmax", "S"), call("B", "softmax", "A")),
    tuple(Ask(node, AnswerFormat(Kind.SHAPE), (), Asked.SHAPE, label=same(f"${node}$")) for node in "SAB"),
)


@pytest.mark.parametrize(
    ("shapes", "expected", "from_parts"),
    [
        (["[2,8,5,9]", "[2,8,5,9]", "[2,8,5,9]"], "rrr", [None, None, None]),
        (["[2,8,9,5]", "[2,8,9,5]", "[2,8,9,5]"], "mff", [None, 0, 0]),  # queries and keys swapped
        (["[2,8,6,9]", "[2,8,6,9]", "[2,8,6,9]"], "wff", [None, 0, 0]),
        (["[2,8,6,9]", "[2,8,5,9]", "[2,8,6,9]"], "wrf", [None, None, 0]),
        (["[2,8,6,9]", "[2,8,7,9]", "[2,8,7,9]"], "wwf", [None, None, 1]),
        (["[2,8,6,9]", "[2,8,7,9]", "[2,8,3,9]"], "www", [None, None, None]),
        (["[2,5,9]", "[2,5,9]", "[2,5,9]"], "wff", [None, 0, 0]),
        (["[]", "[2,8,5,9]", "[2,8,5,9]"], "wrr", [None, None, None]),
        ([_shape(*[2] * 20), "[2,8,5,9]", _shape(*[2] * 20)], "wrw", [None, None, None]),
        ([_shape(*[10**15] * 4), _shape(*[10**15] * 4), "[2,8,5,9]"], "wwr", [None, None, None]),
        (["[0,8,5,9]", "[0,8,5,9]", "[2,8,5,9]"], "wwr", [None, None, None]),
    ],
)
def test_shapes_follow_through(shapes: list[str], expected: str, from_parts: list[int | None]) -> None:
    verdict = grade(SHAPES, shapes)
    assert outcomes(verdict) == expected
    assert slips(verdict) == from_parts
