"""The rules of Dr. Mario by hand-made cases: what vanishes, what falls, when it ends, how fast it falls."""

from pathlib import Path

import numpy as np
import pytest
from drmario_twins import bottle_text, triples, twin

from evalsmith.games.drmario import GAME, strings
from evalsmith.games.drmario.rules import gravity
from evalsmith.games.game import CHANCE, OVER, PLAYER
from evalsmith.games.perft import perft
from evalsmith.run.errors import MoveError
from naive import drmario as naive

_TALL = [f"{piece}......." for piece in "abababababababa"]  # the first column, all but its top


def cases():
    blocks = (Path(__file__).parent / "cases.txt").read_text(encoding="utf-8").split("\n\n")[1:]
    for block in blocks:
        name, task, *rows = block.strip().splitlines()
        words = task.split()
        arrow = rows.index("->")
        yield pytest.param(words[1], words[3], int(words[5]), rows[:arrow], rows[arrow + 1 :], id=name)


@pytest.mark.parametrize(("pill", "name", "kills", "before", "after"), list(cases()))
def test_cases(pill, name, kills, before, after):
    position = GAME.parse(f"{bottle_text(before)} {pill} YY speed:fast pills:9 since:5")
    move = GAME.parse_move(position, name)
    game = twin(position)
    assert GAME.capture_value(position, move) == 100 * kills
    following = GAME.play(position, move)
    board, now, preview, *fields = GAME.format(following).split()
    assert board == bottle_text(after)
    assert (now, preview) == ("rv", "--")
    assert {"pills:10", f"since:{0 if kills else 6}"} <= set(fields)
    game.place(*(int(part) for part in name.split("-")))
    assert game.text() == GAME.format(following)


def test_a_move_that_kills_comes_first():
    position = GAME.parse(f"{bottle_text(['aae....c'])} RB YY speed:fast")
    best = max(GAME.moves(position), key=lambda move: GAME.order(position, move))
    assert GAME.capture_value(position, best) == 200


def test_the_upper_half_is_lost_above_the_top():
    position = GAME.parse(f"{bottle_text(_TALL)} RB YY speed:fast")
    for name, letter in (("1-0-15", "g"), ("3-0-15", "e")):
        after = GAME.format(GAME.play(position, GAME.parse_move(position, name)))
        assert after.startswith(letter + "d" * 7 + "a" + "d" * 7)


def test_lost_when_the_entry_is_blocked():
    rows = ["..." + row[:5] for row in _TALL]
    position = GAME.parse(f"{bottle_text(rows)} RB YY speed:fast")
    lost = GAME.play(position, GAME.parse_move(position, "3-3-15"))
    assert GAME.status(lost) == OVER
    assert GAME.result(lost) == -GAME.win
    assert GAME.moves(lost) == []
    with pytest.raises(MoveError, match="the game is over"):
        GAME.parse_move(lost, "0-0-0")


def test_won_without_viruses():
    position = GAME.parse(f"{bottle_text(['aa......'])} RR YY")
    won = GAME.play(position, GAME.parse_move(position, "0-2-0"))
    assert GAME.status(won) == OVER
    assert GAME.result(won) == GAME.win


@pytest.mark.parametrize(("setting", "sign"), [("lost", -1), ("won", 1)])
def test_a_stall_ends_the_game(setting, sign):
    position = GAME.parse(f"{bottle_text(['aa......'])} BB YY stall:3 stalled:{setting} pills:2 since:2")
    assert GAME.status(position) == PLAYER
    over = GAME.play(position, GAME.parse_move(position, "0-2-0"))
    assert GAME.status(over) == OVER
    assert GAME.result(over) == sign * GAME.win
    going_on = GAME.play(position, GAME.parse_move(position, "0-6-0"))
    assert GAME.status(going_on) == OVER, "no kill, wherever the pill goes"
    with_kill = GAME.parse(f"{bottle_text(['aa......c'[:8]])} RR YY stall:3 viruses:2 pills:2 since:2")
    won = GAME.play(with_kill, GAME.parse_move(with_kill, "0-2-0"))
    assert GAME.result(won) == GAME.win


def test_chance_shows_the_preview():
    position = GAME.start()
    before = GAME.play(position, GAME.moves(position)[0])
    assert GAME.status(before) == CHANCE
    assert GAME.moves(before) == []
    for outcome in range(9):
        after = GAME.reveal(before, outcome)
        assert GAME.status(after) == PLAYER
        assert GAME.format(after).split()[1:3] == [
            GAME.format(position).split()[2],
            strings.write_pill(outcome),
        ]


@pytest.mark.parametrize(
    ("speed", "pills", "frames"),
    [
        ("low", 0, 40), ("low", 7, 40), ("low", 8, 38), ("low", 18, 36), ("low", 488, 4), ("low", 50_000, 4),
        ("medium", 0, 20), ("medium", 8, 19), ("medium", 98, 10), ("medium", 108, 10), ("medium", 488, 2),
        ("high", 0, 14), ("high", 38, 10), ("high", 48, 10), ("high", 58, 9), ("high", 108, 7), ("high", 118, 6),
        ("high", 238, 5), ("high", 288, 4), ("high", 338, 3), ("high", 388, 2), ("high", 487, 2), ("high", 488, 1),
        ("fast", 0, 0), ("fast", 488, 0),
    ],
)  # fmt: skip
def test_frames_a_row(speed, pills, frames):
    position = GAME.parse(f"{bottle_text(['a.......'])} RB RB speed:{speed} pills:{pills}")
    assert gravity(np.uint64(position[12])) == frames


def test_one_colour_is_listed_without_half_turns():
    board = bottle_text(["a......."])
    one, two = (GAME.parse(f"{board} {pill} YY") for pill in ("RR", "RB"))
    assert {rotation for rotation, _, _ in triples(one)} == {0, 1}
    assert triples(two) == {(turn + more, x, y) for turn, x, y in triples(one) for more in (0, 2)}
    assert GAME.parse_move(one, "3-4-0") == GAME.parse_move(one, "1-4-0")


def test_an_empty_bottle_takes_the_pill_everywhere():
    position = GAME.parse(f"{bottle_text(['a.......'])} RB YY speed:low")
    floor = {(turn, x, 0) for turn in (0, 2) for x in range(1, 7)} | {
        (turn, x, 0) for turn in (1, 3) for x in range(1, 8)
    }
    assert triples(position) == floor | {(0, 0, 1), (2, 0, 1), (1, 0, 1), (3, 0, 1)}


def test_a_kick_reaches_what_a_step_cannot():
    """A pill that stands in a shaft turns to the left when the right is blocked, never the other way."""
    # Shafts at x 3 with a free cell beside their foot, on the left in one and on the right in the other.
    left = ["bcb.cbcb"] * 2 + ["cb..bcbc"]
    right = ["bcb.cbcb"] * 2 + ["cbc..bcb"]
    for rows, x in ((left, 2), (right, 3)):
        position = GAME.parse(f"{bottle_text(rows)} RB YY speed:fast")
        assert (0, x, 0) in triples(position)
        assert (2, x, 0) in triples(position)


def test_perft_agrees_with_the_twin():
    """Every placement, every next pill, every placement again; what chance brings after the last is not counted."""
    rows = ["bcbc.cbc", "cbcb.bcb"] * 6
    position = GAME.parse(f"{bottle_text(rows)} RB RR speed:fast")
    first, second = 0, 0
    for move in twin(position).moves():
        first += 1
        for pill in naive.PILLS:
            below = twin(position)
            below.place(*move)
            below.preview = pill
            second += len(below.moves())
    assert perft(GAME, position, 1).nodes == first
    assert perft(GAME, position, 2).nodes == second
