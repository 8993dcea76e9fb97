"""DVONN, written to be believed: a dictionary from field names to lists of stones, the lowest stone first."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

COLUMNS = "ABCDEFGHIJK"
ROWS = {"1": "ABCDEFGHI", "2": "ABCDEFGHIJ", "3": "ABCDEFGHIJK", "4": "BCDEFGHIJK", "5": "CDEFGHIJK"}
FIELDS = [column + row for row, columns in ROWS.items() for column in columns]
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]
BASE_62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
WHITE, BLACK, RED = "W", "B", "R"


def away(name: str, step: tuple[int, int], distance: int) -> str | None:
    """The field so many steps away in one direction, or None outside the board."""
    column = COLUMNS.index(name[0]) + step[0] * distance
    row = int(name[1]) + step[1] * distance
    if not 0 <= column < len(COLUMNS):
        return None
    reached = f"{COLUMNS[column]}{row}"
    return reached if reached in FIELDS else None


@dataclass
class Dvonn:
    """A game in progress."""

    stacks: dict[str, list[str]] = field(default_factory=dict)
    mover: str = WHITE
    stacking: bool = False

    def copy(self) -> Dvonn:
        return Dvonn({name: list(stones) for name, stones in self.stacks.items()}, self.mover, self.stacking)

    def stack_moves(self, side: str) -> list[str]:
        """Every move of a side's stacks."""
        found = []
        for name, stones in self.stacks.items():
            if stones[-1] != side:
                continue
            if all(away(name, step, 1) in self.stacks for step in STEPS):
                continue
            for step in STEPS:
                target = away(name, step, len(stones))
                if target in self.stacks:
                    found.append(name + target)
        return found

    def moves(self) -> list[str]:
        if not self.stacking:
            return [name for name in FIELDS if name not in self.stacks]
        own = self.stack_moves(self.mover)
        if own:
            return own
        return ["PASS"] if self.stack_moves(self.enemy()) else []

    def enemy(self) -> str:
        return BLACK if self.mover == WHITE else WHITE

    def play(self, move: str) -> None:
        if move == "PASS":
            self.mover = self.enemy()
        elif not self.stacking:
            self.stacks[move] = [RED if len(self.stacks) < 3 else self.mover]
            if len(self.stacks) == 49:
                self.stacking = True
                self.mover = WHITE
            else:
                self.mover = self.enemy()
        else:
            stones = self.stacks.pop(move[:2])
            self.stacks[move[2:]] += stones
            self.remove_disconnected()
            self.mover = self.enemy()

    def remove_disconnected(self) -> None:
        safe = {name for name, stones in self.stacks.items() if RED in stones}
        waiting = list(safe)
        while waiting:
            name = waiting.pop()
            for step in STEPS:
                other = away(name, step, 1)
                if other in self.stacks and other not in safe:
                    safe.add(other)
                    waiting.append(other)
        self.stacks = {name: stones for name, stones in self.stacks.items() if name in safe}

    def over(self) -> bool:
        return self.stacking and not self.moves()

    def score(self, side: str) -> int:
        """The stones in a side's stacks."""
        return sum(len(stones) for stones in self.stacks.values() if stones[-1] == side)

    def text(self) -> str:
        """The state string, with our addition for stacks above 15."""
        phase = 0 if not self.stacking else 2 if self.over() else 1
        string, high = BASE_62[2 * phase + (self.mover == BLACK)], ""
        for name in FIELDS:
            stones = self.stacks.get(name, [])
            top = stones[-1] if stones else ""
            if not stones:
                string += "A"
            elif top == RED:
                string += "B"
            elif len(stones) <= 15:
                string += BASE_62[4 * len(stones) + 2 * (RED in stones) + (top == BLACK) - 2]
            else:
                string += "*"
                high += f" {name}={len(stones)}{top}{'R' if RED in stones else ''}"
        return string + high


def perft(game: Dvonn, depth: int) -> int:
    """The number of move sequences; a finished game is one."""
    if depth == 0:
        return 1
    total = 0
    for move in game.moves():
        following = game.copy()
        following.play(move)
        total += perft(following, depth - 1)
    return total or 1


def random_game(seed: int) -> int:
    """Play at random to the end; the number of plies."""
    choose = random.Random(seed)
    game, plies = Dvonn(), 0
    while moves := game.moves():
        game.play(choose.choice(moves))
        plies += 1
    return plies
