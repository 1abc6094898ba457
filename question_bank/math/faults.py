"""What can be wrong with a formula, in both languages, and the bounds on its size."""

from __future__ import annotations

from question_bank.text import Text

DEEPEST = 24
"""Levels of brackets and braces that a formula may have."""

LONGEST = 4_000
"""Characters that a formula may have."""

UNKNOWN_MACRO = Text("Unknown macro {found} at offset {offset}.", "偏移 {offset} 处的命令 {found} 不受支持。")
UNKNOWN_CHARACTER = Text(
    "{found} at offset {offset} can't stand in a formula.",
    "偏移 {offset} 处的 {found} 不能出现在公式里。",
)
UNCLOSED = Text("{found} at offset {offset} is never closed.", "偏移 {offset} 处的 {found} 没有配对的结束符号。")
UNOPENED = Text("{found} at offset {offset} closes nothing.", "偏移 {offset} 处的 {found} 没有配对的起始符号。")
LONE_BAR = Text(
    r"{found} at offset {offset} has no partner; a bar that stands alone is written \mid.",
    r"偏移 {offset} 处的 {found} 没有配对；单独的竖线请写作 \mid。",
)
NO_DELIMITER = Text(
    "A bracket is missing after {found} at offset {offset}.",
    "偏移 {offset} 处的 {found} 之后缺少括号。",
)
NO_BRACES = Text(
    "{found} at offset {offset} needs its argument in braces.",
    "偏移 {offset} 处的 {found} 后面要用花括号写出参数。",
)
NO_LETTERS = Text(
    "{found} at offset {offset} takes letters and digits in braces.",
    "偏移 {offset} 处的 {found} 后面的花括号里只能写字母和数字。",
)
NO_TEXT = Text(
    r"\text at offset {offset} takes words in braces; write \{ \} \\$ \% \& \# \_ for these characters.",
    r"偏移 {offset} 处的 \text 后面要用花括号写出文字；其中这些字符写作 \{ \} \\$ \% \& \# \_。",
)
EMPTY = Text("The formula at offset {offset} is empty.", "偏移 {offset} 处的公式为空。")
EMPTY_BRACES = Text("The braces at offset {offset} are empty.", "偏移 {offset} 处的花括号里没有内容。")
NOTHING_LEFT = Text(
    "{found} at offset {offset} has nothing to its left.",
    "偏移 {offset} 处的 {found} 左边没有内容。",
)
TWICE = Text(
    "A second {found} at offset {offset}: which one is meant?",
    "偏移 {offset} 处重复出现 {found}，无法判断是哪一个。",
)
AMBIGUOUS_SCRIPT = Text(
    "Only the first digit after {found} at offset {offset} would be raised or lowered: write braces.",
    "偏移 {offset} 处的 {found} 只作用于后面第一个数字，请加花括号。",
)
TWO_NUMBERS = Text(
    "Two numbers side by side at offset {offset} would read as one.",
    "偏移 {offset} 处两个数字并排，显示时会连成一个数。",
)
RAGGED = Text(
    "The rows of {found} at offset {offset} differ in length.",
    "偏移 {offset} 处 {found} 的各行长度不一致。",
)
ROW_SPACING = Text(
    r"\\[ at offset {offset}: blanks between rows are not known.",
    r"偏移 {offset} 处的 \\[：不支持设置行距。",
)
TOO_LONG = Text(f"The formula is longer than {LONGEST:,} characters.", f"公式超过 {LONGEST:,} 个字符。")
TOO_DEEP = Text(
    f"Brackets and braces are nested more than {DEEPEST} deep at offset {{offset}}.",
    f"偏移 {{offset}} 处的括号嵌套超过 {DEEPEST} 层。",
)
