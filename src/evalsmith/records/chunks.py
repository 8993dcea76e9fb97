"""A stream cut into pieces where games begin, in bounded memory, whatever the stream holds."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

_CHUNK = 1 << 16
# A beginning may be cut by the end of a chunk: no pattern matches more bytes than this.
_OVERLAP = 256


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes from one beginning to the next, with the line where they start.

    ``whole`` is False where there are more than the limit; ``content`` is then the first of them. ``begins`` is False
    only for what stands before the first beginning.
    """

    line: int
    content: bytes
    begins: bool
    whole: bool


def pieces(stream: io.BufferedIOBase, begin: re.Pattern[bytes], limit: int) -> Iterator[Piece]:
    """Cut a stream before each match of ``begin``, which must match at most 256 bytes."""
    buffer, first, search = b"", 0, 0  # the piece goes on from ``first``, and has no other beginning before ``search``
    head: bytes | None = None  # the first bytes of a piece that is too long; the others are let go
    line = here = 1  # where the piece starts, and where ``first`` is
    begins = False

    def piece(end: int) -> Piece:
        content = buffer[first:end] if head is None else head
        return Piece(line, content[:limit], begins, head is None and len(content) <= limit)

    while True:
        while match := begin.search(buffer, search):
            end = match.start()
            if end > first or head is not None:
                yield piece(end)
            here += buffer.count(b"\n", first, end)
            first, search = end, match.end()
            line, begins, head = here, True, None
        chunk = stream.read(_CHUNK)
        if not chunk:
            break
        search = max(search, len(buffer) - _OVERLAP)
        if search - first > limit:
            head = head or buffer[first : first + limit]
            here += buffer.count(b"\n", first, search)
            first = search
        buffer = buffer[first:] + chunk
        search, first = search - first, 0
    if len(buffer) > first or head is not None:
        yield piece(len(buffer))
