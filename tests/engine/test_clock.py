"""How long a move may take: shares of a clock and of a budget, and what is held back for moves that come late."""

from __future__ import annotations

from time import monotonic_ns, perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.engine import Limit, Searcher
from evalsmith.engine.alphabeta import slots
from evalsmith.engine.clock import OVERHEAD, Budget, Clock, Lateness, allot, allot_budget
from evalsmith.games import find_game
from evalsmith.players.own_seat import _since

seconds = st.floats(0, 1000)


@given(left=seconds, increment=st.floats(0, 10), byoyomi=st.floats(0, 10), overhead=st.floats(0, 1))
def test_no_move_takes_more_than_there_is(left: float, increment: float, byoyomi: float, overhead: float) -> None:
    share = allot(Clock(left, increment, None, byoyomi), OVERHEAD + overhead)
    assert 0 < share.soft <= share.hard <= max(0.001, left + increment + byoyomi)


@given(left=seconds, moves=st.floats(1, 120), delay=st.floats(0, 0.25))
def test_a_budget_lasts_for_moves_that_come_late(left: float, moves: float, delay: float) -> None:
    """A move that takes its most, and comes late, leaves enough for nineteen more that come late."""
    share = allot_budget(Budget(left), moves, OVERHEAD, delay)
    assert 0 < share.soft <= share.hard
    if share.hard > 0.001:
        assert left - share.hard - delay >= 19 * delay - 1e-9


def test_a_whole_game_stays_within_its_budget_however_late_moves_come() -> None:
    for delay in (0.0, 0.01, 0.03):
        left, late = 5.0, Lateness()
        for move in range(40):
            share = allot_budget(Budget(left), max(2.0, 25.0 - move), late.overhead, late.seen)
            taken = share.hard + delay
            late.note(share.hard, taken)
            left -= taken
        assert left > 0, delay


def test_lateness_is_the_largest_delay_of_late_and_fades() -> None:
    late = Lateness()
    late.note(0.1, 0.15)
    assert abs(late.seen - 0.05) < 1e-9
    for _ in range(50):
        late.note(0.1, 0.05)
    assert late.seen < 0.001
    late.note(None, 5.0)
    assert late.seen < 0.001


def test_byoyomi_is_used_up_whatever_the_search_thinks_of_its_move() -> None:
    share = allot(Clock(0.0, 0.0, None, 0.2))
    assert share.free == share.hard == 0.2 - OVERHEAD
    assert allot(Clock(10.0, 0.1)).free == 0.0
    assert allot(Clock(10.0, 0.0, None, 1.0)).free == 1.0 - OVERHEAD


def test_a_new_game_begins_with_the_delay_that_the_last_one_saw() -> None:
    late = Lateness()
    late.expect(0.08)
    assert late.seen == 0.08
    late.expect(0.01)
    assert late.seen == 0.08
    late.expect(9.0)
    assert late.seen == 0.25  # more has another cause


def test_the_seconds_of_a_move_count_from_when_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not from when the game before it was placed: on a busy machine that may take as long as the move has."""
    game = find_game("chess")
    searcher, placed = Searcher(game, table_bytes=1 << 20), []
    place = searcher.place
    monkeypatch.setattr(searcher, "place", lambda *given: (placed.append(monotonic_ns()), place(*given)))
    searcher.think(game.start(), Limit(nodes=16, seconds=100.0, soft_seconds=50.0))
    deadline, soft = (int(searcher.context.row[slot]) for slot in (slots.DEADLINE, slots.SOFT_DEADLINE))
    assert deadline - 100_000_000_000 <= placed[0] and soft - 50_000_000_000 <= placed[0]


def test_what_was_spent_before_a_search_is_not_given_to_it() -> None:
    began = perf_counter() - 0.5
    left = _since(began, Limit(depth=3, seconds=2.0, soft_seconds=0.1))
    assert left.seconds is not None and 0.0 < left.seconds <= 1.5
    assert (left.soft_seconds, left.depth) == (0.001, 3)
    assert _since(began, Limit(nodes=5)) == Limit(nodes=5)
