"""Hidden tests of the task `swiglu`."""

from __future__ import annotations

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import Array, Draw, Layer, Probe, expect_shape

from .. import kernel_roles
from .. import reference as oracle
from .layers import expect_one_of, expect_only_kernels, expect_same_from_config


class GatedCase:
    """A student's SwiGLU that is built, and inputs for it.

    Args:
        probe: the probe that asks the student's code of the task.
        draw: the random numbers of the rubric line that asks first.
        wide: whether the layer is wider inside than outside.
    """

    def __init__(self, probe: Probe, draw: Draw, wide: bool) -> None:
        narrower, self.ff_dim, self.batch, self.seq_len = draw.choice(((3, 7, 2, 5), (4, 9, 3, 2), (5, 7, 4, 3)))
        self.dim = narrower
        if not wide:
            self.dim, self.ff_dim = self.ff_dim, self.dim
        self.layer = probe.layer("SwiGLU", self.ff_dim)
        self.ask(draw.normal(self.batch, self.seq_len, self.dim))

    def ask(self, x: Array) -> Array:
        """Return the layer's answer, once its shape is right."""
        return expect_shape(self.layer(x), x.shape, "(..., dim)")

    def roles(self) -> dict[str, tuple[int, int]]:
        """Return the shapes of the three kernels."""
        return {"gate": (self.dim, self.ff_dim), "up": (self.dim, self.ff_dim), "down": (self.ff_dim, self.dim)}


def gated(probe: Probe, draw: Draw, wide: bool) -> GatedCase:
    """Return the layer that the task's lines share."""
    return probe.once(("gated", wide), lambda: GatedCase(probe, draw, wide))


def test_swiglu_builds(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        case.ask(draw.normal(case.batch, case.dim))


def test_swiglu_weights(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        words = Text("Three kernels without bias", "편향이 없는 커널 세 개")
        expect_only_kernels(case.layer.values(), 3 * case.dim * case.ff_dim, words)


def test_swiglu_values(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        values = case.layer.values()
        drawn = kernel_roles.drawn_values(draw, values, inputs=4)
        case.layer.set_values(drawn)
        placed = [(weight, value) for (weight, _), value in zip(values, drawn, strict=True)]
        x = draw.normal(case.batch, case.seq_len, case.dim, scale=1.5)
        found = list(kernel_roles.readings(placed, case.roles(), tied=("gate", "up")))
        named = [reading for reading in found if _is_gate(case.layer, reading["gate"])]
        answers = [oracle.swiglu(x, **reading) for reading in named or found]
        expect_one_of(case.ask(x), answers, Text("down(silu(gate(x)) * up(x))", "down(silu(gate(x)) * up(x))"))


def _is_gate(layer: Layer, kernel: Array) -> bool:
    """Whether a layer holds this kernel under the name that the task gives to the gate's."""
    try:
        return np.array_equal(layer.read("gate.kernel"), kernel.astype(np.float32))
    except AnswerError:
        return False


def test_swiglu_config(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        x = draw.normal(case.batch, case.seq_len, case.dim)
        expect_same_from_config(case.layer, lambda layer, x=x: [expect_shape(layer(x), x.shape, "(..., dim)")])
