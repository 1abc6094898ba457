"""Anki packages, imported and rendered by Anki itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from question_bank.bank import SHIPPED
from question_bank.text import Language, same
from quizapp.exports.anki import apkg
from quizapp.exports.content import Contents, Selection, gather, solve
from tests.quizapp.exports.moodle_reader import parsed, text_of
from tests.quizapp.exports.samples import AT, NASTY, PAIRS, nasty_question, sample

anki = pytest.importorskip("anki.collection")


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Any]:
    opened = anki.Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


def take_in(collection: Any, package: bytes, tmp_path: Path) -> Any:
    file = tmp_path / "deck.apkg"
    file.write_bytes(package)
    options = anki.ImportAnkiPackageOptions()
    return collection.import_anki_package(anki.ImportAnkiPackageRequest(package_path=str(file), options=options)).log


def contents() -> Contents:
    drawn = tuple(solve(sample(drill, level)) for drill, level in (("softmax-row", 2), ("line-shape", 2)))
    found = gather(Selection((7,), ("7.9",)), SHIPPED)
    return Contents(found.questions, found.lessons, drawn)


def test_anki_imports_every_note_and_updates_it_when_it_comes_again(collection: Any, tmp_path: Path) -> None:
    made = contents()
    first = take_in(collection, apkg(made, tuple(Language), AT), tmp_path)
    expected = 2 * (1 + len(made.lessons[0].formulas) + 2)
    assert len(first.new) == collection.note_count() == collection.card_count() == expected

    changed = msgspec.structs.replace(made.questions[0], prompt=same("Changed since."))
    later = apkg(Contents((changed,), made.lessons, made.exercises), tuple(Language), AT + timedelta(days=1))
    second = take_in(collection, later, tmp_path)
    assert not second.new
    assert not second.conflicting
    assert collection.note_count() == collection.card_count() == expected
    assert len(collection.find_notes("Changed")) == 2


def test_one_language_can_be_added_to_the_other(collection: Any, tmp_path: Path) -> None:
    made = Contents((SHIPPED.question(7),))
    take_in(collection, apkg(made, (Language.EN,), AT), tmp_path)
    log = take_in(collection, apkg(made, tuple(Language), AT), tmp_path)
    assert (len(log.new), collection.note_count()) == (1, 2)
    decks = {deck.name for deck in collection.decks.all_names_and_ids()}
    assert {"Transformer interview::Questions", "Transformer 面试::面试题"} <= decks


def test_cards_render_and_say_everything(collection: Any, tmp_path: Path) -> None:
    made = contents()
    take_in(collection, apkg(made, (Language.EN,), AT), tmp_path)
    shown = {}
    for number in collection.find_cards(""):
        card = collection.get_card(number)
        for side in (card.question(), card.answer()):
            parsed(side)
            assert "{{" not in side
        shown[card.note().fields[0]] = text_of(card.answer())
    question = shown["Q7"]
    for heading in ("In 30 seconds", "In two minutes", "Key points", "Pitfalls", "Follow-ups"):
        assert heading in question
    assert r"\(\sqrt{d_k}\)" in question
    problem = next(text for key, text in shown.items() if key.startswith("softmax-row"))
    exercise = made.exercises[0]
    assert " & ".join(cell.shown for cell in exercise.parts[0].accepted.cells) in problem
    assert exercise.steps[0].substeps[0].expression in problem
    assert exercise.parts[0].accepted.mistakes[0].shown in problem
    assert r"\begin{bmatrix}" in problem
    listing = next(text for key, text in shown.items() if key.startswith("line-shape"))
    assert all(line in listing for line in made.exercises[1].listing)


def test_notes_are_tagged_by_section(collection: Any, tmp_path: Path) -> None:
    take_in(collection, apkg(contents(), (Language.EN,), AT), tmp_path)
    assert len(collection.find_notes("tag:section::7.10")) == 1
    assert len(collection.find_notes("tag:section::7.9")) >= 2
    assert {"group::A", "level::2", "drill::softmax-row"} & set(collection.tags.all())


def test_content_is_never_markup(collection: Any, tmp_path: Path) -> None:
    take_in(collection, apkg(Contents((nasty_question(),)), (Language.EN,), AT), tmp_path)
    card = collection.get_card(next(iter(collection.find_cards(""))))
    output = card.render_output()
    assert not output.question_av_tags
    assert not output.answer_av_tags
    assert "<img" not in output.answer_text  # Anki's own LaTeX becomes a picture
    assert NASTY in text_of(output.question_text)
    assert text_of(output.answer_text).count(NASTY) > 3
    assert not re.search(r"\\[(\[][ab]", output.answer_text)


def test_the_same_time_makes_the_same_bytes(tmp_path: Path) -> None:
    """In other processes, too, whatever order their sets have."""
    made = []
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.apkg"
        environment = os.environ | {"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": "1764417600", "TMPDIR": str(tmp_path)}
        command = [sys.executable, "-m", "quizapp", "export", "anki", "--questions", "A", "--lang", "both", "-o", str(file)]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        made.append(file.read_bytes())
    assert made[0] == made[1]
    assert len(list(tmp_path.iterdir())) == 2  # nothing else was left


@pytest.mark.long
@pytest.mark.parametrize("language", Language)
def test_everything_imports(collection: Any, tmp_path: Path, language: Language) -> None:
    found = gather(Selection(SHIPPED.numbers(), SHIPPED.sections()), SHIPPED)
    exercises = tuple(solve(sample(drill, level)) for drill, level in PAIRS)
    log = take_in(collection, apkg(Contents(found.questions, found.lessons, exercises), (language,), AT), tmp_path)
    formulas = sum(len(each.formulas) for each in found.lessons)
    assert len(log.new) == collection.card_count() == len(found.questions) + formulas + len(exercises)
    for number in collection.find_cards(""):
        card = collection.get_card(number)
        parsed(card.question())
        parsed(card.answer())
