"""The proof of the course: what `autograder check` does, on every backend that is installed.

With `PROOF_DAY` in the environment only a part of the mistakes and alternatives, and one assignment on other backends. Half of that part's
mistakes are graded in kernels of their own, as submissions are; the others share some. `.ci/run` takes other parts each day.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from parts import part_of_the_day, todays

from autograder.proof import check as checking
from autograder.sources.course import Course
from tests.nameable import nameable

pytestmark = pytest.mark.course

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENTS = sorted(path.parent.name for path in (ROOT / "solutions").glob("[0-9]*/notebook.py"))

# On JAX the blocks and models of 05 to 10 compile for minutes: `autograder check ASSIGNMENT --backend jax` by hand.
LIGHT = todays(ASSIGNMENTS[:4], 4)
PART, APART = part_of_the_day(5), part_of_the_day(10)
# Those of one assignment show that variants work. All of them: `autograder check --variants` by hand, before a release.
IN_EVERY_STYLE = ["02-attention"]


def failures(tallies: list[checking.Tally]) -> list[str]:
    return [
        f"{r.case.assignment} {r.case.kind} {r.case.id}: {r.failed}" for t in tallies for r in t.results if r.failed
    ]


@pytest.fixture(scope="module")
def proof(course: Course) -> dict[str, checking.Tally]:
    """Every solution, release, mistake and alternative, graded, but for those of other parts."""
    return {tally.assignment: tally for tally in checking.check(course, ASSIGNMENTS, part=PART, apart=APART)}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_case_comes_out_as_it_must(proof: dict[str, checking.Tally], assignment: str) -> None:
    assert failures([proof[assignment]]) == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_mistake_costs_nothing_elsewhere_and_gets_no_other_name(
    course: Course, proof: dict[str, checking.Tally], assignment: str
) -> None:
    mistakes = proof[assignment].of("mistake")
    assert mistakes and len(checking.cases_of(course, assignment, only="mistake:")) >= 12
    assert [r.case.id for r in mistakes if r.follow_on] == []
    assert [r.case.id for r in mistakes if r.misnamed] == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_mistake_whose_recorded_answers_are_its_own_is_named(
    course: Course, proof: dict[str, checking.Tally], assignment: str
) -> None:
    """What it answers when it is graded is what was recorded, but for what is chance: a sentence that has changed since would cost names."""
    own = nameable(course.source(assignment))
    asked = [r for r in proof[assignment].of("mistake") if r.case.id in own]
    unnamed = [r.case.id for r in asked if not r.named]
    assert asked
    assert len(unnamed) <= 2, unnamed


def test_a_slip_misses_the_same_lines_in_every_style(course: Course) -> None:
    tallies = checking.check(course, IN_EVERY_STYLE, only="variant:")
    assert failures(tallies) == []
    assert sum(len(tally.of("variant")) for tally in tallies) >= 50


def test_most_mistakes_are_named(proof: dict[str, checking.Tally]) -> None:
    named = {name: sum(r.named for r in tally.of("mistake")) for name, tally in proof.items()}
    entries = {name: len(tally.of("mistake")) for name, tally in proof.items()}
    right = {name: tally.good("alternative") for name, tally in proof.items()}
    print("named:", named, "of", entries, "right alternatives:", right)
    assert sum(named.values()) >= 0.8 * sum(entries.values())


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_solutions_and_alternatives_are_right_on_other_backends(course: Course, backend: str) -> None:
    if importlib.util.find_spec(backend) is None:
        pytest.skip(f"{backend} is not installed: EXTRAS=test,backends ./run tests installs it")
    tallies = checking.check(course, LIGHT, only="solution:,alternative:", backend=backend)
    assert failures(tallies) == []
    assert all(tally.of("solution") and tally.of("alternative") for tally in tallies)
