"""Arrays from NumPy's files. Nothing in them is ever unpickled, and nothing large is ever loaded."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from question_bank.exact import INFINITY, MINUS_INFINITY, NOT_A_NUMBER
from question_bank.program import Nested
from question_bank.system_errors import why
from question_bank.text import Text
from quizapp.commands.exits import MisuseError
from solvers.reading.model import MAX_CELLS

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

_ARCHIVE = re.compile(r"(?P<path>.+\.npz)(?::(?P<name>.*))?", re.IGNORECASE | re.DOTALL)
_WIDEST_CELL = 32
"""Bytes of the largest number that NumPy has; an archive's member is measured before it is unpacked."""
_HEADER = 4096
_MAGIC = b"\x93NUMPY"
NOT_NUMPY = Text("it is not a file that NumPy wrote, or it is damaged", "不是 NumPy 保存的文件，或者已经损坏")
_DEEPEST = 8


def is_array_file(name: str) -> bool:
    """Tell whether a file's name says that NumPy wrote it."""
    return name.lower().endswith(".npy") or _ARCHIVE.fullmatch(name) is not None


def read_array(name: str) -> Nested:
    """Read an array as exact numbers: each is the shortest decimal that stands for it.

    Args:
        name: ``file.npy``, or ``file.npz:name``; the name may be left out where the archive has one array.

    Raises:
        MisuseError: There is no such file or array, or it holds no numbers, or too many.
    """
    value: Nested = _nested(_numbers(name), _exact)
    return value


def array_text(name: str) -> str:
    """Write an array out as one would type it, for an answer.

    Raises:
        MisuseError: As ``read_array``.
    """

    def flat(value: Any) -> str:
        return "[" + ", ".join(map(flat, value)) + "]" if isinstance(value, tuple) else value

    return flat(_nested(_numbers(name), _typed))


def _numbers(name: str) -> Array:
    archive = _ARCHIVE.fullmatch(name)
    array = _from_archive(Path(archive["path"]), archive["name"]) if archive else _from_file(Path(name))
    if array.dtype.kind == "c":
        raise _refused(name, Text("it holds complex numbers; take their real parts first", "数组是复数，请先取实部"))
    if array.dtype.kind not in "biuf":
        raise _refused(name, Text("it holds {type}, not numbers", "数组元素是 {type}，不是数").fill(type=array.dtype))
    if array.size == 0:
        raise _refused(
            name, Text("it is empty: its shape is {shape}", "数组是空的，形状为 {shape}").fill(shape=list(array.shape))
        )
    if array.size > MAX_CELLS:
        raise _too_large(name, array.size)
    if array.ndim > _DEEPEST:
        raise _refused(name, Text("it has {n} dimensions, which is too many", "数组有 {n} 维，太多了").fill(n=array.ndim))
    return array


def _from_file(path: Path) -> Array:
    import numpy

    try:
        with path.open("rb") as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:  # NumPy would take it for a pickle
                raise _refused(str(path), NOT_NUMPY)
        # Mapped, so that of a large file only the beginning is read before it is refused.
        array: Array = numpy.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError) as fault:
        raise _not_loaded(str(path), fault) from fault
    return array


def _from_archive(path: Path, name: str | None) -> Array:
    import numpy

    try:
        with ZipFile(path) as archive:
            members = {each.filename.removesuffix(".npy"): each.file_size for each in archive.infolist()}
        if not name:
            if len(members) != 1:
                raise _refused(
                    str(path),
                    Text(
                        "it holds {n} arrays; say which: {path}:NAME, where NAME is one of {names}",
                        "里面有 {n} 个数组，请用“{path}:名称”指定，名称可选 {names}",
                    ).fill(n=len(members), path=path.name, names=_names(members)),
                )
            name = next(iter(members))
        if name not in members:
            raise _refused(
                str(path),
                Text("it has no array “{name}”; it has {names}", "里面没有数组“{name}”，只有 {names}").fill(
                    name=name[:60], names=_names(members)
                ),
            )
        if members[name] > MAX_CELLS * _WIDEST_CELL + _HEADER:
            raise _too_large(f"{path}:{name}")
        with numpy.load(path, allow_pickle=False) as arrays:
            array: Array | bytes = arrays[name]
        if isinstance(array, bytes):  # NumPy hands out what is no array as it is
            raise _refused(f"{path}:{name}", NOT_NUMPY)
        return array
    except (OSError, ValueError, EOFError, SyntaxError, KeyError, BadZipFile, NotImplementedError, RuntimeError) as fault:
        raise _not_loaded(str(path), fault) from fault


def _names(members: dict[str, int]) -> Text:
    shown = list(members)[:8]
    more = "…" if len(members) > len(shown) else ""
    return Text(", ".join(shown) + more, "、".join(shown) + more)


def _not_loaded(name: str, fault: Exception) -> MisuseError:
    if isinstance(fault, OSError) and fault.strerror:
        return cannot_read(name, fault)
    if "object" in str(fault).lower():
        return _refused(
            name,
            Text(
                "it holds pickled Python objects, which are never loaded; save plain numbers",
                "里面有 pickle 序列化的 Python 对象，本程序一律不加载；请只保存数值",
            ),
        )
    return _refused(name, NOT_NUMPY)


def cannot_read(name: str, fault: OSError) -> MisuseError:
    """Say why the system does not give a file."""
    return _refused(name, why(fault))


def _too_large(name: str, size: int | None = None) -> MisuseError:
    found = Text("it has {size} numbers", "里面有 {size} 个数").fill(size=size) if size else Text("it is too large", "文件太大")
    most = Text("; at most {most} can be read", "，最多能读 {most} 个数").fill(most=MAX_CELLS)
    return _refused(name, Text(found.en + most.en, found.zh + most.zh))


def _refused(name: str, why: Text) -> MisuseError:
    return MisuseError(Text("{file} can't be used: {why}.", "{file} 无法使用：{why}。").fill(file=name, why=why))


def _nested(array: Array, write: Callable[[Any], Any]) -> Any:
    return tuple(_nested(part, write) for part in array) if array.ndim else write(array)


def _typed(cell: Array) -> str:
    return str(int(cell)) if cell.dtype.kind in "biu" else str(cell)


def _exact(cell: Array) -> Nested:
    text = _typed(cell)
    if text in _SPECIAL:
        return _SPECIAL[text]
    value = Fraction(text)
    return int(value) if value.denominator == 1 else value


_SPECIAL = {"nan": NOT_A_NUMBER, "inf": INFINITY, "-inf": MINUS_INFINITY}
