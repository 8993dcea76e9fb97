"""One joint fit from cases to judged weights, in stages that a killed run does not repeat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.fit.joint.cases import Cases
from evalsmith.fit.joint.choosing import Chooser
from evalsmith.fit.joint.fitter import Problem, Solve, SolveInterrupted, solve
from evalsmith.fit.joint.inspect import standard_errors, undetermined
from evalsmith.fit.joint.judging import Bin, Comparison, calibration, compare, residuals, row_losses, scale_of
from evalsmith.fit.joint.outcome import Fold, JointFit, Rounding, Undetermined
from evalsmith.fit.joint.preparing import prepare
from evalsmith.fit.joint.rounding import rounded
from evalsmith.fit.joint.splits import Splits, folds, share_of_games
from evalsmith.fit.joint.surroundings import Surroundings
from evalsmith.fit.joint.targets import probability
from evalsmith.fit.settings import AUTO, SQUARED, TuneSettings
from evalsmith.run import Interrupted

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

SHARES = {"an eighth": 1 / 8, "a quarter": 1 / 4, "half": 1 / 2}
NAMED = 50  # weights that are named in a result at most


def fit_cases(cases: Cases, settings: TuneSettings, loss: str, around: Surroundings) -> JointFit:
    """Fit weights to cases: what is chosen first, then K, then the weights, then everything that judges them."""
    main: Solve | None = None
    try:
        settings, chosen = Chooser(cases, settings, loss, around).choose()
        if chosen and around.filters is not None:
            cases = replace(cases, filters=around.filters(settings))
        prepared = prepare(cases, settings, loss, threads=around.threads)
        problem, splits, penalty = prepared.problem, prepared.splits, prepared.penalty
        main = _main(problem, splits, penalty, around)
        folds, curve = _folds(problem, splits, penalty, around), _curve(problem, splits, penalty, around)
        whole = rounded(main.objective, main.x)
        return _judged(problem, splits, main, whole.x.astype(np.float64)).with_details(
            chosen=chosen,
            folds=folds,
            curve=curve,
            penalty=penalty,
            dropped=prepared.dropped,
            k_note=prepared.note,
            rounding=Rounding(whole.loss_exact, whole.loss_rounded, whole.loss_repaired),
        )
    except SolveInterrupted as error:
        raise _interrupted(error.x if main is None else main.x, around) from None
    except KeyboardInterrupt:
        if main is None:
            raise
        raise _interrupted(main.x, around) from None


def _interrupted(x: Vector | None, around: Surroundings) -> Interrupted:
    """What to say of an interrupted fit, after its best weights were saved; folds are of part of the games only."""
    saved = "" if x is None or around.best is None else f"; the best weights so far: {around.best(x)}"
    return Interrupted(f"the fit is saved in {around.run.path}; run the same command to resume{saved}")


def _main(problem: Problem, splits: Splits, penalty: float, around: Surroundings) -> Solve:
    with around.progress("fitting", None, "passes") as bar:
        place = around.run.path / "fit.npz"
        return solve(problem, splits.training, penalty, checked=splits.validation, place=place, progress=bar)


def _part(
    problem: Problem, rows: Flags, checked: Flags, penalty: float, place: Path, around: Surroundings
) -> Comparison:
    """A fit to some rows, judged on others."""
    with around.progress(place.stem, None, "passes") as bar:
        found = solve(problem, rows, penalty, checked=checked, place=place, progress=bar)
    place.unlink(missing_ok=True)
    return _compare(problem, np.rint(found.x), checked)


def _stored(around: Surroundings, kind: str) -> dict[str, Fold]:
    """The folds that a killed run has finished, by name."""
    stored: dict[str, Fold] = {}
    for event in around.run.events(kind):
        try:
            stored[event["name"]] = Fold(event["name"], int(event["games"]), Comparison(**event["comparison"]))
        except (KeyError, TypeError, ValueError):
            continue
    return stored


def _parts(
    problem: Problem, parts: dict[str, tuple[Flags, Flags]], penalty: float, kind: str, around: Surroundings
) -> tuple[Fold, ...]:
    """Fits to several parts of the games, each judged on its own rows; finished ones are not fitted again."""
    finished = _stored(around, kind)
    found: list[Fold] = []
    for name, (rows, checked) in parts.items():
        if name not in finished:
            place = around.run.path / f"{kind}-{len(found) + 1}.npz"
            games = len(np.unique(problem.cases.game[rows]))
            finished[name] = Fold(name, games, _part(problem, rows, checked, penalty, place, around))
            comparison = {key: getattr(finished[name].comparison, key) for key in Comparison.__dataclass_fields__}
            around.run.event(kind, name=name, games=games, comparison=comparison)
        found.append(finished[name])
    return tuple(found)


def _folds(problem: Problem, splits: Splits, penalty: float, around: Surroundings) -> tuple[Fold, ...]:
    """K-fold validation: every game outside the test judges one fit."""
    count = problem.settings.k_fold
    if count is None:
        return ()
    rows = splits.training | splits.validation
    of_row = folds(problem.cases.game, rows, count, problem.settings.seed)
    parts = {f"{i + 1}": (rows & (of_row != i), of_row == i) for i in range(count)}
    return _parts(problem, parts, penalty, "fold", around)


def _curve(problem: Problem, splits: Splits, penalty: float, around: Surroundings) -> tuple[Fold, ...]:
    """The learning curve: fits to ever more of the games, judged on the same held-out ones."""
    if not problem.settings.learning_curve:
        return ()
    seed, games = problem.settings.seed, problem.cases.game
    parts = {
        name: (share_of_games(games, splits.training, share, seed), splits.validation) for name, share in SHARES.items()
    }
    parts = {name: part for name, part in parts.items() if part[0].any()}
    return _parts(problem, {**parts, "all": (splits.training, splits.validation)}, penalty, "curve", around)


# ── Judging ──


def _compare(problem: Problem, x: Vector, rows: Flags) -> Comparison:
    """Both losses on some rows."""
    cases, target = problem.cases, problem.target[rows]
    losses = [row_losses(cases.rows.times(w)[rows], target, problem.loss, problem.k) for w in (cases.start, x)]
    return compare(losses[0], losses[1], cases.game[rows])


def _judged(problem: Problem, splits: Splits, main: Solve, x: Vector) -> JointFit:
    """The fit with everything that is measured of it."""
    cases, loss, k = problem.cases, problem.loss, problem.k
    predicted = {"start": cases.rows.times(cases.start), "fitted": cases.rows.times(x)}
    held = splits.validation
    compared = {}
    for name, rows in splits.named().items():
        losses = [row_losses(predicted[way][rows], problem.target[rows], loss, k) for way in ("start", "fitted")]
        compared[name] = compare(losses[0], losses[1], cases.game[rows])
    shown = {
        way: values[held] if loss == SQUARED else probability(values[held], k) for way, values in predicted.items()
    }
    actual = problem.target[held]
    bins = () if loss == SQUARED else calibration(shown["fitted"], _outcomes(problem, held))
    used = splits.training | splits.validation | splits.test
    errors = standard_errors(main.objective, x, cases.game)
    return JointFit(
        x=x,
        errors=errors,
        loss=loss,
        method="newton" if problem.settings.method == AUTO else problem.settings.method,
        k=k,
        target=problem.settings.target,
        penalty=float("nan"),
        splits=compared,
        iterations=main.iterations,
        passes=main.passes,
        converged=main.converged,
        stopped=main.stopped,
        positions=int(used.sum()),
        games=len(np.unique(cases.game[used])),
        history=main.history,
        rounding=Rounding(0.0, 0.0, 0.0),
        scale=scale_of(predicted["start"][held], predicted["fitted"][held]),
        calibration=bins,
        phases=residuals(cases.phase[held].astype(np.float64), shown, actual, "phase"),
        material=_by_material(problem, held, shown, actual),
        undetermined=_undetermined(problem, main),
    )


def _outcomes(problem: Problem, rows: Flags) -> Vector:
    """What came of positions: results where they are known, else the targets."""
    result = problem.cases.result[rows]
    return np.where(np.isnan(result), problem.target[rows], result)


def _by_material(problem: Problem, rows: Flags, shown: dict[str, Vector], actual: Vector) -> tuple[Bin, ...]:
    """Residuals by the balance of material, where the evaluation has such a feature."""
    names = problem.cases.names
    if "material" not in [name for name, _ in names.layout.features]:
        return ()
    only = np.where(names.features("material"), problem.cases.start, 0.0)
    return residuals(problem.cases.rows.times(only)[rows], shown, actual, "material")


def _undetermined(problem: Problem, main: Solve) -> Undetermined:
    """What the data does not determine, by name."""
    found, names = undetermined(main.objective), problem.cases.names
    return Undetermined(
        tuple(names.name(int(i)) for i in found.never_seen[:NAMED]),
        tuple(tuple(names.name(int(i)) for i in group) for group in found.groups[:NAMED]),
    )
