"""Hidden tests of the task `masked-loss`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_number, expect_shape, is_close, number_of

from .. import reference as oracle
from .greedy_decode import LARGE_VOCABULARY

LOSS = Text("the loss", "손실")
ONE_NUMBER = Text("one number", "수 하나")
SHARES = (0.15, 0.2, 0.25)  # of smoothing: not 0.1, which everybody tries


def labels_and_logits(draw: Draw, padded: bool = True, pad_id: int = 0) -> tuple[np.ndarray, Array]:
    """Draw labels (batch, len) and logits; padding at the end of each row, of different lengths."""
    batch, length, vocab_size = draw.integer(3, 4), draw.integer(9, 12), draw.integer(14, 20)
    labels = draw.integers(1, vocab_size - 1, batch, length)
    labels[labels == pad_id] = (pad_id + 1) % vocab_size or 1
    if padded:
        for row, count in zip(labels, draw.distinct(batch, 1, length - 2), strict=True):
            row[length - count :] = pad_id
    return labels, told_apart(draw.normal(batch, length, vocab_size, scale=2.0), labels)


def told_apart(logits: Array, labels: np.ndarray) -> Array:
    """Return logits that vary more, and are lower at the label, the later the position: no two means are alike."""
    batch, length = labels.shape
    logits = logits * np.linspace(0.25, 1.0, length)[:, None]
    lower = np.linspace(0.5, 2.0, length) * np.linspace(1.0, 1.3, batch)[:, None]
    np.put_along_axis(logits, labels[..., None], -lower[..., None], axis=-1)
    return logits.astype(np.float32).astype(np.float64)


def test_loss_number(probe: Probe, draw: Draw) -> None:
    labels, logits = labels_and_logits(draw, padded=False)
    answer = probe.call("masked_loss", labels, logits)
    if isinstance(answer, np.ndarray) and answer.size != 1:
        text = Text(
            f"The loss is one number for the whole batch, but an array {answer.shape} came back.",
            f"손실은 배치 전체에 대한 수 하나인데 배열 {answer.shape}이(가) 나왔습니다.",
        )
        raise Miss(text)
    expect_shape(np.reshape(answer, ()) if isinstance(answer, np.ndarray) else answer, (), ONE_NUMBER)


def test_loss_plain(probe: Probe, draw: Draw) -> None:
    labels, logits = labels_and_logits(draw, padded=False)
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), LOSS)


def test_loss_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = labels_and_logits(draw)
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), LOSS)
    labels = with_padding_within(draw, labels)
    logits = told_apart(draw.normal(*labels.shape, LARGE_VOCABULARY, scale=2.0), labels)
    what = Text("the loss with padding between the tokens too", "패딩이 토큰들 사이에도 있을 때의 손실")
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), what)
    one = np.where(np.arange(labels.size).reshape(labels.shape) == labels.size // 2, 1, 0)
    what = Text("the loss of a single token", "토큰 하나의 손실")
    expect_number(probe.call("masked_loss", one, logits), oracle.masked_loss(one, logits), what)
    labels, logits = np.array([labels[0, :1], [0], labels[1, :1]]), logits[:3, :1]
    what = Text("the loss of rows of one token", "토큰이 하나씩인 행들의 손실")
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), what)


def with_padding_within(draw: Draw, labels: np.ndarray) -> np.ndarray:
    """Return labels of a large vocabulary, with padding at the end and within the rows."""
    labels = np.where(labels == 0, 0, draw.integers(257, LARGE_VOCABULARY - 1, *labels.shape))
    labels[:, 0], labels[:, 2] = draw.integers(257, LARGE_VOCABULARY - 1, len(labels)), 0
    labels[0, 4] = draw.integer(257, LARGE_VOCABULARY - 1)
    return labels


def test_loss_smoothing(probe: Probe, draw: Draw) -> None:
    labels, logits = labels_and_logits(draw, padded=False)
    labels = np.minimum(labels, logits.shape[-1] - 4)  # the last ids of a vocabulary need not occur
    logits = told_apart(logits, labels)
    share = draw.choice(SHARES)
    sure = 20.0 * np.eye(logits.shape[-1])[labels]
    probe.tell_apart(lambda: probe.call("masked_loss", labels, sure, label_smoothing=share))
    what = Text("the loss with smoothed labels", "스무딩한 라벨의 손실")
    answer = probe.call("masked_loss", labels, logits, label_smoothing=share)
    expect_number(answer, oracle.masked_loss(labels, logits, share), what)
    labels, logits = labels_and_logits(draw)
    plain = number_of(probe.call("masked_loss", labels, logits))
    if not is_close(plain, oracle.masked_loss(labels, logits)):
        return  # padding is asked by `loss-padding`
    what = Text("the loss with smoothed labels and padding", "라벨을 스무딩하고 패딩도 있을 때의 손실")
    answer = probe.call("masked_loss", labels, logits, label_smoothing=share)
    expect_number(answer, oracle.masked_loss(labels, logits, share), what)


def test_loss_stable(probe: Probe, draw: Draw) -> None:
    labels, logits = labels_and_logits(draw, padded=False)
    logits = np.round(logits * 1000)
    what = Text("the loss of logits in the thousands", "수천에 이르는 로짓의 손실")
    # relative: the loss is in the thousands itself
    expect_number(probe.call("masked_loss", labels, logits), oracle.masked_loss(labels, logits), what)
    what = Text("the loss of logits that are all far below 0", "모두 0보다 훨씬 작은 로짓의 손실")
    answer = probe.call("masked_loss", labels, logits - 20_000)
    expect_number(answer, oracle.masked_loss(labels, logits - 20_000), what)
    if _smooths(probe, draw, padded=False):
        share = draw.choice(SHARES)
        what = Text(
            "the loss of logits in the thousands with smoothed labels", "라벨을 스무딩했을 때 수천에 이르는 로짓의 손실"
        )
        answer = probe.call("masked_loss", labels, logits, label_smoothing=share)
        expect_number(answer, oracle.masked_loss(labels, logits, share), what)


def _smooths(probe: Probe, draw: Draw, padded: bool) -> bool:
    """Whether labels are smoothed rightly; if not, that costs its own line."""
    for share in SHARES:  # with one alone a small mistake may pass by chance
        labels, logits = labels_and_logits(draw, padded)
        smoothed = number_of(probe.call("masked_loss", labels, logits, label_smoothing=share))
        if not is_close(smoothed, oracle.masked_loss(labels, logits, share)):
            return False
    return True


def test_loss_pad_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.integer(3, 9)
    labels, logits = labels_and_logits(draw, pad_id=pad_id)
    labels[:, 0] = 0  # an ordinary token here
    answer = probe.call("masked_loss", labels, logits, pad_id=pad_id)
    expect_number(answer, oracle.masked_loss(labels, logits, pad_id=pad_id), LOSS)
    if _smooths(probe, draw, padded=True):
        share = draw.choice(SHARES)
        answer = probe.call("masked_loss", labels, logits, label_smoothing=share, pad_id=pad_id)
        what = Text("the loss with smoothed labels and another pad_id", "라벨을 스무딩하고 pad_id도 다를 때의 손실")
        expect_number(answer, oracle.masked_loss(labels, logits, share, pad_id), what)


def test_loss_only_padding(probe: Probe, draw: Draw) -> None:
    labels, logits = labels_and_logits(draw)
    answer = probe.call("masked_loss", np.zeros_like(labels), logits)
    expect_number(answer, 0.0, Text("the loss of nothing but padding", "패딩밖에 없을 때의 손실"))
