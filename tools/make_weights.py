"""Make the fitted weights that a game ships: ``make weights-GAME``, ``SIZE=small`` for minutes.

`evalsmith improve` makes them, a match against the hand-set weights proves them, and ``--output`` packs them, with
their card, into the file that the package ships. What the match does not prove is not written. Everything is saved in
the run folder, and each step resumes where it was killed.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import evalsmith as es
from evalsmith.improvement.record import MatchFacts
from evalsmith.run import Interrupted
from evalsmith.weights.fitted import write_fitted

PROOF_GAMES = 400
PROOF_SEED = 7
# Settings of `improve` by size and game; the others are the defaults of `evalsmith improve`.
SMALL: dict[str, Any] = {"generations": 1, "games": 2000}
FULL: dict[str, dict[str, Any]] = {
    "chess": {"generations": 2, "start_games": 400},
    "shogi": {"generations": 1, "games": 3000, "nodes": 400, "start_games": 100},
    # These go on from the weights that ship: two generations from hand-set ones came out weaker (docs/measuring.md).
    "dvonn": {"start": "fitted", "generations": 2, "games": 6000, "nodes": 400, "result_share": (0.5,)},
}
PROOF_NODES = {"chess": 2000, "shogi": 1000, "dvonn": 1000}


def make(game: str, size: str, folder: Path, concurrency: int | None) -> es.Weights:
    """Improve and prove; the weights with their card."""
    settings = SMALL if size == "small" else FULL[game]
    found = es.improve(game, folder, concurrency=concurrency, progress=es.bars, say=say, **settings)
    print(found)
    if not found.improved:
        raise es.EvalsmithError(f"nothing better than the start was found in {folder}")
    nodes = PROOF_NODES[game]
    proof = es.match(
        game, replace(found.weights, name="fitted"), "hand-set", output=folder / "proof", concurrency=concurrency,
        progress=es.bars, games=PROOF_GAMES, nodes=nodes, seed=PROOF_SEED,
    )  # fmt: skip
    print(proof)
    if not (proof.proven and proof.elo > 0):
        raise es.EvalsmithError(f"the match does not prove them stronger than the hand-set weights: {proof.verdict()}")
    card = {
        **found.weights.provenance,
        "made": f"make weights-{game}" + ("" if size == "full" else f" SIZE={size}"),
        "match": f"{MatchFacts.of(proof, nodes).sentence()} against hand-set weights",
    }
    return replace(found.weights, name="fitted", provenance=card)


def say(text: str) -> None:
    """A line for the user."""
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=FULL)
    parser.add_argument("--size", choices=("small", "full"), default="full")
    parser.add_argument("--folder", type=Path, help="the run folder; runs/weights-GAME-SIZE if left out")
    parser.add_argument("--output", type=Path, help="the packed file to write")
    parser.add_argument("--concurrency", type=int)
    given = parser.parse_args()
    folder = given.folder or Path("runs") / f"weights-{given.game}-{given.size}"
    try:
        weights = make(given.game, given.size, folder, given.concurrency)
        if given.output:
            packed = write_fitted(weights, given.output, quantum=1)
            say(f"{given.output}: {packed:,} bytes")
    except Interrupted as stopped:
        say(str(stopped))
        return 130
    except es.EvalsmithError as error:
        say(str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
