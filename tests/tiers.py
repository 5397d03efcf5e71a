"""The tiers of tests: which of them run unless more is asked for, and what a fast one must not do.

`pytest` runs the fast tier. `pytest --all`, a marker expression (`-m`), or the name of a file, a test or a folder below
`tests` or `solutions` runs what it says, slow or not.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

SLOW = ("slow", "course", "browser", "cluster", "postgresql")
HEAVY = ("tensorflow", "keras", "jax", "torch")
KERNELS = ("autograder.kernels.warm_process", "ipykernel_launcher")
LEFT_OUT = pytest.StashKey[int]()
IMPORTED_BEFORE = pytest.StashKey[set[str]]()
started: list[str] = []  # programs among KERNELS that this process started during the test that runs


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", dest="every_tier", action="store_true", help="run slow tests too, not only the fast tier")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = 0


@pytest.hookimpl(trylast=True)  # after -k
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out, unless the command says that it wants them."""
    if config.getoption("every_tier") or config.getoption("markexpr"):
        return
    named = named_paths(config)
    left_out = [item for item in items if is_slow(item) and not any(map(item.path.is_relative_to, named))]
    if left_out:
        items[:] = [item for item in items if item not in set(left_out)]
        config.hook.pytest_deselected(items=left_out)
    config.stash[LEFT_OUT] = len(left_out)


def named_paths(config: pytest.Config) -> list[Path]:
    """Return what the command names below `testpaths`; `pytest`, `pytest .` and `pytest tests` name nothing."""
    paths = [(config.invocation_params.dir / argument.split("::")[0]).resolve() for argument in config.args]
    whole = [config.rootpath / name for name in config.getini("testpaths")]
    return [path for path in paths if not any(folder.is_relative_to(path) for folder in whole)]


def is_slow(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in SLOW)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # a worker of xdist tells the process that prints
        session.config.workeroutput["left_out"] = session.config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    stash = node.config.stash
    stash[LEFT_OUT] = max(stash[LEFT_OUT], getattr(node, "workeroutput", {}).get("left_out", 0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash[LEFT_OUT]:
        terminalreporter.write_line(
            f"{count} slow tests were left out: `./run tests --all` runs everything, `pytest FILE` all of a file."
        )


def heavy_imports() -> set[str]:
    return {name for name in HEAVY if name in sys.modules}


def pytest_collection_finish(session: pytest.Session) -> None:
    """A slow test imports a framework when it runs: fast ones are collected by the same process."""
    if found := heavy_imports():
        raise pytest.UsageError(
            f"No test file may import a framework at its head. Received: {sorted(found)}. Import it inside the test."
        )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    item.stash[IMPORTED_BEFORE] = heavy_imports()
    started.clear()
    yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Fail a test of the fast tier that is none."""
    yield
    found = sorted({*(heavy_imports() - item.stash.get(IMPORTED_BEFORE, set())), *started})
    if found and not is_slow(item):
        pytest.fail(
            f"A fast test must start no kernel and import no framework. Received: {found}. Mark it `slow`.",
            pytrace=False,
        )


def _notice(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen" and isinstance(arguments[1], Iterable):
        started.extend(program for program in KERNELS if program in arguments[1])


sys.addaudithook(_notice)
