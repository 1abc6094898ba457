"""Reading a date as a person types it: whole, by day and month, or counted from today. Nothing is guessed."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

from question_bank.text import Text

LONGEST = 3660
"""Days ahead that a date can be."""

HOW = Text(
    "a date such as 2026-12-24, 12-24, 24.12. or “in 10 days”",
    "日期，如 2026-12-24、12-24、12月24日，或“10天后”",
)
_NOT_READ = Text("“{typed}” is not read as a date.", "“{typed}”不是能识别的日期。")
_WANTED = Text("Type {how}.", "请输入{how}。").fill(how=HOW)
_NO_SUCH_DAY = Text("There is no such day: {typed}.", "没有这一天：{typed}。")
_TWO_WAYS = Text(
    "{typed} can be {first} or {second}; type the one that is meant.",
    "{typed} 既可能是 {first}，也可能是 {second}，请写成其中一种。",
)
_TOO_FAR = Text("That is more than ten years ahead.", "这一天在十年以后了。")


class DateError(ValueError):
    """A text that is no date.

    Attributes:
        message: What is wrong with it.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL = tuple(
    ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
)
_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_NAME = "|".join((*_FULL, *_MONTHS, "sept"))
_YEAR_FIRST = re.compile(
    r"(?P<y>\d{4})(?:(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})|年(?P<m2>\d{1,2})月(?P<d2>\d{1,2})[日号]?)"
)
_MONTH_DAY = re.compile(r"(?P<m>\d{1,2})(?:-(?P<d>\d{1,2})|月(?P<d2>\d{1,2})[日号]?)")
_DAY_MONTH = re.compile(r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})(?:\.\s?(?P<y>\d{4})?)?")
_SLASH = re.compile(r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?:/(?P<y>\d{4}))?")
_WORDS = re.compile(
    rf"(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s?(?P<n>{_NAME})\.?|(?P<n2>{_NAME})\.?\s?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)"
    r"(?:,?\s?(?P<y>\d{4}))?"
)
_AHEAD = re.compile(r"(?:in\s)?(?P<n>\d{1,4}|an?|one|two|three|four)\s?(?P<u>day|week)s?(?:\sfrom\s(?:now|today))?")
_AHEAD_ZH = re.compile(r"(?:再过)?(?P<n>\d{1,4}|[一两二三四五六七八九十])\s?个?(?P<u>天|日|周|星期|礼拜)(?:后|以后|之后)?")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "两": 2} | {
    sign: number for number, sign in enumerate("一二三四五六七八九十", start=1)
}
_DAYS = {"today": 0, "tomorrow": 1, "今天": 0, "明天": 1, "后天": 2, "大后天": 3}
_NONE = ("", "-", "–", "—", "none", "no", "无", "没有", "未定")


def read_date(typed: str, today: date) -> date | None:
    """Read a date; None where a person says that there is none.

    A day without a year is the next such day, today included. A date that is past is read like any other.

    Args:
        typed: What was typed.
        today: From where is counted.

    Raises:
        DateError: It is no date, or can be two.
    """
    text = " ".join(unicodedata.normalize("NFKC", typed).casefold().replace("。", ".").split())
    if text in _NONE:
        return None
    if text in _DAYS:
        return today + timedelta(days=_DAYS[text])
    if match := _AHEAD.fullmatch(text) or _AHEAD_ZH.fullmatch(text):
        return _ahead(match, today)
    if match := _YEAR_FIRST.fullmatch(text):
        return _day(int(match["y"]), int(match["m"] or match["m2"]), int(match["d"] or match["d2"]), typed, today)
    if match := _MONTH_DAY.fullmatch(text):
        return _day(None, int(match["m"]), int(match["d"] or match["d2"]), typed, today)
    if match := _DAY_MONTH.fullmatch(text):
        return _day(_year(match), int(match["m"]), int(match["d"]), typed, today)
    if match := _WORDS.fullmatch(text):
        month = _MONTHS.index((match["n"] or match["n2"])[:3]) + 1
        return _day(_year(match), month, int(match["d"] or match["d2"]), typed, today)
    if match := _SLASH.fullmatch(text):
        return _slashed(match, typed, today)
    raise DateError(_NOT_READ.fill(typed=_shown(typed)) + _WANTED)


def days_until(day: date, today: date) -> Text:
    """Say how far a day is: ``in 25 days``."""
    days = (day - today).days
    if days == 0:
        return Text("today", "今天")
    if days == 1:
        return Text("tomorrow", "就在明天")
    if days > 0:
        return Text(f"in {days} days", f"还有 {days} 天")
    return Text("1 day ago" if days == -1 else f"{-days} days ago", f"已过去 {-days} 天")


def written(day: date) -> Text:
    """Write a date with its weekday."""
    english = f"{_WEEKDAYS[day.weekday()]}, {day.day} {_FULL[day.month - 1].capitalize()} {day.year}"
    return Text(english, f"{day.year}年{day.month}月{day.day}日，星期{'一二三四五六日'[day.weekday()]}")


def short(day: date, today: date) -> Text:
    """Write a date that is near: ``Thu 3 Dec``, with the year where it is most of one away."""
    bare = shorter(day, today)
    return Text(f"{_WEEKDAYS[day.weekday()][:3]} {bare.en}", f"{bare.zh}周{'一二三四五六日'[day.weekday()]}")


def shorter(day: date, today: date) -> Text:
    """Write a date that is near without its weekday: ``3 Dec``."""
    english, chinese = f"{day.day} {_FULL[day.month - 1][:3].capitalize()}", f"{day.month}月{day.day}日"
    if abs((day - today).days) > 300:
        return Text(f"{english} {day.year}", f"{day.year}年{chinese}")
    return Text(english, chinese)


def _year(match: re.Match[str]) -> int | None:
    return int(match["y"]) if match["y"] else None


def _ahead(match: re.Match[str], today: date) -> date:
    count = _COUNTS.get(match["n"]) or int(match["n"])
    days = count * (7 if match["u"] in ("week", "周", "星期", "礼拜") else 1)
    if days > LONGEST:
        raise DateError(_TOO_FAR)
    return today + timedelta(days=days)


def _slashed(match: re.Match[str], typed: str, today: date) -> date:
    """Read two numbers with a slash: month first or day first, where only one of the two is possible."""
    first, second = int(match["a"]), int(match["b"])
    if first != second and first <= 12 and second <= 12:
        month_first, day_first = (
            Text(f"{day} {_FULL[month - 1].capitalize()}", f"{month}月{day}日")
            for month, day in ((first, second), (second, first))
        )
        raise DateError(_TWO_WAYS.fill(typed=_shown(typed), first=month_first, second=day_first))
    month, day = (first, second) if first <= 12 else (second, first)
    return _day(_year(match), month, day, typed, today)


def _day(year: int | None, month: int, day: int, typed: str, today: date) -> date:
    """Return a day; without a year the next one, which may be a leap year's."""
    for each in (year,) if year is not None else range(today.year, today.year + 9):
        try:
            found = date(each, month, day)
        except ValueError:
            continue
        if year is None and found < today:
            continue
        if (found - today).days > LONGEST:
            raise DateError(_TOO_FAR)
        return found
    raise DateError(_NO_SUCH_DAY.fill(typed=_shown(typed)))


def _shown(typed: str) -> str:
    from question_bank.math import escape  # a dollar sign would begin a formula

    text = " ".join(typed.split())
    return escape(text if len(text) <= 30 else text[:29] + "…")
