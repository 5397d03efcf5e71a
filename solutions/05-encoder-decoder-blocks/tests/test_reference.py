"""The reference of 05-encoder-decoder-blocks against hand-worked numbers and properties; the reading of weights."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from autograder.grading import Draw, Weight

from .. import reference as oracle
from .. import weight_parts, weight_roles
from ..stacked_weights import told_apart

# float64 throughout: only rounding is left
EXACT = {"rtol": 1e-9, "atol": 1e-9}
tokens = arrays(np.float64, (2, 3, 5), elements=st.floats(-50, 50, width=32))
D_MODEL, HEADS, FF_DIM = 6, 3, 11


def drawn_weights(seed: int, attentions: tuple[str, ...], norms: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = {"feed_forward.inner": (D_MODEL, FF_DIM), "feed_forward.outer": (FF_DIM, D_MODEL)}
    shapes |= {f"{a}.{role}": (D_MODEL, D_MODEL) for a in attentions for role in ("query", "key", "value", "output")}
    weights = {f"{name}.kernel": rng.normal(size=shape) / 2 for name, shape in shapes.items()}
    weights |= {f"{name}.bias": rng.normal(size=shape[1]) for name, shape in shapes.items()}
    for number in range(1, norms + 1):
        weights |= {f"norm_{number}.{part}": rng.normal(size=D_MODEL) for part in ("gamma", "beta")}
    return weights


ENCODER = drawn_weights(0, ("attention",), 2)
DECODER = drawn_weights(1, ("self_attention", "cross_attention"), 3)


def inputs(*lengths: int, seed: int = 2) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(2, length, D_MODEL)) for length in lengths]


# --- layer normalisation and feed-forward ----------------------------------------------------------------------------


def test_layer_norm_worked_by_hand():
    normalised = oracle.layer_norm([1, 2, 3, 6], [1, 2, 3, 4], [10, 20, 30, 40], epsilon=0.0)
    expected = [10 - 2 / 3.5**0.5, 20 - 2 / 3.5**0.5, 30, 40 + 12 / 3.5**0.5]
    np.testing.assert_allclose(normalised, expected, **EXACT)


def test_epsilon_stands_under_the_root():
    np.testing.assert_allclose(oracle.layer_norm([-1.0, 1.0], [1, 1], [0, 0], epsilon=3.0), [-0.5, 0.5], **EXACT)


@given(x=tokens, factor=st.floats(0.1, 10), shift=st.floats(-10, 10))
def test_layer_norm_forgets_scale_and_place(x, factor, shift):
    ones, zeros = np.ones(5), np.zeros(5)
    before = oracle.layer_norm(x, ones, zeros, epsilon=1e-3)
    after = oracle.layer_norm(factor * x + shift, ones, zeros, epsilon=factor**2 * 1e-3)
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-6)


def test_equal_features_become_beta():
    np.testing.assert_array_equal(
        oracle.layer_norm(np.full((2, 4), 2.0), np.ones(4), np.arange(4.0)), [[0, 1, 2, 3]] * 2
    )


def test_feed_forward_worked_by_hand():
    weights = {
        "feed_forward.inner.kernel": [[1.0, -1.0]],
        "feed_forward.inner.bias": [0.0, 1.0],
        "feed_forward.outer.kernel": [[2.0], [3.0]],
        "feed_forward.outer.bias": [0.5],
    }
    # x = 4: hidden (4, 0); x = -2: hidden (0, 3)
    np.testing.assert_allclose(oracle.feed_forward([[4.0], [-2.0]], weights), [[8.5], [9.5]], **EXACT)


# --- blocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("norm_first", [True, False])
def test_tokens_change_places_without_a_mask(norm_first):
    (x,) = inputs(5)
    order = [3, 0, 4, 1, 2]
    straight = oracle.encoder_block(x, ENCODER, HEADS, norm_first=norm_first)
    np.testing.assert_allclose(
        oracle.encoder_block(x[:, order], ENCODER, HEADS, norm_first=norm_first), straight[:, order], **EXACT
    )


def test_without_what_the_sublayers_add_pre_norm_is_the_identity():
    x, memory = inputs(4, 7)
    silent = {name: np.zeros_like(v) if ".output." in name or ".outer." in name else v for name, v in DECODER.items()}
    np.testing.assert_array_equal(oracle.decoder_block(x, memory, silent, HEADS), x)


def test_post_norm_ends_with_its_last_norm():
    (x,) = inputs(5)
    plain = {**ENCODER, "norm_2.gamma": np.ones(D_MODEL), "norm_2.beta": np.zeros(D_MODEL)}
    y = oracle.encoder_block(x, plain, HEADS, norm_first=False)
    np.testing.assert_allclose(y.mean(axis=-1), 0, atol=1e-9)
    np.testing.assert_allclose(y.var(axis=-1), 1, atol=1e-4)


@pytest.mark.parametrize("norm_first", [True, False])
def test_masks_hide_what_they_should(norm_first):
    x, memory = inputs(4, 7)
    ahead = np.triu(np.ones((4, 4)), k=1)
    padding = np.array([0, 0, 1, 0, 0, 1, 1.0])[None, None, None]

    def block(x, memory):
        return oracle.decoder_block(x, memory, DECODER, HEADS, ahead, padding, norm_first)

    later, hidden, seen = x.copy(), memory.copy(), memory.copy()
    later[:, 2:] += 1.0
    hidden[:, [2, 5, 6]] -= 3.0
    seen[:, 0] -= 3.0
    before = block(x, memory)
    np.testing.assert_allclose(block(later, memory)[:, :2], before[:, :2], **EXACT)
    np.testing.assert_allclose(block(x, hidden), before, **EXACT)
    assert np.abs(block(x, seen) - before).min(axis=-1).max() > 1e-6


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_the_count_is_the_number_of_weights(kind):
    weights = ENCODER if kind == "encoder" else DECODER
    assert oracle.block_parameter_count(kind, D_MODEL, HEADS, FF_DIM) == sum(np.size(v) for v in weights.values())


def test_the_lectures_model_has_10588_parameters():
    blocks = [oracle.block_parameter_count(kind, 12, 4, 64) for kind in ("encoder", "decoder")]
    assert blocks == [2284, 2932] and 2 * sum(blocks) + 12 * 12 + 12 == 10588


@pytest.mark.parametrize("arguments", [("both", 6, 3, 8), ("encoder", 7, 3, 8)])
def test_bad_arguments_of_the_count(arguments):
    with pytest.raises(ValueError, match=r"Received: (kind='both'|num_heads=3, d_model=7)"):
        oracle.block_parameter_count(*arguments)


# --- reading weights -------------------------------------------------------------------------------------------------

SIZES = weight_parts.Sizes(D_MODEL, HEADS, FF_DIM)
ROLES = weight_roles.Roles(("attention",), ("norm_1", "norm_2"))


def listed(*shapes: tuple[str, tuple[int, ...]]) -> list[Weight]:
    return [Weight(path, shape, True) for path, shape in shapes]


def dense(path: str, inputs: int, outputs: int) -> list[Weight]:
    return listed((f"{path}.kernel", (inputs, outputs)), (f"{path}.bias", (outputs,)))


def norm(path: str) -> list[Weight]:
    return listed((f"{path}.gamma", (D_MODEL,)), (f"{path}.beta", (D_MODEL,)))


def projections(*names: str) -> list[Weight]:
    return [weight for name in names for weight in dense(name, D_MODEL, D_MODEL)]


NETWORK = [*dense("ff.a", D_MODEL, FF_DIM), *dense("ff.b", FF_DIM, D_MODEL)]
KERAS = listed(
    *((f"mha.{role}_dense.kernel", (D_MODEL, HEADS, D_MODEL // HEADS)) for role in ("query", "key", "value")),
    ("mha.output_dense.kernel", (HEADS, D_MODEL // HEADS, D_MODEL)),
    *((f"mha.{role}_dense.bias", (HEADS, D_MODEL // HEADS)) for role in ("query", "key", "value")),
    ("mha.output_dense.bias", (D_MODEL,)),
)
LAYOUTS = {
    "keras": [*KERAS, *NETWORK, *norm("n1"), *norm("n2")],
    "named dense": [*norm("n1"), *norm("n2"), *NETWORK, *projections("a.wo", "a.wv", "a.wk", "a.wq")],
    "unnamed dense": [*projections(*(f"a.parts[{i}]" for i in range(4))), *norm("n2"), *NETWORK, *norm("n1")],
    "no attribute leads there": [
        Weight(f"weights[{i}]", weight.shape, True)
        for i, weight in enumerate([*projections("q", "k", "v", "o"), *norm("n1"), *NETWORK, *norm("n2")])
    ],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_block_is_recognised(layout):
    parts = weight_parts.parts_of(LAYOUTS[layout], SIZES)
    found = len(parts.attentions), len(parts.norms), len(parts.inner), len(parts.outer)
    assert found == (1, 2, 1, 1) and parts.rest == ()
    assert all(d.bias for d in (*parts.attentions[0].dense, *parts.inner, *parts.outer))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_reading_is_right_and_every_reading_uses_each_weight_once(layout):
    weights = LAYOUTS[layout]
    values = weight_roles.drawn_values(Draw(layout), weights, SIZES)
    readings = list(weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES))
    total = sorted(np.concatenate([v.ravel() for v in values.values()]))
    for reading in readings:
        assert sorted(np.concatenate([v.ravel() for v in reading.values()])) == total
    (x,) = inputs(5)
    answers = [oracle.encoder_block(x, reading, HEADS) for reading in readings[:24]]
    assert all(not np.allclose(a, b) for a, b in itertools.combinations(answers, 2))


def test_names_decide_which_reading_comes_first():
    weights = LAYOUTS["named dense"]
    values = weight_roles.drawn_values(Draw("first"), weights, SIZES)
    first = next(weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES))
    for role, name in (("query", "wq"), ("key", "wk"), ("value", "wv"), ("output", "wo")):
        np.testing.assert_array_equal(first[f"attention.{role}.kernel"], values[f"a.{name}.kernel"])
        np.testing.assert_array_equal(first[f"attention.{role}.bias"], values[f"a.{name}.bias"])


def test_kernels_with_split_heads_are_read_head_by_head():
    values = weight_roles.drawn_values(Draw("heads"), LAYOUTS["keras"], SIZES)
    first = next(weight_roles.all_readings(weight_parts.parts_of(LAYOUTS["keras"], SIZES), values, ROLES))
    kernel = values["mha.query_dense.kernel"]
    np.testing.assert_array_equal(
        first["attention.query.kernel"], np.concatenate([kernel[:, h] for h in range(HEADS)], axis=1)
    )


@pytest.mark.parametrize("path", ["att.heads[{}].{}", "att.{1}_list[{0}]"], ids=["list-of-heads", "lists-of-layers"])
def test_a_dense_layer_a_head_is_read_side_by_side(path):
    paths = {name: [path.format(head, name) for head in range(HEADS)] for name in ("query", "key", "value")}
    heads = [
        w for row in zip(*paths.values(), strict=True) for one in row for w in dense(one, D_MODEL, D_MODEL // HEADS)
    ]
    weights = [*heads, *dense("att.proj", D_MODEL, D_MODEL), *NETWORK, *norm("n"), *norm("m")]
    values = weight_roles.drawn_values(Draw("apart"), weights, SIZES)
    first = next(weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES))
    for name, ones in paths.items():
        kernel = np.concatenate([values[f"{one}.kernel"] for one in ones], axis=1)
        np.testing.assert_array_equal(first[f"attention.{name}.kernel"], kernel)
        np.testing.assert_array_equal(
            first[f"attention.{name}.bias"], np.concatenate([values[f"{one}.bias"] for one in ones])
        )


@pytest.mark.parametrize(
    "order",
    [
        "wq wk wv wo w1 w2 scale1 shift1 scale2 shift2 bq bk bv bo b1 b2",
        "wq wk wv wo bo bv bk bq w1 w2 b1 b2 gamma1 beta1 gamma2 beta2",
        "b1 b2 bk bo bq bv g1 g2 h1 h2 w1 w2 wk wo wq wv",
    ],
    ids=["norms-in-between", "biases-in-another-order", "by-the-alphabet"],
)
def test_weights_of_the_block_itself_are_told_by_their_names(order):
    shapes = {"w1": (D_MODEL, FF_DIM), "w2": (FF_DIM, D_MODEL), "b1": (FF_DIM,)}
    square = {name: (D_MODEL, D_MODEL) for name in ("wq", "wk", "wv", "wo")}
    weights = listed(*((name, {**shapes, **square}.get(name, (D_MODEL,))) for name in order.split()))
    values = weight_roles.drawn_values(Draw(order), weights, SIZES)
    first = next(weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES))
    for role, name in (("query", "q"), ("key", "k"), ("value", "v"), ("output", "o")):
        np.testing.assert_array_equal(first[f"attention.{role}.kernel"], values[f"w{name}"])
        np.testing.assert_array_equal(first[f"attention.{role}.bias"], values[f"b{name}"])
    np.testing.assert_array_equal(first["feed_forward.outer.bias"], values["b2"])


def test_weights_that_are_all_called_alike_are_told_by_their_order():
    shapes = (
        [(D_MODEL,)] * 4
        + [(D_MODEL, D_MODEL), (D_MODEL,)] * 4
        + [(D_MODEL, FF_DIM), (FF_DIM,), (FF_DIM, D_MODEL), (D_MODEL,)]
    )
    weights = listed(*((f"params[{i}]", shape) for i, shape in enumerate(shapes)))
    values = weight_roles.drawn_values(Draw("params"), weights, SIZES)
    first = next(weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES))
    np.testing.assert_array_equal(first["attention.query.bias"], values["params[5]"])
    np.testing.assert_array_equal(first["norm_1.gamma"], values["params[0]"])


def test_two_attentions_of_one_owner_are_told_apart_by_name():
    names = [f"{which}_{role}" for role in "qkvo" for which in ("self", "cross")]
    parts = weight_parts.parts_of(projections(*(f"block.{name}" for name in names)), SIZES)
    assert [[d.label for d in a.dense] for a in parts.attentions] == [
        [f"block.{which}_{role}" for role in "qkvo"] for which in ("self", "cross")
    ]


@pytest.mark.parametrize(
    "kernels", [(3, 1, 1, 2, 1), (1, 2, 1, 1, 2, 1), (3, 1, 3, 1)], ids=["qkv-and-kv", "kv-and-kv", "qkv-and-qkv"]
)
def test_two_attentions_of_one_owner_are_told_apart_by_what_their_kernels_hold(kernels):
    weights = [w for i, n in enumerate(kernels) for w in dense(f"block.{'abcdef'[i]}", D_MODEL, n * D_MODEL)]
    parts = weight_parts.parts_of(weights, SIZES)
    half = list(itertools.accumulate(kernels)).index(4) + 1
    assert [len(a.dense) for a in parts.attentions] == [half, len(kernels) - half] and parts.rest == ()


def test_a_scale_may_be_kept_as_its_difference_from_one():
    values = weight_roles.drawn_values(Draw("lifted"), LAYOUTS["keras"], SIZES)
    parts = weight_parts.parts_of(LAYOUTS["keras"], SIZES)
    plain, lifted = (next(weight_roles.all_readings(parts, values, ROLES, (lift,))) for lift in (0.0, 1.0))
    for name, value in plain.items():
        np.testing.assert_array_equal(lifted[name], value + 1 if name.endswith("gamma") else value)


def test_a_family_of_weights_that_hold_too_much_and_nothing_is_no_attention():
    weights = [*listed(("w", (4, D_MODEL, D_MODEL)), ("n", (2, 2, D_MODEL))), *NETWORK]
    values = weight_roles.drawn_values(Draw("none"), weights, SIZES)
    assert not list(weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES))


class Held:
    """A layer that only holds weights."""

    def __init__(self, weights: list[Weight]) -> None:
        self.held, self.assigned = weights, {}

    def weights(self) -> list[Weight]:
        return self.held

    def assign(self, values: dict[str, np.ndarray]) -> None:
        self.assigned.update(values)

    def read(self, path: str) -> np.ndarray:
        return self.assigned[path]


STACKED = {
    "stacked": listed(("W", (1, 4, D_MODEL, D_MODEL)), ("b", (1, 4, D_MODEL)), ("n", (2, 2, D_MODEL))) + NETWORK,
    "a bias as a row": listed(
        ("wqkv", (D_MODEL + 1, 3 * D_MODEL)),
        ("wo", (D_MODEL + 1, D_MODEL)),
        ("m1", (D_MODEL + 1, FF_DIM)),
        ("m2", (FF_DIM + 1, D_MODEL)),
    )
    + norm("n1")
    + norm("n2"),
    "only the normalisations": [*KERAS, *NETWORK, *listed(("norms", (2, 2, D_MODEL)))],
}


@pytest.mark.parametrize("layout", STACKED)
def test_weights_that_hold_several_are_told_apart(layout):
    layer = Held(STACKED[layout])
    apart = told_apart(layer, SIZES, ROLES)
    weights = apart.weights()
    assert sum(np.prod(w.shape) for w in weights) == sum(np.prod(w.shape) for w in layer.held)
    parts = weight_parts.parts_of(weights, SIZES)
    found = len(parts.attentions), len(parts.norms), len(parts.inner), len(parts.outer)
    assert found == (1, 2, 1, 1) and parts.rest == ()
    values = weight_roles.drawn_values(Draw(layout), weights, SIZES)
    apart.assign(values)
    assert {path: v.shape for path, v in layer.assigned.items()} == {w.path: w.shape for w in layer.held}
    for path, value in values.items():
        np.testing.assert_array_equal(apart.read(path), value)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_weights_that_can_be_read_are_left_as_they_are(layout):
    layer = Held(LAYOUTS[layout])
    assert told_apart(layer, SIZES, ROLES) is layer


def test_vectors_of_as_many_entries_as_a_kernel_are_told_apart():
    roles = weight_roles.Roles(("self_attention", "cross_attention"), ("norm_1", "norm_2", "norm_3"))
    stacks = listed(("W", (2, 4, D_MODEL, D_MODEL)), ("b", (2, 4, D_MODEL)), ("norms", (3, 2, D_MODEL)))
    layer = Held([*stacks, *NETWORK])
    parts = weight_parts.parts_of(told_apart(layer, SIZES, roles).weights(), SIZES)
    assert (len(parts.attentions), len(parts.norms), parts.rest) == (2, 3, ())


def test_weights_that_can_not_be_read_either_way_are_left_as_they_are():
    layer = Held([*listed(("theta", (400,))), *NETWORK])
    assert told_apart(layer, SIZES, ROLES) is layer


def test_one_norm_for_two_places_is_read_twice():
    weights = [*KERAS, *NETWORK, *norm("n")]
    values = weight_roles.drawn_values(Draw("shared"), weights, SIZES)
    (reading, *_) = weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES)
    np.testing.assert_array_equal(reading["norm_1.gamma"], reading["norm_2.gamma"])


@pytest.mark.parametrize("lacking", [NETWORK, KERAS], ids=["feed-forward", "attention"])
def test_without_an_essential_part_there_is_no_reading(lacking):
    weights = [w for w in LAYOUTS["keras"] if w not in lacking]
    values = weight_roles.drawn_values(Draw("lacking"), weights, SIZES)
    assert not list(weight_roles.all_readings(weight_parts.parts_of(weights, SIZES), values, ROLES))


def test_weights_that_are_not_trained_have_no_role():
    weights = [*LAYOUTS["keras"], Weight("batch_norm.moving_mean", (D_MODEL,), False)]
    assert weight_parts.parts_of(weights, SIZES) == weight_parts.parts_of(LAYOUTS["keras"], SIZES)
    assert "batch_norm.moving_mean" not in weight_roles.drawn_values(Draw("fixed"), weights, SIZES)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000))
def test_drawn_vectors_are_far_from_what_would_hide_them(seed):
    values = weight_roles.drawn_values(Draw(str(seed)), LAYOUTS["keras"], SIZES)
    assert all(np.abs(v).min() > 0.25 for path, v in values.items() if path.endswith(("bias", "gamma", "beta")))
