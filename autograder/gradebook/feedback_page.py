"""How `nbgrader generate_feedback` writes its page: by a template of this course, which asks for nothing from outside.

Tags come from the renderer and the template alone, never from a text; a page that takes too long is written plainly.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import nbgrader
from jinja2 import pass_context
from nbconvert.exporters import Exporter, HTMLExporter
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader import utils

from autograder.base.text import Text
from autograder.base.visible import storable, visible
from autograder.gradebook.deadline import made_in_time
from autograder.gradebook.formulas import mathml
from autograder.gradebook.sanitize import CUT, MAX_PROSE
from autograder.sources.notebooks import NOTEBOOK_KEY

TEMPLATES = Path(__file__).resolve().parents[1] / "report" / "templates"
NBGRADERS = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
PAGE_SECONDS = 10.0
PAGE_BYTES = 4 << 30  # of memory for one page
MAX_MARKDOWN = 10_000  # characters of one cell; longer prose is shown as it was written
MAX_COLOURED = 8000  # characters of code in one cell; longer code has one colour
MAX_COLOURED_MAGIC = 2000  # in the language of a cell magic
MAX_PLAIN_CODE = 20_000  # characters of one cell on a plain page
REPEATED = re.compile(r"\s{200}|[^\w\s]{200}")  # costs the lexer of Python the square of its length
PYTHON = ("python", "python3", "py", "ipython", "ipython3")
WORDS = {
    "points": Text("points", "점"),
    "plain": Text(
        "This page is written plainly, without the notebook's prose and outputs: writing it in full took too long. "
        "The points and messages are whole.",
        "노트북의 글과 출력 없이 간단히 쓴 페이지입니다. 전체를 쓰는 데 시간이 너무 오래 걸렸습니다. 점수와 메시지는 모두 있습니다.",
    ),
    "late": Text("Late submission penalty", "지각 감점"),
}


class ProseRenderer(IPythonRenderer):
    """nbconvert's renderer of prose, which makes no link and no picture, and shows tags as text.

    Formulas are MathML, which browsers show by themselves; LaTeX that can't be read stays LaTeX.
    """

    def __init__(self) -> None:
        super().__init__(escape=True, exclude_anchor_links=True)

    def inline_math(self, body: str) -> str:
        """Return a formula within a line."""
        return mathml(body, "inline") or super().inline_math(body)

    def block_math(self, body: str) -> str:
        """Return a formula of its own."""
        return _scrolling(mathml(body, "block")) or super().block_math(body)

    def latex_environment(self, name: str, body: str) -> str:
        """Return an environment such as `align`."""
        formula = mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")
        return _scrolling(formula) or super().latex_environment(name, body)

    def block_code(self, code: str, info: str | None = None) -> str:
        """Return code, coloured if it is Python: some lexers of other languages take hours for a line."""
        return super().block_code(code, info if info and info.strip().lower() in PYTHON else None)

    def inline_html(self, html: str) -> str:
        """Return a tag as text."""
        return self.escape_html(html)

    def block_html(self, html: str) -> str:
        """Return tags as text."""
        return f"<p>{self.escape_html(html.strip())}</p>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Return a link's text and, where it differs, its address."""
        address = self.escape_html(url)
        return text if text == address else f"{text} ({address})"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return what stands for a picture."""
        return text


def _scrolling(formula: str) -> str:
    """Return a formula that scrolls, by keyboard too, where it is wider than the page."""
    return formula and f'<span class="formula" tabindex="0">{formula}</span>'


@pass_context
def markdown2html(context: Any, source: str) -> str:
    """Return prose or a comment as HTML: nbconvert's filter of this name."""
    text = visible(source)
    rendered = _rendered(text) if len(text) <= MAX_MARKDOWN else ""
    if not rendered and text:
        shown = text if len(text) <= MAX_PROSE + 200 else text[:MAX_PROSE] + "\n" + CUT.en
        rendered = f"<pre>{html.escape(shown, quote=False)}</pre>"
    return rendered


@pass_context
def formgrader_markdown2html(context: Any, source: str) -> str:
    """Return prose as `markdown2html` does, in which the formgrader's MathJax looks for no formulas: they are made."""
    return f'<div class="tex2jax_ignore mathjax_ignore">{markdown2html(context, source)}</div>'


def _rendered(text: str) -> str:
    """Return Markdown as HTML, empty if it is too much for the parser."""
    try:
        rendered = str(MarkdownWithMath(renderer=ProseRenderer()).render(text))
    except Exception:  # noqa: BLE001  (lists nested too deeply, and whatever else the parser stumbles on)
        return ""
    return rendered.replace("<table>", '<table tabindex="0">')


def highlight_code(source: str, language: str | None = None, metadata: Any = None) -> str:
    """Return code as coloured HTML: nbconvert's filter of this name, which no code keeps busy."""
    if len(source) > MAX_COLOURED or REPEATED.search(source):
        return f'<div class="highlight"><pre>{html.escape(visible(source), quote=False)}</pre></div>'
    magic = metadata if metadata and len(source) <= MAX_COLOURED_MAGIC else None
    return str(HIGHLIGHT(visible(source), metadata=magic))


def strip_files_prefix(text: str) -> str:
    """Return text as it is: nbconvert's filter of this name looks for links, for hours if there are many brackets."""
    return text


HIGHLIGHT = Highlight2HTML(pygments_lexer="ipython3")
FILTERS: dict[str, Any] = {
    "markdown2html": markdown2html,
    "highlight_code": highlight_code,
    "strip_files_prefix": strip_files_prefix,
}


class FeedbackExporter(HTMLExporter):
    """nbconvert's HTML exporter with this course's template, whichever one nbgrader names.

    The formgrader names its own for everything that it makes, in the configuration of `HTMLExporter`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.extra_template_basedirs = [str(TEMPLATES), str(NBGRADERS)]
        self.template_name = "feedback_page"
        self.template_paths = [*self._template_paths(), str(NBGRADERS)]
        self.filters = dict(FILTERS)
        self._is_ready = False

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kw: Any) -> tuple[str, Any]:
        """Return the page of a graded notebook, a plain one if this one takes longer than `PAGE_SECONDS`."""
        ready, resources = Exporter.from_notebook_node(self, nb, resources, **kw)  # reads the gradebook
        self._warm(resources)
        page = made_in_time(lambda: self._page(ready, resources), PAGE_SECONDS, PAGE_BYTES)
        if page is None:
            about = resources.get("nbgrader", {})
            self.log.warning(
                "%s: the page is a plain one: in full it took longer than %g s or failed",
                about.get("student", ""),
                PAGE_SECONDS,
            )
            page = plain_page(ready, about)
        return page, resources

    def _preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Run the steps once: `_page` has them behind it."""
        if resources.pop("is_preprocessed", False):
            return nb, resources
        done: tuple[NotebookNode, Any] = super()._preprocess(nb, resources)
        return done

    def _page(self, nb: NotebookNode, resources: Any) -> str:
        resources = {**resources, "is_preprocessed": True}
        return storable(str(super().from_notebook_node(nb, resources)[0]))

    def _warm(self, resources: Any) -> None:
        """Read the templates here: what a child process reads is lost with it."""
        if not self._is_ready:
            self._is_ready = True
            self._page(new_notebook(), {**resources, "nbgrader": {"score": 0, "max_score": 0, "late_penalty": 0}})


def plain_page(nb: NotebookNode, about: Any) -> str:
    """Return a graded notebook's points, messages and code as a page that costs nothing to write.

    Args:
        nb: with scores and comments in the cells' metadata.
        about: what nbgrader knows of the submission: `notebook`, `score`, `max_score`, `late_penalty`.
    """
    language = "ko" if nb.metadata.get(NOTEBOOK_KEY, {}).get("result", {}).get("language") == "ko" else "en"
    w = {key: text.in_language(language) for key, text in WORDS.items()}
    title = html.escape(str(about.get("notebook", "")))
    parts = [f"<h1>{title}: {about.get('score', 0):g} / {about.get('max_score', 0):g} {w['points']}</h1>"]
    if about.get("late_penalty"):
        parts.append(f"<p>{w['late']}: {about['late_penalty']:g}</p>")
    parts.append(f"<p><b>{w['plain']}</b></p>")
    for cell in nb.cells:
        told = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and (utils.is_solution(cell) or utils.is_grade(cell)):
            parts.append(f"<h2><code>{html.escape(str(told.get('grade_id', '')))}</code></h2>")
        if utils.is_grade(cell):
            parts.append(f"<p>{told.get('score') or 0:g} / {told.get('points') or 0:g} {w['points']}</p>")
            # only our own report is HTML in a graded notebook
            parts += [output.data["text/html"] for output in cell.outputs if "text/html" in output.get("data", {})]
        elif utils.is_solution(cell):
            shown = cell.source[:MAX_PLAIN_CODE] + (
                f"\n# {CUT.in_language(language)}" if len(cell.source) > MAX_PLAIN_CODE else ""
            )
            parts.append(f"<pre>{html.escape(visible(shown))}</pre>")
            if told.get("comment"):
                parts.append(f"<pre>{html.escape(visible(str(told['comment'])[:MAX_PLAIN_CODE]))}</pre>")
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
    return storable(
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
        f"<title>{title}</title>\n<style>body {{ font-family: sans-serif; margin: 1rem; }} "
        "pre { white-space: pre-wrap; overflow-wrap: anywhere; }</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )
