"""What platforms are told of a verdict, held against what their documentation says they read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from autograder.base import plain_files
from autograder.base.errors import CourseError, MachineError
from autograder.base.text import Text
from autograder.grading.rubric import Measurement
from autograder.grading.runner import LineResult, TaskResult
from autograder.platforms import formats, writing
from autograder.platforms.formats import FORMATS, formatted
from autograder.sources.rubric_table import RubricLine
from autograder.submissions.verdicts import Verdict

SHAPE = RubricLine("softmax", 0.0, Text("the shape of x", "x의 모양"))
VALUES = RubricLine("softmax", 2.0, Text("weights", "가중치"), ("shape",))
AXIS = RubricLine("softmax", 1.0, Text("any axis", "어느 축이든"), ("values",))
SCORES = RubricLine("scores", 2.0, Text("scaled", "나눈 점수"))
FIGURES = (
    Measurement(Text("Exact match (%)", "완전 일치 (%)"), 99.5),
    Measurement(Text("Weights", "가중치"), 1000.0, lower_is_better=True),
)
NASTY = "\x1b[2J<b>&\u202e\ufffe]]>"

# "Autograder Specifications", section "Output format"; unknown keys are refused here, Gradescope says nothing of them.
TEXT_FORMATS = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
GRADESCOPE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "tests"],
    "properties": {
        "score": {"type": "number", "minimum": 0},
        "execution_time": {"type": "integer", "minimum": 0},
        "output": {"type": "string"},
        "output_format": TEXT_FORMATS,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["score", "max_score", "name"],
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": TEXT_FORMATS,
                    "visibility": VISIBILITY,
                },
            },
        },
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "value"],
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": ["number", "string"]},
                    "order": {"enum": ["asc", "desc"]},
                },
            },
        },
    },
}
# "External grading", section "Grading results": a score between 0 and 1, unless the submission isn't gradable.
PRAIRIELEARN = {
    "type": "object",
    "required": ["score"],
    "properties": {
        "gradable": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "message": {"type": "string"},
        "format_errors": {"type": "array", "items": {"type": "string"}},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "points", "max_points"],
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string"},
                    "points": {"type": "number"},
                    "max_points": {"type": "number"},
                    "message": {"type": "string"},
                },
            },
        },
    },
    "if": {"properties": {"gradable": {"const": False}}},
    "then": {"required": ["format_errors"]},
}
# README of coursera/coursera_autograder.
COURSERA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["fractionalScore", "feedback", "feedbackType"],
    "properties": {
        "fractionalScore": {"type": "number", "minimum": 0, "maximum": 1},
        "feedback": {"type": "string"},
        "feedbackType": {"enum": ["HTML", "TXT"]},
    },
}
# "Guide for Lab Authors", section "Autograders": the last line of what is printed.
AUTOLAB = {
    "type": "object",
    "additionalProperties": False,
    "required": ["scores"],
    "properties": {"scores": {"type": "object", "additionalProperties": {"type": "number"}}},
}
# "Custom validation".
SUBMITTY = {
    "type": "object",
    "required": ["status", "data"],
    "properties": {
        "status": {"enum": ["success", "fail"]},
        "data": {
            "type": "object",
            "required": ["score", "message", "status"],
            "properties": {
                "score": {"type": "number", "minimum": 0, "maximum": 1},
                "message": {"type": "string"},
                "status": {"enum": ["success", "failure", "warning", "information"]},
            },
        },
    },
}


def a_verdict(language: str = "en", why: str = "Not over the last axis.") -> Verdict:
    """Return a verdict of 4 of 5 points."""
    softmax = (
        LineResult("shape", SHAPE, "passed"),
        LineResult("values", VALUES, "passed", followed=True),
        LineResult("axis", AXIS, "missed", Text(why, f"마지막 축이 아닙니다. {why}"), "wrong-axis"),
    )
    tasks = {
        "softmax": TaskResult("softmax", 3.0, softmax),
        "scores": TaskResult("scores", 2.0, (LineResult("scaled", SCORES, "passed"),), FIGURES),
    }
    return Verdict("02-attention", "notebook", "ada", language, tasks, [Text("A copy.", "복사본.")], seconds=1.25)


def a_blocked_verdict() -> Verdict:
    lines = (
        LineResult("shape", SHAPE, "missed", Text("It is (2, 3).")),
        LineResult("values", VALUES, "blocked"),
        LineResult("axis", AXIS, "blocked"),
    )
    return Verdict("02-attention", "notebook", "ada", "en", {"softmax": TaskResult("softmax", 3.0, lines)}, seconds=1.0)


def a_refused_verdict() -> Verdict:
    text = Text("This is no notebook.", "노트북이 아닙니다.")
    line = LineResult("scaled", SCORES, "missed", text)
    return Verdict(
        "02-attention", "n", "ada", "en", {"scores": TaskResult("scores", 2.0, (line,))}, [text], refusal=text
    )


def an_ungraded_verdict() -> Verdict:
    line = LineResult("scaled", SCORES, "ungraded", fault="no disk")
    return Verdict("02-attention", "n", "ada", "en", {"scores": TaskResult("scores", 2.0, (line,))}, fault="no disk")


@pytest.mark.parametrize(
    ("name", "schema"),
    [("gradescope", GRADESCOPE), ("prairielearn", PRAIRIELEARN), ("coursera", COURSERA), ("submitty", SUBMITTY)],
)
@pytest.mark.parametrize(
    "verdict", [a_verdict(), a_verdict("ko", NASTY), a_blocked_verdict(), a_refused_verdict()], ids=str
)
def test_a_result_is_as_the_platform_documents_it(name: str, schema: dict[str, Any], verdict: Verdict) -> None:
    text = formatted(verdict, name)
    jsonschema.validate(json.loads(text), schema)
    assert not set(text) & {"\x1b", "\u202e"}


def test_a_schema_refuses_what_it_should() -> None:
    for schema, wrong in ((GRADESCOPE, {"score": -1, "tests": []}), (PRAIRIELEARN, {"score": 4, "tests": []})):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_gradescope_gets_an_entry_for_each_rubric_line() -> None:
    result = json.loads(formatted(a_verdict(), "gradescope"))
    assert [(test["number"], test["score"], test["max_score"], test["status"]) for test in result["tests"]] == [
        ("1.1", 0, 0, "passed"),
        ("1.2", 2, 2, "passed"),
        ("1.3", 0, 1, "failed"),
        ("2.1", 2, 2, "passed"),
    ]
    assert result["score"] == sum(test["score"] for test in result["tests"]) == 4
    assert result["tests"][2]["name"] == "softmax: any axis"
    assert result["tests"][2]["output"] == "Not over the last axis." and result["output"].startswith("A copy.\n")
    assert result["stdout_visibility"] == "hidden"


def test_a_leaderboard_has_what_was_measured() -> None:
    assert json.loads(formatted(a_verdict("ko"), "gradescope"))["leaderboard"] == [
        {"name": "Exact match (%)", "value": 99.5, "order": "desc"},
        {"name": "Weights", "value": 1000.0, "order": "asc"},
    ]
    assert "leaderboard" not in json.loads(formatted(a_blocked_verdict(), "gradescope"))


def test_a_korean_notebook_gets_its_result_in_korean() -> None:
    result = json.loads(formatted(a_verdict("ko"), "gradescope"))
    assert result["tests"][2]["name"] == "softmax: 어느 축이든" and "마지막 축이" in result["tests"][2]["output"]
    assert "복사본." in result["output"]


def test_a_file_that_can_not_be_read_costs_no_attempt_at_prairielearn() -> None:
    result = json.loads(formatted(a_refused_verdict(), "prairielearn"))
    assert result["gradable"] is False and result["format_errors"] == ["This is no notebook."]


def test_a_file_that_can_not_be_read_earns_nothing_elsewhere() -> None:
    result = json.loads(formatted(a_refused_verdict(), "gradescope"))
    assert result["score"] == 0 and "This is no notebook." in result["output"]


def test_a_long_result_is_cut_to_what_prairielearn_takes() -> None:
    text = formatted(a_verdict(why="ä" * 3_000_000), "prairielearn")
    assert len(text.encode()) < formats.PRAIRIELEARN_BYTES
    jsonschema.validate(json.loads(text), PRAIRIELEARN)
    assert json.loads(text)["score"] == 0.8


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_machine_failed_at_has_no_result(name: str) -> None:
    with pytest.raises(MachineError, match=r"scores ungraded: no disk.*No result was written"):
        formatted(an_ungraded_verdict(), name)


def test_vocareum_gets_a_line_for_each_task() -> None:
    assert list(csv.reader(io.StringIO(formatted(a_verdict(), "vocareum")))) == [["softmax", "2"], ["scores", "2"]]


def test_autolab_reads_the_last_line() -> None:
    *text, last = formatted(a_verdict(), "autolab").rstrip("\n").split("\n")
    jsonschema.validate(json.loads(last), AUTOLAB)
    assert json.loads(last) == {"scores": {"softmax": 2.0, "scores": 2.0}} and "any axis" in "\n".join(text)


@pytest.mark.parametrize("verdict", [a_verdict(), a_verdict("ko", NASTY), a_blocked_verdict()], ids=str)
def test_junit_is_xml_whose_counts_are_right(verdict: Verdict) -> None:
    root = ElementTree.fromstring(formatted(verdict, "junit"))
    assert root.tag == "testsuites" and [suite.get("name") for suite in root] == list(verdict.tasks)
    for element in (root, *root):
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
            assert int(element.get(attribute, "-1")) == len(list(element.iter(tag)))
    failure = next(root.iter("failure"))
    assert failure.text and "\n" not in failure.get("message", "\n")


def test_a_result_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results" / "results.json"
    writing.write_result("first\n", path)
    monkeypatch.setattr(plain_files.os, "fsync", lambda file: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(MachineError, match="could not be written to .*No space left"):
        writing.write_result("second\n", path)
    assert path.read_text() == "first\n" and [each.name for each in path.parent.iterdir()] == ["results.json"]


@pytest.mark.parametrize(
    ("name", "into", "files", "as_json", "said"),
    [
        ("canvas", None, 1, False, "--format must be one of gradescope"),
        ("", "result.json", 1, False, "Name a format too"),
        ("junit", None, 2, False, "Received: 2 notebooks"),
        ("junit", None, 1, True, "Received: 1 notebooks and --json"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    name: str, into: str | None, files: int, as_json: bool, said: str
) -> None:
    paths = [Path("a.ipynb")] * files
    with pytest.raises(CourseError, match=said):
        writing.require_one_format(name, Path(into) if into else None, paths, as_json=as_json)
