"""How `nbgrader generate_feedback` writes its page: by a template of this course, which asks for nothing from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbgrader
from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

TEMPLATES = Path(__file__).resolve().parents[1] / "report" / "templates"
NBGRADERS = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"


class MathMLRenderer(IPythonRenderer):
    """nbconvert's renderer of prose, with formulas as MathML, which browsers show by themselves."""

    def inline_math(self, body: str) -> str:
        """Return a formula within a line; LaTeX that can't be read stays LaTeX."""
        return _mathml(body, "inline") or super().inline_math(body)

    def block_math(self, body: str) -> str:
        """Return a formula of its own."""
        return _mathml(body, "block") or super().block_math(body)

    def latex_environment(self, name: str, body: str) -> str:
        """Return an environment such as `align`."""
        return _mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block") or super().latex_environment(name, body)


def _mathml(latex: str, display: str) -> str:
    try:
        formula = str(convert(latex, display=display))
    except Exception:  # noqa: BLE001  (students write LaTeX too, and the library raises whatever it meets)
        return ""
    # what is wider than the page scrolls, by keyboard too
    return f'<span class="formula" tabindex="0">{formula}</span>' if display == "block" else formula


class FeedbackExporter(HTMLExporter):
    """nbconvert's HTML exporter with this course's template, whichever one nbgrader names.

    The formgrader names its own for everything that it makes, in the configuration of `HTMLExporter`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.extra_template_basedirs = [str(TEMPLATES), str(NBGRADERS)]
        self.template_name = "feedback_page"
        self.template_paths = [*self._template_paths(), str(NBGRADERS)]

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Return a prose cell as HTML."""
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = MathMLRenderer(escape=False, attachments=attachments, anchor_link_text="")
        return str(MarkdownWithMath(renderer=renderer).render(source)).replace("<table>", '<table tabindex="0">')
