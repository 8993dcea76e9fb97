"""The command that makes Othello's weights: how exact values reach the other positions of a game."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from evalsmith.positions.samples import EXACT, NONE, PLAYOUT, REPORTED, UNKNOWN, Samples

TOOL = Path(__file__).parents[2] / "tools" / "weights_othello.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("weights_othello", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


Row = tuple[int, int, int, int | None, int, int | None]


def samples(rows: list[Row]) -> Samples:
    """Rows of game, ply, side to move, score for it, its label, and the result; told apart by their ply."""
    game, ply, side, _, label, _ = (np.array(column) for column in zip(*rows, strict=True))
    words = np.stack([ply, np.zeros_like(ply), side], axis=1).astype(np.uint64)
    score, result = (np.array([UNKNOWN if r[k] is None else r[k] for r in rows], dtype=np.int32) for k in (3, 5))
    ply = ply.astype(np.int32)
    return Samples(words, game.astype(np.int64), ply, 60 - ply, result, score, label.astype(np.int8))


# A game of which the move from ply 1 was random; the end is solved.
PLAYED: list[Row] = [
    (7, 0, 0, 300, REPORTED, None),
    (7, 1, 1, -400, REPORTED, None),
    (7, 2, 1, -200, REPORTED, -800),
    (7, 3, 0, None, NONE, 800),
    (7, 4, 1, -600, EXACT, -800),
    (7, 5, 0, 600, EXACT, 800),
]


def test_what_is_carried_back_has_the_sign_of_the_mover_and_ends_at_a_random_move(tool: ModuleType) -> None:
    back = tool.carried_back(samples(PLAYED))
    assert back.tolist() == [UNKNOWN, UNKNOWN, -600, 600, -600, 600]


def test_values_are_exact_carried_back_thought_or_a_mix(tool: ModuleType) -> None:
    made = tool.valued(samples(PLAYED), 0.75)
    assert made.score.tolist() == [300, -400, -300, 600, -600, 600]
    assert made.label.tolist() == [PLAYOUT] * 4 + [EXACT] * 2
    # Where nobody's thoughts count, what has nothing else is left out.
    assert tool.valued(samples(PLAYED), 0.0).score.tolist() == [-600, 600, -600, 600]


def test_an_evaluation_beyond_all_discs_is_cut(tool: ModuleType) -> None:
    beyond = samples([(1, 0, 0, 9000, REPORTED, None), (1, 1, 1, -8000, REPORTED, None)])
    assert tool.valued(beyond, 1.0).score.tolist() == [6400, -6400]


def test_a_game_without_an_exact_value_has_its_result(tool: ModuleType) -> None:
    other: list[Row] = [(8, 0, 0, None, NONE, 500), (8, 1, 1, None, NONE, -500)]
    assert tool.carried_back(samples(other + PLAYED[4:])).tolist()[-2:] == [-600, 600]
    assert tool.carried_back(samples(PLAYED[4:] + other)).tolist() == [-600, 600, 500, -500]


def test_the_order_of_the_rows_does_not_matter(tool: ModuleType) -> None:
    straight, turned = tool.valued(samples(PLAYED), 0.5), tool.valued(samples(PLAYED[::-1]), 0.5)
    for name in ("game", "ply", "score", "label"):
        assert getattr(straight, name).tolist() == getattr(turned, name).tolist()


def test_games_of_several_sources_stay_apart(tool: ModuleType) -> None:
    one = samples([(0, 0, 0, 1, EXACT, 1), (4, 0, 0, 1, EXACT, 1)])
    made = tool.numbered([one, one, one])
    assert len(np.unique(made.game)) == 6
    assert made.source.tolist() == [0, 0, 1, 1, 2, 2]


def test_every_size_says_the_same_for_each_generation(tool: ModuleType) -> None:
    for size in tool.SIZES.values():
        assert len(size.games) == len(size.nodes) == len(size.penalty)
