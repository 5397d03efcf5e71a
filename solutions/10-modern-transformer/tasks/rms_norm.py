"""Hidden tests of the task `rms-norm`."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that

from .. import narrow_layers
from .. import reference as oracle
from .layers import expect_same_from_config

NARROW_LAYERS = inspect.getsource(narrow_layers)


class NormCase:
    """A student's RMSNorm that is built, and inputs for it.

    Attributes:
        x: (batch, seq_len, dim), whose mean is far from 0.
    """

    def __init__(self, probe: Probe, draw: Draw, *args: float, **options: Any) -> None:
        batch, seq_len, self.dim = draw.distinct(3, 2, 9)
        self.x = draw.normal(batch, seq_len, self.dim) + draw.choice((-2.0, 1.5, 3.0))
        self.layer = probe.layer("RMSNorm", *args, **options)
        self.ask(self.x)

    def ask(self, x: Array) -> Array:
        """Return the layer's answer, once its shape is right."""
        return expect_shape(self.layer(x), x.shape, "(..., dim)")

    def scaled(self, scale: Array) -> None:
        """Set what weights of the layer are as long as an input; others stay."""
        values = self.layer.values()
        if any(first.size == self.dim for _, first in values):
            self.layer.set_values([scale if first.size == self.dim else first for _, first in values])


def test_norm_builds(probe: Probe, draw: Draw) -> None:
    probe.once("norm", lambda: NormCase(probe, draw))


def test_norm_scale(probe: Probe, draw: Draw) -> None:
    case = NormCase(probe, draw)
    values = case.layer.values()
    expect_that(
        [(weight.shape, weight.trainable) for weight, _ in values] == [((case.dim,), True)],
        Text(
            "RMSNorm has one weight, a trainable scale (dim,), and no other. Yours has "
            + (", ".join(f"{weight.shape}" for weight, _ in values) or "none")
            + ("" if all(weight.trainable for weight, _ in values) else ", not all of them trainable")
            + ".",
            "RMSNorm의 가중치는 학습되는 scale (dim,) 하나뿐입니다. 지금 있는 것: "
            + (", ".join(f"{weight.shape}" for weight, _ in values) or "없음")
            + ("" if all(weight.trainable for weight, _ in values) else ", 그중 학습되지 않는 것이 있음")
            + ".",
        ),
    )
    expect_close(values[0][1], np.ones(case.dim), Text("the scale at first", "처음의 scale"))
    plain = case.ask(case.x)
    scale = draw.choice((-1.0, 1.0)) * draw.uniform(0.3, 2.0, case.dim)
    case.scaled(scale)
    what = Text(
        "the output with another scale, by the output with a scale of 1",
        "scale을 바꾼 출력(scale이 1일 때의 출력에 따른 것)",
    )
    expect_close(case.ask(case.x), plain * scale, what)


def test_norm_values(probe: Probe, draw: Draw) -> None:
    case = probe.once("norm", lambda: NormCase(probe, draw))
    ones = np.ones(case.dim)
    case.scaled(ones)
    for x in (case.x * 30, case.x[0] * 90, case.x[None] * 30 - 40):  # beside which no epsilon shows
        expect_close(case.ask(x), oracle.rms_norm(x, ones), Text("the normalised vectors", "정규화한 벡터"))


def test_norm_epsilon(probe: Probe, draw: Draw) -> None:
    epsilon = draw.choice((0.125, 0.25, 0.5))
    for case, used in (
        (NormCase(probe, draw), 1e-6),
        (NormCase(probe, draw, epsilon=epsilon), epsilon),
        (NormCase(probe, draw, epsilon), epsilon),
    ):
        case.scaled(np.ones(case.dim))
        for size in (1.0, 1e-1, 1e-3):
            x = size * case.x
            right = oracle.rms_norm(x, np.ones(case.dim), used)
            expect_close(case.ask(x), right, Text("normalised small vectors", "정규화한 작은 벡터"))
    case = NormCase(probe, draw, epsilon=epsilon)
    zeros = np.zeros_like(case.x)
    expect_close(case.ask(zeros), zeros, Text("the normalised zero vector", "정규화한 영벡터"))


def test_norm_float32(probe: Probe, draw: Draw) -> None:
    made = probe.layer("RMSNorm")
    x = draw.normal(3, 4, 7)
    made(x)
    for policy in ("float16", "mixed_float16"):
        layer = probe.define(NARROW_LAYERS, "like", made, policy)
        for size in (1.0, 300.0, 4e3):
            given = (size * x).astype(np.float16)
            got = expect_shape(layer(given), x.shape, "(..., dim)")
            right = oracle.rms_norm(given, np.ones(x.shape[-1]))
            what = Text("the normalised vectors in float16", "float16일 때 정규화한 벡터")
            expect_close(got, right, what, tolerance=4e-3)


def test_norm_config(probe: Probe, draw: Draw) -> None:
    case = NormCase(probe, draw, epsilon=draw.choice((0.125, 0.25, 0.5)))
    case.scaled(draw.uniform(0.3, 2.0, case.dim))
    expect_same_from_config(case.layer, lambda layer: [expect_shape(layer(case.x), case.x.shape, "(..., dim)")])
