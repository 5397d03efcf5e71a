"""The course's code as it enters a student's kernel."""

from __future__ import annotations

import inspect
import linecache
import marshal
from types import CodeType
from typing import Any

import pytest

from autograder.kernels.compiled import without_source

SOURCE = '''
"""The module's own words."""
from __future__ import annotations

LIMIT = 3  # a comment


def softmax(x):
    """Tell the secret of it."""
    # the largest becomes 0
    return [value / sum(x) for value in x]


class Scale:
    """Scale."""

    def call(self, x):
        """Only words."""
'''


def _code(source: str) -> CodeType:
    code = marshal.loads(bytes.fromhex(without_source(source)))
    assert isinstance(code, CodeType)
    return code


def _names(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "given"}
    exec(_code(source), names)
    return names


def test_it_computes_what_the_source_does() -> None:
    names = _names(SOURCE)
    assert names["softmax"]([1.0, 3.0]) == [0.25, 0.75] and names["Scale"]().call(1) is None and names["LIMIT"] == 3


@pytest.mark.parametrize("words", ["module's own", "Tell the secret", "largest", "comment", "Only words"])
def test_no_words_are_left(words: str) -> None:
    assert words not in repr(marshal.loads(bytes.fromhex(without_source(SOURCE))).co_consts)
    assert words.encode() not in bytes.fromhex(without_source(SOURCE))


def test_its_text_can_not_be_found() -> None:
    names = _names(SOURCE)
    for made in (names["softmax"], names["Scale"].call):
        assert made.__doc__ is None
        assert {line for *_, line in made.__code__.co_lines()} <= {1, None}
        assert made.__code__.co_filename not in linecache.cache
        with pytest.raises(OSError, match="source"):
            inspect.getsource(made)
