"""What still has to be translated is found, and Korean that no longer says what the English says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

import autograder
from autograder.base.errors import CourseError
from autograder.sources.catalogue import read_mistakes
from autograder.sources.course import Course
from autograder.sources.notebooks import HANGUL, NotebookSource, read_source
from autograder.sources.translations import RECORD, check_translation, missing, record_translation, stale

PACKAGE = Path(autograder.__file__).parent
SOURCE = '''# %% [markdown]
# # Softmax
#
# It turns scores into weights.
#
# <!-- ko -->
# # 소프트맥스
#
# 점수를 가중치로 바꿉니다.

# %% task="softmax"
def softmax(x):
    """Return the weights of each row."""
    # ko: """행마다 가중치를 돌려줍니다."""
    ### BEGIN SOLUTION
    return x  # students never see this comment here
    ### END SOLUTION


# %% grade="softmax" points=1
print("the weights of a row add up")
# ko: print("한 행의 가중치를 더합니다")
'''


@pytest.fixture
def read(tmp_path: Path):
    def read_text(text: str) -> NotebookSource:
        path = tmp_path / "02-attention" / "softmax.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return read_source(path)

    return read_text


def check_and_record(source: NotebookSource, record: Path, *, accept: bool = False) -> None:
    """Do what a build that succeeds does."""
    check_translation(source, record, accept=accept)
    record_translation(source, record)


def test_a_translation_that_is_only_checked_is_not_recorded(read, tmp_path):
    check_translation(read(SOURCE), tmp_path / RECORD)
    assert not (tmp_path / RECORD).exists()


def test_a_complete_translation_is_recorded_and_passes_again(read, tmp_path):
    record = tmp_path / RECORD
    check_and_record(read(SOURCE), record)
    lines = record.read_text().splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["02-attention"] * 3
    check_and_record(read(SOURCE), record)
    assert record.read_text().splitlines() == lines


@pytest.mark.parametrize(
    ("old", "new", "cell"),
    [
        ("# <!-- ko -->\n# # 소프트맥스\n#\n# 점수를 가중치로 바꿉니다.\n", "", "text-01"),
        ('    # ko: """행마다 가중치를 돌려줍니다."""\n', "", "task-softmax"),
        ('# ko: print("한 행의 가중치를 더합니다")\n', "", "grade-softmax"),
        ('print("the weights of a row add up")', 'print("ok")  # the weights of a row add up\n', "grade-softmax"),
    ],
    ids=["prose", "docstring", "message", "comment"],
)
def test_a_text_without_korean_stops_the_build(read, tmp_path, old, new, cell):
    text = SOURCE.replace(old, new)
    if "# the" in new:
        text = text.replace('# ko: print("한 행의 가중치를 더합니다")\n', "")
    with pytest.raises(CourseError, match=f"needs its Korean.*none for {cell}"):
        check_translation(read(text), tmp_path / RECORD)


@pytest.mark.parametrize(
    ("old", "new", "cell"),
    [
        ("scores into weights", "scores into probabilities", "text-01"),
        ("the weights of each row", "the weights of each column", "task-softmax"),
        ("of a row add up", "of a row add up to one", "grade-softmax"),
    ],
    ids=["prose", "docstring", "message"],
)
def test_english_that_changed_alone_stops_the_build_unless_it_is_accepted(read, tmp_path, old, new, cell):
    record = tmp_path / RECORD
    check_and_record(read(SOURCE), record)
    before = record.read_text()
    changed = read(SOURCE.replace(old, new))
    assert [gap.cell for gap in stale(changed, before.splitlines())] == [cell]
    with pytest.raises(CourseError, match=f"English changed since.*{cell}.*--accept-translation"):
        check_and_record(changed, record)
    assert record.read_text() == before
    check_and_record(changed, record, accept=True)
    check_and_record(changed, record)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return x ", "return x + 0 "),
        ("# It turns scores into weights.", "# It turns scores\n# into weights."),
        (
            "# %% [markdown]\n# # Softmax",
            "# %% [markdown]\n# # New\n#\n# <!-- ko -->\n# # 새 셀\n\n# %% [markdown]\n# # Softmax",
        ),
    ],
    ids=["code", "line breaks", "a cell before"],
)
def test_what_changes_no_sentence_needs_no_new_korean(read, tmp_path, old, new):
    record = tmp_path / RECORD
    check_and_record(read(SOURCE), record)
    check_and_record(read(SOURCE.replace(old, new)), record)


def test_a_work_that_a_notebook_quotes_needs_no_korean(read):
    quoted = '# %% locked="texts"\nENGLISH_TEXT = """\\\nDown the rabbit-hole she went after it.\n"""\n'
    said = quoted.replace("ENGLISH_TEXT", "message")
    assert missing(read(SOURCE + "\n\n" + quoted)) == []
    assert [gap.cell for gap in missing(read(SOURCE + "\n\n" + said))] == ["texts"]


def test_korean_that_changed_with_its_english_is_recorded(read, tmp_path):
    record = tmp_path / RECORD
    check_and_record(read(SOURCE), record)
    check_and_record(read(SOURCE.replace("into weights", "into shares").replace("가중치로", "몫으로")), record)
    assert len(record.read_text().splitlines()) == 4


def test_other_assignments_lines_stay(read, tmp_path):
    record = tmp_path / RECORD
    record.write_text("# heading\n03-other 0123 4567\n")
    check_and_record(read(SOURCE), record)
    assert "03-other 0123 4567" in record.read_text()


def test_every_notebook_is_in_both_languages(course: Course):
    record = (course.root / "solutions" / RECORD).read_text().splitlines()
    for name in set(course.source_paths) - set(course.english_only):
        source = course.source(name)
        assert missing(source) == []
        assert stale(source, record) == []


RELEASES = sorted((PACKAGE.parent / "assignments").glob("*/*/*.ipynb"))


@pytest.mark.parametrize("path", RELEASES, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_bold_text_ends_where_it_should(path: Path):
    # Markdown takes `**` after a bracket or a backtick, and in front of a letter, for no end: it stays, as two asterisks.
    markdown = MarkdownWithMath(renderer=IPythonRenderer())
    asterisks = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            text = re.sub(
                r"(?s)<code.*?</code>|\$\$.*?\$\$|\$[^$\n]*\$|\[[^\]]*\]: .*", "", markdown.render(cell.source)
            )
            asterisks += [line for line in text.splitlines() if "**" in line]
    assert asterisks == []


FOR_STUDENTS = [
    *(path for path in sorted(PACKAGE.rglob("*.py")) if "starting_course" not in path.parts),
    *sorted((PACKAGE.parent / "solutions").glob("*/*.py")),
]


@pytest.mark.parametrize("path", FOR_STUDENTS, ids=lambda path: str(path.relative_to(PACKAGE.parent)))
def test_every_sentence_for_students_is_in_both_languages(path: Path):
    without = [
        f"line {node.lineno}: {ast.unparse(node)[:80]}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Text"
        and len(node.args) + len(node.keywords) < 2
    ]
    assert without == []


CATALOGUES = sorted((PACKAGE.parent / "solutions").glob("*/mistakes.py"))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.name)
def test_every_hint_and_every_rubric_line_is_in_both_languages(course: Course, path: Path):
    if path.parent.name in course.english_only:
        pytest.skip("the course says that its Korean may still be missing")
    hints = [
        f"{mistake.id}: {mistake.hint.en}" for mistake in read_mistakes(path) if not HANGUL.search(mistake.hint.ko)
    ]
    lines = course.source(path.parent.name).rubric.items()
    titles = [f"{identity}: {line.title.en}" for identity, line in lines if not line.title.ko]  # a formula is the same
    assert hints + titles == []
