"""Two builds that should be the same: at the same positions under the same limit, do they move and count alike?"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, Game
from evalsmith.games.board import Board
from evalsmith.games.opening import Opening
from evalsmith.players import Choice, Player, take_seat
from evalsmith.positions.openings.book import read_book
from evalsmith.run import InputError, Progress, Silent, derive

LONGEST_WALK = 60  # random plies at most to a position


@dataclass(frozen=True)
class Difference:
    """The first position where two players differ, and what each did there."""

    number: int
    position: str
    moves: tuple[str, str]
    nodes: tuple[int | None, int | None]
    scores: tuple[int | None, int | None]


@dataclass(frozen=True)
class Lockstep:
    """How many positions were compared, on how many the moves and the nodes were alike, and the first difference."""

    positions: int
    same_moves: int
    same_nodes: int
    nodes_known: bool
    difference: Difference | None

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith lockstep --json``."""
        return asdict(self)


def random_positions(game: Game, count: int, seed: int) -> list[Opening]:
    """Positions some random plies from the start, of all stages of a game."""
    source = random.Random(derive(seed, "lockstep"))
    found: list[Opening] = []
    while len(found) < count:
        position, moves = game.start(), []
        for _ in range(source.randint(1, min(LONGEST_WALK, game.max_plies - 1))):
            chance = game.status(position) == CHANCE
            move = game.draw(position, source) if chance else source.choice(game.moves(position))
            following = game.step(position, move)
            if game.status(following) == OVER:
                break
            moves.append(move)
            position = following
        if game.status(position) == CHANCE:
            moves.pop()
        found.append(Opening(game.start(), tuple(moves)))
    return found


def positions_of(game: Game, what: str, seed: int) -> list[Opening]:
    """A number of random positions, or those of a file."""
    if what.isdecimal() and len(what) < 9:
        if int(what) < 1:
            raise InputError("--positions must be above 0")
        return random_positions(game, int(what), seed)
    return read_book(game, Path(what))


def lockstep(
    game: Game,
    players: tuple[Player, Player],
    openings: Sequence[Opening],
    limit: Limit,
    seed: int,
    progress: Progress | None = None,
) -> Lockstep:
    """Compare two players position by position; each is a game of its own, so that nothing is remembered."""
    progress = progress or Silent()
    seats = [take_seat(player, limit, seed, None) for player in players]
    same_moves = same_nodes = 0
    known = True
    first: Difference | None = None
    try:
        for number, (opening, board) in enumerate(_boards(game, openings), 1):
            choices: list[Choice] = []
            for seat in seats:
                seat.begin(opening.start, board.mover)
                choices.append(seat.choose(board))
                seat.end()
            a, b = choices
            known = known and a.nodes is not None and b.nodes is not None
            names = tuple(_name(board, choice) for choice in choices)
            moves_alike, nodes_alike = names[0] == names[1], a.nodes == b.nodes
            same_moves, same_nodes = same_moves + moves_alike, same_nodes + nodes_alike
            if first is None and not (moves_alike and (nodes_alike or None in (a.nodes, b.nodes))):
                first = Difference(
                    number,
                    game.format(board.position),
                    (names[0], names[1]),
                    (a.nodes, b.nodes),
                    (a.score, b.score),
                )
            progress.advance()
    finally:
        for seat in seats:
            seat.close()
    return Lockstep(len(openings), same_moves, same_nodes, known, first)


def _name(board: Board, choice: Choice) -> str:
    """What a player did."""
    if choice.resigns or choice.declares:
        return "resigns" if choice.resigns else "declares a win"
    return board.game.format_move(board.position, choice.move)


def _boards(game: Game, openings: Sequence[Opening]) -> Iterator[tuple[Opening, Board]]:
    for opening in openings:
        board = opening.board(game)
        if board.status != CHANCE:
            yield opening, board
