"""The diagrams are as they are drawn, can be read in light and in dark, and are all used."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

FOLDER = Path(__file__).resolve().parents[1]
SVG = "{http://www.w3.org/2000/svg}"


def _draw() -> ModuleType:
    spec = importlib.util.spec_from_file_location("diagrams_draw", FOLDER / "draw.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DRAWN: dict[str, str] = _draw().drawn()
COLOURS: dict[str, tuple[str, str]] = sys.modules["svg"].COLOURS


def test_the_files_are_what_is_drawn() -> None:
    there = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}
    assert there == DRAWN, "Run `python solutions/_shared/diagrams/draw.py`."


@pytest.mark.parametrize("name", DRAWN)
def test_nothing_of_a_diagram_lies_outside(name: str) -> None:
    root = ElementTree.fromstring(DRAWN[name])
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for box in root.iter(f"{SVG}rect"):
        left, top = float(box.get("x", 0)), float(box.get("y", 0))
        assert left >= 0 and top >= 0
        assert left + float(box.attrib["width"]) <= width and top + float(box.attrib["height"]) <= height
    for words in root.iter(f"{SVG}text"):
        assert words.text and 0 <= float(words.attrib["x"]) <= width and 0 <= float(words.attrib["y"]) <= height


@pytest.mark.parametrize("name", [name for name in DRAWN if name.endswith(".ko.svg")])
def test_a_korean_diagram_has_korean_words(name: str) -> None:
    english = DRAWN[name.replace(".ko.", ".en.")]
    assert DRAWN[name] != english and any("가" <= letter <= "힣" for letter in DRAWN[name])


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (WCAG 2, "relative luminance")."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("shade", [0, 1], ids=["light", "dark"])
def test_words_stand_out(shade: int) -> None:
    fills = [name for name in COLOURS if name not in ("ink", "soft", "line")]
    for tone, on in [("ink", fills), ("soft", ["page", "box"])]:
        for fill in on:
            one, other = sorted(luminance(COLOURS[name][shade]) for name in (tone, fill))
            assert (other + 0.05) / (one + 0.05) >= 4.5, (tone, fill)


def test_every_diagram_is_in_a_notebook_or_on_the_first_page() -> None:
    pages = [*FOLDER.parents[1].glob("*/notebook.py"), FOLDER.parents[2] / "docs" / "site.md"]
    targets = {found for path in pages for found in re.findall(r"diagrams/([\w.-]+\.svg)", path.read_text("utf-8"))}
    assert [
        name for name in DRAWN if not {name, name.replace(".ko.", ".en."), f"{name.split('.')[0]}.svg"} & targets
    ] == []
