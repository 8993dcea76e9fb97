"""Who plays whom: match, round robin, gauntlet, knockout, Swiss.

A format is a function of the games finished so far that names all games of the event as far as they are known; when
none of them is missing, the event is over. So an event that was killed resumes exactly where it stopped. Games come in
pairs with the sides swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.results.played import EXTRA_PAIRS, Played
from evalsmith.arena.settings import FORMATS
from evalsmith.run import InputError

# Steps of the search for a round of the Swiss system without rematches, before some are allowed.
_PATIENCE = 20_000


@dataclass(frozen=True)
class Format:
    """How the games of an event are chosen. ``pairs`` is the number of pairs that two players have in a round.

    ``rounds`` counts those of the Swiss system (0: as many as separate the players); ``challengers`` are the first
    players of a gauntlet, who meet all others and not each other.
    """

    kind: str
    pairs: int
    rounds: int = 0
    challengers: int = 1

    def __post_init__(self) -> None:
        if self.kind not in FORMATS:
            raise InputError(f"an event is one of {', '.join(FORMATS)}, not {self.kind!r}")
        if self.pairs < 1:
            raise InputError(f"expected at least one pair of games for two players, not {self.pairs}")
        if self.rounds < 0 or self.challengers < 1:
            raise InputError("rounds must not be negative, and challengers must be above 0")

    def check(self, names: Sequence[str]) -> None:
        """Refuse players that this format cannot have."""
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"two players have the name {twice[0]!r}; rename one with ;name=…")
        if self.kind == "match" and len(names) != 2:
            raise InputError(f"a match needs two players, not {len(names)}")
        if len(names) < 2:
            raise InputError(f"an event needs at least two players, not {len(names)}")
        if self.kind == "gauntlet" and self.challengers >= len(names):
            raise InputError(f"a gauntlet of {self.challengers} challengers needs more than {len(names)} players")

    def openings(self, players: int) -> int:
        """The largest number of openings that the event can use; every pairing of a round has the same ones."""
        if self.kind == "knockout":
            return (players - 1).bit_length() * (self.pairs + EXTRA_PAIRS)
        return self.pairs * (swiss_rounds(self, players) if self.kind == "swiss" else 1)

    def opening_of(self, key: GameKey) -> int:
        """The number of the opening of a game."""
        each = self.pairs + EXTRA_PAIRS if self.kind == "knockout" else self.pairs
        return key.round * each + key.pair

    def planned(self, names: Sequence[str], played: Played) -> Iterator[GameKey]:
        """The games of the event, finished or not, as far as the finished ones determine them."""
        return _PLANS[self.kind](self, names, played)


def _both(number: int, first: str, second: str, pair: int) -> Iterator[GameKey]:
    return (GameKey(number, first, second, pair, half) for half in (0, 1))


def _all_pairs(form: Format, meetings: Sequence[tuple[str, str]], number: int = 0) -> Iterator[GameKey]:
    """All meetings advance evenly, so that a table shown before the end is fair."""
    for pair in range(form.pairs):
        for first, second in meetings:
            yield from _both(number, first, second, pair)


def _round_robin(form: Format, names: Sequence[str], played: Played) -> Iterator[GameKey]:
    return _all_pairs(form, list(combinations(names, 2)))


def _gauntlet(form: Format, names: Sequence[str], played: Played) -> Iterator[GameKey]:
    challengers, field = names[: form.challengers], names[form.challengers :]
    return _all_pairs(form, [(one, other) for one in challengers for other in field])


# ── Knockout ──


def _knockout(form: Format, names: Sequence[str], played: Played) -> Iterator[GameKey]:
    """Seeds in the order of the names; the first ones have a free round if the field is no power of two."""
    rounds = [
        (number, meetings, [pair for both in meetings for pair in _extra_pairs(form, number, *both, played)])
        for number, meetings, _ in _knockout_rounds(form, names, played)
    ]  # all of it now: a plan must not depend on what is finished while it is carried out
    for number, meetings, extra in rounds:
        yield from _all_pairs(form, meetings, number)
        yield from extra


def _knockout_rounds(
    form: Format, names: Sequence[str], played: Played
) -> list[tuple[int, list[tuple[str, str]], list[str | None]]]:
    """Round by round: its number, its meetings, and the bracket after it if it is finished."""
    bracket: list[str | None] = [names[i] if i < len(names) else None for i in _seeding(len(names))]
    rounds: list[tuple[int, list[tuple[str, str]], list[str | None]]] = []
    number = 0
    while len(bracket) > 1:
        both = [(bracket[i], bracket[i + 1]) for i in range(0, len(bracket), 2)]
        meetings = [(a, b) for a, b in both if a is not None and b is not None]
        winners = [winner_of(form, number, a, b, names, played) if a and b else a or b for a, b in both]
        if any(winner is None and a and b for winner, (a, b) in zip(winners, both, strict=True)):
            rounds.append((number, meetings, []))
            break
        rounds.append((number, meetings, winners))
        bracket, number = winners, number + 1
    return rounds


def _seeding(count: int) -> list[int]:
    """The order of seeds in a bracket, so that the first two can meet in the last round only."""
    order = [0]
    while len(order) < count:
        size = 2 * len(order)
        order = [seed for one in order for seed in (one, size - 1 - one)]
    return order


def _extra_pairs(form: Format, number: int, first: str, second: str, played: Played) -> Iterator[GameKey]:
    """The extra pairs of a level meeting, as far as they were needed."""
    for pair in range(form.pairs, form.pairs + EXTRA_PAIRS):
        lead = played.lead_after(number, first, second, pair)
        if lead is None or lead.points != 0:
            return
        yield from _both(number, first, second, pair)


def winner_of(form: Format, number: int, first: str, second: str, names: Sequence[str], played: Played) -> str | None:
    """Who advances: by points, with extra pairs while they are level, then by the margins, then the better seed."""
    pairs = form.pairs
    while True:
        lead = played.lead_after(number, first, second, pairs)
        if lead is None:
            return None
        if lead.points != 0:
            return first if lead.points > 0 else second
        if pairs == form.pairs + EXTRA_PAIRS:
            if lead.margin != 0:
                return first if lead.margin > 0 else second
            return min((first, second), key=names.index)
        pairs += 1


def knockout_winner(form: Format, names: Sequence[str], played: Played) -> str | None:
    """Who has won the knockout, once that is known."""
    last = _knockout_rounds(form, names, played)[-1][2]
    return last[0] if len(last) == 1 else None


# ── Swiss ──


def _swiss(form: Format, names: Sequence[str], played: Played) -> Iterator[GameKey]:
    for number, meetings in enumerate(_swiss_plan(form, names, played)[0]):
        yield from _all_pairs(form, meetings, number)


def free_games(form: Format, names: Sequence[str], played: Played) -> dict[str, int]:
    """The number of games that each player was given in free rounds so far; they count as won."""
    spared = dict.fromkeys(names, 0)
    if form.kind == "swiss":
        for name in _swiss_plan(form, names, played)[1]:
            spared[name] += 2 * form.pairs
    return spared


def _swiss_plan(form: Format, names: Sequence[str], played: Played) -> tuple[list[list[tuple[str, str]]], list[str]]:
    """The meetings of each round that has begun, and who was free in it.

    Players of like points meet, none twice if that can be; who is left over has a free round, once.
    """
    rounds: list[list[tuple[str, str]]] = []
    sat_out: list[str] = []
    met: set[frozenset[str]] = set()
    points: dict[str, float] = dict.fromkeys(names, 0.0)
    free: set[str] = set()
    for number in range(swiss_rounds(form, len(names))):
        order = sorted(names, key=lambda name: (-points[name], names.index(name)))
        if len(order) % 2:
            sits = next((name for name in reversed(order) if name not in free), order[-1])
            order.remove(sits)
            free.add(sits)
            sat_out.append(sits)
            points[sits] += 2 * form.pairs
        meetings = _swiss_round(order, met)
        rounds.append(meetings)
        leads = [played.lead_after(number, first, second, form.pairs) for first, second in meetings]
        for (first, second), lead in zip(meetings, leads, strict=True):
            if lead is None:
                return rounds, sat_out
            points[first] += form.pairs + lead.points / 2
            points[second] += form.pairs - lead.points / 2
        met |= {frozenset(meeting) for meeting in meetings}
    return rounds, sat_out


def swiss_rounds(form: Format, players: int) -> int:
    """The rounds asked for, or as many as find a winner among the players."""
    return form.rounds or max(1, (players - 1).bit_length())


def _swiss_round(order: Sequence[str], met: set[frozenset[str]]) -> list[tuple[str, str]]:
    """Neighbours in the order, with as few rematches as a bounded search finds."""
    steps = 0

    def pair_up(left: list[str]) -> list[tuple[str, str]] | None:
        nonlocal steps
        if not left:
            return []
        first, rest = left[0], left[1:]
        for i, other in enumerate(rest):
            steps += 1
            if steps > _PATIENCE:
                return None
            if frozenset((first, other)) in met:
                continue
            others = pair_up(rest[:i] + rest[i + 1 :])
            if others is not None:
                return [(first, other), *others]
        return None

    found = pair_up(list(order)) if len(order) <= _DEEPEST else None
    return found if found is not None else _with_rematches(list(order), met)


_DEEPEST = 400  # players for whom the search may go one call deeper a meeting


def _with_rematches(left: list[str], met: set[frozenset[str]]) -> list[tuple[str, str]]:
    meetings = []
    while left:
        first = left.pop(0)
        other = next((name for name in left if frozenset((first, name)) not in met), left[0])
        left.remove(other)
        meetings.append((first, other))
    return meetings


_PLANS: dict[str, Callable[[Format, Sequence[str], Played], Iterator[GameKey]]] = {
    "match": _round_robin,
    "round-robin": _round_robin,
    "gauntlet": _gauntlet,
    "knockout": _knockout,
    "swiss": _swiss,
}
