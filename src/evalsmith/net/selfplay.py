"""Self-play with a net, or in round 0 without one, into a dataset.

Games are played in shards. The games of a shard share their batches, and a shard becomes one part of the dataset when
all of its games have ended: what was killed is played again in the same way.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalsmith.games import Game
from evalsmith.games.opening import Opening
from evalsmith.games.planes import planes_of
from evalsmith.games.starts import named_starts
from evalsmith.net.checkpoint import file_digest
from evalsmith.net.inference import Inference, NetEvaluator, shared_net
from evalsmith.net.pilots import FIRST, NetPilot, Noise, Pilot, PlayerPilot, SearchPilot, check_teacher
from evalsmith.net.playing import FinishedGame, Stopped, Temperature, play_together
from evalsmith.net.results import SelfplayResult
from evalsmith.net.samples import samples_of
from evalsmith.net.settings import EvaluateSettings, SelfplaySettings
from evalsmith.players import Player, parse_player
from evalsmith.positions.openings.drawing import draw_opening
from evalsmith.positions.samples import Samples
from evalsmith.positions.store.dataset import Dataset, create_dataset, dataset_lock
from evalsmith.positions.store.parts import part_path, read_part, write_part
from evalsmith.run import Interrupted, derive
from evalsmith.run.progress import resume
from evalsmith.run.start_settings import StartSettings
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, Job, Report, run
from evalsmith.scale.files import local_word

HELD = 16  # of so many starts of a game with seeds, one is for comparisons; the others are for self-play

Numbered = tuple[int, Opening]


def self_play(
    game: Game,
    output: Path | str,
    *,
    net: Path | str | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> SelfplayResult:
    """Play games of a net against itself (or alone) into a dataset; without a net it is round 0.

    ``settings`` are those of `SelfplaySettings`: games, together, simulations, noise, temperature, level, seeds, …
    """
    chosen = SelfplaySettings.from_options(settings)
    return run_selfplay(game, Path(output), chosen, None if net is None else Path(net), concurrency, progress)


def run_selfplay(
    game: Game, output: Path, settings: SelfplaySettings, net: Path | None, concurrency: int | None, progress: Watch
) -> SelfplayResult:
    """`self_play` with everything resolved."""
    job = selfplay_job(game, settings, net)
    openings = list(enumerate(draw_openings(game, settings, settings.games, held_out=False)))
    size = min(settings.together, -(-len(openings) // 2))  # at least two shards, so that two cores have work
    shards = [openings[i : i + size] for i in range(0, len(openings), size)]
    made = {"how": "net self-play", "net": "none" if net is None else file_digest(net), **settings.to_table()}
    with dataset_lock(output):
        dataset = create_dataset(output, game, made, complete=False)
        missing = [number for number in range(len(shards)) if not dataset.has(number)]
        with progress("self-play", settings.games, "games") as shown:
            resume(shown, settings.games - sum(len(shards[number]) for number in missing))
            how = How.shown(concurrency, shown, output, ordered=False)
            try:
                for shard, samples in run(job, (Shard(number, tuple(shards[number])) for number in missing), how):
                    write_part(output, shard.number, samples, game, games=len(shard.openings))
                    shown.advance(len(shard.openings))
            except KeyboardInterrupt:
                raise Interrupted(f"complete shards are saved in {output}; run the same command to resume") from None
        dataset = dataset if dataset.complete else dataset.finish()
    return _summary(game, dataset, len(shards))


class Shard(NamedTuple):
    """Games that become one part: its number, and their openings."""

    number: int
    openings: tuple[Numbered, ...]

    def __str__(self) -> str:
        return f"shard {self.number}"


def selfplay_job(game: Game, settings: SelfplaySettings, net: Path | None) -> Job:
    """Shards as work; the net is opened once, and by whoever plays."""
    if net is not None:
        shared_net(net, game, settings.bfloat16)
    teacher = None
    if net is None and settings.first not in FIRST:
        teacher = check_teacher(parse_player(settings.first, game))
    files = () if net is None else ((str(net), net),)
    return Job(f"{__name__}:ShardPlayer", (game, settings, net, teacher), files=files, check=f"{__name__}:are_samples")


def are_samples(item: Shard, result: object) -> bool:
    """Whether a result may be the samples of a shard."""
    return isinstance(result, Samples)


class ShardPlayer:
    """Plays one shard after another."""

    def __init__(self, game: Game, settings: SelfplaySettings, net: Path | None, teacher: Player | None = None) -> None:
        self.game, self.settings, self.teacher = game, settings, teacher
        self.net = None if net is None else shared_net(Path(local_word(str(net))), game, settings.bfloat16)
        self._stop = threading.Event()

    def do(self, item: Shard, report: Report) -> Samples:
        """The samples of a shard."""
        try:
            who = self.teacher or self.net
            return samples_of(self.game, play_shard(self.game, self.settings, who, item.openings, self._stop.is_set))
        except Stopped:
            raise KeyboardInterrupt from None

    def stop(self) -> None:
        """Drop the games."""
        self._stop.set()

    def close(self) -> None:
        """Nothing was started."""


def play_shard(
    game: Game,
    settings: SelfplaySettings,
    who: Inference | Player | None,
    openings: Sequence[Numbered],
    stopped: Callable[[], bool],
) -> list[FinishedGame]:
    """The games of one shard, by number; by a net, a teacher, or round 0."""
    style = settings.style
    pilot = _pilot(game, settings, who, stopped)
    # The visits of a search without priors are nearly even: moves drawn by them would be nearly random.
    temperature = Temperature()
    if who is not None:
        temperature = Temperature(style.temperature, style.final_temperature, style.temperature_moves)
    played = play_together(
        game, lambda number, side: pilot, openings, temperature=temperature,
        stray=settings.stray if isinstance(who, Player) else 0.0, seed=settings.seed, together=settings.together,
        stopped=stopped,
    )  # fmt: skip
    return sorted(played, key=lambda one: one.number)


def _pilot(
    game: Game, settings: SelfplaySettings, who: Inference | Player | None, stopped: Callable[[], bool]
) -> Pilot:
    search, style = settings.search, settings.style
    simulations = settings.first_simulations or search.simulations
    if who is None:
        return SearchPilot(game, settings.first, simulations, seed=settings.seed)
    if isinstance(who, Player):
        return PlayerPilot(who, simulations, settings.spread, settings.seed)
    return NetPilot(
        game, NetEvaluator(game, who), search.simulations, exploration=search.exploration,
        noise=Noise(style.noise, style.concentration), seed=settings.seed, stopped=stopped,
    )  # fmt: skip


def draw_openings(
    game: Game, settings: SelfplaySettings | EvaluateSettings, count: int, held_out: bool
) -> Iterator[Opening]:
    """Where games begin: starts by level and seed where the game has such, else some random plies.

    Starts for comparisons are never those of self-play, unless the user names the seeds.
    """
    source = random.Random(derive(settings.seed, "openings", str(held_out)))
    if game.hook("starts") is None:
        for _ in range(count):
            _, moves = draw_opening(game, settings.random_plies, source)
            yield Opening(game.start(), tuple(moves))
        return
    texts = list(named_starts(game, StartSettings(level=settings.level, seeds=settings.seeds)))
    if settings.seeds is None:
        levels = max(1, len(texts) // (len(texts) // _levels(texts)))
        texts = [text for place, text in enumerate(texts) if (place // levels % HELD == 0) == held_out]
    chosen: list[str] = []
    while len(chosen) < count:
        chosen += source.sample(texts, min(len(texts), count - len(chosen)))
    for text in chosen:
        yield Opening(game.parse(text), (), text)


def _levels(texts: Sequence[str]) -> int:
    """How many texts stand together for one seed: those of all levels."""
    first = texts[0].split()[0]
    return next((place for place, text in enumerate(texts) if text.split()[0] != first), len(texts))


def _summary(game: Game, dataset: Dataset, shards: int) -> SelfplayResult:
    games = positions = 0
    moves = won = left = 0.0
    for number in range(shards):
        samples = read_part(part_path(dataset.path, number), game)
        first = [i for i in range(len(samples)) if i == 0 or samples.game[i] != samples.game[i - 1]]
        games, positions = games + len(first), positions + len(samples)
        moves += float(samples.duration[first].sum())
        won += float((samples.result[first] > 0).sum())
        if game.players == 1:
            left += float((planes_of(game).count_left(samples.words[first]) - samples.cleared[first]).sum())
    count = max(games, 1)
    return SelfplayResult(
        dataset.path, games, positions, moves / count, won / count, left / count if game.players == 1 else None
    )
