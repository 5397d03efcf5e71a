"""Links with which a student opens a release by one click, where the course says where its releases are published."""

from __future__ import annotations

import re
from urllib.parse import quote

from nbformat import NotebookNode

from autograder.base.errors import CourseError
from autograder.base.text import Text

_ON_GITHUB = re.compile(
    r"https://github\.com/(?P<repository>[^/]+/[^/]+)/(?:blob|tree)/(?P<branch>[^/]+)(?P<folder>(?:/[^/]+)*)"
)
_OPEN = Text("Open in", "열기:")
_DOWNLOAD = Text("download", "내려받기")


def require_address(published_at: str) -> None:
    """Refuse what is no address of published releases.

    Args:
        published_at: address of the folder that holds `en` and `ko`, or nothing.

    Raises:
        CourseError: it isn't.
    """
    if published_at and not re.fullmatch(r"https://[^\s()<>]+", published_at):
        raise CourseError(
            "published_at must be the https address of the folder with the releases, such as "
            f"'https://github.com/me/course/blob/main/assignments'. Received: published_at={published_at!r}."
        )


def links(published_at: str, language: str, name: str) -> dict[str, str]:
    """Return what a release can be opened with -> address.

    Colab and Kaggle read notebooks from GitHub alone; from elsewhere a release can be downloaded.

    Args:
        published_at: address of the folder that holds `en` and `ko`, or nothing.
        language: the language of the release, e.g. `en`.
        name: path of the notebook below the language's folder, such as `02-attention/attention.ipynb`.
    """
    path = f"{language}/{quote(name)}"
    found = _ON_GITHUB.fullmatch(published_at.rstrip("/"))
    if found is None:
        return {"download": f"{published_at.rstrip('/')}/{path}"} if published_at else {}
    repository, branch, folder = found["repository"], found["branch"], found["folder"]
    on_github = f"{repository}/blob/{branch}{folder}/{path}"
    return {
        "Colab": f"https://colab.research.google.com/github/{on_github}",
        "Kaggle": f"https://www.kaggle.com/kernels/welcome?src=https://github.com/{on_github}",
        "download": f"https://raw.githubusercontent.com/{repository}/{branch}{folder}/{path}",
    }


def with_links(notebook: NotebookNode, published_at: str, language: str, name: str) -> NotebookNode:
    """Put the links below the title of a notebook; leave it as it is where nothing is published.

    Args:
        notebook: a notebook whose first cell is prose and begins with the title.
        published_at: address of the folder that holds `en` and `ko`, or nothing.
        language: the language of the release, e.g. `en`.
        name: path of the notebook below the language's folder, such as `02-attention/attention.ipynb`.
    """
    found = links(published_at, language, name)
    if found:
        opens = [f"[{place}]({address})" for place, address in found.items() if place != "download"]
        opened = [f"{_OPEN.in_language(language)} {' · '.join(opens)}"] if opens else []
        line = " · ".join([*opened, f"[{_DOWNLOAD.in_language(language)}]({found['download']})"])
        title, _, rest = notebook.cells[0].source.partition("\n")
        notebook.cells[0].source = f"{title}\n\n{line}\n{rest}"
    return notebook
