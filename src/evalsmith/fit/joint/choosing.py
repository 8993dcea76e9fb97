"""Settings of a joint fit chosen by short matches, by how far fits on two halves agree, or by held-out loss.

Held-out loss does not rank fits by strength: penalties that tie in loss can differ by a hundred Elo. Two fits to two
halves of the games show what of a change is signal: what both halves say. A match measures what counts, at the price of
the games.

All candidates of a setting are judged on the same rows of games that they were not fitted to. Where their targets
differ, losses are those against the results of the games, each with the K that suits it best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.candidates import PENALTY, TARGET, Value, value_text
from evalsmith.fit.joint.cases import Cases
from evalsmith.fit.joint.fitter import solve
from evalsmith.fit.joint.judging import Comparison, compare, row_losses
from evalsmith.fit.joint.preparing import Prepared, prepare
from evalsmith.fit.joint.splits import folds, share_of_games
from evalsmith.fit.joint.surroundings import Surroundings
from evalsmith.fit.joint.targets import DEFAULT_K, k_of, probability
from evalsmith.fit.settings import AUTO, LOGISTIC, SQUARED, TuneSettings
from evalsmith.run import InputError, Silent, derive

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

AGREEMENT = 0.9  # the correlation from which on two halves count as saying the same
EVEN = 100.0  # the penalty with which halves compare candidates of anything else, so that none is held more
CHANGES_TARGET = (TARGET, "result_share", "k")
FIGURES = {
    "loss": "change of the loss on held-out games",
    "halves": "agreement of two halves",
    "match": "Elo against the start",
}


@dataclass(frozen=True)
class Candidate:
    """A value that was tried, and its figure: Elo, agreement or the change of the loss, with an error if it has one."""

    value: Value
    figure: float
    error: float | None = None

    def text(self, by: str) -> str:
        """The figure as it is shown."""
        if by == "halves":
            return f"{self.figure:.3f}"
        return f"{self.figure:+.0f}" if by == "match" else f"{self.figure:+.6f}"

    def error_text(self, by: str) -> str:
        """The error as it is shown."""
        if self.error is None:
            return ""
        return f"{self.error:.0f}" if by == "match" else f"{self.error:.6f}"


@dataclass(frozen=True)
class Chosen:
    """The value that was chosen for a setting, how, and what was tried for it."""

    setting: str
    value: Value
    by: str
    tried: tuple[Candidate, ...]

    def to_json(self) -> dict[str, Any]:
        """The choice as it stands in ``result.json``."""
        return {
            "setting": self.setting,
            "value": self.value,
            "by": self.by,
            "figure": FIGURES[self.by],
            "tried": [{**asdict(one), "text": value_text(one.value)} for one in self.tried],
        }

    @property
    def lost(self) -> bool:
        """Whether even the best candidate lost its match by more than its error."""
        best = max(self.tried, key=lambda one: one.figure)
        return self.by == "match" and best.figure + (best.error or 0.0) < 0

    def sentence(self) -> str:
        """What was chosen, in one sentence."""
        name = self.setting.replace("_", " ")
        return f"{name} {value_text(self.value)}, chosen among {len(self.tried)} by {FIGURES[self.by]}"


@dataclass(frozen=True)
class _Entrant:
    """A candidate before it is tried; ``name`` is that of its files."""

    value: Value
    prepared: Prepared
    name: str


class Chooser:
    """Tries candidates one after another; what a killed run has tried is not tried again."""

    def __init__(self, cases: Cases, settings: TuneSettings, loss: str, around: Surroundings) -> None:
        self.cases, self.settings, self.loss, self.around = cases, settings, loss, around
        self.by = settings.choose_by
        if self.by == AUTO:
            self.by = "halves" if around.elo is None else "match"
        self.tried_before: dict[tuple[str, str], Candidate] = {}
        for event in around.run.events("candidate"):
            if "setting" in event:
                found = Candidate(event["value"], float(event["figure"]), event["error"])
                self.tried_before[event["setting"], value_text(found.value)] = found

    def choose(self) -> tuple[TuneSettings, tuple[Chosen, ...]]:
        """The settings with everything chosen, and how it was."""
        if self.settings.choices and self.by == "match" and self.around.elo is None:
            raise InputError("these weights cannot be played from here; use --choose-by halves or --choose-by loss")
        settings = replace(self.settings, choose=())
        if settings.penalty == AUTO:
            settings = replace(settings, penalty=None)
        chosen = []
        for name, values in self.settings.choices.items():
            found = self._choose(name, values or self._known_targets(), settings)
            settings = settings.override({name: found.value})
            chosen.append(found)
        return settings, tuple(chosen)

    def _known_targets(self) -> tuple[Value, ...]:
        """The targets that the positions have."""
        scored, decided = bool((~np.isnan(self.cases.score)).any()), bool((~np.isnan(self.cases.result)).any())
        if not (scored and decided):
            raise InputError(
                "the positions have only scores or only results: no target is to choose; remove target from choose"
            )
        return ("score", "result", "mix")

    def _choose(self, name: str, values: Sequence[Value], settings: TuneSettings) -> Chosen:
        """The best value of one setting."""
        entrants = [self._entrant(name, value, settings) for value in values]
        tried = []
        with self.around.progress(f"choosing {name.replace('_', ' ')}", len(entrants), "candidates") as bar:
            for one in entrants:
                tried.append(self._try(name, one, entrants))
                bar.advance()
        return Chosen(name, self._best(name, tried).value, self.by, tuple(tried))

    def _entrant(self, name: str, value: Value, settings: TuneSettings) -> _Entrant:
        tried = settings.override({name: value})
        filters = self.cases.filters if self.around.filters is None else self.around.filters(tried)
        prepared = prepare(replace(self.cases, filters=filters), tried, self.loss, threads=self.around.threads)
        return _Entrant(value, prepared, f"{name}-{value_text(value)}")

    def _best(self, name: str, tried: list[Candidate]) -> Candidate:
        if self.by == "loss":
            return min(tried, key=lambda one: one.figure)
        if self.by == "match" or name != PENALTY:
            return max(tried, key=lambda one: one.figure)
        # The least penalty with which halves agree: what it still lets through is signal.
        agreeing = [one for one in tried if one.figure >= AGREEMENT]
        return min(agreeing, key=_penalty) if agreeing else max(tried, key=_penalty)

    def _try(self, name: str, one: _Entrant, entrants: list[_Entrant]) -> Candidate:
        before = self.tried_before.get((name, value_text(one.value)))
        if before is not None:
            return before
        if self.by == "match":
            found = self._by_match(one)
        elif self.by == "halves":
            found = self._by_halves(name, one, _common([each.prepared.splits.validation for each in entrants]))
        else:
            found = self._by_loss(name, one, _common([each.prepared.splits.training for each in entrants]))
        self.around.run.event("candidate", setting=name, **asdict(found))
        return found

    def _fit(self, one: _Entrant, rows: Flags, part: str, penalty: float | None = None) -> Vector:
        place = self.around.run.path / f"choosing-{one.name}-{part}.npz"
        strength = one.prepared.penalty if penalty is None else penalty
        found = solve(one.prepared.problem, rows, strength, checked=None, place=place, progress=Silent())
        place.unlink(missing_ok=True)
        return found.x

    def _by_match(self, one: _Entrant) -> Candidate:
        assert self.around.elo is not None
        return Candidate(one.value, *self.around.elo(self._fit(one, one.prepared.splits.training, "match"), one.name))

    def _by_halves(self, name: str, one: _Entrant, judged: Flags) -> Candidate:
        training, seed = one.prepared.splits.training, derive(self.settings.seed, "halves")
        half = folds(self.cases.game, training, 2, seed)
        given = one.prepared.problem.settings
        free = name != PENALTY and given.penalty is None and given.regularization is None and self.loss != SQUARED
        first, second = (
            self.cases.rows.times(
                self._fit(one, half == i, f"half{i}", EVEN if free else None) - self.cases.start, self.around.threads
            )[judged]
            for i in (0, 1)
        )
        size = float(np.sqrt(float(first @ first) * float(second @ second)))
        return Candidate(one.value, float(first @ second) / size if size > 0 else 1.0)

    def _by_loss(self, name: str, one: _Entrant, common: Flags) -> Candidate:
        share, seed = 1 - self.settings.validation, derive(self.settings.seed, "choosing")
        fitted = share_of_games(self.cases.game, one.prepared.splits.training, share, seed)
        x = self._fit(one, fitted, "loss")
        judged = common & ~share_of_games(self.cases.game, common, share, seed)
        if name in CHANGES_TARGET and self.loss != SQUARED:
            found = self._against_results(x, fitted, judged)
        else:
            problem = one.prepared.problem
            losses = [
                row_losses(self._values(w)[judged], problem.target[judged], self.loss, problem.k)
                for w in (self.cases.start, x)
            ]
            found = compare(losses[0], losses[1], self.cases.game[judged])
        return Candidate(one.value, found.difference, found.error)

    def _against_results(self, x: Vector, fitted: Flags, judged: Flags) -> Comparison:
        """The losses against results, or against scores where there are none, each with its own K."""
        target = self.cases.result
        if not (judged & ~np.isnan(target)).any():
            target = probability(self.cases.score, DEFAULT_K)
        known, judged = fitted & ~np.isnan(target), judged & ~np.isnan(target)
        losses = []
        for values in (self._values(self.cases.start), self._values(x)):
            k = k_of(values[known], target[known], LOGISTIC).k
            losses.append(row_losses(values[judged], target[judged], LOGISTIC, k))
        return compare(losses[0], losses[1], self.cases.game[judged])

    def _values(self, x: Vector) -> Vector:
        return self.cases.rows.times(x, self.around.threads)


def _penalty(one: Candidate) -> float:
    return float(one.value)


def _common(rows: Sequence[Flags]) -> Flags:
    """The rows that all candidates have."""
    found: Flags = np.logical_and.reduce(list(rows))
    if not found.any():
        raise InputError("no position is held out by all candidates, so they cannot be compared; use --choose-by match")
    return found
