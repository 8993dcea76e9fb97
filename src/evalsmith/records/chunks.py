"""A stream cut into chunks where games begin, in bounded memory, whatever the stream holds."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

_READ = 1 << 16
# A beginning may be cut by the end of a block: no pattern matches more bytes than this.
_OVERLAP = 256


@dataclass(frozen=True, slots=True)
class Chunk:
    """The bytes from one beginning to the next, with the line where they start.

    ``complete`` is False where there are more than the limit; ``content`` is then the first of them. ``begins`` is
    False only for what stands before the first beginning.
    """

    line: int
    content: bytes
    begins: bool
    complete: bool


def read_chunks(stream: io.BufferedIOBase, begin: re.Pattern[bytes], limit: int) -> Iterator[Chunk]:
    """Cut a stream before each match of ``begin``, which must match at most 256 bytes."""
    buffer, first, search = b"", 0, 0  # the chunk goes on from ``first``, and has no other beginning before ``search``
    head: bytes | None = None  # the first bytes of a chunk that is too long; the others are let go
    line = here = 1  # where the chunk starts, and where ``first`` is
    begins = False

    def chunk(end: int) -> Chunk:
        content = buffer[first:end] if head is None else head
        return Chunk(line, content[:limit], begins, head is None and len(content) <= limit)

    while True:
        while match := begin.search(buffer, search):
            end = match.start()
            if end > first or head is not None:
                yield chunk(end)
            here += buffer.count(b"\n", first, end)
            first, search = end, match.end()
            line, begins, head = here, True, None
        block = stream.read(_READ)
        if not block:
            break
        search = max(search, len(buffer) - _OVERLAP)
        if search - first > limit:
            head = head or buffer[first : first + limit]
            here += buffer.count(b"\n", first, search)
            first = search
        buffer = buffer[first:] + block
        search, first = search - first, 0
    if len(buffer) > first or head is not None:
        yield chunk(len(buffer))
