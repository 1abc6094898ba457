"""A sheet that a person asks for in the application: from drills, from problems answered before, from questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from question_bank import CodeError, problem
from question_bank.drills import DRILLS
from question_bank.problem import Problem
from question_bank.questions.question import Question
from question_bank.text import Language, Text, same
from quizapp.commands.session import written
from quizapp.sheets.choosing import Source, copies, open_question, smallest
from quizapp.sheets.making import Order, make
from quizapp.sheets.plan import Copy, Item, Languages, Paper, Sheet
from quizapp.sheets.solutions import Key

_BETWEEN_WORDS = re.compile(r"[\W_]+")
"""What a file's name has a hyphen for: blanks, and every sign, of which a shell or a system may refuse some."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be on the sheet, and how.

    Attributes:
        title: What stands above it.
        drills: Drills, each with the level at which it was chosen.
        level: The level of all of them; None for those chosen.
        count: How many problems.
        codes: Just these problems, in place of the drills.
        questions: Interview questions behind them.
        languages: What it is printed in.
        key: How much of a key.
        paper: The size of its pages.
    """

    title: Text
    drills: tuple[tuple[str, int], ...] = ()
    level: int | None = None
    count: int = 6
    codes: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    languages: Languages = Languages.EN
    key: Key = Key.NONE
    paper: Paper = Paper.A4

    @property
    def sources(self) -> tuple[Source, ...]:
        """The drills with their levels; those that lack the level are left out."""
        wanted = [(DRILLS[name], chosen if self.level is None else self.level) for name, chosen in self.drills]
        return tuple(Source(drill, level) for drill, level in wanted if level in drill.levels)


def plan(wish: Wish, seed: str) -> Sheet:
    """Choose the problems.

    Args:
        wish: What is wanted; of drills with too few different problems, it gets as many as there are.
        seed: The text that chooses.
    """
    asked = tuple(map(open_question, wish.questions))
    title = " ".join(dict.fromkeys(written(wish.title, language) for language in wish.languages.each))
    if wish.codes or not wish.sources:
        items: tuple[Item, ...] = (*known(wish.codes), *asked)
        return Sheet(title, wish.languages, wish.paper, "", (Copy("", items),))
    count = wish.count
    while count > 1 and (few := smallest(wish.sources, count, seed)) is not None:
        count = max(1, min(count - 1, few[1] * len(wish.sources)))
    return Sheet(title, wish.languages, wish.paper, seed, tuple(copies(("",), wish.sources, count, seed, asked)))


def known(codes: Iterable[str]) -> list[Problem]:
    """Rebuild problems; those of another release are left out."""
    found = []
    for code in dict.fromkeys(codes):
        try:
            found.append(problem(code))
        except CodeError:
            continue
    return found


def order(wish: Wish, seed: str, folder: Path, now: datetime) -> Order:
    """Say which files are to be made, in a folder."""
    sheet = plan(wish, seed)
    name = _BETWEEN_WORDS.sub("-", written(wish.title, wish.languages.each[0]))[:60].strip("-") or "sheet"
    return Order(sheet, wish.key, folder / f"{name}-{now.astimezone():%Y-%m-%d-%H%M%S}.pdf")


def make_files(ordered: Order) -> tuple[Path, ...] | Text:
    """Make the files, in a process where torch may be loaded; returns why where it can't be done."""
    from quizapp.sheets.glyphs import NoGlyphError
    from quizapp.whole_file import WriteError, writing
    from solvers.run import RunError

    try:
        with writing(ordered.out.parent):
            ordered.out.parent.mkdir(parents=True, exist_ok=True)
        return make(ordered)
    except (WriteError, NoGlyphError, RunError) as error:
        return error.message


def languages_of(language: Language) -> Languages:
    """Return the languages of a sheet in one language."""
    return Languages(language.value)


def titled(titles: Sequence[Text]) -> Text:
    """List a few titles."""
    shown = titles[:3]
    more = same(" …") if len(titles) > len(shown) else same("")
    return Text("; ".join(title.en for title in shown) + more.en, "；".join(title.zh for title in shown) + more.zh)
