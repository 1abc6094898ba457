"""Reading percentages, counts and sizes in bytes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.solvers.test_answers import BYTES, INTEGER, PERCENT, answer, refusal, same_number

PERCENTAGES = (
    ("37", "37", False),
    ("37%", "37", True),
    ("37 %", "37", True),
    ("３７％", "37", True),
    ("37\\%", "37", True),
    ("37,5 %", "37.5", True),
    ("0.37", "0.37", False),
    ("3/8", "3/8", False),
    ("100/3 %", "100/3", True),
    ("-3%", "-3", True),
    ("inf", "inf", False),
)


@pytest.mark.parametrize(("typed", "value", "percent"), PERCENTAGES)
def test_percentage(typed: str, value: str, percent: bool) -> None:
    (cell,) = answer(typed, PERCENT).cells
    assert same_number(cell.value, value)
    assert cell.percent is percent


INTEGERS = (
    ("786432", "786432"),
    ("786,432", "786432"),
    ("1,786,432", "1786432"),
    ("1，786，432", "1786432"),
    ("1 786 432", "1786432"),
    ("1\u202f786\u202f432", "1786432"),
    ("1\\,786\\,432", "1786432"),
    ("1_786_432", "1786432"),
    ("1'786'432", "1786432"),
    ("1’786’432", "1786432"),
    ("-5", "-5"),
    ("007", "7"),
    ("786432.0", "786432"),
    ("1.5e3", "1500"),
    ("2^20", "1048576"),
    ("1,024 * 1,024", "1048576"),
    ("12·64·64", "49152"),
    ("6/2", "3"),
    ("√16", "4"),
    ("inf", "inf"),
    ("nan", "nan"),
    ("N = 786432", "786432"),
)


@pytest.mark.parametrize(("typed", "value"), INTEGERS)
def test_integer(typed: str, value: str) -> None:
    (cell,) = answer(typed, INTEGER).cells
    assert same_number(cell.value, value)
    assert not isinstance(cell.value, Fraction)


NO_INTEGERS = (
    ("1,78,6432", "groups of three"),
    ("78,64", "groups of three"),
    ("105,0624", "groups of three"),
    ("1_05", "groups of three"),
    ("0.5", "0.5 is not a whole number"),
    ("0,5", "groups of three"),
    ("1/2", "1/2 is not a whole number"),
    ("√2", "√2 is not a whole number"),
    ("50%", "50% is not a whole number"),
    ("1.05M", "give the whole number"),
    ("7.9 million", "give the whole number"),
    ("786k", "give the whole number"),
    ("105万", "give the whole number"),
    ("1.050.624", "is not a number"),
    ("10 20", "2 numbers were read: 10, 20"),
    ("1,050 624", "2 numbers were read"),
    ("786432 parameters", "“parameters”"),
    ("786432个", "“个”"),
)


@pytest.mark.parametrize(("typed", "fragment"), NO_INTEGERS)
def test_no_integer(typed: str, fragment: str) -> None:
    assert fragment in refusal(typed, INTEGER).message.en


SIZES = (
    ("2048", "2048", ""),
    ("2,048", "2048", ""),
    ("2^31", "2147483648", ""),
    ("2048 B", "2048", "B"),
    ("2 048 bytes", "2048", "B"),
    ("2048 字节", "2048", "B"),
    ("2 GiB", "2147483648", "GiB"),
    ("2gib", "2147483648", "GiB"),
    ("2048 MiB", "2147483648", "MiB"),
    ("２ＧｉＢ", "2147483648", "GiB"),
    ("2 GiB.", "2147483648", "GiB"),
    ("0.5 KiB", "512", "KiB"),
    ("1,5 KiB", "1536", "KiB"),
    ("3/4 MiB", "786432", "MiB"),
    ("2 GB", "2000000000", "GB"),
    ("2 gb", "2000000000", "GB"),
    ("2 MB", "2000000", "MB"),
    ("2 kB", "2000", "kB"),
    ("2 KB", "2000", "kB"),
    ("2 TB", "2000000000000", "TB"),
    ("2 TiB", "2199023255552", "TiB"),
    ("2 gibibytes", "2147483648", "GiB"),
    ("2 吉字节", "2000000000", "GB"),
    ("\\(2\\,\\text{GiB}\\)", "2147483648", "GiB"),
)


@pytest.mark.parametrize(("typed", "value", "unit"), SIZES)
def test_size(typed: str, value: str, unit: str) -> None:
    found = answer(typed, BYTES)
    assert same_number(found.cells[0].value, value)
    assert found.unit == unit


NO_SIZES = (
    ("2 Gb", "counts bits"),
    ("2 Gib", "counts bits"),
    ("16 bits", "counts bits"),
    ("2 Mbit", "counts bits"),
    ("2 G", "GB (powers of 1000) or GiB (powers of 1024)"),
    ("2K", "kB (powers of 1000) or KiB (powers of 1024)"),
    ("2 Mi", "MB (powers of 1000) or MiB (powers of 1024)"),
    ("GiB", "A number is missing before"),
    ("1 GiB 512 MiB", "“GiB”"),
    ("1 XB", "“XB”"),
    ("50%", "not a percentage"),
    ("1,234 MiB", "can be read as 1.234 or as 1234"),
    ("√2 GiB", "not a number of bytes"),
    ("1,05", "groups of three"),
)


@pytest.mark.parametrize(("typed", "fragment"), NO_SIZES)
def test_no_size(typed: str, fragment: str) -> None:
    assert fragment in refusal(typed, BYTES).message.en
