"""Datasets made of datasets: nothing is lost, nothing is mixed up, and games stay whole."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from othello_sets import OTHELLO, small

from evalsmith.games import find_game
from evalsmith.positions import Samples, create_dataset, open_dataset
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import HEAD
from evalsmith.positions.transform.datasets import Sampling, merge, sample, split
from evalsmith.positions.transform.mixture import open_mix
from evalsmith.run.errors import BusyError, InputError, Interrupted, MismatchError

NAN = float("nan")


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
    parted = [open_dataset(path).read() for path in three]
    samples = made.dataset.read()
    assert made.positions == len(samples) == sum(map(len, parted))
    assert rows_of(samples) == rows_of(Samples.join(parted, 3))
    assert [source["name"] for source in made.dataset.sources] == ["a.txt", "b.txt", "c.txt"]
    assert np.array_equal(np.unique(samples.source), [0, 1, 2])
    second = samples.take(samples.source == 1)
    assert np.array_equal(second.words, parted[1].words)
    assert np.array_equal(second.game, parted[1].game + 3)
    assert np.array_equal(np.unique(samples.game), range(6))
    again = merge([tmp_path / "m", three[1], tmp_path / "m"], tmp_path / "n").dataset
    assert np.array_equal(np.unique(again.read().game), range(14))
    assert len(again.sources) == 7


def test_merged_without_repeats(tmp_path: Path, three: list[Path]) -> None:
    samples = merge(three, tmp_path / "m", dedup=True).dataset.read()
    assert len(np.unique(samples.words, axis=0)) == len(samples)
    assert 2 not in samples.source  # it is in the first one


def test_the_same_again_is_there_already(tmp_path: Path, three: list[Path]) -> None:
    merge(three, tmp_path / "m")
    part = open_dataset(tmp_path / "m").parts()[0]
    stamp = part.stat().st_mtime_ns
    merge(three, tmp_path / "m")
    assert part.stat().st_mtime_ns == stamp
    with pytest.raises(MismatchError, match="made otherwise"):
        merge(three[:2], tmp_path / "m")


def test_games_are_never_torn_apart(tmp_path: Path) -> None:
    whole = small(tmp_path, "w", range(60))
    found = split(whole.path, tmp_path / "s", {"train": 0.7, "validation": 0.2})
    read = {name: made.dataset.read() for name, made in found.items()}
    games = {name: set(samples.game.tolist()) for name, samples in read.items()}
    assert not games["train"] & games["validation"]
    assert 25 < len(games["train"]) < 55
    assert 3 < len(games["validation"]) < 25
    everything = whole.read()
    for name, numbers in games.items():
        assert len(read[name]) == np.isin(everything.game, list(numbers)).sum()
    torn = split(whole.path, tmp_path / "t", {"one": 0.5, "two": 0.5}, by_position=True)
    assert sum(made.positions for made in torn.values()) == len(everything)
    assert len(set(torn["one"].dataset.read().game.tolist())) == 60


@pytest.mark.parametrize("shares", [{}, {"a": 0.0}, {"a": NAN}, {"a": 0.7, "b": 0.7}, {"../a": 0.5}, {"": 0.5}])
def test_impossible_shares_are_refused(tmp_path: Path, three: list[Path], shares: dict[str, float]) -> None:
    with pytest.raises(InputError):
        split(three[0], tmp_path / "s", shares)
    assert not (tmp_path / "s").exists()


def test_samples_of_a_dataset(tmp_path: Path, three: list[Path]) -> None:
    everything = open_dataset(three[0]).read()
    some = sample(three[0], tmp_path / "s", Sampling(positions=40)).dataset.read()
    assert len(some) == 40
    place = {tuple(row): i for i, row in enumerate(everything.words.tolist())}
    order = [place[tuple(row)] for row in some.words.tolist()]
    assert order == sorted(order)
    mixed = sample(three[0], tmp_path / "x", Sampling(shuffle=True)).dataset
    assert rows_of(mixed.read()) == rows_of(everything)
    assert not np.array_equal(mixed.read().words, everything.words)
    assert not (tmp_path / "x" / ".heaps").exists()
    thin = sample(three[0], tmp_path / "t", Sampling(per_stage=2)).dataset.read()
    assert np.unique(thin.phase, return_counts=True)[1].max() == 2
    assert set(thin.phase.tolist()) == set(everything.phase.tolist())
    few = sample(three[0], tmp_path / "f", Sampling(share=0.1)).positions
    assert few == round(len(everything) * 0.1)
    with pytest.raises(InputError, match="not both"):
        Sampling(positions=3, share=0.5)


def test_a_sample_by_several_rules_takes_what_it_can(tmp_path: Path, three: list[Path]) -> None:
    how = Sampling(positions=8, per_game=4, per_stage=2)
    some = sample(three[0], tmp_path / "s", how).dataset.read()
    assert len(some) == 8
    assert np.unique(some.game, return_counts=True)[1].max() <= 4
    assert np.unique(some.phase, return_counts=True)[1].max() <= 2
    whole = sample(three[0], tmp_path / "w", Sampling(per_game=4)).positions
    assert sample(three[0], tmp_path / "h", Sampling(per_game=4, share=0.5)).positions == round(whole / 2)


def test_so_many_of_a_game_that_lies_in_several_parts(
    tmp_path: Path, three: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalsmith.positions.store.parts.ROWS_PER_PART", 16)
    parted = sample(three[0], tmp_path / "x", Sampling(shuffle=True)).dataset
    assert len(parted.parts()) > 3
    some = sample(tmp_path / "x", tmp_path / "s", Sampling(per_game=5)).dataset.read()
    assert np.unique(some.game, return_counts=True)[1].tolist() == [5, 5, 5]


def test_mixes_by_weight_and_by_quota(tmp_path: Path, three: list[Path]) -> None:
    rows = [open_dataset(path).rows() for path in three]
    path = tmp_path / "mix.toml"
    path.write_text("mix = { a = 0.25, b = 0.75 }\n")
    mix = open_mix(path)
    assert mix.taken[1] == rows[1]  # the smaller one for its share decides
    assert abs(mix.taken[0] - rows[1] / 3) <= 1
    samples = mix.read()
    assert len(samples) == mix.rows() == sum(mix.taken)
    assert mix.game is OTHELLO
    written = mix.write(tmp_path / "out").dataset.read()
    assert np.array_equal(written.words, samples.words)
    quotas = open_mix({"a": 30, "b": 1.0, "c": 5}, tmp_path)
    assert quotas.taken == (30, rows[1], 5)
    assert np.unique(quotas.read().source, return_counts=True)[1].tolist() == [30, rows[1], 5]
    assert not np.array_equal(open_mix({"a": 30}, tmp_path, seed=2).read().words, quotas.read().words[:30])


@pytest.mark.parametrize(
    ("mix", "told"),
    [
        ({"a": 10_000_000}, "asks for 10,000,000 positions of a, which has"),
        ({"a": 0.0}, "above 0"),
        ({"a": 1e308, "b": 1e308}, "too large"),
        ({"a": True}, "above 0"),
        ({"a": "much"}, "above 0"),
        ({}, "at least one"),
        ({"absent": 1.0}, "not a dataset"),
        ({"a": 5, "b": 1.5}, "at most 1.0"),
    ],
)
def test_impossible_mixes_are_refused(tmp_path: Path, three: list[Path], mix: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        open_mix(mix, tmp_path)


def test_mix_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    for text, told in (
        ("mix = 3", "has no mix"),
        ("mix = {", "not a TOML file"),
        ("", "has no mix"),
        ("mix = " + "[" * 9999, "not a TOML file"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=told):
            open_mix(path)


def test_two_writers_and_two_games_are_refused(tmp_path: Path, three: list[Path]) -> None:
    with open_dataset(three[0]).lock(), pytest.raises(BusyError, match="another process"):
        small(tmp_path, "a", range(3))
    create_dataset(tmp_path / "four", find_game("connect_four"), {"how": "test"})
    with pytest.raises(MismatchError, match=r"positions of othello, and .* of connect_four"):
        merge([three[0], tmp_path / "four"], tmp_path / "m")


def test_an_interrupted_merge_leaves_nothing_and_a_killed_one_begins_again(tmp_path: Path, three: list[Path]) -> None:
    class Impatient:
        def advance(self, count: int = 1) -> None:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="nothing was kept"):
        merge(three, tmp_path / "m", progress=Impatient())
    assert not (tmp_path / "m" / HEAD).exists()
    made = merge(three, tmp_path / "m")
    head = json.loads((tmp_path / "m" / HEAD).read_text())
    (tmp_path / "m" / HEAD).write_text(json.dumps({**head, "whole": False}))
    (tmp_path / "m" / ".part-00000.parquet.1234").write_bytes(b"half")
    with pytest.raises(InputError, match="not finished"):
        open_dataset(tmp_path / "m").read()
    assert merge(three[:2], tmp_path / "m").positions < made.positions
    assert not list((tmp_path / "m").glob(".part*"))


def test_a_lost_part_is_noticed(three: list[Path]) -> None:
    open_dataset(three[0]).parts()[0].unlink()
    with pytest.raises(InputError, match="parts of it are missing"):
        open_dataset(three[0]).read()
