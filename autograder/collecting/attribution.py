"""Which student a name in a download belongs to: the roster decides it, and nothing that another student may have chosen."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.base.names import fault_of_id
from autograder.collecting.layouts import Reading, StudentFiles
from autograder.collecting.roster import Enrolled, Roster, name_key


def chosen_reading(ways: Sequence[Reading], kind: str, roster: Roster | None) -> tuple[Reading, str]:
    """Return the right reading of a path, with an empty reason; or its first reading, and why the right one can't be told.

    If a path has several readings, all but one come from a name that a student chose: the file's name, or the student's own. Then a
    number alone proves nothing: all readings together must fit one student only, whose name must stand before the number.
    """
    if len(ways) == 1:
        return ways[0], ""
    people = [(way, candidates(way, kind, roster)) for way in ways]
    ids = sorted({person.id for _, found in people for person in found})
    if len(ids) == 1:
        fitting = [way for way, found in people if found and name_key(way.name) in found[0].names]
        if fitting:
            return fitting[0], ""
    whose = f"only its number says that it is {ids[0]}'s" if len(ids) == 1 else f"it may be {' or '.join(ids)}'s"
    return ways[0], f"{whose}: ask who handed it in" if ids else ""


def candidates(one: StudentFiles | Reading, kind: str, roster: Roster | None) -> list[Enrolled]:
    """Return the students that a name in a download may be."""
    if roster is None:
        return [Enrolled(one.name)]
    if kind == "canvas":
        return roster.by_canvas_id(one.number)
    if kind == "plain":
        return roster.by_id(one.name) or roster.by_name(one.name)
    # who has a number in the assignment isn't somebody with another one, whatever the name
    found = roster.by_participant(one.number)
    return found or [person for person in roster.by_name(one.name) if not person.participant]


def fault_of_name(people: Sequence[Enrolled], one: StudentFiles, kind: str, roster: Roster | None) -> str:
    """Return why a name in a download doesn't tell one student, empty if it does."""
    if not people:
        files = ", ".join(version.name for version in one.versions[:3])
        if kind == "clones":
            return (
                f"no name on GitHub of {roster.path if roster else 'the roster'} stands there behind what most clones begin with: rename it to the name "
                "alone"
            )
        others = roster.by_name(one.name) if roster and kind == "moodle" else []
        if others:
            return (
                f"nobody in {roster.path if roster else ''} is participant {one.number}, and {others[0].id}, who is called "
                "so, is another: is it the grading worksheet of another assignment?"
            )
        return f"nobody in {roster.path if roster else 'the roster'} ({files})"
    if len(people) > 1:
        ids = ", ".join(person.id for person in people)
        if kind == "clones":
            return f"it may be the clone of {ids}: collect it together with others', or rename it to the name on GitHub alone"
        return f"the name of {ids}: use Moodle's grading worksheet as the roster, whose Identifier tells them apart"
    student = people[0].id
    if kind == "moodle" and people[0].names and name_key(one.name) not in people[0].names:
        return f"participant {one.number} is {student} there: is it the grading worksheet of another assignment?"
    if fault := fault_of_id(student):
        return f"the id {student!r} can't be a folder's name, for {fault}: choose another column with --match"
    return ""


def fault_of_owner(one: StudentFiles, person: Enrolled, claims: Sequence[StudentFiles], kind: str) -> str:
    """Return why a name's files aren't the student's, empty if they are: no other name claims to be the student, or none of the others fits."""
    fitting = [one for one in claims if one.name == person.id or name_key(one.name) in person.names]
    if len(claims) == 1:
        return ""
    if len(fitting) == 1:
        return "" if fitting[0] is one else f"the number is {person.id}'s, and the name isn't"
    remedy = ": Moodle's grading worksheet as the roster tells them apart" if kind == "moodle" else ""
    return f"one of {len(claims)} names that are all {person.id}{remedy}"
