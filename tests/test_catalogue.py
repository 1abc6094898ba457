"""docs/drills.md says what the drills do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from question_bank.drills import DRILLS
from question_bank.text import Language
from tools import write_drills


@pytest.fixture(scope="module")
def pages() -> dict[Path, str]:
    return write_drills.pages()


@pytest.mark.parametrize("language", Language)
def test_the_catalogue_is_current(pages: dict[Path, str], language: Language) -> None:
    path = write_drills.FILES[language]
    kept, now = path.read_text("utf-8").splitlines(), pages[path].splitlines()
    differing = [
        f"{place}: {old!r}, now {new!r}" for place, (old, new) in enumerate(zip(kept, now, strict=False), 1) if old != new
    ]
    assert kept == now, f"python -m tools.write_drills writes it anew; {differing[:3]}"


@pytest.mark.parametrize("language", Language)
def test_each_drill_has_its_example_mistakes_and_steps(pages: dict[Path, str], language: Language) -> None:
    parts = re.split(r"^### ", pages[write_drills.FILES[language]], flags=re.MULTILINE)[1:]
    assert sorted(part.partition("\n")[0] for part in parts) == sorted(DRILLS)
    for part in parts:
        headings = re.findall(r"^#### (.*)$", part, flags=re.MULTILINE)
        assert headings[0] == write_drills.MISTAKES[language], part[:40]
        assert headings[-1] == write_drills.STEPS[language], part[:40]
        rows = re.findall(r"^\| .* \|$", part.partition("#### ")[2], flags=re.MULTILINE)
        assert len(rows) > 2, part[:40]  # a heading, its rule, a mistake at least
        assert "§7." in part
        assert not re.search(r"\$|[«»]|\{[a-z_]+\}", re.sub(r"```.*?```", "", part, flags=re.DOTALL)), part[:40]


def test_what_is_out_of_date_is_told_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "drills.md"
    monkeypatch.setattr(write_drills, "pages", lambda: {path: "# New\n"})
    assert write_drills.main(["--check"]) == 1
    assert "drills.md is out of date" in capsys.readouterr().err
    assert not path.exists()
    assert write_drills.main([]) == 0
    assert path.read_text("utf-8") == "# New\n"
    assert write_drills.main(["--check"]) == 0
