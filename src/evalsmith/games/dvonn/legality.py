"""Which DVONN positions can be, and why a move cannot, in words and without compiled code.

A stack's text tells its height, its owner and whether it holds a red stone, not how many stones of each colour lie
under the top. So in the stacking phase a bound is checked wherever one is known, in the placing phase everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalsmith.games.dvonn.board import FIELDS, NAMES, distance, neighbours, straight, targets

WHITE, BLACK = 0, 1
SIDES = ("white", "black")
REDS, COLOURED, STONES = 3, 23, 49


@dataclass(frozen=True)
class Stack:
    """What is known of a stack; a lone red stone has no owner."""

    height: int
    owner: int | None
    red: bool

    def __str__(self) -> str:
        if self.owner is None:
            return "a red stone"
        stones = "a stone" if self.height == 1 else f"a stack of {self.height}"
        return f"{stones} of {SIDES[self.owner]}" + (" with red" if self.red else "")


Stacks = Mapping[int, Stack]
"""The stacks by the number of their field."""


def fault(stacks: Stacks, side: int, stacking: bool) -> str | None:
    """Why there can be no such position, or None."""
    return _stacking_fault(stacks, side) if stacking else _placing_fault(stacks, side)


def _names(fields: list[int]) -> str:
    return ", ".join(NAMES[field] for field in fields)


def _count(stacks: Stacks, owner: int | None) -> int:
    return sum(stack.owner == owner for stack in stacks.values())


def _placing_fault(stacks: Stacks, side: int) -> str | None:
    high = [field for field, stack in stacks.items() if stack.height > 1]
    if high:
        return f"while stones are placed none lies on another, but on {_names(high[:1])} is {stacks[high[0]]}"
    placed = len(stacks)
    if placed == FIELDS:
        return "all 49 stones are placed, so the phase is not placing"
    reds = min(placed, REDS)
    black = (placed - reds + 1) // 2
    wanted = (reds, placed - reds - black, black)
    found = (_count(stacks, None), _count(stacks, WHITE), _count(stacks, BLACK))
    if found != wanted:
        shown = ["{} red, {} white and {} black".format(*counts) for counts in (wanted, found)]
        return f"the first {placed} stones to be placed are {shown[0]}, not {shown[1]}"
    if side != placed % 2:
        return f"after {placed} stones {SIDES[placed % 2]} places, not {SIDES[side]}"
    return None


def _stacking_fault(stacks: Stacks, side: int) -> str | None:
    total = sum(stack.height for stack in stacks.values())
    if total > STONES:
        return f"it has {total} stones, the game only 49"
    for owner in (WHITE, BLACK):
        tops = [field for field, stack in stacks.items() if stack.owner == owner]
        if len(tops) > COLOURED:
            last = f"the last too many on {NAMES[tops[-1]]}"
            return f"{len(tops)} {SIDES[owner]} stones lie on top of stacks ({last}), the game has only 23"
    red = [field for field, stack in stacks.items() if stack.red]
    if len(red) > REDS:
        return f"{len(red)} stacks hold a red stone ({_names(red)}), the game has only 3"
    if not red:
        return "no stack holds a red stone, though a red stone is never removed"
    room = sum(max(1, stacks[field].height - 1) for field in red)
    if room < REDS:
        return f"the stacks with red ({_names(red)}) have room for {room} of the 3 red stones, which are never removed"
    lost = sorted(set(stacks) - _connected(stacks, red))
    if lost:
        return f"not connected to a red stone: {_names(lost)}"
    if len(stacks) == FIELDS:
        counts = (_count(stacks, WHITE), _count(stacks, BLACK))
        if counts != (COLOURED, COLOURED):
            return "a full board has 23 stones of each colour, not {} white and {} black".format(*counts)
        if side == BLACK and can_move(stacks, WHITE):
            return "white makes the first move with a stack, not black"
    return None


def _connected(stacks: Stacks, red: list[int]) -> set[int]:
    """The fields connected to one of the red ones."""
    found = set(red)
    waiting = list(red)
    while waiting:
        for field in neighbours(waiting.pop()):
            if field in stacks and field not in found:
                found.add(field)
                waiting.append(field)
    return found


# ── Moves ───────────────────────────────────────────────────────────────────────────────────────


def is_enclosed(stacks: Stacks, field: int) -> bool:
    """Whether all six sides of a field are occupied, so that a stack there may not move."""
    around = neighbours(field)
    return len(around) == 6 and all(neighbour in stacks for neighbour in around)


def can_move(stacks: Stacks, owner: int) -> bool:
    """Whether a side has a move in the stacking phase."""
    return any(
        target in stacks
        for field, stack in stacks.items()
        if stack.owner == owner and not is_enclosed(stacks, field)
        for target in targets(field, stack.height)
    )


def why_not(stacks: Stacks, side: int, stacking: bool, fields: Sequence[int]) -> str:
    """Why a move of one field (placing) or two (stacking) is not legal; empty for one that is."""
    names = [NAMES[field] for field in fields]
    if not stacking:
        if len(fields) > 1:
            return "stones are still being placed, on one field each"
        return f"on {names[0]} is {stacks[fields[0]]}" if fields[0] in stacks else ""
    if len(fields) == 1:
        return "all stones are placed; a stack moves from one field to another"
    origin, target = fields
    stack = stacks.get(origin)
    if stack is None:
        return f"{names[0]} is empty"
    if stack.owner != side:
        return f"on {names[0]} is {stack}, and {SIDES[side]} is to move"
    if is_enclosed(stacks, origin):
        return f"the stack on {names[0]} is enclosed on all six sides"
    if not straight(origin, target):
        return f"{names[0]} and {names[1]} are not on one line"
    if distance(origin, target) != stack.height:
        far = distance(origin, target)
        return f"a stack moves as far as it is high: on {names[0]} is {stack}, {names[1]} is {far} away"
    return "" if target in stacks else f"{names[1]} is empty"
