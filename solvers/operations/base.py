"""What an operation of the vocabulary is, and the edits that its catalogued mistakes are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from question_bank.math.symbols import letter
from question_bank.program import PRIME, Ask, Call, Parameter, Program, Shape
from question_bank.text import Text
from solvers.hand import Array, Hand

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Edited:
    """A program with one mistake in it.

    Attributes:
        program: The edited program, asking the one part that the mistake is looked at for.
        fills: What stands in the places of the mistake's sentence.
    """

    program: Program
    fills: tuple[tuple[str, str], ...] = ()


Edit = Callable[[Program, Call, Ask], Iterator[Edited]]
"""Makes edited programs from a program, the call that goes wrong, and the part asked."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A catalogued mistake.

    Attributes:
        id: Its name, the operation's first: ``scale.by-d_k``.
        sentence: What the person did, in one sentence without its full stop, with inline math.
        edit: How the program reads for a person who makes it.
    """

    id: str
    sentence: Text
    edit: Edit


class Operation:
    """One operation of the vocabulary.

    Subclasses define the operation twice, in torch and by hand; tests hold the two against each other and against an
    independent NumPy reference.
    """

    name: ClassVar[str]
    title: ClassVar[Text]
    reason: ClassVar[Text]
    section: ClassVar[str] = ""
    """The lesson that explains it, such as ``7.9``; none for what every lesson may use, such as adding."""
    aligned: ClassVar[tuple[int, ...]] = ()
    """Positions of the arguments of which row i of the result needs row i alone."""
    compares: ClassVar[bool] = False
    """Whether its arguments are given to the person who compares them: no mistakes are looked for on the way to them."""
    mistakes: ClassVar[tuple[Mistake, ...]] = ()

    def formula(self, line: Call) -> str:
        """Write a call as a formula in LaTeX."""
        raise NotImplementedError

    def torch(self, *arguments: Any, **parameters: Any) -> Tensor:
        """Compute in torch; works on ``meta`` tensors too.

        Raises:
            RuntimeError: The shapes don't fit; torch names them.
            ShapeError: The shapes don't fit; both are named.
        """
        raise NotImplementedError

    def by_hand(self, hand: Hand, *arguments: Any, **parameters: Any) -> Array:
        """Compute line by line over vectors and matrices."""
        raise NotImplementedError


def symbol(name: str) -> str:
    r"""Write a node's name in LaTeX: ``W_Q`` as it is, ``d_model`` as ``d_{\text{model}}``, ``O′`` as ``{O'}``."""
    if name.endswith(PRIME):
        return f"{{{symbol(name.removesuffix(PRIME))}'}}"  # in braces, for an index or a power may follow
    head, _, tail = name.partition("_")
    head = letter(head) if len(head) == 1 else rf"\mathrm{{{head}}}"
    if not tail:
        return head
    return f"{head}_{tail}" if len(tail) == 1 else rf"{head}_{{\text{{{tail.replace('_', ' ')}}}}}"


def product(left: str, right: str) -> str:
    r"""Write the product of two nodes in LaTeX: ``X W_Q``; a word would run into its neighbour, so it's ``x \cdot \mathrm{mean}``."""
    words = any(len(name.partition("_")[0].removesuffix(PRIME)) > 1 for name in (left, right))
    return rf"{symbol(left)} \cdot {symbol(right)}" if words else f"{symbol(left)} {symbol(right)}"


def entry(name: str) -> str:
    """Write the entry of a node in row i and column j in LaTeX; a name with a subscript of its own stands in brackets."""
    written = symbol(name)
    return rf"({written})_{{ij}}" if "_" in written else rf"{written}_{{ij}}"


def term(name: str) -> str:
    """Write the entry i of a node in LaTeX; a name with a subscript of its own stands in brackets."""
    written = symbol(name)
    return rf"({written})_i" if "_" in written else rf"{written}_i"


# Edits -----------------------------------------------------------------------------------------------------------------


def with_parameters(**parameters: Parameter) -> Edit:
    """Edit: the call is made with other parameters."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        yield Edited(replace(program, asks=(ask,)).with_call(line.with_parameters(**parameters)))

    return edit


def where(applies: Callable[[Program, Call], bool], edit: Edit) -> Edit:
    """Edit: another edit, made at some calls of the operation only."""

    def edit_some(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if applies(program, line):
            yield from edit(program, line, ask)

    return edit_some


def other_of(name: str, default: str, other: str) -> Edit:
    """Edit: a parameter of two values has the other one."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        value = other if line.parameter(name, default) == default else default
        yield from with_parameters(**{name: value})(program, line, ask)

    return edit


def only_if(applies: Callable[[Program, Call], bool], edit: Edit) -> Edit:
    """Edit: made only where it makes a difference, or where what it is about occurs."""

    def edit_some(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if applies(program, line):
            yield from edit(program, line, ask)

    return edit_some


def only_with(name: str, value: Parameter, default: Parameter, edit: Edit) -> Edit:
    """Edit: made only where a parameter has a value, given or by default."""
    return only_if(lambda _program, line: line.parameter(name, default) == value, edit)


def dropped() -> Edit:
    """Edit: the call is left out; its first argument passes through."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        yield Edited(replace(program, asks=(ask,)).with_call(Call(line.node, "same", line.arguments[:1])))

    return edit


def shortened(count: int) -> Edit:
    """Edit: the call is made with its first arguments alone, where it has more."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if len(line.arguments) > count:
            yield Edited(replace(program, asks=(ask,)).with_call(replace(line, arguments=line.arguments[:count])))

    return edit


def everywhere(edit: Edit) -> Edit:
    """Edit: a mistake of habit, made at every call of the operation alike."""

    def edit_all(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        changed = replace(program, asks=(ask,))
        for other in program.calls:
            if other.operation == line.operation:
                for edited in edit(changed, other, ask):
                    changed = edited.program
        yield Edited(changed)

    return edit_all


def rewired(position: int, *names: str) -> Edit:
    """Edit: another node of the program, the first that exists, is used as one argument."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if position >= len(line.arguments):
            return
        before = _earlier(program, line)
        for name in names:
            if name in before and name != line.arguments[position]:
                yield Edited(
                    replace(program, asks=(ask,)).with_call(rewire(line, position, name)),
                    (("used", name), ("meant", line.arguments[position])),
                )
                return

    return edit


def rewire(line: Call, position: int, name: str) -> Call:
    """Return the call with one argument replaced."""
    arguments = (*line.arguments[:position], name, *line.arguments[position + 1 :])
    return replace(line, arguments=arguments)


def _earlier(program: Program, line: Call) -> set[str]:
    names = set(program.values)
    for other in program.calls:
        if other.node == line.node:
            break
        names.add(other.node)
    return names


def swapped(first: int, second: int) -> Edit:
    """Edit: two arguments change places."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if max(first, second) < len(line.arguments):
            arguments = list(line.arguments)
            arguments[first], arguments[second] = arguments[second], arguments[first]
            yield Edited(replace(program, asks=(ask,)).with_call(replace(line, arguments=tuple(arguments))))

    return edit


def after_softmax(**parameters: Parameter) -> Edit:
    """Edit: a mask is moved behind the softmax that uses it, and the weights are not normalised again."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        users = [user for user in program.consumers(line.node) if user.operation == "softmax"]
        if len(users) != 1 or ask.node == line.node:
            return
        weights = users[0]
        bare = f"{weights.node} unmasked"
        calls: list[Call] = []
        for other in program.calls:
            if other.node == line.node:
                calls.append(Call(line.node, "same", line.arguments[:1]))
            elif other.node == weights.node:
                calls.append(replace(weights, node=bare))
                calls.append(
                    replace(line, node=weights.node, arguments=(bare, *line.arguments[1:])).with_parameters(**parameters)
                )
            else:
                calls.append(other)
        yield Edited(replace(program, calls=tuple(calls), asks=(ask,)))

    return edit


def norm_elsewhere() -> Edit:
    """Edit: a norm in front of a sub-layer is moved behind the residual sum, and the reverse; a sub-layer is one line."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if ask.node == line.node and program.lines[line.node].arguments[0] in program.values:
            return
        yield from _behind(program, line, ask)
        yield from _in_front(program, line, ask)

    return edit


def _behind(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    x = line.arguments[0]
    branches = program.consumers(line.node)
    sums = program.consumers(branches[0].node) if len(branches) == 1 else ()
    if len(sums) != 1 or sums[0].operation != "residual_add" or sums[0].arguments != (x, branches[0].node):
        return
    bare = f"{sums[0].node} before the norm"
    moved = {
        line.node: (Call(line.node, "same", (x,)),),
        sums[0].node: (replace(sums[0], node=bare), replace(line, node=sums[0].node, arguments=(bare, *line.arguments[1:]))),
    }
    calls = tuple(one for old in program.calls for one in moved.get(old.node, (old,)))
    yield Edited(replace(program, calls=calls, asks=(ask,)))


def _in_front(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    total = program.lines.get(line.arguments[0])
    branch = program.lines.get(total.arguments[1]) if total is not None and total.operation == "residual_add" else None
    if total is None or branch is None or branch.arguments[0] != total.arguments[0]:
        return
    x, normed = total.arguments[0], f"{total.arguments[0]} normalised"
    moved = {
        branch.node: (replace(line, node=normed, arguments=(x, *line.arguments[1:])), rewire(branch, 0, normed)),
        line.node: (Call(line.node, "same", line.arguments[:1]),),
    }
    calls = tuple(one for old in program.calls for one in moved.get(old.node, (old,)))
    yield Edited(replace(program, calls=calls, asks=(ask,)))


def norm_on_the_branch() -> Edit:
    """Edit: a norm in front of a sub-layer, or behind the residual sum, is applied to the sub-layer's output instead."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if ask.node == line.node and program.lines[line.node].arguments[0] in program.values:
            return
        branch, total = _sub_layer(program, line)
        if branch is None or total is None:
            return
        normed = f"{branch.node} normalised"
        moved = {
            line.node: (Call(line.node, "same", line.arguments[:1]),),
            total.node: (
                replace(line, node=normed, arguments=(branch.node, *line.arguments[1:])),
                rewire(total, 1, normed),
            ),
        }
        calls = tuple(one for old in program.calls for one in moved.get(old.node, (old,)))
        yield Edited(replace(program, calls=calls, asks=(ask,)))

    return edit


def _sub_layer(program: Program, norm: Call) -> tuple[Call | None, Call | None]:
    """Return the sub-layer, a single line, and the residual sum that a norm stands in front of, or behind."""
    total = program.lines.get(norm.arguments[0])
    if total is not None and total.operation == "residual_add":
        branch = program.lines.get(total.arguments[1])
        return (branch, total) if branch is not None and branch.arguments[0] == total.arguments[0] else (None, None)
    branches = program.consumers(norm.node)
    sums = program.consumers(branches[0].node) if len(branches) == 1 else ()
    fits = len(sums) == 1 and sums[0].operation == "residual_add"
    return (branches[0], sums[0]) if fits and sums[0].arguments == (norm.arguments[0], branches[0].node) else (None, None)


def asked_elsewhere(index: Callable[[Ask], tuple[int, ...] | None]) -> Edit:
    """Edit: the right thing is computed, and another cell of it is given. Applies to the node asked only."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        other = index(ask) if ask.node == line.node else None
        if other is not None and other != ask.index:
            yield Edited(replace(program, asks=(replace(ask, index=other),)))

    return edit


def with_shapes(change: Callable[[Program, Call], dict[str, tuple[int, ...]] | None]) -> Edit:
    """Edit: some inputs known by shape are taken for others."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        shapes = change(program, line)
        if shapes:
            inputs = {name: Shape(dimensions) for name, dimensions in shapes.items()}
            yield Edited(replace(program, asks=(ask,)).with_inputs(**inputs))

    return edit
