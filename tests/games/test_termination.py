"""Why a game ended, by name."""

from __future__ import annotations

import pytest

from evalsmith.games import OVER, find_game
from evalsmith.games.board import Board
from evalsmith.games.termination import termination_of

CHESS, SHOGI = find_game("chess"), find_game("shogi")


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        (CHESS, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "mate"),
        (CHESS, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        (CHESS, "7k/8/6K1/8/8/8/8/R7 b - - 100 90", "fifty moves"),
        (CHESS, "7k/8/6K1/8/8/8/8/8 b - - 0 1", "insufficient material"),
        (CHESS, "7k/8/6K1/8/8/8/8/B7 b - - 100 90", "fifty moves"),
        (CHESS, "R6k/8/6K1/8/8/8/8/8 b - - 100 90", "mate"),
        (SHOGI, "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "mate"),
        (SHOGI, "k8/2+R6/1K7/9/9/9/9/9/9 w - 1", "stalemate"),
    ],
)
def test_a_finished_position_says_what_ended_it(game, text: str, reason: str) -> None:
    position = game.parse(text)
    assert game.status(position) == OVER
    assert termination_of(game, position) == reason
    outcome = Board(game, position).outcome()
    assert outcome is not None and outcome.termination == reason, "and so does the board"


def test_games_without_check_are_ended_by_their_rules() -> None:
    for name in ("othello", "dvonn", "connect_four"):
        game = find_game(name)
        assert termination_of(game, game.start()) == "rule"
