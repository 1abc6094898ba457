"""Structure: which tokens make one number, which numbers a row, which rows a matrix.

A line is a row; in brackets a semicolon parts rows too. Within a row the numbers are parted by commas or by blanks, not by
both. Square brackets, braces and tuples nest as in Python; round brackets around a single number only group.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from question_bank.text import Text
from solvers.reading.brackets import array_openings
from solvers.reading.model import MAX_CELLS, RefusedError, quoted, too_many
from solvers.reading.nested import Leaf, Rows
from solvers.reading.tokens import OPERAND_ENDS, OPERATORS, SEPARATORS, SIGNS, Sort, Token, starts_cell

_DEEPEST_ARRAY = 6
_MAX_SHOWN = 12  # so many numbers are still read where one is asked, for the message


ReadCell = Callable[[list[Token]], Leaf]


class _Frame:
    """An array that is being read."""

    def __init__(self, opening: Token | None) -> None:
        self.opening = opening
        self.rows: list[list[Leaf | Rows]] = []
        self.row: list[Leaf | Rows] = []
        self.cell: list[Token] = []
        self.marks: set[str] = set()  # how the items of the row are parted
        self.spaced: Token | None = None  # a sign in the row that may part numbers or join them
        self.bullet: Token | None = None  # a dash and a blank at the start of a row without brackets
        self.parted = False  # whether a separator has just been read
        self.broken = False  # whether rows are parted in this array


class Wrap(Enum):
    """What a line break is inside one pair of brackets, among numbers that blanks part."""

    VECTOR_GOES_ON = auto()  # as NumPy wraps a long vector
    ROW_BEGINS = auto()  # as in MATLAB
    UNCLEAR = auto()


class Reader:
    """Reads tokens as an array of numbers."""

    def __init__(self, tokens: list[Token], read_cell: ReadCell, *, array: bool, wrap: Wrap) -> None:
        """Prepare.

        Args:
            tokens: All tokens, at least one.
            read_cell: Reads the tokens of one number.
            array: Whether several numbers are expected, so that a blank parts them.
            wrap: What a line break in brackets is.

        Raises:
            RefusedError: The brackets don't match.
        """
        self._tokens = tokens
        self._read_cell = read_cell
        self._array = array
        self._wrap = wrap
        self._starts = [token.blank and starts_cell(tokens, i, array=array) for i, token in enumerate(tokens)]
        count = _count(tokens, self._starts)
        if count > (MAX_CELLS if array else _MAX_SHOWN):
            raise too_many(count)
        self._arrays = array_openings(tokens, self._starts)
        self._frames = [_Frame(None)]

    def read(self) -> Leaf | Rows:
        """Return the number or the array that the tokens are.

        Raises:
            RefusedError: They are neither.
        """
        depth = 0  # of grouping brackets inside a cell
        for i, token in enumerate(self._tokens):
            frame, sort = self._frames[-1], token.sort
            if depth:
                depth += (sort == "(") - (sort == ")")
                frame.cell.append(token)
                continue
            if self._starts[i]:
                self._part(frame, " ", token)
            if sort in SEPARATORS:
                if sort == "\n":
                    self._line(i, frame)
                else:
                    self._part(frame, sort, token)
            elif sort == "(" and i in self._arrays:
                self._open(frame, token)
            elif sort == ")":
                self._close(token)
            else:
                depth = sort == "("
                if sort in SIGNS:
                    self._sign(i, frame)
                self._extend(frame, token)
        return self._result(self._frames[0])

    def _sign(self, i: int, frame: _Frame) -> None:
        """Remember a sign before a blank: as in ``1 - 2`` or ``1- 2``, or like a bullet in ``- 2``."""
        tokens = self._tokens
        if self._starts[i] or i + 1 == len(tokens) or not tokens[i + 1].blank:
            return
        if i > 0 and tokens[i - 1].sort in OPERAND_ENDS:
            frame.spaced = tokens[i]
        elif i == 0 or tokens[i - 1].sort not in OPERATORS:
            frame.spaced = tokens[i]
            if frame.opening is None and not frame.row:
                frame.bullet = tokens[i]

    def _open(self, frame: _Frame, token: Token) -> None:
        if frame.cell or (frame.row and not frame.parted):
            raise _misplaced(token)
        if len(self._frames) > _DEEPEST_ARRAY:
            raise RefusedError(Text("The brackets are nested too deeply.", "括号嵌套过深。"), token.at)
        self._frames.append(_Frame(token))

    def _extend(self, frame: _Frame, token: Token) -> None:
        if frame.row and not frame.parted and not frame.cell:
            raise _misplaced(token)
        frame.cell.append(token)
        frame.parted = False

    def _part(self, frame: _Frame, mark: str, token: Token) -> None:
        """End a number, or a row."""
        if not self._flush(frame) and (frame.parted or not frame.row):
            raise _nothing(token)
        if mark == ";":
            self._end_row(frame)
            frame.broken = True
        else:
            frame.marks.add(mark)
            frame.parted = True

    def _line(self, i: int, frame: _Frame) -> None:
        """Take a line break as the end of a row, or as nothing: behind a comma or a semicolon, beside a bracket."""
        before, after = self._tokens[i - 1], self._tokens[i + 1]
        inside = frame.opening is not None
        behind_array = bool(frame.row) and isinstance(frame.row[-1], Rows) and not frame.cell
        if before.sort == Sort.SEMICOLON or (inside and (before.sort == Sort.OPENING or after.sort == Sort.CLOSING)):
            return
        if before.sort == Sort.COMMA and (inside or behind_array or self._wrap == Wrap.VECTOR_GOES_ON):
            return
        if behind_array and after.sort == Sort.OPENING:
            frame.parted = True  # [1 2] and [3 4] on lines of their own
            return
        if inside and not frame.marks - {" "} and (self._wrap != Wrap.ROW_BEGINS or len(self._frames) > 2):
            if self._wrap == Wrap.UNCLEAR and len(self._frames) == 2:
                raise RefusedError(
                    Text(
                        "Are these lines rows, or one long vector? Separate rows with semicolons, or leave out the brackets.",
                        "括号里的各行是矩阵的行，还是一个长向量？矩阵请用分号分行，或者去掉括号。",
                    ),
                    self._tokens[i].at,
                )
            self._part(frame, " ", self._tokens[i])
            return
        self._flush(frame)
        self._end_row(frame)
        frame.broken = True

    def _flush(self, frame: _Frame) -> bool:
        """Read the number whose tokens have been collected; tell whether there was one."""
        if not frame.cell:
            return False
        frame.row.append(self._read_cell(frame.cell))
        frame.cell = []
        return True

    def _end_row(self, frame: _Frame) -> None:
        if len(frame.marks) > 1:
            raise RefusedError(
                Text(
                    "Spaces and commas both separate the numbers here; use only one of them.",
                    "这里既用空格又用逗号分隔数字，无法确定；请只用其中一种。",
                ),
                frame.opening.at if frame.opening else None,
            )
        if frame.bullet is not None and self._array:
            raise RefusedError(
                Text(
                    "Is the “{sign}” at character {n} a bullet or a minus sign? Write a minus directly before its number.",
                    "第 {n} 个字符“{sign}”是列表符号还是负号？负号请紧挨着数字写。",
                ).fill(sign=frame.bullet.text, n=frame.bullet.at + 1),
                frame.bullet.at,
            )
        if frame.spaced is not None and " " in frame.marks:
            raise RefusedError(
                Text(
                    "Is the “{sign}” at character {n} a sign or an operator? Write 1 -2 for two numbers, 1-2 for one.",
                    "第 {n} 个字符“{sign}”是正负号还是加减号？两个数请写 1 -2，一个算式请写 1-2。",
                ).fill(sign=frame.spaced.text, n=frame.spaced.at + 1),
                frame.spaced.at,
            )
        if frame.row:
            frame.rows.append(frame.row)
        frame.row, frame.marks, frame.spaced, frame.bullet, frame.parted = [], set(), None, None, False

    def _close(self, token: Token) -> None:
        frame = self._frames.pop()
        result = self._result(frame)
        outer = self._frames[-1]
        # Round brackets around one array are no level of their own.
        lone = isinstance(result, Rows) and token.text == ")" and len(result.items) == 1 and isinstance(result.items[0], Rows)
        outer.row.append(result.items[0] if lone and isinstance(result, Rows) else result)
        outer.parted = False

    def _result(self, frame: _Frame) -> Leaf | Rows:
        self._flush(frame)
        single = not frame.marks
        self._end_row(frame)
        at = frame.opening.at if frame.opening else self._tokens[0].at
        rows = frame.rows
        items = [item for row in rows for item in row]
        if frame.opening is None and len(items) == 1 and (isinstance(items[0], Rows) or (single and not frame.broken)):
            return items[0]
        if all(isinstance(item, Leaf) for item in items):
            if not frame.broken or len(rows) == 1:
                return Rows(tuple(items), False, at)
            column = all(len(row) == 1 for row in rows)
            return Rows(tuple(Rows(tuple(row), False, row[0].at) for row in rows), column, at)
        if len(rows) > 1 and any(len(row) > 1 for row in rows):
            raise RefusedError(Text("Block matrices can't be read.", "无法识别分块矩阵。"), at)
        return Rows(tuple(items), False, at)


def _count(tokens: list[Token], starts: list[bool]) -> int:
    """Return how many numbers there are: each number, or the array that it is the last of, ends before a separator."""
    last = len(tokens) - 1
    return sum(
        token.sort in OPERAND_ENDS and (i == last or starts[i + 1] or tokens[i + 1].sort in SEPARATORS)
        for i, token in enumerate(tokens)
    )


def _misplaced(token: Token) -> RefusedError:
    return RefusedError(
        Text("“{found}” (character {n}) doesn't belong there.", "第 {n} 个字符处的“{found}”不应出现在这里。").fill(
            found=quoted(token.text), n=token.at + 1
        ),
        token.at,
    )


def _nothing(token: Token) -> RefusedError:
    return RefusedError(
        Text("A number is missing before “{found}” (character {n}).", "第 {n} 个字符处的“{found}”前面缺少一个数。").fill(
            found=token.text, n=token.at + 1
        ),
        token.at,
    )
