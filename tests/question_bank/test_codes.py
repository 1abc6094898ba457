from __future__ import annotations

import itertools
import pickle
import string
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.codes import ALPHABET, LARGEST_SEED, CodeError, CodeParts, read_code, write_code
from question_bank.drills import DRILLS

PLANNED = """
    path-length receptive-field encoder-shape model-parameters encoder-parameters sinusoid embedding-scale rope-rotate
    rope-relative alibi-row permute-output length-scaling attention-flops crossover score-bytes project-row project-matrix
    qkv-shapes self-product cross-weights score-entry score-matrix additive-score score-cost scale-row dot-variance saturation
    softmax-row softmax-matrix stable-softmax log-sum-exp softmax-temperature softmax-jacobian overflow mix-row output-shape
    attention-by-hand attention-output line-shape spot-the-bug head-dimension head-shapes concat-heads multi-head-output
    multi-head-parameters kv-cache-bytes gqa-ratio decode-cost online-softmax flash-memory padding-row padding-leak mask-shape
    causal-row causal-matrix padded-causal causal-count causal-output cross-shapes cross-output residual-gradient
    residual-add leak layer-norm batch-norm rms-norm norm-order ffn-row ffn-parameters activation next-token-loss
    forward-passes
"""
KNOWN = sorted({*PLANNED.split(), *DRILLS})
ALIASES = {"i": "1", "l": "1", "o": "0"}

codes = st.builds(
    CodeParts,
    drill=st.sampled_from(KNOWN),
    level=st.integers(0, 9),
    revision=st.sampled_from(ALPHABET),
    seed=st.integers(0, LARGEST_SEED) | st.integers(0, 32**3 - 1),
)


def written(parts: CodeParts) -> str:
    return write_code(parts.drill, parts.level, parts.revision, parts.seed)


def accepted(code: str) -> CodeParts | None:
    try:
        return read_code(code)
    except CodeError:
        return None


def some_codes(number: int) -> list[CodeParts]:
    draw = Random("codes")
    lengths = itertools.cycle((3, 3, 4, 5, 6))
    return [
        CodeParts(draw.choice(KNOWN), draw.randint(0, 9), draw.choice(ALPHABET), draw.randrange(32 ** next(lengths)))
        for _ in range(number)
    ]


def one_wrong(text: str, characters: str) -> list[str]:
    """Return the text with each of its characters replaced by each of the others."""
    return [text[:at] + new + text[at + 1 :] for at in range(len(text)) for new in characters if new != text[at]]


def swapped(text: str) -> list[str]:
    """Return the text with each two different neighbours swapped."""
    pairs = ((at, text[at], text[at + 1]) for at in range(len(text) - 1))
    return [text[:at] + second + first + text[at + 2 :] for at, first, second in pairs if first != second]


@given(codes)
def test_what_is_written_is_read_back(parts: CodeParts) -> None:
    assert read_code(written(parts)) == parts


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        (CodeParts("softmax-row", 2, "a", 0), "softmax-row.2.a000y"),
        (CodeParts("softmax-row", 2, "a", 1023), "softmax-row.2.a0zzp"),
        (CodeParts("kv-cache-bytes", 4, "7", 32**3), "kv-cache-bytes.4.710005"),
    ],
)
def test_codes_stay_what_they_were(parts: CodeParts, code: str) -> None:
    """Printed sheets carry these: they may never change."""
    assert written(parts) == code


@given(codes, st.randoms(use_true_random=False))
def test_either_case_blanks_around_and_i_l_o_are_read(parts: CodeParts, random: Random) -> None:
    def disguised(symbol: str) -> str:
        twins = [twin for twin, digit in ALIASES.items() if digit == symbol]
        return random.choice([symbol, symbol.upper(), *twins, *(twin.upper() for twin in twins)])

    drill, level, tail = written(parts).split(".")
    upper = "".join(random.choice([letter, letter.upper()]) for letter in drill)
    assert read_code(f"  {upper}.{level}.{''.join(map(disguised, tail))}\n") == parts


@pytest.mark.parametrize("parts", some_codes(60), ids=written)
def test_every_single_wrong_character_and_swap_is_refused(parts: CodeParts) -> None:
    drill, level, tail = written(parts).split(".")
    wrong = [f"{drill}.{new}.{tail}" for new in one_wrong(level, string.digits)]
    for new in one_wrong(tail, string.digits + string.ascii_lowercase):
        if "".join(ALIASES.get(symbol, symbol) for symbol in new) != tail:
            wrong.append(f"{drill}.{level}.{new}")
    wrong += [f"{drill}.{level}.{new}" for new in swapped(tail)]
    assert len(wrong) > 9 + 5 * 31
    for code in wrong:
        assert accepted(code) is None, code
        assert accepted(code.upper()) is None, code


@pytest.mark.parametrize("drill", KNOWN)
def test_a_mistyped_drill_never_becomes_another_one(drill: str) -> None:
    """Some letters share their five bits, so the check alone need not catch them; then no drill has that name."""
    for level, tail_seed in ((1, 0), (2, 777), (4, LARGEST_SEED)):
        code = write_code(drill, level, "a", tail_seed)
        tail = code[len(drill) :]
        for other in one_wrong(drill, string.ascii_lowercase + string.digits + "-") + swapped(drill):
            parts = accepted(other + tail)
            assert parts is None or parts.drill not in KNOWN, other
        for other in swapped(code):
            parts = accepted(other)
            assert parts is None or parts.drill not in KNOWN, other


def test_nearly_every_wrong_letter_of_a_drill_is_caught_by_the_check() -> None:
    code = write_code("softmax-row", 2, "a", 5)
    letters = [drill + code[11:] for drill in one_wrong("softmax-row", string.ascii_lowercase)]
    assert [new for new in letters if accepted(new)] == ["softmaxmrow" + code[11:]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "softmax-row",
        "softmax-row.2",
        "softmax-row.2.",
        "softmax-row.2.a000",
        "softmax-row.22.a000y",
        "softmax-row.2.a000y.",
        "softmax-row.2.a000y x",
        "softmax-row..a000y",
        ".2.a000y",
        "softmax row.2.a000y",
        "softmax-row.2.a00uy",
        "softmax-row.٢.a000y",
        "ſoftmax-row.2.a000y",
        "softmax-row.2.a000y" + " " * 300 + "x",
        "softmax-row.2.a" + "0" * 10_000,
        "[bold]softmax-row[/]",
        "\x00",
        "题目",
    ],
)
def test_what_is_not_a_code_is_refused_in_both_languages(text: str) -> None:
    with pytest.raises(CodeError) as refused:
        read_code(text)
    assert refused.value.message.en != refused.value.message.zh
    assert len(refused.value.message.en) < 250


@given(st.text(max_size=60) | st.text(ALPHABET + "-.", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    parts = accepted(text)
    assert parts is None or written(parts) == "".join(text.split()).lower().translate(str.maketrans(ALIASES))


def test_only_the_code_that_is_written_is_read() -> None:
    """A seed with noughts in front would be a second code of the same problem."""
    beyond = [
        f"softmax-row.2.{body}{check}"
        for body in ("a00000", "a000zz", "a0zzzzzz", "a1000000", "azzzzzzz")
        for check in ALPHABET
    ]
    assert not [code for code in beyond if accepted(code)]


@pytest.mark.parametrize(
    ("level", "revision", "seed"),
    [(1, "a", -1), (1, "a", LARGEST_SEED + 1), (1, "i", 0), (1, "u", 0), (1, "", 0), (1, "ab", 0), (10, "a", 0), (-1, "a", 0)],
)
def test_a_code_that_could_not_be_read_is_not_written(level: int, revision: str, seed: int) -> None:
    with pytest.raises(ValueError, match=r"seed|revision|level"):
        write_code("softmax-row", level, revision, seed)


def test_the_error_crosses_processes() -> None:
    with pytest.raises(CodeError) as refused:
        read_code("softmax-row.2.a0000")
    copy = pickle.loads(pickle.dumps(refused.value))
    assert copy.message == refused.value.message
    assert "a0000" in copy.message.zh
