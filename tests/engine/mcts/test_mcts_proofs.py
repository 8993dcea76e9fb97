"""Monte Carlo tree search proves what can be proven: wins, losses, draws, margins and expectations."""

from __future__ import annotations

import functools

import plain_search
import pytest
from broken import base as heaps
from mcts_cases import CHESS, FOUR, OTHELLO, SHOGI, SMALL, audit, searching

from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, Game, Position


def after(game: Game, *moves: str) -> Position:
    """The position after moves from the start."""
    position = game.start()
    for text in moves:
        position = game.play(position, game.parse_move(position, text))
    return position


@pytest.mark.parametrize(
    ("game", "position", "best"),
    [
        (FOUR, after(FOUR, *"414141"), "4"),
        (CHESS, CHESS.parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), "a1a8"),
        (CHESS, CHESS.parse("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"), "a8a1"),
        (SHOGI, SHOGI.parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), "G*5b"),
    ],
    ids=["connect_four", "white mates", "black mates", "a gold mates"],
)
@pytest.mark.parametrize("options", [{}, {"selection": "uct"}, {"selection": "uct", "rollout": "random"}])
def test_a_win_in_one_is_found_and_proven(game: Game, position: Position, best: str, options: dict[str, str]) -> None:
    searcher = searching(game, memory_bytes=SMALL, **options)
    thought = searcher.think(position, Limit(nodes=2000))
    assert game.format_move(position, thought.lines[0].move) == best
    assert thought.lines[0].score == game.win - 1
    assert searcher.proven
    assert thought.nodes < 2000
    audit(searcher)


def test_a_loss_in_two_is_proven_and_delayed() -> None:
    """First has two ways to connect; second can only choose which one it stops."""
    position = after(FOUR, *"2737")
    position = FOUR.play(position, FOUR.parse_move(position, "4"))
    searcher = searching(FOUR, memory_bytes=SMALL)
    thought = searcher.think(position, Limit(nodes=20_000))
    assert searcher.proven
    expected = plain_search.values_of_moves(FOUR, searcher.weights, position, 2)
    assert thought.lines[0].score == max(expected.values()) == 2 - FOUR.win


def test_othello_endgames_are_solved() -> None:
    for position in plain_search.random_positions(OTHELLO, 8, seed=8, least=55):
        searcher = searching(OTHELLO, memory_bytes=SMALL)
        thought = searcher.think(position, Limit(nodes=50_000))
        expected = plain_search.values_of_moves(OTHELLO, searcher.weights, position, 100)
        assert searcher.proven
        assert thought.lines[0].score == max(expected.values()), OTHELLO.format(position)
        assert expected[thought.lines[0].move] == thought.lines[0].score


def test_late_connect_four_is_solved() -> None:
    for position in plain_search.random_positions(FOUR, 12, seed=5, least=32):
        searcher = searching(FOUR, memory_bytes=SMALL)
        thought = searcher.think(position, Limit(nodes=50_000))
        expected = max(plain_search.values_of_moves(FOUR, searcher.weights, position, 100).values())
        sign = (expected > 0) - (expected < 0)
        assert searcher.proven
        found = thought.lines[0].score
        assert (found > 0) - (found < 0) == sign, FOUR.format(position)


def test_the_third_repetition_is_a_proven_draw() -> None:
    """White's rook and king's rest were on the board twice; going back once more is a draw, and white does not."""
    start = CHESS.parse("7k/8/8/8/8/8/6PP/R5K1 w - - 0 1")
    history, position = [], start
    for text in ("a1b1", "h8g8", "b1a1", "g8h8", "a1b1", "h8g8", "b1a1"):
        history.append(position)
        position = CHESS.play(position, CHESS.parse_move(position, text))
    searcher = searching(CHESS, memory_bytes=SMALL)
    searcher.think(position, Limit(nodes=500), history=history)
    back = next(entry for entry in searcher.moves() if CHESS.format_move(position, entry.move) == "g8h8")
    assert (back.proven, back.value) == (True, 0)
    searcher.new_game()
    searcher.think(position, Limit(nodes=500))
    assert not any(entry.proven for entry in searcher.moves())


@functools.cache
def expectation(text: str) -> float:
    """What the mover of a position of heaps wins on average, of 1."""
    position = heaps.GAME.parse(text)
    status = heaps.GAME.status(position)
    if status == OVER:
        return heaps.GAME.result(position) / heaps.WIN
    if status == CHANCE:
        below = [heaps.GAME.reveal(position, outcome) for outcome in range(3)]
        chances = heaps.GAME.chance(position)
        return sum(p * expectation(heaps.GAME.format(child)) for p, child in zip(chances, below, strict=True))
    below = [heaps.GAME.play(position, move) for move in heaps.GAME.moves(position)]
    return max(-expectation(heaps.GAME.format(child)) for child in below)


@pytest.mark.parametrize("rollout", ["evaluation", "random"])
@pytest.mark.parametrize(
    "text", ["oo/oo/ first 3", "oo/oo/o second 1", "ooo/o/ first 1", "ooo/oo/ second 2", "ooo/ooo/o second 1"]
)
def test_chance_is_proven_to_the_expectation(text: str, rollout: str) -> None:
    searcher = searching(heaps.GAME, memory_bytes=16 << 20, rollout=rollout, exploration=0.5)
    thought = searcher.think(heaps.GAME.parse(text), Limit(nodes=100_000))
    assert searcher.proven
    assert searcher.moves()[0].value == pytest.approx(expectation(text), abs=1e-6)
    assert thought.lines[0].score == round(heaps.WIN * expectation(text))


@pytest.mark.parametrize("rollout", ["evaluation", "random"])
@pytest.mark.parametrize("text", ["oooo/ooooo/oooo first 2", "oooo/oooo/oooo second 1"])
def test_many_simulations_come_near_the_expectation(text: str, rollout: str) -> None:
    searcher = searching(heaps.GAME, rollout=rollout, exploration=0.5)
    position = heaps.GAME.parse(text)
    searcher.think(position, Limit(nodes=100_000))
    best = searcher.moves()[0]
    after_best = heaps.GAME.format(heaps.GAME.play(position, best.move))
    assert not searcher.proven
    assert -expectation(after_best) == pytest.approx(expectation(text), abs=0.03)
    assert best.value == pytest.approx(expectation(text), abs=0.06)
