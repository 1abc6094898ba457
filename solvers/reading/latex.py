r"""LaTeX, rewritten in the plain signs that the rest of the reader knows.

``\frac{1}{2}`` becomes ``((1)/(2))``, ``\begin{pmatrix}1 & 2 \\ 3 & 4\end{pmatrix}`` becomes ``[1 & 2 ; 3 & 4]`` (``&`` parts
cells, nothing else does). One pass from left to right with a stack of open braces; an unknown command is refused.
"""

from __future__ import annotations

import re

from question_bank.text import Text
from solvers.reading.folding import Source, Writer
from solvers.reading.model import RefusedError, quoted

_WANTED = re.compile(r"\\|[_^]\{|\{,\}")
_COMMAND = re.compile(r"\\([A-Za-z]+|.|\n|\Z)")
_ENVIRONMENT = re.compile(r"[ ]?\{([a-zA-Z]{1,12})\*?\}(?:\{[clr| ]{0,40}\})?")
_MATRICES = frozenset(("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "smallmatrix", "array"))
_BARE_MATRICES = frozenset(("matrix", "smallmatrix", "array"))
_OPENED = re.compile(r"[\[({]\s*+\Z")
_PLAIN = re.compile(r"[^\\{}^_]++")
_DEEPEST = 30
_MOST_STEPS = 1000

_SIGNS = {
    "cdot": "·", "times": "×", "ast": "*", "div": "/", "infty": "∞", "pi": "π", "Theta": "Θ", "theta": "θ", "Omega": "Ω",
    "ln": " ln ", "log": " log ", "exp": " exp ", "lg": " lg ", "approx": "=", "simeq": "=",
    "dots": "...", "ldots": "...", "cdots": "...", "vdots": "...", "ddots": "...", "lbrace": "{", "rbrace": "}",
    "alpha": "α", "beta": "β", "gamma": "γ", "lambda": "λ", "mu": "μ", "sigma": "σ", "epsilon": "ε", "eta": "η",
    "quad": " ", "qquad": " ", "hline": "", "left": "", "right": "", "bigl": "", "bigr": "", "big": "", "Big": "",
    "displaystyle": "", "textstyle": "", "limits": "", ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "\n": "\n",
    "%": "%", "_": "_", "\\": ";", "{": "{", "}": "}", "(": "", ")": "", "[": "", "]": "", "n": "\n", "&": "&", "$": "",
}  # fmt: skip
_FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac"))
_STYLES = frozenset(
    (
        "text",
        "mathrm",
        "mathbf",
        "mathit",
        "mathsf",
        "mathtt",
        "mathcal",
        "mathbb",
        "operatorname",
        "textbf",
        "boxed",
        "rm",
        "bf",
    )
)
_CLOSES = {"numerator": ")/(", "denominator": "))", "group": ")", "style": "", "subscript": ""}


def plain(source: Source) -> Source:
    """Rewrite the LaTeX of a text; a text without any comes back as it is.

    Raises:
        RefusedError: A command is unknown, or a brace is not closed.
    """
    return _Rewriter(source).run() if _WANTED.search(source.text) else source


class _Rewriter:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._out = Writer()
        self._open: list[str] = []  # what each open brace belongs to
        self._steps = 0
        self._environments: list[str] = []  # what closes each matrix
        self._next: str = ""  # what the coming group belongs to, such as "numerator"
        self._commands = "\\" in source.text  # without any, braces are the brackets of C or Mathematica

    def run(self) -> Source:
        text = self._source.text
        i = 0
        while i < len(text):
            if not self._next and not (self._open and self._open[-1] == "subscript"):
                run = _PLAIN.match(text, i)
                if run:
                    self._out.copy(self._source, i, run.end())
                    i = run.end()
                    continue
            i = self._step(text, i)
        if self._open or self._next:
            raise RefusedError(
                Text("A LaTeX group opened with “{” is not closed.", "LaTeX 里的“{”没有配对的“}”。"),
                self._source.origin(len(text) - 1),
            )
        return self._out.source()

    def _step(self, text: str, i: int) -> int:
        symbol, at = text[i], self._source.at[i]
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise RefusedError(Text("That is too much LaTeX for one answer.", "答案里的 LaTeX 太长。"), at)
        if symbol == "\\":
            return self._command(i)
        if symbol == "{":
            return self._opening(text, i)
        if symbol == "}" and self._open:
            self._closed(self._open.pop(), at)
            return i + 1
        if self._next and symbol not in " \n":
            # \frac12 and \sqrt2 take one sign each; \sqrt[3]{2} is another root.
            if symbol == "[" or not symbol.isalnum():
                raise self._unknown(i)
            group, self._next = self._next, ""
            self._out.write(symbol, at)
            self._closed(group, at)
            return i + 1
        if symbol == "}" and self._commands:
            raise self._unknown(i)
        if symbol in "^_" and text.startswith("{", i + 1):
            self._out.write("^(" if symbol == "^" else "_", at)
            self._push("group" if symbol == "^" else "subscript", i)
            return i + 2
        if not (self._open and self._open[-1] == "subscript" and symbol in ", "):
            self._out.write(symbol, at)
        return i + 1

    def _opening(self, text: str, i: int) -> int:
        at = self._source.at[i]
        if text.startswith("{,}", i):
            self._out.write(",", self._source.at[i + 1])
            return i + 3
        group, self._next = self._next or "group", ""
        if group == "group":
            if not self._commands:
                self._out.write("{", at)
                return i + 1
            self._out.write("(", at)
        self._push(group, i)
        return i + 1

    def _command(self, i: int) -> int:
        match = _COMMAND.match(self._source.text, i)
        assert match is not None
        name, at, end = match[1], self._source.at[i], match.end()
        if self._next:
            raise self._unknown(i)
        if name in _FRACTIONS:
            if self._source.text[:i].rstrip()[-1:].isdigit():
                raise RefusedError(
                    Text(
                        "A number stands directly before a fraction: is it a mixed number or a product? Write 3/2 or 1·(1/2).",
                        "数字后面紧跟分数：是带分数还是乘积？请写成 3/2 或 1·(1/2)。",
                    ),
                    at,
                )
            self._out.write("((", at)
            self._next = "numerator"
        elif name == "sqrt":
            self._out.write("√(", at)
            self._next = "root"
        elif name in _STYLES:
            self._next = "style"
        elif name in ("begin", "end"):
            environment = _ENVIRONMENT.match(self._source.text, end)
            if environment is None or environment[1] not in _MATRICES:
                raise self._unknown(i)
            self._environment(name == "begin", environment[1], i)
            end = environment.end()
        elif name in _SIGNS:
            self._out.write(_SIGNS[name], at)
        else:
            raise self._unknown(i)
        return end

    def _environment(self, begins: bool, name: str, i: int) -> None:
        """Write the bracket of a matrix; ``array`` and ``matrix`` have none of their own inside square brackets."""
        if begins:
            within = name in _BARE_MATRICES and _OPENED.search(self._source.text[max(0, i - 20) : i]) is not None
            self._environments.append("" if within else "]")
            self._out.write("" if within else "[", self._source.at[i])
        else:
            self._out.write(self._environments.pop() if self._environments else "]", self._source.at[i])

    def _closed(self, group: str, at: int) -> None:
        self._out.write(_CLOSES.get(group, ")"), at)
        if group == "numerator":
            self._next = "denominator"

    def _push(self, group: str, i: int) -> None:
        if len(self._open) >= _DEEPEST:
            raise RefusedError(Text("The brackets are nested too deeply.", "括号嵌套过深。"), self._source.at[i])
        self._open.append(group)

    def _unknown(self, i: int) -> RefusedError:
        match = _COMMAND.match(self._source.text, i)
        found = match[0] if match else self._source.text[i]
        return RefusedError(
            Text("LaTeX “{found}” is not supported here.", "这里不支持 LaTeX 的“{found}”。").fill(found=quoted(found)),
            self._source.at[i],
        )
