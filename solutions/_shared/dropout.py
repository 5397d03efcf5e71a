"""Whether models drop: in training only, at the rate they are given, and in each of their parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, expect_that

STILL = 1e-4
# What is dropped at this rate is gone but for one number in ten million.
NEARLY_ALL = 0.9999999
TRIES = 3
ROWS, LONG = 200, 24
# What a dropping encoder makes of the ratio of variances. Of 200 sequences: 1 without it, with a standard deviation of 0.1 at
# most; 3.3 to 18 with it in 60 draws.
RATIO = 1.6
# Of 2000 sequences: without a part of their own 0.96 to 1.04 in 60 draws, with it 1.05 to 3.5, below 1.1 twice.
MANY_ROWS, RATIO_OF_MANY, TRIES_OF_MANY = 2000, 1.1, 7
# Between the variances in training of two models of the same weights, the mean over two sets of weights (of one set alone a
# right model exceeds the ratio in 4 draws of a million). Of 1000 rows, in 34 draws: 0.97 to 1.05 at the same rate; 1.67 to 2.53
# at 0.2 instead of 0.1, 0.45 to 0.57 at 0.05.
WEIGHTS_OF_USUAL, ROWS_OF_USUAL, RATIO_OF_USUAL = 2, 1000, 1.3


def expect_dropout(without: Any, dropping: Any, inputs: Callable[[Any], list[Any]]) -> None:
    """Miss unless the one model never drops and the other does, in training only.

    Args:
        without: a `FilledModel` of dropout 0.
        dropping: one with dropout.
        inputs: (model) -> the inputs that the model is called on: equal rows.
    """

    expect_nothing_dropped(dropping, inputs(dropping))
    expect_that(
        _spread(dropping, inputs(dropping), training=True) > STILL,
        Text("In training nothing is dropped.", "학습 때 드롭아웃이 일어나지 않습니다."),
    )
    rows = inputs(without)
    # of a rate of 1 - dropout nothing would be left: rows that differ from those in use, not from each other
    in_training = without.ask(*rows, training=True)
    expect_that(
        float(np.abs(in_training - in_training[:1]).max()) < STILL
        and float(np.abs(in_training - without.ask(*rows)).max()) < STILL,
        Text("With dropout=0.0 something is dropped in training.", "dropout=0.0인데도 학습 때 드롭아웃이 일어납니다."),
    )


def _spread(model: Any, inputs: list[Any], **training: bool) -> float:
    outputs = model.ask(*inputs, **training)
    return float(np.abs(outputs - outputs[:1]).max())


def expect_nothing_dropped(model: Any, inputs: list[Any]) -> None:
    """Miss if a model drops outside training.

    Args:
        model: a `FilledModel` with dropout. Called without `training`, as in use, a model shows a training=True in its own code.
        inputs: equal rows.
    """
    expect_that(
        _spread(model, inputs) < STILL,
        Text(
            "Outside training, equal sequences of a batch get different outputs: is something dropped there too?",
            "학습 때가 아닌데도 배치 안의 같은 시퀀스에서 다른 출력이 나옵니다. 그때도 드롭아웃이 일어나나요?",
        ),
    )


def expect_embedding_to_drop(model: Any, inputs: list[Any]) -> None:
    """Miss if nothing is dropped in training where blocks add nothing: then all that may be dropped is the embedding.

    Args:
        model: a `FilledModel` that reads tokens.
        inputs: equal rows.
    """
    model.empty_blocks()
    spread = _spread(model, inputs, training=True)
    *others, ids = inputs
    arrives = np.abs(model.ask(*others, ids) - model.ask(*others, ids[:, ::-1])).max() > STILL
    model.restore()
    if not arrives:  # such as without residuals: nothing of the embedding is left, and that is another line's
        return
    expect_that(
        spread > STILL,
        Text(
            "In training nothing is dropped of the embeddings that lead to the output (in a decoder: the target's).",
            "학습 때 출력으로 이어지는 임베딩(디코더라면 타깃의 임베딩)에서 드롭아웃이 일어나지 않습니다.",
        ),
    )


def expect_blocks_to_drop(model: Any, inputs: list[Any]) -> None:
    """Miss if nothing is dropped in training where every token's vector is 0: then all that may be dropped is in the blocks.

    Args:
        model: a `FilledModel` that reads tokens, with `empty_tables`.
        inputs: equal rows.
    """
    model.empty_tables()
    spread = _spread(model, inputs, training=True)
    model.restore()
    expect_that(
        spread > STILL,
        Text(
            "In training nothing is dropped in the blocks, only of the embeddings.",
            "학습 때 임베딩에서만 드롭아웃이 일어나고 블록에서는 일어나지 않습니다.",
        ),
    )


def expect_usual_rate(pair: Callable[[], tuple[Any, Any]], inputs: Callable[[Any, int], list[Any]]) -> None:
    """Miss unless a model that was given no rate drops as much as one that was given 0.1.

    Args:
        pair: fills two models of the same sizes anew: the `FilledModel` without a rate, and the one with dropout 0.1.
        inputs: (model, count) -> the model's inputs, that many equal rows.
    """
    ratios = []
    for _ in range(WEIGHTS_OF_USUAL):  # how much a ratio varies, and how far 0.2 is from 0.1, is up to the weights
        usual, given = pair()
        usual.model.set_values(given.numbers)
        rows = inputs(given, ROWS_OF_USUAL)
        spreads = [model.ask(*rows, training=True).var(axis=0).mean() for model in (usual, given)]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios.append(np.log(spreads[0] / spreads[1]))
    expect_that(
        bool(abs(np.mean(ratios)) < np.log(RATIO_OF_USUAL)),
        Text("Without `dropout` its rate is not 0.1.", "`dropout`을 주지 않았을 때의 비율이 0.1이 아닙니다."),
    )


def expect_decoder_to_drop(ask: Callable[[Array, Array], Array], dim: int, draw: Draw) -> None:
    """Miss if some sublayer of a decoder gets through at a rate of `NEARLY_ALL`, wherever in it the dropout stands.

    What is left of pre-norm blocks then is the residual path: it knows neither the source nor earlier positions, and it
    is a linear map of each target.

    Args:
        ask: (batch, timesteps, dim), (batch, target_len, dim) -> the output in training; of one or more decoder blocks.
        dim: width of source and target.
        draw: the random source.
    """
    source, other_source, target, other = draw.normal(4, 2, 3, dim)
    earlier = np.concatenate([other[:, :2], target[:, 2:]], axis=1)

    def expect_nothing_of(part: Text, difference: Callable[[], Array]) -> None:
        # a number in ten million is kept, hardly three times
        through = all(float(np.abs(difference()).max()) > STILL for _ in range(TRIES))
        expect_that(
            not through,
            Text(
                f"In training nothing is dropped of {part.en}.",
                f"학습 때 드롭아웃이 일어나지 않는 곳이 있습니다: {part.ko}.",
            ),
        )

    expect_nothing_of(
        Text("what the attention over the memory gives", "메모리에 대한 어텐션의 출력"),
        lambda: ask(source, target) - ask(other_source, target),
    )
    expect_nothing_of(
        Text("what the decoder's self-attention gives", "디코더 셀프 어텐션의 출력"),
        lambda: ask(source, target)[:, 2] - ask(source, earlier)[:, 2],
    )
    expect_nothing_of(
        Text("what the decoder's feed-forward network gives", "디코더 피드포워드 신경망의 출력"),
        lambda: ask(source, target) + ask(source, other) - 2 * ask(source, (target + other) / 2),
    )


def expect_encoder_to_drop(ask: Callable[[Array, Array, bool], Array], positions: Array, draw: Draw) -> None:
    """Miss if one of an encoder and a decoder of one block each never drops.

    All targets of a batch are the same, so an output varies along a sequence only by what the decoder drops, anew at each
    position, and between sequences also by what the encoder drops, once for a whole sequence (one-way analysis of variance).

    Args:
        ask: source (batch, 1, dim), target (batch, target_len, dim), training -> the output; of dropout 0.5.
        positions: (`LONG`, dim), the table that the model may add.
        draw: the random source.
    """
    dim = positions.shape[1]
    source = np.repeat(draw.normal(1, 1, dim), ROWS, axis=0)
    token = draw.normal(1, 1, dim)
    for table in (positions, np.zeros_like(positions)):
        target = np.repeat(token - table, ROWS, axis=0)
        still = ask(source[:2], target[:2], False)
        if np.abs(still - still[:, :1]).max() < STILL:
            break
    else:
        return  # other positions are added, so targets can't be made alike
    expect_halves_to_drop(ask(source, target, True))


def expect_halves_to_drop(answers: Array, ratio: float = RATIO) -> None:
    """Miss if answers in training to equal sequences of equal tokens don't vary as if encoder and decoder dropped.

    Args:
        answers: (batch, target_len, features).
        ratio: ratio of the variances between and within sequences, which only a dropping encoder exceeds.
    """
    within = float(answers.var(axis=1, ddof=1).mean())
    between = float(answers.mean(axis=1).var(axis=0, ddof=1).mean()) * answers.shape[1]
    expect_that(
        within > STILL**2,
        Text("In training nothing is dropped in the decoder.", "학습 때 디코더에서 드롭아웃이 일어나지 않습니다."),
    )
    expect_that(
        between > ratio * within,
        Text("In training nothing is dropped in the encoder.", "학습 때 인코더에서 드롭아웃이 일어나지 않습니다."),
    )
