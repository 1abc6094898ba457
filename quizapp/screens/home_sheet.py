"""What a sheet of paper can be made from: what is marked on the home screen, what was wrong, what an interview asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from question_bank.drills import DRILLS
from question_bank.questions import GROUPS
from question_bank.text import Text, same
from quizapp import wording, wording_paper
from quizapp.screens.home_contents import DrillTarget, Fold, HomeState
from quizapp.screens.places import MakeSheetPlace, QuestionPlace

if TYPE_CHECKING:
    from quizapp.interview.report import Report
    from quizapp.sitting import Spot


def sheet_from(state: HomeState, marked: object | None) -> MakeSheetPlace | None:
    """Return the place where a sheet is made from what is marked; None where none can be."""
    if isinstance(marked, DrillTarget):
        return MakeSheetPlace(DRILLS[marked.drill].title, ((marked.drill, state.level(marked.drill)),))
    if isinstance(marked, QuestionPlace):
        heading = next((each for each in state.bank.titles() if each.number == marked.number), None)
        return None if heading is None else MakeSheetPlace(heading.title, questions=(marked.number,))
    return _of_fold(state, marked.name) if isinstance(marked, Fold) else None


def _of_fold(state: HomeState, name: str) -> MakeSheetPlace | None:
    group = next((each for each in GROUPS if each.value == name), None)
    if group is not None:
        numbers = tuple(each.number for each in state.bank.titles() if each.group is group)
        return MakeSheetPlace(_titled(name, GROUPS[group]), questions=numbers) if numbers else None
    drills = tuple((drill.id, state.level(drill.id)) for drill in DRILLS.values() if drill.section == name)
    title = dict(wording.SECTIONS).get(name) or next(
        (each.title for each in state.bank.headings() if each.section == name), same("")
    )
    return MakeSheetPlace(_titled(name, title), drills) if drills else None


def _titled(name: str, title: Text) -> Text:
    return Text(f"{name} {title.en}", f"{name} {title.zh}")


def wrong_sheet(wrong: Sequence[Spot]) -> MakeSheetPlace | None:
    """Return the place where a sheet is made of items that were wrong; None where there are none."""
    from quizapp.sheets.wish import known

    problems = known(spot.code for spot in wrong if spot.code is not None)
    questions = tuple(dict.fromkeys(spot.item.number for spot in wrong if spot.item.number is not None))
    if not problems and not questions:
        return None
    return MakeSheetPlace.of(wording_paper.TITLE_WRONG, problems, questions)


def interview_sheet(report: Report) -> MakeSheetPlace | None:
    """Return the place where a sheet is made of what an interview asked; None where it asked nothing."""
    from quizapp.sheets.wish import known

    problems = known(part.code for thread in report.threads for part in thread.drills)
    questions = tuple(thread.number for thread in report.threads if thread.made < len(thread.points))
    if not problems and not questions:
        return None
    return MakeSheetPlace.of(wording_paper.TITLE_INTERVIEW, problems, questions)
