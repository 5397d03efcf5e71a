"""Trainees in processes of their own, timed in turns, so that what else the machine does hits all of them alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.training.sizes import Size
from benchmarks.training.trainees import Entry, Report

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "PYTHONWARNINGS": "ignore",
    # many processes share one accelerator
    "TF_FORCE_GPU_ALLOW_GROWTH": "true",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
}
# Rounding separates right models by no more; a mask, a scale or a normalisation that differs, by far more.
LOSS_TOLERANCE = {"float32": 1e-3, "bfloat16": 5e-2}


class UnequalModelsError(Exception):
    """Models that were to be compared are not the same model."""


class WorkerError(Exception):
    """A trainee's process failed."""


@dataclass
class Timed:
    """What one entry did.

    Attributes:
        entry, report: see there.
        seconds: of each turn, by the clock that was asked for.
        device_bytes: the most memory on the accelerator; None on a processor.
        host_bytes: the most memory of its process in the machine.
    """

    entry: Entry
    report: Report
    seconds: list[float] = field(default_factory=list)
    device_bytes: int | None = None
    host_bytes: int = 0

    def record(self) -> dict[str, Any]:
        """Return it for JSON."""
        return asdict(self)


def require_equal(reports: Sequence[tuple[Entry, Report]]) -> None:
    """Refuse to compare models of other sizes, or that compute something else.

    Raises:
        UnequalModelsError: their parameters differ in number, or their losses by more than rounding.
    """
    (first, right), *others = reports
    for entry, report in others:
        if report.parameters != right.parameters:
            raise UnequalModelsError(
                f"All models must have as many parameters. Received: {first.name}: {right.parameters}, {entry.name}: "
                f"{report.parameters}. Build them from the same sizes."
            )
        most = max(LOSS_TOLERANCE[first.precision], LOSS_TOLERANCE[entry.precision]) * abs(right.loss)
        if not abs(report.loss - right.loss) <= most:
            raise UnequalModelsError(
                f"With the same weights all models must have the same loss. Received: {first.name}: {right.loss:.6f}, "
                f"{entry.name}: {report.loss:.6f}. Compare their masks, scales and normalisations."
            )


def race(
    entries: Sequence[Entry],
    size: Size,
    turns: int,
    cores: int = 0,
    clock: str = "wall",
    tell: Callable[[str], None] = print,
) -> tuple[list[Timed], list[Entry]]:
    """Time entries of one size in turns.

    Args:
        entries: what to train. An entry whose framework isn't installed, or that fails before its first turn, is left
            out, and a line is printed about it.
        size: the size of models and batches.
        turns: how many turns each entry has, after two that are not counted.
        cores: how many of the processor's cores each process may use; 0 for all.
        clock: `wall`, or `cpu` for the seconds that the process had a processor. The latter leaves out what else a shared
            machine does, and what an accelerator does.
        tell: takes a line for the reader.

    Returns:
        Those that were timed, and those that failed.

    Raises:
        UnequalModelsError: before anything is timed.
        WorkerError: a process failed later.
    """
    workers: list[_Worker] = []
    failed: list[Entry] = []
    try:
        for entry in entries:
            worker = _Worker(entry, size, cores)
            workers.append(worker)
            try:
                tell(worker.introduce())
            except WorkerError as error:
                tell(f"FAILED: {error}")
                failed.append(entry)
        ready = [worker for worker in workers if worker.timed is not None]
        all_timed = [worker.timed for worker in ready if worker.timed is not None]
        if all_timed:
            require_equal([(timed.entry, timed.report) for timed in all_timed])
        for turn in range(turns):
            # forwards and backwards, so that what grows during a turn favours nobody
            for worker in ready[:: 1 if turn % 2 == 0 else -1]:
                worker.turn(clock)
        for worker in ready:
            worker.finish()
        return all_timed, failed
    finally:
        for worker in workers:
            worker.close()


class _Worker:
    """The process of one entry."""

    def __init__(self, entry: Entry, size: Size, cores: int) -> None:
        self.timed: Timed | None = None
        self._entry = entry
        told = (json.dumps(asdict(entry)), json.dumps(asdict(size)), str(cores))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.training.worker", *told],
            cwd=ROOT,
            env={**os.environ, **ENVIRONMENT},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def introduce(self) -> str:
        """Wait until it is ready and return a line about it."""
        said = self._answer()
        if "missing" in said:
            return f"left out: {self._entry.name}: {said['missing']}"
        self.timed = Timed(self._entry, Report(**said))
        return f"ready in {self.timed.report.setup_seconds:.0f} s: {self._entry.name}"

    def turn(self, clock: str) -> None:
        assert self.timed is not None and self._process.stdin is not None
        self._process.stdin.write("turn\n")
        self._process.stdin.flush()
        self.timed.seconds.append(self._answer()[clock])

    def finish(self) -> None:
        assert self.timed is not None and self._process.stdin is not None
        self._process.stdin.close()
        said = self._answer()
        self.timed.device_bytes, self.timed.host_bytes = said["device_bytes"], said["host_bytes"]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            status = self._process.wait()
            raise WorkerError(
                f"A trainee must answer. Received: exit status {status} from {self._entry.name}. Its last lines are above."
            )
        answer: dict[str, Any] = json.loads(line)
        return answer
