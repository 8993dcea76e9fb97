"""How many frames a placement takes: hand-made cases, and every way to hold the keys by the naive twin."""

import itertools
import random

import pytest
from drmario_twins import CELLS, triple

from evalsmith.games.drmario import GAME
from evalsmith.games.drmario.frames import frames
from evalsmith.run.errors import MoveError
from naive import drmario as naive

# Pills placed at high speed after which a row takes so many frames.
PILLS_BY_FRAMES = {1: 490, 2: 390, 3: 340, 6: 150, 14: 0}
BUTTONS = [pad + a + b for pad, a, b in itertools.product(("", "L", "R", "D"), ("", "A"), ("", "B"))]


def position_of(bottle, rest, pill="qv"):
    text = "".join(bottle.get(cell, "d") for cell in CELLS)
    return GAME.parse(f"{text} {pill} ru {rest}")


def move(rotation, x, y):
    return 128 * rotation + 16 * x + y


def fewest(bottle, gravity):
    """The first frame in which each placement locks, by every way to hold the buttons."""
    states, found, time = {(3, 15, 0, 0, 0, "")}, {}, 0
    seen = set()
    while states:
        time += 1
        following = set()
        for state in states:
            for held in BUTTONS:
                after = naive.frame(bottle, gravity, state, held, time % 2 == 0)
                if len(after) == 3:
                    found.setdefault(after, time)
                elif (time % 2, after) not in seen:
                    seen.add((time % 2, after))
                    following.add(after)
        states = following
    return found


@pytest.mark.parametrize(
    ("placement", "count", "why"),
    [
        ((0, 3, 0), 32, "15 rows by the down key, two frames each, and two more to find the floor"),
        ((0, 0, 0), 32, "left in the frames in which down does nothing costs no time"),
        ((1, 7, 0), 32, "nor do a turn and four times right"),
        ((2, 3, 0), 32, "nor does half a turn"),
    ],
)
def test_an_empty_shaft(placement, count, why):
    """One virus that is in nobody's way."""
    position = position_of({(5, 0): "a"}, "speed:low")
    assert frames(position, move(*placement)) == count, why


def test_a_high_floor_leaves_time_for_the_keys_only():
    """Above ten full rows the pill falls one row: far to the side the keys need longer than the fall."""
    bottle = {(x, y): "abc"[(x // 2 + y) % 3] for x in range(8) for y in range(4, 14)}
    position = position_of(bottle, "speed:low")
    assert frames(position, move(0, 3, 14)) == 4  # the second frame drops, the fourth locks
    assert frames(position, move(0, 2, 14)) == 4
    assert frames(position, move(0, 6, 14)) == 6  # right in frames 1, 3 and 5, and a lock in the sixth
    assert frames(position, move(0, 0, 14)) == 4  # to the left a turn to lying with left held gains a column


def test_gravity_where_it_is_quicker_than_the_key():
    """A row a frame: the pill falls 15 rows and locks in the 16th frame."""
    position = position_of({(5, 0): "a"}, f"speed:high pills:{PILLS_BY_FRAMES[1]}")
    assert frames(position, move(0, 3, 0)) == 16


def test_without_timing_the_keys_alone_count():
    bottle = {(5, 0): "a"}
    assert frames(position_of(bottle, "speed:fast"), move(0, 3, 0)) == 32


def test_pills_of_one_colour_count_either_way_round():
    position = position_of({(5, 0): "a"}, "speed:low", pill="qu")
    assert frames(position, move(1, 0, 0)) == 32


def test_no_way():
    with pytest.raises(MoveError, match="no way leads to the placement"):
        frames(position_of({(5, 0): "a"}, "speed:high"), move(0, 3, 7))


@pytest.mark.parametrize("gravity", PILLS_BY_FRAMES)
def test_every_way_to_hold_the_keys(gravity):
    for seed in range(2 if gravity > 3 else 4):
        choose = random.Random(100 * gravity + seed)
        cells = [(x, y) for x in range(8) for y in range(16)]
        entry = ((3, 15), (4, 15))
        # Colours that never stand four in a line.
        bottle = {(x, y): "abc"[(x + y) % 3] for x, y in cells if choose.random() < 0.4 and (x, y) not in entry}
        position = position_of(bottle, f"speed:high pills:{PILLS_BY_FRAMES[gravity]}")
        truth = fewest(bottle, gravity)
        assert {triple(each): frames(position, each) for each in GAME.moves(position)} == truth
