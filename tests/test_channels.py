"""Nothing that one sealed kernel leaves can be read in another."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from test_sealing import AN_ORDINARY_USER, ROOT, needs_root, supervised

# Of 64 bits, half are right by chance, and 53 or more once in thirty million times.
MOST = 52 / 64


@pytest.mark.course
@pytest.mark.parametrize(
    ("without", "user"),
    [
        ("", None),
        ("own-user", None),
        ("namespaces", None),
        pytest.param("namespaces", AN_ORDINARY_USER, marks=needs_root),
        pytest.param("namespaces,landlock", None, marks=needs_root),
    ],
)
def test_no_bit_gets_from_one_kernel_to_another(tmp_path: Path, without: str, user: int | None) -> None:
    program = ROOT / "tests" / "hostile" / "channels.py"
    opens = "landlock" in without
    status, said = supervised(tmp_path, [sys.executable, "-P", str(program)], without, user, opens=opens)
    assert status == 0, said
    found = json.loads(said.strip().splitlines()[-1])
    arrived = {way: (bits, of) for way, (bits, of) in found["arrived"].items() if bits > MOST * of}
    assert len(found["arrived"]) >= 12 and not arrived
    # Without Landlock and namespaces nothing can close what Linux itself tells every user of the machine (docs/sealing.md).
    assert found["changing"] == [] or (opens and all(path.startswith("/proc/") for path in found["changing"]))
