"""Lists of positions of every game: read as they are written, and a broken line costs itself only."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import CHANCE, OVER, find_game
from evalsmith.records import UNKNOWN, Faults, find_format, read_games
from evalsmith.records.lists import LISTS, NO_MARGIN, format_result, read_result

GAMES = [form.game for form in LISTS]


def some_positions(name: str, count: int = 12) -> list[str]:
    game, choose = find_game(name), random.Random(3)
    position, found = game.start(), []
    while len(found) < count:
        status = game.status(position)
        if status == OVER:
            position = game.start()
        elif status == CHANCE:
            position = game.reveal(position, choose.randrange(len(game.chance(position))))
        else:
            found.append(game.format(position))
            position = game.play_unchecked(position, choose.choice(game.moves(position)))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_shape_is_known_by_its_first_line(tmp_path: Path, name: str) -> None:
    game, texts = find_game(name), some_positions(name)
    shapes = {"[1.0]": (1, UNKNOWN), "| -25 | 0.0": (-1, -25), 'c9 "1/2-1/2";': (0, UNKNOWN), "| 7 | ?": (None, 7)}
    for shape, (sign, score) in shapes.items():
        path = tmp_path / "list.txt"
        path.write_text("# a list\n" + "".join(f"{text} {shape}\n" for text in texts))
        (source,) = read_games([path]).sources
        assert source.format.name == f"{name}-list"
        faults = Faults()
        (batch,) = source.format.read_position_batches(path, faults)
        assert not faults.counts
        assert [game.format(row) for row in batch.words] == texts
        worth = UNKNOWN if sign is None else sign * (game.win or 100)
        assert batch.results.tolist() == [worth] * len(texts)
        turned = [score if game.mover(row) == 0 or score == UNKNOWN else -score for row in batch.words]
        assert batch.scores.tolist() == turned
        assert batch.offsets.tolist() == list(range(2, len(texts) + 2))
        assert (faults.warnings[NO_MARGIN] > 0) == (sign in (1, -1) and not game.win)


@settings(deadline=None)
@given(result=st.integers(-6400, 6400))
def test_margins_come_back(result: int) -> None:
    othello, shogi = find_game("othello"), find_game("shogi")
    faults = Faults()
    assert read_result(othello, format_result(othello, result), 6400, faults) == result
    sign = (result > 0) - (result < 0)
    assert read_result(shogi, format_result(shogi, result), shogi.win, faults) == sign * shogi.win
    assert not faults.warnings


def test_a_broken_line_costs_itself(tmp_path: Path) -> None:
    (text,) = some_positions("dvonn", 1)
    lines = [
        f"{text} [+3]",
        f"{text} | x | +3",
        f"{text} [3]",
        "nothing | 1 | 1.0",
        text,
        f"{text} [+50]",
        "x" * 70_000,
    ]
    path = tmp_path / "list.txt"
    path.write_bytes(("\n".join(lines) + "\n").encode() + b"\0\xff\n" + f"{text} [-2.5]".encode())
    faults = Faults()
    (batch,) = find_format("dvonn-list").read_position_batches(path, faults)
    assert batch.numbers.tolist() == [1, 5, 9]
    assert batch.results.tolist() == [300, UNKNOWN, -250]
    assert dict(faults.counts) == {
        "not a score, or beyond a win": 1,
        "neither 1, 1/2, 0 nor a margin": 2,
        "not a position": 2,
        "the line is too long": 1,
    }
    assert "line 2, game 2: not a score, or beyond a win: 'x'" in str(faults.examples[0])


@settings(deadline=None)
@given(content=st.binary(max_size=300))
def test_garbage_is_never_an_exception(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("garbage") / "x.txt"
    path.write_bytes(content)
    for form in LISTS:
        faults = Faults()
        found = sum(len(batch) for batch in form.read_position_batches(path, faults))
        assert found or faults.counts or not form.sniff(content)  # what is taken for a list has lines
