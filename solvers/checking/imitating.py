"""Attention as a program, over any tensors, and what each catalogued mistake makes of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text
from solvers import run
from solvers.checking import sentences
from solvers.mistakes import Slip, slips
from solvers.operations import OPERATIONS
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Design:
    """What an attention is made of.

    Attributes:
        heads: How many heads; one is not split.
        kv_heads: How many of them have keys and values of their own.
        projected: Whether Q, K and V are projections; else they are given.
        output: Whether W_O follows.
        cross: Whether keys and values come from a sequence of their own, E.
        scaled: Whether the scores are divided by √d_k.
    """

    heads: int = 1
    kv_heads: int = 1
    projected: bool = True
    output: bool = False
    cross: bool = False
    scaled: bool = True


@dataclass(frozen=True)
class Masks:
    """The masks of one sequence.

    Attributes:
        causal: Whether later tokens are hidden.
        keep: For each key 1, or 0 where it is padding; None where there is no padding mask.
    """

    causal: bool = False
    keep: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Fill:
    """A finite number in place of −∞: it differs where a mistake hides a whole row, which then has weights, not NaN.

    Attributes:
        amount: The number.
        added: Whether it is added to a hidden score, not put in its place.
    """

    amount: float
    added: bool = False

    def put(self, hidden: Tensor, scores: Tensor) -> Tensor:
        """Return scores that a mask made −∞ with this number there."""
        return (
            hidden.masked_fill(hidden.isneginf(), self.amount)
            if not self.added
            else hidden.where(~hidden.isneginf(), scores + self.amount)
        )


FILLS = (None, Fill(-1e9), Fill(-1e4), Fill(-1e9, added=True), Fill(-1e4, added=True))
"""What modules hide scores with, −∞ first."""

_MASKS = ("causal_mask", "padding_mask")


def program(design: Design, masks: Masks, tensors: Mapping[str, Tensor]) -> Program:
    """Write attention over one sequence as a program.

    Args:
        design: What it is made of.
        masks: What is hidden.
        tensors: X [S, d_model], E where there is one, and the weights; or Q, K and V where nothing is projected.
    """
    # The mistakes look at shapes alone: what stands in the cells is put in when the program is run.
    inputs: list[tuple[str, Nested]] = [(name, _placeholder(tuple(tensor.shape))) for name, tensor in tensors.items()]
    calls: list[Call] = []
    if design.projected:
        source = "E" if design.cross else "X"
        calls += [call("Q", "project", "X", "W_Q"), call("K", "project", source, "W_K"), call("V", "project", source, "W_V")]
        width, d_model = tensors["W_Q"].shape[1], tensors["X"].shape[1]
    else:
        width = d_model = tensors["Q"].shape[1]
    names = ["Q", "K", "V"]
    inputs += [("d_k", width // design.heads), ("d_model", d_model), ("h", design.heads)]
    if design.heads > 1:
        if design.kv_heads < design.heads:
            inputs.append(("h_kv", design.kv_heads))
            calls.append(call("Q_h", "split_heads", "Q", "h"))
            calls += [call(f"{name}_g", "split_heads", name, "h_kv") for name in "KV"]
            calls += [call(f"{name}_h", "repeat_heads", f"{name}_g", "h") for name in "KV"]
        else:
            calls += [call(f"{name}_h", "split_heads", name, "h") for name in names]
        names = [f"{name}_h" for name in names]
    calls.append(call("S", "scores", names[0], names[1]))
    last = "S"
    if design.scaled:
        calls.append(call("Z", "scale", "S", "d_k"))
        last = "Z"
    if masks.keep is not None:
        inputs.append(("m", masks.keep))
        calls.append(call("P", "padding_mask", last, "m"))
        last = "P"
    if masks.causal:
        calls.append(call("M", "causal_mask", last))
        last = "M"
    calls += [call("A", "softmax", last), call("O", "mix", "A", names[2])]
    last = "O"
    if design.heads > 1:
        calls.append(call("H", "concat_heads", "O"))
        last = "H"
    if design.output:
        calls.append(call("Y", "output_projection", last, "W_O"))
        last = "Y"
    return Program(tuple(inputs), tuple(calls), (Ask(last, AnswerFormat(Kind.MATRIX)),))


def _placeholder(shape: tuple[int, ...]) -> Nested:
    return tuple(_placeholder(shape[1:]) for _ in range(shape[0])) if shape else 0


class Imitation:
    """Attention over one sequence, right and with each mistake.

    Attributes:
        right: What it gives, [S, d].
    """

    def __init__(self, design: Design, masks: Masks, tensors: Mapping[str, Tensor]) -> None:
        """Run the program."""
        self._program = program(design, masks, tensors)
        inputs: dict[str, Any] = dict(tensors)
        for name, value in self._program.inputs:
            if name not in inputs:
                inputs[name] = run.values(self._program.with_asks().with_inputs(**{name: value}))[name]
        self._environments: dict[Fill | None, dict[str, Tensor]] = {
            None: run.values(self._program, base=(self._program, inputs))
        }
        self.right: Tensor = self._environments[None][self._last]

    @property
    def _last(self) -> str:
        return self._program.asks[0].node

    def nodes(self, fill: Fill | None = None) -> dict[str, Tensor]:
        """Return every node's tensor, with another number in place of −∞."""
        if fill not in self._environments:
            inputs = {name: self._environments[None][name] for name, _ in self._program.inputs}
            self._environments[fill] = self._follow(self._program, inputs, fill, {})
        return self._environments[fill]

    def mistaken(self, fill: Fill | None = None, only: Container[str] | None = None) -> Iterator[tuple[str, Text, Tensor]]:
        """Yield each mistake's id and sentence, and what it gives; those that can't be made with these shapes are left out.

        Args:
            fill: What hidden scores become in place of −∞.
            only: Ids of the mistakes looked for; None for all.
        """
        for slip in (*slips(self._program, 0), *_slips_of_code(self._program)):
            if only is not None and slip.mistake not in only:
                continue
            if fill is not None and slip.program.inputs != self._program.inputs:
                continue
            try:
                if fill is None:
                    environment = run.values(slip.program, base=(self._program, self._environments[None]))
                else:
                    environment = self._follow(slip.program, self.nodes(fill), fill, {})
            except (ShapeError, RuntimeError, IndexError, ValueError, TypeError):
                continue
            yield slip.mistake, slip.sentence, environment[slip.program.asks[0].node]

    def with_nodes(self, fill: Fill | None = None, **put: Tensor) -> Tensor:
        """Return what comes out where other tensors stand in for some nodes."""
        return self._follow(self._program, self.nodes(fill), fill, put)[self._last]

    def line(self, operation: str) -> Call | None:
        """Return the first line of an operation."""
        return next((line for line in self._program.calls if line.operation == operation), None)

    def _follow(
        self, edited: Program, old: Mapping[str, Tensor], fill: Fill | None, put: Mapping[str, Tensor]
    ) -> dict[str, Tensor]:
        import torch

        environment: dict[str, Tensor] = {name: old[name] for name, _ in edited.inputs}
        unchanged = set(environment)
        with torch.inference_mode():
            for line in edited.needed(*(ask.node for ask in edited.asks)):
                if line.node in put:
                    environment[line.node] = put[line.node]
                    continue
                arguments = [environment[name] for name in line.arguments]
                if line.node in old and unchanged.issuperset(line.arguments) and self._program.lines.get(line.node) == line:
                    environment[line.node] = old[line.node]
                    unchanged.add(line.node)
                    continue
                result = OPERATIONS[line.operation].torch(*arguments, **dict(line.parameters))
                if fill is not None and line.operation in _MASKS:
                    result = fill.put(result, arguments[0])
                environment[line.node] = result
        return environment


def over_the_batch(imitations: Sequence[Imitation], fill: Fill | None) -> list[Tensor]:
    """Return what each sequence of a batch gives where the softmax is taken over the batch."""
    import torch

    softmax = imitations[0].line("softmax")
    if softmax is None:
        return []
    with torch.inference_mode():
        weights = torch.stack([one.nodes(fill)[softmax.arguments[0]] for one in imitations]).softmax(0)  # [B, .., S_q, S_k]
    return [one.with_nodes(fill, **{softmax.node: own}) for one, own in zip(imitations, weights, strict=True)]


def tiled(imitations: Sequence[Imitation], fill: Fill | None) -> list[Tensor]:
    """Return what each sequence gives where KV heads are repeated in turn, not each beside its copies."""
    if imitations[0].line("repeat_heads") is None:
        return []
    outputs = []
    for one in imitations:
        nodes = one.nodes(fill)
        times = nodes["Q_h"].shape[-3] // nodes["K_g"].shape[-3]
        outputs.append(one.with_nodes(fill, **{f"{name}_h": nodes[f"{name}_g"].repeat(times, 1, 1) for name in "KV"}))
    return outputs


ACROSS = (
    ("softmax.batch", sentences.OVER_THE_BATCH, over_the_batch),
    ("repeat_heads.tiled", sentences.TILED, tiled),
)
"""Mistakes of code that no edit of a program over one sequence makes."""


_OF_CODE = (
    (
        "split_heads.cut-sequence",
        Text(
            "You cut the sequence into heads, not the features: view as [B, S, h, d_k] first, then transpose(1, 2)",
            "你切的是序列，不是特征：应先 view 成 [B, S, h, d_k]，再 transpose(1, 2)",
        ),
        (("split_heads", {"form": "cut-sequence"}),),
    ),
    (
        "split_heads.never-transposed",
        Text(
            "You didn't transpose the heads: with [B, S, h, d_k] each token's heads attend to one another, not token to token",
            "你没有转置 head 维：形状停在 [B, S, h, d_k]，是同一个 token 的各个 head 互相做注意力，而不是 token 之间",
        ),
        (("split_heads", {"form": "no-transpose"}), ("concat_heads", {"form": "flat"})),
    ),
    (
        "concat_heads.no-transpose",
        Text(
            "You joined the heads without transposing back: [B, h, S, d_k] must become [B, S, h, d_k] first",
            "你拼接各个 head 之前没有转置回来：[B, h, S, d_k] 应先变回 [B, S, h, d_k]",
        ),
        (("concat_heads", {"form": "no-transpose"}),),
    ),
    (
        "softmax.heads",
        Text("You took the softmax over the heads, not over the keys", "你在 head 维上做了 softmax，应当在 key 维上做"),
        (("softmax", {"over": "heads"}),),
    ),
    (
        "causal_mask.inverted",
        Text("You took the mask the other way round", "你把 mask 的含义弄反了"),
        (("causal_mask", {"hides": "past-and-self"}),),
    ),
)
"""Mistakes of code, made by other parameters of the operations; nobody makes them on paper."""


def _slips_of_code(right: Program) -> Iterator[Slip]:
    for name, sentence, changes in _OF_CODE:
        if {operation for operation, _ in changes} <= {line.operation for line in right.calls}:
            edited = right
            for operation, parameters in changes:
                for line in right.calls:
                    if line.operation == operation:
                        edited = edited.with_call(line.with_parameters(**parameters))
            yield Slip(name, sentence, right.asks[0].node, edited)
