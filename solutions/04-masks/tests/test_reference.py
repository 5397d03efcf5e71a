"""The reference of 04-masks against hand-worked masks and properties, and the leak test's callables against its words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from autograder.grading import Draw

from .. import leak_cases
from .. import leak_components as attends
from .. import reference as oracle
from ..tasks.leak_test import SOURCE

# float64 throughout: only rounding is left
EXACT = {"rtol": 1e-12, "atol": 1e-12}

seeds = st.integers(0, 2**32 - 1)
token_ids = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 7)), elements=st.integers(0, 3))
scores = arrays(np.float64, (2, 3, 4), elements=st.floats(-5000, 5000, width=32))
hiding = arrays(np.float64, (2, 3, 4), elements=st.sampled_from([0.0, 1.0]))

# --- masks -----------------------------------------------------------------------------------------------------------


def test_padding_mask_of_the_lecture():
    mask = oracle.create_padding_mask([[7, 6, 0, 0, 1], [1, 2, 3, 0, 0], [0, 0, 0, 4, 5]])
    assert mask.shape == (3, 1, 1, 5)
    assert mask[:, 0, 0].tolist() == [[0, 0, 1, 1, 0], [0, 0, 0, 1, 1], [1, 1, 1, 0, 0]]


def test_look_ahead_mask_of_four():
    expected = [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert oracle.create_look_ahead_mask(4).tolist() == expected


def test_decoder_mask_worked_by_hand():
    mask = oracle.create_decoder_mask([[5, 6, 0, 0]])
    assert mask.shape == (1, 1, 4, 4)
    assert mask[0, 0].tolist() == [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]


@given(ids=token_ids, pad_id=st.integers(0, 3))
def test_padding_mask_counts_the_padding(ids, pad_id):
    assert oracle.create_padding_mask(ids, pad_id).sum() == (ids == pad_id).sum()


@pytest.mark.parametrize("size", [1, 2, 9])
def test_look_ahead_mask_and_its_transpose_leave_the_diagonal(size):
    mask = oracle.create_look_ahead_mask(size)
    np.testing.assert_array_equal(mask + mask.T, 1 - np.eye(size))


@given(ids=token_ids, pad_id=st.integers(0, 3))
def test_decoder_mask_hides_what_either_mask_hides(ids, pad_id):
    either = np.maximum(oracle.create_padding_mask(ids, pad_id), oracle.create_look_ahead_mask(ids.shape[1]))
    np.testing.assert_array_equal(oracle.create_decoder_mask(ids, pad_id), either)


# --- softmax ---------------------------------------------------------------------------------------------------------


def test_masked_softmax_worked_by_hand():
    weights = oracle.masked_softmax([[1, 2, 3]], [[0, 0, 1]])
    np.testing.assert_allclose(weights, [[1 / (1 + np.e), np.e / (1 + np.e), 0]], **EXACT)


@given(scores=scores, hiding=hiding)
def test_rows_add_up_to_one_or_are_wholly_hidden(scores, hiding):
    total = oracle.masked_softmax(scores, hiding).sum(axis=-1)
    np.testing.assert_allclose(total, np.where(hiding.all(axis=-1), 0.0, 1.0), rtol=0, atol=1e-9)


@given(scores=scores, hiding=hiding)
def test_hidden_entries_are_exactly_zero(scores, hiding):
    assert (oracle.masked_softmax(scores, hiding)[hiding == 1] == 0).all()


@given(scores=scores, hiding=hiding)
def test_hidden_scores_change_no_weight(scores, hiding):
    louder = np.where(hiding == 1, scores + 7000, scores)
    np.testing.assert_array_equal(oracle.masked_softmax(louder, hiding), oracle.masked_softmax(scores, hiding))


def test_masks_broadcast():
    some = np.random.default_rng(0).standard_normal((2, 3, 4, 5))
    mask = np.array([[0, 0, 0, 1, 1], [0, 1, 0, 0, 0]])[:, None, None, :]
    full = np.broadcast_to(mask, some.shape)
    np.testing.assert_array_equal(oracle.masked_softmax(some, mask), oracle.masked_softmax(some, full))


# --- Keras's convention ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "expected"),
    [((2, 1, 3, 4), (2, 3, 4)), ((2, 1, 1, 4), (2, 1, 4)), ((1, 1, 1, 4), (1, 1, 4)), ((3, 4), (1, 3, 4))],
    ids=str,
)
def test_the_mask_for_keras_has_its_shape(shape, expected):
    mask = oracle.to_keras_attention_mask(np.zeros(shape))
    assert mask.shape == expected and mask.dtype == bool and mask.all()


def test_the_mask_for_keras_is_flipped():
    assert oracle.to_keras_attention_mask([[0.0, 1.0], [0.0, 0.0]]).tolist() == [[[True, False], [True, True]]]


# --- leaks -----------------------------------------------------------------------------------------------------------


def test_a_causal_average_does_not_leak():
    assert not oracle.leaks_future(lambda x: np.cumsum(x, axis=1), 5, 3)


def test_an_average_of_everything_leaks():
    assert oracle.leaks_future(lambda x: x - x.mean(axis=1, keepdims=True), 5, 3)


def test_influence_says_which_output_sees_which_input():
    seen = oracle.influence(lambda x: np.roll(x, 1, axis=1), 4, 2) > 0.5
    np.testing.assert_array_equal(seen, np.roll(np.eye(4), 1, axis=0) == 1)


CASES: dict[str, Callable[[Draw], list[leak_cases.LeakCase]]] = {
    name: function for name, function in vars(leak_cases).items() if name.endswith("_cases")
}


def _made(case: leak_cases.LeakCase) -> Callable[[np.ndarray], np.ndarray]:
    """Return the case's callable, in NumPy where it would be in Keras."""
    return getattr(attends, case.make)(*(arg for arg in case.args if not (isinstance(arg, str) and arg == "keras")))


def _future_moves(case: leak_cases.LeakCase, seed: int) -> float:
    return float(np.triu(oracle.influence(_made(case), case.seq_len, case.dim, seed), k=1).max())


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_callables_leak_as_much_as_the_task_says_or_not_at_all(cases, seed):
    # the task promises students 1e-4 and 1e-6 for inputs that change by about 1
    for case in cases(Draw(str(seed))):
        moves = _future_moves(case, seed)
        assert moves > 1e-4 if case.leaks else moves < 1e-6, case.what


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
def test_no_constant_answer_is_right(cases):
    assert {case.leaks for case in cases(Draw("any"))} == {True, False}


def test_rounding_reaches_earlier_outputs():
    rounded = leak_cases.size_cases(Draw("any"))[0]
    assert not rounded.leaks and _future_moves(rounded, 0) > 0


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
def test_callables_leave_their_input_alone(cases):
    for case in cases(Draw("any")):
        x = np.ones((1, case.seq_len, case.dim))
        before = x.copy()
        output = _made(case)(x)
        output[:] = 7
        np.testing.assert_array_equal(x, before)


def test_the_text_that_goes_to_the_kernel_is_complete():
    namespace: dict[str, object] = {}
    exec(compile(SOURCE, "<given>", "exec"), namespace)
    assert {"attention", "mixture", "product", "convolution"} <= set(namespace)
