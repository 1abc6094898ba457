"""Give a module its own weights back after they were changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import nn


@contextmanager
def kept(module: nn.Module) -> Iterator[None]:
    """Put the module's own weights back afterwards."""
    import torch

    state = {name: tensor.detach().clone() for name, tensor in (*module.named_parameters(), *module.named_buffers())}
    try:
        yield
    finally:
        with torch.no_grad():
            for name, tensor in (*module.named_parameters(), *module.named_buffers()):
                if name in state and tensor.shape == state[name].shape:
                    tensor.copy_(state[name])


@contextmanager
def doubled(module: nn.Module) -> Iterator[None]:
    """Let the module compute in float64, and give it the very tensors back that it had.

    A copy of the module would not do: what a person's ``forward`` closes over would still be the original.
    """
    parameters = [(one, one.data) for one in module.parameters() if one.is_floating_point()]
    buffers = [
        (owner, name, buffer)
        for owner in module.modules()
        for name, buffer in owner.named_buffers(recurse=False)
        if buffer.is_floating_point()
    ]
    try:
        for parameter, data in parameters:
            parameter.data = data.double()
        for owner, name, buffer in buffers:
            setattr(owner, name, buffer.double())
        yield
    finally:
        for parameter, data in parameters:
            parameter.data = data
        for owner, name, buffer in buffers:
            setattr(owner, name, buffer)
