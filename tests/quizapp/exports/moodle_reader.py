"""Reads Moodle XML and its cloze fields as Moodle does, and grades with them; shares nothing with what writes them."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from lxml import etree


@dataclass(frozen=True)
class Option:
    fraction: int
    answer: str
    tolerance: float
    feedback: str


@dataclass(frozen=True)
class Blank:
    """A field: numerical, shortanswer or multichoice."""

    kind: str
    options: tuple[Option, ...]

    def grade(self, typed: str) -> Option | None:
        """Return the first option that fits, as Moodle does."""
        for option in self.options:
            if self.kind == "numerical":
                middle = float(option.answer)
                if abs(float(typed) - middle) <= option.tolerance + 1e-14 * max(1, abs(middle)):
                    return option
            elif option.answer.casefold() == typed.strip().casefold():
                return option
        return None


def blanks(question: etree._Element) -> list[Blank]:
    """Return the fields of a question."""
    kind = question.get("type")
    if kind == "cloze":
        return read_cloze(question.findtext("questiontext/text"))
    options = [
        Option(
            int(each.get("fraction")),
            each.findtext("text") if kind != "multichoice" else text_of(each.findtext("text")),
            float(each.findtext("tolerance") or 0),
            text_of(each.findtext("feedback/text")),
        )
        for each in question.findall("answer")
    ]
    return [Blank(kind, tuple(options))]


KINDS = {"NUMERICAL": "numerical", "SHORTANSWER": "shortanswer", "MULTICHOICE": "multichoice"}


def read_cloze(text: str) -> list[Blank]:
    """Read the fields of a cloze text, character by character."""
    found = []
    at = 0
    while (at := text.find("{", at)) >= 0:
        weight, kind, rest = text[at + 1 :].split(":", 2)
        assert weight == "1", text[at : at + 40]
        end = _end(rest, "}")
        found.append(Blank(KINDS[kind], tuple(_option(each, kind) for each in _split(rest[:end], "~"))))
        at = text.index("}", at) + 1
    assert text.count("{") == text.count("}") == len(found)
    return found


def _end(text: str, stop: str) -> int:
    for at, sign in enumerate(text):
        if sign == stop and text[at - 1 : at] != "\\":
            return at
    raise AssertionError(f"no {stop} in {text[:60]}")


def _split(text: str, sign: str) -> list[str]:
    parts = [""]
    for at, each in enumerate(text):
        if each == sign and text[at - 1 : at] != "\\":
            parts.append("")
        else:
            parts[-1] += each
    return parts


def _option(text: str, kind: str) -> Option:
    assert "\n" not in text  # Moodle's expression stops at a line break
    fraction = 0
    if text.startswith("="):
        fraction, text = 100, text[1:]
    elif text.startswith("%"):
        _, percent, text = text.split("%", 2)
        fraction = int(percent)
    at = next((i for i, each in enumerate(text) if each == "#" and text[i - 1 : i] != "&"), len(text))
    answer, feedback = text[:at], html.unescape(text[at + 1 :])
    tolerance = 0.0
    if kind == "NUMERICAL":
        match = re.fullmatch(r"(-?(?:[0-9]+\.?[0-9]*)(?:[eE][-+]?[0-9]+)?):([0-9]+\.?[0-9]*)", answer)
        assert match, answer
        answer, tolerance = match[1], float(match[2])
    return Option(fraction, html.unescape(answer), tolerance, text_of(feedback))


ALLOWED = {
    "html", "body", "p", "br", "h4", "ol", "ul", "li", "em", "strong", "span", "div", "pre", "code", "details", "summary",
    "table", "tbody", "tr", "td", "hr", "style",
}  # fmt: skip
"""The tags that exports are made of."""


def parsed(markup: str) -> etree._Element:
    """Parse HTML, and see that it holds nothing but these tags, without anything that acts."""
    tree = etree.fromstring(f"<body>{markup}</body>", etree.HTMLParser())
    for each in tree.iter():
        assert each.tag in ALLOWED, each.tag
        assert set(each.attrib) <= {"class", "lang", "id"}, each.attrib
    return tree


def text_of(markup: str) -> str:
    """Return what a reader sees of HTML."""
    if not markup:
        return ""
    tree = parsed(markup)
    for each in tree.iter("br"):
        each.tail = "\n" + (each.tail or "")
    return "".join(tree.itertext())
