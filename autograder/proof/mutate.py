"""`autograder mutate`: which mutants of the solution earn full points, and which names of known mistakes look wrong."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from autograder.grading.naming import Answers, RecordedAnswers
from autograder.grading.runner import TaskResult, mistakes_of
from autograder.proof.answers import agreed_answers, answers_of
from autograder.proof.check import QUESTIONS, course_at, with_answers
from autograder.proof.mutants import Mutant, mutants_of, sampled
from autograder.proof.survivors import AcceptedSurvivors, CleanRun, Survivor, digest, obsolete_survivors, read_accepted
from autograder.scheduling.jobs import job_seconds
from autograder.scheduling.pool import WorkerPool
from autograder.scheduling.pool_base import Ticket
from autograder.sources.course import Course
from autograder.sources.grading import Grading
from autograder.submissions.evaluation import grade

KILLED, SURVIVED, UNGRADED = "killed", "survived", "ungraded"
# By these questions a name is tried again: by practice questions it was given.
_OTHER_QUESTIONS = "names of mutants"


@dataclass(frozen=True)
class MutantResult:
    """What became of a mutant.

    Attributes:
        mutant: the mutant.
        state: `killed` if its task lost points, `survived` if it has them all, `ungraded` if there is no verdict.
        missed: ids of the rubric lines that it missed.
        is_silent: whether some line was missed by what it answered, not by an exception.
        name: id of the known mistake that it was taken for; empty if for none.
        doubt: why the name looks wrong; empty if it doesn't.
        fault: why it is ungraded, or at what answer a grader failed.
        seconds: wall time.
    """

    mutant: Mutant
    state: str
    missed: tuple[str, ...] = ()
    is_silent: bool = False
    name: str = ""
    doubt: str = ""
    fault: str = ""
    seconds: float = 0.0


@dataclass
class MutationTally:
    """The mutants of one assignment.

    Attributes:
        assignment: id of the assignment.
        generated: number of mutants that the operators make.
        accepted: what the assignment's file `survivors.toml` holds.
        run: digest, seed and size of the sample that is graded.
        stale: accepted survivors that no operator makes any more.
        covered: whether an earlier run without new survivors had graded all of this sample.
        results: results of the sample's mutants.
    """

    assignment: str
    generated: int
    accepted: AcceptedSurvivors
    run: CleanRun
    stale: list[Survivor] = field(default_factory=list)
    covered: bool = False
    results: list[MutantResult] = field(default_factory=list)

    def of(self, state: str) -> list[MutantResult]:
        """Return the results with a state, in an order of their own."""
        return sorted((r for r in self.results if r.state == state), key=lambda r: r.mutant.id)

    @property
    def new(self) -> list[MutantResult]:
        """The survivors that aren't accepted."""
        return [result for result in self.of(SURVIVED) if result.mutant.id not in self.accepted.survivors]

    @property
    def kinds(self) -> Counter[str]:
        """Kind of accepted survivor -> how many survived."""
        known = self.accepted.survivors
        return Counter(known[r.mutant.id].kind for r in self.of(SURVIVED) if r.mutant.id in known)

    @property
    def killed_though_accepted(self) -> list[MutantResult]:
        """Accepted survivors that a line catches now."""
        return [result for result in self.of(KILLED) if result.mutant.id in self.accepted.survivors]

    @property
    def named(self) -> list[MutantResult]:
        """The kills that got a known mistake's name."""
        return [result for result in self.results if result.name]

    @property
    def doubted(self) -> list[MutantResult]:
        """Those of `named` whose name looks wrong."""
        return [result for result in self.named if result.doubt]

    @property
    def is_clean(self) -> bool:
        """Whether every mutant of the sample was graded and none survived but accepted ones."""
        return not self.new and not self.of(UNGRADED)


def mutate(
    course: Course,
    samples: Mapping[str, Sequence[Mutant]],
    workers: int = 0,
    tell: Callable[[str, MutantResult], None] | None = None,
) -> dict[str, list[MutantResult]]:
    """Grade mutants in worker processes, each in the place of its task's cell.

    Args:
        course: the course whose sources and configuration are used.
        samples: assignment -> mutants.
        workers: processes; 0 means as many as the course says.
        tell: called with the assignment and the result of each mutant, as soon as there is one.
    """
    results: dict[str, list[MutantResult]] = {assignment: [] for assignment in samples}
    with WorkerPool(workers or course.worker_count, course.backend) as pool:
        tickets: dict[Ticket, tuple[str, Mutant]] = {}
        for assignment, mutants in samples.items():
            seconds = 3 * job_seconds(course.limits_of(assignment))  # a name is tried by two more gradings
            for mutant in mutants:
                ticket = pool.submit(_run_at, course.root, course.backend, assignment, mutant, seconds=seconds)
                tickets[ticket] = assignment, mutant
        for ticket, outcome in pool.outcomes():
            assignment, mutant = tickets[ticket]
            result = outcome.value or MutantResult(mutant, UNGRADED, fault=outcome.fault)
            results[assignment].append(result)
            if tell:
                tell(assignment, result)
    return results


def tallies_of(
    course: Course, assignments: Sequence[str], size: int, seed: int, *, only_changed: bool = False
) -> dict[str, tuple[MutationTally, list[Mutant]]]:
    """Return assignment -> its tally, without results yet, and the mutants of its sample.

    Args:
        course: the course whose sources and configuration are used.
        assignments: ids of the assignments.
        size: size of each assignment's sample; 0 means every mutant.
        seed: seed by which each sample is drawn.
        only_changed: leave out, with an empty sample, what a run without new survivors has graded since the last change.
    """
    found: dict[str, tuple[MutationTally, list[Mutant]]] = {}
    for assignment in assignments:
        source = course.source(assignment)
        mutants, accepted = mutants_of(source), read_accepted(source.folder)
        run = CleanRun(digest(source), seed, size if size < len(mutants) else 0)
        tally = MutationTally(assignment, len(mutants), accepted, run, obsolete_survivors(accepted, mutants))
        tally.covered = only_changed and accepted.clean is not None and accepted.clean.covers(run)
        found[assignment] = tally, [] if tally.covered else sampled(mutants, size, seed)
    return found


def run_mutant(course: Course, assignment: str, mutant: Mutant) -> MutantResult:
    """Grade one mutant's task, and try the name that it gets by other questions."""
    began = time.monotonic()
    source = course.source(assignment)
    seed = "\n".join((course.secret, assignment, "mutants"))
    grading = course.grading_of(assignment, "mutants", shows="none", tasks={mutant.task}, seed=seed)
    verdict = grade(grading, with_answers(source, {mutant.task: mutant.code}))
    result = judged(mutant, verdict.tasks[mutant.task])
    if result.name:
        result = replace(result, doubt=_doubt(course, grading, assignment, mutant, result.name))
    return replace(result, seconds=time.monotonic() - began)


def judged(mutant: Mutant, task: TaskResult) -> MutantResult:
    """Return what the result of its task says of a mutant."""
    if task.points is None:
        faults = [line.fault for line in task.lines if line.status == "ungraded"]
        return MutantResult(mutant, UNGRADED, fault=next(filter(None, faults), "no verdict"))
    missed = [line for line in task.lines if line.status == "missed"]
    return MutantResult(
        mutant,
        SURVIVED if task.is_full else KILLED,
        tuple(line.id for line in missed),
        any(line.kind == "wrong" for line in missed),
        next((line.mistake for line in missed if line.mistake), ""),
        fault="; ".join(f"{line.id}: {line.fault}" for line in missed if line.fault),
    )


def _doubt(course: Course, grading: Grading, assignment: str, mutant: Mutant, name: str) -> str:
    """Return why a name looks wrong: the named mistake answers otherwise to other questions about the same lines."""
    source = course.source(assignment)
    mistake = mistakes_of(source.folder)[name]
    answers, missed = answers_of(grading, source, mutant.code, mistake, _OTHER_QUESTIONS)
    others = _answers_of_entry(course.root, course.backend, assignment, name)
    if missed != set(others):
        return f"asked anew it misses {', '.join(sorted(missed))}, and {name} {', '.join(sorted(others))}"
    fits = RecordedAnswers({name: others}).fitting({line: answers[line] for line in missed if line in answers})
    return "" if fits else f"asked anew it answers otherwise than {name}"


@cache
def _answers_of_entry(root: Path, backend: str, assignment: str, name: str) -> Answers:
    course = course_at(root, backend, QUESTIONS)
    source = course.source(assignment)
    mistake = mistakes_of(source.folder)[name]
    return agreed_answers(
        course.grading_of(assignment, "mutants", tasks={mistake.task}), source, mistake, _OTHER_QUESTIONS
    )


def _run_at(root: Path, backend: str, assignment: str, mutant: Mutant) -> MutantResult:
    """Grade a mutant in a worker process, which loads the course itself."""
    return run_mutant(course_at(root, backend, QUESTIONS), assignment, mutant)
