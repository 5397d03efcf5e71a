"""The vocabulary of the graders: repeatable inputs, exact shapes, named mistakes, and texts without hidden numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from autograder.base.errors import AnswerRaised, AnswerTimeout
from autograder.base.text import Text
from autograder.grading import (
    TOLERANCE,
    Draw,
    Miss,
    expect_changed,
    expect_close,
    expect_number,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    expect_tuple,
    expect_unchanged,
    in_drawn_order,
)

WHAT = Text("the weights", "가중치")
seeds = st.text(max_size=8)

# --- draws -----------------------------------------------------------------------------------------------------------

DRAWS = {
    "normal": lambda draw: draw.normal(3, 4),
    "scaled": lambda draw: draw.normal(5, scale=1.3),
    "uniform": lambda draw: draw.uniform(-2, 7, 3, 4),
    "integer": lambda draw: draw.integer(0, 10**9),
    "integers": lambda draw: draw.integers(0, 10**9, 3, 4),
    "distinct": lambda draw: draw.distinct(5, 0, 10**5),
    "choice": lambda draw: draw.choice(range(10**9)),
}
one_draw = pytest.mark.parametrize("make", DRAWS.values(), ids=DRAWS)


@one_draw
def test_a_draw_repeats_for_the_same_seed(make):
    np.testing.assert_array_equal(make(Draw("secret", "student")), make(Draw("secret", "student")))


@one_draw
@pytest.mark.parametrize(
    "other",
    [("secret", "other"), ("other", "student"), ("secretstudent",), ("student", "secret"), ("secrets", "tudent")],
    ids=["student", "secret", "joined", "swapped", "cut elsewhere"],
)
def test_a_draw_differs_for_another_seed(make, other):
    assert not np.array_equal(make(Draw("secret", "student")), make(Draw(*other)))


@one_draw
def test_a_second_draw_differs_from_the_first(make):
    draw = Draw("secret", "student")
    assert not np.array_equal(make(draw), make(draw))


@given(seeds, st.sampled_from(["normal", "scaled", "uniform"]))
def test_drawn_floats_are_exact_in_float32(seed, kind):
    values = DRAWS[kind](Draw(seed))
    assert values.dtype == np.float64 and np.array_equal(values.astype(np.float32), values)


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda d: d.normal(2, 3), (2, 3)),
        (lambda d: d.uniform(0, 1, 4), (4,)),
        (lambda d: d.integers(0, 5, 1, 2), (1, 2)),
    ],
    ids=["normal", "uniform", "integers"],
)
def test_a_draw_has_the_shape_asked_for(make, shape):
    assert make(Draw("seed")).shape == shape


@given(seeds)
def test_distinct_integers_are_different_and_within_their_bounds(seed):
    drawn = Draw(seed).distinct(5, 3, 9)
    assert len(set(drawn)) == 5 and all(type(n) is int and 3 <= n <= 9 for n in drawn)


def test_distinct_integers_can_use_their_whole_range():
    assert sorted(Draw("seed").distinct(4, 2, 5)) == [2, 3, 4, 5]


@given(seeds)
def test_an_integer_is_within_its_bounds(seed):
    drawn = Draw(seed).integer(-1, 1)
    assert type(drawn) is int and -1 <= drawn <= 1


def test_both_bounds_of_an_integer_are_drawn():
    draw = Draw("seed")
    assert {draw.integer(0, 1) for _ in range(50)} == {0, 1}


@given(seeds)
def test_uniform_numbers_are_below_their_upper_bound(seed):
    # a range of a few float32 steps: rounding up must not reach the bound
    values = Draw(seed).uniform(1.0, 1.0 + 4 * 2.0**-23, 50)
    assert (values >= 1).all() and (values < 1.0 + 4 * 2.0**-23).all()


# --- drawn orders ----------------------------------------------------------------------------------------------------


def in_order(draw: Draw, count: int) -> list[int]:
    asked: list[int] = []

    def question(index: int) -> int:
        asked.append(index)
        return index

    answers = list(in_drawn_order(draw, question, range(count)))
    assert answers == sorted(asked)
    return asked


@pytest.mark.parametrize(("count", "asked"), [(1, 6), (3, 6), (4, 8), (6, 6), (9, 9)])
def test_questions_are_asked_in_a_drawn_order_and_answered_in_the_given_one(count, asked):
    orders = [in_order(Draw("a", str(seed)), count) for seed in range(50)]
    assert {len(order) for order in orders} == {asked}
    assert all(set(order) == set(range(count)) for order in orders)
    assert count == 1 or len(set(map(tuple, orders))) > 25
    assert in_order(Draw("a"), count) == in_order(Draw("a"), count)


def test_a_question_that_raises_is_told_in_its_turn_and_stops_no_other():
    asked = []

    def question(index: int) -> int:
        asked.append(index)
        if index in (1, 2):
            raise Miss(Text(f"no {index}", f"{index} 아님"))
        return index

    answers = in_drawn_order(Draw("a"), question, range(7))
    assert next(answers) == 0
    with pytest.raises(Miss, match="no 1"):
        next(answers)
    assert sorted(asked) == list(range(7))


def test_expect_that_passes_if_the_condition_holds():
    assert expect_that(True, WHAT) is None


def test_expect_that_misses_with_its_text():
    with pytest.raises(Miss, match=r"^the weights$") as caught:
        expect_that(False, WHAT)
    assert caught.value.text == WHAT


def test_expect_tuple_returns_the_tuple():
    assert expect_tuple((1, 2), 2, "(output, weights)") == (1, 2)


@pytest.mark.parametrize(
    ("answer", "told"),
    [((1, 2, 3), "a tuple of 3"), ((), "a tuple of 0"), (np.ones(2), "ndarray"), (None, "None"), ("ab", "str")],
    ids=["longer", "empty", "array", "None", "string"],
)
def test_expect_tuple_misses_what_is_no_such_tuple(answer, told):
    with pytest.raises(Miss, match=rf"It should return \(output, weights\), but it returned {told}\."):
        expect_tuple(answer, 2, "(output, weights)")


# --- shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [np.ones((2, 3), np.float32), np.ones((2, 3), np.float16), np.ones((2, 3), int), np.ones((2, 3), bool)],
    ids=["float32", "float16", "int", "bool"],
)
def test_expect_shape_returns_float64(answer):
    assert expect_shape(answer, (2, 3), "(rows, columns)").dtype == np.float64


def test_a_tuple_of_equal_rows_is_read_as_an_array():
    assert expect_shape((np.ones(3), (1, 1, 1)), (2, 3), "(rows, columns)").tolist() == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (None, r"It returned None\. Is the `return` missing\?"),
        ("ab", r"one array \(rows, columns\), but it returned str"),
        ((np.ones((2, 3)), np.ones(3)), r"one array \(rows, columns\), but it returned tuple"),
        ((np.ones(3), None), r"one array \(rows, columns\), but it returned tuple"),
        (("a", "b"), r"one array \(rows, columns\), but it returned tuple"),
        ((np.ones((2, 3)),), r"The shape is \(1, 2, 3\)"),
        (np.ones((2, 3), complex), "real numbers, not complex128"),
        (np.full((2, 3), None), "real numbers, not object"),
        (np.full((2, 3), "1"), "real numbers, not <U1"),
        (np.zeros((2, 3), "M8[s]"), "real numbers, not datetime64"),
        (10**30, "real numbers, not object"),
    ],
    ids=[
        "None",
        "string",
        "ragged tuple",
        "tuple with None",
        "tuple of strings",
        "tuple of one",
        "complex",
        "object",
        "strings",
        "dates",
        "huge int",
    ],
)
def test_expect_shape_misses_what_is_no_array_of_real_numbers(answer, match):
    with pytest.raises(Miss, match=match):
        expect_shape(answer, (2, 3), "(rows, columns)")


@pytest.mark.parametrize("shape", [(), (1,), (3,), (1, 3), (2, 1), (3, 2), (1, 2, 3), (2, 3, 1), (6,), (0, 3)], ids=str)
def test_a_shape_that_would_broadcast_or_reshape_misses(shape):
    expected = np.ones((2, 3))
    with pytest.raises(Miss, match=rf"^The shape is {re.escape(str(shape))}, but the weights is \(2, 3\) here\.$"):
        expect_close(np.ones(shape), expected, WHAT)


@pytest.mark.parametrize("answer", [5.0, np.float32(5), np.array(5)], ids=["float", "float32", "0-d array"])
def test_a_scalar_for_a_scalar_is_close(answer):
    assert expect_close(answer, 5.0, WHAT) is None


# --- values ----------------------------------------------------------------------------------------------------------

EXPECTED = np.array([[1.0, -2.0, 3.0], [0.0, 50.0, -0.5]])


@pytest.mark.parametrize(
    "answer",
    [EXPECTED, EXPECTED.astype(np.float32), EXPECTED + 0.9 * TOLERANCE, EXPECTED * (1 + 0.9 * TOLERANCE)],
    ids=["equal", "float32", "absolutely near", "relatively near"],
)
def test_values_within_tolerance_pass(answer):
    assert expect_close(answer, EXPECTED, WHAT) is None


def test_integers_and_booleans_count_as_numbers():
    assert expect_close(np.array([True, False]), np.array([1.0, 0.0]), WHAT) is None


@pytest.mark.parametrize("wrong", [2.2e-4, -2.2e-4, 1.0, np.inf, -np.inf], ids=["above", "below", "far", "inf", "-inf"])
def test_one_value_out_of_tolerance_misses(wrong):
    answer = EXPECTED.copy()
    answer[0, 0] += wrong
    with pytest.raises(Miss, match="Wrong values in the weights"):
        expect_close(answer, EXPECTED, WHAT)


def test_a_nan_misses_with_its_own_text():
    answer = EXPECTED.copy()
    answer[1, 1] = np.nan
    with pytest.raises(Miss, match="There is a NaN in the weights"):
        expect_close(answer, EXPECTED, WHAT)


@pytest.mark.parametrize("answer", [0.0, 1e300, -np.inf, np.nan], ids=["zero", "large", "other infinity", "nan"])
def test_only_infinity_is_close_to_infinity(answer):
    with pytest.raises(Miss, match="the weights"):
        expect_close(np.array([1.0, answer]), np.array([1.0, np.inf]), WHAT)


def test_infinity_is_close_to_itself():
    assert expect_close(np.array([1.0, -np.inf]), np.array([1.0, -np.inf]), WHAT) is None


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        (np.s_[:], "all of them differ"),
        (np.s_[..., [1, 3]], r"only columns 1, 3 \(counted from 0\) differ"),
        (np.s_[..., 2, :], r"only rows 2 \(counted from 0\) differ"),
        (np.s_[0, [0, 1, 2, 0, 1], [0, 1, 2, 3, 4]], r"5 of 30 differ"),
    ],
    ids=["all", "columns", "row", "scattered"],
)
def test_a_miss_tells_where_values_differ(wrong, where):
    answer = np.zeros((2, 3, 5))
    answer[wrong] = 1
    with pytest.raises(Miss, match=rf"Wrong values in the weights: {where}\."):
        expect_close(answer, np.zeros((2, 3, 5)), WHAT)


def test_a_miss_in_a_row_of_numbers_tells_its_entries():
    with pytest.raises(Miss, match=r"only entries 1 \(counted from 0\) differ"):
        expect_close(np.array([0.0, 1.0, 0.0]), np.zeros(3), WHAT)


def test_a_miss_is_told_in_korean_too():
    with pytest.raises(Miss, match="Wrong values") as caught:
        expect_close(np.zeros(3), np.ones(3), WHAT)
    assert caught.value.text.ko == "가중치의 값이 틀렸습니다: 모두 다릅니다."


@pytest.mark.parametrize("answer", [5, 5.0, np.array(5.0), np.array([5.0]), np.array([[5]])], ids=repr)
def test_one_number_may_come_in_any_wrapping(answer):
    assert expect_number(answer, 5.0, WHAT) is None


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (np.ones(2), r"The shape is \(2,\), but one number is \(\) here"),
        (np.ones(0), r"The shape is \(0,\)"),
        (None, "returned None"),
        ("5", "returned str"),
        ((5.0,), r"The shape is \(1,\)"),
        (4.9, "Wrong value: the weights"),
        (float("nan"), "There is a NaN"),
        (5 + 0j, "real numbers, not complex"),
    ],
    ids=["two", "none", "None", "string", "tuple", "wrong", "nan", "complex"],
)
def test_what_is_not_that_one_number_misses(answer, match):
    with pytest.raises(Miss, match=match):
        expect_number(answer, 5.0, WHAT)


# --- what a text must not tell ---------------------------------------------------------------------------------------

# numbers whose digits can't be those of a shape, an index or a count
telling = st.floats(10_000, 99_999).map(lambda x: round(x, 4))


def _digits(values: np.ndarray) -> set[str]:
    """Return the leading digits by which a reader would recognise the values."""
    return {str(value).replace(".", "")[:4] for value in np.ravel(values)}


@given(st.data(), arrays(np.float64, array_shapes(max_dims=3, max_side=4), elements=telling))
def test_no_text_tells_an_expected_value(data, expected):
    answer = data.draw(
        st.one_of(
            arrays(np.float64, expected.shape, elements=st.floats(-9, 9) | st.just(np.nan) | st.just(np.inf)),
            arrays(np.float64, array_shapes(max_dims=3, max_side=4), elements=st.floats(-9, 9)),
            st.sampled_from([None, "text", (1, 2), 1j]),
        )
    )
    with pytest.raises(Miss, match=".") as caught:
        expect_close(answer, expected, WHAT)
    text = caught.value.text
    assert not [digits for digits in _digits(expected) if digits in text.en or digits in text.ko]


# --- errors that students must raise ---------------------------------------------------------------------------------


def _raising(*kinds: str, raw: str = ""):
    def call() -> None:
        raise AnswerRaised(Text("Your code raised."), kinds, raw)

    return call


@pytest.mark.parametrize(
    "raw",
    ["dim must be even. Received: dim=5.", "5 is no even width", "width: 5"],
    ids=["as the course does", "value first", "other name"],
)
def test_a_value_error_that_names_argument_and_value_passes(raw):
    assert expect_raises_value_error(_raising("ValueError", "Exception", raw=raw), ["dim", "width"], [5]) is None


def test_an_operation_that_fails_by_itself_is_a_check_that_is_missing():
    raw = "Incompatible shapes for broadcasting: shapes=[(2, 7, 4), (5, 4)]"
    with pytest.raises(Miss, match="The operation itself failed"):
        expect_raises_value_error(_raising("ValueError", raw=raw), ["seq_len"], [9])


@pytest.mark.parametrize(
    ("raw", "passes"),
    [
        ("num_heads=3, d_model=8", True),
        ("num_heads=3, d_model", False),
        ("num_heads=3, width=8", False),
        ("3, 8", False),
    ],
)
def test_a_value_error_may_have_to_name_all_arguments_and_values(raw: str, passes: bool):
    call = _raising("ValueError", "Exception", raw=raw)
    if passes:
        assert expect_raises_value_error(call, ["num_heads", "d_model"], [3, 8], names_all=True) is None
    else:
        with pytest.raises(Miss, match="`num_heads` and `d_model`"):
            expect_raises_value_error(call, ["num_heads", "d_model"], [3, 8], names_all=True)


@pytest.mark.parametrize(("after", "is_same"), [(1.0, True), (1 + 1e-6, True), (1.001, False), (np.nan, False)])
def test_what_changed_by_more_than_rounding_is_changed(after: float, is_same: bool):
    before, again = np.ones((2, 3)), np.array([[1.0, 1.0, 1.0], [1.0, after, 1.0]])
    wrong, right = (expect_changed, expect_unchanged) if is_same else (expect_unchanged, expect_changed)
    assert right(before, again, WHAT) is None
    with pytest.raises(Miss, match="the weights"):
        wrong(before, again, WHAT)


def test_a_subclass_of_value_error_passes():
    call = _raising("DimensionError", "ValueError", "Exception", raw="dim=5")
    assert expect_raises_value_error(call, ["dim"], [5]) is None


@pytest.mark.parametrize("raw", ["", "bad argument", "dim must be even", "5"], ids=["empty", "vague", "name", "value"])
def test_a_value_error_that_lacks_name_or_value_misses(raw):
    with pytest.raises(Miss, match="should name `dim` or `width` and the value received"):
        expect_raises_value_error(_raising("ValueError", raw=raw), ["dim", "width"], [5])


def test_raising_nothing_misses():
    with pytest.raises(Miss, match="A bad argument should raise a ValueError"):
        expect_raises_value_error(lambda: np.ones(3), ["dim"], [5])


def test_another_exception_misses_with_its_text():
    with pytest.raises(Miss, match=r"A ValueError was expected here\. Your code raised\."):
        expect_raises_value_error(_raising("TypeError", "Exception", raw="dim=5"), ["dim"], [5])


def test_a_stub_is_passed_on_so_that_it_counts_as_unwritten():
    with pytest.raises(AnswerRaised, match="Your code raised"):
        expect_raises_value_error(_raising("NotImplementedError", "RuntimeError"), ["dim"], [5])


def test_no_answer_is_passed_on():
    def call() -> None:
        raise AnswerTimeout(Text("It took too long."))

    with pytest.raises(AnswerTimeout, match="took too long"):
        expect_raises_value_error(call, ["dim"], [5])


def test_a_fault_of_the_grader_is_passed_on():
    with pytest.raises(ZeroDivisionError, match="division"):
        expect_raises_value_error(lambda: 1 / 0, ["dim"], [5])


def pattern_of(got, expected):
    with pytest.raises(Miss) as miss:
        expect_close(got, expected, Text("it", "그것"))
    return miss.value.pattern


def test_a_miss_tells_which_entries_of_the_last_two_axes_are_right_in_every_slice():
    expected = np.zeros((2, 2, 3))
    got = expected.copy()
    got[0, 0, 2] = got[1, 1, 0] = 7
    assert pattern_of(got, expected) == ("110", "011")


@pytest.mark.parametrize("shape", [(), (4,), (1, 5), (41, 3)], ids=str)
def test_what_no_picture_helps_with_has_no_pattern(shape):
    expected = np.zeros(shape)
    got = expected.copy()
    got.flat[0] = 1
    assert pattern_of(got, expected) == ()


def test_an_answer_that_is_wrong_everywhere_has_no_pattern():
    assert pattern_of(np.ones((3, 3)), np.zeros((3, 3))) == ()
