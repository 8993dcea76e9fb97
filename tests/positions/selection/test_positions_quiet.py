"""Whether positions are quiet, against the line that they would follow."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from broken import base as heaps
from chess_games import CHESS

from evalsmith.games import CHANCE, OVER, Game, find_game
from evalsmith.games.bulk import ask_each
from evalsmith.games.contract import CHECK
from evalsmith.positions.selection import quiet
from evalsmith.positions.selection.quiescence import Settler
from evalsmith.positions.selection.quiet import quiet_positions

GAMES = ("chess", "shogi", "othello", "dvonn", "drmario", "connect_four")


def random_positions(game: Game, games: int, plies: int) -> npt.NDArray[np.uint64]:
    """Positions of random games, their ends and those in which chance moves among them."""
    source, rows = random.Random(7), []
    for _ in range(games):
        position = game.start()
        for _ in range(plies):
            rows.append(position)
            status = game.status(position)
            if status == OVER:
                break
            if status == CHANCE:
                position = game.reveal(position, game.draw(position, source))
            else:
                position = game.play_unchecked(position, source.choice(game.moves(position)))
    return np.array(rows)


def stays(game: Game, rows: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Where the line from a position ends there and nobody is in check; and where the line was found."""
    ends, settled = Settler(game).ends(rows)
    return (ends == rows).all(axis=1) & (ask_each(game, CHECK, rows) == 0), settled


@pytest.mark.parametrize("name", GAMES)
def test_quiet_is_where_the_line_ends_at_its_beginning(name: str) -> None:
    game = find_game(name)
    rows = random_positions(game, 12, 120)
    expected, settled = stays(game, rows)
    found = quiet_positions(game, rows)
    assert settled.mean() > 0.8
    assert np.array_equal(found[settled], expected[settled])
    if name in ("chess", "shogi"):
        assert 0.1 < found.mean() < 0.9
    else:
        assert found.all()


def test_games_of_others_with_chance() -> None:
    rows = random_positions(heaps.GAME, 20, 40)
    assert quiet_positions(heaps.GAME, rows).all()


@pytest.mark.parametrize(
    ("fen", "is_quiet"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", True),
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", False),  # the queen can be taken
        ("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", True),  # a pawn that is guarded against a queen
        ("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", False),  # one that is not
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", False),  # a pawn that becomes a queen
        ("4k3/8/8/8/8/8/4q3/4K2R w K - 0 1", False),  # in check, whatever may be taken
        ("4k3/8/8/8/7b/8/8/4K3 w - - 0 1", False),  # in check, with nothing to take
        ("7k/5QR1/8/8/8/8/8/7K b - - 0 1", True),  # nobody moves any more: stalemate
    ],
)
def test_positions_that_anybody_sees(fen: str, is_quiet: bool) -> None:
    assert quiet_positions(CHESS, CHESS.parse(fen).reshape(1, -1)).tolist() == [is_quiet]


@pytest.mark.parametrize("threads", [1, 2, 3, None])
def test_the_number_of_threads_changes_nothing(threads: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = random_positions(CHESS, 4, 60)
    expected, _ = stays(CHESS, rows)
    monkeypatch.setattr(quiet, "_CHUNK", 13)
    assert np.array_equal(quiet_positions(CHESS, rows, threads), expected)


def test_no_positions() -> None:
    none = quiet_positions(CHESS, np.zeros((0, CHESS.words), dtype=np.uint64))
    assert none.dtype == np.bool_ and none.shape == (0,)


def test_what_takes_too_long_to_decide_is_not_quiet() -> None:
    """Queens everywhere: captures go on for longer than anybody looks."""
    wild = CHESS.parse("qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1").reshape(1, -1)
    assert not Settler(CHESS).ends(wild)[1].any()
    assert quiet_positions(CHESS, wild).tolist() == [False]
