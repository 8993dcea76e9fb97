"""One game of self-play move by move, for what the kernel for complete games does not support.

With a temperature, moves are drawn among the best lines by their scores; with adjudication, a game that both sides
call decided ends there. Monte Carlo tree search plays in no other way.
"""

from __future__ import annotations

import math
import random
import threading
from dataclasses import dataclass

from evalsmith.engine import Limit, Line, MctsSearcher, Searcher
from evalsmith.games import CHANCE, Game, Position
from evalsmith.games.board import Board

LINES = 4  # how many lines the temperature draws from
AGREED = 4  # plies in a row that must call a game decided
DRAWN_WITHIN = 10  # of the unit: below this a position is called drawn


@dataclass(frozen=True)
class Style:
    """How games are played: ``temperature`` in the game's unit, 0 for the best move; ``noise`` a share of random ones.

    ``resign`` is the score from which a game is decided, ``draw`` after how many plies in a row within 10 of 0 it is
    drawn. Temperature and noise choose before ply ``noisy_plies``.
    """

    temperature: float = 0.0
    resign: int | None = None
    draw: int | None = None
    noise: float = 0.0
    noisy_plies: int = 0


@dataclass(frozen=True)
class Finished:
    """A game: its moves and outcomes, the result for side 0, and the ply after the last that was not the best known.

    ``scores`` are what the movers thought of the best move, None where no search was asked.
    """

    moves: tuple[int, ...]
    result: int
    quiet_from: int
    scores: tuple[int | None, ...]
    stopped: bool = False


def play_styled(
    game: Game, searcher: Searcher | MctsSearcher, limit: Limit, start: Position, style: Style, source: random.Random,
    stopping: threading.Event,
) -> Finished:  # fmt: skip
    """Play a game; whoever stops the search also sets ``stopping``, or the game would go on with the next one."""
    board, quiet_from = Board(game, start), 0
    scores: list[int | None] = []
    agreed: list[int] = []  # the scores of searches, for side 0
    searcher.new_game()
    while (outcome := board.outcome()) is None:
        if board.wins_by_declaration:
            won = game.win if board.mover == 0 else -game.win
            return Finished(tuple(board.move_stack), won, quiet_from, tuple(scores))
        scores.append(None)
        if board.status == CHANCE:
            board.draw(source)
            continue
        legal, noisy = game.moves(board.position), board.ply < style.noisy_plies
        if noisy and source.random() < style.noise:
            move, quiet_from = source.choice(legal), board.ply + 1
        elif len(legal) == 1:
            move = legal[0]
        else:
            drawn = noisy and style.temperature > 0
            found = searcher.think(board.position, limit, multipv=LINES if drawn else 1, history=board.history).lines
            if stopping.is_set() or not found or found[0].move < 0:
                return Finished(tuple(board.move_stack), 0, quiet_from, tuple(scores), stopped=True)
            lines = [line for line in found if line.depth > 0]  # a line that no search judged has no score
            chosen = _drawn(lines, style.temperature, source) if drawn and lines else found[0]
            if lines:
                quiet_from = board.ply + 1 if drawn and chosen is not lines[0] else quiet_from
                scores[-1] = lines[0].score
                agreed.append(lines[0].score if board.mover == 0 else -lines[0].score)
            move = chosen.move
        decided = _decided(game, agreed, style)
        if decided is not None:
            return Finished((*board.move_stack, move), decided, quiet_from, tuple(scores))
        board.play(move)
    return Finished(tuple(board.move_stack), outcome.value, quiet_from, tuple(scores))


def _drawn(lines: list[Line], temperature: float, source: random.Random) -> Line:
    """One of the lines, the likelier the better its score."""
    best = max(line.score for line in lines)
    shares = [math.exp(max(-50.0, (line.score - best) / temperature)) for line in lines]
    return source.choices(lines, weights=shares)[0]


def _decided(game: Game, scores: list[int], style: Style) -> int | None:
    """The result for side 0 that both sides agree on, or None."""
    last = scores[-AGREED:]
    if style.resign is not None and len(last) == AGREED:
        for sign in (1, -1):
            if all(sign * score >= style.resign for score in last):
                return sign * game.win if game.win else last[-1]
    if style.draw is not None and len(scores) >= style.draw:
        return 0 if all(abs(score) <= DRAWN_WITHIN for score in scores[-style.draw :]) else None
    return None
