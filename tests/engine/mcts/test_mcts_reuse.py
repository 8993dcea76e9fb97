"""Monte Carlo tree search keeps the subtree of what was played, and only that."""

from __future__ import annotations

import random

import plain_search
import pytest
from mcts_cases import CHESS, DVONN, FOUR, MARIO, OTHELLO, SHOGI, SMALL, audit, name_of, revealed, searching, tree

from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, Game


@pytest.mark.parametrize("game", [FOUR, OTHELLO, DVONN, CHESS, MARIO, SHOGI], ids=name_of)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_subtree_of_what_was_played_is_kept(game: Game, threads: int) -> None:
    choose = random.Random(2)
    position, history = revealed(game, game.start(), choose), []
    searcher = searching(game, memory_bytes=SMALL, scale=1e6 if game is MARIO else None, threads=threads)
    kept = 0
    for _ in range(8):
        line = searcher.think(position, Limit(nodes=3000), history=history).lines[0]
        before = tree(searcher)
        for move in line.moves[:2]:
            if game.status(position) == CHANCE:
                break
            history.append(position)
            position = game.play(position, move)
            before = before[4][move]
        while game.status(position) == CHANCE:
            outcome = max(before[4], key=lambda outcome: before[4][outcome][0])
            position = game.reveal(position, outcome)
            before = before[4][outcome]
        if game.status(position) == OVER or not before[4]:
            break
        searcher._place_root(position, history)
        assert tree(searcher) == before
        audit(searcher)
        kept += 1
    assert kept >= 3


def test_reuse_gives_more_visits_than_a_new_tree() -> None:
    kept, forgetful = (searching(OTHELLO, memory_bytes=SMALL, reuse=reuse) for reuse in (True, False))
    position = OTHELLO.start()
    for searcher in (kept, forgetful):
        searcher.think(position, Limit(nodes=2000))
    position = OTHELLO.play(position, kept.lines(1)[0].move)
    position = OTHELLO.play(position, kept.lines(1)[0].moves[1])
    visits = []
    for searcher in (kept, forgetful):
        assert searcher.think(position, Limit(nodes=500)).nodes == 500
        visits.append(sum(entry.visits for entry in searcher.moves()))
    assert visits[0] > visits[1] == 500


def test_another_position_starts_anew() -> None:
    searcher = searching(OTHELLO, memory_bytes=SMALL)
    searcher.think(OTHELLO.start(), Limit(nodes=2000))
    position = plain_search.random_positions(OTHELLO, 1, seed=3, least=20, most=20)[0]
    lines = searcher.think(position, Limit(nodes=300)).lines
    assert lines == searching(OTHELLO, memory_bytes=SMALL).think(position, Limit(nodes=300)).lines


def test_a_position_reached_otherwise_is_another_where_positions_repeat() -> None:
    """The same position, but what was played before it is not what the tree was grown after."""
    searcher = searching(CHESS, memory_bytes=SMALL)
    start = CHESS.start()
    line = searcher.think(start, Limit(nodes=3000)).lines[0]
    after_one = CHESS.play(start, line.moves[0])
    searcher.think(after_one, Limit(nodes=100), history=[after_one])
    assert sum(entry.visits for entry in searcher.moves()) == 100
