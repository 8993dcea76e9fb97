"""``evalsmith engine`` as a command: what it is given, what it refuses, and that it ends."""

import pytest

from evalsmith.games import find_game


@pytest.fixture
def run(run):
    """Run the verb in an empty folder with lines on standard input; its exit code, output and errors."""
    return lambda *words, typed=(): run("engine", *words, typed=typed)


@pytest.mark.parametrize(
    ("game", "hello", "answer"),
    [
        ("chess", "uci", "uciok\n"),
        ("shogi", "usi", "usiok\n"),
        ("othello", "nboard 2", "set myname Evalsmith\n"),
        ("drmario", "nodes 5", "ok\n"),
    ],
)
def test_each_game_speaks_its_own_protocol(run, game, hello, answer):
    code, out, err = run(game, typed=[hello, "quit"])
    assert (code, err) == (0, "")
    assert out.endswith(answer)


def test_dvonn_speaks_that_of_the_contest(run):
    code, out, _ = run("dvonn", "--budget", "1.5", typed=["Start", "Quit"])
    game = find_game("dvonn")
    assert code == 0
    assert game.parse_move(game.start(), out.strip()) in game.moves(game.start())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["go"], "go"),
        (["chess", "--protocol", "smoke"], "smoke"),
        (["chess", "--protocol", "gtp"], "for othello, not for chess"),
        (["chess", "--weights", "absent.json"], "absent.json"),
        (["chess", "--weights", "."], "no weights file"),
        (["chess", "--method", "luck"], "luck"),
        (["chess", "--method", "mcts", "--without", "lmr"], "belong to alphabeta"),
        (["chess", "--method", "mcts", "--replacement", "depth"], "belongs to alphabeta"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run, words, reason):
    code, out, err = run(*words)
    assert code == 2 and out == ""
    assert reason in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["--threads", "0"], ["--memory", "0"], ["--memory", "9" * 25], ["--budget", "0"], ["--threads", "two"]]
)
def test_numbers_out_of_range_are_a_usage_error(run, words):
    code, out, err = run("chess", *words)
    assert code == 2 and out == "" and words[0] in err


def test_the_replacement_reaches_the_search(run):
    code, out, err = run("othello", "--replacement", "sometimes", typed=["ping 1", "set depth 1", "hint 1", "quit"])
    assert code == 2 and "the replacement must be one of relevance, depth, always, not 'sometimes'" in out + err
    code, out, err = run("othello", "--replacement", "always", typed=["ping 1", "quit"])
    assert (code, err) == (0, "") and "pong 1" in out


def test_weights_of_another_game_are_refused_when_they_are_needed(run, tmp_path):
    from evalsmith.weights import save_weights, starting_weights

    save_weights(starting_weights(find_game("dvonn")), tmp_path / "dvonn.json")
    code, out, err = run("chess", "--weights", "dvonn.json", typed=["uci", "isready", "isready"])
    assert code == 2
    assert "uciok" in out and "readyok" not in out
    assert out.splitlines()[-1] == "info string error: dvonn.json holds weights of dvonn, not of chess"
    assert err == "evalsmith: dvonn.json holds weights of dvonn, not of chess\n"
