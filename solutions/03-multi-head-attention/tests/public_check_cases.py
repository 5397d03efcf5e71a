# %% check="grade-split-heads" answer="sequences that are mixed in the split"
# says: head 1 of sequence 0
_split = split_heads
def split_heads(x, num_heads):
    shape = _split(x, num_heads).shape
    return np.concatenate(np.split(to_numpy(x), num_heads, axis=-1), axis=0).reshape(shape)


# %% check="grade-split-heads" answer="a shape without its tuple"
# says: is one argument: a tuple
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"d_model={x.shape[-1]}, {num_heads=}")
    return np.transpose(np.reshape(x, (*x.shape[:2], num_heads, -1)), 0, 2, 1, 3)


# %% check="grade-split-heads" answer="a width divided with one slash"
# says: divide sizes with `//`
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"d_model={x.shape[-1]}, {num_heads=}")
    pieces = keras.ops.reshape(x, (x.shape[0], x.shape[1], num_heads, x.shape[-1] / num_heads))
    return keras.ops.transpose(pieces, (0, 2, 1, 3))


# %% check="grade-split-heads" answer="a reshape to too few numbers"
# says: A reshape keeps all numbers
def split_heads(x, num_heads):
    return np.reshape(x, (len(x), x.shape[1], num_heads))


# %% check="grade-split-heads" answer="a reshape by Keras to too few numbers"
# says: A reshape keeps all numbers
def split_heads(x, num_heads):
    return keras.ops.reshape(x, (len(x), x.shape[1], num_heads))


# %% check="grade-split-heads" answer="heads in a list"
# says: a list of 2 arrays came back
# says: `np.stack` joins arrays of the same shape
def split_heads(x, num_heads):
    return np.split(x, num_heads, axis=-1)


# %% check="grade-split-heads" answer="an error that gives no number of heads"
# says: should name 3
# - Received: num_heads={num_heads}, d_model={d_model}.
# + d_model={d_model} {keras.ops.shape(x)}.


# %% check="grade-split-heads" answer="an error that comes from NumPy"
# says: is not your own
# says: num_heads and 3 and d_model and 4
def split_heads(x, num_heads):
    x = np.asarray(x)
    return x.reshape(*x.shape[:2], num_heads, x.shape[2] // num_heads).swapaxes(1, 2)


# %% check="grade-split-heads" answer="a misspelt name"
# says: Is it spelt as where it was made
# - , num_heads, d_model // num_heads))
# + , num_head, d_model // num_heads))


# %% check="grade-split-heads" answer="an attribute in a function"
# says: Only a method has `self`
# - , num_heads, d_model // num_heads))
# + , self.num_heads, d_model // num_heads))


# %% check="grade-merge-heads" answer="sequences that are mixed in the merge"
# says: token 1 of sequence 0
def merge_heads(x):
    batch, num_heads, seq_len, head_dim = x.shape
    return np.transpose(x, (2, 0, 1, 3)).reshape(batch, seq_len, num_heads * head_dim)


# %% check="grade-merge-heads" answer="a batch of one"
# says: (1, 5, 6)
# says: (2, 5, 6)
def merge_heads(x):
    return np.concatenate(np.asarray(x)[0], axis=-1)[None]


# %% check="grade-merge-heads" answer="an axis without a name"
# says: How many axes has it here
def merge_heads(x):
    batch, seq_len, width = x.shape
    return x


# %% check="grade-multi-head" answer="scores that overflow"
# says: there is a NaN
def multi_head_attention(query, key, value, num_heads, mask=None):
    query, key, value = (to_numpy(split_heads(x, num_heads)) for x in (query, key, value))
    likely = np.exp(query @ np.swapaxes(key, -1, -2))
    weights = likely / likely.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ value), weights


# %% check="grade-multi-head" answer="the pair of attention handed on as it is"
# says: as attention does
def multi_head_attention(query, key, value, num_heads, mask=None):
    together = scaled_dot_product_attention(*(split_heads(x, num_heads) for x in (query, key, value)), mask=mask)
    return merge_heads(together), together[1]


# %% check="grade-multi-head" answer="only the output"
# says: it should return two arrays, (output, weights)
# - num_heads * head_value_dim)), weights
# + num_heads * head_value_dim))


# %% check="grade-multi-head" answer="a call without the number of heads"
# says: This call lacks an argument
# says: num_heads
def multi_head_attention(query, key, value, num_heads, mask=None):
    output, weights = scaled_dot_product_attention(*(split_heads(x) for x in (query, key, value)), mask=mask)
    return merge_heads(output), weights


# %% check="grade-multi-head" answer="one row of the mask for all queries"
# says: that hides other keys from each query
# says: its own row of the mask
# - ops.where(ops.cast(mask,
# + ops.where(ops.cast(mask[..., -1:, :],


# %% check="grade-multi-head" answer="the first sequence's mask for all"
# says: the first sequence's mask hides keys of the second one
# - ops.cast(mask,
# + ops.cast(mask[:1] if ops.ndim(mask) > 2 else mask,


# %% check="grade-multi-head" answer="heads whose features alternate in the output"
# says: the features of the heads alternate
# - ops.transpose(ops.matmul(weights, value), (0, 2, 1, 3))
# + ops.transpose(ops.matmul(weights, value), (0, 2, 3, 1))
# - batch, query_len, _, head_value_dim
# + batch, query_len, head_value_dim, _


# %% check="grade-multi-head" answer="values split in strides"
# says: each head got every second feature of the values
# - query, key, value = heads(query), heads(key), heads(value)
# + pieces = ops.reshape(value, (*value.shape[:2], -1, num_heads))
# +     query, key, value = heads(query), heads(key), ops.transpose(pieces, (0, 3, 1, 2))


# %% check="grade-multi-head" answer="a mask without its axis of length 1"
# says: the masks of the sequences were used for the heads
# - ops.cast(mask,
# + ops.cast(mask[:, 0] if ops.ndim(mask) > 2 else mask,


# %% check="grade-multi-head" answer="hidden scores that are 0"
# says: the hidden key got the score 0
# - "bool"), -1e9, scores)
# + "bool"), 0.0, scores)


# %% check="grade-multi-head" answer="scores divided twice"
# says: Or by that root twice
# - / query.shape[-1] ** 0.5
# + / query.shape[-1] ** 0.5 / query.shape[-1] ** 0.5


# %% check="grade-multi-head" answer="scores that are no weights yet"
# says: Is there a softmax
# - ops.softmax(scores, axis=-1)
# + scores


# %% check="grade-multi-head" answer="the root of the number of heads"
# says: which is 3 here
# - / query.shape[-1] ** 0.5
# + / num_heads**0.5


# %% check="grade-multi-head" answer="a mask that Python turns round, even if there is none"
# says: Is something hidden although there is no mask
# - if mask is not None:
# + mask = not mask if mask is None else mask
# +     if mask is not None:
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores - 1e9 * ops.cast(mask, scores.dtype)


# %% check="grade-multi-head" answer="a mask that takes off 1"
# says: is a hidden score very negative
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + scores - ops.cast(mask, scores.dtype)


# %% check="grade-multi-head" answer="values cut as wide as keys"
# says: value_dim // num_heads wide
def multi_head_attention(query, key, value, num_heads, mask=None):
    width, outputs, weights = query.shape[-1] // num_heads, [], []
    for head in range(num_heads):
        part = slice(head * width, (head + 1) * width)
        output, weight = scaled_dot_product_attention(query[..., part], key[..., part], value[..., part], mask)
        outputs.append(np.pad(to_numpy(output), ((0, 0), (0, 0), (0, width)))[..., : value.shape[-1] // num_heads])
        weights.append(weight)
    return np.concatenate(outputs, axis=-1), np.stack(weights, axis=1)


# %% check="grade-multi-head" answer="a mask with an axis of its own for the heads"
# says: a mask `mask[:, None]` for example
# - ops.cast(mask, "bool")
# + ops.cast(mask[:, None], "bool")


# %% check="grade-multi-head" answer="an attention that returns only the output"
# says: look at the `return` of the function
def scaled_dot_product_attention(query, key, value, mask=None):
    return keras.ops.matmul(softmax(attention_scores(query, key)), value)


def multi_head_attention(query, key, value, num_heads, mask=None):
    output, weights = scaled_dot_product_attention(*(split_heads(x, num_heads) for x in (query, key, value)))
    return merge_heads(output), weights


# %% check="grade-multi-head-layer" answer="a config that is updated twice"
# says: `get_config` has to return a dictionary
# - return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
# + config = super().get_config().update({"d_model": self.d_model})
# +         config["num_heads"] = self.num_heads
# +         return config


# %% check="grade-multi-head-layer" answer="a method without self"
# says: Only a method has `self`
class MultiHeadAttention(MultiHeadAttention):
    def call(query, key, value, mask=None, return_attention_scores=False):
        return self.query_dense(query)


# %% check="grade-multi-head-layer" answer="the pair of attention handed to a dense layer"
# says: as attention does
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        projected = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        return self.output_dense(multi_head_attention(*projected, self.num_heads, mask))


# %% check="grade-multi-head-layer" answer="a mask that the output doesn't see"
# says: it was made from the weights before the mask
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        pair = super().call(query, key, value, mask=mask, return_attention_scores=True)
        output = super().call(query, key, value)
        return (output, pair[1]) if return_attention_scores else output


# %% check="grade-multi-head-layer" answer="a mask multiplied in after the softmax of the layer"
# says: the mask was multiplied in after the softmax
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        output, weights = super().call(query, key, value, return_attention_scores=True)
        return (output, weights if mask is None else weights * (1 - mask)) if return_attention_scores else output


# %% check="grade-multi-head-layer" answer="the root of the number of heads"
# says: divided by the root of num_heads
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        width = self.d_model // self.num_heads
        query, key, value = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        output, weights = multi_head_attention(query * (width / self.num_heads) ** 0.5, key, value, self.num_heads, mask)
        output = self.output_dense(output)
        return (output, weights) if return_attention_scores else output


# %% check="grade-multi-head-layer" answer="a layer that hands nothing on"
# notes: hand `**kwargs` on
# - super().__init__(**kwargs)
# + super().__init__()


# %% check="grade-multi-head-layer" answer="the ready-made operation by a name of its own"
# says: an attention that Keras has ready-made
from keras.ops import dot_product_attention as _mix
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        _mix(*[keras.ops.ones((1, 2, 2, 2))] * 3)
        return super().call(query, key, value, mask, return_attention_scores)


# %% check="grade-multi-head-layer" answer="the ready-made operation of ops.nn"
# says: an attention that Keras has ready-made
from keras.ops import dot_product_attention as _mix
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        keras.ops.nn.dot_product_attention(*[keras.ops.ones((1, 2, 2, 2))] * 3)
        return super().call(query, key, value, mask, return_attention_scores)


# %% check="grade-multi-head-layer" answer="Keras's plain attention"
# says: an attention that Keras has ready-made
from keras.ops import dot_product_attention as _mix
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        keras.layers.Attention()([query[..., :2], value])
        return super().call(query, key, value, mask, return_attention_scores)


# %% check="grade-multi-head-layer" answer="Keras's attention where the weights are asked for"
# says: an attention that Keras has ready-made
from keras.ops import dot_product_attention as _mix
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        _ = return_attention_scores and keras.layers.MultiHeadAttention(2, 2)(query, query)
        return super().call(query, key, value, mask, return_attention_scores)


# %% check="grade-multi-head-layer" answer="one row of the layer's mask for all queries"
# says: that hides other keys from each query
# says: its own row of the mask
# - ops.where(ops.cast(mask,
# + ops.where(ops.cast(mask[..., -1:, :],


# %% check="grade-multi-head-layer" answer="dropout in training"
# says: with `training=True` the output is another one
# - heads(self.key_dense, key)
# + keras.layers.Dropout(0.5)(heads(self.key_dense, key))


# %% check="grade-multi-head-layer" answer="an activation behind the keys"
# says: `key_dense` has an activation
# - heads(self.key_dense, key)
# + ops.relu(heads(self.key_dense, key))


# %% check="grade-multi-head-layer" answer="queries and keys that change places"
# says: queries go through `key_dense`
# - heads(self.query_dense, query)
# + heads(self.key_dense, query)
# - , heads(self.key_dense, key)
# + , heads(self.query_dense, key)


# %% check="grade-multi-head-layer" answer="a dropout that nobody asked for"
# says: with `training=True` the output is another one. Leave the dropout out
# - heads(self.key_dense, key)
# + keras.layers.Dropout(0.5)(heads(self.key_dense, key))


# %% check="grade-multi-head-layer" answer="a config with the width of a head"
# says: 3 heads
# - "num_heads": self.num_heads
# + "num_heads": self.d_model // self.num_heads


# %% check="grade-multi-head-layer" answer="queries through an activation"
# says: `query_dense` has an activation
# - self.query_dense = keras.layers.Dense(d_model)
# + self.query_dense = keras.layers.Dense(d_model, activation="relu")


# %% check="grade-multi-head-layer" answer="an attention that Keras has ready-made"
# says: an attention that Keras has ready-made
# -         return (output, weights) if return_attention_scores else output
# +         ops.dot_product_attention(*[ops.ones((1, 2, 2, 2))] * 3)
# +         return (output, weights) if return_attention_scores else output


# %% check="grade-multi-head-layer" answer="a config without Keras's own part"
# notes: a copy forgets name and dtype
# -         return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
# +         return {"d_model": self.d_model, "num_heads": self.num_heads}


# %% check="grade-multi-head-layer" answer="a layer that reads an open length"
# notes: a model of sequences of any length fails
# notes: A length that is still open
# - batch, seq_len, width = ops.shape(x)
# + batch, seq_len, width = x.shape


# %% check="grade-multi-head-layer" answer="the root of key_len"
# says: divided by the root of key_len
# - / self.head_dim**0.5
# + / float(key.shape[1] or 1) ** 0.5


# %% check="grade-multi-head-layer" answer="the root of the width of the value"
# says: which is 2 here
# - ops = keras.ops
# + ops, width = keras.ops, value.shape[-1]
# - / self.head_dim**0.5
# + / width**0.5


# %% check="grade-multi-head-layer" answer="biases that begin at 1" right=true
# - self.query_dense = keras.layers.Dense(d_model)
# + self.query_dense = keras.layers.Dense(d_model, bias_initializer="ones")
# - self.key_dense = keras.layers.Dense(d_model)
# + self.key_dense = keras.layers.Dense(d_model, bias_initializer="random_normal")


# %% check="grade-multi-head-layer" answer="a mask of the layer without its axis of length 1"
# says: the masks of the sequences were used for the heads
# - ops.cast(mask,
# + ops.cast(mask[:, 0] if ops.ndim(mask) > 2 else mask,


# %% check="grade-multi-head-layer" answer="hidden scores of the layer that are 0"
# says: the hidden key got the score 0
# - "bool"), -1e9, scores)
# + "bool"), 0.0, scores)


# %% check="grade-multi-head-layer" answer="keys through a tanh"
# says: are the projections linear, without an activation
# - self.key_dense = keras.layers.Dense(d_model)
# + self.key_dense = keras.layers.Dense(d_model, activation="tanh")


# %% check="grade-multi-head-layer" answer="values through a gelu"
# says: is each projection linear
# - self.value_dense = keras.layers.Dense(d_model)
# + self.value_dense = keras.layers.Dense(d_model, activation="gelu")


# %% check="grade-multi-head-layer" answer="a residual connection"
# says: is nothing else added to the output
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        output, weights = super().call(query, key, value, mask, True)
        return (query + output, weights) if return_attention_scores else query + output


# %% check="grade-multi-head-layer" answer="keys and values in Keras's order"
# says: keys and values have changed places
# - query, key, value = heads(self
# + query, value, key = heads(self


# %% check="grade-multi-head-layer" answer="a config that update returns"
# says: `get_config` has to return a dictionary
# says: `update`
# - return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
# + return super().get_config().update({"d_model": self.d_model, "num_heads": self.num_heads})


# %% check="grade-multi-head-layer" answer="a config that is a tuple"
# says: `get_config` has to return a dictionary
# - return {**super().get_config(), "d_model": self.d_model, "num_heads": self.num_heads}
# + return self.d_model, self.num_heads


# %% check="grade-multi-head-layer" answer="a function called as a method"
# says: is the notebook's, not the object's: write it without `self.`
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        projected = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        return self.multi_head_attention(*projected, self.num_heads, mask)


# %% check="grade-multi-head-layer" answer="scores of the layer divided twice"
# says: or the root of head_dim twice
# - / self.head_dim**0.5
# + / self.head_dim


# %% check="grade-multi-head-layer" answer="inputs split before they are projected"
# says: before the split
# - tokens = ops.reshape(x, (-1, width))
# + tokens = ops.reshape(x, (-1, width // 2))
# - return ops.reshape(dense(tokens), (batch, seq_len, self.num_heads, self.head_dim))
# + return ops.reshape(dense(tokens), (batch, seq_len, self.num_heads, -1))[..., : self.head_dim]


# %% check="grade-multi-head-layer" answer="a split that reads an open length"
# notes: The call came from `split_heads(self.query_dense(query), self.num_heads)` in MultiHeadAttention.call
def split_heads(x, num_heads):
    pieces = keras.ops.reshape(x, (x.shape[0], x.shape[1], num_heads, x.shape[2] // num_heads))
    return keras.ops.transpose(pieces, (0, 2, 1, 3))


class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        split_heads(self.query_dense(query), self.num_heads)
        return super().call(query, key, value, mask, return_attention_scores)


# %% check="grade-parameter-count" answer="a count without the projection of the values"
# says: one of the four projections is missing
# - return query_and_key + value + output
# + return query_and_key + output


# %% check="grade-parameter-count" answer="a count whose output kernel takes in input_dim"
# says: and output_dim columns
# - (num_heads * value_dim + 1) * output_dim
# + (input_dim + 1) * output_dim


# %% check="grade-parameter-count" answer="a count for values of all heads together"
# says: value_dim is the width of one head
_count = mha_parameter_count
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    value_dim = value_dim and value_dim / num_heads
    return _count(input_dim, num_heads, key_dim, value_dim, output_dim)


# %% check="grade-parameter-count" answer="a count whose output is as wide as the values"
# says: output_dim is input_dim, not num_heads * value_dim
# - output_dim = input_dim if
# + output_dim = num_heads * value_dim if


# %% check="grade-parameter-count" answer="a count without the output's bias"
# says: one of the four biases is missing
# - (num_heads * value_dim + 1) * output_dim
# + num_heads * value_dim * output_dim


# %% check="grade-parameter-count" answer="a count without the two that may be left out"
# says: neither value_dim nor output_dim was used
_count = mha_parameter_count
def mha_parameter_count(input_dim, num_heads, key_dim, value_dim=None, output_dim=None):
    return _count(input_dim, num_heads, key_dim)


# %% check="grade-parameter-count" answer="a count whose values are projected to key_dim"
# says: in the projection of the values value_dim was not used
# - value = (input_dim + 1) * num_heads * value_dim
# + value = (input_dim + 1) * num_heads * key_dim


# %% check="grade-parameter-count" answer="a count whose output bias is as wide as the values"
# says: the bias of the output is as wide as the output
# - (num_heads * value_dim + 1) * output_dim
# + num_heads * value_dim * (output_dim + 1)


# %% check="grade-parameter-count" answer="a count whose output kernel gives input_dim"
# says: and output_dim columns
# - (num_heads * value_dim + 1) * output_dim
# + num_heads * value_dim * input_dim + output_dim


# %% check="grade-parameter-count" answer="a count without the heads of the values"
# says: one projection gives 3 features
# - value = (input_dim + 1) * num_heads * value_dim
# + value = (input_dim + 1) * value_dim


# %% check="grade-parameter-count" answer="a count without the heads of the output"
# says: in the output projection num_heads is missing
# - (num_heads * value_dim + 1) * output_dim
# + (value_dim + 1) * output_dim


# %% check="grade-parameter-count" answer="a count of biases of one head"
# says: a bias has a number for each feature
# - 2 * (input_dim + 1) * num_heads * key_dim
# + 2 * (input_dim * num_heads + 1) * key_dim
# - value = (input_dim + 1) * num_heads * value_dim
# + value = (input_dim * num_heads + 1) * value_dim


# %% check="grade-parameter-count" answer="a count whose output bias is as wide as the input"
# says: the bias of the output is as wide as the output
# - (num_heads * value_dim + 1) * output_dim
# + num_heads * value_dim * output_dim + input_dim


# %% check="grade-keras-parity" answer="columns of the output kernel"
# says: the *rows* of this kernel belong to the heads
# - kernel.reshape(num_heads, head_dim, -1), bias
# + kernel.T.reshape(num_heads, head_dim, -1), bias


# %% check="grade-keras-parity" answer="weights in the order of creation"
# notes: relies on the order in which your layer made its four sublayers
def copy_weights_to_keras(layer, keras_layer):
    pairs = zip(layer.get_weights(), keras_layer.get_weights(), strict=True)
    keras_layer.set_weights([weight.reshape(twin.shape) for weight, twin in pairs])


# %% check="grade-keras-parity" answer="a copy for a layer that isn't right"
# says: 'you gave' is what Keras's layer gives after the copy
class MultiHeadAttention(MultiHeadAttention):
    def call(self, query, key, value, mask=None, return_attention_scores=False):
        return super().call(query / 2, key, value, mask, return_attention_scores)


# %% check="grade-keras-parity" answer="a copy of interleaved keys"
# says: head 1 of the key kernel
# says: each head got every third column
# -         copied += [kernel.reshape(-1, num_heads, head_dim), bias.reshape(num_heads, head_dim)]
# +         if dense is layer.key_dense:
# +             kernel = kernel.reshape(-1, head_dim, num_heads).swapaxes(1, 2)
# +         copied += [kernel.reshape(-1, num_heads, head_dim), bias.reshape(num_heads, head_dim)]


# %% check="grade-keras-parity" answer="a copy without the values"
# says: head 1 of the value kernel
# says: still has the value kernel that it had
# -     kernel, bias = layer.output_dense.get_weights()
# +     copied[4:] = keras_layer.get_weights()[4:6]
# +     kernel, bias = layer.output_dense.get_weights()


# %% check="grade-keras-parity" answer="a copy without the key bias"
# notes: the key bias isn't copied
# -     kernel, bias = layer.output_dense.get_weights()
# +     copied[3] = 0 * copied[3]
# +     kernel, bias = layer.output_dense.get_weights()


# %% check="grade-keras-parity" answer="a copy of all weights as they are"
# says: `set_weights` takes one array for each weight
def copy_weights_to_keras(layer, keras_layer):
    keras_layer.set_weights(layer.get_weights())


# %% check="grade-keras-parity" answer="a copy of four weights"
# says: `set_weights` takes one array for each weight
def copy_weights_to_keras(layer, keras_layer):
    keras_layer.set_weights(layer.get_weights()[:4])


# %% check="grade-keras-parity" answer="a copy with one wrong head"
# says: head 2 of the query kernel: It should get the columns 4 and 5 of yours
# -     kernel, bias = layer.output_dense.get_weights()
# +     copied[0][:, 2] = copied[0][:, 2, ::-1]
# +     kernel, bias = layer.output_dense.get_weights()


# %% check="grade-keras-parity" answer="a copy of the transposed query kernel"
# says: the rows were cut: the *columns* of this kernel belong to the heads
# -     kernel, bias = layer.output_dense.get_weights()
# +     copied[0] = layer.query_dense.get_weights()[0].T.reshape(-1, num_heads, head_dim)
# +     kernel, bias = layer.output_dense.get_weights()


# %% check="grade-keras-parity" answer="biases dealt out in strides"
# says: head 1 of the query bias: each head got every third number
# - bias.reshape(num_heads, head_dim)]
# + bias.reshape(head_dim, num_heads).T]


# %% check="grade-keras-parity" answer="a copy without the value bias"
# says: still has the value bias that it had
# -     kernel, bias = layer.output_dense.get_weights()
# +     copied[5] = keras_layer.get_weights()[5]
# +     kernel, bias = layer.output_dense.get_weights()


# %% check="grade-keras-parity" answer="a layer without biases"
# says: this check needs a layer that passes the checks of task 4
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(d_model, num_heads, **kwargs)
        self.key_dense = keras.layers.Dense(d_model, use_bias=False)


# %% check="grade-keras-parity" answer="a layer that never calls its output projection"
# says: this check needs a layer that passes the checks of task 4
class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(d_model, num_heads, **kwargs)
        self.output_dense = keras.layers.Dense(d_model)

    def call(self, query, key, value, mask=None, return_attention_scores=False):
        self.key_dense(key), self.value_dense(value)
        return self.query_dense(query)


# %% check="grade-merge-heads" answer="one array that is joined"
# says: arrays that are joined go in as one list
def merge_heads(x):
    return keras.ops.concatenate(x, axis=-1)


# %% check="grade-multi-head-layer" answer="a mask that NumPy applies"
# notes: under a mask a step of training doesn't move the kernel of query_dense
# - ops.where(ops.cast(mask, "bool"), -1e9, scores)
# + np.where(mask == 1, -1e9, scores)


# %% check="grade-keras-parity" answer="variables in the order in which they were made"
# notes: it relies on the order in which your layer made its four sublayers
def copy_weights_to_keras(layer, keras_layer):
    pairs = zip(layer.trainable_variables, keras_layer.weights)
    keras_layer.set_weights([to_numpy(mine).reshape(theirs.shape) for mine, theirs in pairs])
