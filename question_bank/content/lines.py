"""On which line of a TOML file a field stands. ``tomllib`` doesn't say; looked up only where there is a fault to tell."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=\s*")
_QUOTES = ("'''", '"""', "'", '"')


def find_lines(text: str) -> dict[str, int]:
    """Return the line, from 1, of every table and key outside inline tables.

    Args:
        text: A TOML file that ``tomllib`` can read.

    Returns:
        Lines by path, written as in ``pitfalls[0].why.zh``.
    """
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    at, line = 0, 1
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if header := _HEADER.match(text, at, end):
            table = _table(_parts(header[2]), header[1] == "[[", counts)
            found.setdefault(table, line)
        elif key := _KEY.match(text, at, end):
            path = table
            for part in _parts(key[1]):
                path = f"{path}.{part}".lstrip(".")
                found.setdefault(path, line)
            end = _end_of_value(text, key.end())
            newline = text.find("\n", end)
            end = len(text) if newline < 0 else newline
        line += text.count("\n", at, end + 1)
        at = end + 1
    return found


def line_of(field: str, lines: dict[str, int]) -> int | None:
    """Return the line of a field, or of the nearest table around it; None for the file as a whole."""
    if not field:
        return None
    while field and field not in lines:
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return lines.get(field, 1)


def _parts(name: str) -> list[str]:
    return [part.strip().strip("\"'") for part in name.split(".")]


def _table(parts: list[str], is_new: bool, counts: dict[str, int]) -> str:
    """Write the path of a table; the last table of an array is meant wherever an array is passed through."""
    path = ""
    for place, part in enumerate(parts):
        path = f"{path}.{part}".lstrip(".")
        if is_new and place == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = f"{path}[{counts[path]}]"
    return path


def _end_of_value(text: str, at: int) -> int:
    """Return where a value ends that starts here: strings, and brackets over several lines, are passed over whole."""
    depth = 0
    while at < len(text):
        quote = next((each for each in _QUOTES if text.startswith(each, at)), None)
        if quote is not None:
            at = _end_of_string(text, at + len(quote), quote)
            continue
        character = text[at]
        depth += (character in "[{") - (character in "]}")
        if character == "#":
            at = text.find("\n", at)
            if at < 0:
                return len(text)
            continue
        if character == "\n" and depth <= 0:
            return at
        at += 1
    return at


def _end_of_string(text: str, at: int, quote: str) -> int:
    while at < len(text) and not text.startswith(quote, at):
        at += 2 if text[at] == "\\" and quote[0] == '"' else 1
    at += len(quote)
    while len(quote) == 3 and at < len(text) and text[at] == quote[0]:
        at += 1  # '''' ends with a quote of the text's own
    return at
