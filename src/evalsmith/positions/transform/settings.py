"""What the transforms of datasets are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalsmith.positions.selection.selection import QUIET_HELP
from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, seed_setting, setting

_DRAW = "Which positions"
TEXT_HELP = "Also store the position as text (FEN, SFEN, …)."


@dataclass(frozen=True)
class SampleSettings(Settings):
    """A sample: the quiet ones, of those at most ``per_game``, then ``per_stage``, of those a number or a share."""

    positions: int | None = setting(
        None, low=1, group=_DRAW, help="Number of positions, after the limits per game and stage."
    )
    share: float | None = setting(
        None, above=0, high=1, group=_DRAW, help="Share of the positions, instead of a number."
    )
    quiet: bool = setting(False, group=_DRAW, help=QUIET_HELP)
    per_game: int | None = setting(None, low=1, group=_DRAW, help="Maximum number of positions from one game.")
    per_stage: int | None = setting(None, low=1, group=_DRAW, help="Maximum number of positions in one stage.")
    shuffle: bool = setting(False, group=_DRAW, help="Write the positions in random order.")
    seed: int = seed_setting()
    text: bool = setting(False, help=TEXT_HELP)

    def validate(self) -> None:
        """Refuse a number beside a share."""
        if self.share is not None and self.positions is not None:
            raise InputError("give a number of positions or a share, not both")

    def to_json(self) -> dict[str, Any]:
        """The settings as a dataset stores them; one that was made before ``quiet`` existed has no such entry."""
        return {entry.name: value for entry, value in self.items() if value or entry.name != "quiet"}


@dataclass(frozen=True)
class SplitSettings(Settings):
    """A split: which datasets, and what is drawn."""

    into: tuple[str, ...] = setting(
        ("train=0.9", "validation=0.1"),
        metavar="NAME=SHARE",
        help="The name of a new dataset and its share. Give one for each dataset.",
    )
    by: str = setting(
        "game",
        choices=("game", "position"),
        help="What to assign at random; by position, information leaks between datasets.",
    )
    seed: int = seed_setting()
    text: bool = setting(False, help=TEXT_HELP)

    def validate(self) -> None:
        """Refuse shares that are no shares, and names that are no names."""
        if not self.shares or any(not 0 < share <= 1 for share in self.shares.values()):
            raise InputError("shares must be above 0 and at most 1")
        if sum(self.shares.values()) > 1 + 1e-9:
            raise InputError(f"the shares must add up to at most 1, not {sum(self.shares.values()):g}")
        for name in self.shares:
            if not name or "/" in name or name.startswith("."):
                raise InputError(f"{name!r} is not a valid name for a dataset")

    @property
    def shares(self) -> dict[str, float]:
        """The share of each dataset by its name."""
        shares: dict[str, float] = {}
        for text in self.into:
            name, _, share = text.rpartition("=")
            if name in shares:
                raise InputError(f"--into names {name!r} twice")
            try:
                shares[name] = float(share)
            except ValueError:
                raise InputError(f"{text!r} is not a name and a share, such as train=0.9") from None
        return shares


@dataclass(frozen=True)
class MixtureSettings(Settings):
    """A mixture of datasets, written as one."""

    seed: int = seed_setting()
    text: bool = setting(False, help=TEXT_HELP)


@dataclass(frozen=True)
class MergeSettings(Settings):
    """A merge of complete datasets."""

    dedup: bool = setting(False, help="Store each position only once, from the first dataset that has it.")
    text: bool = setting(False, help=TEXT_HELP)
