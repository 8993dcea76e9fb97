"""Transcripts: one Othello game a line, ``f5d6c3…``, from the standard start.

Passes are left out, or written ``pa``, ``pass``, ``ps``, ``--``. Letters are of either case, with spaces between moves.
A signed number after a space or a colon is black's margin in discs. Lines that begin with ``#`` or ``%`` are comments.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from evalsmith.records.format import LONG_LINE, BrokenGameError, Format
from evalsmith.records.othello.moves import MOVES, NAMES, PASS
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import Line, head_lines, lines, shown
from evalsmith.run.atomic import write_with
from evalsmith.run.errors import InputError

_MOVE = re.compile(r"[a-hA-H][1-8]|[pP][aA][sS][sS]|[pP][aAsS]|--")
_MOVES = re.compile(rf"(?:[ \t]*(?:{_MOVE.pattern}))*")
# An unsigned number would as often be a count of discs; only 0 needs no sign.
_MARGIN = re.compile(r"(?:[ \t]*:[ \t]*|[ \t]+)([+-][0-9]{1,2}(?:\.0*)?|0)[ \t]*")
# Every game begins with one of them.
_FIRST_MOVES = [MOVES["d3"]], [MOVES["c4"]], [MOVES["f5"]], [MOVES["e6"]]

NOT_MOVES = "neither a move nor a result"
ODD_MARGIN = "a result above 64 discs"


class Transcript(Format):
    """Reads and writes lines of moves."""

    name = "transcript"
    game = "othello"
    suffixes = (".transcript", ".transcripts")

    def sniff(self, head: bytes) -> bool:
        """The first line that is no comment holds moves, and little else."""
        found = [line.strip() for line in head_lines(head) if not _is_comment(line)]
        if not found:
            return False
        moves, rest = _split(found[0])
        # A head may end inside a move.
        return moves[:1] in _FIRST_MOVES and (_MARGIN.fullmatch(rest) is not None or len(rest) <= 1)

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The games, line by line."""
        number = 0
        for line in lines(stream):
            if line.text is not None and _is_comment(line.text):
                continue
            number += 1
            try:
                yield _record(line, path, number, faults)
            except BrokenGameError as broken:
                faults.add(broken.fault(path, f"line {line.number}", number))

    def format_record(self, record: Record) -> str:
        """A line, with the result where it is known."""
        return format_transcript(record, result=True) + "\n"


def _is_comment(line: str) -> bool:
    line = line.strip()
    return not line or line[0] in "#%"


def _split(line: str) -> tuple[list[int], str]:
    """The moves that a line begins with, and what stands after them."""
    match = _MOVES.match(line)
    written = match[0] if match else ""
    names = _MOVE.findall(written)
    return [MOVES.get(name) or MOVES[name.lower()] for name in names], line[len(written) :]


def _record(line: Line, path: Path, number: int, faults: Faults) -> Record:
    from evalsmith.games.othello import GAME, notation
    from evalsmith.records.othello.replay import replay_one

    if line.text is None:
        raise BrokenGameError(LONG_LINE)
    moves, rest = _split(line.text.strip())
    stated = None
    if rest:
        match = _MARGIN.fullmatch(rest)
        if not moves or match is None:
            raise BrokenGameError(NOT_MOVES, shown(rest.strip()), len(moves) + 1)
        stated = int(float(match[1])) * 100
        if abs(stated) > GAME.margin:
            raise BrokenGameError(ODD_MARGIN, shown(rest.strip()))
    replayed = replay_one(moves, notation.start())
    return Record(
        "othello",
        replayed.moves,
        result=replayed.settle(stated, faults),
        finished=replayed.finished,
        source=str(path),
        number=number,
        offset=line.number,
    )


def format_transcript(record: Record, result: bool = False) -> str:
    """The line of a game from the standard start; with its result after it when asked and known."""
    if record.game != "othello" or record.start is not None:
        what = f"a game of {record.game}" if record.game != "othello" else f"the start {record.start}"
        raise InputError(f"a transcript holds Othello from the standard start, not {what}")
    line = "".join(NAMES[move] for move in record.moves if move != PASS)
    if result and record.result is not None:
        line += f" {round(record.result / 100):+d}"
    return line


def write_transcripts(path: Path, records: Iterable[Record], results: bool = False) -> int:
    """Write games as transcripts, in one step; the number of games. ``results`` adds those that are known."""
    count = 0

    def write(temporary: Path) -> None:
        nonlocal count
        with open(temporary, "w", encoding="ascii") as file:
            for record in records:
                file.write(format_transcript(record, results) + "\n")
                count += 1

    write_with(path, write)
    return count
