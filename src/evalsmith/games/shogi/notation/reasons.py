"""Why a text is no SFEN, in words; that it is none was found by the compiled reader."""

from __future__ import annotations

import re

from evalsmith.games.shogi.board import LETTERS
from evalsmith.games.shogi.squares import GOLD, HIGHEST_NUMBER, SET

_HAND = re.compile(r"([0-9]*)([RBGSNLPrbgsnlp])")


def reason_of(sfen: str) -> str:
    """What is wrong with a text, the first of it if it is more."""
    fields = sfen.split()
    if not 3 <= len(fields) <= 4:
        return f"an SFEN has board, side, hands and the number of the move, here are {len(fields)} fields"
    if (reason := _board_reason(fields[0])) is not None:
        return reason
    if fields[1] not in ("b", "w"):
        return f"the side to move is b or w, not {fields[1]!r}"
    if (reason := _hands_reason(fields[2])) is not None:
        return reason
    return f"the number of the move is 1 to {HIGHEST_NUMBER}, not {fields[-1]!r}"


def _board_reason(field: str) -> str | None:
    file, rank, promoted = 8, 0, False
    for place, letter in enumerate(field, 1):
        where = f"at character {place} of the board"
        kind = LETTERS.find(letter.upper()) if letter.isascii() and letter.isalpha() else -1
        if promoted and (kind < 1 or kind >= GOLD):
            return f"{letter!r} {where} cannot be promoted"
        promoted = letter == "+"
        if letter == "/":
            if file != -1:
                return f"rank {rank + 1} has {8 - file} squares, not 9"
            file, rank = 8, rank + 1
            if rank > 8:
                return "the board has more than 9 ranks"
        elif letter in "123456789" or kind > 0:
            width = 1 if kind > 0 else int(letter)
            if file - width < -1:
                return f"{letter!r} {where} goes beyond the 9 squares of rank {rank + 1}"
            file -= width
        elif letter != "+":
            return f"{letter!r} {where} is no piece, no digit and no /"
    if promoted:
        return "the board ends with a +"
    return None if (rank, file) == (8, -1) else f"the board ends on rank {rank + 1} after {8 - file} squares"


def _hands_reason(field: str) -> str | None:
    if field == "-":
        return None
    place, seen = 0, ""
    while place < len(field):
        match = _HAND.match(field, place)
        if match is None:
            return f"{field[place]!r} at character {place + 1} of the hands is no piece and no number"
        digits, letter = match.groups()
        highest = SET[LETTERS.index(letter.upper())]
        if digits and not (len(digits) < 4 and 1 <= int(digits) <= highest):
            return f"{digits}{letter} in hand: a set has 1 to {highest} of them"
        if letter in seen:
            return f"{letter!r} stands twice in the hands"
        seen, place = seen + letter, match.end()
    return None
