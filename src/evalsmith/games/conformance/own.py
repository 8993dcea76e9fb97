"""The laws of what an author knows of a game: positions it must be able to hold, and how many moves follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalsmith.games.conformance.probe import Place, Probe
from evalsmith.games.perft import perft

Counts = Mapping[int, int] | Mapping[str, Mapping[int, int]]
"""Leaves by depth from the start, or by depth for each of some positions."""

Trials = Iterator[str | None]


def own_positions(probe: Probe, text: str, places: list[Place]) -> Trials:
    """A position is read, and a game can be played from there; its positions go into ``places``."""
    position = probe.game.parse(text)
    for place in probe.walk(probe.stream("own", text), position):
        places.append(place)
        yield None


def perft_counts(probe: Probe, text: str | None, counts: Mapping[int, int]) -> Trials:
    """As many sequences of moves follow as the author says, at each depth."""
    game = probe.game
    position = game.start() if text is None else game.parse(text)
    for depth, wanted in sorted(counts.items()):
        found = perft(game, position, depth)
        if found.nodes == wanted:
            yield None
            continue
        below = ", ".join(f"{move} {count:,}" for move, count in list(found.divide.items())[:12])
        yield f"perft {depth} counts {found.nodes:,}, not {wanted:,}; below each move: {below or 'nothing'}"
        return  # deeper counts are wrong for the same reason


def by_position(counts: Counts) -> list[tuple[str | None, Mapping[int, int]]]:
    """The counts of the start, whose text is None, and of each position."""
    start = {depth: count for depth, count in counts.items() if isinstance(depth, int) and isinstance(count, int)}
    named = [(text, table) for text, table in counts.items() if isinstance(text, str) and isinstance(table, Mapping)]
    return [*([(None, start)] if start else []), *named]
