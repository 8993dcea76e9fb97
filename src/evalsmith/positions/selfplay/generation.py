"""Datasets from self-play: random or book openings, then our search plays both sides to the end.

Up to a ply that is drawn for each game, some moves are random. So the positions are like those that a search
meets: mostly sensible, with mistakes in them. The result of the rest of a game is the playout value of every position
after the last random move, and those are the samples. With ``scores`` all positions that were searched are, with what
the search thought of them; those before the last random move then have no result. A position in which the move was
drawn at random was not searched.

Of a game played alone, the moves of some decisions are also played on (`alternatives`).

Games are made in chunks; a chunk is one part of the dataset and depends on the seed and its number alone, so a run that
was killed resumes with the chunks that are missing.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from evalsmith.games import Game, Position, find_game
from evalsmith.games.starts import named_starts
from evalsmith.players import Player, PlayLimit, parse_player
from evalsmith.positions.openings.book import book_positions
from evalsmith.positions.selfplay.chunks import Chunk, ChunkPlayer, SelfPlay
from evalsmith.positions.selfplay.rare import RareSearch, rare_samples
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.store.dataset import Dataset, create_dataset, dataset_lock, is_dataset, load_dataset
from evalsmith.positions.store.parts import part_games, part_path, read_part
from evalsmith.run import InputError, Interrupted, Progress, derive, resume, write_bytes
from evalsmith.run.watching import Watch, unwatched
from evalsmith.scale import How, interruptible, run
from evalsmith.weights.counting import FeatureCounts

ALTERNATIVES = 12  # moves of a decision that are played on where nobody says how many
# A player that is a weights file: its options begin at the first semicolon without a backslash before it.
_WEIGHTS_FILE = re.compile(r"(?P<kind>weights:)?(?P<file>(?:[^;:\\]|\\.)+)(?P<options>;.*)?", re.DOTALL)
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
    if game.players > 1 and settings.alternatives:
        raise InputError(f"alternatives are for games played alone; {game.title} has {game.players} players")
    player = parse_player(settings.player, game)
    _check_player(player)
    settings = replace(
        settings,
        scores=_stores_scores(settings, player, path),
        alternatives=_alternatives(settings, player, path),
    )
    book = book_positions(game, settings.book, settings.book_plies) if settings.book else None
    weights = hashlib.blake2b(player.weights.values.tobytes(), digest_size=8).hexdigest()
    starts = _starts(game, settings)
    made = {**settings.to_json(), "player": _player_text(settings, game, path), "weights": weights}
    if starts is not None:
        made["starts"] = "dealt"  # older datasets of such games have one start alone
    if book is not None:
        made["book_hash"] = hashlib.blake2b(book.tobytes(), digest_size=8).hexdigest()
    with progress("self-play", settings.games, "games") as bar, dataset_lock(path):
        work = _Generation(SelfPlay(game, player, settings, book if starts is None else starts), path, bar)
        dataset = create_dataset(path, game, made, [{"name": f"self-play of {player.name}"}], complete=False)
        return work.run(dataset, concurrency)


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


def _player_text(settings: GenerateSettings, game: Game, path: Path) -> str:
    """The player as a dataset stores it: a weights file without its folder, so that both may be moved together.

    The hash of the weights says whether they are the same. Older datasets store the folder, and keep it.
    """
    wanted = _without_folder(settings.player)
    stored = load_dataset(path, game).made.get("player") if is_dataset(path) else None
    return stored if isinstance(stored, str) and _without_folder(stored) == wanted else wanted


def _without_folder(player: str) -> str:
    found = _WEIGHTS_FILE.fullmatch(player)
    if found is None:
        return player
    return f"{found['kind'] or ''}{PurePath(found['file']).name}{found['options'] or ''}"


def _stores_scores(settings: GenerateSettings, player: Player, path: Path) -> bool:
    """Whether scores are stored; where nobody says, as the dataset was begun, or by the game."""
    if settings.scores is not None:
        return settings.scores
    if is_dataset(path):
        return bool(load_dataset(path, player.game).made.get("scores"))
    return player.game.win > 0 and not player.random


def _alternatives(settings: GenerateSettings, player: Player, path: Path) -> int | None:
    """How many moves of a decision are played on; where nobody says, as the dataset was begun, or by the game."""
    if settings.alternatives is not None or player.game.players > 1:
        return settings.alternatives
    if is_dataset(path):
        return int(load_dataset(path, player.game).made.get("alternatives", 0))
    return 0 if player.random else ALTERNATIVES


class _Generation:
    """Self-play under way."""

    def __init__(self, play: SelfPlay, path: Path, progress: Progress) -> None:
        self.here = ChunkPlayer(play)
        self.play = replace(play, length=self.here.usual_length())
        self.path, self.progress = path, progress

    def run(self, dataset: Dataset, concurrency: int | None) -> Dataset:
        """Play the chunks that are missing; Ctrl-C saves every finished one."""
        settings, chunks = self.play.settings, self.play.chunks()
        missing = [chunk for chunk in chunks if not _is_complete(dataset, chunk)]
        resume(self.progress, settings.games - sum(chunk.games for chunk in missing))
        dataset = dataset.unfinished() if missing else dataset
        how = How.shown(concurrency, self.progress, self.path, units=True, ordered=False)
        try:
            for chunk, part in run(self.play.job(), missing, how):
                write_bytes(part_path(self.path, chunk.number), part)
            if settings.rare is not None and (missing or not dataset.has(RARE_PART)):
                self.add_rare(dataset)
        except KeyboardInterrupt:
            saved = sum(1 for chunk in chunks if _is_complete(dataset, chunk))
            raise Interrupted(
                f"{saved} of {len(chunks)} parts are saved in {self.path}; run the same command to resume"
            ) from None
        return dataset.finish()

    def add_rare(self, dataset: Dataset) -> None:
        """Write the part with rare features; it depends on all other parts."""
        settings, here = self.play.settings, self.here
        assert settings.rare is not None
        search = RareSearch(below=settings.rare, games=settings.rare_games, first_number=settings.games)
        counts = FeatureCounts(self.play.game)
        for part in dataset.parts():
            if part != part_path(self.path, RARE_PART):
                counts.add(read_part(part, self.play.game).words)
        searcher = here.new_searcher()

        def playout(position: Position) -> int | None:
            played = None if here.stopping.is_set() else here.noiseless(searcher, position)
            return None if played is None or played.stopped else played.result

        def work() -> None:
            samples = rare_samples(counts, search, playout, random.Random(derive(settings.seed, "rare")))
            write_bytes(part_path(self.path, RARE_PART), self.play.part(samples))

        interruptible(work, here.stop)


def _is_complete(dataset: Dataset, chunk: Chunk) -> bool:
    """Whether a chunk has all its games: a last chunk that was short may have to grow."""
    return dataset.has(chunk.number) and part_games(part_path(dataset.path, chunk.number)) >= chunk.games
