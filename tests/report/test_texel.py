"""The page of a joint fit: losses, calibration, residuals, weights with their errors, folds and proof."""

from __future__ import annotations

import html
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from evalsmith.games import find_game
from evalsmith.report.determined import read_table, weights_of
from evalsmith.report.runs import write_report
from evalsmith.run import InputError
from evalsmith.weights import Layout, starting_weights

FOUR = find_game("connect_four")


def comparison(start: float, fitted: float, games: int = 30) -> dict[str, Any]:
    return {"rows": 20 * games, "games": games, "start": start, "fitted": fitted, "error": 0.000125}


def bins(*names: str, start: float = 0.45) -> list[dict[str, Any]]:
    return [
        {"name": name, "rows": 100, "predicted": 0.1 + 0.2 * i, "actual": 0.12 + 0.2 * i, "start": start}
        for i, name in enumerate(names)
    ]


def result(**changed: Any) -> dict[str, Any]:
    """What ``tune`` writes of a joint fit."""
    return {
        "game": "connect_four",
        "unit": "centistone",
        "loss": "logistic",
        "method": "newton",
        "k": 0.75,
        "target": "result",
        "penalty": 10.0,
        "positions": 12345,
        "games": 330,
        "passes": 11,
        "stopped": "converged",
        "dropped": {"without a value": 3, "not quiet": 0},
        "splits": {"training": comparison(0.21, 0.19, 300), "validation": comparison(0.2125, 0.1975)},
        "history": [{"passes": n, "objective": 0.2 - n / 1e3, "validation": 0.21 - n / 1e3} for n in (6, 11)],
        "rounding": {"exact": 0.19, "rounded": 0.1901, "repaired": 0.19005},
        "scale": {"factor": 1.25, "correlation": 0.98},
        "calibration": bins("0.0–0.1", "0.1–0.2", "0.2–0.3", start=math.nan),
        "by_phase": bins("phase 0 to 4", "phase 4 to 9"),
        "by_material": bins("material -739.917 to 0", "material 0 to 12.5"),
        "undetermined": {"unseen": ["cell of nobody, opening"], "collinear": [["a", "b", "c", "d"]]},
        "folds": None,
        "learning_curve": None,
        "proof": None,
        "stages": [],
        **changed,
    }  # fmt: skip


def folder(tmp_path: Path, document: dict[str, Any], *, table: bool = True) -> Path:
    run = tmp_path / "w.run"
    run.mkdir()
    (run / "config.toml").write_text('kind = "tune"\n')
    (run / "result.json").write_text(json.dumps(document))
    if table:
        lines = ["feature,index,column,start,fitted,error,occurrences"]
        layout, start = Layout.of(FOUR), starting_weights(FOUR)
        describe = {feature.name: feature.describe for feature in FOUR.evaluation.features}
        for column, name in enumerate(layout.columns):
            for index in range(layout.size):
                feature, within = layout.feature_at(index)
                old = int(start.values[column, index])
                changed = (feature, within) == ("move", 0)
                error = "not determined" if index == 0 else "5.1" if changed else f"{0.5 + index / 10:.1f}"
                new, occurrences = (old + 9, 4600) if changed else (old, 100 * index)
                words = f'"{describe[feature](within)}"'
                lines.append(f"{feature},{words},{name},{old},{new},{error},{occurrences}")
        (run / "weights.csv").write_text("\n".join(lines) + "\n")
    return run


def page_of(run: Path) -> tuple[str, str]:
    """The page, and its words without tags."""
    page = write_report(run).read_text(encoding="utf-8")
    return page, re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


def test_losses_by_split_with_their_errors(tmp_path: Path) -> None:
    page, words = page_of(folder(tmp_path, result()))
    assert "validation 30 600 0.212500 0.197500 -0.015000 0.000125" in words
    assert "training 300 6,000 0.210000 0.190000 -0.020000 0.000125" in words
    assert "K 0.750" in words and "1.25 times the starting ones" in words and "Left out: 3 without a value." in words
    assert "Loss over passes" in page and "Predicted against actual" in page and "as predicted" in page


def test_residuals_are_actual_less_predicted_for_both_weights(tmp_path: Path) -> None:
    page, words = page_of(folder(tmp_path, result()))
    assert "By phase" in words and "By material" in words and "-740 to 0" in words
    assert "starting weights" in words and "fitted weights" in words
    assert html.unescape(page).count("0.02") >= 4  # the tooltips of the fitted bars: 0.12 - 0.1 and so on


def test_weights_before_and_after_and_how_sure_they_are(tmp_path: Path) -> None:
    _, words = page_of(folder(tmp_path, result()))
    assert "How well the data determines the weights" in words
    assert "The data determines 81,534 of 81,536 weights; the penalty alone holds the other 2." in words
    changes = words.split("Largest changes, in units of their error")[1]
    assert changes.split("occurrences")[1].strip().startswith("move, having the move opening 10 19 ± 5.1 +1.8 4,600")
    assert "1 weights never occur" in words and "a + b + c + …" in words
    assert "opening: before after difference ending: before after difference" in words
    assert "move: having the move 10 19 +9 5 14 +9" in words


def test_nothing_is_shown_of_what_was_not_done(tmp_path: Path) -> None:
    document = result(by_phase=[], by_material=[], calibration=[], history=[], undetermined={}, scale=None)
    _, words = page_of(folder(tmp_path, document, table=False))
    for heading in ("Residuals", "Calibration", "Loss over passes", "Folds", "Learning curve", "Proof", "The weights"):
        assert heading not in words
    assert "no data" not in words


def test_folds_learning_curve_and_proof(tmp_path: Path) -> None:
    folds = [{"name": str(i), "games": 100, "comparison": comparison(0.2, 0.19)} for i in (1, 2)]
    curve = [
        {"name": f"{share} %", "games": share, "comparison": comparison(0.2, 0.2 - share / 1e4)} for share in (50, 100)
    ]
    proof = {"verdict": "fitted is stronger than start.", "elo": 12.3, "elo_error": 5.0, "games": 800}
    _, words = page_of(folder(tmp_path, result(folds=folds, learning_curve=curve, proof=proof)))
    assert "fold 1 30 600 0.200000 0.190000 -0.010000" in words and "50 % 30 600" in words
    assert "Loss by the number of games" in words
    assert "fitted is stronger than start." in words and "+12.3 ± 5.0" in words


def test_the_table_of_weights_is_read_back(tmp_path: Path) -> None:
    table = read_table(folder(tmp_path, result()) / "weights.csv")
    start, fitted = weights_of(FOUR, table, "start"), weights_of(FOUR, table, "fitted")
    assert start is not None and fitted is not None and (start.values == starting_weights(FOUR).values).all()
    assert table[0].error is None and table[1].error == 0.6 and table[1].occurrences == 100
    assert weights_of(find_game("chess"), table, "start") is None


def test_a_damaged_table_is_refused_by_name(tmp_path: Path) -> None:
    run = folder(tmp_path, result())
    (run / "weights.csv").write_text("feature,index\nmove,x\n")
    with pytest.raises(InputError, match=r"weights\.csv is damaged"):
        write_report(run)
