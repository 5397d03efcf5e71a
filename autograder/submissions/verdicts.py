"""What a submission earned, and the same as bytes: what workers send back and what the cache keeps. JSON, so reading it runs no code."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.base.text import Text
from autograder.grading import runner
from autograder.grading.rubric import Measurement
from autograder.grading.runner import LineResult, TaskResult
from autograder.sources.rubric_table import RubricLine
from autograder.submissions.submission import Submission

FORMAT = "verdict 4"
STATUSES = ("passed", "missed", "blocked", "ungraded")
MAX_DEPTH = 50
COMPRESSION = 3


@dataclass
class Verdict:
    """What a submission earned and why.

    Attributes:
        assignment, notebook, student, language: ids of the assignment and the student, the notebook's name, the language of the release.
        tasks: task slug -> result.
        notes: sentences for the student about the whole notebook.
        outputs: cell id -> outputs of its execution.
        fault: reason, for the instructor, why tasks are ungraded; empty if none is.
        seconds: wall time of the grading.
        refusal: reason why the file could not be read, so that nothing was earned; None if it could.
    """

    assignment: str
    notebook: str
    student: str
    language: str
    tasks: dict[str, TaskResult]
    notes: list[Text] = field(default_factory=list)
    outputs: dict[str, list[NotebookNode]] = field(default_factory=dict)
    fault: str = ""
    seconds: float = 0.0
    refusal: Text | None = None

    @property
    def points(self) -> float:
        """Points of the graded tasks."""
        return sum(task.points or 0.0 for task in self.tasks.values())

    @property
    def max_points(self) -> float:
        """Points of all tasks."""
        return sum(task.max_points for task in self.tasks.values())

    @property
    def measurements(self) -> list[Measurement]:
        """What was measured of the work, for a leaderboard."""
        return [measurement for task in self.tasks.values() for measurement in task.measurements]

    @property
    def unjudged(self) -> list[str]:
        """Rubric lines that count as missed because the grader failed at the answer, and how it did."""
        missed = [line for task in self.tasks.values() for line in task.lines if line.status == "missed" and line.fault]
        return [f"{line.id}: {line.fault}" for line in missed]

    @property
    def ungraded(self) -> list[str]:
        """Slugs of the tasks that the grader or the machine failed at."""
        return [slug for slug, task in self.tasks.items() if task.points is None]


def refuse(submission: Submission, student: str, text: Text) -> Verdict:
    """Return the verdict on a file that can't be read: nothing earned, with the reason."""
    source = submission.source
    tasks = runner.refused(source, text)
    return Verdict(source.assignment, source.name, student, submission.language, tasks, [text], refusal=text)


def leave_ungraded(submission: Submission, student: str, fault: str) -> Verdict:
    """Return a verdict that grades nothing, because of what the machine failed at."""
    source = submission.source
    tasks = runner.ungraded(source, fault)
    notes = list(submission.notes)
    return Verdict(source.assignment, source.name, student, submission.language, tasks, notes, {}, fault)


def pack(key: str, verdict: Verdict) -> bytes:
    """Return a verdict and its key as bytes.

    Args:
        key: the verdict's key, made of everything that the verdict depends on, without a line break.
        verdict: the verdict to pack; outputs nested too deeply to be written are replaced by a note.
    """
    record = asdict(replace(verdict, outputs={}))  # it would copy every picture
    record["outputs"] = {cell: _writable(outputs) for cell, outputs in verdict.outputs.items()}
    text = f"{FORMAT} {key}\n{json.dumps(record)}"
    return gzip.compress(text.encode("ascii"), COMPRESSION)


def unpack(content: bytes) -> tuple[str, Verdict]:
    """Return the key and the verdict of packed bytes.

    Raises:
        ValueError: they are damaged, cut off or something else.
    """
    try:
        head, _, body = gzip.decompress(content).decode("ascii").partition("\n")
        name, _, key = head.rpartition(" ")
        if name != FORMAT:
            raise ValueError("another format")
        return key, _verdict(json.loads(body))
    # zlib.error is no ValueError; the others are what a record of another shape raises
    except Exception as error:
        raise ValueError(f"The bytes must be a packed verdict. Received: {type(error).__name__}: {error}.") from error


def _verdict(data: Mapping[str, Any]) -> Verdict:
    tasks = {str(slug): _task(task) for slug, task in data["tasks"].items()}
    return Verdict(
        _string(data["assignment"]),
        _string(data["notebook"]),
        _string(data["student"]),
        _string(data["language"]),
        tasks,
        [_text(note) for note in data["notes"]],
        {str(cell): [_output(output) for output in outputs] for cell, outputs in data["outputs"].items()},
        _string(data["fault"]),
        _number(data["seconds"]),
        None if data["refusal"] is None else _text(data["refusal"]),
    )


def _task(data: Mapping[str, Any]) -> TaskResult:
    return TaskResult(
        _string(data["slug"]),
        _number(data["max_points"]),
        tuple(_line(line) for line in data["lines"]),
        tuple(_measurement(measurement) for measurement in data["measurements"]),
    )


def _measurement(data: Mapping[str, Any]) -> Measurement:
    return Measurement(_text(data["name"]), _number(data["value"]), data["lower_is_better"] is True)


def _line(data: Mapping[str, Any]) -> LineResult:
    if data["status"] not in STATUSES:
        raise ValueError(f"a line's status can't be {data['status']!r}")
    rubric = data["line"]
    return LineResult(
        _string(data["id"]),
        RubricLine(
            _string(rubric["task"]),
            _number(rubric["points"]),
            _text(rubric["title"]),
            tuple(_string(need) for need in rubric["needs"]),
        ),
        data["status"],
        None if data["text"] is None else _text(data["text"]),
        None if data["mistake"] is None else _string(data["mistake"]),
        data["unwritten"] is True,
        data["followed"] is True,
        _string(data["fault"]),
        data["raised"] is True,
        tuple(_pattern_row(row) for row in data["pattern"]),
        _string(data["kind"]),
    )


def _pattern_row(row: object) -> str:
    if set(_string(row)) - {"0", "1"}:
        raise ValueError(f"a row of a pattern can't be {row!r}")
    return str(row)


def _text(data: Mapping[str, Any]) -> Text:
    return Text(_string(data["en"]), _string(data["ko"]))


def _output(data: Mapping[str, Any]) -> NotebookNode:
    return cast(NotebookNode, nbformat.from_dict(data))


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"a text can't be {value!r}")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"a number can't be {value!r}")
    return float(value)


def _writable(outputs: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return outputs with those replaced that no notebook could hold: they would stop everybody who writes them."""
    note = "[An output was left out: it is nested too deeply.]\n"
    return [
        output if _is_shallow(output, MAX_DEPTH) else new_output("stream", name="stderr", text=note)
        for output in outputs
    ]


def _is_shallow(value: object, depth: int) -> bool:
    if isinstance(value, (dict, list, tuple)):
        parts = value.values() if isinstance(value, dict) else value
        return depth > 0 and all(_is_shallow(part, depth - 1) for part in parts)
    return True
