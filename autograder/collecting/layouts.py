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
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from autograder.collecting.downloads import Member, Skipped
from autograder.errors import CourseError
from autograder.intake import is_notebook

CANVAS = re.compile(
    r"(?P<name>.*?)_?(?P<late>LATE_)?(?<![^_])(?P<number>\d+|anon_[^_]+)_"
    r"(?:(?P<order>\d+)_(?P<file>.+)|(?P<text>(?:text|link)\.html))",
    re.DOTALL,
)
MOODLE = re.compile(
    r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?P<kind>file|[a-z]+)(?P<rest>_?/.+|_.+)", re.DOTALL
)
TIMESTAMP = "timestamp.txt"


@dataclass(frozen=True)
class Version:
    """One file that a student handed in.

    Attributes:
        name: its own, without folders.
        order: larger if newer; comparable within one student's files.
        depth: how many folders it was in, below the student's own.
    """

    member: Member
    name: str
    order: float
    depth: int = 0


@dataclass
class Handed:
    """Everything of one student, as the download names them.

    Attributes:
        name: of the student.
        number: Canvas's id of the student, or that of a participant in Moodle's assignment; empty in plain folders.
        is_late: whether Canvas says so.
    """

    name: str
    number: str = ""
    is_late: bool = False
    versions: list[Version] = field(default_factory=list)


@dataclass(frozen=True)
class Layout:
    """A download's files by student.

    Attributes:
        kind: `canvas`, `moodle` or `plain`.
        handed: what each student handed in.
        skipped: files that no student's name goes with.
    """

    kind: str
    handed: Sequence[Handed]
    skipped: Sequence[Skipped]


def read_layout(members: Iterable[Member], assignment: str) -> Layout:
    """Tell whose each file is.

    Args:
        members: of the download.
        assignment: its name: a folder of this name below a student's is the student's.

    Raises:
        CourseError: no file is named as Canvas, Moodle or a plain folder would.
    """
    members = list(members)
    moodle = [(member, match) for member in members if (match := _moodle(member.path))]
    if moodle:
        return _gathered("moodle", members, [(m, _moodle_version(m, found), found) for m, found in moodle])
    canvas = [(member, match) for member in members if (match := CANVAS.fullmatch(member.path.name))]
    if 2 * len(canvas) > len(members):
        return _gathered("canvas", members, [(m, _canvas_version(m, found), found) for m, found in canvas])
    return _plain(members, assignment)


def _moodle(path: PurePosixPath) -> re.Match[str] | None:
    """Match the part of a path that begins with a student's folder or file name."""
    at = next((i for i, part in enumerate(path.parts) if "_assignsubmission_" in part), None)
    return None if at is None else MOODLE.fullmatch("/".join(path.parts[at:]))


def _moodle_version(member: Member, found: re.Match[str]) -> Version:
    inside = PurePosixPath(found["rest"].lstrip("_").lstrip("/"))
    return Version(member, inside.name, member.modified, len(inside.parts) - 1)


def _canvas_version(member: Member, found: re.Match[str]) -> Version:
    return Version(member, found["file"] or found["text"], float(found["order"] or 0))


def _gathered(kind: str, members: Sequence[Member], found: Sequence[tuple[Member, Version, re.Match[str]]]) -> Layout:
    """Gather files by the student that their names tell."""
    handed: dict[tuple[str, str], Handed] = {}
    for _, version, match in found:
        one = handed.setdefault((match["name"], match["number"]), Handed(match["name"], match["number"]))
        one.is_late |= bool(match.groupdict().get("late"))
        one.versions.append(version)
    ours = {id(member) for member, _, _ in found}
    skipped = [
        Skipped(str(m.path), f"not named as {kind.capitalize()} names files") for m in members if id(m) not in ours
    ]
    return Layout(kind, list(handed.values()), skipped)


def _plain(members: Sequence[Member], assignment: str) -> Layout:
    """Read `<student>/…`: the folders that hold notebooks, and those beside them, are students'."""
    homes = {_home(member.path, assignment) for member in members if is_notebook(member.path.name)}
    depths = {len(home.parts) for home in homes}
    if len(depths) != 1 or not min(depths):
        some = ", ".join(str(member.path) for member in members[:3]) or "no file"
        raise CourseError(
            "The download's files must be named as Canvas or Moodle names them, or lie in <student>/<notebook>.ipynb, all "
            f"students beside each other. Received: {some}{' …' if len(members) > 3 else ''}."
        )
    (depth,) = depths
    around = {home.parent for home in homes}
    handed: dict[PurePosixPath, Handed] = {}
    skipped: list[Skipped] = []
    for member in members:
        home = PurePosixPath(*member.path.parts[:depth])
        inside = member.path.relative_to(home)
        if home.parent not in around or not inside.parts:
            skipped.append(Skipped(str(member.path), "in no student's folder"))
            continue
        if len(inside.parts) > 1 and inside.parts[0] == assignment:
            inside = PurePosixPath(*inside.parts[1:])
        one = handed.setdefault(home, Handed(home.name))
        one.versions.append(Version(member, inside.name, member.modified, len(inside.parts) - 1))
    return Layout("plain", list(handed.values()), skipped)


def _home(notebook: PurePosixPath, assignment: str) -> PurePosixPath:
    folder = notebook.parent
    return folder.parent if folder.name == assignment else folder


# What browsers, Canvas and file managers add to a name that is taken.
DECORATION = re.compile(
    r"\s*(?:[-_ ]\d{1,2}|\(\d{1,3}\)|-[0-9a-f]{8}-[0-9a-f-]{27}|[-_ ]+(?:copy|복사본)(?:\s*\(?\d*\)?)?)$", re.IGNORECASE
)


def is_called(file: str, notebook: str) -> bool:
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
