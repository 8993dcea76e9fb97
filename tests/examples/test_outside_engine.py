"""The outside engine of the examples: its rules, its trace, and a small tune that ends in its source."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from evalsmith.fit.trace import check_trace, read_trace
from evalsmith.fit.tuning import tune
from evalsmith.games import find_game
from evalsmith.weights import read_outside_weights
from evalsmith.weights.patching import patch_file

EXAMPLE = Path(__file__).parents[2] / "examples" / "outside_engine"
COMPILER = shutil.which("c++")
pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler (c++)"),
]
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379),
]


def built(source: Path, binary: Path) -> Path:
    words = [str(COMPILER), "-O1", "-std=c++17", "-pthread", "-o", str(binary), str(source / "engine.cpp")]
    subprocess.run(words, check=True, capture_output=True, text=True)
    return binary


def asked(binary: Path, *words: str, lines: str = "") -> str:
    return subprocess.run([str(binary), *words], input=lines, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(EXAMPLE, tmp_path_factory.mktemp("engine") / "plain")


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Positions of random games, each with a score: ten times what White has more of pieces, from the side to move."""
    chess, random = find_game("chess"), np.random.default_rng(3)
    lines = ["position,result,score,label,depth,game"]
    for game in range(40):
        position = chess.start()
        for _ in range(60):
            moves = chess.moves(position)
            if len(moves) == 0:
                break
            text = chess.format(position)
            board, mover = text.split()[:2]
            ahead = 10 * (sum(map(str.isupper, board)) - sum(map(str.islower, board))) * (1 if mover == "w" else -1)
            lines.append(f"{text},{ahead},{ahead},,,{game}")
            position = chess.play(position, int(random.choice(moves)))
    path = tmp_path_factory.mktemp("positions") / "positions.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(("fen", "depth", "nodes"), PERFT)
def test_its_rules(engine: Path, fen: str, depth: int, nodes: int) -> None:
    assert int(asked(engine, "perft", str(depth), fen)) == nodes


def test_it_speaks_uci_and_counts_its_nodes(engine: Path) -> None:
    """It mates, and stops at the limit without losing what it found."""
    talk = subprocess.Popen([str(engine)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert talk.stdin is not None and talk.stdout is not None
    with talk:
        talk.stdin.write("uci\nisready\nposition fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1\ngo nodes 2000\n")
        talk.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith("bestmove"):
            lines.append(talk.stdout.readline())
        talk.stdin.write("quit\n")
    assert "uciok\n" in lines and "readyok\n" in lines and lines[-1] == "bestmove a1a8\n"
    assert "score mate 1 " in "".join(lines)
    assert max(int(found) for found in re.findall(r"nodes (\d+)", "".join(lines))) <= 2000


def test_its_trace_agrees_with_its_evaluation(engine: Path, positions: Path, tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_text(asked(engine, "trace", str(positions)))
    trace = read_trace(path)
    assert check_trace(trace).compared == len(trace) > 500
    assert trace.weights.size == 294 and trace.weights.groups[0] == "material"
    assert len(np.unique(trace.games)) > 30 and set(trace.result.tolist()) == {0, 0.5, 1}
    # Lines of FEN | score | result say the same without games.
    bars = tmp_path / "positions.epd"
    bars.write_text("8/8/4k3/8/8/3RK3/8/8 b - - 0 1 | 480 | 1.0\n")
    path.write_text(asked(engine, "trace", str(bars)))
    trace = read_trace(path)
    assert trace.score.tolist() == [480] and trace.result.tolist() == [1] and trace.printed.tolist() == [500]


def test_it_is_tuned_and_reads_its_weights_back(engine: Path, positions: Path, tmp_path: Path) -> None:
    trace, weights = tmp_path / "trace.csv", tmp_path / "weights.csv"
    trace.write_text(asked(engine, "trace", str(positions)))
    found_fit = tune(trace, weights)
    assert found_fit.loss_after < found_fit.loss_before
    tuned = read_outside_weights(weights)
    source = tmp_path / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("build"))
    patched = patch_file(source / "weights.h", tuned)
    assert patched.numbers == 587 and patched.changed > 20 and not patched.without_place
    again = tmp_path / "again.csv"
    again.write_text(asked(built(source, tmp_path / "tuned"), "trace", str(positions)))
    found = read_trace(again)
    assert check_trace(found).compared > 500
    assert np.array_equal(found.weights.values, tuned.values)
