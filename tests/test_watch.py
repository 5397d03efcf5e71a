"""The watch: turns, tries, the lease, where work comes from, the status page, and that a kill at any point loses nothing."""

from __future__ import annotations

import http.client
import json
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.utils import notebook_hash

from autograder.base.errors import CourseError, LeaseLostError, MachineError
from autograder.gradebook.handins import (
    BEYOND,
    FAILED,
    GIVEN,
    GRADED,
    GRADING,
    SUPERSEDED,
    WAITING,
    CountedTry,
    HandIn,
    Ledger,
    read_tries,
    tries_of,
)
from autograder.grading.runner import LineResult, TaskResult
from autograder.sources.course import Course
from autograder.sources.handing_in import Tries
from autograder.submissions.verdicts import Verdict
from autograder.watching import holder, watch
from autograder.watching.grader import GradedHandIn
from autograder.watching.notice import write_notice
from autograder.watching.page import StatusPage, state_json, status_html
from autograder.watching.sources import ExchangeSource, Feedback, FolderSource
from autograder.watching.spool import Spool, content_of
from autograder.watching.turns import TRY_SECONDS, turns
from autograder.watching.watch import State, Watch

ASSIGNMENT = "01-positional-encoding"
OTHER = "02-attention"
N = "positional_encoding.ipynb"
NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC).timestamp()


def handin(number: int = 1, student: str = "ada", **more: Any) -> HandIn:
    given_ = {
        "id": number,
        "assignment": ASSIGNMENT,
        "student": student,
        "version": f"v{number}",
        "content": f"c{number}",
        "found": NOON + number,
        "state": WAITING,
        "attempts": 0,
        "not_before": 0.0,
        "fault": "",
        "is_try": False,
        "points": None,
        "max_points": None,
        "graded": None,
        "given": None,
    }
    return HandIn(**{**given_, **more})


# --------------------------------------------------------------------------------------------------------------- turns
def place_of(one: HandIn) -> tuple[str, str]:
    return one.assignment, one.student


def test_who_has_waited_longest_comes_first() -> None:
    waiting = [handin(3, "kim"), handin(1, "ada"), handin(2, "lee")]
    assert [one.student for one in turns(waiting, {}, (), Tries(), NOON + 9).ready] == ["ada", "lee", "kim"]


def test_who_has_tried_less_comes_first_but_nobody_waits_for_ever() -> None:
    often, first = handin(1, "often"), handin(2, "first")
    tried = {place_of(often): [CountedTry("a", NOON), CountedTry("b", NOON)]}
    assert [one.student for one in turns([often, first], tried, (), Tries(), NOON + 9).ready] == ["first", "often"]
    late = handin(3, "late", found=NOON + 2 * TRY_SECONDS + 2)
    assert [one.student for one in turns([late, often], tried, (), Tries(), NOON + 999).ready] == ["often", "late"]


def test_a_student_has_one_turn_at_a_time() -> None:
    waiting = [handin(1, "ada"), handin(2, "kim")]
    assert [one.student for one in turns(waiting, {}, {(ASSIGNMENT, "ada")}, Tries(), NOON + 9).ready] == ["kim"]


def test_what_is_beyond_a_days_tries_waits_for_midnight_where_the_course_is() -> None:
    rule = Tries(per_day=2, time_zone="Asia/Seoul")  # its midnight is 15:00 UTC
    tried = {(ASSIGNMENT, "ada"): [CountedTry("a", NOON - 60), CountedTry("b", NOON - 30)]}
    made = turns([handin(1)], tried, (), rule, NOON)
    assert made.ready == [] and made.later == {1: NOON + 3 * 3600} and made.beyond == []
    assert turns([handin(1)], tried, (), rule, NOON + 3 * 3600).ready


def test_what_is_beyond_all_tries_is_never_graded_but_the_same_work_costs_none() -> None:
    rule = Tries(in_all=1)
    tried = {(ASSIGNMENT, "ada"): [CountedTry("c1", NOON)]}
    assert turns([handin(2)], tried, (), rule, NOON).beyond
    assert turns([handin(1)], tried, (), rule, NOON).ready


def test_what_the_machine_failed_at_waits() -> None:
    made = turns([handin(1, not_before=NOON + 60)], {}, (), Tries(), NOON + 5)
    assert made.ready == [] and made.later == {1: NOON + 60}


@given(
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 6)), min_size=1, max_size=12),
    st.integers(0, 3),
    st.integers(0, 4),
)
def test_nobody_is_forgotten_and_none_is_passed_by_one_who_waits_less_and_tried_more(
    people: list[tuple[int, int]], per_day: int, in_all: int
) -> None:
    waiting = [handin(n, f"s{n}", found=NOON + second) for n, (second, _) in enumerate(people)]
    tried = {
        (ASSIGNMENT, f"s{n}"): [CountedTry(f"old{k}", NOON) for k in range(count)]
        for n, (_, count) in enumerate(people)
    }
    made = turns(waiting, tried, (), Tries(per_day=per_day, in_all=in_all), NOON + 600)
    ids = [*[one.id for one in made.ready], *made.later, *[one.id for one in made.beyond]]
    assert sorted(ids) == sorted(one.id for one in waiting)
    order = {one.id: number for number, one in enumerate(made.ready)}
    for a in made.ready:
        for b in made.ready:
            if (a.found, people[a.id][1]) < (b.found, people[b.id][1]) and people[a.id][1] <= people[b.id][1]:
                assert order[a.id] < order[b.id]


@pytest.mark.parametrize("wrong", [{"per_day": -1}, {"in_all": 1.5}, {"per_day": True}, {"time_zone": "x"}], ids=str)
def test_limits_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(CourseError, match="Received"):
        Tries(**wrong)


# -------------------------------------------------------------------------------------------------------------- ledger
@pytest.fixture
def place(course: Course, tmp_path: Path) -> Course:
    """The course, with a root and a database of its own."""
    root = tmp_path / "course"
    root.mkdir()
    return with_root(course, root)


def with_root(course: Course, root: Path, **changes: Any) -> Course:
    made = replace(
        course,
        root=root,
        bonus=(),
        limits_by_assignment={},
        database_url=f"sqlite:///{root / 'gradebook.db'}",
        **changes,
    )
    for name in ("source_paths", "_read_already"):
        object.__setattr__(made, name, getattr(course, name))
    return made


@pytest.fixture
def ledger(place: Course) -> Iterator[Ledger]:
    made = Ledger(place, "me")
    assert made.lead() == ""
    yield made
    made.close()


def test_a_version_is_taken_down_once_and_supersedes_what_waits(ledger: Ledger) -> None:
    assert ledger.add(ASSIGNMENT, "ada", "v1", "c1", NOON) == []
    assert ledger.add(ASSIGNMENT, "ada", "v1", "c1", NOON + 5) is None
    assert ledger.add(ASSIGNMENT, "ada", "v2", "c2", NOON + 9) == ["c1"]
    assert [(one.version, one.found) for one in ledger.in_state(WAITING)] == [("v2", NOON + 9)]
    assert ledger.known(ASSIGNMENT) == {("ada", "v1"): SUPERSEDED, ("ada", "v2"): WAITING}


def test_a_try_is_a_content_however_often_it_was_begun(ledger: Ledger, place: Course) -> None:
    for number in range(3):
        ledger.add(ASSIGNMENT, "ada", f"v{number}", "same" if number < 2 else "new", NOON + number)
        for _ in range(2):  # begun, given up, begun again
            ledger.begin(ledger.in_state(WAITING)[0])
            ledger.recover()
        ledger.begin(ledger.in_state(WAITING)[0])
        ledger.finish(ledger.in_state(GRADING)[0], 3.0 + number, 20.0, {"tasks": {}}, is_try=True)
        ledger.give(ledger.in_state(GRADED)[0])
    assert [one.content for one in ledger.counted_tries()[ASSIGNMENT, "ada"]] == ["same", "new"]
    assert [(one.content, one.points) for one in tries_of(place, ASSIGNMENT, "ada")] == [("same", 3.0), ("new", 5.0)]


def test_reading_tries_makes_no_tables(place: Course) -> None:
    import sqlite3

    assert read_tries(place) == {}
    with sqlite3.connect(place.root / "gradebook.db") as database:
        assert database.execute("select count(*) from sqlite_master").fetchone() == (0,)


def test_one_watch_at_a_time_writes(place: Course, ledger: Ledger) -> None:
    other = Ledger(place, "other")
    assert other.lead() == "me" and ledger.lead() == ""
    with pytest.raises(LeaseLostError):
        other.add(ASSIGNMENT, "ada", "v1", "c1", NOON)
    assert other.lead(lambda holder: holder == "me") == ""  # it has ended
    with pytest.raises(LeaseLostError):
        ledger.add(ASSIGNMENT, "ada", "v1", "c1", NOON)
    assert other.add(ASSIGNMENT, "ada", "v1", "c1", NOON) == []
    assert ledger.lead() == "other"
    other.close()
    assert ledger.lead() == ""


def test_a_lease_runs_out(place: Course, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Ledger(place, "other")
    now = time.time()
    monkeypatch.setattr("autograder.gradebook.handins.time.time", lambda: now + 119)
    assert other.lead() == "me"
    monkeypatch.setattr("autograder.gradebook.handins.time.time", lambda: now + 122)
    assert other.lead() == ""
    other.close()


def test_a_process_that_ended_is_told_from_one_that_runs() -> None:
    own = holder.process_name()
    assert not holder.has_ended(own)
    where, number, began = own.split(" ")
    assert holder.has_ended(f"{where} {number} 1.00")  # its id is somebody else's now
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    assert holder.has_ended(f"{where} {child} {began}")
    assert not holder.has_ended(f"another-machine {child} {began}")
    assert not holder.has_ended("something else")


# ------------------------------------------------------------------------------------------------------- where it comes from
def lay(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def taken(course: Course, source: Any, assignment: str = ASSIGNMENT) -> dict[str, dict[str, bytes]]:
    """Take everything that a source holds into the spool; student -> files."""
    spool = Spool(course.root)
    found: dict[str, dict[str, bytes]] = {}
    for one in source.look(assignment).found:
        content = spool.take(assignment, one.student, one.write)
        folder = spool.path(assignment, one.student, content) / one.student
        found[one.student] = {path.name: path.read_bytes() for path in folder.iterdir()}
    return found


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.watching.sources.SETTLED_SECONDS", 0.0)
    monkeypatch.setattr("autograder.watching.sources.UNFINISHED_SECONDS", 0.0)


@pytest.mark.usefixtures("settled")
def test_a_folder_of_several_assignments_gives_each_its_own(place: Course, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    lay(
        inbox,
        {
            f"ada/{N}": b"1",
            "ada/scaled_dot_product_attention.ipynb": b"2",
            f"kim/{OTHER}/scaled_dot_product_attention.ipynb": b"3",
            f"lee/{ASSIGNMENT}/{N}": b"4",
            f"lee/{ASSIGNMENT}/timestamp.txt": b"2020-01-01 UTC",
        },
    )
    source = FolderSource(place, inbox, None)
    first = taken(place, source)
    assert {student: files[N] for student, files in first.items()} == {"ada": b"1", "lee": b"4"}
    assert not first["lee"]["timestamp.txt"].startswith(b"2020")  # students write these folders
    second = taken(place, source, OTHER)
    assert {student: files["scaled_dot_product_attention.ipynb"] for student, files in second.items()} == {
        "ada": b"2",
        "kim": b"3",
    }


def test_a_file_that_is_being_written_waits(place: Course, tmp_path: Path) -> None:
    lay(tmp_path / "inbox", {f"ada/{N}": b"1"})
    source = FolderSource(place, tmp_path / "inbox", None)
    assert source.look(ASSIGNMENT).found == []
    os.utime(tmp_path / "inbox" / "ada" / N, (0, 0))  # an old time that a copy brought along says nothing
    assert source.look(ASSIGNMENT).found == []


@pytest.mark.usefixtures("settled")
def test_a_version_is_the_same_until_its_content_changes(place: Course, tmp_path: Path) -> None:
    source = FolderSource(place, tmp_path / "inbox", None)
    versions = []
    for content in (b"1", b"1", b"2", b"1"):  # written again, changed, and put back
        lay(tmp_path / "inbox", {f"ada/{N}": content})
        versions += [source.look(ASSIGNMENT).found[0].version for _ in range(2)]
    assert [len(set(versions[at : at + 2])) for at in range(0, 8, 2)] == [1, 1, 1, 1]
    assert versions[0] == versions[2] and len(set(versions)) == 3


@pytest.mark.usefixtures("settled")
def test_an_empty_folder_and_one_of_other_things_hold_nothing(place: Course, tmp_path: Path) -> None:
    lay(tmp_path / "inbox", {})
    (tmp_path / "inbox").mkdir(exist_ok=True)
    assert FolderSource(place, tmp_path / "inbox", None).look(ASSIGNMENT).found == ()


def exchange(root: Path, course: Course, name: str, files: Mapping[str, bytes]) -> None:
    lay(root / course.id / "inbound" / name, files)


@pytest.mark.usefixtures("settled")
def test_the_exchange_gives_each_students_newest(place: Course, tmp_path: Path) -> None:
    files = {"submission_secret.txt": b"s1", "timestamp.txt": b"forged", ".hidden": b"h"}
    exchange(tmp_path, place, f"ada+{ASSIGNMENT}+2026-11-03 10:00:00.000000 UTC+ab-_cd", {N: b"old", **files})
    exchange(tmp_path, place, f"ada+{ASSIGNMENT}+2026-11-03 11:00:00.000000 UTC+ef", {N: b"new", **files})
    exchange(tmp_path, place, f"a+b+{ASSIGNMENT}+2026-11-03 11:00:00 UTC", {N: b"plus", **files})
    exchange(tmp_path, place, f"kim+{OTHER}+2026-11-03 11:00:00 UTC", {N: b"another", **files})
    exchange(tmp_path, place, f"lee+{ASSIGNMENT}+soon", {N: b"?"})
    source = ExchangeSource(place, tmp_path, check_owner=False)
    found = taken(place, source)
    assert {student: own[N] for student, own in found.items()} == {"ada": b"new", "a+b": b"plus"}
    assert found["ada"] == {
        N: b"new",
        "submission_secret.txt": b"s1",
        "timestamp.txt": b"2026-11-03 11:00:00 UTC\n",
    }
    assert [note for note in source.look(ASSIGNMENT).notes if "lee" in note and "holds no time" in note]


@pytest.mark.usefixtures("settled")
def test_links_and_folders_of_others_are_left_out(place: Course, tmp_path: Path) -> None:
    name = f"ada+{ASSIGNMENT}+2026-11-03 10:00:00 UTC"
    exchange(tmp_path, place, name, {N: b"1", "sub/deep.txt": b"2"})
    (tmp_path / "secret").write_text("secret")
    (tmp_path / place.id / "inbound" / name / "link.txt").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / place.id / "inbound" / name / "pipe.txt")
    (tmp_path / place.id / "inbound" / f"kim+{ASSIGNMENT}+2026-11-03 10:00:00 UTC").symlink_to(tmp_path / place.id)
    found = taken(place, ExchangeSource(place, tmp_path, check_owner=False))
    assert set(found) == {"ada"} and set(found["ada"]) == {N, "timestamp.txt"}
    look = ExchangeSource(place, tmp_path, check_owner=True).look(ASSIGNMENT)
    assert look.found == [] and any("ada" in note and "'s" in note for note in look.notes)


def test_a_submission_that_nbgrader_is_still_writing_waits(
    place: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"ada+{ASSIGNMENT}+2026-11-03 10:00:00 UTC"
    exchange(tmp_path, place, name, {N: b"1"})
    source = ExchangeSource(place, tmp_path, check_owner=False)
    monkeypatch.setattr("autograder.watching.sources.SETTLED_SECONDS", 0.0)
    assert source.look(ASSIGNMENT).found == []
    exchange(tmp_path, place, name, {"submission_secret.txt": b"s"})
    assert [one.student for one in source.look(ASSIGNMENT).found] == ["ada"]
    monkeypatch.setattr("autograder.watching.sources.SETTLED_SECONDS", 2.0)
    assert source.look(ASSIGNMENT).found == []


def test_an_exchange_without_the_course_is_told(place: Course, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="inbound folder"):
        ExchangeSource(place, tmp_path).look(ASSIGNMENT)


def test_feedback_lies_where_nbgrader_looks_for_it(place: Course, tmp_path: Path) -> None:
    page, folder = tmp_path / "positional_encoding.html", tmp_path / "submitted"
    page.write_text("page")
    lay(folder, {"submission_secret.txt": b"secret"})
    (tmp_path / place.id).mkdir()
    back = Feedback(ASSIGNMENT, "ada", "v", page, folder, is_graded=True)
    for _ in range(2):
        ExchangeSource(place, tmp_path).hand_back(back)
    path = (
        tmp_path / place.id / "feedback" / f"{notebook_hash(secret='secret', notebook_id='positional_encoding')}.html"
    )
    assert path.read_text() == "page" and list(path.parent.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644 and not path.parent.stat().st_mode & stat.S_IROTH
    (folder / "submission_secret.txt").unlink()
    with pytest.raises(MachineError, match="submission_secret"):
        ExchangeSource(place, tmp_path).hand_back(back)


def test_feedback_is_not_written_through_a_link(place: Course, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("page")
    (tmp_path / "out" / "ada").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "ada" / ASSIGNMENT).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MachineError, match="a link"):
        FolderSource(place, tmp_path, tmp_path / "out").hand_back(
            Feedback(ASSIGNMENT, "ada", "v", page, tmp_path, is_graded=True)
        )
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_nbgrader_adds_is_no_content(tmp_path: Path) -> None:
    lay(tmp_path / "a", {N: b"1", "submission_secret.txt": b"s"})
    lay(tmp_path / "b", {N: b"1", "submission_secret.txt": b"t", "timestamp.txt": b"now"})
    lay(tmp_path / "c", {N: b"2"})
    assert content_of(tmp_path / "a") == content_of(tmp_path / "b") != content_of(tmp_path / "c")


# ------------------------------------------------------------------------------------------------------------- the loop
class Desk:
    """Stands for nbgrader's steps and the workers: what was entered and graded, and how often."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.entered: list[tuple[str, bytes]] = []
        self.graded: list[int] = []
        self.ungraded: set[str] = set()

    # ---- of nbgrader's steps
    def enter(self, assignment: str, student: str) -> None:
        self.entered.append((student, (self.submitted(assignment, student) / N).read_bytes()))

    def write_feedback(self, assignment: str, student: str) -> Path:
        path = self.course.root / "feedback" / student / assignment / "positional_encoding.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"on " + self.entered_last(student))
        return path

    def entered_last(self, student: str) -> bytes:
        return next(content for who, content in reversed(self.entered) if who == student)

    def submitted(self, assignment: str, student: str) -> Path:
        return self.course.root / "submitted" / student / assignment

    # ---- of the workers
    def grader(self, course: Course, warn: Callable[[str], None]) -> Any:
        desk = self

        class Grader:
            def __init__(self) -> None:
                self.at: list[HandIn] = []
                self.room = 4

            def begin(self, one: HandIn, notebook: Path) -> None:
                assert notebook.parent.is_dir()
                self.at.append(one)

            def take_graded(self) -> list[GradedHandIn]:
                done, self.at = self.at, []
                desk.graded += [one.id for one in done]
                return [GradedHandIn(one, verdict(course, one.student, one.student in desk.ungraded)) for one in done]

            def warm_up(self) -> None:
                pass

            def close(self) -> None:
                pass

        return Grader()


def verdict(course: Course, student: str, is_ungraded: bool = False) -> Verdict:
    source = course.source(ASSIGNMENT)
    status = "ungraded" if is_ungraded else "passed"
    tasks = {
        slug: TaskResult(
            slug,
            points,
            tuple(LineResult(name, line, status) for name, line in source.rubric.items() if line.task == slug),
        )
        for slug, points in source.points.items()
    }
    return Verdict(ASSIGNMENT, source.name, student, "en", tasks, fault="no disk" if is_ungraded else "")


@pytest.fixture
def desk(place: Course, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(place)
    monkeypatch.setattr(watch, "WarmGrader", made.grader)
    monkeypatch.setattr("autograder.watching.sources.SETTLED_SECONDS", 0.0)
    monkeypatch.setattr(FolderSource, "seconds", 0.0)
    return made


class Room:
    """A course that is watched: its inbox and outbox, and a watch that is started anew as often as is wanted."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk, self.course = desk, desk.course
        self.inbox, self.outbox = folder / "inbox", folder / "outbox"
        self.events: list[dict[str, Any]] = []
        self.starts = 0

    def hand_in(self, student: str, content: bytes) -> None:
        lay(self.inbox, {f"{student}/{ASSIGNMENT}/{N}": content})

    def watch(self, ledger: Ledger, source: Any = None) -> Watch:
        source = source or FolderSource(self.course, self.inbox, self.outbox)
        return Watch(self.course, [ASSIGNMENT], source, ledger, self.desk, self.events.append)  # type: ignore[arg-type]

    def once(self, source: Any = None) -> bool:
        self.starts += 1
        ledger = Ledger(self.course, f"start {self.starts}")
        try:
            return self.watch(ledger, source).run(threading.Event(), once=True)
        finally:
            ledger.close()

    def back(self) -> dict[str, bytes]:
        return {path.parts[-3]: path.read_bytes() for path in self.outbox.rglob("*.html")}

    def rows(self) -> list[HandIn]:
        ledger = Ledger(self.course)
        try:
            return ledger.in_state(WAITING, GRADING, GRADED, GIVEN, SUPERSEDED, BEYOND, FAILED)
        finally:
            ledger.close()


@pytest.fixture
def room(desk: Desk, tmp_path: Path) -> Room:
    made = Room(desk, tmp_path)
    made.inbox.mkdir()
    return made


def test_what_is_handed_in_comes_back(room: Room) -> None:
    for student in ("ada", "kim"):
        room.hand_in(student, student.encode())
    assert room.once()
    assert room.back() == {"ada": b"on ada", "kim": b"on kim"}
    assert [one["event"] for one in room.events if one.get("student") == "ada"] == [
        "found",
        "grading",
        "graded",
        "given",
    ]
    assert room.once() and len(room.desk.entered) == 2
    assert not list((room.course.root / ".watch" / "spool").iterdir())


def test_a_student_may_try_again(room: Room) -> None:
    for content in (b"first", b"second"):
        room.hand_in("ada", content)
        room.once()
    assert room.back() == {"ada": b"on second"}
    tries = tries_of(room.course, ASSIGNMENT, "ada")
    assert [one.points for one in tries] == [20.0, 20.0] and tries[0].result["tasks"]["angle-rates"]["points"] == 2.0


def test_a_submission_that_was_there_before_is_put_aside(room: Room) -> None:
    lay(room.course.root / "submitted" / "ada" / ASSIGNMENT, {N: b"by hand"})
    room.hand_in("ada", b"new")
    room.once()
    assert (room.course.root / "superseded" / "ada" / f"{ASSIGNMENT}-1" / N).read_bytes() == b"by hand"


def test_tries_are_limited_a_day_and_in_all_across_restarts(room: Room) -> None:
    room.desk.course = room.course = with_root(room.course, room.course.root, tries=Tries(per_day=2, in_all=3))
    for number in range(3):
        room.hand_in("ada", f"try {number}".encode())
        assert room.once()
    assert len(room.desk.entered) == 2 and room.rows()[-1].state == WAITING
    today = time.time()
    ledger = Ledger(room.course, "clock")
    ledger.lead()
    with ledger._engine.begin() as connection:  # a day passes
        connection.exec_driver_sql("update autograder_handins set graded = graded - 86400")
    ledger.close()
    room.once()
    assert len(room.desk.entered) == 3
    room.hand_in("ada", b"one more")
    assert room.once()
    last = room.rows()[-1]
    assert (last.state, len(room.desk.entered)) == (BEYOND, 3) and last.given is not None and last.given >= today
    assert "의 시도 3번을".encode() in room.back()["ada"] and b"all 3 tries" in room.back()["ada"]
    room.hand_in("ada", b"try 2")  # what was graded costs none
    room.once()
    assert room.back()["ada"] == b"on try 2"


def test_only_the_newest_of_what_waits_is_graded(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.desk.course = room.course = with_root(room.course, room.course.root, tries=Tries(per_day=1))
    for content in (b"1", b"2", b"3"):
        room.hand_in("ada", content)
        room.once()
    assert [(one.state) for one in room.rows()] == [GIVEN, SUPERSEDED, WAITING]
    assert len(list((room.course.root / ".watch" / "spool").iterdir())) == 1


def test_what_the_machine_fails_at_is_never_a_zero_and_no_try(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "BACK_OFF_SECONDS", 0.0)
    room.hand_in("ada", b"1")
    room.desk.ungraded = {"ada"}
    assert not room.once()
    assert room.desk.entered == [] and room.back() == {} and tries_of(room.course, ASSIGNMENT, "ada") == []
    assert [(one.state, one.fault) for one in room.rows()] == [(FAILED, "no disk")]
    assert sum(one["event"] == "again later" for one in room.events) == watch.ATTEMPTS - 1
    room.desk.ungraded = set()
    assert room.once() and room.back() == {"ada": b"on 1"}


def test_feedback_that_cannot_be_given_is_given_later(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "BACK_OFF_SECONDS", 0.0)
    room.hand_in("ada", b"1")
    room.outbox.write_text("in the way")
    assert not room.once()
    assert [one.state for one in room.rows()] == [GRADED] and len(room.desk.entered) == 1
    room.outbox.unlink()
    assert room.once()
    assert room.back() == {"ada": b"on 1"} and len(room.desk.entered) == 1


def test_a_source_that_cannot_be_looked_at_stops_nobody_else(room: Room) -> None:
    class Broken(FolderSource):
        def look(self, assignment: str) -> Any:
            raise MachineError("Canvas is down")

    room.hand_in("ada", b"1")
    room.once()
    assert not room.once(Broken(room.course, room.inbox, room.outbox))
    assert [one["text"] for one in room.events if one["event"] == "note"] == ["can't be looked at: Canvas is down"]


def test_a_look_that_fails_leaves_something_undone(room: Room, tmp_path: Path) -> None:
    assert not room.once(ExchangeSource(room.course, tmp_path / "missing", check_owner=False))
    (note,) = [one["text"] for one in room.events if one["event"] == "note"]
    assert "must have the course's inbound folder" in note
    assert room.once()


def test_a_file_that_cannot_be_taken_costs_nobody_else_anything(room: Room) -> None:
    room.hand_in("ada", b"1")
    lay(room.inbox, {"kim/nothing.txt": b"x", "l<e>e/" + N: b"x"})
    room.once()
    assert set(room.back()) >= {"ada"} and "l<e>e" not in room.back()


def test_another_assignments_notebook_is_graded_as_it_is_and_holds_up_nobody(room: Room, tmp_path: Path) -> None:
    name = f"ada+{ASSIGNMENT}+2026-11-03 10:00:00 UTC"
    exchange(tmp_path, room.course, name, {"scaled_dot_product_attention.ipynb": b"x", "submission_secret.txt": b"s"})
    room.desk.ungraded = {"ada"}  # what becomes of it is the intake's affair
    ledger = Ledger(room.course, "me")
    made = room.watch(ledger, ExchangeSource(room.course, tmp_path, check_owner=False))
    made.step()
    ledger.close()
    assert room.desk.graded == [1]
    folder = room.course.root / "submitted" / "ada" / ASSIGNMENT
    assert (folder / "scaled_dot_product_attention.ipynb").exists()


def test_what_was_begun_before_a_lost_lease_is_not_entered_twice(room: Room) -> None:
    room.hand_in("ada", b"1")
    ledger = Ledger(room.course, "me")
    made = room.watch(ledger)
    ledger.lead()
    made._leads = True
    made._look(ASSIGNMENT)
    made._begin(made._turns().ready[0])
    made._leads = False  # the database was away for a while
    for _ in range(3):
        made.step()
    ledger.close()
    assert len(room.desk.entered) == 1 and room.back() == {"ada": b"on 1"}


def test_two_copies_at_once_grade_nothing_twice(room: Room) -> None:
    for number in range(6):
        room.hand_in(f"s{number}", b"1")
    ledgers = [Ledger(room.course, name) for name in ("one", "two")]
    watches = [room.watch(ledger) for ledger in ledgers]
    for _ in range(40):
        for one in watches:
            one.step()
    assert sorted(room.desk.graded) == [1, 2, 3, 4, 5, 6] and len(room.desk.entered) == 6
    assert [one.state.other for one in watches] == ["", "one"]
    ledgers[0].close()
    room.hand_in("s0", b"2")
    for _ in range(5):
        watches[1].step()
    assert room.back()["s0"] == b"on 2"


def test_a_watch_that_lost_its_lease_writes_nothing(room: Room) -> None:
    room.hand_in("ada", b"1")
    ledger, other = Ledger(room.course, "slow"), Ledger(room.course, "other")
    slow = room.watch(ledger)
    slow._ledger.lead()
    slow._leads = True
    slow._look(ASSIGNMENT)
    slow._begin(slow._turns().ready[0])
    assert other.lead(lambda holder: True) == ""
    with pytest.raises(LeaseLostError):
        for graded in slow._grader.take_graded():
            slow._enter(graded)
    assert tries_of(room.course, ASSIGNMENT, "ada") == []


class KilledError(BaseException):
    """Stands for SIGKILL: nothing after it runs."""


class Fuse:
    """Lets the process die before or after the n-th of the steps that leave a trace."""

    STEPS = (
        (Ledger, ("add", "begin", "finish", "give", "recover")),
        (Spool, ("take", "drop")),
        (Desk, ("enter", "write_feedback")),
        (FolderSource, ("hand_back",)),
    )

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = -1
        for owner, names in self.STEPS:
            for name in names:
                monkeypatch.setattr(owner, name, self._around(getattr(owner, name)))
        monkeypatch.setattr(watch, "collect", self._around(watch.collect))

    def _around(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def burning(*arguments: Any, **options: Any) -> Any:
            self._burn()
            value = step(*arguments, **options)
            self._burn()
            return value

        return burning

    def _burn(self) -> None:
        if self.left == 0:
            self.left = -1
            raise KilledError
        self.left -= self.left > 0


@pytest.mark.slow
def test_a_kill_at_any_step_loses_nothing_and_counts_no_try_twice(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fuse = Fuse(monkeypatch)
    monkeypatch.setattr(watch, "has_ended", lambda name: True)
    number, is_killed = 0, True
    while is_killed:
        folder = tmp_path / f"run-{number}"
        (folder / "course").mkdir(parents=True)
        desk.course = with_root(desk.course, folder / "course")
        desk.entered, desk.graded = [], []
        room = Room(desk, folder)
        room.hand_in("ada", b"first")
        room.once()
        for student, content in (("ada", b"second"), ("kim", b"only")):
            room.hand_in(student, content)
        fuse.left, is_killed = number, False
        try:
            room.once()
        except KilledError:
            is_killed = True
        fuse.left = -1
        assert room.once()
        assert room.back() == {"ada": b"on second", "kim": b"on only"}, number
        tries = read_tries(room.course)
        assert {who: len(own) for (_, who), own in tries.items()} == {"ada": 2, "kim": 1}, number
        assert {one.state for one in room.rows()} == {GIVEN}, number
        assert desk.entered_last("ada") == b"second" and len(desk.entered) <= 4
        number += 1
    assert number > 25


# ----------------------------------------------------------------------------------------------------------- the page
@pytest.fixture
def page(tmp_path: Path) -> Iterator[tuple[StatusPage, list[State]]]:
    states = [State()]
    made = StatusPage(tmp_path, "course", lambda: states[0], 0)
    yield made, states
    made.close()


def ask(page: StatusPage, path: str = "", method: str = "GET", host: str = "") -> tuple[int, str, Mapping[str, str]]:
    address = page.url.removeprefix("http://")
    server, _, secret = address.partition("/")
    connection = http.client.HTTPConnection(server, timeout=10)
    connection.request(
        method, f"/{secret}" + path if not path.startswith("/") else path, headers={"Host": host or server}
    )
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), dict(answer.getheaders())


def test_the_page_is_read_only_and_for_this_machine_alone(page: tuple[StatusPage, list[State]]) -> None:
    status, text, headers = ask(page[0])
    assert status == 200 and "Starting." in text
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert page[0]._server.server_address[0] == "127.0.0.1"
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert ask(page[0], method=method)[0] == 501
    assert ask(page[0], host="evil.example.org")[0] == 403
    assert ask(page[0], "/")[0] == 404 and ask(page[0], "/etc/passwd")[0] == 404


def test_the_address_is_kept_and_known_to_the_owner_alone(tmp_path: Path) -> None:
    urls = []
    for _ in range(2):
        made = StatusPage(tmp_path, "course", State, 0)
        urls.append(made.url.rsplit("/", 2)[1])
        made.close()
    assert urls[0] == urls[1] and len(urls[0]) >= 20
    assert stat.S_IMODE((tmp_path / ".watch" / "page").stat().st_mode) == 0o600


def test_the_page_shows_who_waits_and_escapes_it_and_shows_no_points(page: tuple[StatusPage, list[State]]) -> None:
    evil = "<script>alert(1)</script>\x1b[2J\u202e"
    given_ = handin(2, "kim", state=GIVEN, points=13.75, max_points=20.0, given=NOON + 30)
    page[1][0] = State(
        NOON, "", [(handin(1, evil), 0.0), (handin(4, "lee"), NOON + 60)], [handin(3, "park")], [], [given_], [evil]
    )
    _, text, _ = ask(page[0])
    assert "<script" not in text and "&lt;script&gt;" in text and "\x1b" not in text and "\u202e" not in text
    assert "13.75" not in text and "not before" in text and "28 s" in text
    assert "http" not in text.replace("http-equiv", "") and "src=" not in text
    _, data, headers = ask(page[0], "state.json")
    told = json.loads(data)
    assert headers["Content-Type"].startswith("application/json") and "\x1b" not in data
    assert told["queue"][0]["student"] == evil and "points" not in data


def test_a_watch_that_stands_by_says_so() -> None:
    assert "Standing by" in status_html("course", State(NOON, "another"))
    assert json.loads(state_json(State(NOON, "another")))["other"] == "another"


def test_a_taken_port_is_no_reason_to_stop(tmp_path: Path, page: tuple[StatusPage, list[State]]) -> None:
    taken_port = page[0]._server.server_port
    made = StatusPage(tmp_path, "course", State, taken_port)
    assert made._server.server_port != taken_port
    made.close()


def test_the_notice_is_in_the_courses_languages(place: Course, tmp_path: Path) -> None:
    text = write_notice(with_root(place, place.root, tries=Tries(in_all=5)), ASSIGNMENT, tmp_path).read_text()
    assert 'lang="en"' in text and 'lang="ko"' in text and "all 5 tries" in text and "시도 5번" in text
