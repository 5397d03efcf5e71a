"""The course's site: what its pages hold, and that no answer and no hidden input is among it."""

from __future__ import annotations

import dataclasses
import html
import json
import re
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import nbformat
import pytest
from nbgrader.api import Gradebook
from searching import found, squeezed

from autograder.base.errors import CourseError
from autograder.commands import cli, demo
from autograder.site.build import build_site
from autograder.site.facts import due_dates, facts_of
from autograder.site.outputs import Output, executed_outputs, secret_lines, store_outputs, stored_outputs
from autograder.site.pages import Pages
from autograder.site.prose import Prose
from autograder.sources.course import Course, load_course
from autograder.sources.notebooks import HANGUL, SOLUTION_REGION, read_source

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
SECOND = Path(__file__).with_name("second_course")
LANGUAGES = ("en", "ko")
ASSIGNMENT, DUE = "02-attention", "2026-12-01 14:59:00 UTC"
HIDDEN_FILES = ("graders.py", "tasks/*.py", "reference.py", "mistakes.py", "alternatives/*.py")
HIDDEN, ANSWER = 40, 20  # characters: shorter lines are no one's secret
PUBLISHED = "https://github.com/me/course/blob/main/assignments"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100"
    "c9fe92ef0000000049454e44ae426082"
)


class Reader(HTMLParser):
    """Reads a page: its words, ids, links, pictures and elements that are left open."""

    VOID = ("meta", "link", "img", "input", "br", "hr")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.without_alt = 0
        self._open: list[str] = []
        self.badly_nested: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.sources += [found["src"]] if "src" in found else []
        self.without_alt += tag == "img" and not found.get("alt")
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """`<mspace/>` and such."""

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.badly_nested.append(tag)

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] not in ("style", "script"):
            self.text.append(data)


read = cache(Reader)  # by what a page holds: many tests read the same


@dataclass(frozen=True)
class Made:
    course: Course
    folder: Path
    files: dict[str, int]

    def page(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def copied(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy of the course with its documents, published, with a due date, and with outputs of one notebook."""
    root = demo.copy_course(course, tmp_path_factory.mktemp("course"))
    shutil.copytree(ROOT / "docs", root / "docs")
    if (ROOT / ".site-outputs").is_dir():  # what the other notebooks have shown here, if somebody has executed them
        shutil.copytree(ROOT / ".site-outputs", root / ".site-outputs")
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        gradebook.add_assignment(ASSIGNMENT, duedate=DUE)
    url = f"sqlite:///{root}/gradebook.db"
    copy = dataclasses.replace(load_course(root), published_at=PUBLISHED, database_url=url)
    for language in LANGUAGES:
        outputs = {"code-02": [Output(text="7 <b>&</b>\n"), Output(png=PIXEL)], "checks": [Output(text="given\n")]}
        store_outputs(copy, copy.source(ASSIGNMENT), language, outputs)
    return copy


@pytest.fixture(scope="module")
def made(copied: Course, tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("site") / "site"
    return Made(copied, folder, build_site(copied, folder).files)


def pages_of(made: Made) -> dict[str, str]:
    return {name: made.page(name) for name in made.files if name.endswith(".html")}


def test_there_is_a_page_for_each_notebook_in_each_language(made: Made) -> None:
    others = {"index.html", "search.html", "guide.html", "glossary.html"}
    for language in LANGUAGES:
        pages = {Path(name).name for name in made.files if name.startswith(f"{language}/") and name.endswith(".html")}
        assert pages == others | {f"{assignment}.html" for assignment in made.course.source_paths}


def test_building_again_writes_the_same_bytes(made: Made) -> None:
    before = {name: (made.folder / name).read_bytes() for name in made.files}
    assert build_site(made.course, made.folder).files == made.files
    assert {name: (made.folder / name).read_bytes() for name in made.files} == before


def test_every_page_is_well_formed_and_its_links_lead_somewhere(made: Made) -> None:
    pages = {name: read(page) for name, page in pages_of(made).items()}
    for name, page in pages.items():
        assert page.badly_nested == [], name
        assert page.without_alt == 0, name
        assert len(page.ids) == len(set(page.ids)), name
        for link in page.links:
            target, anchor = urldefrag(link)
            if "://" in target or target.startswith("data:"):
                continue
            path = (made.folder / name).parent / unquote(target) if target else made.folder / name
            relative = path.resolve().relative_to(made.folder).as_posix()
            assert path.is_file(), (name, link)
            assert not anchor or unquote(anchor) in pages[relative].ids, (name, link)


def test_no_page_asks_for_anything_from_outside(made: Made) -> None:
    for name, page in pages_of(made).items():
        for source in read(page).sources:
            assert source.startswith("data:image/") or ((made.folder / name).parent / source).is_file(), (name, source)
        assert "default-src 'none'" in page, name
        assert not re.search(r"@import|url\((?!data:)", page), name


def test_the_search_finds_every_place_by_its_address(made: Made) -> None:
    for language in LANGUAGES:
        index = made.page(f"{language}/index.js")
        places = json.loads(index.removeprefix("window.PLACES=").rstrip(";\n"))
        assert len(places) > 200
        ids = {name: read(made.page(f"{language}/{name}")).ids for name in {p[2].split("#")[0] for p in places}}
        for page, heading, address, _ in places:
            name, _, anchor = address.partition("#")
            assert page and (not anchor or (anchor in ids[name] and heading)), address
        softmax = [
            address for _, heading, address, _ in places if "softmax" in heading.lower() or "소프트맥스" in heading
        ]
        assert any(address.startswith("02-attention.html#") for address in softmax)
        assert any(address.startswith("glossary.html#term-") for address in softmax)
        start, said = {"en": ("task-1", "Now the trap"), "ko": ("과제-1", "이제 함정을")}[language]
        below = next(text for _, _, address, text in places if address.startswith(f"02-attention.html#{start}"))
        assert said in below


def test_a_cell_is_what_the_release_holds(made: Made) -> None:
    for language in LANGUAGES:
        for assignment in made.course.source_paths:
            text = squeezed("".join(read(made.page(f"{language}/{assignment}.html")).text))
            release = next((ROOT / "assignments" / language / assignment).glob("*.ipynb"))
            for cell in nbformat.read(release, as_version=4).cells:
                if cell.cell_type == "code":
                    assert squeezed(cell.source) in text, (assignment, language, cell.id)


def released_text(language: str) -> str:
    paths = (ROOT / "assignments" / language).rglob("*.ipynb")
    return squeezed("\n".join(c.source for path in paths for c in nbformat.read(path, as_version=4).cells))


def everything(made: Made, language: str) -> str:
    """Return the words of all pages, and of what the search reads."""
    pages = [made.page(name) for name in made.files if name.startswith(f"{language}/") and name.endswith(".html")]
    words = ["".join(read(page).text) for page in pages]
    index = json.loads(made.page(f"{language}/index.js").removeprefix("window.PLACES=").rstrip(";\n"))
    attributes = [html.unescape(page) for page in pages]
    return squeezed("\n".join([*words, *(text for place in index for text in place), *attributes]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_a_solution_is_on_a_page(made: Made, language: str) -> None:
    shown, released = everything(made, language), released_text(language)
    lines: dict[str, str] = {}
    for assignment in made.course.source_paths:
        for cell in made.course.source(assignment).cells:
            for region in SOLUTION_REGION.findall(cell.texts[language]):
                for line in map(squeezed, region.splitlines()):
                    if len(line) >= ANSWER:
                        lines[line] = f"{assignment}, {cell.id}"
    secret = lines.keys() - found(lines, released, ANSWER)
    assert len(secret) > 500
    assert {line: lines[line] for line in found(secret, shown, ANSWER)} == {}
    assert "BEGINSOLUTION" not in shown and "ENDSOLUTION" not in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_a_hidden_file_is_on_a_page(made: Made, language: str) -> None:
    shown, released = everything(made, language), released_text("en") + released_text("ko")
    lines: dict[str, str] = {}
    for name in HIDDEN_FILES:
        for path in (ROOT / "solutions").glob(f"[0-9]*/{name}"):
            for line in map(squeezed, path.read_text(encoding="utf-8").splitlines()):
                if len(line) >= HIDDEN:
                    lines[line] = path.relative_to(ROOT).as_posix()
    secret = lines.keys() - found(lines, released, HIDDEN)
    assert len(secret) > 5000
    assert {line: lines[line] for line in found(secret, shown, HIDDEN)} == {}


def test_a_line_of_a_solution_would_be_found(made: Made) -> None:
    """The two tests above see what a page would give away: in code, in an output, in an attribute."""
    name = f"en/{ASSIGNMENT}.html"
    page, line = made.page(name), "exponentials = ops.exp(x - ops.max(x, axis=axis, keepdims=True))"
    for leaky in (f"<pre>{line}</pre></main>", f'<img alt="{line}" src="data:,"></main>'):
        (made.folder / name).write_text(page.replace("</main>", leaky, 1), encoding="utf-8")
        shown = everything(made, "en")
        for length in (ANSWER, HIDDEN):
            assert found(["x" * HIDDEN, squeezed(line)], shown, length) == {squeezed(line)}
    (made.folder / name).write_text(page, encoding="utf-8")


def test_pictures_and_lines_of_given_cells_are_shown_and_say_what_they_are(made: Made) -> None:
    page = made.page(f"en/{ASSIGNMENT}.html")
    assert "7 &lt;b&gt;&amp;&lt;/b&gt;" in page
    drawn = re.findall(r'<img class="drawn"[^>]*src="([^"]+)" width="1" height="1" alt="([^"]+)"', page)
    assert [alt for _, alt in drawn] == ["Picture that the cell above draws: The softmax of scores times a factor"]
    assert (made.folder / "en" / drawn[0][0]).read_bytes() == PIXEL
    assert "once the answers that they use are right" in page
    assert "once the answers that they use are right" not in made.page("en/index.html")


def test_points_minutes_difficulty_and_due_date_stand_on_the_first_page(made: Made) -> None:
    words = " ".join("".join(read(made.page("en/index.html")).text).split())
    assert "02 Scaled dot-product attention 20 points · about 110 minutes · due 2026-12-01 14:59 UTC" in words
    assert "Task 1: softmax, from scores to weights●●○○○2 of 5203" in words
    assert "09 BERT and GPT: two ways to train what you built 20 bonus points" in words
    assert words.count("due 20") == 1
    korean = " ".join("".join(read(made.page("ko/index.html")).text).split())
    assert "20점 · 110분쯤 · 마감 2026-12-01 14:59 UTC" in korean and "보너스 20점" in korean


@pytest.mark.parametrize("assignment", sorted(p.parent.name for p in (ROOT / "solutions").glob("[0-9]*/notebook.py")))
def test_every_task_says_how_hard_it_is_and_how_long_it_takes(course: Course, assignment: str) -> None:
    for language in LANGUAGES:
        facts = facts_of(course, course.source(assignment), language, None)
        assert [task.slug for task in facts.tasks] == list(course.source(assignment).points)
        for task in facts.tasks:
            assert 1 <= task.difficulty <= task.hardest == 5 and task.minutes > 0, task
            assert task.title != task.slug and "point" not in task.title and "점)" not in task.title, task
            assert bool(HANGUL.search(task.title)) == (language == "ko"), task


def test_a_published_course_opens_in_colab_and_kaggle_any_other_has_no_such_links(made: Made, course: Course) -> None:
    page = made.page(f"ko/{ASSIGNMENT}.html")
    for start in ("https://colab.research.google.com/github/me", "https://www.kaggle.com/", "https://raw.github"):
        assert f'<a href="{start}' in page
    assert "Colab에서 열기" in page


def test_without_an_address_there_are_no_links_to_anybody(made: Made) -> None:
    private = dataclasses.replace(made.course, published_at="")
    source = private.source(ASSIGNMENT)
    page = Pages(private, "en", [facts_of(private, source, "en", None)]).notebook(source, None).html
    assert "colab.research" not in page and "kaggle.com/kernels" not in page and "raw.github" not in page


def test_a_course_without_a_gradebook_has_no_dates_and_gets_no_gradebook(course: Course, tmp_path: Path) -> None:
    new = Course(root=tmp_path, secret="s" * 16, database_url=f"sqlite:///{tmp_path}/gradebook.db?timeout=60")
    assert due_dates(new) == {} and list(tmp_path.iterdir()) == []


def test_a_folder_with_something_else_is_left_alone_and_said_at_once(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.site.build.check_source", lambda *_: pytest.fail("pages were made before"))
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(CourseError, match=r"with thesis\.txt"):
        build_site(made.course, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_courses_own_prose_keeps_links_tags_and_pictures_and_each_heading_its_address() -> None:
    prose = Prose(lambda target: "guide.html" if target == "students.md" else "")
    shown = str(
        prose.render(
            "# A $x$ & `b`\n\n## A b\n\n[here](students.md) [gone](other.md)\n\n<details><summary>Hint: $y$</summary>\n\n*z*\n\n</details>\n"
        )
    )
    assert [(heading.level, heading.anchor, heading.text) for heading in prose.headings] == [
        (1, "a-b", "A & b"),
        (2, "a-b-2", "A b"),
    ]
    assert Prose().inline("1. Split $x$").startswith("1. Split <math")
    assert '<a href="guide.html">here</a> gone' in shown
    assert "<summary>Hint: <math" in shown and "<em>z</em>" in shown and "</details>" in shown


def test_the_command_says_what_it_wrote(
    second: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(second.root)
    monkeypatch.setattr(sys, "argv", ["autograder", "site", "--folder", str(tmp_path / "site"), "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    document = json.loads(capsys.readouterr().out)
    assert ended.value.code == 0 and document["without_outputs"] == ["01-k-means (en)"]
    written = {
        path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*") if path.is_file()
    }
    assert written == {*document["files"], "SHA256SUMS"}
    # a course without documents of its own has neither guide nor glossary, and no page leads to them
    assert "en/guide.html" not in written and "guide.html" not in (tmp_path / "site" / "en" / "index.html").read_text()


# A second course, small enough to be executed


@pytest.fixture
def second(tmp_path: Path) -> Course:
    folder = tmp_path / "course"
    shutil.copytree(SECOND, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return load_course(folder)


def add_cells(course: Course, code: str) -> Course:
    path = course.root / "solutions" / "01-k-means" / "notebook.py"
    path.write_text(path.read_text(encoding="utf-8") + f"\n# %%\n{code}\n", encoding="utf-8")
    return load_course(course.root)


def test_executing_shows_what_given_cells_draw_and_print_and_is_done_once(
    second: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = add_cells(second, "print(nearest_center(cloud[:3], cloud[:3]))")
    made = build_site(changed, tmp_path / "site", execute=True)
    assert made.without_outputs == ()
    page = (tmp_path / "site" / "en" / "01-k-means.html").read_text(encoding="utf-8")
    assert page.count('<img class="drawn"') == 1 and "[0 1 2]" in page
    assert "np.argmin(squared_distances(points, centers), axis=1)" not in html.unescape(re.sub("<[^>]*>", "", page))
    monkeypatch.setattr("autograder.site.build.executed_outputs", None)  # it would be called
    assert build_site(changed, tmp_path / "site", execute=True).files == made.files
    again = build_site(add_cells(changed, "print(7)"), tmp_path / "site")
    assert again.without_outputs == ("01-k-means (en)",)


def test_an_output_that_tells_a_solution_or_this_machine_is_left_out_and_said(second: Course) -> None:
    changed = add_cells(
        second,
        "import os\n\nprint('np.argmin(squared_distances(points, centers), axis=1)'.join(['return ', '']))\n\n# %%\nprint(os.getcwd())\n\n# %%\n'kept'",
    )
    source, told = changed.source("01-k-means"), list[str]()
    outputs = executed_outputs(changed, source, "en", told.append)
    assert [one.text for shown in outputs.values() for one in shown if not one.png] == ["'kept'"]
    assert len(told) == 2 and "a line of a solution" in told[0] and "a path of this machine" in told[1]
    assert stored_outputs(changed, source, "en") == outputs


def test_what_is_printed_in_several_goes_is_one_output_and_a_progress_line_says_its_last(second: Course) -> None:
    code = "import sys\n\nfor step in range(3):\n    print(end=f'\\rstep {step}')\n    sys.stdout.flush()\nprint()\nprint('done')"
    changed = add_cells(second, code)
    outputs = executed_outputs(changed, changed.source("01-k-means"), "en")
    assert [one.text for shown in outputs.values() for one in shown if not one.png] == ["step 2\ndone\n"]
    assert stored_outputs(changed, changed.source("01-k-means"), "en") == outputs


def test_a_solved_notebook_that_raises_is_refused(second: Course, tmp_path: Path) -> None:
    with pytest.raises(
        CourseError, match=r"Every cell of a solved notebook must run\. Received: code-02 of 01-k-means"
    ):
        build_site(add_cells(second, "1 / 0"), tmp_path / "site", execute=True)
    assert not (tmp_path / "site").exists()


def test_a_record_that_is_damaged_counts_as_none(second: Course) -> None:
    source = second.source("01-k-means")
    store_outputs(second, source, "en", {})
    (path,) = (second.root / ".site-outputs").iterdir()
    for damaged in ("", "[]", '{"a": [{"text": "x"}]}', '{"a": [{"text": "x", "png": "?"}]}'):
        path.write_text(damaged)
        assert stored_outputs(second, source, "en") is None, damaged


def test_telling_lines_are_those_that_the_notebook_does_not_show() -> None:
    lines = secret_lines(read_source(SECOND / "solutions" / "01-k-means" / "notebook.py"))
    assert "return np.argmin(squared_distances(points, centers), axis=1)" in lines
    assert not any(line.startswith("#") or len(line) < ANSWER for line in lines)
