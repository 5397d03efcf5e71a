"""A folder that a command owns: exactly what was written, and nothing that somebody else put there is touched."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from autograder.base import trees
from autograder.base.errors import CourseError
from autograder.base.trees import SUMS, write_tree

FIRST = {"a.txt": b"one", "b/c.txt": b"two"}
SECOND = {"a.txt": b"three", "d/e.txt": b"four"}


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != SUMS
    }


def test_a_folder_holds_exactly_what_was_written_last(tmp_path: Path) -> None:
    for contents in (FIRST, SECOND, SECOND):
        write_tree(tmp_path / "out", contents)
        assert tree(tmp_path / "out") == contents
    assert not (tmp_path / "out" / "b").exists()


def test_the_sums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    write_tree(tmp_path, FIRST)
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(FIRST.items())]
    assert (tmp_path / SUMS).read_text() == "".join(lines)


@pytest.mark.parametrize("name", ["mine.txt", "b/mine.txt", ".hidden", "b/.git", "SHA256SUMS.txt", "mine.partial"])
def test_a_file_of_somebody_elses_stops_it_before_anything_is_written(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path, FIRST)
    (tmp_path / name).write_bytes(b"mine")
    before = tree(tmp_path)
    with pytest.raises(CourseError, match=f"with {name}, which it didn't write"):
        write_tree(tmp_path, SECOND)
    assert tree(tmp_path) == before


def test_a_file_that_somebody_changed_stops_it(tmp_path: Path) -> None:
    write_tree(tmp_path, FIRST)
    (tmp_path / "a.txt").write_bytes(b"solved")
    with pytest.raises(CourseError, match=r"with a\.txt, which it didn't write or somebody changed"):
        write_tree(tmp_path, SECOND)
    assert tree(tmp_path)["a.txt"] == b"solved"


def test_a_folder_that_it_never_wrote_is_refused_though_the_names_fit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one")
    with pytest.raises(CourseError, match=r"with a\.txt"):
        write_tree(tmp_path, FIRST)


@pytest.mark.parametrize("to_folder", [False, True])
def test_a_link_is_never_followed(tmp_path: Path, to_folder: bool) -> None:
    outside = tmp_path / "outside"
    (outside / "b").mkdir(parents=True)
    (outside / "a.txt").write_bytes(b"one")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "b").symlink_to(outside / ("b" if to_folder else "a.txt"))
    with pytest.raises(CourseError, match="with b, which"):
        write_tree(tmp_path / "out", FIRST)
    assert tree(outside) == {"a.txt": b"one"}


def test_a_repository_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(b"ref")
    write_tree(tmp_path, FIRST)
    write_tree(tmp_path, SECOND)
    assert tree(tmp_path) == SECOND | {".git/HEAD": b"ref"}


@pytest.mark.parametrize("writes", range(1, 5))
def test_a_run_that_was_stopped_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    write_tree(tmp_path, FIRST)
    whole, count = trees._write, 0

    def until_stopped(path: Path, content: bytes) -> None:
        nonlocal count
        count += 1
        if count == writes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(path.name + trees.PARTIAL).write_bytes(content[:1])
            raise KeyboardInterrupt
        whole(path, content)

    monkeypatch.setattr(trees, "_write", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        write_tree(tmp_path, SECOND)
    monkeypatch.setattr(trees, "_write", whole)
    write_tree(tmp_path, SECOND)
    assert tree(tmp_path) == SECOND
