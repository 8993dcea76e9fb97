"""Shogi positions from their SFEN texts, many at once: what ``startpos`` and ``sfen …`` begin a line with.

Compiled code reads the texts; whether a game can contain the positions is asked of the game, in bulk. What is written
in another way, or is no position, is left to the game's own reader of texts, which also says what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Integers, Small, Words, at, driver, helper, int64, pointer, table
from evalsmith.games import find_game
from evalsmith.games.bulk.bulk import VALID, bulk_of
from evalsmith.games.shogi.notation.sfen import read_sfen, skip_blanks
from evalsmith.games.shogi.squares import WORDS
from evalsmith.records.shogi.replay import standard_start

# What a text is.
_OTHER, _STANDARD, _SFEN = range(3)

_WORDS = ("position", "sfen", "startpos")
_POSITION, _IS_SFEN, _STARTPOS = range(3)
_WIDTH = 8

_words = table(
    "records.sfen_words", np.array([list(word.ljust(_WIDTH, "\0").encode()) for word in _WORDS], dtype=np.int64)
)


@helper("int64(small, int64, int64, int64)")
def _after_word(data: Small, place: int, end: int, word: int) -> int:
    """The place after a word and the blanks that follow it; -1 where another one stands there."""
    for letter in range(_WIDTH):
        wanted = _words()[_WIDTH * word + letter]
        if wanted == 0:
            break
        if place >= end or int64(data[place]) != wanted:
            return -1
        place += 1
    after = skip_blanks(data, place, end)
    return after if after > place or place == end else int64(-1)


@helper("int64(small, int64, int64, words)")
def _read(data: Small, place: int, end: int, row: Words) -> int:
    """What a text is, and if it is an SFEN, its stored words in an empty row."""
    after = _after_word(data, place, end, _POSITION)
    place = after if after >= 0 else place
    after = _after_word(data, place, end, _STARTPOS)
    if after == end:
        return _STANDARD
    after = _after_word(data, place, end, _IS_SFEN)
    return _SFEN if read_sfen(data, after if after >= 0 else place, end, row) != 0 else _OTHER


@driver("void(uint16[::1], int64[:, ::1], uint64[:, ::1], int64[::1])")
def _read_all(content: Small, spans: Integers, rows: Words, kinds: Integers) -> None:
    """Read the text of every span into its empty row."""
    data, row = pointer(content), pointer(rows)
    for number in range(spans.shape[0]):
        kinds[number] = _read(data, spans[number, 0], spans[number, 1], at(row, WORDS * number))


@dataclass(frozen=True)
class Starts:
    """Positions by their texts; ``standard`` are those that are the game's own start, ``sure`` those that are read."""

    rows: npt.NDArray[np.uint64]
    standard: npt.NDArray[np.bool_]
    sure: npt.NDArray[np.bool_]


def read_starts(content: npt.NDArray[np.uint16], spans: npt.NDArray[np.int64]) -> Starts:
    """Read the text of every span; where it is not sure, the row is that of the game's own start."""
    rows = np.zeros((len(spans), WORDS), dtype=np.uint64)
    kinds = np.zeros(len(spans), dtype=np.int64)
    _read_all(content, np.ascontiguousarray(spans), rows, kinds)
    sure = kinds == _STANDARD
    written = np.flatnonzero(kinds == _SFEN)
    if len(written):
        bulk, found = bulk_of(find_game("shogi")), rows[written]
        bulk.restore(found)
        sure[written] = bulk.judge(found) == VALID
        rows[written] = found
    standard = standard_start()
    rows[(kinds == _STANDARD) | ~sure] = standard
    return Starts(rows, (rows == standard).all(axis=1) & sure, sure)
