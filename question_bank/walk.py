"""Every text of a piece of content, with the field that it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from question_bank.text import Text


def texts(value: object, field: str = "") -> Iterator[tuple[str, Text]]:
    """Yield the texts of a question or a lesson.

    Args:
        value: A Struct, or a part of one.
        field: Where it stands.

    Yields:
        The field, such as ``pitfalls[0].why``, and the text.
    """
    if isinstance(value, Text):
        yield field, value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from texts(getattr(value, name), f"{field}.{name}".lstrip("."))
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from texts(part, f"{field}[{index}]")
