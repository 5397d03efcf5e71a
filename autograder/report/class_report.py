"""The class report: one HTML file about an assignment, for instructors, without anything from outside it."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from autograder.base.names import shown
from autograder.base.text import Text
from autograder.base.visible import visible
from autograder.grading.runner import mistakes_of
from autograder.report.advice import RecognisedMistake, Stuck, earned_by_all, earned_by_none, recognised_mistakes, stuck
from autograder.report.flags import Flag, flags_of
from autograder.report.items import Item, Record, analyse
from autograder.report.pages import environment
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY

STATES = ("graded", "refused", "misplaced", "ungraded", "waiting")
NOT_GRADED = STATES[1:]  # as work on this assignment
FIRST_MISTAKES = 8  # that are shown at once; the others unfold
WORDS = {
    "title": Text("Class report", "학급 보고서"),
    "submissions": Text("submissions", "제출물"),
    "graded": Text("graded", "채점됨"),
    "refused": Text("refused", "거부됨"),
    "misplaced": Text("notebook of another assignment", "다른 과제의 노트북"),
    "ungraded": Text("ungraded", "채점 실패"),
    "waiting": Text("handed in, not graded yet", "제출됨, 채점 전"),
    "mean": Text("mean", "평균"),
    "median": Text("median", "중앙값"),
    "points": Text("points", "점수"),
    "bonus": Text("bonus", "보너스"),
    "of": Text("of", "/"),
    "total": Text("Total", "총점"),
    "late": Text("late", "지각 감점"),
    "students": Text("Students", "학생"),
    "student": Text("student", "학생"),
    "task": Text("task", "과제"),
    "tasks": Text("Tasks", "과제"),
    "full": Text("full points", "만점"),
    "none": Text("no points", "0점"),
    "spread": Text("how many earned how much (from none to full)", "점수 분포 (0점에서 만점까지)"),
    "lines": Text("Rubric lines", "채점 항목"),
    "line": Text("line", "항목"),
    "earned": Text("earned by", "맞힌 비율"),
    "discrimination": Text("discrimination", "변별도"),
    "discrimination_means": Text(
        "Discrimination: how earning the line goes with the points of all other lines, from -1 to 1. Below 0.2 the line tells "
        "little, below 0 it deserves a look. It needs five graded submissions that differ.",
        "변별도: 항목을 맞힌 것과 나머지 항목 점수의 상관계수(-1에서 1)입니다. 0.2보다 작으면 구별하는 힘이 약하고, "
        "0보다 작으면 항목을 살펴보아야 합니다. 서로 다른 제출물이 다섯 개 이상 채점되어야 구합니다.",
    ),
    "unwritten": Text("not written", "작성 안 함"),
    "blocked": Text("not looked at", "평가 안 함"),
    "followed": Text("by follow-through", "앞 과제를 바로잡아 맞힘"),
    "act": Text("What to act on", "먼저 살펴볼 것"),
    "mistakes": Text("Mistakes most made", "가장 흔한 실수"),
    "mistake": Text("what was recognised, and the hint that was given", "확인된 실수와 학생에게 준 힌트"),
    "more_mistakes": Text("Less common mistakes", "덜 흔한 실수"),
    "cured": Text("cured by the next try", "다음 제출에서 고침"),
    "no_mistakes": Text("No known mistake was recognised.", "확인된 실수가 없습니다."),
    "nobody": Text("Lines that nobody earned", "아무도 맞히지 못한 항목"),
    "nobody_means": Text(
        "Of those who wrote something. Either many share a misunderstanding, or the line deserves a look.",
        "무언가를 작성한 학생 가운데 아무도 맞히지 못했습니다. 많은 학생이 같은 것을 잘못 알고 있거나, 항목을 살펴보아야 합니다.",
    ),
    "everybody": Text("Lines that everybody earned", "모두 맞힌 항목"),
    "stuck": Text("Who is stuck", "막혀 있는 학생"),
    "stuck_means": Text(
        "Who wrote an answer that earns nothing or, where several tries were graded, no more than the one before.",
        "작성한 답이 점수를 얻지 못한 학생, 또는 여러 번 제출했지만 점수가 더 오르지 않은 학생입니다.",
    ),
    "tries": Text("tries without more points", "점수가 오르지 않은 제출"),
    "count": Text("submissions", "제출물 수"),
    "trouble": Text("Not graded as work on this assignment", "이 과제로 채점되지 않은 제출물"),
    "reason": Text("reason", "이유"),
    "state": Text("state", "상태"),
    "flags": Text("Worth a look", "살펴볼 것"),
    "flags_mean": Text(
        "Code of a task from scratch, or of a cell that the student added, that names something which is there already. "
        "It may be harmless (a comparison), it costs no points, and students don't see it.",
        "직접 구현해야 하는 과제의 코드나 학생이 추가한 셀에 이미 있는 것의 이름이 나옵니다. 비교처럼 문제가 없을 수도 있으며, "
        "점수는 깎이지 않고 학생에게는 보이지 않습니다.",
    ),
    "names": Text("names", "나오는 이름"),
    "in_cell": Text("in the cell", "셀"),
    "added": Text("added by the student", "학생이 추가한 셀"),
    "time": Text("Grading time", "채점 시간"),
    "seconds": Text("seconds a submission: median, longest, all", "제출물당 초: 중앙값, 최댓값, 합계"),
    "empty": Text("Nothing has been graded yet.", "아직 채점된 것이 없습니다."),
    "one_in": Text("submissions with this many points", "이 점수를 받은 제출물"),
}


@dataclass(frozen=True)
class Entry:
    """One student's submission.

    Attributes:
        student: id of the student.
        state: `graded`, `refused`, `misplaced` (another assignment's notebook), `ungraded` or `waiting` (handed in, not graded yet).
        points: task slug -> points in the gradebook, None where the task is ungraded.
        reason: why the submission was refused or left ungraded, or whose notebook it is.
        record: what the graded notebook keeps of its verdict; None if it keeps nothing.
        penalty: points that lateness costs.
        flags: names in the submission's code that an instructor should look at.
    """

    student: str
    state: str
    points: Mapping[str, float | None]
    reason: str = ""
    record: Record | None = None
    penalty: float = 0.0
    flags: Sequence[Flag] = ()

    @property
    def total(self) -> float:
        """Points of the graded tasks less the penalty, at least 0."""
        return max(0.0, sum(points or 0.0 for points in self.points.values()) - self.penalty)


@dataclass(frozen=True)
class ClassReport:
    """What became of an assignment's class.

    Attributes:
        assignment: id of the assignment.
        folder: folder of the assignment's source, with its catalogue of mistakes.
        max_points: task slug -> points.
        entries: the submissions, sorted by student id.
        items: the item analysis, one item per rubric line.
        bonus: whether the assignment's points come on top of the course's.
        mistakes: recognised mistakes, the commonest first.
        stuck: students who make no progress with a task.
    """

    assignment: str
    folder: Path
    max_points: Mapping[str, float]
    entries: Sequence[Entry]
    items: Sequence[Item]
    bonus: bool = False
    mistakes: Sequence[RecognisedMistake] = ()
    stuck: Sequence[Stuck] = ()

    def of(self, *states: str) -> list[Entry]:
        """Return the entries in some state."""
        return [entry for entry in self.entries if entry.state in states]

    @property
    def max_total(self) -> float:
        """Points of all tasks."""
        return sum(self.max_points.values())

    @property
    def seconds(self) -> list[float]:
        """Grading seconds of each graded submission."""
        return [float(e.record["seconds"]) for e in self.of("graded", "ungraded") if e.record]


def class_report(
    course: Course,
    assignment: str,
    points: Mapping[str, Mapping[str, float | None]],
    penalties: Mapping[str, float] | None = None,
    earlier: Mapping[str, Sequence[Record]] | None = None,
) -> ClassReport:
    """Gather a class from its folders.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        points: student -> task -> points in the gradebook.
        penalties: student -> points that lateness costs.
        earlier: student -> known records of graded submissions before the one in `autograded`, oldest first.
    """
    source = course.source(assignment)
    entries = []
    released = {cell.id: cell.texts["en"] for cell in source.cells}
    handed_in = {shown(path.parent.name) for path in (course.root / "submitted").glob(f"*/{assignment}")}
    for student in sorted(handed_in | set(points)):
        notebook = _notebook(course.root / "autograded" / student / assignment / f"{source.name}.ipynb")
        entry, cells = _entry(student, points.get(student, {}), _record(notebook)), notebook.get("cells")
        flags = flags_of(source, cells if isinstance(cells, list) else [], released)
        entries.append(replace(entry, penalty=(penalties or {}).get(student, 0.0), flags=flags))
    latest = {
        entry.student: entry.record for entry in entries if entry.record and entry.state not in ("refused", "misplaced")
    }
    histories = {student: [*(earlier or {}).get(student, ()), record] for student, record in latest.items()}
    return ClassReport(
        assignment,
        source.folder,
        source.points,
        entries,
        analyse(source.rubric, list(latest.values())),
        assignment in course.bonus,
        recognised_mistakes(histories),
        stuck(histories),
    )


def report_record(report: ClassReport) -> dict[str, Any]:
    """Return the report as JSON-ready data."""
    return {
        "assignment": report.assignment,
        "max_points": dict(report.max_points),
        "bonus": report.bonus,
        "submissions": [
            {
                "student": e.student,
                "state": e.state,
                "points": dict(e.points),
                "late_penalty": e.penalty,
                "total": e.total,
                "reason": e.reason,
                "flags": [asdict(flag) for flag in e.flags],
            }
            for e in report.entries
        ],
        "lines": [
            {
                **{key: value for key, value in asdict(item).items() if key != "line"},
                "task": item.line.task,
                "title": item.line.title.en,
                "points": item.line.points,
                "pass_rate": item.pass_rate,
            }
            for item in report.items
        ],
        "mistakes": [
            {
                "task": mistake.task,
                "mistake": mistake.mistake,
                "submissions": len(mistake.students),
                "students": mistake.students,
                "followed_up": mistake.followed_up,
                "cured": mistake.cured,
            }
            for mistake in report.mistakes
        ],
        "stuck": [asdict(entry) for entry in report.stuck],
        "seconds": sum(report.seconds),
    }


def report_html(report: ClassReport, language: str = "en") -> str:
    """Return the report as one HTML page; whatever students wrote is escaped."""
    graded = report.of("graded")
    totals = [entry.total for entry in graded]
    catalogue = mistakes_of(report.folder)
    page = (
        environment()
        .get_template("class_report.html")
        .render(
            report=report,
            language=language,
            states=STATES,
            not_graded=NOT_GRADED,
            w={key: text.in_language(language) for key, text in WORDS.items()},
            totals=totals,
            histogram=_histogram(totals, report.max_total),
            tasks=[_task(report, slug, graded) for slug in report.max_points],
            titles={item.id: item.line.title.in_language(language) for item in report.items},
            hints={id: mistake.hint.in_language(language) for id, mistake in catalogue.items()},
            first_mistakes=FIRST_MISTAKES,
            nobody=earned_by_none(report.items),
            everybody=earned_by_all(report.items),
            mean=statistics.mean,
            median=statistics.median,
        )
    )
    return visible(page)


def _entry(student: str, points: Mapping[str, float | None], record: Record | None) -> Entry:
    if record is None:
        # nbgrader makes the rows of the gradebook before there is a verdict to fill them with
        if all(earned is None for earned in points.values()):
            return Entry(student, "waiting", points)
        return Entry(student, "ungraded" if None in points.values() else "graded", points)
    if record["refused"]:
        return Entry(student, "refused", points, " ".join(record["notes"]), record)
    if any(earned is None for earned in points.values()):
        return Entry(student, "ungraded", points, record["fault"] or " ".join(record["notes"]), record)
    if record["belongs_to"]:
        return Entry(student, "misplaced", points, " ".join(record["notes"]), record)
    return Entry(student, "graded", points, "", record)


def _notebook(path: Path) -> dict[str, Any]:
    """Return a graded notebook as plain data, an empty dictionary if there is none."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return notebook if isinstance(notebook, dict) else {}


def _record(notebook: Mapping[str, Any]) -> Record | None:
    """Return what a graded notebook keeps, None if there is none or another course's configuration made it."""
    try:
        about = notebook["metadata"][NOTEBOOK_KEY]
        return {**about["result"], "refused": about["refused"], "belongs_to": about.get("belongs_to", "")}
    except (KeyError, TypeError):
        return None


def _histogram(totals: Sequence[float], max_total: float) -> list[tuple[str, int]]:
    """Return (points, submissions) for each whole point, those between with the lower one."""
    counts = [0] * (int(max_total) + 1)
    for total in totals:
        counts[min(int(total), int(max_total))] += 1
    return [(str(points), count) for points, count in enumerate(counts)]


def _task(report: ClassReport, slug: str, graded: Sequence[Entry]) -> dict[str, Any]:
    earned = [entry.points.get(slug) or 0.0 for entry in graded]
    most = report.max_points[slug]
    spread = [0] * 5
    for points in earned:
        spread[min(int(4 * points / most), 4)] += 1
    return {
        "slug": slug,
        "most": most,
        "mean": statistics.mean(earned) if earned else None,
        "full": sum(points >= most for points in earned),
        "none": sum(points == 0 for points in earned),
        "spread": spread,
    }
