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

LINE = re.compile(r"^([0-9]+) ((\w+) = .+)$", re.MULTILINE)


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
        lines = LINE.findall(plain(problem.prompt.en))
        assert lines == LINE.findall(plain(problem.prompt.zh)), "the same listing in both languages"
        assert [int(number) for number, _, _ in lines] == list(range(1, len(lines) + 1))
        for _, code, node in lines:
            exec(code, names)
            made = names[node]
            assert isinstance(made, torch.Tensor)
            if node in shapes:
                assert tuple(made.shape) == shapes[node], code
        for ask in program.asks:
            number = next(number for number, _, node in lines if node == ask.node)
            assert f"{ask.node} after line {number}" in plain(problem.prompt.en)
