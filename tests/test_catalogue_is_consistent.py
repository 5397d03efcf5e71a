"""The rubrics, mistakes and alternatives of every notebook, held against each other without grading anything."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import grading
from autograder.checking import alternatives_of
from autograder.course import Course

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {path.stem: path.parent.name for path in sorted((ROOT / "solutions").glob("[0-9]*/*.py"))}
CONTRACT_POINTS = {
    "positional_encoding": {
        "angle-rates": 2,
        "sinusoidal-table": 4,
        "dot-products": 2,
        "invariance": 2,
        "shift-matrix": 3,
        "positional-layer": 4,
        "learned-layer": 3,
    },
    "scaled_dot_product_attention": {
        "softmax": 3,
        "attention-scores": 3,
        "scaled-dot-product": 6,
        "projections": 3,
        "score-scale": 2,
        "additive": 3,
    },
    "multi_head_attention": {
        "split-heads": 3,
        "merge-heads": 2,
        "multi-head": 4,
        "multi-head-layer": 5,
        "parameter-count": 3,
        "keras-parity": 3,
    },
    "masks": {
        "padding-mask": 3,
        "look-ahead-mask": 3,
        "decoder-mask": 4,
        "masked-softmax": 4,
        "keras-mask": 3,
        "leak-test": 3,
    },
    "blocks": {
        "layer-norm": 3,
        "feed-forward": 3,
        "encoder-block": 5,
        "decoder-block": 6,
        "block-parameters": 3,
    },
    "transformer": {
        "token-embedding": 4,
        "continuous-model": 5,
        "token-model": 7,
        "model-parameters": 4,
    },
    "debugging_clinic": {
        f"{kind}-{mistake}": 2
        for mistake in (
            *("inverted-mask", "dropped-feed-forward", "swapped-arguments"),
            *("head-scaling", "shifted-target"),
        )
        for kind in ("fix", "detect")
    },
    "training": {
        "warmup-schedule": 3,
        "teacher-forcing": 2,
        "masked-loss": 4,
        "masked-accuracy": 2,
        "greedy-decode": 4,
        "trained-model": 5,
    },
    "bert_and_gpt": {
        "mask-tokens": 4,
        "encoder-only": 4,
        "decoder-only": 4,
        "pooling": 2,
        "sampling": 3,
        "kv-cache": 3,
    },
}
notebooks = pytest.mark.parametrize("notebook", list(SOURCES))


@notebooks
def test_tasks_have_the_points_that_the_course_promises(course: Course, notebook: str) -> None:
    assert course.source(SOURCES[notebook]).points == CONTRACT_POINTS[notebook]


@notebooks
def test_rubric_lines_add_up_to_each_tasks_points(course: Course, notebook: str) -> None:
    totals = dict.fromkeys(course.source(SOURCES[notebook]).points, 0.0)
    for line in grading.rubric_of(notebook).values():
        totals[line.task] += line.points
    assert totals == course.source(SOURCES[notebook]).points


@notebooks
def test_a_line_needs_only_earlier_lines_of_its_task(notebook: str) -> None:
    seen: dict[str, str] = {}
    for identity, line in grading.rubric_of(notebook).items():
        assert all(seen.get(need) == line.task for need in line.needs), identity
        seen[identity] = line.task


@notebooks
def test_a_task_builds_only_on_earlier_tasks(course: Course, notebook: str) -> None:
    order = ["carry-over", *course.source(SOURCES[notebook]).points]
    for task, before in grading.builds_on(notebook).items():
        assert all(order.index(b) < order.index(task) for b in before), task


@notebooks
def test_every_rubric_line_is_missed_by_some_mistake(notebook: str) -> None:
    missed = {line for mistake in grading.mistakes_of(notebook).values() for line in mistake.fails}
    assert set(grading.rubric_of(notebook)) - missed == set()


@notebooks
def test_mistakes_name_tasks_and_lines_that_exist(notebook: str) -> None:
    rubric = grading.rubric_of(notebook)
    for mistake in grading.mistakes_of(notebook).values():
        assert mistake.fails and all(rubric[line].task == mistake.task for line in mistake.fails), mistake.id
        ast.parse(mistake.code)


@notebooks
def test_confusions_are_named_in_the_catalogue(notebook: str) -> None:
    code = (ROOT / "autograder" / "graders" / f"{notebook}.py").read_text(encoding="utf-8")
    known = set(grading.mistakes_of(notebook))
    beginnings = {name.split("-")[0] for name in known}
    others = {*grading.rubric_of(notebook), *(line.task for line in grading.rubric_of(notebook).values())}
    others |= {part for name in known for part in (*_parts(name), *_parts(name, before=True))}  # put together there
    named = {
        node.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", node.value)
        and node.value.split("-")[0] in beginnings
        and not set(node.value.split("-")) <= beginnings  # as in `encoder-decoder`
    }
    assert named - others <= known


def _parts(name: str, before: bool = False) -> list[str]:
    """Return what is left of an id when its first words, or its last ones, are cut off."""
    words = name.split("-")
    return ["-".join(words[:i] if before else words[i:]) for i in range(1, len(words))]


@notebooks
def test_there_are_right_alternatives(notebook: str) -> None:
    assert len(alternatives_of(notebook)) >= 3


@notebooks
def test_graders_expect_and_never_assert(notebook: str) -> None:
    code = (ROOT / "autograder" / "graders" / f"{notebook}.py").read_text(encoding="utf-8")
    assert not [node.lineno for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Assert)]


def test_no_file_names_a_machine_or_a_registry() -> None:
    forbidden = re.compile("|".join(("py" + "pi", "python" + "hosted", "npm" + "js", "/ro" + "ot/", "/wo" + "rk/")))
    for path in ROOT.rglob("*"):
        inside = path.relative_to(ROOT).parts
        is_text = path.suffix in (".py", ".md", ".toml", ".txt", "") and "__pycache__" not in inside
        if (
            is_text
            and path.is_file()
            and inside[0]
            in (
                "autograder",
                "solutions",
                "tests",
                "docs",
                "benchmarks",
                "README.md",
                "pyproject.toml",
                "run",
                ".ci",
                "constraints.txt",
            )
        ):
            assert not forbidden.search(path.read_text(encoding="utf-8")), path


def test_graders_import_no_framework():
    """Graders run in every worker: an import of TensorFlow would cost each of them seconds and 700 MB."""
    code = (
        "import importlib, sys\n"
        f"for name in {list(SOURCES)}:\n"
        "    for package in ('graders', 'oracle', 'mistakes', 'alternatives'):\n"
        "        importlib.import_module(f'autograder.{package}.{name}')\n"
        "print(sorted({'keras', 'tensorflow', 'jax', 'torch', 'matplotlib'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
