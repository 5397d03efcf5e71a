"""The course as configured: what an instructor may change, read from `course_config.py`."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import runpy
import secrets
import sys
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import NoneType
from typing import Any, cast

from autograder.base.errors import CourseError
from autograder.base.imports import spare_collections
from autograder.base.names import fault_of_id
from autograder.base.text import LANGUAGES
from autograder.sealing.layers import GUARANTEES
from autograder.sources.grading import Grading
from autograder.sources.handing_in import CanvasCourse, LateDays, Tries
from autograder.sources.links import require_address
from autograder.sources.notebooks import NotebookSource, course_files, notebook_name, read_source
from autograder.sources.options import Options, require_kind, require_names

CONFIG_NAME = "course_config.py"
SHOWS = ("lost", "all", "none")
BACKENDS = ("tensorflow", "jax", "torch")
LOCAL = "local"


# JAX compiles each operation for each shape it meets: the first call of a model takes several times as long.
PATIENCE = {"jax": 3.0}
PATIENT_LIMITS = ("cell_seconds", "answer_seconds", "submission_seconds", "training_seconds", "cpu_seconds")


@dataclass(frozen=True)
class Limits(Options):
    """What one submission may use.

    Attributes:
        start_seconds: how long the kernel may take to start and to run the locked cells (imports). Exceeding it is the
            machine's failure, not the student's.
        cell_seconds: how long one cell of the student may run.
        answer_seconds: how long one call of the student's code by a grader may take.
        submission_seconds: how long grading the whole submission may take.
        training_seconds: how long one training that a grader asks for may take.
        training_pairs: how many pairs a training that a grader asks for gets.
        restarts: how many fresh kernels a submission gets whose code ended or blocked one.
        notebook_bytes: how large the submitted file may be.
        output_bytes: how much of one cell's outputs is kept.
        notebook_output_bytes: how much of all cells' outputs is kept.
        answer_bytes: how large one answer to a grader may be.
        memory_bytes: how much memory the kernel and everything it starts may take, beyond the libraries that all kernels share.
        cpu_seconds: how much processor time one kernel and everything it starts may take.
        tasks: how many processes and threads the student's code may have; libraries' own threads come on top.
        disk_bytes, disk_files: how many bytes and files the kernel's scratch folder may hold.
        threads: how many threads TensorFlow's operations may use.
    """

    start_seconds: float = 120.0
    cell_seconds: float = 30.0
    answer_seconds: float = 10.0
    submission_seconds: float = 600.0
    training_seconds: float = 300.0
    training_pairs: int = 20_000
    restarts: int = 12
    notebook_bytes: int = 20_000_000
    output_bytes: int = 1_000_000
    notebook_output_bytes: int = 20_000_000
    answer_bytes: int = 50_000_000
    memory_bytes: int = 2 << 30
    cpu_seconds: float = 1200.0
    tasks: int = 256
    disk_bytes: int = 256 << 20
    disk_files: int = 20_000
    threads: int = 1

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0 or value == float("inf"):
                raise CourseError(f"Limits.{item.name} must be a positive number. Received: {item.name}={value!r}.")


# Options -> types that are right, and what is right in words.
OPTION_KINDS: Mapping[tuple[str, ...], tuple[tuple[type, ...], str]] = {
    ("id", "backend", "database_url", "shows", "scheduler", "published_at"): ((str,), "a text in quotation marks"),
    ("extensions",): ((str, Path), "the name of a CSV file"),
    ("root",): ((Path,), "a Path, such as root=Path(__file__).resolve().parent"),
    ("limits",): ((Limits,), "made by Limits, such as limits=Limits(cell_seconds=30)"),
    ("limits_by_assignment",): ((Mapping,), "a dictionary, such as {'01-first-steps': {'cell_seconds': 60}}"),
    ("tries",): ((Tries,), "made by Tries, such as tries=Tries(per_day=3)"),
    ("late_days",): ((LateDays, NoneType), "None or made by LateDays, such as late_days=LateDays(budget=5)"),
    ("canvas",): (
        (CanvasCourse, NoneType),
        "None or made by CanvasCourse, such as canvas=CanvasCourse('https://canvas.example.edu', course=42)",
    ),
}
NAME_OPTIONS = ("languages", "english_only", "bonus", "unsafe_allow_missing")


@dataclass(frozen=True)
class Course(Options):
    """Everything about the course that isn't in a notebook's source.

    Attributes:
        id: nbgrader's course id.
        root: folder that holds `solutions`, `assignments`, `submitted` and the gradebook.
        languages: languages of the releases; nbgrader's own commands release the first.
        english_only: assignments whose Korean text isn't required yet.
        bonus: assignments whose points come on top of the course's.
        secret: what makes the graders' random inputs unpredictable; new each term.
        backend: Keras backend of the students' kernels.
        limits: what one submission may use, in every assignment.
        limits_by_assignment: assignment -> `Limits` fields that differ there.
        database_url: SQLAlchemy URL of the gradebook.
        shows: which released pictures and public checks are executed for a graded notebook: those of tasks that lost
            points (`lost`), `all` or `none`. No grade depends on them.
        unsafe_allow_missing: guarantees of the seal that grading knowingly does without where the machine has no layer
            for them (`autograder doctor` names them).
        workers: how many submissions are graded at once on this machine; 0 means one per core.
        scheduler: `local`, or the address of a Dask cluster that grades.
        published_at: https address of the folder with the releases, such as a public repository's `assignments` on GitHub: each release then
            begins with links that open it in Colab and Kaggle, or download it. Nothing: no links.
        tries: how often `autograder watch` grades a student's work.
        late_days: what lateness costs; None: what nbgrader's own plugin says.
        extensions: CSV of later due dates, in the root; it may be missing.
        canvas: where the course is in Canvas; None if it isn't there.
    """

    id: str = "course"
    root: Path = field(default_factory=Path.cwd)
    languages: tuple[str, ...] = LANGUAGES
    english_only: tuple[str, ...] = ()
    bonus: tuple[str, ...] = ()
    secret: str = ""
    backend: str = "tensorflow"
    limits: Limits = field(default_factory=Limits)
    limits_by_assignment: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    database_url: str = ""
    shows: str = "lost"
    unsafe_allow_missing: tuple[str, ...] = ()
    workers: int = 0
    scheduler: str = LOCAL
    published_at: str = ""
    tries: Tries = field(default_factory=Tries)
    late_days: LateDays | None = None
    extensions: str = "extensions.csv"
    canvas: CanvasCourse | None = None

    def __post_init__(self) -> None:
        for options, (kinds, expected) in OPTION_KINDS.items():
            for name in options:
                require_kind(name, getattr(self, name), kinds, expected)
        for name in NAME_OPTIONS:
            require_names(name, getattr(self, name))
        if fault_of_id(self.id):
            raise CourseError(
                "id must be a name that a folder can have, without / and other special characters, such as "
                f"'statistics-1'. Received: id={self.id!r}."
            )
        if not set(self.languages) <= set(LANGUAGES) or not self.languages:
            raise CourseError(f"languages must be some of {LANGUAGES}. Received: languages={self.languages!r}.")
        if self.backend not in BACKENDS:
            raise CourseError(f"backend must be one of {BACKENDS}. Received: backend={self.backend!r}.")
        if not isinstance(cast(object, self.secret), str) or len(self.secret) < 16:
            raise CourseError(
                "secret must have at least 16 characters: leave it out to have one made in `.course_secret`."
            )
        if self.shows not in SHOWS:
            raise CourseError(f"shows must be one of {SHOWS}. Received: shows={self.shows!r}.")
        strangers = sorted(set(self.unsafe_allow_missing) - set(GUARANTEES))
        if strangers:
            raise CourseError(f"unsafe_allow_missing may name {', '.join(GUARANTEES)}. Received: {strangers}.")
        if type(self.workers) is not int or self.workers < 0:
            raise CourseError(
                f"workers must be a whole number, 0 for one per core. Received: workers={self.workers!r}."
            )
        if self.scheduler != LOCAL and not re.fullmatch(r"[a-z]+://\S+", self.scheduler):
            raise CourseError(
                f"scheduler must be {LOCAL!r} or a Dask scheduler's address such as 'tcp://10.0.0.1:8786'. "
                f"Received: scheduler={self.scheduler!r}."
            )
        require_address(self.published_at)
        named = {*self.english_only, *self.bonus, *self.limits_by_assignment}
        named |= set(self.canvas.assignments if self.canvas else ())
        unknown = sorted(named - set(self.source_paths))
        if unknown:
            raise CourseError(f"Assignments must be folders of {self.root / 'solutions'}. Received: {unknown}.")
        for assignment in self.limits_by_assignment:
            self.limits_of(assignment)

    @cached_property
    def source_paths(self) -> dict[str, Path]:
        """Assignment -> path of its notebook's source."""
        return {path.parent.name: path for path in sorted((self.root / "solutions").glob("[0-9]*/notebook.py"))}

    @cached_property
    def notebook_names(self) -> dict[str, str]:
        """Assignment -> its notebook's file name without the ending."""
        return {assignment: notebook_name(path) for assignment, path in self.source_paths.items()}

    def source(self, assignment: str) -> NotebookSource:
        """Return the source of an assignment's notebook, as it was when this course was first asked for it.

        Raises:
            CourseError: there is no such assignment.
        """
        return self._files_once(assignment)[0]

    def grading_of(
        self, assignment: str, student: str, *, shows: str = "", tasks: Collection[str] | None = None, seed: str = ""
    ) -> Grading:
        """Return how a student's submission is graded, by the assignment's files as `source` has found them.

        Args:
            assignment: id of the assignment, e.g. `01-first-steps`.
            student: id of the student; the graders' random inputs depend on the student, too.
            shows: what is executed besides the cells that grades depend on, instead of the course's own `shows`.
            tasks: slugs of the only tasks to grade (default: all).
            seed: what the random inputs depend on, for code that isn't a student's and needs no secret. Default: the
                course's secret, the student and all that was handed in.

        Raises:
            CourseError: there is no such assignment.
        """
        source, files = self._files_once(assignment)
        return Grading(
            source,
            files,
            student,
            self.limits_of(assignment),
            self.backend,
            seed or self.secret,
            is_secret=not seed,
            shows=shows or self.shows,
            tasks=None if tasks is None else tuple(sorted(tasks)),
            accepted=self.unsafe_allow_missing,
            hidden=(str(self.root),),
        )

    def _files_once(self, assignment: str) -> tuple[NotebookSource, tuple[tuple[str, bytes], ...]]:
        if assignment not in self.source_paths:
            raise CourseError(
                f"The assignment must be one of {', '.join(self.source_paths) or 'none'}. Received: {assignment!r}."
            )
        if assignment not in self._read_already:
            path = self.source_paths[assignment]
            files = _contents(path.parent)
            source = read_source(path)
            while (again := _contents(path.parent)) != files:  # somebody is changing them at this moment
                files, source = again, read_source(path)
            self._read_already[assignment] = source, files
        return self._read_already[assignment]

    @cached_property
    def _read_already(self) -> dict[str, tuple[NotebookSource, tuple[tuple[str, bytes], ...]]]:
        return {}

    def limits_of(self, assignment: str) -> Limits:
        """Return the limits of one assignment on this course's backend."""
        changes = dict(self.limits_by_assignment.get(assignment, {}))
        unknown = set(changes) - {item.name for item in dataclasses.fields(Limits)}
        if unknown:
            raise CourseError(
                f"limits_by_assignment may name the fields of Limits. Received: {sorted(unknown)} for {assignment}."
            )
        limits = dataclasses.replace(self.limits, **changes)  # type: ignore[arg-type]
        patience = PATIENCE.get(self.backend, 1.0)
        return dataclasses.replace(limits, **{name: patience * getattr(limits, name) for name in PATIENT_LIMITS})

    @property
    def worker_count(self) -> int:
        """How many submissions are graded at once."""
        return self.workers or len(os.sched_getaffinity(0))

    @property
    def staging(self) -> Path:
        """Folder of the instructor's built notebooks: nbgrader's source folder, never committed."""
        return self.root / "staging"


def _contents(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """Return (name, content) of all that grading an assignment reads, names below the folder of all assignments."""
    return tuple((str(path.relative_to(folder.parent)), path.read_bytes()) for path in course_files(folder))


def own_secret(root: Path) -> str:
    """Return the course secret from `AUTOGRADER_SECRET`, or from `.course_secret`, made on first use."""
    if os.environ.get("AUTOGRADER_SECRET"):
        return os.environ["AUTOGRADER_SECRET"]
    path = root / ".course_secret"
    if not path.exists():
        # complete before it has its name: another command may start at the same time
        descriptor, partial = tempfile.mkstemp(dir=root, prefix=".course_secret.")
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
        with contextlib.suppress(FileExistsError):
            os.link(partial, path)
        os.unlink(partial)
    return path.read_text(encoding="ascii").strip()


def read_config(root: Path | None = None) -> dict[str, Any]:
    """Run `course_config.py` of `root` (default: the working directory, or the nearest folder above that has one).

    Returns:
        Its names: `course` and nbgrader's `c`.

    Raises:
        CourseError: there is none, it raises, or it doesn't define both.
    """
    start = Path(root or Path.cwd()).resolve()
    path = next((folder / CONFIG_NAME for folder in (start, *start.parents) if (folder / CONFIG_NAME).is_file()), None)
    if path is None:
        raise CourseError(
            f"{CONFIG_NAME} must be in the course's root. Received: {start}, which has none, nor has a folder above it."
        )
    try:
        names = runpy.run_path(str(path))
    except CourseError:
        raise
    except Exception as error:
        raise CourseError(f"{path} must run without errors. Received: {type(error).__name__}: {error}.") from error
    if not isinstance(names.get("course"), Course) or "c" not in names:
        raise CourseError(
            f"{path} must define `course`, a Course, and `c`, nbgrader's configuration. Received: {sorted(n for n in names if n[0] != '_')}."
        )
    return names


def load_course(root: Path | None = None) -> Course:
    """Return the configured course."""
    course: Course = read_config(root)["course"]
    return course


def load_for_nbgrader(config: Any) -> None:
    """Merge `course_config.py` into nbgrader's `config`, or stop the command: nbgrader itself would go on with defaults."""
    spare_collections()
    try:
        config.merge(read_config()["c"])
    except BaseException as error:
        print(f"The course's configuration is unusable; nothing was done.\n{error}", file=sys.stderr)
        raise SystemExit(2) from error
