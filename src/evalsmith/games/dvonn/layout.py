"""The features of DVONN's evaluation, and where the weights of each begin.

A *zone* is how far a field is from the nearest stack that holds a red stone: 0 (it is one), 1, 2, 3, 4, or 5 and more.
The *situation* of a stack is its height, its zone, how free it is, and how many stacks of either side can move onto it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evalsmith.games.dvonn.board import FARTHEST
from evalsmith.games.evaluation import BOTH, DIFFERENCE, ENEMY, MOVER, Feature

ZONES = 6
HIGHEST = FARTHEST + 1  # stacks that cannot move any more count as one height
SPREAD_FROM, SPREAD_TO = 3, 24  # the least and the greatest sum of the three distances between the reds

# The last of each of these means "and more".
SITUATION_SHAPE = (6, 4, 4, 3, 2)  # height from 1, zone, freedom, enemies that can move onto it, own that can
AROUND_SHAPE = (4, 4, 2, 3)  # own neighbours, enemy neighbours, reds beside, height from 1
PLACED_SHAPE = (3, ZONES - 1, 4, 4)  # kind of field, zone from 1, own neighbours, enemy neighbours
SITUATIONS = 6 * 4 * 4 * 3 * 2
AROUNDS = 4 * 4 * 2 * 3
PLACED_AROUNDS = 3 * (ZONES - 1) * 4 * 4
STEPS = 7
BRIDGES = 3
HELD = 4
MOBILES = 10
COUNTED = 12

# The first weight of each feature.
TO_MOVE = 0
STACKS = 1
STONES = STACKS + ZONES
MOBILE = STONES + ZONES
MOVES = MOBILE + ZONES
ONTO_REDS = MOVES + ZONES
ONTO_ENEMIES = ONTO_REDS + ZONES
BY_HEIGHT = ONTO_ENEMIES + ZONES
HANGING = BY_HEIGHT + HIGHEST
LAYERS = HANGING + ZONES - 1
BEYOND_STONES = LAYERS + STEPS
BEYOND_STACKS = BEYOND_STONES + BRIDGES
COUNTS = BEYOND_STACKS + BRIDGES  # features before this are counted, those after it are looked up
SITUATION = COUNTS
AROUND = SITUATION + 2 * SITUATIONS
REDS_HELD = AROUND + AROUNDS
RED_STACKS = REDS_HELD + HELD * HELD
MOBILE_PAIR = RED_STACKS + 3
SAFE = MOBILE_PAIR + MOBILES * MOBILES
LARGEST = SAFE + 2 * COUNTED
ATTACKED = LARGEST + 2 * COUNTED
SECOND = ATTACKED + 2
PLACED = SECOND + 2
SIDE = PLACED + ZONES - 1
CORNER = SIDE + ZONES - 1
SIDE_BESIDE_ENEMY = CORNER + 1
SIDE_BESIDE_OWN = SIDE_BESIDE_ENEMY + 1
PLACED_AROUND = SIDE_BESIDE_OWN + 1
SPREAD = PLACED_AROUND + PLACED_AROUNDS
SPREADS = SPREAD_TO - SPREAD_FROM + 1
SIZE = SPREAD + 2 * SPREADS

# Weights change evenly while stones are placed, between 49 and 25 stacks, and between 25 and 1.
COLUMNS = ("placing, first", "placing, last", "49 stacks", "25 stacks", "1 stack")
FULL, MIDDLE = 49, 25
SCALE = 24
# The phase is the number of stacks; while stones are placed it is this and half their number. Phase 0 stands in older
# datasets for all of placing: there the weights are those in the middle of it.
PLACING_PHASE = FULL + 1


def _zone_name(zone: int) -> str:
    if zone == 0:
        return "holding a red"
    return f"{zone} from a red" if zone < ZONES - 1 else f"{zone} or more from a red"


def _outer_zone_name(index: int) -> str:
    return _zone_name(index + 1)


def _source_name(zone: int) -> str:
    return f"by a stack {_zone_name(zone)}"


def _target_name(zone: int) -> str:
    return f"onto a stack {_zone_name(zone)}"


def _height_name(index: int) -> str:
    return f"height {index + 1}" if index + 1 < HIGHEST else f"height {HIGHEST} or more"


def _spread_name(index: int) -> str:
    return f"distances sum to {index + SPREAD_FROM}"


def _up_to(number: int, most: int) -> str:
    """A number of which the last means "and more"."""
    return f"{number} or more" if number == most else str(number)


def _split(index: int, shape: tuple[int, ...]) -> list[int]:
    """The coordinates of an index, first to last."""
    found = []
    for size in reversed(shape):
        index, coordinate = divmod(index, size)
        found.append(coordinate)
    return found[::-1]


_FREEDOMS = ("surrounded", "without a move", "with 1 move", "with 2 moves or more")


def _situation_name(index: int) -> str:
    height, zone, freedom, enemies, own = _split(index, SITUATION_SHAPE)
    near = "holding a red" if zone == 0 else f"{_up_to(zone, 3)} from a red"
    return (
        f"height {_up_to(height + 1, 6)}, {near}, {_FREEDOMS[freedom]}, attacked by {_up_to(enemies, 2)}, "
        f"{'guarded' if own else 'not guarded'}"
    )


def _around_name(index: int) -> str:
    own, enemies, red, height = _split(index, AROUND_SHAPE)
    beside = f"beside {_up_to(own, 3)} own, {_up_to(enemies, 3)} of the enemy, {'a red' if red else 'no red'}"
    return f"height {_up_to(height + 1, 3)}, {beside}"


def _placed_name(index: int) -> str:
    kind, zone, own, enemies = _split(index, PLACED_SHAPE)
    place = ("inside", "on a side", "in a corner")[kind]
    return f"{place}, {_zone_name(zone + 1)}, beside {_up_to(own, 3)} own, {_up_to(enemies, 3)} of the enemy"


def _step_name(index: int) -> str:
    return f"{_up_to(index + 1, STEPS)} steps from a red"


def _bridge_name(index: int) -> str:
    return f"{_up_to(index + 1, BRIDGES)} single stacks in between"


def _held_name(index: int) -> str:
    return f"{index // HELD} by the mover, {index % HELD} by the enemy"


def _red_stacks_name(index: int) -> str:
    return f"{index + 1} of them"


def _mobile_name(index: int) -> str:
    mover, enemy = divmod(index, MOBILES)
    return f"{_up_to(mover, MOBILES - 1)} of the mover, {_up_to(enemy, MOBILES - 1)} of the enemy"


def _count_name(index: int) -> str:
    return _up_to(index, COUNTED - 1)


def _largest_name(index: int) -> str:
    return f"height {_count_name(index)}" if index else "none"


def _grouped(group: str, *features: Feature) -> tuple[Feature, ...]:
    return tuple(replace(feature, group=group, whose=feature.whose or DIFFERENCE) for feature in features)


def _both(name: str, size: int, describe: Callable[[int], str], *, ordered: bool = False) -> tuple[Feature, Feature]:
    """The same for the mover and for the enemy, with weights of their own: the mover can act on it first."""
    mover = Feature(f"{name}, mover", size, ordered=ordered, describe=describe, whose=MOVER)
    return mover, replace(mover, name=f"{name}, enemy", whose=ENEMY)


FEATURES = (
    Feature("to move", 1, describe=lambda _: "to move with a stack", whose=MOVER),
    *_grouped(
        "stacks and stones",
        Feature("stacks", ZONES, describe=_zone_name),
        Feature("stones", ZONES, describe=_zone_name),
    ),
    *_grouped(
        "mobility",
        Feature("mobile stacks", ZONES, describe=_zone_name),
        Feature("moves", ZONES, describe=_source_name),
        Feature("moves onto reds", ZONES, describe=_source_name),
        Feature("moves onto enemies", ZONES, describe=_target_name),
    ),
    *_grouped(
        "stacks and stones",
        Feature("heights", HIGHEST, ordered=True, describe=_height_name),
        Feature("hanging on one connection", ZONES - 1, describe=_outer_zone_name),
    ),
    *_grouped(
        "connections",
        Feature("steps along stacks", STEPS, ordered=True, describe=_step_name),
        Feature("stones beyond a bridge", BRIDGES, ordered=True, describe=_bridge_name),
        Feature("stacks beyond a bridge", BRIDGES, ordered=True, describe=_bridge_name),
    ),
    *_grouped(
        "situations",
        *_both("situation of a stack", SITUATIONS, _situation_name),
        Feature("stacks by neighbours", AROUNDS, describe=_around_name),
    ),
    Feature("stacks with red held", HELD * HELD, describe=_held_name, group="reds", whose=BOTH),
    Feature("stacks with red", 3, ordered=True, describe=_red_stacks_name, group="reds", whose=BOTH),
    Feature("mobile stacks of both", MOBILES * MOBILES, describe=_mobile_name, group="mobility", whose=BOTH),
    *_grouped("mobility", *_both("mobile stacks that are not attacked", COUNTED, _count_name, ordered=True)),
    *_grouped(
        "threats",
        *_both("largest attacked stack", COUNTED, _largest_name, ordered=True),
        *_both("attacked stones", 1, lambda _: "each"),
        *_both("second attacked stack", 1, lambda _: "each of its stones"),
    ),
    *_grouped(
        "placed stones",
        Feature("placed stones", ZONES - 1, describe=_outer_zone_name),
        Feature("placed side stones", ZONES - 1, describe=_outer_zone_name),
        Feature("placed corner stones", 1, describe=lambda _: "in a corner"),
        Feature("side stones beside enemies", 1, describe=lambda _: "each enemy stone beside one"),
        Feature("side stones beside own", 1, describe=lambda _: "each own stone beside one"),
        Feature("placed stones by neighbours", PLACED_AROUNDS, describe=_placed_name),
    ),
    Feature("spread of the reds, even ply", SPREADS, ordered=True, describe=_spread_name, whose=BOTH),
    Feature("spread of the reds, odd ply", SPREADS, ordered=True, describe=_spread_name, whose=BOTH),
)
