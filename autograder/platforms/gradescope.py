"""Gradescope: a zip that grades one assignment, and what happens when Gradescope runs it.

Source: Gradescope Autograder Documentation, "Autograder Specifications" and "Submission Metadata".
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from autograder.base.errors import CourseError, MachineError
from autograder.base.text import Text
from autograder.base.zips import write_zip
from autograder.platforms.bundle import Platform, bundle, read_description, requirements
from autograder.platforms.container import require_room
from autograder.platforms.formats import formatted
from autograder.platforms.writing import write_result
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade_file

MOST_MINUTES = 40
EXECUTABLE = ("setup.sh", "run_autograder")
RESULT, METADATA = "results/results.json", "submission_metadata.json"
_MAX_METADATA_BYTES = 50_000_000
_TOO_MANY = Text(
    "This was not graded: {tries} submissions a day are, and today's are used up. Below is the result of the latest that was. The next is graded "
    "tomorrow.",
    "이번 제출은 채점하지 않았습니다. 하루에 {tries}번까지 채점하며 오늘 횟수를 모두 썼습니다. 아래는 마지막으로 채점한 결과입니다. 내일 다시 채점할 수 "
    "있습니다.",
)


def write_autograder(
    course: Course, assignment: str, path: Path, platform: Platform, tell: Callable[[str], None] = lambda line: None
) -> None:
    """Write the zip that an instructor uploads.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        path: the zip file to write.
        platform: how Gradescope is to run the autograder.
        tell: called with a line about each step.

    Raises:
        CourseError: the assignment doesn't fit into what Gradescope allows.
        MachineError: pip's index couldn't be asked.
    """
    if platform.seconds > MOST_MINUTES * 60:
        raise CourseError(
            f"Gradescope stops an autograder after {MOST_MINUTES} minutes at the latest. Received: --minutes {platform.seconds / 60:g}."
        )
    contents = bundle(course, assignment, platform)
    contents |= scripts(course, assignment, platform, (*EXECUTABLE, "README.md"))
    contents["requirements.txt"] = requirements(tell=tell)
    write_zip(path, contents, executable=EXECUTABLE, compression=zipfile.ZIP_DEFLATED)


def scripts(course: Course, assignment: str, platform: Platform, names: Sequence[str]) -> dict[str, bytes]:
    """Return name -> content of the texts that go with a bundle, filled in for an assignment."""
    words = {
        "assignment": assignment,
        "notebook": f"{course.source(assignment).name}.ipynb",
        "points": f"{sum(course.source(assignment).points.values()):g}",
        "minutes": f"{platform.seconds / 60:g}",
        "cores": f"{platform.cores:g}",
        "gigabytes": f"{platform.memory_bytes / 2**30:g}",
        "tries": f"{platform.tries} submissions a day" if platform.tries else "every submission",
        "student": platform.student,
    }
    folder = resources.files("autograder.platforms") / "templates"
    return {
        name: Template((folder / name).read_text(encoding="utf-8")).safe_substitute(words).encode() for name in names
    }


def run(home: Path) -> None:
    """Grade the submission that Gradescope has laid into its folder, and write the result.

    Args:
        home: Gradescope's folder, `/autograder`.

    Raises:
        MachineError: nothing was written, so that Gradescope calls it the autograder's failure.
    """
    course, assignment, platform = read_description(home / "source")
    require_room(platform)
    metadata = read_metadata(home / METADATA)
    if platform.tries and (again := repeated(metadata, platform.tries, course.languages)):
        write_result(json.dumps(again, ensure_ascii=False, indent=2) + "\n", home / RESULT)
        return
    notebook = home / "submission" / f"{course.source(assignment).name}.ipynb"
    _, verdict = grade_file(course, assignment, notebook, student_of(metadata, platform.student))
    write_result(formatted(verdict, "gradescope"), home / RESULT)


def read_metadata(path: Path) -> Mapping[str, Any]:
    """Return what Gradescope says of a submission.

    Raises:
        MachineError: it can't be read.
    """
    try:
        if path.stat().st_size > _MAX_METADATA_BYTES:
            raise ValueError(f"{path.stat().st_size} bytes")
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("no object")
    except (OSError, ValueError) as error:
        raise MachineError(f"Gradescope's {path.name} must be a JSON object. Received: {error}.") from error
    return found


def student_of(metadata: Mapping[str, Any], kind: str) -> str:
    """Return the id of the student who handed in; of a group, that of the first by it.

    Args:
        metadata: what Gradescope says of the submission.
        kind: which of a user's fields is the student's id: `email`, `login` (the email before the `@`) or `name`.

    Raises:
        MachineError: nobody is named.
    """
    names = []
    for user in metadata.get("users") or ():
        email, name = str(user.get("email") or ""), str(user.get("name") or "")
        names.append({"email": email, "login": email.partition("@")[0], "name": name}[kind])
    if not any(names):
        raise MachineError(f"Gradescope's metadata must name a student by {kind}. Received: none.")
    return min(filter(None, names))


def repeated(metadata: Mapping[str, Any], tries: int, languages: Sequence[str] = ("en",)) -> dict[str, Any] | None:
    """Return the latest result once more if a student has used up a day's tries, else None.

    Gradescope shows what the latest submission earned, so the one that isn't graded must tell the result of the one before. A submission at
    which the autograder failed counts for nothing.

    Args:
        metadata: what Gradescope says of the submission.
        tries: how many gradings a student has a day.
        languages: languages of the sentence that says that the tries are used up.

    Raises:
        MachineError: the times can't be read, so that nobody knows how many there were.
    """
    try:
        today = _day(metadata["created_at"])
        earlier = [each for each in metadata.get("previous_submissions") or () if not each.get("autograder_error")]
        count = sum(_day(each["submission_time"]) == today for each in earlier)
        latest = max(earlier, key=lambda each: datetime.fromisoformat(each["submission_time"])) if earlier else {}
    except (KeyError, TypeError, ValueError) as error:
        raise MachineError(
            f"Gradescope's metadata must hold the times of all submissions. Received: {error!r}."
        ) from error
    if count < tries:
        return None
    sentence = "\n".join(_TOO_MANY.in_language(language).format(tries=tries) for language in languages)
    results = latest.get("results")
    if not isinstance(results, dict):
        return {"score": float(latest.get("score") or 0), "output": sentence, "output_format": "text"}
    before = str(results.get("output") or "")
    said = before if before.startswith(sentence) else f"{sentence}\n\n{before}"
    return {**results, "output": said}


def _day(time: str) -> str:
    """Return the day of a time as the course's own clock has it: Gradescope writes its offset."""
    return datetime.fromisoformat(time).date().isoformat()
