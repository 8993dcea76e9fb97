"""Two players on the same starts: nets, round 0, or one ply of the evaluation; many games at once.

A game for one is worth its utility from 0 to 1, and each start is a pair: both players clear the same board with the
same chances. A game for two is played twice, with the sides changed; a pair is worth what the first player made of it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evalsmith.engine.mcts.searcher import RootMove
from evalsmith.games import Game
from evalsmith.games.opening import Opening
from evalsmith.net.checkpoint import SUFFIX, file_digest
from evalsmith.net.inference import ONNX, NetEvaluator, shared_net, utilities
from evalsmith.net.pilots import (
    FIRST,
    ROLLOUTS,
    NetPilot,
    Noise,
    Pilot,
    PlayerPilot,
    SearchPilot,
    Waiting,
    check_teacher,
)
from evalsmith.net.players import GreedySearcher
from evalsmith.net.playing import FinishedGame, Stopped, play_together
from evalsmith.net.results import Difference, NetComparison, PilotScore
from evalsmith.net.selfplay import draw_openings
from evalsmith.net.settings import EvaluateSettings
from evalsmith.players import Player, parse_player
from evalsmith.run import InputError, Interrupted, RunFolder, derive
from evalsmith.run.atomic import append_json, read_json_lines
from evalsmith.run.progress import resume
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, Job, Report, run
from evalsmith.scale.files import local_word

KIND = "net-evaluate"
GREEDY = "greedy"
GAMES = "games.jsonl"


class GreedyPilot:
    """One ply of the evaluation for many games."""

    def __init__(self, game: Game) -> None:
        self._searcher = GreedySearcher(game)

    def search(self, games: Sequence[Waiting]) -> list[tuple[RootMove, ...]]:
        """All moves, best first."""
        return [self._moves(self._searcher.values(one.board.position)) for one in games]

    def _moves(self, values: dict[int, int]) -> tuple[RootMove, ...]:
        ordered = sorted(values, key=lambda move: -values[move])
        return tuple(RootMove(move, int(move == ordered[0]), float(values[move]), 0.0, False) for move in ordered)

    def forget(self, number: int) -> None:
        """Nothing is kept."""


def pilot_maker(game: Game, who: str | Player, settings: EvaluateSettings) -> tuple[str, Callable[[], Pilot]]:
    """A player with a function that makes it for one thread: a net, greedy, rollouts, weights, or one of ours."""
    search = settings.search
    if not isinstance(who, str):
        return who.name, lambda: PlayerPilot(who, search.simulations, 1.0, settings.seed)
    if who == GREEDY:
        return who, lambda: GreedyPilot(game)
    if who in FIRST:
        name = "round 0" if who == ROLLOUTS else who
        return name, lambda: SearchPilot(game, who, search.simulations, seed=settings.seed)
    path = Path(local_word(_net_file(who)))
    net = shared_net(path, game)
    return path.parent.name + "/" + path.stem if path.stem == "net" else path.stem, lambda: NetPilot(
        game, NetEvaluator(game, net), search.simulations, exploration=search.exploration, noise=Noise(),
        seed=settings.seed,
    )  # fmt: skip


def _net_file(text: str) -> str:
    return text.removeprefix("net:")


def _known(game: Game, text: str) -> str | Player:
    """A text that names a net or a pilot as it is; any other names a player."""
    if text == GREEDY or text in FIRST or Path(_net_file(text)).suffix in (SUFFIX, ONNX):
        return text
    try:
        return check_teacher(parse_player(text, game))
    except InputError as error:
        raise InputError(f"{text!r} is neither a net nor one of {GREEDY}, {', '.join(FIRST)}: {error}") from None


def check_entrant(game: Game, text: str) -> None:
    """Refuse what is neither a net nor a player that can be compared."""
    _known(game, text)


def evaluate_nets(
    game: Game,
    first: str,
    second: str,
    *,
    output: Path | str | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> NetComparison:
    """Compare two players on the same starts: files of nets, ``greedy``, ``rollouts`` (round 0) or ``weights``.

    ``settings`` are those of `EvaluateSettings`: games, simulations, level, seeds, …
    """
    chosen = EvaluateSettings.from_options(settings)
    return run_comparison(
        game, (str(first), str(second)), chosen, None if output is None else Path(output), concurrency, progress
    )


class PairGames(NamedTuple):
    """The games of some pairs."""

    number: int
    openings: tuple[tuple[int, Opening], ...]

    def __str__(self) -> str:
        return f"batch {self.number}"


def _comparison_job(game: Game, players: tuple[str | Player, str | Player], settings: EvaluateSettings) -> Job:
    """The games as work."""
    paths = [_net_file(who) for who in players if isinstance(who, str)]
    files = tuple((text, Path(text)) for text in paths if Path(text).is_file())
    here = f"{__name__}:"
    return Job(here + "PairPlayer", (game, players, settings), files=files, check=here + "are_entries")


def are_entries(item: PairGames, result: object) -> bool:
    """Whether a result has an entry for each game."""
    return isinstance(result, list) and len(result) == len(item.openings)


class PairPlayer:
    """Plays the games of some pairs after those of others."""

    def __init__(self, game: Game, players: tuple[str | Player, str | Player], settings: EvaluateSettings) -> None:
        self.game, self.settings = game, settings
        self.makers = [pilot_maker(game, who, settings)[1] for who in players]
        self._stop = threading.Event()

    def do(self, item: PairGames, report: Report) -> list[dict[str, Any]]:
        """The finished games as they are stored."""
        game, pilots = self.game, [make() for make in self.makers]

        def who(number: int, side: int) -> Pilot:
            return pilots[number % 2] if game.players == 1 else pilots[(number + side) % 2]

        try:
            played = play_together(
                game, who, item.openings, luck=lambda number: number // 2, seed=self.settings.seed,
                together=len(item.openings), stopped=self._stop.is_set,
            )  # fmt: skip
            return [_entry(game, one) for one in played]
        except Stopped:
            raise KeyboardInterrupt from None

    def stop(self) -> None:
        """Drop the games."""
        self._stop.set()

    def close(self) -> None:
        """Nothing was started."""


def _together(settings: EvaluateSettings, games: int) -> int:
    """Games of a batch, in pairs: at least two batches, so that two cores have work."""
    return max(2, min(settings.together // 2 * 2, -(-games // 4) * 2))


def run_comparison(
    game: Game,
    players: tuple[str, str],
    settings: EvaluateSettings,
    output: Path | None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
) -> NetComparison:
    """`evaluate_nets` with everything resolved."""
    entrants = _known(game, players[0]), _known(game, players[1])
    makers = [pilot_maker(game, who, settings) for who in entrants]
    openings = list(enumerate(draw_openings(game, settings, settings.games, held_out=True)))
    # A start is played twice: by either player, or with either player on the first side.
    doubled = [(2 * number + half, opening) for number, opening in openings for half in (0, 1)]
    size = _together(settings, len(doubled))
    jobs = [PairGames(i // size, tuple(doubled[i : i + size])) for i in range(0, len(doubled), size)]
    work = _comparison_job(game, entrants, settings)

    if output is None:
        with progress("comparing", len(doubled), "games") as shown:
            entries: list[dict[str, Any]] = []
            for job, found in run(work, jobs, How(concurrency)):
                entries += found
                shown.advance(len(job.openings))
        return _judge(game, entries, (makers[0][0], makers[1][0]))
    digests = [file_digest(Path(text)) if Path(text).exists() else text for text in players]
    config = {"kind": KIND, "game": game.name, "players": list(players), "files": digests, **settings.to_table()}
    with RunFolder(output, config) as run_folder, progress("comparing", len(doubled), "games") as shown:
        known = {line["job"]: line["games"] for line in read_json_lines(run_folder.path / GAMES)}
        resume(shown, sum(map(len, known.values())))
        try:
            missing = [job for job in jobs if job.number not in known]
            for job, found in run(work, missing, How.shown(concurrency, shown, run_folder.path, ordered=False)):
                append_json(run_folder.path / GAMES, {"job": job.number, "games": found})
                known[job.number] = found
                shown.advance(len(job.openings))
        except KeyboardInterrupt:
            raise Interrupted(f"complete batches are saved in {output}; run the same command to resume") from None
        entries = [entry for found in known.values() for entry in found]
        return _judge(game, entries, (makers[0][0], makers[1][0]))


def _entry(game: Game, one: FinishedGame) -> dict[str, Any]:
    """A finished game as it is stored."""
    start = one.left[0] if one.left else 0
    return {"number": one.number, "value": one.value, "moves": one.moves, "start": start, "left": one.left[-1]}


def _judge(game: Game, entries: Sequence[dict[str, Any]], names: tuple[str, str]) -> NetComparison:
    """Scores by pair, and what they say of the difference."""
    ordered = sorted(entries, key=lambda entry: entry["number"])
    by_half = [[entry for entry in ordered if entry["number"] % 2 == half] for half in (0, 1)]
    pairs = list(zip(*by_half, strict=True))
    cleared = moves = None
    if game.players == 1:
        cleared = _difference([float(a["left"] == 0) - float(b["left"] == 0) for a, b in pairs])
        moves = _difference([a["moves"] - b["moves"] for a, b in pairs if a["left"] == b["left"] == 0])
        scores = [np.array([_utility(entry) for entry in half]) for half in by_half]
        differences = scores[0] - scores[1]
        sides = [_alone(name, half, one) for name, half, one in zip(names, by_half, scores, strict=True)]
    else:
        points = np.array([(_points(a) + 1 - _points(b)) / 2 for a, b in pairs])
        differences = 2 * points - 1
        sides = [PilotScore(names[0], float(points.mean())), PilotScore(names[1], float(1 - points.mean()))]
    error = float(differences.std(ddof=1) / np.sqrt(len(pairs))) if len(pairs) > 1 else float("inf")
    return NetComparison(sides[0], sides[1], len(pairs), float(differences.mean()), error, cleared, moves)


def _difference(values: Sequence[float]) -> Difference | None:
    """Their mean with its error; None of fewer than two."""
    if len(values) < 2:
        return None
    return Difference(float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values))), len(values))


def _utility(entry: dict[str, Any]) -> float:
    cleared, won = entry["start"] - entry["left"], float(entry["value"] > 0)
    return float((utilities(entry["start"], cleared, entry["moves"], won) + 1) / 2)


def _points(entry: dict[str, Any]) -> float:
    """Of side 0."""
    return 1.0 if entry["value"] > 0 else 0.0 if entry["value"] < 0 else 0.5


def _alone(name: str, entries: Sequence[dict[str, Any]], scores: Any) -> PilotScore:
    done = [entry["moves"] for entry in entries if entry["left"] == 0]
    return PilotScore(
        name,
        float(scores.mean()),
        len(done),
        float(np.mean([entry["left"] for entry in entries])),
        float(np.mean(done)) if done else None,
    )


def write_comparison(path: Path, found: NetComparison) -> None:
    """Store a comparison."""
    from evalsmith.run import write_json

    write_json(path, json.loads(json.dumps(found.to_json()).replace("NaN", "null")))


def gate_seed(seed: int, number: int) -> int:
    """The seed of the gate of a round."""
    return derive(seed, "gate", number)


def yardstick_seed(seed: int) -> int:
    """The seed of the games against the yardstick, the same in all rounds: so they have the same starts and chances."""
    return derive(seed, "yardstick")
