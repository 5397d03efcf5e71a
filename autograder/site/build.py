"""Write the site: every page of every language, the search's index and the pictures."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from autograder.base.trees import check_tree, write_tree
from autograder.gradebook.release import check_source
from autograder.site.facts import due_dates, facts_of
from autograder.site.outputs import Outputs, executed_outputs, stored_outputs
from autograder.site.pages import PICTURES, Page, Pages, Section, choice_page
from autograder.sources.course import Course

SCRIPTS = ("search.js", "choose.js")


@dataclass(frozen=True)
class Site:
    """What was written.

    Attributes:
        files: name below the site's folder -> bytes.
        without_outputs: notebooks whose given cells show nothing yet, as `02-attention (en)`.
    """

    files: dict[str, int]
    without_outputs: tuple[str, ...]


def build_site(
    course: Course,
    folder: Path,
    tell: Callable[[str], None] = lambda line: None,
    *,
    execute: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> Site:
    """Write the course's site into a folder; repeating it writes the same bytes.

    Args:
        course: the course whose sources and configuration are used.
        folder: the folder to write: a new one, an empty one, or one that an earlier call wrote.
        tell: called with a line about each output that is left out.
        execute: whether notebooks without stored outputs are executed, which takes as long as their trainings.
        advance: called after each notebook in each language.

    Raises:
        CourseError: a source is wrong, a solved notebook doesn't run, or the folder holds something else.
    """
    check_tree(folder)
    sources = [course.source(assignment) for assignment in course.source_paths]
    for source in sources:
        check_source(course, source)
    dues = due_dates(course)
    contents: dict[str, bytes] = {}
    titles: dict[str, str] = {}
    without: list[str] = []
    for language in course.languages:
        pages = Pages(
            course, language, [facts_of(course, source, language, dues.get(source.assignment)) for source in sources]
        )
        made: list[Page] = [pages.front(), pages.search()]
        made += [page for page in (pages.guide(), pages.glossary()) if page is not None]
        titles[language] = made[0].sections[0].page if made[0].sections else course.id
        for source in sources:
            outputs: Outputs | None = stored_outputs(course, source, language)
            if outputs is None and execute:
                outputs = executed_outputs(course, source, language, tell)
            if outputs is None:
                without.append(f"{source.assignment} ({language})")
            made.append(pages.notebook(source, outputs))
            advance()
        contents |= {f"{language}/{page.name}": page.html.encode() for page in made}
        contents[f"{language}/index.js"] = _index([section for page in made for section in page.sections])
        contents |= {f"{PICTURES}/{name}": png for name, png in pages.pictures.items()}
    contents["index.html"] = choice_page(course, titles).encode()
    for script in SCRIPTS:
        contents[script] = (resources.files("autograder.site") / "templates" / script).read_bytes()
    write_tree(folder, contents)
    return Site({name: len(content) for name, content in sorted(contents.items())}, tuple(without))


def _index(sections: Sequence[Section]) -> bytes:
    """Return the search's index as a script, for a page that lies in a folder may not read files."""
    rows = [[one.page, one.heading, one.address, one.text] for one in sections]
    data = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return f"window.PLACES={unicodedata.normalize('NFC', data)};\n".encode()
