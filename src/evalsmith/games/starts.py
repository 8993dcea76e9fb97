"""Starts that a user names by level and seed, for games that have such: through the game's hook ``starts``.

A game with the hook ``starts`` has many starts of equal standing. The hook takes levels and seeds as a user writes them
and gives the texts of the starts, those of all seeds where none are named; ``standard_seed`` is the seed of the game's
own start. ``solo`` says in which words the boards of such a game are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalsmith.games.game import Game, Position
from evalsmith.run.errors import InputError
from evalsmith.run.start_settings import StartSettings


@dataclass(frozen=True)
class SoloWords:
    """What boards of a game for one are counted in, and the group that a start belongs to (``level 10``).

    Where the game has a time of its own, ``time`` is its unit and ``spent`` says how much of it a move takes.
    """

    left: str
    moves: str
    group: Callable[[str | None], str]
    time: str = ""
    spent: Callable[[Position, int], int] | None = None


_PLAIN = SoloWords(left="things", moves="moves", group=lambda start: "all")


def words_of(game: Game) -> SoloWords:
    """The words in which a game for one counts."""
    found: SoloWords | None = game.hook("solo")
    return found or _PLAIN


def named_starts(game: Game, settings: StartSettings) -> Sequence[str]:
    """The texts of all starts that the settings name; a game without levels and seeds is refused."""
    starts = game.hook("starts")
    if starts is None:
        option = "level" if settings.level is not None else "seeds"
        raise InputError(f"{game.title} has neither levels nor seeds, so --{option} cannot choose its start")
    return starts(settings.level, settings.seeds)


def one_start(game: Game, settings: StartSettings) -> str:
    """The text of the one start that the settings name; without a seed, that of the standard one."""
    named = settings
    if settings.seeds is None and (seed := game.hook("standard_seed")) is not None:
        named = StartSettings(level=settings.level, seeds=seed)
    texts = named_starts(game, named)
    if len(texts) != 1:
        raise InputError(f"{len(texts)} starts are named, and one is needed here; give one level and one seed")
    return texts[0]
