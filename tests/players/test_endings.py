"""What ended a game, by name."""

from __future__ import annotations

import pytest

from evalsmith.arena.board import Board
from evalsmith.arena.entries import kernel_entry
from evalsmith.arena.referee import Opening
from evalsmith.arena.results.entry import GameKey
from evalsmith.games import OVER, find_game
from evalsmith.players.endings import knows_endings, name_of_end
from evalsmith.search import Limit, Searcher, play_game, prepare

CHESS, SHOGI, OTHELLO = (find_game(name) for name in ("chess", "shogi", "othello"))
KEY = GameKey(0, "a", "b", 0, 0)


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
    assert name_of_end(game, position) == reason
    ending = Board(game, position).ending()
    assert ending is not None and ending[0] == reason, "and so does the referee"


def test_games_without_check_are_ended_by_their_rules() -> None:
    assert not knows_endings(OTHELLO) and not knows_endings(find_game("dvonn"))
    four = find_game("connect_four")
    assert name_of_end(four, four.start()) == "rule"


@pytest.mark.parametrize(
    ("text", "reason", "result"),
    [
        ("7k/R7/6K1/8/8/8/8/8 w - - 0 1", "mate", CHESS.win),
        ("7k/8/8/8/8/8/6pK/8 w - - 0 1", "insufficient material", 0),
        ("7k/p7/P7/8/8/8/8/7K w - - 99 90", "fifty moves", 0),
    ],
)
def test_a_game_inside_the_kernel_says_so_too(text: str, reason: str, result: int) -> None:
    start = CHESS.parse(text)
    sides = [Searcher(CHESS, table_bytes=1 << 16) for _ in range(2)]
    for searcher in sides:
        prepare(searcher, Limit(nodes=300), 1)
    played = play_game(CHESS, sides[0], sides[1], start)
    entry = kernel_entry(CHESS, KEY, Opening(start, (), CHESS.format(start)), played)
    assert (entry.termination, entry.result, entry.margin) == (reason, result, result)
