"""``evalsmith play`` as a person and as a script use it."""

import builtins
import functools
import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from evalsmith.cli.common.terminal import COMMANDS, result_sentence
from evalsmith.engine import Searcher
from evalsmith.games import find_game
from evalsmith.games.drmario import GAME as DRMARIO
from evalsmith.players import spec
from evalsmith.players.session import PERSON, Session, Setup
from evalsmith.records import read_games

# One move for either side: black takes e1 and has won.
LAST_MOVE = "XXXO----" + "--------" * 7 + " X"
QUICK = ("--nodes", "100")
_WEIGHTS = functools.cache(spec.starting_weights)


@pytest.fixture(autouse=True)
def one_set_of_weights(monkeypatch):
    """Othello's hand-set weights are millions of numbers; here they are made once."""
    monkeypatch.setattr(spec, "starting_weights", _WEIGHTS)
    monkeypatch.setattr(spec, "default_weights", _WEIGHTS)


class Keyboard(io.StringIO):
    """A terminal to read from."""

    def isatty(self):
        return True


@pytest.fixture
def run(monkeypatch, run):
    """Run a command in an empty folder with lines on standard input; its exit code, output and errors."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return lambda *words, typed=(): run("play", *words, typed=typed)


@pytest.fixture
def type_in(monkeypatch, finish, tmp_path):
    """The same from a terminal: a line may also be an exception that the key raises."""
    monkeypatch.chdir(tmp_path)

    def call(*words, typed=()):
        lines = iter(typed)

        def read(prompt):
            print(prompt, end="")
            line = next(lines, EOFError())
            if isinstance(line, BaseException):
                raise line
            print(line)
            return line

        monkeypatch.setattr(sys, "argv", ["evalsmith", "play", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", Keyboard())
        monkeypatch.setattr(builtins, "input", read)
        return finish()

    return call


def answers(out):
    """What was said to each line, by its number: the text between two prompts."""
    return [part.split("\n", 1)[1] if "\n" in part else "" for part in re.split(r"^\w+> ", out, flags=re.M)[1:]]


def moves_in(path):
    return json.loads(path.read_text())["moves"]


# ── A game ──────────────────────────────────────────────────────────────────────────────────────


def test_a_move_is_answered_and_drawn(run):
    code, out, _ = run("othello", *QUICK, typed=["f5"])
    assert code == 0
    assert re.search(r"^black> f5$", out, re.M)
    assert re.search(r"^white plays [a-h][1-8] \([+-]?\d+(?:\.\d\d)? discs, depth \d+\)$", out, re.M)
    assert out.count("black to move") == 2 and "● black 3   ○ white 3" in out
    assert "\x1b" not in out  # plain where no terminal is
    assert out.endswith("the game is not saved\n")


def test_the_second_side_waits_for_the_first_move(run):
    for side in ("white", "second", "WHITE"):
        _, out, _ = run("othello", "--side", side, *QUICK)
        assert "white is you" in out and "black plays" in out and "white> " in out


def test_every_command_answers(run):
    typed = ["help", "moves", "hint", "score", "undo", "redo", "board", "position", "history", "go", "save", "load"]
    code, out, _ = run("othello", *QUICK, typed=typed)
    said = dict(zip(typed, answers(out), strict=False))
    assert code == 0
    assert "Write a move like d3 c4 f5" in said["help"] and all(word in said["help"] for word in COMMANDS)
    assert said["moves"] == "4 moves: d3 c4 f5 e6\n"
    assert re.fullmatch(
        r"hint: ([a-h][1-8]) \([+-]?\d+(?:\.\d\d)? discs, depth \d+\), line \1( [a-h][1-8])*\n", said["hint"]
    )
    assert said["score"] == "0 discs for black, without search\n"
    assert said["undo"] == "there is no move of yours to take back\n"
    assert said["redo"].startswith("there is no move to redo")
    assert "black to move" in said["board"]
    assert said["position"] == find_game("othello").format(find_game("othello").start()) + "\n"
    assert said["history"] == "no moves yet\n"
    assert "your move" in said["go"] and "FILE" in said["save"] and "FILE" in said["load"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("foo", "'foo' is neither a legal move nor a command; `help` lists the commands"),
        ("take it back", "neither a legal move nor a command"),
        ("a1", "'a1' is not a legal move; legal moves: d3 c4 f5 e6"),
        ("undo 2", "undo takes no argument, not '2'"),
        ("[bold]f5[/bold]", "'[bold]f5[/bold]' is not a legal move"),
        ("f5" * 200, "`moves` lists all"),
    ],
)
def test_what_is_no_move_is_one_line_and_asked_again(run, line, wanted):
    code, out, err = run("othello", *QUICK, typed=[line, "moves"])
    said = answers(out)
    assert code == 0 and err == "" and len(said) == 3
    assert said[0].count("\n") == 1 and wanted in said[0]
    assert said[1].startswith("4 moves")


@pytest.mark.parametrize("line", ["", "   ", "\x00", "\x00\x01", "♔", "\ufffd", "save", "save \x00", "load ~nobody/x"])
def test_odd_lines_do_no_harm(run, line):
    code, out, _ = run("othello", *QUICK, typed=[line, "f5"])
    assert code == 0 and "white plays" in out


def test_undo_redo_switch_and_resign(run):
    typed = ["f5", "undo", "redo", "switch", "resign", "undo", "quit"]
    code, out, _ = run("othello", *QUICK, typed=typed)
    said = answers(out)
    assert code == 0
    assert "took back 2 moves" in said[1] and "black 2   ○ white 2" in said[1]
    assert "played 2 moves again" in said[2] and "black 3   ○ white 3" in said[2]
    assert "black is self, white is you" in said[3] and "black plays" in said[3]
    assert said[4] == "you resign\nblack wins by resignation: you lose\n\n"
    assert said[5] == "took back the resignation\n"
    assert "over> undo" in out and "white> quit" in out


def test_a_win_is_declared(run):
    entered = "1+R+RK+BGGSS/3PP4/2N6/9/9/9/9/9/7k1 b 6P 200"
    code, out, _ = run("shogi", "--position", entered, *QUICK, typed=["hint", "win", "undo", "declare", "quit"])
    said = answers(out)
    assert code == 0 and said[0] == "hint: declare, which wins at once\n"
    assert said[1] == "you declare a win\nblack wins by declaration: you win\n\n"
    assert said[2] == "took back the declaration\n"
    code, out, _ = run("shogi", "--position", entered, "--side", "white", *QUICK, typed=["quit"])
    assert code == 0 and "black declares a win\n" in out and "black wins by declaration: you lose" in out


def test_the_end_tells_the_margin_and_can_be_taken_back(run):
    code, out, _ = run("othello", "--position", LAST_MOVE, typed=["e1", "hint", "moves", "undo", "e1", ""])
    said = answers(out)
    assert code == 0
    assert said[0].endswith("black wins by 64 discs: you win\n\n")
    assert said[1] == "the game is over\n" and said[2] == "none, the game is over\n"
    assert "black to move" in said[3] and said[4].endswith("you win\n\n") and len(said) == 6


def test_a_game_that_is_over_at_the_start(run):
    code, out, _ = run("othello", "--position", "X" * 64 + " O", "--side", "white")
    assert code == 0 and "black wins by 64 discs: you lose" in out and "over> " in out


def test_a_forced_pass_is_told(run):
    # Black takes the row; white has no move, and black goes on.
    board = "-OX-----" + "--------" * 5 + "XO------" + "--------" + " X"
    code, out, _ = run("othello", "--position", board, "--player", "random", typed=["a1", "c7"])
    assert code == 0
    assert out.index("white has no move and passes") < out.index("black> c7")
    assert "black wins by 64 discs: you win" in out


def test_repetition_ends_a_game_of_two_people(run):
    typed = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2
    _, out, _ = run("chess", "--side", "both", typed=typed)
    assert "a draw by repetition" in out and out.count("over> ") == 1


def test_mate_is_told_as_players_say_it(run):
    board = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    _, out, _ = run("chess", *QUICK, "--position", board, typed=["hint", "Qxf7#"])
    said = answers(out)
    assert said[0].startswith("hint: h5f7 (mate in 1, ") and said[1].endswith("white wins by mate: you win\n\n")


def test_words_for_results():
    session = Session(find_game("othello"), Setup("X" * 33 + "O" * 31 + " X", (PERSON, PERSON)))
    assert result_sentence(session) == "black wins by 2 discs"
    assert result_sentence(Session(session.game, Setup("X" * 32 + "O" * 32 + " X", ("random",) * 2))) == "a draw"
    assert result_sentence(Session(session.game, Setup("start", (PERSON, PERSON)))) == ""


# ── One player, chance, watching ────────────────────────────────────────────────────────────────


@pytest.fixture
def drmario(monkeypatch):
    """Dr. Mario is found, whether or not it is installed as a game."""
    import evalsmith.games

    known = evalsmith.games.find_game
    monkeypatch.setattr(evalsmith.games, "find_game", lambda name: DRMARIO if name == "drmario" else known(name))


def test_pills_fall_and_come_again_after_undo(run, drmario):
    code, out, _ = run("drmario", *QUICK, typed=["moves"])
    place = answers(out)[0].split()[2]
    code, out, _ = run("drmario", *QUICK, typed=[place, "undo", place, "switch", "resign"])
    said = answers(out)
    assert code == 0
    assert said[0] == said[2] and "pills 1," in said[0] and "next  ?" not in said[0]
    assert "one side only" in said[3] and "you lose by resignation" in said[4]


def test_watching_shows_every_pill_and_the_end(run, drmario):
    words = ("drmario", "--watch", "random", "--position", "seed:0105 level:0 stall:5")
    code, out, _ = run(*words, "--save", "game.json")
    assert code == 0
    boards = out.count("viruses ")
    assert boards >= 6 and out.count("player plays ") == boards - 1 and "pills 5" in out
    assert "game over" in out and re.search(r"^random (wins|loses)$", out, re.M)
    assert out.endswith("the game is saved in game.json\n")
    assert run(*words)[1].replace("the game is saved in game.json\n", "") in out  # the seed makes it the same


def test_watching_on_a_terminal_draws_in_one_place(run, drmario, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("LINES", "40")
    position = "seed:0105 level:0 stall:5"
    code, out, _ = run("drmario", "--watch", "random", "--delay", "0", "--position", position)
    assert code == 0 and "\x1b[1A" in out  # back up over the old board
    assert "player plays" not in out and out.rstrip().endswith(("random wins", "random loses"))
    code, _, err = run("drmario", "--watch", "random", "--delay", "-1", "--position", position)
    assert code == 2 and "delay" in err


def test_watching_two_players(run):
    code, out, _ = run("othello", "--watch", "random", "--player", "self", "--side", "white", *QUICK)
    assert code == 0 and "black is self, white is random" in out
    assert re.search(r"^(black|white) wins by \d+ discs$|^a draw$", out, re.M) and "> " not in out


def test_watching_can_be_stopped_and_resumed(run, monkeypatch):
    advance = Session.advance

    def stop_at_ten(session):
        if len(session.steps) == 10:
            raise KeyboardInterrupt
        return advance(session)

    words = ("othello", "--watch", "random", "--player", "random", "--save", "game.json")
    monkeypatch.setattr(Session, "advance", stop_at_ten)
    code, _, err = run(*words)
    assert code == 130 and "the game is saved in game.json" in err
    monkeypatch.setattr(Session, "advance", advance)
    code, out, _ = run(*words)
    assert code == 0 and "10 moves played" in out and "wins by" in out


# ── Files ───────────────────────────────────────────────────────────────────────────────────────


def test_every_move_is_saved_and_the_same_command_goes_on(run, tmp_path):
    words = ("othello", *QUICK, "--save", "game.json")
    code, out, _ = run(*words, typed=["f5"])
    assert code == 0 and out.endswith("the game is saved in game.json\n")
    kept = moves_in(tmp_path / "game.json")
    assert len(kept) == 2 and kept[0] == "f5"
    code, out, _ = run(*words, typed=["undo", "history"])
    assert "game.json, 2 moves played" in out and moves_in(tmp_path / "game.json") == []
    assert answers(out)[1] == "no moves yet\n"


def test_a_game_of_another_start_is_not_overwritten(run, tmp_path):
    assert run("othello", "--save", "game.json", "--position", "f5d6", *QUICK)[0] == 0
    before = (tmp_path / "game.json").read_text()
    code, _, err = run("othello", "--save", "game.json", "--position", "f5", *QUICK)
    assert code == 2 and "another start" in err
    assert run("othello", "--save", "game.json", "--position", "f5 d6", *QUICK)[0] == 0
    assert (tmp_path / "game.json").read_text() == before


def test_resume_leaves_the_file_and_takes_new_wishes(run, tmp_path):
    run("othello", *QUICK, typed=["f5", "save game.json"])
    before = (tmp_path / "game.json").read_text()
    code, out, _ = run("othello", "--resume", "game.json", "--side", "white", "--player", "random", "--depth", "3")
    assert code == 0 and "2 moves played: black is random, white is you; depth 3 per move" in out
    assert (tmp_path / "game.json").read_text() == before
    code, out, _ = run("othello", "--resume", "game.json", "--save", "other.json", typed=["undo"])
    assert moves_in(tmp_path / "other.json") == [] and (tmp_path / "game.json").read_text() == before
    assert "black is you, white is self; 100 nodes per move" in out
    code, _, err = run("othello", "--resume", "game.json", "--save", "other.json")
    assert code == 2 and "already exists" in err


def test_save_and_load_at_the_prompt(run, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    typed = [
        "f5",
        "save a game.json",
        "save",
        "save notes.txt",
        "undo",
        "load a game.json",
        "load notes.txt",
        "load no",
    ]
    code, out, _ = run("othello", *QUICK, typed=[*typed, "history", "save /proc/nowhere/x"])
    said = answers(out)
    assert code == 0
    assert said[1] == said[2] == "2 moves saved in a game.json\n"
    assert "already exists" in said[3] and (tmp_path / "notes.txt").read_text() == "mine"
    assert "a game.json, 2 moves played" in said[5] and "black 3" in said[5]
    assert "not a saved game" in said[6] and "no saved game" in said[7]
    assert said[8].startswith("f5 ") and "/proc/nowhere" in said[9]
    assert said[-1] == "the game is saved in a game.json\n"


def test_loading_moves_the_saving_to_that_file(run, tmp_path):
    run("othello", *QUICK, typed=["c4", "save first.json"])
    run("othello", *QUICK, "--save", "second.json", typed=["f5", "load first.json", "undo"])
    assert moves_in(tmp_path / "first.json") == [] and moves_in(tmp_path / "second.json")[0] == "f5"


def test_a_disk_that_fills_does_not_end_the_game(run, monkeypatch):
    from evalsmith.players import saved_game as module
    from evalsmith.run import OutputError

    save = module.save

    def full(session, path):
        if session.steps:
            raise OutputError(f"cannot write {path}: no space")
        save(session, path)

    monkeypatch.setattr("evalsmith.cli.common.terminal.save", full)
    code, out, _ = run("othello", *QUICK, "--save", "game.json", typed=["f5", "moves"])
    assert code == 0 and "no space" in out and "white plays" in out and out.endswith("the game is not saved\n")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["nosuch"], "no game has the name 'nosuch'"),
        (["othello", "--side", "red"], "no side 'red'; expected first, second, black, white, both"),
        (["othello", "--player", "nobody"], "nobody"),
        (["othello", "--player", "person"], "person"),
        (["othello", "--player", "gtp:/no/such/program"], "the program /no/such/program is not there"),
        (["othello", "--watch", "gtp:sh"], "player 'sh' is not our alpha-beta search"),
        (["othello", "--player", "self;method=mcts"], "player 'self' is not our alpha-beta search"),
        (["othello", "--watch", "weights:absent.json"], "absent.json"),
        (["othello", "--nodes", "0"], "nodes"),
        (["othello", "--movetime", "nan"], "movetime"),
        (["othello", "--delay", "nan"], "delay"),
        (["othello", "--position", "XO?"], "'?' at character 3"),
        (["othello", "--resume", "absent.json"], "absent.json"),
        (["othello", "--resume", "a.json", "--position", "f5"], "--position"),
        (["othello", "--save", "/proc/nowhere/x.json"], "/proc/nowhere"),
        (["othello", "--save", "notes.txt"], "notes.txt is not a saved game"),
        (["othello", "--resume", "chess.json"], "a game of chess, not a game of othello"),
    ],
)
def test_bad_options_are_one_line_and_exit_code_2(run, tmp_path, words, wanted):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "chess.json").write_text('{"format": "evalsmith-game", "version": 1, "game": "chess"}')
    code, out, err = run(*words, typed=["f5"])
    message = err.splitlines()
    assert code == 2 and out == ""
    assert len(message) == 1 and message[0].startswith("evalsmith: ") and wanted in message[0]
    assert (tmp_path / "notes.txt").read_text() == "mine"


# ── Keys ────────────────────────────────────────────────────────────────────────────────────────


def test_ctrl_d_ends_politely_and_says_where_the_game_is(type_in):
    assert type_in("othello", *QUICK)[0] == 0
    code, out, _ = type_in("othello", *QUICK, "--save", "game.json", typed=["f5"])
    assert code == 0 and out.endswith("the game is saved in game.json\n")
    code, out, _ = type_in("othello", *QUICK, typed=["f5"])
    assert code == 0 and out.endswith("the game is not saved\n")


def test_ctrl_c_at_the_prompt_ends_with_130_and_says_what_was_kept(type_in):
    code, _, err = type_in("othello", *QUICK, "--save", "game.json", typed=["f5", KeyboardInterrupt()])
    assert code == 130 and err.endswith("evalsmith: interrupted: the game is saved in game.json\n")
    code, _, err = type_in("othello", *QUICK, typed=["f5", KeyboardInterrupt()])
    assert code == 130 and err.endswith("interrupted: the game is not saved\n")


def interrupt_once(monkeypatch):
    think, left = Searcher.think, [1]

    def interrupted(self, *words, **options):
        if left:
            left.pop()
            raise KeyboardInterrupt
        return think(self, *words, **options)

    monkeypatch.setattr(Searcher, "think", interrupted)


def test_ctrl_c_while_the_engine_thinks_comes_back_to_the_prompt(type_in, monkeypatch, tmp_path):
    interrupt_once(monkeypatch)
    words = ("othello", *QUICK, "--save", "game.json")
    code, out, _ = type_in(*words, typed=["f5", "d6", "moves", "go", "quit"])
    said = answers(out)
    assert code == 0 and "stopped> d6" in out
    assert "stopped before it moved" in said[0] and "it is not your move, but white's" in said[1]
    assert said[2].startswith("3 moves") and "white plays" in said[3]
    assert len(moves_in(tmp_path / "game.json")) == 2


def test_ctrl_c_then_undo(type_in, monkeypatch):
    interrupt_once(monkeypatch)
    _, out, _ = type_in("othello", *QUICK, typed=["f5", "undo", "c4"])
    assert "took back 1 move\n" in out and "black> c4" in out and "white plays" in out


def test_ctrl_c_during_a_hint(type_in, monkeypatch):
    interrupt_once(monkeypatch)
    code, out, _ = type_in("othello", *QUICK, typed=["hint", "hint"])
    assert code == 0 and "stopped\n" in answers(out)[0] and "hint: " in answers(out)[1]


# ── Another process ─────────────────────────────────────────────────────────────────────────────


class Game:
    """A game in another process; every line is answered up to the next prompt."""

    def __init__(self, folder, *words):
        command = [sys.executable, "-m", "evalsmith", "play", "othello", "--save", "game.json", *words]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A shell in the background hands down that Ctrl-C is ignored; the program under test must hear it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.opening = self.read()

    def read(self):
        seen = b""
        while not re.search(rb"^\w+> $", seen, re.M):
            part = os.read(self.process.stdout.fileno(), 65536)
            assert part, seen + self.process.stderr.read()
            seen += part
        return seen.decode()

    def tell(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self.read()

    def end(self):
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out.decode(), err.decode()


def test_a_whole_game_by_hints_survives_a_kill(tmp_path):
    game = Game(tmp_path, "--nodes", "60")
    out = game.opening
    for _ in range(6):
        out = game.tell(re.search(r"hint: (\S+)", game.tell("hint"))[1])
    before = game.tell("history").splitlines()[1]
    game.process.kill()
    game.end()
    assert len(before.split()) >= 11
    game = Game(tmp_path, "--nodes", "60")
    assert f"{len(before.split())} moves played" in game.opening
    assert game.tell("history").splitlines()[1] == before
    while not out.endswith("over> "):
        out = game.tell(re.search(r"hint: (\S+)", game.tell("hint"))[1])
    assert re.search(r"^(black wins by \d+ discs: you win|white wins by \d+ discs: you lose|a draw)$", out, re.M)
    code, out, err = game.end()
    assert code == 0 and err == "" and out.endswith("the game is saved in game.json\n")
    moves = moves_in(tmp_path / "game.json")
    assert " ".join(moves).startswith(before) and len(moves) > 50


def test_ctrl_c_in_a_script_ends_it_with_130(tmp_path):
    game = Game(tmp_path, "--movetime", "600")
    game.process.stdin.write(b"f5\n")
    game.process.stdin.flush()
    patience = time.monotonic() + 120
    while moves_in(tmp_path / "game.json") != ["f5"] and time.monotonic() < patience:
        time.sleep(0.05)
    os.kill(game.process.pid, signal.SIGINT)
    code, _, err = game.end()
    assert code == 130 and err.endswith("interrupted: the game is saved in game.json\n") and "Traceback" not in err
    assert moves_in(tmp_path / "game.json") == ["f5"]


# ── Records ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("game", "file"), [("chess", "x.pgn"), ("shogi", "x.kif"), ("othello", "x.ggf"), ("dvonn", "x.games")]
)
def test_a_game_is_saved_in_the_format_of_the_suffix(run, tmp_path, game, file):
    words = (game, "--watch", "random", "--player", "random", "--delay", "0", "--save", file)
    code, out, _ = run(*words)
    assert code == 0 and out.endswith(f"the game is saved in {file}\n")
    [record] = read_games(tmp_path / file)
    assert record.game == game and len(record.moves) > 20
    code, _, err = run(*words)
    assert code == 2 and f"{file} already exists, and a record cannot be resumed" in err


def test_a_resigned_game_is_a_record_at_the_prompt(run, tmp_path):
    run("othello", *QUICK, typed=["f5", "resign", "save x.games"])
    [record] = read_games(tmp_path / "x.games")
    assert len(record.moves) == 2 and record.termination == "resigned"
    assert (record.result, record.players) == (-100, ("person", "self"))
    assert record.scores[0] is None and record.scores[1].depth >= 1


def test_a_suffix_that_the_game_cannot_write_is_refused(run, tmp_path):
    code, _, err = run("othello", "--save", "x.pgn")
    assert code == 2 and "games of othello cannot be written as .pgn (x.pgn); use" in err and ".ggf" in err
    code, out, _ = run("othello", *QUICK, typed=["save x.wtb"])
    assert code == 0 and "games of othello cannot be written as .wtb" in out
    code, _, err = run("othello", "--resume", "x.games")
    assert code == 2 and "x.games is a record, which cannot be resumed" in err
