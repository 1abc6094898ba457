"""Every drill: its sampler, its prompt and labels in both languages, and the seeds shipped with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from question_bank import Language, Problem, models, problem, verified
from question_bank.codes import ALPHABET
from question_bank.drills import DRILLS
from question_bank.drills.base import Draw, Drill
from question_bank.drills.language_model import IGNORED
from question_bank.exact import Expression, to_float
from question_bank.math import Formula, plain, segments
from question_bank.program import Asked, Kind, Shape, cells, from_json, shape_of, to_json
from question_bank.text import Text

CASES = [(drill.id, level) for drill in DRILLS.values() for level in drill.levels]
IN_THIS_RELEASE = {
    *("project-row", "score-entry", "score-matrix", "scale-row", "softmax-row", "softmax-matrix", "mix-row", "padding-row"),
    *("causal-matrix", "attention-output", "attention-by-hand", "concat-heads", "head-shapes", "cross-shapes", "qkv-shapes"),
    *("layer-norm", "kv-cache-bytes"),
}


def _problems(drill: str, level: int, count: int = 12) -> Iterator[Problem]:
    for seed in range(count):
        yield problem(drill, level, seed)


def test_the_drills_of_this_release_are_there() -> None:
    assert set(DRILLS) >= IN_THIS_RELEASE


@pytest.mark.parametrize("drill", DRILLS.values(), ids=list(DRILLS))
def test_a_drill_says_what_it_is(drill: Drill) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", drill.id)
    assert re.fullmatch(r"7\.[0-9]+", drill.section)
    assert len(drill.revision) == 1
    assert drill.revision in ALPHABET
    assert drill.levels == tuple(sorted(set(drill.levels)))
    assert set(drill.levels) <= {1, 2, 3, 4}
    for one in drill.revised:
        assert one.level in drill.levels
        assert one.revision in set(ALPHABET) - {drill.revision}
    assert drill.title.en
    assert drill.title.zh


def test_drills_come_in_the_order_of_the_course() -> None:
    sections = [tuple(map(int, drill.section.split("."))) for drill in DRILLS.values()]
    assert sections == sorted(sections)


# Prompts and labels ------------------------------------------------------------------------------------------------------

UNFILLED = re.compile(r"\{[a-z_]+\}")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
HALF_WIDTH_MARK = re.compile(r"[\u4e00-\u9fff] ?[,;:!?]|[\u4e00-\u9fff]\.(?![0-9])|\([^)]*[\u4e00-\u9fff]")


def _named(text: str) -> set[str]:
    """The symbols in the formulas of a sentence."""
    formulas = " ".join(part.latex for part in segments(text) if isinstance(part, Formula))
    return set(re.findall(r"\\[a-zA-Z]+|[A-Za-z]+(?:_\{?\w+\}?)?|[0-9]+", formulas))


def _is_well_written(text: Text, *, sentence: bool) -> None:
    for language in Language:
        shown = plain(text[language])
        assert shown.strip(), text
        assert not re.search(r"[{}$\\]", shown), shown
        outside = re.sub(r"\$[^$]*\$", "", text[language])
        assert not UNFILLED.search(outside), text
        assert "  " not in text[language]
    assert not CHINESE.search(text.en)
    assert not HALF_WIDTH_MARK.search(re.sub(r"\$[^$]*\$", "x", text.zh)), text.zh
    if sentence:
        assert text.en[0].isupper() or text.en[0] == "$"
        assert text.en[-1] in ".?"
        assert text.zh[-1] in "。？"
        assert CHINESE.search(text.zh)
    assert _named(text.en) == _named(text.zh), "both languages name the same things"


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_prompts_and_labels_are_whole_in_both_languages(drill: str, level: int) -> None:
    for drawn in _problems(drill, level):
        _is_well_written(drawn.prompt, sentence=True)
        for ask in drawn.program.asks:
            assert ask.label is not None
            _is_well_written(ask.label, sentence=False)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_a_prompt_names_what_is_asked(drill: str, level: int) -> None:
    for drawn in _problems(drill, level):
        for language in Language:
            said = plain(drawn.prompt[language])
            for ask in drawn.program.asks:
                assert ask.label is not None
                if ask.asked is Asked.VALUE and ask.format.kind is not Kind.BYTES:
                    # z is the one thing to be computed from s; the label names it
                    named = (
                        plain(f"${ask.node}$") in said
                        or plain(ask.label.en) in said
                        or drill == "scale-row"
                        or ask.node in ("p", "y", "Y")
                        or ask.format.kind is Kind.LINE
                    )
                    assert named, (said, ask.node)
                for index in ask.index:
                    assert str(index + 1) in said, (said, ask.index)


DIGITS = {"softmax-row", "softmax-matrix", "scale-row", "padding-row", "causal-matrix", "layer-norm", "attention-output"}
DIGITS |= {"attention-by-hand", "length-scaling"}


@pytest.mark.parametrize(("drill", "level"), [case for case in CASES if case[0] in DIGITS])
def test_a_prompt_says_how_many_decimals(drill: str, level: int) -> None:
    for drawn in _problems(drill, level, 3):
        digits = max(ask.format.decimals or 0 for ask in drawn.program.asks)
        assert f"to {digits} decimals" in drawn.prompt.en
        assert f"保留 {digits} 位小数" in drawn.prompt.zh


CONVENTIONS = [
    ("self-product", 1, "nothing is projected", "不做投影"),
    ("sinusoid", 1, "in radians", "弧度"),
    ("sinusoid", 1, "counted from 0", "从 0 数起"),
    ("cross-weights", 1, "are symmetric", "是对称的"),
    ("additive-score", 2, "weights multiply on the right", "权重右乘"),
    ("score-cost", 1, "projected only once", "只投影一次"),
    ("score-cost", 1, "Count multiplications alone", "只数乘法"),
    ("dot-variance", 1, "are independent", "相互独立"),
    ("saturation", 1, "as it is", "不缩放"),
    ("overflow", 1, "No maximum is subtracted", "不减最大值"),
    ("output-shape", 1, "tokens before width", "token 数在前"),
    # drill, level, what the prompt has to say in either language
    ("layer-norm", 1, "biased", "有偏方差"),
    ("layer-norm", 1, "\\varepsilon = 0", "\\varepsilon = 0"),
    ("layer-norm", 3, "10^{-5}", "10^{-5}"),
    ("layer-norm", 2, "the biased variance", "有偏方差"),
    ("layer-norm", 3, "the biased variance", "有偏方差"),
    ("crossover", 1, "A mask, if any, saves nothing", "有无 mask 都按全量计算"),
    ("encoder-parameters", 4, "A layer of ", "的一层包括"),
    ("kv-cache-bytes", 1, "GiB is $2^{30}$", "GiB 是 $2^{30}$"),
    ("padding-row", 1, "real (1)", "真实 token（1）"),
    ("causal-matrix", 1, "may attend to tokens 1 to $i$", "只能看第 1 到第 $i$ 个"),
    ("qkv-shapes", 1, "multiply on the right", "权重矩阵右乘"),
    ("head-shapes", 1, "the head axis comes before the sequence", "head 维排在序列维之前"),
    ("cross-shapes", 2, "the head axis comes before the sequence", "head 维排在序列维之前"),
    ("score-matrix", 1, "unscaled", "不做缩放"),
    ("attention-by-hand", 1, "slip counts only once", "只扣一次分"),
    ("batch-norm", 1, "as in training", "按训练模式"),
    ("batch-norm", 3, "biased variance", "有偏方差"),
    ("rms-norm", 3, "10^{-5}", "10^{-5}"),
    ("norm-order", 2, "biased variance", "有偏方差"),
    ("next-token-loss", 1, "numbered from 1", "从 1 编起"),
    ("next-token-loss", 2, "is ignored", "表示忽略"),
    ("next-token-loss", 3, "which predict the next token", "用来预测下一个 token"),
    ("forward-passes", 1, "(prefill) counts", "（prefill）也算"),
    ("logits-shape", 1, "multiplies on the right", "右乘"),
    ("noam-rate", 1, "steps count from 1", "步数从 1 数起"),
    ("noam-rate", 4, "steps count from 1", "步数从 1 数起"),
    ("dropout-scale", 1, "probability of being dropped", "丢弃概率"),
    ("label-smoothing", 1, "is spread evenly over", "平分"),
    ("cross-output", 1, "without scaling", "不缩放"),
    ("cross-output", 2, "multiply on the right", "权重矩阵右乘"),
]


@pytest.mark.parametrize(("drill", "level", "en", "zh"), CONVENTIONS)
def test_conventions_are_said(drill: str, level: int, en: str, zh: str) -> None:
    for drawn in _problems(drill, level):
        assert en in drawn.prompt.en
        assert zh in drawn.prompt.zh


# Programs ----------------------------------------------------------------------------------------------------------------


FAR_OFF = {"stable-softmax", "log-sum-exp"}
"""Where scores are so large that their exponentials overflow: that is what is drilled."""


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_programs_are_exact_small_and_plain_data(drill: str, level: int) -> None:
    for drawn in _problems(drill, level):
        program = drawn.program
        assert from_json(to_json(program)) == program
        known = set(program.values)
        for line in program.calls:
            assert set(line.arguments) <= known, "each line uses what is there already"
            known.add(line.node)
        needed = {line.node for line in program.needed(*(ask.node for ask in program.asks))}
        assert needed, "something has to be computed"
        for name, value in program.inputs:
            if isinstance(value, Shape):
                assert min(value.dimensions) >= 1
                continue
            shape_of(value)
            for _, number in cells(value):
                assert not isinstance(number, float)
                if isinstance(value, tuple) and number != IGNORED:  # a number by itself may be a size or a length
                    assert abs(to_float(number)) <= (2010 if drill in FAR_OFF else 40), (name, number)
        for ask in program.asks:
            assert ask.node in needed
            kind = ask.format.kind
            assert (ask.asked is Asked.SHAPE) == (kind in (Kind.SHAPE, Kind.NAMED_SHAPE))
            said = ask.format.decimals is not None or ask.format.significant is not None
            assert kind in (Kind.SHAPE, Kind.NAMED_SHAPE, Kind.ORDER, Kind.BYTES) or said
            if kind is Kind.NAMED_SHAPE:  # each size has one letter, and each letter one size
                assert len(ask.format.symbols) == len(ask.format.sizes) == len(set(ask.format.sizes))
            if kind is Kind.ORDER:
                assert set(ask.format.symbols) <= set(program.values)
            if kind is Kind.VECTOR:
                assert ask.format.dimensions is not None
                assert len(ask.format.dimensions) == 1
            if kind is Kind.MATRIX:
                assert ask.format.dimensions is not None
                assert len(ask.format.dimensions) == 2


def test_level_1_of_softmax_is_of_logarithms() -> None:
    for drawn in _problems("softmax-row", 1):
        for _, number in cells(drawn.program.values["z"]):  # type: ignore[arg-type]
            assert number == 0 or (isinstance(number, Expression) and number.operator == "ln")


SYMBOLIC = {
    Kind.NAMED_SHAPE: {
        *("qkv-shapes", "head-shapes", "cross-shapes", "encoder-shape", "output-shape", "logits-shape", "mask-shape"),
    },
    Kind.ORDER: {"length-scaling", "attention-flops", "score-cost", "flash-memory", "decode-cost"},
}


@pytest.mark.parametrize("kind", SYMBOLIC)
def test_letters_are_asked_for_where_an_interviewer_would(kind: Kind) -> None:
    asked = {
        drill
        for drill, level in CASES
        for drawn in _problems(drill, level)
        for ask in drawn.program.asks
        if ask.format.kind is kind
    }
    assert asked == SYMBOLIC[kind]


@pytest.mark.parametrize("drill", sorted(set().union(*SYMBOLIC.values())))
def test_a_prompt_says_what_is_to_be_written_in_letters(drill: str) -> None:
    for drawn in _problems(drill, 2, 30):
        kinds = {ask.format.kind for ask in drawn.program.asks}
        letters = "in letters" in drawn.prompt.en or "with these letters" in drawn.prompt.en
        assert (Kind.NAMED_SHAPE in kinds) == letters == ("字母" in drawn.prompt.zh)
        assert (Kind.ORDER in kinds) == ("big $O$" in drawn.prompt.en) == ("大 $O$ 记号" in drawn.prompt.zh)


def test_a_published_vocabulary_is_changed_as_it_is_in_practice() -> None:
    changed = 0
    for drawn in _problems("model-parameters", 4, 60):
        model = next(one for one in models.MODELS if f" {one.name}" in drawn.prompt.en)
        size = drawn.program.values["V"]
        assert isinstance(size, int)
        padded = re.search(r"vocabulary of (\d+) padded to a multiple of (\d+)", drawn.prompt.en)
        added = re.search(r"with (\d+) special tokens? added to its vocabulary of (\d+)", drawn.prompt.en)
        if padded:
            assert int(padded[1]) == model.vocabulary < size < model.vocabulary + int(padded[2])
            assert size % int(padded[2]) == 0
            assert f"由 {padded[1]} 补齐到 {padded[2]} 的倍数" in drawn.prompt.zh
        elif added:
            assert size == int(added[2]) + int(added[1]) == model.vocabulary + int(added[1])
            assert f"新增了 {added[1]} 个特殊 token" in drawn.prompt.zh
        else:
            assert size == model.vocabulary
        changed += size != model.vocabulary
    assert changed > 20


def _published(model: models.Model) -> dict[str, int]:
    """The sizes of a model under the names that problems give them."""
    return {
        "d_model": model.d_model, "h": model.heads, "h_kv": model.kv_heads, "d_head": model.d_head, "d_ff": model.d_ff,
        "L": model.layers, "P": model.context, "V": model.vocabulary,
    }  # fmt: skip


NAMED = (
    *("crossover", "qkv-shapes", "head-shapes", "cross-shapes", "line-shape", "causal-count", "forward-passes"),
    *("head-dimension", "model-parameters", "gqa-ratio", "multi-head-parameters", "encoder-parameters", "ffn-parameters"),
    "kv-cache-bytes",
)
"""Drills of which level 4 is about a published model."""


@pytest.mark.parametrize("drill", NAMED)
def test_a_model_that_is_named_has_its_published_sizes_or_is_called_a_variant(drill: str) -> None:
    as_published = 0
    for drawn in _problems(drill, 4, 40):
        named = [model for model in models.MODELS if model.name in drawn.prompt.en]
        model = max(named, key=lambda one: len(one.name))
        assert model.name in drawn.prompt.zh
        values = {name: value for name, value in drawn.program.inputs if isinstance(value, int)}
        if drill == "forward-passes":
            assert values["P"] + values["n"] <= model.context
            del values["P"]  # here it is the prompt
        for length in ("S", "S_k"):
            assert values.get(length, 0) <= model.context
        sizes = _published(model)
        variant = "ariant of" in drawn.prompt.en and drill != "head-dimension"  # there a second model is the variant
        assert variant == ("变体" in drawn.prompt.zh and drill != "head-dimension")
        if not variant:
            assert {name: value for name, value in values.items() if value != sizes.get(name, value)} == {}
            as_published += 1
    assert as_published


def test_head_counts_divide() -> None:
    for drill in ("head-shapes", "cross-shapes"):
        for level in DRILLS[drill].levels:
            for drawn in _problems(drill, level, 40):
                values = drawn.program.values
                if "h" in values:
                    assert values["d_model"] % values["h"] == 0  # type: ignore[operator]
    for drawn in _problems("kv-cache-bytes", 4, 40):
        values = drawn.program.values
        assert values["h"] % values["h_kv"] == 0  # type: ignore[operator]


# Draws -------------------------------------------------------------------------------------------------------------------


def test_draws_stay_what_they_were() -> None:
    """``Random.random`` alone is promised by Python to stay; everything else is made of it here."""
    draw = Draw("softmax-row 1 0 0")
    assert [draw.integer(-3, 3) for _ in range(12)] == DRAWN_INTEGERS
    draw = Draw("another")
    assert "".join(draw.shuffled("abcdefgh")) == DRAWN_ORDER


DRAWN_INTEGERS = [2, 2, -2, -2, -1, 3, 1, 1, 1, 3, 3, -2]
DRAWN_ORDER = "hdfgeabc"


def test_draws_reach_both_ends_and_nothing_beyond() -> None:
    draw = Draw("ends")
    assert {draw.integer(-2, 2) for _ in range(500)} == {-2, -1, 0, 1, 2}
    assert {draw.choice("abc") for _ in range(200)} == set("abc")
    assert {draw.shuffled("ab") for _ in range(50)} == {("a", "b"), ("b", "a")}
    assert draw.integer(7, 7) == 7
    for _ in range(50):
        matrix = draw.asymmetric(2, 0, 1)
        assert matrix != tuple(zip(*matrix, strict=True))


def test_a_draw_that_is_never_accepted_ends() -> None:
    made: list[int] = []
    draw = Draw("never")
    draw.until(lambda: made.append(1) or len(made), lambda _: False)  # type: ignore[func-returns-value]
    assert len(made) == 40


# Seeds that are shipped ---------------------------------------------------------------------------------------------------

LEAST_SEEDS = 150
AIM = 200


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_enough_seeds_are_shipped(drill: str, level: int) -> None:
    seeds = verified.seeds(drill, level)
    assert len(seeds) == len(set(seeds)) >= LEAST_SEEDS
    assert list(seeds) == sorted(seeds)
    assert 0 <= seeds[0] <= seeds[-1] < verified.SEEDS == 1024


def test_nearly_every_level_has_two_hundred() -> None:
    assert sum(len(verified.seeds(drill, level)) < AIM for drill, level in CASES) <= 1


@pytest.mark.parametrize("drill", DRILLS.values(), ids=list(DRILLS))
def test_the_shipped_seeds_are_of_this_revision(drill: Drill) -> None:
    """A sampler that is changed gets another revision, and its seeds are verified anew."""
    record = verified._record(drill.id)
    assert {int(level) for level in record} == set(drill.levels)
    assert {level: one["revision"] for level, one in record.items()} == {
        str(level): drill.revision_at(level) for level in drill.levels
    }


def test_nothing_else_is_shipped() -> None:
    shipped = {path.name.removesuffix(".json") for path in files(verified).iterdir() if path.name.endswith(".json")}
    assert shipped == set(DRILLS)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_no_two_problems_offered_are_alike(drill: str, level: int) -> None:
    seeds = verified.seeds(drill, level)
    programs = {problem(drill, level, seed).program for seed in seeds[:60]}
    assert len(programs) == len(seeds[:60])


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_equal_pairs_are_of_this_drills_parts(drill: str, level: int) -> None:
    parts = len(problem(drill, level, 0).program.asks)
    for pair in verified.equal(drill, level):
        assert len(pair) == 2
        numbers = {int(name.rpartition("/")[2]) for name in pair}
        assert len(numbers) == 1, pair
        assert numbers <= set(range(parts)), pair
