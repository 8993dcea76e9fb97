"""Datasets from self-play: random openings, then our search plays both sides to the end.

Up to a ply that is drawn anew for each game, some moves are random. So the positions are like those that a search
meets: mostly sensible, with mistakes in them. The result of the rest of a game is the playout value of every position
after the last random move, and those are the samples. Games are made in chunks; a chunk is one part of the dataset and
depends on the seed and its number alone, so a run that was killed goes on with the chunks that are missing.
"""

from __future__ import annotations

import hashlib
import random
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalsmith.games import CHANCE, OVER, Game, Position
from evalsmith.players import Player, parse_player
from evalsmith.positions.dataset import Dataset, create_dataset, part_games, part_path, write_part
from evalsmith.positions.samples import Replayer, Samples
from evalsmith.run import DEFAULT_SEED, FileLock, InputError, Interrupted, Progress, Silent, derive
from evalsmith.scale import cores, on_threads
from evalsmith.search import Limit, Searcher, play_game, prepare

CHUNK = 250
_PATIENCE = 1000  # openings drawn before we say that so many random plies end every game


@dataclass(frozen=True)
class GenerateConfig:
    """What self-play is asked for."""

    games: int = 2000
    player: str = "self"
    nodes: int = 200
    random_plies: int = 6
    noise: float = 0.2
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"the number of games must be above 0, not {self.games}")
        if self.random_plies < 0:
            raise InputError(f"the number of random plies must not be negative, but it is {self.random_plies}")
        if not 0 <= self.noise < 1:
            raise InputError(f"the noise must be a share from 0 to below 1, not {self.noise}")
        Limit(nodes=self.nodes)

    def to_json(self) -> dict[str, Any]:
        """The configuration as it is stored; the number of games may grow later, so it is left out."""
        stored = asdict(self)
        stored.pop("games")
        return {"how": "self-play", **stored}


def random_opening(game: Game, plies: int, source: random.Random) -> tuple[Position, list[int]] | None:
    """A position some random plies from the start, and the moves to it; None where the game ended before."""
    position, moves = game.start(), []
    for _ in range(plies):
        status = game.status(position)
        if status == OVER:
            return None
        if status == CHANCE:
            chances = game.chance(position)
            outcome = source.choices(range(len(chances)), weights=[float(p) for p in chances])[0]
            moves.append(outcome)
            position = game.reveal(position, outcome)
        else:
            moves.append(source.choice(game.moves(position)))
            position = game.play_unchecked(position, moves[-1])
    return None if game.status(position) == OVER else (position, moves)


def _opening(game: Game, plies: int, source: random.Random) -> tuple[Position, list[int]]:
    """An opening, drawn until one does not end the game."""
    for _ in range(_PATIENCE):
        opening = random_opening(game, plies, source)
        if opening is not None:
            return opening
    raise InputError(f"games of {game.name} are over before {plies} random plies; ask for fewer")


def generate(
    game: Game, path: Path, config: GenerateConfig, *, concurrency: int | None = None, progress: Progress | None = None
) -> Dataset:
    """Make the dataset, or go on with it; Ctrl-C keeps every finished chunk."""
    progress = progress or Silent()
    player = parse_player(config.player, game)
    weights = hashlib.blake2b(player.weights.values.tobytes(), digest_size=8).hexdigest()
    dataset = create_dataset(path, game, {**config.to_json(), "weights": weights})
    searchers: list[Searcher] = []
    stopping = threading.Event()
    chunks = [
        (number, min(CHUNK, config.games - number * CHUNK)) for number in range((config.games + CHUNK - 1) // CHUNK)
    ]
    replayer = Replayer(game)
    usual_length = _usual_length(game, player, config)

    def work(chunk: tuple[int, int]) -> None:
        number, count = chunk
        limit = Limit(nodes=config.nodes)
        searcher = player.searcher(limit, 0)
        searchers.append(searcher)
        source = random.Random(derive(config.seed, "games", number))
        found: list[Samples] = []
        for game_number in range(number * CHUNK, number * CHUNK + count):
            start, moves = _opening(game, config.random_plies, source)
            noisy_until = source.randrange(usual_length)
            prepare(
                searcher, player.limit or limit, source.getrandbits(62),
                random=player.random, noise=config.noise, noise_plies=noisy_until,
            )  # fmt: skip
            # To prepare a searcher also takes back a stop that came between two games.
            played = None if stopping.is_set() else play_game(game, searcher, searcher, start)
            if played is None or played.stopped:
                raise KeyboardInterrupt
            samples = replayer.samples(game_number, start, played.moves, played.result, first_ply=len(moves))
            found.append(samples.take(samples.ply >= len(moves) + played.quiet_from))
            progress.advance()
        searchers.remove(searcher)
        write_part(path, number, Samples.join(found, game.words), game, games=count)

    def stop() -> None:
        stopping.set()
        for searcher in searchers.copy():
            searcher.stop()

    with FileLock(path / ".lock", wait=False):
        missing = [chunk for chunk in chunks if not _whole(dataset, chunk)]
        progress.advance(config.games - sum(count for _, count in missing))
        try:
            for _ in on_threads(work, missing, concurrency or cores(), stop):
                pass
        except KeyboardInterrupt:
            kept = sum(1 for chunk in chunks if _whole(dataset, chunk))
            raise Interrupted(
                f"kept {kept} of {len(chunks)} parts in {path}; the same command goes on from there"
            ) from None
    return dataset


def _usual_length(game: Game, player: Player, config: GenerateConfig) -> int:
    """The length of one game without noise."""
    searcher = player.searcher(Limit(nodes=config.nodes), config.seed)
    return max(1, len(play_game(game, searcher, searcher, game.start()).moves))


def _whole(dataset: Dataset, chunk: tuple[int, int]) -> bool:
    """Whether a chunk is there with all its games: a last chunk that was short may have to grow."""
    number, count = chunk
    return dataset.has(number) and part_games(part_path(dataset.path, number)) >= count
