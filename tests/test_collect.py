"""Collecting: what Canvas, Moodle and folders name a file becomes whose file, and nothing hostile or lost on the way."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from autograder.base.errors import CourseError
from autograder.collecting import downloads
from autograder.collecting.collect import Collected, collect
from autograder.collecting.layouts import is_named
from autograder.collecting.roster import Roster
from autograder.commands.tables import collected_table
from autograder.sources.course import Course
from autograder.sources.notebooks import render

ASSIGNMENT = "02-attention"
NOTEBOOK = "scaled_dot_product_attention"
N = f"{NOTEBOOK}.ipynb"
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,02-attention (9731)
    Points Possible,,,,,20.00
"Lovelace, Ada",11,s11,ada,Mon,
"김, 철수",12,s12,kim,Mon,
"""
MOODLE = """\
First name,Last name,ID number,Email address
Ada,O'Lovelace,ada,ada@example.org
철수,김,kim,kim@example.org
Kim,Doe,doe1,d1@example.org
Kim,Doe,doe2,d2@example.org
"""
WORKSHEET = """\
Identifier,Full name,ID number,Email address,Status,Last modified (submission)
Participant 501,Ada O'Lovelace,ada,ada@example.org,Submitted,"Tuesday, 3 November 2026, 11:59 PM"
Participant 502,Kim Doe,doe1,d1@example.org,Submitted,"Wednesday, 4 November 2026, 1:05 AM"
Participant 503,Kim Doe,doe2,d2@example.org,No submission,-
"""


@pytest.fixture
def place(course: Course, tmp_path: Path) -> Course:
    """The course, with a root of its own for what is handed in."""
    _ = course.source_paths
    empty = replace(course, root=tmp_path / "course", bonus=(), limits_by_assignment={})
    object.__setattr__(empty, "source_paths", course.source_paths)
    return empty


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


@pytest.fixture
def taken(place: Course, tmp_path: Path) -> Callable[..., Collected]:
    def take(
        files: Mapping[str, str | bytes] | Path, roster: str = "", force: bool = False, match: str = ""
    ) -> Collected:
        path = files if isinstance(files, Path) else zipped(tmp_path / "download.zip", files)
        people = None
        if roster:
            (tmp_path / "roster.csv").write_text(roster, encoding="utf-8")
            people = Roster(tmp_path / "roster.csv", match)
        return collect(place, ASSIGNMENT, path, lambda kind: people, force=force)

    return take


def there(course: Course) -> dict[str, str]:
    """Return path below the root -> content of everything that was written."""
    return {str(p.relative_to(course.root)): p.read_text() for p in course.root.rglob("*") if p.is_file()}


def at(student: str, name: str = N) -> str:
    return f"submitted/{student}/{ASSIGNMENT}/{name}"


def test_canvas_names_are_read(place: Course, taken: Callable[..., Collected]) -> None:
    done = taken(
        {
            f"lovelaceada_11_900_{NOTEBOOK}-2.ipynb": "ada",
            "lovelaceada_11_901_training.weights.h5": "weights",
            f"김철수_LATE_12_902_{N}": "kim",
        },
        CANVAS,
    )
    assert there(place) == {at("ada"): "ada", at("ada", "training.weights.h5"): "weights", at("kim"): "kim"}
    assert done.states == {"ada": "new", "kim": "new"}
    assert [arrival.is_late for arrival in done.plan.arrivals] == [False, True]
    assert done.is_complete


def test_the_newest_version_wins_and_the_others_are_named(place: Course, taken: Callable[..., Collected]) -> None:
    files = {f"lovelaceada_11_{order}_{NOTEBOOK}{end}.ipynb": str(order) for order, end in ((20, "-1"), (9, "-2"))}
    done = taken(files, CANVAS)
    assert there(place) == {at("ada"): "20"}
    assert "newest of 2 versions; not taken: lovelaceada_11_9_" in done.plan.arrivals[0].notes[1]


@pytest.mark.parametrize("style", ["folders", "older folders", "no folders"])
def test_moodle_names_are_read(place: Course, taken: Callable[..., Collected], style: str) -> None:
    end = {"folders": "/", "older folders": "_/", "no folders": "_"}[style]
    done = taken(
        {
            f"Ada OLovelace_501_assignsubmission_file{end}{N}": "ada",
            f"김 철수_504_assignsubmission_file{end}{N}": "kim",
            f"김 철수_504_assignsubmission_onlinetext{end}onlinetext.html": "<p>",
        },
        MOODLE,
    )
    assert there(place) == {at("ada"): "ada", at("kim"): "kim", at("kim", "onlinetext.html"): "<p>"}
    assert done.is_complete


def test_the_grading_worksheet_tells_namesakes_apart_and_when(place: Course, taken: Callable[..., Collected]) -> None:
    files = {f"{who}_assignsubmission_file/{N}": who for who in ("Ada OLovelace_501", "Kim Doe_502", "Kim Doe_503")}
    taken(files, WORKSHEET)
    assert there(place)[at("doe1")] == "Kim Doe_502"
    assert there(place)[at("doe2")] == "Kim Doe_503"
    assert there(place)[at("ada", "timestamp.txt")] == "2026-11-03 23:59:00 UTC\n"
    assert at("doe2", "timestamp.txt") not in there(place)


def test_who_of_the_roster_handed_in_nothing_is_named(place: Course, taken: Callable[..., Collected]) -> None:
    done = taken({f"Ada OLovelace_501_assignsubmission_file/{N}": ""}, MOODLE)
    assert done.plan.missing == ("doe1", "doe2", "kim")
    assert done.record()["missing"] == ["doe1", "doe2", "kim"]
    assert done.is_complete


def test_nobody_whose_work_is_there_or_in_doubt_is_called_missing(
    place: Course, taken: Callable[..., Collected]
) -> None:
    taken({f"Ada OLovelace_501_assignsubmission_file/{N}": ""}, MOODLE)
    assert taken({f"Kim Doe_502_assignsubmission_file/{N}": ""}, MOODLE).plan.missing == ("kim",)
    assert taken({f"ada/{N}": ""}).plan.missing == ()


def test_canvas_test_student_is_not_missed(taken: Callable[..., Collected]) -> None:
    roster = f'{CANVAS}"Student, Test",13,,3f2a,Mon,\n'
    assert taken({f"lovelaceada_11_900_{N}": ""}, roster).plan.missing == ("kim",)


UNKNOWN = {
    "nobody": ({"Eve_509": ""}, MOODLE, r"nobody in .*roster.csv \(scaled"),
    "namesakes": ({"Kim Doe_502": ""}, MOODLE, "the name of doe1, doe2: use Moodle's grading worksheet"),
    "other worksheet": ({"Kim Doe_501": ""}, WORKSHEET, "participant 501 is ada there"),
    "twice": ({"Ada OLovelace_501": "", "Ada O'Lovelace_502": ""}, MOODLE, "one of 2 names that are all ada"),
    "dots": ({"Ada OLovelace_501": ""}, MOODLE.replace(",ada,", ",../x,"), "can't be a folder's name"),
}


@pytest.mark.parametrize("case", UNKNOWN.values(), ids=UNKNOWN)
def test_names_that_tell_nobody_are_listed(place: Course, taken: Callable[..., Collected], case) -> None:
    names, roster, reason = case
    done = taken({f"{name}_assignsubmission_file/{N}": "" for name in names}, roster)
    assert sorted(one.path for one in done.plan.unknown) == sorted(names)
    assert re.search(reason, done.plan.unknown[0].reason), done.plan.unknown[0].reason
    assert not done.is_complete and not there(place)


@pytest.mark.parametrize("top", ["", "class/", "class/submitted/"])
@pytest.mark.parametrize("middle", ["", f"{ASSIGNMENT}/"])
def test_plain_folders_are_read(place: Course, taken: Callable[..., Collected], top: str, middle: str) -> None:
    done = taken(
        {
            f"{top}ada/{middle}{N}": "ada",
            f"{top}ada/{middle}timestamp.txt": "2026-11-03 10:00:00 UTC",
            f"{top}kim/{middle}my attention.ipynb": "kim",
            f"{top}lee/{middle}answer.txt": "lee",
            f"__MACOSX/{top}ada/._{N}": "",
        }
    )
    assert there(place) == {
        at("ada"): "ada",
        at("ada", "timestamp.txt"): "2026-11-03 10:00:00 UTC",
        at("kim", "my attention.ipynb"): "kim",
        at("lee", "answer.txt"): "lee",
    }
    assert [arrival.trouble for arrival in done.plan.arrivals] == [(), (), ("no notebook, only answer.txt",)]
    assert not done.is_complete


def test_a_roster_maps_plain_folders_by_id_or_name(place: Course, taken: Callable[..., Collected]) -> None:
    done = taken({f"Ada O'Lovelace/{N}": "ada", f"kim/{N}": "kim", f"eve/{N}": "eve"}, MOODLE)
    assert there(place) == {at("ada"): "ada", at("kim"): "kim"}
    assert [one.path for one in done.plan.unknown] == ["eve"]


def test_a_folder_is_read_and_links_in_it_are_not(
    place: Course, tmp_path: Path, taken: Callable[..., Collected]
) -> None:
    home = tmp_path / "class" / "ada"
    home.mkdir(parents=True)
    (home / N).write_text("ada")
    (tmp_path / "secret").write_text("secret")
    (home / "notes.txt").symlink_to(tmp_path / "secret")
    os.mkfifo(home / "pipe")
    done = taken(tmp_path / "class")
    assert there(place) == {at("ada"): "ada"}
    assert sorted(one.path for one in done.plan.skipped) == ["ada/notes.txt", "ada/pipe"]


def test_a_students_own_timestamp_is_no_proof(place: Course, taken: Callable[..., Collected]) -> None:
    files = {f"Ada OLovelace_501_assignsubmission_file/{name}": "1999-01-01" for name in (N, "timestamp.txt")}
    done = taken(files, WORKSHEET)
    assert there(place)[at("ada", "timestamp.txt")] == "2026-11-03 23:59:00 UTC\n"
    assert [one.reason for one in done.plan.skipped] == ["a student's own time of handing in"]


def test_collecting_again_changes_nothing_and_loses_nothing(place: Course, taken: Callable[..., Collected]) -> None:
    taken({f"ada/{N}": "first", f"kim/{N}": "kim"})
    assert taken({f"ada/{N}": "first", f"kim/{N}": "kim"}).states == {"ada": "unchanged", "kim": "unchanged"}
    later = {f"ada/{N}": "second", f"kim/{N}": "kim"}
    kept = taken(later)
    assert kept.states == {"ada": "kept", "kim": "unchanged"} and not kept.is_complete
    assert there(place)[at("ada")] == "first"
    assert taken(later, force=True).states == {"ada": "replaced", "kim": "unchanged"}
    assert there(place) == {at("ada"): "second", at("kim"): "kim", f"superseded/ada/{ASSIGNMENT}-1/{N}": "first"}
    taken({f"ada/{N}": "third", f"kim/{N}": "kim"}, force=True)
    assert there(place)[f"superseded/ada/{ASSIGNMENT}-2/{N}"] == "second"


def test_a_time_that_becomes_known_is_added_and_never_changed(place: Course, taken: Callable[..., Collected]) -> None:
    files = {f"Ada OLovelace_501_assignsubmission_file/{N}": "ada"}
    taken(files, MOODLE)
    for time in ("2026-11-03 23:59:00 UTC\n", "given by hand"):
        assert taken(files, WORKSHEET).states == {"ada": "unchanged"}
        assert there(place) == {at("ada"): "ada", at("ada", "timestamp.txt"): time}
        (place.root / at("ada", "timestamp.txt")).write_text("given by hand")


def test_several_notebooks_of_other_names_stay_together(place: Course, taken: Callable[..., Collected]) -> None:
    done = taken({"ada/a.ipynb": "a", "ada/b.ipynb": "b", f"kim/{N}": "kim", "kim/draft.ipynb": "draft"})
    assert sorted(there(place)) == [at("ada", "a.ipynb"), at("ada", "b.ipynb"), at("kim")]
    assert "none of several notebooks is called" in done.plan.arrivals[0].trouble[0]
    assert done.plan.arrivals[1].notes == ("another notebook, not taken: draft.ipynb",)


def test_a_notebook_of_large_letters_gets_the_ending_that_nbgrader_looks_for(
    place: Course, taken: Callable[..., Collected]
) -> None:
    done = taken({"ada/MINE.IPYNB": "ada", f"kim/{N}": "kim"})
    assert there(place)[at("ada", "MINE.ipynb")] == "ada"
    assert done.plan.arrivals[0].notes == ("is called MINE.IPYNB",)


def test_a_notebook_of_another_assignment_is_named(place: Course, taken: Callable[..., Collected]) -> None:
    other = nbformat.writes(render(place.source("01-positional-encoding"), "ko"))
    done = taken({f"ada/{N}": other, "kim/positional_encoding.ipynb": other, f"lee/{N}": "no notebook"})
    ada, kim, lee = [row[-1] for row in collected_table(done)[1]]
    said = "This is the notebook of 01-positional-encoding, handed in for 02-attention."
    assert ada == said and kim == f"is called positional_encoding.ipynb; {said}" and not lee
    assert done.record()["students"][0]["notes"] == [said]


def test_notebooks_whose_names_differ_by_the_endings_letters_are_both_kept(
    place: Course, taken: Callable[..., Collected]
) -> None:
    done = taken({"ada/MINE.ipynb": "small", "ada/MINE.IPYNB": "large", f"kim/{N}": "kim"})
    assert [there(place)[at("ada", name)] for name in ("MINE.ipynb", "MINE.IPYNB")] == ["small", "large"]
    assert "MINE.IPYNB, MINE.ipynb" in done.plan.arrivals[0].trouble[0]


def test_a_damaged_file_costs_only_its_student(place: Course, tmp_path: Path, taken: Callable[..., Collected]) -> None:
    path = zipped(tmp_path / "download.zip", {f"ada/{N}": "ada" * 99, f"kim/{N}": "kim"})
    content = bytearray(path.read_bytes())
    start = content.index(N.encode()) + len(N)
    content[start : start + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(content)
    done = taken(path)
    assert done.states == {"ada": "failed", "kim": "new"}
    assert "Download it again" in done.faults["ada"]
    assert there(place) == {at("kim"): "kim"}


def with_attributes(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


HOSTILE = {
    "climbs": ({f"../../ada/{N}": ""}, "must stay inside it.*'../../ada/"),
    "absolute": ({f"/ada/{N}": ""}, "must stay inside it"),
    "a drive": ({f"C:/ada/{N}": ""}, "must stay inside it"),
    "link": ({with_attributes(f"ada/{N}", stat.S_IFLNK | 0o777): "/etc/passwd"}, "plain files.*a link"),
    "device": ({with_attributes(f"ada/{N}", stat.S_IFCHR): ""}, "plain files.*a device"),
    "not of one shape": ({f"ada/{N}": "", f"x/kim/{N}": "", f"y/lee/{N}": ""}, "all students beside each other"),
    "nothing": ({}, "Received: no file"),
    "no notebook": ({"a.txt": ""}, "must be named as Canvas or Moodle"),
    "another assignment": ({"ada/masks.ipynb": "", "kim/masks.ipynb": ""}, "Received: 2 notebooks of 04-masks and 0"),
}


@pytest.mark.parametrize("case", HOSTILE.values(), ids=HOSTILE)
def test_what_no_class_hands_in_is_refused_before_anything_is_written(
    place: Course, taken: Callable[..., Collected], case
) -> None:
    files, message = case
    with pytest.raises(CourseError, match=message):
        taken(files)
    assert not there(place)


def test_a_roster_is_asked_for(place: Course, taken: Callable[..., Collected]) -> None:
    with pytest.raises(CourseError, match="Export the gradebook of Canvas as CSV and name it with --roster"):
        taken({f"lovelaceada_11_900_{N}": ""})
    with pytest.raises(CourseError, match=r"Name one of them with --match"):
        taken({f"lovelaceada_11_900_{N}": ""}, "Student,ID\nx,1\n")


def test_bombs_are_refused_by_what_they_say(tmp_path: Path, taken: Callable[..., Collected], monkeypatch) -> None:
    monkeypatch.setattr(downloads, "MAX_BYTES", 1000)
    monkeypatch.setattr(downloads, "MAX_FILE_BYTES", 800)
    with pytest.raises(CourseError, match="at most 20000 files and 0 MB unpacked"):
        taken({f"{who}/{N}": "x" * 700 for who in "ab"})
    assert [one.path for one in taken({f"a/{N}": "x" * 900, f"b/{N}": "x"}).plan.skipped] == [f"a/{N}"]
    monkeypatch.setattr(downloads, "MAX_FILES", 3)
    with pytest.raises(CourseError, match="at most 3 files.*Received: 4 files"):
        taken({f"{who}/{N}": "" for who in "abcd"})


def test_a_file_longer_than_it_says_is_cut_short(tmp_path: Path) -> None:
    member = downloads.Member(Path("a/b"), 3, 0.0, lambda: io.BytesIO(b"1234"))  # type: ignore[arg-type]
    with pytest.raises(CourseError, match="more than 3 bytes in a/b"):
        member.copy_to(tmp_path / "b")


def test_a_zip_that_lies_about_its_directory_isnt_opened(tmp_path: Path, taken: Callable[..., Collected]) -> None:
    path = zipped(tmp_path / "download.zip", {f"ada/{N}": ""})
    content = bytearray(path.read_bytes())
    at_end = content.rindex(b"PK\x05\x06")
    struct.pack_into("<L", content, at_end + 12, 1 << 30)
    path.write_bytes(content)
    with pytest.raises(CourseError, match="at most 20000 files"):
        taken(path)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x05\x06"])
def test_what_is_no_zip_is_explained(tmp_path: Path, taken: Callable[..., Collected], content: bytes) -> None:
    path = tmp_path / "download.zip"
    path.write_bytes(content)
    with pytest.raises(CourseError, match=r"must be a zip file or a folder.*download\.zip: it is not a zip file"):
        taken(path)
    with pytest.raises(CourseError, match=r"must be a zip file or a folder.*none\.zip: No such file"):
        taken(tmp_path / "none.zip")


def test_hangul_names_without_the_utf8_flag_are_read(place: Course, tmp_path: Path, taken) -> None:
    for encoding in ("utf-8", "cp949"):
        path = zipped(tmp_path / "download.zip", {f"{'K' * len('김철수'.encode(encoding))}/{N}": encoding})
        name = "김철수".encode(encoding)
        path.write_bytes(path.read_bytes().replace(b"K" * len(name), name))
        taken(path, force=True)
        assert there(place)[at("김철수")] == encoding


@pytest.mark.parametrize(
    ("name", "same"),
    [
        (N, True),
        (f"{NOTEBOOK} (1).ipynb", True),
        (f"{NOTEBOOK}-1 (12).ipynb", True),
        (f"{NOTEBOOK} - Copy.ipynb", True),
        (f"{NOTEBOOK} 복사본.ipynb", True),
        (f"my {N}", False),
        (f"{NOTEBOOK}.txt", False),
        ("ipynb", False),
    ],
)
def test_names_of_second_copies_are_known(name: str, same: bool) -> None:
    assert is_named(name, NOTEBOOK) is same


def test_everything_is_in_the_record(taken: Callable[..., Collected]) -> None:
    record = taken({f"ada/{N}": "ada"}).record()
    assert json.loads(json.dumps(record)) == record
    assert record["students"][0] | {"notes": []} == {
        "student": "ada",
        "called": "ada",
        "state": "new",
        "files": {N: f"ada/{N}"},
        "submitted": None,
        "late": False,
        "notes": [],
        "trouble": [],
    }
    assert (record["complete"], record["unknown"], record["skipped"], record["missing"]) == (True, [], [], [])
