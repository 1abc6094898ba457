"""Write files whole or not at all: into files beside them, which then take their places."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from question_bank.system_errors import why
from question_bank.text import Text

_REASONS = {
    errno.ENOENT: Text("there is no folder {folder}", "文件夹 {folder} 不存在"),
    errno.ENOTDIR: Text("{folder} is no folder", "{folder} 不是文件夹"),
    errno.EISDIR: Text("it is a folder", "它是一个文件夹"),
    errno.EACCES: Text("writing is not allowed there", "没有写入权限"),
    errno.EPERM: Text("writing is not allowed there", "没有写入权限"),
}
"""What a writer is told in other words than a reader."""

_UNUSABLE = Text("the name has a character that no file can have", "文件名中有不能使用的字符")

BESIDE = "unreadable"
"""Follows the name of a file of ours that can't be read, and that is kept."""


class WriteError(Exception):
    """A file that can't be written; what was there before is unchanged.

    Attributes:
        message: Which file, and why, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; a reader sees the old file or the new one, never a part.

    Args:
        path: Where. A link stays, and the file that it leads to is written; a device is written to.
        content: What.

    Raises:
        WriteError: It can't be written.
    """
    write_together([(path, content)])


def write_together(files: Sequence[tuple[Path, bytes]]) -> None:
    """Write files that belong together: all of them are on the disk before the first takes its place.

    Where one can't, those before it are as they were.

    Args:
        files: Where, and what; each as ``write_whole`` does.

    Raises:
        WriteError: One can't be written; which, is said.
    """
    drafts: list[_Draft] = []
    try:
        for path, content in files:
            with writing(path):
                drafts.append(_Draft.of(path, content))
                drafts[-1].write()
        for draft in drafts if len(drafts) > 1 else ():
            with writing(draft.path):
                draft.keep()
        for draft in drafts:
            with writing(draft.path):
                draft.move()
    except BaseException:  # Ctrl+C too
        for draft in reversed(drafts):
            draft.put_back()
        raise
    finally:
        for draft in drafts:
            draft.clear()


@dataclass(slots=True)
class _Draft:
    """A file on its way.

    Attributes:
        path: Where it was asked for.
        place: Where that leads to.
        content: What is in it.
        beside: Where it is until it takes its place; None for a device, which is written to.
        is_new: Whether there was none before.
        was: Where the one before is kept.
        has_moved: Whether it has taken its place, or is about to.
    """

    path: Path
    place: Path
    content: bytes
    beside: Path | None
    is_new: bool
    was: Path | None = None
    has_moved: bool = False

    @classmethod
    def of(cls, path: Path, content: bytes) -> _Draft:
        place = path.resolve()
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        is_device = place.exists() and not place.is_file()
        return cls(path, place, content, None if is_device else _beside(place), not place.exists())

    def write(self) -> None:
        if self.beside is not None:
            with self.beside.open("xb") as file:
                file.write(self.content)
                file.flush()
                os.fsync(file.fileno())

    def keep(self) -> None:
        """Give the one before a second name; on a disk that has no second names, another name."""
        if self.beside is None or self.is_new:
            return
        self.was = _beside(self.place)
        try:
            os.link(self.place, self.was)
        except OSError:
            os.replace(self.place, self.was)

    def move(self) -> None:
        if self.beside is None:
            self.place.write_bytes(self.content)
        else:
            self.has_moved = True
            os.replace(self.beside, self.place)

    def put_back(self) -> None:
        try:
            if self.was is not None:
                os.replace(self.was, self.place)  # does nothing to two names of one file
            elif self.is_new and self.has_moved:
                self.place.unlink(missing_ok=True)
        except FileNotFoundError:  # not kept yet
            pass
        except OSError:
            self.was = None  # which stays: it may be the last of it

    def clear(self) -> None:
        for path in filter(None, (self.beside, self.was)):
            with suppress(OSError):
                path.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """See whether a file could be written, before long work is done for it.

    Raises:
        WriteError: It can't; nothing is left behind.
    """
    with writing(path):
        place = path.resolve()
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        if not place.exists() or place.is_file():
            beside = _beside(place)
            try:
                beside.touch(exist_ok=False)
            finally:
                beside.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says of a file or a folder into a ``WriteError``."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        raise WriteError(_refusal(path, error)) from error


def put_aside(path: Path, name: str = BESIDE) -> Path:
    """Give a file another name that no file has; where that fails, it keeps its own.

    Args:
        path: The file.
        name: What follows its name; a number too, where there is such a file already.

    Returns:
        Where it is now.
    """
    aside = path.with_name(f"{path.name}.{name}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.{name}-{number}")
    try:
        os.replace(path, aside)
    except OSError:
        return path
    return aside


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")


def _refusal(path: Path, error: Exception) -> Text:
    if isinstance(error, OSError):
        reason = _REASONS.get(error.errno or 0, why(error))
    else:  # before Python 3.13, a circle of links is a RuntimeError
        reason = why(OSError(errno.ELOOP, "")) if isinstance(error, RuntimeError) else _UNUSABLE
    return Text("{file} can't be written: {reason}.", "无法写入 {file}：{reason}。").fill(
        file=str(path), reason=reason.fill(folder=str(path.parent))
    )
