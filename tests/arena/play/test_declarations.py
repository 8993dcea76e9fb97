"""Declarations of an entered king, impasses and long games in matches: between seats, inside the kernel, in records."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.seats import MockSeat
from evalsmith.arena.play.adjudication import IMPASSE, LONG, Adjudication
from evalsmith.arena.play.referee import Played, Rules, play_seats
from evalsmith.arena.play.workers import KernelWorker, SeatWorker, Setting
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.results.saving import save_games
from evalsmith.arena.settings import MatchSettings
from evalsmith.engine import Limit, Searcher, play_game, prepare
from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.games.opening import Opening
from evalsmith.players import parse_player
from evalsmith.players.seat import Choice
from evalsmith.processes.failure import ILLEGAL
from evalsmith.records import read_games
from evalsmith.run import InputError

SHOGI, CHESS = find_game("shogi"), find_game("chess")
# Ten pieces beside black's king in the enemy's camp, 22 points, and what is in hand.
ENTERED = "1+R+RK+BGGSS/3PP4/2N6/9/9/9/9/9/7k1 b {} 200"
LIMITS = (Limit(nodes=1), Limit(nodes=1))
KEY = GameKey(0, "a", "b", 0, 0)


def opening(hand: str, board: str = ENTERED) -> Opening:
    text = board.format(hand)
    return Opening(SHOGI.parse(text), text=text)


def declares(board: Board) -> Choice:
    return Choice(-1, 0.0, declares=True)


def played(start: Opening, rules: Rules | None = None, game: Any = SHOGI) -> Played:
    seats = MockSeat(game, act=declares), MockSeat(game)
    return play_seats(game, seats, start, LIMITS, rules or Rules(), 5)


# ── Between seats ──


@pytest.mark.parametrize(
    ("hand", "rule", "termination", "sign"),
    [("6P", 27, "declaration", 1), ("9P", 24, "declaration", 1), ("6P", 24, "impasse", 0), ("2P", 24, "impasse", 0)],
)
def test_a_right_declaration_ends_the_game(hand: str, rule: int, termination: str, sign: int) -> None:
    result = played(opening(hand), Rules(declaration=rule))
    assert (result.termination, result.result, result.moves) == (termination, sign * SHOGI.win, ())
    assert not result.failed and result.margin is None


@pytest.mark.parametrize(
    ("start", "rule", "why"),
    [
        (opening("5P"), 27, "27 points, 28 needed"),
        (opening("P"), 24, "23 points, 24 needed"),
        (Opening(SHOGI.start()), 27, "the king is not in the enemy's three ranks"),
        (opening("9P"), 0, "this game has no declarations"),
    ],
)
def test_a_wrong_declaration_loses(start: Opening, rule: int, why: str) -> None:
    result = played(start, Rules(declaration=rule))
    assert (result.termination, result.result) == (ILLEGAL, -SHOGI.win)
    assert why in result.detail and [failed.side for failed in result.failed] == [0]


def test_a_game_without_declarations_knows_none() -> None:
    result = played(Opening(CHESS.start()), game=CHESS)
    assert (result.termination, result.result) == (ILLEGAL, -CHESS.win)
    assert CHESS.declared(CHESS.start(), 27) == 0 and not Board(CHESS).wins_by_declaration


def test_a_wrong_declaration_may_be_replaced_by_random_moves() -> None:
    rules = Rules(replace_failed=True, adjudication=Adjudication(max_plies=3))
    result = played(Opening(SHOGI.start()), rules)
    assert len(result.moves) == 3 and result.termination == ILLEGAL and result.result == -SHOGI.win


# ── Our own players ──


def setting(player: str, rules: Rules | None = None, limit: Limit | None = None) -> Setting:
    players = tuple(parse_player(f"{player};name={name}", SHOGI) for name in "ab")
    return Setting(SHOGI, players, limit or Limit(nodes=20), rules or Rules())


@pytest.mark.parametrize("player", ["self", "random"])
@pytest.mark.parametrize("work", [KernelWorker, SeatWorker])
def test_our_players_declare_in_process(work: Any, player: str) -> None:
    worker = work(setting(player))
    try:
        entry = worker.play(KEY, opening("6P"))
    finally:
        worker.close()
    assert (entry.termination, entry.result, entry.moves, entry.margin) == ("declaration", SHOGI.win, (), None)


@pytest.mark.parametrize(("rule", "ends"), [(27, "declaration"), (24, "stopped"), (0, "stopped")])
def test_the_kernel_declares_by_the_rule_of_the_match(rule: int, ends: str) -> None:
    searcher = Searcher(SHOGI, table_bytes=1 << 16)
    prepare(searcher, Limit(nodes=1), 1)
    if rule != 27:
        searcher.stop()  # a game that goes on stops before its first move, one that is declared does not
    start = opening("6P").start
    game = play_game(SHOGI, searcher, searcher, start, declaration=rule)
    assert (game.reason, game.moves) == (ends, ())


# ── Repetition from the start of the record ──

BACK_AND_FORTH = ("2h3h", "8b7b", "3h2h", "7b8b")


def repeating(times: int) -> Opening:
    board = Board(SHOGI, SHOGI.start(), BACK_AND_FORTH * times)
    return Opening(SHOGI.start(), tuple(board.move_stack))


@pytest.mark.parametrize("work", [KernelWorker, SeatWorker])
def test_repetition_counts_from_the_start_of_the_record(work: Any) -> None:
    worker = work(setting("random", limit=Limit(nodes=1)))
    try:
        third, fourth = (worker.play(KEY, repeating(times)) for times in (2, 3))
    finally:
        worker.close()
    assert third.moves  # the start has come three times, so the game goes on
    assert (fourth.termination, fourth.result, fourth.moves) == ("repetition", 0, ())


def test_the_opening_counts_for_the_length_in_the_kernel_too() -> None:
    board = repeating(2).board(SHOGI)
    searcher = Searcher(SHOGI, table_bytes=1 << 16)
    prepare(searcher, Limit(nodes=1), 3, random=True)
    game = play_game(SHOGI, searcher, searcher, board.position, history=board.history * 60)
    assert len(game.moves) <= SHOGI.max_plies - 60 * 8


# ── Impasses and long games ──


@pytest.mark.parametrize(
    ("hands", "sign"),
    [("RB2G2S2N2L9Prb2g2s2n2l9p", 0), ("2R2B4G4S4N4LP17p", 1), ("P2r2b4g4s4n4l17p", -1)],
)
def test_an_impasse_is_counted_when_both_kings_have_stayed(hands: str, sign: int) -> None:
    text = f"4K4/9/9/9/9/9/9/9/4k4 b {hands} 1"
    rules = Rules(adjudication=Adjudication(impasse=2, max_plies=40), declaration=0)
    seats = [MockSeat(SHOGI, act=_still), MockSeat(SHOGI, act=_still)]
    result = play_seats(SHOGI, seats, Opening(SHOGI.parse(text), text=text), LIMITS, rules, 1)
    assert (result.termination, result.result, len(result.moves)) == (IMPASSE, sign * SHOGI.win, 4)


def _still(board: Board) -> Choice:
    """A king's move that leaves it in the enemy's camp, or whatever does."""
    impasse = SHOGI.hook("impasse")
    for move in SHOGI.moves(board.position):
        if impasse(SHOGI.play(board.position, move)) is not None:
            return Choice(move, 0.0)
    raise AssertionError("no move keeps both kings where they are")


def test_a_game_without_impasses_refuses_the_setting() -> None:
    with pytest.raises(InputError, match="Chess has no impasse"):
        Adjudication(impasse=3).check(CHESS)


def test_the_settings_of_a_match_name_the_rule() -> None:
    from evalsmith.arena.events.resolving import make_rules

    rules = [make_rules(MatchSettings(declaration=name)).declaration for name in ("27", "24", "none")]
    assert rules == [27, 24, 0] and make_rules(MatchSettings()).declaration == 27
    with pytest.raises(InputError, match="declaration"):
        MatchSettings.from_table({"declaration": "25"})


# ── Over USI, and in records ──


def test_a_match_of_programs_over_usi_is_declared_and_saved(tmp_path: Path) -> None:
    mock = Path(__file__).parents[2] / "players" / "mocks" / "engine.py"
    program = shlex.join([sys.executable, "-S", "-E", str(mock), "win"])
    players = tuple(parse_player(f"usi:{program};name={name}", SHOGI) for name in "ab")
    games = {}
    worker = SeatWorker(Setting(SHOGI, players, Limit(nodes=5), Rules(declaration=24)))
    try:
        for pair, hand in enumerate(("9P", "2P", "P")):
            key = GameKey(0, "a", "b", pair, 0)
            games[key] = worker.play(key, opening(hand))
    finally:
        worker.close()
    assert [entry.termination for entry in games.values()] == ["declaration", "impasse", "illegal"]
    assert [entry.result for entry in games.values()] == [SHOGI.win, 0, -SHOGI.win]
    assert "declares a win, but 23 points, 24 needed" in list(games.values())[2].failed[0].detail


ENDS = [
    ("declaration", "%KACHI", "入玉勝ち", "declared", SHOGI.win),
    ("impasse", "%JISHOGI", "持将棋", "impasse", 0),
    (IMPASSE, "%JISHOGI", "持将棋", "impasse", 0),
    (LONG, "%MAX_MOVES", "最大手数", "too long", 0),
    ("length", "%MAX_MOVES", "最大手数", "too long", 0),
    ("repetition", "%SENNICHITE", "千日手", "repetition", 0),
]


@pytest.mark.parametrize(("termination", "csa", "kif", "name", "value"), ENDS)
def test_records_say_how_games_ended(
    termination: str, csa: str, kif: str, name: str, value: int, tmp_path: Path
) -> None:
    from arena.logged import logged

    start = opening("6P")
    line = {"reason": termination, "start": start.text, "moves": [SHOGI.parse_move(start.start, "P*1c")]}
    value = -value  # after black's move it is white who declares
    games = [logged(KEY, value, **line)]
    for suffix, word in ((".csa", csa), (".kif", kif)):
        path = tmp_path / f"games{suffix}"
        assert save_games(SHOGI, games, path) == 1
        assert word in path.read_text(encoding="utf-8")
        (record,) = read_games(path)
        assert (record.termination, record.result) == (name, value)


def test_a_perpetual_check_names_its_loser(tmp_path: Path) -> None:
    from arena.logged import logged

    path = tmp_path / "games.csa"
    save_games(SHOGI, [logged(KEY, -SHOGI.win, reason="repetition", moves=[SHOGI.moves(SHOGI.start())[0]])], path)
    (record,) = read_games(path)
    assert (record.termination, record.result) == ("illegal", -SHOGI.win)
