r"""Formulas: a small tree, read from a subset of LaTeX and written as Unicode, LaTeX or Typst.

``parsing`` documents the subset, ``unicode`` the typography of one line, ``sentences`` text with formulas between dollar signs,
``grids`` matrices in a terminal.

    >>> to_unicode(r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V")
    'softmax(QKᵀ/√d_k)V'
"""

from question_bank.math.grids import cell_len, matrix_lines
from question_bank.math.latex import to_latex
from question_bank.math.parsing import parse
from question_bank.math.sentences import Formula, escape, plain, segments
from question_bank.math.tree import MathError, Node, Words
from question_bank.math.typst import to_typst
from question_bank.math.unicode import to_unicode

__all__ = [
    "Formula",
    "MathError",
    "Node",
    "Words",
    "cell_len",
    "escape",
    "matrix_lines",
    "parse",
    "plain",
    "segments",
    "to_latex",
    "to_typst",
    "to_unicode",
]
