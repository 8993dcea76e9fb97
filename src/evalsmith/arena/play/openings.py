"""Openings for events: a book or random plies, distinct, the same for every pairing of one seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from evalsmith.arena.play.balance import Balance, split
from evalsmith.arena.settings import OpeningSettings
from evalsmith.games import Game, Position
from evalsmith.games.opening import Opening
from evalsmith.games.starts import named_starts
from evalsmith.positions.openings.book import read_book, shipped_book
from evalsmith.positions.openings.drawing import random_opening
from evalsmith.run import InputError, derive

RANDOM_PLIES = 8  # where the game ships no book
EXTRA_PLIES = 2  # random ones after the lines of a shipped book, when it has too few
# Draws in a row that give nothing new before we say that there are no more: the last of many is rarely drawn.
_PATIENCE, _PATIENCE_EACH = 200, 50
_TRIES = 20  # openings judged for each one that is wanted, before the most balanced must do

Say = Callable[[str], None]


def silent(text: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class _Drawn:
    """An opening and the position after it."""

    position: Position
    opening: Opening


def resolve_openings(config: OpeningSettings, game: Game) -> OpeningSettings:
    """The settings with everything decided that depends on the game: its book or random plies, balanced or not."""
    book, plies, dealt = config.book, config.random_plies, config.given or game.hook("starts") is not None
    if book is None and plies is None:
        book = None if dealt else shipped_book(game)
        plies = RANDOM_PLIES if book is None else None
    # A book is taken as it is, and a game for one player has no balance.
    balance = config.balance
    if balance is None:
        asked = config.balance_bound is not None
        balance = asked or (book is None and not dealt and game.players == 2 and plies != 0)
    bound = game.balanced if config.balance_bound is None else config.balance_bound
    return replace(config, book=book, random_plies=plies, balance=balance, balance_bound=bound)


def stored_openings(config: OpeningSettings, game: Game) -> dict[str, Any]:
    """What a run folder stores of resolved settings: which openings they are, and nothing that did not decide them."""
    table = config.to_table()
    if not config.balance:
        for name in ("balance", "balance_bound", "balance_nodes"):
            table.pop(name, None)
    if config.book is not None:
        if config.book == shipped_book(game):
            table["book"] = f"shipped {game.name} book"
        table["book_digest"] = _digest(config.book)
    return table


def make_openings(game: Game, count: int, settings: OpeningSettings, seed: int, say: Say = silent) -> list[Opening]:
    """``count`` openings, or fewer where they may be repeated; ``say`` is told where they are not what one expects."""
    config = resolve_openings(settings, game)
    if config.book is not None:
        if config.given:
            raise InputError("a book has its own starts; leave out --level and --seeds, or the book")
        return _from_book(game, count, config, seed, say)
    if config.given or game.hook("starts") is not None:
        return _dealt(game, count, config, seed)
    assert config.random_plies is not None
    if config.random_plies == 0 and config.repeat:
        return [Opening(game.start())]
    balance = _balance(config) if config.balance else None
    found = _random(game, count, config.random_plies, seed, balance, not config.repeat, say)
    return [drawn.opening for drawn in found]


def random_openings(
    game: Game, count: int, plies: int, seed: int, *, all_found: bool = True
) -> list[tuple[Position, list[int]]]:
    """``count`` distinct positions after ``plies`` random plies, and the moves to each; fewer only if that will do."""
    found = _random(game, count, plies, seed, None, all_found, silent)
    return [(drawn.position, list(drawn.opening.moves)) for drawn in found]


def _balance(config: OpeningSettings) -> Balance:
    assert config.balance_bound is not None
    return Balance(config.balance_bound, config.balance_nodes)


# ── Random plies ──


def _random(
    game: Game, count: int, plies: int, seed: int, balance: Balance | None, all_found: bool, say: Say
) -> list[_Drawn]:
    source = random.Random(derive(seed, "openings", plies))

    def draw() -> _Drawn | None:
        reached = random_opening(game, plies, source)
        return None if reached is None else _Drawn(reached[0], Opening(game.start(), tuple(reached[1])))

    found = _choose(game, count, _distinct(game, draw, set()), balance, say)
    if len(found) < count and (all_found or not found):
        advice = "ask for other plies or fewer games, or --repeat" if found else "ask for fewer plies"
        raise InputError(
            f"{game.name} has no {count} distinct openings of {plies} random plies ({len(found)} found); {advice}"
        )
    return found


def _distinct(game: Game, draw: Callable[[], _Drawn | None], seen: set[int]) -> Iterator[_Drawn]:
    """What is drawn, nothing twice; it ends when nothing new comes."""
    failures = found = 0
    while failures <= _PATIENCE + _PATIENCE_EACH * found:
        drawn = draw()
        key = None if drawn is None else game.key(drawn.position)
        if drawn is None or key is None or key in seen:
            failures += 1
            continue
        failures, found = 0, found + 1
        seen.add(key)
        yield drawn


def _choose(game: Game, count: int, offered: Iterator[_Drawn], balance: Balance | None, say: Say) -> list[_Drawn]:
    """The first openings that are balanced; where there are too few, the most balanced of the others too."""
    if balance is None:
        return list(islice(offered, count))
    offered = islice(offered, _PATIENCE + _TRIES * count)
    level, others = split(game, offered, lambda drawn: drawn.position, balance, count)
    chosen = [drawn for drawn, _ in level]
    added = sorted(others, key=lambda one: one[1])[: count - len(chosen)]
    if added:
        say(
            f"only {len(chosen)} of {len(chosen) + len(others)} openings of {game.name} are within ±{balance.bound} "
            f"{game.units}; {len(added)} more are the most balanced of the others, up to ±{added[-1][1]}"
        )
    return chosen + [drawn for drawn, _ in added]


# ── Books ──


def _from_book(game: Game, count: int, config: OpeningSettings, seed: int, say: Say) -> list[Opening]:
    assert config.book is not None
    shipped = config.book == shipped_book(game)
    name = f"the shipped {game.name} book" if shipped else str(config.book)
    found = read_book(game, config.book, config.book_plies)
    if config.order == "random":
        random.Random(derive(seed, "book")).shuffle(found)
    if config.balance:
        level, _ = split(game, iter(found), lambda opening: opening.position(game), _balance(config), count)
        found = [opening for opening, _ in level]
    lacking = count - len(found)
    if not found or (lacking > 0 and not config.repeat and not shipped):
        raise InputError(
            f"{name} has {len(found)} different openings for {game.name}, and {count} are needed; "
            "--repeat uses them again"
        )
    if lacking > 0 and config.repeat:
        say(f"{name} has {len(found)} openings, and {count} are needed: they are repeated")
    elif lacking > 0:
        say(
            f"{name} has {len(found)} openings, and {count} are needed: "
            f"the others are its lines with {EXTRA_PLIES} random plies more"
        )
        found += _longer(game, found, lacking, config, seed, say)
    return found[:count]


def _longer(
    game: Game, book: Sequence[Opening], count: int, config: OpeningSettings, seed: int, say: Say
) -> list[Opening]:
    """Balanced openings that begin as a book does.

    A match without a clock would play the same games again from the same openings, and count them as new ones.
    """
    source = random.Random(derive(seed, "longer"))
    ends = [opening.position(game) for opening in book]

    def draw() -> _Drawn | None:
        number = source.randrange(len(book))
        line, reached = book[number], random_opening(game, EXTRA_PLIES, source, ends[number])
        return None if reached is None else _Drawn(reached[0], replace(line, moves=(*line.moves, *reached[1])))

    found = _choose(game, count, _distinct(game, draw, set(map(game.key, ends))), _balance(config), say)
    if len(found) < count:
        raise InputError(f"there are only {len(book) + len(found)} openings for {game.name}; --repeat uses them again")
    return [drawn.opening for drawn in found]


def _digest(path: Path) -> str | None:
    """What tells one book from another; a folder of games has none."""
    return blake2b(path.read_bytes(), digest_size=8).hexdigest() if path.is_file() else None


# ── Starts that the game deals ──


def _dealt(game: Game, count: int, config: OpeningSettings, seed: int) -> list[Opening]:
    """Starts that the game itself deals, for games that begin differently each time: seeds in order, else at random."""
    known = named_starts(game, config)
    if len(known) < count and not config.repeat:
        where = f" with the seeds {config.seeds}" if config.seeds else ""
        raise InputError(
            f"{game.name} has only {len(known)} different starts{where}, and {count} are needed; ask for fewer games, "
            "name more seeds, or --repeat"
        )
    if config.seeds is not None:
        return [Opening(game.parse(text), text=text) for text in known[:count]]
    source = random.Random(derive(seed, "deal"))
    texts: dict[str, None] = {}
    while len(texts) < min(count, len(known)):
        texts[known[source.getrandbits(31) % len(known)]] = None
    return [Opening(game.parse(text), text=text) for text in texts]
