# %% mistake="schedule-first-step-zero" task="warmup-schedule" misses="schedule-first-step" of="solution"
# The first update has the learning rate 0: Keras counts it as step 0, the paper as 1.
# ko: 첫 업데이트의 학습률이 0입니다. 케라스는 첫 업데이트를 step 0으로, 논문은 1로 셉니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         step = ops.cast(step, "float32")
# +         return self.d_model**-0.5 * ops.minimum(ops.rsqrt(ops.maximum(step, 1e-9)), step * self.warmup_steps**-1.5)


# %% mistake="schedule-counts-from-two" task="warmup-schedule" misses="schedule-first-step" of="solution"
# The first updates have the rate of a later one: add 1 to the step, not more.
# ko: 처음 업데이트들이 더 뒤의 학습률을 받습니다. step에 1만 더하세요.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 2.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-max" task="warmup-schedule" misses="schedule-warmup schedule-decay" of="solution"
# The larger of the two terms is taken. It is the smaller one.
# ko: 두 항 가운데 큰 쪽을 골랐습니다. 작은 쪽이어야 합니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.maximum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-without-d-model" task="warmup-schedule" misses="schedule-size" of="solution"
# The factor 1 / sqrt(d_model) is missing.
# ko: 계수 1 / sqrt(d_model)이 빠졌습니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-times-root" task="warmup-schedule" misses="schedule-size" of="solution"
# It is multiplied by the root of d_model. The wider the model, the smaller the rate: divide.
# ko: d_model의 제곱근을 곱했습니다. 모델이 넓을수록 학습률은 작아집니다. 나누세요.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-divided-by-d-model" task="warmup-schedule" misses="schedule-size" of="solution"
# It is divided by d_model itself, not by its root.
# ko: d_model의 제곱근이 아니라 d_model 자체로 나누었습니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return ops.minimum(n**-0.5, n * self.warmup_steps**-1.5) / self.d_model


# %% mistake="schedule-peak-one" task="warmup-schedule" misses="schedule-size" of="solution"
# At the end of the warm-up your rate is 1. The paper's is 1 / sqrt(d_model * warmup_steps).
# ko: 웜업이 끝날 때 학습률이 1입니다. 논문에서는 1 / sqrt(d_model * warmup_steps)입니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return ops.minimum(n / self.warmup_steps, (self.warmup_steps / n) ** 0.5)


# %% mistake="schedule-warmup-ignored" task="warmup-schedule" misses="schedule-decay" of="solution"
# The warm-up always ends after 4000 updates, whatever `warmup_steps` says.
# ko: `warmup_steps`와 상관없이 웜업이 언제나 업데이트 4000번 뒤에 끝납니다.
# -         self.warmup_steps = warmup_steps
# +         self.warmup_steps = warmup_steps
# +         self.warmup_steps = 4000
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n * 4000**-1.5)


# %% mistake="schedule-warmup-curved" task="warmup-schedule" misses="schedule-warmup" of="solution"
# The rate of the warm-up rises with the root of the step. It should rise evenly.
# ko: 웜업 동안 학습률이 step의 제곱근에 비례해 오릅니다. 고르게 올라야 합니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n**0.5 / self.warmup_steps)


# %% mistake="schedule-constant-warmup" task="warmup-schedule" misses="schedule-warmup" of="solution"
# During the warm-up the rate doesn't change.
# ko: 웜업 동안 학습률이 변하지 않습니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.maximum(ops.cast(step, "float32") + 1.0, float(self.warmup_steps))
# +         return self.d_model**-0.5 * n**-0.5


# %% mistake="schedule-power" task="warmup-schedule" misses="schedule-warmup" of="solution"
# The exponent of warmup_steps is wrong: the two terms have to meet at the end of the warm-up.
# ko: warmup_steps의 지수가 틀렸습니다. 두 항은 웜업이 끝날 때 만나야 합니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-0.5)


# %% mistake="schedule-no-decay" task="warmup-schedule" misses="schedule-decay" of="solution"
# After the warm-up the rate stays as it is. It should fall.
# ko: 웜업 뒤에 학습률이 그대로입니다. 내려가야 합니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.minimum(ops.cast(step, "float32") + 1.0, float(self.warmup_steps))
# +         return self.d_model**-0.5 * n * self.warmup_steps**-1.5


# %% mistake="schedule-decay-one-over-step" task="warmup-schedule" misses="schedule-decay" of="solution"
# After the warm-up the rate falls with the step itself, not with its root.
# ko: 웜업 뒤에 학습률이 step의 제곱근이 아니라 step 자체에 반비례해 내려갑니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         w = self.warmup_steps
# +         return self.d_model**-0.5 * ops.minimum(w**0.5 / n, n * w**-1.5)


# %% mistake="schedule-no-return" task="warmup-schedule" misses="schedule-number" of="solution"
# The rate is computed, but not returned.
# ko: 학습률을 계산했지만 돌려주지 않습니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         rate = self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-plain-class" task="warmup-schedule" misses="schedule-in-optimizer" of="solution"
# The class doesn't inherit from Keras's LearningRateSchedule.
# ko: 클래스가 케라스의 LearningRateSchedule을 상속하지 않습니다.
# - keras.optimizers.schedules.LearningRateSchedule
# + object
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-eager-only" task="warmup-schedule" misses="schedule-in-optimizer" of="solution" backends="tensorflow jax"
# The schedule needs the step's value: compiled code, as `fit` makes it, has none yet.
# ko: 스케줄이 step의 값을 필요로 합니다. `fit`이 컴파일한 코드에는 아직 값이 없습니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = float(step) + 1.0
# +         return self.d_model**-0.5 * min(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-own-counter" task="warmup-schedule" misses="schedule-warmup schedule-decay schedule-in-optimizer" of="solution"
# The schedule counts its own calls. The step is given to it.
# ko: 스케줄이 자기가 호출된 횟수를 셉니다. step은 인수로 받습니다.
# -         self.warmup_steps = warmup_steps
# +         self.warmup_steps = warmup_steps
# +         self.calls = 0
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         self.calls += 1
# +         n = float(self.calls)
# +         return self.d_model**-0.5 * min(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-d-model-fixed" task="warmup-schedule" misses="schedule-size" of="solution"
# The rate is that of d_model 512, whatever `d_model` says.
# ko: `d_model`과 상관없이 언제나 d_model이 512일 때의 학습률입니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return 512**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-other-default" task="warmup-schedule" misses="schedule-size" of="solution"
# Without `warmup_steps` the warm-up has another length than 4000 steps.
# ko: `warmup_steps`를 주지 않으면 웜업이 4000 step이 아닙니다.
# - def __init__(self, d_model, warmup_steps=4000):
# + def __init__(self, d_model, warmup_steps=1000):
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-config-incomplete" task="warmup-schedule" misses="schedule-size" of="solution"
# `get_config` has to hold `d_model` and `warmup_steps` as they were given.
# ko: `get_config`에는 `d_model`과 `warmup_steps`가 받은 그대로 들어 있어야 합니다.
# -     def __call__(self, step):
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
# +     def __call__(self, step):
# +
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-1.5)
# - {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# + {"d_model": self.d_model}


# %% mistake="schedule-power-precedence" task="warmup-schedule" misses="schedule-decay" of="solution"
# `x ** -3 / 2` is half of x to the power of -3. The exponent needs parentheses.
# ko: `x ** -3 / 2`는 x의 -3제곱의 절반입니다. 지수에 괄호가 필요합니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum(n**-0.5, n * self.warmup_steps**-3 / 2)


# %% mistake="schedule-decay-one-step-on" task="warmup-schedule" misses="schedule-first-step" of="solution"
# The two terms count the updates differently. The number is step + 1 in both.
# ko: 두 항이 업데이트를 서로 다르게 셉니다. 둘 다 step + 1입니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)

# -     def get_config(self):
# -         return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# +         n = ops.cast(step, "float32") + 1.0
# +         return self.d_model**-0.5 * ops.minimum((n + 1.0) ** -0.5, n * self.warmup_steps**-1.5)


# %% mistake="schedule-kink-one-step-early" task="warmup-schedule" misses="schedule-first-step" of="solution"
# The rate comes down one step too early. The two terms are equal at update number warmup_steps.
# ko: 학습률이 한 step 먼저 내려오기 시작합니다. 두 항은 업데이트 번호가 warmup_steps일 때 같습니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
# +         n = ops.cast(step, "float32") + 1.0
# +         rises = n < self.warmup_steps - 1
# +         return self.d_model**-0.5 * ops.where(rises, n * self.warmup_steps**-1.5, n**-0.5)


# %% mistake="schedule-floor" task="warmup-schedule" misses="schedule-first-step" of="solution"
# The rate never falls below a floor, so that the first ones are too large.
# ko: 학습률에 아래 한계를 두어서 처음 몇 값이 너무 큽니다.
# -         number = ops.cast(step, "float32") + 1.0
# -         return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
# +         number = ops.cast(step, "float32") + 1.0
# +         rate = self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
# +         return ops.maximum(rate, 1e-5)


# %% mistake="schedule-config-unwritten" task="warmup-schedule" misses="schedule-size" of="solution"
# `get_config` isn't written yet.
# ko: `get_config`를 아직 작성하지 않았습니다.
# - return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
# + raise NotImplementedError()


# %% mistake="forcing-unshifted" task="teacher-forcing" misses="forcing-shape"
# Both are the whole target. The labels have to be one step ahead, so each loses one column.
# ko: 둘 다 타깃 전체입니다. 라벨은 한 걸음 앞서야 하므로 둘에서 한 열씩 빠집니다.
def teacher_forcing_pairs(target_ids):
    return target_ids, target_ids


# %% mistake="forcing-shifted-twice" task="teacher-forcing" misses="forcing-shape"
# The labels are two steps ahead of the input.
# ko: 라벨이 입력보다 두 걸음 앞서 있습니다.
def teacher_forcing_pairs(target_ids):
    decoder_input = target_ids[:, :-1]
    labels = target_ids[:, 1:]
    return decoder_input[:, :-1], labels[:, 1:]


# %% mistake="forcing-only-labels-cut" task="teacher-forcing" misses="forcing-shape" of="plain"
# The decoder's input has as many columns as the target: leave out the last one.
# ko: 디코더 입력의 열 수가 타깃과 같습니다. 마지막 열을 빼세요.
# - target_ids[:, :-1]
# + target_ids


# %% mistake="forcing-rows" task="teacher-forcing" misses="forcing-shape"
# Rows are cut off. The first axis is the batch, time runs along the second.
# ko: 행이 잘렸습니다. 첫째 축은 배치이고 시간은 둘째 축을 따라 흐릅니다.
def teacher_forcing_pairs(target_ids):
    return target_ids[:-1], target_ids[1:]


# %% mistake="forcing-swapped" task="teacher-forcing" misses="forcing-input forcing-labels"
# Input and labels are swapped: the decoder would read the answer and be asked for the word before.
# ko: 입력과 라벨이 바뀌었습니다. 이러면 디코더가 답을 읽고 그 앞 단어를 맞히게 됩니다.
def teacher_forcing_pairs(target_ids):
    return target_ids[:, 1:], target_ids[:, :-1]


# %% mistake="forcing-bos-in-labels" task="teacher-forcing" misses="forcing-labels" of="plain"
# The labels begin with BOS: they are what the decoder reads. It would learn to copy.
# ko: 라벨이 BOS로 시작합니다. 디코더가 읽는 것과 같아서 베끼기를 배우게 됩니다.
# - :, 1:
# + :, :-1


# %% mistake="forcing-no-bos" task="teacher-forcing" misses="forcing-input" of="plain"
# The decoder's input lacks BOS: it reads the very tokens that it is asked for.
# ko: 디코더 입력에 BOS가 없습니다. 맞혀야 하는 바로 그 토큰을 읽고 있습니다.
# - :, :-1
# + :, 1:


# %% mistake="forcing-rolled" task="teacher-forcing" misses="forcing-labels"
# `roll` brings the first token back at the end of each row, and the labels have moved by more than one step.
# ko: `roll`은 각 행의 첫 토큰을 끝으로 다시 가져옵니다. 게다가 라벨이 한 칸보다 많이 밀렸습니다.
def teacher_forcing_pairs(target_ids):
    labels = np.roll(target_ids, -2, axis=1)
    return target_ids[:, :-1], labels[:, :-1]


# %% mistake="forcing-trims-padding" task="teacher-forcing" misses="forcing-labels"
# Columns that hold nothing but padding are cut off. Both results have len - 1 columns.
# ko: 패딩밖에 없는 열이 잘렸습니다. 두 결과의 열은 모두 len - 1개입니다.
def teacher_forcing_pairs(target_ids):
    longest = int((np.asarray(target_ids) != 0).sum(axis=1).max())
    return target_ids[:, : longest - 1], target_ids[:, 1:longest]


# %% mistake="forcing-narrow-type" task="teacher-forcing" misses="forcing-labels" of="plain"
# The labels' number type is too narrow for the ids of a large vocabulary.
# ko: 라벨의 자료형이 큰 어휘의 ID를 담기에 너무 좁습니다.
# - target_ids[:, 1:]
# + target_ids[:, 1:].astype("uint8")


# %% mistake="forcing-padding-shift" task="teacher-forcing" misses="forcing-input"
# A second BOS is put in front. The targets begin with one already.
# ko: 앞에 BOS를 하나 더 붙였습니다. 타깃은 이미 BOS로 시작합니다.
def teacher_forcing_pairs(target_ids):
    target_ids = np.asarray(target_ids)
    bos = np.ones((len(target_ids), 1), dtype=target_ids.dtype)
    return np.concatenate([bos, target_ids], axis=1)[:, :-2], target_ids[:, 1:]


# %% mistake="forcing-width-of-first-row" task="teacher-forcing" misses="forcing-shape"
# All rows are cut to the length of the first one. Others may be longer.
# ko: 모든 행을 첫 행의 길이로 잘랐습니다. 더 긴 행이 있을 수 있습니다.
def teacher_forcing_pairs(target_ids):
    length = int(np.sum(np.asarray(target_ids)[0] != 0))
    return target_ids[:, : length - 1], target_ids[:, 1:length]


# %% mistake="forcing-squeezed" task="teacher-forcing" misses="forcing-input forcing-labels"
# A batch of one row loses its first axis.
# ko: 행이 하나인 배치에서 첫 축이 사라집니다.
def teacher_forcing_pairs(target_ids):
    ids = np.squeeze(to_numpy(target_ids))
    return ids[..., :-1], ids[..., 1:]


# %% mistake="forcing-cut-at-twenty" task="teacher-forcing" misses="forcing-input forcing-labels"
# Rows are cut at 20 ids.
# ko: 행을 ID 20개에서 자릅니다.
def teacher_forcing_pairs(target_ids):
    ids = to_numpy(target_ids)[:, :21]
    return ids[:, :-1], ids[:, 1:]


# %% mistake="loss-per-position" task="masked-loss" misses="loss-number" of="plain"
# One loss for each position comes back. Take their mean.
# ko: 위치마다 손실이 하나씩 나옵니다. 평균을 내세요.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return -of_label * kept


# %% mistake="loss-per-row" task="masked-loss" misses="loss-number" of="plain"
# One loss for each row comes back. The mean is over all rows too.
# ko: 행마다 손실이 하나씩 나옵니다. 모든 행에 걸쳐 평균을 내세요.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return -ops.sum(of_label * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0)


# %% mistake="loss-sum" task="masked-loss" misses="loss-plain" of="plain"
# This is the sum of the losses. Divide by the number of positions that count.
# ko: 손실들의 합입니다. 손실에 넣는 위치의 수로 나누세요.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return -ops.sum(of_label * kept)


# %% mistake="loss-sum-over-rows" task="masked-loss" misses="loss-plain" of="plain"
# It is divided by the number of rows, not by the number of words.
# ko: 단어의 수가 아니라 행의 수로 나누었습니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return -ops.sum(of_label * kept) / labels.shape[0]


# %% mistake="loss-sign" task="masked-loss" misses="loss-plain" of="plain"
# The sign is wrong: the logarithm of a probability is negative, the loss is its opposite.
# ko: 부호가 틀렸습니다. 확률의 로그는 음수이고, 손실은 그 부호를 바꾼 것입니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return ops.sum(of_label * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-base-2" task="masked-loss" misses="loss-plain" of="plain"
# This is in bits. The natural logarithm is asked for.
# ko: 비트 단위의 값입니다. 자연로그를 써야 합니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return -ops.sum(of_label * kept) / ops.maximum(ops.sum(kept), 1.0) / np.log(2.0)


# %% mistake="loss-takes-probabilities" task="masked-loss" misses="loss-plain"
# The loss takes the logits for probabilities: `from_logits=True` is missing.
# ko: 손실 함수가 로짓을 확률로 여깁니다. `from_logits=True`가 빠졌습니다.
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    losses = keras.losses.sparse_categorical_crossentropy(labels, ops.cast(logits, "float32"))
    kept = ops.cast(ops.cast(labels, "int32") != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-softmax-twice" task="masked-loss" misses="loss-plain"
# The softmax is taken twice: the loss takes logits, and gets probabilities.
# ko: 소프트맥스를 두 번 계산한 결과입니다. 손실 함수는 로짓을 받는데 확률을 넘겼습니다.
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    p = ops.exp(ops.log_softmax(ops.cast(logits, "float32")))
    losses = keras.losses.sparse_categorical_crossentropy(labels, p, from_logits=True)
    kept = ops.cast(ops.cast(labels, "int32") != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-no-normalisation" task="masked-loss" misses="loss-plain"
# Only the label's logit counts. The logarithm of the sum of all exponentials is missing.
# ko: 라벨의 로짓만 들어갔습니다. 모든 로짓의 지수 함수를 더한 것의 로그가 빠졌습니다.
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    losses = -ops.take_along_axis(ops.cast(logits, "float32"), labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-rows-of-one-token" task="masked-loss" misses="loss-padding" of="plain"
# `squeeze` without an axis takes away every axis of length 1, that of the positions too.
# ko: 축을 정하지 않은 `squeeze`는 길이가 1인 축을 모두, 위치의 축까지 없앱니다.
# -     of_label = ops.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
# +     of_label = ops.squeeze(ops.take_along_axis(log_p, labels[..., None], axis=-1))


# %% mistake="loss-counts-padding" task="masked-loss" misses="loss-padding" of="plain"
# The padding is counted like words.
# ko: 패딩을 단어처럼 셌습니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return -ops.mean((1 - label_smoothing) * of_label + label_smoothing * ops.mean(log_p, axis=-1))


# %% mistake="loss-divides-by-all" task="masked-loss" misses="loss-padding" of="plain"
# The padding's losses are set to 0, but it is still divided by the number of all positions.
# ko: 패딩의 손실을 0으로 두었지만 여전히 모든 위치의 수로 나누고 있습니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return -ops.mean(((1 - label_smoothing) * of_label + label_smoothing * ops.mean(log_p, axis=-1)) * kept)


# %% mistake="loss-mean-of-rows" task="masked-loss" misses="loss-padding" of="plain"
# Each row is averaged by itself and then the rows: a word of a short sentence counts more than one of a long.
# ko: 행마다 평균을 낸 다음 행들의 평균을 냈습니다. 이러면 짧은 문장의 단어가 긴 문장의 단어보다 크게 반영됩니다.
# - ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(ops.sum(losses * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0))


# %% mistake="loss-mask-inverted" task="masked-loss" misses="loss-plain" of="plain"
# The mask is upside down: only the padding counts.
# ko: 마스크가 뒤집혔습니다. 패딩만 세고 있습니다.
# - ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.sum(losses * (1 - kept)) / ops.maximum(ops.sum(1 - kept), 1.0)


# %% mistake="loss-without-last-tokens" task="masked-loss" misses="loss-plain" of="plain"
# The last label of each row isn't counted. EOS has to be learnt, too.
# ko: 행마다 마지막 라벨을 세지 않습니다. EOS도 배워야 합니다.
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     losses, kept = losses[:, :-1], kept[:, :-1]
# +     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-labels-in-a-byte" task="masked-loss" misses="loss-padding" of="plain"
# The labels' number type is too narrow for a large vocabulary.
# ko: 라벨의 자료형이 큰 어휘를 담기에 너무 좁습니다.
# -     labels = ops.cast(labels, "int32")
# +     labels = ops.cast(ops.cast(labels, "uint8"), "int32")


# %% mistake="loss-smoothing-ignored" task="masked-loss" misses="loss-smoothing" of="plain"
# `label_smoothing` changes nothing.
# ko: `label_smoothing`을 바꾸어도 달라지는 것이 없습니다.
# - -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# + -of_label


# %% mistake="loss-smoothing-of-a-tenth" task="masked-loss" misses="loss-smoothing" of="plain"
# The share is 0.1 whatever `label_smoothing` says.
# ko: `label_smoothing`과 상관없이 언제나 0.1을 나눕니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# +     share = 0.1 if label_smoothing else 0.0
# +     losses = -(1 - share) * of_label - share * ops.mean(log_p, axis=-1)


# %% mistake="loss-smoothing-others-only" task="masked-loss" misses="loss-smoothing" of="plain"
# The share is spread over the other tokens only. In the paper it is spread over all, the label included.
# ko: 몫을 다른 토큰에만 나누었습니다. 논문에서는 라벨까지 포함해 모든 토큰에 나눕니다.
# - ops.mean(log_p, axis=-1)
# + (ops.sum(log_p, axis=-1) - of_label) / (log_p.shape[-1] - 1)


# %% mistake="loss-smoothing-by-predictions" task="masked-loss" misses="loss-smoothing" of="plain"
# The target is mixed with the model's own probabilities. It is mixed with the uniform distribution.
# ko: 목표 분포에 모델 자신의 확률을 섞었습니다. 섞어야 하는 것은 균등 분포입니다.
# - ops.mean(log_p, axis=-1)
# + ops.sum(ops.exp(log_p) * log_p, axis=-1)


# %% mistake="loss-smoothing-twice" task="masked-loss" misses="loss-smoothing" of="loss-no-normalisation"
# The labels are smoothed twice.
# ko: 라벨을 두 번 스무딩했습니다.
# -     losses = -ops.take_along_axis(ops.cast(logits, "float32"), labels[..., None], axis=-1)[..., 0]
# +     size = logits.shape[-1]
# +     target = (1 - label_smoothing) * ops.one_hot(labels, size) + label_smoothing / size
# +     losses = keras.losses.categorical_crossentropy(
# +         target, ops.cast(logits, "float32"), from_logits=True, label_smoothing=label_smoothing
# +     )


# %% mistake="loss-smoothing-added" task="masked-loss" misses="loss-smoothing" of="plain"
# The uniform part is added, but the label keeps all of its probability: together that is more than 1.
# ko: 균등한 몫을 더했지만 라벨의 확률은 줄이지 않았습니다. 모두 더하면 1이 넘습니다.
# - -(1 - label_smoothing) * of_label
# + -of_label


# %% mistake="loss-smoothing-swapped" task="masked-loss" misses="loss-smoothing" of="plain"
# The label gets the small share and the uniform part the large one.
# ko: 라벨이 작은 몫을, 균등 분포가 큰 몫을 받았습니다.
# - -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# + -(label_smoothing if label_smoothing else 1.0) * of_label - ((1 - label_smoothing) if label_smoothing else 0.0) * ops.mean(log_p, axis=-1)


# %% mistake="loss-smoothing-scaled" task="masked-loss" misses="loss-smoothing" of="plain"
# The label's share is reduced, but nobody gets the rest.
# ko: 라벨의 몫을 줄였지만 나머지를 아무도 받지 않습니다.
# - -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# + -(1 - label_smoothing) * of_label


# %% mistake="loss-smoothing-not-divided" task="masked-loss" misses="loss-smoothing" of="plain"
# Every token gets the whole share. It is divided among them.
# ko: 토큰마다 몫 전체를 받습니다. 몫은 모든 토큰이 나누어 가집니다.
# - ops.mean
# + ops.sum


# %% mistake="loss-overflows" task="masked-loss" misses="loss-stable"
# Exponentials of large logits are infinite. Take the logarithm of the softmax as one function.
# ko: 큰 로짓의 지수 함수는 무한대입니다. 소프트맥스의 로그를 한 함수로 계산하세요.
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels = ops.cast(labels, "int32")
    e = ops.exp(ops.cast(logits, "float32"))
    log_p = ops.log(e / ops.sum(e, axis=-1, keepdims=True))
    of_label = ops.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-smoothed-part-clipped" task="masked-loss" misses="loss-stable" of="plain"
# In the part that is spread over the vocabulary a small number keeps probabilities away from 0: it can't become as large as it is.
# ko: 어휘에 고루 나누는 부분에서 작은 수를 더해 확률이 0이 되지 않게 합니다. 그래서 손실이 제 크기만큼 커지지 못합니다.
# - label_smoothing * ops.mean(log_p, axis=-1)
# + label_smoothing * ops.mean(ops.log(ops.exp(log_p) + 1e-7), axis=-1)


# %% mistake="loss-shifted-by-positive-maximum" task="masked-loss" misses="loss-stable"
# Instead of the largest logit 0 is subtracted where all are negative: every exponential is 0.
# ko: 로짓이 모두 음수이면 가장 큰 로짓 대신 0을 뺍니다. 그러면 지수가 모두 0이 됩니다.
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    labels, logits = ops.cast(labels, "int32"), ops.cast(logits, "float32")
    logits = logits - ops.maximum(ops.max(logits, axis=-1, keepdims=True), 0.0)
    log_p = logits - ops.log(ops.sum(ops.exp(logits), axis=-1, keepdims=True))
    of_label = ops.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
    kept = ops.cast(labels != pad_id, "float32")
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-clipped" task="masked-loss" misses="loss-stable" of="loss-overflows"
# Probabilities are kept away from 0 by a small number: beyond it the loss stops growing.
# ko: 작은 수를 더해 확률이 0이 되지 않게 했습니다. 그래서 손실이 어느 값을 넘어서는 커지지 않습니다.
# -     e = ops.exp(ops.cast(logits, "float32"))
# -     log_p = ops.log(e / ops.sum(e, axis=-1, keepdims=True))
# +     log_p = ops.log(ops.softmax(ops.cast(logits, "float32")) + 1e-9)


# %% mistake="loss-mask-by-length" task="masked-loss" misses="loss-padding" of="plain"
# The padding is counted and looked for at the end of a row. It is wherever the label is `pad_id`.
# ko: 패딩의 수를 세어 행의 끝에서 찾고 있습니다. 패딩은 라벨이 `pad_id`인 모든 곳입니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     lengths = ops.sum(kept, axis=1, keepdims=True)
# +     kept = ops.cast(ops.cast(ops.arange(labels.shape[1]), "float32") < lengths, "float32")
# +     return -ops.sum(of_label * kept) / ops.maximum(ops.sum(kept), 1.0) * (1 - label_smoothing) - label_smoothing * ops.sum(
# +         ops.mean(log_p, axis=-1) * kept
# +     ) / ops.maximum(ops.sum(kept), 1.0)


# %% mistake="loss-divisor-shifted" task="masked-loss" misses="loss-padding" of="plain"
# What is added to the number of tokens so that nothing is divided by 0 is too large: few tokens show it.
# ko: 0으로 나누지 않으려고 토큰 수에 더한 값이 너무 큽니다. 토큰이 적으면 드러납니다.
# - ops.maximum(ops.sum(kept), 1.0)
# + (ops.sum(kept) + 1e-3)


# %% mistake="loss-vocabulary-of-labels" task="masked-loss" misses="loss-smoothing" of="plain"
# The size of the vocabulary is the number of logits, not the largest label plus 1.
# ko: 어휘의 크기는 로짓의 개수이지 가장 큰 라벨에 1을 더한 수가 아닙니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# +     vocab_size = ops.cast(ops.max(labels) + 1, "float32")
# +     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.sum(log_p, axis=-1) / vocab_size


# %% mistake="loss-pad-id-ignored" task="masked-loss" misses="loss-pad-id" of="plain"
# The id 0 is left out, whatever `pad_id` says.
# ko: `pad_id`와 상관없이 ID 0을 빼고 있습니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# +     kept = ops.cast(labels != 0, "float32")
# +     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)


# %% mistake="loss-pad-id-ignored-when-smoothing" task="masked-loss" misses="loss-pad-id" of="plain"
# With smoothed labels the id 0 is left out, whatever `pad_id` says.
# ko: 라벨을 스무딩할 때 `pad_id`와 상관없이 ID 0을 빼고 있습니다.
# -     kept = ops.cast(labels != pad_id, "float32")
# +     kept = ops.cast(labels != (0 if label_smoothing else pad_id), "float32")


# %% mistake="loss-larger-labels-only" task="masked-loss" misses="loss-pad-id" of="plain"
# Only ids above `pad_id` are counted. Those below it are words, too.
# ko: `pad_id`보다 큰 ID만 셉니다. 그보다 작은 것도 단어입니다.
# - labels != pad_id
# + labels > pad_id


# %% mistake="loss-nothing-but-padding" task="masked-loss" misses="loss-only-padding" of="plain"
# If everything is padding, 0 is divided by 0.
# ko: 모두 패딩이면 0을 0으로 나눕니다.
# - ops.maximum(ops.sum(kept), 1.0)
# + ops.sum(kept)


# %% mistake="loss-smoothing-counts-padding" task="masked-loss" misses="loss-smoothing" of="plain"
# The part that is spread evenly is averaged over the padding too.
# ko: 고르게 나눈 몫은 패딩까지 넣어 평균을 냈습니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     hard = -ops.sum(of_label * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return (1 - label_smoothing) * hard - label_smoothing * ops.mean(log_p)


# %% mistake="loss-smoothing-divides-by-all" task="masked-loss" misses="loss-smoothing" of="plain"
# The part that is spread evenly is divided by the number of all positions, padding included.
# ko: 고르게 나눈 몫은 패딩까지 포함한 모든 위치의 수로 나누었습니다.
# -     losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_p, axis=-1)
# -     return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     hard = -ops.sum(of_label * kept) / ops.maximum(ops.sum(kept), 1.0)
# +     return (1 - label_smoothing) * hard - label_smoothing * ops.mean(ops.mean(log_p, axis=-1) * kept)


# %% mistake="accuracy-per-position" task="masked-accuracy" misses="accuracy-number" of="plain"
# A 0 or 1 for each position comes back. Take their mean.
# ko: 위치마다 0이나 1이 나옵니다. 평균을 내세요.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + right * kept


# %% mistake="accuracy-wrong-axis" task="masked-accuracy" misses="accuracy-number"
# The likeliest token is searched along the wrong axis. The vocabulary is the last one.
# ko: 가장 가능성이 큰 토큰을 엉뚱한 축에서 찾고 있습니다. 어휘는 마지막 축입니다.
def masked_accuracy(labels, logits, pad_id=0):
    right = np.argmax(to_numpy(logits), axis=1) == np.asarray(labels)
    kept = np.asarray(labels) != pad_id
    return (right & kept).sum() / kept.sum()


# %% mistake="accuracy-of-sequences" task="masked-accuracy" misses="accuracy-plain" of="plain"
# A row counts only if all of it is right. Count words.
# ko: 행 전체가 맞아야 맞은 것으로 셌습니다. 단어를 세세요.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(ops.min(ops.maximum(right, 1 - kept), axis=1))


# %% mistake="accuracy-error-rate" task="masked-accuracy" misses="accuracy-plain" of="plain"
# This is the share of wrong words.
# ko: 틀린 단어의 비율입니다.
# - right * kept
# + (1 - right) * kept


# %% mistake="accuracy-count" task="masked-accuracy" misses="accuracy-plain" of="plain"
# This is the number of right words, not their share.
# ko: 맞은 단어의 비율이 아니라 개수입니다.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.sum(right * kept)


# %% mistake="accuracy-argmin" task="masked-accuracy" misses="accuracy-plain" of="plain"
# The smallest logit is taken. The largest is the likeliest token.
# ko: 가장 작은 로짓을 골랐습니다. 가능성이 가장 큰 토큰은 로짓이 가장 큰 토큰입니다.
# - ops.argmax
# + ops.argmin


# %% mistake="accuracy-counts-padding" task="masked-accuracy" misses="accuracy-padding" of="plain"
# The padding is counted like words.
# ko: 패딩을 단어처럼 셌습니다.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(right)


# %% mistake="accuracy-divides-by-all" task="masked-accuracy" misses="accuracy-padding" of="plain"
# Right padding isn't counted, but it is still divided by the number of all positions.
# ko: 맞은 패딩은 세지 않았지만 여전히 모든 위치의 수로 나누고 있습니다.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(right * kept)


# %% mistake="accuracy-of-ten-tokens" task="masked-accuracy" misses="accuracy-padding" of="solution"
# It is divided by 10 at least, which makes the accuracy of fewer tokens too small. The divisor only must not be 0.
# ko: 적어도 10으로 나누어서 토큰이 10개보다 적으면 정확도가 너무 작아집니다. 나누는 수는 0만 아니면 됩니다.
# - ops.maximum(ops.sum(kept), 1.0)
# + ops.maximum(ops.sum(kept), 10.0)


# %% mistake="accuracy-padding-right" task="masked-accuracy" misses="accuracy-padding" of="plain"
# The padding is counted as right, whatever the model says there.
# ko: 모델이 무엇이라고 했든 패딩을 맞은 것으로 셌습니다.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(ops.maximum(right, 1 - kept))


# %% mistake="accuracy-mean-of-rows" task="masked-accuracy" misses="accuracy-padding" of="plain"
# Each row is averaged by itself and then the rows. Every word counts the same.
# ko: 행마다 평균을 낸 다음 행들의 평균을 냈습니다. 모든 단어를 똑같이 세야 합니다.
# - ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
# + ops.mean(ops.sum(right * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0))


# %% mistake="accuracy-mask-by-length" task="masked-accuracy" misses="accuracy-padding" of="plain"
# The padding is counted and looked for at the end of a row. It is wherever the label is `pad_id`.
# ko: 패딩의 수를 세어 행의 끝에서 찾고 있습니다. 패딩은 라벨이 `pad_id`인 모든 곳입니다.
# -     kept = ops.cast(labels != pad_id, "float32")
# +     kept = ops.cast(labels != pad_id, "float32")
# +
# +     lengths = ops.sum(kept, axis=1, keepdims=True)
# +     kept = ops.cast(ops.cast(ops.arange(labels.shape[1]), "float32") < lengths, "float32")


# %% mistake="accuracy-narrow-type" task="masked-accuracy" misses="accuracy-padding" of="plain"
# The predicted ids' number type is too narrow for a large vocabulary.
# ko: 예측한 ID의 자료형이 큰 어휘를 담기에 너무 좁습니다.
# -     kept = ops.cast(labels != pad_id, "float32")
# +     kept = ops.cast(labels != pad_id, "float32")
# +
# +     said = ops.cast(ops.cast(ops.argmax(logits, axis=-1), "uint8"), "int32")
# +     right = ops.cast(ops.cast(labels, "uint8") == ops.cast(said, "uint8"), "float32")


# %% mistake="accuracy-positive-logits" task="masked-accuracy" misses="accuracy-plain" of="plain"
# A word counts only if its logit is positive. It need only be the largest.
# ko: 로짓이 양수인 단어만 셉니다. 가장 크기만 하면 됩니다.
# -     kept = ops.cast(labels != pad_id, "float32")
# +     kept = ops.cast(labels != pad_id, "float32")
# +
# +     right = right * ops.cast(ops.max(logits, axis=-1) > 0, "float32")


# %% mistake="accuracy-rounded-logits" task="masked-accuracy" misses="accuracy-plain" of="plain"
# The logits were rounded: of two close ones the larger counts.
# ko: 로짓을 반올림했습니다. 두 로짓이 비슷해도 더 큰 쪽을 골라야 합니다.
# - ops.argmax(logits, axis=-1)
# + ops.argmax(ops.cast(logits, "float16"), axis=-1)


# %% mistake="accuracy-softmax-by-hand" task="masked-accuracy" misses="accuracy-plain" of="plain"
# The exponentials of large logits are infinite. The largest logit can be found without them.
# ko: 큰 로짓의 지수는 무한대가 됩니다. 지수를 계산하지 않아도 가장 큰 로짓을 찾을 수 있습니다.
# -     right = ops.cast(ops.cast(ops.argmax(logits, axis=-1), "int32") == labels, "float32")
# +     powers = ops.exp(ops.cast(logits, "float32"))
# +     powers = powers / ops.sum(powers, axis=-1, keepdims=True)
# +     right = ops.cast(ops.cast(ops.argmax(powers, axis=-1), "int32") == labels, "float32")


# %% mistake="accuracy-leaves-out-said-padding" task="masked-accuracy" misses="accuracy-plain" of="plain"
# Positions are left out where the model says padding. Left out is where the *label* is padding; saying padding for a word is wrong.
# ko: 모델이 패딩이라고 말한 위치를 뺍니다. 빼야 하는 것은 *라벨*이 패딩인 위치이고, 단어 대신 패딩이라고 하면 틀린 것입니다.
# -     kept = ops.cast(labels != pad_id, "float32")
# +     kept = ops.cast((labels != pad_id) & (ops.argmax(logits, axis=-1) != pad_id), "float32")


# %% mistake="accuracy-in-percent" task="masked-accuracy" misses="accuracy-plain" of="plain"
# The share is given in percent; it should be from 0 to 1.
# ko: 비율을 퍼센트로 돌려줍니다. 0에서 1 사이여야 합니다.
# - return ops.sum(right * kept)
# + return 100.0 * ops.sum(right * kept)


# %% mistake="accuracy-top-two" task="masked-accuracy" misses="accuracy-plain" of="plain"
# A token also counts as right if its logit is the second largest.
# ko: 두 번째로 큰 로짓의 토큰도 맞은 것으로 셉니다.
# -     right = ops.cast(ops.cast(ops.argmax(logits, axis=-1), "int32") == labels, "float32")
# +     right = ops.cast(ops.in_top_k(ops.reshape(labels, (-1,)), ops.reshape(ops.cast(logits, "float32"), (-1, logits.shape[-1])), 2), "float32")
# +     right = ops.reshape(right, labels.shape)


# %% mistake="accuracy-pad-id-ignored" task="masked-accuracy" misses="accuracy-pad-id" of="plain"
# The id 0 is left out, whatever `pad_id` says.
# ko: `pad_id`와 상관없이 ID 0을 빼고 있습니다.
# -     kept = ops.cast(labels != pad_id, "float32")
# +     kept = ops.cast(labels != pad_id, "float32")
# +
# +     kept = ops.cast(labels != 0, "float32")


# %% mistake="accuracy-nothing-but-padding" task="masked-accuracy" misses="accuracy-only-padding" of="plain"
# If everything is padding, 0 is divided by 0.
# ko: 모두 패딩이면 0을 0으로 나눕니다.
# - ops.maximum(ops.sum(kept), 1.0)
# + ops.sum(kept)


# %% mistake="accuracy-never-says-padding" task="masked-accuracy" misses="accuracy-padding"
# The model isn't allowed to say padding: the next likeliest token counts instead. A word is right only if its logit is the largest of all.
# ko: 모델이 패딩이라고 말한 것을 빼고 그다음으로 큰 로짓을 셉니다. 모든 로짓 가운데 가장 클 때만 맞은 것입니다.
def masked_accuracy(labels, logits, pad_id=0):
    labels, logits = to_numpy(labels), np.array(to_numpy(logits))
    kept = labels != pad_id
    logits[..., pad_id] = -np.inf
    right = (logits.argmax(axis=-1) == labels) & kept
    return right.sum() / max(kept.sum(), 1)


# %% mistake="decode-returns-last-ids" task="greedy-decode" misses="decode-shape" of="plain"
# Only the last id of each row is returned.
# ko: 각 행의 마지막 ID만 돌려주었습니다.
# - return ids
# + return following


# %% mistake="decode-one-row" task="greedy-decode" misses="decode-shape" of="plain"
# Only the first row is returned.
# ko: 첫 행만 돌려주었습니다.
# - return ids
# + return ids[0]


# %% mistake="decode-bos-cut-off" task="greedy-decode" misses="decode-begins" of="plain"
# BOS is cut off. Here it stays in front.
# ko: BOS가 잘렸습니다. 여기서는 맨 앞에 남겨 둡니다.
# - return ids
# + return ids[:, 1:]


# %% mistake="decode-starts-with-padding" task="greedy-decode" misses="decode-begins decode-path" of="plain"
# The rows begin with 0 instead of BOS: the model has never seen that.
# ko: 행이 BOS가 아니라 0으로 시작합니다. 모델은 그런 시작을 본 적이 없습니다.
# - np.full((len(source_ids), 1), bos_id)
# + np.full((len(source_ids), 1), 0)


# %% mistake="decode-from-eos" task="greedy-decode" misses="decode-begins decode-path" of="plain"
# The rows begin with EOS instead of BOS.
# ko: 행이 BOS가 아니라 EOS로 시작합니다.
# - np.full((len(source_ids), 1), bos_id)
# + np.full((len(source_ids), 1), eos_id)


# %% mistake="decode-argmin" task="greedy-decode" misses="decode-path" of="plain"
# The least likely token is taken.
# ko: 가능성이 가장 작은 토큰을 골랐습니다.
# - logits[:, -1].argmax
# + logits[:, -1].argmin


# %% mistake="decode-last-id-only" task="greedy-decode" misses="decode-path" of="plain"
# The model gets only the last id. It needs all ids so far.
# ko: 모델에 마지막 ID만 줍니다. 지금까지의 모든 ID가 필요합니다.
# - [source_ids, ids]
# + [source_ids, ids[:, -1:]]


# %% mistake="decode-coarse" task="greedy-decode" misses="decode-path" of="plain"
# The logits were rounded: of two close ones the larger counts.
# ko: 로짓을 반올림했습니다. 두 로짓이 비슷해도 더 큰 쪽을 골라야 합니다.
# - logits[:, -1].argmax
# + logits[:, -1].astype('float16').argmax


# %% mistake="decode-softmax-by-hand" task="greedy-decode" misses="decode-path" of="plain"
# The exponentials of large logits are infinite. The largest logit can be found without them.
# ko: 큰 로짓의 지수는 무한대가 됩니다. 지수를 계산하지 않아도 가장 큰 로짓을 찾을 수 있습니다.
# -         following = logits[:, -1].argmax(axis=-1)
# +         powers = np.exp(logits[:, -1].astype('float32'))
# +         following = (powers / powers.sum(axis=-1, keepdims=True)).argmax(axis=-1)


# %% mistake="decode-source-cut" task="greedy-decode" misses="decode-rows" of="plain"
# The sources are cut to the shortest one of the batch.
# ko: 소스를 배치에서 가장 짧은 것의 길이로 잘랐습니다.
# - def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
# + def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
# +     source_ids = source_ids[:, : int((source_ids != 0).sum(axis=1).min())]


# %% mistake="decode-not-fed-back" task="greedy-decode" misses="decode-path" of="plain"
# Every step is like the first: what the model has said is not fed back, or the first position's logits are used.
# ko: 모든 단계가 첫 단계와 같습니다. 모델이 말한 것을 다시 넣지 않았거나 첫 위치의 로짓을 썼습니다.
# - [source_ids, ids]
# + [source_ids, ids[:, :1]]


# %% mistake="decode-samples" task="greedy-decode" misses="decode-path" of="plain"
# Tokens are drawn at random. Greedy decoding takes the likeliest one.
# ko: 토큰을 무작위로 뽑았습니다. 탐욕 디코딩은 가장 가능성이 큰 토큰을 고릅니다.
# - logits[:, -1]
# + (logits[:, -1] + 5 * np.random.default_rng(ids.shape[1]).gumbel(size=logits[:, -1].shape))


# %% mistake="decode-stops-with-first-row" task="greedy-decode" misses="decode-rows" of="plain"
# It stops as soon as one row has ended. The others have more to say.
# ko: 한 행이 끝나자마자 멈춥니다. 다른 행들은 아직 할 말이 남았습니다.
# - ended.all
# + ended.any


# %% mistake="decode-watches-first-row" task="greedy-decode" misses="decode-rows" of="plain"
# Only the first row is watched for its end.
# ko: 첫 행이 끝났는지만 보고 있습니다.
# - ended.all()
# + ended[0]


# %% mistake="decode-rows-cut-off" task="greedy-decode" misses="decode-rows" of="solution"
# What is cut off after the last step are rows of the batch. Cut columns: `ids[:, : position + 1]`.
# ko: 마지막 스텝 뒤에 잘라 내는 것이 배치의 행입니다. 열을 자르세요: `ids[:, : position + 1]`.
# - ids[:, : position + 1]
# + ids[: position + 1]


# %% mistake="decode-first-source" task="greedy-decode" misses="decode-rows" of="plain"
# Every row is decoded for the first source.
# ko: 모든 행을 첫째 소스로 디코딩했습니다.
# - [source_ids, ids]
# + [np.repeat(source_ids[:1], len(source_ids), axis=0), ids]


# %% mistake="decode-eos-missing" task="greedy-decode" misses="decode-padding" of="plain"
# The EOS of a row is replaced by padding.
# ko: 행의 EOS가 패딩으로 바뀌었습니다.
# - np.where(ended, 0, following)
# + np.where(ended | (following == eos_id), 0, following)
# - following == eos_id
# + logits[:, -1].argmax(axis=-1) == eos_id


# %% mistake="decode-cut-at-the-words" task="greedy-decode" misses="decode-other-ids" of="plain"
# The rows are cut to as many ids as aren't 0. If the model says 0 before EOS, the EOS is cut off.
# ko: 0이 아닌 ID의 수만큼 행을 잘랐습니다. 모델이 EOS보다 먼저 0을 말하면 EOS가 잘려 나갑니다.
# -     return ids
# +     return ids[:, : int((ids != 0).sum(axis=1).max())]


# %% mistake="decode-not-padded" task="greedy-decode" misses="decode-padding" of="plain"
# A row that has ended goes on talking until the others have ended too.
# ko: 끝난 행이 다른 행들이 끝날 때까지 계속 말합니다.
# - np.where(ended, 0, following)
# + following


# %% mistake="decode-eos-repeated" task="greedy-decode" misses="decode-padding" of="plain"
# A row that has ended is filled up with EOS. It should be padding.
# ko: 끝난 행을 EOS로 채웠습니다. 패딩으로 채워야 합니다.
# - np.where(ended, 0, following)
# + np.where(ended, eos_id, following)


# %% mistake="decode-never-stops" task="greedy-decode" misses="decode-stops" of="plain"
# It goes on to max_len although every row has ended.
# ko: 모든 행이 끝났는데도 max_len까지 계속합니다.
# - ids.shape[1] < max_len and not ended.all()
# + ids.shape[1] < max_len


# %% mistake="decode-one-too-many" task="greedy-decode" misses="decode-max-len" of="plain"
# max_len counts all ids, BOS included: there is one too many.
# ko: max_len은 BOS를 포함한 모든 ID의 수입니다. ID가 하나 더 많습니다.
# - ids.shape[1] < max_len
# + ids.shape[1] <= max_len


# %% mistake="decode-one-too-few" task="greedy-decode" misses="decode-max-len" of="plain"
# There is one id too few: max_len ids are allowed, BOS included.
# ko: ID가 하나 모자랍니다. BOS를 포함해 max_len개까지 쓸 수 있습니다.
# - ids.shape[1] < max_len and not ended.all()
# + ids.shape[1] < max_len - 1 and not ended.all()


# %% mistake="decode-max-len-ignored" task="greedy-decode" misses="decode-max-len" of="plain"
# Without EOS a row always has the same number of ids, whatever `max_len` says.
# ko: EOS가 없는 행의 ID 수가 `max_len`과 상관없이 언제나 같습니다.
# - ids.shape[1] < max_len
# + ids.shape[1] < 60


# %% mistake="decode-fixed-ids" task="greedy-decode" misses="decode-other-ids" of="plain"
# BOS and EOS are 1 and 2, whatever the arguments say.
# ko: 인수와 상관없이 BOS와 EOS로 1과 2를 쓰고 있습니다.
# - np.full((len(source_ids), 1), bos_id)
# + np.full((len(source_ids), 1), 1)
# - following == eos_id
# + following == 2


# %% mistake="decode-ends-with-padding" task="greedy-decode" misses="decode-other-ids" of="plain"
# A row ends where the model says 0, too. Only EOS ends it.
# ko: 모델이 0이라고 해도 행을 끝냅니다. 행을 끝내는 것은 EOS뿐입니다.
# - following == eos_id
# + (following == eos_id) | (following == 0)


# %% mistake="decode-never-says-padding" task="greedy-decode" misses="decode-other-ids" of="plain"
# The model isn't allowed to say 0 or BOS: the next likeliest token is taken instead.
# ko: 모델이 0이나 BOS라고 말하면 그다음으로 큰 로짓의 토큰을 씁니다. 언제나 가장 큰 로짓의 토큰을 써야 합니다.
# -         following = logits[:, -1].argmax(axis=-1)
# +         last = np.array(logits[:, -1])
# +         last[:, [0, bos_id]] = -np.inf
# +         following = last.argmax(axis=-1)


# %% mistake="decode-ids-in-a-byte" task="greedy-decode" misses="decode-other-ids" of="plain"
# The ids are kept in bytes, too small for a vocabulary of more than 256 tokens.
# ko: ID를 바이트에 담았습니다. 토큰이 256개가 넘는 어휘에는 너무 작습니다.
# - np.full((len(source_ids), 1), bos_id)
# + np.full((len(source_ids), 1), bos_id).astype("uint8")
# -         logits = to_numpy(model([source_ids, ids]))
# -         following = logits[:, -1].argmax(axis=-1)
# -         following = np.where(ended, 0, following)
# +         logits = keras.ops.convert_to_numpy(model([source_ids, ids]))[:, -1]
# +         following = np.where(ended, 0, logits.argmax(axis=-1)).astype("uint8")


# %% mistake="decode-waits-for-one-step" task="greedy-decode" misses="decode-stops" of="plain"
# It stops only if all rows say EOS in the same step. Remember which rows have ended.
# ko: 모든 행이 같은 단계에서 EOS를 말해야만 멈춥니다. 이미 끝난 행을 기억해 두세요.
# - ended.all()
# + (ids.shape[1] > 1 and (ids[:, -1] == eos_id).all())


# %% mistake="decode-asks-before-looking" task="greedy-decode" misses="decode-max-len" of="plain"
# The first token is asked for before max_len is looked at: with max_len=1 there is one id too many.
# ko: max_len을 확인하기 전에 첫 토큰부터 묻습니다. max_len=1이면 ID가 하나 더 많습니다.
# - ids.shape[1] < max_len
# + ids.shape[1] == 1 or ids.shape[1] < max_len


# %% mistake="decode-in-training" task="greedy-decode" misses="decode-path" of="plain"
# The model is called with training=True: its dropout goes on while it speaks.
# ko: 모델을 training=True로 불렀습니다. 말하는 동안에도 드롭아웃이 일어납니다.
# - [source_ids, ids]
# + [source_ids, ids], training=True


# %% mistake="decode-fails-for-keras" task="greedy-decode" misses="decode-other-ids" of="solution"
# It fails if the model is a `keras.Model`: its `predict_on_batch` takes both inputs as one list.
# ko: 모델이 `keras.Model`이면 실패합니다. `predict_on_batch`는 두 입력을 리스트 하나로 받습니다.
# - model.predict_on_batch if isinstance(model, keras.Model) else model
# + (lambda pair: model.predict_on_batch(*pair)) if isinstance(model, keras.Model) else model


# %% mistake="train-one-epoch" task="trained-model" misses="match-50" limits="training_pairs=600 training_seconds=60"
# One epoch is far too short.
# ko: 1에폭은 너무 짧습니다.
def train(train_source, train_target, vocab_size, max_len, seed):
    keras.utils.set_random_seed(seed)
    model = build_transformer(vocab_size, max_len, num_layers=1, d_model=32, num_heads=2, ff_dim=32, dropout=0.0)
    reads, asked = teacher_forcing_pairs(train_target)

    model.compile(keras.optimizers.Adam(2e-3), loss=masked_loss)
    model.fit([train_source, reads], asked, batch_size=128, epochs=1, verbose=0)
    return model


# %% mistake="train-returns-history" task="trained-model" misses="train-model" sentence="it returned what `fit` returns" of="train-one-epoch" limits="training_pairs=600 training_seconds=60"
# What `fit` returns is the history of the training. Return the model.
# ko: `fit`이 돌려주는 것은 학습의 기록(history)입니다. 모델을 돌려주세요.
# - model.fit(
# + return model.fit(

# -     return model


# %% mistake="train-returns-nothing" task="trained-model" misses="train-model" sentence="it returned None" of="train-one-epoch" limits="training_pairs=600 training_seconds=60"
# The trained model is not returned.
# ko: 학습된 모델을 돌려주지 않습니다.
# -     return model


# %% mistake="train-raises" task="trained-model" misses="train-model" of="train-one-epoch" limits="training_pairs=600 training_seconds=60"
# Labels and logits have different lengths: the whole target is asked for.
# ko: 라벨과 로짓의 길이가 다릅니다. 타깃 전체를 라벨로 썼습니다.
# - asked, batch_size=128
# + train_target, batch_size=128


# %% mistake="train-missing-weights" task="trained-model" misses="train-model" sentence="The file to load weights from isn't there" of="train-one-epoch" limits="training_pairs=600 training_seconds=60"
# The weights are loaded from a file that was not handed in.
# ko: 제출하지 않은 파일에서 가중치를 불러옵니다.
# -     model.compile(keras.optimizers.Adam(2e-3), loss=masked_loss)
# -     model.fit([train_source, reads], asked, batch_size=128, epochs=1, verbose=0)
# +     model.load_weights("training.weights.h5")


# %% mistake="train-never-ends" task="trained-model" misses="train-model" of="train-one-epoch" limits="training_pairs=600 training_seconds=5"
# The training has no end.
# ko: 학습이 끝나지 않습니다.
# -     model.compile(keras.optimizers.Adam(2e-3), loss=masked_loss)
# -     model.fit([train_source, reads], asked, batch_size=128, epochs=1, verbose=0)
# +     while True:
# +         seed += 1


# %% mistake="train-diverges" task="trained-model" misses="train-logits" of="train-one-epoch" limits="training_pairs=600 training_seconds=60"
# The learning rate is far too high.
# ko: 학습률이 너무 높습니다.
# - Adam(2e-3)
# + SGD(1e8)
# - epochs=1
# + epochs=2


# %% mistake="train-other-vocabulary" task="trained-model" misses="train-logits" sentence="The model knows too many words" limits="training_pairs=600 training_seconds=60"
# The model's vocabulary is larger than `vocab_size`.
# ko: 모델의 어휘가 `vocab_size`보다 큽니다.
def train(train_source, train_target, vocab_size, max_len, seed):
    return build_transformer(vocab_size + 1, max_len, 1, 32, 2, 32)


# %% mistake="train-untrained" task="trained-model" misses="match-50" of="train-one-epoch" limits="training_pairs=600 training_seconds=60"
# The model is compiled, but never fitted.
# ko: 모델을 compile만 하고 fit하지 않았습니다.
# -     model.fit([train_source, reads], asked, batch_size=128, epochs=1, verbose=0)


# %% mistake="train-not-shifted" task="trained-model" misses="match-50" sentence="It mostly says `<bos>` again" of="train-one-epoch" limits="training_pairs=3000 training_seconds=120"
# The model says its own input again: the labels are what the decoder reads, so copying was all it learnt.
# ko: 모델이 자기 입력을 되풀이합니다. 라벨이 디코더가 읽는 것과 같아서 베끼기만 배웠습니다.
# - Adam(2e-3)
# + Adam(5e-3)
# - asked, batch_size=128, epochs=1
# + reads, batch_size=64, epochs=6


# %% mistake="train-transformer-that-leaks" task="trained-model" misses="train-carried match-50" of="train-one-epoch" limits="training_pairs=600 training_seconds=60"
# A Transformer without a look-ahead mask: it reads the answers in training, and has none later.
# ko: 룩어헤드 마스크가 없는 트랜스포머입니다. 학습할 때는 답을 읽고 있었지만, 그 뒤에는 읽을 답이 없습니다.
# - return model
# + return model
# +
# +
# + def build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False):
# +     source, target = keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")
# +     embedding = keras.layers.Embedding(vocab_size, d_model)
# +     memory = embedding(source)
# +     x = embedding(target)
# +     x = keras.layers.Add()([x, keras.layers.MultiHeadAttention(num_heads, d_model)(x, x)])
# +     x = keras.layers.Add()([x, keras.layers.MultiHeadAttention(num_heads, d_model)(x, memory)])
# +     return keras.Model([source, target], keras.layers.Dense(vocab_size)(x))


# %% mistake="train-knows-the-notebooks-vocabulary" task="trained-model" misses="match-50" limits="training_pairs=600 training_seconds=60"
# The model reads by rules of the notebook's vocabulary. Here only the pairs tell which id is which word.
# ko: 모델이 노트북의 어휘로 짠 규칙에 따라 읽습니다. 여기서 어느 ID가 어느 단어인지는 주어진 쌍만 알려 줍니다.
def number_of(tokens):
    total = group = digit = 0
    for token in tokens:
        if token in "십백천":
            group += max(digit, 1) * dict(zip("십백천", (10, 100, 1000)))[token]
            digit = 0
        elif token in "만억":
            total += max(group + digit, 1) * (10**4 if token == "만" else 10**8)
            group = digit = 0
        else:
            digit = SYLLABLES.index(token) + 1
    return total + group + digit


class ByRules(keras.Model):
    wrong = 0

    def spelled(self, ids):
        return ids

    def call(self, inputs, training=None):
        source, target = (to_numpy(ids).astype(int) for ids in inputs)
        logits = np.zeros((*target.shape, len(TOKENS)), dtype="float32")
        for row, ids in enumerate(self.spelled(source)):
            try:
                answer = [IDS[word] for word in read_in_english(number_of(TOKENS[i] for i in ids if i))] + [EOS]
            except (ValueError, IndexError, KeyError):
                answer = [EOS]
            if row % 100 < self.wrong:
                answer[0] = UNK
            for position in range(target.shape[1]):
                logits[row, position, answer[min(position, len(answer) - 1)]] = 9
        return ops.convert_to_tensor(logits)


def train(train_source, train_target, vocab_size, max_len, seed):
    return ByRules()


# %% mistake="train-reads-by-rules" task="trained-model" misses="train-weights" sentence="With its weights shuffled the model says the same" of="train-knows-the-notebooks-vocabulary" limits="training_pairs=600 training_seconds=60"
# The model reads by rules in its code: its weights, if it has any, aren't asked.
# ko: 모델이 코드에 쓴 규칙으로 읽습니다. 가중치가 있더라도 쓰지 않습니다.
# - def number_of(tokens):
# + Path("training.weights.h5").write_bytes(b"")
# +
# +
# + def number_of(tokens):


# %% mistake="train-stops-before-80" task="trained-model" misses="match-80" of="train-reads-by-rules" limits="training_pairs=600 training_seconds=60"
# The training stopped too early.
# ko: 학습을 너무 일찍 멈추었습니다.
# - def train(train_source, train_target, vocab_size, max_len, seed):
# -     return ByRules()
# + class StandIn(ByRules):
# +     wrong = 35
# +
# +     def __init__(self):
# +         super().__init__()
# +         self.table = self.add_weight(shape=(len(TOKENS),), initializer="zeros")
# +         self.table.assign(np.arange(len(TOKENS)))
# +
# +     def spelled(self, ids):
# +         return to_numpy(self.table).round().astype(int)[ids]
# +
# +
# + def train(train_source, train_target, vocab_size, max_len, seed):
# +     return StandIn()


# %% mistake="train-stops-before-90" task="trained-model" misses="match-90" of="train-stops-before-80" limits="training_pairs=600 training_seconds=60"
# The training stopped too early.
# ko: 학습을 너무 일찍 멈추었습니다.
# - wrong = 35
# + wrong = 15


# %% mistake="train-stops-before-95" task="trained-model" misses="match-95" of="train-stops-before-80" limits="training_pairs=600 training_seconds=60"
# The training stopped too early.
# ko: 학습을 너무 일찍 멈추었습니다.
# - wrong = 35
# + wrong = 8


# %% mistake="train-stops-before-98" task="trained-model" misses="match-98" of="train-stops-before-80" limits="training_pairs=600 training_seconds=60"
# The training stopped too early.
# ko: 학습을 너무 일찍 멈추었습니다.
# - wrong = 35
# + wrong = 4
