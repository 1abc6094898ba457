"""Every screen visited in a pseudo-terminal, in both languages: what it shows, its keys, and that nothing of the other
language stands there or runs into the edge."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import quizapp
from question_bank.text import Language, Text
from tests.terminal.walk import EXAM, STUDY, Step

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")]
if sys.platform != "win32":
    from tests.terminal.terminal import Terminal

LOCALES = {Language.EN: "en_US.UTF-8", Language.ZH: "zh_CN.UTF-8"}
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e]+")
OWN_NAME = ("切换到中文", "中文")
"""How Chinese calls itself, on an English page too."""
ROOM = 36
"""Columns that a page needs; in fewer, a notice fills the window."""
AT_THE_EDGE = " ─▁▂▃▄▅▆▇█▔"
"""What may stand in the last column: rules and the scroll bar."""


def _sentences(language: Language) -> Iterator[str]:
    """Yield what the interface says in a language, as far as it's long enough to be told from anything else."""
    for module in iter_modules(quizapp.__path__):
        if module.name.startswith("wording"):
            for text in vars(import_module(f"quizapp.{module.name}")).values():
                if isinstance(text, Text) and text.en != text.zh:
                    for piece in re.split(r"\{\w+\}", text[language]):
                        yield "".join(piece.split())


ENGLISH = {piece for piece in _sentences(Language.EN) if len(piece) >= 10} - set(_sentences(Language.ZH))


def _words(listed: str) -> list[str]:
    return ["".join(word.split()) for word in listed.split(" | ") if word.strip()]


def _foreign(shown: str, language: Language) -> list[str]:
    """Return what stands there in the other language."""
    if language is Language.ZH:
        return [sentence for sentence in ENGLISH if sentence in shown]
    for name in OWN_NAME:
        shown = shown.replace(name, "")
    return CHINESE.findall(shown)


def _complaints(terminal: Terminal, step: Step, language: Language) -> list[str]:
    """Return what a page doesn't show, or shows and shouldn't."""
    shown, foot = terminal.flat, "".join(terminal.text.splitlines()[-1].split())
    found = [f"{word!r} is missing" for word in _words(step.shows[language]) if word[0] != "-" and word not in shown]
    found += [f"{word!r} is still there" for word in _words(step.shows[language]) if word[0] == "-" and word[1:] in shown]
    found += [f"the key {key!r} is missing" for key in _words(step.keys[language]) if key[0] != "-" and key not in foot]
    found += [f"the key {key!r} is still there" for key in _words(step.keys[language]) if key[0] == "-" and key[1:] in foot]
    if found:
        return found  # the rest is worth its time once the page is there
    found = [f"{words!r} is of the other language" for words in _foreign(shown, language)]
    last = terminal.screen.columns - 1
    edge = {terminal.screen.buffer[line][last].data or "a wide character" for line in range(terminal.screen.lines)}
    if last >= ROOM:
        found += [f"{character!r} runs into the edge" for character in edge if character not in AT_THE_EDGE]
    return found


def _walk(terminal: Terminal, steps: tuple[Step, ...], language: Language) -> None:
    for step in steps:
        assert not step.press or _complaints(terminal, step, language), f"{step.press!r}: all of it was there before"
        for key in step.press.split():
            if key == "escape":
                terminal.escape()
            elif "×" in key:
                terminal.resize(*map(int, key.split("×")))
            else:
                terminal.press(key.replace("␣", " "))
        try:
            terminal.until(lambda step=step: not _complaints(terminal, step, language))
        except AssertionError as fault:
            raise AssertionError(f"after {step.press!r}: {_complaints(terminal, step, language)}\n{fault}") from None
        terminal.settle(0.1)  # a page is drawn before it has the focus again


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("steps", [pytest.param(STUDY, id="study"), pytest.param(EXAM, id="exam")])
def test_every_screen(tmp_path: Path, steps: tuple[Step, ...], language: Language) -> None:
    home = tmp_path / "quizapp"
    home.mkdir()
    settings = home / "settings.toml"
    settings.write_text("# mine\ndaily = 2\n", "utf-8")
    terminal = Terminal(home, LOCALES[language])
    try:
        _walk(terminal, steps, language)
        terminal.press("q")
        terminal.until_gone()
        assert terminal.exit_code == 0
    finally:
        terminal.close()
    if steps is EXAM:
        assert settings.read_text("utf-8").split() == ["#", "mine", "daily", "=", "3"]
