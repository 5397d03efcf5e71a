"""What every layer of 10 is asked: its config, its weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograder.base.text import Text
from autograder.grading import Array, Layer, Miss, expect_close, expect_that, is_close

from ..._shared.layer_lines import COPY_OUTPUT, copy_by_config
from .. import kernel_roles


def expect_same_from_config(layer: Layer, ask: Callable[[Layer], Iterable[Array]]) -> None:
    """Miss unless the layer that is made from a layer's config computes the same with the same weights."""
    expected = list(ask(layer))
    values = [value for _, value in layer.values()]
    _, got = copy_by_config(layer, lambda copy: copy.set_values(values), lambda copy: list(ask(copy)))
    for one, other in zip(got, expected, strict=True):
        expect_close(one, other, COPY_OUTPUT)


def expect_only_kernels(values: Sequence[Any], count: int, words: Text) -> None:
    """Miss unless a layer has so many trained numbers, in kernels alone, and no others."""
    vectors = [weight.shape for weight, first in values if first.ndim < 2]
    expect_that(
        not vectors,
        Text(
            f"There should be no bias, but there are weights of the shapes {vectors}.",
            f"편향이 없어야 하는데 모양이 {vectors}인 가중치가 있습니다.",
        ),
    )
    found = kernel_roles.num_entries(values)
    expect_that(
        found == count,
        Text(
            f"{words.en} hold {count} numbers here, but the trainable weights hold {found}: {[weight.shape for weight, _ in values]}.",
            f"여기서 {words.ko}에는 수가 {count}개 들어 있는데 학습되는 가중치에는 {found}개가 있습니다: "
            f"{[weight.shape for weight, _ in values]}.",
        ),
    )
    others = kernel_roles.num_entries(values, trainable=False)
    expect_that(
        others == 0,
        Text("There should be no weights that aren't trained.", "학습되지 않는 가중치가 없어야 합니다."),
    )


def expect_one_of(got: Array, answers: Iterable[Array], what: Text) -> None:
    """Miss unless an answer is that of one of the readings of a layer's weights."""
    first = None
    for right in answers:
        if is_close(got, right):
            return
        first = right if first is None else first
    if first is None:
        raise Miss(
            Text(
                "The layer's weights can't be the kernels that are asked for: their shapes don't fit.",
                "계층의 가중치가 요구한 커널일 수 없습니다. 모양이 맞지 않습니다.",
            )
        )
    expect_close(got, first, what)
