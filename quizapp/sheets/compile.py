"""Typst source to PDF: in this process, or in chunks by two others, joined. Loads neither torch nor the question bank."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.pool import AsyncResult, Pool

    from typst import Fonts

PROCESSES = 2
CHUNK = 25
"""Personal sheets in one compilation: Typst keeps a whole document in memory, and 2,000 pages would take gigabytes."""

_AHEAD = 3
"""Chunks that are ready for each process: enough that none waits, few enough that they fill no memory."""


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


# Chunks ----------------------------------------------------------------------------------------------------------------


def _start_worker() -> None:
    """Leave Ctrl+C to the process that was started by a person; it ends this one."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _fonts(False)


def _compile_all(sources: Sequence[str], with_system_fonts: bool) -> list[bytes]:
    return [to_pdf(source, with_system_fonts=with_system_fonts, tagged=False) for source in sources]


@contextmanager
def workers() -> Iterator[Pool]:
    """Start the processes that compile; they end with the block, whatever ends it."""
    from multiprocessing import get_context

    # Forking would copy a process that has torch and threads in it.
    with get_context("spawn").Pool(PROCESSES, _start_worker) as pool:
        yield pool


def in_chunks(
    pool: Pool, chunks: Iterable[Sequence[str]], done: Callable[[int], None] = lambda count: None, *, with_system_fonts: bool = False
) -> Iterator[list[bytes]]:
    """Compile documents, a few at a time, while further ones are written.

    Args:
        pool: What ``workers`` started.
        chunks: Sources that one process compiles in turn; made as they are needed.
        done: Told how many documents have been compiled, each time some have.
        with_system_fonts: As for ``to_pdf``.

    Yields:
        The PDFs of each chunk, in order.
    """
    waiting: deque[AsyncResult[list[bytes]]] = deque()
    for sources in chunks:
        waiting.append(pool.apply_async(_compile_all, (sources, with_system_fonts)))
        if len(waiting) >= _AHEAD * PROCESSES:
            yield _next(waiting, done)
    while waiting:
        yield _next(waiting, done)


def _next(waiting: deque[AsyncResult[list[bytes]]], done: Callable[[int], None]) -> list[bytes]:
    pdfs = waiting.popleft().get()
    done(len(pdfs))
    return pdfs


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
