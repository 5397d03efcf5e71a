"""What the weights of a block belong to: attentions, normalisations, the feed-forward network. See `weight_roles`."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.grading import Weight

__all__ = [
    "Attention",
    "Dense",
    "NAMED",
    "Norm",
    "PROJECTIONS",
    "Parts",
    "SCALE",
    "SECOND_ATTENTION",
    "Sizes",
    "is_vector",
    "last_name",
    "parts_of",
    "without_ones",
]

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
    `transposed`: the kernel is (outputs, inputs), as its bias shows; `kernel_shape` is that of its transpose.
    """

    label: str
    kernel: str
    kernel_shape: tuple[int, ...]
    bias: str | None = None
    heads: tuple[Dense, ...] = ()
    transposed: bool = False

    @property
    def kernels(self) -> tuple[str, ...]:
        """Paths of all kernels."""
        return tuple(head.kernel for head in self.heads) or (self.kernel,)

    @property
    def biases(self) -> tuple[str, ...]:
        """Paths of all biases."""
        return tuple(one.bias for one in self.heads or (self,) if one.bias)

    @property
    def is_of_keras(self) -> bool:
        """Whether the kernel is called what Keras calls it: then it is (inputs, outputs)."""
        return last_name(self.kernel) == "kernel"


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


def parts_of(weights: Sequence[Weight], sizes: Sizes) -> Parts:
    """Sort the weights of one block (or of a feed-forward network, or of an attention) by what they belong to."""
    dense: list[Dense] = []
    norms: list[Norm] = []
    rest: list[str] = []
    for group in _siblings([weight for weight in weights if weight.trainable]):
        of_group, vectors = _dense_of(group, sizes)
        dense += of_group
        wide = [without_ones(v.shape) == (sizes.d_model,) for v in vectors]
        of_group_norms, left = _norms_of(list(itertools.compress(vectors, wide)))
        norms += of_group_norms
        rest += [v.path for v in (*left, *(v for v, is_wide in zip(vectors, wide, strict=True) if not is_wide))]
    inner = [d for d in dense if without_ones(d.kernel_shape) == (sizes.d_model, sizes.ff_dim)]
    outer = [d for d in dense if without_ones(d.kernel_shape) == (sizes.ff_dim, sizes.d_model)]
    projections = [d for d in dense if d not in inner and d not in outer]
    attentions, strangers = _attentions_of(_joined_heads(projections, sizes), sizes)
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


def last_name(label: str) -> str:
    """Return the last name of a label, in lower case and without an index: `blocks[1].Wq[0]` gives `wq`.

    `weights[3]` is no name: the kernel calls a weight so when no attribute leads to it.
    """
    if re.fullmatch(r"weights\[\d+\]", label):
        return ""
    return re.sub(r"\[.*?\]", "", label.rpartition(".")[2]).lower()


def _stem(path: str) -> str:
    """Return what a kernel and its bias are called alike: `q` for `wq`, `b_q`, `q_kernel` and `bias_q`."""
    return re.sub(r"kernel|weights?|bias|^[wb](?=.)|_", "", last_name(path))


def without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape without its axes of 1."""
    return tuple(n for n in shape if n > 1)


def is_vector(shape: tuple[int, ...], sizes: Sizes) -> bool:
    """Whether a weight is a bias, scale or shift: those of attentions are also (num_heads, head_dim), (3, num_heads, head_dim)."""
    squeezed = without_ones(shape)
    if len(squeezed) < 2 or len(shape) == 2 and shape[0] == sizes.num_heads:
        return True
    return math.prod(squeezed) in [n * sizes.d_model for n in (1, 2, 3)] and sizes.d_model not in squeezed


def _dense_of(group: Sequence[Weight], sizes: Sizes) -> tuple[list[Dense], list[Weight]]:
    """Return the kernels among siblings, each with its bias, and the vectors left over.

    A bias fits its kernel and is called like it, as `bq` and `wq`; or it is the nearest later vector that fits.
    """
    kernels = [(i, w) for i, w in enumerate(group) if not is_vector(w.shape, sizes)]
    free = {i: w for i, w in enumerate(group) if is_vector(w.shape, sizes)}
    biases: dict[int, str] = {}
    flipped: set[int] = set()
    for alike, transposed in ((True, False), (False, False), (False, True)):
        for position, kernel in kernels:
            if position in biases:
                continue
            shape = without_ones(kernel.shape)
            if transposed and (len(shape) != 2 or shape[0] == shape[1] or last_name(kernel.path) == "kernel"):
                continue
            outputs = shape[::-1] if transposed else shape
            fitting = [i for i, v in free.items() if _fits(outputs, v, sizes) and not NORM.search(last_name(v.path))]
            if alike:
                fitting = [i for i in fitting if _stem(free[i].path) == _stem(kernel.path) != ""]
            later = [i for i in fitting if i > position]
            chosen = min(later or fitting, default=None)
            if chosen is not None:
                biases[position] = free.pop(chosen).path
                flipped |= {position} if transposed else set()
    dense: list[Dense] = []
    for position, kernel in kernels:
        label = _parent(kernel.path) if len(kernels) == 1 and _parent(kernel.path) else kernel.path
        shape = without_ones(kernel.shape)[::-1] if position in flipped else kernel.shape
        dense.append(Dense(label, kernel.path, shape, biases.get(position), transposed=position in flipped))
    return dense, list(free.values())


def _fits(kernel: tuple[int, ...], vector: Weight, sizes: Sizes) -> bool:
    """Whether a vector can be a kernel's bias: it has the shape of the outputs, or their number."""
    squeezed = without_ones(vector.shape)
    if without_ones(kernel)[-len(squeezed) :] == squeezed:
        return True
    of_attention = sizes.ff_dim not in without_ones(kernel)
    if len(kernel) == 3 and len(squeezed) == 1:
        return math.prod(kernel[1:]) == squeezed[0]
    if len(kernel) == 3 and kernel[-1] == sizes.d_model:
        return False
    return of_attention and math.prod(squeezed) * sizes.d_model == math.prod(kernel)


def _norms_of(vectors: Sequence[Weight]) -> tuple[list[Norm], list[Weight]]:
    """Pair scales with shifts by their names, the others in the order of creation."""
    named = [(w, bool(SCALE.search(last_name(w.path))), bool(SHIFT.search(last_name(w.path)))) for w in vectors]
    scales = [w for w, scale, shift in named if scale and not shift]
    shifts = [w for w, scale, shift in named if shift and not scale]
    others = [w for w in vectors if w not in (*scales, *shifts)]
    scales, shifts = (scales or others, shifts) if shifts else (scales, others if scales else shifts)
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


def _attentions_of(projections: Sequence[Dense], sizes: Sizes) -> tuple[list[Attention], list[Dense]]:
    """Group projections by the object that holds them; one that holds two attentions', by their names or creation."""
    families: dict[str, list[Dense]] = {}
    for dense in projections:
        families.setdefault(_parent(re.sub(r"\[\d+\]$", "", dense.label)), []).append(dense)
    attentions: list[Attention] = []
    strangers: list[Dense] = []
    for owner, family in families.items():
        for part in _split(family, sizes):
            if 2 <= len(part) <= 4:
                attentions.append(Attention(owner, tuple(part)))
            else:
                strangers += part
    return attentions, strangers


def _split(family: list[Dense], sizes: Sizes) -> list[list[Dense]]:
    """Return the projections of each attention of a family: four, in as many kernels as may be; an output has its own."""
    held = {dense: math.prod(dense.kernel_shape) // sizes.d_model**2 for dense in family}
    half = sum(held.values()) / 2
    if len(family) > 4 or (half == 4 and 1 in held.values()):
        for name in (FIRST_ATTENTION, SECOND_ATTENTION):
            named = [d for d in family if name.search(last_name(d.label))]
            others = [d for d in family if d not in named]
            if sum(held[d] for d in named) == half:
                return [named, others] if name is FIRST_ATTENTION else [others, named]
        ends = list(itertools.accumulate(held.values()))
        if half == 4 and half in ends:
            return [family[: ends.index(4) + 1], family[ends.index(4) + 1 :]]
    return [family[i : i + 4] for i in range(0, len(family), 4)]
