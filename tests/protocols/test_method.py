"""Monte Carlo tree search behind every protocol, with threads and bounded memory."""

from __future__ import annotations

import chess
import pytest
from engine_programs import Program
from uci_client import Client, best

from evalsmith.games import Game, find_game
from evalsmith.protocols import run_engine
from evalsmith.protocols.codecup import CodeCupServer
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.gtp import GtpServer
from evalsmith.protocols.nboard import NBoardServer
from evalsmith.protocols.states import StatesServer
from evalsmith.protocols.uci import UCI, USI
from evalsmith.run import InputError

OPTIONS = EngineOptions(method="mcts", memory_bytes=4_000_000)


def legal(game: Game, text: str) -> bool:
    start = game.start()
    return game.parse_move(start, text) in game.moves(start)


@pytest.mark.parametrize("threads", [1, 2])
def test_uci_and_usi(threads: int) -> None:
    for name, dialect in (("chess", UCI), ("shogi", USI)):
        client = Client(name, dialect, EngineOptions(method="mcts", memory_bytes=8_000_000, threads=threads))
        [told] = [line for line in client.ask("isready", until="readyok") if line.startswith("info string memory")]
        assert int(told.split()[3].replace(",", "")) <= 8_000_000
        lines = client.ask("position startpos", "go nodes 300", until="bestmove")
        assert legal(find_game(name), best(lines))
        assert any(line.startswith("info depth") and " score cp " in line for line in lines)
        lines = client.ask("go infinite", "isready", until="readyok")
        assert not any(line.startswith("bestmove") for line in lines)
        assert legal(find_game(name), best(client.ask("stop", until="bestmove")))
        client.ask("go ponder movetime 50", "isready", until="readyok")
        assert legal(find_game(name), best(client.ask("ponderhit", until="bestmove")))


def test_every_move_can_have_a_line() -> None:
    client = Client("chess", UCI, OPTIONS)
    client.ask("setoption name MultiPV value 20", "isready", until="readyok")
    lines = client.ask("position startpos", "go nodes 500", until="bestmove")
    last = [line for line in lines if line.startswith("info depth")][-20:]
    assert {line.split(" pv ")[1].split()[0] for line in last} == {move.uci() for move in chess.Board().legal_moves}


def test_the_protocols_of_lines() -> None:
    said: list[str] = []
    othello, dvonn, drmario = (Engine(find_game(name), OPTIONS) for name in ("othello", "dvonn", "drmario"))
    GtpServer(othello, said.append).serve(["time_settings 1 0 0", "2 genmove b"])
    assert legal(othello.game, said.pop().removeprefix("=2 ").strip())
    othello.new_game()
    NBoardServer(othello, said.append).serve(["set depth 2", "go"])
    [answer] = [text for text in said if text.startswith("=== ")]
    assert legal(othello.game, answer[4:].split("/")[0])
    said.clear()
    CodeCupServer(dvonn, said.append, budget=1.0).serve(["Start"])
    assert legal(dvonn.game, said.pop().strip())
    StatesServer(drmario, said.append).serve(["nodes 200", "seed:8988 level:10"])
    assert legal(drmario.game, said.pop().split()[0])


def test_quit_ends_the_process_in_a_search() -> None:
    with Program("othello", "--method", "mcts", "--memory", "8000000", "--threads", "2") as program:
        program.tell("ping 1")
        program.until("pong")
        program.tell("set depth 60", "go")
        assert program.end("quit") == 0
        assert program.complaints.startswith("memory: ")
        assert "Traceback" not in program.complaints


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InputError, match="one of alphabeta, mcts, not 'luck'"):
        run_engine(find_game("chess"), None, EngineOptions(method="luck"))
