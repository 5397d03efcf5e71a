"""A proof's record: written, read, compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.base.errors import CourseError
from autograder.proof.record import (
    CaseRecord,
    Difference,
    ProofRecord,
    differences,
    not_graded,
    read_record,
    write_record,
)

MISSED = CaseRecord({"softmax": 2.0, "scores": None}, {"axis": "missed", "rows": "passed"}, {"axis": "wrong-axis"})
FULL = CaseRecord({"softmax": 3.0}, {"axis": "passed", "rows": "passed"})
PROOF = ProofRecord("tensorflow", {"02-attention mistake:wrong-axis": MISSED, "02-attention solution:en": FULL})


def with_case(case: CaseRecord) -> ProofRecord:
    return replace(PROOF, cases={**PROOF.cases, "02-attention mistake:wrong-axis": case})


def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write_record(PROOF, tmp_path / "new" / "record.json")
    assert read_record(tmp_path / "new" / "record.json") == PROOF


def test_equal_proofs_give_equal_files(tmp_path: Path) -> None:
    write_record(PROOF, tmp_path / "one")
    write_record(replace(PROOF, cases=dict(reversed(PROOF.cases.items()))), tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_equal_proofs_do_not_differ() -> None:
    assert differences(PROOF, PROOF) == []


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (replace(MISSED, points={"softmax": 2.5, "scores": None}), "task softmax: 2.0 -> 2.5"),
        (replace(MISSED, points={"softmax": 2.0, "scores": 0.0}), "task scores: None -> 0.0"),
        (replace(MISSED, points={"softmax": 2.0}), "task scores: None -> absent"),
        (replace(MISSED, lines={**MISSED.lines, "axis": "blocked"}), "line axis: missed -> blocked"),
        (replace(MISSED, lines={**MISSED.lines, "sum": "missed"}), "line sum: absent -> missed"),
        (replace(MISSED, names={}), "named wrong-axis -> nothing"),
        (replace(MISSED, names={"axis": "no-maximum"}), "named wrong-axis -> no-maximum"),
        (replace(MISSED, names={"axis": "wrong-axis", "rows": "other"}), "named wrong-axis -> other, wrong-axis"),
    ],
)
def test_every_change_of_a_verdict_is_a_difference(case: CaseRecord, text: str) -> None:
    assert differences(PROOF, with_case(case)) == [Difference("02-attention mistake:wrong-axis", text)]


def test_a_gained_name_is_harmless() -> None:
    [difference] = differences(with_case(replace(MISSED, names={})), PROOF)
    assert difference == Difference("02-attention mistake:wrong-axis", "named nothing -> wrong-axis", is_harmless=True)


def test_two_names_at_once_are_not() -> None:
    two = with_case(replace(MISSED, names={"axis": "wrong-axis", "rows": "other"}))
    [difference] = differences(with_case(replace(MISSED, names={})), two)
    assert not difference.is_harmless


def test_a_name_may_move_to_another_line_of_its_case() -> None:
    assert differences(PROOF, with_case(replace(MISSED, names={"rows": "wrong-axis"}))) == []


def test_a_new_case_is_harmless() -> None:
    [difference] = differences(replace(PROOF, cases={}), replace(PROOF, cases={"02-attention solution:en": FULL}))
    assert difference.is_harmless


def test_another_backend_is_a_difference() -> None:
    assert [d.text for d in differences(PROOF, replace(PROOF, backend="jax"))] == [
        "were recorded on tensorflow, and graded on jax"
    ]


def test_what_was_not_graded_is_a_difference_in_its_own_assignment_only() -> None:
    now = replace(PROOF, cases={"02-attention solution:en": FULL})
    assert [d.case for d in not_graded(PROOF, now, ["02-attention"])] == ["02-attention mistake:wrong-axis"]
    assert not_graded(PROOF, now, ["04-masks"]) == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "Received"),
        ("[]", "must be of format 1"),
        ('{"format": 9}', "must be of format 1"),
        ('{"format": 1, "backend": "jax"}', "'cases' is missing"),
        ('{"format": 1, "backend": "jax", "cases": {"a": {"points": {}}}}', "'lines' is missing"),
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CourseError, match=says):
        read_record(path)


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="A record must be a file"):
        read_record(tmp_path / "none")
