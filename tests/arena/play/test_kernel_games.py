"""Games played inside the kernel, as the log has them."""

from __future__ import annotations

import pytest

from evalsmith.arena.play.entries import kernel_entry
from evalsmith.arena.results.entry import GameKey
from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.games import find_game
from evalsmith.games.opening import Opening

CHESS = find_game("chess")
KEY = GameKey(0, "a", "b", 0, 0)


@pytest.mark.parametrize(
    ("text", "reason", "result"),
    [
        ("7k/R7/6K1/8/8/8/8/8 w - - 0 1", "mate", CHESS.win),
        ("7k/8/8/8/8/8/6pK/8 w - - 0 1", "insufficient material", 0),
        ("7k/p7/P7/8/8/8/8/7K w - - 99 90", "fifty moves", 0),
    ],
)
def test_the_entry_says_what_ended_the_game(text: str, reason: str, result: int) -> None:
    start = CHESS.parse(text)
    sides = [Searcher(CHESS, table_bytes=1 << 16) for _ in range(2)]
    for searcher in sides:
        prepare(searcher, Limit(nodes=300), 1)
    played = play_game(CHESS, sides[0], sides[1], start)
    entry = kernel_entry(CHESS, KEY, Opening(start, (), CHESS.format(start)), played)
    assert (entry.termination, entry.result, entry.margin) == (reason, result, result)
