"""What the known mistakes of an assignment answer to the practice questions, recorded so that wrong answers get their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from autograder.base.errors import MachineError
from autograder.grading.naming import (
    SENTENCE,
    Answers,
    RecordedAnswers,
    forget_recorded_answers,
    without_sentence,
    write_answers,
)
from autograder.grading.runner import mistakes_of
from autograder.grading.sketches import Sketch, alike, common, has_chance
from autograder.proof.check import Case, with_answers, with_its_limits
from autograder.scheduling.jobs import job_seconds
from autograder.scheduling.pool import WorkerPool
from autograder.sources.catalogue import Mistake
from autograder.sources.course import Course, load_course
from autograder.sources.grading import Grading
from autograder.sources.notebooks import NotebookSource
from autograder.submissions.evaluation import practice_answers

# Each entry is asked twice. Weights that nobody set, and whatever else is random, differ then and don't count.
_SEEDS = tuple(f"\n\nimport keras as _keras\n_keras.utils.set_random_seed({seed})\n" for seed in (1, 2))


def record_answers(
    course: Course, assignment: str, workers: int = 0, tell: Callable[[], None] | None = None
) -> tuple[Path, RecordedAnswers]:
    """Ask every entry of an assignment's catalogue the practice questions, write the record, and return its path and content.

    Args:
        course: the course; entries that are no mistakes on the course's backend are left out.
        assignment: id of the assignment.
        workers: number of processes; 0 means as many as the course says.
        tell: called after each entry.

    Raises:
        MachineError: an entry couldn't be asked. Nothing is written.
    """
    source = course.source(assignment)  # its trainings aren't repeated in practice
    mistakes = mistakes_of(source.folder).values()
    entries = [e for e in mistakes if course.backend in e.backends and e.task not in source.costly]
    cases = [Case(assignment, "mistake", entry.id) for entry in entries]
    answers: dict[str, Answers] = {}
    with WorkerPool(workers or course.worker_count, course.backend) as pool:
        seconds = job_seconds(course.limits_of(assignment))
        tickets = {pool.submit(_answers_at, course.root, case, seconds=seconds): case.id for case in cases}
        for ticket, outcome in pool.outcomes():
            if outcome.value is None:
                raise MachineError(f"{tickets[ticket]} could not be asked: {outcome.fault}")
            answers[tickets[ticket]] = outcome.value
            if tell:
                tell()
    recorded = RecordedAnswers(answers)
    path = write_answers(source, recorded)
    forget_recorded_answers()
    return path, recorded


def _answers_at(root: Path, case: Case) -> Answers:
    """Ask an entry in a worker process, which loads the course itself."""
    course = _course(root)
    source = course.source(case.assignment)
    mistake = mistakes_of(source.folder)[case.id]
    grading = with_its_limits(course, case).grading_of(case.assignment, f"record-{mistake.id}")
    recorded = agreed_answers(grading, source, mistake)
    without = {line: without_sentence(answers) for line, answers in recorded.items()}
    if any(answers == recorded[line] and has_chance(answers[-1:]) for line, answers in without.items()):
        right, _ = answers_of(grading, source, source.reference(mistake.task), mistake)
        if all(alike(answers, right.get(line, ())[: len(answers)]) for line, answers in without.items()):
            return {}  # but for what is chance its answers are right: anybody's would be alike
    return recorded


def agreed_answers(grading: Grading, source: NotebookSource, mistake: Mistake, questions: str = "") -> Answers:
    """Return what an entry answers about the lines that it misses, without what is chance.

    Args:
        grading: how the assignment is graded.
        source: the source of the assignment's notebook.
        mistake: the entry.
        questions: what the questions depend on instead of what practice questions do.
    """
    (first, missed), (second, _) = (
        answers_of(grading, source, mistake.code, mistake, questions, seed) for seed in range(len(_SEEDS))
    )
    return {line: _agreed(first[line], second.get(line, ())) for line in sorted(missed & first.keys())}


def answers_of(
    grading: Grading, source: NotebookSource, code: str, mistake: Mistake, questions: str = "", seed: int = 0
) -> tuple[Answers, set[str]]:
    """Ask some code about the lines that an entry misses; see `practice_answers` for what is returned.

    Args:
        grading: how the assignment is graded.
        source: the source of the assignment's notebook.
        code: what stands in the cell of the entry's task.
        mistake: the entry.
        questions: what the questions depend on instead of what practice questions do.
        seed: 0 or 1: which of the two seeds of random numbers is used.
    """
    submission = with_answers(source, {mistake.task: code + _SEEDS[seed]})
    return practice_answers(grading, submission, mistake.task, mistake.misses, questions)


def _agreed(first: Sequence[Sketch], second: Sequence[Sketch]) -> list[Sketch]:
    """Return what a line's answers agree on, with the line's sentence if something of them is chance and the sentence isn't."""
    agreed = common(without_sentence(first), without_sentence(second))
    is_fixed = bool(second) and first[-1] == second[-1] != [SENTENCE]
    return [*agreed, first[-1]] if has_chance(agreed) and is_fixed else agreed


@cache
def _course(root: Path) -> Course:
    return load_course(root)
