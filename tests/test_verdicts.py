"""Verdicts as bytes: everything comes back, nothing else is taken for one."""

from __future__ import annotations

import gzip
import json
from dataclasses import fields
from typing import Any

import pytest
from nbformat.v4 import new_output

from autograder.base.text import Text
from autograder.grading.rubric import Measurement
from autograder.grading.runner import LineResult, TaskResult
from autograder.sources.rubric_table import RubricLine
from autograder.submissions.verdicts import FORMAT, MAX_DEPTH, Verdict, pack, unpack

FIRST = RubricLine("softmax", 2.0, Text("shape", "모양"))
SECOND = RubricLine("softmax", 1.0, Text("any axis"), ("shape",))
PICTURE = {"image/png": "iVBORw0K", "text/plain": "<Figure>", "application/json": {"deep": [1, {"er": None}]}}


def a_verdict(**changes: Any) -> Verdict:
    lines = (
        LineResult("shape", FIRST, "passed", followed=True),
        LineResult(
            "axis",
            SECOND,
            "missed",
            Text("Wrong axis.", "축이 틀렸습니다."),
            "wrong-axis",
            unwritten=True,
            pattern=("10", "01"),
        ),
    )
    parts: dict[str, Any] = {
        "tasks": {
            "softmax": TaskResult("softmax", 3.0, lines, (Measurement(Text("Match (%)", "일치 (%)"), 99.5, True),))
        },
        "notes": [Text("A copy.", "복사본.")],
        "outputs": {
            "plot": [
                new_output("display_data", data=PICTURE),
                new_output("stream", name="stdout", text="\ud800 loss nan"),
            ],
            "empty": [],
        },
        "fault": "",
        "seconds": 1.5,
        "refusal": Text("No notebook.", "노트북이 아닙니다."),
    }
    return Verdict("02-attention", "notebook", "학생/../x", "ko", **(parts | changes))


def test_a_verdict_comes_back_as_it_was() -> None:
    assert unpack(pack("k" * 64, a_verdict())) == ("k" * 64, a_verdict())


def test_no_field_of_a_line_is_lost() -> None:
    line = LineResult(
        id="axis",
        line=SECOND,
        status="missed",
        text=Text("Wrong axis.", "축이 틀렸습니다."),
        mistake="wrong-axis",
        unwritten=True,
        followed=True,
        fault="no disk",
        raised=True,
        pattern=("10", "01"),
        kind="wrong",
    )
    assert [item.name for item in fields(line) if getattr(line, item.name) == item.default] == []
    verdict = a_verdict(tasks={"softmax": TaskResult("softmax", 3.0, (line,))})
    assert unpack(pack("k", verdict))[1] == verdict


def test_an_ungraded_verdict_comes_back_as_it_was() -> None:
    line = LineResult("shape", FIRST, "ungraded", fault="no disk")
    verdict = a_verdict(tasks={"softmax": TaskResult("softmax", 3.0, (line,))}, fault="no disk")
    assert unpack(pack("k", verdict))[1] == verdict
    assert unpack(pack("k", verdict))[1].ungraded == ["softmax"]


def test_outputs_can_be_read_by_attribute() -> None:
    _, verdict = unpack(pack("k", a_verdict()))
    assert verdict.outputs["plot"][0].data["image/png"] == "iVBORw0K"
    assert verdict.outputs["plot"][1].text == "\ud800 loss nan"


def test_an_output_that_no_notebook_could_hold_is_left_out_alone() -> None:
    nested: Any = 1
    for _ in range(100_000):
        nested = [nested]
    output = new_output("display_data", data={"text/plain": "x"})
    output["data"]["application/json"] = nested
    verdict = a_verdict(outputs={"plot": [new_output("stream", text="kept"), output]})
    _, got = unpack(pack("k", verdict))
    assert got.points == verdict.points
    assert got.outputs["plot"][0].text == "kept"
    assert "nested too deeply" in got.outputs["plot"][1].text
    assert MAX_DEPTH >= 20  # what notebooks' widgets and plots need


def _changed(*path: str | int, to: Any) -> bytes:
    head, _, body = gzip.decompress(pack("k", a_verdict())).decode().partition("\n")
    record = json.loads(body)
    part = record
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = to
    return gzip.compress(f"{head}\n{json.dumps(record)}".encode())


LINE = ("tasks", "softmax", "lines", 1)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"not compressed", id="not-compressed"),
        pytest.param(pack("k", a_verdict())[:-9], id="cut-off"),
        pytest.param(pack("k", a_verdict())[:200] + b"?" + pack("k", a_verdict())[201:], id="one-byte-changed"),
        pytest.param(
            gzip.compress(gzip.decompress(pack("k", a_verdict())).replace(FORMAT.encode(), b"verdict 0")),
            id="another-format",
        ),
        pytest.param(gzip.compress(f"{FORMAT} k\n{{}}".encode()), id="nothing-in-it"),
        pytest.param(gzip.compress(f"{FORMAT} k\n[]".encode()), id="a-list"),
        pytest.param(gzip.compress(f"{FORMAT} k\n".encode() + b"[" * 100_000), id="nested"),
        pytest.param(gzip.compress(f"{FORMAT} é\n{{}}".encode()), id="not-ascii"),
        pytest.param(_changed(*LINE, "status", to="full marks"), id="unknown-status"),
        pytest.param(_changed(*LINE, "line", "points", to=float("inf")), id="infinite-points"),
        pytest.param(_changed(*LINE, "line", "points", to="1"), id="points-in-words"),
        pytest.param(_changed(*LINE, "pattern", to=["10", "0<"]), id="a-pattern-of-something-else"),
        pytest.param(_changed(*LINE, "line", "points", to=True), id="points-true"),
        pytest.param(_changed("tasks", "softmax", "max_points", to=None), id="no-maximum"),
        pytest.param(_changed("student", to=7), id="student-a-number"),
        pytest.param(_changed("seconds", to=float("nan")), id="seconds-nan"),
    ],
)
def test_other_bytes_are_no_verdict(content: bytes) -> None:
    with pytest.raises(ValueError, match="must be a packed verdict"):
        unpack(content)
