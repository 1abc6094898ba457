"""What to tell a person when the progress file can't be used: which file, what is the matter, what to do next."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from question_bank.text import Text, same
from quizapp.events import Event
from quizapp.paths import HOME_VARIABLE


class ProgressError(Exception):
    """The progress log could not be read or written.

    Attributes:
        message: What is the matter and what to do next.
        event: The event that could not be written; give it to ``Log.append`` to try again.
    """

    def __init__(self, message: Text, event: Event | None = None) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message
        self.event = event


_MEANWHILE = Text(
    "Until then quizapp works, but forgets this session's answers when you leave.",
    "在此之前仍可照常使用，只是本次的作答记录退出后不会保留。",
)


def newer(file: Path) -> ProgressError:
    """The file is of a later release."""
    return _lasting(
        Text(
            "The progress file {file} comes from a newer release of quizapp and was not touched. To use it, install that "
            "release.",
            "进度文件 {file} 来自更新版本的 quizapp，程序没有改动它。升级 quizapp 后即可使用。",
        ),
        file,
    )


def foreign(file: Path) -> ProgressError:
    """The file is another program's."""
    return _lasting(
        Text(
            "{file} is not a progress file of quizapp and was not touched. Move it elsewhere, then start quizapp again.",
            "{file} 不是 quizapp 的进度文件，程序没有改动它。请把它移到别处，再重新启动 quizapp。",
        ),
        file,
    )


def damaged(file: Path | None, event: Event | None = None) -> ProgressError:
    """The file can't be read."""
    return _lasting(
        Text(
            "The progress file {file} is damaged and was left as it is. “quizapp doctor --mend” saves what can be read; or put "
            "a backup in its place. Then start quizapp again.",
            "进度文件 {file} 已损坏，程序没有改动它。运行 quizapp doctor --mend 可以救回还能读出的内容，也可以换上备份；"
            "然后重启 quizapp。",
        ),
        file,
        event,
    )


_REASONS = {
    sqlite3.SQLITE_READONLY: Text("it is read-only", "文件是只读的"),
    sqlite3.SQLITE_CANTOPEN: Text("it can't be opened or made there", "无法打开或创建"),
    sqlite3.SQLITE_IOERR: Text("the disk reports an error", "磁盘读写出错"),
    sqlite3.SQLITE_CORRUPT: Text("its pages don't fit together", "内部结构前后不一致"),
    sqlite3.SQLITE_NOTADB: Text("it is no database", "不是数据库文件"),
    sqlite3.SQLITE_BUSY: Text("another program has it locked", "另一个程序正占用着它"),
}
"""What SQLite says most often, which it says in English only."""


def unwritable(file: Path | None, reason: str | Text, event: Event | None = None) -> ProgressError:
    """The file or its folder can't be written."""
    message = Text(
        "quizapp can't write its progress file {file} ({reason}). Check the permissions of that folder, or set {variable} "
        "to a folder of your own; then start quizapp again.",
        "无法写入进度文件 {file}（{reason}）。请检查该文件夹的权限，或用环境变量 {variable} 换一个文件夹，然后重启 quizapp。",
    )
    return _lasting(message, file, event, reason=reason, variable=HOME_VARIABLE)


def busy(file: Path | None, event: Event | None = None) -> ProgressError:
    """Another program doesn't let go of the file."""
    message = Text(
        "Another program has the progress file {file} locked. Nothing is lost: close that program, then try again.",
        "另一个程序一直占用着进度文件 {file}。记录没有丢失：关闭那个程序后再试一次即可。",
    )
    return ProgressError(message.fill(file=file), event)


def full(file: Path | None, event: Event | None = None) -> ProgressError:
    """There is no room left."""
    message = Text(
        "The disk is full, so the progress file {file} could not be written. Make room, then try again.",
        "磁盘已满，无法写入进度文件 {file}。请腾出空间后再试一次。",
    )
    return ProgressError(message.fill(file=file), event)


def explain(fault: sqlite3.Error, file: Path | None, event: Event | None) -> ProgressError:
    """Say what an error of SQLite means for a person."""
    code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return busy(file, event)
    if code == sqlite3.SQLITE_FULL:
        return full(file, event)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
        return damaged(file, event)
    return unwritable(file, sqlite_reason(fault), event)


def sqlite_reason(fault: sqlite3.Error) -> Text:
    """Return what SQLite complains of; what isn't known here is as it was said."""
    return _REASONS.get(getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF, same(str(fault)[:200]))


def _lasting(message: Text, file: Path | None, event: Event | None = None, **values: str | Text) -> ProgressError:
    return ProgressError(message.fill(file=file, **values) + _MEANWHILE, event)
