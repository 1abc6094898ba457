"""The phrase language: what a phrase says, as a tree.

    variance ~4 dk            words in this order; ~4: at most 4 word-units between them, 3 where nothing is said
    saturat*                  a word with any ending
    std|deviation             one or the other; | without blanks binds more tightly than anything
    (one way | another way)   | with blanks parts whole sequences, within brackets or without
    [almost] one-hot          what stands in square brackets may be missing
    "number of terms"         exactly these words, adjacent
    方差 ~4 dk                Chinese as it is written: neighbouring characters
    flat* & dk                both in one sentence, in any order; &5: at most 5 word-units apart
    ! dk ~5 flat*             ! in front: it counts even when denied, or when it is hypothetical or reported
    ? overflow*               ? in front (pitfalls only): it counts even when hypothetical, with "if" or "would"

Words and formulas are folded like typed text (``folding``), so that a phrase says ``sqrt(d_k)`` or ``√dk`` as it likes.
"""

from __future__ import annotations

from functools import cache

from question_bank.evidence.characters import STAR
from question_bank.evidence.folding import Token, phrase_tokens
from question_bank.evidence.lexing import Lex
from question_bank.evidence.nodes import (
    DEFAULT_GAP,
    Both,
    Characters,
    Either,
    EvidenceError,
    Heed,
    Node,
    Phrase,
    Sequence,
    Step,
    Word,
)
from question_bank.text import Text

WIDEST_GAP = 30
LONGEST = 400
DEEPEST = 8


@cache
def compiled(phrase: str) -> Phrase:
    """Read a phrase, once.

    Raises:
        EvidenceError: It can't be read.
    """
    return _Parser(phrase).phrase()


_STOPS = '()[]|"“”&~'


class _Parser:
    def __init__(self, phrase: str) -> None:
        self.source = phrase
        self.text = (
            phrase.replace("！", "!")
            .replace("？", "?")
            .replace("“", '"')
            .replace("”", '"')
            .replace("｜", "|")
            .replace("＊", "*")
            .replace("\u3000", " ")
        )
        self.place = 0
        self.depth = 0

    def fault(self, en: str, zh: str, column: int | None = None) -> EvidenceError:
        return EvidenceError(self.source, (self.place if column is None else column) + 1, Text(en, zh))

    def phrase(self) -> Phrase:
        if len(self.text) > LONGEST:
            raise self.fault(f"a phrase has at most {LONGEST} characters", f"一条短语最多 {LONGEST} 个字符", LONGEST)
        if STAR in self.text:
            raise self.fault("this character can't be used", "不能使用这个字符", self.text.index(STAR))
        self.blanks()
        is_unequal = self.text.startswith("!=", self.place)
        heed = Heed.NOTHING if not is_unequal and self.take("!") else Heed.NO_HYPOTHESIS if self.take("?") else Heed.ALL
        node = self.alternatives("")
        if self.place < len(self.text):
            raise self.fault(f"{self.text[self.place]} closes nothing", f"{self.text[self.place]} 没有与之配对的括号")
        return Phrase(node, heed)

    def blanks(self) -> None:
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1

    def peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def take(self, character: str) -> bool:
        if self.peek() != character:
            return False
        self.place += 1
        return True

    def number(self) -> float | None:
        start = self.place
        while self.peek().isascii() and self.peek().isdigit():
            self.place += 1
        if start == self.place:
            return None
        value = int(self.text[start : self.place])
        if value > WIDEST_GAP:
            raise self.fault(f"a gap is at most {WIDEST_GAP}", f"间隔最大为 {WIDEST_GAP}", start)
        return float(value)

    def alternatives(self, closing: str) -> Node:
        """Sequences parted by | with blanks around it."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fault("too many brackets within brackets", "括号嵌套太深")
        opened = self.place
        found = [self.conjunction()]
        while self.take("|"):
            found.append(self.conjunction())
        if closing and not self.take(closing):
            if self.place >= len(self.text):
                raise self.fault(f"a bracket is not closed: {closing} is missing", f"括号没有闭合，缺少 {closing}", opened - 1)
            raise self.fault(f"{closing} was expected", f"此处应为 {closing}")
        self.depth -= 1
        return found[0] if len(found) == 1 else Either(tuple(found))

    def conjunction(self) -> Node:
        node = self.sequence()
        while self.take("&"):
            gap = self.number()
            node = Both(node, self.sequence(), gap)
        return node

    def sequence(self) -> Node:
        """Items one behind the other."""
        start = self.place
        steps: list[Step] = []
        gap = DEFAULT_GAP
        tight = -1  # where a | without blanks stood
        said = False
        while True:
            self.blanks()
            character = self.peek()
            if character in ("", ")", "]", "&") or (character == "|"):
                break
            if character == "~":
                column = self.place
                self.place += 1
                value = self.number()
                if value is None:
                    raise self.fault("a number was expected behind ~", "~ 后面应有数字")
                if not steps or said:
                    raise self.fault("~ stands between two items", "~ 应放在两项之间", column)
                gap, said = value, True
                continue
            before = self.place
            new, had_bar = self.item()
            if had_bar:
                tight = before
            steps.append(Step(new[0].item, gap, new[0].may_miss))
            steps.extend(new[1:])
            gap, said = DEFAULT_GAP, False
        if said:
            raise self.fault("~ stands between two items", "~ 应放在两项之间")
        if not steps:
            raise self.fault("a word was expected", "此处应有词语", None if self.place > start else start)
        if all(step.may_miss for step in steps):
            raise self.fault("everything here may be missing", "这里的每一项都可省略", start)
        if tight >= 0 and len(steps) > 1 and self.depth > 1:
            raise self.fault(
                "ambiguous: put blanks around | to part whole sequences, or brackets around the alternatives",
                "有歧义：若要分隔整段，请在 | 两边加空格；若只是词的并列，请加括号",
                tight,
            )
        if len(steps) == 1 and not steps[0].may_miss:
            return steps[0].item
        return Sequence(tuple(steps))

    def item(self) -> tuple[list[Step], bool]:
        """One item, with what a | without blanks joins to it; a run of plain words is several steps."""
        first = self.single(may_run=True)
        if not self.is_tight_bar():
            return first, False
        if len(first) == 1 and first[0].may_miss:
            raise self.fault("put the alternatives within the square brackets", "请把并列的词写在方括号里面")
        found = [_joined(first)]
        while self.is_tight_bar():
            self.place += 1
            column = self.place
            more = self.single(may_run=False)
            if more[0].may_miss:
                raise self.fault("put the alternatives within the square brackets", "请把并列的词写在方括号里面", column)
            found.append(_joined(more))
        return [Step(Either(tuple(found)))], True

    def is_tight_bar(self) -> bool:
        following = self.text[self.place + 1 : self.place + 2]
        return (
            self.peek() == "|" and self.place > 0 and not self.text[self.place - 1].isspace()
            and bool(following) and not following.isspace()
        )  # fmt: skip

    def single(self, may_run: bool) -> list[Step]:
        character = self.peek()
        column = self.place
        if self.take("("):
            return [Step(self.alternatives(")"))]
        if self.take("["):
            return [Step(self.alternatives("]"), may_miss=True)]
        if self.take('"'):
            end = self.text.find('"', self.place)
            if end < 0:
                raise self.fault("a quotation is not closed", "引号没有闭合", column)
            inside = self.text[self.place : end]
            self.place = end + 1
            return [Step(_joined(self.words(inside, column, is_exact=True)))]
        if character in ("", "|", "&", ")", "]", "~"):
            raise self.fault("a word was expected", "此处应有词语")
        return self.words(self.run(may_run), column, is_exact=False)

    def run(self, may_run: bool) -> str:
        """Plain words up to the next sign of the language; brackets glued to a word belong to it."""
        start = end = self.place
        depth = 0
        while end < len(self.text):
            character = self.text[end]
            if character.isspace() and depth == 0:
                if not may_run:
                    break
                following = self.text[end:].lstrip()
                if not following or following[0] in _STOPS:
                    break
                upcoming = end + len(self.text[end:]) - len(following)
                word_end = self.word_end(upcoming)
                if self.text[word_end : word_end + 1] == "|":  # this word belongs to alternatives of its own
                    break
                end = upcoming
                continue
            if depth == 0 and character in '|"&~)]':
                break
            if character in "([" and depth == 0 and (end == start or self.text[end - 1].isspace()):
                break
            depth += (character in "([") - (character in ")]")
            end += 1
        if depth:
            raise self.fault("a bracket is not closed", "括号没有闭合", start)
        self.place = end
        return self.text[start:end].rstrip()

    def word_end(self, place: int) -> int:
        depth = 0
        while place < len(self.text):
            character = self.text[place]
            if depth == 0 and (character.isspace() or character in '|"&~)]'):
                break
            depth += (character in "([") - (character in ")]")
            place += 1
        return place

    def words(self, text: str, column: int, is_exact: bool) -> list[Step]:
        """Fold plain words into steps."""
        marked = []
        for place, character in enumerate(text):
            is_star = character == "*" and (place + 1 == len(text) or text[place + 1].isspace())
            if is_star and (place == 0 or not text[place - 1].isalpha() or "\u3400" <= text[place - 1] <= "\u9fff"):
                raise self.fault("a star stands behind the letters of a word", "* 只能放在英文词的字母后面", column + place)
            marked.append(STAR if is_star else character)
        folded = "".join(marked)
        tokens = phrase_tokens(folded)
        if not tokens:
            raise self.fault("a word was expected", "此处应有词语", column)
        steps: list[Step] = []
        for node, starts_piece in _grouped(tokens, folded):
            gap = DEFAULT_GAP if starts_piece and not is_exact else 0.0
            steps.append(Step(node, gap))
        return steps


def _grouped(tokens: tuple[Token, ...], text: str) -> list[tuple[Node, bool]]:
    """Join the tokens of one piece without blanks: hyphened words, neighbouring characters."""
    found: list[tuple[Node, bool]] = []
    for index, token in enumerate(tokens):
        previous = tokens[index - 1] if index else None
        starts = previous is None or any(character.isspace() for character in text[previous.end : token.start])
        if token.kind is Lex.CJK:
            if previous is not None and previous.kind is Lex.CJK and not starts and isinstance(found[-1][0], Characters):
                found[-1] = (Characters(found[-1][0].text + token.text), found[-1][1])
            else:
                found.append((Characters(token.text), starts))
            continue
        last = found[-1][0] if found else None
        is_hyphened = previous is not None and text[previous.end : token.start] == "-" and token.kind is Lex.WORD
        if is_hyphened and isinstance(last, Word) and not last.is_stem:
            found[-1] = (Word(last.text + token.text, token.is_stem), found[-1][1])
        else:
            found.append((Word(token.text, token.is_stem), starts))
    return found


def _joined(steps: list[Step]) -> Node:
    return steps[0].item if len(steps) == 1 and not steps[0].may_miss else Sequence(tuple(steps))
