"""Hidden tests of the task `model-parameters`."""

from __future__ import annotations

from collections.abc import Callable

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import Draw, Miss, Probe, expect_number, expect_that, expect_whole_number

from .. import reference as oracle
from .token_model import COUNTED, OTHER, Token

STEP = 5  # how much larger a vocabulary is made


class Sizes:
    """Sizes to count with, no two alike."""

    def __init__(self, draw: Draw) -> None:
        self.vocab_size, self.num_layers, self.num_heads = draw.integer(60, 90), draw.integer(2, 3), draw.integer(2, 6)
        self.d_model = self.num_heads * draw.choice([8, 10, 12])
        self.ff_dim = self.d_model + draw.integer(7, 30)

    def count(self, probe: Probe, tie_weights: bool = False, **changed: int) -> float:
        """Return the student's count, once it is one whole number."""
        sizes = {**vars(self), **changed}
        options = {"tie_weights": True} if tie_weights else {}
        answer = probe.call("transformer_parameter_count", *(sizes[name] for name in COUNTED), **options)
        return expect_whole_number(answer)


def biases_of_own_models(probe: Probe, draw: Draw) -> dict[bool, bool]:
    """Return for untied and tied (False, True) whether the output of the student's own model has a bias.

    Where the model can't be made, or isn't what the task asks for, it is as the course has it.
    """
    biases = {False: True, True: False}
    for tied in biases:
        try:
            model = Token(probe, draw, OTHER, tie_weights=tied)
        except (AnswerError, Miss):
            continue
        if len(model.matrices()) == (1 if tied else 3):
            biases[tied] = model.has_output_bias()
    return biases


def expect_count(
    probe: Probe,
    draw: Draw,
    answer: float,
    right: Callable[[bool, bool], float],
    what: Text,
) -> None:
    """Miss unless the answer is right by the course's output biases or by those of the student's own models.

    Args:
        probe: asks for the student's models, only if the answer isn't the course's.
        draw: the random numbers of the models' weights.
        answer: the student's number.
        right: (untied has a bias, tied has one) -> expected number.
        what: the number, as the subject of a sentence.
    """
    if answer == right(True, False):
        return
    own = biases_of_own_models(probe, draw)
    if answer == right(own[False], own[True]):
        return
    expect_number(answer, right(True, False), what, tolerance=0.0)


def test_parameters_are_a_number(probe: Probe, draw: Draw) -> None:
    Sizes(draw).count(probe)


def test_parameters_of_a_layer(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    d, inner = sizes.d_model, sizes.ff_dim
    expect_number(
        sizes.count(probe, num_layers=sizes.num_layers + 1) - sizes.count(probe),
        sum(oracle.block_parameter_count(d, inner, attentions) for attentions in (1, 2)),
        Text("the growth of the count with one more layer", "num_layers가 하나 늘 때 파라미터 수의 증가량"),
        tolerance=0.0,
    )


def test_parameters_of_a_token(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    more = draw.integer(3, 9)
    d = sizes.d_model

    def right(untied_bias: bool, _tied_bias: bool) -> float:
        return more * (3 * d + untied_bias)

    expect_count(
        probe,
        draw,
        sizes.count(probe, vocab_size=sizes.vocab_size + more) - sizes.count(probe),
        right,
        Text(
            "the growth of the count with the vocabulary, untied",
            "어휘가 커질 때 파라미터 수의 증가량(공유하지 않을 때)",
        ),
    )


def test_parameters_tied(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    vocab_size, d = sizes.vocab_size, sizes.d_model
    # only what changes with the vocabulary, and what doesn't change with it: the rest of the count is judged elsewhere
    few, many = (sizes.count(probe, tie_weights=True, vocab_size=n) for n in (vocab_size, vocab_size + STEP))
    growth = many - few

    def right(_untied_bias: bool, tied_bias: bool) -> float:
        return STEP * (d + tied_bias)

    expect_count(
        probe,
        draw,
        growth,
        right,
        Text("the growth of the count with the vocabulary, tied", "어휘가 커질 때 파라미터 수의 증가량(공유할 때)"),
    )
    untied_few, untied_many = (sizes.count(probe, vocab_size=n) for n in (vocab_size, vocab_size + STEP))
    expect_that(
        untied_few - (untied_many - untied_few) / STEP * vocab_size == few - growth / STEP * vocab_size,
        Text(
            "Tying should change nothing but what the vocabulary costs.",
            "가중치를 공유해도 달라지는 것은 어휘의 파라미터 수뿐이어야 합니다.",
        ),
    )


def test_parameters_whole(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    order = [getattr(sizes, name) for name in COUNTED]

    def right(untied_bias: bool, _tied_bias: bool) -> float:
        return oracle.transformer_parameter_count(*order, output_bias=untied_bias)

    what = Text("the number of parameters, untied", "파라미터 수(공유하지 않을 때)")
    expect_count(probe, draw, sizes.count(probe), right, what)
