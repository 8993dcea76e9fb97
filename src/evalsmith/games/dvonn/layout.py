"""The features of DVONN's evaluation, and where the weights of each begin.

A *zone* is how far a field is from the nearest stack that holds a red stone: 0 (it is one), 1, 2, 3, 4, or 5 and more.
"""

from __future__ import annotations

from dataclasses import replace

from evalsmith.games.dvonn.board import FARTHEST
from evalsmith.games.evaluation import BOTH, DIFFERENCE, MOVER, Feature

ZONES = 6
HIGHEST = FARTHEST + 1  # stacks that cannot move any more count as one height
SPREAD_FROM, SPREAD_TO = 3, 24  # the least and the greatest sum of the three distances between the reds

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
PLACED = HANGING + ZONES - 1
SIDE = PLACED + ZONES - 1
CORNER = SIDE + ZONES - 1
SIDE_BESIDE_ENEMY = CORNER + 1
SIDE_BESIDE_OWN = SIDE_BESIDE_ENEMY + 1
SPREAD = SIDE_BESIDE_OWN + 1
SPREADS = SPREAD_TO - SPREAD_FROM + 1
SIZE = SPREAD + 2 * SPREADS

# Between 49 and 25 stacks, and between 25 and 1, the weights change evenly.
COLUMNS = ("placing", "49 stacks", "25 stacks", "1 stack")
FULL, MIDDLE = 49, 25
SCALE = 24


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


def _grouped(group: str, *features: Feature) -> tuple[Feature, ...]:
    return tuple(replace(feature, group=group, whose=DIFFERENCE) for feature in features)


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
        "placed stones",
        Feature("placed stones", ZONES - 1, describe=_outer_zone_name),
        Feature("placed side stones", ZONES - 1, describe=_outer_zone_name),
        Feature("placed corner stones", 1, describe=lambda _: "in a corner"),
        Feature("side stones beside enemies", 1, describe=lambda _: "each enemy stone beside one"),
        Feature("side stones beside own", 1, describe=lambda _: "each own stone beside one"),
    ),
    Feature("spread of the reds, even ply", SPREADS, ordered=True, describe=_spread_name, whose=BOTH),
    Feature("spread of the reds, odd ply", SPREADS, ordered=True, describe=_spread_name, whose=BOTH),
)
