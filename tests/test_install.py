"""`./run install`: what has another hash than constraints.txt says is refused."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow

# A project that `./run install` installs without an index: its build is a file of its own.
PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "sample"
version = "1"
[project.optional-dependencies]
other = []
"""
BACKEND = """\
import zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(folder + "/sample-1-py3-none-any.whl", "w") as archive:
        archive.writestr("sample-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: sample\\nVersion: 1\\nProvides-Extra: other\\n")
        archive.writestr("sample-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: none\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr("sample-1.dist-info/RECORD", "")
    return "sample-1-py3-none-any.whl"
"""


def write_wheel(folder: Path, name: str, code: str) -> str:
    """Write a wheel of one module; return its SHA-256."""
    path = folder / f"{name}-1-py3-none-any.whl"
    info = f"{name}-1.dist-info"
    files = {
        f"{name}.py": code,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    digests = {each: hashlib.sha256(text.encode()).digest() for each, text in files.items()}
    record = [
        f"{each},sha256={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()},{len(files[each])}"
        for each, digest in digests.items()
    ]
    with zipfile.ZipFile(path, "w") as archive:
        for each, text in (files | {f"{info}/RECORD": "\n".join([*record, f"{info}/RECORD,,", ""])}).items():
            archive.writestr(zipfile.ZipInfo(each), text)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with `run`, two pinned packages, of which one is an extra's, and their wheels."""
    folder, wheels = tmp_path / "project", tmp_path / "wheels"
    for path in (folder / "assignments" / "fonts", wheels):
        path.mkdir(parents=True)
    (folder / "assignments" / "fonts" / "font.ttf").write_bytes(b"")
    shutil.copy(ROOT / "run", folder)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "backend.py").write_text(BACKEND)
    pins = {name: write_wheel(wheels, name, f"NAME = {name!r}") for name in ("needed", "extra")}
    (folder / "constraints.txt").write_text(
        "".join(
            f"#: {words}\n{name}==1 \\\n    --hash=sha256:{pins[name]}\n"
            for words, name in (("dependencies", "needed"), ("test other", "extra"))
        )
    )
    return folder


def install(folder: Path, extras: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    environment = {
        **kept,
        **{"EXTRAS": extras, "PYTHON": sys.executable, "PIP_CONFIG_FILE": os.devnull},
        **{"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder.parent / "wheels")},
    }
    return subprocess.run(
        ["./run", "install"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def installed(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob(".venv/lib/python*/site-packages/*.py")} & {"needed", "extra"}


def test_extras_are_installed_by_their_hashes(project: Path) -> None:
    for extras, expected in (("none", {"needed"}), ("other", {"needed", "extra"})):
        done = install(project, extras)
        assert done.returncode == 0, done.stderr
        assert installed(project) == expected


def test_a_changed_file_is_refused(project: Path) -> None:
    write_wheel(project.parent / "wheels", "needed", "NAME = 'evil'")
    done = install(project, "other")
    assert done.returncode != 0 and "DO NOT MATCH THE HASHES" in done.stderr
    assert not installed(project) and not (project / ".venv" / "installed").exists()
