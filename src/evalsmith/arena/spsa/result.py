"""The result of an SPSA run: from which value to which, how far chance alone would have gone, and the line to paste."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.arena.events.entrants import FOLDER
from evalsmith.arena.results.log import GAMES, read_log
from evalsmith.arena.results.match_result import MatchResult
from evalsmith.arena.results.reading import read_match
from evalsmith.arena.spsa.course import Course, Gains, Parameter
from evalsmith.arena.spsa.schedule import FailedPair, Schedule
from evalsmith.arena.spsa.settings import SpsaSettings
from evalsmith.games import Game, find_game
from evalsmith.protocols import NAMES as PROTOCOLS
from evalsmith.run import InputError, read_config, to_toml
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable

KIND = "spsa"
PROOF = "proof"
"""The folder of the match of the last values against the first ones."""
VALUES = "values.toml"
SURE = 2.0
"""Standard errors beyond which a move of a parameter is more than chance, in about 19 of 20 cases."""


@dataclass(frozen=True)
class TunedParameter:
    """A parameter after a run: the value ``end`` is not rounded; ``error`` is how far chance alone would have gone."""

    parameter: Parameter
    end: float
    error: float

    @property
    def name(self) -> str:
        """The name of the option."""
        return self.parameter.name

    @property
    def start(self) -> float:
        """The first value."""
        return self.parameter.start

    @property
    def value(self) -> int | float | bool:
        """The last value as the engine takes it."""
        text = self.parameter.text(self.end)
        if self.parameter.boolean:
            return text == "true"
        return int(text) if self.parameter.integer else float(text)

    @property
    def moved(self) -> float:
        """How far the value has moved, in standard errors."""
        return (self.end - self.start) / self.error if self.error > 0 else 0.0

    @property
    def at_bound(self) -> bool:
        """Whether the value has come to an end of its range."""
        return self.end in (self.parameter.low, self.parameter.high)


@dataclass(frozen=True, repr=False)
class SpsaResult(RunResult):
    """What a run has found so far. ``path`` has the values after each iteration, the start first."""

    game: Game
    player: str
    parameters: tuple[TunedParameter, ...]
    iterations: int
    all_iterations: int
    pairs: int
    path: tuple[tuple[float, ...], ...]
    failures: tuple[FailedPair, ...] = ()
    proof: MatchResult | None = None
    run: Path | None = None

    @property
    def values(self) -> dict[str, int | float | bool]:
        """The last values by name, as the engine takes them."""
        return {one.name: one.value for one in self.parameters}

    @property
    def changed(self) -> bool:
        """Whether the engine would play with other values than at the start."""
        return any(one.parameter.text(one.end) != one.parameter.text(one.start) for one in self.parameters)

    @property
    def games(self) -> int:
        """The games that were counted."""
        return 2 * self.pairs * self.iterations

    @property
    def player_text(self) -> str:
        """The player with the last values."""
        return player_text(self.player, {one.name: one.parameter.text(one.end) for one in self.parameters})

    @property
    def commands(self) -> tuple[str, ...]:
        """The last values as commands of UCI and USI."""
        return tuple(f"setoption name {one.name} value {one.parameter.text(one.end)}" for one in self.parameters)

    def tables(self) -> Sequence[TextTable]:
        """The parameters, and the line to paste."""
        rows = tuple(
            (one.name, f"{one.start:g}", f"{one.end:.4g}", str(one.value), f"{one.error:.3g}", f"{one.moved:+.1f}")
            for one in self.parameters
        )
        columns = ("parameter", "start", "end", "value", "standard error", "moved (errors)")
        done = f"{self.iterations:,} of {self.all_iterations:,} iterations, {self.games:,} games"
        return (TextTable(columns, rows, tuple(self.sentences()), f"{self.game.title}, {self.player}: {done}"),)

    def sentences(self) -> list[str]:
        """What may be concluded, what went wrong, and what to paste."""
        said = [self.verdict()]
        if not self.changed:
            said.append("For the engine the values are those of the start.")
        at_bound = [one.name for one in self.parameters if one.at_bound]
        if at_bound:
            said.append(f"At the end of its range: {', '.join(at_bound)}. A wider range may be better.")
        lost = [one for one in self.failures if one.settled]
        if self.failures:
            pairs = len({one.pair for one in self.failures})
            failed = len({one.pair for one in lost})
            said.append(
                f"{pairs} pairs were played again, {failed} of them failed in the end; the last: {self.failures[-1]}"
            )
        said.append(f"Player: {self.player_text}")
        if self.player.partition(":")[0] in PROTOCOLS:
            said += self.commands
        if self.proof is not None:
            said.append(
                f"Proof: {self.proof.verdict()}" + (f" SPRT: {self.proof.sprt_text()}." if self.proof.sprt else "")
            )
        return said

    def verdict(self) -> str:
        """Which parameters have moved by more than chance."""
        sure = [one.name for one in self.parameters if abs(one.moved) >= SURE]
        if not sure:
            return (
                "No parameter has moved by more than chance would move it (2 standard errors): this run shows nothing."
            )
        others = "; the others have not" if len(sure) < len(self.parameters) else ""
        strength = "" if self.proof is not None else " Whether the engine is stronger, a match says (--prove)."
        return f"Moved by more than chance would move it (2 standard errors): {', '.join(sure)}{others}.{strength}"

    def to_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "game": self.game.name,
            "player": self.player_text,
            "values": self.values,
            "commands": list(self.commands),
            "iterations": self.iterations,
            "games": self.games,
            "complete": self.iterations == self.all_iterations,
            "parameters": [
                {
                    "name": one.name,
                    "start": one.start,
                    "end": one.end,
                    "value": one.value,
                    "error": one.error,
                    "moved": one.moved,
                    "at_bound": one.at_bound,
                }
                for one in self.parameters
            ],
            "failures": [str(one) for one in self.failures],
            "proof": None if self.proof is None else self.proof.to_json(),
        }

    def values_toml(self) -> str:
        """The values as a file that a person or a script reads."""
        return to_toml({"game": self.game.name, "player": self.player_text, "values": self.values})


def player_text(player: str, values: dict[str, str]) -> str:
    """A player with values of its engine's options."""
    prefix = "option." if player.partition(":")[0] in PROTOCOLS else ""
    return player + "".join(f";{prefix}{name}={value}" for name, value in values.items())


def make_course(settings: SpsaSettings, parameters: Sequence[Parameter]) -> Course:
    """The course that settings describe, at its start."""
    iterations = settings.all_iterations
    gains = Gains(iterations * settings.pairs, settings.stability, settings.alpha, settings.gamma)
    return Course(parameters, iterations, pairs=settings.pairs, ahead=settings.ahead, seed=settings.seed, gains=gains)


def make_result(game: Game, player: str, schedule: Schedule, run: Path) -> SpsaResult:
    """The result of a run as far as it has come."""
    course = schedule.course
    tuned = tuple(map(TunedParameter, course.parameters, course.values, course.errors))
    return SpsaResult(
        game=game,
        player=_anywhere(player, run),
        parameters=tuned,
        iterations=course.counted,
        all_iterations=course.iterations,
        pairs=course.pairs,
        path=tuple(course.path),
        failures=tuple(schedule.failures),
        proof=read_match(run / PROOF) if (run / PROOF / GAMES).exists() else None,
        run=run,
    )


def _anywhere(player: str, run: Path) -> str:
    """A player whose weights are in the run folder, as a text that can be used outside of it."""
    inside = f"weights:{FOLDER}/"
    return f"weights:{run / FOLDER}/{player.removeprefix(inside)}" if player.startswith(inside) else player


def read_spsa(run: Path) -> SpsaResult:
    """The result of a run folder, complete or not."""
    config = read_config(run)
    if config.get("kind") != KIND:
        raise InputError(f"{run} is a run of kind {config.get('kind')!r}, not of {KIND}")
    known = SpsaSettings.__dataclass_fields__
    settings = SpsaSettings.from_table({key: value for key, value in config.items() if key in known})
    try:
        parameters = [Parameter(name, **fields) for name, fields in config["parameters"].items()]
        game, player = find_game(str(config["game"])), str(config["player"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{run} has a damaged configuration ({type(error).__name__}: {error})") from None
    return make_result(game, player, Schedule(make_course(settings, parameters), read_log(run / GAMES)), run)
