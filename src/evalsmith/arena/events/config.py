"""What a user asks of an event, by flags or in a TOML file, checked and resolved.

game = "dvonn"
format = "round-robin"        # match, round-robin, gauntlet, knockout, swiss
games = 10                    # of two players with each other (in a round, where there are rounds)
points = "contest"            # or "wins"

[players]
champion = "codecup:./champion;memory=64000000"
ours = "self"

[limit]
budget = 5                    # or tc = "10+0.1", nodes, depth, movetime, byoyomi; margin

[openings]
random_plies = 0              # or book, book_plies, order; repeat, balance
repeat = true

[adjudication]
max_plies = 400               # draw_score, draw_moves, draw_after, resign_score, resign_moves, solve_from
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

from evalsmith.arena.events.formats import Format
from evalsmith.arena.play.adjudication import Adjudication
from evalsmith.arena.play.openings import OpeningConfig
from evalsmith.arena.play.referee import Rules
from evalsmith.games import Game
from evalsmith.players import Player, PlayLimit, parse_player, parse_tc, play_limit
from evalsmith.players.player_file import player_text
from evalsmith.run import DEFAULT_SEED, InputError
from evalsmith.run.toml import read_toml
from evalsmith.search import Limit

DEFAULT_TC = "2+0.02"
"""A game takes seconds, so some hundred games an hour and core: an answer in an evening."""

POINTS = ("wins", "contest")

MAX_GAMES = 1_000_000
"""All openings are drawn before the first game; more than this many would fill the memory, and prove nothing more."""

MAX_ROUNDS = 1_000


@dataclass(frozen=True)
class EventConfig:
    """An event as it was asked for. ``players`` are texts that describe them, or names in ``known``."""

    game: str
    players: tuple[str, ...]
    known: Mapping[str, str] = field(default_factory=dict)
    format: str = "round-robin"
    games: int = 2
    rounds: int = 0
    challengers: int = 1
    limit: Limit = field(default_factory=Limit)
    openings: OpeningConfig = field(default_factory=OpeningConfig)
    adjudication: Adjudication = field(default_factory=Adjudication)
    points: str | None = None
    replace_failed: bool | None = None
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"the number of games must be above 0, not {self.games}")
        if self.games > MAX_GAMES:
            raise InputError(f"the number of games must be at most {MAX_GAMES:,}, not {self.games:,}")
        if self.rounds > MAX_ROUNDS:
            raise InputError(f"the number of rounds must be at most {MAX_ROUNDS:,}, not {self.rounds:,}")
        if self.points is not None and self.points not in POINTS:
            raise InputError(f"points are {' or '.join(POINTS)}, not {self.points!r}")

    @property
    def form(self) -> Format:
        """The format with its numbers; games are rounded up to whole pairs."""
        return Format(self.format, (self.games + 1) // 2, self.rounds, self.challengers)

    def by_contest(self, game: Game) -> bool:
        """Whether points are counted as a contest does: what one has on the board, and a bonus for the result."""
        able = game.hook("counts") is not None
        if self.points == "contest" and not able:
            raise InputError(f"{game.title} has nothing to count on the board; its points are those of wins")
        return able and self.points != "wins"

    def rules(self, game: Game) -> Rules:
        """How games are judged; a contest plays on with random moves where a program has failed."""
        replaced = self.by_contest(game) if self.replace_failed is None else self.replace_failed
        return Rules(replaced, self.adjudication)

    def resolved(self, game: Game) -> tuple[Player, ...]:
        """The players."""
        return tuple(parse_player(text, game, self.known) for text in self.players)

    def stored(self, game: Game, players: tuple[Player, ...], kind: str = "tournament") -> dict[str, Any]:
        """The configuration as a run folder keeps it: whatever changes it makes another run."""
        return {
            "kind": kind,
            "game": game.name,
            "rules_version": game.rules_version,
            "format": self.format,
            "games": self.games,
            "rounds": self.rounds,
            "challengers": self.challengers,
            "points": "contest" if self.by_contest(game) else "wins",
            "seed": self.seed,
            "names": [player.name for player in players],
            "players": [player.text for player in players],
            "files": [digest(player) for player in players],
            "limit": asdict(play_limit(self.limit)),
            "openings": asdict(self.openings),
            "rules": asdict(self.rules(game)),
        }


def digest(player: Player) -> str:
    """A hash of the weights or the program that a player brings, so that a run never goes on with others.

    Of a program it is that of all files that its command and its options name: a script, a book, a net. Whatever is
    called a log is left out, because the program itself changes it.
    """
    if player.outside is None:
        return "none" if player.random else player.weights.digest
    launch = player.outside.launch
    words = [*pairwise(launch.command), *player.outside.options]
    told = [word for before, word in words if not _LOG.search(before) and not _LOG.search(Path(word).name)]
    parts = [part for word in told for part in (word, word.partition("=")[2])]
    files = dict.fromkeys(_file(part, launch.cwd) for part in (launch.command[0], *parts))
    found = [one for path in files if path is not None and (one := _hash(path))]
    if len(found) < 2:
        return found[0] if found else "none"
    return hashlib.blake2b(" ".join(found).encode()).hexdigest()[:16]


_LOG = re.compile(r"(^|[^a-z])log(file|[^a-z]|$)", re.IGNORECASE)


def _file(word: str, folder: Path | None) -> Path | None:
    """The file that a word of a command names, as the program sees it."""
    try:
        path = ((folder or Path()) / word).resolve()
        return path if word and path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _hash(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()[:16]
    except OSError:
        return ""


def make_limit(
    *,
    tc: str | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: float | None = None,
    byoyomi: float | None = None,
    budget: float | None = None,
    margin: float | None = None,
) -> Limit:
    """The limit of an event; DEFAULT_TC where nothing is limited. Effort alone is a plain limit."""
    clocked = tc is not None or byoyomi is not None or budget is not None
    if not clocked and nodes is None and depth is None and movetime is None:
        tc, clocked = DEFAULT_TC, True
    if not clocked and margin is None:
        return Limit(depth=depth, nodes=nodes, seconds=movetime)
    base, increment, moves = parse_tc(tc) if tc is not None else (None, 0.0, None)
    given: dict[str, Any] = {} if margin is None else {"margin": margin}
    return PlayLimit(
        depth=depth,
        nodes=nodes,
        seconds=movetime,
        base=base,
        increment=increment,
        control_moves=moves,
        byoyomi=byoyomi or 0.0,
        budget=budget,
        **given,
    )


def read_event(path: Path) -> EventConfig:
    """The event that a TOML file describes; whatever is not known in it is refused."""
    document = read_toml(path)
    try:
        return _event(document)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _event(document: dict[str, Any]) -> EventConfig:
    players = _table(document, "players")
    if not players:
        raise InputError("a table [players] with at least two players is needed")
    known = {name: player_text(name, value) for name, value in players.items()}
    limit = _table(document, "limit")
    _only(limit, {"tc": str, "nodes": int, "depth": int, **dict.fromkeys(_TIMES, float)}, "[limit]")
    openings = _table(document, "openings")
    _only(openings, _kinds(OpeningConfig), "[openings]")
    if "book" in openings:
        openings["book"] = Path(openings["book"])
    adjudication = _table(document, "adjudication")
    _only(adjudication, _kinds(Adjudication), "[adjudication]")
    _only(document, _KEYS, "an event")
    if "game" not in document:
        raise InputError("game is needed: the name of an installed game")
    return EventConfig(
        players=tuple(known),
        known=known,
        limit=make_limit(**limit),
        openings=OpeningConfig(**openings),
        adjudication=Adjudication(**adjudication),
        **document,
    )


_TIMES = ("movetime", "byoyomi", "budget", "margin")
_KEYS = {
    "game": str, "format": str, "games": int, "rounds": int, "challengers": int, "points": str,
    "replace_failed": bool, "seed": int,
}  # fmt: skip
_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _kinds(config: type) -> dict[str, type]:
    """The keys of a table with the kind of value of each."""
    texts = {"book": str, "order": str, "repeat": bool}
    return {one.name: texts.get(one.name, int) for one in fields(config)}


def _table(document: dict[str, Any], name: str) -> dict[str, Any]:
    table = document.pop(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{name} must be a table")
    return table


def _only(table: dict[str, Any], known: Mapping[str, type], where: str) -> None:
    for key, value in table.items():
        if key not in known:
            raise InputError(f"{key!r} is not known in {where}; known are {', '.join(known)}")
        kind = known[key]
        numeric = kind in (int, float) and not isinstance(value, bool)
        fits = isinstance(value, int | float) and numeric if kind is float else isinstance(value, kind)
        if not fits or (kind is int and isinstance(value, bool)):
            raise InputError(f"{key} in {where} must be {_NAMES[kind]}, not {value!r}")
