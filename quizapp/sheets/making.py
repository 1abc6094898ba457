"""Make the files of a sheet: the pages, the key, and the JSON that it is marked from."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from pathlib import Path

from quizapp.sheets import compile as typst
from quizapp.sheets import key_source, markdown, record, source
from quizapp.sheets.glyphs import needs_system_fonts
from quizapp.sheets.plan import Copy, Sheet
from quizapp.sheets.solutions import Key, Solver, solver
from quizapp.whole_file import WriteError, check_writable, write_together, writing
from quizapp.wording_sheets import IN_THE_WAY, ONE_OTHER, OTHERS

Progress = Callable[[int, int], None]
"""Told how many documents are ready, and how many there will be."""


class Form(Enum):
    """The form of a file, by the ending of its name."""

    PDF = ".pdf"
    TYPST = ".typ"
    MARKDOWN = ".md"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made.

    Attributes:
        sheet: The sheet.
        key: How much of a key.
        out: The file; the folder where each person gets a PDF.
        key_file: The key's own file, of the same form; None for pages behind the questions.
        each: Whether each person gets a file; the key then always has its own.
    """

    sheet: Sheet
    key: Key
    out: Path
    key_file: Path | None = None
    each: bool = False

    @property
    def form(self) -> Form:
        """The form of the files.

        Raises:
            ValueError: The name ends with none that is known.
        """
        return Form.PDF if self.each else Form(self.out.suffix.lower())

    @property
    def pages(self) -> tuple[Path, ...]:
        """Where the questions go."""
        return tuple(self.out / name for name in file_names(self.sheet.copies)) if self.each else (self.out,)

    @property
    def record(self) -> Path:
        """Where the JSON goes that the sheet is marked from."""
        return self.out / "sheet.json" if self.each else self.out.with_suffix(".json")

    @property
    def own_key(self) -> Path | None:
        """The key's own file, if it is to have one."""
        if self.key is Key.NONE:
            return None
        return self.key_file or (self.out / "key.pdf" if self.each else None)


def make(order: Order, progress: Progress = lambda done, total: None) -> tuple[Path, ...]:
    """Make the files of an order: all of them or none, so that no sheet is beside another's key or record.

    Args:
        order: What.
        progress: Told how far it is.

    Returns:
        The files, the record last.

    Raises:
        WriteError: A file can't be written.
        NoGlyphError: A name or the title has a character that no font has.
        RunError: A problem can't be run.
    """
    sheet = order.sheet
    for path in (None if order.each else order.out, order.own_key, order.record):
        if path is not None:
            check_writable(path)  # before minutes go by
    if record.is_in_the_way(order.record):
        raise WriteError(IN_THE_WAY.fill(file=str(order.record)))
    if order.each:
        _refuse_others(order)
    solve = solver(order.key)
    if order.form is Form.PDF:
        with_system_fonts = needs_system_fonts([sheet.title, *(copy.person for copy in sheet.copies)])
        made = _Pdfs(order, solve, with_system_fonts, progress).files()
    else:
        made = _texts(order, solve)
    files = [*made, (order.record, record.write(sheet).encode())]
    write_together(files)
    return tuple(path for path, _ in files)


def _refuse_others(order: Order) -> None:
    """Refuse a folder where the pages of another class would mix with these.

    Raises:
        WriteError: It has other PDFs than those that this order writes.
    """
    own = {os.path.realpath(path) for path in (*order.pages, order.own_key) if path is not None}
    with writing(order.out):
        pdfs = [path for path in order.out.iterdir() if path.suffix.lower() == ".pdf"]
    others = sorted(path.name for path in pdfs if os.path.realpath(path) not in own)
    if others:
        said = OTHERS if len(others) > 1 else ONE_OTHER
        raise WriteError(said.fill(folder=str(order.out), file=others[0], n=len(others) - 1))


# Text ------------------------------------------------------------------------------------------------------------------


def _texts(order: Order, solve: Solver) -> list[tuple[Path, bytes]]:
    sheet = order.sheet
    behind = Key.NONE if order.own_key else order.key
    if order.form is Form.MARKDOWN:
        questions, key = markdown.whole(sheet, behind, solve), markdown.key
    else:
        questions = source.document(sheet, [*question_parts(sheet, sheet.copies), *key_parts(sheet, behind, solve)])

        def key(sheet: Sheet, solve: Solver) -> str:
            return source.document(sheet, key_parts(sheet, order.key, solve))

    files = [(order.out, questions.encode())]
    return [*files, (order.own_key, key(sheet, solve).encode())] if order.own_key else files


def question_parts(sheet: Sheet, copies: Sequence[Copy]) -> list[str]:
    """Write some people's pages."""
    return [source.questions(sheet, copy, number) for number, copy in enumerate(copies, 1)]


def key_parts(sheet: Sheet, key: Key, solve: Solver) -> list[str]:
    """Write the pages of the key: for a class a table, and with steps everybody's key behind it."""
    if key is Key.NONE:
        return []
    if not sheet.is_for_class:
        return [key_source.key(sheet, sheet.copies[0], 1, solve)]
    everybody = sheet.copies if key is Key.WORKED else ()
    return [
        *key_source.class_keys(sheet, solve),
        *(key_source.key(sheet, copy, number, solve) for number, copy in enumerate(everybody, 1)),
    ]


# PDF -------------------------------------------------------------------------------------------------------------------


def question_documents(sheet: Sheet) -> Iterator[str]:
    """Write everybody's pages, some people in each document."""
    return (source.document(sheet, question_parts(sheet, copies)) for copies in chunks(sheet))


def key_documents(sheet: Sheet, key: Key, solve: Solver) -> Iterator[str]:
    """Write the key of a class: everybody's answers in one table, then steps, some people in each document."""
    for table in key_source.class_keys(sheet, solve):
        yield source.document(sheet, [table])
    for copies in chunks(sheet) if key is Key.WORKED else ():
        parts = [key_source.key(sheet, copy, number, solve) for number, copy in enumerate(copies, 1)]
        yield source.document(sheet, parts)


def chunks(sheet: Sheet) -> list[tuple[Copy, ...]]:
    """Part the people of a class."""
    return [sheet.copies[start : start + typst.CHUNK] for start in range(0, len(sheet.copies), typst.CHUNK)]


class _Pdfs:
    """Makes the PDFs of an order: in this process where it is short, in chunks by two others for a class."""

    def __init__(self, order: Order, solve: Solver, with_system_fonts: bool, progress: Progress) -> None:
        self._order = order
        self._sheet = order.sheet
        self._solve = solve
        self._with_system_fonts = with_system_fonts
        self._progress = progress

    def files(self) -> list[tuple[Path, bytes]]:
        order = self._order
        if order.each:
            return self._each()
        if len(self._sheet.copies) <= typst.CHUNK:
            return self._short()
        questions, key = self._questions_and_key(question_documents(self._sheet), len(chunks(self._sheet)))
        if order.own_key:
            return [(order.out, self._joined(questions)), (order.own_key, self._joined(key))]
        return [(order.out, self._joined([*questions, *key]))]

    def _short(self) -> list[tuple[Path, bytes]]:
        questions = question_parts(self._sheet, self._sheet.copies)
        key = key_parts(self._sheet, self._order.key, self._solve)
        if self._order.own_key:
            return [(self._order.out, self._one(questions)), (self._order.own_key, self._one(key))]
        return [(self._order.out, self._one([*questions, *key]))]

    def _one(self, parts: Iterable[str]) -> bytes:
        return typst.to_pdf(source.document(self._sheet, parts), with_system_fonts=self._with_system_fonts)

    def _each(self) -> list[tuple[Path, bytes]]:
        documents = (source.document(self._sheet, question_parts(self._sheet, [copy])) for copy in self._sheet.copies)
        pdfs, key = self._questions_and_key(documents, len(self._sheet.copies))
        files = list(zip(self._order.pages, pdfs, strict=True))
        return [*files, (self._order.own_key, self._joined(key))] if self._order.own_key else files

    def _questions_and_key(self, questions: Iterator[str], count: int) -> tuple[list[bytes], list[bytes]]:
        """Compile what is asked and the key, and part the PDFs again."""
        kind = self._order.key
        key = iter(()) if kind is Key.NONE else key_documents(self._sheet, kind, self._solve)
        tables = 0 if kind is Key.NONE else -(-len(self._sheet.copies) // key_source.ROWS)
        total = count + tables + (len(chunks(self._sheet)) if kind is Key.WORKED else 0)
        pdfs: list[bytes] = []
        with typst.workers() as pool:
            for pdf in typst.in_order(pool, chain(questions, key), with_system_fonts=self._with_system_fonts):
                pdfs.append(pdf)
                self._progress(len(pdfs), total)
        return pdfs[:count], pdfs[count:]

    def _joined(self, pdfs: Sequence[bytes]) -> bytes:
        return typst.joined(pdfs, self._sheet.title)


_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]+')


def file_names(copies: Sequence[Copy]) -> list[str]:
    """Name each person's file: a number, by which they sort, and the name as far as a file's name may hold it."""
    digits = len(str(len(copies)))
    names = []
    for number, copy in enumerate(copies, 1):
        name = _UNSAFE.sub("_", unicodedata.normalize("NFC", copy.person if copy.is_named else "")).strip(" .")
        names.append(f"{number:0{digits}}{'-' if name else ''}{name}.pdf")
    return names
