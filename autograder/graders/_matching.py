"""Which weight of a student's layer plays which role, found without asking how anything is named or in which order it was made.

A grader gives every weight of a built layer a random value, calls the layer once, and compares the answer with the
oracle's under every *reading* of the weights: every plausible answer to "which of these is the query kernel?". One match is
a proof, because each reading uses each weight once. Whatever the number of readings, the student's kernel is asked twice.

    layer = probe.layer("EncoderBlock", …); layer(x)                        # the call builds it
    sizes = Sizes(d_model, num_heads, ff_dim)
    values = drawn_values(draw, layer.weights(), sizes)
    layer.assign(values)
    readings = all_readings(parts_of(layer.weights(), sizes), values, Roles(("attention",), ("norm_1", "norm_2")))
    any(close(answer, oracle.encoder_block(x, weights, num_heads)) for weights in readings)

A reading maps role names to arrays as `autograder.oracle.blocks` takes them. The most plausible comes first: by names
(`query_dense`, `wq`, `gamma`, …), then by the order of creation, then all permutations. Recognised are attentions of
`keras.layers.MultiHeadAttention`, of four dense layers, of einsum layers with split kernels, with one kernel for query, key
and value together, heads first or last, of one dense layer a head and projection; normalisations with scale and shift; dense layers and convolutions of width 1.
Where a layer has too few of something, the same weights are read in several roles, and what is missing altogether is read
as doing nothing: then values can be right though the count of the parameters is not.

For a model of several blocks, `owned_by` picks the weights below one attribute path; `parts_of` reads one block's.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.rubric import Array, Draw, Weight

__all__ = [
    "Attention",
    "Dense",
    "Norm",
    "Parts",
    "Roles",
    "Sizes",
    "all_readings",
    "drawn_values",
    "owned_by",
    "parts_of",
]

Reading = dict[str, Array]
PROJECTIONS = ("query", "key", "value", "output")
NAMED = {
    "query": re.compile(r"query|(^|_|w|to)q(_|$|\d|w)"),
    "key": re.compile(r"key|(^|_|w|to)k(_|$|\d|w)"),
    "value": re.compile(r"value|(^|_|w|to)v(al)?(_|$|\d|w)"),
    "output": re.compile(r"out|proj|combine|merge|mix|dense$|final|(^|_|w|to)o(_|$|\d|w)"),
}
SCALE = re.compile(r"gamma|scale|alpha|weight|(^|_)g(_|$|\d)")
SHIFT = re.compile(r"beta|shift|offset|bias|(^|_)b(_|$|\d)")
NORM = re.compile(r"norm|gamma|beta|(^|_)ln")
FIRST_ATTENTION = re.compile(r"self|masked|causal|first|(^|_)1(_|$)|1$")
SECOND_ATTENTION = re.compile(r"cross|enc|memory|second|(^|_)2(_|$)|2$")
MOST_READINGS = 5000


@dataclass(frozen=True)
class Sizes:
    """The sizes of a block, pairwise distinct, ff_dim not twice or three times d_model."""

    d_model: int
    num_heads: int
    ff_dim: int


@dataclass(frozen=True)
class Dense:
    """A kernel, with the bias that belongs to it: attribute paths and shapes; `label` is what its owner calls it.

    A projection made of one dense layer a head has these as `heads`; its kernel and bias are theirs side by side.
    """

    label: str
    kernel: str
    kernel_shape: tuple[int, ...]
    bias: str | None = None
    heads: tuple[Dense, ...] = ()

    @property
    def kernels(self) -> tuple[str, ...]:
        """Paths of all kernels."""
        return tuple(head.kernel for head in self.heads) or (self.kernel,)

    @property
    def biases(self) -> tuple[str, ...]:
        """Paths of all biases."""
        return tuple(one.bias for one in self.heads or (self,) if one.bias)


@dataclass(frozen=True)
class Norm:
    """The paths of a normalisation's two vectors, the likelier scale first; None for one that is missing."""

    label: str
    scale: str | None
    shift: str | None


@dataclass(frozen=True)
class Attention:
    """The dense layers of one attention in order of creation: four, or fewer if projections share a kernel."""

    label: str
    dense: tuple[Dense, ...]


@dataclass(frozen=True)
class Parts:
    """What a block's weights belong to; `rest` are paths of weights that belong to none of it."""

    sizes: Sizes
    attentions: tuple[Attention, ...]
    norms: tuple[Norm, ...]
    inner: tuple[Dense, ...]
    outer: tuple[Dense, ...]
    rest: tuple[str, ...]


@dataclass(frozen=True)
class Roles:
    """The names that a reading gives to attentions, normalisations and the feed-forward network."""

    attentions: tuple[str, ...]
    norms: tuple[str, ...]
    feed_forward: str | None = "feed_forward"


def owned_by(weights: Iterable[Weight], prefix: str) -> list[Weight]:
    """Return the weights whose attribute path lies below `prefix`: `encoder_blocks[0]`, `decoder.layers_[1]`."""
    return [weight for weight in weights if weight.path.startswith((f"{prefix}.", f"{prefix}["))]


def drawn_values(draw: Draw, weights: Iterable[Weight], sizes: Sizes) -> dict[str, Array]:
    """Draw a value for every trainable weight: kernels that keep the size of what goes through, vectors far from 0 and 1."""
    values: dict[str, Array] = {}
    for weight in weights:
        if not weight.trainable:
            continue
        if _is_vector(weight.shape, sizes):
            signs = draw.choice((-1.0, 1.0)) * np.where(draw.uniform(0, 1, *weight.shape) < 0.5, -1.0, 1.0)
            values[weight.path] = signs * draw.uniform(0.3, 1.3, *weight.shape)
        else:
            inputs = sizes.ff_dim if _squeezed(weight.shape)[:1] == (sizes.ff_dim,) else sizes.d_model
            values[weight.path] = draw.normal(*weight.shape, scale=1.1 / math.sqrt(inputs))
    return values


# ---- from weights to parts ------------------------------------------------------------------------------------------


def parts_of(weights: Sequence[Weight], sizes: Sizes) -> Parts:
    """Sort the weights of one block (or of a feed-forward network, or of an attention) by what they belong to."""
    dense: list[Dense] = []
    norms: list[Norm] = []
    rest: list[str] = []
    for group in _siblings([weight for weight in weights if weight.trainable]):
        of_group, vectors = _dense_of(group, sizes)
        dense += of_group
        of_group_norms, left = _norms_of([v for v in vectors if v.shape == (sizes.d_model,)])
        norms += of_group_norms
        rest += [v.path for v in (*left, *(v for v in vectors if v.shape != (sizes.d_model,)))]
    inner = [d for d in dense if _squeezed(d.kernel_shape) == (sizes.d_model, sizes.ff_dim)]
    outer = [d for d in dense if _squeezed(d.kernel_shape) == (sizes.ff_dim, sizes.d_model)]
    projections = [d for d in dense if d not in inner and d not in outer]
    attentions, strangers = _attentions_of(_joined_heads(projections, sizes))
    rest += [d.kernel for d in strangers]
    return Parts(sizes, tuple(attentions), tuple(norms), tuple(inner), tuple(outer), tuple(rest))


def _siblings(weights: Sequence[Weight]) -> list[list[Weight]]:
    """Group weights by the object that holds them; those that no attribute leads to (`weights[3]`) are one family."""
    groups: dict[str, list[Weight]] = {}
    for weight in weights:
        groups.setdefault(_parent(weight.path), []).append(weight)
    return list(groups.values())


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


def _last(label: str) -> str:
    """Return the last name of a label, in lower case and without an index: `blocks[1].Wq[0]` gives `wq`.

    `weights[3]` is no name: the kernel calls a weight so when no attribute leads to it.
    """
    if re.fullmatch(r"weights\[\d+\]", label):
        return ""
    return re.sub(r"\[.*?\]", "", label.rpartition(".")[2]).lower()


def _squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for n in shape if n > 1)


def _is_vector(shape: tuple[int, ...], sizes: Sizes) -> bool:
    """Whether a weight is a bias, scale or shift: Keras's attention has biases (num_heads, head_dim)."""
    return len(_squeezed(shape)) < 2 or (len(shape) == 2 and shape[0] == sizes.num_heads)


def _dense_of(group: Sequence[Weight], sizes: Sizes) -> tuple[list[Dense], list[Weight]]:
    """Return the kernels among siblings, each with the nearest later vector that fits it, and the vectors left over."""
    kernels = [(i, w) for i, w in enumerate(group) if not _is_vector(w.shape, sizes)]
    free = {i: w for i, w in enumerate(group) if _is_vector(w.shape, sizes)}
    dense: list[Dense] = []
    for position, kernel in kernels:
        fitting = [i for i, v in free.items() if _fits(kernel, v) and not NORM.search(_last(v.path))]
        later = [i for i in fitting if i > position]
        chosen = min(later or fitting, default=None)
        bias = free.pop(chosen).path if chosen is not None else None
        label = _parent(kernel.path) if len(kernels) == 1 and _parent(kernel.path) else kernel.path
        dense.append(Dense(label, kernel.path, kernel.shape, bias))
    return dense, list(free.values())


def _fits(kernel: Weight, vector: Weight) -> bool:
    """Whether a vector can be a kernel's bias: it has the shape of the outputs, or their number."""
    if kernel.shape[-len(vector.shape) :] == vector.shape:
        return True
    outputs = math.prod(kernel.shape[1:])
    heads_first = len(kernel.shape) == 3 and vector.shape == (kernel.shape[0], kernel.shape[2])
    return heads_first or (len(kernel.shape) == 3 and vector.shape == (outputs,))


def _norms_of(vectors: Sequence[Weight]) -> tuple[list[Norm], list[Weight]]:
    """Pair scales with shifts by their names, the others in the order of creation."""
    named = [(w, bool(SCALE.search(_last(w.path))), bool(SHIFT.search(_last(w.path)))) for w in vectors]
    scales = [w for w, scale, shift in named if scale and not shift]
    shifts = [w for w, scale, shift in named if shift and not scale]
    if len(scales) + len(shifts) == len(vectors) and (len(scales) == len(shifts) or not scales or not shifts):
        pairs = list(itertools.zip_longest((w.path for w in scales), (w.path for w in shifts)))
        return [Norm(_parent(scale or shift), scale, shift) for scale, shift in pairs], []
    paths = [w.path for w in vectors]
    pairs = list(itertools.zip_longest(paths[::2], paths[1::2]))
    return [Norm(_parent(first), first, second) for first, second in pairs], []


def _joined_heads(projections: Sequence[Dense], sizes: Sizes) -> list[Dense]:
    """Put dense layers of one head each, as in `heads[0].query`, `heads[1].query`, … or `queries[0]`, …, together."""
    narrow = (sizes.d_model, sizes.d_model // sizes.num_heads)
    groups: dict[str, list[Dense]] = {}
    for dense in projections:
        before, bracket, after = dense.label.rpartition("[")
        alike = f"{before}[{after.partition(']')[2]}" if bracket and dense.kernel_shape == narrow else dense.label
        groups.setdefault(alike, []).append(dense)
    joined: list[Dense] = []
    for alike, group in groups.items():
        if len(group) != sizes.num_heads or group[0].kernel_shape != narrow or len({bool(d.bias) for d in group}) > 1:
            joined += group
            continue
        owner, _, name = alike.rpartition("[")
        label = f"{_parent(owner)}{name}".lstrip(".") if name else owner
        joined.append(Dense(label, group[0].kernel, (sizes.d_model,) * 2, group[0].bias, tuple(group)))
    return joined


def _attentions_of(projections: Sequence[Dense]) -> tuple[list[Attention], list[Dense]]:
    """Group projections by the object that holds them; of a family of eight, the first four by name or creation."""
    families: dict[str, list[Dense]] = {}
    for dense in projections:
        families.setdefault(_parent(re.sub(r"\[\d+\]$", "", dense.label)), []).append(dense)
    attentions: list[Attention] = []
    strangers: list[Dense] = []
    for owner, dense in families.items():
        first = [d for d in dense if FIRST_ATTENTION.search(_last(d.label))]
        second = [d for d in dense if SECOND_ATTENTION.search(_last(d.label))]
        if len(dense) <= 4:
            split = [dense]
        elif len(first) == len(second) == len(dense) // 2 and not set(first) & set(second):
            split = [first, second]
        else:
            split = [dense[i : i + 4] for i in range(0, len(dense), 4)]
        for part in split:
            if 2 <= len(part) <= 4:
                attentions.append(Attention(owner, tuple(part)))
            else:
                strangers += part
    return attentions, strangers


# ---- from parts to readings -----------------------------------------------------------------------------------------


def all_readings(parts: Parts, values: Mapping[str, Array], roles: Roles) -> Iterator[Reading]:
    """Yield role -> array for every plausible reading, the most plausible first.

    Yields nothing if there is no attention, or no feed-forward network, where one is asked for.
    """
    if (roles.attentions and not parts.attentions) or (roles.feed_forward and not (parts.inner and parts.outer)):
        return
    orders = [_orders(attention, parts.sizes) for attention in parts.attentions]
    how_often = max((len(o) for o in orders), default=1)
    count = 0
    for heads_last, flipped, order in itertools.product((False, True), (False, True), range(how_often)):
        if heads_last and not any(len(d.kernel_shape) == 2 for a in parts.attentions for d in a.dense):
            continue
        if flipped and all(n.scale is None or n.shift is None or SCALE.search(_last(n.scale)) for n in parts.norms):
            continue
        read = [_read_attention(o[order % len(o)], values, parts.sizes, heads_last) for o in orders]
        if any(r is None for r in read):
            continue
        for attentions in _choices(len(read), len(roles.attentions)):
            for norms in _choices(len(parts.norms), len(roles.norms)):
                reading: Reading = {}
                for role, number in zip(roles.attentions, attentions, strict=False):
                    reading.update({f"{role}.{name}": value for name, value in (read[number] or {}).items()})
                for place, role in enumerate(roles.norms):
                    norm = parts.norms[norms[place]] if norms else Norm("", None, None)
                    reading.update(_read_norm(norm, role, values, parts.sizes, flipped))
                if roles.feed_forward:
                    reading.update(_read_dense(parts.inner[0], f"{roles.feed_forward}.inner", values))
                    reading.update(_read_dense(parts.outer[0], f"{roles.feed_forward}.outer", values))
                yield reading
                count += 1
                if count >= MOST_READINGS:
                    return


def _choices(there: int, wanted: int) -> Iterable[tuple[int, ...]]:
    """Return which of the parts that are there play the wanted roles: each one role, or several if there are too few."""
    if there == 0:
        return [()]
    if there < wanted:
        return itertools.product(range(there), repeat=wanted)
    return itertools.permutations(range(there), wanted)


Order = tuple[tuple[Dense, tuple[str, ...]], ...]  # each dense layer with the projections that it holds


def _orders(attention: Attention, sizes: Sizes) -> list[Order]:
    """Return which dense layers of an attention may be which projections, by names, by creation, then all others."""
    dense = attention.dense
    orders: list[Order] = []
    by_name = [[role for role, pattern in NAMED.items() if pattern.search(_last(d.label))][:1] for d in dense]
    names = [role for roles in by_name for role in roles]
    if sorted(names) == sorted(PROJECTIONS):
        orders.append(tuple((d, tuple(roles)) for d, roles in zip(dense, by_name, strict=True)))
    if len(dense) == 4:
        orders += [
            tuple((d, (role,)) for d, role in zip(dense, roles, strict=True))
            for roles in itertools.permutations(PROJECTIONS)
        ]
    else:  # one kernel for several projections: the wider ones hold them in the order that is asked for
        counts = [max(_squeezed(d.kernel_shape)) // sizes.d_model for d in dense]
        if sum(counts) == 4:
            for roles in itertools.permutations(PROJECTIONS):
                left = list(roles)
                orders.append(
                    tuple((d, tuple(left.pop(0) for _ in range(n))) for d, n in zip(dense, counts, strict=True))
                )
        elif len(dense) in (2, 3):  # too few: query and key, or all three inputs, share one
            shared = ("query", "key", "value")
            inputs = dense[:-1]
            orders.append(
                tuple((inputs[min(i, len(inputs) - 1)], (role,)) for i, role in enumerate(shared))
                + ((dense[-1], ("output",)),)
            )
            orders.append(
                tuple((inputs[max(0, i - 1)], (role,)) for i, role in enumerate(shared)) + ((dense[-1], ("output",)),)
            )
    return list(dict.fromkeys(o for o in orders if _possible(o, sizes)))


def _possible(order: Order, sizes: Sizes) -> bool:
    """Whether every projection's kernel has d_model inputs, or for the output d_model outputs."""
    for dense, roles in order:
        shape = dense.kernel_shape
        output_fits = shape[-1] == sizes.d_model
        input_fits = shape[0] == sizes.d_model or (len(shape) == 3 and shape[:2] == (sizes.num_heads, sizes.d_model))
        if not (output_fits if roles == ("output",) else input_fits and "output" not in roles):
            return False
    return True


def _read_attention(order: Order, values: Mapping[str, Array], sizes: Sizes, heads_last: bool) -> Reading | None:
    """Return `query.kernel`, `query.bias`, … as matrices (inputs, outputs) and vectors, head by head."""
    reading: Reading = {}
    for dense, roles in order:
        kernel, vector = _kernel_and_bias(dense, values)
        if roles == ("output",):
            reading["output.kernel"] = _output_kernel(kernel, sizes, heads_last)
            reading["output.bias"] = vector if vector is not None else np.zeros(sizes.d_model)
            continue
        kernels = np.split(_input_kernel(kernel, sizes), len(roles), axis=1)
        width = kernels[0].shape[1]
        if vector is not None and vector.size != width * len(roles):
            return None
        bias = vector.reshape(-1) if vector is not None else np.zeros(width * len(roles))
        for role, one, of_bias in zip(roles, kernels, np.split(bias, len(roles)), strict=True):
            if heads_last and width % sizes.num_heads == 0:
                one, of_bias = _heads_first(one, sizes), _heads_first(of_bias, sizes)
            reading[f"{role}.kernel"], reading[f"{role}.bias"] = one, of_bias
    widths = {reading[f"{role}.kernel"].shape[1] for role in ("query", "key", "value")}
    widths.add(reading["output.kernel"].shape[0])
    return reading if len(widths) == 1 and widths.pop() % sizes.num_heads == 0 else None


def _kernel_and_bias(dense: Dense, values: Mapping[str, Array]) -> tuple[Array, Array | None]:
    kernels, biases = [values[path] for path in dense.kernels], [values[path] for path in dense.biases]
    if dense.heads:
        return np.concatenate(kernels, axis=1), np.concatenate(biases) if biases else None
    return kernels[0], biases[0] if biases else None


def _input_kernel(kernel: Array, sizes: Sizes) -> Array:
    if kernel.ndim == 3 and kernel.shape[0] == sizes.num_heads:  # (num_heads, d_model, head_dim)
        kernel = kernel.transpose(1, 0, 2)
    elif kernel.ndim == 3 and kernel.shape[2] == sizes.num_heads:  # (d_model, head_dim, num_heads)
        kernel = kernel.transpose(0, 2, 1)
    return kernel.reshape(kernel.shape[0], -1)


def _output_kernel(kernel: Array, sizes: Sizes, heads_last: bool) -> Array:
    if kernel.ndim == 3 and kernel.shape[1] == sizes.num_heads:  # (head_dim, num_heads, d_model)
        kernel = kernel.transpose(1, 0, 2)
    matrix = kernel.reshape(-1, kernel.shape[-1])
    return _heads_first(matrix.T, sizes).T if heads_last and kernel.ndim == 2 else matrix


def _heads_first(columns: Array, sizes: Sizes) -> Array:
    """Reorder columns that are dealt to the heads in turn so that each head's are neighbours."""
    dealt = columns.reshape(*columns.shape[:-1], -1, sizes.num_heads)
    return np.swapaxes(dealt, -1, -2).reshape(columns.shape)


def _read_norm(norm: Norm, role: str, values: Mapping[str, Array], sizes: Sizes, flipped: bool) -> Reading:
    scale, shift = (norm.shift, norm.scale) if flipped else (norm.scale, norm.shift)
    return {
        f"{role}.gamma": values[scale] if scale else np.ones(sizes.d_model),
        f"{role}.beta": values[shift] if shift else np.zeros(sizes.d_model),
    }


def _read_dense(dense: Dense, role: str, values: Mapping[str, Array]) -> Reading:
    kernel = values[dense.kernel].reshape(_squeezed(dense.kernel_shape))
    bias = values[dense.bias].reshape(-1) if dense.bias else np.zeros(kernel.shape[-1])
    return {f"{role}.kernel": kernel, f"{role}.bias": bias}
