"""Where positions come from: a dataset that is made first, a mix, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalsmith.fit.request import MANY_GAMES, Generation, TuneRequest, TuneSettings, generation_of, read_request
from evalsmith.fit.tuning import tune_request
from evalsmith.games import find_game
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.store.dataset import create_dataset, load_dataset
from evalsmith.positions.store.parts import part_path, write_part
from evalsmith.run.errors import InputError
from evalsmith.weights import starting_weights
from fitting_samples import random_samples, valued

FOUR = find_game("connect_four")
ROUGH = TuneSettings(penalty=1.0, validation=0.4, tolerance=0.1)
PLAYED = Generation("connect_four", GenerateSettings(games=8, nodes=5, seed=1))


def request(path: Path, generation: Generation | None = None, **more: object) -> TuneRequest:
    return TuneRequest((path,), None, ROUGH, 1, generation=generation, **more)  # type: ignore[arg-type]


def dataset_of(path: Path, games: int, seed: int = 1) -> Path:
    samples = valued(FOUR, random_samples(FOUR, games, seed), starting_weights(FOUR))
    write_part(create_dataset(path, FOUR, {"how": "test"}).path, 0, samples, FOUR)
    return path


# ── Made first ──


def test_positions_that_are_missing_are_made_where_the_user_says_how(tmp_path: Path) -> None:
    place, said = tmp_path / "made", []
    tuned = tune_request(request(place, PLAYED), tmp_path / "run", say=said.append)
    assert "does not exist; generating it from 8 games" in said[0]
    assert tuned.games <= 8 and tuned.positions == load_dataset(place).rows()
    # The same again makes nothing anew; more games are added to those that are there.
    again = tune_request(request(place, PLAYED), tmp_path / "run", say=said.append)
    assert (again.weights.values == tuned.weights.values).all()
    more = Generation("connect_four", GenerateSettings(games=12, nodes=5, seed=1))
    assert tune_request(request(place, more), tmp_path / "second").positions > tuned.positions


def test_a_path_alone_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no dataset or file .*gone; .* say --game NAME"):
        tune_request(request(tmp_path / "gone"), tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["games.pgn", "games.pgn.zst", "games.kif"])
def test_a_missing_file_of_games_is_not_made_by_self_play(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"there is no file .*{name}$"):
        tune_request(request(tmp_path / name, PLAYED), tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_game_is_enough_to_make_what_is_missing_and_changes_nothing_that_is_there(tmp_path: Path) -> None:
    place, missing = tmp_path / "made", replace(PLAYED, grow=False)
    made = tune_request(request(place, missing), tmp_path / "run")
    more = replace(missing, settings=replace(missing.settings, games=30))
    assert tune_request(request(place, more), tmp_path / "second").positions == made.positions
    # One whose self-play was broken off is finished first.
    load_dataset(place).unfinished()
    part_path(place, 0).unlink()
    assert tune_request(request(place, missing), tmp_path / "third").positions == made.positions
    with pytest.raises(InputError, match="holds positions of connect_four, not of othello"):
        tune_request(request(place, replace(missing, game="othello")), tmp_path / "fourth")


def test_a_dataset_of_another_kind_is_taken_as_it_is(tmp_path: Path) -> None:
    place = dataset_of(tmp_path / "d", 12)
    assert tune_request(request(place, PLAYED), tmp_path / "run").games == 12


def test_nothing_is_made_over_other_files(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("mine")
    for place in (tmp_path / "notes", tmp_path / "notes" / "a.txt"):
        with pytest.raises(InputError, match="exists and is not a dataset"):
            tune_request(request(place, PLAYED), tmp_path / "run")
    both = TuneRequest((tmp_path / "a", tmp_path / "b"), None, ROUGH, 1, generation=PLAYED)
    with pytest.raises(InputError, match="generate makes one dataset, but 2 paths are given"):
        tune_request(both, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_wrong_feature_is_told_before_any_game_is_played(tmp_path: Path) -> None:
    config = TuneSettings(terms=("corners",))
    asked = TuneRequest((tmp_path / "made",), None, config, 1, generation=PLAYED)
    with pytest.raises(InputError, match="connect_four has no feature 'corners'"):
        tune_request(asked, tmp_path / "run")
    assert not (tmp_path / "made").exists()


def test_arguments_override_the_file() -> None:
    assert generation_of(None, None, None, 1) is None
    assert generation_of(None, "othello", 5, 3) == Generation("othello", GenerateSettings(games=5, seed=3))
    assert generation_of(PLAYED, None, 9, 3).settings == GenerateSettings(games=9, nodes=5, seed=1)
    assert generation_of(PLAYED, "othello", None, 3).game == "othello"
    with pytest.raises(InputError, match="--generate needs --game"):
        generation_of(None, None, 5, 1)
    many = generation_of(None, "othello", None, 1)
    assert many is not None and many.settings.games == MANY_GAMES and not many.grow


# ── Files ──


def test_what_cannot_be_fitted_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "few.transcript").write_text("f5d6c3d3c4\n")
    (tmp_path / "odd.xyz").write_text("?")
    for name, reason in (("few.transcript", "no game could be used"), ("odd.xyz", "has an unknown format")):
        with pytest.raises(InputError, match=reason):
            tune_request(request(tmp_path / name), tmp_path / "run")
        assert not (tmp_path / "run").exists()


def read(tmp_path: Path, text: str) -> TuneRequest:
    (tmp_path / "fit.toml").write_text(text)
    return read_request(tmp_path / "fit.toml")


def test_a_file_says_how_to_make_positions(tmp_path: Path) -> None:
    asked = read(tmp_path, 'sources = "p"\nseed = 4\n[generate]\ngame = "othello"\ngames = 7\nnoise = 0\nbook = "b"')
    assert asked.generation == Generation("othello", GenerateSettings(games=7, noise=0, book=Path("b"), seed=4))
    assert asked.sources == (tmp_path / "p",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[generate]\ngames = 3", "needs a game"),
        ('[generate]\ngame = "othello"\nsongs = 3', "no setting 'songs' in .*generate"),
        ('[generate]\ngame = "othello"\ngames = "3"', "games must be a whole number of at least 1, not '3'"),
        ('[generate]\ngame = "othello"\ngames = true', "games must be a whole number of at least 1, not True"),
        ('[generate]\ngame = "othello"\ngames = 0', "games must be a whole number of at least 1, not 0"),
        ('sources = "a"\nmix = { b = 1.0 }', "a mix is made of existing datasets"),
        ("mix = 3", "mix must be a table, not 3"),
        ('target = "moon"', "target must be auto, label, result, score, mix or alternatives, not 'moon'"),
        ("result_share = 2", "result_share must be a number from 0 to 1, not 2"),
    ],
)
def test_what_a_file_has_wrong_is_named(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read(tmp_path, text)


def test_a_mix_is_read_as_one_dataset(tmp_path: Path) -> None:
    first, second = dataset_of(tmp_path / "first", 20), dataset_of(tmp_path / "second", 20, seed=2)
    asked = read(tmp_path, "mix = { first = 1.0, second = 40 }\nvalidation = 0.4\ntolerance = 0.1")
    tuned = tune_request(asked, tmp_path / "run")
    assert tuned.positions == load_dataset(first).rows() + 40
    other = read(tmp_path, "mix = { first = 1.0, second = 50 }\nvalidation = 0.4\ntolerance = 0.1")
    with pytest.raises(InputError, match="mix"):
        tune_request(other, tmp_path / "run")
    assert np.isfinite(tuned.loss_after) and load_dataset(second).rows() > 50
