"""What a kernel's shell and streams leave undone comes to the same as all that IPython and ipykernel do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ipykernel.iostream import OutStream
from IPython.core import inputtransformer2

from autograder.kernels.kernel_process import _PromptStream, _QuickTransformerManager
from autograder.sources.code_cells import syntax_fault
from autograder.sources.notebooks import read_source

ROOT = Path(__file__).parents[1]
LINES = [
    *(
        "!ls",
        "x = !ls",
        "x = \\",
        "x = \\\n  !ls",
        "%time f()",
        "%%time",
        "x = %time f()",
        "x = y \\\n% 2",
        "x =%time f()",
    ),
    *(
        "f?",
        "f??",
        "?f",
        "f? # why",
        "f?\\",
        "f? \\\n",
        "'why?'",
        "x = 'why?'  # why?",
        "if x:",
        "    f?",
        "    !ls",
        "    x = !ls",
    ),
    *(
        ",f 1 2",
        ";f 1 2",
        "/f 1 2",
        "x != 1",
        "x == 1",
        "x = (1\n% 2)",
        "x = (1,\n!ls)",
        "f(x=\n!ls)",
        '"""',
        "'''",
        "text \\",
    ),
    *(
        ">>> f()",
        "... f()",
        "In [1]: f()",
        "",
        "   ",
        "\f!ls",
        "x = 1\x0c!ls",
        "x = 1\u2028!ls",
        "x = 1\r!ls",
        "\tf?",
        "(",
        ")",
        "]",
    ),
    *(
        "def f(x):",
        "    return x % 2",
        "await f()",
        "%",
        "!",
        "?",
        "=",
        "= !",
        "a, b = !ls",
        "a = b = %pwd",
        "x: int = !ls",
        "x += !ls",
    ),
]
cells = st.lists(st.sampled_from(LINES), max_size=6).map("\n".join)


def _made(manager: inputtransformer2.TransformerManager, cell: str) -> str:
    """Return what becomes of a cell, or the error's kind and words: with its own syntax in it, odd indentation stops IPython, too."""
    try:
        return manager.transform_cell(cell)
    except SyntaxError as error:
        return f"{type(error).__name__}: {error.args}"


def _both(cell: str) -> tuple[str, str]:
    return _made(_QuickTransformerManager(), cell), _made(inputtransformer2.TransformerManager(), cell)


@pytest.mark.parametrize("line", LINES)
def test_a_line_becomes_what_ipython_makes_of_it(line: str) -> None:
    for cell in (line, f"x = 1\n{line}\ny = 2", f"if x:\n    {line}\n", f"x = {line}", f"{line}\n\n"):
        quick, usual = _both(cell)
        assert quick == usual


@example("\tf?\n    f?")  # an IndentationError in both
@given(cells)
def test_a_cell_becomes_what_ipython_makes_of_it(cell: str) -> None:
    quick, usual = _both(cell)
    assert quick == usual


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*/notebook.py")), ids=lambda path: path.parent.name)
def test_the_courses_cells_are_not_made_into_tokens(path: Path) -> None:
    cells = [text for cell in read_source(path).cells if cell.role != "prose" for text in cell.texts.values()]
    whole = [cell for cell in cells if syntax_fault(cell) is None]
    assert len(whole) > len(cells) / 2
    with mock.patch.object(inputtransformer2, "make_tokens_by_line", side_effect=AssertionError):
        for cell in whole:
            assert _QuickTransformerManager().transform_cell(cell).strip() == cell.strip()


def test_a_transformer_of_the_students_own_sees_every_cell() -> None:
    class Doubled(inputtransformer2.TokenTransformBase):
        @classmethod
        def find(cls, tokens_by_line: list[list[inputtransformer2.tokenize.TokenInfo]]) -> Doubled | None:
            start = tokens_by_line[0][0]
            return cls(start.start) if start.string == "one" else None

        def transform(self, lines: list[str]) -> list[str]:
            return ["two\n", *lines[1:]]

    transformers = _QuickTransformerManager()
    transformers.token_transformers.append(Doubled)
    assert transformers.transform_cell("one\n") == "two\n"


# --- streams ---------------------------------------------------------------------------------------------------------


class _Publishing:
    """Takes the place of all that a stream does with a publishing thread: `flush` publishes what is in the buffer."""

    def __init__(self) -> None:
        self.buffer = ""
        self.flushed: list[str] = []
        self.during = lambda: None

    def write(self, stream: OutStream, text: str) -> int:
        self.buffer += text
        return len(text)

    def flush(self, stream: OutStream) -> None:
        stream._flush()

    def _flush(self, stream: OutStream) -> None:
        self.flushed.append(self.buffer)
        self.buffer = ""
        self.during()


@pytest.fixture
def publishing() -> Iterator[_Publishing]:
    it = _Publishing()
    with mock.patch.multiple(
        OutStream,
        write=lambda stream, text: it.write(stream, text),
        flush=lambda stream: it.flush(stream),
        _flush=lambda stream: it._flush(stream),
    ):
        yield it


def _stream() -> _PromptStream:
    stream = _PromptStream.__new__(_PromptStream)
    stream._buffer_lock = threading.RLock()
    return stream


def test_a_stream_is_flushed_if_something_was_written_since(publishing: _Publishing) -> None:
    stream = _stream()
    stream.flush()
    assert stream.write("one") == 3
    stream.write("two")
    stream.flush()
    stream.flush()
    stream.write("three")
    stream.flush()
    assert publishing.flushed == ["onetwo", "three"]


def test_what_is_written_while_a_stream_is_flushed_is_flushed_next(publishing: _Publishing) -> None:
    stream = _stream()
    publishing.during = lambda: setattr(publishing, "during", lambda: None) or stream.write("late")  # type: ignore[func-returns-value]
    stream.write("early")
    stream.flush()
    stream.flush()
    assert publishing.flushed == ["early", "late"]


def test_what_could_not_be_published_is_tried_again(publishing: _Publishing) -> None:
    stream = _stream()
    stream.write("one")
    with mock.patch.object(publishing, "_flush", side_effect=OSError), pytest.raises(OSError):
        stream.flush()
    stream.flush()
    assert publishing.flushed == ["one"]
