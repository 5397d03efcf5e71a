"""What the hidden tests of several tasks of 01 draw and ask."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import Draw, Layer, Miss, Probe, expect_raises_value_error

from ..._shared.layer_lines import CONFIG_QUESTION

Array = NDArray[np.float64]
OUTPUT = Text("the layer's output", "계층의 출력")


def drawn_dim(draw: Draw) -> int:
    """Return an even dim from 12 to 18: see `graders.py`."""
    return 2 * draw.integer(6, 9)


def two_bases(draw: Draw) -> tuple[float, float]:
    """Return two bases far enough from 10000, and from each other, to be told from it at every dim."""
    return draw.integer(20, 100) + 0.5, float(draw.integer(200, 600))


def layer_sizes(draw: Draw) -> tuple[int, int, int, int]:
    """Return (batch, seq_len, max_len, dim), pairwise distinct, seq_len + 1 < max_len."""
    return draw.integer(2, 3), draw.integer(4, 5), draw.choice([7, 9, 11]), 2 * draw.integer(6, 8)


def long_sizes(draw: Draw) -> tuple[int, int]:
    """Return (max_len, dim) of a table with more rows than columns."""
    return draw.choice([13, 15, 17]), 12


def filled_layer(probe: Probe, name: str, inputs: Array) -> tuple[Layer, Any, int]:
    """Return a layer that was called with inputs as long as its table, what it answered, and its table's length.

    A layer that refuses these loses the line about too long sequences for it, and that alone: here its table is one
    row longer.
    """
    _, max_len, dim = inputs.shape
    layer = probe.layer(name, max_len, dim)
    try:
        return layer, layer(inputs), max_len
    except AnswerRaised as error:
        if "ValueError" not in error.kinds:
            raise
        layer = probe.layer(name, max_len + 1, dim)
        try:
            return layer, layer(inputs), max_len + 1
        except AnswerRaised:
            raise error from None


def expect_refuses_long(probe: Probe, name: str, draw: Draw) -> None:
    """Miss unless the layer `name` takes a sequence as long as its table and refuses one that is one token longer.

    Once the table has fewer rows than columns, once more.
    """
    batch, _, max_len, dim = layer_sizes(draw)
    for rows, columns in ((max_len, dim), long_sizes(draw)):
        layer = probe.layer(name, rows, columns)
        # the first call builds the layer: a test in `build` would not see the second
        try:
            layer(draw.normal(batch, rows, columns))
        except AnswerRaised as error:
            if "ValueError" not in error.kinds:
                raise
            raise Miss(
                Text(
                    "seq_len equal to max_len fits and should not raise.",
                    "seq_len이 max_len과 같으면 표에 들어맞으므로 오류를 일으키면 안 됩니다.",
                )
            ) from None
        too_long = rows + 1
        inputs, longer = draw.normal(batch, too_long, columns), draw.normal(batch, too_long + 1, columns)
        probe.tell_apart(partial(layer, longer))  # a limit that is too high by one, or none
        # Keras adds the call's arguments to the text, so naming `inputs` would be no test
        expect_raises_value_error(partial(layer, inputs), ["seq_len", "max_len", "length"], [too_long])


def copied_layer(layer: Layer, inputs: Array) -> tuple[Layer, Any]:
    """Return the layer's copy by way of its config, and what the copy answers to inputs that suit the layer."""
    try:
        clone = layer.clone()
        return clone, clone(inputs)
    except AnswerRaised as error:
        raise Miss(CONFIG_QUESTION + error.text) from None
