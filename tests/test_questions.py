"""What the graders ask: sizes in both orders, each value of an argument with a default, training and copies of every layer.

A wrong answer that none of a task's questions tells from a right one stays unseen whatever the lines compare. So each pair of sizes must
be asked about in both orders, each argument that may be left out with and without it, and each layer in training and from its config. What
isn't asked stands below with its reason.
"""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from autograder.sources.course import Course, load_course
from tests.asked import SOMETHING, Question, Signature, questions, signatures, unasked

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "solutions").glob("[0-9]*/notebook.py"))

DIVIDES = "num_heads divides d_model, so it isn't larger."
APART = "Nothing adds, slices or compares these two; they are drawn apart from each other, and all shapes are compared."
CHEAP = "A model of more layers or heads than it has features would cost much and show nothing: layers are counted, not sliced."
WORDS = "A vocabulary smaller than what else is counted would leave too few words to ask about."
# Assignment -> pattern of what isn't asked -> why.
NOT_ASKED: dict[str, dict[str, str]] = {
    "03-multi-head-attention": {"MultiHeadAttention: d_model < num_heads*": DIVIDES},
    "05-encoder-decoder-blocks": {
        "*: d_model < num_heads*": DIVIDES,
        "*: num_heads > ff_dim*": APART,
        "*Block: d_model > ff_dim of a copy": "Asked about the block itself; its copy gets its weights, which fit one order only.",
        "FeedForward: ff_dim > d_model*": APART,
    },
    "06-transformer": {
        "*: d_model < num_heads": DIVIDES,
        "build_continuous_transformer: dim < num_heads": DIVIDES,
        "*: vocab_size < *": WORDS,
        "TokenEmbedding: d_model > max_len of a copy": "In the other order, which is asked, a copy with d_model rows is too short.",
        "build_continuous_transformer: * < num_??coder_blocks": CHEAP,
        "build_continuous_transformer: num_heads > ff_dim": APART,
        "build_continuous_transformer: timesteps > dim": "A table of dim positions is too short for the long targets of continuous-lengths.",
        "build_continuous_transformer: timesteps > ff_dim": APART,
        "build_transformer: max_len < num_*": CHEAP,
        "*transformer*: num_heads > ff_dim": APART,
        "*transformer*: num_layers > *": CHEAP,
        "transformer_parameter_count: d_model > ff_dim": "The count is a polynomial in both, and is compared exactly.",
    },
    "08-debugging-clinic": {"build_self_attention: d_model < num_heads": DIVIDES},
    "09-bert-and-gpt": {
        "*: d_model < num_heads": DIVIDES,
        "*: vocab_size < [!m]*": WORDS,
        "*: vocab_size < max_len": WORDS,
        "build_*_lm: max_len < num_*": CHEAP,
        "build_*_lm: num_heads > ff_dim": APART,
        "build_*_lm: num_layers > *": CHEAP,
        "mask_tokens: vocab_size < mask_id": "mask_id is one of the vocabulary.",
        "sample: temperature ? top_k": "A temperature and a number of tokens are no two sizes.",
    },
    "10-modern-transformer": {
        "*: d_model < num_*": DIVIDES,
        "GroupedQueryAttention: num_heads < num_kv_heads of a copy": "num_kv_heads divides num_heads, so it isn't larger.",
        "*: is never called in training": "The text of these layers has no dropout, and none was seen; to be asked when the lines change.",
    },
}


@cache
def asked_in(assignment: str) -> tuple[Question, ...]:
    """Return the questions of an assignment's grading, asked once."""
    return tuple(questions(load_course(ROOT), assignment))


def missing_in(course: Course, assignment: str, asked: tuple[Question, ...]) -> set[str]:
    source = course.source(assignment)
    known = {
        name: signature
        for task, own in signatures(source).items()
        if task not in source.costly
        for name, signature in own.items()
    }
    return set(unasked(known, asked))


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_everything_is_asked_or_has_its_reason(course: Course, assignment: str) -> None:
    missing = missing_in(course, assignment, asked_in(assignment))
    known = NOT_ASKED.get(assignment, {})
    assert sorted(each for each in missing if not any(fnmatchcase(each, pattern) for pattern in known)) == []
    unused = [pattern for pattern in known if not any(fnmatchcase(each, pattern) for each in missing)]
    assert unused == [], "is asked now: leave it out of the table"


@pytest.mark.slow
def test_a_question_that_is_taken_away_is_missed(course: Course) -> None:
    """Of the layer with a table, those with more rows than columns."""
    assignment = "01-positional-encoding"
    asked = asked_in(assignment)
    fewer = tuple(
        q for q in asked if q.name != "PositionalEncoding" or int(str(q.values["max_len"])) < int(str(q.values["dim"]))
    )
    assert missing_in(course, assignment, fewer) - missing_in(course, assignment, asked) == {
        "PositionalEncoding: max_len > dim",
        "PositionalEncoding: max_len > dim of a copy",
    }


# --- the means -------------------------------------------------------------------------------------------------------

KNOWN = {
    "f": Signature(("rows", "columns", "mask", "flag"), {"mask": None, "flag": False}),
    "Layer": Signature(("rows", "columns")),
    "Layer.call": Signature(("x",)),
}


def about(name: str, *values: object, **more: object) -> Question:
    return replace(Question("task", "line", name, KNOWN[name].bound(values, {})), **more)  # type: ignore[arg-type]


ALL = [
    about("f", 2, 3),
    about("f", 3, 2, SOMETHING, True),
    about("Layer", 2, 3),
    about("Layer", 3, 2),
    about("Layer", 2, 3, is_copy=True),
    about("Layer", 3, 2, is_copy=True),
    about("Layer.call", SOMETHING),
    about("Layer.call", SOMETHING, training=True),
]


def test_nothing_is_missed_where_all_is_asked() -> None:
    assert set(unasked(KNOWN, ALL)) == set()


@pytest.mark.parametrize(
    ("left_out", "missed"),
    [
        ({0}, {"f: rows < columns", "f: mask left out", "f: flag left out", "f: flag=False"}),
        ({1}, {"f: rows > columns", "f: mask other than None", "f: flag=True"}),
        ({0, 1}, {"f: is never asked"}),
        ({3}, {"Layer: rows > columns"}),
        ({4}, {"Layer: rows < columns of a copy"}),
        ({4, 5}, {"Layer: is never rebuilt from its config"}),
        ({7}, {"Layer: is never called in training"}),
    ],
)
def test_what_is_left_out_is_missed(left_out: set[int], missed: set[str]) -> None:
    assert set(unasked(KNOWN, [q for i, q in enumerate(ALL) if i not in left_out])) == missed


def test_equal_sizes_and_sizes_that_are_refused_are_in_no_order() -> None:
    asked = [q for q in ALL if q.name != "f"] + [about("f", 2, 2), about("f", 3, -1, SOMETHING, True)]
    assert set(unasked(KNOWN, asked)) == {"f: rows < columns", "f: rows > columns"}
