"""What the given cells of a notebook show: executed once, and kept until its code changes.

The solved notebook is executed, and nothing but what given cells print and draw is taken from it: what students see too, once their answers are
right. What a cell prints is dropped if it holds a line of a solution.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

from autograder.base.errors import CourseError
from autograder.gradebook.handout import FONTS
from autograder.sources.course import Course
from autograder.sources.notebooks import SOLUTION_REGION, NotebookSource, render

FOLDER = ".site-outputs"
GIVEN = ("free", "locked")  # the roles whose outputs may be shown
FORMAT = 1  # of the files in it
OVERWRITTEN = re.compile(r"[^\r\n]*\r+(?=[^\r\n])")
SECRET_CHARACTERS = 20  # of a line; shorter lines give nothing away


@dataclass(frozen=True)
class Output:
    """What a cell has shown.

    Attributes:
        text: what it printed.
        png: or a picture that it drew.
    """

    text: str = ""
    png: bytes = b""


Outputs = dict[str, list[Output]]  # by cell id


def stored_outputs(course: Course, source: NotebookSource, language: str) -> Outputs | None:
    """Return the outputs of an earlier execution of the notebook as it is now, None if there was none."""
    try:
        kept = json.loads(_path(course, source, language).read_text(encoding="utf-8"))
        return {
            cell: _joined([Output(one["text"], base64.b64decode(one["png"], validate=True)) for one in shown])
            for cell, shown in kept.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError, binascii.Error):
        return None


def executed_outputs(
    course: Course, source: NotebookSource, language: str, tell: Callable[[str], None] = lambda line: None
) -> Outputs:
    """Execute the solved notebook, trainings too, and keep what its given cells show.

    Args:
        course: the course whose sources and configuration are used.
        source: the source of the notebook.
        language: the language of the notebook, e.g. `en`.
        tell: called with a line about each output that is left out.

    Raises:
        CourseError: a cell raised, so the pages would show less than students see.
    """
    notebook = render(source, language)
    with tempfile.TemporaryDirectory() as top:
        desk = Path(top) / "notebook"
        desk.mkdir()
        if (course.root / FONTS).is_dir():
            (Path(top) / "fonts").symlink_to(course.root / FONTS)
        environment = {**os.environ, "KERAS_BACKEND": course.backend, "PYTHONHASHSEED": "0"}
        environment.pop("NBGRADER_EXECUTION", None)  # a notebook that is graded leaves its training out
        client = NotebookClient(
            notebook,
            timeout=None,
            kernel_name="python3",
            allow_errors=True,
            resources={"metadata": {"path": str(desk)}},
            config=Config({"KernelManager": {"transport": "ipc", "ip": str(Path(top) / "kernel")}}),
        )
        client.execute(env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        places = [place for place in (top, str(course.root), str(Path.home())) if len(place) > 1]
    outputs = _given(source, language, notebook, places, tell)
    store_outputs(course, source, language, outputs)
    return outputs


def store_outputs(course: Course, source: NotebookSource, language: str, outputs: Outputs) -> None:
    """Keep the outputs of the notebook as it is now, in place of those of an earlier one."""
    path = _path(course, source, language)
    path.parent.mkdir(exist_ok=True)
    partial = path.with_suffix(".partial")
    text = {
        cell: [{"text": one.text, "png": base64.b64encode(one.png).decode("ascii")} for one in shown]
        for cell, shown in outputs.items()
    }
    partial.write_text(json.dumps(text, ensure_ascii=False), encoding="utf-8")
    for older in path.parent.glob(f"{source.assignment}.{language}.*.json"):
        older.unlink()
    partial.replace(path)


def secret_lines(source: NotebookSource) -> set[str]:
    """Return the lines of a notebook's solutions, in every language, that would give an answer away: long ones that it doesn't show anyway."""
    regions: set[str] = set()
    shown: set[str] = set()
    for cell in source.cells:
        for text in cell.texts.values():
            regions.update(line for region in SOLUTION_REGION.findall(text) for line in _stripped(region))
            shown.update(_stripped(SOLUTION_REGION.sub("", text)))
    return {line for line in regions - shown if len(line) >= SECRET_CHARACTERS and not line.startswith("#")}


def _given(
    source: NotebookSource,
    language: str,
    notebook: NotebookNode,
    places: Sequence[str],
    tell: Callable[[str], None],
) -> Outputs:
    """Return what the given cells of an executed notebook show."""
    answers = secret_lines(source)
    found: Outputs = {}
    for cell, known in zip(notebook.cells, source.cells, strict=True):
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                raise CourseError(
                    f"Every cell of a solved notebook must run. Received: {known.id} of {source.assignment} ({language}), which raised "
                    f"{output.ename}: {output.evalue}. Run `autograder check {source.assignment} --only solution:`."
                )
        shown = _joined([one for one in map(_shown, cell.get("outputs", ())) if one is not None])
        if known.role not in GIVEN:
            continue
        for output in shown:
            told = [line for line in answers if line in output.text]
            if told or any(place in output.text for place in places):
                what = "a line of a solution" if told else "a path of this machine"
                tell(f"{source.assignment} ({language}): an output of {known.id} is left out: it holds {what}")
            else:
                found.setdefault(known.id, []).append(output)
    return found


def _joined(outputs: Sequence[Output]) -> list[Output]:
    """Return outputs with what was printed in several goes in one, and of a line that was written over what it said last."""
    joined: list[Output] = []
    for output in outputs:
        if joined and output.text and joined[-1].text:
            joined[-1] = Output(text=joined[-1].text + output.text)
        else:
            joined.append(output)
    said = [Output(text=OVERWRITTEN.sub("", one.text)) if one.text else one for one in joined]
    return [one for one in said if one.png or one.text.strip()]


def _shown(output: NotebookNode) -> Output | None:
    """Return an output as it is kept: what was printed, or a picture; neither warnings nor anything else."""
    data: dict[str, Any] = output.get("data", {})
    if output.output_type == "stream":
        return Output(text=output.text) if output.name == "stdout" else None
    if "image/png" in data:
        return Output(png=base64.b64decode(data["image/png"]))
    return Output(text=data["text/plain"]) if "text/plain" in data else None


def _stripped(code: str) -> list[str]:
    return [line.strip() for line in code.splitlines()]


def _path(course: Course, source: NotebookSource, language: str) -> Path:
    """Return where the outputs of a notebook are kept: the name changes with whatever they depend on."""
    code = [cell.texts[language] for cell in source.cells if cell.role != "prose"]
    key = hashlib.sha256(json.dumps([FORMAT, course.backend, code]).encode()).hexdigest()[:20]
    return course.root / FOLDER / f"{source.assignment}.{language}.{key}.json"
