"""One game of self-play move by move, for what the kernel that plays whole games does not do.

With a temperature, moves are drawn among the best lines by their scores; with adjudication, a game that both sides
call decided ends there.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.games.contract import DRAW, FRESH, WIN
from evalsmith.search import Limit, Searcher
from evalsmith.search.alphabeta.searcher import longest_game

LINES = 4  # how many lines the temperature draws from
AGREED = 4  # plies in a row that must call a game decided
DRAWN_WITHIN = 10  # of the unit: below this a position is called drawn


@dataclass(frozen=True)
class Style:
    """How games are played: ``temperature`` in the game's unit, 0 for the best move; ``noise`` a share of random ones.

    ``resign`` is the score from which a game is decided, ``draw`` after how many plies in a row within 10 of 0 it is
    drawn.
    """

    temperature: float = 0.0
    resign: int | None = None
    draw: int | None = None
    noise: float = 0.0


@dataclass(frozen=True)
class Finished:
    """A game: its moves and outcomes, the result for side 0, and the ply after the last that was not the best known.

    ``scores`` are what the movers thought, None where no search was asked.
    """

    moves: tuple[int, ...]
    result: int
    quiet_from: int
    scores: tuple[int | None, ...]
    stopped: bool = False


def play_styled(
    game: Game, searcher: Searcher, limit: Limit, start: Position, style: Style, loose_plies: int, source: random.Random
) -> Finished:
    """Play a game; before ply ``loose_plies`` temperature and noise choose. A search that was stopped ends it."""
    position, quiet_from = start, 0
    moves: list[int] = []
    history: list[Position] = []
    keys: list[int] = []
    checks: list[int] = []
    thought: list[int | None] = []
    told: list[int] = []  # those that are known, for side 0
    searcher.new_game()
    for ply in range(longest_game(game)):
        status, side = game.status(position), game.mover(position)
        if status == OVER:
            value = game.result(position)
            return Finished(tuple(moves), value if side == 0 else -value, quiet_from, tuple(thought))
        repeated = game.repeated(position, keys, checks)
        if repeated != FRESH:
            value = 0 if repeated == DRAW else game.win if repeated == WIN else -game.win
            return Finished(tuple(moves), value if side == 0 else -value, quiet_from, tuple(thought))
        keys.append(game.key(position))
        checks.append(int(game.check(position)))
        history.append(position)
        thought.append(None)
        if status == CHANCE:
            chances = [float(each) for each in game.chance(position)]
            moves.append(source.choices(range(len(chances)), weights=chances)[0])
            position = game.reveal(position, moves[-1])
            continue
        legal = game.moves(position)
        loose = ply < loose_plies
        if loose and source.random() < style.noise:
            moves.append(source.choice(legal))
            quiet_from = ply + 1
        elif len(legal) == 1:
            moves.append(legal[0])
        else:
            drawn = LINES if loose and style.temperature > 0 else 1
            lines = searcher.think(position, limit, multipv=drawn, history=history[:-1]).lines
            if not lines or lines[0].move < 0:
                return Finished(tuple(moves), 0, quiet_from, tuple(thought), stopped=True)
            chosen = lines[0]
            lines = tuple(line for line in lines if line.depth > 0)  # a line that no search judged has no score
            if drawn > 1 and lines:
                best = max(line.score for line in lines)
                shares = [math.exp(max(-50.0, (line.score - best) / style.temperature)) for line in lines]
                chosen = source.choices(lines, weights=shares)[0]
                quiet_from = ply + 1 if chosen is not lines[0] else quiet_from
            moves.append(chosen.move)
            if lines:
                thought[-1] = lines[0].score
                told.append(lines[0].score if side == 0 else -lines[0].score)
        decided = _decided(game, told, style)
        if decided is not None:
            return Finished(tuple(moves), decided, quiet_from, tuple(thought))
        position = game.play_unchecked(position, moves[-1])
    return Finished(tuple(moves), 0, quiet_from, tuple(thought))


def _decided(game: Game, told: list[int], style: Style) -> int | None:
    """The result for side 0 that both sides agree on, or None."""
    last = told[-AGREED:]
    if style.resign is not None and len(last) == AGREED:
        for sign in (1, -1):
            if all(sign * score >= style.resign for score in last):
                return sign * game.win if game.win else last[-1]
    if style.draw is not None and len(told) >= style.draw:
        return 0 if all(abs(score) <= DRAWN_WITHIN for score in told[-style.draw :]) else None
    return None
