"""Files as streams of bytes, unpacked on the way where they are packed.

How a file is packed is seen from its first bytes; where they say nothing, its name decides. An archive is several
files. Nothing here reads a whole file: memory stays bounded whatever the file holds.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from evalsmith.records.zipped import EMPTY_MAGIC, MAGIC, ArchiveError, members

PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")

# What reading a broken file may raise, packed or not.
UNREADABLE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)

# An .xz file names its own dictionary size, up to 4 GB; the strongest standard preset needs 65 MB.
_XZ_MEMORY = 256 << 20
_CHUNK = 1 << 16
# A cut .zst file loses what was unpacked of the last read, so that reads are small.
_ZST_CHUNK = 1 << 13
_MAGIC = 10  # bytes that tell how a file is packed


@dataclass(frozen=True)
class Part:
    """A file, or one of several in an archive, which then has a path that goes on inside it.

    ``open`` gives a stream of its unpacked bytes; any of UNREADABLE may come from it. ``alone`` says that there is no
    other: whoever named the file means this one.
    """

    path: Path
    open: Callable[[], io.BufferedIOBase]
    alone: bool = True


def parts(path: Path) -> Generator[Part]:
    """The files to be read where one is named; the parts of an archive must be read in their order."""
    try:
        with open(path, "rb") as file:
            archive = _packing(file.read(_MAGIC), path.name) == ".zip"
        if not archive:
            yield Part(path, lambda: open_bytes(path))
            return
        for member in members(path):
            yield Part(_inside(path, member.name), _unpacker(member.name, member.open), member.alone)
    except OSError as error:
        yield Part(path, _raiser(error))


def open_bytes(path: Path) -> io.BufferedIOBase:
    """A stream of the file's unpacked bytes; any of UNREADABLE may come from it. Of an archive it is the first file."""
    with open(path, "rb") as file:
        packing = _packing(file.read(_MAGIC), path.name)
    return _unpack(packing, path) if packing != ".zip" else io.BufferedReader(_First(path), _CHUNK)


def bare_suffix(path: Path) -> str:
    """The suffix of the file once unpacked, in lower case: ``.wtb`` for ``WTH_1990.WTB.gz``."""
    name = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return name.suffix.lower()


def _packing(head: bytes, name: str) -> str:
    """How a file is packed: the suffix that it should have, or nothing."""
    if head[:4] in (MAGIC, EMPTY_MAGIC):
        return ".zip"
    if head[:4] == b"\x28\xb5\x2f\xfd":
        return ".zst"
    if head[:6] == b"\xfd7zXZ\x00":
        return ".xz"
    if head[:3] == b"BZh" and head[4:10] in (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"):
        return ".bz2"
    # Deflated, no reserved flag, and a system that exists: three bytes alone might begin any binary file.
    if head[:3] == b"\x1f\x8b\x08" and len(head) == _MAGIC and head[3] < 32 and (head[9] < 14 or head[9] == 255):
        return ".gz"
    suffix = Path(name).suffix.lower()
    return suffix if suffix in PACKED else ""


def _unpack(packing: str, source: Path | BinaryIO) -> io.BufferedIOBase:
    """A stream of unpacked bytes, from a path or from a stream, which is left open."""
    match packing:
        case ".gz":
            return gzip.open(source, "rb")
        case ".bz2":
            return bz2.open(source, "rb")
        case ".xz":
            return io.BufferedReader(_Xz(source), _CHUNK)
        case ".zst":
            return _open_zst(source)
        case _ if isinstance(source, Path):
            return open(source, "rb")
        case _:
            return source  # type: ignore[return-value]


def _unpacker(name: str, opener: Callable[[], io.BufferedIOBase]) -> Callable[[], io.BufferedIOBase]:
    """Opens a file of an archive, and unpacks it once more where it is packed itself."""

    def unpack() -> io.BufferedIOBase:
        stream = opener()
        assert isinstance(stream, io.BufferedReader)
        packing = _packing(stream.peek(_MAGIC)[:_MAGIC], name)
        if packing == ".zip":
            raise ArchiveError("the file is an archive within an archive; only one level is unpacked")
        return _unpack(packing, stream)

    return unpack


def _inside(path: Path, name: str) -> Path:
    """A path to show for a file of an archive; it leads nowhere else, whatever the name is."""
    return path.joinpath(*(part for part in name.replace("\0", "").split("/") if part not in ("", ".", "..")))


def _raiser(error: OSError) -> Callable[[], io.BufferedIOBase]:
    def fail() -> io.BufferedIOBase:
        raise error

    return fail


def explain(error: BaseException) -> str:
    """One sentence about an error of reading."""
    if isinstance(error, EOFError):
        return "the packed file ends too early"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def _open_zst(source: Path | BinaryIO) -> io.BufferedIOBase:
    import pyarrow

    file = pyarrow.OSFile(str(source), "rb") if isinstance(source, Path) else pyarrow.PythonFile(source, "r")
    return io.BufferedReader(pyarrow.CompressedInputStream(file, "zstd"), _ZST_CHUNK)


class UpToFault(io.RawIOBase):
    """A stream that ends where reading it fails, with all that came before; ``error`` says what failed."""

    def __init__(self, inner: io.BufferedIOBase) -> None:
        self._inner = inner
        self.error: BaseException | None = None

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a part of ``buffer``; 0 at the end and after a failure."""
        if self.error is not None:
            return 0
        try:
            data = self._inner.read1(len(buffer))
        except UNREADABLE as error:
            self.error = error
            return 0
        buffer[: len(data)] = data
        return len(data)


class _First(io.RawIOBase):
    """The first file of an archive, which stays open with it."""

    def __init__(self, path: Path) -> None:
        self._parts = parts(path)
        first = next(self._parts, None)
        if first is None:
            raise ArchiveError("the archive is empty")
        self._inner = first.open()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a part of ``buffer``; 0 at the end of the file."""
        data = self._inner.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the archive too."""
        self._inner.close()
        self._parts.close()
        super().close()


class _Xz(io.RawIOBase):
    """An .xz file, unpacked within a bound on memory, which the standard library's own file has not."""

    def __init__(self, source: Path | BinaryIO) -> None:
        self._file = open(source, "rb") if isinstance(source, Path) else source  # noqa: SIM115 - closed with the stream
        self._fresh()

    def _fresh(self) -> None:
        self._unpack = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a part of ``buffer``; 0 at the end of the file."""
        while True:
            if self._unpack.eof:
                # A file may hold several streams, with padding between them.
                packed = self._unpack.unused_data.lstrip(b"\0")
                while not packed:
                    if not (more := self._file.read(_CHUNK)):
                        return 0
                    packed = more.lstrip(b"\0")
                self._fresh()
            elif self._unpack.needs_input:
                packed = self._file.read(_CHUNK)
                if not packed:
                    raise EOFError
            else:
                packed = b""
            if data := self._unpack.decompress(packed, len(buffer)):
                buffer[: len(data)] = data
                return len(data)

    def close(self) -> None:
        """Close the packed file too."""
        self._file.close()
        super().close()
