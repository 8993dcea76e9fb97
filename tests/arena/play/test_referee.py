"""One game between seats: rules, clocks, failures with their reasons, and early ends only where both agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from arena.seats import MockSeat, failing
from evalsmith.arena.play.adjudication import DRAWN, LONG, RESIGNED, SOLVE_NODES, SOLVED, Adjudication
from evalsmith.arena.play.referee import Dropped, Played, Rules, play_seats
from evalsmith.engine import Limit
from evalsmith.games import OVER, find_game
from evalsmith.games.board import Board
from evalsmith.games.opening import Opening
from evalsmith.players import PlayLimit
from evalsmith.players.seat import Choice
from evalsmith.processes.failure import CRASH, ILLEGAL, TIME, Failure
from evalsmith.run import InputError

FOUR, CHESS, DVONN = find_game("connect_four"), find_game("chess"), find_game("dvonn")
NODES = (Limit(nodes=1), Limit(nodes=1))


def played(game: Any, first: MockSeat, second: MockSeat, rules: Rules | None = None, **more: Any) -> Played:
    opening = more.pop("opening", Opening(game.start()))
    limits = more.pop("limits", NODES)
    return play_seats(game, (first, second), opening, limits, rules or Rules(), more.pop("seed", 5), **more)


# ── The rules ──


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", [FOUR, DVONN], ids=lambda game: game.name)
def test_a_game_is_legal_and_ends_with_its_result(game: Any, seed: int) -> None:
    opening = Opening(game.start(), tuple(game.moves(game.start())[:1]))
    seats = MockSeat(game, seed=seed), MockSeat(game, seed=seed + 100)
    result = played(game, *seats, opening=opening)
    position = game.start()
    for move in (*opening.moves, *result.moves):
        position = game.play(position, move)
    assert game.status(position) == OVER
    assert result.result == result.margin == game.result(position) * (1 if game.mover(position) == 0 else -1)
    assert result.termination == "rule" and not result.failed and not result.broken
    assert [seat.begun for seat in seats] == [[0], [1]] and [seat.ended for seat in seats] == [1, 1]


def test_each_seat_sees_the_whole_game() -> None:
    first, second = MockSeat(FOUR, seed=1), MockSeat(FOUR, seed=2)
    moves = tuple(FOUR.moves(FOUR.start())[2:4])
    result = played(FOUR, first, second, opening=Opening(FOUR.start(), moves))
    assert len(first.boards) + len(second.boards) == len(result.moves)
    assert all(FOUR.mover(one.position) == 0 for one in first.boards)
    assert first.boards[0].move_stack == list(moves)
    assert first.boards[-1].move_stack == [*moves, *result.moves][: first.boards[-1].ply]


def moves_by_name(names: list[str]) -> Callable[[Board], Choice]:
    waiting = iter(names)

    def act(board: Board) -> Choice:
        return Choice(CHESS.parse_move(board.position, next(waiting)), 0.0)

    return act


@pytest.mark.parametrize(
    ("start", "white", "black", "reason", "sign"),
    [
        (None, ["f2f3", "g2g4"], ["e7e5", "d8h4"], "mate", -1),
        (None, ["g1f3", "f3g1"] * 3, ["g8f6", "f6g8"] * 3, "repetition", 0),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", ["f1f7"], [], "stalemate", 0),
    ],
)
def test_ends_have_names(start: str | None, white: list[str], black: list[str], reason: str, sign: int) -> None:
    opening = Opening(CHESS.start() if start is None else CHESS.parse(start), text=start)
    seats = (MockSeat(CHESS, act=moves_by_name(names)) for names in (white, black))
    result = played(CHESS, *seats, opening=opening)
    assert result.termination == reason
    assert (result.result > 0) - (result.result < 0) == sign


def test_the_opening_counts_for_repetition() -> None:
    """Two times the start position in the opening, the third time on the board."""
    names = ["g1f3", "g8f6", "f3g1", "f6g8"]
    position, moves = CHESS.start(), []
    for name in names:
        moves.append(CHESS.parse_move(position, name))
        position = CHESS.play(position, moves[-1])
    seats = (MockSeat(CHESS, act=moves_by_name(names[side::2])) for side in (0, 1))
    result = played(CHESS, *seats, opening=Opening(CHESS.start(), tuple(moves)))
    assert (result.termination, len(result.moves)) == ("repetition", 4)


# ── Failures ──


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("game", [FOUR, DVONN], ids=lambda game: game.name)
def test_a_failure_loses_the_game_with_its_reason(game: Any, side: int) -> None:
    seats = [MockSeat(game, seed=1), MockSeat(game, seed=2)]
    seats[side].act = failing(CRASH, "exit code 3", after=4)
    result = played(game, *seats)
    assert (result.termination, result.detail) == (CRASH, "exit code 3")
    assert result.result < 0 if side == 0 else result.result > 0
    assert result.margin is None
    assert [(one.side, one.ply >= 4) for one in result.failed] == [(side, True)]
    assert result.broken == (side,)
    assert [seat.ended for seat in seats] == [side, 1 - side]  # a seat that failed is only closed


def test_illegal_moves_are_found_out() -> None:
    result = played(FOUR, MockSeat(FOUR, act=lambda _: Choice(99, 0.0)), MockSeat(FOUR))
    assert result.termination == ILLEGAL and "move 99 in " in result.detail


def test_a_failure_at_the_start_and_at_the_end() -> None:
    late, early = MockSeat(FOUR), MockSeat(FOUR)
    late.fail_at["end"] = Failure(CRASH)
    result = played(FOUR, late, MockSeat(FOUR, seed=4))
    assert result.termination == "rule" and result.broken == (0,) and not result.failed
    early.fail_at["begin"] = Failure("stall", "no answer")
    result = played(FOUR, early, MockSeat(FOUR))
    assert (result.termination, result.moves) == ("stall", ())


def test_random_moves_replace_a_failed_program_so_that_points_can_be_counted() -> None:
    rules = Rules(replace_failed=True)
    for seed in range(6):
        seats = MockSeat(DVONN, seed=1, act=failing(TIME, "late", after=20)), MockSeat(DVONN, seed=2)
        result = played(DVONN, *seats, rules, seed=seed)
        assert result.termination == TIME and result.result < 0  # also where random moves have won
        assert result.margin is not None and DVONN.status(result.final) == OVER
        assert len(result.failed) == 1 and len(seats[0].boards) < len(seats[1].boards)
    both = MockSeat(DVONN, act=failing(CRASH, after=10)), MockSeat(DVONN, act=failing(TIME, after=30))
    result = played(DVONN, *both, rules)
    assert [(one.side, one.reason) for one in result.failed] == [(0, CRASH), (1, TIME)]
    assert result.result < 0 and result.termination == CRASH and result.margin is not None


def test_resignation() -> None:
    result = played(FOUR, MockSeat(FOUR), MockSeat(FOUR, act=lambda _: Choice(-1, 0.0, resigns=True)))
    assert (result.termination, result.result, result.margin) == ("resignation", FOUR.win, None)


def test_a_dropped_game_gives_nothing() -> None:
    asked = iter([False] * 5 + [True])
    with pytest.raises(Dropped):
        played(FOUR, MockSeat(FOUR), MockSeat(FOUR), stopped=lambda: next(asked))


# ── Clocks ──


def test_clocks_go_down_and_get_their_increment() -> None:
    clock = PlayLimit(base=10.0, increment=0.5)
    seats = MockSeat(FOUR, seed=1, seconds=2.0), MockSeat(FOUR, seed=2, seconds=1.0)
    result = played(FOUR, *seats, limits=(clock, PlayLimit(budget=50.0)))
    seen = [one.clocks for one in seats[0].boards]
    assert [left for left, _ in seen[:3]] == pytest.approx([10.0, 8.5, 7.0])
    assert [left for _, left in seen[:3]] == pytest.approx([50.0, 49.0, 48.0])
    assert result.usage[0].seconds == pytest.approx(2.0 * len(seats[0].boards))
    assert result.usage[1].longest == 1.0


def test_without_a_clock_there_is_none_to_see() -> None:
    seat = MockSeat(FOUR)
    played(FOUR, seat, MockSeat(FOUR))
    assert all(one.clocks == (None, None) for one in seat.boards)


def test_the_players_own_account_of_time() -> None:
    seat = MockSeat(FOUR)

    def act(board: Board) -> Choice:
        told = 0.2 if board.ply > 3 else None
        return Choice(FOUR.moves(board.position)[0], 0.25, reported_seconds=told)

    seat.act = act
    reported = played(FOUR, seat, MockSeat(FOUR, seed=3)).usage[0].reported
    assert reported is not None and reported.moves == len(seat.boards) - 2
    assert reported.measured - reported.seconds == pytest.approx(0.05 * reported.moves)


# ── Early ends ──


def scores(*, first: int | None, second: int | None) -> tuple[MockSeat, MockSeat]:
    return MockSeat(CHESS, seed=1, score=first), MockSeat(CHESS, seed=2, score=second)


def test_nothing_ends_early_unless_asked() -> None:
    result = played(FOUR, MockSeat(FOUR, score=0), MockSeat(FOUR, seed=2, score=0))
    assert result.termination == "rule"


def test_a_draw_needs_both_and_the_plies() -> None:
    rules = Rules(adjudication=Adjudication(draw_score=10, draw_moves=3, draw_after=20))
    result = played(CHESS, *scores(first=5, second=-10), rules)
    assert (result.termination, result.result, len(result.moves), result.margin) == (DRAWN, 0, 20, None)
    rules = replace(rules, adjudication=replace(rules.adjudication, max_plies=60))
    assert played(CHESS, *scores(first=5, second=11), rules).termination != DRAWN
    assert played(CHESS, *scores(first=5, second=None), rules).termination != DRAWN


@pytest.mark.parametrize(("first", "second", "winner"), [(-600, 700, 1), (900, -500, 0)])
def test_a_loss_needs_both(first: int, second: int, winner: int) -> None:
    rules = Rules(adjudication=Adjudication(resign_score=500, resign_moves=4, max_plies=40))
    result = played(CHESS, *scores(first=first, second=second), rules)
    assert (result.termination, len(result.moves)) == (RESIGNED, 8)
    assert result.result == (CHESS.win if winner == 0 else -CHESS.win)
    for one, other in ((first, -second), (first, 0), (0, second)):
        assert played(CHESS, *scores(first=one, second=other), rules).termination != RESIGNED


def test_a_row_is_broken_by_another_opinion() -> None:
    rules = Rules(adjudication=Adjudication(resign_score=500, resign_moves=4, max_plies=20))
    first, second = scores(first=-600, second=600)

    def act(board: Board) -> Choice | None:
        third = board.ply // 2 % 3 == 2
        return Choice(CHESS.moves(board.position)[0], 0.0, 0) if third else None

    first.act = act
    assert played(CHESS, first, second, rules).termination == LONG


def test_the_most_plies_count_the_opening() -> None:
    rules = Rules(adjudication=Adjudication(max_plies=10))
    opening = Opening(FOUR.start(), tuple(FOUR.moves(FOUR.start())[2:4]))
    result = played(FOUR, MockSeat(FOUR), MockSeat(FOUR, seed=9), rules, opening=opening)
    assert (result.termination, result.result, len(result.moves)) == (LONG, 0, 8)


def test_a_solver_ends_the_game_with_the_exact_value(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def solve(position: Any, nodes: int) -> Any:
        asked.append(FOUR.mover(position))
        return SimpleNamespace(score=700)

    game = replace(FOUR, hooks={"solve": "x:y"})
    monkeypatch.setattr(type(game), "hook", lambda self, name: solve if name == "solve" else None)
    rules = Rules(adjudication=Adjudication(solve_from=5))
    result = played(game, MockSeat(game), MockSeat(game, seed=9), rules)
    assert (result.termination, result.result, len(result.moves), asked) == (SOLVED, -700, 5, [1])


def test_what_the_solver_does_not_manage_is_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def solve(position: Any, nodes: int) -> Any:
        asked.append(nodes)
        return SimpleNamespace(score=None if len(asked) < 3 else 100)

    game = replace(FOUR, hooks={"solve": "x:y"})
    monkeypatch.setattr(type(game), "hook", lambda self, name: solve if name == "solve" else None)
    result = played(game, MockSeat(game), MockSeat(game, seed=9), Rules(adjudication=Adjudication(solve_from=2)))
    assert (result.termination, result.result, len(result.moves)) == (SOLVED, 100, 6), "asked at plies 2, 4 and 6"
    assert asked == [SOLVE_NODES] * 3


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="Connect Four has no solver"):
        Adjudication(solve_from=5).check(FOUR)
    for options in ({"draw_moves": 0}, {"max_plies": 0}, {"resign_score": -5}):
        with pytest.raises(InputError, match="must be"):
            Adjudication(**options)
