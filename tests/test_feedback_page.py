"""The page that students get shows formulas by itself."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree

import pytest
from injections import DEEP, LATEX, SEQUENCES
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.gradebook import feedback_page
from autograder.gradebook.feedback_page import NBGRADERS, FeedbackExporter, ProseRenderer, highlight_code, markdown2html
from autograder.gradebook.formulas import ELEMENTS, VALUES, mathml
from autograder.sources.course import Course
from autograder.sources.notebooks import render


def page(*prose: str) -> str:
    """Return prose as the feedback page shows it."""
    return MarkdownWithMath(renderer=ProseRenderer()).render("\n\n".join(prose))


def test_formulas_are_mathml() -> None:
    html = page("Weights are $\\frac{a}{b}$.\n\n$$\\sqrt{d_k}$$\n\n\\begin{align}x &= 1\\end{align}")
    assert html.count("<math") == 3
    assert "\\frac" not in html and "$" not in re.sub(r"(?s)<(style|script).*?</\1>", "", html)


@pytest.mark.parametrize("latex", ["\\frac{", "{" * 5000, "\\nosuchcommand{", "\\begin{matrix}"])
def test_latex_that_cant_be_read_stays_and_stops_nothing(latex: str) -> None:
    assert "after" in page(f"before ${latex}$\n\nafter")


def test_every_formula_of_the_course_is_shown(course: Course) -> None:
    for assignment in course.source_paths:
        for language in course.languages:
            cells = [c for c in render(course.source(assignment), language).cells if c.cell_type == "markdown"]
            text = re.sub(r"(?s)<(style|script|math|code|pre).*?</\1>", "", page(*(cell.source for cell in cells)))
            assert not re.search(r"\$[^$\n]+\$|\\(frac|sqrt|begin|mathrm|text)\b", text), assignment


@pytest.mark.parametrize("latex", LATEX)
@pytest.mark.parametrize("display", ["inline", "block"])
def test_a_formula_holds_nothing_but_a_formula(latex: str, display: str) -> None:
    formula = mathml(latex, display)
    for element in ElementTree.fromstring(formula).iter() if formula else ():
        assert element.tag.rpartition("}")[2] in ELEMENTS
        assert set(element.attrib) <= set(VALUES)
        assert not re.search(r"[:;()<&]|\d{3}em", " ".join(element.attrib.values()))


def test_doubling_commands_are_not_carried_out() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    macros = "".join(rf"\newcommand{{\{a}}}{{\{b}\{b}}}" for a, b in itertools.pairwise(names))
    assert mathml(macros + r"\a", "inline") == ""


def test_prose_nested_beyond_the_parsers_stack_is_shown_as_it_is() -> None:
    """It used to end the whole page, and with it the submission's feedback."""
    assert markdown2html({}, DEEP).startswith("<pre>")


def test_long_prose_and_code_are_shown_as_they_are() -> None:
    assert markdown2html({}, "*a* " * 10_000).startswith("<pre>*a* ")
    assert "<span" not in highlight_code("." * 5000 + "\n")
    assert "<span" in highlight_code("x = 1\n")


def a_graded_notebook(*cells: NotebookNode) -> NotebookNode:
    answer = new_code_cell("x = '<b>'")
    answer.metadata["nbgrader"] = {"grade_id": "task-a", "solution": True, "grade": False, "comment": "a: 1 / 2 <b>"}
    graded = new_code_cell("1", outputs=[new_output("display_data", data={"text/html": "<table>report</table>"})])
    graded.metadata["nbgrader"] = {"grade_id": "grade-a", "solution": False, "grade": True, "score": 1.0, "points": 2.0}
    return new_notebook(cells=[*cells, answer, graded])


@pytest.fixture
def exporter() -> FeedbackExporter:
    bootstrap = NBGRADERS.parent / "static" / "node_modules" / "bootstrap" / "dist" / "css"
    return FeedbackExporter(extra_template_paths=[str(bootstrap)])


ABOUT = {"notebook": "n", "student": "s", "assignment": "a", "score": 1.0, "max_score": 2.0, "late_penalty": 0.5}


@pytest.mark.parametrize(("language", "said"), [("en", "written plainly"), ("ko", "간단히 쓴")])
def test_a_page_that_takes_too_long_is_written_plainly_with_points_and_messages(
    exporter: FeedbackExporter, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    cell = new_markdown_cell("slow")
    monkeypatch.setattr(feedback_page, "PAGE_SECONDS", 2)

    def slow(text: str) -> str:
        return str(re.match("(a*)*b", "a" * 60)) if text == "slow" else text

    monkeypatch.setattr(feedback_page, "_rendered", slow)
    notebook = a_graded_notebook(cell)
    notebook.metadata["autograder"] = {"result": {"language": language}}
    page = exporter.from_notebook_node(notebook, {"nbgrader": dict(ABOUT)})[0]
    assert said in page and f'lang="{language}"' in page
    assert "<table>report</table>" in page and "a: 1 / 2 &lt;b&gt;" in page and "x = &#x27;&lt;b&gt;&#x27;" in page
    next_page = exporter.from_notebook_node(a_graded_notebook(), {"nbgrader": dict(ABOUT)})[0]
    assert said not in next_page and "Score: 1.0 / 2.0" in next_page


def test_a_comment_makes_no_tag_and_no_link(exporter: FeedbackExporter) -> None:
    notebook = a_graded_notebook()
    evil = "` <img src=x> <meta http-equiv=refresh> ![a](attachment:none) [a](http://a.example) http://b.example ` **bold** `code`"
    notebook.cells[0].metadata["nbgrader"]["comment"] = evil + "".join(SEQUENCES)
    page = exporter.from_notebook_node(notebook, {"nbgrader": dict(ABOUT)})[0]
    comment = page.partition("<b>Comments:</b>")[2].partition("panel")[0]
    assert not re.search(r"<(img|meta)|href", comment)
    assert "<strong>bold</strong>" in comment and "<code>code</code>" in comment
