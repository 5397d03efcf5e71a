"""What a submission that wants to can carry out of its kernels: of the questions, which lines it lost, and nothing else.

Each attack makes something of a secret that its code met: the inputs of a graded question, or the code of a reference. It is
graded under two terms' secrets. What a student can read must be the same both times, but for which lines are lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from autograder.base.text import Text
from autograder.grading import runner as grading
from autograder.grading.runner import LineResult, TaskResult
from autograder.proof.check import with_answers
from autograder.sources.course import Course
from autograder.sources.notebooks import SOLUTION_REGION
from autograder.sources.rubric_table import RubricLine
from autograder.submissions import evaluation
from autograder.submissions.evaluation import grade
from autograder.submissions.explaining import WRONG_AFTER_RIGHT_WORK, explained, explained_as_before
from autograder.submissions.verdicts import Verdict

pytestmark = pytest.mark.course

ASSIGNMENT = "02-attention"
SECRETS = ("a" * 64, "b" * 64)
UNSEEDED = {"code-08"}  # shows a layer of Keras with weights drawn at random
# The first 24 bits of a hash of what a function was called with: as good as a text.
HEARD = """
import hashlib
import os
import numpy as np


def bits(*inputs):
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(x, dtype=float).tobytes() for x in inputs)).digest()
    return [int(bit) for byte in digest[:3] for bit in format(byte, "08b")]


def number(*inputs):
    return int("".join(map(str, bits(*inputs))), 2)

"""
RIGHT = """
def right_softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

"""
RAISING_LINES = "".join(
    f"def raise_{n}():\n    raise (ValueError, KeyError, IndexError, OSError)[{n} % 4]  # {n}\n\n\n" for n in range(64)
)
BY_THE_TEXT = {
    "the line that raised": RAISING_LINES + "def softmax(x, axis=-1):\n    globals()[f'raise_{number(x) % 64}']()\n",
    "the class of an exception": "def softmax(x, axis=-1):\n"
    "    raise (ValueError, KeyError, IndexError, OSError, TypeError, LookupError, EOFError)[number(x) % 7]\n",
    "a class of its own": "".join(f"class E{n}(Exception):\n    pass\n\n\n" for n in range(64))
    + "def softmax(x, axis=-1):\n    raise globals()[f'E{number(x) % 64}']\n",
    "sizes in a sentence of NumPy": "def softmax(x, axis=-1):\n"
    "    return np.zeros((number(x) % 97, 2)) + np.zeros((number(x) // 97 % 97 + 100, 3))\n",
    "a name in a sentence of Python": "def softmax(x, axis=-1):\n"
    "    eval(('bits', 'number', 'hashlib', 'softmax')[number(x) % 4] + '.nothing')\n",
    "the shape of an answer": "def softmax(x, axis=-1):\n    return np.zeros((number(x) % 1000, number(x) // 1000))\n",
    "the type of an answer": "def softmax(x, axis=-1):\n    return ('a text', None, (1, 2), {}, 1j)[number(x) % 5]\n",
    "which entries are wrong": RIGHT + "def softmax(x, axis=-1):\n"
    "    answer = right_softmax(x, axis)\n"
    "    flat = answer.reshape(-1)\n"
    "    for place, bit in enumerate(bits(x)[:flat.size]):\n        flat[place] += bit\n"
    "    flat[-1] += 1\n    return answer\n",
    "NaN": RIGHT + "def softmax(x, axis=-1):\n    return right_softmax(x, axis) + (np.nan if bits(x)[0] else 1)\n",
    "a stub": "def softmax(x, axis=-1):\n"
    "    if bits(x)[0]:\n        raise NotImplementedError()\n    raise ValueError\n",
    "a name that is gone": "def softmax(x, axis=-1):\n"
    "    if bits(x)[0]:\n        globals().pop('softmax', None)\n    raise ValueError\n",
    "an exit": "def softmax(x, axis=-1):\n    if bits(x)[0]:\n        os._exit(3)\n    raise ValueError\n",
    "how it ends": "def softmax(x, axis=-1):\n    os.kill(os.getpid(), (6, 9, 11)[number(x) % 3])\n",
    "how it ends after its cell raised": "def softmax(x, axis=-1):\n"
    "    os.kill(os.getpid(), 11 if bits(x)[2] else 6)\n\n\nraise ValueError\n",
    "a known mistake": RIGHT + "def softmax(x, axis=-1):\n"
    "    if bits(x)[0]:\n        return np.exp(x)\n    return right_softmax(x, 0)\n",
}
# Ways from the kernel in which it is graded into the one whose outputs are shown: writes bit n of what it heard, reads it.
BETWEEN_KERNELS = {
    "a file in its folder": (
        "def write(n, bit):\n    open(f'bit-{n}', 'w').write(str(bit))\n",
        "def read(n):\n    return int(open(f'bit-{n}').read())\n",
    ),
    "temporary files": (
        "def write(n, bit):\n    for folder in ('/tmp', '/var/tmp', '/dev/shm'):\n        try:\n"
        "            open(f'{folder}/bit-{n}', 'w').write(str(bit))\n        except OSError:\n            pass\n",
        "def read(n):\n    for folder in ('/tmp', '/var/tmp', '/dev/shm'):\n"
        "        if os.path.exists(f'{folder}/bit-{n}'):\n            return int(open(f'{folder}/bit-{n}').read())\n"
        "    return 2\n",
    ),
    "the page cache": (
        "files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.path.dirname(np.__file__) + '/../tensorflow/include')\n"
        "               for name in names)[:64]\n"
        "def write(n, bit):\n    file = os.open(files[n], os.O_RDONLY)\n    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)\n"
        "    if bit:\n        os.pread(file, 4096, 0)\n    os.close(file)\n",
        "def read(n):\n    file = os.open(files[n], os.O_RDONLY)\n    try:\n        os.preadv(file, [bytearray(16)], 0, os.RWF_NOWAIT)\n"
        "        return 1\n    except OSError as error:\n        return 0 if error.errno == 11 else 2\n    finally:\n        os.close(file)\n",
    ),
    "times of shared files": (
        "files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.path.dirname(np.__file__) + '/../tensorflow/include')\n"
        "               for name in names)[100:164]\n"
        "def write(n, bit):\n    if bit:\n        open(files[n], 'rb').read()\n",
        "def read(n):\n    return int(os.stat(files[n]).st_atime > os.stat(files[n]).st_mtime)\n",
    ),
    "the probe's own module": (
        "import sys\ndef write(n, bit):\n    vars(sys.modules['_probe_resident']).setdefault('heard', {})[n] = bit\n",
        "def read(n):\n    return vars(sys.modules['_probe_resident']).get('heard', {}).get(n, 2)\n",
    ),
}
SHOWN = """
import sys


def softmax(x, axis=-1):
    # a grader's question prints into nothing; the notebook's cells, which come later, show what is said here
    if type(sys.stdout).__name__ == "_Nowhere":
        for place, bit in enumerate(bits(x)):
            try:
                write(place, bit)
            except Exception:
                pass
        raise ValueError
    found = []
    for place in range(24):
        try:
            found.append(read(place))
        except Exception:
            found.append(2)
    print("FOUND", *found)
    raise ValueError
"""


def _grade(course: Course, answers: Mapping[str, str], shows: str, *tasks: str) -> list[Verdict]:
    submission = with_answers(course.source(ASSIGNMENT), answers)
    return [
        grade(
            replace(course, secret=secret).grading_of(
                submission.source.assignment, "attacker", shows=shows, tasks=tasks
            ),
            submission,
        )
        for secret in SECRETS
    ]


def _readable(verdict: Verdict) -> dict[str, Any]:
    """Return what a student can read, without which lines are lost."""
    lines = {
        line.id: (line.text, line.mistake, line.pattern, line.followed)
        for task in verdict.tasks.values()
        for line in task.lines
        if line.status == "missed"
    }
    outputs = {
        f"output of {cell}": [
            *(
                (output.output_type, output.get("evalue"), sorted(output.get("data", {}).items()))
                for output in shown
                if output.output_type != "stream"
            ),
            # how what goes to stdout and to stderr is cut and ordered is a matter of chance
            *("".join(output.text for output in shown if output.get("name") == name) for name in ("stdout", "stderr")),
        ]
        for cell, shown in verdict.outputs.items()
        if cell not in UNSEEDED
    }
    return {**lines, **outputs, "notes": verdict.notes}


def _differences(verdicts: Iterable[Verdict]) -> dict[str, tuple[str, str]]:
    first, second = map(_readable, verdicts)
    return {
        name: (str(first[name])[:1000], str(second[name])[:1000])
        for name in first.keys() & second.keys()
        if first[name] != second[name]
    }


@pytest.mark.parametrize("way", BY_THE_TEXT)
def test_an_explanation_tells_nothing_of_the_questions(course: Course, way: str) -> None:
    verdicts = _grade(course, {"softmax": HEARD + BY_THE_TEXT[way]}, "none", "softmax")
    assert verdicts[0].tasks["softmax"].points != 3 and not verdicts[0].ungraded
    assert _differences(verdicts) == {}


STUBS = "".join(f"def stub_{n}(*_):\n    if True: raise NotImplementedError  # {n}\n\n\n" for n in range(64))
PUTS_A_STUB = """
PLACE, PUT = "additive" + "_attention", list({name: thing for name, thing in globals().items() if name[:5] == "stub_"}.values())


def softmax(x, axis=-1, count=number):
    globals()[PLACE] = PUT[count(x) % 64]
    return x
"""


def test_what_another_task_puts_in_the_place_of_a_stub_tells_nothing(course: Course) -> None:
    source = course.source(ASSIGNMENT)
    stub = SOLUTION_REGION.sub("raise NotImplementedError()", source.known_cells["task-additive"].texts["en"])
    answers = {"softmax": HEARD + STUBS + PUTS_A_STUB, "additive": stub}
    verdicts = _grade(course, answers, "none", "softmax", "additive")
    assert {verdict.tasks["additive"].points for verdict in verdicts} == {0}
    assert _differences(verdicts) == {}


@pytest.mark.parametrize("raised", [False, True])
@pytest.mark.parametrize("status", ["missed", "blocked", "passed"])
def test_a_second_look_is_explained_whatever_the_first_one_met(course: Course, status: str, raised: bool) -> None:
    line = next(iter(course.source(ASSIGNMENT).rubric.values()))
    met = [LineResult("a", line, status, Text("first"), raised=raised), LineResult("a", line, "missed", Text("again"))]
    first, again = (TaskResult("softmax", 3, (one,)) for one in met)
    practised = TaskResult("softmax", 3, (LineResult("a", line, "missed", Text("practised")),))
    assert explained(first, practised, {"a"}).lines[0].text == Text("practised")
    assert explained_as_before(again, practised, {"a"}).lines[0].text == Text("practised")
    assert explained_as_before(again, None, {"a"}).lines[0].text == WRONG_AFTER_RIGHT_WORK


def test_a_second_look_is_explained_as_a_whole_or_not_at_all(course: Course) -> None:
    """Line by line the explanations would tell which lines the first look had lost."""
    line = next(iter(course.source(ASSIGNMENT).rubric.values()))
    again = TaskResult("softmax", 3, tuple(LineResult(name, line, "missed", Text("again")) for name in "ab"))
    practised = TaskResult(
        "softmax", 3, (LineResult("a", line, "missed", Text("practised")), LineResult("b", line, "ungraded"))
    )
    told = {each.text for each in explained_as_before(again, practised, {"a", "b"}).lines}
    assert told == {WRONG_AFTER_RIGHT_WORK}


@pytest.mark.parametrize("way", BETWEEN_KERNELS)
def test_what_is_shown_tells_nothing_of_the_questions(
    course: Course, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # practice questions would only write other bits over those of the graded ones
    monkeypatch.setattr(evaluation._Attempt, "explain", lambda *_: None)
    write, read = BETWEEN_KERNELS[way]
    verdicts = _grade(course, {"softmax": HEARD + write + "\n\n" + read + SHOWN}, "lost", "softmax")
    assert any("FOUND" in str(output) for shown in verdicts[0].outputs.values() for output in shown)
    assert _differences(verdicts) == {}


LOOKS_AROUND = """
import gc
import linecache
import sys
import types


def texts():
    found = ["".join(lines) for entry in list(linecache.cache.values()) if len(entry) > 2 for lines in [entry[2]]]
    found += [str(thing) for thing in list(get_ipython().user_ns.get("In", []))]
    found += [thing for thing in gc.get_objects() if isinstance(thing, str)]
    for holder in gc.get_objects():
        if isinstance(holder, (list, tuple)):
            found += [thing for thing in holder[:2000] if isinstance(thing, str)]
        elif isinstance(holder, dict):
            found += [thing for thing in list(holder.values())[:2000] if isinstance(thing, str)]
    return found


def softmax(x, axis=-1):
    return x


def scaled_dot_product_attention(query, key, value, mask=None):
    seen = any("largest score " + "becomes 0" in text or "expo" + "nentials = ops" in text for text in texts())
    code = getattr(softmax, "__code__", None)
    names = " ".join(map(str, (*code.co_names, *code.co_varnames, *code.co_consts))) if code else ""
    inside = [c.cell_contents for c in getattr(softmax, "__closure__", None) or ()]
    seen = seen or any(isinstance(c, types.FunctionType) and "expo" + "nentials" in c.__code__.co_varnames for c in inside)
    if seen or "expo" + "nentials" in names:
        raise KeyError
    raise ValueError
"""


def test_a_reference_is_nowhere_in_the_kernel_of_functions(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack raises KeyError where it finds a text, a code or a constant of a solution."""
    looks: list[list[str]] = []
    run = grading.run_graders

    def noted(*rest: Any) -> dict[str, grading.TaskResult]:
        results = run(*rest)
        looks.append([line.text.en for line in results["scaled-dot-product"].lines if line.text])
        return results

    monkeypatch.setattr(grading, "run_graders", noted)
    wrong = {"softmax": "def softmax(x, axis=-1):\n    return x\n", "scaled-dot-product": LOOKS_AROUND}
    _grade(course, wrong, "none", "scaled-dot-product")
    # at first, in practice, with right work before it and with that imitating the student's, and in practice again
    assert len(looks) >= 2 * 4 and all(looks)
    assert not [text for look in looks for text in look if "KeyError" in text]


def _outcomes(lines: Mapping[str, RubricLine]) -> int:
    """Return how many sets of a task's lines can be earned, given what each needs."""
    ids = list(lines)
    needs = [[ids.index(need) for need in line.needs if need in lines] for line in lines.values()]
    return sum(
        all(not earned >> place & 1 or all(earned >> need & 1 for need in needs[place]) for place in range(len(ids)))
        for earned in range(1 << len(ids))
    )


@pytest.mark.parametrize("assignment", ["02-attention", "05-encoder-decoder-blocks", "09-bert-and-gpt"])
def test_the_lines_that_can_be_lost_carry_few_bits(course: Course, assignment: str) -> None:
    """A task says which lines are lost, and two bits more: whether it was looked at with right work before it, and whether it
    was explained then."""
    source, total = course.source(assignment), 0.0
    for task in {line.task for line in source.rubric.values()}:
        lines = {i: line for i, line in source.rubric.items() if line.task == task}
        total += math.log2(_outcomes(lines)) + 2 * bool(source.predecessors(task))
    assert total <= 40
