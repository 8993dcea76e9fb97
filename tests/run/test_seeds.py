"""Seeds are the same everywhere and for ever, and parts of a run do not share one."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from evalsmith.run import derive

names = st.lists(st.text(alphabet="ab/\\1", max_size=4), max_size=3)


@pytest.mark.parametrize(
    ("parts", "seed"),
    [
        ((1,), 8898586205396736955),
        ((1, "games", 0), 7460958776882663163),
        ((1, "games", 1), 7909774252748009391),
        ((2, "games", 0), 728154358873819030),
        ((-7, "openings", 8), 5889245718466485364),
        ((1, "player", 3, 0, 1), 2591902101143751921),
    ],
)
def test_the_values_never_change(parts: tuple[int, ...], seed: int) -> None:
    assert derive(*parts) == seed


def test_neighbouring_parts_draw_different_streams() -> None:
    seeds = {derive(seed, part, number) for seed in range(10) for part in ("games", "players") for number in range(500)}
    assert len(seeds) == 10_000
    assert all(0 <= seed < 2**63 for seed in seeds)
    high = sum(seed >> 62 for seed in seeds)
    assert 4_500 < high < 5_500, "the top bit is as good as any"


@settings(derandomize=True, deadline=None)
@given(first=names, second=names)
@example(first=["a/b"], second=["a", "b"])
@example(first=["a\\", "b"], second=["a\\/b"])
def test_other_names_give_another_seed(first: list[str], second: list[str]) -> None:
    assume(first != second)
    assert derive(1, *first) != derive(1, *second)
