"""Matches of fitted weights against their start: the proof that a fit is stronger, and the judge of candidates."""

from __future__ import annotations

from pathlib import Path

from evalsmith.arena.events.competitions import match
from evalsmith.arena.results.match_result import MatchResult
from evalsmith.fit.settings import TuneSettings
from evalsmith.run import derive
from evalsmith.run.watching import Watch, unwatched
from evalsmith.weights import Weights

PROOF = "proof"
SPRT = "0,10"  # normalized Elo: what "not stronger" and "stronger" mean to the test


def prove(
    fitted: Weights,
    start: Weights,
    folder: Path,
    settings: TuneSettings,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
) -> MatchResult:
    """Play the fitted weights against the start until a sequential test decides, or the games are played."""
    return match(
        fitted.game,
        fitted,
        start,
        output=folder / PROOF,
        concurrency=concurrency,
        progress=progress,
        games=settings.prove_games,
        nodes=settings.prove_nodes,
        sprt=SPRT,
        seed=derive(settings.seed, "proof") >> 1,
    )


def play_candidate(
    fitted: Weights, start: Weights, folder: Path, settings: TuneSettings, *, concurrency: int | None = None
) -> tuple[float, float]:
    """A short match of a candidate against the start: Elo, and half of its interval."""
    found = match(
        fitted.game,
        fitted,
        start,
        output=folder,
        concurrency=concurrency,
        games=settings.choose_games,
        nodes=settings.prove_nodes,
        seed=derive(settings.seed, "candidates") >> 1,
    )
    return found.elo, found.elo_error
