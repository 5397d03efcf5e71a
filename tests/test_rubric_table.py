"""Rubrics as tables: what a row says, and what is refused with which sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.base.errors import CourseError
from autograder.base.text import Text
from autograder.sources.rubric_table import RubricLine, read_rubric

HEAD = "| line | points | English | Korean | after |\n|---|--:|---|---|---|\n"
SHAPE = "| mask-shape | 0 | the shape (batch, 1) | 모양 (batch, 1) | |\n"
VALUES = "| mask-values | 1.5 | 1 at padding | 패딩에는 1 | mask-shape |\n"
SIZES = "| mask-sizes | 1 | any size | 어떤 크기든 | mask-shape, mask-values |\n"
OTHER = f"\n## softmax\n\n{HEAD}| softmax-shape | 2 | the shape | 모양 | |\n"
RUBRIC = f"# Rubric\n\nWords, and `|` in them.\n\n## mask\n\n{HEAD}{SHAPE}{VALUES}{SIZES}{OTHER}"
TASKS = ("mask", "softmax")


def _read(folder: Path, text: str) -> dict[str, RubricLine]:
    path = folder / "rubric.md"
    path.write_text(text, encoding="utf-8")
    return read_rubric(path, TASKS)


def test_lines_come_in_the_order_of_the_rows_with_their_tasks(tmp_path: Path) -> None:
    assert [(identity, line.task) for identity, line in _read(tmp_path, RUBRIC).items()] == [
        ("mask-shape", "mask"),
        ("mask-values", "mask"),
        ("mask-sizes", "mask"),
        ("softmax-shape", "softmax"),
    ]


def test_a_row_says_points_both_texts_and_what_it_comes_after(tmp_path: Path) -> None:
    assert _read(tmp_path, RUBRIC)["mask-values"] == RubricLine(
        "mask", 1.5, Text("1 at padding", "패딩에는 1"), ("mask-shape",)
    )


def test_a_line_may_come_after_several(tmp_path: Path) -> None:
    assert _read(tmp_path, RUBRIC)["mask-sizes"].needs == ("mask-shape", "mask-values")


def test_whole_points_stay_whole_numbers(tmp_path: Path) -> None:
    assert [repr(line.points) for line in _read(tmp_path, RUBRIC).values()] == ["0", "1.5", "1", "2"]


def test_an_escaped_bar_is_part_of_a_text(tmp_path: Path) -> None:
    text = RUBRIC.replace("any size", r"the size \|x\|")
    assert _read(tmp_path, text)["mask-sizes"].title.en == "the size |x|"


def test_the_width_of_a_table_does_not_matter(tmp_path: Path) -> None:
    wide = RUBRIC.replace("|---|--:|", "| :--- | ---: |").replace("| mask-shape | 0 |", "|  mask-shape   |0|")
    assert _read(tmp_path, wide) == _read(tmp_path, RUBRIC)


def test_korean_may_be_missing_while_a_notebook_is_in_english_only(tmp_path: Path) -> None:
    assert _read(tmp_path, RUBRIC.replace("어떤 크기든", ""))["mask-sizes"].title == Text("any size")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("## softmax", "## sotfmax", 13, r"one of the notebook's tasks: mask, softmax\. Received: 'sotfmax'"),
        ("## softmax", "## mask", 13, r"one heading and one table\. Received: `## mask` a second time"),
        ("## mask\n", "\n", 7, r"must stand below the heading `## <task>` of its task\. Received: '\| line \|"),
        ("| line | points |", "| line | marks |", 7, r"Row 1 of a rubric's table must be `\| line \| points \|"),
        ("|---|--:|", "| mask-a | 1 |", 8, r"Row 2 of a rubric's table must be `\| --- \| --- \|"),
        ("1.5 | 1 at padding", "1.5 | 1 | 0", 10, r"have 5 cells: .*Received: '\| mask-values"),
        ("| 패딩에는 1 | mask-shape |", "| 패딩에는 1 |", 10, r"have 5 cells: line, points, English, Korean, after"),
        ("| mask-values", "mask-values", 10, r"must begin and end with `\|`"),
        ("mask-shape, mask-values |", "mask-shape, mask-values", 11, r"must begin and end with `\|`"),
        ("| mask-sizes", "| Mask_sizes", 11, r"its test's name in small letters.*Received: 'Mask_sizes'"),
        ("| mask-sizes", "|", 11, r"its test's name in small letters.*Received: ''"),
        ("| mask-sizes", "| mask-values", 11, r"its own id\. Received: 'mask-values' a second time"),
        ("| softmax-shape", "| mask-shape", 17, r"its own id\. Received: 'mask-shape' a second time"),
        *(
            ("| 1.5 |", f"| {points} |", 10, rf"a number of 0 or more, .*Received: '{points}' for 'mask-values'")
            for points in ("", "-1", "nan", "inf", "1e3", "½", "one", "1,5")
        ),
        ("any size", "", 11, r"needs an English text, .*Received: none for 'mask-sizes'"),
        (
            "mask-shape, mask",
            "mask-shap, mask",
            11,
            r"earlier lines .*: mask-shape, mask-values\. Received: mask-shap for",
        ),
        ("1 | mask-shape |", "1 | mask-sizes |", 10, r"earlier lines .*: mask-shape\. Received: mask-sizes for"),
        ("1 | mask-shape |", "1 | mask-values |", 10, r"earlier lines .*: mask-shape\. Received: mask-values for"),
        (
            "모양 | |",
            "모양 | mask-shape |",
            17,
            r"none, for this is its first\. Received: mask-shape for 'softmax-shape'",
        ),
    ],
)
def test_a_wrong_rubric_is_refused_with_its_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, said: str
) -> None:
    assert old in RUBRIC
    with pytest.raises(CourseError, match=said) as caught:
        _read(tmp_path, RUBRIC.replace(old, new, 1))
    assert f"rubric.md, line {line}." in str(caught.value)


def test_a_rubric_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"needs a rubric.*FileNotFoundError"):
        read_rubric(tmp_path / "rubric.md", TASKS)
