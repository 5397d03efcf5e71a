"""What a student wrote does nothing in a browser: the pages of hostile texts, alive in Chromium."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import nbgrader
import pytest
from injections import DEEP, everything, mixed
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from test_class_report import Room, a_record

from autograder.base.text import Text
from autograder.base.visible import storable
from autograder.gradebook.configuration import nbgrader_configuration
from autograder.gradebook.feedback_page import FeedbackExporter, feedback_page
from autograder.gradebook.sanitize import DisplayBudget as PageBudget
from autograder.gradebook.sanitize import harmless_outputs, harmless_prose
from autograder.grading.runner import LineResult, TaskResult
from autograder.report.class_report import report_html
from autograder.report.feedback import task_html
from autograder.report.record import result_record
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY
from autograder.sources.rubric_table import RubricLine
from autograder.submissions.verdicts import Verdict
from browser.conftest import Opens

pytestmark = pytest.mark.browser

NBGRADERS = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
ABOUT = {
    "nbgrader": {"notebook": "n", "student": "s", "assignment": "a", "score": 1.0, "max_score": 2.0, "late_penalty": 0},
    "submission_id": "1", "notebook_id": "n", "assignment_id": "a", "base_url": "", "index": 0, "total": 1,
    "student": "s", "last_name": "", "first_name": "", "notebook_path": "/n",
}  # fmt: skip
# What is alive in a page: scripts, handlers, addresses but for data and places of the page itself, styles that no
# template, table or output gives, and elements that load, send or lead away. Returned are the first of each.
ALIVE = """() => {
  const found = [];
  const say = (what, e) => { if (found.length < 20) found.push(what + ': ' + e.outerHTML.slice(0, 200)); };
  const own = new Set([...document.head.querySelectorAll('*')].filter(e => !e.closest('#student')));
  const loads = 'script, iframe, frame, object, embed, applet, base, form, video, audio, source, track, portal, template, dialog,' +
    ' button, select, textarea, marquee, maction, use, image, foreignObject, animate, set, semantics, annotation-xml, slot';
  for (const e of document.querySelectorAll('*')) {
    if (own.has(e)) continue;
    if (e.matches(loads)) say('element', e);
    if (e.matches('meta, link, style, title') && !e.closest('svg')) say('head element', e);
    if (e.matches('input') && !e.matches('input[type=checkbox][disabled]')) say('input', e);
    if (!['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg', 'http://www.w3.org/1998/Math/MathML'].includes(e.namespaceURI)) say('namespace', e);
    if (e.localName.includes('\\u200b')) say('name', e);
    for (const a of e.attributes) {
      if (a.name.startsWith('on')) say('handler', e);
      if (['href', 'src', 'srcset', 'xlink:href', 'action', 'formaction', 'data', 'ping', 'poster', 'background', 'cite',
        'longdesc', 'usemap', 'srcdoc', 'target', 'http-equiv'].includes(a.name)
        && !/^(#|data:image\\/(png|jpeg);)/.test(a.value)) say('address', e);
      if (a.name === 'style' && !/^width: \\d+%$/.test(a.value) && !/^(text-align: ?(left|right|center);?|((background-)?color: ?rgb\\(\\d+, ?\\d+, ?\\d+\\);?\\s*)+)$/.test(a.value)
        && !e.closest('svg, .output_html, .tex2jax_ignore:has(> b + table)')) say('style', e);
      if (a.name === 'id' && !e.closest('svg') && !/^(notebook(-container)?|toc|result|lost|rubric|(loss|task|grade)-t?\\d+)$/.test(e.id)
        && !e.id.startsWith('cell-id=') && !e.id.includes('%E2%80%8B')) say('id', e);
    }
    if (e.closest('math') && e.namespaceURI === 'http://www.w3.org/1998/Math/MathML' && (e.className || e.id)) say('class', e);
    const box = e.getBoundingClientRect();
    if (getComputedStyle(e).position === 'fixed') say('fixed', e);
  }
  if (document.title !== 'n' && document.title !== window.wanted) found.push('title: ' + document.title);
  return found;
}"""


def outputs_of(text: str) -> list[NotebookNode]:
    """Return a text in every kind of output, as a forged message may hold it."""
    found: list[dict[str, Any]] = [
        {"output_type": "stream", "name": text, "text": text},
        {"output_type": "error", "ename": text, "evalue": text, "traceback": [text, f"\x1b[31m{text}\x1b[0m"]},
        {"output_type": "display_data", "data": dict.fromkeys(("text/html", "text/markdown", "text/latex"), text)},
        {"output_type": "display_data", "data": {"text/plain": text, "image/png": text, "image/svg+xml": text}},
        {"output_type": "execute_result", "data": {"text/plain": [text], "application/javascript": text}, "metadata": {text: text}},
    ]  # fmt: skip
    return [nbformat.from_dict(output) for output in found]


def a_notebook(texts: list[str]) -> NotebookNode:
    """Return a graded notebook that holds texts wherever a student's text may stand, made harmless as grading does."""
    title = Text("a line", "한 줄")
    cells = []
    tasks: dict[str, TaskResult] = {}
    room = PageBudget(outputs=10**6, prose=10**8)
    for number, text in enumerate(texts):
        slug = f"t{number}"
        said = Text(f"Your line `{text}` raised {text}.")
        missed = LineResult("a", RubricLine(slug, 1.0, title), "missed", said)
        task = tasks[slug] = TaskResult(slug, 1.0, (missed,))
        answer = new_code_cell(storable(text))  # as reading the file left it
        answer.metadata["nbgrader"] = {"grade_id": f"task-{slug}", "solution": True, "grade": False, "comment": text}
        graded = new_code_cell("1", outputs=harmless_outputs(outputs_of(text), room))
        graded.metadata["nbgrader"] = {
            "grade_id": f"grade-{slug}",
            "solution": False,
            "grade": True,
            "score": 0.0,
            "points": 2.0,
        }
        graded.outputs.append(nbformat.v4.new_output("display_data", data={"text/html": task_html(task, "en")}))
        cells += [answer, graded, new_markdown_cell(harmless_prose(text, room))]
    verdict = Verdict("a", "n", "s", "en", tasks, [Text(text) for text in texts])
    return new_notebook(cells=cells, metadata={NOTEBOOK_KEY: {"result": result_record(verdict)}})


def feedback(notebook: NotebookNode) -> str:
    return FeedbackExporter().from_notebook_node(notebook, dict(ABOUT))[0]


def plain(notebook: NotebookNode) -> str:
    return feedback_page(notebook, ABOUT["nbgrader"], is_plain=True)


def unrecorded(notebook: NotebookNode) -> str:
    """Return the page of a notebook that an earlier version graded: its reports are shown as they are."""
    notebook.metadata.clear()
    return feedback(notebook)


def prose_of(filters: dict[str, str]) -> Callable[[NotebookNode], str]:
    """Return what makes the formgrader's view of a notebook without the parts of it that are nbgrader's own."""

    def page(notebook: NotebookNode) -> str:
        exporter = HTMLExporter(template_name="classic", extra_template_basedirs=[str(NBGRADERS)], filters=filters)
        body = exporter.from_notebook_node(notebook, dict(ABOUT))[0].partition("<body")[2]
        return f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>n</title></head><body{body}"

    return page


PAGES: dict[str, Callable[[NotebookNode], str]] = {
    "feedback": feedback,
    "plain": plain,
    "unrecorded": unrecorded,
    "formgrader": prose_of({}),  # with the course's own filters, see below
    "nbconvert": prose_of({}),
}


@pytest.fixture(scope="module")
def makers(course: Course) -> dict[str, Callable[[NotebookNode], str]]:
    return {**PAGES, "formgrader": prose_of(dict(nbgrader_configuration(course).HTMLExporter.filters))}


def alive(opens: Opens, page: str, path: Path, wanted: str = "n") -> list[str]:
    """Return what is alive in a page, what it asked for, and where it went."""
    path.write_text(page, encoding="utf-8")
    watched = opens("about:blank")
    called: list[str] = []
    watched.page.route(
        "**/*",
        lambda route: (
            route.continue_()
            if route.request.url == path.as_uri()
            else (called.append(route.request.url), route.abort())
        ),
    )
    watched.page.goto(path.as_uri())
    watched.page.wait_for_timeout(300)  # a redirection at once
    went = [] if watched.page.url == path.as_uri() else [watched.page.url]
    watched.page.evaluate(f"window.wanted = {wanted!r}")
    return [*watched.page.evaluate(ALIVE), *called, *went]


@pytest.mark.parametrize("name", PAGES)
def test_nothing_that_a_student_wrote_is_alive(makers: Any, name: str, opens: Opens, tmp_path: Path) -> None:
    deep = [] if name == "nbconvert" else [DEEP]
    page = makers[name](a_notebook([*everything(), *deep]))
    assert alive(opens, page, tmp_path / "page.html") == []


@pytest.mark.parametrize("name", ["feedback", "plain", "nbconvert"])
def test_nothing_made_of_pieces_is_alive(makers: Any, name: str, opens: Opens, tmp_path: Path) -> None:
    page = makers[name](a_notebook(mixed(seed=1, count=50)))
    assert alive(opens, page, tmp_path / "page.html") == []


def test_ids_and_reasons_of_the_report_are_text(course: Course, opens: Opens, tmp_path: Path) -> None:
    (tmp_path / "solutions").symlink_to(course.root / "solutions")
    room = Room(Course(root=tmp_path, secret="0123456789abcdef"))
    for number, text in enumerate(everything()):
        name = f"{number}{text}".replace("/", "\u2215").replace("\0", "")[:60].encode("utf-8", "replace").decode()
        room.add(name, a_record(refused=True, notes=[text]))
    page = report_html(room.report(), "en")
    title = html.unescape(page.partition("<title>")[2].partition("</title>")[0])
    found = alive(opens, page, tmp_path / "report.html", title)
    assert [one for one in found if not one.startswith(("style:", "id:"))] == []


def test_the_look_sees_what_is_alive(opens: Opens, tmp_path: Path) -> None:
    """Without it every test above would pass."""
    found = alive(
        opens,
        f"<!DOCTYPE html><title>n</title>{''.join(everything()[:16])}".encode("utf-8", "replace").decode(),
        tmp_path / "page.html",
    )
    assert len(found) >= 10
