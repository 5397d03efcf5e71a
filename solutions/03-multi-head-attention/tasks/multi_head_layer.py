"""Hidden tests of the task `multi-head-layer`."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Layer,
    Miss,
    Probe,
    expect_close,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    expect_tuple,
    expect_unchanged,
    is_close,
)

from ..._shared.built_in_attention import BUILT_IN_ATTENTION
from ..._shared.drawn_masks import partial_mask
from ..._shared.layer_lines import COPY_OUTPUT, copy_by_config
from .. import reference as oracle
from .common import HALF, LAYER_OUTPUT, WEIGHTS, sizes
from .multi_head import expect_distribution, expect_hidden, tempting_keys
from .split_heads import bad_sizes

TRAINING_STEP = Path(__file__).parent.with_name("training_step.py").read_text(encoding="utf-8")
DENSE = ("query_dense", "key_dense", "value_dense", "output_dense")


class LayerCase:
    """Sizes of a layer, inputs for it (equally wide, or with `own_widths` of three widths) and drawn weights.

    Equal widths let a layer that lacks a projection run, so that this costs its own line and not all of them.

    Args:
        draw: the random numbers of the rubric line.
        like: another case, whose sizes are taken over.
        own_widths: whether query, key and value have three different widths.
        num_heads: how many heads; 0 draws their number.
    """

    def __init__(self, draw: Draw, like: LayerCase | None = None, own_widths: bool = False, num_heads: int = 0) -> None:
        if like is None:
            self.num_heads, self.head_dim, (self.batch, self.query_len, self.key_len) = sizes(draw, 3)
            self.num_heads = num_heads or self.num_heads
            self.d_model = self.num_heads * self.head_dim
            self.widths = self.drawn_widths(draw, own_widths)
        else:
            self.num_heads, self.head_dim, self.d_model = like.num_heads, like.head_dim, like.d_model
            self.batch, self.query_len, self.key_len = like.batch, like.query_len, like.key_len
            self.widths = like.widths
        lengths = (self.query_len, self.key_len, self.key_len)
        query, key, value = (draw.normal(self.batch, n, width) for n, width in zip(lengths, self.widths, strict=True))
        self.inputs = (query, key, value)
        self.weights = drawn_weights(draw, self.widths, self.d_model)

    def drawn_widths(self, draw: Draw, own_widths: bool) -> list[int]:
        """Return the widths of queries, keys and values; none is d_model."""
        free = [n for n in range(7, 30) if n != self.d_model]
        widths = [free[i] for i in draw.distinct(3, 0, len(free) - 1)]
        return widths if own_widths else widths[:1] * 3

    def build(self, probe: Probe) -> Layer:
        """Construct the student's layer and build it by a call."""
        layer = probe.layer(
            "MultiHeadAttention", forbidden=BUILT_IN_ATTENTION, d_model=self.d_model, num_heads=self.num_heads
        )
        expect_shape(
            output_of(layer(*self.inputs)),
            (self.batch, self.query_len, self.d_model),
            Text(f"the output {LAYER_OUTPUT}", f"출력 {LAYER_OUTPUT}"),
        )
        return layer

    def assign(self, layer: Layer, *names: str) -> None:
        """Give a built layer the drawn weights, of the named sublayers only if there are names.

        What can't be assigned keeps its values: a missing weight costs its points where weights are looked at.
        """
        chosen = {path: values for path, values in self.weights.items() if path.startswith(names or DENSE)}
        try:
            layer.assign(chosen)
        except AnswerError:
            for path, values in chosen.items():
                with contextlib.suppress(AnswerError):
                    layer.assign({path: values})

    def ask(self, layer: Layer, **options: Any) -> tuple[Array, Array]:
        """Return output and scores of the layer, once their shapes are right."""
        answer = layer(*self.inputs, return_attention_scores=True, **options)
        words = Text(
            "(output, scores) with return_attention_scores=True", "return_attention_scores=True이면 (출력, 점수)"
        )
        output, scores = expect_tuple(answer, 2, words)
        shape = (self.batch, self.num_heads, self.query_len, self.key_len)
        return (
            expect_shape(
                output,
                (self.batch, self.query_len, self.d_model),
                Text(f"the output {LAYER_OUTPUT}", f"출력 {LAYER_OUTPUT}"),
            ),
            expect_shape(scores, shape, Text(f"the attention scores {WEIGHTS}", f"어텐션 점수 {WEIGHTS}")),
        )


def shared(probe: Probe, draw: Draw, *names: str) -> tuple[LayerCase, Layer]:
    """Return a line's case and the layer that the task's lines share, with the case's weights as `assign` gives them."""
    first = probe.once("case", lambda: LayerCase(draw))
    layer = probe.once("layer", lambda: first.build(probe))
    case = LayerCase(draw, first)
    case.assign(layer, *names)
    return case, layer


def output_of(answer: Any) -> Any:
    """Return the output if scores came with it unasked: that costs its points in one line only."""
    return answer[0] if isinstance(answer, tuple) and len(answer) == 2 else answer


def drawn_weights(draw: Draw, widths: list[int], d_model: int) -> dict[str, Array]:
    """Draw kernels that keep the variance of unit inputs (a little more, so that the softmax peaks) and biases."""
    weights = {}
    for name, width in zip(DENSE, [*widths, d_model], strict=True):
        weights[f"{name}.kernel"] = draw.normal(width, d_model, scale=1.2 / math.sqrt(width))
        weights[f"{name}.bias"] = draw.normal(d_model, scale=0.5)
    return weights


def test_layer_builds(probe: Probe, draw: Draw) -> None:
    built(probe, draw)


def built(probe: Probe, draw: Draw) -> tuple[LayerCase, Layer, AnswerError | None]:
    """Return a layer built on inputs of three widths or, if that raises, of one width, and what was raised."""

    def make() -> tuple[LayerCase, Layer, AnswerError | None]:
        case = LayerCase(draw, own_widths=True)
        try:
            return case, case.build(probe), None
        except AnswerError as error:
            case = LayerCase(draw)
            return case, case.build(probe), error

    return probe.once("built", make)


def expect_dense(probe: Probe, layer: Layer, case: LayerCase, *names: str) -> None:
    """Miss unless the named Dense sublayers have a kernel and a bias of the right shapes."""

    def ask_with_drawn_weights() -> None:
        case.assign(layer)
        layer(*case.inputs)

    for path, values in case.weights.items():
        if not path.startswith(names):
            continue
        try:
            shape = layer.read(path).shape
        except AnswerError:
            probe.tell_apart(ask_with_drawn_weights)  # a layer that lacks the weight, or calls it something else
            text = Text(
                f"After the first call there is no weight `{path}`: four Dense layers with bias are asked for.",
                f"첫 호출 뒤에도 가중치 `{path}`이(가) 없습니다. 편향이 있는 Dense 계층 네 개를 만들어야 합니다.",
            )
            raise Miss(text) from None
        expect_that(
            shape == values.shape,
            Text(
                f"`{path}` has the shape {shape}, it should be {values.shape}: a kernel is (width of what it projects, d_model), "
                "a bias (d_model,). Does each Dense get the input it is named after?",
                f"`{path}`의 모양이 {shape}인데 {values.shape}이어야 합니다. 커널은 (투영할 것의 너비, d_model), "
                "편향은 (d_model,)입니다. Dense마다 자기 이름에 맞는 입력을 받나요?",
            ),
        )


def test_layer_query_and_key(probe: Probe, draw: Draw) -> None:
    case, layer, error = built(probe, draw)
    expect_dense(probe, layer, case, "query_dense", "key_dense")
    if error is None:
        return
    try:
        expect_dense(probe, layer, case, "value_dense", "output_dense")
    except Miss:
        return  # the next line tells
    text = Text(
        "The layer works if query, key and value are equally wide, but each may have a width of its own.",
        "쿼리, 키, 값의 너비가 같으면 계층이 작동하지만, 너비는 저마다 다를 수 있습니다.",
    )
    raise Miss(text + error.text)


def test_layer_value_and_output(probe: Probe, draw: Draw) -> None:
    case, layer, _ = built(probe, draw)
    expect_dense(probe, layer, case, "value_dense", "output_dense")
    count = len(layer.weights())
    # fewer: query_dense or key_dense lacks some, which costs its own line
    expect_that(
        count <= 8,
        Text(
            f"The layer has {count} weights, but four Dense layers have 8.",
            f"계층의 가중치가 {count}개입니다. Dense 계층 넷이면 8개입니다.",
        ),
    )


def test_layer_value_path(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw, "value_dense", "output_dense")
    query, key, value = (x[:, :1] for x in case.inputs)
    values = oracle.project(value, case.weights, "value_dense")
    expect_close(
        output_of(layer(query, key, value)),
        oracle.project(values, case.weights, "output_dense"),
        Text(
            "the output for a single query and key, where the one weight is 1",
            "쿼리와 키가 하나뿐이라 가중치가 1일 때의 출력",
        ),
        LAYER_OUTPUT,
    )


def test_layer_distribution(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw, "query_dense", "key_dense")
    _, scores = case.ask(layer)
    expect_distribution(scores)


def test_layer_scores(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw, "query_dense", "key_dense")
    scores_in_words = Text("the attention scores (weights after the softmax)", "어텐션 점수(소프트맥스 뒤의 가중치)")
    for which in of_special_sizes(case):
        what = Text(f"{scores_in_words.en}{which.en}", f"{which.ko}{scores_in_words.ko}")
        _, scores = case.ask(layer)
        query = oracle.project(case.inputs[0], case.weights, "query_dense")
        key = oracle.project(case.inputs[1], case.weights, "key_dense")
        expected = oracle.multi_head_weights(query, key, case.num_heads)
        expect_close(scores, expected, what, WEIGHTS)


def of_special_sizes(case: LayerCase) -> Iterator[Text]:
    """Yield words for the sizes of a case's inputs: as they are, then cut so that some are equal or 1."""
    yield Text("", "")
    query, key, value = case.inputs
    length = min(case.query_len, case.key_len)
    for inputs, en, ko in (
        (
            (query[:, :length], key[:, :length], value[:, :length]),
            "as many queries as keys",
            "쿼리와 키의 수가 같을 때",
        ),
        ((query[:, :1], key, value), "a single query", "쿼리가 하나일 때"),
        ((query[:1], key[:1], value[:1]), "a single sequence", "시퀀스가 하나일 때"),
    ):
        case.inputs = inputs
        case.batch, case.query_len, case.key_len = *inputs[0].shape[:2], inputs[1].shape[1]
        yield Text(f" of {en}", f"{ko}의 ")


def test_layer_output(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw)
    for which in of_special_sizes(case):
        output, scores = case.ask(layer)
        values = oracle.project(case.inputs[2], case.weights, "value_dense")
        expected = oracle.project(oracle.attend(scores, values), case.weights, "output_dense")
        what = Text(
            f"the output{which.en}, by the scores that you returned", f"{which.ko}출력(여러분이 돌려준 점수에 따른 것)"
        )
        expect_close(output, expected, what, LAYER_OUTPUT)
    output, _ = case.ask(layer)
    alone = layer(*case.inputs)
    expect_that(
        not isinstance(alone, tuple),
        Text("It returned a pair without being asked for it.", "요청하지 않았는데 쌍을 돌려주었습니다."),
    )
    expect_close(
        alone,
        output,
        Text("the output without return_attention_scores", "return_attention_scores 없이 호출했을 때의 출력"),
        LAYER_OUTPUT,
    )


def test_layer_trains(probe: Probe, draw: Draw) -> None:
    case = LayerCase(draw)
    layer = case.build(probe)
    case.assign(layer)
    shape = (case.batch, case.query_len, case.d_model)
    expect_unchanged(
        expect_shape(output_of(layer(*case.inputs)), shape, LAYER_OUTPUT),
        expect_shape(output_of(layer(*case.inputs, training=True)), shape, LAYER_OUTPUT),
        Text(
            "In training the layer gives something else than outside it. This one has no dropout.",
            "학습할 때의 결과와 학습이 아닐 때의 결과가 다릅니다. 이 계층에는 드롭아웃이 없습니다.",
        ),
    )
    step = probe.define(TRAINING_STEP, "step_of", layer)
    before = kernels(layer)
    step(*case.inputs, draw.normal(case.batch, case.query_len, case.d_model, scale=10.0))
    after = kernels(layer)
    stuck = [name for name in DENSE if name in before.keys() & after and is_close(after[name], before[name], 1e-6)]
    names = ", ".join(f"`{name}`" for name in stuck)
    expect_that(
        not stuck,
        Text(
            f"A step of training doesn't change {names}: no gradient reaches them. Is there NumPy on the way to the output?",
            f"학습을 한 걸음 해도 {names}이(가) 바뀌지 않습니다. 기울기가 전해지지 않습니다. 출력에 이르는 길에 NumPy가 있나요?",
        ),
    )


def kernels(layer: Layer) -> dict[str, Array]:
    """Return sublayer -> kernel; one that is missing costs its points where weights are looked at."""
    found: dict[str, Array] = {}
    for name in DENSE:
        with contextlib.suppress(AnswerError):
            found[name] = layer.read(f"{name}.kernel")
    return found


def test_layer_mask(probe: Probe, draw: Draw) -> None:
    # a layer of its own: what one keeps of a mask must cost this line only
    case = LayerCase(draw)
    layer = case.build(probe)
    case.assign(layer)
    free_output, free = case.ask(layer)
    values = oracle.project(case.inputs[2], case.weights, "value_dense")

    def by(scores: Array) -> Array:
        return oracle.project(oracle.attend(scores, values), case.weights, "output_dense")

    follows = is_close(free_output, by(free))  # if not, that has cost its own line
    # in training something may be dropped, which has cost its own line
    same_in_training = is_close(case.ask(layer, training=True)[0], free_output)

    def ask_with_half_hidden() -> None:
        query, keys, values = (draw.normal(case.batch, 6, width) for width in case.widths)
        layer(query, keys, values, mask=HALF)

    probe.tell_apart(ask_with_half_hidden)  # hidden keys that get all the weight, by their scores or in equal parts
    lengths = (case.query_len, case.key_len)
    for shape in (lengths, (case.batch, 1, 1, case.key_len), (case.batch, 1, *lengths)):
        mask = partial_mask(draw, *shape)
        output, scores = case.ask(layer, mask=mask)
        expect_close(
            scores,
            oracle.restrict(free, mask),
            Text("the attention scores under a mask", "마스크를 쓴 어텐션 점수"),
            WEIGHTS,
        )
        if follows:
            expect_close(
                output,
                by(scores),
                Text(
                    "the output under a mask, by the scores that you returned",
                    "여러분이 돌려준 점수에 따른, 마스크를 쓴 출력",
                ),
                LAYER_OUTPUT,
            )
        alone = output_of(layer(*case.inputs, mask=mask))
        what = Text(
            "the output under a mask without return_attention_scores", "return_attention_scores 없이 마스크를 쓴 출력"
        )
        expect_close(alone, output, what, LAYER_OUTPUT)
        if same_in_training:
            in_training, _ = case.ask(layer, mask=mask, training=True)
            what = Text("the output under a mask in training", "학습할 때 마스크를 쓴 출력")
            expect_close(in_training, output, what, LAYER_OUTPUT)
    _, again = case.ask(layer)
    text = Text(
        "A call without a mask gives other scores after one with a mask than before: does the layer keep a call's mask?",
        "마스크를 준 호출 뒤에 마스크 없이 호출하면 점수가 전과 다릅니다. 계층이 앞 호출의 마스크를 간직하나요?",
    )
    expect_that(np.allclose(again, free, rtol=0, atol=1e-4), text)
    for path in case.weights:
        near_1 = draw.uniform(0.9, 1.1, *case.weights[path].shape) / case.widths[0]
        case.weights[path] = np.zeros_like(near_1) if path.endswith("bias") else near_1
    query, key, value = case.inputs
    keys, mask = tempting_keys(draw, key.shape, case.query_len)
    case.inputs = (draw.uniform(0.9, 1.1, *query.shape), keys, value)
    case.assign(layer, "query_dense", "key_dense")
    _, scores = case.ask(layer, mask=mask)
    expect_hidden(scores, mask)


def test_layer_config(probe: Probe, draw: Draw) -> None:
    case, layer = shared(probe, draw)
    _expect_same_from_config(case, layer)
    # with other numbers of heads than one, which may be a default's
    other = LayerCase(draw, num_heads=case.num_heads + 1)
    layer = other.build(probe)
    other.assign(layer)
    _expect_same_from_config(other, layer)


def _expect_same_from_config(case: LayerCase, layer: Layer) -> None:
    """Miss unless the copy of a layer from its config, given its weights, computes the same."""

    def ask(layer: Layer) -> Any:
        return output_of(layer(*case.inputs))

    # against the layer itself, not the oracle: a wrong scale has cost its points already
    expected = ask(layer)
    values = {path: layer.read(path) for path in sorted(weight.path for weight in layer.weights())}
    _, output = copy_by_config(layer, lambda copy: copy.assign(values), ask)
    expect_close(output, expected, COPY_OUTPUT, LAYER_OUTPUT)


def test_layer_bad_heads(probe: Probe, draw: Draw) -> None:
    num_heads, d_model = bad_sizes(draw)
    expect_raises_value_error(
        lambda: probe.layer("MultiHeadAttention", d_model=d_model, num_heads=num_heads),
        ["num_heads", "d_model"],
        [num_heads, d_model],
        names_all=True,
    )
