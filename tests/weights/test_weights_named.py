"""Weights as users write them: names, files, folders of tables; and what is said of anything else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cof_files import write_set
from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.players.player_file import player_text
from evalsmith.run import InputError, MismatchError
from evalsmith.weights import (
    Weights,
    check_weights_text,
    default_weights,
    export_weights,
    load_weights,
    named,
    save_weights,
    starting_weights,
    weights_name,
)

FOUR, OTHELLO = find_game("connect_four"), find_game("othello")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    write_set(folder)
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save_weights(Weights(FOUR, starting_weights(FOUR).values + np.int32(3), "mine"), tmp_path / "w.json")
    return tmp_path / "w.json"


def test_names() -> None:
    start = starting_weights(FOUR).values
    for text in ("hand-set", "self"):
        found = load_weights(text, FOUR)
        assert (found.values == start).all() and found.game is FOUR
    assert (default_weights(FOUR).values == start).all()
    with pytest.raises(InputError, match=r"hand-set weights of which game\? the installed games are .*othello"):
        load_weights("hand-set")


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that ships weights for Connect Four alone."""
    made = Weights(FOUR, starting_weights(FOUR).values * 2, "made in the night")
    monkeypatch.setattr(named, "fitted_weights", lambda game: made if game is FOUR else None)


@pytest.mark.usefixtures("shipped")
def test_weights_that_ship() -> None:
    assert (load_weights("fitted", FOUR).values == starting_weights(FOUR).values * 2).all()
    with pytest.raises(InputError, match="no fitted weights ship for othello"):
        load_weights("fitted", OTHELLO)
    assert parse_player("weights:fitted", FOUR).name == "fitted"


def test_files(file: Path, tmp_path: Path) -> None:
    for game in (FOUR, None):
        assert (load_weights(str(file), game).values == starting_weights(FOUR).values + 3).all()
    with pytest.raises(MismatchError, match="holds weights of connect_four, not of othello"):
        load_weights(str(file), OTHELLO)
    kinds = "weights are a weights file, hand-set, zero, fitted, self, cof:FOLDER, slices:FOLDER"
    with pytest.raises(InputError, match=f"there is no weights file .*absent; {kinds}"):
        load_weights(str(tmp_path / "absent"), FOUR)
    with pytest.raises(InputError, match=f"there is no weights file .*, it is a folder; {kinds}"):
        load_weights(str(tmp_path), FOUR)


def test_a_file_that_is_called_like_a_name(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file.rename("hand-set")
    assert (load_weights("hand-set", FOUR).values == starting_weights(FOUR).values).all()
    assert (load_weights("./hand-set", FOUR).values == starting_weights(FOUR).values + 3).all()


def test_tables(tables: Path) -> None:
    for game in (OTHELLO, None):
        found = load_weights(f"cof:{tables}", game)
        assert (found.name, found.game.name, found.values.shape) == ("JA", "othello", (64, 143_655))
        assert found.game is not OTHELLO
    assert (found.values[60] == found.values[58]).all() and (found.values[63] == found.values[59]).all()
    with pytest.raises(MismatchError, match="NTest's tables are for othello, not for connect_four"):
        load_weights(f"cof:{tables}", FOUR)
    with pytest.raises(InputError, match="cof: names no folder; weights are a weights file"):
        load_weights("cof:", OTHELLO)
    with pytest.raises(InputError, match=r"there is no folder of \.cof files .*gone"):
        load_weights(f"cof:{tables}/gone", OTHELLO)
    with pytest.raises(InputError, match=r"JAb.cof is a table of NTest; cof:.*JAb.cof reads its set"):
        load_weights(str(tables / "JAb.cof"), OTHELLO)


def test_tables_are_no_weights_of_our_own_terms(tables: Path, tmp_path: Path) -> None:
    found = load_weights(f"cof:{tables}")
    for kind in ("json", "othello-slices", "othello-slices16"):
        with pytest.raises(InputError, match=r"JA has another program's terms; .* hold only weights of Othello's own"):
            export_weights(found, tmp_path / "out", kind)
    assert not (tmp_path / "out").exists()


def test_slices(tmp_path: Path) -> None:
    start = starting_weights(OTHELLO)
    export_weights(start, tmp_path / "mine", "othello-slices")
    for game in (OTHELLO, None):
        found = load_weights(f"slices:{tmp_path / 'mine'}", game)
        assert (found.values == start.values).all() and found.game is OTHELLO
    assert weights_name(f"slices:{tmp_path / 'mine'}", found) == "mine"


def test_what_is_known_before_anything_is_read(tables: Path, file: Path, tmp_path: Path) -> None:
    for text in ("hand-set", "self", "fitted", f"cof:{tables}", f"slices:{tables}", str(file)):
        check_weights_text(text, OTHELLO)
    with pytest.raises(InputError, match=r"there is no folder .*gone"):
        check_weights_text(f"cof:{tmp_path / 'gone'}", OTHELLO)
    with pytest.raises(MismatchError, match="not for connect_four"):
        check_weights_text(f"cof:{tables}", FOUR)
    with pytest.raises(InputError, match="there is no weights file"):
        check_weights_text("fited", OTHELLO)


def test_players(tables: Path, file: Path) -> None:
    assert parse_player(f"weights:{file}", FOUR).name == "w"
    assert parse_player("weights:hand-set", FOUR).name == "hand-set"
    for text in (f"cof:{tables}", f"weights:cof:{tables}", f"cof:{tables / 'JAc.cof'};name=ntest;depth=2"):
        player = parse_player(text, OTHELLO)
        assert player.name == ("ntest" if "name=" in text else "JA") and player.in_kernel
        assert player.weights.values.shape == (64, 143_655)
    with pytest.raises(InputError, match=r"player 'cof:/nowhere': there is no folder of \.cof files"):
        parse_player("cof:/nowhere", OTHELLO)
    with pytest.raises(
        InputError,
        match="is not one of self, hand-set, zero, fitted, a weights file, weights:FILE, weights:NAME, cof:FOLDER",
    ):
        parse_player("cof:", OTHELLO)
    assert player_text("old", {"cof": "tables;1", "nodes": 5}) == "cof:tables\\;1;nodes=5;name=old"


def test_every_name_is_in_the_help() -> None:
    from evalsmith.cli.common.output import WEIGHTS_HELP

    assert all(kind.removeprefix("a ") in WEIGHTS_HELP for kind in named.KINDS)


def test_fitted_weights_are_of_a_game_that_ships_some() -> None:
    assert load_weights("fitted", "dvonn").game.name == "dvonn"
    with pytest.raises(InputError, match=r"no fitted weights ship for connect_four; they ship for .*othello"):
        load_weights("fitted", "connect_four")
    with pytest.raises(InputError, match="hand-set weights of which game"):
        load_weights("hand-set")


def test_the_game_of_fitted_weights_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named, "ships_fitted", lambda game: game.name in ("chess", "othello"))
    with pytest.raises(InputError, match=r"of which game\? they ship for chess, othello; name it with --game"):
        load_weights("fitted")


def test_a_player_may_have_slices(tmp_path: Path) -> None:
    export_weights(starting_weights(OTHELLO), tmp_path / "mine", "othello-slices")
    player = parse_player(f"slices:{tmp_path / 'mine'};nodes=50", OTHELLO)
    assert player.name == "mine" and (player.weights.values == starting_weights(OTHELLO).values).all()
    with pytest.raises(InputError, match="slices are a format for Othello, not for connect_four"):
        parse_player(f"slices:{tmp_path / 'mine'}", FOUR)
    with pytest.raises(InputError, match="there is no folder"):
        parse_player(f"slices:{tmp_path / 'absent'}", OTHELLO)


def test_zero_weights_know_nothing():
    weights = load_weights("zero", "chess")
    assert weights.name == "zero" and not weights.values.any()
    assert weights.values.shape == load_weights("hand-set", "chess").values.shape
