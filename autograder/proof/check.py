"""Proof of a course: solutions earn everything, releases nothing, mistakes are caught and right answers not docked."""

from __future__ import annotations

import ast
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.grading import runner as grading
from autograder.grading.naming import grader_files
from autograder.grading.runner import LineResult, alternatives_of, mistakes_of, variants_of
from autograder.kernels.session import Kernels, KernelSession
from autograder.kernels.shared import SharedKernels
from autograder.proof.record import CaseRecord, ProofRecord
from autograder.scheduling.jobs import job_seconds
from autograder.scheduling.pool import WorkerPool
from autograder.scheduling.pool_base import Ticket
from autograder.sources.catalogue import Alternative, Mistake, Variant
from autograder.sources.course import Course, Limits, load_course
from autograder.sources.notebooks import NotebookSource, render
from autograder.submissions.cells import run_cells, with_dependencies
from autograder.submissions.evaluation import grade, grade_file
from autograder.submissions.submission import Submission, repair
from autograder.submissions.verdicts import Verdict

# The graders' random questions depend on it: a proof that is repeated asks the same ones.
QUESTIONS = "d57dd59912324b4480df401aadbc75dd1e66191485c2ebfe26a24f899c0aaade"


@dataclass(frozen=True)
class Case:
    """One submission whose verdict is known beforehand.

    Attributes:
        assignment: id of the assignment.
        kind: `solution`, `release`, `mistake`, `variant` (a mistake's edits in another style) or `alternative`.
        id: id of the mistake, variant or alternative; of a release or solution the language.
    """

    assignment: str
    kind: str
    id: str


@dataclass(frozen=True)
class CaseResult:
    """What became of a case.

    Attributes:
        case: the case that was graded.
        failed: what is wrong with the verdict; empty if it is as it must be.
        named: whether the mistake was recognised by name.
        misnamed: whether another mistake's name was given.
        follow_on: points lost in tasks other than the mistaken one.
        seconds: wall time of the grading.
        record: points, lines and names of the verdict; None if there is none.
    """

    case: Case
    failed: str
    named: bool = False
    misnamed: bool = False
    follow_on: float = 0.0
    seconds: float = 0.0
    record: CaseRecord | None = None

    @property
    def is_perfect(self) -> bool:
        """Whether a mistake was caught and named, and cost nothing elsewhere."""
        return not self.failed and self.named and not self.misnamed and not self.follow_on


@dataclass
class Tally:
    """The results of one assignment, counted."""

    assignment: str
    results: list[CaseResult] = field(default_factory=list)

    def of(self, kind: str) -> list[CaseResult]:
        """Return the results of one kind of case."""
        return [result for result in self.results if result.case.kind == kind]

    def good(self, kind: str) -> int:
        """Return how many cases of a kind came out as they must."""
        return sum(not result.failed for result in self.of(kind))


def proof_record(tallies: Iterable[Tally], backend: str) -> ProofRecord:
    """Return the verdicts of a proof that was made on a backend."""
    results = [result for tally in tallies for result in tally.results]
    return ProofRecord(
        backend, {f"{r.case.assignment} {r.case.kind}:{r.case.id}": r.record for r in results if r.record is not None}
    )


def cases_of(
    course: Course,
    assignment: str,
    backend: str = "",
    only: str = "",
    *,
    variants: bool = False,
    part: tuple[int, int] = (1, 1),
) -> list[Case]:
    """Return an assignment's releases, solutions, and a backend's mistakes and alternatives.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        backend: Keras backend instead of the course's own.
        only: words, separated by commas; a case whose `kind:id` contains none of them is left out.
        variants: whether the mistakes' variants are included; without this only where `only` names them.
        part: (number of a part, number of parts): of the mistakes, variants and alternatives only this part's are returned;
            releases and solutions belong to each part.
    """
    folder, backend = course.source(assignment).folder, backend or course.backend
    cases = [Case(assignment, kind, language) for kind in ("solution", "release") for language in course.languages]
    catalogue: dict[str, Mapping[str, Mistake | Variant | Alternative]] = {
        "mistake": mistakes_of(folder),
        "alternative": alternatives_of(folder),
    }
    if variants or "variant" in only:
        catalogue["variant"] = variants_of(folder)
    for kind, entries in catalogue.items():
        cases += [Case(assignment, kind, identity) for identity, entry in entries.items() if backend in entry.backends]
    cases = [case for case in cases if any(word in f"{case.kind}:{case.id}" for word in only.split(","))]
    return [case for case in cases if case.kind in ("solution", "release") or _part_of(case, part[1]) == part[0]]


def read_part(words: str) -> tuple[int, int]:
    """Return the number of a part and how many there are, of words such as `2/3`.

    Raises:
        CourseError: these are no such words.
    """
    match = re.fullmatch(r"(\d{1,3})/(\d{1,3})", words)
    part = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part[0] <= part[1]:
        raise CourseError(f"A part is a number of parts, such as 2/3 for the second of three. Received: {words!r}.")
    return part


def _part_of(case: Case, parts: int) -> int:
    """Return the number of a case's part, from 1; it stays the same when other cases come and go."""
    return 1 + zlib.crc32(f"{case.id} {case.kind} {case.assignment}".encode()) % parts


def check(
    course: Course,
    assignments: Iterable[str],
    workers: int = 0,
    only: str = "",
    backend: str = "",
    tell: Callable[[CaseResult], None] | None = None,
    secret: str = QUESTIONS,
    *,
    variants: bool = False,
    part: tuple[int, int] = (1, 1),
    apart: tuple[int, int] | None = None,
) -> list[Tally]:
    """Grade every case of the assignments in parallel processes.

    Args:
        course: the course whose sources and configuration are used.
        assignments: ids of the assignments.
        workers: processes; 0 means as many as the course says.
        only: words, separated by commas; only cases whose `kind:id` contains one of them are run.
        backend: Keras backend instead of the course's own.
        tell: called with each result, as soon as there is one.
        secret: what the graders' questions depend on, instead of the course's own secret.
        variants: whether each slip is graded in every other style that holds the slip's text, too.
        part: (number of a part, number of parts): of the mistakes, variants and alternatives only this part's are graded.
        apart: (number of a part, number of parts): this part's mistakes are graded in kernels of their own, as a submission is.
            The others use some one after the other; one that doesn't come out as it must is graded again in kernels of its own.
    """
    course = replace(course, backend=backend or course.backend, secret=secret)
    tallies = {assignment: Tally(assignment) for assignment in assignments}
    cases = [case for each in tallies for case in cases_of(course, each, only=only, variants=variants, part=part)]
    with WorkerPool(workers or course.worker_count, course.backend) as pool:
        tickets: dict[Ticket, Case] = {}
        for case in cases:
            is_apart = apart is not None and _part_of(case, apart[1]) == apart[0]
            may_share = case.kind in ("mistake", "variant") and not is_apart
            seconds = job_seconds(course.limits_of(case.assignment))
            ticket = pool.submit(_run_case_at, course.root, course.backend, secret, case, may_share, seconds=seconds)
            tickets[ticket] = case
        for ticket, outcome in pool.outcomes():
            result = outcome.value or CaseResult(tickets[ticket], f"ungraded: {outcome.fault}")
            tallies[result.case.assignment].results.append(result)
            if tell:
                tell(result)
    return list(tallies.values())


def run_case(course: Course, case: Case, kernels: Kernels = KernelSession) -> CaseResult:
    """Grade one case, in kernels that `kernels` makes, and hold its verdict against what it must be."""
    began = time.monotonic()
    source = course.source(case.assignment)
    if case.kind == "release":
        path = course.root / "assignments" / case.id / source.assignment / f"{source.name}.ipynb"
        _, verdict = grade_file(course, case.assignment, path, "check-release")
    else:
        submission, shows = submission_of(source, case)
        tasks = graded_tasks(course, case)
        student = f"check-{case.id}"
        seed = "\n".join((course.secret, case.assignment, student))
        grading = course.grading_of(case.assignment, student, shows=shows, tasks=tasks, seed=seed)
        limits = with_its_limits(course, case).limits_of(case.assignment)
        verdict = grade(replace(grading, limits=limits), submission, kernels=kernels)
    result = judged(source, case, verdict)
    return replace(result, seconds=time.monotonic() - began, record=_recorded(verdict))


def judged(source: NotebookSource, case: Case, verdict: Verdict) -> CaseResult:
    """Hold a case's verdict against what it must be."""
    if verdict.ungraded:
        return CaseResult(case, f"ungraded: {verdict.fault}")
    if verdict.unjudged:
        return CaseResult(case, f"a grader failed at it: {'; '.join(verdict.unjudged)}")
    if case.kind == "release":
        return CaseResult(case, f"earned {verdict.points:g}" if verdict.points else "")
    if mistake := _mistake_of(source, case):
        return _judge_mistake(case, mistake, verdict)
    return CaseResult(case, "; ".join(_losses(verdict)))


def _recorded(verdict: Verdict) -> CaseRecord:
    lines = [line for task in verdict.tasks.values() for line in task.lines]
    return CaseRecord(
        {slug: task.points for slug, task in verdict.tasks.items()},
        {line.id: line.status for line in lines},
        {line.id: line.mistake for line in lines if line.mistake and line.status == "missed"},
    )


def graded_tasks(course: Course, case: Case) -> set[str]:
    """Return the tasks that are graded for a case.

    For a mistake these are its task and those that can feel it: the others hold the solution's code, which calls none of
    the mistaken one, and their tests don't ask for it. For a variant of a mistake it is its task. Otherwise they are all,
    but costly ones only in the solution in the course's first language, and in alternatives that have a cell for one or
    other carried-over work.
    """
    source = course.source(case.assignment)
    costly = set(source.costly)
    if case.kind == "variant":
        return {variants_of(source.folder)[case.id].mistake.task}
    if case.kind == "mistake":
        task = mistakes_of(source.folder)[case.id].task
        after = {slug for slug in source.points if task in source.predecessors(slug)}
        return {task} | _that_feel(source, task, after - costly)
    about = costly
    if case.kind == "solution" and case.id != course.languages[0]:
        about = set()
    elif case.kind == "alternative":
        cells = alternatives_of(source.folder)[case.id].cells
        about = costly if "carry-over" in cells else costly & set(cells)
    return {slug for slug in source.points if slug in about or slug not in costly}


def _that_feel(source: NotebookSource, task: str, others: set[str]) -> set[str]:
    """Return which of the others have a reference that uses what a task's cell defines, or hidden tests that name it."""
    if not others:
        return set()
    cells = run_cells(with_answers(source, {}), Limits())
    asked = _words_asked(source)
    return {
        slug
        for slug in others
        if f"task-{task}" in with_dependencies(cells, {f"task-{slug}"})
        or source.defined_names[f"task-{task}"] & asked[slug]
    }


def _words_asked(source: NotebookSource) -> dict[str, set[str]]:
    """Return task -> words of its rubric lines and of their hidden tests."""
    tests = _words_of_tests(source.folder)
    words: dict[str, set[str]] = {slug: set() for slug in source.points}
    for identity, line in source.rubric.items():
        words[line.task].update(tests[identity], re.findall(r"\w+", line.title.en))
    return words


@cache
def _words_of_tests(folder: Path) -> dict[str, set[str]]:
    """Return line id -> words in the strings of its hidden test and of all that this calls in the assignment's folder."""
    files = sorted(path for path in grader_files(folder) if path.is_relative_to(folder))
    nodes = [node for path in files for node in ast.parse(path.read_text(encoding="utf-8")).body]
    parts = {name: node for node in nodes for name in _names_bound_by(node)}
    words: dict[str, set[str]] = {}
    for line in grading.tests_of(folder):
        found = words.setdefault(line, set())
        queue, seen = [grading.test_name(line)], set()
        while queue:
            name = queue.pop()
            if name in parts and name not in seen:
                seen.add(name)
                for node in ast.walk(parts[name]):
                    if isinstance(node, ast.Name):
                        queue.append(node.id)
                    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                        found.update(re.findall(r"\w+", node.value))
    return words


def _names_bound_by(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def with_its_limits(course: Course, case: Case) -> Course:
    """Return the course with the limits that a mistake changes."""
    mistake = _mistake_of(course.source(case.assignment), case)
    changes = mistake.limits if mistake else {}
    if not changes:
        return course
    own = {**course.limits_by_assignment.get(case.assignment, {}), **changes}
    return replace(course, limits_by_assignment={**course.limits_by_assignment, case.assignment: own})


def with_answers(source: NotebookSource, answers: Mapping[str, str], language: str = "en") -> Submission:
    """Return the solution's submission with some tasks' cells replaced.

    Args:
        source: the source of the assignment's notebook.
        answers: task slug or `carry-over` -> what stands in that cell.
        language: language of the release that the submission is written in.
    """
    notebook = render(source, language)
    for slug, code in answers.items():
        grade_id = slug if slug == "carry-over" else f"task-{slug}"
        next(cell for cell in notebook.cells if cell.id == grade_id).source = code
    for cell in notebook.cells:
        cell.metadata["claimed"] = [cell.id]
    return repair(notebook, source)


def submission_of(source: NotebookSource, case: Case) -> tuple[Submission, str]:
    """Return what is handed in for a case that is no release, and which of its pictures are executed."""
    if case.kind == "solution":
        return with_answers(source, {}, case.id), "all"
    if case.kind == "mistake":
        mistake = mistakes_of(source.folder)[case.id]
        return with_answers(source, {mistake.task: mistake.code}), "none"
    if case.kind == "variant":
        return with_answers(source, variants_of(source.folder)[case.id].cells), "none"
    return with_answers(source, alternatives_of(source.folder)[case.id].cells), "none"


def _mistake_of(source: NotebookSource, case: Case) -> Mistake | None:
    """Return the mistake that a case makes, in whatever style."""
    if case.kind == "variant":
        return variants_of(source.folder)[case.id].mistake
    return mistakes_of(source.folder)[case.id] if case.kind == "mistake" else None


def _judge_mistake(case: Case, mistake: Mistake, verdict: Verdict) -> CaseResult:
    missed = {line.id: line for task in verdict.tasks.values() for line in task.lines if line.status == "missed"}
    names = {line.mistake for line in missed.values() if line.mistake}
    lines = {line.id for task in verdict.tasks.values() for line in task.lines}
    follow_on = sum(
        task.max_points - (task.points or 0) for slug, task in verdict.tasks.items() if slug != mistake.task
    )
    failed = ""
    if set(missed) != set(mistake.misses):
        unexpected, absent = sorted(set(missed) - mistake.misses), sorted(mistake.misses - set(missed))
        failed = "; ".join(
            [f"also misses {line}: {_said(missed[line])}" for line in unexpected]
            + [f"does not miss {a}" if a in lines else f"`misses` names {a}, which is no rubric line" for a in absent]
        )
    elif verdict.tasks[mistake.task].is_full:
        failed = "loses no points"
    elif names - {mistake.id}:
        failed = f"is taken for {sorted(names - {mistake.id})}"
    return CaseResult(case, failed, mistake.id in names, bool(names - {mistake.id}), follow_on)


def _said(line: LineResult) -> str:
    return line.text.en if line.text else ""


def _losses(verdict: Verdict) -> Iterator[str]:
    for task in verdict.tasks.values():
        for line in task.lines:
            if line.status != "passed":
                yield f"{line.id} {line.status}: {_said(line)}"


_SHARED = SharedKernels()  # of a worker process, whose kernels end with the pool


def _run_case_at(root: Path, backend: str, secret: str, case: Case, may_share: bool) -> CaseResult:
    """Run a case in a worker process, which loads the course itself."""
    course, began = course_at(root, backend, secret), time.monotonic()
    if may_share and (result := run_case(course, case, _SHARED)).is_perfect:
        return result
    return replace(run_case(course, case), seconds=time.monotonic() - began)


@cache
def course_at(root: Path, backend: str, secret: str) -> Course:
    """Return the course in a folder, loaded once a process, with another backend and secret."""
    return replace(load_course(root), backend=backend, secret=secret)
