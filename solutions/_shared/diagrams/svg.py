"""Pieces of an SVG diagram: boxes, arrows, words in one language. Colours follow the reader's light or dark setting."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

# (light, dark) of each colour class; text on every fill has a contrast of at least 4.5.
COLOURS = {
    "page": ("#fbfaf6", "#1d2126"),
    "ink": ("#22262b", "#e6e8ea"),
    "soft": ("#5b636c", "#a9b1ba"),
    "line": ("#7b848e", "#8f98a2"),
    "box": ("#ffffff", "#2a3037"),
    "here": ("#ffd98a", "#7a5200"),
    "blue": ("#cfe3ff", "#1f4470"),
    "green": ("#cdeccf", "#1f5130"),
    "rose": ("#ffd6d6", "#6e2a2f"),
    "violet": ("#e3d8ff", "#473374"),
    "hidden": ("#c9ced4", "#4a525b"),
}
FONTS = "system-ui, 'Noto Sans KR', 'Apple SD Gothic Neo', 'Malgun Gothic', NanumGothic, sans-serif"


class Diagram:
    """An SVG that is drawn piece by piece.

    Attributes:
        language: `en` or `ko`, of its words.
    """

    def __init__(self, width: int, height: int, language: str) -> None:
        self.language = language
        self._width, self._height = width, height
        self._parts: list[str] = []

    def say(self, english: str, korean: str) -> str:
        """Return the words in the diagram's language."""
        return korean if self.language == "ko" else english

    def box(self, x: float, y: float, width: float, height: float, fill: str = "box", dash: str = "") -> None:
        """Draw a box with round corners.

        Args:
            x: left edge, in pixels.
            y: upper edge, in pixels.
            width: width of the box, in pixels.
            height: height of the box, in pixels.
            fill: a colour class; `none` leaves the box open.
            dash: pattern of a broken outline, such as `5 4`.
        """
        style = f'class="{fill}"' if fill != "none" else 'fill="none"'
        broken = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" {style} stroke="var(--line)"{broken}/>'
        )

    def cell(self, x: float, y: float, size: float, fill: str, text: str = "") -> None:
        """Draw a square of a matrix with a number in it."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" class="{fill}" stroke="var(--page)"/>'
        )
        if text:
            self.text(x + size / 2, y + size / 2 + 5, text, size=13)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: int = 14,
        anchor: str = "middle",
        tone: str = "ink",
        bold: bool = False,
    ) -> None:
        """Write a line.

        Args:
            x: horizontal position of the anchor, in pixels.
            y: vertical position of the line's foot, in pixels.
            words: the text of the line.
            size: size of the letters, in pixels.
            anchor: which part of the text stands at `x`: `start`, `middle` or `end`.
            tone: a colour class.
            bold: whether the letters are bold.
        """
        weight = ' font-weight="600"' if bold else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="var(--{tone})"{weight}>{escape(words)}</text>'
        )

    def caption(self, english: str, korean: str) -> None:
        """Write a sentence along the lower edge."""
        self.text(20, self._height - 14, self.say(english, korean), 13, "start", "soft")

    def labelled(
        self, x: float, y: float, width: float, height: float, lines: Iterable[str], fill: str = "box", size: int = 14
    ) -> None:
        """Draw a box with lines of text in its middle; the second and later ones are smaller."""
        self.box(x, y, width, height, fill)
        words = list(lines)
        middle = y + height / 2 + size * 0.36 - (len(words) - 1) * size * 0.58
        for number, line in enumerate(words):
            tone, letters = ("ink", size) if number == 0 or fill != "box" else ("soft", size - 2)
            self.text(x + width / 2, middle + number * size * 1.16, line, letters, tone=tone)

    def arrow(self, *points: tuple[float, float], dash: str = "") -> None:
        """Draw a line through points (x, y), in pixels, with a head at its end."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        broken = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="var(--soft)" stroke-width="1.6" marker-end="url(#head)"{broken}/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 1.6, tone: str = "soft") -> None:
        """Draw a straight line without a head."""
        self._parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="var(--{tone})" stroke-width="{width:g}"/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str = "box") -> None:
        """Draw a circle around (x, y), in pixels; the fill `none` leaves it open."""
        style = f'class="{fill}"' if fill != "none" else 'fill="none"'
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style} stroke="var(--line)"/>')

    def plus(self, x: float, y: float) -> None:
        """Draw the sign of a sum around (x, y), in pixels."""
        self.circle(x, y, 10)
        self.line(x - 5, y, x + 5, y)
        self.line(x, y - 5, x, y + 5)

    def svg(self) -> str:
        """Return the whole as SVG text."""
        variables = ["".join(f"--{name}:{pair[shade]};" for name, pair in COLOURS.items()) for shade in (0, 1)]
        fills = "".join(f".{name}{{fill:var(--{name})}}" for name in COLOURS)
        style = f"svg{{{variables[0]}}}@media(prefers-color-scheme:dark){{svg{{{variables[1]}}}}}{fills}"
        size = f'width="{self._width}" height="{self._height}" viewBox="0 0 {self._width} {self._height}"'
        head = (
            '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="var(--soft)"/></marker></defs>'
        )
        page = f'<rect width="{self._width}" height="{self._height}" rx="10" class="page"/>'
        body = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONTS}">\n<style>{style}</style>\n{head}\n{page}\n'
            f"{body}\n</svg>\n"
        )
