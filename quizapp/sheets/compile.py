"""Typst source to PDF: in this process, or in chunks by two others, joined. Loads neither torch nor the question bank."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.pool import AsyncResult, Pool

    from typst import Fonts

PROCESSES = 2
CHUNK = 20
"""Personal sheets in one compilation: Typst keeps a whole document in memory, and 2,000 pages would take gigabytes."""

_FORGET_AFTER = 70_000
"""Characters of source after which a process forgets what Typst remembers of them: up to 50 MB."""

_RENEW_AFTER = 30
"""Documents after which another process goes on: the memory of one grows slowly, whatever it forgets."""

_GENERATIONS = 11
"""Typst forgets what the last ten compilations had no use for."""

_AHEAD = 3
"""Documents that are ready for each process: enough that none waits, few enough that they fill no memory."""


@cache
def _fonts(with_system: bool) -> Fonts:
    import typst

    with as_file(files("quizapp.sheets") / "fonts") as folder:
        return typst.Fonts(include_system_fonts=with_system, font_paths=[str(folder)])


def to_pdf(source: str, *, with_system_fonts: bool = False, tagged: bool = True) -> bytes:
    """Compile a document.

    Args:
        source: Typst source that names no file.
        with_system_fonts: Whether characters that the fonts of sheets lack may come from the person's fonts.
        tagged: Whether the PDF says what is a heading and what a table, for who listens to it.

    Raises:
        RuntimeError: Typst refuses the source, which is our fault.
    """
    import typst

    pdf = typst.compile(
        source.encode(),
        font_paths=_fonts(with_system_fonts),
        ignore_system_fonts=not with_system_fonts,
        timestamp=0,
        pdf_tags=tagged,
    )
    assert isinstance(pdf, bytes)
    return pdf


def query(source: str, selector: str) -> str:
    """Return what a document holds under a label, as JSON."""
    import typst

    return typst.query(source.encode(), selector, field="value", font_paths=_fonts(False), ignore_system_fonts=True)


@cache
def prints(character: str) -> bool:
    """Tell whether some font, the person's own included, has a character: a standard for archives forbids to print boxes."""
    import typst

    quoted = '"' + character.replace("\\", "\\\\").replace('"', '\\"') + '"'
    try:
        typst.compile(
            f"#{quoted}".encode(), font_paths=_fonts(True), timestamp=0, format="pdf", pdf_standards="a-2u", output=None
        )
    except typst.TypstError:
        return False
    return True


# Chunks ----------------------------------------------------------------------------------------------------------------


def _start_worker() -> None:
    """Leave Ctrl+C to the process that was started by a person; it ends this one."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _fonts(False)


_since_forgetting = 0


def _compile(source: str, with_system_fonts: bool) -> bytes:
    global _since_forgetting
    pdf = to_pdf(source, with_system_fonts=with_system_fonts, tagged=False)
    _since_forgetting += len(source)
    if _since_forgetting > _FORGET_AFTER:
        _since_forgetting = 0
        for _ in range(_GENERATIONS):
            to_pdf("")
    return pdf


@contextmanager
def workers() -> Iterator[Pool]:
    """Start the processes that compile; they end with the block, whatever ends it."""
    from multiprocessing import get_context

    # Forking would copy a process that has torch and threads in it.
    with get_context("spawn").Pool(PROCESSES, _start_worker, maxtasksperchild=_RENEW_AFTER) as pool:
        yield pool


def in_order(pool: Pool, documents: Iterable[str], *, with_system_fonts: bool = False) -> Iterator[bytes]:
    """Compile documents, some at a time, while further ones are written.

    Args:
        pool: What ``workers`` started.
        documents: Typst sources; made as they are needed.
        with_system_fonts: As for ``to_pdf``.

    Yields:
        The PDFs, in order.
    """
    waiting: deque[AsyncResult[bytes]] = deque()
    for document in documents:
        waiting.append(pool.apply_async(_compile, (document, with_system_fonts)))
        if len(waiting) >= _AHEAD * PROCESSES:
            yield waiting.popleft().get()
    while waiting:
        yield waiting.popleft().get()


def joined(pdfs: Iterable[bytes], title: str) -> bytes:
    """Put PDFs one behind the other."""
    from pypdf import PdfWriter

    writer = PdfWriter()
    for pdf in pdfs:
        writer.append(io.BytesIO(pdf), import_outline=False)
    writer.add_metadata({"/Title": title, "/Creator": "quizapp"})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
