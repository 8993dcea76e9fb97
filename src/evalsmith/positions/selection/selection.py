"""Which games and positions a dataset takes: settings, given as options or as the table ``[select]`` of a TOML file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, seed_setting, setting
from evalsmith.run.toml import read_toml

LINE, POSITION = "line", "position"
MOVES_PLANNED = 40  # time controls are compared by the seconds they give a side for this number of moves
GAMES, POSITIONS = "Which games", "Which positions"
QUIET_HELP = "Use only quiet positions: not in check, and no noisy move improves on the evaluation."

_CONTROL = re.compile(r"(?:(\d+)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")
_RANGES = (("min_rating", "max_rating"), ("min_plies", "max_plies"), ("min_seconds", "max_seconds"))


@dataclass(frozen=True)
class Selection(Settings):
    """What is taken; None does not choose."""

    min_rating: int | None = setting(None, group=GAMES, help="Minimum rating of both players.")
    max_rating: int | None = setting(None, group=GAMES, help="Maximum rating of both players.")
    min_plies: int | None = setting(None, low=0, group=GAMES, help="Minimum length of a game in plies.")
    max_plies: int | None = setting(None, low=0, group=GAMES, help="Maximum length of a game in plies.")
    min_seconds: float | None = setting(None, low=0, group=GAMES, help="Minimum seconds per side for 40 moves.")
    max_seconds: float | None = setting(None, low=0, group=GAMES, help="Maximum seconds per side for 40 moves.")
    unknown_results: bool = setting(False, group=GAMES, help="Also import games without a result.")
    skip_first: int = setting(0, low=0, group=POSITIONS, help="Number of plies to skip at the start of each game.")
    skip_last: int = setting(0, low=0, group=POSITIONS, help="Number of plies to skip at the end of each game.")
    no_check: bool = setting(False, group=POSITIONS, help="Skip positions in check.")
    quiet: int | str | None = setting(
        None,
        low=0,
        words=(POSITION, LINE),
        flags=("--quiet", "--quiet-threshold"),
        group=POSITIONS,
        help="'position': import a position only where its side to move is not in check and no noisy move improves on "
        "the evaluation; 'line': import the end of its quiescence line instead; N: import it only after N plies "
        "without a capture or other noisy move, and not in check.",
    )
    per_game: int | None = setting(None, low=1, group=POSITIONS, help="Maximum number of positions from one game.")
    per_stage: int | None = setting(None, low=1, group=POSITIONS, help="Maximum number of positions in one stage.")
    dedup: bool = setting(False, group=POSITIONS, help="Store each position only once.")
    symmetry: bool = setting(
        False, group=POSITIONS, help="Replace each position by one representative of its symmetric images."
    )
    seed: int = seed_setting(POSITIONS)

    def validate(self) -> None:
        """Refuse ranges that nothing lies in."""
        for low, high in _RANGES:
            minimum, maximum = getattr(self, low), getattr(self, high)
            if minimum is not None and maximum is not None and minimum > maximum:
                raise InputError(f"{low} is {minimum}, above {high}, which is {maximum}: nothing could pass")

    @property
    def line(self) -> bool:
        """Whether the end of the quiescence line stands for a position."""
        return self.quiet == LINE

    @property
    def quiet_position(self) -> bool:
        """Whether a position must be quiet itself: its quiescence line ends where it begins."""
        return self.quiet == POSITION

    @property
    def quiet_plies(self) -> int | None:
        """The number of quiet plies that must come before a position."""
        return self.quiet if isinstance(self.quiet, int) else None

    def to_json(self) -> dict[str, Any]:
        """The settings that differ from their defaults, as a dataset stores them."""
        # Nothing is drawn without these two, so that the seed does not matter.
        drawn = self.per_game or self.per_stage
        return {name: value for name, value in self.changed().items() if drawn or name != "seed"}


def read_selection(path: Path) -> Selection:
    """The selection in the table ``[select]`` of a TOML file."""
    table = read_toml(path).get("select")
    if not isinstance(table, dict):
        raise InputError(f"{path} has no table [select]")
    return Selection.from_table(table, f"{path} [select]")


def seconds_planned(control: str) -> float | None:
    """The seconds that a time control gives a side for 40 moves; None where the text does not tell.

    ``300+3`` is a budget with increment, ``40/7200:3600`` a number of moves in a number of seconds, then the rest.
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
