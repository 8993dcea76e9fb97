"""Alternatives of a game played alone: several moves of one decision, each played on with the same chances."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalsmith.engine import evaluate
from evalsmith.games import CHANCE, OVER, find_game
from evalsmith.positions.samples import PLAYOUT, UNKNOWN, Samples
from evalsmith.positions.selfplay import chunks, generation
from evalsmith.positions.selfplay.alternatives import EVERY, LOST, WON, Alternatives, Decision, decisions
from evalsmith.positions.selfplay.generation import generate, generate_with
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.run.errors import InputError
from evalsmith.weights import starting_weights

MARIO, OTHELLO = find_game("drmario"), find_game("othello")
HAND_SET = starting_weights(MARIO)
SMALL = GenerateSettings(games=6, player="hand-set;depth=1", level="0-1", seed=4)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 2)


def judged(count: int = 6, lookahead: int = 3, seed: int = 1) -> Samples:
    work = Alternatives(MARIO, HAND_SET, count, lookahead)
    return work.judge(Decision(MARIO.parse("seed:8988 level:4"), 3, 20), random.Random(seed))


def test_the_moves_of_a_decision_share_its_place() -> None:
    samples = judged()
    assert len(samples) == 6
    assert set(samples.game.tolist()) == {3} and set(samples.ply.tolist()) == {20}
    assert (samples.label == PLAYOUT).all() and (samples.result == UNKNOWN).all()
    start = MARIO.parse("seed:8988 level:4")
    children = {tuple(MARIO.play(start, move).tolist()) for move in MARIO.moves(start)}
    assert {tuple(row) for row in samples.words.tolist()} <= children
    assert all(MARIO.status(row) == CHANCE for row in samples.words)
    assert samples.phase.tolist() == [20] * 6  # viruses left


def test_the_best_by_evaluation_are_among_them() -> None:
    start = MARIO.parse("seed:8988 level:4")
    best = max(evaluate(MARIO, HAND_SET, MARIO.play(start, move)) for move in MARIO.moves(start))
    values = [evaluate(MARIO, HAND_SET, row) for row in judged().words]
    assert values[0] == best and values[:4] == sorted(values[:4], reverse=True)


def test_the_same_seed_brings_the_same_chances() -> None:
    first, again, other = judged(seed=1), judged(seed=1), judged(seed=2)
    assert np.array_equal(first.score, again.score) and np.array_equal(first.words, again.words)
    assert not np.array_equal(first.score, other.score)
    work = Alternatives(MARIO, HAND_SET, 6, 3)
    assert work.value(first.words[0], 5) == work.value(first.words[0], 5)


def test_ends_have_values_of_their_own() -> None:
    work = Alternatives(MARIO, HAND_SET, 6, 100)
    start = MARIO.parse("seed:8988 level:0")
    judged = [work.judge(Decision(start, 0, 0), random.Random(seed)) for seed in range(3)]
    assert WON in Samples.join(judged, MARIO.words).score
    stalled = MARIO.parse("seed:8988 level:10 stall:1")
    left = 44
    lost = {work.value(MARIO.play(stalled, move), 1) for move in MARIO.moves(stalled)[:3]}
    assert lost <= {-LOST - 100 * n for n in range(left + 1)}


def test_decisions_are_numbered_and_single_rows_are_none() -> None:
    samples = Samples.join([judged(), judged(count=2), judged(count=2)], MARIO.words)
    samples = replace(samples, ply=np.array([4] * 6 + [9] * 2 + [5, 6], dtype=np.int32))
    assert decisions(samples).tolist() == [0] * 6 + [1] * 2 + [-1] * 2
    plain = replace(samples, label=np.zeros(len(samples), dtype=np.int8))
    assert (decisions(plain) == -1).all()


def test_self_play_alone_stores_them(tmp_path: Path) -> None:
    samples = generate_with(MARIO, tmp_path / "a", SMALL, concurrency=1).read()
    found = decisions(samples)
    assert found.max() > 5 and (np.bincount(found[found >= 0]) <= generation.ALTERNATIVES).all()
    assert all(MARIO.status(row) != OVER for row in samples.words)
    again = generate_with(MARIO, tmp_path / "b", SMALL, concurrency=2).read()
    assert np.array_equal(samples.words, again.words) and np.array_equal(samples.score, again.score)
    none = generate_with(MARIO, tmp_path / "c", replace(SMALL, alternatives=0), concurrency=1).read()
    assert not (none.label == PLAYOUT).any()
    # The games are the same: what is played on takes nothing from them but in the numbers that later games draw.
    assert np.array_equal(none.words[none.game == 0], samples.words[(samples.game == 0) & (samples.label != PLAYOUT)])
    assert EVERY * len(np.unique(found)) >= len(none) // 2


def test_a_dataset_goes_on_as_it_was_begun(tmp_path: Path) -> None:
    generate_with(MARIO, tmp_path / "d", replace(SMALL, games=2), concurrency=1)
    grown = generate_with(MARIO, tmp_path / "d", SMALL, concurrency=1).read()
    assert np.array_equal(grown.score, generate_with(MARIO, tmp_path / "e", SMALL, concurrency=1).read().score)
    generate_with(MARIO, tmp_path / "f", replace(SMALL, games=2, alternatives=0), concurrency=1)
    assert not (generate_with(MARIO, tmp_path / "f", SMALL, concurrency=1).read().label == PLAYOUT).any()


def test_games_of_two_have_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="alternatives are for games played alone; Othello has 2 players"):
        generate(OTHELLO, tmp_path / "d", games=2, alternatives=3)
