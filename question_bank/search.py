r"""Finding words in questions, lessons and drills, in both languages at once.

Text and query are folded alike: case and width, the signs that only set a formula off, superscripts and subscripts. So
``sqrt(d_k)``, ``√d_k`` and ``$\\sqrt{d_k}$`` find one another. Chinese needs no word breaks: a run of it is looked for as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from question_bank.bank import SHIPPED, Bank
from question_bank.drills import DRILLS
from question_bank.math import MathError, plain
from question_bank.text import Language, Text

MOST = 20
"""How many places are returned at most."""

EARLY, LEAD = 36, 24
"""A passage starts at most so many characters before what was found, or else with so many of them."""


class Kind(StrEnum):
    """What was found."""

    QUESTION = "question"
    LESSON = "lesson"
    DRILL = "drill"


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a query was found.

    Attributes:
        kind: Question, lesson or drill.
        id: ``Q7``, ``7.9``, ``softmax-row``.
        title: Its title.
        passage: The passage that fits best, in the language in which it was found.
        score: How well it fits.
    """

    kind: Kind
    id: str
    title: Text
    passage: str
    score: float


@dataclass(frozen=True, slots=True)
class Document:
    """A question, a lesson or a drill, made ready for searching; ``documents`` makes them one by one."""

    kind: Kind
    id: str
    title: Text
    parts: tuple[tuple[float, str, str], ...]
    """Weight, passage in plain text, passage folded."""


class Index:
    """Texts made ready for searching."""

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        """Take some documents in."""
        self._documents = list(documents)

    def add(self, document: Document) -> None:
        """Take in one more."""
        self._documents.append(document)

    def find(self, query: str, language: Language = Language.EN, most: int = MOST) -> tuple[Hit, ...]:
        """Find all places that hold every word of a query.

        Args:
            query: Words in either language, or both.
            language: Of two passages that fit alike, the one in this language is shown.
            most: How many places to return.

        Returns:
            The places, best first.
        """
        words = terms(query)
        if not words:
            return ()
        hits = [hit for document in self._documents if (hit := _hit(document, words, language)) is not None]
        return tuple(sorted(hits, key=lambda hit: -hit.score)[:most])


SYNONYMS: tuple[tuple[str, ...], ...] = (
    ("attention", "注意力"),
    ("mask", "掩码", "遮罩"),
    ("padding", "填充"),
    ("causal", "因果"),
    ("cache", "缓存"),
    ("layernorm", "层归一化"),
    ("batchnorm", "批归一化"),
    ("normalis", "normaliz", "归一化"),
    ("residual", "残差"),
    ("embedding", "嵌入", "词向量"),
    ("position", "位置"),
    ("encoder", "编码器"),
    ("decoder", "解码器"),
    ("gradient", "梯度"),
    ("variance", "方差"),
    ("weight", "权重"),
    ("score", "分数", "打分"),
    ("learning rate", "学习率"),
    ("parameter", "参数"),
    ("overflow", "溢出"),
    ("projection", "投影"),
    ("head", "多头"),
    ("order", "顺序"),
    ("length", "长度"),
    ("feed forward", "ffn", "前馈"),
    ("quadratic", "平方"),
    ("dot product", "点积", "点乘"),
)
"""Words of the field that stand for one another, as folded."""

_SUPERSCRIPTS = str.maketrans({"ᵀ": "t", "√": "sqrt", "∞": "infinity", "−": "-", "×": "x"})
_DROPPED = re.compile(r"\\(?:mathrm|text|operatorname|left|right)|[$\\{}()\[\]_^*`\"'“”‘’]")
_BREAK = re.compile(r"[^0-9a-z\u0370-\u03ff\u3400-\u4dbf\u4e00-\u9fff./%+-]+")
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+|[^\u3400-\u4dbf\u4e00-\u9fff]+")


def fold(text: str) -> str:
    """Fold a text for comparison; words stay parted by single blanks."""
    text = text.translate(_SUPERSCRIPTS)
    text = _HYPHEN.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return f" {_BREAK.sub(' ', _DROPPED.sub('', text)).strip()} "


def terms(query: str) -> tuple[str, ...]:
    """Return the words of a query: a run of Chinese is one, a plural loses its s."""
    found: list[str] = []
    for word in fold(query).split():
        for run in _RUN.findall(word.strip("./-")):
            found.append(run[:-1] if len(run) > 3 and run.endswith("s") and not run.endswith("ss") else run)
    return tuple(dict.fromkeys(found))


def _hit(document: Document, words: Sequence[str], language: Language) -> Hit | None:
    best, passage, score = 0.0, "", 0.0
    missing = set(words)
    for weight, text, folded in document.parts:
        found = {word: fit for word in words if (fit := _fit(word, folded))}
        if not found:
            continue
        missing.difference_update(found)
        value = weight * sum(found.values()) * len(found) / len(words)  # several words in one passage count for more
        value *= 1.5 if len(words) > 1 and " ".join(words) in folded else 1.0
        score += value / (2.0 if score else 1.0)
        value *= 1.5 if _is_in(text, language) else 1.0
        if value > best:
            best, passage = value, text
    if missing:
        return None
    return Hit(document.kind, document.id, document.title, _around(passage, words), score)


def _fit(word: str, folded: str) -> float:
    """Say how well a word is found: at the start of a word, within one, or by another word for the same thing."""
    if word in folded:
        return 1.0 if f" {word}" in folded or not word.isascii() else 0.4
    return 0.6 if any(each in folded for each in _other_words(word)) else 0.0


@cache
def _other_words(word: str) -> tuple[str, ...]:
    return tuple(each for group in SYNONYMS if any(word.startswith(name) for name in group) for each in group if each != word)


def _is_in(text: str, language: Language) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", text)) == (language is Language.ZH)


def _around(passage: str, words: Sequence[str]) -> str:
    """Cut a passage down to the sentence that holds most of the words, and to where the first of them stands."""
    sentences = re.split(r"(?<=[.!?])\s+|(?<=[。！？；])", passage)
    best = " ".join(max(sentences, key=lambda sentence: sum(word in fold(sentence) for word in words)).split())
    at = min((place for word in words if (place := best.casefold().find(word)) >= 0), default=0)
    if at <= EARLY:
        return best
    start = best.find(" ", at - LEAD)
    return "…" + best[start + 1 if 0 <= start < at else at - LEAD // 2 :]


def documents(bank: Bank = SHIPPED) -> Iterator[Document]:
    """Read and fold the texts of a bank, document by document: each takes a few milliseconds."""
    from question_bank.lessons.places import fill
    from question_bank.walk import texts

    for number in bank.numbers():
        question = bank.question(number)
        parts = [(_weight(field), text) for field, text in texts(question)]
        yield _document(Kind.QUESTION, question.id, question.title, parts, question.id)
    for section in bank.sections():
        lesson = bank.lesson(section)
        values = _values(bank, section)
        parts = [(_weight(field), fill(text, values)) for field, text in texts(lesson)]
        yield _document(Kind.LESSON, section, lesson.title, parts, section)
    for drill in DRILLS.values():
        yield _document(Kind.DRILL, drill.id, drill.title, [(8.0, drill.title)], drill.id.replace("-", " "))


def _values(bank: Bank, section: str) -> dict[str, str]:
    from question_bank import lessons

    return {} if section in bank.own_lessons else lessons.results(section).values


def _weight(field: str) -> float:
    head = re.split(r"[.\[]", field, maxsplit=1)[0]
    return {"title": 8.0, "prompt": 4.0, "key_points": 3.0, "intuition": 2.0, "terms": 2.0}.get(head, 1.0)


def _document(kind: Kind, name: str, title: Text, parts: Sequence[tuple[float, Text]], label: str) -> Document:
    passages = [(weight, sentence) for weight, text in parts for sentence in (text.en, text.zh)]
    folded = [(weight, _plain(sentence)) for weight, sentence in passages]
    # An id is found as it is written, and also parted.
    named = (10.0, _plain(title.en), fold(f"{name} {label}"))
    return Document(kind, name, title, (named, *((weight, sentence, fold(sentence)) for weight, sentence in folded)))


def _plain(sentence: str) -> str:
    try:
        return plain(sentence)
    except MathError:
        return sentence
