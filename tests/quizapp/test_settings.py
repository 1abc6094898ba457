from __future__ import annotations

import locale
import os
import re
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.system_errors import why
from question_bank.text import Language
from quizapp.paths import Paths, find_paths
from quizapp.settings import FIELDS, Order, Settings, SettingsError, load, save, system_language

DEFAULT = Settings(Language.EN, "night")
THEMES = ("night", "day")
CHOSEN = Settings(Language.ZH, "day")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, Language.ZH),
        ({"LANG": "zh_TW"}, Language.ZH),
        ({"LANG": "ZH_cn.utf8"}, Language.ZH),
        ({"LANG": "en_GB.UTF-8"}, Language.EN),
        ({"LANG": "za_CN.UTF-8"}, Language.EN),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, Language.EN),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, Language.ZH),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, Language.ZH),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en:zh_CN"}, Language.EN),
        ({"LC_ALL": "C", "LANGUAGE": "zh_CN"}, Language.EN),
        ({"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"}, Language.EN),
    ],
)
def test_the_language_of_the_system(environment: dict[str, str], language: Language) -> None:
    assert system_language(environment) == language


@pytest.mark.parametrize(
    ("name", "language"), [("Chinese (Simplified)_China", "zh"), ("zh_CN", "zh"), ("English_United States", "en"), (None, "en")]
)
def test_a_system_without_such_variables(name: str | None, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locale, "getlocale", lambda: (name, "936"))
    assert system_language({}) == language


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", DEFAULT),
        ('language = "zh"', Settings(Language.ZH, "night")),
        ('theme = "day"\nlanguage = "zh"', CHOSEN),
        ('\ufefflanguage = "zh"\r\ntheme = "day"\r\n', CHOSEN),
        ('# mine\nsheets = 20\n[other]\nlanguage = "zh"\n', DEFAULT),
    ],
    ids=["empty", "one key", "both keys", "as Windows writes it", "a key of a table is another key"],
)
def test_a_good_file(text: str, settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(text.encode())
    loaded = load(file, DEFAULT, THEMES)
    assert (loaded.settings, loaded.problems) == (settings, ())


@pytest.mark.parametrize(
    ("value", "folders"),
    [
        ('"~/mine"', ["{home}/mine"]),
        ('["~/mine", "{base}/x y"]', ["{home}/mine", "{base}/x y"]),
        ('"beside"', ["{base}/beside"]),
        ("[]", []),
    ],
)
def test_folders_of_ones_own(value: str, folders: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    file = tmp_path / "settings.toml"
    file.write_text(f"bank = {value}".replace("{base}", tmp_path.as_posix()))
    loaded = load(file, DEFAULT)
    wanted = [Path(each.format(home=home, base=tmp_path)) for each in folders]
    assert (list(loaded.settings.bank), loaded.problems) == (wanted, ())
    save(file, loaded.settings)
    assert list(load(file, DEFAULT).settings.bank) == wanted


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    assert load(tmp_path / "none" / "settings.toml", CHOSEN, THEMES).settings == CHOSEN
    assert load(tmp_path / "none" / "settings.toml", CHOSEN, THEMES).problems == ()


@pytest.mark.parametrize(
    ("text", "settings", "named"),
    [
        (b'language = "fr"\ntheme = "day"', Settings(Language.EN, "day"), ["language", "“fr”", "en"]),
        (b'language = 3\ntheme = "day"', Settings(Language.EN, "day"), ["language", "3"]),
        (b'language = ["zh"]', DEFAULT, ["language", "“zh”"]),
        (b'language = "zh"\ntheme = "pink"', Settings(Language.ZH, "night"), ["theme", "“pink”", "night", "day"]),
        (b'language = "zh"\ntheme = true', Settings(Language.ZH, "night"), ["theme", "true"]),
        (b"bank = 3", DEFAULT, ["bank", "3"]),
        (b'bank = ["a", 3]', DEFAULT, ["bank", "“a”", "3"]),
        (b'bank = ""', DEFAULT, ["bank", "“”"]),
        (b'bank = "a\\u0000b"', DEFAULT, ["bank"]),
        (b'bank = "~nobody-of-this-name/x"', DEFAULT, ["bank", "~nobody"]),
        (b"\nlanguage = zh", DEFAULT, ["2", "12"]),
        (b"\xff\xfe\x00", DEFAULT, ["UTF-8"]),
    ],
)
def test_a_bad_value_falls_back_and_says_which(text: bytes, settings: Settings, named: list[str], tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(text)
    loaded = load(file, DEFAULT, THEMES)
    assert loaded.settings == settings
    [problem] = loaded.problems
    for language in Language:
        assert all(word in problem[language] for word in [str(file), *named])
    assert file.read_bytes() == text


def test_two_bad_values_are_two_problems(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('language = "x"\ntheme = "y"\n')
    assert len(load(file, DEFAULT, THEMES).problems) == 2


@pytest.mark.parametrize(("text", "near"), [('langage = "zh"', "language"), ("dayly = 3", "daily"), ("break = 3", None)])
def test_a_name_like_that_of_a_setting_is_told(text: str, near: str | None, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text, "utf-8")
    loaded = load(file, DEFAULT)
    assert (loaded.settings, loaded.problems) == (DEFAULT, ())
    assert [near in message[language] for message in loaded.unknown for language in Language] == ([True, True] if near else [])


def test_a_folder_in_its_place_falls_back(tmp_path: Path) -> None:
    [problem] = load(tmp_path, DEFAULT, THEMES).problems
    assert str(tmp_path) in problem.en


@given(st.sampled_from(Language), st.text(st.characters(codec="utf-8"), max_size=20))
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, language: Language, theme: str) -> None:
    file = tmp_path_factory.mktemp("new") / "deep" / "settings.toml"
    for settings in (Settings(Language.EN, "day"), Settings(language, theme)):
        save(file, settings)
        loaded = load(file, DEFAULT)
        assert (loaded.settings, loaded.problems) == (settings, ())
    assert [found.name for found in file.parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '# mine\nlanguage = "en"  # for now\nsheets = 20\n\n[other]\nlanguage = "f2"\n',
            'theme = "day"\n# mine\nlanguage = "zh"  # for now\nsheets = 20\n\n[other]\nlanguage = "f2"\n',
        ),
        ("sheets = 20", 'language = "zh"\ntheme = "day"\nsheets = 20'),
        ("theme='night'\r\nlanguage='en'\r\n", 'theme = "day"\r\nlanguage = "zh"\r\n'),
        ("  language =   5", 'theme = "day"\nlanguage = "zh"'),
        ("decks = [\n  [1, 2],\n]\n", 'language = "zh"\ntheme = "day"\ndecks = [\n  [1, 2],\n]\n'),
        ('language = "#"\ntheme = "a" # b', 'language = "zh"\ntheme = "day" # b'),
    ],
    ids=["remarks and tables", "no keys yet", "line ends of Windows", "a bad value", "brackets", "a hash"],
)
def test_saving_changes_nothing_else(before: str, after: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(before.encode())
    save(file, CHOSEN)
    assert file.read_bytes().decode() == after
    assert load(file, DEFAULT, THEMES).settings == CHOSEN


@pytest.mark.parametrize(
    "before",
    [
        b"language = ",
        b"\xff",
        b'"language" = "en"\n',
        b"language = '''\nen'''\n",
        b'note = """\nlanguage = 1\n"""\nlanguage = "en"\n',
    ],
)
def test_what_can_not_be_edited_is_kept_beside(before: bytes, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(before)
    save(file, CHOSEN)
    assert load(file, DEFAULT, THEMES).settings == CHOSEN
    assert (tmp_path / "settings.toml.unreadable").read_bytes() == before


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    save(file, DEFAULT)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsError) as refused:
        save(file, CHOSEN)
    for language in Language:
        assert str(file) in refused.value.message[language]
        assert why(OSError(28, ""))[language] in refused.value.message[language]
    assert tomllib.loads(file.read_text()) == {"language": "en", "theme": "night"}
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_can_not_be_made_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match=r"settings\.toml"):
        save(tmp_path / "file" / "settings.toml", CHOSEN)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_linked_file_stays_linked(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "quizapp.toml"
    real.parent.mkdir()
    real.write_text("sheets = 20\n")
    real.chmod(0o640)
    file = tmp_path / "settings.toml"
    file.symlink_to(real)
    save(file, CHOSEN)
    assert file.is_symlink()
    assert tomllib.loads(real.read_text()) == {"language": "zh", "theme": "day", "sheets": 20}
    assert real.stat().st_mode & 0o777 == 0o640


def test_one_folder_for_everything(tmp_path: Path) -> None:
    paths = find_paths({"QUIZAPP_HOME": str(tmp_path)})
    assert paths == Paths(tmp_path, tmp_path)
    assert paths.progress != paths.settings
    assert {paths.progress.parent, paths.settings.parent} == {tmp_path}


def test_a_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "me"))
    assert find_paths({"QUIZAPP_HOME": "here"}).data == tmp_path / "here"
    assert find_paths({"QUIZAPP_HOME": "~/q"}).data == tmp_path / "me" / "q"


@pytest.mark.parametrize("environment", [{}, {"QUIZAPP_HOME": ""}, {"QUIZAPP_HOME": "  "}])
def test_the_platform_has_its_own_folders(environment: dict[str, str]) -> None:
    paths = find_paths(environment)
    assert "quizapp" in str(paths.data)
    assert "quizapp" in str(paths.config)
    assert paths.data.is_absolute()


def test_tests_never_see_the_persons_own_files() -> None:
    assert "QUIZAPP_HOME" in os.environ
    assert find_paths().data.name.startswith("home")


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("interview = 2026-12-24", "interview", date(2026, 12, 24)),
        ('interview = "2026-12-24"', "interview", date(2026, 12, 24)),
        ("interview = 2026-12-24T09:00:00", "interview", date(2026, 12, 24)),
        ('interview = ""', "interview", None),
        ("daily = 0", "daily", 0),
        ("daily = 500", "daily", 500),
        ("rollover = 0", "rollover", 0),
        ("rollover = 12", "rollover", 12),
        ('order = "weakness"', "order", Order.WEAKNESS),
        ("decimals = 2", "decimals", 2),
        (
            '[keys]\nhint = "f2"\napp.help = " f1 "\n"rate(3)" = "g"',
            "keys",
            (("hint", "f2"), ("app.help", "f1"), ("rate(3)", "g")),
        ),
    ],
)
def test_a_good_value(text: str, name: str, value: object, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    loaded = load(file, DEFAULT, THEMES)
    assert loaded.problems == ()
    assert loaded.settings == replace(DEFAULT, **{name: value})  # type: ignore[arg-type]
    save(file, loaded.settings)
    assert load(file, DEFAULT, THEMES).settings == loaded.settings


@pytest.mark.parametrize(
    "text",
    [
        "interview = 12-24",
        'interview = "soon"',
        "interview = 5",
        "interview = 09:00:00",
        "daily = -1",
        "daily = 501",
        "daily = 10.0",
        "daily = true",
        'daily = "10"',
        "rollover = 13",
        "rollover = 04:00:00",
        'order = "random"',
        "order = 1",
        "decimals = 7",
        'keys = "f2"',
        "[keys]\nhint = 2",
        '[keys]\nhint = ""',
    ],
)
def test_a_bad_value_of_the_newer_fields(text: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'theme = "day"\n{text}\n')
    loaded = load(file, DEFAULT, THEMES)
    [problem] = loaded.problems
    if text != "interview = 12-24":  # that is no TOML at all
        assert loaded.settings == replace(DEFAULT, theme="day")
        assert loaded.unusable == (re.findall(r"\w+", text)[0],)
    for language in Language:
        assert str(file) in problem[language]


def test_only_what_was_changed_is_written(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("daily = true  # for now\nrollover = 5\n")
    save(file, replace(CHOSEN, rollover=6), ("rollover",))
    assert file.read_text() == "daily = true  # for now\nrollover = 6\n"


def test_every_setting_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    for field in FIELDS:
        assert f"| `{field.name}` |" in page
