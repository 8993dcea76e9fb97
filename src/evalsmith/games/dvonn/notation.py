"""DVONN positions and moves as text.

The position text is the state string: 50 characters of base 62 (``A``–``Z``, ``a``–``z``, ``0``–``9`` are 0 to 61).
The first is 2·phase + side to move (placing 0, stacking 1, finished 2; white 0, black 1). The others are the fields A1,
B1, … K5: 0 empty, 1 a lone red stone, else 4·height + 2·(holds a red) + owner − 2.

A stack higher than 15 has no character. It is ``*``, and what it is follows after a space, in the order of the fields:
``F3=17W``, or ``F3=17WR`` if it holds a red stone, with ``B`` for black.

A list of moves (``F3 C3 I3 A1``) is the position after them, and ``start`` the empty board.
"""

from __future__ import annotations

import re
from typing import NoReturn

import numpy as np

from evalsmith.games.dvonn import GAME, board, legality, rules
from evalsmith.games.dvonn.legality import BLACK, SIDES, WHITE, Stack, Stacks
from evalsmith.games.dvonn.rules import PASS
from evalsmith.games.game import NO_MOVE, OVER, Position, Symmetry
from evalsmith.run.errors import MoveError, PositionError

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
HIGH = "*"
_LENGTH = 1 + board.FIELDS
_HIGHEST_DIGIT = 15
_FLAGS = re.IGNORECASE | re.ASCII
_LONG = re.compile(r"([A-K][1-5])=(\d{1,4})([WB])(R?)", _FLAGS)
_MOVE = re.compile(r"([A-Z]\d)([A-Z]\d)?", _FLAGS)
_LIST = re.compile(r"(?:\s*(?:pass|[a-k][1-5](?:[a-k][1-5])?)(?=\s|$))+\s*", _FLAGS)


# ── Positions as stacks ─────────────────────────────────────────────────────────────────────────


def start() -> Position:
    """The empty board, white to place the first red stone."""
    return make({}, WHITE, stacking=False)


def make(stacks: Stacks, side: int, stacking: bool) -> Position:
    """The words of a position, from its stacks by field number; nothing is checked."""
    words = [0] * (rules.KEY + 1)
    key = int(rules.EMPTY_BOARD)
    for field, stack in stacks.items():
        bit = 1 << board.BITS[field]
        if stack.owner is not None:
            words[stack.owner] |= bit
        if stack.red:
            words[rules.RED] |= bit
        for digit in range(rules.DIGITS):
            if stack.height >> digit & 1:
                words[rules.HEIGHTS + digit] |= bit
        key ^= int(rules.KEYS[_code(stack), board.BITS[field]])
    if side == BLACK:
        key ^= int(rules.BLACK_MOVES)
    if stacking:
        key ^= int(rules.IN_STACKING)
    words[rules.STATE] = side | (int(rules.STACKING) if stacking else 0)
    words[rules.KEY] = key
    return np.array(words, dtype=np.uint64)


def stacks_of(position: Position) -> dict[int, Stack]:
    """The stacks of a position by field number, in order."""
    words = [int(word) for word in position]
    found = {}
    for field, bit in enumerate(board.BITS):
        white, black, red = (bool(words[word] >> bit & 1) for word in (WHITE, BLACK, rules.RED))
        if white or black or red:
            height = sum((words[rules.HEIGHTS + digit] >> bit & 1) << digit for digit in range(rules.DIGITS))
            found[field] = Stack(height, WHITE if white else BLACK if black else None, red)
    return found


def side_of(position: Position) -> int:
    """The side to move."""
    return int(position[rules.STATE]) & 1


def is_stacking(position: Position) -> bool:
    """Whether all stones are placed."""
    return bool(int(position[rules.STATE]) & int(rules.STACKING))


def _code(stack: Stack) -> int:
    return 1 if stack.owner is None else 4 * stack.height + 2 * stack.red + stack.owner - 2


# ── Positions as text ───────────────────────────────────────────────────────────────────────────


def parse(text: str) -> Position:
    """A position from its state string or from a list of moves; what cannot be is refused."""
    body = text.strip()
    if body.lower() in ("start", "startpos"):
        return start()
    if _LIST.fullmatch(body):
        return after(body.split())
    string, *rest = body.split() or [""]
    if len(string) != _LENGTH:
        _refuse(text, f"the state string has {len(string)} characters, not {_LENGTH}")
    state = DIGITS.find(string[0])
    if not 0 <= state < 6:
        _refuse(text, f"{string[0]!r} at character 1 is not a phase and side to move (A to F)")
    phase, side = divmod(state, 2)
    stacks = _fields(text, string, _long_stacks(text, rest))
    reason = legality.fault(stacks, side, stacking=phase > 0)
    if reason:
        _refuse(text, reason)
    able = [SIDES[owner] for owner in (WHITE, BLACK) if legality.can_move(stacks, owner)]
    if phase == 2 and able:
        _refuse(text, f"{string[0]!r} at character 1 says that the game is over, but {' and '.join(able)} can move")
    return make(stacks, side, stacking=phase > 0)


def _fields(text: str, string: str, long_stacks: dict[int, Stack]) -> dict[int, Stack]:
    stacks = {}
    for field, letter in enumerate(string[1:]):
        place = f"at character {field + 2} (field {board.NAMES[field]})"
        if letter == HIGH:
            if field not in long_stacks:
                like = f"{board.NAMES[field]}=16W"
                _refuse(text, f"the height of the stack '*' {place} must follow the string, for instance as {like}")
            stacks[field] = long_stacks.pop(field)
            continue
        code = DIGITS.find(letter)
        if code < 0:
            _refuse(text, f"{letter!r} {place} is not one of A-Z, a-z, 0-9 and *")
        if code == 0:
            continue
        height, kind = divmod(code + 2, 4)
        if height == 1 and kind > 1:
            _refuse(text, f"{letter!r} {place} would be a single stone that is both red and owned")
        stacks[field] = Stack(1, None, True) if code == 1 else Stack(height, kind % 2, kind > 1)
    for field, stack in long_stacks.items():
        _refuse(text, f"{_long(field, stack)} is given, but character {field + 2} of the string is not '*'")
    return stacks


def _long_stacks(text: str, words: list[str]) -> dict[int, Stack]:
    """The stacks that follow the string."""
    found: dict[int, Stack] = {}
    for word in words:
        match = _LONG.fullmatch(word)
        field = board.field_number(match[1]) if match else None
        if match is None or field is None:
            _refuse(text, f"{_shown(word)} after the string is not a high stack like F3=16W or F3=16BR")
        stack = Stack(int(match[2]), "WB".index(match[3].upper()), bool(match[4]))
        if stack.height > rules.STONES:
            _refuse(text, f"{word} is a stack of {stack.height} stones, the game has only 49")
        if stack.height <= _HIGHEST_DIGIT:
            _refuse(text, f"{word} is not higher than 15; write it in the string as {DIGITS[_code(stack)]!r}")
        if field in found:
            _refuse(text, f"the stack on {match[1]} is given twice")
        found[field] = stack
    return found


def after(names: list[str]) -> Position:
    """The position after moves from the start; passes may be left out."""
    position = start()
    for ply, name in enumerate(names, 1):
        if GAME.moves(position) == [PASS] and name.upper() != "PASS":
            position = GAME.play_unchecked(position, PASS)
        try:
            move = parse_move(position, name)
        except MoveError as error:
            raise PositionError(f"move {ply}: {error}") from None
        position = GAME.play_unchecked(position, move)
    return position


def format(position: Position) -> str:
    """The state string, and after it the stacks that are too high for it."""
    stacks = stacks_of(position)
    phase = 0 if not is_stacking(position) else 2 if GAME.status(position) == OVER else 1
    letters = [DIGITS[2 * phase + side_of(position)]]
    rest = []
    for field in range(board.FIELDS):
        stack = stacks.get(field)
        if stack is not None and stack.height > _HIGHEST_DIGIT:
            rest.append(_long(field, stack))
        letters.append("A" if stack is None else HIGH if stack.height > _HIGHEST_DIGIT else DIGITS[_code(stack)])
    return " ".join(["".join(letters), *rest])


def _long(field: int, stack: Stack) -> str:
    return f"{board.NAMES[field]}={stack.height}{'WB'[stack.owner or 0]}{'R' if stack.red else ''}"


def _refuse(text: str, reason: str) -> NoReturn:
    raise PositionError(f"not a DVONN position, {reason}: {_shown(text)}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "…")


# ── Moves as text ───────────────────────────────────────────────────────────────────────────────


def parse_move(position: Position, text: str) -> int:
    """A legal move from its name in either case: ``D2`` places, ``A1B1`` stacks, ``PASS``."""
    name = text.strip()
    match = _MOVE.fullmatch(name)
    legal = GAME.moves(position)
    if name.lower() == "pass" and name.isascii():
        move, reason = PASS, "there are other moves, so there is no pass" if legal else "the game is over"
    elif match is None:
        move, reason = NO_MOVE, "a move is a field (D2), two fields (A1B1) or PASS"
    else:
        move, reason = _move_of_fields(position, [part for part in match.groups() if part])
    if move not in legal:
        raise MoveError(f"{_shown(text)} is not a legal move in {format(position)}: {reason}")
    return move


def _move_of_fields(position: Position, names: list[str]) -> tuple[int, str]:
    """The move that one or two fields name, and why it is not legal, if so."""
    fields = []
    for name in names:
        field = board.field_number(name)
        if field is None:
            return NO_MOVE, f"the board has no field {name}"
        fields.append(field)
    reason = legality.why_not(stacks_of(position), side_of(position), is_stacking(position), fields)
    return (NO_MOVE if reason else 64 * board.BITS[fields[0]] + board.BITS[fields[-1]]), reason


def format_move(position: Position, move: int) -> str:
    """``D2``, ``A1B1`` or ``PASS``."""
    if move == PASS:
        return "PASS"
    origin, target = (board.NAMES[board.NUMBERS[bit]] for bit in divmod(move, 64))
    return target if origin == target else origin + target


# ── Symmetries ──────────────────────────────────────────────────────────────────────────────────


def _symmetry(name: str, places: tuple[int, ...]) -> Symmetry:
    def of_position(position: Position) -> Position:
        moved = {places[field]: stack for field, stack in stacks_of(position).items()}
        return make(moved, side_of(position), is_stacking(position))

    def of_move(position: Position, move: int) -> int:
        if move == PASS:
            return PASS
        origin, target = (board.BITS[places[board.NUMBERS[bit]]] for bit in divmod(move, 64))
        return 64 * origin + target

    return Symmetry(name, of_position, of_move)


def symmetries() -> tuple[Symmetry, ...]:
    """The half turn and the two mirrors of the board.

    The exchange of colours is not among them: white begins, so it is no symmetry of the rules while stones are placed.
    """
    return tuple(_symmetry(name, places) for name, places in board.SYMMETRIES.items())


def exchange_colours(position: Position) -> Position:
    """White's stacks made black's and black's white's, and the other side to move.

    The moves stay the same once all stones are placed, and the evaluation for the mover always does.
    """
    swapped = {
        field: stack if stack.owner is None else Stack(stack.height, 1 - stack.owner, stack.red)
        for field, stack in stacks_of(position).items()
    }
    return make(swapped, 1 - side_of(position), is_stacking(position))
