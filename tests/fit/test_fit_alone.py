"""Fits of games played alone: to how the moves of one decision differ, so that a fit does not ruin the player."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np

from evalsmith.arena.events.competitions import match
from evalsmith.fit.settings import TuneSettings
from evalsmith.fit.targets import resolve_squares, targets
from evalsmith.fit.tuning import tune
from evalsmith.games import find_game
from evalsmith.positions.samples import Samples
from evalsmith.positions.selfplay.alternatives import Alternatives, Decision
from evalsmith.positions.selfplay.generation import generate
from evalsmith.weights import starting_weights

MARIO = find_game("drmario")


def judged() -> Samples:
    """Six moves of one decision."""
    work = Alternatives(MARIO, starting_weights(MARIO), 6, 3)
    return work.judge(Decision(MARIO.parse("seed:8988 level:4"), 3, 20), random.Random(1))


def test_a_game_alone_is_fitted_to_its_alternatives() -> None:
    samples, plain = judged(), replace(judged(), label=np.zeros(6, dtype=np.int8))
    assert resolve_squares(MARIO, samples, TuneSettings()) == "alternatives"
    assert resolve_squares(MARIO, plain, TuneSettings()) == "score"  # never results among scores
    assert resolve_squares(MARIO, samples, TuneSettings(target="result")) == "result"
    assert targets(MARIO, samples, "alternatives").tolist() == samples.score.tolist()
    assert np.isnan(targets(MARIO, plain, "alternatives")).all()


def test_a_fit_to_alternatives_does_not_ruin_the_player(tmp_path: Path) -> None:
    """From self-play to a match on paired boards: the fitted weights clear as much as the ones they start from."""
    data = generate(MARIO, tmp_path / "d", games=60, level="0-6", player="hand-set;depth=1", seed=2, concurrency=1)
    fitted = tune(data, seed=2, output=tmp_path / "w.json")
    assert fitted.validation.square < fitted.validation_before.square
    found = match(
        MARIO, fitted.weights, "hand-set", games=40, level="3", depth=1, seed=3, concurrency=1, output=tmp_path / "m"
    )
    first, second = found.to_json()["players"]
    assert first["points"] >= 0.4 * (first["points"] + second["points"])
