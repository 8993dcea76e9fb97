"""One chunk of self-play: its games are played in turn, and become the bytes of one part.

A chunk depends on the seed and its number alone, whoever plays it and wherever.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalsmith.engine import Limit, MctsSearcher, PlayedGame, Searcher, play_game, prepare
from evalsmith.games import Game, Position
from evalsmith.players import Player
from evalsmith.positions.openings.drawing import draw_opening
from evalsmith.positions.samples import NONE, REPORTED, UNKNOWN, Replayer, Samples
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.selfplay.alternatives import Alternatives
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.selfplay.styled import Finished, Style, play_styled
from evalsmith.positions.store.parts import part_bytes
from evalsmith.run import derive
from evalsmith.scale import Job, Report

Starts: TypeAlias = npt.NDArray[np.uint64] | Sequence[str]
"""Positions of a book, or texts of starts that the game deals."""

CHUNK = 250
TREE_CHUNK = 25  # of games by tree search, which take more than ten times as long


class Chunk(NamedTuple):
    """Games that become one part: its number, the number of their first one, and how many they are."""

    number: int
    first: int
    games: int


@dataclass(frozen=True)
class SelfPlay:
    """What all chunks share. ``length`` is that of a usual game: before a random ply of it, moves may be random."""

    game: Game
    player: Player
    settings: GenerateSettings
    starts: Starts | None = None
    length: int = 1

    @property
    def limit(self) -> Limit:
        """The limit of a move."""
        return self.player.limit or Limit(nodes=self.settings.nodes)

    @property
    def by_tree(self) -> bool:
        """Whether games are played by tree search."""
        return self.player.method == "mcts" and not self.player.random

    def chunks(self) -> list[Chunk]:
        """All chunks."""
        games, size = self.settings.games, TREE_CHUNK if self.by_tree else CHUNK
        return [Chunk(i, first, min(size, games - first)) for i, first in enumerate(range(0, games, size))]

    @property
    def book(self) -> npt.NDArray[np.uint64] | None:
        """The positions of the book."""
        return self.starts if isinstance(self.starts, np.ndarray) else None

    @property
    def dealt(self) -> Sequence[str] | None:
        """The texts of the starts that the game deals."""
        return None if isinstance(self.starts, np.ndarray) else self.starts

    @property
    def standard_start(self) -> Position:
        """Where a game without a book begins."""
        return self.game.start() if self.dealt is None else self.game.parse(self.dealt[0])

    def job(self) -> Job:
        """The chunks as work."""
        return Job(f"{__name__}:ChunkPlayer", (self,), check=f"{__name__}:is_part")

    def part(self, samples: Samples, games: int | None = None) -> bytes:
        """A part; with ``quiet`` its quiet positions alone."""
        if self.settings.quiet:
            samples = samples.take(quiet_positions(self.game, samples.words, threads=1))
        return part_bytes(samples, self.game, games=games, text=self.settings.text)


@dataclass(eq=False)
class ChunkPlayer:
    """Plays chunks, one at a time."""

    play: SelfPlay
    stopping: threading.Event = field(default_factory=threading.Event)
    searchers: list[Searcher | MctsSearcher] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.replayer = Replayer(self.play.game)

    def do(self, item: Chunk, report: Report) -> bytes:
        """The part of one chunk."""
        (number, first, games), play = item, self.play
        searcher, alternatives = self.new_searcher(), self._new_alternatives()
        source = random.Random(derive(play.settings.seed, "games", number))
        found: list[Samples] = []
        for game_number in range(first, first + games):
            start, moves = draw_opening(play.game, play.settings.random_plies, source, self._book(game_number, source))
            noisy_plies = source.randrange(play.length)
            played = self._game(searcher, start, noisy_plies, source)
            samples = self.replayer.samples(game_number, start, played.moves, played.result, first_ply=len(moves))
            playout = samples.ply >= len(moves) + played.quiet_from
            found.append(
                _scored(samples, played, playout, len(moves)) if play.settings.scores else samples.take(playout)
            )
            if alternatives is not None:
                found.append(alternatives.samples(samples, source))
                if self.stopping.is_set():
                    raise KeyboardInterrupt
            report(1)
        self.searchers.remove(searcher)
        if alternatives is not None:
            self.searchers.remove(alternatives.searcher)
        return play.part(Samples.join(found, play.game.words), games)

    def stop(self) -> None:
        """End all games."""
        self.stopping.set()
        for searcher in self.searchers.copy():
            searcher.stop()

    def close(self) -> None:
        """Nothing was started."""

    def new_searcher(self) -> Searcher | MctsSearcher:
        """A searcher which `stop` stops."""
        play = self.play
        searcher = (
            play.player.tree_searcher(play.settings.seed) if play.by_tree else play.player.searcher(play.limit, 0)
        )
        self.searchers.append(searcher)
        return searcher

    def _new_alternatives(self) -> Alternatives | None:
        """What plays alternatives on, which `stop` stops; None where there are none."""
        play, settings = self.play, self.play.settings
        if not settings.alternatives:
            return None
        made = Alternatives(play.game, play.player.weights, settings.alternatives, settings.lookahead)
        self.searchers.append(made.searcher)
        return made

    def noiseless(
        self, searcher: Searcher | MctsSearcher, start: Position, *, at_random: bool = False
    ) -> PlayedGame | Finished:
        """A game of our search, or of random moves, without noise, temperature or adjudication."""
        play, seed = self.play, self.play.settings.seed
        if isinstance(searcher, Searcher):
            prepare(searcher, play.limit, seed, random=at_random)
            return play_game(play.game, searcher, searcher, start)
        return play_styled(play.game, searcher, play.limit, start, Style(), random.Random(seed), self.stopping)

    def usual_length(self) -> int:
        """The length of one game without noise."""
        searcher, play = self.new_searcher(), self.play
        length = len(self.noiseless(searcher, play.standard_start, at_random=play.player.random).moves)
        self.searchers.remove(searcher)
        return max(1, length)

    def _book(self, game_number: int, source: random.Random) -> npt.NDArray[np.uint64] | None:
        """What the opening of a game is drawn from: the book, or its own start; named seeds come one after another."""
        play = self.play
        if play.dealt is None:
            return play.book
        number = source.getrandbits(31) if play.settings.seeds is None else game_number
        return play.game.parse(play.dealt[number % len(play.dealt)])[None]

    def _game(
        self, searcher: Searcher | MctsSearcher, start: Position, noisy_plies: int, source: random.Random
    ) -> Finished:
        """One game; what was stopped is an interrupt."""
        play, settings = self.play, self.play.settings
        if isinstance(searcher, Searcher) and (play.player.random or not settings.styled):
            finished = self._plain(searcher, start, noisy_plies, source)
        else:
            style = Style(settings.temperature, settings.resign, settings.draw, settings.noise, noisy_plies)
            finished = play_styled(play.game, searcher, play.limit, start, style, source, self.stopping)
        if finished.stopped or self.stopping.is_set():
            raise KeyboardInterrupt
        return finished

    def _plain(self, searcher: Searcher, start: Position, noisy_plies: int, source: random.Random) -> Finished:
        """A game inside the kernel."""
        play = self.play
        prepare(
            searcher, play.limit, source.getrandbits(62),
            random=play.player.random, noise=play.settings.noise, noise_plies=noisy_plies,
        )  # fmt: skip
        # To prepare a searcher also takes back a stop that came between two games.
        if self.stopping.is_set():
            return Finished((), 0, 0, (), stopped=True)
        played = play_game(play.game, searcher, searcher, start)
        return Finished(played.moves, played.result, played.quiet_from, played.scores, played.stopped)


def is_part(chunk: Chunk, result: object) -> bool:
    """Whether a result is a part."""
    return isinstance(result, bytes) and result[:4] == result[-4:] == b"PAR1"


def _scored(samples: Samples, played: Finished, playout: npt.NDArray[np.bool_], opening: int) -> Samples:
    """The samples that have a playout value or a score of the search, or both."""
    thought = np.array([UNKNOWN if score is None else score for score in played.scores], dtype=np.int64)
    score = thought[samples.ply - opening].astype(np.int32)
    label = np.where(score == UNKNOWN, NONE, REPORTED).astype(np.int8)
    result = np.where(playout, samples.result, UNKNOWN).astype(np.int32)
    return replace(samples, result=result, score=score, label=label).take(playout | (score != UNKNOWN))
