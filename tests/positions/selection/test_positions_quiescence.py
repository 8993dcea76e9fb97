"""The end of the quiescence line, against a plain search that keeps its line."""

from __future__ import annotations

import numpy as np
import pytest
from chess_games import CHESS, random_moves

from evalsmith.engine.alphabeta.searcher import evaluate
from evalsmith.games import OVER, Game, Position, find_game
from evalsmith.positions.selection.quiescence import Settler
from evalsmith.weights import starting_weights

OTHELLO = find_game("othello")
FAR = 1 << 30


def plain(game: Game, position: Position, low: int, high: int) -> tuple[int, Position]:
    """Quiescence by its definition, moves in the same order."""
    if game.status(position) == OVER:
        return game.result(position), position
    best, end = -FAR, position
    if not game.check(position):
        best = evaluate(game, WEIGHTS[game.name], position)
        if best >= high:
            return best, end
        low = max(low, best)
    moves = game.noisy(position)
    for i in range(len(moves)):
        chosen = max(range(i, len(moves)), key=lambda j: (game.order(position, moves[j]), -j))
        move = moves[chosen]
        moves[chosen] = moves[i]
        value, leaf = plain(game, game.play_unchecked(position, move), -high, -low)
        if -value > best:
            best, end = -value, leaf
            low = max(low, best)
            if best >= high:
                break
    return best, end


WEIGHTS = {game.name: starting_weights(game) for game in (CHESS, OTHELLO)}


def test_ends_of_lines() -> None:
    rows = []
    for seed in range(12):
        position = CHESS.start()
        for ply, move in enumerate(random_moves(seed, 40)):
            position = CHESS.play_unchecked(position, move)
            if ply % 4 == 3 and CHESS.status(position) != OVER:
                rows.append(position)
    ends, settled = Settler(CHESS).ends(np.array(rows))
    assert settled.mean() > 0.8
    moved = 0
    for row, end, found in zip(rows, ends, settled, strict=True):
        if not found:
            continue
        assert end.tolist() == plain(CHESS, row, -FAR, FAR)[1].tolist(), CHESS.format(row)
        moved += not np.array_equal(row, end)
    assert moved > 10


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 b - - 0 1", "4k3/8/2p5/8/4p3/8/8/4K3 w - - 0 2"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    ],
)
def test_lines_that_anybody_sees(fen: str, end: str) -> None:
    found, settled = Settler(CHESS).ends(CHESS.parse(fen).reshape(1, -1))
    assert settled.all()
    assert CHESS.format(found[0]) == end


def test_a_game_without_noisy_moves_stays_where_it_is() -> None:
    start = OTHELLO.start().reshape(1, -1)
    ends, settled = Settler(OTHELLO).ends(start)
    assert settled.all()
    assert np.array_equal(ends, start)
