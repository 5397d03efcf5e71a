"""Blocks of the student's as the grader of 05-encoder-decoder-blocks asks them, and the blocks of known mistakes.

A known mistake is a flaw: the oracle's sublayers, joined as that mistake joins them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import TOLERANCE, Array, Draw, Layer, Miss, Probe, Weight, expect_close, expect_shape

from . import reference as oracle
from .stacked_weights import told_apart
from .weight_roles import Parts, Reading, Roles, Sizes, all_readings, drawn_values, parts_of

TOKENS = "(batch, seq_len, d_model)"
TARGET = "(batch, target_len, d_model)"
KERAS_EPSILON = 1e-3  # the default of keras.layers.LayerNormalization
CONFUSED_READINGS = 24  # a wrong answer is compared with known mistakes under the most plausible readings only


def drawn_sizes(draw: Draw) -> Sizes:
    """Return a block's sizes: no two of d_model, num_heads, head_dim and ff_dim are equal or simple multiples."""
    num_heads, head_dim = draw.distinct(2, 2, 4)
    d_model = num_heads * head_dim
    taken = {num_heads, head_dim, d_model, d_model + 1, 2 * d_model, 3 * d_model, num_heads * d_model}
    return Sizes(d_model, num_heads, draw.choice([n for n in range(9, 23) if n not in taken]))


def drawn_lengths(draw: Draw, sizes: Sizes) -> tuple[int, int, int]:
    """Return batch, the length of a sequence and the greater one of a memory, unlike any of the block's sizes."""
    head_dim = sizes.d_model // sizes.num_heads
    free = [n for n in range(3, 9) if n not in (sizes.d_model, sizes.num_heads, head_dim)]
    batch, *lengths = (free[i] for i in draw.distinct(3, 0, len(free) - 1))
    seq_len, memory_len = sorted(lengths)
    return batch, seq_len, memory_len


class Block:
    """A built encoder or decoder block of the student's, with random weights, and its readings.

    Args:
        probe, draw: of the line.
        kind: `encoder` or `decoder`.
        one_token: of the sequence, and of the memory: then every attention weight is 1.
        scale: of the inputs; the norms see its square as variance.
        options: of the block's constructor; dropout is 0 unless given.
    """

    def __init__(
        self,
        probe: Probe,
        draw: Draw,
        kind: str,
        one_token: bool = False,
        scale: float = 1.0,
        **options: Any,
    ) -> None:
        self.probe, self.draw = probe, draw
        options = {"dropout": 0.0, **options}
        self.kind, self.roles = kind, ROLES[kind]
        self.norm_first = options.get("norm_first", True)
        self.sizes = probe.once((kind, "sizes"), lambda: drawn_sizes(draw))
        self.batch, self.seq_len, self.memory_len = probe.once(
            (kind, "lengths"), lambda: drawn_lengths(draw, self.sizes)
        )
        if one_token:
            self.seq_len = self.memory_len = 1
        self.inputs = [self.tokens(draw, self.seq_len, scale)]
        if kind == "decoder":
            self.inputs.append(self.tokens(draw, self.memory_len))
        key = (kind, *sorted(options.items()))
        self.layer, self.weights, self.lifts = probe.once(key, lambda: self._made(options))
        self.values = drawn_values(draw, self.weights, self.sizes)
        self.parts = parts_of(self.weights, self.sizes)

    def _made(self, options: Mapping[str, Any]) -> tuple[Layer, list[Weight], tuple[float, ...]]:
        layer = self.probe.layer(f"{self.kind.capitalize()}Block", **self.numbers(), **options)
        self.ask(layer=layer)
        layer = told_apart(layer, self.sizes, self.roles)
        weights = layer.weights()
        return layer, weights, lifts_of(layer, parts_of(weights, self.sizes))

    def numbers(self) -> dict[str, int]:
        """Return the constructor's sizes."""
        return {"d_model": self.sizes.d_model, "num_heads": self.sizes.num_heads, "ff_dim": self.sizes.ff_dim}

    def tokens(self, draw: Draw, length: int, scale: float = 1.0) -> Array:
        """Draw (batch, length, d_model), each token with a mean of its own."""
        shape = (self.batch, length, self.sizes.d_model)
        return draw.normal(*shape, scale=scale) + draw.normal(self.batch, length, 1, scale=scale / 2)

    def ask(self, *inputs: Array, layer: Layer | None = None, **options: Any) -> Array:
        """Return the block's answer to its own inputs or to others, once the shape is right."""
        inputs = inputs or tuple(self.inputs)
        words = TOKENS if self.kind == "encoder" else TARGET
        return expect_shape((layer or self.layer)(*inputs, **options), inputs[0].shape, words)

    def assign(self) -> None:
        """Give every weight its random value."""
        self.layer.assign(self.values)

    def readings(self) -> Iterator[Reading]:
        """Yield role -> value, the most plausible reading first."""
        return all_readings(self.parts, self.values, self.roles, self.lifts)


def lifts_of(layer: Layer, parts: Parts) -> tuple[float, ...]:
    """Return what may have to be added to the scales of a new layer's normalisations: 1 too if all they hold is 0."""
    paths = [path for norm in parts.norms for path in (norm.scale, norm.shift) if path]
    if any(path.endswith("gamma") for path in paths) or any(layer.read(path).any() for path in paths):
        return (0.0,)
    return (1.0, 0.0)


ROLES = {
    "encoder": Roles(("attention",), ("norm_1", "norm_2")),
    "decoder": Roles(("self_attention", "cross_attention"), ("norm_1", "norm_2", "norm_3")),
}

Sublayer = Callable[[Array], Array]
Flaw = Callable[[Block, Reading], Array]


def right_answer(block: Block, weights: Reading, epsilon: float = oracle.EPSILON, **changes: Any) -> Array:
    """Return the oracle's answer under a reading, perhaps with other arguments."""
    options: dict[str, Any] = {"norm_first": block.norm_first, "epsilon": epsilon, **changes}
    x, *memory = block.inputs
    if block.kind == "encoder":
        return oracle.encoder_block(x, weights, block.sizes.num_heads, **options)
    return oracle.decoder_block(x, memory[0], weights, block.sizes.num_heads, **options)


def sublayers(block: Block, weights: Reading) -> list[tuple[Sublayer, Sublayer]]:
    """Return (sublayer, its norm) in order."""
    heads = block.sizes.num_heads

    def attend(name: str, memory: Array | None = None) -> Sublayer:
        return lambda y: oracle.attention(y, y if memory is None else memory, weights, name, heads)

    computed: list[Sublayer] = [attend(block.roles.attentions[0])]
    if block.kind == "decoder":
        computed.append(attend("cross_attention", block.inputs[1]))
    computed.append(lambda y: oracle.feed_forward(y, weights))
    norms = [partial(_apply_norm, weights, name) for name in block.roles.norms]
    return list(zip(computed, norms, strict=True))


def _apply_norm(weights: Reading, name: str, x: Array) -> Array:
    return oracle.norm(x, weights, name)


def chained(step: Callable[[int, Array, Sublayer, Sublayer, bool], Array]) -> Flaw:
    """Return the block whose sublayers are joined by `step(number, x, sublayer, norm, norm_first)`."""

    def compute(block: Block, weights: Reading) -> Array:
        x = block.inputs[0]
        for number, (sublayer, norm) in enumerate(sublayers(block, weights)):
            x = step(number, x, sublayer, norm, block.norm_first)
        return x

    return compute


def _joined(x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return x + sublayer(norm(x)) if first else norm(x + sublayer(x))


def _no_residual(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return sublayer(norm(x)) if first else norm(sublayer(x))


def _residual_of_the_norm(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return norm(x) + sublayer(norm(x))


def _norm_of_the_sublayer(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return x + norm(sublayer(x))


def _normed_twice(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return norm(x + sublayer(norm(x)))


def _doubled_residual(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return x + _joined(x, sublayer, norm, first) if first else norm(x + x + sublayer(x))


def _except(last: bool, step: Callable[..., Array]) -> Callable[..., Array]:
    """Return a step that is `step` for the feed-forward network (`last`) or for all before it, and right elsewhere."""

    def chosen(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool, count: int) -> Array:
        here = step if (number == count - 1) == last else (lambda n, *others: _joined(*others))
        return here(number, x, sublayer, norm, first)

    return chosen


def partly(last: bool, step: Callable[..., Array]) -> Flaw:
    """Return the block that joins its feed-forward network (`last`), or its attentions, by `step`."""

    def compute(block: Block, weights: Reading) -> Array:
        steps = sublayers(block, weights)
        x = block.inputs[0]
        for number, (sublayer, norm) in enumerate(steps):
            x = _except(last, step)(number, x, sublayer, norm, block.norm_first, len(steps))
        return x

    return compute


def _lectures_end(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return norm(x) + x if first else norm(x)


def _dropped(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return x if first else norm(x)


def _first_residual_only(block: Block, weights: Reading) -> Array:
    """Every sublayer's output is added to the block's own input."""
    x = block.inputs[0]
    for sublayer, norm in sublayers(block, weights):
        x = block.inputs[0] + sublayer(norm(x)) if block.norm_first else norm(block.inputs[0] + sublayer(x))
    return x


def _one_norm(block: Block, weights: Reading) -> Array:
    shared = {f"{name}.{part}": weights[f"norm_1.{part}"] for name in block.roles.norms for part in ("gamma", "beta")}
    return right_answer(block, {**weights, **shared})


def _first_norm_only(number: int, x: Array, sublayer: Sublayer, norm: Sublayer, first: bool) -> Array:
    return x + sublayer(norm(x)) if first and number == 0 else x + sublayer(x)


def _attend_to(block: Block, weights: Reading, memory: Array | None, y: Array) -> Array:
    """Return the second attention's output from `y` to a memory, or to itself."""
    keys = y if memory is None else memory
    return oracle.attention(y, keys, weights, "cross_attention", block.sizes.num_heads)


def _memory_ignored(block: Block, weights: Reading) -> Array:
    """The second attention looks at the target too."""
    x = block.inputs[0]
    for number, (sublayer, norm) in enumerate(sublayers(block, weights)):
        if number == 1:
            sublayer = partial(_attend_to, block, weights, None)
        x = _joined(x, sublayer, norm, block.norm_first)
    return x


def _memory_normed(block: Block, weights: Reading) -> Array:
    """The memory is normalised by the cross-attention's own norm."""
    x = block.inputs[0]
    for number, (sublayer, norm) in enumerate(sublayers(block, weights)):
        if number == 1:
            sublayer = partial(_attend_to, block, weights, oracle.norm(block.inputs[1], weights, "norm_2"))
        x = _joined(x, sublayer, norm, block.norm_first)
    return x


def _cross_first(block: Block, weights: Reading) -> Array:
    steps = sublayers(block, weights)
    x = block.inputs[0]
    for sublayer, norm in (steps[1], steps[0], steps[2]):
        x = _joined(x, sublayer, norm, block.norm_first)
    return x


def _no_cross_residual(block: Block, weights: Reading) -> Array:
    x = block.inputs[0]
    for number, (sublayer, norm) in enumerate(sublayers(block, weights)):
        x = (_no_residual if number == 1 else (lambda n, *others: _joined(*others)))(
            number, x, sublayer, norm, block.norm_first
        )
    return x


FLAWS: dict[str, Flaw] = {
    "no-residual": chained(_no_residual),
    "no-feed-forward-residual": partly(True, _no_residual),
    "residual-of-the-norm": chained(_residual_of_the_norm),
    "norm-of-the-sublayer": chained(_norm_of_the_sublayer),
    "normed-twice": chained(_normed_twice),
    "doubled-residual": chained(_doubled_residual),
    "doubled-last-residual": partly(True, _doubled_residual),
    "feed-forward-dropped": partly(True, _dropped),
    "lectures-end": partly(True, _lectures_end),
    "first-residual-only": _first_residual_only,
    "first-norm-only": chained(_first_norm_only),
    "one-norm-used": _one_norm,
}
FLAWS_OF: dict[str, dict[str, Flaw]] = {
    "encoder": {"no-attention-residual": partly(False, _no_residual)},
    "decoder": {
        "memory-ignored": _memory_ignored,
        "memory-normed": _memory_normed,
        "cross-first": _cross_first,
        "no-cross-residual": _no_cross_residual,
    },
}


def expect_block(
    block: Block, answer: Array, what: Text, epsilons: tuple[float, ...] = (oracle.EPSILON, KERAS_EPSILON)
) -> None:
    """Miss unless the answer is right under some reading and one of the epsilons; name a known mistake."""
    first: Reading | None = None
    for weights in block.readings():
        first = first or weights
        for epsilon in epsilons:
            if near(answer, right_answer(block, weights, epsilon)):
                return
    if first is None:
        raise Miss(missing_parts(block))
    expected = right_answer(block, first)
    for weights in itertools.islice(block.readings(), CONFUSED_READINGS):
        if near(answer, right_answer(block, weights, norm_first=not block.norm_first)):
            text = Text(
                f"{what.en.capitalize()} is that of the other order of norm and sum.",
                f"{what.ko}이 정규화와 덧셈의 순서가 바뀐 블록의 출력과 같습니다.",
            )
            raise Miss(text, order_mistake(block))
        for mistake, wrong in flawed(block, weights):
            if near(answer, wrong):
                expect_close(answer, expected, what, confusions={mistake: wrong})
    expect_close(answer, expected, what)


def order_mistake(block: Block) -> str:
    """Return the id of the mistake that gives a block the other order, once it is known what `not norm_first` gives."""
    options = {} if not block.norm_first else {"norm_first": False}
    other = Block(block.probe, block.draw, block.kind, one_token=block.seq_len == 1, **options)
    other.assign()
    answer = other.ask()
    if any(near(answer, right_answer(other, weights)) for weights in other.readings()):
        return f"{block.kind}-always-{'post' if block.norm_first else 'pre'}-norm"
    return f"{block.kind}-norm-first-inverted"


def flawed(block: Block, weights: Reading) -> Iterator[tuple[str, Array]]:
    """Yield mistake id -> what a block with that known mistake answers under a reading."""
    for name, flaw in {**FLAWS, **FLAWS_OF[block.kind]}.items():
        yield f"{block.kind}-{name}", flaw(block, weights)


def missing_parts(block: Block) -> Text:
    """Return what of a block can't be found among its weights."""
    if not (block.parts.inner and block.parts.outer):
        return Text(
            "In the block there are no two dense layers with kernels (d_model, ff_dim) and (ff_dim, d_model).",
            "블록에서 커널(kernel)이 (d_model, ff_dim)인 것과 (ff_dim, d_model)인 것, 두 완전 연결 계층을 찾을 수 없습니다.",
        )
    return Text(
        "In the block there is no attention with projections for query, key, value and output.",
        "블록에서 쿼리, 키, 값, 출력의 투영이 있는 어텐션을 찾을 수 없습니다.",
    )


def near(answer: Array, expected: Array) -> bool:
    """Return whether every entry is close, relative to the size of the expected one."""
    return bool((np.abs(answer - expected) <= TOLERANCE * (1 + np.abs(expected))).all())
