"""The command that makes the weights that ship: its settings, what its cards say, and how weights are stored."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.improvement.recipe import recipe_for
from evalsmith.improvement.settings import ImproveSettings
from evalsmith.weights import starting_weights
from evalsmith.weights.fitted import pack, unpack

TOOL = Path(__file__).parents[2] / "tools" / "make_weights.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_weights", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["othello", "chess", "shogi", "dvonn"])
def test_every_leg_is_something_that_improve_accepts(tool: ModuleType, name: str) -> None:
    for settings in (*tool.FULL[name], *tool.SMALL):
        recipe = recipe_for(find_game(name), ImproveSettings.from_options(settings))
        assert recipe.games == settings["games"] if "games" in settings else recipe.games > 0
    assert tool.PROOF_NODES[name] > 0


def test_a_card_says_where_its_start_comes_from(tool: ModuleType) -> None:
    card = {"made": "make weights-dvonn", "command": "evalsmith improve dvonn -o RUN", "data": "9 games of self-play"}
    assert tool.origin(card) == "evalsmith improve dvonn -o RUN: 9 games of self-play"
    older = {"made": "by hand", "seed": 1}
    assert tool.origin(older) == "made by hand, seed 1"


@pytest.mark.parametrize("quantum", [1, 4])
def test_what_is_proven_is_what_is_stored(tool: ModuleType, quantum: int) -> None:
    game = find_game("dvonn")
    start = starting_weights(game)
    drawn = np.random.default_rng(1).integers(-3000, 3000, start.values.shape).astype(np.int32)
    weights = tool.rounded(replace(start, values=drawn), quantum)
    assert np.array_equal(unpack(pack(weights, quantum), game, "here").values, weights.values)
    assert np.abs(weights.values - drawn).max() <= quantum // 2
