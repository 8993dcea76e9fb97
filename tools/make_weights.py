"""Make the fitted weights that a game ships: ``make weights-GAME``, ``SIZE=small`` for minutes.

`evalsmith improve` makes them in one or more legs: the first starts from the hand-set weights, each other one from the
weights of the leg before it. A match against the hand-set weights proves them, another compares those of full size with
the weights that ship, and ``--output`` packs them, with their card, into the file that the package ships. What is not
proven, or is proven weaker than what ships, is not written. Everything is saved in the
run folder, and each step resumes where it was killed. ``--continue`` makes the last leg alone, from the weights that
ship.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import evalsmith as es
from evalsmith.improvement.record import WEIGHTS, MatchFacts
from evalsmith.run import Interrupted
from evalsmith.weights.fitted import QUANTUM, ships_fitted, write_fitted

PROOF_GAMES = 400
PROOF_SEED = 7
# Settings of `improve` by size, game and leg; the others are the defaults of `evalsmith improve`.
SMALL: tuple[dict[str, Any], ...] = ({"generations": 1, "games": 2000},)
FULL: dict[str, tuple[dict[str, Any], ...]] = {
    # These go on from the weights that ship; docs/measuring.md has the generations before.
    "chess": (
        {
            "start": "fitted", "generations": 1, "games": 60000, "nodes": 1000, "result_share": (0.0, 0.3),
            "gate_games": 2000, "match_nodes": 2000, "start_games": 200, "seed": 61,
        },
    ),
    "shogi": ({"start": "fitted", "generations": 1, "games": 10000, "nodes": 1000, "start_games": 100, "seed": 43},),
    "othello": (
        {
            "generations": 3, "games": 8000, "games_growth": 1.6, "nodes": 200, "growth": 1.5, "solved": 12,
            "penalty": (100.0,), "result_share": (1.0,), "replay": 1, "patience": 2, "start_games": 100,
        },
        {
            "generations": 3, "games": 32000, "games_growth": 1.5, "nodes": 600, "growth": 1.3, "solved": 12,
            "penalty": (100.0,), "result_share": (0.5, 0.25), "replay": 2, "patience": 2, "start_games": 100,
        },
        {
            "generations": 1, "games": 200000, "nodes": 1000, "solved": 12, "penalty": (100.0,),
            "result_share": (0.25, 0.1), "replay": 1, "gate_games": 6000, "start_games": 100, "seed": 3,
        },
    ),
    "dvonn": (
        {
            "start": "fitted", "generations": 2, "games": 8000, "nodes": 600, "result_share": (0.5,), "patience": 2,
            "start_games": 100, "seed": 31,
        },
    ),
}  # fmt: skip
PROOF_NODES = {"chess": 2000, "shogi": 2000, "dvonn": 1000, "othello": 1000}
# The steps in which weights are stored: Othello has nine million of them, and the file must stay small.
QUANTA = {"othello": QUANTUM}


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
            begun = {"start": origin(card)} if card else {}
            best, start = replace(found.weights, provenance={**found.weights.provenance, **begun}), str(run / WEIGHTS)
    if best is None:
        raise es.EvalsmithError(f"nothing better than the {start} weights was found in {folder}")
    return best


def origin(card: dict[str, Any]) -> str:
    """Where the weights of a start come from, as the card of those made from them says it."""
    if "command" in card and "data" in card:
        return f"{card['command']}: {card['data']}"
    return ", ".join(f"{name} {value}" for name, value in card.items())  # made before there were such cards


def rounded(weights: es.Weights, quantum: int) -> es.Weights:
    """Weights as they are stored, so that the match proves what ships."""
    return replace(weights, values=(np.rint(weights.values / quantum) * quantum).astype(np.int32))


def prove(game: str, weights: es.Weights, folder: Path, concurrency: int | None) -> str:
    """A match against the hand-set weights, as the card says it; what it does not prove is refused."""
    proof = play(game, weights, es.load_weights("hand-set", game), folder / "proof", concurrency)
    if not (proof.proven and proof.elo > 0):
        raise es.EvalsmithError(f"the match does not prove them stronger than the hand-set weights: {proof.verdict()}")
    return f"{MatchFacts.of(proof, PROOF_NODES[game]).sentence()} against hand-set weights"


def compare(game: str, weights: es.Weights, folder: Path, concurrency: int | None) -> str:
    """A match against the weights that ship, as the card says it; what it proves weaker is refused."""
    shipped = replace(es.load_weights("fitted", game), probcut=None, name="shipped")  # new ones have no parameters yet
    found = play(game, weights, shipped, folder / "shipped", concurrency)
    if found.proven and found.elo < 0:
        raise es.EvalsmithError(f"the match proves them weaker than the weights that ship: {found.verdict()}")
    return f"{MatchFacts.of(found, PROOF_NODES[game]).sentence()} against those that shipped before"


def play(game: str, weights: es.Weights, other: es.Weights, run: Path, concurrency: int | None) -> es.MatchResult:
    """A match of a fixed number of games."""
    found = es.match(
        game, replace(weights, name="fitted"), other, output=run, concurrency=concurrency, progress=es.bars,
        games=PROOF_GAMES, nodes=PROOF_NODES[game], seed=PROOF_SEED,
    )  # fmt: skip
    print(found)
    return found


def make(game: str, size: str, folder: Path, concurrency: int | None, last_only: bool) -> es.Weights:
    """Improve and prove; the weights with their card."""
    weights = rounded(improve(game, size, folder, concurrency, last_only), QUANTA.get(game, 1))
    made = f"make weights-{game}" + ("" if size == "full" else f" SIZE={size}")
    if last_only:
        made = f"python tools/make_weights.py {game} --continue"
    command = weights.provenance["command"].replace(f"{folder}/", "")  # of legs before, by their own names
    card = {**weights.provenance, "command": command, "made": made, "match": prove(game, weights, folder, concurrency)}
    if size == "full" and ships_fitted(weights.game):
        card["shipped"] = compare(game, weights, folder, concurrency)
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
            packed = write_fitted(weights, given.output, QUANTA.get(given.game, 1))
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
