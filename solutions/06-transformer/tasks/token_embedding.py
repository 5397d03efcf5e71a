"""Hidden tests of the task `token-embedding`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that

from ..._shared.dropout import STILL
from ..._shared.layer_lines import DROPS_AT_RATE_0, errors_of_a_copy, share_together
from ..._shared.model_expectations import succeeds
from ..._shared.uniform_weights import is_matrix_of
from .. import reference as oracle

EMBEDDED = "(batch, seq_len, d_model)"


class EmbeddingCase:
    """The student's layer and a table for it; no two sizes are equal.

    Args:
        probe: what puts questions to the student's code.
        draw: the random numbers of which sizes, table and ids are made.
        dropout: the layer's rate.
        has_few_words: whether the vocabulary is smaller than max_len instead of larger.
        max_len: longest sequence; 0: one is drawn.
    """

    def __init__(
        self, probe: Probe, draw: Draw, dropout: float = 0.0, *, has_few_words: bool = False, max_len: int = 0
    ) -> None:
        self.vocab_size = draw.integer(4, 5) if has_few_words else draw.integer(17, 29)
        self.max_len, self.batch = max_len or draw.integer(9, 13), 3
        self.d_model = draw.choice([6, 8, 14])
        self.layer = probe.layer(
            "TokenEmbedding",
            vocab_size=self.vocab_size,
            d_model=self.d_model,
            max_len=self.max_len,
            dropout=dropout,
        )
        self.table = draw.normal(self.vocab_size, self.d_model)
        self.ids = draw.integers(1, self.vocab_size - 1, self.batch, self.max_len).astype(np.int32)

    def ask(self, ids: Any, **options: Any) -> Array:
        """Return the embedded ids (batch, seq_len), once their shape is right."""
        return expect_shape(self.layer(ids, **options), (*ids.shape, self.d_model), EMBEDDED)

    def fill(self, table: Array) -> None:
        """Build the layer and set its embedding table."""
        self.ask(self.ids)
        values = self.layer.values()
        is_table = [is_matrix_of(weight, *table.shape) for weight, _ in values]
        if not any(is_table):  # one that isn't trained costs `embedding-table`
            is_table = [weight.shape == table.shape for weight, _ in values]
        expect_that(
            any(is_table),
            Text(
                "After the first call there is no weight (vocab_size, d_model).",
                "첫 호출 뒤에 가중치 (vocab_size, d_model)이 없습니다.",
            ),
        )
        self.layer.set_values([table if hit else first for hit, (_, first) in zip(is_table, values, strict=True)])


def test_embedding_builds(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw)
    case.ask(case.ids)


def test_embedding_table(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw)
    case.ask(case.ids)
    shapes = [weight.shape for weight, _ in case.layer.values() if weight.trainable]
    expect_that(
        (case.vocab_size, case.d_model) in shapes,
        Text(
            "There is no trainable weight (vocab_size, d_model).", "학습되는 가중치 (vocab_size, d_model)이 없습니다."
        ),
    )
    expect_that(
        len(shapes) == 1,
        Text(
            f"There are {len(shapes)} trainable weights, but the table is the only one.",
            f"학습되는 가중치가 {len(shapes)}개입니다. 표 하나뿐이어야 합니다.",
        ),
    )


def test_embedding_scale(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw)
    case.fill(case.table)
    output = case.ask(case.ids)
    # two tokens at the same position: whatever is added there cancels
    rows = case.table[case.ids[1:]] - case.table[case.ids[:-1]]
    root = math.sqrt(case.d_model)
    expect_close(
        output[1:] - output[:-1],
        root * rows,
        Text("the difference of two tokens at the same position", "같은 위치에 있는 두 토큰의 차이"),
        EMBEDDED,
    )
    padded = case.ids[:1].copy()
    padded[0, 0], padded[0, 3] = 0, 0
    of_padding, right = case.ask(padded) - output[:1], root * (case.table[padded] - case.table[case.ids[:1]])
    zeroed = right - root * case.table[padded] * (padded == 0)[..., None]  # as good: attention hides these vectors
    what = Text("the vectors with id 0 between the tokens", "토큰 사이에 ID 0이 있을 때의 벡터")
    if not np.allclose(of_padding, zeroed, atol=STILL):
        expect_close(of_padding, right, what, EMBEDDED)


def test_embedding_positions(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw, has_few_words=True)
    case.fill(np.zeros_like(case.table))
    table = oracle.positions(case.max_len, case.d_model)
    what = Text("what is added to the embeddings (the table all zeros)", "임베딩에 더해지는 값(표가 모두 0일 때)")
    for length in (case.max_len, draw.integer(3, case.max_len - 2), 1):
        right = np.broadcast_to(table[:length], (case.batch, length, case.d_model))
        expect_close(case.ask(case.ids[:, :length]), right, what, EMBEDDED)
    # longer than any number of rows that one would write down for short sentences
    case = EmbeddingCase(probe, draw, max_len=draw.integer(130, 150))
    case.fill(np.zeros_like(case.table))
    table = oracle.positions(case.max_len, case.d_model)
    long = Text("what is added to the embeddings of a long sequence", "긴 시퀀스의 임베딩에 더해지는 값")
    expect_close(case.ask(case.ids), np.broadcast_to(table, (case.batch, *table.shape)), long, EMBEDDED)


def test_embedding_dropout(probe: Probe, draw: Draw) -> None:
    rate = draw.choice([0.35, 0.4, 0.45])
    case = EmbeddingCase(probe, draw, dropout=rate)
    case.fill(case.table)
    ids = np.repeat(case.ids, 16, axis=0)
    plain = case.ask(ids)
    expect_that(
        np.allclose(plain[:16], plain[:1], atol=1e-5),
        Text(
            "Outside training the same ids give different vectors: is something dropped there too?",
            "학습 때가 아닌데도 같은 ID에서 다른 벡터가 나옵니다. 그때도 드롭아웃이 일어나나요?",
        ),
    )
    # position 0 adds sines of 0: zeros there need not have been dropped
    plain, dropped = plain[:, 1:], case.ask(ids, training=True)[:, 1:]
    expect_that(
        not np.allclose(dropped, plain, atol=1e-5),
        Text("With training=True nothing is dropped.", "training=True인데도 드롭아웃이 일어나지 않습니다."),
    )
    zeros = dropped == 0
    kept = np.where(zeros, 0, plain / (1 - rate))
    share = float(zeros.mean())
    expect_that(
        share > 0.01,
        Text(
            "With training=True no entry of the sum becomes 0: dropout comes last, after the positions.",
            "training=True일 때 합에서 0이 되는 원소가 없습니다. 드롭아웃은 위치를 더한 뒤, 마지막에 합니다.",
        ),
    )
    # more than 2000 entries: the share's standard deviation is about 0.01
    expect_that(
        abs(share - rate) < 0.07,
        Text(
            f"About {10 * round(10 * share)} % of the entries are dropped, which isn't the rate that was given.",
            f"원소의 약 {10 * round(10 * share)}%가 0이 되는데, 받은 비율과 다릅니다.",
        ),
    )
    expect_that(
        max(share_together(zeros, axis) for axis in range(3)) < 0.5,
        Text(
            "What is dropped is dropped for whole sequences, tokens or batches: each entry should be drawn by itself.",
            "시퀀스나 토큰, 배치 전체에서 한꺼번에 0이 됩니다. 원소마다 따로 뽑아야 합니다.",
        ),
    )
    expect_that(
        bool(np.allclose(dropped, kept, rtol=1e-3, atol=1e-3)),
        Text(
            "In training the kept entries should be divided by 1 - rate, as Keras's Dropout does. Or is the embedding dropped a first time "
            "before the positions are added?",
            "학습 때 남은 원소는 케라스의 Dropout처럼 1 - rate로 나누어야 합니다. 또는 위치를 더하기 전에 임베딩을 한 번 더 드롭아웃하지 않나요?",
        ),
    )
    expect_that(
        not np.array_equal(zeros, case.ask(ids, training=True)[:, 1:] == 0),
        Text("Each call in training drops the same entries.", "학습할 때 호출마다 같은 원소가 0이 됩니다."),
    )
    never = probe.layer("TokenEmbedding", case.vocab_size, case.d_model, case.max_len, dropout=0.0)
    shape = (*case.ids.shape, case.d_model)
    outside, within = (expect_shape(never(case.ids, training=each), shape, EMBEDDED) for each in (False, True))
    expect_that(bool(np.allclose(outside, within, atol=STILL)), DROPS_AT_RATE_0)
    usual = probe.layer("TokenEmbedding", case.vocab_size, case.d_model, case.max_len)
    share = float((expect_shape(usual(ids, training=True), (*ids.shape, case.d_model), EMBEDDED)[:, 1:] == 0).mean())
    expect_that(
        abs(share - 0.1) < 0.06,
        Text("Without `dropout` its rate is not 0.1.", "`dropout`을 주지 않았을 때의 비율이 0.1이 아닙니다."),
    )


def test_embedding_config(probe: Probe, draw: Draw) -> None:
    rate = draw.choice([0.4, 0.5])
    case = EmbeddingCase(probe, draw, dropout=rate)
    expected, again = case.ask(case.ids), case.ask(case.ids)
    values = [first for _, first in case.layer.values()]

    def share_of_zeros() -> float:
        return float((case.ask(np.repeat(case.ids, 8, axis=0), training=True)[:, 1:] == 0).mean())

    def takes_longer() -> bool:
        return succeeds(lambda: case.ask(np.concatenate([case.ids, case.ids[:, :1]], axis=1)))

    own_share, own_limit = share_of_zeros(), not takes_longer()
    with errors_of_a_copy():
        case.layer = case.layer.clone()
        case.ask(case.ids)
        case.layer.set_values(values)
        output = case.ask(case.ids)
        share = share_of_zeros()
    if np.allclose(expected, again):  # one that always drops has lost its points in another line
        expect_close(
            output,
            expected,
            Text("the output of the layer made from the config", "config로 다시 만든 계층의 출력"),
            EMBEDDED,
        )
    expect_that(
        abs(share - own_share) < 0.15,
        Text(
            "The layer made from the config has another dropout rate.",
            "config로 다시 만든 계층의 드롭아웃 비율이 다릅니다.",
        ),
    )
    expect_that(
        not (own_limit and takes_longer()),
        Text("The layer made from the config has another max_len.", "config로 다시 만든 계층의 max_len이 다릅니다."),
    )
