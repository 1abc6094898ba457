"""Content files of a person's own, made from the examples of the documentation."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
QUESTION = (EXAMPLES / "Q101.toml").read_text("utf-8")
LESSON = (EXAMPLES / "S8.1.toml").read_text("utf-8")


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with parts replaced; each must be there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def write(folder: Path, **files: str) -> Path:
    """Write content files; ``S8_1`` stands for S8.1.toml."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name.replace('_', '.')}.toml").write_text(text, "utf-8")
    return folder
