"""Lines, numbers and names out of files that may hold anything."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

LINE_LIMIT = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number from 1; ``text`` is None where it is longer than the limit."""

    number: int
    text: str | None


def lines(stream: io.BufferedIOBase, limit: int = LINE_LIMIT) -> Iterator[Line]:
    """The lines of a stream, without their ends; of one that is too long only the number."""
    number = 0
    while content := stream.readline(limit):
        number += 1
        if number == 1:
            content = content.removeprefix(_BYTE_ORDER_MARK)
        if len(content) >= limit and not content.endswith(b"\n"):
            while (rest := stream.readline(limit)) and not rest.endswith(b"\n"):
                pass
            yield Line(number, None)
        else:
            yield Line(number, decode(content).rstrip("\r\n"))


def head_lines(head: bytes) -> list[str]:
    """The lines at the start of a file, split where `lines` splits them; the last may be cut off."""
    return [line.rstrip("\r") for line in decode(head).removeprefix("\ufeff").split("\n")]


def decode(content: bytes) -> str:
    """Text from bytes: UTF-8 where they are that, else one letter a byte, as old files have it."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def clean(text: str, limit: int = 200) -> str:
    """A name or a date fit to be shown and stored: printable, on one line, not too long."""
    letters = (letter if letter.isprintable() else " " for letter in text[:limit])
    return " ".join("".join(letters).split())


def shown(text: str, limit: int = 60) -> str:
    """The beginning of an offending text, quoted, for a message."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def number(text: str) -> float | None:
    """A plain decimal number, or None: neither ``nan`` nor ``1e999`` passes."""
    text = text.strip()
    return float(text) if _NUMBER.fullmatch(text) else None
