# %% [markdown] backends="tensorflow jax"
# a cache with names; binomial draws and lists; pooling by Keras's layer; sampling row by row in float32


# %% task="mask-tokens"
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    ids = np.array(token_ids, copy=True)
    selected = rng.binomial(1, np.where(ids == PAD, 0.0, rate)).astype(bool)
    labels = np.where(selected, ids, -100)
    masked = rng.binomial(1, 0.8, ids.shape).astype(bool) & selected
    swapped = rng.binomial(1, 0.5, ids.shape).astype(bool) & selected & ~masked
    ids[masked] = mask_id
    ids[swapped] = rng.integers(vocab_size, size=ids.shape)[swapped]
    return [ids, labels, selected]


# %% task="pooling"
def masked_mean_pooling(x, token_ids, pad_id=0):
    mask = ops.not_equal(token_ids, pad_id)
    pooled = keras.layers.GlobalAveragePooling1D()(x, mask=mask)
    return ops.where(ops.any(mask, axis=1, keepdims=True), pooled, ops.zeros_like(pooled))


# %% task="sampling"
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    drawn = []
    for row in np.asarray(logits, dtype="float32"):
        if temperature == 0:
            drawn.append(int(row.argmax()))
            continue
        ranked = sorted(((value / temperature, i) for i, value in enumerate(row)), reverse=True)[: top_k or len(row)]
        weights = [np.exp(value - ranked[0][0]) for value, _ in ranked]
        total, kept, reached = sum(weights), [], 0.0
        for weight, (_, i) in zip(weights, ranked):
            kept.append((weight, i))
            reached += weight / total
            if top_p is not None and reached >= top_p:
                break
        rest = rng.random() * sum(weight for weight, _ in kept)
        for weight, i in kept:
            rest -= weight
            if rest <= 0:
                break
        drawn.append(i)
    return drawn


# %% task="kv-cache"
from typing import NamedTuple


class Cache(NamedTuple):
    keys: object
    values: object


def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    heads = lambda y: np.stack(np.split(y, num_heads, axis=-1), axis=1)
    query, keys, values = heads(x @ w_query), heads(x @ w_key), heads(x @ w_value)
    if cache is not None:
        keys = np.concatenate([cache.keys, keys], axis=-2)
        values = np.concatenate([cache.values, values], axis=-2)
    scores = query @ np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = powers / powers.sum(-1, keepdims=True) @ values
    return np.concatenate(list(mixed.swapaxes(0, 1)), axis=-1) @ w_output, Cache(keys, values)
