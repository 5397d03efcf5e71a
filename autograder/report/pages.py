"""The templates of all pages and reports: what students wrote comes into them as text, never as a tag."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.base.visible import visible

CODE_SPAN = re.compile(r"`([^`\n]+)`")


@cache
def environment() -> Environment:
    """Return the environment of the templates in `report/templates`."""
    templates = Environment(
        loader=PackageLoader("autograder.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["code_spans"] = code_spans
    return templates


def code_spans(text: str) -> Markup:
    """Return a sentence as HTML in which what stands between backticks is code, and everything is escaped."""
    return Markup(CODE_SPAN.sub(r"<code>\1</code>", str(escape(visible(text)))))  # escaped just before
