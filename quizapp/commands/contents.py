"""What the commands share that show questions, lessons and drills: a person's own folders, and finding what an id names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from question_bank.bank import SHIPPED, Bank
from question_bank.drills import DRILLS
from question_bank.search import Kind
from question_bank.text import Text
from quizapp.commands.bilingual import Option, session_of
from quizapp.commands.exits import MisuseError
from quizapp.commands.session import Session
from quizapp.own_bank import open_own

F = TypeVar("F", bound=Callable[..., Any])

BANK = Text("A folder with questions and lessons of your own; may be repeated.", "存放自己的题目和讲解的文件夹，可多次指定。")


def bank_parameter(*, expose_value: bool = False) -> Option:
    """Return the option ``--bank``: its folders come before those of the settings."""

    def add(context: click.Context, parameter: click.Parameter, folders: tuple[str, ...]) -> tuple[str, ...]:
        session = session_of(context)
        session.folders = (*map(_folder, folders), *session.folders)
        return folders

    return Option(["--bank"], BANK, multiple=True, metavar="DIR", expose_value=expose_value, callback=add)


def takes_bank(command: click.Command) -> click.Command:
    """Give a command the option ``--bank``, in front of those that every command has."""
    place = next((at for at, each in enumerate(command.params) if each.name == "json"), len(command.params))
    command.params.insert(place, bank_parameter())
    return command


def _folder(name: str) -> Path:
    """Read a folder's name; bash leaves the ~ of ``--bank=~/mine`` to us."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def bank_of(session: Session) -> Bank:
    """Open the bank of this run; what is wrong with a person's own folders is told."""
    bank, problems = open_own(session.folders)
    for problem in problems:
        session.tell(problem)
    return bank


# Ids -------------------------------------------------------------------------------------------------------------------

_QUESTION = re.compile(r"q0*(\d{1,6})", re.ASCII)
_SECTION = re.compile(r"s?0*(\d{1,3})\.0*(\d{1,3})", re.ASCII)
_NUMBER = re.compile(r"0*(\d{1,6})", re.ASCII)

LISTS = Text(
    "What there is: quizapp list questions, quizapp list lessons, quizapp list drills.",
    "可用的编号和名称见 quizapp list questions、quizapp list lessons、quizapp list drills。",
)


@dataclass(frozen=True, slots=True)
class Target:
    """What an id names.

    Attributes:
        kind: Question, lesson or drill.
        id: The id as it is listed: ``Q7``, ``7.9``, ``softmax-row``.
    """

    kind: Kind
    id: str

    @property
    def number(self) -> int:
        """The number of a question."""
        return int(self.id[1:])


def find_target(name: str, bank: Bank) -> Target:
    """Find what a person means: ``Q7``, ``q07``, ``7.9``, ``softmax-row``.

    Raises:
        MisuseError: There is no such thing; the message says what is nearest.
    """
    plain = unicodedata.normalize("NFKC", name).strip().casefold()
    if match := _QUESTION.fullmatch(plain):
        return _question(int(match[1]), bank)
    if match := _SECTION.fullmatch(plain):
        return _lesson(f"{match[1]}.{match[2]}", bank)
    if plain in DRILLS:
        return Target(Kind.DRILL, plain)
    shown = " ".join(name.split())[:60]
    if plain.partition(".")[0] in DRILLS:
        message = Text(
            "“{code}” is the code of a problem: quizapp problem {code} prints it.",
            "“{code}”是题目代码，请用 quizapp problem {code} 查看。",
        )
        raise MisuseError(message.fill(code=shown))
    message = Text("“{name}” is no question, lesson or drill.", "“{name}”不是面试题、讲解或练习。").fill(name=shown)
    known = ids(bank)
    near = get_close_matches(plain[:60], [each.casefold() for each in known], n=1)
    if (match := _NUMBER.fullmatch(plain)) and int(match[1]) in bank.numbers():
        near = [f"Q{int(match[1])}"]
    raise MisuseError(message + (_meant(near[0] if near[0] in known else near[0].upper()) if near else LISTS))


def ids(bank: Bank) -> list[str]:
    """Return the ids of all questions, lessons and drills."""
    return [*(f"Q{number}" for number in bank.numbers()), *bank.sections(), *DRILLS]


def complete_ids(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the shipped ids that go on like this."""
    typed = incomplete.casefold()
    return [CompletionItem(name) for name in ids(SHIPPED) if name.casefold().startswith(typed)]


def _question(number: int, bank: Bank) -> Target:
    numbers = bank.numbers()
    if number in numbers:
        return Target(Kind.QUESTION, f"Q{number}")
    nearest = min(numbers, key=lambda each: abs(each - number))
    raise MisuseError(Text(f"There is no question Q{number}.", f"没有 Q{number} 这道题。") + _meant(f"Q{nearest}"))


def _lesson(section: str, bank: Bank) -> Target:
    sections = bank.sections()
    if section in sections:
        return Target(Kind.LESSON, section)
    chapter, place = map(int, section.split("."))

    def distance(other: str) -> tuple[int, int]:
        its_chapter, its_place = map(int, other.split("."))
        return abs(its_chapter - chapter), abs(its_place - place)

    nearest = min(sections, key=distance)
    raise MisuseError(Text(f"There is no lesson {section}.", f"没有 {section} 这一节。") + _meant(nearest))


def _meant(name: str) -> Text:
    return Text("Did you mean {name}?", "是不是想用 {name}？").fill(name=name)
