"""Hidden tests of the task `token-model`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_close, expect_shape, expect_that

from ..._shared.dropout import (
    MANY_ROWS,
    RATIO_OF_MANY,
    STILL,
    TRIES,
    TRIES_OF_MANY,
    expect_dropout,
    expect_embedding_to_drop,
    expect_halves_to_drop,
    expect_usual_rate,
)
from ..._shared.model_expectations import TokenModel, build_once, expect_finite, moves, succeeds
from ..._shared.uniform_weights import UniformWeights, is_matrix_of
from .. import reference as oracle
from .both_models import expect_causal, expect_parameters, expect_with_some_weights, readings

LOGITS = "(batch, target_len, vocab_size)"
TOKENS: dict[str, Any] = dict(vocab_size=23, max_len=11, num_layers=2, d_model=12, num_heads=3, ff_dim=10, dropout=0.0)
OTHER: dict[str, Any] = dict(vocab_size=19, max_len=9, num_layers=1, d_model=8, num_heads=2, ff_dim=14, dropout=0.4)
WITHOUT_RATE = {name: size for name, size in OTHER.items() if name != "dropout"}
PRE_NORM_LOGITS = Text("the logits for weights of the grader's", "채점용 가중치를 넣은 모델의 로짓")
POST_NORM_LOGITS = Text("the logits with norm_first=False", "norm_first=False일 때의 로짓")
TIED_POST_NORM_LOGITS = Text(
    "the logits with norm_first=False and tie_weights=True", "norm_first=False이고 tie_weights=True일 때의 로짓"
)
COUNTED = ("vocab_size", "num_layers", "d_model", "num_heads", "ff_dim")


class Token(TokenModel):
    """The model over tokens of the sizes `sizes`."""

    def __init__(self, probe: Probe, draw: Draw, sizes: Mapping[str, Any] = TOKENS, **options: Any) -> None:
        self.sizes = {**sizes, **options}
        self.vocab_size, self.max_len, self.d_model = (sizes[n] for n in ("vocab_size", "max_len", "d_model"))
        self.norm_first = self.sizes.get("norm_first", True)
        example = [np.ones((2, self.max_len), np.int32)] * 2
        uniform = UniformWeights(draw, self.d_model, sizes["ff_dim"], self.vocab_size, sizes["num_heads"])
        super().__init__(draw, build_once(probe, example, "build_transformer", **self.sizes), uniform)

    def ask(self, source_ids: Any, target_ids: Any, **options: Any) -> Array:
        """Return the logits, once their shape is right."""
        answer = self.model([source_ids, target_ids], **options)
        return expect_shape(answer, (*np.shape(target_ids), self.vocab_size), LOGITS)

    def right_count(self) -> int:
        """Return how many parameters a pre-norm model of these sizes has; its output may do without a bias."""
        return oracle.transformer_parameter_count(
            *(self.sizes[name] for name in COUNTED),
            tie_weights=self.sizes.get("tie_weights", False),
            output_bias=self.has_output_bias(),
        )

    def right_logits(self, source: np.ndarray, target: np.ndarray) -> Iterator[Array]:
        """Yield what the oracle gives, in each reading of the weights; a post-norm model may have last norms."""
        layers = self.sizes["num_layers"]
        ends = {
            "tied": not self.has_output_kernel(),
            "output_bias": self.has_output_bias(),
            "embeds_by_kernel": self.embeds_by_kernel(),
        }
        for epsilons, layout in readings(self):
            for last_norms in (True,) if self.norm_first else (False, True):
                weights = self.uniform.weights(
                    layers, layers, epsilons=epsilons, last_norms=last_norms, layout=layout, **ends
                )
                yield oracle.token_transformer(source, target, weights, self.sizes["num_heads"], self.norm_first)


def second_model(probe: Probe, draw: Draw, needed: str) -> Token:
    """Return the model that is post-norm, tied and with dropout; only what is `needed` of the two if both don't work."""
    options = {"norm_first": False, "tie_weights": True}
    try:
        return Token(probe, draw, OTHER, **options)
    except AnswerError:
        return Token(probe, draw, OTHER, **({needed: options[needed]} if needed else {}))


def expect_logits(model: Token, source: np.ndarray, target: np.ndarray, what: Text | None = None) -> None:
    """Miss unless a model with weights of the grader's computes what it should, where the target isn't padding.

    Args:
        model: the model whose logits are asked for.
        source, target: ids (batch, source_len), (batch, target_len).
        what: the logits, as the subject of a sentence.
    """
    of_post_norm = TIED_POST_NORM_LOGITS if model.sizes.get("tie_weights") else POST_NORM_LOGITS
    usual = PRE_NORM_LOGITS if model.norm_first else of_post_norm
    model.expect_logits(
        model.ask(source, target, training=False),
        model.right_logits(source, target),
        target != 0,
        what or usual,
        lambda rows: model.ask(source[rows], target[rows]),
    )


def test_token_builds(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    expect_finite(model.ask(model.ids(draw, 2), model.ids(draw, 2)))


def test_token_lengths(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    short, shorter = draw.distinct(2, 3, 8)
    for source_len, target_len in ((short, shorter), (model.max_len, 1)):
        expect_finite(model.ask(model.ids(draw, 2, source_len), model.ids(draw, 2, target_len)))


def test_token_count(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    # what is counted says little of what was left out
    probe.tell_apart(lambda: model.ask(model.ids(draw, 2), model.ids(draw, 2)))
    expect_parameters(model, model.right_count())


def test_token_causal(probe: Probe, draw: Draw) -> None:
    def expect() -> None:
        model = Token(probe, draw)
        (target,) = model.ids(draw, 1)
        source = np.repeat(model.ids(draw, 1), len(target) + 1, axis=0)
        expect_causal(moves(lambda rows: model.ask(source, rows), target, model.others(draw, target)))

    expect_with_some_weights(expect)


def test_token_source(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    (source,) = model.ids(draw, 1)
    source = (1 + (source[0] + np.arange(len(source))) % (model.vocab_size - 1)).astype(np.int32)  # no two alike
    turned = np.concatenate([source[2:], source[:2]])
    rows = np.concatenate([np.repeat(source[None], 4, axis=0), turned[None]])
    places = (0, draw.integer(1, len(source) - 2), len(source) - 1)
    for row, place in zip(rows, places, strict=False):
        row[place] = model.others(draw, row)[place]
    target = np.repeat(model.ids(draw, 1), len(rows), axis=0)
    logits = model.ask(rows, target)
    moved = np.abs(logits - logits[3]).max(axis=(1, 2))
    expect_that(
        moved[:3].max() > STILL,
        Text("No logit changes with the source.", "소스가 바뀌어도 로짓이 모두 그대로입니다."),
    )
    expect_that(
        bool((moved[:3] > 1e-6).all()),
        Text(
            "No logit changes with some token of the source.", "소스의 어떤 토큰은 바뀌어도 로짓이 모두 그대로입니다."
        ),
    )
    expect_that(
        bool(moved[4] > STILL),
        Text(
            "The source's tokens in another order give the same logits: does the source have positions?",
            "소스의 토큰 순서를 바꾸어도 로짓이 같습니다. 소스에 위치를 더했나요?",
        ),
    )


def test_token_source_padding(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    first, second = draw.distinct(2, 2, 5)
    source[0, -first:] = 0
    source[1, -second:] = source[1, 1] = 0
    # a padded target tells the mask of the source from that of the target
    probe.tell_apart(lambda: model.ask(source, np.where(np.arange(model.max_len) < 4, target, 0)))
    expect_that(
        not model.sees_padding(lambda: model.ask(source, target), draw),
        Text(
            "Logits change when nothing but the vector of id 0 changes, with padding in the source: somewhere padding isn't hidden.",
            "소스에 패딩이 있을 때 ID 0의 벡터만 바꾸었는데 로짓이 달라집니다. 어딘가에서 패딩을 가리지 않았습니다.",
        ),
    )
    expect_source_padding_unseen(probe, draw)
    expect_close(
        model.ask(source, target)[:1],
        model.ask(source[:1, :-first], target[:1]),
        Text("the logits after more padding at the end of the source", "소스의 끝에 패딩을 더 붙였을 때의 로짓"),
        LOGITS,
    )


def expect_source_padding_unseen(probe: Probe, draw: Draw) -> None:
    """Miss if the second model sees the source's padding; what else is wrong with it costs another line."""
    model = right_second_model(probe, draw)
    if model is None:
        return
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    source[:, [1, -1]] = 0
    text = Text(
        "With norm_first=False and tie_weights=True the source's padding isn't hidden everywhere: logits change when "
        "nothing but the vector of id 0 changes.",
        "norm_first=False이고 tie_weights=True일 때 소스의 패딩을 어딘가에서 가리지 않았습니다. "
        "ID 0의 벡터만 바꾸었는데 로짓이 달라집니다.",
    )
    expect_that(not model.sees_padding(lambda: model.ask(source, target, training=False), draw), text)


def test_token_target_padding(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    # of another length than the target, so that a target's mask over the source's positions costs `token-lengths` alone
    shorter = source[:, :-1]
    right_without = succeeds(lambda: expect_logits(model, shorter, target.copy()))
    target[0, draw.distinct(2, 1, model.max_len - 3)] = 0
    target[1, [2, -1]] = 0
    tokens = target != 0
    expect_that(
        bool(np.isfinite(model.ask(source, target)).all()),
        Text("With padding in the target there is a NaN in the logits.", "타깃에 패딩이 있으면 로짓에 NaN이 생깁니다."),
    )
    expect_that(
        not model.sees_padding(lambda: model.ask(source, target)[tokens], draw),
        Text(
            "Logits of tokens change when nothing but the vector of id 0 changes, with padding between the targets.",
            "타깃 사이에 패딩이 있을 때 ID 0의 벡터만 바꾸었는데 토큰들의 로짓이 달라집니다.",
        ),
    )
    if right_without and model.matches:
        # a vector of zeros for id 0 hides nothing: its place is still seen
        what = Text("the logits of tokens with padding between them", "사이에 패딩이 있는 토큰들의 로짓")
        expect_logits(model, shorter, target, what)


def test_token_values(probe: Probe, draw: Draw) -> None:
    def expect() -> None:
        model = Token(probe, draw)
        expect_logits(model, model.ids(draw, 2), model.ids(draw, 2))
        source, target = (model.ids(draw, 2, length) for length in draw.distinct(2, 3, model.max_len - 2))
        if succeeds(lambda: model.ask(source, target)):
            expect_logits(model, source, target)

    expect_with_some_weights(expect)


def test_token_post_norm(probe: Probe, draw: Draw) -> None:
    model = second_model(probe, draw, "norm_first")
    expect_logits(model, model.ids(draw, 2), model.ids(draw, 2))
    source, target = (model.ids(draw, 2, length) for length in draw.distinct(2, 3, model.max_len - 2))
    if succeeds(lambda: model.ask(source, target, training=False)):
        expect_logits(model, source, target)


def right_second_model(probe: Probe, draw: Draw) -> Token | None:
    """Return the second model if it is post-norm and tied and gives what the oracle gives, else None."""
    try:
        model = second_model(probe, draw, "")
        if model.norm_first or not model.matches:
            return None
        # sources and targets of different lengths, of which one may be a single token
        model.ask(model.ids(draw, 2, 1), model.ids(draw, 2))
        expect_logits(model, model.ids(draw, 2), model.ids(draw, 2))
    except (AnswerError, Miss):
        return None
    return model


def test_token_tied(probe: Probe, draw: Draw) -> None:
    model = second_model(probe, draw, "tie_weights")
    table = model.vocab_size, model.d_model
    matrices = model.matrices()
    first = {weight.shape: value for weight, value in model.values if weight.shape in matrices}
    expect_that(
        set(matrices) != {table, table[::-1]} or not np.allclose(first[table].T, first[table[::-1]]),
        Text(
            "The output's kernel begins as a copy of the embedding matrix, but it is a variable of its own.",
            "출력의 커널이 임베딩 행렬의 복사본으로 시작하지만 별개의 변수입니다.",
        ),
    )
    if len(matrices) != 1:
        raise Miss(
            Text(
                f"Trainable matrices of the vocabulary's size in the tied model: {len(matrices)}. "
                "One variable (vocab_size, d_model) should serve source, target and output.",
                f"가중치를 공유하는 모델에 어휘 크기의 학습되는 행렬이 {len(matrices)}개 있습니다. "
                "변수 (vocab_size, d_model) 하나를 소스, 타깃, 출력이 함께 써야 합니다.",
            )
        )
    expect_tied_count(probe, draw)
    # a step along one row must move the logit of that token everywhere: the output really uses it
    source, target = model.ids(draw, 1), model.ids(draw, 1)
    absent = draw.integer(1, model.vocab_size - 1)
    for ids in (source, target):
        ids[ids == absent] = absent % (model.vocab_size - 1) + 1
    before = model.ask(source, target, training=False)

    def moved_by(token: int) -> Array:
        step, numbers = draw.normal(model.d_model), [value.copy() for value in model.numbers]
        for (weight, _), value in zip(model.values, numbers, strict=True):
            if is_matrix_of(weight, *table):
                value[token] += step
            elif is_matrix_of(weight, *table[::-1]):
                value[:, token] += step
        model.model.set_values(numbers)
        return np.abs(model.ask(source, target, training=False) - before)[0]

    # of several steps: to one alone some output may be at right angles by chance
    moved = np.maximum.reduce([moved_by(absent) for _ in range(TRIES)])
    expect_that(
        bool((moved[:, absent] > STILL).all()),
        Text(
            "The tied model's output doesn't use the embedding matrix itself.",
            "가중치를 공유하는 모델의 출력이 임베딩 행렬 자체를 쓰지 않습니다.",
        ),
    )
    expect_that(
        bool((np.delete(moved, absent, axis=1) < STILL).all()),
        Text(
            "Another row of the embedding matrix moves other tokens' logits too: the output should be x times its transpose.",
            "임베딩 행렬의 한 행을 바꾸었더니 다른 토큰의 로짓도 달라집니다. 출력은 x에 그 전치 행렬을 곱한 것이어야 합니다.",
        ),
    )
    if model.embeds_by_kernel():
        read = int(source[0, 0])
        expect_that(
            bool((np.delete(moved_by(read), read, axis=1) > STILL).any()),
            Text(
                "The tied model has one matrix, but its embeddings don't use it.",
                "가중치를 공유하는 모델의 행렬은 하나지만, 임베딩이 그것을 쓰지 않습니다.",
            ),
        )


def expect_tied_count(probe: Probe, draw: Draw) -> None:
    """Miss unless a tied pre-norm model has its last norms too, if the untied one has what it should."""

    untied = Token(probe, draw)
    if untied.count() == untied.right_count():
        tied = Token(probe, draw, OTHER, tie_weights=True)
        what = Text(
            "the number of parameters of the tied pre-norm model", "가중치를 공유하는 사전 정규화 모델의 파라미터 수"
        )
        expect_parameters(tied, tied.right_count(), what)


def test_token_dropout(probe: Probe, draw: Draw) -> None:
    def rows(model: Token, count: int = 4) -> list[Any]:
        return [np.repeat(model.ids(draw, 1), count, axis=0) for _ in range(2)]

    dropping = second_model(probe, draw, "")
    expect_dropout(Token(probe, draw), dropping, rows)
    expect_embedding_to_drop(dropping, rows(dropping))
    expect_with_some_weights(lambda: expect_blocks_to_drop(probe, draw), TRIES_OF_MANY)
    expect_usual_rate(lambda: (Token(probe, draw, WITHOUT_RATE), Token(probe, draw, WITHOUT_RATE, dropout=0.1)), rows)


def expect_blocks_to_drop(probe: Probe, draw: Draw) -> None:
    """Miss if the encoder or the decoder of the second model never drops, whatever its embeddings drop.

    Every token stands at one position only, where its vector and the position's sum to 0: nothing is left to drop of it.
    What else is wrong with the model costs another line.
    """
    model = right_second_model(probe, draw)
    if model is None:
        return
    length, table = model.max_len, (model.vocab_size, model.d_model)
    opposite = -oracle.positions(length, model.d_model) / math.sqrt(model.d_model)
    numbers = [
        np.concatenate([number[:1], opposite, number[length + 1 :]]) if weight.shape == table else number
        for (weight, _), number in zip(model.values, model.numbers, strict=True)
    ]
    model.model.set_values(numbers)
    target = np.repeat(np.arange(1, length + 1, dtype=np.int32)[None], MANY_ROWS, axis=0)
    source = target[:, :1]
    quiet = model.ask(source[:1], target[:1])
    logits = model.ask(source, target, training=True)
    expect_that(
        float((logits == 0).mean()) < OTHER["dropout"] / 2,
        Text("In training logits themselves are dropped.", "학습 때 로짓 자체에 드롭아웃이 일어납니다."),
    )
    if np.abs(quiet - quiet[:, :1]).max() < STILL:
        expect_halves_to_drop(logits, RATIO_OF_MANY)
