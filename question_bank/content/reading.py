"""Reading a content file against its schema: a msgspec Struct, whose annotations are walked so that no fault hides another."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
import tomli

from question_bank.content.faults import ContentError, Found, make_fault
from question_bank.content.lines import find_lines, line_of
from question_bank.system_errors import why
from question_bank.text import Language, Text

T = TypeVar("T", bound=msgspec.Struct)

MISSING = Text("is missing", "缺失")
UNKNOWN = Text("is unknown", "是未知字段")
BLANK = Text("is blank", "不能为空")
WRONG_TYPE = Text("should be of type {0}, not {1}", "应为 {0} 类型，实际是 {1}")
WRONG_LENGTH = Text("should have a length {0}", "的长度应 {0}")

_FAULTS: tuple[tuple[re.Pattern[str], Text], ...] = (
    (re.compile(r"Expected `(\w+)`, got `(\w+)`"), WRONG_TYPE),
    (re.compile(r"Expected `\w+` of length (.*)"), WRONG_LENGTH),
    (re.compile(r"Expected `str` matching regex '(.*)'"), Text("should have the form {0}", "应形如 {0}")),
    (re.compile(r"Invalid enum value '(.*)'"), Text("has the unknown value {0}", "的值 {0} 不在可选范围内")),
    (re.compile(r"(?s)(.*)"), Text("has a wrong value: {0}", "的值不对：{0}")),
)
"""What msgspec says of a single value, and what we say."""


def read(path: Path, schema: type[T], further: Callable[[T], Iterable[Found]] = lambda content: ()) -> T:
    """Read a content file.

    Args:
        path: The file.
        schema: What it must keep to.
        further: Finds what a schema can't say; called only where the schema is kept to.

    Raises:
        ContentError: The file can't be read, or has faults; all of them are told.
    """
    text, data = read_data(path)
    found: list[Found] = []
    try:
        content = msgspec.convert(data, schema)
    except msgspec.ValidationError:
        pass  # it tells one fault alone; the walk below finds all of them
    else:
        if not _has_faulty_pair(data):
            found = list(further(content))
            if not found:
                return content
    found = found or list(_faults(data, schema, ""))
    lines = find_lines(text)
    faults = (make_fault(path.name, field, line_of(field, lines), what) for field, what in found)
    raise ContentError(tuple(sorted(faults, key=lambda fault: fault.line or 0)))


def read_data(path: Path) -> tuple[str, dict[str, Any]]:
    """Return a file's text and what TOML makes of it; numbers with a point as decimals.

    Raises:
        ContentError: The file can't be read, or is no TOML.
    """
    try:
        text = path.read_text("utf-8")
        return text, tomli.loads(text, parse_float=Decimal)
    except OSError as fault:
        what = Text("the file can't be read: {why}", "文件无法读取：{why}").fill(why=why(fault))
        line = None
    except UnicodeDecodeError:
        what, line = Text("the file is not UTF-8", "文件不是 UTF-8 编码"), None
    except tomli.TOMLDecodeError as fault:
        what = Text(f"the file is not TOML: {fault}", f"文件不是合法的 TOML：{fault}")
        place = re.search(r"at line (\d+)", str(fault))
        line = int(place[1]) if place else None
    raise ContentError((make_fault(path.name, "", line, what),)) from None


def _has_faulty_pair(value: Any) -> bool:
    """Tell whether a text has a third language or is blank in one: the schema lets both pass."""
    if isinstance(value, dict):
        if "en" in value and "zh" in value:
            return len(value) > 2 or not (value["en"].strip() and value["zh"].strip())
        return any(_has_faulty_pair(part) for part in value.values() if isinstance(part, dict | list))
    return any(_has_faulty_pair(part) for part in value if isinstance(part, dict | list))


def _faults(value: Any, kind: Any, field: str) -> Iterator[Found]:
    """Find everything that keeps a value from being of a kind."""
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if get_origin(plain) in (Union, types.UnionType):
        plain = next(each for each in get_args(plain) if each is not types.NoneType)
    if plain is Text:
        yield from _pair_faults(value, field)
    elif isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        yield from _struct_faults(value, plain, field)
    elif get_origin(plain) is tuple and isinstance(value, list):
        yield from _leaf_faults([None] * len(value), _untyped(kind), field)
        for index, part in enumerate(value):
            yield from _faults(part, get_args(plain)[0], f"{field}[{index}]")
    elif get_origin(plain) is dict and isinstance(value, dict):
        for key, part in value.items():
            yield from _faults(part, get_args(plain)[1], f"{field}.{key}")
    else:
        yield from _leaf_faults(value, kind, field)


def _untyped(kind: Any) -> Any:
    """Return the kind of a tuple with anything in it: its length alone is looked at."""
    anything = tuple[Any, ...]
    return Annotated[anything, *get_args(kind)[1:]] if get_origin(kind) is Annotated else anything


def _struct_faults(value: Any, kind: type[msgspec.Struct], field: str) -> Iterator[Found]:
    if not isinstance(value, dict):
        yield field, WRONG_TYPE.fill(**{"0": "table", "1": _type_name(value)})
        return
    hints = get_type_hints(kind, include_extras=True)
    for key in value.keys() - hints.keys():
        yield _below(field, key), UNKNOWN
    for part in msgspec.structs.fields(kind):
        if part.name in value:
            yield from _faults(value[part.name], hints[part.name], _below(field, part.name))
        elif part.required:
            yield _below(field, part.name), MISSING


def _pair_faults(value: Any, field: str) -> Iterator[Found]:
    if not isinstance(value, dict):
        yield field, Text("should be a text with en and zh", "应为含 en 和 zh 的文本")
        return
    for key in value.keys() - set(Language):
        yield _below(field, key), Text("is unknown: a text has en and zh", "是未知字段：文本只有 en 和 zh")
    for language in Language:
        if language not in value:
            yield _below(field, language), MISSING
        elif not isinstance(value[language], str):
            yield _below(field, language), WRONG_TYPE.fill(**{"0": "str", "1": _type_name(value[language])})
        elif not value[language].strip():
            yield _below(field, language), BLANK


def _leaf_faults(value: Any, kind: Any, field: str) -> Iterator[Found]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as fault:
        said = re.sub(r" - at `[^`]*`$", "", str(fault)).replace("`decimal`", "`float`")
        match, message = next((match, message) for pattern, message in _FAULTS if (match := pattern.fullmatch(said)))
        yield field, message.fill(**{str(index): part for index, part in enumerate(match.groups())})


def _type_name(value: Any) -> str:
    return "float" if isinstance(value, Decimal) else "array" if isinstance(value, list) else type(value).__name__


def _below(field: str, key: str) -> str:
    return f"{field}.{key}".lstrip(".")
