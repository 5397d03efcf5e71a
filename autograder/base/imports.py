"""What imports cost: modules that a library wants and nobody here uses, and Python's collector, which looks at everything that is imported."""

from __future__ import annotations

import atexit
import contextlib
import gc
import sys
from collections.abc import Generator
from functools import cache


@contextlib.contextmanager
def as_if_not_installed(name: str) -> Generator[None]:
    """Let imports of a module fail, as where it isn't installed; one that is imported already stays."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]  # what comes later may import it


def spare_collections() -> None:
    """Let the collector leave alone what this process has imported, now and when it ends.

    With nbgrader imported, the collections with which Python ends take a third of a second, and find nothing that matters then.
    """
    gc.freeze()
    _freeze_at_the_end()


@cache
def _freeze_at_the_end() -> None:
    atexit.register(gc.freeze)
