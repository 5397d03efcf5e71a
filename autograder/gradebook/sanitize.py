"""What a student's notebook shows, made harmless for the browser of whoever reads it.

The formgrader and feedback pages put a notebook's outputs and prose into a page of the instructor's own Jupyter server.
A script there could do whatever the instructor can, so nothing that a browser runs is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output

PICTURES = ("image/png", "image/jpeg")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
TAG = re.compile(r"<(?=[A-Za-z/!?])")
# `javascript&#58;` too: a browser reads entities in an address
ADDRESS = re.compile(r"\]\s*\(|\]\s*:|&(?=[#A-Za-z])")
BREAK = "\u200b"  # has no width: `<` and a letter that it parts are no tag


def harmless_outputs(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return outputs of text, errors, and PNG and JPEG pictures, without metadata; of others the text they come with."""
    return [kept for output in outputs if (kept := _harmless(output)) is not None]


def harmless_prose(source: str) -> str:
    """Return Markdown in which no HTML, link or entity is left; it reads as before."""
    return ADDRESS.sub(lambda found: found[0][0] + BREAK + found[0][1:], TAG.sub(f"<{BREAK}", source))


def _harmless(output: NotebookNode) -> NotebookNode | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return new_output("stream", name=name, text=_text(output.get("text", "")))
    if kind == "error":
        traceback = [_text(line) for line in output.get("traceback", [])]
        return new_output(
            "error", ename=_text(output.get("ename", "")), evalue=_text(output.get("evalue", "")), traceback=traceback
        )
    data = output.get("data", {})
    kept = {name: _text(data[name]) for name in PICTURES if name in data and BASE64.fullmatch(_text(data[name]))}
    if "text/plain" in data:
        kept["text/plain"] = _text(data["text/plain"])
    return new_output("execute_result" if kind == "execute_result" else "display_data", data=kept) if kept else None


def _text(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)
