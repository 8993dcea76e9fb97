"""Rounds of self-play, training, a gate, and games against a yardstick that stays the same.

RUN/
  config.toml     what was asked
  events.jsonl    one line a finished stage, with its numbers
  rounds/000/     of each round:
    positions/      the dataset of its games
    net.safetensors the net that learned from it and from the rounds before, as many as the window has
    net.run/        its training: configuration, losses
    gate/           the games against the best net so far
    yardstick/      the games against the yardstick, on the same starts in every round
  yardstick/      those of the net that the loop starts from
  best.json       the net that is the best so far
  result.json     all rounds

Every stage goes on where it was killed, and what is complete is not done again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalsmith.games import Game
from evalsmith.net.checkpoint import file_digest, refuse_other_shape
from evalsmith.net.comparing import check_entrant, gate_seed, run_comparison, yardstick_seed
from evalsmith.net.results import LoopResult, NetComparison
from evalsmith.net.selfplay import run_selfplay
from evalsmith.net.settings import LoopSettings
from evalsmith.net.shape import NetShape
from evalsmith.net.torch_import import need_torch
from evalsmith.net.training import run_training
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.writing import fingerprint
from evalsmith.run import RunFolder, derive, write_json
from evalsmith.run.watching import Watch, unwatched

KIND = "net-loop"
ROUNDS, POSITIONS, NET, GATE, YARDSTICK, BEST, RESULT = (
    "rounds",
    "positions",
    "net.safetensors",
    "gate",
    "yardstick",
    "best.json",
    "result.json",
)


def net_loop(
    game: Game,
    output: Path | str,
    *,
    start: Path | str | None = None,
    also: Sequence[Path | str] = (),
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> LoopResult:
    """Train a net, round by round: self-play, training on the last rounds, a gate.

    Without a net to ``start`` from, round 0 is played without one. Every round learns from the datasets ``also`` too: a
    teacher's, for instance.

    ``settings`` are those of `LoopSettings`: rounds, games, simulations, f, r, level, window, gate_games, …
    The number of rounds may grow later: the same folder then goes on.
    """
    first = None if start is None else Path(start)
    if first is not None:
        refuse_other_shape(first, settings)
    chosen, more = LoopSettings.from_options(settings), tuple(Path(each) for each in also)
    return Loop(game, Path(output), chosen, first, more, concurrency, progress).play()


class Loop:
    """A loop with everything resolved."""

    def __init__(
        self,
        game: Game,
        output: Path,
        settings: LoopSettings,
        start: Path | None,
        also: tuple[Path, ...],
        concurrency: int | None,
        progress: Watch,
    ) -> None:
        self.game, self.output, self.settings, self.start, self.also = game, output, settings, start, also
        self.concurrency, self.progress = concurrency, progress

    def play(self) -> LoopResult:
        """All rounds that are missing."""
        need_torch("a net that learns")  # said before hours of self-play, not after
        NetShape.of(self.game, **vars(self.settings.net))
        check_entrant(self.game, self.settings.yardstick)
        table = {name: value for name, value in self.settings.to_table().items() if name != "rounds"}
        config = {"kind": KIND, "game": self.game.name, "rules_version": self.game.rules_version, **table}
        if self.start is not None:
            config["start"] = file_digest(self.start)
        if self.also:
            config["also"] = [fingerprint(load_dataset(each, self.game)) for each in self.also]
        with RunFolder(self.output, config) as run:
            rounds: list[dict[str, Any]] = []
            best = self.start
            measured = None if self.start is None else self._start_measured(self.start, run)
            for number in range(self.settings.rounds):
                done = self._round(number, best, run)
                rounds.append(done)
                if done["kept"]:
                    best = self._folder(number) / NET
                    write_json(run.path / BEST, {"net": f"{ROUNDS}/{number:03d}/{NET}", "round": number})
            result = LoopResult(run.path, best, tuple(rounds), self.settings.yardstick, measured)
            write_json(run.path / RESULT, result.to_json())
        return result

    def _folder(self, number: int) -> Path:
        return self.output / ROUNDS / f"{number:03d}"

    def _round(self, number: int, best: Path | None, run: RunFolder) -> dict[str, Any]:
        """One round; what is stored of a finished one is taken as it is."""
        for event in run.events("round"):
            if event["round"] == number:
                return {key: value for key, value in event.items() if key not in ("event", "time")}
        settings, folder = self.settings, self._folder(number)
        played = run_selfplay(
            self.game, folder / POSITIONS, settings.selfplay(number, derive(settings.seed, "selfplay", number)),
            best, self.concurrency, self.progress,
        )  # fmt: skip
        run.event("selfplay", round=number, **played.to_json())
        window = [self._folder(one) / POSITIONS for one in range(max(0, number + 1 - settings.window), number + 1)]
        training = settings.training(number, derive(settings.seed, "training", number))
        trained = run_training(
            self.game, [*self.also, *window], folder / NET, training, best, self.progress, self.concurrency
        )
        run.event("training", round=number, **trained.to_json())
        done: dict[str, Any] = {
            "round": number,
            "games": played.games,
            "positions": played.positions,
            "won": played.won,
            "moves": played.moves,
            "left": played.left,
            "losses": trained.losses,
            "loss": sum(trained.losses.values()),
            "kept": True,
        }
        if best is not None and settings.gate_games:
            gate = settings.comparison(settings.gate_games, gate_seed(settings.seed, number))
            found = run_comparison(
                self.game, (str(folder / NET), str(best)), gate, folder / GATE, self.concurrency, self.progress
            )
            done |= {"difference": found.difference, "error": found.error, "kept": not found.worse}
            done |= {"gate": _plain(found)}
        if settings.yardstick_games:
            done["yardstick"] = self._measure(folder / NET, folder / YARDSTICK)
        run.event("round", **done)
        return done

    def _start_measured(self, start: Path, run: RunFolder) -> dict[str, Any] | None:
        """The net that the loop starts from against the yardstick: the first point of the curve."""
        if not self.settings.yardstick_games:
            return None
        for event in run.events("start"):
            return dict(event["yardstick"])
        found = self._measure(start, self.output / YARDSTICK)
        run.event("start", yardstick=found)
        return found

    def _measure(self, net: Path, folder: Path) -> dict[str, Any]:
        """A net against the yardstick, on the starts that all rounds have."""
        settings = self.settings
        how = settings.comparison(settings.yardstick_games, yardstick_seed(settings.seed))
        players = str(net), settings.yardstick
        return _plain(run_comparison(self.game, players, how, folder, self.concurrency, self.progress))


def _plain(found: NetComparison) -> dict[str, Any]:
    """A comparison as it is stored: JSON has no word for what is not a number."""
    made: dict[str, Any] = json.loads(json.dumps(found.to_json()).replace("NaN", "null").replace("Infinity", "null"))
    return made
