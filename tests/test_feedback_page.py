"""The page that students get shows formulas by itself."""

from __future__ import annotations

import re

import pytest
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from autograder.course import Course
from autograder.gradebook.feedback_page import MathMLRenderer
from autograder.notebooks import render


def page(*prose: str) -> str:
    """Return prose as the feedback page shows it."""
    return MarkdownWithMath(renderer=MathMLRenderer(escape=False)).render("\n\n".join(prose))


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
