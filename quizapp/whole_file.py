"""Write a file whole or not at all: into a file beside it, which then takes its place."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from question_bank.text import Text, same

_REASONS = {
    errno.ENOENT: Text("there is no folder {folder}", "文件夹 {folder} 不存在"),
    errno.ENOTDIR: Text("{folder} is no folder", "{folder} 不是文件夹"),
    errno.EISDIR: Text("it is a folder", "它是一个文件夹"),
    errno.EACCES: Text("writing is not allowed there", "没有写入权限"),
    errno.EPERM: Text("writing is not allowed there", "没有写入权限"),
    errno.EROFS: Text("the disk can only be read", "该磁盘是只读的"),
    errno.ENOSPC: Text("the disk is full", "磁盘已满"),
    errno.EDQUOT: Text("the disk quota is used up", "磁盘配额已用完"),
    errno.ENAMETOOLONG: Text("the name is too long", "文件名太长"),
}


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
    try:
        place = path.resolve()
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        if place.exists() and not place.is_file():
            place.write_bytes(content)
        else:
            _replace(place, content)
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links; a name with a zero byte
        raise WriteError(_refusal(path, error)) from error


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


def _replace(path: Path, content: bytes) -> None:
    beside = _beside(path)
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:  # Ctrl+C too
        beside.unlink(missing_ok=True)
        raise


def _refusal(path: Path, error: Exception) -> Text:
    number = error.errno if isinstance(error, OSError) else None
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    reason = _REASONS.get(number, same(said)) if number is not None else same(said)
    return Text("{file} can't be written: {reason}.", "无法写入 {file}：{reason}。").fill(
        file=str(path), reason=reason.fill(folder=str(path.parent))
    )
