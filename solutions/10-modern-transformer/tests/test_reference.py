"""The reference of 10-modern-transformer against hand-worked and published figures, properties, and the drawn texts against their words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading import Draw, Weight

from .. import bpe_cases as cases
from .. import kernel_roles
from .. import reference as oracle

# float64 throughout: only rounding is left
EXACT = {"rtol": 1e-10, "atol": 1e-12}

seeds = st.integers(0, 2**32 - 1)
texts = st.text(st.sampled_from("ab \n가각é🙂"), max_size=40)

# --- byte pairs ------------------------------------------------------------------------------------------------------


def test_first_merge_of_the_paper():
    # the words of Sennrich et al. 2016, section 3.2: (e, r) stands nine times, (w, e) eight, (l, o) seven
    text = "low low low low low lowest lowest newer newer newer newer newer newer wider wider wider"
    assert oracle.train_bpe(text, 1) == [(b"e", b"r")]


def test_merges_worked_by_hand():
    # aaabdaaabac: (a, a) four times, then (aa, a) and (a, b) twice each: the greater is (aa, a), as b"aa" > b"a"
    assert oracle.train_bpe("aaabdaaabac", 3) == [(b"a", b"a"), (b"aa", b"a"), (b"aaa", b"b")]


def test_of_equally_frequent_pairs_the_greater_is_merged():
    assert oracle.train_bpe("abcd", 10) == [(b"c", b"d"), (b"b", b"cd"), (b"a", b"bcd")]


def test_no_pair_reaches_across_pieces():
    assert oracle.train_bpe("a b\nc", 10) == [(b" ", b"b"), (b"\n", b"c")]
    assert oracle.train_bpe("a  \n", 10) == [(b" ", b" "), (b"  ", b"\n")]


def test_there_may_be_nothing_to_merge():
    assert oracle.train_bpe("", 3) == oracle.train_bpe("a", 3) == oracle.train_bpe("abc", 0) == []


def test_merges_apply_in_their_order_not_by_length():
    merges = [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")]
    assert oracle.bpe_encode("abc", merges) == [ord("a"), 256]
    assert oracle.bpe_encode("ab", merges) == [257]


@given(text=texts, other=texts, num_merges=st.integers(0, 12))
def test_every_text_comes_back(text, other, num_merges):
    merges = oracle.train_bpe(other, num_merges)
    ids = oracle.bpe_encode(text, merges)
    assert oracle.bpe_decode(ids, merges) == text
    assert max(ids, default=0) < 256 + len(merges)
    assert len(ids) <= len(text.encode())


@given(text=texts, num_merges=st.integers(0, 12))
def test_two_ways_to_learn_agree(text, num_merges):
    pieces = [cases.bytes_of(piece) for piece in oracle.PIECES.findall(text)]
    learnt = cases.learnt(pieces, num_merges)  # which ends where no pair occurs twice
    assert oracle.train_bpe(text, num_merges)[: len(learnt)] == learnt


def test_bytes_that_are_no_utf_8():
    assert oracle.bpe_decode([0xFF, 97], []) == "\ufffda"
    assert oracle.bpe_decode("가".encode()[:2], []) == "\ufffd"
    assert oracle.bpe_decode([256], [(b"\x80", b"a")]) == "\ufffda"


@pytest.mark.parametrize("seed", range(3))
def test_drawn_texts_are_what_their_words_say(seed):
    draw = Draw("test", str(seed))
    text = cases.piece_without_ties(draw, 4)
    assert " " not in text
    assert cases.learnt([cases.bytes_of(text)], 4) == oracle.train_bpe(text, 4)
    text = cases.piece_with_ties(draw, 5)
    assert cases.learnt([cases.bytes_of(text)], 5, ties=None) != oracle.train_bpe(text, 5)
    text = cases.words(draw, 4)
    assert cases.learnt([cases.bytes_of(text)], 4) != oracle.train_bpe(text, 4)
    assert len(oracle.train_bpe(cases.disjoint_words(draw), 50)) == 11
    text = cases.korean(draw, 3)
    assert all(len(letter.encode()) == 3 for letter in text)
    assert len(oracle.train_bpe(text, 3)) == 3
    for counts in (True, False):
        assert len(oracle.train_bpe(cases.piece_of_runs(draw, 3, counts), 3)) == 3


# --- rotary ----------------------------------------------------------------------------------------------------------


def test_rotary_worked_by_hand():
    quarter = np.pi / 2
    np.testing.assert_allclose(oracle.rotary([[1.0, 0.0]], [quarter]), [[0.0, 1.0]], **EXACT)
    x = [[1.0, 0.0, 2.0, 0.0]]
    np.testing.assert_allclose(oracle.rotary(x, [quarter], base=1.0), [[0.0, 1.0, 0.0, 2.0]], **EXACT)
    # halves: pairs (0, 2) and (1, 3)
    np.testing.assert_allclose(oracle.rotary(x, [quarter], 1.0, interleaved=False), [[-2.0, 0.0, 1.0, 0.0]], **EXACT)


@given(seed=seeds, shift=st.integers(0, 1000), interleaved=st.booleans())
def test_scores_depend_on_the_offset_alone(seed, shift, interleaved):
    query, key = np.random.default_rng(seed).normal(size=(2, 1, 8))
    here, there = (
        oracle.rotary(query, [5 + s], interleaved=interleaved) @ oracle.rotary(key, [2 + s], interleaved=interleaved).T
        for s in (0, shift)
    )
    np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-9)


def test_rotary_is_the_matrix_of_the_paper():
    # Su et al. 2021, equation 15, for head_dim 4 and position 3
    m, rates = 3, (1.0, 0.01)
    matrix = np.zeros((4, 4))
    for i, rate in enumerate(rates):
        c, s = np.cos(m * rate), np.sin(m * rate)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    x = np.array([0.3, -1.2, 2.0, 0.7])
    np.testing.assert_allclose(oracle.rotary(x[None], [m])[0], matrix @ x, **EXACT)


# --- layers ----------------------------------------------------------------------------------------------------------


def test_rms_norm_worked_by_hand():
    np.testing.assert_allclose(oracle.rms_norm([3.0, 4.0], [1.0, 2.0], 0.0), [3 / 12.5**0.5, 8 / 12.5**0.5], **EXACT)
    np.testing.assert_allclose(oracle.rms_norm([0.0, 0.0], [1.0, 1.0]), [0.0, 0.0], **EXACT)


def test_swiglu_worked_by_hand():
    # one feature: silu(2) * 3 * 5
    answer = oracle.swiglu([[1.0]], [[2.0]], [[3.0]], [[5.0]])
    np.testing.assert_allclose(answer, [[2 / (1 + np.exp(-2)) * 15]], **EXACT)


@given(seed=seeds)
def test_one_group_for_each_head_is_multi_head_attention(seed):
    rng = np.random.default_rng(seed)
    x, kernels = rng.normal(size=(2, 5, 8)), rng.normal(size=(4, 8, 8))
    heads = [(x @ kernel).reshape(2, 5, 2, 4).transpose(0, 2, 1, 3) for kernel in kernels[:3]]
    query, key = (oracle.rotary(each, np.arange(5)) for each in heads[:2])
    merged = oracle.attention(query, key, heads[2], np.triu(np.ones((5, 5)), 1)).transpose(0, 2, 1, 3).reshape(2, 5, 8)
    np.testing.assert_allclose(oracle.grouped_attention(x, *kernels, 2, 2), merged @ kernels[3], **EXACT)


@given(seed=seeds, num_kv_heads=st.sampled_from([1, 2, 4]))
def test_groups_are_repeated_kernels(seed, num_kv_heads):
    rng = np.random.default_rng(seed)
    x, query, output = rng.normal(size=(1, 3, 8)), rng.normal(size=(8, 8)), rng.normal(size=(8, 8))
    key, value = rng.normal(size=(2, 8, num_kv_heads * 2))
    repeated = (np.repeat(each.reshape(8, -1, 2), 4 // num_kv_heads, axis=1).reshape(8, 8) for each in (key, value))
    grouped = oracle.grouped_attention(x, query, key, value, output, 4, num_kv_heads)
    np.testing.assert_allclose(grouped, oracle.grouped_attention(x, query, *repeated, output, 4, 4), **EXACT)


# --- masks and attention ---------------------------------------------------------------------------------------------


def test_window_worked_by_hand():
    expected = [[0, 1, 1, 1], [0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0]]
    assert oracle.create_window_mask(4, 2).tolist() == expected
    expected = [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 0]]
    assert oracle.create_window_mask(4, 2, 1).tolist() == expected


@given(size=st.integers(1, 9), window=st.integers(1, 12), sinks=st.integers(0, 12))
def test_window_counts(size, window, sinks):
    seen = (1 - oracle.create_window_mask(size, window, sinks)).sum(axis=1)
    assert seen.tolist() == [min(i + 1, window + min(sinks, max(0, i + 1 - window))) for i in range(size)]


@settings(deadline=None)
@given(seed=seeds, block_size=st.integers(1, 8), scale=st.sampled_from([1.0, 300.0]))
def test_attention_is_what_blocks_give(seed, block_size, scale):
    rng = np.random.default_rng(seed)
    query, key, value = rng.normal(size=(3, 4)) * scale, rng.normal(size=(7, 4)), rng.normal(size=(7, 2))
    mask = rng.integers(0, 2, size=(3, 7))
    maximum, total, output = np.full((3, 1), -np.inf), np.zeros((3, 1)), np.zeros((3, 2))
    for start in range(0, 7, block_size):
        block = slice(start, start + block_size)
        scores = np.where(mask[:, block] > 0, -np.inf, query @ key[block].T / 2)
        new = np.maximum(maximum, scores.max(axis=1, keepdims=True))
        safe = np.where(np.isinf(new), 0, new)
        weights, shrink = np.exp(scores - safe), np.exp(maximum - safe)
        total, output = total * shrink + weights.sum(axis=1, keepdims=True), output * shrink + weights @ value[block]
        maximum = new
    np.testing.assert_allclose(
        oracle.attention(query, key, value, mask), output / np.where(total > 0, total, 1), rtol=1e-9, atol=1e-9
    )


def test_a_wholly_hidden_row_is_zeros():
    query, key, value = np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5))
    assert oracle.attention(query, key, value, [[1, 1, 1, 1], [0, 1, 1, 1]]).tolist() == [[0] * 5, [1] * 5]


# --- readings of weights ---------------------------------------------------------------------------------------------

ROLES = {"query": (6, 6), "key": (6, 2), "value": (6, 2), "output": (6, 6)}
TIED = ("query", "key", "value")


@pytest.mark.parametrize(
    "shapes",
    [
        [(6, 6), (6, 2), (6, 2), (6, 6)],
        [(6, 3, 2), (6, 1, 2), (6, 1, 2), (3, 2, 6)],
        [(6, 6), (2, 6), (2, 6), (6, 6)],
        [(6, 10), (6, 6)],
        [(10, 6), (6, 6)],
        [(6, 6), (2, 6, 2), (6, 6)],
    ],
)
def test_kernels_have_a_reading(shapes):
    values = [
        (Weight(f"w{i}", shape, True), np.random.default_rng(i).normal(size=shape)) for i, shape in enumerate(shapes)
    ]
    readings = list(kernel_roles.readings(values, ROLES, TIED))
    assert readings
    for reading in readings:
        assert {role: kernel.shape for role, kernel in reading.items()} == ROLES


def test_a_fused_kernel_is_cut_where_its_parts_end():
    kernel, output = np.arange(60.0).reshape(6, 10), np.zeros((6, 6))
    values = [(Weight("qkv", (6, 10), True), kernel), (Weight("o", (6, 6), True), output)]
    expected = {"query": kernel[:, :6], "key": kernel[:, 6:8], "value": kernel[:, 8:], "output": output}
    assert any(
        all(np.array_equal(reading[role], part) for role, part in expected.items())
        for reading in kernel_roles.readings(values, ROLES, TIED)
    )


@pytest.mark.parametrize("shapes", [[(6, 6), (6, 6), (6, 6), (6, 6)], [(6, 6), (6, 2), (6, 2)]])
def test_other_kernels_have_none(shapes):
    values = [(Weight(f"w{i}", shape, True), np.zeros(shape)) for i, shape in enumerate(shapes)]
    assert not list(kernel_roles.readings(values, ROLES, TIED))
