"""What ``quizapp ask`` says of a typed answer: as a page, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from question_bank.evidence import EvidenceError, Finding, Marking, Span, State, mark
from question_bank.evidence.marking import LONGEST
from question_bank.questions.question import Question
from question_bank.text import Text
from quizapp.commands.exits import MisuseError
from quizapp.commands.pages import Page, Section, page_lines, spaced, terminal_width
from quizapp.commands.session import Session
from quizapp.commands.show_question import CLAIM, POINTS, SHORT

TOO_LONG = Text("Only the first {n} characters were marked.", "回答太长，只批改了前 {n} 个字符。").fill(n=f"{LONGEST:,}")
MADE_SOME = Text("You made {made} of {all} points.", "你说到了 {all} 个要点中的 {made} 个。")
NONE_MARKABLE = Text(
    "The points of this question can't be marked; compare your answer with them.",
    "这道题的要点无法自动批改，请自行对照。",
)
FELL = Text("And you said something wrong; see below.", "另有说错的地方，见下文。")
NOT_MARKED = Text("Nothing was typed, so nothing is marked.", "没有作答，不予批改。")

MADE = Text("Made", "说到的要点")
MISSING = Text("Missing", "没说到的要点")
WRONG = Text("Said, but wrong", "说错的地方")
UNMARKABLE = Text("To be compared by yourself: these points can't be marked", "无法自动批改的要点（请自行对照）")
YOUR_WORDS = Text("your words: {words}", "你的原话：{words}")


def report(session: Session, question: Question, typed: str) -> None:
    """Mark an answer, and print what was found; nothing is marked where nothing was typed.

    Raises:
        MisuseError: The question is a person's own, and a phrase of its evidence can't be read.
    """
    marking = _mark(question, typed) if typed.strip() else None
    if marking is not None and len(typed) > LONGEST:
        session.tell(TOO_LONG)
    if session.json:
        session.dump(_data(session, question, typed, marking))
    else:
        _print(session, question, typed, marking)


def _mark(question: Question, typed: str) -> Marking:
    try:
        return mark(question, typed)
    except EvidenceError as error:  # in a person's own question
        message = Text(
            "{id} can't be marked: the phrase “{phrase}” of its evidence can't be read.",
            "{id} 无法批改：评分短语“{phrase}”无法识别。",
        )
        hint = Text("quizapp validate, with its folder, says why.", "对它所在的文件夹运行 quizapp validate 可查看原因。")
        raise MisuseError(message.fill(id=question.id, phrase=error.phrase) + hint) from error


# Printing --------------------------------------------------------------------------------------------------------------


def _print(session: Session, question: Question, typed: str, marking: Marking | None) -> None:
    whole, page = Page(session, terminal_width()), Page(session, terminal_width() - 2)
    title = whole.hanging(f"{question.id}  ", whole.written(question.title))
    if marking is None:
        said, sections = NOT_MARKED, [Section(POINTS, _points(page, question, range(len(question.key_points))))]
    else:
        said, sections = _said(marking), list(_sections(page, question, typed, marking))
    answer = Section(SHORT, page.prose(question.answer.short))
    session.data(*title, "", *whole.prose(said), *page_lines(session, [*sections, answer]))


def _said(marking: Marking) -> Text:
    markable = len(marking.made) + len(marking.missing)
    said = MADE_SOME.fill(made=len(marking.made), all=markable) if markable else NONE_MARKABLE
    return said + FELL if marking.fallen_into else said


def _sections(page: Page, question: Question, typed: str, marking: Marking) -> Iterator[Section]:
    if marking.made:
        blocks = []
        for index in marking.made:
            [point] = [_points(page, question, [index])]
            blocks.append([*point, *page.hanging("   ", _words(page, typed, marking.points[index].spans))])
        yield Section(MADE, spaced(blocks))
    if marking.missing:
        yield Section(MISSING, _points(page, question, marking.missing))
    if marking.fallen_into:
        yield Section(WRONG, spaced(_pitfall(page, question, typed, marking, index) for index in marking.fallen_into))
    unmarkable = [index for index, finding in enumerate(marking.points) if finding.state is State.UNMARKABLE]
    if unmarkable:
        yield Section(UNMARKABLE, _points(page, question, unmarkable))


def _points(page: Page, question: Question, indices: Iterable[int]) -> list[str]:
    return [line for index in indices for line in page.hanging(f"{index + 1}. ", page.written(question.key_points[index].text))]


def _pitfall(page: Page, question: Question, typed: str, marking: Marking, index: int) -> list[str]:
    pitfall = question.pitfalls[index]
    return [
        *page.hanging("", page.written(CLAIM.fill(claim=pitfall.claim))),
        *page.beneath(_words(page, typed, marking.pitfalls[index].spans), page.written(pitfall.why)),
    ]


def _words(page: Page, typed: str, spans: Sequence[Span]) -> str:
    # Put in behind the formulas: dollar signs that a person typed start none.
    return page.written(YOUR_WORDS).replace("{words}", f"“{quoted(typed, spans)}”")


def quoted(typed: str, spans: Sequence[Span]) -> str:
    """Return the words at some places, with an ellipsis where others stand between them."""
    shown, end = "", 0
    for span in spans:
        between = typed[end : span.start]
        if shown:
            shown += " … " if between.strip() else between
        shown += typed[span.start : span.end]
        end = span.end
    return " ".join(shown.split())


# JSON ------------------------------------------------------------------------------------------------------------------


def _data(session: Session, question: Question, typed: str, marking: Marking | None) -> dict[str, object]:
    points = marking.points if marking else [None] * len(question.key_points)
    pitfalls = marking.pitfalls if marking else [None] * len(question.pitfalls)
    return {
        "id": question.id,
        "title": session.written(question.title),
        "prompt": session.written(question.prompt),
        "typed": typed,
        "points": [
            {
                "text": session.written(point.text),
                "state": finding.state.value if finding else None,
                **_words_data(typed, finding),
            }
            for point, finding in zip(question.key_points, points, strict=True)
        ],
        "pitfalls": [
            {
                "claim": session.written(pitfall.claim),
                "why": session.written(pitfall.why),
                "said": None if finding is None or finding.state is State.UNMARKABLE else finding.is_made,
                **_words_data(typed, finding),
            }
            for pitfall, finding in zip(question.pitfalls, pitfalls, strict=True)
        ],
        "answer": session.written(question.answer.short),
    }


def _words_data(typed: str, finding: Finding | None) -> dict[str, object]:
    spans = finding.spans if finding else ()
    return {
        "words": [typed[span.start : span.end] for span in spans],
        "spans": [[span.start, span.end] for span in spans],
    }
