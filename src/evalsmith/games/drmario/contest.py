"""Boards for competitions: bottles and their pills by levels and seeds, and how much of a bottle is left."""

from __future__ import annotations

import re
from collections.abc import Callable

from evalsmith.games.drmario import GAME, dealing
from evalsmith.games.drmario.bottle import VIRUS
from evalsmith.games.drmario.frames import frames
from evalsmith.games.drmario.notation import START_LEVEL
from evalsmith.games.game import Position
from evalsmith.games.starts import SoloWords
from evalsmith.run.errors import InputError, PositionError

STANDARD_SEED = f"{dealing.POWER_ON_SEED:04x}"

_SEED = re.compile(r"[0-9a-fA-F]{1,4}")
_LEVEL = re.compile(r"[0-9]{1,2}")
_WRITTEN_LEVEL = re.compile(r"(?:^|\s)level:([0-9]{1,2})(?:\s|$)")


def starts(level: str | None, seeds: str | None) -> list[str]:
    """The texts of starts: each seed on each level. Without seeds all are taken, without levels the standard one.

    Seeds are hexadecimal. Their lowest bit is lost before the first draw, so of an even one and the odd one after it,
    which have the same board, only the first counts.
    """
    levels = [START_LEVEL] if level is None else _numbers("level", level, _LEVEL, 10, dealing.check_level)
    if seeds is None:
        chosen = list(range(2, 0x10000, 2))
    else:
        named = _numbers("seed", seeds, _SEED, 16, dealing.check_seed)
        chosen = list({seed >> 1: seed for seed in reversed(named)}.values())[::-1]
    return [f"seed:{seed:04x} level:{each}" for seed in chosen for each in levels]


def _numbers(name: str, text: str, pattern: re.Pattern[str], base: int, check: Callable[[int], int]) -> list[int]:
    """Numbers and ranges, with commas between them: ``5,10-12``."""
    kind = "hexadecimal numbers of up to four digits" if base == 16 else "numbers"
    found: dict[int, None] = {}
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(pattern.fullmatch(end) for end in ends):
            raise InputError(
                f"{name}s are {kind} or ranges such as {'1000-1099' if base == 16 else '5-10'}, not {part!r}"
            )
        try:
            first, last = (check(int(end, base)) for end in (ends[0], ends[-1]))
        except PositionError as error:
            raise InputError(str(error)) from None
        if first > last:
            raise InputError(f"the range of {name}s {part.strip()} ends before it begins")
        found |= dict.fromkeys(range(first, last + 1))
    return list(found)


def group(start: str | None) -> str:
    """The level of a start, or how many viruses it has where its text names no level."""
    level = _WRITTEN_LEVEL.search(start or f"level:{START_LEVEL}")
    return f"level {int(level[1])}" if level else f"{remaining(GAME.parse(start or ''))} viruses"


def remaining(position: Position) -> int:
    """How many viruses are left."""
    return int(position[VIRUS]).bit_count() + int(position[VIRUS + 1]).bit_count()


SOLO = SoloWords(left="viruses", moves="pills", group=group, time="frames", spent=frames)
