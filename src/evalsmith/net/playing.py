"""Games played side by side, so that the positions of all are searched at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evalsmith.engine.mcts.searcher import RootMove
from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.games.board import Board
from evalsmith.games.opening import Opening
from evalsmith.games.planes import planes_of
from evalsmith.net.pilots import Pilot
from evalsmith.run import derive

NO_TEMPERATURE = 0.0


@dataclass(frozen=True)
class Temperature:
    """Moves are drawn by visits to the power 1/``start`` in the first ``moves``, then to 1/``end``; 0 is the best."""

    start: float = NO_TEMPERATURE
    end: float = NO_TEMPERATURE
    moves: int = 0

    def at(self, number: int) -> float:
        """The temperature of a move by its number from 0."""
        return self.start if number < self.moves else self.end


@dataclass(frozen=True)
class Decision:
    """A position, what the search said of it, and the move that was played."""

    position: Position
    ply: int
    mover: int
    said: tuple[RootMove, ...]
    move: int


@dataclass(frozen=True)
class FinishedGame:
    """A finished game: its decisions, and its value for side 0 in the game's unit.

    In a game for one ``left`` counts what is left to clear, at each decision and at the end.
    """

    number: int
    opening: Opening
    decisions: tuple[Decision, ...]
    value: int
    left: tuple[int, ...]
    final: Position

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return len(self.decisions)


@dataclass(eq=False)
class _Playing:
    """A game in progress."""

    number: int
    opening: Opening
    board: Board
    source: random.Random
    moves_made: int = 0
    decisions: list[Decision] = field(default_factory=list)


class Stopped(Exception):
    """Whoever asked for games wants no more."""


def play_together(
    game: Game,
    pilots: Callable[[int, int], Pilot],
    openings: Sequence[tuple[int, Opening]],
    *,
    temperature: Temperature = Temperature(),
    stray: float = 0.0,
    luck: Callable[[int], int] = lambda number: number,
    seed: int = 1,
    together: int = 64,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[FinishedGame]:
    """Play numbered openings to their ends, up to ``together`` at a time; games come as they end.

    ``pilots`` says who moves, by the number of the game and the side; a share ``stray`` of the moves is any of them,
    whatever the pilot says. Games with the same ``luck``, by their numbers, have the same chances. Chance and
    temperature depend on the seed and on the number of a game, and on nothing that happens in others.
    """
    waiting = list(reversed(openings))
    playing: list[_Playing] = []
    while waiting or playing:
        while waiting and len(playing) < together:
            number, opening = waiting.pop()
            source = random.Random(derive(seed, "game", luck(number)))
            playing.append(_Playing(number, opening, opening.board(game), source))
        over = [one for one in playing if not _to_move(one)]
        for one in over:
            for side in range(game.players):
                pilots(one.number, side).forget(one.number)
            yield _finished(game, one)
        playing = [one for one in playing if one not in over]
        groups: dict[int, tuple[Pilot, list[_Playing]]] = {}
        for one in playing:
            pilot = pilots(one.number, one.board.mover)
            groups.setdefault(id(pilot), (pilot, []))[1].append(one)
        for pilot, games in groups.values():
            for one, said in zip(games, pilot.search(games), strict=True):
                if stopped():
                    raise Stopped
                _move(one, said, temperature, stray)


def _to_move(one: _Playing) -> bool:
    """Let chance move; whether a player moves then."""
    board = one.board
    while board.outcome() is None:
        if board.status != CHANCE:
            return True
        board.draw(one.source)
    return False


def _move(one: _Playing, said: tuple[RootMove, ...], temperature: Temperature, stray: float) -> None:
    board = one.board
    if stray > 0 and one.source.random() < stray:
        move = one.source.choice(said).move
    else:
        move = draw_move(said, temperature.at(one.moves_made), one.source)
    one.decisions.append(Decision(board.position.copy(), board.ply, board.mover, said, move))
    one.moves_made += 1
    board.play(move)


def draw_move(said: Sequence[RootMove], temperature: float, source: random.Random) -> int:
    """The best move, or one drawn by visits; a proven best move is always taken."""
    if temperature == NO_TEMPERATURE or said[0].proven or not any(one.visits for one in said):
        return said[0].move
    visits = np.array([one.visits for one in said], dtype=np.float64)
    weights = (visits / visits.max()) ** (1.0 / temperature)
    return said[source.choices(range(len(said)), weights=weights.tolist())[0]].move


def visit_shares(said: Sequence[RootMove]) -> npt.NDArray[np.float64]:
    """The share of the visits of each move: what a net learns as its distribution.

    A move that is proven to be the best has all of it, since the search stops visiting what is proven.
    """
    visits = np.array([one.visits for one in said], dtype=np.float64)
    if said[0].proven and said[0].value >= max(one.value for one in said):
        visits[:] = 0.0
        visits[0] = 1.0
    if not visits.any():
        visits[0] = 1.0
    shares: npt.NDArray[np.float64] = visits / visits.sum()
    return shares


def _finished(game: Game, one: _Playing) -> FinishedGame:
    outcome = one.board.outcome()
    assert outcome is not None
    rows = np.stack([*(each.position for each in one.decisions), one.board.position])
    left = planes_of(game).count_left(rows)
    value = outcome.value
    if game.players == 1 and game.status(one.board.position) == OVER:
        value = game.result(one.board.position)
    return FinishedGame(
        one.number, one.opening, tuple(one.decisions), value, tuple(left.tolist()), one.board.position.copy()
    )
