"""A student in JupyterLab: a wrong answer, a right one, and nbgrader's Validate button."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.sources.course import Course
from browser import ASSIGNMENT, NOTEBOOK, Lab, Watched, lab
from browser.conftest import Opens

pytestmark = [pytest.mark.browser, pytest.mark.course]

WRONG = "def softmax(x, axis=-1):\n    e = np.exp(x)\n    return e / e.sum()\n"
SAYS = "the whole table adds up to 1, but every row should."


@pytest.fixture(scope="module")
def desk(chromium_wanted: None, course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab in a folder that holds the release and nothing else."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copy(course.root / "assignments" / "en" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", folder)
    with lab(folder, tmp_path_factory.mktemp("home")) as running:
        yield running


def cell_with(page: Any, text: str) -> Any:
    """Return the code cell that holds a text."""
    return page.locator(".jp-CodeCell").filter(has_text=text)


def check_below(cell: Any) -> Any:
    """Return the folded cell of the public checks below the cell of an answer."""
    return cell.locator("xpath=following-sibling::*[contains(@class, 'jp-CodeCell')][1]")


def write(page: Any, cell: Any, code: str) -> None:
    """Replace a cell's code by hand: click into it, select everything, paste."""
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(code)


def run(page: Any, *cells: Any) -> None:
    """Run cells one after the other with Shift+Enter, and wait for the last one."""
    for cell in cells:
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        prompt.click()  # a folded cell has no code to click into
        page.keyboard.press("Shift+Enter")
    prompt.filter(has_text=re.compile(r"\[\d+\]")).filter(has_not_text=before).wait_for()


def run_all_above(page: Any, cell: Any) -> None:
    """Run every cell above one by JupyterLab's menu."""
    cell.locator(".jp-InputPrompt").click()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Above Selected Cell").click()


def test_a_student_sees_what_is_wrong_and_then_that_it_is_right(course: Course, desk: Lab, opens: Opens) -> None:
    from playwright.sync_api import expect

    watched = open_notebook(opens, desk)
    page = watched.page
    answer = cell_with(page, "def softmax(x, axis=-1)")
    check = check_below(answer)
    write(page, answer, WRONG)
    run_all_above(page, check)
    run(page, check)
    said = check.locator(".jp-OutputArea-output")
    expect(said).to_contain_text(SAYS)
    assert said.locator(".ansi-red-fg").first.inner_text().startswith("✗ softmax: ")
    assert "Traceback" not in said.inner_text()
    watched.screenshot("student-wrong")
    write(page, answer, course.source(ASSIGNMENT).reference("softmax"))
    run(page, answer, check)
    holds = said.filter(has_text="The public examples hold.")
    expect(holds).to_be_visible()
    assert holds.inner_text().count("✓") == 9
    expect(said.filter(has_text="✗")).to_have_count(0)  # what it said before is gone
    watched.screenshot("student-right")
    assert watched.outside() == []


def test_validate_tells_what_is_missing(desk: Lab, opens: Opens) -> None:
    watched = open_notebook(opens, desk)
    watched.page.locator(".validate-button").get_by_text("Validate").click()
    dialog = watched.page.get_by_role("dialog")
    dialog.wait_for()
    watched.screenshot("student-validate")
    assert "Validation Results" in dialog.inner_text()
    assert "The following cell failed:" in dialog.inner_text()
    assert "is not written yet: replace" in dialog.inner_text()
    dialog.get_by_role("button", name="OK").click()
    dialog.wait_for(state="detached")


def open_notebook(opens: Opens, desk: Lab) -> Watched:
    """Open the release and wait for its kernel."""
    watched = opens(desk.address(f"lab/tree/{NOTEBOOK}.ipynb"))
    watched.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    return watched
