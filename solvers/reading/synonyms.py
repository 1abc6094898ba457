"""Other names in common use for a size: ``N`` for the batch ``B``, ``T`` or ``L`` for the length ``S``."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from question_bank.text import Text

_LENGTHS = ("S", "T", "L", "n", "N", "seq", "seq_len", "seqlen", "length")
_SIDES = {
    "dec": ("dec", "d", "q", "tgt", "t", "target", "decoder", "query", "queries"),
    "enc": ("enc", "e", "k", "kv", "src", "s", "source", "encoder", "key", "keys", "mem", "memory"),
}


def _lengths_of(side: str) -> tuple[str, ...]:
    ends = _SIDES[side]
    return (
        *(f"{letter}_{end}" for letter in ("S", "T", "L", "n", "N", "seq", "len") for end in ends),
        *(f"{end}_len" for end in ends),
    )


_OTHERS: dict[str, tuple[str, ...]] = {
    "B": ("B", "N", "batch", "batch_size", "bs", "bsz"),
    "h": ("h", "n_h", "n_head", "n_heads", "num_heads", "nhead", "heads", "head", "nh"),
    "h_kv": ("h_kv", "hkv", "n_kv", "n_kv_head", "n_kv_heads", "num_kv_heads", "kv_heads", "nkv"),
    "S": _LENGTHS,
    "T": _LENGTHS,
    "n": _LENGTHS,
    "S_dec": _lengths_of("dec"),
    "S_enc": _lengths_of("enc"),
    "S_q": _lengths_of("dec"),
    "S_k": _lengths_of("enc"),
    "d_model": ("d_model", "dmodel", "d", "D", "d_m", "C", "n_embd", "embed_dim", "hidden_size", "width", "dim"),
    "d_enc": ("d_enc", "denc", "d_encoder", "d_e", "d_src", "d_source", "d_context", "enc_dim", "kdim"),
    "d": ("d", "D", "d_model", "dmodel", "d_k", "dk", "width", "dim"),
    "d_k": ("d_k", "dk", "d", "d_head", "d_h", "dh", "head_dim", "head_size", "d_q", "dq"),
    "d_v": ("d_v", "dv"),
    "d_ff": ("d_ff", "dff", "d_ffn", "dffn", "ffn", "d_f", "d_inner", "d_hidden", "ffn_dim", "intermediate_size", "hidden_dim"),
    "V": ("V", "vocab", "vocab_size", "n_vocab", "vocabulary"),
    "a": ("a", "d_a", "d_h", "hidden"),
}

_TWO_LENGTHS = (("S_dec", "S_enc"), ("S_q", "S_k"))
"""Lengths of which either may be meant by a name for a length alone."""

_LOWER = {symbol: frozenset(name.lower() for name in names) for symbol, names in _OTHERS.items()}

LONGEST = max(len(name) for names in _OTHERS.values() for name in names)
"""Letters of the longest other name."""


def meant(found: str, symbols: tuple[str, ...]) -> tuple[str, ...]:
    """Return the symbols that another name may stand for: one where it is clear, several where it isn't, none where none.

    A capital N is the batch where there is one, ``[N, h, S, d_k]``; a small n is a length where there is one.
    """
    found_for = _table(symbols).get(found.lower(), ())
    if len(found_for) > 1 and "B" in found_for:
        return ("B",) if found != "n" else tuple(symbol for symbol in found_for if symbol != "B")
    return found_for


def meant_beside(names: Collection[str], symbols: tuple[str, ...]) -> dict[str, str]:
    """Return what names stand for that say it together: T or L beside S is the length of the target, S that of the source."""
    letters = {name.upper(): name for name in names}
    target = letters.get("T", letters.get("L"))
    if target is None or "S" not in letters or not {"S_dec", "S_enc"}.issubset(symbols) or {"T", "L"}.issubset(letters):
        return {}
    pair = {target: "S_dec", letters["S"]: "S_enc"}
    return pair if all(len(meant(name, symbols)) == 2 for name in pair) else {}


@cache
def _table(symbols: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for symbol in symbols:
        for name in _LOWER.get(symbol, ()):
            table[name] = (*table.get(name, ()), symbol)
    for pair in _TWO_LENGTHS:
        if set(pair).issubset(symbols) and not set(symbols).intersection(("S", "T", "n")):
            for name in _LOWER["S"]:
                table[name] = (*table.get(name, ()), *pair)
    return table


def read_as(found: str, symbol: str) -> Text:
    """Say that a name was taken for a symbol."""
    return Text("{found} was read as {symbol}.", "{found} 按 {symbol} 理解。").fill(found=found, symbol=symbol)
