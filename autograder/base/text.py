"""Sentences for students, in every language of the course."""

from __future__ import annotations

from dataclasses import dataclass

LANGUAGES = ("en", "ko")


@dataclass(frozen=True)
class Text:
    """One sentence in English and, where it has been translated, in Korean."""

    en: str
    ko: str = ""

    def in_language(self, language: str) -> str:
        """Return the sentence in `language`, or in English where there is no translation."""
        return self.ko if language == "ko" and self.ko else self.en

    def __add__(self, other: Text) -> Text:
        """Join two sentences. The Korean exists only if both have it."""
        ko = f"{self.ko} {other.ko}" if self.ko and other.ko else ""
        return Text(f"{self.en} {other.en}", ko)
