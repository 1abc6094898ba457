"""A remark names what a person has seen, and says in words what was never named."""

import pytest

from question_bank import Problem, problem, verified
from question_bank.drills import DRILLS
from question_bank.program import Kind
from question_bank.text import Language
from solvers import remarks
from solvers.mistakes import slips
from solvers.naming import called
from solvers.scenario import solved


def _said(given: Problem, mistake: str, language: Language) -> str:
    found = [
        (part, slip, scenario)
        for part in range(len(given.program.asks))
        for slip, scenario in solved(given.program).slips(part)
        if slip.mistake == mistake
    ]
    part, slip, scenario = found[0]
    return remarks.names(slip, scenario, given.program.asks[part], given.program, given)[language]


def _first(drill: str, level: int) -> Problem:
    return problem(drill, level, verified.seeds(drill, level)[0])


@pytest.mark.parametrize(
    ("drill", "level", "mistake", "en", "zh"),
    [
        (
            "leak",
            1,
            "influence.own-only",
            "the positions reached (1) or not (0) $y$ = [",
            "各位置是否受影响（1 是，0 否）$y$ = [",
        ),
        ("cross-shapes", 1, "project.transposed-weight", "gives the keys $K$ the shape", "key $K$ 的形状是"),
        ("cross-output", 2, "project.wrong-weight", "gives the keys $K$ = [[", "key $K$ = [["),
        (
            "additive-score",
            2,
            "project.transposed-weight",
            "gives $b$ (the product with $W_k$) = ",
            "乘以 $W_k$ 之后的结果 $b$ = ",
        ),
        ("scale-row", 1, "scale.by-d_k", "That gives $z$ = [", "照这样算，$z$ = ["),
        ("qkv-shapes", 3, "head_dimension.query-heads", "(the width of the", "总宽度 $w"),
    ],
)
def test_what_is_not_named_is_said_in_words(drill: str, level: int, mistake: str, en: str, zh: str) -> None:
    given = _first(drill, level)
    assert en in _said(given, mistake, Language.EN)
    assert zh in _said(given, mistake, Language.ZH)


def test_every_result_that_a_remark_may_name_has_words() -> None:
    """None is called after its step's title, which is only there for operations that come later."""
    for drill in DRILLS.values():
        for level in drill.levels:
            given = _first(drill.id, level)
            for part, ask in enumerate(given.program.asks):
                if ask.format.kind not in (Kind.LINE, Kind.YES_NO, Kind.ORDER):
                    for slip in slips(given.program, part):
                        if slip.node in given.program.lines:
                            words = called(slip.node, given.program, given)
                            assert "step" not in words.en, (given.code, slip.mistake)
