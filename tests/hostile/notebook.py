"""Notebook surgery: cells and metadata deleted, edited, moved, doubled."""

import copy
from collections.abc import Callable
from typing import Any

import nbformat
from nbformat import NotebookNode

from hostile import NOTHING, RIGHT, WRONG, Group, cell_of

SURGERY = Group("notebook")
add = SURGERY.add
TEST, ANSWER = "grade-softmax", "task-softmax"


def remove_test(notebook: NotebookNode) -> None:
    notebook.cells.remove(cell_of(notebook, TEST))


def remove_all_tests(notebook: NotebookNode) -> None:
    notebook.cells = [c for c in notebook.cells if not c.metadata.get("nbgrader", {}).get("grade")]


def remove_answer(notebook: NotebookNode) -> None:
    notebook.cells.remove(cell_of(notebook, ANSWER))


def of(grade: str, /, **metadata: Any) -> Callable[[NotebookNode], None]:
    """Return a change of a cell's nbgrader metadata."""

    def change(notebook: NotebookNode) -> None:
        cell_of(notebook, grade).metadata.nbgrader.update(metadata)

    return change


def cell(grade_id: str = ANSWER, **attributes: Any) -> Callable[[NotebookNode], None]:
    """Return a change of a cell's own fields."""

    def change(notebook: NotebookNode) -> None:
        cell_of(notebook, grade_id).update(attributes)

    return change


def first(source: str) -> Callable[[NotebookNode], None]:
    """Return a change that puts a cell of the student's own before all others."""

    def change(notebook: NotebookNode) -> None:
        notebook.cells.insert(0, own_cell(source))

    return change


def own_cell(source: str) -> NotebookNode:
    """Return a code cell of the student's own."""
    return nbformat.v4.new_code_cell(source)


def double_test(notebook: NotebookNode) -> None:
    copied = copy.deepcopy(cell_of(notebook, TEST))
    copied.pop("id", None)
    copied.source = "3.0"
    notebook.cells.append(copied)


def paste(grade_id: str) -> Callable[[NotebookNode], None]:
    """Return a change that copies a cell as Jupyter's copy and paste does."""

    def change(notebook: NotebookNode) -> None:
        index = notebook.cells.index(cell_of(notebook, grade_id))
        copied = copy.deepcopy(notebook.cells[index])
        copied.id = "copied-cell"
        notebook.cells.insert(index + 1, copied)

    return change


def raise_points(notebook: NotebookNode) -> None:
    for each in notebook.cells:
        if "points" in each.metadata.get("nbgrader", {}):
            each.metadata.nbgrader.points = 1000


def test_as_markdown(notebook: NotebookNode) -> None:
    changed = cell_of(notebook, TEST)
    changed.cell_type = "markdown"
    changed.pop("outputs", None)
    changed.pop("execution_count", None)


def strip(notebook: NotebookNode) -> None:
    for each in notebook.cells:
        each.metadata.pop("nbgrader", None)


def incomplete(notebook: NotebookNode) -> None:
    cell_of(notebook, TEST).metadata.nbgrader = {"grade_id": TEST, "grade": True}


def other_kernel(notebook: NotebookNode) -> None:
    notebook.metadata.kernelspec = {"name": "no-such-kernel", "display_name": "x", "language": "python"}


def without_ids(notebook: NotebookNode) -> None:
    for each in notebook.cells:
        each.pop("id", None)


def same_ids(notebook: NotebookNode) -> None:
    for each in notebook.cells:
        each.id = "same"


def stripped_with_same_ids(notebook: NotebookNode) -> None:
    for each in notebook.cells:
        each.metadata = {}
        each.id = "same"


def unlock(notebook: NotebookNode) -> None:
    test = cell_of(notebook, TEST)
    test.metadata.nbgrader.locked = False
    test.metadata.nbgrader.solution = True
    test.source = "pass"


def empty(notebook: NotebookNode) -> None:
    notebook.cells = []


def add_number(notebook: NotebookNode) -> None:
    notebook.cells.append(own_cell("100.0"))


def without_metadata(notebook: NotebookNode) -> None:
    notebook.metadata = {}


def reverse(notebook: NotebookNode) -> None:
    notebook.cells = notebook.cells[::-1]


def many_cells(notebook: NotebookNode) -> None:
    notebook.cells += [own_cell("pass") for _ in range(300)]


def answer_in_own_cell(notebook: NotebookNode) -> None:
    answer = cell_of(notebook, ANSWER)
    notebook.cells.insert(notebook.cells.index(answer) + 1, own_cell(answer.source))
    answer.source = ""


def tags(notebook: NotebookNode) -> None:
    for each in notebook.cells:
        each.metadata["tags"] = ["skip-execution", "raises-exception"]


def swap_ids(notebook: NotebookNode) -> None:
    one, two = cell_of(notebook, "grade-softmax"), cell_of(notebook, "grade-attention-scores")
    one.metadata.nbgrader.grade_id, two.metadata.nbgrader.grade_id = "grade-attention-scores", "grade-softmax"
    one.id, two.id = "grade-attention-scores", "grade-softmax"


def graded_own_cell(notebook: NotebookNode) -> None:
    made = own_cell("100.0")
    made.metadata["nbgrader"] = {
        "grade_id": "bonus",
        "grade": True,
        "solution": True,
        "locked": False,
        "points": 50,
        "schema_version": 3,
        "task": False,
        "cell_type": "code",
    }
    notebook.cells.append(made)


def answers_swapped(notebook: NotebookNode) -> None:
    one, two = cell_of(notebook, "task-softmax"), cell_of(notebook, "task-additive")
    one.source, two.source = two.source, one.source


def everything_in_one_cell(notebook: NotebookNode) -> None:
    answers = [c for c in notebook.cells if c.id.startswith("task-")]
    answers[0].source = "\n\n".join(c.source for c in answers)
    for each in answers[1:]:
        each.source = ""


add("F01-del-test", "a test cell deleted", change=remove_test)
add("F02-del-all-tests", "every test cell deleted", change=remove_all_tests)
add("F03-rename", "the grade id of a test cell changed", change=of(TEST, grade_id="mine"))
add("F04-duplicate", "a test cell doubled, with a number in it", change=double_test)
add("F04b-copy-paste", "a test cell copied by accident", change=paste(TEST))
add("F04c-copy-solution", "an answer copied by accident", change=paste(ANSWER), says="several copies")
add("F05-points", "every cell's points set to 1000", change=raise_points)
add("F06-celltype", "a test cell turned into text", change=test_as_markdown)
add("F07-edit-test", "a test cell's code replaced", change=cell(TEST, source="assert True"))
add("F08-meta-stripped", "all of nbgrader's metadata gone", change=strip)
add("F09-meta-bad", "incomplete metadata", change=incomplete)
add("F11-schema-new", "metadata of a later nbgrader", change=of(TEST, schema_version=99))
add("F13-kernel", "a kernel that doesn't exist", change=other_kernel)
add("F14-no-ids", "no cell ids", change=without_ids)
add("F15-dup-ids", "the same id for all cells", change=same_ids)
add("F17-unlock", "a test cell marked as an answer", change=unlock)
add("F19-empty", "no cells at all", change=empty, points=NOTHING)
add("F20-extra", "an extra cell that returns 100.0", change=add_number)
add("F21-no-notebook-metadata", "no notebook metadata", change=without_metadata)

add("MI02-dupids-stripped", "no metadata, and the same id for all cells", RIGHT, earns=3, change=stripped_with_same_ids)
add("MI05-as-markdown", "an answer turned into text", RIGHT, earns=3, change=cell(cell_type="markdown"))
add("MI06-source-number", "an answer that is a number in the file", RIGHT, change=cell(source=5))
add("MI07-source-list", "an answer as a list with holes", RIGHT, earns=3, change=cell(source=[RIGHT, 5, None]))
add("MI08-nul", "a NUL in an answer", "x = '\0'\n" + RIGHT)
add("MI09-long-line", "a line of 5 MB", "s = '" + "a" * 5_000_000 + "'\n" + RIGHT, earns=3)
add("MI10-many-cells", "300 cells of the student's own", RIGHT, earns=3, change=many_cells)
add("MI11-answer-in-own-cell", "an answer in a cell of its own below", RIGHT, earns=3, change=answer_in_own_cell)
add("MI12-answer-deleted", "an answer cell deleted", RIGHT, change=remove_answer, says="is missing")
add("MI13-skip-tags", "all cells tagged not to be executed", RIGHT, earns=3, change=tags)
add(
    "MI14-setup-edited",
    "the locked cell of imports ends the kernel",
    RIGHT,
    earns=3,
    change=cell("setup", source="import os; os._exit(0)"),
)
add(
    "MI15-own-cell-exits",
    "a first cell of its own that ends the kernel",
    RIGHT,
    earns=3,
    change=first("import os; os._exit(0)"),
)
add("MI16-own-cell-quits", "a first cell of its own that quits", RIGHT, earns=3, change=first("quit()"))
add(
    "MI17-own-cell-breaks-setup",
    "a first cell of its own that makes Keras and Matplotlib unimportable",
    RIGHT,
    change=first("import sys\nsys.modules['matplotlib'] = None\nsys.modules['keras'] = None"),
    earns=3,
)
add("N140-reversed", "all cells in reverse order", RIGHT, earns=3, change=reverse)
add("N141-ids-swapped", "two test cells exchanged", change=swap_ids)
add("N142-graded-own-cell", "an extra graded cell worth 50", change=graded_own_cell)
add("N143-answers-swapped", "two answers in each other's cells", RIGHT, earns=3, change=answers_swapped)
add("N144-all-in-one-cell", "all answers in the first answer's cell", RIGHT, earns=3, change=everything_in_one_cell)
add(
    "N145-wrong-then-right-copy",
    "a wrong answer and a right copy of its cell below",
    WRONG,
    earns=3,
    change=lambda nb: (paste(ANSWER)(nb), nb.cells[[c.id for c in nb.cells].index("copied-cell")].update(source=RIGHT))[
        0
    ],
)

# What a worker reads of a student's cells, to find what uses what
add("N212-long-literal", "a list of 2 MB", RIGHT, earns=3, change=first("x = [" + "1," * 1_000_000 + "]"))
add(
    "N213-many-statements",
    "400 lines of IPython's own syntax before 20 000 statements, behind an error",
    RIGHT,
    earns=3,
    change=first("x = (\n" + "!a\n" * 400 + "a = 1\n" * 20_000),
)
add("N214-shell-lines", "600 lines for the shell", RIGHT, earns=3, change=first("!true\n" * 600))


def many_uses(notebook: NotebookNode) -> None:
    names = [f"x{n} = y{(n * 7) % 500}" for n in range(500)]
    notebook.cells += [own_cell("if 0:\n    " + "; ".join(names[n % 480 : n % 480 + 20])) for n in range(1100)]


add("N215-many-uses", "1100 cells that use each other's names", RIGHT, earns=3, change=many_uses)


def prose(*sources: str) -> Callable[[NotebookNode], None]:
    """Return a change that puts cells of prose at the end."""

    def change(notebook: NotebookNode) -> None:
        notebook.cells.extend(nbformat.v4.new_markdown_cell(source) for source in sources)

    return change


add(
    "N150-slow-prose",
    "prose that costs a parser the square of its length, and lists nested beyond its stack",
    change=prose(
        *("a" + blank * 1_000_000 + "b" for blank in (" ", " \t")),
        *(text * 30_000 for text in ("\\\\[", "[a](", "$a")),
        "\n  - \n><" * 1000,
    ),
    says="Cut here: the rest is too long",
)
add(
    "N151-live-prose",
    "prose with links, pictures that aren't there, addresses in formulas",
    change=prose(
        "![a](attachment:none)", "$\\href{javascript:alert(1)}{x}$ $\\text{<img src=x>}$", "http://elsewhere.example"
    ),
)
