"""The net: shapes, parameters and ranges of its outputs; its loss, and the gradient of it by finite differences."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: EVALSMITH_NET=1 make setup")

from evalsmith.games import find_game  # noqa: E402
from evalsmith.net.loss import Targets, losses, penalty  # noqa: E402
from evalsmith.net.model import Net, Shared, folded  # noqa: E402
from evalsmith.net.shape import NetShape  # noqa: E402
from evalsmith.run import InputError  # noqa: E402

GAME = find_game("drmario")


def some_planes(count: int, shape: NetShape, seed: int = 3):
    source = np.random.default_rng(seed)
    return torch.from_numpy(
        source.integers(0, 2, (count, shape.channels, shape.width, shape.height)).astype(np.float32)
    )


def test_the_original_has_39_million_parameters():
    shape = NetShape.of(GAME)
    assert (shape.k, shape.f, shape.r, shape.l, shape.c) == (3, 256, 19, 0.1, 1e-4)
    assert (shape.channels, shape.width, shape.height, shape.slots, shape.outputs) == (18, 8, 16, 512, 515)
    # By hand: 18·9·256 + 256; 38·(256·9·256 + 256); 39·2·256; 256·128·515 + 515.
    assert shape.parameters == 41_728 + 38 * 590_080 + 19_968 + 16_876_035


@pytest.mark.parametrize(("game", "slots"), [("drmario", 512), ("othello", 65), ("connect_four", 7)])
def test_outputs_have_their_shapes_and_ranges(game, slots):
    shape = NetShape.of(find_game(game), f=4, r=2)
    net = Net(shape)
    assert net.count == shape.parameters
    with torch.no_grad():
        for each in net.parameters():
            each.mul_(8.0)  # far from 0, where ranges tell
    said = net(some_planes(5, shape))
    assert [tuple(part.shape) for part in said] == [(5,), (5,), (5,), (5, slots)]
    assert said.won.abs().max() <= 1
    assert min(said.cleared.min(), said.duration.min()) >= 0
    assert said.moves.min() >= 0
    assert torch.allclose(said.moves.sum(dim=1), torch.ones(5), atol=1e-5)


def test_seeds_make_nets():
    shape = NetShape.of(GAME, f=2, r=1)
    same = [Net(shape, seed=5).state_dict() for _ in range(2)]
    assert all(torch.equal(same[0][name], same[1][name]) for name in same[0])
    assert not torch.equal(same[0]["full.weight"], Net(shape, seed=6).state_dict()["full.weight"])


def test_a_folded_net_says_the_same():
    shape = NetShape.of(GAME, f=4, r=2)
    net = Net(shape)
    for _ in range(3):
        net.train()(some_planes(16, shape))  # so that the norms have something to normalise
    said, again = net.eval()(some_planes(6, shape)), folded(net)(some_planes(6, shape))
    for one, other in zip(said, again, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


@torch.no_grad()
def test_16_bits_in_the_layers_of_cells_are_nearly_the_same():
    net = folded(Net(NetShape.of(GAME, f=8, r=2)))
    planes = some_planes(6, net.shape)
    with torch.inference_mode():
        exact = net(planes)
        net.bfloat16 = True
        coarse = net(planes)
    assert coarse.duration.dtype == coarse.logits.dtype == torch.float32
    assert not torch.equal(coarse.logits, exact.logits)
    for one, other in zip(coarse, exact, strict=True):
        assert torch.allclose(one, other, atol=0.03)


@torch.no_grad()  # PyTorch warns of numbers made of tensors that learn
def test_the_loss_by_hand():
    shape = NetShape.of(GAME, f=1, r=0, c=0.5)
    net = Net(shape).eval()
    said = net(some_planes(2, shape))
    moves = torch.zeros(2, 512)
    moves[0, 7], moves[0, 9] = 0.25, 0.75
    truth = Targets(torch.tensor([1.0, -1.0]), torch.tensor([0.0, 4.0]), torch.tensor([10.0, -1.0]), moves)
    found = losses(net, said, truth)
    won, cleared, duration = (part.tolist() for part in (said.won, said.cleared, said.duration))
    shares = torch.log(said.moves[0])
    assert float(found.won) == pytest.approx(((won[0] - 1) ** 2 + (won[1] + 1) ** 2) / 2, rel=1e-5)
    assert float(found.cleared) == pytest.approx((cleared[0] ** 2 + ((cleared[1] - 4) / 4) ** 2) / 2, rel=1e-5)
    assert float(found.duration) == pytest.approx(((duration[0] - 10) / 10) ** 2 / 2, rel=1e-5), "-1 is not known"
    assert float(found.moves) == pytest.approx(-float(0.25 * shares[7] + 0.75 * shares[9]) / 2, rel=1e-5)
    squares = sum(float((each**2).sum()) for each in net.parameters())
    assert float(penalty(net)) == pytest.approx(0.5 * squares, rel=1e-5)
    assert float(found.total) == pytest.approx(sum(found.numbers().values()), rel=1e-6)


def test_the_gradient_by_finite_differences():
    shape = NetShape.of(find_game("connect_four"), f=2, r=1, c=1e-2)
    net = Net(shape).double().train()
    planes = some_planes(6, shape).double()
    source = np.random.default_rng(1)
    moves = torch.from_numpy(source.dirichlet(np.ones(7), 6))
    counts = torch.tensor([0.0, 1, 2, 5, -1, 3]).double()
    truth = Targets(torch.tensor([1.0, -1, 0, 1, -1, 1]).double(), counts, 2 * counts, moves)

    def total() -> float:
        with torch.no_grad():
            return float(losses(net, net(planes), truth).total)

    losses(net, net(planes), truth).total.backward()
    step = 1e-6
    for each in net.parameters():
        flat, gradient = each.data.view(-1), each.grad.view(-1)
        for place in source.choice(len(flat), size=min(5, len(flat)), replace=False):
            old = float(flat[place])
            flat[place] = old + step
            above = total()
            flat[place] = old - step
            below = total()
            flat[place] = old
            assert float(gradient[place]) == pytest.approx((above - below) / (2 * step), rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("wrong", [{"k": 2}, {"f": 0}, {"r": -1}])
def test_impossible_sizes_are_refused(wrong):
    with pytest.raises(InputError, match="a net has an odd k"):
        NetShape.of(GAME, **wrong)


def test_what_is_shared_becomes_part_of_the_full_layer():
    shape = NetShape.of(GAME, f=3, r=1)
    net, shared, planes = Net(shape, seed=2).eval(), Shared(shape, 4), some_planes(5, shape)
    before = net(planes)
    with torch.no_grad():
        for each in shared.parameters():
            each.normal_(std=0.1)
    together = net(planes, shared)
    assert not torch.allclose(together.logits, before.logits)
    shared.fold_into(net)
    after = net(planes)
    for one, two in zip(after, together, strict=True):
        assert torch.allclose(one, two, atol=1e-4)
    assert not any(each.detach().any() for each in shared.parameters()), "it begins anew"


def test_moves_are_a_convolution_while_a_net_learns():
    """The slots of a move that is one column further are those of what lies one column further."""
    shared = Shared(NetShape.of(GAME, f=2, r=0), 4)
    torch.nn.init.normal_(shared.moves.weight)
    x = torch.zeros(1, 2, 8, 16)
    x[0, 1, 3, 7] = 1.0
    moved = torch.roll(x, 1, dims=2)
    here, there = (shared(each)[0, 3:].reshape(4, 8, 16).detach() for each in (x, moved))
    assert torch.allclose(torch.roll(here, 1, dims=1), there)
    slot = 128 * 2 + 16 * 3 + 7
    assert float(shared(x)[0, 3 + slot].detach()) == pytest.approx(float(shared.moves.weight[2, 1, 2, 2].detach()))
