from __future__ import annotations

import numpy as np
import pytest
from othello_samples import OVER_WITH_EMPTIES, PASS, PASS_AT_24, play_through, random_game

from evalsmith.games import find_game
from evalsmith.games.othello import notation
from evalsmith.records.format import BrokenGameError
from evalsmith.records.othello.replay import END, MARKED, NONSENSE, OVER, PLIES, WRONG, replay, replay_one

GAMES = [random_game(seed, discs=60 if seed % 3 else 20 + seed) for seed in range(24)]


def rows(games: list[list[int]]) -> np.ndarray:
    table = np.full((len(games), 60), END, dtype=np.uint8)
    for row, squares in enumerate(games):
        table[row, : len(squares)] = squares
    return table


def test_a_block_agrees_with_the_simple_board() -> None:
    block = replay(rows([game.squares for game in GAMES]), empties=24)
    assert any(PASS in game.plies for game in GAMES)
    assert {game.finished for game in GAMES} == {True, False}
    for row, game in enumerate(GAMES):
        assert block.plies[row, : len(game.plies)].tolist() == game.plies
        assert block.facts[row, [PLIES, WRONG, OVER]].tolist() == [len(game.plies), -1, game.finished]
        assert block.margins()[row] == 100 * game.margin


def test_the_marked_ply_stands_after_a_pass() -> None:
    games = [*GAMES, random_game(PASS_AT_24)]
    assert games[-1].plies[games[-1].ply_24 - 1] == PASS
    block = replay(rows([game.squares for game in games]), empties=24)
    assert block.facts[:, MARKED].tolist() == [game.ply_24 for game in games]
    assert -1 in block.facts[:, MARKED]


@pytest.mark.parametrize("place", [0, 1, 17, 40])
@pytest.mark.parametrize("wrong", [27, NONSENSE, PASS])
def test_the_first_illegal_move_is_named(place: int, wrong: int) -> None:
    game = random_game(1)
    squares = [*game.squares[:place], wrong, *game.squares[place:]][:60]
    sound = play_through(game.squares[:place])
    block = replay(rows([squares, game.squares]))
    assert block.facts[0, [PLIES, WRONG]].tolist() == [len(sound.plies), place]
    assert block.facts[1, WRONG] == -1


def test_a_move_after_the_end_is_wrong() -> None:
    squares = GAMES[1].squares[:10]
    assert replay(rows([[*squares, END, GAMES[1].squares[10]]])).facts[0, WRONG] == 11


def test_every_game_may_have_its_own_start() -> None:
    game = find_game("othello")
    whole = random_game(5)
    middle = notation.after([notation.format_move(game.start(), s) for s in whole.squares[:21]])
    table = rows([whole.squares, whole.squares[21:]])
    block = replay(table, np.stack([game.start(), middle]))
    assert block.facts[:, WRONG].tolist() == [-1, -1]
    assert block.ends[0].tolist() == block.ends[1].tolist()
    assert block.margins()[0] == block.margins()[1] == 100 * whole.margin


def test_written_passes_are_taken_once_and_dropped_after_the_end() -> None:
    game = next(g for g in GAMES if PASS in g.plies and g.finished)
    start = notation.start()
    assert replay_one(game.plies, start).moves == tuple(game.plies)
    assert replay_one([*game.plies, PASS, PASS], start) == replay_one(game.squares, start)


def test_one_game_has_its_margin_with_the_empties_and_without() -> None:
    game = random_game(OVER_WITH_EMPTIES)
    replayed = replay_one(game.squares, notation.start())
    empties = 60 - len(game.squares)
    assert (replayed.margin, replayed.finished) == (100 * game.margin, True)
    assert abs(replayed.margin) - abs(replayed.difference) == 100 * empties > 0


def test_a_single_illegal_move_says_where() -> None:
    with pytest.raises(BrokenGameError) as caught:
        replay_one([19, 0], notation.start())
    assert (caught.value.reason, caught.value.move) == ("illegal move", 2)
    assert caught.value.detail.startswith("a1 in ---")


def test_too_many_moves_are_refused() -> None:
    with pytest.raises(BrokenGameError, match="too many moves"):
        replay_one([19] * 129, notation.start())
    with pytest.raises(ValueError, match="128"):
        replay(np.zeros((1, 129), dtype=np.uint8))
