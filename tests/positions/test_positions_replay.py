"""A batch played through in one call: every fact as the game itself tells it move by move."""

from __future__ import annotations

import numpy as np
import pytest
from chess_games import CHESS, batch, record

from evalsmith.games.contract import PHASE, call_position
from evalsmith.positions.replay import CHECKS, KEYS, NOISE, replay


def test_facts_of_every_position() -> None:
    games = batch(record(1), record(2, 0), record(3, 7), record(4, 120))
    replayed = replay(CHESS, games.starts, games.moves, games.first, KEYS | CHECKS | NOISE)
    context = CHESS.context(evaluation=True)
    row = checks = 0
    for number in range(len(games)):
        position, quiet_plies = CHESS.start(), 1000
        for move in games.moves[games.first[number] : games.first[number + 1]].tolist():
            assert replayed.words[row].tolist() == position.tolist()
            assert replayed.mover[row] == CHESS.mover(position)
            assert replayed.key[row] == CHESS.key(position)
            assert replayed.check[row] == CHESS.check(position)
            assert replayed.quiet_plies[row] == min(quiet_plies, 1000)
            assert replayed.phase[row] == call_position(context.row, PHASE, position)
            checks += CHESS.check(position)
            quiet_plies = quiet_plies + 1 if CHESS.capture_value(position, move) <= 0 else 0
            position = CHESS.play_unchecked(position, move)
            row += 1
    assert row == len(replayed.mover)
    assert checks > 0
    assert (replayed.quiet_plies == 0).any()


@pytest.mark.parametrize("wanted", [0, KEYS, CHECKS, NOISE])
def test_only_what_is_asked_is_there(wanted: int) -> None:
    games = batch(record(1, 10))
    replayed = replay(CHESS, games.starts, games.moves, games.first, wanted)
    there = [len(replayed.key) > 0, len(replayed.check) > 0, len(replayed.quiet_plies) > 0]
    assert there == [bool(wanted & bit) for bit in (KEYS, CHECKS, NOISE)]
    assert np.array_equal(replayed.words[0], CHESS.start())
