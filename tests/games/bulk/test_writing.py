"""Texts of many positions at once: the same bytes as those that ``Game.format`` writes one by one."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from evalsmith.games import CHANCE, OVER, Game, find_game
from evalsmith.games.bulk import bulk_of, row_by_row

GAMES = ["chess", "connect_four", "drmario", "dvonn", "othello", "shogi"]
TEXTS = {
    "chess": ["8/8/8/8/8/8/4k3/K7 b - - 99 1234"],
    "connect_four": ["4444443"],
    "drmario": [
        f"seed:{seed} level:{level} speed:{speed} stall:{stall} stalled:{stalled} chance:{chance} pills:{pills}"
        for seed, level, speed, stall, stalled, chance, pills in (
            ("8988", 0, "low", 1, "won", "uniform", 0),
            ("1234", 24, "fast", 100, "lost", "nes", 9),
            ("fffe", 10, "high", 20, "won", "nes-bry", 50_000),
        )
    ],
    # Stacks higher than 15, with and without red, and the last position of a game.
    "dvonn": [
        "D" + "*" + "*" + "B" + "A" * 46 + " A1=16W B1=17BR",
        "E" + "*" + "A" * 48 + " A1=49BR",
    ],
    "othello": ["-" * 64 + " O", "X" * 64 + " X"],
    "shogi": [
        "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 99999",
        "8k/9/+P+L+N+S+B4/9/9/9/+p+l+n+s+b4/9/8K b 3P2l 12",
    ],
}  # fmt: skip


def written(game: Game, rows: np.ndarray) -> list[str]:
    write = bulk_of(game).texts
    assert write is not None
    found = write(rows)
    assert found is not None
    content, ends = found
    assert len(content) == ends[-1]
    return [content[begin:end].tobytes().decode() for begin, end in pairwise(ends)]


def played(game: Game, seed: int, games: int = 6, plies: int = 200) -> list[np.ndarray]:
    choose, rows = random.Random(seed), []
    for _ in range(games):
        position = game.start()
        for _ in range(plies):
            rows.append(position)
            if (status := game.status(position)) == OVER:
                break
            if status == CHANCE:
                position = game.reveal(position, choose.randrange(len(game.chance(position))))
            else:
                position = game.play_unchecked(position, choose.choice(game.moves(position)))
    return rows


@pytest.mark.parametrize("name", GAMES)
def test_texts_are_those_of_format(name: str) -> None:
    game = find_game(name)
    rows = np.stack([*(game.parse(text) for text in TEXTS[name]), *played(game, 7)])
    assert written(game, rows) == [game.format(row) for row in rows]
    assert written(game, rows[:0]) == []
    assert written(game, rows[::2]) == [game.format(row) for row in rows[::2]]  # rows that are not beside each other


@pytest.mark.parametrize("name", GAMES)
def test_moves_with_one_text_in_every_position(name: str) -> None:
    game = find_game(name)
    rows = played(game, 8, games=2)
    fixed_names = bulk_of(game).fixed_names
    assert fixed_names is not None
    for row in rows:
        moves = game.moves(row) if game.status(row) == 0 else []
        for move, fixed in zip(moves, fixed_names(np.array(moves, dtype=np.int32)), strict=True):
            assert not fixed or game.format_move(row, move) == game.format_move(rows[0], move)


def test_castling_is_written_by_its_position() -> None:
    chess = find_game("chess")
    castling = chess.parse_move(chess.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "e1g1")
    fixed_names = bulk_of(chess).fixed_names
    assert fixed_names is not None
    assert not fixed_names(np.array([castling], dtype=np.int32))[0]


def test_a_game_without_a_writer_has_none() -> None:
    assert row_by_row(find_game("othello")).texts is None
