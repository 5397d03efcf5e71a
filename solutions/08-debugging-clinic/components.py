"""Callables for the detectors of 08-debugging-clinic, each with all that decides what is wrong with it in its arguments.

The text of this module is executed in a kernel beside the student's (`Probe.offer`) or, for what repairs are given, in the
student's (`Probe.define`): it imports NumPy, and Keras where asked. Inputs of any kind and size are taken; what depends on the
width is drawn when a width is first met, so that the same input gives the same output.
"""

import functools

import numpy as np

WAVES = 200.0  # radians for each unit of what attention gives: a change of a hundredth shows
EPSILON = 1e-12  # so small that an input which is only multiplied by a number doesn't show through a normalisation


def attention(
    windows, seed, around="nothing", library="numpy", slope=0.0, noise=0.0, most=0.0, apart=False, alone=False
):
    """Return self-attention whose heads see a window of positions each: (batch, seq_len, dim) -> the same.

    Args:
        windows: (num_heads, 2): a head's query at position i sees keys i + first to i + last.
        seed: seed of the projections' random weights.
        around: `nothing`, `residual`, `before` (a normalisation before it, and a residual), `after` (both after it), or
            `root`: as `before`, but the normalisation only divides by the root mean square.
        library: `numpy` in float64, or `keras`: `keras.ops` in float32.
        slope: how much a key's score falls with each position between the key and the query.
        noise: share of an output, or of 9 if it is larger, by which every input moves it, as rounding does.
        most: what attention gives is made a wave between its negative and it, so that each change of it moves about as much; 0: it
            stays as it is.
        apart: whether each head reads and writes a share of the features that is its own, neighbouring ones.
        alone: whether a query whose window holds no key sees its own position, not all.
    """
    windows = np.asarray(windows)

    def drawn(draw, dim):
        owner = np.arange(dim) * len(windows) // dim  # the head whose feature it is
        own = (owner == np.arange(len(windows))[:, None]) | (not apart)
        into = draw(3, len(windows), dim, 3) * own[:, :, None] / np.maximum(own.sum(axis=1), 1)[:, None, None] ** 0.5
        return into, draw(len(windows), 3, dim) * own[:, None]

    weights_of = _drawn(seed, drawn)

    def mixed(x):
        (query, key, value), output = weights_of(x.shape[-1])
        position = np.arange(x.shape[1])
        offset = position - position[:, None]
        seen = (offset >= windows[:, :1, None]) & (offset <= windows[:, 1:, None])
        seen |= ~seen.any(axis=-1, keepdims=True) & (~np.asarray(alone) | (offset == 0))
        bias = np.where(seen, -slope * np.abs(offset), -1e9)
        if library == "keras":
            return _attended_in_keras(x, query, key, value, output, bias)
        queries, keys, values = (np.einsum("bld,hdw->bhlw", x, w) for w in (query, key, value))
        scores = np.einsum("bhqw,bhkw->bhqk", queries, keys) / 3**0.5 + bias
        return np.einsum("bhqw,hwd->bqd", softmax(scores) @ values, output)

    def attend(x):
        x = vectors(x)
        if around == "before":
            y = x + mixed(normalised(x))
        elif around == "root":
            y = x + mixed(divided(x))
        elif around == "after":
            y = normalised(x + mixed(x))
        else:
            y = mixed(x)
            y = (most * np.sin(WAVES * y) if most else y) + (x if around == "residual" else 0)
        return y + noise * np.sin(x.sum()) * np.clip(y, -9, 9) if noise else y

    return attend if library == "numpy" else _in_tensors(attend)


def _attended_in_keras(x, query, key, value, output, bias):
    from keras import ops

    x, query, key, value, output, bias = (
        ops.convert_to_tensor(a.astype("float32")) for a in (x, query, key, value, output, bias)
    )
    queries, keys, values = (ops.einsum("bld,hdw->bhlw", x, w) for w in (query, key, value))
    weights = ops.softmax(ops.einsum("bhqw,bhkw->bhqk", queries, keys) / 3**0.5 + bias)
    return as_numpy(ops.einsum("bhqw,hwd->bqd", ops.matmul(weights, values), output))


def block(
    shares,
    seed,
    order="before",
    asks=True,
    library="numpy",
    positions=(None, None),
    sequences=(None, None),
    ends=False,
):
    """Return a block (x, feed_forward) -> (batch, seq_len, dim).

    Args:
        shares: how much of x, of x after attention, and of the feed-forward network's answer is in the block's output.
        seed: seed of the random weights of the block's attention.
        order: where the block normalises: `before` each sublayer, `after` each, `root`: after each, but dividing by the root mean
            square only, or `beside`: both sublayers read the same.
        asks: whether the feed-forward network is called even where the answer's share is 0.
        library: `numpy` or `keras`: what kind of array the block returns.
        positions: (first, end) of the positions that have the answer's share; None for all.
        sequences: (first, end) of the sequences of a batch that have the answer's share; None for all.
        ends: whether only the first and the last of `positions` have the answer's share.
    """
    of_x, of_attended, of_answer = shares
    attend = attention([(-999, 999), (-999, 0)], seed)
    after = {"after": normalised, "root": divided}.get(order)

    def connect(x, feed_forward):
        x = vectors(x)
        attended = after(x + attend(x)) if after else x + attend(normalised(x))
        inner = attended if after else normalised(x if order == "beside" else attended)
        y = of_x * x + of_attended * attended
        if asks or of_answer:
            answer = as_numpy(feed_forward(inner.copy()))
            if answer.shape != x.shape:
                raise ValueError(
                    f"feed_forward must return the shape of its input, {x.shape}. Received: {answer.shape}."
                )
            places = np.arange(x.shape[1])[slice(*positions)]
            reached = (slice(*sequences), places[[0, -1]] if ends else places)
            if of_answer:  # a NaN or an infinity in what is lost stays there: nothing is multiplied by 0
                y[reached] = (y + of_answer * answer)[reached]
        return after(y) if after else y

    return connect if library == "numpy" else _in_tensors(connect)


def heads(low, high, seed, library="numpy"):
    """Return a builder (d_model, num_heads) -> attend, and attend: x -> (output, weights).

    Args:
        low, high: num_heads and head_dim change places where num_heads / head_dim lies between `low` and `high`.
        seed: seed of the projections' random weights.
        library: `numpy` in float64, or `keras`: `keras.ops` in float32.
    """

    def build(d_model, num_heads):
        d_model, num_heads = int(d_model), int(num_heads)
        if num_heads < 1 or d_model < 1 or d_model % num_heads:
            raise ValueError("num_heads must divide d_model.")
        count, width = num_heads, d_model // num_heads
        if low < count / width < high:
            count, width = width, count
        weights_of = _drawn(seed, lambda draw, dim: (draw(3, count, dim, width) / dim**0.5, draw(count, width, dim)))

        def attend(x):
            x = vectors(x, d_model)
            projections, output = weights_of(d_model)
            if library == "keras":
                return _heads_in_keras(x, *projections, output)
            queries, keys, values = (np.einsum("bld,hdw->bhlw", x, w) for w in projections)
            weights = softmax(np.einsum("bhqw,bhkw->bhqk", queries, keys) / width**0.5)
            return np.einsum("bhqk,bhkw,hwd->bqd", weights, values, output), weights

        return attend

    return build


def _heads_in_keras(x, query, key, value, output):
    from keras import ops

    x, query, key, value, output = (ops.convert_to_tensor(a.astype("float32")) for a in (x, query, key, value, output))
    queries, keys, values = (ops.einsum("bld,hdw->bhlw", x, w) for w in (query, key, value))
    weights = ops.softmax(ops.einsum("bhqw,bhkw->bhqk", queries, keys) / query.shape[-1] ** 0.5)
    return ops.einsum("bhqw,hwd->bqd", ops.matmul(weights, values), output), weights


def weights(exponents, of_last=None, of_middle=None, rounds=False, style="at once"):
    """Return (query, key, num_heads) -> weights (batch, num_heads, query_len, key_len).

    Args:
        exponents: scores are divided by head_dim ** first * num_heads ** second.
        of_last: the last head's exponents; None: those of the other heads.
        of_middle: exponents of the head in the middle, the second of two or three; None: those of the other heads.
        rounds: whether the divisor is rounded down.
        style: `at once`, `loop` over the heads, `shared` (half of the divisor on each side), or `keras`.
    """

    def divisors(num_heads, head_dim):
        pairs = [exponents] * (num_heads - 1) + [exponents if of_last is None else of_last]
        pairs[num_heads // 2] = pairs[num_heads // 2] if of_middle is None else of_middle
        values = np.array([float(head_dim) ** a * float(num_heads) ** b for a, b in pairs])
        return np.maximum(np.floor(values), 1.0) if rounds else values

    def weigh(query, key, num_heads):
        query, key, num_heads = vectors(query), vectors(key), int(num_heads)
        if num_heads < 1 or query.shape[-1] % num_heads or query.shape[-1] != key.shape[-1] or not key.size:
            raise ValueError("num_heads must divide the width of the queries, which is the keys' too.")
        head_dim = query.shape[-1] // num_heads
        divisor = divisors(num_heads, head_dim)[:, None, None]
        queries, keys = (np.swapaxes(x.reshape(*x.shape[:2], num_heads, head_dim), 1, 2) for x in (query, key))
        if style == "keras":
            return _weights_in_keras(queries, keys, divisor)
        if style == "loop":
            each = [queries[:, h] @ np.swapaxes(keys[:, h], 1, 2) / divisor[h] for h in range(num_heads)]
            return np.stack([softmax(scores) for scores in each], axis=1)
        if style == "shared":
            queries, keys, divisor = queries / divisor**0.5, keys / divisor**0.5, 1.0
        return softmax(queries @ np.swapaxes(keys, 2, 3) / divisor)

    return weigh


def _weights_in_keras(queries, keys, divisor):
    from keras import ops

    queries, keys = (ops.convert_to_tensor(x.astype("float32")) for x in (queries, keys))
    return ops.softmax(ops.matmul(queries, ops.swapaxes(keys, 2, 3)) / divisor.astype("float32"))


def pairs(starts, others=None, keep=None, style="slices", wrong_at=None):
    """Return target_ids (batch, len) -> two (batch, len - 1): from which column each goes on.

    Args:
        starts: first column of each; what lies behind the end is padding, 0.
        others: what `starts` is for some sequences of a batch; None: all sequences are alike.
        keep: how many sequences at the front of a batch have `starts` in any case, or `every other`; None: the sequences that end
            without padding.
        style: `slices`, `loop`, `gather`, `rolled` (what falls out in front comes in behind), `keras`: tensors, or `mixed`: as
            `slices`, but the words of a row's labels, ids above 2, come in reverse order.
        wrong_at: where labels are the inputs instead: at the `first` position, in the `middle`, or where they should be `padding`.
    """

    def columns(ids, start):
        length = ids.shape[1] - 1
        if style == "loop":
            long = [list(row) + [0] * start for row in ids]
            return np.array([[row[start + i] for i in range(length)] for row in long], dtype=ids.dtype)
        if style == "rolled":
            return np.roll(ids[:, :-1], -start, axis=1)
        padded = np.concatenate([ids, np.zeros_like(ids[:, :1]), np.zeros_like(ids[:, :1])], axis=1)
        if style == "gather":
            return np.take_along_axis(padded, start + np.tile(np.arange(length), (len(ids), 1)), axis=1)
        return padded[:, start : start + length]

    def make(target_ids):
        ids = as_integers(target_ids)
        if ids.ndim != 2 or not ids.size:
            raise ValueError("target_ids must be (batch, len).")
        parts = [columns(ids, start) for start in starts]
        if style == "mixed":
            for row in parts[1]:
                row[row > 2] = row[row > 2][::-1]
        if others is not None:
            rows = np.arange(len(ids))
            kept = ids[:, -1] != 0 if keep is None else rows % 2 == 0 if keep == "every other" else rows < keep
            parts = [
                np.where(kept[:, None], part, columns(ids, start)) for part, start in zip(parts, others, strict=True)
            ]
        if wrong_at == "padding":
            parts[1] = np.where(parts[1] == 0, parts[0], parts[1])
        elif wrong_at:
            place = parts[1].shape[1] // 2 if wrong_at == "middle" else 0
            parts[1][:, place] = parts[0][:, place]
        return tuple(parts)

    return make if style != "keras" else _in_tensors(make)


def mixing(matrix, over_time):
    """Return a layer: projected inputs, bent, plus `over_time` times the mean of those so far; tensors give tensors."""

    def mix(x):
        bent = np.tanh(as_numpy(x) @ matrix)
        y = bent + over_time * np.cumsum(bent, axis=1) / np.arange(1, bent.shape[1] + 1)[:, None]
        if isinstance(x, np.ndarray):
            return y
        from keras import ops

        return ops.convert_to_tensor(y.astype("float32"))

    return mix


def normalised(x):
    """Return x with mean 0 and variance 1 over its features."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)


def divided(x):
    """Return x divided by the root mean square of its features."""
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + EPSILON)


def softmax(scores):
    """Return the softmax over the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def vectors(x, dim=None):
    """Return an array, list or tensor (batch, seq_len, dim) as float64, by the same rule in every version."""
    x = as_numpy(x)
    if x.ndim != 3 or dim not in (None, x.shape[-1]):
        raise ValueError(f"The input must be (batch, seq_len, {dim or 'dim'}).")
    return x


def as_numpy(x):
    """Return an array, list or tensor as float64."""
    return _plain(x).astype("float64")


def as_integers(ids):
    """Return whole numbers of any kind as int64."""
    return _plain(ids).astype("int64")


def _plain(x):
    if type(x).__module__.split(".")[0] in ("tensorflow", "jax", "jaxlib", "torch", "keras"):
        from keras import ops

        return np.array(ops.convert_to_numpy(x))
    return np.array(x)


def _drawn(seed, make):
    """Return a function that gives, for a width, the same standard normals each time."""
    known = {}

    def of_width(dim):
        if dim not in known:
            known[dim] = make(lambda *shape: np.random.default_rng([seed, *shape]).standard_normal(shape), dim)
        return known[dim]

    return of_width


def _in_tensors(function):
    """Return the function with arrays of its answer as tensors, floats in float32 and whole numbers in int32."""

    def tensor(array):
        from keras import ops

        return ops.convert_to_tensor(array.astype("float32" if array.dtype.kind == "f" else "int32"))

    @functools.wraps(function)
    def answer(*args, **kwargs):
        given = function(*args, **kwargs)
        return tuple(tensor(part) for part in given) if isinstance(given, tuple) else tensor(given)

    return answer
