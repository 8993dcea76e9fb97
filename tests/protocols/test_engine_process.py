"""The real process under every protocol: readiness, nonsense, stop and quit in a search, memory, whole games."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import chess
import chess.engine
import pytest
from engine_programs import PATIENCE, Program

from evalsmith.games import OVER, find_game

# Of each protocol: how the engine is started, a question at any time and how its answer begins, a long search.
PROTOCOLS = {
    "uci": (["chess"], "isready", "readyok", ["position startpos", "go infinite"]),
    "usi": (["shogi"], "isready", "readyok", ["position startpos", "go infinite"]),
    "nboard": (["othello"], "ping 5", "pong 5", ["set depth 60", "go"]),
    "gtp": (["othello", "--protocol", "gtp"], "9 name", "=9 Evalsmith", ["time_settings 9000 0 0", "genmove b"]),
    "states": (["drmario"], "nodes 1000000000", "ok", ["seed:8988 level:10"]),
    "codecup": (["dvonn", "--budget", "100000"], "Start", "", []),
}
NONSENSE: list[str | bytes] = [
    b"\xff\xfe\x00\x80 \xc3",
    b"\x00",
    "",
    "   \t ",
    "#",
    "ünïcode ☃ \U0001f600",
    "x" * 100_000,
    "known_command quit",
    "position fen " + "8/" * 5000,
    "position startpos moves " + "e2e4 " * 3,
    "go depth",
    "go depth 9e9",
    "setoption",
    "setoption name Hash value 99999999999999999999",
    "setoption name Weights value /",
    "set depth 0",
    "set game (;GM[Othello]",
    "hint -1",
    "play b",
    "time_left b nan 1",
    "nodes -5",
    "movetime inf",
    "seed:zzzz level:99",
    "7",
    "=== F5",
]


def test_the_handshake_comes_before_anything_is_compiled(tmp_path: Path) -> None:
    """With an empty cache all must be compiled first, which takes many times longer than to answer and to leave."""
    for words, hello, answer in ((["chess"], "uci", "uciok"), (["shogi"], "usi", "usiok")):
        with Program(*words, EVALSMITH_CACHE_DIR=str(tmp_path / hello)) as program:
            program.tell(hello)
            assert any(line.startswith("id name Evalsmith") for line in program.until(answer))
            assert program.end("quit") == 0
            assert not list((tmp_path / hello).rglob("evalsmith.engine.alphabeta.deepening.think.*"))
            assert "Traceback" not in program.complaints


@pytest.mark.parametrize("protocol", [name for name in PROTOCOLS if name != "codecup"])
def test_nonsense_is_survived_and_quit_ends_a_search(protocol: str) -> None:
    words, question, answer, long = PROTOCOLS[protocol]
    with Program(*words) as program:
        program.tell(*NONSENSE, question)
        program.until(answer)
        program.tell(*long)
        assert program.end("quit") == 0
        assert "Traceback" not in program.complaints


def test_nonsense_is_survived_by_codecup() -> None:
    game = find_game("dvonn")
    with Program("dvonn", "--budget", "3") as program:
        program.tell(*[line for line in NONSENSE if line], "start")
        assert game.parse_move(game.start(), program.hear()) in game.moves(game.start())
        program.tell("nonsense")
        assert program.end("Quit") == 0
        assert "Traceback" not in program.complaints
        assert "nonsense" in program.complaints


def test_the_end_of_the_input_ends_every_protocol() -> None:
    for protocol in ("nboard", "codecup"):
        words, question, answer, _ = PROTOCOLS[protocol]
        with Program(*words, *(["--budget", "2"] if protocol == "codecup" else [])) as program:
            program.tell(question)
            program.until(answer)
            assert program.process.stdin is not None
            program.process.stdin.close()
            assert program.process.wait(PATIENCE) == 0


def test_stop_again_and_again() -> None:
    with Program("chess", "--threads", "2") as program:
        program.tell("uci", "isready")
        program.until("readyok")
        for _ in range(30):
            program.tell("position startpos moves e2e4", "go infinite", "stop")
            move = program.until("bestmove")[-1].split()[1]
            assert (
                chess.Move.from_uci(move)
                in chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").legal_moves
            )
        program.tell("stop", "stop", "ponderhit", "isready")
        assert not any(line.startswith("bestmove") for line in program.until("readyok"))
        assert program.end("quit") == 0


def test_memory_is_bounded_and_told() -> None:
    bound = 64_000_000
    with Program("chess", "--memory", str(bound)) as program:
        program.tell("uci", "isready")
        [told] = [line for line in program.until("readyok") if line.startswith("info string memory")]
        chosen, process = (
            int(found.replace(",", ""))
            for found in re.findall(r"memory ([\d,]+) bytes|process ([\d,]+)", told)
            for found in found
            if found
        )
        assert bound - 100 < chosen <= bound
        program.tell("go nodes 300000")
        program.until("bestmove")
        pages = int(Path(f"/proc/{program.process.pid}/statm").read_text().split()[1])
        assert pages * 4096 < process + bound + 20_000_000
        program.tell("isready")
        assert program.until("readyok") == ["readyok"]
    with Program("othello", "--memory", str(bound)) as program:
        program.tell("ping 1")
        program.until("pong")
        assert program.end("quit") == 0
        assert re.search(r"^memory: 6[34],\d\d\d,\d\d\d bytes", program.complaints)


def test_an_engine_that_cannot_begin_says_why_and_ends() -> None:
    with Program("chess", "--memory", "1000") as program:
        assert program.end("uci", "isready") == 2
        assert re.search(r"^evalsmith: a search of chess needs [\d,]+ bytes", program.complaints)
        assert program.complaints.count("\n") == 1
        lines = []
        while (line := program.said.get(timeout=PATIENCE)) is not None:
            lines.append(line)
        assert lines[-1].startswith("info string error: a search of chess needs")


def test_python_chess_plays_whole_games() -> None:
    """Ordinary chess and Chess960, to the end; python-chess refuses an illegal move or a malformed line."""
    command = [sys.executable, "-m", "evalsmith", "engine", "chess"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE) as engine:
        engine.configure({"Hash": 1})
        for board in (chess.Board(), chess.Board.from_chess960_pos(0), chess.Board.from_chess960_pos(333)):
            for _ in range(300):
                if board.is_game_over(claim_draw=True):
                    break
                board.push(engine.play(board, chess.engine.Limit(nodes=60), game=board.fen).move)
            assert board.is_game_over(claim_draw=True) or len(board.move_stack) == 300
            assert board.is_valid()


def test_two_processes_play_a_whole_game_of_dvonn() -> None:
    game = find_game("dvonn")
    with Program("dvonn", "--budget", "3") as first, Program("dvonn", "--budget", "3") as second:
        programs, position = (first, second), game.start()
        first.tell("Start")
        while game.status(position) != OVER:
            side = game.mover(position)
            text = programs[side].hear()
            position = game.play(position, game.parse_move(position, text))
            programs[1 - side].tell(text)
        for program in programs:
            assert program.end("Quit") == 0
            assert program.complaints == ""
