"""The class report: what it counts, and that nothing a student wrote is executed."""

from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from autograder.base.text import Text
from autograder.grading.runner import mistakes_of
from autograder.report.advice import earned_by_all, earned_by_none, recognised_mistakes, stuck
from autograder.report.class_report import class_report, report_html, report_record
from autograder.report.flags import flags_of
from autograder.report.items import analyse
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY, read_source
from autograder.submissions.belonging import wrong_assignment_sentence

ASSIGNMENT = "02-attention"
NOTEBOOK = "scaled_dot_product_attention"
FOLDER = Path(__file__).resolve().parent.parent / "solutions" / "02-attention"
SOURCE = read_source(FOLDER / "notebook.py")
RUBRIC = SOURCE.rubric
TASKS = list(dict.fromkeys(line.task for line in RUBRIC.values()))


def a_record(missed: tuple[str, ...] = (), mistake: str | None = None, **changes: Any) -> dict[str, Any]:
    """What a graded notebook keeps when just these lines are missed."""
    tasks: dict[str, Any] = {}
    for identity, line in RUBRIC.items():
        is_missed = identity in missed
        one = {
            "status": "missed" if is_missed else "passed",
            "mistake": mistake if is_missed else None,
            "followed": False,
            "unwritten": False,
        }
        task = tasks.setdefault(line.task, {"points": 0.0, "max_points": SOURCE.points[line.task], "lines": {}})
        task["lines"][identity] = one
        task["points"] += 0.0 if is_missed else line.points
    return {"language": "en", "fault": "", "notes": [], "seconds": 1.5, "tasks": tasks, "refused": False, **changes}


def points_of(record: dict[str, Any]) -> dict[str, float | None]:
    return {
        task: sum(RUBRIC[i].points for i, one in lines["lines"].items() if one["status"] == "passed")
        for task, lines in record["tasks"].items()
    }


class Room:
    """A course's folders with graded notebooks in them."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.points: dict[str, dict[str, float | None]] = {}

    def add(self, student: str, record: dict[str, Any] | None, points: dict[str, float | None] | None = None) -> None:
        submitted = self.course.root / "submitted" / student / ASSIGNMENT
        submitted.mkdir(parents=True)
        if record is None:
            return
        self.points[student] = points_of(record) if points is None else points
        path = self.course.root / "autograded" / student / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
        path.parent.mkdir(parents=True)
        kept = {name: record[name] for name in ("refused", "belongs_to") if name in record}
        kept["result"] = {name: value for name, value in record.items() if name not in kept}
        path.write_text(json.dumps({"metadata": {NOTEBOOK_KEY: kept}, "cells": []}))

    def report(self):
        return class_report(self.course, ASSIGNMENT, self.points)


@pytest.fixture
def room(course: Course, tmp_path: Path) -> Room:
    (tmp_path / "solutions").symlink_to(course.root / "solutions")
    return Room(Course(root=tmp_path, secret="0123456789abcdef"))


class Page(HTMLParser):
    """A parsed page: its tags, their attributes and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


FIRST = next(iter(RUBRIC))
LAST = list(RUBRIC)[-1]
MISTAKE = next(iter(mistakes_of(FOLDER)))


def test_each_submission_is_counted_once_by_what_became_of_it(room: Room) -> None:
    room.add("right", a_record())
    room.add("wrong", a_record((LAST,)))
    room.add("refused", a_record(tuple(RUBRIC), refused=True, notes=["The file isn't a notebook."]))
    record = a_record(fault="MachineError: no disk")
    room.add("failed", record, {**points_of(record), TASKS[0]: None})
    room.add("late", None)
    report = room.report()
    assert {e.student: (e.state, e.reason) for e in report.entries} == {
        "right": ("graded", ""),
        "wrong": ("graded", ""),
        "refused": ("refused", "The file isn't a notebook."),
        "failed": ("ungraded", "MachineError: no disk"),
        "late": ("waiting", ""),
    }
    assert {e.student: e.total for e in report.of("graded")} == {"right": 20, "wrong": 20 - RUBRIC[LAST].points}
    page = Page(report_html(report))
    for words in ("The file isn't a notebook.", "MachineError: no disk", "handed in, not graded yet"):
        assert words in page.text


def test_the_notebook_of_another_assignment_stands_apart(room: Room) -> None:
    sentence = wrong_assignment_sentence("01-other", ASSIGNMENT).en
    room.add("misplaced", a_record(tuple(RUBRIC), MISTAKE, notes=[sentence], belongs_to="01-other"))
    room.add("right", a_record(belongs_to=""))
    report = room.report()
    assert {e.student: (e.state, e.reason) for e in report.entries} == {
        "misplaced": ("misplaced", sentence),
        "right": ("graded", ""),
    }
    assert not report.stuck and not report.mistakes and {item.tried for item in report.items} == {1}
    page = Page(report_html(report))
    assert "notebook of another assignment" in page.text and sentence in page.text


def test_a_line_counts_who_earned_missed_and_never_wrote_it() -> None:
    stub = a_record((FIRST,))
    task = RUBRIC[FIRST].task
    stub["tasks"][task]["lines"][FIRST]["unwritten"] = True
    followed = a_record()
    followed["tasks"][task]["lines"][FIRST]["followed"] = True
    records = [a_record(), a_record((FIRST,), MISTAKE), a_record((FIRST,), MISTAKE), a_record((FIRST,)), stub, followed]
    item = analyse(RUBRIC, records)[0]
    assert (item.id, item.passed, item.missed, item.unwritten, item.followed) == (FIRST, 2, 3, 1, 1)
    assert item.pass_rate == pytest.approx(0.4)
    assert item.mistakes == {MISTAKE: 2}


def test_discrimination_is_the_correlation_with_the_points_of_the_other_lines() -> None:
    strong, weak = a_record(), a_record(tuple(RUBRIC))
    even = [strong, strong, weak, weak]
    lines = {item.id: item for item in analyse(RUBRIC, [*even, strong, weak])}
    assert lines[LAST].discrimination == pytest.approx(1)
    against = [a_record((LAST,)), a_record((LAST,)), a_record(tuple(i for i in RUBRIC if i != LAST))] * 2
    assert {i.id: i for i in analyse(RUBRIC, against)}[LAST].discrimination == pytest.approx(-1)
    assert {i.id: i for i in analyse(RUBRIC, even)}[LAST].discrimination is None  # too few
    assert {i.id: i for i in analyse(RUBRIC, [strong] * 9)}[LAST].discrimination is None  # all alike


def test_an_ungraded_submission_doesnt_count_in_the_correlation() -> None:
    failed = a_record(tuple(RUBRIC))
    failed["tasks"][RUBRIC[LAST].task]["lines"][LAST]["status"] = "ungraded"
    strong, weak = a_record(), a_record(tuple(RUBRIC))
    with_failed = analyse(RUBRIC, [strong, weak, strong, weak, failed])
    assert next(i for i in with_failed if i.id == LAST).discrimination is None


@pytest.mark.parametrize("students", [0, 1, 1000])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_class_of_any_size_makes_a_whole_page(room: Room, students: int, language: str) -> None:
    for number in range(students):
        room.add(f"s{number:04d}", a_record((LAST, FIRST)[: number % 3], MISTAKE))
    page = Page(report_html(room.report(), language))
    assert page.open == []
    assert page.text.count("s0000") == (1 if students else 0)
    assert dict(page.tags)["html"]["lang"] == language
    assert [attrs for tag, attrs in page.tags if tag == "th" and "scope" not in attrs] == []


def test_mistakes_are_counted_once_a_student_with_who_made_them_and_how_many_the_next_try_cured() -> None:
    task = RUBRIC[LAST].task
    before = next(i for i, line in RUBRIC.items() if line.task == task)
    wrong, right, other = a_record((before, LAST), MISTAKE), a_record(), a_record((LAST,))
    made = recognised_mistakes({"ada": [wrong, right], "bob": [wrong, wrong], "eve": [wrong, other], "kim": [wrong]})
    assert [(one.mistake, one.task) for one in made] == [(MISTAKE, task)]
    assert (made[0].students, made[0].followed_up, made[0].cured) == (["bob", "kim"], 3, 1)


def test_the_mistake_of_most_students_comes_first() -> None:
    second = list(mistakes_of(FOLDER))[1]
    made = recognised_mistakes({"a": [a_record((LAST,), MISTAKE)], **{s: [a_record((LAST,), second)] for s in "bc"}})
    assert [one.mistake for one in made] == [second, MISTAKE]


def test_who_is_stuck_wrote_something_that_earns_nothing_or_nothing_more() -> None:
    task = RUBRIC[LAST].task
    lines = tuple(i for i, line in RUBRIC.items() if line.task == task)
    none, some, full = a_record(lines), a_record((LAST,)), a_record()
    unwritten = a_record(lines)
    for line in unwritten["tasks"][task]["lines"].values():
        line["unwritten"] = True
    histories = {
        "nothing": [none],
        "no-more": [none, some, some, some],
        "less": [some, none],
        "better": [none, some],
        "done": [full, full],
        "some": [some],
        "stub": [unwritten],
        "gone": [],
    }
    found = {one.student: (one.tries, one.task) for one in stuck(histories)}
    assert found == {"no-more": (3, task), "less": (2, task), "nothing": (1, task)}
    assert [one.tries for one in stuck(histories)] == [3, 2, 1]


def test_lines_that_nobody_or_everybody_earned_need_enough_who_tried() -> None:
    few = analyse(RUBRIC, [a_record((LAST,))] * 4)
    assert earned_by_none(few) == [] and earned_by_all(few) == []
    items = analyse(RUBRIC, [a_record((LAST,))] * 5)
    assert [item.id for item in earned_by_none(items)] == [LAST]
    worth = [i for i, line in RUBRIC.items() if line.points and i != LAST]
    assert [item.id for item in earned_by_all(items)] == worth


def test_what_to_act_on_comes_before_everything_else(room: Room) -> None:
    for number in range(5):
        room.add(f"s{number}", a_record((LAST,), MISTAKE))
    lines = tuple(i for i, line in RUBRIC.items() if line.task == RUBRIC[FIRST].task)
    room.add("lost", a_record((*lines, LAST)))
    room.add("damaged", a_record(tuple(RUBRIC), refused=True, notes=["The file isn't a notebook."]))
    earlier = {"s1": [a_record((LAST, FIRST), MISTAKE)]}
    report = class_report(room.course, ASSIGNMENT, room.points, earlier=earlier)
    text = Page(report_html(report)).text
    hint = mistakes_of(FOLDER)[MISTAKE].hint.en.replace("`", "")
    title = RUBRIC[LAST].title.en
    parts = [
        "The file isn't a notebook.",
        hint,
        "0/1",
        "Lines that nobody earned",
        title,
        "Who is stuck",
        "lost",
        "Total",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert [(one.student, one.task) for one in report.stuck] == [
        ("s1", RUBRIC[LAST].task),
        ("lost", RUBRIC[FIRST].task),
    ]
    assert "0/1" not in Page(report_html(room.report())).text


NAMES = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "김철수", "O'Neil, Ann", "{{ 7*7 }}", "a&amp;b"]


def test_names_and_reasons_are_text_never_markup(room: Room) -> None:
    for name in NAMES:
        if "/" not in name:
            room.add(name, a_record(tuple(RUBRIC), refused=True, notes=[f"Received: {NAMES[0]}"]))
    html = report_html(room.report())
    page = Page(html)
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img"})
    for name in NAMES[1:]:
        assert name in page.text
    assert f"Received: {NAMES[0]}" in page.text


def test_code_in_reasons_and_titles_is_code(room: Room) -> None:
    room.add("one", a_record(tuple(RUBRIC), refused=True, notes=["Hand in `attention.ipynb`, not `<b>`."]))
    made = room.report()
    first = made.items[0]
    titled = dataclasses.replace(
        first, line=dataclasses.replace(first.line, title=Text("what `axis` does", "`axis`의 뜻"))
    )
    room.add("two", a_record())
    html = report_html(dataclasses.replace(room.report(), items=[titled, *made.items[1:]]))
    assert "Hand in <code>attention.ipynb</code>, not <code>&lt;b&gt;</code>." in html
    assert "what <code>axis</code> does" in html and "`" not in Page(html).text


def test_a_page_asks_for_nothing_from_outside(room: Room) -> None:
    room.add("one", a_record())
    html = report_html(room.report())
    assert not re.search(r"(?:src|href)\s*=\s*['\"](?!data:,)|@import|url\(", html)


def test_the_record_for_machines_has_the_same_numbers(room: Room) -> None:
    room.add("right", a_record())
    room.add("wrong", a_record((LAST,), MISTAKE))
    record = json.loads(json.dumps(report_record(room.report())))
    assert [s["total"] for s in record["submissions"]] == [20, 20 - RUBRIC[LAST].points]
    assert record["mistakes"] == [
        {
            "task": RUBRIC[LAST].task,
            "mistake": MISTAKE,
            "submissions": 1,
            "students": ["wrong"],
            "followed_up": 0,
            "cured": 0,
        }
    ]
    assert record["stuck"] == []
    assert {line["id"]: line["pass_rate"] for line in record["lines"]}[LAST] == 0.5


def test_a_notebook_of_another_making_counts_by_its_points(room: Room) -> None:
    room.add("right", a_record())
    path = room.course.root / "autograded" / "right" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    for text in ("{", "[]", '{"metadata": {}}'):
        path.write_text(text)
        (entry,) = room.report().entries
        assert (entry.state, entry.total, entry.record) == ("graded", 20, None)


@pytest.mark.parametrize(
    ("earned", "state"), [(dict.fromkeys(TASKS), "waiting"), ({**dict.fromkeys(TASKS), TASKS[0]: 2.0}, "ungraded")]
)
def test_what_a_killed_run_was_at_isnt_graded(room: Room, earned: dict[str, float | None], state: str) -> None:
    """The gradebook has its rows, the notebook no result."""
    room.add("right", a_record())
    room.add("half", None)
    room.points["half"] = earned
    report = room.report()
    assert [entry.student for entry in report.of("graded")] == ["right"]
    assert [entry.student for entry in report.of(state)] == ["half"]
    assert "20.0 of 20" in Page(report_html(report)).text


def test_what_lateness_costs_is_taken_off_and_shown(room: Room) -> None:
    room.add("late", a_record())
    room.add("punctual", a_record())
    report = class_report(room.course, ASSIGNMENT, room.points, {"late": 2.5, "punctual": 0.0})
    assert {entry.student: entry.total for entry in report.entries} == {"late": 17.5, "punctual": 20}
    assert [one["late_penalty"] for one in report_record(report)["submissions"]] == [2.5, 0.0]
    page = Page(report_html(report))
    assert page.open == [] and "−2.5" in page.text and "−" not in Page(report_html(room.report())).text


def test_a_bonus_is_called_one(room: Room) -> None:
    room.add("ada", a_record())
    plain = room.report()
    room.course = dataclasses.replace(room.course, bonus=(ASSIGNMENT,))
    bonus = room.report()
    assert (report_record(plain)["bonus"], report_record(bonus)["bonus"]) == (False, True)
    assert "(bonus)" in report_html(bonus) and "(bonus)" not in report_html(plain)


def cell(source: str, grade_id: str = "", **more: Any) -> dict[str, Any]:
    metadata = {"nbgrader": {"grade_id": grade_id, "solution": True}} if grade_id else {}
    return {"cell_type": "code", "id": grade_id or "own", "metadata": metadata, "source": source, **more}


LAYER_CELL = "task-multi-head-layer"


@pytest.mark.parametrize(
    ("cells", "named"),
    [
        ([cell("class A(keras.layers.MultiHeadAttention): pass", LAYER_CELL)], ["MultiHeadAttention"]),
        ([cell("f = getattr(K, '_compute_attention')", LAYER_CELL)], ["_compute_attention"]),
        ([cell("from keras.layers import MultiHeadAttention as M", "carry-over")], []),
        ([cell("from keras.layers import MultiHeadAttention as M")], ["MultiHeadAttention"]),
        (
            [cell("taken = keras.layers.MultiHeadAttention._compute_attention", "task-keras-parity")],
            ["_compute_attention"],
        ),
        ([cell("isinstance(layer, keras.layers.MultiHeadAttention)", "task-keras-parity")], []),
        ([cell("%time\nF.scaled_dot_product_attention(q, k, v)", LAYER_CELL)], ["scaled_dot_product_attention"]),
        ([cell("(" * 5000 + "x.dot_product_attention", LAYER_CELL)], ["dot_product_attention"]),
        (
            [cell(["import torch.nn.functional as f\n", "f.multi_head_attention_forward"])],
            ["multi_head_attention_forward"],
        ),
        ([cell("# no keras.layers.MultiHeadAttention\nscaled_dot_product_attention(q, k, v)", LAYER_CELL)], []),
        ([cell("class MultiHeadAttention:\n  def f(self): return self._compute_attention()", LAYER_CELL)], []),
        ([cell("keras.layers.MultiHeadAttention", cell_type="markdown"), {"metadata": []}, None, 3], []),
    ],
)
def test_what_a_task_from_scratch_has_no_need_of_is_flagged(cells: list[Any], named: list[str]) -> None:
    flags = flags_of(read_source(FOLDER.with_name("03-multi-head-attention") / "notebook.py"), cells)
    assert [(flag.task, flag.name) for flag in flags if flag.name in named] == [("multi-head-layer", n) for n in named]
    assert {flag.name for flag in flags} - {"MultiHeadAttention"} <= set(named) and len(flags) >= len(named)
    assert flags_of(SOURCE, cells) == ()


def test_what_the_release_names_is_not_the_students(course: Course) -> None:
    source = course.source("03-multi-head-attention")
    released = {cell.id: cell.texts["en"] for cell in source.cells}
    cells = [{"cell_type": "code", "id": i, "metadata": {}, "source": text} for i, text in released.items()]
    assert any("keras.layers.MultiHeadAttention" in text for text in released.values())
    assert flags_of(source, cells, released) == ()


def test_flags_are_in_the_report_and_cost_nothing(course: Course, tmp_path: Path) -> None:
    (tmp_path / "solutions").symlink_to(course.root / "solutions")
    own = Course(root=tmp_path, secret="0123456789abcdef")
    name = "03-multi-head-attention"
    for student, source in (("ada", "taken = keras.layers.MultiHeadAttention._compute_attention"), ("kim", "1")):
        path = tmp_path / "autograded" / student / name / "multi_head_attention.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"metadata": {}, "cells": [cell(source)]}))
        (tmp_path / "submitted" / student / name).mkdir(parents=True)
    report = class_report(own, name, {"ada": {"multi-head-layer": 5.0}, "kim": {"multi-head-layer": 5.0}})
    by_student = {entry["student"]: entry for entry in report_record(report)["submissions"]}
    assert [flag["name"] for flag in by_student["ada"]["flags"]] == ["_compute_attention", "MultiHeadAttention"]
    assert by_student["kim"]["flags"] == [] and by_student["ada"]["total"] == 5.0
    for language in ("en", "ko"):
        page = report_html(report, language)
        assert page.count("<code>_compute_attention</code>") == 1
    assert "Worth a look" in report_html(report)
