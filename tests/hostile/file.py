"""Files that are no notebook, or not in the place of one."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import nbformat

from hostile import FILE, HONEST, NOTHING, RIGHT, Group, Targets

FILES = Group("file")
add = FILES.add
UNREADABLE = "damaged or cut off|not a Jupyter notebook"


def with_key(key: str, value: object) -> Callable[[bytes], bytes]:
    """Return a change of one key of the notebook's file."""
    return lambda content: json.dumps({**json.loads(content), key: value}).encode()


def format_3(content: bytes) -> bytes:
    notebook = nbformat.reads(content.decode(), as_version=4)
    return nbformat.writes(nbformat.convert(notebook, 3), version=3).encode()


def old_outputs(content: bytes) -> bytes:
    data = json.loads(content)
    code = next(c for c in data["cells"] if c["cell_type"] == "code")
    code["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 30_000_000}]
    return json.dumps(data).encode()


def link_to_other(folder: Path, place: Targets) -> None:
    os.symlink(f"{place.course}/submitted/{HONEST[0]}/{folder.name}/{FILE}", folder / FILE)


def link_to_config(folder: Path, place: Targets) -> None:
    os.symlink(f"{place.course}/course_config.py", folder / FILE)


def pipe(folder: Path, place: Targets) -> None:
    os.mkfifo(folder / FILE)


def directory(folder: Path, place: Targets) -> None:
    (folder / FILE).mkdir()


def rename(folder: Path, place: Targets) -> None:
    (folder / FILE).rename(folder / "My attention (1).ipynb")


def second_notebook(folder: Path, place: Targets) -> None:
    (folder / "other.ipynb").write_text("{}")


def two_other_names(folder: Path, place: Targets) -> None:
    rename(folder, place)
    second_notebook(folder, place)


def odd_neighbours(folder: Path, place: Targets) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    os.symlink("/etc/passwd", folder / "link")
    os.symlink("loop", folder / "loop")
    (folder / ("n" * 255)).write_bytes(b"x")
    (folder / "a\nb").write_text("x")
    with open(os.fsencode(folder) + b"/\xff\xfe", "w"):
        pass


def big_neighbour(folder: Path, place: Targets) -> None:
    with open(folder / "data.bin", "wb") as file:
        file.truncate(200_000_000)


def nothing(content: bytes) -> None:
    return None


def refused(id: str, title: str, raw: Callable[[bytes], bytes | None], says: str = UNREADABLE, lay=None) -> None:  # type: ignore[no-untyped-def]
    """Add a file that is refused."""
    add(id, title, points=NOTHING, raw=raw, says=says, lay=lay)


refused("F30-invalid-json", "not JSON", lambda b: b.replace(b'"cells"', b'"cells', 1))
refused("F31-truncated", "cut in half", lambda b: b[: len(b) // 2])
refused("F32-zero", "an empty file", lambda b: b"")
refused("F33-not-dict", "JSON that is no notebook", lambda b: b"[1, 2, 3]")
add("F34-nbformat3", "notebook format 3", raw=format_3)
refused("F35-nbformat9", "notebook format 9", with_key("nbformat", 9))
refused("F36-nonutf8", "Latin-1 bytes", lambda b: b.replace(b"def softmax", b"# caf\xe9\\ndef softmax", 1))
refused("F38-utf16", "UTF-16", lambda b: b.decode().encode("utf-16"))
refused("F39-200mb", "a file with 30 MB of old outputs, which is over the limit", old_outputs, "larger than 20 MB")
refused("F40-nested", "lists in one another, 100 000 deep", lambda b: b"[" * 100_000 + b"]" * 100_000)
refused("F42-dir", "a link to another student's notebook", nothing, "is a link", link_to_other)
add("F44-wrongname", "a notebook of another name, the only one there", RIGHT, earns=3, lay=rename)

add("MI01-two-notebooks", "another notebook beside it", RIGHT, earns=3, lay=second_notebook)
SHADOWED = [
    "numpy",
    "keras",
    "random",
    "json",
    "base64",
    "sitecustomize",
    "usercustomize",
    "types",
    "matplotlib",
    "token",
    "ast",
    "linecache",
    "tensorflow",
    "IPython",
    "ipykernel",
    "startup",
    "matplotlib_inline",
    "nbgrader",
    "autograder",
    "conftest",
]
add(
    "MI03-py-files",
    "files named as the modules that the kernel and the grader import",
    RIGHT,
    earns=3,
    files={f"{name}.py": b"raise SystemExit('shadow')\n" for name in SHADOWED},
)
add("MI04-odd-neighbours", "pipes, links, folders and odd names beside it", RIGHT, earns=3, lay=odd_neighbours)
refused(
    "MI19-bigint",
    "a version number of 5000 digits",
    lambda b: b.replace(b'"nbformat": 4', b'"nbformat": ' + b"9" * 5000),
)
refused("MI20-version-list", "a version that is a list", with_key("nbformat", [4]))
refused(
    "MI21-broken-format3",
    "a broken notebook of format 3",
    lambda b: json.dumps(
        {"nbformat": 3, "nbformat_minor": 0, "metadata": 5, "worksheets": [{"cells": [{"cell_type": 7}]}]}
    ).encode(),
)
refused(
    "MI22-wrong-types",
    "a notebook whose every field has another type",
    lambda b: json.dumps(
        {
            "nbformat": 4,
            "metadata": {"autograder": {"language": ["ko"]}},
            "cells": [
                {"cell_type": ["x"], "source": {}, "metadata": {"nbgrader": {"grade_id": ["x"]}}, "id": {}},
                5,
                None,
                [],
            ],
        }
    ).encode(),
    "another assignment",
)
refused("MI23-pipe", "a pipe in its place", nothing, "not a plain file", pipe)
refused("MI24-directory", "a folder in its place", nothing, "not a plain file", directory)
add(
    "MI25-bom-crlf",
    "a byte order mark in front",
    RIGHT,
    earns=3,
    raw=lambda b: b"\xef\xbb\xbf" + b.replace(b"\n", b"\r\n"),
)
add(
    "MI26-escapes",
    "half characters and control characters",
    RIGHT,
    earns=3,
    raw=lambda b: b.replace(b"def softmax", b"# \\ud800 \\u0007 \\r\\ndef softmax", 1),
)
refused(
    "MI27-nested-metadata",
    "metadata 900 000 deep",
    lambda b: b.replace(b'"nbformat": 4', b'"zz": ' + b"[" * 900_000 + b"]" * 900_000 + b', "nbformat": 4'),
)

refused("N150-missing", "an empty folder", nothing, "is missing")
refused(
    "N151-two-other-names",
    "two notebooks, neither of the right name",
    lambda b: b,
    "several other notebooks",
    two_other_names,
)
refused("N152-link-to-config", "a link to the course's configuration", nothing, "is a link", link_to_config)
refused(
    "N153-dangling-link",
    "a link to nowhere",
    nothing,
    "is a link",
    lambda folder, place: os.symlink("nowhere", folder / FILE),
)
refused(
    "N154-device",
    "a link to /dev/zero",
    nothing,
    "is a link",
    lambda folder, place: os.symlink("/dev/zero", folder / FILE),
)
refused(
    "N155-socket",
    "a socket in its place",
    nothing,
    "not a plain file",
    lambda folder, place: os.mknod(folder / FILE, 0o140600),
)
add("N156-big-neighbour", "200 MB of data beside it", RIGHT, earns=3, lay=big_neighbour)
refused(
    "N157-too-many-cells",
    "3000 cells",
    lambda b: json.dumps({**json.loads(b), "cells": json.loads(b)["cells"][:1] * 3000}).encode(),
    "3000 cells, of at most 2000",
)
refused("N158-nul-bytes", "20 MB of NUL bytes", lambda b: b"\0" * 19_000_000)
refused("N159-gzip", "compressed", lambda b: __import__("gzip").compress(b))
refused(
    "N160-python-file",
    "a Python file under the notebook's name",
    lambda b: b"import numpy as np\n\n\ndef softmax(x):\n    return x\n",
)
refused("N161-html", "the HTML page of a notebook", lambda b: b"<!DOCTYPE html><html><body>notebook</body></html>")
add(
    "N162-duplicate-keys",
    "the key of the cells twice, the second time right",
    RIGHT,
    earns=3,
    raw=lambda b: b.replace(b"{", b'{"cells": [], ', 1),
)
add(
    "N163-nan-and-comments",
    "NaN in the metadata",
    RIGHT,
    earns=3,
    raw=with_key("metadata", {"x": float("nan"), "y": float("inf")}),
)
