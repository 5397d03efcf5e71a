"""Hidden tests of the task `kv-cache`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_close, expect_shape, expect_that, expect_tuple, is_close

from ..._shared.dropout import STILL
from .. import reference as oracle
from .common import GENERATORS

OUTPUT_SHAPE = "(batch, 1, d_model)"
CACHE_SHAPE = "(batch, num_heads, past_len + 1, head_dim)"
STEP = "(output, (keys, values))"
WHOLE = "(batch, seq_len, d_model)"


class Steps:
    """A sequence of vectors that the student's function goes through one position at a time.

    Attributes:
        x: (batch, seq_len, d_model).
        matrices: of query, key, value and output, each (d_model, d_model).
        outputs: what the steps so far gave, each (batch, 1, d_model).
        keys, values: the newest cache's.
    """

    def __init__(self, probe: Probe, draw: Draw, batch: int, length: int, heads: int, head_dim: int) -> None:
        self.probe, self.heads, self.head_dim = probe, heads, head_dim
        d_model = heads * head_dim
        self.x = draw.normal(batch, length, d_model)
        self.matrices = list(draw.normal(4, d_model, d_model, scale=1.3 / math.sqrt(d_model)))
        self.cache: Any = None
        self.own: Any = None
        self.is_stored = False
        self.outputs: list[Array] = []

    def step(self) -> None:
        """Take the next position."""
        position = len(self.outputs)
        batch, _, d_model = self.x.shape
        answer = self._answer(position)
        output, cache = expect_tuple(answer, 2, STEP)
        # a list of two equal arrays arrives as one array
        pair = tuple(cache) if isinstance(cache, np.ndarray) and cache.ndim == 5 else cache
        if isinstance(pair, np.ndarray) and isinstance(output, tuple):
            raise Miss(Text(f"It should return {STEP}, in this order.", f"{STEP}을(를) 이 순서로 돌려주어야 합니다."))
        self.outputs.append(expect_shape(output, (batch, 1, d_model), OUTPUT_SHAPE))
        shape = (batch, self.heads, position + 1, self.head_dim)
        if isinstance(pair, np.ndarray):
            expect_shape(pair, shape, CACHE_SHAPE)
        keys, values = expect_tuple(pair, 2, "(keys, values)")
        self.keys = expect_shape(keys, shape, f"keys {CACHE_SHAPE}")
        self.values = expect_shape(values, shape, f"values {CACHE_SHAPE}")
        self.cache = pair

    def _answer(self, position: int) -> Any:
        """Return what the next step gives.

        A cache goes back as a tuple of arrays. Where that doesn't work, the student's own goes back: it may be a list that
        grows, or a tuple with names.
        """
        newest = self.x[:, position : position + 1]
        if not self.is_stored:
            try:
                return self.probe.call("cached_attention_step", newest, self.cache, *self.matrices, self.heads)
            except AnswerRaised as error:
                if self.cache is None:
                    raise
                raised = error
            try:
                for earlier in range(position):
                    self._own_answer(earlier)
                answer = self._own_answer(position)
            except AnswerRaised:
                raise raised from None
            self.is_stored = True
            return answer
        return self._own_answer(position)

    def _own_answer(self, position: int) -> Any:
        newest = self.x[:, position : position + 1]
        kept = self.probe.layer("cached_attention_step", newest, self.own, *self.matrices, self.heads)
        self.own = self.probe.define(GENERATORS, "part", kept, 1)
        return self.probe.define(GENERATORS, "teller", kept)()

    def walk(self) -> Array:
        """Take all positions and return their outputs (batch, seq_len, d_model)."""
        while len(self.outputs) < self.x.shape[1]:
            self.step()
        return np.concatenate(self.outputs, axis=1)

    def leaves_cache_alone(self) -> bool:
        """Whether a step leaves the arrays of the cache that it is given as they are; a cache of a kind of its own isn't looked at."""
        arrays = self.projected(1), self.projected(2)
        given = self.probe.define(GENERATORS, "pair", *arrays)
        try:
            self.probe.layer("cached_attention_step", self.x[:, :1], given, *self.matrices, self.heads)
        except AnswerRaised:
            return True
        after = expect_tuple(self.probe.define(GENERATORS, "teller", given)(), 2, "(keys, values)")
        return all(is_close(now, before) for now, before in zip(after, arrays, strict=True))

    def projected(self, matrix: int) -> Array:
        """Return all positions' keys (1) or values (2): (batch, num_heads, seq_len, head_dim)."""
        batch, length, _ = self.x.shape
        columns = (self.x @ self.matrices[matrix]).reshape(batch, length, self.heads, self.head_dim)
        return np.asarray(columns.transpose(0, 2, 1, 3))

    def right(self) -> Array:
        """Return the outputs of one pass over everything."""
        query, key, value, output = self.matrices
        return oracle.causal_attention(self.x, query, key, value, output, self.heads)


def test_cache_shapes(probe: Probe, draw: Draw) -> None:
    Steps(probe, draw, batch=2, length=3, heads=3, head_dim=5).walk()


def test_cache_first(probe: Probe, draw: Draw) -> None:
    steps = Steps(probe, draw, batch=2, length=1, heads=3, head_dim=5)
    _, _, w_value, w_output = steps.matrices
    what = Text("the output at the first position", "첫 위치의 출력")
    expect_close(steps.walk(), steps.x @ w_value @ w_output, what, OUTPUT_SHAPE)


def test_cache_contents(probe: Probe, draw: Draw) -> None:
    steps = Steps(probe, draw, batch=2, length=4, heads=3, head_dim=5)
    steps.walk()
    for got, matrix, name in ((steps.keys, 1, "keys"), (steps.values, 2, "values")):
        what = Text(f"the {name} in the cache after some steps", f"몇 걸음 뒤 캐시의 {name}")
        expect_close(got, steps.projected(matrix), what, CACHE_SHAPE)


def test_cache_outputs(probe: Probe, draw: Draw) -> None:
    steps = Steps(probe, draw, batch=2, length=7, heads=3, head_dim=5)
    expect_close(steps.walk(), steps.right(), Text("the outputs of the steps", "걸음들의 출력"), WHOLE)


def test_cache_long(probe: Probe, draw: Draw) -> None:
    for batch, length, heads, head_dim in ((5, 48, 2, 3), (1, 9, 1, 8)):
        steps = Steps(probe, draw, batch, length, heads, head_dim)
        expect_close(steps.walk(), steps.right(), Text("the outputs of many steps", "많은 걸음의 출력"), WHOLE)
    pair = [Steps(probe, draw, batch=2, length=4, heads=3, head_dim=5) for _ in range(2)]
    for steps in pair * 4:
        steps.step()
    for steps in pair:
        what = Text("the outputs of two sequences that take turns", "번갈아 걷는 두 시퀀스의 출력")
        right = steps.right()
        got = np.concatenate(steps.outputs, axis=1)
        # each was right by itself
        expect_that(
            bool(np.allclose(got, right, atol=STILL)),
            Text(
                f"Wrong values in {what.en}: all that a step needs to know is in its arguments.",
                f"{what.ko}의 값이 틀렸습니다. 걸음에 필요한 것은 모두 인수에 있습니다.",
            ),
        )
    expect_that(
        pair[0].leaves_cache_alone(),
        Text(
            "The cache that was given has changed. A step returns a new one.",
            "받은 캐시가 바뀌었습니다. 걸음마다 새 캐시를 돌려주어야 합니다.",
        ),
    )
