"""Where the time of a grading goes, assignment by assignment: starting kernels, cells, questions of each kind, comparing.

    python -m benchmarks.cost [ASSIGNMENT ...] [--case KIND:ID]

Each case is graded twice in this process, which waits for the kernel whenever it asks; the second time is told, when the warm
process is there already. Seconds are by the clock of a machine that should do nothing else: their shares are what counts.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from autograder.grading import runner
from autograder.kernels.session import KernelSession
from autograder.proof.check import QUESTIONS, Case, run_case
from autograder.sources.course import Course, load_course

ROOT = Path(__file__).resolve().parent.parent
STAGES = ("start", "cells", "make", "call", "weights", "comparing", "rest")
_OF_REQUESTS = {
    **dict.fromkeys(("make", "build", "clone", "define"), "make"),
    **dict.fromkeys(("call", "invoke"), "call"),
    **dict.fromkeys(("assign", "read", "values", "set_values", "weights"), "weights"),
}


class Stages:
    """Seconds and number of what is done in each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.times: dict[str, int] = defaultdict(int)

    @contextmanager
    def measuring(self) -> Generator[None]:
        """Measure every grading that runs while the block does."""
        with (
            self._timed(KernelSession, "__enter__", lambda *_: "start"),
            self._timed(KernelSession, "close", lambda *_: "start"),
            self._timed(KernelSession, "run", lambda *_: "cells"),
            self._timed(KernelSession, "ask", lambda _, request, *rest: _OF_REQUESTS.get(request["do"], "rest")),
            self._timed(runner, "run_graders", lambda *_: "grading"),
        ):
            began = time.perf_counter()
            yield
            whole = time.perf_counter() - began
        asked = sum(self.seconds[stage] for stage in ("make", "call", "weights"))
        self.seconds["comparing"] = self.seconds.pop("grading", 0.0) - asked
        self.seconds["rest"] = whole - sum(self.seconds[stage] for stage in STAGES if stage != "rest")

    def _timed(self, owner: Any, name: str, stage_of: Callable[..., str]) -> Any:
        original = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                stage = stage_of(*args)
                self.seconds[stage] += time.perf_counter() - began
                self.times[stage] += 1

        return mock.patch.object(owner, name, timed)


def cost_of(course: Course, case: Case) -> Stages:
    """Return where the time of a grading went that a warm process was there for."""
    for _ in range(2):
        stages = Stages()
        with stages.measuring():
            result = run_case(course, case)
        if result.failed:
            raise SystemExit(f"{case} isn't graded as it must be: {result.failed}")
    return stages


def main() -> None:
    """Print one row a case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", help="default: all")
    parser.add_argument("--case", default="solution:en", help="kind:id of the catalogue (default: %(default)s)")
    arguments = parser.parse_args()
    course = replace(load_course(ROOT), secret=QUESTIONS)
    kind, identity = arguments.case.split(":")
    print(
        f"{'seconds of ' + arguments.case:36}{'all':>8}"
        + "".join(f"{stage:>11}" for stage in STAGES)
        + f"{'kernels':>9}{'calls':>7}"
    )
    for assignment in arguments.assignments or course.source_paths:
        stages = cost_of(course, Case(assignment, kind, identity))
        row = "".join(f"{stages.seconds[stage]:11.2f}" for stage in STAGES)
        whole = sum(stages.seconds.values())
        print(f"{assignment:36}{whole:8.2f}{row}{stages.times['start'] // 2:9}{stages.times['call']:7}", flush=True)


if __name__ == "__main__":
    main()
