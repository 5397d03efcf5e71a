"""The pure compute time of notebooks: their cells, executed one after another in a fork of a warm process.

The limit that no grading of a notebook can beat: no Jupyter, no grader, no isolation. Run as

    python -m benchmarks.compute < NOTEBOOKS

whose input is one notebook a line, each a JSON list of its code cells' sources; it prints one JSON object a notebook: wall
and CPU seconds of all its cells, and those of each. A fork of a process that has imported NumPy, Matplotlib, TensorFlow and
Keras executes each notebook. What Jupyter would show is made: the figures that a cell leaves open are drawn to PNG, and
the value of its last line is represented as text.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import io
import json
import os
import sys
import time
import warnings
from typing import Any

PRELOADED = ("numpy", "matplotlib.backends.backend_agg", "matplotlib.pyplot", "tensorflow", "keras")


def main() -> None:
    """Execute each notebook in a fork of its own and print its times."""
    os.environ |= {
        "KERAS_BACKEND": "tensorflow",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "OPENBLAS_NUM_THREADS": "1",  # a process with threads can't be forked safely
        "MPLBACKEND": "agg",
    }
    for name in PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(_in_fork(json.loads(line))), flush=True)


def _in_fork(sources: list[str]) -> dict[str, Any]:
    receiving, sending = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(receiving)
        with os.fdopen(sending, "w") as pipe:
            json.dump(execute(sources), pipe)
        os._exit(0)
    os.close(sending)
    with os.fdopen(receiving) as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    result: dict[str, Any] = json.loads(said)
    return result


def execute(sources: list[str]) -> dict[str, Any]:
    """Execute code cells one after another in one namespace; one that raises doesn't stop the next.

    Returns:
        `wall` and `cpu` seconds of all, `cells`: wall seconds of each.
    """
    import matplotlib.pyplot as plt

    warnings.simplefilter("ignore")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    plt.show = lambda *args, **kwargs: _draw(plt)
    began, cpu_began, each = time.perf_counter(), time.process_time(), []
    for source in sources:
        cell_began = time.perf_counter()
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), contextlib.suppress(BaseException):
            _execute_cell(source, namespace)
            _draw(plt)
        each.append(round(time.perf_counter() - cell_began, 4))
    return {"wall": time.perf_counter() - began, "cpu": time.process_time() - cpu_began, "cells": each}


def _execute_cell(source: str, namespace: dict[str, Any]) -> None:
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        del tree.body[-1]
    exec(compile(tree, "<cell>", "exec"), namespace)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
        if value is not None:
            print(repr(value))


def _draw(plt: Any) -> None:
    """Draw the open figures as Jupyter's inline backend does at the end of a cell."""
    for number in plt.get_fignums():
        plt.figure(number).savefig(io.BytesIO(), format="png", bbox_inches="tight")
    plt.close("all")


if __name__ == "__main__":
    main()
