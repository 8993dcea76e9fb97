"""Tuning an outside engine: its trace in, its weights out, fitted and judged as a game's own weights are."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.fit.candidates import FILTERS
from evalsmith.fit.joint.cases import GIGABYTE, Cases
from evalsmith.fit.joint.names import WeightNames
from evalsmith.fit.joint.run import fit_cases
from evalsmith.fit.joint.surroundings import Surroundings
from evalsmith.fit.jointly import BEST, TABLE, joint_result, weight_table
from evalsmith.fit.request import TuneRequest
from evalsmith.fit.results import FitResult
from evalsmith.fit.settings import AUTO, LOGISTIC, TuneSettings
from evalsmith.fit.trace import READERS, Trace, check_trace, fitted_trace_weights, read_trace, trace_rows
from evalsmith.positions.store.dataset import is_dataset
from evalsmith.records.opening import bare_suffix
from evalsmith.run import InputError, RunFolder, write_json
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import cores
from evalsmith.weights.export import write_weights_as

Vector = npt.NDArray[np.float64]
Say = Callable[[str], None]

_OF_POSITIONS = ("quiet", "quiet_threshold", "min_rating", "max_rating", "positions_per_game", "initial_weights")
_OF_PLIES = ("skip_opening", "skip_closing")


def is_trace(sources: Sequence[Path]) -> bool:
    """Whether the sources are traces: files whose suffix says so, and no datasets."""
    return bool(sources) and all(bare_suffix(path) in READERS and not is_dataset(path) for path in sources)


def tune_trace(
    request: TuneRequest, folder: Path, fingerprint: str, *, progress: Watch = unwatched, say: Say = lambda text: None
) -> FitResult:
    """Fit the weights of a trace, once every row of it gives the value that the engine printed."""
    began, settings = time.perf_counter(), _checked(request.settings)
    with progress("reading the trace", None, "rows") as bar:
        trace = read_trace(request.sources, settings.features, advance=bar.advance)
    say(str(check_trace(trace)))
    config = {
        "kind": "tune",
        "sources": [str(path) for path in request.sources],
        "content": fingerprint,
        **settings.to_table(),
    }
    with RunFolder(folder, config) as run:
        cases = _cases(trace, settings, run)
        threads = request.concurrency or cores()
        around = Surroundings(run, threads=threads, best=partial(_save_best, trace, run), progress=progress)
        found = fit_cases(cases, settings, LOGISTIC if settings.loss == AUTO else settings.loss, around)
        (run.path / TABLE).write_text(weight_table(cases, found), encoding="utf-8")
        weights = fitted_trace_weights(trace, found.x, request.output.stem if request.output else "tuned")
        result = joint_result(weights, found, settings, run, time.perf_counter() - began)
        write_json(run.path / "result.json", {**result.to_json(), "game": None, "unit": "centipawn"})
        return result


def _checked(settings: TuneSettings) -> TuneSettings:
    """Refuse settings that a trace has no use for, because they would look obeyed."""
    plain = TuneSettings()
    given = [name for name in (*_OF_POSITIONS, *_OF_PLIES) if getattr(settings, name) != getattr(plain, name)]
    if given:
        raise InputError(f"{', '.join(given)}: a trace has counts, not positions; choose its positions before tracing")
    filters = [name for name in settings.choices if name in FILTERS]
    if filters:
        raise InputError(f"choose {', '.join(filters)}: a trace has counts, not positions, so it has no such filter")
    if settings.prove:
        raise InputError("matches of a traced engine are played by 'evalsmith match' with both builds of the engine")
    return settings


def _cases(trace: Trace, settings: TuneSettings, run: RunFolder) -> Cases:
    max_bytes = None if settings.max_memory is None else int(settings.max_memory * GIGABYTE)
    return Cases(
        names=WeightNames(trace.layout, trace.weights.describe),
        rows=trace_rows(trace, folder=run.path, max_bytes=max_bytes),
        start=trace.start_values,
        result=trace.result,
        score=trace.score,
        value=trace.score,
        labelled=~np.isnan(trace.score),
        game=trace.games,
        phase=np.nan_to_num(trace.phase).astype(np.int32),
        free=trace.free,
        ties=trace.ties,
    )


def _save_best(trace: Trace, run: RunFolder, x: Vector) -> Path:
    return write_weights_as(replace(fitted_trace_weights(trace, x, "best")), run.path / BEST)
