"""Self-play move by move declares won games, as self-play inside the kernel does."""

from __future__ import annotations

import random

from evalsmith.engine import Limit, Searcher
from evalsmith.games import find_game
from evalsmith.positions.selfplay.styled import Style, play_styled

SHOGI = find_game("shogi")
ENTERED = "1+R+RK+BGGSS/3PP4/2N6/9/9/9/9/9/7k1 b 6P 200"


def test_a_won_declaration_ends_the_game_for_either_side() -> None:
    (exchange,) = SHOGI.symmetries()
    position = SHOGI.parse(ENTERED)
    searcher = Searcher(SHOGI, table_bytes=1 << 16)
    for start, sign in ((position, 1), (exchange.position(position), -1)):
        style = Style(0.0, None, None, 0.0)
        played = play_styled(SHOGI, searcher, Limit(nodes=10), start, style, 0, random.Random(1))
        assert (played.moves, played.result, played.scores, played.stopped) == ((), sign * SHOGI.win, (), False)
