"""Whether a score is a proven win or loss: one answer for the search, the protocols and the terminal."""

from __future__ import annotations

import numpy as np
import pytest

from evalsmith.compile import Integers, driver, pointer
from evalsmith.engine import values
from evalsmith.games import contract, find_game
from evalsmith.games.scores import INFINITE, MAX_DISTANCE, decided_above, is_decided, spoken, with_unit


@driver("int64(int64[::1])")
def compiled(context: Integers) -> int:
    return values.decided_above(pointer(context))


@pytest.mark.parametrize("win", [0, 1, 2, 100, 511, 512, 513, 10_000, 30_000])
def test_the_compiled_function_gives_the_same(win: int) -> None:
    row = np.zeros(contract.CONTEXT_SIZE, dtype=np.int64)
    row[contract.WIN_VALUE] = win
    assert compiled(row) == decided_above(win)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_win_is_decided_as_long_as_it_is_near(sign: int) -> None:
    assert is_decided(sign * (30_000 - 1), 30_000)
    assert is_decided(sign * (30_000 - MAX_DISTANCE + 1), 30_000)
    assert not is_decided(sign * (30_000 - MAX_DISTANCE), 30_000)


def test_a_small_win_leaves_room_for_evaluations() -> None:
    assert is_decided(51, 100)
    assert not is_decided(50, 100)


def test_no_margin_is_decided() -> None:
    assert not is_decided(6400, 0)
    assert not is_decided(INFINITE, 0)


@pytest.mark.parametrize(
    ("game", "score", "said"),
    [
        ("chess", 35, "+0.35 pawns"),
        ("chess", 0, "0.00 pawns"),
        ("chess", -1200, "-12.00 pawns"),
        ("chess", 30_000 - 1, "mate in 1"),
        ("chess", 30_000 - 5, "mate in 3"),  # three moves of the winner, two of the loser
        ("chess", -30_000 + 2, "mated in 1"),
        ("chess", -30_000 + 6, "mated in 3"),
        ("chess", -30_000, "lost"),
        ("shogi", 30_000 - 5, "mate in 5 plies"),  # shogi counts every ply: a mate in five
        ("shogi", -30_000 + 1, "mated in 1 ply"),
        ("othello", 2000, "+20 discs"),
        ("othello", -135, "-1.35 discs"),
        ("othello", 0, "0 discs"),
        ("dvonn", -50, "-0.50 stones"),
        ("drmario", 30_000 - 1, "won"),
        ("connect_four", 10_000 - 3, "won in 3 plies"),
        ("connect_four", -10_000 + 1, "lost in 1 ply"),
    ],
)
def test_scores_are_said_as_players_say_them(game: str, score: int, said: str) -> None:
    assert with_unit(find_game(game), score) == said
    assert said.startswith(spoken(find_game(game), score))
