"""Ablation: every group, source and filter is left out once, and judged on the same held-out games."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalsmith.fit.ablation import ablate
from evalsmith.games import find_game
from evalsmith.positions.selfplay.generation import generate
from evalsmith.run import InputError
from evalsmith.weights import Layout


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ablation") / "data"
    generate("connect_four", path, games=60, nodes=60, scores=True)
    return path


def test_each_group_is_left_out_and_what_counts_costs_most(data: Path, tmp_path: Path) -> None:
    found = ablate(data, tmp_path / "run", drop="group", validation=0.3, concurrency=1)
    names = [name for name, _ in Layout.of(find_game("connect_four")).features]
    assert sorted(one.name for one in found.variants) == sorted(names)
    costs = [one.cost for one in found.variants]
    assert costs == sorted(costs, reverse=True) and costs[0] > 2 * found.variants[0].comparison.error > 0
    held = {one.comparison.rows for one in found.variants}
    assert len(held) == 1 and found.full_loss == pytest.approx(found.variants[0].comparison.start)
    assert "without group" in str(found) and found.to_json()["variants"][0]["cost"] == costs[0]
    again = ablate(data, tmp_path / "run", drop="group", validation=0.3, concurrency=1)
    assert again.variants == found.variants


def test_filters_and_sources(data: Path, tmp_path: Path) -> None:
    found = ablate(data, tmp_path / "filter", drop="filter", skip_opening=4, validation=0.3, concurrency=1)
    assert "skip_opening" in {one.name for one in found.variants}
    with pytest.raises(InputError, match="there is no source to leave out"):
        ablate(data, tmp_path / "source", drop="source", validation=0.3, concurrency=1)
    with pytest.raises(InputError, match="drop must be group, source or filter, not 'moves'"):
        ablate(data, tmp_path / "moves", drop="moves")
