"""Find the weights of a person's own attention module, and put the reference's in their places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

from question_bank.text import Text
from solvers.checking import sentences

if TYPE_CHECKING:
    from torch import Tensor, nn

ROLES = ("W_Q", "W_K", "W_V", "W_O")


def _spellings(letter: str, word: str) -> str:
    verbs, nouns = "to|lin|linear|fc|dense|map|proj", "lin|linear|layer|net|map|weights?"
    one = f"(?:{letter}|{word})"
    return rf"w_?{letter}|{letter}_?w|{one}_?proj\w*|(?:{verbs})_?{one}|{one}_(?:{nouns})|{one}"


_WORDS = {
    "W_Q": _spellings("q", "query|queries"),
    "W_K": _spellings("k", "keys?"),
    "W_V": _spellings("v", "values?"),
    "W_O": _spellings("o", r"out\w*") + r"|proj|projection|dense|c_proj|unify\w*|fc|final\w*|linear",
    "QKV": r"(?:(?:w|to|lin|linear|proj)_?)?qkv\w*|c_attn|in_proj\w*|attn|w_?pack",
    "KV": r"(?:(?:w|to|lin|linear|proj)_?)?kv\w*",
}
_PATTERNS = {role: re.compile(words, re.IGNORECASE) for role, words in _WORDS.items()}


class NoPlaceError(ValueError):
    """A module whose weights can't be told apart.

    Attributes:
        found: Its parameters, with their shapes.
        missing: Which of the reference's matrices have no place.
    """

    def __init__(self, found: str, missing: str) -> None:
        """Keep what was found and what is missing."""
        super().__init__(f"{missing}: {found}")
        self.found = found
        self.missing = missing


@dataclass(frozen=True)
class Place:
    """A parameter of a module, and what belongs there.

    Attributes:
        name: Its qualified name.
        role: ``W_Q`` ... ``W_O``, ``QKV`` or ``KV`` for several side by side.
        transposed: Whether it is stored as ``nn.Linear`` stores its weight.
        head: The head that it is for, where each has a parameter of its own.
    """

    name: str
    role: str
    transposed: bool
    head: int | None = None


class MisfitError(ValueError):
    """Weights that can't be those of one attention.

    Attributes:
        message: What was found, in both languages.
        heads: Whether it is the number of heads that doesn't fit.
    """

    def __init__(self, message: Text, *, heads: bool = False) -> None:
        """Keep the message."""
        super().__init__(message.en)
        self.message = message
        self.heads = heads


@dataclass(frozen=True)
class Sizes:
    """The sizes that a module's weights have.

    Attributes:
        d_model: Features of a token that asks.
        d_memory: Features of a token that is asked.
        d_k: Features of a query, all heads together.
        d_v: Features of what is mixed, all heads together.
        heads: How many heads there are.
        kv_heads: How many of them have keys and values of their own; with grouped queries fewer.
        output: Whether there is a W_O.
    """

    d_model: int
    d_memory: int
    d_k: int
    d_v: int
    heads: int
    kv_heads: int
    output: bool

    @property
    def shapes(self) -> dict[str, tuple[int, int]]:
        """The shape of each matrix of X W, by role."""
        width_k, width_v = (width * self.kv_heads // self.heads for width in (self.d_k, self.d_v))
        found = {"W_Q": (self.d_model, self.d_k), "W_K": (self.d_memory, width_k), "W_V": (self.d_memory, width_v)}
        return found | ({"W_O": (self.d_v, self.d_model)} if self.output else {})


def places(module: nn.Module, names: Mapping[str, str]) -> tuple[Place, ...]:
    """Find the places of W_Q, W_K, W_V and W_O among a module's parameters.

    Args:
        module: The module.
        names: Names of the person's own: ``{"W_Q": "attend.alpha"}``; a module's name stands for its weight.

    Raises:
        NoPlaceError: Some have none, although the module has parameters.
    """
    from torch import nn

    parameters = dict(module.named_parameters())
    given = {f"{name}.weight" if f"{name}.weight" in parameters else name: role for role, name in names.items()}
    found: list[Place] = []
    for name, parameter in parameters.items():
        if parameter.dim() < 2:
            continue
        owner, _, last = name.rpartition(".")
        linear = isinstance(module.get_submodule(owner), nn.Linear | nn.MultiheadAttention)
        role = given.get(name) or _role(name)
        if role is not None:
            stored = linear or last == "in_proj_weight" or (role == "QKV" and parameter.shape[0] == 3 * parameter.shape[-1])
            number = next((int(part) for part in name.split(".") if part.isdigit()), None)
            found.append(Place(name, role, stored, number if role != "W_O" else None))
    several = Counter(place.role for place in found)
    found = [replace(place, head=None) if several[place.role] == 1 else place for place in found]
    has = set(several)
    covered = has | ({"W_Q", "W_K", "W_V"} if "QKV" in has else set()) | ({"W_K", "W_V"} if "KV" in has else set())
    missing = [role for role in ROLES[:3] if role not in covered]
    if parameters and missing:
        shapes = ", ".join(f"{name} {list(parameter.shape)}" for name, parameter in parameters.items())
        raise NoPlaceError(shapes, ", ".join(missing))
    return tuple(found)


def _role(name: str) -> str | None:
    """Tell from a parameter's name what it is, the last part that says so first."""
    for part in reversed([part for part in name.split(".") if part not in ("weight", "bias") and not part.isdigit()]):
        for role in ("QKV", "KV", *ROLES):
            if _PATTERNS[role].fullmatch(part):
                return role
    return None


def sizes(module: nn.Module, found: tuple[Place, ...], heads: int, names: Mapping[str, str], *, cross: bool) -> Sizes:
    """Read the sizes off the weights.

    Args:
        module: The module.
        found: Its places.
        heads: How many heads it has.
        names: Names of the person's own, which are believed.
        cross: Whether tokens that are asked may be others, with other features, than those that ask.

    Raises:
        MisfitError: They can't be those of one attention.
    """
    parameters = dict(module.named_parameters())

    def ends(place: Place) -> tuple[int, int]:
        shape = tuple(parameters[place.name].shape)
        if len(shape) == 3 and place.role == "W_O":
            return shape[0] * shape[1], shape[2]
        if len(shape) == 3:
            first = shape[0] == heads or (place.role != "W_Q" and shape[1] == d_model != shape[0])
            return (shape[1], shape[0] * shape[2]) if first else (shape[0], shape[1] * shape[2])
        return (shape[1], shape[0]) if place.transposed else (shape[0], shape[1])

    def total(*roles: str) -> int:
        return sum(ends(place)[1] for place in found if place.role in roles)

    roles = {place.role for place in found}
    d_model = 0
    d_model = ends(next(place for place in found if place.role in ("W_Q", "QKV")))[0]
    memory = {ends(place)[0] for place in found if place.role in ("QKV", "KV", "W_K", "W_V")}
    given = next((ends(place)[0] for place in found if place.role == "W_O"), 0)
    shapes = ", ".join(f"{place.name} {list(parameters[place.name].shape)}" for place in found)
    if "QKV" in roles:
        d_k = width_v = width_k = total("QKV") // 3
        fewer = _kv_heads(module) or (given and heads * (total("QKV") - given) // (2 * given))
        if 0 < fewer < heads:
            d_k = total("QKV") * heads // (heads + 2 * fewer)
            width_k = width_v = (total("QKV") - d_k) // 2
    else:
        d_k = total("W_Q")
        width_k, width_v = (total("KV") // 2,) * 2 if "KV" in roles else (total("W_K"), total("W_V"))
    if width_v == 1 < d_k and "W_V" not in names and not _is_value(module, found, d_model):
        raise MisfitError(sentences.ADDITIVE.fill(found=shapes))
    if d_k % heads:
        raise MisfitError(sentences.HEADS.fill(heads=heads, width=d_k, found=shapes), heads=True)
    kv_heads = heads * width_k // d_k
    if not kv_heads or width_k * heads != kv_heads * d_k or heads % kv_heads:
        raise MisfitError(sentences.KV_HEADS.fill(heads=heads, q=d_k, k=width_k, found=shapes), heads=True)
    if width_v % kv_heads:
        raise MisfitError(sentences.HEADS.fill(heads=kv_heads, width=width_v, found=shapes), heads=True)
    size = Sizes(d_model, max(memory), d_k, width_v * heads // kv_heads, heads, kv_heads, "W_O" in roles)
    if len(memory) > 1 or (not cross and memory != {d_model}) or not _fit(module, found, size):
        raise MisfitError(sentences.MISFIT.fill(heads=heads, found=shapes))
    return size


_NAMES_OF_KV_HEADS = (
    "num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_kv_head", "kv_heads", "n_head_kv", "num_kv_groups", "h_kv", "n_kv",
)  # fmt: skip


def _kv_heads(module: nn.Module) -> int:
    """Return how many heads of keys and values a module says it has; 0 where it doesn't say."""
    values = (getattr(module, name, None) for name in _NAMES_OF_KV_HEADS)
    return next((value for value in values if isinstance(value, int) and not isinstance(value, bool)), 0)


def _is_value(module: nn.Module, found: tuple[Place, ...], d_model: int) -> bool:
    """Tell whether what gives one number is a value, not the vector that additive attention weighs its scores with."""
    places = [place for place in found if place.role == "W_V"]
    wide = {dict(module.named_parameters())[place.name].shape[1 if place.transposed else 0] for place in places}
    return wide == {d_model} and all("value" in place.name.lower() for place in places)


def _fit(module: nn.Module, found: tuple[Place, ...], size: Sizes) -> bool:
    """Tell whether matrices of these sizes can be put into the module."""
    import torch

    weights = {role: torch.zeros(shape) for role, shape in size.shapes.items()}
    parameters = dict(module.named_parameters())
    for place in found:
        matrix = _matrix(place, weights, size, ROLES[:3], by_head=False)
        try:
            if _as_stored(matrix, place, parameters[place.name], size, turned=False).shape != parameters[place.name].shape:
                return False
        except RuntimeError:
            return False
    return True


Weights = Mapping[str, "Tensor"]
"""The matrices of X W by role: W_Q [d_model, d_k] and so on."""


def adoptions(module: nn.Module, found: tuple[Place, ...], size: Sizes) -> Iterator[Callable[[Weights], None]]:
    """Yield the ways of putting weights into a module: most modules have one.

    Several matrices in one parameter may stand in any order, and head by head; a square parameter of no ``nn.Linear`` may be
    meant for X W or for its transpose.
    """
    orders: list[tuple[str, ...]] = [("W_Q", "W_K", "W_V")]
    if any(place.role in ("QKV", "KV") for place in found):
        orders = list(permutations(ROLES[:3]))
    parameters = dict(module.named_parameters())
    bare = any(not place.transposed and parameters[place.name].dim() == 2 for place in found)
    for by_head in (False, True) if size.heads > 1 and len(orders) > 1 else (False,):
        for turned in (False, True) if bare else (False,):
            for order in orders:
                yield _adoption(module, found, size, order, by_head, turned)


def _adoption(
    module: nn.Module, found: tuple[Place, ...], size: Sizes, order: tuple[str, ...], by_head: bool, turned: bool
) -> Callable[[Weights], None]:
    def adopt(weights: Weights) -> None:
        import torch

        parameters = dict(module.named_parameters())
        with torch.no_grad():
            for name, parameter in parameters.items():
                if parameter.dim() < 2:
                    parameter.zero_()
                    if "norm" in name.lower() and name.endswith("weight"):
                        parameter.fill_(1.0)
            for place in found:
                parameter = parameters[place.name]
                matrix = _matrix(place, weights, size, order, by_head)
                parameter.copy_(_as_stored(matrix, place, parameter, size, turned).to(parameter.dtype))

    return adopt


def _matrix(place: Place, weights: Weights, size: Sizes, order: tuple[str, ...], by_head: bool) -> Tensor:
    import torch

    roles = {"QKV": order, "KV": tuple(role for role in order if role != "W_Q")}.get(place.role)
    if roles is None:
        matrix, heads = weights[place.role], _heads_of(place.role, size)
        if place.head is not None and matrix.shape[1] % heads == 0 and place.head < heads:
            matrix = matrix.chunk(heads, 1)[place.head]
        return matrix
    parts = [weights[role] for role in roles]
    if not by_head:
        return torch.cat(parts, 1)
    # With grouped queries, group by group: the queries of a group, its key and its value.
    return torch.cat([part.chunk(size.kv_heads, 1)[group] for group in range(size.kv_heads) for part in parts], 1)


def _heads_of(role: str, size: Sizes) -> int:
    return size.kv_heads if role in ("W_K", "W_V") else size.heads


def _as_stored(matrix: Tensor, place: Place, parameter: Tensor, size: Sizes, turned: bool) -> Tensor:
    if parameter.dim() == 3:
        if place.role == "W_O":
            return matrix.reshape(size.heads, -1, matrix.shape[-1])  # [h, d_v, d_model]
        parted = matrix.reshape(matrix.shape[0], _heads_of(place.role, size), -1)  # [d_model, h, d_k]
        return parted if tuple(parted.shape) == tuple(parameter.shape) else parted.transpose(0, 1)
    transposed = place.transposed or (turned and matrix.shape[0] == matrix.shape[1]) or parameter.shape != matrix.shape
    return matrix.T if transposed else matrix
