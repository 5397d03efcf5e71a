"""The course's own Markdown as HTML: with its links, pictures and tags, which a student's text never gets.

A heading gets an address, so that the contents and the search can lead to it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from autograder.gradebook.rendering import ProseRenderer

TAG = re.compile(r"<[^>]*>")
FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
SUMMARY = re.compile(r"(<summary>)(.*?)(</summary>)", re.DOTALL)
AS_HEADING = re.compile(r"\A<h1[^>]*>(.*)</h1>\n?\Z", re.DOTALL)
TABLE = '<div class="scroll" tabindex="0">'  # by keyboard, too
NO_WORD = re.compile(r"[^\w]+")


@dataclass(frozen=True)
class Heading:
    """A heading of a page.

    Attributes:
        level: level of the heading, from 1.
        anchor: the heading's address on the page, without `#`.
        body: the heading's text as HTML.
    """

    level: int
    anchor: str
    body: Markup

    @property
    def text(self) -> str:
        """Return it without tags."""
        return plain_text(self.body)


class Prose(ProseRenderer):
    """Renders the cells of one page, and remembers its headings.

    Attributes:
        headings: the headings of everything that was rendered, in order.
    """

    def __init__(self, address_of: Callable[[str], str] = lambda target: target) -> None:
        """Prepare.

        Args:
            address_of: returns the address for a link's target, empty where the target has no page.
        """
        super().__init__()
        self.headings: list[Heading] = []
        self._address_of = address_of
        self._anchors: set[str] = set()

    def render(self, markdown: str) -> Markup:
        """Return Markdown as HTML."""
        rendered = str(MarkdownWithMath(renderer=self).render(markdown))
        rendered = rendered.replace("<pre>", '<pre tabindex="0">')
        return Markup(rendered.replace("<table>", f"{TABLE}<table>").replace("</table>", "</table></div>"))

    def inline(self, markdown: str) -> Markup:
        """Return one line of Markdown, such as a title, as HTML without an element around it."""
        # as a heading: a title that begins with `1. ` is no list
        rendered = str(MarkdownWithMath(renderer=Prose(self._address_of)).render(f"# {markdown}"))
        return Markup(AS_HEADING.sub(r"\1", rendered))

    def heading(self, text: str, level: int, **attrs: object) -> str:
        """Return a heading with its address."""
        wanted = NO_WORD.sub("-", plain_text(text).lower()).strip("-") or "part"
        anchor, number = wanted, 2
        while anchor in self._anchors:
            anchor, number = f"{wanted}-{number}", number + 1
        self._anchors.add(anchor)
        self.headings.append(Heading(level, anchor, Markup(text)))  # rendered just before
        return f'<h{level} id="{html.escape(anchor)}">{text}</h{level}>\n'

    def inline_html(self, html: str) -> str:
        """Return a tag as it is."""
        return html

    def block_html(self, html: str) -> str:
        """Return tags as they are; a summary is Markdown."""
        return SUMMARY.sub(lambda found: f"{found[1]}{self.inline(found[2])}{found[3]}", html)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Return a link, or its text alone where the target has no page."""
        address = self._address_of(url)
        return f'<a href="{html.escape(address)}">{text}</a>' if address else text

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return a picture."""
        return f'<img alt="{html.escape(text)}" src="{html.escape(url)}">'


def plain_text(rendered: str) -> str:
    """Return the words of HTML in one line, without formulas."""
    return " ".join(html.unescape(TAG.sub(" ", FORMULA.sub(" ", rendered))).split())
