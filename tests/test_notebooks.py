"""Text sources of notebooks: what each header makes of a cell, both languages, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from autograder.base.errors import CourseError
from autograder.sources.notebooks import NOTEBOOK_KEY, NotebookSource, read_source, render, write_notebook

SOURCE = '''\
# %% [markdown]
# # Doubling
# English prose.
# <!-- ko -->
# # 두 배
# 한국어 설명.

# %% locked="setup"
import numpy as np

# %% locked="tools" include="tools.py"

# %% carry_over=true
def earlier(x):
    return x

# %% [markdown]
# Only English here.

# %% task="double"
def double(x):
    """
    Return twice x.
    # ko: x의 두 배를 돌려줍니다.
    """
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


class Helper:
    def method(self):
        return 1

# %% grade="double" points=2.5
# Two cases.
# ko: # 두 가지 경우.
check(
    "the doubles",
    # ko: "두 배한 값",
)

# %%
print(double(3))

# %%
print(double(4))
'''


def _write(folder: Path, text: str) -> Path:
    """Write a source, and the shared file that it may include, under `folder`."""
    path = folder / "solutions" / "01-doubling" / "notebook.py"
    shared = folder / "solutions" / "_shared" / "cells"
    path.parent.mkdir(parents=True)
    shared.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    (shared / "tools.py").write_text("shared = 'tool'\n# ko: shared = '도구'\n\n", encoding="utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> NotebookSource:
    return read_source(_write(tmp_path, SOURCE))


# --- cells -----------------------------------------------------------------------------------------------------------


def test_each_header_gives_its_role_and_id(source):
    assert [(cell.role, cell.id) for cell in source.cells] == [
        ("prose", "text-01"),
        ("locked", "setup"),
        ("locked", "tools"),
        ("carry-over", "carry-over"),
        ("prose", "text-02"),
        ("task", "task-double"),
        ("grade", "grade-double"),
        ("free", "code-01"),
        ("free", "code-02"),
    ]


def test_assignment_and_name_come_from_the_path(source):
    assert (source.assignment, source.name) == ("01-doubling", "doubling")


@pytest.mark.parametrize(
    "cell", ['[markdown] notebook="twice"', "[markdown] notebook='twice'", 'locked="a" notebook="twice"']
)
def test_the_first_cell_may_name_the_notebook(tmp_path: Path, cell: str) -> None:
    assert read_source(_write(tmp_path, f"# %% {cell}\n# text\n\n# %%\nx = 1\n")).name == "twice"


def test_only_the_first_cell_may_name_the_notebook(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="Only the first cell"):
        read_source(_write(tmp_path, '# %%\nx = 1\n\n# %% notebook="twice"\nx = 2\n'))


def test_points_are_those_of_the_grade_cells(source):
    assert source.points == {"double": 2.5}


def test_points_keep_notebook_order(tmp_path):
    tasks = [f'# %% task="{slug}"\nx = 1\n\n# %% grade="{slug}" points=1\nx\n' for slug in ("zebra", "ape", "mole")]
    assert list(read_source(_write(tmp_path, "\n".join(tasks))).points) == ["zebra", "ape", "mole"]


def test_known_cells_are_those_with_a_grade_id(source):
    assert list(source.known_cells) == ["setup", "tools", "carry-over", "task-double", "grade-double"]


def test_an_include_brings_the_text_of_the_shared_file(source):
    assert source.known_cells["tools"].texts["en"] == "shared = 'tool'"


def test_an_included_file_has_its_korean_lines_too(source):
    assert source.known_cells["tools"].texts["ko"] == "shared = '도구'"


def test_a_cell_may_begin_with_a_shared_file_and_go_on(tmp_path):
    source = read_source(_write(tmp_path, SOURCE.replace('"setup"', '"setup" include="tools.py"')))
    setup = source.known_cells["setup"]
    assert setup.texts == {
        "en": "shared = 'tool'\n\nimport numpy as np",
        "ko": "shared = '도구'\n\nimport numpy as np",
    }
    assert source.known_cells["tools"].folded and not setup.folded


def test_a_cell_without_text_and_header_is_left_out(tmp_path):
    cells = read_source(_write(tmp_path, "# %%\n\n# %%\nx = 1\n")).cells
    assert [(cell.id, cell.texts["en"]) for cell in cells] == [("code-01", "x = 1")]


# --- tasks -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def related(tmp_path: Path) -> NotebookSource:
    """Return a source with three tasks, whose headers say all that a header can say of one."""
    cells = _task("one"), _task("two", 'builds_on="carry-over one" costly="two-carried"')
    text = "# %% carry_over=true\ny = 1\n\n" + "".join(cells) + _task("three", 'builds_on="two" from_scratch=true')
    return read_source(_write(tmp_path, text))


def test_a_task_builds_on_what_its_header_says(related):
    assert related.builds_on == {"one": (), "two": ("carry-over", "one"), "three": ("two",)}


@pytest.mark.parametrize(
    ("slug", "before"), [("one", set()), ("two", {"carry-over", "one"}), ("three", {"carry-over", "one", "two"})]
)
def test_predecessors_are_what_a_task_builds_on_directly_or_not(related, slug, before):
    assert related.predecessors(slug) == before


def test_a_costly_task_names_the_line_that_judges_carried_over_work(related):
    assert related.costly == {"two": "two-carried"}


def test_tasks_from_scratch_are_those_that_say_so(related):
    assert related.from_scratch == ("three",)


def test_what_a_header_says_of_a_task_is_not_in_the_notebook(related):
    text = nbformat.writes(render(related, "en"))
    assert not [word for word in ("builds_on", "costly", "two-carried", "from_scratch") if word in text]


# --- languages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text"), [("en", "# Doubling\nEnglish prose."), ("ko", "# 두 배\n한국어 설명.")], ids=["en", "ko"]
)
def test_prose_is_split_at_the_separator(source, language, text):
    assert source.cells[0].texts[language] == text


def test_prose_without_separator_is_english_in_both(source):
    assert set(source.cells[4].texts.values()) == {"Only English here."}


def test_untranslated_lists_prose_without_korean(source):
    assert source.untranslated() == ["text-02"]


def test_english_code_has_no_twin_lines(source):
    assert not [cell.id for cell in source.cells if "# ko:" in cell.texts["en"]]


def test_korean_code_has_no_twin_markers(source):
    assert not [cell.id for cell in source.cells if "# ko:" in cell.texts["ko"]]


def test_english_code_keeps_the_lines_that_have_twins(source):
    assert '    """\n    Return twice x.\n    """' in source.known_cells["task-double"].texts["en"]


def test_a_twin_in_a_docstring_replaces_its_line_with_its_indentation(source):
    korean = source.known_cells["task-double"].texts["ko"]
    assert korean.startswith('def double(x):\n    """\n    x의 두 배를 돌려줍니다.\n    """\n')


def test_a_twin_that_opens_a_docstring_leaves_the_next_cell_alone(tmp_path):
    text = '# %%\ndef f():\n    """One.\n    # ko: """하나.\n\n    More.\n    """\n\n# %%\nf()\n'
    cells = read_source(_write(tmp_path, text)).cells
    assert [cell.texts["ko"] for cell in cells] == ['def f():\n    """하나.\n\n    More.\n    """', "f()"]


@pytest.mark.parametrize(
    ("language", "comment", "argument"),
    [("en", "# Two cases.", '"the doubles",'), ("ko", "# 두 가지 경우.", '"두 배한 값",')],
    ids=["en", "ko"],
)
def test_twins_of_comments_and_of_strings(source, language, comment, argument):
    assert source.known_cells["grade-double"].texts[language] == f"{comment}\ncheck(\n    {argument}\n)"


def test_both_languages_have_as_many_code_lines(source):
    counts = [(c.texts["en"].count("\n"), c.texts["ko"].count("\n")) for c in source.cells if c.role != "prose"]
    assert all(english == korean for english, korean in counts)


# --- solutions -------------------------------------------------------------------------------------------------------


def test_defined_names_are_the_top_level_functions_and_classes_of_student_cells(source):
    assert source.defined_names == {"carry-over": {"earlier"}, "task-double": {"double", "Helper"}}


@pytest.mark.parametrize(
    ("task", "part"), [("double", "return 2 * x"), ("carry-over", "def earlier(x):")], ids=["task", "carry-over"]
)
def test_reference_is_the_solution_in_english(source, task, part):
    assert part in source.reference(task)


# --- refused sources -------------------------------------------------------------------------------------------------

TASK = '# %% task="double"\nx = 1\n'
GRADE = '# %% grade="double" points=2\nx\n'


def _task(slug: str, header: str = "") -> str:
    """Return the two cells of a task."""
    return f'# %% task="{slug}" {header}\nx = 1\n\n# %% grade="{slug}" points=2\nx\n\n'


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ('# %% locked="a" colour="red"\nx = 1\n', r"A cell header may hold .*Received: \['colour'\]"),
        ("# %% [markdown]\n# a\n# <!-- ko -->\n# 가\n# <!-- ko -->\n# 나\n", "may hold one line `<!-- ko -->`.*2 in"),
        (TASK + '\n# %% grade="double"\nx\n', "needs points=<number>"),
        (TASK + '\n# %% grade="double" points="two"\nx\n', "needs points=<number>"),
        (TASK, r"one task cell and one grade cell.*\['double'\]"),
        (GRADE, r"one task cell and one grade cell.*\['double'\]"),
        (TASK + "\n" + TASK + "\n" + GRADE, r"its own name.*\['task-double'\] more than once"),
        (TASK + "\n" + GRADE + "\n" + GRADE, r"its own name.*\['grade-double'\] more than once"),
        ('# %% locked="a"\nx = 1\n\n# %% locked="a"\nx = 2\n', r"its own name.*\['a'\] more than once"),
        ("# %% carry_over=true\nx = 1\n\n# %% carry_over=true\nx = 2\n", r"its own name.*\['carry-over'\]"),
        ('# %% locked="text-01"\nx = 1\n\n# %% [markdown]\n# a\n', r"its own name.*\['text-01'\]"),
        ("# %%\n# ko: x = 2\nx = 1\n", "`# ko:` must follow the line that it translates"),
        ('# %% locked="tools" include="absent.py"\n', "absent.py"),
        (_task("double", 'builds_on="double"'), r"tasks above it .*: none\. Received: double of task 'double'"),
        (_task("double", 'builds_on="carry-over"'), r"or carry-over: none\. Received: carry-over of task"),
        (_task("one") + _task("two", 'builds_on="one three"'), r": one\. Received: three of task 'two'"),
        (_task("one", 'builds_on="two"') + _task("two"), r": none\. Received: two of task 'one'"),
        (_task("double", "builds_on=true"), r"must name tasks with spaces between them.*Put the names in quotes"),
        (_task("double", 'costly="a-line another"'), r'costly="…" one rubric line'),
        (
            _task("double", 'from_scratch="yes"'),
            r"from_scratch must be true or be left out\. Received: from_scratch='yes'",
        ),
        ('# %% locked="a" from_scratch=true\nx = 1\n', r"Only the header of a task's cell .*\['from_scratch'\]"),
    ],
    ids=[
        "unknown header",
        "two separators",
        "no points",
        "points not a number",
        "task without grade",
        "grade without task",
        "task twice",
        "grade twice",
        "locked twice",
        "carry-over twice",
        "name of a counted cell",
        "twin of nothing",
        "include of no file",
        "builds on itself",
        "no carry-over",
        "builds on nothing known",
        "builds on a later task",
        "builds_on without quotes",
        "two lines that judge",
        "from_scratch in quotes",
        "from_scratch of no task",
    ],
)
def test_a_wrong_source_is_refused(tmp_path, text, match):
    with pytest.raises(CourseError, match=match):
        read_source(_write(tmp_path, text))


@pytest.mark.parametrize(
    ("cell", "line", "said"),
    [
        ("x = (1\n", 5, r"'\(' was never closed: 'x = \(1'"),
        ("x = 1\n# ko: x = 1 +\n", 5, r"invalid syntax: 'x = 1 \+'.*Correct the line's Korean below it"),
        ("%pip list\nx = 1\n  y = 2\n", 7, "unexpected indent: 'y = 2'"),
        ("### BEGIN SOLUTION\nx = 1  # this sentence is in English alone\n", 5, "without its `### END SOLUTION`"),
        ("x = 1\n### END SOLUTION\n", 6, "without its `### BEGIN SOLUTION`"),
        ("### BEGIN SOLUTION\nx = 1\n### BEGIN SOLUTION\n", 7, "without its `### END SOLUTION`"),
    ],
    ids=["open bracket", "Korean", "indent below a magic", "no end", "no beginning", "begun twice"],
)
def test_code_that_is_wrong_is_told_with_file_line_and_cell(tmp_path, cell, line, said):
    text = f'# %%\ny = 1\n\n# %% task="double"\n{cell}\n{GRADE}'
    with pytest.raises(CourseError, match=said) as caught:
        read_source(_write(tmp_path, text))
    assert re.search(rf'\.py, line {line}, in the cell `# %% task="double"`', str(caught.value))


def test_an_included_file_that_is_wrong_is_told_by_its_own_name(tmp_path):
    path = _write(tmp_path, '# %% locked="tools" include="tools.py"\n')
    (path.parent.parent / "_shared" / "cells" / "tools.py").write_text("x = 1\ny = (\n")
    with pytest.raises(CourseError, match=r"never closed: 'y = \(' in .*tools\.py, line 2, in the file"):
        read_source(path)


@pytest.mark.parametrize("points", ["-1", "NaN", "Infinity", "true"])
def test_points_that_are_no_finite_positive_number_are_refused(tmp_path, points):
    with pytest.raises(CourseError, match="points"):
        read_source(_write(tmp_path, f'{TASK}\n# %% grade="double" points={points}\nx\n'))


# --- notebooks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_rendered_notebook_is_valid(source, language):
    assert nbformat.validate(render(source, language)) is None


@pytest.mark.parametrize("language", ["en", "ko"])
def test_rendering_twice_gives_the_same_bytes(tmp_path, source, language):
    for name in ("first", "second"):
        write_notebook(render(source, language), tmp_path / name / "doubling.ipynb")
    assert (tmp_path / "first/doubling.ipynb").read_bytes() == (tmp_path / "second/doubling.ipynb").read_bytes()


def test_writing_leaves_no_partial_file(tmp_path, source):
    write_notebook(render(source, "en"), tmp_path / "out" / "doubling.ipynb")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["doubling.ipynb"]


def test_writing_replaces_an_older_notebook(tmp_path, source):
    path = tmp_path / "doubling.ipynb"
    path.write_text("old")
    write_notebook(render(source, "en"), path)
    assert nbformat.read(path, 4).cells[0].source == "# Doubling\nEnglish prose."


def test_both_languages_have_the_same_cells(source):
    english, korean = (render(source, language).cells for language in ("en", "ko"))
    assert [(c.id, c.cell_type, c.metadata) for c in english] == [(c.id, c.cell_type, c.metadata) for c in korean]


def test_a_notebook_says_what_it_was_rendered_from(source):
    assert render(source, "ko").metadata[NOTEBOOK_KEY] == {
        "assignment": "01-doubling",
        "notebook": "doubling",
        "language": "ko",
    }


@pytest.mark.parametrize(
    ("grade_id", "grade", "locked", "solution"),
    [
        ("setup", False, True, False),
        ("carry-over", False, False, True),
        ("task-double", False, False, True),
        ("grade-double", True, True, False),
    ],
    ids=["locked", "carry-over", "task", "grade"],
)
def test_nbgrader_metadata_of_each_role(source, grade_id, grade, locked, solution):
    cell = next(cell for cell in render(source, "en").cells if cell.id == grade_id)
    told = {key: value for key, value in cell.metadata["nbgrader"].items() if key != "points"}
    assert told == {
        "grade": grade,
        "grade_id": grade_id,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }


def test_only_grade_cells_carry_points(source):
    cells = render(source, "en").cells
    assert {c.id: c.metadata["nbgrader"]["points"] for c in cells if "points" in c.metadata.get("nbgrader", {})} == {
        "grade-double": 2.5
    }


@pytest.mark.parametrize("cell_id", ["text-01", "code-01"], ids=["prose", "free"])
def test_cells_that_are_not_graded_have_no_nbgrader_metadata(source, cell_id):
    assert "nbgrader" not in next(cell for cell in render(source, "en").cells if cell.id == cell_id).metadata
