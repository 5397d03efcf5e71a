"""Late days and extensions: what is due when, what a late day costs, and that the gradebook and the exports say so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.api import Gradebook

from autograder.base.errors import CourseError
from autograder.commands import late_days as command
from autograder.gradebook.exports import CanvasExport, JsonExport, read_book
from autograder.gradebook.late_days import (
    HandedIn,
    charged_lateness,
    class_lateness,
    last_due_date,
    late_sentences,
    lateness,
    penalty,
    read_extensions,
    update_penalties,
)
from autograder.sources.course import Course
from autograder.sources.handing_in import LateDays

DUE = datetime(2026, 11, 3, 15, 0, tzinfo=UTC)
FIRST, SECOND = "01-positional-encoding", "02-attention"
RULE = LateDays(budget=3, share_per_day=0.1, grace_minutes=10, time_zone="Asia/Seoul")


def handed(assignment: str, hours_late: float, due: datetime = DUE) -> HandedIn:
    return HandedIn(assignment, due, due + timedelta(hours=hours_late))


# ------------------------------------------------------------------------------------------------------------- the rule
@pytest.mark.parametrize(
    ("hours", "days"), [(-1, 0), (0, 0), (0.16, 0), (0.2, 1), (23.9, 1), (24, 1), (24.1, 2), (72, 3), (96, 4)]
)
def test_a_day_begun_is_a_day_late_after_some_grace(hours: float, days: int) -> None:
    late = charged_lateness([handed(FIRST, hours)], RULE)[FIRST]
    assert (late.days, late.from_budget, late.left) == (days, min(days, 3), 3 - min(days, 3))
    assert late.charged == max(0, days - 3)


def test_days_are_spent_in_the_order_of_handing_in() -> None:
    works = [handed(FIRST, 24 * 30), handed(SECOND, 30, DUE + timedelta(days=7))]
    found = charged_lateness(works, RULE)
    assert (found[SECOND].from_budget, found[SECOND].charged) == (2, 0)
    assert (found[FIRST].from_budget, found[FIRST].charged) == (1, 29)
    assert charged_lateness(works[::-1], RULE) == found


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(-48, 400)), max_size=8), st.integers(0, 10))
def test_the_budget_is_never_overdrawn_and_later_work_never_makes_earlier_dearer(
    works: list[tuple[int, int]], budget: int
) -> None:
    rule = LateDays(budget=budget)
    all_works = [handed(f"{n:02}", hours, DUE + timedelta(days=days)) for n, (days, hours) in enumerate(works)]
    in_order = sorted(all_works, key=lambda work: (work.at, work.assignment))
    found = charged_lateness(all_works, rule)
    assert sum(late.from_budget for late in found.values()) <= budget
    for number in range(len(in_order)):
        before = charged_lateness(in_order[:number], rule)
        assert all(found[name] == late for name, late in before.items())


@pytest.mark.parametrize(("charged", "lost"), [(0, 0.0), (1, 1.7), (3, 5.1), (10, 17.0), (30, 17.0)])
def test_what_a_charged_day_takes(charged: int, lost: float) -> None:
    late = charged_lateness([handed(FIRST, 24 * (charged + RULE.budget))], RULE)[FIRST]
    assert penalty(late, 17.0, RULE) == lost


@pytest.mark.parametrize(
    "wrong",
    [
        {"budget": -1},
        {"budget": 1.5},
        {"budget": "5"},
        {"share_per_day": 1.1},
        {"share_per_day": "0.1"},
        {"share_per_day": None},
        {"grace_minutes": -1},
        {"grace_minutes": "15"},
        {"time_zone": "Mars/Olympus"},
        {"time_zone": 9},
        {"time_zone": None},
    ],
    ids=str,
)
def test_a_rule_that_means_nothing_is_refused(wrong: dict[str, object]) -> None:
    [(name, value)] = wrong.items()
    with pytest.raises(CourseError, match=rf"LateDays\.{name} must be .*Received: .*{value!r}\."):
        LateDays(**wrong)  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------------------- the CSV
@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "gradebook.db"
    Gradebook(f"sqlite:///{path}", "transformer").close()
    return path


@pytest.fixture
def place(course: Course, tmp_path: Path, empty: Path) -> Course:
    """ada: 17 points twice, first 2 days and then 3 days late; kim: in time. Due on day 0 and day 7."""
    shutil.copy(empty, tmp_path / "gradebook.db")
    made = replace(
        course,
        root=tmp_path,
        bonus=(),
        limits_by_assignment={},
        database_url=f"sqlite:///{tmp_path / 'gradebook.db'}",
        late_days=RULE,
    )
    object.__setattr__(made, "source_paths", course.source_paths)
    with Gradebook(made.database_url, made.id) as book:
        for number, name in enumerate((FIRST, SECOND)):
            due = (DUE + timedelta(days=7 * number)).replace(tzinfo=None)
            book.add_assignment(name, duedate=due)
            book.add_notebook("notebook", name)
            book.add_grade_cell("grade-all", "notebook", name, max_score=20.0, cell_type="code")
            for student, days in (("ada", 2 + number), ("kim", -1)):
                book.update_or_create_student(student)
                book.update_or_create_submission(
                    name, student, timestamp=due + timedelta(days=days) - timedelta(hours=1)
                )
                book.find_submission_notebook("notebook", name, student).grades[0].auto_score = 17.0
        book.db.commit()
    return made


@pytest.fixture
def extend(place: Course) -> Callable[[str], None]:
    def write(rows: str) -> None:
        (place.root / place.extensions).write_text(f"student,assignment,until\n{rows}", encoding="utf-8-sig")

    return write


def penalties(course: Course) -> dict[tuple[str, str], float]:
    with Gradebook(course.database_url, course.id) as book:
        return {(s.student_id, s.assignment.name): s.late_submission_penalty for s in book.db.query(_submitted()).all()}


def _submitted() -> object:
    from nbgrader.api import SubmittedAssignment

    return SubmittedAssignment


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("2026-11-10 23:59", datetime(2026, 11, 10, 14, 59, tzinfo=UTC)),
        ("2026-11-10", datetime(2026, 11, 10, 14, 59, 59, tzinfo=UTC)),
        ("2026-11-10T12:00:00Z", datetime(2026, 11, 10, 12, tzinfo=UTC)),
        ("2026-11-10 12:00+02:00", datetime(2026, 11, 10, 10, tzinfo=UTC)),
        ("2026-11-10 12:00:00 UTC", datetime(2026, 11, 10, 12, tzinfo=UTC)),
        ("2026-11-10 00:00", datetime(2026, 11, 9, 15, tzinfo=UTC)),
        ("2026-11-10 9:00", datetime(2026, 11, 10, 0, tzinfo=UTC)),
        ("2026-11-10T9:00:30-5:00", datetime(2026, 11, 10, 14, 0, 30, tzinfo=UTC)),
        ("2026-11-01", DUE),  # earlier than the due date gives nothing
    ],
)
def test_until_when(place: Course, extend: Callable[[str], None], text: str, due: datetime) -> None:
    extend(f"ada,{FIRST},{text}\n")
    assert read_extensions(place).due("ada", FIRST, DUE) == due
    assert read_extensions(place).due("kim", FIRST, DUE) == DUE


def test_everybody_may_get_more_time_and_one_still_more(place: Course, extend: Callable[[str], None]) -> None:
    extend(f"*,{FIRST},2026-11-05\nada,{FIRST},2026-11-04\nkim,{FIRST},2026-11-09\n")
    found = read_extensions(place)
    days = {who: found.due(who, FIRST, DUE).day for who in ("ada", "kim", "lee")}
    assert days == {"ada": 5, "kim": 9, "lee": 5}
    last = last_due_date(place, FIRST)
    assert last is not None and last.day == 9 and last_due_date(place, SECOND) == DUE + timedelta(days=7)


@pytest.mark.parametrize(
    "rows",
    [
        f"ada,{FIRST},soon\n",
        f"ada,{FIRST},\n",
        f"ada,{FIRST},10\n",
        f"ada,{FIRST},06.11.2026\n",
        f"ada,{FIRST},6/11/2026\n",
        f"ada,{FIRST},20261106\n",
        f"ada,{FIRST},2026-13-06\n",
        f"ada,{FIRST},2026-11-06 noon\n",
        f"ada,{FIRST},0001-01-01 00:00\n",
        "ada,77-nothing,2026-11-10\n",
        f",{FIRST},2026-11-10\n",
    ],
)
def test_a_row_that_cannot_be_read_is_refused(place: Course, extend: Callable[[str], None], rows: str) -> None:
    extend(rows)
    with pytest.raises(CourseError, match="Correct the row"):
        read_extensions(place)


def test_a_date_that_may_be_read_in_two_ways_is_refused_with_its_line(
    place: Course, extend: Callable[[str], None]
) -> None:
    extend(f"kim,{FIRST},2026-11-06\n\nada,{FIRST},06.11.2026\n")
    with pytest.raises(CourseError, match=r"such as 2026-11-06,.* Received: '06\.11\.2026' in line 4 of .*Correct"):
        read_extensions(place)


def test_an_unknown_student_is_told(
    place: Course,
    extend: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (place.root / "submitted" / "lee").mkdir(parents=True)
    extend("".join(f"{student},{FIRST},2026-11-06\n" for student in ("ada", "lee", "*", "adda")))
    monkeypatch.setattr(command, "load_course", lambda: place)
    command.late_days(quiet=True)
    (line,) = capsys.readouterr().err.splitlines()
    assert "adda: extensions.csv gives more time to this student, who is neither in the gradebook" in line


def test_a_csv_of_something_else_is_refused(place: Course) -> None:
    (place.root / place.extensions).write_text("name,points\nada,3\n")
    with pytest.raises(CourseError, match="must have the columns"):
        read_extensions(place)


@pytest.mark.parametrize("content", [b"", b"student\xff\n", b'"' + b"x" * 200_000], ids=["empty", "no UTF-8", "no CSV"])
def test_a_list_of_extensions_that_cant_be_read_is_called_by_its_name(place: Course, content: bytes) -> None:
    (place.root / place.extensions).write_bytes(content)
    with pytest.raises(CourseError, match="^The list of extensions must"):
        read_extensions(place)


# -------------------------------------------------------------------------------------------------------- the gradebook
def test_penalties_and_exports_follow_the_rule_and_the_csv(place: Course, extend: Callable[[str], None]) -> None:
    update_penalties(place)
    assert penalties(place) == {("ada", FIRST): 0.0, ("ada", SECOND): 3.4, ("kim", FIRST): 0.0, ("kim", SECOND): 0.0}
    with Gradebook(place.database_url, place.id) as book:
        told = json.loads(JsonExport().text(read_book(book)))
        assert told["students"][0]["assignments"][SECOND]["total"] == 13.6
        assert "13.6" in CanvasExport().text(read_book(book))
    extend(f"ada,{FIRST},2026-11-05 23:59\n")
    changed = update_penalties(place)
    assert [(one.student, one.assignment, one.before, one.after) for one in changed] == [("ada", SECOND, 3.4, 0.0)]
    assert update_penalties(place) == []


def test_nbgrader_itself_knows_the_extension(place: Course, extend: Callable[[str], None]) -> None:
    extend(f"ada,{FIRST},2026-11-05 23:59\n")
    update_penalties(place)
    with Gradebook(place.database_url, place.id) as book:
        assert book.find_submission(FIRST, "ada").total_seconds_late == 0
        assert book.find_submission(SECOND, "ada").total_seconds_late > 0
    extend("")
    update_penalties(place)
    with Gradebook(place.database_url, place.id) as book:
        assert book.find_submission(FIRST, "ada").total_seconds_late > 0


def test_without_a_rule_penalties_are_nbgraders_affair(place: Course) -> None:
    update_penalties(place)
    before = penalties(place)
    other = replace(place, late_days=None, root=place.root)
    object.__setattr__(other, "source_paths", place.source_paths)
    assert update_penalties(other) == [] and penalties(place) == before
    assert late_sentences(other, SECOND, "ada") == []


def test_what_a_student_reads_of_it(place: Course) -> None:
    first, second = (late_sentences(place, name, "ada") for name in (FIRST, SECOND))
    assert [text.en for text in first] == [
        "Handed in 2 days late; it was due on 2026-11-04 00:00 (Asia/Seoul).",
        "Late days used for it: 2; left: 1 of 3.",
    ]
    assert [text.en for text in second][1:] == [
        "Late days used for it: 1; left: 0 of 3.",
        "20% of the points were taken off for 2 days beyond your late days.",
    ]
    assert all(text.ko for text in first + second)
    assert [text.en for text in late_sentences(place, FIRST, "kim")] == [
        "Handed in in time; it was due on 2026-11-04 00:00 (Asia/Seoul)."
    ]
    assert late_sentences(place, FIRST, "nobody") == []


def test_who_was_late_in_the_whole_class(place: Course) -> None:
    found = class_lateness(place)
    assert {student: [late.days for late in works.values()] for student, works in found.items()} == {
        "ada": [2, 3],
        "kim": [0, 0],
    }
    assert lateness(place, "ada") == found["ada"]


@pytest.mark.parametrize(("rule", "charged"), [(RULE, [0, 2]), (None, [0, 0])])
def test_the_command_charges_by_a_rule_alone(
    place: Course,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rule: LateDays | None,
    charged: list[int],
) -> None:
    object.__setattr__(place, "late_days", rule)
    monkeypatch.setattr(command, "load_course", lambda: place)
    command.late_days(as_json=True, quiet=True)
    told = json.loads(capsys.readouterr().out)
    assert [one["charged"] for one in told["late"]] == charged and told["has_rule"] == bool(rule)
    command.late_days()
    assert ("There is no rule in course_config.py" in capsys.readouterr().out) == (rule is None)
