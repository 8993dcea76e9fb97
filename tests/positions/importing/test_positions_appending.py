"""More files for a dataset: all there or not at all, and never mixed up with what was there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from othello_sets import small, transcripts

from evalsmith.positions.importing import appending
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.store import parts
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.run.errors import BusyError, InputError


def test_new_parts_stand_behind_the_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "ROWS_PER_PART", 100)
    before = small(tmp_path, "d", range(3)).read()
    imported = import_games([transcripts(tmp_path / "more.txt", range(5, 7))], tmp_path / "d", append=True)
    dataset = load_dataset(tmp_path / "d")
    samples = dataset.read()
    assert imported.summary.games == 2
    assert len(samples) == len(before) + imported.summary.positions
    assert np.array_equal(samples.words[: len(before)], before.words)
    assert np.array_equal(np.unique(samples.game), range(5))
    assert [source["name"] for source in dataset.sources] == ["d.txt", "more.txt"]
    assert np.array_equal(np.unique(samples.source), [0, 1])
    assert len(dataset.extra["added"]) == 1
    assert not (tmp_path / "d" / ".adding").exists()


def test_a_kill_in_the_middle_is_noticed_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "ROWS_PER_PART", 50)
    rows = len(small(tmp_path, "d", range(3)).read())
    more = transcripts(tmp_path / "more.txt", range(5, 8))
    real, calls = appending.write_part, []

    def killed(*arguments: object, **options: object) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise SystemExit
        real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(appending, "write_part", killed)
    with pytest.raises(SystemExit):
        import_games([more], tmp_path / "d", append=True)
    monkeypatch.setattr(appending, "write_part", real)
    with pytest.raises(InputError, match=r"adding .* is incomplete"):
        load_dataset(tmp_path / "d").read()
    imported = import_games([more], tmp_path / "d", append=True)
    samples = load_dataset(tmp_path / "d").read()
    assert len(samples) == rows + imported.summary.positions
    assert np.array_equal(np.unique(samples.game), range(6))


def test_what_is_being_written_is_refused(tmp_path: Path) -> None:
    dataset = small(tmp_path, "d", range(1))
    with dataset.lock(), pytest.raises(BusyError):
        import_games([transcripts(tmp_path / "more.txt", range(2))], tmp_path / "d", append=True)
    with pytest.raises(InputError, match="there is no dataset"):
        import_games([transcripts(tmp_path / "more.txt", range(2))], tmp_path / "other", append=True)


def test_what_the_dataset_has_is_not_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "ROWS_PER_PART", 50)
    before = small(tmp_path, "d", range(4), dedup=True).read()
    more = transcripts(tmp_path / "more.txt", range(2, 7))
    new = small(tmp_path, "e", range(2, 7), dedup=True).read()
    real, calls = appending.write_part, []

    def killed(*arguments: object, **options: object) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise SystemExit
        real(*arguments, **options)  # type: ignore[arg-type]

    # Killed while the new parts are put in: what is compared with is what was there before them.
    monkeypatch.setattr(appending, "write_part", killed)
    with pytest.raises(SystemExit):
        import_games([more], tmp_path / "d", dedup=True, append=True)
    monkeypatch.setattr(appending, "write_part", real)
    imported = import_games([more], tmp_path / "d", dedup=True, append=True)
    samples = load_dataset(tmp_path / "d").read()
    assert imported.summary.rejected["position that came before"] > 0
    both = {tuple(row) for row in [*before.words.tolist(), *new.words.tolist()]}
    assert len(samples) == len(both) == len({tuple(row) for row in samples.words.tolist()})
    assert imported.summary.positions == len(both) - len(before)


def test_images_of_what_is_there_are_not_taken(tmp_path: Path) -> None:
    small(tmp_path, "d", range(3))
    with pytest.raises(InputError, match=r"no game could be used of .*more\.txt: position that came before"):
        import_games(
            [transcripts(tmp_path / "more.txt", range(3))],
            tmp_path / "d",
            dedup=True,
            symmetry=True,
            append=True,
        )
    assert load_dataset(tmp_path / "d").complete
