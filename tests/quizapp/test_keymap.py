"""Keys of a person's own; and that every key is named in both languages and found on the help screen."""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from textual.binding import Binding
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.screen import Screen

from question_bank.text import Language, Text
from quizapp.app import QuizApp
from quizapp.keymap import check, classes, named
from quizapp.paths import Paths
from quizapp.screens import places
from quizapp.screens.base import BilingualScreen
from quizapp.screens.drill import DrillScreen
from quizapp.screens.help import HelpScreen
from quizapp.screens.home import HomeScreen
from quizapp.widgets.bilingual import Words
from tests.quizapp.conftest import footer_of, says, text_of, type_text, until
from tests.quizapp.shell import quiz
from tests.quizapp.test_drill import open_drill

MakeApp = Callable[..., QuizApp]


@pytest.mark.parametrize(
    ("wishes", "granted"),
    [
        ({"hint": "f2"}, {"hint": "f2"}),
        ({"app.help": "f1"}, {"app.help": "f1"}),
        ({"help": "f1"}, {"app.help": "f1"}),
        ({"hint": "ctrl+g"}, {"hint": "ctrl+g"}),
        ({"hint": "f2,f3"}, {"hint": "f2,f3"}),
        ({"hint": "s", "step": "h"}, {"hint": "s,ｓ,S,Ｓ", "step": "h,ｈ,H,Ｈ"}),
        ({"find": "f"}, {"find": "f,ｆ,F,Ｆ"}),
        ({"rate(3)": "g"}, {"rate(3)": "g,ｇ,G,Ｇ"}),
        ({}, {}),
    ],
)
def test_keys_that_are_free_are_granted(wishes: dict[str, str], granted: dict[str, str]) -> None:
    checked = check(tuple(wishes.items()))
    assert checked.problems == ()
    assert {name: keys for name, keys in checked.keymap.items() if name in granted} == granted


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"hnt": "f2"}, ("hnt", "hint")),
        ({"hint": "f99"}, ("f99",)),
        ({"hint": "hyper+x"}, ("hyper+x",)),
        ({"hint": ""}, ("hint",)),
        ({"hint": "s"}, ("hint", "step")),
        ({"hint": "ctrl+c"}, ("hint", "leave")),
        ({"hint": "ctrl+q"}, ("hint", "quit")),
        ({"hint": "l"}, ("hint", "switch_language")),
        ({"leave": "f4"}, ("leave",)),
        ({"command_palette": "x"}, ("command_palette", "x")),
        ({"[bold]": "f2"}, ("[bold]",)),
    ],
)
def test_other_keys_are_refused_with_a_reason(wishes: dict[str, str], said: tuple[str, ...]) -> None:
    checked = check(tuple(wishes.items()))
    assert checked.keymap == {}
    [problem] = checked.problems
    for language in Language:
        assert all(word in problem[language] for word in said)


def test_one_bad_wish_spoils_no_other() -> None:
    checked = check((("hint", "s"), ("next", "f7")))
    assert checked.keymap == {"next": "f7"}
    assert len(checked.problems) == 1


async def test_a_key_of_ones_own_works_and_the_old_one_does_not(make_app: MakeApp) -> None:
    app = make_app()
    app._settings = replace(app.settings, keys=(("hint", "x"), ("submit", "f5"), ("hnt", "f2")))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: any("hnt" in notice.message for notice in app._notifications))
        await open_drill(pilot, "softmax-row")
        await pilot.press("escape", "h")
        await pilot.pause()
        assert not app.screen.query(".hint")
        await pilot.press("X")
        await until(pilot, lambda: app.screen.query(".hint"))
        assert "x Hint" in footer_of(app)
        assert isinstance(app.screen, DrillScreen)
        code, _ = app.screen.typed()
        await pilot.press("d")
        await until(pilot, lambda: "Next" in footer_of(app))
        await pilot.pause(0.7)
        await pilot.press("enter")  # shares the key that was given up, and keeps it
        await until(pilot, lambda: isinstance(app.screen, DrillScreen) and app.screen.typed()[0] not in ("", code))


async def test_typing_is_typing_whatever_the_keys(make_app: MakeApp) -> None:
    app = make_app()
    app._settings = replace(app.settings, keys=(("hint", "0"), ("find", "5")))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app._keymap)
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.5")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.typed()[1] == ("0.5",)


def test_the_names_are_listed_on_the_shell() -> None:
    names = {each["name"]: each for each in quiz("list", "keys", "--json").json}
    assert names["hint"]["keys"] == ["h"]
    assert names["switch_language"]["keys"] == ["l"]
    assert "quit" in names
    assert "leave" not in names
    listed = quiz("list", "keys", "--lang", "zh").out
    assert len(listed.splitlines()) == len(names) == len(named())


def test_bad_keys_are_found_by_the_doctor(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(paths.data))
    paths.data.mkdir()
    paths.settings.write_text('[keys]\nhint = "s"\n')
    ran = quiz("doctor")
    assert ran.code == 1
    assert "hint" in ran.out


# Every key of every screen ------------------------------------------------------------------------------------------------


def declared() -> list[tuple[type[DOMNode], Binding]]:
    return [(each, binding) for each in classes() for binding in Binding.make_bindings(each.__dict__.get("BINDINGS", ()))]


def test_every_key_has_a_name_and_a_tip_in_both_languages() -> None:
    assert len({each for each, _ in declared()}) > 12
    for each, binding in declared():
        where = f"{each.__name__}: {binding.key}"
        assert isinstance(binding.description, Words), where
        assert isinstance(binding.tooltip, Words), where
        assert binding.id, where
        for text in (binding.description.text, binding.tooltip.text):
            assert text.en.strip(), where
            assert text.zh.strip(), where
        tip = binding.tooltip.text
        assert tip.en != tip.zh, where
        assert tip.en.rstrip().endswith((".", "!", "?")), where
        assert tip.zh.rstrip().endswith(("。", "！", "？", "）")), where


def test_every_key_of_a_letter_has_its_twins() -> None:
    by_class: dict[tuple[type[DOMNode], str], set[str]] = {}
    for each, binding in declared():
        by_class.setdefault((each, binding.action), set()).add(binding.key)
    for (each, action), keys in by_class.items():
        for key in keys:
            if len(key) == 1 and key.isascii() and key.islower():
                assert {key.upper(), chr(ord(key) + 0xFEE0)} <= keys, (each, action)


EXAMPLES: dict[str, object] = {
    "drill": "softmax-row", "level": 1, "number": 7, "section": "7.9", "code": None, "title": Text("A sheet", "练习卷"),
}  # fmt: skip


def example(place: type) -> object:
    """Make a place of a kind; what has no default takes an example by its name."""
    values = {each.name: EXAMPLES[each.name] for each in fields(place) if each.name in EXAMPLES}
    if "lab" in {each.name for each in fields(place)}:
        from question_bank.labs import LABS

        values["lab"] = next(iter(LABS))
    return place(**values)


PLACES = [None, *typing.get_args(places.Place)]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__ if place else "home")
async def test_help_on_every_screen_names_every_key_of_it(make_app: MakeApp, place: type | None, language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=(100, 60)) as pilot:
        await pilot.pause()
        if place is not None:
            app.open(example(place))  # type: ignore[arg-type]
            await until(pilot, lambda: not isinstance(app.screen, HomeScreen))
            await pilot.pause()
            await pilot.press("escape")  # out of a field
            await pilot.pause()
        screen = app.screen
        assert isinstance(screen, BilingualScreen)
        tips: list[Text] = [key.tip for key in screen.keys_now()]
        assert len(tips) >= 4
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.pause()
        shown = text_of(app)
        for tip in tips[:20]:
            assert says(app, tip), shown
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen


def test_every_screen_of_ours_is_one_with_help() -> None:
    ours = [each for each in classes() if issubclass(each, Screen)]
    assert len(ours) >= 6
    assert all(issubclass(each, BilingualScreen | CommandPalette) for each in ours)  # the palette is Textual's
