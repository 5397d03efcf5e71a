"""Hidden tests of the task `decoder-only`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_that

from ..._shared.dropout import STILL
from ..._shared.model_expectations import expect_finite, moves
from .both_models import (
    LanguageModel,
    expect_count,
    expect_lengths,
    expect_model_dropout,
    expect_padding_hidden,
    expect_positions,
    expect_values,
)


def test_decoder_builds(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "decoder")
    expect_finite(model.ask(model.ids(draw, 2)))


def test_decoder_lengths(probe: Probe, draw: Draw) -> None:
    expect_lengths(LanguageModel(probe, draw, "decoder"), draw)


def test_decoder_count(probe: Probe, draw: Draw) -> None:
    expect_count(probe, LanguageModel(probe, draw, "decoder"), draw)


def test_decoder_causal(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "decoder")
    # of two sequences: in one alone a token's weight may be next to nothing by chance
    moved = np.maximum(*(moves(model.ask, ids, model.others(draw, ids)) for ids in model.ids(draw, 2)))
    expect_that(
        not np.triu(moved > STILL, k=1).any(),
        Text(
            "Logits change when only a later token changes: the model isn't causal.",
            "뒤의 토큰만 바꾸었는데 로짓이 달라집니다. 모델이 인과적이지 않습니다.",
        ),
    )
    expect_that(
        bool((moved[np.tri(len(moved), dtype=bool)] > 1e-6).all()),
        Text(
            "Some position's logits don't change with its own token or an earlier one: too much is hidden.",
            "자기 토큰이나 앞의 어떤 토큰이 바뀌어도 로짓이 그대로인 위치가 있습니다. 너무 많이 가렸습니다.",
        ),
    )


def test_decoder_positions(probe: Probe, draw: Draw) -> None:
    expect_positions(probe, "decoder", draw)


def test_decoder_padding(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "decoder")
    expect_padding_hidden(model, model.padded(draw), draw)


def test_decoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_model_dropout(probe, draw, "decoder")


def test_decoder_values(probe: Probe, draw: Draw) -> None:
    expect_values(probe, draw, "decoder")
