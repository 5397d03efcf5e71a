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

A reading maps role names to arrays as `reference` takes them. The most plausible comes first: by names
(`query_dense`, `wq`, `gamma`, …), then by the order of creation, then all permutations. Recognised are attentions of
`keras.layers.MultiHeadAttention`, of four dense layers, of einsum layers with split kernels, with one kernel for query, key
and value together, in whatever order that holds projections, heads and features, of one dense layer a head and projection;
normalisations with scale and shift; dense layers and convolutions of width 1. Kernels that aren't a Keras layer's may be
(outputs, inputs), as PyTorch has them, and vectors may have axes of 1.
Weights that hold several of these are told apart beforehand (`_apart`). Where a layer has too few of something, the same
weights are read in several roles, and what is missing altogether is read as doing nothing: then values can be right though
the count of the parameters is not.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from autograder.grading import Array, Draw, Weight

from .weight_parts import (
    NAMED,
    PROJECTIONS,
    SCALE,
    SECOND_ATTENTION,
    Attention,
    Dense,
    Norm,
    Parts,
    Sizes,
    is_vector,
    last_name,
    parts_of,
    without_ones,
)

__all__ = ["Roles", "all_readings", "drawn_values", "feed_forwards"]

Reading = dict[str, Array]
MOST_READINGS = 5000


@dataclass(frozen=True)
class Roles:
    """The names that a reading gives to attentions, normalisations and the feed-forward network."""

    attentions: tuple[str, ...]
    norms: tuple[str, ...]
    feed_forward: str | None = "feed_forward"


def drawn_values(draw: Draw, weights: Sequence[Weight], sizes: Sizes) -> dict[str, Array]:
    """Draw a value for every trainable weight: kernels that keep the size of what goes through, vectors far from 0 and 1.

    What a weight gets depends on the role that it most plausibly plays, hardly on the order in which the student made it.
    """
    values: dict[str, Array] = {}
    for weight in _by_role(weights, sizes):
        if is_vector(weight.shape, sizes):
            signs = draw.choice((-1.0, 1.0)) * np.where(draw.uniform(0, 1, *weight.shape) < 0.5, -1.0, 1.0)
            values[weight.path] = signs * draw.uniform(0.3, 1.3, *weight.shape)
        else:
            inputs = sizes.ff_dim if without_ones(weight.shape)[:1] == (sizes.ff_dim,) else sizes.d_model
            values[weight.path] = draw.normal(*weight.shape, scale=1.1 / math.sqrt(inputs))
    return values


def _by_role(weights: Sequence[Weight], sizes: Sizes) -> list[Weight]:
    """Return the trainable weights: of attentions, normalisations, the feed-forward network, then others."""
    parts = parts_of(weights, sizes)
    paths: list[str] = []
    for attention in sorted(parts.attentions, key=lambda each: bool(SECOND_ATTENTION.search(last_name(each.label)))):
        orders = _orders(attention, sizes)
        in_order = sorted(orders[0], key=lambda each: PROJECTIONS.index(each[1][0])) if orders else ()
        for dense in (each[0] for each in in_order):
            paths += [*dense.kernels, *dense.biases]
    for norm in sorted(parts.norms, key=lambda each: re.findall(r"\d", last_name(each.label))):
        paths += [path for path in (norm.scale, norm.shift) if path]
    for dense in (*parts.inner, *parts.outer):
        paths += [*dense.kernels, *dense.biases]
    trainable = {weight.path: weight for weight in weights if weight.trainable}
    return [trainable[path] for path in dict.fromkeys((*paths, *trainable))]


@dataclass(frozen=True)
class Layout:
    """How kernels hold what an attention needs.

    Attributes:
        columns: order of projections (`r`), heads (`h`) and features of a head (`k`) in a kernel that doesn't spell them out.
        rows: order of heads and features in the output's kernel.
        transposed: whether kernels that may be either are (outputs, inputs).
    """

    columns: str
    rows: str
    transposed: bool


def _layouts(parts: Parts) -> list[Layout]:
    """Return the layouts that make a difference, the usual ones first."""
    dense = [d for attention in parts.attentions for d in attention.dense]
    fused = any(len(attention.dense) < 4 for attention in parts.attentions)
    columns = ["rhk", "rkh", "hrk", "krh", "hkr", "khr"] if fused else ["rhk", "rkh"]
    plain = [Layout(c, r, False) for r in ("hk", "kh") for c in columns]
    plain.sort(key=lambda layout: layout not in (Layout("rhk", "hk", False), Layout("rkh", "kh", False)))
    if not any(len(without_ones(d.kernel_shape)) == 2 for d in dense):
        plain = [layout for layout in plain if layout.rows == "hk"]
    if all(d.is_of_keras for d in (*dense, *parts.inner, *parts.outer)):
        return plain
    return plain + [Layout(each.columns, each.rows, True) for each in plain]


def all_readings(
    parts: Parts, values: Mapping[str, Array], roles: Roles, lifts: Sequence[float] = (0.0,)
) -> Iterator[Reading]:
    """Yield role -> array for every plausible reading, the most plausible first.

    Yields nothing if there is no attention, or no feed-forward network, where one is asked for. `lifts`: what may have to be
    added to a normalisation's scale; 1 where a layer keeps its difference from 1.
    """
    if (roles.attentions and not parts.attentions) or (roles.feed_forward and not (parts.inner and parts.outer)):
        return
    orders = [order for order in (_orders(attention, parts.sizes) for attention in parts.attentions) if order]
    if roles.attentions and not orders:
        return
    how_often = max((len(o) for o in orders), default=1)
    count = 0
    networks = feed_forwards(parts) if roles.feed_forward else [(False, {})]
    seen: set[bytes] = set()
    are_named = all(n.scale is None or n.shift is None or SCALE.search(last_name(n.scale)) for n in parts.norms)
    turns = (False,) if are_named else (False, True)
    for layout, flipped, order, lift in itertools.product(_layouts(parts), turns, range(how_often), lifts):
        read = [_read_attention(o[order % len(o)], values, parts.sizes, layout) for o in orders]
        if any(r is None for r in read):
            continue
        networks_here = [made for swapped, made in networks if layout.transposed or not swapped]
        signature = b"".join(array.tobytes() for r in read for _, array in sorted((r or {}).items()))
        signature += bytes([lifts.index(lift), flipped, len(networks_here)])
        if signature in seen:
            continue
        seen.add(signature)
        for network, attentions in itertools.product(networks_here, _choices(len(read), len(roles.attentions))):
            for norms in _choices(len(parts.norms), len(roles.norms)):
                reading: Reading = {}
                for role, number in zip(roles.attentions, attentions, strict=False):
                    reading.update({f"{role}.{name}": value for name, value in (read[number] or {}).items()})
                for place, role in enumerate(roles.norms):
                    norm = parts.norms[norms[place]] if norms else Norm("", None, None)
                    reading.update(_read_norm(norm, role, values, parts.sizes, flipped))
                    reading[f"{role}.gamma"] = reading[f"{role}.gamma"] + lift
                for name, dense in network.items():
                    reading.update(_read_dense(dense, f"{roles.feed_forward}.{name}", values))
                yield reading
                count += 1
                if count >= MOST_READINGS:
                    return


def feed_forwards(parts: Parts) -> list[tuple[bool, dict[str, Dense]]]:
    """Return whether it is turned round, and `inner` and `outer`, for each network that the weights may make up."""
    inner, outer = parts.inner[0], parts.outer[0]
    networks = [(False, {"inner": inner, "outer": outer})]
    if not (inner.is_of_keras or outer.is_of_keras or inner.transposed or outer.transposed):
        # side by side: the kernel (ff_dim, d_model) may be the first of two that are (outputs, inputs)
        turned = [replace(d, kernel_shape=without_ones(d.kernel_shape)[::-1], transposed=True) for d in (outer, inner)]
        networks.append(
            (True, {"inner": replace(turned[0], bias=inner.bias), "outer": replace(turned[1], bias=outer.bias)})
        )
    return networks


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
    by_name = [[role for role, pattern in NAMED.items() if pattern.search(last_name(d.label))][:1] for d in dense]
    names = [role for roles in by_name for role in roles]
    if sorted(names) == sorted(PROJECTIONS):
        orders.append(tuple((d, tuple(roles)) for d, roles in zip(dense, by_name, strict=True)))
    if len(dense) == 4:
        orders += [
            tuple((d, (role,)) for d, role in zip(dense, roles, strict=True))
            for roles in itertools.permutations(PROJECTIONS)
        ]
    else:  # one kernel for several projections: the wider ones hold them in the order that is asked for
        counts = [math.prod(d.kernel_shape) // sizes.d_model**2 for d in dense]
        if sum(counts) == 4 and all(counts):
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
                tuple((inputs[min(max(0, i - 1), len(inputs) - 1)], (role,)) for i, role in enumerate(shared))
                + ((dense[-1], ("output",)),)
            )
    return list(dict.fromkeys(o for o in orders if _possible(o, sizes)))


def _possible(order: Order, sizes: Sizes) -> bool:
    """Whether every kernel can hold its projections."""
    return all(_foldings(dense, len(roles), sizes, roles == ("output",)) for dense, roles in order)


Folding = tuple[int, str]  # the axis of d_model among a kernel's axes longer than 1, the order of what the others hold


@lru_cache(maxsize=1024)
def _foldings(dense: Dense, count: int, sizes: Sizes, is_output: bool) -> list[Folding]:
    """Return how a kernel may hold `count` projections, or the output's: the usual axis first, which is (inputs, …, outputs)."""
    shape = without_ones(dense.kernel_shape)
    usual = [i for i, n in enumerate(shape) if n == sizes.d_model and (i == len(shape) - 1) == is_output]
    other = [i for i, n in enumerate(shape) if n == sizes.d_model and i not in usual and not dense.is_of_keras]
    found = []
    for axis in (*usual, *other):
        rest = shape[:axis] + shape[axis + 1 :]
        found += [(axis, order) for order in _factorings(rest, count, sizes.num_heads)]
    return found


def _factorings(shape: tuple[int, ...], count: int, num_heads: int) -> list[str]:
    """Return the orders of projections, heads and features that a shape may stand for."""
    head_dim, left = divmod(math.prod(shape), count * num_heads)
    if left:
        return []
    factors = {"r": count, "h": num_heads, "k": head_dim}
    fitting = []
    for order in ("rhk", "rkh", "hrk", "krh", "hkr", "khr") if count > 1 else ("rhk", "rkh"):
        ends = list(itertools.accumulate((factors[f] for f in order), lambda x, y: x * y))
        if set(itertools.accumulate(shape, lambda x, y: x * y)) <= {1, *ends}:
            fitting.append(order)
    return fitting


def _unfolded(array: Array, order: str, count: int, num_heads: int) -> Array:
    """Return (…, projections, heads, features) of an array (…, columns) that holds them in some order."""
    columns = array.shape[-1]
    factors = {"r": count, "h": num_heads, "k": columns // (count * num_heads)}
    spelled = array.reshape(*array.shape[:-1], *(factors[f] for f in order))
    before = spelled.ndim - 3
    return spelled.transpose(*range(before), *(before + order.index(f) for f in "rhk"))


def _read_attention(order: Order, values: Mapping[str, Array], sizes: Sizes, layout: Layout) -> Reading | None:
    """Return `query.kernel`, `query.bias`, … as matrices (inputs, outputs) and vectors, head by head."""
    reading: Reading = {}
    for dense, roles in order:
        kernel, vector = _kernel_and_bias(dense, values)
        is_output, count = roles == ("output",), len(roles)
        foldings = _foldings(dense, count, sizes, is_output)
        axes = list(dict.fromkeys(axis for axis, _ in foldings))
        axis = axes[-1] if layout.transposed else axes[0]
        asked = f"r{layout.rows}" if is_output else layout.columns
        possible = [columns for at, columns in foldings if at == axis]
        columns = asked if asked in possible else possible[0]
        matrix = np.moveaxis(kernel.reshape(without_ones(kernel.shape)), axis, 0).reshape(sizes.d_model, -1)
        unfolded = _unfolded(matrix, columns, count, sizes.num_heads)
        if is_output:
            reading["output.kernel"] = unfolded.reshape(sizes.d_model, -1).T
            reading["output.bias"] = vector.reshape(-1) if vector is not None else np.zeros(sizes.d_model)
            continue
        width = unfolded[0, 0].size
        if vector is None:
            vector = np.zeros(width * count)
        if vector.size != width * count:
            return None
        of_vector = _factorings(without_ones(vector.shape), count, sizes.num_heads)
        chosen = columns if columns in of_vector else of_vector[0]
        bias = _unfolded(vector.reshape(-1), chosen, count, sizes.num_heads)
        for number, role in enumerate(roles):
            reading[f"{role}.kernel"] = unfolded[:, number].reshape(sizes.d_model, width)
            reading[f"{role}.bias"] = bias[number].reshape(-1)
    widths = {reading[f"{role}.kernel"].shape[1] for role in ("query", "key", "value")}
    widths.add(reading["output.kernel"].shape[0])
    return reading if len(widths) == 1 and widths.pop() % sizes.num_heads == 0 else None


def _kernel_and_bias(dense: Dense, values: Mapping[str, Array]) -> tuple[Array, Array | None]:
    kernels, biases = [values[path] for path in dense.kernels], [values[path] for path in dense.biases]
    if dense.heads:
        biases = [bias.reshape(-1) for bias in biases]
        return np.concatenate(kernels, axis=1), np.concatenate(biases) if biases else None
    kernel = kernels[0].reshape(without_ones(kernels[0].shape))
    return kernel.T if dense.transposed else kernel, biases[0] if biases else None


def _read_norm(norm: Norm, role: str, values: Mapping[str, Array], sizes: Sizes, flipped: bool) -> Reading:
    scale, shift = (norm.shift, norm.scale) if flipped else (norm.scale, norm.shift)
    return {
        f"{role}.gamma": values[scale].reshape(-1) if scale else np.ones(sizes.d_model),
        f"{role}.beta": values[shift].reshape(-1) if shift else np.zeros(sizes.d_model),
    }


def _read_dense(dense: Dense, role: str, values: Mapping[str, Array]) -> Reading:
    kernel, _ = _kernel_and_bias(dense, values)
    bias = values[dense.bias].reshape(-1) if dense.bias else np.zeros(kernel.shape[-1])
    return {f"{role}.kernel": kernel, f"{role}.bias": bias}
