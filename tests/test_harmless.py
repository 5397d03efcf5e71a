"""What a student's notebook shows runs nothing in the browser of whoever reads it."""

from __future__ import annotations

import re
from typing import Any

import nbformat
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.gradebook.feedback_page import FeedbackExporter
from autograder.gradebook.harmless import harmless_outputs, harmless_prose

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>"
OUTPUTS: list[dict[str, Any]] = [
    {"output_type": "display_data", "data": {"text/html": EVIL, "text/plain": EVIL}, "metadata": {}},
    {"output_type": "execute_result", "data": {"image/svg+xml": f"<svg>{EVIL}</svg>"}, "metadata": {}},
    {"output_type": "display_data", "data": {"application/javascript": "alert(1)", "text/latex": EVIL}, "metadata": {}},
    {"output_type": "display_data", "data": {"image/png": f'"{EVIL}'}, "metadata": {}},
    {
        "output_type": "display_data",
        "data": {"image/png": "aGk=", "text/markdown": EVIL},
        "metadata": {"image/png": {"width": f'"{EVIL}'}, "filenames": {"image/png": EVIL}},
    },
    {"output_type": "stream", "name": f'"{EVIL}', "text": [EVIL, EVIL]},
    {"output_type": "error", "ename": EVIL, "evalue": EVIL, "traceback": [EVIL]},
]
PROSE = [
    EVIL,
    "[click](javascript:alert(1))",
    "[click](java&#115;cript:alert(1))",
    "[click][x]\n\n[x]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
]
RUNS = re.compile(r"<script>alert|onerror=alert\(1\)>|<svg><|(href|src)=\"?\s*javascript", re.IGNORECASE)


def page(outputs: list[NotebookNode], prose: list[str]) -> str:
    """Return what the formgrader's exporter and the feedback page's make of a notebook."""
    cells = [new_code_cell("1", outputs=outputs), *map(new_markdown_cell, prose)]
    html = str(HTMLExporter().from_notebook_node(new_notebook(cells=cells))[0])
    feedback = FeedbackExporter()
    html += "".join(feedback.markdown2html({}, source) for source in prose)
    return re.sub(r"&lt;.*?&gt;", "", html)  # escaped: text


def test_nothing_runs() -> None:
    outputs = harmless_outputs(map(nbformat.from_dict, OUTPUTS))
    assert not RUNS.search(page(outputs, [harmless_prose(text) for text in PROSE]))


def test_without_the_cure_it_would() -> None:
    assert RUNS.search(page([nbformat.from_dict(OUTPUTS[0])], []))
    assert all(RUNS.search(page([], [text])) for text in PROSE[:4])


def test_text_and_pictures_stay() -> None:
    kept = harmless_outputs(map(nbformat.from_dict, OUTPUTS))
    assert [output.output_type for output in kept] == ["display_data", "display_data", "stream", "error"]
    assert kept[0].data == {"text/plain": EVIL}
    assert kept[1].data == {"image/png": "aGk="} and not kept[1].metadata
    assert (kept[2].name, kept[2].text) == ("stdout", EVIL + EVIL)


def test_plain_prose_reads_as_before() -> None:
    text = "# Mine\n\nIf $a < b$ and 3 <4, see `x[1]`; R&D"
    assert harmless_prose(text) == text.replace("R&D", "R&\u200bD")
