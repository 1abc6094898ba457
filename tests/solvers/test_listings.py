"""Listings run, and every line gives a tensor of the shape that the program beside it says."""

from __future__ import annotations

import math
import re

import pytest
import torch

from question_bank.drills import DRILLS
from question_bank.math import plain
from question_bank.program import Shape
from solvers import run
from tests.solvers.drawn import drawn

LINE = re.compile(r"(\w+) = .+")


@pytest.mark.parametrize("level", DRILLS["line-shape"].levels)
def test_each_line_has_the_shape_of_its_call(level: int) -> None:
    for problem in drawn("line-shape", level, 6):
        program = problem.program
        shapes = run.shapes(program.with_asks(*program.asks))
        names: dict[str, object] = {"torch": torch, "math": math}
        for name, value in program.inputs:
            names[name] = torch.empty(value.dimensions, device="meta") if isinstance(value, Shape) else value
        for line in program.calls:
            if line.operation == "weight":
                names[line.node] = torch.empty([program.values[size] for size in line.arguments], device="meta")  # type: ignore[misc]
        for number, code in enumerate(problem.listing, 1):
            matched = LINE.fullmatch(code)
            assert matched is not None
            exec(code, names)
            made = names[matched[1]]
            assert isinstance(made, torch.Tensor)
            if matched[1] in shapes:
                assert tuple(made.shape) == shapes[matched[1]], code
            for ask in program.asks:
                if ask.node == matched[1]:
                    assert f"{ask.node} after line {number}" in plain(problem.prompt.en)
