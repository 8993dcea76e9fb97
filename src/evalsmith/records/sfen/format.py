"""Lists of shogi games as USI's ``position`` command writes them, and lists of positions in SFEN, a line each."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from evalsmith.games import find_game
from evalsmith.records.batch import Batch
from evalsmith.records.format import Format
from evalsmith.records.position_batch import PositionBatch
from evalsmith.records.record import Faults, Record
from evalsmith.records.shogi.blocks import plain_head
from evalsmith.run.errors import InputError

_RANK = rb"[1-9PLNSGBRKplnsgbrk+]{1,18}"
_SFEN = rb"(?:sfen )?(?:" + _RANK + rb"/){8}" + _RANK + rb" [bw] (?:-|[0-9PLNSGBRplnsgbr]+)(?: [0-9]+)?"
_USI_LINE = re.compile(
    rb"(?:position )?(?:startpos|" + _SFEN + rb")[ \t]+moves(?:[ \t]+[1-9PLNSGBR][*a-i][1-9][a-i]\+?)*"
)
_SFEN_LINE = re.compile(rb"(?:position )?(?:startpos|" + _SFEN + rb")")
_MARK = b"\xef\xbb\xbf"


def _first_line(head: bytes) -> bytes:
    """The first line that is neither empty nor a comment."""
    for line in plain_head(head).removeprefix(_MARK).splitlines():
        if line.strip() and not line.startswith(b"#"):
            return line.strip()
    return b""


class Usi(Format):
    """Reads games from ``startpos moves 7g7f …`` and ``sfen … moves …``. Results are not known."""

    name = "usi"
    game = "shogi"
    suffixes = (".usi",)
    written_suffixes = (".sfen",)

    def sniff(self, head: bytes) -> bool:
        """The first line has a position and moves."""
        return _USI_LINE.match(_first_line(head)) is not None

    def batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Batch]:
        """The games, a block of the file at a time."""
        from evalsmith.records.sfen.read import read_usi

        return read_usi(stream, path, faults)

    def format_record(self, record: Record) -> str:
        """A line."""
        return format_usi(record)


class Sfen(Format):
    """Reads positions in SFEN. Files that are called ``.sfen`` often hold games, so the first line decides."""

    name = "sfen"
    game = "shogi"
    suffixes = ()
    written_suffixes = (".sfen",)
    positions = True

    def sniff(self, head: bytes) -> bool:
        """The first line is a position alone."""
        return _SFEN_LINE.fullmatch(_first_line(head)) is not None

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The positions as records without moves."""
        for batch in self.position_batches(stream, path, faults):
            yield from batch.records()

    def position_batches(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[PositionBatch]:
        """The positions, many at once."""
        from evalsmith.records.sfen.read import read_positions

        return read_positions(stream, path, faults)

    def format_record(self, record: Record) -> str:
        """A line for a position; what is known of it has no place there."""
        if record.game != self.game or record.moves:
            what = f"a game of {record.game}" if record.game != self.game else f"a game of {len(record.moves)} moves"
            raise InputError(f"SFEN lists hold positions of {self.game}, not {what}")
        game = find_game(self.game)
        return (record.start or game.format(game.start())) + "\n"


def format_usi(record: Record) -> str:
    """One line, ``startpos moves …`` or ``sfen … moves …``; what USI has no words for is left out."""
    if record.game != "shogi":
        raise InputError(f"USI holds games of shogi, not of {record.game}")
    game = find_game("shogi")
    start = "startpos" if record.start is None else f"sfen {record.start}"
    names = []
    position = game.start() if record.start is None else game.parse(record.start)
    for move in record.moves:
        names.append(game.format_move(position, move))
        position = game.play(position, move)
    return " ".join([start, "moves", *names]) + "\n"
