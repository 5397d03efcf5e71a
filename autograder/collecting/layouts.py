"""How Canvas, Moodle and plain folders name what students handed in.

Canvas ("Download Submissions"; `lib/content_zipper.rb`, get_filename and add_upload_submission): one folder,

    lovelaceada_12_345_blocks-1.ipynb        name, Canvas's id of the student, id of the file, the file's own name
    lovelaceada_LATE_12_345_blocks.ipynb     handed in late
    lovelaceada_12_text.html                 a text or a link instead of a file

Moodle ("Download all submissions"; `mod/assign/classes/downloader.php`, get_student_prefix and
load_submissionplugin_filelist): with "Download submissions in folders" as the first line, without as the second,

    Ada Lovelace_6789_assignsubmission_file/blocks.ipynb
    Ada Lovelace_6789_assignsubmission_file_blocks.ipynb

where 6789 numbers the participant (`Identifier` in the grading worksheet). Older versions end the folder's name with `_`.

Plain: `<student>/<notebook>.ipynb` or `<student>/<assignment>/<notebook>.ipynb`, below any folders.

The last part of each name is the student's own, and in Moodle and in old versions of Canvas the first is too. So a name
that can be read in several ways is returned with all of its readings, and what one student's files are called never
decides how the others' are read: each student, or each folder, has one vote.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from autograder.base.errors import CourseError
from autograder.base.names import shown
from autograder.collecting.downloads import Member, Skipped
from autograder.submissions.notebook_file import is_notebook

# Canvas's, from the student's id on; what stands before it is the name.
CANVAS = re.compile(
    r"(?P<number>[0-9]+|anon_[^_]+)_(?:(?P<order>[0-9]+)_(?P<file>.+)|(?P<text>(?:text|link)\.html))", re.DOTALL
)
LATE = "LATE_"
MAX_READINGS = 16  # of one name
MOODLE_FOLDER = re.compile(r"(?P<name>.+)_(?P<number>[0-9]+)_assignsubmission_[a-z]+_?", re.DOTALL)
MOODLE_FILE = re.compile(r"_(?P<number>[0-9]+)_assignsubmission_[a-z]+(?=_.)", re.DOTALL)
TIMESTAMP = "timestamp.txt"
MAX_TIMESTAMP_BYTES = 1000


@dataclass(frozen=True)
class Version:
    """One file that a student handed in.

    Attributes:
        name: the file's own name, without folders.
        order: a number that is larger for newer files; comparable within one student's files.
        depth: number of folders, below the student's own, that the file was in.
    """

    member: Member
    name: str
    order: float
    depth: int = 0


@dataclass
class StudentFiles:
    """Everything of one student, as the download names them.

    Attributes:
        name: the student's name in the download.
        number: Canvas's id of the student, or that of a participant in Moodle's assignment; empty in plain folders.
        is_late: whether Canvas calls the work late.
    """

    name: str
    number: str = ""
    is_late: bool = False
    versions: list[Version] = field(default_factory=list)


@dataclass(frozen=True)
class Reading:
    """Whose a file is, by one way to read its path.

    Attributes:
        name, number: the student's name and number in the download, as in `StudentFiles`.
        version: the file, with its own name in this reading.
        is_late: whether Canvas calls the work late.
        home: path of the student's folder in a plain download: two folders of one name are two students'.
    """

    name: str
    number: str
    version: Version
    is_late: bool = False
    home: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """A download's files by student.

    Attributes:
        kind: `canvas`, `moodle` or `plain`.
        files: per file, all ways to read its path: one, unless a student made it ambiguous.
        skipped: files that no student's name goes with.
    """

    kind: str
    files: Sequence[Sequence[Reading]]
    skipped: Sequence[Skipped]


def read_layout(members: Iterable[Member], assignment: str) -> Layout:
    """Tell whose each file is.

    Args:
        members: the files of the download.
        assignment: name of the assignment; a folder of this name below a student's folder belongs to that student.

    Raises:
        CourseError: no file is named as Canvas, Moodle or a plain folder would.
    """
    members = list(members)
    tree = _tree(members)
    found: list[tuple[str, dict[int, list[Reading]]]] = []
    # an answer of Canvas's may be called as Moodle's, and the other way round, but then all are called as what they are
    for kind, looks_so, read in (("canvas", _is_canvas, _canvas), ("moodle", _is_moodle, _moodle)):
        if _most(tree, looks_so):
            read_so = ((number, read(member)) for number, member in enumerate(members))
            found.append((kind, {number: readings for number, readings in read_so if readings}))
    if not found:
        return _plain(members, assignment)
    kind, files = max(found, key=lambda candidate: len(candidate[1]))
    skipped = [
        Skipped(str(member.path), f"not named as {kind.capitalize()} names files")
        for number, member in enumerate(members)
        if number not in files
    ]
    return Layout(kind, list(files.values()), skipped)


def files_by_student(readings: Iterable[Reading]) -> list[StudentFiles]:
    """Gather files by the student that their names tell."""
    handed: dict[tuple[tuple[str, ...], str, str], StudentFiles] = {}
    for reading in readings:
        key = (reading.home, reading.name, reading.number)
        one = handed.setdefault(key, StudentFiles(reading.name, reading.number))
        one.is_late |= reading.is_late
        one.versions.append(reading.version)
    return list(handed.values())


Tree = dict[tuple[str, bool], Any]  # (name, whether it is a folder) -> what is in the folder


def _tree(members: Iterable[Member]) -> Tree:
    top: Tree = {}
    for member in members:
        inside = top
        for folder in member.path.parts[:-1]:
            inside = inside.setdefault((folder, True), {})
        inside[member.path.name, False] = None
    return top


def _most(tree: Tree, looks_so: Callable[[str, bool], bool]) -> bool:
    """Whether most of what is in a folder looks like one system's, a folder by its name or by most of what is in it.

    So a folder has one vote, whatever a student puts into it. Other files beside folders have none: they are nobody's.
    """
    votes = {node: looks_so(*node) or (node[1] and _most(inside, looks_so)) for node, inside in tree.items()}
    has_folders = any(is_folder for _, is_folder in votes)
    voters = [node for node, vote in votes.items() if vote or node[1] or not has_folders]
    return 2 * sum(votes.values()) > len(voters)


def _is_canvas(name: str, is_folder: bool) -> bool:
    return not is_folder and any(True for _ in _canvas_matches(name))


def _is_moodle(name: str, is_folder: bool) -> bool:
    return (
        bool(MOODLE_FOLDER.fullmatch(name)) if is_folder else any(match.start() for match in MOODLE_FILE.finditer(name))
    )


def _canvas_matches(name: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield what stands before a number that may be Canvas's id of a student, and what stands from there on."""
    for at in range(len(name)):
        if (at == 0 or name[at - 1] == "_") and (match := CANVAS.fullmatch(name, at)):
            yield name[:at], match


def _canvas(member: Member) -> list[Reading]:
    readings: list[Reading] = []
    for before, match in islice(_canvas_matches(member.path.name), MAX_READINGS):
        is_late = before == LATE or before.endswith(f"_{LATE}")
        name = before.removesuffix(LATE if is_late else "").removesuffix("_")
        version = Version(member, match["file"] or match["text"], float(match["order"] or 0))
        readings.append(Reading(name, match["number"], version, is_late))
    return readings


def _moodle(member: Member) -> list[Reading]:
    """Read the first part of a path that is named as Moodle names a student's folder or file."""
    for at, part in enumerate(member.path.parts, 1):
        inside = member.path.parts[at:]
        if inside:
            match = MOODLE_FOLDER.fullmatch(part)
            readings = [_moodle_reading(member, match["name"], match["number"], inside)] if match else []
        else:
            readings = [
                _moodle_reading(member, part[: match.start()], match["number"], (part[match.end() :].lstrip("_"),))
                for match in MOODLE_FILE.finditer(part)
                if match.start()
            ]
        if readings:
            return readings
    return []


def _moodle_reading(member: Member, name: str, number: str, inside: Sequence[str]) -> Reading:
    return Reading(name, number, Version(member, inside[-1], member.modified, len(inside) - 1))


def _plain(members: Sequence[Member], assignment: str) -> Layout:
    """Read `<student>/…`: the folders that hold notebooks, and those beside them, are students'."""
    homes = _homes(members, assignment)
    depth = len(next(iter(homes)))
    around = {home[:-1] for home in homes}
    files: list[list[Reading]] = []
    skipped: list[Skipped] = []
    for member in members:
        home, inside = member.path.parts[:depth], member.path.parts[depth:]
        if home[:-1] not in around or not inside:
            skipped.append(Skipped(str(member.path), "in no student's folder"))
            continue
        if len(inside) > 1 and inside[0] == assignment:
            inside = inside[1:]
        version = Version(member, member.path.name, member.modified, len(inside) - 1)
        files.append([Reading(member.path.parts[depth - 1], "", version, home=home)])
    return Layout("plain", files, skipped)


def _homes(members: Sequence[Member], assignment: str) -> set[tuple[str, ...]]:
    """Return the students' folders that hold a notebook: all of one depth, the first at which most hold one.

    A student who puts the notebook into a further folder is outvoted. Above the students no folder holds files beside
    others, else a student's could name itself another's.

    Raises:
        CourseError: there are none.
    """
    paths = [member.path.parts for member in members]
    notebooks = [path for path in paths if is_notebook(path[-1])]
    holding = {_home(path, assignment) for path in notebooks}
    with_files = {path[:-1] for path in paths}
    tops: set[tuple[str, ...]] = {()}
    depth = 0
    while True:
        depth += 1
        paths = [path for path in paths if len(path) > depth and path[: depth - 1] in tops]
        notebooks = [path for path in notebooks if len(path) > depth]
        folders = {path[:depth] for path in paths}
        above = folders & {path[:depth] for path in notebooks}
        homes = holding & folders
        if homes and 2 * len(homes) >= len(above):
            return homes
        if homes or not above or (len(folders) > 1 and folders & with_files):
            raise _shapeless(members, above - homes)
        tops = folders


def _shapeless(members: Sequence[Member], elsewhere: set[tuple[str, ...]]) -> CourseError:
    some = sorted("/".join(path) for path in elsewhere) or [str(member.path) for member in members]
    named = ", ".join(shown(path, 100) for path in some[:3]) or "no file"
    without = " without a notebook of their own, but one further inside" if elsewhere else ""
    return CourseError(
        "The download's files must be named as Canvas or Moodle names them, or lie in <student>/<notebook>.ipynb, all "
        f"students beside each other. Received: {named}{' …' if len(some) > 3 else ''}{without}."
    )


def _home(notebook: tuple[str, ...], assignment: str) -> tuple[str, ...]:
    folder = notebook[:-1]
    return folder[:-1] if folder and folder[-1] == assignment else folder


# What browsers, Canvas and file managers add to a name that is taken. Bounded, since a name of blanks would take long.
DECORATION = re.compile(
    r"\s{0,3}(?:[-_ ]\d{1,2}|\(\d{1,3}\)|-[0-9a-f]{8}-[0-9a-f-]{27}|[-_ ]{1,3}(?:copy|복사본)(?:\s{0,3}\(?\d{0,3}\)?)?)$",
    re.IGNORECASE,
)


def is_named(file: str, notebook: str) -> bool:
    """Whether a file name is a notebook's, as it was released or with what is added to a second one: `blocks-1 (2).ipynb`."""
    stem, dot, ending = file.rpartition(".")
    if not dot or ending.lower() != "ipynb":
        return False
    while stem != notebook and (bare := DECORATION.sub("", stem)) != stem:
        stem = bare
    return stem == notebook


def newest(versions: Iterable[Version]) -> Version:
    """Return the version that was handed in last: the newest file, of equally new ones that with the highest number."""
    return max(versions, key=lambda version: (version.order, -version.depth, _number(version.name)))


def _number(file: str) -> int:
    """Return 2 for `blocks (2).ipynb`, 0 without a number."""
    decoration = DECORATION.search(file.rpartition(".")[0])
    numbers = re.findall(r"\d+", decoration[0]) if decoration else []
    return int(numbers[-1]) if numbers else 0


def by_name(versions: Iterable[Version]) -> dict[str, list[Version]]:
    """Return file name -> its versions, the first the one nearest to the student's own folder."""
    found: dict[str, list[Version]] = defaultdict(list)
    for version in versions:
        found[version.name].append(version)
    return {name: sorted(same, key=lambda v: (v.depth, -v.order)) for name, same in found.items()}


def write_timestamp(folder: Path, moment: datetime) -> None:
    """Write into a submission's folder when it was handed in, as nbgrader reads it."""
    (folder / TIMESTAMP).write_text(f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC\n", encoding="ascii")
