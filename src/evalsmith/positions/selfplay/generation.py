"""Datasets from self-play: random or book openings, then our search plays both sides to the end.

Up to a ply that is drawn anew for each game, some moves are random. So the positions are like those that a search
meets: mostly sensible, with mistakes in them. The result of the rest of a game is the playout value of every position
after the last random move, and those are the samples. With ``scores`` all positions that were searched are, with what
the search thought of them; those before the last random move then have no result.

Games are made in chunks; a chunk is one part of the dataset and depends on the seed and its number alone, so a run that
was killed goes on with the chunks that are missing.
"""

from __future__ import annotations

import hashlib
import random
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game, Position
from evalsmith.players import Player, parse_player
from evalsmith.positions.openings.book import book_positions
from evalsmith.positions.openings.drawing import draw_opening
from evalsmith.positions.samples import NONE, TOLD, UNKNOWN, Replayer, Samples
from evalsmith.positions.selfplay.rare import rare_samples
from evalsmith.positions.selfplay.styled import Finished, Style, play_styled
from evalsmith.positions.store.dataset import Dataset, create_dataset, dataset_lock
from evalsmith.positions.store.parts import part_games, part_path, read_part, write_part
from evalsmith.run import DEFAULT_SEED, InputError, Interrupted, Progress, Silent, derive
from evalsmith.scale import cores, on_threads
from evalsmith.search import Limit, Searcher, play_game, prepare
from evalsmith.weights.counting import FeatureCounts

CHUNK = 250
RARE_PART = 50_000  # the parts for rare features are numbered from here


@dataclass(frozen=True)
class GenerateConfig:
    """What self-play is asked for.

    ``temperature`` (in the game's unit) and ``noise`` (a share of random moves) act up to a random ply of each game;
    ``resign`` and ``draw`` end games early (see ``Style``). ``book`` is a file of openings, of which ``book_plies`` are
    played. ``rare`` adds positions for features that were seen fewer times, out of ``rare_games`` random games.
    ``scores`` keeps what the search thought of each position.
    """

    games: int = 2000
    player: str = "self"
    nodes: int = 200
    random_plies: int = 6
    noise: float = 0.2
    seed: int = DEFAULT_SEED
    temperature: float = 0.0
    resign: int | None = None
    draw: int | None = None
    book: str | None = None
    book_plies: int = 8
    rare: int | None = None
    rare_games: int = 1000
    text: bool = False
    scores: bool = False

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"the number of games must be above 0, not {self.games}")
        for name, value in (("random plies", self.random_plies), ("book plies", self.book_plies)):
            if value < 0:
                raise InputError(f"the number of {name} must not be negative, but it is {value}")
        if not 0 <= self.noise < 1:
            raise InputError(f"the noise must be a share from 0 to below 1, not {self.noise}")
        if not 0 <= self.temperature < float("inf"):
            raise InputError(f"the temperature must be finite and not negative, but it is {self.temperature}")
        for name, number in (("resign", self.resign), ("draw", self.draw), ("rare", self.rare)):
            if number is not None and number < 1:
                raise InputError(f"{name} must be above 0, not {number}")
        if self.rare_games < 1:
            raise InputError(f"the number of random games must be above 0, not {self.rare_games}")
        Limit(nodes=self.nodes)

    @property
    def styled(self) -> bool:
        """Whether games need more than the kernel that plays whole ones."""
        return self.temperature > 0 or self.resign is not None or self.draw is not None

    def to_json(self) -> dict[str, Any]:
        """The configuration as it is stored; the number of games may grow later, so it is left out."""
        stored = {key: value for key, value in asdict(self).items() if value is not None}
        stored.pop("games")
        if not self.scores:
            stored.pop("scores")  # datasets from before it are still gone on with
        return {"how": "self-play", **stored}


def generate(
    game: Game, path: Path, config: GenerateConfig, *, concurrency: int | None = None, progress: Progress | None = None
) -> Dataset:
    """Make the dataset, or go on with it; Ctrl-C keeps every finished chunk."""
    if game.players < 2 and (config.resign or config.draw):
        raise InputError(f"games of {game.title} have one player, so nobody can agree that they are decided")
    player = parse_player(config.player, game)
    book = book_positions(game, Path(config.book), config.book_plies) if config.book else None
    weights = hashlib.blake2b(player.weights.values.tobytes(), digest_size=8).hexdigest()
    made = {**config.to_json(), "weights": weights}
    if book is not None:
        made["book_hash"] = hashlib.blake2b(book.tobytes(), digest_size=8).hexdigest()
    work = _Generation(game, player, config, book, path, progress or Silent())
    with dataset_lock(path):
        sources = [{"name": f"self-play of {player.name}"}]
        dataset = create_dataset(path, game, made, sources, whole=False)
        chunks = work.chunks()
        missing = [chunk for chunk in chunks if not _whole(dataset, chunk)]
        work.progress.advance(config.games - sum(count for _, count in missing))
        dataset = dataset.unfinished() if missing else dataset
        try:
            for _ in on_threads(work.play, missing, concurrency or cores(), work.stop):
                pass
            if config.rare is not None and (missing or not dataset.has(RARE_PART)):
                work.add_rare(dataset)
        except KeyboardInterrupt:
            kept = sum(1 for chunk in chunks if _whole(dataset, chunk))
            raise Interrupted(
                f"kept {kept} of {len(chunks)} parts in {path}; the same command goes on from there"
            ) from None
        return dataset.finish()


class _Generation:
    """Self-play under way, on several threads."""

    def __init__(
        self, game: Game, player: Player, config: GenerateConfig, book: npt.NDArray[np.uint64] | None, path: Path,
        progress: Progress,
    ) -> None:  # fmt: skip
        self.game, self.player, self.config, self.book = game, player, config, book
        self.path, self.progress = path, progress
        self.limit = player.limit or Limit(nodes=config.nodes)
        self.replayer = Replayer(game)
        self.usual_length = self._usual_length()
        self.searchers: list[Searcher] = []
        self.stopping = threading.Event()

    def chunks(self) -> list[tuple[int, int]]:
        """Number and size of every chunk."""
        games = self.config.games
        return [(number, min(CHUNK, games - number * CHUNK)) for number in range((games + CHUNK - 1) // CHUNK)]

    def stop(self) -> None:
        """End all games."""
        self.stopping.set()
        for searcher in self.searchers.copy():
            searcher.stop()

    def play(self, chunk: tuple[int, int]) -> None:
        """Play the games of one chunk and write its part."""
        number, count = chunk
        searcher = self.player.searcher(self.limit, 0)
        self.searchers.append(searcher)
        source = random.Random(derive(self.config.seed, "games", number))
        found: list[Samples] = []
        for game_number in range(number * CHUNK, number * CHUNK + count):
            start, moves = draw_opening(self.game, self.config.random_plies, source, self.book)
            noisy_plies = source.randrange(self.usual_length)
            played = self._game(searcher, start, noisy_plies, source)
            samples = self.replayer.samples(game_number, start, played.moves, played.result, first_ply=len(moves))
            playout = samples.ply >= len(moves) + played.quiet_from
            found.append(_scored(samples, played, playout, len(moves)) if self.config.scores else samples.take(playout))
            self.progress.advance()
        self.searchers.remove(searcher)
        joined = Samples.join(found, self.game.words)
        write_part(self.path, number, joined, self.game, games=count, text=self.config.text)

    def _game(self, searcher: Searcher, start: Position, noisy_plies: int, source: random.Random) -> Finished:
        """One game; what was stopped is an interrupt."""
        played = self._styled if self.config.styled and not self.player.random else self._usual
        finished = played(searcher, start, noisy_plies, source)
        if finished.stopped or self.stopping.is_set():
            raise KeyboardInterrupt
        return finished

    def _styled(self, searcher: Searcher, start: Position, noisy_plies: int, source: random.Random) -> Finished:
        """A game move by move, with temperature and adjudication."""
        config = self.config
        style = Style(config.temperature, config.resign, config.draw, config.noise)
        return play_styled(self.game, searcher, self.limit, start, style, noisy_plies, source)

    def _usual(self, searcher: Searcher, start: Position, noisy_plies: int, source: random.Random) -> Finished:
        """A game inside the kernel."""
        prepare(
            searcher, self.limit, source.getrandbits(62),
            random=self.player.random, noise=self.config.noise, noise_plies=noisy_plies,
        )  # fmt: skip
        # To prepare a searcher also takes back a stop that came between two games.
        if self.stopping.is_set():
            return Finished((), 0, 0, (), stopped=True)
        played = play_game(self.game, searcher, searcher, start)
        return Finished(played.moves, played.result, played.quiet_from, played.scores, played.stopped)

    def add_rare(self, dataset: Dataset) -> None:
        """Write the part with rare features; it depends on all other parts."""
        assert self.config.rare is not None
        counts = FeatureCounts(self.game)
        for part in dataset.parts():
            if part != part_path(self.path, RARE_PART):
                counts.add(read_part(part, self.game).words)
        searcher = self.player.searcher(self.limit, 0)
        self.searchers.append(searcher)

        def playout(position: Position) -> int | None:
            if self.stopping.is_set():
                return None
            prepare(searcher, self.limit, self.config.seed)
            played = play_game(self.game, searcher, searcher, position)
            return None if played.stopped else played.result

        def work(_: None) -> None:
            source = random.Random(derive(self.config.seed, "rare"))
            samples = rare_samples(
                self.game, counts, self.config.rare or 0, self.config.rare_games, self.config.games, playout, source
            )
            write_part(self.path, RARE_PART, samples, self.game, text=self.config.text)

        for _ in on_threads(work, [None], 1, self.stop):
            pass

    def _usual_length(self) -> int:
        """The length of one game without noise."""
        searcher = self.player.searcher(self.limit, self.config.seed)
        return max(1, len(play_game(self.game, searcher, searcher, self.game.start()).moves))


def _scored(samples: Samples, played: Finished, playout: npt.NDArray[np.bool_], opening: int) -> Samples:
    """The samples that have a playout value or a score of the search, or both."""
    thought = np.array([UNKNOWN if score is None else score for score in played.scores], dtype=np.int64)
    score = thought[samples.ply - opening].astype(np.int32)
    label = np.where(score == UNKNOWN, NONE, TOLD).astype(np.int8)
    result = np.where(playout, samples.result, UNKNOWN).astype(np.int32)
    return replace(samples, result=result, score=score, label=label).take(playout | (score != UNKNOWN))


def _whole(dataset: Dataset, chunk: tuple[int, int]) -> bool:
    """Whether a chunk is there with all its games: a last chunk that was short may have to grow."""
    number, count = chunk
    return dataset.has(number) and part_games(part_path(dataset.path, number)) >= count
