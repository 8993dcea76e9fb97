"""How long a move may take: shares of a clock and of a budget, and what is held back for moves that come late."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalsmith.engine.clock import OVERHEAD, Budget, Clock, Lateness, allot, allot_budget

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
