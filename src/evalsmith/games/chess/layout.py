"""The weights of chess by name: which blocks there are, where each begins, and what every index of it means.

Squares and ranks are seen by the side whose piece it is: rank 1 is its own back rank.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evalsmith.games.chess.board import square_name
from evalsmith.games.evaluation import DIFFERENCE, EACH, MOVER, Feature, Overview

PIECES = ("pawn", "knight", "bishop", "rook", "queen", "king")
MAX_UNITS = 63  # attack units on a king's zone are counted up to this
MAX_ATTACKERS = 7
MAX_WEAK = 9  # weak squares in a king's zone
# At most 12 terms a pawn, 3 a piece and 60 a side besides, for 8 pawns and 8 pieces a side: below 384.
MAX_TERMS = 384

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
    "knight or bishop behind a pawn",
    "rook on a queen’s file",
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
    "a pawn’s step would attack a piece",
    "knight could attack the queen",
    "bishop or rook could attack the queen",
)
CHECK_NAMES = tuple(f"{piece}: {squares}" for piece in PIECES[1:5] for squares in ("one square", "several squares"))
# Endings in which both sides have the same pieces, and only pawns make a difference.
EVEN_NAMES = (
    "no pieces",
    "a knight or bishop each",
    "a rook each",
    "a queen each",
    "a rook and a knight or bishop each",
    "two rooks each",
)
MAX_LEAD = 3  # in points (knight and bishop 3, rook 5, queen 9), with which a side without pawns cannot win
LEAD_NAMES = tuple(
    f"{lead} point{'s' if lead > 1 else ''} ahead, the enemy has {pieces}"
    for pieces in ("no pieces", "pieces")
    for lead in range(1, MAX_LEAD + 1)
)
OPPOSITE_NAMES = ("pawns more, no other pieces", "pawns more, with other pieces")


def _listed(names: tuple[str, ...]) -> Callable[[int], str]:
    return lambda index: names[index]


def _count(unit: str) -> Callable[[int], str]:
    return lambda index: f"{index} {unit}"


# Names of squares and ranks for a side: black's rank 1 is the board's rank 8.


def _rank_name(rank: int, side: int) -> int:
    return rank if side == 0 else 9 - rank


def _rank(first: int) -> Callable[[int, int], str]:
    return lambda index, side: f"on rank {_rank_name(index + first, side)}"


def _square(first: int) -> Callable[[int, int], str]:
    return lambda index, side: f"on {square_name((index + first) ^ (56 * side))}"


def _shelter(index: int, side: int) -> str:
    file, rank = divmod(index, 7)
    pawn = f"own pawn on rank {_rank_name(rank + 1, side)}" if rank else "no pawn"
    return f"{('the king’s file', 'a file beside')[file]}: {pawn}"


def _storm(index: int, side: int) -> str:
    if index == 0:
        return "no enemy pawn"
    blocked, rank = divmod(index - 1, 6)
    return f"enemy pawn on rank {_rank_name(rank + 2, side)}, {'blocked by a pawn' if blocked else 'free'}"


def _placed(name: str, size: int, on_board: Callable[[int, int], str]) -> Feature:
    """A feature of squares or ranks; it is described as white sees it."""
    return Feature(name, size, describe=lambda index: on_board(index, 0), on_board=on_board)


def _squares(name: str, size: int) -> Feature:
    """The squares of a piece, with a map of them."""
    first = (64 - size) // 2

    def overview(weights: npt.NDArray[np.int32]) -> Overview:
        board = np.full(64, np.nan)
        board[first : first + size] = weights
        caption = "What a piece is worth on each square besides its material, as its owner sees the board."
        return Overview(board.reshape(8, 8)[::-1], tuple("87654321"), tuple("abcdefgh"), caption)

    return replace(_placed(name, size, _square(first)), overview=overview)


def _grouped(group: str, *features: Feature, whose: str = EACH) -> tuple[Feature, ...]:
    return tuple(replace(feature, group=group, whose=whose) for feature in features)


# Pawns stand on ranks 2 to 7 only, so their squares are 48; a pawn on rank 7 is always passed, so no candidate.
FEATURES: tuple[Feature, ...] = (
    Feature("tempo", 1, describe=_listed(("to move",)), whose=MOVER),
    Feature("material", 5, describe=_listed(MATERIAL_NAMES), whose=DIFFERENCE),
    *_grouped("piece squares", _squares("pawn square", 48), *(_squares(f"{piece} square", 64) for piece in PIECES[1:])),
    *_grouped(
        "mobility",
        Feature("knight mobility", 9, ordered=True, describe=_count("squares")),
        Feature("bishop mobility", 14, ordered=True, describe=_count("squares")),
        Feature("rook mobility", 15, ordered=True, describe=_count("squares")),
        Feature("queen mobility", 28, ordered=True, describe=_count("squares")),
    ),
    *_grouped(
        "pawns",
        Feature("pawn structure", len(PAWN_NAMES), describe=_listed(PAWN_NAMES)),
        _placed("connected pawn", 6, _rank(2)),
        _placed("passed pawn", 6, _rank(2)),
        _placed("blocked passed pawn", 6, _rank(2)),
        Feature("own king from passed pawn", 8, ordered=True, describe=_count("steps")),
        Feature("enemy king from passed pawn", 8, ordered=True, describe=_count("steps")),
        _placed("candidate passed pawn", 5, _rank(2)),
        _placed("passed pawn, held ahead", 6, _rank(2)),
        _placed("passed pawn, attacked ahead", 6, _rank(2)),
        _placed("passed pawn, free way", 6, _rank(2)),
        Feature("rook behind passed pawn", 2, describe=_listed(("own", "the enemy’s"))),
    ),
    *_grouped(
        "pieces and pawns",
        *(Feature(f"{piece} by own pawns", 9, ordered=True, describe=_count("pawns")) for piece in PIECES[1:4]),
        Feature("bishop by own pawns of its colour", 9, ordered=True, describe=_count("pawns")),
        Feature("steps to own king", 2, describe=_listed(("knight", "bishop"))),
        Feature("opposite bishops", len(OPPOSITE_NAMES), describe=_listed(OPPOSITE_NAMES)),
    ),
    Feature("pieces", len(PIECE_NAMES), describe=_listed(PIECE_NAMES), whose=EACH),
    *_grouped(
        "king safety",
        _placed("king shelter", 14, _shelter),
        _placed("pawn storm", 13, _storm),
        Feature("attackers on king zone", MAX_ATTACKERS + 1, ordered=True, describe=_count("pieces")),
        Feature("attack on king zone", MAX_UNITS + 1, ordered=True, describe=_count("units")),
        Feature("attack on king zone without queen", MAX_UNITS + 1, ordered=True, describe=_count("units")),
        Feature("safe check", len(CHECK_NAMES), describe=_listed(CHECK_NAMES)),
        Feature("weak square in king zone", MAX_WEAK + 1, ordered=True, describe=_count("squares")),
    ),
    Feature("threat", len(THREAT_NAMES), describe=_listed(THREAT_NAMES), whose=EACH),
    Feature("space", 1, describe=_listed(("a safe square in the centre behind the pawns",)), whose=EACH),
    Feature("restricted square", 1, describe=_listed(("attacked by both, and not well defended",)), whose=EACH),
    *_grouped(
        "endings",
        Feature("pawns more in an even ending", len(EVEN_NAMES), describe=_listed(EVEN_NAMES)),
        Feature("only pawn in an even ending", len(EVEN_NAMES), describe=_listed(EVEN_NAMES)),
        Feature("ahead without pawns", len(LEAD_NAMES), describe=_listed(LEAD_NAMES)),
        Feature("pawns against a piece", 8, ordered=True, describe=lambda index: f"{index + 1} pawns"),
        _placed("foremost pawn against a piece", 6, _rank(2)),
    ),
)

_firsts = [0, *itertools.accumulate(feature.size for feature in FEATURES)]
FIRST: dict[str, int] = {feature.name: first for feature, first in zip(FEATURES, _firsts, strict=False)}
SIZE = _firsts[-1]
