"""Broken and hostile submissions to one assignment, and what must become of each.

A case changes the notebook of a student who solved everything. Code in a case may hold the names of `Targets`, such as
`@COURSE@`: they are replaced when the submission is written, so that an attack finds its target without a search.

An attack that succeeds prints `LEAK` (or, with what a grader sent it, `SEEN`), written apart in its source so that the
word is found in outputs only. What could harm a machine is bounded, and begins with `GUARD`: an attack that finds the
course open says so and stops.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from nbformat import NotebookNode

ASSIGNMENT = "02-attention"
NOTEBOOK = "scaled_dot_product_attention"
FILE = f"{NOTEBOOK}.ipynb"
FULL: dict[str, float] = {
    "softmax": 3,
    "attention-scores": 3,
    "scaled-dot-product": 6,
    "projections": 3,
    "score-scale": 2,
    "additive": 3,
}
# Students who solved everything, in nbgrader's order before, between and after the others.
HONEST = ("A00-honest", "B10-honest", "D00-honest", "G00-honest", "ME00-honest", "N49-honest", "N99-honest", "Z-honest")
NOTHING: dict[str, float] = dict.fromkeys(FULL, 0)
GROUPS = (
    "resources",
    "processes",
    "secrets",
    "tampering",
    "cheating",
    "values",
    "shadowing",
    "messages",
    "notebook",
    "file",
    "habits",
)

# One right answer per task that calls no other task's function: an attack on one leaves the others' points alone.
INDEPENDENT: dict[str, str] = {
    "softmax": """
def softmax(x, axis=-1):
    import numpy as np

    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    "attention-scores": """
def attention_scores(query, key):
    import numpy as np

    return query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
""",
    "scaled-dot-product": """
def scaled_dot_product_attention(query, key, value, mask=None):
    import numpy as np

    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores - 1e9 * np.asarray(mask)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ value, weights
""",
    "projections": """
def projected_attention(x_query, x_key, x_value, w_query, w_key, w_value):
    import numpy as np

    query, key, value = x_query @ w_query, x_key @ w_key, x_value @ w_value
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ value, weights
""",
    "score-scale": """
def score_std(key_dim, scaled):
    return 1.0 if scaled else float(key_dim) ** 0.5
""",
    "additive": """
def additive_attention(query, key, value, w_query, w_key, v):
    import numpy as np

    scores = np.tanh((query @ w_query)[..., :, None, :] + (key @ w_key)[..., None, :, :]) @ v
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ value, weights
""",
}
RIGHT = INDEPENDENT["softmax"]
WRONG = """
def softmax(x, axis=-1):
    return x
"""
GRADER_VARIABLE = "CORPUS_CANARY"  # of the grader's environment
GUARD = """
import os


def sealed():
    for path in ("@COURSE@/course_config.py", "@OUTSIDE@/canary"):
        try:
            open(path).close()
        except OSError:
            continue
        print("LE" + "AK", "open:", path)
        return False
    try:
        os.kill(@PID@, 0)
    except OSError:
        return True
    print("LE" + "AK", "a process outside can be signalled")
    return False

"""


@dataclass(frozen=True)
class Targets:
    """What the attacks of one run aim at.

    Attributes:
        course: root of the course in which they are graded.
        outside: a folder that everyone may read and write, with the file `canary` in it.
        pid: a process outside that must survive.
        tcp, udp: ports of listeners on 127.0.0.1.
        socket: path of a listening unix socket that everyone may connect to.
        abstract: name of a listening abstract unix socket.
        mark: part of the name of whatever an attack leaves behind; ends in the case's id.
        key: number for System V objects.
        student: whose folder the case is handed in as.
    """

    course: str
    outside: str
    pid: int
    tcp: int
    udp: int
    socket: str
    abstract: str
    mark: str
    key: int
    student: str = ""

    def fill(self, code: str) -> str:
        """Replace the names of the targets in an attack."""
        for item in dataclasses.fields(self):
            code = code.replace(f"@{item.name.upper()}@", str(getattr(self, item.name)))
        return code


@dataclass(frozen=True)
class Case:
    """One broken or hostile submission.

    Attributes:
        id: stable name; also the student's. One letter and a number, `A01`, for the first hundred.
        group: one of `GROUPS`.
        title: what it does.
        points: what it must earn, per task.
        answers: task -> code in place of the right answer.
        change: alters the notebook.
        raw: alters the bytes of the file; `None` leaves no file.
        lay: alters the folder handed in.
        files: name -> content of files beside the notebook.
        says: regular expression that the feedback must match.
        dependent: the other answers call each other, so that follow-through decides on them.
    """

    id: str
    group: str
    title: str
    points: Mapping[str, float]
    answers: Mapping[str, str] = field(default_factory=dict)
    change: Callable[[NotebookNode], None] | None = None
    raw: Callable[[bytes], bytes | None] | None = None
    lay: Callable[[Path, Targets], None] | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    says: str = ""
    dependent: bool = False

    @property
    def is_basic(self) -> bool:
        """Whether it runs in every mode: one of the first hundred, of all groups."""
        return re.match("[A-G][0-9]", self.id) is not None


class Group:
    """Collects the cases of one group."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cases: list[Case] = []

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def add(
        self,
        id: str,
        title: str,
        code: str | None = None,
        *,
        then: str = "",
        guarded: bool = False,
        task: str = "softmax",
        earns: float = 0,
        points: Mapping[str, float] | None = None,
        also: Mapping[str, str] | None = None,
        change: Callable[[NotebookNode], None] | None = None,
        raw: Callable[[bytes], bytes | None] | None = None,
        lay: Callable[[Path, Targets], None] | None = None,
        files: Mapping[str, bytes] | None = None,
        says: str = "",
        dependent: bool = False,
    ) -> None:
        """Add a case: `code`, followed by `then`, takes the place of `task`'s answer, which then earns `earns`.

        Without `code` the answer is a wrong one; `also` holds changed answers to other tasks. `points` are those that differ from full, if `earns` doesn't say it.
        """
        answers = {task: WRONG if code is None else (GUARD if guarded else "") + dedent(code) + then, **(also or {})}
        expected = {**FULL, task: earns} if points is None else {**FULL, **points}
        self.cases.append(Case(id, self.name, title, expected, answers, change, raw, lay, files or {}, says, dependent))


def cell_of(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    """Return the cell with a grade id."""
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)
