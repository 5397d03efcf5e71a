"""Clones of students' repositories, side by side, as `gh teacher download` of Classroom 50 or `git clone` leaves them.

    cs-hello_submissions_2026_11_20_T_10_00_00/
        scores.csv
        cs-hello-adalovelace/        the same beginning for all, then the student's name on GitHub
            .git/
            blocks.ipynb
            result.json

(foundation50/classroom50, the command's reference.) Plain clones may be called by the name on GitHub alone. GitHub has each name once, and
the roster tells whose it is; a student who changes the name changes the clone's name too, and is nobody until the roster knows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from autograder.collecting.downloads import Download, Member
from autograder.collecting.layouts import Layout, Reading, Version
from autograder.collecting.roster import Enrolled, Roster
from autograder.submissions.notebook_file import is_notebook

KIND = "clones"


def read_clones(download: Download, assignment: str) -> Layout | None:
    """Tell whose clone each file is in; None if most folders beside each other aren't clones.

    Args:
        download: what was handed in.
        assignment: name of the assignment; a folder of this name in a clone counts as the clone's own folder does.
    """
    outer = {clone for clone in download.clones if not any(parent in download.clones for parent in clone.parents)}
    beside = Counter(clone.parent for clone in outer if clone.parts)
    if not beside:
        return None
    place, count = beside.most_common(1)[0]
    homes: dict[PurePosixPath, list[Member]] = defaultdict(list)
    for member in download.members:
        if place in member.path.parents and member.path.parent != place:
            homes[place / member.path.relative_to(place).parts[0]].append(member)
    if 2 * count <= len(homes):  # what one student hands in decides nothing for the others
        return None
    files = [[reading] for home, members in homes.items() for reading in _taken(home, members, assignment)]
    return Layout(KIND, files, ())


def owners(folders: Sequence[str], roster: Roster) -> dict[str, list[Enrolled]]:
    """Return a clone's name -> who may own it: one student, several, or nobody.

    The names of all clones begin alike. The beginning is the one behind which most clones, two at least, have a name on GitHub that the roster
    knows. So a student whose name ends as another's takes nobody's clone.

    Args:
        folders: names of the clones.
        roster: the class, with names on GitHub.
    """
    ways = {folder: dict(_ways(folder, roster)) for folder in folders}
    votes = Counter(beginning for found in ways.values() for beginning in found)
    if not votes.get(""):  # clones that are called by the name on GitHub alone need no other to tell
        votes = Counter({beginning: count for beginning, count in votes.items() if count > 1})
    most = max(votes.values(), default=0)
    chosen = [""] if most and votes.get("") == most else [each for each, count in votes.items() if count == most]
    return {
        folder: [person for beginning in chosen for person in found.get(beginning, ())]
        for folder, found in ways.items()
    }


def _ways(folder: str, roster: Roster) -> Iterable[tuple[str, list[Enrolled]]]:
    """Yield each beginning of a clone's name after which a name on GitHub stands, and whose it is."""
    for start in (0, *(at + 1 for at, character in enumerate(folder) if character in "-_")):
        if found := roster.by_github(folder[start:]):
            yield folder[:start].casefold(), found


def _taken(home: PurePosixPath, members: Sequence[Member], assignment: str) -> Iterable[Reading]:
    """Yield what counts of a clone: notebooks, and what lies in a folder with one, hidden files left out."""
    inside = {member: member.path.relative_to(home).parts for member in members}
    shown = {member: parts for member, parts in inside.items() if not any(part.startswith(".") for part in parts)}
    with_notebooks = {parts[:-1] for parts in shown.values() if is_notebook(parts[-1])}
    for member, parts in shown.items():
        is_report = len(parts) == 1 and parts[0] in ("result.json", "results.json")  # of gh's own
        if parts[:-1] in with_notebooks and not is_report:
            depth = len(parts) - 1 - (parts[0] == assignment)
            # when a file was cloned says nothing about when it was handed in
            yield Reading(home.name, "", Version(member, parts[-1], 0.0, depth), home=home.parts)
