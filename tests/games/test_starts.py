"""Starts by level and seed: what a user names, and games that have no such."""

from __future__ import annotations

import pytest

from evalsmith.games import find_game
from evalsmith.games.starts import named_starts, one_start
from evalsmith.run.errors import InputError
from evalsmith.run.start_settings import StartSettings

MARIO = find_game("drmario")


def named(level: str | None = None, seeds: str | None = None) -> list[str]:
    return list(named_starts(MARIO, StartSettings(level=level, seeds=seeds)))


def test_each_seed_on_each_level() -> None:
    assert named("5,10", "1000,2000") == [
        "seed:1000 level:5", "seed:1000 level:10", "seed:2000 level:5", "seed:2000 level:10",
    ]  # fmt: skip
    assert named("0-2", "8988") == [f"seed:8988 level:{level}" for level in range(3)]


def test_seeds_with_the_same_board_count_once() -> None:
    assert named(None, "1001,1000-1005") == ["seed:1001 level:10", "seed:1002 level:10", "seed:1004 level:10"]
    every = named()
    assert len(every) == len(set(every)) == 32_767 and every[0] == "seed:0002 level:10"


def test_no_two_of_many_starts_are_the_same() -> None:
    """Bottles may coincide where two seeds are neighbours in the register's cycle; the pills never do."""
    every = named()
    texts = [*every[:200], *every[-67:]]
    assert len({MARIO.hook("sequence")(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("level", "seeds", "part"),
    [
        ("25", None, "levels go from 0 to 24, not 25"),
        ("ten", None, "levels are numbers or ranges such as 5-10, not 'ten'"),
        ("9-3", None, "the range of levels 9-3 ends before it begins"),
        (None, "0001", "seed 0001 falls to zero"),
        (None, "10000", "not '10000'"),
        (None, "1-2-3", "not '1-2-3'"),
        (None, "", "not ''"),
    ],
)
def test_what_is_no_level_and_no_seed(level: str | None, seeds: str | None, part: str) -> None:
    with pytest.raises(InputError) as caught:
        named(level, seeds)
    assert part in str(caught.value)


def test_one_start_has_the_standard_seed() -> None:
    assert one_start(MARIO, StartSettings(level="10")) == "seed:8988 level:10"
    assert (MARIO.parse(one_start(MARIO, StartSettings(level="10"))) == MARIO.start()).all()
    with pytest.raises(InputError, match="2 starts are named, and one is needed here"):
        one_start(MARIO, StartSettings(level="1-2"))


def test_other_games_have_neither() -> None:
    for settings, option in ((StartSettings(level="1"), "level"), (StartSettings(seeds="1"), "seeds")):
        with pytest.raises(InputError, match=f"Othello has neither levels nor seeds, so --{option} cannot choose"):
            one_start(find_game("othello"), settings)


def test_groups_are_levels_or_numbers_of_viruses() -> None:
    group = MARIO.hook("solo").group
    assert [group(text) for text in (None, "seed:1000 level:7 stall:4")] == ["level 10", "level 7"]
    assert group("d" * 127 + "a qv qv") == "1 viruses"
