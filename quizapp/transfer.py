"""Progress as JSON lines, one event a line, for other machines and other programs; ``docs/progress.md`` says every field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from question_bank.text import Text, same
from quizapp.events import KINDS, Event, from_text, to_text

FORMAT = "quizapp-progress"
VERSION = 1
LONGEST_LINE = 10_000_000
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_FARTHEST = timedelta(hours=26)
"""No place on earth is farther from UTC, nor, at the latest rollover, a study day from its date."""

NO_JSON = Text("this is no JSON object ({reason})", "不是 JSON 对象（{reason}）")
MISSING = Text("“{field}” is missing", "缺少“{field}”")
BAD_FIELD = Text("“{field}” is {value}, {wanted} is wanted", "“{field}”的值是 {value}，应为{wanted}")
BAD_WHAT = Text("“what” doesn't fit the kind “{kind}” ({reason})", "“what”与类型“{kind}”不符（{reason}）")
UNKNOWN_KIND = Text("the kind “{kind}” is unknown to this release", "这个版本不认识类型“{kind}”")
NEWER = Text("the file was written by a newer release (format {version})", "文件由更新版本的 quizapp 写成（格式 {version}）")
OTHER_FORMAT = Text("this is “{format}”, not {wanted}", "这是“{format}”，不是 {wanted}")


class LineError(ValueError):
    """A line that is no event.

    Attributes:
        message: What is wrong with it.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read.

    Attributes:
        number: Which, from 1.
        message: What is wrong with it.
    """

    number: int
    message: Text


@dataclass(frozen=True, slots=True)
class Read:
    """What a file holds."""

    events: tuple[Event, ...]
    bad: tuple[BadLine, ...]


def header() -> str:
    """Return the first line of an export."""
    return json.dumps({"format": FORMAT, "version": VERSION})


def to_line(event: Event) -> str:
    """Write an event as one line of JSON, in ASCII."""
    values = {
        "id": event.id,
        "at": event.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "offset": event.offset // timedelta(seconds=1),
        "day": event.study_day.isoformat(),
        "kind": KINDS[type(event.what)].value,
        "what": json.loads(to_text(event.what)),
    }
    return json.dumps(values)


def lines(events: Iterable[Event]) -> Iterator[str]:
    """Yield the lines of an export."""
    yield header()
    yield from map(to_line, events)


def read(text: Iterable[bytes]) -> Read:
    """Read an export; several of them one behind the other are read as one.

    Args:
        text: Its lines.
    """
    events: dict[str, Event] = {}
    bad: list[BadLine] = []
    for number, line in enumerate(text, start=1):
        try:
            event = from_line(line)
        except LineError as error:
            bad.append(BadLine(number, error.message))
            continue
        if event is not None:
            events.setdefault(event.id, event)
    return Read(tuple(events.values()), tuple(bad))


def from_line(line: bytes) -> Event | None:
    """Read a line; None for a blank one and for the head of an export.

    Raises:
        LineError: It is no event.
    """
    values = _object(line)
    if values is None:
        return None
    if "format" in values:
        _look_at_head(values)
        return None
    identity = _text(values, "id")
    if not _ID.fullmatch(identity):
        raise _bad("id", identity, Text("32 hexadecimal digits", "32 位十六进制数字"))
    at = _moment(_text(values, "at"))
    offset = _offset(values)
    day = _day(_text(values, "day"), at + offset)
    kind = _text(values, "kind")
    if kind not in KINDS.values():
        raise LineError(UNKNOWN_KIND.fill(kind=_short(kind)))
    if not isinstance(values.get("what"), dict):
        raise _bad("what", values.get("what"), Text("an object", "一个对象")) if "what" in values else _missing("what")
    try:
        what = from_text(kind, json.dumps(values["what"]))
    except (ValueError, RecursionError) as fault:
        raise LineError(BAD_WHAT.fill(kind=kind, reason=_short(str(fault)))) from fault
    return Event(identity, at, offset, day, what)


def _object(line: bytes) -> dict[str, Any] | None:
    if len(line) > LONGEST_LINE:
        raise LineError(NO_JSON.fill(reason=Text("too long", "太长")))
    try:
        text = line.decode("utf-8-sig").strip()
        if not text:
            return None
        values = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise LineError(NO_JSON.fill(reason=_short(str(fault)))) from fault
    if not isinstance(values, dict):
        raise LineError(NO_JSON.fill(reason=same(type(values).__name__)))
    return values


def _look_at_head(values: dict[str, Any]) -> None:
    if values["format"] != FORMAT:
        raise LineError(OTHER_FORMAT.fill(format=_short(str(values["format"])), wanted=FORMAT))
    version = values.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version > VERSION:
        raise LineError(NEWER.fill(version=_short(str(version))))


def _text(values: dict[str, Any], field: str) -> str:
    if field not in values:
        raise _missing(field)
    value = values[field]
    if not isinstance(value, str):
        raise _bad(field, value, Text("a text", "文本"))
    return value


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as fault:
        wanted = Text("a time with its zone, such as 2026-11-29T08:30:00+00:00", "带时区的时间，如 2026-11-29T08:30:00+00:00")
        raise _bad("at", text, wanted) from fault


def _offset(values: dict[str, Any]) -> timedelta:
    if "offset" not in values:
        raise _missing("offset")
    seconds = values["offset"]
    limit = _FARTHEST // timedelta(seconds=1)
    if not isinstance(seconds, int) or isinstance(seconds, bool) or abs(seconds) > limit:
        raise _bad("offset", seconds, Text("a whole number of seconds from UTC", "与 UTC 相差的整秒数"))
    return timedelta(seconds=seconds)


def _day(text: str, local: datetime) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError as fault:
        raise _bad("day", text, Text("a date such as 2026-11-29", "日期，如 2026-11-29")) from fault
    if not timedelta(0) <= local.date() - day <= timedelta(days=1):
        wanted = Text("the local date of “at” or the day before", "“at”的当地日期或其前一天")
        raise _bad("day", text, wanted)
    return day


def _missing(field: str) -> LineError:
    return LineError(MISSING.fill(field=field))


def _bad(field: str, value: object, wanted: Text) -> LineError:
    return LineError(BAD_FIELD.fill(field=field, value=_short(json.dumps(value, ensure_ascii=False)), wanted=wanted))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"
