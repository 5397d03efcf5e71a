"""Exports: each file's columns, nobody's invented zero, and rosters that don't fit."""

from __future__ import annotations

import csv
import io
import json
import logging
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nbgrader.api import Gradebook, Student
from traitlets.config import Config

from autograder.base.errors import CourseError
from autograder.gradebook.exports import CanvasExport, CourseExport, JsonExport, MoodleExport, TaskExport, read_book
from autograder.gradebook.scores import scores

TASKS = {"softmax": 3.0, "scores": 2.0}
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,02-attention (9731),Quiz (1),Current Score
    Points Possible,,,,,5.00,3.00,(read only)
"Lovelace, Ada",11,s11,ada,Mon,,2,40
"김, 철수",12,s12,kim,Mon,,,
"Student, Test",99,,,,,,
"""
MOODLE = """\
First name,Last name,ID number,Institution,Email address,Quiz: one (Real),Last downloaded from this course
Ada,Lovelace,ada,,ada@example.org,2.00,1790000000
철수,김,kim,,kim@example.org,-,1790000000
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook's file: making one takes seconds, copying it none."""
    path = tmp_path_factory.mktemp("empty") / "gradebook.db"
    Gradebook(f"sqlite:///{path}", "transformer").close()
    return path


@pytest.fixture
def gradebook(empty: Path, tmp_path: Path) -> Iterator[Gradebook]:
    path = shutil.copy(empty, tmp_path / "gradebook.db")
    with Gradebook(f"sqlite:///{path}", "transformer") as book:
        for name in ("02-attention", "04-masks"):
            book.add_assignment(name)
            book.add_notebook("notebook", name)
            for task, points in TASKS.items():
                book.add_grade_cell(f"grade-{task}", "notebook", name, max_score=points, cell_type="code")
        book.add_student("ada", first_name="Ada", last_name="Lovelace", email="ada@example.org")
        book.add_student("kim", first_name="철수", last_name="김")
        yield book


def hand_in(book: Gradebook, student: str, points: dict[str, float | None], assignment: str = "02-attention") -> None:
    book.update_or_create_submission(assignment, student)
    notebook = book.find_submission_notebook("notebook", assignment, student)
    for grade in notebook.grades:
        grade.auto_score = points[grade.name.removeprefix("grade-")]
    book.db.commit()


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.fixture
def roster(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "roster.csv"
        path.write_text(text, encoding="utf-8-sig")
        return str(path)

    return write


def test_a_row_a_student_a_column_a_task(gradebook: Gradebook) -> None:
    hand_in(gradebook, "ada", {"softmax": 3.0, "scores": 1.5})
    header, ada, kim = rows_of(TaskExport().text(read_book(gradebook, assignments=["02-attention"])))
    assert header[4:] == ["02-attention: softmax (3)", "02-attention: scores (2)", "02-attention: total (5)"]
    assert ada == ["ada", "Lovelace", "Ada", "ada@example.org", "3", "1.5", "4.5"]
    assert kim == ["kim", "김", "철수", "", "", "", ""]


def test_an_ungraded_task_leaves_its_cell_and_the_total_empty(gradebook: Gradebook) -> None:
    hand_in(gradebook, "ada", {"softmax": 3.0, "scores": None})
    book = read_book(gradebook, ["ada"], ["02-attention"])
    assert rows_of(TaskExport().text(book))[1][4:] == ["3", "", ""]
    assert rows_of(CanvasExport().text(book))[-1][-1] == ""


def test_manual_points_and_lateness_count_as_in_nbgrader(gradebook: Gradebook) -> None:
    hand_in(gradebook, "ada", {"softmax": 1.0, "scores": 2.0})
    notebook = gradebook.find_submission_notebook("notebook", "02-attention", "ada")
    next(g for g in notebook.grades if g.name == "grade-softmax").manual_score = 2.5
    notebook.late_submission_penalty = 4.0
    gradebook.db.commit()
    expected = max(0.0, gradebook.find_submission("02-attention", "ada").score - 4.0)
    assert read_book(gradebook).grades["ada", "02-attention"].total == pytest.approx(expected) == 0.5


def test_the_report_counts_what_is_exported(gradebook: Gradebook, tmp_path: Path) -> None:
    hand_in(gradebook, "ada", {"softmax": 1.0, "scores": 2.0})
    notebook = gradebook.find_submission_notebook("notebook", "02-attention", "ada")
    next(g for g in notebook.grades if g.name == "grade-softmax").extra_credit = 1.5
    notebook.late_submission_penalty = 0.5
    gradebook.db.commit()
    exported = read_book(gradebook).grades["ada", "02-attention"]
    course: Any = SimpleNamespace(
        id="transformer",
        database_url=f"sqlite:///{tmp_path}/gradebook.db",
        source=lambda assignment: SimpleNamespace(points=TASKS),
    )
    (row,) = scores(course, "02-attention")
    assert (row.points, row.penalty, row.total) == (exported.tasks, exported.penalty, exported.total)
    assert row.total == 4.0


def test_json_holds_what_was_handed_in(gradebook: Gradebook) -> None:
    hand_in(gradebook, "kim", {"softmax": 3.0, "scores": 2.0})
    data = json.loads(JsonExport().text(read_book(gradebook)))
    assert data["max_points"]["04-masks"] == TASKS
    by_id = {student["id"]: student for student in data["students"]}
    assert by_id["ada"]["assignments"] == {}
    assert by_id["kim"]["first_name"] == "철수"
    assert by_id["kim"]["assignments"]["02-attention"]["total"] == 5.0


def test_canvas_gets_its_own_columns_rows_and_ids_back(gradebook: Gradebook, roster: Callable[[str], str]) -> None:
    hand_in(gradebook, "kim", {"softmax": 3.0, "scores": 1.0})
    export = CanvasExport(roster=roster(CANVAS))
    table = rows_of(export.text(read_book(gradebook, assignments=["02-attention"])))
    assert table == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "02-attention (9731)"],
        ["    Points Possible", "", "", "", "", "5"],
        ["Lovelace, Ada", "11", "s11", "ada", "Mon", ""],
        ["김, 철수", "12", "s12", "kim", "Mon", "4"],
    ]


def test_canvas_takes_a_bonus_for_extra_credit(gradebook: Gradebook) -> None:
    table = rows_of(CanvasExport(bonus=["02-attention"]).text(read_book(gradebook, assignments=["02-attention"])))
    assert table[1][0].strip() == "Points Possible" and table[1][-1] == "0"


def test_canvas_without_a_roster_goes_by_login(gradebook: Gradebook) -> None:
    table = rows_of(CanvasExport().text(read_book(gradebook, assignments=["02-attention"])))
    assert table[0][:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert [row[:4] for row in table[2:]] == [["Lovelace, Ada", "", "", "ada"], ["김, 철수", "", "", "kim"]]


def test_moodle_gets_people_and_a_column_per_assignment(gradebook: Gradebook, roster: Callable[[str], str]) -> None:
    hand_in(gradebook, "ada", {"softmax": 3.0, "scores": 2.0})
    for match, column in (("ID number", "ada"), ("Email address", "ada@example.org")):
        if match == "Email address":
            gradebook.add_student("ada@example.org")
            gradebook.remove_submission("02-attention", "ada")
            hand_in(gradebook, "ada@example.org", {"softmax": 3.0, "scores": 2.0})
        export = MoodleExport(roster=roster(MOODLE), match=match)
        table = rows_of(export.text(read_book(gradebook, assignments=["02-attention"])))
        assert table[0] == ["First name", "Last name", "ID number", "Email address", "02-attention"]
        assert [row for row in table if column in row] == [["Ada", "Lovelace", "ada", "ada@example.org", "5"]]


def test_a_column_of_another_name_is_configured(gradebook: Gradebook, roster: Callable[[str], str]) -> None:
    export = CanvasExport(roster=roster(CANVAS), columns={"02-attention": "Quiz (1)"})
    assert rows_of(export.text(read_book(gradebook, assignments=["02-attention"])))[0][-1] == "Quiz (1)"


BAD = {
    "no such column": ({"match": "Login"}, CANVAS, r"match must be a column.*'Login'.*'SIS Login ID'"),
    "twice": ({}, CANVAS + '"Else, Ada",13,s13,ada,Mon,,,\n', r"each student once.*ada"),
    "missing": (
        {},
        CANVAS.replace(",kim,", ",kimchi,"),
        r"must be in the roster's column 'SIS Login ID'.*without kim \(1 of 1\)",
    ),
    "empty": ({}, "", r"must have a header and rows"),
    "two columns": (
        {},
        CANVAS.replace("Quiz (1)", "02-attention (2)"),
        r"One column of the roster.*02-attention \(9731\).*02-attention \(2\)",
    ),
    "one column for two": (
        {"columns": {"04-masks": "02-attention (9731)"}},
        CANVAS,
        r"needs a column of its own.*02-attention \(9731\)",
    ),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_a_roster_that_doesnt_fit_is_explained(gradebook: Gradebook, roster: Callable[[str], str], case) -> None:
    traits, text, message = case
    hand_in(gradebook, "kim", {"softmax": 3.0, "scores": 1.0})
    with pytest.raises(CourseError, match=message):
        CanvasExport(roster=roster(text), **traits).text(read_book(gradebook))


def test_a_roster_that_cant_be_read_is_explained(gradebook: Gradebook, tmp_path: Path) -> None:
    latin = tmp_path / "latin.csv"
    latin.write_bytes("Student,\xe9\n".encode("latin-1"))
    for path, said in (
        (tmp_path / "none.csv", r"none\.csv, which isn't there"),
        (latin, r"CSV file in UTF-8.*latin\.csv"),
    ):
        with pytest.raises(CourseError, match=said):
            CanvasExport(roster=str(path)).text(read_book(gradebook))


def test_unknown_students_and_assignments_are_refused(gradebook: Gradebook) -> None:
    with pytest.raises(
        CourseError, match=r"Each student must be in the gradebook, which has ada, kim\. Received: nobody"
    ):
        read_book(gradebook, ["nobody"])
    with pytest.raises(
        CourseError,
        match=r"Each assignment must be in the gradebook, which has 02-attention, 04-masks\. Received: 99-x",
    ):
        read_book(gradebook, [], ["99-x"])


FULL_WIDTH = ["＝1+1", "＋1", "－1", "＠a", "﹦1", "\u200b=1", " =1", "\t＝1", "\n1"]
NAMES = ['=HYPERLINK("x")', "+1", "-1", "@a", *FULL_WIDTH, 'O\'Neil, "Ann"\nB', "<b>김</b>"]


@pytest.mark.parametrize(
    ("export", "column"), [(TaskExport, 1), (CanvasExport, 0), (MoodleExport, 1)], ids=["task", "canvas", "moodle"]
)
def test_names_stay_whole_and_are_no_formulas(gradebook: Gradebook, export: type[CourseExport], column: int) -> None:
    for number, name in enumerate(NAMES):
        gradebook.add_student(f"s{number:02}", last_name=name)
    table = rows_of(export().text(read_book(gradebook)))
    assert [row[column].removeprefix("'") for row in table][-len(NAMES) :] == NAMES
    assert not any(row[column].startswith(("=", "+", "-", "@")) for row in table)
    assert [row[column] for row in table if row[column].removeprefix("'") in FULL_WIDTH] == [
        f"'{n}" for n in FULL_WIDTH
    ]


def test_a_carriage_return_ends_no_row(gradebook: Gradebook) -> None:
    gradebook.add_student("mallory", last_name="Doe\r=1+1", first_name="\r=1+1")
    table = rows_of(TaskExport().text(read_book(gradebook, ["mallory"])))
    assert table[1][:3] == ["mallory", "Doe\n=1+1", "'\n=1+1"]


def test_ids_come_back_as_the_system_wrote_them(gradebook: Gradebook, roster: Callable[[str], str]) -> None:
    """It would find nobody else by them."""
    gradebook.add_student("@grace", last_name="=1+1", email="+grace@example.org")
    rows = (
        (
            CanvasExport,
            CANVAS + '"=1+1, Grace",-13,+s13,@grace,Mon,,,\n',
            ["'=1+1, Grace", "-13", "+s13", "@grace", "Mon"],
        ),
        (
            MoodleExport,
            MOODLE + "Grace,=1+1,@grace,,+grace@example.org,-,1\n",
            ["Grace", "'=1+1", "@grace", "+grace@example.org"],
        ),
    )
    for export, text, row in rows:
        table = rows_of(export(roster=roster(text)).text(read_book(gradebook)))
        assert table[-1][: len(row)] == row
    own = rows_of(MoodleExport().text(read_book(gradebook)))
    assert next(row for row in own if "@grace" in row)[:5] == ["", "'=1+1", "@grace", "@grace", "+grace@example.org"]


@pytest.mark.parametrize("students", [0, 1000])
def test_a_class_of_any_size(empty: Path, tmp_path: Path, students: int) -> None:
    with Gradebook(f"sqlite:///{shutil.copy(empty, tmp_path / 'big.db')}", "transformer") as book:
        book.db.add_all([Student(id=f"s{number}") for number in range(students)])
        book.db.commit()
        for export in (TaskExport(), CanvasExport(), MoodleExport()):
            rows = [row for row in rows_of(export.text(read_book(book)))[1:] if "Points Possible" not in row[0]]
            assert len(rows) == students


def test_the_file_appears_whole_or_not_at_all(gradebook: Gradebook, tmp_path: Path, caplog) -> None:
    target = tmp_path / "out.csv"
    target.write_text("before")
    export = CanvasExport(config=Config(CanvasExport={"roster": str(tmp_path / "none.csv"), "to": str(target)}))
    export.log = logging.getLogger("test")
    with pytest.raises(SystemExit) as stopped:
        export.export(gradebook)
    assert (stopped.value.code, target.read_text()) == (2, "before")
    assert "The roster must be there" in caplog.text
    export.roster = ""
    export.export(gradebook)
    assert rows_of(target.read_text())[0][0] == "Student"
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.csv"]
