"""What is asked: interview questions, drills, and the problems drawn from them. Needs neither torch nor textual."""

from question_bank.codes import CodeError
from question_bank.problem import Problem, draw, problem
from question_bank.text import Language, Text

__all__ = ["CodeError", "Language", "Problem", "Text", "draw", "problem"]
