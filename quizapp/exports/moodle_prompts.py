"""What a prompt says of the form of its answers, said so that it holds for Moodle's fields.

Those take numbers in decimals, of bytes in one unit; the application's take fractions, expressions and any unit, and its
prompts say so.
"""

from __future__ import annotations

import re

from question_bank.text import Text

_ENGLISH = (
    (r"; fractions are welcome", ""),
    (r"; (?:exact values|an exact form) such as [^.;]* (?:are|is) welcome", ""),
    (r" or exactly\.", "."),
    (r"\bas (?:a fraction|fractions),? or (?=to )", ""),
    (r"\bexactly, such as \$[^$]*\$\.", "in decimals."),
    (r"\bin bytes or with a unit: GiB is [^,]* bytes, GB is \$10\^9\$(?: bytes)?", "in the unit given at the field"),
)
_CHINESE = (
    (r"，也可以写成分数", ""),
    (r"，也可以写成? ?1/3 这样的分数", ""),
    (r"，也可以写 [^，。]* 这样的精确值", ""),
    (r"，或写精确值", ""),
    (r"写成分数，或(?=保留)", ""),
    (r"写成 \$[^$]*\$ 这样的精确值", "写成小数"),
    (r"直接写字节数，或者带上单位：GiB 是 [^，]* 字节，GB 是 [^，。]* 字节", "按答案处标明的单位填写"),
)


def in_fields(prompt: Text) -> Text:
    """Say a prompt for fields of numbers."""
    return Text(_said(prompt.en, _ENGLISH), _said(prompt.zh, _CHINESE))


def _said(text: str, clauses: tuple[tuple[str, str], ...]) -> str:
    for clause, instead in clauses:
        text = re.sub(clause, instead, text)
    return text
