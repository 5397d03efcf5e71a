"""The page that students get: what stands where, that nothing is said twice, and that it shows formulas by itself."""

from __future__ import annotations

import html
import itertools
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import nbformat
import pytest
from injections import DEEP, LATEX, SEQUENCES
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.base.text import Text
from autograder.commands import demo
from autograder.gradebook import feedback_page as feedback_page_module
from autograder.gradebook import handins, rendering, standings
from autograder.gradebook.feedback_page import FeedbackExporter, feedback_page
from autograder.gradebook.formulas import ELEMENTS, VALUES, mathml
from autograder.gradebook.preprocessors import show_verdict
from autograder.gradebook.rendering import ProseRenderer, highlight_code, markdown2html
from autograder.grading.runner import LineResult, TaskResult
from autograder.report.feedback import task_text
from autograder.report.losses import losses_of
from autograder.report.record import result_record
from autograder.report.standing import Standing, Try
from autograder.sources.course import Course
from autograder.sources.handing_in import Tries
from autograder.sources.notebooks import NOTEBOOK_KEY, render
from autograder.sources.rubric_table import RubricLine
from autograder.submissions.submission import repair
from autograder.submissions.verdicts import Verdict


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


LINES = {
    "gate": RubricLine("a", 0.0, Text("the shape", "모양")),
    "values": RubricLine("a", 1.5, Text("the values", "값"), ("gate",)),
    "edge": RubricLine("a", 0.5, Text("the edge", "경계"), ("values",)),
    "other": RubricLine("b", 2.0, Text("the other", "나머지")),
    "last": RubricLine("b", 1.0, Text("the last", "마지막")),
}
HINT = Text("Along which axis?", "어느 축을 따라서인가요?")
EVIL = "<b onclick=alert(1)>"


def a_verdict(statuses: dict[str, str], texts: dict[str, Text], language: str = "en", **of_lines: Any) -> Verdict:
    """A verdict on a notebook of two tasks; `of_lines` holds fields of all its lines."""
    lines = [LineResult(i, line, statuses.get(i, "passed"), texts.get(i), **of_lines) for i, line in LINES.items()]
    tasks = {
        slug: TaskResult(slug, most, tuple(line for line in lines if line.line.task == slug))
        for slug, most in (("a", 2.0), ("b", 3.0))
    }
    return Verdict("01-first", "n", "s", language, tasks)


def graded(verdict: Verdict, *cells: NotebookNode, scores: dict[str, float] | None = None) -> NotebookNode:
    """The notebook of a verdict as grading and nbgrader's `GetGrades` leave it."""
    made = list(cells)
    for slug, task in verdict.tasks.items():
        answer = new_code_cell(f"{slug} = '{EVIL}'", id=f"task-{slug}")
        answer.metadata["nbgrader"] = {"grade_id": f"task-{slug}", "solution": True, "grade": False}
        answer.metadata["nbgrader"]["comment"] = task_text(task, verdict.language)
        check = new_code_cell(f"check_{slug}()", id=f"grade-{slug}")
        check.metadata["nbgrader"] = {"grade_id": f"grade-{slug}", "solution": False, "grade": True}
        check.metadata["nbgrader"] |= {"score": (scores or {}).get(slug, task.points or 0.0), "points": task.max_points}
        made += [answer, check]
    notebook = new_notebook(cells=made, metadata={NOTEBOOK_KEY: {"language": verdict.language}})
    show_verdict(notebook, verdict)
    notebook.metadata[NOTEBOOK_KEY]["result"] = result_record(verdict, {"wrong-axis": HINT})
    return nbformat.reads(nbformat.writes(notebook), as_version=4)  # whose keys are sorted


def page_of(verdict: Verdict, notebook: NotebookNode | None = None, **about: Any) -> str:
    known = {"assignment": "01-first", "notebook": "n", "score": verdict.points, "max_score": 5.0, "late_penalty": 0.0}
    return feedback_page(notebook or graded(verdict), {**known, **about})


def seen(page: str) -> str:
    """What a reader sees of a page, in one line."""
    text = re.sub(r"(?s)<style>.*?</style>|<title>.*?</title>|</?span[^>]*>", "", page)
    text = re.sub(r"<[^>]*>", " ", text)
    return html.unescape(re.sub(r"\s+", " ", text))


MISSED = {"gate": "missed", "values": "blocked", "edge": "blocked", "other": "missed"}
WHY = {
    "gate": Text("It is (2, 3). Along which axis?", "(2, 3)입니다. 어느 축을 따라서인가요?"),
    "other": Text("No.", "틀림."),
}


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        (
            "en",
            ["Result: 1 / 5 points", "What was lost, and why", "−2", "It is (2, 3).", "Hint: Along which axis?", "No."],
        ),
        (
            "ko",
            [
                "채점 결과: 1 / 5 점",
                "잃은 점수와 이유",
                "−2",
                "(2, 3)입니다.",
                "힌트: 어느 축을 따라서인가요?",
                "틀림.",
            ],
        ),
    ],
)
def test_points_come_first_then_what_was_lost_and_why_then_the_rubric_then_the_notebook(
    language: str, parts: list[str]
) -> None:
    verdict = a_verdict(MISSED, WHY, language, mistake="wrong-axis")
    page = page_of(verdict)
    text = seen(page)
    places = [text.index(part) for part in (*parts, "check_a()")]
    assert places == sorted(places)
    assert page.index('id="lost"') < page.index('id="rubric"') < page.index('id="notebook"')
    assert f'<html lang="{language}">' in page
    titles = [f'class="title">{line.title.in_language(language)}' for line in LINES.values()]
    assert sorted(titles, key=page.index) == titles  # in the order of the rubric, not of the sorted keys
    assert page.index('href="#task-a"') < page.index('id="rubric"') < page.index('id="task-a"')  # one click to the cell


def test_no_sentence_is_said_twice() -> None:
    same = Text("This isn't written yet.", "아직 쓰지 않았습니다.")
    verdict = a_verdict(dict.fromkeys(LINES, "missed"), dict.fromkeys(LINES, same))
    verdict.notes.append(same)
    text = seen(page_of(verdict))
    assert text.count(same.en) == 1
    assert "−2 a the whole task" in text and "−3 b the whole task" in text
    followed = seen(page_of(a_verdict({}, {}, followed=True)))
    assert followed.count("the mistake before it costs nothing here") == 1
    assert seen(page_of(a_verdict(MISSED, WHY))).count("because of a line above") == 1


def test_what_a_missed_line_held_back_counts_as_lost_with_it() -> None:
    losses = losses_of(result_record(a_verdict(MISSED, WHY, mistake="wrong-axis"), {"wrong-axis": HINT}))
    assert [(loss.reason, loss.hint, loss.points) for loss in losses] == [
        ("It is (2, 3).", HINT.en, 2.0),
        ("No.", "", 2.0),
    ]
    part = losses[0].parts["a"]
    assert (part.missed, part.held_back, part.is_whole) == (["the shape"], ["the values", "the edge"], True)
    assert not losses[1].parts["b"].is_whole


def test_a_loss_names_its_lines_and_those_that_it_held_back() -> None:
    text = seen(page_of(a_verdict({"values": "missed", "edge": "blocked"}, {"values": WHY["other"]})))
    assert "the values (and what is asked after it: the edge)" in text and "the whole task" not in text


def test_a_page_without_losses_says_so() -> None:
    text = seen(page_of(a_verdict({}, {})))
    assert "Nothing was lost." in text and "What was lost" not in text and "why?" not in text


def test_an_ungraded_task_is_no_loss_and_no_success() -> None:
    text = seen(page_of(a_verdict({"other": "ungraded", "last": "ungraded"}, {})))
    assert "not graded yet: the grader failed here, not you" in text and "? / 3" in text
    assert "Nothing was lost" not in text


def test_the_grader_isnt_quoted_as_the_instructor_who_may_speak_too() -> None:
    verdict = a_verdict(MISSED, WHY)
    assert "Your instructor says" not in page_of(verdict)
    notebook = graded(verdict, scores={"a": 2.0})
    next(cell for cell in notebook.cells if cell.id == "task-b").metadata["nbgrader"]["comment"] = "Well *tried*."
    page = page_of(verdict, notebook)
    assert "Well <em>tried</em>." in page
    assert "a 2 / 2 by your instructor" in seen(page)
    assert seen(page).count("your instructor gave this task: 2 / 2") == 1  # beside what the grader says was lost


@pytest.mark.parametrize(
    ("missed", "points", "said"),
    [
        (["gate"], 1.5, ["−0.5 a to your cell", "your instructor gave this task: 1.5 / 2"]),
        (["gate"], 2.0, ["−0 a to your cell", "your instructor gave this task: 2 / 2"]),
        (["values", "edge"], 1.5, ["why a to your cell", "the values", "the edge"]),
        ([], 1.5, ["What was lost, and why", "−0.5 a to your cell", "your instructor gave this task: 1.5 / 2"]),
    ],
    ids=["one reason", "one reason, all points", "several reasons", "no reason"],
)
def test_a_task_costs_what_it_costs_by_the_instructors_points(
    missed: list[str], points: float, said: list[str]
) -> None:
    why = {line: Text(f"It is {line}.") for line in missed}
    statuses = {"values": "blocked", "edge": "blocked"} if missed == ["gate"] else {}
    verdict = a_verdict(statuses | dict.fromkeys(missed, "missed"), why)
    text = seen(page_of(verdict, graded(verdict, scores={"a": points}), score=3 + points))
    assert all(part in text for part in said)
    assert "the whole task" not in text and "Nothing was lost" not in text and "−2" not in text


def test_checks_and_set_up_are_folded_and_answers_arent() -> None:
    setup = new_code_cell("import numpy")
    setup.metadata["nbgrader"] = {"grade_id": "setup", "solution": False, "grade": False, "locked": True}
    own = new_code_cell("mine = 1")
    page = page_of(a_verdict({}, {}), graded(a_verdict({}, {}), setup, own))
    folded = "".join(re.findall(r"(?s)<details.*?</details>", page))
    assert "numpy" in folded and "check_a" in folded
    assert "mine" not in folded and "onclick" not in folded
    assert "<details open" not in page


def test_lateness_and_tries_are_told_where_they_are_known() -> None:
    verdict = a_verdict(MISSED, WHY)
    plain = seen(page_of(verdict))
    for words in ("Tries", "tries", "Late", "late"):
        assert words not in plain
    late = Text("Handed in 1 day late.", "1일 늦게 제출했습니다.")
    standing = Standing([late], (Try(0.5, "1 Nov"), Try(None), Try(1.0, "3 Nov")), 2)
    text = seen(page_of(verdict, standing=standing, score=0.5, late_penalty=0.5))
    places = [
        text.index(said) for said in ("Result: 0.5 / 5", late.en, "penalty: 1 − 0.5 = 0.5", "Tries left: 2", "No.")
    ]
    assert places == sorted(places)
    assert text.index("No.") < text.index("Your tries") < text.index("0.5 / 5 1 Nov") < text.index("? / 5")
    assert text.index("? / 5") < text.index("1 / 5 3 Nov") < text.rindex("The rubric, task by task")
    assert late.ko in page_of(a_verdict(MISSED, WHY, "ko"), standing=standing)
    assert "Your tries" not in seen(page_of(verdict, standing=Standing(tries=(Try(1.0),))))


def test_a_record_of_an_earlier_version_shows_its_reports() -> None:
    verdict = a_verdict(MISSED, WHY)
    notebook = graded(verdict)
    del notebook.metadata[NOTEBOOK_KEY]["result"]["order"]
    page = page_of(verdict, notebook)
    assert "<b>a: 0 / 2 points</b>" in page and "Nothing was lost" not in page and "Your instructor says" not in page


ABOUT = {"notebook": "n", "student": "s", "assignment": "01-first", "score": 1.0, "max_score": 5.0, "late_penalty": 0.5}


@pytest.mark.parametrize(("language", "said"), [("en", "written plainly"), ("ko", "간단히 쓴")])
def test_a_page_that_takes_too_long_is_written_plainly_with_points_and_messages(
    monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    exporter = FeedbackExporter()
    monkeypatch.setattr(feedback_page_module, "PAGE_SECONDS", 2)

    def slow(text: str) -> str:
        return str(re.match("(a*)*b", "a" * 60)) if text == "slow" else text

    monkeypatch.setattr(rendering, "_rendered", slow)
    verdict = a_verdict(MISSED, WHY, language)
    page = exporter.from_notebook_node(graded(verdict, new_markdown_cell("slow")), {"nbgrader": dict(ABOUT)})[0]
    assert said in page and f'lang="{language}"' in page
    assert WHY["other"].in_language(language) in page and "b = &#39;&lt;b onclick=alert(1)&gt;&#39;" in page
    assert "slow" not in seen(page)
    next_page, resources = exporter.from_notebook_node(graded(a_verdict(MISSED, WHY)), {"nbgrader": dict(ABOUT)})
    assert said not in next_page and "Result: 1 / 5" in seen(next_page)
    assert resources["output_extension"] == ".html"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_only_answers_are_rendered_for_each_page(course: Course, language: str) -> None:
    source = course.source("02-attention")
    notebook = repair(demo.released(course, source, language), source).notebook()
    notebook.metadata[NOTEBOOK_KEY]["result"] = {"language": language}
    rendering._rendered.cache_clear()
    rendering.coloured.cache_clear()
    exporter = FeedbackExporter()
    exporter._course = course
    made, _ = exporter.from_notebook_node(notebook, {"nbgrader": {"assignment": source.assignment}})
    prose, code = rendering._rendered.cache_info().misses, rendering.coloured.cache_info().misses
    assert feedback_page(notebook, {"assignment": source.assignment}) == made
    assert rendering._rendered.cache_info().misses == prose
    assert 0 < rendering.coloured.cache_info().misses - code <= len(source.defined_names)


@pytest.mark.parametrize("is_plain", [False, True])
def test_what_a_student_wrote_is_text(is_plain: bool) -> None:
    evil = "` <img src=x> <meta http-equiv=refresh> ![a](attachment:none) [a](http://a.example) http://b.example ` **bold** `code`"
    verdict = a_verdict(MISSED, {"gate": Text(EVIL + evil + "".join(SEQUENCES)), "other": Text(evil)})
    notebook = graded(verdict)
    notebook.cells[1].metadata["nbgrader"]["comment"] = evil + "".join(SEQUENCES)
    page = feedback_page(notebook, {**ABOUT, "notebook": EVIL, "assignment": EVIL}, is_plain=is_plain)
    assert not re.search(r"<img|<b onclick|refresh>|href=.(?!data:,|#)", page)
    assert page.count("http-equiv") - page.count("&lt;meta http-equiv") == 1
    assert ("<strong>bold</strong>" in page) is not is_plain  # of the comment alone


def test_tries_and_lateness_come_from_the_gradebook(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = [handins.Try("a" * 64, 0.0, 1.0, 12.0, 20.0, {}), handins.Try("b" * 64, 86_400.0, 86_401.0, 20.0, 20.0, {})]
    monkeypatch.setattr(standings, "tries_of", lambda *_: tries)
    monkeypatch.setattr(standings, "late_sentences", lambda *_: [Text("In time.", "제때.")])
    limited = replace(course, tries=Tries(in_all=5, time_zone="Asia/Seoul"))
    standing = standings.standing_of(limited, "02-attention", "ada")
    assert [(one.points, one.handed_in) for one in standing.tries] == [
        (12.0, "1970-01-01 09:00"),
        (20.0, "1970-01-02 09:00"),
    ]
    assert standing.tries_left == 3 and [text.en for text in standing.lateness] == ["In time."]
    assert standings.standing_of(course, "02-attention", "ada").tries_left is None


def test_only_colours_of_the_page_are_kept_in_what_was_printed() -> None:
    """A pale comment, as IPython prints one in a traceback, could hardly be read; what a student wrote stays."""
    page = feedback_page_module._plain_output('\x1b[38;5;66m# pale\x1b[39m \x1b[31mred\x1b[0m style="mine"')
    assert str(page) == '<span># pale</span> <span class="ansi-red-fg">red</span> style=&#34;mine&#34;'
