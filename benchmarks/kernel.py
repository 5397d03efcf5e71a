"""What one kernel costs: its start, its end, a cell, a question of the probe, and the first call of common operations.

python -m benchmarks.kernel [--kernels 20] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from autograder.kernels.session import KernelSession
from autograder.kernels.warm import (
    WITHOUT_VARIABLE,
    WarmProcess,
    forget_connection,
    own_warm_process,
    use_warm_process_at,
    warm_connection,
)
from autograder.sealing.layers import GUARANTEES, LAYERS
from autograder.sources.course import load_course
from benchmarks.throughput import ROOT, machine, machine_text, table

PREPARE = """
import os
import keras
import numpy as np
import matplotlib.pyplot as plt
"""
X = "x = np.ones((2, 5, 12), 'float32'); "
FIRST_CALLS = {
    "nothing": "pass",
    "first tensor": "keras.ops.convert_to_tensor(1.0)",
    "keras.ops: add, matmul, softmax": "x = keras.ops.ones((3, 3)); keras.ops.softmax(keras.ops.matmul(x, x + x))",
    "Dense layer, called": X + "keras.layers.Dense(12)(x)",
    "LayerNormalization, called": X + "keras.layers.LayerNormalization()(x)",
    "MultiHeadAttention, called": X + "keras.layers.MultiHeadAttention(4, 3)(x, x)",
    "functional model of Dense, called": X + "i = keras.Input((5, 12)); keras.Model(i, keras.layers.Dense(12)(i))([x])",
    "fit, one batch": "m = keras.Sequential([keras.layers.Dense(1)]); m.compile('adam', 'mse', jit_compile=False); "
    "m.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)",
    "a figure, drawn": "figure, ax = plt.subplots(); ax.plot([1, 2]); figure.canvas.draw(); plt.close(figure)",
    "collecting garbage": "import gc; gc.collect()",
}
TIMED = """
import time as _time
_seconds = []
for _ in range(3):
    _began = _time.perf_counter()
    {code}
    _seconds.append(_time.perf_counter() - _began)
print(_seconds)
"""


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kernels", type=int, default=20, help="kernels to start (20)")
    parser.add_argument("--questions", type=int, default=200, help="questions to one kernel (200)")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    chosen = parser.parse_args()
    print(machine_text(machine()), flush=True)
    figures = {"import of the warm process and first kernel": [_first()]}
    figures |= kernels(chosen.kernels)
    figures |= exchanges(chosen.questions)
    rows = [[name, *milliseconds(seconds), str(len(seconds))] for name, seconds in figures.items()]
    print("\n" + table(("milliseconds", "median", "9 of 10 below", "most", "times"), rows), flush=True)
    calls = {name: first_calls(code) for name, code in FIRST_CALLS.items()}
    rows = [[name, *(f"{1000 * s:.1f}" for s in each)] for name, each in calls.items()]
    print("\n" + table(("milliseconds, in a fresh kernel each", "first", "second", "third"), rows))
    if chosen.json:
        chosen.json.write_text(json.dumps({"machine": machine(), "kernel": figures, "calls": calls}, indent=1) + "\n")


def kernels(count: int) -> dict[str, list[float]]:
    """Return the seconds of kernels' starts and ends, sealed and not, in turns."""
    course = load_course(ROOT)
    sealed = own_warm_process(course.backend)
    os.environ[WITHOUT_VARIABLE] = ",".join(LAYERS)
    bare = WarmProcess(course.backend)
    del os.environ[WITHOUT_VARIABLE]
    figures: dict[str, list[float]] = {}
    for number in range(2 * count + 2):
        server, accepted, what = ((sealed, (), "sealed"), (bare, tuple(GUARANTEES), "without a seal"))[number % 2]
        forget_connection(course.backend)
        use_warm_process_at(course.backend, server.address)
        warm_connection(course.backend, accepted)  # the connection is made once a worker, not once a kernel
        session = KernelSession(course.limits, course.backend, accepted=accepted)
        began = time.perf_counter()
        session.__enter__()
        started = time.perf_counter()
        session.close()
        if number >= 2:
            figures.setdefault(f"a kernel's start until the probe answers, {what}", []).append(started - began)
            figures.setdefault(f"its end, {what}", []).append(time.perf_counter() - started)
    forget_connection(course.backend)
    use_warm_process_at(course.backend, sealed.address)
    bare.close()
    return figures


def exchanges(count: int) -> dict[str, list[float]]:
    """Return the seconds of cells and questions in one kernel."""
    array = {"kind": "plain", "value": 3}
    call = {"do": "call", "name": "double", "args": [array], "kwargs": {}}
    with _session() as session:
        session.run(PREPARE + "\ndef double(x):\n    return np.full((4, 5, 6), 2.0 * x)", 120)
        session.ask(call, 10)
        with_cell = list(_timed(count // 4, lambda: session.run("pass", 10)))
        ping = list(_timed(count, lambda: session.ask({"do": "ping"}, 10)))
        asked = list(_timed(count, lambda: session.ask(call, 10)))
    return {"an empty cell": with_cell, "a question: alive?": ping, "a question: call a function": asked}


def first_calls(code: str) -> list[float]:
    """Return the seconds of the first three runs of some code in a kernel that has only imported."""
    with _session() as session:
        session.run(PREPARE, 120)
        outputs = session.run(TIMED.format(code=code), 120).outputs
    printed = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    seconds: list[float] = json.loads(printed)
    return seconds


def milliseconds(seconds: Sequence[float]) -> tuple[str, str, str]:
    """Return median, 9th decile and maximum."""
    decile = statistics.quantiles(seconds, n=10)[-1] if len(seconds) > 1 else seconds[0]
    return f"{1000 * statistics.median(seconds):.1f}", f"{1000 * decile:.1f}", f"{1000 * max(seconds):.1f}"


def _first() -> float:
    began = time.perf_counter()
    _session().__enter__().close()
    return time.perf_counter() - began


def _session() -> KernelSession:
    course = load_course(ROOT)
    return KernelSession(course.limits, course.backend)


def _timed(count: int, function: Callable[[], object]) -> Iterator[float]:
    for _ in range(count):
        began = time.perf_counter()
        function()
        yield time.perf_counter() - began


if __name__ == "__main__":
    main()
