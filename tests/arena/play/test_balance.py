"""Balanced openings: random ones by default, the same for a seed, and the most balanced where there are too few."""

from __future__ import annotations

import pytest

from evalsmith.arena.play.openings import make_openings, random_openings, resolve_openings, stored_openings
from evalsmith.arena.settings import OpeningSettings
from evalsmith.engine import Limit, Searcher
from evalsmith.games import OVER, Game, Position, find_game

FOUR, MARIO, OTHELLO = (find_game(name) for name in ("connect_four", "drmario", "othello"))
SIX = OpeningSettings(random_plies=6)


def scores(game: Game, positions: list[Position], nodes: int = 1000) -> list[int]:
    searcher, found = Searcher(game, table_bytes=1 << 20), []
    for position in positions:
        searcher.new_game()
        found.append(abs(searcher.think(position, Limit(nodes=nodes)).lines[0].score))
    return found


def test_random_openings_are_balanced_and_reproducible() -> None:
    found = make_openings(OTHELLO, 8, SIX, 1)
    positions = [opening.position(OTHELLO) for opening in found]
    assert all(OTHELLO.status(position) != OVER for position in positions)
    assert max(scores(OTHELLO, positions)) <= OTHELLO.balanced == 300
    moves = [opening.moves for opening in found]
    assert moves == [opening.moves for opening in make_openings(OTHELLO, 8, SIX, 1)]
    assert moves != [opening.moves for opening in make_openings(OTHELLO, 8, SIX, 2)]
    assert moves[:3] == [opening.moves for opening in make_openings(OTHELLO, 3, SIX, 1)]


def test_they_are_the_balanced_ones_of_those_without_balance() -> None:
    drawn = random_openings(OTHELLO, 60, 6, 1)
    plain = make_openings(OTHELLO, 60, OpeningSettings(random_plies=6, balance=False), 1)
    assert [list(opening.moves) for opening in plain] == [moves for _, moves in drawn]
    sizes = scores(OTHELLO, [position for position, _ in drawn])
    level = [tuple(moves) for (_, moves), size in zip(drawn, sizes, strict=True) if size <= 300][:5]
    assert level == [opening.moves for opening in make_openings(OTHELLO, 5, SIX, 1)]


def test_without_balance_a_seed_gives_the_openings_it_always_gave() -> None:
    [opening] = make_openings(OTHELLO, 1, OpeningSettings(random_plies=8, balance=False), 1)
    position, words = OTHELLO.start(), []
    for move in opening.moves:
        words.append(OTHELLO.format_move(position, move))
        position = OTHELLO.play(position, move)
    assert " ".join(words) == "c4 c3 e6 f6 g6 c5 b3 a3"


def test_where_too_few_are_balanced_the_most_balanced_are_taken() -> None:
    said: list[str] = []
    narrow = OpeningSettings(random_plies=1, balance_bound=0, balance_nodes=50)
    found = make_openings(FOUR, 3, narrow, 1, said.append)
    sizes = scores(FOUR, [opening.position(FOUR) for opening in found], 50)
    everything = scores(FOUR, [position for position, _ in random_openings(FOUR, 7, 1, 1)], 50)
    assert sizes == sorted(everything)[:3]
    assert said == [
        f"only {sizes.count(0)} of 7 openings of connect_four are within ±0 centistones; "
        f"{3 - sizes.count(0)} more are the most balanced of the others, up to ±{sizes[-1]}"
    ]


@pytest.mark.parametrize(
    ("game", "given", "balanced"),
    [
        (OTHELLO, {}, True),
        (FOUR, {}, True),
        (OTHELLO, {"random_plies": 0}, False),  # the start is what it is
        (OTHELLO, {"balance": False}, False),
        (OTHELLO, {"book": "b"}, False),
        (OTHELLO, {"book": "b", "balance": True}, True),
        (OTHELLO, {"book": "b", "balance_bound": 50}, True),
        (MARIO, {}, False),
    ],
)
def test_what_is_balanced_by_default(game: Game, given: dict[str, object], balanced: bool) -> None:
    resolved = resolve_openings(OpeningSettings(**given), game)  # type: ignore[arg-type]
    assert resolved.balance is balanced
    assert resolve_openings(resolved, game) == resolved
    assert ("balance" in stored_openings(resolved, game)) is balanced
