"""Whether a typed word is a slip of the keyboard for a word of a phrase."""

from __future__ import annotations

LEAST_TYPED = 6
LEAST_MEANT = 5
LONG_TYPED = 10
LONG_MEANT = 8

_FAMILIAR = """
    stores stored shaped shared scaled scales scores scored stacks stacked states stated masked mapped marked packed passed padded
    paired parsed causal casual values valued larger longer learned leaned linear likely single signal simple sample decode
    encode added adding ending during better latter letter matter patter format formal former normal fixing mixing mining missing
    making taking adapted adopted divided decided revised reused reduced produce product project protect position positive
    partition attend attended extend extended expand expend effect affect direct detect select reject depend defend lesser lessen
    weights heights weighed queries quarter quarters quadratic variable variant variants variation variations various inverse
    invariant invariance equivariant equivariance context content contents contexts concept contain contains contrast contract
    constant consistent resistant residual individual training trailing draining rotation notation relation relative negative
    normalise normalize regularise regularize standard stranded understand sequence sequences frequency frequencies
    masking making asking packing stable usable unstable visible invisible divisible different difference reference inference
    interference preference encoder decoder encoding decoding embedding embedded computed compared compares computes completed
    complete compete parallel saturate saturated separate separated operate operated generate generated
"""
FAMILIAR = frozenset(_FAMILIAR.split())
"""Words of the subject that are one slip away from others: who types one means it."""


def edits_allowed(typed: str, meant: str) -> int:
    """Return how many slips are forgiven: none in short words, two in long ones."""
    if len(typed) < LEAST_TYPED or len(meant) < LEAST_MEANT or typed in FAMILIAR:
        return 0
    return 2 if len(typed) >= LONG_TYPED and len(meant) >= LONG_MEANT else 1


def is_slip(typed: str, meant: str, is_stem: bool, edits: int) -> bool:
    """Tell whether one word is the other with at most so many letters wrong, missing, added or exchanged with their neighbour.

    Args:
        typed: The typed word; its first letter is right.
        meant: The word of the phrase. Of a stem the last letter must be right too: any ending may follow it, so that it
            would otherwise be one letter shorter.
        is_stem: Whether any ending will do.
        edits: How many.
    """
    if not is_stem and abs(len(typed) - len(meant)) > edits:
        return False
    return _within(typed, meant, 1, 1, edits, is_stem)


def _within(typed: str, meant: str, at: int, of: int, edits: int, is_stem: bool) -> bool:
    while at < len(typed) and of < len(meant) and typed[at] == meant[of]:
        at += 1
        of += 1
    if of == len(meant):
        return (is_stem and typed[at - 1] == meant[-1]) or len(typed) - at <= edits
    if at == len(typed):
        return not is_stem and len(meant) - of <= edits
    if edits == 0:
        return False
    if at + 1 < len(typed) and of + 1 < len(meant) and typed[at] == meant[of + 1] and typed[at + 1] == meant[of]:
        return _within(typed, meant, at + 2, of + 2, edits - 1, is_stem)
    is_last = is_stem and of == len(meant) - 1
    return (
        _within(typed, meant, at + 1, of, edits - 1, is_stem)
        or (not is_last and _within(typed, meant, at + 1, of + 1, edits - 1, is_stem))
        or (not is_last and _within(typed, meant, at, of + 1, edits - 1, is_stem))
    )
