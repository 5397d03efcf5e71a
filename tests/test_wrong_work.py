"""Wrong work that looks for its points elsewhere than in the answer: what it may reach is out of its reach."""

from __future__ import annotations

import pytest

from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade

pytestmark = pytest.mark.course

# It asks on to max_len, and forges what a counter in its own kernel would say.
FORGETS = """
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    ids = np.full((len(source_ids), 1), bos_id)
    ended = np.zeros(len(source_ids), dtype=bool)
    while ids.shape[1] < max_len:
        following = to_numpy(model([source_ids, ids]))[:, -1].argmax(axis=-1)
        following = np.where(ended, 0, following)
        ids = np.concatenate([ids, following[:, None]], axis=1)
        ended |= following == eos_id
    for thing in (model, getattr(model, "tell", None), type(model)):
        for name in ("asked", "count", "__call__"):
            try:
                setattr(thing, name, 0 if name != "__call__" else (lambda *args, **kwargs: 0))
            except (AttributeError, TypeError):
                pass
    return ids
"""


def test_a_stand_ins_count_is_not_the_students_to_set(course: Course) -> None:
    submission = with_answers(course.source("07-training"), {"greedy-decode": FORGETS})
    verdict = grade(
        course.grading_of(submission.source.assignment, "forgets", shows="none", tasks={"greedy-decode"}), submission
    )
    task = verdict.tasks["greedy-decode"]
    assert [line.id for line in task.lines if line.status != "passed"] == ["decode-stops"]
    assert task.points == task.max_points - 0.5


def test_wrong_carried_work_costs_nothing_where_a_task_uses_its_own_layers_attribute(course: Course) -> None:
    """The embedding earned everything, so it stays while the carried-over work is replaced: the reference's has another attribute."""
    source = course.source("06-transformer")
    carried, embedding, model = (source.reference(slug) for slug in ("carry-over", "token-embedding", "token-model"))
    answers = {
        "carry-over": carried.replace("ops.equal(token_ids, pad_id)", "ops.not_equal(token_ids, pad_id)"),
        "token-embedding": embedding.replace("self.embedding", "self.words"),
        "token-model": model.replace(".embedding.embeddings", ".words.embeddings"),
    }
    grading = course.grading_of("06-transformer", "own-names", shows="none", tasks=set(answers) - {"carry-over"})
    verdict = grade(grading, with_answers(source, answers))
    missed = [line.id for task in verdict.tasks.values() for line in task.lines if line.status != "passed"]
    assert missed == []
