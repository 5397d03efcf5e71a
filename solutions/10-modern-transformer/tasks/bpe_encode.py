"""Hidden tests of the task `bpe-encode`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import NO_RETURN, Draw, Miss, Probe, expect_array, expect_close, expect_that

from .. import bpe_cases as cases
from .. import merge_lists
from .. import reference as oracle

MERGE_LISTS = inspect.getsource(merge_lists)
Merges = list[tuple[bytes, bytes]]
IDS = Text("the ids (num_tokens,)", "ID (num_tokens,)")
SAMPLES = (
    "Attention is all you need.\n\tIt was 2017. ",
    "어텐션만 있으면 됩니다. 그해 여름, ",
    "naïve façade – 東京 🙂👍🏽 ",
)


class Language:
    """A text with merges learnt from it and another text of the same words.

    Args:
        draw: the random numbers of the rubric line.
        num_merges: how many merges are learnt.
        with_spaces: whether the texts are of many words; else of one.
    """

    def __init__(self, draw: Draw, num_merges: int, with_spaces: bool = False) -> None:
        alphabet = cases.letters(draw, 4)
        parts = ["".join(draw.choice(alphabet) for _ in range(draw.integer(2, 4))) for _ in range(5)]
        between = (" ", " ", "  ", "\n") if with_spaces else ("",)
        self.training, self.text = (
            "".join(draw.choice(parts) + draw.choice(between) for _ in range(40)) for _ in range(2)
        )
        self.merges = oracle.train_bpe(self.training, num_merges)

    def greedy(self) -> list[int]:
        """Return the ids of an answer that takes the longest token that fits, again and again."""
        ids = self._ids()
        found, row = [], self.text.encode()
        while row:
            size = max(n for n in range(1, len(row) + 1) if row[:n] in ids)
            found.append(ids[row[:size]])
            row = row[size:]
        return found

    def one_by_one(
        self, pattern: str = oracle.PIECES.pattern, from_the_left: bool = True, last_first: bool = False
    ) -> list[int]:
        """Return the ids of an answer that applies one merge after another to pieces of the text.

        Args:
            pattern: regular expression that cuts the text into pieces.
            from_the_left: whether a a a becomes aa a.
            last_first: whether the merges are applied in reverse order.
        """
        ids = self._ids()
        found: list[int] = []
        for tokens in cases.cut(pattern, self.text):
            for merge in self.merges[:: -1 if last_first else 1]:
                tokens = cases.merged_tokens(tokens, merge, from_the_left)
            found += [ids[token] for token in tokens]
        return found

    def _ids(self) -> dict[bytes, int]:
        """Return token -> id."""
        ids = {bytes([value]): value for value in range(256)}
        return ids | {b"".join(merge): 256 + i for i, merge in enumerate(self.merges)}


def kept(probe: Probe, merges: Merges) -> Any:
    """Return merges as an object in the student's kernel, a fresh one."""
    sizes = np.array([[len(part) for part in merge] for merge in merges], dtype=np.int64).reshape(-1, 2)
    spelled = np.array(list(b"".join(part for merge in merges for part in merge)), dtype=np.int64)
    return probe.define(MERGE_LISTS, "merges_of", sizes, spelled)


def encoded(probe: Probe, text: str, merges: Merges) -> list[int]:
    """Return the student's ids of a text, once they are one row of whole numbers."""
    answer = expect_array(probe.call("bpe_encode", text, kept(probe, merges)), IDS)
    expect_that(
        answer.ndim == 1 and bool((answer == np.floor(answer)).all()),
        Text(
            "bpe_encode should return one list of whole numbers.",
            "bpe_encode는 정수의 리스트 하나를 돌려주어야 합니다.",
        ),
    )
    return [int(each) for each in answer]


def decoded(probe: Probe, ids: Sequence[int], merges: Merges) -> str:
    """Return the student's text of ids, once it is one."""
    answer = probe.call("bpe_decode", [int(i) for i in ids], kept(probe, merges))
    expect_that(answer is not None, NO_RETURN)
    expect_that(
        isinstance(answer, str),
        Text(
            f"bpe_decode should return a str, but it returned {type(answer).__name__}.",
            f"bpe_decode는 str을 돌려주어야 하는데 {type(answer).__name__}을(를) 돌려주었습니다.",
        ),
    )
    return str(answer)


def expect_ids(got: list[int], right: list[int], what: Text) -> None:
    """Miss unless the ids are the right ones."""
    if len(got) != len(right):
        raise Miss(
            Text(
                f"{what.en} has {len(got)} tokens, it should have {len(right)}.",
                f"{what.ko}의 토큰이 {len(got)}개입니다. {len(right)}개여야 합니다.",
            )
        )
    expect_close(got, right, Text(f"the ids of {what.en}", f"{what.ko}의 ID"), IDS, tolerance=0.0)


def expect_text(got: str, right: str, what: Text) -> None:
    """Miss unless a decoded text is the right one."""
    place = next(
        (i for i, (one, other) in enumerate(zip(got, right, strict=False)) if one != other), min(len(got), len(right))
    )
    expect_that(
        got == right,
        Text(
            f"{what.en} differs from character {place} on: it has {len(got)} characters and should have {len(right)}.",
            f"{what.ko}이(가) {place}번 글자부터 다릅니다. {len(got)}글자인데 {len(right)}글자여야 합니다.",
        ),
    )


def test_encode_runs(probe: Probe, draw: Draw) -> None:
    language = Language(draw, 3)
    encoded(probe, language.text, language.merges)


def test_encode_bytes(probe: Probe, draw: Draw) -> None:
    for sample in SAMPLES:
        words = sample.split()
        text = "".join(words[i] for i in draw.distinct(len(words), 0, len(words) - 1))
        expect_ids(
            encoded(probe, text, []), list(text.encode()), Text("A word without merges", "병합이 없을 때 한 단어")
        )


def test_encode_order(probe: Probe, draw: Draw) -> None:
    language = Language(draw, 8)
    while not is_without_doubles(language.merges) or oracle.bpe_encode(language.text, language.merges) in (
        language.greedy(),
        language.one_by_one(from_the_left=False),
    ):
        language = Language(draw, 8)
    merges, what = language.merges, Text("A word", "한 단어")
    for count in (1, 2, len(merges)):
        right = oracle.bpe_encode(language.text, merges[:count])
        expect_ids(encoded(probe, language.text, merges[:count]), right, what)
    letters = [bytes([value]) for value in draw.distinct(4, ord("a"), ord("z"))]
    first, longer, other = (letters[0], letters[1]), (letters[0] + letters[1], letters[2]), (letters[2], letters[3])
    word = b"".join(letters).decode()
    for merges in (
        [first, longer, other],
        [first, other, longer],
    ):  # the shortest first, the longest first: both differ
        expect_ids(encoded(probe, word, merges), oracle.bpe_encode(word, merges), what)


def test_encode_pieces(probe: Probe, draw: Draw) -> None:
    def whole(language: Language) -> list[int]:
        """Return the ids of an answer whose tokens reach across pieces."""
        tokens = [bytes([value]) for value in language.text.encode()]
        ids = {bytes([value]): value for value in range(256)}
        for i, merge in enumerate(language.merges):
            ids[b"".join(merge)] = 256 + i
            place = 0
            while place < len(tokens) - 1:
                if (tokens[place], tokens[place + 1]) == merge:
                    tokens[place : place + 2] = [b"".join(merge)]
                place += 1
        return [ids[token] for token in tokens]

    def of_several() -> Language:
        language = Language(draw, 10, with_spaces=True)
        # merges that a text without pieces gives, so that they fit across them too
        language.merges = oracle.train_bpe(language.training.replace(" ", "").replace("\n", ""), 4)
        first = language.text.strip()[:1].encode()
        language.merges = [(b" ", first), *language.merges, (first, b" "), (b"\n", b"\n"), (b" ", b" ")]
        return language

    language = of_several()
    while not is_without_doubles(language.merges) or oracle.bpe_encode(language.text, language.merges) in (
        whole(language),
        language.one_by_one(r"\S+|\s+"),
        language.one_by_one(r"\S+\s?|\s+"),
        language.one_by_one(last_first=True),
    ):
        language = of_several()
    right = oracle.bpe_encode(language.text, language.merges)
    expect_ids(encoded(probe, language.text, language.merges), right, Text("Several words", "여러 단어"))
    expect_ids(encoded(probe, "", language.merges), [], Text("An empty text", "빈 글"))


def is_without_doubles(merges: Merges) -> bool:
    """Whether no two merges spell the same."""
    return len({b"".join(merge) for merge in merges}) == len(merges)


def any_text(draw: Draw) -> tuple[str, Merges]:
    """Return a text in several scripts and merges learnt from some of it: tokens that begin or end within characters."""
    order = draw.distinct(len(SAMPLES), 0, len(SAMPLES) - 1)
    text = "".join(SAMPLES[i] for i in order) + "".join(chr(draw.integer(0xAC00, 0xD7A3)) for _ in range(6)) + "  \n"
    return text, oracle.train_bpe(text[: len(text) // 2] * 2, 12)


def test_decode_text(probe: Probe, draw: Draw) -> None:
    text, merges = any_text(draw)
    what = Text("A decoded text", "복호화한 글")
    expect_text(decoded(probe, list(text.encode()), []), text, what)
    expect_text(decoded(probe, oracle.bpe_encode(text, merges), merges), text, what)
    expect_text(decoded(probe, [], merges), "", Text("The text of no ids", "ID가 없을 때의 글"))


def test_round_trip(probe: Probe, draw: Draw) -> None:
    text, merges = any_text(draw)
    for some in (text, "", " ", "\n\n", text[::-1]):
        ids = encoded(probe, some, merges)
        expect_text(
            decoded(probe, ids, merges), some, Text("A text that is encoded and decoded", "부호화했다가 복호화한 글")
        )


def test_decode_invalid(probe: Probe, draw: Draw) -> None:
    letter = ord("a") + draw.integer(0, 25)
    stray = draw.choice((0x80, 0xBF, 0xC0, 0xFF))
    merges = [(bytes([letter]), bytes([stray]))]
    for ids in ([stray], [letter, stray, letter], [letter, 256, letter], [0xC3, letter], list("가".encode()[:2])):
        got = decoded(probe, ids, merges)
        expect_that(
            "\ufffd" in got,
            Text(
                "Bytes that are no UTF-8 should become U+FFFD, but there is none in the text.",
                "UTF-8이 아닌 바이트는 U+FFFD가 되어야 하는데 글에 U+FFFD가 없습니다.",
            ),
        )
        right = oracle.bpe_decode(ids, merges)
        if len(ids) != 2 or ids[1] == letter:  # into how many half a syllable turns is left open
            expect_text(got, right, Text("The text of bytes that are no UTF-8", "UTF-8이 아닌 바이트의 글"))
