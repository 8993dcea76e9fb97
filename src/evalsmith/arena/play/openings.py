"""Openings for events: random plies or a book, distinct, the same for every pairing of one seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from evalsmith.arena.settings import OpeningSettings
from evalsmith.engine import Limit, Searcher
from evalsmith.games import Game, Position
from evalsmith.games.opening import Opening
from evalsmith.positions.openings.book import read_book
from evalsmith.positions.openings.drawing import random_opening
from evalsmith.run import InputError, derive

# Draws in a row that give nothing new before we say that there are no more: the last of many is rarely drawn.
_PATIENCE, _PATIENCE_EACH = 200, 50
BALANCE_NODES = 2000
"""What the evaluation of an opening may cost; fixed, so that the same seed gives the same openings."""


def make_openings(game: Game, count: int, config: OpeningSettings, seed: int) -> list[Opening]:
    """``count`` openings, or fewer where they may be repeated."""
    if config.book is not None:
        return _from_book(game, count, config, seed)
    deal = game.hook("deal")
    if deal is not None:
        return _dealt(game, deal, count, seed)
    if config.random_plies == 0 and config.repeat:
        return [Opening(game.start())]
    found = random_openings(game, count, config.random_plies, seed, balance=config.balance, all_found=not config.repeat)
    return [Opening(game.start(), tuple(moves)) for _, moves in found]


def random_openings(
    game: Game, count: int, plies: int, seed: int, *, balance: int | None = None, all_found: bool = True
) -> list[tuple[Position, list[int]]]:
    """``count`` distinct positions after ``plies`` random plies, and the moves to each; fewer only if that will do."""
    source = random.Random(derive(seed, "openings", plies))
    scale = None if balance is None else _Scale(game, balance)
    seen: set[int] = set()
    found: list[tuple[Position, list[int]]] = []
    failures = 0
    while len(found) < count:
        opening = random_opening(game, plies, source)
        key = None if opening is None else game.key(opening[0])
        new = opening is not None and key is not None and key not in seen
        if opening is None or key is None or not new or (scale is not None and not scale.level(opening[0])):
            failures += 1
            if key is not None:
                seen.add(key)
            if failures > _PATIENCE + _PATIENCE_EACH * len(found):
                if found and not all_found:
                    return found
                kind = "" if balance is None else f" within ±{balance} {game.units}"
                advice = "ask for other plies or fewer games, or --repeat" if found else "ask for fewer plies"
                if not found and balance is not None:
                    advice = "ask for other plies or a wider balance"
                raise InputError(
                    f"{game.name} has no {count} distinct openings of {plies} random plies{kind} ({len(found)} found); "
                    f"{advice}"
                )
            continue
        failures = 0
        seen.add(key)
        found.append(opening)
    return found


def _from_book(game: Game, count: int, config: OpeningSettings, seed: int) -> list[Opening]:
    assert config.book is not None
    found = read_book(game, config.book, config.book_plies)
    if config.order == "random":
        random.Random(derive(seed, "book")).shuffle(found)
    if config.balance is not None:
        scale = _Scale(game, config.balance)
        level: list[Opening] = []
        for opening in found:
            if len(level) < count and scale.level(opening.position(game)):
                level.append(opening)
        found = level
    if not found or (len(found) < count and not config.repeat):
        raise InputError(
            f"{config.book} has {len(found)} different openings for {game.name}, and {count} are needed; "
            "--repeat uses them again"
        )
    return found[:count]


def _dealt(game: Game, deal: Callable[[int], str], count: int, seed: int) -> list[Opening]:
    """Starts that the game itself deals, for games that begin differently each time."""
    source = random.Random(derive(seed, "deal"))
    texts: dict[str, None] = {}
    while len(texts) < count:
        drawn = len(texts)
        for _ in range(_PATIENCE):
            texts[deal(source.getrandbits(31))] = None
            if len(texts) > drawn:
                break
        else:
            raise InputError(f"{game.name} has only {drawn} different starts, not {count}; ask for fewer games")
    return [Opening(game.parse(text), text=text) for text in texts]


class _Scale:
    """Says whether our search finds a position about level."""

    def __init__(self, game: Game, balance: int) -> None:
        self.balance, self.searcher = balance, Searcher(game, table_bytes=1 << 20)

    def level(self, position: Position) -> bool:
        self.searcher.new_game()
        thought = self.searcher.think(position, Limit(nodes=BALANCE_NODES))
        return bool(thought.lines) and abs(thought.lines[0].score) <= self.balance
