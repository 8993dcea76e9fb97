"""Chunks of compact rows, in memory or, beyond a limit, in one file that is mapped into it.

A mapped chunk is given back to the system after each pass, so that what stays in memory is bounded whatever the number
of rows. The file has no name: it is gone when the process is, however that ends.
"""

from __future__ import annotations

import mmap
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from evalsmith.run import OutputError

CHUNK = 8192  # rows; sums are made chunk by chunk, so another number gives other last bits
BLOCK = 256  # rows; the first of each is stored on its own, so that a pass can go back over few of them
OWN, SAME, OPPOSITE = range(3)  # a row on its own, what differs from the row before, and from its negative

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Chunk:
    """Some rows one after another (see `passes`); ``begin`` is the number of the first.

    ``features`` is the number of non-zeros of all rows together, if each stood on its own.
    ``length`` uint16[rows, 3] are the runs of ones and of other values, and how the row is stored, ``value`` the
    other values, ``blend`` int32[rows] numbers in the table of blends. ``mapped`` is the file's memory and where the
    chunk stands in it.
    """

    begin: int
    features: int
    index: Array
    value: Array
    length: npt.NDArray[np.uint16]
    blend: npt.NDArray[np.int32]
    mapped: tuple[mmap.mmap, int, int] | None = None

    def __len__(self) -> int:
        return len(self.blend)

    @property
    def end(self) -> int:
        """The number of the row after the last."""
        return self.begin + len(self)

    @property
    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """What every kernel takes first."""
        return self.index, self.value, self.length, self.blend

    @property
    def nbytes(self) -> int:
        """How many bytes the rows take, in memory or in the file."""
        return sum(array.nbytes for array in self.arrays)

    def release(self) -> None:
        """Let the system take the memory of a mapped chunk."""
        if self.mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            memory, begin, size = self.mapped
            memory.madvise(mmap.MADV_DONTNEED, begin, size)


class Shelf:
    """Takes chunks as they are made; those beyond ``max_bytes`` go to a file in ``folder``."""

    def __init__(self, folder: Path | None = None, max_bytes: int | None = None) -> None:
        self._folder, self._limit = folder, max_bytes
        self._held, self._length = 0, 0
        self._file: IO[bytes] | None = None
        self._chunks: list[Chunk] = []
        self._stored: list[tuple[Chunk, int]] = []

    def add(self, chunk: Chunk) -> None:
        """Take a chunk."""
        if self._limit is None or self._held + chunk.nbytes <= self._limit:
            self._held += chunk.nbytes
            self._chunks.append(chunk)
            return
        try:
            if self._file is None:
                # It lives as long as the mapping of it does.
                self._file = tempfile.TemporaryFile(dir=self._folder, prefix="rows-")  # noqa: SIM115
            for array in chunk.arrays:
                self._file.write(_padded(array.tobytes(), 8))
            size = sum(_round(array.nbytes, 8) for array in chunk.arrays)
            self._file.write(bytes(_round(size, mmap.PAGESIZE) - size))
        except OSError as error:
            place = self._folder or tempfile.gettempdir()
            raise OutputError(
                f"cannot write the rows to {place}: {error.strerror}; name another folder, or allow more memory"
            ) from None
        self._stored.append((_shape(chunk), self._length))
        self._length += _round(size, mmap.PAGESIZE)

    def chunks(self) -> tuple[Chunk, ...]:
        """All chunks in the order of their rows."""
        found = list(self._chunks)
        if self._file is not None:
            self._file.flush()
            memory = mmap.mmap(self._file.fileno(), self._length)
            found += [_mapped(shape, memory, begin) for shape, begin in self._stored]
            self._file.close()
        return tuple(sorted(found, key=lambda chunk: chunk.begin))


def _shape(chunk: Chunk) -> Chunk:
    """The kinds and sizes of a chunk's arrays, without their memory."""
    index, value, length, blend = (
        np.broadcast_to(np.zeros(1, array.dtype), array.shape) for array in chunk.arrays
    )  # fmt: skip
    return Chunk(chunk.begin, chunk.features, index, value, length, blend)


def _mapped(shape: Chunk, memory: mmap.mmap, begin: int) -> Chunk:
    parts, place = [], begin
    for array in shape.arrays:
        part: Array = np.frombuffer(memory, array.dtype, array.size, place).reshape(array.shape)
        parts.append(part)
        place += _round(array.nbytes, 8)
    index, value, length, blend = parts
    mapped = memory, begin, _round(place - begin, mmap.PAGESIZE)
    return Chunk(shape.begin, shape.features, index, value, length, blend, mapped)


def _round(size: int, unit: int) -> int:
    return -(-size // unit) * unit


def _padded(content: bytes, unit: int) -> bytes:
    return content + bytes(_round(len(content), unit) - len(content))
