"""Undoes what a student's cells have spoilt for everything that runs later, and tells what can't be undone."""

import builtins
import ctypes
import gc
import os
import sys
import warnings

import numpy as np

from autograder.kernels.resident import state

_BUILTINS = vars(builtins)
_TRANSFORMERS = {}  # the shell's lists of code transformers, as they were before the student's first cell
_EXECUTION_METHODS = {
    "kernel": ("dispatch_shell", "execute_request", "do_execute", "send_response"),
    "shell": ("run_cell", "_run_cell", "run_cell_async", "run_ast_nodes", "run_code", "transform_cell"),
}
_EXECUTION = {}  # those methods as they were before the student's first cell
_STREAMS = {}
_RECURSION_LIMIT = sys.getrecursionlimit()
_MEMORY = {"before": 0}  # bytes of this process when nothing that JAX compiled was kept


def take_note():
    """Note what the shell is like before the student's first cell."""
    _EXECUTION.update(_execution())
    _STREAMS.update(stdout=sys.stdout, stderr=sys.stderr)
    state.shell.events.register("post_run_cell", _mend_streams)
    _TRANSFORMERS["ast_transformers"] = list(state.shell.ast_transformers)
    for name in ("input_transformers_cleanup", "input_transformers_post"):
        _TRANSFORMERS[name] = list(getattr(state.shell, name))


def is_spoilt():
    """Whether a cell's way through kernel and shell is another than it was."""
    return _execution() != _EXECUTION


def _mend_streams(*_):
    """Put back the kernel's streams where a cell has left something that isn't one: the kernel itself needs them."""
    for name, stream in _STREAMS.items():
        if not callable(getattr(getattr(sys, name), "flush", None)):
            setattr(sys, name, stream)


def _execution():
    """Return what a cell's way through kernel and shell is made of."""
    owners = {"kernel": getattr(state.shell, "kernel", None), "shell": state.shell}
    return {
        (owner, name): getattr(getattr(owners[owner], name, None), "__func__", None)
        for owner, names in _EXECUTION_METHODS.items()
        for name in names
    }


def restore():
    """Undo what slips and tricks change for everything that runs later."""
    _BUILTINS.update(state.ORIGINAL_BUILTINS)
    for name, transformers in _TRANSFORMERS.items():
        getattr(state.shell, name)[:] = transformers
    for name, value in state.REMEMBERED.items():
        state.shell.user_ns.setdefault(name, value)
    np.seterr(all="warn")
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    warnings.filters[:] = [known for known in warnings.filters if known[0] != "error"]
    keras = sys.modules.get("keras")
    if keras is not None and hasattr(keras, "config"):
        if keras.config.floatx() != "float32":
            keras.config.set_floatx("float32")
        if keras.config.dtype_policy().name != "float32":
            keras.config.set_dtype_policy("float32")


def limit(request):
    """Set what an answer and this process may hold."""
    state.LIMITS.update({name: int(request[name]) for name in state.LIMITS})
    _MEMORY["before"] = _anonymous_bytes()


def forget_compiled():
    """Free what JAX has compiled once it is large: JAX keeps above a megabyte for each operation and shape it met."""
    jax = sys.modules.get("jax")
    if jax is None or _anonymous_bytes() - _MEMORY["before"] < state.LIMITS["memory_bytes"] // 4:
        return
    jax.clear_caches()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what was freed lies between what is still used
    _MEMORY["before"] = _anonymous_bytes()


def _anonymous_bytes():
    """Return the memory that this process has of its own, 0 where it isn't told."""
    try:
        with open("/proc/self/statm") as statm:
            _, resident, shared, *_ = map(int, statm.read().split())
    except OSError:
        return 0
    return (resident - shared) * os.sysconf("SC_PAGESIZE")
