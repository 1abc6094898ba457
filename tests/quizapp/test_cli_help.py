"""Help: every command has it, in both languages, and nothing of click's own English is left in the Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from question_bank.own_numbers import TEMPLATES
from question_bank.text import Text
from quizapp.cli import cli
from quizapp.commands.bilingual import Command, Option
from tests.quizapp.shell import quiz
from tests.quizapp.test_cli import CHINESE, SOFTMAX

ENGLISH = re.compile(r"\b(?:the|Usage|Options?|Commands?|Show|Print|Operations?)\b(?!\])")


def commands(command: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from commands(each, (*path, name))


ALL = [*commands(), (("solve", SOFTMAX), cli.commands["solve"].by_code), (("check", SOFTMAX), cli.commands["check"].by_code)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", [path for path, _ in ALL], ids=lambda path: " ".join(path) or "quizapp")
def test_every_command_has_help_in_both_languages(path: tuple[str, ...]) -> None:
    english, chinese = (quiz(*path, "--help", "--lang", language) for language in ("en", "zh"))
    assert (english.code, chinese.code) == (0, 0)
    assert english.out.startswith(f"Usage: quizapp {' '.join(path)}".rstrip())
    assert chinese.out.startswith(f"用法：quizapp {' '.join(path)}".rstrip())
    assert not CHINESE.search(english.out)
    assert not ENGLISH.search(chinese.out)
    assert quiz(*path, "-h", "--lang", "zh") == chinese


@pytest.mark.parametrize(
    ("path", "command"), ALL, ids=lambda each: " ".join(each) or "quizapp" if isinstance(each, tuple) else ""
)
def test_whatever_help_says_is_whole_in_both_languages(path: tuple[str, ...], command: click.Command) -> None:
    assert isinstance(command, Command)
    options = [each for each in command.params if not isinstance(each, click.Argument)]
    assert all(isinstance(each, Option) for each in options)
    texts: list[Text] = [command.said, command.brief, *(each.said for each in options if isinstance(each, Option))]
    for text in texts:
        assert text.en.strip()
        assert text.zh.strip()
        assert "{" not in text.en + text.zh
    assert {"--json", "--lang", "--help"} <= {name for each in options for name in each.opts}


def test_lines_of_help_fit_the_terminal_in_either_script() -> None:
    from question_bank.math import cell_len

    for path, _ in ALL:
        for language in ("en", "zh"):
            shown = quiz(*path, "--help", "--lang", language, environment={"COLUMNS": "60"}).out.splitlines()
            text = [line for line in shown if "quizapp" not in line]
            assert max(map(cell_len, text)) <= 60, (path, language)


@pytest.mark.parametrize("name", TEMPLATES)
def test_operations_have_an_option_for_each_field(name: str) -> None:
    for verb in ("solve", "check"):
        shown = quiz(verb, name, "--help").out
        for field in TEMPLATES[name].fields:
            assert re.search(rf"^  --{field.name.replace('_', '-')}\b", shown, re.MULTILINE), (verb, field.name)


def test_groups_list_what_is_beneath_them() -> None:
    for group in ("solve", "check"):
        listed = re.findall(r"^  ([a-z-]+)  ", quiz(group, "--help").out.partition("Operations:")[2], re.MULTILINE)
        assert set(TEMPLATES) <= set(listed)
