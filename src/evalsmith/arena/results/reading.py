"""Results read back from their run folders, finished or not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.arena.events.formats import Format, knockout_winner
from evalsmith.arena.results.counting import CountedGames
from evalsmith.arena.results.log import GAMES, RESULT, LoggedGames
from evalsmith.arena.results.match_result import MatchResult, match_result
from evalsmith.arena.results.standings import standings
from evalsmith.arena.results.tally import Tally
from evalsmith.arena.results.tournament_result import TournamentResult
from evalsmith.arena.statistics.sequential import SprtConfig, parse_sprt
from evalsmith.games import Game, find_game
from evalsmith.run import InputError, read_config


@dataclass(frozen=True)
class StoredEvent:
    """What a run folder says about its event, apart from the games."""

    path: Path
    game: Game
    kind: str
    names: tuple[str, ...]
    form: Format
    contest: bool
    test: SprtConfig | None

    def counted(self) -> CountedGames:
        """The games that count, as its log has them."""
        return CountedGames(LoggedGames(self.path / GAMES), self.names, self.test)

    def tally(self) -> Tally:
        """What the games that count come to."""
        return self.counted().tally(self.game)

    def match_result(self, overload: Sequence[str], tally: Tally | None = None) -> MatchResult:
        """The result of a match; ``tally`` has its games, where they were read already."""
        return match_result(self.game, self.counted(), overload, self.path, tally)

    def tournament_result(
        self, overload: Sequence[str], anchors: Mapping[str, float] | None = None, tally: Tally | None = None
    ) -> TournamentResult:
        """The result as a table of players, which a match has too; ``tally`` has its games, where they were read."""
        tally = tally or self.tally()
        table = standings(tally, self.contest, self.form, anchors)
        knockout = self.form.kind == "knockout"
        winner = knockout_winner(self.form, self.names, tally.played) if knockout else None
        boards = () if tally.boards is None else tally.boards.scores(table.names)
        return TournamentResult(
            game=self.game,
            format=self.form.kind,
            standings=table,
            entries=self.counted(),
            winner=winner,
            boards=boards,
            hosts=tally.machines.hosts(),
            overload=tuple(overload),
            run=self.path,
        )


def read_event(path: Path) -> StoredEvent:
    """The event of a run folder; one that is no match or tournament is refused."""
    config = read_config(path)
    names = config.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{path} is not the run folder of a match or a tournament: it names no players")
    kind = str(config.get("kind", "tournament"))
    if kind == "match" and len(names) != 2:
        raise InputError(f"{path} is the run folder of a match, but it names {len(names)} players")
    return StoredEvent(
        path=path,
        game=find_game(str(config.get("game"))),
        kind=kind,
        names=tuple(names),
        form=_form(config),
        contest=config.get("points") == "contest",
        test=_test(config),
    )


def read_match(path: Path) -> MatchResult:
    """The result of a match from its run folder, finished or not."""
    event = read_event(path)
    if event.kind != "match":
        raise InputError(f"{path} is the run folder of a {event.kind}, not of a match")
    return event.match_result(_overload(path))


def read_tournament(path: Path, anchors: Mapping[str, float] | None = None) -> TournamentResult:
    """The table of a tournament, or of a match, from its run folder, finished or not.

    ``anchors`` fix ratings by name. Default: those that the tournament was played with.
    """
    return read_event(path).tournament_result(_overload(path), _anchors(path) if anchors is None else anchors)


def _form(config: dict[str, Any]) -> Format:
    numbers = [config.get("games", 1), config.get("rounds", 0), config.get("challengers", 1)]
    if not all(isinstance(number, int) for number in numbers):
        raise InputError(f"games, rounds and challengers of an event are whole numbers, not {numbers}")
    return Format(str(config.get("format", "match")), (numbers[0] + 1) // 2, numbers[1], numbers[2])


def _test(config: dict[str, Any]) -> SprtConfig | None:
    """The sequential test; folders of earlier versions say how games are counted by a name."""
    if config.get("sprt") is None:
        return None
    single = config.get("trinomial") is True or config.get("counting") == "trinomial"
    model = str(config.get("model", "normalized"))
    return parse_sprt(str(config["sprt"]), model, counting="trinomial" if single else "pentanomial")


def _noted(path: Path, what: str) -> Any:
    """What the runner noted in the result when the event ended; None while there is none."""
    try:
        found = json.loads((path / RESULT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found.get(what) if isinstance(found, dict) else None


def _overload(path: Path) -> tuple[str, ...]:
    """What speaks against the times: a machine that was too busy."""
    noted = _noted(path, "overload")
    return tuple(str(one) for one in noted) if isinstance(noted, list) else ()


def _anchors(path: Path) -> dict[str, float]:
    """The ratings that were given."""
    noted = _noted(path, "anchors")
    return {name: float(elo) for name, elo in noted.items()} if isinstance(noted, dict) else {}
