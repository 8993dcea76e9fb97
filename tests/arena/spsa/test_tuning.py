"""Whole runs: our own search and a mock program, interrupted, resumed, refused, proven, on a page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import evalsmith as es
from evalsmith.arena.results.log import GAMES, read_log
from evalsmith.arena.spsa.result import read_spsa
from evalsmith.arena.spsa.schedule import TRIES
from evalsmith.players import parse_player
from evalsmith.run import EvalsmithError, InputError, MismatchError
from evalsmith.weights import starting_weights
from players.programs import HASTE, command, fresh, nothing_left

REDUCTIONS = {"lmr_base": {"c_end": 150, "r_end": 0.02}, "lmr_moves": {"max": 9, "c_end": 3, "r_end": 0.02}}
LEVEL = {"Level": {"start": 48, "c_end": 10, "r_end": 0.02}}


def tuned(output: Path, **settings: Any) -> es.SpsaResult:
    wanted = {"iterations": 25, "nodes": 400, "random_plies": 6, "seed": 2} | settings
    return es.spsa("connect_four", "self", REDUCTIONS, output=output, **wanted)


def mock(output: Path, limit: float = 1000, token: str = "x", **settings: Any) -> es.SpsaResult:
    player = f"usi:{command('tuned.py', limit, token)};{HASTE}"
    wanted = {"iterations": 12, "nodes": 1, "random_plies": 0, "ahead": 2} | settings
    return es.spsa("connect_four", player, LEVEL, output=output, pin=False, **wanted)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> es.SpsaResult:
    return tuned(tmp_path_factory.mktemp("spsa") / "run", concurrency=2)


def test_a_run_of_twenty_nodes(tmp_path: Path) -> None:
    result = tuned(tmp_path, nodes=20, iterations=4, pairs=2)
    assert (result.iterations, result.games, len(read_log(tmp_path / GAMES))) == (4, 16, 16)
    assert set(result.values) == {"lmr_base", "lmr_moves"}


def test_a_run_moves_its_values_and_says_how_sure_it_is(unbroken: es.SpsaResult) -> None:
    assert unbroken.path[0] == (75, 3) != unbroken.path[-1]
    assert all(one.error > 0 for one in unbroken.parameters)
    assert unbroken.player_text == "self;" + ";".join(f"{name}={value}" for name, value in unbroken.values.items())
    assert unbroken.player_text in str(unbroken) and "25 of 25 iterations, 50 games" in str(unbroken)
    assert unbroken.run is not None
    stored = json.loads((unbroken.run / "result.json").read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(unbroken.to_json())) and stored["complete"]
    text = (unbroken.run / "values.toml").read_text(encoding="utf-8")
    assert f'player = "{unbroken.player_text}"' in text and f"lmr_base = {unbroken.values['lmr_base']}" in text


def test_a_run_repeats_with_any_number_of_workers(unbroken: es.SpsaResult, tmp_path: Path) -> None:
    assert tuned(tmp_path, concurrency=5).path == unbroken.path


def test_a_run_resumes_from_any_part_of_its_log(unbroken: es.SpsaResult, tmp_path: Path) -> None:
    assert unbroken.run is not None
    (tmp_path / "config.toml").write_bytes((unbroken.run / "config.toml").read_bytes())
    lines = (unbroken.run / GAMES).read_bytes().splitlines(keepends=True)
    (tmp_path / GAMES).write_bytes(b"".join(lines[:21]) + lines[21][:30])
    before = read_spsa(tmp_path)
    assert 0 < before.iterations < 25 and before.path == unbroken.path[: before.iterations + 1]
    assert tuned(tmp_path).path == unbroken.path
    assert len(read_log(tmp_path / GAMES)) == 50


def test_a_run_that_is_killed_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    code = (
        "import sys, evalsmith as es\n"
        f"r = es.spsa('connect_four', 'self', {REDUCTIONS!r}, iterations=150, nodes=400, seed=9, output=sys.argv[1])\n"
        "print(r.path)"
    )
    killed = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "a")], stdout=subprocess.DEVNULL)
    log = tmp_path / "a" / GAMES
    while killed.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") > 20):
        time.sleep(0.002)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    paths = [
        subprocess.run([sys.executable, "-c", code, str(tmp_path / name)], capture_output=True, check=True).stdout
        for name in ("a", "b")
    ]
    assert paths[0] == paths[1]


def test_weights_may_be_handed_over(tmp_path: Path) -> None:
    four = es.find_game("connect_four")
    weights = starting_weights(four)
    result = es.spsa(four, weights, REDUCTIONS, iterations=2, nodes=5, output=tmp_path)
    for text in (result.player_text, read_spsa(tmp_path).player_text):
        assert (parse_player(text, four).weights.values == weights.values).all()


def test_another_run_in_the_folder_is_refused(unbroken: es.SpsaResult) -> None:
    assert unbroken.run is not None
    with pytest.raises(MismatchError, match="seed was 2, is now 3"):
        tuned(unbroken.run, seed=3)


def test_the_page_has_a_picture_for_each_parameter(unbroken: es.SpsaResult) -> None:
    page = unbroken.report().read_text(encoding="utf-8")
    assert page.count("<svg") == 2 and "lmr_moves" in page and unbroken.player_text in page


def test_iterations_or_games() -> None:
    with pytest.raises(InputError, match="give iterations or games, not both"):
        es.spsa("connect_four", "self", REDUCTIONS, iterations=3, games=6)


def test_games_are_made_into_iterations(tmp_path: Path) -> None:
    result = tuned(tmp_path, iterations=None, games=13, pairs=2, nodes=5)
    assert (result.all_iterations, result.games) == (3, 12)


def test_the_last_values_are_proven_against_the_first_ones(tmp_path: Path) -> None:
    result = tuned(tmp_path, iterations=8, prove=True, proof_games=6, seed=3)
    assert result.proof is not None and result.run is not None
    assert [score.name for score in result.proof.players] == ["end", "start"] and result.proof.games <= 6
    assert result.proof.sprt is not None and "Proof: " in str(read_spsa(result.run))
    assert "start" in result.report().read_text(encoding="utf-8")


def test_there_is_nothing_to_prove_where_nothing_has_changed(tmp_path: Path) -> None:
    result = tuned(tmp_path, iterations=2, nodes=5, prove=True, proof_games=6)
    assert result.proof is None and "the values are those of the start" in str(result)


def test_a_proof_without_openings_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="distinct openings of 1 random plies"):
        tuned(tmp_path / "run", random_plies=1, prove=True, proof_games=100)
    assert not (tmp_path / "run").exists()


# ── Programs ──


@pytest.mark.parametrize(("ahead", "concurrency"), [(0, 3), (2, 2)])
def test_options_of_a_program_decide_its_games(tmp_path: Path, ahead: int, concurrency: int) -> None:
    token = fresh()
    result = mock(tmp_path, token=token, ahead=ahead, concurrency=concurrency)
    [one] = result.parameters
    assert one.end > 50 and one.moved > 2 and not result.failures
    text = f"setoption name Level value {result.values['Level']}"
    assert result.commands == (text,) and text in str(result)
    assert result.player_text.endswith(f";option.Level={result.values['Level']}")
    nothing_left(token)


def test_a_program_that_crashes_costs_pairs_and_not_the_run(tmp_path: Path) -> None:
    """One that crashes with a level above 58 fails whenever a side is there, and only then."""
    result = mock(tmp_path, 58, iterations=8, ahead=0)
    assert result.iterations == 8 and result.failures
    assert all("Level=" in str(one) and one.reason == "crash" for one in result.failures)
    failed = {one.pair for one in result.failures if one.settled}
    assert failed == {one.pair for one in result.failures}
    assert len(read_log(tmp_path / GAMES)) == 2 * 8 + 2 * (TRIES - 1) * len(failed)
    for pair in failed:
        assert result.path[pair + 1] == result.path[pair]
    assert "pairs were played again" in str(result)


def test_a_program_that_always_crashes_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvalsmithError, match=r"10 pairs failed one after another.*exit code 3.* with Level="):
        mock(tmp_path, -1, iterations=50, concurrency=1)
