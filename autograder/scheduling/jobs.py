"""One submission's grading as plain data, so that any process can do it."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import nbformat

from autograder.base.errors import MachineError
from autograder.base.text import Text
from autograder.kernels.warm import READY_SECONDS
from autograder.scheduling.fingerprint import WITHOUT_INFLUENCE, verdict_key
from autograder.sources.course import Course, Limits, load_course
from autograder.sources.notebooks import course_files
from autograder.submissions.evaluation import grade_submission
from autograder.submissions.intake import Submission, parse_notebook, repair
from autograder.submissions.verdicts import pack


@dataclass(frozen=True)
class Job:
    """A repaired submission that is to be graded.

    Attributes:
        assignment, student: whose it is.
        notebook: the repaired notebook's JSON.
        notes: on what was repaired.
        files: name -> content of the files beside it.
    """

    assignment: str
    student: str
    notebook: bytes
    notes: tuple[Text, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, submission: Submission, student: str) -> Job:
        """Return the job of a submission."""
        notebook = nbformat.writes(submission.notebook()).encode("utf-8")
        return cls(submission.source.assignment, student, notebook, tuple(submission.notes), submission.files)

    def submission(self, course: Course) -> Submission:
        """Return the submission that is to be graded."""
        submission = repair(parse_notebook(self.notebook), course.source(self.assignment))
        submission.notes = list(self.notes)
        submission.files = self.files
        return submission


def run_job(root: Path, job: Job) -> bytes:
    """Grade a submission in a worker process, which loads the course itself.

    Returns:
        The verdict, packed with the key of what was graded.

    Raises:
        MachineError: nothing could be graded; another worker may have better luck.
    """
    return _graded(_course(root), job)


def sent_job(course: Course, job: Job) -> dict[str, Any]:
    """Return a job with all that it needs of its course, as plain data for a process on another machine."""
    solutions = course.root / "solutions"
    sources = course_files(course.source_paths[job.assignment].parent)
    return {
        "course": {f.name: getattr(course, f.name) for f in fields(course) if f.name not in WITHOUT_INFLUENCE},
        "limits": asdict(course.limits),
        "changed_limits": dict(course.limits_by_assignment.get(job.assignment, {})),
        "sources": {str(path.relative_to(solutions)): path.read_bytes() for path in sources},
        "assignment": job.assignment,
        "student": job.student,
        "notebook": job.notebook,
        "notes": [(note.en, note.ko) for note in job.notes],
        "files": dict(job.files),
    }


def run_sent_job(sent: Mapping[str, Any], key: str) -> bytes:
    """Grade what `sent_job` made, anywhere.

    Args:
        sent: the job and its course.
        key: of the verdict; what is installed beside this package may differ here, and with it the key made here.

    Returns:
        The verdict, packed with the key.

    Raises:
        MachineError: nothing could be graded; another worker may have better luck.
    """
    notes = tuple(Text(en, ko) for en, ko in sent["notes"])
    job = Job(sent["assignment"], sent["student"], sent["notebook"], notes, dict(sent["files"]))
    return _graded(_sent_course(sent), job, key)


def _graded(course: Course, job: Job, key: str = "") -> bytes:
    submission = job.submission(course)
    verdict = grade_submission(course, submission, job.student, tries=1)
    if len(verdict.ungraded) == len(verdict.tasks):
        raise MachineError(verdict.fault)
    return pack(key or verdict_key(course, submission, job.student), verdict)


def job_seconds(limits: Limits) -> float:
    """Return the time after which a worker that has no verdict yet must have failed."""
    longest = max(limits.cell_seconds, limits.answer_seconds, limits.training_seconds)
    return limits.submission_seconds + longest + 2 * limits.start_seconds + READY_SECONDS


@cache
def _course(root: Path) -> Course:
    return load_course(root)


def _sent_course(sent: Mapping[str, Any]) -> Course:
    """Return the course of a sent job, its sources in a folder of this process's own, hidden from every kernel."""
    sources = sent["sources"]
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(hashlib.sha256(name.encode()).digest() + hashlib.sha256(sources[name]).digest())
    root = Path(_folder_of_sources(), digest.hexdigest())
    if not root.exists():
        for name, content in sources.items():
            path = root / "solutions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    told = json.dumps([sent["course"], sent["limits"], {sent["assignment"]: sent["changed_limits"]}])
    return _course_at(root, told)


@lru_cache(maxsize=8)
def _course_at(root: Path, told: str) -> Course:
    others, limits, changed_limits = json.loads(told)
    own: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in others.items()}
    return Course(root=root, limits=Limits(**limits), limits_by_assignment=changed_limits, **own)


@cache
def _folder_of_sources() -> str:
    return tempfile.mkdtemp(prefix="ag-sources-")
