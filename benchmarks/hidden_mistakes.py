"""Mistakes that training hides: the table at the end of notebook 07, measured again.

    python -m benchmarks.hidden_mistakes [--only NAME] [--pairs 20000] [--seed 1]

Each row trains a small Transformer on Korean numbers and English words with one mistake in it, as in the notebook, and
tells which share of 1000 held-out numbers is wholly right: with the right earlier words given, and on the model's own. On two
processor cores a row takes one to two minutes.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

from pathlib import Path

import keras
import numpy as np
from keras import ops

from autograder.sources.modules import course_module

oracle = course_module(Path(__file__).resolve().parent.parent / "solutions" / "07-training", "reference")

WIDTH, HEADS, INNER, BLOCKS = 64, 4, 128, 2
HELD_OUT = 1000


@dataclass(frozen=True)
class Variant:
    """One way to build and train; the defaults are right.

    Attributes:
        look_ahead: how far each position sees: 0, 1 one step too far, `None` everything, `"past hidden"` upside down.
        padding: `hidden`, `seen` or `upside down`.
        positions, feed_forward, shifted, padding_left_out: whether the model or training has them.
        score_scale: what the scores are multiplied by, relative to the right factor.
    """

    look_ahead: Any = 0
    padding: str = "hidden"
    positions: bool = True
    feed_forward: bool = True
    shifted: bool = True
    padding_left_out: bool = True
    score_scale: float = 1.0


ROWS = {
    "none": Variant(),
    "no look-ahead mask": Variant(look_ahead=None),
    "look-ahead mask upside down": Variant(look_ahead="past hidden"),
    "mask lets one later step through": Variant(look_ahead=1),
    "target not shifted": Variant(shifted=False),
    "no positions": Variant(positions=False),
    "padding mask upside down": Variant(padding="upside down"),
    "no padding mask": Variant(padding="seen"),
    "no feed-forward in the decoder": Variant(feed_forward=False),
    "scores not scaled": Variant(score_scale=(WIDTH // HEADS) ** 0.5),
    "scores scaled by d_model": Variant(score_scale=HEADS**-0.5),
    "loss counts the padding": Variant(padding_left_out=False),
}


class Attention(keras.layers.Layer):
    """Multi-head attention with a factor on its scores; the mask says who may be seen."""

    def __init__(self, score_scale: float) -> None:
        super().__init__()
        self.scale = score_scale / (WIDTH // HEADS) ** 0.5
        self.projections = [keras.layers.Dense(WIDTH) for _ in range(4)]

    def call(self, query: Any, memory: Any, seen: Any) -> Any:
        """Attend from query (batch, query_len, width) to memory (batch, key_len, width)."""
        to_query, to_key, to_value, to_output = self.projections
        q, k, v = (
            ops.reshape(dense(x), (ops.shape(x)[0], -1, HEADS, WIDTH // HEADS))
            for dense, x in ((to_query, query), (to_key, memory), (to_value, memory))
        )
        scores = ops.einsum("bqhd,bkhd->bhqk", q, k) * self.scale
        weights = ops.softmax(ops.where(seen, scores, -1e9))
        mixed = ops.einsum("bhqk,bkhd->bqhd", weights, v)
        return to_output(ops.reshape(mixed, (ops.shape(query)[0], -1, WIDTH)))


class Translator(keras.Model):
    """A pre-norm Transformer with one of the mistakes."""

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        self.variant = variant
        vocab_size = len(oracle.VOCABULARY)
        initializer = keras.initializers.RandomNormal(stddev=WIDTH**-0.5)
        self.tables = [keras.layers.Embedding(vocab_size, WIDTH, embeddings_initializer=initializer) for _ in range(2)]
        scale = variant.score_scale
        self.encoder = [(self._norm(), Attention(scale), self._norm(), self._inner()) for _ in range(BLOCKS)]
        self.decoder = [
            (
                self._norm(),
                Attention(scale),
                self._norm(),
                Attention(scale),
                *((self._norm(), self._inner()) if variant.feed_forward else (None, None)),
            )
            for _ in range(BLOCKS)
        ]
        self.norms = [self._norm(), self._norm()]
        self.output_dense = keras.layers.Dense(vocab_size)
        angles = np.arange(oracle.MAX_LEN)[:, None] / 10000 ** (np.arange(0, WIDTH, 2) / WIDTH)
        table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(oracle.MAX_LEN, WIDTH)
        self.positions = (table if variant.positions else 0 * table).astype("float32")

    @staticmethod
    def _norm() -> Any:
        return keras.layers.LayerNormalization(epsilon=1e-6)

    @staticmethod
    def _inner() -> Any:
        return keras.Sequential([keras.layers.Dense(INNER, activation="relu"), keras.layers.Dense(WIDTH)])

    def call(self, inputs: Any) -> Any:
        """Return logits (batch, target_len, vocab_size) of [source_ids, target_ids]."""
        source, target = inputs
        x, y = (
            table(ids) * WIDTH**0.5 + self.positions[: ids.shape[1]]
            for table, ids in zip(self.tables, (source, target), strict=True)
        )
        source_seen, target_seen = (self._not_padding(ids) for ids in (source, target))
        target_seen = ops.logical_and(target_seen, self._not_ahead(target.shape[1]))
        for norm, attention, inner_norm, inner in self.encoder:
            n = norm(x)
            x = x + attention(n, n, source_seen)
            x = x + inner(inner_norm(x))
        memory = self.norms[0](x)
        for norm, attention, cross_norm, cross, inner_norm, inner in self.decoder:
            n = norm(y)
            y = y + attention(n, n, target_seen)
            y = y + cross(cross_norm(y), memory, source_seen)
            if self.variant.feed_forward:
                y = y + inner(inner_norm(y))
        return self.output_dense(self.norms[1](y))

    def _not_padding(self, ids: Any) -> Any:
        is_word = ops.not_equal(ids, 0)[:, None, None, :]
        how = self.variant.padding
        return (
            is_word if how == "hidden" else ops.logical_not(is_word) if how == "upside down" else ops.ones_like(is_word)
        )

    def _not_ahead(self, length: int) -> np.ndarray:
        steps = np.arange(length)[None, :] - np.arange(length)[:, None]
        how = self.variant.look_ahead
        return np.ones_like(steps, dtype=bool) if how is None else steps > 0 if how == "past hidden" else steps <= how


def loss_of(variant: Variant) -> Any:
    """Return the mean cross-entropy over the words, or over all positions."""

    def loss(labels: Any, logits: Any) -> Any:
        labels = ops.cast(labels, "int32")
        log_probabilities = ops.log_softmax(logits)
        losses = -ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
        counts = ops.cast(ops.not_equal(labels, 0), "float32") if variant.padding_left_out else ops.ones_like(losses)
        return ops.sum(losses * counts) / ops.sum(counts)

    return loss


def train(
    variant: Variant, source: np.ndarray, target: np.ndarray, seed: int, epochs: int = 6, batch: int = 128
) -> Any:
    """Return a model trained as in the notebook."""
    keras.utils.set_random_seed(seed)
    model = Translator(variant)
    updates = epochs * -(-len(source) // batch)
    warmup = updates // 10
    rate = keras.optimizers.schedules.CosineDecay(0.0, updates - warmup, warmup_target=2e-3, warmup_steps=warmup)
    model.compile(keras.optimizers.Adam(rate, beta_2=0.98, epsilon=1e-9), loss=loss_of(variant))
    labels = target[:, 1:] if variant.shifted else target[:, :-1]
    model.fit([source, target[:, :-1]], labels, batch_size=batch, epochs=epochs, verbose=0)
    return model


def shares_right(model: Any, variant: Variant, source: np.ndarray, target: np.ndarray) -> tuple[float, float]:
    """Return the shares of rows that are wholly right with the right words given, and on the model's own words."""
    reads = target[:, :-1]
    asked = target[:, 1:] if variant.shifted else reads
    given = _argmax(model, source, reads)
    said = np.zeros_like(target)
    said[:, 0] = oracle.BOS
    for position in range(target.shape[1] - 1):
        said[:, position + 1] = _argmax(model, source, said[:, :-1])[:, position]
    return float(((given == asked) | (asked == 0)).all(axis=1).mean()), oracle.exact_match(said, target)


def _argmax(model: Any, source: np.ndarray, reads: np.ndarray) -> np.ndarray:
    return np.argmax(ops.convert_to_numpy(model([source, reads])), axis=-1)


def main() -> None:
    """Measure the rows and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--pairs", type=int, default=20_000, help="for the training")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    numbers = oracle.draw_numbers(np.random.default_rng(options.seed), options.pairs + HELD_OUT)
    source, target = oracle.number_pairs(numbers)
    held_source, held_target = source[options.pairs :], target[options.pairs :]
    print("| mistake | right words given | its own words | seconds |\n|---|---|---|---|")
    for name, variant in ROWS.items():
        if options.only not in name:
            continue
        began = time.monotonic()
        model = train(variant, source[: options.pairs], target[: options.pairs], options.seed)
        given, own = shares_right(model, variant, held_source, held_target)
        print(f"| {name} | {given:.3f} | {own:.3f} | {time.monotonic() - began:.0f} |", flush=True)
        if name == "no padding mask":
            further = np.pad(held_source, ((0, 0), (0, oracle.MAX_LEN - oracle.SOURCE_LEN)))
            print(f"| the same, padded further | | {shares_right(model, variant, further, held_target)[1]:.3f} | |")


if __name__ == "__main__":
    main()
