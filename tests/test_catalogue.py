"""The percent scripts of known mistakes and right alternatives: what they say, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.base.errors import CourseError
from autograder.base.text import Text
from autograder.grading.runner import mistakes_of
from autograder.proof import check as checking
from autograder.sources.catalogue import (
    Alternative,
    Edit,
    Mistake,
    bare,
    edited,
    read_alternatives,
    read_mistakes,
    right_cells,
    variants,
)
from autograder.sources.course import Course
from autograder.sources.notebooks import course_files

HEAD = '# %% mistake="over-rows" task="softmax" misses="softmax-values softmax-axis"'
HINT = "# The sum is over\n# the rows.\n# ko: 행에\n# ko: 걸쳐 더했습니다.\n"
NUMPY = """# %% [markdown] backends="tensorflow torch"
# plain NumPy,
# two lines

# %% carry_over=true
import numpy as np


# %% task="softmax"
def softmax(x, axis=-1):
    # not shifted
    e = np.exp(x)

    return e / np.sum(e, axis=-1, keepdims=True)
"""
LOOPS = """# %% [markdown]
# row by row

# %% task="softmax"
def softmax(x, axis=-1):
    rows = [np.exp(row) for row in x]
    return np.stack([row / np.sum(row) for row in rows], axis=-1)
"""
NOTEBOOK = '''# %% task="softmax"
def softmax(x, axis=-1):
    """
    Return weights.
    # ko: 가중치를 돌려줍니다.

    The sum along axis=-1 is 1.
    # ko: axis=-1을 따라 더하면 1입니다.
    """

    ### BEGIN SOLUTION
    e = np.exp(x)
    return e / np.sum(e, axis=-1)[..., None]
    ### END SOLUTION


# %% grade="softmax" points=3
softmax([1.0])
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "alternatives").mkdir()
    (tmp_path / "alternatives" / "numpy.py").write_text(NUMPY)
    (tmp_path / "alternatives" / "loops.py").write_text(LOOPS)
    (tmp_path / "notebook.py").write_text(NOTEBOOK)
    return tmp_path


def read(folder: Path, text: str) -> tuple[Mistake, ...]:
    (folder / "mistakes.py").write_text(text)
    return read_mistakes(folder / "mistakes.py")


def read_edits(folder: Path, edits: str, of: str = "numpy", more: str = "") -> Mistake:
    [mistake] = read(folder, f'{HEAD} of="{of}"{more}\n{HINT}{edits}')
    return mistake


def test_a_cell_is_read_with_its_hint(folder: Path) -> None:
    [mistake] = read(folder, f"{HEAD}\n{HINT}def softmax(x):\n    # twice\n\n    return x\n\n\n")
    assert mistake == Mistake(
        "over-rows",
        "softmax",
        Text("The sum is over the rows.", "행에 걸쳐 더했습니다."),
        "def softmax(x):\n    # twice\n\n    return x\n",
        frozenset({"softmax-values", "softmax-axis"}),
    )


def test_entries_keep_their_order(folder: Path) -> None:
    other = HEAD.replace("over-rows", "again")
    mistakes = read(folder, f"{HEAD}\n{HINT}a = 1\n\n\n{other}\n{HINT}b = 2\n")
    assert [(mistake.id, mistake.code) for mistake in mistakes] == [("over-rows", "a = 1\n"), ("again", "b = 2\n")]


def test_a_cell_that_begins_with_a_comment_is_kept_apart_by_an_empty_line(folder: Path) -> None:
    [mistake] = read(folder, f"{HEAD}\n{HINT}\n# %matplotlib is kept\nx = 1\n")
    assert mistake.code == "# %matplotlib is kept\nx = 1\n"


def test_limits_and_backends(folder: Path) -> None:
    [mistake] = read(
        folder, f'{HEAD} limits="training_pairs=50 training_seconds=0.5" backends="jax torch"\n{HINT}a = 1'
    )
    assert (mistake.limits, mistake.backends) == (
        {"training_pairs": 50, "training_seconds": 0.5},
        ("jax", "torch"),
    )


def test_a_sentence_by_which_a_mistake_is_known(folder: Path) -> None:
    [mistake] = read(folder, f'{HEAD} sentence="it returned None"\n{HINT}a = 1')
    assert mistake.sentence == "it returned None"


def test_an_entry_may_edit_an_earlier_one_and_is_then_tried_in_no_other_style(folder: Path) -> None:
    other = HEAD.replace("over-rows", "again")
    first, second = read(
        folder,
        f'{HEAD} of="numpy"\n{HINT}# - np.exp(x)\n# + x\n\n\n{other} of="over-rows"\n{HINT}# - e = x\n# + e = -x\n',
    )
    assert second.code == first.code.replace("e = x", "e = -x")
    assert variants_in(folder, first) and not variants_in(folder, second)


def test_a_later_entry_or_one_of_another_task_is_not_edited(folder: Path) -> None:
    later = f'{HEAD} of="again"\n{HINT}{EDIT}\n\n{HEAD.replace("over-rows", "again")}\n{HINT}a = 1\n'
    other_task = f'{HEAD.replace("softmax", "scores", 1)}\n{HINT}a = 1\n\n\n{HEAD.replace("over-rows", "again")} of="over-rows"\n{HINT}{EDIT}'
    for text in (later, other_task):
        with pytest.raises(CourseError, match="or an earlier entry. Received: '(again|over-rows)'"):
            read(folder, text)


def test_an_empty_catalogue_is_none(tmp_path: Path) -> None:
    assert read(tmp_path, "\n") == ()
    assert read_alternatives(tmp_path) == ()


def test_an_alternative_is_read(folder: Path) -> None:
    loops, numpy = read_alternatives(folder)
    assert loops.id == "loops" and loops.backends == ("tensorflow", "jax", "torch")
    assert numpy == Alternative(
        "numpy",
        "plain NumPy, two lines",
        {
            "carry-over": "import numpy as np\n",
            "softmax": "def softmax(x, axis=-1):\n    # not shifted\n    e = np.exp(x)\n\n"
            "    return e / np.sum(e, axis=-1, keepdims=True)\n",
        },
        ("tensorflow", "torch"),
    )


@pytest.mark.parametrize(
    ("edits", "changed"),
    [
        ("# - np.exp(x)\n# + np.exp(-x)\n", {"np.exp(x)": "np.exp(-x)"}),
        ("# - , keepdims=True\n", {", keepdims=True": ""}),
        ("# -     e = np.exp(x)\n", {"    e = np.exp(x)\n": ""}),
        (
            "# -     # not shifted\n\n# - np.exp(x)\n# + x\n",
            {"    # not shifted\n": "", "np.exp(x)": "x"},
        ),
        (
            "# -     e = np.exp(x)\n# -\n# -     return e\n".replace(
                "return e", "return e / np.sum(e, axis=-1, keepdims=True)"
            )
            + "# +     return x\n# +\n# +     # done\n",
            {"    e = np.exp(x)\n\n    return e / np.sum(e, axis=-1, keepdims=True)": "    return x\n\n    # done"},
        ),
        # both are made in the right cell at once: the second may take away what the first put there
        (
            "# - np.exp(x)\n# + np.sum(e)\n# - np.sum(e, axis=-1, keepdims=True)\n# + np.exp(x)\n",
            {"np.exp(x)": "@", "np.sum(e, axis=-1, keepdims=True)": "np.exp(x)", "@": "np.sum(e)"},
        ),
    ],
)
def test_edits_are_made_in_the_cell_of_an_alternative(folder: Path, edits: str, changed: dict[str, str]) -> None:
    code = read_alternatives(folder)[1].cells["softmax"]
    for right, wrong in changed.items():
        assert code.count(right) == 1
        code = code.replace(right, wrong)
    mistake = read_edits(folder, edits)
    assert mistake.code == code and mistake.of == "numpy"


def test_edits_are_made_in_the_solution_without_its_prose(folder: Path) -> None:
    mistake = read_edits(folder, "# - axis=-1)[..., None]\n# + axis=-1)\n", of="solution")
    assert mistake.code == "def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / np.sum(e, axis=-1)\n"


@pytest.mark.parametrize(
    ("right", "code", "count"),
    [
        ("axis=1", "f(axis=1)", 1),
        ("axis=1", "f(axis=10, an_axis=1)", 0),
        ("- 1", "x - 1", 1),
        ("(x", "f(x_y)", 0),
        ("t == 0", "t == 0.5 or t == 0.", 1),
        ("5", "0.5 + 5", 1),
        ("x", "x + x", 2),
        ("    x", "    x\n", 1),
        ("    x", "        x\n    x + 1\n    xy\n", 0),
        ("a\nb", "a\nb", 1),
        ("a\nb", "aa\nb\n\na\nbb", 0),
    ],
)
def test_a_text_occurs_as_whole_words_or_as_whole_lines(right: str, code: str, count: int) -> None:
    assert len(Edit(right, "other").places(code)) == count


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(CourseError, match=r"must not overlap\. Received: two of 'b'"):
        edited("a + b + c", (Edit("a + b", "x"), Edit("b + c", "y")))


def test_a_solution_is_bared() -> None:
    code = "class A:\n    '''Doc.'''\n\n    # broken: pass\n    def f(self):\n        'Doc.'\n        ### BEGIN SOLUTION\n        return '''\n\n'''\n"
    assert bare(code) == "class A:\n    def f(self):\n        return '''\n\n'''\n"


CODE = f"{HEAD}\n{HINT}a = 1\n"
EDIT = "# - np.exp(x)\n# + x\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n" + CODE, r"begins with the header of a cell, `# %%`\. Received: 'x = 1' in .*mistakes\.py\."),
        (CODE.replace("softmax-axis", "x", 1) + CODE, r"its own id\. Received: over-rows again at .*mistakes\.py:7"),
        (CODE.replace('misses="', 'fails="'), r"Received: \['fails', 'misses'\] missing, empty or unknown at .*py:1"),
        (CODE.replace(' task="softmax"', ""), r"Received: \['task'\] missing"),
        (CODE.replace('"softmax-values softmax-axis"', '" "'), r"Received: \['misses'\] missing, empty"),
        (CODE.replace(' task="softmax"', " task=softmax"), r'holds key="value" pairs\. Received: .*task=softmax '),
        (CODE.replace("# %% ", '# %% task="x" '), r"may hold each key once"),
        (CODE.replace("# %%", "# %% [markdown]"), r"Each cell of mistakes\.py is a mistake\."),
        (CODE.replace("over-rows", "Over rows"), r"id is words.*Received: 'Over rows'"),
        (f"{HEAD}\n# ko: 합.\na = 1\n", r"hint in English"),
        (f"{HEAD}\na = 1\n", r"hint in English"),
        (f"{HEAD}\n{HINT}# a comment\na = 1\n", r"below an empty line.*Received: '# a comment'"),
        (f"{HEAD}\n{HINT}\n\n", r"A cell must hold code"),
        (
            f"{HEAD}\n{HINT}\n# a comment\ndef f(:\n",
            r"valid Python\. Received: invalid syntax: 'def f\(:' in .*mistakes\.py, line 8, in the cell at .*:1\. ",
        ),
        (f'{HEAD} backends="theano"\n{HINT}a = 1\n', r"some of tensorflow jax torch\. Received: 'theano'"),
        (f'{HEAD} limits="pairs=5"\n{HINT}a = 1\n', r"field of Limits and a number each\. Received: 'pairs=5'"),
        (f'{HEAD} limits="training_pairs=few"\n{HINT}a = 1\n', r"Received: 'training_pairs=few'"),
        (f'{HEAD} except="loops"\n{HINT}a = 1\n', r"Only an entry with `of` may have `except`"),
        (
            f'{HEAD} of="einsum"\n{HINT}{EDIT}',
            r"\['loops', 'numpy', 'solution'\], or an earlier entry\. Received: 'einsum'",
        ),
        (
            f'{HEAD.replace("softmax", "scores")} of="numpy"\n{HINT}{EDIT}',
            r"cell of the task scores: \[\], or an earlier entry\. Received: 'numpy'",
        ),
        (f'{HEAD} of="numpy" except="einsum"\n{HINT}{EDIT}', r"`except` names .*Received: einsum at"),
        (f'{HEAD} of="numpy" except="loops"\n{HINT}{EDIT}', r"that says why belong together"),
        (f'{HEAD} of="numpy"\n{HINT}{EDIT}# except: it is right\n', r"that says why belong together"),
        (f'{HEAD} of="numpy"\n{HINT}# - np.log(x)\n# + x\n', r"once.*'np\.log\(x\)', 0 times\. At .*:1, of numpy"),
        (f'{HEAD} of="numpy"\n{HINT}# - axis=-1\n# + axis=0\n', r"Received: 'axis=-1', 2 times"),
        (f'{HEAD} of="numpy"\n{HINT}# + x\n', r"lines `# - …`, then lines `# \+ …`\. Received: '# \+ x'"),
        (f'{HEAD} of="numpy"\n{HINT}# - np.exp(x)\n\n# + x\n', r"Received: '# \+ x'"),
        (f'{HEAD} of="numpy"\n{HINT}a = 1\n', r"Received: 'a = 1'"),
        (f'{HEAD} of="numpy"\n{HINT}', r"needs some that change something"),
        (f'{HEAD} of="numpy"\n{HINT}# - np.exp(x)\n# + np.exp(x)\n', r"needs some that change something"),
        (f"{HEAD}\n{HINT}# - np.exp(x)\n# + x\n", r"says `of` which right cell they are"),
    ],
)
def test_a_malformed_mistake_is_refused(folder: Path, text: str, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        read(folder, text)


def test_an_edit_that_spoils_the_syntax_is_refused(folder: Path) -> None:
    with pytest.raises(CourseError, match=r"'\(' was never closed: '.*np\.exp\(x' at .*mistakes\.py:1\. Correct"):
        read_edits(folder, "# - np.exp(x)\n# + np.exp(x\n")


def test_a_missing_file_of_mistakes_is_told(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"file mistakes\.py, which may be empty\. Received: no .*mistakes\.py"):
        read_mistakes(tmp_path / "mistakes.py")


TASK = '# %% task="softmax"\na = 1\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"begins with a cell `# %% \[markdown\]`"),
        (TASK, r"begins with a cell `# %% \[markdown\]`"),
        ("# %% [markdown]\n\n" + TASK, r"comment that says what is different"),
        ("# %% [markdown]\nloops\n" + TASK, r"comment that says what is different"),
        ('# %% [markdown] task="x"\n# loops\n' + TASK, r"Received: \['task'\] missing, empty or unknown"),
        ('# %% [markdown] backends="mxnet"\n# loops\n' + TASK, r"Received: 'mxnet'"),
        ("# %% [markdown]\n# loops\n", r"must have a cell of some task"),
        ("# %% [markdown]\n# loops\n" + TASK + TASK, r"each task once.*Received: \{'task': 'softmax'\}"),
        ("# %% [markdown]\n# loops\n# %%\na = 1\n", r"Each other cell of an alternative.*Received: \{\}"),
        ("# %% [markdown]\n# loops\n# %% [markdown]\n# more\n", r"Each other cell of an alternative"),
        ('# %% [markdown]\n# loops\n# %% task="softmax"\n\n', r"A cell must hold code"),
        ('# %% [markdown]\n# loops\n# %% task="softmax"\na =\n', r"valid Python"),
    ],
)
def test_a_malformed_alternative_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "alternatives").mkdir()
    (tmp_path / "alternatives" / "loops.py").write_text(text)
    with pytest.raises(CourseError, match=said):
        read_alternatives(tmp_path)


def test_an_alternative_is_named_in_words(tmp_path: Path) -> None:
    (tmp_path / "alternatives").mkdir()
    (tmp_path / "alternatives" / "one_hot.py").write_text(LOOPS)
    with pytest.raises(CourseError, match=r"named in words, as `one-hot\.py`"):
        read_alternatives(tmp_path)


def variants_in(folder: Path, mistake: Mistake) -> dict[str, str]:
    found = variants((mistake,), folder, read_alternatives(folder))
    return {variant.id: variant.cells["softmax"] for variant in found}


def test_edits_are_made_in_every_style_that_holds_their_text(folder: Path) -> None:
    right = right_cells(folder, read_alternatives(folder))
    found = variants_in(folder, read_edits(folder, "# - np.exp(x)\n# + x\n"))
    assert found == {"over-rows@solution": right["solution"]["softmax"].replace("np.exp(x)", "x")}
    found = variants_in(folder, read_edits(folder, "# - np.exp(row)\n# + row\n", of="loops"))
    assert found == {}
    found = variants_in(folder, read_edits(folder, "# - x, axis=-1\n# + x, axis=0\n"))
    assert list(found) == ["over-rows@solution", "over-rows@loops"]


def test_a_variant_keeps_the_other_cells_and_the_backends_of_its_style(folder: Path) -> None:
    mistake = read_edits(folder, "# - x, axis=-1\n# + x, axis=0\n", of="loops", more=' backends="jax torch"')
    by_id = {variant.id: variant for variant in variants((mistake,), folder, read_alternatives(folder))}
    assert set(by_id["over-rows@numpy"].cells) == {"carry-over", "softmax"}
    assert set(by_id["over-rows@solution"].cells) == {"softmax"}
    assert by_id["over-rows@numpy"].backends == ("torch",)
    assert by_id["over-rows@solution"].backends == ("jax", "torch")


def test_a_style_that_is_excepted_has_no_variant(folder: Path) -> None:
    edits = "# - x, axis=-1\n# + x, axis=0\n\n# except: there it is\n# except: something else\n"
    mistake = read_edits(folder, edits, more=' except="loops"')
    assert list(variants_in(folder, mistake)) == ["over-rows@solution"]


def test_edits_are_not_made_where_a_variable_of_theirs_is_missing(folder: Path) -> None:
    mistake = read_edits(folder, "# - np.exp(row)\n# + np.exp(row - e)\n", of="loops")
    (folder / "alternatives" / "more-loops.py").write_text(LOOPS.replace("rows", "e"))
    assert list(variants_in(folder, mistake)) == ["over-rows@more-loops"]  # e is no variable of `loops`
    mistake = read_edits(folder, "# - np.exp(row)\n# + np.exp(row - rows)\n", of="loops")
    assert list(variants_in(folder, mistake)) == []


def test_a_cell_that_two_styles_share_has_one_variant(folder: Path) -> None:
    (folder / "alternatives" / "more-loops.py").write_text(LOOPS)
    mistake = read_edits(folder, "# - x, axis=-1\n# + x, axis=0\n")
    assert list(variants_in(folder, mistake)) == ["over-rows@solution", "over-rows@loops"]


def test_a_mistake_written_as_a_cell_has_no_variant(folder: Path) -> None:
    [mistake] = read(folder, CODE)
    assert variants_in(folder, mistake) == {}


def test_catalogues_travel_with_the_files_of_their_assignment(folder: Path) -> None:
    (folder / "mistakes.py").write_text("")
    names = {path.relative_to(folder).as_posix() for path in course_files(folder) if folder in path.parents}
    assert {"mistakes.py", "alternatives/numpy.py", "alternatives/loops.py"} <= names


def test_variants_are_cases_of_the_check(course: Course) -> None:
    cases = checking.cases_of(course, "05-encoder-decoder-blocks", only="variant:")
    assert cases and all(case.kind == "variant" for case in cases)
    known = mistakes_of(course.source("05-encoder-decoder-blocks").folder)
    assert checking.graded_tasks(course, cases[0]) == {known[cases[0].id.split("@")[0]].task}
