"""Which cells are executed: answers always, pictures where there is something to see, and whatever those use."""

from __future__ import annotations

import pytest

from autograder.cells import run_cells, shown_for, with_what_they_use
from autograder.checking import with_answers
from autograder.course import Course
from autograder.evaluation import grade_submission
from autograder.kernels.run import RunCell

ASSIGNMENT = "01-positional-encoding"
WRONG = "def dot_products_at_offset(pe, offset):\n    return pe[: len(pe) - offset, 0]\n"


def cells(*sources: str) -> list[RunCell]:
    return [RunCell(f"c{i}", source, True, False, 1.0) for i, source in enumerate(sources)]


@pytest.mark.parametrize(
    ("sources", "chosen", "found"),
    [
        (("x = 1", "y = 2", "print(x)"), "c2", {"c0", "c2"}),
        (("x = 1", "x = 2", "print(x)", "x = 3"), "c2", {"c1", "c2"}),
        (("x = 1", "def f(x):\n    return x"), "c1", {"c1"}),
        (("x = 1", "def f():\n    return x"), "c1", {"c0", "c1"}),
        (("def f():\n    return x", "x = 1"), "c0", {"c0", "c1"}),
        (("x = 1", "class A:\n    y = x"), "c1", {"c0", "c1"}),
        (("x = 1", "x = 2\nprint(x)"), "c1", {"c1"}),
        (("x = 1", "x = x + 1"), "c1", {"c0", "c1"}),
        (("x = 1", "x += 1"), "c1", {"c0", "c1"}),
        (("x = 1", "def f():\n    global x\n    x += 1"), "c1", {"c0", "c1"}),
        (("x = 1", "def f():\n    x = 2\n    x += 1"), "c1", {"c1"}),
        (("x = 1", "class A:\n    x = 2\n    x += 1"), "c1", {"c1"}),
        (("x = 1", "for x in range(3):\n    print(x)"), "c1", {"c1"}),
        (("f = 1", "with open('a') as f:\n    print(f)"), "c1", {"c1"}),
        (("x = 1", "y = x", "print(y)"), "c2", {"c0", "c1", "c2"}),
        (("import numpy as np", "np.zeros(3)"), "c1", {"c0", "c1"}),
        (("def f():\n    global x\n    x = 1", "print(x)"), "c1", {"c0", "c1"}),
        (("x = 1", "y = 2", "exec('print(x)')"), "c2", {"c0", "c1", "c2"}),
        (("x = 1", "%timeit x"), "c1", {"c0", "c1"}),
        (("x = 1", "!echo x"), "c1", {"c0", "c1"}),
        (("x = 1", "print(x"), "c1", {"c1"}),
    ],
)
def test_a_cell_brings_the_cells_whose_names_it_uses(sources: tuple[str, ...], chosen: str, found: set[str]) -> None:
    assert with_what_they_use(cells(*sources), {chosen}) == found


def test_no_answer_of_the_solutions_needs_a_released_picture(course: Course) -> None:
    for assignment in course.source_paths:
        found = run_cells(with_answers(course.source(assignment), {}), course.limits_of(assignment))
        needed = {cell.id for cell in found if cell.is_needed}
        assert all(not identity.startswith(("code-", "grade-")) for identity in needed)
        assert {f"task-{slug}" for slug in course.source(assignment).points} <= needed


def test_a_picture_that_the_students_own_cell_builds_on_is_needed(course: Course) -> None:
    submission = with_answers(course.source(ASSIGNMENT), {})
    pictures = [cell for cell in submission.cells if cell.id.startswith("code-")]
    before = {cell.id for cell in run_cells(submission, course.limits) if cell.is_needed}
    pictures[-1].source += "\nprint(place.name)"  # defined by an earlier picture
    after = {cell.id for cell in run_cells(submission, course.limits) if cell.is_needed}
    assert pictures[-1].id in after - before and len(after - before) >= 2


@pytest.mark.course
@pytest.mark.parametrize("shows", ["lost", "all", "none"])
def test_pictures_are_drawn_where_points_were_lost(course: Course, shows: str) -> None:
    submission = with_answers(course.source(ASSIGNMENT), {"dot-products": WRONG})
    verdict = grade_submission(course, submission, "someone", shows=shows)
    drawn = {
        identity
        for identity, outputs in verdict.outputs.items()
        if any("image/png" in o.get("data", {}) for o in outputs)
    }
    every = run_cells(submission, course.limits)
    lost = shown_for(every, ["dot-products"])
    assert verdict.tasks["dot-products"].points == 0 and verdict.points == 18
    assert {"lost": drawn and drawn <= lost, "all": len(drawn) >= 6, "none": not drawn}[shows]
    assert ("grade-dot-products" in verdict.outputs) == (shows != "none")


def test_what_an_answer_has_no_part_in_is_not_shown() -> None:
    def cell(name: str, source: str) -> RunCell:
        return RunCell(name, source, True, name.startswith("task-"), 1.0, "a")

    every = [cell("task-a", "def f():\n    return 1"), cell("used", "x = f()"), cell("picture", "print(x)")]
    every += [cell("experiment", "print(2)"), cell("grade-a", "print('no check calls it')")]
    assert shown_for(every, ["a"]) == {"task-a", "used", "picture", "grade-a"}
    assert shown_for(every, ["b"]) == set()


@pytest.mark.course
def test_a_library_that_is_missing_is_named(course: Course) -> None:
    submission = with_answers(course.source(ASSIGNMENT), {"dot-products": f"import no_such_library\n\n{WRONG}"})
    lines = grade_submission(course, submission, "someone", shows="none").tasks["dot-products"].lines
    told = [line.text.en for line in lines if line.status == "missed" and line.text is not None]
    assert "its cell stopped with ModuleNotFoundError: No module named 'no_such_library'" in told[0]
