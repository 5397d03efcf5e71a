"""The feedback page, the class report and the term's page as files: whole in themselves, for every reader, on a phone and on paper."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from test_class_report import Room, a_record, points_of

from autograder.commands import demo
from autograder.gradebook.release import build
from autograder.grading.runner import mistakes_of
from autograder.report.class_report import class_report, report_html
from autograder.report.term_report import term_html
from autograder.sources.course import Course, load_course
from browser import ASSIGNMENT, NOTEBOOK, PAPER, PHONE, WIDE, Watched, looked_at
from browser.conftest import Opens

pytestmark = [pytest.mark.browser, pytest.mark.course]

PHONES = {"viewport": PHONE, "is_mobile": True, "has_touch": True}
SCREENS: dict[str, dict[str, Any]] = {
    "light": {"viewport": WIDE},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "phone": {**PHONES},
    "phone-dark": {**PHONES, "color_scheme": "dark"},
}
PAGES = ["feedback-en", "feedback-ko", "report-en", "report-ko", "term-en", "term-ko"]
CALLS = "<img src='http://elsewhere.example/i.png' alt='called'><script src='http://elsewhere.example/s.js'></script>"


@pytest.fixture(scope="session")
def pages(chromium_wanted: None, course: Course, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Name -> page: what nbgrader's commands write for submissions with one mistake, and the reports about a class."""
    root = demo.copy_course(course, tmp_path_factory.mktemp("course"))
    found = reports(Course(root=root, secret="0123456789abcdef"), tmp_path_factory.mktemp("reports"))
    copy = load_course(root)
    build(copy, [ASSIGNMENT])
    source = copy.source(ASSIGNMENT)
    mistake = mistakes_of(source.folder)["softmax-without-keepdims"]
    answers = {slug: source.reference(slug) for slug in source.points} | {mistake.task: mistake.code}
    for student in ("en", "ko", "calls"):
        notebook = demo.fill(demo.released(copy, source, "ko" if student == "ko" else "en"), answers)
        if student == "calls":
            notebook.cells.append(nbformat.v4.new_markdown_cell(CALLS))
        demo.hand_in(root, ASSIGNMENT, [demo.Student(student, {f"{NOTEBOOK}.ipynb": demo.to_bytes(notebook)})])
        found[f"feedback-{student}"] = root / "feedback" / student / ASSIGNMENT / f"{NOTEBOOK}.html"
    demo.run_nbgrader(root, "autograde", ASSIGNMENT)
    demo.run_nbgrader(root, "generate_feedback", ASSIGNMENT)
    return found


def reports(course: Course, folder: Path) -> dict[str, Path]:
    """Write the reports about a made-up class of 30."""
    room = Room(course)
    source = course.source(ASSIGNMENT)
    known = list(mistakes_of(source.folder).values())
    lines = list(source.rubric)
    for number in range(24):
        mistake = known[number // 3 * 7 % len(known)]
        room.add(f"student-{number:02d}", a_record(tuple(mistake.misses), mistake.id))
    for number in range(3):
        room.add(f"김철수-{number}", a_record(tuple(lines[5 * number :])))
    room.add(
        "refused", a_record(tuple(lines), refused=True, notes=["The file is not a readable notebook: it is damaged."])
    )
    record = a_record(fault="MachineError: the kernel did not answer within 120 s")
    room.add("ungraded", record, {**points_of(record), "softmax": None})
    room.add("waiting-with-a-long-name@students.university.example", None)
    found = {}
    earlier = {f"student-{number:02d}": [a_record(tuple(lines[:3]), known[0].id)] * 2 for number in range(6)}
    report = class_report(course, ASSIGNMENT, room.points, {"student-03": 2.5}, earlier)
    for language in ("en", "ko"):
        found[f"report-{language}"] = folder / f"{language}.html"
        found[f"report-{language}"].write_text(report_html(report, language), encoding="utf-8")
        found[f"term-{language}"] = folder / f"term-{language}.html"
        term = [dataclasses.replace(report, assignment=name) for name in list(course.source_paths)]
        found[f"term-{language}"].write_text(term_html(term, language), encoding="utf-8")
    for name in ("submitted", "autograded"):
        (course.root / name).rename(folder / name)  # the real class comes into empty folders
    return found


def opened(opens: Opens, path: Path, screen: str) -> Watched:
    return opens(path, **SCREENS[screen])


@pytest.mark.parametrize(("name", "screen"), looked_at(PAGES, SCREENS))
def test_a_page_is_whole_in_itself_and_readable_by_all(
    pages: dict[str, Path], opens: Opens, name: str, screen: str
) -> None:
    watched = opened(opens, pages[name], screen)
    watched.screenshot(f"{name}-{screen}")
    assert watched.page.locator("html").get_attribute("lang") == name.split("-")[1]
    assert watched.overflow() <= 0
    assert watched.violations() == []
    assert watched.asked == [pages[name].as_uri()]
    assert watched.complaints == []


@pytest.mark.parametrize("screen", ["light", "phone"])
@pytest.mark.parametrize("name", ["feedback-en", "report-en", "term-en"])
def test_the_tab_key_reaches_every_link_and_scroll_region(
    pages: dict[str, Path], opens: Opens, name: str, screen: str
) -> None:
    assert opened(opens, pages[name], screen).unreachable() == []


@pytest.mark.parametrize("screen", ["light", "phone"])
def test_a_students_answer_is_one_click_from_what_was_lost_and_back(
    pages: dict[str, Path], opens: Opens, screen: str
) -> None:
    from playwright.sync_api import expect

    page = opened(opens, pages["feedback-en"], screen).page
    loss, answer = page.locator("#loss-1"), page.locator("#task-softmax")
    expect(loss).to_be_in_viewport()
    assert "−3" in loss.inner_text() and "Hint:" in loss.inner_text()
    loss.get_by_role("link", name="to your cell softmax").click()
    expect(answer).to_be_in_viewport()
    answer.get_by_role("link", name="why?").click()
    expect(loss).to_be_in_viewport()


def test_checks_and_set_up_unfold_by_keyboard(pages: dict[str, Path], opens: Opens) -> None:
    page = opened(opens, pages["feedback-en"], "light").page
    checks = page.locator("details", has_text="Public checks softmax").locator("pre").first
    assert not checks.is_visible()
    page.locator("summary", has_text="Public checks softmax").focus()
    page.keyboard.press("Enter")
    assert checks.is_visible()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_on_paper(pages: dict[str, Path], opens: Opens, name: str) -> None:
    watched = opens(pages[name], viewport=PAPER)
    watched.page.emulate_media(media="print")
    watched.screenshot(f"{name}-print")
    assert watched.overflow() <= 0


def test_what_a_student_wrote_calls_nobody_from_the_feedback(pages: dict[str, Path], opens: Opens) -> None:
    watched = opens("about:blank")
    called: list[str] = []
    watched.page.route(re.compile("^http"), lambda route: (called.append(route.request.url), route.abort()))
    watched.page.goto(pages["feedback-calls"].as_uri())
    assert watched.page.get_by_alt_text("called").count() == 0
    assert "elsewhere.example/i.png" in watched.page.locator("body").inner_text()
    assert called == []
