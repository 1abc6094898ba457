"""Tensors to test with, and what counts as equal."""

from __future__ import annotations

from typing import Any, TypeVar

import torch
from torch import Tensor, nn

Module = TypeVar("Module", bound=nn.Module)


def close(actual: Tensor, expected: Any) -> None:
    """Agreement to 1e-12, nan with nan, shapes and dtypes included."""
    expected = expected if isinstance(expected, Tensor) else torch.as_tensor(expected, dtype=torch.float64)
    torch.testing.assert_close(actual, expected, rtol=0, atol=1e-12, equal_nan=True)


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def coins(*shape: int, seed: int = 0) -> Tensor:
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) < 0.6


def seeded(module: Module) -> Module:
    """Fill every parameter, biases too: a bias that starts at 0 would hide that it is never added."""
    for seed, parameter in enumerate(module.parameters()):
        parameter.data = numbers(*parameter.shape, seed=100 + seed) / 2
    return module.requires_grad_(False)


def right_hand(*layers: nn.Module) -> list[Any]:
    """The W of X W, which nn.Linear keeps transposed."""
    return [layer.get_parameter("weight").numpy().T for layer in layers]
