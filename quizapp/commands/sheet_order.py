"""From what was typed after ``quizapp sheet`` to a sheet and what is to be made of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from question_bank.bank import Bank
from question_bank.drills import DRILLS
from question_bank.drills.base import Drill
from question_bank.problem import Problem, find_drill, problem
from question_bank.questions.question import Question
from question_bank.text import Text, same
from quizapp import wording_sheets as wording
from quizapp.commands.exits import MisuseError
from quizapp.commands.export_selection import questions as find_questions
from quizapp.commands.session import Session, written
from quizapp.sheets.choosing import USUAL_COUNT, Source, copies, open_question, smallest, text_of
from quizapp.sheets.making import Form, Order
from quizapp.sheets.plan import Copy, Item, Languages, Paper, Sheet
from quizapp.sheets.roster import RosterError, read_roster
from quizapp.sheets.solutions import Key

LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class Typed:
    """The options as typed, each read but none looked up.

    Attributes:
        names: Drills or codes.
        sections: Sections whose drills are meant.
        questions: Which interview questions, as ``quizapp export`` names them.
        level: The level; None for each drill's lowest.
        count: How many problems; None for the usual number.
        seed: The text that chooses; None for any.
        paper: The size of the pages.
        key: How much of a key; None where it wasn't said.
        key_file: The key's own file.
        title: What stands above; None for what is on the sheet.
        roster: The file of names.
        copies: How many variants.
        each: Whether each person gets a file.
        out: The file, or the folder; None for a preview.
    """

    names: tuple[str, ...]
    sections: tuple[str, ...]
    questions: str | None
    level: int | None
    count: int | None
    seed: str | None
    paper: str
    key: str | None
    key_file: str | None
    title: str | None
    roster: str | None
    copies: int | None
    each: bool
    out: str | None


def plan(session: Session, bank: Bank, typed: Typed) -> Sheet:
    """Choose what is on the sheet.

    Raises:
        MisuseError: The options don't fit together, or name something that isn't there.
        CodeError: A drill or a code is unknown.
    """
    asked = [bank.question(number) for number in find_questions(typed.questions, bank)] if typed.questions else []
    languages = Languages.BOTH if session.both else Languages(session.language.value)
    named = [name for name in typed.names if "." in name]
    if named and len(named) == len(typed.names) and not typed.sections:
        return _of_codes(typed, languages, [problem(name) for name in named], asked)
    if named:
        raise MisuseError(wording.CODES_OR_DRILLS)
    sources = _sources(session, typed)
    if not sources and not asked:
        raise MisuseError(wording.WHAT)
    seed = secrets.token_hex(4) if typed.seed is None else text_of(typed.seed)
    count = (typed.count or max(USUAL_COUNT, len(sources))) if sources else 0
    if sources and (few := smallest(sources, count, seed)) is not None:
        source, there_are = few
        raise MisuseError(wording.TOO_FEW.fill(drill=source.drill.id, level=source.level, there_are=there_are))
    people, are_named = _people(typed)
    chosen = copies(people, sources, count, seed, map(open_question, asked), are_named=are_named)
    return Sheet(_title(typed, languages, sources, asked), languages, Paper(typed.paper), seed, tuple(chosen))


def _of_codes(typed: Typed, languages: Languages, problems: Sequence[Problem], asked: Sequence[Question]) -> Sheet:
    if (typed.level, typed.count, typed.seed) != (None, None, None):
        raise MisuseError(wording.CODES_ONLY)
    if typed.roster is not None or typed.copies is not None:
        raise MisuseError(wording.ONE_SHEET_OF_CODES)
    items: tuple[Item, ...] = (*dict.fromkeys(problems), *map(open_question, asked))
    return Sheet(_title(typed, languages, (), asked), languages, Paper(typed.paper), "", (Copy("", items),))


def _sources(session: Session, typed: Typed) -> list[Source]:
    """Find the drills, each with its level; drills of a section that lack the level are left out, which is told."""
    found: dict[str, Source] = {}
    for name in typed.names:
        drill = find_drill(name)
        level = drill.levels[0] if typed.level is None else typed.level
        if level not in drill.levels:
            problem(drill.id, level, 0)  # says which levels there are
        found[drill.id] = Source(drill, level)
    for section in typed.sections:
        for drill in _with_level(session, section.strip(), typed.level):
            found.setdefault(drill.id, Source(drill, drill.levels[0] if typed.level is None else typed.level))
    return list(found.values())


def _with_level(session: Session, section: str, level: int | None) -> list[Drill]:
    drills = [drill for drill in DRILLS.values() if drill.section == section]
    if not drills:
        sections = list(dict.fromkeys(drill.section for drill in DRILLS.values()))
        listed = Text(", ".join(sections), "、".join(sections))
        raise MisuseError(wording.NO_SECTION.fill(section=same(section[:20]), all=listed))
    kept = [drill for drill in drills if level is None or level in drill.levels]
    if not kept:
        raise MisuseError(wording.NO_LEVEL.fill(section=section, level=level))
    left = [drill.id for drill in drills if drill not in kept]
    if left:
        session.tell(wording.LEFT_OUT.fill(level=level, drills=Text(", ".join(left), "、".join(left))))
    return kept


def _people(typed: Typed) -> tuple[Sequence[str], bool]:
    """Return the names, or the numbers of the variants, and whether they are names."""
    if typed.roster is not None and typed.copies is not None:
        raise MisuseError(wording.NOT_BOTH)
    if typed.roster is not None:
        try:
            return read_roster(Path(typed.roster).expanduser()), True
        except RosterError as error:
            raise MisuseError(error.message) from error
    if typed.copies is not None:
        return [str(number) for number in range(1, typed.copies + 1)], False
    if typed.each:
        raise MisuseError(wording.EACH_OF_WHOM)
    return ("",), True


def _title(typed: Typed, languages: Languages, sources: Sequence[Source], asked: Sequence[Question]) -> str:
    if typed.title is not None and typed.title.strip():
        title = " ".join(text_of(typed.title).split())
        return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"
    if len(sources) == 1 and not asked:
        text = sources[0].drill.title
    else:
        text = wording.QUESTIONS_TITLE if asked and not sources else wording.TITLE
    return " ".join(dict.fromkeys(written(text, language) for language in languages.each))


def order(typed: Typed, sheet: Sheet) -> Order | None:
    """Say what is to be made; None for a preview.

    Raises:
        MisuseError: A file's name says nothing of its form, or two files would be one.
    """
    key = key_of(typed)
    if typed.out is None:
        if typed.each:
            raise MisuseError(wording.EACH_WHERE)
        if typed.key_file is not None:
            raise MisuseError(wording.KEY_WANTS_OUT)
        return None
    out = Path(typed.out).expanduser()
    key_file = None if typed.key_file is None else Path(typed.key_file).expanduser()
    form = Form.PDF if typed.each else _form(out)
    ordered = Order(sheet, key, out, key_file, typed.each)
    if key_file is not None:
        if key is Key.NONE:
            raise MisuseError(wording.KEY_FILE_OF_NONE)
        if key_file.suffix.lower() != form.value:
            raise MisuseError(wording.KEY_ENDING.fill(ending=form.value))
        if os.path.realpath(key_file) in map(os.path.realpath, ordered.pages):
            raise MisuseError(wording.KEY_ELSEWHERE)
    return ordered


def key_of(typed: Typed) -> Key:
    """Return how much of a key there is to be: a file for one asks for answers."""
    if typed.key is None:
        return Key.NONE if typed.key_file is None else Key.ANSWERS
    return Key(typed.key)


def _form(out: Path) -> Form:
    try:
        return Form(out.suffix.lower())
    except ValueError:
        raise MisuseError(wording.ENDING.fill(file=same(out.name[:60]))) from None
