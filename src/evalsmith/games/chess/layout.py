"""The weights of chess by name: which blocks there are, where each begins, and what every index of it means.

Squares and ranks are seen by the side whose piece it is: rank 1 is its own back rank.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from evalsmith.games.chess.board import square_name
from evalsmith.games.evaluation import Feature

PIECES = ("pawn", "knight", "bishop", "rook", "queen", "king")
MAX_UNITS = 63  # attack units on a king's zone are counted up to this
MAX_ATTACKERS = 7
# At most 6 terms a pawn, 2 a piece and 36 a side besides, for 16 pieces a side: below 200.
MAX_TERMS = 256

MATERIAL_NAMES = PIECES[:5]
PAWN_NAMES = (
    "doubled",
    "isolated, an enemy pawn ahead",
    "isolated, no enemy pawn ahead",
    "backward, an enemy pawn ahead",
    "backward, no enemy pawn ahead",
)
PIECE_NAMES = (
    "bishop pair",
    "rook on an open file",
    "rook on a half-open file",
    "rook on the seventh rank",
    "knight outpost",
    "bishop outpost",
)
THREAT_NAMES = (
    "pawn attacks knight",
    "pawn attacks bishop",
    "pawn attacks rook",
    "pawn attacks queen",
    "knight or bishop attacks the other",
    "knight or bishop attacks rook",
    "knight or bishop attacks queen",
    "rook attacks queen",
    "attacks an undefended pawn",
    "attacks an undefended piece",
)


def _listed(names: tuple[str, ...]) -> Callable[[int], str]:
    return lambda index: names[index]


def _ranks(first: int) -> Callable[[int], str]:
    return lambda index: f"on rank {index + first}"


def _square(first: int) -> Callable[[int], str]:
    return lambda index: f"on {square_name(index + first)}"


def _count(unit: str) -> Callable[[int], str]:
    return lambda index: f"{index} {unit}"


def _shelter(index: int) -> str:
    file, rank = divmod(index, 7)
    return f"{('the king’s file', 'a file beside')[file]}: " + (f"own pawn on rank {rank + 1}" if rank else "no pawn")


def _storm(index: int) -> str:
    if index == 0:
        return "no enemy pawn"
    blocked, rank = divmod(index - 1, 6)
    return f"enemy pawn on rank {rank + 2}, {'blocked by a pawn' if blocked else 'free'}"


# Pawns stand on ranks 2 to 7 only, so their squares are 48; a pawn on rank 7 is always passed, so no candidate.
FEATURES: tuple[Feature, ...] = (
    Feature("tempo", 1, describe=_listed(("to move",))),
    Feature("material", 5, describe=_listed(MATERIAL_NAMES)),
    Feature("pawn square", 48, describe=_square(8)),
    *(Feature(f"{piece} square", 64, describe=_square(0)) for piece in PIECES[1:]),
    Feature("knight mobility", 9, ordered=True, describe=_count("squares")),
    Feature("bishop mobility", 14, ordered=True, describe=_count("squares")),
    Feature("rook mobility", 15, ordered=True, describe=_count("squares")),
    Feature("queen mobility", 28, ordered=True, describe=_count("squares")),
    Feature("pawn structure", len(PAWN_NAMES), describe=_listed(PAWN_NAMES)),
    Feature("connected pawn", 6, describe=_ranks(2)),
    Feature("passed pawn", 6, describe=_ranks(2)),
    Feature("blocked passed pawn", 6, describe=_ranks(2)),
    Feature("own king from passed pawn", 8, ordered=True, describe=_count("steps")),
    Feature("enemy king from passed pawn", 8, ordered=True, describe=_count("steps")),
    Feature("candidate passed pawn", 5, describe=_ranks(2)),
    Feature("pieces", len(PIECE_NAMES), describe=_listed(PIECE_NAMES)),
    Feature("king shelter", 14, describe=_shelter),
    Feature("pawn storm", 13, describe=_storm),
    Feature("attackers on king zone", MAX_ATTACKERS + 1, ordered=True, describe=_count("pieces")),
    Feature("attack on king zone", MAX_UNITS + 1, ordered=True, describe=_count("units")),
    Feature("threat", len(THREAT_NAMES), describe=_listed(THREAT_NAMES)),
    Feature("space", 1, describe=_listed(("a safe square in the centre behind the pawns",))),
)

_firsts = [0, *itertools.accumulate(feature.size for feature in FEATURES)]
FIRST: dict[str, int] = {feature.name: first for feature, first in zip(FEATURES, _firsts, strict=False)}
SIZE = _firsts[-1]
