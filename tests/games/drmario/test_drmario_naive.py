"""Dr. Mario against its naive twin: random games without timing, and placements frame by frame."""

import random

import pytest
from drmario_twins import CELLS, triple, triples, twin

from evalsmith.games.drmario import GAME
from evalsmith.games.drmario.settings import FAST
from evalsmith.games.drmario.setup import Options, start_from
from evalsmith.games.game import CHANCE, OVER
from naive import drmario as naive

# Pills placed at high speed after which a row takes so many frames.
PILLS_BY_FRAMES = {1: 490, 2: 390, 3: 340, 6: 150, 14: 0}


def agree(position, game):
    assert GAME.format(position) == game.text()
    assert triples(position) == game.moves()
    outcome = game.outcome()
    assert (GAME.status(position) == OVER) == (outcome is not None)
    if outcome is not None:
        assert GAME.result(position) == (GAME.win if outcome == "won" else -GAME.win)


@pytest.mark.parametrize("seed", range(16))
def test_random_games(seed):
    """Mostly the move that clears most, so that much vanishes and falls."""
    choose = random.Random(seed)
    position = start_from(choose.randrange(2, 65536), choose.randrange(0, 21), Options(speed=FAST))
    game = twin(position)
    while True:
        agree(position, game)
        if GAME.status(position) == OVER:
            break
        if GAME.status(position) == CHANCE:
            outcome = choose.randrange(9)
            position = GAME.reveal(position, outcome)
            game.preview = naive.PILLS[outcome]
            continue
        careful = choose.random() < 0.9
        moves = GAME.moves(position)
        move = max(moves, key=lambda move: (GAME.order(position, move), move)) if careful else choose.choice(moves)
        game.place(*triple(move))
        position = GAME.play(position, move)


def maze(seed):
    """Viruses anywhere but in the entry, so that ways are narrow."""
    choose = random.Random(seed)
    cells = [(x, y) for x in range(8) for y in range(16)]
    return {cell: choose.choice("abc") for cell in cells if choose.random() < 0.4 and cell not in ((3, 15), (4, 15))}


def moves_in_time(bottle, frames):
    text = "".join(bottle.get(cell, "d") for cell in CELLS)
    return triples(GAME.parse(f"{text} qv ru speed:high pills:{PILLS_BY_FRAMES[frames]}"))


@pytest.mark.parametrize("seed", [2, 3, 5, 7, 9, 10, 12, 13, 15, 17, 19, 24, 33, 34, 35])
def test_quick_pills(seed):
    """At one to three frames a row every frame counts; what is reached is less than without timing."""
    bottle = maze(seed)
    for frames in (1, 2, 3):
        found = moves_in_time(bottle, frames)
        assert found == naive.reachable_in_time(bottle, frames)
        assert found <= naive.reachable(bottle)


@pytest.mark.parametrize(("seed", "frames"), [(15, 6), (19, 6), (22, 6), (23, 6), (6, 14), (23, 14), (36, 14)])
def test_slower_pills(seed, frames):
    bottle = maze(seed)
    assert moves_in_time(bottle, frames) == naive.reachable_in_time(bottle, frames)


def test_timing_takes_placements_away():
    """The mazes above are no proof if timing never matters in them."""
    for seed, frames in ((7, 1), (9, 2), (35, 3), (15, 6)):
        assert moves_in_time(maze(seed), frames) < naive.reachable(maze(seed))


@pytest.mark.parametrize("seed", [5, 6, 22, 23, 36])
@pytest.mark.parametrize("odd", [False, True])
def test_pressing_down_reaches_nothing_more(seed, odd):
    bottle = maze(seed)
    for frames in (2, 3):
        assert naive.reachable_in_time(bottle, frames, down=True, odd=odd) == moves_in_time(bottle, frames)
