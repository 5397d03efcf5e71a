"""Zip files and folders of submissions, listed without trusting what is in them.

Nothing is ever unpacked by the name that it has inside: a member's content goes where `collect` says. A zip that no
learning management system would write is refused as a whole, before anything of it is read.
"""

from __future__ import annotations

import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from autograder.errors import CourseError

MAX_FILES = 20_000
MAX_BYTES = 4 << 30  # of all files together, unpacked
MAX_FILE_BYTES = 256 << 20
MAX_DIRECTORY_BYTES = 8 << 20  # of the zip's own list of its files
CHUNK_BYTES = 1 << 20

END_OF_DIRECTORY = b"PK\x05\x06"
ZIP64_LOCATOR = b"PK\x06\x07"
# What reading a damaged zip raises, besides OSError.
UNREADABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, NotImplementedError)
NOT_SUBMITTED = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")


class Opener(Protocol):
    """Opens a member's content for reading."""

    def __call__(self) -> BinaryIO:
        """Return the open content."""
        ...


@dataclass(frozen=True)
class Member:
    """One file of a download.

    Attributes:
        path: inside the download.
        size: in bytes, unpacked, as the download says.
        modified: seconds since the epoch or since any other moment, only to tell older from newer.
        open: opens the content.
    """

    path: PurePosixPath
    size: int
    modified: float
    open: Opener

    def copy_to(self, target: Path) -> None:
        """Write the content to a new file.

        Raises:
            CourseError: it is longer than the download says, damaged or can't be read.
        """
        left = self.size
        try:
            with self.open() as source, target.open("xb") as file:
                while chunk := source.read(min(CHUNK_BYTES, left + 1)):
                    left -= len(chunk)
                    if left < 0:
                        raise CourseError(
                            f"A file must be as long as its download says. Received: more than {self.size} bytes in {self.path}."
                        )
                    file.write(chunk)
        except UNREADABLE as error:
            raise CourseError(
                f"Each file of the download must be readable. Received: {self.path}: {error}. Download it again."
            ) from None
        except OSError as error:
            raise CourseError(
                f"Each file must be readable, and there must be room for it. Received: {self.path}: {error}."
            ) from None


@dataclass(frozen=True)
class Skipped:
    """A file that is left out, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Download:
    """What a zip or folder holds.

    Attributes:
        name: of the zip or folder.
        members: files, in the order of their paths.
        skipped: files that can't be taken.
    """

    name: str
    members: tuple[Member, ...]
    skipped: tuple[Skipped, ...]


@contextmanager
def open_download(path: Path) -> Generator[Download]:
    """List a zip file or folder; its members can be read while the context lasts.

    Raises:
        CourseError: it is neither, or holds what no class hands in: more than 20,000 files, more than 4 GiB, names that
            lead out of it, links, encrypted files.
    """
    if path.is_dir():
        yield _checked(path.name, *_folder_members(path))
        return
    try:
        with path.open("rb") as file:
            _check_directory(file, path)
        with zipfile.ZipFile(path) as archive:
            yield _checked(path.name, *_zip_members(archive, path))
    except (zipfile.BadZipFile, struct.error) as error:
        raise CourseError(
            f"The download must be a zip file or a folder. Received: {path}: {error}. Download it again, or unpack it and "
            "name the folder."
        ) from None
    except OSError as error:
        raise CourseError(f"The download must be a zip file or a folder. Received: {path}: {error.strerror}.") from None


def _check_directory(file: BinaryIO, path: Path) -> None:
    """Refuse a zip whose list of files is too long to be read at all, by the sizes that stand at its end."""
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - (1 << 16) - 64))
    tail = file.read()
    at = tail.rfind(END_OF_DIRECTORY)
    if at < 0:
        raise zipfile.BadZipFile("it has no end of a zip's directory")
    _, _, _, _, files, directory_bytes, _, _ = struct.unpack_from("<4s4H2LH", tail, at)
    is_zip64 = tail[max(0, at - 20) : at].startswith(ZIP64_LOCATOR)
    if is_zip64 or files > MAX_FILES or directory_bytes > MAX_DIRECTORY_BYTES:
        raise _too_much(path, "more" if is_zip64 else f"{files}", "files")


def _zip_members(archive: zipfile.ZipFile, path: Path) -> tuple[list[Member], list[Skipped]]:
    members: list[Member] = []
    skipped: list[Skipped] = []
    names: set[str] = set()
    for info in archive.infolist():
        name = _decoded(info)
        parts = name.split("/")
        if (
            name.startswith("/")
            or ".." in parts
            or "\\" in name
            or "\0" in info.orig_filename
            or parts[0].endswith(":")
        ):
            raise CourseError(
                f"A path in the zip must stay inside it. Received: {name!r} in {path}. No learning management system writes "
                "this: don't unpack it, ask where it comes from."
            )
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise CourseError(
                f"A zip of submissions must hold plain files. Received: {name!r} in {path}, a link or a device. Take it out."
            )
        if info.flag_bits & 1:
            raise CourseError(f"A zip of submissions can't be encrypted. Received: {name!r} in {path}.")
        if info.is_dir():
            continue
        if name in names:
            raise CourseError(f"Each path must be in the zip once. Received: {name!r} in {path} more than once.")
        names.add(name)
        modified = float(sum(n * unit for n, unit in zip(info.date_time, _UNITS, strict=True)))
        member = Member(PurePosixPath(name), info.file_size, modified, _zip_opener(archive, info))
        _sort_out(member, members, skipped)
    return members, skipped


# A zip's times are of some time zone: they are put in order, never taken for moments. Every month has 31 days.
_DAY = 86_400
_UNITS = (372 * _DAY, 31 * _DAY, _DAY, 3600, 60, 1)


def _zip_opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Opener:
    return lambda: archive.open(info)  # type: ignore[return-value]


def _folder_members(root: Path) -> tuple[list[Member], list[Skipped]]:
    members: list[Member] = []
    skipped: list[Skipped] = []
    for folder, subfolders, files in os.walk(root, onerror=_stop):
        for name in [*subfolders, *files]:
            path = Path(folder, name)
            inside = PurePosixPath(path.relative_to(root))
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                _sort_out(Member(inside, status.st_size, status.st_mtime, _file_opener(path)), members, skipped)
            elif not stat.S_ISDIR(status.st_mode):
                skipped.append(Skipped(str(inside), "a link or no plain file"))
            if len(members) > MAX_FILES:
                raise _too_much(root, "more", "files")
    return members, skipped


def _file_opener(path: Path) -> Opener:
    def opened() -> BinaryIO:
        return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")

    return opened


def _stop(error: OSError) -> None:
    raise CourseError(f"Each folder of the download must be readable. Received: {error.filename}: {error.strerror}.")


def _sort_out(member: Member, members: list[Member], skipped: list[Skipped]) -> None:
    if any(part in NOT_SUBMITTED for part in member.path.parts):
        return
    if member.size > MAX_FILE_BYTES:
        megabytes = MAX_FILE_BYTES >> 20
        skipped.append(Skipped(str(member.path), f"{member.size >> 20} MB are more than {megabytes} MB"))
    else:
        members.append(member)


def _checked(name: str, members: list[Member], skipped: list[Skipped]) -> Download:
    if len(members) > MAX_FILES:
        raise _too_much(name, str(len(members)), "files")
    if sum(member.size for member in members) > MAX_BYTES:
        raise _too_much(name, str(sum(member.size for member in members) >> 20), "MB")
    return Download(name, tuple(sorted(members, key=lambda m: str(m.path))), tuple(skipped))


def _too_much(path: Path | str, received: str, unit: str) -> CourseError:
    return CourseError(
        f"A class's download must have at most {MAX_FILES} files and {MAX_BYTES >> 20} MB unpacked. Received: {received} {unit} "
        f"in {path}. Take apart what is a class's, and collect that."
    )


def _decoded(info: zipfile.ZipInfo) -> str:
    """Return a member's name. Canvas and Korean Windows write UTF-8 and CP949 without saying so; zipfile reads CP437."""
    if info.flag_bits & 0x800:
        return info.filename
    raw = info.filename.encode("cp437")
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename
