"""The settings of matches, tournaments and placements, each declared once.

The command line needs them for its help, so nothing that takes time to load is imported here.

An event may be described in a TOML file:

    game = "dvonn"
    format = "round-robin"        # match, round-robin, gauntlet, knockout, swiss
    games = 10                    # of each two players (in each round, where there are rounds)
    points = "contest"            # or "wins"

    [players]
    champion = "codecup:./champion;memory=64000000"
    ours = "self"

    [limit]
    budget = 5                    # or tc = "10+0.1", nodes, depth, movetime, byoyomi; margin

    [openings]
    random_plies = 0              # or book, book_plies, order; repeat; balance, balance_bound, balance_nodes
    repeat = true

    [adjudication]
    max_plies = 400               # draw_score, draw_moves, draw_after, resign_score, resign_moves, solve_from
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, nested, seed_setting, setting
from evalsmith.run.start_settings import StartSettings

if TYPE_CHECKING:
    from evalsmith.games import Game

DECLARATIONS = ("27", "24", "none")
FORMATS = ("match", "round-robin", "gauntlet", "knockout", "swiss")
ORDERS = ("random", "sequential")

MAX_GAMES = 1_000_000
"""All openings are drawn before the first game; more than this many would fill the memory, and prove nothing more."""

MAX_ROUNDS = 1_000

GAMES, LIMITS, OPENINGS, JUDGING = "Games", "Limits", "Openings", "Judging"


@dataclass(frozen=True)
class LimitSettings(Settings):
    """How long players may think. All None is no limit."""

    nodes: int | None = setting(None, low=1, group=LIMITS, help="Nodes per move. Games are then reproducible.")
    tc: str | None = setting(
        None, group=LIMITS, metavar="2+0.02", help="Clock in seconds: BASE+INCREMENT or MOVES/BASE+INCREMENT."
    )
    movetime: float | None = setting(None, above=0, group=LIMITS, metavar="S", help="Seconds per move.")
    depth: int | None = setting(None, low=1, group=LIMITS, help="Search depth per move.")
    budget: float | None = setting(None, above=0, group=LIMITS, metavar="S", help="Seconds per game, as in CodeCup.")
    byoyomi: float | None = setting(
        None, above=0, group=LIMITS, metavar="S", help="Seconds per move after the main time."
    )
    margin: float | None = setting(
        None, low=0, group=LIMITS, metavar="S", help="Seconds by which a move may overstep its time. Default: 0.1."
    )

    @property
    def given(self) -> bool:
        """Whether anything is limited."""
        values = (self.nodes, self.tc, self.movetime, self.depth, self.budget, self.byoyomi)
        return any(value is not None for value in values)


@dataclass(frozen=True)
class OpeningSettings(StartSettings):
    """Where openings come from: a book, random plies, or starts by level and seed.

    What is None depends on the game: see `resolve_openings`.
    """

    random_plies: int | None = setting(
        None, low=0, group=OPENINGS,
        help="Random plies at the start of each pair of games. Default: the book that the game ships, or else the "
        "game's own number, mostly 8.",
    )  # fmt: skip
    book: Path | None = setting(
        None, group=OPENINGS, metavar="FILE", help="Openings: a file of games, or of positions or moves, one per line."
    )
    book_plies: int | None = setting(None, low=0, group=OPENINGS, help="Use at most this many plies of each game.")
    order: str = setting(
        "random", choices=ORDERS, group=OPENINGS, metavar="ORDER", help="Order of the book: random or sequential."
    )
    repeat: bool = setting(False, group=OPENINGS, help="Reuse openings if there are too few.")
    balance: bool | None = setting(
        None, group=OPENINGS, flags=("--balance/--no-balance",),
        help="Use only openings that our search finds balanced. Default: yes for random plies, no for a book.",
    )  # fmt: skip
    balance_bound: int | None = setting(
        None, low=0, group=OPENINGS,
        help="Balanced is a score within ±N, in the game's unit. Default: the game's own bound, mostly 100.",
    )  # fmt: skip
    balance_nodes: int = setting(1000, low=1, group=OPENINGS, help="Nodes of the search that scores an opening.")

    def validate(self) -> None:
        """Refuse two kinds of openings at once."""
        if self.book is not None and self.random_plies is not None:
            raise InputError(f"openings are from a book ({self.book}) or random plies ({self.random_plies}), not both")


@dataclass(frozen=True)
class Adjudication(Settings):
    """When a game is ended early. Scores are in the game's unit; None switches a rule off.

    A draw after ``draw_moves`` moves of each side in a row with scores within ±``draw_score``, and not before
    ``draw_after`` plies. A loss after ``resign_moves`` moves of each side in a row that both say so by
    ``resign_score``. A draw after ``max_plies`` plies. The count of an impasse, in games that have one, after both
    kings have been in the enemy's camp for ``impasse`` moves of each side. The exact value from ply ``solve_from`` on,
    for games with a solver, as soon as that finds it within SOLVE_NODES; until then the game continues. Plies count
    from the start of the record, the opening included.
    """

    draw_score: int | None = setting(
        None, low=0, on_command_line=False, help="Call a game a draw when both sides score it within ± this."
    )
    draw_moves: int = setting(8, low=1, on_command_line=False, help="For this many moves of each side in a row.")
    draw_after: int = setting(40, low=0, on_command_line=False, help="But not before this many plies.")
    resign_score: int | None = setting(
        None, low=0, on_command_line=False, help="Call a game lost when both sides agree on it by at least this score."
    )
    resign_moves: int = setting(4, low=1, on_command_line=False, help="For this many moves of each side in a row.")
    max_plies: int | None = setting(None, low=1, group=JUDGING, help="Call a game a draw after this many plies.")
    solve_from: int | None = setting(
        None, low=0, group=JUDGING, help="From this ply on, end a game as soon as the game's solver finds its result."
    )

    impasse: int | None = setting(
        None, low=0, group=JUDGING,
        help="Count the points (24 each to draw) when both kings have been in the enemy's camp for this many moves.",
    )  # fmt: skip

    def check(self, game: Game) -> None:
        """Refuse what the game has no means for."""
        if self.impasse is not None and game.hook("impasse") is None:
            raise InputError(f"{game.title} has no impasse, so its games cannot be ended by one")
        if self.solve_from is not None and game.hook("solve") is None:
            raise InputError(f"{game.title} has no solver, so its games cannot be ended by one")


@dataclass(frozen=True)
class EventSettings(Settings):
    """What matches and tournaments share."""

    games: int = setting(2, low=1, high=MAX_GAMES, group=GAMES, help="Number of games.")
    seed: int = seed_setting(GAMES)
    limit: LimitSettings = nested(LimitSettings)
    openings: OpeningSettings = nested(OpeningSettings)
    adjudication: Adjudication = nested(Adjudication)
    declaration: str = setting(
        "27", choices=DECLARATIONS, group=JUDGING, metavar="RULE",
        help="Points rule by which an entered king wins by declaration (USI's `bestmove win`): 27, 24 or none.",
    )  # fmt: skip
    replace_failed: bool | None = setting(
        None,
        group=JUDGING,
        flags=("--replace-failed/--no-replace-failed",),
        help="When a program fails, continue the game with random moves in its place.",
    )

    @property
    def pairs(self) -> int:
        """The number of pairs of games; an odd number of games is rounded up."""
        return (self.games + 1) // 2


@dataclass(frozen=True)
class MatchSettings(EventSettings):
    """The settings of a match. Where a sequential test may end it, ``games`` is the largest number."""

    games: int = setting(200, low=1, high=MAX_GAMES, group=GAMES, help="Number of games, in pairs with sides swapped.")
    sprt: str | None = setting(None, group=JUDGING, metavar="ELO0,ELO1", help="Stop when this sequential test decides.")
    model: str = setting(
        "normalized", choices=("normalized", "logistic"), group=JUDGING, metavar="MODEL",
        help="Elo model of --sprt: normalized or logistic.",
    )  # fmt: skip
    trinomial: bool = setting(False, group=JUDGING, help="Count single games instead of pairs in --sprt.")


@dataclass(frozen=True)
class TournamentSettings(EventSettings):
    """The settings of a tournament."""

    games: int = setting(
        2, low=1, high=MAX_GAMES, group=GAMES, help="Games between each two players, per round if there are rounds."
    )
    format: str = setting(
        "round-robin",
        choices=FORMATS,
        group=GAMES,
        metavar="FORMAT",
        help=f"The format: {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.",
    )
    rounds: int = setting(
        0, low=0, high=MAX_ROUNDS, group=GAMES, help="Rounds of a Swiss tournament; 0 means enough to find a winner."
    )
    challengers: int = setting(1, low=1, group=GAMES, help="Number of challengers in a gauntlet: the first N players.")
    points: str | None = setting(
        None, choices=("wins", "contest"), group=JUDGING, metavar="POINTS",
        help="wins (1, ½ or 0), or contest: pieces on the board at the end, plus a bonus for the result.",
    )  # fmt: skip


@dataclass(frozen=True)
class PlacementSettings(Settings):
    """The settings of a placement analysis."""

    ply: int = setting(low=0, group=GAMES, help="Cut each game off after this many plies.")
    times: int = setting(10, low=1, high=MAX_GAMES, group=GAMES, help="How many times to finish each game.")
    seed: int = seed_setting(GAMES)
    limit: LimitSettings = nested(LimitSettings)
