"""The page about the whole term: totals, who falls behind, and that nothing a student wrote is markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_class_report import MISTAKE, NAMES, Page

from autograder.grading.runner import mistakes_of
from autograder.report.advice import RecognisedMistake, Stuck
from autograder.report.class_report import ClassReport, Entry
from autograder.report.term_report import StudentBehind, falling_behind, term_html

FOLDER = Path(__file__).resolve().parent.parent / "solutions" / "02-attention"


def report(name: str, *entries: Entry, bonus: bool = False, **more: object) -> ClassReport:
    return ClassReport(name, FOLDER, {"a": 6.0, "b": 4.0}, entries, [], bonus, **more)  # type: ignore[arg-type]


def earned(student: str, a: float, b: float = 0.0, state: str = "graded") -> Entry:
    return Entry(student, state, {"a": a, "b": b})


def test_points_of_the_term_add_up_with_the_bonus_on_top() -> None:
    reports = [
        report("01-x", earned("ada", 6, 4), earned("bob", 1)),
        report("02-y", earned("ada", 2, 3)),
        report("09-z", earned("ada", 6, 2), bonus=True),
        report("03-later"),
    ]
    page = Page(term_html(reports))
    assert page.open == []
    text = re.sub(r"\s+", " ", page.text)
    assert "Total (of 20)" in text and "09-z (bonus)" in text and "03-later" not in text
    assert "ada105823" in text and "bob1––1" in text
    assert [dict(a)["href"] for tag, a in page.tags if tag == "a"] == ["01-x.html", "02-y.html", "09-z.html"]


def test_who_falls_behind_has_less_than_half_in_two_assignments_or_more() -> None:
    reports = [
        report(
            "01-x",
            earned("ada", 5),
            earned("bob", 4),
            earned("kim", 4),
            earned("lee", 0, 0, "refused"),
            earned("mia", 0, 0, "misplaced"),
            earned("new", 1),
        ),
        report("02-y", earned("ada", 1), earned("bob", 4), earned("kim", 5), earned("new", 0, 0, "ungraded")),
        report("03-z", earned("ada", 5), earned("bob", 4.9), earned("kim", 1, state="waiting")),
        report("04-bonus", earned("ada", 0), bonus=True),
        report("05-later"),
    ]
    assert falling_behind(reports) == [
        StudentBehind("bob", ("01-x", "02-y", "03-z")),
        StudentBehind("lee", ("01-x", "02-y", "03-z")),
        StudentBehind("mia", ("01-x", "02-y", "03-z")),
        StudentBehind("new", ("01-x", "03-z")),
    ]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_each_assignment_says_its_commonest_mistake_and_how_many_are_stuck(language: str) -> None:
    made = (RecognisedMistake("softmax", MISTAKE, ["ada", "bob"]), RecognisedMistake("softmax", "other", ["ada"]))
    stuck = (Stuck("ada", "a", 0.0, 1), Stuck("ada", "b", 0.0, 1))
    page = Page(term_html([report("01-x", earned("ada", 0), mistakes=made, stuck=stuck)], language))
    hint = mistakes_of(FOLDER)[MISTAKE].hint.in_language(language).replace("`", "")
    assert f"{hint} (2)" in page.text and dict(page.tags)["html"]["lang"] == language
    assert page.open == [] and [a for tag, a in page.tags if tag == "th" and "scope" not in a] == []


def test_names_are_text_and_nothing_comes_from_outside() -> None:
    page = term_html([report("01-x", *(earned(name, 1) for name in NAMES))])
    parsed = Page(page)
    assert {tag for tag, _ in parsed.tags}.isdisjoint({"script", "img"})
    assert all(name in parsed.text for name in NAMES)
    assert not re.search(r"(?:src|href)\s*=\s*['\"](?!data:,|01-x\.html)|@import|url\(", page)


def test_a_term_without_submissions_says_so() -> None:
    assert "Nothing has been graded yet." in Page(term_html([report("01-x")])).text
