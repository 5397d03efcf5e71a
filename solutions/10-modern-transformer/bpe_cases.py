"""Texts for byte-pair encoding on which likely slips show: each is drawn until every slip that it is for gives other merges.

`learnt` is byte-pair encoding with its rules as arguments, so that a slip is the same algorithm with one rule changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from autograder.grading import Draw

from . import reference as oracle

__all__ = [
    "Rule",
    "bytes_of",
    "disjoint_words",
    "korean",
    "learnt",
    "piece_of_runs",
    "piece_with_ties",
    "piece_without_ties",
    "words",
    "without_ties",
]

Merge = tuple[bytes, bytes]
Tokens = tuple[bytes, ...]
Rule = Callable[[Merge, Sequence[bytes]], object]
TRIES = 20000


def greater(pair: Merge, tokens: Sequence[bytes]) -> object:
    """Of equally frequent pairs take the greater, the rule."""
    return pair


def _negative(pair: Merge) -> list[list[int]]:
    return [[-byte for byte in part] + [1] for part in pair]


OTHER_TIES: tuple[Rule, ...] = (
    lambda pair, tokens: _negative(pair),  # the lesser
    lambda pair, tokens: b"".join(pair),  # the greater when joined
    lambda pair, tokens: (tokens.index(pair[0]), tokens.index(pair[1])),  # by the age of the tokens
    lambda pair, tokens: (pair[1], pair[0]),  # the second part first
    lambda pair, tokens: pair[0],  # the first part alone
    lambda pair, tokens: (pair[0], _negative(pair)[1]),  # the greater first part, then the lesser second one
    lambda pair, tokens: (len(pair[0] + pair[1]), pair),  # the longer
    lambda pair, tokens: (-len(pair[0] + pair[1]), pair),  # the shorter
)


def bytes_of(piece: str) -> Tokens:
    """Return the bytes of a piece as tokens."""
    return tuple(bytes([value]) for value in piece.encode())


def cut(pattern: str, text: str) -> list[Tokens]:
    """Return the pieces of a text that a regular expression finds, as tokens of one byte."""
    return [bytes_of(piece) for piece in re.findall(pattern, text)]


def learnt(
    pieces: Iterable[Sequence[bytes]],
    num_merges: int,
    ties: Rule | None = greater,
    overlapping: bool = True,
    from_the_left: bool = True,
    recounts: bool = True,
    met_last: bool = False,
    adds_up: bool = False,
) -> list[Merge]:
    """Return the merges of pieces, a piece as often as it occurs; where no pair occurs twice it ends.

    Args:
        pieces: the pieces of the text, each a sequence of tokens.
        num_merges: how many merges to learn.
        ties: (pair, tokens) -> a value; of equally frequent pairs the one with the greatest value is taken. None: the pair met first.
        overlapping: whether a a a counts (a, a) twice.
        from_the_left: whether a a a becomes aa a.
        recounts: whether pairs are counted again after each merge.
        met_last: whether without `ties` the pair met last is taken, not the one met first.
        adds_up: whether what is counted after a merge is added to the counts before it.
    """
    weighted = Counter(map(tuple, pieces))
    tokens = [bytes([value]) for value in range(256)]
    merges: list[Merge] = []
    counts: Counter[Merge] = Counter()
    for _ in range(num_merges):
        if adds_up:
            counts += _counted(weighted, overlapping)
        elif recounts or not merges:
            counts = _counted(weighted, overlapping)
        else:
            del counts[merges[-1]]
        if not counts or max(counts.values()) < 2:
            break
        highest = max(counts.values())
        tied = [pair for pair in counts if counts[pair] == highest]
        best = tied[-1 if met_last else 0] if ties is None else max(tied, key=lambda pair: ties(pair, tokens))  # type: ignore[arg-type,return-value]
        merges.append(best)
        tokens.append(b"".join(best))
        merged: Counter[Tokens] = Counter()
        for piece, times in weighted.items():
            merged[merged_tokens(piece, best, from_the_left)] += times
        weighted = merged
    return merges


def _counted(weighted: Counter[Tokens], overlapping: bool) -> Counter[Merge]:
    counts: Counter[Merge] = Counter()
    for piece, times in weighted.items():
        last = -2, (b"", b"")
        for place, pair in enumerate(pairwise(piece)):
            if overlapping or last != (place - 1, pair):
                counts[pair] += times
                last = place, pair
    return counts


def merged_tokens(piece: Tokens, pair: Merge, from_the_left: bool) -> Tokens:
    """Return the tokens of a piece, in which each `pair` has become one."""
    tokens, wanted = (piece, pair) if from_the_left else (piece[::-1], pair[::-1])
    result: list[bytes] = []
    place = 0
    while place < len(tokens):
        if tokens[place : place + 2] == wanted:
            result.append(b"".join(pair))
            place += 2
        else:
            result.append(tokens[place])
            place += 1
    return tuple(result if from_the_left else result[::-1])


def without_ties(pieces: Sequence[Sequence[bytes]], num_merges: int) -> list[Merge] | None:
    """Return the merges of pieces; None unless there are so many, of pairs that occur twice or more, without a tie or an overlap."""
    right = learnt(pieces, num_merges)
    slips: tuple[dict[str, Any], ...] = (
        {"ties": None},
        {"ties": OTHER_TIES[0]},
        {"overlapping": False},
        {"from_the_left": False},
    )
    if len(right) == num_merges and all(learnt(pieces, num_merges, **slip) == right for slip in slips):
        return right
    return None


def _shows_old_counts(pieces: Sequence[Sequence[bytes]], right: Sequence[Merge]) -> bool:
    """Return whether other merges are learnt from the counts before the first merge, and from counts that add up."""
    stale: tuple[dict[str, Any], ...] = ({"recounts": False}, {"adds_up": True})
    return all(learnt(pieces, len(right), **slip) != right for slip in stale)


def _drawn_until(make: Callable[[], str], is_fit: Callable[[str], bool]) -> str:
    for _ in range(TRIES):
        text = make()
        if is_fit(text):
            return text
    raise RuntimeError("No text was fit for its question. Ask for fewer merges, or draw longer texts.")


def letters(draw: Draw, count: int) -> list[str]:
    """Return different small letters."""
    return [chr(ord("a") + n) for n in draw.distinct(count, 0, 25)]


def _word(draw: Draw, alphabet: Sequence[str], low: int, high: int) -> str:
    return "".join(draw.choice(alphabet) for _ in range(draw.integer(low, high)))


def piece_without_ties(draw: Draw, num_merges: int) -> str:
    """Return one piece in which no pair is as frequent as the best one; whoever doesn't count anew learns other merges."""
    alphabet = letters(draw, 5)
    uneven = [letter for place, letter in enumerate(alphabet) for _ in range(5 - place)]

    def is_fit(text: str) -> bool:
        pieces = [bytes_of(text)]
        right = without_ties(pieces, num_merges)
        return right is not None and _shows_old_counts(pieces, right)

    return _drawn_until(lambda: _word(draw, uneven, 90, 120), is_fit)


def piece_with_ties(draw: Draw, num_merges: int) -> str:
    """Return one piece in which the best pairs are often tied; every other rule to choose among them gives other merges."""
    alphabet = letters(draw, 4)

    def is_fit(text: str) -> bool:
        pieces = [bytes_of(text)]
        right = learnt(pieces, num_merges)
        return (
            len(right) == num_merges
            and learnt(pieces, num_merges, ties=None) != right
            and all(learnt(pieces, num_merges, ties=rule) != right for rule in OTHER_TIES)
            and learnt(pieces, num_merges, ties=None, met_last=True) != right
            and _shows_old_counts(pieces, right)
            and learnt(pieces, num_merges, overlapping=False) == right
            and learnt(pieces, num_merges, from_the_left=False) == right
        )

    return _drawn_until(lambda: _word(draw, alphabet, 30, 50), is_fit)


def piece_of_runs(draw: Draw, num_merges: int, counts: bool) -> str:
    """Return one piece with runs of a letter, without ties.

    Args:
        draw: the random numbers of the rubric line.
        num_merges: how many merges are learnt from the piece.
        counts: whether to count a pair that overlaps with itself once gives other merges; else, to merge from the right does.
    """
    first, second, third = letters(draw, 3)

    def make() -> str:
        runs = [first * draw.integer(3, 7) + second * draw.integer(1, 2) for _ in range(draw.integer(3, 6))]
        return "".join(runs) + (second + third) * draw.integer(4, 16)

    def is_fit(text: str) -> bool:
        pieces = [bytes_of(text)]
        right = learnt(pieces, num_merges)
        wrong = learnt(pieces, num_merges, overlapping=not counts, from_the_left=counts)
        same = (learnt(pieces, num_merges, ties=OTHER_TIES[0]), learnt(pieces, num_merges, ties=None))
        is_told = len(right) == num_merges and wrong != right and _shows_old_counts(pieces, right)
        return is_told and all(other == right for other in same)

    return _drawn_until(make, is_fit)


def words(draw: Draw, num_merges: int) -> str:
    """Return words, some of them often, between spaces, double spaces and line ends; every other way to cut them gives other merges."""

    def make() -> str:
        alphabet = letters(draw, 5)
        some = [_word(draw, alphabet, 1, 4) for _ in range(6)]
        spaces = (" ", " ", " ", " ", "\n", "  ", "   ", " \n ", "\t")
        return "".join(some[min(draw.integer(0, 5), draw.integer(0, 5))] + draw.choice(spaces) for _ in range(60))

    def is_fit(text: str) -> bool:
        pieces = cut(oracle.PIECES.pattern, text)
        right = without_ties(pieces, num_merges)
        others = (
            [bytes_of(text)],
            cut(r"\S+", text),
            cut(r"\S+\s?|\s+", text),
            cut(r"\S+|\s+", text),
            cut(r"[^ ]+| +", text),
            list(dict.fromkeys(pieces)),
        )
        is_told = right is not None and _shows_old_counts(pieces, right)
        return is_told and all(learnt(other, num_merges) != right for other in others)

    return _drawn_until(make, is_fit)


def korean(draw: Draw, num_merges: int) -> str:
    """Return one piece of Hangul syllables that share bytes: counting syllables instead of bytes gives other merges."""
    first = 0xAC00 + 64 * draw.integer(0, 30)
    syllables = [chr(first + n) for n in draw.distinct(4, 0, 63)] + [chr(first + 64 * 31 + draw.integer(0, 63))]
    uneven = [syllable for place, syllable in enumerate(syllables) for _ in range(5 - place)]

    def is_fit(text: str) -> bool:
        pieces = [bytes_of(text)]
        right = without_ties(pieces, num_merges)
        return right is not None and _shows_old_counts(pieces, right)

    return _drawn_until(lambda: _word(draw, uneven, 30, 40), is_fit)


def disjoint_words(draw: Draw) -> str:
    """Return words whose letters occur only once: however ties are decided, there are as many merges."""
    alphabet = letters(draw, 12)
    return " ".join("".join(alphabet[start:end]) for start, end in ((0, 1), (1, 3), (3, 6), (6, 12)))
