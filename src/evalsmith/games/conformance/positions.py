"""The laws of positions: their texts and keys, the rows that kernels write, and symmetries.

As everywhere in the kit, a law yields once for every trial: None when it holds, otherwise what is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from evalsmith.games.conformance.probe import GARBAGE, GUARD, Place, Probe
from evalsmith.games.contract import call_moves, call_noisy
from evalsmith.games.game import CHANCE, OVER, PLAYER, Game, Position

Trials = Iterator[str | None]


def position_text(probe: Probe, place: Place) -> Trials:
    """A position is read back from its text word for word, derived words too."""
    read = probe.game.parse(probe.game.format(place.position.copy()))
    same = np.array_equal(read, place.position) and read.dtype == np.uint64
    yield None if same else _difference(place.position, read)


def key_of_text(probe: Probe, place: Place) -> Trials:
    """The key after play is the key of the same position read from its text."""
    key = probe.game.key(place.position.copy())
    yield None if key == probe.game.key(place.position.copy()) else "key gives two answers for one position"
    read = probe.game.key(probe.game.parse(probe.game.format(place.position.copy())))
    yield None if key == read else f"the key is {key:#018x}, and {read:#018x} when read from text"


def keys_apart(probe: Probe, place: Place) -> Trials:
    """Two positions that differ have different keys; the counters that the game declares may differ alone."""
    game = probe.game
    known = probe.keys_seen.setdefault(game.key(place.position.copy()), place)
    if np.array_equal(known.position, place.position):
        yield None
        return
    here, there = (_uncounted(game, other.position) for other in (place, known))
    same_mover = game.mover(place.position.copy()) == game.mover(known.position.copy())
    if np.array_equal(here, there) and same_mover and sorted(place.moves) == sorted(known.moves):
        yield None
        return
    yield (
        f"the key is the same as that of {game.format(known.position.copy())}; mix all that tells positions apart "
        "into key, or declare bits that only count as `counters` of the game"
    )


def aliasing(probe: Probe, place: Place) -> Trials:
    """``play`` and ``reveal`` leave their source alone, write all of the next row, and nothing behind it."""
    chance = place.status == CHANCE
    if place.status == PLAYER:
        choices, name = place.moves, "play"
    else:
        choices, name = list(range(len(probe.chance(place.position)) if chance else 0)), "reveal"
    words = probe.game.words
    source = place.position.copy()
    for choice in choices:
        fresh = probe.reveal(place.position, choice) if chance else probe.play(place.position, choice)
        child = np.full(words + GUARD, GARBAGE, dtype=np.uint64)
        probe.follow(source, choice, child, chance=chance)
        if not np.array_equal(source, place.position):
            yield f"{name}({choice}) changes the position it is given"
            source = place.position.copy()
        elif not np.array_equal(child[:words], fresh):
            yield f"{name}({choice}) onto a used row: {_difference(fresh, child[:words])}"
        else:
            yield f"{name}({choice}) writes behind the row" if np.any(child[words:] != GARBAGE) else None


def null_move(probe: Probe, place: Place) -> Trials:
    """Where the null move is allowed, it gives the move to the other side in a position that can be written."""
    if place.status != PLAYER:
        return
    source = place.position.copy()
    child, again = probe.null_move(source), probe.null_move(source, onto=GARBAGE)
    yield None if np.array_equal(source, place.position) else "null_move changes the position it is given"
    if child is not None and again is not None:
        yield None if np.array_equal(child, again) else f"null_move onto a used row: {_difference(child, again)}"
        mover = probe.game.mover(child.copy())
        same = probe.game.players > 1 and mover == probe.game.mover(place.position.copy())
        yield "null_move leaves the move with the same side" if same else None
        read = probe.game.parse(probe.game.format(child.copy()))
        yield None if np.array_equal(read, child) else f"after null_move, {_difference(child, read)}"


def reading(probe: Probe, place: Place) -> Trials:
    """Questions do not change the position."""
    game, row = probe.game, place.position.copy()
    questions: dict[str, Callable[[Position], Any]] = {
        "status": game.status,
        "mover": game.mover,
        "result": game.result,
        "key": game.key,
        "check": game.check,
        "moves": partial(probe.listed, call_moves),
        "noisy": partial(probe.listed, call_noisy),
    }
    for name, question in questions.items():
        question(row)
        yield None if np.array_equal(row, place.position) else f"{name} changes the position it is given"
        row[:] = place.position


# ── Symmetries ──────────────────────────────────────────────────────────────────────────────────


def symmetry_of_play(probe: Probe, place: Place) -> Trials:
    """A move of the turned position leads where the turned move leads; counters may differ.

    Chess counts its moves after Black's, so the count does not survive an exchange of colours.
    """
    for symmetry in probe.symmetries:
        turned = symmetry.position(place.position.copy())
        if place.status == CHANCE:
            here = Counter(
                (symmetry.position(probe.reveal(place.position, outcome)).tobytes(), p)
                for outcome, p in enumerate(probe.chance(place.position))
            )
            there = Counter(
                (probe.reveal(turned, outcome).tobytes(), p) for outcome, p in enumerate(probe.chance(turned))
            )
            yield None if here == there else f"{symmetry.name}: chance gives other outcomes"
            continue
        moved = {move: symmetry.move(place.position.copy(), move) for move in place.moves}
        legal = probe.moves(turned)
        if sorted(moved.values()) != sorted(legal):
            yield f"{symmetry.name}: the moves become {sorted(moved.values())}, but legal are {sorted(legal)}"
            continue
        for move, image in moved.items():
            here_after = symmetry.position(probe.play(place.position, move))
            there_after = probe.play(turned, image)
            same = np.array_equal(here_after, there_after) or _but_for_counters(probe.game, here_after, there_after)
            yield None if same else f"{symmetry.name}, move {move}: {_difference(here_after, there_after)}"


def symmetry_of_result(probe: Probe, place: Place) -> Trials:
    """A turned position is over when the position is, with the same result."""
    game = probe.game
    for symmetry in probe.symmetries:
        turned = symmetry.position(place.position.copy())
        status = game.status(turned.copy())
        if status != place.status:
            yield f"{symmetry.name}: the status becomes {status}, it was {place.status}"
        elif status == OVER:
            after, before = game.result(turned.copy()), game.result(place.position.copy())
            yield None if after == before else f"{symmetry.name}: the result becomes {after}, it was {before}"
        else:
            yield None


def _difference(expected: Position, got: Position) -> str:
    """Which words of two rows differ."""
    if expected.shape != got.shape:
        return f"{len(got)} words instead of {len(expected)}"
    words = [
        f"word {i} is {int(b):#x}, not {int(a):#x}"
        for i, (a, b) in enumerate(zip(expected, got, strict=True))
        if a != b
    ]
    return ", ".join(words) or f"the row is {got.dtype}, not uint64"


def _but_for_counters(game: Game, one: Position, other: Position) -> bool:
    """Whether two positions differ only in counters that the game declares, which the key leaves out."""
    same = np.array_equal(_uncounted(game, one), _uncounted(game, other))
    return same and game.key(one.copy()) == game.key(other.copy())


def _uncounted(game: Game, position: Position) -> Position:
    """The position with its counters at 0."""
    plain = position.copy()
    for word, mask in game.counters.items():
        plain[word] &= ~np.uint64(mask)
    return plain


ON_VISITED = (keys_apart,)
ON_SAMPLE = (position_text, key_of_text, aliasing, null_move, reading, symmetry_of_play, symmetry_of_result)
