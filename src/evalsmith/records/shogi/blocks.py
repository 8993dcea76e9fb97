"""Shogi files as blocks of whole lines, in bounded memory, and their bytes as text, whatever encoding they have.

Japanese files come in UTF-8, Shift-JIS and EUC-JP, declared or not, and several of them may stand in one file. Files in
UTF-16 are turned into UTF-8 as they are read; places in them are those of the turned text.
"""

from __future__ import annotations

import codecs
import functools
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalsmith.records.format import LONG_LINE
from evalsmith.records.record import Faults
from evalsmith.records.text import clean

BLOCK = 1 << 18  # bytes read at once, and the longest line that is read completely
GAME_LIMIT = 4 << 20  # bytes or letters of a game
LONG_LINE_HEAD = 256  # of a line that is too long, so that it is still seen what kind of line it is
_HEAD, _ZEROS = 4096, 4  # bytes that tell UTF-16, and how many of them must be zero
_CUT = b" \0"  # ends what is left of it, so that no reader takes the moves before it for all there are
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NAMES = {
    "UTF-8": "utf-8", "UTF8": "utf-8", "SHIFT_JIS": "cp932", "SHIFT-JIS": "cp932", "SJIS": "cp932", "CP932": "cp932",
    "WINDOWS-31J": "cp932", "EUC-JP": "euc_jp", "EUC_JP": "euc_jp",
}  # fmt: skip

LONG_GAME = "the game is too long"


@dataclass(frozen=True, slots=True)
class Block:
    """Complete lines of a file; ``last`` where nothing follows. After LONG_LINE_HEAD bytes, ``dropped`` are missing."""

    content: bytes
    last: bool
    dropped: int = 0


def read_blocks(stream: io.BufferedIOBase, faults: Faults) -> Iterator[Block]:
    """A stream cut after line ends; of a line that is longer than a block only the beginning is read."""
    waiting, cutting, dropped = b"", False, 0
    read = _utf_8_reader(stream)
    while chunk := read(BLOCK):
        if cutting:
            end = _line_end(chunk, first=True)
            if end == 0:
                dropped += len(chunk)
                continue
            if end == len(chunk):
                chunk += read(1)  # it may be the other half of \r\n
            after = end + 1 if chunk[end - 1 : end + 1] == b"\r\n" else end
            yield Block(waiting + chunk[end - 1 : after], False, dropped + end - 1)
            waiting, cutting, chunk = b"", False, chunk[after:]
        content = waiting + chunk if waiting else chunk
        end = _line_end(content, first=False)
        waiting = content[end:]
        if end:
            yield Block(content[:end], False)
        if len(waiting) > BLOCK:
            faults.warn(LONG_LINE)
            cutting, dropped = True, len(waiting) - LONG_LINE_HEAD - len(_CUT)
            waiting = waiting[:LONG_LINE_HEAD] + _CUT
    yield Block(waiting, True, dropped if cutting else 0)


def utf_16_of(head: bytes) -> str | None:
    """Which UTF-16 a text is that begins so: by its mark, or by the zeros that ASCII letters and line ends have."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    low, high = head[0::2].count(0), head[1::2].count(0)
    if max(low, high) < _ZEROS or min(low, high) > max(low, high) // 10:
        return None
    return "utf-16-le" if high > low else "utf-16-be"


def plain_head(head: bytes) -> bytes:
    """How a file begins, in UTF-8 where it is UTF-16."""
    encoding = utf_16_of(head)
    return head if encoding is None else head.decode(encoding, "ignore").encode("utf-8", "ignore")


def _utf_8_reader(stream: io.BufferedIOBase) -> Callable[[int], bytes]:
    """What reads a stream, turned into UTF-8 where it is UTF-16."""
    turn: codecs.IncrementalDecoder | None = None
    begun = False

    def read(size: int) -> bytes:
        nonlocal begun, turn
        content = stream.read(size)
        if not begun:
            begun, encoding = True, utf_16_of(content[:_HEAD])
            turn = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        if turn is None or not content:
            return content
        # A part of a letter alone gives nothing yet, and nothing would mean the end.
        return turn.decode(content).encode("utf-8", "replace") or read(size)

    return read


def _line_end(content: bytes, first: bool) -> int:
    """The place after the first or the last line end; 0 where there is none. A pair of both ends a line once."""
    if first:
        ends = [place + 1 for place in (content.find(b"\n"), content.find(b"\r")) if place >= 0]
        return min(ends, default=0)
    place = content.rfind(b"\n")
    if place >= 0:
        return place + 1
    # The last byte may be the first half of \r\n.
    return content.rfind(b"\r", 0, len(content) - 1) + 1


def count_lines(content: bytes, begin: int, end: int) -> int:
    """How many lines end between two places: with a line feed, or where there is none, with a carriage return."""
    return content.count(b"\n", begin, end) or content.count(b"\r", begin, end)


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


def decode_word(content: bytes, declared: str | None = None) -> str:
    """A name, a title or a comment as text."""
    if content.isascii():
        return content.decode("ascii")
    return _decode(content, declared)


@functools.lru_cache(4096)
def word_of(content: bytes, declared: str | None = None) -> str:
    """The same, fit to be shown and stored."""
    return clean(decode_word(content, declared))


def line_at(content: bytes, place: int, declared: str | None = None, limit: int = 240) -> str:
    """The rest of the line that a place is in, or the beginning of it; never cut within a letter."""
    line = content[place : place + limit].partition(b"\n")[0].partition(b"\r")[0]
    if len(line) < limit:
        return decode_word(line, declared)
    parts = [line[: limit - less] for less in range(4)]
    for part in parts:
        if (text := _strictly(part, declared or "utf-8")) is not None:
            return text
    return min((decode_word(part) for part in parts), key=lambda text: (text.count("\ufffd"), _half_width(text)))


def _strictly(content: bytes, encoding: str | None) -> str | None:
    try:
        return None if encoding is None else content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _decode(content: bytes, declared: str | None) -> str:
    for encoding in (declared, "utf-8"):
        if (text := _strictly(content, encoding)) is not None:
            return text
    found = [text for text in (_strictly(content, "cp932"), _strictly(content, "euc_jp")) if text is not None]
    # EUC-JP read as Shift-JIS is full of half-width katakana, which people hardly write.
    return min(found, key=_half_width) if found else content.decode("cp932", "replace")


def _half_width(text: str) -> int:
    return sum(1 for letter in text if "\uff61" <= letter <= "\uff9f")
