"""Hidden tests of the task `encoder-only`."""

from __future__ import annotations

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_close, expect_that

from ..._shared.model_expectations import expect_finite, moves
from .both_models import (
    LOGITS,
    LanguageModel,
    expect_count,
    expect_lengths,
    expect_model_dropout,
    expect_padding_hidden,
    expect_positions,
    expect_values,
)


def test_encoder_builds(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "encoder")
    expect_finite(model.ask(model.ids(draw, 2)))


def test_encoder_lengths(probe: Probe, draw: Draw) -> None:
    expect_lengths(LanguageModel(probe, draw, "encoder"), draw)


def test_encoder_count(probe: Probe, draw: Draw) -> None:
    expect_count(probe, LanguageModel(probe, draw, "encoder"), draw)


def test_encoder_both_sides(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "encoder")
    (ids,) = model.ids(draw, 1)
    expect_that(
        bool((moves(model.ask, ids, model.others(draw, ids)) > 1e-6).all()),
        Text(
            "Some position's logits don't change with some other token: in an encoder only padding is hidden.",
            "어떤 토큰이 바뀌어도 로짓이 그대로인 위치가 있습니다. 인코더에서는 패딩만 가립니다.",
        ),
    )


def test_encoder_positions(probe: Probe, draw: Draw) -> None:
    expect_positions(probe, "encoder", draw)


def test_encoder_padding(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "encoder")
    ids = model.padded(draw)
    expect_padding_hidden(model, ids, draw)
    expect_close(
        model.ask(ids)[:1, ids[0] != 0],
        model.ask(ids[:1, ids[0] != 0]),
        Text("the tokens' logits after more padding", "패딩을 더 붙였을 때 토큰들의 로짓"),
        LOGITS,
    )


def test_encoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_model_dropout(probe, draw, "encoder")


def test_encoder_values(probe: Probe, draw: Draw) -> None:
    expect_values(probe, draw, "encoder")
