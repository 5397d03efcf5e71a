"""The benchmark of training runs and compares only what is equal; notebook 07 picks a precision that its device has."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from benchmarks.training.course_code import definitions
from benchmarks.training.race import UnequalModelsError, require_equal
from benchmarks.training.sizes import Size, peak_of
from benchmarks.training.trainees import Entry, Report

ROOT = Path(__file__).resolve().parent.parent
KERAS, TORCH = Entry("keras", "tensorflow"), Entry("torch", "torch")
REPORT = Report(parameters=1900, loss=3.75751, device="CPU", versions="keras 3.15.1", setup_seconds=1.0)


@pytest.mark.slow
def test_the_benchmark_runs_on_the_smallest_size(tmp_path: Path) -> None:
    told = tmp_path / "figures.json"
    chosen = ["--sizes", "tiny", "--backends", "tensorflow", "--models", "course,keras", "--compiled", "no"]
    command = [sys.executable, "-m", "benchmarks.training", *chosen, "--turns", "2", "--json", str(told)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-2000:]
    course, keras = json.loads(told.read_text())["sizes"]["tiny"]
    assert len(course["seconds"]) == len(keras["seconds"]) == 2
    assert course["report"]["parameters"] == keras["report"]["parameters"] == 1900
    assert course["report"]["loss"] == pytest.approx(keras["report"]["loss"], rel=1e-5)
    assert "| tensorflow, not compiled, float32, numpy | course | " in done.stdout


def test_models_with_other_parameters_are_not_compared() -> None:
    with pytest.raises(UnequalModelsError, match="as many parameters.*1900.*1901"):
        require_equal([(KERAS, REPORT), (TORCH, replace(REPORT, parameters=1901))])


def test_models_that_compute_something_else_are_not_compared() -> None:
    require_equal([(KERAS, REPORT), (TORCH, replace(REPORT, loss=3.75752))])
    with pytest.raises(UnequalModelsError, match="the same loss.*3.757510.*3.768000"):
        require_equal([(KERAS, REPORT), (TORCH, replace(REPORT, loss=3.768))])
    with pytest.raises(UnequalModelsError, match="the same loss"):
        require_equal([(KERAS, REPORT), (TORCH, replace(REPORT, loss=float("nan")))])


def test_a_step_costs_what_its_matrix_products_cost() -> None:
    size = Size(5, 1, 2, 1, 3, False, batch=1, source_len=1, target_len=1, steps=1)
    encoder, decoder, output = 4 * 4 + 2 * 6 + 2 * 2, 8 * 4 + 2 * 6 + 2 * 4, 2 * 5
    assert size.step_flops == 3 * 2 * (encoder + decoder + output)


def test_a_peak_is_found_by_the_whole_name_before_its_part() -> None:
    assert peak_of("NVIDIA H100 PCIe") == 756e12
    assert peak_of("NVIDIA H100 80GB HBM3") == 989e12
    assert peak_of("CPU") is None


@pytest.mark.slow
def test_a_name_that_a_notebook_lacks_is_an_error() -> None:
    with pytest.raises(ValueError, match="define what is taken.*no_such_name"):
        definitions("07-training: no_such_name")


@pytest.mark.slow
def test_the_course_s_code_lies_in_a_module_as_compilers_want_it() -> None:
    layer = definitions("03-multi-head-attention: MultiHeadAttention").MultiHeadAttention
    again = definitions("03-multi-head-attention: MultiHeadAttention").MultiHeadAttention
    assert vars(importlib.import_module(layer.__module__))["MultiHeadAttention"] is layer
    assert layer.__module__ != again.__module__


def tensorflow_with(**details: Any) -> dict[str, Any]:
    listed = SimpleNamespace(list_physical_devices=lambda kind: [kind] if details else [])
    listed.experimental = SimpleNamespace(get_device_details=lambda device: details)
    return {"config": listed}


def torch_with(name: str = "", capability: tuple[int, int] = (0, 0), mps: bool = False) -> dict[str, Any]:
    cuda = SimpleNamespace(
        is_available=lambda: bool(name), get_device_name=lambda: name, get_device_capability=lambda: capability
    )
    return {"cuda": cuda, "backends": SimpleNamespace(mps=SimpleNamespace(is_available=lambda: mps))}


def jax_with(**device: Any) -> dict[str, Any]:
    return {"devices": lambda: [SimpleNamespace(**device)]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "names", "expected"),
    [
        ("tensorflow", tensorflow_with(), ("CPU", "float32")),
        ("tensorflow", tensorflow_with(device_name="A100", compute_capability=(8, 0)), ("A100", "mixed_bfloat16")),
        ("tensorflow", tensorflow_with(device_name="Tesla T4", compute_capability=(7, 5)), ("Tesla T4", "float32")),
        ("tensorflow", tensorflow_with(device_name="METAL"), ("METAL", "float32")),
        ("torch", torch_with(), ("CPU", "float32")),
        ("torch", torch_with(mps=True), ("Apple GPU (mps)", "float32")),
        ("torch", torch_with("Tesla T4", (7, 5)), ("Tesla T4", "float32")),
        ("torch", torch_with("H100", (9, 0)), ("H100", "mixed_bfloat16")),
        ("jax", jax_with(platform="cpu", device_kind="cpu"), ("cpu", "float32")),
        ("jax", jax_with(platform="tpu", device_kind="TPU v5 lite"), ("TPU v5 lite", "mixed_bfloat16")),
        ("jax", jax_with(platform="gpu", device_kind="T4", compute_capability="7.5"), ("T4", "float32")),
        ("jax", jax_with(platform="gpu", device_kind="B200", compute_capability="10.0"), ("B200", "mixed_bfloat16")),
        ("jax", jax_with(platform="gpu", device_kind="MI250", compute_capability="gfx90a"), ("MI250", "float32")),
    ],
)
def test_the_notebook_picks_device_and_precision(
    monkeypatch: pytest.MonkeyPatch, backend: str, names: dict[str, Any], expected: tuple[str, str]
) -> None:
    find = definitions("07-training: find_accelerator").find_accelerator
    keras = SimpleNamespace(backend=SimpleNamespace(backend=lambda: backend))
    monkeypatch.setitem(find.__globals__, "keras", keras)
    framework = ModuleType(backend)
    framework.__dict__.update(names)
    monkeypatch.setitem(sys.modules, backend, framework)
    assert find() == expected
