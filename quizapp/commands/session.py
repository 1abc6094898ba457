"""One run of a command: the language it speaks, and its two streams. Data goes to stdout, narration to stderr."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from question_bank.text import Language, Text
from quizapp.paths import find_paths
from quizapp.settings import Loaded, Settings, load, system_language

LANGUAGE_OPTION = "--lang"
BOTH_LANGUAGES = "both"
"""What the option takes besides a language, where a command writes a file in either or both."""


@dataclass(slots=True)
class Session:
    """What all commands share while one of them runs.

    Attributes:
        language: The language of everything printed.
        json: Whether data is printed as JSON.
        folders: A person's own questions and lessons; of two for one number or section, the first folder's counts.
        both: Whether a file is written in both languages; what is said to the person is in ``language`` all the same.
    """

    language: Language
    json: bool = False
    folders: tuple[Path, ...] = ()
    both: bool = False

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages that a file is written in."""
        return tuple(Language) if self.both else (self.language,)

    def written(self, text: Text) -> str:
        """Return a sentence in the session's language, its inline math in Unicode."""
        return written(text, self.language)

    def data(self, *lines: str) -> None:
        """Print lines of data."""
        _print("".join(f"{_harmless(line)}\n" for line in lines), err=False)

    def file(self, content: bytes) -> None:
        """Print a whole file as it is, for a pipe."""
        _print(content, err=False)

    def dump(self, data: object) -> None:
        """Print data as JSON, on one line."""
        unicode_out = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
        _print(json.dumps(data, ensure_ascii=not unicode_out) + "\n", err=False)

    def tell(self, text: Text) -> None:
        """Say something that is no data."""
        self.narrate(self.written(text))

    def narrate(self, line: str) -> None:
        """Print a line that is no data, as it is."""
        _print(_harmless(line) + "\n", err=True)


def written(text: Text, language: Language) -> str:
    """Return a sentence in one language, its inline math in Unicode."""
    sentence = text[language]
    if "$" not in sentence:
        return sentence
    from question_bank.math import MathError, plain

    try:
        return plain(sentence)
    except MathError:  # the dollar sign is one that a person typed
        return sentence


def start(arguments: Sequence[str]) -> tuple[Session, Loaded]:
    """Find the language: what the command line says, else the settings, else the system.

    It is wanted before anything is parsed, since help and complaints about the command line are in that language too.

    Returns:
        The session, and the settings with what was wrong with their file.
    """
    loaded = load(find_paths().settings, Settings(system_language(), ""))
    settings = loaded.settings
    return Session(_asked_language(arguments) or settings.language, folders=settings.bank), loaded


def _asked_language(arguments: Iterable[str]) -> Language | None:
    asked: Language | None = None
    before = ""
    for argument in arguments:
        if argument == "--":
            break
        name, _, value = argument.partition("=")
        said = argument if before == LANGUAGE_OPTION else value if name == LANGUAGE_OPTION else ""
        if said in tuple(Language):
            asked = Language(said)
        before = argument
    return asked


def _harmless(text: str) -> str:
    """Take out control characters: what a person typed, or a file's name, must not steer the terminal."""
    return "".join(
        symbol if symbol in "\n\t" or unicodedata.category(symbol) != "Cc" else "\N{REPLACEMENT CHARACTER}" for symbol in text
    )


def _print(text: str | bytes, *, err: bool) -> None:
    try:
        click.echo(text, err=err, nl=False)
    except BrokenPipeError:
        # The reader has seen enough (| head). Nothing more is written, and Python must not fail when it flushes at exit.
        stream = sys.stderr if err else sys.stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
