# %% [markdown]
# a mask by arange in NumPy, a subclass of Keras's layer, fourth roots, one array of two


# %% task="fix-inverted-mask"
def causal_self_attention(layer, x):
    i = np.arange(x.shape[1])
    allowed = np.broadcast_to(i[:, None] >= i, (x.shape[0], x.shape[1], x.shape[1]))
    return layer(x, value=x, attention_mask=allowed)


# %% task="fix-dropped-feed-forward"
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    for sublayer, norm in ((attend, norm_1), (feed_forward, norm_2)):
        x = x + to_numpy(sublayer(norm(x)))
    return x


# %% task="fix-swapped-arguments"
class SelfAttention(keras.layers.MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(num_heads, d_model // num_heads)


def build_self_attention(d_model, num_heads):
    return SelfAttention(d_model, num_heads)


# %% task="fix-head-scaling"
def head_weights(query, key, num_heads):
    root = (query.shape[-1] // num_heads) ** 0.25
    q, k = (
        ops.stack(ops.split(ops.convert_to_tensor(x) / root, num_heads, axis=-1), axis=1) for x in (query, key)
    )
    return ops.exp(ops.log_softmax(ops.matmul(q, ops.swapaxes(k, -1, -2)), axis=-1))


# %% task="fix-shifted-target"
def make_pairs(target_ids):
    windows = np.lib.stride_tricks.sliding_window_view(np.asarray(target_ids), 2, axis=1)
    return np.moveaxis(windows, -1, 0)
