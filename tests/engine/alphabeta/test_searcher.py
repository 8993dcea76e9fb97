"""A searcher under limits: exact, repeatable, and always with a legal move."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import plain_search
import pytest

from evalsmith.compile import COMPILED
from evalsmith.engine import Limit, Searcher, SearchResult, evaluate, table_bytes_for
from evalsmith.engine.alphabeta import slots
from evalsmith.engine.alphabeta.memory import DEFAULT_TABLE_BYTES
from evalsmith.engine.limit import MAX_DEPTH
from evalsmith.games import find_game
from evalsmith.run.errors import InputError
from evalsmith.weights import starting_weights

OTHELLO = find_game("othello")
WEIGHTS = starting_weights(OTHELLO)
FOUR = find_game("connect_four")
MIDDLE = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7"
LIMITS = [1, 2, 3, 17, 500, 1023, 1024, 1025, 20_000]


def found(thought: SearchResult) -> tuple[object, ...]:
    """All of a thought but its time."""
    return thought.lines, thought.depth, thought.selective_depth, thought.nodes


@pytest.mark.parametrize("nodes", LIMITS)
def test_a_node_limit_is_exact_and_repeats(nodes: int) -> None:
    position = OTHELLO.parse(MIDDLE)
    searcher = Searcher(OTHELLO, WEIGHTS)
    first = searcher.think(position, Limit(nodes=nodes))
    assert first.nodes == nodes
    searcher.new_game()
    assert found(searcher.think(position, Limit(nodes=nodes))) == found(first)
    assert found(Searcher(OTHELLO, WEIGHTS).think(position, Limit(nodes=nodes))) == found(first)


def test_a_new_game_forgets_other_positions() -> None:
    searcher = Searcher(OTHELLO, WEIGHTS)
    expected = found(searcher.think(OTHELLO.start(), Limit(nodes=5000)))
    for position in plain_search.random_positions(OTHELLO, 5, seed=1):
        searcher.think(position, Limit(nodes=3000), multipv=3)
    searcher.new_game()
    assert found(searcher.think(OTHELLO.start(), Limit(nodes=5000))) == expected


@pytest.mark.parametrize("compiled", ["1", "0"])
def test_a_fresh_process_repeats_it(compiled: str) -> None:
    """The same source as plain Python searches the same nodes."""
    script = """
import json, sys
from evalsmith.games import find_game
from evalsmith.engine import Limit, Searcher
from evalsmith.weights import starting_weights
game = find_game("othello")
position = game.parse(sys.argv[1])
weights = starting_weights(game)
for nodes in json.loads(sys.argv[2]):
    thought = Searcher(game, weights, 1 << 16).think(position, Limit(nodes=nodes))
    print(json.dumps([nodes, thought.nodes, thought.depth, thought.lines[0].score, thought.lines[0].moves]))
"""
    limits = LIMITS if compiled == "1" and COMPILED else [1, 60, 400]
    done = subprocess.run(
        [sys.executable, "-c", script, MIDDLE, json.dumps(limits)],
        env=os.environ | {"EVALSMITH_COMPILE": compiled},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [entry[0] for entry in told] == limits
    for nodes, *rest in told:
        thought = Searcher(OTHELLO, WEIGHTS, table_bytes=1 << 16).think(OTHELLO.parse(MIDDLE), Limit(nodes=nodes))
        (line,) = thought.lines
        assert rest == [thought.nodes, thought.depth, line.score, list(line.moves)]


def test_one_node_is_enough_for_a_legal_move() -> None:
    for position in plain_search.random_positions(OTHELLO, 40, seed=2):
        thought = Searcher(OTHELLO, WEIGHTS, table_bytes=1 << 10).think(position, Limit(nodes=1))
        assert thought.lines[0].move in OTHELLO.moves(position)
        assert thought.depth == 0
        assert thought.lines[0].score == evaluate(OTHELLO, WEIGHTS, position)  # for want of a better one


def test_every_line_is_legal_at_every_limit() -> None:
    searcher = Searcher(FOUR, table_bytes=1 << 14)
    for position in plain_search.random_positions(FOUR, 10, seed=3):
        for nodes in (1, 2, 5, 9, 30, 100, 333, 1000):
            for line in searcher.think(position, Limit(nodes=nodes), multipv=3).lines:
                following = position
                for move in line.moves:
                    following = FOUR.play(following, move)


def test_a_depth_is_reached_and_not_passed() -> None:
    for depth in (1, 3, 6):
        thought = Searcher(OTHELLO, WEIGHTS).think(OTHELLO.start(), Limit(depth=depth))
        assert thought.depth == thought.lines[0].depth == depth
        assert thought.selective_depth == depth


def test_a_solved_position_ends_the_deepening() -> None:
    (position,) = plain_search.random_positions(OTHELLO, 1, seed=4, least=54, most=55)
    thought = Searcher(OTHELLO, WEIGHTS).think(position, Limit())
    assert thought.depth < MAX_DEPTH
    again = Searcher(OTHELLO, WEIGHTS).think(position, Limit(depth=thought.depth + 20))
    assert found(again) == found(thought)


def test_a_deadline_is_kept() -> None:
    thought = Searcher(OTHELLO, WEIGHTS).think(OTHELLO.start(), Limit(seconds=0.02))
    assert thought.lines[0].move in OTHELLO.moves(OTHELLO.start())
    assert thought.nodes % 1024 == 0  # the clock is looked at once in so many nodes


def test_another_thread_stops_an_endless_search() -> None:
    searcher = Searcher(OTHELLO, WEIGHTS)
    thoughts: list[SearchResult] = []
    thread = threading.Thread(target=lambda: thoughts.append(searcher.think(OTHELLO.start(), Limit())))
    thread.start()
    while searcher.context.row[slots.NODES] < 5000:
        assert thread.is_alive()
    assert searcher.lines(1)[0].move in OTHELLO.moves(OTHELLO.start())  # lines can be read meanwhile
    searcher.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert thoughts[0].lines[0].move in OTHELLO.moves(OTHELLO.start())
    # The stop is spent: the next search runs.
    assert searcher.think(OTHELLO.start(), Limit(nodes=3000)).nodes == 3000


def test_the_history_is_accepted() -> None:
    start = OTHELLO.start()
    following = OTHELLO.play(start, OTHELLO.moves(start)[0])
    without = Searcher(OTHELLO, WEIGHTS).think(following, Limit(nodes=2000))
    assert found(Searcher(OTHELLO, WEIGHTS).think(following, Limit(nodes=2000), history=[start] * 200)) == found(
        without
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"depth": 0}, "the depth must be above 0"),
        ({"depth": -3}, "the depth must be above 0"),
        ({"depth": MAX_DEPTH + 1}, f"the depth must be at most {MAX_DEPTH}"),
        ({"nodes": 0}, "the number of nodes must be above 0"),
        ({"nodes": 1 << 62}, "the number of nodes must be above 0 and finite"),
        ({"seconds": 0.0}, "the movetime must be above 0"),
        ({"seconds": float("inf")}, "the movetime must be above 0 and finite, not inf"),
        ({"seconds": float("nan")}, "the movetime must be above 0 and finite, not nan"),
    ],
)
def test_impossible_limits_are_refused(options: dict[str, float], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Limit(**options)  # type: ignore[arg-type]


def test_no_line_is_too_few() -> None:
    with pytest.raises(InputError, match="multipv must be at least 1, not 0"):
        Searcher(OTHELLO, WEIGHTS).think(OTHELLO.start(), Limit(depth=1), multipv=0)


def test_limits_as_text() -> None:
    assert str(Limit(depth=3, nodes=10, seconds=0.5)) == "10 nodes, depth 3, 0.5 s"
    assert str(Limit()) == "no limit"


def test_the_table_fits_the_limit() -> None:
    assert table_bytes_for(None) == DEFAULT_TABLE_BYTES
    sizes = [table_bytes_for(nodes) for nodes in (1, 1000, 10_000, 100_000, 10**9)]
    assert sizes == sorted(sizes)
    assert all(size & (size - 1) == 0 for size in sizes)
    assert sizes[2] >= 10_000 * 2 * 16
    assert sizes[-1] == DEFAULT_TABLE_BYTES


@pytest.mark.parametrize("table_bytes", [0, 1, 63, 64, 100, 1 << 20])
def test_tables_of_any_size(table_bytes: int) -> None:
    searcher = Searcher(OTHELLO, WEIGHTS, table_bytes=table_bytes)
    buckets = int(searcher.context.row[slots.BUCKETS])
    assert buckets & (buckets - 1) == 0
    assert 64 * buckets <= max(64, table_bytes)
    assert searcher.think(OTHELLO.start(), Limit(nodes=500)).nodes == 500


def test_evaluate_is_what_a_search_of_depth_one_compares() -> None:
    start = OTHELLO.start()
    (line,) = Searcher(OTHELLO, WEIGHTS).think(start, Limit(depth=1)).lines
    assert line.score == max(-evaluate(OTHELLO, WEIGHTS, OTHELLO.play(start, move)) for move in OTHELLO.moves(start))


def test_all_lines_stand_in_the_order_of_their_scores() -> None:
    chess = find_game("chess")
    position = chess.parse("r1bqk2r/pp1nbppp/2p1pn2/3p4/2PP4/2N1PN2/PPQ2PPP/R1B1KB1R w KQkq - 2 7")
    thought = Searcher(chess).think(position, Limit(depth=5), multipv=chess.max_moves)
    scores = [line.score for line in thought.lines]
    assert scores == sorted(scores, reverse=True)
    assert sorted(line.move for line in thought.lines) == sorted(chess.moves(position))
    for line in thought.lines:
        here = position
        for move in line.moves:
            here = chess.play(here, move)
