"""One model of one framework, ready to be trained for a turn at a time. Its framework is imported with it."""

from __future__ import annotations

import os
import resource
import sys
import time
import zlib
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from benchmarks.training.sizes import Size

MODELS = ("course", "keras", "keras-hub", "torch")
BACKENDS = ("tensorflow", "jax", "torch")
PRECISIONS = {"float32": "float32", "bfloat16": "mixed_bfloat16"}
FEEDS = ("numpy", "tf.data")
ADAM = {"learning_rate": 1e-4, "beta_2": 0.98, "epsilon": 1e-9}


@dataclass(frozen=True)
class Entry:
    """What is trained and how.

    Attributes:
        model: `course` (from scratch), `keras`, `keras-hub`, or `torch` (`torch.nn.Transformer` in a plain loop).
        backend: of Keras; `torch` for the plain loop.
        precision: `float32`, or `bfloat16` for mixed precision.
        compiled: by XLA, `jax.jit` or `torch.compile`. Without, TensorFlow runs a graph and the others one operation after another.
        feed: `numpy` or `tf.data`.
    """

    model: str
    backend: str
    precision: str = "float32"
    compiled: bool = False
    feed: str = "numpy"

    @property
    def name(self) -> str:
        """Its name in a line."""
        how = "compiled" if self.compiled else "not compiled"
        return f"{self.model} on {self.backend}, {self.precision}, {how}, from {self.feed}"


@dataclass(frozen=True)
class Report:
    """What a trainee tells about itself before it is timed.

    Attributes:
        parameters: that are trained.
        loss: of the first batch, with the weights that every model is given.
        device: that it is trained on.
        versions: of what it is made of.
        setup_seconds: until its first two turns were over, compilation included.
    """

    parameters: int
    loss: float
    device: str
    versions: str
    setup_seconds: float

    def record(self) -> dict[str, Any]:
        """Return it for JSON."""
        return asdict(self)


class Trainee(Protocol):
    """A model with a turn's batches."""

    parameters: int
    device: str
    versions: str

    def loss(self) -> float:
        """Return the loss of the first batch, nothing dropped or updated."""

    def turn(self) -> float:
        """Train on the turn's batches and return the loss of the last one; it is known, so all is done."""

    def device_bytes(self) -> int | None:
        """Return the most memory taken on the accelerator, or None on a processor."""


def make(entry: Entry, size: Size) -> Trainee:
    """Import the framework of an entry and build its model, with weights that are the same in every framework.

    Raises:
        ImportError: something that it needs isn't installed.
    """
    if entry.model == "torch":
        from benchmarks.training.torch_model import TorchTrainee

        return TorchTrainee(entry, size)
    os.environ["KERAS_BACKEND"] = entry.backend
    return KerasTrainee(entry, size)


class KerasTrainee:
    """A Keras model, trained by `fit`."""

    def __init__(self, entry: Entry, size: Size) -> None:
        from benchmarks.training.keras_models import course_code

        if entry.feed == "tf.data" and entry.backend != "tensorflow":
            _hide_accelerators_from_tensorflow()
        import keras

        keras.config.set_dtype_policy(PRECISIONS[entry.precision])
        code = course_code(entry.model)
        self._model = code.build_transformer(
            size.vocab_size, size.max_len, size.num_layers, size.d_model, size.num_heads, size.ff_dim, 0.0,
            tie_weights=size.tie_weights,
        )  # fmt: skip
        for weight in self._model.trainable_weights:
            weight.assign(weight_value(tuple(weight.shape), size, weight.name == "gamma"))
        self.parameters = sum(int(np.prod(weight.shape)) for weight in self._model.trainable_weights)
        self.device, self.versions = _keras_device(), _versions("keras", entry.backend)
        self._backend, self._loss = entry.backend, code.masked_loss
        self._model.compile(
            keras.optimizers.Adam(**ADAM),
            loss=code.masked_loss,
            jit_compile=entry.compiled,
            run_eagerly=entry.backend == "jax" and not entry.compiled,
            auto_scale_loss=False,
        )
        source, target = size.batches()
        reads, asked = target[:, :-1], target[:, 1:]
        self._first = [source[: size.batch], reads[: size.batch]], asked[: size.batch]
        self._fed: dict[str, Any] = {"x": [source, reads], "y": asked, "batch_size": size.batch}
        if entry.feed == "tf.data":
            import tensorflow as tf

            fed = tf.data.Dataset.from_tensor_slices(((source, reads), asked))
            self._fed = {"x": fed.batch(size.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)}

    def loss(self) -> float:
        """See `Trainee`."""
        import keras

        inputs, asked = self._first
        logits = self._model(inputs, training=False)
        return float(keras.ops.convert_to_numpy(self._loss(asked, logits)))

    def turn(self) -> float:
        """See `Trainee`. Keras's loss is the mean of the turn's batches."""
        history = self._model.fit(**self._fed, epochs=1, shuffle=False, verbose=0)
        return float(history.history["loss"][-1])

    def device_bytes(self) -> int | None:
        """See `Trainee`."""
        return device_bytes(self._backend)


def weight_value(shape: tuple[int, ...], size: Size, is_scale: bool = False) -> np.ndarray:
    """Return the numbers of a weight: the same for the same matrix or vector, whatever axes its framework gives it.

    Args:
        shape: the weight's shape; heads may have an axis of their own.
        size: the model's size.
        is_scale: whether the weight is a normalisation's scale, which is about 1.
    """
    count, width = int(np.prod(shape)), size.d_model
    if len(shape) == 3 or (
        len(shape) == 2 and count == width
    ):  # (d_model, heads, head_dim), its opposite, (heads, head_dim)
        plain = (width,) if count == width else (width, width)
    else:
        plain = tuple(shape)
    rng = np.random.default_rng(zlib.crc32(repr(plain).encode()))
    values = rng.normal(size=plain).astype("float32")
    if len(plain) == 1:
        values = 0.1 * values + is_scale
    else:
        values *= min(plain) ** -0.5 if size.vocab_size in plain else plain[0] ** -0.5
    return values.reshape(shape)


def device_bytes(backend: str) -> int | None:
    """Return the most memory that a backend's tensors took on its accelerator so far, or None on a processor."""
    if backend == "torch":
        import torch

        return int(torch.cuda.max_memory_allocated()) if torch.cuda.is_available() else None
    if backend == "jax":
        import jax

        statistics = jax.local_devices()[0].memory_stats()
        return int(statistics["peak_bytes_in_use"]) if statistics else None
    import tensorflow as tf

    if not tf.config.list_physical_devices("GPU"):
        return None
    return int(tf.config.experimental.get_memory_info("GPU:0")["peak"])


def host_bytes() -> int:
    """Return the most memory that this process had in the machine so far."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def prepare(entry: Entry, size: Size) -> tuple[Trainee, Report]:
    """Build a trainee, ask for its loss, and run two turns: the first compiles, the second may do so once more."""
    began = time.monotonic()
    trainee = make(entry, size)
    loss = trainee.loss()
    for _ in range(2):
        if not np.isfinite(trainee.turn()):
            raise ArithmeticError(f"The loss must stay finite. Received: {entry.name}. Is its precision too low?")
    seconds = time.monotonic() - began
    return trainee, Report(trainee.parameters, loss, trainee.device, trainee.versions, seconds)


def _keras_device() -> str:
    import keras

    backend = keras.backend.backend()
    if backend == "torch":
        import torch

        return torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    if backend == "jax":
        import jax

        device = jax.local_devices()[0]
        return "CPU" if device.platform == "cpu" else device.device_kind
    import tensorflow as tf

    devices = tf.config.list_physical_devices("GPU")
    return tf.config.experimental.get_device_details(devices[0]).get("device_name", "GPU") if devices else "CPU"


def _versions(*names: str) -> str:
    import importlib

    return ", ".join(f"{name} {importlib.import_module(name).__version__}" for name in dict.fromkeys(names))


def _hide_accelerators_from_tensorflow() -> None:
    """Leave the accelerator's memory to the backend; TensorFlow only feeds."""
    import tensorflow as tf

    tf.config.set_visible_devices([], "GPU")
