"""Moves of shogi from their texts in USI, CSA, KIF or KI2: read and confirmed by compiled code, refused in words."""

from __future__ import annotations

import functools
import re

import numpy as np

from evalsmith.compile import Context, Integers, Small, Words, driver, helper, int64, pointer
from evalsmith.games.contract import play_into
from evalsmith.games.game import Position
from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.board import side_of
from evalsmith.games.shogi.movegen.attacks import piece_at, turn_of
from evalsmith.games.shogi.movegen.generate import DROP, PROMOTE
from evalsmith.games.shogi.movegen.legality import in_check
from evalsmith.games.shogi.movegen.plausible import mates_by_pawn, plausible
from evalsmith.games.shogi.notation.claims import AFTER, BEFORE, NO_ORIGIN, SIDE
from evalsmith.games.shogi.notation.csa import CODES, csa_claim
from evalsmith.games.shogi.notation.ki2 import worded
from evalsmith.games.shogi.notation.kif import BYTES, VALUE, claim_at
from evalsmith.games.shogi.notation.letters import UTF_8
from evalsmith.games.shogi.notation.sfen import format_sfen
from evalsmith.games.shogi.notation.usi import format_usi, usi_claim
from evalsmith.games.shogi.squares import PROMOTED, SQUARES, WORDS
from evalsmith.run.errors import MoveError

# Why a claim is no move. From MANY on: MANY and the number of pieces that words are said of.
NO_CLAIM, OTHER_SIDE, NO_PIECE, BECOMES, MOVES, CHECK, PAWN_MATE, NOT_SAID, MANY = range(1, 10)

_PADDING = bytes(8)
_CSA = re.compile(r"[+-]?([0-9]{2})[1-9]{2}([A-Z]{2})")


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────


@helper("int64(integers, words, int64, words)", inline=True)
def confirm(rules: Integers, position: Words, claim: int, next_row: Words) -> int:
    """The legal move that is claimed, played into ``next_row``; or minus the reason why there is none."""
    side, move = turn_of(position), claim & 0x7FFF
    origin, told = (move >> 7) & 127, (claim >> SIDE) & 3
    before, after = (claim >> BEFORE) & 15, (claim >> AFTER) & 15
    if told != 0 and told != side + 1:
        return -OTHER_SIDE
    if origin < SQUARES:
        kind = piece_at(position, origin) & 15
        if before != 0 and kind != before:
            return -NO_PIECE
        if after != 0 and kind != after:
            move |= PROMOTE
            if kind + PROMOTED != after:
                return -BECOMES if kind != 0 else -NO_PIECE
    elif origin == NO_ORIGIN:
        move = worded(rules, position, side, claim, next_row) if before != 0 else int64(-1)
        if move < 0:
            return -NOT_SAID if move == -1 else move - MANY
    elif (before != 0 and before != origin - DROP) or (after != 0 and after != origin - DROP):
        return -BECOMES
    if plausible(position, side, move) == 0:
        return -MOVES
    play_into(rules, position, move, next_row)
    if in_check(next_row, side) != 0:
        return -CHECK
    return -PAWN_MATE if mates_by_pawn(position, side, move) != 0 else move


@driver("int64(int64[::1], uint16[::1], int64, int64, uint64[::1], uint64[::1], int64[::1])")
def _read(
    rules: Integers, content: Small, end: int, last: int, position: Words, next_row: Words, claims: Integers
) -> int:
    """The move that a text names; its claim goes to ``claims``."""
    data = pointer(content)
    claim = usi_claim(data, 0, end)
    if claim < 0:
        claim = csa_claim(data, 0, end)
    if claim < 0:
        found = claim_at(data, 0, end, last, UTF_8)
        claim = found & VALUE if found >= 0 and found >> BYTES == end else int64(-1)
    claims[0] = claim
    return confirm(pointer(rules), pointer(position), claim, pointer(next_row)) if claim >= 0 else int64(-NO_CLAIM)


@driver("int64(int64[::1], uint64[::1], int64, uint64[::1])")
def _confirm(rules: Integers, position: Words, claim: int, next_row: Words) -> int:
    return confirm(pointer(rules), pointer(position), claim, pointer(next_row))


@functools.cache
def _context() -> Context:

    return GAME.context()


def parse_move(position: Position, text: str, last: int | None = None) -> int:
    """A legal move from its text; ``last`` is the target of the move before, which 同 repeats."""
    name = "".join(text.split())
    if name[:1].isdigit() and _CSA.fullmatch(name):
        name = "+-"[side_of(position)] + name  # the sign of CSA may be left out
    raw = name.encode("utf-8", "surrogatepass")
    content = np.frombuffer(raw + _PADDING, dtype=np.uint8).astype(np.uint16)
    claims, next_row = np.zeros(1, dtype=np.int64), np.empty(WORDS, dtype=np.uint64)
    move = _read(_context().row, content, len(raw), -1 if last is None else last, position, next_row, claims)
    if move < 0:
        raise refusal(position, text, -move, int(claims[0]), last)
    return move


# ── Why a text is no move ───────────────────────────────────────────────────────────────────────


def refusal(position: Position, text: str, why: int, claim: int, last: int | None) -> MoveError:
    """The error for a text that is no legal move."""
    origin = claim >> 7 & 127
    square = f"{origin // 9 + 1}{origin % 9 + 1}"
    if why == NO_CLAIM:
        return illegal(position, text, _unreadable("".join(text.split()), last))
    if why == OTHER_SIDE:
        return illegal(position, text, f"a move of the side that is not to move ({text.strip()[0]}), so not possible")
    if why in (NO_PIECE, BECOMES) and origin < SQUARES:
        if code := CODES[claim >> AFTER & 15]:
            return illegal(position, text, f"not possible, because no piece on {square} becomes {code},")
        return illegal(position, text, f"not possible, because no such piece stands on {square},")
    if why > MANY:
        return illegal(position, text, f"said of {why - MANY} pieces, so not one move")
    next_row = np.empty(WORDS, dtype=np.uint64)
    if why == NOT_SAID and _confirm(_context().row, position, claim ^ PROMOTE, next_row) >= 0:
        promotes = claim & PROMOTE
        return illegal(position, text, "not possible with 成" if promotes else "possible only with 成, so no move")
    return illegal(position, text)


def _unreadable(name: str, last: int | None) -> str:
    if found := _CSA.fullmatch(name):
        start, code = found.groups()
        if code not in CODES:
            return "no move of CSA"
        if "0" in start and start != "00":
            return f"no move of CSA, because {start} is no square,"
        return "not a legal move"
    if "同" in name and last is None:
        return "without a move before that 同 could repeat, so no move"
    return "no move of USI, CSA, KIF or KI2"


def illegal(position: Position, text: str, reason: str = "not a legal move") -> MoveError:
    """The error for a text that is no legal move, with the moves that are."""
    names = [format_usi(position, move) for move in GAME.moves(position)]
    shown = " ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    given = text if len(text) <= 40 else text[:37] + "…"
    return MoveError(
        f"{given!r} is {reason} in {format_sfen(position)}; legal moves: {shown or 'none, the game is over'}"
    )
