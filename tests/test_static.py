"""What can be said of the code without running it: style, types, and which module may import which."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    "command",
    ["ruff check .", "ruff format --check .", "mypy", "basedpyright", "lint-imports"],
    ids=lambda command: command,
)
def test_nothing_is_found(command: str) -> None:
    done = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder", ["autograder", "benchmarks", "solutions", "tests"])
def test_a_line_of_args_can_be_read_alone(folder: str) -> None:
    """What is said of an argument doesn't begin with `of`, `whose` or a pronoun, which make sense beside other lines only."""
    depends_on_others = re.compile(
        r"\s*(\**\w+, )*\**\w+: (of|on|for|whose|see|its?|their|they|them|these|those|that|until|told|which\.|how many\.)(?!\w)"
    )
    paths = sorted((ROOT / folder).rglob("*.py"))
    defined = [node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    docs = [
        ast.get_docstring(n) or ""
        for n in defined
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    arguments = [line for doc in docs for line in doc.partition("Args:\n")[2].partition("\n\n")[0].splitlines()]
    assert arguments
    assert [line.strip() for line in arguments if depends_on_others.match(line)] == []


def test_no_module_is_longer_than_one_reads_at_once() -> None:
    """At most 500 lines, but for notebooks' sources, catalogues of mistakes and what is a notebook's cell."""
    paths = [path for folder in ("autograder", "solutions") for path in (ROOT / folder).rglob("*.py")]
    modules = [
        path
        for path in paths
        if path.name not in ("notebook.py", "mistakes.py", "public_check_cases.py")
        and path.parent.name not in ("cells", "alternatives")
    ]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert len(lengths) > 200
    assert {path: length for path, length in lengths.items() if length > 500} == {}
