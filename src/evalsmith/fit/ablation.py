"""Ablation: what each source, filter or group of terms is worth, measured by a fit without it.

Every variant is judged on the same held-out positions as the complete fit, game by game, so that the difference has an
error: above 0, the fit without it is worse, and it earns its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.fit.candidates import QUIET
from evalsmith.fit.filters import filtering
from evalsmith.fit.fitting import start_of
from evalsmith.fit.joint.choosing import Chooser
from evalsmith.fit.joint.fitter import Problem, solve
from evalsmith.fit.joint.judging import Comparison, compare, row_losses
from evalsmith.fit.joint.preparing import prepare
from evalsmith.fit.jointly import joint_cases, surroundings_of, weights_of
from evalsmith.fit.proving import play_candidate
from evalsmith.fit.request import Data, TuneRequest, check_terms, resolve_request
from evalsmith.fit.tuning import POSITIONS, Say, open_positions
from evalsmith.positions.samples import Samples
from evalsmith.positions.store.dataset import Dataset
from evalsmith.positions.transform.mixture import Mixture
from evalsmith.run import InputError, RunFolder, Silent, write_json
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import cores
from evalsmith.weights import Weights

DROPS = ("group", "source", "filter")
FULL = "nothing"
Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Ablated:
    """A fit without one thing beside the complete fit. ``elo`` is that of the fit without it, if it was played."""

    name: str
    positions: int
    comparison: Comparison
    elo: float | None = None
    elo_error: float | None = None

    @property
    def cost(self) -> float:
        """How much larger the held-out loss is without it."""
        return self.comparison.difference


@dataclass(frozen=True, repr=False)
class AblationResult(RunResult):
    """What each thing is worth; the one that costs most to leave out comes first."""

    drop: str
    full_loss: float
    variants: tuple[Ablated, ...]
    run: Path | None = None

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith ablate --json``."""
        variants = [{**asdict(one), "cost": one.cost, "error": one.comparison.error} for one in self.variants]
        return {"drop": self.drop, "loss": self.full_loss, "variants": variants}

    def tables(self) -> tuple[TextTable, ...]:
        """The variants, and how to read them."""
        played = any(one.elo is not None for one in self.variants)
        columns = (
            f"without {self.drop}",
            "positions",
            "loss",
            "cost",
            "±",
            "cost/±",
            *(("Elo", "± ") if played else ()),
        )
        rows = []
        for one in self.variants:
            error = one.comparison.error
            ratio = f"{one.cost / error:+.1f}" if error > 0 else ""
            elo = (f"{one.elo:+.0f}", f"{one.elo_error:.0f}") if one.elo is not None else ("", "")
            loss = (f"{one.comparison.fitted:.6f}", f"{one.cost:+.6f}", f"{error:.6f}", ratio)
            rows.append((one.name, one.positions, *loss, *(elo if played else ())))
        sentences = (
            f"held-out loss of the complete fit: {self.full_loss:.6f}; cost is how much larger it is without it, ± one "
            "standard error; what costs less than twice its error has not shown that it earns its place",
        )
        return (TextTable(columns, tuple(rows), sentences),)


def ablate(
    data: Data,
    output: Path | str,
    *,
    drop: str = "group",
    config: Path | str | None = None,
    prove: bool = False,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    say: Say = lambda text: None,
    **settings: Any,
) -> AblationResult:
    """Refit without each source, filter or group of terms, and compare the losses on held-out games.

    ablate("tune.toml", "ablation", drop="group").variants[0].name
    """
    if drop not in DROPS:
        raise InputError(f"drop must be {', '.join(DROPS[:-1])} or {DROPS[-1]}, not {drop!r}")
    request = resolve_request(data, None, config=config, settings=settings)
    folder = Path(output)
    place = {"kind": "ablate", "drop": drop, "prove": prove, "sources": [str(path) for path in request.sources]}
    with RunFolder(folder, {**place, **request.settings.to_table()}) as run:
        dataset = open_positions(request, folder / POSITIONS, progress=progress, say=say)
        ablation = _Ablation(request, dataset, run, prove, concurrency or request.concurrency or cores())
        result = ablation.measure(drop, progress)
        write_json(folder / "result.json", result.to_json())
        return result


class _Ablation:
    """The complete fit, and fits without something."""

    def __init__(
        self, request: TuneRequest, dataset: Dataset | Mixture, run: RunFolder, prove: bool, threads: int
    ) -> None:
        self.settings, self.dataset, self.run, self.prove = request.settings, dataset, run, prove
        self.game, self.threads = dataset.game, threads
        check_terms(self.game, replace(self.settings, method="newton"))
        self.samples: Samples = dataset.read()
        self.start: Weights = start_of(self.game, self.settings)
        self.loss = self.settings.loss_for(self.game)
        # The filters choose rows, so one set of rows serves every variant.
        self.cases = joint_cases(self.game, self.samples, self.start, run, self.settings, threads=threads)
        around = surroundings_of(self.samples, self.cases, self.start, run, self.settings, threads=threads)
        chosen, _ = Chooser(self.cases, self.settings, self.loss, around).choose()
        self.cases = replace(self.cases, filters=filtering(self.samples, chosen, self.cases.filters.get(QUIET)))
        prepared = prepare(self.cases, chosen, self.loss, threads=threads)
        self.problem, self.splits, self.penalty = prepared.problem, prepared.splits, prepared.penalty

    def _passing(self, without: str) -> Flags:
        """The rows that every filter lets through, but for one."""
        kept = {name: flags for name, flags in self.cases.filters.items() if name != without}
        return replace(self.cases, filters=kept).passing

    def measure(self, drop: str, progress: Watch) -> AblationResult:
        """Fit everything, then each variant; what a killed run has finished is not fitted again."""
        variants = dict(self._variants(drop))
        if not variants:
            raise InputError(f"there is no {drop} to leave out")
        full = self._solve(FULL, self.problem, self.splits.training)
        finished = {event["name"]: event for event in self.run.events("variant")}
        found = []
        with progress(f"leaving out each {drop}", len(variants), "fits") as bar:
            for name, (problem, rows) in variants.items():
                event = finished.get(name)
                found.append(self._fit(name, problem, rows, full) if event is None else _from_event(event))
                bar.advance()
        found.sort(key=lambda one: -one.cost)
        held = self.splits.validation.astype(np.float32)
        loss = self.problem.objective(self.splits.training, self.penalty).data_loss(full, held)
        return AblationResult(drop, loss, tuple(found), self.run.path)

    def _variants(self, drop: str) -> Iterator[tuple[str, tuple[Problem, Flags]]]:
        """The problem and the fitted rows without each thing."""
        training = self.splits.training
        if drop == "group":
            for name, _ in self.cases.layout.features:
                group = self.cases.names.features(name)
                start = np.where(group, 0.0, self.cases.start)
                yield name, (replace(self.problem, cases=replace(self.cases, start=start, free=~group)), training)
        elif drop == "source":
            names = [
                str(source.get("name", number)) for number, source in enumerate(getattr(self.dataset, "sources", ()))
            ]
            for number in np.unique(self.samples.source):
                rows = training & (self.samples.source != number)
                if rows.any():
                    yield names[number] if number < len(names) else f"source {number}", (self.problem, rows)
        else:
            held = set(np.unique(self.cases.game[self.splits.validation | self.splits.test]).tolist())
            fitted_game = ~np.isin(self.cases.game, np.array(sorted(held), dtype=np.int64))
            known = ~np.isnan(self.problem.target)
            for name in self.cases.filters:
                yield name, (self.problem, known & fitted_game & self._passing(name))

    def _solve(self, name: str, problem: Problem, rows: Flags) -> Vector:
        place = self.run.path / f"without-{'-'.join(name.split())}.npz".replace("/", "-")
        found = solve(problem, rows, self.penalty, checked=None, place=place, progress=Silent())
        place.unlink(missing_ok=True)
        return np.rint(found.x)

    def _fit(self, name: str, problem: Problem, rows: Flags, full: Vector) -> Ablated:
        x = self._solve(name, problem, rows)
        held = self.splits.validation
        losses = [
            row_losses(self.cases.rows.times(w)[held], self.problem.target[held], self.loss, self.problem.k)
            for w in (full, x)
        ]
        found = Ablated(name, int(rows.sum()), compare(losses[0], losses[1], self.cases.game[held]))
        if self.prove:
            folder = self.run.path / "matches" / "-".join(name.split())
            whole, part = weights_of(self.start, full), weights_of(self.start, x)
            elo, error = play_candidate(part, whole, folder, self.settings, concurrency=self.threads)
            found = replace(found, elo=elo, elo_error=error)
        self.run.event("variant", **asdict(found))
        return found


def _from_event(event: dict[str, Any]) -> Ablated:
    """A variant that an earlier run finished."""
    numbers = {name: event[name] for name in ("name", "positions", "elo", "elo_error")}
    return Ablated(comparison=Comparison(**event["comparison"]), **numbers)
