"""The table of finished placements: a row per player and referee, significant differences, agreement of referees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from evalsmith.arena.play.finishing import Finish, outcome
from evalsmith.arena.play.placements import Placement
from evalsmith.arena.results.entry import sign
from evalsmith.arena.statistics.elo import Z95

CERTAINTY = 0.05  # over all pairs of players together


@dataclass(frozen=True)
class PlacementRow:
    """A player under one referee: placements won, tied, lost by its finishes, its share of points, its margin.

    Errors are half the width of a 95 % interval, over placements. Margins are in the game's unit.
    """

    name: str
    referee: str
    placements: int
    won: int
    tied: int
    lost: int
    share: float
    share_error: float
    margin: float
    margin_error: float


@dataclass(frozen=True)
class Agreement:
    """Two referees: of how many placements they prefer the same side, and how their mean margins correlate."""

    first: str
    second: str
    same: float
    correlation: float | None


@dataclass(frozen=True)
class PlacementTable:
    """All rows, best first for each referee; ``groups`` are players who cannot be told apart."""

    rows: tuple[PlacementRow, ...]
    groups: dict[str, list[list[str]]]
    agreement: tuple[Agreement, ...]
    placements: int
    times: int

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith placements --json``."""
        return {
            "players": [asdict(row) for row in self.rows],
            "groups": self.groups,
            "agreement": [asdict(one) for one in self.agreement],
            "placements": self.placements,
            "times": self.times,
        }


def placement_table(placements: Sequence[Placement], finishes: Sequence[Finish]) -> PlacementTable:
    """The table of all that was finished."""
    values: dict[str, dict[int, list[int]]] = {}
    for one in finishes:
        values.setdefault(one.referee, {}).setdefault(one.placement, []).append(one.value)
    rows: list[PlacementRow] = []
    groups = {}
    for referee, by_placement in values.items():
        shares = _by_player(placements, by_placement)
        own = [_row(name, referee, pairs) for name, pairs in shares.items()]
        own.sort(key=lambda row: (-row.share, -row.margin, row.name))
        rows += own
        groups[referee] = _groups(own, {name: [share for share, _ in pairs] for name, pairs in shares.items()})
    agreement = tuple(_agreement(a, b, values[a], values[b]) for a, b in combinations(values, 2))
    times = max((one.time for one in finishes), default=-1) + 1
    return PlacementTable(tuple(rows), groups, agreement, len(placements), times)


def _by_player(placements: Sequence[Placement], finished: dict[int, list[int]]) -> dict[str, list[tuple[float, float]]]:
    """The share and the mean margin of each placement, from the view of each of its two players."""
    found: dict[str, list[tuple[float, float]]] = {}
    for number, values in sorted(finished.items()):
        share, margin = outcome(values), sum(values) / len(values)
        first, second = placements[number].sides
        found.setdefault(first, []).append((share, margin))
        found.setdefault(second, []).append((1 - share, -margin))
    return found


def _row(name: str, referee: str, pairs: Sequence[tuple[float, float]]) -> PlacementRow:
    shares, margins = [share for share, _ in pairs], [margin for _, margin in pairs]
    won, tied, lost = (sum(sign(round(1e9 * (share - 0.5))) == which for share in shares) for which in (1, 0, -1))
    (share, share_error), (margin, margin_error) = _mean(shares), _mean(margins)
    return PlacementRow(name, referee, len(pairs), won, tied, lost, share, share_error, margin, margin_error)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its 95 % error; a single value, or values all alike, say little, so 0 is never certain."""
    count = len(values)
    mean = math.fsum(values) / count
    return mean, Z95 * math.sqrt(_variance(values) / count)


def _variance(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.25
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _groups(rows: Sequence[PlacementRow], shares: dict[str, list[float]]) -> list[list[str]]:
    """The largest runs of neighbours in the order whose first and last cannot be told apart."""
    names = [row.name for row in rows]
    pairs = max(1, len(names) * (len(names) - 1) // 2)
    runs: list[tuple[int, int]] = []
    for i in range(len(names)):
        j = i
        while j + 1 < len(names) and not _differ(shares[names[i]], shares[names[j + 1]], CERTAINTY / pairs):
            j += 1
        if not runs or j > runs[-1][1]:
            runs.append((i, j))
    return [names[i : j + 1] for i, j in runs]


def _differ(a: Sequence[float], b: Sequence[float], certainty: float) -> bool:
    """Whether two means differ, by the normal test; means without any spread are given that of a single doubt."""
    spread = max(_variance(a), 0.25 / len(a)) / len(a) + max(_variance(b), 0.25 / len(b)) / len(b)
    z = abs(math.fsum(a) / len(a) - math.fsum(b) / len(b)) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2.0)) < certainty


def _agreement(first: str, second: str, a: dict[int, list[int]], b: dict[int, list[int]]) -> Agreement:
    common = sorted(a.keys() & b.keys())
    if not common:
        return Agreement(first, second, 0.0, None)
    same = sum(sign(round(1e9 * (outcome(a[n]) - 0.5))) == sign(round(1e9 * (outcome(b[n]) - 0.5))) for n in common)
    x, y = ([sum(one[n]) / len(one[n]) for n in common] for one in (a, b))
    return Agreement(first, second, same / len(common), _correlation(x, y))


def _correlation(x: Sequence[float], y: Sequence[float]) -> float | None:
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    both = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread = math.fsum((a - mean_x) ** 2 for a in x) * math.fsum((b - mean_y) ** 2 for b in y)
    return both / math.sqrt(spread) if spread > 0 else None
