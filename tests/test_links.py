"""Links that open a release, where the course says where its releases are."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.base.errors import CourseError
from autograder.sources.course import Course
from autograder.sources.links import links, with_links
from autograder.sources.notebooks import read_source, render

ROOT = Path(__file__).resolve().parent.parent
GITHUB = "https://github.com/me/course/blob/main/assignments"
NAME = "02-attention/attention.ipynb"


@pytest.mark.parametrize("address", [GITHUB, f"{GITHUB}/", GITHUB.replace("blob", "tree")])
def test_a_release_on_github_opens_in_colab_and_kaggle(address: str) -> None:
    assert links(address, "ko", NAME) == {
        "Colab": f"https://colab.research.google.com/github/me/course/blob/main/assignments/ko/{NAME}",
        "Kaggle": f"https://www.kaggle.com/kernels/welcome?src=https://github.com/me/course/blob/main/assignments/ko/{NAME}",
        "download": f"https://raw.githubusercontent.com/me/course/main/assignments/ko/{NAME}",
    }


def test_the_releases_may_be_the_whole_repository() -> None:
    assert links("https://github.com/me/course/tree/v1", "en", NAME)["download"] == (
        f"https://raw.githubusercontent.com/me/course/v1/en/{NAME}"
    )


def test_a_release_elsewhere_can_be_downloaded() -> None:
    assert links("https://example.org/course/", "en", "a b.ipynb") == {
        "download": "https://example.org/course/en/a%20b.ipynb"
    }


@pytest.mark.parametrize(("language", "words"), [("en", "Open in [Colab]("), ("ko", "열기: [Colab](")])
def test_the_links_stand_below_the_title(language: str, words: str) -> None:
    source = read_source(ROOT / "solutions" / "02-attention" / "notebook.py")
    plain = render(source, language).cells[0].source
    lines = with_links(render(source, language), GITHUB, language, NAME).cells[0].source.split("\n")
    assert lines[0].startswith("# ") and lines[2].startswith(words) and "\n".join([lines[0], *lines[3:]]) == plain


def test_nothing_is_linked_where_nothing_is_published() -> None:
    source = read_source(ROOT / "solutions" / "02-attention" / "notebook.py")
    assert with_links(render(source, "en"), "", "en", NAME) == render(source, "en")


@pytest.mark.parametrize("address", ["http://example.org", "github.com/me/course", "https://a b", "https://a)"])
def test_an_address_that_is_none_stops_every_command(tmp_path: Path, address: str) -> None:
    with pytest.raises(CourseError, match="published_at must be the https address"):
        Course(root=tmp_path, secret="s" * 16, published_at=address)
