"""The optional tasks with a star: their rounds pass a right answer, find a wrong one, and wait for one that isn't written."""

from __future__ import annotations

import io
import re
import types
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from running import run_cell

from autograder.sources.notebooks import SourceCell, read_source

ROOT = Path(__file__).resolve().parent.parent
# Assignments whose star lies here, with a right answer and edits (right text -> wrong text) each of which the round must find.
RIGHT = {
    "05-encoder-decoder-blocks": """
class _ParallelBlock(keras.layers.Layer):
    def __init__(self, d_model, num_heads, ff_dim):
        super().__init__()
        self.norm = keras.layers.LayerNormalization(epsilon=1e-6)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(ff_dim, d_model, 0.0)

    def compute_mask(self, x, previous_mask=None):
        return None

    def call(self, x, mask=None):
        y = self.norm(x)
        return x + self.attention(y, y, y, mask=mask) + self.feed_forward(y)
""",
    "06-transformer": """
def _knows_order(model, vocab_size, source_len):
    ids, target = 2 + np.random.default_rng(0).permutation(vocab_size - 2)[:source_len][None], np.array([[1, 4, 5]])
    before = to_numpy(model([ids, target]))
    for place in range(source_len - 1):
        other = ids.copy()
        other[0, [place, place + 1]] = ids[0, [place + 1, place]]
        if np.abs(to_numpy(model([other, target])) - before).max() < 1e-4:
            return False
    return True
""",
    "07-training": """
def _beam_decode(model, source_ids, bos_id, eos_id, max_len, beams):
    kept = [([bos_id], 0.0)]
    while any(text[-1] != eos_id and len(text) < max_len for text, _ in kept):
        new = [(text, total) for text, total in kept if text[-1] == eos_id or len(text) >= max_len]
        going_on = [(text, total) for text, total in kept if text[-1] != eos_id and len(text) < max_len]
        sources = np.repeat(source_ids, len(going_on), axis=0)
        logits = model([sources, np.array([text for text, _ in going_on])])
        for (text, total), row in zip(going_on, to_numpy(ops.log_softmax(logits))[:, -1], strict=True):
            new += [([*text, word], total + float(share)) for word, share in enumerate(row)]
        kept = sorted(new, key=lambda pair: -pair[1])[:beams]
    return kept[0]
""",
    "08-debugging-clinic": "",  # the broken model itself, repaired by the edits below
    "09-bert-and-gpt": """
def _fill(model, line, position, candidates):
    lines = np.repeat(line[None], len(candidates), axis=0)
    lines[:, position] = candidates
    shares = to_numpy(ops.log_softmax(model(lines[:, :-1])))
    told = np.take_along_axis(shares, lines[:, 1:, None], axis=-1)[..., 0]
    return candidates[np.where(lines[:, 1:] != 0, told, 0).sum(axis=1).argmax()]
""",
    "10-modern-transformer": """
def _step_in_window(layer, x, cache, position, window, sinks):
    def heads(dense):
        return ops.transpose(ops.reshape(dense(x), (len(x), 1, -1, 2)), (0, 2, 1, 3))

    positions = np.array([position])
    query, key, value = rotary(heads(layer.query_dense), positions), rotary(heads(layer.key_dense), positions), heads(layer.value_dense)
    if cache is not None:
        key, value = ops.concatenate([cache[0], key], axis=2), ops.concatenate([cache[1], value], axis=2)
    if key.shape[2] > sinks + window:
        key, value = (ops.concatenate([part[:, :, :sinks], part[:, :, sinks + 1 :]], axis=2) for part in (key, value))
    group = query.shape[1] // key.shape[1]
    keys, values = ops.repeat(key, group, axis=1), ops.repeat(value, group, axis=1)
    weights = ops.softmax(query @ ops.swapaxes(keys, -2, -1) / 2**0.5)
    merged = ops.reshape(ops.transpose(weights @ values, (0, 2, 1, 3)), (len(x), 1, -1))
    return layer.output_dense(merged), (key, value)
""",
}
WRONG = {
    "05-encoder-decoder-blocks": [
        ("+ self.feed_forward(y)", "+ self.feed_forward(self.norm(x + self.attention(y, y, y, mask=mask)))"),
        ("y = self.norm(x)", "y = x"),
        ("mask=mask", "mask=None"),
    ],
    "06-transformer": [
        ("range(source_len - 1)", "range(1)"),
        ("range(source_len - 1)", "range(0, source_len, 2)[:1]"),
        ("range(source_len - 1)", "range(2, 3)"),
        ("return False", "return True"),
        ("< 1e-4", "< 1e4"),
    ],
    "07-training": [
        ("total + float(share)", "float(share)"),
        ("text[-1] == eos_id or len(text)", "len(text)"),
        ("[:beams]", "[:1]"),
        ("ops.log_softmax(logits)", "logits"),
    ],
    "09-bert-and-gpt": [
        ("lines[:, 1:] != 0", "lines[:, 1:] >= 0"),
        ("told, 0).sum(axis=1)", "told, 0)[:, position - 1]"),
        ("ops.log_softmax(model(lines[:, :-1]))", "model(lines[:, :-1])"),
    ],
    "10-modern-transformer": [
        ("np.array([position])", "np.array([0 if cache is None else cache[0].shape[2]])"),
        ("part[:, :, sinks + 1 :]", "part[:, :, sinks:]"),
        ("part[:, :, :sinks], part[:, :, sinks + 1 :]", "part[:, :, 1:1], part[:, :, 1:]"),
    ],
}
# What is wrong with the patient of 08, and how each line is repaired.
REPAIRS = [
    ("LayerNormalization(axis=[1, 2])", "LayerNormalization()"),
    ("ops.arange(ops.shape(ids)[0])[:, None]", "ops.arange(ops.shape(ids)[1])[None]"),
    ("self.dropout(h, training=True)", "self.dropout(h, training=training)"),
]


def star_cells(assignment: str) -> tuple[list[SourceCell], SourceCell, SourceCell]:
    """Return the cells that the star of an assignment needs, its own cell and its round."""
    cells = read_source(ROOT / "solutions" / assignment / "notebook.py").cells
    heading = next(place for place, cell in enumerate(cells) if cell.role == "prose" and "## ★" in cell.texts["en"])
    own, examination = [cell for cell in cells[heading:] if cell.role == "free"][:2]
    needed = [cell for cell in cells[:heading] if cell.role in ("locked", "carry-over", "task")]
    return needed, own, examination


class Notebook:
    """A namespace in which cells are executed as in a kernel, so that their lines can be looked up."""

    def __init__(self, assignment: str) -> None:
        self.names: dict[str, Any] = types.ModuleType("notebook").__dict__
        self.needed, self.own, self.examination = star_cells(assignment)
        for cell in self.needed:
            self.run(cell.texts["en"])
        self.names |= {"_decoder": None, "_encoders": {}}  # nothing is trained here

    def run(self, code: str) -> str:
        out = io.StringIO()
        with redirect_stdout(out):
            run_cell(code, self.names)
        return out.getvalue()

    def examine(self, answer: str) -> str:
        self.run(answer)
        return self.run(self.examination.texts["en"])


@cache
def notebook(assignment: str) -> Notebook:
    return Notebook(assignment)


@pytest.fixture(autouse=True)
def _as_if_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # few lines, no trainings


def right_answer(assignment: str) -> str:
    answer = RIGHT[assignment] or star_cells(assignment)[1].texts["en"]
    if not RIGHT[assignment]:
        for broken, repaired in REPAIRS:
            assert answer.count(broken) == 1
            answer = answer.replace(broken, repaired)
    return answer


def test_each_notebook_from_05_on_has_a_star() -> None:
    stars = [path.parent.name for path in ROOT.glob("solutions/*/notebook.py") if "# ## ★" in path.read_text("utf-8")]
    assert sorted(set(stars) & set(RIGHT)) == sorted(RIGHT)


@pytest.mark.slow
@pytest.mark.parametrize("assignment", RIGHT)
def test_a_right_answer_passes_its_round(assignment: str) -> None:
    said = notebook(assignment).examine(right_answer(assignment))
    assert "✓" in said and "✗" not in said, said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("assignment", "right", "wrong"),
    [(assignment, *edit) for assignment, edits in WRONG.items() for edit in edits]
    + [("08-debugging-clinic", repaired, broken) for broken, repaired in [*REPAIRS, ("ops.arange(7)", REPAIRS[1][1])]],
)
def test_a_wrong_answer_is_found(assignment: str, right: str, wrong: str) -> None:
    answer = right_answer(assignment)
    assert right in answer
    assert "✗" in notebook(assignment).examine(answer.replace(right, wrong, 1))


@pytest.mark.slow
@pytest.mark.parametrize("assignment", [assignment for assignment, answer in RIGHT.items() if answer])
def test_a_round_waits_for_an_answer(assignment: str) -> None:
    one = notebook(assignment)
    said = one.examine(one.own.texts["en"])
    assert "when the answers that it uses are written" in said and not re.search("[✓✗]", said)
