"""The catalogue of known wrong answers, one module a notebook.

An entry says what the mistake is, the hint a student earns with it, the code that makes it and the rubric lines it
loses. `autograder check` grades each entry; a grader that finds an answer equal to what a mistake gives names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.text import Text


@dataclass(frozen=True)
class Mistake:
    """One known wrong answer.

    Attributes:
        id: unique within its notebook, in words: `softmax-over-queries`.
        task: slug of the task whose cell holds it.
        hint: what the student sees when the mistake is recognised: what it is and where to look, not the solution.
        code: the source of the task's cell that makes the mistake; the other cells are right.
        fails: ids of the rubric lines that miss. Lines that need one of these are lost with it and not listed.
        limits: fields of `Limits` that `autograder check` changes for this mistake, so that it shows sooner.
        backends: Keras backends on which it is one; float64 is none where there is no float64.
    """

    id: str
    task: str
    hint: Text
    code: str
    fails: frozenset[str]
    limits: Mapping[str, float] = field(default_factory=dict)
    backends: tuple[str, ...] = ("tensorflow", "jax", "torch")
