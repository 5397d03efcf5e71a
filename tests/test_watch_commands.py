"""`autograder watch` as a command, with real nbgrader: the exchange there and back, real kernels, kills, late days."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.commands import demo
from autograder.gradebook.handins import Ledger, tries_of
from autograder.gradebook.nbgrader_steps import NbgraderSteps
from autograder.gradebook.release import build
from autograder.gradebook.scores import scores
from autograder.scheduling import class_grading
from autograder.sources.course import Course, load_course
from autograder.watching.holder import process_name
from autograder.watching.sources import SETTLED_SECONDS, FolderSource
from autograder.watching.watch import Watch
from benchmarks import cheap

pytestmark = pytest.mark.course
ROOT = Path(__file__).resolve().parent.parent
AUTOGRADER = [sys.executable, "-c", "from autograder.commands.cli import main; main()"]


def run(command: list[str], folder: Path, *, ok: int = 0, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**cheap.course_environment(), **environment},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == ok, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def events(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def cheap_course(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    folder = tmp_path_factory.mktemp("cheap")
    made = cheap.make_cheap_course(course, folder / "course")
    (folder / "exchange").mkdir(mode=0o777)
    (folder / "exchange").chmod(0o777)
    cheap.configure(
        made.root,
        "from autograder.sources.handing_in import LateDays\n"
        "course = dataclasses.replace(course, languages=('en',), workers=2, late_days=LateDays(budget=1))",
    )
    config = made.root / "course_config.py"
    config.write_text(config.read_text() + f"\nc.Exchange.root = {str(folder / 'exchange')!r}\n")
    yield made


def test_nbgraders_exchange_there_and_back(cheap_course: Course, tmp_path: Path) -> None:
    """A student fetches, submits and fetches the feedback with nbgrader's own commands."""
    exchange = cheap_course.root.parent / "exchange"
    nbgrader = [sys.executable, "-m", "nbgrader"]
    theirs = [f"--Exchange.root={exchange}", f"--Exchange.cache={tmp_path / 'cache'}", "--course", cheap_course.id]
    run([*nbgrader, "release_assignment", cheap.ASSIGNMENT], cheap_course.root)
    run([*nbgrader, "fetch_assignment", cheap.ASSIGNMENT, *theirs], tmp_path)
    notebook = tmp_path / cheap.ASSIGNMENT / "positional_encoding.ipynb"
    released = demo.released(cheap_course, cheap_course.source(cheap.ASSIGNMENT), "en")
    for number in range(2):
        notebook.write_bytes(demo.to_bytes(demo.fill(released, {cheap.SLUG: cheap.answer(f"try {number}")})))
        run([*nbgrader, "submit", cheap.ASSIGNMENT, *theirs], tmp_path)
        time.sleep(SETTLED_SECONDS + 1)
        said = events(run([*AUTOGRADER, "watch", cheap.ASSIGNMENT, "--once", "--json"], cheap_course.root))
        assert [one["event"] for one in said] == ["watching", "found", "grading", "graded", "given"]
    run([*nbgrader, "fetch_feedback", cheap.ASSIGNMENT, *theirs], tmp_path)
    pages = sorted((tmp_path / cheap.ASSIGNMENT / "feedback").glob("*/positional_encoding.html"))
    assert len(pages) == 2 and all("</html>" in page.read_text(encoding="utf-8") for page in pages)
    student = str(said[-1]["student"])
    assert len(tries_of(cheap_course, cheap.ASSIGNMENT, student)) == 2
    [row] = scores(cheap_course, cheap.ASSIGNMENT)
    source = cheap_course.source(cheap.ASSIGNMENT)
    right = cheap.cheap_results(source, student, cheap.answer("try 1"))
    assert row.points == {slug: task.points for slug, task in right.items()}


def test_nbgraders_own_commands_hand_a_page_back(cheap_course: Course, tmp_path: Path) -> None:
    """Without the watch: collect, autograde, generate_feedback and release_feedback, as nbgrader's documentation has it."""
    exchange = cheap_course.root.parent / "exchange"
    nbgrader = [sys.executable, "-m", "nbgrader"]
    theirs = [f"--Exchange.root={exchange}", f"--Exchange.cache={tmp_path / 'cache'}", "--course", cheap_course.id]
    notebook = tmp_path / cheap.ASSIGNMENT / "positional_encoding.ipynb"
    notebook.parent.mkdir()
    released = demo.released(cheap_course, cheap_course.source(cheap.ASSIGNMENT), "en")
    notebook.write_bytes(demo.to_bytes(demo.fill(released, {cheap.SLUG: cheap.answer("by hand")})))
    run([*nbgrader, "submit", cheap.ASSIGNMENT, *theirs], tmp_path)
    for command in (
        ["collect", "--update"],
        ["autograde", "--force"],
        ["generate_feedback", "--force"],
        ["release_feedback"],
    ):
        run([*nbgrader, *command, "--assignment", cheap.ASSIGNMENT], cheap_course.root)
    run([*nbgrader, "fetch_feedback", cheap.ASSIGNMENT, *theirs], tmp_path)
    [page] = (tmp_path / cheap.ASSIGNMENT / "feedback").glob("*/positional_encoding.html")
    assert "</html>" in page.read_text(encoding="utf-8")


def test_nbgrader_finds_the_verdict_that_the_workers_made(
    cheap_course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each submission would be graded twice: by the warm workers, and by nbgrader's step with workers of its own."""

    def no_pool(*arguments: object) -> None:
        raise AssertionError("nbgrader's step must find the verdict in the cache.")

    monkeypatch.setattr(class_grading, "new_pool", no_pool)
    released = demo.released(cheap_course, cheap_course.source(cheap.ASSIGNMENT), "en")
    folder = tmp_path / "inbox" / "cached"
    folder.mkdir(parents=True)
    notebook = demo.fill(released, {cheap.SLUG: cheap.answer("cached")})
    (folder / "positional_encoding.ipynb").write_bytes(demo.to_bytes(notebook))
    time.sleep(SETTLED_SECONDS + 1)
    course = load_course(cheap_course.root)
    ledger = Ledger(course, process_name())
    source = FolderSource(course, tmp_path / "inbox", None)
    said: list[dict[str, object]] = []
    made = Watch(course, [cheap.ASSIGNMENT], source, ledger, NbgraderSteps(course), said.append)
    assert made.run(threading.Event(), once=True), said
    ledger.close()


def test_autograde_takes_what_a_late_day_costs_and_a_wrong_csv_stops_it(cheap_course: Course) -> None:
    due = datetime(2026, 11, 3, 15)
    with Gradebook(cheap_course.database_url, cheap_course.id) as book:
        book.update_or_create_assignment(cheap.ASSIGNMENT, duedate=due)
    cheap.hand_in(cheap_course, ["late", "later"])
    for student, day in (("late", 4), ("later", 5)):
        folder = cheap_course.root / "submitted" / student / cheap.ASSIGNMENT
        (folder / "timestamp.txt").write_text(f"2026-11-0{day} 12:00:00 UTC\n")
    extensions = cheap_course.root / cheap_course.extensions
    extensions.write_text("student,assignment,until\nsomebody,nowhere,2026-11-09\n")
    command = [sys.executable, "-m", "nbgrader", "autograde", cheap.ASSIGNMENT, "--student", "late*"]
    run(command, cheap_course.root, ok=1)
    assert not (cheap_course.root / "autograded" / "late").exists()
    extensions.write_text(f"student,assignment,until\nlatter,{cheap.ASSIGNMENT},2026-11-09\n")
    environment = cheap.course_environment()
    done = subprocess.run(
        command, cwd=cheap_course.root, env=environment, capture_output=True, text=True, timeout=500, check=True
    )
    assert "latter: extensions.csv gives more time to this student, who is neither" in done.stderr
    found = {row.student: row for row in scores(cheap_course, cheap.ASSIGNMENT)}
    lost = {student: found[student].penalty for student in ("late", "later")}
    assert lost["late"] == 0.0
    assert lost["later"] == pytest.approx(0.1 * sum(points or 0 for points in found["later"].points.values()), abs=1e-3)
    extensions.write_text(f"student,assignment,until\nlater,{cheap.ASSIGNMENT},2026-11-09\n")
    told = json.loads(run([*AUTOGRADER, "late-days", "--apply", "--json"], cheap_course.root))
    assert ("later", 0.0) in [(one["student"], one["after"]) for one in told["changed"]]
    extensions.unlink()


def test_a_real_submission_in_real_kernels(course: Course, tmp_path: Path) -> None:
    root = demo.copy_course(course, tmp_path / "course")
    copy = load_course(root)
    assignment = "02-attention"
    build(copy, [assignment])
    source = copy.source(assignment)
    solution = {slug: source.reference(slug) for slug in source.points}
    whole = demo.fill(demo.released(copy, source, "en"), solution)
    for student, content in (("right", demo.to_bytes(whole)), ("broken", b"no notebook")):
        folder = tmp_path / "inbox" / student
        folder.mkdir(parents=True)
        (folder / f"{source.name}.ipynb").write_bytes(content)
    time.sleep(SETTLED_SECONDS + 1)
    command = ["watch", assignment, "--from", str(tmp_path / "inbox"), "--feedback", str(tmp_path / "outbox"), "--once"]
    run([*AUTOGRADER, *command, "--quiet"], root)
    found = {row.student: row.total for row in scores(copy, assignment)}
    assert found == {"right": 20.0, "broken": 0.0}
    pages = {path.parts[-3]: path.read_text(encoding="utf-8") for path in (tmp_path / "outbox").rglob("*.html")}
    assert set(pages) == {"right", "broken"} and all("</html>" in page for page in pages.values())
    assert len(tries_of(copy, assignment, "right")) == 1
    assert tries_of(copy, assignment, "broken") == []  # what can't be read costs no try


def test_kills_at_random_moments_lose_nothing_and_count_nothing_twice() -> None:
    """`benchmarks/watching.py` kills more often."""
    said = run([sys.executable, "-m", "benchmarks.watching", "kills", "--kills", "4", "--seed", "1"], ROOT)
    assert "wrong: nothing" in said
