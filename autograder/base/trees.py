"""A folder that one command owns: it holds exactly what was written, and a list of sums tells that it still does."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from autograder.base.errors import CourseError

SUMS = "SHA256SUMS"  # as sha256sum writes and checks it
GIT = ".git"  # of a repository that publishes the folder
PARTIAL = ".partial"
MAX_NAMED = 3  # files in a refusal


def write_tree(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Make a folder hold exactly these files and `SHA256SUMS`; a repository's `.git` in it is left alone.

    A run that was stopped half-way is finished by the next.

    Args:
        folder: the folder to write: a new one, an empty one, or one that an earlier call wrote.
        contents: name below the folder, with slashes -> content.

    Raises:
        CourseError: the folder holds files that no call wrote, or that somebody changed since; nothing was written.
    """
    new = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    old, there = _own(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # both sums of a file are known while it is replaced
    lines = sorted({(name, each) for name, sums in old.items() for each in sums} | set(new.items()))
    _write(folder / SUMS, _listed(lines))
    for name, content in contents.items():
        path = folder / name
        if new[name] not in old.get(name, ()) or not path.is_file() or path.read_bytes() != content:
            _write(path, content)
    for name in set(there) - set(contents):
        (folder / name).unlink(missing_ok=True)
        for parent in (folder / name).relative_to(folder).parents:
            if parent != Path() and (folder / parent).is_dir() and not any((folder / parent).iterdir()):
                (folder / parent).rmdir()
    _write(folder / SUMS, _listed(sorted(new.items())))


def check_tree(folder: Path) -> None:
    """Refuse a folder that `write_tree` would refuse, before minutes are spent on what shall stand there.

    Args:
        folder: a new one, an empty one, or one that `write_tree` wrote.

    Raises:
        CourseError: the folder holds files that no call wrote, or that somebody changed since.
    """
    _own(folder)


def _own(folder: Path) -> tuple[dict[str, set[str]], list[str]]:
    """Return a folder's sums and its files; refuse it if one of them isn't `write_tree`'s."""
    old, there = _sums(folder / SUMS), _files(folder)
    foreign = [name for name in there if not _is_own(folder / name, old.get(name.removesuffix(PARTIAL), set()))]
    if foreign:
        more = f" and {len(foreign) - MAX_NAMED} more" if len(foreign) > MAX_NAMED else ""
        raise CourseError(
            f"The folder must be new, empty, or as this command left it. Received: {folder} with "
            f"{', '.join(foreign[:MAX_NAMED])}{more}, which it didn't write or somebody changed. Move them away, or name another folder."
        )
    return old, there


def _files(folder: Path) -> list[str]:
    """Return what lies below a folder, links to folders too, but for the list of sums and a repository's own files."""
    found: list[str] = []
    for parent, folders, files in os.walk(folder):
        if Path(parent) == folder:
            folders[:] = [name for name in folders if name != GIT]
            files = [name for name in files if name not in (GIT, SUMS, SUMS + PARTIAL)]
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        found += [(Path(parent) / name).relative_to(folder).as_posix() for name in (*files, *links)]
    return sorted(found)


def _is_own(path: Path, sums: set[str]) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    if path.name.endswith(PARTIAL):  # of a run that was stopped
        return bool(sums)
    return hashlib.sha256(path.read_bytes()).hexdigest() in sums


def _sums(path: Path) -> dict[str, set[str]]:
    """Return name -> sums that its file may have."""
    found: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        digest, _, name = line.partition("  ")
        found.setdefault(name, set()).add(digest)
    return found


def _listed(lines: list[tuple[str, str]]) -> bytes:
    return "".join(f"{digest}  {name}\n" for name, digest in lines).encode()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + PARTIAL)
    partial.write_bytes(content)
    partial.replace(path)
