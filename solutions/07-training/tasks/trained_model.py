"""Hidden tests of the task `trained-model`."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    KernelObject,
    Measurement,
    Miss,
    Probe,
    expect_array,
    expect_shape,
    expect_that,
    expect_truth_value,
    expect_tuple,
    expect_whole_number,
    number_of,
)

from .. import held_out
from .. import reference as oracle

HELD_OUT = inspect.getsource(held_out)
HELD_OUT_PAIRS, CHUNK = 500, 100
FIRST_WORD = 4  # the ids before it are padding, BOS, EOS and unknown for everybody
VOCAB_SIZE = len(oracle.VOCABULARY)
LEAST_SHARE = 0.5  # of held-out numbers that earns anything
MOST_UNMOVED = 0.9  # of what a model says, with its weights shuffled
# A trial on short numbers comes first: a training that learns them so quickly needs no other. The figures are measured, see
# docs/decisions.md. `TRIAL_GAIN` is how many times more pairs the whole training must have than the trial, at least.
TRIAL_DIGITS, TRIAL_PAIRS, TRIAL_HELD_OUT = 4, 3840, 500
TRIAL_MATCH, TRIAL_UPDATES, TRIAL_GAIN = 0.99, 300, 5
# Nobody's labels hold BOS: whoever says it again after so many updates was trained with labels that aren't shifted.
COPYING_UPDATES = 100
# 2 + 2 blocks of width 64 have some more weights; a smaller model, or a rate that doesn't come down, is good enough for short numbers only
TRIAL_WEIGHTS, TRIAL_RATE = 160_000, 0.05
TRIAL_SHARE = 0.25  # of the time of a training
DECODED = Text("the decoded ids", "디코딩한 ID")
NO_WEIGHTS = Text("The file to load weights from isn't there.", "가중치를 불러올 파일이 없습니다.")
WEIGHTS = Text(
    "Weights have to be handed in as `training.weights.h5` beside the notebook, smaller than 20 MB, undamaged, and saved from "
    "a model of the same layers and sizes.",
    "가중치는 `training.weights.h5`라는 이름으로 노트북 옆에 두어 제출하고, 20 MB보다 작고 손상되지 않아야 하며, 계층과 크기가 같은 "
    "모델에서 저장한 것이어야 합니다.",
)


def test_train_carried(probe: Probe, draw: Draw) -> None:
    vocab_size, source_len, target_len = draw.integer(15, 25), 6, 7
    try:
        model = probe.layer("build_transformer", vocab_size, 12, 1, 8, 2, 16, dropout=0.0)
    except AnswerRaised as error:
        if "NotImplementedError" in error.kinds:  # `train` may be written all the same
            raise Miss(
                Text(
                    "build_transformer has not been carried over.",
                    "build_transformer를 앞 노트북에서 가져오지 않았습니다.",
                )
            ) from None
        raise
    source, target = draw.integers(4, vocab_size - 1, 2, source_len), draw.integers(4, vocab_size - 1, 2, target_len)

    def logits(source: np.ndarray, target: np.ndarray) -> Array:
        shape = (*target.shape, vocab_size)
        return expect_shape(
            model([source, target]),
            shape,
            Text(
                "build_transformer's logits (batch, target_len, vocab_size)",
                "build_transformer의 로짓 (batch, target_len, vocab_size)",
            ),
        )

    def expect_same(got: Array, right: Array, what: Text) -> None:
        expect_that(
            bool(np.allclose(got, right, rtol=1e-4, atol=1e-4)),
            Text(f"build_transformer: {what.en}", f"build_transformer: {what.ko}"),
        )

    before = logits(source, target)
    expect_that(
        bool(np.isfinite(before).all()),
        Text(
            "An untrained build_transformer gives NaN or infinity.",
            "학습하지 않은 build_transformer가 NaN이나 무한대를 냅니다.",
        ),
    )
    for sums, en, ko in (
        (before.sum(axis=-1), "probabilities: a softmax stands behind them", "확률입니다. 끝에 소프트맥스가 있습니다"),
        (np.exp(before).sum(axis=-1), "logarithms of probabilities", "확률의 로그입니다"),
    ):
        text = Text(
            f"What build_transformer gives are {en}. It should give logits.",
            f"build_transformer가 내놓는 것이 {ko}. 로짓을 내놓아야 합니다.",
        )
        expect_that(not np.allclose(sums, 1.0, atol=1e-3), text)
    try:
        probe.define(HELD_OUT, "compiled", model)(source, target)
    except AnswerRaised as error:
        text = Text(
            "build_transformer can't be compiled, as `fit` does.", "build_transformer를 `fit`처럼 컴파일할 수 없습니다."
        )
        raise Miss(text + error.text) from None
    later = target.copy()
    later[:, 4:] = (later[:, 4:] - 3) % (vocab_size - 4) + 4
    expect_same(
        logits(source, later)[:, :4],
        before[:, :4],
        Text(
            "a later target token changes earlier logits. It reads ahead.",
            "뒤의 타깃 토큰이 앞의 로짓을 바꿉니다. 뒤를 미리 읽고 있습니다.",
        ),
    )
    padded = np.pad(source, ((0, 0), (0, 4)))
    expect_same(
        logits(padded, target),
        before,
        Text(
            "padding the source further changes the logits. It attends to padding.",
            "소스에 패딩을 더 붙이면 로짓이 바뀝니다. 패딩에 어텐션을 하고 있습니다.",
        ),
    )
    other = source.copy()
    other[:, 2] = (other[:, 2] - 3) % (vocab_size - 4) + 4
    for changed, what in (
        (logits(other, target), Text("the source", "소스를")),
        (logits(source[:, ::-1], target), Text("the order of the source", "소스의 순서를")),
        (logits(source, np.roll(target, 1, axis=1)), Text("the target", "타깃을")),
    ):
        expect_that(
            bool(np.abs(changed - before).max() > 1e-4),
            Text(
                f"build_transformer's logits don't depend on {what.en}.",
                f"{what.ko} 바꾸어도 build_transformer의 로짓이 그대로입니다.",
            ),
        )


@dataclass
class Training:
    """What came of one training.

    Attributes:
        error: why there is no model.
        problem: what is wrong with its logits, of `held_out`.
        shape: of such logits.
        exact: share of held-out numbers that are wholly right.
        copies: whether the model mostly says its own input again.
        unmoved: share of what it says that it says all the same with its weights shuffled.
        size: how many numbers its trained weights hold, by its own word; None if that can't be found out.
        updates: that its optimizer made, by its own word; 0 if it wasn't asked.
    """

    error: AnswerError | Miss | None = None
    problem: int = held_out.FINE
    shape: tuple[int, ...] = ()
    exact: float = 0.0
    copies: bool = False
    unmoved: float = 0.0
    size: float | None = None
    updates: int = 0


@dataclass(frozen=True)
class Pairs:
    """What a training gets, and what its model is asked about.

    Attributes:
        source, target: (count, source_len), (count, target_len), of the training.
        held_source, held_target: (held_count, any source_len), (held_count, any target_len).
    """

    source: np.ndarray
    target: np.ndarray
    held_source: np.ndarray
    held_target: np.ndarray


def _training(probe: Probe, draw: Draw) -> Training:
    """Return what came of the student's training; the first line that asks has it done."""
    return probe.once("training", lambda: _train(probe, draw))


def _train(probe: Probe, draw: Draw) -> Training:
    numbers = oracle.draw_numbers(draw.rng, probe.training_pairs + HELD_OUT_PAIRS)
    source, target = oracle.number_pairs(numbers)
    pairs = probe.training_pairs
    seed = draw.integer(0, 2**31 - 1)
    renamed = np.concatenate([np.arange(FIRST_WORD), FIRST_WORD + draw.rng.permutation(VOCAB_SIZE - FIRST_WORD)])
    try:
        has_weights = expect_truth_value(probe.define(HELD_OUT, "has_weights")())
        if pairs >= TRIAL_PAIRS * TRIAL_GAIN:
            # "Run all" writes the weights beside the notebook; whether `train` loads them or fits is only seen by calling it
            short = _short_pairs(draw.rng.spawn(1)[0], renamed)
            decided = probe.trial(lambda: _decided_by_trial(probe, short, seed), TRIAL_SHARE)
            if decided is not None:
                return decided
        if not has_weights:
            source, target = (renamed[ids].astype(ids.dtype) for ids in (source, target))
        return _trained(probe, Pairs(source[:pairs], target[:pairs], source[pairs:], target[pairs:]), seed, CHUNK)
    except AnswerRaised as error:
        if "load_weights" in error.text.en and "FileNotFoundError" in error.kinds:
            return Training(Miss(error.text + NO_WEIGHTS + WEIGHTS))
        of_weights = "load_weights" in error.text.en or "FileNotFoundError" in error.kinds
        return Training(Miss(error.text + WEIGHTS) if of_weights else error)
    except (AnswerError, Miss) as error:
        return Training(error)


def _short_pairs(rng: np.random.Generator, renamed: np.ndarray) -> Pairs:
    """Draw the pairs of a trial: of short numbers, with no padding that all rows have but where the model is asked."""
    source, target = oracle.number_pairs(oracle.draw_numbers(rng, TRIAL_PAIRS + TRIAL_HELD_OUT, TRIAL_DIGITS))
    source, target = (renamed[ids].astype(ids.dtype) for ids in (source, target))
    train_source, train_target = (ids[:TRIAL_PAIRS, (ids != oracle.PAD).any(axis=0)] for ids in (source, target))
    return Pairs(train_source, train_target, source[TRIAL_PAIRS:], target[TRIAL_PAIRS:])


def _decided_by_trial(probe: Probe, pairs: Pairs, seed: int) -> Training | None:
    """Return what came of a training with short numbers if it leaves no doubt about the one with long numbers.

    With so few updates only a training learns this that learns the other with the many more that it makes there, if its model is
    large enough for long numbers and its learning rate comes down in the end. And who has learnt to copy copies there too.
    Any other is asked for the other.
    """
    training = _trained(probe, pairs, seed, len(pairs.held_source), is_trial=True)
    is_full = training.error is None and training.problem == held_out.FINE and training.exact >= TRIAL_MATCH
    has_learnt = is_full and training.unmoved < MOST_UNMOVED
    return training if has_learnt or (training.copies and training.updates >= COPYING_UPDATES) else None


def _trained(probe: Probe, pairs: Pairs, seed: int, chunk: int, *, is_trial: bool = False) -> Training:
    """Return what came of a training.

    Args:
        probe: the probe that asks the student's `train`.
        pairs: pairs to train with, and held-out pairs.
        seed: seed of the random numbers of the student's code and of the order of weights.
        chunk: how many held-out sources the model is given at once.
        is_trial: look no further at a training of which a trial tells nothing: of many updates, a small model, or a rate that stays.
    """
    model = probe.train("train", pairs.source, pairs.target, VOCAB_SIZE, oracle.MAX_LEN, seed)
    kind = int(expect_whole_number(probe.define(HELD_OUT, "kind_of", model)()))
    if kind != held_out.MODEL:
        en, ko = {
            held_out.NOTHING: ("None", "None을"),
            held_out.HISTORY: ("what `fit` returns", "`fit`이 돌려주는 것을"),
        }.get(kind, ("something else", "다른 것을"))
        text = Text(
            f"`train` should return the trained Keras model, but it returned {en}.",
            f"`train`은 학습된 케라스 모델을 돌려주어야 하는데 {ko} 돌려주었습니다.",
        )
        return Training(Miss(text))
    updates = 0
    if is_trial:
        updates, size = (
            int(expect_whole_number(probe.define(HELD_OUT, name, model)())) for name in ("updates", "size")
        )
        rate = number_of(probe.define(HELD_OUT, "rate_left", model)())
        if not 0 < updates <= TRIAL_UPDATES or size < TRIAL_WEIGHTS or rate is None or not 0 <= rate <= TRIAL_RATE:
            return Training()
    decoder = probe.define(HELD_OUT, "decoder", model, VOCAB_SIZE, oracle.BOS, oracle.EOS)
    decoded: list[np.ndarray] = []
    for first in range(0, len(pairs.held_source), chunk):
        answer = decoder(pairs.held_source[first : first + chunk], oracle.TARGET_LEN)
        problem, ids = expect_tuple(answer, 2, DECODED)
        problem = int(expect_whole_number(problem))
        if problem != held_out.FINE:
            shape = expect_array(ids, DECODED).ravel() if problem == held_out.OTHER_SHAPE else ()
            return Training(problem=problem, shape=tuple(int(expect_whole_number(n)) for n in shape))
        decoded.append(expect_shape(ids, (chunk, oracle.TARGET_LEN), DECODED))
    share = probe.define(HELD_OUT, "unmoved", model, seed)(pairs.held_source[:chunk], decoded[0].astype(np.int64))
    unmoved = number_of(share)
    ids = np.concatenate(decoded).astype(np.int64)
    copies = float((ids == oracle.BOS).mean()) > 0.8
    exact = oracle.exact_match(ids, pairs.held_target)
    return Training(
        exact=exact,
        copies=copies,
        unmoved=1.0 if unmoved is None else unmoved,
        size=_size_of(probe, model),
        updates=updates,
    )


def _size_of(probe: Probe, model: KernelObject) -> float | None:
    try:
        return number_of(probe.define(HELD_OUT, "size", model)())
    except (AnswerError, Miss):  # a figure for the leaderboard: whatever becomes of it costs nothing
        return None


def test_train_model(probe: Probe, draw: Draw) -> None:
    training = _training(probe, draw)
    if training.error is not None:
        raise training.error


def test_train_logits(probe: Probe, draw: Draw) -> None:
    training = _training(probe, draw)
    right = (CHUNK, oracle.TARGET_LEN - 1, VOCAB_SIZE)
    text = Text(
        f"For {CHUNK} sources and {right[1]} target positions the model gives logits of shape {training.shape}, but "
        f"(batch, target_len, vocab_size) is {right} here.",
        f"소스 {CHUNK}개와 타깃 위치 {right[1]}개에 대해 모델이 모양 {training.shape}인 로짓을 냅니다. 여기서 "
        f"(batch, target_len, vocab_size)는 {right}이어야 합니다.",
    )
    if training.shape[:-1] == right[:-1] and training.shape[-1] > right[-1]:
        text += Text("The model knows too many words.", "모델의 어휘가 너무 큽니다.")
    expect_that(training.problem != held_out.OTHER_SHAPE, text)
    text = Text(
        "The trained model gives NaN or infinity. Did the training diverge? Look at its loss.",
        "학습된 모델이 NaN이나 무한대를 냅니다. 학습이 발산하지 않았나요? 손실을 살펴보세요.",
    )
    expect_that(training.problem != held_out.NOT_FINITE, text)


def test_train_weights(probe: Probe, draw: Draw) -> None:
    training = _training(probe, draw)
    if training.exact >= LEAST_SHARE:
        probe.report(Measurement(Text("Exact match (%)", "완전 일치 (%)"), round(100 * training.exact, 1)))
        if training.size is not None:
            probe.report(Measurement(Text("Weights", "가중치 수"), training.size, lower_is_better=True))
    text = Text(
        "With its weights shuffled the model says the same as before: it wasn't the training that taught it.",
        "가중치를 뒤섞어도 모델이 전과 같은 답을 합니다. 학습에서 배운 것이 아닙니다.",
    )
    expect_that(training.exact < LEAST_SHARE or training.unmoved < MOST_UNMOVED, text)


def _expect_match(probe: Probe, draw: Draw, share: float) -> None:
    training = _training(probe, draw)
    text = Text(
        f"{training.exact:.1%} of the held-out numbers are translated without a mistake, word by word on the model's own "
        f"words; this line asks for {share:.0%}.",
        f"모델이 자기가 쓴 단어를 이어 가며 번역했을 때 남겨 둔 수의 {training.exact:.1%}가 실수 없이 나옵니다. 이 항목에는 "
        f"{share:.0%}가 필요합니다.",
    )
    if training.copies:
        text += Text("It mostly says `<bos>` again.", "대부분 `<bos>`를 되풀이합니다.")
    expect_that(training.exact >= share, text)


def test_match_50(probe: Probe, draw: Draw) -> None:
    _expect_match(probe, draw, LEAST_SHARE)


def test_match_80(probe: Probe, draw: Draw) -> None:
    _expect_match(probe, draw, 0.80)


def test_match_90(probe: Probe, draw: Draw) -> None:
    _expect_match(probe, draw, 0.90)


def test_match_95(probe: Probe, draw: Draw) -> None:
    _expect_match(probe, draw, 0.95)


def test_match_98(probe: Probe, draw: Draw) -> None:
    _expect_match(probe, draw, 0.98)
