"""The command that makes Othello's weights: how exact values reach the other positions of a game."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from evalsmith.positions.samples import EXACT, NONE, PLAYOUT, SEARCH, UNKNOWN, Samples

TOOL = Path(__file__).parents[2] / "tools" / "weights_othello.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("weights_othello", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def samples(rows: list[tuple[int, int, int, int | None]], label: int = EXACT) -> Samples:
    """Rows of game, ply, side to move and exact value for it; positions are told apart by their ply."""
    game, ply, side, known = (np.array(column) for column in zip(*rows, strict=True))
    words = np.stack([ply, np.zeros_like(ply), side], axis=1).astype(np.uint64)
    score = np.array([UNKNOWN if value is None else value for value in known], dtype=np.int32)
    labels = np.where(score == UNKNOWN, NONE, label).astype(np.int8)
    ply = ply.astype(np.int32)
    return Samples(words, game.astype(np.int64), ply, 60 - ply, np.full(len(ply), 800, dtype=np.int32), score, labels)


def test_a_value_is_carried_back_with_the_sign_of_the_mover(tool: ModuleType) -> None:
    made = tool.carried(samples([(7, 0, 0, None), (7, 1, 1, None), (7, 2, 1, None), (7, 3, 0, 600)]))
    assert made.score.tolist() == [600, -600, -600, 600]
    assert made.label.tolist() == [PLAYOUT, PLAYOUT, PLAYOUT, EXACT]


def test_between_two_exact_values_it_is_interpolated(tool: ModuleType) -> None:
    made = tool.carried(samples([(7, 0, 0, None), (7, 1, 0, 800), (7, 2, 1, None), (7, 3, 0, None), (7, 5, 1, 0)]))
    assert made.score.tolist() == [800, 800, -600, 400, 0]
    assert made.label.tolist() == [PLAYOUT, EXACT, PLAYOUT, PLAYOUT, EXACT]


def test_what_has_no_exact_value_behind_it_is_left_out(tool: ModuleType) -> None:
    rows = [(1, 0, 0, None), (1, 1, 1, 200), (1, 2, 0, None), (2, 0, 0, None), (3, 0, 0, None), (3, 1, 1, 400)]
    made = tool.carried(samples(rows))
    assert list(zip(made.game.tolist(), made.ply.tolist(), made.score.tolist(), strict=True)) == [
        (1, 0, -200), (1, 1, 200), (3, 0, -400), (3, 1, 400),
    ]  # fmt: skip


def test_the_order_of_the_rows_does_not_matter(tool: ModuleType) -> None:
    rows = [(1, 0, 0, None), (1, 1, 1, 200), (2, 0, 0, None), (2, 4, 0, -600), (2, 1, 1, None)]
    straight, turned = tool.carried(samples(rows)), tool.carried(samples(rows[::-1]))
    for name in ("game", "ply", "score", "label"):
        assert getattr(straight, name).tolist() == getattr(turned, name).tolist()


def test_a_stage_is_thinned_but_for_what_was_solved_or_searched(tool: ModuleType) -> None:
    searched = samples([(game, 10, 0, 100) for game in range(5)], label=SEARCH)
    carried = samples([(game, ply, 0, 100) for game in range(20) for ply in (10, 11)], label=PLAYOUT)
    made = tool.thinned(tool.numbered([searched, carried]), 8, np.random.default_rng(1))
    assert ((made.phase == 50) & (made.label == SEARCH)).sum() == 5
    assert (made.phase == 50).sum() == (made.phase == 49).sum() == 8


def test_games_of_several_sources_stay_apart(tool: ModuleType) -> None:
    one = samples([(0, 0, 0, 1), (4, 0, 0, 1)])
    made = tool.numbered([one, one, one])
    assert len(np.unique(made.game)) == 6
    assert made.source.tolist() == [0, 0, 1, 1, 2, 2]


def test_every_size_says_the_same_for_each_generation(tool: ModuleType) -> None:
    for size in tool.SIZES.values():
        assert len(size.games) == len(size.nodes) == len(size.per_stage) == len(size.penalty)
