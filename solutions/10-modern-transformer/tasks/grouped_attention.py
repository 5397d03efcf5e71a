"""Hidden tests of the task `grouped-attention`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Layer,
    Probe,
    expect_close,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    expect_tuple,
    is_close,
)

from .. import kernel_roles
from .. import reference as oracle
from .layers import expect_one_of, expect_only_kernels, expect_same_from_config

PAIR = Text("(output, (keys, values))", "(output, (keys, values))")
GROUPED_OUTPUT = "(batch, seq_len, d_model)"
GROUPED_CACHE = "(batch, num_kv_heads, past_len + seq_len, head_dim)"
Cache = tuple[Array, Array]


class GroupedCase:
    """A student's GroupedQueryAttention that is built.

    Args:
        probe: the probe that asks the student's code of the task.
        draw: the random numbers of the rubric line that asks first.
        num_heads, num_kv_heads, head_dim: the layer's sizes.
    """

    def __init__(self, probe: Probe, draw: Draw, num_heads: int, num_kv_heads: int, head_dim: int) -> None:
        self.num_heads, self.num_kv_heads, self.head_dim = num_heads, num_kv_heads, head_dim
        self.d_model, self.narrow = num_heads * head_dim, num_kv_heads * head_dim
        free = [n for n in range(2, 9) if n not in (num_heads, num_kv_heads, head_dim, self.d_model, self.narrow)]
        self.batch, self.seq_len = sorted(free[i] for i in draw.distinct(2, 0, len(free) - 1))
        self.layer = probe.layer("GroupedQueryAttention", self.d_model, num_heads, num_kv_heads)
        self.ask(self.inputs(draw))
        self.first = self.layer.values()

    def inputs(self, draw: Draw, seq_len: int = 0, batch: int = 0) -> Array:
        """Draw inputs (batch, seq_len, d_model)."""
        return draw.normal(batch or self.batch, seq_len or self.seq_len, self.d_model)

    def ask(self, x: Array, cache: Cache | None = None) -> tuple[Array, Cache]:
        """Return output and cache for new positions, once their shapes are right."""
        past_len = 0 if cache is None else cache[0].shape[2]
        answer = self.layer(x) if cache is None else self.layer(x, cache=cache)
        output, pair = expect_tuple(answer, 2, PAIR)
        # a list of two equal arrays arrives as one array
        pair = tuple(pair) if isinstance(pair, np.ndarray) and pair.ndim == 5 else pair
        shape = (len(x), self.num_kv_heads, past_len + x.shape[1], self.head_dim)
        found = expect_shape(output, x.shape, Text(f"the output {GROUPED_OUTPUT}", f"출력 {GROUPED_OUTPUT}"))
        keys, values = expect_tuple(pair, 2, Text("a cache (keys, values)", "캐시 (keys, values)"))
        return found, (
            expect_shape(keys, shape, Text(f"keys {GROUPED_CACHE}", f"keys {GROUPED_CACHE}")),
            expect_shape(values, shape, Text(f"values {GROUPED_CACHE}", f"values {GROUPED_CACHE}")),
        )

    def in_parts(self, x: Array, sizes: Iterable[int]) -> Iterator[Array]:
        """Yield the outputs of parts of a sequence, each behind the cache of those before it."""
        start, cache = 0, None
        for size in sizes:
            output, cache = self.ask(x[:, start : start + size], cache)
            start += size
            yield output

    def fill(self, draw: Draw) -> None:
        """Give the layer drawn kernels."""
        self.drawn = kernel_roles.drawn_values(draw, self.first, self.d_model)
        self.layer.set_values(self.drawn)

    def answers(self, x: Array) -> Iterator[Array]:
        """Yield the right outputs of a whole pass under every reading of the drawn kernels."""
        d, narrow = self.d_model, self.narrow
        roles = {"query": (d, d), "key": (d, narrow), "value": (d, narrow), "output": (d, d)}
        placed = [(weight, value) for (weight, _), value in zip(self.first, self.drawn, strict=True)]
        for reading in kernel_roles.readings(placed, roles, tied=("query", "key", "value")):
            for is_split_last in (False, True):
                for is_merged_last in (False, True):
                    yield self._answer(x, reading, is_split_last, is_merged_last)

    def _answer(self, x: Array, reading: dict[str, Array], is_split_last: bool, is_merged_last: bool) -> Array:
        """Return the oracle's output; `…_last`: features of a head don't lie beside each other, every num_heads-th one is a head's."""
        query, key, value, output = (reading[role] for role in ("query", "key", "value", "output"))
        if is_split_last:
            query, key, value = (
                kernel.reshape(len(kernel), -1, heads).swapaxes(1, 2).reshape(kernel.shape)
                for kernel, heads in ((query, self.num_heads), (key, self.num_kv_heads), (value, self.num_kv_heads))
            )
        if is_merged_last:
            output = output.reshape(-1, self.num_heads, self.d_model).swapaxes(0, 1).reshape(output.shape)
        return oracle.grouped_attention(x, query, key, value, output, self.num_heads, self.num_kv_heads)


def grouped(probe: Probe, draw: Draw) -> GroupedCase:
    """Return the layer that the task's lines share, with the line's own numbers."""
    sizes = probe.once("sizes", lambda: draw.choice(((6, 3, 4), (6, 2, 4), (4, 2, 6))))
    case = probe.once("grouped", lambda: GroupedCase(probe, draw, *sizes))
    case.fill(draw)
    return case


def test_grouped_builds(probe: Probe, draw: Draw) -> None:
    grouped(probe, draw)


def test_grouped_weights(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    words = Text("Four kernels without bias", "편향이 없는 커널 네 개")
    expect_only_kernels(case.first, 2 * case.d_model * (case.d_model + case.narrow), words)


def test_grouped_groups(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    x = case.inputs(draw, 1)
    what = Text(
        "the output for a single token, where each query head gets the value of its group",
        "토큰이 하나라 쿼리 헤드마다 자기 그룹의 값을 받을 때의 출력",
    )
    expect_one_of(case.ask(x)[0], case.answers(x), what)


def test_grouped_causal(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    x = case.inputs(draw, 7)
    before, _ = case.ask(x)
    for seen in (1, draw.integer(2, 5), 6):
        other = x.copy()
        other[:, seen:] = case.inputs(draw, 7 - seen)
        after, _ = case.ask(other)
        what = Text("outputs that changed with inputs after them", "뒤에 오는 입력에 따라 바뀐 출력")
        expect_close(after[:, :seen], before[:, :seen], what)
        expect_that(
            bool((np.abs(after[:, seen] - before[:, seen]).max(axis=-1) > 1e-3).all()),
            Text("A position doesn't see itself.", "위치가 자기 자신을 보지 못합니다."),
        )


def test_grouped_whole(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    for seq_len, batch in ((case.seq_len, case.batch), (9, 1)):
        x = case.inputs(draw, seq_len, batch)
        expect_one_of(case.ask(x)[0], case.answers(x), Text("the output of a whole pass", "전체를 한 번에 계산한 출력"))


def test_grouped_ends(probe: Probe, draw: Draw) -> None:
    for num_heads, num_kv_heads, head_dim in ((3, 3, 4), (3, 1, 6), (1, 1, 4)):
        case = GroupedCase(probe, draw, num_heads, num_kv_heads, head_dim)
        case.fill(draw)
        x = case.inputs(draw, 5)
        what = Text(
            f"the output with {num_heads} query heads and {num_kv_heads} key and value heads",
            f"쿼리 헤드 {num_heads}개, 키와 값의 헤드 {num_kv_heads}개일 때의 출력",
        )
        expect_one_of(case.ask(x)[0], case.answers(x), what)


def expect_like_whole(case: GroupedCase, x: Array, got: Array, what: Text) -> None:
    """Miss unless outputs made in parts are those of a whole pass: the student's own, or the right one."""
    whole, _ = case.ask(x)
    if not any(is_close(got, right) for right in case.answers(x)):
        expect_close(got, whole, what, GROUPED_OUTPUT)


def test_grouped_cache(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    two = [case.inputs(draw, 6) for _ in range(2)]
    # two sequences take turns: what a layer keeps of one must not reach the other
    walks = [case.in_parts(x, [1] * 6) for x in two]
    outputs = list(zip(*walks, strict=True))
    what = Text("the outputs token by token behind the cache", "캐시 뒤에서 토큰을 하나씩 계산한 출력")
    for place, x in enumerate(two):
        expect_like_whole(case, x, np.concatenate([output[place] for output in outputs], axis=1), what)


def test_grouped_chunks(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    what = Text(
        "the outputs of several tokens at once behind the cache", "캐시 뒤에서 여러 토큰을 한꺼번에 계산한 출력"
    )
    for sizes in ((2, 4, 3), (5, 1, 1), (1, 6, 2)):
        x = case.inputs(draw, sum(sizes))
        expect_like_whole(case, x, np.concatenate(list(case.in_parts(x, sizes)), axis=1), what)


def test_grouped_config(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    x = case.inputs(draw, 4)

    def ask(layer: Layer) -> list[Array]:
        output, cache = expect_tuple(layer(x), 2, PAIR)
        keys = cache[0] if isinstance(cache, tuple) else np.asarray(cache)
        return [np.asarray(output, np.float64), np.asarray(keys, np.float64)]

    expect_same_from_config(case.layer, ask)


def test_grouped_divides(probe: Probe, draw: Draw) -> None:
    head_dim = 2 * draw.integer(1, 3)
    for d_model, num_heads, num_kv_heads, names in (
        (8 * head_dim + 4, 8, 2, ["d_model", "num_heads"]),
        (6 * head_dim, 6, 4, ["num_heads", "num_kv_heads"]),
        (4 * head_dim, 4, 8, ["num_heads", "num_kv_heads"]),
    ):
        sizes = d_model, num_heads, num_kv_heads

        def make(sizes: tuple[int, int, int] = sizes) -> None:
            layer = probe.layer("GroupedQueryAttention", *sizes)
            layer(draw.normal(2, 3, sizes[0]))

        values = [d_model, num_heads] if names[0] == "d_model" else [num_heads, num_kv_heads]
        expect_raises_value_error(make, names, values, names_all=True)
