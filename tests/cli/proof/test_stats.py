"""The verb ``evalsmith stats``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from evalsmith.cli.proof.stats import stats
from evalsmith.run.errors import InputError

app = typer.Typer()
app.command()(stats)

TABLE = "A B 20 0 4\nA C 15 0 9\nA D 24 0 0\nB C 19 0 5\nB D 24 0 0\nC D 19 0 5\n"
KEYS = ["elo", "elo_error", "nelo", "nelo_error", "los", "llr", "lower", "upper", "state"]
ENDS = ["elo_low", "elo_high", "p_value", "outcome", "verdict"]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "120"})


def answer(*arguments: str | Path) -> dict[str, object]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_wdl_as_json() -> None:
    found = answer("--wdl", "76,123,89")
    assert sorted(found) == sorted(KEYS + ENDS)
    assert [round(found[key], 1) for key in ENDS[:2]] == [-46.2, 14.8]
    assert found["outcome"] == "not proven" and "cannot be told apart" in found["verdict"]
    assert [round(found[key], 4) for key in KEYS[:5]] == [-15.6935, 30.4580, -20.7564, 40.1260, 0.1553]
    assert [found[key] for key in KEYS[5:]] == [None, None, None, None]


def test_penta_with_sprt_as_json() -> None:
    found = answer("--penta", "39,8843,26675,9240,44", "--sprt", "0.5,2.5")
    assert round(found["llr"], 6) == 2.941675
    assert (round(found["lower"], 4), round(found["upper"], 4), found["state"]) == (-2.9444, 2.9444, "running")


def test_wdl_with_sprt_counts_wins_as_wins() -> None:
    assert round(answer("--wdl", "36433,68692,36027", "--sprt", "0,2")["llr"], 6) == 0.923293


def test_model_alpha_and_beta_reach_the_test() -> None:
    found = answer(
        *("--penta", "223,9863,21279,10037,246", "--sprt", "0.5,2.5", "--model", "logistic"),
        *("--alpha", "0.1", "--beta", "0.01"),
    )
    assert round(found["llr"], 6) == -3.074126
    assert (round(found["lower"], 4), round(found["upper"], 4), found["state"]) == (-4.4998, 2.2925, "running")


def test_negative_hypothesis_is_no_option() -> None:
    assert answer("--penta", "10,100,200,190,60", "--sprt", "-5,0")["state"] == "accepted H1"


def test_table_names_the_model_and_whose_elo_it_is() -> None:
    result = run("--penta", "10,100,200,190,60", "--sprt", "0,10")
    assert result.exit_code == 0
    assert "A is stronger than B by 60 Elo (95 %: 45 … 74) " in result.stdout
    assert "SPRT 0,10, normalized" in result.stdout
    assert "accepted H1" in result.stdout
    assert "pentanomial" in result.stdout


def test_table_says_how_the_p_value_was_found_and_when_it_may_be_chance() -> None:
    output = run("--wdl", "105,1,94").stdout
    assert "0.48 (exact binomial, draws left out)" in output
    assert "A and B cannot be told apart: +19 (95 %: -29 … +67) Elo over 200 games, p 0.48." in output
    assert "SPRT" not in output


def test_a_test_past_its_bound_too_early_says_why_it_runs() -> None:
    assert "running (at least 10 pairs)" in run("--penta", "0,0,0,0,9", "--sprt", "0,200").stdout


def test_crosstable_as_json(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text(TABLE)
    ratings = answer("--crosstable", tmp_path / "table.txt")["ratings"]
    assert [(row["name"], round(row["elo"], 2)) for row in ratings] == [
        ("A", 247.49),
        ("B", 124.02),
        ("C", -12.87),
        ("D", -358.64),
    ]
    assert [round(row["error"] / 1.959964, 2) for row in ratings] == [45.40, 40.45, 39.52, 61.93]
    assert [sorted(row) for row in ratings] == [["elo", "error", "name"]] * 4


def test_crosstable_as_table(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text(TABLE.replace("A", "[red]A"))
    output = run("--crosstable", tmp_path / "table.txt").stdout
    assert "[red]A" in output
    assert "247.49" in output
    assert "errors are 95 %; the mean is 0" in output


def test_crosstable_with_anchor_and_prior(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text("A B 9 0 0\n")
    found = answer("--crosstable", tmp_path / "table.txt", "--prior", "2", "--anchor", "A=2000")
    assert [(row["name"], round(row["elo"])) for row in found["ratings"]] == [("A", 2000), ("B", 1600)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "exactly one of"),
        (["--wdl", "1,2,3", "--penta", "1,2,3,4,5"], "exactly one of"),
        (["--wdl", "1,2"], "--wdl: expected W,D,L, got 1,2"),
        (["--wdl", "1,2,x"], "--wdl: expected W,D,L with whole numbers, got x"),
        (["--wdl", "1,2,-3"], "--wdl: expected W,D,L with whole numbers, got -3"),
        (["--wdl", "1,2," + "9" * 5000], "--wdl: expected W,D,L with whole numbers"),
        (["--penta", "1,2,3"], "--penta: expected five counts"),
        (["--penta", "1,2,3,4,"], "--penta: expected five counts"),
        (["--wdl", "1,2,3", "--sprt", "5"], "--sprt: expected ELO0,ELO1, got 5"),
        (["--wdl", "1,2,3", "--sprt", "a,5"], "--sprt: expected ELO0,ELO1 with numbers, got a"),
        (["--wdl", "1,2,3", "--sprt", "5,0"], "the lower one first"),
        (["--wdl", "1,2,3", "--sprt", "0,5", "--alpha", "0"], "alpha between"),
        (["--wdl", "1,2,3", "--prior", "1"], "need --crosstable"),
        (["--crosstable", "nowhere.txt"], "cannot read nowhere.txt"),
        (["--crosstable", "nowhere.txt", "--sprt", "0,5"], "--sprt needs"),
        (["--crosstable", "nowhere.txt", "--anchor", "A"], "--anchor: expected NAME=ELO"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, InputError)
    assert words in str(result.exception)
    assert "\n" not in str(result.exception)
    assert result.stdout == ""


def test_a_table_without_ratings_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text("A B 9 0 0\n")
    result = run("--crosstable", tmp_path / "table.txt")
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith(f"{tmp_path / 'table.txt'}: these games give no finite ratings: B never")


def test_help_explains_both_forms_of_a_table() -> None:
    output = " ".join(run("--help").stdout.replace("│", " ").split())
    assert "A B wins draws losses" in output
    assert "square table" in output


def test_importing_the_verb_loads_nothing_heavy() -> None:
    heavy = "('scipy', 'numpy', 'evalsmith.games')"
    code = f"import sys, evalsmith.cli.proof.stats; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
