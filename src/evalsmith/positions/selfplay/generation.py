"""Datasets from self-play: random or book openings, then our search plays both sides to the end.

Up to a ply that is drawn for each game, some moves are random. So the positions are like those that a search
meets: mostly sensible, with mistakes in them. The result of the rest of a game is the playout value of every position
after the last random move, and those are the samples. With ``scores`` all positions that were searched are, with what
the search thought of them; those before the last random move then have no result. A position in which the move was
drawn at random was not searched.

Games are made in chunks; a chunk is one part of the dataset and depends on the seed and its number alone, so a run that
was killed resumes with the chunks that are missing.
"""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from evalsmith.engine import Limit, MctsSearcher, PlayedGame, Searcher, play_game, prepare
from evalsmith.games import Game, Position, find_game
from evalsmith.games.starts import named_starts
from evalsmith.players import Player, PlayLimit, parse_player
from evalsmith.positions.openings.book import book_positions
from evalsmith.positions.openings.drawing import draw_opening
from evalsmith.positions.samples import NONE, REPORTED, UNKNOWN, Replayer, Samples
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.selfplay.rare import RareSearch, rare_samples
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.selfplay.styled import Finished, Style, play_styled
from evalsmith.positions.store.dataset import Dataset, create_dataset, dataset_lock, is_dataset, load_dataset
from evalsmith.positions.store.parts import part_games, part_path, read_part, write_part
from evalsmith.run import InputError, Interrupted, Progress, derive, resume
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import cores, on_threads
from evalsmith.weights.counting import FeatureCounts

Starts: TypeAlias = npt.NDArray[np.uint64] | Sequence[str]
"""Positions of a book, or texts of starts that the game deals."""

CHUNK = 250
TREE_CHUNK = 25  # of games by tree search, which take more than ten times as long
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
    _check_player(player)
    settings = replace(settings, scores=_stores_scores(settings, player, path))
    book = book_positions(game, settings.book, settings.book_plies) if settings.book else None
    weights = hashlib.blake2b(player.weights.values.tobytes(), digest_size=8).hexdigest()
    starts = _starts(game, settings)
    made = {**settings.to_json(), "weights": weights}
    if starts is not None:
        made["starts"] = "dealt"  # older datasets of such games have one start alone
    if book is not None:
        made["book_hash"] = hashlib.blake2b(book.tobytes(), digest_size=8).hexdigest()
    with progress("self-play", settings.games, "games") as bar, dataset_lock(path):
        work = _Generation(game, player, settings, book if starts is None else starts, path, bar)
        dataset = create_dataset(path, game, made, [{"name": f"self-play of {player.name}"}], complete=False)
        return work.run(dataset, concurrency or cores())


def _starts(game: Game, settings: GenerateSettings) -> Sequence[str] | None:
    """The texts of the starts that a game deals by level and seed; None where it has one start, or there is a book."""
    if settings.book is not None and settings.given:
        raise InputError("a book has its own starts; leave out --level and --seeds, or the book")
    if settings.book is not None or not (settings.given or game.hook("starts")):
        return None
    return named_starts(game, settings)


def _check_player(player: Player) -> None:
    """Refuse who cannot play against itself here, or not the same games again."""
    if player.outside is not None:
        raise InputError(f"player {player.name!r} is another program; self-play is by our own search")
    if player.threads > 1:
        raise InputError(
            f"player {player.name!r}: a search on {player.threads} threads does not repeat itself; leave threads out, "
            "self-play runs as many games at once as --concurrency says"
        )
    if isinstance(player.limit, PlayLimit) and player.limit.timed:
        raise InputError(f"player {player.name!r}: no clock runs in self-play; give nodes, depth or movetime")


def _stores_scores(settings: GenerateSettings, player: Player, path: Path) -> bool:
    """Whether scores are stored; where nobody says, as the dataset was begun, or by the game."""
    if settings.scores is not None:
        return settings.scores
    if is_dataset(path):
        return bool(load_dataset(path, player.game).made.get("scores"))
    return player.game.win > 0 and not player.random


class _Generation:
    """Self-play under way, on several threads."""

    def __init__(
        self, game: Game, player: Player, settings: GenerateSettings, starts: Starts | None, path: Path,
        progress: Progress,
    ) -> None:  # fmt: skip
        self.game, self.player, self.settings = game, player, settings
        self.book = starts if isinstance(starts, np.ndarray) else None
        self.starts = None if isinstance(starts, np.ndarray) else starts
        self.path, self.progress = path, progress
        self.limit = player.limit or Limit(nodes=settings.nodes)
        self.by_tree = player.method == "mcts" and not player.random
        self.chunk = TREE_CHUNK if self.by_tree else CHUNK
        self.replayer = Replayer(game)
        self.searchers: list[Searcher | MctsSearcher] = []
        self.stopping = threading.Event()
        self.default_length = self._default_length()

    def run(self, dataset: Dataset, concurrency: int) -> Dataset:
        """Play the chunks that are missing; Ctrl-C saves every finished one."""
        chunks = self.chunks()
        missing = [chunk for chunk in chunks if not _is_complete(dataset, chunk)]
        resume(self.progress, self.settings.games - sum(count for _, count in missing))
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
        games, size = self.settings.games, self.chunk
        return [(number, min(size, games - number * size)) for number in range((games + size - 1) // size)]

    def stop(self) -> None:
        """End all games."""
        self.stopping.set()
        for searcher in self.searchers.copy():
            searcher.stop()

    def play(self, chunk: tuple[int, int]) -> None:
        """Play the games of one chunk and write its part."""
        number, count = chunk
        searcher = self._new_searcher()
        source = random.Random(derive(self.settings.seed, "games", number))
        found: list[Samples] = []
        for game_number in range(number * self.chunk, number * self.chunk + count):
            start, moves = draw_opening(self.game, self.settings.random_plies, source, self._book(game_number, source))
            noisy_plies = source.randrange(self.default_length)
            played = self._game(searcher, start, noisy_plies, source)
            samples = self.replayer.samples(game_number, start, played.moves, played.result, first_ply=len(moves))
            playout = samples.ply >= len(moves) + played.quiet_from
            found.append(
                _scored(samples, played, playout, len(moves)) if self.settings.scores else samples.take(playout)
            )
            self.progress.advance()
        self.searchers.remove(searcher)
        self._write(number, Samples.join(found, self.game.words), count)

    def _book(self, game_number: int, source: random.Random) -> npt.NDArray[np.uint64] | None:
        """What the opening of a game is drawn from: the book, or its own start; named seeds come one after another."""
        if self.starts is None:
            return self.book
        number = source.getrandbits(31) if self.settings.seeds is None else game_number
        return self.game.parse(self.starts[number % len(self.starts)])[None]

    def _write(self, number: int, samples: Samples, games: int | None = None) -> None:
        """Write a part; with ``quiet`` its quiet positions alone."""
        if self.settings.quiet:
            samples = samples.take(quiet_positions(self.game, samples.words, threads=1))
        write_part(self.path, number, samples, self.game, games=games, text=self.settings.text)

    def _new_searcher(self) -> Searcher | MctsSearcher:
        """A searcher for one thread, which `stop` stops."""
        player = self.player
        searcher = player.tree_searcher(self.settings.seed) if self.by_tree else player.searcher(self.limit, 0)
        self.searchers.append(searcher)
        return searcher

    def _game(
        self, searcher: Searcher | MctsSearcher, start: Position, noisy_plies: int, source: random.Random
    ) -> Finished:
        """One game; what was stopped is an interrupt."""
        settings = self.settings
        if isinstance(searcher, Searcher) and (self.player.random or not settings.styled):
            finished = self._plain(searcher, start, noisy_plies, source)
        else:
            style = Style(settings.temperature, settings.resign, settings.draw, settings.noise, noisy_plies)
            finished = play_styled(self.game, searcher, self.limit, start, style, source, self.stopping)
        if finished.stopped or self.stopping.is_set():
            raise KeyboardInterrupt
        return finished

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
        searcher = self._new_searcher()

        def playout(position: Position) -> int | None:
            played = None if self.stopping.is_set() else self._noiseless(searcher, position)
            return None if played is None or played.stopped else played.result

        def work(_: None) -> None:
            samples = rare_samples(counts, search, playout, random.Random(derive(settings.seed, "rare")))
            self._write(RARE_PART, samples)

        for _ in on_threads(work, [None], 1, self.stop):
            pass

    def _default_length(self) -> int:
        """The length of one game without noise."""
        searcher = self._new_searcher()
        length = len(self._noiseless(searcher, self._standard_start(), at_random=self.player.random).moves)
        self.searchers.remove(searcher)
        return max(1, length)

    def _standard_start(self) -> Position:
        return self.game.start() if self.starts is None else self.game.parse(self.starts[0])

    def _noiseless(
        self, searcher: Searcher | MctsSearcher, start: Position, *, at_random: bool = False
    ) -> PlayedGame | Finished:
        """A game of our search, or of random moves, without noise, temperature or adjudication."""
        seed = self.settings.seed
        if isinstance(searcher, Searcher):
            prepare(searcher, self.limit, seed, random=at_random)
            return play_game(self.game, searcher, searcher, start)
        return play_styled(self.game, searcher, self.limit, start, Style(), random.Random(seed), self.stopping)


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
