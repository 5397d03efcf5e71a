"""PrairieLearn: the folders of a question that is graded externally, and what happens when PrairieLearn grades it.

Source: PrairieLearn documentation, "External grading" and "Question configuration".
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.base.errors import CourseError, MachineError
from autograder.platforms.bundle import Platform, bundle, read_description, requirements
from autograder.platforms.container import require_room
from autograder.platforms.formats import formatted
from autograder.platforms.gradescope import scripts
from autograder.platforms.writing import write_result
from autograder.sources.course import Course
from autograder.submissions.evaluation import grade_file

MOST_SECONDS = 600
RESULT = "results/results.json"
_MAX_DATA_BYTES = 100_000_000


def write_question(
    course: Course,
    assignment: str,
    folder: Path,
    image: str,
    platform: Platform,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Path]:
    """Write a question and what it needs into the folder of a PrairieLearn course.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        folder: the PrairieLearn course's folder; `questions/`, `serverFilesCourse/` and `environments/` are written there.
        image: name of the container image that the instructor builds from `environments/` and publishes; holds dependencies alone.
        platform: how PrairieLearn is to run the autograder.
        tell: called with a line about each step.

    Returns:
        The paths written.

    Raises:
        CourseError: the assignment doesn't fit into what PrairieLearn allows.
        MachineError: pip's index couldn't be asked.
    """
    if platform.seconds > MOST_SECONDS:
        raise CourseError(
            f"PrairieLearn stops an external grader after {MOST_SECONDS // 60} minutes at the latest. Received: --minutes {platform.seconds / 60:g}."
        )
    own = f"autograder-{assignment}"
    contents = {
        f"serverFilesCourse/{own}/{name}": content for name, content in bundle(course, assignment, platform).items()
    }
    texts = scripts(course, assignment, platform, ("run_prairielearn", "question.html", "Dockerfile", "setup.sh"))
    contents[f"serverFilesCourse/{own}/run_prairielearn"] = texts["run_prairielearn"]
    contents[f"questions/{assignment}/question.html"] = texts["question.html"]
    contents[f"questions/{assignment}/info.json"] = question_info(course, assignment, image, platform)
    contents["environments/autograder/Dockerfile"] = texts["Dockerfile"]
    contents["environments/autograder/setup.sh"] = texts["setup.sh"]
    contents["environments/autograder/requirements.txt"] = requirements(tell=tell)
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if path.name in ("run_prairielearn", "setup.sh") else 0o644)
    return [folder / name for name in sorted(contents)]


def question_info(course: Course, assignment: str, image: str, platform: Platform) -> bytes:
    """Return a question's `info.json`; its identifier is the same each time."""
    return (
        json.dumps(
            {
                "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"autograder:{course.id}:{assignment}")),
                "title": assignment,
                "topic": course.id,
                "tags": ["notebook"],
                "type": "v3",
                "gradingMethod": "External",
                "singleVariant": True,
                "externalGradingOptions": {
                    "enabled": True,
                    "image": image,
                    "entrypoint": f"/grade/serverFilesCourse/autograder-{assignment}/run_prairielearn",
                    "serverFilesCourse": [f"autograder-{assignment}"],
                    "timeout": platform.seconds,
                    "enableNetworking": False,
                },
            },
            indent=2,
        )
        + "\n"
    ).encode()


def run(home: Path) -> None:
    """Grade the submission that PrairieLearn has laid into its folder, and write the result.

    Args:
        home: PrairieLearn's folder, `/grade`, which holds one bundle in `serverFilesCourse`.

    Raises:
        MachineError: nothing was written, so that PrairieLearn calls it the grader's failure.
    """
    bundles = [path.parent for path in (home / "serverFilesCourse").glob("autograder-*/course.json")]
    if len(bundles) != 1:
        raise MachineError(f"serverFilesCourse must hold one assignment's grader. Received: {len(bundles)}.")
    course, assignment, platform = read_description(bundles[0])
    require_room(platform)
    notebook = home / "student" / f"{course.source(assignment).name}.ipynb"
    _, verdict = grade_file(course, assignment, notebook, student_of(home / "data" / "data.json"))
    write_result(formatted(verdict, "prairielearn"), home / RESULT)


def student_of(path: Path) -> str:
    """Return what stands for the student in PrairieLearn's `data.json`: the variant's seed, for it names nobody.

    Raises:
        MachineError: it can't be read.
    """
    try:
        if path.stat().st_size > _MAX_DATA_BYTES:
            raise ValueError(f"{path.stat().st_size} bytes")
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return f"variant-{data['variant_seed']}"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MachineError(f"PrairieLearn's data.json must hold the variant's seed. Received: {error!r}.") from error
