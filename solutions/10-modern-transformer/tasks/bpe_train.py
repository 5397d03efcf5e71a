"""Hidden tests of the task `bpe-train`."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import NO_RETURN, Draw, Miss, Probe, expect_array, expect_that, expect_tuple

from .. import bpe_cases as cases
from .. import reference as oracle
from .bpe_encode import MERGE_LISTS, Merges

MERGE_LIST = Text("a list of pairs (left, right) of bytes", "bytes의 쌍 (left, right)의 리스트")


def learnt(probe: Probe, text: str, num_merges: int) -> Merges:
    """Return the merges that the student's function learns, once they are pairs of bytes."""
    kept = probe.layer("train_bpe", text, num_merges)
    told = probe.define(MERGE_LISTS, "teller", kept)()
    if isinstance(told, str):
        raise Miss(
            NO_RETURN
            if told == "NoneType"
            else Text(
                f"It should return {MERGE_LIST.en}, but there is a {told} in it or in its place.",
                f"{MERGE_LIST.ko}를 돌려주어야 하는데 그 안에 또는 그 자리에 {told}이(가) 있습니다.",
            )
        )
    sizes, spelled = (expect_array(part, MERGE_LIST) for part in expect_tuple(told, 2, MERGE_LIST))
    # the student's code can get at what tells: nothing of it is taken on trust
    is_told = sizes.shape[1:] == (2,) and spelled.dtype == np.uint8 and sizes.dtype.kind in "iu" and (sizes >= 0).all()
    expect_that(bool(is_told), Text(f"It should return {MERGE_LIST.en}.", f"{MERGE_LIST.ko}를 돌려주어야 합니다."))
    row, merges, start = spelled.tobytes(), [], 0
    for left, right in sizes.tolist():
        merges.append((row[start : start + left], row[start + left : start + left + right]))
        start += left + right
    return merges


def expect_merges(got: Merges, right: Merges, what: Text) -> None:
    """Miss unless the merges are the right ones in their order."""
    if got == right:
        return
    if len(got) != len(right):
        raise Miss(
            Text(
                f"There are {len(got)} merges of {what.en}, there should be {len(right)}.",
                f"{what.ko}의 병합이 {len(got)}개입니다. {len(right)}개여야 합니다.",
            )
        )
    place = next(i for i, (one, other) in enumerate(zip(got, right, strict=True)) if one != other)
    raise Miss(
        Text(
            f"Wrong merges of {what.en}: the first {place} are right, merge {place} (counted from 0) is another.",
            f"{what.ko}의 병합이 틀렸습니다. 처음 {place}개는 맞고 (0부터 세어) {place}번 병합이 다릅니다.",
        )
    )


def test_train_runs(probe: Probe, draw: Draw) -> None:
    text = cases.piece_without_ties(draw, 3)
    for merge in learnt(probe, text, 3):
        expect_that(
            b"".join(merge) in text.encode(),
            Text("A merge joins two tokens that the text doesn't hold.", "글에 없는 두 토큰을 합칩니다."),
        )


def test_train_order(probe: Probe, draw: Draw) -> None:
    for num_merges in (3, 4):
        text = cases.piece_without_ties(draw, num_merges)
        what = Text("one word without ties", "동점이 없는 한 단어")
        expect_merges(learnt(probe, text, num_merges), oracle.train_bpe(text, num_merges), what)


def test_train_ties(probe: Probe, draw: Draw) -> None:
    text = cases.piece_with_ties(draw, 5)
    what = Text("one word with equally frequent pairs", "같은 횟수로 나오는 쌍이 있는 한 단어")
    expect_merges(learnt(probe, text, 5), oracle.train_bpe(text, 5), what)


def test_train_pieces(probe: Probe, draw: Draw) -> None:
    text = cases.words(draw, 4)
    what = Text("many words between spaces and line ends", "공백과 줄바꿈 사이의 많은 단어")
    expect_merges(learnt(probe, text, 4), oracle.train_bpe(text, 4), what)


def test_train_bytes(probe: Probe, draw: Draw) -> None:
    text = cases.korean(draw, 3)
    expect_merges(learnt(probe, text, 3), oracle.train_bpe(text, 3), Text("a Korean word", "한글로 된 단어"))


def test_train_overlaps(probe: Probe, draw: Draw) -> None:
    what = Text("a word with runs of one letter", "같은 글자가 이어지는 단어")
    for counts in (True, False):
        text = cases.piece_of_runs(draw, 3, counts)
        expect_merges(learnt(probe, text, 3), oracle.train_bpe(text, 3), what)
    # no ties: its second pair, (ab, a), stands as text, but not as tokens, where a longer token ends in ab
    letters = map(chr, draw.distinct(3, ord("a"), ord("z")))
    text = "aabacabcababaaba".translate(dict(zip(map(ord, "abc"), letters, strict=True)))
    what = Text("a word in which a token is the end of another", "한 토큰이 다른 토큰의 끝부분인 단어")
    expect_merges(learnt(probe, text, 3), oracle.train_bpe(text, 3), what)


def test_train_end(probe: Probe, draw: Draw) -> None:
    text = cases.disjoint_words(draw)
    for given, num_merges in ((text, 50), (text, 0), (text[:1], 3), ("", 3)):
        got, right = len(learnt(probe, given, num_merges)), len(oracle.train_bpe(given, num_merges))
        expect_that(
            got == right,
            Text(
                f"Asked for {num_merges} merges of a text of {len(given)} characters it gives {got}, there should be {right}: as many "
                "as asked for, or until no two tokens of a piece stand beside each other.",
                f"{len(given)}글자인 글에서 병합 {num_merges}개를 배우게 하면 {got}개를 줍니다. {right}개여야 합니다. 요청한 만큼, 또는 한 조각에 "
                "나란한 두 토큰이 남지 않을 때까지 배웁니다.",
            ),
        )
