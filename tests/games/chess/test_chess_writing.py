"""FENs from the kernel: the same as those that Python writes, one by one."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np

from evalsmith.games.bulk import bulk_of, legal_each
from evalsmith.games.chess import GAME

FENS = (
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 12",
    "8/8/8/8/8/8/4k3/K7 b - - 99 1234",
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 10 100",
)


def texts(rows: np.ndarray) -> list[str] | None:
    write = bulk_of(GAME).texts
    assert write is not None
    found = write(rows)
    if found is None:
        return None
    content, ends = found
    return [content[begin:end].tobytes().decode() for begin, end in pairwise(ends)]


def played(seed: int, plies: int) -> list[np.ndarray]:
    choose, position, found = random.Random(seed), GAME.start(), []
    for _ in range(plies):
        found.append(position)
        moves = GAME.moves(position)
        if not moves:
            break
        position = GAME.play_unchecked(position, choose.choice(moves))
    return found


def test_the_kernel_writes_what_python_writes() -> None:
    rows = np.stack([*(GAME.parse(fen) for fen in FENS), *(one for seed in range(5) for one in played(seed, 80))])
    assert texts(rows) == [GAME.format(row) for row in rows]
    assert texts(rows)[: len(FENS)] == list(FENS)
    assert texts(rows[:0]) == []


def test_rights_of_chess960_are_left_to_python() -> None:
    other = GAME.parse("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1")
    assert texts(np.stack([GAME.start(), other])) is None


def test_legal_moves_of_many_positions() -> None:
    rows = np.stack(played(3, 40))
    moves = np.array([GAME.moves(row)[-1] for row in rows], dtype=np.int32)
    assert legal_each(GAME, rows, moves).all()
    moves[1], moves[2] = -1, (1 << 24) - 1
    assert np.flatnonzero(~legal_each(GAME, rows, moves)).tolist() == [1, 2]
