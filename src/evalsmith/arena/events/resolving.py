"""Settings made into what games are played with: limits, formats, tests, rules; and events from TOML files."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from evalsmith.arena.events.formats import Format
from evalsmith.arena.play.openings import resolve_openings
from evalsmith.arena.play.referee import Rules
from evalsmith.arena.settings import EventSettings, LimitSettings, MatchSettings, TournamentSettings
from evalsmith.arena.statistics.sequential import SprtConfig, parse_sprt
from evalsmith.engine import Limit
from evalsmith.games import Game
from evalsmith.players import PlayLimit, parse_tc
from evalsmith.players.player_file import player_text
from evalsmith.run import InputError
from evalsmith.run.toml import read_toml

DEFAULT_TC = "2+0.02"
"""A game takes seconds, so some hundred games per hour and core: an answer in an evening."""

E = TypeVar("E", bound=EventSettings)


def resolve(settings: E, game: Game) -> E:
    """The settings with everything decided that depends on the game, and the default limit if there is none."""
    limit = settings.limit if settings.limit.given else replace(settings.limit, tc=DEFAULT_TC)
    contest = by_contest(settings, game)
    replaced = contest if settings.replace_failed is None else settings.replace_failed
    openings = resolve_openings(settings.openings, game)
    changes: dict[str, Any] = {"limit": limit, "openings": openings, "replace_failed": replaced}
    if isinstance(settings, TournamentSettings):
        changes["points"] = "contest" if contest else "wins"
    return replace(settings, **changes)


def make_limit(settings: LimitSettings) -> Limit:
    """The limit; one of effort alone is a plain one, so that games inside a kernel can have it."""
    clocked = settings.tc is not None or settings.byoyomi is not None or settings.budget is not None
    if not clocked and settings.margin is None:
        return Limit(depth=settings.depth, nodes=settings.nodes, seconds=settings.movetime)
    base, increment, moves = parse_tc(settings.tc) if settings.tc is not None else (None, 0.0, None)
    margin: dict[str, float] = {} if settings.margin is None else {"margin": settings.margin}
    return PlayLimit(
        depth=settings.depth,
        nodes=settings.nodes,
        seconds=settings.movetime,
        base=base,
        increment=increment,
        control_moves=moves,
        byoyomi=settings.byoyomi or 0.0,
        budget=settings.budget,
        **margin,
    )


def make_format(settings: EventSettings) -> Format:
    """The format with its numbers."""
    if isinstance(settings, TournamentSettings):
        return Format(settings.format, settings.pairs, settings.rounds, settings.challengers)
    return Format("match", settings.pairs)


def make_rules(settings: EventSettings) -> Rules:
    """How games are judged."""
    declaration = 0 if settings.declaration == "none" else int(settings.declaration)
    return Rules(bool(settings.replace_failed), settings.adjudication, declaration)


def make_test(settings: EventSettings) -> SprtConfig | None:
    """The sequential test of a match."""
    if not isinstance(settings, MatchSettings) or settings.sprt is None:
        return None
    return parse_sprt(settings.sprt, settings.model, counting="trinomial" if settings.trinomial else "pentanomial")


def by_contest(settings: EventSettings, game: Game) -> bool:
    """Whether points are counted as a contest does: what one has on the board, and a bonus for the result."""
    if not isinstance(settings, TournamentSettings):
        return False
    able = game.hook("counts") is not None
    if settings.points == "contest" and not able:
        raise InputError(f"{game.title} has no contest points; use points = 'wins'")
    return able and settings.points != "wins"


@dataclass(frozen=True)
class EventFile:
    """An event as a TOML file describes it: its game, its players as texts by name, its settings, fixed ratings."""

    game: str
    players: dict[str, str]
    settings: TournamentSettings
    anchors: dict[str, float] = field(default_factory=dict)


def read_event_file(path: Path) -> EventFile:
    """The event that a TOML file describes; unknown keys are refused."""
    document = read_toml(path)
    try:
        return _event(document)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _event(document: dict[str, Any]) -> EventFile:
    players, game, anchors = (document.pop(name, None) for name in ("players", "game", "anchors"))
    if not isinstance(players, dict) or not players:
        raise InputError("expected a [players] table with at least two players")
    if not isinstance(game, str):
        raise InputError("expected game, the name of an installed game")
    if not isinstance(anchors, dict | None) or not all(
        isinstance(one, int | float) for one in (anchors or {}).values()
    ):
        raise InputError("expected an [anchors] table of numbers by the names of players")
    known = {name: player_text(name, value) for name, value in players.items()}
    return EventFile(game, known, TournamentSettings.from_table(document), dict(anchors or {}))
