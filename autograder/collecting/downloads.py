"""Zip files and folders of submissions, listed without trusting what is in them.

Nothing is ever unpacked by the name that it has inside: a member's content goes where `collect` says. A zip that no
learning management system would write is refused as a whole, before anything of it is read. A file whose name is odd,
which a student may have chosen, is only left out.
"""

from __future__ import annotations

import io
import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from autograder.base.errors import CourseError
from autograder.base.names import MAX_NAME_BYTES, control_characters, shown
from autograder.base.plain_files import open_plain_file

MAX_FILES = 20_000
MAX_BYTES = 4 << 30  # of all files together, unpacked
MAX_FILE_BYTES = 256 << 20
MAX_DIRECTORY_BYTES = 8 << 20  # of the zip's own list of its files
CHUNK_BYTES = 1 << 20
MAX_DEPTH = 64  # folders in folders
MAX_SHOWN = 300  # characters of a path

ENTRY = b"PK\x01\x02"  # of the zip's directory
ENTRY_BYTES = 46  # before the file's name
END_OF_DIRECTORY = b"PK\x05\x06"
NOT_A_ZIP = "it is not a zip file, or its end is missing"
ZIP64_LOCATOR = b"PK\x06\x07"
IS_UTF8 = 0x800  # of a member's flags
DRIVE = re.compile("[A-Za-z]:")
# What reading a damaged zip raises, besides OSError.
UNREADABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, NotImplementedError)
GIT = ".git"  # of a clone: a folder, or a file in a submodule
NOT_SUBMITTED = (GIT, "__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")


class Opener(Protocol):
    """Opens a member's content for reading."""

    def __call__(self) -> BinaryIO:
        """Return the open content."""
        ...


@dataclass(frozen=True)
class Member:
    """One file of a download.

    Attributes:
        path: path inside the download.
        size: number of bytes, unpacked, as the download says.
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
        name: name of the zip or folder.
        members: files, in the order of their paths.
        skipped: files that can't be taken.
        clones: folders that Git cloned.
    """

    name: str
    members: tuple[Member, ...]
    skipped: tuple[Skipped, ...]
    clones: tuple[PurePosixPath, ...] = ()


@contextmanager
def open_download(path: Path) -> Generator[Download]:
    """List a zip file or folder; its members can be read while the context lasts.

    Raises:
        CourseError: it is neither, or holds what no class hands in: more than 20,000 files, more than 4 GiB, names that
            lead out of it, links, encrypted files.
    """
    if path.is_dir():
        yield _checked(path.name, _folder_listing(path))
        return
    try:
        with path.open("rb") as file:
            _check_directory(file, path)
        with _ZipFile(path) as content, zipfile.ZipFile(content) as archive:
            content.is_listed = True
            yield _checked(path.name, _zip_listing(archive, path))
    except (zipfile.BadZipFile, struct.error) as error:
        fault = error if isinstance(error, zipfile.BadZipFile) else NOT_A_ZIP
        raise CourseError(
            f"The download must be a zip file or a folder. Received: {path}: {fault}. Download it again, or unpack it and "
            "name the folder."
        ) from None
    except OSError as error:
        raise CourseError(
            f"The download must be a zip file or a folder. Received: {path}: {error.strerror}. Correct the path."
        ) from None


class _ZipFile(io.FileIO):
    """A zip in whose directory no name that is said to be UTF-8 isn't: zipfile would give up the whole zip for one.

    zipfile reads the directory at once, before anything else that begins as it does.
    """

    is_listed = False

    def read(self, size: int | None = -1, /) -> bytes:
        """Read; what isn't UTF-8 in the directory's names comes as the control character SUB, so that they are odd."""
        data = super().read(-1 if size is None else size) or b""
        return data if self.is_listed or not data.startswith(ENTRY) else _in_utf8(data)


def _in_utf8(directory: bytes) -> bytes:
    fixed = bytearray(directory)
    at = 0
    while fixed.startswith(ENTRY, at) and at + ENTRY_BYTES <= len(fixed):
        flags, name, extra, comment = struct.unpack_from("<8xH18x3H", fixed, at)
        raw = slice(at + ENTRY_BYTES, at + ENTRY_BYTES + name)
        if flags & IS_UTF8:
            text = fixed[raw].decode("utf-8", "surrogateescape")  # half a character for each wrong byte
            fixed[raw] = re.sub("[\ud800-\udfff]", "\x1a", text).encode("utf-8")
        at += ENTRY_BYTES + name + extra + comment
    return bytes(fixed)


def _check_directory(file: BinaryIO, path: Path) -> None:
    """Refuse a zip whose list of files is too long to be read at all, by the sizes that stand at its end."""
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - (1 << 16) - 64))
    tail = file.read()
    at = tail.rfind(END_OF_DIRECTORY)
    if at < 0:
        raise zipfile.BadZipFile(NOT_A_ZIP)
    _, _, _, _, files, directory_bytes, _, _ = struct.unpack_from("<4s4H2LH", tail, at)
    is_zip64 = tail[max(0, at - 20) : at].startswith(ZIP64_LOCATOR)
    if is_zip64 or files > MAX_FILES or directory_bytes > MAX_DIRECTORY_BYTES:
        raise _too_much(path, "more" if is_zip64 else f"{files}", "files")


@dataclass
class _Listing:
    """What was found so far, sorted into what can be taken and what can't."""

    members: list[Member] = field(default_factory=list)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    clones: list[PurePosixPath] = field(default_factory=list)

    def skip(self, path: str, reason: str) -> None:
        path = shown(path, MAX_SHOWN)
        self.skipped.setdefault(path, Skipped(path, reason))

    def add(self, member: Member) -> None:
        parts = member.path.parts
        if any(part in NOT_SUBMITTED for part in parts):
            return
        odd = next(((number, fault) for number, part in enumerate(parts, 1) if (fault := _fault_of(part))), None)
        if odd is not None:  # a folder of such a name is told once, not with each of its files
            self.skip("/".join(parts[: odd[0]]), f"{odd[1]}: ask for it under another")
        elif not parts or len(parts) > MAX_DEPTH:
            self.skip(str(member.path), f"more than {MAX_DEPTH} folders in each other" if parts else "no name")
        elif member.size > MAX_FILE_BYTES:
            self.skip(str(member.path), f"{member.size >> 20} MB are more than {MAX_FILE_BYTES >> 20} MB")
        else:
            self.members.append(member)


def _fault_of(part: str) -> str:
    """Return why a name in a path can't be taken, empty if it can."""
    odd = control_characters(part) or ["\\"] * ("\\" in part)
    if odd:
        return f"a name with the character U+{ord(odd[0]):04X}"
    return "" if len(part.encode()) <= MAX_NAME_BYTES else f"a name of more than {MAX_NAME_BYTES} bytes"


def _zip_listing(archive: zipfile.ZipFile, path: Path) -> _Listing:
    listing = _Listing()
    named = [(info, _decoded(info)) for info in archive.infolist()]
    count = Counter(PurePosixPath(name) for _, name in named)
    for info, name in named:
        parts = name.split("/")
        if name.startswith("/") or ".." in parts or (len(parts) > 1 and DRIVE.fullmatch(parts[0])):
            raise CourseError(
                f"A path in the zip must stay inside it. Received: {shown(name, MAX_SHOWN)!r} in {path}. No learning management system "
                "writes this: don't unpack it, ask where it comes from."
            )
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise CourseError(
                f"A zip of submissions must hold plain files. Received: {shown(name, MAX_SHOWN)!r} in {path}, a link or a device. Take "
                "it out."
            )
        if info.flag_bits & 1:
            raise CourseError(
                f"A zip of submissions can't be encrypted. Received: {shown(name, MAX_SHOWN)!r} in {path}."
            )
        if info.is_dir():
            continue
        if count[PurePosixPath(name)] > 1:
            listing.skip(name, "more than once in the zip")
            continue
        modified = float(sum(n * unit for n, unit in zip(info.date_time, _UNITS, strict=True)))
        listing.add(Member(PurePosixPath(name), info.file_size, modified, _zip_opener(archive, info)))
    return listing


# A zip's times are of some time zone: they are put in order, never taken for moments. Every month has 31 days.
_DAY = 86_400
_UNITS = (372 * _DAY, 31 * _DAY, _DAY, 3600, 60, 1)


def _zip_opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Opener:
    return lambda: archive.open(info)  # type: ignore[return-value]


def _folder_listing(root: Path) -> _Listing:
    listing = _Listing()
    for folder, subfolders, files in os.walk(root, onerror=_stop):
        if GIT in (*subfolders, *files):
            listing.clones.append(PurePosixPath(Path(folder).relative_to(root)))
            subfolders[:] = [name for name in subfolders if name != GIT]
        for name in [*subfolders, *files]:
            path = Path(folder, name)
            inside = PurePosixPath(path.relative_to(root))
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                listing.add(Member(inside, status.st_size, status.st_mtime, partial(open_plain_file, path)))
            elif not stat.S_ISDIR(status.st_mode):
                listing.skip(str(inside), "a link or no plain file")
            if len(listing.members) + len(listing.skipped) > MAX_FILES:
                raise _too_much(root, "more", "files")
    return listing


def _stop(error: OSError) -> None:
    raise CourseError(f"Each folder of the download must be readable. Received: {error.filename}: {error.strerror}.")


def _checked(name: str, listing: _Listing) -> Download:
    members = listing.members
    if len(members) > MAX_FILES:
        raise _too_much(name, str(len(members)), "files")
    if sum(member.size for member in members) > MAX_BYTES:
        raise _too_much(name, str(sum(member.size for member in members) >> 20), "MB")
    in_order = tuple(sorted(members, key=lambda member: str(member.path)))
    return Download(name, in_order, tuple(listing.skipped.values()), tuple(sorted(listing.clones)))


def _too_much(path: Path | str, received: str, unit: str) -> CourseError:
    return CourseError(
        f"A class's download must have at most {MAX_FILES} files and {MAX_BYTES >> 20} MB unpacked. Received: {received} {unit} "
        f"in {path}. Take apart what is a class's, and collect that."
    )


def _decoded(info: zipfile.ZipInfo) -> str:
    """Return a member's name. Canvas and Korean Windows write UTF-8 and CP949 without saying so; zipfile reads CP437.

    What follows a NUL, which zipfile cuts off, stays: it is an odd name. From Python 3.12 on, zipfile takes the name of
    the field `Unicode Path` (0x7075), if there is one, which needs no guess.
    """
    name = info.orig_filename
    if info.filename != name.partition("\0")[0]:
        return info.filename
    if info.flag_bits & IS_UTF8:
        return name
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name
