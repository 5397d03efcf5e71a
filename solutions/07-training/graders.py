"""Hidden grader of 07-training.

Greedy decoding is asked about stand-ins for a model (`stand_ins.py`). `trained-model` first looks at the carried-over
Transformer, which says whether a second training makes sense, and trains once, unless a trial on short numbers has left no
doubt: its lines share what came of it. The pairs are drawn anew for each student, and which id is which syllable or word, so
that only the pairs tell; where weights are handed in, the vocabulary of the whole training is the notebook's, so that they fit (that of
the trial isn't: loaded weights win nothing there). The held-out English never enters the kernel.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Figure,
    Given,
    Layer,
    Miss,
    Probe,
    expect_array,
    expect_close,
    expect_number,
    expect_shape,
    expect_that,
    expect_truth_value,
    expect_tuple,
    expect_whole_number,
    is_close,
    number_of,
    shape_of,
)

from . import held_out, stand_ins
from . import reference as oracle

# --- warmup-schedule -------------------------------------------------------------------------------------------------

# late in a long schedule the difference of one step is smaller than this, any other mistake is larger
ONE_STEP = 3e-3


def _rates(probe: Probe, schedule: Layer, steps: Sequence[int]) -> Array:
    probe.tell_apart(lambda: probe.define(HELD_OUT, "logarithms", schedule)(list(steps)))
    return np.array([expect_number_of(schedule(step)) for step in steps])


def expect_number_of(answer: Any) -> float:
    """Return the one number that the schedule gave."""
    text = Text(
        "The schedule returned None. Is the `return` missing?",
        "스케줄이 None을 돌려주었습니다. `return`이 빠지지 않았나요?",
    )
    expect_that(answer is not None, text)
    number = number_of(answer)
    text = Text(
        "Calling the schedule with a step should return one number, the learning rate.",
        "스케줄을 step으로 호출하면 수 하나, 곧 학습률을 돌려주어야 합니다.",
    )
    if number is None:
        raise Miss(text)
    return number


def _schedule(probe: Probe, draw: Draw) -> tuple[Layer, int, int]:
    d_model, warmup_steps = draw.integer(60, 700), draw.integer(1500, 3500)
    return probe.layer("WarmupSchedule", d_model, warmup_steps=warmup_steps), d_model, warmup_steps


def _expect_curve(probe: Probe, draw: Draw, multiples: tuple[float, ...], what: Text) -> None:
    """Miss unless the rates at some multiples of the warm-up, relative to that at its end, are right."""
    schedule, d_model, warmup_steps = _schedule(probe, draw)
    at = [int(multiple * warmup_steps) - 1 for multiple in (*multiples, 1.0)]
    got, right = _rates(probe, schedule, at), oracle.learning_rate(at, d_model, warmup_steps)
    text = Text("A learning rate is 0 or not a finite number.", "0이거나 유한하지 않은 학습률이 있습니다.")
    expect_that((np.isfinite(got) & (got != 0)).all(), text)
    expect_close(got[:-1] / got[-1], right[:-1] / right[-1], what, tolerance=ONE_STEP)


def test_schedule_number(probe: Probe, draw: Draw) -> None:
    schedule, _, _ = _schedule(probe, draw)
    expect_number_of(schedule(draw.integer(100, 900)))


def test_schedule_warmup(probe: Probe, draw: Draw) -> None:
    what = Text(
        "the learning rates of the warm-up, relative to its end", "웜업이 끝날 때를 기준으로 한 웜업 동안의 학습률"
    )
    _expect_curve(probe, draw, (0.31, 0.52, 0.77, 0.95), what)


def test_schedule_decay(probe: Probe, draw: Draw) -> None:
    what = Text(
        "the learning rates after the warm-up, relative to its end", "웜업이 끝날 때를 기준으로 한 웜업 뒤의 학습률"
    )
    _expect_curve(probe, draw, (1.3, 2.1, 4.2, 17.0), what)


def test_schedule_size(probe: Probe, draw: Draw) -> None:
    what = Text("the learning rate, relative to the right one", "올바른 학습률에 대한 여러분의 학습률의 비")
    for narrowest, widest in ((60, 250), (300, 700)):  # one width alone may be the one that someone's rate is made for
        d_model, warmup = draw.integer(narrowest, widest), draw.integer(1500, 3500)
        schedule = probe.layer("WarmupSchedule", d_model, warmup_steps=warmup)
        [rate] = _rates(probe, schedule, [3 * warmup])
        expect_number(rate / float(oracle.learning_rate(3 * warmup, d_model, warmup)), 1.0, what, tolerance=ONE_STEP)
    _expect_right_config(schedule, d_model, warmup)
    d_model = draw.integer(60, 700)
    text = Text(
        "Without warmup_steps the learning rate isn't that of a warm-up of 4000 steps.",
        "warmup_steps를 주지 않았을 때의 학습률이 웜업 4000 step일 때의 학습률이 아닙니다.",
    )
    for step in (2999, 20_000):  # the earlier one knows the warm-up
        expect_that(abs(_ratio(probe.layer("WarmupSchedule", d_model), step, d_model, 4000) - 1) < ONE_STEP, text)


def _ratio(schedule: Layer, step: int, d_model: int, warmup: int) -> float:
    """Return the rate at a step, divided by the right one."""
    return expect_number_of(schedule(step)) / float(oracle.learning_rate(step, d_model, warmup))


def _expect_right_config(schedule: Layer, d_model: int, warmup: int) -> None:
    """Miss if the schedule has a config that makes another one; a schedule without any is right too."""
    try:
        copy = schedule.clone()
    except AnswerRaised as error:
        if {"NotImplementedError", "AttributeError"} & set(error.kinds):
            return
        text = Text(
            "In `from_config(get_config())`: does get_config hold both arguments under their own names?",
            "`from_config(get_config())`에서: get_config에 두 인수가 모두 제 이름으로 들어 있나요?",
        )
        raise Miss(text + error.text) from None
    text = Text(
        "`from_config(get_config())` makes another schedule.",
        "`from_config(get_config())`로 다른 스케줄이 만들어집니다.",
    )
    for step in (warmup // 3, 3 * warmup):
        expect_that(abs(_ratio(copy, step, d_model, warmup) - 1) < ONE_STEP, text)


def test_schedule_first_step(probe: Probe, draw: Draw) -> None:
    warmup = draw.integer(20, 60)
    schedule = probe.layer("WarmupSchedule", draw.integer(60, 700), warmup_steps=warmup)
    # relative to a late step: the size is asked by `schedule-size`
    steps = [0, 1, 5, warmup - 1, warmup, warmup + 2, 4000 * warmup]
    got, right = _rates(probe, schedule, steps), oracle.learning_rate(steps, 100, warmup)
    text = Text(
        "The learning rate of an early step is not finite: 0 to a negative power?",
        "처음 몇 step의 학습률이 유한하지 않습니다. 0의 음수 제곱을 계산하지 않았나요?",
    )
    expect_that(np.isfinite(got).all(), text)
    what = Text(
        "the rates of the first steps and around the end of a short warm-up",
        "처음 몇 step과 짧은 웜업이 끝날 무렵의 학습률",
    )
    expect_close(got[:-1] / got[-1], right[:-1] / right[-1], what, tolerance=ONE_STEP)


def test_schedule_in_optimizer(probe: Probe, draw: Draw) -> None:
    schedule = probe.layer("WarmupSchedule", draw.integer(60, 90), warmup_steps=draw.integer(3, 5))
    count = 9
    try:
        answer = probe.define(HELD_OUT, "moves", schedule)(count)
    except AnswerRaised as error:
        raise _unusable(probe, schedule, error) from None
    moved = expect_shape(answer, (count,), Text("the moves", "움직인 거리"))
    rates = _rates(probe, schedule, range(count))
    what = Text("the learning rates as an optimizer gets them", "옵티마이저가 받는 학습률")
    expect_close(moved / rates[-1], rates / rates[-1], what, tolerance=1e-3)


def _unusable(probe: Probe, schedule: Layer, error: AnswerRaised) -> Miss:
    """Return the miss of a schedule that no optimizer can use, or none in compiled code."""
    try:
        probe.define(HELD_OUT, "moves", schedule, compiled=False)(1)
    except AnswerRaised:
        text = Text(
            "A Keras optimizer can't use the schedule. Is it a keras.optimizers.schedules.LearningRateSchedule, and "
            "does it take the step as a whole-number tensor?",
            "케라스 옵티마이저가 이 스케줄을 쓰지 못합니다. keras.optimizers.schedules.LearningRateSchedule을 상속했나요? "
            "step을 정수 텐서로 받아도 계산할 수 있나요?",
        )
        return Miss(text + error.text)
    text = Text(
        "`fit` compiles what an optimizer does, and there the schedule fails: the step is a tensor without a value yet. "
        "Compute with keras.ops instead of Python's or NumPy's numbers.",
        "`fit`은 옵티마이저의 계산을 컴파일하는데, 거기서 스케줄이 실패합니다. 그때 step은 아직 값이 없는 텐서입니다. 파이썬이나 "
        "NumPy의 수 대신 keras.ops로 계산하세요.",
    )
    return Miss(text + error.text)


# --- teacher-forcing -------------------------------------------------------------------------------------------------

PAIR = "(decoder_input, labels)"
SHORTER = "(batch, len - 1)"


def _targets(draw: Draw) -> np.ndarray:
    """Draw (batch, len) target ids: BOS, tokens of a large vocabulary, EOS, padding; one row without, not the first."""
    batch, length = draw.integer(2, 4), draw.integer(8, 11)
    ids = draw.integers(3, 30_000, batch, length)
    ids[:, 1] = draw.integers(2049, 30_000, batch) | 1  # too large for a byte or for float16
    ids[:, 0] = oracle.BOS
    for row, end in zip(ids, [*draw.distinct(batch - 1, 3, length - 3), length - 1], strict=True):
        row[end], row[end + 1 :] = oracle.EOS, oracle.PAD
    return ids


def _pair(probe: Probe, ids: np.ndarray) -> tuple[Array, Array]:
    answer = probe.call("teacher_forcing_pairs", ids)
    # a list of two equal arrays arrives as one array
    pair = expect_tuple(tuple(answer) if isinstance(answer, np.ndarray) and answer.ndim == 3 else answer, 2, PAIR)
    shape = (len(ids), ids.shape[1] - 1)
    return expect_shape(pair[0], shape, f"decoder_input {SHORTER}"), expect_shape(pair[1], shape, f"labels {SHORTER}")


def test_forcing_shape(probe: Probe, draw: Draw) -> None:
    _pair(probe, _targets(draw))


def test_forcing_input(probe: Probe, draw: Draw) -> None:
    ids = _targets(draw)
    right, _ = oracle.teacher_forcing_pairs(ids)
    expect_close(_pair(probe, ids)[0], right, Text("what the decoder reads", "디코더가 읽는 것"))


def test_forcing_labels(probe: Probe, draw: Draw) -> None:
    ids = _targets(draw)
    expect_close(_pair(probe, ids)[1], oracle.teacher_forcing_pairs(ids)[1], Text("the labels", "라벨"))
    padded = np.pad(ids, ((0, 0), (0, 3)))
    try:
        _, labels = _pair(probe, padded)
    except Miss as miss:
        raise Miss(Text("Where all rows end in padding: ", "모든 행이 패딩으로 끝날 때: ") + miss.text) from None
    expect_close(labels, padded[:, 1:], Text("the labels", "라벨"))


# --- masked-loss -----------------------------------------------------------------------------------------------------

LOSS = Text("the loss", "손실")
ONE_NUMBER = Text("one number", "수 하나")


def _labels_and_logits(draw: Draw, padded: bool = True, pad_id: int = 0) -> tuple[np.ndarray, Array]:
    """Draw labels (batch, len) and logits; padding at the end of each row, of different lengths."""
    batch, length, vocab_size = draw.integer(3, 4), draw.integer(9, 12), draw.integer(14, 20)
    labels = draw.integers(1, vocab_size - 1, batch, length)
    labels[labels == pad_id] = (pad_id + 1) % vocab_size or 1
    if padded:
        for row, count in zip(labels, draw.distinct(batch, 1, length - 2), strict=True):
            row[length - count :] = pad_id
    return labels, draw.normal(batch, length, vocab_size, scale=2.0)


def test_loss_number(probe: Probe, draw: Draw) -> None:
    labels, logits = _labels_and_logits(draw, padded=False)
    answer = probe.call("masked_loss", labels, logits)
    if isinstance(answer, np.ndarray) and answer.size != 1:
        text = Text(
            f"The loss is one number for the whole batch, but an array {answer.shape} came back.",
            f"손실은 배치 전체에 대한 수 하나인데 배열 {answer.shape}이(가) 나왔습니다.",
        )
        raise Miss(text)
    expect_shape(np.reshape(answer, ()) if isinstance(answer, np.ndarray) else answer, (), ONE_NUMBER)


def test_loss_plain(probe: Probe, draw: Draw) -> None:
    labels, logits = _labels_and_logits(draw, padded=False)
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), LOSS)


def test_loss_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = _labels_and_logits(draw)
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), LOSS)
    labels, logits = _with_padding_within(draw, labels), draw.normal(*labels.shape, LARGE_VOCABULARY, scale=2.0)
    what = Text("the loss with padding between the tokens too", "패딩이 토큰들 사이에도 있을 때의 손실")
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), what)
    one = np.where(np.arange(labels.size).reshape(labels.shape) == labels.size // 2, 1, 0)
    what = Text("the loss of a single token", "토큰 하나의 손실")
    expect_number(probe.call("masked_loss", one, logits), oracle.masked_loss(one, logits), what)


def _with_padding_within(draw: Draw, labels: np.ndarray) -> np.ndarray:
    """Return labels of a large vocabulary, with padding at the end and within the rows."""
    labels = np.where(labels == 0, 0, draw.integers(257, LARGE_VOCABULARY - 1, *labels.shape))
    labels[:, 0], labels[:, 2] = draw.integers(257, LARGE_VOCABULARY - 1, len(labels)), 0
    labels[0, 4] = draw.integer(257, LARGE_VOCABULARY - 1)
    return labels


def test_loss_smoothing(probe: Probe, draw: Draw) -> None:
    labels, logits = _labels_and_logits(draw, padded=False)
    labels = np.minimum(labels, logits.shape[-1] - 4)  # the last ids of a vocabulary need not occur
    share = draw.choice((0.1, 0.15, 0.2, 0.25))
    sure = 20.0 * np.eye(logits.shape[-1])[labels]
    probe.tell_apart(lambda: probe.call("masked_loss", labels, sure, label_smoothing=share))
    what = Text("the loss with smoothed labels", "스무딩한 라벨의 손실")
    answer = probe.call("masked_loss", labels, logits, label_smoothing=share)
    expect_number(answer, oracle.masked_loss(labels, logits, share), what)
    labels, logits = _labels_and_logits(draw)
    plain = number_of(probe.call("masked_loss", labels, logits))
    if not is_close(plain, oracle.masked_loss(labels, logits)):
        return  # padding is asked by `loss-padding`
    what = Text("the loss with smoothed labels and padding", "라벨을 스무딩하고 패딩도 있을 때의 손실")
    answer = probe.call("masked_loss", labels, logits, label_smoothing=share)
    expect_number(answer, oracle.masked_loss(labels, logits, share), what)


def test_loss_stable(probe: Probe, draw: Draw) -> None:
    labels, logits = _labels_and_logits(draw, padded=False)
    logits = np.round(logits * 1000)
    what = Text("the loss of logits in the thousands", "수천에 이르는 로짓의 손실")
    # relative: the loss is in the thousands itself
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), what)


def test_loss_pad_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.integer(3, 9)
    labels, logits = _labels_and_logits(draw, pad_id=pad_id)
    labels[:, 0] = 0  # an ordinary token here
    answer = probe.call("masked_loss", labels, logits, pad_id=pad_id)
    expect_number(answer, oracle.masked_loss(labels, logits, pad_id=pad_id), LOSS)


def test_loss_only_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = _labels_and_logits(draw)
    answer = probe.call("masked_loss", np.zeros_like(labels), logits)
    expect_number(answer, 0.0, Text("the loss of nothing but padding", "패딩밖에 없을 때의 손실"))


# --- masked-accuracy -------------------------------------------------------------------------------------------------

ACCURACY = Text("the accuracy", "정확도")


def _predictions(draw: Draw, padded: bool, pad_id: int = 0) -> tuple[np.ndarray, Array]:
    """Draw labels and logits that are right at about half of the positions, in no two rows equally often."""
    labels, logits = _labels_and_logits(draw, padded, pad_id)
    batch, length = labels.shape
    for row, count in enumerate(draw.distinct(batch, 2, length - 2)):
        for position in draw.distinct(count, 0, length - 1):
            logits[row, position, labels[row, position]] = logits[row, position].max() + 1
    logits[:, ::2] -= 30.0  # the largest may be below 0
    return labels, logits


def test_accuracy_number(probe: Probe, draw: Draw) -> None:
    answer = probe.call("masked_accuracy", *_predictions(draw, padded=False))
    answer = np.reshape(answer, ()) if isinstance(answer, np.ndarray) and answer.size == 1 else answer
    expect_shape(answer, (), ONE_NUMBER)


def test_accuracy_plain(probe: Probe, draw: Draw) -> None:
    labels, logits = _predictions(draw, padded=False)
    np.put_along_axis(logits[0], labels[0][:, None], 99.0, axis=-1)  # one row is wholly right
    probe.tell_apart(lambda: probe.call("masked_accuracy", labels[1:], logits[1:]))
    answer = probe.call("masked_accuracy", labels, logits)
    expect_number(answer, oracle.masked_accuracy(labels, logits), ACCURACY)


def test_accuracy_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = _predictions(draw, padded=True)
    logits[0, 0, [0, labels[0, 0]]] = 99.0, 98.0  # padding is said where a word is asked for, a close second
    answer = probe.call("masked_accuracy", labels, logits)
    expect_number(answer, oracle.masked_accuracy(labels, logits), ACCURACY)
    labels = _with_padding_within(draw, labels)
    said = np.where(draw.uniform(0, 1, *labels.shape) < 0.5, labels, labels + 256)
    said[0, :2] = labels[0, 0], labels[0, 1] + 256
    logits = np.eye(LARGE_VOCABULARY + 256)[said]
    what = Text("the accuracy with padding between the tokens too", "패딩이 토큰들 사이에도 있을 때의 정확도")
    expect_number(probe.call("masked_accuracy", labels, logits), oracle.masked_accuracy(labels, logits), what)
    labels[1:], labels[0, 2:] = 0, 0
    what = Text("the accuracy of two tokens, one of them right", "토큰이 둘이고 그 가운데 하나가 맞을 때의 정확도")
    expect_number(probe.call("masked_accuracy", labels, logits), 0.5, what)


def test_accuracy_pad_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.integer(3, 9)
    labels, logits = _predictions(draw, padded=True, pad_id=pad_id)
    labels[:, 0] = 0
    logits[0, 0, 0] = 99.0
    answer = probe.call("masked_accuracy", labels, logits, pad_id=pad_id)
    expect_number(answer, oracle.masked_accuracy(labels, logits, pad_id), ACCURACY)


def test_accuracy_only_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = _predictions(draw, padded=True)
    answer = probe.call("masked_accuracy", np.zeros_like(labels), logits)
    expect_number(answer, 0.0, Text("the accuracy of nothing but padding", "패딩밖에 없을 때의 정확도"))


# --- greedy-decode ---------------------------------------------------------------------------------------------------

CHAINS = inspect.getsource(stand_ins)
SEQUENCES = Text("(batch, at most max_len)", "(batch, 많아야 max_len)")
STATES, VOCABULARY_SIZE, LARGE_VOCABULARY = 41, 13, 400


@dataclass
class Scene:
    """A stand-in model with sources, and its greedy sequences.

    Attributes:
        model: in the student's kernel.
        teller: what it asks, in another kernel; called without anything it tells how many rows it was asked about.
        source: (batch, source_len).
        bos_id, eos_id, max_len: arguments of the decoding.
        right: (batch, longest), the greedy sequences.
        ends: (batch,), position of each row's EOS, or max_len if it has none.
    """

    model: Given
    teller: Given
    source: np.ndarray
    bos_id: int
    eos_id: int
    max_len: int
    right: np.ndarray
    ends: np.ndarray

    def decode(self, probe: Probe) -> np.ndarray:
        """Return the student's sequences, integers (batch, n) with n at most max_len."""
        answer = probe.call("greedy_decode", self.model, self.source, self.bos_id, self.eos_id, self.max_len)
        shape = shape_of(answer) or ()
        batch = len(self.source)
        if len(shape) == 2 and shape[0] == batch:
            got = expect_shape(answer, shape, SEQUENCES)
        else:
            got = expect_shape(answer, (batch, self.right.shape[1]), SEQUENCES)
        expect_that(
            got.shape[1] <= self.max_len + 1,
            Text(
                f"There are {got.shape[1]} ids in a row, but max_len is {self.max_len} here.",
                f"한 행에 ID가 {got.shape[1]}개 있습니다. 여기서 max_len은 {self.max_len}입니다.",
            ),
        )
        return got

    def repeated(self, times: int) -> Scene:
        """Return the scene of a batch in which each source occurs several times."""
        source, right = (np.tile(rows, (times, 1)) for rows in (self.source, self.right))
        return replace(self, source=source, right=right, ends=np.tile(self.ends, times))

    def body(self, got: np.ndarray) -> np.ndarray:
        """Return the sequences without a leading BOS, whose place is another line's."""
        return got[:, 1:] if got.shape[1] and (got[:, 0] == self.bos_id).all() else got


def _scene(
    probe: Probe,
    draw: Draw,
    batch: int,
    ending: float,
    max_len: int,
    bos_id: int = 1,
    eos_id: int = 2,
    latest: int = 0,
    vocab_size: int = VOCABULARY_SIZE,
    make: str = "chain",
) -> Scene:
    """Draw a stand-in whose rows end at different places (`ending`: share of states that do), or never if it is 0.

    The last row ends at `latest` or before; by default five ids before `max_len`. `make` is the function that makes it.
    """
    while True:
        transitions = draw.integers(0, STATES - 1, STATES, vocab_size)
        logits = draw.normal(STATES, vocab_size, scale=3.0)
        logits[:, [oracle.PAD, bos_id]] -= 40
        logits[:, eos_id] = np.where(draw.uniform(0, 1, STATES) < ending, 30.0, -40.0)
        best = logits.argmax(axis=-1)
        logits[np.arange(STATES), best - 1] = logits.max(axis=-1) - 2e-3  # a close second
        logits[::2] -= 45  # the largest may be below 0
        source = draw.integers(3, vocab_size - 1, batch, draw.integer(4, 6))
        source[:1, -1 if batch > 1 else source.shape[1] :] = oracle.PAD
        starts = stand_ins.start_states(source, STATES)

        def next_logits(
            row: int, prefix: Any, starts: Any = starts, moves: Any = transitions, table: Any = logits
        ) -> Any:
            state = starts[row]
            for token in prefix:
                state = moves[state, token]
            return table[state]

        right = oracle.greedy_decode(next_logits, batch, bos_id, eos_id, max_len)
        ends = np.array([list(row).index(eos_id) if eos_id in row else max_len for row in right])
        alone = oracle.greedy_decode(lambda row, prefix: next_logits(row, prefix[-1:]), batch, bos_id, eos_id, max_len)
        fits = len(set(ends)) == batch and ends.min() >= 3 and ends.max() <= (latest or max_len - 5) if ending else True
        fits = fits and (
            batch < 3 or ends.min() < ends[0] < ends.max() - 1
        )  # the first row is neither first nor last to end
        tells = alone.shape[1] < 3 or (alone[:, :3] != right[:, :3]).any()
        if fits and tells and len(set(map(tuple, right[:, 1:4]))) == batch:
            teller = probe.offer(CHAINS, "teller", transitions, logits)
            model = probe.define(CHAINS, make, teller, vocab_size)
            return Scene(model, teller, source, bos_id, eos_id, max_len, right, ends)


def _expect_path(scene: Scene, got: np.ndarray, what: Text) -> None:
    """Miss unless each row has the right ids before its EOS."""
    body, right = scene.body(got), scene.right[:, 1:]
    for row, end in enumerate(scene.ends):
        count = int(end) - 1
        expect_that(body.shape[1] >= count and np.array_equal(body[row, :count], right[row, :count]), what)


def test_decode_shape(probe: Probe, draw: Draw) -> None:
    _scene(probe, draw, 3, 0.2, draw.integer(18, 22)).decode(probe)


def test_decode_begins(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 2, 0.2, draw.integer(18, 22))
    got = scene.decode(probe)
    text = Text("The first id of a row is not BOS.", "첫 ID가 BOS가 아닌 행이 있습니다.")
    expect_that(got.shape[1] > 0 and (got[:, 0] == scene.bos_id).all(), text)


def test_decode_path(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 1, 0.12, draw.integer(18, 22))
    what = Text(
        "The ids of a single row are not those that the model says.", "행이 하나일 때 ID가 모델이 말한 것과 다릅니다."
    )
    _expect_path(scene, scene.decode(probe), what)


def test_decode_rows(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 3, 0.12, draw.integer(18, 22))
    got = scene.decode(probe)
    body = scene.body(got)
    text = Text("All rows are the same, though their sources differ.", "소스가 다른데도 모든 행이 똑같습니다.")
    expect_that((body != body[:1]).any(), text)
    text = Text("The rows that last longer are cut off.", "더 긴 행이 잘렸습니다.")
    expect_that(body.shape[1] >= scene.ends.max() - 1, text)
    what = Text(
        "In a batch of several rows some are not what they are alone.",
        "여러 행을 한 배치로 디코딩하면 혼자일 때와 달라지는 행이 있습니다.",
    )
    _expect_path(scene, got, what)
    many = _scene(probe, draw, 2, 0.3, 12, latest=6).repeated(5)  # more rows than steps until all have ended
    _expect_path(many, many.decode(probe), what)


def test_decode_padding(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 3, 0.12, draw.integer(18, 22))
    body = scene.body(scene.decode(probe))
    for row, count in zip(body, scene.ends - 1, strict=True):
        text = Text(
            "The EOS of a row is missing: it belongs to the row.", "EOS가 빠진 행이 있습니다. EOS는 행에 속합니다."
        )
        expect_that(len(row) > count and row[count] == scene.eos_id, text)
    for row, count in zip(body, scene.ends - 1, strict=True):
        text = Text("After a row's EOS there is something else than 0.", "EOS 뒤에 0이 아닌 것이 있는 행이 있습니다.")
        expect_that((row[count + 1 :] == oracle.PAD).all(), text)


def test_decode_max_len(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 1, 0.0, draw.integer(40, 60))
    got = scene.decode(probe)
    length = Text(
        "A row without EOS should have max_len ids, the first one, BOS, included.",
        "EOS가 없는 행에는 처음의 BOS를 포함해 ID가 max_len개 있어야 합니다.",
    )
    expect_that(scene.body(got).shape[1] == scene.max_len - 1, length)
    what = Text(
        "A row without EOS has other ids than the model says.", "EOS가 없는 행의 ID가 모델이 말한 것과 다릅니다."
    )
    _expect_path(scene, got, what)
    shortest = replace(scene, max_len=1)
    text = Text("With max_len=1 a row has more than its BOS.", "max_len=1인데 행에 BOS 말고도 다른 ID가 있습니다.")
    expect_that(shortest.body(shortest.decode(probe)).shape[1] == 0, text)


def test_decode_stops(probe: Probe, draw: Draw) -> None:
    def goes_on(batch: int) -> bool:
        scene = _scene(probe, draw, batch, 0.12, draw.integer(60, 80), latest=20)
        scene.decode(probe)
        asked = scene.teller()
        return not isinstance(asked, int) or asked > batch * (2 * int(scene.ends.max()) + 4)

    text = Text(
        "The row has ended, but the model is still asked for more.", "행이 끝났는데도 모델에 계속 묻고 있습니다."
    )
    expect_that(not goes_on(1), text)
    text = Text(
        "All rows of a batch have ended, each at a place of its own, but the model is still asked for more.",
        "배치의 행들이 저마다 다른 자리에서 모두 끝났는데도 모델에 계속 묻고 있습니다.",
    )
    expect_that(not goes_on(3), text)


def test_decode_other_ids(probe: Probe, draw: Draw) -> None:
    # more tokens than a byte can tell apart
    bos_id, eos_id = draw.distinct(2, 260, LARGE_VOCABULARY - 1)
    scene = _scene(
        probe, draw, 1, 0.12, draw.integer(18, 22), bos_id, eos_id, vocab_size=LARGE_VOCABULARY, make="keras_chain"
    )
    got = scene.decode(probe)
    _expect_path(
        scene, got, Text("With other ids for BOS and EOS a row is wrong.", "BOS와 EOS의 ID가 다르면 행이 틀립니다.")
    )
    text = Text("A row goes on after an EOS with another id.", "EOS의 ID가 다르면 EOS 뒤에도 행이 이어집니다.")
    expect_that((scene.body(got)[0, int(scene.ends[0]) :] == oracle.PAD).all(), text)


# --- trained-model ---------------------------------------------------------------------------------------------------

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
    """

    error: AnswerError | Miss | None = None
    problem: int = held_out.FINE
    shape: tuple[int, ...] = ()
    exact: float = 0.0
    copies: bool = False
    unmoved: float = 0.0
    size: float | None = None


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
            learnt = probe.trial(lambda: _learnt_in_trial(probe, short, seed), TRIAL_SHARE)
            if learnt is not None:
                return learnt
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


def _learnt_in_trial(probe: Probe, pairs: Pairs, seed: int) -> Training | None:
    """Return what came of a training with short numbers if it leaves no doubt about the one with long numbers.

    With so few updates only a training learns this that learns the other with the many more that it makes there, if its model is
    large enough for long numbers and its learning rate comes down in the end. Any other is asked for the other.
    """
    training = _trained(probe, pairs, seed, len(pairs.held_source), is_trial=True)
    is_full = training.error is None and training.problem == held_out.FINE and training.exact >= TRIAL_MATCH
    return training if is_full and training.unmoved < MOST_UNMOVED else None


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
        exact=exact, copies=copies, unmoved=1.0 if unmoved is None else unmoved, size=_size_of(probe, model)
    )


def _size_of(probe: Probe, model: Given) -> float | None:
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
        probe.report(Figure(Text("Exact match (%)", "완전 일치 (%)"), round(100 * training.exact, 1)))
        if training.size is not None:
            probe.report(Figure(Text("Weights", "가중치 수"), training.size, lower_is_better=True))
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
