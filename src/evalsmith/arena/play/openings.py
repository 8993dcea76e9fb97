"""Openings for events: a book or random plies, distinct, the same for every pairing of one seed."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from evalsmith.arena.play.balance import Balance, judged
from evalsmith.arena.play.opening_list import DealtOpenings, Keys, OpeningList, Spare
from evalsmith.arena.settings import OpeningSettings
from evalsmith.games import Game, Position
from evalsmith.games.opening import Opening
from evalsmith.games.starts import named_starts
from evalsmith.positions.openings.book import read_book, shipped_book
from evalsmith.positions.openings.drawing import random_opening
from evalsmith.run import InputError, derive

EXTRA_PLIES = 2  # random ones after the lines of a shipped book, or the game's own random plies, when they are too few
# Draws in a row that give nothing new before we say that there are no more: the last of many is rarely drawn.
_PATIENCE, _PATIENCE_EACH = 200, 50
_TRIES = 20  # openings judged for each one that is wanted, before the most balanced must do

Say = Callable[[str], None]


def silent(text: str) -> None:
    """Say nothing."""


class _Drawn(NamedTuple):
    """The number of a line, the moves after it, and the position that they lead to."""

    line: int
    moves: Sequence[int]
    position: Position


def resolve_openings(config: OpeningSettings, game: Game) -> OpeningSettings:
    """The settings with everything decided that depends on the game: its book or random plies, balanced or not."""
    book, plies, dealt = config.book, config.random_plies, config.given or game.hook("starts") is not None
    if book is None and plies is None:
        book = None if dealt else shipped_book(game)
        plies = game.random_plies if book is None else None
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


def make_openings(game: Game, count: int, settings: OpeningSettings, seed: int, say: Say = silent) -> Sequence[Opening]:
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
    own = config.random_plies == game.random_plies
    found = _random(game, count, config.random_plies, seed, balance, not (config.repeat or own), say)
    lacking = count - len(found)
    if lacking <= 0 or config.repeat:
        return found
    say(
        f"{game.name} has {len(found)} openings of {config.random_plies} random plies, and {count} are needed: "
        f"the others have {EXTRA_PLIES} more"
    )
    return _longer(game, found, lacking, balance, seed, say)


def random_openings(
    game: Game, count: int, plies: int, seed: int, *, all_found: bool = True
) -> list[tuple[Position, list[int]]]:
    """``count`` distinct positions after ``plies`` random plies, and the moves to each; fewer only if that will do."""
    found = _random(game, count, plies, seed, None, all_found, silent)
    return [(opening.position(game), list(opening.moves)) for opening in found]


def _balance(config: OpeningSettings) -> Balance:
    assert config.balance_bound is not None
    return Balance(config.balance_bound, config.balance_nodes)


# ── Random plies ──


def _random(
    game: Game, count: int, plies: int, seed: int, balance: Balance | None, all_found: bool, say: Say
) -> OpeningList:
    source = random.Random(derive(seed, "openings", plies))

    def draw() -> _Drawn | None:
        reached = random_opening(game, plies, source)
        return None if reached is None else _Drawn(0, reached[1], reached[0])

    lines = [Opening(game.start())]
    found = OpeningList(lines)
    _choose(game, lines, found, count, _distinct(game, draw, Keys()), balance, say)
    if len(found) < count and (all_found or not found):
        advice = "ask for other plies or fewer games, or --repeat" if found else "ask for fewer plies"
        raise InputError(
            f"{game.name} has no {count} distinct openings of {plies} random plies ({len(found)} found); {advice}"
        )
    return found


def _distinct(game: Game, draw: Callable[[], _Drawn | None], seen: Keys) -> Iterator[_Drawn]:
    """What is drawn, nothing twice; it ends when nothing new comes."""
    failures = found = 0
    while failures <= _PATIENCE + _PATIENCE_EACH * found:
        drawn = draw()
        if drawn is None or not seen.add(game.key(drawn.position)):
            failures += 1
            continue
        failures, found = 0, found + 1
        yield drawn


def _choose(
    game: Game,
    lines: Sequence[Opening],
    found: OpeningList,
    count: int,
    offered: Iterator[_Drawn],
    balance: Balance | None,
    say: Say,
) -> None:
    """Add the first openings that are balanced; where there are too few, the most balanced of the others too."""
    if balance is None:
        for drawn in islice(offered, count):
            found.append(drawn.line, drawn.moves)
        return
    offered = islice(offered, _PATIENCE + _TRIES * count)
    others, level = Spare(lines), 0
    for drawn, score in judged(game, offered, lambda drawn: drawn.position, balance, count):
        if score <= balance.bound:
            found.append(drawn.line, drawn.moves)
            level += 1
        else:
            others.add(drawn.line, drawn.moves, score, count - level)
    added = min(count - level, others.seen)
    if added:
        largest = others.move_to(found, added)
        say(
            f"only {level} of {level + others.seen} openings of {game.name} are within ±{balance.bound} "
            f"{game.units}; {added} more are the most balanced of the others, up to ±{largest}"
        )


# ── Books ──


def _from_book(game: Game, count: int, config: OpeningSettings, seed: int, say: Say) -> Sequence[Opening]:
    assert config.book is not None
    shipped = config.book == shipped_book(game)
    name = f"the shipped {game.name} book" if shipped else str(config.book)
    found = read_book(game, config.book, config.book_plies, say)
    if config.order == "random":
        random.Random(derive(seed, "book")).shuffle(found)
    if config.balance:
        balance = _balance(config)
        scored = judged(game, iter(found), lambda opening: opening.position(game), balance, count)
        found = [opening for opening, score in scored if score <= balance.bound]
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
        return _longer(game, found, lacking, _balance(config), seed, say)
    return found[:count]


def _longer(
    game: Game, book: Sequence[Opening], count: int, balance: Balance | None, seed: int, say: Say
) -> OpeningList:
    """The lines of a book, or random ones, and ``count`` openings that begin as they do.

    A match without a clock would play the same games again from the same openings, and count them as new ones.
    """
    source = random.Random(derive(seed, "longer"))
    ends = [opening.position(game) for opening in book]

    def draw() -> _Drawn | None:
        number = source.randrange(len(book))
        reached = random_opening(game, EXTRA_PLIES, source, ends[number])
        return None if reached is None else _Drawn(number, reached[1], reached[0])

    found = OpeningList(book)
    for number in range(len(book)):
        found.append(number)
    _choose(game, book, found, count, _distinct(game, draw, Keys([*map(game.key, ends)])), balance, say)
    if len(found) < len(book) + count:
        raise InputError(f"there are only {len(found)} openings for {game.name}; --repeat uses them again")
    return found


def _digest(path: Path) -> str | None:
    """What tells one book from another; a folder of games has none."""
    return blake2b(path.read_bytes(), digest_size=8).hexdigest() if path.is_file() else None


# ── Starts that the game deals ──


def _dealt(game: Game, count: int, config: OpeningSettings, seed: int) -> DealtOpenings:
    """Starts that the game itself deals, for games that begin differently each time: seeds in order, else at random."""
    known = named_starts(game, config)
    if len(known) < count and not config.repeat:
        where = f" with the seeds {config.seeds}" if config.seeds else ""
        raise InputError(
            f"{game.name} has only {len(known)} different starts{where}, and {count} are needed; ask for fewer games, "
            "name more seeds, or --repeat"
        )
    if config.seeds is not None:
        return DealtOpenings(game, known, range(min(count, len(known))))
    source = random.Random(derive(seed, "deal"))
    numbers, taken = array("q"), bytearray(len(known))
    while len(numbers) < min(count, len(known)):
        number = source.getrandbits(31) % len(known)
        if not taken[number]:
            taken[number] = 1
            numbers.append(number)
    return DealtOpenings(game, known, numbers)
