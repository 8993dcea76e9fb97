"""Plays the games of an event that its log does not have yet: several at once, each logged when it ends.

While games are played, only those under way are in memory: which are finished is a few numbers, and what became of them
is read back from the log when somebody wants to know.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from evalsmith.arena.events.formats import Format
from evalsmith.arena.play.control import Control
from evalsmith.arena.play.game_work import GameItem, GameWorker, games_job
from evalsmith.arena.play.workers import Setting, Worker
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, GameLog, read_entries
from evalsmith.arena.results.played import Played
from evalsmith.games.opening import Opening
from evalsmith.players import Player
from evalsmith.run import InputError, Interrupted, Progress, RunFolder, Silent, resume
from evalsmith.scale import How, run
from evalsmith.scale.here import run_on_threads

Save = Callable[[GameKey, GameEntry], None]


def _never(key: GameKey, entry: GameEntry) -> bool:
    return False


def _unseen() -> None:
    """Show nothing."""


@dataclass(frozen=True)
class EventRunner:
    """Plays an event: its setting, its format and its openings. ``make`` makes workers other than the default ones."""

    setting: Setting
    form: Format
    openings: Sequence[Opening]
    concurrency: int | None = None
    pin: bool = True
    make: Callable[[], Worker] | None = None

    @property
    def names(self) -> list[str]:
        """The players."""
        return [player.name for player in self.setting.players]

    def play(
        self,
        run: RunFolder,
        progress: Progress | None = None,
        decided: Callable[[GameKey, GameEntry], bool] = _never,
        watch: Callable[[], None] = _unseen,
    ) -> None:
        """Play the games that are missing in the log of a run.

        ``decided`` is called with each game once, and ends the event when it returns True; ``watch`` is called after
        each game.
        """
        path, progress = run.path / GAMES, progress or Silent()
        played, over = Played(), False
        for entry in read_entries(path):
            over = (played.add(entry) and decided(entry.key, entry)) or over
        resume(progress, sum(key in played for key in self._planned(played)))
        try:
            with GameLog(path) as log, Control() as control:

                def save(key: GameKey, entry: GameEntry) -> None:
                    log.append(replace(entry, date=time.strftime("%Y.%m.%d")))
                    progress.advance()

                how = self._how(run, progress, control)
                over = over or self._play_missing(played, save, how, decided, watch)
                if control.finishing and not over and self._unfinished(played):
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            saved = Played(read_entries(path))
            known = sum(1 for _ in self._planned(saved))
            raise Interrupted(
                f"saved {len(saved)} of {known} games in {run.path}; run the same command to resume", run.path
            ) from None

    def _planned(self, played: Played) -> Iterator[GameKey]:
        return self.form.planned(self.names, played)

    def _missing(self, played: Played) -> Iterator[GameKey]:
        return (key for key in self._planned(played) if key not in played)

    def _unfinished(self, played: Played) -> bool:
        return next(self._missing(played), None) is not None

    def _play_missing(
        self,
        played: Played,
        save: Save,
        how: How,
        decided: Callable[[GameKey, GameEntry], bool],
        watch: Callable[[], None],
    ) -> bool:
        """Play round after round until nothing is missing or new games may not begin; whether it was decided."""
        while self._unfinished(played) and how.going():
            items = (GameItem(key, self._opening_of(key)) for key in self._missing(played))
            with contextlib.closing(self._run(items, how)) as finished:
                for item, entry in finished:
                    save(item.key, entry)
                    played.add(entry)
                    watch()
                    if decided(item.key, entry):
                        return True
        return False

    def _run(self, items: Iterator[GameItem], how: How) -> Generator[tuple[GameItem, GameEntry], None, None]:
        """The games with what became of them, in the order of the plan."""
        if self.make is None:
            yield from run(games_job(self.setting), items, how)
        else:
            make = self.make
            yield from run_on_threads(lambda: GameWorker(make), items, how)

    def _how(self, run: RunFolder, progress: Progress, control: Control) -> How:
        return How.shown(
            self.concurrency, progress, run.path, pin=self.pin, going=lambda: not control.finishing
        )  # fmt: skip

    def _opening_of(self, key: GameKey) -> Opening:
        number = self.form.opening_of(key)
        # Alone, both players have the same board in a game, and the two games of a pair have two boards.
        number = number if self.setting.game.players > 1 else 2 * number + key.half
        return self.openings[number % len(self.openings)]


def check_openings(players: Sequence[Player], openings: Sequence[Opening]) -> None:
    """Refuse openings that the protocol of a player cannot express."""
    if not openings:
        raise InputError("an event needs at least one opening")
    blind = [player.name for player in players if player.outside and player.outside.protocol == "codecup"]
    if blind and any(opening.moves or opening.text is not None for opening in openings):
        raise InputError(
            f"{blind[0]} speaks codecup, which has no openings: play from the start with random_plies 0 and repeat"
        )
