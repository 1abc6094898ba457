"""One sentence in both languages of the product."""

from __future__ import annotations

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

        Only the names given are replaced, so the braces of inline LaTeX stay as they are.

        Args:
            values: What stands in each place; a ``Text`` goes in language by language.

        Returns:
            The sentence with the values put in.
        """
        english, chinese = self.en, self.zh
        for name, value in values.items():
            place = "{" + name + "}"
            one = value if isinstance(value, Text) else Text(str(value), str(value))
            english = english.replace(place, one.en)
            chinese = chinese.replace(place, one.zh)
        return Text(english, chinese)

    def __add__(self, other: Text) -> Text:
        """Put one sentence behind another: a blank parts them in English, nothing in Chinese."""
        return Text(f"{self.en} {other.en}".strip(), f"{self.zh}{other.zh}")


def same(symbols: str) -> Text:
    """Return a text that is the same in both languages: a formula, a name, a number."""
    return Text(symbols, symbols)
