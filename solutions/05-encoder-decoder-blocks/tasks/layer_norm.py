"""Hidden tests of the task `layer-norm`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_close, expect_shape, expect_that, is_close

from .. import reference as oracle

SHAPE_OF_X = Text("the shape of x", "x의 모양")


def _token_sizes(draw: Draw) -> tuple[int, int, int]:
    """Return batch, seq_len and features, all different; of few features different wrong divisors are alike."""
    batch, seq_len = draw.distinct(2, 2, 4)
    return batch, seq_len, draw.integer(5, 8)


def _vectors(draw: Draw, features: int) -> tuple[Array, Array]:
    return draw.uniform(0.4, 1.6, features) * np.where(np.arange(features) % 3 == 1, -1, 1), draw.normal(features)


def _plain(probe: Probe, x: Array, **options: float) -> Array:
    """Return the student's normalisation of x with gamma 1 and beta 0."""
    features = x.shape[-1]
    answer = probe.call("layer_norm", x, np.ones(features), np.zeros(features), **options)
    return expect_shape(answer, x.shape, SHAPE_OF_X)


def _right_plain(x: Array, epsilon: float = 1e-6) -> Array:
    """Return the right normalisation of x with gamma 1 and beta 0."""
    features = x.shape[-1]
    return oracle.layer_norm(x, np.ones(features), np.zeros(features), epsilon)


def test_norm_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    _plain(probe, draw.normal(batch, seq_len, features))


def test_norm_values(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    # every token has a size and a place of its own
    x = draw.normal(batch, seq_len, features) * draw.uniform(0.5, 3, batch, seq_len, 1) + draw.normal(batch, seq_len, 1)
    answer = _plain(probe, x, epsilon=1e-6)  # which epsilon is the default is asked by `norm-epsilon`
    expect_close(answer, _right_plain(x), Text("the normalised tokens", "정규화한 토큰"), SHAPE_OF_X)


def test_norm_gamma_beta(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    x = draw.normal(batch, seq_len, features)
    gamma, beta = _vectors(draw, features)
    plain = _plain(probe, x)  # the student's own normalisation: what is wrong with that has cost `norm-values`
    answer = probe.call("layer_norm", x, gamma, beta)
    what = Text("the scaled and shifted tokens", "gamma를 곱하고 beta를 더한 토큰")
    expect_close(answer, gamma * plain + beta, what, SHAPE_OF_X)


def test_norm_epsilon(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    small = draw.normal(batch, seq_len, features, scale=2e-3)
    x = draw.normal(batch, seq_len, features)
    epsilon = float(draw.uniform(0.5, 2, 1)[0])
    what = Text("the tokens with a large epsilon", "epsilon이 클 때의 토큰")
    expect_close(_plain(probe, x, epsilon=epsilon), _right_plain(x, epsilon), what, SHAPE_OF_X)
    what = Text(
        "very small features, with the epsilon that is used when none is given",
        "epsilon을 주지 않았을 때 아주 작은 특징을 정규화한 결과",
    )
    expect_close(_plain(probe, small), _right_plain(small), what, SHAPE_OF_X, tolerance=2e-3)


def test_norm_constant_token(probe: Probe, draw: Draw) -> None:
    batch, seq_len, features = _token_sizes(draw)
    x = draw.normal(batch, seq_len, features)
    # a power of two: every sum is exact, so nothing but 0 is left of the deviations; a small one, for libraries that
    # multiply it in float32 by 1 / sqrt(epsilon) before they take the mean off
    x[1, 1] = draw.choice((-0.125, -0.0625, 0.0625, 0.125))
    gamma, beta = _vectors(draw, features)
    answer = expect_shape(probe.call("layer_norm", x, gamma, beta), x.shape, SHAPE_OF_X)
    text = Text(
        "A token whose features are all equal becomes NaN: epsilon keeps the division from being 0 / 0.",
        "특징이 모두 같은 토큰이 NaN이 됩니다. epsilon이 있으면 0 / 0이 되지 않습니다.",
    )
    expect_that(not np.isnan(answer[1, 1]).any(), text)
    without = probe.call("layer_norm", x, gamma, np.zeros(features))
    shift = answer[1, 1] - expect_shape(without, x.shape, SHAPE_OF_X)[1, 1]
    expect_close(
        shift,
        beta,
        Text("what beta adds to a token whose features are all equal", "특징이 모두 같은 토큰에 더해진 beta"),
    )
    usual = x.copy()
    usual[1, 1] = draw.normal(features)
    if is_close(probe.call("layer_norm", usual, gamma, beta), oracle.layer_norm(usual, gamma, beta)):
        expect_close(
            answer,
            oracle.layer_norm(x, gamma, beta),
            Text("the tokens beside one whose features are all equal", "특징이 모두 같은 토큰과 함께 있는 토큰들"),
            SHAPE_OF_X,
        )


def test_norm_leading_dimensions(probe: Probe, draw: Draw) -> None:
    sizes = [*draw.distinct(3, 2, 4), draw.integer(5, 8)]
    features = sizes[-1]
    gamma, beta = _vectors(draw, features)
    for axes in (1, 2, 4):
        x = draw.normal(*sizes[4 - axes :])
        expected = oracle.layer_norm(x, gamma, beta)
        what = Text(f"x of shape {x.shape}", f"모양이 {x.shape}인 x의 출력")
        expect_close(probe.call("layer_norm", x, gamma, beta, epsilon=1e-6), expected, what, SHAPE_OF_X)
