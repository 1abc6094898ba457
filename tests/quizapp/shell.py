"""Runs command lines in the test's own process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from click.testing import CliRunner

from quizapp.cli import cli


@dataclass(frozen=True)
class Ran:
    """What became of a command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def quiz(*arguments: str, stdin: str | bytes = "", environment: dict[str, str] | None = None) -> Ran:
    """Run ``quizapp`` with these arguments."""
    result = CliRunner().invoke(cli, arguments, input=stdin, env=environment)
    return Ran(result.exit_code, result.stdout, result.stderr)
