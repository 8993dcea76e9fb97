"""Datasets made of datasets: nothing is lost, nothing is mixed up, and games stay whole."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from othello_sets import OTHELLO, small

from evalsmith.games import find_game
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import HEAD, create_dataset, load_dataset
from evalsmith.positions.transform.merging import merge
from evalsmith.positions.transform.mixture import open_mixture
from evalsmith.positions.transform.sampling import sample
from evalsmith.positions.transform.splitting import split
from evalsmith.run.errors import BusyError, InputError, Interrupted, MismatchError


def rows_of(samples: Samples) -> list[list[int]]:
    return sorted(samples.words.tolist())


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Datasets of 3, 2 and 1 games; the last game of the first is that of the last."""
    monkeypatch.setattr(parts, "ROWS_PER_PART", 70)
    ranges = {"a": range(3), "b": range(10, 12), "c": range(2, 3)}
    return [small(tmp_path, name, seeds).path for name, seeds in ranges.items()]


def test_merged_datasets_have_all_samples(tmp_path: Path, three: list[Path]) -> None:
    made = merge(three, tmp_path / "m")
    parted = [load_dataset(path).read() for path in three]
    samples = made.read()
    assert made.rows() == len(samples) == sum(map(len, parted))
    assert rows_of(samples) == rows_of(Samples.join(parted, 3))
    assert [source["name"] for source in made.sources] == ["a.txt", "b.txt", "c.txt"]
    assert np.array_equal(np.unique(samples.source), [0, 1, 2])
    second = samples.take(samples.source == 1)
    assert np.array_equal(second.words, parted[1].words)
    assert np.array_equal(second.game, parted[1].game + 3)
    assert np.array_equal(np.unique(samples.game), range(6))
    again = merge([tmp_path / "m", three[1], tmp_path / "m"], tmp_path / "n")
    assert np.array_equal(np.unique(again.read().game), range(14))
    assert len(again.sources) == 7


def test_merged_without_repeats(tmp_path: Path, three: list[Path]) -> None:
    samples = merge(three, tmp_path / "m", dedup=True).read()
    assert len(np.unique(samples.words, axis=0)) == len(samples)
    assert 2 not in samples.source  # it is in the first one


def test_the_same_again_is_there_already(tmp_path: Path, three: list[Path]) -> None:
    merge(three, tmp_path / "m")
    part = load_dataset(tmp_path / "m").parts()[0]
    stamp = part.stat().st_mtime_ns
    merge(three, tmp_path / "m")
    assert part.stat().st_mtime_ns == stamp
    with pytest.raises(MismatchError, match="made with other settings \\(the datasets that it is made of changed\\)"):
        merge(three[:2], tmp_path / "m")


def test_games_are_never_torn_apart(tmp_path: Path) -> None:
    whole = small(tmp_path, "w", range(60))
    found = split(whole.path, tmp_path / "s", into=["train=0.7", "validation=0.2"])
    read = {name: made.read() for name, made in found.items()}
    games = {name: set(samples.game.tolist()) for name, samples in read.items()}
    assert not games["train"] & games["validation"]
    assert 25 < len(games["train"]) < 55
    assert 3 < len(games["validation"]) < 25
    everything = whole.read()
    for name, numbers in games.items():
        assert len(read[name]) == np.isin(everything.game, list(numbers)).sum()
    torn = split(whole.path, tmp_path / "t", into=["one=0.5", "two=0.5"], by="position")
    assert sum(made.rows() for made in torn.values()) == len(everything)
    assert len(set(torn["one"].read().game.tolist())) == 60


@pytest.mark.parametrize(
    "shares", [[], ["a=0"], ["a=nan"], ["a=0.7", "b=0.7"], ["../a=0.5"], ["=0.5"], ["a=0.1", "a=0.1"]]
)
def test_impossible_shares_are_refused(tmp_path: Path, three: list[Path], shares: list[str]) -> None:
    with pytest.raises(InputError):
        split(three[0], tmp_path / "s", into=shares)
    assert not (tmp_path / "s").exists()


def test_samples_of_a_dataset(tmp_path: Path, three: list[Path]) -> None:
    everything = load_dataset(three[0]).read()
    some = sample(three[0], tmp_path / "s", positions=40).read()
    assert len(some) == 40
    place = {tuple(row): i for i, row in enumerate(everything.words.tolist())}
    order = [place[tuple(row)] for row in some.words.tolist()]
    assert order == sorted(order)
    mixed = sample(three[0], tmp_path / "x", shuffle=True)
    assert rows_of(mixed.read()) == rows_of(everything)
    assert not np.array_equal(mixed.read().words, everything.words)
    assert not (tmp_path / "x" / ".heaps").exists()
    thin = sample(three[0], tmp_path / "t", per_stage=2).read()
    assert np.unique(thin.phase, return_counts=True)[1].max() == 2
    assert set(thin.phase.tolist()) == set(everything.phase.tolist())
    few = sample(three[0], tmp_path / "f", share=0.1).rows()
    assert few == round(len(everything) * 0.1)
    with pytest.raises(InputError, match="not both"):
        sample(three[0], tmp_path / "b", positions=3, share=0.5)


def test_a_sample_by_several_rules_takes_what_it_can(tmp_path: Path, three: list[Path]) -> None:
    some = sample(three[0], tmp_path / "s", positions=8, per_game=4, per_stage=2).read()
    assert len(some) == 8
    assert np.unique(some.game, return_counts=True)[1].max() <= 4
    assert np.unique(some.phase, return_counts=True)[1].max() <= 2
    whole = sample(three[0], tmp_path / "w", per_game=4).rows()
    assert sample(three[0], tmp_path / "h", per_game=4, share=0.5).rows() == round(whole / 2)


def test_so_many_of_a_game_that_lies_in_several_parts(
    tmp_path: Path, three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalsmith.positions.store.parts.ROWS_PER_PART", 16)
    parted = sample(three[0], tmp_path / "x", shuffle=True)
    assert len(parted.parts()) > 3
    some = sample(tmp_path / "x", tmp_path / "s", per_game=5).read()
    assert np.unique(some.game, return_counts=True)[1].tolist() == [5, 5, 5]


def test_mixes_by_weight_and_by_quota(tmp_path: Path, three: list[Path]) -> None:
    rows = [load_dataset(path).rows() for path in three]
    path = tmp_path / "mix.toml"
    path.write_text("mix = { a = 0.25, b = 0.75 }\n")
    mix = open_mixture(path)
    assert mix.taken[1] == rows[1]  # the smaller one for its share decides
    assert abs(mix.taken[0] - rows[1] / 3) <= 1
    samples = mix.read()
    assert len(samples) == mix.rows() == sum(mix.taken)
    assert mix.game is OTHELLO
    written = mix.write(tmp_path / "out").read()
    assert np.array_equal(written.words, samples.words)
    quotas = open_mixture({"a": 30, "b": 1.0, "c": 5}, tmp_path)
    assert quotas.taken == (30, rows[1], 5)
    assert np.unique(quotas.read().source, return_counts=True)[1].tolist() == [30, rows[1], 5]
    assert not np.array_equal(open_mixture({"a": 30}, tmp_path, seed=2).read().words, quotas.read().words[:30])


@pytest.mark.parametrize(
    ("mix", "told"),
    [
        ({"a": 10_000_000}, "asks for 10,000,000 positions of a, which has"),
        ({"a": 0.0}, "above 0"),
        ({"a": 1e308, "b": 1e308}, "too large"),
        ({"a": True}, "above 0"),
        ({"a": "much"}, "above 0"),
        ({}, "at least one"),
        ({"absent": 1.0}, "there is no dataset"),
        ({"a": 5, "b": 1.5}, "at most 1.0"),
    ],
)
def test_impossible_mixes_are_refused(tmp_path: Path, three: list[Path], mix: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        open_mixture(mix, tmp_path)


def test_mix_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    for text, told in (
        ("mix = 3", "has no table mix"),
        ("mix = {", "not a TOML file"),
        ("", "has no table mix"),
        ("mix = " + "[" * 9999, "not a TOML file"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=told):
            open_mixture(path)


def test_two_writers_and_two_games_are_refused(tmp_path: Path, three: list[Path]) -> None:
    with load_dataset(three[0]).lock(), pytest.raises(BusyError, match="another process"):
        small(tmp_path, "a", range(3))
    create_dataset(tmp_path / "four", find_game("connect_four"), {"how": "test"})
    with pytest.raises(MismatchError, match=r"positions of othello, and .* of connect_four"):
        merge([three[0], tmp_path / "four"], tmp_path / "m")


def test_an_interrupted_merge_leaves_nothing_and_a_killed_one_begins_again(tmp_path: Path, three: list[Path]) -> None:
    class Impatient:
        def advance(self, count: int = 1) -> None:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=r"nothing of the .* is saved"):
        merge(three, tmp_path / "m", progress=lambda *_: nullcontext(Impatient()))
    assert not (tmp_path / "m" / HEAD).exists()
    rows = merge(three, tmp_path / "m").rows()
    head = json.loads((tmp_path / "m" / HEAD).read_text())
    (tmp_path / "m" / HEAD).write_text(json.dumps({**head, "whole": False}))
    (tmp_path / "m" / ".part-00000.parquet.1234").write_bytes(b"half")
    with pytest.raises(InputError, match="is incomplete"):
        load_dataset(tmp_path / "m").read()
    assert merge(three[:2], tmp_path / "m").rows() < rows
    assert not list((tmp_path / "m").glob(".part*"))


def test_a_lost_part_is_noticed(three: list[Path]) -> None:
    load_dataset(three[0]).parts()[0].unlink()
    with pytest.raises(InputError, match="parts are missing"):
        load_dataset(three[0]).read()


def test_a_sample_of_quiet_positions(tmp_path: Path) -> None:
    chess = find_game("chess")
    generate(chess, tmp_path / "d", games=4, nodes=5, player="random", noise=0.0, concurrency=1)
    everything = load_dataset(tmp_path / "d").read()
    quiet = quiet_positions(chess, everything.words)
    some = sample(tmp_path / "d", tmp_path / "q", quiet=True).read()
    assert 0 < len(some) < len(everything)
    assert np.array_equal(some.words, everything.words[quiet])
    few = sample(tmp_path / "d", tmp_path / "f", quiet=True, per_game=3)
    assert quiet_positions(chess, few.read().words).all()
    assert few.rows() == np.minimum(np.bincount(everything.game[quiet]), 3).sum()
    # A sample that was made before there was this choice is the same as one without it.
    assert few.made["quiet"] is True
    assert "quiet" not in sample(tmp_path / "d", tmp_path / "w", per_game=3).made
