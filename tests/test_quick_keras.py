"""What Keras gives while a question is answered or a cell is shown is what it gives at any other time."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.kernels import quick_keras

pytestmark = pytest.mark.slow

LAYERS = '''
import keras
from keras import layers, ops


class Block(layers.Layer):
    """Makes its parts when it is made, and has no `build`."""

    def __init__(self, units):
        super().__init__()
        self.norm = layers.LayerNormalization()
        self.dense = [layers.Dense(units, activation="relu"), layers.Dense(3)]
        self.unused = layers.Dense(1)

    def call(self, x, mask=None, training=None):
        y = self.norm(x)
        for dense in self.dense:
            y = dense(y)
        return x + y


class Tower(keras.Model):
    """Blocks in a block, called with a list."""

    def __init__(self):
        super().__init__()
        self.blocks = [Block(4), Block(5)]
        self.attention = layers.MultiHeadAttention(2, 3)

    def call(self, inputs):
        source, target = inputs
        for block in self.blocks:
            source = block(source)
        return self.attention(target, source)


class InItsCall(layers.Layer):
    """Makes a part in each call, which Keras refuses."""

    def __init__(self):
        super().__init__()
        self.first = layers.Dense(3)

    def call(self, x):
        self.second = layers.Dense(3)
        return self.second(self.first(x))


class OnceInItsCall(layers.Layer):
    """Makes a part in its first call, which works."""

    def __init__(self):
        super().__init__()
        self.first, self.second = layers.Dense(3), None

    def call(self, x):
        if self.second is None:
            self.second = layers.Dense(3)
        return self.second(self.first(x))


class Raises(layers.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = layers.Dense(3), layers.Dense(3)

    def call(self, x):
        self.first(x[0])
        raise KeyError("nothing there")


class ReadsNumbers(layers.Layer):
    """Needs numbers where Keras rehearses with symbols."""

    def __init__(self):
        super().__init__()
        self.first = layers.Dense(3)

    def call(self, x):
        return self.first(x) * float(ops.convert_to_numpy(x).max())


class SaysItsShape(layers.Layer):
    """Isn't called with symbols, because it tells what comes out."""

    def __init__(self):
        super().__init__()
        self.table = layers.Embedding(5, 3)

    def call(self, ids):
        return self.table(ids)

    def compute_output_shape(self, shape):
        return (*shape, 3)


class Shares(layers.Layer):
    """Uses what another layer is made of."""

    def __init__(self, other):
        super().__init__()
        self.other = other

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.other.table.embeddings))


class Drops(layers.Layer):
    """Drops twice, and tells its parts differently whether it trains."""

    def __init__(self, rate):
        super().__init__()
        self.first, self.second = layers.Dropout(rate, seed=3), layers.Dropout(0.5, seed=4)
        self.dense = layers.Dense(3)

    def call(self, x, training=None):
        return self.second(self.dense(self.first(x, training=training)))


class Masks(layers.Layer):
    """Gives its parts a mask, which Keras hands on."""

    def __init__(self):
        super().__init__()
        self.table, self.dense, self.norm = layers.Embedding(5, 3, mask_zero=True), layers.Dense(3), layers.LayerNormalization()
        self.attention = layers.MultiHeadAttention(1, 3)

    def call(self, ids):
        y = self.norm(self.dense(self.table(ids)))
        return self.attention(y, y)


def tied():
    ids = keras.Input((None,), dtype="int32")
    embedding = SaysItsShape()
    return keras.Model(ids, Shares(embedding)(embedding(ids)))


def functional():
    one, two = keras.Input((None, 3)), keras.Input((None, 3))
    return keras.Model([one, two], Tower()([one, two]))
'''


@pytest.fixture(scope="module")
def defined() -> dict[str, Any]:
    quick_keras.install()
    names: dict[str, Any] = {}
    exec(LAYERS, names)
    return names


def outcome(make: Callable[[], Any], example: Any, answers_quickly: bool) -> list[object]:
    """Return all that can be seen of a layer that is called twice, once its weights are set."""
    import keras

    keras.utils.clear_session()
    seen: list[object] = []

    def step(do: Callable[[], object]) -> None:
        try:
            seen.append(do())
        except Exception as error:  # noqa: BLE001  (errors are compared too)
            seen.append((type(error).__name__, str(error)))

    def ask() -> Any:
        return keras.ops.convert_to_numpy(layer(example)).tolist()

    def fill() -> None:
        layer.set_weights([np.arange(w.size, dtype=float).reshape(w.shape) / 7 for w in layer.get_weights()])

    def look() -> object:
        return [(w.path, tuple(w.shape), w.trainable) for w in layer.weights], layer.built, layer.count_params()

    layer = None

    def everything() -> None:
        nonlocal layer
        layer = make()
        step(lambda: np.shape(ask()))
        step(look)
        step(fill)
        step(ask)
        step(look)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if answers_quickly:
            with quick_keras.quick():
                everything()
        else:
            everything()
    return seen


ROW = np.linspace(-1, 1, 12, dtype=np.float32).reshape(2, 2, 3)


@pytest.mark.parametrize(
    ("name", "arguments", "example"),
    [
        ("Block", (4,), ROW),
        ("Tower", (), [ROW, ROW[:, :1]]),
        ("functional", (), [ROW, ROW[:, :1]]),
        ("InItsCall", (), ROW),
        ("OnceInItsCall", (), ROW),
        ("Raises", (), ROW),
        ("Raises", (), [ROW, ROW]),
        ("ReadsNumbers", (), ROW),
        ("tied", (), np.arange(4, dtype=np.int32).reshape(2, 2)),
        ("Drops", (0.25,), ROW),
        ("Masks", (), np.arange(4, dtype=np.int32).reshape(2, 2)),
        ("Block", (4,), ROW[..., 0, 0]),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_layer_is_the_same(defined: dict[str, Any], name: str, arguments: tuple[Any, ...], example: Any) -> None:
    def make() -> Any:
        return defined[name](*arguments)

    for quickly, usual in zip(outcome(make, example, True), outcome(make, example, False), strict=True):
        if isinstance(usual, list):  # numbers
            assert np.allclose(quickly, usual, rtol=1e-5)
        else:
            assert quickly == usual


@pytest.mark.parametrize("operands", ["plain", "batch", "wrong shapes", "integers", "weight", "numbers"])
@pytest.mark.parametrize("name", ["matmul", "einsum", "add", "subtract", "multiply", "layer_normalization"])
def test_an_operation_gives_what_it_gives_elsewhere(defined: dict[str, Any], name: str, operands: str) -> None:
    import keras

    rng = np.random.default_rng(0)
    pairs = {
        "plain": (rng.normal(size=(2, 5, 3)), rng.normal(size=(3, 4))),
        "batch": (rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 5, 3))),
        "wrong shapes": (rng.normal(size=(2, 5, 3)), rng.normal(size=(7, 4))),
        "integers": (rng.integers(0, 9, (2, 5, 3)), rng.integers(0, 9, (3, 4))),
        "weight": (rng.normal(size=(2, 5, 3)), rng.normal(size=(3, 3))),
        "numbers": (rng.normal(size=(2, 5, 3)), 2.5),
    }
    kind = "int32" if operands == "integers" else "float32"
    x, y = (keras.ops.convert_to_tensor(part, kind) if np.ndim(part) else part for part in pairs[operands])
    if operands == "weight":
        y = keras.Variable(y)
    more = {"einsum": ("abc,cd->abd", x, y), "layer_normalization": (x, y[0] if np.ndim(y) else None, None, -1, 1e-6)}

    def told() -> tuple[str, Any]:
        try:
            answer = getattr(keras.ops, name)(*more.get(name, (x, y)))
        except Exception as error:  # noqa: BLE001  (errors are compared too)
            return type(error).__name__, str(error)
        return str(answer.dtype), keras.ops.convert_to_numpy(answer)

    usual = told()
    with quick_keras.quick():
        quickly = told()
    assert quickly[0] == usual[0]
    if isinstance(usual[1], str):
        assert quickly[1] == usual[1]
    else:
        assert quickly[1].shape == usual[1].shape
        assert np.allclose(quickly[1], usual[1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("mask", ["none", "one", "wide", "of other sizes", "numbers"])
@pytest.mark.parametrize("is_causal", [True, False], ids=["causal", "open"])
def test_attention_gives_what_it_gives_elsewhere(defined: dict[str, Any], mask: str, is_causal: bool) -> None:
    import keras

    rng = np.random.default_rng(1)
    query, key, value = (keras.ops.convert_to_tensor(rng.normal(size=(2, n, 3, 4)), "float32") for n in (5, 6, 6))
    masks = {"one": (2, 1, 5, 6), "wide": (2, 3, 5, 6), "of other sizes": (2, 1, 4, 6), "numbers": (2, 1, 5, 6)}
    kind = "float32" if mask == "numbers" else "bool"
    hidden = keras.ops.convert_to_tensor(rng.random(masks[mask]) > 0.4, kind) if mask in masks else None

    def told() -> tuple[str, Any]:
        try:
            answer = keras.ops.dot_product_attention(query, key, value, mask=hidden, scale=0.5, is_causal=is_causal)
        except Exception as error:  # noqa: BLE001  (errors are compared too)
            return type(error).__name__, str(error)
        return "", keras.ops.convert_to_numpy(answer)

    usual = told()
    with quick_keras.quick():
        quickly = told()
    assert quickly[0] == usual[0]
    assert quickly[1] == usual[1] if usual[0] else np.allclose(quickly[1], usual[1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("rate", [0.1, 0.5, 1, 0, 1.0])
@pytest.mark.parametrize("shape", [None, (2, 1, 3)], ids=["", "noise shape"])
def test_dropout_draws_the_numbers_that_it_draws_elsewhere(
    defined: dict[str, Any], rate: float, shape: tuple[int, ...] | None
) -> None:
    import keras

    def drawn(seed: Any) -> list[Any]:
        x = keras.ops.convert_to_tensor(ROW) + 2.0
        outputs = [keras.random.dropout(x, rate, noise_shape=shape, seed=seed) for _ in range(3)]
        outputs.append(keras.random.uniform((2,), seed=seed))
        return [keras.ops.convert_to_numpy(each) for each in outputs]

    for make in (lambda: keras.random.SeedGenerator(7), lambda: 7):
        usual = drawn(make())
        with quick_keras.quick():
            quickly = drawn(make())
        assert all(np.array_equal(a, b) for a, b in zip(usual, quickly, strict=True))
    assert rate not in (0.1, 0.5) or not np.array_equal(usual[0], ROW + 2.0)


def test_training_holds_for_the_layers_that_are_called_after(defined: dict[str, Any]) -> None:
    """Keras hands `training` on from one part of a layer to the next; only with it does the second dropout drop."""
    import keras

    def outputs() -> list[Any]:
        layer = defined["Drops"](0.25)
        layer(ROW)
        layer.dense.set_weights([np.eye(3), np.zeros(3)])
        answers = [layer(ROW, training=True), layer(ROW), layer(ROW, training=True)]
        return [keras.ops.convert_to_numpy(each) for each in answers]

    usual = outputs()
    with quick_keras.quick():
        quickly = outputs()
    assert all(np.allclose(a, b, rtol=1e-6) for a, b in zip(usual, quickly, strict=True))
    assert np.allclose(quickly[1], ROW)
    assert (quickly[0] == 0).mean() > 0.3
    assert not np.array_equal(quickly[0], quickly[2])


@pytest.mark.parametrize("value", [ROW, ROW.astype(float), ROW[0], ROW.tolist(), 1.0, "text"], ids=str)
def test_a_weight_takes_what_it_takes_elsewhere(defined: dict[str, Any], value: Any) -> None:
    import keras

    def told() -> object:
        weight = keras.Variable(np.zeros(ROW.shape), dtype="float32")
        try:
            given = weight.assign(value)
        except Exception as error:  # noqa: BLE001  (errors are compared too)
            return type(error).__name__, str(error).split("Target variable")[0]
        return keras.ops.convert_to_numpy(weight).tolist(), keras.ops.convert_to_numpy(given).tolist()

    usual = told()
    with quick_keras.quick():
        assert told() == usual


def test_weights_have_the_names_that_they_have_elsewhere(defined: dict[str, Any]) -> None:
    import keras

    keras.utils.clear_session()
    layer = keras.layers.Dense(3, name="named")
    layer(ROW)
    assert [weight.path for weight in layer.weights] == ["named/kernel", "named/bias"]
    if keras.backend.backend() == "tensorflow":
        assert [weight.value.name for weight in layer.weights] == ["named/kernel:0", "named/bias:0"]


def test_shown_cells_leave_the_rehearsal_out_and_draw_what_keras_draws(defined: dict[str, Any]) -> None:
    import keras

    calls: list[str] = []

    class Counts(defined["Block"]):  # type: ignore[misc]
        def call(self, x: Any) -> Any:
            calls.append(type(x).__name__)
            return super().call(x)

    def answer() -> Any:
        keras.utils.set_random_seed(3)
        return keras.ops.convert_to_numpy(Counts(4)(ROW))

    usual = answer()
    usual_calls = len(calls)
    quick_keras.show(True)
    try:
        shown = answer()
    finally:
        quick_keras.show(False)
    assert len(calls) - usual_calls == 1 < usual_calls
    assert np.allclose(shown, usual, rtol=1e-5, atol=1e-6)
    again = len(calls)
    assert np.array_equal(answer(), usual)
    assert len(calls) - again == usual_calls


def test_plain_layers_go_straight_to_their_call_only_where_nothing_is_lost(defined: dict[str, Any]) -> None:
    import keras

    if keras.backend.backend() != "tensorflow":
        pytest.skip("TensorFlow's part")
    from keras.src.backend.common import global_state

    from autograder.kernels import quick_layers

    call = quick_layers.plain_call()
    dense, x = keras.layers.Dense(3), keras.ops.convert_to_tensor(ROW)

    class Own(keras.layers.Dense):
        pass

    own = Own(3)
    own(x)
    assert call(dense, (x,), {}) is quick_layers.DECLINED  # not built
    usual = dense(x)
    assert call(dense, (x,), {}) is quick_layers.DECLINED  # the outermost call
    global_state.set_global_attribute("current_call_ctx", type("Context", (), {})())
    try:
        assert np.allclose(call(dense, (x,), {}), usual)
        declined = [(own, x), (dense, ROW), (dense, keras.ops.cast(x, "float16")), (dense, x[..., :2])]
        for layer, inputs in declined:
            assert call(layer, (inputs,), {}) is quick_layers.DECLINED
        masked = keras.ops.convert_to_tensor(ROW)
        masked._keras_mask = keras.ops.ones((2, 2), "bool")
        assert call(dense, (masked,), {}) is quick_layers.DECLINED
    finally:
        global_state.set_global_attribute("current_call_ctx", None)


def test_gradients_are_what_they_are_elsewhere(defined: dict[str, Any]) -> None:
    import keras

    if keras.backend.backend() != "tensorflow":
        pytest.skip("TensorFlow's tape")
    import tensorflow as tf

    model, inputs = defined["Tower"](), [tf.constant(ROW), tf.constant(ROW[:, :1])]
    model(inputs)

    def gradients() -> list[Any]:
        with tf.GradientTape() as tape:
            loss = keras.ops.sum(keras.ops.square(model(inputs)))
        return [keras.ops.convert_to_numpy(g) for g in tape.gradient(loss, model.trainable_weights) if g is not None]

    usual = gradients()
    with quick_keras.quick():
        quickly = gradients()
    assert len(usual) == len(quickly) > 5
    assert all(np.allclose(a, b, rtol=1e-4, atol=1e-6) for a, b in zip(usual, quickly, strict=True))


def test_a_rehearsal_is_left_out_only_in_answers(defined: dict[str, Any]) -> None:
    """The cases above hold also where nothing is left out: this one tells that something is."""
    calls: list[str] = []

    class Counts(defined["Block"]):  # type: ignore[misc]
        def call(self, x: Any) -> Any:
            calls.append(type(x).__name__)
            return super().call(x)

    Counts(4)(ROW)
    usual = len(calls)
    calls.clear()
    with quick_keras.quick():
        Counts(4)(ROW)
    assert len(calls) == 1 < usual


@pytest.mark.parametrize("name", ["GlorotUniform", "HeNormal", "RandomNormal", "RandomUniform", "TruncatedNormal"])
def test_first_values_are_of_the_same_distribution(defined: dict[str, Any], name: str) -> None:
    import keras

    def numbers(seed: int | None) -> Any:
        return np.sort(keras.ops.convert_to_numpy(getattr(keras.initializers, name)(seed=seed)((100, 200))).ravel())

    usual = numbers(1)
    with quick_keras.quick():
        quickly, again, other = numbers(1), numbers(1), numbers(2)
    assert np.array_equal(quickly, again)
    assert not np.array_equal(quickly, other)
    assert not np.array_equal(quickly, usual)  # else nothing was replaced
    assert np.abs(quickly - usual).max() < 0.6 * usual.std()  # two samples' quantiles, far tails included
    assert np.abs(quickly - usual).mean() < 0.03 * usual.std()
    assert quickly.dtype == usual.dtype


TRAINED = """
import keras
import numpy as np
from keras import ops

traced = []


def loss(labels, outputs):
    traced.append(len(labels.shape))
    return ops.mean(ops.square(labels - outputs), axis=-1)


class Halved(keras.optimizers.SGD):
    def update_step(self, gradient, variable, learning_rate):
        super().update_step(gradient, variable, learning_rate / 2)


class OwnStep(keras.Sequential):
    def train_step(self, data):
        return super().train_step(data)


def compiled(make_optimizer, kind=keras.Sequential, metrics=None):
    keras.backend.clear_session()  # it counts names
    keras.utils.set_random_seed(3)
    model = kind([keras.Input((3,)), keras.layers.Dense(5, activation="relu"), keras.layers.Dense(2)])
    model.compile(make_optimizer(), loss=loss, metrics=metrics)
    return model


def train(model):
    x = np.random.default_rng(0).normal(size=(64, 3)).astype("float32")
    model.fit(x, x[:, :2] + 1, batch_size=16, epochs=2, shuffle=False, verbose=0)
"""


@pytest.mark.parametrize(
    ("optimizer", "is_quicker"),
    [
        ("keras.optimizers.Adam, metrics=[loss, keras.metrics.MeanAbsoluteError()]", True),
        ("lambda: keras.optimizers.Adam(1e-2, beta_2=0.98, clipnorm=0.1, weight_decay=0.1)", True),
        ("lambda: keras.optimizers.SGD(1e-2, momentum=0.9)", True),
        ("lambda: keras.optimizers.AdamW(keras.optimizers.schedules.CosineDecay(0.1, 9), use_ema=True)", True),
        ("lambda: Halved(1e-2, momentum=0.9)", False),
        ("keras.optimizers.Adam, OwnStep", False),
    ],
)
def test_a_training_ends_with_the_same_weights(optimizer: str, is_quicker: bool) -> None:
    quick_keras.install()
    names: dict[str, Any] = {}
    exec(TRAINED, names)
    outcomes, tracings = [], []
    for context in (contextlib.nullcontext, quick_keras.quick):
        model = eval(f"compiled({optimizer})", names)
        names["traced"].clear()
        with context():
            names["train"](model)
        tracings.append(len(names["traced"]))
        everything = *model.variables, *model.optimizer.variables, *model.metrics_variables
        outcomes.append([(v.path, np.asarray(v)) for v in everything])
    for (path, value), (same_path, same) in zip(*outcomes, strict=True):
        assert path == same_path
        np.testing.assert_allclose(value, same, rtol=1e-4, atol=1e-5)  # a sum's order
    assert (tracings[1] < tracings[0]) == is_quicker


@pytest.mark.parametrize(
    ("amsgrad", "powers"),
    [
        (False, {"usual": 6, "quick": 4}),
        (True, {"usual": 6, "quick": 6}),
    ],  # two a weight; here two and those of the rows
)
def test_adams_step_size_is_computed_once(
    monkeypatch: pytest.MonkeyPatch, amsgrad: bool, powers: dict[str, int]
) -> None:
    """The gradient of an embedding is rows, which are updated as Keras does it."""
    import keras
    from keras.src import ops

    quick_keras.install()
    ids = np.random.default_rng(0).integers(0, 7, (64, 3))
    counted: list[None] = []
    power = ops.power
    monkeypatch.setattr(ops, "power", lambda *args: counted.append(None) or power(*args))
    ended, counts = [], {}
    for way, context in (("usual", contextlib.nullcontext), ("quick", quick_keras.quick)):
        keras.backend.clear_session()
        keras.utils.set_random_seed(3)
        layers = keras.layers.Embedding(7, 4), keras.layers.Flatten(), keras.layers.Dense(2)
        model = keras.Sequential([keras.Input((3,), dtype="int32"), *layers])
        model.compile(keras.optimizers.Adam(1e-2, amsgrad=amsgrad), "mse")
        model.optimizer.build(model.trainable_variables)
        counted.clear()
        with context():
            model.fit(ids, np.ones((64, 2)), batch_size=16, epochs=3, shuffle=False, verbose=0)
        counts[way] = len(counted)
        ended.append([np.asarray(v) for v in (*model.variables, *model.optimizer.variables)])
    for value, same in zip(*ended, strict=True):
        np.testing.assert_allclose(value, same, rtol=1e-4, atol=1e-5)  # a sum's order
    assert counts == powers


def _graph_of(function: Any, *shapes: tuple[int | None, ...]) -> Any:
    """Return the concrete function, traced for float32 tensors of these shapes while questions are answered."""
    import tensorflow as tf

    quick_keras.install()
    with quick_keras.quick():
        return tf.function(function).get_concrete_function(*(tf.TensorSpec(shape, tf.float32) for shape in shapes))


def _gradients(x: Any, y: Any) -> tuple[Any, ...]:
    import tensorflow as tf

    with tf.GradientTape() as tape:
        tape.watch((x, y))
        product = x @ y
        total = tf.reduce_sum(product * product)
    return product, *tape.gradient(total, (x, y))


@pytest.mark.parametrize(
    ("x_shape", "y_shape", "known", "is_at_once"),
    [
        ((4, 5, 3), (3, 2), None, True),
        ((4, 5, 3), (3, 2), (None, 5, 3), True),
        ((2, 4, 5, 3), (3, 2), (2, None, 5, 3), True),
        ((4, 5, 3), (3, 2), (None, None, 3), False),
        ((4, 5, 3), (4, 3, 2), None, False),
        ((0, 5, 3), (3, 2), (None, 5, 3), True),
        ((5, 0, 3), (3, 2), (None, 0, 3), False),
        ((5, 3), (3, 2), None, True),
    ],
)
def test_a_product_of_all_positions_is_the_product_of_each_row(
    x_shape: tuple[int, ...], y_shape: tuple[int, ...], known: tuple[int | None, ...] | None, is_at_once: bool
) -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=shape).astype("float32") for shape in (x_shape, y_shape))
    graph = _graph_of(_gradients, known or x_shape, y_shape)
    import tensorflow as tf

    gradient = 2 * (x @ y)
    right = x @ y, gradient @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ gradient
    for answer, value in zip(graph(tf.constant(x), tf.constant(y)), right, strict=True):
        while value.ndim > answer.shape.rank:
            value = value.sum(axis=0)
        np.testing.assert_allclose(answer, value, rtol=1e-5, atol=1e-5)
    kinds = {operation.type for operation in graph.graph.get_operations()}
    assert ("BatchMatMulV2" not in kinds) == is_at_once


def test_a_product_that_does_not_fit_is_refused_as_elsewhere() -> None:
    import tensorflow as tf

    shapes, refused = ((4, 5, 3), (4, 2)), []
    elsewhere = tf.function(lambda x, y: x @ y).get_concrete_function
    for trace in (
        lambda: elsewhere(*(tf.TensorSpec(shape) for shape in shapes)),
        lambda: _graph_of(lambda x, y: x @ y, *shapes),
    ):
        with pytest.raises(ValueError) as caught:
            trace()
        refused.append([line for line in str(caught.value).splitlines() if "Dimensions" in line])
    assert refused[0] and refused[0] == refused[1]


def test_nothing_tunes_what_a_training_reads() -> None:
    import tensorflow as tf
    from keras.src.backend.tensorflow.trainer import TFEpochIterator

    quick_keras.install()
    is_tuned = []
    for context in (contextlib.nullcontext, quick_keras.quick):
        with context():
            batches = TFEpochIterator(tf.distribute.get_strategy(), x=np.arange(6), batch_size=2)
            dataset = batches._get_iterator()
        is_tuned.append(dataset.options().autotune.enabled)
        assert [np.ravel(batch).tolist() for batch in dataset.as_numpy_iterator()] == [[0, 1], [2, 3], [4, 5]]
    assert is_tuned == [None, False]


GROWING = """
import keras
import numpy as np

x = np.ones((8, 3), "float32")


class Plain(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(2)

    def call(self, x):
        return self.inner(x)


class SaysItIsBuilt(Plain):
    def build(self, shape):
        self.built = True


class InTrainingOnly(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = keras.layers.Dense(2), keras.layers.Dense(2)

    def call(self, x, training=False):
        return self.first(x) + self.second(x) if training else self.first(x)


def built(model):
    model.build((None, 3))
    return model


def functional():
    inputs = keras.Input((3,))
    return keras.Model(inputs, InTrainingOnly()(inputs, training=False))


def train(model):
    model.compile("adam", "mse")
    model.fit(x, np.ones((8, 2)), verbose=0)
    return int(model.optimizer.iterations)
"""


@pytest.mark.parametrize("model", ["Plain()", "built(Plain())", "built(SaysItIsBuilt())", "functional()"])
def test_a_model_that_makes_its_weights_in_the_first_step_is_trained_as_elsewhere(model: str) -> None:
    quick_keras.install()
    names: dict[str, Any] = {}
    exec(GROWING, names)
    with quick_keras.quick():
        assert names["train"](eval(model, names)) == 1
