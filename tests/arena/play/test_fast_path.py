"""The fast path plays the very games that the seats play, whatever the programs do."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.arena.play import referee
from evalsmith.arena.play.fast_path import _common_moves, _Names
from evalsmith.arena.play.referee import Dropped, Played, Rules, play_seats
from evalsmith.compile import COMPILED, driver, pointer
from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.opening import Opening
from evalsmith.players import PlayLimit, parse_player, take_seat
from evalsmith.players.uci_seat import UciSeat
from evalsmith.protocols.client.uci import BESTMOVE, bounded, last_info, mate_score, parse_info
from evalsmith.protocols.client.uci_kernel import (
    ACCOUNT,
    COMPLETE,
    DEPTH,
    MATE,
    MILLISECONDS,
    NODES,
    SCORE,
    answer_in,
    name_in,
    read_account,
)
from evalsmith.protocols.uci import UCI

FOUR = find_game("connect_four")
WIN = 30_000

# Plays the column that is free and nearest to one that its number of moves chooses; then does what it is told.
PROGRAM = """
import os, sys, time
what, after = sys.argv[1], int(sys.argv[2])
raw = lambda data: os.write(1, data)
made = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        raw(b"id name Mock\\nuciok\\n")
    elif words[:1] == ["isready"]:
        raw(b"readyok\\n")
    elif words[:1] == ["ucinewgame"]:
        made = 0
    elif words[:1] == ["position"]:
        played = words[3:]
    elif words[:1] == ["go"]:
        free = [str(c) for c in range(1, 8) if played.count(str(c)) < 6]
        move = free[(7 * made + len(played)) % len(free)].encode()
        info = b"info depth 3 seldepth 9 score cp %d nodes 17 nps 5 time 4 pv %s\\n" % (made * 7 - 20, move)
        if made < after or what == "plain":
            raw(info + b"bestmove " + move + b"\\n")
        elif what == "crlf":
            raw(info.replace(b"\\n", b"\\r\\n") + b"bestmove " + move + b" ponder 1\\r\\n")
        elif what == "parts":
            for part in (info[:9], info[9:] + b"best", b"move " + move, b"\\n"):
                raw(part)
                time.sleep(0.01)
        elif what == "mate":
            raw(info + b"info depth 4 score mate 2 nodes 8 time 1 pv " + move + b"\\nbestmove " + move + b"\\n")
        elif what == "bound":
            raw(info + b"info depth 4 score cp 9 lowerbound nodes 8 time 1 pv 1\\nbestmove " + move + b"\\n")
        elif what == "second":
            raw(info + b"info depth 4 multipv 2 score cp 9 nodes 8 time 1 pv 1\\nbestmove " + move + b"\\n")
        elif what == "silent":
            raw(b"bestmove " + move + b"\\n")
        elif what == "twice":
            raw(info + b"bestmove " + move + b"\\nbestmove 9\\ninfo depth 1\\n")
        elif what == "stderr":
            os.write(2, b"e" * 100)
            raw(info + b"bestmove " + move + b"\\n")
        elif what == "much":
            raw(info * 4000 + b"bestmove " + move + b"\\n")
        elif what == "illegal":
            raw(info + b"bestmove 9\\n")
        elif what == "long":
            raw(info + b"bestmove 123456789\\n")
        elif what == "empty":
            raw(info + b"bestmove\\ninfo depth 1\\n")
        elif what == "garbage":
            raw(b"\\xff\\0bestmove 1\\nbestmove\\0 1\\n\\xc3\\n" + info + b"bestmove \\xff\\n")
        elif what == "line":
            raw(b"x" * 70000)
        elif what == "flood":
            while True:
                raw(info * 100)
        elif what == "drip":
            while True:
                raw(b"info depth 1\\n")
                time.sleep(0.02)
        elif what == "hang":
            time.sleep(600)
        elif what == "closed":
            os.close(1)
            time.sleep(600)
        elif what == "exit":
            os._exit(0)
        elif what == "answer and exit":
            raw(info + b"bestmove " + move + b"\\n")
            os._exit(3)
        elif what == "late":
            time.sleep(2.5)
            raw(info + b"bestmove " + move + b"\\n")
        made += 1
    elif words[:1] == ["quit"]:
        break
"""
HARMLESS = ("plain", "crlf", "parts", "mate", "bound", "second", "silent", "twice", "stderr", "much")
FAILING = ("illegal", "long", "empty", "garbage", "line", "flood", "drip", "hang", "closed", "exit", "answer and exit")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def played(program: Path, what: str, after: int, limit: Limit | None = None, **more: Any) -> Played:
    """A game of one that behaves against one that does not."""
    limit = limit or Limit(nodes=100)
    patience = 1 if what in ("hang", "flood", "drip") else 30
    seats = []
    for name, words in (("good", ("plain", "999")), ("bad", (what, str(after)))):
        command = shlex.join([sys.executable, "-S", "-E", str(program), *words])
        deadlines = f"watchdog={patience if name == 'bad' else 30};quit=0.1;handshake=30;newgame=30;stop=5"
        seats.append(take_seat(parse_player(f"uci:{command};name={name};{deadlines}", FOUR), limit))
    try:
        return play_seats(FOUR, seats, Opening(FOUR.start()), (limit, limit), Rules(), 1, **more)
    finally:
        for seat in seats:
            seat.close()


def without_amount(detail: str) -> str:
    """How a program failed, but for how much it printed meanwhile: that depends on the machine."""
    return detail.partition(", but ")[0]


def without_times(game: Played) -> dict[str, Any]:
    told = [(side.nodes, side.reported.seconds, side.reported.moves) for side in game.usage]
    same = {name: getattr(game, name) for name in ("moves", "result", "termination", "margin", "broken")}
    return {
        **same,
        "detail": without_amount(game.detail),
        "failed": [replace(failed, detail=without_amount(failed.detail)) for failed in game.failed],
        "scores": game.reports.scores,
        "depths": game.reports.depths,
        "told": told,
        "final": game.final.tolist(),
    }


def both_ways(program: Path, what: str, after: int, monkeypatch: pytest.MonkeyPatch) -> Played:
    short = played(program, what, after)
    with monkeypatch.context() as patch:
        patch.setattr(referee, "fast_path", lambda *_: None)
        assert without_times(short) == without_times(played(program, what, after))
    return short


@pytest.mark.parametrize("what", HARMLESS)
def test_harmless_programs_play_the_same_game(program: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = both_ways(program, what, 3, monkeypatch)
    assert not game.failed and game.termination == "rule" and len(game.moves) > 8


@pytest.mark.parametrize("what", FAILING)
def test_failing_programs_lose_for_the_same_reason(program: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = both_ways(program, what, 2, monkeypatch)
    assert [failed.side for failed in game.failed] == [1] and game.result > 0 and game.broken == (1,)


def test_a_late_move_loses_on_time(program: Path) -> None:
    game = played(program, "late", 2, PlayLimit(seconds=1.5, margin=0.5))
    assert game.termination == "time" and game.failed[0].side == 1 and len(game.moves) == 5


@pytest.mark.skipif(not COMPILED, reason="the fast path is compiled")
def test_no_seat_is_asked_where_all_goes_well(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(*_: Any) -> None:
        raise AssertionError("a seat was asked")

    monkeypatch.setattr(UciSeat, "choose", choose)
    monkeypatch.setattr(UciSeat, "take_over", choose)
    for _ in range(9):  # an answer that comes slowly, as on a busy machine, rightly goes to the seat
        with suppress(AssertionError):
            assert len(played(program, "plain", 0).moves) > 8
            return
    pytest.fail("a seat was asked in every game")


def test_a_game_can_be_dropped(program: Path) -> None:
    with pytest.raises(Dropped):
        played(program, "plain", 0, stopped=lambda: True)


# ── Lines ──


@driver("int64(uint64[::1], int64, uint64[::1], int64[::1])")
def understand(said, length, name, account):
    """Where the answer is, its word, and the account before it."""
    line = answer_in(pointer(said), 0, length)
    if line >= 0:
        name[0] = name_in(pointer(said), line, length)
        read_account(pointer(said), 0, line, pointer(account))
    return line


WORDS = "info depth score cp mate nodes time pv multipv seldepth nps lowerbound string bestmove e2e4 12345678 123456789"
NUMBERS = "1 -7 +5 31 999999999999999999 9999999999999999999 0"
LINES = (
    "\ninfo depth 3 score cp -4 nodes 9 time 2 pv a1",
    "\ninfo depth 3 seldepth 4 multipv 1 score cp 12 nodes 9 nps 3 hashfull 0 tbhits 0 time 2 pv a1 b1\n",
    "\ninfo depth 3 score mate -2 nodes 9 time 2 pv a1\n",
    "\ninfo depth 3 score cp 3 upperbound nodes 9 time 2 pv a1\n",
    "\nbestmove a1\n",
)
PIECES = st.sampled_from([*WORDS.split(), *NUMBERS.split(), " ", "\t", "\r", "\n", "\n", *LINES])


@given(st.lists(PIECES, max_size=40), st.booleans())
def test_lines_mean_what_the_protocol_says(pieces: list[str], blanks: bool) -> None:
    text = (" " if blanks else "").join(pieces).encode()
    said = np.frombuffer(text.ljust(8 * (len(text) // 8 + 1), b"\0"), dtype=np.uint64).copy()
    name, account = np.zeros(1, dtype=np.uint64), np.zeros(ACCOUNT, dtype=np.int64)
    line = understand(said, len(text), name, account)
    match = BESTMOVE.search(text)
    # A word that only begins like it is an answer to nobody, and is left to the ordinary way.
    if match is None:
        assert line < 0
        return
    if line < 0:
        assert match[1] is None
        return
    if line == match.start():
        words = (match[1] or b"").split(None, 1)
        word = words[0] if words else b""
        assert int(name[0]) == (int.from_bytes(word, "little") if len(word) <= 8 else 0)
        told = parse_info(last_info(text[:line]), WIN, UCI)
        if account[COMPLETE]:
            value = int(account[SCORE])
            score = mate_score(value, WIN, UCI) if account[MATE] else bounded(value, WIN)
            found = (score, account[DEPTH], account[NODES], account[MILLISECONDS] / 1000)
            assert found == (told.score, told.depth, told.nodes, told.seconds)


# ── Names ──


@pytest.mark.skipif(not COMPILED, reason="the fast path is compiled")
def test_only_names_that_need_no_position_are_kept() -> None:
    def name(position: Any, move: int) -> str:
        if move == 0:
            return str(position[0])  # has to look
        return "a b" if move == 1 else "123456789" if move == 2 else f"c{move}"

    names = _Names(FOUR, name)
    kept = {int(word).to_bytes(8, "little").rstrip(b"\0") for word in names.table[::2] if word}
    assert kept == {b"c3", b"c4", b"c5", b"c6"}
    assert not names.learn([0, 1, 2, 3]) and names.learn([3, 7]) and not names.learn([7])


@pytest.mark.skipif(not COMPILED, reason="the fast path is compiled")
def test_random_games_show_legal_moves_only() -> None:
    assert _common_moves(FOUR) == list(range(7))
    othello = find_game("othello")
    assert set(_common_moves(othello)) <= {*range(64), 64} and len(_common_moves(othello)) >= 60
