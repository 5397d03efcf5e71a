"""Known wrong answers of 07-training/training.

Those of `trained-model` train on few pairs or not at all (`_QUICK`), but for two that learn everything and still can't
translate. `_stand_in` is a model of known quality, made by rule: it stands for trainings that got part of the way.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]

_QUICK = {"training_pairs": 600, "training_seconds": 60}


def _mistake(
    id: str, task: str, fails: str, hint: str, code: str, limits: Mapping[str, float] | None = None
) -> Mistake:
    return Mistake(id, task, Text(hint), code.strip("\n") + "\n", frozenset(fails.split()), limits or {})


def _schedule(body: str, init: str = "", base: str = "keras.optimizers.schedules.LearningRateSchedule") -> str:
    return f"""
class WarmupSchedule({base}):
    def __init__(self, d_model, warmup_steps=4000):
        self.d_model = d_model
        self.warmup_steps = warmup_steps
{init}
    def __call__(self, step):
{body}
"""


_SCHEDULE = (
    _mistake(
        "schedule-first-step-zero",
        "warmup-schedule",
        "schedule-first-step",
        "The first update has the learning rate 0: Keras counts it as step 0, the paper as 1.",
        _schedule("""
        step = ops.cast(step, "float32")
        return self.d_model**-0.5 * ops.minimum(ops.rsqrt(ops.maximum(step, 1e-9)), step * self.warmup_steps**-1.5)
"""),
    ),
    _mistake(
        "schedule-counts-from-two",
        "warmup-schedule",
        "schedule-first-step",
        "The first updates have the rate of a later one: add 1 to the step, not more.",
        _schedule("""
        n = ops.cast(step, "float32") + 2.0
        return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)
"""),
    ),
    _mistake(
        "schedule-max",
        "warmup-schedule",
        "schedule-warmup schedule-decay",
        "The larger of the two terms is taken. It is the smaller one.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        return self.d_model**-0.5 * ops.maximum(n**-0.5, n * self.warmup_steps**-1.5)
"""),
    ),
    _mistake(
        "schedule-without-d-model",
        "warmup-schedule",
        "schedule-size",
        "The factor 1 / sqrt(d_model) is missing.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        return ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)
"""),
    ),
    _mistake(
        "schedule-times-root",
        "warmup-schedule",
        "schedule-size",
        "It is multiplied by the root of d_model. The wider the model, the smaller the rate: divide.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        return self.d_model**0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)
"""),
    ),
    _mistake(
        "schedule-divided-by-d-model",
        "warmup-schedule",
        "schedule-size",
        "It is divided by d_model itself, not by its root.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        return ops.minimum(n**-0.5, n * self.warmup_steps**-1.5) / self.d_model
"""),
    ),
    _mistake(
        "schedule-peak-one",
        "warmup-schedule",
        "schedule-size",
        "At the end of the warm-up your rate is 1. The paper's is 1 / sqrt(d_model * warmup_steps).",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        return ops.minimum(n / self.warmup_steps, (self.warmup_steps / n) ** 0.5)
"""),
    ),
    _mistake(
        "schedule-warmup-ignored",
        "warmup-schedule",
        "schedule-decay",
        "The warm-up always ends after 4000 updates, whatever `warmup_steps` says.",
        _schedule(
            """
        n = ops.cast(step, "float32") + 1.0
        return self.d_model**-0.5 * ops.minimum(n**-0.5, n * 4000**-1.5)
""",
            "        self.warmup_steps = 4000\n",
        ),
    ),
    _mistake(
        "schedule-warmup-curved",
        "warmup-schedule",
        "schedule-warmup",
        "The rate of the warm-up rises with the root of the step. It should rise evenly.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        return self.d_model**-0.5 * ops.minimum(n**-0.5, n**0.5 / self.warmup_steps)
"""),
    ),
    _mistake(
        "schedule-constant-warmup",
        "warmup-schedule",
        "schedule-warmup",
        "During the warm-up the rate doesn't change.",
        _schedule("""
        n = ops.maximum(ops.cast(step, "float32") + 1.0, float(self.warmup_steps))
        return self.d_model**-0.5 * n**-0.5
"""),
    ),
    _mistake(
        "schedule-power",
        "warmup-schedule",
        "schedule-warmup",
        "The exponent of warmup_steps is wrong: the two terms have to meet at the end of the warm-up.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-0.5)
"""),
    ),
    _mistake(
        "schedule-no-decay",
        "warmup-schedule",
        "schedule-decay",
        "After the warm-up the rate stays as it is. It should fall.",
        _schedule("""
        n = ops.minimum(ops.cast(step, "float32") + 1.0, float(self.warmup_steps))
        return self.d_model**-0.5 * n * self.warmup_steps**-1.5
"""),
    ),
    _mistake(
        "schedule-decay-one-over-step",
        "warmup-schedule",
        "schedule-decay",
        "After the warm-up the rate falls with the step itself, not with its root.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        w = self.warmup_steps
        return self.d_model**-0.5 * ops.minimum(w**0.5 / n, n * w**-1.5)
"""),
    ),
    _mistake(
        "schedule-no-return",
        "warmup-schedule",
        "schedule-number",
        "The rate is computed, but not returned.",
        _schedule("""
        n = ops.cast(step, "float32") + 1.0
        rate = self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)
"""),
    ),
    _mistake(
        "schedule-plain-class",
        "warmup-schedule",
        "schedule-in-optimizer",
        "The class doesn't inherit from Keras's LearningRateSchedule.",
        _schedule(
            """
        n = ops.cast(step, "float32") + 1.0
        return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)
""",
            base="object",
        ),
    ),
    _mistake(
        "schedule-own-counter",
        "warmup-schedule",
        "schedule-warmup schedule-decay schedule-in-optimizer",
        "The schedule counts its own calls. The step is given to it.",
        _schedule(
            """
        self.calls += 1
        n = float(self.calls)
        return self.d_model**-0.5 * min(n**-0.5, n * self.warmup_steps**-1.5)
""",
            "        self.calls = 0\n",
        ),
    ),
)

_FORCING = (
    _mistake(
        "forcing-unshifted",
        "teacher-forcing",
        "forcing-shape",
        "Both are the whole target. The labels have to be one step ahead, so each loses one column.",
        """
def teacher_forcing_pairs(target_ids):
    return target_ids, target_ids
""",
    ),
    _mistake(
        "forcing-shifted-twice",
        "teacher-forcing",
        "forcing-shape",
        "The labels are two steps ahead of the input.",
        """
def teacher_forcing_pairs(target_ids):
    decoder_input = target_ids[:, :-1]
    labels = target_ids[:, 1:]
    return decoder_input[:, :-1], labels[:, 1:]
""",
    ),
    _mistake(
        "forcing-only-labels-cut",
        "teacher-forcing",
        "forcing-shape",
        "The decoder's input has as many columns as the target: leave out the last one.",
        """
def teacher_forcing_pairs(target_ids):
    return target_ids, target_ids[:, 1:]
""",
    ),
    _mistake(
        "forcing-rows",
        "teacher-forcing",
        "forcing-shape",
        "Rows are cut off. The first axis is the batch, time runs along the second.",
        """
def teacher_forcing_pairs(target_ids):
    return target_ids[:-1], target_ids[1:]
""",
    ),
    _mistake(
        "forcing-swapped",
        "teacher-forcing",
        "forcing-input forcing-labels",
        "Input and labels are swapped: the decoder would read the answer and be asked for the word before.",
        """
def teacher_forcing_pairs(target_ids):
    return target_ids[:, 1:], target_ids[:, :-1]
""",
    ),
    _mistake(
        "forcing-bos-in-labels",
        "teacher-forcing",
        "forcing-labels",
        "The labels begin with BOS: they are what the decoder reads. It would learn to copy.",
        """
def teacher_forcing_pairs(target_ids):
    return target_ids[:, :-1], target_ids[:, :-1]
""",
    ),
    _mistake(
        "forcing-no-bos",
        "teacher-forcing",
        "forcing-input",
        "The decoder's input lacks BOS: it reads the very tokens that it is asked for.",
        """
def teacher_forcing_pairs(target_ids):
    return target_ids[:, 1:], target_ids[:, 1:]
""",
    ),
    _mistake(
        "forcing-rolled",
        "teacher-forcing",
        "forcing-labels",
        "`roll` brings the first token back at the end of each row, and the first column is still there.",
        """
def teacher_forcing_pairs(target_ids):
    labels = np.roll(target_ids, -2, axis=1)
    return target_ids[:, :-1], labels[:, :-1]
""",
    ),
    _mistake(
        "forcing-padding-shift",
        "teacher-forcing",
        "forcing-input",
        "A second BOS is put in front. The targets begin with one already.",
        """
def teacher_forcing_pairs(target_ids):
    target_ids = np.asarray(target_ids)
    bos = np.ones((len(target_ids), 1), dtype=target_ids.dtype)
    return np.concatenate([bos, target_ids], axis=1)[:, :-2], target_ids[:, 1:]
""",
    ),
)

_LOG_P = """
    labels = ops.cast(labels, "int32")
    log_p = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    of_label = ops.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")
"""


def _loss(body: str) -> str:
    return f"def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):{_LOG_P}{body}"


def _smoothed(losses: str) -> str:
    return _loss(f"""
    losses = {losses}
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
""")


_LOSS = (
    _mistake(
        "loss-per-position",
        "masked-loss",
        "loss-number",
        "One loss for each position comes back. Take their mean.",
        _loss("""
    return -of_label * kept
"""),
    ),
    _mistake(
        "loss-per-row",
        "masked-loss",
        "loss-number",
        "One loss for each row comes back. The mean is over all rows too.",
        _loss("""
    return -ops.sum(of_label * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0)
"""),
    ),
    _mistake(
        "loss-sum",
        "masked-loss",
        "loss-plain",
        "This is the sum of the losses. Divide by the number of positions that count.",
        _loss("""
    return -ops.sum(of_label * kept)
"""),
    ),
    _mistake(
        "loss-sum-over-rows",
        "masked-loss",
        "loss-plain",
        "It is divided by the number of rows, not by the number of words.",
        _loss("""
    return -ops.sum(of_label * kept) / labels.shape[0]
"""),
    ),
    _mistake(
        "loss-sign",
        "masked-loss",
        "loss-plain",
        "The sign is wrong: the logarithm of a probability is negative, the loss is its opposite.",
        _loss("""
    return ops.sum(of_label * kept) / ops.maximum(ops.sum(kept), 1.0)
"""),
    ),
    _mistake(
        "loss-base-2",
        "masked-loss",
        "loss-plain",
        "This is in bits. The natural logarithm is asked for.",
        _loss("""
    return -ops.sum(of_label * kept) / ops.maximum(ops.sum(kept), 1.0) / np.log(2.0)
"""),
    ),
    _mistake(
        "loss-takes-probabilities",
        "masked-loss",
        "loss-plain",
        "The loss takes the logits for probabilities: `from_logits=True` is missing.",
        """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    losses = keras.losses.sparse_categorical_crossentropy(labels, ops.cast(logits, "float32"))
    kept = ops.cast(ops.cast(labels, "int32") != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
""",
    ),
    _mistake(
        "loss-softmax-twice",
        "masked-loss",
        "loss-plain",
        "The softmax is taken twice: the loss takes logits, and gets probabilities.",
        """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    p = ops.exp(ops.log_softmax(ops.cast(logits, "float32")))
    losses = keras.losses.sparse_categorical_crossentropy(labels, p, from_logits=True)
    kept = ops.cast(ops.cast(labels, "int32") != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
""",
    ),
    _mistake(
        "loss-no-normalisation",
        "masked-loss",
        "loss-plain",
        "Only the label's logit counts. The logarithm of the sum of all exponentials is missing.",
        """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    losses = -ops.take_along_axis(ops.cast(logits, "float32"), labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
""",
    ),
    _mistake(
        "loss-counts-padding",
        "masked-loss",
        "loss-padding",
        "The padding is counted like words.",
        _loss("""
    return -ops.mean((1 - label_smoothing) * of_label + label_smoothing * ops.mean(log_p, axis=-1))
"""),
    ),
    _mistake(
        "loss-divides-by-all",
        "masked-loss",
        "loss-padding",
        "The padding's losses are set to 0, but it is still divided by the number of all positions.",
        _loss("""
    return -ops.mean(((1 - label_smoothing) * of_label + label_smoothing * ops.mean(log_p, axis=-1)) * kept)
"""),
    ),
    _mistake(
        "loss-mean-of-rows",
        "masked-loss",
        "loss-padding",
        "Each row is averaged by itself and then the rows: a word of a short sentence counts more than one of a long.",
        _loss("""
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.mean(ops.sum(losses * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0))
"""),
    ),
    _mistake(
        "loss-mask-inverted",
        "masked-loss",
        "loss-plain",
        "The mask is upside down: only the padding counts.",
        _loss("""
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * (1 - kept)) / ops.maximum(ops.sum(1 - kept), 1.0)
"""),
    ),
    _mistake(
        "loss-smoothing-ignored",
        "masked-loss",
        "loss-smoothing",
        "`label_smoothing` changes nothing.",
        _smoothed("-of_label"),
    ),
    _mistake(
        "loss-smoothing-others-only",
        "masked-loss",
        "loss-smoothing",
        "The share is spread over the other tokens only. In the paper it is spread over all, the label included.",
        _smoothed(
            "-(1 - label_smoothing) * of_label"
            " - label_smoothing * (ops.sum(log_p, axis=-1) - of_label) / (log_p.shape[-1] - 1)"
        ),
    ),
    _mistake(
        "loss-smoothing-by-predictions",
        "masked-loss",
        "loss-smoothing",
        "The target is mixed with the model's own probabilities. It is mixed with the uniform distribution.",
        _smoothed("-(1 - label_smoothing) * of_label - label_smoothing * ops.sum(ops.exp(log_p) * log_p, axis=-1)"),
    ),
    _mistake(
        "loss-smoothing-twice",
        "masked-loss",
        "loss-smoothing",
        "The labels are smoothed twice.",
        """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    size = logits.shape[-1]
    target = (1 - label_smoothing) * ops.one_hot(labels, size) + label_smoothing / size
    losses = keras.losses.categorical_crossentropy(
        target, ops.cast(logits, "float32"), from_logits=True, label_smoothing=label_smoothing
    )
    kept = ops.cast(labels != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
""",
    ),
    _mistake(
        "loss-smoothing-added",
        "masked-loss",
        "loss-smoothing",
        "The uniform part is added, but the label keeps all of its probability: together that is more than 1.",
        _smoothed("-of_label - label_smoothing * ops.mean(log_p, axis=-1)"),
    ),
    _mistake(
        "loss-smoothing-swapped",
        "masked-loss",
        "loss-smoothing",
        "The label gets the small share and the uniform part the large one.",
        _smoothed(
            "-(label_smoothing if label_smoothing else 1.0) * of_label"
            " - ((1 - label_smoothing) if label_smoothing else 0.0) * ops.mean(log_p, axis=-1)"
        ),
    ),
    _mistake(
        "loss-smoothing-scaled",
        "masked-loss",
        "loss-smoothing",
        "The label's share is reduced, but nobody gets the rest.",
        _smoothed("-(1 - label_smoothing) * of_label"),
    ),
    _mistake(
        "loss-smoothing-not-divided",
        "masked-loss",
        "loss-smoothing",
        "Every token gets the whole share. It is divided among them.",
        _smoothed("-(1 - label_smoothing) * of_label - label_smoothing * ops.sum(log_p, axis=-1)"),
    ),
    _mistake(
        "loss-overflows",
        "masked-loss",
        "loss-stable",
        "Exponentials of large logits are infinite. Take the logarithm of the softmax as one function.",
        """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    e = ops.exp(ops.cast(logits, "float32"))
    log_p = ops.log(e / ops.sum(e, axis=-1, keepdims=True))
    of_label = ops.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
""",
    ),
    _mistake(
        "loss-clipped",
        "masked-loss",
        "loss-stable",
        "Probabilities are kept away from 0 by a small number: beyond it the loss stops growing.",
        """
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    log_p = ops.log(ops.softmax(ops.cast(logits, "float32")) + 1e-9)
    of_label = ops.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
""",
    ),
    _mistake(
        "loss-pad-id-ignored",
        "masked-loss",
        "loss-pad-id",
        "The id 0 is left out, whatever `pad_id` says.",
        _loss("""
    kept = ops.cast(labels != 0, "float32")
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
"""),
    ),
    _mistake(
        "loss-nothing-but-padding",
        "masked-loss",
        "loss-only-padding",
        "If everything is padding, 0 is divided by 0.",
        _loss("""
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * kept) / ops.sum(kept)
"""),
    ),
)


def _accuracy(body: str) -> str:
    return f"""
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.cast(labels, "int32")
    right = ops.cast(ops.cast(ops.argmax(logits, axis=-1), "int32") == labels, "float32")
    kept = ops.cast(labels != pad_id, "float32")
{body}
"""


_ACCURACY = (
    _mistake(
        "accuracy-per-position",
        "masked-accuracy",
        "accuracy-number",
        "A 0 or 1 for each position comes back. Take their mean.",
        _accuracy("    return right * kept"),
    ),
    _mistake(
        "accuracy-wrong-axis",
        "masked-accuracy",
        "accuracy-number",
        "The likeliest token is searched along the wrong axis. The vocabulary is the last one.",
        """
def masked_accuracy(labels, logits, pad_id=0):
    right = np.argmax(to_numpy(logits), axis=1) == np.asarray(labels)
    kept = np.asarray(labels) != pad_id
    return (right & kept).sum() / kept.sum()
""",
    ),
    _mistake(
        "accuracy-of-sequences",
        "masked-accuracy",
        "accuracy-plain",
        "A row counts only if all of it is right. Count words.",
        _accuracy("    return ops.mean(ops.min(ops.maximum(right, 1 - kept), axis=1))"),
    ),
    _mistake(
        "accuracy-error-rate",
        "masked-accuracy",
        "accuracy-plain",
        "This is the share of wrong words.",
        _accuracy("    return ops.sum((1 - right) * kept) / ops.maximum(ops.sum(kept), 1.0)"),
    ),
    _mistake(
        "accuracy-count",
        "masked-accuracy",
        "accuracy-plain",
        "This is the number of right words, not their share.",
        _accuracy("    return ops.sum(right * kept)"),
    ),
    _mistake(
        "accuracy-argmin",
        "masked-accuracy",
        "accuracy-plain",
        "The smallest logit is taken. The largest is the likeliest token.",
        """
def masked_accuracy(labels, logits, pad_id=0):
    labels = ops.cast(labels, "int32")
    right = ops.cast(ops.cast(ops.argmin(logits, axis=-1), "int32") == labels, "float32")
    kept = ops.cast(labels != pad_id, "float32")
    return ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
""",
    ),
    _mistake(
        "accuracy-counts-padding",
        "masked-accuracy",
        "accuracy-padding",
        "The padding is counted like words.",
        _accuracy("    return ops.mean(right)"),
    ),
    _mistake(
        "accuracy-divides-by-all",
        "masked-accuracy",
        "accuracy-padding",
        "Right padding isn't counted, but it is still divided by the number of all positions.",
        _accuracy("    return ops.mean(right * kept)"),
    ),
    _mistake(
        "accuracy-padding-right",
        "masked-accuracy",
        "accuracy-padding",
        "The padding is counted as right, whatever the model says there.",
        _accuracy("    return ops.mean(ops.maximum(right, 1 - kept))"),
    ),
    _mistake(
        "accuracy-mean-of-rows",
        "masked-accuracy",
        "accuracy-padding",
        "Each row is averaged by itself and then the rows. Every word counts the same.",
        _accuracy("    return ops.mean(ops.sum(right * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0))"),
    ),
    _mistake(
        "accuracy-pad-id-ignored",
        "masked-accuracy",
        "accuracy-pad-id",
        "The id 0 is left out, whatever `pad_id` says.",
        _accuracy("""
    kept = ops.cast(labels != 0, "float32")
    return ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
"""),
    ),
    _mistake(
        "accuracy-nothing-but-padding",
        "masked-accuracy",
        "accuracy-only-padding",
        "If everything is padding, 0 is divided by 0.",
        _accuracy("    return ops.sum(right * kept) / ops.sum(kept)"),
    ),
)


def _decode(
    start: str = "bos_id",
    condition: str = "ids.shape[1] < max_len and not ended.all()",
    inputs: str = "ids",
    choice: str = "logits[:, -1].argmax(axis=-1)",
    padded: str = "np.where(ended, 0, following)",
    end: str = "ended |= following == eos_id",
    result: str = "ids",
) -> str:
    return f"""
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids = np.full((len(source_ids), 1), {start})
    ended = np.zeros(len(source_ids), dtype=bool)
    while {condition}:
        logits = to_numpy(model([source_ids, {inputs}]))
        following = {choice}
        following = {padded}
        ids = np.concatenate([ids, following[:, None]], axis=1)
        {end}
    return {result}
"""


_DECODE = (
    _mistake(
        "decode-returns-last-ids",
        "greedy-decode",
        "decode-shape",
        "Only the last id of each row is returned.",
        _decode(result="following"),
    ),
    _mistake(
        "decode-one-row",
        "greedy-decode",
        "decode-shape",
        "Only the first row is returned.",
        _decode(result="ids[0]"),
    ),
    _mistake(
        "decode-bos-cut-off",
        "greedy-decode",
        "decode-begins",
        "BOS is cut off. Here it stays in front.",
        _decode(result="ids[:, 1:]"),
    ),
    _mistake(
        "decode-starts-with-padding",
        "greedy-decode",
        "decode-begins decode-path",
        "The rows begin with 0 instead of BOS: the model has never seen that.",
        _decode(start="0"),
    ),
    _mistake(
        "decode-from-eos",
        "greedy-decode",
        "decode-begins decode-path",
        "The rows begin with EOS instead of BOS.",
        _decode(start="eos_id"),
    ),
    _mistake(
        "decode-argmin",
        "greedy-decode",
        "decode-path",
        "The least likely token is taken.",
        _decode(choice="logits[:, -1].argmin(axis=-1)"),
    ),
    _mistake(
        "decode-last-id-only",
        "greedy-decode",
        "decode-path",
        "The model gets only the last id. It needs all ids so far.",
        _decode(inputs="ids[:, -1:]"),
    ),
    _mistake(
        "decode-not-fed-back",
        "greedy-decode",
        "decode-path",
        "Every step is like the first: what the model has said is not fed back, or the first position's logits are used.",
        _decode(inputs="ids[:, :1]"),
    ),
    _mistake(
        "decode-samples",
        "greedy-decode",
        "decode-path",
        "Tokens are drawn at random. Greedy decoding takes the likeliest one.",
        _decode(
            choice="(logits[:, -1] + 5 * np.random.default_rng(ids.shape[1]).gumbel(size=logits[:, -1].shape))"
            ".argmax(axis=-1)"
        ),
    ),
    _mistake(
        "decode-stops-with-first-row",
        "greedy-decode",
        "decode-rows",
        "It stops as soon as one row has ended. The others have more to say.",
        _decode(condition="ids.shape[1] < max_len and not ended.any()"),
    ),
    _mistake(
        "decode-watches-first-row",
        "greedy-decode",
        "decode-rows",
        "Only the first row is watched for its end.",
        _decode(condition="ids.shape[1] < max_len and not ended[0]"),
    ),
    _mistake(
        "decode-first-source",
        "greedy-decode",
        "decode-rows",
        "Every row is decoded for the first source.",
        _decode(result="ids").replace(
            "model([source_ids,", "model([np.repeat(source_ids[:1], len(source_ids), axis=0),"
        ),
    ),
    _mistake(
        "decode-eos-missing",
        "greedy-decode",
        "decode-padding",
        "The EOS of a row is replaced by padding.",
        _decode(
            padded="np.where(ended | (following == eos_id), 0, following)",
            end="ended |= following == 0",
        ),
    ),
    _mistake(
        "decode-not-padded",
        "greedy-decode",
        "decode-padding",
        "A row that has ended goes on talking until the others have ended too.",
        _decode(padded="following"),
    ),
    _mistake(
        "decode-eos-repeated",
        "greedy-decode",
        "decode-padding",
        "A row that has ended is filled up with EOS. It should be padding.",
        _decode(padded="np.where(ended, eos_id, following)"),
    ),
    _mistake(
        "decode-never-stops",
        "greedy-decode",
        "decode-stops",
        "It goes on to max_len although every row has ended.",
        _decode(condition="ids.shape[1] < max_len"),
    ),
    _mistake(
        "decode-one-too-many",
        "greedy-decode",
        "decode-max-len",
        "max_len counts all ids, BOS included: there is one too many.",
        _decode(condition="ids.shape[1] <= max_len and not ended.all()"),
    ),
    _mistake(
        "decode-one-too-few",
        "greedy-decode",
        "decode-max-len",
        "There is one id too few: max_len ids are allowed, BOS included.",
        _decode(condition="ids.shape[1] < max_len - 1 and not ended.all()"),
    ),
    _mistake(
        "decode-max-len-ignored",
        "greedy-decode",
        "decode-max-len",
        "Without EOS a row always has 60 ids, whatever `max_len` says.",
        _decode(condition="ids.shape[1] < 60 and not ended.all()"),
    ),
    _mistake(
        "decode-fixed-ids",
        "greedy-decode",
        "decode-other-ids",
        "BOS and EOS are 1 and 2, whatever the arguments say.",
        _decode(start="1", end="ended |= following == 2"),
    ),
)


def _train(body: str) -> str:
    return f"""
def train(train_source, train_target, vocab_size, max_len, seed):
    keras.utils.set_random_seed(seed)
    model = build_transformer(vocab_size, max_len, num_layers=1, d_model=32, num_heads=2, ff_dim=32, dropout=0.0)
    reads, asked = teacher_forcing_pairs(train_target)
{body}
"""


_FIT = """
    model.compile(keras.optimizers.Adam(2e-3), loss=masked_loss)
    model.fit([train_source, reads], asked, batch_size=128, epochs=1, verbose=0)
"""


def _stand_in(wrong: int) -> str:
    """Return a `train` whose model knows the rules of both languages and errs in `wrong` of every 100 rows."""
    return f"""
class StandIn(keras.Model):
    def call(self, inputs, training=None):
        source, target = (to_numpy(ids).astype(int) for ids in inputs)
        logits = np.zeros((*target.shape, len(TOKENS)), dtype="float32")
        for row, ids in enumerate(source):
            answer = [IDS[word] for word in read_in_english(number_of(ids))] + [EOS]
            if row % 100 < {wrong}:
                answer[0] = UNK
            for position in range(target.shape[1]):
                logits[row, position, answer[min(position, len(answer) - 1)]] = 9
        return ops.convert_to_tensor(logits)


def number_of(ids):
    total = group = digit = 0
    for token in (TOKENS[i] for i in ids if i):
        if token in "십백천":
            group += max(digit, 1) * dict(zip("십백천", (10, 100, 1000)))[token]
            digit = 0
        elif token in "만억":
            total += max(group + digit, 1) * (10**4 if token == "만" else 10**8)
            group = digit = 0
        else:
            digit = SYLLABLES.index(token) + 1
    return total + group + digit


def train(train_source, train_target, vocab_size, max_len, seed):
    return StandIn()
"""


_TRAIN = (
    _mistake(
        "train-returns-history",
        "trained-model",
        "train-model",
        "What `fit` returns is the history of the training. Return the model.",
        _train("""
    model.compile(keras.optimizers.Adam(2e-3), loss=masked_loss)
    return model.fit([train_source, reads], asked, batch_size=128, epochs=1, verbose=0)
"""),
        _QUICK,
    ),
    _mistake(
        "train-returns-nothing",
        "trained-model",
        "train-model",
        "The trained model is not returned.",
        _train(_FIT),
        _QUICK,
    ),
    _mistake(
        "train-raises",
        "trained-model",
        "train-model",
        "Labels and logits have different lengths: the whole target is asked for.",
        _train("""
    model.compile(keras.optimizers.Adam(2e-3), loss=masked_loss)
    model.fit([train_source, reads], train_target, batch_size=128, epochs=1, verbose=0)
    return model
"""),
        _QUICK,
    ),
    _mistake(
        "train-missing-weights",
        "trained-model",
        "train-model",
        "The weights are loaded from a file that was not handed in.",
        _train("""
    model.load_weights("training.weights.h5")
    return model
"""),
        _QUICK,
    ),
    _mistake(
        "train-never-ends",
        "trained-model",
        "train-model",
        "The training has no end.",
        _train("""
    while True:
        seed += 1
"""),
        {"training_pairs": 600, "training_seconds": 5},
    ),
    _mistake(
        "train-diverges",
        "trained-model",
        "train-logits",
        "The learning rate is far too high.",
        _train("""
    model.compile(keras.optimizers.SGD(1e8), loss=masked_loss)
    model.fit([train_source, reads], asked, batch_size=128, epochs=2, verbose=0)
    return model
"""),
        _QUICK,
    ),
    _mistake(
        "train-other-vocabulary",
        "trained-model",
        "train-logits",
        "The model's vocabulary is larger than `vocab_size`.",
        """
def train(train_source, train_target, vocab_size, max_len, seed):
    return build_transformer(vocab_size + 1, max_len, 1, 32, 2, 32)
""",
        _QUICK,
    ),
    _mistake(
        "train-untrained",
        "trained-model",
        "match-50",
        "The model is compiled, but never fitted.",
        _train("""
    model.compile(keras.optimizers.Adam(2e-3), loss=masked_loss)
    return model
"""),
        _QUICK,
    ),
    _mistake(
        "train-one-epoch",
        "trained-model",
        "match-50",
        "One epoch is far too short.",
        _train(_FIT + "    return model"),
        _QUICK,
    ),
    _mistake(
        "train-not-shifted",
        "trained-model",
        "match-50",
        "The model says its own input again: the labels are what the decoder reads, so copying was all it learnt.",
        _train("""
    model.compile(keras.optimizers.Adam(5e-3), loss=masked_loss)
    model.fit([train_source, reads], reads, batch_size=64, epochs=6, verbose=0)
    return model
"""),
        {"training_pairs": 3000, "training_seconds": 120},
    ),
    _mistake(
        "train-transformer-that-leaks",
        "trained-model",
        "match-50 train-carried",
        "A Transformer without a look-ahead mask: it reads the answers in training, and has none later.",
        _train(_FIT + "    return model")
        + """

def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
    source, target = keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")
    embedding = keras.layers.Embedding(vocab_size, d_model)
    memory = embedding(source)
    x = embedding(target)
    x = keras.layers.Add()([x, keras.layers.MultiHeadAttention(num_heads, d_model)(x, x)])
    x = keras.layers.Add()([x, keras.layers.MultiHeadAttention(num_heads, d_model)(x, memory)])
    return keras.Model([source, target], keras.layers.Dense(vocab_size)(x))
""",
        _QUICK,
    ),
    *(
        _mistake(
            f"train-stops-before-{line}",
            "trained-model",
            f"match-{line}",
            "The training stopped too early.",
            _stand_in(wrong),
            _QUICK,
        )
        for line, wrong in ((80, 35), (90, 15), (95, 8), (98, 4))
    ),
)

MISTAKES: tuple[Mistake, ...] = (*_SCHEDULE, *_FORCING, *_LOSS, *_ACCURACY, *_DECODE, *_TRAIN)
