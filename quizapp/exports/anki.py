"""Decks for Anki: questions, formulas and problems as notes with stable ids, so that importing again updates them.

A note's id comes from what it shows (``Q7``, ``7.9/1``, a problem's code) and its language; the ids of decks and note types
are fixed. Each language has decks of its own: both together are the union, and one can be added to the other later. With the
same time given, two builds are equal byte for byte.
"""

from __future__ import annotations

import io
import itertools
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any

from question_bank.text import Language, Text
from quizapp import wording_exports as wording
from quizapp.exports.content import Contents
from quizapp.exports.markup import clean
from quizapp.exports.pages import Pages

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first date that a ZIP archive can hold."""

STYLE = """\
.card { font-family: "Source Sans 3", "Noto Sans", "Helvetica Neue", Arial, sans-serif; font-size: 18px; line-height: 1.5;
  max-width: 42em; margin: 0 auto; padding: 0.6em; text-align: left; color: #1f2430; background: #fbfaf7; }
.zh em { font-style: normal; font-weight: 600; }
.zh { font-family: "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC",
  "Source Han Sans SC", sans-serif; line-height: 1.7; }
.about { color: #6d6a63; font-size: 0.8em; border-bottom: 1px solid #d9d4c8; padding-bottom: 0.3em; margin-bottom: 0.8em; }
.source, .reason, .typed { color: #6d6a63; font-size: 0.9em; }
.inputs { line-height: 2.2; } .given { display: inline-block; margin-right: 1.2em; vertical-align: middle; }
h4 { color: #9a3b26; margin: 1em 0 0.3em; font-size: 0.95em; }
p { margin: 0.45em 0; } ol, ul { padding-left: 1.4em; margin: 0.3em 0; } li { margin: 0.25em 0; }
hr#answer { border: 0; border-top: 1px solid #d9d4c8; margin: 1em 0; }
pre { background: #f1eee6; padding: 0.6em; overflow-x: auto; font-size: 0.85em; line-height: 1.4; }
.line, .typed, pre, code { font-family: "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.line { font-size: 0.85em; padding-left: 1em; overflow-wrap: anywhere; } .typed { overflow-wrap: anywhere; }
mjx-container { overflow-x: auto; overflow-y: hidden; max-width: 100%; }
mjx-container[display="true"] { text-align: left !important; margin: 0.6em 0 !important; }
details { margin: 0.4em 0; } summary { cursor: pointer; }
.nightMode.card, .night_mode .card, .nightMode .card { color: #e4dfd3; background: #1c1e22; }
.nightMode h4, .night_mode h4 { color: #e58a6f; }
.nightMode .about, .nightMode .source, .nightMode .reason, .nightMode .typed,
.night_mode .about, .night_mode .source, .night_mode .reason, .night_mode .typed { color: #a39d90; border-color: #3d3f45; }
.nightMode pre, .night_mode pre { background: #26292e; } .nightMode hr#answer, .night_mode hr#answer { border-color: #3d3f45; }
"""


class Sort(Enum):
    """The three kinds of notes; each has a deck and a note type for each language.

    Attributes:
        title: The name of its deck.
        back: Its fields behind the question, each with its heading.
    """

    QUESTION = wording.QUESTIONS, (
        ("Short", wording.SHORT),
        ("Full", wording.FULL),
        ("Points", wording.POINTS),
        ("Pitfalls", wording.PITFALLS),
        ("FollowUps", wording.FOLLOW_UPS),
    )  # fmt: skip
    FORMULA = wording.FORMULAS, (
        ("Formula", wording.FORMULA),
        ("Terms", wording.TERMS),
        ("Mistakes", wording.COMMON_MISTAKES),
    )  # fmt: skip
    EXERCISE = wording.DRILLS, (
        ("Answer", wording.ANSWER),
        ("Steps", wording.STEPS),
        ("Mistakes", wording.KNOWN_MISTAKES),
    )  # fmt: skip

    def __init__(self, title: Text, back: tuple[tuple[str, Text], ...]) -> None:
        """Keep the two parts of the value under their names."""
        self.title = title
        self.back = back


_FIRST_ID = 1_764_460_800_000
"""Ids of decks and note types count from here: fixed for ever, since Anki knows a deck and a note type by its id."""


def _id(sort: Sort, language: Language, *, deck: bool) -> int:
    return _FIRST_ID + 100 * deck + 10 * list(Sort).index(sort) + list(Language).index(language)


def apkg(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    """Build a package that Anki imports.

    Args:
        contents: What goes in.
        languages: One or both; each gets decks of its own.
        at: When it is made; a note that Anki already has is updated by a package made later.
    """
    seconds = at.timestamp()
    connection = sqlite3.connect(":memory:")
    try:
        _package(contents, languages).write_to_db(connection.cursor(), seconds, itertools.count(int(seconds * 1000)))
        connection.commit()
        collection = connection.serialize()
    finally:
        connection.close()
    stamp = max(at.utctimetuple()[:6], EARLIEST)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (("collection.anki2", collection), ("media", b"{}")):
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, content)
    return packed.getvalue()


def _package(contents: Contents, languages: Sequence[Language]) -> Any:
    import genanki

    decks = []
    for language in languages:
        pages = Pages(language)
        for sort, notes in (
            (Sort.QUESTION, _questions(contents, pages)),
            (Sort.FORMULA, _formulas(contents, pages)),
            (Sort.EXERCISE, _exercises(contents, pages)),
        ):
            name = f"{wording.COURSE[language]}::{sort.title[language]}"
            deck = genanki.Deck(_id(sort, language, deck=True), name)
            for place, (key, fields, tags) in enumerate(notes):
                guid = genanki.guid_for("quizapp", key, language.value)
                named = [clean(key), *map(clean, fields)]
                deck.add_note(genanki.Note(_model(sort, language), named, tags=tags, guid=guid, due=place))
            if deck.notes:
                decks.append(deck)
    return genanki.Package(decks)


@cache
def _model(sort: Sort, language: Language) -> Any:
    import genanki

    css_class = "page zh" if language is Language.ZH else "page"
    about = '<div class="about">{{About}}</div>'
    front = f'<div class="{css_class}" lang="{language.value}">{about}{{{{Front}}}}</div>'
    back = "".join(f"{{{{#{name}}}}}<h4>{title[language]}</h4>{{{{{name}}}}}{{{{/{name}}}}}" for name, title in sort.back)
    return genanki.Model(
        _id(sort, language, deck=False),
        f"quizapp {sort.name.lower()} {language.value}",
        [{"name": name} for name in ("Id", "About", "Front", *(name for name, _ in sort.back))],
        [
            {
                "name": "Card",
                "qfmt": front,
                "afmt": f'{front}<hr id="answer"><div class="{css_class}" lang="{language.value}">{back}</div>',
            }
        ],
        css=STYLE,
    )


Card = tuple[str, tuple[str, ...], tuple[str, ...]]
"""What a note is known by, its fields, and its tags."""


def _about(pages: Pages, *pieces: Text) -> str:
    return " · ".join(map(pages.said, pieces))


def _questions(contents: Contents, pages: Pages) -> Iterator[Card]:
    for each in contents.questions:
        section = wording.SECTION.fill(section=each.section)
        yield (
            each.id,
            (
                _about(pages, Text(each.id, each.id), each.title, section),
                f"<p>{pages.said(each.prompt)}</p>",
                f"<p>{pages.said(each.answer.short)}</p>",
                pages.full_answer(each),
                pages.points(each),
                pages.pitfalls(each),
                pages.follow_ups(each),
            ),
            ("question", f"section::{each.section}", f"group::{each.group.value}"),
        )


def _formulas(contents: Contents, pages: Pages) -> Iterator[Card]:
    ask = pages.said(wording.AS_FORMULA)
    for notes in contents.lessons:
        for place, formula in enumerate(notes.formulas):
            main = place == 0
            yield (
                f"{notes.section}/{place + 1}",
                (
                    _about(pages, wording.SECTION.fill(section=notes.section)),
                    f"<p><strong>{pages.said(notes.title)}</strong></p><p>{pages.said(formula.says)}</p><p>{ask}</p>",
                    pages.formula(formula),
                    pages.terms(notes) if main else "",
                    pages.lesson_mistakes(notes) if main else "",
                ),
                ("formula", f"section::{notes.section}"),
            )


def _exercises(contents: Contents, pages: Pages) -> Iterator[Card]:
    for each in contents.exercises:
        level = wording.LEVEL.fill(level=each.problem.level)
        asked = "".join(f"<p>{pages.asked(part)}</p>" for part in each.parts)
        yield (
            each.code,
            (
                _about(pages, each.title, level, wording.SECTION.fill(section=each.section), Text(each.code, each.code)),
                pages.prompt(each) + asked,
                pages.answers(each),
                pages.steps(each),
                pages.mistakes(each),
            ),
            ("drill", f"section::{each.section}", f"drill::{each.problem.drill}", f"level::{each.problem.level}"),
        )
