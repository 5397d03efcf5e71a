"""Submitted files: what is read and what refused, and how answers get back into their assignment's shape."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import random
import sys
import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell
from nbgrader.nbgraderformat import MetadataValidator

from autograder.base.errors import MachineError, SubmissionError
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY, NotebookSource, render
from autograder.submissions import evaluation, submission
from autograder.submissions.evaluation import grade_file
from autograder.submissions.files_beside import named_files, read_files
from autograder.submissions.intake import Intake, take_in
from autograder.submissions.notebook_file import ID, MAX_CELLS, only_notebook, parse_notebook, read_submission
from autograder.submissions.submission import Submission, blank, repair

ROOT = Path(__file__).resolve().parents[1]
SECRET = "only for these tests"
TASKS = ("softmax", "attention-scores", "scaled-dot-product", "projections", "score-scale", "additive")
Cells = list[dict[str, Any]]


@cache
def _source(assignment: str = "02-attention") -> NotebookSource:
    return Course(root=ROOT, secret=SECRET).source(assignment)


@cache
def _filled_text(language: str = "en") -> str:
    """Return the release with an answer in every task cell, as JSON."""
    notebook = render(_source(), language)
    for cell in notebook.cells:
        if cell.id.startswith("task-"):
            cell.source = _answer(cell.id)
    return nbformat.writes(notebook)


def _answer(grade_id: str) -> str:
    (name,) = _source().defined_names[grade_id]
    return f"def {name}(*args):\n    return 'the answer of {grade_id}'"


def _filled(language: str = "en") -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_filled_text(language))
    return data


def _repaired(data: object) -> Submission:
    return repair(parse_notebook(json.dumps(data).encode()), _source())


def _edited(edit: Callable[[Cells], object]) -> Submission:
    data = _filled()
    edit(data["cells"])
    return _repaired(data)


def _at(cells: Cells, cell_id: str) -> int:
    return next(i for i, cell in enumerate(cells) if cell["id"] == cell_id)


def _notes(submission: Submission) -> list[str]:
    return [note.en for note in submission.notes]


def _answers(submission: Submission) -> dict[str, str]:
    return {f"task-{slug}": submission.answer(f"task-{slug}") for slug in TASKS}


ALL_ANSWERS = {f"task-{slug}" for slug in TASKS}


def _right_answers(submission: Submission) -> set[str]:
    return {grade_id for grade_id, answer in _answers(submission).items() if answer == _answer(grade_id)}


# --- bytes of a notebook ---------------------------------------------------------------------------------------------

UNREADABLE = "not a readable notebook"
NOT_FORMAT_4 = "not a Jupyter notebook of format 4"


def _with(**changes: object) -> bytes:
    return json.dumps({**_filled(), **changes}).encode()


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (lambda: b"", UNREADABLE),
        (lambda: b"print('hello')", UNREADABLE),
        (lambda: _filled_text().encode()[:-200], UNREADABLE),
        (lambda: b"\0" * 100, UNREADABLE),
        (lambda: _filled_text().encode("utf-16"), UNREADABLE),
        (lambda: _filled_text("en").replace("softmax", "caf\xe9").encode("latin-1", "replace"), UNREADABLE),
        (lambda: b"[" * 200_000, UNREADABLE),
        (lambda: b'{"nbformat": 4, "cells": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", UNREADABLE),
        (lambda: b"9" * 10_000, UNREADABLE),
        (lambda: b"[]", NOT_FORMAT_4),
        (lambda: b"null", NOT_FORMAT_4),
        (lambda: b'"text"', NOT_FORMAT_4),
        (lambda: b"{}", NOT_FORMAT_4),
        (lambda: _with(nbformat=9), NOT_FORMAT_4),
        (lambda: _with(nbformat=2), NOT_FORMAT_4),
        (lambda: _with(nbformat="4"), NOT_FORMAT_4),
        (lambda: _with(nbformat=[4]), NOT_FORMAT_4),
        (lambda: _with(nbformat=None), NOT_FORMAT_4),
        (lambda: _with(cells=None), NOT_FORMAT_4),
        (lambda: _with(cells={"0": {}}), NOT_FORMAT_4),
        (lambda: _with(cells=[{}] * (MAX_CELLS + 1)), "2001 cells, of at most 2000"),
        (lambda: _with(nbformat=3), NOT_FORMAT_4),
        (lambda: b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [5]}', NOT_FORMAT_4),
    ],
    ids=[
        "empty",
        "not JSON",
        "truncated",
        "NUL bytes",
        "UTF-16",
        "latin-1",
        "nested deeply",
        "cells nested deeply",
        "huge number",
        "list",
        "null",
        "string",
        "empty object",
        "format 9",
        "format 2",
        "format as string",
        "format as list",
        "no format",
        "no cells",
        "cells as object",
        "too many cells",
        "cells of format 4 called 3",
        "damaged format 3",
    ],
)
def test_what_is_no_notebook_is_refused(content, match):
    with pytest.raises(SubmissionError, match=match):
        parse_notebook(content())


def test_a_refusal_is_told_in_korean_too():
    with pytest.raises(SubmissionError, match=UNREADABLE) as caught:
        parse_notebook(b"")
    assert "노트북" in caught.value.text.ko


def test_a_byte_order_mark_is_harmless():
    assert _right_answers(repair(parse_notebook(b"\xef\xbb\xbf" + _filled_text().encode()), _source())) == ALL_ANSWERS


def test_nothing_is_remarked_about_the_ids_of_what_was_read():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validator.normalize(parse_notebook(_filled_text().encode()))


def test_a_notebook_of_format_3_is_converted():
    old = nbformat.convert(nbformat.reads(_filled_text(), 4), 3)
    assert _right_answers(_repaired(old)) == ALL_ANSWERS


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ({"cell_type": "code", "source": ["a\n", "b"]}, "a\nb"),
        ({"cell_type": "code", "source": ["a\n", 5, None, "b"]}, "a\nb"),
        ({"cell_type": "code", "source": 5}, ""),
        ({"cell_type": "code", "source": {"a": 1}}, ""),
        ({"cell_type": "code"}, ""),
        ({}, ""),
        ({"cell_type": "code", "source": "x = '\ud800'"}, "x = '?'"),
        ({"cell_type": "code", "source": "a\0b"}, "a\0b"),
        ({"cell_type": 7, "source": "x"}, "x"),
        ({"cell_type": ["code"], "source": "x"}, "x"),
        ({"cell_type": "code", "source": "x", "metadata": [1]}, "x"),
        ({"cell_type": "code", "source": "x", "metadata": {"nbgrader": "task"}}, "x"),
        ({"cell_type": "code", "source": "x", "metadata": {"nbgrader": {"grade_id": {"a": 1}}}, "id": 9}, "x"),
        ({"cell_type": "code", "source": "x", "outputs": "none", "execution_count": "many", "attachments": 3}, "x"),
    ],
    ids=[
        "lines",
        "lines of wrong types",
        "source a number",
        "source an object",
        "no source",
        "empty",
        "lone surrogate",
        "NUL",
        "type a number",
        "type a list",
        "metadata a list",
        "nbgrader a string",
        "ids of wrong types",
        "outputs of wrong types",
    ],
)
def test_a_damaged_cell_keeps_the_text_that_it_has(cell, text):
    notebook = parse_notebook(_with(cells=[cell]))
    assert [c.source for c in notebook.cells] == [text]


@pytest.mark.parametrize("raw", [None, 5, "x", ["x"], True], ids=["null", "number", "string", "list", "bool"])
def test_what_is_no_cell_is_left_out(raw):
    assert parse_notebook(_with(cells=[raw])).cells == []


@pytest.mark.parametrize("metadata", [None, [], "x", 5], ids=["null", "list", "string", "number"])
def test_notebook_metadata_of_a_wrong_type_is_harmless(metadata):
    assert _right_answers(_repaired({**_filled(), "metadata": metadata})) == ALL_ANSWERS


@pytest.mark.parametrize("told", [None, [], "ko", {"language": ["ko"]}, {"language": "fr"}, {"language": {}}], ids=str)
def test_a_course_entry_of_a_wrong_type_is_harmless(told):
    assert _repaired({**_filled(), "metadata": {NOTEBOOK_KEY: told}}).language == "en"


def test_deeply_nested_metadata_costs_nothing():
    nested = "[" * 900 + "]" * 900
    deep = f'{{"cells": [], "nbformat": 4, "metadata": {{"{NOTEBOOK_KEY}": {nested}}}}}'
    assert parse_notebook(deep.encode()).cells == []


# --- files -----------------------------------------------------------------------------------------------------------


def _make_link(path: Path) -> None:
    target = path.with_name("target.ipynb")
    target.write_text(_filled_text())
    path.symlink_to(target)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda path: None, "missing from the submission"),
        (_make_link, "is a link"),
        (lambda path: path.symlink_to("nowhere"), "is a link"),
        (Path.mkdir, "not a plain file"),
        (os.mkfifo, "not a plain file"),
        (lambda path: path.write_bytes(b" " * 3_000_001), "larger than 3 MB: clear its outputs"),
        (lambda path: path.write_bytes(b""), UNREADABLE),
    ],
    ids=["missing", "link", "dangling link", "folder", "pipe", "too large", "empty"],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path, make, match):
    make(tmp_path / "notebook.ipynb")
    with pytest.raises(SubmissionError, match=match):
        read_submission(tmp_path / "notebook.ipynb", 3_000_000)


def _failing(number: int, path: Path) -> Callable[..., Any]:
    """Return a function that fails at one path, as the system's do."""

    def fail(asked: Any, *_: Any, **__: Any) -> Any:
        assert Path(asked) == path
        raise OSError(number, os.strerror(number), str(path))

    return fail


def test_a_socket_is_no_notebook(tmp_path: Path) -> None:
    os.mknod(tmp_path / "notebook.ipynb", 0o140600)
    with pytest.raises(SubmissionError, match="not a plain file"):
        read_submission(tmp_path / "notebook.ipynb", 3_000_000)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO, errno.ESTALE, errno.EACCES], ids=errno.errorcode.get)
def test_a_machine_that_cannot_open_a_notebook_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "notebook.ipynb"
    path.write_text(_filled_text())
    monkeypatch.setattr(os, "open", _failing(number, path))
    with pytest.raises(
        MachineError, match=f"^The notebook could not be read where it is graded: {os.strerror(number)}"
    ):
        read_submission(path, 3_000_000)


def test_a_notebook_that_its_own_permissions_close_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "notebook.ipynb"
    path.write_text(_filled_text())
    path.chmod(0o040)
    monkeypatch.setattr(os, "open", _failing(errno.EACCES, path))
    with pytest.raises(SubmissionError, match="permissions let nobody read it"):
        read_submission(path, 3_000_000)


def test_a_machine_that_fails_while_it_reads_a_notebook_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notebook.ipynb"
    path.write_text(_filled_text())

    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fdopen", fail)
    with pytest.raises(MachineError, match="Input/output error"):
        read_submission(path, 3_000_000)


def test_a_folder_that_cannot_be_read_is_no_missing_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "listdir", _failing(errno.EIO, tmp_path))
    with pytest.raises(MachineError, match="^The submission's folder could not be read"):
        only_notebook(tmp_path / "blocks.ipynb")


@pytest.mark.parametrize("place", ["absent", "file"])
def test_a_notebook_in_no_folder_is_missing(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SubmissionError, match="is missing from the submission"):
        only_notebook(tmp_path / place / "blocks.ipynb")


def test_a_file_of_exactly_the_limit_is_read(tmp_path):
    content = _filled_text().encode()
    (tmp_path / "notebook.ipynb").write_bytes(content)
    assert len(read_submission(tmp_path / "notebook.ipynb", len(content)).cells) == len(_source().cells)


@pytest.mark.parametrize("name", ["blocks.ipynb", "my blocks.ipynb", "BLOCKS.IPYNB", "blocks.Ipynb"])
def test_the_only_notebook_is_found_however_it_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}")
    (tmp_path / "notes.txt").write_text("")
    assert only_notebook(tmp_path / "blocks.ipynb") == tmp_path / name


def test_the_expected_name_goes_before_others_and_several_others_are_refused(tmp_path: Path) -> None:
    for name in ("a.ipynb", "B.IPYNB"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(SubmissionError, match="several other notebooks"):
        only_notebook(tmp_path / "blocks.ipynb")
    (tmp_path / "blocks.ipynb").write_text("{}")
    assert only_notebook(tmp_path / "blocks.ipynb") == tmp_path / "blocks.ipynb"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a submission's folder with a plain file `data.csv` and a secret outside it."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "data.csv").write_bytes(b"1,2")
    return tmp_path / "submission"


def test_plain_files_are_read(folder):
    assert read_files(folder, 100)[0] == {"data.csv": b"1,2"}


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: (folder / "link.txt").symlink_to(folder.parent / "secret.txt"),
        lambda folder: (folder / "linked").symlink_to(folder.parent),
        lambda folder: (folder / "gone").symlink_to("nowhere"),
        lambda folder: os.mkfifo(folder / "pipe"),
        lambda folder: (folder / "deeper").mkdir(),
        lambda folder: (folder / "big.bin").write_bytes(b"x" * 101),
        lambda folder: (folder / "other.ipynb").write_text("{}"),
        lambda folder: (folder / "OTHER.IPYNB").write_text("{}"),
    ],
    ids=["link", "link to a folder", "dangling link", "pipe", "folder", "big file", "notebook", "large notebook name"],
)
def test_what_is_no_small_plain_file_is_ignored(folder, make):
    make(folder)
    assert read_files(folder, 100)[0] == {"data.csv": b"1,2"}


def test_files_that_together_exceed_the_limit_are_left_out(folder):
    for name in ("a", "b", "z"):
        (folder / name).write_bytes(b"x" * 40)
    assert list(read_files(folder, 100)[0]) == ["a", "b", "data.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_ignored(folder):
    (folder / "closed").write_text("closed")
    (folder / "closed").chmod(0)
    assert read_files(folder, 100)[0] == {"data.csv": b"1,2"}


def test_a_file_that_does_not_fit_is_told(folder: Path) -> None:
    (folder / "z.bin").write_bytes(b"x" * 1_500_000)
    _, (note,) = read_files(folder, 1_000_000)
    assert note.en.startswith("Left out: `z.bin` (1.5 MB). The files beside the notebook may be 1 MB in all")
    assert note.ko.startswith("제외한 파일: `z.bin` (1.5 MB). 노트북 옆의 파일은 모두 합해 1 MB까지")


def test_many_files_that_do_not_fit_are_told_in_one_note(folder: Path) -> None:
    for number in range(8):
        (folder / f"z{number}").write_bytes(b"x" * 101)
    _, (note,) = read_files(folder, 100)
    assert "`z4` (0.0 MB) and 3 more. The files" in note.en and "`z5`" not in note.en and "외 3개" in note.ko


def test_the_name_of_a_file_carries_no_markup(folder: Path) -> None:
    for name in ("`<b>`|\n", "\udcff\udcfe"):
        (folder / name).write_bytes(b"x" * 101)
    _, (note,) = read_files(folder, 100)
    assert note.en.startswith("Left out: `??b????` (0.0 MB), `??` (0.0 MB).")


def test_a_file_that_the_assignment_names_goes_before_others(folder: Path) -> None:
    for name in ("a", "best.h5", "c", "needed.h5"):
        (folder / name).write_bytes(b"x" * 40)
    named = {"needed.h5"}, {"c", "needed.h5"}
    files, notes = read_files(folder, 100, named)
    assert list(files) == ["needed.h5", "c", "data.csv"]
    assert notes[0].en.startswith("Left out: `a` (0.0 MB), `best.h5` (0.0 MB).")


def test_files_are_named_in_quotes() -> None:
    source = _source()
    cells = [new_code_cell("""load("own.h5"); open('./x.csv')  # isn't other.h5, `y.npy"z`""")]
    _, own = named_files(source, cells)
    assert own == {"own.h5", "x.csv"}


def test_the_weights_of_07_are_named_by_its_release(course: Course) -> None:
    released, own = named_files(course.source("07-training"), [])
    assert "training.weights.h5" in released and own == set()


def test_a_file_that_may_not_be_read_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_bytes", lambda path: _failing(errno.EACCES, path)(path))
    files, (note,) = read_files(folder, 100)
    assert files == {} and note.en == "Left out, for it may not be read: `data.csv`."


def test_a_machine_that_cannot_read_a_file_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_bytes", lambda path: _failing(errno.EIO, path)(path))
    with pytest.raises(MachineError, match="^A file beside the notebook could not be read"):
        read_files(folder, 100)


def test_a_submission_that_the_machine_cannot_read_is_ungraded(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notebook.ipynb"
    path.write_text(_filled_text())
    monkeypatch.setattr(evaluation, "start_ahead", lambda backend: None)  # it opens files too
    monkeypatch.setattr(os, "open", _failing(errno.EIO, path))
    _, verdict = grade_file(course, "07-training", path, "mary")
    assert verdict.ungraded == list(verdict.tasks) and "Input/output error" in verdict.fault and not verdict.notes


def test_no_folder_has_no_files(tmp_path):
    assert read_files(tmp_path / "absent", 100) == ({}, [])


# --- repair: answers -------------------------------------------------------------------------------------------------


def test_an_untouched_notebook_needs_no_note():
    assert _notes(_repaired(_filled())) == []


def test_an_untouched_notebook_keeps_its_cells():
    assert [cell.id for cell in _repaired(_filled()).cells] == [cell.id for cell in _source().cells]


def _strip(cells: Cells) -> None:
    for cell in cells:
        cell["metadata"] = {}


def _strip_ids(cells: Cells) -> None:
    for cell in cells:
        del cell["id"]


def _strip_everything(cells: Cells) -> None:
    _strip(cells)
    _strip_ids(cells)


def _set_metadata(value: object) -> Callable[[Cells], None]:
    def edit(cells: Cells) -> None:
        for cell in cells:
            cell["metadata"] = value

    return edit


def _set_nbgrader(**changes: object) -> Callable[[Cells], None]:
    def edit(cells: Cells) -> None:
        for cell in cells:
            if "nbgrader" in cell["metadata"]:
                cell["metadata"]["nbgrader"].update(changes)

    return edit


def _set_ids(value: object) -> Callable[[Cells], None]:
    def edit(cells: Cells) -> None:
        for cell in cells:
            cell["id"] = value

    return edit


def _set_type(kind: str) -> Callable[[Cells], None]:
    def edit(cells: Cells) -> None:
        for cell in cells:
            cell["cell_type"] = kind

    return edit


def _rename(cells: Cells) -> None:
    for number, cell in enumerate(cells):
        cell["id"] = f"renamed-{number}"
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["grade_id"] = f"renamed-{number}"


SURGERY: dict[str, Callable[[Cells], object]] = {
    "nothing": lambda cells: None,
    "metadata stripped": _strip,
    "ids stripped": _strip_ids,
    "metadata and ids stripped": _strip_everything,
    "metadata a list": _set_metadata([]),
    "metadata a number": _set_metadata(5),
    "nbgrader a string": _set_metadata({"nbgrader": "task-softmax"}),
    "grade id a list": _set_nbgrader(grade_id=["task-softmax"]),
    "grade id bad": _set_nbgrader(grade_id="../../etc/passwd"),
    "points and locks changed": _set_nbgrader(points=1000, locked=False, grade=True, schema_version=99),
    "points NaN": _set_nbgrader(points=float("nan")),
    "ids bad": _set_ids("not an id!"),
    "ids too long": _set_ids("a" * 65),
    "ids a number": _set_ids(5),
    "all ids the same": _set_ids("same"),
    "all code prose": _set_type("markdown"),
    "all prose code": _set_type("code"),
    "all raw": _set_type("raw"),
    "cells of no type": _set_type("pudding"),
    "renamed": _rename,
    "reversed": list.reverse,
    "doubled": lambda cells: cells.extend(deepcopy(cells)),
    "doubled in place": lambda cells: cells.__setitem__(slice(None), [deepcopy(c) for c in cells for _ in "ab"]),
    "task cells first": lambda cells: cells.sort(key=lambda cell: not cell["id"].startswith("task-")),
    "only task cells": lambda cells: cells.__setitem__(slice(None), [c for c in cells if c["id"].startswith("task-")]),
}


@pytest.mark.parametrize("edit", SURGERY.values(), ids=SURGERY)
def test_every_answer_survives(edit):
    assert _right_answers(_edited(edit)) == ALL_ANSWERS


@pytest.mark.parametrize("edit", SURGERY.values(), ids=SURGERY)
def test_released_cells_come_back_as_released(edit):
    submission = _edited(edit)
    kept = [(c.id, c.cell_type, c.metadata["nbgrader"]) for c in submission.cells if c.id in _source().known_cells]
    assert kept == [(i, "code", cell.nbgrader_metadata()) for i, cell in _source().known_cells.items()]


@pytest.mark.parametrize("edit", SURGERY.values(), ids=SURGERY)
def test_ids_are_valid_and_unique(edit):
    ids = [cell.id for cell in _edited(edit).cells]
    assert len(set(ids)) == len(ids) and all(ID.fullmatch(identity) for identity in ids)


@pytest.mark.parametrize("edit", SURGERY.values(), ids=SURGERY)
def test_a_repaired_notebook_is_valid(edit):
    notebook = _edited(edit).notebook()
    assert nbformat.validate(notebook) is None
    MetadataValidator().validate_nb(notebook)  # as `nbgrader autograde` would ask before it writes


@pytest.mark.parametrize("edit", SURGERY.values(), ids=SURGERY)
def test_repairing_again_changes_nothing(edit):
    once = _edited(edit).notebook()
    twice = repair(parse_notebook(nbformat.writes(once).encode()), _source()).notebook()
    assert [(c.id, c.cell_type, c.source) for c in twice.cells] == [(c.id, c.cell_type, c.source) for c in once.cells]


@pytest.mark.parametrize("grade_id", ["setup", "checks", "grade-softmax"])
@pytest.mark.parametrize("copies", [0, 1, 2], ids=["deleted", "edited", "edited twice"])
def test_locked_cells_come_back_with_the_released_text(grade_id, copies):
    def edit(cells: Cells) -> None:
        at = _at(cells, grade_id)
        cells[at : at + 1] = [{**cells[at], "source": "raise SystemExit"} for _ in range(copies)]

    submission = _edited(edit)
    assert submission.answer(grade_id) == _source().known_cells[grade_id].texts["en"]


def test_an_edited_locked_cell_is_not_kept_beside_the_released_one():
    def edit(cells: Cells) -> None:
        at = _at(cells, "grade-softmax")
        cells[at : at + 1] = [{**cells[at], "source": "raise SystemExit"} for _ in range(2)]

    assert not [cell.id for cell in _edited(edit).cells if cell.source == "raise SystemExit"]


def test_a_deleted_task_cell_is_an_empty_answer():
    assert _edited(lambda cells: cells.pop(_at(cells, "task-softmax"))).answer("task-softmax") == ""


def test_a_deleted_task_cell_costs_no_other_answer():
    submission = _edited(lambda cells: cells.pop(_at(cells, "task-softmax")))
    assert _right_answers(submission) == ALL_ANSWERS - {"task-softmax"}


def test_a_deleted_task_cell_is_noted():
    submission = _edited(lambda cells: cells.pop(_at(cells, "task-softmax")))
    assert _notes(submission) == ["The cell `task-softmax` is missing."]


def test_of_several_copies_the_last_counts():
    def edit(cells: Cells) -> None:
        at = _at(cells, "task-softmax")
        cells.insert(at, {**cells[at], "source": "an earlier try"})

    assert _edited(edit).answer("task-softmax") == _answer("task-softmax")


def test_earlier_copies_are_kept_as_free_cells():
    def edit(cells: Cells) -> None:
        at = _at(cells, "task-softmax")
        cells.insert(at, {**cells[at], "source": "an earlier try"})

    (cell,) = [cell for cell in _edited(edit).cells if cell.source == "an earlier try"]
    assert "nbgrader" not in cell.metadata


@pytest.mark.parametrize("copies", [2, 3])
def test_copies_are_noted_once(copies):
    def edit(cells: Cells) -> None:
        at = _at(cells, "task-softmax")
        cells[at:at] = [deepcopy(cells[at]) for _ in range(copies - 1)]

    assert _notes(_edited(edit)) == ["There are several copies of the cell `task-softmax`: the last one counts."]


def test_the_cell_id_tells_where_the_grade_id_is_unknown():
    def edit(cells: Cells) -> None:
        cell = cells[_at(cells, "task-softmax")]
        cell["source"] = "softmax = some_library.softmax"
        cell["metadata"]["nbgrader"]["grade_id"] = "task-unknown"

    assert _edited(edit).answer("task-softmax") == "softmax = some_library.softmax"


def test_an_answer_is_recognised_by_the_name_that_it_defines():
    def edit(cells: Cells) -> None:
        cells[_at(cells, "task-softmax")] = {"cell_type": "code", "source": "\n# mine\ndef softmax(x): ..."}

    assert _edited(edit).answer("task-softmax") == "\n# mine\ndef softmax(x): ..."


@pytest.mark.parametrize(
    "text", ["def softmax_2(x): ...", "if 1:\n    def softmax(x): ...", "softmax(3)"], ids=["longer", "inner", "call"]
)
def test_a_cell_that_does_not_define_the_name_is_no_answer(text):
    def edit(cells: Cells) -> None:
        cells[_at(cells, "task-softmax")] = {"cell_type": "code", "source": text}

    assert _edited(edit).answer("task-softmax") == ""


def test_a_name_defined_twice_is_not_taken_from_a_recognised_answer():
    def edit(cells: Cells) -> None:
        cells.append({"cell_type": "code", "source": "def softmax(x): ..."})

    assert _right_answers(_edited(edit)) == ALL_ANSWERS


# --- repair: the student's own cells ---------------------------------------------------------------------------------


def test_own_cells_stay_after_the_cell_that_they_followed():
    def edit(cells: Cells) -> None:
        cells.insert(_at(cells, "task-softmax") + 1, {"cell_type": "code", "source": "mine"})

    submission = _edited(edit)
    assert submission.cells[submission.known["task-softmax"] + 1].source == "mine"


def test_own_cells_before_everything_stay_first():
    assert _edited(lambda cells: cells.insert(0, {"cell_type": "markdown", "source": "mine"})).cells[0].source == "mine"


@pytest.mark.parametrize("kind", ["code", "markdown"])
def test_own_cells_keep_their_type(kind):
    assert _edited(lambda cells: cells.append({"cell_type": kind, "source": "mine"})).cells[-1].cell_type == kind


def test_own_cells_under_a_released_id_do_not_replace_the_released_cell():
    def edit(cells: Cells) -> None:
        cells.append({"cell_type": "code", "source": "mine", "id": "code-01"})

    submission = _edited(edit)
    released = next(cell.source for cell in submission.cells if cell.id == "code-01")
    assert released == next(cell.texts["en"] for cell in _source().cells if cell.id == "code-01")


def _lines_run(own_cells: int) -> int:
    """Return how many lines of `submission` run to repair a notebook with so many own cells."""
    notebook = parse_notebook(_with(cells=[{"cell_type": "code", "source": "x"}] * own_cells))
    count = 0

    def look(frame: FrameType, event: str, argument: object) -> object:
        nonlocal count
        count += frame.f_code.co_filename == submission.__file__
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        repair(notebook, _source())
    finally:
        sys.settrace(before)
    return count


def test_the_work_grows_with_the_number_of_own_cells_and_not_faster():
    # from 100 to 200 cells it doubles; numbering each anew from 1 makes it four times as much
    assert _lines_run(200) < 2.5 * _lines_run(100)


# --- repair: other notebooks and languages ---------------------------------------------------------------------------


def _other_assignment() -> Submission:
    return _repaired(
        {"nbformat": 4, "cells": [{"cell_type": "code", "source": "def add(a, b): ...", "id": "task-add"}]}
    )


def test_a_notebook_of_another_assignment_is_noted():
    assert _notes(_other_assignment())[0].endswith("is it the notebook of another assignment?")


def test_a_notebook_of_another_assignment_answers_nothing():
    assert set(_answers(_other_assignment()).values()) == {""}


def test_an_empty_notebook_is_noted():
    (note,) = _notes(_repaired({"nbformat": 4, "cells": []}))
    assert note.startswith("None of the cells of `scaled_dot_product_attention.ipynb` is in this file")


def _taken_in(folder: Path, assignment: str, edit: Callable[[Cells], object] = lambda cells: None) -> Intake:
    """Take in the release of an assignment that was handed in for 02, by the name of 02's notebook."""
    data = json.loads(nbformat.writes(render(_source(assignment), "en")))
    edit(data["cells"])
    path = folder / f"{_source().name}.ipynb"
    path.write_text(json.dumps(data), encoding="utf-8")
    return take_in(path, Course(root=ROOT, secret=SECRET), _source().assignment)


@pytest.mark.parametrize("edit", [lambda cells: None, _strip], ids=["as released", "without metadata"])
@pytest.mark.parametrize("assignment", ["01-positional-encoding", "03-multi-head-attention"])
def test_whose_notebook_was_handed_in_is_said_once(tmp_path: Path, assignment: str, edit) -> None:
    taken = _taken_in(tmp_path, assignment, edit)
    (note,) = taken.submission.notes
    assert taken.belongs_to == assignment
    assert note.en == f"This is the notebook of {assignment}, handed in for 02-attention."
    assert note.ko == f"02-attention에 {assignment}의 노트북을 제출했습니다."


@pytest.mark.parametrize(
    ("assignment", "edit"),
    [
        ("02-attention", lambda cells: None),
        ("01-positional-encoding", lambda cells: cells.extend(_filled()["cells"])),
    ],
    ids=["the right one", "both in one file"],
)
def test_a_notebook_with_the_assignments_own_cells_is_no_others(tmp_path: Path, assignment: str, edit) -> None:
    taken = _taken_in(tmp_path, assignment, edit)
    assert not taken.submission.notes and not taken.belongs_to


def test_some_cells_of_another_assignment_dont_make_it_that_ones(tmp_path: Path) -> None:
    taken = _taken_in(tmp_path, "01-positional-encoding", lambda cells: cells.pop(_at(cells, "task-shift-matrix")))
    assert "handed in for" not in " ".join(note.en for note in taken.submission.notes)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_language_is_told_by_the_metadata(language):
    assert _repaired(_filled(language)).language == language


def test_a_repaired_notebook_says_its_language():
    assert _repaired(_filled("ko")).notebook().metadata[NOTEBOOK_KEY]["language"] == "ko"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_without_metadata_the_language_is_told_by_the_prose(language):
    source = _source("01-positional-encoding")
    data = json.loads(nbformat.writes(render(source, language)))
    data["metadata"] = {}
    assert repair(parse_notebook(json.dumps(data).encode()), source).language == language


def test_korean_prose_without_metadata_is_korean_but_where_the_course_has_no_korean_it_is_english():
    data = json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "안녕하세요"}]}).encode()
    source = _source()
    assert repair(parse_notebook(data), source).language == "ko"
    english = tuple(dataclasses.replace(cell, texts={**cell.texts, "ko": cell.texts["en"]}) for cell in source.cells)
    assert repair(parse_notebook(data), dataclasses.replace(source, cells=english)).language == "en"


def test_a_blank_submission_has_every_released_cell():
    assert list(blank(_source()).known) == list(_source().known_cells)


def test_a_blank_submission_answers_nothing():
    assert set(_answers(blank(_source())).values()) == {""}


def test_a_blank_submission_has_no_notes():
    assert blank(_source()).notes == []


# --- properties ------------------------------------------------------------------------------------------------------


def _cut(cells: Cells, chance: random.Random) -> Cells:
    return [cell for cell in cells if chance.random() < 0.7]


def _double(cells: Cells, chance: random.Random) -> Cells:
    return [deepcopy(cell) for cell in cells for _ in range(chance.choice([1, 1, 2]))]


def _shuffle(cells: Cells, chance: random.Random) -> Cells:
    return chance.sample(cells, len(cells))


def _lose_ids(cells: Cells, chance: random.Random) -> Cells:
    return [{k: v for k, v in cell.items() if k != "id" or chance.random() < 0.5} for cell in cells]


def _lose_metadata(cells: Cells, chance: random.Random) -> Cells:
    return [{**cell, "metadata": cell["metadata"] if chance.random() < 0.5 else {}} for cell in cells]


def _add(cells: Cells, chance: random.Random) -> Cells:
    at = chance.randrange(len(cells) + 1)
    return [*cells[:at], {"cell_type": "code", "metadata": {}, "source": "mine"}, *cells[at:]]


edits = st.lists(st.sampled_from([_cut, _double, _shuffle, _lose_ids, _lose_metadata, _add]), max_size=5)


def _randomly_edited(chosen: Sequence[Callable[[Cells, random.Random], Cells]], seed: int) -> Cells:
    cells: Cells = _filled()["cells"]
    chance = random.Random(seed)
    for edit in chosen:
        cells = edit(cells, chance)
    return cells


@settings(max_examples=60, deadline=None)
@given(edits, st.integers(0, 2**32))
def test_no_random_edit_loses_an_answer_whose_cell_is_there(chosen, seed):
    cells = _randomly_edited(chosen, seed)
    texts = {cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"]) for cell in cells}
    present = {grade_id for grade_id in ALL_ANSWERS if _answer(grade_id) in texts}
    assert _right_answers(_repaired({**_filled(), "cells": cells})) == present


@settings(max_examples=60, deadline=None)
@given(edits, st.integers(0, 2**32))
def test_after_any_random_edit_every_released_cell_is_there_once_and_in_order(chosen, seed):
    submission = _repaired({**_filled(), "cells": _randomly_edited(chosen, seed)})
    ids = [cell.id for cell in submission.cells if cell.id in _source().known_cells]
    assert ids == list(_source().known_cells) == list(submission.known)


@settings(max_examples=60, deadline=None)
@given(edits, st.integers(0, 2**32))
def test_after_any_random_edit_repairing_again_changes_nothing(chosen, seed):
    once = _repaired({**_filled(), "cells": _randomly_edited(chosen, seed)}).notebook()
    twice = repair(parse_notebook(nbformat.writes(once).encode()), _source()).notebook()
    assert [(c.id, c.source) for c in twice.cells] == [(c.id, c.source) for c in once.cells]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
raw_cells = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": json_values | st.sampled_from(["code", "markdown"]),
        "source": json_values,
        "metadata": json_values | st.fixed_dictionaries({"nbgrader": st.fixed_dictionaries({"grade_id": json_values})}),
        "id": json_values | st.sampled_from(["task-softmax", "code-01"]),
    },
)


@settings(max_examples=60, deadline=None)
@given(st.lists(raw_cells | json_values, max_size=6))
def test_any_cells_give_a_valid_notebook(cells):
    assert nbformat.validate(_repaired({"nbformat": 4, "cells": cells}).notebook()) is None


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content):
    try:
        assert parse_notebook(content).cells is not None
    except SubmissionError as error:
        assert error.text.en


# --- many ------------------------------------------------------------------------------------------------------------


def test_too_many_files_are_left_out_and_told(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number:02}.txt").write_bytes(b"")
    (tmp_path / "zz.csv").write_bytes(b"1,2")
    files, (note,) = read_files(tmp_path, 1000, ({"zz.csv"}, set()), disk_files=40)
    assert len(files) == 20 and files["zz.csv"] == b"1,2"
    assert "and 6 more" in note.en and "20 at most" in note.en and "20개" in note.ko


def test_a_file_of_lists_alone_is_no_notebook() -> None:
    content = b'{"nbformat": 4, "cells": [], "more": [' + b"[]," * 500_001 + b"1]}"
    with pytest.raises(SubmissionError, match="not a readable notebook"):
        parse_notebook(content)
