"""Samples and the replaying of games into them, against a replay move by move."""

from __future__ import annotations

import random
from dataclasses import fields

import numpy as np
import pytest
from broken import base as heaps

from evalsmith.games import CHANCE, OVER, Game, find_game
from evalsmith.games.contract import PHASE, call_position
from evalsmith.positions.samples import UNKNOWN, Replayer, Samples

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")


def random_game(game: Game, seed: int) -> list[int]:
    """Moves, and outcomes where chance moves."""
    choose, position, moves = random.Random(seed), game.start(), []
    while (status := game.status(position)) != OVER:
        if status == CHANCE:
            moves.append(choose.randrange(len(game.chance(position))))
            position = game.reveal(position, moves[-1])
        else:
            moves.append(choose.choice(game.moves(position)))
            position = game.play(position, moves[-1])
    return moves


def plain_replay(game: Game, moves: list[int], result: int | None) -> list[tuple[object, ...]]:
    """Words, ply, phase and result of each position before a player's move."""
    context = game.context(evaluation=True)
    position, rows = game.start(), []
    for ply, move in enumerate(moves):
        if game.status(position) == CHANCE:
            position = game.reveal(position, move)
            continue
        phase = int(call_position(context.row, PHASE, position))
        told = UNKNOWN if result is None else result if game.mover(position) == 0 else -result
        rows.append((position.tolist(), ply, phase, told))
        position = game.play(position, move)
    return rows


@pytest.mark.parametrize("game", [OTHELLO, FOUR, heaps.GAME], ids=lambda game: game.name)
@pytest.mark.parametrize("result", [1800, -1, 0, None])
def test_replayed_games(game: Game, result: int | None) -> None:
    replayer = Replayer(game)
    for seed in range(5):
        moves = random_game(game, seed)
        samples = replayer.samples(40 + seed, game.start(), moves, result)
        expected = plain_replay(game, moves, result)
        told = zip(
            samples.words.tolist(), samples.ply.tolist(), samples.phase.tolist(), samples.result.tolist(), strict=True
        )
        assert list(told) == expected
        assert set(samples.game.tolist()) == {40 + seed}
        assert set(samples.score.tolist()) == {UNKNOWN}
        assert len(samples) == len(expected)


def test_plies_may_begin_later() -> None:
    moves = random_game(OTHELLO, 1)
    start = OTHELLO.play(OTHELLO.start(), moves[0])
    samples = Replayer(OTHELLO).samples(0, start, moves[1:], 100, first_ply=1)
    assert samples.ply.tolist() == list(range(1, len(moves)))
    assert samples.result[0] == -100  # white moves second


def test_a_game_without_moves_has_no_samples() -> None:
    assert len(Replayer(OTHELLO).samples(0, OTHELLO.start(), [], 0)) == 0


def some(count: int, seed: int) -> Samples:
    source = np.random.default_rng(seed)
    unknown = source.random(count) < 0.4
    return Samples(
        source.integers(0, 2**64, (count, 3), dtype=np.uint64),
        source.integers(0, 9, count, dtype=np.int64),
        source.integers(0, 60, count, dtype=np.int32),
        source.integers(0, 60, count, dtype=np.int32),
        source.integers(-6400, 6401, count, dtype=np.int32),
        np.where(unknown, UNKNOWN, source.integers(-6400, 6401, count)).astype(np.int32),
    )


def same(a: Samples, b: Samples) -> bool:
    return all(
        np.array_equal(getattr(a, field.name), getattr(b, field.name))
        and getattr(a, field.name).dtype == getattr(b, field.name).dtype
        for field in fields(Samples)
    )


def test_taking_and_joining_are_inverse() -> None:
    samples = some(50, 1)
    chosen = samples.ply % 2 == 0
    assert len(samples.take(chosen)) == chosen.sum()
    parts = [samples.take(np.arange(begin, min(begin + 7, 50))) for begin in range(0, 50, 7)]
    assert same(Samples.join(parts, 3), samples)


def test_nothing_joined_is_empty_and_of_the_right_kind() -> None:
    nothing = Samples.join([], 3)
    assert len(nothing) == 0
    assert nothing.words.shape == (0, 3)
    assert same(Samples.join([nothing, some(4, 2)], 3), some(4, 2))


def test_the_target_is_the_score_where_there_is_one() -> None:
    samples = some(200, 3)
    for score, result, target in zip(samples.score, samples.result, samples.target, strict=True):
        assert target == (result if score == UNKNOWN else score)
    assert samples.target.dtype == np.int32
