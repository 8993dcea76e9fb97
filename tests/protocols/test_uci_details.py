"""UCI and USI in detail: readiness, options, weights files, pondering, several lines, what is said meanwhile."""

import json
import threading

import chess
import pytest
from uci_client import PATIENCE, Client, best

from evalsmith.engine import Line
from evalsmith.games import find_game
from evalsmith.protocols import engine as engine_module
from evalsmith.protocols.engine import Engine, EngineOptions, Info
from evalsmith.protocols.uci import UCI, USI, UciServer
from evalsmith.run import InputError
from evalsmith.weights import save_weights, starting_weights

CHESS, SHOGI = find_game("chess"), find_game("shogi")
MATED_SHOGI = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
MANY_DROPS = "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLP 1"


@pytest.fixture(scope="module")
def client():
    return Client("chess", UCI)


@pytest.fixture(scope="module")
def usi():
    return Client("shogi", USI)


def errors(lines):
    return [line for line in lines if line.startswith("info string error")]


def infos(lines):
    return [line for line in lines if line.startswith("info depth")]


# ── Readiness ──


def test_only_isready_waits_for_the_kernels(monkeypatch):
    compiled = threading.Event()
    make = EngineOptions.make
    monkeypatch.setattr(EngineOptions, "make", lambda *given: compiled.wait(PATIENCE) and make(*given))
    slow = Client("chess", UCI)
    assert slow.ask("uci", "setoption name Ponder value true", until="uciok")
    asking = threading.Thread(target=slow.server.answer, args=(["isready"],))
    asking.start()
    asking.join(0.2)
    assert slow.lines[-1].startswith("info string compiling")
    compiled.set()
    asking.join(PATIENCE)
    assert slow.lines[-1] == "readyok"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"threads": 257}, "threads must be from 1 to 256, not 257"),
        ({"without": ("luck",)}, "unknown technique 'luck'"),
        ({"replacement": "never"}, "replacement must be one of"),
        ({"memory_bytes": 10**15}, "does not fit into the memory"),
    ],
)
def test_an_engine_that_cannot_search_says_so_and_gives_up(options, reason):
    said = []
    server = UciServer(Engine(CHESS, EngineOptions(**options)), UCI, said.append)
    with pytest.raises(InputError, match=reason):
        server.serve(["uci", "isready", "isready"])
    assert reason in said[-1]
    assert "readyok\n" not in said


# ── Options ──


def test_option_names_may_be_written_in_any_case(client):
    assert not errors(
        client.ask("setoption name hash value 2", "setoption name MULTIPV value 1", "isready", until="rea")
    )
    assert client.server.engine.options.table_bytes == 2 << 20


def test_wrong_options_change_nothing(client):
    engine = client.server.engine
    before = engine.options, engine.searcher, engine.multipv
    for text in (
        "Hash value -1",
        "Hash value 1.5",
        "Hash value 99999999999",
        "Hash value " + "9" * 5000,
        "Hash",
        "Threads value 0",
        "Threads value 257",
        "MultiPV value 0",
        "MultiPV value 100000",
        "MoveOverhead value x",
        "UCI_Chess960 value maybe",
        "Weights value .",
        "Weights value /dev/null",
        "Luck value 3",
        "",
    ):
        lines = client.ask(f"setoption name {text}", "isready", until="readyok")
        assert len(errors(lines)) == 1, text
        assert (engine.options, engine.searcher, engine.multipv) == before


def test_threads_are_used_and_said_not_to_repeat(client):
    client.ask("setoption name Threads value 2", "isready", until="readyok")
    assert client.server.engine.searcher.threads == 2
    lines = client.ask("position startpos", "go nodes 2000", until="bestmove")
    assert any(line.startswith("info string") and "is not reproducible" in line for line in lines)
    client.ask("setoption name Threads value 1", "isready", until="readyok")
    assert client.server.engine.searcher.threads == 1


def changed(path, **keys):
    """A copy of a weights file with other entries."""
    document = json.loads(path.read_text()) | keys
    copy = path.with_name(f"{'-'.join(keys)}.json")
    copy.write_text(json.dumps(document))
    return copy


def test_weights_of_another_game_version_or_length_are_refused_by_name(client, tmp_path):
    good, other = tmp_path / "good.json", tmp_path / "other.json"
    save_weights(starting_weights(CHESS), good)
    save_weights(starting_weights(find_game("dvonn")), other)
    document = json.loads(good.read_text())
    feature = next(iter(document["weights"]))
    short = document["weights"] | {feature: [row[:-1] for row in document["weights"][feature]]}
    client.ask(f"setoption name Weights value {good}", "isready", until="readyok")
    engine = client.server.engine
    assert engine.options.weights == str(good)
    before = engine.options, engine.searcher
    for path, reason in (
        (other, "weights of dvonn, not of chess"),
        (changed(good, version=7), "version 7 of the weights file"),
        (changed(good, rules_version=-1), "rules version -1"),
        (changed(good, weights=short), f"feature {feature}"),
        (changed(good, layout={}), "does not fit chess"),
        (tmp_path / "absent.json", "there is no weights file"),
    ):
        [error] = errors(client.ask(f"setoption name Weights value {path}", "isready", until="readyok"))
        assert path.name in error and reason in error
        assert (engine.options, engine.searcher) == before
    client.ask("setoption name Weights value <empty>", "isready", until="readyok")
    assert engine.options.weights is None
    assert best(client.ask("position startpos", "go nodes 200", until="bestmove"))


# ── Chess960 ──


def test_castling_is_read_both_ways_and_written_as_the_option_says(client):
    castle = "position fen r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1"
    reached = set()
    for text in ("e1g1", "e1h1", "e1c1", "e1a1"):
        client.ask(f"{castle} moves {text}", "isready", until="readyok")
        reached.add((text[2] > "e", CHESS.format(client.server.engine.board.position)))
    assert len(reached) == 2
    count = chess.Board("r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1").legal_moves.count()
    for value, short, long in (("true", "e1h1", "e1a1"), ("false", "e1g1", "e1c1")):
        client.ask(f"setoption name UCI_Chess960 value {value}", "isready", until="readyok")
        client.ask(f"setoption name MultiPV value {count}", "isready", until="readyok")
        lines = infos(client.ask(castle, "go depth 1", until="bestmove"))
        moves = {line.split(" pv ")[1].split()[0] for line in lines}
        assert {short, long} <= moves
        assert len(moves) == count
    client.ask("setoption name MultiPV value 1", "isready", until="readyok")


# ── Limits ──


@pytest.mark.parametrize(
    "limits",
    [
        "wtime 50 btime 50",
        "wtime -100 btime -100 winc -5 binc -5",
        "wtime 100000000000000000000000000000000000 btime 1 movetime 20",
        "wtime 1000 btime 1000 movestogo 999999999999999999999999",
        "movetime 0",
        "movetime -5",
        "depth 0",
        "depth -3",
        "depth 2 nodes 999999999999999999999999",
        "nodes 0",
        "mate 1",
        "depth 1 searchmoves e2e4",
        "wtime 300 btime 300 movestogo 1",
    ],
)
def test_any_limit_ends_with_a_move(client, limits):
    assert chess.Move.from_uci(best(client.ask("position startpos", f"go {limits}", until="bestmove"))) in (
        chess.Board().legal_moves
    )


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("depth 2 searchmoves a2a3", {"a2a3"}),
        ("searchmoves a2a3 h2h3 depth 2", {"a2a3", "h2h3"}),
        ("searchmoves a2a3 infinite", {"a2a3"}),
        ("depth 2 searchmoves e2e5 b1c3 zz", {"b1c3"}),
    ],
)
def test_searchmoves_are_the_moves_to_choose_from(client, words, chosen):
    begun = len(client.lines)
    client.ask("position startpos", f"go {words}", until="info depth" if "infinite" in words else "bestmove")
    client.ask("stop", "isready", until="readyok")
    lines = client.lines[begun:]
    assert best(lines) in chosen
    assert {line.split(" pv ")[1].split()[0] for line in infos(lines)} <= chosen
    assert [line.partition("searchmoves: ")[2][:4] for line in lines if "searchmoves:" in line] == (
        ["'e2e", "'zz'"] if "zz" in words else []
    )


@pytest.mark.parametrize("words", ["depth 2 searchmoves", "depth 2 searchmoves e2e5 0000", "searchmoves depth 2"])
def test_searchmoves_without_a_legal_move_are_as_if_not_given(client, words):
    client.ask("ucinewgame", "position startpos", "isready", until="readyok")
    free = best(client.ask("go depth 2", until="bestmove"))
    client.ask("ucinewgame", "position startpos", "isready", until="readyok")
    lines = client.ask(f"go {words}", until="bestmove")
    assert best(lines) == free and not errors(lines)
    assert ("info string searchmoves: none of the moves is legal, so all are searched" in lines) == ("0000" in words)


def test_usi_has_searchmoves_too_and_mcts_says_that_it_has_not(usi):
    assert best(usi.ask("position startpos", "go searchmoves 1g1f depth 2", until="bestmove")) == "1g1f"
    tree = Client("chess", UCI, EngineOptions(method="mcts", memory_bytes=4 << 20))
    lines = tree.ask("position startpos", "go nodes 50 searchmoves a2a3", until="bestmove")
    assert "info string searchmoves is not supported with mcts: all moves are searched" in lines


def test_a_number_beyond_everything_is_no_error_of_ours(client):
    digits = "9" * 400
    lines = client.ask("position startpos", f"go wtime {digits} btime {digits} winc {digits} depth 1", until="bestmove")
    assert not errors(lines)


def test_usi_byoyomi_mate_and_resignation(usi):
    for limits in ("btime 0 wtime 0 byoyomi 50", "byoyomi 50", "btime 10 wtime 10 binc 20 winc 20"):
        move = best(usi.ask("position startpos", f"go {limits}", until="bestmove"))
        assert SHOGI.parse_move(SHOGI.start(), move) in SHOGI.moves(SHOGI.start())
    assert best(usi.ask(f"position sfen {MATED_SHOGI}", "go depth 2", until="bestmove")) == "resign"
    assert usi.ask("go mate infinite", until="checkmate")[-1] == "checkmate notimplemented"


# ── Lines ──


def test_every_legal_move_can_have_a_line(usi):
    position = SHOGI.parse(MANY_DROPS)
    count = len(SHOGI.moves(position))
    assert count > 300
    usi.ask(f"setoption name MultiPV value {SHOGI.max_moves}", f"position sfen {MANY_DROPS}", "isready", until="ready")
    lines = infos(usi.ask("go depth 1", until="bestmove"))
    usi.ask("setoption name MultiPV value 1", "isready", until="readyok")
    last = lines[-count:]
    assert [int(line.split(" multipv ")[1].split()[0]) for line in last] == list(range(1, count + 1))
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == count


def test_something_is_said_again_and_again_while_nothing_changes(client, monkeypatch):
    monkeypatch.setattr(engine_module, "INFO_EVERY", 0.005)
    monkeypatch.setattr(engine_module, "SPEAK_EVERY", 0.0)
    client.ask("position startpos", "go infinite", until="info depth")
    said, asked = [], 0
    while max(map(said.count, said), default=0) < 4:
        said = [
            line.split(" nodes ")[0] for line in infos(client.ask("isready", until="readyok") and client.lines[-200:])
        ]
        asked += 1
        assert asked < 100_000
    client.ask("stop", until="bestmove")


def test_what_is_searched_now_is_said_after_a_second(client):
    position, server = CHESS.start(), client.server
    move = CHESS.parse_move(position, "e2e4")

    def said(seconds, current):
        begun = len(client.lines)
        server._info(position, Info((Line(move, 25, 3, (move,)),), 5, 1000, seconds, 17, current))
        return client.lines[begun:]

    first = "info depth 3 seldepth 5 multipv 1 score cp 25 nodes 1000 nps 500 hashfull 17 time 2000 pv e2e4"
    assert said(2.0, (move, 4)) == [first, "info currmove e2e4 currmovenumber 4 nodes 1000 time 2000"]
    assert said(2.0, (-1, 0)) == [first]
    assert len(said(0.5, (move, 4))) == 1


def test_a_line_is_told_as_far_as_it_is_legal(client):
    position, begun = CHESS.start(), len(client.lines)
    move = CHESS.parse_move(position, "e2e4")
    lines = (Line(move, 1, 2, (move, move)), Line(12345678, 0, 2, (12345678, move)), Line(-1, 0, 1, ()))
    client.server._info(position, Info(lines, 2, 10, 2.0, 0, (12345678, 1)))
    assert [line.split(" pv ")[1] for line in client.lines[begun:]] == ["e2e4"]


def test_a_drawn_position_gets_no_line_of_an_earlier_search(client):
    client.ask("position startpos", "go depth 2", until="bestmove")
    lines = client.ask("position fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1", "go depth 3", until="bestmove")
    move = best(lines)
    assert move == "0000" or chess.Move.from_uci(move) in chess.Board("8/8/8/4k3/8/8/8/4K3 w - - 0 1").legal_moves
    assert not any(" pv e2e4" in line or " pv d2d4" in line for line in lines)


# ── Pondering ──


def test_ponderhit_lets_the_search_go_on_by_the_clock(client, monkeypatch):
    given = []
    monkeypatch.setattr(client.server.engine, "hurry", lambda soft, hard: given.append((soft, hard)))
    pondering = ("position startpos", "go ponder wtime 60000 btime 60000", "ponderhit", "isready")
    assert not any(line.startswith("bestmove") for line in client.ask(*pondering, until="readyok"))
    assert best(client.ask("stop", until="bestmove"))
    [(soft, hard)] = given
    assert 0 < soft <= hard < 60


@pytest.mark.parametrize("limits", ["movetime 80", "wtime 100 btime 100", "depth 1", "nodes 500", ""])
def test_pondering_always_ends_with_one_move_after_ponderhit(client, limits):
    lines = client.ask("position startpos", f"go ponder {limits}", "isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in lines)
    assert best(client.ask("ponderhit", until="bestmove"))
    lines = client.ask("stop", "ponderhit", "isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in lines)


def test_a_single_move_is_played_at_once_after_ponderhit(client):
    client.ask("position fen 7k/8/8/8/8/8/r7/7K w - - 0 1", "go ponder wtime 9000000 btime 9000000", until="info")
    assert best(client.ask("ponderhit", until="bestmove"))


# ── Constants of the search ──


def constants(lines):
    return {line.split()[2] for line in lines if line.startswith("option name") and line.split()[2].islower()}


def test_the_constants_of_the_search_are_spin_options():
    mine = Client("connect_four", UCI)
    lines = mine.ask("uci", until="uciok")
    assert "option name lmr_base type spin default 75 min 0 max 400" in lines
    assert "futility_margin" not in constants(lines)  # what the game does not use is not offered
    before = best_nodes(mine)
    mine.tell("setoption name lmr_base value 300")
    assert best_nodes(mine) != before
    mine.tell("setoption name LMR_base value 75", "setoption name Hash value 1")
    assert best_nodes(mine) == before
    for value, reason in (("401", "from 0 to 400, not 401"), ("x", "takes a whole number")):
        [error] = errors(mine.ask(f"setoption name lmr_base value {value}", "isready", until="readyok"))
        assert "lmr_base" in error and reason in error
    assert errors(mine.ask("setoption name futility_margin value 50", "isready", until="readyok"))


def best_nodes(client):
    lines = client.ask("ucinewgame", "position startpos", "go depth 9", until="bestmove")
    return infos(lines)[-1].split(" nodes ")[1].split()[0]


def test_techniques_that_are_off_and_tree_search_have_no_constants():
    without = Client("connect_four", UCI, EngineOptions(table_bytes=1 << 20, without=("lmr",)))
    found = constants(without.ask("uci", until="uciok"))
    assert "history_bonus" in found and "lmr_base" not in found
    tree = Client("connect_four", UCI, EngineOptions(table_bytes=1 << 20, method="mcts"))
    assert not constants(tree.ask("uci", until="uciok"))
