"""Openings: distinct, legal, the same for the same seed, and refused where there are not enough."""

from __future__ import annotations

import pytest

from evalsmith.arena.play.openings import make_openings, random_openings
from evalsmith.arena.settings import OpeningSettings
from evalsmith.games import OVER, find_game
from evalsmith.run.errors import InputError

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")


@pytest.mark.parametrize("game", [OTHELLO, FOUR], ids=lambda game: game.name)
def test_openings_are_distinct_and_legal(game) -> None:  # type: ignore[no-untyped-def]
    openings = random_openings(game, 60, 6, seed=1)
    assert len({position.tobytes() for position, _ in openings}) == 60
    for position, moves in openings:
        reached = game.start()
        for move in moves:
            reached = game.play(reached, move)
        assert (reached == position).all()
        assert len(moves) == 6
        assert game.status(position) != OVER


def test_the_seed_chooses() -> None:
    def moves(count: int, seed: int) -> list[list[int]]:
        return [moves for _, moves in random_openings(OTHELLO, count, 5, seed)]

    assert moves(30, 1) == moves(30, 1)
    assert moves(30, 1) != moves(30, 2)
    assert moves(30, 1)[:10] == moves(10, 1)  # a longer match begins with the openings of a shorter one


@pytest.mark.parametrize(("plies", "all_there_are"), [(0, 1), (1, 4), (2, 12), (3, 54)])
def test_all_openings_are_found_and_no_more(plies: int, all_there_are: int) -> None:
    """After three plies 56 sequences reach 54 positions."""
    assert len(random_openings(OTHELLO, all_there_are, plies, seed=3)) == all_there_are
    with pytest.raises(InputError, match=rf"no {all_there_are + 1} distinct openings .*\({all_there_are} found\)"):
        random_openings(OTHELLO, all_there_are + 1, plies, seed=3)


def test_games_that_end_before_are_refused() -> None:
    with pytest.raises(InputError, match="ask for fewer plies"):
        random_openings(FOUR, 1, 43, seed=1)


def test_no_openings_are_easy() -> None:
    assert random_openings(OTHELLO, 0, 8, seed=1) == []


def test_a_game_says_how_long_its_openings_are_and_where_there_are_too_few_some_are_longer() -> None:
    """Four plies of Connect Four reach 1,120 positions."""
    said: list[str] = []
    few = make_openings(FOUR, 50, OpeningSettings(), 1, said.append)
    assert {len(opening.moves) for opening in few} == {4} and not said
    many = make_openings(FOUR, 1200, OpeningSettings(balance=False), 1, said.append)
    assert [len(opening.moves) for opening in many] == [4] * 1120 + [6] * 80
    assert len({FOUR.key(opening.position(FOUR)) for opening in many}) == 1200
    assert "1120 openings of 4 random plies, and 1200 are needed: the others have 2 more" in said[-1]


def test_plies_that_are_asked_for_are_not_made_longer() -> None:
    with pytest.raises(InputError, match=r"no 300 distinct openings of 3 random plies \(238 found\)"):
        make_openings(FOUR, 300, OpeningSettings(random_plies=3), 1)
    repeated = make_openings(FOUR, 1200, OpeningSettings(balance=False, repeat=True), 1)
    assert len(repeated) == 1120
