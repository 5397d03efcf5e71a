"""The probe with a made-up kernel: only plain data comes back, and no text of the student's code reaches the student."""

from __future__ import annotations

import contextlib
import gc
import json
import string
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.base.errors import (
    AnswerError,
    AnswerMissing,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
    GraderError,
    KernelGone,
)
from autograder.base.text import Text
from autograder.grading import Forbidden, Miss, Weight
from autograder.kernels.channel import unpacked
from autograder.kernels.compiled import without_source
from autograder.kernels.probe import MAX_ENTRIES, KernelProbe, RemoteLayer, _weights
from autograder.kernels.resident.wire import HEADER_BYTES, array_of, packed

CODE = """\
import numpy as np

class DimensionError(ValueError): ...

def softmax(x, axis=-1):
    weights = np.exp(x)
    return weights / weights.sum(axis)
"""
UNREADABLE = "can't be read as numbers"
Reply = Mapping[str, Any]


class FakeKernel:
    """Answers a probe's requests in turn with prepared replies, the last one for ever, and keeps the requests."""

    def __init__(self, *replies: Reply | Exception) -> None:
        self.replies = list(replies)
        self.requests: list[Mapping[str, Any]] = []
        self.number = 0
        self.probe = KernelProbe(self.ask, lambda: self.number, CODE)

    def ask(self, request: Mapping[str, Any]) -> Any:
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


def _part(array: np.ndarray, **changed: Any) -> dict[str, Any]:
    """Return an array as a part of a message, of numbers or not, with something else in place of what it is or holds."""
    part = {"kind": "array", "dtype": array.dtype.str, "shape": list(array.shape), "bytes": array.tobytes()}
    return {**part, **changed}


def _answer(value: object) -> Any:
    return FakeKernel({"ok": value}).probe.call("softmax")


def _error(kinds: object = None, text: object = "", line: object = "") -> AnswerError:
    """Return the error that a grader gets if the student's code raised so."""
    kinds = ["ValueError", "Exception"] if kinds is None else kinds
    kernel = FakeKernel({"error": {"kinds": kinds, "text": text, "line": line}})
    with pytest.raises(AnswerError, match=".") as caught:
        kernel.probe.call("softmax")
    return caught.value


# --- answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ({"kind": "plain", "value": None}, None),
        ({"kind": "plain", "value": True}, True),
        ({"kind": "plain", "value": 3}, 3),
        ({"kind": "plain", "value": "text"}, "text"),
        ({"kind": "float", "value": "0x1.8p+1"}, 3.0),
        ({"kind": "float", "value": "inf"}, float("inf")),
        ({"kind": "tuple", "parts": []}, ()),
        ({"kind": "tuple", "parts": [{"kind": "plain", "value": 1}, {"kind": "tuple", "parts": []}]}, (1, ())),
    ],
    ids=["None", "bool", "int", "str", "float", "infinity", "empty tuple", "nested tuple"],
)
def test_plain_answers_are_read(reply, value):
    answer = _answer(reply)
    assert answer == value and type(answer) is type(value)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "?", "c16", ">f8"])
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)], ids=str)
def test_arrays_are_read_as_they_are(dtype, shape):
    array = np.ones(shape, dtype)
    answer = _answer(_part(array))
    assert (answer.dtype, answer.shape, answer.tolist()) == (array.dtype, shape, array.tolist())


ONES = np.ones(9)
REFUSED: dict[str, object] = {
    "nothing": None,
    "a number": 5,
    "a string": "array",
    "a list": [],
    "no kind": {},
    "unknown kind": {"kind": "pickle", "value": 1},
    "kind a list": {"kind": ["plain"], "value": 1},
    "kind an object": {"kind": {}, "value": 1},
    "object of the kernel": {"kind": "object", "id": 0},
    "plain without value": {"kind": "plain"},
    "plain float": {"kind": "plain", "value": 0.5},
    "plain list": {"kind": "plain", "value": [1]},
    "plain object": {"kind": "plain", "value": {"a": 1}},
    "float not hexadecimal": {"kind": "float", "value": "pi"},
    "float a number": {"kind": "float", "value": 0.5},
    "float too large": {"kind": "float", "value": "0x1p99999"},
    "tuple without parts": {"kind": "tuple"},
    "tuple of a number": {"kind": "tuple", "parts": 5},
    "tuple of a string": {"kind": "tuple", "parts": "ab"},
    "tuple of 17": {"kind": "tuple", "parts": [{"kind": "plain", "value": 1}] * 17},
    "tuple with a bad part": {"kind": "tuple", "parts": [{"kind": "plain", "value": 1}, {"kind": "bad"}]},
    "array without data": {"kind": "array"},
    "array of a number": _part(ONES, bytes=5),
    "array of a string": _part(ONES, bytes="abc"),
    "array without bytes": _part(ONES, bytes=None),
    "empty data": _part(ONES, bytes=b""),
    "cut off": _part(ONES, bytes=ONES.tobytes()[:-8]),
    "a byte too many": _part(ONES, bytes=ONES.tobytes() + b"0"),
    "object dtype": _part(ONES, dtype="|O"),
    "object dtype of a size": _part(ONES, dtype="|O8"),
    "strings": _part(np.array(["a"])),
    "bytes": _part(np.array([b"a"])),
    "dates": _part(np.array(["2020-01-01"], "M8[D]")),
    "records": _part(np.zeros(2, "f8,i4")),
    "records by their names": _part(ONES, dtype="<f4,<f4"),
    "void": _part(np.zeros(2, "V8")),
    "17 dimensions": _part(np.zeros((1,) * 17)),
    "65 dimensions": _part(ONES, shape=[1] * 64 + [9]),
    "huge shape": _part(ONES, shape=[1000000000000000]),
    "overflowing shape": _part(ONES, shape=[4294967296, 4294967296, 4294967296]),
    "shape beyond int64": _part(ONES, shape=[10**30]),
    "empty shape beyond int64": _part(ONES, shape=[0, 10**30], bytes=b""),
    "negative shape": _part(ONES, shape=[-1]),
    "negative shape twice": _part(ONES, shape=[-3, -3]),
    "no shape": {name: value for name, value in _part(ONES).items() if name != "shape"},
    "shape a string": _part(ONES, shape="abc"),
    "shape of fractions": _part(ONES, shape=[9.0]),
    "shape of truth values": _part(np.ones(1), shape=[True]),
    "unknown dtype": _part(ONES, dtype="pudding"),
    "dtype of an unknown size": _part(ONES, dtype="<f9"),
    "dtype a list": _part(ONES, dtype=[]),
    "dtype nested": _part(ONES, dtype=["<f8", [2, 2]]),
    "dtype with a line after it": _part(ONES, dtype="<f8\n"),
    "no dtype": {name: value for name, value in _part(ONES).items() if name != "dtype"},
}


@pytest.mark.parametrize("reply", REFUSED.values(), ids=REFUSED)
def test_what_is_no_plain_data_is_refused(reply):
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        _answer(reply)


def test_tuples_in_tuples_for_ever_are_refused():
    reply: dict[str, Any] = {"kind": "plain", "value": 1}
    for _ in range(500):
        reply = {"kind": "tuple", "parts": [reply]}
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        _answer(reply)


def _is_read_or_refused(reply: object) -> bool:
    with contextlib.suppress(AnswerUnreadable):
        _answer(reply)
    return True


dtypes = st.sampled_from(["<f8", ">c16", "|b1", "|O8", "<U1", "<f3"]) | st.text(
    "<>|=biufcOSUV0123456789,()", max_size=5
)


@given(st.binary(max_size=60), dtypes, st.lists(st.integers(-2, 9) | st.integers(), max_size=3))
@example(b"", "|O8", [0])
def test_any_array_bytes_are_read_or_refused(content, dtype, shape):
    assert _is_read_or_refused({"kind": "array", "dtype": dtype, "shape": shape, "bytes": content})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["kind", "value", "parts", "dtype", "shape", "bytes"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(json_values)
def test_any_reply_is_read_or_refused(reply):
    assert _is_read_or_refused(reply)


@given(json_values | st.dictionaries(st.sampled_from(["kinds", "text", "line"]), json_values))
def test_any_error_description_becomes_an_answer_error(description):
    with pytest.raises(AnswerError, match="."):
        FakeKernel({"error": description}).probe.call("softmax")


# --- questions -------------------------------------------------------------------------------------------------------


def _sent(*args: object, **kwargs: object) -> Mapping[str, Any]:
    kernel = FakeKernel({"ok": {"kind": "plain", "value": 1}})
    kernel.probe.call("softmax", *args, **kwargs)
    return kernel.requests[0]


def _read_back(encoded: Mapping[str, Any]) -> np.ndarray:
    return array_of(encoded)


def test_a_call_names_its_function():
    assert (_sent()["do"], _sent()["name"]) == ("call", "softmax")


@pytest.mark.parametrize("value", [None, True, 3, 0.5, "text"], ids=repr)
def test_plain_arguments_are_sent_as_they_are(value):
    assert _sent(value)["args"] == [{"kind": "plain", "value": value}]


@pytest.mark.parametrize("kind", [tuple, list])
def test_tuples_and_lists_are_sent_in_parts(kind):
    parts = [{"kind": "plain", "value": 1}, {"kind": "plain", "value": 2}]
    assert _sent(axes=kind((1, 2)))["kwargs"] == {"axes": {"kind": kind.__name__, "parts": parts}}


@pytest.mark.parametrize("array", [np.arange(6.0).reshape(2, 3), np.arange(3), np.array(2.5)], ids=["f8", "i8", "0-d"])
def test_arrays_are_sent_with_their_type_and_shape(array):
    sent = _read_back(_sent(array)["args"][0])
    assert (sent.dtype, sent.shape, sent.tolist()) == (array.dtype, array.shape, array.tolist())


@pytest.mark.parametrize(
    "value", [object(), {1: 2}, {1}, b"bytes", print], ids=["object", "dict", "set", "bytes", "code"]
)
def test_arguments_of_other_types_are_the_graders_fault(value):
    with pytest.raises(GraderError, match="A probe takes arrays, numbers"):
        _sent(value)


def test_an_array_of_objects_is_not_sent():
    with pytest.raises(ValueError, match="Received: one of object"):
        _sent(np.array([None]))


# --- a second try in float32 -----------------------------------------------------------------------------------------

RAISED = {"error": {"kinds": ["TypeError", "Exception"], "text": "", "line": ""}}
OTHER = {"error": {"kinds": ["KeyError", "Exception"], "text": "", "line": ""}}
FINE = {"ok": {"kind": "plain", "value": 7}}


@pytest.mark.parametrize(
    "arguments",
    [(np.ones(2),), (1, (np.ones(2),)), ([np.ones(2), np.ones(3, int)],)],
    ids=["array", "in a tuple", "in a list"],
)
def test_a_call_that_raises_is_tried_again_in_float32(arguments):
    assert FakeKernel(RAISED, FINE).probe.call("softmax", *arguments) == 7


def test_keyword_arguments_are_tried_again_in_float32():
    assert FakeKernel(RAISED, FINE).probe.call("softmax", x=np.ones(2)) == 7


def test_the_second_try_has_the_same_numbers_in_float32():
    kernel = FakeKernel(RAISED, FINE)
    kernel.probe.call("softmax", np.array([0.5, 3.0]), np.array([1, 2]))
    sent = [_read_back(encoded) for encoded in kernel.requests[1]["args"]]
    assert [(array.dtype.name, array.tolist()) for array in sent] == [("float32", [0.5, 3.0]), ("int64", [1, 2])]


def test_if_both_tries_raise_the_first_is_told():
    with pytest.raises(AnswerRaised, match="Your code raised TypeError"):
        FakeKernel(RAISED, OTHER).probe.call("softmax", np.ones(2))


def test_a_call_that_succeeds_is_made_once():
    kernel = FakeKernel(FINE)
    kernel.probe.call("softmax", np.ones(2))
    assert len(kernel.requests) == 1


@pytest.mark.parametrize("argument", [5, np.ones(2, int), np.ones(2, np.float32)], ids=["int", "ints", "float32"])
def test_without_float64_there_is_no_second_try(argument):
    kernel = FakeKernel(RAISED, FINE)
    with pytest.raises(AnswerRaised, match="Your code raised TypeError"):
        kernel.probe.call("softmax", argument)
    assert len(kernel.requests) == 1


# --- what students are told ------------------------------------------------------------------------------------------

SHOWN = [
    "name 'softmax' is not defined",
    "cannot access local variable 'weights' where it is not associated with a value",
    "module 'numpy' has no attribute 'exp'",
    "'numpy.ndarray' object has no attribute 'weights'",
    "'NoneType' object is not subscriptable",
    "softmax() takes 1 positional argument but 2 were given",
    "softmax() takes from 1 to 2 positional arguments but 3 were given",
    "softmax() missing 1 required positional argument: 'x'",
    "softmax() got an unexpected keyword argument 'axis'",
    "operands could not be broadcast together with shapes (2,3) (4,) ",
    "shapes (2,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)",
    "operands could not be broadcast together with shapes (2,10,4,16) (128,32,200) ",
    "operands could not be broadcast together with shapes (128,8,100,100) (128,1,1,100) ",
    "shapes (2,10,4,16) and (2,10,4,16) not aligned: 16 (dim 3) != 4 (dim 2)",
    "cannot reshape array of size 6 into shape (4,2)",
    "axes don't match array",
    "division by zero",
    "unsupported operand type(s) for +: 'int' and 'NoneType'",
    "maximum recursion depth exceeded",
    "maximum recursion depth exceeded in comparison",
]


@pytest.mark.parametrize("text", SHOWN)
def test_a_known_sentence_is_shown(text):
    assert _error(text=text).text.en == f"Your code raised ValueError: {text}."


@pytest.mark.parametrize("text", SHOWN)
def test_a_known_sentence_is_shown_in_korean_too(text):
    assert text in _error(text=text).text.ko


@pytest.mark.parametrize("line", ["raise ValueError(text)", "raise", "raise(error)"])
def test_a_known_sentence_that_the_student_raises_is_not_shown(line):
    assert _error(text="division by zero", line=line).text.en == "Your code raised ValueError."


@pytest.mark.parametrize(
    "text",
    [
        "name 'hidden' is not defined",
        "cannot access local variable 'hidden' where it is not associated with a value",
        "module 'numpy' has no attribute 'hidden'",
        "module 'hidden' has no attribute 'exp'",
        "'hidden' object has no attribute 'exp'",
        "'hidden' object is not callable",
        "hidden() takes 1 positional argument but 2 were given",
        "hidden() missing 1 required positional argument: 'x'",
        "softmax() missing 1 required positional argument: 'hidden'",
        "softmax() got an unexpected keyword argument 'hidden'",
        "unsupported operand type(s) for +: 'int' and 'hidden'",
    ],
)
def test_a_known_sentence_with_a_name_that_is_not_the_students_is_not_shown(text):
    assert "hidden" not in _error(text=text).text.en


@pytest.mark.parametrize(
    "text",
    [
        "operands could not be broadcast together with shapes (314159265,) (3,)",
        "operands could not be broadcast together with shapes (3 1 4 1 5 9 2 6 5 3 5 8 9 7) (3,)",
        "shapes (2,3) and (4,5) not aligned: 314159265 (dim 1) != 4 (dim 0)",
        "cannot reshape array of size 314159265358979 into shape (4,2)",
        "softmax() takes 314159265358979 positional arguments but 2 were given",
        "softmax() takes 1 positional argument but 314159265358979 were given",
        "softmax() missing 314159265358979 required positional arguments: 'x'",
        "matmul: Input operand 1 has a mismatch in its core dimension 0 3.14159265 (size 4 is different from 3)",
        "matmul: Input operand 1 has a mismatch in its core dimension 0 (size 314159265 is different from 3)",
        "maximum recursion depth exceeded: 3.14159265",
        "unsupported operand type(s) for 3.1: 'int' and 'int'",
    ],
)
def test_a_forged_sentence_does_not_carry_numbers(text):
    shown = _error(text=text).text.en
    assert not [digits for digits in ("314", "3 1 4", "3.1") if digits in shown]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "operands could not be broadcast together with shapes (123,456,789,123,456) (3,) ",
            "operands could not be broadcast together",
        ),
        (
            "operands could not be broadcast together with shapes (123,456,789,123) (123,456,789,123) ",
            "operands could not be broadcast together",
        ),
        (
            "operands could not be broadcast together with shapes (٣,١) (٤,١) ",
            "operands could not be broadcast together",
        ),
        ("cannot reshape array of size 31415 into shape (4,2)", "cannot reshape array"),
    ],
    ids=["axes", "digits", "other digits", "size"],
)
def test_a_known_sentence_of_many_sizes_is_shown_without_them(text: str, shown: str) -> None:
    assert _error(text=text).text.en == f"Your code raised ValueError: {shown}."


@pytest.mark.parametrize(
    ("code", "is_shown"),
    [
        ("v31 = 1", True),
        ("x.v31()", True),
        ("print(f'{v31}')", True),
        ('print(rf"""{v31}""")', True),
        ("def broken(v31", True),
        ("'open\nv31", True),
        ("v314 = 1", False),
        ("_v31 = 1", False),
        ("x = 1  # v31", False),
        ("'v31'", False),
        ('"""v31"""', False),
        ("%magic isn't v31", False),
    ],
)
def test_a_name_is_shown_only_if_it_is_a_whole_one_of_the_code(code: str, is_shown: bool) -> None:
    reply = {"error": {"kinds": ["NameError"], "text": "name 'v31' is not defined", "line": ""}}
    with pytest.raises(AnswerRaised) as caught:
        KernelProbe(lambda request: reply, lambda: 0, code).call("softmax", [1.0])
    assert ("v31" in caught.value.text.en) == is_shown


def test_part_of_a_name_is_no_name_of_an_exception():
    assert _error(kinds=["Dimension"]).text.en == "Your code raised an exception."


@pytest.mark.parametrize("count", [9_000, 10_001])
def test_a_table_of_names_or_lines_is_not_quoted(count: int) -> None:
    code = "\n".join(f"n{number}" for number in range(count))
    reply = {"error": {"kinds": ["NameError"], "text": "name 'n17' is not defined", "line": "n18"}}
    with pytest.raises(AnswerRaised) as caught:
        KernelProbe(lambda request: reply, lambda: 0, code).call("softmax", [1.0])
    assert [name in caught.value.text.en for name in ("n17", "n18")] == [count < 10_000] * 2


def test_the_sizes_of_an_empty_array_are_bounded():
    assert _answer(_part(np.empty((0, 50_000_000), "u1"))).shape == (0, 50_000_000)
    with pytest.raises(AnswerUnreadable, match="far too large"):
        _answer(_part(np.empty((0, 314159265, 0, 2), "u1")))


@pytest.mark.parametrize(
    "text",
    [
        "matmul: Input operand 1 has a mismatch in its core dimension 0 the secret (size 4 is different from 3)",
        "maximum recursion depth exceeded: the secret",
        "softmax() missing 1 required positional argument: the secret",
        "softmax() missing 1 required positional argument: the_secret",
        "division by zero\nthe secret",
        "the secret: division by zero",
    ],
)
def test_a_forged_sentence_does_not_carry_words(text):
    shown = _error(text=text).text
    assert not [word for word in ("the secret", "the_secret") if word in shown.en + shown.ko]


@pytest.mark.parametrize("kind", ["NotDefined", "NotNumbers", "ForbiddenReached", "NotImplementedError"])
@pytest.mark.parametrize("text", ["secret_3.14159", "x314159265", "hidden"])
def test_an_exception_of_a_name_that_the_probe_uses_does_not_carry_its_text(kind, text):
    assert text not in _error(kinds=[kind, "Exception"], text=text).text.en


@pytest.mark.parametrize("kind", ["Secret314159", "x" * 99, "not a name", "3.14159", "", "Hidden"])
def test_the_name_of_an_exception_is_shown_only_if_it_is_known(kind):
    assert _error(kinds=[kind]).text.en == "Your code raised an exception."


@pytest.mark.parametrize("kind", ["DimensionError", "ValueError", "KeyboardInterrupt"])
def test_the_name_of_an_exception_of_python_or_the_student_is_shown(kind):
    assert _error(kinds=[kind, "Exception"]).text.en == f"Your code raised {kind}."


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("weights = np.exp(x)", " (at `weights = np.exp(x)`)"),
        ("weights = np.exp(y)", ""),
        ("weights", ""),
        ("weights = np.exp(x)\n", ""),
        ("3.14159", ""),
        ("", ""),
        (["weights = np.exp(x)"], ""),
    ],
    ids=["whole line", "other line", "part of a line", "line end", "number", "none", "list"],
)
def test_the_line_is_shown_only_if_it_is_a_line_of_the_notebook(line, shown):
    assert _error(line=line).text.en == f"Your code raised ValueError{shown}."


@given(
    st.text(min_size=1, max_size=40) | st.floats().map(repr) | st.lists(st.floats(-9, 9), min_size=2).map(str),
    st.sampled_from(["ValueError", "DimensionError", "KeyError", "AttributeError", "Exception"]),
)
@example("[0.1257, -0.1321]", "ValueError")
def test_arbitrary_text_is_never_shown(text, kind):
    without = _error(kinds=[kind], text="").text
    assert _error(kinds=[kind], text=text, line=text).text == without


@given(st.lists(st.integers(10**4, 10**9), min_size=1, max_size=4), st.sampled_from(SHOWN))
def test_long_numbers_are_never_shown(numbers, template):
    """Known sentences with every digit replaced by hidden ones."""
    digits = "".join(map(str, numbers))
    forged = "".join(digits if character in string.digits else character for character in template)
    assert digits not in _error(text=forged).text.en


def test_the_raw_text_stays_with_the_error_for_the_grader():
    error = _error(text="dim must be even. Received: dim=5.")
    assert isinstance(error, AnswerRaised) and error.raw == "dim must be even. Received: dim=5."


def test_the_kinds_stay_with_the_error_for_the_grader():
    error = _error(kinds=["DimensionError", "ValueError"])
    assert isinstance(error, AnswerRaised) and error.kinds == ("DimensionError", "ValueError")


def test_a_name_that_is_not_defined_is_told():
    error = _error(kinds=["NotDefined"], text="softmax")
    assert isinstance(error, AnswerMissing) and error.text.en.startswith("`softmax` is not defined")


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (
            "ModuleNotFoundError",
            "No module named 'weights'",
            "ModuleNotFoundError: No module named 'weights'. It isn't",
        ),
        ("ModuleNotFoundError", "No module named 'hidden'", "ModuleNotFoundError. It isn't installed"),
        ("SyntaxError", "invalid syntax (cell.py, line 2)", "SyntaxError."),
        ("Unknown", "hidden", "an exception."),
    ],
)
def test_what_ended_the_cell_of_a_missing_name_is_told(kind: str, text: str, told: str):
    reply = {"error": {"kinds": ["NotDefined"], "text": "softmax", "line": ""}}
    probe = KernelProbe(lambda request: reply, lambda: 0, CODE, unfinished={"softmax": (kind, text)})
    with pytest.raises(AnswerMissing) as caught:
        probe.call("softmax", [1.0])
    assert f"`softmax` is not defined: its cell stopped with {told}" in caught.value.text.en
    with pytest.raises(AnswerMissing, match="is the name spelled"):
        probe.call("other", [1.0])


@pytest.mark.parametrize(
    ("kinds", "text", "told"),
    [
        (["NotNumbers"], "list", UNREADABLE),
        (["NotNumbers"], "too large", "far too large"),
        (["ForbiddenReached"], "", "from scratch"),
    ],
    ids=["no numbers", "too large", "built-in attention"],
)
def test_known_kinds_have_their_own_sentence(kinds, text, told):
    with pytest.raises(AnswerError, match=told):
        raise _error(kinds=kinds, text=text)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("raise NotImplementedError()", "Not written yet."),
        ("raise NotImplementedError", "Not written yet."),
        ("return tf.convert_to_tensor(x)", "Your code raised NotImplementedError."),
    ],
    ids=["stub", "bare stub", "raised by a library"],
)
def test_only_a_stub_is_called_unwritten(line, told):
    assert _error(kinds=["NotImplementedError", "RuntimeError"], line=line).text.en == told


@pytest.mark.parametrize("error", [None, 5, "x", []], ids=repr)
def test_an_error_of_another_shape_is_unreadable(error):
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        FakeKernel({"error": error}).probe.call("softmax")


# --- lost kernels ----------------------------------------------------------------------------------------------------

LOST = AnswerTimeout(Text("It took too long."))


def test_after_a_loss_no_question_is_asked():
    kernel = FakeKernel(LOST, FINE)
    for _ in range(3):
        with pytest.raises(AnswerTimeout, match="too long"):
            kernel.probe.call("softmax", np.ones(2))
    assert len(kernel.requests) == 1


def test_a_loss_is_kept_for_tasks_that_build_on_it():
    kernel = FakeKernel(LOST)
    with pytest.raises(AnswerTimeout, match="too long"):
        kernel.probe.call("softmax")
    assert kernel.probe.lost is LOST


def test_a_probe_of_a_lost_predecessor_asks_nothing():
    kernel = FakeKernel(FINE)
    kernel.probe.lost = LOST
    with pytest.raises(AnswerTimeout, match="too long"):
        kernel.probe.layer("Block")
    assert kernel.requests == []


def test_an_exception_is_no_loss():
    kernel = FakeKernel(RAISED, FINE)
    with pytest.raises(AnswerRaised, match="TypeError"):
        kernel.probe.call("softmax")
    assert kernel.probe.call("softmax") == 7


# --- layers ----------------------------------------------------------------------------------------------------------


def _layer(*replies: Reply | Exception, forbidden: Forbidden | None = None) -> tuple[FakeKernel, Any]:
    """Return a kernel that will give these replies, and a layer with the number 4 in it."""
    kernel = FakeKernel({"ok": 4}, *replies)
    return kernel, kernel.probe.layer("Block", 3, forbidden=forbidden)


def test_a_layer_is_made_by_name():
    kernel, _ = _layer(FINE)
    assert kernel.requests == [{"do": "make", "name": "Block", "args": [{"kind": "plain", "value": 3}], "kwargs": {}}]


@pytest.mark.parametrize("reply", [None, "4", 4.0, [4], {"id": 4}], ids=repr)
def test_a_layer_without_a_number_is_unreadable(reply):
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        FakeKernel({"ok": reply}).probe.layer("Block")


def test_calling_a_layer_sends_float32():
    kernel, layer = _layer(FINE)
    layer(np.ones(2))
    assert _read_back(kernel.requests[-1]["args"][0]).dtype == np.float32


SORTING = Forbidden(
    ("builtins:sorted", "builtins:list.sort"), Text("It sorts with Python's own.", "파이썬의 정렬을 씁니다.")
)


def test_calling_a_layer_forbids_nothing_unless_it_is_told() -> None:
    kernel, layer = _layer(FINE)
    layer()
    assert kernel.requests[-1] == {"do": "invoke", "args": [], "kwargs": {}, "id": 4}


def test_calling_a_layer_says_what_it_may_not_reach() -> None:
    kernel, layer = _layer(FINE, forbidden=SORTING)
    layer()
    assert kernel.requests[-1]["forbidden"] == ["builtins:sorted", "builtins:list.sort"]


def test_reaching_what_is_forbidden_is_said_in_the_courses_words() -> None:
    _, layer = _layer({"error": {"kinds": ["ForbiddenReached", "Exception"], "text": ""}}, forbidden=SORTING)
    with pytest.raises(AnswerRaised) as caught:
        layer()
    assert caught.value.text == SORTING.text and "ForbiddenReached" in caught.value.kinds


def test_a_layer_can_be_an_argument():
    kernel, layer = _layer(FINE)
    kernel.probe.call("copy_weights", layer)
    assert kernel.requests[-1]["args"] == [{"kind": "object", "id": 4}]


def test_weights_are_read():
    _, layer = _layer({"ok": [["query_dense.kernel", [3, 4], True]]})
    assert layer.weights() == [Weight("query_dense.kernel", (3, 4), True)]


@pytest.mark.parametrize(
    "reply",
    [None, 5, [5], [["kernel"]], [["kernel", 3, True]], [["kernel", ["x"], True]], [["kernel", [float("inf")], True]]],
    ids=["None", "number", "list of numbers", "too short", "shape a number", "shape a text", "shape infinite"],
)
def test_weights_of_another_shape_are_unreadable(reply):
    _, layer = _layer({"ok": reply})
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        layer.weights()


def test_assigning_sends_float32_by_path():
    kernel, layer = _layer({"ok": None})
    layer.assign({"kernel": [[1.0, 2.0]]})
    assert _read_back(kernel.requests[-1]["values"]["kernel"]).dtype == np.float32


def test_a_weight_is_read_as_float64():
    _, layer = _layer({"ok": _part(np.ones(2, np.float32))})
    assert layer.read("kernel").dtype == np.float64


@pytest.mark.parametrize(
    "reply",
    [
        {"kind": "plain", "value": "text"},
        {"kind": "plain", "value": None},
        {"kind": "tuple", "parts": [_part(np.ones(2)), _part(np.ones(3))]},
        _part(np.ones(2, complex)),
        None,
    ],
    ids=["text", "None", "ragged tuple", "complex", "nothing"],
)
def test_a_weight_that_is_no_real_array_is_unreadable(reply):
    _, layer = _layer({"ok": reply})
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        layer.read("kernel")


def test_a_clone_is_another_layer():
    _, layer = _layer({"ok": 5})
    assert layer.clone().number == 5


USES: dict[str, Callable[[Any], object]] = {
    "call": lambda layer: layer(),
    "weights": lambda layer: layer.weights(),
    "assign": lambda layer: layer.assign({"kernel": 1.0}),
    "read": lambda layer: layer.read("kernel"),
    "clone": lambda layer: layer.clone(),
    "values": lambda layer: layer.values(),
    "set_values": lambda layer: layer.set_values([1.0]),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_layer_of_an_ended_kernel_is_gone(use):
    kernel, layer = _layer(FINE)
    kernel.number += 1
    with pytest.raises(KernelGone, match="The kernel ended while this task was evaluated"):
        use(layer)


@pytest.mark.parametrize("arguments", [lambda layer: layer, lambda layer: (1, [layer])], ids=["plain", "inside"])
def test_a_layer_of_an_ended_kernel_is_no_argument(arguments):
    kernel, layer = _layer(FINE)
    kernel.number += 1
    with pytest.raises(KernelGone, match="The kernel ended while this task was evaluated"):
        kernel.probe.call("copy_weights", arguments(layer))


# --- models ----------------------------------------------------------------------------------------------------------


def test_a_model_is_built_by_a_function():
    kernel = FakeKernel({"ok": 5}, FINE)
    model = kernel.probe.build("build_model", 3, width=4)
    assert kernel.requests[-1]["do"] == "build" and kernel.requests[-1]["name"] == "build_model"
    model(np.ones(2))
    assert kernel.requests[-1]["id"] == 5


@pytest.mark.parametrize(
    ("kind", "told"),
    [("NoneType", "returned None"), ("tuple", "returned tuple"), ("Secret123", "returned something else")],
)
def test_what_is_no_model_is_told(kind, told):
    kernel = FakeKernel({"error": {"kinds": ["NotModel", "Exception"], "text": kind, "line": ""}})
    with pytest.raises(AnswerUnreadable, match=told) as caught:
        kernel.probe.build("build_model")
    assert "`build_model` should return a model" in caught.value.text.en and "Secret" not in caught.value.text.en


ROWS = [["dense/kernel", [2, 1], True], ["dense/bias", [1], False]]


def test_all_values_are_read_at_once():
    _, layer = _layer({"ok": [ROWS, _part(np.array([1.0, 2.0, 3.0]))]})
    (kernel, first), (bias, second) = layer.values()
    assert (kernel, bias) == (Weight("dense/kernel", (2, 1), True), Weight("dense/bias", (1,), False))
    assert first.tolist() == [[1.0], [2.0]] and second.tolist() == [3.0]


@pytest.mark.parametrize(
    "reply",
    [
        None,
        [ROWS],
        [ROWS, _part(np.zeros(4))],
        [ROWS, {"kind": "plain", "value": None}],
        [[["kernel", [-1, -3], True]], _part(np.zeros(3))],
        [[["kernel", [10**30], True]], _part(np.zeros(3))],
        [[["kernel", "ab", True]], _part(np.zeros(3))],
    ],
    ids=["nothing", "no values", "too many", "no array", "negative", "huge", "no shape"],
)
def test_values_of_another_shape_are_unreadable(reply):
    _, layer = _layer({"ok": reply})
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        layer.values()


def test_all_values_are_set_at_once_as_float32():
    kernel, layer = _layer(FINE)
    layer.set_values([np.ones((2, 1)), np.zeros(1)])
    sent = _read_back(kernel.requests[-1]["values"])
    assert kernel.requests[-1]["do"] == "set_values" and sent.dtype == np.float32 and sent.tolist() == [1, 1, 0]


# --- code given to the kernel ----------------------------------------------------------------------------------------

SOURCE = "def constant(value):\n    return lambda: value\n"


def test_code_is_sent_with_its_arguments():
    kernel = FakeKernel({"ok": 4})
    kernel.probe.define(SOURCE, "constant", 3)
    sent = {"code": without_source(SOURCE), "name": "constant", "args": [{"kind": "plain", "value": 3}], "kwargs": {}}
    assert kernel.requests == [{"do": "define", **sent}]


def test_what_was_defined_can_be_an_argument():
    kernel = FakeKernel({"ok": 4}, FINE)
    kernel.probe.call("softmax", kernel.probe.define(SOURCE, "constant", 3))
    assert kernel.requests[-1]["args"] == [{"kind": "object", "id": 4}]


def test_what_was_defined_in_an_ended_kernel_is_no_argument():
    kernel = FakeKernel({"ok": 4}, FINE)
    given = kernel.probe.define(SOURCE, "constant", 3)
    kernel.number += 1
    with pytest.raises(KernelGone, match="The kernel ended while this task was evaluated"):
        kernel.probe.call("softmax", given)


def test_code_that_raises_is_the_graders_fault():
    with pytest.raises(GraderError, match="The code given to the kernel raised"):
        FakeKernel(RAISED).probe.define(SOURCE, "constant", 3)


def test_code_is_not_given_to_a_lost_kernel():
    kernel = FakeKernel(LOST)
    with pytest.raises(AnswerTimeout, match="too long"):
        kernel.probe.define(SOURCE, "constant", 3)


@pytest.mark.parametrize("reply", [None, "4", 4.0], ids=repr)
def test_what_was_defined_has_a_number(reply):
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        FakeKernel({"ok": reply}).probe.define(SOURCE, "constant", 3)


def test_what_was_defined_can_be_called():
    kernel = FakeKernel({"ok": 4}, FINE)
    given = kernel.probe.define(SOURCE, "constant", 3)
    np.testing.assert_array_equal(given(np.ones(2)), kernel.probe.decode(FINE["ok"]))
    sent = kernel.requests[-1]
    assert (sent["do"], sent["id"]) == ("invoke", 4)
    assert sent["args"] == [_part(np.ones(2, dtype=np.float32))]


def test_what_was_defined_in_an_ended_kernel_is_not_called():
    kernel = FakeKernel({"ok": 4}, FINE)
    given = kernel.probe.define(SOURCE, "constant", 3)
    kernel.number += 1
    with pytest.raises(KernelGone, match="The kernel ended while this task was evaluated"):
        given()


# --- trainings -------------------------------------------------------------------------------------------------------


def test_a_training_is_told_to_be_one_and_its_result_stays_in_the_kernel():
    kernel = FakeKernel({"ok": 4}, FINE)
    trained = kernel.probe.train("train", 7)
    assert kernel.requests == [
        {"do": "make", "name": "train", "training_share": 1.0, "args": [{"kind": "plain", "value": 7}], "kwargs": {}}
    ]
    kernel.probe.call("softmax", trained)
    assert kernel.requests[-1]["args"] == [{"kind": "object", "id": 4}]


def test_a_training_that_hangs_loses_the_task():
    kernel = FakeKernel(LOST)
    for _ in range(2):
        with pytest.raises(AnswerTimeout, match="too long"):
            kernel.probe.train("train")
    assert len(kernel.requests) == 1


def test_the_lines_of_a_task_share_what_was_made_first() -> None:
    probe = FakeKernel({}).probe
    first = probe.once("layer", lambda: ["first"])
    assert probe.once("layer", lambda: ["second"]) is first
    assert probe.once("twin", lambda: "other") == "other"
    assert FakeKernel({}).probe.once("layer", lambda: "of another task") == "of another task"


def test_what_raised_is_made_again_and_none_is_not() -> None:
    probe = FakeKernel({}).probe
    with pytest.raises(ZeroDivisionError):
        probe.once("layer", lambda: 1 // 0)
    assert probe.once("layer", lambda: 7) == 7
    assert probe.once("habit", lambda: None) is None
    assert probe.once("habit", lambda: pytest.fail("asked again")) is None


def test_what_lines_share_goes_with_the_probe() -> None:
    def made_and_left() -> weakref.ref[KernelProbe]:
        probe = FakeKernel({"ok": 3}).probe
        probe.once("layer", lambda: probe.layer("Dense"))  # which knows its probe
        return weakref.ref(probe)

    left = made_and_left()
    gc.collect()
    assert left() is None


# --- what would fill the grader's memory ------------------------------------------------------------------------------


def test_a_message_comes_back_as_it_was():
    array = _part(np.ones(3))
    message = packed({"ok": {"kind": "tuple", "parts": [array, {"kind": "plain", "value": "é"}, _part(np.zeros(2))]}})
    parts = unpacked(message)["ok"]["parts"]
    assert array_of(parts[0]).tolist() == [1.0, 1.0, 1.0] and parts[1] == {"kind": "plain", "value": "é"}
    assert array_of(parts[2]).tolist() == [0.0, 0.0]


def _message(header: str, arrays: bytes = b"") -> bytes:
    return len(header).to_bytes(4, "big") + header.encode() + arrays


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\0\0",
        _message("{}")[:-1],
        _message("[" * 100_000),
        _message("[[]," * HEADER_BYTES),
        _message("1" * 5000),
        _message("\ud800".encode("utf-8", "surrogatepass").decode("latin1")),
        b"\xff\xff\xff\xff{}",
    ],
    ids=["nothing", "two bytes", "cut off", "deep", "large", "a long number", "no text", "a size too large"],
)
def test_what_is_no_message_is_refused_unread(message):
    with pytest.raises(ValueError, match="."):
        unpacked(message)


@pytest.mark.parametrize(
    "place", ["5", "null", '"ab"', "[1]", "[-1, 2]", "[0, -1]", "[0, 9]", "[9, 1]", "[true, 1]", "[0.5, 1]", "[[], 1]"]
)
def test_bytes_that_are_not_there_are_no_array(place):
    part = _part(np.ones(1), bytes=json.loads(place))
    reply = unpacked(_message(json.dumps({"ok": part}), b"12345678"))
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        FakeKernel(reply).probe.call("softmax")


def test_the_same_bytes_are_not_many_arrays():
    array = np.ones(100)
    part = _part(array, bytes=[0, array.nbytes])
    reply = unpacked(_message(json.dumps({"ok": {"kind": "tuple", "parts": [part, part]}}), array.tobytes()))
    with pytest.raises(AnswerUnreadable, match=UNREADABLE):
        FakeKernel(reply).probe.call("softmax")


@pytest.mark.parametrize(
    "value",
    [
        _part(np.zeros(MAX_ENTRIES + 1, "u1")),
        {"kind": "tuple", "parts": [_part(np.zeros(MAX_ENTRIES // 2 + 1, "?"))] * 2},
        {"kind": "plain", "value": 10**4000},
    ],
    ids=["an array of bytes", "two arrays", "a long number"],
)
def test_what_grows_when_it_is_computed_with_is_too_large(value):
    with pytest.raises(AnswerUnreadable, match="far too large"):
        _answer(value)


@pytest.mark.parametrize(
    "rows",
    [
        [["w", [10**7, 8, 8], True]],
        [["w", [-1, 2], True]],
        [["w", [2.0], True]],
        [["w", [True], True]],
        [["w" * 201, [2], True]],
        [[5, [2], True]],
        [["w", [1] * 17, True]],
        [[f"w{n}", [1], True] for n in range(501)],
        [[f"w{n}", [10**6], True] for n in range(6)],
        [["w", 5, True]],
        5,
        {"w": 1},
    ],
)
def test_weights_that_no_layer_has_are_unreadable(rows):
    for reply, read in (({"ok": rows}, RemoteLayer.weights), ({"ok": [rows, _part(np.zeros(1))]}, RemoteLayer.values)):
        _, layer = _layer(reply)
        with pytest.raises(AnswerUnreadable, match=UNREADABLE):
            read(layer)


def test_the_text_of_an_exception_is_looked_at_up_to_a_length():
    error = _error(["ValueError"], "operands could not be broadcast together" + " " * 10**6)
    assert isinstance(error, AnswerRaised) and len(error.raw) == 2000


def test_no_line_of_a_code_of_megabytes_is_quoted():
    kernel = FakeKernel({"error": {"kinds": ["ValueError"], "text": "", "line": "x = 1"}})
    kernel.probe = KernelProbe(kernel.ask, lambda: 0, "x = 1\n" + "#" * 2_000_000)
    with pytest.raises(AnswerRaised, match=r"^Your code raised ValueError\.$"):
        kernel.probe.call("softmax")


# --- whose fault it is ------------------------------------------------------------------------------------------------


class CleanKernel:
    """A host that has run nothing of the student's."""

    generation = 0

    def __init__(self, reply: Reply) -> None:
        self.reply = dict(reply)

    def define(self, request: Mapping[str, Any]) -> dict[str, Any]:
        assert request["code"] == without_source(SOURCE)
        return self.reply

    ask = define


def _defining(reply: Reply, host: Reply) -> None:
    kernel = FakeKernel(reply)
    kernel.probe = KernelProbe(kernel.ask, lambda: 0, CODE, host=CleanKernel(host))
    kernel.probe.define(SOURCE, "constant", 3)


def test_code_that_raises_in_the_students_kernel_alone_is_the_students_fault():
    with pytest.raises(AnswerRaised, match="something in the notebook has changed Python"):
        _defining(RAISED, {"ok": 4})


def test_code_that_raises_in_any_kernel_is_the_graders_fault():
    with pytest.raises(GraderError, match="The code given to the kernel raised"):
        _defining(RAISED, RAISED)


def test_a_probe_knows_whether_there_was_an_answer():
    kernel = FakeKernel(FINE)
    assert not kernel.probe.has_read
    kernel.probe.request({"do": "ping"})
    assert kernel.probe.has_read
    lost = FakeKernel(LOST)
    with pytest.raises(AnswerTimeout):
        lost.probe.call("softmax")
    assert not lost.probe.has_read


@pytest.mark.parametrize("told", [{}, {"a": 1}, "abc", None, 5])
def test_weights_that_are_no_list_are_unreadable_in_every_python(told: object) -> None:
    with pytest.raises(TypeError, match="not a list of weights"):
        _weights(told)


# --- answers that are kept to give mistakes their names --------------------------------------------------------------


@pytest.mark.parametrize("keeps", [False, True])
def test_answers_are_kept_by_line_and_questions_that_tell_apart_put_in_practice_only(keeps):
    kernel = FakeKernel(FINE, RAISED)
    probe = KernelProbe(kernel.probe._ask, lambda: 1, "", keeps_answers=keeps)
    probe.line = "first"
    probe.call("softmax", 1)
    probe.line = "second"
    probe.tell_apart(lambda: probe.call("softmax", 2))  # raises nothing here
    assert len(kernel.requests) == (2 if keeps else 1)
    assert {line: len(answers) for line, answers in probe.answers.items()} == (
        {"first": 1, "second": 1} if keeps else {}
    )


def test_an_expectation_of_a_question_that_tells_apart_costs_nothing():
    probe = KernelProbe(FakeKernel(FINE).probe._ask, lambda: 1, "", keeps_answers=True)

    def expecting() -> None:
        raise Miss(Text("wrong", "틀림"))

    probe.tell_apart(expecting)
