"""Tournaments and placements as functions: texts, weights and names; folders that are read back, also old ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalsmith.arena.events.competitions import match, tournament
from evalsmith.arena.events.placement_analysis import placements
from evalsmith.arena.results.log import GAMES
from evalsmith.arena.results.reading import read_match, read_tournament
from evalsmith.games import find_game
from evalsmith.run import InputError, MismatchError, RunFolder
from evalsmith.weights import save_weights, starting_weights

FOUR = find_game("connect_four")
QUICK: dict[str, Any] = {"games": 2, "nodes": 20, "random_plies": 3}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("competitions") / "run"
    tournament("connect_four", ["self", "hand-set", "random"], output=run, **QUICK)
    return run


def test_a_tournament_is_read_back(finished: Path) -> None:
    again = tournament(FOUR, ["self", "hand-set", "random"], output=finished, **QUICK)
    result = read_tournament(finished)
    assert result == again and result.to_json() == json.loads((finished / "result.json").read_text())
    assert {row.name for row in result.players} == {"self", "hand-set", "random"}
    assert result.standings.games == 6 and str(result) == repr(result)
    assert result._repr_html_().count("<table>") == 3
    assert result.report() == finished / "report.html"


def test_another_order_of_players_is_refused(finished: Path) -> None:
    with pytest.raises(MismatchError, match="names was"):
        tournament(FOUR, ["random", "hand-set", "self"], output=finished, **QUICK)
    with pytest.raises(MismatchError, match="format was 'round-robin', is now 'gauntlet'"):
        tournament(FOUR, ["self", "hand-set", "random"], output=finished, **QUICK, format="gauntlet")


def test_players_by_name_paths_and_objects(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    save_weights(starting_weights(FOUR), path)
    result = tournament(FOUR, [path, str(path) + ";name=text", starting_weights(FOUR)], output=tmp_path / "a", **QUICK)
    assert sorted(row.name for row in result.players) == sorted(["mine", "text", starting_weights(FOUR).name])
    named = tournament(FOUR, {"one": "self", "two": "random"}, output=tmp_path / "b", **QUICK)
    assert {row.name for row in named.players} == {"one", "two"}


def test_placements(finished: Path, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"ply": 6, "times": 2, "nodes": 10, "concurrency": 1}
    result = placements([finished], ["self", "random"], output=tmp_path / "p", **settings)
    assert result.table.placements + result.skipped == 6 and result.run == tmp_path / "p"
    assert "finished 2 times" in str(result) and "<table>" in result._repr_html_()
    longer = placements([finished], ["self", "random"], output=tmp_path / "p", **settings | {"times": 3})
    assert longer.table.times == 3
    with pytest.raises(MismatchError, match="ply was 6, is now 7"):
        placements([finished], ["self", "random"], output=tmp_path / "p", **settings | {"ply": 7})
    with pytest.raises(InputError, match="ply is not given; it must be a whole number"):
        placements([finished], ["self"], output=tmp_path / "q")


def test_folders_of_earlier_versions_are_read(tmp_path: Path) -> None:
    """They say how games are counted by a name, and have tables of other forms."""
    new = match(FOUR, "self", "random", output=tmp_path / "new", sprt="0,100", trinomial=True, **QUICK)
    old = {
        "kind": "match", "game": "connect_four", "rules_version": FOUR.rules_version, "format": "match", "games": 2,
        "rounds": 0, "challengers": 1, "points": "wins", "seed": 1, "names": ["self", "random"], "sprt": "0,100",
        "model": "normalized", "counting": "trinomial", "limit": {"nodes": 20, "increment": 0.0},
        "rules": {"replace_failed": False, "adjudication": {"draw_moves": 8}},
    }  # fmt: skip
    with RunFolder(tmp_path / "old", old) as run:
        (run.path / GAMES).write_bytes((tmp_path / "new" / GAMES).read_bytes())
    found = read_match(tmp_path / "old")
    assert found.to_json() == new.to_json() and found.sprt == new.sprt
    assert read_tournament(tmp_path / "old").standings.games == 2
    with pytest.raises(MismatchError, match="choose another folder, or delete it"):
        match(FOUR, "self", "random", output=tmp_path / "old", sprt="0,100", trinomial=True, **QUICK)


def test_a_run_of_another_kind_is_refused(finished: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is the run folder of a tournament, not of a match"):
        read_match(finished)
    with pytest.raises(InputError, match="not a run folder"):
        read_tournament(tmp_path)
