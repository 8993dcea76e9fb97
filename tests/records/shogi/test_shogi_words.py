"""Moves told by words: compiled code must find the same piece as the plain reader of KI2, in any position."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_samples import names, only, random_game

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.movegen.generate import DROP, PROMOTE
from evalsmith.games.shogi.notation.claims import BEFORE, MOTION, NO_ORIGIN, WORD
from evalsmith.games.shogi.notation.kif import FILES, PIECES, RANKS
from evalsmith.records import Ki2, Kif
from evalsmith.records.shogi.replay import WRONG, replay
from evalsmith.run import MoveError
from naive.ki2 import format_ki2, parse_japanese

PLACES, MOTIONS = ("", "左", "右", "直"), ("", "上", "寄", "引")
CROWDED = [
    "4k4/9/4G4/3G1G3/9/4G4/9/9/4K4 b 2R2B4S4N4L18P 1",
    "4k4/9/9/3sss3/4s4/9/9/9/4K4 w 2r2b4g4n4l18p 1",
    "4k4/9/3+P+P+P3/3+P1+P3/3+P+P+P3/9/9/9/4K4 b 2R2B4G4S4N4L10P 1",
    "8k/R8/9/9/4R4/9/B7B/9/4K4 b 4G4S4N4L18P 1",
    "8k/+R8/9/9/4+R4/9/+B7+B/9/4K4 b 4G4S4N4L18P 1",
    "3rk4/9/9/9/9/3N1N3/9/3L5/4K4 b R2B4G4S2N3L18P 1",
    "4k4/4r4/9/9/4S4/5S3/9/9/4K4 b R2B4G2S4N4L18P 1",
]


def texts_of(kinds: list[int], targets: list[int]) -> list[tuple[str, int]]:
    """Every text of these pieces and targets, with its claim."""
    found = []
    for kind in kinds:
        for target in targets:
            for place in range(4):
                for motion in range(4):
                    for change in ("", "成", "不成"):
                        text = FILES[target // 9] + RANKS[target % 9] + PIECES[kind] + PLACES[place] + MOTIONS[motion]
                        claim = target + 128 * NO_ORIGIN + (kind << BEFORE) + (place << WORD) + (motion << MOTION)
                        found.append((text + change, claim + (PROMOTE if change == "成" else 0)))
    return found


def expected(position: np.ndarray, text: str) -> int | None:
    try:
        return parse_japanese(position, text)
    except MoveError:
        return None


def check(position: np.ndarray, texts: list[tuple[str, int]]) -> None:
    claims = np.array([claim for _, claim in texts], dtype=np.int64)
    played = replay(claims, np.arange(len(claims) + 1, dtype=np.int64), np.repeat(position[None], len(claims), 0))
    for row, (text, _) in enumerate(texts):
        found = int(played.moves[row]) if played.facts[row, WRONG] < 0 else None
        assert found == expected(position, text), (GAME.format(position), text)


@pytest.mark.parametrize("sfen", CROWDED)
def test_crowded_boards(sfen: str) -> None:
    position = GAME.parse(sfen)
    rng = random.Random(sfen)
    moves = GAME.moves(position)
    kinds = sorted({kind_of(position, move) for move in moves if move >> 7 & 127 <= DROP})
    targets = sorted({move & 127 for move in moves if move >> 7 & 127 <= DROP})
    check(position, texts_of(kinds, rng.sample(targets, min(len(targets), 8))))


def kind_of(position: np.ndarray, move: int) -> int:
    origin = move >> 7 & 127
    return origin - DROP if origin > DROP else int(position[origin >> 3]) >> 8 * (origin & 7) & 15


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_random_positions(seed: int) -> None:
    rng = random.Random(seed)
    position = GAME.start()
    for move in random_game(seed, most=200):
        position = GAME.play_unchecked(position, move)
    moves = GAME.moves(position)
    if moves:
        chosen = rng.choice(moves)
        check(position, texts_of([kind_of(position, chosen)], [chosen & 127]))
        texts = [format_ki2(position, move).lstrip("▲△") for move in moves]
        assert [expected(position, text) for text in texts] == moves


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_kif_without_origins_is_read_by_words(seed: int) -> None:
    position, lines, moves = GAME.start(), ["手合割：平手"], random_game(seed)
    last: int | None = None
    for ply, move in enumerate(moves, 1):
        lines.append(f"{ply:4d} {format_ki2(position, move, last)[1:]}")
        position, last = GAME.play_unchecked(position, move), move & 127
    text = "\n".join(lines) + "\n"
    for encoding in ("utf-8", "cp932", "euc_jp"):
        assert only(Kif(), text.encode(encoding)).moves == moves


def test_a_pinned_piece_is_not_meant() -> None:
    # The gold on 5h is pinned by the rook, so 6g can only be reached by the other one.
    rows = ["・" * 9] * 9
    rows[0], rows[6], rows[7], rows[8] = (
        "・・・・v飛・・・v玉",
        "・・金・・・・・・",
        "・・・・金・・・・",
        "・・・・玉・・・・",
    )
    start = "後手の持駒：なし\n" + "\n".join(f"|{row}|" for row in rows)
    assert names(only(Ki2(), f"{start}\n先手の持駒：なし\n▲６七金\n")) == ["7g6g"]
