"""Lists of positions with results and scores, one a line, of the games that have no list format of their own for them.

    TEXT [1.0]               the result for side 0: 1.0, 0.5 or 0.0
    TEXT | 120 | 1.0         score and result for side 0
    TEXT c9 "1-0";           the result as EPD has it
    TEXT [+12]               in games with a margin: how far side 0 is ahead, in the game's own unit

TEXT is a position as the game writes it. Chess has EPD, which reads more shapes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from evalsmith.games import Game, Position, find_game
from evalsmith.records.format import LONG_LINE, NOT_POSITION, BrokenGameError, Format
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import UNKNOWN, Faults, Record
from evalsmith.records.text import Line, head_lines, lines, number, shown
from evalsmith.run.errors import PositionError

ODD_RESULT = "neither 1, 1/2, 0 nor a margin"
ODD_SCORE = "not a score, or beyond a win"
NO_MARGIN = "a result without its margin, taken for one of the smallest"

_LINE = re.compile(
    r"(?P<text>[^|\[]*?)\s*"
    r"(?:\|\s*(?P<score>[^|]*?)\s*\|\s*(?P<result>[^|]*?)|\[\s*(?P<mark>[^\]]*?)\s*\]|c9\s+\"(?P<c9>[^\"]*)\"\s*;?)\s*"
)
_SIGNS = {"1.0": 1, "1": 1, "1-0": 1, "0.5": 0, "1/2": 0, "1/2-1/2": 0, "0.0": -1, "0": -1, "0-1": -1}
_OPEN = ("", "*", "?")
_BLOCK = 4096


class PositionLines(Format):
    """Reads lists of positions of one game."""

    suffixes = ()
    positions = True

    def __init__(self, game: str) -> None:
        self.game, self.name = game, f"{game}-list"  # type: ignore[misc]

    def sniff(self, head: bytes) -> bool:
        """The first line is a position of the game with a result or a score."""
        for line in head_lines(head):
            if line.strip() and not line.startswith("#"):
                found = _LINE.fullmatch(line.strip())
                if found is None:
                    return False
                try:
                    find_game(self.game).parse(found["text"])
                except PositionError:
                    return False
                return True
        return False

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """A record without moves for each position."""
        for batch in self.position_batches(stream, path, faults):
            yield from batch.records()

    def position_batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[PositionBatch]:
        """The positions, many at once."""
        game = find_game(self.game)
        rows: list[tuple[Position, int, int, int, int]] = []
        count = 0
        for line in lines(stream):
            if line.text is not None and (not line.text.strip() or line.text.startswith("#")):
                continue
            count += 1
            try:
                rows.append((*_read(game, line, game.margin or game.win, faults), count, line.number))
            except BrokenGameError as broken:
                faults.add(broken.fault(path, f"line {line.number}", count))
            if len(rows) == _BLOCK:
                yield _batch(game, path, rows)
                rows = []
        if rows:
            yield _batch(game, path, rows)


def _read(game: Game, line: Line, max_value: int, faults: Faults) -> tuple[Position, int, int]:
    """The position of a line, its result for side 0, and its score for the mover, both at max_value ``max_value``."""
    if line.text is None:
        raise BrokenGameError(LONG_LINE)
    found = _LINE.fullmatch(line.text.strip())
    try:
        position = game.parse(line.text.strip() if found is None else found["text"])
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None
    if found is None:
        return position, UNKNOWN, UNKNOWN
    marks = [found[name] for name in ("result", "mark", "c9") if found[name] is not None]
    score = UNKNOWN
    if found["score"] and found["score"] not in _OPEN:
        value = number(found["score"])
        if value is None or abs(value) > max_value:
            raise BrokenGameError(ODD_SCORE, shown(found["score"]))
        score = round(value) if game.mover(position) == 0 else -round(value)
    return position, read_result(game, marks[0], max_value, faults), score


def read_result(game: Game, mark: str, max_value: int, faults: Faults) -> int:
    """The result for side 0 that a mark tells, or UNKNOWN; a margin is at max_value ``max_value``."""
    if mark in _OPEN:
        return UNKNOWN
    if mark in _SIGNS:
        faults.warn(NO_MARGIN, int(not game.win and _SIGNS[mark] != 0))
        return _SIGNS[mark] * (game.win or 100)
    value = number(mark) if mark[0] in "+-" and not game.win else None
    if value is None or abs(100 * value) > max_value:
        raise BrokenGameError(ODD_RESULT, shown(mark))
    return round(100 * value)


def format_result(game: Game, result: int) -> str:
    """The mark of a result for side 0: 1.0, 0.5 or 0.0, and in games with a margin the margin with its sign."""
    if game.win:
        return "1.0" if result > 0 else "0.0" if result < 0 else "0.5"
    return f"{result / 100:+.2f}".removesuffix("00").removesuffix(".")


def _batch(game: Game, path: Path, rows: list[tuple[Position, int, int, int, int]]) -> PositionBatch:
    words, results, scores, numbers, places = zip(*rows, strict=True)
    return PositionBatch(
        game.name,
        str(path),
        np.stack(words),
        np.array(results, dtype=np.int32),
        np.array(scores, dtype=np.int32),
        np.array(numbers, dtype=np.int64),
        np.array(places, dtype=np.int64),
    )


LISTS = (PositionLines("othello"), PositionLines("shogi"), PositionLines("dvonn"), PositionLines("drmario"))
