"""Prose and code of a notebook as HTML, for the feedback page and the formgrader: nbconvert's filters, made harmless.

Tags come from the renderer alone, never from a text; no text keeps it busy for long.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Any

from jinja2 import pass_context
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.base.visible import visible
from autograder.gradebook.formulas import mathml
from autograder.gradebook.sanitize import CUT, MAX_PROSE

MAX_MARKDOWN = 10_000  # characters of one cell; longer prose is shown as it was written
MAX_COLOURED = 8000  # characters of code in one cell; longer code has one colour
MAX_COLOURED_MAGIC = 2000  # in the language of a cell magic
MAX_REMEMBERED = 256  # cells of prose, and of code: more than an assignment has in two languages
REPEATED = re.compile(r"\s{200}|[^\w\s]{200}")  # costs the lexer of Python the square of its length
PYTHON = ("python", "python3", "py", "ipython", "ipython3")


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


@lru_cache(MAX_REMEMBERED)  # most cells of a notebook are the release's, in every student's
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
    if metadata and len(source) <= MAX_COLOURED_MAGIC:
        return str(HIGHLIGHT(visible(source), metadata=metadata))
    return coloured(visible(source))


@lru_cache(MAX_REMEMBERED)
def coloured(code: str) -> str:
    """Return code that keeps no lexer busy, such as the course's own, as coloured HTML; the same code is coloured once."""
    return str(HIGHLIGHT(code))


def strip_files_prefix(text: str) -> str:
    """Return text as it is: nbconvert's filter of this name looks for links, for hours if there are many brackets."""
    return text


HIGHLIGHT = Highlight2HTML(pygments_lexer="ipython3")
