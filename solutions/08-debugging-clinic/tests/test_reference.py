"""The reference of 08-debugging-clinic against figures worked by hand and properties; what checks are asked about against its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading import Draw

from .. import components, graders
from .. import reference as oracle
from ..tasks import verdicts
from ..tasks.inverted_mask import attention_weights

scaled_dot_product_attention = import_module("...02-attention.reference", __package__).scaled_dot_product_attention
mha_parameter_count = import_module("...03-multi-head-attention.reference", __package__).mha_parameter_count

EXACT = {"rtol": 1e-12, "atol": 1e-12}  # float64 throughout: only rounding is left
seeds = st.integers(0, 2**32 - 1)


def drawn_attention(seed: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    draw = Draw(str(seed))
    return attention_weights(draw, 5, 2, 3), draw.normal(2, 4, 5)


# --- repairs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("function", "is_causal"), [("causal_self_attention", True), ("self_attention", False)])
def test_attention_is_that_of_masked_matrices(function: str, is_causal: bool):
    weights, x = drawn_attention(3)
    query, key, value = (
        np.einsum("bld,dhw->bhlw", x, weights[f"{role}_dense.kernel"]) + weights[f"{role}_dense.bias"][:, None]
        for role in ("query", "key", "value")
    )
    mask = np.triu(np.ones((4, 4)), k=1) if is_causal else None
    heads, _ = scaled_dot_product_attention(query, key, value, mask)
    expected = np.einsum("bhlw,hwd->bld", heads, weights["output_dense.kernel"]) + weights["output_dense.bias"]
    got = getattr(oracle, function)(weights, x)
    np.testing.assert_allclose(got if is_causal else got[0], expected, rtol=1e-9, atol=1e-9)


@given(seed=seeds)
@settings(max_examples=10, deadline=None)
def test_a_later_input_moves_no_output(seed: int):
    weights, x = drawn_attention(seed)
    changed = x.copy()
    changed[:, 2:] += 1
    before, after = (oracle.causal_self_attention(weights, some) for some in (x, changed))
    np.testing.assert_array_equal(before[:, :2], after[:, :2])
    assert np.abs(before - after)[:, 2:].max() > 1e-6


def test_the_last_position_is_that_of_attention_without_a_mask():
    weights, x = drawn_attention(5)
    last = oracle.self_attention(weights, x)[0][:, -1]
    np.testing.assert_allclose(oracle.causal_self_attention(weights, x)[:, -1], last, **EXACT)


def test_swapped_arguments_leave_the_number_of_parameters():
    right, swapped = (
        sum(value.size for value in attention_weights(Draw("any"), 12, *sizes).values()) for sizes in ((4, 3), (3, 4))
    )
    assert right == swapped == mha_parameter_count(12, 4, 3) == 624  # the lecture's figure


def test_a_block_worked_by_hand():
    parts = (lambda h: h[..., ::-1], lambda h: h**2, lambda h: 10 * h, lambda h: h + 1)
    # attended: (1 + 20, 2 + 10); squares of (22, 13) added
    np.testing.assert_allclose(oracle.connect_block([[[1.0, 2.0]]], *parts), [[[21 + 484, 12 + 169]]], **EXACT)


def test_head_weights_worked_by_hand():
    query, key = np.zeros((1, 1, 8)), np.zeros((1, 2, 8))
    query[0, 0] = [1, 1, 1, 1, 0, 0, 0, 2]
    key[0, 0] = [1, 1, 1, 1, 5, 5, 5, 1]
    first = 1 / (1 + np.exp([-2.0, -1.0]))  # scores 4 and 2, divided by the root of 4
    np.testing.assert_allclose(
        oracle.head_weights(query, key, 2)[0, :, 0], np.stack([first, 1 - first], axis=1), **EXACT
    )


@given(seed=seeds, num_heads=st.sampled_from([1, 2, 3]))
@settings(max_examples=10, deadline=None)
def test_head_weights_add_up_to_one_and_ignore_other_heads(seed: int, num_heads: int):
    draw = Draw(str(seed))
    query, key = draw.normal(2, 3, 6), draw.normal(2, 4, 6)
    weights = oracle.head_weights(query, key, num_heads)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, **EXACT)
    query[..., 6 // num_heads :] += 1
    np.testing.assert_array_equal(oracle.head_weights(query, key, num_heads)[:, 0], weights[:, 0])


def test_pairs_worked_by_hand():
    read, asked = oracle.make_pairs([[1, 7, 5, 2, 0]])
    assert read.tolist() == [[1, 7, 5, 2]] and asked.tolist() == [[7, 5, 2, 0]]


# --- components ------------------------------------------------------------------------------------------------------


def made(make: str, component: verdicts.Component, seed: int = 1) -> Callable:
    """Return what a check is asked about, in NumPy where it would be in Keras."""
    options = {name: value for name, value in component.options.items() if value != "keras"}
    seeds = {"seed": seed} if make in verdicts.SEEDED else {}
    return getattr(components, make)(*component.args, **options, **seeds)


def sees_the_future(attend: Callable) -> bool:
    x = np.random.default_rng(0).standard_normal((1, 9, 5))
    moved = []
    for position in range(1, 9):
        changed = x.copy()
        changed[:, position] = np.random.default_rng(position).standard_normal(5)
        moved.append(np.abs(attend(changed) - attend(x))[:, :position].max())
    assert max(moved) > 1e-4 or max(moved) < 1e-5, "neither what the task promises of a broken version nor rounding"
    return max(moved) > 1e-4


def loses_the_answer(block: Callable) -> bool:
    x, first, second = np.random.default_rng(0).standard_normal((3, 3, 5, 8))
    moved = np.abs(block(x, lambda h: first) - block(x, lambda h: second)).max(axis=-1)
    assert ((moved > 1e-3) | (moved < 1e-9)).all(), "an answer that counts for less than the task promises"
    return bool((moved < 1e-9).any())


def swaps(build: Callable) -> bool:
    sizes = [(heads, width) for heads in range(1, 6) for width in range(1, 6)]
    shapes = [build(h * w, h)(np.ones((2, 3, h * w)))[1].shape for h, w in sizes]
    return any(shape != (2, h, 3, 3) for shape, (h, _) in zip(shapes, sizes, strict=True))


def scales_otherwise(weigh: Callable) -> bool:
    query, key = np.random.default_rng(0).standard_normal((2, 2, 7, 15))
    return not np.allclose(weigh(query, key, 3), oracle.head_weights(query, key, 3), atol=1e-3)


def does_not_shift(make: Callable) -> bool:
    ids = np.arange(4, 31).reshape(3, 9)
    ids[1, 6:] = 0
    return not all(np.array_equal(a, b) for a, b in zip(make(ids), oracle.make_pairs(ids), strict=True))


DETECTORS = {
    "attention": sees_the_future,
    "block": loses_the_answer,
    "heads": swaps,
    "weights": scales_otherwise,
    "pairs": does_not_shift,
}


def graded_lines() -> dict[str, tuple[str, Sequence[verdicts.Component]]]:
    """Return line -> the student's check, and the components that it is asked about for points."""
    asked: dict[str, tuple[str, Sequence[verdicts.Component]]] = {}
    with pytest.MonkeyPatch.context() as patch:
        for line, test in vars(graders).items():
            if line.startswith("test_") and "expect_verdicts" in test.__code__.co_names:

                def record(probe, draw, function, asked_about, line=line):
                    asked[line] = function, asked_about

                patch.setitem(test.__globals__, "expect_verdicts", record)
                test(None, Draw("any"))
    return asked


LINES = graded_lines()
lines = pytest.mark.parametrize("line", LINES)


def test_each_check_is_asked_in_two_lines_or_more():
    functions = [function for function, _ in LINES.values()]
    assert set(functions) == set(verdicts.MAKES) and min(map(functions.count, functions)) >= 2


@lines
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(1, 10**6))
def test_components_are_what_their_words_say(line: str, seed: int):
    function, asked = LINES[line]
    make = verdicts.MAKES[function]
    for component in asked:
        assert DETECTORS[make](made(make, component, seed)) == component.is_broken, component.what


@lines
def test_no_constant_verdict_is_right(line: str):
    assert {component.is_broken for component in LINES[line][1]} == {True, False}


@pytest.mark.parametrize("function", verdicts.MAKES)
def test_each_check_meets_six_components_or_more(function: str):
    assert sum(len(asked) for of, asked in LINES.values() if of == function) >= 6


def test_components_leave_their_input_alone():
    x = np.random.default_rng(0).standard_normal((2, 6, 8))
    before = x.copy()
    for function, asked in LINES.values():
        args = {"detect_inverted_mask": (x,), "detect_dropped_feed_forward": (x, lambda h: h)}.get(function)
        for component in asked if args else ():
            made(verdicts.MAKES[function], component)(*args)[:] = 7
            np.testing.assert_array_equal(x, before)


def test_the_text_that_goes_to_the_kernel_is_complete():
    namespace: dict[str, object] = {}
    exec(compile(verdicts.SOURCE, "<given>", "exec"), namespace)
    assert {"attention", "block", "heads", "weights", "pairs", "mixing"} <= set(namespace)


def shape(*sizes: int) -> np.ndarray:
    return np.ones(sizes)


ODD_INPUTS = {
    "None": None,
    "a text": "a",
    "a number": 1.0,
    "an empty list": [],
    "one axis": shape(4),
    "two axes": shape(3, 4),
    "four axes": shape(1, 3, 4, 5),
    "no sequence": shape(0, 3, 4),
    "no position": shape(1, 0, 4),
    "no feature": shape(1, 3, 0),
    "one position": shape(1, 1, 4),
    "integers": shape(1, 3, 4).astype(int),
    "truth values": shape(1, 3, 4).astype(bool),
    "complex numbers": shape(1, 3, 4).astype(complex),
    "lists": shape(1, 3, 4).tolist(),
}
CALLS: dict[str, Callable[[object, object], object]] = {
    "detect_inverted_mask": lambda attend, x: attend(x),
    "detect_dropped_feed_forward": lambda block, x: block(x, lambda h: h),
    "detect_swapped_arguments": lambda build, x: build(8, 2)(x),
    "detect_head_scaling": lambda weigh, x: weigh(x, x, 2),
    "detect_shifted_target": lambda make, x: make(x),
}


def told(call: Callable[[], object]) -> str:
    """Return what can be told of an answer without looking at its numbers."""
    try:
        with np.errstate(all="ignore"):
            answer = call()
    except Exception as error:  # noqa: BLE001  (whatever it is, it must be the same)
        return f"{type(error).__name__}: {error}"
    parts = answer if isinstance(answer, tuple) else (answer,)
    return str([(type(part).__name__, part.dtype, part.shape) for part in parts])


@lines
@pytest.mark.filterwarnings("ignore")
def test_odd_inputs_dont_tell_right_components_from_broken_ones(line: str):
    function, asked = LINES[line]
    for what, x in ODD_INPUTS.items():
        seen = [
            (told(lambda c=c, x=x: CALLS[function](made(verdicts.MAKES[function], c), x)), c.is_broken) for c in asked
        ]
        right = {words for words, is_broken in seen if not is_broken}
        broken = {words for words, is_broken in seen if is_broken}
        assert right & broken, what
