"""What of a source still has to be translated: texts without Korean, and Korean whose English has changed since.

`solutions/translations.txt` remembers, for each translated cell, which English its Korean was written for: a line holds the
assignment, a digest of the Korean and one of the English. `autograder build` adds what is new and refuses what no longer
fits; a cell may move or be renumbered.
"""

from __future__ import annotations

import hashlib
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.sources.notebooks import HANGUL, NotebookSource, SourceCell

RECORD = "translations.txt"
HEADING = "# assignment, digest of a cell's Korean, digest of the English it translates: kept by `autograder build`\n"
SOLUTION = re.compile(r"### BEGIN SOLUTION.*?### END SOLUTION", re.DOTALL)
# A work that a notebook trains on: `ENGLISH_TEXT = """…"""`. It is quoted, not said to students.
QUOTED_WORK = re.compile(r'^[A-Z_]+_TEXT = """.*?"""', re.DOTALL | re.MULTILINE)
NOT_WORDS = re.compile(r"`[^`]*`|\([^()]*\)|\{[^{}]*\}|\S*[\d_.=/*\\][\w.]*\S*")
WORD = re.compile(r"[A-Za-z]{2,}")
WORDS, LOWER_WORDS = 4, 2  # of a sentence; names of fonts and people have capitals
TEXT_TOKENS = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


@dataclass(frozen=True)
class Gap:
    """A text that isn't in both languages.

    Attributes:
        cell: its id.
        text: how it begins.
    """

    cell: str
    text: str

    def __str__(self) -> str:
        return f"{self.cell}: {self.text[:70]!r}"


def missing(source: NotebookSource) -> list[Gap]:
    """Return prose without Korean, and sentences in code that the Korean notebook has in English.

    A sentence is a line of a docstring, a string or a comment with four words or more; names, shapes and what students never see
    (solutions) are none, nor are works that a notebook quotes (`QUOTED_WORK`).
    """
    gaps: list[Gap] = []
    untranslated = set(source.untranslated())
    for cell in source.cells:
        if cell.id in untranslated:
            gaps.append(Gap(cell.id, cell.texts["en"]))
        elif cell.role != "prose":
            gaps.extend(
                Gap(cell.id, line) for line in _sentences(_said_to_students(cell.texts["ko"])) if _is_english(line)
            )
    return gaps


def stale(source: NotebookSource, record: Iterable[str]) -> list[Gap]:
    """Return cells whose Korean stands in the record beside another English."""
    known = {tuple(line.split()) for line in record if line.startswith(source.assignment + " ")}
    translated = {korean for _, korean, _ in known}
    return [
        Gap(cell.id, cell.texts["en"])
        for cell in source.cells
        for line in _lines(source.assignment, cell)
        if line not in known and line[1] in translated
    ]


def check_translation(source: NotebookSource, path: Path, *, accept: bool = False) -> None:
    """Hold a source against its translation.

    Args:
        source: the source of a notebook that must be complete in both languages.
        path: the record of translations, which may be missing.
        accept: whether Korean fits although its English has changed.

    Raises:
        CourseError: a text isn't translated, or its Korean was written for another English.
    """
    gaps = missing(source)
    if gaps:
        raise CourseError(
            f"Every text of {source.assignment} needs its Korean: prose after a line `<!-- ko -->`, a line of code in a line "
            f"`# ko: …` below it. Received: none for {_listed(gaps)}."
        )
    old = [] if accept else stale(source, _recorded_lines(path))
    if old:
        raise CourseError(
            f"The Korean of {source.assignment} must say what the English says. Received: English changed since it was "
            f"translated, in {_listed(old)}. Change the Korean too, or, if it fits, run "
            f"`autograder build {source.assignment} --accept-translation`."
        )


def record_translation(source: NotebookSource, path: Path) -> None:
    """Record for which English each Korean text of a source stands; a record that says so already isn't written.

    Args:
        source: the source of a notebook, as `check_translation` has accepted it.
        path: the record of translations, which may be missing.
    """
    record = _recorded_lines(path)
    lines = {line for line in record if line and not line.startswith(("#", source.assignment + " "))}
    lines.update(" ".join(line) for cell in source.cells for line in _lines(source.assignment, cell))
    new = [*HEADING.splitlines(), *sorted(lines)]
    if record != new:
        path.write_text("".join(f"{line}\n" for line in new), encoding="ascii")


def _recorded_lines(path: Path) -> list[str]:
    return path.read_text(encoding="ascii").splitlines() if path.is_file() else []


def _lines(assignment: str, cell: SourceCell) -> list[tuple[str, str, str]]:
    """Return the record's line about a cell, or none if nothing in it differs between the languages."""
    pairs = [(cell.texts["en"], cell.texts["ko"])]
    if cell.role != "prose":  # the code around a translated line may change
        pairs = list(zip(*(cell.texts[language].split("\n") for language in ("en", "ko")), strict=True))
    english, korean = (
        "\n".join(texts) for texts in zip(*[p for p in pairs if p[0] != p[1]] or [("", "")], strict=True)
    )
    return [(assignment, _digest(korean), _digest(english))] if korean else []


def _digest(text: str) -> str:
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def _said_to_students(code: str) -> str:
    return QUOTED_WORK.sub("", SOLUTION.sub("", code))


def _sentences(code: str) -> Iterator[str]:
    """Yield the lines of all strings and comments."""
    plain = "\n".join("" if line.startswith(("%", "!")) else line for line in code.split("\n"))
    for token in tokenize.generate_tokens(io.StringIO(plain).readline):
        if token.type in TEXT_TOKENS:
            yield from token.string.split("\n")


def _is_english(line: str) -> bool:
    words = WORD.findall(NOT_WORDS.sub(" ", line))
    is_sentence = len(words) >= WORDS and sum(word.islower() for word in words) >= LOWER_WORDS
    return is_sentence and not HANGUL.search(line) and "YOUR CODE HERE" not in line


def _listed(gaps: list[Gap]) -> str:
    return "; ".join(map(str, gaps[:5])) + ("; …" if len(gaps) > 5 else "")
