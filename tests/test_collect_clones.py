"""Clones of students' repositories: whose each is, what of it is taken, and that no name takes another's work."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.base.errors import CourseError
from autograder.collecting.clones import owners
from autograder.collecting.collect import Collected, collect
from autograder.collecting.roster import Roster
from autograder.sources.course import Course

ASSIGNMENT = "02-attention"
N = "scaled_dot_product_attention.ipynb"
ROSTER = """\
username,first_name,last_name,email,section,github_id,ID number
AdaLovelace,Ada,Lovelace,ada@example.org,Mon,1,ada
kim-c,철수,김,kim@example.org,Mon,2,kim
c,Cee,Cee,c@example.org,Mon,3,cee
"""


@pytest.fixture
def place(course: Course, tmp_path: Path) -> Course:
    """The course, with a root of its own for what is handed in."""
    _ = course.source_paths
    empty = replace(course, root=tmp_path / "course", bonus=(), limits_by_assignment={})
    object.__setattr__(empty, "source_paths", course.source_paths)
    return empty


def laid(folder: Path, files: Mapping[str, str], clones: tuple[str, ...]) -> Path:
    for name in clones:
        (folder / name / ".git" / "objects").mkdir(parents=True)
        (folder / name / ".git" / "config").write_text("[core]\n")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def collected(place: Course, folder: Path, roster: str = ROSTER, match: str = "ID number") -> Collected:
    path = folder.parent / "roster.csv"
    path.write_text(roster, encoding="utf-8")
    return collect(place, ASSIGNMENT, folder, lambda kind: Roster(path, match))


def submitted(place: Course) -> dict[str, str]:
    root = place.root / "submitted"
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}


def test_what_classroom_50_downloads_is_collected(place: Course, tmp_path: Path) -> None:
    folder = laid(
        tmp_path / "cs-02_submissions_2026_11_20_T_10_00_00",
        {
            "scores.csv": "username,score\n",
            f"cs-02-adalovelace/{N}": "ada's",
            "cs-02-adalovelace/result.json": "{}",
            "cs-02-adalovelace/.github/workflows/grade.yml": "on: push",
            "cs-02-adalovelace/data.npz": "numbers",
            "cs-02-adalovelace/notes/old.txt": "not beside a notebook",
            f"cs-02-kim-c/{ASSIGNMENT}/{N}": "kim's",
        },
        ("cs-02-adalovelace", "cs-02-kim-c"),
    )
    done = collected(place, folder)
    assert submitted(place) == {
        f"ada/{ASSIGNMENT}/data.npz": "numbers",
        f"ada/{ASSIGNMENT}/{N}": "ada's",
        f"kim/{ASSIGNMENT}/{N}": "kim's",
    }
    assert done.is_complete and done.plan.kind == "clones" and done.plan.missing == ("cee",)


def test_real_clones_are_collected(place: Course, tmp_path: Path) -> None:
    origin, folder = tmp_path / "origin", tmp_path / "class"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    folder.mkdir()
    for student in ("AdaLovelace", "kim-c"):
        (origin / student).mkdir(parents=True)
        (origin / student / N).write_text(student)
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
            subprocess.run([*git, *command], cwd=origin / student, check=True)
        subprocess.run([*git, "clone", "-q", str(origin / student), str(folder / student)], check=True)
    assert collected(place, folder).is_complete
    assert submitted(place) == {f"ada/{ASSIGNMENT}/{N}": "AdaLovelace", f"kim/{ASSIGNMENT}/{N}": "kim-c"}


def test_a_name_that_ends_as_anothers_takes_nothing(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    roster = Roster(tmp_path / "roster.csv", "ID number")

    def found(*folders: str) -> dict[str, list[str]]:
        return {folder: [person.id for person in people] for folder, people in owners(folders, roster).items()}

    assert found("hw-adalovelace", "hw-kim-c") == {"hw-adalovelace": ["ada"], "hw-kim-c": ["kim"]}
    assert found("hw-kim-c", "hw-c", "hw-nobody") == {"hw-kim-c": ["kim"], "hw-c": ["cee"], "hw-nobody": []}
    assert found("kim-c", "c") == {"kim-c": ["kim"], "c": ["cee"]}
    assert found("hw-adalovelace") == {
        "hw-adalovelace": []
    }  # it may be x-AdaLovelace's, of whom the roster doesn't know
    assert found("kim-c") == {"kim-c": ["kim"]}
    assert found("hw-kim-c", "hw-x-c") == {"hw-kim-c": [], "hw-x-c": []}


def test_an_only_clone_with_a_beginning_is_nobodys(place: Course, tmp_path: Path) -> None:
    done = collected(place, laid(tmp_path / "class", {f"hw-kim-c/{N}": "?"}, ("hw-kim-c",)))
    assert not submitted(place)
    assert not done.is_complete and "rename it to the name alone" in done.plan.unknown[0].reason


def test_githubs_own_roster_names_students_by_identifier(place: Course, tmp_path: Path) -> None:
    folder = laid(tmp_path / "class", {f"ada-l/{N}": "ada's"}, ("ada-l",))
    collected(place, folder, "identifier,github_username,github_id,name\nada,ada-l,1,Ada\n", "")
    assert submitted(place) == {f"ada/{ASSIGNMENT}/{N}": "ada's"}


def test_a_renamed_notebook_and_several_are_told(place: Course, tmp_path: Path) -> None:
    folder = laid(
        tmp_path / "class",
        {
            "hw-adalovelace/my answer.ipynb": "ada's",
            f"hw-kim-c/{N}": "kim's",
            f"hw-kim-c/older/{N}": "kim's old one",
            "hw-c/README.md": "nothing yet",
        },
        ("hw-adalovelace", "hw-kim-c", "hw-c"),
    )
    done = collected(place, folder)
    assert submitted(place) == {f"ada/{ASSIGNMENT}/my answer.ipynb": "ada's", f"kim/{ASSIGNMENT}/{N}": "kim's"}
    notes = {arrival.student: " ".join(arrival.notes) for arrival in done.plan.arrivals}
    assert "is called my answer.ipynb" in notes["ada"] and "newest of 2 versions" in notes["kim"]
    assert done.plan.missing == ("cee",)


def test_links_in_a_clone_are_not_followed(place: Course, tmp_path: Path) -> None:
    folder = laid(
        tmp_path / "class",
        {f"hw-adalovelace/{N}": "ada's", "hw-kim-c/my.ipynb": "kim's"},
        ("hw-adalovelace", "hw-kim-c"),
    )
    os.symlink(f"../hw-adalovelace/{N}", folder / "hw-kim-c" / N)
    done = collected(place, folder)
    assert submitted(place) == {f"ada/{ASSIGNMENT}/{N}": "ada's", f"kim/{ASSIGNMENT}/my.ipynb": "kim's"}
    assert [one.path for one in done.plan.skipped] == [f"hw-kim-c/{N}"]


def test_a_clone_within_a_clone_is_nobodys_own(place: Course, tmp_path: Path) -> None:
    folder = laid(
        tmp_path / "class",
        {
            f"adalovelace/{N}": "ada's",
            f"adalovelace/kim-c/{N}": "forged",
            f"adalovelace/c/{N}": "forged",
        },
        ("adalovelace", "adalovelace/kim-c", "adalovelace/c"),
    )
    collected(place, folder)
    assert submitted(place) == {f"ada/{ASSIGNMENT}/{N}": "ada's"}


def test_one_clone_among_plain_folders_changes_nothing_for_the_others(place: Course, tmp_path: Path) -> None:
    folder = laid(tmp_path / "class", {f"{name}/{N}": name for name in ("ada", "kim", "cee")}, ("kim",))
    done = collected(place, folder)
    assert done.plan.kind == "plain" and len(submitted(place)) == 3


@pytest.mark.parametrize("roster", [None, "ID number,email\nada,a@example.org\n"])
def test_clones_need_a_roster_with_names_on_github(place: Course, tmp_path: Path, roster: str | None) -> None:
    folder = laid(tmp_path / "class", {f"hw-adalovelace/{N}": "ada's"}, ("hw-adalovelace",))
    with pytest.raises(CourseError, match="a column GitHub or github_username or username"):
        if roster is None:
            collect(place, ASSIGNMENT, folder, lambda kind: None)
        else:
            collected(place, folder, roster)
    assert not (place.root / "submitted").exists()
