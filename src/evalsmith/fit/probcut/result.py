"""What a fit of ProbCut gives: the pairs, the weights that have them, and the values they come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.fit.probcut.regression import UNKNOWN, Values
from evalsmith.games import Game, find_game
from evalsmith.run import InputError
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable
from evalsmith.weights import Weights
from evalsmith.weights.probcut import Pair, ProbCut

KIND = "probcut"
RESULT, VALUES = "result.json", "values.npz"


@dataclass(frozen=True, repr=False)
class ProbCutFit(RunResult):
    """The parameters that were found; ``values`` has a row a position and a column a depth, ``stages`` their stages."""

    game: Game
    probcut: ProbCut
    values: Values
    stages: Values
    weights: Weights | None = None
    output: Path | None = None
    run: Path | None = None

    @property
    def positions(self) -> int:
        """How many positions were searched."""
        return len(self.values)

    def stage_name(self, stage: int) -> str:
        """The phases of a stage, as the layout numbers them."""
        phases = np.flatnonzero(self.probcut.phase_stages(len(self.game.evaluation.blend)) == stage)
        return f"phase {phases[0]}–{phases[-1]}" if len(phases) > 1 else f"phase {phases[0]}"

    def points(self, pair: Pair) -> Values:
        """The pairs of values that a line was fitted to, (shallow, deep) a row."""
        rows = self.values[self.stages == pair.stage][:, [pair.shallow, pair.deep]]
        return rows[(rows != UNKNOWN).all(axis=1)]

    def tables(self) -> tuple[TextTable, ...]:
        """The pairs, one a line."""
        rows = tuple(
            (
                self.stage_name(pair.stage),
                pair.shallow,
                pair.deep,
                f"{pair.slope:.3f}",
                f"{pair.offset:+.0f}",
                f"{pair.error:.0f}",
                pair.positions,
            )
            for pair in self.probcut.pairs
        )
        head = ("stage", "shallow", "deep", "slope", "offset", "error", "positions")
        notes: tuple[str, ...] = (f"deep = slope · shallow + offset ± error, {self.game.units}",)
        if self.output is not None:
            notes += (f"weights with these parameters in {self.output}",)
        return (TextTable(head, rows, notes),)

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith probcut fit --json``, and ``result.json``."""
        return {"game": self.game.name, "positions": self.positions, "probcut": self.probcut.to_json()}


def read_probcut_fit(run: Path) -> ProbCutFit:
    """The result of a run folder."""
    try:
        stored = json.loads((run / RESULT).read_text(encoding="utf-8"))["probcut"]
        with np.load(run / VALUES, allow_pickle=False) as arrays:
            values, stages = arrays["values"], arrays["stages"]
    except FileNotFoundError:
        raise InputError(f"{run} has no result yet: run its command again to finish it") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{run} holds a damaged result ({type(error).__name__}: {error})") from None
    found = ProbCut(stored["game"], stored["layout"], stored["stages"], tuple(Pair(**one) for one in stored["pairs"]))
    return ProbCutFit(find_game(found.game), found, values, stages, run=run)
