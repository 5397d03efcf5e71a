"""Where work comes from and feedback goes back to: a plain folder, or nbgrader's exchange. (Canvas: `canvas_source`.)"""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from nbgrader.utils import notebook_hash, parse_utc

from autograder.base.errors import CourseError, MachineError
from autograder.base.names import fault_of_id, is_file_name, shown
from autograder.base.plain_files import open_plain_file, write_plain_file
from autograder.collecting.collect import Arrival, make_plan
from autograder.collecting.downloads import Member, open_download
from autograder.collecting.layouts import is_named, read_layout
from autograder.sources.course import Course
from autograder.submissions.notebook_file import is_notebook
from autograder.watching.spool import SECRET

SETTLED_SECONDS = 2.0  # after the last change of a file
UNFINISHED_SECONDS = 60.0  # of a submission that lacks what is written last
MAX_FILES = 200


@dataclass(frozen=True)
class FoundVersion:
    """A version of a student's work that a source holds.

    Attributes:
        student: nbgrader's id of the student.
        version: the source's own name of the version, the same at every look.
        write: writes the version's files into an empty folder; returns the time of handing in, None if nobody says.
    """

    student: str
    version: str
    write: Callable[[Path], datetime | None]


@dataclass(frozen=True)
class Look:
    """What one look at a source found.

    Attributes:
        found: the newest version of each student's work.
        notes: what an instructor should look at.
    """

    found: Sequence[FoundVersion]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Feedback:
    """What goes back to a student.

    Attributes:
        assignment, student, version: ids of the assignment and of the student, and the version that the page is about.
        page: the feedback page, or a notice that the tries are used up.
        folder: the submission's folder in `submitted/`.
        is_graded: whether there are points to hand back.
    """

    assignment: str
    student: str
    version: str
    page: Path
    folder: Path
    is_graded: bool


class Source(Protocol):
    """Where work comes from and feedback goes."""

    seconds: float  # between two looks

    def look(self, assignment: str) -> Look:
        """Return what is there now.

        Raises:
            AutograderError, OSError: it can't be looked at.
        """
        ...

    def hand_back(self, feedback: Feedback) -> str:
        """Give a student the feedback; a second time changes nothing. Return what an instructor should know of it.

        Raises:
            AutograderError, OSError: it couldn't be given.
        """
        ...


class FolderSource:
    """Folders `<student>/<notebook>.ipynb` or `<student>/<assignment>/<notebook>.ipynb`; feedback goes into another folder."""

    seconds = 2.0

    def __init__(self, course: Course, folder: Path, feedback: Path | None) -> None:
        """Prepare.

        Args:
            course: the course whose sources and configuration are used.
            folder: the folder where work is handed in.
            feedback: the folder that gets `<student>/<assignment>/<notebook>.html`; None: the course's `feedback`, where the pages are
                already.
        """
        self._course = course
        self._folder = folder
        self._feedback_folder = feedback
        self._digests: dict[tuple[str, int, int, int], str] = {}
        self._seen: dict[tuple[str, str], tuple[str, str]] = {}

    def look(self, assignment: str) -> Look:
        """Return what lies in the folder; what was written a moment ago may not be whole, and waits for the next look."""
        with open_download(self._folder) as download:
            members = [member for member in download.members if not self._is_of_another(member, assignment)]
            if not members:
                return Look(())
            plan = make_plan(self._course, assignment, download, read_layout(members, assignment), None)
        found = [self._found(assignment, arrival) for arrival in plan.arrivals if self._is_settled(arrival)]
        notes = [f"{shown(one.path)}: {one.reason}" for one in (*plan.unknown, *plan.skipped)]
        return Look(found, notes + [f"{one.student}: {reason}" for one in plan.arrivals for reason in one.trouble])

    def _is_of_another(self, member: Member, assignment: str) -> bool:
        """Whether a file is called as, or lies in a folder of, another assignment."""
        names = self._course.notebook_names
        others = [other for other in names if other != assignment]
        is_ours = is_named(member.path.name, names[assignment])
        called = is_notebook(member.path.name) and any(is_named(member.path.name, names[other]) for other in others)
        return bool({*member.path.parts[:-1]} & {*others}) or (called and not is_ours)

    def _is_settled(self, arrival: Arrival) -> bool:
        try:
            return self._changed(arrival) <= time.time() - SETTLED_SECONDS
        except OSError:  # removed at this moment
            return False

    def _status(self, path: os.PathLike[str]) -> os.stat_result:
        return os.lstat(self._folder / path)

    def _found(self, assignment: str, arrival: Arrival) -> FoundVersion:
        place = assignment, arrival.student
        parts = sorted((name, self._digest(version.member.path)) for name, version in arrival.files.items())
        content = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
        before, version = self._seen.get(place, ("", ""))
        if content != before:  # handed in, or what was handed in earlier was put back
            version = f"{content}:{self._changed(arrival):.6f}"
            self._seen[place] = content, version

        def write(folder: Path) -> datetime | None:
            for name, one in arrival.files.items():
                one.member.copy_to(folder / name)
            return datetime.fromtimestamp(self._changed(arrival), UTC)

        return FoundVersion(arrival.student, version, write)

    def _changed(self, arrival: Arrival) -> float:
        """Return when the files came into the folder or were last written, which no student can put back."""
        return max(self._status(version.member.path).st_ctime for version in arrival.files.values())

    def _digest(self, path: os.PathLike[str]) -> str:
        """Return a file's SHA-256, computed once as long as nothing about the file changes."""
        status = self._status(path)
        key = (str(path), status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if key not in self._digests:
            with open_plain_file(self._folder / path) as file:
                self._digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
        return self._digests[key]

    def hand_back(self, feedback: Feedback) -> str:
        """Copy the page."""
        if self._feedback_folder is not None:
            target = self._feedback_folder / feedback.student / feedback.assignment
            target.mkdir(parents=True, exist_ok=True)
            put_page(feedback.page, target / feedback.page.name)
        return ""


class ExchangeSource:
    """nbgrader's exchange: `<root>/<course>/inbound` and `<root>/<course>/feedback`."""

    seconds = 2.0

    def __init__(self, course: Course, root: Path, *, check_owner: bool = True) -> None:
        """Prepare.

        Args:
            course: the course whose sources and configuration are used.
            root: the exchange's folder.
            check_owner: whether submissions in another student's name, by the owner of the folder, are left out.
        """
        self._course = course
        self._folder = root / course.id
        self._check_owner = check_owner

    def look(self, assignment: str) -> Look:
        """Return the newest folder `<student>+<assignment>+<time>` or `<student>+<assignment>+<time>+<random>` of each student."""
        notes: list[str] = []
        newest: dict[str, tuple[datetime, str]] = {}
        inbound = self._folder / "inbound"
        if not inbound.is_dir():
            raise CourseError(
                f"The exchange must have the course's inbound folder. Received: {inbound}, which isn't there. Release an "
                f"assignment first: `nbgrader release_assignment {assignment}`."
            )
        for entry in sorted(os.scandir(inbound), key=lambda one: one.name):
            found = re.fullmatch(rf"(.+)\+{re.escape(assignment)}\+([^+]+)(\+[^+]*)?", entry.name, re.DOTALL)
            if not found:
                continue
            moment = _time_of(found[2])
            fault = self._fault(entry, found[1]) or ("" if moment else "its name holds no time")
            if fault or moment is None:
                notes.append(f"left out: {shown(entry.name)}: {fault}")
                continue
            if not self._is_whole(entry):
                continue
            newest[found[1]] = max(newest.get(found[1], (datetime.min, "")), (moment, entry.name))
        return Look([self._found(student, *one) for student, one in sorted(newest.items())], notes)

    def _is_whole(self, entry: os.DirEntry[str]) -> bool:
        """Whether nbgrader has ended writing it: its secret comes last, and old versions of nbgrader write none."""
        try:
            files = list(os.scandir(entry.path))
            changed = max(one.stat(follow_symlinks=False).st_ctime for one in [entry, *files])
        except OSError:  # removed at this moment, or not readable yet
            return False
        is_complete = any(one.name == SECRET for one in files)
        return changed <= time.time() - (SETTLED_SECONDS if is_complete else UNFINISHED_SECONDS)

    def _fault(self, entry: os.DirEntry[str], student: str) -> str:
        if not entry.is_dir(follow_symlinks=False):
            return "it is no folder"
        if fault := fault_of_id(student):
            return fault
        if self._check_owner:
            try:
                owner = pwd.getpwuid(entry.stat(follow_symlinks=False).st_uid).pw_name
            except KeyError:
                owner = "somebody without a name"
            if owner != student:
                return f"it is {owner}'s"
        return ""

    def _found(self, student: str, moment: datetime, name: str) -> FoundVersion:
        def write(folder: Path) -> datetime | None:
            copy_plain_files(self._folder / "inbound" / name, folder)
            return moment.replace(tzinfo=UTC)

        return FoundVersion(student, name, write)

    def hand_back(self, feedback: Feedback) -> str:
        """Put the page where `nbgrader fetch_feedback` looks for it."""
        try:
            secret = (feedback.folder / SECRET).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise MachineError(
                f"A submission of the exchange must hold {SECRET}. Received: none of {feedback.student} in {feedback.folder}: {error}."
            ) from None
        if not secret:
            raise MachineError(f"{SECRET} must not be empty. Received: an empty one of {feedback.student}.")
        folder = self._folder / "feedback"
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)  # students may read a page whose name they know, and no list
        notebook = self._course.source(feedback.assignment).name
        put_page(feedback.page, folder / f"{notebook_hash(secret=secret, notebook_id=notebook)}.html")
        return ""


def _time_of(text: str) -> datetime | None:
    """Return a time as nbgrader writes it, in UTC without saying so; None if it is none."""
    try:
        moment: datetime = parse_utc(text)
    except (ValueError, OverflowError):
        return None
    return moment


def copy_plain_files(source: Path, target: Path) -> None:
    """Copy the files that lie directly in a folder of somebody else's: no links, no hidden ones.

    Raises:
        CourseError: it isn't there any more.
    """
    try:
        entries = sorted(os.scandir(source), key=lambda one: one.name)
    except OSError as error:
        raise CourseError(f"A submission must be readable. Received: {source}: {error.strerror}.") from None
    for entry in entries[:MAX_FILES]:
        if is_file_name(entry.name) and entry.is_file(follow_symlinks=False):
            with open_plain_file(entry.path) as file, (target / entry.name).open("xb") as copy:
                shutil.copyfileobj(file, copy)


def put_page(page: Path, target: Path) -> None:
    """Write a page to where students read, whole at every moment, and never through a link that somebody laid."""
    if target.parent.is_symlink():
        raise MachineError(f"Feedback is written into folders alone. Received: {target.parent}, a link. Remove it.")
    write_plain_file(target, page.read_bytes())
