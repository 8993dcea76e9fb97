"""The files in a zip archive, one after another, each unpacked as it is read.

Nothing is unpacked ahead, so that memory stays bounded whatever an archive claims to hold. An archive that is cut off
has lost the directory at its end: its files are then found from the beginning on, as far as they go.
"""

from __future__ import annotations

import io
import itertools
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

MAGIC = b"PK\x03\x04"
EMPTY_MAGIC = b"PK\x05\x06"
# What the standard library raises on archives that somebody made wrong on purpose.
_BROKEN = (zipfile.BadZipFile, RuntimeError, ValueError, struct.error, EOFError)
# The others can ask for any amount of memory (LZMA), or nobody uses them.
_METHODS = {zipfile.ZIP_STORED: "stored", zipfile.ZIP_DEFLATED: "deflated", zipfile.ZIP_BZIP2: "bzip2"}
_HEADER = struct.Struct("<4sHHHHHIIIHH")
_ENCRYPTED, _SIZES_FOLLOW = 1, 8
_UNKNOWN_SIZE = 0xFFFFFFFF
_CHUNK = 1 << 16
# Behind a file whose size was not known before it stand at most: a mark, a checksum, two sizes of eight bytes.
_DESCRIPTOR = 24

NO_DIRECTORY = "the archive is cut off or damaged: it has no directory at its end"


class ArchiveError(OSError):
    """A file in an archive cannot be read."""


@dataclass(frozen=True)
class Member:
    """A file in an archive; opening it may raise ArchiveError. Open and read it before asking for the next.

    ``alone`` says that the archive is known to have no other.
    """

    name: str
    open: Callable[[], io.BufferedIOBase]
    alone: bool = False


def members(path: Path) -> Iterator[Member]:
    """The files of an archive, folders and hidden files left out; may raise OSError where it cannot be read at all."""
    try:
        archive = zipfile.ZipFile(path)
    except _BROKEN:
        with open(path, "rb") as file:
            yield from (member for member in _walk(file) if _is_wanted(member.name))
        yield Member("", _refused(NO_DIRECTORY))
        return
    with archive:
        entries = archive.infolist()
        overlapping = _overlapping(entries)
        wanted = [entry for entry in entries if _is_wanted(entry.filename)]
        for entry in wanted:
            opener = _opener(archive, entry, entry.header_offset in overlapping)
            yield Member(entry.filename, opener, alone=len(wanted) == 1)


def _is_wanted(name: str) -> bool:
    """Neither a folder, whose name ends with a slash, nor hidden."""
    parts = name.split("/")
    return bool(parts[-1]) and not any(part.startswith(".") or part == "__MACOSX" for part in parts if part != "..")


def _refused(reason: str) -> Callable[[], io.BufferedIOBase]:
    def refuse() -> io.BufferedIOBase:
        raise ArchiveError(reason)

    return refuse


def _refusal(flags: int, method: int) -> str | None:
    """Why a file is not unpacked, or None."""
    if flags & _ENCRYPTED:
        return "the file is encrypted"
    if method not in _METHODS:
        return f"the file is compressed by method {method}; expected one of {', '.join(_METHODS.values())}"
    return None


def _opener(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, overlaps: bool) -> Callable[[], io.BufferedIOBase]:
    reason = _refusal(entry.flag_bits, entry.compress_type)
    if overlaps:
        reason = "the file shares its bytes with another one of the archive"
    if reason is not None:
        return _refused(reason)

    def unpack() -> io.BufferedIOBase:
        try:
            return io.BufferedReader(_Checked(archive.open(entry)), _CHUNK)
        except _BROKEN as error:
            raise ArchiveError(str(error)) from None

    return unpack


def _overlapping(entries: list[zipfile.ZipInfo]) -> set[int]:
    """Where files begin whose bytes reach into the next: so a small archive pretends to hold any number of files."""
    ordered = sorted(entries, key=lambda entry: entry.header_offset)
    return {
        entry.header_offset
        for entry, following in itertools.pairwise(ordered)
        if entry.header_offset + _HEADER.size + entry.compress_size > following.header_offset
    }


class _Checked(io.RawIOBase):
    """A file of an archive, whose errors are those that readers expect."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._inner.read1(len(buffer))
        except _BROKEN as error:
            raise ArchiveError(str(error) or "the file ends too early") from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


# ── Without a directory ─────────────────────────────────────────────────────────────────────────


def _walk(file: BinaryIO) -> Iterator[Member]:
    """The files from the beginning of an archive on, until something is not one."""
    while len(header := file.read(_HEADER.size)) == _HEADER.size:
        magic, _, flags, method, _, _, checksum, packed, _, name_length, extra_length = _HEADER.unpack(header)
        if magic != MAGIC:
            return
        name = file.read(name_length).decode("utf-8" if flags & 0x800 else "cp437", "replace")
        file.read(extra_length)
        known = not flags & _SIZES_FOLLOW
        reason = _refusal(flags, method)
        # Where such a file ends, only its size tells.
        lost = (method != zipfile.ZIP_DEFLATED or reason is not None) and (not known or packed == _UNKNOWN_SIZE)
        if reason is None and method == zipfile.ZIP_DEFLATED:
            part: io.RawIOBase = _Deflated(file, checksum if known else None)
        else:
            part = _Stored(file, 0 if lost else packed)
            if reason is None and (lost or method != zipfile.ZIP_STORED):
                reason = "the file cannot be found without the directory of the archive"
        yield Member(name, _refused(reason) if reason is not None else _once(part))
        if lost or not _drain(part):
            return
        if not known:
            after = file.read(_DESCRIPTOR + len(MAGIC))
            place = after.find(b"PK", 4)  # a descriptor may begin with such a mark itself
            file.seek(place - len(after) if place >= 0 else 0, io.SEEK_CUR)


def _once(part: io.RawIOBase) -> Callable[[], io.BufferedIOBase]:
    # Closing what a reader was given must not close the archive.
    return lambda: io.BufferedReader(_Checked(io.BufferedReader(part, _CHUNK)), _CHUNK)


def _drain(part: io.RawIOBase) -> bool:
    """Read what nobody wanted; whether the file had its end."""
    buffer = bytearray(_CHUNK)
    try:
        while part.readinto(buffer):
            pass
    except (OSError, EOFError, zlib.error, ValueError):
        return False
    return True


class _Stored(io.RawIOBase):
    """Bytes as they are."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._left = file, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(min(len(buffer), self._left))
        if self._left and not data:
            raise EOFError
        self._left -= len(data)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Nothing: what is left must still be passed over."""


class _Deflated(io.RawIOBase):
    """Deflated bytes, which tell their own end."""

    def __init__(self, file: BinaryIO, checksum: int | None) -> None:
        self._file, self._wanted, self._sum = file, checksum, 0
        self._unpack = zlib.decompressobj(-zlib.MAX_WBITS)
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = b""
        while not data and not self._ended:
            packed = self._unpack.unconsumed_tail or self._file.read(_CHUNK)
            if not packed:
                raise EOFError
            data = self._unpack.decompress(packed, len(buffer))
            self._sum = zlib.crc32(data, self._sum)
            if self._unpack.eof:
                self._ended = True
                self._file.seek(-len(self._unpack.unused_data), io.SEEK_CUR)
                if self._wanted not in (None, self._sum):
                    raise ArchiveError("the checksum of the file is wrong")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Nothing: what is left must still be passed over."""
