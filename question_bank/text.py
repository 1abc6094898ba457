"""One sentence in both languages of the product."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """A language that every sentence of the product exists in."""

    EN = "en"
    ZH = "zh"


@dataclass(frozen=True, slots=True)
class Text:
    r"""A sentence in English and in Chinese.

    Inline math stands between dollar signs, in LaTeX (``$\sqrt{d_k}$``); ``question_bank.math`` renders it.

    Attributes:
        en: The English sentence.
        zh: The Chinese sentence.
    """

    en: str
    zh: str

    def __getitem__(self, language: Language) -> str:
        """Return the sentence in one language."""
        return self.zh if language == Language.ZH else self.en

    def fill(self, **values: object) -> Text:
        """Put values in the places marked ``{name}``.

        Only the names given are replaced, so the braces of inline LaTeX stay as they are. A value is put in as it is: places
        that it seems to have, in what a person typed say, are not filled in their turn.

        Args:
            values: What stands in each place; a ``Text`` goes in language by language.

        Returns:
            The sentence with the values put in.
        """
        return Text(_filled(self, Language.EN, values), _filled(self, Language.ZH, values))

    def __add__(self, other: Text) -> Text:
        """Put one sentence behind another: a blank parts them in English, nothing in Chinese."""
        return Text(f"{self.en} {other.en}".strip(), f"{self.zh}{other.zh}")


_PLACE = re.compile(r"\{(\w+)\}")


def _filled(sentence: Text, language: Language, values: Mapping[str, object]) -> str:
    def put(place: re.Match[str]) -> str:
        value = values.get(place[1], place[0])
        return value[language] if isinstance(value, Text) else str(value)

    return _PLACE.sub(put, sentence[language])


def same(symbols: str) -> Text:
    """Return a text that is the same in both languages: a formula, a name, a number."""
    return Text(symbols, symbols)
