"""Maryodel's training examples for Dr. Mario, one JSON array a line: ``[board, pill, won, cleared, duration, moves]``.

Board and pill are strings of bytes as the game writes them, the pill lying. ``won`` is -1 or 1. ``moves`` has one list
for each number of clockwise turns: x, y, p, x, y, p, …, with the lower left cell and the share of the visits. Lines may
also stand inside one outer array, with commas behind them.

An example has no game around it: as a record it is a position with a result. What else it tells is in ``Example``.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from evalsmith.games import find_game
from evalsmith.records.format import LONG_LINE, NOT_POSITION, BrokenGameError, Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import Line, decode, lines, shown
from evalsmith.run.errors import InputError, PositionError

COLUMNS, ROWS, ROTATIONS = 8, 16, 4
_PARTS = ("board", "pill", "won", "cleared", "duration", "moves")
_HIGHEST = 2**31 - 1
_ROUNDING = 1e-3  # how far the shares of all moves may be from 1
_LINE_LIMIT = 1 << 17  # 512 moves with long numbers stay far below

NOT_JSON = "not a JSON array"
NOT_EXAMPLE = "not an example"
NOT_MOVES = "not a distribution of moves"
NOT_IN_RECORD = "cleared, duration and moves of an example, which records have no place for"


@dataclass(frozen=True)
class Example:
    """One example; ``moves`` has for 0 to 3 clockwise turns the cells and their shares (x, y, p)."""

    board: str
    pill: str
    won: int
    cleared: int
    duration: int
    moves: tuple[tuple[tuple[int, int, float], ...], ...]
    number: int = 1
    line: int = 1

    @property
    def position(self) -> str:
        """The text of the position; the preview is not known."""
        return f"{self.board} {self.pill} --"


class Maryodel(Format):
    """Reads examples as positions with results."""

    name = "maryodel"
    game = "drmario"
    suffixes = (".maryodel",)

    def sniff(self, head: bytes) -> bool:
        """The first line begins an array with a string of 128 small letters."""
        text = decode(head).removeprefix("\ufeff").lstrip("[ \t\r\n")
        return text[:1] == '"' and text[129:130] == '"' and text[1:129].isalpha() and text[1:129].islower()

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """A record without moves for each example."""
        game = find_game(self.game)
        for example in read_examples(stream, path, faults):
            faults.warn(NOT_IN_RECORD)
            yield Record(
                self.game,
                (),
                start=game.format(game.parse(example.position)),
                result=example.won * game.win,
                source=str(path),
                number=example.number,
                offset=example.line,
            )


def read_examples(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Example]:
    """The examples of an open file; broken ones go to ``faults``."""
    number = 0
    for line in lines(stream, _LINE_LIMIT):
        text = None if line.text is None else line.text.strip().removesuffix(",").rstrip()
        if text in ("", "[", "]"):
            continue
        number += 1
        try:
            yield _example(Line(line.number, text), number)
        except BrokenGameError as broken:
            faults.add(broken.fault(path, f"line {line.number}", number))


def write_examples(stream: BinaryIO, examples: Iterable[Example]) -> int:
    """Write examples, one a line; how many."""
    count = 0
    for example in examples:
        stream.write(format_example(example).encode() + b"\n")
        count += 1
    return count


def format_example(example: Example) -> str:
    """The line of an example; one that could not be read back is refused."""
    moves = [[part for move in turned for part in move] for turned in example.moves]
    parts = [example.board, example.pill, example.won, example.cleared, example.duration, moves]
    try:
        text = json.dumps(parts, separators=(",", ":"), allow_nan=False)
        _example(Line(1, text), 1)
    except (ValueError, BrokenGameError) as error:
        detail = f"{error.reason}: {error.detail}" if isinstance(error, BrokenGameError) else str(error)
        raise InputError(f"example {example.number} cannot be written: {detail}") from None
    return text


# ── Checking ────────────────────────────────────────────────────────────────────────────────────


def _example(line: Line, number: int) -> Example:
    if line.text is None:
        raise BrokenGameError(LONG_LINE)
    try:
        parts = json.loads(line.text)
    except RecursionError:
        raise BrokenGameError(NOT_JSON, "nested too deep") from None
    except ValueError as error:
        parts = _in_outer_array(line.text)
        if parts is None:
            raise BrokenGameError(NOT_JSON, f"{error}: {shown(line.text)}") from None
    if isinstance(parts, list) and len(parts) == 1:  # the only line of an outer array
        parts = parts[0]
    if not isinstance(parts, list) or len(parts) != len(_PARTS):
        raise BrokenGameError(NOT_EXAMPLE, f"{', '.join(_PARTS)} were expected, not {shown(line.text)}")
    board, pill, won, cleared, duration, moves = parts
    if not isinstance(board, str) or not isinstance(pill, str) or len(pill) != 2:
        raise BrokenGameError(NOT_POSITION, f"a board of 128 bytes and a pill of 2, not {shown(str(parts[:2]))}")
    try:
        find_game("drmario").parse(f"{board} {pill} --" if " " not in board + pill else board)
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None
    if won not in (-1, 1) or isinstance(won, bool):
        raise BrokenGameError(NOT_EXAMPLE, f"won is -1 or 1, not {shown(str(won))}")
    for name, value in (("cleared", cleared), ("duration", duration)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _HIGHEST:
            raise BrokenGameError(NOT_EXAMPLE, f"{name} must be a whole number of at least 0, not {shown(str(value))}")
    return Example(board, pill, int(won), cleared, duration, _moves(moves), number, line.number)


def _in_outer_array(text: str) -> Any:
    """The example in the first or the last line of an outer array, or None."""
    for inner in (text.removeprefix("["), text.removesuffix("]")):
        try:
            if inner != text:
                return json.loads(inner)
        except (ValueError, RecursionError):
            continue
    return None


def _moves(given: Any) -> tuple[tuple[tuple[int, int, float], ...], ...]:
    if not isinstance(given, list) or len(given) != ROTATIONS or not all(isinstance(part, list) for part in given):
        raise BrokenGameError(NOT_MOVES, f"expected four lists, one per rotation, not {shown(str(given))}")
    turns = []
    total = 0.0
    for rotation, flat in enumerate(given):
        if len(flat) % 3:
            raise BrokenGameError(
                NOT_MOVES, f"the list of rotation {rotation} has {len(flat)} numbers, not triples x, y, p"
            )
        cells = [_move(rotation, *flat[i : i + 3]) for i in range(0, len(flat), 3)]
        if len({cell[:2] for cell in cells}) < len(cells):
            raise BrokenGameError(NOT_MOVES, f"a cell appears twice in the list of rotation {rotation}")
        total += sum(share for _, _, share in cells)
        turns.append(tuple(cells))
    if abs(total - 1) > _ROUNDING:
        raise BrokenGameError(NOT_MOVES, f"the shares of all moves add up to {total:.6g}, not to 1")
    return tuple(turns)


def _move(rotation: int, x: Any, y: Any, share: Any) -> tuple[int, int, float]:
    # A lying pill needs a second column.
    columns = COLUMNS - 1 + rotation % 2
    for name, value, most in (("x", x, columns), ("y", y, ROWS)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < most:
            text = f"{name} at rotation {rotation} must be a number from 0 to {most - 1}, not {shown(str(value))}"
            raise BrokenGameError(NOT_MOVES, text)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1 or math.isnan(share):
        raise BrokenGameError(NOT_MOVES, f"a share must be from 0 to 1, not {shown(str(share))}")
    return x, y, share
