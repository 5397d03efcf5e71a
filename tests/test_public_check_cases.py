"""What the public checks say of answers that students gave or would give: a sentence that helps, never a raw error."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import types
from collections.abc import Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from parts import LONG, is_todays
from public_check_cases import Case, read_cases
from running import run_cell

from autograder.kernels import quick_keras
from autograder.sources.catalogue import read_alternatives
from autograder.sources.notebooks import SourceCell, read_source

ROOT = Path(__file__).resolve().parent.parent
NOTE = "note: "
EVERY_CASE = read_cases()
CASES = [case for place, case in enumerate(EVERY_CASE) if case.number not in LONG or is_todays(place, 3)]
CHECKS = sorted({(case.number, case.check) for case in EVERY_CASE})
if os.environ.get("KERAS_BACKEND", "tensorflow") != "tensorflow":
    # `.ci/run` takes other notebooks each day
    CHECKS = [(number, check) for number, check in CHECKS if is_todays(int(number), 5)]
SWAPPED = """
BEING_GRADED = False
%s
def train(train_source, train_target, vocab_size, max_len, seed):
    model = build_transformer(vocab_size, max_len, 1, 8, 2, 16, dropout=0.0)
    model.compile("adam", %s)
    reads, labels = teacher_forcing_pairs(train_target[:32])
    model.fit([reads, train_source[:32]], labels, verbose=0)
"""
UNWRITTEN_ATTENTION = """
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, d_model, num_heads, **kwargs):
        super().__init__(**kwargs)
        raise NotImplementedError()


class %s(%s):
    def __init__(self, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, **kwargs):
        keras.layers.Layer.__init__(self, **kwargs)
        self.attention = MultiHeadAttention(%s)
"""


class Notebook:
    """A notebook whose tasks are solved, in which answers are exchanged and checked one at a time."""

    def __init__(self, number: str) -> None:
        path = next((ROOT / "solutions").glob(f"{number}-*")) / "notebook.py"
        self.cells: dict[str, SourceCell] = {cell.id: cell for cell in read_source(path).cells}
        self.names: dict[str, Any] = types.ModuleType("notebook").__dict__
        for cell in self.cells.values():
            if cell.role in ("locked", "carry-over", "task") or cell.id == "grade-detect-inverted-mask":
                self.run(cell.texts["en"])

    def run(self, code: str) -> None:
        with redirect_stdout(io.StringIO()):
            run_cell(code, self.names)

    @contextmanager
    def restored(self) -> Generator[None]:
        """Afterwards the notebook is as it was."""
        before = dict(self.names)
        try:
            yield
        finally:
            self.names.clear()
            self.names.update(before)

    @contextmanager
    def checked(self, check: str, answer: str) -> Generator[Any]:
        """Give the `_check` of a check that holds for an answer; afterwards the notebook is as it was."""
        with self.restored():
            self.run(answer)
            self.run(self.cells[check].texts["en"])
            yield self.names["_check"]

    def said(self, check: str, answer: str) -> str:
        """Return what a check says of an answer: its sentence if it fails, its notes if it holds."""
        try:
            with self.checked(check, answer) as made:
                return "".join(f"{NOTE}{note}" for note in made.notes)
        except AssertionError as failed:
            return str(failed)


@cache
def notebook(number: str) -> Notebook:
    return Notebook(number)


@pytest.fixture(autouse=True)
def _as_if_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # no trainings


@pytest.fixture
def _quick(_quick_keras_installed: None) -> Iterator[None]:
    with quick_keras.quick():
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")  # a third of the time; what Keras itself gives, the solutions' checks below see
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_check_says_what_helps(case: Case) -> None:
    one = notebook(case.number)
    said = one.said(case.check, case.cell(one.cells))
    assert [words for words in case.says + case.notes if words not in said] == [], said
    assert said.startswith(NOTE) == bool(case.notes) and bool(said) == bool(case.says or case.notes), said
    assert "not written yet" not in said


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["EncoderBlock", "DecoderBlock"])
def test_an_attention_that_is_not_written_may_have_been_meant_to_be_keras(kind: str) -> None:
    code = UNWRITTEN_ATTENTION % (kind, kind, "d_model, num_heads")
    said = notebook("05").said(f"grade-{kind.removesuffix('Block').lower()}-block", code)
    assert said.startswith(f"{kind} uses MultiHeadAttention.__init__, which is not written yet"), said
    assert said.endswith("If you mean Keras's own, write `keras.layers.MultiHeadAttention`."), said


@pytest.mark.slow
def test_a_copy_for_a_layer_that_is_not_written_asks_for_it() -> None:
    said = notebook("03").said("grade-keras-parity", UNWRITTEN_ATTENTION.split("\n\n\nclass")[0])
    assert said.startswith("copy_weights_to_keras: this check needs your layer of task 4"), said
    assert "keras.layers" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("", "masked_loss"),
        ("def any_loss(labels, logits):\n    return ops.mean(logits)\n", "any_loss, metrics=[masked_accuracy]"),
    ],
    ids=["07: in the loss", "07: in the accuracy"],
)
def test_a_decoder_that_reads_the_source_is_told(code: str, settings: str) -> None:
    said = notebook("07").said("code-08", SWAPPED % (code, settings))
    assert said.startswith("train: the logits have 23 columns") and "Are source and decoder input in this order" in said


TRAIN = """
BEING_GRADED = False
def train(train_source, train_target, vocab_size, max_len, seed):
    model = build_transformer(vocab_size, max_len, 1, 8, 2, 16, dropout=0.0)
    model.compile("adam", loss=masked_loss, metrics=[masked_accuracy])
    reads, labels = teacher_forcing_pairs(train_target[:32])
    model.fit([train_source[:32], reads], labels, verbose=0)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("[train_source[:32], reads]", "train_source[:32]", "the model takes two arrays in one list"),
        ("[train_source[:32], reads], labels", "train_source, reads, labels, batch_size=8", "two arrays in one list"),
        ("labels, verbose=0", "(reads, labels), verbose=0", "take it apart first"),
        ("loss=masked_loss", 'loss="masked_loss"', "give `compile` the functions themselves, without quotes"),
        ("[masked_accuracy]", '["masked_accuracy"]', "give `compile` the functions themselves, without quotes"),
        ('model.compile("adam", ', "dict(", "before `fit` the model has to be compiled"),
        ("(vocab_size, max_len, 1", "(max_len, vocab_size, 1", "get `vocab_size` first, then `max_len`?"),
        ("verbose=0", "callbacks=[Progress], verbose=0", "write `Progress()`, with brackets"),
    ],
    ids=[
        f"07: {words}"
        for words in (
            "one input",
            "three arrays",
            "a pair of labels",
            "a loss by name",
            "a metric by name",
            "no compile",
            "sizes swapped",
            "a class",
        )
    ],
)
def test_what_stops_a_training_is_told(right: str, wrong: str, words: str) -> None:
    assert TRAIN.count(right) == 1
    said = notebook("07").said("code-08", TRAIN.replace(right, wrong))
    assert said.startswith("train: ") and words in said


SMOOTHED = """
BEING_GRADED = False
_trained = build_transformer(len(TOKENS), MAX_LEN, 1, 8, 2, 16)
_source, _target = _test_source, _test_target = to_pairs([7, 320])
def train(train_source, train_target, vocab_size, max_len, seed):
    model = build_transformer(vocab_size, max_len, 1, 8, 2, 16)
    reads, labels = teacher_forcing_pairs(train_target)
    masked_loss(labels, model([train_source, reads]), label_smoothing=0.1)
    return model
"""


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")
def test_mistakes_are_tried_again_by_a_training_with_smoothed_labels() -> None:
    one, out = notebook("07"), io.StringIO()
    cell = next(cell.texts["en"] for cell in one.cells.values() if "RERUN = False" in cell.texts["en"])
    with one.restored():
        one.run(SMOOTHED)
        with redirect_stdout(out):
            run_cell(cell.replace("RERUN = False", "RERUN = True"), one.names)
    assert "\nloss counts the padding" in out.getvalue()


@pytest.mark.slow
def test_where_one_row_was_decoded_one_row_is_ticked() -> None:
    with notebook("07").checked("grade-greedy-decode", "") as made:
        assert "with one row only, it stops as soon as that row has ended" in made.passed


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")
def test_the_parameters_of_a_right_model_without_an_output_bias_are_told() -> None:
    one = notebook("06")
    answer = one.cells["task-token-model"].texts["en"]
    answer = answer.replace("keras.layers.Dense(vocab_size)", "keras.layers.Dense(vocab_size, use_bias=False)")
    with one.checked("grade-token-model", answer) as made:
        assert "3032 parameters for these sizes" in made.passed


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize(("code", "ticks"), [("", 1), (None, 0)], ids=["06: Keras's attention", "06: an own one"])
def test_heads_are_ticked_only_where_keras_has_them(code: str | None, ticks: int) -> None:
    if code is None:
        alternatives = read_alternatives(ROOT / "solutions" / "06-transformer")
        code = next(own.cells["continuous-model"] for own in alternatives if own.id == "one-head-at-a-time")
    with notebook("06").checked("grade-continuous-model", code) as made:
        assert sum("4 heads of 3 features each" in words for words in made.passed) == ticks


@pytest.mark.slow
@pytest.mark.parametrize(("number", "check"), CHECKS)
def test_the_check_holds_for_the_solution(number: str, check: str) -> None:
    assert notebook(number).said(check, "") == ""


OWN_BLOCKS = {
    "other names": (
        "MyEncoder, MyDecoder = EncoderBlock, DecoderBlock\ndel EncoderBlock, DecoderBlock\n",
        [("EncoderBlock", "MyEncoder"), ("DecoderBlock", "MyDecoder")],
    ),
    "another keyword": (
        """
class DecoderBlock(DecoderBlock):
    def call(self, x, encoded, **masks):
        return super().call(x, encoded, **masks)
""",
        [("block(x, memory,", "block(x, encoded=memory,")],
    ),
}


@pytest.mark.slow
@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("blocks", OWN_BLOCKS)
def test_the_blocks_of_06_may_be_the_students_own(blocks: str) -> None:
    one, (code, edits) = notebook("06"), OWN_BLOCKS[blocks]
    answer = one.cells["task-token-model"].texts["en"]
    for old, new in edits:
        assert old in answer
        answer = answer.replace(old, new)
    assert one.said("grade-token-model", code + answer) == ""


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_on_other_backends_too(backend: str) -> None:
    """Each check holds for the solution where tensors aren't TensorFlow's."""
    if find_spec(backend) is None:
        pytest.skip(f"{backend} isn't installed")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= {
        "KERAS_BACKEND": backend,
        "XLA_FLAGS": "--xla_backend_optimization_level=0",
    }  # what runs once isn't worth optimizing
    command = sys.executable, "-m", "pytest", "-q", __file__, "-k", "holds_for_the_solution"
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout[-3000:]
