"""Zips that are the same bytes on every machine."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path


def write_zip(
    path: Path,
    contents: Mapping[str, bytes],
    *,
    top: str = "",
    executable: Collection[str] = (),
    compression: int = zipfile.ZIP_STORED,
) -> Path:
    """Write a zip in one step, and return its path.

    Args:
        path: the zip file to write.
        contents: name of a file in the zip -> content.
        top: folder in the zip that holds everything; empty: none.
        executable: names of the files that may be executed.
        compression: `zipfile.ZIP_STORED` or `zipfile.ZIP_DEFLATED`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with zipfile.ZipFile(partial, "w") as archive:
        for name, content in sorted(contents.items()):
            info = zipfile.ZipInfo(f"{top}/{name}" if top else name)  # without a time
            info.compress_type = compression
            info.external_attr = (0o100755 if name in executable else 0o100644) << 16
            archive.writestr(info, content)
    partial.replace(path)
    return path
