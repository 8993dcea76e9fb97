"""What the verbs of suites are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.positions.selection.selection import Selection
from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, nested, seed_setting, setting

_WHO, _LIMIT, _SAMPLE, _TAGS, _FILES = "Player", "Limits of each search", "Sampling", "Tags and loss", "Files"
DEFAULT_DEPTH = 12
DEFAULT_NODES = 10_000
LOSS_SCALE = 275.0
ALWAYS = ("dedup", "unknown_results")
"""Settings of a selection that a suite fixes: each position once, and results do not matter."""


@dataclass(frozen=True)
class BuildSettings(Settings):
    """Which positions a suite takes, and who scores their moves."""

    player: str = setting(
        "self",
        metavar="PLAYER",
        group=_WHO,
        help="Who scores every legal move: self, a weights file, uci:COMMAND, usi:COMMAND or nboard:COMMAND.",
    )
    exact: bool = setting(False, group=_WHO, help="Solve every move exactly, in games that have a solver (Othello).")
    empties: int = setting(
        16, low=1, group=_WHO, help="With --exact: take only positions with at most N empty squares."
    )
    nodes: int | None = setting(None, low=1, group=_LIMIT, help="Nodes per position.")
    depth: int | None = setting(None, low=1, high=100, group=_LIMIT, help="Depth in plies. Default: 12.")
    movetime: float | None = setting(
        None, above=0, metavar="SECONDS", group=_LIMIT, help="Seconds per position; results vary between runs."
    )
    watchdog: float = setting(
        600.0,
        above=0,
        metavar="SECONDS",
        group=_LIMIT,
        help="Give a position up, and start the program again, when it has taken this time.",
    )
    positions: int | None = setting(
        None, low=1, group=_SAMPLE, help="Number of positions, drawn evenly by phase and balance. Default: all."
    )
    phases: int = setting(4, low=1, high=64, group=_SAMPLE, help="Number of phases of the game that are drawn evenly.")
    balance: tuple[int, ...] = setting(
        (100, 300),
        group=_SAMPLE,
        help="Scores that divide balanced positions from unbalanced ones; positions are drawn evenly from each part.",
    )
    tactic: int = setting(
        300, low=0, group=_TAGS, help="tactic: the best move is more than this above the fourth, or the last."
    )
    losing: int = setting(500, low=0, group=_TAGS, help="losing: the best score is minus this or worse.")
    few: int = setting(5, low=0, group=_TAGS, help="few: at most N legal moves.")
    scale: float = setting(
        LOSS_SCALE, above=0, group=_TAGS, help="Scale of the loss: chance to win = 1/(1 + exp(-score/scale))."
    )
    game: str | None = setting(None, metavar="GAME", group=_FILES, help="The game. Default: recognised from the files.")
    format: str | None = setting(
        None, metavar="FORMAT", group=_FILES, help="The format of the files. Default: recognised from the files."
    )
    select: Selection = nested(Selection)

    def validate(self) -> None:
        """Refuse settings that do not go together."""
        if self.exact and (self.nodes or self.depth or self.movetime or self.player != "self"):
            raise InputError("--exact scores come from the game's solver; leave out --player and the limits")
        if (
            any(low >= high for low, high in zip(self.balance, self.balance[1:], strict=False))
            or min(self.balance, default=1) < 1
        ):
            raise InputError(f"balance must be scores above 0 in ascending order, not {list(self.balance)}")


@dataclass(frozen=True)
class RunSettings(Settings):
    """Who plays the positions of a suite, and under which limit."""

    player: str = setting(
        "self", metavar="PLAYER", group=_WHO, help="Who moves: self, a weights file, uci:COMMAND, usi:COMMAND, …"
    )
    static: bool = setting(
        False,
        group=_WHO,
        help="Compare the static evaluation of the player's weights with the reference scores; nothing is searched.",
    )
    nodes: int | None = setting(None, low=1, group=_LIMIT, help="Nodes per position. Default: 10,000.")
    depth: int | None = setting(None, low=1, high=100, group=_LIMIT, help="Depth in plies.")
    movetime: float | None = setting(
        None, above=0, metavar="SECONDS", group=_LIMIT, help="Seconds per position; results vary between runs."
    )
    scale: float | None = setting(None, above=0, group=_TAGS, help="Scale of the loss. Default: the suite's.")
    seed: int = seed_setting()

    def validate(self) -> None:
        """Refuse limits where nothing is searched."""
        if self.static and (self.nodes or self.depth or self.movetime):
            raise InputError("--static searches nothing; leave out --nodes, --depth and --movetime")


@dataclass(frozen=True)
class CompareSettings(Settings):
    """How two runs of a suite are compared."""

    tolerance: float = setting(
        0.0,
        low=0,
        group="Verdict",
        help="The second run is worse only where its mean loss is proven to be higher by more than this.",
    )
    tag: str | None = setting(None, metavar="TAG", group="Verdict", help="Compare only positions with this tag.")
    seed: int = seed_setting("Verdict")
