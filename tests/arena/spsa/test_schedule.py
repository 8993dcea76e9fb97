"""The games of a run: in whatever order they end, the values are the same; what fails is played again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.logged import logged
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.spsa.course import Course, Parameter
from evalsmith.arena.spsa.schedule import GIVE_UP, MINUS, PLUS, TRIES, Schedule
from evalsmith.run import EvalsmithError

ONE = Parameter("one", 50, 0, 100, 5, 0.05)
TWO = Parameter("two", 0.5, 0, 1, 0.1, 0.05, integer=False)
CRASH = [{"side": 0, "reason": "crash", "detail": "exit code 3"}]


def course(iterations: int = 12, pairs: int = 2, ahead: int = 2) -> Course:
    return Course([ONE, TWO], iterations, pairs=pairs, ahead=ahead, seed=4)


def outcome(schedule: Schedule, key: GameKey) -> GameEntry:
    """A game whose result depends on its name and its values alone."""
    source = random.Random(f"{key} {schedule.options_of(key)}")
    return logged(key, source.choice((-1, 0, 1)))


def play(schedule: Schedule, source: random.Random, games: int = 10**9, at_once: int = 3) -> dict[GameKey, GameEntry]:
    """Play with several games at once that end in any order; the games that ended."""
    running: dict[GameKey, GameEntry] = {}
    ended: dict[GameKey, GameEntry] = {}
    while not schedule.complete and len(ended) < games:
        while len(running) < at_once and (key := schedule.next()) is not None:
            running[key] = outcome(schedule, key)
        key = source.choice(sorted(running))
        ended[key] = running.pop(key)
        schedule.finish(key, ended[key])
    return ended


UNBROKEN = Schedule(course(), {})
ALL_GAMES = play(UNBROKEN, random.Random(0), at_once=1)


@given(st.integers(0, 1000), st.integers(1, 9))
@settings(max_examples=20)
def test_any_order_gives_the_same_values(seed: int, at_once: int) -> None:
    schedule = Schedule(course(), {})
    assert play(schedule, random.Random(seed), at_once=at_once) == ALL_GAMES
    assert schedule.course.path == UNBROKEN.course.path


@given(st.integers(0, 1000), st.integers(0, len(ALL_GAMES)))
@settings(max_examples=20)
def test_a_run_resumes_from_any_part_of_its_log(seed: int, games: int) -> None:
    first = play(Schedule(course(), {}), random.Random(seed), games)
    second = Schedule(course(), first)
    rest = play(second, random.Random(seed + 1))
    assert not first.keys() & rest.keys()
    assert first | rest == ALL_GAMES
    assert second.course.path == UNBROKEN.course.path


def test_no_game_begins_too_early() -> None:
    schedule = Schedule(course(iterations=5, pairs=1, ahead=1), {})
    first = [schedule.next() for _ in range(5)]
    assert [key and (key.pair, key.half) for key in first] == [(0, 0), (0, 1), (1, 0), (1, 1), None]
    for key in first[2:4]:
        assert key is not None and schedule.finish(key, logged(key, 1)) == 0
    assert schedule.next() is None
    assert first[0] is not None and first[1] is not None
    schedule.finish(first[0], logged(first[0], 1))
    assert schedule.finish(first[1], logged(first[1], 1)) == 2
    assert [(key.pair, key.half) for key in iter(schedule.next, None)] == [(2, 0), (2, 1), (3, 0), (3, 1)]


def test_the_first_side_wins_points_with_either_colour() -> None:
    single = Course([TWO], 1, seed=4)
    sign, step = single.probes[0].signs[0], single.gains.step(TWO, 1)
    schedule = Schedule(single, {})
    for key in list(iter(schedule.next, None)):
        assert key.sides == ((PLUS, MINUS) if key.half == 0 else (MINUS, PLUS))
        schedule.finish(key, logged(key, 1 if key.half == 0 else -1))
    assert single.values[0] == pytest.approx(0.5 + 2 * sign * step)


def test_a_pair_that_fails_is_played_again_and_then_counts() -> None:
    schedule = Schedule(course(iterations=1, pairs=1), {})
    first, second = list(iter(schedule.next, None))
    schedule.finish(first, logged(first, -1, failed=CRASH))
    assert schedule.next() is None
    schedule.finish(second, logged(second, 1))
    assert not schedule.complete
    again = list(iter(schedule.next, None))
    assert [(key.pair, key.half, key.round) for key in again] == [(0, 0, 1), (0, 1, 1)]
    for key in again:
        schedule.finish(key, logged(key, 0))
    assert schedule.complete and schedule.course.values == (50, 0.5)
    [failure] = schedule.failures
    assert str(failure).startswith("pair 0: plus failed (crash: exit code 3) with one=") and not failure.settled


def test_a_pair_that_always_fails_moves_nothing_and_the_run_goes_on() -> None:
    schedule = Schedule(course(iterations=2, pairs=1, ahead=0), {})
    played: dict[GameKey, GameEntry] = {}
    while (key := schedule.next()) is not None:
        played[key] = logged(key, 1, failed=CRASH) if key.pair == 0 else logged(key, 1 - 2 * key.half)
        schedule.finish(key, played[key])
    assert schedule.complete and len(played) == 2 * TRIES + 2
    assert schedule.course.path[1] == schedule.course.path[0] != schedule.course.path[2]
    assert [one.settled for one in schedule.failures] == [False] * 2 * (TRIES - 1) + [True] * 2
    again = Schedule(course(iterations=2, pairs=1, ahead=0), played)
    assert again.course.path == schedule.course.path and again.failures == schedule.failures


def test_a_loss_on_time_is_a_loss() -> None:
    schedule = Schedule(course(iterations=1, pairs=1), {})
    late = [{"side": 0, "reason": "time", "detail": "0.2 s late"}]
    for key in list(iter(schedule.next, None)):
        schedule.finish(key, logged(key, -1 if key.half == 0 else 1, failed=late if key.half == 0 else []))
    assert schedule.complete and not schedule.failures and schedule.course.values != (50, 0.5)


def test_a_run_in_which_everything_fails_ends() -> None:
    schedule = Schedule(course(iterations=GIVE_UP + 5, pairs=1, ahead=0), {})
    with pytest.raises(EvalsmithError, match=f"{GIVE_UP} pairs failed one after another.*crash: exit code 3"):
        while (key := schedule.next()) is not None:
            schedule.finish(key, logged(key, 1, failed=CRASH))
