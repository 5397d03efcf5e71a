"""Names of known mistakes: what answers are alike, which entry fits, and when a record is of today's questions."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autograder.base.errors import AnswerMissing, AnswerRaised, AnswerTimeout, CourseError
from autograder.base.text import Text
from autograder.grading.naming import (
    RecordedAnswers,
    has_record,
    recorded_answers,
    staleness,
    with_name,
    with_name_by_sentence,
    write_answers,
)
from autograder.grading.rubric import Weight
from autograder.grading.runner import LineResult, TaskResult, alternatives_of, mistakes_of
from autograder.grading.sketches import APART, MAX_ENTRIES, alike, common, has_chance, sketch
from autograder.proof.answers import record_answers
from autograder.proof.check import with_answers
from autograder.sources.course import Course, load_course
from autograder.sources.notebooks import NotebookSource, read_source
from autograder.submissions.evaluation import grade

SECOND = Path(__file__).resolve().parent / "second_course"
ASSIGNMENT = "01-k-means"
RNG = np.random.default_rng(7)
WEIGHTS = RNG.random((3, 4, 5))
KERNEL, BIAS = Weight("kernel", WEIGHTS.shape, True), Weight("bias", (5,), True)
SAID = Text("It raised.", "오류가 났습니다.")


def raised(raw: str, kind: str = "ValueError", is_own: bool = False) -> AnswerRaised:
    return AnswerRaised(SAID, (kind, "Exception"), raw, is_own)


# --- sketches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (WEIGHTS, WEIGHTS.astype(np.float32)),
        (1e6 * WEIGHTS, (1e6 * WEIGHTS).astype(np.float32)),
        (WEIGHTS, WEIGHTS * (1 + 2e-5)),
        (0.5, np.float32(0.5)),
        (3, np.array(3, dtype=np.uint8)),
        (np.where(WEIGHTS > 0.5, np.nan, WEIGHTS), np.where(WEIGHTS > 0.5, np.nan, WEIGHTS).astype(np.float32)),
        ((WEIGHTS, None), (WEIGHTS.astype(np.float32), None)),
        (np.zeros((0, 3)), np.zeros((0, 3))),
        (raised("shapes (2,3) (4,) at 0x7f0012ab"), raised("shapes (2,3) (4,) at 0x7f00ffff")),
        (raised("layer dense_3 failed"), raised("layer dense_12 failed")),
        (raised("Input 0 of layer 'dense_3' is wider"), raised("Input 0 of layer 'keys' is wider")),
        (raised('Input 0 of layer "dense_3" is wider'), raised('Input 0 of layer "keys" is wider')),
        (
            raised("Wider.\n\nArguments received by Dense.call():\n  • x=1"),
            raised("Wider.\n\nArguments received by Dense.call():\n  • inputs=1"),
        ),
        (raised("too long", is_own=True), raised("zu lang", is_own=True)),
        (AnswerMissing(SAID), AnswerMissing(SAID)),
        (Weight("a", (2,), True), Weight("b", (2,), True)),
        ([(KERNEL, WEIGHTS), (BIAS, np.ones(5))], [(BIAS, np.ones(5)), (KERNEL, WEIGHTS.astype(np.float32))]),
        ([KERNEL, BIAS], [BIAS, KERNEL]),
        ("text", "text"),
    ],
)
def test_the_same_answer_is_alike_however_it_was_computed(one: object, other: object) -> None:
    assert alike([sketch(one)], [sketch(other)])


SHUFFLED = WEIGHTS[:, ::-1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (WEIGHTS, SHUFFLED),
        (WEIGHTS, WEIGHTS.swapaxes(1, 2)),
        (WEIGHTS, WEIGHTS.reshape(3, 20)),
        (WEIGHTS, 1.01 * WEIGHTS),
        (WEIGHTS, np.where(np.arange(60).reshape(3, 4, 5) == 31, WEIGHTS + 0.05, WEIGHTS)),
        (WEIGHTS, (WEIGHTS, WEIGHTS)),
        (WEIGHTS, WEIGHTS.astype(np.float16)),
        (np.ones(3), np.ones(3, dtype=int)),
        (np.ones(3), np.ones(3, dtype=bool)),
        (0.5, 0.505),
        (np.array([np.nan, 1.0]), np.array([1.0, np.nan])),
        (np.array([np.inf, 1.0]), np.array([-np.inf, 1.0])),
        (None, 0.0),
        (None, raised("x")),
        (raised("shapes (2,3) (4,)"), raised("shapes (2,3) (5,)")),
        (raised("x", "ValueError"), raised("x", "TypeError")),
        (raised("x"), raised("x", is_own=True)),
        (raised('Input 0 of layer "dense" is wider'), raised('Input 1 of layer "dense" is wider')),
        (Weight("a", (2,), True), Weight("a", (2,), False)),
        ([(KERNEL, WEIGHTS), (BIAS, np.ones(5))], [(KERNEL, SHUFFLED), (BIAS, np.ones(5))]),
        ([KERNEL, BIAS], [KERNEL, KERNEL]),
        ((WEIGHTS, np.ones(5)), (np.ones(5), WEIGHTS)),
    ],
)
def test_answers_that_differ_are_told_apart(one: object, other: object) -> None:
    assert not alike([sketch(one)], [sketch(other)], APART)
    assert not alike([sketch(one)], [sketch(one), sketch(other)])


@pytest.mark.parametrize("answer", [AnswerTimeout(SAID), np.array([1j]), np.array([1e308, 1e308]), 1 << 5000])
def test_what_can_not_be_compared_is_like_nothing_not_even_itself(answer: object) -> None:
    assert not alike([sketch(answer)], [sketch(answer)])


def test_of_large_arrays_the_shape_counts() -> None:
    large = RNG.random((MAX_ENTRIES, 2))
    assert alike([sketch(large)], [sketch(2 * large)])
    assert not alike([sketch(large)], [sketch(large.T)])
    assert not alike([sketch(large)], [sketch(large > 0)])
    assert has_chance([sketch(large)])  # so that the sentence of its line counts


def test_numbers_that_are_chance_do_not_count() -> None:
    once = [sketch((WEIGHTS, 1.0)), sketch(WEIGHTS)]
    again = [sketch((WEIGHTS + RNG.random(WEIGHTS.shape), 1.0)), sketch(WEIGHTS)]
    agreed = common(once, again)
    assert has_chance(agreed) and not has_chance(once)
    assert alike(agreed, [sketch((7 * WEIGHTS, 1.0)), sketch(WEIGHTS)])
    assert not alike(agreed, [sketch((WEIGHTS, 2.0)), sketch(WEIGHTS)])
    assert not alike(agreed, [sketch((WEIGHTS[0], 1.0)), sketch(WEIGHTS)])
    assert not alike(agreed, [sketch((WEIGHTS, 1.0)), sketch(SHUFFLED)])
    assert not alike(common(once, once[:1]), once)


# --- which entry fits ------------------------------------------------------------------------------------------------

RIGHT_SHAPE = [sketch(WEIGHTS)]
RECORD = RecordedAnswers(
    {
        "doubled": {"values": [sketch(2 * WEIGHTS)]},
        "halved": {"values": [sketch(WEIGHTS / 2)]},
        "halved-nearly": {"values": [sketch(WEIGHTS / 2 * 1.0004)]},
        "halved-twice": {"values": [sketch(WEIGHTS / 2)], "axis": [sketch(WEIGHTS)]},
    }
)


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ({"values": [sketch((2 * WEIGHTS).astype(np.float32))]}, "doubled"),
        ({"values": [sketch(3 * WEIGHTS)]}, None),
        ({"values": [sketch(2 * WEIGHTS * 1.0004)]}, None),  # near nothing, and too near to be something else
        ({"values": [sketch(WEIGHTS / 2)]}, None),  # two entries can't be told apart
        ({"values": [sketch(WEIGHTS / 2)], "axis": [sketch(WEIGHTS)]}, "halved-twice"),
        ({"values": [sketch(2 * WEIGHTS)], "axis": [sketch(WEIGHTS)]}, None),
        ({"values": [sketch(2 * WEIGHTS), sketch(2 * WEIGHTS)]}, None),
        ({}, None),
    ],
)
def test_exactly_one_entry_with_the_same_lines_and_answers_fits(answers: dict[str, list[object]], name: str) -> None:
    assert RECORD.fitting(answers) == name  # type: ignore[arg-type]


# --- a record beside a catalogue -------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns an assignment's folder in a copy of the second course, with a record of one entry."""
    shutil.copytree(SECOND, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    folder = load_course(tmp_path / "course").source(ASSIGNMENT).folder
    entry = next(iter(mistakes_of(folder).values()))
    write_answers(
        _source(folder), RecordedAnswers({entry.id: {line: [sketch(WEIGHTS)] for line in sorted(entry.misses)}})
    )
    return folder


def _source(folder: Path) -> NotebookSource:
    return read_source(folder / "notebook.py")


def results(folder: Path, *, missed: bool = True) -> tuple[str, TaskResult, TaskResult]:
    """Return the recorded entry's id, a result that loses its lines, and one of practice."""
    entry = next(iter(mistakes_of(folder).values()))
    rubric = load_course(folder.parent.parent).source(ASSIGNMENT).rubric
    own = [(i, line) for i, line in rubric.items() if line.task == entry.task]

    def result(status: str) -> TaskResult:
        lines = [LineResult(i, line, status if i in entry.misses else "passed", SAID) for i, line in own]
        return TaskResult(entry.task, 1.0, tuple(lines))

    return entry.id, result("missed"), result("missed" if missed else "passed")


def test_a_lost_task_gets_the_name_and_the_hint_at_its_first_lost_line(folder: Path) -> None:
    name, lost, practised = results(folder)
    source = load_course(folder.parent.parent).source(ASSIGNMENT)
    answers = {line.id: [sketch(WEIGHTS.astype(np.float32))] for line in lost.lines if line.status == "missed"}
    named = with_name(source, lost, practised, answers)
    first = next(line for line in named.lines if line.status == "missed")
    assert first.mistake == name and first.text == SAID + mistakes_of(folder)[name].hint
    assert sum(line.mistake is not None for line in named.lines) == 1
    assert named.points == lost.points
    other = {line: [sketch(SHUFFLED)] for line in answers}
    assert with_name(source, lost, practised, other) == lost
    assert with_name(source, lost, practised, {}) == lost


def with_sentences(folder: Path, *sentences: str) -> None:
    """Give the first entries sentences by which they are known, and the lines of the very first."""
    path = folder / "mistakes.py"
    entries = list(mistakes_of(folder).values())
    text = path.read_text(encoding="utf-8")
    for entry, sentence in zip(entries, sentences, strict=False):
        old = f'mistake="{entry.id}" task="{entry.task}" misses="{" ".join(sorted(entry.misses))}"'
        assert old in text
        misses = " ".join(sorted(entries[0].misses))
        text = text.replace(
            old, f'mistake="{entry.id}" task="{entries[0].task}" misses="{misses}" sentence="{sentence}"'
        )
    path.write_text(text, encoding="utf-8")
    mistakes_of.cache_clear()


@pytest.mark.parametrize(
    ("sentences", "is_named"),
    [([SAID.en[2:-1]], True), (["another sentence"], False), ([SAID.en[:3], SAID.en[-3:]], False), ([], False)],
)
def test_the_one_entry_whose_sentence_the_first_lost_line_says_names_it(
    folder: Path, sentences: list[str], is_named: bool
) -> None:
    with_sentences(folder, *sentences)
    name, lost, _ = results(folder)
    source = load_course(folder.parent.parent).source(ASSIGNMENT)
    lost = replace(lost, lines=tuple(replace(line, kind="wrong") for line in lost.lines))
    named = with_name_by_sentence(source, lost)
    first = next(line for line in named.lines if line.status == "missed")
    assert first.mistake == (name if is_named else None)
    assert with_name_by_sentence(source, named) == named
    raised = replace(lost, lines=tuple(replace(line, kind="raised") for line in lost.lines))
    assert with_name_by_sentence(source, raised) == raised


def test_a_line_that_was_right_in_practice_gets_no_name(folder: Path) -> None:
    _, lost, practised = results(folder, missed=False)
    source = load_course(folder.parent.parent).source(ASSIGNMENT)
    answers = {line.id: [sketch(WEIGHTS)] for line in lost.lines if line.status == "missed"}
    assert with_name(source, lost, practised, answers) == lost


def test_a_record_is_written_the_same_again_and_comes_back(folder: Path) -> None:
    recorded = recorded_answers(_source(folder))
    before = (folder / "answers.json").read_bytes()
    write_answers(_source(folder), recorded)
    assert (folder / "answers.json").read_bytes() == before
    assert has_record(folder) and staleness(_source(folder)) == "" and recorded.entries


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("graders.py", "def test_", "# another question\ndef test_"),
        ("mistakes.py", "return", "return  1 *"),
        ("reference.py", "def ", "# another reference\ndef "),
        ("answers.json", '"array"', '"none"'),
        ("answers.json", '"seal": "', '"seal": "0'),
    ],
)
def test_a_record_is_stale_once_something_of_it_is_changed(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    mistakes_of.cache_clear()
    assert f"autograder check {ASSIGNMENT} --record-answers" in staleness(_source(folder))
    assert recorded_answers(_source(folder)).entries == {}


def test_hints_and_titles_do_not_make_a_record_stale(folder: Path) -> None:
    path = folder / "mistakes.py"
    lines = path.read_text(encoding="utf-8").split("\n")
    hint = next(i for i, line in enumerate(lines) if line.startswith("# ") and not line.startswith(("# %%", "# ko")))
    lines[hint] += " Look again."
    path.write_text("\n".join(lines), encoding="utf-8")
    mistakes_of.cache_clear()
    assert staleness(_source(folder)) == ""


@pytest.mark.parametrize("content", ["", "[]", '{"format": 0}', '{"format": 1, "of": "x"}'])
def test_a_malformed_record_is_refused_in_a_sentence(folder: Path, content: str) -> None:
    (folder / "answers.json").write_text(content, encoding="utf-8")
    with pytest.raises(CourseError, match="--record-answers"):
        staleness(_source(folder))


def test_a_malformed_record_names_nothing_and_stops_no_grading(folder: Path) -> None:
    (folder / "answers.json").write_text("{", encoding="utf-8")
    assert recorded_answers(_source(folder)).entries == {}


@pytest.mark.course
def test_recording_gives_the_same_bytes_again_and_each_entry_its_name(folder: Path) -> None:
    course = load_course(folder.parent.parent)
    path, recorded = record_answers(course, ASSIGNMENT, 2)
    before = path.read_bytes()
    assert record_answers(course, ASSIGNMENT, 2)[0].read_bytes() == before
    assert staleness(_source(folder)) == ""
    known = mistakes_of(folder)
    assert [name for name in known if set(recorded.entries[name]) != known[name].misses] == []
    unnamed = [name for name, answers in recorded.entries.items() if recorded.fitting(answers) != name]
    assert len(unnamed) <= 1
    source = course.source(ASSIGNMENT)
    entry = known[next(name for name in known if name not in unnamed)]
    submission = with_answers(source, {entry.task: entry.code})
    again = load_course(course.root)  # which reads the record
    verdict = grade(again.grading_of(ASSIGNMENT, "ada", shows="none"), submission)  # with secret questions
    lost = [line for line in verdict.tasks[entry.task].lines if line.status == "missed"]
    assert lost[0].mistake == entry.id and lost[0].text is not None and entry.hint.en in lost[0].text.en
    assert all(line.mistake is None for line in lost[1:])


# --- slips near a known mistake, in this repository's course -----------------------------------------------------------

HEADS = "03-multi-head-attention"
LAYER, FUNCTION, COPY = "multi-head-layer", "multi-head", "keras-parity"


@pytest.mark.course
@pytest.mark.parametrize(
    ("task", "known", "edits", "name"),
    [
        # its output goes through a Dense layer of another name
        (LAYER, None, {"self.output_dense": "self.out"}, None),
        (LAYER, "layer-no-output-projection", {}, "layer-no-output-projection"),
        # a mask of two axes is ignored, one of four is not
        (FUNCTION, None, {"if mask is not None:": "if mask is not None and len(mask.shape) == 4:"}, None),
        (FUNCTION, "mask-ignored", {}, "mask-ignored"),
        # weights that were made in another order, and a layer with a name
        (COPY, "parity-copied-backwards", {}, "parity-copied-backwards"),
        (COPY, "parity-layer-changed", {}, "parity-layer-changed"),
        (LAYER, "layer-shared-by-values", {"Dense(d_model)": "Dense(d_model, name='own')"}, "layer-shared-by-values"),
    ],
)
def test_a_slip_is_named_by_what_it_does(
    course: Course, task: str, known: str | None, edits: dict[str, str], name: str | None
) -> None:
    source = course.source(HEADS)
    plain = alternatives_of(source.folder)["plain"].cells
    layer = plain[LAYER]
    if task == COPY:  # the output's Dense layer is made first, and so its weights come first
        last = "        self.output_dense = keras.layers.Dense(d_model)\n"
        first = "        self.query_dense = keras.layers.Dense(d_model)\n"
        layer = layer.replace(last, "").replace(first, last + first)
        assert layer != plain[LAYER]
    code = plain[task] if known is None else mistakes_of(source.folder)[known].code
    for old, new in edits.items():
        assert old in code
        code = code.replace(old, new)
    submission = with_answers(source, {LAYER: layer, task: code})
    result = grade(course.grading_of(HEADS, "ada", shows="none"), submission).tasks[task]
    assert [line.id for line in result.lines if line.status == "missed"]
    assert next((line.mistake for line in result.lines if line.mistake), None) == name
