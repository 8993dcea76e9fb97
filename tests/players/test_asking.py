"""Many questions to one program: the same answers whether a kernel or the seat asks, whatever it does amid them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.players import Failure, asking, parse_player, take_seat
from evalsmith.players.asking import Asker
from evalsmith.players.uci_seat import Question, Spoken, UciSeat, UnderWay

CHESS, SHOGI = find_game("chess"), find_game("shogi")
# By the move number of a position it does something else: it is slow to be ready or to move, writes to standard error,
# dies, or says its answer in parts.
ENGINE = """
import sys, time
number, games = 0, 0
def say(text):
    sys.stdout.write(text + "\\n"); sys.stdout.flush()
for line in sys.stdin:
    words = line.split()
    if words[0] in ("uci", "usi"):
        say("id name mock"); say(words[0] + "ok")
    elif words[0] == "isready":
        games += 1
        if games % 7 == 3:
            time.sleep(0.2)
        say("readyok")
    elif words[0] == "position":
        number = int(words[-1])
    elif words[0] == "go":
        if number == 4:
            time.sleep(0.25)
        if number == 6:
            print("careful", file=sys.stderr, flush=True)
        if number == 8:
            sys.exit(3)
        say(f"info depth {number} score cp {number} nodes 5 time 1 pv e2e4")
        if number == 9:
            sys.stdout.write("bestmove e2"); sys.stdout.flush(); time.sleep(0.05); say("e4 ponder e7e5")
        else:
            say("bestmove e2e4")
    elif words[0] == "quit":
        break
"""


def texts(game: str) -> list[str]:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0"
    shogi = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
    return [f"{start if game == 'chess' else shogi} {number}" for number in range(1, 13)]


class Askers:
    """A program and the questions to it; one that has failed is started again."""

    def __init__(self, folder: Path, protocol: str) -> None:
        program = folder / "engine.py"
        program.write_text(ENGINE)
        self.game = CHESS if protocol == "uci" else SHOGI
        self.player = parse_player(f"{protocol}:{sys.executable} {program}", self.game)
        self.by_seat: list[UnderWay | None] = []
        self.seat = self._new()

    def _new(self) -> UciSeat:
        seat = take_seat(self.player, Limit(nodes=5), 1)
        assert isinstance(seat, UciSeat)
        return seat

    def attempt(self, question: Question, under_way: UnderWay | None) -> Spoken | str:
        self.by_seat.append(under_way)
        try:
            return self.seat.ask_alone(question, under_way)
        except Failure as failure:
            self.seat.close()
            self.seat = self._new()
            return failure.reason

    def ask(self, written: list[str]) -> list[Spoken | str]:
        questions = [self.seat.question(self.game.parse(text), text) for text in written]
        found = Asker().ask(lambda: self.seat, questions, self.attempt)
        self.seat.close()
        return found


def without_time(answers: list[Spoken | str]) -> list[object]:
    return [one if isinstance(one, str) else (one.best, one.said) for one in answers]


@pytest.mark.parametrize("protocol", ["uci", "usi"])
def test_the_kernel_hears_what_the_seat_hears(tmp_path: Path, protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = Askers(tmp_path, protocol)
    found = fast.ask(texts(fast.game.name))
    monkeypatch.setattr(asking, "COMPILED", False)
    slow = Askers(tmp_path, protocol)
    assert without_time(found) == without_time(slow.ask(texts(slow.game.name)))
    assert found[7] == "crash"
    assert isinstance(found[3], Spoken) and found[3].seconds > 0.2
    assert [one.best for one in found if isinstance(one, Spoken)][7] == b"e2e4 ponder e7e5"
    assert len(slow.by_seat) == 12


def test_the_seat_looks_after_what_is_no_answer_alone(tmp_path: Path) -> None:
    fast = Askers(tmp_path, "uci")
    fast.ask(texts("chess"))
    if not asking.COMPILED:
        assert len(fast.by_seat) == 12
        return
    begun = [one.searching for one in fast.by_seat if one is not None]
    assert True in begun and False in begun  # a search that took long, and a program that was long not ready
    assert len(fast.by_seat) < 10


def test_positions_of_chess960_are_announced(tmp_path: Path) -> None:
    """The option is set by the seat; the kernel asks only where nothing has to be set."""
    fast = Askers(tmp_path, "uci")
    chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2"
    written = [texts("chess")[0], f"{chess960} 10", f"{chess960} 11", texts("chess")[1]]
    assert all(isinstance(one, Spoken) for one in fast.ask(written))
    questions = [fast.seat.question(CHESS.parse(text), text) for text in written]
    assert [one.chess960 for one in questions] == [False, True, True, False]
