"""Hidden tests of the task `greedy-decode`."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Draw, KernelObject, Probe, expect_shape, expect_that, shape_of

from .. import reference as oracle
from .. import stand_ins

CHAINS = inspect.getsource(stand_ins)
SEQUENCES = Text("(batch, at most max_len)", "(batch, 많아야 max_len)")
STATES, VOCABULARY_SIZE, LARGE_VOCABULARY = 41, 13, 400


@dataclass
class Scene:
    """A stand-in model with sources, and its greedy sequences.

    Attributes:
        model: in the student's kernel.
        teller: what it asks, in another kernel; called without anything it tells how many rows it was asked about.
        source: (batch, source_len).
        bos_id, eos_id, max_len: arguments of the decoding.
        right: (batch, longest), the greedy sequences.
        ends: (batch,), position of each row's EOS, or max_len if it has none.
    """

    model: KernelObject
    teller: KernelObject
    source: np.ndarray
    bos_id: int
    eos_id: int
    max_len: int
    right: np.ndarray
    ends: np.ndarray

    def decode(self, probe: Probe) -> np.ndarray:
        """Return the student's sequences, integers (batch, n) with n at most max_len."""
        answer = probe.call("greedy_decode", self.model, self.source, self.bos_id, self.eos_id, self.max_len)
        shape = shape_of(answer) or ()
        batch = len(self.source)
        if len(shape) == 2 and shape[0] == batch:
            got = expect_shape(answer, shape, SEQUENCES)
        else:
            got = expect_shape(answer, (batch, self.right.shape[1]), SEQUENCES)
        expect_that(
            got.shape[1] <= self.max_len + 1,
            Text(
                f"There are {got.shape[1]} ids in a row, but max_len is {self.max_len} here.",
                f"한 행에 ID가 {got.shape[1]}개 있습니다. 여기서 max_len은 {self.max_len}입니다.",
            ),
        )
        return got

    def repeated(self, times: int) -> Scene:
        """Return the scene of a batch in which each source occurs several times."""
        source, right = (np.tile(rows, (times, 1)) for rows in (self.source, self.right))
        return replace(self, source=source, right=right, ends=np.tile(self.ends, times))

    def body(self, got: np.ndarray) -> np.ndarray:
        """Return the sequences without a leading BOS, whose place is another line's."""
        return got[:, 1:] if got.shape[1] and (got[:, 0] == self.bos_id).all() else got


def _scene(
    probe: Probe,
    draw: Draw,
    batch: int,
    ending: float,
    max_len: int,
    bos_id: int = 1,
    eos_id: int = 2,
    latest: int = 0,
    vocab_size: int = VOCABULARY_SIZE,
    make: str = "chain",
    says_all: bool = False,
    has_padding: bool = True,
) -> Scene:
    """Draw a stand-in whose rows end at different places (`ending`: share of states that do), or never if it is 0.

    The last row ends at `latest` or before; by default five ids before `max_len`. `make` is the function that makes it. With `says_all`
    the model also says padding and BOS in each row. With `has_padding` the first source of several is shorter than the others.
    """
    while True:
        transitions = draw.integers(0, STATES - 1, STATES, vocab_size)
        logits = draw.normal(STATES, vocab_size, scale=3.0)
        logits[:, [oracle.PAD, bos_id]] -= 40
        if says_all:
            which = draw.integers(0, 5, STATES)
            logits[which == 0, oracle.PAD], logits[which == 1, bos_id] = 25.0, 25.0
        logits[:, eos_id] = np.where(draw.uniform(0, 1, STATES) < ending, 30.0, -40.0)
        best = logits.argmax(axis=-1)
        logits[np.arange(STATES), best] += 2e-3  # so far from all others that float32 tells them apart
        logits[np.arange(STATES), best - 1] = logits.max(axis=-1) - 2e-3  # a close second
        logits[::2] -= 45  # the largest may be below 0
        logits[1::2] += 150  # or have an exponential that is infinite in float32
        source = draw.integers(3, vocab_size - 1, batch, draw.integer(4, 6))
        source[:1, -1 if batch > 1 and has_padding else source.shape[1] :] = oracle.PAD
        starts = stand_ins.start_states(source, STATES)

        def state_after(row: int, prefix: Any, starts: Any = starts, moves: Any = transitions) -> int:
            state = starts[row]
            for token in prefix:
                state = moves[state, token]
            return int(state)

        def next_logits(row: int, prefix: Any, after: Any = state_after, table: Any = logits) -> Any:
            return table[after(row, prefix)]

        right: np.ndarray = oracle.greedy_decode(next_logits, batch, bos_id, eos_id, max_len)
        ends = np.array([list(row).index(eos_id) if eos_id in row else max_len for row in right])
        alone = oracle.greedy_decode(lambda row, prefix: next_logits(row, prefix[-1:]), batch, bos_id, eos_id, max_len)
        fits = len(set(ends)) == batch and ends.min() >= 3 and ends.max() <= (latest or max_len - 5) if ending else True
        fits = fits and (
            batch < 3 or ends.min() < ends[0] < ends.max() - 1
        )  # the first row is neither first nor last to end
        rows = zip(right, ends, strict=True)
        fits = fits and (
            not says_all
            or all(
                # BOS doesn't come first, where an answer without its own BOS would be taken for one with it
                {oracle.PAD, bos_id} <= {*row[1:end].tolist()} and row[end - 1] > bos_id and row[1] != bos_id
                for row, end in rows
            )
        )
        if batch == 1 and ending and not says_all:  # the one row is no short one, and has small and large logits
            said = set(right[0, 1 : ends[0]].tolist())
            parities = {state_after(0, right[0, :length]) % 2 for length in range(1, ends[0])}
            fits = fits and len(said) >= 4 and len(parities) == 2
        tells = alone.shape[1] < 3 or (alone[:, :3] != right[:, :3]).any()
        if fits and tells and len(set(map(tuple, right[:, 1:4]))) == batch:
            teller = probe.offer(CHAINS, "teller", transitions, logits)
            model = probe.define(CHAINS, make, teller, vocab_size)
            return Scene(model, teller, source, bos_id, eos_id, max_len, right, ends)


def _expect_path(scene: Scene, got: np.ndarray, what: Text) -> None:
    """Miss unless each row has the right ids before its EOS."""
    body, right = scene.body(got), scene.right[:, 1:]
    for row, end in enumerate(scene.ends):
        count = int(end) - 1
        expect_that(body.shape[1] >= count and np.array_equal(body[row, :count], right[row, :count]), what)


def test_decode_shape(probe: Probe, draw: Draw) -> None:
    _scene(probe, draw, 3, 0.2, draw.integer(18, 22)).decode(probe)


def test_decode_begins(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 2, 0.2, draw.integer(18, 22))
    got = scene.decode(probe)
    text = Text("The first id of a row is not BOS.", "첫 ID가 BOS가 아닌 행이 있습니다.")
    expect_that(got.shape[1] > 0 and (got[:, 0] == scene.bos_id).all(), text)


def test_decode_path(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 1, 0.12, draw.integer(18, 22))
    what = Text(
        "The ids of a single row are not those that the model says.", "행이 하나일 때 ID가 모델이 말한 것과 다릅니다."
    )
    _expect_path(scene, scene.decode(probe), what)


def test_decode_rows(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 3, 0.12, draw.integer(18, 22))
    got = scene.decode(probe)
    body = scene.body(got)
    text = Text("All rows are the same, though their sources differ.", "소스가 다른데도 모든 행이 똑같습니다.")
    expect_that((body != body[:1]).any(), text)
    text = Text("The rows that last longer are cut off.", "더 긴 행이 잘렸습니다.")
    expect_that(body.shape[1] >= scene.ends.max() - 1, text)
    what = Text(
        "In a batch of several rows some are not what they are alone.",
        "여러 행을 한 배치로 디코딩하면 혼자일 때와 달라지는 행이 있습니다.",
    )
    _expect_path(scene, got, what)
    many = _scene(probe, draw, 2, 0.3, 12, latest=6).repeated(5)  # more rows than steps until all have ended
    _expect_path(many, many.decode(probe), what)


def test_decode_padding(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 3, 0.12, draw.integer(18, 22))
    body = scene.body(scene.decode(probe))
    for row, count in zip(body, scene.ends - 1, strict=True):
        text = Text(
            "The EOS of a row is missing: it belongs to the row.", "EOS가 빠진 행이 있습니다. EOS는 행에 속합니다."
        )
        expect_that(len(row) > count and row[count] == scene.eos_id, text)
    for row, count in zip(body, scene.ends - 1, strict=True):
        text = Text("After a row's EOS there is something else than 0.", "EOS 뒤에 0이 아닌 것이 있는 행이 있습니다.")
        expect_that((row[count + 1 :] == oracle.PAD).all(), text)


def test_decode_max_len(probe: Probe, draw: Draw) -> None:
    scene = _scene(probe, draw, 1, 0.0, draw.integer(40, 60))
    got = scene.decode(probe)
    length = Text(
        "A row without EOS should have max_len ids, the first one, BOS, included.",
        "EOS가 없는 행에는 처음의 BOS를 포함해 ID가 max_len개 있어야 합니다.",
    )
    expect_that(scene.body(got).shape[1] == scene.max_len - 1, length)
    what = Text(
        "A row without EOS has other ids than the model says.", "EOS가 없는 행의 ID가 모델이 말한 것과 다릅니다."
    )
    _expect_path(scene, got, what)
    shortest = replace(scene, max_len=1)
    text = Text("With max_len=1 a row has more than its BOS.", "max_len=1인데 행에 BOS 말고도 다른 ID가 있습니다.")
    expect_that(shortest.body(shortest.decode(probe)).shape[1] == 0, text)


def test_decode_stops(probe: Probe, draw: Draw) -> None:
    def goes_on(batch: int) -> bool:
        # of sources cut to one length the rows would end elsewhere: that is another line's
        scene = _scene(probe, draw, batch, 0.12, draw.integer(60, 80), latest=20, has_padding=False)
        scene.decode(probe)
        asked = scene.teller()
        return not isinstance(asked, int) or asked > batch * (2 * int(scene.ends.max()) + 4)

    text = Text(
        "The row has ended, but the model is still asked for more.", "행이 끝났는데도 모델에 계속 묻고 있습니다."
    )
    expect_that(not goes_on(1), text)
    text = Text(
        "All rows of a batch have ended, each at a place of its own, but the model is still asked for more.",
        "배치의 행들이 저마다 다른 자리에서 모두 끝났는데도 모델에 계속 묻고 있습니다.",
    )
    expect_that(not goes_on(3), text)


def test_decode_other_ids(probe: Probe, draw: Draw) -> None:
    # more tokens than a byte can tell apart
    bos_id, eos_id = draw.distinct(2, 260, LARGE_VOCABULARY - 1)
    scene = _scene(
        probe, draw, 1, 0.12, draw.integer(18, 22), bos_id, eos_id, vocab_size=LARGE_VOCABULARY, make="keras_chain"
    )
    got = scene.decode(probe)
    _expect_path(
        scene, got, Text("With other ids for BOS and EOS a row is wrong.", "BOS와 EOS의 ID가 다르면 행이 틀립니다.")
    )
    keeps_eos = _keeps_eos(scene, got)
    text = Text("A row goes on after an EOS with another id.", "EOS의 ID가 다르면 EOS 뒤에도 행이 이어집니다.")
    expect_that((scene.body(got)[0, int(scene.ends[0]) :] == oracle.PAD).all(), text)
    scene = _scene(probe, draw, 1, 0.12, draw.integer(18, 22), latest=8, says_all=True)
    what = Text(
        "A row is wrong if the model says 0 or BOS before EOS: they are ids like others, and only EOS ends a row.",
        "모델이 EOS보다 먼저 0이나 BOS를 말하면 행이 틀립니다. 이것도 다른 것과 같은 ID이고, EOS만이 행을 끝냅니다.",
    )
    got = scene.decode(probe)
    _expect_path(scene, got, what)
    text = Text(
        "If the model says 0 before EOS, the EOS is cut off: only EOS ends a row, and it belongs to the row.",
        "모델이 EOS보다 먼저 0을 말하면 EOS가 잘려 나갑니다. EOS만이 행을 끝내고, EOS는 행에 속합니다.",
    )
    expect_that(not keeps_eos or _keeps_eos(scene, got), text)  # who never keeps it loses another line


def _keeps_eos(scene: Scene, got: np.ndarray) -> bool:
    body, count = scene.body(got), int(scene.ends[0]) - 1
    return body.shape[1] > count and bool(body[0, count] == scene.eos_id)
