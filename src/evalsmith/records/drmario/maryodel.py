"""Maryodel's training examples for Dr. Mario as JSON: ``[board, pill, won, cleared, duration, moves]``, one a line.

Board and pill are strings of bytes as the game writes them, the pill lying. ``won`` is -1 or 1. ``moves`` has one list
for each number of clockwise turns: x, y, p, x, y, p, …, with the lower left cell and the share of the visits. Examples
may also stand inside one outer array, on one line or on many. A pill of one colour looks the same after half a turn:
its shares with 0 and 2 turns, and with 1 and 3, are equal. The game lists such a move once, so they are added up when
read, and halved when written; where only one of the two has shares, it is taken for both.

An example has no game around it: it is a position with a result, whose preview is not known, and whose distribution
over moves, cleared viruses and duration a `PositionBatch` holds, so that nothing is lost on the way to a dataset and
back. A record has no place for the last three.
"""

from __future__ import annotations

import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from evalsmith.games import find_game
from evalsmith.records.format import LONG_LINE, NOT_POSITION, BrokenGameError, Format
from evalsmith.records.position_batch import PositionBatch, no_policy
from evalsmith.records.record import UNKNOWN, Faults, Record
from evalsmith.records.text import Line, decode, shown
from evalsmith.run.errors import InputError, PositionError

COLUMNS, ROWS, ROTATIONS = 8, 16, 4
_PARTS = ("board", "pill", "won", "cleared", "duration", "moves")
_HIGHEST = 2**31 - 1
_ROUNDING = 1e-3  # how far the shares of all moves may be from 1
_LINE_LIMIT = 1 << 17  # 512 moves with long numbers stay far below
_FRAGMENT = 1 << 16  # bytes read at once
_BETWEEN = re.compile(rb"(?<=\]),[ \t]*(?=\[[ \t]*\")")  # two examples of an outer array: only they begin with a string
_OVERLAP = 64  # bytes of a line that is too long in which the next example may begin
_AT_ONCE = 1000

NOT_JSON = "not a JSON array"
NOT_EXAMPLE = "not an example"
NOT_MOVES = "not a distribution of moves"
NO_RESULT = "neither won nor lost"
NO_COUNTS = "cleared and duration not known"
NO_POLICY = "no distribution of moves"
NOT_IN_EXAMPLE = "preview, counters and settings of the position"
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
    positions = True

    def sniff(self, head: bytes) -> bool:
        """The first line begins an array with a string of 128 small letters."""
        text = decode(head).removeprefix("\ufeff").lstrip("[ \t\r\n")
        return text[:1] == '"' and text[129:130] == '"' and text[1:129].isalpha() and text[1:129].islower()

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """A record without moves for each example."""
        for batch in self.position_batches(stream, path, faults):
            faults.warn(NOT_IN_RECORD, len(batch))
            yield from batch.records()

    def position_batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[PositionBatch]:
        """The examples with all that they tell, many at once."""
        examples = read_examples(stream, path, faults)
        while some := list(islice(examples, _AT_ONCE)):
            yield _batch(some, str(path))

    def write_positions(
        self, stream: BinaryIO, batches: Iterable[PositionBatch], lost: Counter[str], refused: Counter[str]
    ) -> int:
        """Write positions that have all that an example tells; previews, counters and settings are lost."""
        count = 0
        for batch in batches:
            for row in range(len(batch)):
                missing = _missing(batch, row)
                if missing:
                    refused[missing] += 1
                    continue
                example = _example_of(batch, row)
                try:
                    text = format_example(example)
                except InputError as error:
                    refused[str(error).partition("cannot be written: ")[2]] += 1
                    continue
                # What the text of an example gives back differs from the position by its preview and its counters.
                if (find_game(self.game).parse(example.position) != batch.words[row]).any():
                    lost[NOT_IN_EXAMPLE] += 1
                stream.write(text.encode() + b"\n")
                count += 1
        return count


def _batch(examples: list[Example], source: str) -> PositionBatch:
    game = find_game(Maryodel.game)
    flat = [_listed(one) for one in examples]
    policy = no_policy(len(examples), max(map(len, flat), default=0))
    for row, moves in enumerate(flat):
        policy[row, : len(moves)] = moves
    count = len(examples)
    return PositionBatch(
        game.name,
        source,
        np.stack([game.parse(example.position) for example in examples]),
        np.array([example.won * game.win for example in examples], dtype=np.int32),
        np.full(count, UNKNOWN, dtype=np.int32),
        np.array([example.number for example in examples], dtype=np.int64),
        np.array([example.line for example in examples], dtype=np.int64),
        policy=policy,
        cleared=np.array([example.cleared for example in examples], dtype=np.int32),
        duration=np.array([example.duration for example in examples], dtype=np.int32),
    )


def _listed(example: Example) -> list[tuple[int, float]]:
    """The moves of an example as the game lists them, with their shares."""
    turns = 2 if _one_colour(example.pill) else ROTATIONS
    found: dict[int, float] = {}
    for turn, cells in enumerate(example.moves):
        for x, y, share in cells:
            move = 128 * (turn % turns) + 16 * x + y
            found[move] = found.get(move, 0.0) + share
    return list(found.items())


def _one_colour(pill: str) -> bool:
    """Whether both halves of a lying pill have the same colour."""
    return ord(pill[1]) - ord(pill[0]) == ord("u") - ord("q")


def _missing(batch: PositionBatch, row: int) -> str:
    """What an example needs and a position lacks; empty where it lacks nothing."""
    if batch.results[row] in (UNKNOWN, 0):
        return NO_RESULT
    if batch.cleared[row] < 0 or batch.duration[row] < 0:
        return NO_COUNTS
    return "" if (batch.policy["move"][row] >= 0).any() else NO_POLICY


def _example_of(batch: PositionBatch, row: int) -> Example:
    board, pill = find_game(Maryodel.game).format(batch.words[row]).split()[:2]
    turns: list[list[tuple[int, int, float]]] = [[] for _ in range(ROTATIONS)]
    halves = (0, 2) if _one_colour(pill) else (0,)
    for move, share in batch.policy[row].tolist():
        for half in halves if move >= 0 else ():
            turns[(move >> 7) + half & 3].append((move >> 4 & 7, move & 15, share / len(halves)))
    won = 1 if batch.results[row] > 0 else -1
    counts = int(batch.cleared[row]), int(batch.duration[row])
    return Example(board, pill, won, *counts, tuple(map(tuple, turns)), int(batch.numbers[row]))


def read_examples(stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Example]:
    """The examples of an open file; broken ones go to ``faults``."""
    number = 0
    for line in _pieces(stream):
        text = None if line.text is None else line.text.strip().removesuffix(",").rstrip()
        if text in ("", "[", "]"):
            continue
        number += 1
        try:
            yield _example(Line(line.number, text), number)
        except BrokenGameError as broken:
            faults.add(broken.fault(path, f"line {line.number}", number))


def _pieces(stream: io.BufferedIOBase) -> Iterator[Line]:
    """Each example with the number of its line; a line that holds many is never in memory as a whole."""
    number, rest, skipping = 1, b"", False
    while fragment := stream.readline(_FRAGMENT):
        *complete, rest = _BETWEEN.split(rest + fragment)
        ended = fragment.endswith(b"\n")
        if ended:
            complete, rest = [*complete, rest], b""
        for piece in complete:
            if not skipping:
                content = piece.removeprefix(b"\xef\xbb\xbf") if number == 1 else piece
                yield Line(number, decode(content) if len(content) < _LINE_LIMIT else None)
            skipping = False
        if len(rest) >= _LINE_LIMIT:
            if not skipping:
                yield Line(number, None)
            rest, skipping = rest[-_OVERLAP:], True
        number += ended
    if rest and not skipping:
        yield Line(number, decode(rest))


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
    shares = _moves(moves)
    if _one_colour(pill):
        _check_alike(shares)
    return Example(board, pill, int(won), cleared, duration, shares, number, line.number)


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


def _check_alike(turns: tuple[tuple[tuple[int, int, float], ...], ...]) -> None:
    """Refuse a pill of one colour whose shares differ after half a turn."""
    for turn in (0, 1):
        one, other = ({(x, y): share for x, y, share in turns[number]} for number in (turn, turn + 2))
        if not one or not other:
            continue
        for cell in sorted(one.keys() | other.keys()):
            if abs(one.get(cell, 0.0) - other.get(cell, 0.0)) > _ROUNDING:
                raise BrokenGameError(
                    NOT_MOVES,
                    f"the pill has one colour, so rotations {turn} and {turn + 2} have equal shares, not "
                    f"{one.get(cell, 0):g} and {other.get(cell, 0):g} at x {cell[0]}, y {cell[1]}",
                )


def _move(rotation: int, x: Any, y: Any, share: Any) -> tuple[int, int, float]:
    # A lying pill needs a second column.
    columns = COLUMNS - 1 + rotation % 2
    for name, value, size in (("x", x, columns), ("y", y, ROWS)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < size:
            text = f"{name} at rotation {rotation} must be a number from 0 to {size - 1}, not {shown(str(value))}"
            raise BrokenGameError(NOT_MOVES, text)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1 or math.isnan(share):
        raise BrokenGameError(NOT_MOVES, f"a share must be from 0 to 1, not {shown(str(share))}")
    return x, y, share
