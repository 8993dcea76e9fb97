"""What self-play is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.positions.selection.selection import QUIET_HELP
from evalsmith.run.settings import seed_setting, setting
from evalsmith.run.start_settings import StartSettings

GAMES, OPENINGS, MOVES, EXTRA = "Games", "Openings", "Choice of moves", "Stored positions"


@dataclass(frozen=True)
class GenerateSettings(StartSettings):
    """How games of self-play are played, and which of their positions are stored.

    ``temperature`` and ``noise`` act up to a ply that is drawn for each game; the positions after the last random move
    are stored with the result of the game as their value.
    """

    games: int = setting(2000, low=1, group=GAMES, help="Number of games.")
    player: str = setting(
        "self",
        metavar="PLAYER",
        group=GAMES,
        help="The player: self, random, hand-set, fitted or a weights file; "
        "with ;method=mcts it plays by Monte Carlo tree search.",
    )
    nodes: int = setting(200, low=1, group=GAMES, help="Nodes per move.")
    resign: int | None = setting(
        None, low=1, group=GAMES, help="End a game as lost when both sides agree on a score of at least N."
    )
    draw: int | None = setting(None, low=1, group=GAMES, help="End a game as a draw after N plies with scores near 0.")
    random_plies: int = setting(6, low=0, group=OPENINGS, help="Random plies at the start of each game.")
    book: Path | None = setting(
        None, metavar="FILE", group=OPENINGS, help="Start from the positions in a file of positions or games."
    )
    book_plies: int = setting(8, low=0, group=OPENINGS, help="Number of plies to play from each game in the book.")
    noise: float = setting(
        0.2, low=0, below=1, group=MOVES, help="Share of random moves, up to a ply chosen at random for each game."
    )
    temperature: float = setting(
        0.0,
        low=0,
        group=MOVES,
        help="Up to that ply, choose moves at random by score. In the game's unit; 0 plays the best move.",
    )
    scores: bool | None = setting(
        None,
        flags=("--scores/--no-scores",),
        group=EXTRA,
        help="Store the search score of each position, also before random moves. Default: yes where games are only "
        "won or lost, no where they have a margin.",
    )
    quiet: bool = setting(False, group=EXTRA, help=QUIET_HELP.replace("Use", "Store", 1))
    rare: int | None = setting(
        None, low=1, group=EXTRA, help="Add positions from random games with features seen fewer than N times."
    )
    rare_games: int = setting(
        1000, low=1, group=EXTRA, help="Number of random games in which to look for rare features."
    )
    alternatives: int | None = setting(
        None,
        low=0,
        group=EXTRA,
        help="In a game played alone: of every eighth decision, play this many moves on and store what each leads to. "
        "Default: 12.",
    )
    lookahead: int = setting(
        12, low=1, high=1000, group=EXTRA, help="Number of moves that each alternative is played on."
    )
    text: bool = setting(False, group=EXTRA, help="Also store the position as text (FEN, SFEN, …).")
    seed: int = seed_setting()

    @property
    def styled(self) -> bool:
        """Whether games need more than the kernel for complete games supports."""
        return self.temperature > 0 or self.resign is not None or self.draw is not None

    def to_json(self) -> dict[str, Any]:
        """The settings as a dataset stores them; the number of games may grow later, so it is left out.

        ``scores``, ``quiet`` and ``alternatives`` are stored only where they are chosen: older datasets have no such
        entry.
        """
        left_out = {"games", *(name for name in ("scores", "quiet", "alternatives") if not getattr(self, name))}
        left_out |= set() if self.alternatives else {"lookahead"}
        return {"how": "self-play", **{name: v for name, v in self.to_table().items() if name not in left_out}}
