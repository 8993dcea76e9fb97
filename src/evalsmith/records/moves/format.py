"""Files of games for every game that is installed: tags, then the moves as the game itself writes them.

    [Game "connect_four"]
    [Rules "1"]
    [First "tuned"]
    [Second "hand-set"]
    [Result "1-0"]

    4 4 5 {+35/6,0.012s} 3 …

A game begins with its tag ``Game``. ``Result`` is for the first side: 1-0, 0-1, 1/2-1/2, a margin with its sign in
games that have one (+12), or * where it is not known. A game from another start has ``Position``. What stands in braces
is said of the move before it: the score for its mover in the game's unit, the depth, the seconds. An outcome of chance
is a number among the moves.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from evalsmith.games import game_names
from evalsmith.records.format import Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import decode

SUFFIX = ".games"

_FIRST_TAG = re.compile(r'\s*\[Game\s+"(\w+)"\]')


class Moves(Format):
    """Reads and writes the moves of one game. The suffix ``.games`` does not tell the game, so the first tag does."""

    suffixes = ()
    written_suffixes = (SUFFIX,)

    def __init__(self, game: str) -> None:
        self.game, self.name = game, f"{game}-games"  # type: ignore[misc]

    def sniff(self, head: bytes) -> bool:
        """The first tag names the game."""
        return stated_game(head) == self.game

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The games, one after another."""
        from evalsmith.records.moves.read import read_moves

        return read_moves(self.game, stream, path, faults)

    def format_record(self, record: Record) -> str:
        """A game, with its scores in braces."""
        from evalsmith.records.moves.write import format_moves

        return format_moves(record)


def stated_game(head: bytes) -> str | None:
    """The game that a file of this kind is of, installed or not; None if it is of another kind."""
    found = _FIRST_TAG.match(decode(head).removeprefix("\ufeff"))
    return None if found is None else found[1]


MOVES = tuple(Moves(name) for name in game_names())
