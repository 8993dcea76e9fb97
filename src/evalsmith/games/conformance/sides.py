"""The laws of who moves and who has won: a mistake in them leaves a game that plays on, and plays badly.

As everywhere in the kit, a law yields once for every trial: None when it holds, otherwise what is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from evalsmith.games.conformance.probe import Place, Probe
from evalsmith.games.game import OVER, PLAYER, Position

# A side is changed in this many positions, with so many texts in each: enough, as keys do not depend on the rest.
KEYED_PLACES, KEYED_TEXTS = 12, 24
# How improbable an agreement must be that is left to chance before a sign is called wrong.
SIGNIFICANT = 1e-3

# Where the games that were visited leave a sign open, so many times their plies are played besides.
MORE_PLIES = 10

Trials = Iterator[str | None]


def movers(probe: Probe, visited: Sequence[Place]) -> Trials:
    """In a game of two both sides come to move."""
    if probe.game.players == 2 and any(place.ply > 0 for place in visited):
        seen = {probe.game.mover(place.position.copy()) for place in visited}
        constant = (
            f"mover is {min(seen)} in all {len(visited)} positions; it must say whose move it is, 0 or 1, because a "
            "value changes its sign where the mover does"
        )
        yield constant if len(seen) == 1 else None


def key_of_side(probe: Probe, place: Place) -> Trials:
    """The same position with the other side to move has another key."""
    if probe.game.players != 2 or place.status != PLAYER or probe.sides_changed >= KEYED_PLACES:
        return
    probe.sides_changed += 1
    game, key = probe.game, probe.game.key(place.position.copy())
    for other in _other_side(probe, place.position):
        same = (
            f"the key is the same as that of {game.format(other.copy())}, where the other side moves; mix the side "
            "to move into key"
        )
        yield same if game.key(other.copy()) == key else None


def _other_side(probe: Probe, position: Position) -> Iterator[Position]:
    """Positions in which the other side moves: after the null move, and after a change of one bit.

    Only texts that the game reads are taken, so that derived words are what they must be.
    """
    game = probe.game
    mover = game.mover(position.copy())
    passed = probe.null_move(position.copy())
    if passed is not None and game.mover(passed.copy()) == 1 - mover:
        yield passed
    texts = 0
    for word, bit in np.ndindex(game.words, 64):
        changed = position.copy()
        changed[word] ^= np.uint64(1 << bit)
        if game.mover(changed.copy()) != 1 - mover:
            continue
        texts += 1
        if texts > KEYED_TEXTS:
            return
        try:
            read = game.parse(game.format(changed))
        except Exception:  # noqa: S112 - a row that nobody may have made, of which nothing is promised
            continue
        if game.mover(read.copy()) == 1 - mover:
            yield read


def sign_of_result(probe: Probe, visited: Sequence[Place]) -> Trials:
    """The side that the starting weights see ahead before the last move wins more often than not.

    Tried for all random games, and for those alone that end with either side to move: a result that is always the
    first side's is right in half of them.
    """
    if probe.game.players != 2:
        return
    agreed: dict[int, list[bool]] = {0: [], 1: []}
    _compare(probe, visited, agreed)
    choose, plies = probe.stream("sign"), 0
    # A rough evaluation agrees with seven results in ten, which a dozen games do not tell from three in ten.
    while plies < MORE_PLIES * len(visited) and not all(map(_clearly_right, agreed.values())):
        game = list(probe.walk(choose))
        _compare(probe, game, agreed)
        plies += len(game)
    for name, games in (
        ("random games", agreed[0] + agreed[1]),
        (f"random games that end with {probe.game.sides[0]} to move", agreed[0]),
        (f"random games that end with {probe.game.sides[1]} to move", agreed[1]),
    ):
        right = sum(games)
        if not games or _chance_of(right, len(games)) >= SIGNIFICANT:
            yield None
            continue
        yield (
            f"in {len(games) - right} of {len(games)} {name} the side that the starting weights see ahead loses; "
            "result is for the side to move in the final position (-win for one who has lost), as the terms are"
        )
        return


def _compare(probe: Probe, visited: Sequence[Place], agreed: dict[int, list[bool]]) -> None:
    """Add whether the results of games agree with what was seen ahead, by the side to move in the end."""
    for before, last in _endings(probe, visited):
        final = probe.game.mover(last.position.copy())
        sign = 1 if final == 0 else -1
        result = sign * probe.game.result(last.position.copy())
        value = probe.value(before.position) * (1 if probe.game.mover(before.position.copy()) == 0 else -1)
        if result and value:
            agreed[final].append((result > 0) == (value > 0))


def _clearly_right(games: Sequence[bool]) -> bool:
    return _chance_of(len(games) - sum(games), len(games)) < SIGNIFICANT


def _endings(probe: Probe, visited: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    """The last choice of each random game, and the finished position after it."""
    before = None
    for place in visited:
        if place.status == OVER and before is not None:
            yield before, place
        if place.status == PLAYER:
            before = place
        elif place.status == OVER:
            before = None


def _chance_of(right: int, games: int) -> float:
    """How probable it is that a fair coin agrees so rarely."""
    return sum(math.comb(games, k) for k in range(right + 1)) / 2.0**games
