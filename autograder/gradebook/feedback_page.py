"""How `nbgrader generate_feedback` writes its page: by a template of this course, which asks for nothing from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbgrader
from nbconvert.exporters import HTMLExporter

TEMPLATES = Path(__file__).resolve().parents[1] / "report" / "templates"
NBGRADERS = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"


class FeedbackExporter(HTMLExporter):
    """nbconvert's HTML exporter with this course's template, whichever one nbgrader names.

    The formgrader names its own for everything that it makes, in the configuration of `HTMLExporter`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.extra_template_basedirs = [str(TEMPLATES), str(NBGRADERS)]
        self.template_name = "feedback_page"
        self.template_paths = [*self._template_paths(), str(NBGRADERS)]
