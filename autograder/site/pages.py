"""The pages of the site: what each of them holds, from the sources of the course."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup, escape
from nbformat import NotebookNode

from autograder.gradebook.clear_solutions import ClearSolutionsToBroken
from autograder.gradebook.configuration import nbgrader_configuration
from autograder.gradebook.handout import GLOSSARY, GUIDES, OTHER_LANGUAGE_LINE
from autograder.gradebook.rendering import coloured
from autograder.report.pages import environment
from autograder.site.facts import AssignmentFacts
from autograder.site.outputs import Output, Outputs
from autograder.site.prose import Heading, Prose, plain_text
from autograder.site.words import NAMES, WORDS
from autograder.sources.course import Course
from autograder.sources.links import links
from autograder.sources.notebooks import NotebookSource, SourceCell, render
from autograder.sources.pictures import with_pictures

FRONT = {"en": "docs/site.md", "ko": "docs/site.ko.md"}
PICTURES = "pictures"  # folder of what given cells draw
TITLES = re.compile(r"""(?:set_title\(|suptitle\(|title=)(?:"([^"{}]+)"|'([^'{}]+)')""")
ROW = re.compile(r"<tr>\s*<td>(.*?)</td>(.*?)</tr>", re.DOTALL)
DIAGRAM = re.compile(r'(<img alt="[^"]*" src="data:image/svg[^>]*>)')
NUMBER_CELL = re.compile(r"<td>(\d+)</td>\s*\Z")


@dataclass(frozen=True)
class Section:
    """What the search finds at one place.

    Attributes:
        page: title of the page.
        heading: the heading above the text; empty at the page's top.
        address: address of the text, below the language's folder.
        text: the text that is searched.
    """

    page: str
    heading: str
    address: str
    text: str


@dataclass(frozen=True)
class Page:
    """A page of the site.

    Attributes:
        name: name of the page's file, below the language's folder.
        html: the whole page.
        sections: the parts of the page that the search finds.
    """

    name: str
    html: str
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Picture:
    """A picture that a given cell draws.

    Attributes:
        address: address of the picture, relative to the pages of a language.
        alt: what the picture shows, in words.
        width: width in pixels.
        height: height in pixels.
    """

    address: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True)
class Shown:
    """An output of a cell: a picture or text."""

    text: str = ""
    picture: Picture | None = None


@dataclass(frozen=True)
class Cell:
    """One cell as its page shows it.

    Attributes:
        kind: `prose`, `answer`, `carry_over`, `check`, `setup` (folded code) or `code`.
        body: the cell's prose or code as HTML.
        id: the anchor that links to the cell lead to; empty if no link leads there.
        task: slug of the task that the cell belongs to; empty if the cell belongs to none.
        points: points of the task that the cell belongs to.
        outputs: the outputs that are shown below the cell.
    """

    kind: str
    body: Markup
    id: str = ""
    task: str = ""
    points: float = 0.0
    outputs: Sequence[Shown] = ()


class Pages:
    """Makes the pages of one language."""

    def __init__(self, course: Course, language: str, assignments: Sequence[AssignmentFacts]) -> None:
        """Prepare.

        Args:
            course: the course whose sources and configuration are used.
            language: the language of the pages, e.g. `en`.
            assignments: all assignments that have a page, in order.
        """
        self._course = course
        self._language = language
        self._assignments = assignments
        self._templates = _environment()
        self._words = {key: text.in_language(language) for key, text in WORDS.items()}
        self._titles = {one.assignment: Prose().inline(one.title) for one in assignments}
        self.pictures: dict[str, bytes] = {}  # name below `PICTURES` -> content

    def front(self) -> Page:
        """Return the first page: what the course is, and its assignments."""
        path = self._course.root / FRONT[self._language]
        text = path.read_text(encoding="utf-8") if path.is_file() else f"# {self._course.id}\n"
        prose = Prose(self._address_of)
        rendered = _wide_pictures(prose.render(with_pictures(text, path.parent, self._language)))
        title = next((heading.text for heading in prose.headings), self._course.id)
        lists = [
            (one, self._titles[one.assignment], [(task, Prose().inline(task.title)) for task in one.tasks])
            for one in self._assignments
        ]
        page = self._render("front.html", "index.html", title, body=rendered, lists=lists, headings=())
        return Page("index.html", page, tuple(_sections(title, "index.html", rendered, prose.headings)))

    def notebook(self, source: NotebookSource, outputs: Outputs | None) -> Page:
        """Return a notebook's page.

        Args:
            source: the source of the notebook.
            outputs: the given cells' outputs; None where no outputs are stored.
        """
        name = f"{source.assignment}.html"
        prose = Prose(self._address_of)
        cells = list(self._cells(source, prose, outputs or {}))
        title = prose.headings[0].text if prose.headings else source.assignment
        place = [one.assignment for one in self._assignments].index(source.assignment)
        page = self._render(
            "notebook.html",
            name,
            title,
            cells=cells,
            facts=self._assignments[place],
            has_outputs=any(cell.outputs for cell in cells),
            headings=[heading for heading in prose.headings if heading.level == 2],
            opens=self._opens(source),
            before=self._assignments[place - 1] if place else None,
            after=self._assignments[place + 1] if place + 1 < len(self._assignments) else None,
        )
        whole = "\n".join(str(cell.body) for cell in cells if cell.kind in ("prose", "answer"))
        return Page(name, page, tuple(_sections(title, name, whole, prose.headings)))

    def guide(self) -> Page | None:
        """Return the students' guide, None if the course has none."""
        return self._text("guide.html", self._course.root / GUIDES[self._language])

    def glossary(self) -> Page | None:
        """Return the glossary, None if the course has none."""
        return self._text("glossary.html", self._course.root / GLOSSARY)

    def search(self) -> Page:
        """Return the page that searches."""
        return Page("search.html", self._render("search.html", "search.html", self._words["search"], headings=()))

    def _text(self, name: str, path: Path) -> Page | None:
        if not path.is_file():
            return None
        prose = Prose(self._address_of)
        rendered = prose.render(OTHER_LANGUAGE_LINE.sub("", path.read_text(encoding="utf-8"), count=1))
        title = prose.headings[0].text if prose.headings else name
        entries: list[Section] = []
        if name == "glossary.html":
            rendered = Markup(ROW.sub(lambda row: self._entry(row, title, entries), str(rendered)))
        page = self._render("text.html", name, title, body=rendered, headings=prose.headings[1:])
        return Page(name, page, (*(entries or _sections(title, name, rendered, prose.headings)),))

    def _entry(self, row: re.Match[str], page: str, entries: list[Section]) -> str:
        """Return a row of the glossary with an address, its number linked to the notebook, and remember it."""
        anchor = f"term-{len(entries) + 1}"
        rest = NUMBER_CELL.sub(lambda cell: f"<td>{self._numbered(cell[1])}</td>", row[2])
        entries.append(Section(page, plain_text(row[1]), f"glossary.html#{anchor}", plain_text(row[2])))
        return f'<tr id="{anchor}"><th scope="row">{row[1]}</th>{rest}</tr>'

    def _numbered(self, number: str) -> Markup:
        for one in self._assignments:
            if one.assignment.partition("-")[0] == number:
                return Markup('<a href="{}.html">{}</a>').format(one.assignment, number)
        return escape(number)

    def _cells(self, source: NotebookSource, prose: Prose, outputs: Outputs) -> Iterator[Cell]:
        notebook = _as_released(self._course, render(source, self._language))
        for cell, known in zip(notebook.cells, source.cells, strict=True):
            if known.role == "prose":
                yield Cell("prose", _wide_pictures(prose.render(cell.source)))
                continue
            kind = _kind(known)
            code = _scrolling(coloured(cell.source)) if cell.source.strip() else Markup()
            shown = [self._shown(one, cell.source) for one in outputs.get(known.id, ())]
            yield Cell(kind, code, known.id, known.slug, source.points.get(known.slug, 0.0), shown)

    def _shown(self, output: Output, code: str) -> Shown:
        if not output.png:
            return Shown(text=output.text.rstrip())
        name = f"{hashlib.sha256(output.png).hexdigest()[:20]}.png"
        self.pictures[name] = output.png
        titles = list(dict.fromkeys(one or other for one, other in TITLES.findall(code)))
        alt = ": ".join([self._words["picture"], *(["; ".join(titles)] if titles else [])])
        width, height = (int.from_bytes(output.png[at : at + 4], "big") for at in (16, 20))  # of PNG's first chunk
        return Shown(picture=Picture(f"../{PICTURES}/{name}", alt, width, height))

    def _opens(self, source: NotebookSource) -> list[tuple[str, str]]:
        """Return (what to do, address) of each way to open a release."""
        found = links(self._course.published_at, self._language, f"{source.assignment}/{source.name}.ipynb")
        return [
            (self._words["download"] if place == "download" else self._words["open_in"].format(place), address)
            for place, address in found.items()
        ]

    def _address_of(self, target: str) -> str:
        """Return the address for a link of the course's texts, empty if it leads to no page."""
        path, mark, anchor = target.partition("#")
        known = {Path(GLOSSARY).name: "glossary.html"} | {
            Path(name).name: f"../{language}/guide.html"
            for language, name in GUIDES.items()
            if language in self._course.languages
        }
        if "://" in target or not path:
            return target
        page = known.get(Path(path).name)
        return f"{page}{mark}{anchor}" if page else ""

    def _render(self, template: str, name: str, title: str, **more: Any) -> str:
        others = [language for language in self._course.languages if language != self._language]
        pages = {"home": "index.html", "guide": "guide.html", "glossary": "glossary.html"}
        missing = {
            key
            for key, file in (("guide", GUIDES[self._language]), ("glossary", GLOSSARY))
            if not (self._course.root / file).is_file()
        }
        return self._templates.get_template(template).render(
            language=self._language,
            w=self._words,
            title=title,
            name=name,
            pages={self._words[key]: page for key, page in pages.items() if key not in missing},
            assignments=[(one, self._titles[one.assignment]) for one in self._assignments],
            others=[(other, NAMES[other], f"../{other}/{name}") for other in others],
            **more,
        )


def choice_page(course: Course, titles: Mapping[str, str]) -> str:
    """Return the page above the languages' folders, which leads to the reader's.

    Args:
        course: the course whose sources and configuration are used.
        titles: language -> title of the first page in that language.
    """
    return (
        _environment()
        .get_template("choice.html")
        .render(languages=[(language, NAMES[language], titles[language]) for language in course.languages])
    )


def _environment() -> Environment:
    templates = environment()
    loaders = [PackageLoader("autograder.site", "templates"), templates.loader]
    made = templates.overlay(loader=ChoiceLoader([loader for loader in loaders if loader is not None]))
    made.filters["number"] = lambda points: f"{points:g}"
    return made


def _as_released(course: Course, notebook: NotebookNode) -> NotebookNode:
    """Return a notebook with what the release holds in place of its solutions."""
    step: Any = ClearSolutionsToBroken(config=nbgrader_configuration(course))
    cleared: NotebookNode = step.preprocess(notebook, {})[0]
    return cleared


def _kind(cell: SourceCell) -> str:
    kinds = {"task": "answer", "carry-over": "carry_over", "grade": "check"}
    return kinds.get(cell.role, "setup" if cell.folded else "code")


def _scrolling(code: str) -> Markup:
    """Return code that scrolls by keyboard, too, where a line is wider than the page."""
    return Markup(code.replace("<pre>", '<pre tabindex="0">', 1))


def _wide_pictures(rendered: Markup) -> Markup:
    """Let diagrams scroll, by keyboard too, where they would be too small to read."""
    return Markup(DIAGRAM.sub(r'<span class="diagram" tabindex="0">\1</span>', str(rendered)))


def _sections(page: str, name: str, rendered: str, headings: Sequence[Heading]) -> Iterator[Section]:
    """Yield what stands below each heading of a page."""
    places = [(rendered.find(f' id="{heading.anchor}"'), heading) for heading in headings]
    ends = [place for place, _ in places[1:]] + [len(rendered)]
    for (place, heading), end in zip(places, ends, strict=True):
        text = rendered[
            rendered.find(">", rendered.find("</h", place)) + 1 : rendered.rfind("<", place, end)
            if end < len(rendered)
            else end
        ]
        is_top = heading.level == 1
        yield Section(
            page, "" if is_top else heading.text, name if is_top else f"{name}#{heading.anchor}", plain_text(text)
        )


__all__ = ["PICTURES", "Cell", "Page", "Pages", "Section", "choice_page"]
