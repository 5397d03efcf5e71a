"""Functions that a student's code may call and not see: proxies in its kernel, the functions in another."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
import pytest

from autograder.base.errors import AnswerRaised, AnswerTimeout, AnswerUnreadable, GraderError, KernelGone
from autograder.kernels.notebook_run import NotebookRun, RunCell
from autograder.kernels.probe import KernelProbe
from autograder.kernels.proxies import ProxyHost
from autograder.kernels.session import KernelSession
from autograder.sources.course import Limits

pytestmark = pytest.mark.course

LIMITS = Limits(start_seconds=90, cell_seconds=3, answer_seconds=4, submission_seconds=120, output_bytes=10_000)
GIVEN = """
import numpy as np

def adder(addend):
    def add(x, twice=False):
        return (1 + twice) * (np.asarray(x) + addend)
    return add

def tensors(addend):
    def add(x):
        from keras import ops
        return ops.convert_to_tensor(x) + addend, ops.shape(x)[0]
    return add

def applying():
    return lambda x, function: 1 + function(np.asarray(x))

def building():
    return lambda addend: adder(addend)

def raising(kind):
    def call(x):
        if kind == "many":
            b"\\xff".decode()
        raise {"index": IndexError, "own": type("Own", (ValueError,), {})}[kind]("no")
    return call

def slow():
    def call(x):
        while True:
            pass
    return call

def ending():
    def call(x):
        import os
        os._exit(1)
    return call

def remembering():
    seen = []
    def call(x=None):
        if x is None:
            return np.array(seen)
        seen.append(float(x))
        return x
    return call
"""


@contextmanager
def asked(source: str) -> Iterator[KernelProbe]:
    cells = [
        RunCell("locked", "import numpy as np\nimport keras\nfrom keras import ops", False, True, 20.0),
        RunCell("cell", source, True, True, 3.0),
    ]
    host = ProxyHost(lambda: KernelSession(LIMITS, "tensorflow").__enter__(), 10.0)
    with closing(host), NotebookRun(cells, LIMITS, "tensorflow", host=host) as run:
        run.execute()
        yield KernelProbe(run.ask, lambda: run.generation, source, host=host)


def test_values_go_through_either_way():
    source = """
def check(add):
    x = np.array([1.0, 2.0])
    return add(x), add([1, 2]), add(3), add(ops.convert_to_tensor(x), twice=True)
def check_tensors(add):
    y, length = add(ops.ones((2, 1), "float32"))
    return isinstance(y, type(ops.ones(1))), length == 2, y
"""
    with asked(source) as probe:
        array, of_list, number, doubled = probe.call("check", probe.offer(GIVEN, "adder", 3.0))
        assert array.tolist() == of_list.tolist() == [4.0, 5.0]
        assert (number, doubled.tolist()) == (6.0, [8.0, 10.0])
        is_tensor, is_whole, y = probe.call("check_tensors", probe.offer(GIVEN, "tensors", 3.0))
        assert (is_tensor, is_whole, y.tolist()) == (True, True, [[4.0], [4.0]])


def test_functions_go_through_either_way():
    source = """
def check_applying(apply):
    return apply(np.ones(2), lambda x: 5 * x), apply(np.ones(2), keras.layers.Lambda(lambda x: 7 * x))
class Empty(list):
    def __call__(self, x):
        return 9 * x
def check_empty(apply):
    return apply(np.ones(2), Empty())
def check_nested(apply):
    return apply(np.ones(2), lambda x: apply(x, lambda y: 10 * y))
def check_building(build):
    return build(2)(1), build(addend=np.int64(3))(1)
"""
    with asked(source) as probe:
        applying = probe.offer(GIVEN, "applying")
        assert [part.tolist() for part in probe.call("check_applying", applying)] == [[6.0, 6.0], [8.0, 8.0]]
        assert probe.call("check_empty", applying).tolist() == [10.0, 10.0]
        assert probe.call("check_nested", applying).tolist() == [12.0, 12.0]
        assert [int(part) for part in probe.call("check_building", probe.offer(GIVEN, "building"))] == [3, 4]


def test_nothing_of_a_function_is_in_the_students_kernel():
    source = """
import gc, sys
def check(add):
    add(1)
    held = repr([getattr(add, "__dict__", 0), add.__defaults__, [cell.cell_contents for cell in add.__closure__ or ()]])
    everything = [o for o in gc.get_objects() if callable(o) and getattr(o, "__name__", "") in ("adder", "remembering")]
    module = sys.modules["_probe_resident"]
    return "31337" in held, len(everything), len(module.state.OBJECTS)
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "adder", 31337)) == (False, 0, 0)


@pytest.mark.parametrize(("kind", "caught"), [("index", "IndexError"), ("own", "ValueError"), ("many", "ValueError")])
def test_what_a_function_raises_is_raised_there(kind, caught):
    source = f"""
def check(call):
    try:
        call(1)
    except {caught}:
        return True
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "raising", kind)) is True


def test_what_a_students_function_raises_comes_back_unchanged():
    source = """
class Called(Exception):
    pass
def check(apply):
    error = Called()
    def mine(x):
        raise error
    try:
        apply(np.ones(2), mine)
    except Called as caught:
        return caught is error
def check_late(apply):
    def mine(x):
        raise Called
    return apply(np.ones(2), mine)
"""
    with asked(source) as probe:
        applying = probe.offer(GIVEN, "applying")
        assert probe.call("check", applying) is True
        with pytest.raises(AnswerRaised) as caught:
            probe.call("check_late", applying)
        assert caught.value.kinds[0] == "Called"


SLOW = {
    "the function hangs": ("def check(f):\n    f(1)\n", "slow"),
    "what it calls back hangs": (
        "def check(f):\n    def mine(x):\n        while True: pass\n    f(1, mine)\n",
        "applying",
    ),
    "it is called for ever": ("def check(f):\n    while True: f(1)\n", "remembering"),
    "stopping is ignored": (
        "def check(f):\n    while True:\n        try:\n            f(1)\n        except KeyboardInterrupt: pass\n",
        "remembering",
    ),
}


@pytest.mark.parametrize(("source", "name"), SLOW.values(), ids=list(SLOW))
def test_time_that_is_up_stops_both_and_later_questions_are_answered(source, name):
    with asked(source + "def answer():\n    return 42\ndef fine(f):\n    return f(1)\n") as probe:
        with pytest.raises(AnswerTimeout):
            probe.call("check", probe.offer(GIVEN, name))
        probe.lost = None  # as in the next task
        assert probe.call("answer") == 42
        assert probe.call("fine", probe.offer(GIVEN, "adder", 1)) == 2


def test_a_function_whose_kernel_ends_costs_its_caller_an_error_and_later_ones_are_made_anew():
    source = """
def check(end):
    try:
        end(1)
    except MemoryError:
        return 1
def fine(add):
    return add(1)
"""
    with asked(source) as probe:
        ending, remembering = probe.offer(GIVEN, "ending"), probe.offer(GIVEN, "remembering")
        assert probe.call("check", ending) == 1
        with pytest.raises(KernelGone):
            remembering()
        assert probe.call("fine", probe.offer(GIVEN, "adder", 1)) == 2


def test_a_students_kernel_that_ends_in_a_call_back_has_ended():
    source = """
def check(apply):
    import os
    apply(1, lambda x: os._exit(1))
def answer():
    return 42
"""
    with asked(source) as probe:
        with pytest.raises(KernelGone):
            probe.call("check", probe.offer(GIVEN, "applying"))
        probe.lost = None
        assert probe.call("answer") == 42


def test_calls_within_calls_have_an_end():
    source = """
def check(apply):
    def deeper(x):
        return apply(x, deeper)
    try:
        apply(1, deeper)
    except RecursionError:
        return True
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "applying")) is True


def test_threads_take_turns_and_after_the_answer_nobody_is_asked():
    source = """
import threading, time
late = []
def check(add):
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(add, range(40)))
    def call():
        time.sleep(0.3)
        try:
            add(1)
        except RuntimeError:
            late.append(1)
    threading.Thread(target=call).start()
    return sum(sums)
def told():
    time.sleep(0.6)
    return len(late)
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "adder", 1)) == 820
        time.sleep(0.5)
        assert probe.call("told") == 1


def test_a_forged_call_can_only_reach_what_is_offered():
    source = """
import json, sys
def check(add):
    resident = sys.modules["_probe_resident"]
    nothing = b'{"args": [], "kwargs": {}}'
    deep = b'{"args": ' + b"[" * 5000 + b"]" * 5000 + b"}"
    calls = [b"W%08x" % 99 + nothing, b"W%08x" % 99 + deep, b"W%08x" % 99]
    return all("error" in resident.calls.converse(call) for call in calls) and add(1) == 2
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "adder", 1)) is True


@pytest.mark.parametrize("message", [b"W", b"Wzzzzzzzz{}", b"R00000001{}", b"{}", b"", b"[]"])
def test_what_is_no_call_is_no_reply_either(message):
    source = f"""
import sys
def check(add):
    resident = sys.modules["_probe_resident"]
    resident.wire.send(resident.state.CURRENT["channel"], {message!r})
    return 1
def answer():
    return 42
"""
    with asked(source) as probe:
        with pytest.raises(KernelGone):
            probe.call("check", probe.offer(GIVEN, "adder", 1))
        probe.lost = None
        assert probe.call("answer") == 42


def test_the_grader_asks_what_it_gave():
    with asked("def check(f):\n    f(3), f(4)\n    return 1\n") as probe:
        remembering = probe.offer(GIVEN, "remembering")
        probe.call("check", remembering)
        assert remembering().tolist() == [3.0, 4.0]
        with pytest.raises(GraderError, match="raised"):
            probe.offer(GIVEN, "adder")
        with pytest.raises(AnswerUnreadable):
            probe.offer(GIVEN, "raising", "index")(1)


def test_without_a_kernel_for_them_nothing_is_offered():
    with pytest.raises(GraderError, match="kernel"):
        KernelProbe(lambda request: {}, lambda: 0, "").offer(GIVEN, "adder", np.ones(1))


def test_time_that_is_up_within_calls_within_calls_stops_all_of_them():
    source = """
def check(apply):
    def mine(x):
        while True:
            apply(x, lambda y: y)
    return apply(1, mine)
def answer():
    return 42
"""
    with asked(source) as probe:
        began = time.monotonic()
        with pytest.raises(AnswerTimeout):
            probe.call("check", probe.offer(GIVEN, "applying"))
        probe.lost = None
        assert probe.call("answer") == 42
        assert time.monotonic() - began < 60


def test_a_kernel_that_ends_within_calls_within_calls_is_an_error_of_the_caller():
    source = """
def check(apply, end):
    def mine(x):
        end(1)
    try:
        return apply(1, mine)
    except MemoryError:
        return 7
"""
    with asked(source) as probe:
        applying, ending = probe.offer(GIVEN, "applying"), probe.offer(GIVEN, "ending")
        assert probe.call("check", applying, ending) == 7
        with pytest.raises(AnswerRaised, match="ValueError"):
            probe.call("check", probe.offer(GIVEN, "applying"), probe.offer(GIVEN, "raising", "own"))


def test_threads_that_outlive_their_answer_disturb_no_other():
    source = """
from concurrent.futures import ThreadPoolExecutor
def check(add):
    pool = ThreadPoolExecutor(4)
    sums = [pool.submit(add, i) for i in range(2000)]
    first = sums[0].result()
    pool.shutdown(wait=False)
    return first
"""
    with asked(source) as probe:
        for addend in range(10):
            assert probe.call("check", probe.offer(GIVEN, "adder", addend)) == addend


def test_another_thread_may_call_while_a_function_is_called_back():
    source = """
from concurrent.futures import ThreadPoolExecutor
def check(apply):
    with ThreadPoolExecutor(1) as pool:
        return apply(1, lambda x: pool.submit(apply, x, lambda y: 10 * y).result())
"""
    with asked(source) as probe:
        assert int(probe.call("check", probe.offer(GIVEN, "applying"))) == 12


UNFIT = {
    "too large": ("np.zeros(7_000_000)", "ValueError"),
    "too large together": ("np.zeros(5_000_000), np.zeros(5_000_000), np.zeros(5_000_000)", "ValueError"),
    "no numbers": ("{'a': 1}", "TypeError"),
}


@pytest.mark.parametrize(("argument", "kind"), UNFIT.values(), ids=list(UNFIT))
def test_what_does_not_go_through_is_an_error_of_its_kind(argument, kind):
    source = f"""
def check(add):
    try:
        add({argument})
    except {kind} as error:
        return str(error).startswith("This takes")
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "adder", 1)) is True


def test_a_fork_can_not_call_and_costs_nothing():
    source = """
def check(add):
    import os
    child = os.fork()
    if not child:
        try:
            add(1)
        except RuntimeError:
            os._exit(7)
        os._exit(8)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) + add(1)
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "adder", 1)) == 9


def test_functions_are_lent_for_a_call_only():
    source = """
import sys
def check(apply):
    for _ in range(5):
        apply(1, lambda x: x)
    resident = sys.modules["_probe_resident"]
    return len(resident.state.PASSED_FUNCTIONS) + len(resident.state.OBJECTS)
"""
    with asked(source) as probe:
        assert probe.call("check", probe.offer(GIVEN, "applying")) == 0


def test_what_was_used_up_is_made_in_a_fresh_kernel():
    source = """
def check(remember):
    remember(1)
    return 1
"""
    with asked(source) as probe:
        full = "import resource\ndef fills():\n    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))\n    return len\n"
        probe.offer(full, "fills")
        opening = "def opens():\n    return open('/dev/null').fileno\n"
        assert probe.offer(opening, "opens")() > 0


def test_a_proxy_is_the_same_object_for_as_long_as_the_kernel_lives():
    source = """
seen = {}
def check(add):
    return seen.setdefault(id(add), add(0))
"""
    with asked(source) as probe:
        assert [probe.call("check", probe.offer(GIVEN, "adder", i)) for i in range(20)] == list(range(20))
