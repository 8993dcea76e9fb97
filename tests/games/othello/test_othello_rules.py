"""Othello's rules: perft, and the naive twin on random games and on boards that no game reaches."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from evalsmith.compile import COMPILED
from evalsmith.games.game import OVER, PLAYER, Position
from evalsmith.games.othello import GAME
from evalsmith.games.othello.rules import PASS
from evalsmith.games.perft import perft
from evalsmith.run.errors import MoveError
from naive import othello as naive

PERFT = [line.split() for line in (Path(__file__).parent / "perft.txt").read_text().splitlines() if line[0] != "#"]
# Without compilation a thousand nodes take a second.
MOST_LEAVES = 10**9 if COMPILED else 2000
GAMES = 200 if COMPILED else 10
BOARDS = 1500 if COMPILED else 100


@pytest.mark.parametrize(("depth", "leaves"), [(int(d), int(n)) for d, n in PERFT if int(n) <= MOST_LEAVES])
def test_perft(depth: int, leaves: int) -> None:
    assert perft(GAME, GAME.start(), depth).nodes == leaves


def agree(position: Position, game: naive.Othello) -> list[str]:
    """Compare all that the rules say of a position; the legal moves."""
    legal = game.moves()
    assert [GAME.format_move(position, move) for move in GAME.moves(position)] == legal
    assert GAME.mover(position) == "XO".index(game.mover)
    assert GAME.status(position) == (PLAYER if legal else OVER)
    assert GAME.result(position) == 100 * game.margin()
    assert GAME.format(position) == game.text()
    return legal


def agree_after_each(position: Position, game: naive.Othello, legal: list[str]) -> None:
    for name in legal:
        following = GAME.play(position, GAME.parse_move(position, name))
        assert GAME.format(following) == game.play(name).text()


def test_random_games() -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        choose = random.Random(seed)
        position, game, plies = GAME.start(), naive.Othello(), 0
        while legal := agree(position, game):
            if plies % 10 == seed % 10:
                agree_after_each(position, game, legal)
            move = choose.choice(legal)
            seen["pass"] += move == "pass"
            position, game = GAME.play(position, GAME.parse_move(position, move)), game.play(move)
            plies += 1
        seen["full board"] += game.count("-") == 0
        seen["early end"] += game.count("-") > 0
        seen["draw"] += game.margin() == 0
    if COMPILED:
        assert all(seen[what] for what in ("pass", "full board", "early end", "draw")), seen


def test_any_arrangement_of_discs() -> None:
    kinds: Counter[str] = Counter()
    choose = random.Random(1)
    for _ in range(BOARDS):
        game = naive.random_board(choose)
        position = GAME.parse(game.text())
        legal = agree(position, game)
        agree_after_each(position, game, legal)
        kinds[" ".join(legal) if legal in (["pass"], []) else "placings"] += 1
    assert all(kinds[kind] for kind in ("pass", "", "placings")), kinds


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("-" * 64 + " X", 0),
        ("X" + "-" * 63 + " X", 6400),
        ("X" + "-" * 63 + " O", -6400),
        ("X" * 32 + "O" * 32 + " O", 0),
        ("X" * 32 + "-" * 8 + "O" * 24 + " O", -1600),
    ],
)
def test_the_winner_takes_the_empties(text: str, result: int) -> None:
    position = GAME.parse(text)
    assert GAME.status(position) == OVER
    assert GAME.moves(position) == []
    assert GAME.result(position) == result


def test_a_pass_only_where_there_is_no_other_move() -> None:
    position = GAME.parse("-" + "O" * 6 + "X" + "-" * 56 + " O")
    assert GAME.moves(position) == [PASS]
    following = GAME.play(position, PASS)
    assert GAME.format(following) == "-" + "O" * 6 + "X" + "-" * 56 + " X"
    assert GAME.moves(following) == [0]
    with pytest.raises(MoveError, match="is not legal in"):
        GAME.play(following, PASS)
    with pytest.raises(MoveError, match="is not legal in"):
        GAME.play(GAME.start(), 0)


def test_keys_tell_the_side_and_the_discs() -> None:
    start = GAME.start()
    keys = {GAME.key(start)}
    for word in range(3):
        other = start.copy()
        other[word] ^= np.uint64(1)
        keys.add(GAME.key(other))
    assert len(keys) == 4


def test_the_key_stays_the_same_between_versions() -> None:
    assert GAME.key(GAME.start()) == 0xEEB37CC775DD2CCA
