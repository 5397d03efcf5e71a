"""Text that a student may have had a hand in, made fit to be printed, stored and sent.

A control character moves the cursor, clears the screen or names the window of whoever grades; a mark of direction
shows a line other than it is; half a character (a lone surrogate) and NUL can't be written to a file or a database.
"""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"
HALF = re.compile("[\ud800-\udfff]")
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# C0 but for tab and newline, DEL and C1, marks of direction, line and paragraph separators, annotations
INVISIBLE = (
    "\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u206f\ufff9-\ufffb\ud800-\udfff"
)
CONTROL = re.compile(f"[{INVISIBLE}]")
LINE_CONTROL = re.compile(f"[\t\n{INVISIBLE}]")


def storable(text: str) -> str:
    """Return text that any file and database takes."""
    return text if text.isascii() and "\0" not in text else UNSTORABLE.sub(REPLACEMENT, text)


def writable(text: str) -> str:
    """Return text that can be encoded, else as it is."""
    return text if text.isascii() else HALF.sub(REPLACEMENT, text)


def visible(text: str) -> str:
    """Return text without control characters and marks of direction; lines and tabs stay."""
    return CONTROL.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    """Return text as `visible` does, in one line."""
    return LINE_CONTROL.sub(REPLACEMENT, text)


def escaped_json(document: str) -> str:
    """Return a JSON document that says the same, in which each such character is written `\\uXXXX`."""
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", document)
