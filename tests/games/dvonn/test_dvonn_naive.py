"""DVONN against its naive twin: random games and composed positions, moves, results and texts."""

import random

import pytest
from dvonn_composed import composed

from evalsmith.compile import COMPILED
from evalsmith.games.dvonn import GAME
from evalsmith.games.dvonn.rules import CENTISTONE
from evalsmith.games.game import OVER, Position
from naive import dvonn as naive

GAMES = 60 if COMPILED else 6
COMPOSED = 400 if COMPILED else 40


def agree(position: Position, game: naive.Dvonn) -> list[str]:
    """Compare everything, and give the legal moves."""
    legal = game.moves()
    assert sorted(GAME.format_move(position, move) for move in GAME.moves(position)) == sorted(legal)
    assert GAME.sides[GAME.mover(position)][0].upper() == game.mover
    assert (GAME.status(position) == OVER) == game.over()
    assert GAME.result(position) == (game.score(game.mover) - game.score(game.enemy())) * CENTISTONE
    text = game.text()
    assert GAME.format(position) == text
    assert (GAME.parse(text) == position).all()
    return legal


def play_on(position: Position, game: naive.Dvonn, choose: random.Random) -> int:
    """Play both at random to the end; the number of plies."""
    plies = 0
    while legal := agree(position, game):
        move = choose.choice(legal)
        position = GAME.play(position, GAME.parse_move(position, move))
        game.play(move)
        plies += 1
    return plies


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games(seed: int) -> None:
    assert 49 < play_on(GAME.start(), naive.Dvonn(), random.Random(seed)) <= GAME.max_plies


def test_composed_positions() -> None:
    highest = 0
    for seed in range(COMPOSED):
        game = composed(seed)
        highest = max(highest, *(len(stones) for stones in game.stacks.values()))
        play_on(GAME.parse(game.text()), game, random.Random(seed))
    assert highest > 15


def test_the_move_that_captures_most() -> None:
    """Greedy games make high stacks and many removals."""
    for seed in range(GAMES // 3):
        choose = random.Random(seed)
        position, game = GAME.start(), naive.Dvonn()
        while legal := agree(position, game):
            moves = {name: GAME.parse_move(position, name) for name in legal}
            best = max(GAME.capture_value(position, move) for move in moves.values())
            name = choose.choice([name for name, move in moves.items() if GAME.capture_value(position, move) == best])
            position = GAME.play(position, moves[name])
            game.play(name)
