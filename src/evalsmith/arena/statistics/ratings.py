"""Ratings of three and more players: Bradley–Terry by maximum likelihood, with the covariance of the errors.

P(i beats j) = 1/(1 + 10^((Rj − Ri)/400)), and a draw is half a win and half a loss. Only differences of ratings
mean anything, so their mean is fixed at 0, unless anchors fix some of them. All errors are 95 %; that of a difference
comes from the covariance, for the errors of two ratings do not simply add.

A maximum exists only if everybody is joined to everybody by a chain of players who each took points from the next.
Where that is not so, the ratings would be infinite and `bradley_terry` says who is cut off from whom.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalsmith.arena.statistics.elo import LARGEST_COUNT, STAND_IN, Z95
from evalsmith.run.errors import InputError

Reals = NDArray[np.float64]

ELO = 400.0 / math.log(10.0)
"""Elo for each unit of the natural logarithm of the odds."""

LARGEST_ANCHOR = 10_000.0
ROUNDS, LONGEST_STEP = 500, 3.0

SETTLED = 1e-12
"""The last step is at most the root of this, in standard errors; Newton's method leaves its square to be done."""


@dataclass(frozen=True)
class Pairing:
    """Games between two players, from the view of ``first``, who also moved first if that is to count."""

    first: str
    second: str
    won: float
    drawn: float
    lost: float


@dataclass(frozen=True)
class Rating:
    """A rating, or a difference of two, with half the width of its 95 % interval."""

    name: str
    elo: float
    error: float


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players: ``elo`` in the order of ``names``, and the ``covariance`` of it in Elo².

    ``advantage`` is what moving first is worth, None if it was not asked for. ``log_likelihood`` is that of the games
    without the prior.
    """

    names: tuple[str, ...]
    elo: Reals
    covariance: Reals
    advantage: Rating | None
    log_likelihood: float

    def table(self) -> list[Rating]:
        """Every player, the strongest first."""
        errors = Z95 * np.sqrt(np.diagonal(self.covariance))
        rows = [Rating(*row) for row in zip(self.names, self.elo.tolist(), errors.tolist(), strict=True)]
        return sorted(rows, key=lambda row: (-row.elo, row.name))

    def difference(self, player: str, opponent: str) -> Rating:
        """How much stronger ``player`` is than ``opponent``."""
        for name in (player, opponent):
            if name not in self.names:
                raise InputError(f"no player has the name {name}; the players are {', '.join(self.names)}")
        i, j = self.names.index(player), self.names.index(opponent)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2.0 * self.covariance[i, j]
        error = Z95 * math.sqrt(max(0.0, float(variance)))
        return Rating(f"{player} − {opponent}", float(self.elo[i] - self.elo[j]), error)


@dataclass(frozen=True)
class _Points:
    """What ``first`` and ``second`` took from each other; ``edge`` is 1 if the first move counts here."""

    first: int
    second: int
    won: float
    lost: float
    edge: int


def bradley_terry(
    pairings: Iterable[Pairing],
    *,
    anchors: Mapping[str, float] | None = None,
    prior: float = 0.0,
    first_move: bool = False,
) -> Ratings:
    """The likeliest ratings of all players in ``pairings``.

    Args:
        pairings: who played whom; two players may appear several times, either way round.
        anchors: players whose rating is given; without any, the mean rating is 0.
        prior: virtual draws added between any two players who met, which keeps ratings finite and pulls them together.
        first_move: estimate the advantage of moving first as well.
    """
    anchors = dict(anchors or {})
    if not (prior == 0.0 or STAND_IN <= prior <= LARGEST_COUNT):
        raise InputError(f"expected a prior of 0 or more virtual draws, got {prior:g}")
    names, played = _collect(pairings)
    _check_anchors(anchors, names)
    rows = played + _virtual_draws(played, prior)
    fixed = [name in anchors for name in names]
    # Anchored players cannot move apart, so where chains of wins matter the first of them stands for all.
    node = [fixed.index(True) if anchored else i for i, anchored in enumerate(fixed)]
    wins = _wins(rows, node)
    _check_connected(wins, names, node)
    if first_move:
        _check_first_move(wins, node)

    players = len(names)
    design, start = _design(rows, players, first_move), _start(names, anchors, first_move)
    won, lost = np.array([row.won for row in rows]), np.array([row.lost for row in rows])
    free = _free_directions(fixed, first_move)
    try:
        found = _maximise(design, won, lost, start, free)
        # By the Cholesky factor, so that rounding never makes a variance negative.
        factor = np.linalg.cholesky(_information(design, won + lost, found, free))
    except np.linalg.LinAlgError:
        raise InputError("the results are too lopsided for ratings; add a prior of virtual draws") from None
    root = ELO * free @ np.linalg.inv(factor).T
    covariance = root @ root.T

    advantage = None
    if first_move:
        advantage = Rating("first move", ELO * float(found[-1]), Z95 * math.sqrt(float(covariance[-1, -1])))
    real = slice(len(played))
    return Ratings(
        names=tuple(names),
        elo=ELO * found[:players],
        covariance=covariance[:players, :players],
        advantage=advantage,
        log_likelihood=_log_likelihood(design[real] @ found, won[real], lost[real]),
    )


def _design(rows: Sequence[_Points], players: int, first_move: bool) -> Reals:
    """A row for each pairing; the parameters are the ratings and perhaps the advantage, in log odds."""
    design = np.zeros((len(rows), players + first_move))
    for row, line in zip(rows, design, strict=True):
        line[row.first], line[row.second] = 1.0, -1.0
        line[players:] = row.edge
    return design


def _start(names: Sequence[str], anchors: Mapping[str, float], first_move: bool) -> Reals:
    """The parameters to begin with: the anchors, and their mean for everybody else."""
    start = np.zeros(len(names) + first_move)
    if anchors:
        start[: len(names)] = math.fsum(anchors.values()) / len(anchors) / ELO
        for name, elo in anchors.items():
            start[names.index(name)] = elo / ELO
    return start


def _collect(pairings: Iterable[Pairing]) -> tuple[list[str], list[_Points]]:
    """The players in order of appearance, and the points of each ordered pair of them."""
    names: dict[str, int] = {}
    sums: dict[tuple[int, int], list[float]] = {}
    for pairing in pairings:
        counts = (pairing.won, pairing.drawn, pairing.lost)
        if not all(count == 0.0 or STAND_IN <= count <= LARGEST_COUNT for count in counts):
            raise InputError(f"{pairing.first} against {pairing.second}: expected numbers of games, got {counts}")
        if pairing.first == pairing.second:
            raise InputError(f"{pairing.first} plays against itself")
        first, second = (names.setdefault(name, len(names)) for name in (pairing.first, pairing.second))
        total = sums.setdefault((first, second), [0.0, 0.0])
        total[0] += pairing.won + 0.5 * pairing.drawn
        total[1] += pairing.lost + 0.5 * pairing.drawn
    if not names:
        raise InputError("expected games between two players or more, got none")
    return list(names), [_Points(i, j, won, lost, 1) for (i, j), (won, lost) in sums.items() if won + lost > 0.0]


def _virtual_draws(rows: Sequence[_Points], prior: float) -> list[_Points]:
    """``prior`` draws between any two who met; nobody has the first move in them."""
    met = dict.fromkeys((min(row.first, row.second), max(row.first, row.second)) for row in rows)
    return [_Points(i, j, 0.5 * prior, 0.5 * prior, 0) for i, j in met if prior > 0.0]


def _check_anchors(anchors: Mapping[str, float], names: Sequence[str]) -> None:
    for name, elo in anchors.items():
        if name not in names:
            raise InputError(f"the anchor {name} has not played; the players are {', '.join(names)}")
        if not abs(elo) <= LARGEST_ANCHOR:
            raise InputError(f"expected an anchor within ±{LARGEST_ANCHOR:g} Elo, got {name}={elo:g}")


def _wins(rows: Iterable[_Points], node: Sequence[int]) -> set[tuple[int, int, int]]:
    """Who took points from whom, and the sign of the first-move advantage in it."""
    wins = set()
    for row in rows:
        first, second = node[row.first], node[row.second]
        if row.won > 0.0:
            wins.add((first, second, row.edge))
        if row.lost > 0.0:
            wins.add((second, first, -row.edge))
    return wins


def _check_connected(wins: set[tuple[int, int, int]], names: Sequence[str], node: Sequence[int]) -> None:
    """Raise unless a chain of wins leads from everybody to everybody."""
    below = _reached(node[0], {(winner, loser) for winner, loser, _ in wins})
    above = _reached(node[0], {(loser, winner) for winner, loser, _ in wins})
    weak = set(node) - above if below == set(node) else below
    if not weak:
        return
    low = _names([name for name, i in zip(names, node, strict=True) if i in weak])
    high = _names([name for name, i in zip(names, node, strict=True) if i not in weak])
    if not any((winner in weak) != (loser in weak) for winner, loser, _ in wins):
        raise InputError(f"these games give no ratings: {low} never met {high}")
    raise InputError(
        f"these games give no finite ratings: {low} never took a point from {high}; "
        "play more games or add a prior of virtual draws"
    )


def _reached(start: int, edges: set[tuple[int, int]]) -> set[int]:
    """Whatever the edges lead to from ``start``, itself included."""
    ways: dict[int, list[int]] = {}
    for a, b in edges:
        ways.setdefault(a, []).append(b)
    reached, waiting = {start}, [start]
    while waiting:
        for node in ways.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached


def _names(names: Sequence[str], most: int = 5) -> str:
    """A list of names that stays short."""
    text = ", ".join(names[:most])
    return text if len(names) <= most else f"{text} and {len(names) - most} more"


def _check_first_move(wins: set[tuple[int, int, int]], node: Sequence[int]) -> None:
    """Raise if the advantage could grow for ever, in either direction, while some ratings make up for it.

    It can if shifts d of the ratings exist such that no win becomes less likely: d(loser) ≤ d(winner) ± 1, with plus
    where the winner moved first. Such shifts exist unless a cycle of these conditions sums to less than nothing.
    """
    for direction in (1, -1):
        shift = dict.fromkeys(node, 0)
        for _ in shift:
            settled = True
            for winner, loser, sign in wins:
                if shift[winner] + sign * direction < shift[loser]:
                    shift[loser] = shift[winner] + sign * direction
                    settled = False
            if settled:
                raise InputError(
                    "these games do not say what the first move is worth: let every pair play both sides, until "
                    "those who move first have both won and lost"
                )


def _free_directions(fixed: Sequence[bool], first_move: bool) -> Reals:
    """One column for each way in which the parameters may move."""
    players = len(fixed)
    # Without anchors, all that keep the mean: the left singular vectors of a column of ones, but the first.
    keeping = np.linalg.svd(np.ones((players, 1)))[0][:, 1:]
    directions = np.eye(players)[:, ~np.array(fixed)] if any(fixed) else keeping
    if not first_move:
        return directions
    return np.block([[directions, np.zeros((players, 1))], [np.zeros((1, directions.shape[1])), np.ones((1, 1))]])


def _log_likelihood(odds: Reals, won: Reals, lost: Reals) -> float:
    return float(-(won @ np.logaddexp(0.0, -odds)) - lost @ np.logaddexp(0.0, odds))


def _information(design: Reals, games: Reals, parameters: Reals, free: Reals) -> Reals:
    """The Fisher information along the free directions."""
    odds = design @ parameters
    # p(1 − p), written so that it neither overflows nor cancels.
    spread = np.exp(-np.logaddexp(0.0, odds) - np.logaddexp(0.0, -odds))
    along: Reals = design @ free
    information: Reals = along.T @ ((games * spread)[:, None] * along)
    return information


def _maximise(design: Reals, won: Reals, lost: Reals, start: Reals, free: Reals) -> Reals:
    """The parameters of the greatest likelihood, by Newton's method with short steps."""
    parameters, games = start, won + lost
    value = _log_likelihood(design @ parameters, won, lost)
    for _ in range(ROUNDS):
        expected = games * np.exp(-np.logaddexp(0.0, -(design @ parameters)))
        slope = free.T @ (design.T @ (won - expected))
        curvature = _information(design, games, parameters, free)
        # The ridge leaves the summit where it is, and keeps a flat beginning solvable.
        curvature += 1e-12 * (1.0 + np.trace(curvature)) * np.eye(len(curvature))
        way = np.linalg.solve(curvature, slope)
        step = free @ way
        if slope @ way < SETTLED:
            return parameters + step
        step *= min(1.0, LONGEST_STEP / float(np.max(np.abs(step))))
        reached = _log_likelihood(design @ (parameters + step), won, lost)
        while reached < value - 1e-12 * abs(value):
            step *= 0.5
            reached = _log_likelihood(design @ (parameters + step), won, lost)
        parameters, value = parameters + step, reached
    raise np.linalg.LinAlgError
