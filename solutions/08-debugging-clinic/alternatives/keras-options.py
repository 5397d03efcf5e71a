# %% [markdown]
# use_causal_mask, Keras's Add, keyword arguments in another order


# %% task="fix-inverted-mask"
def causal_self_attention(layer, x):
    return layer(query=x, value=x, key=x, use_causal_mask=True)


# %% task="fix-dropped-feed-forward"
def connect_block(x, attend, feed_forward, norm_1, norm_2):
    attended = keras.layers.Add()([x, attend(norm_1(x))])
    return keras.layers.Add()([attended, feed_forward(norm_2(attended))])


# %% task="fix-swapped-arguments"
def build_self_attention(d_model, num_heads):
    assert d_model % num_heads == 0
    return keras.layers.MultiHeadAttention(
        key_dim=d_model // num_heads, num_heads=num_heads, value_dim=d_model // num_heads, name="attention"
    )


# %% task="fix-head-scaling"
def head_weights(query, key, num_heads):
    def heads(x):
        x = ops.convert_to_tensor(x)
        x = ops.reshape(x, (x.shape[0], x.shape[1], num_heads, x.shape[2] // num_heads))
        return ops.transpose(x, (0, 2, 1, 3))

    q, k = heads(query), heads(key)
    q = q / ops.sqrt(ops.cast(q.shape[-1], q.dtype))
    return keras.activations.softmax(ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))))


# %% task="fix-shifted-target"
def make_pairs(target_ids):
    ids = ops.cast(ops.convert_to_tensor(target_ids), "int32")
    return ids[:, : ids.shape[1] - 1], ids[:, 1:]
