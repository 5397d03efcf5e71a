# %% [markdown]
# tensors of the backend everywhere; a multinomial by Gumbel noise; einsum


# %% task="mask-tokens"
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    ids = ops.convert_to_tensor(np.asarray(token_ids), dtype="int32")
    u = ops.convert_to_tensor(rng.uniform(size=token_ids.shape).astype("float32"))
    selected = ops.logical_and(ops.not_equal(ids, 0), u < rate)
    # the same number tells the fate: below the rate it is uniform again
    fate = u / rate
    random_ids = ops.convert_to_tensor(rng.integers(4, vocab_size, size=token_ids.shape), dtype="int32")
    inputs = ops.where(ops.logical_and(selected, fate < 0.8), mask_id, ids)
    inputs = ops.where(ops.logical_and(selected, fate >= 0.9), random_ids, inputs)
    return inputs, ids, selected


# %% task="pooling"
def masked_mean_pooling(x, token_ids, pad_id=0):
    m = ops.cast(ops.convert_to_tensor(np.asarray(token_ids)) != pad_id, "float32")
    s = ops.einsum("bsd,bs->bd", ops.cast(x, "float32"), m)
    return s / (ops.sum(m, axis=-1, keepdims=True) + 1e-9)


# %% task="sampling"
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    logits = ops.convert_to_tensor(np.asarray(logits), dtype="float32")
    if temperature == 0:
        return ops.argmax(logits, axis=-1)
    logits = (logits - ops.max(logits, axis=-1, keepdims=True)) / temperature
    if top_k:
        kth = ops.top_k(logits, top_k)[0][:, -1:]
        logits = ops.where(logits < kth, -1e30, logits)
    if top_p is not None:
        p = ops.flip(ops.sort(ops.softmax(logits), axis=-1), axis=-1)
        before = ops.cumsum(p, axis=-1) - p
        least = ops.min(ops.where(before < top_p, p, 2.0), axis=-1, keepdims=True)
        logits = ops.where(ops.softmax(logits) < least, -1e30, logits)
    noise = rng.gumbel(size=tuple(logits.shape)).astype("float32")
    return ops.argmax(logits + noise, axis=-1)


# %% task="kv-cache"
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    f = lambda a: ops.cast(ops.convert_to_tensor(a), "float32")
    x = f(x)
    batch, one, d_model = x.shape
    def project(w):
        return ops.einsum("bsd,dhn->bhsn", x, ops.reshape(f(w), (d_model, num_heads, d_model // num_heads)))
    q, k, v = project(w_query), project(w_key), project(w_value)
    if cache is not None:
        k = ops.concatenate([f(cache[0]), k], axis=-2)
        v = ops.concatenate([f(cache[1]), v], axis=-2)
    a = ops.softmax(ops.einsum("bhsn,bhtn->bhst", q, k) * (d_model // num_heads) ** -0.5, axis=-1)
    out = ops.einsum("bhst,bhtn->bshn", a, v)
    return ops.matmul(ops.reshape(out, (batch, one, d_model)), f(w_output)), (k, v)
