"""The application as it is, but for the solver: it marks without torch, so that it can be started often.

Everything is wrong that isn't given up. Run it as ``python -m tests.terminal.quick``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from question_bank.problem import Problem
from question_bank.program import Program
from question_bank.text import Text, same
from quizapp.app import make_app
from solvers.steps import Step
from solvers.verdict import Outcome, PartVerdict, Verdict

WRONG = Text("Wrong.", "不对。")


class QuickSolver:
    """Marks at once."""

    is_ready = True

    async def start(self) -> None:
        pass

    async def grade(self, problem: Problem | Program, answers: Sequence[str | None]) -> Verdict:
        parts = tuple(
            PartVerdict(Outcome.GIVEN_UP, same("–"), same(""), same("1"))
            if typed is None
            else PartVerdict(Outcome.WRONG, WRONG, same("0"), same("1"), typed)
            for typed in answers
        )
        outcome = max((part.outcome for part in parts), key=list(Outcome).index)
        return Verdict(outcome, parts, WRONG, problem.code if isinstance(problem, Problem) else "")

    async def work(self, problem: Problem | Program) -> tuple[Step, ...]:
        return ()

    async def call(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        from quizapp.solver_process import DIED, SolverError

        raise SolverError(DIED)

    async def close(self) -> None:
        pass


if __name__ == "__main__":
    app = make_app()
    app.solver = QuickSolver()
    app.run()
    raise SystemExit(app.return_code)
