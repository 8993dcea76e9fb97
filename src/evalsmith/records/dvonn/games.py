"""What the two formats of DVONN games share: a game gathered word by word, played through, and written.

A file may hold several games. In a game all placings come before all stackings, so that a placing after a stacking
begins another one.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evalsmith.games import OVER, find_game
from evalsmith.records.format import DISAGREES, ILLEGAL, NO_MOVES, UNFINISHED, BrokenGameError
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import clean, shown
from evalsmith.run.errors import InputError, MoveError

if TYPE_CHECKING:
    from evalsmith.compile import Context

CENTISTONE = 100
_MAX_WORDS = 400  # no game has half as many moves
_MAX_STONES = 49
_PLACINGS = 49
_FIELD = "A1"  # a placing names one field, a stacking two

NOT_MOVE = "not a move"
TOO_MANY = "too many moves"
RESIGNED = "a player resigned, and the margin is not known"


@functools.cache
def move_numbers() -> dict[str, int]:
    """Moves by their names, in capitals: ``D2``, ``A1B1``, ``PASS``."""
    from evalsmith.games.dvonn import board, rules

    bits = dict(zip(board.NAMES, board.BITS, strict=True))
    numbers = {name: 65 * bit for name, bit in bits.items()}
    numbers |= {a + b: 64 * bits[a] + bits[b] for a in bits for b in bits if a != b}
    return numbers | {"PASS": rules.PASS}


@dataclass
class Gathered:
    """A game while its file is read. ``closed`` says that its result stands after its moves."""

    line: int
    words: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=lambda: ["", ""])
    event: str = ""
    date: str = ""
    stated: int | None = None
    closed: bool = False
    resigned: bool = False
    broken: BrokenGameError | None = None

    def ends_before(self, word: str) -> bool:
        """Whether a word belongs to another game."""
        return self.closed or (len(word) == 2 and bool(self.words) and len(self.words[-1]) == 4)

    def add(self, word: str) -> None:
        """The next move."""
        name = word.upper()
        if self.broken is None and name not in move_numbers():
            self.broken = BrokenGameError(NOT_MOVE, shown(word), len(self.words) + 1)
        if len(self.words) < _MAX_WORDS:
            self.words.append(name)
        elif self.broken is None:
            self.broken = BrokenGameError(TOO_MANY, f"over {_MAX_WORDS}")

    def tell(self, white: str, black: str) -> None:
        """The stones of both, as the file gives them."""
        stones = [int(text[:4]) for text in (white, black)]
        if max(stones) <= _MAX_STONES:
            self.stated = (stones[0] - stones[1]) * CENTISTONE
        self.closed = bool(self.words)

    def resign(self) -> None:
        """The game ends here because the player to move gave up; who wins is known, by how much is not."""
        self.resigned = self.closed = True

    def record(self, path: Path, number: int, faults: Faults) -> Record:
        """The game, played through, or a BrokenGameError."""
        if self.broken is not None:
            raise self.broken
        if not self.words:
            raise BrokenGameError(NO_MOVES)
        moves, margin = _replay(self.words)
        if margin is None:
            faults.warn(RESIGNED if self.resigned else UNFINISHED)
        elif self.stated not in (None, margin):
            faults.warn(DISAGREES)
        return Record(
            "dvonn",
            moves,
            result=self.stated if margin is None else margin,
            finished=margin is not None,
            termination="resigned" if self.resigned and margin is None else "",
            players=(clean(self.players[0]), clean(self.players[1])),
            event=clean(self.event),
            date=clean(self.date),
            source=str(path),
            number=number,
            offset=self.line,
        )


@functools.cache
def _context() -> Context:
    return find_game("dvonn").context()


def _replay(names: list[str]) -> tuple[tuple[int, ...], int | None]:
    """The moves with all passes and the last placing, and white's margin in centistones where the game is over.

    Transcripts leave out what is forced: a pass, and the placing on the last field.
    """
    from evalsmith.games.contract import call_moves, call_play
    from evalsmith.games.dvonn import rules

    game = find_game("dvonn")
    context = _context().row
    position, following = game.start(), np.empty(game.words, dtype=np.uint64)
    legal = np.empty(game.max_moves, dtype=np.int64)
    moves: list[int] = []

    def play(move: int) -> None:
        nonlocal position, following
        call_play(context, position, move, following)
        position, following = following, position
        moves.append(move)

    for place, name in enumerate(names, 1):
        move = move_numbers()[name]
        found = legal[: call_moves(context, position, legal)].tolist()
        last_placing = len(moves) == _PLACINGS - 1 and len(name) != len(_FIELD)
        if (found == [rules.PASS] and move != rules.PASS) or last_placing:
            play(found[0])
            found = legal[: call_moves(context, position, legal)].tolist()
        if move not in found:
            if not found and move == rules.PASS:
                continue  # some programs pass once more when nobody can move
            try:
                game.parse_move(position, name)
            except MoveError as error:
                raise BrokenGameError(ILLEGAL, str(error), place) from None
        play(move)
    if game.status(position) != OVER:
        return tuple(moves), None
    margin = game.result(position)
    return tuple(moves), margin if game.mover(position) == 0 else -margin


def names_of(record: Record) -> list[str]:
    """The moves of a game by name; games of other kinds and starts are refused."""
    if record.game != "dvonn" or record.start is not None:
        what = f"a game of {record.game}" if record.game != "dvonn" else f"the start {record.start}"
        raise InputError(f"a file of DVONN games holds games from the empty board, not {what}")
    game = find_game("dvonn")
    position = game.start()  # names do not depend on it
    return [game.format_move(position, move) for move in record.moves]
