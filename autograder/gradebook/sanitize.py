"""What a student's notebook shows, made harmless for the browser and the time of whoever reads it.

The formgrader and feedback pages put a notebook's outputs and prose into a page of the instructor's own Jupyter server.
A script there could do whatever the instructor can, so nothing that a browser runs, follows or loads is kept. What takes
a page too long is cut: everybody's pages are written one after the other.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.base.text import Text
from autograder.base.visible import REPLACEMENT, visible
from autograder.gradebook.formulas import COMMANDS

PICTURES = ("image/png", "image/jpeg")
MAX_PICTURE_PIXELS = 50_000_000  # a small file can hold a picture that fills the reader's memory
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
BREAK = "\u200b"  # has no width: `<` and a letter that it parts are no tag

# What releases hold of HTML (`sources.pictures`, hints to unfold), of which only the words are shown.
PICTURE = re.compile(r'<img alt="([^"<>\n]*)" src="data:image/[a-z+]+;base64,[A-Za-z0-9+/=]*">')
FOLD = re.compile(r"<details><summary>([^<>\n]*)</summary>|</details>")

MAX_PROSE = 100_000  # characters of one cell of prose
MAX_PROSE_IN_ALL = 200_000
MAX_CODE = 200_000  # characters of one code cell that are shown
MAX_CODE_IN_ALL = 2_000_000
MAX_RUN = 200  # of one and the same character that isn't a letter or digit
MAX_OUTPUTS = 200  # of one cell
MAX_OUTPUTS_IN_ALL = 2000
MAX_COLOURS = 2000  # changes of colour in one text: each costs the page as much as the text is long
MAX_COLOURS_IN_ALL = 20_000

CUT = Text("[Cut here: the rest is too long to be shown.]", "[여기서 잘랐습니다. 나머지는 너무 길어 보이지 않습니다.]")
MORE_OUTPUTS = Text(
    "[{count} more outputs of this cell are not shown.]", "[이 셀의 출력 {count}개는 더 보이지 않습니다.]"
)

# Blanks between two words cost Markdown the square of their number, and so may other runs. Short runs match too: looked for
# by its length, one that is a little too short would be read again from each of its characters.
RUN = re.compile(r"[^\S\n]{2,}|([^\w\s]|_)\1+|\n{2,}")
TAG = re.compile(r"<(?=[A-Za-z/!?])")
# `javascript&#58;` too: a browser reads entities in an address
ADDRESS = re.compile(r"\]\s*[(\[]|\]\s*:|&(?=[#A-Za-z])|:(?=//)|www(?=\.)|(?<=\w)@(?=\w)", re.IGNORECASE)
# The identifier of a heading is its text: it must be none that the page uses itself.
HEADING = re.compile(r"#+(?=[ \t]*[^\s#])|(?<=\S)(?=[ \t]*\n[ \t>]*(?:=+|-+)[ \t]*(?:\n|$))")
DIAGRAM = re.compile(r"(?:`{3,}|~{3,})(?=[ \t]*mermaid)", re.IGNORECASE)
COMMAND = re.compile(r"\\(?=([A-Za-z]+))")
BREAKS = (TAG, HEADING, DIAGRAM)

# In outputs carriage return and backspace move within a line, as progress bars do, and some sequences colour.
COLOUR = r"\x1b\[[0-9;]{0,40}m"
ESCAPED = re.compile(
    rf"({COLOUR})|\x1b\[[0-?]{{0,40}}[ -/]{{0,8}}[@-~]|[\0-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]"
)


@dataclass
class DisplayBudget:
    """What one notebook may show; each part of it takes from what is left.

    Attributes:
        language: language of the sentences about what was cut, e.g. `en`.
        prose, code: number of characters that may still be shown.
        outputs, colours: number of outputs, and of changes of colour, that may still be shown.
    """

    language: str = "en"
    prose: int = MAX_PROSE_IN_ALL
    code: int = MAX_CODE_IN_ALL
    outputs: int = MAX_OUTPUTS_IN_ALL
    colours: int = MAX_COLOURS_IN_ALL


def harmless_outputs(outputs: Iterable[NotebookNode], budget: DisplayBudget | None = None) -> list[NotebookNode]:
    """Return outputs of text, errors, and PNG and JPEG pictures, without metadata; of others the text they come with."""
    budget = budget or DisplayBudget()
    given = list(outputs)
    most = min(MAX_OUTPUTS, budget.outputs)
    found = [kept for output in given[:most] if (kept := _harmless(output, budget)) is not None]
    budget.outputs -= len(found)
    if len(given) > most:
        note = MORE_OUTPUTS.in_language(budget.language).format(count=len(given) - most)
        found.append(new_output("stream", name="stderr", text=f"{note}\n"))
    return found


def harmless_prose(source: str, budget: DisplayBudget | None = None) -> str:
    """Return Markdown in which no HTML, link, entity or command of LaTeX but for symbols is left; it reads as before."""
    budget = budget or DisplayBudget()
    text = visible(source.replace("\r\n", "\n").replace("\r", "\n"))
    text = PICTURE.sub(lambda found: f"*{html.unescape(found[1])}*", text)
    text = FOLD.sub(lambda found: f"**{found[1]}**" if found[1] else "", text)
    text = RUN.sub(lambda found: found[0][:MAX_RUN], text)
    text = _cut(text, min(MAX_PROSE, budget.prose), "\n\n" + CUT.in_language(budget.language))
    budget.prose -= min(len(text), budget.prose)
    for pattern in BREAKS:
        text = pattern.sub(lambda found: found[0] + BREAK, text)
    text = COMMAND.sub(lambda found: "\\" if found[1] in COMMANDS else f"\\{BREAK}", text)
    return ADDRESS.sub(lambda found: found[0][0] + BREAK + found[0][1:], text)


def harmless_code(source: str, budget: DisplayBudget) -> str:
    """Return a student's code as it is shown: cut where it is too long, and fit to be stored."""
    shown = _cut(source, min(MAX_CODE, budget.code), "\n# " + CUT.in_language(budget.language))
    budget.code -= min(len(shown), budget.code)
    return shown


def _cut(text: str, most: int, note: str) -> str:
    return text if len(text) <= most else text[:most] + note


def _harmless(output: NotebookNode, budget: DisplayBudget) -> NotebookNode | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return new_output("stream", name=name, text=_text(output.get("text", ""), budget))
    if kind == "error":
        traceback = [_text(line, budget) for line in _list(output.get("traceback"))]
        return new_output(
            "error",
            ename=_text(output.get("ename", ""), budget),
            evalue=_text(output.get("evalue", ""), budget),
            traceback=traceback,
        )
    data = output.get("data", {})
    kept = {name: _text(data[name], budget) for name in PICTURES if name in data and _is_picture(_joined(data[name]))}
    if "text/plain" in data:
        kept["text/plain"] = _text(data["text/plain"], budget)
    return new_output("execute_result" if kind == "execute_result" else "display_data", data=kept) if kept else None


def _is_picture(text: str) -> bool:
    """Whether text is Base64, of a picture that a browser can hold if it is a PNG."""
    if not BASE64.fullmatch(text):
        return False
    try:
        start = base64.b64decode("".join(text[:200].split())[:40])
    except binascii.Error:
        return True  # no browser shows it
    width, height = (int.from_bytes(start[at : at + 4], "big") for at in (16, 20))
    return not start.startswith(b"\x89PNG") or width * height <= MAX_PICTURE_PIXELS


def _text(value: Any, budget: DisplayBudget) -> str:
    last = max(budget.colours - MAX_COLOURS, 0)

    def keep(found: re.Match[str]) -> str:
        if not found[1]:
            return "" if len(found[0]) > 1 else REPLACEMENT
        if budget.colours <= last:
            return ""
        budget.colours -= 1
        return found[1]

    return ESCAPED.sub(keep, _joined(value))


def _joined(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
