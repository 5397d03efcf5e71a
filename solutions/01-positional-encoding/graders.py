"""Hidden grader of `01-positional-encoding`: order is shape, one mechanism at a time, the whole.

Sizes are drawn apart from each other and from the public checks' (dims 4 and 6), so no axis stands in for another.
Dims 8 and 10 are left out: at 8 the powers of ten that a widely read table prints are the right rates, and at 10 they
are also what another mistake gives.
A layer is first called with inputs as long as its table, so that one that adds the whole table or its last rows loses
the line about shorter sequences and no other.
Tables have few rows: computed in float32, 50 rows are off by 3e-6, far below the tolerance of 1e-4.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Draw,
    Layer,
    Miss,
    Probe,
    expect_array,
    expect_close,
    expect_number,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    is_close,
)

from . import reference as oracle

Array = NDArray[np.float64]

RATES = Text("the angle rates", "각도 변화율")
TABLE = Text("the table", "위치 인코딩 표")
DOTS = Text("the dot products", "내적")
CLOSED_FORM = Text("the dot product at that offset", "그 거리에서의 내적")
SHIFT = Text("the shift matrix", "이동 행렬")
OUTPUT = Text("the layer's output", "계층의 출력")


# angle-rates


def test_rates_shape(probe: Probe, draw: Draw) -> None:
    dim = _dim(draw)
    expect_shape(probe.call("angle_rates", dim), (dim // 2,), "(dim // 2,)")


def test_rates_fall(probe: Probe, draw: Draw) -> None:
    dim = _dim(draw)
    rates = expect_shape(probe.call("angle_rates", dim), (dim // 2,), "(dim // 2,)")
    expect_that(
        bool(np.isfinite(rates).all() and (rates > 0).all()),
        Text("Every rate should be a positive, finite number.", "모든 변화율은 유한한 양수여야 합니다."),
    )
    expect_that(
        abs(rates[0] - 1) <= 1e-4,
        Text(
            "The first pair should have rate 1: i counts from 0, and base ** 0 is 1.",
            "첫째 쌍의 변화율은 1이어야 합니다. i는 0부터 세고 base ** 0은 1입니다.",
        ),
    )
    factors = rates[1:] / rates[:-1]
    expect_that(
        bool((factors < 0.99).all()),
        Text("The rates should fall from pair to pair.", "변화율은 쌍이 뒤로 갈수록 작아져야 합니다."),
    )
    expect_that(
        bool(np.allclose(factors, factors[0], rtol=1e-3)),
        Text(
            "Each rate should be the same factor times the one before it.",
            "각 변화율은 바로 앞 변화율에 늘 같은 수를 곱한 값이어야 합니다.",
        ),
    )


def test_rates_values(probe: Probe, draw: Draw) -> None:
    for dim in (_dim(draw), 2):
        expect_close(probe.call("angle_rates", dim), oracle.angle_rates(dim), RATES, "(dim // 2,)")


def test_rates_base(probe: Probe, draw: Draw) -> None:
    dim, (base, other) = _dim(draw), _two_bases(draw)
    expect_close(probe.call("angle_rates", dim, base), oracle.angle_rates(dim, base), RATES, "(dim // 2,)")
    expect_close(probe.call("angle_rates", dim, base=other), oracle.angle_rates(dim, other), RATES, "(dim // 2,)")


def test_rates_bad_dim(probe: Probe, draw: Draw) -> None:
    for dim in (2 * draw.integer(3, 9) + 1, 0, -2 * draw.integer(1, 4), 1):
        expect_raises_value_error(lambda dim=dim: probe.call("angle_rates", dim), ["dim"], [dim])


# sinusoidal-table


def test_table_shape(probe: Probe, draw: Draw) -> None:
    max_len, dim = _table_sizes(draw)
    answer = probe.call("positional_encoding", max_len, dim)
    expect_shape(answer, (max_len, dim), "(max_len, dim)")


def test_table_angles(probe: Probe, draw: Draw) -> None:
    max_len, dim = _table_sizes(draw)
    answer = probe.call("positional_encoding", max_len, dim)
    _expect_rows(answer, oracle.positional_encoding(max_len, dim))


def test_table_order(probe: Probe, draw: Draw) -> None:
    max_len, dim = _table_sizes(draw)
    answer = expect_shape(probe.call("positional_encoding", max_len, dim), (max_len, dim), "(max_len, dim)")
    expect_that(
        bool((np.ptp(answer, axis=0) > 0).any()),
        Text("All rows are the same: position never enters.", "모든 행이 같습니다. 위치가 쓰이지 않았습니다."),
    )
    # position 0 has angle 0 in every pair, so it shows the order whatever the rates; a table that counts its positions
    # from 1 has no such row, and loses `table-angles` for it, not this line
    if np.allclose(answer, oracle.positional_encoding(max_len + 1, dim)[1:], atol=1e-4):
        return
    row = np.tile([0.0, 1.0], dim // 2)
    expect_close(answer[0], row, Text("row 0, where every angle is 0", "모든 각도가 0인 0번 행"), "(dim,)")


def test_table_base(probe: Probe, draw: Draw) -> None:
    (max_len, dim), base, other = _table_sizes(draw), *_two_bases(draw)
    answer = probe.call("positional_encoding", max_len, dim, base)
    _expect_rows(answer, oracle.positional_encoding(max_len, dim, base))
    answer = probe.call("positional_encoding", max_len, dim, base=other)
    _expect_rows(answer, oracle.positional_encoding(max_len, dim, other))


def test_table_whole(probe: Probe, draw: Draw) -> None:
    long, short = draw.integer(30, 45), draw.integer(2, 5)
    very_long = draw.integer(520, 600)
    sizes = ((long, _dim(draw)), (short, 2 * draw.integer(10, 14)), (draw.integer(7, 9), 2), (very_long, 6), (1, 8))
    for max_len, dim in sizes:
        expected = oracle.positional_encoding(max_len, dim)
        expect_close(probe.call("positional_encoding", max_len, dim), expected, TABLE, "(max_len, dim)")


# dot-products


def test_dots_shape(probe: Probe, draw: Draw) -> None:
    pe, offset = _random_table(draw)
    expect_shape(probe.call("dot_products_at_offset", pe, offset), (len(pe) - offset,), "(max_len - offset,)")


def test_dots_values(probe: Probe, draw: Draw) -> None:
    pe, offset = _random_table(draw)
    products = oracle.dot_products_at_offset(pe, offset)
    expect_close(probe.call("dot_products_at_offset", pe, offset), products, DOTS, "(max_len - offset,)")
    # the last offset that has a partner, in a fresh table
    pe, _ = _random_table(draw)
    expect_close(
        probe.call("dot_products_at_offset", pe, len(pe) - 1),
        oracle.dot_products_at_offset(pe, len(pe) - 1),
        DOTS,
        "(max_len - offset,)",
    )


def test_dots_zero(probe: Probe, draw: Draw) -> None:
    pe, _ = _random_table(draw)
    expected = oracle.dot_products_at_offset(pe, 0)
    expect_close(probe.call("dot_products_at_offset", pe, 0), expected, DOTS, "(max_len - offset,)")


# invariance


def test_invariance_number(probe: Probe, draw: Draw) -> None:
    offset, dim = draw.integer(2, 9), _dim(draw)
    answer = probe.call("offset_dot_product", offset, dim)
    if answer is None or isinstance(answer, (str, tuple)) or np.size(answer) != 1:
        expect_shape(answer, (), Text("one number", "수 하나"))


def test_invariance_values(probe: Probe, draw: Draw) -> None:
    below_0 = (draw.choice([3, 4, 9, 10]), 2)  # a single pair whose cosine is below 0
    for offset, dim in (
        *((draw.integer(*ends), _dim(draw)) for ends in ((1, 4), (5, 12), (13, 30), (130, 170))),
        below_0,
    ):
        right = oracle.offset_dot_product(offset, dim)
        expect_number(probe.call("offset_dot_product", offset, dim), right, CLOSED_FORM)


def test_invariance_base(probe: Probe, draw: Draw) -> None:
    offset, dim, (base, other) = draw.integer(3, 9), _dim(draw), _two_bases(draw)
    right = oracle.offset_dot_product(offset, dim, base)
    expect_number(probe.call("offset_dot_product", offset, dim, base), right, CLOSED_FORM)
    right = oracle.offset_dot_product(offset, dim, other)
    expect_number(probe.call("offset_dot_product", offset, dim, base=other), right, CLOSED_FORM)


def test_invariance_zero(probe: Probe, draw: Draw) -> None:
    dim = _dim(draw)
    expect_number(probe.call("offset_dot_product", 0, dim), oracle.offset_dot_product(0, dim), CLOSED_FORM)


# shift-matrix
# The rows of the table span every direction, so M is unique and can be compared itself. Dims stay at 12 or less, where
# even a least-squares fit to the table finds M to 5e-10.


def test_shift_shape(probe: Probe, draw: Draw) -> None:
    offset, dim = draw.integer(1, 5), _small_dim(draw)
    expect_shape(probe.call("shift_matrix", offset, dim), (dim, dim), "(dim, dim)")


def test_shift_blocks(probe: Probe, draw: Draw) -> None:
    offset, dim = draw.integer(1, 5), _small_dim(draw)
    answer = expect_shape(probe.call("shift_matrix", offset, dim), (dim, dim), "(dim, dim)")
    expected = _without_side_signs(oracle.shift_matrix(offset, dim))
    expect_close(_without_side_signs(answer), expected, SHIFT, "(dim, dim)")


def test_shift_direction(probe: Probe, draw: Draw) -> None:
    dim = _small_dim(draw)
    # of the same size twice; the second angle of the first pair has a sine below 0
    for offset in (draw.integer(1, 2), draw.choice([4, 5, 6, 10, 11, 12, 17, 18, 23, 24])):
        expected = oracle.shift_matrix(offset, dim)
        expect_close(probe.call("shift_matrix", offset, dim), expected, SHIFT, "(dim, dim)")


def test_shift_base(probe: Probe, draw: Draw) -> None:
    offset, dim, (base, other) = draw.integer(1, 5), _small_dim(draw), _two_bases(draw)
    answers = (
        (base, probe.call("shift_matrix", offset, dim, base)),
        (other, probe.call("shift_matrix", offset, dim, base=other)),
    )
    for used, answer in answers:
        matrix = _without_side_signs(expect_shape(answer, (dim, dim), "(dim, dim)"))
        expect_close(matrix, _without_side_signs(oracle.shift_matrix(offset, dim, used)), SHIFT, "(dim, dim)")


def test_shift_zero(probe: Probe, draw: Draw) -> None:
    dim = _small_dim(draw)
    expect_close(probe.call("shift_matrix", 0, dim), np.eye(dim), SHIFT, "(dim, dim)")


# positional-layer


def test_layer_shape(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = _layer_sizes(draw)
    _, answer, _ = _filled(probe, "PositionalEncoding", draw.normal(batch, max_len, dim))
    expect_shape(answer, (batch, max_len, dim), "(batch, seq_len, dim)")


def test_layer_adds(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = _layer_sizes(draw)
    inputs = draw.normal(batch, max_len, dim)
    layer, answer, _ = _filled(probe, "PositionalEncoding", inputs)
    expect_close(answer, oracle.positional_layer(inputs, max_len), OUTPUT, "(batch, seq_len, dim)")
    expect_close(layer(inputs[:1]), oracle.positional_layer(inputs[:1], max_len), OUTPUT, "(batch, seq_len, dim)")


def test_layer_shorter(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = _layer_sizes(draw)
    layer = probe.layer("PositionalEncoding", max_len, dim)
    # the second length is longer than the first: a layer that keeps the first call's rows has too few
    for length in (seq_len, seq_len + 1):
        inputs = draw.normal(batch, length, dim)
        inputs[0, 1] = 0  # a vector like any other
        right = oracle.positional_layer(inputs, max_len)
        expect_close(layer(inputs, training=True), right, OUTPUT, "(batch, seq_len, dim)")


def test_layer_no_weights(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = _layer_sizes(draw)
    layer, _, _ = _filled(probe, "PositionalEncoding", draw.normal(batch, max_len, dim))
    expect_that(
        not layer.weights(),
        Text(
            "The layer has weights, but its table is a constant: keep it as a plain array or tensor.",
            "계층에 가중치가 있습니다. 표는 상수이므로 보통의 배열이나 텐서로 두세요.",
        ),
    )


def test_layer_float32(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = _layer_sizes(draw)
    _, answer, _ = _filled(probe, "PositionalEncoding", draw.normal(batch, max_len, dim))
    answer = expect_array(answer, "(batch, seq_len, dim)")
    expect_that(
        answer.dtype == np.float32,
        Text(
            f"A layer computes in float32 by default, but the output is {answer.dtype}. Did a float64 table raise it?",
            f"계층은 기본으로 float32로 계산하는데 출력이 {answer.dtype}입니다. float64 표 때문이 아닌가요?",
        ),
    )


def test_layer_too_long(probe: Probe, draw: Draw) -> None:
    _expect_refuses_long(probe, "PositionalEncoding", draw)


def test_layer_config(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = _layer_sizes(draw)
    inputs = draw.normal(batch, max_len, dim)
    layer, _, _ = _filled(probe, "PositionalEncoding", inputs)
    _, answer = _copied(layer, inputs)
    expect_close(answer, oracle.positional_layer(inputs, max_len), OUTPUT, "(batch, seq_len, dim)")
    # a table with more rows than columns: a copy with too few rows can't be as long
    inputs = draw.normal(batch, *_long_sizes(draw))
    try:
        layer, _, _ = _filled(probe, "PositionalEncoding", inputs)
    except AnswerRaised:
        return  # it has cost `layer-too-long`
    _, answer = _copied(layer, inputs)
    expect_close(answer, oracle.positional_layer(inputs, inputs.shape[1]), OUTPUT, "(batch, seq_len, dim)")


# learned-layer


def test_learned_shape(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = _layer_sizes(draw)
    answer = probe.layer("LearnedPositionalEmbedding", max_len, dim)(draw.normal(batch, seq_len, dim))
    expect_shape(answer, (batch, seq_len, dim), "(batch, seq_len, dim)")


def test_learned_table(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = _layer_sizes(draw)
    layer = probe.layer("LearnedPositionalEmbedding", max_len, dim)
    layer(draw.normal(batch, seq_len, dim))
    _table_path(layer, max_len, dim)


def test_learned_trainable(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = _layer_sizes(draw)
    layer = probe.layer("LearnedPositionalEmbedding", max_len, dim)
    layer(draw.normal(batch, seq_len, dim))
    layer(draw.normal(batch, seq_len - 1, dim))
    trainable = [weight for weight in layer.weights() if weight.trainable]
    expect_that(
        bool(trainable),
        Text("The layer has nothing to train.", "계층에 학습할 것이 없습니다."),
    )
    expect_that(
        len(trainable) == 1 and trainable[0].shape == (max_len, dim),
        Text(
            f"The one trainable weight should be the (max_len, dim) table, but there are {len(trainable)}.",
            f"학습되는 가중치는 (max_len, dim) 표 하나여야 하는데 {len(trainable)}개가 있습니다.",
        ),
    )


def test_learned_adds(probe: Probe, draw: Draw) -> None:
    batch, _, max_len, dim = _layer_sizes(draw)
    layer, table = _layer_with_table(probe, max_len, dim, draw)
    inputs = draw.normal(batch, max_len, dim)
    for some in (inputs, inputs[:1]):
        expect_close(layer(some), oracle.learned_positional_layer(some, table), OUTPUT, "(batch, seq_len, dim)")


def test_learned_shorter(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = _layer_sizes(draw)
    layer, table = _layer_with_table(probe, max_len, dim, draw)
    for length in (seq_len, seq_len + 1):
        inputs = draw.normal(batch, length, dim)
        right = oracle.learned_positional_layer(inputs, table)
        expect_close(layer(inputs, training=True), right, OUTPUT, "(batch, seq_len, dim)")


def test_learned_too_long(probe: Probe, draw: Draw) -> None:
    _expect_refuses_long(probe, "LearnedPositionalEmbedding", draw)


def test_learned_config(probe: Probe, draw: Draw) -> None:
    batch, seq_len, max_len, dim = _layer_sizes(draw)
    layer = probe.layer("LearnedPositionalEmbedding", max_len, dim)
    clone, answer = _copied(layer, draw.normal(batch, seq_len, dim))
    expect_shape(answer, (batch, seq_len, dim), "(batch, seq_len, dim)")
    # what the layer computes is `learned-adds`; here only that the copy is the same kind of layer
    _table_path(clone, max_len, dim)
    max_len, dim = _long_sizes(draw)
    clone, _ = _copied(probe.layer("LearnedPositionalEmbedding", max_len, dim), draw.normal(batch, seq_len, dim))
    _table_path(clone, max_len, dim)


# inputs and helpers


def _dim(draw: Draw) -> int:
    """Return an even dim from 12 to 18: see the top of this module."""
    return 2 * draw.integer(6, 9)


def _small_dim(draw: Draw) -> int:
    return 2 * draw.integer(5, 6)


def _two_bases(draw: Draw) -> tuple[float, float]:
    """Return two bases far enough from 10000, and from each other, to be told from it at every dim."""
    return draw.integer(20, 100) + 0.5, float(draw.integer(200, 600))


def _table_sizes(draw: Draw) -> tuple[int, int]:
    """Return (max_len, dim), max_len odd so that the two differ."""
    return 2 * draw.integer(3, 9) + 1, _dim(draw)


def _random_table(draw: Draw) -> tuple[Array, int]:
    """Return a table that is not sinusoidal and an offset, with max_len, max_len - offset and dim pairwise distinct."""
    offset = draw.integer(2, 4)
    max_len = draw.integer(9, 12)
    return draw.normal(max_len, 2 * draw.integer(7, 9)), offset


def _layer_sizes(draw: Draw) -> tuple[int, int, int, int]:
    """Return (batch, seq_len, max_len, dim), pairwise distinct, seq_len + 1 < max_len."""
    return draw.integer(2, 3), draw.integer(4, 5), draw.choice([7, 9, 11]), 2 * draw.integer(6, 8)


def _long_sizes(draw: Draw) -> tuple[int, int]:
    """Return (max_len, dim) of a table with more rows than columns."""
    return draw.choice([13, 15, 17]), 12


def _without_side_signs(matrix: Array) -> Array:
    """Return `matrix` with the signs off the diagonal dropped: the same for both directions of turning."""
    return np.where(np.eye(len(matrix), dtype=bool), matrix, np.abs(matrix))


def _expect_rows(answer: Any, expected: Array) -> None:
    """Miss unless each row of a table holds the numbers of that row of `expected`, in any order."""
    got = np.sort(expect_shape(answer, expected.shape, "(max_len, dim)"), axis=-1)
    expected = np.sort(expected, axis=-1)
    if np.isnan(got).any():
        expect_close(got, expected, TABLE, "(max_len, dim)")
    # which columns differ once the rows are sorted would tell the student nothing
    expect_that(
        is_close(got, expected),
        Text(
            "There are rows that do not hold the sine and the cosine of each of their angles, position times rate.",
            "각 각도(위치 곱하기 변화율)의 사인과 코사인이 들어 있지 않은 행이 있습니다.",
        ),
    )


def _filled(probe: Probe, name: str, inputs: Array) -> tuple[Layer, Any, int]:
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


def _expect_refuses_long(probe: Probe, name: str, draw: Draw) -> None:
    """Miss unless the layer `name` takes a sequence as long as its table and refuses one that is one token longer.

    Once the table has fewer rows than columns, once more.
    """
    batch, _, max_len, dim = _layer_sizes(draw)
    for rows, columns in ((max_len, dim), _long_sizes(draw)):
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


def _copied(layer: Layer, inputs: Array) -> tuple[Layer, Any]:
    """Return the layer's copy by way of its config, and what the copy answers to inputs that suit the layer."""
    try:
        clone = layer.clone()
        return clone, clone(inputs)
    except AnswerRaised as error:
        raise Miss(
            Text(
                "In `from_config(get_config())`: does get_config hold every argument under its own name?",
                "`from_config(get_config())`에서: get_config에 모든 인수가 제 이름으로 들어 있나요?",
            )
            + error.text
        ) from None


def _table_path(layer: Layer, max_len: int, dim: int) -> str:
    """Return the path of the layer's one (max_len, dim) weight."""
    weights = layer.weights()
    tables = [weight.path for weight in weights if weight.shape == (max_len, dim)]
    if len(tables) == 1:
        return tables[0]
    if not weights:
        raise Miss(
            Text("The layer has no weights: where is its table?", "계층에 가중치가 없습니다. 표는 어디에 있나요?")
        )
    shapes = ", ".join(str(weight.shape) for weight in weights)
    raise Miss(
        Text(
            f"There should be one weight of shape (max_len, dim), here {(max_len, dim)}. The layer has {shapes}.",
            f"모양이 (max_len, dim), 여기서 {(max_len, dim)}인 가중치가 하나 있어야 합니다. 계층에는 {shapes}이(가) 있습니다.",
        )
    )


def _layer_with_table(probe: Probe, max_len: int, dim: int, draw: Draw) -> tuple[Layer, Array]:
    """Return a learned layer for up to `max_len` tokens whose table has drawn values, and these."""
    # the first call builds the table of a layer that has it in a sublayer
    layer, _, rows = _filled(probe, "LearnedPositionalEmbedding", draw.normal(1, max_len, dim))
    table = draw.normal(rows, dim)
    layer.assign({_table_path(layer, rows, dim): table})
    return layer, table
