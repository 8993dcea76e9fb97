"""The result of `improve`: what each generation gained, and the card of the weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from evalsmith.games import Game, find_game
from evalsmith.improvement.record import RESULT, START, Generation, read_record
from evalsmith.improvement.settings import LengthSettings
from evalsmith.run import InputError, read_config
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable
from evalsmith.weights import Weights, read_weights_file

KIND = "improve"
_SECONDS_PER_HOUR = 3600.0


@dataclass(frozen=True, repr=False)
class ImproveResult(RunResult):
    """The generations of a run, and the best weights: those of the start where no generation was kept.

    ``stopped`` says why the run ended; it is empty while it goes on.
    """

    game: Game
    weights: Weights
    generations: tuple[Generation, ...]
    start: str
    stopped: str = ""
    run: Path | None = None

    @property
    def kept(self) -> tuple[Generation, ...]:
        """The generations that were kept."""
        return tuple(one for one in self.generations if one.kept)

    @property
    def improved(self) -> bool:
        """Whether anything better than the start was found."""
        return bool(self.kept)

    @property
    def elo(self) -> float:
        """The Elo of the best weights against the start, measured in games of their own."""
        last = self.kept[-1].start if self.kept else None
        return 0.0 if last is None else last.elo

    @property
    def error(self) -> float:
        """Half of the 95 % interval of the Elo."""
        last = self.kept[-1].start if self.kept else None
        return 0.0 if last is None else last.error

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith improve --json``."""
        return {
            "generations": [one.to_json() for one in self.generations],
            "elo": self.elo,
            "error": self.error,
            "improved": self.improved,
            "stopped": self.stopped,
            "start": self.start,
            "game": self.game.name,
            "digest": self.weights.digest,
        }

    def tables(self) -> Sequence[TextTable]:
        """One row per generation, and what came out."""
        columns = ("generation", "games", "nodes", "fit", "held-out loss", "against the best", "against the start", "")
        rows = tuple(
            (
                str(one.number),
                one.games,
                one.nodes,
                f"penalty {one.fit.penalty:g}, results {one.fit.result_share:g}",
                f"{one.fit.loss_before:.4g} → {one.fit.loss_after:.4g}",
                f"{one.gate} in {one.gate.games}",
                "–" if one.start is None else f"{one.start} in {one.start.games}",
                "kept" if one.kept else "not kept",
            )
            for one in self.generations
        )
        title = f"{self.game.title} from {self.start} weights: Elo with its 95 % interval"
        return (TextTable(columns, rows, tuple(self.sentences()), title),)

    def sentences(self) -> list[str]:
        """What came out, and why the run ended."""
        said = []
        if self.generations:
            said.append(
                "The Elo against the best is that of a sequential test, which is biased; that against the start is not."
            )
        if self.stopped:
            said.append(f"Stopped: {self.stopped}.")
        last = self.kept[-1] if self.kept else None
        if last is None or last.start is None:
            return [*said, f"Nothing better than the {self.start} weights was found."]
        where = "" if self.run is None else f" Weights in {self.run / 'weights.json'}."
        return [*said, f"Generation {last.number} is the best: {last.start.sentence()} against the start.{where}"]


def stop_reason(generations: Sequence[Generation], settings: LengthSettings) -> str | None:
    """Why no generation follows; None where one does."""
    done = len(generations)
    fruitless = done - max((one.number for one in generations if one.kept), default=0)
    if fruitless >= settings.patience:
        which = f"generation {done}" if fruitless == 1 else f"{fruitless} generations in a row"
        return f"{which} gained nothing that a match proves"
    if done >= settings.most:
        return f"{done} generation{'s' * (done > 1)} done"
    hours = sum(one.seconds for one in generations) / _SECONDS_PER_HOUR
    if settings.hours is not None and hours >= settings.hours:
        return f"{hours:.1f} hours are over"
    return None


def card_of(result: ImproveResult, settings: LengthSettings) -> dict[str, Any]:
    """What weights say of themselves: data, command, loss, and the match that proves them."""
    last = result.kept[-1]
    assert last.start is not None
    options = " ".join(f"--{_option(name)} {_text(value)}" for name, value in settings.changed().items())
    return {
        "made": "evalsmith improve",
        "command": f"evalsmith improve {result.game.name} -o RUN {options}".rstrip(),
        "data": f"{sum(one.games for one in result.generations[: last.number]):,} games of self-play in "
        f"{last.number} generation{'s' * (last.number > 1)}, the last at {last.nodes:,} nodes per move",
        "loss": f"{last.fit.loss}, penalty {last.fit.penalty:g}, result share {last.fit.result_share:g}",
        "held_out": f"{last.fit.loss_before:.6g} before the last fit, {last.fit.loss_after:.6g} after",
        "match": f"{last.start.sentence()} against {result.start} weights",
        "rules_version": result.game.rules_version,
    }


def _option(name: str) -> str:
    return "from" if name == "start" else name.replace("_", "-")


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def read_improvement(run: Path) -> ImproveResult:
    """The result of a run folder, complete or not."""
    config = read_config(run)
    if config.get("kind") != KIND:
        raise InputError(f"{run} is a run of kind {config.get('kind')!r}, not of {KIND}")
    game = find_game(str(config["game"]))
    generations: list[Generation] = []
    for number in count(1):
        found = read_record(run / f"generation-{number}")
        if found is None:
            break
        generations.append(found)
    kept = [one for one in generations if one.kept]
    path = run / f"generation-{kept[-1].number}" / kept[-1].weights_name if kept else run / START
    start, weights = str(config.get("start", "start")), read_weights_file(path, game)
    return ImproveResult(game, weights, tuple(generations), start, _stopped(run, len(generations)), run)


def _stopped(run: Path, generations: int) -> str:
    """Why a run ended, as its result says; nothing where it went on since, or has none."""
    try:
        found = json.loads((run / RESULT).read_text(encoding="utf-8"))
        return str(found["stopped"]) if len(found["generations"]) == generations else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
