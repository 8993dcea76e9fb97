"""The commands of Texel's method as a shogi author writes them: from KIF to Rust, with every setting."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from evalsmith.games import OVER, find_game
from evalsmith.records import Record, format_for

SHOGI = find_game("shogi")


@pytest.fixture(scope="module")
def kif(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random games with results and ratings, as KIF."""
    choose, path = random.Random(1), tmp_path_factory.mktemp("kif") / "games.kif"
    records = []
    for number in range(16):
        position, moves = SHOGI.start(), []
        while SHOGI.status(position) != OVER and len(moves) < 40:
            moves.append(choose.choice(SHOGI.moves(position)))
            position = SHOGI.play(position, moves[-1])
        result = SHOGI.win if number % 2 else -SHOGI.win
        records.append(Record("shogi", tuple(moves), result=result, termination="resigned", number=number + 1))
    with open(path, "wb") as file:
        format_for(SHOGI, path).write(file, records)
    return path


def test_gradient_descent_from_kif_to_rust(run, kif: Path) -> None:
    words = ["--method", "gradient_descent", "--iterations", "30", "--validation", "0.3", "--no-progress"]
    code, out, err = run("tune", "--dataset", kif, "--output", "weights.rs", *words, "--json")
    document = json.loads(out)
    assert code == (1 if document["worse"] else 0), err
    assert document["method"] == "gradient_descent" and document["loss"] == "logistic" and document["k"] > 0
    assert "pub static MATERIAL: [[i32; 13]; 2]" in Path("weights.rs").read_text()
    assert Path("weights.run/weights.csv").exists()


def test_adam_with_every_setting_of_the_design(run, kif: Path) -> None:
    words = ["--method", "adam", "--k-fold", "2", "--test-split", "0.2", "--regularization", "0.001"]
    words += ["--quiet-threshold", "2", "--iterations", "20", "--validation-split", "0.2", "--patience", "5"]
    words += ["--convergence-threshold", "0.0001", "--skip-opening", "4", "--skip-closing", "2", "--threads", "1"]
    words += ["--positions-per-game", "20", "--max-memory", "1", "--checkpoint-interval", "10", "--seed", "4"]
    code, out, err = run("tune", "--dataset", kif, "--output", "weights.h", *words, "--no-progress", "--json")
    document = json.loads(out)
    assert code == (1 if document["worse"] else 0), err
    assert len(document["folds"]) == 2 and document["test"]["rows"] > 0
    assert document["settings"]["regularization"] == 0.001
    code, _, err = run("tune", "--dataset", kif, "--output", "other.rs", "--min-rating", "2000", "--no-progress")
    assert code == 2 and "rating" in err


def test_a_worse_fit_ends_with_1_and_says_so(run, kif: Path) -> None:
    """Random games teach nothing, so weights fitted to them without a penalty are worse on others."""
    code, out, _ = run("tune", kif, "-o", "w.json", "--penalty", "0.000001", "--validation", "0.4", "--no-progress")
    assert code == 1 and "WARNING: the fit is worse than its start on held-out games" in out


def test_an_ablation_of_groups_and_one_of_filters_have_folders_of_their_own(run, kif: Path) -> None:
    Path("a.toml").write_text(f'sources = ["{kif}"]\npenalty = 100\nvalidation = 0.3\nterms = ["material", "tempo"]\n')
    for drop, name in (("group", "material"), ("filter", "quiet")):
        code, out, err = run("ablate", "a.toml", "--drop", drop)
        assert code == 0 and name in out, err
        assert Path(f"a.{drop}-ablation/result.json").exists()
