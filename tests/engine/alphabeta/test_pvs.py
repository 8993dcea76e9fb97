"""Alpha-beta finds what a search without pruning finds: values, lines, finished games, chance."""

from __future__ import annotations

import itertools

import numpy as np
import plain_search
import pytest
from broken import base as heaps

from evalsmith.engine import Limit, Searcher
from evalsmith.engine.alphabeta.techniques import SELECTIVE
from evalsmith.games import OVER, Game, Position, find_game
from evalsmith.weights import Weights, starting_weights

OTHELLO = find_game("othello")
WEIGHTS = starting_weights(OTHELLO)
FOUR = find_game("connect_four")
SMALL_TABLE = 1 << 16


def random_weights(game: Game, seed: int) -> Weights:
    """Weights without any sense, so that the best moves are nowhere near the front."""
    shape = starting_weights(game).values.shape
    return Weights(game, np.random.default_rng(seed).integers(-200, 201, shape, dtype=np.int32), "random")


@pytest.fixture(scope="module")
def senseless() -> Weights:
    return random_weights(OTHELLO, 1)


def follow(game: Game, position: Position, moves: tuple[int, ...]) -> Position:
    """The position at the end of a line; every move is checked."""
    for move in moves:
        position = game.play(position, move)
    return position


# ── Values at a fixed depth ──


@pytest.mark.parametrize(("depth", "count"), [(1, 30), (2, 20), (3, 8), (4, 3)])
@pytest.mark.parametrize("made", ["hand-set", "senseless"])
def test_othello_equals_minimax(made: str, depth: int, count: int, senseless: Weights) -> None:
    weights = WEIGHTS if made == "hand-set" else senseless
    for position in plain_search.random_positions(OTHELLO, count, seed=10 * depth):
        searcher = Searcher(OTHELLO, weights, SMALL_TABLE, without=SELECTIVE)
        thought = searcher.think(position, Limit(depth=depth))
        expected = plain_search.values_of_moves(OTHELLO, weights, position, depth)
        (line,) = thought.lines
        assert line.score == max(expected.values()), OTHELLO.format(position)
        assert expected[line.move] == line.score
        follow(OTHELLO, position, line.moves)


@pytest.mark.parametrize(("depth", "count"), [(1, 20), (2, 15), (3, 10), (4, 4)])
def test_connect_four_equals_minimax(depth: int, count: int) -> None:
    weights = starting_weights(FOUR)
    for position in plain_search.random_positions(FOUR, count, seed=depth):
        thought = Searcher(FOUR, weights, SMALL_TABLE, without=SELECTIVE).think(position, Limit(depth=depth))
        expected = plain_search.values_of_moves(FOUR, weights, position, thought.depth)
        assert thought.lines[0].score == max(expected.values()), FOUR.format(position)
        assert expected[thought.lines[0].move] == thought.lines[0].score


def test_late_positions_of_connect_four_equal_minimax() -> None:
    """Wins, losses and draws by the full board are near in all of them."""
    weights = starting_weights(FOUR)
    for position in plain_search.random_positions(FOUR, 12, seed=5, least=30):
        thought = Searcher(FOUR, weights, SMALL_TABLE, without=SELECTIVE).think(position, Limit(depth=6))
        expected = plain_search.values_of_moves(FOUR, weights, position, thought.depth)
        assert thought.lines[0].score == max(expected.values()), FOUR.format(position)


def test_the_table_helps_no_value_astray(senseless: Weights) -> None:
    """A table of a single bucket and one that holds everything give the same values."""
    for position in plain_search.random_positions(OTHELLO, 5, seed=6):
        scores = {
            Searcher(OTHELLO, senseless, table_bytes, without=SELECTIVE).think(position, Limit(depth=5)).lines[0].score
            for table_bytes in (1, 1 << 12, 1 << 22)
        }
        assert len(scores) == 1


# ── The ends of games ──


def test_small_endgames_are_solved() -> None:
    """From 53 plies on at most seven squares are empty."""
    positions = plain_search.random_positions(OTHELLO, 20, seed=7, least=53)
    for position in positions:
        empties = 64 - sum(int(word).bit_count() for word in position[:2])
        thought = Searcher(OTHELLO, WEIGHTS, SMALL_TABLE, without=SELECTIVE).think(position, Limit(depth=40))
        expected = plain_search.values_of_moves(OTHELLO, WEIGHTS, position, 40)
        assert thought.lines[0].score == max(expected.values()), OTHELLO.format(position)
        assert thought.depth <= 2 * empties  # a solved position ends the deepening
        final = follow(OTHELLO, position, thought.lines[0].moves)
        if OTHELLO.status(final) == OVER:
            sign = 1 if OTHELLO.mover(final) == OTHELLO.mover(position) else -1
            assert sign * OTHELLO.result(final) == thought.lines[0].score


def test_a_known_endgame() -> None:
    """Fourteen empties: black wins by 18 with g8."""
    position = OTHELLO.parse("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
    thought = Searcher(OTHELLO, WEIGHTS, without=SELECTIVE).think(position, Limit(nodes=20_000_000))
    (line,) = thought.lines
    assert (line.score, OTHELLO.format_move(position, line.move)) == (1800, "g8")
    assert thought.nodes < 20_000_000


def test_a_finished_game_has_no_lines() -> None:
    thought = Searcher(OTHELLO, WEIGHTS, without=SELECTIVE).think(OTHELLO.parse("X" * 64 + " O"), Limit(depth=3))
    assert (thought.lines, thought.nodes, thought.depth) == ((), 0, 0)


def test_a_forced_pass_is_a_line() -> None:
    position = OTHELLO.parse("-" + "O" * 6 + "X" + "-" * 56 + " O")
    (line,) = Searcher(OTHELLO, WEIGHTS, without=SELECTIVE).think(position, Limit(depth=10)).lines
    assert [OTHELLO.format_move(position, move) for move in line.moves] == ["pass", "a1"]
    assert line.score == -6400


# ── Won and lost ──


def test_four_in_a_row_is_found_and_worth_the_win_less_one() -> None:
    position = FOUR.parse("112233")
    thought = Searcher(FOUR, without=SELECTIVE).think(position, Limit(depth=8))
    (line,) = thought.lines
    assert (FOUR.format_move(position, line.move), line.score) == ("4", FOUR.win - 1)
    assert thought.depth == 1  # a proven win ends the deepening
    assert FOUR.status(follow(FOUR, position, line.moves)) == OVER


def test_a_threat_is_parried() -> None:
    position = FOUR.parse("11223")
    (line,) = Searcher(FOUR, without=SELECTIVE).think(position, Limit(depth=6)).lines
    assert FOUR.format_move(position, line.move) == "4"


def test_the_shorter_win_and_the_longer_loss() -> None:
    """Every proven value is the win less the number of plies to it, as plain minimax counts them."""
    weights = starting_weights(FOUR)
    proven = 0
    for position in plain_search.random_positions(FOUR, 30, seed=8, least=16):
        thought = Searcher(FOUR, weights, without=SELECTIVE).think(position, Limit(depth=4))
        expected = max(plain_search.values_of_moves(FOUR, weights, position, thought.depth).values())
        (line,) = thought.lines
        assert line.score == expected
        if abs(line.score) > FOUR.win - 100:
            proven += 1
            assert thought.depth >= FOUR.win - abs(line.score)
            final = follow(FOUR, position, line.moves)
            if FOUR.status(final) == OVER:
                assert len(line.moves) == FOUR.win - abs(line.score)
    assert proven > 5


def test_proven_values_survive_the_table() -> None:
    """Searched from one ply earlier, with the same table, a win is one ply further away."""
    for position in plain_search.random_positions(FOUR, 40, seed=9, least=12):
        searcher = Searcher(FOUR, without=SELECTIVE)
        first = searcher.think(position, Limit(depth=6)).lines[0]
        if not FOUR.win - 100 < first.score < FOUR.win - 1:
            continue
        following = FOUR.play(position, first.move)
        reply = searcher.think(following, Limit(depth=6)).lines[0]
        assert reply.score == -(first.score + 1)


# ── Several lines ──


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_several_lines_are_the_naive_order(depth: int, senseless: Weights) -> None:
    for position in plain_search.random_positions(OTHELLO, 6, seed=20 + depth):
        thought = Searcher(OTHELLO, senseless, without=SELECTIVE).think(position, Limit(depth=depth), multipv=100)
        expected = plain_search.values_of_moves(OTHELLO, senseless, position, depth)
        assert len(thought.lines) == len(expected)
        assert [line.score for line in thought.lines] == sorted(expected.values(), reverse=True)
        assert {line.move: line.score for line in thought.lines} == expected
        assert all(line.depth == depth and line.moves[0] == line.move for line in thought.lines)
        for line in thought.lines:
            follow(OTHELLO, position, line.moves)


def test_fewer_lines_are_the_first_of_them(senseless: Weights) -> None:
    for position in plain_search.random_positions(OTHELLO, 6, seed=30, least=4, most=40):
        lines = Searcher(OTHELLO, senseless, without=SELECTIVE).think(position, Limit(depth=2), multipv=3).lines
        expected = sorted(plain_search.values_of_moves(OTHELLO, senseless, position, 2).values(), reverse=True)
        assert [line.score for line in lines] == expected[:3]


def test_lines_are_distinct_wherever_the_search_is_stopped(senseless: Weights) -> None:
    for position in plain_search.random_positions(OTHELLO, 4, seed=31, least=6, most=40):
        legal = OTHELLO.moves(position)
        for nodes in [*range(1, 400, 7), 2000, 5000]:
            lines = (
                Searcher(OTHELLO, senseless, SMALL_TABLE, without=SELECTIVE)
                .think(position, Limit(nodes=nodes), multipv=4)
                .lines
            )
            moves = [line.move for line in lines]
            assert len(moves) == len(set(moves)) == min(4, len(legal))
            assert set(moves) <= set(legal)
            for line in lines:
                follow(OTHELLO, position, line.moves)


# ── Chance ──


@pytest.mark.parametrize(("depth", "count"), [(1, 25), (2, 25), (3, 8)])
def test_chance_is_the_expectation(depth: int, count: int) -> None:
    weights = starting_weights(heaps.GAME)
    for position in plain_search.random_positions(heaps.GAME, count, seed=depth):
        thought = Searcher(heaps.GAME, weights, SMALL_TABLE, without=SELECTIVE).think(position, Limit(depth=depth))
        expected = plain_search.values_of_moves(heaps.GAME, weights, position, thought.depth)
        assert thought.lines[0].score == max(expected.values()), heaps.format(position)
        assert expected[thought.lines[0].move] == thought.lines[0].score


def test_small_games_of_chance_are_solved() -> None:
    """All positions of at most four stones, to the end of the game."""
    weights = starting_weights(heaps.GAME)
    searcher = Searcher(heaps.GAME, weights, SMALL_TABLE, without=SELECTIVE)
    for *piles, die in itertools.product(range(4), range(4), range(4), (1, 2, 3)):
        if 1 <= sum(piles) <= 4:
            position = heaps.parse("/".join("o" * pile for pile in piles) + f" first {die}")
            searcher.new_game()
            thought = searcher.think(position, Limit(depth=20))
            expected = plain_search.values_of_moves(heaps.GAME, weights, position, 20)
            assert thought.lines[0].score == max(expected.values()), heaps.format(position)
            assert thought.depth < 20


def test_what_is_certain_stays_certain_under_chance() -> None:
    """The die decides nothing here: one stone lies alone, whatever is thrown takes it, and the thrower wins."""
    position = heaps.parse("o//o first 1")
    thought = Searcher(heaps.GAME, without=SELECTIVE).think(position, Limit(depth=4))
    # Ply 1 is the die, ply 2 its outcome, ply 3 the end: the enemy takes the last stone.
    assert thought.lines[0].score == -(heaps.WIN - 3)


def test_a_position_where_chance_moves_has_no_lines() -> None:
    assert Searcher(heaps.GAME, without=SELECTIVE).think(heaps.start(), Limit(depth=2)).lines == ()
