"""Many games at once, as columns: what fast readers give, and what datasets are made of.

A format reads either records one by one or batches; each can be had from the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evalsmith.games import find_game
from evalsmith.records.record import UNKNOWN, Record, Score

BATCH_GAMES = 1000  # how many records are gathered into one batch


@dataclass(frozen=True)
class Texts:
    """What a file says of one game in words; empty where it says nothing."""

    players: tuple[str, str] = ("", "")
    event: str = ""
    date: str = ""
    time_control: str = ""
    termination: str = ""
    comments: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Batch:
    """Games of one file. Game ``i`` has the moves ``moves[first[i]:first[i + 1]]``, all legal from ``starts[i]``.

    Results are for side 0; ratings are in Elo by side. Scores, depths (searched plies, -1 unknown), ``seconds`` taken
    (nan unknown) and exact values belong to the position before a move and are for its mover. UNKNOWN stands where
    nothing is known. ``standard`` marks the games that begin at the game's own start; ``numbers`` count the games of
    the file from 1, and ``offsets`` say at which byte or line they stand. ``after`` is where the file goes on, in
    numbers that its reader takes as ``begin``; empty where it cannot begin there.
    """

    game: str
    source: str
    moves: npt.NDArray[np.int32]
    first: npt.NDArray[np.int64]
    starts: npt.NDArray[np.uint64]
    standard: npt.NDArray[np.bool_]
    results: npt.NDArray[np.int32]
    finished: npt.NDArray[np.bool_]
    ratings: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int32]
    depths: npt.NDArray[np.int16]
    seconds: npt.NDArray[np.float32]
    exact: npt.NDArray[np.int32]
    texts: Sequence[Texts] = ()
    after: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.results)

    def records(self) -> Iterator[Record]:
        """The games one by one."""
        game = find_game(self.game)
        for i in range(len(self)):
            begin, end = int(self.first[i]), int(self.first[i + 1])
            texts = self.texts[i] if self.texts else Texts()
            ratings = [None if rating == UNKNOWN else float(rating) for rating in self.ratings[i].tolist()]
            exact = self.exact[begin:end]
            yield Record(
                self.game,
                tuple(self.moves[begin:end].tolist()),
                start=None if self.standard[i] else game.format(self.starts[i]),
                result=_known(int(self.results[i])),
                finished=bool(self.finished[i]),
                termination=texts.termination,
                players=texts.players,
                ratings=(ratings[0], ratings[1]),
                event=texts.event,
                date=texts.date,
                time_control=texts.time_control,
                source=self.source,
                number=int(self.numbers[i]),
                offset=int(self.offsets[i]),
                scores=self._scores(begin, end),
                labels={int(ply): int(exact[ply]) for ply in np.flatnonzero(exact != UNKNOWN)},
                comments=texts.comments,
            )

    def _scores(self, begin: int, end: int) -> tuple[Score | None, ...]:
        values, depths, seconds = self.scores[begin:end], self.depths[begin:end], self.seconds[begin:end]
        if (values == UNKNOWN).all() and np.isnan(seconds).all():
            return ()
        return tuple(
            None if value == UNKNOWN and took != took else Score(_known(value), _depth(depth), _time(took))
            for value, depth, took in zip(values.tolist(), depths.tolist(), seconds.tolist(), strict=True)
        )


def _known(value: int) -> int | None:
    return None if value == UNKNOWN else value


def _depth(depth: int) -> int | None:
    return None if depth < 0 else depth


def _time(seconds: float) -> float | None:
    return None if seconds != seconds else seconds


def batched(records: Iterable[Record], game_name: str, source: str) -> Iterator[Batch]:
    """Records gathered into batches, in their order."""
    waiting: list[Record] = []
    for record in records:
        waiting.append(record)
        if len(waiting) == BATCH_GAMES:
            yield join(waiting, game_name, source)
            waiting = []
    if waiting:
        yield join(waiting, game_name, source)


def join(records: list[Record], game_name: str, source: str) -> Batch:
    """One batch of some records. An exact value of the position after the last move has no place in it."""
    game = find_game(game_name)
    standard = game.start()
    lengths = [len(record.moves) for record in records]
    first = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    plies = int(first[-1])
    scores, exact = np.full(plies, UNKNOWN, dtype=np.int32), np.full(plies, UNKNOWN, dtype=np.int32)
    depths, seconds = np.full(plies, -1, dtype=np.int16), np.full(plies, np.nan, dtype=np.float32)
    for begin, record in zip(first.tolist(), records, strict=False):
        for ply, value in record.labels.items():
            if ply < len(record.moves):
                exact[begin + ply] = value
        for ply, score in enumerate(record.scores):
            if score is not None:
                scores[begin + ply] = UNKNOWN if score.value is None else score.value
                depths[begin + ply] = -1 if score.depth is None else score.depth
                seconds[begin + ply] = np.nan if score.seconds is None else score.seconds
    return Batch(
        game_name,
        source,
        np.fromiter((move for record in records for move in record.moves), dtype=np.int32, count=plies),
        first,
        np.stack([standard if record.start is None else game.parse(record.start) for record in records]),
        np.array([record.start is None for record in records]),
        np.array([UNKNOWN if record.result is None else record.result for record in records], dtype=np.int32),
        np.array([record.finished for record in records]),
        np.array([[UNKNOWN if r is None else round(r) for r in record.ratings] for record in records], dtype=np.int32),
        np.array([record.number for record in records], dtype=np.int64),
        np.array([record.offset for record in records], dtype=np.int64),
        scores,
        depths,
        seconds,
        exact,
        [
            Texts(record.players, record.event, record.date, record.time_control, record.termination, record.comments)
            for record in records
        ],
    )
