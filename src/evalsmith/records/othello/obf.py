"""OBF: Othello positions, one a line, with the scores of their moves.

``--XXXXX--…-- X; G8:+18; H1:+12;`` has the board from a1, the side to move, and scores in discs for the mover.
A position becomes a record without moves whose start it is; the best score is its label.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from evalsmith.games import OVER, find_game
from evalsmith.records.format import ILLEGAL, LONG_LINE, NOT_POSITION, BrokenGameError, Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import Line, head_lines, lines, number, shown
from evalsmith.run.errors import InputError, MoveError, PositionError

_BOARD = re.compile(r"\s*(?:[xXoObBwW*0._-]\s*){64}[xXoObBwW*0]\s*(?:[;%].*)?")

NOT_SCORE = "neither a score nor move:score"


class Obf(Format):
    """Reads lists of positions."""

    name = "obf"
    game = "othello"
    suffixes = (".obf",)

    def sniff(self, head: bytes) -> bool:
        """The first line that is no comment is a board."""
        found = [line for line in head_lines(head) if line.split("%")[0].strip()]
        return bool(found) and _BOARD.fullmatch(found[0]) is not None

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """A record without moves for each line."""
        count = 0
        for line in lines(stream):
            if line.text is not None and not line.text.split("%")[0].strip():
                continue
            count += 1
            try:
                yield _record(line, path, count)
            except BrokenGameError as broken:
                faults.add(broken.fault(path, f"line {line.number}", count))

    def format_record(self, record: Record) -> str:
        """A line."""
        return format_obf(record) + "\n"


def _record(line: Line, path: Path, count: int) -> Record:
    game = find_game("othello")
    if line.text is None:
        raise BrokenGameError(LONG_LINE)
    board, *fields = line.text.split("%")[0].split(";")
    if _BOARD.fullmatch(board) is None:
        raise BrokenGameError(NOT_POSITION, shown(board.strip()))
    try:
        position = game.parse(board)
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None
    scores: dict[str, int] = {}
    alone: int | None = None
    for field in filter(None, map(str.strip, fields)):
        name, colon, text = field.rpartition(":")
        value = number(text)
        if value is None or abs(value) > 64:
            raise BrokenGameError(NOT_SCORE, shown(field))
        if not colon:
            alone = round(100 * value)
            continue
        try:
            move = game.parse_move(position, name)
        except MoveError as error:
            raise BrokenGameError(ILLEGAL, str(error)) from None
        scores[game.format_move(position, move)] = round(100 * value)
    best = max(scores.values(), default=alone)
    text = game.format(position)
    return Record(
        "othello",
        (),
        start=None if text == game.format(game.start()) else text,
        finished=game.status(position) == OVER,
        source=str(path),
        number=count,
        offset=line.number,
        labels={} if best is None else {0: best},
        annotations=scores,
    )


def format_obf(record: Record) -> str:
    """The line of a position, with the values of its moves, or else with its own."""
    game = find_game("othello")
    if record.game != game.name or record.moves:
        what = f"a game of {record.game}" if record.game != game.name else f"a game of {len(record.moves)} moves"
        raise InputError(f"OBF holds positions of {game.title}, not {what}")
    line = (game.format(game.start()) if record.start is None else record.start) + ";"
    if record.annotations:
        best = sorted(record.annotations.items(), key=lambda item: -item[1])
        return line + "".join(f" {'PA' if name == 'pass' else name.upper()}:{_discs(value)};" for name, value in best)
    return line + (f" {_discs(record.labels[0])};" if 0 in record.labels else "")


def _discs(value: int) -> str:
    return f"{value / 100:+.2f}".rstrip("0").rstrip(".")
