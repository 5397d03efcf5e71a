"""Which cells are executed: answers always, pictures where there is something to see, and whatever those use."""

from __future__ import annotations

import dataclasses
import dis
from typing import Any

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from autograder.kernels.notebook_run import RunCell
from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.submissions.cell_names import MAX_ALL, MAX_CELL
from autograder.submissions.cells import can_be_offered, run_cells, shown_for, with_dependencies
from autograder.submissions.evaluation import grade

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
        (("x = 1", "y = 2", "import __main__\n__main__.x"), "c2", {"c0", "c1", "c2"}),
        (("x = 1", "y = 2", "from __main__ import x"), "c2", {"c0", "c1", "c2"}),
        (("x = 1", "y = 2", "import sys\nsys.modules['__main__'].x"), "c2", {"c0", "c1", "c2"}),
        (("x = 1", "def f(): pass\nif __name__ == '__main__':\n    f()"), "c1", {"c1"}),
    ],
)
def test_a_cell_brings_the_cells_whose_names_it_uses(sources: tuple[str, ...], chosen: str, found: set[str]) -> None:
    assert with_dependencies(cells(*sources), {chosen}) == found


@pytest.mark.parametrize(
    ("sources", "last"),
    [
        (("import numpy as np", "import numpy as np"), 0),
        (("import numpy as np", "import jax.numpy as np"), 1),
        (("import re", "re = 3", "import re"), 2),
        (("def f():\n    global re\n    import re", "import re"), 1),
        (("if True:\n    import re\nimport re", "import re"), 0),
        (("import re\nre = 3", "import re"), 1),
    ],
)
def test_a_locked_cell_that_repeats_the_import_of_another_isnt_needed_for_it(
    sources: tuple[str, ...], last: int
) -> None:
    locked = [dataclasses.replace(cell, is_students=False) for cell in cells(*sources)]
    answer = RunCell("answer", "re\nnp", True, True, 1.0)
    assert with_dependencies([*locked, answer], {"answer"}) == {"answer", f"c{last}"}
    students = dataclasses.replace(locked[0], is_students=True)  # which may have raised before it came to the import
    assert f"c{len(sources) - 1}" in with_dependencies([students, *locked[1:], answer], {"answer"})


def test_no_answer_of_the_solutions_needs_a_released_picture(course: Course) -> None:
    for assignment in course.source_paths:
        found = run_cells(with_answers(course.source(assignment), {}), course.limits_of(assignment))
        needed = {cell.id for cell in found if cell.is_needed}
        assert all(not identity.startswith(("code-", "grade-")) for identity in needed)
        assert {f"task-{slug}" for slug in course.source(assignment).points} <= needed


def test_no_answer_of_the_solutions_needs_what_only_checks_and_pictures_use(course: Course) -> None:
    """Of the cells that are given only the first runs in each kernel: reading the public checks alone takes a tenth of a grading."""
    for assignment in course.source_paths:
        source = course.source(assignment)
        found = run_cells(with_answers(source, {}), course.limits_of(assignment))
        locked = [cell.id for cell in found if not cell.is_students]
        assert [cell.id for cell in found if cell.is_needed and not cell.is_students] == locked[:1], assignment
        assert locked[1:] and set(locked) <= shown_for(found, source.points)


@pytest.mark.parametrize(
    ("answer", "is_needed"),
    [
        ("np.exp(1)", False),
        ("import keras\nkeras.ops.ones(2)", False),  # which the checks import too, but the settings before them
        ("import re\nre.compile('a')", True),
        ("show_table = 1", False),
        ("checking = 1", True),  # which of both is the last decides
        ("def f():\n    return checking", True),
        ("def f():\n    return globals()", True),
    ],
)
def test_a_given_cell_is_needed_where_an_answer_has_a_name_in_common_with_it(
    course: Course, answer: str, is_needed: bool
) -> None:
    submission = with_answers(course.source("02-attention"), {"attention-scores": answer})
    assert [cell.is_needed for cell in run_cells(submission, course.limits) if cell.id == "checks"] == [is_needed]


def test_a_picture_that_the_students_own_cell_builds_on_is_needed(course: Course) -> None:
    submission = with_answers(course.source(ASSIGNMENT), {})
    pictures = [cell for cell in submission.cells if cell.id.startswith("code-")]
    before = {cell.id for cell in run_cells(submission, course.limits) if cell.is_needed}
    pictures[-1].source += "\nprint(len(_words))"  # defined by an earlier picture
    after = {cell.id for cell in run_cells(submission, course.limits) if cell.is_needed}
    assert pictures[-1].id in after - before and len(after - before) >= 2


@pytest.mark.course
@pytest.mark.parametrize("shows", ["lost", "all", "none"])
def test_pictures_are_drawn_where_points_were_lost(course: Course, shows: str) -> None:
    submission = with_answers(course.source(ASSIGNMENT), {"dot-products": WRONG})
    verdict = grade(course.grading_of(submission.source.assignment, "someone", shows=shows), submission)
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
    assert (
        "setup" in verdict.outputs and "checks" not in verdict.outputs
    )  # it ran late, beside whatever the student's threads print


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
    lines = (
        grade(course.grading_of(submission.source.assignment, "someone", shows="none"), submission)
        .tasks["dot-products"]
        .lines
    )
    told = [line.text.en for line in lines if line.status == "missed" and line.text is not None]
    assert "its cell stopped with ModuleNotFoundError: No module named 'no_such_library'" in told[0]


# --- what is too long to read -----------------------------------------------------------------------------------------


def test_a_cell_too_long_to_read_counts_as_one_that_uses_and_defines_anything() -> None:
    long = "x = [" + "1," * MAX_CELL + "]"
    sources = cells("y = 1", long, "print(1)", "z = 2")
    assert with_dependencies(sources, {"c2"}) == {"c0", "c1", "c2", "c3"}
    assert with_dependencies(sources, set()) == set()


def test_many_cells_are_read_up_to_a_length() -> None:
    part = "x = 1  #" + "-" * (MAX_CELL - 8)
    count = MAX_ALL // MAX_CELL
    assert with_dependencies(cells("print(1)", *[part] * (count - 1)), {"c0"}) == {"c0"}
    assert len(with_dependencies(cells("print(1)", *[part] * (count + 1)), {"c0"})) == count + 2


@pytest.mark.parametrize("source", ["!a\n" * 400 + "a = 1\n" * 15_000, "a?\n" * 2000, "%a\n" * 2000])
def test_much_of_ipythons_own_syntax_is_not_read(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    monkeypatch.setattr(TransformerManager, "transform_cell", None)  # which takes minutes for it
    assert with_dependencies(cells("x = 1", source, "print(2)"), {"c2"}) == {"c0", "c1", "c2"}


@pytest.mark.parametrize("source", ["(" * 5000, "x = " + "-" * 9000 + "1", "\0", "lambda: (yield)"])
def test_what_a_parser_fails_at_uses_nothing(source: str) -> None:
    assert with_dependencies(cells("x = 1", source), {"c1"}) == {"c1"}


@pytest.mark.parametrize("source", [">>> y = x", "In [1]: y = x", "  y = x", "y = x\n%time y", "files = !ls {x}\nx"])
def test_what_ipython_alone_understands_is_read(source: str) -> None:
    assert with_dependencies(cells("x = 1", source), {"c1"}) == {"c0", "c1"}


def test_names_of_many_cells_are_looked_up_and_not_searched() -> None:
    many = [f"x{n} = y{n % 300}" for n in range(1000)] + [f"y{n} = x{n}" for n in range(1000)]
    found = with_dependencies(cells(*many), {"c0"})
    assert {"c0", "c1000"} <= found and len(found) <= 2000


FUNCTIONS_ALONE = [
    "01-positional-encoding",
    "02-attention",
    "03-multi-head-attention",
    "04-masks",
    "08-debugging-clinic",
]


@pytest.mark.slow
@pytest.mark.parametrize("assignment", FUNCTIONS_ALONE)
def test_an_offered_reference_runs_by_itself(course: Course, assignment: str) -> None:
    """One that is offered alone may use another, which is the student's own right code in the student's kernel."""
    source = course.source(assignment)
    submission = with_answers(source, {})
    offered = 0
    for slug in source.points:
        for replaced in source.predecessors(slug):
            if can_be_offered(source, {replaced}, {slug}):
                cells = run_cells(submission, course.limits, {replaced}, offered=True)
                reference = next(cell.reference for cell in cells if cell.reference is not None)
                names: dict[str, Any] = {"__name__": "given"}
                exec(reference.offered, names)  # the course's own code
                loads = (step for part in reference.names for step in dis.get_instructions(names[part]))
                used = {step.argval for step in loads if step.opname == "LOAD_GLOBAL"}
                defined = {name for cell in source.defined_names.values() for name in cell}
                assert used & defined <= names.keys()
                offered += 1
    assert offered


@pytest.mark.slow
def test_a_wrong_function_costs_no_points_where_another_uses_it_though_it_is_used_by_right_code(course: Course) -> None:
    """Follow-through replaces one function only; its reference uses two others, which are the solution's already."""
    transposed = """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = np.asarray(attention_scores(query, key))
    scores = scores if mask is None else scores - 1e9 * np.asarray(mask)
    weights = np.asarray(softmax(scores))
    return weights @ value * 2, weights
"""
    submission = with_answers(course.source("02-attention"), {"scaled-dot-product": transposed})
    tasks = grade(course.grading_of(submission.source.assignment, "someone", shows="none"), submission).tasks
    assert not tasks["scaled-dot-product"].is_full and tasks["projections"].is_full


def test_a_lost_task_has_only_its_own_pictures_drawn(course: Course) -> None:
    """A given cell that reads `globals()` or the like would have every cell run for every mistake."""
    for assignment in course.source_paths:
        source = course.source(assignment)
        cells = run_cells(with_answers(source, {}), course.limits)
        shown_alone = {cell.id for cell in cells if not cell.is_needed}
        for slug in set(source.points) - source.costly.keys():
            checks = {name for name in shown_for(cells, [slug]) & shown_alone if name.startswith("grade-")}
            assert checks == {f"grade-{slug}"}, f"{assignment}, {slug}"
