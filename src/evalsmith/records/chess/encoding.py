"""Chess texts in UTF-16, made into UTF-8 on the way; every other encoding in use has the letters of moves as bytes."""

from __future__ import annotations

import codecs
import io
from typing import Any

_PIECE = 1 << 16


def narrowed(stream: io.BufferedIOBase) -> io.BufferedIOBase:
    """The stream itself, or where it begins with the mark of UTF-16, its text in UTF-8.

    Places in such a text are then counted in bytes of UTF-8.
    """
    head = stream.peek(2)[:2] if isinstance(stream, io.BufferedReader) else b""
    if head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return io.BufferedReader(_Narrowed(stream), _PIECE)
    return stream


def pass_over(stream: io.BufferedIOBase, count: int) -> None:
    """Read so many bytes, and leave them."""
    while count and (piece := stream.read(min(count, _PIECE))):
        count -= len(piece)


class _Narrowed(io.RawIOBase):
    """UTF-8 from UTF-16; what is broken becomes a sign for that."""

    def __init__(self, wide: io.BufferedIOBase) -> None:
        self._wide, self._left = wide, b""
        self._decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a part of ``buffer``; 0 at the end."""
        ended = False
        while not self._left and not ended:
            piece = self._wide.read(_PIECE)
            ended = not piece
            self._left = self._decoder.decode(piece, final=ended).encode("utf-8", "replace")
        piece, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)
