"""Hidden tests of the task `masked-accuracy`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_number, expect_shape

from .. import reference as oracle
from .greedy_decode import LARGE_VOCABULARY
from .masked_loss import ONE_NUMBER, labels_and_logits, with_padding_within

ACCURACY = Text("the accuracy", "정확도")


def _predictions(draw: Draw, padded: bool, pad_id: int = 0) -> tuple[np.ndarray, Array]:
    """Draw labels and logits that are right at about half of the positions, in no two rows equally often."""
    labels, logits = labels_and_logits(draw, padded, pad_id)
    batch, length = labels.shape
    for row, count in enumerate(draw.distinct(batch, 2, length - 2)):
        for position in draw.distinct(count, 0, length - 1):
            logits[row, position, labels[row, position]] = logits[row, position].max() + 1
    best = logits.argmax(axis=-1)[..., None]
    # so far from all others that float32 tells them apart
    np.put_along_axis(logits, best, logits.max(axis=-1, keepdims=True) + 0.01, axis=-1)
    if 2 * (best[..., 0] == labels).sum() == labels.size:  # half of them wrong would be half of them right
        return _predictions(draw, padded, pad_id)
    logits[:, ::2] -= 30.0  # the largest may be below 0
    return labels, logits


def test_accuracy_number(probe: Probe, draw: Draw) -> None:
    answer = probe.call("masked_accuracy", *_predictions(draw, padded=False))
    answer = np.reshape(answer, ()) if isinstance(answer, np.ndarray) and answer.size == 1 else answer
    expect_shape(answer, (), ONE_NUMBER)


def test_accuracy_plain(probe: Probe, draw: Draw) -> None:
    labels, logits = _predictions(draw, padded=False)
    np.put_along_axis(logits[0], labels[0][:, None], 99.0, axis=-1)  # one row is wholly right
    wrong = logits[1:].argmax(axis=-1) != labels[1:]
    logits[1:][wrong, 0] = 98.0  # elsewhere padding is said
    probe.tell_apart(lambda: probe.call("masked_accuracy", labels[1:], logits[1:]))
    answer = probe.call("masked_accuracy", labels, logits)
    expect_number(answer, oracle.masked_accuracy(labels, logits), ACCURACY)
    labels, logits = _predictions(draw, padded=False)
    best = logits.argmax(axis=-1)[..., None]
    # in each position a second that is almost as large: wrong where the largest is right, right where it is wrong
    second = np.where(best == labels[..., None], np.minimum(best + 1, logits.shape[-1] - 1), labels[..., None])
    np.put_along_axis(logits, second, np.take_along_axis(logits, best, axis=-1) - 2e-3, axis=-1)
    what = Text("the accuracy where two logits are close", "두 로짓이 비슷할 때의 정확도")
    expect_number(probe.call("masked_accuracy", labels, logits), oracle.masked_accuracy(labels, logits), what)
    what = Text("the accuracy of logits in the hundreds", "로짓이 수백일 때의 정확도")
    # in float32, where their exponentials are infinite
    answer = probe.call("masked_accuracy", labels, (logits + 300).astype(np.float32))
    expect_number(answer, oracle.masked_accuracy(labels, logits), what)


def test_accuracy_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = _predictions(draw, padded=True)
    logits[0, 0, [0, labels[0, 0]]] = 99.0, 98.0  # padding is said where a word is asked for, a close second
    answer = probe.call("masked_accuracy", labels, logits)
    expect_number(answer, oracle.masked_accuracy(labels, logits), ACCURACY)
    labels = with_padding_within(draw, labels)
    said = np.where(draw.uniform(0, 1, *labels.shape) < 0.5, labels, labels + 256)
    said[labels == 0] = 256  # wrong where there is padding, right at the end of the first row
    last = np.flatnonzero(labels[0])[-1]
    said[0, last] = labels[0, last]
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
    logits[:, 0, 0] = 99.0  # right where the label is 0, wrong where there is padding
    logits[labels == pad_id, 0] = 99.0
    answer = probe.call("masked_accuracy", labels, logits, pad_id=pad_id)
    expect_number(answer, oracle.masked_accuracy(labels, logits, pad_id), ACCURACY)


def test_accuracy_only_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = _predictions(draw, padded=True)
    answer = probe.call("masked_accuracy", np.zeros_like(labels), logits)
    expect_number(answer, 0.0, Text("the accuracy of nothing but padding", "패딩밖에 없을 때의 정확도"))
