"""Pictures in prose travel inside the notebook."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from autograder.base.errors import CourseError
from autograder.sources.notebooks import read_source, render
from autograder.sources.pictures import with_pictures

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.svg").write_text("<svg/>")
    (tmp_path / "b.en.svg").write_text("<svg>word</svg>")
    (tmp_path / "b.ko.svg").write_text("<svg>낱말</svg>", encoding="utf-8")
    return tmp_path


def content(text: str) -> str:
    found = re.search(r"base64,([^\"]*)\"", text)
    assert found is not None
    return base64.b64decode(found[1]).decode()


def test_a_link_becomes_the_picture_and_its_words(folder: Path) -> None:
    text = with_pictures('See\n\n![a "box" & more](a.svg)\n\nhere.', folder, "en")
    assert text.startswith('See\n\n<img alt="a &quot;box&quot; &amp; more" src="data:image/svg+xml;base64,')
    assert content(text) == "<svg/>" and text.endswith('">\n\nhere.')


@pytest.mark.parametrize(("language", "words"), [("en", "word"), ("ko", "낱말")])
def test_a_language_has_its_own_picture(folder: Path, language: str, words: str) -> None:
    assert content(with_pictures("![words](b.svg)", folder, language)) == f"<svg>{words}</svg>"


def test_links_to_elsewhere_stay(folder: Path) -> None:
    text = "[a page](a.svg) ![a badge](https://example.org/badge.svg)"
    assert with_pictures(text, folder, "en") == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("![words](c.svg)", "neither c.en.svg nor c.svg"),
        ("![words](a.gif)", "ends in .svg or .png"),
        ("![ ](a.svg)", "must say what it shows"),
    ],
)
def test_a_picture_that_is_not_there_or_says_nothing_stops_the_build(folder: Path, text: str, said: str) -> None:
    with pytest.raises(CourseError, match=re.escape(said)):
        with_pictures(text, folder, "en")


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("0*/notebook.py")), ids=lambda path: path.parent.name)
def test_each_notebook_says_where_in_the_whole_model_it_is(path: Path, language: str) -> None:
    first = render(read_source(path), language).cells[0].source
    number = path.parent.name[:2]
    assert content(first) == (ROOT / "solutions/_shared/diagrams" / f"model-{number}.{language}.svg").read_text("utf-8")
