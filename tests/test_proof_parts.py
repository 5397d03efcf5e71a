"""A proof in parts: together they are the whole, and each holds what every part must."""

from __future__ import annotations

import pytest
from browser import looked_at
from parts import is_todays, part_of_the_day, todays

from autograder.base.errors import CourseError
from autograder.proof.check import cases_of, read_part
from autograder.sources.course import Course


@pytest.mark.parametrize("assignment", ["02-attention", "07-training"])
def test_parts_are_the_whole_together(course: Course, assignment: str) -> None:
    parts = [cases_of(course, assignment, part=(number, 3)) for number in (1, 2, 3)]
    whole = cases_of(course, assignment)
    assert set().union(*parts) == set(whole)
    for_all = {case for case in whole if case.kind in ("solution", "release")}
    assert sum(len(set(part) - for_all) for part in parts) == len(set(whole) - for_all)
    assert all(for_all <= set(part) for part in parts)
    mistakes = [case for case in whole if case.kind == "mistake"]
    assert all(len(mistakes) / 5 < len(set(part) & set(mistakes)) < len(mistakes) / 2 for part in parts)


def test_a_days_tenth_lies_in_its_fifth(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(20_000, 20_020):
        monkeypatch.setenv("PROOF_DAY", str(day))
        fifth, tenth = (cases_of(course, "02-attention", part=part_of_the_day(days)) for days in (5, 10))
        assert set(tenth) < set(fifth)


def test_everything_has_its_turn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROOF_DAY", raising=False)
    assert part_of_the_day(5) == (1, 1) and all(is_todays(place, 3) for place in range(5))
    assert todays(range(7), 3) == range(7)
    turns = []
    for day in (20_001, 20_002, 20_003):
        monkeypatch.setenv("PROOF_DAY", str(day))
        turns += [place for place in range(7) if is_todays(place, 3)]
        assert list(todays(range(7), 3)) == [place for place in range(7) if is_todays(place, 3)]
    assert sorted(turns) == list(range(7))


@pytest.mark.parametrize("day", ["", "x", "-1", "1/3"])
def test_a_day_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch, day: str) -> None:
    monkeypatch.setenv("PROOF_DAY", day)
    with pytest.raises(ValueError, match="PROOF_DAY must be a whole number"):
        part_of_the_day(5)


def test_pages_in_parts_are_all_pages_together_and_each_page_is_in_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    pages, languages, screens = ["index", "notebook", "search"], ["en", "ko"], ["light", "dark", "phone"]
    parts = []
    for day in (20_001, 20_002, 20_003):
        monkeypatch.setenv("PROOF_DAY", str(day))
        parts.append(looked_at(pages, languages, screens))
    assert all({page for page, _, _ in part} == set(pages) for part in parts)
    monkeypatch.delenv("PROOF_DAY", raising=False)
    assert sorted(combination for part in parts for combination in part) == sorted(looked_at(pages, languages, screens))


@pytest.mark.parametrize("words", ["", "0/3", "4/3", "2", "a/b", "1/0"])
def test_words_that_name_no_part_are_refused(words: str) -> None:
    with pytest.raises(CourseError, match="A part is"):
        read_part(words)
