"""Answers laid out for JPlag and Dolos: who is in it, what of them, under which names."""

from __future__ import annotations

import ast
import csv
import json
import os
import stat
import zipfile
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.base.errors import CourseError
from autograder.commands import cli, demo
from autograder.commands import similarity as command
from autograder.sources.course import Course, Limits
from autograder.submissions import similarity
from autograder.submissions.similarity import as_python, write_similarity_folder

ASSIGNMENT = "02-attention"
NOTEBOOK = "scaled_dot_product_attention"
ANSWER = "def softmax(x, axis=-1):\n    return x  # mine\n"


@pytest.fixture
def room(course: Course, tmp_path: Path) -> Course:
    """A course with a release and nothing handed in."""
    for name in ("solutions", "assignments"):
        (tmp_path / name).symlink_to(course.root / name)
    return Course(root=tmp_path, secret="0123456789abcdef", limits=Limits(notebook_bytes=1_000_000))


def hand_in(room: Course, student: str, *, language: str = "en", raw: bytes | None = None, **answers: str) -> None:
    """Hand in a release with some tasks filled in, or any bytes."""
    notebook = demo.fill(demo.released(room, room.source(ASSIGNMENT), language), answers)
    folder = room.root / "submitted" / student / ASSIGNMENT
    folder.mkdir(parents=True)
    (folder / f"{NOTEBOOK}.ipynb").write_bytes(demo.to_bytes(notebook) if raw is None else raw)


def files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text(encoding="utf-8") for p in folder.rglob("*.py")}


def test_each_submission_is_a_folder_for_jplag_and_a_file_for_dolos(room: Course, tmp_path: Path) -> None:
    hand_in(room, "ada", softmax=ANSWER, additive="def additive_attention():\n    pass\n")
    hand_in(room, "김철수", language="ko", softmax=ANSWER)
    laid_out = write_similarity_folder(room, ASSIGNMENT, tmp_path / "out")
    found = files(tmp_path / "out")
    assert sorted(name for name in found if not name.startswith("base/")) == [
        "dolos/base.py",
        "dolos/students/ada.py",
        "dolos/students/김철수.py",
        "jplag/ada/task-additive.py",
        "jplag/ada/task-softmax.py",
        "jplag/김철수/task-softmax.py",
    ]
    assert found["jplag/ada/task-softmax.py"] == ANSWER
    assert ANSWER in found["dolos/students/ada.py"] and "additive_attention" in found["dolos/students/ada.py"]
    assert laid_out.names == {"ada": "ada", "김철수": "김철수"} and not laid_out.left_out


def test_what_everybody_was_given_is_the_base_in_every_language(room: Course, tmp_path: Path) -> None:
    hand_in(room, "ada", softmax=ANSWER)
    write_similarity_folder(room, ASSIGNMENT, tmp_path / "out")
    found = files(tmp_path / "out")
    slugs = list(room.source(ASSIGNMENT).points)
    assert {name for name in found if name.startswith("base/")} == {
        f"base/{language}-task-{slug}.py" for language in ("en", "ko") for slug in slugs
    }
    given = nbformat.read(tmp_path / "assignments" / "ko" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", as_version=4)
    stub = next(cell.source for cell in given.cells if cell.id == "task-softmax")
    assert found["base/ko-task-softmax.py"] == stub + "\n" and stub in found["dolos/base.py"]
    assert "SOLUTION" not in "".join(found.values()) and "raise NotImplementedError()" in stub


def test_dolos_finds_each_file_of_its_metadata_in_the_zip(room: Course, tmp_path: Path) -> None:
    for student in ("ada", "bob"):
        hand_in(room, student, softmax=ANSWER)
    write_similarity_folder(room, ASSIGNMENT, tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out" / "dolos.zip") as archive:
        rows = list(csv.DictReader(archive.read("info.csv").decode().splitlines()))
        assert {row["filename"] for row in rows} | {"info.csv"} == set(archive.namelist())
    assert [(row["full_name"], row["ignored"]) for row in rows] == [
        ("base", "true"),
        ("ada", "false"),
        ("bob", "false"),
    ]


def test_pseudonyms_stand_everywhere_for_the_ids_and_the_key_lies_apart(room: Course, tmp_path: Path) -> None:
    for student in ("zoltan", "yusuf"):  # no pseudonym can hold these by chance: it has hexadecimal digits
        hand_in(room, student, softmax=ANSWER)
    key = tmp_path / "key.json"
    first = write_similarity_folder(room, ASSIGNMENT, tmp_path / "out", key)
    names = [str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*")]
    texts = "".join([*names, *files(tmp_path / "out").values(), (tmp_path / "out" / "dolos" / "info.csv").read_text()])
    assert "zoltan" not in texts and "yusuf" not in texts
    with open(tmp_path / "out" / "dolos" / "info.csv") as file:
        listed = [row["full_name"] for row in csv.DictReader(file)]
    assert listed == ["base", *sorted(first.names.values())]  # in the order of the ids it would tell who is who
    assert {v: k for k, v in json.loads(key.read_text()).items()} == first.names
    assert len(set(first.names.values())) == 2 and stat.S_IMODE(key.stat().st_mode) == 0o600
    hand_in(room, "eve", softmax=ANSWER)
    again = write_similarity_folder(room, ASSIGNMENT, tmp_path / "out", key)
    assert {student: again.names[student] for student in first.names} == first.names and "eve" in again.names
    assert set(json.loads(key.read_text()).values()) == {"zoltan", "yusuf", "eve"}


@pytest.mark.parametrize("content", ["[", "[1]", "3"])
def test_a_key_in_the_folder_or_of_another_making_is_refused(room: Course, tmp_path: Path, content: str) -> None:
    hand_in(room, "ada", softmax=ANSWER)
    with pytest.raises(CourseError, match="must lie apart"):
        write_similarity_folder(room, ASSIGNMENT, tmp_path / "out", tmp_path / "out" / "key.json")
    (tmp_path / "key.json").write_text(content)
    with pytest.raises(CourseError, match="must be a file that this command made"):
        write_similarity_folder(room, ASSIGNMENT, tmp_path / "out", tmp_path / "key.json")


def test_hostile_submissions_are_left_out_and_stop_nobody(room: Course, tmp_path: Path) -> None:
    hand_in(room, "ada", softmax=ANSWER)
    hand_in(room, "huge", raw=b"[" * 2_000_000)
    hand_in(room, "deep", raw=b'{"cells":' + b"[" * 100_000)
    hand_in(room, "binary", raw=bytes(range(256)) * 100)
    hand_in(room, "empty", raw=b"")
    hand_in(room, "untouched")
    hand_in(room, "blank", softmax=" \n")
    (room.root / "submitted" / "nothing" / ASSIGNMENT).mkdir(parents=True)
    (room.root / "submitted" / "odd\x1b[2J" / ASSIGNMENT).mkdir(parents=True)
    (room.root / "submitted" / "file").mkdir()
    (room.root / "submitted" / "file" / ASSIGNMENT).write_text("no folder")
    link = room.root / "submitted" / "link" / ASSIGNMENT
    link.mkdir(parents=True)
    (link / f"{NOTEBOOK}.ipynb").symlink_to("/etc/passwd")
    os.mkfifo(room.root / "submitted" / "nothing" / ASSIGNMENT / f"{NOTEBOOK}.ipynb")
    laid_out = write_similarity_folder(room, ASSIGNMENT, tmp_path / "out")
    assert list(laid_out.names) == ["ada"]
    assert sorted(laid_out.left_out) == sorted(
        ["huge", "deep", "binary", "empty", "untouched", "blank", "nothing", "odd\x1b[2J", "file", "link"]
    )
    assert all(laid_out.left_out.values())
    assert [path.name for path in (tmp_path / "out" / "jplag").iterdir()] == ["ada"]


def test_an_answer_that_is_too_long_is_cut_and_told(
    room: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similarity, "MAX_CHARACTERS", 100)
    hand_in(room, "long", softmax="x = 1\n" * 50)
    half = demo.fill(demo.released(room, room.source(ASSIGNMENT), "en"), {"softmax": "x = '\udc00'\n"})
    hand_in(room, "half", raw=json.dumps(half).encode())
    laid_out = write_similarity_folder(room, ASSIGNMENT, tmp_path / "out")
    assert laid_out.cut == ["long"] and set(laid_out.names) == {"long", "half"}
    assert files(tmp_path / "out")["jplag/long/task-softmax.py"] == "x = 1\n" * 16


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("%matplotlib inline\nx = 1", ["pass  # %matplotlib inline", "x = 1"]),
        ("if x:\n    !ls\n", ["if x:", "    pass  # !ls"]),
        ("y = (a\n     % b)", ["y = (a", "     % b)"]),
        ("?softmax\n%%time\nx", ["pass  # ?softmax", "pass  # %%time", "x"]),
    ],
)
def test_ipythons_own_syntax_costs_nobody_the_comparison(text: str, lines: list[str]) -> None:
    assert as_python(text) == "\n".join(lines) + "\n"
    ast.parse(as_python(text))


def test_a_folder_with_something_else_is_left_alone(room: Course, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").touch()
    with pytest.raises(CourseError, match="must be new, empty or from an earlier call"):
        write_similarity_folder(room, ASSIGNMENT, tmp_path / "out")
    assert (tmp_path / "out" / "thesis.tex").exists()


def test_without_a_release_there_is_no_base(course: Course, tmp_path: Path) -> None:
    (tmp_path / "solutions").symlink_to(course.root / "solutions")
    with pytest.raises(CourseError, match="autograder build 02-attention"):
        write_similarity_folder(Course(root=tmp_path, secret="0123456789abcdef"), ASSIGNMENT, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_command_names_what_was_left_out_and_what_to_run(
    room: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "load_course", lambda: room)
    hand_in(room, "ada", softmax=ANSWER)
    hand_in(room, "empty\x1b", raw=b"")
    out = tmp_path / "out"
    done = CliRunner().invoke(cli.app, ["similarity", ASSIGNMENT, str(out)])
    assert done.exit_code == 0 and "\x1b" not in done.output
    assert f"--base-code {out}/base {out}/jplag" in done.output and "left out: empty\\x1b" in done.output
    record = CliRunner().invoke(cli.app, ["similarity", ASSIGNMENT, str(out), "--json", "--quiet"]).stdout
    assert json.loads(record)["submissions"] == ["ada"]
