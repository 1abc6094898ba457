"""A person's own questions and lessons, opened for the shell and for the application."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from question_bank.bank import SHIPPED, Bank, open_bank
from question_bank.text import Text

SOME_FAULTS = Text(
    "{folder} has {faults}; what they concern is left out. They are listed by: quizapp validate {folder}",
    "{folder} 里有 {faults}，有问题的文件已跳过。详情请运行：quizapp validate {folder}",
)


def open_own(folders: Iterable[Path]) -> tuple[Bank, tuple[Text, ...]]:
    """Add folders to what is shipped.

    Args:
        folders: The folders; of two files for one number or section, the first counts.

    Returns:
        The bank without the files that have faults, and a line about each folder that has any.
    """
    bank = SHIPPED
    problems: list[Text] = []
    for folder in dict.fromkeys(folders):
        added, faults = open_bank(folder)
        bank = Bank(added.own_questions | bank.own_questions, added.own_lessons | bank.own_lessons)
        if faults and faults[0].file == str(folder):  # the folder as a whole
            problems.append(faults[0].message)
        elif faults:
            quoted = f'"{folder}"' if " " in str(folder) else folder
            problems.append(SOME_FAULTS.fill(folder=quoted, faults=count(len(faults), FAULT)))
    return bank, tuple(problems)


Counted = tuple[Text, Text]
"""What is said of one, and of any other number."""

FAULT: Counted = (Text("1 fault", "1 处错误"), Text("{n} faults", "{n} 处错误"))


def count(number: int, what: Counted) -> Text:
    """Say how many of something there are."""
    return what[0] if number == 1 else what[1].fill(n=number)
