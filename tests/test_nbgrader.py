"""A small class graded by plain nbgrader commands, as an instructor does it."""

from __future__ import annotations

import csv
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
import psutil
import pytest

from autograder.commands import demo
from autograder.gradebook.database import open_gradebook
from autograder.gradebook.release import build
from autograder.gradebook.scores import scores
from autograder.sources.course import Course, load_course

pytestmark = pytest.mark.course

ASSIGNMENT = "01-positional-encoding"
OTHER_ASSIGNMENT = "02-attention"
NOTEBOOK = "positional_encoding"
FULL = {
    "angle-rates": 2,
    "sinusoidal-table": 4,
    "dot-products": 2,
    "invariance": 2,
    "shift-matrix": 3,
    "positional-layer": 4,
    "learned-layer": 3,
}
WITHOUT = {slug: {**FULL, slug: 0} for slug in FULL}
NOTHING = dict.fromkeys(FULL, 0)
# A student who puts the hidden inputs into an exception, and prints them.
SPY = """
def angle_rates(dim, base=10000.0):
    print("SPIED", dim, base)
    raise KeyError(f"SPIED {dim} {base}")
"""
LOOP = "def dot_products_at_offset(pe, offset):\n    while True:\n        pass\n"
QUICK = {"cell_seconds": 8, "answer_seconds": 4}


@dataclass(frozen=True)
class GradedClass:
    """A course folder whose class was graded, and what the command said."""

    course: Course
    said: str

    @property
    def root(self) -> Path:
        return self.course.root

    def points(self) -> dict[str, dict[str, float | None]]:
        return {row.student: row.points for row in scores(self.course, ASSIGNMENT)}

    def feedback(self, student: str) -> str:
        return (self.root / "feedback" / student / ASSIGNMENT / f"{NOTEBOOK}.html").read_text(encoding="utf-8")


def nbgrader(root: Path, *arguments: str, ok: bool = True) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "AUTOGRADER_DB_URL"}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert (done.returncode == 0) == ok, done.stderr[-4000:]
    return done.stderr + done.stdout


@pytest.fixture(scope="module")
def graded(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradedClass]:
    root = demo.copy_course(course, tmp_path_factory.mktemp("course"))
    config = root / "course_config.py"
    before, opening, after = config.read_text().partition("limits_by_assignment={")
    assert opening
    config.write_text(f"{before}{opening}{ASSIGNMENT!r}: {QUICK}, {after}")
    copy = load_course(root)
    build(copy, [ASSIGNMENT])
    source = copy.source(ASSIGNMENT)
    released = {lang: demo.released(copy, source, lang) for lang in ("en", "ko")}
    solution = {slug: source.reference(slug) for slug in FULL}

    def answers(language: str = "en", **changes: str) -> dict[str, bytes]:
        changed = {slug.replace("_", "-"): code for slug, code in changes.items()}
        return {f"{NOTEBOOK}.ipynb": demo.to_bytes(demo.fill(released[language], {**solution, **changed}))}

    other = demo.released(course, course.source(OTHER_ASSIGNMENT), "en")
    students = {
        "right": answers(),
        "right-korean": answers("ko"),
        "untouched": {f"{NOTEBOOK}.ipynb": demo.to_bytes(released["en"])},
        "spy": answers(angle_rates=SPY),
        "loops": answers(dot_products=LOOP),
        "dies": answers(invariance="import os\n\nos._exit(0)\n"),
        "forges": answers(
            invariance="def offset_dot_product(offset, dim, base=10000.0):\n    print(2.0)\n    return float('nan')\n"
        ),
        "other-name": {"my notebook (1).ipynb": answers()[f"{NOTEBOOK}.ipynb"]},
        "cut-off": {f"{NOTEBOOK}.ipynb": answers()[f"{NOTEBOOK}.ipynb"][:4000]},
        "wrong-assignment": {f"{NOTEBOOK}.ipynb": demo.to_bytes(other)},
    }
    demo.hand_in(root, ASSIGNMENT, [demo.Student(name, files) for name, files in students.items()])
    (root / "submitted" / "empty-folder" / ASSIGNMENT).mkdir(parents=True)
    said = nbgrader(root, "autograde", ASSIGNMENT)
    nbgrader(root, "generate_feedback", ASSIGNMENT)
    nbgrader(root, "export")
    yield GradedClass(copy, said)


@pytest.mark.parametrize(
    ("student", "expected"),
    [
        ("right", FULL),
        ("right-korean", FULL),
        ("untouched", NOTHING),
        ("spy", WITHOUT["angle-rates"]),
        ("loops", WITHOUT["dot-products"]),
        ("dies", WITHOUT["invariance"]),
        ("forges", WITHOUT["invariance"]),
        ("other-name", FULL),
        ("cut-off", NOTHING),
        ("wrong-assignment", NOTHING),
        ("empty-folder", NOTHING),
    ],
)
def test_each_submission_gets_what_it_deserves(graded: GradedClass, student: str, expected: dict[str, float]) -> None:
    assert graded.points()[student] == expected


def test_nbgraders_way_to_add_submissions_is_no_warning(graded: GradedClass) -> None:
    assert "SAWarning" not in graded.said


def test_who_handed_in_again_and_isnt_graded_again_is_named(graded: GradedClass) -> None:
    command = "autograde", ASSIGNMENT, "--student", "right*"
    assert "anded in again" not in nbgrader(graded.root, *command)
    os.utime(graded.root / "submitted" / "right" / ASSIGNMENT / f"{NOTEBOOK}.ipynb")
    said = nbgrader(graded.root, *command)
    assert "Handed in again since it was graded, not graded again: right. Use --force" in said and "graded 0" in said
    nbgrader(graded.root, *command, "--force")
    assert "anded in again" not in nbgrader(graded.root, *command)


def test_points_given_by_hand_are_told_beside_the_graders(graded: GradedClass) -> None:
    def give(points: float | None) -> None:
        with open_gradebook(graded.course) as gradebook:
            grade = gradebook.find_grade("grade-angle-rates", NOTEBOOK, ASSIGNMENT, "spy")
            grade.manual_score = points
            gradebook.db.commit()

    give(1.0)
    try:
        said = nbgrader(graded.root, "autograde", ASSIGNMENT, "--student", "spy", "--force")
    finally:
        give(None)
    assert "spy: 18 of 20 points" in said and "spy: with points given by hand, 19 of 20 count" in said


def test_regrading_one_student_repeats_the_grade(graded: GradedClass) -> None:
    before = graded.points()
    nbgrader(graded.root, "autograde", ASSIGNMENT, "--student", "loops", "--force")
    assert graded.points() == before


def test_a_class_is_summed_up(graded: GradedClass) -> None:
    summary = next(line for line in graded.said.splitlines() if "Summary: " in line)
    assert "graded 8, refused (0 points) 2 (cut-off: The file is not a readable notebook" in summary
    assert "empty-folder: " in summary and "ungraded 0, " in summary and "from the cache 0, " in summary
    assert f"of another assignment 1 (wrong-assignment: {OTHER_ASSIGNMENT})" in summary
    assert re.search(r"right: 20 of 20 points \(8/11, \d+ a minute, \d+:\d\d left\)", graded.said)


def test_an_unchanged_class_is_not_graded_again(graded: GradedClass) -> None:
    before = graded.points()
    shutil.rmtree(graded.root / "autograded")
    assert "graded 8, refused (0 points) 2" in (said := nbgrader(graded.root, "autograde", ASSIGNMENT))
    assert "from the cache 9" in said and graded.points() == before
    assert "from the cache 0" in nbgrader(graded.root, "autograde", ASSIGNMENT, "--student", "right", "--force")


@contextmanager
def grading_from_the_start(graded: GradedClass, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Grade the whole class anew, in a process group of its own, up to the third submission."""
    for folder in ("autograded", ".verdicts"):
        shutil.rmtree(graded.root / folder)
    with subprocess.Popen(
        [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT],
        cwd=graded.root,
        env={k: v for k, v in os.environ.items() if k != "AUTOGRADER_DB_URL"} | environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "(3/11, " in line:
                break
        yield process


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder for temporary files; sockets in it need short paths."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="t") as folder:
        yield Path(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminated"])
def test_an_interrupted_run_leaves_nothing_behind_and_the_next_one_goes_on(
    graded: GradedClass, short_folder: Path, number: signal.Signals
) -> None:
    before = graded.points()
    with grading_from_the_start(graded, TMPDIR=str(short_folder)) as process:
        started = psutil.Process(process.pid).children(recursive=True)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "The same command goes on where this one ended." in said and "Traceback" not in said
    assert len(started) >= 4 and psutil.wait_procs(started, timeout=20)[1] == []
    assert list(short_folder.iterdir()) == []
    finished = list((graded.root / "autograded").glob(f"*/{ASSIGNMENT}"))
    assert 2 <= len(finished) < len(before)
    again = nbgrader(graded.root, "autograde", ASSIGNMENT)
    assert again.count("Skipping existing assignment") == len(finished)
    assert f"/{len(before) - len(finished)}, " in again
    assert graded.points() == before


def test_workers_that_are_killed_cost_nobody_a_grade(graded: GradedClass) -> None:
    before = graded.points()
    with grading_from_the_start(graded) as process:
        workers = [c for c in psutil.Process(process.pid).children() if "spawn_main" in " ".join(c.cmdline())]
        for worker in workers:
            worker.kill()
        _, said = process.communicate(timeout=300)
    assert workers and process.returncode == 0 and "ungraded 0" in said
    assert graded.points() == before


@contextmanager
def configured(graded: GradedClass, lines: str) -> Iterator[None]:
    """Execute lines in the command and in its workers, which don't read the configuration: there, before each job."""
    config, module = graded.root / "course_config.py", graded.root / "injected.py"
    before = config.read_text()
    module.write_text(
        f"from autograder.scheduling import jobs\n\n\ndef run_job(job, key):\n    exec({lines!r})\n    return jobs.run_job(job, key)\n"
    )
    instead = (
        "\nimport injected\nfrom autograder.scheduling import class_grading\nclass_grading.run_job = injected.run_job\n"
    )
    config.write_text(before + lines + instead)
    try:
        yield
    finally:
        config.write_text(before)
        module.unlink()


@pytest.mark.parametrize("students", ["right", "right*"], ids=["one", "several"])
def test_what_the_machine_fails_at_is_ungraded_told_and_never_kept(graded: GradedClass, students: str) -> None:
    before = graded.points()
    command = "autograde", ASSIGNMENT, "--student", students, "--force"
    silent = (
        "\nfrom autograder.kernels import warm\ndef nothing_comes(*_, error=warm.MachineError):\n"
        "    raise error('The warm process did not answer within 180 s')\nwarm._receive = nothing_comes\n"
    )
    with configured(graded, silent):
        said = nbgrader(graded.root, *command, ok=False)
        failed = graded.points()
    assert f"ungraded {len(students.split('*'))} (right" in said and "did not answer within 180 s" in said
    assert set(failed["right"].values()) == {None}
    assert "right: tasks of it stayed ungraded: graded anew" in nbgrader(graded.root, *command[:-1])
    assert graded.points() == before
    nbgrader(graded.root, *command)
    assert graded.points() == before


@pytest.mark.parametrize("students", ["right", "right*"], ids=["one", "several"])
@pytest.mark.parametrize("what", ["notebook", "file"])
def test_a_file_that_the_machine_cannot_read_costs_nobody_anything(
    graded: GradedClass, students: str, what: str
) -> None:
    before = graded.points()
    command = "autograde", ASSIGNMENT, "--student", students, "--force"
    place = graded.root / "submitted" / "right" / ASSIGNMENT
    (place / "note.txt").write_text("x")
    name = "note.txt" if what == "file" else next(place.glob("*.ipynb")).name
    failing = (
        "\nimport io, os\nfor module in os, io:\n    def opened(path, *rest, open=module.open, **more):\n"
        f"        if str(path).endswith('submitted/right/{ASSIGNMENT}/{name}'):\n"
        "            raise OSError(5, 'Input/output error')\n        return open(path, *rest, **more)\n"
        "    module.open = opened\n"
    )
    with configured(graded, failing):
        said = nbgrader(graded.root, *command, ok=False)
        failed = graded.points()
    assert "ungraded 1 (right: " in said and "could not be read where it is graded: Input/output error" in said
    assert "Traceback" not in said and "right: tasks of it stayed ungraded" not in said
    assert failed == {**before, "right": dict.fromkeys(before["right"])}
    (place / "note.txt").unlink()
    nbgrader(graded.root, *command[:-1])
    assert graded.points() == before


@pytest.mark.parametrize(
    ("students", "first"), [("right", "right"), ("right*", "right-korean")], ids=["one", "several"]
)
def test_a_machine_that_cant_seal_stops_the_class_with_one_sentence(
    graded: GradedClass, students: str, first: str
) -> None:
    before = graded.points()
    seal = "\nfrom autograder.sealing.layers import Layers\nLayers.missing = lambda layers, accepted: ['net']\n"
    with configured(graded, seal):
        said = nbgrader(graded.root, "autograde", ASSIGNMENT, "--student", students, "--force", ok=False)
    assert said.count("Missing: net") == 1 and "Traceback" not in said
    assert not (graded.root / "autograded" / first / ASSIGNMENT).exists()
    nbgrader(graded.root, "autograde", ASSIGNMENT)
    assert graded.points() == before


@pytest.mark.parametrize("kind", ["pipe", "link", "words", "endless"])
def test_a_strange_timestamp_neither_blocks_nor_costs_anything(graded: GradedClass, kind: str) -> None:
    before = graded.points()
    path = graded.root / "submitted" / "right" / ASSIGNMENT / "timestamp.txt"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/dev/zero")
    else:
        path.write_text("yesterday" if kind == "words" else "1" * 2000)
    try:
        said = nbgrader(graded.root, "autograde", ASSIGNMENT, "--student", "right", "--force")
    finally:
        path.unlink()
    assert "timestamp.txt: ignored" in said and graded.points() == before


def test_a_strange_timestamp_costs_no_page_of_feedback(graded: GradedClass) -> None:
    before = graded.feedback("right")
    name = Path("right", ASSIGNMENT, "timestamp.txt")
    (graded.root / "submitted" / name).write_text("yesterday evening")
    command = "generate_feedback", ASSIGNMENT, "--student", "right"
    try:
        nbgrader(graded.root, *command, "--force")
        said = nbgrader(graded.root, *command)
    finally:
        for place in ("submitted", "feedback"):
            (graded.root / place / name).unlink(missing_ok=True)
    assert "timestamp.txt: ignored" in said and graded.feedback("right") == before


def test_without_execution_no_grade_is_touched(graded: GradedClass) -> None:
    before, page = graded.points(), graded.root / "autograded" / "right" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    content = page.read_bytes()
    command = "autograde", ASSIGNMENT, "--student", "right*", "--force", "--no-execute"
    said = nbgrader(graded.root, *command, ok=False)
    assert "must be executed to be graded" in said and "Traceback" not in said
    assert graded.points() == before and page.read_bytes() == content


def test_one_notebook_can_be_named(graded: GradedClass) -> None:
    before = graded.points()
    said = nbgrader(graded.root, "autograde", ASSIGNMENT, "--notebook", NOTEBOOK, "--student", "right*", "--force")
    assert "graded 2," in said and graded.points() == before


def test_a_terminal_shows_a_bar_below_the_log(graded: GradedClass) -> None:
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "AUTOGRADER_DB_URL"} | {"TERM": "xterm"}
    command = [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT, "--student", "right*", "--force"]
    with subprocess.Popen(command, cwd=graded.root, env=environment, stdin=theirs, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while chunk := _read(ours):
            said += chunk
    os.close(ours)
    text = said.decode()
    assert process.returncode == 0
    assert "2/2" in text and " a minute, " in text and "(2/2" not in text
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)
    assert re.search(r"^\[AutogradeApp \| INFO\] right: 20 of 20 points\s*$", plain.replace("\r", "\n"), re.MULTILINE)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the other end is closed
        return b""


def test_the_formgraders_button_gives_the_same_grade(graded: GradedClass) -> None:
    program = (
        "from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension\n"
        "from nbgrader.apps.api import NbGraderAPI\n"
        "from nbgrader.coursedir import CourseDirectory\n"
        "config = FormgradeExtension().load_config()\n"
        "api = NbGraderAPI(CourseDirectory(config=config), config=config)\n"
        f"result = api.autograde({ASSIGNMENT!r}, 'dies')\n"
        "assert result['success'], result\n"
    )
    before = graded.points()
    done = subprocess.run([sys.executable, "-c", program], cwd=graded.root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert graded.points() == before


def test_an_exported_row_holds_the_points(graded: GradedClass) -> None:
    with open(graded.root / "grades.csv", newline="") as file:
        rows = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert rows["right"] == 20 and rows["spy"] == 18 and rows["untouched"] == 0


def test_a_student_reads_which_line_was_missed_and_why(graded: GradedClass) -> None:
    assert "a loop without an end, or too much work?" in graded.feedback("loops")
    assert "damaged or cut off" in graded.feedback("cut-off")
    assert f"This is the notebook of {OTHER_ASSIGNMENT}" in graded.feedback("wrong-assignment")


def test_feedback_speaks_the_language_of_the_notebook(graded: GradedClass) -> None:
    assert "채점 결과: 20 / 20" in graded.feedback("right-korean")
    assert "Result: 20 / 20" in graded.feedback("right")


def test_feedback_shows_no_hidden_input_path_or_grader(graded: GradedClass) -> None:
    for folder in (graded.root / "feedback").iterdir():
        page = graded.feedback(folder.name)
        body = re.sub(r"data:image/[a-z]+;base64,[A-Za-z0-9+/=]+", "", page)
        for hidden in (
            "graders.py",
            "reference.py",
            "solutions/",
            "expect_close",
            "draw.normal",
            str(graded.root),
            ".course_secret",
        ):
            assert hidden not in body, (folder.name, hidden)


def test_the_report_on_a_spy_repeats_no_value_it_saw(graded: GradedClass) -> None:
    path = graded.root / "autograded" / "spy" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    report = next(c for c in nbformat.read(path, as_version=4).cells if c.id == "grade-angle-rates").outputs[-1].data
    for text in report.values():
        assert "KeyError" in text
        assert not re.search(r"SPIED \d", text)


def test_a_broken_configuration_stops_before_anything_is_graded(graded: GradedClass, tmp_path: Path) -> None:
    root = demo.copy_course(graded.course, tmp_path / "broken")
    (root / "submitted" / "someone" / ASSIGNMENT).mkdir(parents=True)
    (root / "course_config.py").write_text("course = 1 / 0\n")
    said = nbgrader(root, "autograde", ASSIGNMENT, ok=False)
    assert "ZeroDivisionError" in said and "nothing was done" in said
    assert not (root / "autograded").exists() and not (root / "gradebook.db").exists()


def test_stock_nbgrader_awards_a_solved_release_nothing(graded: GradedClass, tmp_path: Path) -> None:
    """Without this course's configuration the public checks must not pass for points."""
    release = graded.root / "assignments" / "en" / ASSIGNMENT
    (tmp_path / "source" / ASSIGNMENT).mkdir(parents=True)
    (tmp_path / "source" / ASSIGNMENT / f"{NOTEBOOK}.ipynb").write_bytes((release / f"{NOTEBOOK}.ipynb").read_bytes())
    (tmp_path / "submitted" / "right" / ASSIGNMENT).mkdir(parents=True)
    solved = graded.root / "submitted" / "right" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    (tmp_path / "submitted" / "right" / ASSIGNMENT / f"{NOTEBOOK}.ipynb").write_bytes(solved.read_bytes())
    nbgrader(tmp_path, "generate_assignment", ASSIGNMENT, "--create")
    nbgrader(tmp_path, "autograde", ASSIGNMENT)
    nbgrader(tmp_path, "export")
    with open(tmp_path / "grades.csv", newline="") as file:
        rows = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert rows == {"right": 0.0}
    executed = nbformat.read(tmp_path / "autograded" / "right" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", as_version=4)
    outputs = [output for cell in executed.cells for output in cell.get("outputs", [])]
    assert outputs and "NameError" not in str(outputs)  # the checks ran and held; they just give no points
