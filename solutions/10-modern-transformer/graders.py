"""Hidden grader of 10-modern-transformer.

Layers are compared by value under every reading of their weights (`kernel_roles.py`), so nothing depends on names, on the order in which
a student made them or on how many kernels lie in one weight. Where an answer can be held against another one of the student's own, it is:
a layer that goes on behind its cache is compared with its own whole pass.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    NO_RETURN,
    Array,
    Draw,
    Layer,
    Miss,
    Probe,
    expect_array,
    expect_close,
    expect_raises_value_error,
    expect_shape,
    expect_that,
    expect_tuple,
    expect_whole_number,
    is_close,
)

from . import bpe_cases as cases
from . import kernel_roles, memory, merge_lists, narrow_layers
from . import reference as oracle

MERGE_LISTS = inspect.getsource(merge_lists)
MEMORY = inspect.getsource(memory)
NARROW_LAYERS = inspect.getsource(narrow_layers)

Merges = list[tuple[bytes, bytes]]

# --- bpe-train -------------------------------------------------------------------------------------------------------

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


# --- bpe-encode ------------------------------------------------------------------------------------------------------

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
        ids = {bytes([value]): value for value in range(256)}
        ids |= {b"".join(merge): 256 + i for i, merge in enumerate(self.merges)}
        found, row = [], self.text.encode()
        while row:
            size = max(n for n in range(1, len(row) + 1) if row[:n] in ids)
            found.append(ids[row[:size]])
            row = row[size:]
        return found


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
    while not is_without_doubles(language.merges) or language.greedy() == oracle.bpe_encode(
        language.text, language.merges
    ):
        language = Language(draw, 8)
    merges, what = language.merges, Text("A word", "한 단어")
    for count in (1, 2, len(merges)):
        right = oracle.bpe_encode(language.text, merges[:count])
        expect_ids(encoded(probe, language.text, merges[:count]), right, what)


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
        language.merges += [(language.text.strip()[:1].encode(), b" "), (b"\n", b"\n"), (b" ", b" ")]
        return language

    language = of_several()
    while not is_without_doubles(language.merges) or whole(language) == oracle.bpe_encode(
        language.text, language.merges
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


# --- rotary ----------------------------------------------------------------------------------------------------------

ROTARY_SHAPE = "(..., seq_len, head_dim)"


def turned(probe: Probe, x: Array, positions: Sequence[int], **options: Any) -> Array:
    """Return the student's answer, once its shape is right."""
    where = np.array(positions, dtype=np.int64)
    try:
        answer = probe.call("rotary", x, where, **options)
    except AnswerRaised as error:
        if "NotImplementedError" in error.kinds or "NameError" in error.kinds:
            raise
        try:  # `tf.*` refuses to multiply whole numbers by floats: the same positions as floats are as good
            answer = probe.call("rotary", x, where.astype(np.float32), **options)
        except AnswerRaised:
            raise error from None
    return expect_shape(answer, x.shape, ROTARY_SHAPE)


def rotary_sizes(draw: Draw) -> tuple[int, int, int, int]:
    """Return batch, num_heads, seq_len and an even head_dim; no two are equal."""
    head_dim = draw.choice((6, 8, 10))
    free = [n for n in range(2, 8) if n not in (head_dim, head_dim // 2)]
    batch, num_heads, seq_len = (free[i] for i in draw.distinct(3, 0, len(free) - 1))
    return batch, num_heads, seq_len, head_dim


def test_rotary_shape(probe: Probe, draw: Draw) -> None:
    batch, num_heads, seq_len, head_dim = rotary_sizes(draw)
    for leading in ((), (batch,), (batch, num_heads)):
        turned(probe, draw.normal(*leading, seq_len, head_dim), range(seq_len))


def test_rotary_pairs(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    x = draw.normal(batch, seq_len, head_dim)
    for options in ({}, {"interleaved": True}):
        got = turned(probe, x, range(seq_len), **options)
        what = Text("position 0, which is turned by nothing", "돌아가지 않는 위치 0")
        expect_close(got[:, 0], x[:, 0], what)
        lengths, right = (np.hypot(each[..., ::2], each[..., 1::2]) for each in (got, x))
        what = Text(
            "the lengths of the pairs (2i, 2i + 1), which no turn changes", "돌려도 변하지 않는 쌍 (2i, 2i + 1)의 길이"
        )
        expect_close(lengths, right, what)
        expect_that(
            bool((np.abs(got[:, 1:, :2] - x[:, 1:, :2]).max(axis=-1) > 1e-3).all()),
            Text("The first pair of a later position isn't turned.", "뒤 위치의 첫 쌍이 돌아가지 않았습니다."),
        )


def test_rotary_angles(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    for size in (head_dim, 2):
        x = draw.normal(batch, seq_len, size)
        what = Text("the turned features", "돌린 특징")
        expect_close(turned(probe, x, range(seq_len)), oracle.rotary(x, range(seq_len)), what, ROTARY_SHAPE)


def test_rotary_halves(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    x = draw.normal(batch, seq_len, head_dim)
    got = turned(probe, x, range(seq_len), interleaved=False)
    if is_close(got, oracle.rotary(x, range(seq_len), interleaved=False)):
        return
    # by the student's own turn of pairs (2i, 2i + 1): wrong angles have cost their points already
    order = np.arange(head_dim).reshape(2, -1).T.ravel()
    right = np.empty_like(x)
    right[..., order] = turned(probe, x[..., order], range(seq_len))
    what = Text(
        "the features turned with interleaved=False, by what you return for interleaved pairs",
        "interleaved=False로 돌린 특징(여러분이 교차 쌍에 돌려준 값에 따른 것)",
    )
    expect_close(got, right, what, ROTARY_SHAPE)


def test_rotary_positions(probe: Probe, draw: Draw) -> None:
    batch, num_heads, seq_len, head_dim = rotary_sizes(draw)
    positions = sorted(draw.distinct(seq_len, 1, 60), reverse=True)  # neither from 0 on nor in their order
    x = draw.normal(batch, num_heads, seq_len, head_dim)
    for options in ({}, {"interleaved": False}):
        # each row by the student's own answer where it stands among positions 0, 1, 2, …
        among = draw.normal(batch, num_heads, 61, head_dim)
        among[:, :, positions] = x
        right = turned(probe, among, range(61), **options)[:, :, positions]
        what = Text("the features at other positions than 0, 1, 2, …", "0, 1, 2, …가 아닌 위치의 특징")
        expect_close(turned(probe, x, positions, **options), right, what, ROTARY_SHAPE)
    position = [draw.integer(2, 40)]
    alone = turned(probe, x[:, :, :1], position)
    far = draw.integer(2060, 2300)  # float16 doesn't know all of these numbers, bfloat16 hardly any
    got = turned(probe, x[:, :, :1], [far])
    near = range(seq_len)
    if is_close(turned(probe, x, near), oracle.rotary(x, near)):  # else other angles have cost their own line
        right = oracle.rotary(x[:, :, :1], [far])
        expect_close(got, right, Text("a far position", "먼 위치"), ROTARY_SHAPE, tolerance=2e-3)
    among = np.repeat(x[:, :, :1], position[0] + 1, axis=2)
    right = turned(probe, among, range(position[0] + 1))[:, :, -1:]
    expect_close(alone, right, Text("a single position", "위치 하나"), ROTARY_SHAPE)


def test_rotary_base(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, head_dim = rotary_sizes(draw)
    x, where = draw.normal(batch, seq_len, head_dim), np.arange(seq_len)
    for base in (float(draw.integer(50, 900)), 500000.0):
        for interleaved in (True, False):
            got = turned(probe, x, range(seq_len), base=base, interleaved=interleaved)
            # turned the other way has cost its points already
            if not is_close(got, oracle.rotary(x, -where, base, interleaved)):
                right = oracle.rotary(x, where, base, interleaved)
                expect_close(
                    got, right, Text("the features turned with another base", "base를 바꾸어 돌린 특징"), ROTARY_SHAPE
                )


def test_rotary_odd(probe: Probe, draw: Draw) -> None:
    batch, _, seq_len, _ = rotary_sizes(draw)
    for head_dim, options in ((draw.choice((7, 9, 11)), {}), (13, {"interleaved": False}), (1, {})):
        x = draw.normal(batch, seq_len, head_dim)
        expect_raises_value_error(
            lambda x=x, options=options: probe.call("rotary", x, np.arange(x.shape[1]), **options),
            ["head_dim", "dim"],
            [head_dim],
        )


# --- layers ----------------------------------------------------------------------------------------------------------


def expect_same_from_config(layer: Layer, ask: Callable[[Layer], Iterable[Array]]) -> None:
    """Miss unless the layer that is made from a layer's config computes the same with the same weights."""
    expected = list(ask(layer))
    try:
        copy = layer.clone()
        list(ask(copy))
        copy.set_values([value for _, value in layer.values()])
        got = list(ask(copy))
    except AnswerError as error:
        if isinstance(error, AnswerRaised) and "NotImplementedError" in error.kinds:
            raise
        text = Text(
            "In `from_config(get_config())`: does get_config hold every argument under its own name?",
            "`from_config(get_config())`에서: get_config에 모든 인수가 제 이름으로 들어 있나요?",
        )
        raise Miss(text + error.text) from None
    for one, other in zip(got, expected, strict=True):
        expect_close(one, other, Text("the output of the layer made from the config", "config로 만든 계층의 출력"))


# --- rms-norm --------------------------------------------------------------------------------------------------------


class NormCase:
    """A student's RMSNorm that is built, and inputs for it.

    Attributes:
        x: (batch, seq_len, dim), whose mean is far from 0.
    """

    def __init__(self, probe: Probe, draw: Draw, *args: float, **options: Any) -> None:
        batch, seq_len, self.dim = draw.distinct(3, 2, 9)
        self.x = draw.normal(batch, seq_len, self.dim) + draw.choice((-2.0, 1.5, 3.0))
        self.layer = probe.layer("RMSNorm", *args, **options)
        self.ask(self.x)

    def ask(self, x: Array) -> Array:
        """Return the layer's answer, once its shape is right."""
        return expect_shape(self.layer(x), x.shape, "(..., dim)")

    def scaled(self, scale: Array) -> None:
        """Set what weights of the layer are as long as an input; others stay."""
        values = self.layer.values()
        if any(first.size == self.dim for _, first in values):
            self.layer.set_values([scale if first.size == self.dim else first for _, first in values])


def test_norm_builds(probe: Probe, draw: Draw) -> None:
    probe.once("norm", lambda: NormCase(probe, draw))


def test_norm_scale(probe: Probe, draw: Draw) -> None:
    case = NormCase(probe, draw)
    values = case.layer.values()
    expect_that(
        [(weight.shape, weight.trainable) for weight, _ in values] == [((case.dim,), True)],
        Text(
            "RMSNorm has one weight, a trainable scale (dim,), and no other. Yours has "
            + (", ".join(f"{weight.shape}" for weight, _ in values) or "none")
            + ("" if all(weight.trainable for weight, _ in values) else ", not all of them trainable")
            + ".",
            "RMSNorm의 가중치는 학습되는 scale (dim,) 하나뿐입니다. 지금 있는 것: "
            + (", ".join(f"{weight.shape}" for weight, _ in values) or "없음")
            + ("" if all(weight.trainable for weight, _ in values) else ", 그중 학습되지 않는 것이 있음")
            + ".",
        ),
    )
    expect_close(values[0][1], np.ones(case.dim), Text("the scale at first", "처음의 scale"))
    plain = case.ask(case.x)
    scale = draw.choice((-1.0, 1.0)) * draw.uniform(0.3, 2.0, case.dim)
    case.scaled(scale)
    what = Text(
        "the output with another scale, by the output with a scale of 1",
        "scale을 바꾼 출력(scale이 1일 때의 출력에 따른 것)",
    )
    expect_close(case.ask(case.x), plain * scale, what)


def test_norm_values(probe: Probe, draw: Draw) -> None:
    case = probe.once("norm", lambda: NormCase(probe, draw))
    ones = np.ones(case.dim)
    case.scaled(ones)
    for x in (case.x * 30, case.x[0] * 90, case.x[None] * 30 - 40):  # beside which no epsilon shows
        expect_close(case.ask(x), oracle.rms_norm(x, ones), Text("the normalised vectors", "정규화한 벡터"))


def test_norm_epsilon(probe: Probe, draw: Draw) -> None:
    epsilon = draw.choice((0.125, 0.25, 0.5))
    for case, used in (
        (NormCase(probe, draw), 1e-6),
        (NormCase(probe, draw, epsilon=epsilon), epsilon),
        (NormCase(probe, draw, epsilon), epsilon),
    ):
        case.scaled(np.ones(case.dim))
        for size in (1.0, 1e-1, 1e-3):
            x = size * case.x
            right = oracle.rms_norm(x, np.ones(case.dim), used)
            expect_close(case.ask(x), right, Text("normalised small vectors", "정규화한 작은 벡터"))
    case = NormCase(probe, draw, epsilon=epsilon)
    zeros = np.zeros_like(case.x)
    expect_close(case.ask(zeros), zeros, Text("the normalised zero vector", "정규화한 영벡터"))


def test_norm_float32(probe: Probe, draw: Draw) -> None:
    made = probe.layer("RMSNorm")
    x = draw.normal(3, 4, 7)
    made(x)
    for policy in ("float16", "mixed_float16"):
        layer = probe.define(NARROW_LAYERS, "like", made, policy)
        for size in (1.0, 300.0, 4e3):
            given = (size * x).astype(np.float16)
            got = expect_shape(layer(given), x.shape, "(..., dim)")
            right = oracle.rms_norm(given, np.ones(x.shape[-1]))
            what = Text("the normalised vectors in float16", "float16일 때 정규화한 벡터")
            expect_close(got, right, what, tolerance=4e-3)


def test_norm_config(probe: Probe, draw: Draw) -> None:
    case = NormCase(probe, draw, epsilon=draw.choice((0.125, 0.25, 0.5)))
    case.scaled(draw.uniform(0.3, 2.0, case.dim))
    expect_same_from_config(case.layer, lambda layer: [expect_shape(layer(case.x), case.x.shape, "(..., dim)")])


# --- swiglu ----------------------------------------------------------------------------------------------------------


class GatedCase:
    """A student's SwiGLU that is built, and inputs for it.

    Args:
        probe: the probe that asks the student's code of the task.
        draw: the random numbers of the rubric line that asks first.
        wide: whether the layer is wider inside than outside.
    """

    def __init__(self, probe: Probe, draw: Draw, wide: bool) -> None:
        narrower, self.ff_dim, self.batch, self.seq_len = draw.choice(((3, 7, 2, 5), (4, 9, 3, 2), (5, 7, 4, 3)))
        self.dim = narrower
        if not wide:
            self.dim, self.ff_dim = self.ff_dim, self.dim
        self.layer = probe.layer("SwiGLU", self.ff_dim)
        self.ask(draw.normal(self.batch, self.seq_len, self.dim))

    def ask(self, x: Array) -> Array:
        """Return the layer's answer, once its shape is right."""
        return expect_shape(self.layer(x), x.shape, "(..., dim)")

    def roles(self) -> dict[str, tuple[int, int]]:
        """Return the shapes of the three kernels."""
        return {"gate": (self.dim, self.ff_dim), "up": (self.dim, self.ff_dim), "down": (self.ff_dim, self.dim)}


def gated(probe: Probe, draw: Draw, wide: bool) -> GatedCase:
    """Return the layer that the task's lines share."""
    return probe.once(("gated", wide), lambda: GatedCase(probe, draw, wide))


def expect_only_kernels(values: Sequence[Any], count: int, words: Text) -> None:
    """Miss unless a layer has so many trained numbers, in kernels alone, and no others."""
    vectors = [weight.shape for weight, first in values if first.ndim < 2]
    expect_that(
        not vectors,
        Text(
            f"There should be no bias, but there are weights of the shapes {vectors}.",
            f"편향이 없어야 하는데 모양이 {vectors}인 가중치가 있습니다.",
        ),
    )
    found = kernel_roles.num_entries(values)
    expect_that(
        found == count,
        Text(
            f"{words.en} hold {count} numbers here, but the trainable weights hold {found}: {[weight.shape for weight, _ in values]}.",
            f"여기서 {words.ko}에는 수가 {count}개 들어 있는데 학습되는 가중치에는 {found}개가 있습니다: "
            f"{[weight.shape for weight, _ in values]}.",
        ),
    )
    others = kernel_roles.num_entries(values, trainable=False)
    expect_that(
        others == 0,
        Text("There should be no weights that aren't trained.", "학습되지 않는 가중치가 없어야 합니다."),
    )


def test_swiglu_builds(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        case.ask(draw.normal(case.batch, case.dim))


def test_swiglu_weights(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        words = Text("Three kernels without bias", "편향이 없는 커널 세 개")
        expect_only_kernels(case.layer.values(), 3 * case.dim * case.ff_dim, words)


def test_swiglu_values(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        values = case.layer.values()
        drawn = kernel_roles.drawn_values(draw, values, inputs=4)
        case.layer.set_values(drawn)
        placed = [(weight, value) for (weight, _), value in zip(values, drawn, strict=True)]
        x = draw.normal(case.batch, case.seq_len, case.dim, scale=1.5)
        found = list(kernel_roles.readings(placed, case.roles(), tied=("gate", "up")))
        named = [reading for reading in found if _is_gate(case.layer, reading["gate"])]
        answers = [oracle.swiglu(x, **reading) for reading in named or found]
        expect_one_of(case.ask(x), answers, Text("down(silu(gate(x)) * up(x))", "down(silu(gate(x)) * up(x))"))


def _is_gate(layer: Layer, kernel: Array) -> bool:
    """Whether a layer holds this kernel under the name that the task gives to the gate's."""
    try:
        return np.array_equal(layer.read("gate.kernel"), kernel.astype(np.float32))
    except AnswerError:
        return False


def expect_one_of(got: Array, answers: Iterable[Array], what: Text) -> None:
    """Miss unless an answer is that of one of the readings of a layer's weights."""
    first = None
    for right in answers:
        if is_close(got, right):
            return
        first = right if first is None else first
    if first is None:
        raise Miss(
            Text(
                "The layer's weights can't be the kernels that are asked for: their shapes don't fit.",
                "계층의 가중치가 요구한 커널일 수 없습니다. 모양이 맞지 않습니다.",
            )
        )
    expect_close(got, first, what)


def test_swiglu_config(probe: Probe, draw: Draw) -> None:
    for wide in (True, False):
        case = gated(probe, draw, wide)
        x = draw.normal(case.batch, case.seq_len, case.dim)
        expect_same_from_config(case.layer, lambda layer, x=x: [expect_shape(layer(x), x.shape, "(..., dim)")])


# --- grouped-attention -----------------------------------------------------------------------------------------------

PAIR = Text("(output, (keys, values))", "(output, (keys, values))")
GROUPED_OUTPUT = "(batch, seq_len, d_model)"
GROUPED_CACHE = "(batch, num_kv_heads, past_len + seq_len, head_dim)"
Cache = tuple[Array, Array]


class GroupedCase:
    """A student's GroupedQueryAttention that is built.

    Args:
        probe: the probe that asks the student's code of the task.
        draw: the random numbers of the rubric line that asks first.
        num_heads, num_kv_heads, head_dim: the layer's sizes.
    """

    def __init__(self, probe: Probe, draw: Draw, num_heads: int, num_kv_heads: int, head_dim: int) -> None:
        self.num_heads, self.num_kv_heads, self.head_dim = num_heads, num_kv_heads, head_dim
        self.d_model, self.narrow = num_heads * head_dim, num_kv_heads * head_dim
        free = [n for n in range(2, 9) if n not in (num_heads, num_kv_heads, head_dim, self.d_model, self.narrow)]
        self.batch, self.seq_len = sorted(free[i] for i in draw.distinct(2, 0, len(free) - 1))
        self.layer = probe.layer("GroupedQueryAttention", self.d_model, num_heads, num_kv_heads)
        self.ask(self.inputs(draw))
        self.first = self.layer.values()

    def inputs(self, draw: Draw, seq_len: int = 0, batch: int = 0) -> Array:
        """Draw inputs (batch, seq_len, d_model)."""
        return draw.normal(batch or self.batch, seq_len or self.seq_len, self.d_model)

    def ask(self, x: Array, cache: Cache | None = None) -> tuple[Array, Cache]:
        """Return output and cache for new positions, once their shapes are right."""
        past_len = 0 if cache is None else cache[0].shape[2]
        answer = self.layer(x) if cache is None else self.layer(x, cache=cache)
        output, pair = expect_tuple(answer, 2, PAIR)
        # a list of two equal arrays arrives as one array
        pair = tuple(pair) if isinstance(pair, np.ndarray) and pair.ndim == 5 else pair
        shape = (len(x), self.num_kv_heads, past_len + x.shape[1], self.head_dim)
        found = expect_shape(output, x.shape, Text(f"the output {GROUPED_OUTPUT}", f"출력 {GROUPED_OUTPUT}"))
        keys, values = expect_tuple(pair, 2, Text("a cache (keys, values)", "캐시 (keys, values)"))
        return found, (
            expect_shape(keys, shape, Text(f"keys {GROUPED_CACHE}", f"keys {GROUPED_CACHE}")),
            expect_shape(values, shape, Text(f"values {GROUPED_CACHE}", f"values {GROUPED_CACHE}")),
        )

    def in_parts(self, x: Array, sizes: Iterable[int]) -> Iterator[Array]:
        """Yield the outputs of parts of a sequence, each behind the cache of those before it."""
        start, cache = 0, None
        for size in sizes:
            output, cache = self.ask(x[:, start : start + size], cache)
            start += size
            yield output

    def fill(self, draw: Draw) -> None:
        """Give the layer drawn kernels."""
        self.drawn = kernel_roles.drawn_values(draw, self.first, self.d_model)
        self.layer.set_values(self.drawn)

    def answers(self, x: Array) -> Iterator[Array]:
        """Yield the right outputs of a whole pass under every reading of the drawn kernels."""
        d, narrow = self.d_model, self.narrow
        roles = {"query": (d, d), "key": (d, narrow), "value": (d, narrow), "output": (d, d)}
        placed = [(weight, value) for (weight, _), value in zip(self.first, self.drawn, strict=True)]
        for reading in kernel_roles.readings(placed, roles, tied=("query", "key", "value")):
            for is_split_last in (False, True):
                for is_merged_last in (False, True):
                    yield self._answer(x, reading, is_split_last, is_merged_last)

    def _answer(self, x: Array, reading: dict[str, Array], is_split_last: bool, is_merged_last: bool) -> Array:
        """Return the oracle's output; `…_last`: features of a head don't lie beside each other, every num_heads-th one is a head's."""
        query, key, value, output = (reading[role] for role in ("query", "key", "value", "output"))
        if is_split_last:
            query, key, value = (
                kernel.reshape(len(kernel), -1, heads).swapaxes(1, 2).reshape(kernel.shape)
                for kernel, heads in ((query, self.num_heads), (key, self.num_kv_heads), (value, self.num_kv_heads))
            )
        if is_merged_last:
            output = output.reshape(-1, self.num_heads, self.d_model).swapaxes(0, 1).reshape(output.shape)
        return oracle.grouped_attention(x, query, key, value, output, self.num_heads, self.num_kv_heads)


def grouped(probe: Probe, draw: Draw) -> GroupedCase:
    """Return the layer that the task's lines share, with the line's own numbers."""
    sizes = probe.once("sizes", lambda: draw.choice(((6, 3, 4), (6, 2, 4), (4, 2, 6))))
    case = probe.once("grouped", lambda: GroupedCase(probe, draw, *sizes))
    case.fill(draw)
    return case


def test_grouped_builds(probe: Probe, draw: Draw) -> None:
    grouped(probe, draw)


def test_grouped_weights(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    words = Text("Four kernels without bias", "편향이 없는 커널 네 개")
    expect_only_kernels(case.first, 2 * case.d_model * (case.d_model + case.narrow), words)


def test_grouped_groups(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    x = case.inputs(draw, 1)
    what = Text(
        "the output for a single token, where each query head gets the value of its group",
        "토큰이 하나라 쿼리 헤드마다 자기 그룹의 값을 받을 때의 출력",
    )
    expect_one_of(case.ask(x)[0], case.answers(x), what)


def test_grouped_causal(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    x = case.inputs(draw, 7)
    before, _ = case.ask(x)
    for seen in (1, draw.integer(2, 5), 6):
        other = x.copy()
        other[:, seen:] = case.inputs(draw, 7 - seen)
        after, _ = case.ask(other)
        what = Text("outputs that changed with inputs after them", "뒤에 오는 입력에 따라 바뀐 출력")
        expect_close(after[:, :seen], before[:, :seen], what)
        expect_that(
            bool((np.abs(after[:, seen] - before[:, seen]).max(axis=-1) > 1e-3).all()),
            Text("A position doesn't see itself.", "위치가 자기 자신을 보지 못합니다."),
        )


def test_grouped_whole(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    for seq_len, batch in ((case.seq_len, case.batch), (9, 1)):
        x = case.inputs(draw, seq_len, batch)
        expect_one_of(case.ask(x)[0], case.answers(x), Text("the output of a whole pass", "전체를 한 번에 계산한 출력"))


def test_grouped_ends(probe: Probe, draw: Draw) -> None:
    for num_heads, num_kv_heads, head_dim in ((3, 3, 4), (3, 1, 6), (1, 1, 4)):
        case = GroupedCase(probe, draw, num_heads, num_kv_heads, head_dim)
        case.fill(draw)
        x = case.inputs(draw, 5)
        what = Text(
            f"the output with {num_heads} query heads and {num_kv_heads} key and value heads",
            f"쿼리 헤드 {num_heads}개, 키와 값의 헤드 {num_kv_heads}개일 때의 출력",
        )
        expect_one_of(case.ask(x)[0], case.answers(x), what)


def expect_like_whole(case: GroupedCase, x: Array, got: Array, what: Text) -> None:
    """Miss unless outputs made in parts are those of a whole pass: the student's own, or the right one."""
    whole, _ = case.ask(x)
    if not any(is_close(got, right) for right in case.answers(x)):
        expect_close(got, whole, what, GROUPED_OUTPUT)


def test_grouped_cache(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    two = [case.inputs(draw, 6) for _ in range(2)]
    # two sequences take turns: what a layer keeps of one must not reach the other
    walks = [case.in_parts(x, [1] * 6) for x in two]
    outputs = list(zip(*walks, strict=True))
    what = Text("the outputs token by token behind the cache", "캐시 뒤에서 토큰을 하나씩 계산한 출력")
    for place, x in enumerate(two):
        expect_like_whole(case, x, np.concatenate([output[place] for output in outputs], axis=1), what)


def test_grouped_chunks(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    what = Text(
        "the outputs of several tokens at once behind the cache", "캐시 뒤에서 여러 토큰을 한꺼번에 계산한 출력"
    )
    for sizes in ((2, 4, 3), (5, 1, 1), (1, 6, 2)):
        x = case.inputs(draw, sum(sizes))
        expect_like_whole(case, x, np.concatenate(list(case.in_parts(x, sizes)), axis=1), what)


def test_grouped_config(probe: Probe, draw: Draw) -> None:
    case = grouped(probe, draw)
    x = case.inputs(draw, 4)

    def ask(layer: Layer) -> list[Array]:
        output, cache = expect_tuple(layer(x), 2, PAIR)
        keys = cache[0] if isinstance(cache, tuple) else np.asarray(cache)
        return [np.asarray(output, np.float64), np.asarray(keys, np.float64)]

    expect_same_from_config(case.layer, ask)


def test_grouped_divides(probe: Probe, draw: Draw) -> None:
    head_dim = 2 * draw.integer(1, 3)
    for d_model, num_heads, num_kv_heads, names in (
        (8 * head_dim + 4, 8, 2, ["d_model", "num_heads"]),
        (6 * head_dim, 6, 4, ["num_heads", "num_kv_heads"]),
        (4 * head_dim, 4, 8, ["num_heads", "num_kv_heads"]),
    ):
        sizes = d_model, num_heads, num_kv_heads

        def make(sizes: tuple[int, int, int] = sizes) -> None:
            layer = probe.layer("GroupedQueryAttention", *sizes)
            layer(draw.normal(2, 3, sizes[0]))

        values = [d_model, num_heads] if names[0] == "d_model" else [num_heads, num_kv_heads]
        expect_raises_value_error(make, names, values, names_all=True)


# --- window-mask -----------------------------------------------------------------------------------------------------

WINDOW = "(size, size)"


def expect_window(probe: Probe, what: Text, *args: int, **options: int) -> None:
    """Miss unless a mask is the right one."""
    right = oracle.create_window_mask(*args, **options)
    expect_close(probe.call("create_window_mask", *args, **options), right, what, WINDOW)


def test_window_shape(probe: Probe, draw: Draw) -> None:
    size = draw.integer(5, 9)
    expect_shape(probe.call("create_window_mask", size, 3), (size, size), WINDOW)


def test_window_values(probe: Probe, draw: Draw) -> None:
    for window in (3, 2, 4):
        expect_window(probe, Text("the mask without sinks", "싱크가 없는 마스크"), draw.integer(6, 10), window)


def test_window_sinks(probe: Probe, draw: Draw) -> None:
    size, window = draw.integer(8, 11), draw.integer(2, 3)
    # against the student's own mask: a wrong window has cost its points already
    own = expect_shape(probe.call("create_window_mask", size, window), (size, size), WINDOW)
    for sinks in (1, 2, 4):
        right = own.copy()
        i, j = np.indices(own.shape)
        right[(j < sinks) & (j <= i)] = 0
        got = probe.call("create_window_mask", size, window, sinks=sinks)
        expect_close(got, right, Text("the mask with sinks", "싱크가 있는 마스크"), WINDOW)


def test_window_edges(probe: Probe, draw: Draw) -> None:
    size = draw.integer(4, 7)
    for args in (
        (size, 1),
        (size, size),
        (size, size + draw.integer(1, 4)),
        (1, 1),
        (size, 1, 1),
        (size, 2, size + 2),
        (1, 3, 2),
    ):
        what = Text(f"the mask of size {args[0]}, window {args[1]}", f"크기 {args[0]}, 윈도 {args[1]}인 마스크")
        expect_window(probe, what, *args)


# --- streaming-softmax -----------------------------------------------------------------------------------------------

STREAMED = "(..., query_len, value_dim)"


class StreamCase:
    """Queries, keys and values; no two sizes are equal, scores of about 1.5 in size.

    Args:
        draw: the random numbers of the rubric line.
        leading: number of dimensions in front of the last two.
        key_len: number of keys.
    """

    def __init__(self, draw: Draw, leading: int = 2, key_len: int = 11) -> None:
        free = [n for n in range(2, 9) if n != key_len]
        front_1, front_2, self.query_len, key_dim, value_dim = (free[i] for i in draw.distinct(5, 0, len(free) - 1))
        front = (front_1, front_2)[:leading]
        self.key_len, self.front = key_len, front
        self.query = draw.normal(*front, self.query_len, key_dim, scale=1.25)
        self.key = draw.normal(*front, key_len, key_dim, scale=1.25)
        self.value = draw.normal(*front, key_len, value_dim)

    def ask(self, probe: Probe, block_size: int, mask: Array | None = None) -> Array:
        """Return the student's output, once its shape is right."""
        options = {} if mask is None else {"mask": mask}
        answer = probe.call("streaming_attention", self.query, self.key, self.value, block_size, **options)
        return expect_shape(answer, (*self.front, self.query_len, self.value.shape[-1]), STREAMED)

    def expect(self, probe: Probe, block_size: int, what: Text, mask: Array | None = None) -> None:
        """Miss unless an output is the right one."""
        right = oracle.attention(self.query, self.key, self.value, mask)
        expect_close(self.ask(probe, block_size, mask), right, what, STREAMED)


def test_streaming_shape(probe: Probe, draw: Draw) -> None:
    for leading in (0, 1, 2):
        StreamCase(draw, leading).ask(probe, 11)


def test_streaming_one_block(probe: Probe, draw: Draw) -> None:
    for block_size, leading in ((11, 2), (draw.integer(12, 30), 1), (1000, 0)):
        what = Text("the output if all keys lie in one block", "모든 키가 한 블록에 들어갈 때의 출력")
        StreamCase(draw, leading).expect(probe, block_size, what)


def test_streaming_blocks(probe: Probe, draw: Draw) -> None:
    for block_size, key_len in ((4, 12), (5, 12), (1, 9), (draw.integer(6, 8), 9), (2, 11), (3, 10)):
        case = StreamCase(draw, draw.integer(0, 2), key_len)
        what = Text(
            f"the output for {key_len} keys in blocks of {block_size}", f"키 {key_len}개, 블록 {block_size}일 때의 출력"
        )
        case.expect(probe, block_size, what)


def test_streaming_large(probe: Probe, draw: Draw) -> None:
    for sizes in (np.linspace(1, 12, 12), np.linspace(12, 1, 12), -np.linspace(3, 12, 12)):
        case = StreamCase(draw, 1, 12)
        # every second query's scores are as far below 0 as the others' are above it
        case.query = draw.uniform(0.9, 1.1, *case.query.shape) * (-1.0) ** np.arange(case.query_len)[:, None]
        width = case.key.shape[-1]
        case.key = (case.key * 0.02 + (400.0 / np.sqrt(width)) * sizes[:, None]).astype(np.float32).astype(np.float64)
        what = Text("the output for scores in the thousands", "점수가 수천일 때의 출력")
        for block_size in (3, 5, 12):
            case.expect(probe, block_size, what)


def partial_mask(draw: Draw, *shape: int) -> Array:
    """Return a mask whose rows each hide at least one key and keep at least one."""
    mask = (draw.uniform(0, 1, *shape) < 0.4).astype(np.float64)
    first = draw.integers(0, shape[-1] - 1, *shape[:-1], 1)
    np.put_along_axis(mask, first, 1.0, axis=-1)
    np.put_along_axis(mask, (first + 1) % shape[-1], 0.0, axis=-1)
    return mask


def test_streaming_mask(probe: Probe, draw: Draw) -> None:
    for front, rows in ((0, True), (1, False), (2, True), (0, False)):
        case = StreamCase(draw, 2, 10)
        before = {0: (), 1: (case.front[0], 1), 2: case.front}[front]
        mask = partial_mask(draw, *before, case.query_len if rows else 1, case.key_len)
        # one key that nobody can see scores far above the others
        mask[..., draw.integer(0, 9)] = 1
        mask[..., 4] = 0
        words = f"({', '.join(map(str, mask.shape))})"
        what = Text(f"the output under a mask {words}", f"마스크 {words}을(를) 쓴 출력")
        for block_size in (10, 4, 3):
            case.expect(probe, block_size, what, mask)
    case = StreamCase(draw, 1, 8)
    case.query = draw.uniform(0.9, 1.1, *case.query.shape)
    case.key[:, 5] = 200.0
    mask = np.zeros((case.query_len, 8))
    mask[:, 5] = 1
    what = Text(
        "the output if a hidden key scores hundreds above the others",
        "가린 키의 점수가 다른 키보다 수백이나 높을 때의 출력",
    )
    for block_size in (3, 4):
        case.expect(probe, block_size, what, mask)


def test_streaming_hidden(probe: Probe, draw: Draw) -> None:
    case = StreamCase(draw, 2, 9)
    mask = np.zeros((case.query_len, 9))
    mask[0] = 1  # wholly hidden
    mask[-1, :6] = 1  # the first blocks are
    for block_size in (3, 2, 4, 9):
        what = Text("the output where the first blocks are hidden", "앞 블록들이 가려진 행의 출력")
        right = oracle.attention(case.query, case.key, case.value, mask)
        got = case.ask(probe, block_size, mask)
        expect_close(got[..., -1, :], right[..., -1, :], what)
        expect_close(got[..., 0, :], right[..., 0, :], Text("wholly hidden rows", "모두 가려진 행"))
        expect_close(got, right, Text("the output beside hidden rows", "가려진 행이 있을 때의 출력"), STREAMED)
    late = np.zeros((case.query_len, 9))
    late[:, 6:] = 1
    case.expect(probe, 3, Text("the output where the last block is hidden", "마지막 블록이 가려졌을 때의 출력"), late)


# 96 queries and a quarter of a million keys: all scores at once are 101 MB even in float32, those of a block are 3 MB, keys and values 4 MB.
MANY_KEYS, MANY_QUERIES, MANY_BLOCK = 262_144, 96, 8192
WHOLE_SCORES = 4 * MANY_KEYS * MANY_QUERIES


def test_streaming_memory(probe: Probe, draw: Draw) -> None:
    """What the kernel has held at once at most says whether all scores were there together; it has held more before only rarely."""
    peak = probe.define(MEMORY, "peak_of_kernel")
    query = draw.normal(MANY_QUERIES, 2).astype(np.float32)
    key, value = (draw.normal(MANY_KEYS, 2).astype(np.float32) for _ in range(2))
    # what a library takes for blocks of this size in its first calls isn't looked at
    few = slice(3 * MANY_BLOCK // 2)
    probe.call("streaming_attention", query, key[few], value[few], MANY_BLOCK)
    before = expect_whole_number(peak())
    answer = probe.call("streaming_attention", query, key, value, MANY_BLOCK)
    grown = expect_whole_number(peak()) - before
    expect_shape(answer, (MANY_QUERIES, 2), STREAMED)
    expect_that(
        grown < 0.75 * WHOLE_SCORES,
        Text(
            f"With {MANY_QUERIES} queries and {MANY_KEYS} keys in blocks of {MANY_BLOCK} it takes much more memory than the scores of a block "
            f"({4e-6 * MANY_QUERIES * MANY_BLOCK:.0f} MB): are all scores there at once?",
            f"쿼리 {MANY_QUERIES}개, 키 {MANY_KEYS}개를 블록 {MANY_BLOCK}으로 계산하면 한 블록의 점수({4e-6 * MANY_QUERIES * MANY_BLOCK:.0f} MB)보다 메모리를 "
            "훨씬 많이 씁니다. 모든 점수를 한꺼번에 만들지 않았나요?",
        ),
    )
