"""How `nbgrader generate_feedback` writes its page: points, what was lost and why, the rubric, the own notebook.

Whatever a student wrote comes into it as text; it asks for nothing from outside; a page that takes too long is written plainly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from nbconvert.exporters import Exporter
from nbconvert.filters.ansi import ansi2html
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader import utils

from autograder.base.plain_files import open_plain_file
from autograder.base.text import Text
from autograder.base.visible import storable, visible
from autograder.gradebook.deadline import result_of_fork
from autograder.gradebook.rendering import highlight_code, markdown2html
from autograder.gradebook.sanitize import CUT, PICTURES
from autograder.gradebook.standings import standing_of
from autograder.gradebook.timestamps import unreadable_timestamps_ignored
from autograder.report.feedback import MARKS, word
from autograder.report.losses import Loss, count_by_hand, has_texts, lines_of, losses_of
from autograder.report.pages import environment
from autograder.report.standing import Standing
from autograder.sources.course import load_course
from autograder.sources.notebooks import NOTEBOOK_KEY

PAGE_SECONDS = 10.0
PAGE_BYTES = 4 << 30  # of memory for one page
OF_THE_EXCHANGE = (
    "timestamp.txt",
    "submission_secret.txt",
)  # the secret names the page, so that its student alone finds it
MAX_EXCHANGE_BYTES = 1000
_OTHER_COLOURS = re.compile(r' style="[^"]*"')  # what ansi2html makes of those without a name
MAX_PLAIN_CODE = 20_000  # characters of one cell on a plain page
NOTHING_GRADED = {"score": 0.0, "max_score": 0.0, "late_penalty": 0.0, "notebook": "", "assignment": "", "student": ""}
WORDS = {
    "plain": Text(
        "This page is written plainly, without the notebook's prose and outputs: writing it in full took too long. "
        "The points and messages are whole.",
        "노트북의 글과 출력 없이 간단히 쓴 페이지입니다. 전체를 쓰는 데 시간이 너무 오래 걸렸습니다. 점수와 메시지는 모두 있습니다.",
    ),
    "contents": Text("On this page", "이 페이지의 내용"),
    "late": Text("Late submission penalty", "지각 감점"),
    "tries_left": Text("Tries left", "남은 제출 횟수"),
    "tries": Text("Your tries", "제출한 기록"),
    "lost": Text("What was lost, and why", "잃은 점수와 이유"),
    "nothing_lost": Text("Nothing was lost.", "잃은 점수가 없습니다."),
    "whole": Text("the whole task", "과제 전체"),
    "hint": Text("Hint", "힌트"),
    "to_cell": Text("to your cell", "내 셀 보기"),
    "why": Text("why?", "이유 보기"),
    "top": Text("top", "맨 위로"),
    "rubric": Text("The rubric, task by task", "과제별 채점 항목"),
    "by_hand": Text("by your instructor", "강사가 준 점수"),
    "by_hand_instead": Text("your instructor gave this task", "강사가 이 과제에 준 점수"),
    "held_back": Text("and what is asked after it", "그다음에 평가하는 항목"),
    "comment": Text("Your instructor says:", "강사의 의견:"),
    "notebook": Text("Your notebook", "제출한 노트북"),
    "answer": Text("Your answer", "내 답"),
    "check": Text("Public checks", "공개 검사"),
    "setup": Text("Set-up", "준비 코드"),
    "picture": Text("picture that this cell drew", "이 셀이 그린 그림"),
    "passed": Text("earned", "얻음"),
    "missed": Text("missed", "얻지 못함"),
    "blocked": Text("not looked at", "평가하지 않음"),
    "ungraded": Text("not graded", "채점되지 않음"),
    "followed": Text("right once the earlier task it builds on is corrected", "앞 과제가 맞다고 보면 옳음"),
}
FEEDBACK_WORDS = {  # of the words in `report.feedback`
    "points": "points",
    "result": "result",
    "pattern": "pattern",
    "is_ungraded": "ungraded",
    "followed_means": "followed",
    "blocked_means": "blocked",
}


@dataclass(frozen=True)
class Output:
    """One output of a cell.

    Attributes:
        kind: media type of the picture, such as `image/png`; empty for text.
        picture: the picture in Base64; empty for text.
        text: printed text or an exception, as HTML; empty for a picture.
        is_error: whether the output is an exception.
    """

    kind: str = ""
    picture: str = ""
    text: Markup = field(default_factory=Markup)
    is_error: bool = False


@dataclass(frozen=True)
class Cell:
    """One cell as the page shows it.

    Attributes:
        kind: `prose`, `answer`, `check` (public checks), `setup` (what is folded besides) or `code`.
        body: the cell's source as HTML.
        id: the anchor that links to the cell lead to; empty if no link leads there.
        task: slug of the task that the cell belongs to; empty if the cell belongs to none.
        losses: numbers of the losses in this task, from 1.
        outputs: the outputs that are shown below the cell.
    """

    kind: str
    body: Markup
    id: str = ""
    task: str = ""
    losses: Sequence[int] = ()
    outputs: Sequence[Output] = ()

    @property
    def is_folded(self) -> bool:
        """Whether it is shown closed."""
        return self.kind in ("check", "setup")


@dataclass(frozen=True)
class Line:
    """One rubric line as the page shows it.

    Attributes:
        status, title, points, followed: what the graded notebook's record says of the line.
        loss: number of the loss that says why the line was missed, from 1; 0 if the line wasn't missed.
    """

    status: str
    title: str
    points: float
    followed: bool
    loss: int = 0


@dataclass(frozen=True)
class Task:
    """One task of the rubric as the page shows it.

    Attributes:
        slug: the task's slug.
        points: points in the gradebook, None where the task is ungraded.
        most: points to earn.
        is_by_hand: whether a person gave other points than the grader.
        comment: a person's comment, as HTML; empty if nobody wrote one.
        lines: the task's rubric lines; none where the notebook's record holds no texts.
        report: HTML of the grader's own report, where there are no lines.
    """

    slug: str
    points: float | None
    most: float
    is_by_hand: bool
    comment: Markup
    lines: Sequence[Line]
    report: Markup


class FeedbackExporter(Exporter):
    """nbconvert's exporter with the page of this course, whichever template nbgrader names."""

    output_mimetype = "text/html"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.file_extension = ".html"
        self._rendered: set[tuple[str, str]] = set()
        folder = getattr(self.parent, "coursedir", None)  # of nbgrader's command; a test may have none
        self._course = None if folder is None else load_course(Path(folder.root))
        if folder is not None:
            self._ignore_strange_timestamps(self.parent)

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kw: Any) -> tuple[Any, Any]:
        """Return the page of a graded notebook, a plain one if this one takes longer than `PAGE_SECONDS`."""
        ready, resources = super().from_notebook_node(nb, resources, **kw)  # reads the gradebook
        about = {**resources.get("nbgrader", {})}
        if self._course is not None and about.get("student"):
            about["standing"] = standing_of(self._course, about["assignment"], about["student"])
        self._render_what_all_share(str(about.get("assignment", "")), _language(ready))
        page = result_of_fork(lambda: feedback_page(ready, about), PAGE_SECONDS, PAGE_BYTES)
        if page is None:
            self.log.warning(
                "%s: the page is a plain one: in full it took longer than %g s or failed",
                about.get("student", ""),
                PAGE_SECONDS,
            )
            page = feedback_page(ready, about, is_plain=True)
        self._put_beside_the_page(about)
        return page, resources

    def _ignore_strange_timestamps(self, converter: Any) -> None:
        """Let nbgrader keep a page beside which lies no readable time: it would fail, and remove the page."""
        convert_all = converter.convert_notebooks

        def convert() -> None:
            with unreadable_timestamps_ignored(converter):
                convert_all()

        converter.convert_notebooks = convert  # nbgrader has no hook around a whole class

    def _render_what_all_share(self, assignment: str, language: str) -> None:
        """Render an assignment's own cells in this process, once: what a child process renders or compiles is lost with it."""
        if (assignment, language) in self._rendered:
            return
        self._rendered.add((assignment, language))
        feedback_page(new_notebook(), {})
        if self._course is not None and assignment in self._course.source_paths:
            for cell in self._course.source(assignment).cells:
                text = cell.texts[language]
                _ = markdown2html({}, text) if cell.role == "prose" else highlight_code(text)

    def _put_beside_the_page(self, about: Mapping[str, Any]) -> None:
        """Copy to the page what `nbgrader release_feedback` reads there, of a submission that came by nbgrader's exchange.

        nbgrader would have taken these files along when it graded; `SubmissionExporter` lets it take none of a student's folder.
        """
        folder = getattr(self.parent, "coursedir", None)
        if folder is None or not about.get("student"):
            return
        submitted, beside = (
            Path(folder.format_path(place, about["student"], about["assignment"]))
            for place in (folder.submitted_directory, folder.feedback_directory)
        )
        for name in OF_THE_EXCHANGE:
            with suppress(OSError):  # it isn't there, or isn't a file
                with open_plain_file(submitted / name) as file:
                    content = file.read(MAX_EXCHANGE_BYTES)
                beside.mkdir(parents=True, exist_ok=True)
                (beside / name).unlink(missing_ok=True)
                (beside / name).write_bytes(content)


def feedback_page(nb: NotebookNode, about: Mapping[str, Any], *, is_plain: bool = False) -> str:
    """Return the page of a graded notebook.

    Args:
        nb: the graded notebook, with scores and comments in the cells' metadata, as nbgrader's step `GetGrades` leaves them.
        about: what nbgrader knows of the submission: `assignment`, `notebook`, `score` (less `late_penalty`), `max_score`; and
            `standing`, a `Standing`, where somebody put it there.
        is_plain: whether what may take long is left out: prose, outputs, colours and the rest of long answers.
    """
    about = {**NOTHING_GRADED, **about}
    record: Mapping[str, Any] = nb.metadata.get(NOTEBOOK_KEY, {}).get("result", {})
    language = _language(nb)
    w = {key: text.in_language(language) for key, text in WORDS.items()}
    w |= {key: word(told, language) for key, told in FEEDBACK_WORDS.items()}
    is_known = has_texts(record)
    losses = losses_of(record) if is_known else []
    tasks = list(_tasks(nb, record if is_known else {}, losses, is_plain=is_plain))
    by_hand = {task.slug: task for task in tasks if task.is_by_hand}
    count_by_hand(losses, {slug: max(0.0, task.most - (task.points or 0.0)) for slug, task in by_hand.items()})
    said = {loss.reason for loss in losses}
    lines = [line for task in tasks for line in task.lines]
    score = float(about["score"] or 0.0)
    page = (
        environment()
        .get_template("feedback_page.html")
        .render(
            about=about,
            language=language,
            w=w,
            marks=MARKS,
            is_plain=is_plain,
            is_known=is_known,
            score=score,
            share=max(0.0, min(100.0, 100 * score / (about["max_score"] or 1))),
            standing=about.get("standing") or Standing(),
            notes=[note for note in record.get("student_notes", []) if note not in said],
            losses=losses,
            by_hand=by_hand,
            unsure=[task.slug for task in tasks if task.points is None],
            tasks=tasks,
            has_followed=any(line.followed for line in lines),
            has_blocked=any(line.status == "blocked" for line in lines),
            cells=list(_cells(nb, losses, language, is_plain=is_plain)),
        )
    )
    return storable(page)


def _language(nb: NotebookNode) -> str:
    return "ko" if nb.metadata.get(NOTEBOOK_KEY, {}).get("result", {}).get("language") == "ko" else "en"


def _tasks(nb: NotebookNode, record: Mapping[str, Any], losses: Sequence[Loss], *, is_plain: bool) -> Iterator[Task]:
    """Yield the rubric of each graded cell, with the points that the gradebook has."""
    comments = {
        _grade_id(cell): str(_nbgrader_metadata(cell).get("comment") or "")
        for cell in nb.cells
        if utils.is_solution(cell)
    }
    for cell in nb.cells:
        if not utils.is_grade(cell):
            continue
        slug = _grade_id(cell).removeprefix("grade-")
        kept = record.get("tasks", {}).get(slug, {"points": None, "lines": {}, "order": []})
        earned, most = _nbgrader_metadata(cell).get("score"), float(_nbgrader_metadata(cell).get("points") or 0.0)
        is_ungraded = kept["points"] is None and bool(kept["lines"])
        by_hand = bool(kept["lines"]) and earned is not None and earned != (kept["points"] or 0.0)
        reports = [output.data for output in cell.outputs if "text/html" in output.get("data", {})]
        comment = comments.get(f"task-{slug}", "").strip()
        if any(storable(str(report.get("text/plain", ""))).strip() == comment for report in reports):
            comment = ""  # the grader's own, which stands in the lines
        yield Task(
            slug,
            None if is_ungraded and not by_hand else float(earned or 0.0),
            most,
            by_hand,
            _prose(comment, is_plain=is_plain),
            [
                Line(line["status"], line["title"], line["points"], line["followed"], _number(line, losses, slug))
                for line in lines_of(kept).values()
            ],
            # only our own report is HTML in a graded notebook
            Markup("" if kept["lines"] else "".join(str(report["text/html"]) for report in reports)),
        )


def _number(line: Mapping[str, Any], losses: Sequence[Loss], slug: str) -> int:
    """Return the number of the loss that says why a line of a task was missed, 0 if it wasn't."""
    if line["status"] != "missed":
        return 0
    keys = [(loss.reason, loss.hint) if slug in loss.parts else None for loss in losses]
    return keys.index((line["text"], line["hint"])) + 1


def _cells(nb: NotebookNode, losses: Sequence[Loss], language: str, *, is_plain: bool) -> Iterator[Cell]:
    """Yield what is shown of the notebook itself."""
    for cell in nb.cells:
        grade_id = _grade_id(cell)
        slug = grade_id.removeprefix("task-").removeprefix("grade-")
        if cell.cell_type != "code":
            if cell.get("id") != "verdict" and not is_plain:
                yield Cell("prose", Markup(markdown2html({}, cell.source)))
        elif utils.is_solution(cell):
            numbers = [number for number, loss in enumerate(losses, start=1) if slug in loss.parts]
            yield Cell(
                "answer",
                _code(cell, language, is_plain=is_plain),
                grade_id,
                slug,
                numbers,
                _outputs(cell, is_plain=is_plain),
            )
        elif not is_plain:
            is_folded = bool(grade_id) or cell.metadata.get("jupyter", {}).get("source_hidden")
            kind = "check" if utils.is_grade(cell) else "setup" if is_folded else "code"
            task = slug if kind == "check" else ""
            yield Cell(kind, _code(cell, language, is_plain=False), grade_id, task, (), _outputs(cell, is_plain=False))


def _code(cell: NotebookNode, language: str, *, is_plain: bool) -> Markup:
    if not is_plain:
        return Markup(highlight_code(cell.source))
    is_cut = len(cell.source) > MAX_PLAIN_CODE
    shown = cell.source[:MAX_PLAIN_CODE] + (f"\n# {CUT.in_language(language)}" if is_cut else "")
    return Markup("<pre>{}</pre>").format(visible(shown))


def _prose(text: str, *, is_plain: bool) -> Markup:
    if is_plain or not text:
        return escape(visible(text[:MAX_PLAIN_CODE]))
    return Markup(markdown2html({}, text))


def _outputs(cell: NotebookNode, *, is_plain: bool) -> list[Output]:
    """Return the outputs that are shown: text and pictures, but not the grader's report, which stands above."""
    found: list[Output] = []
    for output in () if is_plain else cell.outputs:
        kind = output.get("output_type")
        data = output.get("data", {})
        picture = next((name for name in PICTURES if name in data), "")
        if kind == "stream":
            found.append(Output(text=_plain_output(output.text)))
        elif kind == "error":
            found.append(Output(text=_plain_output("\n".join(output.traceback)), is_error=True))
        elif picture:
            found.append(Output(picture, str(data[picture]).strip()))
        elif "text/plain" in data and "text/html" not in data:
            found.append(Output(text=_plain_output(data["text/plain"])))
    return found


def _plain_output(text: str) -> Markup:
    """Return printed text. Only the colours that the page has are kept: of any other nobody knows whether it can be read."""
    return Markup(_OTHER_COLOURS.sub("", ansi2html(str(text))))  # it escapes everything, quotes too


def _nbgrader_metadata(cell: NotebookNode) -> Mapping[str, Any]:
    told: Mapping[str, Any] = cell.metadata.get("nbgrader", {})
    return told


def _grade_id(cell: NotebookNode) -> str:
    return str(_nbgrader_metadata(cell).get("grade_id", ""))
