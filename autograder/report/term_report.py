"""The term in one page: every assignment's class, every student's points, and who falls behind."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.base.text import Text
from autograder.base.visible import visible
from autograder.grading.runner import mistakes_of
from autograder.report.class_report import NOT_GRADED, ClassReport, Entry
from autograder.report.class_report import WORDS as CLASS_WORDS
from autograder.report.pages import environment

__all__ = ["StudentBehind", "falling_behind", "term_html"]

TOO_MANY = 2  # assignments without half of their points
SHARED = ("student", "students", "bonus", "of", "mean", "total", "empty", "submissions")
WORDS = {
    **{key: CLASS_WORDS[key] for key in SHARED},
    "title": Text("The term", "학기 전체"),
    "assignment": Text("assignment", "과제"),
    "assignments": Text("Assignments", "과제"),
    "not_graded": Text("refused, misplaced or not graded", "거부, 다른 과제 또는 채점 전"),
    "stuck": Text("students stuck", "막혀 있는 학생"),
    "commonest": Text("mistake most made", "가장 흔한 실수"),
    "behind": Text("Who falls behind", "뒤처지는 학생"),
    "behind_means": Text(
        "In two assignments or more nothing was handed in, the file was refused or another assignment's, or less than half of the points "
        "was earned. "
        "Bonus assignments don't count.",
        "과제 두 개 이상에서 제출하지 않았거나, 파일이 거부되었거나 다른 과제의 것이거나, 점수를 절반도 얻지 못한 학생입니다. 보너스 과제는 세지 않습니다.",
    ),
    "where": Text("in", "해당 과제"),
}


@dataclass(frozen=True)
class StudentBehind:
    """A student who falls behind.

    Attributes:
        student: id of the student.
        assignments: ids of the assignments without half of the points, in the order of the reports.
    """

    student: str
    assignments: Sequence[str]


def falling_behind(reports: Sequence[ClassReport]) -> list[StudentBehind]:
    """Return who has less than half of the points in several assignments, the worst first.

    What waits to be graded, or is ungraded, is nobody's failing; who is in none of the reports is unknown.
    """
    found = []
    counted = [report for report in reports if report.entries and not report.bonus]
    for student in _students(reports):
        weak = []
        for report in counted:
            entry = _entry(report, student)
            is_weak = entry is None or entry.state in ("refused", "misplaced")
            if is_weak or (entry and entry.state == "graded" and entry.total < report.max_total / 2):
                weak.append(report.assignment)
        if len(weak) >= TOO_MANY:
            found.append(StudentBehind(student, tuple(weak)))
    return sorted(found, key=lambda entry: (-len(entry.assignments), entry.student))


def term_html(reports: Sequence[ClassReport], language: str = "en") -> str:
    """Return one page about several assignments, with links to the page of each beside it.

    Args:
        reports: the classes' reports in the order of the assignments; an assignment that nobody handed in is left out.
        language: the language of the page, e.g. `en`.
    """
    begun = [report for report in reports if report.entries]
    page = (
        environment()
        .get_template("term_report.html")
        .render(
            reports=[(report, _mean(report), _commonest(report, language)) for report in begun],
            students=[(student, [_entry(report, student) for report in begun]) for student in _students(begun)],
            behind=falling_behind(begun),
            not_graded=NOT_GRADED,
            max_total=sum(report.max_total for report in begun if not report.bonus),
            language=language,
            w={key: text.in_language(language) for key, text in WORDS.items()},
        )
    )
    return visible(page)


def _students(reports: Sequence[ClassReport]) -> list[str]:
    return sorted({entry.student for report in reports for entry in report.entries})


def _entry(report: ClassReport, student: str) -> Entry | None:
    return next((entry for entry in report.entries if entry.student == student), None)


def _mean(report: ClassReport) -> float | None:
    totals = [entry.total for entry in report.of("graded")]
    return statistics.mean(totals) if totals else None


def _commonest(report: ClassReport, language: str) -> tuple[str, int]:
    """Return the hint of the commonest mistake and how many made it; an empty one if none was recognised."""
    if not report.mistakes or not report.mistakes[0].students:
        return "", 0
    known = mistakes_of(report.folder).get(report.mistakes[0].mistake)
    hint = known.hint.in_language(language) if known else report.mistakes[0].mistake
    return hint, len(report.mistakes[0].students)
