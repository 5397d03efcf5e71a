"""Hidden tests of the tasks `fix-shifted-target` and `detect-shifted-target`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that

from .. import reference as oracle
from .verdicts import broken, expect_truth_values, expect_verdicts, right

PAIR = "(batch, len - 1)"


def _target_ids(draw: Draw, batch: int, length: int) -> np.ndarray:
    """Draw rows <bos>, different words, <eos>, padding; the first is full, the second ends in a word of three digits, the third is padded twice."""
    ids = np.zeros((batch, length), dtype=np.int64)
    for row in range(batch):
        count = length if row == 0 else draw.integer(4, length - 2 * (row == 2))
        ids[row, :count] = [1, *draw.distinct(count - 2, 4, 99), 2]
        if row == 1:
            ids[row, count - 2] = draw.integer(300, 999)
    return ids


def _made_pair(probe: Probe, ids: np.ndarray) -> list[Array]:
    answer = probe.call("make_pairs", ids)
    parts = answer if isinstance(answer, tuple) else ()
    if isinstance(answer, np.ndarray) and answer.ndim == 3 and len(answer) == 2:
        parts = tuple(answer)
    text = Text(
        "It should return two arrays, (decoder_input, labels).", "배열 둘 (decoder_input, labels)를 돌려주어야 합니다."
    )
    expect_that(len(parts) == 2, text)
    return [expect_shape(part, (len(ids), ids.shape[1] - 1), PAIR) for part in parts]


def test_pairs_shape(probe: Probe, draw: Draw) -> None:
    _made_pair(probe, _target_ids(draw, 3, draw.integer(6, 9)))


def test_pairs_labels(probe: Probe, draw: Draw) -> None:
    ids = _target_ids(draw, 3, draw.integer(6, 9))
    expect_close(_made_pair(probe, ids)[1], oracle.make_pairs(ids)[1], Text("the labels", "라벨"), PAIR)


def test_pairs_input(probe: Probe, draw: Draw) -> None:
    for batch, length in ((4, draw.integer(6, 9)), (1, draw.integer(10, 12))):
        ids = _target_ids(draw, batch, length)
        (decoder_input, labels), expected = _made_pair(probe, ids), oracle.make_pairs(ids)
        expect_close(labels, expected[1], Text("the labels", "라벨"), PAIR)
        expect_close(decoder_input, expected[0], Text("the decoder's input", "디코더의 입력"), PAIR)
    _made_pair(probe, np.pad(_target_ids(draw, 3, 7), ((0, 0), (0, 2))))  # every row ends in padding


# first columns of the decoder's input and of the labels
PAIRS_PLAIN = (
    right("labels that are shifted", "민 라벨", (0, 1)),
    broken("labels that are the inputs", "곧 입력인 라벨", (0, 0)),
    right("labels that are shifted, as tensors", "텐서로 된, 민 라벨", (0, 1), style="keras"),
    broken("labels that are the inputs, as tensors", "텐서로 된, 곧 입력인 라벨", (0, 0), style="keras"),
    right("shifted labels made in a loop", "반복문으로 만든, 민 라벨", (0, 1), style="loop"),
    broken("labels and inputs both shifted", "라벨과 입력을 둘 다 민 것", (1, 1), style="gather"),
)
PAIRS_OTHERWISE = (
    broken("labels shifted by two", "두 칸 민 라벨", (0, 2)),
    broken("the inputs shifted instead of the labels", "라벨 대신 입력을 민 것", (1, 0)),
    broken("both shifted, the labels by one more", "둘 다 밀되 라벨을 한 칸 더 민 것", (1, 2)),
    right("shifted labels", "민 라벨", (0, 1), style="gather"),
    right("shifted labels in slices", "슬라이스로 만든, 민 라벨", (0, 1)),
)
PAIRS_PARTLY = (
    broken("labels shifted in the first sequence only", "첫 시퀀스에서만 민 라벨", (0, 1), (0, 0), keep=1),
    broken("labels shifted in sequences without padding only", "패딩이 없는 시퀀스에서만 민 라벨", (0, 1), (0, 0)),
    broken("labels shifted in sequences with padding only", "패딩이 있는 시퀀스에서만 민 라벨", (0, 0), (0, 1)),
    broken(
        "labels shifted in all sequences but the first",
        "첫 시퀀스를 뺀 모든 시퀀스에서 민 라벨",
        (0, 0),
        (0, 1),
        keep=1,
    ),
    broken(
        "labels rolled around, so that the first token is the last label",
        "첫 토큰이 마지막 라벨이 되도록 돌려 민 라벨",
        (0, 1),
        style="rolled",
    ),
    right("labels shifted in all sequences", "모든 시퀀스에서 민 라벨", (0, 1), style="loop"),
    right("shifted labels in slices", "슬라이스로 만든, 민 라벨", (0, 1)),
    broken("labels whose words come in reverse order", "단어가 거꾸로 늘어선 라벨", (0, 1), style="mixed"),
    broken("labels that aren't shifted at the first position", "첫 위치에서 밀지 않은 라벨", (0, 1), wrong_at="first"),
    broken("labels that aren't shifted in the middle", "가운데에서 밀지 않은 라벨", (0, 1), wrong_at="middle"),
    broken(
        "labels that are wrong only where they should be padding",
        "패딩이어야 하는 곳에서만 틀린 라벨",
        (0, 1),
        wrong_at="padding",
    ),
    broken(
        "labels shifted in every other sequence", "한 시퀀스 걸러 하나씩 민 라벨", (0, 1), (0, 0), keep="every other"
    ),
)


def test_shifted_answer(probe: Probe, draw: Draw) -> None:
    expect_truth_values(probe, draw, "detect_shifted_target", PAIRS_PLAIN[:2])


def test_shifted_plain(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_shifted_target", PAIRS_PLAIN)


def test_shifted_otherwise(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_shifted_target", PAIRS_OTHERWISE)


def test_shifted_partly(probe: Probe, draw: Draw) -> None:
    expect_verdicts(probe, draw, "detect_shifted_target", PAIRS_PARTLY)
