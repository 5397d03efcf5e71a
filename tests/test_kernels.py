"""A notebook's run in real kernels: what slips, crashes and tricks in one cell do to the others."""

from __future__ import annotations

import contextlib
import dataclasses
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import psutil
import pytest

from autograder.base.errors import AnswerError, AnswerMissing, AnswerTimeout, KernelGone, MachineError
from autograder.kernels import session
from autograder.kernels.notebook_run import NotebookRun, RunCell
from autograder.kernels.probe import KernelProbe
from autograder.kernels.warm import warm_connection
from autograder.sources.course import Limits

pytestmark = pytest.mark.course

LIMITS = Limits(start_seconds=90, cell_seconds=3, answer_seconds=3, submission_seconds=120, output_bytes=10_000)
DOUBLE = "def double(x):\n    return 2 * x\n"


@contextmanager
def executed(
    *sources: str, locked: tuple[str, ...] = ("import numpy as np",), own_first: str = "", seconds: float = 3.0
) -> Iterator[NotebookRun]:
    cells = [RunCell("own-1", own_first, True, True, 3.0)] if own_first else []
    cells += [RunCell(f"locked-{i}", source, False, True, 20.0) for i, source in enumerate(locked)]
    cells += [RunCell(f"cell-{i}", source, True, True, seconds) for i, source in enumerate(sources)]
    with NotebookRun(cells, LIMITS, "tensorflow") as run:
        run.execute()
        yield run


def probe(run: NotebookRun) -> KernelProbe:
    return KernelProbe(run.ask, lambda: run.generation, "\n".join(cell.source for cell in run.cells))


def doubles(run: NotebookRun) -> bool:
    return bool(np.array_equal(probe(run).call("double", np.array([1.0, 2.0])), [2.0, 4.0]))


BAD_CELLS = {
    "hangs": ("while True:\n    pass\n", "timeout"),
    "hangs and ignores interrupts": (
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass\n",
        "timeout",
    ),
    "exits": ("import os\nos._exit(0)\n", "died"),
    "kills itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "died"),
    "quits": ("quit()", "died"),
    "spoils the shell": (
        "import types\nkernel = get_ipython().kernel\nasync def do(self, *a, **k):\n    return {'status': 'ok', 'execution_count': 1, 'payload': [], "
        "'user_expressions': {}}\nkernel.do_execute = types.MethodType(do, kernel)\n",
        "died",
    ),
    "stops its own output": ("get_ipython().kernel.iopub_thread.stop()", "died or timeout"),  # whichever shows first
    "patches builtins": (
        "import builtins\nbuiltins.isinstance = lambda *a: True\nbuiltins.all = lambda *a: True\n",
        "died or timeout",
    ),
}


@pytest.mark.parametrize("name", list(BAD_CELLS))
def test_a_bad_cell_costs_no_other_cell(name: str) -> None:
    source, reason = BAD_CELLS[name]
    with executed(source, DOUBLE) as run:
        assert doubles(run)
        assert "cell-0" in run.stopped and "cell-1" not in run.stopped
        assert run.stopped["cell-0"] in reason


def test_a_limit_need_not_be_whole_seconds() -> None:
    with executed("while True:\n    pass\n", DOUBLE, seconds=0.5) as run:
        assert run.stopped == {"cell-0": "timeout"}
        assert doubles(run)


HARMLESS = {
    "raises": "1 / 0",
    "does not parse": "def broken(:",
    "resets the namespace": "%reset -f",
    "leaves its folder": "import os, sys\nos.chdir('/')\nsys.path.clear()\n",
    "makes NumPy strict": "import numpy as np\nnp.seterr(all='raise')\nnp.float64 = None\n",
    "replaces numpy.load": "import numpy\nnumpy.load = numpy.save = None\n",
    "changes later cells": "get_ipython().input_transformers_cleanup.append(lambda lines: [])\n",
    "asks a question": "name = input('name?')",
    "sends odd messages": "kernel = get_ipython().kernel\nkernel.session.send(kernel.iopub_socket, 'display_data', {'data': 5}, parent=kernel.get_parent())\n",
    "runs a shell command": "!echo hello",
}


@pytest.mark.parametrize("name", list(HARMLESS))
def test_a_slip_leaves_the_kernel_usable(name: str) -> None:
    with executed(HARMLESS[name], DOUBLE) as run:
        assert doubles(run)
        assert run.generation == 1 and not run.stopped


GIVEN = """
import numpy as np

def adder(number):
    return lambda x: np.asarray(x) + number
"""


@pytest.mark.parametrize(
    "cell",
    [
        "import asyncio\nfactor = await asyncio.sleep(0, 2.0)\n",
        "async def two():\n    yield 2.0\n\nasync for factor in two():\n    pass\n",
        "factor = 2.0  # nothing to await\n",
    ],
    ids=["await", "async for", "the word alone"],
)
def test_a_cell_may_await(cell: str) -> None:
    with executed(cell, "def double(x):\n    return factor * x\n") as run:
        assert doubles(run)


def test_a_function_gets_a_callable_that_the_grader_defined() -> None:
    with executed("def twice(function, x):\n    return function(function(x))\n") as run:
        asked = probe(run)
        assert asked.call("twice", asked.define(GIVEN, "adder", 3.0), np.array([1.0, 2.0])).tolist() == [7.0, 8.0]


def test_given_code_and_the_students_names_are_apart() -> None:
    own = "np = None\n\ndef adder(number):\n    return 5\n\ndef call(function):\n    return function(0)\n\ndef own(x):\n    return adder(x)\n"
    with executed(own) as run:
        asked = probe(run)
        assert asked.call("call", asked.define(GIVEN, "adder", 3)) == 3
        assert asked.call("own", 0) == 5


MODELS = """
import keras

def build_tied(units):
    dense = keras.layers.Dense(units)
    inputs = keras.Input((units,))
    return keras.Model(inputs, dense(dense(inputs)))

def build_nothing():
    keras.Input((2,))

def build_class():
    return keras.Model
"""


def test_a_model_is_built_and_its_weights_are_set_each_once() -> None:
    with executed(MODELS, seconds=20.0) as run:
        model = probe(run).build("build_tied", 2)
        kernel, bias = model.values()
        assert (kernel[0].shape, bias[0].shape, kernel[0].trainable) == ((2, 2), (2,), True)
        model.set_values([[[0.0, 2.0], [2.0, 0.0]], [1.0, 0.0]])
        # once (2y + 1, 2x), twice (4x + 1, 4y + 2)
        assert model(np.array([[3.0, 5.0]])).tolist() == [[13.0, 22.0]]
        assert [value.tolist() for _, value in model.values()] == [[[0.0, 2.0], [2.0, 0.0]], [1.0, 0.0]]


@pytest.mark.parametrize("name", ["build_nothing", "build_class"])
def test_what_is_no_model_is_refused(name: str) -> None:
    with executed(MODELS, seconds=20.0) as run, pytest.raises(AnswerError, match="should return a model"):
        probe(run).build(name)


def test_a_function_that_hangs_is_stopped_and_the_kernel_goes_on() -> None:
    with executed(DOUBLE, "def endless():\n    while True:\n        pass\n") as run:
        with pytest.raises(AnswerTimeout, match="a loop without an end"):
            probe(run).call("endless")
        assert doubles(run)


def test_a_hung_cell_takes_no_outputs_of_the_next_one() -> None:
    """What nbclient still listens with must be gone."""
    cells = [cell for i in range(3) for cell in ("while True:\n    pass\n", f"print('after {i}')")]
    with executed(*cells, seconds=1.0) as run:
        shown = [run.results[f"cell-{i}"].outputs for i in (1, 3, 5)]
    assert [[output.get("text") for output in outputs] for outputs in shown] == [[f"after {i}\n"] for i in range(3)]


def test_a_function_that_ends_the_kernel_gets_a_fresh_one_for_the_others() -> None:
    with executed(DOUBLE, "import os\ndef end():\n    os._exit(0)\n") as run:
        with pytest.raises(KernelGone, match="ended the kernel"):
            probe(run).call("end")
        assert doubles(run) and run.generation == 2


def test_a_missing_function_is_told_by_its_name() -> None:
    with executed(DOUBLE) as run, pytest.raises(AnswerMissing, match="`treble` is not defined"):
        probe(run).call("treble", 1)


def test_an_argument_is_a_copy() -> None:
    argument = np.zeros(3)
    with executed("def spoil(x):\n    x += 1\n    return x\n") as run:
        assert np.array_equal(probe(run).call("spoil", argument), np.ones(3))
    assert np.array_equal(argument, np.zeros(3))


def test_outputs_are_cut() -> None:
    with executed("for _ in range(100):\n    print('x' * 1000, flush=True)\n") as run:
        outputs = run.results["cell-0"].outputs
    assert sum(len(output.get("text", "")) for output in outputs) < 2 * LIMITS.output_bytes
    assert "output cut" in outputs[-1].text


def test_a_locked_cell_that_never_ends_is_the_machines_failure() -> None:
    cells = [RunCell("setup", "while True:\n    pass", False, True, 1.0)]
    with NotebookRun(cells, LIMITS, "tensorflow") as run, pytest.raises(MachineError, match="locked cell 'setup'"):
        run.execute()


MISSING = "import a_package_that_nobody_has"


def test_a_locked_cell_that_raises_before_any_of_the_students_is_the_machines_failure() -> None:
    cells = [RunCell("setup", MISSING, False, True, 5.0), RunCell("own", "pass", True, True, 5.0)]
    with (
        NotebookRun(cells, LIMITS, "tensorflow") as run,
        pytest.raises(
            MachineError, match="locked cell 'setup' failed: ModuleNotFoundError: No module named 'a_package"
        ),
    ):
        run.execute()


@pytest.mark.parametrize("students", ["a cell", "a cell that ends the kernel", "a file"])
def test_a_locked_cell_that_raises_behind_something_of_the_students_is_theirs(students: str) -> None:
    own = "pass" if students == "a cell" else "import os\nos._exit(1)"
    cells = [RunCell("own", own, True, True, 5.0)] if students != "a file" else []
    files = {"notes.txt": b"words"} if students == "a file" else {}
    with NotebookRun([*cells, RunCell("setup", MISSING, False, True, 5.0)], LIMITS, "tensorflow", files) as run:
        run.execute()
        assert run.results["setup"].exit == "error"


def test_a_students_cell_before_the_locked_ones_is_to_blame_for_them() -> None:
    saboteur = "import threading, os\nget_ipython().events.register('pre_run_cell', lambda info: os._exit(1))\n"
    with executed(DOUBLE, own_first=saboteur) as run:
        assert doubles(run) and list(run.stopped) == ["own-1"]


def test_a_kernel_sees_nothing_of_the_instructors_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_SECRET", "s" * 20)
    with executed("import os\ndef told():\n    return ' '.join(os.environ)\n") as run:
        names = probe(run).call("told").split()
    assert "AUTOGRADER_SECRET" not in names and "HOME" in names


def test_a_kernel_starts_without_looking_at_each_module() -> None:
    """Each look at a module's name or file copies a page of the warm process, which thousands of modules would make half of the start.

    And the warm process has one thread: with more of them its forks hang.
    """
    look = "import sys\nkernel = get_ipython().kernel\nprint(len(kernel._kernel_modules), hasattr(get_ipython(), '_sys_modules_keys'))"
    own = "import sys\nprint([name for name in sys.modules if name.startswith('autograder')])"
    with executed(look, own) as run:
        texts = [run.results[f"cell-{i}"].outputs[0].get("text") for i in range(2)]
    assert texts == ["0 False\n", "[]\n"]
    assert warm_connection("tensorflow").threads == 1


def test_a_kernel_has_jax_only_if_it_is_asked_for() -> None:
    pytest.importorskip("jax")
    with executed("import sys\nprint('jax' in sys.modules)", "import jax\nprint(jax.__name__)") as run:
        texts = [run.results[f"cell-{i}"].outputs[0].get("text") for i in range(2)]
    assert texts == ["False\n", "jax\n"]


def test_kernels_do_not_share_random_numbers() -> None:
    code = "import numpy as np, random\ndef drawn():\n    return np.array([np.random.random(), random.random()])\n"
    drawn = []
    for _ in range(2):
        with executed(code) as run:
            drawn.append(probe(run).call("drawn"))
    assert not np.isclose(drawn[0], drawn[1]).any()


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
"""


def below() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    with executed(DOUBLE):
        pass  # the warm process is there now
    before = below()
    folder = tempfile.mkdtemp(prefix="t")  # a short path: a socket's may have 107 characters
    monkeypatch.setattr(tempfile, "tempdir", folder)
    with executed(DAEMON, DOUBLE) as run:
        assert doubles(run)
        assert len(below() - before) >= 3  # a reaper, the kernel, the daemon
    Path(folder).rmdir()  # an error if anything were in it
    assert below() == before


def test_too_many_restarts_end_the_evaluation() -> None:
    limits = Limits(start_seconds=90, cell_seconds=3, answer_seconds=3, submission_seconds=120, restarts=1)
    cells = [RunCell(f"cell-{i}", "import os\nos._exit(0)", True, True, 3.0) for i in range(4)]
    with NotebookRun(cells, limits, "tensorflow") as run:
        run.execute()
        with pytest.raises(AnswerError, match="more than 1 times"):
            probe(run).call("double", 1)


def test_a_training_has_its_own_deadline() -> None:
    slow = "import time\ndef train(seconds):\n    time.sleep(seconds)\n    return len\n"
    cell = RunCell("cell-0", slow, True, True, 5.0)
    limits = dataclasses.replace(LIMITS, answer_seconds=1, training_seconds=4)
    with NotebookRun([cell], limits, "tensorflow") as run:
        run.execute()
        assert probe(run).train("train", 2)([1, 2, 3]) == 3
        with pytest.raises(AnswerTimeout, match="The training was not done after 4 s"):
            probe(run).train("train", 60)
        with pytest.raises(AnswerTimeout, match="Stopped after 1 s"):
            probe(run).call("train", 60)


# --- what would fill the worker's memory ------------------------------------------------------------------------------

POUR = """
import os, stat, threading


def pour(descriptor, frame):
    while True:
        try:
            os.write(descriptor, frame)
        except BlockingIOError:
            pass
        except OSError:
            return


def double(x):
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        try:
            is_socket = stat.S_ISSOCK(os.fstat(descriptor).st_mode)
        except OSError:
            continue
        if is_socket and descriptor != sys.modules["_probe_resident"].state.CURRENT["channel"]:
            threading.Thread(target=pour, args=(descriptor, FRAME), daemon=True).start()
    time.sleep(1.5)
    return 2 * x
"""
FRAMES = {
    "large parts": r'b"\x03" + (1_000_000).to_bytes(8, "big") + bytes(1_000_000)',
    "empty parts": r'b"\x01\x00" * 500_000',
    "whole messages": r'b"\x02" + (1_000_000).to_bytes(8, "big") + bytes(1_000_000)',
}


@pytest.mark.parametrize("name", list(FRAMES))
def test_a_flood_of_messages_fills_no_memory(name: str) -> None:
    with executed(f"import sys, time\n\nFRAME = {FRAMES[name]}\n{POUR}") as run:
        before = psutil.Process().memory_info().rss
        with contextlib.suppress(AnswerError):
            doubles(run)
        with contextlib.suppress(AnswerError):
            doubles(run)
        assert psutil.Process().memory_info().rss < before + 100_000_000


def test_a_message_too_large_costs_no_other_output() -> None:
    source = "print('a' * 50_000_000)\nfor n in range(3):\n    display(n)\nprint('b' * 9)"
    with executed(source, "print('later')") as run:
        assert run.results["cell-0"].exit == "ok"
        assert "output cut after" in str(run.results["cell-0"].outputs[-1])
        assert "later" in str(run.results["cell-1"].outputs)


def test_a_cell_has_a_number_of_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_OUTPUTS", 20)
    with executed("for n in range(30):\n    display(n)", "for n in range(30):\n    print(n, flush=True)") as run:
        many = run.results["cell-0"].outputs
        assert len(many) == 21 and "after 20 of 30 outputs" in many[-1].text
        assert "".join(output.text for output in run.results["cell-1"].outputs).split() == [str(n) for n in range(30)]


def test_what_a_cell_prints_is_one_output_whenever_the_kernel_sends_it() -> None:
    with executed("for n in range(3):\n    print(n, flush=True)") as run:
        assert [output.text for output in run.results["cell-0"].outputs] == ["0\n1\n2\n"]


def test_what_is_printed_between_cells_costs_no_output() -> None:
    chatty = (
        "import threading, time\n\n\ndef chat():\n    end = time.monotonic() + 1\n    while time.monotonic() < end:\n"
        "        print('x' * 1000, flush=True)\n\n\nthreading.Thread(target=chat, daemon=True).start()"
    )
    with executed(chatty, DOUBLE, "print('late' + 'r')") as run:
        assert doubles(run)
        assert "later" in str(run.results["cell-2"].outputs)


@pytest.mark.parametrize(
    "how",
    [
        "os._exit(0)",
        "os.close(resident.state.CURRENT['channel'])",
        "os.write(resident.state.CURRENT['channel'], bytes(99))",
    ],
)
def test_a_cell_that_spoils_what_the_kernel_remembers_is_left_out(how: str) -> None:
    spoiling = f"import os, sys\nresident = sys.modules['_probe_resident']\nresident._OPERATIONS['remember'] = lambda request: {how}"
    with executed(DOUBLE, own_first=spoiling) as run:
        assert "own-1" in run.stopped and doubles(run)


def test_a_reply_of_lists_is_not_read() -> None:
    forging = (
        "import json, sys\nresident = sys.modules['_probe_resident']\nanswer = resident.answer\n\n\ndef forge(request):\n"
        "    if resident.wire.unpacked(request).get('name') != 'double':\n        return answer(request)\n"
        "    header = b'{\"ok\": [' + b'[[[]]],' * 4_000_000 + b'0]}'\n    return len(header).to_bytes(4, 'big') + header\n\n\n"
        "resident.answer = forge"
    )
    with executed(forging, DOUBLE) as run:
        before = psutil.Process().memory_info().rss
        with pytest.raises(KernelGone):
            doubles(run)
        assert psutil.Process().memory_info().rss < before + 100_000_000


COUNTS = """
import keras

class Counts(keras.layers.Layer):
    calls = 0

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    def call(self, x):
        Counts.calls += 1
        return self.dense(x)

def count():
    Counts.calls = 0
    Counts()(np.ones((1, 2), "float32"))
    return Counts.calls

defining = count()
"""


def test_keras_rehearses_in_cells_that_are_needed_and_not_in_those_that_are_shown() -> None:
    cells = [
        RunCell("locked", "import numpy as np", False, True, 20.0),
        RunCell("own", COUNTS, True, True, 20.0),
        RunCell("shown", "print(defining, count())", False, False, 20.0),
    ]
    with NotebookRun(cells, LIMITS, "tensorflow") as run:
        run.execute()
        assert probe(run).call("count") == 1
        run.show({"shown"})
        assert run.results["shown"].outputs[0].text == "2 1\n"


def test_what_shows_a_task_that_hung_gets_little_time() -> None:
    cells = [
        RunCell("of-the-task", "while True:\n    pass", True, False, 20.0, "endless"),
        RunCell("of-another", "print('shown')", True, False, 20.0, "short"),
    ]
    with NotebookRun(cells, Limits(), "tensorflow") as run:
        run.execute()
        run.show({"of-the-task", "of-another"}, {"endless"})
    assert "after 2 s" in run.results["of-the-task"].outputs[-1]["evalue"]
    assert run.results["of-another"].outputs[0]["text"] == "shown\n"
