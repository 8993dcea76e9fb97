"""Limits of a game, and the clock as it runs down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.engine import Limit
from evalsmith.players import GameClock, PlayLimit, parse_tc, play_limit
from evalsmith.players.limit import moves_to_go
from evalsmith.run import InputError


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("10+0.1", (10.0, 0.1, None)),
        ("40/60+0.5", (60.0, 0.5, 40)),
        ("60", (60.0, 0.0, None)),
        ("0+1", (0.0, 1.0, None)),
    ],
)
def test_time_controls(text: str, parsed: tuple) -> None:
    assert parse_tc(text) == parsed


@pytest.mark.parametrize("text", ["", "x", "1+", "1+x", "/60", "40/", "-1+1", "1+-1", "nan", "inf+1", "4.5/60"])
def test_what_is_no_time_control(text: str) -> None:
    with pytest.raises(InputError):
        parse_tc(text)


@given(st.text(alphabet="0123456789+/.-xe ", max_size=12))
def test_any_text_is_a_time_control_or_an_error(text: str) -> None:
    try:
        base, increment, moves = parse_tc(text)
        assert base >= 0 and increment >= 0 and (moves is None or isinstance(moves, int))
    except InputError as error:
        assert repr(text) in str(error)


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"base": -1.0}, "base time must be from 0"),
        ({"base": float("nan")}, "base time must be from 0"),
        ({"base": 1e9}, "base time must be from 0"),
        ({"base": 0.0}, "more than 0 s"),
        ({"budget": 0.0}, "more than 0 s"),
        ({"increment": 1.0}, "needs a base time"),
        ({"base": 1.0, "budget": 1.0}, "exclude each other"),
        ({"base": 1.0, "control_moves": 0}, "must be above 0"),
        ({"margin": -0.1}, "margin must be from 0"),
        ({"nodes": 0}, "number of nodes"),
    ],
)
def test_impossible_limits(fields: dict, part: str) -> None:
    with pytest.raises(InputError, match=part):
        PlayLimit(**fields)


def test_any_limit_is_the_limit_of_a_game() -> None:
    assert play_limit(Limit(depth=3, nodes=5, seconds=0.5)) == PlayLimit(depth=3, nodes=5, seconds=0.5)
    own = PlayLimit(base=3)
    assert play_limit(own) is own


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (PlayLimit(nodes=5), "5 nodes"),
        (PlayLimit(base=10, increment=0.1), "tc 10+0.1"),
        (PlayLimit(base=60, control_moves=40, depth=3), "depth 3, tc 40/60+0"),
        (PlayLimit(byoyomi=1), "byoyomi 1 s"),
        (PlayLimit(budget=5), "budget 5 s"),
        (PlayLimit(), "no limit"),
    ],
)
def test_limits_as_text(limit: PlayLimit, text: str) -> None:
    assert str(limit) == text


def test_a_clock_with_increment_and_controls() -> None:
    limit = PlayLimit(base=10, increment=1, control_moves=2)
    clock = GameClock(limit)
    lefts = []
    for seconds in (3.0, 4.0, 30.0, 0.0):
        clock.spend(seconds)
        lefts.append(clock.left)
    assert lefts == [8.0, 15.0, 1.0, 12.0]
    assert [moves_to_go(limit, moves) for moves in range(4)] == [2, 1, 2, 1]


def test_byoyomi_and_budget() -> None:
    clock = GameClock(PlayLimit(base=2, byoyomi=1))
    clock.spend(1.5)
    assert clock.left == 0.5
    clock.spend(1.4)
    assert clock.left == 0.0
    budget = GameClock(PlayLimit(budget=5))
    budget.spend(1.25)
    assert budget.left == 3.75


def test_without_a_clock_nothing_runs_down() -> None:
    clock = GameClock(Limit(seconds=1))
    clock.spend(99)
    assert clock.left is None and not PlayLimit(seconds=1).timed
