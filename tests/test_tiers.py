"""Which tests run when nothing is said, and that a fast one which is slow fails."""

from __future__ import annotations

import sys

import pytest

from autograder.kernels import warm
from tests import tiers

pytest_plugins = ["pytester"]
SETTINGS = "[pytest]\ntestpaths = tests\nmarkers =\n" + "".join(f"    {name}\n" for name in tiers.SLOW)
FILE = """
import pytest

def test_fast():
    pass

@pytest.mark.slow
def test_slow():
    pass

@pytest.mark.browser
def test_browser():
    pass
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with two test files of three tests, one of them fast, for a process that has imported no framework yet."""
    for name in tiers.HEAVY:  # a slow test before this one may have
        monkeypatch.delitem(sys.modules, name, raising=False)
    pytester.makefile(".ini", pytest=SETTINGS)
    for name in ("tests/test_one.py", "tests/sub/test_two.py"):
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILE)
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    options = ("--import-mode=importlib", "-p", "tests.tiers", "-p", "no:cacheprovider")
    return project.runpytest_inprocess(*options, *arguments)


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        ((), 2),
        (("tests",), 2),
        ((".",), 2),
        (("-k", "slow"), 0),
        (("--all",), 6),
        (("tests/test_one.py",), 3),
        (("tests/sub",), 3),
        (("tests/test_one.py::test_slow",), 1),
        (("-m", "slow"), 2),
        (("-m", "not slow"), 4),
        (("-m", "slow", "tests/test_one.py"), 1),
    ],
)
def test_what_runs(project: pytest.Pytester, arguments: tuple[str, ...], passed: int) -> None:
    assert run(project, *arguments).parseoutcomes().get("passed", 0) == passed


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "1"), marks=pytest.mark.slow)], ids=["alone", "workers"])
def test_it_says_how_many_were_left_out_and_how_to_run_all(
    project: pytest.Pytester, workers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tiers.__file__).removesuffix("/tests/tiers.py"))
    run(project, *workers).stdout.fnmatch_lines(["4 slow tests were left out: `./run tests --all` runs everything*"])


def test_it_says_nothing_where_nothing_was_left_out(project: pytest.Pytester) -> None:
    run(project, "--all").stdout.no_fnmatch_line("*left out*")


@pytest.mark.parametrize(
    "body",
    ["import tensorflow", f"import subprocess, sys; subprocess.run([sys.executable, '-c', '', {warm.PROGRAM!r}])"],
    ids=["framework", "kernel"],
)
def test_a_fast_test_that_is_none_fails(project: pytest.Pytester, body: str) -> None:
    (project.path / "tensorflow.py").touch()
    project.syspathinsert()
    file = project.path / "tests" / "test_three.py"
    file.write_text(f"import pytest\n\ndef test_three():\n    {body}\n")
    run(project, str(file)).assert_outcomes(passed=1, errors=1)
    file.write_text(f"import pytest\n\n@pytest.mark.slow\ndef test_three():\n    {body}\n")
    run(project, str(file)).assert_outcomes(passed=1)
    tiers.started.clear()  # this test itself is a fast one


def test_no_file_may_import_a_framework_at_its_head(project: pytest.Pytester) -> None:
    (project.path / "tensorflow.py").touch()
    project.syspathinsert()
    (project.path / "tests" / "test_three.py").write_text("import tensorflow\n")
    result = run(project)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*No test file may import a framework at its head*"])
