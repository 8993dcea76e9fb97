"""Which games and positions a dataset takes: a typed choice, as flags or as the table ``[select]`` of a TOML file."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from evalsmith.run import DEFAULT_SEED, InputError
from evalsmith.run.toml import read_toml

LINE = "line"
MOVES_PLANNED = 40  # a time control is weighed by the seconds it gives a side for so many moves

_CONTROL = re.compile(r"(?:(\d+)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


@dataclass(frozen=True)
class Selection:
    """What is taken; None does not choose.

    Of games: ``min_rating`` and ``max_rating`` hold for both sides, ``min_plies`` and ``max_plies`` for the length,
    ``min_seconds`` and ``max_seconds`` for the time a side has for 40 moves, ``unknown_results`` takes games without
    one.

    Of positions: ``skip_first`` and ``skip_last`` leave plies out, ``no_check`` those in check. ``quiet`` is a number
    of plies without a noisy move (one whose ``capture_value`` is above 0) right before the position, which then may not
    be in check either; or "line": the position at the end of the quiescence line stands for it. ``per_game`` and
    ``per_stage`` are how many are taken of a game and, in the end, of a stage; ``dedup`` takes a position only once in
    the whole dataset, and ``symmetry`` takes of those that are images of each other always the same one.
    """

    min_rating: int | None = None
    max_rating: int | None = None
    min_plies: int | None = None
    max_plies: int | None = None
    min_seconds: float | None = None
    max_seconds: float | None = None
    unknown_results: bool = False
    skip_first: int = 0
    skip_last: int = 0
    no_check: bool = False
    quiet: int | str | None = None
    per_game: int | None = None
    per_stage: int | None = None
    dedup: bool = False
    symmetry: bool = False
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        for name in ("min_seconds", "max_seconds"):
            if not math.isfinite(getattr(self, name) or 0):
                raise InputError(f"{name} must be a finite number, not {getattr(self, name)}")
        for low, high in (("min_rating", "max_rating"), ("min_plies", "max_plies"), ("min_seconds", "max_seconds")):
            least, most = getattr(self, low), getattr(self, high)
            if least is not None and most is not None and least > most:
                raise InputError(f"{low} is {least}, above {high}, which is {most}: nothing could be taken")
        for name in ("skip_first", "skip_last", "min_plies", "max_plies", "min_seconds", "max_seconds"):
            if (getattr(self, name) or 0) < 0:
                raise InputError(f"{name} must not be negative, but it is {getattr(self, name)}")
        for name in ("per_game", "per_stage"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise InputError(f"{name} must be above 0, not {getattr(self, name)}")
        if isinstance(self.quiet, str) and self.quiet != LINE:
            raise InputError(f'quiet is a number of plies, or "line", not {self.quiet!r}')
        if isinstance(self.quiet, int) and self.quiet < 0:
            raise InputError(f"quiet must not be negative, but it is {self.quiet}")

    @property
    def line(self) -> bool:
        """Whether the end of the quiescence line stands for a position."""
        return self.quiet == LINE

    @property
    def calm(self) -> int | None:
        """How many quiet plies must come before a position."""
        return self.quiet if isinstance(self.quiet, int) else None

    def to_json(self) -> dict[str, Any]:
        """What was chosen, and only that."""
        usual = Selection()
        told = {key: value for key, value in asdict(self).items() if value != getattr(usual, key)}
        # Nothing is drawn without these two, so that the seed does not matter.
        return told if self.per_game or self.per_stage else {k: v for k, v in told.items() if k != "seed"}


def parse_quiet(text: str | None) -> int | str | None:
    """The option ``--quiet``: a number of plies, or ``line``."""
    return int(text) if text is not None and text.isascii() and text.isdigit() else text


def read_selection(path: Path) -> Selection:
    """The selection in the table ``[select]`` of a TOML file; what it does not know is refused."""
    document = read_toml(path)
    table = document.get("select")
    if not isinstance(table, dict):
        raise InputError(f"{path} has no table [select]")
    kinds = {each.name: str(each.type) for each in fields(Selection)}
    for key, value in table.items():
        if key not in kinds:
            raise InputError(f"{path}: [select] does not know {key!r}; it knows {', '.join(kinds)}")
        if not _fits(value, kinds[key]):
            raise InputError(f"{path}: {key} in [select] should be {kinds[key].split(' | ')[0]}, not {value!r}")
    return Selection(**table)


def _fits(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "bool"
    return (
        (isinstance(value, int) and ("int" in kind or "float" in kind))
        or (isinstance(value, float) and "float" in kind)
        or (isinstance(value, str) and "str" in kind)
    )


def seconds_planned(control: str) -> float | None:
    """The seconds that a time control gives a side for 40 moves; None where the text does not tell.

    ``300+3`` is a budget with increment, ``40/7200:3600`` so many moves in so many seconds and then the rest.
    """
    total, moves = 0.0, 0
    for period in control.replace(" ", "").split(":"):
        match = _CONTROL.fullmatch(period)
        if match is None:
            return None
        count = min(MOVES_PLANNED - moves, int(match[1])) if match[1] else MOVES_PLANNED - moves
        share = count / int(match[1]) if match[1] and int(match[1]) else 1.0
        total += float(match[2]) * share + float(match[3] or 0) * count
        moves += count
        if moves >= MOVES_PLANNED:
            break
    return total
