"""Problems: the same from the same code everywhere and for ever, or refused with a message."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank import CodeError, Problem, draw, problem, verified
from question_bank.codes import LARGEST_SEED, write_code
from question_bank.drills import DRILLS
from question_bank.exact import Expression
from question_bank.problem import find_drill
from question_bank.program import Program, Shape, to_json

CASES = [(drill.id, level) for drill in DRILLS.values() for level in drill.levels]


def ln(number: int) -> Expression:
    return Expression("ln", (number,))


def tenths(*numbers: int) -> tuple[int | Fraction, ...]:
    return tuple(number // 10 if number % 10 == 0 else Fraction(number, 10) for number in numbers)


INPUTS = {
    "softmax-row.1.006t9": (("z", (ln(3), ln(6), ln(7))),),
    "softmax-row.3.00g00": (("z", tenths(27, -6, 5, 3)),),
    "score-matrix.2.00g0h": (("Q", ((-2, -3), (-1, 4), (-1, -2))), ("K", ((0, 2), (5, 3), (-3, 1)))),
    "causal-matrix.3.00fze": (("Z", (tenths(5, 0, -9), tenths(2, -10, -9), tenths(5, -17, 9))),),
    "attention-by-hand.2.00gkd": (
        ("X", ((2, 2), (1, 0), (1, 0))),
        ("W_Q", ((2, 0), (1, 0))),
        ("W_K", ((1, 2), (0, 0))),
        ("W_V", ((0, 2), (0, 0))),
        ("d_k", 2),
    ),
    "attention-output.2.00g5e": (
        ("Q", ((1, 0), (0, -1), (-1, 0))),
        ("K", ((-1, 0), (2, 2), (1, -1))),
        ("V", ((5, 8), (8, 9), (3, 7))),
        ("d_k", 2),
    ),
    "head-shapes.4.1086p": (("X", Shape((1, 128, 1280))), ("d_model", 1280), ("h", 20)),
    "cross-shapes.1.10867": (("X", Shape((5, 12, 18))), ("E", Shape((5, 7, 18))), ("d_model", 18)),
    "kv-cache-bytes.4.00bbr": (("L", 12), ("h", 12), ("h_kv", 12), ("d_head", 64), ("S", 512), ("B", 4), ("b", 2)),
    "layer-norm.3.00fzv": (
        ("X", (tenths(-28, -18, -28, 31), tenths(-23, 31, 14, -7), tenths(17, 22, 12, -23))),
        ("γ", tenths(5, 8, 6, 7)),
        ("β", tenths(-5, -8, 5, 2)),
    ),
    "scale-row.2.00fr1": (("s", (3, -3, 2)), ("d_k", 3), ("d_model", 12)),
    "concat-heads.2.00fxx": (("O_1", tenths(5, 2)), ("O_2", tenths(7, 3)), ("O_3", tenths(4, 2))),
}
"""Written down by hand from what the codes gave when they were first shipped."""


@pytest.mark.parametrize("code", INPUTS)
def test_a_code_gives_the_numbers_it_always_gave(code: str) -> None:
    built = problem(code)
    assert built.program.inputs == INPUTS[code]
    assert built.code == code


def _numbers(program: Program) -> object:
    """What a person computes with: everything but the words of the labels."""
    data = to_json(program)
    asks = data["asks"]
    assert isinstance(asks, list)
    return {**data, "asks": [{key: value for key, value in ask.items() if key != "label"} for ask in asks]}


def fingerprint(drill: str, level: int, seeds: int = 32, revision: str | None = None) -> str:
    """A few characters that change when any of the first seeds gives another program."""
    written = DRILLS[drill].revision_at(level) if revision is None else revision
    content = [_numbers(problem(write_code(drill, level, written, seed)).program) for seed in range(seeds)]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


FINGERPRINTS: dict[str, str] = {
    "residual-gradient 1 0": "736fbb3f0047",
    "residual-gradient 2 0": "5129fa6adf43",
    "residual-gradient 3 0": "0b0d08b28daf",
    "residual-add 1 0": "4519c6c22e7f",
    "residual-add 2 0": "68c8d0d80102",
    "residual-add 3 0": "64872f068c09",
    "leak 3 0": "0124c40407f0",
    "leak 1 0": "81c9a7c1c84f",
    "leak 1 1": "2bb519b7069d",
    "leak 2 0": "39712dc60fab",
    "batch-norm 1 0": "d11c9ca47c60",
    "batch-norm 2 0": "06b1435f8310",
    "batch-norm 3 0": "f751ae35b7db",
    "rms-norm 1 0": "bf6b819467b0",
    "rms-norm 2 0": "fde74a0cb5d5",
    "rms-norm 3 0": "5b38cd80cf24",
    "norm-order 1 0": "254a4152160d",
    "norm-order 2 0": "e3e7ed547709",
    "norm-order 3 0": "d5c469e1aa10",
    "ffn-row 1 0": "15b6b50de462",
    "ffn-row 2 0": "d5760342ad89",
    "ffn-row 3 0": "e8df6a5e1dbf",
    "ffn-parameters 1 0": "c3ef3dbd7ccd",
    "ffn-parameters 2 0": "eadcbd7b724c",
    "ffn-parameters 3 0": "d841a03536fd",
    "ffn-parameters 4 0": "a69ecde2d3cb",
    "activation 1 0": "7d1470a3b864",
    "activation 2 0": "4185f1e303ce",
    "activation 3 0": "dcf79348f938",
    "noam-rate 1 0": "fc9d2d25f5f2",
    "noam-rate 2 0": "85f2bace1726",
    "noam-rate 2 1": "16d0796d1204",
    "noam-rate 3 0": "651ed98c8d89",
    "noam-rate 4 0": "7afc1e5434d4",
    "cosine-rate 1 0": "0758ffa79031",
    "cosine-rate 2 0": "7195ff03dc9c",
    "cosine-rate 3 0": "afe2da49e32d",
    "cosine-rate 4 0": "95bb80739a25",
    "dropout-scale 1 0": "eb32eebd9929",
    "dropout-scale 2 0": "3266f7dd88b6",
    "dropout-scale 3 0": "bd456a3cb01a",
    "forward-passes 1 0": "f590c0859b32",
    "forward-passes 2 0": "b7f51f692b3f",
    "forward-passes 3 0": "44456d8b4ed9",
    "forward-passes 4 0": "1f55ca817690",
    "forward-passes 4 1": "54ee009cfcff",
    "logits-shape 1 1": "aa8c4b2d9df4",
    "logits-shape 2 1": "43741bc6cdb6",
    "logits-shape 3 1": "58e32225edde",
    "logits-shape 4 1": "bc017fce20a6",
    "next-token-loss 1 0": "f3aa6f9b5c9f",
    "next-token-loss 2 0": "e833f29df6e9",
    "next-token-loss 3 0": "4a2c59a50b4f",
    "label-smoothing 1 0": "1377e5e245fe",
    "label-smoothing 2 0": "8dff2c1d7e6b",
    "label-smoothing 3 0": "79dabcb63ace",
    "sampling 1 0": "9f176b20abe2",
    "sampling 2 0": "4f6c4d7258c4",
    "sampling 3 0": "d728fc672ce3",
    "cross-output 1 0": "6404524071db",
    "cross-output 2 0": "1a0fa4ea1cd8",
    "cross-output 3 0": "96d3a3976d2c",
    "line-shape 1 0": "2f08e62b046d",
    "line-shape 2 0": "7f94a2c62ba8",
    "line-shape 3 0": "ee225cdd28d0",
    "line-shape 4 0": "67f9571e0da3",
    "spot-the-bug 1 0": "417a300a9489",
    "spot-the-bug 2 0": "7f129035d82a",
    "spot-the-bug 3 0": "24579bff1646",
    "head-dimension 1 0": "4aa3e0114247",
    "head-dimension 2 0": "a2ff914ce81f",
    "head-dimension 3 0": "b419f288c20e",
    "head-dimension 4 0": "d03ab4fe83c4",
    "head-dimension 4 1": "2c3afee09f82",
    "multi-head-output 1 0": "cfdb6b1bd36e",
    "multi-head-output 2 0": "b972aef4462c",
    "multi-head-output 3 0": "4b2aaa6c7f1a",
    "multi-head-parameters 1 0": "ebec4d75e54c",
    "multi-head-parameters 2 0": "3f0244f7aa3e",
    "multi-head-parameters 3 0": "03d444dcd541",
    "multi-head-parameters 4 0": "56bd92f069ff",
    "gqa-ratio 1 0": "2c95d3a3e87f",
    "gqa-ratio 2 0": "d80dcd45e77d",
    "gqa-ratio 3 0": "a0d869b2535e",
    "gqa-ratio 4 0": "cf264518ac91",
    "gqa-ratio 4 1": "580c396b5973",
    "decode-cost 1 1": "4c470a535101",
    "decode-cost 2 1": "093a8cfa24f9",
    "decode-cost 3 1": "78c585559cba",
    "decode-cost 4 1": "e87081839203",
    "online-softmax 1 0": "02c0a13bed46",
    "online-softmax 2 0": "a1c5cfd7a7bf",
    "online-softmax 3 0": "9f7a2910c70f",
    "flash-memory 1 1": "9f3bc55d07a3",
    "flash-memory 2 1": "3680a3b03a90",
    "flash-memory 3 1": "99f6cd442786",
    "flash-memory 4 1": "06018d415f0e",
    "padding-leak 1 0": "79984c745055",
    "padding-leak 2 0": "62945e39d40c",
    "padding-leak 3 0": "54ec1e5b2c9b",
    "mask-shape 1 1": "ca1bc2c0e405",
    "mask-shape 2 1": "edea587b08eb",
    "mask-shape 3 1": "83d424496e1c",
    "mask-shape 4 1": "97e74f4d8960",
    "padded-causal 1 0": "4f494f8c897e",
    "padded-causal 2 0": "571f7145ae50",
    "padded-causal 3 0": "62b02e464e67",
    "causal-row 1 0": "e01dfee989cc",
    "causal-row 2 0": "392a08c3e05a",
    "causal-row 3 0": "6e3935544a66",
    "causal-output 1 0": "3a299d318f34",
    "causal-output 2 0": "5c4ef90aeaee",
    "causal-output 3 0": "047e206e56f3",
    "causal-count 1 0": "b7f4d39d3bf3",
    "causal-count 2 0": "b9b23efc76fa",
    "causal-count 3 0": "12ea609f398d",
    "causal-count 4 0": "68abd4653278",
    "causal-count 4 1": "fd4a4d32df2e",
    "project-row 1 0": "c018c7337ae1",
    "project-row 2 0": "1320d7d94e76",
    "project-row 3 0": "303c2f9d1164",
    "qkv-shapes 1 0": "05f81154e24e",
    "qkv-shapes 2 0": "0d7631b47284",
    "qkv-shapes 3 0": "cbf5688e2c29",
    "qkv-shapes 4 0": "d1590f5e7eb2",
    "qkv-shapes 4 1": "8abd5e7a1c1d",
    "score-entry 1 0": "d7467e0e5fd5",
    "score-entry 2 0": "8f7b8ac17fc5",
    "score-entry 3 0": "859a4e0b85e6",
    "score-matrix 1 0": "693c138377eb",
    "score-matrix 2 0": "97c2fb964d42",
    "score-matrix 3 0": "e5b5216f5872",
    "scale-row 1 0": "64362399142a",
    "scale-row 2 0": "312badc073f3",
    "scale-row 3 0": "dccb0e74766c",
    "softmax-row 1 0": "e55761f7f220",
    "softmax-row 2 0": "dc9f15108f30",
    "softmax-row 3 0": "cff2faca25cd",
    "softmax-matrix 1 0": "e9a66908fe65",
    "softmax-matrix 2 0": "6e5ae273a96c",
    "softmax-matrix 3 0": "a2de7dee8b0e",
    "mix-row 1 0": "55335b7f0723",
    "mix-row 2 0": "09267578150c",
    "mix-row 3 0": "9ac44fe9c776",
    "attention-by-hand 1 0": "ad70e76c6a9e",
    "attention-by-hand 1 1": "5efc32cca536",
    "attention-by-hand 2 0": "c30b4bfd3b88",
    "attention-by-hand 2 1": "cf4d6ce12f2c",
    "attention-by-hand 3 0": "b3c37c75c322",
    "attention-output 1 0": "f78847d6be94",
    "attention-output 2 0": "ec73fcbd3ab1",
    "attention-output 3 0": "bced8a3e38b3",
    "concat-heads 1 0": "db117d0c8cb0",
    "concat-heads 2 0": "ee3572b1b309",
    "concat-heads 3 0": "d62a16c60d32",
    "head-shapes 1 1": "c34af7080381",
    "head-shapes 2 1": "e750cd4d78c3",
    "head-shapes 3 1": "bf0b798f8d4c",
    "head-shapes 4 1": "69ed520b1b64",
    "head-shapes 4 2": "ea074be9b43d",
    "kv-cache-bytes 1 0": "ee3e9906ea83",
    "kv-cache-bytes 2 0": "afb71eb8a492",
    "kv-cache-bytes 3 0": "d3dd75572332",
    "kv-cache-bytes 4 0": "8b08989a4204",
    "kv-cache-bytes 4 1": "d3bef3dc9ffb",
    "padding-row 1 0": "e8bc97ad75c2",
    "padding-row 2 0": "0d2a751d4edb",
    "padding-row 3 0": "9da856177f45",
    "causal-matrix 1 0": "3604bed6669a",
    "causal-matrix 2 0": "0353bda7f93d",
    "causal-matrix 3 0": "69138b1ba826",
    "cross-shapes 1 1": "828d23e9b6ca",
    "cross-shapes 2 1": "24ef0eb1371f",
    "cross-shapes 3 1": "09d15e87d775",
    "cross-shapes 4 1": "387f7fe7752f",
    "cross-shapes 4 2": "06b1a2347def",
    "layer-norm 1 0": "95b4bbfce1ef",
    "layer-norm 2 0": "2e501898d565",
    "layer-norm 3 0": "97d9d5a8af99",
    "path-length 1 0": "8356539a9967",
    "path-length 2 0": "4c998859c1b1",
    "path-length 3 0": "0603894c5c94",
    "receptive-field 1 0": "3a7233c37ae1",
    "receptive-field 2 0": "556d2fa8f802",
    "receptive-field 3 0": "9685eac485e9",
    "encoder-shape 1 1": "2c08125b3f7a",
    "encoder-shape 2 1": "74f0fd1ab0f7",
    "encoder-shape 3 1": "3a73e44079d6",
    "encoder-shape 4 1": "11e950926e4e",
    "encoder-parameters 1 0": "3b937eca7643",
    "encoder-parameters 2 0": "9e6f03cd0ced",
    "encoder-parameters 3 0": "dc087e5558f7",
    "encoder-parameters 4 0": "dddba4dc4311",
    "model-parameters 1 1": "b78233438a2c",
    "model-parameters 2 1": "6f536085b7ac",
    "model-parameters 3 1": "aeff236b5725",
    "model-parameters 4 1": "2535a563e47d",
    "sinusoid 1 0": "5c673cae2781",
    "sinusoid 2 0": "a86e145d1558",
    "sinusoid 3 0": "1c80bb822f18",
    "sinusoid 4 0": "bab9e15da1bf",
    "embedding-scale 1 0": "03d00ac602cf",
    "embedding-scale 2 0": "371fe1fd30a4",
    "embedding-scale 3 0": "8ed5481a2fb5",
    "embedding-scale 4 0": "2041d809cae4",
    "permute-output 1 0": "fadd96ba2c80",
    "permute-output 2 0": "cf910a5fab7c",
    "permute-output 3 0": "7d7e891140ef",
    "rope-rotate 1 0": "c37601fcda45",
    "rope-rotate 2 0": "6bd38475937b",
    "rope-rotate 3 0": "f74a53cacce0",
    "rope-relative 1 0": "bf8872d0cbaa",
    "rope-relative 2 0": "818bb09a859b",
    "rope-relative 3 0": "fdd8dce91915",
    "alibi-row 1 0": "0fe97988654d",
    "alibi-row 2 0": "f617ace96f9a",
    "alibi-row 3 0": "5688078f092a",
    "length-scaling 1 1": "c5e3d7818124",
    "length-scaling 1 2": "293a868eec61",
    "length-scaling 2 1": "05fdd5756b33",
    "length-scaling 3 1": "d724d330e3ca",
    "length-scaling 4 1": "7c1333cd8a6d",
    "attention-flops 1 1": "1e77e8c6f04e",
    "attention-flops 2 1": "467d2b2a0168",
    "attention-flops 3 1": "5971bab60e3d",
    "attention-flops 4 1": "3910ee318ab9",
    "crossover 1 0": "e679d6ede342",
    "crossover 2 0": "6ad890dd6698",
    "crossover 3 0": "bf7b25c3a7c5",
    "crossover 4 0": "09b754dd9418",
    "score-bytes 1 0": "a51ae9a1c32a",
    "score-bytes 2 0": "818cf771adbd",
    "score-bytes 3 0": "b6377ed1fb53",
    "score-bytes 4 0": "ae91a36d027f",
    "project-matrix 1 0": "012a5aab2e87",
    "project-matrix 2 0": "279bd82fee2b",
    "project-matrix 3 0": "6190fc8a722f",
    "self-product 1 0": "a7859f8e69f0",
    "self-product 2 0": "18d1b626e7db",
    "self-product 3 0": "6204305f04b6",
    "cross-weights 1 0": "01984de2afd2",
    "cross-weights 2 0": "754b77809faa",
    "cross-weights 3 0": "6adc1353a8b4",
    "additive-score 1 0": "0bac08599f1d",
    "additive-score 2 0": "6b5b22cd3eb7",
    "additive-score 3 0": "3d6b94e42de3",
    "score-cost 1 1": "9469adcdace6",
    "score-cost 2 1": "b8cfbff119a1",
    "score-cost 3 1": "0175617efb0b",
    "score-cost 4 1": "3c1e2ac61f34",
    "dot-variance 1 0": "9fcdd5dd3f21",
    "dot-variance 2 0": "3170ef1d7b7e",
    "dot-variance 3 0": "eb8d7b4834d5",
    "saturation 1 0": "15876e9a2d1d",
    "saturation 2 0": "1d378b20bc77",
    "saturation 3 0": "261b64b15c16",
    "stable-softmax 1 0": "97a52eb8e352",
    "stable-softmax 2 0": "e9a87fc25cb0",
    "stable-softmax 3 0": "20ee408888c1",
    "log-sum-exp 1 0": "33f53fb2fdb3",
    "log-sum-exp 2 0": "0485b50a7d90",
    "log-sum-exp 3 0": "44bfb33f81cc",
    "softmax-temperature 1 0": "03c57fb52ffe",
    "softmax-temperature 2 0": "2fbc008ac5ed",
    "softmax-temperature 3 0": "0412e5a25927",
    "softmax-jacobian 1 0": "632a1730a6e3",
    "softmax-jacobian 2 0": "bb4d075fd70c",
    "softmax-jacobian 3 0": "858411aa5931",
    "overflow 1 0": "2c9920f76f9c",
    "overflow 2 0": "b15c21a4a684",
    "overflow 3 0": "0f8f63b5ca0f",
    "output-shape 1 1": "48bd87cdf076",
    "output-shape 2 1": "4a102ff6bb89",
    "output-shape 3 1": "859943f400b6",
    "output-shape 4 1": "0e1de65b1bb6",
}


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_seeds_give_the_numbers_they_always_gave(drill: str, level: int) -> None:
    key = f"{drill} {level} {DRILLS[drill].revision_at(level)}"
    assert key in FINGERPRINTS, f"a new drill, level or revision: add {key!r}: {fingerprint(drill, level)!r}"
    assert fingerprint(drill, level) == FINGERPRINTS[key], (
        "these seeds give other numbers than before, and codes in use would mean another problem: give the drill another "
        "revision, and verify its seeds anew"
    )


REVISED = [(drill.id, one.level) for drill in DRILLS.values() for one in drill.revised]


@pytest.mark.parametrize(("drill", "level"), REVISED)
def test_codes_from_before_a_level_was_revised_give_the_same_problems(drill: str, level: int) -> None:
    first = DRILLS[drill].revision
    assert fingerprint(drill, level, revision=first) == FINGERPRINTS[f"{drill} {level} {first}"]
    code = write_code(drill, level, first, 3)
    assert problem(code).code == code != problem(drill, level, 3).code
    with pytest.raises(CodeError, match="belongs to another release"):
        problem(write_code(drill, level, "z", 3))


EVERYTHING = """
from tests.question_bank.test_problem import CASES, fingerprint
print(*(fingerprint(drill, level, 8) for drill, level in CASES))
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4294967295"])
def test_every_process_builds_the_same_problems(hash_seed: str) -> None:
    there = subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.split() == [fingerprint(drill, level, 8) for drill, level in CASES]


# From code to problem and back --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_a_code_rebuilds_its_problem(drill: str, level: int) -> None:
    for seed in (0, 1, 31, 32, 1023, 1024, 32**3, LARGEST_SEED):
        built = problem(drill, level, seed)
        assert (built.drill, built.level, built.seed) == (drill, level, seed)
        for code in (built.code, built.code.upper(), f"  {built.code}\n"):
            assert problem(code) == built


def test_the_first_level_and_the_first_seed_go_without_saying() -> None:
    assert problem("softmax-row", seed=3) == problem("softmax-row", 1, 3)
    assert problem("softmax-row", 2) == problem("softmax-row", 2, 0)
    assert problem(" Softmax-Row ", 2, 0) == problem("softmax-row", 2, 0)


def test_a_problem_can_be_a_key() -> None:
    built = problem("softmax-row", 1, 0)
    assert {built: 1}[problem(built.code)] == 1
    assert isinstance(built, Problem)


OTHER_REVISION = "z"
REFUSED = [
    ("softmax-row", "is not a problem code", "不是题目代码"),
    ("softmax-row.2", "is not a problem code", "不是题目代码"),
    ("", "is not a problem code", "不是题目代码"),
    ("softmax-row.2.006t", "is not a problem code", "不是题目代码"),
    ("softmax-row.1.006t8", "has a typo", "校验字符对不上"),  # one character wrong
    ("softmax-row.1.060t9", "has a typo", "校验字符对不上"),  # two swapped
    ("softmax-row.2.006t9", "has a typo", "校验字符对不上"),  # another level
    ("softmax-rwo.1.006t9", "Did you mean softmax-row?", "是不是想找 softmax-row"),
    (
        write_code("softmax-now", 1, "0", 5),
        "There is no drill “softmax-now”. Did you mean softmax-row?",
        "是不是想找 softmax-row？",
    ),
    (
        write_code("qqqq", 1, "0", 5),
        "There is no drill “qqqq”. “quizapp list drills” shows them all.",
        "没有名为“qqqq”的练习。",
    ),
    (write_code("softmax-row", 4, "0", 5), "softmax-row has levels 1, 2, 3, but no level 4.", "没有难度 4"),
    (write_code("softmax-row", 0, "0", 5), "but no level 0", "没有难度 0"),
    (write_code("softmax-row", 1, OTHER_REVISION, 5), "belongs to another release", "出自另一个版本"),
]


@pytest.mark.parametrize(("code", "en", "zh"), REFUSED)
def test_other_codes_are_refused_in_both_languages(code: str, en: str, zh: str) -> None:
    with pytest.raises(CodeError) as caught:
        problem(code)
    assert en in caught.value.message.en
    assert zh in caught.value.message.zh
    assert str(caught.value) == caught.value.message.en


@pytest.mark.parametrize(
    ("drill", "level", "seed", "en", "zh"),
    [
        ("softmax", 1, 0, "There is no drill “softmax”. Did you mean softmax-row?", "是不是想找 softmax-row？"),
        ("注意力", 1, 0, "There is no drill “注意力”", "没有名为“注意力”的练习"),
        ("softmax-row", 9, 0, "but no level 9", "没有难度 9"),
        ("softmax-row", -1, 0, "but no level -1", "没有难度 -1"),
        ("concat-heads", 4, 0, "has levels 1, 2, 3", "难度有 1、2、3"),
        (
            "softmax-row",
            1,
            -1,
            "A seed is a whole number from 0 to 1073741823; -1 is not.",
            "种子应是 0 到 1073741823 之间的整数",
        ),
        ("softmax-row", 1, LARGEST_SEED + 1, "1073741824 is not", "1073741824 不是"),
    ],
)
def test_what_is_not_there_is_refused(drill: str, level: int, seed: int, en: str, zh: str) -> None:
    with pytest.raises(CodeError) as caught:
        problem(drill, level, seed)
    assert en in caught.value.message.en
    assert zh in caught.value.message.zh


@given(st.text(max_size=80).filter(lambda text: text.strip().lower() not in DRILLS))
def test_any_other_text_is_no_drill(text: str) -> None:
    with pytest.raises(CodeError) as caught:
        find_drill(text)
    assert caught.value.message.zh
    assert len(caught.value.message.en) < 200


# Choosing among verified problems ------------------------------------------------------------------------------------------

CHOICES = ["-1", "1e3", "一百", str(2**70), "", " ", "0", "\x00", "👩‍🏫", "a" * 10_000, "None", "1", "01"]


@pytest.mark.parametrize("choice", CHOICES)
def test_any_text_chooses_a_verified_problem(choice: str) -> None:
    for drill, level in CASES:
        chosen = draw(drill, level, choice)
        assert chosen.seed in verified.seeds(drill, level)
        assert chosen == draw(drill, level, choice) == problem(chosen.code)


def test_different_texts_choose_differently() -> None:
    chosen = [draw("softmax-row", 3, str(number)).seed for number in range(300)]
    assert len(set(chosen)) > 200
    assert min(chosen) < 60
    assert max(chosen) > 960


def test_what_texts_choose_stays() -> None:
    assert [draw("softmax-row", 3, choice).code for choice in ("-1", "1e3", "一百", "")] == DRAWN


DRAWN = ["softmax-row.3.002fw", "softmax-row.3.00gxz", "softmax-row.3.00w1q", "softmax-row.3.00yqp"]


@pytest.mark.parametrize(("drill", "level"), [("softmax-row", 7), ("no-such-drill", 1)])
def test_drawing_from_what_is_not_there_is_refused(drill: str, level: int) -> None:
    with pytest.raises(CodeError):
        draw(drill, level, "x")
