"""The functions of datasets as a Python user calls them: settings as keywords, results that show themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from othello_sets import small, transcripts

from evalsmith.positions.importing.games import import_games
from evalsmith.positions.labelling.labels import label
from evalsmith.positions.selfplay.generation import generate
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.info import dataset_info
from evalsmith.run.errors import InputError, MismatchError


def test_self_play_in_an_old_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    data = generate("connect_four", str(tmp_path / "d"), games=3, nodes=5)
    assert generate("connect_four", str(tmp_path / "d"), games=3, nodes=5).rows() == data.rows()
    with pytest.raises(MismatchError, match=r"other settings \(nodes was 5, is now 6\); choose another folder"):
        generate("connect_four", str(tmp_path / "d"), games=3, nodes=6)
    with pytest.raises(InputError, match="no setting 'node'; did you mean nodes"):
        generate("connect_four", str(tmp_path / "d"), node=6)


def test_arguments_override_the_selection_of_a_file(tmp_path: Path) -> None:
    source, chosen = transcripts(tmp_path / "a.txt", range(3)), tmp_path / "s.toml"
    chosen.write_text("[select]\nper_game = 9\nseed = 4\n")
    data = import_games(source, tmp_path / "d", select=chosen, seed=1, game="othello")
    assert data.made["selection"] == {"per_game": 9}
    assert data.summary.positions == data.rows() == 27
    assert "positions" in str(data) and "<table>" in data._repr_html_()


def test_results_show_themselves(tmp_path: Path) -> None:
    data = small(tmp_path, "d", range(2))
    assert repr(load_dataset(data.path)).endswith(f"{data.rows():,} positions of othello>")
    assert "othello" in str(dataset_info(data)) and "<table>" in dataset_info(data)._repr_html_()


def test_a_copy_is_labelled_and_the_dataset_stays(tmp_path: Path) -> None:
    data = small(tmp_path, "d", range(1))
    labelled = label(data, tmp_path / "copy", by="search", depth=1)
    assert labelled.path == tmp_path / "copy" and labelled.summary.labelled == data.rows()
    assert "labelled" in str(labelled)
    assert (load_dataset(data.path).read().label == 0).all()
    small(tmp_path, "other", range(2))
    with pytest.raises(MismatchError, match="is not a copy of"):
        label(data, tmp_path / "other", by="search", depth=1)
