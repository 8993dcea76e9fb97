"""Shogi files as blocks of whole lines, in bounded memory, and their bytes as text, whatever encoding they have.

Japanese files come in UTF-8, Shift-JIS and EUC-JP, told or not, and several of them may stand in one file.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator
from dataclasses import dataclass

from evalsmith.records.format import LONG_LINE
from evalsmith.records.record import Faults
from evalsmith.records.text import clean

BLOCK = 1 << 20  # bytes read at once, and the longest line that is kept whole
GAME_LIMIT = 4 << 20  # bytes or letters of a game
_KEPT = 256  # of a line that is too long, so that it is still seen what kind of line it is
_CUT = b" \0"  # ends what is kept of it, so that no reader takes the moves before it for all there are
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NAMES = {
    "UTF-8": "utf-8", "UTF8": "utf-8", "SHIFT_JIS": "cp932", "SHIFT-JIS": "cp932", "SJIS": "cp932", "CP932": "cp932",
    "WINDOWS-31J": "cp932", "EUC-JP": "euc_jp", "EUC_JP": "euc_jp",
}  # fmt: skip

LONG_GAME = "the game is too long"


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a file; ``last`` where nothing follows."""

    content: bytes
    last: bool


def blocks(stream: io.BufferedIOBase, faults: Faults) -> Iterator[Block]:
    """A stream cut behind line ends; of a line that is longer than a block only the beginning is kept."""
    waiting, cutting = b"", False
    while chunk := stream.read(BLOCK):
        if cutting:
            end = _line_end(chunk, first=True)
            if end == 0:
                continue
            chunk, cutting = chunk[end - 1 :], False
        content = waiting + chunk
        end = _line_end(content, first=False)
        waiting = content[end:]
        if len(waiting) > BLOCK:
            faults.note(LONG_LINE)
            waiting, cutting = waiting[:_KEPT] + _CUT, True
        if end:
            yield Block(content[:end], False)
    yield Block(waiting, True)


def _line_end(content: bytes, first: bool) -> int:
    """The place behind the first or the last line end; 0 where there is none. A pair of both ends a line once."""
    if first:
        ends = [place + 1 for place in (content.find(b"\n"), content.find(b"\r")) if place >= 0]
        return min(ends, default=0)
    place = content.rfind(b"\n")
    if place >= 0:
        return place + 1
    # The last byte may be the first half of \r\n.
    return content.rfind(b"\r", 0, len(content) - 1) + 1


def count_lines(content: bytes | str, begin: int, end: int) -> int:
    """How many lines end between two places: with a line feed, or where there is none, with a carriage return."""
    if isinstance(content, bytes):
        return content.count(b"\n", begin, end) or content.count(b"\r", begin, end)
    return content.count("\n", begin, end) or content.count("\r", begin, end)


# ── Encodings ───────────────────────────────────────────────────────────────────────────────────


def told_encoding(head: bytes) -> str | None:
    """The encoding that ``'CSA encoding=…`` (or KIF's ``#KIF version=2.0 encoding=…``) in the first line names."""
    line = head.removeprefix(BYTE_ORDER_MARK)[:200].splitlines()[:1]
    if not line:
        return None
    if head.startswith(BYTE_ORDER_MARK):
        return "utf-8"
    _, found, name = line[0].decode("ascii", "replace").partition("encoding=")
    words = name.split()
    return _NAMES.get(words[0].upper()) if found and words else None


def decode_word(content: bytes, told: str | None = None) -> str:
    """A name, a title or a comment as text."""
    if content.isascii():
        return content.decode("ascii")
    return _decode(content, told)


@functools.lru_cache(4096)
def word_of(content: bytes, told: str | None = None) -> str:
    """The same, fit to be shown and stored."""
    return clean(decode_word(content, told))


def decode_lines(content: bytes, told: str | None = None) -> str:
    """Many lines as text; where they do not share one encoding, each line is looked at alone."""
    for encoding in (told, "utf-8"):
        if (text := _strictly(content, encoding)) is not None:
            return text
    text = _strictly(content, "cp932")
    if text is not None and _strictly(content, "euc_jp") is None:
        return text
    return "".join(_decode(line, told) for line in content.splitlines(keepends=True))


def _strictly(content: bytes, encoding: str | None) -> str | None:
    try:
        return None if encoding is None else content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _decode(content: bytes, told: str | None) -> str:
    for encoding in (told, "utf-8"):
        if (text := _strictly(content, encoding)) is not None:
            return text
    found = [text for text in (_strictly(content, "cp932"), _strictly(content, "euc_jp")) if text is not None]
    # EUC-JP read as Shift-JIS is full of half-width katakana, which people hardly write.
    return min(found, key=_half_width) if found else content.decode("cp932", "replace")


def _half_width(text: str) -> int:
    return sum(1 for letter in text if "\uff61" <= letter <= "\uff9f")
