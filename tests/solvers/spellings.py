"""The right answer as different people would type it: one list of spellings for each form of answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from question_bank.program import Ask, Kind

_FULL_WIDTH = str.maketrans("0123456789.-,;[]()", "０１２３４５６７８９．－，；［］（）")
_BINARY = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


def cells(displayed: str) -> Any:
    """Nested lists of the numbers, as texts, of an answer as displayed."""
    stack: list[list[Any]] = [[]]
    number = ""
    for sign in displayed:
        if sign in "[], ":
            if number:
                stack[-1].append(number)
            number = ""
        if sign == "[":
            stack.append([])
        elif sign == "]":
            done = stack.pop()
            stack[-1].append(done)
        elif sign not in ", ":
            number += sign
    return number or stack[0][0]


def mapped(value: Any, write: Callable[[Any], str]) -> Any:
    """Nested lists with every number written anew."""
    return [mapped(part, write) for part in value] if isinstance(value, list) else write(value)


def written(value: Any) -> str:
    """Nested lists of texts on one line, in brackets."""
    return "[" + ", ".join(map(written, value)) + "]" if isinstance(value, list) else value


def _rows(value: Any) -> list[list[str]]:
    return value if value and isinstance(value[0], list) else [value]


def _full_width(text: str) -> str:
    return text.translate(_FULL_WIDTH)


def _torch(value: Any) -> str:
    body = written(value).replace("], [", "],\n        [")
    return f"tensor({body}, dtype=torch.float64)"


def _matlab(value: Any) -> str:
    return "[" + "; ".join(" ".join(row) for row in _rows(value)) + "]"


def _lines(value: Any) -> str:
    return "\n".join("  ".join(row) for row in _rows(value)) if isinstance(value[0], list) else "\n".join(value)


def _latex(value: Any) -> str:
    return r"\begin{pmatrix} " + r" \\ ".join(" & ".join(row) for row in _rows(value)) + r" \end{pmatrix}"


def _decimal_commas(value: Any) -> str | None:
    rows = _rows(value)
    if not any("." in number for row in rows for number in row):
        return None
    if len(rows) > 1:
        return "\n".join(" ".join(number.replace(".", ",") for number in row) for row in rows)
    return "; ".join(number.replace(".", ",") for number in rows[0])


def _could_be_thousands(number: str) -> bool:
    """Whether a comma would be no decimal comma, or could be one between thousands: 1,234."""
    whole, _, places = number.partition(".")
    return not places or (len(places) == 3 and whole.strip("-") != "0")


def _fraction(number: str) -> str:
    value = Fraction(number)
    return f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value.numerator)


def _percent(number: str) -> str:
    return _plain(Fraction(number) * 100) + "%"


def _plain(value: Fraction) -> str:
    return f"{float(value):.10f}".rstrip("0").rstrip(".")


def flat(value: Any) -> list[float]:
    """The numbers of nested lists, row by row."""
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]


def lists(value: Any, digits: int) -> str:
    """Nested lists of numbers, each with so many decimals."""
    return written(mapped(value, lambda number: f"{number:.{max(digits, 0)}f}"))


def of_array(displayed: str, precise: Any) -> dict[str, str | None]:
    """Spellings of a number, a vector or a matrix.

    Args:
        displayed: The answer as displayed.
        precise: The values as computed.
    """
    value = cells(displayed)
    found: dict[str, str | None] = {
        "displayed": displayed,
        "full width": _full_width(displayed.replace(", ", ",")),
        "more digits": lists(precise, 11),
        "fractions": written(mapped(value, _fraction)),
        "percent": written(mapped(value, _percent)),
        "minus sign": displayed.replace("-", "−"),
        "torch": _torch(value),
    }
    if isinstance(value, list):
        found |= {
            "matlab": _matlab(value),
            "a line a row": _lines(value),
            "latex": _latex(value),
            "decimal commas": _decimal_commas(value),
            "round brackets": displayed.replace("[", "(").replace("]", ")"),
            "braces, Chinese marks": displayed.replace("[", "{").replace("]", "}").replace(", ", "，"),
        }
        if not isinstance(value[0], list):
            found |= {"blanks": " ".join(value), "commas": ",".join(value), "enumeration commas": "、".join(value)}
    else:
        found |= {
            "exponent": f"{_plain(Fraction(displayed) * 100)}e-2",
            "decimal comma": None if _could_be_thousands(displayed) else displayed.replace(".", ","),
            "plus": None if displayed.startswith("-") else "+" + displayed,
        }
    return found


def of_shape(displayed: str) -> dict[str, str | None]:
    """Spellings of a shape."""
    sizes = cells(displayed)
    return {
        "displayed": displayed,
        "tuple": f"({', '.join(sizes)})",
        "x": "x".join(sizes),
        "times": "×".join(sizes),
        "torch": f"torch.Size([{', '.join(sizes)}])",
        "full width": _full_width(f"({','.join(sizes)})"),
        "blanks": " ".join(sizes),
        "commas": ",".join(sizes),
    }


_OTHER_NAMES = {"B": "N", "h": "num_heads", "S": "T", "S_dec": "T_q", "S_enc": "S_kv", "d_k": "d_head", "V": "vocab_size"}


def of_named_shape(displayed: str) -> dict[str, str | None]:
    """Spellings of a shape with names."""
    names = cells(displayed)
    return {
        "displayed": displayed,
        "tuple": f"({', '.join(names)})",
        "times": "×".join(names),
        "spaced x": " x ".join(names),
        "blanks": " ".join(names),
        "torch": f"torch.Size([{', '.join(names)}])",
        "Chinese marks": displayed.replace("[", "（").replace("]", "）").replace(", ", "，"),
        "latex": "$" + displayed.replace("d_model", r"d_{\text{model}}").replace("_dec", r"_{\text{dec}}") + "$",
        "other names": written([_OTHER_NAMES.get(name, name) for name in names]),
        "with an equals sign": f"shape = {displayed}",
    }


def of_order(displayed: str) -> dict[str, str | None]:
    """Spellings of an order of growth."""
    plain = displayed[2:-1].translate(str.maketrans("²³·", "23*"))
    power = re.sub(r"(?<=[A-Za-z])([23])", r"^\1", plain)
    sums = power.split(" + ")
    return {
        "displayed": displayed,
        "power signs": f"O({power})",
        "python": f"O({power.replace('^', '**')})",
        "Theta": f"Θ({displayed[2:-1]})",
        "bare": power,
        "blanks": "O(" + power.replace("*", " ") + ")",
        "the factors turned round": "O(" + " + ".join("*".join(reversed(one.split("*"))) for one in sums) + ")",
        "constants": f"O(3*({power}) + 7)",
        "full width": f"Ｏ（{displayed[2:-1]}）",
        "latex": "$O(" + re.sub(r"\^(\d)", r"^{\1}", power).replace("*", r" \cdot ") + ")$",
    }


def of_bytes(displayed: str, precise: float) -> dict[str, str | None]:
    """Spellings of a number of bytes."""
    count = int(precise)
    found: dict[str, str | None] = {
        "displayed": displayed,
        "number": str(count),
        "thousands": f"{count:,}",
        "blanks": f"{count:,}".replace(",", " "),
        "unit B": f"{count} B",
        "word": f"{count} bytes",
        "full width": _full_width(str(count)),
        "product": f"{count // 2}*2" if count % 2 == 0 else None,
        "no blank": displayed.replace(" ", ""),
    }
    for unit, size in _BINARY:
        shown = Fraction(count, size)
        if (shown * 1000).denominator == 1:
            found[unit] = f"{float(shown):.3f}".rstrip("0").rstrip(".") + f" {unit}"
    return found


def of_count(displayed: str) -> dict[str, str | None]:
    """Spellings of a whole number that counts something."""
    count = int(displayed)
    return {
        "displayed": displayed,
        "thousands": f"{count:,}",
        "blanks": f"{count:,}".replace(",", " "),
        "full width": _full_width(displayed),
        "point": f"{count}.0",
        "product": f"{count // 2}*2" if count % 2 == 0 else None,
        "times": f"{count} × 1",
        "sum": f"{count - 1} + 1",
        "plus": f"+{count}",
        "latex": f"${count}$",
    }


def of_yes_or_no(displayed: str) -> dict[str, str | None]:
    """Spellings of yes or no."""
    spelled = {"yes": ("Yes", "YES.", "y", "true", "是", "是的", "对"), "no": ("No", "NO.", "n", "false", "否", "不是", "不对")}
    return {text: text for text in (displayed, *spelled[displayed])}


def of_line(displayed: str) -> dict[str, str | None]:
    """Spellings of the number of a line."""
    number = re.sub("[^0-9]", "", displayed)
    chinese = "零一二三四五六七八九十"[int(number)]
    texts = (
        number,
        f"line {number}",
        f"L{number}",
        f"#{number}",
        f"第{number}行",
        f"第 {number} 行",
        f"第{chinese}行",
        f"{number}.",
    )
    return {text: text for text in (displayed, *texts, _full_width(number))}


def of_percent(displayed: str, precise: float) -> dict[str, str | None]:
    """Spellings of a percentage: 61.5 and 61.5 % are the same."""
    return {
        "displayed": displayed,
        "sign": f"{displayed}%",
        "blank": f"{displayed} %",
        "full width": _full_width(displayed) + "％",
        "more digits": f"{precise:.9f}%",
        "decimal comma": displayed.replace(".", ",") + "%" if "." in displayed else None,
        "plus": f"+{displayed}",
        "exponent": f"{_plain(Fraction(displayed) * 10)}e-1",
        "torch": _torch(displayed),
    }


def of_expression(displayed: str, precise: float) -> dict[str, str | None]:
    """Spellings of a closed form: a fraction, a multiple of a root, a logarithm."""
    latex = re.sub(r"√(\d+)", r"\\sqrt{\1}", displayed).replace("ln", r"\ln")
    root = re.fullmatch(r"(-?)(\d*)√(\d+)(/\d+)?", displayed)
    return {
        "displayed": displayed,
        "full width": _full_width(displayed),
        "more digits": f"{precise:.11f}",
        "the digits asked": f"{precise:.3f}",
        "latex": f"${latex}$",
        "latex fraction": re.sub(r"^(.*)/([0-9]+)$", r"\\frac{\1}{\2}", latex),
        "call": re.sub(r"√(\d+)", r"sqrt(\1)", displayed).replace("ln ", "ln"),
        "power": f"{root[1]}{root[2] or 1}*{root[3]}^(1/2){root[4] or ''}" if root else None,
        "under the root": f"{root[1]}sqrt({int(root[2] or 1) ** 2 * int(root[3])}){root[4] or ''}" if root else None,
        "times one": f"1*({displayed})",
    }


def of(ask: Ask, displayed: str, precise: Any) -> dict[str, str]:
    """Spellings of the right answer of a part, by name."""
    if ask.format.kind is Kind.SHAPE:
        found = of_shape(displayed)
    elif ask.format.kind is Kind.NAMED_SHAPE:
        found = of_named_shape(displayed)
    elif ask.format.kind is Kind.ORDER:
        found = of_order(displayed)
    elif ask.format.kind is Kind.BYTES:
        found = of_bytes(displayed, precise)
    elif ask.format.kind is Kind.PERCENT:
        found = of_percent(displayed, precise)
    elif ask.format.kind is Kind.YES_NO:
        found = of_yes_or_no(displayed)
    elif ask.format.kind is Kind.LINE:
        found = of_line(displayed)
    elif ask.format.kind is Kind.INTEGER:
        found = of_count(displayed)
    elif ask.format.kind is Kind.EXPRESSION:
        found = of_expression(displayed, precise)
    else:
        found = of_array(displayed, precise)
    return {name: text for name, text in found.items() if text is not None}
