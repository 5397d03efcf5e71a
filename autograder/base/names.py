"""Names that others chose: which can be a student's folder or a file's, and how any of them is printed."""

from __future__ import annotations

import unicodedata

MAX_ID_CHARACTERS = 128  # what nbgrader's tables hold
MAX_NAME_BYTES = 255  # what file systems take
SPARED_BYTES = 6  # for what is added to a file's name
# Persian, Urdu and Indic names have them; all other format characters only hide something or turn the line around.
JOINERS = "\u200c\u200d"
PATTERNS = "*?["  # nbgrader looks for folders by patterns
MARKUP = '<>"&'  # nbgrader's formgrader writes ids into its pages as they are


def control_characters(text: str) -> list[str]:
    """Return the characters that no name needs: those that steer terminals or end lines, and halves of characters."""
    return [character for character in text if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")]


def fault_of_id(student: str) -> str:
    """Return why a student's id can't be the name of a folder that nbgrader reads, empty if it can."""
    odd = control_characters(student) or [
        c for c in student if c in PATTERNS + MARKUP or (unicodedata.category(c) == "Cf" and c not in JOINERS)
    ]
    if odd:
        return f"it has the character U+{ord(odd[0]):04X}"
    if len(student) > MAX_ID_CHARACTERS:
        return f"it has {len(student)} characters, of at most {MAX_ID_CHARACTERS}"
    return "" if is_file_name(student) else "it is hidden, or no name at all"


def is_file_name(name: str) -> bool:
    """Whether a file may be written under a name: a plain one, not hidden, and with `SPARED_BYTES` to spare."""
    is_plain = bool(name) and name[0] != "." and not set(name) & set("/\\") and not control_characters(name)
    return is_plain and len(name.encode()) <= MAX_NAME_BYTES - SPARED_BYTES


def shown(text: str, max_characters: int | None = None) -> str:
    """Return a name as it may be printed: what isn't visible by itself is written as `\\x1b`.

    Args:
        text: the name.
        max_characters: how many characters of the name are shown; None means all.
    """
    cut = text if max_characters is None or len(text) <= max_characters else f"{text[:max_characters]}…"
    return "".join(_escaped(character) for character in cut)


def _escaped(character: str) -> str:
    kind = unicodedata.category(character)
    is_visible = kind not in ("Cc", "Cf", "Cs", "Zl", "Zp") or character in JOINERS
    return character if is_visible else character.encode("unicode_escape", "surrogatepass").decode("ascii")
