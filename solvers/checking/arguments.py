"""What ``check_module`` may be given: refuse what it can't use, and say what was found."""

from __future__ import annotations

from collections.abc import Mapping
from enum import EnumType

from solvers.checking.adopting import ROLES
from solvers.conventions import MaskPolarity

_WEIGHTS = (*ROLES, "QKV", "KV")


def refuse_module(module: object) -> None:
    """Raise where a module is none.

    Raises:
        TypeError: It is a class, a function, or something else.
    """
    from torch import nn

    if isinstance(module, nn.Module):
        return
    if isinstance(module, type):
        raise TypeError(f"module: expected an nn.Module, found the class {module.__name__}: make one, {module.__name__}(...)")
    if callable(module) and hasattr(module, "__name__"):
        raise TypeError(f"module: expected an nn.Module, found the function {module.__name__}: call it in a module's forward")
    raise TypeError(f"module: expected an nn.Module, found {_written(module)}")


def refuse_options(
    *, heads: object, causal: object, scaled: object, polarity: object, call: object, width: object, seed: object
) -> None:
    """Raise where an option has a type or value that it can't have.

    Raises:
        TypeError: One has another type.
        ValueError: A number is too small.
    """
    for name, value, least in (("heads", heads, 1), ("width", width, 1), ("seed", seed, None)):
        if value is None and name != "seed":
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name}: expected a whole number, found {_written(value)}")
        if least is not None and value < least:
            raise ValueError(f"{name}: expected at least {least}, found {value}")
    for name, value in (("causal", causal), ("scaled", scaled)):
        if not isinstance(value, bool):
            raise TypeError(f"{name}: expected True or False, found {_written(value)}")
    if not isinstance(polarity, MaskPolarity):
        expected = " or ".join(f"MaskPolarity.{one.name}" for one in MaskPolarity)
        raise TypeError(f"polarity: expected {expected}, found {_written(polarity)}")
    if call is not None and not callable(call):
        raise TypeError(f"call: expected a function of (module, x, memory, mask), found {_written(call)}")


def refuse_names(names: object, parameters: Mapping[str, object]) -> None:
    """Raise where the names of weights are none.

    Raises:
        TypeError: They are no mapping of text to text.
        ValueError: A matrix or a parameter is unknown.
    """
    if not isinstance(names, Mapping) or not all(isinstance(one, str) for pair in names.items() for one in pair):
        raise TypeError(f'names: expected a mapping such as {{"W_Q": "query.weight"}}, found {_written(names)}')
    for role, name in names.items():
        if role not in _WEIGHTS:
            raise ValueError(f"names: expected {', '.join(_WEIGHTS)}, found {role!r}")
        if name not in parameters and f"{name}.weight" not in parameters:
            raise ValueError(f"names: the module has no parameter {name!r}; it has {', '.join(parameters) or 'none'}")


def _written(value: object) -> str:
    kind = "the class" if isinstance(value, type | EnumType) else type(value).__name__
    return f"{kind} {value!r:.80}"
