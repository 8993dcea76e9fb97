"""Labels: they are what their maker says, they resume, and a dataset is never half labelled unnoticed."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from othello_sets import OTHELLO, small

from evalsmith.engine import Limit, Searcher
from evalsmith.games import find_game
from evalsmith.positions.labelling import labels
from evalsmith.positions.labelling.labellers import Labelling, LabelSettings
from evalsmith.positions.labelling.labels import label
from evalsmith.positions.samples import EXACT, NONE, PLAYER, PLAYOUT, SEARCH, UNKNOWN
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import BUSY, HEAD, load_dataset
from evalsmith.run.errors import InputError, Interrupted


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two parts of Othello positions, and chunks of twenty."""
    monkeypatch.setattr(parts, "ROWS_PER_PART", 60)
    monkeypatch.setattr(labels, "CHUNK", 20)
    return small(tmp_path, "d", range(4), per_game=25).path


def test_search_scores(dataset: Path) -> None:
    labelled = label(dataset, by="search", nodes=60, concurrency=2)
    assert labelled.summary.to_json() == {"positions": 100, "labelled": 100}
    samples = load_dataset(dataset).read()
    assert set(samples.label.tolist()) == {SEARCH}
    searcher = Searcher(OTHELLO, table_bytes=1 << 15)
    for row in range(0, 100, 9):
        searcher.new_game()
        line = searcher.think(samples.words[row], Limit(nodes=60)).lines[0]
        assert (samples.score[row], samples.depth[row]) == (line.score, line.depth)
    assert not list(dataset.glob(".labels-*"))


def test_playouts_and_their_way_back(dataset: Path) -> None:
    before = load_dataset(dataset).read()
    label(dataset, by="playout", nodes=10)
    samples = load_dataset(dataset).read()
    assert set(samples.label.tolist()) == {PLAYOUT}
    assert (samples.depth == -1).all()
    assert (np.abs(samples.score) <= 6400).all()
    assert np.array_equal(samples.target, samples.score)
    assert np.array_equal(samples.result, before.result)
    label(dataset, by="result")
    after = load_dataset(dataset).read()
    assert set(after.label.tolist()) == {NONE}
    assert (after.score == UNKNOWN).all()
    # Asked again, it is made again, and comes out the same.
    label(dataset, by="playout", nodes=10, concurrency=1)
    assert np.array_equal(load_dataset(dataset).read().score, samples.score)
    assert [each["by"] for each in load_dataset(dataset).extra["labelled"]] == ["playout", "result", "playout"]


def test_what_was_labelled_last_is_not_labelled_again(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    label(dataset, by="search", nodes=20)
    parts = {part: part.read_bytes() for part in load_dataset(dataset).parts()}
    asked = []
    monkeypatch.setattr(labels, "run", lambda job, items, how: asked.extend(items) or [])
    again = label(dataset, by="search", nodes=20)
    assert asked == []
    assert {part: part.read_bytes() for part in load_dataset(dataset).parts()} == parts
    assert again.summary.labelled == again.summary.positions == again.rows()
    assert len(load_dataset(dataset).extra["labelled"]) == 1


def test_exact_scores_of_some_stages(dataset: Path) -> None:
    labelled = label(dataset, by="solve", empties=8)
    samples = load_dataset(dataset).read()
    empties = 64 - np.bitwise_count(samples.words[:, 0] | samples.words[:, 1]).astype(int)
    assert (samples.label == np.where(empties <= 8, EXACT, NONE)).all()
    assert 0 < labelled.summary.labelled == (empties <= 8).sum()
    solve = OTHELLO.hook("solve")
    for row in np.flatnonzero(empties <= 8)[:6]:
        assert samples.score[row] == solve(samples.words[row]).score
    # The rest by a search, the exact ones kept.
    label(dataset, by="search", nodes=20, missing=True)
    both = load_dataset(dataset).read()
    assert (both.label == np.where(empties <= 8, EXACT, SEARCH)).all()
    assert np.array_equal(both.score[empties <= 8], samples.score[empties <= 8])
    label(dataset, by="result", stages="0-10")
    last = load_dataset(dataset).read()
    assert ((last.label == NONE) == (last.phase <= 10)).all()


def test_a_player_at_its_seat(dataset: Path) -> None:
    label(dataset, by="player", player="self;nodes=40", seed=2)
    samples = load_dataset(dataset).read()
    assert set(samples.label.tolist()) <= {PLAYER, NONE}
    assert (samples.label == PLAYER).sum() > 80


class Impatient:
    def __init__(self, after: int) -> None:
        self.left = after

    def advance(self, count: int = 1) -> None:
        self.left -= count
        if self.left <= 0:
            raise KeyboardInterrupt


def test_interrupted_work_goes_on_from_where_it_was(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = LabelSettings("search", nodes=30)
    before = load_dataset(dataset).read()
    with pytest.raises(Interrupted, match="run the same command to resume"):
        label(dataset, **config.changed(), concurrency=1, progress=lambda *_: nullcontext(Impatient(45)))
    kept = sorted(dataset.glob(".labels-*/*.npz"))
    assert len(kept) == 2
    assert np.array_equal(load_dataset(dataset).read().score, before.score)  # whole, and as it was
    made: list[int] = []
    real = Labelling.label
    monkeypatch.setattr(
        Labelling, "label", lambda self, words, number, told: made.append(number) or real(self, words, number, told)
    )
    kept[1].write_bytes(b"damaged")
    label(dataset, **config.changed(), concurrency=1)
    assert len(made) == 5 - 1  # parts of 60 and 40 positions are three and two chunks; one was kept
    assert set(load_dataset(dataset).read().label.tolist()) == {SEARCH}


def test_a_kill_while_labels_are_put_in(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = LabelSettings("search", nodes=30)
    real, calls = labels.write_part, []

    def killed(*arguments: object, **options: object) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise SystemExit  # nothing is done any more, as after a kill
        real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(labels, "write_part", killed)
    with pytest.raises(SystemExit):
        label(dataset, **config.changed())
    monkeypatch.setattr(labels, "write_part", real)
    with pytest.raises(InputError, match=r"the labelling .* is incomplete; run its command again"):
        load_dataset(dataset).read()
    with pytest.raises(InputError, match="is incomplete"):
        label(dataset, **replace(config, nodes=31).changed())
    label(dataset, **config.changed())
    assert set(load_dataset(dataset).read().label.tolist()) == {SEARCH}
    assert BUSY not in json.loads((dataset / HEAD).read_text())


def test_texts_and_games_of_parts_stay(tmp_path: Path) -> None:
    made = generate(OTHELLO, tmp_path / "g", games=3, nodes=10, text=True, concurrency=1)
    label(made.path, by="search", nodes=10)
    part = made.parts()[0]
    assert parts.has_text(part)
    assert parts.part_games(part) == 3
    # Growing goes on with what is there.
    assert generate(OTHELLO, tmp_path / "g", games=3, nodes=10, text=True).rows() == made.rows()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"by": None}, "by is not given; it must be result, playout, search, solve or player"),
        ({"by": "magic"}, "by must be result, playout, search, solve or player, not 'magic'"),
        ({"by": "solve", "nodes": 5}, "a solver has no limit of nodes"),
        ({"by": "search", "stages": "5-3"}, "the lower one first"),
        ({"by": "search", "nodes": 0}, "nodes must be a whole number of at least 1"),
        ({"by": "solve", "empties": -1}, "empties must be a whole number of at least 0"),
    ],
)
def test_impossible_labels_are_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        LabelSettings(**options)  # type: ignore[arg-type]


def test_who_cannot_label_is_refused() -> None:
    with pytest.raises(InputError, match="has no solver"):
        Labelling(find_game("chess"), LabelSettings("solve"))
    with pytest.raises(InputError, match="use --by player for random"):
        Labelling(OTHELLO, LabelSettings("search", player="random"))


def test_labels_of_quiet_positions_alone(tmp_path: Path) -> None:
    chess = find_game("chess")
    made = generate(chess, tmp_path / "d", games=2, nodes=5, player="random", noise=0.0, concurrency=1)
    quiet = quiet_positions(chess, made.read().words)
    labelled = label(tmp_path / "d", by="search", nodes=20, quiet=True)
    assert labelled.summary.to_json() == {"positions": quiet.sum(), "labelled": quiet.sum()}
    assert np.array_equal(labelled.read().score != UNKNOWN, quiet)
    assert 0 < quiet.sum() < len(quiet)
    assert LabelSettings(by="search", quiet=True).to_json()["quiet"] is True
    assert "quiet" not in LabelSettings(by="search").to_json()
