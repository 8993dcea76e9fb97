"""Lockstep: the same build agrees with itself to the node, another one is found out at the first difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalsmith.arena.play.lockstep import lockstep, positions_of
from evalsmith.engine import Limit
from evalsmith.games import OVER, find_game
from evalsmith.players import parse_player
from evalsmith.run import InputError

FOUR = find_game("connect_four")


def compared(first: str, second: str, count: str = "12"):  # type: ignore[no-untyped-def]
    players = (parse_player(first, FOUR), parse_player(second, FOUR))
    return lockstep(FOUR, players, positions_of(FOUR, count, 1), Limit(depth=4), 1)


def test_a_build_agrees_with_itself() -> None:
    result = compared("self", "self;name=other")
    assert (result.positions, result.same_moves, result.same_nodes) == (12, 12, 12)
    assert result.nodes_known and result.difference is None


def test_more_nodes_are_a_difference_even_if_the_move_is_the_same() -> None:
    result = compared("self", "self;name=other;depth=6")
    assert result.same_nodes < 12
    at = result.difference
    assert at is not None and (at.moves[0] != at.moves[1] or at.nodes[0] != at.nodes[1])
    assert FOUR.status(FOUR.parse(at.position)) != OVER


def test_players_that_tell_no_nodes_are_compared_by_moves() -> None:
    result = compared("self", "random")
    assert not result.nodes_known and result.difference is not None


def test_positions(tmp_path: Path) -> None:
    found = positions_of(FOUR, "30", 1)
    assert len(found) == 30 and len({opening.moves for opening in found}) > 20
    assert [one.moves for one in found] == [one.moves for one in positions_of(FOUR, "30", 1)]
    (tmp_path / "p.txt").write_text("4453\n123\n")
    assert len(positions_of(FOUR, str(tmp_path / "p.txt"), 1)) == 2
    with pytest.raises(InputError, match="above 0"):
        positions_of(FOUR, "0", 1)
    with pytest.raises(InputError, match="there is no file"):
        positions_of(FOUR, "nosuch", 1)
