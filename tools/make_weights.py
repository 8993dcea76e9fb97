"""Make the fitted weights that a game ships: ``make weights-GAME``, ``SIZE=small`` for minutes.

`evalsmith improve` makes them in one or more legs: the first starts from the hand-set weights, each other one from the
weights of the leg before it. A match against the hand-set weights proves them, and ``--output`` packs them, with their
card, into the file that the package ships. What the match does not prove is not written. Everything is saved in the
run folder, and each step resumes where it was killed. ``--continue`` makes the last leg alone, from the weights that
ship.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import evalsmith as es
from evalsmith.improvement.record import WEIGHTS, MatchFacts
from evalsmith.run import Interrupted
from evalsmith.weights.fitted import write_fitted

PROOF_GAMES = 400
PROOF_SEED = 7
# Settings of `improve` by size, game and leg; the others are the defaults of `evalsmith improve`.
SMALL: tuple[dict[str, Any], ...] = ({"generations": 1, "games": 2000},)
FULL: dict[str, tuple[dict[str, Any], ...]] = {
    "chess": ({"generations": 2, "start_games": 400},),
    "shogi": (
        {"generations": 1, "games": 3000, "nodes": 400, "start_games": 100},
        {"generations": 1, "games": 2500, "start_games": 100, "seed": 11},
    ),
    # These go on from the weights that ship: two generations from hand-set ones came out weaker (docs/measuring.md).
    "dvonn": ({"start": "fitted", "generations": 2, "games": 6000, "nodes": 400, "result_share": (0.5,)},),
}
PROOF_NODES = {"chess": 2000, "shogi": 2000, "dvonn": 1000}


def improve(game: str, size: str, folder: Path, concurrency: int | None, last_only: bool) -> es.Weights:
    """The weights of the last leg that found something better, with the card of `improve`."""
    legs = list(enumerate(SMALL if size == "small" else FULL[game], 1))
    best, start = None, "hand-set"
    if last_only:
        legs, start = legs[-1:], "fitted"
    for number, settings in legs:
        run, start = folder / f"leg-{number}", settings.get("start", start)
        card = es.load_weights(start, game).provenance if start != "hand-set" else {}
        found = es.improve(
            game, run, concurrency=concurrency, progress=es.bars, say=say, **{**settings, "start": start}
        )  # fmt: skip
        print(found)
        if found.improved:
            begun = {"start": f"{card['command']}: {card['data']}"} if card else {}
            best, start = replace(found.weights, provenance={**found.weights.provenance, **begun}), str(run / WEIGHTS)
    if best is None:
        raise es.EvalsmithError(f"nothing better than the {start} weights was found in {folder}")
    return best


def prove(game: str, weights: es.Weights, folder: Path, concurrency: int | None) -> str:
    """A match against the hand-set weights, as the card says it; what it does not prove is refused."""
    nodes = PROOF_NODES[game]
    proof = es.match(
        game, replace(weights, name="fitted"), "hand-set", output=folder / "proof", concurrency=concurrency,
        progress=es.bars, games=PROOF_GAMES, nodes=nodes, seed=PROOF_SEED,
    )  # fmt: skip
    print(proof)
    if not (proof.proven and proof.elo > 0):
        raise es.EvalsmithError(f"the match does not prove them stronger than the hand-set weights: {proof.verdict()}")
    return f"{MatchFacts.of(proof, nodes).sentence()} against hand-set weights"


def make(game: str, size: str, folder: Path, concurrency: int | None, last_only: bool) -> es.Weights:
    """Improve and prove; the weights with their card."""
    weights = improve(game, size, folder, concurrency, last_only)
    made = f"make weights-{game}" + ("" if size == "full" else f" SIZE={size}")
    if last_only:
        made = f"python tools/make_weights.py {game} --continue"
    card = {**weights.provenance, "made": made, "match": prove(game, weights, folder, concurrency)}
    return replace(weights, name="fitted", provenance=card)


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
    parser.add_argument(
        "--continue", dest="last_only", action="store_true", help="the last leg alone, from shipped ones"
    )
    given = parser.parse_args()
    folder = given.folder or Path("runs") / f"weights-{given.game}-{given.size}"
    try:
        weights = make(given.game, given.size, folder, given.concurrency, given.last_only)
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
