"""Shogi games for the tests: random ones, with terminations that fit them, and ways to read texts."""

from __future__ import annotations

import functools
import io
import random
from pathlib import Path

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.handicaps import HANDICAPS
from evalsmith.games.shogi.notation import handicap
from evalsmith.records import Faults, Format, Record, Score

WIN = 30_000
NOWHERE = Path("/no/such/folder/games")
# Endings that the formats tell: the mover loses, the mover wins, a draw, nobody knows.
TERMINATIONS = {
    "resigned": -1, "time": -1, "illegal": -1, "declared": 1, "impasse": 0, "agreed": 0, "interrupted": None, "": None,
}  # fmt: skip


def read(known: Format, content: bytes | str) -> tuple[list[Record], Faults]:
    """The games of a text."""
    faults = Faults()
    data = content.encode() if isinstance(content, str) else content
    return list(known.games(io.BufferedReader(io.BytesIO(data)), NOWHERE, faults)), faults


def only(known: Format, content: bytes | str) -> Record:
    """The one game of a text in which nothing is wrong."""
    records, faults = read(known, content)
    assert not faults.examples
    assert len(records) == 1
    return records[0]


def names(record: Record) -> list[str]:
    """The moves as USI writes them."""
    position = GAME.start() if record.start is None else GAME.parse(record.start)
    found = []
    for move in record.moves:
        found.append(GAME.format_move(position, move))
        position = GAME.play(position, move)
    return found


@functools.cache
def random_game(seed: int, start: str | None = None, most: int = 120) -> tuple[int, ...]:
    """Moves of a game that prefers captures and promotions, so that everything occurs."""
    rng = random.Random(seed)
    position = GAME.start() if start is None else GAME.parse(start)
    moves: list[int] = []
    for _ in range(rng.randint(1, most)):
        legal = GAME.moves(position)
        if not legal:
            break
        noisy = [move for move in legal if GAME.capture_value(position, move) > 0]
        move = rng.choice(noisy if noisy and rng.random() < 0.4 else legal)
        moves.append(move)
        position = GAME.play_unchecked(position, move)
    return tuple(moves)


def random_record(seed: int, scores: bool = True, handicaps: bool = True) -> Record:
    """A game with everything that CSA tells: ratings, times, scores, a termination that fits."""
    rng = random.Random(seed)
    start = None
    if handicaps and rng.random() < 0.4:
        start = GAME.format(handicap(rng.choice([name for name in HANDICAPS if name != "平手"])))
    moves = random_game(seed, start)
    position = GAME.start() if start is None else GAME.parse(start)
    for move in moves:
        position = GAME.play_unchecked(position, move)
    mover, mated = GAME.mover(position), not GAME.moves(position)
    termination = "mate" if mated else rng.choice(list(TERMINATIONS))
    outcome = -1 if mated else TERMINATIONS[termination]
    told = tuple(
        None if rng.random() < 0.2
        else Score(rng.randint(-3000, 3000) if scores else None, None, float(rng.randint(0, 4000)))
        for _ in moves
    )  # fmt: skip
    return Record(
        "shogi",
        moves,
        start=start,
        result=None if outcome is None else outcome * WIN * (1 - 2 * mover),
        finished=mated,
        termination=termination,
        players=(rng.choice(["alpha", "羽生", ""]), rng.choice(["beta", "きふわらべ", ""])),
        ratings=(float(rng.randint(-50, 3999)), None) if scores else (float(rng.randint(100, 3999)), None),
        event=rng.choice(["", "電竜戦"]),
        date=rng.choice(["", "2018/05/03 11:00:54"]),
        time_control=rng.choice(["", "00:25+00"]),
        source=str(NOWHERE),
        scores=told if any(score is not None for score in told) else (),
    )
