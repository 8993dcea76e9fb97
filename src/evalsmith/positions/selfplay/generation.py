"""Datasets from self-play: random or book openings, then our search plays both sides to the end.

Up to a ply that is drawn for each game, some moves are random. So the positions are like those that a search
meets: mostly sensible, with mistakes in them. The result of the rest of a game is the playout value of every position
after the last random move, and those are the samples. With ``scores`` all positions that were searched are, with what
the search thought of them; those before the last random move then have no result.

Games are made in chunks; a chunk is one part of the dataset and depends on the seed and its number alone, so a run that
was killed resumes with the chunks that are missing.
"""

from __future__ import annotations

import hashlib
import random
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.games import Game, Position, find_game
from evalsmith.players import Player, parse_player
from evalsmith.positions.openings.book import book_positions
from evalsmith.positions.openings.drawing import draw_opening
from evalsmith.positions.samples import NONE, REPORTED, UNKNOWN, Replayer, Samples
from evalsmith.positions.selfplay.rare import RareSearch, rare_samples
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.selfplay.styled import Finished, Style, play_styled
from evalsmith.positions.store.dataset import Dataset, create_dataset, dataset_lock
from evalsmith.positions.store.parts import part_games, part_path, read_part, write_part
from evalsmith.run import InputError, Interrupted, Progress, derive
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import cores, on_threads
from evalsmith.weights.counting import FeatureCounts

CHUNK = 250
RARE_PART = 50_000  # the parts for rare features are numbered from here


def generate(
    game: Game | str,
    output: Path | str,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> Dataset:
    """Make a dataset from self-play.

    Settings are those of `GenerateSettings`. Called again, it resumes after the last finished chunk, or adds games up
    to a larger number. A folder made with other settings is refused.

        data = generate("othello", "positions", games=2000, nodes=200)
    """
    return generate_with(
        game, output, GenerateSettings.from_options(settings), concurrency=concurrency, progress=progress
    )


def generate_with(
    game: Game | str,
    output: Path | str,
    settings: GenerateSettings,
    *,
    concurrency: int | None = None,
    progress: Watch = unwatched,
) -> Dataset:
    """Make a dataset from self-play by given settings."""
    game, path = find_game(game) if isinstance(game, str) else game, Path(output)
    if game.players < 2 and (settings.resign or settings.draw):
        raise InputError(f"games of {game.title} have one player, so there is no agreement between sides")
    player = parse_player(settings.player, game)
    book = book_positions(game, settings.book, settings.book_plies) if settings.book else None
    weights = hashlib.blake2b(player.weights.values.tobytes(), digest_size=8).hexdigest()
    made = {**settings.to_json(), "weights": weights}
    if book is not None:
        made["book_hash"] = hashlib.blake2b(book.tobytes(), digest_size=8).hexdigest()
    with progress("self-play", settings.games, "games") as bar, dataset_lock(path):
        work = _Generation(game, player, settings, book, path, bar)
        dataset = create_dataset(path, game, made, [{"name": f"self-play of {player.name}"}], complete=False)
        return work.run(dataset, concurrency or cores())


class _Generation:
    """Self-play under way, on several threads."""

    def __init__(
        self, game: Game, player: Player, settings: GenerateSettings, book: npt.NDArray[np.uint64] | None, path: Path,
        progress: Progress,
    ) -> None:  # fmt: skip
        self.game, self.player, self.settings, self.book = game, player, settings, book
        self.path, self.progress = path, progress
        self.limit = player.limit or Limit(nodes=settings.nodes)
        self.replayer = Replayer(game)
        self.default_length = self._default_length()
        self.searchers: list[Searcher] = []
        self.stopping = threading.Event()

    def run(self, dataset: Dataset, concurrency: int) -> Dataset:
        """Play the chunks that are missing; Ctrl-C saves every finished one."""
        chunks = self.chunks()
        missing = [chunk for chunk in chunks if not _is_complete(dataset, chunk)]
        self.progress.advance(self.settings.games - sum(count for _, count in missing))
        dataset = dataset.unfinished() if missing else dataset
        try:
            for _ in on_threads(self.play, missing, concurrency, self.stop):
                pass
            if self.settings.rare is not None and (missing or not dataset.has(RARE_PART)):
                self.add_rare(dataset)
        except KeyboardInterrupt:
            saved = sum(1 for chunk in chunks if _is_complete(dataset, chunk))
            raise Interrupted(
                f"{saved} of {len(chunks)} parts are saved in {self.path}; run the same command to resume"
            ) from None
        return dataset.finish()

    def chunks(self) -> list[tuple[int, int]]:
        """Number and size of every chunk."""
        games = self.settings.games
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
        source = random.Random(derive(self.settings.seed, "games", number))
        found: list[Samples] = []
        for game_number in range(number * CHUNK, number * CHUNK + count):
            start, moves = draw_opening(self.game, self.settings.random_plies, source, self.book)
            noisy_plies = source.randrange(self.default_length)
            played = self._game(searcher, start, noisy_plies, source)
            samples = self.replayer.samples(game_number, start, played.moves, played.result, first_ply=len(moves))
            playout = samples.ply >= len(moves) + played.quiet_from
            found.append(
                _scored(samples, played, playout, len(moves)) if self.settings.scores else samples.take(playout)
            )
            self.progress.advance()
        self.searchers.remove(searcher)
        joined = Samples.join(found, self.game.words)
        write_part(self.path, number, joined, self.game, games=count, text=self.settings.text)

    def _game(self, searcher: Searcher, start: Position, noisy_plies: int, source: random.Random) -> Finished:
        """One game; what was stopped is an interrupt."""
        played = self._styled if self.settings.styled and not self.player.random else self._plain
        finished = played(searcher, start, noisy_plies, source)
        if finished.stopped or self.stopping.is_set():
            raise KeyboardInterrupt
        return finished

    def _styled(self, searcher: Searcher, start: Position, noisy_plies: int, source: random.Random) -> Finished:
        """A game move by move, with temperature and adjudication."""
        settings = self.settings
        style = Style(settings.temperature, settings.resign, settings.draw, settings.noise)
        return play_styled(self.game, searcher, self.limit, start, style, noisy_plies, source)

    def _plain(self, searcher: Searcher, start: Position, noisy_plies: int, source: random.Random) -> Finished:
        """A game inside the kernel."""
        prepare(
            searcher, self.limit, source.getrandbits(62),
            random=self.player.random, noise=self.settings.noise, noise_plies=noisy_plies,
        )  # fmt: skip
        # To prepare a searcher also takes back a stop that came between two games.
        if self.stopping.is_set():
            return Finished((), 0, 0, (), stopped=True)
        played = play_game(self.game, searcher, searcher, start)
        return Finished(played.moves, played.result, played.quiet_from, played.scores, played.stopped)

    def add_rare(self, dataset: Dataset) -> None:
        """Write the part with rare features; it depends on all other parts."""
        settings = self.settings
        assert settings.rare is not None
        search = RareSearch(below=settings.rare, games=settings.rare_games, first_number=settings.games)
        counts = FeatureCounts(self.game)
        for part in dataset.parts():
            if part != part_path(self.path, RARE_PART):
                counts.add(read_part(part, self.game).words)
        searcher = self.player.searcher(self.limit, 0)
        self.searchers.append(searcher)

        def playout(position: Position) -> int | None:
            if self.stopping.is_set():
                return None
            prepare(searcher, self.limit, settings.seed)
            played = play_game(self.game, searcher, searcher, position)
            return None if played.stopped else played.result

        def work(_: None) -> None:
            samples = rare_samples(counts, search, playout, random.Random(derive(settings.seed, "rare")))
            write_part(self.path, RARE_PART, samples, self.game, text=settings.text)

        for _ in on_threads(work, [None], 1, self.stop):
            pass

    def _default_length(self) -> int:
        """The length of one game without noise."""
        searcher = self.player.searcher(self.limit, self.settings.seed)
        return max(1, len(play_game(self.game, searcher, searcher, self.game.start()).moves))


def _scored(samples: Samples, played: Finished, playout: npt.NDArray[np.bool_], opening: int) -> Samples:
    """The samples that have a playout value or a score of the search, or both."""
    thought = np.array([UNKNOWN if score is None else score for score in played.scores], dtype=np.int64)
    score = thought[samples.ply - opening].astype(np.int32)
    label = np.where(score == UNKNOWN, NONE, REPORTED).astype(np.int8)
    result = np.where(playout, samples.result, UNKNOWN).astype(np.int32)
    return replace(samples, result=result, score=score, label=label).take(playout | (score != UNKNOWN))


def _is_complete(dataset: Dataset, chunk: tuple[int, int]) -> bool:
    """Whether a chunk has all its games: a last chunk that was short may have to grow."""
    number, count = chunk
    return dataset.has(number) and part_games(part_path(dataset.path, number)) >= count
