"""The scores of all moves, depth by depth: how deep the final scores are, and since when the best moves were best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

Scores = dict[int, int]
"""Moves and their scores."""


@dataclass
class DepthTable:
    """What a search reported: for each depth the scores of the moves it had then.

    A depth that lacks a move is not complete: the search ended amid it, or its lines were not all reported.
    """

    moves: tuple[int, ...]
    depths: dict[int, Scores] = field(default_factory=dict)

    def add(self, depth: int, move: int, score: int) -> None:
        """The score of a move at a depth; a later report of the same takes its place."""
        self.depths.setdefault(depth, {})[move] = score

    @property
    def complete(self) -> list[int]:
        """The depths at which every move has a score, in order."""
        return sorted(depth for depth, scores in self.depths.items() if len(scores) == len(self.moves))

    def final(self) -> tuple[int, Scores]:
        """The last complete depth and its scores; without one, depth 0 and the last score of each move that has one."""
        complete = self.complete
        if complete:
            return complete[-1], self.depths[complete[-1]]
        latest: Scores = {}
        for depth in sorted(self.depths):
            latest |= self.depths[depth]
        return 0, latest

    def stable_depth(self) -> int:
        """The depth from which on all final best moves were best at every complete depth; 0 without one.

        Other moves that were as good do not count against it. A move that was better does, and so does a final best
        move that was not among the best.
        """
        complete = self.complete
        if not complete:
            return 0
        final = best_moves(self.depths[complete[-1]])
        stable = complete[-1]
        for depth in reversed(complete):
            if not final <= best_moves(self.depths[depth]):
                break
            stable = depth
        return stable


def best_moves(scores: Scores) -> set[int]:
    """All moves that share the highest score."""
    highest = max(scores.values())
    return {move for move, score in scores.items() if score == highest}


def ranked(scores: Scores) -> Iterable[tuple[int, int]]:
    """Moves with their scores, best first; equal ones by their numbers, so that the order is always the same."""
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
