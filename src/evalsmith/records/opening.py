"""Files as streams of bytes, unpacked on the way where their names say that they are packed.

Nothing here reads a whole file: memory stays bounded whatever the file holds.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import Any

PACKED = (".gz", ".bz2", ".xz", ".zst")

# What reading a broken file may raise, packed or not.
UNREADABLE = (OSError, EOFError, zlib.error, lzma.LZMAError)

# An .xz file names its own dictionary size, up to 4 GB; the strongest usual preset needs 65 MB.
_XZ_MEMORY = 256 << 20
_CHUNK = 1 << 16


def open_bytes(path: Path) -> io.BufferedIOBase:
    """A stream of the file's unpacked bytes; any of UNREADABLE may come from it."""
    match path.suffix.lower():
        case ".gz":
            return gzip.open(path, "rb")
        case ".bz2":
            return bz2.open(path, "rb")
        case ".xz":
            return io.BufferedReader(_Xz(path), _CHUNK)
        case ".zst":
            return _open_zst(path)
        case _:
            return open(path, "rb")


def bare_suffix(path: Path) -> str:
    """The suffix of the file once unpacked, in lower case: ``.wtb`` for ``WTH_1990.WTB.gz``."""
    name = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return name.suffix.lower()


def explain(error: BaseException) -> str:
    """One sentence about an error of reading."""
    if isinstance(error, EOFError):
        return "the packed file ends too early"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def _open_zst(path: Path) -> io.BufferedIOBase:
    import pyarrow

    packed = pyarrow.CompressedInputStream(pyarrow.OSFile(str(path), "rb"), "zstd")
    return io.BufferedReader(packed, _CHUNK)


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


class _Xz(io.RawIOBase):
    """An .xz file, unpacked within a bound on memory, which the standard library's own file has not."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb")  # noqa: SIM115 - closed with the stream
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
