"""Positions that come back within a search: a draw, unless one side gave check with every move."""

from __future__ import annotations

import numpy as np
import pytest

from evalsmith.compile import Integers, Word, driver, pointer
from evalsmith.engine import Searcher
from evalsmith.engine.alphabeta import repetition, slots
from evalsmith.engine.alphabeta.techniques import chosen, possible
from evalsmith.games import find_game

CHESS, SHOGI, OTHELLO = (find_game(name) for name in ("chess", "shogi", "othello"))


@driver("int64(int64[::1], uint64, int64, int64)")
def is_cycle(context: Integers, key: Word, checked: int, ply: int) -> int:
    """The helper on arrays."""
    return repetition.is_cycle(pointer(context), key, checked, ply)


def found(keys: list[int], checks: list[int], played: int = 0) -> bool:
    """Whether the last of these positions is a cycle, if the first ``played`` came before the root."""
    context = Searcher(CHESS, table_bytes=1 << 12).context
    slots.keys.of(context)[: len(keys), 0] = np.array(keys, dtype=np.uint64)
    slots.checks.of(context)[: len(checks), 0] = checks
    context.row[slots.HISTORY_LENGTH] = played
    return bool(is_cycle(context.row, np.uint64(keys[-1]), checks[-1], len(keys) - 1 - played))


@pytest.mark.parametrize(
    ("keys", "checks", "cycle"),
    [
        ([7, 2, 3, 4, 7], [0, 0, 0, 0, 0], True),
        ([1, 7, 3, 4, 5, 7], [0, 0, 0, 0, 0, 0], True),
        ([7, 2, 3, 7], [0, 0, 0, 0], False),  # another side moves
        ([7, 2, 3, 4, 8], [0, 0, 0, 0, 0], False),
        ([7, 2, 3, 4, 7], [0, 1, 0, 1, 0], False),  # the mover always gave check
        ([7, 2, 3, 4, 7], [1, 0, 1, 0, 1], False),  # the enemy did
        ([7, 2, 3, 4, 7], [1, 0, 0, 0, 1], True),  # not always
        ([7, 2, 3, 4, 7], [0, 1, 0, 0, 0], True),
    ],
)
def test_a_circle_without_perpetual_check(keys: list[int], checks: list[int], cycle: bool) -> None:
    assert found(keys, checks) == cycle


def test_what_came_before_the_root_may_still_be_avoided() -> None:
    assert found([7, 2, 3, 4, 7], [0] * 5, played=0)
    assert not found([7, 2, 3, 4, 7], [0] * 5, played=1)


def test_only_games_that_say_so_have_it() -> None:
    assert "cycles" in chosen(CHESS) and "cycles" in chosen(SHOGI)
    assert "cycles" not in possible(OTHELLO)
