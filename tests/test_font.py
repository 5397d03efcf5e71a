"""Hangul in plots: the font that goes with the course, whole and under its own name, and notebooks that find it or do without."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FONTS = ROOT / "assignments" / "fonts"
# Of the file as Naver published it, and as Debian's fonts-nanum and koreanize-matplotlib have it. Its licence keeps the name for that
# file: a subset would need another name.
PUBLISHED = "48a28e97b34fc8e5b157657633670cd1b7de126cfc414da65ce9c3d5bc8be733"
CELL = (ROOT / "solutions" / "_shared" / "cells" / "checks.py").read_text(encoding="utf-8")
FINDING = CELL[CELL.index("HANGUL_FONTS =") : CELL.index("HAS_HANGUL =")]
# The cell's own code on a machine whose fonts have no Hangul, then a picture with a syllable: Matplotlib warns of missing ones.
PICTURE = f"""
import io, subprocess, sys, warnings
from pathlib import Path
from matplotlib import font_manager
import matplotlib.pyplot as plt
plt.switch_backend("agg")
kept = [font for font in font_manager.fontManager.ttflist if font.name.startswith("DejaVu")]
font_manager.fontManager.ttflist[:] = kept
{FINDING}
found = use_hangul_font()
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    plt.figtext(0.1, 0.1, "가")
    plt.savefig(io.BytesIO())
print(found, not [each for each in told if "Glyph" in str(each.message)])
"""


def test_the_font_is_whole_and_has_its_licence() -> None:
    assert hashlib.sha256((FONTS / "NanumGothic.ttf").read_bytes()).hexdigest() == PUBLISHED
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "with Reserved Font Name Nanum, Naver Nanum, NanumGothic" in licence and "Version 1.1" in licence


@pytest.mark.slow
@pytest.mark.parametrize("place", ["beside", "handed-out", "course", "nowhere"])
def test_a_notebook_finds_the_font_or_does_without(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "ko" / "02-attention"
    folder.mkdir(parents=True)
    targets = {"beside": folder, "handed-out": tmp_path / "ko" / "fonts", "course": tmp_path / "fonts"}
    if place in targets:
        targets[place].mkdir(exist_ok=True)
        shutil.copy(FONTS / "NanumGothic.ttf", targets[place])
    code = f"import sys; sys.prefix = {str(tmp_path)!r}\n" + PICTURE.replace('"/usr"', repr(str(tmp_path)))
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout.split() == [str(place != "nowhere")] * 2, done.stderr


@pytest.mark.course
@pytest.mark.parametrize("without", ["", "namespaces"])
def test_a_sealed_kernel_draws_hangul(without: str) -> None:
    program = (
        "from autograder.kernels.session import KernelSession\nfrom autograder.sources.course import Limits\n"
        f"with KernelSession(Limits(), 'tensorflow') as session:\n    print(session.run({PICTURE!r}, 60).outputs)"
    )
    environment = {**os.environ, "AUTOGRADER_SEAL_WITHOUT": without}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert "True True" in done.stdout, done.stdout + done.stderr
