"""A lost task gets the name of a known mistake if its answers are those of exactly that entry of the catalogue.

What each entry answers to the practice questions about the lines that it misses is recorded beside the catalogue, in
`solutions/<assignment>/answers.json`, by `autograder check ASSIGNMENT --record-answers`. These questions are the same for everybody and
no secret. The answers of a student's code to them are compared with the record: an entry fits if it misses the same lines with the same
answers. If exactly one does, and no other is near, it names what happened and its hint is shown. No points depend on a name.

Where answers are chance, as in dropout, the sentence that the line tells counts with them. Where nothing is recorded, as of trainings, an entry
may say by which sentence it is known.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.base.errors import CourseError
from autograder.grading.runner import LineResult, TaskResult, mistakes_of
from autograder.grading.sketches import APART, NEAR, Sketch, alike, sketch
from autograder.sources.catalogue import bare
from autograder.sources.notebooks import NotebookSource

RECORD_NAME = "answers.json"
FORMAT = 1  # to be raised when the engine draws other questions or makes other sketches
# The engine's own sentences, which are recorded where answers are chance.
SENTENCES_FILE = Path(__file__).with_name("expectations.py")

SENTENCE = "said"  # kind of the sketch of a line's sentence
Answers = Mapping[str, Sequence[Sketch]]  # of one task: line id -> what was answered to its questions, in their order


@dataclass(frozen=True)
class RecordedAnswers:
    """What the entries of a catalogue answered to the practice questions.

    Attributes:
        entries: mistake id -> answers about the lines that it misses, all of one task.
    """

    entries: Mapping[str, Answers] = field(default_factory=dict)

    def fitting(self, answers: Answers) -> str | None:
        """Return the id of the one entry that misses the same lines with the same answers, or None.

        Args:
            answers: the answers about all lost lines of a task, each of which was missed in practice too.
        """
        same_lines = {name: lines for name, lines in self.entries.items() if lines.keys() == answers.keys()}
        close = [name for name, lines in same_lines.items() if _agree(answers, lines, APART)]
        return close[0] if len(close) == 1 and _agree(answers, same_lines[close[0]], NEAR) else None


def with_name(source: NotebookSource, result: TaskResult, practised: TaskResult, answers: Answers) -> TaskResult:
    """Return the result of a task, with a known mistake's name and hint at the first lost line if the answers are that mistake's.

    Args:
        source: the source of the assignment's notebook.
        result: the task's result, which is returned with or without a name.
        practised: the same task's result with the practice questions.
        answers: line id -> sketches of the answers to the line's practice questions.
    """
    lost = [line.id for line in result.lines if line.status == "missed"]
    missed = {line.id for line in practised.lines if line.status == "missed"}
    if not lost or not set(lost) <= missed & answers.keys():
        return result
    with_sentence = with_sentences(practised, answers)
    name = recorded_answers(source).fitting({line: with_sentence[line] for line in lost})
    return result if name is None else _named(source, result, name)


def with_name_by_sentence(source: NotebookSource, result: TaskResult) -> TaskResult:
    """Return the result of a task, named after the only known mistake whose `sentence` is part of the first lost line's text.

    A task that has a name keeps it. This is for answers that aren't recorded, such as trainings. The student reads the sentence anyway, so the
    name tells nothing more.

    Args:
        source: the source of the assignment's notebook.
        result: the task's result, with the texts that the student reads.
    """
    lost = next((line for line in result.lines if line.status == "missed"), None)
    if lost is None or lost.kind != "wrong" or lost.text is None or any(line.mistake for line in result.lines):
        return result
    entries = [e for e in mistakes_of(source.folder).values() if e.sentence and e.task == result.slug]
    names = [entry.id for entry in entries if lost.id in entry.misses and entry.sentence in lost.text.en]
    return _named(source, result, names[0]) if len(names) == 1 else result


def _named(source: NotebookSource, result: TaskResult, name: str) -> TaskResult:
    """Return the result of a task with a mistake's name and hint at its first lost line."""
    hint = mistakes_of(source.folder)[name].hint
    lost = next(line.id for line in result.lines if line.status == "missed")
    lines = tuple(
        replace(line, text=line.text + hint if line.text else hint, mistake=name) if line.id == lost else line
        for line in result.lines
    )
    return replace(result, lines=lines)


def with_sentences(practised: TaskResult, answers: Answers) -> Answers:
    """Return the answers about each line of a task, with the sentence that the line tells as the last sketch.

    Args:
        practised: what became of the lines in practice.
        answers: line id -> what was answered to the practice questions.
    """
    lines = {line.id: line for line in practised.lines}
    return {line: [*sketches, _sketch_of_sentence(lines[line])] for line, sketches in answers.items()}


def without_sentence(answers: Sequence[Sketch]) -> Sequence[Sketch]:
    """Return the answers about a line without the sentence that it tells, if that is among them."""
    return answers[:-1] if answers and answers[-1][0] == SENTENCE else answers


_recorded: dict[Path, RecordedAnswers] = {}  # by the assignment's folder


def recorded_answers(source: NotebookSource) -> RecordedAnswers:
    """Return the recorded answers of an assignment, none if there is no record or it is not of today's questions and mistakes.

    They are read once a process, or until `forget_recorded_answers`.

    Args:
        source: the source of the assignment's notebook.
    """
    if source.folder not in _recorded:
        _recorded[source.folder] = _usable_record(source)
    return _recorded[source.folder]


def _usable_record(source: NotebookSource) -> RecordedAnswers:
    try:
        usable = has_record(source.folder) and not staleness(source)
        return _read(source.folder / RECORD_NAME)[1] if usable else RecordedAnswers()
    except CourseError:  # grading goes on without names; `autograder check` and the tests tell
        return RecordedAnswers()


def forget_recorded_answers() -> None:
    """Have all records read anew."""
    _recorded.clear()


def has_record(folder: Path) -> bool:
    """Return whether the names of an assignment's mistakes come from recorded answers."""
    return (folder / RECORD_NAME).is_file()


def staleness(source: NotebookSource) -> str:
    """Return why an assignment's record can't be used, in a sentence for the instructor; empty if it can.

    Args:
        source: the source of the assignment's notebook, in whose folder a record lies.

    Raises:
        CourseError: the record is malformed.
    """
    path = source.folder / RECORD_NAME
    digest, answers = _read(path)
    again = f"Run `autograder check {source.folder.name} --record-answers`."
    if digest != _digest(source):
        return f"{path} was recorded before graders, mistakes or solutions were changed. {again}"
    if path.read_text(encoding="utf-8") != _written(digest, answers):
        return f"{path} is not as it was recorded. {again}"
    return ""


def write_answers(source: NotebookSource, answers: RecordedAnswers) -> Path:
    """Write an assignment's record, one entry a line, and return its path.

    Args:
        source: the source of the assignment's notebook.
        answers: what the entries of the assignment's catalogue answered.
    """
    path = source.folder / RECORD_NAME
    path.write_text(_written(_digest(source), answers), encoding="utf-8")
    return path


def _agree(answers: Answers, recorded: Answers, within: int) -> bool:
    return all(_alike(answers[line], recorded[line], within) for line in recorded)


def _alike(answers: Sequence[Sketch], recorded: Sequence[Sketch], within: int) -> bool:
    has_sentence = bool(recorded) and recorded[-1][0] == SENTENCE
    return alike(answers if has_sentence else without_sentence(answers), recorded, within)


def _sketch_of_sentence(line: LineResult) -> Sketch:
    """Return the sketch of a missed line's sentence; an empty one where that quotes a student's exception or was named by the grader."""
    if line.status != "missed" or line.kind != "wrong" or line.mistake or line.text is None:
        return [SENTENCE]
    return [SENTENCE, *sketch(line.text.en)]


def _written(digest: str, answers: RecordedAnswers) -> str:
    entries = {name: lines for name, lines in answers.entries.items() if lines}
    rows = [f"{json.dumps(name)}: {_compact(entries[name])}" for name in sorted(entries)]
    seal = hashlib.sha256("\n".join((digest, *rows)).encode()).hexdigest()
    head = f'{{"format": {FORMAT}, "of": "{digest}", "seal": "{seal}", "entries": {{'
    return head + "\n" + ",\n".join(rows) + "\n}}\n"


def _compact(lines: Answers) -> str:
    return json.dumps(dict(sorted(lines.items())), separators=(",", ":"))


def _read(path: Path) -> tuple[str, RecordedAnswers]:
    """Return the digest of what a record was made of, and the record."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise ValueError(f"format {found['format']}")
        return str(found["of"]), RecordedAnswers({str(name): dict(lines) for name, lines in found["entries"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(
            f"Recorded answers must be a file that `autograder check --record-answers` wrote. Received: {path}: {error}."
        ) from error


def _digest(source: NotebookSource) -> str:
    """Return the SHA-256 of what the recorded answers depend on: questions, sentences, mistakes, and the right cells around them."""
    folder = source.folder
    right = {c.id: bare(c.texts["en"]) for c in source.cells if c.role in ("locked", "task", "carry-over")}
    mistakes = [
        (entry.id, entry.task, entry.code, sorted(entry.misses), dict(entry.limits), entry.backends)
        for entry in mistakes_of(folder).values()
    ]
    files = {str(path.relative_to(folder.parent)): path.read_text(encoding="utf-8") for path in grader_files(folder)}
    content = json.dumps([FORMAT, SENTENCES_FILE.read_text(encoding="utf-8"), files, mistakes, right], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def grader_files(folder: Path) -> set[Path]:
    """Return the path of an assignment's graders and of all course files that they import."""
    found: set[Path] = set()
    queue = [folder / "graders.py"]
    while queue:
        path = queue.pop()
        if path.is_file() and path not in found:
            found.add(path)
            queue.extend(_imported(path))
    return found


def _imported(path: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            yield base.with_suffix(".py")
            yield from (base / f"{alias.name}.py" for alias in node.names)
