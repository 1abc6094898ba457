"""What a sheet of paper can be made from on the home screen: a section, a group of questions, a drill, a question."""

from __future__ import annotations

from question_bank.drills import DRILLS
from question_bank.questions import GROUPS
from question_bank.text import Text, same
from quizapp import wording
from quizapp.screens.home_contents import DrillTarget, Fold, HomeState
from quizapp.screens.places import MakeSheetPlace, QuestionPlace


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
