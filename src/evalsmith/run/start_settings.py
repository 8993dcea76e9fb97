"""The level and the seeds that games begin with: declared once, for every command that chooses a start.

Games say through their hook ``starts`` what levels and seeds mean (`evalsmith.games.starts`). The settings stand here,
below the games, because the help of the command line needs them and must not wait for numpy.
"""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.run.settings import Settings, setting

_GROUP = "Start"


@dataclass(frozen=True, kw_only=True)
class StartSettings(Settings):
    """The level and the seeds that games begin with. All None: what the game or its openings say."""

    level: str | None = setting(
        None, group=_GROUP, metavar="LEVELS", help="Level of the start, or several: 10 or 5,10,15-20. For Dr. Mario."
    )
    seeds: str | None = setting(
        None,
        group=_GROUP,
        metavar="SEEDS",
        help="Seeds of the starts, hexadecimal: 8988 or 1000-1099,2000. For Dr. Mario.",
    )

    @property
    def given(self) -> bool:
        """Whether a start is named."""
        return self.level is not None or self.seeds is not None
