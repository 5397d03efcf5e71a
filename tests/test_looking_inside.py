"""Checks that look into what they are asked about, or count, instead of calling it: they earn nothing."""

from __future__ import annotations

import pytest

from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade

pytestmark = pytest.mark.course

WALK = """
def inside(function):
    # what a function holds, and what that holds
    import types
    found, queue = [], [cell.cell_contents for cell in function.__closure__ or ()]
    while queue and len(found) < 1000:
        thing = queue.pop()
        found.append(thing)
        if isinstance(thing, types.FunctionType):
            queue += [cell.cell_contents for cell in thing.__closure__ or ()]
        elif isinstance(thing, dict):
            queue += list(thing.values())
    return found
"""
LOOKS = {
    ("04-masks", "leak-test"): """
def leaks_future(attend, seq_len, dim):
    arrays = [a for a in inside(attend) if isinstance(a, np.ndarray) and a.ndim in (2, 3) and a.shape[0] == a.shape[1]]
    for a in arrays:
        later = a[:seq_len, :seq_len][np.triu_indices(min(seq_len, len(a)), k=1)]
        if len(a) >= seq_len and ((later == 0).any() if a.ndim == 2 and a.max() == 1 else a.ndim == 3 and (later != 0).any()):
            return True
    return False
""",
    ("08-debugging-clinic", "detect-inverted-mask"): """
def detect_inverted_mask(attend):
    windows = [a for a in inside(attend) if isinstance(a, np.ndarray) and a.ndim == 2 and a.shape[1] == 2]
    return any((w[:, 1] > 0).any() for w in windows)
""",
    ("08-debugging-clinic", "detect-head-scaling"): """
def detect_head_scaling(weigh):
    exponents = [t for t in inside(weigh) if isinstance(t, tuple) and len(t) == 2]
    return any(tuple(t) != (0.5, 0) for t in exponents)
""",
    ("08-debugging-clinic", "detect-shifted-target"): """
def detect_shifted_target(make):
    starts = [t for t in inside(make) if isinstance(t, tuple) and len(t) == 2]
    return any(tuple(t) != (0, 1) for t in starts)
""",
}


@pytest.mark.parametrize(("assignment", "task"), LOOKS, ids=[task for _, task in LOOKS])
def test_a_check_that_looks_inside_earns_nothing(course: Course, assignment: str, task: str) -> None:
    source = course.source(assignment)
    submission = with_answers(source, {task: WALK + LOOKS[assignment, task]})
    result = grade(
        course.grading_of(submission.source.assignment, "someone", shows="none", tasks={task}), submission
    ).tasks[task]
    assert result.points == 0, [line.id for line in result.lines if line.status == "passed"]
