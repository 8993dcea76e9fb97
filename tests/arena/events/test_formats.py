"""Formats: the right games, none twice, and the same ones however far the event has come."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.logged import logged
from evalsmith.arena.events.formats import FORMATS, Format, free_games, knockout_winner, swiss_rounds
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.played import EXTRA_PAIRS, Played
from evalsmith.run import InputError


def names_of(count: int) -> list[str]:
    return [f"p{i}" for i in range(count)]


def result_of(key: GameKey, rule: str, seed: int) -> GameEntry:
    """A result that depends on the game alone: the better seed wins, all draws, or chance."""
    if rule == "draws":
        value = 0
    elif rule == "seeds":
        value = 1 if int(key.sides[0][1:]) < int(key.sides[1][1:]) else -1
    else:
        value = random.Random(f"{seed}{key}").choice((-1, 0, 1))
    return logged(key, value)


def play_out(form: Format, names: list[str], rule: str, seed: int = 0) -> dict[GameKey, GameEntry]:
    """Play whatever is planned, in random order and batches, until nothing is left."""
    games: dict[GameKey, GameEntry] = {}
    source = random.Random(seed)
    while waiting := [key for key in form.planned(names, Played(games.values())) if key not in games]:
        source.shuffle(waiting)
        for key in waiting[: source.randint(1, len(waiting))]:
            games[key] = result_of(key, rule, seed)
    return games


RULES = st.sampled_from(["seeds", "draws", "chance"])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORMATS), st.integers(2, 9), st.integers(1, 3), RULES, st.integers(0, 1000))
def test_events_do_not_depend_on_the_order_of_their_games(
    kind: str, players: int, pairs: int, rule: str, seed: int
) -> None:
    names = names_of(2 if kind == "match" else players)
    form = Format(kind, pairs)
    one, other = play_out(form, names, rule, seed), play_out(form, names, rule, seed + 1)
    if rule != "chance":
        assert one == other
    planned = list(form.planned(names, Played(one.values())))
    assert len(planned) == len(set(planned)) and set(planned) == set(one)
    for key in planned:  # whole pairs, from openings that exist
        assert key._replace(half=1 - key.half) in one
        assert 0 <= form.opening_of(key) < form.openings(len(names))
    assert len({(key.round, key.pair, form.opening_of(key)) for key in planned}) == len(
        {form.opening_of(key) for key in planned}
    )


@pytest.mark.parametrize("players", [2, 3, 6])
def test_round_robin(players: int) -> None:
    names = names_of(players)
    planned = list(Format("round-robin", 3).planned(names, Played()))
    assert len(planned) == 6 * players * (players - 1) // 2
    met = {frozenset((key.first, key.second)) for key in planned}
    assert met == {frozenset(pair) for pair in combinations(names, 2)}
    # All meetings have played one pair before any begins its second.
    assert [key.pair for key in planned] == sorted(key.pair for key in planned)


def test_gauntlet() -> None:
    planned = Format("gauntlet", 1, challengers=2).planned(names_of(5), Played())
    assert {(key.first, key.second) for key in planned} == {(a, b) for a in ("p0", "p1") for b in ("p2", "p3", "p4")}


@pytest.mark.parametrize("players", range(2, 18))
def test_the_better_seed_wins_a_knockout(players: int) -> None:
    form, names = Format("knockout", 2), names_of(players)
    games = play_out(form, names, "seeds")
    assert knockout_winner(form, names, Played(games.values())) == "p0"
    meetings = {(key.round, key.first, key.second) for key in games}
    assert len(meetings) == players - 1
    last = max(key.round for key in games)
    assert {(a, b) for number, a, b in meetings if number == last} == {("p0", "p1")}
    for number in range(last + 1):  # nobody plays twice in a round
        busy = [name for r, a, b in meetings if r == number for name in (a, b)]
        assert len(busy) == len(set(busy))


def test_level_knockout_meetings_are_prolonged_and_end() -> None:
    form, names = Format("knockout", 1), names_of(2)
    games = play_out(form, names, "draws")
    assert len(games) == 2 * (1 + EXTRA_PAIRS)
    assert knockout_winner(form, names, Played(games.values())) == "p0"
    # A margin decides before the seed does: level on points, the second has won higher.
    for key in list(games):
        if key.pair == 0:
            games[key] = logged(key, -300 if key.half == 0 else -200)
    assert knockout_winner(form, names, Played(games.values())) == "p1"


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 14), RULES, st.integers(0, 1000))
def test_swiss(players: int, rule: str, seed: int) -> None:
    form, names = Format("swiss", 1), names_of(players)
    games = play_out(form, names, rule, seed)
    rounds = swiss_rounds(form, players)
    met: set[frozenset[str]] = set()
    free: list[str] = []
    for number in range(rounds):
        meetings = {frozenset((key.first, key.second)) for key in games if key.round == number}
        busy = [name for meeting in meetings for name in meeting]
        assert len(busy) == len(set(busy)) == players - players % 2
        free += [name for name in names if name not in busy]
        if players > 4:
            assert not meetings & met  # few rounds among many players: no rematch
        met |= meetings
    if rounds <= players:
        assert len(free) == len(set(free))


def test_a_long_swiss_event_repeats_meetings_rather_than_stop() -> None:
    form = Format("swiss", 1, rounds=9)
    games = play_out(form, names_of(4), "chance")
    assert len(games) == 9 * 2 * 2


def test_many_players_are_paired_in_bounded_time() -> None:
    form = Format("swiss", 1, rounds=3)
    assert len(play_out(form, names_of(200), "chance")) == 3 * 100 * 2


@pytest.mark.parametrize(
    ("form", "names", "wanted"),
    [
        (("match", 1), ["a", "b", "c"], "two players"),
        (("round-robin", 1), ["a"], "at least two"),
        (("round-robin", 1), ["a", "b", "a"], "have the name 'a'"),
        (("gauntlet", 1, 0, 2), ["a", "b"], "more than 2 players"),
    ],
)
def test_impossible_events_are_refused(form: Any, names: list[str], wanted: str) -> None:
    with pytest.raises(InputError, match=wanted):
        Format(*form).check(names)
    for bad in (("fair", 1), ("match", 0), ("swiss", 1, -1), ("gauntlet", 1, 0, 0)):
        with pytest.raises(InputError):
            Format(*bad)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(FORMATS), st.integers(2, 9), st.integers(1, 3), RULES, st.integers(0, 1000))
def test_free_rounds_are_those_that_nobody_played(kind: str, players: int, pairs: int, rule: str, seed: int) -> None:
    names = names_of(2 if kind == "match" else players)
    form = Format(kind, pairs)
    games = play_out(form, names, rule, seed)
    spared = free_games(form, names, Played(games.values()))
    rounds = swiss_rounds(form, len(names))
    for name in names:
        played = sum(name in key.sides for key in games)
        assert spared[name] == (rounds * 2 * pairs - played if kind == "swiss" else 0)
    if kind == "swiss":
        assert sum(spared.values()) == (rounds * 2 * pairs if len(names) % 2 else 0)
        assert sum(free_games(form, names, Played()).values()) == (2 * pairs if len(names) % 2 else 0), (
            "the first round"
        )
