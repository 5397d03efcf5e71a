"""LaTeX as MathML, of which nothing but the formula is left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, tostring

from latex2mathml import commands, symbols_parser
from latex2mathml.converter import convert_to_element

MAX_LATEX = 2000  # characters
MAX_EM = 10.0
# What gives a formula an address, an appearance of its own, or other commands: these may double each other endlessly.
REFUSED = frozenset(
    {
        *("href", "url", "class", "style", "cssId", "data", "verb", "unicode", "require", "bbox", "mmlToken"),
        *("html", "htmlClass", "htmlData", "htmlId", "htmlStyle", "includegraphics", "texttip", "mathtip", "toggle"),
        *("newcommand", "renewcommand", "providecommand", "newenvironment", "renewenvironment", "DeclareMathOperator"),
        *("def", "gdef", "edef", "xdef", "let", "colorbox", "fcolorbox"),
    }
)
ELEMENTS = frozenset(
    {
        *("math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mpadded"),
        *("mphantom", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"),
        *("mprescripts", "none", "mtable", "mtr", "mtd", "mlabeledtr"),
    }
)
WORD = re.compile(r"[a-z0-9 -]{1,60}")
COLOUR = re.compile(r"[A-Za-z]{1,30}|#[0-9A-Fa-f]{3,8}")
LENGTH = re.compile(r"([-+]?\d{0,4}(?:\.\d{0,6})?)(em|ex|px|pt|mu|cm|mm|in|width)?")
LENGTHS = frozenset({"negativethinmathspace", "negativemediummathspace", "negativethickmathspace"}) | frozenset(
    {"thinmathspace", "mediummathspace", "thickmathspace"}
)
PER_EM = {
    "": 1.0,
    "em": 1.0,
    "width": 1.0,
    "ex": 2.0,
    "px": 16.0,
    "pt": 12.0,
    "mu": 18.0,
    "cm": 0.42,
    "mm": 4.2,
    "in": 0.17,
}
VALUES: Mapping[str, re.Pattern[str] | None] = {
    "xmlns": re.compile(r"http://www\.w3\.org/1998/Math/MathML"),
    **dict.fromkeys(("mathcolor", "mathbackground"), COLOUR),
    # None: a length
    **dict.fromkeys(("width", "height", "depth", "lspace", "rspace", "voffset", "minsize", "maxsize", "mathsize")),
    **dict.fromkeys(("linethickness", "columnspacing", "rowspacing")),
    **dict.fromkeys(("display", "mathvariant", "stretchy", "fence", "form", "displaystyle", "scriptlevel"), WORD),
    **dict.fromkeys(("notation", "columnalign", "columnlines", "rowlines", "frame", "linebreak", "accent"), WORD),
    **dict.fromkeys(("accentunder", "movablelimits", "largeop", "separator", "rowalign", "framespacing"), WORD),
}
REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{1,6});")
COMMAND = re.compile(r"\\([A-Za-z]+)")


def _known() -> frozenset[str]:
    """Return the names of the commands that the converter shows, but for the refused ones."""
    names = set(symbols_parser.SYMBOLS)
    for value in (value for name, value in vars(commands).items() if name.isupper()):
        names.update([value] if isinstance(value, str) else value)
    return frozenset(name.strip("\\*") for name in names) - REFUSED


COMMANDS = _known()


def mathml(latex: str, display: str) -> str:
    """Return a formula as MathML, empty if it can't be shown; whatever it says, its elements are a formula's.

    Args:
        latex: without the dollar signs.
        display: `inline` or `block`.
    """
    if len(latex) > MAX_LATEX or any(found[1] in REFUSED for found in COMMAND.finditer(latex)):
        return ""
    try:
        tree = convert_to_element(latex, display=display)
        _purify(tree)
        return tostring(tree, encoding="unicode")
    except Exception:  # noqa: BLE001  (students write LaTeX too, and the library raises whatever it meets)
        return ""


def _purify(element: Element) -> None:
    """Leave only elements and attributes of formulas; the converter writes symbols as references, which become text."""
    if element.tag not in ELEMENTS:
        element.tag = "mrow"
    for name, value in list(element.attrib.items()):
        pattern = VALUES.get(name, WORD) if name in VALUES else None
        if name not in VALUES or not (pattern.fullmatch(value) if pattern else _is_small(value)):
            del element.attrib[name]
    element.text = _plain(element.text)
    element.tail = _plain(element.tail)
    for child in element:
        _purify(child)


def _plain(text: str | None) -> str | None:
    return text and REFERENCE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)), text)


def _is_small(value: str) -> bool:
    """Whether a length can't lay a formula over what stands elsewhere on the page."""
    if value in LENGTHS:
        return True
    found = LENGTH.fullmatch(value)
    if not found:
        return False
    number = found[1].lstrip("+-")
    return number not in ("", ".") and float(number) / PER_EM[found[2] or ""] <= MAX_EM
