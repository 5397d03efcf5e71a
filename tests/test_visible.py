"""What students named and wrote steers no terminal, and can be written to any file."""

from __future__ import annotations

import json

import pytest

from autograder.base.visible import escaped_json, one_line, storable, visible
from autograder.commands.output import Output

STEERS = [
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x9b2J",
    "\r",
    "\x08",
    "\0",
    "\x7f",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u2028",
    "\ud800",
]


@pytest.mark.parametrize("text", STEERS, ids=ascii)
def test_what_steers_a_terminal_is_replaced(text: str) -> None:
    assert visible(f"a{text}b") == f"a{text}b".replace(text[0], "\ufffd").replace(
        text[-1], "\ufffd" if text[-1] < " " else text[-1]
    )


def test_lines_tabs_and_letters_stay() -> None:
    text = "가나다\té\n👩\u200d🎓 <b> \u200b"
    assert visible(text) == storable(text) == text
    assert one_line("a\nb\tc") == "a\ufffdb\ufffdc"


def test_a_json_document_says_the_same() -> None:
    data = {"text": "".join(STEERS), "가": ["\n"]}
    document = escaped_json(json.dumps(data, ensure_ascii=False, indent=1))
    assert json.loads(document) == data
    assert visible(document) == document and "가" in document


@pytest.mark.parametrize("text", STEERS, ids=ascii)
def test_nothing_printed_steers_the_terminal(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    output = Output()
    output.say(f"say {text}")
    output.warn(f"warn {text}")
    output.table(f"title {text}", ["student"], [[f"[bold red]{text}[/bold red] row"]])
    Output(as_json=True).document({"student": text})
    said = "".join(capfd.readouterr())
    assert visible(said) == said
    for word in ("say", "warn", "title", "[bold red]", "[/bold red] row", "student"):
        assert word in said
