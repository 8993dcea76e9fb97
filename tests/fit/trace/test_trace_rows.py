"""From a trace to a fit and back: predictions are the engine's evaluation, and a fit finds the weights that made it."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from evalsmith.fit.joint.objective import Objective, Penalty, fit_k, probability
from evalsmith.fit.methods import MethodSettings, minimise
from evalsmith.fit.trace import Trace, check_trace, read_trace, trace_rows, trace_space, write_trace_weights
from evalsmith.weights import read_outside_weights

NAMES = ("pawn", "knight", "rook", "passed", "rest", "tempo")
KINDS = ("", "", "", "", "fixed", "single")
TRUE = np.array([[90, 310, 480, 15, 1, 12], [120, 290, 530, 40, 1, 12]])
START = np.array([[100, 300, 500, 0, 1, 0], [100, 300, 500, 0, 1, 0]])


def write_engine_trace(path: Path, rows: int, *, split: bool, shown: np.ndarray = START) -> None:
    """What an engine with these features would print; scores come from TRUE, and eval from its start values."""
    random = np.random.default_rng(5)
    lines = ["# evalsmith-trace 1", "# phase 24"]
    for i, (name, kind) in enumerate(zip(NAMES, KINDS, strict=True)):
        lines.append(f"# feature {name},{name},{START[0, i]},{START[1, i]},{kind}")
    lines.append("result,score,phase,eval,game,features")
    for number in range(rows):
        counts = random.integers(-3, 4, (1, len(NAMES))).repeat(2, axis=0)
        if split:
            counts[1, 3] = random.integers(-3, 4)
        counts[:, 4], counts[:, 5] = random.integers(-20, 21), random.choice([-1, 1])
        phase = int(random.integers(0, 25))
        score, printed = (engine_value(counts, weights, phase) for weights in (TRUE, shown))
        result = int(random.random() < probability(np.array([float(score)]), 1.0)[0])
        entries = " ".join(
            f"{i}:{a}" if a == b else f"{i}:{a}:{b}" for i, (a, b) in enumerate(counts.T.tolist()) if a or b
        )
        lines.append(f"{result},{score},{phase},{printed},{number // 10},{entries}")
    path.write_text("\n".join(lines) + "\n")


def engine_value(counts: np.ndarray, weights: np.ndarray, phase: int) -> int:
    """The evaluation as a C++ engine has it: integers, one division towards zero, the tempo behind it."""
    mg, eg = (int((counts[column, :5] * weights[column, :5]).sum()) for column in (0, 1))
    total = mg * phase + eg * (24 - phase)
    return int(abs(total) // 24) * (1 if total >= 0 else -1) + int(counts[0, 5] * weights[0, 5])


@pytest.fixture(params=[False, True], ids=["one count", "two counts"])
def trace(tmp_path: Path, request: pytest.FixtureRequest) -> Trace:
    write_engine_trace(tmp_path / "trace.csv", 600, split=request.param)
    found = read_trace(tmp_path / "trace.csv")
    assert (found.middle is found.ending) is not request.param
    return found


def test_predictions_are_the_evaluation_without_its_rounding(trace: Trace) -> None:
    assert check_trace(trace).compared == 600
    rows = trace_rows(trace)
    assert rows.unknowns == len(trace.start_values) == 12 and len(rows) == 600
    off = rows.times(trace.start_values) - trace.printed
    assert np.abs(off).max() < 1 and np.abs(rows.times(TRUE.reshape(-1).astype(float)) - trace.score).max() < 1


@pytest.mark.parametrize("method", ["newton", "lbfgs"])
def test_a_fit_finds_the_weights_behind_the_scores(trace: Trace, tmp_path: Path, method: str) -> None:
    start = trace.start_values
    rows, target = trace_rows(trace), probability(trace.score, 1.0)
    penalty = Penalty(np.full(12, 1e-9), start)
    objective = Objective(rows, target, loss="logistic", k=1.0, penalty=penalty, space=trace_space(trace))
    found = minimise(objective, start, MethodSettings(method=method, tolerance=1e-12))
    assert np.abs(found.x - TRUE.reshape(-1)).max() < 1
    assert (found.x[[4, 10]] == 1).all() and found.x[5] == found.x[11]
    path = write_trace_weights(trace, found.x, tmp_path / "weights.csv")
    written = read_outside_weights(path)
    assert np.abs(written.values - TRUE).max() <= 1 and written.features == trace.weights.features
    assert (written.values == np.rint(written.values)).all()
    # The file that was written is the start of the next fit.
    again = read_trace(trace.paths[0], path)
    assert (again.start_values == written.values.reshape(-1)).all()


def test_k_of_results(trace: Trace) -> None:
    rows = trace_rows(trace)
    k = fit_k(rows.times(TRUE.reshape(-1).astype(float)), trace.result, np.ones(600, np.float32), "logistic")
    assert 0.7 < k < 1.4


def test_a_trace_that_disagrees_with_its_engine_is_named(tmp_path: Path) -> None:
    write_engine_trace(tmp_path / "trace.csv", 20, split=False, shown=TRUE)
    with pytest.raises(ValueError, match=r"trace\.csv, line 10: the engine printed .* nothing was fitted"):
        check_trace(read_trace(tmp_path / "trace.csv"))


def test_weights_as_a_source(trace: Trace, tmp_path: Path) -> None:
    path = write_trace_weights(trace, TRUE.reshape(-1) + 0.4, tmp_path / "weights.py")
    assert runpy.run_path(str(path))["KNIGHT"] == [[310], [290]] and runpy.run_path(str(path))["TEMPO"] == [[12]]


def test_an_engine_without_phases(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    rows = "".join(f"{90 * a + 480 * b},{a * 100 + b * 500},0:{a} 1:{b}\n" for a in (-2, -1, 1) for b in (-1, 1, 3))
    path.write_text("# feature pawn,p,100\n# feature rook,r,500\nscore,eval,features\n" + rows)
    trace = read_trace(path)
    check_trace(trace)
    objective = Objective(trace_rows(trace), trace.score, loss="squared", space=trace_space(trace))
    assert np.allclose(minimise(objective, trace.start_values).x, [90, 480], atol=1e-3)
