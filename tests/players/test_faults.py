"""Whatever a program does: the right reason, nothing left behind, and an end in bounded time."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs import MOCKS, clocked, engine, fresh, nothing_left, processes_with, seated

from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.players import Failure, PlayLimit, parse_player, take_seat
from evalsmith.processes.program import MAX_STDERR, Launch, Program

NODES = Limit(nodes=100)
MOVETIME = PlayLimit(seconds=0.2, margin=0.1)


def fails(mode: str, number: float = 0, limit: Limit = NODES, options: str = "", protocol: str = "uci") -> Failure:
    """The failure of a mock in its first game; everything it started must be gone at once, before any farewell."""
    token = fresh()
    game = find_game("chess")
    seat = take_seat(parse_player(engine(mode, number, token=token, options=options, protocol=protocol), game), limit)
    with pytest.raises(Failure) as caught, seated_board(seat) as ask:
        ask()
    nothing_left(token)
    seat.close()
    return caught.value


class seated_board:
    """Begins a game and asks for the first move."""

    def __init__(self, seat) -> None:
        self.seat = seat

    def __enter__(self):
        board = Board(self.seat.game)
        self.seat.begin(board.start, 0)
        return lambda: self.seat.choose(clocked(board, 1.0, 1.0) if self.seat.limit.timed else board)

    def __exit__(self, *_) -> None:
        pass


# ── Hanging, at each step ──


@pytest.mark.parametrize(("step", "deadline"), [("hello", "handshake"), ("ready", "handshake"), ("newgame", "newgame")])
def test_hanging_before_the_game_is_a_stall(step: str, deadline: str) -> None:
    failure = fails(f"hang-{step}", options=f"{deadline}=0.4")
    assert (failure.reason, failure.detail) == ("stall", f"no answer to the {deadline} in 0.4 s")


@pytest.mark.parametrize("limit", [Limit(nodes=100), Limit(depth=3)])
def test_hanging_under_nodes_or_depth_meets_the_watchdog(limit: Limit) -> None:
    failure = fails("hang-go", limit=limit, options="watchdog=0.4")
    assert failure.reason == "stall" and "no move in 0.4 s" in failure.detail


@pytest.mark.parametrize("limit", [MOVETIME, PlayLimit(base=0.2), PlayLimit(byoyomi=0.2), PlayLimit(budget=0.2)])
def test_hanging_under_a_clock_loses_on_time(limit: PlayLimit) -> None:
    failure = fails("hang-go", limit=limit)
    assert failure.reason == "time" and "after its time was up" in failure.detail


def test_a_program_that_reads_nothing_has_stalled() -> None:
    failure = fails("deaf", options="handshake=0.4")
    assert failure.reason == "stall"


def test_a_full_pipe_has_stalled() -> None:
    token = fresh()
    program = Program(Launch((sys.executable, "-S", str(MOCKS / "engine.py"), "deaf", "0", token)))
    with pytest.raises(Failure, match="stall: does not read its input"):
        program.send("x" * 1_000_000, 0.3)
    program.close()
    nothing_left(token)


# ── Ending too early ──


@pytest.mark.parametrize("step", ["start", "hello", "ready", "newgame", "go"])
@pytest.mark.parametrize("code", [0, 3])
def test_an_exit_is_a_crash_with_its_code(step: str, code: int) -> None:
    failure = fails(f"exit-{step}", code)
    assert (failure.reason, failure.detail) == ("crash", f"exit code {code}")


def test_a_signal_is_a_crash_with_its_name() -> None:
    failure = fails("signal-go", signal.SIGSEGV)
    assert (failure.reason, failure.detail) == ("crash", "signal 11 (SIGSEGV)")


def test_a_crash_quotes_what_the_program_complained_of_last() -> None:
    failure = fails("traceback-go")
    assert (failure.reason, failure.detail) == ("crash", "exit code 1: RuntimeError: the engine is broken")


def test_a_program_that_closes_its_output_breaks_the_protocol() -> None:
    assert fails("closed").reason == "protocol"


def test_a_program_that_cannot_be_started_is_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    seat = take_seat(parse_player(f"uci:{path}", find_game("chess")), NODES)
    with pytest.raises(Failure, match=r"crash: .* cannot be started") as caught:
        seat.begin(find_game("chess").start(), 0)
    assert caught.value.reason == "crash"


# ── Wrong moves ──


@pytest.mark.parametrize(("mode", "text"), [("illegal", "'e2e5'"), ("drop", "'P@9h'"), ("resign", "'resign'")])
def test_an_illegal_move_is_quoted(mode: str, text: str) -> None:
    failure = fails(mode)
    assert failure.reason == "illegal" and failure.detail.startswith(f"{text} in rnbqkbnr/")


def test_an_answer_without_a_move_breaks_the_protocol() -> None:
    assert fails("nomove").reason == "protocol"


# ── Too late ──


def test_a_late_move_says_how_late() -> None:
    failure = fails("late", 0.5, limit=MOVETIME, options="stop=20")
    assert failure.reason == "time" and failure.detail.endswith("s late, 0.1 s allowed")
    assert 0.2 < float(failure.detail.split()[0]) < 10


def test_a_late_move_is_not_taken_for_the_next() -> None:
    """The mock sends a2a3 late to its first request; a program that is started again answers e2e4."""
    token = fresh()
    game = find_game("chess")
    seat = take_seat(parse_player(engine("late", 0.6, token=token), game), MOVETIME)
    for _ in range(2):
        board = Board(game)
        seat.begin(board.start, 0)
        with pytest.raises(Failure, match="time"):
            seat.choose(board)
        nothing_left(token)
    seat.close()


def test_what_is_said_unasked_is_dropped() -> None:
    """A move that comes twice does not answer the next request."""
    token = fresh()
    with seated(engine("ok", token=token), token=token) as (seat, board):
        program = seat.program  # type: ignore[attr-defined]
        program.send("go\n", 5)
        deadline = time.perf_counter() + 10
        import re

        program.until(re.compile(rb"bestmove e2e4[^\n]*\n"), deadline)
        program._buffer += b"bestmove h2h3\n"
        assert board.game.format_move(board.start, seat.choose(board).move) == "g1f3"


# ── Too much ──


@pytest.mark.parametrize("limit", [NODES, MOVETIME])
def test_a_flood_without_end_costs_time_but_no_memory(limit: Limit) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    failure = fails("flood-go", limit=limit, options="watchdog=0.5")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert failure.reason == ("stall" if limit is NODES else "time")
    assert grown < 30_000  # kilobytes; the mock writes gigabytes a second


def test_a_flood_in_the_handshake_is_a_stall() -> None:
    failure = fails("flood-hello", options="handshake=0.5")
    assert failure.reason == "stall"
    assert re.search(r"in 0.5 s, but [\d,]+ (bytes|MB) of other output; the last line: '.+'", failure.detail)


@pytest.mark.parametrize("step", ["hello", "go"])
def test_a_line_without_end_breaks_the_protocol(step: str) -> None:
    failure = fails(f"noline-{step}")
    assert failure.reason == "protocol" and "a line of more than 65,536 bytes" in failure.detail


def test_standard_error_is_capped_and_never_blocks(tmp_path: Path) -> None:
    token = fresh()
    with seated(engine("stderr", 40, token=token), logs=tmp_path, token=token) as (seat, board):
        assert board.game.format_move(board.start, seat.choose(board).move) == "e2e4"
    [log] = tmp_path.iterdir()
    text = log.read_bytes()
    assert MAX_STDERR <= len(text) < MAX_STDERR + 100
    assert text.startswith(b"setoption name Threads value 1\n") and text.endswith(b"[the rest was dropped]\n")


@pytest.mark.parametrize("mode", ["memory", "spike", "child-memory"])
@pytest.mark.parametrize("cgroup", ["yes", "no"])
def test_memory_is_limited(mode: str, cgroup: str) -> None:
    """Of the program, also if it was held for a moment, and of its children."""
    failure = fails(mode, 200e6, options=f"memory=100000000;cgroup={cgroup}")
    assert failure.reason == "memory" and failure.detail.endswith("bytes, 100,000,000 allowed")


def test_memory_within_the_limit_is_reported() -> None:
    token = fresh()
    with seated(engine("spike", 50e6, token=token, options="memory=200000000"), token=token) as (seat, board):
        seat.choose(board)
        seat.end()
        assert 50_000_000 < (seat.bytes_used() or 0) < 200_000_000
    assert 50_000_000 < (seat.bytes_used() or 0) < 200_000_000


def test_the_address_space_can_be_limited() -> None:
    failure = fails("memory", 900e6, options="address_space=600000000")
    assert failure.reason == "crash" and "MemoryError" in failure.detail


# ── Staying too long ──


@pytest.mark.parametrize("mode", ["hang-quit", "stubborn"])
def test_a_program_that_ignores_quit_is_killed(mode: str) -> None:
    token = fresh()
    with seated(engine(mode, token=token, options="quit=0.3"), token=token) as (seat, board):
        seat.choose(board)


@pytest.mark.parametrize("mode", ["fork", "daemon"])
def test_what_a_program_has_forked_is_killed(mode: str) -> None:
    token = fresh()
    with seated(engine(mode, token=token), token=token) as (seat, board):
        seat.choose(board)
        assert len(processes_with(token)) == 2


def test_a_forked_child_does_not_hide_a_crash() -> None:
    """The child holds the pipes open, so there is no end of the output."""
    token = fresh()
    with seated(engine("fork", token=token), token=token) as (seat, board):
        os.kill(seat.program.pid, signal.SIGKILL)  # type: ignore[attr-defined]
        with pytest.raises(Failure, match=r"crash: signal 9 \(SIGKILL\)"):
            seat.choose(board)


def test_programs_die_with_us() -> None:
    token = fresh()
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1]);"
        "from evalsmith.processes.program import Launch, Program;"
        "program = Program(Launch((sys.executable, '-S', sys.argv[2], 'ok', '0', sys.argv[3])));"
        "print('ready', flush=True); time.sleep(600)"
    )
    runner = subprocess.Popen(
        [sys.executable, "-c", code, str(MOCKS.parent), str(MOCKS / "engine.py"), token], stdout=subprocess.PIPE
    )
    assert runner.stdout is not None and runner.stdout.readline() == b"ready\n"
    assert len(processes_with(token)) == 2
    runner.kill()
    runner.wait()
    runner.stdout.close()
    nothing_left(token)


def test_a_failed_program_is_started_again_for_the_next_game() -> None:
    token = fresh()
    game = find_game("chess")
    seat = take_seat(parse_player(engine("exit-go", 5, token=token), game), NODES)
    for _ in range(3):
        with pytest.raises(Failure, match="crash: exit code 5"), seated_board(seat) as ask:
            ask()
    seat.close()
    nothing_left(token)
