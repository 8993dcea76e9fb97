"""Nets as files: what is written is read back, what is not a net of the game is named, and nothing is executed."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: EVALSMITH_NET=1 make setup")

from evalsmith.games import find_game  # noqa: E402
from evalsmith.net.checkpoint import load_net, read_checkpoint, save_net, write_checkpoint  # noqa: E402
from evalsmith.net.inference import open_net  # noqa: E402
from evalsmith.net.loop import net_loop  # noqa: E402
from evalsmith.net.model import Net  # noqa: E402
from evalsmith.net.shape import NetShape  # noqa: E402
from evalsmith.net.training import train_net  # noqa: E402
from evalsmith.run import InputError, MismatchError  # noqa: E402

GAME = find_game("connect_four")


@pytest.fixture
def stored(tmp_path):
    net = Net(NetShape.of(GAME, f=3, r=1), seed=9)
    save_net(tmp_path / "net.safetensors", net, {"round": 4})
    return net, tmp_path / "net.safetensors"


def test_a_net_comes_back(stored):
    net, path = stored
    again = load_net(path, GAME)
    assert again.shape == net.shape
    assert all(torch.equal(tensor, again.state_dict()[name]) for name, tensor in net.state_dict().items())
    assert read_checkpoint(path)[2] == {"round": 4}
    first = path.read_bytes()
    save_net(path, net, {"round": 4})
    assert path.read_bytes() == first, "the same net is the same file"


def test_a_net_of_another_game(stored):
    with pytest.raises(MismatchError, match="is a net of connect_four, not of othello"):
        load_net(stored[1], find_game("othello"))


def test_another_shape(stored):
    net, path = stored
    _, arrays, _ = read_checkpoint(path)
    write_checkpoint(path, net.shape, {**arrays, "full.bias": np.zeros(4, dtype=np.float32)}, {})
    with pytest.raises(InputError, match=r"another shape: full.bias should have \(10,\), and has \(4,\)"):
        load_net(path)
    del arrays["full.weight"]
    write_checkpoint(path, net.shape, arrays, {})
    with pytest.raises(InputError, match=r"full.weight should have .* and has nothing"):
        load_net(path)


def test_a_start_keeps_its_shape(stored, tmp_path):
    _, path = stored
    for begin in (
        lambda **given: train_net(GAME, [tmp_path / "none"], tmp_path / "x.safetensors", start=path, **given),
        lambda **given: net_loop(GAME, tmp_path / "run", start=path, **given),
    ):
        with pytest.raises(InputError, match=r"has f=3, and a net that starts from it keeps that; leave out --f 16"):
            begin(r=1, f=16)
    with pytest.raises(InputError, match="none"):
        train_net(GAME, [tmp_path / "none"], tmp_path / "x.safetensors", start=path, f=3, c=0.01)


def test_numbers_that_are_none(stored):
    net, path = stored
    _, arrays, _ = read_checkpoint(path)
    arrays["full.bias"][2] = np.nan
    write_checkpoint(path, net.shape, arrays, {})
    with pytest.raises(InputError, match=r"full.bias holds numbers that are not finite"):
        load_net(path)


class Harmful:
    def __reduce__(self):
        return (pytest.fail, ("a checkpoint was executed",))


def test_nothing_is_executed(tmp_path):
    path = tmp_path / "net.safetensors"
    path.write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(InputError, match="is not a checkpoint"):
        load_net(path)


def test_files_that_are_no_nets(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        open_net(tmp_path / "none.safetensors")
    (tmp_path / "net.pt").write_bytes(b"")
    with pytest.raises(InputError, match=r"suffix .safetensors or .onnx"):
        open_net(tmp_path / "net.pt")
    from safetensors.numpy import save_file

    save_file({"x": np.zeros(2)}, str(tmp_path / "other.safetensors"))
    with pytest.raises(InputError, match="is not a net of Evalsmith"):
        load_net(tmp_path / "other.safetensors")
