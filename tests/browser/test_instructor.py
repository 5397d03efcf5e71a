"""An instructor in nbgrader's formgrader: a submission is graded and its feedback made by its buttons."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.commands import demo
from autograder.gradebook.release import build
from autograder.sources.course import Course, load_course
from browser import ASSIGNMENT, NOTEBOOK, Lab, lab
from browser.conftest import Opens

pytestmark = [pytest.mark.browser, pytest.mark.course]


@pytest.fixture(scope="module")
def office(chromium_wanted: None, course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab in a course whose only student handed in a right solution."""
    root = demo.copy_course(course, tmp_path_factory.mktemp("course"))
    copy = load_course(root)
    build(copy, [ASSIGNMENT])
    source = copy.source(ASSIGNMENT)
    answers = {slug: source.reference(slug) for slug in source.points}
    notebook = demo.fill(demo.released(copy, source, "en"), answers)
    demo.hand_in(root, ASSIGNMENT, [demo.Student("ada", {f"{NOTEBOOK}.ipynb": demo.to_bytes(notebook)})])
    with lab(root, tmp_path_factory.mktemp("home")) as running:
        yield running


def test_the_buttons_grade_a_submission_and_make_its_feedback(office: Lab, opens: Opens) -> None:
    watched = opens(office.address("lab"))
    page = watched.page
    page.get_by_role("menuitem", name="Nbgrader").click()
    page.get_by_role("menuitem", name="Formgrader", exact=True).click()
    form = page.frame_locator("iframe")
    row = form.locator("tr", has_text=ASSIGNMENT)
    assert row.locator(".num-submissions").inner_text() == "1"
    row.locator(".num-submissions a").click()

    student = form.locator("tr", has_text="ada")
    assert student.locator(".status").inner_text() == "needs autograding"
    student.locator(".autograde a").click()
    form.locator("#success-modal", has_text=f"Successfully autograded '{ASSIGNMENT}' for student 'ada'").wait_for()
    form.locator("#success-modal").get_by_role("button", name="OK").click()
    form.locator("#success-modal").wait_for(state="detached")
    student.locator(".score", has_text="20 / 20").wait_for()
    assert student.locator(".status").inner_text() == "graded"
    watched.screenshot("instructor-graded")

    student.locator(".generate-feedback a").click()
    form.locator("#success-modal", has_text="Successfully generated feedback").wait_for()
    watched.screenshot("instructor-feedback")
    assert watched.outside() == []

    feedback = opens(office.address(f"files/feedback/ada/{ASSIGNMENT}/{NOTEBOOK}.html"))
    assert feedback.page.get_by_role("heading", name="Result: 20 / 20 points").is_visible()
    assert feedback.complaints == [] and len(feedback.asked) == 1
