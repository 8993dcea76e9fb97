"""Our engine under UCI and USI: driven by python-chess, by scripts, and by nonsense."""

import io
import subprocess
import sys

import chess
import chess.engine
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from uci_client import PATIENCE, Client, best

from evalsmith.games import find_game
from evalsmith.protocols.uci import UCI, USI


@pytest.fixture(scope="module")
def chess_client():
    return Client("chess", UCI)


@pytest.fixture(scope="module")
def shogi_client():
    return Client("shogi", USI)


def test_the_handshake_lists_the_options(chess_client):
    lines = chess_client.ask("uci", until="uciok")
    assert any(line.startswith("id name Evalsmith") for line in lines)
    for option in ("Hash", "MultiPV", "Ponder", "Weights", "UCI_Chess960"):
        assert any(line.startswith(f"option name {option} ") for line in lines)


def test_a_limited_search_says_lines_and_a_legal_move(chess_client):
    lines = chess_client.ask("position startpos moves e2e4", "go nodes 3000", until="bestmove")
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(best(lines)) in board.legal_moves
    infos = [line for line in lines if line.startswith("info depth")]
    assert infos and all(" pv " in line and " nps " in line and " hashfull " in line for line in infos)
    assert infos[-1].split(" pv ")[1].split()[0] == best(lines)


def test_mate_is_told_in_moves(chess_client):
    lines = chess_client.ask(
        "position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
        "go depth 3",
        until="bestmove",
    )
    assert best(lines) == "f3f7" and any("score mate 1 " in line for line in lines)


def test_a_finished_game_has_no_move(chess_client):
    mated = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert best(chess_client.ask(mated, "go depth 2", until="bestmove")) == "0000"


def test_multipv_gives_that_many_lines(chess_client):
    chess_client.ask("setoption name MultiPV value 4", "isready", until="readyok")
    lines = chess_client.ask("position startpos", "go depth 3", until="bestmove")
    chess_client.ask("setoption name MultiPV value 1", "isready", until="readyok")
    assert {f" multipv {n} " in " ".join(lines) for n in range(1, 5)} == {True}


def test_infinite_search_says_its_move_only_when_it_is_stopped(chess_client):
    lines = chess_client.ask("position startpos", "go infinite", "isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in lines)
    assert best(chess_client.ask("stop", until="bestmove"))


def test_a_mate_found_in_infinite_search_waits_for_stop(chess_client):
    lines = chess_client.ask("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go infinite", until="info depth")
    assert not any(line.startswith("bestmove") for line in lines)
    assert best(chess_client.ask("stop", until="bestmove")) == "a1a8"


def test_pondering_ends_with_ponderhit(chess_client):
    chess_client.ask("position startpos moves e2e4", "go ponder wtime 1000 btime 1000", "isready", until="readyok")
    assert best(chess_client.ask("ponderhit", until="bestmove"))


def test_a_wrong_position_or_option_changes_nothing(chess_client):
    chess_client.ask("position startpos moves e2e4", "isready", until="readyok")
    before = chess_client.server.engine.board.position.copy()
    for command in (
        "position startpos moves e2e5",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position nowhere",
        "position",
        "setoption name Hash value many",
        "setoption name Hash value 0",
        "setoption name Weights value absent.json",
        "setoption name Nonsense value 1",
        "go depth many",
    ):
        lines = chess_client.ask(command, "isready", until="readyok")
        assert any(line.startswith("info string error") for line in lines), command
        assert (chess_client.server.engine.board.position == before).all()
        assert chess_client.server.engine.board.history


def test_fixed_nodes_repeat_after_a_new_game(chess_client):
    def play():
        commands = ("ucinewgame", "position startpos moves d2d4 d7d5", "go nodes 5000")
        lines = chess_client.ask(*commands, until="bestmove")
        last = [line for line in lines if line.startswith("info depth")][-1]
        return best(lines), last.split(" nps ")[0], last.split(" pv ")[1]

    assert play() == play()


def test_usi_speaks_its_own_words(shogi_client):
    assert any(line == "usiok" for line in shogi_client.ask("usi", until="usiok"))
    lines = shogi_client.ask(
        "usinewgame", "position startpos moves 7g7f 3c3d", "go btime 0 wtime 0 byoyomi 100", until="bestmove"
    )
    game = find_game("shogi")
    position = game.start()
    for text in ("7g7f", "3c3d"):
        position = game.play(position, game.parse_move(position, text))
    assert game.parse_move(position, best(lines)) in game.moves(position)


ENTERED = "position sfen 1+R+RK+BGGSS/3PP4/2N6/9/9/9/9/9/7k1 b {} 200"


def test_usi_declares_a_win_by_the_rule_that_is_set(shogi_client):
    lines = shogi_client.ask("usi", until="usiok")
    assert (
        "option name EnteringKingRule type combo default CSARule27 var CSARule27 var CSARule24 var NoEnteringKing"
        in lines
    )
    assert best(shogi_client.ask(ENTERED.format("6P"), "go nodes 50", until="bestmove")) == "win"
    assert best(shogi_client.ask(ENTERED.format("5P"), "go nodes 50", until="bestmove")) != "win"
    shogi_client.tell("setoption name EnteringKingRule value CSARule24")
    assert best(shogi_client.ask(ENTERED.format("6P"), "go nodes 50", until="bestmove")) != "win"
    assert best(shogi_client.ask(ENTERED.format("9P"), "go nodes 50", until="bestmove")) == "win"
    shogi_client.tell("setoption name EnteringKingRule value NoEnteringKing")
    assert best(shogi_client.ask(ENTERED.format("9P"), "go nodes 50", until="bestmove")) != "win"
    refused = shogi_client.ask("setoption name EnteringKingRule value Other", until="info string error")
    assert "takes one of CSARule27, CSARule24, NoEnteringKing, not 'Other'" in refused[-1]
    shogi_client.tell("setoption name EnteringKingRule value CSARule27")


def test_a_declaration_waits_for_the_opponents_move_and_not_for_analysts(shogi_client):
    begun = len(shogi_client.lines)
    shogi_client.tell(ENTERED.format("6P"), "go ponder btime 1000 wtime 1000")
    assert not any(line.startswith("bestmove") for line in shogi_client.lines[begun:])
    assert best(shogi_client.ask("ponderhit", until="bestmove")) == "win"
    shogi_client.tell(ENTERED.format("6P"), "go infinite")
    assert best(shogi_client.ask("stop", until="bestmove")) != "win"
    assert best(shogi_client.ask(ENTERED.format("6P"), "go nodes 9 searchmoves P*1c", until="bestmove")) == "P*1c"


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.lists(
                st.sampled_from(
                    [
                        "position",
                        "go",
                        "setoption",
                        "name",
                        "value",
                        "moves",
                        "startpos",
                        "fen",
                        "depth",
                        "-1",
                        "0",
                        "x",
                    ]
                ),
                max_size=8,
            ).map(" ".join),
        ),
        max_size=6,
    )
)
def test_nonsense_is_survived(chess_client, lines):
    harmless = [line for line in lines if "quit" not in line and line.split()[:1] != ["go"]]
    chess_client.tell(*harmless)
    assert chess_client.ask("isready", until="readyok")


def test_python_chess_drives_the_program():
    command = [sys.executable, "-m", "evalsmith", "engine", "chess"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE) as engine:
        board = chess.Board()
        for _ in range(6):
            board.push(engine.play(board, chess.engine.Limit(nodes=500)).move)
        result = engine.play(board, chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02))
        assert result.move in board.legal_moves
        lines = engine.analyse(board, chess.engine.Limit(depth=2), multipv=board.legal_moves.count())
        assert len({line["pv"][0] for line in lines}) == board.legal_moves.count()


def test_the_end_of_input_ends_the_program():
    command = [sys.executable, "-m", "evalsmith", "engine", "chess"]
    done = subprocess.run(
        command, input="uci\nisready\ngo infinite\n", capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert "uciok" in done.stdout and "Traceback" not in done.stderr


def test_an_unknown_protocol_or_weights_file_is_refused(monkeypatch, capsys):
    from evalsmith.cli.main import main

    for words in (["engine", "chess", "--protocol", "smoke"], ["engine", "chess", "--weights", "absent.json"]):
        monkeypatch.setattr(sys, "argv", ["evalsmith", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "refused",
    ["position startpos moves e2e5", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position nowhere", "position"],
)
def test_a_position_that_was_refused_gets_no_move(chess_client, refused):
    """The interface has another position than we have, and a move of ours could even be legal there."""
    chess_client.ask("position startpos moves d2d4", "isready", until="readyok")
    lines = chess_client.ask(refused, "go depth 1", until="bestmove")
    assert lines[-1].split()[1] in ("0000", "(none)")
    assert any("was refused" in line for line in lines)
    lines = chess_client.ask("position startpos moves d2d4", "go depth 1", until="bestmove")
    assert lines[-1].split()[1] not in ("0000", "(none)")
