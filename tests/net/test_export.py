"""ONNX: an exported net says the same, and is refused for another game."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: EVALSMITH_NET=1 make setup")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: EVALSMITH_NET=1 make setup")

from evalsmith.games import find_game  # noqa: E402
from evalsmith.net.checkpoint import save_net  # noqa: E402
from evalsmith.net.export import export_net  # noqa: E402
from evalsmith.net.inference import open_net  # noqa: E402
from evalsmith.net.model import Net  # noqa: E402
from evalsmith.net.shape import NetShape  # noqa: E402
from evalsmith.run import InputError, MismatchError  # noqa: E402


@pytest.fixture(scope="module")
def nets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    shape = NetShape.of(find_game("drmario"), f=8, r=2)
    net = Net(shape, seed=3).train()
    source = np.random.default_rng(2)
    planes = source.integers(0, 2, (40, 18, 8, 16)).astype(np.uint8)
    for _ in range(3):
        net(torch.from_numpy(planes).float())
    with torch.no_grad():
        net.full.bias[1:3] = torch.tensor([4.99, 30.0])  # on both sides of the threshold of softplus
    save_net(folder / "net.safetensors", net, {"round": 1})
    return export_net(folder / "net.safetensors", folder / "net.onnx"), folder / "net.safetensors", planes


def test_both_say_the_same(nets):
    onnx, checkpoint, planes = nets
    said, again = open_net(checkpoint).say(planes), open_net(onnx).say(planes)
    assert said.cleared.min() < 5 < said.cleared.max()
    for one, other in zip(said, again, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_a_net_of_another_game_and_files_that_are_none(nets, tmp_path):
    with pytest.raises(MismatchError, match="is a net of drmario, not of othello"):
        open_net(nets[0], find_game("othello"))
    (tmp_path / "x.onnx").write_bytes(b"no net")
    with pytest.raises(InputError, match=r"x\.onnx is not an ONNX net"):
        open_net(tmp_path / "x.onnx")
    with pytest.raises(InputError, match=r"suffix \.onnx"):
        export_net(nets[1], tmp_path / "x.pt")


def test_an_exported_net_plays_without_pytorch(nets):
    code = f"""
import sys
sys.modules["torch"] = None  # as if it were not installed
from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.engine import Limit
from evalsmith.players import parse_player, take_seat
game = find_game("drmario")
seat = take_seat(parse_player("net:{nets[0]};nodes=30", game), Limit(nodes=30))
board = Board(game)
seat.begin(board.start, 0)
assert seat.choose(board).move in game.moves(board.position)
try:
    parse_player("net:{nets[1]}", game)
except Exception as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "needs torch; install it with: pip install 'evalsmith[net]'" in done.stdout
