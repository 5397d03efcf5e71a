"""Pictures in a notebook's prose: a link to a file beside the sources becomes the picture itself.

A release is one file that students carry to JupyterLab, VS Code or Colab, so a picture has to travel inside it. As a data URL of an `<img>` it is shown
by all of them; an attachment of the cell is lost by some.
"""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path

from autograder.base.errors import CourseError

MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
_PICTURE = re.compile(r"!\[([^\]\n]*)\]\(([^()\s:]+)\)")


def with_pictures(text: str, folder: Path, language: str) -> str:
    """Return prose with the pictures that it links to.

    Args:
        text: Markdown. `![alt text](../_shared/diagrams/heads.svg)` stands for `heads.en.svg` in English if there is such a file, else for
            `heads.svg`.
        folder: the folder of the notebook's source, to which links are relative.
        language: the language of the prose, e.g. `en`.

    Raises:
        CourseError: there is no such file, it is of no known kind, or nothing says what it shows.
    """
    return _PICTURE.sub(lambda link: _embedded(link[1].strip(), folder / link[2], language), text)


def _embedded(shown: str, path: Path, language: str) -> str:
    own = path.with_suffix(f".{language}{path.suffix}")
    file = own if own.is_file() else path
    kind = MEDIA_TYPES.get(path.suffix)
    if kind is None or not file.is_file():
        raise CourseError(
            f"A picture in prose must be a file that ends in {' or '.join(MEDIA_TYPES)}. Received: {path}, and there is neither {own.name} nor "
            f"{path.name}. Correct the link or draw the picture."
        )
    if not shown:
        raise CourseError(
            f"A picture must say what it shows, for those who can't see it. Received: ![]({path.name}). Write it in the brackets."
        )
    data = base64.b64encode(file.read_bytes()).decode("ascii")
    return f'<img alt="{html.escape(shown)}" src="data:{kind};base64,{data}">'
