"""Our engine under NBoard, GTP and CodeCup's line protocol."""

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalsmith.games import find_game
from evalsmith.protocols.codecup import CodeCupServer
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.gtp import GtpServer
from evalsmith.protocols.listening import listen
from evalsmith.protocols.nboard import NBoardServer

GGF = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5];)"
)


@pytest.fixture(scope="module")
def othello():
    return Engine(find_game("othello"), EngineOptions(table_bytes=1 << 20))


def talk(server, *lines):
    said = []
    if isinstance(server, NBoardServer):
        server._write = said.append
    else:
        server.write = said.append
    server.serve(lines)
    return "".join(said)


def test_nboard_follows_the_game_and_answers_in_discs(othello):
    server = NBoardServer(othello, print)
    said = talk(server, "nboard 2", "set depth 4", f"set game {GGF}", "ping 7", "go", "hint 3", "quit")
    assert "set myname Evalsmith" in said and "pong 7" in said
    game = find_game("othello")
    position = game.parse("f5f6d3c5")
    assert (othello.board.position == position).all()
    [answer] = [line for line in said.splitlines() if line.startswith("=== ")]
    name, score, seconds = answer[4:].split("/")
    assert game.parse_move(position, name) in game.moves(position)
    assert abs(float(score)) < 64 and float(seconds) >= 0
    hints = [line.split() for line in said.splitlines() if line.startswith("search ")]
    assert len(hints) == 3 and hints[0][4] == "4"


def test_nboard_survives_what_is_wrong(othello):
    server = NBoardServer(othello, print)
    said = talk(server, f"set game {GGF}", "move A1", "set game nonsense", "set depth x", "hint 0", "smile", "ping 1")
    assert said.count("status error") == 4 and "pong 1" in said
    assert (othello.board.position == find_game("othello").parse("f5f6d3c5")).all()


EMPTY = "(;GM[Othello]PB[a]PW[b]RE[?]TI[1:00]TY[8]BO[8 {} {}];)"
STANDARD = "---------------------------O*------*O---------------------------"


@pytest.mark.parametrize(("squares", "mover"), [(STANDARD, "*"), (STANDARD.replace("O*------*O", "OO-----***"), "O")])
def test_nboard_takes_a_game_without_moves(othello, squares, mover):
    """It is a position: the standard one, or one of a book."""
    game = find_game("othello")
    server = NBoardServer(othello, print)
    said = talk(server, "set depth 2", f"set game {GGF}", f"set game {EMPTY.format(squares, mover)}", "go")
    assert "error" not in said
    position = game.parse(f"{squares.replace('*', 'X')} {mover.replace('*', 'X')}")
    [answer] = [line[4:].split("/")[0] for line in said.splitlines() if line.startswith("=== ")]
    assert game.parse_move(position, answer) in game.moves(position)


@pytest.mark.parametrize("refused", ["set game nonsense", "move A1", f"set game {GGF.replace('B[F5]', 'B[A1]')}"])
def test_nboard_gives_no_move_for_a_position_that_was_refused(othello, refused):
    server = NBoardServer(othello, print)
    said = talk(server, "set depth 2", f"set game {GGF}", refused, "go", "hint 1")
    assert "===" not in said and "search" not in said
    assert said.count("status error") == 3
    assert "=== " in talk(server, f"set game {GGF}", "go")


def test_gtp_plays_a_game(othello):
    server = GtpServer(othello, print)
    said = talk(server, "1 clear_board", "2 play b f5", "3 time_settings 2 0 0", "4 genmove w", "undo", "showboard")
    assert said.startswith("=1 \n\n=2 \n\n")
    game = find_game("othello")
    after = game.parse("f5")
    assert game.parse_move(after, said.split("=4 ")[1].split()[0]) in game.moves(after)
    assert said.strip().endswith(game.format(after))


def test_gtp_refuses_with_a_question_mark(othello):
    server = GtpServer(othello, print)
    talk(server, "clear_board")
    for command in ("boardsize 9", "play b a1", "play x f5", "play b", "smile", "time_settings a b c", "undo"):
        assert talk(server, command).startswith("? "), command
    assert talk(server, "known_command genmove").startswith("= true")
    assert talk(server, "final_score").startswith("? ")


def test_gtp_passes_where_the_rules_say_so(othello):
    """The side without a move is passed over when the other side is asked for its next move."""
    server = GtpServer(othello, print)
    game = find_game("othello")
    blocked = game.parse("XO------" + "-" * 56 + " O")
    othello.set_position(blocked)
    assert game.moves(blocked) == [64]
    assert talk(server, "genmove b").startswith("= c1")


@pytest.mark.parametrize("first", [True, False])
def test_codecup_plays_a_whole_game_of_dvonn(first):
    game = find_game("dvonn")
    said = []
    server = CodeCupServer(Engine(game, EngineOptions(table_bytes=1 << 20)), said.append, budget=1.5)
    position, our_side = game.start(), 0 if first else 1
    server_input = ["Start"] if first else []
    while game.status(position) != 2:
        if game.mover(position) == our_side:
            if server_input:
                server.serve(server_input)
                server_input = []
            text = said.pop(0).strip()
            position = game.play(position, game.parse_move(position, text))
        else:
            move = game.moves(position)[len(said) % len(game.moves(position))]
            text = game.format_move(position, move).lower() + "\r"
            position = game.play(position, move)
            if game.mover(position) == our_side:
                server_input.append(text)
            else:
                server.engine.board.push(text)
    assert said == []


def test_codecup_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "evalsmith", "engine", "dvonn"],
        input="Start\nQuit\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    game = find_game("dvonn")
    assert game.parse_move(game.start(), done.stdout.strip()) in game.moves(game.start())


def test_the_contest_rule_for_the_budget():
    from evalsmith.games.dvonn.contest import PLACING, moves_left

    game = find_game("dvonn")
    assert moves_left(game.start()) == PLACING
    full = game.parse("C" + "CDCDCDCDC" + "DCDCDCDCDC" + "DCDBCBCDBCD" + "CDCDCDCDCD" + "CDCDCDCDD")
    assert moves_left(full) == 49 / 2 - 10
    late = game.parse("CAAAAAPAADAAASCPADCAGDBALBHABLHAGAGCAAAAAAGAACAAAA")
    assert moves_left(late) == 2.0


def test_a_protocol_of_another_game_is_refused():
    done = subprocess.run(
        [sys.executable, "-m", "evalsmith", "engine", "chess", "--protocol", "nboard"],
        input="",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_codecup_waits_while_the_opponent_moves_twice():
    """White places the last stone and then moves first: black, who reads both, must not answer the first of them."""
    game = find_game("dvonn")
    position, lines = game.start(), []
    while len(lines) < 48:
        move = game.moves(position)[0]
        lines.append(game.format_move(position, move))
        position = game.play(position, move)
    said = []
    server = CodeCupServer(Engine(game, EngineOptions(table_bytes=1 << 20)), said.append, budget=1.0)
    _ = server.engine.searcher
    for line in lines[:-1]:
        server.engine.board.push(line)
    server.side = 1
    server.engine.board.push(lines[-1])
    assert game.mover(server.engine.board.position) == 0
    before = server.engine.board.position
    server.serve([game.format_move(before, game.moves(before)[0])])
    assert said == []


def test_gtp_goes_on_after_a_question_about_quit(othello):
    server = GtpServer(othello, print)
    said = talk(server, *listen(["1 known_command quit", "2 name", "3 quit", "4 name"], othello))
    assert said == "=1 false\n\n=2 Evalsmith\n\n=3\n\n"


WORDS = st.sampled_from(
    ["play", "b", "w", "f5", "a1", "undo", "komi", "set", "depth", "game", "move", "PA", "time_left", "1", "-1", "1e99"]
)
LINES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_characters="\n\r"), max_size=40), st.lists(WORDS, max_size=5).map(" ".join)
    ),
    max_size=5,
)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(LINES)
def test_nonsense_is_survived(othello, lines):
    talk(GtpServer(othello, print), *lines)
    assert talk(GtpServer(othello, print), "7 protocol_version") == "=7 2\n\n"
    talk(NBoardServer(othello, print), *lines)
    assert talk(NBoardServer(othello, print), "ping 8") == "pong 8\n"


def test_codecup_stays_as_it_was_after_a_wrong_move(capsys):
    game, said = find_game("dvonn"), []
    server = CodeCupServer(Engine(game, EngineOptions(table_bytes=1 << 20)), said.append, budget=1.0)
    server.serve(["Z9", "A1A1A1", "\ufffd"])
    assert said == [] and server.side is None and server.engine.board.history == []
    assert capsys.readouterr().err.count("evalsmith: ") == 3
    server.serve(["start"])
    [text] = said
    assert game.parse_move(game.start(), text.strip()) in game.moves(game.start())
    server.serve(["nonsense"])
    assert len(said) == 1 and len(server.engine.board.history) == 1
