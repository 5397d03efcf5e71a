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

from autograder.base.errors import AnswerError, AnswerRaised
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
    is_close,
    shape_of,
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


def _is_floats(answer: Any) -> bool:
    return isinstance(answer, np.ndarray) and answer.dtype.kind == "f"


def _expect_ones(answer: Any, kinds: dict[str, str], other: str) -> None:
    """Miss unless an answer whose places are right holds floats, 0 and 1 only.

    `kinds` maps kinds of types to the mistakes that give them; `other` is the mistake of other numbers.
    """
    expect_that(_is_floats(answer), FLOATS, kinds.get(_kind_of(answer)))
    expect_that(bool(np.isin(answer, (0, 1)).all()), OTHER_NUMBERS, other)


def _kind_of(answer: Any) -> str:
    """Return the kind of an array's type: `f`, `i`, `b`; empty for what is no array."""
    return answer.dtype.kind if isinstance(answer, np.ndarray) else ""


def _expect_mask(
    answer: Any, expected: Array, what: Text, words: str, confusions: dict[str, Array], infinite: str | None = None
) -> None:
    """Miss unless the answer hides where `expected` does, whatever number it hides with.

    `infinite` is the mistake of hiding with minus infinity.
    """
    got = expect_shape(answer, expected.shape, words)
    if np.isneginf(got).any() and np.array_equal(np.isneginf(got), expected == 1):
        raise Miss(
            Text(
                f"{what.en.capitalize()} are hidden by minus infinity. Here a mask holds 1 there, and 0 elsewhere.",
                f"{what.ko}: 마이너스 무한대로 가렸습니다. 이 과정의 마스크는 가리는 곳에 1, 나머지에 0을 담습니다.",
            ),
            infinite,
        )
    expect_close(np.where(got > 0.5, 1.0, np.where(np.abs(got) < 1e-6, 0.0, got)), expected, what, words, confusions)


# --- padding-mask ----------------------------------------------------------------------------------------------------


def test_padding_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len = draw.integer(2, 4), draw.integer(7, 10)
    answer = probe.call("create_padding_mask", _token_ids(draw, batch, seq_len))
    try:
        expect_shape(answer, (batch, 1, 1, seq_len), PADDING)
    except Miss as miss:
        shape = answer.shape if isinstance(answer, np.ndarray) else None
        known: dict[Any, str] = {
            (batch, seq_len): "padding-flat",
            (batch, 1, seq_len): "padding-one-axis",
            (batch, 1, seq_len, 1): "padding-queries",
        }
        raise Miss(miss.text, known.get(shape)) from None


def test_padding_values(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, draw.integer(2, 4), draw.integer(7, 10))
    right = oracle.create_padding_mask(ids)
    confusions = {
        "padding-inverted": 1 - right,
        "padding-first-sequence": np.broadcast_to(right[:1], right.shape),
    }
    answer = probe.call("create_padding_mask", ids)
    what = Text("the padded positions", "패딩 마스크")
    _expect_mask(answer, right, what, PADDING, confusions, infinite="padding-minus-infinity")


def test_padding_anywhere(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, 3, draw.integer(7, 10))
    ids[0] = ids[0, ::-1]
    ids[1] = np.where(ids[1] == 0, 5, ids[1])
    ids[2, 2] = 0
    for some in (ids, ids[:1]):
        answer = probe.call("create_padding_mask", some)
        by_length = np.arange(some.shape[1]) >= (some != 0).sum(axis=1, keepdims=True)
        confusions = {"padding-by-length": by_length[:, None, None, :].astype(np.float64)}
        what = Text("the padded positions", "패딩 마스크")
        _expect_mask(answer, oracle.create_padding_mask(some), what, PADDING, confusions)


def test_padding_other_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.integer(3, 9)
    ids = _token_ids(draw, 3, draw.integer(7, 10), pad_id)
    ids[:, 1] = 0  # an ordinary token here
    confusions = {"padding-id-ignored": oracle.create_padding_mask(ids, 0)}
    answer = probe.call("create_padding_mask", ids, pad_id=pad_id)
    _expect_mask(
        answer,
        oracle.create_padding_mask(ids, pad_id),
        Text("the padded positions", "패딩 마스크"),
        PADDING,
        confusions,
    )


def test_padding_floats(probe: Probe, draw: Draw) -> None:
    answer = probe.call("create_padding_mask", _token_ids(draw, 2, 7))
    _expect_ones(answer, {"b": "padding-booleans"}, "padding-other-number")


# --- look-ahead-mask -------------------------------------------------------------------------------------------------


def test_ahead_shape(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 9)
    three = {"ahead-three-axes": (1, size, size)}
    expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE, three)


def test_ahead_sides(probe: Probe, draw: Draw) -> None:
    size = draw.integer(5, 9)
    right = oracle.create_look_ahead_mask(size)
    got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
    off = 1 - np.eye(size)  # the diagonal is the next line's
    confusions = {"ahead-two-steps": np.triu(np.ones((size, size)), k=2)}
    confusions["ahead-says-who-is-seen" if np.diagonal(got).any() else "ahead-past-hidden"] = right.T
    what = Text("the entries off the diagonal", "대각선 밖의 원소")
    _expect_mask(np.where(off == 1, got, 0), right, what, SQUARE, confusions, infinite="ahead-minus-infinity")


def test_ahead_diagonal(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 9)
    got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
    expect_that(
        bool((np.diagonal(got) == 0).all()),
        Text("A position doesn't see itself.", "위치가 자기 자신을 보지 못합니다."),
        "ahead-with-diagonal" if (np.diagonal(got) == 1).all() else None,
    )


def test_ahead_sizes(probe: Probe, draw: Draw) -> None:
    usual = draw.integer(4, 9)
    # a diagonal that is hidden at every size has cost its own line
    hides_itself = expect_shape(probe.call("create_look_ahead_mask", usual), (usual, usual), SQUARE)[0, 0] != 0
    for size in (1, draw.integer(60, 120)):
        got = expect_shape(probe.call("create_look_ahead_mask", size), (size, size), SQUARE)
        looked_at = np.where(np.eye(size) == 1, 0, got) if hides_itself else got
        what = Text(
            f"the mask of {size} positions" if size > 1 else "the mask of one position", f"위치 {size}개의 마스크"
        )
        right = oracle.create_look_ahead_mask(size)
        limit = 1 + int(np.flatnonzero(looked_at.any(axis=0)).max(initial=-1))  # what lies beyond is hidden from nobody
        table = {"ahead-table-too-small": np.where(np.arange(size) < limit, right, 0)} if limit else {}
        confusions = table if size > 1 else {"ahead-one-position": np.ones((1, 1))}
        _expect_mask(looked_at, right, what, SQUARE, confusions)


def test_ahead_floats(probe: Probe, draw: Draw) -> None:
    answer = probe.call("create_look_ahead_mask", draw.integer(4, 9))
    _expect_ones(answer, {"i": "ahead-integers", "u": "ahead-integers"}, "ahead-other-number")


# --- decoder-mask ----------------------------------------------------------------------------------------------------


def _decoder(probe: Probe, ids: np.ndarray, **kwargs: int) -> Array:
    """Return the student's decoder mask; whether it is floats and only 0 and 1 is judged by `decoder-ones`."""
    batch, seq_len = ids.shape
    return expect_shape(probe.call("create_decoder_mask", ids, **kwargs), (batch, 1, seq_len, seq_len), DECODER)


def test_decoder_shape(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, draw.integer(2, 3), draw.integer(6, 9))
    try:
        _decoder(probe, ids)
    except Miss as miss:
        answer, ahead = probe.call("create_decoder_mask", ids), oracle.create_look_ahead_mask(ids.shape[1])
        alone = isinstance(answer, np.ndarray) and np.array_equal(answer, ahead)
        raise Miss(miss.text, "decoder-look-ahead-only" if alone else None) from None


def _either_forgotten(probe: Probe, ids: np.ndarray) -> str | None:
    """Return which mistake hides nothing where no padding is: asked about a batch with padding."""
    ids = ids.copy()
    ids[:, 1] = ids[:, -1] = 0
    try:
        got = _decoder(probe, ids)
    except (AnswerError, Miss):
        return None
    padding, ahead = oracle.create_padding_mask(ids), oracle.create_look_ahead_mask(ids.shape[1])
    if np.array_equal(got, np.broadcast_to(padding, got.shape)):
        return "decoder-future-forgotten"
    return "decoder-keeps-what-one-keeps" if np.array_equal(got, np.minimum(padding, ahead)) else None


def test_decoder_future(probe: Probe, draw: Draw) -> None:
    ids = draw.integers(1, 30, draw.integer(2, 4), draw.integer(6, 9))
    right = oracle.create_decoder_mask(ids)
    what = Text("the entries without padding", "패딩이 없는 시퀀스의 마스크")
    got = _decoder(probe, ids)
    confusions = {"decoder-inverted": 1 - right}
    known = None if got.any() else _either_forgotten(probe, ids)
    _expect_mask(got, right, what, DECODER, {**confusions, known: got} if known else confusions)


def test_decoder_padding(probe: Probe, draw: Draw) -> None:
    # the same in all sequences: whether each has its own is another line's
    ids = draw.integers(1, 30, draw.integer(2, 3), draw.integer(7, 9))
    ids[:, [0, *draw.distinct(2, 1, 3), -1]] = 0
    got = _decoder(probe, ids)
    padded = np.broadcast_to(oracle.create_padding_mask(ids), got.shape) == 1
    past = np.broadcast_to(oracle.create_look_ahead_mask(ids.shape[1]) == 0, got.shape)
    hidden = padded | ~past
    patterns = {
        "decoder-padding-forgotten": ~past,
        "decoder-keeps-what-one-keeps": padded & ~past,
        "decoder-empty-rows-opened": hidden & ~hidden.all(axis=-1, keepdims=True),
    }
    known = [name for name, pattern in patterns.items() if np.array_equal(got, pattern)]
    expect_that(
        bool((got[padded & past] > 0.5).all()),
        Text("A padded key of the past is not hidden.", "과거에 있는 패딩 키가 가려지지 않았습니다."),
        known[0] if len(known) == 1 else None,
    )
    expect_that(
        bool((got[padded & ~past] > 0.5).all()),
        Text(
            "A key that is in the future and padding too is not hidden: hidden twice is still hidden.",
            "미래에 있으면서 패딩이기도 한 키가 가려지지 않았습니다. 두 번 가려도 가린 것입니다.",
        ),
        "decoder-exclusive-or" if (got[~padded & ~past] > 0.5).all() else None,
    )
    expect_that(
        bool((np.abs(got[~padded & past]) < 0.5).all()),
        Text(
            "A key of the past that is no padding is hidden from some query.",
            "패딩이 아닌 과거의 키가 어떤 쿼리에게는 가려져 있습니다.",
        ),
        "decoder-hides-queries",
    )


def test_decoder_ones(probe: Probe, draw: Draw) -> None:
    answer = probe.call("create_decoder_mask", _token_ids(draw, 3, draw.integer(6, 9)))
    expect_that(_is_floats(answer), FLOATS, "decoder-booleans" if _kind_of(answer) == "b" else None)
    twos = bool((answer == 2).any())
    expect_that(
        bool(np.isin(answer, (0, 1)).all()),
        OTHER_NUMBERS,
        "decoder-twos" if twos else None,
    )


def test_decoder_other_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.integer(3, 9)
    ids = draw.integers(10, 30, 3, draw.integer(7, 9))
    ids[:, 1], ids[:, 3] = 0, pad_id
    right = oracle.create_decoder_mask(ids, pad_id)
    confusions = {"decoder-id-ignored": oracle.create_decoder_mask(ids, 0)}
    got = np.where(_decoder(probe, ids, pad_id=pad_id) > 0.5, 1.0, 0.0)
    past = oracle.create_look_ahead_mask(ids.shape[1]) == 0  # the future is another line's
    confusions = {name: np.where(past, wrong, 0) for name, wrong in confusions.items()}
    expect_close(
        np.where(past, got, 0), np.where(past, right, 0), Text("the past entries", "과거 쪽 원소"), DECODER, confusions
    )


def test_decoder_own_padding(probe: Probe, draw: Draw) -> None:
    ids = _token_ids(draw, 3, draw.integer(7, 9))
    ids[0, 1] = ids[1, 2] = 0  # no sequence has all the padding of the others
    joined = np.tile(oracle.create_padding_mask(ids).max(axis=0, keepdims=True), (3, 1, 1, 1))
    joined = np.maximum(joined, oracle.create_look_ahead_mask(ids.shape[1])) > 0.5
    alone = np.concatenate([_decoder(probe, ids[i : i + 1]) for i in range(3)]) > 0.5
    together = _decoder(probe, ids) > 0.5
    expect_that(
        bool((alone == together).all()),
        Text(
            "A sequence has another mask in a batch than alone.",
            "같은 시퀀스인데 배치 안에 있을 때와 혼자 있을 때 마스크가 다릅니다.",
        ),
        "decoder-batch-joined" if np.array_equal(together, joined) else None,
    )


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
    try:
        _weights(probe, scores, mask)
    except AnswerRaised as error:
        # broadcasting said which shapes, and the line which operation
        shape = ",".join(str(n) for n in scores.shape[:-1])
        lost = any(shape + end in error.raw.replace(" ", "") for end in (")", "]"))
        divides = "/" in error.text.en and "sum" in error.text.en and "max" not in error.text.en
        if not (lost and divides):
            raise
        raise Miss(error.text, "softmax-without-keepdims") from None


def test_softmax_values(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    plain = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    hidden_ones = np.exp(scores * (1 - mask))
    confusions = {
        "softmax-hides-after": plain * (1 - mask),
        "softmax-mask-inverted": oracle.masked_softmax(scores, 1 - mask),
        "softmax-zero-score": hidden_ones / hidden_ones.sum(axis=-1, keepdims=True),
        "softmax-mask-forgotten": plain,
    }
    expect_close(
        _weights(probe, scores, mask),
        oracle.masked_softmax(scores, mask),
        Text("the weights", "가중치"),
        SCORES,
        confusions,
    )


def test_softmax_exactly_zero(probe: Probe, draw: Draw) -> None:
    for number_type in (np.float64, np.float32):
        scores, mask = _scores(draw, 2, 3)
        got = _weights(probe, scores.astype(number_type), mask.astype(number_type))
        expect_that(
            bool((got[mask == 1] == 0).all()),
            Text("A hidden entry is small, but not exactly 0.", "가려진 원소가 작기는 하지만 정확히 0이 아닙니다."),
            "softmax-constant-30" if _lowered_by_a_constant(got, scores, mask) else None,
        )


def _lowered_by_a_constant(got: Array, scores: Array, mask: Array) -> bool:
    """Tell whether the hidden weights are those of scores that are smaller by one and the same number."""
    hidden = mask == 1
    if not (got > 0).all():
        return False
    kept = np.log(np.where(hidden, 0, np.exp(scores)).sum(axis=-1, keepdims=True))
    lowered = (scores - kept - np.log(got))[hidden]
    return bool(lowered.min() > 1 and np.ptp(lowered) < 1e-3 * lowered.min())


def test_softmax_broadcast(probe: Probe, draw: Draw) -> None:
    query_len, key_len = draw.distinct(2, 4, 8)
    scores = draw.normal(2, 3, query_len, key_len, scale=1.3)
    for shape in ((2, 1, 1, key_len), (query_len, key_len), (2, 1, query_len, key_len)):
        mask = _mask(draw, *shape)
        what = Text(
            f"the weights with a mask of shape {shape} for scores {scores.shape}",
            f"모양 {shape}인 마스크와 모양 {scores.shape}인 점수의 가중치",
        )
        try:
            got = _weights(probe, scores, mask)
        except AnswerRaised as error:
            by_index = "boolean index did not match", "shape of the mask"  # NumPy, torch
            if not any(words in error.raw for words in by_index):
                raise
            raise Miss(error.text, "softmax-same-shape-only") from None
        expect_close(got, oracle.masked_softmax(scores, mask), what, SCORES)
    for fewer in (scores[0, 0], scores[0]):
        mask = _mask(draw, *fewer.shape)
        what = Text(f"the weights for scores of shape {fewer.shape}", f"모양 {fewer.shape}인 점수의 가중치")
        words = "(..., query_len, key_len)"
        try:
            got = _weights(probe, fewer, mask)
        except AnswerRaised as error:
            if "not enough values to unpack (expected 4" not in error.raw:
                raise
            raise Miss(error.text, "softmax-four-axes-only") from None
        expect_close(got, oracle.masked_softmax(fewer, mask), what, words)


def test_softmax_hidden_far_above(probe: Probe, draw: Draw) -> None:
    # exact in float16 too: multiples of 1/2 below 1024
    scores, mask = _scores(draw, 2, 3)
    scores = np.round(2 * scores) / 2
    near, far = scores - 1000, scores + draw.integer(500, 900)
    apart = np.where(mask == 1, far, near)
    right = oracle.masked_softmax(apart, mask)
    for number_type in (np.float64, np.float32):
        got = _weights(probe, apart.astype(number_type), mask.astype(number_type))
        confusions = {}
        if not got.any():  # not so without any maximum: then low scores alone are enough
            alone = _weights(probe, near.astype(number_type), mask.astype(number_type))
            if np.allclose(alone, oracle.masked_softmax(near, mask), atol=1e-4):
                confusions["softmax-largest-of-all"] = got
        expect_close(
            got,
            right,
            Text(
                "the weights beside hidden scores that are larger by thousands",
                "수천이나 더 큰 점수가 가려져 있을 때의 가중치",
            ),
            SCORES,
            confusions,
        )
    # each row's own largest score counts, not that of all rows
    steps = scores - 600.0 * np.arange(scores.shape[-2])[:, None]
    right = oracle.masked_softmax(steps, mask)
    for number_type in (np.float64, np.float32):
        got = _weights(probe, steps.astype(number_type), mask.astype(number_type))
        what = Text("the weights of rows whose scores differ by hundreds", "행마다 점수가 수백씩 다를 때의 가중치")
        e = np.where(mask == 1, 0, np.exp((steps - steps[mask == 0].max()).astype(number_type)))
        total = e.sum(axis=-1, keepdims=True)
        confusions = {"softmax-largest-of-all-rows": e / np.where(total == 0, 1, total)}
        expect_close(got, right, what, SCORES, confusions)


def test_softmax_empty_rows(probe: Probe, draw: Draw) -> None:
    for number_type in (np.float64, np.float32):
        scores, mask = _scores(draw, 2, 3)
        mask[1, :, -1] = 1
        mask[0, 2] = 1
        got = _weights(probe, scores.astype(number_type), mask.astype(number_type))
        right = oracle.masked_softmax(scores, mask)
        hidden = np.asarray(mask.all(axis=-1))
        what = Text("the weights with some rows wholly hidden", "어떤 행이 모두 가려졌을 때의 가중치")
        uniform = np.where(hidden[..., None], 1 / scores.shape[-1], right)
        plain = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
        # float64 still tells scores apart that are lowered by 1e9
        confusions = {"softmax-where-1e9": uniform, "softmax-minus-1e9": np.where(hidden[..., None], plain, right)}
        only_there = np.array_equal(np.isnan(got), np.broadcast_to(hidden[..., None], got.shape))
        try:
            expect_close(got, right, what, SCORES, confusions, nan="softmax-nan" if only_there else None)
        except Miss as miss:
            known = miss.mistake
            if known == "softmax-where-1e9" and not _replaces_hidden_scores(probe, scores.shape):
                known = "softmax-minus-1e9"
            raise Miss(miss.text, known, miss.pattern) from None


def _replaces_hidden_scores(probe: Probe, shape: tuple[int, ...]) -> bool:
    """Whether hidden scores give uniform weights however far apart they are: float32 tells those from 1e9 less, not others."""
    far = np.broadcast_to(4096.0 * np.arange(shape[-1]), shape).astype(np.float32)
    try:
        return is_close(_weights(probe, far, np.ones(shape, np.float32)), np.full(shape, 1 / shape[-1]))
    except (AnswerError, Miss):
        return False


def _half_nan(probe: Probe, scores: np.ndarray, mask: Array) -> str | None:
    """Return why kept weights are NaN in float16, and in float32 right."""
    mask = mask.copy()
    mask[1, 1] = 1
    try:
        wide = _weights(probe, scores.astype(np.float32), mask.astype(np.float32))
    except (AnswerError, Miss):
        return None
    # weights of a wholly hidden row would be those of `softmax-minus-1e9`
    right = np.allclose(wide, oracle.masked_softmax(scores, mask), atol=1e-3)
    return "softmax-empty-rows-only-1e9" if right else None


def _half_zeros(probe: Probe, mask: Array) -> str | None:
    """Return why weights of very low scores are 0 in float16: a constant, if those of less low ones are right."""

    def right(score: float) -> bool:
        low = np.where(mask == 1, 100, score).astype(np.float16)
        got = _weights(probe, low, mask.astype(np.float16))
        return np.allclose(got, oracle.masked_softmax(low, mask), atol=HALF_TOLERANCE)

    try:
        if not right(-5000):
            return None
        return "softmax-constant-3e4" if right(-20000) else "softmax-constant-1e4"
    except (AnswerError, Miss):
        return None


def _adds_tiny_number(probe: Probe, scores: np.ndarray, mask: Array) -> bool:
    """Tell whether in float64 the sums below the fractions are too large by one number that float16 doesn't know."""
    scores = scores.astype(np.float64)
    try:
        sums = _weights(probe, scores, mask).sum(axis=-1)
    except (AnswerError, Miss):
        return False
    kept = ~mask.all(axis=-1)
    low = np.where(mask == 1, -np.inf, scores)[kept]
    totals = np.exp(low - low.max(axis=-1, keepdims=True)).sum(axis=-1)
    with np.errstate(divide="ignore"):
        added = totals * (1 / sums[kept] - 1)
    return bool(added.min() > 1e-14 and added.max() < min(1.1 * added.min(), 2.9e-8))


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
        nan=_half_nan(probe, scores, mask) if np.isnan(got[mask == 0]).any() else None,
    )
    # equal kept scores near the lower end of float16, where a constant that it can hold hides nothing
    low = np.where(mask == 1, 100, -60000).astype(np.float16)
    got = _weights(probe, low, mask.astype(np.float16))
    what = Text("the weights in float16 for very low scores", "점수가 아주 낮을 때 float16 가중치")
    known = None if got[mask == 0].any() else _half_zeros(probe, mask)
    confusions = {known: got} if known else None
    expect_close(got, oracle.masked_softmax(low, mask), what, SCORES, confusions, HALF_TOLERANCE)
    # what a wholly hidden row becomes is the line above's, unless only float16 makes it a NaN
    mask[1, 1] = 1
    narrow, wide = (_weights(probe, scores.astype(kind), mask.astype(kind)) for kind in (np.float16, np.float32))
    text = Text(
        "A wholly hidden row is NaN in float16, though not in float32. Which of your constants does float16 not know?",
        "모두 가려진 행이 float32에서는 NaN이 아닌데 float16에서는 NaN입니다. 여러분이 쓴 상수 가운데 float16에 없는 것은 무엇인가요?",
    )
    if (~np.isnan(wide) & np.isnan(narrow)).any():
        raise Miss(text, "softmax-tiny-epsilon" if _adds_tiny_number(probe, scores, mask) else None)


def test_softmax_type(probe: Probe, draw: Draw) -> None:
    scores, mask = _scores(draw, 2, 3)
    for number_type in (np.float16, np.float32):
        answer = probe.call("masked_softmax", scores.astype(number_type), mask.astype(number_type))
        got = expect_array(answer, SCORES).dtype
        wanted = np.dtype(number_type)
        text = Text(f"For scores in {wanted} the weights are in {got}.", f"점수는 {wanted}인데 가중치는 {got}입니다.")
        if got != wanted:
            wide = expect_array(probe.call("masked_softmax", scores, mask), SCORES).dtype  # float64 becomes float32 too
            raise Miss(text, "softmax-returns-float32" if got == wide == np.float32 else None)


# --- keras-mask ------------------------------------------------------------------------------------------------------


def _to_keras(
    probe: Probe, mask: Array, shape: tuple[int, ...], words: str, confusions: dict[str, tuple[int, ...]] | None = None
) -> Array:
    return expect_shape(probe.call("to_keras_attention_mask", mask), shape, words, confusions)


def test_keras_shape(probe: Probe, draw: Draw) -> None:
    batch, query_len, key_len = draw.distinct(3, 2, 8)
    mask = _mask(draw, batch, 1, query_len, key_len + 2)
    heads = {"keras-keeps-heads": mask.shape}
    _to_keras(probe, mask, (batch, query_len, key_len + 2), "(batch, query_len, key_len)", heads)


def test_keras_flip(probe: Probe, draw: Draw) -> None:
    batch, query_len, key_len = draw.distinct(3, 3, 8)
    mask = _mask(draw, batch, 1, query_len, key_len)
    got = _to_keras(probe, mask, (batch, query_len, key_len), "(batch, query_len, key_len)")
    confusions = {"keras-not-flipped": mask[:, 0]}
    expect_close(
        got, oracle.to_keras_attention_mask(mask), Text("the mask for Keras", "케라스용 마스크"), confusions=confusions
    )


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
        known = "keras-flips-booleans-late" if len(shape) == 4 else "keras-two-axes-floats"
        expect_that(kind == np.bool_, text, known if kind.kind == "f" else None)


def _expect_flipped(probe: Probe, mask: Array, words: str) -> None:
    """Miss unless the mask has the right shape and is right, or not flipped: that has cost its own line."""
    right = oracle.to_keras_attention_mask(mask)
    try:
        got = _to_keras(probe, mask, right.shape, words)
    except Miss as miss:
        raise Miss(miss.text, _lost_axes(probe)) from None
    what = Text(f"the mask for Keras of a mask {mask.shape}", f"모양 {mask.shape}인 마스크에서 만든 케라스용 마스크")
    opened = right | ~right.any(axis=-1, keepdims=True)
    expect_close(got, right, what, words, {"keras-empty-rows-opened": opened})


def _lost_axes(probe: Probe) -> str | None:
    """Return the mistake that loses axes as these are lost: of padding masks of two sequences and of one, of a square."""
    masks = np.zeros((2, 1, 1, 5)), np.zeros((1, 1, 1, 5)), np.zeros((3, 4))
    try:
        shapes = tuple(shape_of(probe.call("to_keras_attention_mask", mask)) for mask in masks)
    except AnswerError:
        return None
    known: dict[Any, str] = {
        ((2, 5), (5,), (3, 4)): "keras-squeezed",
        ((2, 5), (1, 5), (1, 3, 4)): "keras-queries-squeezed",
        ((2, 1, 5), (1, 5), (1, 3, 4)): "keras-batch-of-one-squeezed",
        ((2, 1, 5), (1, 1, 5), (3, 4)): "keras-two-axes-unchanged",
    }
    return known.get(shapes)


def test_keras_padding(probe: Probe, draw: Draw) -> None:
    for batch in (draw.integer(2, 5), 1):
        mask = _mask(draw, batch, 1, 1, draw.integer(6, 9))
        mask[1:2] = 1  # nothing but padding
        _expect_flipped(probe, mask, "(batch, 1, key_len)")


def test_keras_square(probe: Probe, draw: Draw) -> None:
    query_len, key_len = draw.distinct(2, 4, 9)
    _expect_flipped(probe, _mask(draw, query_len, key_len), "(1, query_len, key_len)")


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
    limit, dim = draw.integer(14, 18), draw.integer(3, 5)
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
    """Return attention after a normalisation: over the features, over time, over the time so far."""
    seq_len, dim = draw.integer(6, 9), draw.integer(4, 6)
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
    return expect_truth_value(answer, no_return="leak-no-return")


LEAK_UNSEEN = Text("The leak was not seen", "누수를 찾지 못했습니다")
LEAK_INVENTED = Text("There is no leak, but one was reported", "누수가 없는데 있다고 했습니다")


# mistake -> (whether it overlooks leaks or invents them, the lines that it can cost)
LEAK_MISTAKES = {
    "leak-always": (False, "plain one-step one-place long normalised size"),
    "leak-never": (True, "plain one-step one-place long normalised size"),
    "leak-nan": (False, "plain one-step one-place long normalised size"),
    "leak-compares-changed-position": (False, "plain one-step one-place long normalised size"),
    "leak-last-input-only": (True, "one-place"),
    "leak-first-output-only": (True, "one-place long"),
    "leak-one-cut": (True, "one-place long"),
    "leak-one-feature": (True, "one-place"),
    "leak-not-the-next-step": (True, "one-step one-place"),
    "leak-starts-from-zeros": (True, "one-step"),
    "leak-own-length": (True, "long"),
    "leak-adds-a-constant": (True, "normalised"),
    "leak-scales": (True, "normalised"),
    "leak-shuffles": (True, "plain one-place long normalised"),
    "leak-exactly-equal": (False, "size"),
    "leak-threshold-below-rounding": (False, "size"),
    "leak-coarse": (True, "size"),
}


def _leak_mistake(probe: Probe, draw: Draw, line: str, overlooks: bool) -> str | None:
    """Return the mistake that explains a wrong verdict in `line`, by how the student's function works."""

    def look() -> str | None:
        try:
            return _how_inputs_change(probe, draw) or _what_is_seen(probe, draw)
        except (AnswerError, Miss):
            return None

    known = probe.once("leak habit", look)
    return known if known and LEAK_MISTAKES[known][0] == overlooks and line in LEAK_MISTAKES[known][1].split() else None


def _how_inputs_change(probe: Probe, draw: Draw) -> str | None:
    """Return the mistake that shows in the inputs of a causal layer, which remembers them."""
    seq_len, dim = 40, 4
    attend = probe.offer(SOURCE, "remembering", _alike(_running_mean(seq_len), dim), draw.normal(dim, dim))
    probe.call("leaks_future", attend, seq_len, dim)
    answer = attend()
    inputs = answer if isinstance(answer, np.ndarray) and answer.ndim == 4 else np.zeros((0, 1, seq_len, dim))
    if not inputs.size:
        return None
    if np.isnan(inputs).any():
        return "leak-nan"
    first = inputs[0][0]
    if len(first) < seq_len:
        return "leak-own-length"
    if not first.any():
        return "leak-starts-from-zeros"
    pairs = [(x[0][changed], first[changed]) for x in inputs for changed in [(x[0] != first).any(axis=-1)]]
    pairs = [(new, old) for new, old in pairs if len(new)]
    if not pairs:
        return None
    if all(np.allclose(new - old, (new - old)[:, :1], atol=1e-5) for new, old in pairs):
        return "leak-adds-a-constant"
    factor = (pairs[0][0] / pairs[0][1]).flat[0]
    if factor > 0 and all(np.allclose(new, factor * old, rtol=1e-4) for new, old in pairs):
        return "leak-scales"
    if all(sorted(map(tuple, new)) == sorted(map(tuple, old)) for new, old in pairs):
        return "leak-shuffles"
    return None


def _what_is_seen(probe: Probe, draw: Draw) -> str | None:
    """Return the mistake that shows in which leaks from one input to one output are seen, and how weak ones."""
    seq_len, dim = 7, 4
    one = draw.normal(dim, dim)

    def seen(shares: Array, offset: float = 0.0) -> bool:
        what = Text("a running mean", "지금까지의 평균")
        return _verdict(probe, LeakCase(what, "remembering", (shares, one, offset), seq_len, dim, False))

    def leak(row: Any, column: Any, share: float = 1.0, feature: int | None = None) -> Array:
        shares = _alike(np.eye(seq_len), dim) if share == 1 else np.zeros((seq_len, seq_len, dim))
        shares[row, column, slice(None) if feature is None else feature] = share
        return shares

    nothing = [_alike(np.eye(seq_len), dim), _alike(_running_mean(seq_len), dim)]
    invented = [seen(shares) for shares in nothing]
    looks_back = seen(_alike(np.eye(seq_len, k=-1), dim))  # nothing moves at the changed position itself
    rows, columns = np.triu_indices(seq_len, k=1)
    places = np.array([seen(leak(row, column)) for row, column in zip(rows, columns, strict=True)])
    features = [seen(leak(1, 3, feature=feature)) for feature in range(dim)]
    if all(invented) and places.all() and all(features):
        return "leak-always" if looks_back else "leak-compares-changed-position"
    if any(invented) or looks_back:
        return None
    if not places.any():
        return "leak-never"
    if not places.all():
        patterns = {
            "leak-last-input-only": [columns == seq_len - 1],
            "leak-first-output-only": [rows == 0],
            "leak-one-cut": [(rows < cut) & (columns >= cut) for cut in range(2, seq_len - 1)],
            "leak-not-the-next-step": [columns - rows >= 2],
        }
        fits = [name for name, wholes in patterns.items() if any((places == whole).all() for whole in wholes)]
        return fits[0] if len(fits) == 1 else None
    if not all(features):
        return "leak-one-feature" if features[0] and not any(features[1:]) else None
    faintest, below_rounding = seen(leak(0, -1, 1e-30)), seen(leak(0, -1, 3e-8), 4.0)
    if faintest:  # no threshold, but for one relative to the outputs
        return "leak-exactly-equal" if seen(leak(0, -1, 1e-14), 4.0) else None
    if below_rounding:
        return "leak-threshold-below-rounding"
    return None if seen(leak(0, -1, WEAK / 3)) else "leak-coarse"


def _expect_verdicts(probe: Probe, draw: Draw, cases: list[LeakCase], line: str) -> None:
    """Miss at the first wrong verdict."""

    def misjudged(case: LeakCase) -> LeakCase | None:
        return case if _verdict(probe, case) != case.leaks else None

    for case in in_drawn_order(draw, misjudged, cases):
        if case is not None:
            wrong = LEAK_UNSEEN if case.leaks else LEAK_INVENTED
            text = Text(f"{wrong.en}: {case.what.en}.", f"{wrong.ko}: {case.what.ko}.")
            raise Miss(text, _leak_mistake(probe, draw, line, case.leaks))


def test_leak_answer(probe: Probe, draw: Draw) -> None:
    cases = plain_cases(draw)[:2]
    try:
        for case in cases:
            _verdict(probe, case)
    except Miss as miss:
        raise Miss(miss.text, miss.mistake or _gives_distances(probe, cases)) from None


def _gives_distances(probe: Probe, cases: list[LeakCase]) -> str | None:
    """Return the mistake of answering by many distances, or one truth value for each, if they are right."""
    for case in cases:
        try:
            answer = probe.call("leaks_future", probe.offer(SOURCE, case.make, *case.args), case.seq_len, case.dim)
        except AnswerError:
            return None
        if not isinstance(answer, np.ndarray) or answer.size < case.seq_len - 1 or answer.dtype.kind not in "fb":
            return None
        if bool((answer > 1e-5).any()) != case.leaks:
            return None
    return "leak-returns-distances"


def test_leak_plain(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, plain_cases(draw), "plain")


def test_leak_one_step(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, one_step_cases(draw), "one-step")


def test_leak_one_place(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, one_place_cases(draw), "one-place")


def test_leak_long(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, long_cases(draw), "long")


def test_leak_normalised(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, normalised_cases(draw), "normalised")


def test_leak_size(probe: Probe, draw: Draw) -> None:
    _expect_verdicts(probe, draw, size_cases(draw), "size")
