"""GTP as whoever runs a program speaks it: numbered commands, and answers that end with an empty line."""

from __future__ import annotations

import re
from dataclasses import dataclass

COLOURS = ("b", "w")


def response_to(number: int) -> re.Pattern[bytes]:
    """The answer to a numbered command; programs that leave the number out are understood too."""
    label = str(number).encode()
    return re.compile(
        rb"(?:^|\n)([=?])(?:" + label + rb"(?![0-9])|(?![0-9]))[ \t]*((?:[^\n]*\n)(?:[^\r\n][^\n]*\n)*?)[ \t]*\r?\n"
    )


@dataclass(frozen=True)
class Response:
    """An answer: whether the program did it, and what it said."""

    ok: bool
    text: str


def parse_response(match: re.Match[bytes]) -> Response:
    """What a match of ``response_to`` says."""
    return Response(match[1] == b"=", match[2].decode("utf-8", "replace").strip())


def time_settings(main: float, period: float = 0.0, stones: int = 0) -> str:
    """The time for a game, in seconds: main time, then a number of moves in each period."""
    return f"time_settings {_seconds(main)} {_seconds(period)} {stones}"


def time_left(side: int, left: float, stones: int = 0) -> str:
    """What is left of a side's time, or of its period if it has stones to play in it."""
    return f"time_left {COLOURS[side]} {_seconds(left)} {stones}"


def _seconds(value: float) -> int:
    """Whole seconds, as the protocol has them; never 0 where there is time, which would mean that there is none."""
    return max(1, int(value)) if value > 0 else 0
