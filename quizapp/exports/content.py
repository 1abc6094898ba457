"""What is exported, as frozen data that no format changes: questions, lessons' formulas, solved problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from question_bank.bank import Bank
from question_bank.drills import DRILLS
from question_bank.lessons.lesson import Formula, Lesson, Mistake, Term, paragraphs
from question_bank.lessons.places import fill, places
from question_bank.problem import Problem
from question_bank.program import Nested, Shape
from question_bank.questions.question import Question
from question_bank.text import Text
from quizapp.commands.drawing import form, label
from quizapp.sheets.choosing import Source, variants
from solvers.accepting import Accepted, accepted
from solvers.steps import Step
from solvers.worked import work


@dataclass(frozen=True, slots=True)
class Selection:
    """What a person wants exported.

    Attributes:
        questions: Numbers of interview questions.
        lessons: Sections of lessons.
        drills: Each drill with a level.
        variants: How many problems of each drill and level.
        seed: The text that chooses them; the same text chooses the same ones.
    """

    questions: tuple[int, ...] = ()
    lessons: tuple[str, ...] = ()
    drills: tuple[Source, ...] = ()
    variants: int = 3
    seed: str = "export"

    @property
    def size(self) -> int:
        """About how many things it holds."""
        return len(self.questions) + len(self.lessons) + len(self.drills) * self.variants


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a problem.

    Attributes:
        label: What stands beside the answer.
        form: In which form the answer is asked, in words.
        accepted: What is right, and what mistakes give.
    """

    label: Text
    form: Text
    accepted: Accepted


@dataclass(frozen=True, slots=True)
class Exercise:
    """A solved problem.

    Attributes:
        problem: The problem.
        section: The section of the course that its drill belongs to.
        title: The drill's name for people.
        parts: What is asked.
        steps: The worked solution.
    """

    problem: Problem
    section: str
    title: Text
    parts: tuple[Part, ...]
    steps: tuple[Step, ...]

    @property
    def code(self) -> str:
        """The code that rebuilds the problem."""
        return self.problem.code

    @property
    def listing(self) -> tuple[str, ...]:
        """Lines of code that belong to the prompt."""
        return tuple(getattr(self.problem, "listing", ()))

    @property
    def inputs(self) -> tuple[tuple[str, Nested | Shape], ...]:
        """The numbers given."""
        return self.problem.program.inputs


@dataclass(frozen=True, slots=True)
class Notes:
    """What is exported of a lesson, its computed numbers filled in.

    Attributes:
        section: Its number.
        title: A few words.
        intuition: Paragraphs.
        formulas: The formulas, the main one first.
        terms: The main formula, part by part.
        mistakes: Common mistakes; those told with numbers of the lesson's examples, which aren't exported, are left out.
        sources: Papers.
    """

    section: str
    title: Text
    intuition: tuple[Text, ...]
    formulas: tuple[Formula, ...]
    terms: tuple[Term, ...]
    mistakes: tuple[Mistake, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that is exported, in the order of the course.

    Attributes:
        questions: Interview questions.
        lessons: Lessons.
        exercises: Solved problems.
    """

    questions: tuple[Question, ...] = ()
    lessons: tuple[Notes, ...] = ()
    exercises: tuple[Exercise, ...] = ()


def gather(selection: Selection, bank: Bank, done: Callable[[], None] = lambda: None) -> Contents:
    """Collect and solve what is exported.

    Args:
        selection: What.
        bank: Questions and lessons.
        done: Called after each drill's problem, question and lesson.

    Raises:
        ContentError: A lesson's programs can't be run.
        RunError: A problem can't be run.
    """
    questions: list[Question] = []
    lessons: list[Notes] = []
    exercises: list[Exercise] = []
    for number in selection.questions:
        questions.append(bank.question(number))
        done()
    for section in selection.lessons:
        lessons.append(_notes(bank.lesson(section), bank))
        done()
    for source in selection.drills:
        for drawn in chosen(source, selection):
            exercises.append(solve(drawn))
            done()
    return Contents(tuple(questions), tuple(lessons), tuple(exercises))


def chosen(source: Source, selection: Selection) -> tuple[Problem, ...]:
    """Choose the problems of a drill and level: different ones, fewer where there aren't as many."""
    return tuple(dict.fromkeys(islice(variants(source, selection.seed), selection.variants)))


def solve(problem: Problem) -> Exercise:
    """Solve a problem for export.

    Raises:
        RunError: It can't be run.
    """
    drill = DRILLS[problem.drill]
    parts = tuple(Part(label(each.ask), form(each.ask.format), each) for each in accepted(problem))
    return Exercise(problem, drill.section, drill.title, parts, work(problem))


def _notes(lesson: Lesson, bank: Bank) -> Notes:
    from quizapp.commands.show_lesson import results_of

    values = results_of(lesson, bank).values

    def put(text: Text) -> Text:
        return fill(text, values)

    return Notes(
        lesson.section,
        put(lesson.title),
        paragraphs(put(lesson.intuition)),
        tuple(Formula(each.latex, put(each.source), put(each.says)) for each in lesson.formulas),
        tuple(Term(each.symbol, put(each.says)) for each in lesson.terms),
        tuple(each for each in lesson.mistakes if not [*places(each.claim), *places(each.why)]),
        lesson.sources,
    )
