"""Hidden tests of the task `block-parameters`."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace

from autograder.base.text import Text
from autograder.grading import Draw, Probe, expect_number, expect_raises_value_error, expect_whole_number

from .. import reference as oracle
from ..weight_parts import Sizes
from .blocks import undivided


def _count(probe: Probe, kind: str, sizes: Sizes) -> float:
    """Return the student's count, once it is one whole number."""
    answer = probe.call("block_parameter_count", kind, sizes.d_model, sizes.num_heads, sizes.ff_dim)
    return expect_whole_number(answer)


def _large_sizes(draw: Draw) -> Sizes:
    num_heads = draw.integer(3, 7)
    d_model = num_heads * draw.integer(8, 12)
    return Sizes(d_model, num_heads, draw.integer(90, 160))


def test_count_is_a_number(probe: Probe, draw: Draw) -> None:
    sizes = _large_sizes(draw)
    for kind in ("encoder", "decoder"):
        _count(probe, kind, sizes)


def test_count_encoder(probe: Probe, draw: Draw) -> None:
    _expect_count(probe, draw, "encoder")


def test_count_decoder(probe: Probe, draw: Draw) -> None:
    _expect_count(probe, draw, "decoder")


KINDS = {"encoder": "인코더", "decoder": "디코더"}


def _expect_count(probe: Probe, draw: Draw, kind: str) -> None:
    sizes = _large_sizes(draw)
    what = Text(f"the number of parameters of the {kind} block", f"{KINDS[kind]} 블록의 파라미터 수")
    one_head = Text(
        f"the number of parameters of the {kind} block with one head", f"헤드가 하나인 {KINDS[kind]} 블록의 파라미터 수"
    )
    right = oracle.block_parameter_count(kind, sizes.d_model, sizes.num_heads, sizes.ff_dim)  # heads divide the width
    expect_number(_count(probe, kind, sizes), right, what, tolerance=0.0)
    expect_number(_count(probe, kind, replace(sizes, num_heads=1)), right, one_head, tolerance=0.0)


def test_count_bad_kind(probe: Probe, draw: Draw) -> None:
    sizes = _large_sizes(draw)
    for kind in (draw.choice(("both", "transformer", "cross")), "decoders", "encoder-decoder", "coder"):
        expect_raises_value_error(
            functools.partial(probe.call, "block_parameter_count", kind, sizes.d_model, sizes.num_heads, sizes.ff_dim),
            ["kind"],
            [kind],
        )


def test_count_bad_heads(probe: Probe, draw: Draw) -> None:
    for kind, (d_model, num_heads) in itertools.product(("encoder", "decoder"), undivided(draw)):
        expect_raises_value_error(
            functools.partial(probe.call, "block_parameter_count", kind, d_model, num_heads, 7),
            ["num_heads", "d_model"],
            [num_heads, d_model],
        )
