"""Online softmax, the derivative of the softmax, and path lengths, against attention, autograd and real convolutions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, Shape, call
from solvers import run
from solvers.mistakes import slips
from solvers.operations import OPERATIONS
from tests.solvers.one_call import asking, value, wrong
from tests.solvers.tensors import close, numbers

BLOCKS: dict[str, Nested] = {
    "m_1": 2,
    "l_1": Fraction(3, 2),
    "o_1": (1, 2),
    "m_2": 3,
    "l_2": 2,
    "o_2": (3, 0),
}
DEPTH = {"all": 1, "m": 0, "l": 0, "o": 1}


def _merged(of: str = "all", blocks: dict[str, Nested] = BLOCKS, **parameters: str) -> Program:
    return asking(call("s", "merge_blocks", *blocks, of=of, **parameters), DEPTH[of], **blocks)


def test_two_blocks_merged() -> None:
    e = math.exp(-1)
    total = 1.5 * e + 2
    o = [(1.5 * e + 6) / total, 3 * e / total]
    assert value(_merged()) == pytest.approx([3, total, *o])
    assert value(_merged("m")) == 3
    assert value(_merged("l")) == pytest.approx(total)
    assert value(_merged("o")) == pytest.approx(o)
    assert value(_merged("o", output="sum")) == pytest.approx([e + 3, 2 * e])
    assert value(_merged(output="sum")) == pytest.approx([3, total, e + 3, 2 * e])
    swapped = dict(zip(BLOCKS, [BLOCKS[name] for name in ("m_2", "l_2", "o_2", "m_1", "l_1", "o_1")], strict=True))
    assert value(_merged(blocks=swapped)) == pytest.approx(value(_merged()))


@pytest.mark.parametrize("output", ["normalised", "sum"])
def test_blocks_merged_one_by_one_are_the_whole_row(output: str) -> None:
    scores, V = 5 * numbers(11, seed=1), numbers(11, 3, seed=2)

    def block(start: int, end: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        m = scores[start:end].max()
        powers = (scores[start:end] - m).exp()
        o = powers @ V[start:end]
        return m, powers.sum(), o / powers.sum() if output == "normalised" else o

    state = block(0, 4)
    for start, end in ((4, 5), (5, 9), (9, 11)):
        merged = OPERATIONS["merge_blocks"].torch(*state, *block(start, end), output=output)
        state = merged[0], merged[1], merged[2:]
    m, total, o = state
    close(m, scores.max())
    close(m + total.log(), scores.logsumexp(0))
    close(o if output == "normalised" else o / total, scores.softmax(0) @ V)


def test_wrong_merges() -> None:
    found = {name.partition(".")[2]: result.tolist() for name, result in wrong(_merged()).items()}
    assert found["not-rescaled"] == pytest.approx([3, 3.5, 7.5 / 3.5, 3 / 3.5])
    assert found["averaged"] == [3, 1.75, 2, 1]
    assert found["larger-only"] == [3, 2, 3, 0]
    assert found["sums"] == value(_merged(output="sum")).tolist()
    less = 2 / math.e  # the second block's sum, which has the larger maximum
    assert found["swapped"] == pytest.approx([3, 1.5 + less, (1.5 + 3 * less) / (1.5 + less), 3 / (1.5 + less)])
    assert len(found) == 5
    averages = wrong(_merged("o", output="sum"))["merge_blocks.averages"]
    assert averages.tolist() == value(_merged("o")).tolist()
    assert not {"merge_blocks.sums", "merge_blocks.averages"} & set(wrong(_merged("l")))
    assert wrong(_merged("o", output="sum"))["merge_blocks.not-rescaled"].tolist() == [4, 2]
    assert set(wrong(_merged("m"))) == set()
    assert "merge_blocks.not-rescaled" not in wrong(_merged(blocks={**BLOCKS, "m_2": 2})), "nothing to rescale"


def test_blocks_of_other_shapes_are_refused() -> None:
    for changed in ({"o_1": (1, 2, 3)}, {"o_1": 1, "o_2": 2}, {"m_1": (1, 2)}, {"l_2": (1, 2)}):
        with pytest.raises(run.RunError, match="merge_blocks"):
            run.values(_merged(blocks={**BLOCKS, **changed}))


def test_a_fully_masked_block_adds_nothing() -> None:
    from question_bank.exact import MINUS_INFINITY

    program = _merged(blocks={**BLOCKS, "m_1": MINUS_INFINITY, "l_1": 0, "o_1": (0, 0)})
    assert run.answers(program) == [[3, 2, 3, 0]]
    assert run.replay(program, None)["s"] == [3, 2, 3, 0]


# The derivative of the softmax --------------------------------------------------------------------------------------------

P: Nested = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))


def _jacobian(p: Nested = P) -> Program:
    return asking(call("J", "softmax_jacobian", "p"), 2, p=p)


def test_the_jacobian_of_a_softmax() -> None:
    assert value(_jacobian()) == pytest.approx(np.array([[0.25, -0.15, -0.1], [-0.15, 0.21, -0.06], [-0.1, -0.06, 0.16]]))
    z = numbers(5, seed=4)
    theirs = torch.func.jacrev(lambda given: functional.softmax(given, 0))(z)
    close(OPERATIONS["softmax_jacobian"].torch(z.softmax(0)), theirs)


def test_wrong_jacobians() -> None:
    found = wrong(_jacobian())
    assert found["softmax_jacobian.sign"] == pytest.approx(np.array([[0.25, 0.15, 0.1], [0.15, 0.21, 0.06], [0.1, 0.06, 0.16]]))
    assert found["softmax_jacobian.constant-sum"] == pytest.approx(np.diag([0.5, 0.3, 0.2]))
    assert found["softmax_jacobian.beside-on"] == pytest.approx(-np.outer(run.floats(P), run.floats(P)))
    assert found["softmax_jacobian.on-beside"][0] == pytest.approx([0.25, 0.35, 0.4])


@pytest.mark.parametrize(
    ("index", "names"),
    [((0, 1), {"sign", "constant-sum", "on-beside"}), ((1, 1), {"constant-sum", "beside-on"})],
)
def test_one_entry_has_the_mistakes_of_its_place(index: tuple[int, int], names: set[str]) -> None:
    program = _jacobian().with_asks(Ask("J", AnswerFormat(Kind.NUMBER, decimals=4), index))
    assert {slip.mistake.partition(".")[2] for slip in slips(program, 0)} == names


def test_the_jacobian_is_taken_of_one_row() -> None:
    with pytest.raises(run.RunError, match="softmax_jacobian"):
        run.values(_jacobian((P, P)))


# Paths --------------------------------------------------------------------------------------------------------------------


def _steps(D: int, k: int | None = None, **parameters: Any) -> Program:
    inputs = {"D": D} if k is None else {"D": D, "k": k}
    return asking(call("n", "path_steps", *inputs, **parameters), 0, **inputs)


def _layers(S: int, k: int) -> Program:
    return asking(call("n", "receptive_layers", "S", "k"), 0, S=S, k=k)


def _seen_by_convolutions(kernel: int, dilations: list[int], centred: bool) -> int:
    """How far back the last of many positions, or the middle one, depends on the input through real layers."""
    length = 2 * sum((kernel - 1) * dilation for dilation in dilations) + 3
    at = length // 2 if centred else length - 1
    x = torch.zeros(1, 1, length, requires_grad=True)
    y: torch.Tensor = x
    for dilation in dilations:
        layer = nn.Conv1d(1, 1, kernel, dilation=dilation, bias=False)
        nn.init.ones_(layer.weight)
        reach = (kernel - 1) * dilation
        y = layer(functional.pad(y, (reach // 2, reach // 2) if centred else (reach, 0)))
    y[0, 0, at].backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None
    return at - int(x.grad[0, 0].nonzero()[0])


@pytest.mark.parametrize(
    ("kernel", "kind", "window"),
    [
        *itertools.product((2, 3, 5), ("cnn", "dilated"), ("causal",)),
        *itertools.product((3, 5), ("cnn", "dilated"), ("centred",)),
    ],
)
def test_layers_are_those_that_real_convolutions_need(kernel: int, kind: str, window: str) -> None:
    for layers in (1, 2, 3):
        dilations = [kernel**layer if kind == "dilated" else 1 for layer in range(layers)]
        furthest = _seen_by_convolutions(kernel, dilations, window == "centred")
        assert value(_steps(furthest, kernel, kind=kind, window=window)) == layers
        assert value(_steps(furthest + 1, kernel, kind=kind, window=window)) == layers + 1
        if kind == "cnn" and window == "causal":
            assert value(_layers(furthest + 1, kernel)) == layers
            assert value(_layers(furthest + 2, kernel)) == layers + 1


def test_steps_of_recurrence_and_attention() -> None:
    assert value(_steps(20)) == 20
    assert value(_steps(20, kind="attention")) == 1
    assert value(_steps(20, 3, kind="cnn")) == 10
    assert value(_steps(20, 3, kind="dilated")) == 3


def test_powers_are_counted_exactly() -> None:
    """ln 243 / ln 3 is not 5 in binary, and 3⁵ positions are just seen by five layers."""
    torchs = OPERATIONS["path_steps"].torch
    for k, layers in itertools.product((2, 3, 5, 7, 10), range(1, 13)):
        D, kernel = torch.tensor(float(k**layers - 1), dtype=torch.float64), torch.tensor(float(k), dtype=torch.float64)
        assert torchs(D, kernel, kind="dilated") == layers
        assert torchs(D + 1, kernel, kind="dilated") == layers + 1


def test_wrong_steps() -> None:
    def names(program: Program) -> dict[str, float]:
        return {name.partition(".")[2]: float(result) for name, result in wrong(program).items()}

    assert names(_steps(20)) == {"one-off": 19}
    assert names(_steps(20, 3, kind="cnn")) == {"one-off": 9, "dilated": 3, "whole-kernel": 7}
    assert names(_steps(20, 3, kind="dilated")) == {"one-off": 2, "not-dilated": 10}
    assert names(_layers(20, 4)) == {"by-k": 5, "not-rounded-up": 6}


def test_a_person_who_rounds_on_the_way_still_rounds_up() -> None:
    assert run.replay(_layers(20, 4), 0)["n"] == 7
    assert run.replay(_steps(19, 4, kind="cnn"), 0)["n"] == 7


def test_a_kernel_of_one_reaches_nowhere() -> None:
    for program in (_steps(20, 1, kind="cnn"), _steps(20, 1, kind="dilated"), _steps(20, kind="cnn"), _layers(20, 1)):
        with pytest.raises(run.RunError, match=program.calls[0].operation):
            run.values(program)


# Without values -----------------------------------------------------------------------------------------------------------


def test_shapes_without_values() -> None:
    inputs = (*((name, Shape(())) for name in ("m", "l", "D", "k")), ("o", Shape((64,))), ("p", Shape((7,))))
    calls = (
        call("s", "merge_blocks", "m", "l", "o", "m", "l", "o"),
        call("J", "softmax_jacobian", "p"),
        *(call(kind, "path_steps", "D", "k", kind=kind) for kind in ("rnn", "cnn", "dilated", "attention")),
        call("n", "receptive_layers", "D", "k"),
    )
    asks = tuple(Ask(line.node, AnswerFormat(Kind.SHAPE)) for line in calls)
    shapes = run.shapes(Program(inputs, calls, asks))
    assert shapes["s"] == (66,)
    assert shapes["J"] == (7, 7)
    assert {shapes[node] for node in ("rnn", "cnn", "dilated", "attention", "n")} == {()}
