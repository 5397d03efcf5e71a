"""Canvas over its API, against a fake one on this machine: nothing twice, no invented zero, and nowhere a token."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fake_canvas import COURSE, TOKEN, FakeCanvas, fake_canvas
from nbgrader.api import Gradebook

from autograder.base.errors import CanvasError, CourseError
from autograder.sources.course import Course
from autograder.sources.handing_in import CanvasCourse

pytest.importorskip("canvasapi", reason="needs the extra `canvas`")

from autograder.canvas import connection as connecting
from autograder.canvas.connection import Connection, connect
from autograder.canvas.pull import pull
from autograder.canvas.push import push, push_one

ASSIGNMENT = "02-attention"
N = "scaled_dot_product_attention.ipynb"
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def canvas() -> Iterator[FakeCanvas]:
    with fake_canvas() as made:
        for number, login in ((11, "ada"), (12, "kim"), (13, "lee"), (14, "park"), (15, "nobody-yet")):
            made.enrol(number, login)
        yield made


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "gradebook.db"
    Gradebook(f"sqlite:///{path}", "transformer").close()
    return path


@pytest.fixture
def place(course: Course, tmp_path: Path, canvas: FakeCanvas, empty: Path) -> Course:
    """The course with a root and a gradebook of its own, and with this Canvas."""
    root = tmp_path / "course"
    root.mkdir()
    shutil.copy(empty, root / "gradebook.db")
    made = replace(
        course,
        root=root,
        bonus=(),
        limits_by_assignment={},
        database_url=f"sqlite:///{root / 'gradebook.db'}",
        canvas=CanvasCourse(canvas.url, COURSE),
    )
    object.__setattr__(made, "source_paths", course.source_paths)
    return made


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def connection(place: Course, slept: list[float], monkeypatch: pytest.MonkeyPatch) -> Connection:
    monkeypatch.setenv(connecting.TOKEN, TOKEN)
    return connect(place, slept.append)


@pytest.fixture
def graded(place: Course) -> Course:
    """ada 17, kim with a task that no grader could give points, lee with a penalty of 2; park hasn't handed in."""
    source = place.source(ASSIGNMENT)
    with Gradebook(place.database_url, place.id) as book:
        book.add_assignment(ASSIGNMENT)
        book.add_notebook(source.name, ASSIGNMENT)
        for task, points in source.points.items():
            book.add_grade_cell(f"grade-{task}", source.name, ASSIGNMENT, max_score=points, cell_type="code")
        for student, lost in (("ada", 3.0), ("kim", None), ("lee", 3.0)):
            book.add_student(student)
            book.update_or_create_submission(ASSIGNMENT, student)
            notebook = book.find_submission_notebook(source.name, ASSIGNMENT, student)
            for grade in notebook.grades:
                grade.auto_score = source.points[grade.name.removeprefix("grade-")]
            notebook.grades[0].auto_score = None if lost is None else notebook.grades[0].auto_score - lost
            notebook.late_submission_penalty = 2.0 if student == "lee" else None
        book.add_student("park")
        book.db.commit()
    for student in ("ada", "lee"):
        write_page(place, student, f"<p>{student}'s page</p>")
    return place


def write_page(course: Course, student: str, text: str) -> None:
    page = course.root / "feedback" / student / ASSIGNMENT / f"{course.source(ASSIGNMENT).name}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


def submitted(course: Course, student: str) -> dict[str, str]:
    folder = course.root / "submitted" / student / ASSIGNMENT
    return {path.name: path.read_text() for path in folder.iterdir()} if folder.exists() else {}


# ------------------------------------------------------------------------------------------------------------------ pull
def test_the_newest_attempts_come_in_from_every_page(place: Course, connection: Connection, canvas: FakeCanvas) -> None:
    for number in (11, 12, 13):
        canvas.hand_in(number, {N: f"first of {number}".encode()})
    canvas.hand_in(11, {"scaled_dot_product_attention-1.ipynb": b"second of 11"}, at="2026-11-04T23:59:30Z")
    collected, found, notes = pull(place, connection, ASSIGNMENT)
    assert submitted(place, "ada") == {N: "second of 11", "timestamp.txt": "2026-11-04 23:59:30 UTC\n"}
    assert [one.student for one in found] == ["ada", "kim", "lee"] and notes == []
    assert collected is not None and set(collected.states.values()) == {"new"}


def test_a_second_pull_changes_nothing_and_a_new_attempt_needs_force(
    place: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    canvas.hand_in(11, {N: b"first"})
    pull(place, connection, ASSIGNMENT)
    again, _, _ = pull(place, connection, ASSIGNMENT)
    assert again is not None and again.states == {"ada": "unchanged"}
    canvas.hand_in(11, {N: b"second"})
    kept, _, _ = pull(place, connection, ASSIGNMENT)
    assert kept is not None and kept.states == {"ada": "kept"} and submitted(place, "ada")[N] == "first"
    pull(place, connection, ASSIGNMENT, force=True)
    assert submitted(place, "ada")[N] == "second"
    assert (place.root / "superseded" / "ada" / f"{ASSIGNMENT}-1" / N).read_text() == "first"


def test_a_dry_pull_writes_and_downloads_nothing(place: Course, connection: Connection, canvas: FakeCanvas) -> None:
    canvas.hand_in(11, {N: b"first"})
    collected, found, _ = pull(place, connection, ASSIGNMENT, dry_run=True)
    assert collected is None and len(found) == 1
    assert not (place.root / "submitted").exists() and not any("/files/" in path for _, path in canvas.asked)


def test_odd_files_and_strangers_are_left_out_and_told(
    place: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    canvas.enrol(16, "../../etc")
    canvas.hand_in(11, {N: b"x", "timestamp.txt": b"2020-01-01 UTC", "../up.txt": b"y", ".hidden": b"z"})
    canvas.hand_in(16, {N: b"x"})
    _, _, notes = pull(place, connection, ASSIGNMENT)
    assert submitted(place, "ada") == {N: "x", "timestamp.txt": "2026-11-03 10:00:00 UTC\n"}
    assert len(notes) == 4 and any("../../etc" in note for note in notes)
    assert sorted(path.name for path in (place.root / "submitted").iterdir()) == ["ada"]


def test_the_token_goes_to_canvas_alone(place: Course, connection: Connection, canvas: FakeCanvas) -> None:
    with fake_canvas() as elsewhere:
        canvas.hand_in(11, {N: b"x"})
        number = canvas.submissions[11].files[0][0]
        elsewhere.contents[number] = b"from a storage"
        target = place.root / "file"
        connection.download(f"{elsewhere.url}/files/{number}/download", target)
        assert target.read_bytes() == b"from a storage"
        assert elsewhere.asked and not elsewhere.tokens_elsewhere
        with pytest.raises(CanvasError):
            connection.download(f"{elsewhere.url}/confirm/0", target)
        assert elsewhere.tokens_elsewhere == []


# ------------------------------------------------------------------------------------------------------------------ push
def test_points_and_page_arrive_in_one_request_and_never_twice(
    graded: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    done = {one.student: one for one in push(graded, connection, ASSIGNMENT)}
    assert (canvas.submissions[11].score, canvas.submissions[13].score) == (17.0, 15.0)
    assert canvas.attached(11) == [b"<p>ada's page</p>"]
    assert (done["ada"].state, done["ada"].points) == ("pushed", 17.0)
    assert sum(method == "PUT" for method, _ in canvas.asked) == 2
    canvas.asked.clear()
    again = push(graded, connection, ASSIGNMENT)
    assert [one.state for one in again] == ["unchanged", "ungraded", "unchanged"] and canvas.writes() == []


def test_nobody_gets_a_zero_that_no_grader_gave(graded: Course, connection: Connection, canvas: FakeCanvas) -> None:
    write_page(graded, "kim", "<p>half graded</p>")
    done = {one.student: one.state for one in push(graded, connection, ASSIGNMENT)}
    assert done["kim"] == "ungraded" and "park" not in done
    for number in (12, 14, 15):
        assert canvas.submissions[number].score is None and canvas.submissions[number].comments == []
    with pytest.raises(CanvasError, match="whole grades"):
        page = graded.root / "feedback" / "kim" / ASSIGNMENT / f"{graded.source(ASSIGNMENT).name}.html"
        push_one(graded, connection, ASSIGNMENT, "kim", 12, page, is_graded=True)


def test_a_zero_that_a_grader_gave_is_sent(graded: Course, connection: Connection, canvas: FakeCanvas) -> None:
    with Gradebook(graded.database_url, graded.id) as book:
        for grade in book.find_submission_notebook(graded.source(ASSIGNMENT).name, ASSIGNMENT, "ada").grades:
            grade.auto_score = 0.0
        book.db.commit()
    push(graded, connection, ASSIGNMENT)
    assert canvas.submissions[11].score == 0.0


def test_a_dry_push_only_tells(graded: Course, connection: Connection, canvas: FakeCanvas) -> None:
    done = push(graded, connection, ASSIGNMENT, dry_run=True)
    assert [(one.student, one.state) for one in done] == [("ada", "pushed"), ("kim", "ungraded"), ("lee", "pushed")]
    assert canvas.writes() == [] and canvas.submissions[11].score is None


def test_a_regrade_sends_the_new_points_and_the_new_page(
    graded: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    push(graded, connection, ASSIGNMENT)
    with Gradebook(graded.database_url, graded.id) as book:
        notebook = book.find_submission_notebook(graded.source(ASSIGNMENT).name, ASSIGNMENT, "ada")
        notebook.grades[0].manual_score = notebook.grades[0].auto_score + 1
        book.db.commit()
    write_page(graded, "ada", "<p>new page</p>")
    push(graded, connection, ASSIGNMENT)
    assert canvas.submissions[11].score == 18.0
    assert canvas.attached(11) == [b"<p>ada's page</p>", b"<p>new page</p>"]


def test_points_that_a_person_gave_in_canvas_stay(graded: Course, connection: Connection, canvas: FakeCanvas) -> None:
    canvas.submissions[11].score = 19.5
    canvas.submissions[13].excused = True
    done = {one.student: one for one in push(graded, connection, ASSIGNMENT)}
    assert (done["ada"].state, done["ada"].points, done["lee"].state) == ("kept", 19.5, "kept")
    assert canvas.writes() == []
    push(graded, connection, ASSIGNMENT, force=True)
    assert canvas.submissions[11].score == 17.0 and canvas.submissions[13].score is None
    canvas.submissions[11].score = 20.0  # after our push
    assert push(graded, connection, ASSIGNMENT)[0].state == "kept"


def test_canvas_own_late_policy_is_no_reason_to_send_again(
    graded: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    push(graded, connection, ASSIGNMENT)
    canvas.submissions[11].deducted = 5.0
    assert push(graded, connection, ASSIGNMENT)[0].state == "unchanged"


def test_an_answer_that_is_lost_after_the_change_sends_nothing_twice(
    graded: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    canvas.lose_next_put = True
    push(graded, connection, ASSIGNMENT)
    assert canvas.submissions[11].score == 17.0 and len(canvas.submissions[11].comments) == 1


def test_who_left_the_course_is_told(graded: Course, connection: Connection, canvas: FakeCanvas) -> None:
    del canvas.users[11]
    assert push(graded, connection, ASSIGNMENT)[0].state == "unknown"
    assert canvas.submissions[11].score is None


def test_other_points_in_canvas_stop_the_push(graded: Course, connection: Connection, canvas: FakeCanvas) -> None:
    canvas.points_possible = 100.0
    with pytest.raises(CanvasError, match="must have 20 points possible"):
        push(graded, connection, ASSIGNMENT)
    assert canvas.writes() == []


def test_points_that_canvas_turns_into_something_else_are_a_failure(
    graded: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    canvas.takes_points = False
    done = push(graded, connection, ASSIGNMENT)
    assert done[0].state == "failed" and "graded by points" in done[0].text


# ------------------------------------------------------------------------------------------------------------- its moods
@pytest.mark.parametrize("status", [403, 429, 502])
@pytest.mark.parametrize(
    "where", ["GET /api/v1/courses/77/assignments", "GET /api/v1/courses/77/search_users", "PUT", "POST"]
)
def test_what_passes_is_waited_for(
    graded: Course, connection: Connection, canvas: FakeCanvas, slept: list[float], status: int, where: str
) -> None:
    canvas.moods = [(status, where), (status, where)]
    done = push(graded, connection, ASSIGNMENT)
    assert [one.state for one in done] == ["pushed", "ungraded", "pushed"]
    assert canvas.moods == [] and slept.count(1.0) >= 1
    assert (canvas.submissions[11].score, len(canvas.submissions[11].comments)) == (17.0, 1)


def test_what_stays_is_told_after_some_tries(
    graded: Course, connection: Connection, canvas: FakeCanvas, slept: list[float]
) -> None:
    canvas.moods = [(500, "PUT")] * connecting.TRIES
    done = push(graded, connection, ASSIGNMENT)
    assert [one.state for one in done] == ["failed", "ungraded", "pushed"] and "status code 500" in done[0].text
    assert slept == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_a_low_quota_slows_down(graded: Course, connection: Connection, canvas: FakeCanvas, slept: list[float]) -> None:
    canvas.quota = "12.5"
    push(graded, connection, ASSIGNMENT)
    assert len(slept) == len(canvas.asked)


def test_a_ban_is_not_waited_for(place: Course, slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(connecting.TOKEN, "7~another")
    with pytest.raises(CanvasError, match="Put a token that is valid") as caught:
        pull(place, connect(place, slept.append), ASSIGNMENT)
    assert slept == [] and "7~another" not in str(caught.value)


def test_an_id_that_canvas_does_not_tell_or_tells_twice_stops(
    place: Course, connection: Connection, canvas: FakeCanvas
) -> None:
    canvas.users[12]["login_id"] = "ada"
    with pytest.raises(CanvasError, match="a login_id of their own"):
        pull(place, connection, ASSIGNMENT)
    for user in canvas.users.values():
        del user["login_id"]
    with pytest.raises(CanvasError, match="must tell the students' login_id"):
        pull(place, connection, ASSIGNMENT)


# ------------------------------------------------------------------------------------------------------------- the token
def test_the_token_is_nowhere(
    graded: Course,
    connection: Connection,
    canvas: FakeCanvas,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with caplog.at_level(logging.DEBUG):
        for status, where in ((400, "PUT"), (409, "PUT"), (500, "GET"), (404, "POST")):
            canvas.moods = [(status, where)] * connecting.TRIES
            try:
                texts = [one.text for one in push(graded, connection, ASSIGNMENT)]
            except CanvasError as error:
                assert error.__cause__ is None and error.__suppress_context__
                texts = [str(error)]
            assert TOKEN not in "".join(texts)
            canvas.moods = []
            for student in ("ada", "lee"):
                write_page(graded, student, f"<p>page {student} {status}</p>")
        push(graded, connection, ASSIGNMENT)
    assert TOKEN not in caplog.text and TOKEN not in "".join(capfd.readouterr())
    assert TOKEN not in os.environ.values() and TOKEN not in repr(connection) + repr(graded)
    child = [sys.executable, "-c", "import os; print(dict(os.environ))"]
    assert TOKEN not in subprocess.run(child, capture_output=True, text=True, check=True).stdout
    files = [path for path in graded.root.rglob("*") if path.is_file()]
    assert files and all(TOKEN.encode() not in path.read_bytes() for path in files)
    assert canvas.tokens_elsewhere == []


@pytest.mark.parametrize(
    ("change", "told"),
    [({"canvas": None}, "canvas=None"), ({}, "must hold an access token")],
    ids=["not configured", "no token"],
)
def test_what_is_missing_is_said(
    place: Course, monkeypatch: pytest.MonkeyPatch, change: dict[str, None], told: str
) -> None:
    monkeypatch.delenv(connecting.TOKEN, raising=False)
    other = place
    if change:
        other = replace(place, canvas=None, root=place.root)
    with pytest.raises(CourseError, match=told):
        connect(other)


@pytest.mark.parametrize(
    "url", ["http://canvas.example.edu", "https://canvas.example.edu/courses/1", "canvas", "https://u:p@x"]
)
def test_the_address_must_be_canvas_alone_and_safe(url: str) -> None:
    with pytest.raises(CourseError, match="https address"):
        CanvasCourse(url, 1)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"url": None}, r"CanvasCourse\.url must be .*Received: CanvasCourse\.url=None"),
        ({"course": "42"}, r"must be a whole number\. Received: '42' for course"),
        ({"assignments": 5}, r"CanvasCourse\.assignments must be a dictionary.*Received: CanvasCourse\.assignments=5"),
        ({"assignments": ["01-first"]}, r"CanvasCourse\.assignments must be a dictionary.*\['01-first'\]"),
        ({"assignments": {1: 2}}, r"Each name in CanvasCourse\.assignments must be a text"),
        ({"assignments": {"01-first": "2"}}, r"must be a whole number\. Received: '2' for 01-first"),
        ({"match": 3}, r"CanvasCourse\.match must be one of .*Received: match=3"),
    ],
    ids=["url", "course", "assignments", "list of assignments", "name", "number", "match"],
)
def test_a_value_of_another_kind_is_refused_by_its_field(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(CourseError, match=told):
        CanvasCourse(**{"url": "https://canvas.example.edu", "course": 1, **wrong})  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_commands(graded: Course, canvas: FakeCanvas, tmp_path: Path) -> None:
    """The command line, in processes of their own: exit status, one JSON document, the token from the environment."""
    (graded.root / "solutions").symlink_to(ROOT / "solutions")
    (graded.root / "course_config.py").write_text(
        "from pathlib import Path\n"
        "from autograder.gradebook.configuration import nbgrader_configuration\n"
        "from autograder.sources.course import Course\n"
        "from autograder.sources.handing_in import CanvasCourse\n"
        f"course = Course(id='transformer', root=Path({str(graded.root)!r}), secret='0123456789abcdef',\n"
        f"    database_url={graded.database_url!r}, canvas=CanvasCourse({canvas.url!r}, {COURSE}))\n"
        "c = nbgrader_configuration(course)\n",
        encoding="utf-8",
    )
    canvas.hand_in(11, {N: b"{}"})

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from autograder.commands.cli import main; main()", "canvas", *arguments]
        environment = {**os.environ, connecting.TOKEN: TOKEN, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, cwd=graded.root, env=environment, capture_output=True, text=True)

    done = run("push", ASSIGNMENT, "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 1 and [one["state"] for one in told["students"]] == ["pushed", "ungraded", "pushed"]
    pulled = run("pull", ASSIGNMENT, "--json")
    assert pulled.returncode == 0 and json.loads(pulled.stdout)["collected"]["complete"], pulled.stderr
    assert TOKEN not in done.stdout + done.stderr + pulled.stdout + pulled.stderr
