"""The penalty of a joint fit, chosen by held-out loss, by how far fits on two halves agree, or by short matches.

Held-out loss does not rank fits by strength: penalties that tie in loss can differ by a hundred Elo. Two fits to two
halves of the games show what of a change is signal: what both halves say. The smallest penalty is taken with which the
changes that both make to the evaluations of games that neither saw still agree. A match measures what counts, at the
price of the games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.fitter import Problem, Solve, solve
from evalsmith.fit.joint.splits import Splits, folds, share_of_games
from evalsmith.run import RunFolder, Silent, derive
from evalsmith.run.watching import Watch

Vector = npt.NDArray[np.float64]
Elo = Callable[[Vector, str], tuple[float, float]]
"""Plays weights against the start under a name: Elo, and half of its interval."""

PENALTIES = (10_000.0, 1000.0, 100.0, 10.0, 1.0)
AGREEMENT = 0.9  # the correlation from which on two halves count as saying the same
CHOSEN = "penalty"


@dataclass(frozen=True)
class Candidate:
    """A penalty that was tried: what it was judged by (larger is better), with its error where it has one."""

    penalty: float
    merit: float
    error: float | None = None


@dataclass(frozen=True)
class Chosen:
    """The penalty that was chosen, how, and what was tried for it."""

    penalty: float
    by: str
    tried: tuple[Candidate, ...]

    def to_json(self) -> dict[str, Any]:
        """The choice as it stands in ``result.json``."""
        return {"setting": CHOSEN, "value": self.penalty, "by": self.by, "tried": [asdict(one) for one in self.tried]}

    def sentence(self) -> str:
        """The choice in one sentence, with the figures it was made by."""
        what = {"loss": "loss on held-out games", "halves": "agreement of two halves", "match": "Elo against the start"}
        figures = ", ".join(f"{one.penalty:g}: {_figure(one, self.by)}" for one in self.tried)
        return f"penalty {self.penalty:g}, chosen by {self.by} ({what[self.by]} of {figures})"


def _figure(one: Candidate, by: str) -> str:
    if by == "loss":
        return f"{-one.merit:.6f}"
    return f"{one.merit:.2f}" if one.error is None else f"{one.merit:+.0f} ± {one.error:.0f}"


class Chooser:
    """Tries penalties one after another; what a killed run has tried is not tried again."""

    def __init__(self, problem: Problem, splits: Splits, run: RunFolder, elo: Elo | None) -> None:
        self.problem, self.splits, self.run, self.elo = problem, splits, run, elo
        self.by = problem.settings.choose_by
        self.tried_before = {float(event["penalty"]): event for event in run.events("candidate") if "merit" in event}

    def choose(self, progress: Watch) -> Chosen:
        """The penalty of the grid that is best."""
        tried = []
        with progress("choosing the penalty", len(PENALTIES), "candidates") as bar:
            for penalty in PENALTIES:
                tried.append(self._try(penalty))
                bar.advance()
        return Chosen(self._best(tried).penalty, self.by, tuple(tried))

    def _best(self, tried: list[Candidate]) -> Candidate:
        if self.by != "halves":
            return max(tried, key=lambda one: one.merit)
        agreeing = [one for one in tried if one.merit >= AGREEMENT]
        return min(agreeing, key=lambda one: one.penalty) if agreeing else max(tried, key=lambda one: one.penalty)

    def _try(self, penalty: float) -> Candidate:
        before = self.tried_before.get(penalty)
        if before is not None:
            return Candidate(penalty, float(before["merit"]), before.get("error"))
        found = {"loss": self._by_loss, "halves": self._by_halves, "match": self._by_match}[self.by](penalty)
        self.run.event("candidate", **asdict(found))
        return found

    def _fit(self, rows: npt.NDArray[np.bool_], penalty: float, name: str) -> Solve:
        place = self.run.path / f"choosing-{name}-{penalty:g}.npz"
        found = solve(self.problem, rows, penalty, checked=None, place=place, progress=Silent())
        place.unlink(missing_ok=True)
        return found

    def _by_loss(self, penalty: float) -> Candidate:
        seed = derive(self.problem.settings.seed, "choosing")
        inner = share_of_games(
            self.problem.cases.game, self.splits.training, 1 - self.problem.settings.validation, seed
        )
        found = self._fit(inner, penalty, "loss")
        outside = (self.splits.training & ~inner).astype(np.float32)
        return Candidate(penalty, -found.objective.data_loss(found.x, outside))

    def _by_halves(self, penalty: float) -> Candidate:
        half = folds(self.problem.cases.game, self.splits.training, 2, derive(self.problem.settings.seed, "halves"))
        start, rows = self.problem.cases.start, self.problem.cases.rows
        one, other = (
            rows.times(self._fit(half == i, penalty, f"half{i}").x - start)[self.splits.validation] for i in (0, 1)
        )
        size = float(np.sqrt(float(one @ one) * float(other @ other)))
        return Candidate(penalty, float(one @ other) / size if size > 0 else 1.0)

    def _by_match(self, penalty: float) -> Candidate:
        assert self.elo is not None
        found = self._fit(self.splits.training, penalty, "match")
        elo, error = self.elo(found.x, f"penalty-{penalty:g}")
        return Candidate(penalty, elo, error)
