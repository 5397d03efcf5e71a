"""Collecting by student: what one student calls a file, a folder or themselves is that student's trouble, nobody else's."""

# ruff: noqa: F811  (fixtures of test_collect)

from __future__ import annotations

import os
import re
import string
import struct
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_collect import ASSIGNMENT, CANVAS, MOODLE, NOTEBOOK, WORKSHEET, N, at, place, taken, there, zipped  # noqa: F401

from autograder.base.errors import CourseError
from autograder.base.names import fault_of_id, shown
from autograder.collecting import downloads
from autograder.collecting.collect import Collected, collect
from autograder.collecting.layouts import is_named
from autograder.collecting.roster import Roster
from autograder.sources.course import Course

# Ada and Kim are honest; Mallory and Eve choose names.
CANVAS_CLASS = f"""{CANVAS}"Doe, Mallory",66,s66,mallory,Mon,\n"""
ODD_CANVAS_CLASS = f"""{CANVAS}"x__11___7__y",66,s66,mallory,Mon,\n"""
SHEET = f"""{WORKSHEET}Participant 566,Mallory Doe,mallory,m@example.org,Submitted,-\n"""
# Moodle's worksheet without names: numbers alone
IDS = "Identifier,ID number\nParticipant 501,ada\nParticipant 502,kim\nParticipant 566,mallory\n"
ODD_SHEET = SHEET.replace("Mallory Doe", "x_501_assignsubmission_file_y")
PEOPLE = MOODLE + "Mallory,Doe,mallory,m@example.org\n"

ADA = {f"lovelaceada_11_900_{N}": "ada"}
BOTH = {**ADA, f"김철수_12_902_{N}": "kim"}
IN_MOODLE = {f"Ada OLovelace_501_assignsubmission_file/{N}": "ada"}
FLAT = {f"Ada OLovelace_501_assignsubmission_file_{N}": "ada"}
PLAIN = {f"ada/{N}": "ada", f"kim/{N}": "kim"}

# name -> (what the others hand in, what Mallory hands in, roster, what of Mallory's is collected, what is said of it)
ATTACKS: dict[str, tuple[Mapping[str, str], Mapping[str, str], str, Mapping[str, str], str]] = {
    "Moodle, by number alone, Ada has handed in nothing": (
        {f"김 철수_502_assignsubmission_file_{N}": "kim"},
        {f"Mallory Doe_566_assignsubmission_file_x_501_assignsubmission_file_{N}": "forged"},
        IDS,
        {},
        "left out: .*it may be ada or mallory's",
    ),
    "Moodle, a name of two readings, one of them nobody's": (
        {f"김 철수_502_assignsubmission_file_{N}": "kim"},
        {f"Eve_999_assignsubmission_file_x_501_assignsubmission_file_{N}": "forged"},
        IDS,
        {},
        "left out: .*only its number says that it is ada's",
    ),
    "Moodle flat, a file called as Ada's": (
        FLAT,
        {
            "Mallory Doe_566_assignsubmission_file_x_501_assignsubmission_file_y.txt": "",
            f"Mallory Doe_566_assignsubmission_file_{N}": "mallory",
        },
        SHEET,
        {at("mallory"): "mallory"},
        "left out: .*it may be ada or mallory's",
    ),
    "Moodle in folders, a file called as Ada's": (
        IN_MOODLE,
        {
            "Mallory Doe_566_assignsubmission_file/x_501_assignsubmission_file_y.txt": "text",
            f"Mallory Doe_566_assignsubmission_file/{N}": "mallory",
        },
        SHEET,
        {at("mallory"): "mallory", at("mallory", "x_501_assignsubmission_file_y.txt"): "text"},
        "",
    ),
    "Moodle in folders, a folder called as Ada's": (
        IN_MOODLE,
        {f"Mallory Doe_566_assignsubmission_file/Ada OLovelace_501_assignsubmission_file/{N}": "mallory"},
        SHEET,
        {at("mallory"): "mallory"},
        "",
    ),
    "Moodle in folders, a name of Mallory's own with a number in it": (
        IN_MOODLE,
        {f"x_501_assignsubmission_file_y_566_assignsubmission_file/{N}": "mallory"},
        ODD_SHEET,
        {at("mallory"): "mallory"},
        "",
    ),
    "Moodle flat, a name of Mallory's own with a number in it": (
        FLAT,
        {f"x_501_assignsubmission_file_y_566_assignsubmission_file_{N}": "mallory"},
        ODD_SHEET,
        {},
        "left out: .*it may be ada or mallory's",
    ),
    "Moodle, Ada's name, and a number that the worksheet hasn't": (
        IN_MOODLE,
        {f"Ada O'Lovelace_999_assignsubmission_file/{N}": "forged"},
        SHEET,
        {},
        "unknown: Ada O'Lovelace_999: nobody in .* is participant 999, and ada, who is called so, is another",
    ),
    "Moodle, more files called as Canvas's than there are others'": (
        FLAT,
        {f"Mallory Doe_566_assignsubmission_file_a_1_{n}_b.txt": "" for n in range(5)},
        SHEET,
        {at("mallory", f"a_1_{n}_b.txt"): "" for n in range(5)},
        "mallory: no notebook",
    ),
    "Canvas, a file called as Moodle's": (
        BOTH,
        {"doemallory_66_910_a_1_assignsubmission_file_b.txt": "text", f"doemallory_66_911_{N}": "mallory"},
        CANVAS_CLASS,
        {at("mallory"): "mallory", at("mallory", "a_1_assignsubmission_file_b.txt"): "text"},
        "",
    ),
    "Canvas, most files called as Moodle's": (
        BOTH,
        {f"doemallory_66_91{n}_a_1_assignsubmission_file_b{n}.txt": "" for n in range(9)},
        CANVAS_CLASS,
        {at("mallory", f"a_1_assignsubmission_file_b{n}.txt"): "" for n in range(9)},
        "mallory: no notebook",
    ),
    "Canvas, seven notebooks of another assignment": (
        BOTH,
        {f"doemallory_66_91{n}_masks-{n}.ipynb": "" for n in range(7)},
        CANVAS_CLASS,
        {at("mallory", f"masks-{n}.ipynb"): "" for n in range(7)},
        "mallory: none of several notebooks is called",
    ),
    "one notebook of another assignment, and the others call theirs otherwise": (
        {"ada/mine.ipynb": "ada", "kim/my.ipynb": "kim"},
        {"mallory/masks.ipynb": "mallory"},
        "",
        {at("mallory", "masks.ipynb"): "mallory"},
        "",
    ),
    "Canvas, a name that ends in a colon": (
        BOTH,
        {"doemallory_66_910_weights:": "text", f"doemallory_66_911_{N}": "mallory"},
        CANVAS_CLASS,
        {at("mallory"): "mallory", at("mallory", "weights:"): "text"},
        "",
    ),
    "Canvas, a backslash": (
        BOTH,
        {"doemallory_66_910_..\\..\\x.txt": "", f"doemallory_66_911_{N}": "mallory"},
        CANVAS_CLASS,
        {at("mallory"): "mallory"},
        r"left out: doemallory_66_910_.*with the character U\+005C",
    ),
    "Canvas, Ada's number in Mallory's own name": (
        BOTH,
        {f"x_11_7_y_66_910_{N}": "mallory"},
        ODD_CANVAS_CLASS,
        {},
        "left out: .*it may be ada or mallory's",
    ),
    "Canvas, Ada's number in Mallory's own name, who left the roster": (
        BOTH,
        {f"x_11_7_y_66_910_{N}": "forged"},
        CANVAS,
        {},
        "left out: .*only its number says that it is ada's",
    ),
    "Canvas, Ada's number in a file's name": (
        BOTH,
        {f"doemallory_66_910_lovelaceada_11_99999_{N}": "forged", f"doemallory_66_911_{N}": "mallory"},
        CANVAS_CLASS,
        {at("mallory"): "mallory"},
        "left out: .*it may be ada or mallory's",
    ),
    "Canvas, an answer that may be read as a text of Ada's": (
        BOTH,
        {"doemallory_66_11_text.html": "", f"doemallory_66_911_{N}": "mallory"},
        CANVAS_CLASS,
        {at("mallory"): "mallory"},
        "left out: .*it may be ada or mallory's",
    ),
    "Canvas, digits of another script": (
        BOTH,
        {f"doemallory_66_910_x_١١_٩_{N}": "mallory"},
        CANVAS_CLASS,
        {at("mallory", f"x_١١_٩_{N}"): "mallory"},
        "",
    ),
    "plain, a folder further in": (
        PLAIN,
        {f"mallory/old/{N}": "mallory"},
        "",
        {at("mallory"): "mallory"},
        f"mallory: the notebook was in a further folder: mallory/old/{N}",
    ),
    "plain, a class of two, a folder further in": (
        {f"ada/{N}": "ada"},
        {f"mallory/old/{N}": "mallory"},
        "",
        {at("mallory"): "mallory"},
        "mallory: the notebook was in a further folder",
    ),
    "plain, a hundred folders further in, called as Ada": (
        PLAIN,
        {f"mallory/{n}/ada/{N}": "mallory" for n in range(100)},
        "",
        {at("mallory"): "mallory"},
        "mallory: the notebook was in a further folder",
    ),
    "plain, files called as Moodle's": (
        PLAIN,
        {"mallory/x_501_assignsubmission_file_y.txt": "", f"mallory/x_501_assignsubmission_file/{N}": "mallory"},
        "",
        {at("mallory"): "mallory", at("mallory", "x_501_assignsubmission_file_y.txt"): ""},
        "mallory: the notebook was in a further folder",
    ),
    "plain, most files called as Canvas's": (
        PLAIN,
        {f"mallory/{n % 3}/a_11_{n}_b{n}.txt": "" for n in range(30)},
        "",
        {at("mallory", f"a_11_{n}_b{n}.txt"): "" for n in range(30)},
        "mallory: no notebook",
    ),
    "plain, another assignment's notebook in a folder": (
        PLAIN,
        {"mallory/04-masks/masks.ipynb": "masks"},
        "",
        {},
        "left out: mallory/04-masks/masks.ipynb: another notebook, in a further folder\nunknown: mallory: nothing",
    ),
    "plain, a time further in": (
        PLAIN,
        {f"mallory/{N}": "mallory", "mallory/x/timestamp.txt": "1999-01-01"},
        "",
        {at("mallory"): "mallory"},
        "left out: mallory/x/timestamp.txt: a student's own time",
    ),
    "plain, a newline": (
        PLAIN,
        {f"mal\nlory/{N}": ""},
        "",
        {},
        r"left out: mal\\nlory: a name with the character U\+000A",
    ),
    "plain, an escape sequence": (PLAIN, {f"mal\x1b[2J/{N}": ""}, "", {}, r"left out: mal\\x1b\[2J: .*U\+001B"),
    "plain, C1": (PLAIN, {f"mal\x9b2J/{N}": ""}, "", {}, r"left out: mal\\x9b2J: .*U\+009B"),
    "plain, a line separator": (PLAIN, {f"mal\u2028/{N}": ""}, "", {}, r"left out: mal\\u2028: .*U\+2028"),
    "plain, a line turned around": (PLAIN, {f"\u202eada/{N}": ""}, "", {}, r"unknown: \\u202eada: .*U\+202E"),
    "plain, an id that looks like Ada's": (PLAIN, {f"ada\u200b/{N}": ""}, "", {}, r"unknown: ada\\u200b: .*U\+200B"),
    "plain, a pattern": (PLAIN, {f"*/{N}": ""}, "", {}, r"unknown: \*: .*U\+002A"),
    "plain, 129 characters": (PLAIN, {f"{'m' * 129}/{N}": ""}, "", {}, "129 characters, of at most 128"),
    "plain, folders in folders": (PLAIN, {"/".join(["mallory", *"a" * 3000, N]): ""}, "", {}, "more than 64 folders"),
    "plain, blanks that take a pattern minutes": (
        PLAIN,
        {f"mallory/{' ' * 60_000}.ipynb": ""},
        "",
        {},
        "left out: mallory/ .*a name of more than 255 bytes",
    ),
}


def said(done: Collected) -> str:
    """Return what `autograder collect` prints to stderr, but for what it has kept."""
    made = done.plan
    lines = [*(f"left out: {one.path}: {one.reason}" for one in made.skipped)]
    lines += [f"unknown: {one.path}: {one.reason}" for one in made.unknown]
    lines += [f"{one.student}: {trouble}" for one in made.arrivals for trouble in one.trouble]
    return "\n".join(map(shown, lines))


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_name_costs_nobody_else_anything(place: Course, taken: Callable[..., Collected], attack) -> None:
    others, mallory, roster, collected, word = attack
    alone = taken(others, roster)
    honest = there(place)
    assert honest and "forged" not in honest.values()
    for folder in (place.root / "submitted").iterdir():
        os.rename(folder, place.root / f"alone-{folder.name}")
    before = there(place)
    done = taken({**mallory, **others}, roster)
    now = {path: text for path, text in there(place).items() if path not in before}
    assert now == {**honest, **collected}
    assert {one.student: one.trouble for one in done.plan.arrivals if one.student != "mallory"} == {
        one.student: one.trouble for one in alone.plan.arrivals
    }
    told = said(done).removeprefix(said(alone)).strip()
    assert re.search(word, told) if word else not told, told


def test_who_made_no_folder_of_their_own_is_nobody_else(place: Course, taken: Callable[..., Collected]) -> None:
    """Nobody has a notebook but Mallory, in a folder called as Ada: not read as a folder around students'."""
    with pytest.raises(CourseError, match=r"mallory without a notebook of their own, but one further inside"):
        taken({"ada/answer.txt": "", f"mallory/ada/{N}": "forged"})
    assert not there(place)


def test_two_folders_of_one_student_are_both_told(taken: Callable[..., Collected]) -> None:
    done = taken({f"ada/{N}": "", f"Ada O'Lovelace/{N}": "", f"kim/{N}": ""}, MOODLE)
    assert [one.path for one in done.plan.unknown] == ["Ada O'Lovelace", "ada"] and list(done.states) == ["kim"]


def test_of_two_names_with_a_number_the_one_of_the_roster_counts(
    place: Course, taken: Callable[..., Collected]
) -> None:
    done = taken({**BOTH, f"x_11_9999_{N}": "forged"}, CANVAS)
    assert there(place) == {at("ada"): "ada", at("kim"): "kim"}
    assert said(done) == "unknown: x_11: the number is ada's, and the name isn't"


def test_a_zip_in_which_nothing_can_be_taken_is_told_so(taken: Callable[..., Collected]) -> None:
    with pytest.raises(CourseError, match=r"must hold a file that can be taken. Received: only a\\b\\"):
        taken({f"a\\b\\{N}": ""})


def test_two_files_of_one_path_are_both_left_out(
    place: Course, tmp_path: Path, taken: Callable[..., Collected]
) -> None:
    path = zipped(tmp_path / "twice.zip", PLAIN)
    with zipfile.ZipFile(path, "a") as archive:
        for name in (f"mallory/{N}", f"mallory//./{N}"):
            archive.writestr(name, name)
    done = taken(path)
    assert sorted(there(place)) == [at("ada"), at("kim")]
    assert said(done).count("more than once in the zip") == 2


def test_a_name_with_a_nul_is_left_out(place: Course, tmp_path: Path, taken: Callable[..., Collected]) -> None:
    path = zipped(tmp_path / "nul.zip", {**PLAIN, "mallory/aQb.txt": ""})
    path.write_bytes(path.read_bytes().replace(b"aQb", b"a\0b"))
    assert r"left out: mallory/a\x00b.txt: a name with the character U+0000" in said(taken(path))
    assert sorted(there(place)) == [at("ada"), at("kim")]


def test_a_name_that_says_it_is_utf8_and_isnt_costs_only_itself(place: Course, tmp_path: Path, taken) -> None:
    path = zipped(tmp_path / "utf8.zip", {**PLAIN, f"mallory/{N}": "mallory", "mallory/각각.txt": ""})
    half = "\ud800\ud800".encode("utf-8", "surrogatepass")
    path.write_bytes(path.read_bytes().replace("각각".encode(), half))
    assert re.search(r"^left out: mallory/(\\x1a)+.txt: a name with the character U\+001A", said(taken(path)))
    assert sorted(there(place)) == [at("ada"), at("kim"), at("mallory")]


def test_half_a_character_in_a_folders_name_is_left_out(place: Course, tmp_path: Path, taken) -> None:
    for name in (b"ada", b"mal\xfflory"):
        home = os.path.join(os.fsencode(tmp_path), b"class", name)
        os.makedirs(home)
        Path(os.fsdecode(os.path.join(home, N.encode()))).write_text(name.decode("latin-1"))
    done = taken(tmp_path / "class")
    assert there(place) == {at("ada"): "ada"}
    assert said(done) == r"left out: mal\udcfflory: a name with the character U+DCFF: ask for it under another"


def with_unicode_path(name: str, raw: str) -> zipfile.ZipInfo:
    """Return a member whose name is in the field `Unicode Path` too, as Info-ZIP and 7-Zip write it."""
    info = zipfile.ZipInfo(raw)
    content = struct.pack("<BL", 1, zlib.crc32(raw.encode("cp437"))) + name.encode()
    info.extra = struct.pack("<HH", 0x7075, len(content)) + content
    return info


def test_a_unicode_path_is_no_error(place: Course, tmp_path: Path, taken: Callable[..., Collected]) -> None:
    path = tmp_path / "unicode.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"ada/{N}", "ada")
        archive.writestr(with_unicode_path(f"김/{N}", f"kim/{N}"), "kim")
    taken(path)
    assert there(place)[at("ada")] == "ada"
    assert sorted(there(place).values()) == ["ada", "kim"]


@pytest.mark.parametrize("name", [f"김철수/{N}", f"René/{N}"])
def test_a_name_that_zipfile_took_from_a_unicode_path_is_taken(name: str) -> None:
    """As Python 3.12 and later do: the member's own name is the one to open it by, and in another encoding."""
    info = zipfile.ZipInfo(f"kim/{N}")
    info.filename = name
    assert downloads._decoded(info) == name


def test_times_of_plain_folders_are_told(taken: Callable[..., Collected]) -> None:
    """nbgrader writes such a file into its own folders; that it counts is said, for a student's looks the same."""
    (ada,) = taken({f"ada/{N}": "", "ada/timestamp.txt": "2026-11-03 10:00:00 UTC"}).plan.arrivals
    assert ada.notes == ("handed in when its own timestamp.txt says",)


@pytest.mark.parametrize("text", ["yesterday evening", "", "1" * 2000])
def test_no_time_is_claimed_that_cannot_be_read(taken: Callable[..., Collected], text: str) -> None:
    (ada,) = taken({f"ada/{N}": "", "ada/timestamp.txt": text}).plan.arrivals
    assert ada.notes == ("when it was handed in isn't known: no time can be read from its own timestamp.txt",)


def test_two_sections_are_read_as_one_class(place: Course, taken: Callable[..., Collected]) -> None:
    for one, other in ((f"x/ada/{N}", f"y/kim/{N}"), ("x/ada/02-attention/my.ipynb", f"y/kim/02-attention/{N}")):
        taken({one: "ada", other: "kim", "readme.txt": ""}, force=True)
        assert {path.split("/")[1] for path in there(place) if "superseded" not in path} == {"ada", "kim"}


def test_systems_downloads_in_sections_are_read(place: Course, taken: Callable[..., Collected]) -> None:
    files = {f"section {n}/{name}": text for n, (name, text) in enumerate(BOTH.items())}
    taken({**files, "readme.txt": ""}, CANVAS_CLASS)
    assert there(place) == {at("ada"): "ada", at("kim"): "kim"}


def test_a_group_of_canvas_is_known_by_number(place: Course, taken: Callable[..., Collected]) -> None:
    """Canvas calls a group's submission by the group's name, and numbers it by the one who stands for it."""
    taken({f"group3_11_900_{N}": "ada"}, CANVAS)
    assert there(place) == {at("ada"): "ada"}


def test_what_was_downloaded_from_canvas_and_handed_in_again_is_its_students(place: Course, taken) -> None:
    taken({f"lovelaceada_11_950_lovelaceada_11_900_{N}": "ada", "lovelaceada_11_951_lab_2_3_x.txt": ""}, CANVAS)
    assert sorted(there(place)) == [at("ada", "lab_2_3_x.txt"), at("ada", f"lovelaceada_11_900_{N}")]


def test_a_name_full_of_blanks_is_read_at_once() -> None:
    """In seconds, not in hours: each of these cost 65 ms for each assignment."""
    names = [f"{NOTEBOOK}{' ' * 200}{number}.ipynb" for number in range(5000)]
    assert not any(is_named(name, NOTEBOOK) for name in names)
    assert is_named(f"{NOTEBOOK}   (1)   (2) - Copy (3).ipynb", NOTEBOOK)


IDS_AND_FAULTS = {
    "ada": "",
    "김철수": "",
    "ada.o'lovelace+1@example.org": "",
    "نرم\u200cافزار": "",  # Persian, with a joiner
    "m" * 128: "",
    "가" * 90: "it is hidden, or no name at all",  # 270 bytes
    "": "it is hidden, or no name at all",
    ".x": "it is hidden, or no name at all",
    "a/b": "it is hidden, or no name at all",
    "a\nb": r"it has the character U+000A",
    "a\ud800": r"it has the character U+D800",
    "a\u200f": r"it has the character U+200F",
    "a[b]": r"it has the character U+005B",
    "m" * 129: "it has 129 characters, of at most 128",
}


@pytest.mark.parametrize(("student", "fault"), IDS_AND_FAULTS.items())
def test_ids_that_nbgrader_cant_read_are_known(student: str, fault: str) -> None:
    assert fault_of_id(student) == fault


@given(st.text())
def test_what_is_printed_steers_no_terminal(text: str) -> None:
    printed = shown(text)
    assert not [c for c in printed if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    printed.encode()


# --- Any names at all ---------------------------------------------------------------------------------------------------

PARTS = [
    *(
        "_",
        "/",
        ".",
        "..",
        "\\",
        ":",
        " ",
        "\n",
        "\u202e",
        "x",
        "11",
        "12",
        "66",
        "501",
        "566",
        "ada",
        "LATE_",
        "text.html",
    ),
    *("_assignsubmission_file_", "_assignsubmission_file/", "_11_900_", "_501_assignsubmission_file_", "Ada OLovelace"),
    *("lovelaceada", N, NOTEBOOK, ".ipynb", "masks.ipynb", ASSIGNMENT, "timestamp.txt", "\ud800", "가", "\u0301"),
]
pieces = st.lists(st.sampled_from(PARTS) | st.text(string.printable, max_size=3), max_size=6).map("".join)
file_names = st.lists(pieces, min_size=1, max_size=5)


def flat(name: str) -> str:
    """Return what a system lets through of a file's name: no folders."""
    return name.replace("/", "") or "x"


def below(name: str) -> str:
    """Return a path below a student's folder, which can't lead out of it."""
    return "/".join(part for part in name.split("/") if part not in ("", ".", "..")) or "x"


SYSTEMS: dict[str, tuple[Mapping[str, str], str, Callable[[str, int], str]]] = {
    "canvas": (BOTH, CANVAS_CLASS, lambda name, n: f"doemallory_66_{1000 + n}_{flat(name)}"),
    "moodle folders": (
        {**IN_MOODLE, f"Kim Doe_502_assignsubmission_file/{N}": "kim"},
        SHEET,
        lambda name, n: f"Mallory Doe_566_assignsubmission_file/{below(name)}",
    ),
    "moodle flat": (
        {**FLAT, f"Kim Doe_502_assignsubmission_file_{N}": "kim"},
        SHEET,
        lambda name, n: f"Mallory Doe_566_assignsubmission_file_{flat(name)}",
    ),
    "moodle numbers": (
        {**FLAT, f"Kim Doe_502_assignsubmission_file_{N}": "kim"},
        IDS,
        lambda name, n: f"Mallory Doe_566_assignsubmission_file_{flat(name)}",
    ),
    "plain": (PLAIN, "", lambda name, n: f"mallory/{below(name)}"),
    "plain, with ids": (PLAIN, IDS, lambda name, n: f"class/mallory/{below(name)}"),
}


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=file_names, as_folder=st.booleans())
@example(names=["", ".x", ".x"], as_folder=False)  # the second of two alike was left out without a word
def test_whatever_a_student_calls_files_the_others_are_collected(
    course: Course, system: str, names: list[str], as_folder: bool
) -> None:
    honest, roster, path_of = SYSTEMS[system]
    if system == "plain, with ids":
        honest = {f"class/{path}": text for path, text in honest.items()}
    mallory = {path_of(name, n): f"mallory {n}" for n, name in enumerate(names)}
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        if as_folder:
            mallory = laid(top / "class", mallory)
            laid(top / "class", honest)
            source = top / "class"
        else:
            mallory = {path.encode("utf-8", "replace").decode(): text for path, text in mallory.items()}
            mallory = {path: text for path, text in mallory.items() if "\0" not in path}
            source = zipped(top / "download.zip", {**mallory, **honest})
        root = replace(course, root=top / "course", bonus=(), limits_by_assignment={})
        object.__setattr__(root, "source_paths", course.source_paths)
        people = None
        if roster:
            (top / "roster.csv").write_text(roster, encoding="utf-8")
            people = Roster(top / "roster.csv")
        done = collect(root, ASSIGNMENT, source, lambda kind: people)
        found = there(root)
        outside = [path for path in top.iterdir() if path.name not in ("class", "download.zip", "roster.csv", "course")]
    others = {path: text for path, text in found.items() if "/mallory/" not in path and "timestamp.txt" not in path}
    kim = next(path.split("/")[1] for path, text in others.items() if text == "kim")
    assert others == {at("ada"): "ada", at(kim): "kim"}
    assert all(text.startswith("mallory") for path, text in found.items() if "/mallory/" in path)
    assert not outside and all(path.startswith("submitted/") for path in found)
    accounted(done, {*mallory, *honest})


def laid(top: Path, files: Mapping[str, str]) -> dict[str, str]:
    """Write files as far as a file system takes their names, and return them."""
    written = {}
    for path, text in files.items():
        try:
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            with (top / path).open("x") as file:
                file.write(text)
        except (OSError, ValueError):
            continue
        written[path] = text
    return written


UNKNOWN = re.compile("^unknown: (doemallory_66|Mallory Doe_566|mallory): ", re.MULTILINE)


def accounted(done: Collected, paths: set[str]) -> None:
    """Each file is taken, left out with a reason, named in a note, or belongs to somebody unknown."""
    made = done.plan
    taken_from = {str(version.member.path) for one in made.arrivals for version in one.files.values()}
    told = said(done) + "".join(shown(note) for one in made.arrivals for note in one.notes)
    for path in paths:
        as_path = "/".join(part for part in path.split("/") if part not in ("", "."))
        if as_path in taken_from or any(part in downloads.NOT_SUBMITTED for part in path.split("/")):
            continue
        whole, name = shown(as_path, downloads.MAX_SHOWN), shown(path.rpartition("/")[2])
        own = f"not taken: {shown(re.sub('^doemallory_66_[0-9]+_', '', name))}"  # without what Canvas puts in front
        heads = [f"left out: {shown('/'.join(as_path.split('/')[:n]))}: " for n in range(1, path.count("/") + 2)]
        assert (
            whole in told or name in told or own in told or any(head in told for head in heads) or UNKNOWN.search(told)
        ), (
            path,
            told,
        )
