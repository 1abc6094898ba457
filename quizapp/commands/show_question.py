"""An interview question as a page, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from question_bank.drills import DRILLS
from question_bank.questions import GROUPS
from question_bank.questions.question import Choice, Question
from question_bank.text import Text
from quizapp.citations import cited
from quizapp.commands.pages import Page, Section, spaced
from quizapp.commands.session import Session


class QuestionPart(StrEnum):
    """What can be shown of a question."""

    PROMPT = "prompt"
    ANSWER = "answer"
    POINTS = "points"
    PITFALLS = "pitfalls"
    CHOICES = "choices"
    FOLLOW_UPS = "follow-ups"
    SOURCES = "sources"

    @property
    def key(self) -> str:
        """Its name in JSON."""
        return self.value.replace("-", "_")


QUESTION = Text("Question", "题目")
SHORT = Text("Short answer", "简答")
FULL = Text("Full answer", "详答")
POINTS = Text("Key points", "要点")
PITFALLS = Text("Pitfalls", "误区")
CHOICES = Text("Four options", "四选一")
FOLLOW_UPS = Text("Follow-ups", "追问")
DRILLS_HEADING = Text("Drills", "练习")
SOURCES = Text("Sources", "出处")

CLAIM = Text("“{claim}”", "“{claim}”")
RIGHT = Text("Right: {why}", "正确：{why}")
WRONG = Text("Wrong: {why}", "错误：{why}")
LETTERS = "abcd"


def heading_lines(page: Page, question: Question) -> list[str]:
    """Write number and title, and where the question belongs."""
    where = Text("Group {group}, {name}; section {section}", "{group} 组 {name}，课程 {section} 节").fill(
        group=question.group.value, name=GROUPS[question.group], section=question.section
    )
    return [*page.hanging(f"{question.id}  ", page.written(question.title)), *page.hanging("", page.written(where))]


def sections(page: Page, question: Question, part: QuestionPart | None) -> Iterator[Section]:
    """Lay out a part of a question, or all of it."""
    for each in QuestionPart if part is None else (part,):
        if each is QuestionPart.SOURCES and part is None and question.drills:
            rows = [(drill, page.written(DRILLS[drill].title)) for drill in question.drills if drill in DRILLS]
            yield Section(DRILLS_HEADING, page.table(rows))
        yield from _part(page, question, each)


def _part(page: Page, question: Question, part: QuestionPart) -> Iterator[Section]:
    match part:
        case QuestionPart.PROMPT:
            yield Section(QUESTION, page.prose(question.prompt))
        case QuestionPart.ANSWER:
            yield Section(SHORT, page.prose(question.answer.short))
            yield Section(FULL, page.prose(*question.answer.paragraphs()))
        case QuestionPart.POINTS:
            points = [point.text for point in question.key_points]
            yield Section(
                POINTS, [line for at, text in enumerate(points, 1) for line in page.hanging(f"{at}. ", page.written(text))]
            )
        case QuestionPart.PITFALLS:
            yield Section(PITFALLS, spaced(claim_lines(page, each.claim, each.why) for each in question.pitfalls))
        case QuestionPart.CHOICES:
            yield Section(CHOICES, spaced(_choice(page, *each) for each in zip(LETTERS, question.choices, strict=True)))
        case QuestionPart.FOLLOW_UPS:
            yield Section(
                FOLLOW_UPS,
                spaced(
                    [*page.hanging("", page.written(each.question)), *page.beneath(page.written(each.answer))]
                    for each in question.follow_ups
                ),
            )
        case QuestionPart.SOURCES:
            yield Section(SOURCES, page.prose(cited(question.sources)))


def claim_lines(page: Page, claim: Text, why: Text) -> list[str]:
    """Write what people say, and beneath it why it is wrong."""
    return [*page.hanging("", page.written(CLAIM.fill(claim=claim))), *page.beneath(page.written(why))]


def _choice(page: Page, letter: str, choice: Choice) -> list[str]:
    said = page.written((RIGHT if choice.right else WRONG).fill(why=choice.why))
    return [*page.hanging(f"{letter}  ", page.written(choice.text)), *page.hanging("   ", said)]


def data(session: Session, question: Question, part: QuestionPart | None) -> dict[str, object]:
    """Return a part of a question for JSON, or all of it."""
    written = session.written
    heading: dict[str, object] = {
        "kind": "question",
        "id": question.id,
        "group": question.group.value,
        "section": question.section,
        "title": written(question.title),
    }
    parts: dict[str, object] = {
        "prompt": written(question.prompt),
        "answer": {
            "short": written(question.answer.short),
            "full": [written(paragraph) for paragraph in question.answer.paragraphs()],
        },
        "points": [written(point.text) for point in question.key_points],
        "pitfalls": [{"claim": written(each.claim), "why": written(each.why)} for each in question.pitfalls],
        "choices": [{"text": written(each.text), "right": each.right, "why": written(each.why)} for each in question.choices],
        "follow_ups": [{"question": written(each.question), "answer": written(each.answer)} for each in question.follow_ups],
        "sources": list(question.sources),
    }
    if part is not None:
        return heading | {part.key: parts[part.key]}
    return heading | parts | {"drills": list(question.drills), "lab": question.lab}
