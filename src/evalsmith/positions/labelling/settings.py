"""What a labelling is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalsmith.positions.selection.selection import QUIET_HELP
from evalsmith.positions.selection.stage_range import stage_range
from evalsmith.positions.store.bounds import MAX_LINES
from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, seed_setting, setting

LABELLERS = ("result", "playout", "search", "solve", "player")
_WHO, _LIMIT, _WHICH = "Source of labels", "Limits of each search, move or solve", "Which positions"
_DEFAULT_NODES = 1000


@dataclass(frozen=True)
class LabelSettings(Settings):
    """How labels are made, by whom, under which limit, and for which positions."""

    by: str = setting(
        choices=LABELLERS,
        group=_WHO,
        help="Where labels come from; 'result' removes scores, so that the game's result is the label again.",
    )
    player: str = setting(
        "self",
        metavar="PLAYER",
        group=_WHO,
        help="The player: self, hand-set, fitted or a weights file; with --by player, uci:COMMAND, …",
    )
    nodes: int | None = setting(None, low=1, group=_LIMIT, help="Nodes per search, or per move of a playout.")
    depth: int | None = setting(None, low=1, group=_LIMIT, help="Search depth in plies.")
    movetime: float | None = setting(None, above=0, group=_LIMIT, help="Seconds per search, move or solve.")
    empties: int | None = setting(None, low=0, group=_WHICH, help="Solve only positions with at most N empty squares.")
    stages: str | None = setting(None, metavar="A-B", group=_WHICH, help="Use only positions in these stages.")
    quiet: bool = setting(False, group=_WHICH, help=QUIET_HELP)
    missing: bool = setting(False, group=_WHICH, help="Label only positions that have no score yet.")
    seed: int = seed_setting()
    multipv: int | None = setting(
        None,
        low=1,
        high=MAX_LINES,
        group=_WHO,
        help="Number of best moves to store with their scores, with --by search or player.",
    )

    def validate(self) -> None:
        """Refuse limits and lines where the labeller has none."""
        if self.by == "solve" and (self.nodes or self.depth):
            raise InputError("a solver has no limit of nodes or depth; --empties and --movetime bound its work")
        if self.multipv is not None and self.by not in ("search", "player"):
            raise InputError(f"labels by {self.by} have no lines; --multipv needs --by search or player")
        stage_range(self.stages)

    @property
    def stage_range(self) -> tuple[int, int] | None:
        """The first and the last stage that is labelled; None for all."""
        return stage_range(self.stages)

    @property
    def limit_nodes(self) -> int | None:
        """The limit of nodes; a default where no limit is given."""
        return self.nodes if self.nodes or self.depth or self.movetime else _DEFAULT_NODES

    def to_json(self) -> dict[str, Any]:
        """The settings as a dataset stores them."""
        stored = self.to_table()
        if not self.quiet:  # so that what was begun before there was this setting can be resumed
            del stored["quiet"]
        if self.stage_range is not None:
            stored["stages"] = list(self.stage_range)
        if "movetime" in stored:
            stored["seconds"] = stored.pop("movetime")
        return stored
