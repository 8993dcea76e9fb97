"""Shogi against its naive twin: games from start to end, and composed positions."""

import random

import pytest
from shogi_composed import composed, smothered

from evalsmith.games.game import OVER, PLAYER
from evalsmith.games.shogi import GAME
from evalsmith.run.errors import PositionError
from naive.shogi import Shogi, repetition

SAID = {0: "", 1: "draw", 2: "win", 3: "loss"}


def agree(position, twin):
    ours = sorted(GAME.format_move(position, move) for move in GAME.moves(position))
    assert ours == twin.moves(), twin.format()
    assert GAME.format(position) == twin.format()
    assert GAME.check(position) == twin.in_check(twin.side)
    assert GAME.status(position) == (PLAYER if ours else OVER)
    if not ours:
        assert GAME.result(position) == -GAME.win
    return ours


@pytest.mark.parametrize("seed", range(3))
def test_games(seed):
    choose = random.Random(seed)
    position, twin = GAME.start(), Shogi.parse(GAME.format(GAME.start()))
    keys = {}
    for _ in range(60):
        assert keys.setdefault(GAME.key(position), twin.same()) == twin.same()
        ours = agree(position, twin)
        if not ours:
            break
        name = choose.choice(ours)
        position, twin = GAME.play(position, GAME.parse_move(position, name)), twin.play(name)


@pytest.mark.parametrize("kind", [composed, smothered])
def test_composed_positions(kind):
    choose = random.Random(8)
    compared = 0
    while compared < 60:
        sfen = kind(choose)
        twin = Shogi.parse(sfen)
        waiting = "w" if twin.side == "b" else "b"
        try:
            position = GAME.parse(sfen)
        except PositionError:
            assert twin.in_check(waiting)
            continue
        assert not twin.in_check(waiting)
        agree(position, twin)
        compared += 1


@pytest.mark.parametrize("seed", range(4))
def test_repetition_in_games_of_few_pieces(seed):
    """Kings and a rook wander on a board where positions come again and again."""
    choose = random.Random(seed)
    sfen = "4k4/9/9/9/9/9/9/9/R3K4 b - 1" if seed % 2 else "4k4/9/9/9/9/9/9/9/4K4 b - 1"
    position, twin = GAME.parse(sfen), Shogi.parse(sfen)
    keys, checks, history, seen = [], [], [twin], set()
    for _ in range(200):
        said = SAID[GAME.repeated(position, keys, checks)]
        assert said == repetition(history)
        seen.add(said)
        if said:
            break
        names = [GAME.format_move(position, move) for move in GAME.moves(position)]
        # Only moves of files 4 to 6 near the middle, so that the walk stays small.
        near = [name for name in names if name[2] in "456" and name[3] in "abhi"] or names
        name = choose.choice(near)
        keys.append(GAME.key(position))
        checks.append(int(GAME.check(position)))
        position, twin = GAME.play(position, GAME.parse_move(position, name)), twin.play(name)
        history.append(twin)
    assert "draw" in seen or seed % 2
