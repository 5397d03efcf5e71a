"""The wheel and the sdist: what is in them, and that they work away from this folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from parts import is_todays

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
FONTS = ("NanumGothic.ttf", "OFL.txt")
BUILD = "from setuptools.build_meta import {0}; print({0}({1!r}))"


def run(command: list[str], cwd: Path, path: Path | None = None) -> str:
    """Run a command with nothing of this folder on Python's path; return its stdout."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "AUTOGRADER_DB_URL")}
    environment = {**kept, "AUTOGRADER_SECRET": "s" * 20, **({"PYTHONPATH": str(path)} if path else {})}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, built from what git tracks, or would, and nothing else."""
    copy, made = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("sdist")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("what belongs to the project is known to git alone")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    (copy / ".course_secret").write_text("a secret")
    run([sys.executable, "-c", BUILD.format("build_sdist", str(made))], copy)
    return next(made.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist."""
    made = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-c", BUILD.format("build_wheel", str(made))], unpacked)
    return next(made.glob("*.whl"))


def test_the_sdist_is_the_whole_course_without_its_secret(unpacked: Path) -> None:
    there = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    assert {name for name in filter(None, tracked.split("\0")) if (ROOT / name).is_file()} - there == set()
    assert not [name for name in there if "secret" in Path(name).name and name.endswith(".course_secret")]
    assert not [name for name in there if name.endswith((".pyc", ".db", ".log"))]


def test_the_wheel_is_the_package_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "autograder").rglob("*.py")}
    package_data = (
        "report/templates",
        "commands/starting_course",
        "platforms/templates",
        "watching/templates",
        "site/templates",
    )
    data = [ROOT / "autograder" / name for name in package_data]
    templates = {
        str(path.relative_to(ROOT))
        for folder in data
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    package = {name for name in names if ".dist-info/" not in name}
    fonts = {f"transformer_course-0.1.0.data/data/share/fonts/truetype/nanum/{name}" for name in FONTS}
    assert package == modules | templates | fonts | {"autograder/py.typed"}
    assert (
        "License-Expression: Apache-2.0 AND CC-BY-4.0 AND OFL-1.1" in metadata and "License-File: LICENSE" in metadata
    )


def test_the_installed_wheel_builds_a_course(wheel: Path, unpacked: Path, tmp_path: Path) -> None:
    """The dependencies are this environment's; the package is the wheel's."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps", "--no-index", "--target"]
    run([*pip, str(tmp_path / "site"), str(wheel)], tmp_path)
    course = tmp_path / "course"
    (course / "solutions").mkdir(parents=True)
    for name in ("course_config.py", "nbgrader_config.py", "solutions/_shared", "solutions/02-attention"):
        source = unpacked / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, course / name)
    config = re.sub(r"bonus=\(.*?\)", "bonus=()", (course / "course_config.py").read_text())
    start, end = config.index("    limits_by_assignment={"), config.index("    # Submissions graded at once")
    (course / "course_config.py").write_text(config[:start] + config[end:])
    shutil.copy(unpacked / "solutions" / "translations.txt", course / "solutions")
    program = [sys.executable, str(tmp_path / "site" / "bin" / "autograder")]
    where = "import autograder; print(autograder.__file__)"
    assert str(tmp_path) in run([sys.executable, "-c", where], course, tmp_path / "site")
    run([*program, "build", "--quiet"], course, tmp_path / "site")
    built = course / "assignments" / "ko" / "02-attention" / "scaled_dot_product_attention.ipynb"
    assert built.read_bytes() == (unpacked / built.relative_to(course)).read_bytes()


# Inside the ranges, neither the lowest nor the pinned ones.
PREPARED = {"jupyterlab": "4.4.10", "numpy": "2.2.6"}


@pytest.mark.skipif(not is_todays(1, 3), reason="it has its turn on another day")
def test_the_wheel_goes_into_an_environment_that_has_jupyterlab_and_numpy(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    pins = [f"{name}=={version}" for name, version in PREPARED.items()]
    prepared = subprocess.run([*pip, *pins], capture_output=True, text=True, check=False)
    if prepared.returncode and "CI" not in os.environ:
        pytest.skip(f"pip's index must be reached. It said: {prepared.stderr[-300:]}")
    assert prepared.returncode == 0, prepared.stderr
    run([*pip, str(wheel)], tmp_path)
    run([python, "-m", "pip", "check", "--disable-pip-version-check"], tmp_path)
    versions = "from importlib.metadata import version; print({name: version(name) for name in %r})"
    found = run([python, "-c", versions % list(PREPARED)], tmp_path)
    # NumPy stays; the newest notebook, which nbgrader brings, may ask for a younger JupyterLab 4
    assert f"'numpy': '{PREPARED['numpy']}'" in found and "'jupyterlab': '4." in found
    assert {path.name for path in (tmp_path / "venv/share/fonts/truetype/nanum").iterdir()} == set(FONTS)
    program = [str(tmp_path / "venv" / "bin" / "autograder"), "grade", "--json"]
    released = "assignments/en/02-attention/scaled_dot_product_attention.ipynb"
    assert json.loads(run([*program, released], ROOT))
