"""PGN: games of chess as everybody has them, read a few megabytes at a time by compiled code.

Read are all shapes of tags, moves, comments and results that files have; variations are passed over. A result is what
mate or stalemate on the board says, else what stands after the moves, else what the tag says. Scores in comments are
described in scores.py.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from evalsmith.records.batch import Batch
from evalsmith.records.format import Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import decode

CHUNK = 8 << 20
GAME_LIMIT = 4 << 20  # bytes of one game

_BEGINS = re.compile(r'\s*(?:[%;][^\n]*\n\s*|\{[^}]*\}\s*)*(?:\[[A-Za-z]\w*\s+"|1\s*\.\s*(?:[a-hNBRQKO0]|\.\.))')


class Pgn(Format):
    """Reads PGN; ``chunk`` is the size of its buffer, and ``game_limit`` how long a game may be, both in bytes."""

    name = "pgn"
    game = "chess"
    suffixes = (".pgn",)

    def __init__(self, chunk: int = CHUNK, game_limit: int = GAME_LIMIT) -> None:
        self.chunk, self.game_limit = max(chunk, 2 * game_limit), game_limit

    def sniff(self, head: bytes) -> bool:
        """A tag pair or the first move, after comments at most."""
        return _BEGINS.match(decode(head).lstrip("\ufeff\0")) is not None

    def batches(
        self, stream: io.BufferedIOBase, path: Path, faults: Faults, begin: tuple[int, ...] = ()
    ) -> Iterator[Batch]:
        """All games, or those after a batch, one batch for each buffer of text."""
        from evalsmith.records.pgn.buffer import PgnBuffer

        return PgnBuffer(self.chunk, self.game_limit).batches(stream, str(path), faults, begin)

    def format_record(self, record: Record) -> str:
        """A game, with its scores in comments."""
        from evalsmith.records.pgn.write import format_pgn

        return format_pgn(record, scores=True)
