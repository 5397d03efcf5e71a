# %% check="code-01" answer="a softmax behind the logits of the model that is brought along"
# says: leave the softmax out
_build = build_transformer
def build_transformer(*args, **kwargs):
    model = _build(*args, **kwargs)
    return keras.Model(model.inputs, ops.softmax(model.outputs[0]))


# %% check="code-01" answer="a padding mask upside down"
# says: Look at the padding mask
_build_transformer = build_transformer
def build_transformer(*args, **kwargs):
    model = _build_transformer(*args, **kwargs)
    for layer in model.layers:
        if type(layer).__name__ == "NotPadding":
            layer.call = lambda ids: ops.equal(ids, 0)[:, None, :]
    return model


# %% check="code-01" answer="no padding mask" of="a padding mask upside down"
# says: Look at the padding mask
# -             layer.call = lambda ids: ops.equal(ids, 0)[:, None, :]
# +             layer.call = lambda ids: ops.not_equal(ids, -1)[:, None, :]


# %% check="code-01" answer="no positions" of="a padding mask upside down"
# says: two syllables of each source change places
# -         if type(layer).__name__ == "NotPadding":
# +         if type(layer).__name__ == "Positions":
# -             layer.call = lambda ids: ops.equal(ids, 0)[:, None, :]
# +             layer.call = lambda x: 8 * x


# %% check="grade-warmup-schedule" answer="a step that isn't cast"
# says: Cast `step`
class WarmupSchedule(WarmupSchedule):
    def __call__(self, step):
        return 0.125 * ops.minimum(1 / ops.sqrt(step + 1), (step + 1) * 1e-3)


# %% check="grade-warmup-schedule" answer="a schedule that float() reads"
# says: Compute with `ops`
class WarmupSchedule(WarmupSchedule):
    def __call__(self, step):
        n = float(step) + 1
        return self.d_model**-0.5 * min(n**-0.5, n * self.warmup_steps**-1.5)


# %% check="grade-warmup-schedule" answer="a step that isn't cast before a float is added"
# notes: a step that is a whole-number tensor fails: in WarmupSchedule.__call__, the line `number = step + 1.0` stops (shapes: step ()). Look here first: Two kinds of numbers
# - ops.cast(step, "float32") + 1.0
# + step + 1.0


# %% check="grade-warmup-schedule" answer="Python's min of two rates"
# says: There `step` has no value yet
# says: as a Python `bool` is not allowed.
# - ops.minimum(number
# + min(number


# %% check="grade-warmup-schedule" answer="a rate that asks if"
# says: There `step` has no value yet
# says: as a Python `bool` is not allowed.
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
# +         if number > self.warmup_steps:
# +             return self.d_model**-0.5 * number**-0.5
# +         return self.d_model**-0.5 * ( number * self.warmup_steps**-1.5)


# %% check="grade-warmup-schedule" answer="a step that NumPy reads"
# says: There `step` has no value yet, and `float`, `min`, `if` and NumPy can't read it. Compute with `ops`.
# - ops.cast(step, "float32") + 1.0
# + np.float32(step) + 1.0


# %% check="grade-warmup-schedule" answer="ops.min of two rates"
# says: `ops.maximum` takes the larger of two arrays, entry by entry, `ops.minimum` the smaller.
# - ops.minimum(number
# + ops.min(number


# %% check="grade-warmup-schedule" answer="a schedule without self"
# says: `d_model` is an attribute of the object: write `self.d_model`.
# - self.d_model**-0.5
# + d_model**-0.5


# %% check="grade-warmup-schedule" answer="a schedule counted from 0 whose first rate is 0"
# says: the first update (step 0) has the rate 0, and it should be positive. Do you count from 1?
# - ops.cast(step, "float32") + 1.0
# + ops.cast(step, "float32")


# %% check="grade-warmup-schedule" answer="a schedule counted from 0 whose first rate is nan"
# says: the first update (step 0) has the rate nan, and it should be positive. Do you count from 1?
# - ops.cast(step, "float32") + 1.0
# + ops.cast(step, "float32")
# - self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
# + (self.d_model * number) ** -0.5 * ops.minimum(1.0, (number / self.warmup_steps) ** 1.5)


# %% check="grade-warmup-schedule" answer="a rate that is divided by d_model"
# says: it is divided by d_model, and not by its root
# - self.d_model**-0.5
# + self.d_model**-1.0


# %% check="grade-warmup-schedule" answer="a rate that grows with d_model"
# says: it is multiplied by the root of d_model, not divided by it
# - self.d_model**-0.5
# + self.d_model**0.5


# %% check="grade-warmup-schedule" answer="a schedule without a warm-up"
# says: the rate falls from the first update on. Is n *divided* by w^1.5?
# - self.warmup_steps**-1.5
# + self.warmup_steps**1.5


# %% check="grade-warmup-schedule" answer="a warm-up of 4000 in any case"
# says: these are the rates of a warm-up of 4000. Use the argument `warmup_steps`
# -         self.warmup_steps = warmup_steps
# +         self.warmup_steps = 4000


# %% check="grade-warmup-schedule" answer="a root without brackets"
# says: `x ** -1/2` is half of 1/x
# - self.d_model**-0.5
# + self.d_model**-1/2


# %% check="grade-warmup-schedule" answer="a schedule that returns nothing"
# says: WarmupSchedule: `__call__` returned None. Is the `return` missing?
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
# +         rate = self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)


# %% check="grade-warmup-schedule" answer="a config without arguments"
# says: no schedule can be made of what `get_config` returns
# says: under its own name
# - {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# + {}


# %% check="grade-warmup-schedule" answer="a config that is a tuple"
# says: no schedule can be made of what `get_config` returns
# - {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# + self.d_model, self.warmup_steps


# %% check="grade-warmup-schedule" answer="a config that lacks an argument"
# says: get_config
class WarmupSchedule(WarmupSchedule):
    def get_config(self):
        return {'d_model': self.d_model}


# %% check="grade-warmup-schedule" answer="a schedule's config with super"
# says: without `super()`
# - return {"d_model": self.d_model,
# + return {**super().get_config(), "d_model": self.d_model,


# %% check="grade-warmup-schedule" answer="d_model 64"
# says: rates of d_model 64
# - return self.d_model**
# + return 64**


# %% check="grade-warmup-schedule" answer="a config of 100"
# says: schedule was made with
# - : self.warmup_steps}
# + : 100}


# %% check="grade-teacher-forcing" answer="a pair of which one row is shorter"
# says: decoder_input
# says: (2, 5)
def teacher_forcing_pairs(target_ids):
    return target_ids, target_ids[:, 1:]


# %% check="grade-teacher-forcing" answer="rows left out in place of columns"
# says: but decoder_input (batch, len - 1) is (2, 5) here. Is exactly one column left out (second axis), and no row?
# - target_ids[:, :-1], target_ids[:, 1:]
# + target_ids[:-1], target_ids[1:]


# %% check="grade-teacher-forcing" answer="lists of rows"
# notes: a list of rows came back, and the `fit` of task 6 takes that for many inputs
# - target_ids[:, :-1], target_ids[:, 1:]
# + [row[:-1] for row in target_ids], [row[1:] for row in target_ids]


# %% check="grade-teacher-forcing" answer="rows of six"
# says: is (3, 7) here
# - target_ids[:, 1:]
# + target_ids[:, 1:6]


# %% check="grade-teacher-forcing" answer="labels without their first two columns"
# says: the shape is (2, 4), but labels (batch, len - 1) is (2, 5) here. Is exactly one column left out
# - target_ids[:, 1:]
# + target_ids[:, 2:]


# %% check="grade-teacher-forcing" answer="the decoder's input alone"
# says: teacher_forcing_pairs: it should return (decoder_input, labels).
# - target_ids[:, :-1], target_ids[:, 1:]
# + target_ids[:, :-1]


# %% check="grade-teacher-forcing" answer="the decoder's input alone, a list of rows"
# says: teacher_forcing_pairs: it should return (decoder_input, labels).
# - target_ids[:, :-1], target_ids[:, 1:]
# + [row[:-1] for row in target_ids]


# %% check="grade-teacher-forcing" answer="a pair that is one array" right=true
# - target_ids[:, :-1], target_ids[:, 1:]
# + np.stack([target_ids[:, :-1], target_ids[:, 1:]])


# %% check="grade-masked-loss" answer="a sum over the positions"
# says: the line `return ops.sum(losses * mask)
# says: Two arrays don't fit together. Axes are compared
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels, size = ops.cast(labels, "int32"), logits.shape[-1]
    share = (1 - label_smoothing) * ops.one_hot(labels, size) + label_smoothing / size
    losses = -ops.sum(share * ops.log_softmax(logits, axis=-1), axis=1)
    mask = ops.cast(labels != pad_id, "float32")
    return ops.sum(losses * mask) / ops.maximum(ops.sum(mask), 1)


# %% check="grade-masked-loss" answer="a mean over the positions"
# says: Two arrays don't fit together. Axes are compared
# - ops.mean(log_probabilities, axis=-1)
# + ops.mean(log_probabilities, axis=1)


# %% check="grade-masked-loss" answer="labels whose axis stays"
# says: A sum, mean or maximum along an axis takes that axis away
# - axis=-1)[..., 0]
# + axis=-1)


# %% check="grade-masked-loss" answer="a mask with an axis of length 1"
# says: is a `[..., None]` too much there
# - losses * kept
# + losses * kept[..., None]


# %% check="grade-masked-loss" answer="a mask that vectors are multiplied by"
# says: The shape of `of_label` and `kept` is that of `log_probabilities` without the last axis.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_probabilities, axis=-1)
# -     kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
# +     kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
# +     losses = -(1 - label_smoothing) * of_label * kept - label_smoothing * ops.mean(log_probabilities * kept, axis=-1)


# %% check="grade-masked-loss" answer="labels from which log-probabilities pick"
# says: An index lies outside of what it looks up in. Have an array and its indices changed places
# - ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)
# + ops.take_along_axis(labels[..., None], log_probabilities, axis=-1)


# %% check="grade-masked-loss" answer="padding in the sum alone"
# says: the padding is counted above the fraction line, but not below
# - ops.sum(losses * kept)
# + ops.sum(losses)


# %% check="grade-masked-loss" answer="labels without the axis to pick along"
# says: These arrays need equally many axes. `x[..., None]`
# - labels[..., None], axis=-1)[..., 0]
# + labels, axis=-1)


# %% check="grade-masked-loss" answer="losses times truth values"
# says: multiplies by truth values become truth values
# - ops.cast(ops.not_equal(labels, pad_id), "float32")
# + ops.not_equal(labels, pad_id)
# - ops.maximum(ops.sum(kept), 1.0)
# + ops.maximum(ops.sum(kept), 1)


# %% check="grade-masked-loss" answer="a smoothing that is added to log-probabilities"
# says: label smoothing: the second term has the wrong sign
# - - label_smoothing * ops
# + + label_smoothing * ops


# %% check="grade-masked-loss" answer="a smoothing on top of the whole loss"
# says: label smoothing: the first term lacks its factor 1 - ε
# - -(1 - label_smoothing) * of_label
# + -of_label


# %% check="grade-masked-loss" answer="a smoothing by the model's own probabilities"
# says: label smoothing: the second term weighs by the model's own probabilities
# - ops.mean(log_probabilities, axis=-1)
# + ops.sum(ops.exp(log_probabilities) * log_probabilities, axis=-1)


# %% check="grade-masked-loss" answer="a ready-made loss of probabilities"
# says: from_logits=True
# - log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)

# - of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
# + of_label = -keras.losses.sparse_categorical_crossentropy(labels, logits)
# - label_smoothing * ops.mean(log_probabilities, axis=-1)
# + 0


# %% check="grade-masked-loss" answer="a smoothed share that is a sum"
# says: the share ε is not divided by the number of tokens
# - ops.mean(log_probabilities, axis=-1)
# + ops.sum(log_probabilities, axis=-1)


# %% check="grade-masked-loss" answer="a loss of NumPy"
# notes: keras.ops
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = np.asarray(labels).astype("int32")
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
    spread = label_smoothing * ops.mean(log_probabilities, axis=-1) if label_smoothing else 0.0
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum((-(1 - label_smoothing) * of_label - spread) * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% check="grade-masked-loss" answer="0 / 0 where all is padding"
# says: 0 / 0
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
    spread = label_smoothing * ops.mean(log_probabilities, axis=-1) if label_smoothing else 0.0
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum((-(1 - label_smoothing) * of_label - spread) * kept) / ops.sum(kept)


# %% check="grade-masked-loss" answer="the logarithm of a softmax"
# says: ops.log_softmax
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    log_probabilities = ops.log(ops.softmax(ops.cast(logits, "float32")))
    of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
    spread = label_smoothing * ops.mean(log_probabilities, axis=-1) if label_smoothing else 0.0
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum((-(1 - label_smoothing) * of_label - spread) * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% check="grade-masked-loss" answer="e to the power of the logits"
# says: e^1000 is infinite
# - ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
# + logits - ops.log(ops.sum(ops.exp(logits), axis=-1, keepdims=True))


# %% check="grade-masked-loss" answer="labels times floats, as `fit` hands them over" right=true
# -     labels = ops.cast(labels, "int32")
# +     kept = ops.cast(labels != pad_id, "float32")
# +     labels = ops.cast(labels * kept, "int32")

# -     kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
# +     # as above


# %% check="grade-masked-loss" answer="probabilities without a logarithm"
# says: this is the mean of the probabilities: the logarithm and the minus sign are missing
# - log_softmax
# + softmax
# - -(1 - label_smoothing) * of_label - label_smoothing
# + (1 - label_smoothing) * of_label + label_smoothing


# %% check="grade-masked-loss" answer="probabilities with a minus, without a logarithm"
# says: this is minus the mean of the probabilities: the logarithm is missing
# - log_softmax
# + softmax


# %% check="grade-masked-loss" answer="a division by the sum of the labels"
# says: the loss of three words and three paddings
# says: you gave
# - ops.maximum(ops.sum(kept), 1.0)
# + ops.maximum(ops.sum(ops.cast(labels, "float32")), 1.0)


# %% check="grade-masked-loss" answer="a division by the number of rows"
# says: it is divided by the number of rows, not of words
# - ops.maximum(ops.sum(kept), 1.0)
# + len(labels)


# %% check="grade-masked-loss" answer="the loss of the padding alone"
# says: only the padding is counted: the mask is turned round
# - ops.not_equal(labels, pad_id)
# + ops.equal(labels, pad_id)


# %% check="grade-masked-loss" answer="a softmax along the positions"
# says: the softmax goes along the positions
# - "float32"), axis=-1)
# + "float32"), axis=1)


# %% check="grade-masked-loss" answer="a smoothing by the logits"
# says: label smoothing: the second term averages the logits, not the log-probabilities
# - ops.mean(log_probabilities, axis=-1)
# + ops.mean(logits, axis=-1)


# %% check="grade-masked-loss" answer="a ready-made loss smoothed by the logits"
# says: label smoothing: the second term averages the logits, not the log-probabilities
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    losses = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)
    losses = (1 - label_smoothing) * losses + label_smoothing * ops.mean(-logits, axis=-1)
    kept = ops.cast(labels != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% check="grade-masked-loss" answer="logits without a softmax"
# says: the loss of three words and three paddings: the softmax is missing
# - ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
# + ops.cast(logits, "float32")


# %% check="grade-masked-loss" answer="a smoothing where none is asked for"
# says: ε and 1 - ε have changed places
# - -(1 - label_smoothing) * of_label - label_smoothing *
# + -label_smoothing * of_label - (1 - label_smoothing) *


# %% check="grade-masked-loss" answer="a division by one more than the words"
# says: it is divided by the number of words plus 1
# - ops.maximum(ops.sum(kept), 1.0)
# + (ops.sum(kept) + 1.0)


# %% check="grade-masked-loss" answer="a loss averaged over the vocabulary"
# says: the loss of a position is divided by the number of tokens
# - of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
# + of_label = ops.mean(log_probabilities * ops.one_hot(labels, logits.shape[-1]), axis=-1)


# %% check="grade-masked-loss" answer="ops.max of the count and a float"
# says: The second argument of `max` is an axis. `ops.maximum`
# - ops.maximum(ops.sum(kept), 1.0)
# + ops.max(ops.sum(kept), 1.0)


# %% check="grade-masked-loss" answer="ops.max of a count with a name and a float"
# says: The second argument of `max` is an axis. `ops.maximum`
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     count = ops.sum(kept)
# +     return ops.sum(losses * kept) / ops.max(count, 1.0)


# %% check="grade-masked-loss" answer="np.max of the count and a float"
# says: The second argument of `max` is an axis. `ops.maximum`
# - ops.maximum(ops.sum(kept), 1.0)
# + np.max(ops.sum(kept), 1.0)


# %% check="grade-masked-loss" answer="log-probabilities that labels index"
# says: An array stands where one whole number is wanted
# - ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
# + log_probabilities[labels]


# %% check="grade-masked-loss" answer="a smoothed share of all but one token"
# says: the share ε is divided by V - 1
# - label_smoothing * ops.mean(log_probabilities, axis=-1)
# + label_smoothing * ops.sum(log_probabilities, axis=-1) / (logits.shape[-1] - 1)


# %% check="grade-masked-loss" answer="a loss without id 0"
# says: equals `pad_id`
# - ops.not_equal(labels, pad_id)
# + labels != 0


# %% check="grade-masked-loss" answer="a loss above pad_id"
# says: above 3
# - ops.not_equal(labels, pad_id)
# + labels > pad_id


# %% check="grade-masked-loss" answer="a smoothing that counts the padding"
# says: the smoothed part counts the padding too
# - label_smoothing * ops.mean(log_probabilities, axis=-1)
# + label_smoothing * ops.mean(log_probabilities)


# %% check="grade-masked-accuracy" answer="what the model takes for padding, left out"
# says: Leave out where the *label* is padding
# - ops.not_equal(labels, pad_id)
# + ops.not_equal(ops.argmax(logits, axis=-1), pad_id)


# %% check="grade-masked-accuracy" answer="the accuracy of the padding alone"
# says: only the padding is counted: the mask is turned round
# - ops.not_equal(labels, pad_id)
# + ops.equal(labels, pad_id)


# %% check="grade-masked-accuracy" answer="padding that counts as right"
# says: padding is counted as right
# - right = ops.cast(ops.equal(ops.cast(ops.argmax(logits, axis=-1), "int32"), labels), "float32")
# + right = ops.cast((ops.cast(ops.argmax(logits, axis=-1), "int32") == labels) | (labels == pad_id), "float32")
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(right)


# %% check="grade-masked-accuracy" answer="the largest logit in place of its place"
# says: this is 0, though three words are right. Is the *place* of the largest logit (`ops.argmax`) compared with the label itself?
# - ops.argmax(
# + ops.max(


# %% check="grade-masked-accuracy" answer="labels taken for one-hot"
# says: this is 0, though three words are right. Is the *place* of the largest logit (`ops.argmax`) compared with the label itself?
# - ops.equal(ops.cast(ops.argmax(logits, axis=-1), "int32"), labels)
# + ops.argmax(logits, axis=-1) == ops.argmax(labels, axis=-1)


# %% check="grade-masked-accuracy" answer="ops.max of the count and a float"
# says: The second argument of `max` is an axis. `ops.maximum`
# - ops.maximum(ops.sum(kept), 1.0)
# + ops.max(ops.sum(kept), 1.0)


# %% check="grade-masked-accuracy" answer="a division without a rest"
# says: this is 0, though three words are right.
# says: Or is the share made a whole number, by `//` or a cast?
# - ops.sum(right * kept) / ops
# + ops.sum(right * kept) // ops


# %% check="grade-masked-accuracy" answer="padding among the right words"
# says: the padding is counted above the fraction line, but not below
# - ops.sum(right * kept)
# + ops.sum(right)


# %% check="grade-masked-accuracy" answer="the one largest logit of all"
# says: does `ops.argmax` get its axis? Without one
# - ops.argmax(logits, axis=-1)
# + ops.argmax(logits)


# %% check="grade-masked-accuracy" answer="the best position of each word"
# says: along the positions
# - ops.argmax(logits, axis=-1)
# + ops.argmax(logits, axis=1)


# %% check="grade-masked-accuracy" answer="a division by one more than the words"
# says: three of five words: it is divided by the number of words plus 1. To avoid 0, divide by *at least* 1.
# - ops.maximum(ops.sum(kept), 1.0)
# + (ops.sum(kept) + 1.0)


# %% check="grade-masked-accuracy" answer="the share of whole rows"
# says: three of five words: this is the share of rows that are wholly right.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(ops.cast(ops.all((right == 1) | (kept == 0), axis=1), "float32"))


# %% check="grade-masked-accuracy" answer="the number of right words"
# says: three of five words: this is the number of right words. A share is asked for.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.sum(right * kept)


# %% check="grade-masked-accuracy" answer="an accuracy of NumPy"
# notes: keras.ops
def masked_accuracy(labels, logits, pad_id=0):
    labels = np.asarray(labels)
    kept = labels != pad_id
    return ((np.asarray(logits).argmax(-1) == labels) & kept).sum() / max(kept.sum(), 1)


# %% check="grade-masked-accuracy" answer="an accuracy without id 0"
# says: equals `pad_id`
# - ops.not_equal(labels, pad_id)
# + labels != 0


# %% check="grade-masked-accuracy" answer="an accuracy above pad_id"
# says: above 3
# - ops.not_equal(labels, pad_id)
# + labels > pad_id


# %% check="grade-greedy-decode" answer="greedy decoding that leaves the unwritten columns"
# notes: columns are left in which every row is padding
# - return ids[:, : position + 1]
# + return ids


# %% check="grade-greedy-decode" answer="a model that gets two arguments"
# says: greedy_decode: give the model one argument, a list of two arrays: `model([source_ids, ids])`.
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    while ids.shape[1] < max_len and not ended.all():
        said = np.where(ended, 0, to_numpy(model(source_ids, ids))[:, -1].argmax(-1))
        ids, ended = np.concatenate([ids, said[:, None]], axis=1), ended | (said == eos_id)
    return ids


# %% check="grade-greedy-decode" answer="a model that gets two lists" of="a model that gets two arguments"
# says: greedy_decode: give the model one argument, a list of two arrays: `model([source_ids, ids])`.
# -         said = np.where(ended, 0, to_numpy(model(source_ids, ids))[:, -1].argmax(-1))
# +         said = np.where(ended, 0, to_numpy(model(source_ids.tolist(), ids.tolist()))[:, -1].argmax(-1))


# %% check="grade-greedy-decode" answer="a model that gets the ids alone" of="a model that gets two arguments"
# says: greedy_decode: give the model one argument, a list of two arrays: `model([source_ids, ids])`.
# -         said = np.where(ended, 0, to_numpy(model(source_ids, ids))[:, -1].argmax(-1))
# +         said = np.where(ended, 0, to_numpy(model(ids))[:, -1].argmax(-1))


# %% check="grade-greedy-decode" answer="a model that gets a list of the ids alone" of="a model that gets two arguments"
# says: greedy_decode: give the model one argument, a list of two arrays: `model([source_ids, ids])`.
# -         said = np.where(ended, 0, to_numpy(model(source_ids, ids))[:, -1].argmax(-1))
# +         said = np.where(ended, 0, to_numpy(model([ids]))[:, -1].argmax(-1))


# %% check="grade-greedy-decode" answer="a model that gets a dictionary" of="a model that gets two arguments"
# says: greedy_decode: give the model one argument, a list of two arrays: `model([source_ids, ids])`.
# -         said = np.where(ended, 0, to_numpy(model(source_ids, ids))[:, -1].argmax(-1))
# +         said = np.where(ended, 0, to_numpy(model({'source_ids': source_ids, 'target_ids': ids}))[:, -1].argmax(-1))


# %% check="grade-greedy-decode" answer="a model that is asked for `predict_on_batch` in any case"
# says: the model of this check is a function without `predict_on_batch`
# - model.predict_on_batch if isinstance(model, keras.Model) else model
# + model.predict_on_batch


# %% check="grade-greedy-decode" answer="new ids that aren't a column"
# says: These arrays need equally many axes. `x[..., None]`
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    while ids.shape[1] < max_len and not ended.all():
        said = np.where(ended, 0, to_numpy(model([source_ids, ids]))[:, -1].argmax(-1))
        ids, ended = np.concatenate([ids, said], axis=1), ended | (said == eos_id)
    return ids


# %% check="grade-greedy-decode" answer="greedy decoding that reads an unwritten column"
# says: the first word is 15
# says: the last position that is *written*
# - [:, position - 1]
# + [:, -1]


# %% check="grade-greedy-decode" answer="rows that are awake again one padding after their EOS"
# says: it gets one padding and then speaks again. What has ended stays ended
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    while ids.shape[1] < max_len and not ended.all():
        new = (to_numpy(model([source_ids, ids]))[:, -1].argmax(-1))
        said = np.where(ended, 0, new)
        ids, ended = np.concatenate([ids, said[:, None]], axis=1), said == eos_id
    return ids


# %% check="grade-greedy-decode" answer="rows that have ended only while the model says so" of="rows that are awake again one padding after their EOS"
# says: a row that had ended speaks again. What has ended stays ended
# -         ids, ended = np.concatenate([ids, said[:, None]], axis=1), said == eos_id
# +         ids, ended = np.concatenate([ids, said[:, None]], axis=1), new == eos_id


# %% check="grade-greedy-decode" answer="rows that end before their last EOS is written"
# says: the longer row (12, 11, 10, then EOS) is cut off: stop when *every* row has ended, and return the last EOS too
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    for _ in range(max_len - 1):
        said = np.where(ended, 0, to_numpy(model([source_ids, ids]))[:, -1].argmax(-1))
        ended |= said == eos_id
        if ended.all():
            break
        ids = np.concatenate([ids, said[:, None]], axis=1)
    return ids


# %% check="grade-greedy-decode" answer="joined ids that nobody keeps" of="rows that end before their last EOS is written"
# says: only BOS came back. `np.concatenate` and `np.append` return a new array
# -         ids = np.concatenate([ids, said[:, None]], axis=1)
# +         np.concatenate([ids, said[:, None]], axis=1)


# %% check="grade-greedy-decode" answer="words of all positions in one column"
# says: The shape of `has_ended` is that of `new` without the last axis. Should `new` have lost that axis before, by a sum or an index?
# -         logits = to_numpy(logits_of([source_ids, ids]))[:, position - 1]
# -         ids[:, position] = np.where(has_ended, 0, logits.argmax(axis=-1))
# +         new = to_numpy(logits_of([source_ids, ids])).argmax(axis=-1)
# +         new = np.where(has_ended, 0, new)
# +         ids[:, position] = new


# %% check="grade-greedy-decode" answer="ids without an axis of positions" of="rows that end before their last EOS is written"
# says: greedy_decode: the model gets sources (2, 2) and ids (2,), but (batch, source_len) and (batch, n) are wanted
# -     ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
# +     ids, ended = np.full(len(source_ids), bos_id), np.zeros(len(source_ids), bool)


# %% check="grade-greedy-decode" answer="one row of ids for all" of="rows that end before their last EOS is written"
# says: greedy_decode: the model gets sources (2, 2) and ids (1, 1), but (batch, source_len) and (batch, n) are wanted
# -     ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
# +     ids, ended = np.array([[bos_id]]), np.zeros(len(source_ids), bool)


# %% check="grade-greedy-decode" answer="a tensor's argmax" of="rows that end before their last EOS is written"
# says: A tensor lacks NumPy's methods
# -         said = np.where(ended, 0, to_numpy(model([source_ids, ids]))[:, -1].argmax(-1))
# +         said = np.where(ended, 0, model([source_ids, ids])[:, -1].argmax(-1))


# %% check="grade-greedy-decode" answer="rows that are cut off one column early"
# says: and return the last EOS too
# - : position + 1]
# + :position]


# %% check="grade-greedy-decode" answer="a return only where every row has ended"
# says: it returned None. Is the `return` missing?
# -     return ids
# +     # nothing


# %% check="grade-greedy-decode" answer="the likeliest token of all rows"
# says: Does each row get its own likeliest token (`argmax` over the last axis) as long as it hasn't ended?
# - logits.argmax(axis=-1)
# + logits.argmax()


# %% check="grade-greedy-decode" answer="rows that are filled up with -1"
# says: after its EOS a row holds padding (0)
# - np.where(has_ended, 0,
# + np.where(has_ended, -1,


# %% check="grade-greedy-decode" answer="greedy decoding that returns nothing"
# says: it returned None
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    pass


# %% check="grade-greedy-decode" answer="source and target change places"
# says: behind the end of an axis
# says: arguments out of order
# - logits_of([source_ids, ids])
# + logits_of([ids, source_ids])


# %% check="grade-greedy-decode" answer="rows that end where they like"
# says: fill the shorter ones up
# -             return ids[:, : position + 1]
# +             return [row[: 1 + int((row != 0).sum())] for row in ids]


# %% check="grade-greedy-decode" answer="words of all positions"
# says: has more axes, or longer ones, than the array that it is written into
# says: as by `[:, -1]`
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    for _ in range(max_len - 1):
        said = np.where(ended, 0, to_numpy(model([source_ids, ids])).argmax(-1))
        ids = np.append(ids, said, axis=1)
        ended |= said == eos_id
    return ids


# %% check="grade-greedy-decode" answer="rows that go on after EOS" of="a model that gets two arguments"
# says: padding (0)
# -         said = np.where(ended, 0, to_numpy(model(source_ids, ids))[:, -1].argmax(-1))
# +         said = (to_numpy(model([source_ids, ids]))[:, -1].argmax(-1))


# %% check="grade-greedy-decode" answer="decoding that never stops"
# says: stop as soon as
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids, ended = np.full((len(source_ids), 1), bos_id), np.zeros(len(source_ids), bool)
    while ids.shape[1] < max_len:
        said = np.where(ended, 0, to_numpy(model([source_ids, ids]))[:, -1].argmax(-1))
        ids, ended = np.concatenate([ids, said[:, None]], axis=1), ended | (said == eos_id)
    return ids


# %% check="grade-greedy-decode" answer="the last token"
# says: *all* ids so far
# - ids]))[:, position - 1]
# + ids[:, position - 1 : position]]))[:, -1]


# %% check="grade-greedy-decode" answer="the logits of padding"
# says: is *written*
# - [:, position - 1]
# + [:, -1]


# %% check="grade-greedy-decode" answer="an end in one column"
# says: took 19 calls
# - has_ended.all()
# + (ids[:, position] == eos_id).all()


# %% check="grade-greedy-decode" answer="an end when the first row ends"
# says: where the second row is the longer one (12, 11, 10), it doesn't get to its EOS
# - if has_ended.all():
# + if has_ended[0]:


# %% check="grade-greedy-decode" answer="the logits of the first position"
# says: the first word comes again and again
# - [:, position - 1]
# + [:, 0]


# %% check="grade-greedy-decode" answer="EOS 2"
# says: argument `eos_id`
# - == eos_id
# + == 2


# %% check="grade-greedy-decode" answer="BOS 1"
# says: argument `bos_id`
# - ids[:, 0] = bos_id
# + ids[:, 0] = 1


# %% check="grade-greedy-decode" answer="a last column that is never written"
# says: the last column is written too
# - range(1, max_len)
# + range(1, max_len - 1)


# %% check="grade-greedy-decode" answer="an EOS that becomes padding"
# says: its EOS is missing
_greedy_decode = greedy_decode
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids = _greedy_decode(model, source_ids, bos_id, eos_id, max_len)
    return np.where(np.logical_and(ids == eos_id, np.arange(ids.shape[1]) < 4), 0, ids)


# %% check="grade-trained-model" answer="no training at all"
# says: there is no model. Are `train` and what it uses written, and did the cell above run without an error?
BEING_GRADED = False
_trained = _history = None


# %% check="grade-trained-model" answer="a training that moved nothing"
# says: train: only
# says: Did the loss fall at all?
# says: `warmup_target`
BEING_GRADED = False
_history = None
_trained = build_transformer(len(TOKENS), MAX_LEN, 1, 8, 2, 16)
_test_source, _test_target = to_pairs(draw_numbers(20, seed=1))


# %% check="grade-trained-model" answer="a training that moved nothing, with its curve"
# says: numbers are right. The loss was 4.31 in the first update, 4.20 in the last epoch. Did the loss fall at all?
BEING_GRADED = False
_history = Progress()
_history.loss = [(1, 4.31), (2, 4.2)]
_trained = build_transformer(len(TOKENS), MAX_LEN, 1, 8, 2, 16)
_test_source, _test_target = to_pairs(draw_numbers(20, seed=1))
