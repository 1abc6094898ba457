"""Brackets: which belong together, and which of them begin an array where the others only group."""

from __future__ import annotations

from question_bank.text import Text
from solvers.reading.model import RefusedError
from solvers.reading.tokens import SEPARATORS, Sort, Token

_DEEPEST = 30
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def array_openings(tokens: list[Token], starts: list[bool]) -> set[int]:
    """Return which opening brackets begin an array or a tuple, where the others only group; match all brackets.

    Args:
        tokens: All tokens.
        starts: For each, whether a blank parts it from the number before.

    Raises:
        RefusedError: A bracket has no partner, or they nest too deeply.
    """
    found: set[int] = set()
    stack: list[int] = []
    for i, token in enumerate(tokens):
        if token.sort == Sort.OPENING:
            if stack and starts[i]:
                found.add(stack[-1])
            stack.append(i)
            if token.text != "(":
                found.add(i)
            if len(stack) > _DEEPEST:
                raise RefusedError(Text("The brackets are nested too deeply.", "括号嵌套过深。"), token.at)
        elif token.sort == Sort.CLOSING:
            if not stack or _PAIRS[tokens[stack[-1]].text] != token.text:
                raise RefusedError(
                    Text("The bracket “{found}” (character {n}) has no match.", "第 {n} 个字符“{found}”没有配对的括号。").fill(
                        found=token.text, n=token.at + 1
                    ),
                    token.at,
                )
            opening = stack.pop()
            if stack and (opening in found or opening + 1 == i):
                found.add(stack[-1])
            if opening + 1 == i:
                found.add(opening)
        elif stack and (starts[i] or token.sort in SEPARATORS):
            found.add(stack[-1])
    if stack:
        token = tokens[stack[-1]]
        raise RefusedError(
            Text("The bracket “{found}” (character {n}) is not closed.", "第 {n} 个字符“{found}”没有对应的右括号。").fill(
                found=token.text, n=token.at + 1
            ),
            token.at,
        )
    return found
