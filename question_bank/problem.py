"""A problem: a drill at a level with a seed, rebuilt from its code on any machine."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from random import Random

from question_bank import verified
from question_bank.codes import LARGEST_SEED, CodeError, read_code, write_code
from question_bank.drills import DRILLS
from question_bank.drills.base import Draw, Drill, Sampler
from question_bank.program import Program
from question_bank.text import Text


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, ready to be shown and solved.

    Attributes:
        drill: The drill's id.
        level: 1 in the head, 2 on paper, 3 with a calculator, 4 real model sizes.
        seed: What its numbers were drawn with.
        code: The printable code that rebuilds it.
        prompt: What is asked, with inline math between dollar signs.
        program: Inputs, computation and what is asked of it.
        listing: Lines of code that the prompt is about, shown numbered from 1; none for most drills.
        remark: What the worked solution ends with, in words; None where its numbers say all.
    """

    drill: str
    level: int
    seed: int
    code: str
    prompt: Text
    program: Program
    listing: tuple[str, ...] = ()
    remark: Text | None = None


def find_drill(drill: str) -> Drill:
    """Return a drill by its id.

    Raises:
        CodeError: There is none of that name; the nearest name is suggested.
    """
    found = DRILLS.get(drill.strip().lower())
    if found is not None:
        return found
    near = difflib.get_close_matches(drill.strip().lower()[:60], DRILLS, n=1, cutoff=0.5)
    message = Text("There is no drill “{drill}”.", "没有名为“{drill}”的练习。").fill(drill=drill[:60])
    if near:
        message += Text("Did you mean {near}?", "是不是想找 {near}？").fill(near=near[0])
    else:
        message += Text("“quizapp list drills” shows them all.", "运行 quizapp list drills 可查看全部练习。")
    raise CodeError(message)


def problem(drill_or_code: str, level: int | None = None, seed: int | None = None) -> Problem:
    """Build a problem from drill, level and seed, or from its code alone.

    Args:
        drill_or_code: A drill's id with level and seed, or a code such as ``softmax-row.2.009rv`` without them.
        level: The level, where a drill is named.
        seed: The seed, where a drill is named; not every seed is one that ``draw`` offers.

    Raises:
        CodeError: The drill, the level or the code is unknown, mistyped, or of another revision.
    """
    if level is None and seed is None:
        name, _, rest = drill_or_code.strip().partition(".")
        if "." in rest and name[:1].isalpha():
            find_drill(name)  # a drill that doesn't exist is said before a check character that can't fit
        parts = read_code(drill_or_code)
        drill = find_drill(parts.drill)
        built = problem(drill.id, parts.level, parts.seed)
        sample = drill.sampler(parts.level, parts.revision)
        if sample is None:
            raise CodeError(
                Text(
                    "The code “{code}” belongs to another release: {drill} has been revised and would give other numbers.",
                    "代码“{code}”出自另一个版本：练习 {drill} 已经修订，还原不出原来的数字。",
                ).fill(code=drill_or_code.strip(), drill=drill.id)
            )
        return built if sample is drill.sample else _build(drill, sample, parts.level, parts.revision, parts.seed)
    drill = find_drill(drill_or_code)
    level = 1 if level is None else level
    if level not in drill.levels:
        levels = [str(each) for each in drill.levels]
        raise CodeError(
            Text(
                "{drill} has levels {levels}, but no level {level}.",
                "{drill} 的难度有 {levels}，没有难度 {level}。",
            ).fill(drill=drill.id, levels=Text(", ".join(levels), "、".join(levels)), level=level)
        )
    seed = 0 if seed is None else seed
    if not 0 <= seed <= LARGEST_SEED:
        raise CodeError(
            Text(
                "A seed is a whole number from 0 to {last}; {seed} is not.", "种子应是 0 到 {last} 之间的整数，{seed} 不是。"
            ).fill(seed=seed, last=LARGEST_SEED)
        )
    return _build(drill, drill.sample, level, drill.revision_at(level), seed)


def _build(drill: Drill, sample: Sampler, level: int, revision: str, seed: int) -> Problem:
    drawn = sample(Draw(f"{drill.id} {level} {revision} {seed}"), level)
    code = write_code(drill.id, level, revision, seed)
    return Problem(drill.id, level, seed, code, drawn.prompt, drawn.program, drawn.listing, drawn.remark)


def draw(drill: str, level: int, choice: str) -> Problem:
    """Choose one of the verified problems of a drill.

    Args:
        drill: The drill's id.
        level: The level.
        choice: Any text; the same text chooses the same problem.

    Raises:
        CodeError: The drill or the level is unknown.
    """
    found = find_drill(drill)
    if level not in found.levels:
        return problem(found.id, level, 0)
    seeds = verified.seeds(found.id, level)
    return problem(found.id, level, seeds[int(Random(choice).random() * len(seeds))])
