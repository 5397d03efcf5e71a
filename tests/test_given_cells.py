"""What the given cells of a release leave behind, what they give away, and what the public checks say of errors."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import symtable
import sys
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from running import run_cell

from autograder.sources.catalogue import read_alternatives, right_cells
from autograder.sources.notebooks import SOLUTION_REGION, NotebookSource, SourceCell, read_source

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "solutions").glob("[0-9]*/notebook.py"))
STUDENTS = ("task", "carry-over")
# Of an expression that would give an answer away; smaller ones, such as `x.shape[-1]`, are no one's secret.
MIN_NODES = 9
# Expressions of a task's solution that a cell before the task shows for a reason.
SHOWN_BEFORE: dict[str, set[str]] = {}
# Expressions of a right answer that an open cell of an earlier notebook shows for a reason: 01 needs a softmax before 02 teaches one.
PLAIN_SOFTMAX = {"weights / weights.sum(axis=-1, keepdims=True)", "weights.sum(axis=-1, keepdims=True)"}
SHOWN_EARLIER = {"additive": PLAIN_SOFTMAX, "masked-softmax": PLAIN_SOFTMAX}


@cache
def source_of(assignment: str) -> NotebookSource:
    return read_source(ROOT / "solutions" / assignment / "notebook.py")


def bound_names(code: str) -> set[str]:
    """Return the names that a cell's code binds in the notebook's namespace."""
    top = symtable.symtable(code, "cell", "exec")
    found: set[str] = set()
    queue = [top]
    while queue:
        table = queue.pop()
        for symbol in table.get_symbols():
            if (table is top or symbol.is_declared_global()) and (symbol.is_assigned() or symbol.is_imported()):
                found.add(symbol.get_name())
        queue += table.get_children()
    return found


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_given_cell_leaves_only_underscored_names_behind(assignment: str) -> None:
    given = [cell for cell in source_of(assignment).cells if cell.role in ("free", "grade")]
    left = {cell.id: {name for name in bound_names(cell.texts["en"]) if not name.startswith("_")} for cell in given}
    assert {identity: names for identity, names in left.items() if names - {"patch", "RERUN"}} == {}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("x = 1\n", {"x"}),
        ("def f():\n    y = 1\n", {"f"}),
        ("def f():\n    global y\n    y = 1\n", {"f", "y"}),
        ("for i in range(3):\n    pass\n", {"i"}),
        ("[i for i in range(3)]\n", set()),
        ("import numpy as np\n", {"np"}),
        ("with open('a') as f:\n    pass\n", {"f"}),
    ],
)
def test_bound_names_are_those_of_the_notebooks_namespace(code: str, names: set[str]) -> None:
    assert bound_names(code) == names


# --- what is shown before it is asked --------------------------------------------------------------------------------


class _Nameless(ast.NodeTransformer):
    """Give all variables one name, so that expressions are compared by what they do."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("_", node.ctx)


def expressions(code: str) -> Iterator[tuple[str, str]]:
    """Yield the larger expressions of a piece of code: without the names of variables, and as they are written."""
    for node in ast.walk(ast.parse(code)):
        size = sum(not isinstance(part, ast.expr_context) for part in ast.walk(node))
        if isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.Compare)) and size >= MIN_NODES:
            written = ast.unparse(node)
            yield ast.dump(_Nameless().visit(ast.parse(written))), written


def solution_expressions(cell: SourceCell) -> dict[str, str]:
    """Return those expressions of a task's cell that its release leaves out."""
    text = cell.texts["en"]
    released = dict(
        expressions(SOLUTION_REGION.sub(lambda region: region[0][: -len(region[0].lstrip())] + "pass", text))
    )
    return {key: written for key, written in expressions(text) if key not in released}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_cell_that_a_student_sees_open_holds_an_expression_of_an_answer_before_its_task(assignment: str) -> None:
    told: dict[str, str] = {}
    given: list[SourceCell] = []
    for cell in source_of(assignment).cells:
        if cell.role == "task":
            secret = solution_expressions(cell)
            shown = {key for before in given for key, _ in expressions(before.texts["en"])}
            told |= {f"{cell.id}: {secret[key]}": "" for key in secret.keys() & shown}
        elif cell.role in ("free", "locked") and not cell.folded:
            given.append(cell)
    assert set(told) == SHOWN_BEFORE.get(assignment, set())


class _Sizeless(_Nameless):
    """Also take all whole numbers and libraries for one, and leave dtypes out."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name("_", ast.Load()) if type(node.value) is int else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        is_library = ast.unparse(node.value) in ("np", "ops", "keras.ops", "tf", "tf.linalg", "tf.math")
        owner = ast.Name("_", ast.Load()) if is_library else self.visit(node.value)
        return ast.Attribute(owner, node.attr, node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        keywords = [self.visit(keyword) for keyword in node.keywords if keyword.arg != "dtype"]
        return ast.Call(self.visit(node.func), [self.visit(part) for part in node.args], keywords)


def forms(code: str, min_nodes: int = MIN_NODES) -> dict[str, str]:
    """Return the larger expressions of a piece of code: without names and sizes -> as they are written."""
    found: dict[str, str] = {}
    for _, written in expressions(code):
        form = _Sizeless().visit(ast.parse(written))
        if sum(not isinstance(part, ast.expr_context) for part in ast.walk(form)) >= min_nodes:
            found[ast.dump(form)] = written
    return found


def forms_of_right_answers(assignment: str, cell: SourceCell, min_nodes: int = MIN_NODES) -> set[str]:
    """Return the larger expressions of a task's solution and of its alternatives that its release leaves out."""
    folder = ROOT / "solutions" / assignment
    right = [
        cells[cell.slug] for cells in right_cells(folder, read_alternatives(folder)).values() if cell.slug in cells
    ]
    hidden = SOLUTION_REGION.sub(lambda region: region[0][: -len(region[0].lstrip())] + "pass", cell.texts["en"])
    return {form for code in right for form in forms(code, min_nodes)} - forms(hidden, min_nodes).keys()


@pytest.mark.parametrize("assignment", ASSIGNMENTS[:4])
def test_no_public_check_holds_an_expression_of_a_right_answer_in_any_style(assignment: str) -> None:
    """Of the notebooks of single functions, whose expectations are numbers; whole blocks are compared with more than numbers."""
    cells = source_of(assignment).cells
    checks = {cell.slug: forms(cell.texts["en"]) for cell in cells if cell.role == "grade"}
    right = {cell.slug: forms_of_right_answers(assignment, cell) for cell in cells if cell.role == "task"}
    told = {slug: {held[form] for form in right[slug] & held.keys()} for slug, held in checks.items()}
    assert {slug: written for slug, written in told.items() if written} == {}


@pytest.mark.parametrize("assignment", ASSIGNMENTS[1:4])
def test_no_open_cell_of_an_earlier_notebook_holds_an_expression_of_a_right_answer(assignment: str) -> None:
    """Of the notebooks of single functions; the later ones use what the earlier ones have taught."""
    earlier = [source_of(name) for name in ASSIGNMENTS[: ASSIGNMENTS.index(assignment)]]
    given = [cell for source in earlier for cell in source.cells if cell.role == "free" and not cell.folded]
    shown = {form: written for cell in given for form, written in forms(cell.texts["en"], MIN_NODES + 2).items()}
    shown = {form: written for form, written in shown.items() if "rng" not in written}  # random inputs are no answers
    told = {
        cell.slug: {shown[form] for form in forms_of_right_answers(assignment, cell, MIN_NODES + 2) & shown.keys()}
        for cell in source_of(assignment).cells
        if cell.role == "task"
    }
    found = {slug: written for slug, written in told.items() if written}
    assert found == {slug: written for slug, written in SHOWN_EARLIER.items() if slug in told}


def test_a_form_is_found_whatever_its_sizes_and_its_library_are() -> None:
    one, other = forms('np.triu(np.ones((6, 6), dtype="float32"), k=1)'), forms("ops.triu(ops.ones((size, size)), k=1)")
    assert one.keys() & other.keys() and not one.keys() & forms("ops.tril(ops.ones((size, size)), k=1)").keys()


def test_an_expression_is_found_whatever_its_variables_are_called() -> None:
    one, other = (dict(expressions(code)) for code in ("np.exp(a - a.max(axis=1))", "print(np.exp(z - z.max(axis=1)))"))
    assert one.keys() & other.keys()


# --- hints -----------------------------------------------------------------------------------------------------------

HINT = re.compile(r"<details><summary>(?:Hint|힌트) (\d): ([^<]*)</summary>(.*?)</details>", re.DOTALL)
CODE = re.compile(r"`([^`]+)`")
# Where a task's own prose begins: what stands before it belongs to a star or to something to try, which has hints of its own.
HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
TASK_HEADING = re.compile(r"^## (?:Task|과제) (\d+): .*", re.MULTILINE)


def hints_of(assignment: str, language: str) -> dict[str, list[tuple[str, str, str]]]:
    """Return task -> the hints that stand before it: number, title, text."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    waiting: list[tuple[str, str, str]] = []
    for cell in source_of(assignment).cells:
        if cell.role == "prose":
            headings = list(TASK_HEADING.finditer(cell.texts[language]))
            waiting = [] if headings else waiting
            waiting += HINT.findall(cell.texts[language][headings[-1].start() if headings else 0 :])
        elif cell.role == "task":
            found[cell.id], waiting = waiting, []
    return found


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_each_task_has_one_to_three_hints_the_same_number_in_both_languages(assignment: str) -> None:
    english, korean = (hints_of(assignment, language) for language in ("en", "ko"))
    numbers = {task: [number for number, _, _ in hints] for task, hints in english.items()}
    assert numbers == {task: [number for number, _, _ in hints] for task, hints in korean.items()}
    assert [task for task, found in numbers.items() if found not in (["1"], ["1", "2"], ["1", "2", "3"])] == []


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_each_task_has_a_heading_of_one_style_with_its_number_and_points(assignment: str, language: str) -> None:
    source = source_of(assignment)
    headings = [
        found
        for cell in source.cells
        if cell.role == "prose"
        for found in HEADING.findall(cell.texts[language])
        if found.startswith(("## Task", "## 과제"))
    ]
    points = [f"{points:g}" for points in source.points.values()]
    ends = {"en": r"## Task {}: .* \({} points?\)", "ko": r"## 과제 {}: .*\((?:.*, )?{}점\)"}[language]
    patterns = [ends.format(number, worth) for number, worth in enumerate(points, start=1)]
    assert len(headings) == len(patterns)
    assert [h for h, pattern in zip(headings, patterns, strict=True) if not re.fullmatch(pattern, h)] == []


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS[:4])
def test_whether_this_holds_is_asked_before_the_cell_and_answered_behind_it(assignment: str, language: str) -> None:
    question, answer = {"en": ("Does this hold?", "What is right."), "ko": ("정말 그럴까?", "맞는 설명.")}[language]
    seen = "".join(
        cell.texts[language] if cell.role == "prose" else "[cell]"
        for cell in source_of(assignment).cells
        if cell.role in ("prose", "free")
    )
    order = re.findall(rf"\*\*{re.escape(question)}\*\*|\[cell\]|\*\*{re.escape(answer)}\*\*", seen)
    asked = [i for i, part in enumerate(order) if question in part]
    assert asked and all([answer in part for part in order[i + 1 : i + 3]] == [False, True] for i in asked)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_hints_title_is_plain_text(assignment: str, language: str) -> None:
    """It stands in HTML, where neither formulas nor backticks are searched for."""
    titles = [title for hints in hints_of(assignment, language).values() for _, title, _ in hints]
    assert [title for title in titles if set(title) & set("`$")] == []


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_hint_holds_an_expression_of_the_answer(assignment: str, language: str) -> None:
    tasks = {cell.id: cell for cell in source_of(assignment).cells if cell.role == "task"}
    told: list[str] = []
    for task, hints in hints_of(assignment, language).items():
        secret = solution_expressions(tasks[task])
        for code in CODE.findall("".join(text for _, _, text in hints)):
            try:
                told += [f"{task}: {written}" for key, written in expressions(code) if key in secret]
            except SyntaxError:  # a shape, or an ellipsis for what is left to the reader
                continue
    assert told == []


def test_an_expression_of_the_answer_in_a_hint_is_found() -> None:
    answer = "np.exp(a - a.max(axis=1))"
    assert CODE.findall(f"Use `{answer}`.") == [answer]
    assert {key for key, _ in expressions(answer)} & {key for key, _ in expressions("np.exp(x - x.max(axis=1))")}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_public_checks_and_what_is_said_to_be_folded_are_so_in_every_editor(assignment: str, language: str) -> None:
    path = next((ROOT / "assignments" / language / assignment).glob("*.ipynb"))
    cells = nbformat.read(path, as_version=4).cells
    folds = {c.id: (c.metadata.get("jupyter", {}).get("source_hidden"), c.metadata.get("cellView")) for c in cells}
    checks = [name for name in folds if name.startswith("grade-")]
    assert checks and {folds[name] for name in checks} == {(True, "form")}
    closed = {name for name, fold in folds.items() if fold == (True, "form")}
    assert closed == {cell.id for cell in source_of(assignment).cells if cell.folded}
    text = (ROOT / "solutions" / assignment / "notebook.py").read_text(encoding="utf-8")
    assert closed.issuperset(re.findall(r'(?m)^# %% locked="([\w-]+)".* folded=true$', text))


# --- the first output ----------------------------------------------------------------------------------------------


def set_up(assignment: str) -> str:
    return next(cell.texts["en"] for cell in source_of(assignment).cells if cell.id == "setup")


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_set_up_imports_keras_in_the_same_quiet_way(assignment: str) -> None:
    quiet = re.compile(r"if \"keras\" not in sys\.modules:.*\n(?:    .*\n)+")
    (block,) = quiet.findall(set_up(assignment))
    assert [block] == quiet.findall(set_up(ASSIGNMENTS[0]))


@pytest.mark.slow
def test_the_set_up_says_nothing() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TF_CPP_MIN_LOG_LEVEL"}
    code = set_up(ASSIGNMENTS[0]) + "\nprint(keras.ops.ones(1).shape)\n"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment | {"MPLBACKEND": "Agg"},
    )
    assert (done.stdout.strip(), done.stderr) == ("(1,)", "")


# --- sentences -------------------------------------------------------------------------------------------------------

TOOLS = ROOT / "solutions" / "_shared" / "cells" / "checks.py"


class Notebook:
    """A namespace in which cells are executed as in a kernel, so that their lines can be looked up."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = types.ModuleType("notebook").__dict__
        self.run(re.sub(r"^\s*# ko: .*\n", "", TOOLS.read_text(encoding="utf-8"), flags=re.MULTILINE))

    def run(self, code: str) -> None:
        run_cell(code, self.names)

    def said(self, answer: str, call: str) -> str:
        """Return what the public check of `answer` says, which makes one call; empty if it holds."""
        self.run(answer)
        try:
            self.run(
                f'@checking("f")\ndef _check(check):\n    x = np.ones((2, 3))\n    check.shape({call}, (2, 3), "()")\n'
            )
        except AssertionError as failed:
            return str(failed)
        return ""


@pytest.fixture(scope="module")
def notebook() -> Notebook:
    return Notebook()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("def f(x):\n    return x - x.max(axis=1)\n", ["the line `return x - x.max(axis=1)`", "x (2, 3)", "keepdims"]),
        ("def f(x):\n    return np.ones((5, 2, 3)) @ np.ones((5, 2, 3)).T\n", ["`.T`", "*all* axes"]),
        ("def f(x, k=0):\n    return x[:-k] * x[k:]\n", ["-0 is 0"]),
        ("def f(x):\n    x[np.ones((1, 3)) == 1] = 0\n    return x\n", ["index", "where"]),
        ("def f(x):\n    return x[:, None] + np.ones((5, 3, 1, 2))\n", ["axis of length 1"]),
        ("def f(x):\n    return keras.ops.matmul(x, np.ones(3, 'int32'), 1)\n", ["arguments"]),
        ("def f(x):\n    return tf.exp(x)\n", ["Import the library"]),
        ("def f(x):\n    return keras.ops.zeros(None)\n", ["f"]),
        ("def f(x):\n    raise KeyError('odd')\n", ["KeyError", "odd", "the line"]),
    ],
)
def test_an_error_becomes_a_sentence(notebook: Notebook, answer: str, words: list[str]) -> None:
    said = notebook.said(answer, "f(x)")
    assert [word for word in words if word not in said] == []
    assert "not written yet" not in said


@pytest.mark.slow
def test_a_right_answer_holds(notebook: Notebook) -> None:
    assert notebook.said("def f(x):\n    return x\n", "f(x)") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("def f(x):\n    raise NotImplementedError()\n", "f is not written yet"),
        (
            "def g(x):\n    raise NotImplementedError()\ndef f(x):\n    return g(x)\n",
            "f uses g, which is not written yet",
        ),
        (
            "class g(keras.layers.Layer):\n    def call(self, x):\n        raise NotImplementedError()\n"
            "def f(x):\n    return g()(x)\n",
            "which is not written yet",
        ),
    ],
)
def test_the_stubs_own_error_means_not_written_yet(notebook: Notebook, answer: str, said: str) -> None:
    assert said in notebook.said(answer, "f(x)")


@pytest.mark.slow
def test_what_the_check_alone_calls_is_not_used_by_the_task(notebook: Notebook) -> None:
    answer = "def f(x):\n    return x\ndef g(x):\n    raise NotImplementedError()\n"
    assert notebook.said(answer, "g(f(x))").startswith("g is not written yet")


@pytest.mark.slow
def test_a_librarys_own_not_implemented_error_is_none_of_a_stub(notebook: Notebook) -> None:
    notebook.run(
        "class Symbolic:\n    def __array__(self, dtype=None, copy=None):\n        message = 'Cannot convert a symbolic tensor'\n"
        "        error = NotImplementedError(message)\n        raise error\n"
    )
    said = notebook.said("def f(x):\n    return np.asarray(Symbolic())\n", "f(x)")
    assert "not written yet" not in said and "keras.ops" in said


@pytest.mark.slow
def test_what_comes_of_zero_times_infinity_is_named(notebook: Notebook) -> None:
    notebook.run("def f(x):\n    return x * np.nan\n")
    with pytest.raises(AssertionError, match="0 · ∞"):
        notebook.run('@checking("f")\ndef _check(check):\n    check.close(f(np.ones(2)), [1, 1], "two ones")\n')


@pytest.mark.slow
def test_a_demonstration_keeps_its_names_and_waits_for_answers(
    notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook.run("def f(x):\n    raise NotImplementedError()\n")
    notebook.run("@demonstrate\ndef _demo():\n    global _shared\n    mine = 1\n    _shared = f(mine)\n")
    notebook.run("@demonstrate\ndef _demo():\n    print(_shared)\n")
    assert capsys.readouterr().out.count("when the answers that it uses are written") == 2
    assert "mine" not in notebook.names
    with pytest.raises(
        AssertionError, match="(?s)the line `1 / 0` stops. ZeroDivisionError.*If a check above doesn't hold"
    ):
        notebook.run("@demonstrate\ndef _demo():\n    1 / 0\n")


@pytest.mark.slow
def test_a_layer_of_numpy_is_said_not_to_learn(notebook: Notebook) -> None:
    layer = (
        "class Layer(keras.layers.Layer):\n    def build(self, shape):\n        self.w = self.add_weight(shape=(3, 3))\n"
        "    def call(self, x):\n        return {}\n"
        "layer = Layer()\nlayer(np.ones((2, 3), 'float32'))\n"
    )
    check = '@checking("Layer")\ndef _check(check):\n    check.learns(layer, layer, np.ones((2, 3), "float32"), {"w": layer.w})\n'
    notebook.run(layer.format("keras.ops.matmul(x, self.w)") + check)
    with pytest.raises(AssertionError, match="NumPy"):
        notebook.run(layer.format("keras.ops.convert_to_tensor(np.asarray(x) @ np.asarray(self.w))") + check)


@pytest.mark.slow
@pytest.mark.parametrize("required", [True, False])
def test_what_cant_be_compiled_fails_or_is_noted(notebook: Notebook, required: bool) -> None:
    check = f'@checking("f")\ndef _check(check):\n    check.compiles(f, np.ones(2, "float32"), required={required})\n'
    notebook.run("def f(x):\n    return keras.ops.sum(x)\n" + check)
    assert not notebook.names["_check"].notes and len(notebook.names["_check"].passed) == 1
    notebook.run("def f(x):\n    return float(np.sum(np.asarray(x)))\n")
    if required:
        with pytest.raises(AssertionError, match=r"keras\.ops"):
            notebook.run(check)
    else:
        notebook.run(check)
        assert "keras.ops" in notebook.names["_check"].notes[0]
