"""The endgame solver: against minimax, against the general search, on known scores; batches, limits; stable discs."""

import random
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.compile import COMPILED
from evalsmith.engine import Limit, Searcher
from evalsmith.games import NO_MOVE, OVER, PLAYER, Position
from evalsmith.games.othello import GAME
from evalsmith.games.othello.endgame import Solution, solve, solve_many, solver
from evalsmith.games.othello.rules import PASS
from evalsmith.games.othello.stability import most, stable
from evalsmith.run import InputError, PositionError
from evalsmith.weights import starting_weights
from naive import othello as naive

KNOWN = (Path(__file__).parent / "endgame.obf").read_text().splitlines()
SMALL = 1 << 16  # bytes of a table that is soon full


def solved(position: Position, **options) -> Solution:
    """Solve a position, and check that the line is legal, goes to the end, and ends with the score."""
    found = solve(position, **{"table_bytes": 1 << 20} | options)
    assert found.solved
    assert found.move == (found.line[0] if found.line else NO_MOVE)
    here = position
    for move in found.line:
        here = GAME.play(here, move)
    assert GAME.status(here) == OVER
    result = GAME.result(here)
    assert found.score == (result if GAME.mover(here) == GAME.mover(position) else -result)
    assert found.nodes > 0
    return found


def minimax(game: naive.Othello) -> int:
    """Every move to the end."""
    moves = game.moves()
    return max(-minimax(game.play(move)) for move in moves) if moves else game.margin()


def late(choose: random.Random, empties: int) -> naive.Othello:
    """A position of a random game with so many empty squares, or where the game ended earlier."""
    game = naive.Othello()
    while (moves := game.moves()) and game.count("-") > empties:
        game = game.play(choose.choice(moves))
    return game


def scattered(choose: random.Random, empties: int) -> naive.Othello:
    """Discs anywhere: more passes, wipe-outs and early ends than games have."""
    share = choose.choice([0.1, 0.5, 0.9])
    cells = ["-"] * empties + ["X" if choose.random() < share else "O" for _ in range(64 - empties)]
    choose.shuffle(cells)
    return naive.Othello([cells[8 * row : 8 * row + 8] for row in range(8)], choose.choice("XO"))


@pytest.mark.parametrize("make", [late, scattered])
def test_minimax_agrees(make):
    choose = random.Random(3)
    seen = set()
    for empties in [0, 1, 2, 3, 4, 5, 6] * (12 if COMPILED else 2) + [7] * (4 if COMPILED else 0):
        game = make(choose, empties)
        found = solved(GAME.parse(game.text()), table_bytes=SMALL)
        assert found.score == 100 * minimax(game), game.text()
        seen |= {"pass"} if PASS in found.line else set()
        seen |= {"over"} if not found.line else set()
        seen |= {"wipe-out"} if abs(found.score) == 6400 else set()
    if make is scattered and COMPILED:
        assert seen == {"pass", "over", "wipe-out"}


def test_the_general_search_agrees():
    choose = random.Random(4)
    searcher = Searcher(GAME, table_bytes=1 << 20, without=("probcut",))  # which may be wrong
    for empties in [8, 9, 10, 11] * 4 if COMPILED else [7]:
        for game in (late(choose, empties), scattered(choose, empties)):
            position = GAME.parse(game.text())
            if GAME.status(position) != PLAYER:
                continue
            searcher.new_game()
            [line] = searcher.think(position, Limit(depth=2 * empties + 2)).lines
            assert solved(position).score == line.score, game.text()


@pytest.mark.parametrize("line", KNOWN if COMPILED else KNOWN[-2:-1])
def test_known_scores(line):
    text, *scores = (part.strip() for part in line.split(";"))
    position = GAME.parse(text)
    known = {GAME.parse_move(position, move): int(score) for move, score in (s.split(":") for s in scores if s)}
    found = solved(position)
    assert found.score == 100 * max(known.values())
    assert known[found.line[0]] == max(known.values())


def test_the_same_nodes_each_time_and_fewer_with_a_larger_table():
    position = GAME.parse(KNOWN[0]) if COMPILED else GAME.parse(KNOWN[-2])
    first, second = solved(position), solved(position)
    assert (first.nodes, first.line, first.score) == (second.nodes, second.line, second.score)
    tiny = solved(position, table_bytes=64)
    assert tiny.score == first.score
    if COMPILED:
        assert tiny.nodes > first.nodes


def test_weights_change_the_order_and_never_the_score():
    row = starting_weights(GAME).engine_row
    for line in KNOWN[:3] if COMPILED else KNOWN[-2:-1]:
        position = GAME.parse(line)
        plain, ordered = solved(position), solved(position, weights=row)
        assert plain.score == ordered.score
        assert not COMPILED or plain.nodes != ordered.nodes


def test_finished_games_and_forced_passes():
    over = GAME.parse("X" * 40 + "-" * 8 + "O" * 16 + " O")
    assert (solved(over).score, solved(over).line) == (-3200, ())
    forced = GAME.parse("-" + "O" * 6 + "X" + "-" * 56 + " O")
    assert (solved(forced).score, solved(forced).line) == (-6400, (PASS, 0))
    wiped = GAME.parse("-OX" + "-" * 61 + " X")
    assert (solved(wiped).score, solved(wiped).line) == (6400, (0,))


@settings(max_examples=40 if COMPILED else 3, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 10 if COMPILED else 4))
def test_all_images_have_the_score_and_the_best_move_of_all(choose, empties):
    game = choose.choice([late, scattered])(choose, empties)
    position = GAME.parse(game.text())
    score = solved(position).score
    images = np.array([symmetry.position(position) for symmetry in GAME.symmetries()])
    assert (solve_many(images).scores == score).all()
    children = [GAME.play(position, move) for move in GAME.moves(position)]
    if children:
        assert max(-solve_many(np.array(children)).scores) == score
        assert -solved(GAME.play(position, solved(position).move)).score == score


# ── Limits ──

# 22 empty squares: no limit below lets it be solved.
LONG = GAME.parse("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X")
MANY = 20_000 if COMPILED else 200


def test_a_node_limit_ends_it_always_at_the_same_place():
    first, second = solve(LONG, nodes=MANY), solve(LONG, nodes=MANY)
    assert not first.solved and first.score is None and first.move == NO_MOVE
    assert first.lower < first.upper
    # The last few empty squares are searched to the end.
    assert MANY <= first.nodes < MANY + 2000
    assert (first.nodes, first.lower, first.upper) == (second.nodes, second.lower, second.upper)


@pytest.mark.parametrize("line", KNOWN[:2] if COMPILED else KNOWN[-2:-1])
def test_whatever_the_limit_the_bounds_hold(line):
    position = GAME.parse(line)
    whole = solved(position)
    seen = set()
    for nodes in np.linspace(1, whole.nodes + 1, 25).astype(int):
        found = solve(position, nodes=int(nodes), table_bytes=1 << 20)
        assert found.lower <= whole.score <= found.upper
        assert found.line == whole.line[: len(found.line)]
        assert found.solved == (len(found.line) == len(whole.line))
        seen.add((found.solved, found.score is None))
    assert {(False, True), (True, False)} <= seen


def test_a_limit_of_seconds():
    found = solve(LONG, seconds=0.05)
    assert not found.solved and found.nodes > 0
    assert solved(GAME.parse(KNOWN[-2]), seconds=600).solved


def test_another_thread_stops_it():
    flag = np.zeros(1, dtype=np.int64)
    timer = threading.Timer(0.1, lambda: flag.__setitem__(0, 1))
    timer.start()
    assert not solve(GAME.start(), stop=flag).solved
    timer.join()
    assert not solve(GAME.parse(KNOWN[-2]), stop=flag).solved


def test_a_watcher_sees_how_far_it_is(monkeypatch):
    monkeypatch.setattr(solver, "WATCH_SECONDS", 0.01)
    flag = np.zeros(1, dtype=np.int64)
    seen = []

    def watch(progress):
        seen.append(progress)
        flag[0] = int(progress.nodes > 0)

    assert not solve(GAME.start(), stop=flag, watch=watch).solved
    assert seen[-1].nodes > 0 and seen[-1].seconds > 0
    assert (seen[-1].lower, seen[-1].upper) == (-6400, 6400)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table_bytes": 63}, "from 64 to .* bytes .*, not 63"),
        ({"table_bytes": 1 << 60}, "not 1,152,921,504,606,846,976"),
        ({"nodes": 0}, "above 0 and finite, not 0"),
        ({"nodes": 1 << 62}, "above 0 and finite"),
        ({"seconds": float("nan")}, "above 0 and at most .*, not nan"),
        ({"seconds": -1.0}, "above 0 and at most .*, not -1.0"),
        ({"stop": np.zeros(2, dtype=np.int64)}, r"one int64, not int64 \(2,\)"),
        ({"weights": np.zeros(10, dtype=np.int32)}, r"not int32 \(10,\)"),
    ],
)
def test_what_it_refuses(options, message):
    with pytest.raises(InputError, match=message):
        solve(GAME.start(), **options)


@pytest.mark.parametrize("row", [np.array([3, 1, 0], np.uint64), np.zeros(2, np.uint64), np.zeros(3, np.int64)])
def test_it_refuses_what_is_no_position(row):
    with pytest.raises(PositionError, match="not an Othello position"):
        solve(row)
    with pytest.raises(PositionError, match=r"not an Othello position|are uint64"):
        solve_many(row[None])


# ── Many at once ──


@pytest.fixture(scope="module")
def mixed():
    """Positions with 0 to 10 empty squares, in no order."""
    choose = random.Random(6)
    most_empties, count = (10, 300) if COMPILED else (4, 20)
    games = [choose.choice([late, scattered])(choose, choose.randrange(most_empties + 1)) for _ in range(count)]
    return np.array([GAME.parse(game.text()) for game in games])


def test_many_are_the_same_as_each_alone(mixed):
    alone = [solve(position, table_bytes=SMALL).score for position in mixed]
    for options in ({}, {"table_bytes": 64}, {"concurrency": 3}, {"weights": starting_weights(GAME).engine_row}):
        found = solve_many(mixed, **options)
        assert found.solved.all() and found.nodes > 0
        assert found.scores.tolist() == alone, options


def test_many_take_any_array(mixed):
    expected = solve_many(mixed).scores.tolist()
    frozen = mixed.copy()
    frozen.setflags(write=False)
    assert solve_many(frozen).scores.tolist() == expected
    assert solve_many(np.asfortranarray(mixed)).scores.tolist() == expected
    assert solve_many(mixed[::-1]).scores.tolist() == expected[::-1]
    assert solve_many(mixed[:0]).scores.shape == (0,)


def test_many_leave_those_with_more_empties(mixed):
    empties = [64 - int(own | other).bit_count() for own, other, _ in mixed]
    found = solve_many(mixed, empties=3)
    assert found.solved.tolist() == [count <= 3 for count in empties]
    assert 0 < found.solved.sum() < len(mixed)
    assert not found.scores[~found.solved].any()


def test_many_end_when_told_to(mixed):
    rows = np.concatenate([mixed[:5], LONG[None], mixed[5:]])
    for options in ({"seconds": 0.3}, {"seconds": 0.3, "concurrency": 2}):
        found = solve_many(rows, empties=30, table_bytes=SMALL, **options)
        assert found.solved[:5].all() and not found.solved[5]
    assert not solve_many(rows, stop=np.ones(1, dtype=np.int64)).solved.any()


def test_many_tell_how_many_are_done(mixed):
    told = []
    solve_many(mixed, watch=told.append)
    assert told[-1] == len(mixed) and told == sorted(told)
    assert len(told) > 1 or not COMPILED


@pytest.mark.parametrize(
    ("options", "message"),
    [({"empties": -1}, "0 to 64, not -1"), ({"empties": 65}, "not 65"), ({"concurrency": 0}, "at least 1, not 0")],
)
def test_what_many_refuse(mixed, options, message):
    with pytest.raises(InputError, match=message):
        solve_many(mixed, **options)
    broken = mixed.copy()
    broken[7] = 1
    with pytest.raises(PositionError, match="row 7 is not an Othello position"):
        solve_many(broken)


# ── Stable discs ──


def stable_squares(game: naive.Othello, side: str) -> set[str]:
    """What the kernel finds, by name."""
    own, other = (
        sum(1 << 8 * row + column for row, column in naive.SQUARES if game.board[row][column] == colour)
        for colour in (side, "O" if side == "X" else "X")
    )
    found = int(stable(np.uint64(own), np.uint64(other)))
    assert most(np.uint64(other), np.uint64(own)) == 64 - 2 * found.bit_count()
    return {naive.name_of(row, column) for row, column in naive.SQUARES if found >> 8 * row + column & 1}


def test_stable_discs_are_never_turned():
    choose = random.Random(5)
    found = 0
    for _ in range(150 if COMPILED else 20):
        game = (late if choose.random() < 0.5 else scattered)(choose, choose.randrange(2, 30))
        kept = {side: stable_squares(game, side) for side in "XO"}
        found += sum(map(len, kept.values()))
        while moves := game.moves():
            game = game.play(choose.choice(moves))
            for side, names in kept.items():
                assert all(game.board[r][c] == side for r, c in map(naive.square_of, names)), game.text()
    assert found > 0


def turned_by_some_game(game: naive.Othello, side: str) -> set[str]:
    """The discs of a side that at least one of all games from here turns."""
    own = {naive.name_of(r, c) for r, c in naive.SQUARES if game.board[r][c] == side}
    lost = set()

    def walk(here: naive.Othello) -> None:
        nonlocal lost
        lost |= {name for name in own if here.board[(at := naive.square_of(name))[0]][at[1]] != side}
        for move in here.moves():
            walk(here.play(move))

    walk(game)
    return lost


def test_no_game_at_all_turns_a_stable_disc():
    choose = random.Random(7)
    found = 0
    for _ in range(40 if COMPILED else 4):
        game = choose.choice([late, scattered])(choose, choose.randrange(1, 5))
        for side in "XO":
            kept = stable_squares(game, side)
            assert not kept & turned_by_some_game(game, side), game.text()
            found += len(kept)
    assert found > 0


def rows(*lines: str) -> naive.Othello:
    return naive.Othello([list(line) for line in [*lines, *["--------"] * (8 - len(lines))]])


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (rows("-X------"), ""),
        (rows("XX-X----"), "a1 b1"),
        (rows("OXXXXXXO"), "b1 c1 d1 e1 f1 g1"),
        (rows("OXXX-XXO"), ""),
        (rows("XXX-----", "XX------", "X-------"), "a1 a2 a3 b1 b2 c1"),
        (rows("XXX-----", "XXX-----", "X-------"), "a1 a2 a3 b1 b2 c1"),
        (rows("X-------", "-X------"), "a1"),
    ],
)
def test_known_stable_discs(game, names):
    assert stable_squares(game, "X") == set(names.split())


def test_on_a_full_board_all_are_stable():
    game = rows(*["XOXXOOXO"] * 8)
    assert len(stable_squares(game, "X")) + len(stable_squares(game, "O")) == 64
