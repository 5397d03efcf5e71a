"""Hidden grader of 04-masks.

Masks are judged by where they hide before their exact values are, so that a mask of -inf, of booleans or of twos costs
the line about that and no other. The leak test is asked about callables that it can't look into; each line asks about
leaking and clean ones of the same make, in a drawn order, so that no constant answer earns anything and counting is guessing.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Miss,
    Probe,
    expect_array,
    expect_close,
    expect_shape,
    expect_that,
    expect_truth_value,
    in_drawn_order,
)

from . import leak_components as attends
from . import reference as oracle

PADDING = "(batch, 1, 1, seq_len)"
SQUARE = "(size, size)"
DECODER = "(batch, 1, seq_len, seq_len)"
SCORES = "(batch, num_heads, query_len, key_len)"
FLOATS = Text(
    "The mask should be an array of floats, 1.0 and 0.0: booleans and integers can't be multiplied with scores everywhere.",
    "마스크는 실수 1.0과 0.0의 배열이어야 합니다. 불리언이나 정수는 점수와 곱하지 못하는 라이브러리도 있습니다.",
)

OTHER_NUMBERS = Text("The mask holds other numbers than 0 and 1.", "마스크에 0과 1이 아닌 수가 있습니다.")


def _token_ids(draw: Draw, batch: int, seq_len: int, pad_id: int = 0) -> np.ndarray:
    """Draw ids without `pad_id` and put 1 to seq_len - 3 padding ids at the end of each sequence, different numbers."""
    ids = draw.integers(1, 30, batch, seq_len)
    ids[ids == pad_id] = pad_id + 31
    for sequence, length in zip(ids, draw.distinct(batch, 1, seq_len - 3), strict=True):
        sequence[seq_len - length :] = pad_id
    return ids


# numbers of a large vocabulary, of which float16 doesn't know the next one
LARGE_IDS = (2048, 4096, 8192)


def _is_floats(answer: Any) -> bool:
    return isinstance(answer, np.ndarray) and answer.dtype.kind == "f"


def _expect_ones(answer: Any) -> None:
    """Miss unless an answer whose places are right holds floats, 0 and 1 only."""
    expect_that(_is_floats(answer), FLOATS)
    expect_that(bool(np.isin(answer, (0, 1)).all()), OTHER_NUMBERS)


def _expect_mask(answer: Any, expected: Array, what: Text, words: str) -> None:
    """Miss unless the answer hides where `expected` does, whatever number it hides with."""
    got = expect_shape(answer, expected.shape, words)
    if np.isneginf(got).any() and np.array_equal(np.isneginf(got), expected == 1):
        raise Miss(
            Text(
                f"{what.en.capitalize()} are hidden by minus infinity. Here a mask holds 1 there, and 0 elsewhere.",
                f"{what.ko}: 마이너스 무한대로 가렸습니다. 이 과정의 마스크는 가리는 곳에 1, 나머지에 0을 담습니다.",
            )
        )
    expect_close(np.where(got > 0.5, 1.0, np.where(np.abs(got) < 1e-6, 0.0, got)), expected, what, words)


# --- padding-mask ----------------------------------------------------------------------------------------------------


def test_padding_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len = draw.integer(2, 4), draw.integer(7, 10)
    answer = probe.call("create_padding_mask", _token_ids(draw, batch, seq_len))
    expect_shape(answer, (batch, 1, 1, seq_len), PADDING)


def test_padding_values(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, draw.integer(2, 4), draw.integer(7, 10))
    answer = probe.call("create_padding_mask", ids)
    _expect_mask(answer, oracle.create_padding_mask(ids), Text("the padded positions", "패딩 마스크"), PADDING)


def test_padding_anywhere(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, 4, draw.integer(8, 10))
    ids[0] = ids[0, ::-1]
    ids[1] = np.where(ids[1] == 0, 5, ids[1])
    ids[2, 2] = 0
    ids[3] = 0  # nothing but padding
    for some in (ids, ids[:1], ids[:, 2:3]):
        answer = probe.call("create_padding_mask", some)
        what = Text("the padded positions", "패딩 마스크")
        _expect_mask(answer, oracle.create_padding_mask(some), what, PADDING)


def test_padding_other_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.choice(LARGE_IDS)
    ids = _token_ids(draw, 3, draw.integer(7, 10), pad_id)
    ids[:, 0], ids[:, 1] = pad_id + 1, 0  # ordinary tokens here
    answer = probe.call("create_padding_mask", ids, pad_id=pad_id)
    _expect_mask(answer, oracle.create_padding_mask(ids, pad_id), Text("the padded positions", "패딩 마스크"), PADDING)


def test_padding_floats(probe: Probe, draw: Draw) -> None:
    _expect_ones(probe.call("create_padding_mask", _token_ids(draw, 2, 7)))


# --- look-ahead-mask -------------------------------------------------------------------------------------------------


def test_ahead_shape(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 9)
    expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)


def test_ahead_sides(probe: Probe, draw: Draw) -> None:
    size = draw.integer(5, 9)
    right = oracle.create_look_ahead_mask(size)
    got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
    off = 1 - np.eye(size)  # the diagonal is the next line's
    what = Text("the entries off the diagonal", "대각선 밖의 원소")
    _expect_mask(np.where(off == 1, got, 0), right, what, SQUARE)


def test_ahead_diagonal(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 9)
    got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
    expect_that(
        bool((np.abs(np.diagonal(got)) < 0.5).all()),
        Text("A position doesn't see itself.", "위치가 자기 자신을 보지 못합니다."),
    )


def test_ahead_sizes(probe: Probe, draw: Draw) -> None:
    usual = draw.integer(4, 9)
    # a diagonal that is hidden at every size has cost its own line
    hides_itself = expect_shape(probe.call("create_look_ahead_mask", usual), (usual, usual), SQUARE)[0, 0] != 0
    for size in (1, draw.integer(260, 300)):
        got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
        looked_at = np.where(np.eye(size) == 1, 0, got) if hides_itself else got
        what = Text(
            f"the mask of {size} positions" if size > 1 else "the mask of one position", f"위치 {size}개의 마스크"
        )
        right = oracle.create_look_ahead_mask(size)
        _expect_mask(looked_at, right, what, SQUARE)


def test_ahead_floats(probe: Probe, draw: Draw) -> None:
    _expect_ones(probe.call("create_look_ahead_mask", draw.integer(4, 9)))


# --- decoder-mask ----------------------------------------------------------------------------------------------------


def _decoder(probe: Probe, ids: np.ndarray, **kwargs: int) -> Array:
    """Return the student's decoder mask; whether it is floats and only 0 and 1 is judged by `decoder-ones`."""
    batch, seq_len = ids.shape
    return expect_shape(probe.call("create_decoder_mask", ids, **kwargs), (batch, 1, seq_len, seq_len), DECODER)


def test_decoder_shape(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, draw.integer(2, 3), draw.integer(6, 9))
    _decoder(probe, ids)


def test_decoder_future(probe: Probe, draw: Draw) -> None:
    ids = draw.integers(1, 30, draw.integer(2, 4), draw.integer(6, 9))
    what = Text("the entries without padding", "패딩이 없는 시퀀스의 마스크")
    got = _decoder(probe, ids)
    padded = ids.copy()
    padded[:, 1] = padded[:, -1] = 0
    probe.tell_apart(lambda: probe.call("create_decoder_mask", padded))  # what hides nothing here may hide padding
    _expect_mask(got, oracle.create_decoder_mask(ids), what, DECODER)


def test_decoder_padding(probe: Probe, draw: Draw) -> None:
    # the same in all sequences: whether each has its own is another line's
    ids = draw.integers(1, 30, draw.integer(2, 3), draw.integer(7, 9))
    ids[:, [0, draw.integer(2, 3), -1]] = 0  # in front, between tokens, at the end
    got = _decoder(probe, ids)
    padded = np.broadcast_to(oracle.create_padding_mask(ids), got.shape) == 1
    past = np.broadcast_to(oracle.create_look_ahead_mask(ids.shape[1]) == 0, got.shape)
    expect_that(
        bool((got[padded & past] > 0.5).all()),
        Text("A padded key of the past is not hidden.", "과거에 있는 패딩 키가 가려지지 않았습니다."),
    )
    expect_that(
        bool((got[padded & ~past] > 0.5).all()),
        Text(
            "A key that is in the future and padding too is not hidden: hidden twice is still hidden.",
            "미래에 있으면서 패딩이기도 한 키가 가려지지 않았습니다. 두 번 가려도 가린 것입니다.",
        ),
    )
    expect_that(
        bool((np.abs(got[~padded & past]) < 0.5).all()),
        Text(
            "A key of the past that is no padding is hidden from some query.",
            "패딩이 아닌 과거의 키가 어떤 쿼리에게는 가려져 있습니다.",
        ),
    )


def test_decoder_ones(probe: Probe, draw: Draw) -> None:
    answer = probe.call("create_decoder_mask", _token_ids(draw, 3, draw.integer(6, 9)))
    _expect_ones(answer)


def test_decoder_other_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.choice(LARGE_IDS)
    ids = draw.integers(10, 30, 3, draw.integer(7, 9))
    ids[:, 1], ids[:, 2], ids[:, 3] = 0, pad_id + 1, pad_id
    right = oracle.create_decoder_mask(ids, pad_id)
    got = np.where(_decoder(probe, ids, pad_id=pad_id) > 0.5, 1.0, 0.0)
    past = oracle.create_look_ahead_mask(ids.shape[1]) == 0  # the future is another line's
    what = Text("the past entries", "과거 쪽 원소")
    expect_close(np.where(past, got, 0), np.where(past, right, 0), what, DECODER)


def test_decoder_own_padding(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, 3, draw.integer(7, 9))
    ids[0, 1] = ids[1, 2] = 0  # no sequence has all the padding of the others
    alone = np.concatenate([_decoder(probe, ids[i : i + 1]) for i in range(3)]) > 0.5
    together = _decoder(probe, ids) > 0.5
    expect_that(
        bool((alone == together).all()),
        Text(
            "A sequence has another mask in a batch than alone.",
            "같은 시퀀스인데 배치 안에 있을 때와 혼자 있을 때 마스크가 다릅니다.",
        ),
    )
    # right at the length above, or that has cost its own line; then at any other, and of nothing but padding
    if not np.array_equal(together, oracle.create_decoder_mask(ids) == 1):
        return
    nothing, long = np.zeros((1, 5), ids.dtype), _token_ids(draw, 2, draw.integer(34, 40))
    for some, en, ko in (
        (nothing, "of a sequence that is all padding", "패딩뿐인 시퀀스의"),
        (np.array([[5], [0]]), "of sequences of one token", "토큰이 하나인 시퀀스의"),
        (long, "of long sequences", "긴 시퀀스의"),
    ):
        what = Text(f"the mask {en}", f"{ko} 마스크")
        expect_close(np.where(_decoder(probe, some) > 0.5, 1.0, 0.0), oracle.create_decoder_mask(some), what, DECODER)


# --- masked-softmax --------------------------------------------------------------------------------------------------

# float16 keeps 11 bits: differences of scores of size 4 are off by up to 2e-3, and the weights with them
HALF_TOLERANCE = 5e-3


def _mask(draw: Draw, *shape: int) -> Array:
    """Draw a mask that hides something and keeps at least two entries in every row."""
    mask = (draw.uniform(0, 1, *shape) < 0.4).astype(np.float64)
    first = draw.integers(0, shape[-1] - 1, *shape[:-1], 1)
    for shift, value in ((0, 1.0), (1, 0.0), (2, 0.0)):
        np.put_along_axis(mask, (first + shift) % shape[-1], value, axis=-1)
    return mask


def _weights(probe: Probe, scores: np.ndarray, mask: np.ndarray) -> Array:
    return expect_shape(probe.call("masked_softmax", scores, mask), scores.shape, SCORES)


def _scores(draw: Draw, *leading: int) -> tuple[Array, Array]:
    """Draw scores and a mask of their shape."""
    query_len, key_len = draw.distinct(2, 4, 8)
    scores = draw.normal(*leading, query_len, key_len, scale=1.3)
    return scores, _mask(draw, *scores.shape)


def test_softmax_shape(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    _weights(probe, scores, mask)


def test_softmax_values(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    right = oracle.masked_softmax(scores, mask)
    expect_close(_weights(probe, scores, mask), right, Text("the weights", "가중치"), SCORES)


def test_softmax_exactly_zero(probe: Probe, draw: Draw) -> None:
    for number_type in (np.float64, np.float32):
        scores, mask = _scores(draw, 2, 3)
        got = _weights(probe, scores.astype(number_type), mask.astype(number_type))
        expect_that(
            bool((got[mask == 1] == 0).all()),
            Text("A hidden entry is small, but not exactly 0.", "가려진 원소가 작기는 하지만 정확히 0이 아닙니다."),
        )


def test_softmax_broadcast(probe: Probe, draw: Draw) -> None:
    query_len, key_len = draw.distinct(2, 4, 8)
    scores = draw.normal(2, 3, query_len, key_len, scale=1.3)
    for shape in ((2, 1, 1, key_len), (query_len, key_len), (2, 1, query_len, key_len)):
        mask = _mask(draw, *shape)
        what = Text(
            f"the weights with a mask of shape {shape} for scores {scores.shape}",
            f"모양 {shape}인 마스크와 모양 {scores.shape}인 점수의 가중치",
        )
        expect_close(_weights(probe, scores, mask), oracle.masked_softmax(scores, mask), what, SCORES)
    for fewer in (scores[0, 0], scores[0]):
        mask = _mask(draw, *fewer.shape)
        what = Text(f"the weights for scores of shape {fewer.shape}", f"모양 {fewer.shape}인 점수의 가중치")
        words = "(..., query_len, key_len)"
        expect_close(_weights(probe, fewer, mask), oracle.masked_softmax(fewer, mask), what, words)


def test_softmax_hidden_far_above(probe: Probe, draw: Draw) -> None:
    # exact in float16 too: multiples of 1/2 below 1024
    scores, mask = _scores(draw, 2, 3)
    scores = np.round(2 * scores) / 2
    near, far = scores - 1000, scores + draw.integer(500, 900)
    apart = np.where(mask == 1, far, near)
    right = oracle.masked_softmax(apart, mask)
    for number_type in (np.float64, np.float32):
        got = _weights(probe, apart.astype(number_type), mask.astype(number_type))
        expect_close(
            got,
            right,
            Text(
                "the weights beside hidden scores that are larger by thousands",
                "수천이나 더 큰 점수가 가려져 있을 때의 가중치",
            ),
            SCORES,
        )
    # each row's own largest score counts, not that of all rows, heads or sequences
    batch, heads, rows = (np.arange(n) for n in scores.shape[:3])
    steps = scores - 600.0 * rows[:, None] - 700.0 * heads[:, None, None] - 800.0 * batch[:, None, None, None]
    right = oracle.masked_softmax(steps, mask)
    for number_type in (np.float64, np.float32):
        got = _weights(probe, steps.astype(number_type), mask.astype(number_type))
        what = Text("the weights of rows whose scores differ by hundreds", "행마다 점수가 수백씩 다를 때의 가중치")
        expect_close(got, right, what, SCORES)


def test_softmax_empty_rows(probe: Probe, draw: Draw) -> None:
    for number_type in (np.float64, np.float32):
        scores, mask = _scores(draw, 2, 3)
        mask[1, :, -1] = 1
        mask[0, 2] = 1
        got = _weights(probe, scores.astype(number_type), mask.astype(number_type))
        what = Text("the weights with some rows wholly hidden", "어떤 행이 모두 가려졌을 때의 가중치")
        expect_close(got, oracle.masked_softmax(scores, mask), what, SCORES)


def test_softmax_half(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    scores = scores.astype(np.float16)
    got = _weights(probe, scores, mask.astype(np.float16))
    expect_close(
        got,
        oracle.masked_softmax(scores, mask),
        Text("the weights in float16", "float16 가중치"),
        SCORES,
        tolerance=HALF_TOLERANCE,
    )
    for score in (-5000, -20000):  # constants that float16 can hold, told apart by what they still hide
        less_low = np.where(mask == 1, 100, score).astype(np.float16)
        probe.tell_apart(lambda: probe.call("masked_softmax", less_low, mask.astype(np.float16)))  # noqa: B023
    # equal kept scores near the lower end of float16, where a constant that it can hold hides nothing
    low = np.where(mask == 1, 100, -60000).astype(np.float16)
    got = _weights(probe, low, mask.astype(np.float16))
    what = Text("the weights in float16 for very low scores", "점수가 아주 낮을 때 float16 가중치")
    expect_close(got, oracle.masked_softmax(low, mask), what, SCORES, tolerance=HALF_TOLERANCE)
    # what a wholly hidden row becomes is the line above's, unless only float16 makes it a NaN
    mask[1, 1] = 1
    narrow, wide = (_weights(probe, scores.astype(kind), mask.astype(kind)) for kind in (np.float16, np.float32))
    text = Text(
        "A wholly hidden row is NaN in float16, though not in float32. Which of your constants does float16 not know?",
        "모두 가려진 행이 float32에서는 NaN이 아닌데 float16에서는 NaN입니다. 여러분이 쓴 상수 가운데 float16에 없는 것은 무엇인가요?",
    )
    if (~np.isnan(wide) & np.isnan(narrow)).any():
        raise Miss(text)


def test_softmax_type(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    for number_type in (np.float16, np.float32):
        answer = probe.call("masked_softmax", scores.astype(number_type), mask.astype(number_type))
        got = expect_array(answer, SCORES).dtype
        wanted = np.dtype(number_type)
        text = Text(f"For scores in {wanted} the weights are in {got}.", f"점수는 {wanted}인데 가중치는 {got}입니다.")
        if got != wanted:
            raise Miss(text)


# --- keras-mask ------------------------------------------------------------------------------------------------------


def _to_keras(probe: Probe, mask: Array, shape: tuple[int, ...], words: str) -> Array:
    return expect_shape(probe.call("to_keras_attention_mask", mask), shape, words)


def test_keras_shape(probe: Probe, draw: Draw) -> None:
    batch, query_len, key_len = draw.distinct(3, 2, 8)
    mask = _mask(draw, batch, 1, query_len, key_len + 2)
    _to_keras(probe, mask, (batch, query_len, key_len + 2), "(batch, query_len, key_len)")


def test_keras_flip(probe: Probe, draw: Draw) -> None:
    batch, query_len, key_len = draw.distinct(3, 3, 8)
    mask = _mask(draw, batch, 1, query_len, key_len)
    for some in (mask, 1 - mask):  # of the same shape: nothing of the first may be left
        got = _to_keras(probe, some, (batch, query_len, key_len), "(batch, query_len, key_len)")
        expect_close(got, oracle.to_keras_attention_mask(some), Text("the mask for Keras", "케라스용 마스크"))


def test_keras_booleans(probe: Probe, draw: Draw) -> None:
    for shape in ((2, 1, 4, 5), (4, 5)):
        try:
            answer = probe.call("to_keras_attention_mask", _mask(draw, *shape))
        except AnswerError:
            if len(shape) == 4:
                raise
            return  # that two axes are too few for it is another line's
        kind = expect_array(answer, str(shape)).dtype
        text = Text(
            f"The mask for Keras of a mask {shape} is of type {kind}, but should be boolean.",
            f"모양 {shape}인 마스크에서 만든 케라스용 마스크의 자료형이 {kind}입니다. 불리언이어야 합니다.",
        )
        expect_that(kind == np.bool_, text)


def _expect_flipped(probe: Probe, mask: Array, words: str) -> None:
    """Miss unless the mask has the right shape and is right, or not flipped: that has cost its own line."""
    right = oracle.to_keras_attention_mask(mask)
    got = _to_keras(probe, mask, right.shape, words)
    what = Text(f"the mask for Keras of a mask {mask.shape}", f"모양 {mask.shape}인 마스크에서 만든 케라스용 마스크")
    expect_close(got, right, what, words)


def test_keras_padding(probe: Probe, draw: Draw) -> None:
    for batch in (draw.integer(2, 5), 1):
        mask = _mask(draw, batch, 1, 1, draw.integer(6, 9))
        mask[1:2] = 1  # nothing but padding
        _expect_flipped(probe, mask, "(batch, 1, key_len)")


def test_keras_square(probe: Probe, draw: Draw) -> None:
    query_len, key_len = draw.distinct(2, 4, 9)
    for mask in (_mask(draw, query_len, key_len), np.zeros((1, 1)), np.zeros((3, 1))):
        _expect_flipped(probe, mask, "(1, query_len, key_len)")


# --- leak-test -------------------------------------------------------------------------------------------------------

SOURCE = inspect.getsource(attends)


@dataclass(frozen=True)
class LeakCase:
    """One callable for the leak test.

    Attributes:
        what: what it is, a noun phrase.
        make: name of its maker in `attends`.
        args: of the maker.
        seq_len: that the student's function is told.
        dim: that it is told.
        leaks: whether it does.
    """

    what: Text
    make: str
    args: tuple[Any, ...]
    seq_len: int
    dim: int
    leaks: bool


def _projections(draw: Draw, dim: int) -> Array:
    """Draw projections for queries, keys and values that leave no weight very small: each leak can be seen."""
    projections = draw.normal(3, dim, dim, scale=dim**-0.5)
    projections[:2] *= 0.5
    return projections


def _hidden(size: int, diagonal: int = 1) -> Array:
    return np.triu(np.ones((size, size)), k=diagonal)


def _alike(shares: Array, dim: int) -> Array:
    """Return shares (size, size) for every feature: (size, size, dim)."""
    return np.repeat(shares[:, :, None], dim, axis=2)


def _running_mean(size: int) -> Array:
    return np.tril(np.ones((size, size))) / np.arange(1, size + 1)[:, None]


UNDER_LOOK_AHEAD = Text("attention under a look-ahead mask", "룩어헤드 마스크를 쓴 어텐션")


def plain_cases(draw: Draw) -> list[LeakCase]:
    """Return what a leak test meets first: no mask, an inverted mask, averages, layers of one position."""
    seq_len, dim = draw.integer(6, 9), draw.integer(3, 5)
    projections, one = _projections(draw, dim), draw.normal(dim, dim, scale=dim**-0.5)
    sees_later = np.tril(np.ones((seq_len, seq_len)))
    everywhere = np.full((seq_len, seq_len), 1 / seq_len)

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(UNDER_LOOK_AHEAD, "attention", False, _hidden(seq_len), projections),
        case(
            Text("attention without a mask", "마스크가 없는 어텐션"),
            "attention",
            True,
            _hidden(seq_len, seq_len),
            projections,
        ),
        case(
            Text("causal attention in tensors", "텐서로 계산하는 인과적 어텐션"),
            "attention",
            False,
            _hidden(seq_len),
            projections,
            "nothing",
            "keras",
        ),
        case(
            Text("attention under an inverted mask", "거꾸로 된 마스크를 쓴 어텐션"),
            "attention",
            True,
            sees_later,
            projections,
            "nothing",
            "keras",
        ),
        case(
            Text("the mean of everything so far", "지금까지의 모든 입력의 평균"),
            "mixture",
            False,
            _alike(_running_mean(seq_len), dim),
            one,
        ),
        case(Text("the mean of everything", "모든 입력의 평균"), "mixture", True, _alike(everywhere, dim), one),
        case(
            Text("a dense layer at each position", "위치마다 적용한 Dense 계층"),
            "mixture",
            False,
            _alike(np.eye(seq_len), dim),
            one,
            "keras",
        ),
        case(
            Text("a shift that looks back", "바로 앞 입력을 내놓는 이동"),
            "mixture",
            False,
            _alike(np.eye(seq_len, k=-1), dim),
            one,
        ),
    ]


def one_step_cases(draw: Draw) -> list[LeakCase]:
    """Return leaks of a single step, in attention, in a moving average, through a gate."""
    seq_len, dim = draw.integer(6, 9), draw.integer(3, 5)
    projections, one = _projections(draw, dim), draw.normal(dim, dim, scale=dim**-0.5)
    back, ahead = np.eye(seq_len) + np.eye(seq_len, k=-1), np.eye(seq_len) + np.eye(seq_len, k=1)

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(UNDER_LOOK_AHEAD, "attention", False, _hidden(seq_len), projections),
        case(
            Text("attention that sees one step too far", "한 걸음 더 멀리 보는 어텐션"),
            "attention",
            True,
            _hidden(seq_len, 2),
            projections,
        ),
        case(
            Text("an average with the input before", "바로 앞 입력과의 평균"),
            "mixture",
            False,
            _alike(back / 2, dim),
            one,
        ),
        case(
            Text("an average with the next input", "바로 다음 입력과의 평균"),
            "mixture",
            True,
            _alike(ahead / 2, dim),
            one,
        ),
        case(
            Text("a gate that the input before opens", "바로 앞 입력이 여는 게이트"),
            "product",
            False,
            _alike(np.eye(seq_len, k=-1), dim),
            one,
        ),
        case(
            Text("a gate that the next input opens", "바로 다음 입력이 여는 게이트"),
            "product",
            True,
            _alike(np.eye(seq_len, k=1), dim),
            one,
        ),
    ]


def one_place_cases(draw: Draw) -> list[LeakCase]:
    """Return leaks from one input to one output: the last ones, early ones, around the end, of one feature."""
    seq_len, dim = draw.integer(9, 12), draw.integer(3, 5)
    projections, one = _projections(draw, dim), draw.normal(dim, dim, scale=dim**-0.5)
    last = _hidden(seq_len)
    last[-2, -1] = 0
    early = _hidden(seq_len)
    early[1, 3] = 0  # both before the middle, so that one cut there shows nothing
    late = _hidden(seq_len)
    late[-4, -2] = 0
    first = _hidden(seq_len)
    first[0, 1] = 0
    back = np.eye(seq_len, k=-1)
    around = back.copy()
    around[0, -1] = 1  # what `numpy.roll` does
    causal = _alike(_running_mean(seq_len), dim)
    feature = causal.copy()
    # two inputs: one alone may by chance be changed to what looks the same after the projection
    feature[[1, 2], [5, 3], draw.integer(1, dim - 2)] = 0.5  # neither the first feature nor the last
    of_first, of_last = causal.copy(), causal.copy()
    of_first[[1, 2], [5, 3], 0] = of_last[[1, 2], [5, 3], -1] = 0.5
    without_first, twice = one.copy(), one.copy()
    without_first[0] = 0
    twice[:, 1] = twice[:, 0]
    opposite = causal.copy()
    opposite[[1, 2], [5, 3], 0], opposite[[1, 2], [5, 3], 1] = 0.5, -0.5

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(UNDER_LOOK_AHEAD, "attention", False, _hidden(seq_len), projections),
        case(
            Text("attention in which one output sees the last input", "출력 하나가 맨 끝 입력을 보는 어텐션"),
            "attention",
            True,
            last,
            projections,
        ),
        case(
            Text("attention in which one early output sees too far", "앞쪽 출력 하나가 너무 멀리 보는 어텐션"),
            "attention",
            True,
            early,
            projections,
        ),
        case(
            Text("attention in which one late output sees too far", "뒤쪽 출력 하나가 너무 멀리 보는 어텐션"),
            "attention",
            True,
            late,
            projections,
        ),
        case(
            Text("attention in which the first output sees the second input", "첫 출력이 둘째 입력을 보는 어텐션"),
            "attention",
            True,
            first,
            projections,
        ),
        case(Text("a shift that looks back", "바로 앞 입력을 내놓는 이동"), "mixture", False, _alike(back, dim), one),
        case(
            Text("a shift that goes around the end", "맨 끝 입력이 맨 앞으로 돌아오는 이동"),
            "mixture",
            True,
            _alike(around, dim),
            one,
        ),
        case(
            Text("a running mean of each feature", "특징마다 지금까지의 평균"), "mixture", False, causal, one, "keras"
        ),
        case(
            Text(
                "a running mean with one feature of two inputs too many",
                "특징 하나에 입력 두 개가 더 섞인 지금까지의 평균",
            ),
            "mixture",
            True,
            feature,
            one,
            "keras",
        ),
        *(
            case(
                Text(
                    f"a running mean with the {en} feature of two inputs too many",
                    f"{ko} 특징에 입력 두 개가 더 섞인 지금까지의 평균",
                ),
                "mixture",
                True,
                shares,
                one,
            )
            for shares, en, ko in ((of_first, "first", "첫"), (of_last, "last", "마지막"))
        ),
        case(
            Text("a running mean without the first feature", "첫 특징을 뺀 지금까지의 평균"),
            "mixture",
            False,
            causal,
            without_first,
        ),
        case(
            Text(
                "a running mean that sees ahead, but not at the first feature",
                "앞을 보지만 첫 특징은 보지 않는 지금까지의 평균",
            ),
            "mixture",
            True,
            feature,
            without_first,
        ),
        case(
            Text("a running mean with one feature twice", "한 특징이 두 번 들어간 지금까지의 평균"),
            "mixture",
            False,
            causal,
            twice,
        ),
        case(
            Text(
                "a running mean that sees ahead with opposite signs in two features",
                "두 특징에서 서로 반대 부호로 앞을 보는 지금까지의 평균",
            ),
            "mixture",
            True,
            opposite,
            twice,
        ),
    ]


def long_cases(draw: Draw) -> list[LeakCase]:
    """Return attention whose mask ends too early: it leaks for long inputs only."""
    limit, dim = draw.integer(17, 20), draw.integer(3, 5)
    long, short, most = limit + draw.integer(4, 8), draw.integer(5, 8), 40
    projections = _projections(draw, dim)
    rows, columns = _hidden(most), _hidden(most)
    rows[limit:] = 0
    columns[:, limit:] = 0
    return [
        LeakCase(
            Text("causal attention over long inputs", "긴 입력에 대한 인과적 어텐션"),
            "attention",
            (_hidden(most), projections),
            long,
            dim,
            False,
        ),
        LeakCase(
            Text("attention whose late outputs have no mask", "뒤쪽 출력에 마스크가 없는 어텐션"),
            "attention",
            (rows, projections),
            long,
            dim,
            True,
        ),
        LeakCase(
            Text("attention whose late inputs have no mask", "뒤쪽 입력에 마스크가 없는 어텐션"),
            "attention",
            (columns, projections),
            long,
            dim,
            True,
        ),
        LeakCase(
            Text(
                "the same over inputs for which the mask is long enough",
                "마스크가 모자라지 않는 짧은 입력에 대한 같은 어텐션",
            ),
            "attention",
            (rows, projections),
            short,
            dim,
            False,
        ),
    ]


def normalised_cases(draw: Draw) -> list[LeakCase]:
    """Return attention after a normalisation: over the features, over time, over the time so far; more features than positions."""
    seq_len, dim = draw.integer(5, 7), draw.integer(8, 9)
    projections = _projections(draw, dim)
    causal = _hidden(seq_len)

    def case(what: Text, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, "attention", (args[0], projections, args[1]), seq_len, dim, leaks)

    return [
        case(
            Text("causal attention after a normalisation over the features", "특징들에 대한 정규화 뒤의 인과적 어텐션"),
            False,
            causal,
            "features",
        ),
        case(
            Text(
                "causal attention after a normalisation over all positions",
                "모든 위치에 대한 정규화 뒤의 인과적 어텐션",
            ),
            True,
            causal,
            "time",
        ),
        case(
            Text(
                "causal attention after a normalisation over the positions so far",
                "지금까지의 위치들에 대한 정규화 뒤의 인과적 어텐션",
            ),
            False,
            causal,
            "so far",
        ),
        case(
            Text(
                "attention without a mask after a normalisation over the features",
                "특징들에 대한 정규화 뒤의, 마스크가 없는 어텐션",
            ),
            True,
            0 * causal,
            "features",
        ),
    ]


WEAK = 4.5e-4  # what the task promises, 1e-4, and a margin: an input changed by 1 changes its projection less


def size_cases(draw: Draw) -> list[LeakCase]:
    """Return a weak leak, and a layer in float32 whose rounding reaches every output."""
    seq_len, dim = draw.integer(8, 11), draw.integer(3, 5)
    one = draw.normal(dim, dim, scale=dim**-0.5)
    taps = np.zeros(2 * seq_len - 1)
    taps[seq_len - 1 :] = draw.uniform(0.2, 0.9, seq_len) / np.arange(1, seq_len + 1)
    weak_taps = taps.copy()
    weak_taps[seq_len - 4] = WEAK  # the input three steps later
    mean = _alike(_running_mean(seq_len), dim)
    weak = mean.copy()
    weak[[0, 1, 2], [-1, -2, -3]] = WEAK

    def case(what: Text, make: str, leaks: bool, *args: Any) -> LeakCase:
        return LeakCase(what, make, args, seq_len, dim, leaks)

    return [
        case(
            Text("a causal layer whose outputs float32 rounds", "출력을 float32로 반올림하는 인과적 계층"),
            "convolution",
            False,
            taps,
            one,
        ),
        case(
            Text("a weak leak under the rounding of float32", "float32의 반올림 속에 있는 약한 누수"),
            "convolution",
            True,
            weak_taps,
            one,
        ),
        case(Text("a running mean", "지금까지의 평균"), "mixture", False, mean, one),
        case(Text("a weak leak in a few places", "몇 곳에 있는 약한 누수"), "mixture", True, weak, one),
    ]


def _verdict(probe: Probe, case: LeakCase) -> bool:
    """Return the student's verdict on a callable."""
    attend = probe.offer(SOURCE, case.make, *case.args)
    answer = probe.call("leaks_future", attend, case.seq_len, case.dim)
    return expect_truth_value(answer)


LEAK_UNSEEN = Text("The leak was not seen", "누수를 찾지 못했습니다")
LEAK_INVENTED = Text("There is no leak, but one was reported", "누수가 없는데 있다고 했습니다")


def _ask_about_single_leaks(probe: Probe, draw: Draw) -> None:
    """Ask about leaks from one input to one output, of one feature, and weak ones: what is seen tells mistakes apart."""
    seq_len, dim = 7, 4
    one = draw.normal(dim, dim)
    alone = _alike(np.eye(seq_len), dim)

    def leak(row: int, column: int, share: float, feature: int | slice = slice(None)) -> Array:
        shares = alone.copy() if share == 1 else np.zeros_like(alone)
        shares[row, column, feature] = share
        return shares

    places = np.transpose(np.triu_indices(seq_len, k=1))
    panel = [(alone, 0.0), (_alike(_running_mean(seq_len), dim), 0.0), (_alike(np.eye(seq_len, k=-1), dim), 0.0)]
    panel += [(leak(row, column, 1), 0.0) for row, column in places]
    panel += [(leak(1, 3, 1, feature), 0.0) for feature in range(dim)]
    panel += [
        (leak(0, -1, share), offset) for share, offset in ((1e-30, 0.0), (1e-14, 4.0), (3e-8, 4.0), (WEAK / 3, 0.0))
    ]
    asked = [("mixture", (shares, one, "numpy", offset)) for shares, offset in panel]
    centred = one - one.mean(axis=0)  # the same number added to every feature changes nothing
    asked += [("mixture", (leak(1, 3, 1), centred)), ("previous", ())]
    for make, args in asked:
        _verdict(probe, LeakCase(UNDER_LOOK_AHEAD, make, args, seq_len, dim, False))


def _expect_verdicts(probe: Probe, draw: Draw, cases: list[LeakCase]) -> None:
    """Miss at the first wrong verdict."""
    probe.tell_apart(lambda: probe.once("single leaks", lambda: _ask_about_single_leaks(probe, draw)))

    def misjudged(case: LeakCase) -> LeakCase | None:
        return case if _verdict(probe, case) != case.leaks else None

    for case in in_drawn_order(draw, misjudged, cases):
        if case is not None:
            wrong = LEAK_UNSEEN if case.leaks else LEAK_INVENTED
            text = Text(f"{wrong.en}: {case.what.en}.", f"{wrong.ko}: {case.what.ko}.")
            raise Miss(text)


def test_leak_answer(probe: Probe, draw: Draw) -> None:
    for case in plain_cases(draw)[:2]:
        _verdict(probe, case)


def test_leak_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, plain_cases(draw))


def test_leak_one_step(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, one_step_cases(draw))


def test_leak_one_place(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, one_place_cases(draw))


def test_leak_long(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, long_cases(draw))


def test_leak_normalised(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, normalised_cases(draw))


def test_leak_size(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, size_cases(draw))
