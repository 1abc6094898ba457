"""The reference is checked too: against PyTorch, and by numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional

from tests.solvers import reference
from tests.solvers.tensors import close, numbers


def test_softmax_and_projection_agree_with_pytorch() -> None:
    X, W, bias = numbers(2, 3, 4, seed=1), numbers(4, 5, seed=2), numbers(5, seed=3)
    close(torch.from_numpy(reference.softmax(300 * X.numpy())), (300 * X).softmax(dim=-1))
    close(torch.from_numpy(reference.project(X.numpy(), W.numpy(), bias.numpy())), functional.linear(X, W.T, bias))


@pytest.mark.parametrize("eps", [0.0, 1e-5, 0.1])
def test_layer_norm_agrees_with_pytorch(eps: float) -> None:
    x, gamma, beta = numbers(2, 3, 5, seed=1), numbers(5, seed=2), numbers(5, seed=3)
    close(torch.from_numpy(reference.layer_norm(x.numpy(), eps=eps)), functional.layer_norm(x, (5,), eps=eps))
    ours = reference.layer_norm(x.numpy(), gamma.numpy(), beta.numpy(), eps)
    close(torch.from_numpy(ours), functional.layer_norm(x, (5,), gamma, beta, eps))


def test_layer_norm_by_hand() -> None:
    """Mean 2.5, biased variance 1.25."""
    normalised = reference.layer_norm(np.array([1.0, 2, 3, 4]), eps=0)
    assert normalised.round(3).tolist() == [-1.342, -0.447, 0.447, 1.342]


def test_heads_are_blocks_of_columns() -> None:
    X = np.array([[0.6, 0.8, 0.2, 0.5], [1, 2, 3, 4]])
    heads = reference.split_heads(X, 2)
    assert heads.tolist() == [[[0.6, 0.8], [1, 2]], [[0.2, 0.5], [3, 4]]]
    assert reference.concat_heads(heads).tolist() == X.tolist()
