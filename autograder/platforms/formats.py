"""One verdict as the file that a platform reads. Each format's source is named at its function, and its schema is in the tests.

No format writes anything of a verdict with ungraded tasks: a machine's failure must not become a score.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from autograder.base.visible import REPLACEMENT, escaped_json, one_line, visible
from autograder.platforms.entries import Entry, entries, fraction, full_text, notes_text, require_graded, summary_text
from autograder.submissions.verdicts import Verdict

_NOT_IN_XML = re.compile("[\ufffe\uffff]")  # of what `visible` lets through
PRAIRIELEARN_BYTES = 1 << 20  # of results.json
PRAIRIELEARN_TEXT = 2000  # characters of one message where all of them are too long


def gradescope(verdict: Verdict) -> str:
    """Return Gradescope's `results.json`: one test a rubric line, and the leaderboard of an assignment that measures something.

    Source: Gradescope Autograder Documentation, "Autograder Specifications", section "Output format", and "Leaderboards".
    """
    tests = [
        {
            "number": entry.number,
            "name": entry.name,
            "score": entry.points,
            "max_score": entry.max_points,
            "status": "passed" if entry.status == "passed" else "failed",
            "output": entry.reason,
            "output_format": "text",
            "visibility": "visible",
        }
        for entry in entries(verdict)
    ]
    result: dict[str, Any] = {
        "score": verdict.points,
        "execution_time": math.ceil(verdict.seconds),
        "output": summary_text(verdict),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
    if verdict.measurements:
        result["leaderboard"] = [
            {
                "name": measurement.name.en,  # one board for both languages
                "value": measurement.value,
                "order": "asc" if measurement.lower_is_better else "desc",
            }
            for measurement in verdict.measurements
        ]
    return _json(result)


def prairielearn(verdict: Verdict) -> str:
    """Return PrairieLearn's `results.json`, below its limit of 1 MB. What can't be read is not gradable and costs no attempt.

    Source: PrairieLearn documentation, "External grading", section "Grading results".
    """
    if verdict.refusal is not None:
        text = visible(verdict.refusal.in_language(verdict.language))
        return _json({"gradable": False, "score": 0, "format_errors": [text], "message": text})
    tests = [
        {
            "name": entry.name,
            "points": entry.points,
            "max_points": entry.max_points,
            "message": entry.reason,
        }
        for entry in entries(verdict)
    ]
    result = {"gradable": True, "score": fraction(verdict), "message": notes_text(verdict), "tests": tests}
    if len(_json(result).encode()) > PRAIRIELEARN_BYTES:
        shortest = max(1, min(PRAIRIELEARN_TEXT, PRAIRIELEARN_BYTES // (16 * (len(tests) + 1))))
        result["message"] = notes_text(verdict)[:shortest]
        result["tests"] = [{**test, "message": str(test["message"])[:shortest]} for test in tests]
    return _json(result)


def coursera(verdict: Verdict) -> str:
    """Return Coursera's `feedback.json`.

    Source: the README of coursera/coursera_autograder, "fractionalScore", "feedback" and "feedbackType".
    """
    return _json({"fractionalScore": fraction(verdict), "feedback": full_text(verdict), "feedbackType": "TXT"})


def vocareum(verdict: Verdict) -> str:
    """Return the lines of Vocareum's grade file: a criterion, called as the task is, and its points.

    Source: Vocareum help, "Grading script", the file named by `$vocareumGradeFile`.
    """
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [task.slug, f"{task.points:g}"] for task in verdict.tasks.values()
    )
    return written.getvalue()


def autolab(verdict: Verdict) -> str:
    """Return what an Autolab autograder prints: text for the student, then a last line with the points of each problem.

    Source: Autolab documentation, "Guide for Lab Authors", section "Autograders": problems are called as the tasks are.
    """
    scores = {task.slug: task.points for task in verdict.tasks.values()}
    return f"{full_text(verdict)}\n{_json({'scores': scores}, indent=None)}"


def submitty(verdict: Verdict) -> str:
    """Return the `validation_results.json` of a Submitty custom validator.

    Source: Submitty documentation, "Custom validation": `status` and `data` with a score between 0 and 1.
    """
    is_full = verdict.points == verdict.max_points
    data = {"score": fraction(verdict), "message": full_text(verdict), "status": "success" if is_full else "failure"}
    return _json({"status": "success", "data": data})


def junit(verdict: Verdict) -> str:
    """Return JUnit XML: a suite a task, a case a rubric line; a line that isn't looked at because of another is skipped.

    Source: the XML schema that testmoapp/junitxml documents; Artemis, GitLab and Jenkins read it.
    """
    found = entries(verdict)
    root = ElementTree.Element(
        "testsuites", {"name": verdict.assignment, **_junit_counts(found), "time": f"{verdict.seconds:.3f}"}
    )
    for task in verdict.tasks.values():
        own = [entry for entry in found if entry.task == task.slug]
        suite = ElementTree.SubElement(root, "testsuite", {"name": task.slug, **_junit_counts(own)})
        for entry in own:
            case = ElementTree.SubElement(
                suite, "testcase", name=entry.title, classname=f"{verdict.assignment}.{task.slug}.{entry.id}"
            )
            if entry.status == "missed":
                failure = ElementTree.SubElement(case, "failure", message=one_line(entry.reason))
                failure.text = entry.reason
            elif entry.status == "blocked":
                ElementTree.SubElement(case, "skipped", message=one_line(entry.reason))
    ElementTree.indent(root)
    return _NOT_IN_XML.sub(REPLACEMENT, ElementTree.tostring(root, encoding="unicode")) + "\n"


def _junit_counts(found: Sequence[Entry]) -> dict[str, str]:
    missed, blocked = (sum(entry.status == status for entry in found) for status in ("missed", "blocked"))
    return {"tests": str(len(found)), "failures": str(missed), "skipped": str(blocked), "errors": "0"}


FORMATS: Mapping[str, Callable[[Verdict], str]] = {
    "gradescope": gradescope,
    "prairielearn": prairielearn,
    "coursera": coursera,
    "vocareum": vocareum,
    "autolab": autolab,
    "submitty": submitty,
    "junit": junit,
}


def formatted(verdict: Verdict, name: str) -> str:
    """Return a verdict in one of `FORMATS`.

    Raises:
        MachineError: tasks of it are ungraded.
    """
    require_graded(verdict)
    return FORMATS[name](verdict)


def _json(value: object, indent: int | None = 2) -> str:
    return escaped_json(json.dumps(value, ensure_ascii=False, indent=indent)) + "\n"
