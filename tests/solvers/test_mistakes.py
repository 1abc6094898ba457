"""Each catalogued mistake is recognised by the answer it gives, and named with the number that it produces."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest

from question_bank import Problem, verified
from question_bank.math import plain
from question_bank.program import AnswerFormat, Ask, Asked, Kind, Program, call
from question_bank.text import Text
from solvers import run
from solvers.display import show
from solvers.grading import grade
from solvers.mistakes import slips
from solvers.operations import OPERATIONS
from solvers.verdict import Outcome, PartVerdict
from tests.solvers import spellings
from tests.solvers.drawn import CASES, MANY, Plausible, drawn, plausible, with_part

RECOGNISED = {
    "spot-the-bug": "first_difference.later first_difference.before first_difference.sound ask.without-the-mistake "
    "scale.not-scaled scale.by-d_k scores.transposed softmax.base-2 softmax.columns mix.arg-max ask.other-row",
    "line-shape": "scores.sources-swapped scores.square split_heads.no-transpose split_heads.undivided split_heads.swapped "
    "split_heads.forgotten split_heads.query-heads repeat_heads.forgotten repeat_heads.kv-heads repeat_heads.times-h "
    "concat_heads.forgotten",
    "head-dimension": "head_dimension.undivided head_dimension.multiplied head_dimension.one-head head_dimension.fused "
    "head_dimension.query-heads head_dimension.kv-heads",
    "multi-head-output": "project.transposed-weight output_projection.averaged output_projection.added "
    "output_projection.forgotten concat_heads.interleaved concat_heads.reversed mix.arg-max",
    "multi-head-parameters": "attention_parameters.no-output attention_parameters.times-heads attention_parameters.shared "
    "attention_parameters.narrow-output attention_parameters.biases attention_parameters.no-biases "
    "attention_parameters.query-heads attention_parameters.head-width",
    "gqa-ratio": "gqa_ratio.inverse gqa_ratio.saved gqa_ratio.cache gqa_ratio.parameters kv_cache_bytes.query-heads "
    "head_dimension.undivided attention_parameters.no-output attention_parameters.query-heads",
    "decode-cost": "decode_dot_products.no-cache decode_dot_products.cache decode_dot_products.short "
    "decode_dot_products.causal decode_dot_products.whole decode_dot_products.one-head decode_dot_products.one-layer "
    "decode_dot_products.kv-heads causal_count.aligned-left causal_count.diagonal",
    "online-softmax": "merge_blocks.not-rescaled merge_blocks.averaged merge_blocks.larger-only merge_blocks.sums "
    "merge_blocks.averages merge_blocks.swapped",
    "flash-memory": "score_elements.one-head score_elements.one-sequence score_elements.rows row_statistics.whole-matrix "
    "row_statistics.one-of-two row_statistics.two-for-one row_statistics.one-head row_statistics.one-sequence "
    "score_bytes.bits score_bytes.element-size length_factor.linear length_factor.quadratic length_factor.inverse",
    "padding-leak": "padding_share.real padding_share.one padding_share.ratio padding_share.positions softmax.no-exponential "
    "softmax.base-2 softmax.not-normalised",
    "mask-shape": "mask_view.queries mask_view.no-heads mask_view.pairs mask_view.whole mask_view.batch "
    "mask_view.as-it-is join_masks.first",
    "padded-causal": "padding_mask.zero padding_mask.inverted padding_mask.forgotten causal_mask.strict causal_mask.lower "
    "causal_mask.after-softmax causal_mask.zero causal_mask.forgotten softmax.columns softmax.base-2",
    "causal-row": "causal_mask.strict causal_mask.lower causal_mask.after-softmax causal_mask.zero causal_mask.forgotten "
    "causal_mask.aligned-left softmax.columns softmax.base-2 ask.other-row",
    "causal-output": "causal_mask.strict causal_mask.lower causal_mask.after-softmax causal_mask.zero causal_mask.forgotten "
    "scale.not-scaled scale.by-d_k scores.transposed mix.column-of-weights mix.keys-for-values",
    "causal-count": "causal_count.diagonal causal_count.whole causal_count.other causal_count.kept causal_count.aligned-left "
    "total.left-out",
    "project-matrix": "project.transposed-weight project.wrong-weight",
    "self-product": "self_product.columns self_product.no-transpose self_product.diagonal symmetric.of-the-scores "
    "symmetric.denied",
    "cross-weights": "softmax.across softmax.no-exponential softmax.base-2 softmax.whole",
    "additive-score": "additive_scores.no-tanh additive_scores.product additive_scores.tanh-apart "
    "additive_scores.tanh-outside project.transposed-weight project.wrong-weight",
    "score-cost": "dot_multiplications.pairs dot_multiplications.operations dot_multiplications.one-query "
    "additive_multiplications.per-pair additive_multiplications.no-projections additive_multiplications.no-v "
    "additive_multiplications.one-projection additive_multiplications.operations dot_multiplications.one-head "
    "dot_multiplications.whole-width additive_multiplications.one-head additive_multiplications.whole-width",
    "dot-variance": "dot_variance.swapped dot_variance.square dot_variance.not-scaled dot_variance.divided-once "
    "dot_variance.deviations",
    "saturation": "largest.scaled largest.smallest scale.not-scaled scale.by-d_k scale.times-root softmax.base-2",
    "stable-softmax": "shift.minimum shift.reversed shift.forgotten exponentials.unshifted exponentials.base-2 "
    "row_sum.unshifted row_sum.without-largest",
    "log-sum-exp": "log_sum_exp.max log_sum_exp.sum-of-logs log_sum_exp.no-exponential log_sum_exp.no-logarithm "
    "log_sum_exp.mean log_sum_exp.not-added-back log_sum_exp.base-2",
    "softmax-temperature": "temperature.times temperature.forgotten temperature.after-softmax softmax.base-2",
    "softmax-jacobian": "softmax_jacobian.sign softmax_jacobian.constant-sum softmax_jacobian.beside-on "
    "softmax_jacobian.on-beside softmax.not-normalised",
    "overflow": "largest_score.other-type largest_score.log-2 largest_score.log-10 largest_score.one-term "
    "largest_score.not-scaled largest_score.divided",
    "output-shape": "mix.keys-for-values mix.weights-alone mix.values-alone scores.transposed scores.square "
    "split_heads.forgotten split_heads.swapped concat_heads.forgotten concat_heads.summed",
    "path-length": "path_steps.one-off path_steps.dilated path_steps.not-dilated path_steps.whole-kernel",
    "receptive-field": "receptive_layers.by-k receptive_layers.not-rounded-up",
    "length-scaling": "length_factor.linear length_factor.quadratic length_factor.exponential length_factor.inverse "
    "growth.all-quadratic growth.all-linear growth.inverse",
    "attention-flops": "attention_flops.factor-2 attention_flops.twice attention_flops.heads-twice attention_flops.no-output",
    "encoder-shape": "project.left-wide split_heads.forgotten split_heads.no-transpose split_heads.swapped "
    "concat_heads.forgotten",
    "encoder-parameters": "layer_parameters.biases layer_parameters.no-biases layer_parameters.no-norms "
    "layer_parameters.no-output layer_parameters.one-layer",
    "model-parameters": "embedding_parameters.twice embedding_parameters.once embedding_parameters.no-positions "
    "model_parameters.no-norms model_parameters.no-last-norm model_parameters.one-layer model_parameters.no-embeddings "
    "attention_parameters.no-biases attention_parameters.query-heads ffn_parameters.two-matrices",
    "sinusoid": "sinusoid.swapped sinusoid.exponent-i sinusoid.factor-2 sinusoid.degrees sinusoid.halves sinusoid.alternating",
    "embedding-scale": "embedding_scale.divided embedding_scale.whole embedding_scale.not-scaled "
    "embedding_scale.added-first add.left-out",
    "permute-output": "permute_rows.unchanged permute_rows.columns permute_rows.inverse",
    "rope-rotate": "rotate.wrong-sign rotate.degrees rotate.same-angle rotate.halves rotate.neighbours",
    "rope-relative": "rotate.left-out rotate.forgotten rotate.wrong-sign rotate.degrees rotate.same-angle rotate.halves "
    "rotate.neighbours",
    "alibi-row": "alibi.sign alibi.from-one alibi.forgotten alibi.later-kept alibi_slope.from-zero",
    "crossover": "crossover.heads crossover.no-ffn crossover.bare crossover.two-matrices crossover.three-matrices",
    "score-bytes": "score_bytes.one-head score_bytes.one-sequence score_bytes.bits score_bytes.element-size "
    "score_bytes.one-layer score_bytes.decimal-unit",
    "residual-gradient": "residual_chain.one-plus-product residual_chain.sum residual_chain.one residual_chain.no-residual "
    "residual_chain.residual residual_gradient.one-plus-power residual_gradient.no-residual "
    "residual_gradient.sum",
    "residual-add": "residual_add.concatenated residual_add.branch-alone residual_add.first-input "
    "project.transposed-weight project.wrong-weight",
    "leak": "influence.residual-leaks influence.masks-undo influence.turned-round influence.own-only "
    "influence.one-layer-less how_many.others",
    "batch-norm": "batch_norm.over-the-row batch_norm.unbiased batch_norm.by-variance batch_norm.not-divided "
    "batch_norm.no-affine batch_norm.no-gamma batch_norm.no-beta batch_norm.not-centred ask.other-row",
    "rms-norm": "rms_norm.mean-subtracted rms_norm.sum rms_norm.no-root rms_norm.no-gamma ask.other-row",
    "norm-order": "layer_norm.order layer_norm.on-the-branch layer_norm.left-out layer_norm.unbiased residual_add.branch-alone "
    "residual_add.concatenated activation.left-out activation.absolute",
    "ffn-row": "activation.left-out activation.after-second activation.absolute add.left-out gate.added gate.other-branch "
    "gate.left-out project.wrong-weight activation.sigmoid activation.relu ask.other-row",
    "ffn-parameters": "ffn_parameters.two-matrices ffn_parameters.three-matrices ffn_parameters.biases "
    "ffn_parameters.one-layer",
    "activation": "activation.left-out activation.absolute activation.negative-part activation.sigmoid activation.normal "
    "activation.quick activation.silu activation.relu gate.added gate.left-out",
    "noam-rate": "noam_rate.maximum noam_rate.warmup-power noam_rate.no-width noam_rate.whole-width noam_peak.first "
    "noam_peak.after noam_peak.given-step",
    "cosine-rate": "cosine_rate.degrees cosine_rate.no-floor cosine_rate.from-the-start cosine_rate.straight "
    "cosine_rate.floor-on-top cosine_rate.rising cosine_rate.whole-period cosine_rate.no-warmup cosine_rate.from-the-floor",
    "dropout-scale": "dropout.not-rescaled dropout.divided-by-p dropout.multiplied dropout.rescaled-at-test "
    "dropout.rescaled-twice dropout.dropped-at-test",
    "label-smoothing": "label_smoothing.over-others label_smoothing.over-all label_smoothing.not-shared "
    "label_smoothing.target-without-share cross_entropy.log-2 cross_entropy.sign cross_entropy.one-hot",
    "next-token-loss": "cross_entropy.log-2 cross_entropy.sum cross_entropy.not-shifted cross_entropy.ignored-in-mean "
    "cross_entropy.sign perplexity.base-2",
    "forward-passes": "forward_passes.training forward_passes.generation forward_passes.prefill-on-top "
    "forward_passes.cache forward_passes.no-cache",
    "logits-shape": "logits.width logits.last-only logits.all-positions logits.no-batch",
    "sampling": "top_k.not-renormalised top_k.softmax top_k.smallest top_p.not-renormalised top_p.crossing-dropped "
    "temperature.times temperature.forgotten softmax.no-exponential",
    "cross-output": "scores.sources-swapped softmax.columns project.transposed-weight scale.not-scaled mix.arg-max "
    "ask.other-row",
    "project-row": "project.transposed-weight project.wrong-weight ask.other-row",
    "qkv-shapes": "weight.transposed weight.value-width weight.key-width",
    "score-entry": "scores.transposed scores.columns scores.square scores.no-transpose",
    "score-matrix": "scores.transposed scores.columns scores.square scores.no-transpose",
    "scale-row": "scale.by-d_k scale.times-root scale.root-d_model scale.not-scaled",
    "softmax-row": "softmax.no-exponential softmax.base-2 softmax.sigmoid softmax.not-normalised",
    "softmax-matrix": "softmax.no-exponential softmax.base-2 softmax.sigmoid softmax.not-normalised softmax.columns "
    "softmax.whole",
    "mix-row": "mix.column-of-weights mix.arg-max mix.keys-for-values ask.other-row",
    "padding-row": "padding_mask.after-softmax padding_mask.zero padding_mask.forgotten padding_mask.inverted "
    "softmax.base-2 softmax.not-normalised softmax.columns ask.other-row",
    "causal-matrix": "causal_mask.strict causal_mask.lower causal_mask.after-softmax causal_mask.zero causal_mask.forgotten "
    "softmax.columns softmax.base-2",
    "attention-output": "scale.not-scaled scale.by-d_k softmax.columns mix.keys-for-values scores.transposed softmax.base-2 "
    "mix.column-of-weights",
    "attention-by-hand": "project.transposed-weight project.wrong-weight scores.transposed scores.columns scale.by-d_k "
    "scale.times-root scale.not-scaled softmax.columns softmax.base-2 softmax.no-exponential softmax.sigmoid "
    "softmax.not-normalised softmax.whole mix.column-of-weights mix.arg-max mix.keys-for-values",
    "concat-heads": "concat_heads.interleaved concat_heads.summed concat_heads.averaged concat_heads.reversed",
    "head-shapes": "split_heads.no-transpose split_heads.swapped split_heads.undivided split_heads.forgotten "
    "split_heads.query-heads repeat_heads.kv-heads head_dimension.query-heads concat_heads.forgotten concat_heads.summed",
    "cross-shapes": "scores.sources-swapped scores.square scores.square-of-keys split_heads.undivided "
    "concat_heads.forgotten weight.transposed project.own-states",
    "layer-norm": "layer_norm.unbiased layer_norm.by-variance layer_norm.not-divided layer_norm.no-affine "
    "layer_norm.no-gamma layer_norm.no-beta layer_norm.not-centred layer_norm.root-mean-square layer_norm.gamma-first "
    "layer_norm.batch ask.other-row",
    "kv-cache-bytes": "kv_cache_bytes.keys-only kv_cache_bytes.query-heads kv_cache_bytes.one-layer "
    "kv_cache_bytes.one-sequence kv_cache_bytes.whole-length kv_cache_bytes.bits head_dimension.undivided",
}
"""Mistakes that each drill must recognise, at one of its levels at least."""


class Ties:
    """Which mistakes of a drill and level can't be told apart in principle."""

    def __init__(self, drill: str, level: int) -> None:
        self._pairs = {frozenset(re.sub(r"#\d+", "", name) for name in pair) for pair in verified.equal(drill, level)}

    def with_right(self, mistake: Plausible) -> bool:
        return frozenset((f"right/{mistake.part}", mistake.name)) in self._pairs

    def between(self, mistake: Plausible, named: str | None) -> bool:
        others = [name for pair in self._pairs if mistake.name in pair for name in pair - {mistake.name}]
        return any(name.partition("@")[0] == named for name in others)


def _examine(problem: Problem, ties: Ties) -> Counter[str]:
    named: Counter[str] = Counter()
    mistakes = list(plausible(problem))
    for mistake in mistakes:
        verdict = grade(problem, with_part(problem, mistake.part, mistake.typed))
        part = verdict.parts[mistake.part]
        where = (problem.code, mistake.name, mistake.typed, part)
        if ties.with_right(mistake):
            assert part.outcome is Outcome.RIGHT, where
            continue
        assert part.outcome is Outcome.KNOWN_MISTAKE, where
        assert verdict.outcome is Outcome.KNOWN_MISTAKE, where
        assert verdict.marks == verdict.possible - 1, where
        if part.mistake != mistake.slip.mistake:
            assert ties.between(mistake, part.mistake), where
            continue
        assert verdict.mistake == mistake.slip.mistake
        named[mistake.slip.mistake] += 1
        # A mistake made in several lines at once may be shown in any of them.
        same = [other for other in mistakes if (other.part, other.typed) == (mistake.part, mistake.typed)]
        _reads_well(part, mistake, [other for other in same if other.slip.sentence == mistake.slip.sentence], where)
    return named


def _reads_well(part: PartVerdict, mistake: Plausible, same: list[Plausible], where: object) -> None:
    sentence = mistake.slip.sentence
    assert part.message.en.startswith(sentence.en), where
    assert part.message.zh.startswith(sentence.zh), where
    assert part.message.en.endswith("."), where
    assert part.message.zh.endswith("。"), where
    for shown in (plain(part.message.en), plain(part.message.zh)):
        assert "{" not in shown, where
        assert "$" not in shown, where
    for message, named in ((part.message.en, sentence.en), (part.message.zh, sentence.zh)):
        assert any(_holds_the_number(message.removeprefix(named), other) for other in same), where


NUMBERS = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?|inf|nan)")


MOVED = ("after-softmax", "after-second", "order", "added-first")
"""Mistakes that move a line to another's place: the number is looked for there."""


def _node(mistake: Plausible) -> str:
    """The node that went wrong; of a line that was moved to the place of another one of the problem's, that one."""
    operation, _, name = mistake.slip.mistake.partition(".")
    if name in MOVED:
        edited = mistake.slip.program
        for line in edited.needed(edited.asks[0].node):
            if line.operation == operation and " " not in line.node:  # the edit's own nodes have blanks in their names
                return line.node
    return mistake.slip.node


def _holds_the_number(rest: str, mistake: Plausible) -> bool:
    """Whether the message ends with the value that comes out of the step that went wrong."""
    if mistake.ask.format.kind in (Kind.YES_NO, Kind.LINE):
        return rest in (".", "。")
    node = _node(mistake)
    if mistake.ask.format.kind is Kind.ORDER or (mistake.ask.format.kind is Kind.BYTES and node == mistake.ask.node):
        return mistake.typed in rest
    tensor = mistake.scenario.environment[node]
    given = mistake.slip.program.asks[0].index
    if mistake.ask.format.kind is Kind.NAMED_SHAPE:
        return show(list(tensor.shape), mistake.ask.format) in rest
    if mistake.ask.asked is Asked.SHAPE:
        wanted = [float(size) for size in tensor.shape] if tensor.is_meta or tensor.dim() else [float(tensor)]
    else:
        whole = re.search(r"(?<![a-z])(row|第 [0-9]+ 行)", rest) is None  # of the keys, all that the row asked is made from
        value = tensor[given[0]] if given and tensor.dim() == 2 and given[0] < len(tensor) and not whole else tensor
        if given != mistake.ask.index:  # another cell, or another row
            value = tensor[given]
        value = value[0] if value.dim() == 2 and value.numel() > 12 else value
        percent = mistake.ask.format.kind is Kind.PERCENT and node == mistake.ask.node
        wanted = spellings.flat((100 * value if percent else value).tolist())
    shown = re.sub(r"\$[^$]*\$", "", rest)  # the node's name
    shown = shown[shown.index("[") :] if "[" in shown else shown.rpartition("=")[2]
    found = [float(number) for number in NUMBERS.findall(shown)]
    return len(found) == len(wanted) and all(
        (math.isnan(one) and math.isnan(other)) or one == other or abs(one - other) <= max(5.1e-5, 5.1e-8 * abs(other))
        for one, other in zip(found, wanted, strict=True)
    )


SELDOM = {"mask-shape": 9, "length-scaling": 9}
"""Drills with mistakes that only some of their problems have room for, and how many of these are looked at."""


@pytest.mark.parametrize("drill", RECOGNISED)
def test_mistakes_are_named(drill: str) -> None:
    named: Counter[str] = Counter()
    for level in [level for name, level in CASES if name == drill]:
        ties = Ties(drill, level)
        for problem in drawn(drill, level, SELDOM.get(drill, 3)):
            named += _examine(problem, ties)
    assert set(RECOGNISED[drill].split()) <= set(named)


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_mistakes_are_named_200(drill: str, level: int) -> None:
    ties = Ties(drill, level)
    for problem in drawn(drill, level, MANY):
        _examine(problem, ties)


ORDERS = {
    "length-scaling": "length_factor.linear length_factor.quadratic",
    "attention-flops": "ask.power-too-few ask.power-too-many attention_flops.projections attention_flops.products "
    "attention_flops.whole-layer",
    "score-cost": "additive_multiplications.per-pair additive_multiplications.no-v additive_multiplications.no-projections",
    "flash-memory": "score_elements.rows row_statistics.whole-matrix",
    "decode-cost": "decode_dot_products.cache decode_dot_products.no-cache",
}


@pytest.mark.parametrize("drill", ORDERS)
def test_wrong_orders_are_named(drill: str) -> None:
    named = set()
    for one in drawn(drill, 2, 12):
        for mistake in plausible(one):
            if mistake.ask.format.kind is Kind.ORDER:
                found = grade(one, with_part(one, mistake.part, mistake.typed)).parts[mistake.part]
                named.add(found.mistake)
                assert (found.mistake is None) == (found.outcome is Outcome.RIGHT)
    assert set(ORDERS[drill].split()) <= named


def test_every_drill_is_in_the_table() -> None:
    assert set(RECOGNISED) == {drill for drill, _ in CASES}


ALL = [mistake for operation in OPERATIONS.values() for mistake in operation.mistakes]


@pytest.mark.parametrize("mistake", ALL, ids=[mistake.id for mistake in ALL])
def test_sentences_are_whole_in_both_languages(mistake: object) -> None:
    sentence = mistake.sentence  # type: ignore[attr-defined]
    assert isinstance(sentence, Text)
    filled = sentence.fill(used="W_K", meant="W_Q", given=1, asked=2)
    for text in (filled.en, filled.zh):
        assert text.strip() == text
        assert text
        assert text[-1] not in ".。"
        assert not re.search(r"[{}]", plain(text)), text
    assert re.search(r"[\u4e00-\u9fff]", filled.zh)
    assert not re.search(r"[\u4e00-\u9fff]", filled.en)
    assert "," not in filled.zh
    assert ";" not in filled.zh


def test_ids_begin_with_the_operation_that_has_them_or_the_one_it_extends() -> None:
    for operation in OPERATIONS.values():
        family = {kind.name for kind in type(operation).__mro__ if "name" in vars(kind)}
        assert {mistake.id.partition(".")[0] for mistake in operation.mistakes} <= family


TWO_ROWS = Program(
    (("X", ((1, 2), (3, 5))), ("W_Q", ((1, 2), (0, 1))), ("W_K", ((2, 1), (1, 1))), ("d_k", 2)),
    (
        call("Q", "project", "X", "W_Q"),
        call("K", "project", "X", "W_K"),
        call("S", "scores", "Q", "K"),
        call("Z", "scale", "S", "d_k"),
    ),
    (
        Ask("Q", AnswerFormat(Kind.MATRIX, decimals=0)),
        Ask("Z", AnswerFormat(Kind.MATRIX, decimals=3)),
    ),
)


def test_a_mistake_is_local_between_its_part_and_the_parts_before() -> None:
    local = {(slip.node, slip.local) for slip in slips(TWO_ROWS, 1)}
    assert local == {("Z", True), ("S", True), ("K", True), ("Q", False)}


def test_a_mistake_in_a_node_asked_twice_is_local_both_times() -> None:
    row = AnswerFormat(Kind.VECTOR, decimals=3)
    program = TWO_ROWS.with_asks(Ask("Z", row, (0,)), Ask("Z", row, (1,)))
    assert {slip.node for slip in slips(program, 1) if slip.local} == {"Z"}


def test_a_slip_asks_the_one_part_looked_at() -> None:
    for part, ask in enumerate(TWO_ROWS.asks):
        for slip in slips(TWO_ROWS, part):
            assert [one.node for one in slip.program.asks] == [ask.node]
            assert slip.program.inputs == TWO_ROWS.inputs


def test_a_mistake_made_before_an_earlier_part_is_still_named() -> None:
    """Q is right as typed, and Z was computed with the wrong weights for Q all the same."""
    wrong = next(slip for slip in slips(TWO_ROWS, 1) if slip.mistake == "project.transposed-weight" and slip.node == "Q")
    value = run.answers(wrong.program)[0]
    verdict = grade(TWO_ROWS, [spellings.lists(run.answers(TWO_ROWS)[0], 0), spellings.lists(value, 3)])
    assert [part.outcome for part in verdict.parts] == [Outcome.RIGHT, Outcome.KNOWN_MISTAKE]
    assert verdict.mistake == "project.transposed-weight"
