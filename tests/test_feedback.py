"""What a student reads about a task."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from autograder.base.text import Text
from autograder.grading.runner import LineResult, TaskResult
from autograder.report.feedback import task_html, task_text
from autograder.sources.rubric_table import RubricLine

LINE = RubricLine("softmax", 1.0, Text("along the last axis", "마지막 축을 따라"))
EVIL = "<script>alert(1)</script>"


def a_task(*lines: LineResult) -> TaskResult:
    return TaskResult("softmax", float(len(lines)), lines)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(
    ("line", "mark", "said"),
    [
        (LineResult("a", LINE, "passed"), "✓", {"en": "", "ko": ""}),
        (
            LineResult("a", LINE, "passed", followed=True),
            "✓",
            {"en": "once the earlier task it builds on is corrected", "ko": "앞 과제가 맞다고"},
        ),
        (LineResult("a", LINE, "missed", Text("Wrong.", "틀렸습니다.")), "✗", {"en": "Wrong.", "ko": "틀렸습니다."}),
        (LineResult("a", LINE, "blocked"), "–", {"en": "a line above", "ko": "위의 항목"}),
        (LineResult("a", LINE, "ungraded", fault="no disk"), "?", {"en": "the grader failed", "ko": "채점기의 문제"}),
    ],
    ids=["passed", "followed", "missed", "blocked", "ungraded"],
)
def test_each_line_has_its_mark_and_reason(line: LineResult, mark: str, said: dict[str, str], language: str) -> None:
    for text in (task_text(a_task(line), language), task_html(a_task(line), language)):
        assert mark in text
        assert LINE.title.in_language(language) in text
        assert said[language] in text
        assert "no disk" not in text


def test_what_the_student_wrote_is_text() -> None:
    html = task_html(a_task(LineResult("a", LINE, "missed", Text(EVIL, EVIL))), "en")
    assert EVIL not in html
    assert "&lt;script&gt;" in html


def test_what_stands_between_backticks_is_code() -> None:
    line = RubricLine("softmax", 1.0, Text("along `axis`", "`axis`를 따라"))
    html = task_html(a_task(LineResult("a", line, "missed", Text("Use `axis=-1`.", "`axis=-1`을 쓰세요."))), "en")
    assert "along <code>axis</code>" in html and "Use <code>axis=-1</code>." in html


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_pattern_is_a_picture_with_one_cross_per_wrong_entry_and_a_description(language: str) -> None:
    html = task_html(
        a_task(LineResult("a", LINE, "missed", Text("Wrong."), pattern=("1101", "0111", "1110"))), language
    )
    picture = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    paths = [path.attrib for path in picture.iter("path")]
    assert [path["d"].count("M") for path in paths[:2]] == [3, 3]
    assert paths[0]["d"] == "M24 0h12v12h-12zM0 12h12v12h-12zM36 24h12v12h-12z"
    assert picture.attrib["role"] == "img"
    assert picture.attrib["aria-label"] == picture.findtext("title")
    assert {"en": "wrong", "ko": "틀린"}[language] in picture.attrib["aria-label"]


def test_a_pattern_is_shown_with_its_line_only() -> None:
    missed = LineResult("a", LINE, "missed", Text("Wrong."), pattern=("10", "01"))
    assert task_html(a_task(missed, LineResult("b", LINE, "passed")), "en").count("<svg") == 1
