"""Which weights move: all but the frozen ones, tied ones as one, each within its bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.run import InputError

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Space:
    """Which unknowns are ``free`` (None: all), which have one value together, and their bounds (None: none).

    Tied unknowns begin at the mean of their values. One that is frozen holds all that it is tied to.
    """

    free: npt.NDArray[np.bool_] | None = None
    ties: tuple[tuple[int, ...], ...] = ()
    low: Vector | None = None
    high: Vector | None = None


class Reduced:
    """The unknowns that move, each standing for one weight or for several tied ones.

    ``member`` are the weights that move and ``number`` the unknown of each; all others stay at ``base``.
    """

    def __init__(self, space: Space, start: Vector) -> None:
        unknowns = len(start)
        low = np.full(unknowns, -np.inf) if space.low is None else np.asarray(space.low, dtype=np.float64)
        high = np.full(unknowns, np.inf) if space.high is None else np.asarray(space.high, dtype=np.float64)
        moving = np.ones(unknowns, dtype=np.bool_) if space.free is None else np.asarray(space.free).copy()
        self.base = np.array(start, dtype=np.float64)
        leader = np.arange(unknowns)
        for tie in space.ties:
            _join(leader, tie)
        for members in _tied(leader):
            self._hold(members, moving)
        self.member = np.flatnonzero(moving)
        _, number = np.unique(leader[self.member], return_inverse=True)
        self.number = number.reshape(-1)
        self.size = int(self.number.max(initial=-1)) + 1
        self.members = np.bincount(self.number, minlength=self.size).astype(np.float64)
        self.low, self.high = np.full(self.size, -np.inf), np.full(self.size, np.inf)
        np.maximum.at(self.low, self.number, low[self.member])
        np.minimum.at(self.high, self.number, high[self.member])
        wrong = np.flatnonzero(~(self.low <= self.high))
        if wrong.size:
            weight = int(self.member[np.flatnonzero(self.number == wrong[0])[0]])
            raise InputError(
                f"the bounds of weight {weight} and of those tied to it leave nothing between: "
                f"{self.low[wrong[0]]:g} to {self.high[wrong[0]]:g}"
            )

    def _hold(self, members: npt.NDArray[np.intp], moving: npt.NDArray[np.bool_]) -> None:
        """Give tied weights the value of the frozen ones among them."""
        frozen = members[~moving[members]]
        if frozen.size == 0:
            return
        values = self.base[frozen]
        if (values != values[0]).any():
            raise InputError(
                f"weights {frozen[0]} and {frozen[int((values != values[0]).argmax())]} are tied, "
                "but frozen at different values; free one of them"
            )
        self.base[members], moving[members] = values[0], False

    def shrink(self, x: Vector) -> Vector:
        """The unknowns of all weights: the mean of tied ones, within the bounds."""
        mean = np.bincount(self.number, weights=x[self.member], minlength=self.size) / self.members
        return np.clip(mean, self.low, self.high)

    def expand(self, y: Vector) -> Vector:
        """All weights."""
        x = self.base.copy()
        x[self.member] = y[self.number]
        return x

    def direction(self, v: Vector) -> Vector:
        """A direction of the unknowns as one of all weights."""
        x = np.zeros(len(self.base))
        x[self.member] = v[self.number]
        return x

    def gather(self, g: Vector) -> Vector:
        """A gradient of all weights as one of the unknowns; also other sums over tied weights."""
        return np.bincount(self.number, weights=g[self.member], minlength=self.size).astype(np.float64)

    def numbers(self) -> npt.NDArray[np.int32]:
        """The unknown of each weight, −1 where it does not move."""
        found = np.full(len(self.base), -1, dtype=np.int32)
        found[self.member] = self.number
        return found


def _join(leader: npt.NDArray[np.intp], tie: tuple[int, ...]) -> None:
    """Make one group of all groups that a tie touches."""
    outside = [index for index in tie if not 0 <= index < len(leader)]
    if outside:
        raise InputError(f"weight {outside[0]} is tied, but weights are numbered 0 to {len(leader) - 1}")
    if len(tie) > 1:
        groups = np.unique(leader[list(tie)])
        leader[np.isin(leader, groups)] = groups[0]


def _tied(leader: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
    """The members of each group of more than one."""
    order = np.argsort(leader, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(leader[order])) + 1)
    return [group for group in groups if len(group) > 1]
