"""What makes a match void: negations, and for what people say wrongly also "if", "would", "a common mistake"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from question_bank.evidence.folding import Folded
from question_bank.evidence.matching import Match

WINDOW = 2.0
"""Word-units that may stand between a negation and what it denies."""
_OPENING = 4
"""Tokens at the start of the next sentence within which "that is wrong" is looked for."""

NEGATORS = """
    not | no | never | nor | neither | cannot | none | non | rather than | instead of | as opposed to | other than | far from
    nothing | nowhere | hardly
    不 | 不是 | 不会 | 不能 | 不可 | 不要 | 不用 | 没 | 没有 | 无 | 未 | 非 | 勿 | 并非 | 并不 | 而非 | 而不是 | 从不 | 绝不 | 别再 | 别用 | 别除
"""

_BESIDE = frozenset("是会能可要用有而并从绝再除")
"""Characters of negators that don't negate: a phrase may hold the 是 of 不是."""

_PREFIXES = frozenset(("non", "非"))
"""Negators that deny the very next word only."""

INNOCENT = """
    not only | not just | not merely | no matter | no doubt | no wonder | not sure | not certain | not entirely sure | not quite sure
    not remember | not recall | not know | not to mention | or not | if not | no problem | not to be confused | not that sure
    nothing but | why not | no idea | not 100% sure | not bad | not too sure
    不同 | 不仅 | 不但 | 不断 | 不过 | 不管 | 不论 | 差不多 | 不只 | 不止 | 不光 | 不妨 | 不禁 | 不得不 | 只不过 | 不然 | 无论 | 无穷 | 无限
    非常 | 未来 | 不少 | 不久 | 不错 | 不好意思 | 不知道 | 不记得 | 不确定 | 不太确定 | 不清楚 | 不太清楚 | 不太记得 | 没记错 | 不愧 | 未必不
    没问题 | 为什么不 | 为何不 | 除非 | 莫非 | 无非 | 不外乎 | 不由得 | 没错
"""
"""What holds a negator and denies nothing of what follows. It is one word: a phrase that uses a part of it does not mean it."""

_MARKS = """
    if | suppose | supposing | imagine | were to | had we | without
    如果 | 要是 | 假如 | 倘若 | 若是 | 万一 | 假使
"""
"""What makes a clause hypothetical."""

_DENIALS = """
    wrong | wrongly | incorrect | incorrectly | mistake | mistakes | mistaken | mistakenly | misconception | misconceptions | myth
    misunderstanding | fallacy | untrue | pitfall | naive | naively | tempting | confuse | confused | confusing
    is false | are false | not true | not the case | not correct | not right | people say | people think | people often say | some say
    some people | people claim | often said | often claimed | you might think | one might think | might think | would think
    you may think | commonly believed | many think | some think | people believe | many people
    误区 | 误解 | 误以为 | 错误 | 错的 | 错了 | 弄错 | 说错 | 搞错 | 是错 | 不对 | 不能说 | 不能认为 | 不能以为 | 不能理解为 | 不能理解成 | 这样不行 | 这不行 | 那样不行 | 有人说 | 有人以为 | 有人认为 | 很多人
    常有人 | 有人会 | 有些人 | 有的人 | 别人说 | 以为 | 搞混 | 弄混 | 混淆 | 说反 | 不成立 | 不准确 | 不正确 | 网上说 | 容易说成 | 常见的坑 | 误认为
    是假的 | 说法
"""
"""What makes a sentence one about other people's mistakes."""

_REFUSALS = """
    不行 | 不可以
"""
"""What takes back what stands before it in its clause: 除以 d_k 不行."""

_CONDITIONS = """
    的话
"""
"""What makes what stands before it in its clause hypothetical: 除以 d_k 的话."""

_VERDICTS = """
    wrong | incorrect | mistake | misconception | myth | untrue | not true | not the case | not correct | not right | is false
    错 | 不对 | 误区 | 误解 | 不是这样 | 不成立 | 并非如此
"""
"""What takes back the sentence before."""

_SPEAKERS = frozenset(("i", "we"))


class Kind(Enum):
    """What a match would show."""

    POINT = "point"
    PITFALL = "pitfall"


Listing = dict[str, tuple[tuple[str, ...], ...]]


def _listing(lines: str) -> Listing:
    listing: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for line in lines.strip().splitlines():
        for entry in line.split("|"):
            words = tuple(entry.split()) if entry.isascii() else tuple(entry.strip())
            listing[words[0]].append(words)
    return {first: tuple(sorted(entries, key=len, reverse=True)) for first, entries in listing.items()}


_NEGATORS, _INNOCENT, _HYPOTHETICAL = _listing(NEGATORS), _listing(INNOCENT), _listing(_MARKS)
_DENYING, _VERDICT = _listing(_DENIALS), _listing(_VERDICTS)
_REFUSING, _CONDITIONAL = _listing(_REFUSALS), _listing(_CONDITIONS)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Doubts:
    """What makes pitfalls void: by clause, by clause, by clause, by sentence; and the sentences that the next takes back."""

    hypotheses: Mapping[int, list[Span]]
    conditions: Mapping[int, list[Span]]
    refusals: Mapping[int, list[Span]]
    denials: Mapping[int, list[Span]]
    taken_back: frozenset[int]


class Negations:
    """What in one folded text makes matches void."""

    def __init__(self, folded: Folded) -> None:
        """Look for negations; what concerns pitfalls alone is looked for when first needed.

        Args:
            folded: The text.
        """
        self.folded = folded
        self.negators: dict[int, Span] = {}  # by each token of theirs
        self._idioms: defaultdict[int, list[Span]] = defaultdict(list)  # by each token of theirs
        for first, last in _found(folded, _INNOCENT):
            for index in range(first, last + 1):
                self._idioms[index].append((first, last))
        innocent = self._idioms.keys()
        for first, last in _found(folded, _NEGATORS):
            if innocent.isdisjoint(range(first, last + 1)) and not self._is_a_question(first, last):
                for index in range(first, last + 1):
                    self.negators.setdefault(index, (first, last))
        self._doubts: _Doubts | None = None

    def _is_a_question(self, first: int, last: int) -> bool:
        """Whether it is the middle of 是不是, 会不会."""
        tokens = self.folded.tokens
        if first == 0 or tokens[first].text not in "不没":
            return False
        following = first + 1
        return following < len(tokens) and tokens[first - 1].text == tokens[following].text

    def is_denied(self, match: Match, elsewhere: frozenset[str]) -> bool:
        """Tell whether a negation stands directly before a match or in one of its gaps.

        A negator that is itself a part of the match, or of the rest of its phrase, doesn't count. A match that uses a part of
        a longer word, such as 同 in 不同, is none either.
        """
        tokens = self.folded.tokens
        used = set(match.used)
        if self._is_part_of_an_idiom(used):
            return True
        start = tokens[match.first]
        index = match.first - 1
        while index >= 0 and tokens[index].clause == start.clause and start.left - tokens[index].right <= WINDOW:
            if self._denies(index, match.first, used, elsewhere):
                return True
            index -= 1
        for before, after in zip(match.used, match.used[1:], strict=False):
            for index in range(before + 1, after):
                if tokens[index].clause == tokens[after].clause and self._denies(index, after, used, elsewhere):
                    return True
        return False

    def _is_part_of_an_idiom(self, used: set[int]) -> bool:
        """Whether a match uses the 同 of 不同, or the "not" of "not only", and not all of it."""
        if not self._idioms:
            return False
        spans = (self._idioms[index] for index in used if index in self._idioms)
        return any(not any(used.issuperset(range(first, last + 1)) for first, last in found) for found in spans)

    def _denies(self, index: int, denied: int, used: set[int], elsewhere: frozenset[str]) -> bool:
        """Whether a token belongs to a negator of the token denied."""
        span = self.negators.get(index)
        tokens = self.folded.tokens
        if span is not None and tokens[index].text in _PREFIXES and span == (index, index) and index != denied - 1:
            return False
        if span is None or any(at in used and tokens[at].text not in _BESIDE for at in range(span[0], span[1] + 1)):
            return False
        if not elsewhere:
            return True
        said = "".join(tokens[at].text for at in range(span[0], span[1] + 1))
        return not any(said == word or (not word.isascii() and (said in word or word in said)) for word in elsewhere)

    def is_doubted(self, match: Match, heeds_hypotheses: bool) -> bool:
        """Tell whether a match is a question, reported as somebody's mistake or, where that counts, hypothetical."""
        if self._doubts is None:
            self._doubts = self._looked_up()
        doubts = self._doubts
        tokens = self.folded.tokens
        sentence = tokens[match.first].sentence
        if sentence in self.folded.questions or sentence in doubts.taken_back:
            return True
        used = set(match.used)
        clauses = {tokens[index].clause for index in match.used}
        spans = list(doubts.denials.get(sentence, ()))
        behind = [span for clause in clauses for span in doubts.refusals.get(clause, ())]
        if heeds_hypotheses:
            spans += [span for clause in clauses for span in doubts.hypotheses.get(clause, ())]
            behind += [span for clause in clauses for span in doubts.conditions.get(clause, ())]
        spans += [span for span in behind if span[0] > match.last]
        return any(used.isdisjoint(range(first, last + 1)) for first, last in spans)

    def _looked_up(self) -> _Doubts:
        folded, tokens = self.folded, self.folded.tokens
        hypotheses = self._by_clause(_HYPOTHETICAL)
        for index, token in enumerate(tokens):
            if token.text == "would" and not (index and tokens[index - 1].text in _SPEAKERS):
                hypotheses[token.clause].append((index, index))
        denials: defaultdict[int, list[Span]] = defaultdict(list)
        for span in _found(folded, _DENYING):
            denials[tokens[span[0]].sentence].append(span)
        taken_back = set()
        for first, _ in _found(folded, _VERDICT):
            sentence = tokens[first].sentence
            if first - folded.sentences[sentence][0] < _OPENING:
                taken_back.add(sentence - 1)
        refusals, conditions = self._by_clause(_REFUSING), self._by_clause(_CONDITIONAL)
        return _Doubts(hypotheses, conditions, refusals, denials, frozenset(taken_back))

    def _by_clause(self, listing: Listing) -> defaultdict[int, list[Span]]:
        clauses: defaultdict[int, list[Span]] = defaultdict(list)
        for span in _found(self.folded, listing):
            clauses[self.folded.tokens[span[0]].clause].append(span)
        return clauses


def _found(folded: Folded, listing: Listing) -> Iterator[Span]:
    """Find the entries of a list, of those that begin in one place the longest."""
    tokens = folded.tokens
    for first in _candidates(folded, listing):
        for words in listing[tokens[first].text]:
            last = first + len(words) - 1
            if last < len(tokens) and all(tokens[first + offset].text == word for offset, word in enumerate(words)):
                yield first, last
                break


def _candidates(folded: Folded, listing: Listing) -> Iterable[int]:
    return sorted(first for word in listing for first, last in folded.places.get(word, ()) if first == last)
