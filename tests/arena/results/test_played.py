"""Which games are finished, and who leads: the same as counting them one by one."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from logged import logged

from evalsmith.arena.results.entry import GameKey, sign
from evalsmith.arena.results.played import EXTRA_PAIRS, Played


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 12), st.integers(0, 1000))
def test_in_any_order_it_agrees_with_counting(pairs: int, seed: int) -> None:
    source = random.Random(seed)
    keys = [GameKey(1, "a", "b", pair, half) for pair in range(pairs) for half in (0, 1)]
    values = {key: source.choice((-300, -1, 0, 2, 500)) for key in keys}
    source.shuffle(keys)
    played, known = Played(), set[GameKey]()
    for key in keys:
        assert key not in played
        assert played.add(logged(key, values[key] if key.half == 0 else -values[key]))
        assert not played.add(logged(key, 7)), "the first one counts"
        known.add(key)
        assert len(played) == len(known) and all((one in played) == (one in known) for one in keys)
    for count in range(max(0, pairs - EXTRA_PAIRS), pairs + 1):
        first = [values[key] for key in keys if key.pair < count]
        assert played.lead_after(1, "a", "b", count) == (sum(map(sign, first)), sum(first))
    assert played.lead_after(1, "a", "b", pairs + 1) is None
    assert played.lead_after(0, "a", "b", 1) is None, "another round"
