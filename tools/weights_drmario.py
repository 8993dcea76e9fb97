"""Make Dr. Mario's fitted weights from nothing but self-play: ``make weights-drmario``, a few minutes of a core.

A generation plays greedily with the weights so far on boards of all levels up to 20, plays alternatives of its
decisions on, and fits the weights to how these differ. Everything resumes: the same command goes on where it was
stopped.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import evalsmith as es
from evalsmith.improvement.record import MatchFacts
from evalsmith.run.errors import EvalsmithError, Interrupted
from evalsmith.run.watching import bars
from evalsmith.weights import Weights, read_weights_file
from evalsmith.weights.fitted import write_fitted

GAME, LEVELS, GENERATIONS, GAMES = "drmario", "0-20", 2, 1500
PROOF_LEVEL, PROOF_GAMES = "10", 100
QUANTUM = 1


def make(folder: Path, games: int, concurrency: int | None) -> Weights:
    """The weights of the last generation; generation n has the seed n."""
    weights: Path | str = "hand-set"
    for generation in range(1, GENERATIONS + 1):
        data = es.generate(
            GAME,
            folder / f"data{generation}",
            games=games,
            level=LEVELS,
            player=f"{str(weights).replace(';', chr(92) + ';')};depth=1",
            seed=generation,
            concurrency=concurrency,
            progress=bars,
        )
        made = folder / f"weights{generation}.json"
        es.tune(data, made, initial_weights=str(weights), seed=generation, concurrency=concurrency, progress=bars)
        weights = made
    found = replace(read_weights_file(Path(weights), es.Board(GAME).game), name="fitted")
    proof = es.match(
        GAME, found, "hand-set", output=folder / "proof", level=PROOF_LEVEL, games=PROOF_GAMES, depth=2, seed=7,
        concurrency=concurrency, progress=bars,
    )  # fmt: skip
    return replace(found, provenance=card_of(found, games, proof))


def card_of(weights: Weights, games: int, proof: es.MatchResult) -> dict[str, Any]:
    """How the weights were made, and the match that they won."""
    facts = MatchFacts.of(proof, 0)
    return {
        **weights.provenance,
        "made": "make weights-drmario",
        "command": f"evalsmith data generate drmario --games {games} --level {LEVELS} --player hand-set;depth=1, "
        "evalsmith tune, and both again with the first fit",
        "data": f"{GENERATIONS} generations of {games:,} games, alternatives of their decisions",
        "match": f"{100 * facts.score:.1f} %, {facts} Elo in {facts.games:,} games at depth 2, level {PROOF_LEVEL}, "
        "against hand-set weights",
        "generations": GENERATIONS,
        "games": games,
        "initial_weights": "hand-set",
        "rules_version": weights.game.rules_version,
    }


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs/weights-drmario"), help="where data and fits stay")
    parser.add_argument("--output", type=Path, help="the packed file to write")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--concurrency", type=int)
    given = parser.parse_args()
    try:
        weights = make(given.folder, given.games, given.concurrency)
        if given.output:
            print(f"{given.output}: {write_fitted(weights, given.output, QUANTUM):,} bytes", file=sys.stderr)
    except Interrupted as stopped:
        print(stopped, file=sys.stderr)
        return 130
    except EvalsmithError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
