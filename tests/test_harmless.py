"""What a student's notebook shows runs nothing in the browser of whoever reads it."""

from __future__ import annotations

import base64
import re
import time
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.gradebook.feedback_page import feedback_page
from autograder.gradebook.sanitize import (
    MAX_COLOURS,
    MAX_OUTPUTS,
    MAX_OUTPUTS_IN_ALL,
    MAX_PROSE,
    MAX_PROSE_IN_ALL,
    MAX_RUN,
    DisplayBudget,
    harmless_code,
    harmless_outputs,
    harmless_prose,
)

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>"
OUTPUTS: list[dict[str, Any]] = [
    {"output_type": "display_data", "data": {"text/html": EVIL, "text/plain": EVIL}, "metadata": {}},
    {"output_type": "execute_result", "data": {"image/svg+xml": f"<svg>{EVIL}</svg>"}, "metadata": {}},
    {"output_type": "display_data", "data": {"application/javascript": "alert(1)", "text/latex": EVIL}, "metadata": {}},
    {"output_type": "display_data", "data": {"image/png": f'"{EVIL}'}, "metadata": {}},
    {
        "output_type": "display_data",
        "data": {"image/png": "aGk=", "text/markdown": EVIL},
        "metadata": {"image/png": {"width": f'"{EVIL}'}, "filenames": {"image/png": EVIL}},
    },
    {"output_type": "stream", "name": f'"{EVIL}', "text": [EVIL, EVIL]},
    {"output_type": "error", "ename": EVIL, "evalue": EVIL, "traceback": [EVIL]},
]
PROSE = [
    EVIL,
    "[click](javascript:alert(1))",
    "[click](java&#115;cript:alert(1))",
    "[click][x]\n\n[x]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
]
RUNS = re.compile(r"<script>alert|onerror=alert\(1\)>|<svg><|(href|src)=\"?\s*javascript", re.IGNORECASE)


def page(outputs: list[NotebookNode], prose: list[str]) -> str:
    """Return what the formgrader's exporter and the feedback page's make of a notebook."""
    cells = [new_code_cell("1", outputs=outputs), *map(new_markdown_cell, prose)]
    html = str(HTMLExporter().from_notebook_node(new_notebook(cells=cells))[0])
    html += feedback_page(new_notebook(cells=cells), {})
    return re.sub(r"&lt;.*?&gt;", "", html)  # escaped: text


def test_nothing_runs() -> None:
    outputs = harmless_outputs(map(nbformat.from_dict, OUTPUTS))
    assert not RUNS.search(page(outputs, [harmless_prose(text) for text in PROSE]))


def test_without_the_cure_it_would() -> None:
    assert RUNS.search(page([nbformat.from_dict(OUTPUTS[0])], []))
    assert all(RUNS.search(page([], [text])) for text in PROSE[:4])


def test_text_and_pictures_stay() -> None:
    kept = harmless_outputs(map(nbformat.from_dict, OUTPUTS))
    assert [output.output_type for output in kept] == ["display_data", "display_data", "stream", "error"]
    assert kept[0].data == {"text/plain": EVIL}
    assert kept[1].data == {"image/png": "aGk="} and not kept[1].metadata
    assert (kept[2].name, kept[2].text) == ("stdout", EVIL + EVIL)


def test_plain_prose_reads_as_before() -> None:
    text = "# Mine\n\nIf $a < b$ and 3 <4, see `x[1]`; R&D"
    assert harmless_prose(text).replace("\u200b", "") == text


def a_stream(text: str) -> NotebookNode:
    return nbformat.from_dict({"output_type": "stream", "name": "stdout", "text": text})


def test_half_characters_and_control_characters_are_replaced_in_outputs() -> None:
    """nbformat writes what `json.loads` makes of a forged message, half a character for instance, as it is."""
    text = "a\ud800\0\x07\x9b\x1bb\tc\rd\x08e\x1b[1;31mred\x1b[0m\x1b[2J\x1b]0;title"
    (kept,) = harmless_outputs([a_stream(text)])
    assert kept.text == "a\ufffd\ufffd\ufffd\ufffd\ufffdb\tc\rd\x08e\x1b[1;31mred\x1b[0m\ufffd]0;title"
    assert nbformat.writes(new_notebook(cells=[new_code_cell("1", outputs=[kept])])).encode()
    forged = {"output_type": "error", "ename": "\ud800", "evalue": ["\0"], "traceback": "no list"}
    (kept,) = harmless_outputs([nbformat.from_dict(forged)])
    assert (kept.ename, kept.evalue, kept.traceback) == ("\ufffd", "\ufffd", [])


@pytest.mark.parametrize(("language", "said"), [("en", "300 more outputs"), ("ko", "출력 300개")])
def test_the_number_of_outputs_is_limited_and_told(language: str, said: str) -> None:
    kept = harmless_outputs([a_stream("x")] * (MAX_OUTPUTS + 300), DisplayBudget(language))
    assert len(kept) == MAX_OUTPUTS + 1
    assert said in kept[-1].text


def test_all_cells_share_the_room() -> None:
    budget = DisplayBudget()
    cells = [harmless_outputs([a_stream("x")] * MAX_OUTPUTS, budget) for _ in range(20)]
    assert sum(len(cell) for cell in cells) == MAX_OUTPUTS_IN_ALL + 10  # ten notes
    texts = [harmless_prose("가나다" * 30_000, budget) for _ in range(5)]
    assert sum(map(len, texts)) < MAX_PROSE_IN_ALL + 5 * 100
    assert "Cut here" in texts[-1]


def test_colours_are_limited() -> None:
    (kept,) = harmless_outputs([a_stream("\x1b[31ma" * (MAX_COLOURS + 50))])
    assert kept.text.count("\x1b") == MAX_COLOURS
    assert kept.text.count("a") == MAX_COLOURS + 50


def test_a_picture_too_large_for_a_browser_is_left_out() -> None:
    def png(width: int, height: int) -> NotebookNode:
        head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(9)
        data = {"image/png": base64.encodebytes(head).decode(), "text/plain": "a picture"}
        return nbformat.from_dict({"output_type": "display_data", "data": data, "metadata": {}})

    small, large = harmless_outputs([png(640, 480), png(60_000, 60_000)])
    assert set(small.data) == {"image/png", "text/plain"}
    assert set(large.data) == {"text/plain"}


@pytest.mark.parametrize("text", [" ", "\t", " \t", "\u00a0", "`", "*", "$", "\n", "-"], ids=ascii)
def test_runs_of_what_parsers_are_slow_at_are_shortened(text: str) -> None:
    assert len(harmless_prose(f"a{text * 1_000_000}b").replace("\u200b", "")) <= MAX_RUN + 2


@pytest.mark.parametrize("text", [" ", " \t", "`", "_", "!", "\n"], ids=ascii)
def test_runs_a_little_too_short_to_be_shortened_cost_no_more(text: str) -> None:
    prose = (text * (MAX_RUN - 1))[: MAX_RUN - 1] + "a"
    before = time.process_time()
    harmless_prose(prose * (4_000_000 // MAX_RUN))
    assert time.process_time() - before < 4


@pytest.mark.parametrize("language", ["en", "ko"])
def test_long_prose_and_code_are_cut_with_a_word(language: str) -> None:
    text = harmless_prose("ab " * MAX_PROSE, DisplayBudget(language))
    assert len(text) < MAX_PROSE + 100
    assert text.endswith({"en": "too long to be shown.]", "ko": "보이지 않습니다.]"}[language])
    assert harmless_code("x = 1\n" * 100_000, DisplayBudget(language)).splitlines()[-1].startswith("# [")
    assert harmless_code("x = 1\n", DisplayBudget(language)) == "x = 1\n"


@pytest.mark.parametrize("command", ["href", "class", "style", "def", "newcommand", "require", "unheardof"])
def test_commands_of_latex_that_do_more_than_show_symbols_are_broken(command: str) -> None:
    assert f"\\{command}" not in harmless_prose(f"$\\{command}{{a}}{{b}} \\frac{{1}}{{2}}$")
    assert "\\frac" in harmless_prose("$\\frac{1}{2}$")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            'a\n\n<img alt="two heads &amp; a mask" src="data:image/svg+xml;base64,PHN2Zy8+">\n\nb',
            "a\n\n*two heads & a mask*\n\nb",
        ),
        (
            "<details><summary>Hint 1: Which axis?</summary>\n\nThe last.\n\n</details>",
            "**Hint 1: Which axis?**\n\nThe last.\n\n",
        ),
    ],
)
def test_of_pictures_and_hints_the_words_are_shown(text: str, shown: str) -> None:
    assert harmless_prose(text) == shown


def test_words_of_a_picture_are_no_tag() -> None:
    text = harmless_prose('<img alt="&lt;script&gt;alert(1)&lt;/script&gt;" src="data:image/png;base64,AAAA">')
    assert "<script" not in text and "</script" not in text
