"""Every broken and hostile submission in one class, with honest students between them, graded by plain nbgrader."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hostile import FULL, HONEST, Case
from hostile.classroom import ASSIGNMENT, Classroom, classroom, everyone, fingerprint, outputs, reports, without_group
from parts import todays

from autograder.sources.course import Course

pytestmark = pytest.mark.course

NOBODY = 65534
ROOT = os.geteuid() == 0
MAX_AUTOGRADED_BYTES = 25_000_000
# What the layers of the seal hold off; the rest is held off by reading, repairing and grading, whatever the layers are.
SEALED_OFF = ("processes", "resources", "secrets", "tampering")


@dataclass(frozen=True)
class Mode:
    """Who grades, and which layers of the seal are taken for missing.

    Attributes:
        name: for the test's id.
        uid: of the user who grades, None for this process's.
        without: layers.
        is_whole: grade the whole corpus and generate feedback too; otherwise the first hundred cases, and without a
            layer those of them that it would hold off.
        is_by_file_modes: nothing but owners, groups and modes keeps students' code from files. Groups and their rights are
            changed for that, and the interpreter must be one that every user may read.
    """

    name: str
    uid: int | None = None
    without: str = ""
    is_whole: bool = False
    is_by_file_modes: bool = False

    def cases(self) -> list[Case]:
        if self.is_whole:
            return everyone()
        return [case for case in everyone() if case.is_basic and (not self.without or case.group in SEALED_OFF)]


FIRST, *OTHERS = (
    [
        Mode("root", is_whole=True),
        Mode("root-without-namespaces", without="namespaces"),
        Mode("user", NOBODY),
        Mode("user-without-namespaces", NOBODY, "namespaces"),
        Mode("root-by-file-modes", without="namespaces,landlock", is_by_file_modes=True),
    ]
    if ROOT
    else [Mode("user", is_whole=True), Mode("user-without-namespaces", without="namespaces")]
)
# Of the other modes, `.ci/run` takes another one each day.
MODES = [FIRST, *todays(OTHERS, len(OTHERS))]


@dataclass
class Graded:
    """A class after the run."""

    mode: Mode
    room: Classroom
    run: dict[str, Any]
    feedback: dict[str, Any] | None
    points: dict[str, dict[str, float | None]]
    marks: list[str]
    after: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def grade(course: Course) -> Iterator[Callable[[Mode], Graded]]:
    """Grades the class of a mode when it is first asked for.

    Not a fixture with modes as parameters: pytest would set it up and tear it down at every change of mode.
    """
    with contextlib.ExitStack() as rooms:

        @functools.cache
        def graded(mode: Mode) -> Graded:
            room = rooms.enter_context(classroom(course, mode.uid))
            room.hand_in(mode.cases())
            run = room.nbgrader("autograde", ASSIGNMENT, without=mode.without, opens=mode.is_by_file_modes)
            feedback = room.nbgrader("generate_feedback", ASSIGNMENT) if mode.is_whole else None
            after = fingerprint(room.root, room.base / "outside")
            return Graded(mode, room, run, feedback, room.points(), room.marks(), after)

        yield graded


@pytest.fixture
def graded(request: pytest.FixtureRequest, grade: Callable[[Mode], Graded]) -> Graded:
    """Returns the graded class of a mode."""
    mode: Mode = request.param
    if ROOT and (mode.uid is not None or mode.is_by_file_modes) and not shutil.which("mount"):
        pytest.skip("grading as another user needs mount(8)")
    return grade(mode)


each_mode = pytest.mark.parametrize("graded", MODES, indirect=True, ids=lambda mode: mode.name)


def each_case(chosen: Callable[[Mode, Case], bool] = lambda mode, case: True) -> pytest.MarkDecorator:
    """Parametrise a test by the modes and by the cases of each."""
    pairs = [pytest.param(m, c, id=f"{m.name}-{c.id}") for m in MODES for c in m.cases() if chosen(m, c)]
    return pytest.mark.parametrize(("graded", "case"), pairs, indirect=["graded"])


@each_case()
def test_a_submission_earns_what_it_deserves(graded: Graded, case: Case) -> None:
    assert graded.points[case.id] == case.points


@each_case()
def test_an_attack_finds_nothing(graded: Graded, case: Case) -> None:
    """Neither a cell nor a report shows anything from outside, nor what a grader sent."""
    notebook = graded.room.autograded(case.id)
    shown = outputs(notebook)
    if graded.mode.is_by_file_modes:  # there, command lines can be seen, and hold nothing that is secret
        shown = re.sub(r"LEAK \d+ cmdline", "", shown)
    page = graded.room.feedback(case.id) if graded.feedback else ""
    secret = (graded.room.root / ".course_secret").read_text().strip()
    for word in (graded.room.canary, secret):
        assert word not in shown and word not in page
    for word in ("LEAK", "SEEN"):
        assert not re.search(rf".{{0,80}}{word}.{{0,300}}", shown), re.findall(rf".{{0,80}}{word}.{{0,300}}", shown)[:3]
    assert "31415926535" not in reports(notebook)


@each_case()
def test_nothing_is_left_behind(graded: Graded, case: Case) -> None:
    mark = graded.room.place_of(case).mark
    assert not [line for line in graded.marks if re.search(rf"{mark}(?![\w-])", line)]
    assert graded.room.autograded_path(case.id).stat().st_size < MAX_AUTOGRADED_BYTES


@each_case(lambda mode, case: bool(case.says) and mode.is_whole)
def test_the_student_reads_why(graded: Graded, case: Case) -> None:
    assert re.search(case.says, graded.room.feedback(case.id)), reports(graded.room.autograded(case.id))[:3000]


@each_mode
@pytest.mark.parametrize("student", HONEST)
def test_an_honest_student_loses_nothing(graded: Graded, student: str) -> None:
    assert graded.points[student] == FULL


@each_mode
def test_the_run_ends_well(graded: Graded) -> None:
    assert graded.run["status"] == 0, graded.run["said"][-4000:]
    assert graded.feedback is None or graded.feedback["status"] == 0, graded.feedback["said"][-4000:]
    assert "Traceback" not in graded.run["said"]


@each_mode
def test_the_run_says_what_became_of_all(graded: Graded) -> None:
    said = re.search(r"Summary: graded (\d+), refused \(0 points\) (\d+).*, ungraded (\d+)", graded.run["said"])
    assert said is not None, graded.run["said"][-2000:]
    number, refused, ungraded = (int(text) for text in said.groups())
    assert number + refused == len(HONEST) + len(graded.mode.cases()) and ungraded == 0
    assert bool(refused) == any(case.group == "file" for case in graded.mode.cases())


@each_mode
def test_everybody_is_graded(graded: Graded) -> None:
    everybody = {*HONEST, *(case.id for case in graded.mode.cases())}
    assert set(graded.points) == everybody
    assert not {name for name, tasks in graded.points.items() if None in tasks.values()}


@each_mode
def test_no_process_or_mount_is_left(graded: Graded) -> None:
    assert graded.run["processes"] == [] and graded.run["mounts"] == []


@each_mode
def test_no_temporary_file_or_socket_is_left(graded: Graded) -> None:
    assert os.listdir(graded.room.base / "tmp") == []


@each_mode
def test_nothing_outside_is_marked(graded: Graded) -> None:
    assert graded.marks == []


@each_mode
def test_submissions_sources_and_files_outside_stay_as_they_were(graded: Graded) -> None:
    before = graded.room.before
    look = without_group if graded.mode.is_by_file_modes else str
    paths = before.keys() | graded.after.keys()
    changed = {path for path in paths if look(before.get(path, "")) != look(graded.after.get(path, ""))}
    assert not changed


@each_mode
def test_no_listener_outside_heard_anything(graded: Graded) -> None:
    assert graded.room.heard == []


@each_mode
def test_a_process_outside_survives_untouched(graded: Graded) -> None:
    status = Path(f"/proc/{graded.room.place.pid}/stat").read_text().rpartition(")")[2].split()
    assert status[0] in "SR" and status[16] == "0"  # neither stopped nor given another priority
    assert len(os.sched_getaffinity(graded.room.place.pid)) == len(os.sched_getaffinity(0))
