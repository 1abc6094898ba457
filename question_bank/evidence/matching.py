"""Where a phrase is found in a folded text. Every step keeps few candidates, so that no text takes long."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from question_bank.evidence.folding import Folded
from question_bank.evidence.nodes import Both, Characters, Either, Node, Sequence, Step, Word
from question_bank.evidence.spelling import edits_allowed, is_slip

_NEAREST = 8  # followers tried behind a partial match
_PER_END = 3  # partial matches kept that end in one place
_PLURAL = 3  # letters of a word from which on a plural is found with it
_EXACTLY = 1e-6


class Match(NamedTuple):  # made by the thousand, which a frozen dataclass is slow at
    """One place where a phrase is found.

    Attributes:
        first: The first token.
        last: The last token.
        used: The tokens that matched; those between are gaps.
    """

    first: int
    last: int
    used: tuple[int, ...]


Filter = Callable[[Match, frozenset[str]], bool]
"""Whether a match counts, given the words that its phrase has elsewhere."""


class Finder:
    """Finds phrases in one folded text; words looked up once are remembered."""

    def __init__(self, folded: Folded, avoided: Collection[int] = ()) -> None:
        """Get ready; the index of a folded text is made with it.

        Args:
            folded: The text.
            avoided: Tokens better not left in a gap: of several ways to match in one place the one that leaves fewest counts.
        """
        self.folded = folded
        self._avoided = avoided
        self._sorted = sorted(folded.places)
        self._words: dict[Word, list[Match]] = {}
        self._neighbours: dict[str, list[Match]] = {}

    def find(self, node: Node) -> list[Match]:
        """Return where a node is found, sorted."""
        match node:
            case Word():
                if node not in self._words:
                    self._words[node] = self._word(node)
                return self._words[node]
            case Characters():
                if node.text not in self._neighbours:
                    self._neighbours[node.text] = self._characters(node.text)
                return self._neighbours[node.text]
            case Either():
                return _sorted(match for item in node.items for match in self.find(item))
            case Sequence():
                return self._sequence(node.steps)
            case Both():
                return self._both(self.find(node.first), self.find(node.second), node.gap)

    def counting(self, node: Node, counts: Filter, elsewhere: frozenset[str] = frozenset()) -> list[Match]:
        """Return where a node is found and counts: of two things in one sentence each has to count by itself."""
        match node:
            case Both():
                first = self.counting(node.first, counts, elsewhere | words_of(node.second))
                second = self.counting(node.second, counts, elsewhere | words_of(node.first))
                return self._both(first, second, node.gap)
            case Either():
                return _sorted(match for item in node.items for match in self.counting(item, counts, elsewhere))
            case _:
                return [match for match in self.find(node) if counts(match, elsewhere)]

    def _word(self, word: Word) -> list[Match]:
        places, tokens = self.folded.places, self.folded.tokens
        spans = set(places.get(word.text, ()))
        if word.text.isalpha() and len(word.text) >= _PLURAL:
            spans.update(places.get(f"{word.text}s", ()))
        if word.is_stem:
            at = bisect_left(self._sorted, word.text)
            while at < len(self._sorted) and self._sorted[at].startswith(word.text):
                for first, last in places[self._sorted[at]]:
                    if first == last or sum(len(tokens[index].text) for index in range(first, last)) < len(word.text):
                        spans.add((first, last))
                at += 1
        if word.text.isalpha():
            for typed in self.folded.by_letter.get(word.text[0], ()):
                edits = edits_allowed(typed, word.text)
                if edits and typed != word.text and is_slip(typed, word.text, word.is_stem, edits):
                    spans.update(span for span in places[typed] if span[0] == span[1])
        return [Match(first, last, tuple(range(first, last + 1))) for first, last in sorted(spans)]

    def _characters(self, text: str) -> list[Match]:
        tokens = self.folded.tokens
        size = len(text)
        found = []
        for first, _ in self.folded.places.get(text[0], ()):
            end = first + size
            if (
                end > len(tokens)
                or (size > 1 and tokens[first + 1].text != text[1])
                or tokens[end - 1].clause != tokens[first].clause
            ):
                continue
            if all(tokens[first + offset].text == text[offset] for offset in range(2, size)) and (
                tokens[end - 1].right - tokens[first].left <= size * 0.5 + _EXACTLY
            ):
                found.append(Match(first, end - 1, tuple(range(first, end))))
        return found

    def _sequence(self, steps: tuple[Step, ...]) -> list[Match]:
        partial: list[Match] = []
        can_start = True
        for step in steps:
            followers = self.find(step.item)
            grown = self._followed(partial, followers, step.gap) if partial and followers else []
            if can_start:
                grown += followers
            if step.may_miss:
                grown += partial
            else:
                can_start = False
            partial = self._thinned(grown) if len(grown) > 1 else grown
            if not partial and not can_start:
                return []
        return _sorted(partial)

    def _followed(self, partial: list[Match], followers: list[Match], gap: float) -> list[Match]:
        tokens = self.folded.tokens
        firsts = [match.first for match in followers]
        grown = []
        for match in partial:
            end = tokens[match.last]
            at = bisect_right(firsts, match.last)
            for follower in followers[at : at + _NEAREST]:
                start = tokens[follower.first]
                if start.sentence != end.sentence or start.left - end.right > gap + _EXACTLY:
                    break
                if gap == 0 and start.clause != end.clause:
                    break
                grown.append(Match(match.first, follower.last, match.used + follower.used))
        return grown

    def _thinned(self, matches: list[Match]) -> list[Match]:
        """Keep, of the matches that end in one place, those that begin last, and of equal ones the best."""
        by_end: defaultdict[int, dict[int, Match]] = defaultdict(dict)
        for match in matches:
            starts = by_end[match.last]
            known = starts.get(match.first)
            if known is None or self._merit(match) > self._merit(known):
                starts[match.first] = match
        kept: list[Match] = []
        for starts in by_end.values():
            if len(starts) <= _PER_END:
                kept.extend(starts.values())
            else:
                kept.extend(starts[first] for first in sorted(starts, reverse=True)[:_PER_END])
        return kept

    def _merit(self, match: Match) -> tuple[int, int]:
        """What makes one of two matches in the same place the better one: what it uses of the tokens to avoid, then of all."""
        return sum(index in self._avoided for index in match.used), len(match.used)

    def _both(self, first: list[Match], second: list[Match], gap: float | None) -> list[Match]:
        """Join each match of the one to the nearest of the other: on either side, or in its gaps."""
        tokens = self.folded.tokens
        starts = [match.first for match in second]
        by_end = sorted(second, key=attrgetter("last"))
        ends = [match.last for match in by_end]
        found = []
        for match in first:
            after, before = bisect_right(starts, match.last), bisect_left(ends, match.first) - 1
            pairs = []
            if after < len(second):
                pairs.append((match, second[after]))
            if before >= 0:
                pairs.append((by_end[before], match))
            for left, right in pairs:
                end, start = tokens[left.last], tokens[right.first]
                if end.sentence == start.sentence and (gap is None or start.left - end.right <= gap + _EXACTLY):
                    found.append(_together(left, right))
        return _sorted([*found, *_inside(first, second), *_inside(second, first)])


def _together(one: Match, other: Match) -> Match:
    return Match(min(one.first, other.first), max(one.last, other.last), tuple(sorted(one.used + other.used)))


def _inside(outer: list[Match], inner: list[Match]) -> Iterator[Match]:
    """Join to each match those that begin in one of its gaps."""
    starts = [match.first for match in inner]
    for match in outer:
        if match.last - match.first < len(match.used):
            continue  # it has no gaps
        at = bisect_right(starts, match.first)
        for other in inner[at : at + _NEAREST]:
            if other.first > match.last:
                break
            if set(match.used).isdisjoint(other.used):
                yield _together(match, other)


def words_of(node: Node) -> frozenset[str]:
    """Return all words and characters that a node may match, as they are written."""
    match node:
        case Word() | Characters():
            return frozenset((node.text,))
        case Either():
            return frozenset().union(*map(words_of, node.items))
        case Sequence():
            return frozenset().union(*(words_of(step.item) for step in node.steps))
        case Both():
            return words_of(node.first) | words_of(node.second)


def _sorted(matches: Iterable[Match]) -> list[Match]:
    return sorted(set(matches))
