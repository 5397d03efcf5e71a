"""The page that a student gets whose tries are used up."""

from __future__ import annotations

import html
from pathlib import Path

from autograder.base.text import Text
from autograder.sources.course import Course

TITLE = Text("Not graded: the tries are used up", "채점하지 않음: 시도 횟수를 모두 썼습니다")
SAID = Text(
    "This submission was not graded, since all {number} tries at {assignment} are used up. The result of your last try stands.",
    "{assignment}의 시도 {number}번을 모두 썼으므로 이 제출물은 채점하지 않았습니다. 마지막으로 채점한 결과가 그대로 남습니다.",
)


def write_notice(course: Course, assignment: str, folder: Path) -> Path:
    """Write the notice, in the course's languages, beside a version in the spool and return its path."""
    values = {"number": course.tries.in_all, "assignment": assignment}
    parts = [
        f'<section lang="{language}"><h1>{TITLE.in_language(language)}</h1>'
        f"<p>{html.escape(SAID.in_language(language).format(**values))}</p></section>"
        for language in course.languages
    ]
    page = folder / f"{course.source(assignment).name}.html"
    folder.mkdir(parents=True, exist_ok=True)
    page.write_text(
        f'<!DOCTYPE html>\n<html lang="{course.languages[0]}"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{TITLE.in_language(course.languages[0])}</title></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n",
        encoding="utf-8",
    )
    return page
