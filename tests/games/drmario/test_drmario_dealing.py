"""Seeds and levels against the cartridge: pills, viruses, and the chances of the next pill."""

import itertools
from collections import Counter

import pytest

from evalsmith.games.drmario import GAME, dealing, strings
from evalsmith.run.errors import PositionError

# Seed, level, the first pills, the bottle: taken from the cartridge.
VECTORS = [
    (
        "8988", 0, "RB BB RY YY YR YY BR YB YY RY YY YY BR RY RY YR",
        "dddddddddddddddddddddddddddddddddddddddddddddddddddddd"
        "cddddddddddddaddddddddddddcdbddddddddddddddddddddddddddddddddddddddddddddd",
    ),
    (
        "8988", 20, "RB BB RY YY YR YY BR YB YY RY YY YY BR RY RY YR",
        "dddddddddddddddddddddddddddddbcaaaccbbacbaccaadbbcaaccbaaddbccba"
        "abbcaacbcbacbacbccaacbacbccadbacabdcdacbaabbacddddbdcbdcbddcdbaa",
    ),
    (
        "99c8", 20, "RY YY YB BY YB YR BY BY RR YY YY BR YB YR BY BR",
        "dddddddddddddddddddddddddcdddcbbaacbbcdaaacbbaacbbaacbbcbddccdbd"
        "cdbbadcaaddabddcbbacbaabbaccaabdcadbccbaccaabcababbcaacddbbdabbc",
    ),
    (
        "dead", 15, "BR RR BR RY YR RR YR YB YB YR BR YY RY BR RR RR",
        "dddddddddddddddddddddddddddddddddddddddddbdccadddabdcbbdddcabdcc"
        "bbccadccbcabccabcabbcabbcbbcadddbdacdbacaccaddbbadcabcdabdddbcda",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("seed", "level", "pills", "bottle"), VECTORS)
def test_vectors(seed, level, pills, bottle):
    drawn = dealing.sequence(int(seed, 16))
    assert " ".join(dealing.PILL_NAMES[pill] for pill in drawn[:16]) == pills
    position = GAME.parse(f"seed:{seed} level:{level}")
    board, pill, preview, *_ = GAME.format(position).split()
    assert board == bottle
    assert (pill, preview) == tuple(strings.write_pill(index) for index in drawn[:2])


def test_the_register_goes_round():
    register, steps = dealing.step(dealing.POWER_ON_SEED), 1
    first = register
    while (register := dealing.step(register)) != first:
        steps += 1
    assert steps == 32767


@pytest.mark.parametrize("level", range(dealing.MAX_LEVEL + 1))
def test_levels(level):
    for seed in (2, 0x1234, 0xFFFF):
        viruses = dealing.viruses(seed, level)
        assert len(viruses) == min(84, 4 * (level + 1))
        assert max(y for _, y in viruses) <= max(9, min(12, (level + 5) // 2))
        for (x, y), colour in viruses.items():
            assert colour not in (viruses.get((x + 2, y)), viruses.get((x, y + 2)))


@pytest.mark.parametrize("seed", [0, 1, -1, 0x10000])
def test_seeds_that_draw_nothing(seed):
    for draw in (dealing.sequence, lambda value: dealing.viruses(value, 3)):
        with pytest.raises(PositionError, match="0002 to ffff"):
            draw(seed)


@pytest.mark.parametrize("level", [-1, 25])
def test_levels_that_are_none(level):
    with pytest.raises(PositionError, match=f"from 0 to 24, not {level}"):
        dealing.viruses(2, level)


@pytest.mark.parametrize("last", range(9))
def test_chances_given_the_last_pill(last):
    """Its index falls by 0 … 15, mod 9: by 0 … 6 in two ways, by 7 and 8 in one."""
    board = GAME.format(GAME.parse("seed:8988 level:3")).split()[0]
    expected = Counter((last - drawn) % 9 for drawn in range(16))
    chances = GAME.chance(GAME.parse(f"{board} {strings.write_pill(last)} --"))
    assert list(chances) == [expected[index] / 16 for index in range(9)]


def test_chances_are_those_of_the_cartridge_in_the_order_of_play():
    """Over many seeds, the steps from one pill to the next come as often as chance says."""
    steps = Counter()
    for seed in range(2, 65536, 97):
        pills = dealing.sequence(seed)
        steps.update((following - pill) % 9 for pill, following in itertools.pairwise(pills))
    share = {step: count / steps.total() for step, count in steps.items()}
    board = GAME.format(GAME.parse("seed:8988 level:3")).split()[0]
    chances = GAME.chance(GAME.parse(f"{board} {strings.write_pill(0)} --"))
    for step in range(9):
        assert abs(share[step] - chances[step]) < 0.01, step


def test_chances_follow_an_exchange_of_colours():
    """Red and yellow exchanged: what was likely after RB is as likely after YB."""
    board = GAME.format(GAME.parse("seed:8988 level:3")).split()[0]
    before = dict(zip(dealing.PILL_NAMES, GAME.chance(GAME.parse(f"{board} RB --")), strict=True))
    after = dict(zip(dealing.PILL_NAMES, GAME.chance(GAME.parse(f"{board} YB -- chance:nes-ryb")), strict=True))
    exchanged = str.maketrans("RY", "YR")
    assert after == {name.translate(exchanged): chance for name, chance in before.items()}


def test_uniform_chances():
    board = GAME.format(GAME.start()).split()[0]
    assert list(GAME.chance(GAME.parse(f"{board} RB -- chance:uniform"))) == [1 / 9] * 9
