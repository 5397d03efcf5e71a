"""The reference of 07-training against hand-worked figures, and its numbers against readers that go the other way."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.sources.notebooks import read_source

from .. import reference as oracle
from .. import stand_ins

# float64 throughout: only rounding is left
EXACT = {"rtol": 1e-12, "atol": 1e-12}
NOTEBOOK = Path(__file__).resolve().parent.parent / "notebook.py"

numbers = st.one_of(
    st.integers(1, 10**12 - 1),
    st.lists(st.sampled_from("00001123456789"), min_size=1, max_size=12).map(lambda d: int("".join(d)) or 1),
)

# --- the two number systems ------------------------------------------------------------------------------------------

READINGS = {
    1: ("일", "one"),
    10: ("십", "ten"),
    11: ("십일", "eleven"),
    20: ("이십", "twenty"),
    21: ("이십일", "twenty one"),
    100: ("백", "one hundred"),
    101: ("백일", "one hundred one"),
    111: ("백십일", "one hundred eleven"),
    321: ("삼백이십일", "three hundred twenty one"),
    1_000: ("천", "one thousand"),
    1_111: ("천백십일", "one thousand one hundred eleven"),
    10_000: ("만", "ten thousand"),
    10_001: ("만일", "ten thousand one"),
    11_000: ("만천", "eleven thousand"),
    20_000: ("이만", "twenty thousand"),
    110_000: ("십일만", "one hundred ten thousand"),
    120_000: ("십이만", "one hundred twenty thousand"),
    1_000_000: ("백만", "one million"),
    10_000_000: ("천만", "ten million"),
    100_000_000: ("일억", "one hundred million"),
    100_010_000: ("일억일만", "one hundred million ten thousand"),
    110_000_000: ("일억천만", "one hundred ten million"),
    1_000_000_000: ("십억", "one billion"),
    1_000_010_000: ("십억일만", "one billion ten thousand"),
    100_000_000_000: ("천억", "one hundred billion"),
    123_456_789_012: (
        "천이백삼십사억오천육백칠십팔만구천십이",
        "one hundred twenty three billion four hundred fifty six million seven hundred eighty nine thousand twelve",
    ),
}


@pytest.mark.parametrize("number", READINGS)
def test_numbers_are_read_as_a_dictionary_says(number):
    assert ("".join(oracle.korean_syllables(number)), " ".join(oracle.english_words(number))) == READINGS[number]


def value_of_korean(syllables: list[str]) -> int:
    """Evaluate a reading from left to right, as a listener does."""
    total = group = digit = 0
    for syllable in syllables:
        if syllable in "십백천":
            group += (digit or 1) * 10 ** ("십백천".index(syllable) + 1)
            digit = 0
        elif syllable in "만억":
            total += ((group + digit) or 1) * 10 ** {"만": 4, "억": 8}[syllable]
            group = digit = 0
        else:
            digit = "일이삼사오육칠팔구".index(syllable) + 1
    return total + group + digit


def value_of_english(words: list[str]) -> int:
    """Evaluate English words from left to right."""
    small = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
    ]
    small += ["seventeen", "eighteen", "nineteen"]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    total = group = 0
    for word in words:
        if word in small:
            group += small.index(word)
        elif word in tens:
            group += 10 * (tens.index(word) + 2)
        elif word == "hundred":
            group *= 100
        else:
            total += group * {"thousand": 10**3, "million": 10**6, "billion": 10**9}[word]
            group = 0
    return total + group


@given(number=numbers)
def test_readings_say_the_number(number):
    assert value_of_korean(oracle.korean_syllables(number)) == number
    assert value_of_english(oracle.english_words(number)) == number


@given(number=numbers)
def test_a_silent_one_is_never_written(number):
    reading = "".join(oracle.korean_syllables(number))
    assert not any(silent in reading for silent in ("일십", "일백", "일천"))
    assert not reading.startswith("일만")
    # anywhere else 일 stays before 만
    ten_thousands = number // 10**4
    assert ("일만" in reading) == (ten_thousands % 10 == 1 and ten_thousands != 1)


@cache
def notebook_cells() -> dict[str, Any]:
    """Execute the notebook's cell that draws and spells numbers."""
    names: dict[str, Any] = {"np": np, "PAD": 0}
    cell = read_source(NOTEBOOK).known_cells["numbers"].texts["en"]
    exec(compile(cell.split("\n\n\nfor number in")[0], "<numbers>", "exec"), names)
    return names


@given(number=numbers)
def test_the_notebook_spells_as_the_reference_does(number):
    notebook = notebook_cells()
    assert notebook["read_in_korean"](number) == oracle.korean_syllables(number)
    assert notebook["read_in_english"](number) == oracle.english_words(number)


def test_the_notebook_has_the_references_vocabulary_and_lengths():
    notebook = notebook_cells()
    assert notebook["IDS"] == oracle.VOCABULARY
    assert (notebook["SOURCE_LEN"], notebook["TARGET_LEN"]) == (oracle.SOURCE_LEN, oracle.TARGET_LEN)
    assert notebook["MAX_LEN"] == oracle.MAX_LEN


def test_the_notebook_makes_the_references_pairs():
    drawn = oracle.draw_numbers(np.random.default_rng(3), 50)
    for own, other in zip(oracle.number_pairs(drawn), notebook_cells()["to_pairs"](drawn), strict=True):
        np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize("draw", ["reference", "notebook"])
def test_numbers_are_different_of_all_lengths_and_often_hold_zeros(draw):
    count = 6000
    if draw == "reference":
        drawn = oracle.draw_numbers(np.random.default_rng(0), count)
    else:
        drawn = notebook_cells()["draw_numbers"](count, seed=0)
    assert len(set(drawn)) == count and min(drawn) > 0 and max(drawn) < 10**12
    digits = np.array([len(str(number)) for number in drawn])
    # numbers of 1 to 3 digits are too few to be drawn equally often without repeats
    shares = np.bincount(digits, minlength=13)[5:] / count
    assert shares.min() > 0.7 / 12 and shares.max() < 1.6 / 12
    long = [str(number)[1:] for number in drawn if number >= 10**8]
    # each digit after the first is 0 with probability 0.1, in 30 % of the numbers 0.55
    assert np.mean([text.count("0") / len(text) for text in long]) == pytest.approx(0.7 * 0.1 + 0.3 * 0.55, abs=0.02)


def test_the_longest_readings_fit():
    longest_korean = 999_999_999_999
    longest_english = 777_777_777_777
    assert len(oracle.korean_syllables(longest_korean)) == oracle.SOURCE_LEN
    assert len(oracle.english_words(longest_english)) + 2 == oracle.TARGET_LEN
    assert max(oracle.SOURCE_LEN, oracle.TARGET_LEN) <= oracle.MAX_LEN


# --- schedule --------------------------------------------------------------------------------------------------------


def test_the_papers_schedule_peaks_at_the_end_of_the_warmup():
    rates = oracle.learning_rate(np.arange(12_000), 512, 4000)
    assert int(np.argmax(rates)) == 3999
    np.testing.assert_allclose(rates[3999], (512 * 4000) ** -0.5, **EXACT)
    np.testing.assert_allclose(rates[0], 512**-0.5 * 4000**-1.5, **EXACT)


@given(step=st.integers(0, 10**6), d_model=st.integers(1, 1024), warmup=st.integers(1, 10**4))
def test_the_schedule_is_the_smaller_of_two_terms(step, d_model, warmup):
    expected = d_model**-0.5 * min((step + 1) ** -0.5, (step + 1) * warmup**-1.5)
    np.testing.assert_allclose(oracle.learning_rate(step, d_model, warmup), expected, rtol=1e-9)


# --- loss and accuracy -----------------------------------------------------------------------------------------------


def test_teacher_forcing_worked_by_hand():
    reads, asked = oracle.teacher_forcing_pairs([[1, 7, 8, 2, 0]])
    assert reads.tolist() == [[1, 7, 8, 2]] and asked.tolist() == [[7, 8, 2, 0]]


def test_loss_worked_by_hand():
    logits = np.log([[[1, 2, 1], [3, 1, 4], [1, 1, 1]]])
    expected = (np.log(2) + np.log(2)) / 2
    np.testing.assert_allclose(oracle.masked_loss([[1, 2, 0]], logits), expected, **EXACT)


def test_smoothed_loss_worked_by_hand():
    logits = np.log([[[0.5, 0.25, 0.25]]])
    # the label's share is 0.8 + 0.2 / 3, the others' 0.2 / 3 each
    expected = -(0.2 / 3 * np.log(0.5) + (0.8 + 0.2 / 3) * np.log(0.25) + 0.2 / 3 * np.log(0.25))
    np.testing.assert_allclose(oracle.masked_loss([[1]], logits, 0.2), expected, **EXACT)


def test_loss_of_equal_logits_is_the_logarithm_of_the_vocabulary():
    np.testing.assert_allclose(oracle.masked_loss([[3, 4]], np.ones((1, 2, 9)), 0.3), np.log(9), **EXACT)


def test_loss_of_huge_logits_is_their_difference():
    np.testing.assert_allclose(oracle.masked_loss([[1]], [[[5000.0, 2000.0]]]), 3000, **EXACT)


@given(seed=st.integers(0, 999), extra=st.integers(1, 4), smoothing=st.floats(0, 0.5))
def test_more_padding_changes_neither_loss_nor_accuracy(seed, extra, smoothing):
    rng = np.random.default_rng(seed)
    labels, logits = rng.integers(1, 7, (2, 3)), rng.normal(size=(2, 3, 7))
    padded, more = np.pad(labels, ((0, 0), (0, extra))), np.pad(logits, ((0, 0), (0, extra), (0, 0)))
    np.testing.assert_allclose(
        oracle.masked_loss(padded, more, smoothing), oracle.masked_loss(labels, logits, smoothing), **EXACT
    )
    assert oracle.masked_accuracy(padded, more) == oracle.masked_accuracy(labels, logits)


def test_nothing_but_padding_is_zero():
    assert oracle.masked_loss([[0, 0]], np.ones((1, 2, 5))) == 0
    assert oracle.masked_accuracy([[0, 0]], np.ones((1, 2, 5))) == 0


def test_accuracy_worked_by_hand():
    assert oracle.masked_accuracy([[1, 2, 3, 0]], np.eye(4)[[[1, 2, 0, 0]]]) == pytest.approx(2 / 3)


# --- decoding --------------------------------------------------------------------------------------------------------


def test_greedy_decoding_worked_by_hand():
    following = {1: 5, 5: 4, 4: 2, 2: 5}
    ids = oracle.greedy_decode(lambda row, prefix: np.eye(6)[following[prefix[-1]] if row else 2], 2, 1, 2, 9)
    assert ids.tolist() == [[1, 2, 0, 0], [1, 5, 4, 2]]


def test_greedy_decoding_ends_at_max_len():
    assert oracle.greedy_decode(lambda row, prefix: np.eye(6)[3], 1, 1, 2, 4).tolist() == [[1, 3, 3, 3]]


@pytest.mark.parametrize(
    ("predicted", "share"),
    [
        ([[1, 5, 2, 0], [1, 6, 2, 0]], 1.0),
        ([[1, 5, 2, 7], [1, 6, 2, 2]], 1.0),
        ([[1, 5, 5, 2], [1, 6, 2, 0]], 0.5),
        ([[1, 5, 0, 0], [1, 0, 0, 0]], 0.0),
    ],
    ids=["same", "after the end", "one wrong", "without an end"],
)
def test_exact_match_looks_up_to_the_end(predicted, share):
    assert oracle.exact_match(predicted, [[1, 5, 2], [1, 6, 2]]) == share


def test_a_stand_in_tells_prefixes_apart():
    rng = np.random.default_rng(0)
    tell = stand_ins.teller(rng.integers(0, 41, (41, 13)), rng.normal(size=(41, 13)))
    model = stand_ins.chain(tell, 13)
    source, target = np.array([[4, 5, 6]]), np.array([[1, 7, 8, 9]])
    whole = model.predict([source, target])
    np.testing.assert_array_equal(model.predict([source, target[:, :2]]), whole[:, :2])
    assert (model.predict([source, target[:, [0, 2, 1, 3]]])[:, 3] != whole[:, 3]).any()
    assert (model.predict([source[:, ::-1], target]) != whole).any()
    assert tell() == 4
