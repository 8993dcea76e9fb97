"""The net: a convolution, residual layers, and one full layer to what it says (PyTorch).

planes ── conv k, f filters ── norm ── leaky ReLU l
── r times: conv, norm, leaky ReLU, conv, norm, + what came in, leaky ReLU
── full layer to 1 + 1 + 1 + slots
won       tanh: -1 lost to 1 won, for the side to move
cleared   softplus: what the game still clears
duration  softplus: moves to its end
moves     softmax: a distribution over the slots
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from evalsmith.net.shape import VALUES, NetShape
from evalsmith.net.torch_import import need_torch

if TYPE_CHECKING:
    from torch import Tensor

torch = need_torch("a net that learns, or that is not exported,")
nn, functional = torch.nn, torch.nn.functional

_SHARED_WIDTH = 5  # of the convolution that moves are while a net learns
THRESHOLD = 5.0  # from here on softplus is a straight line


class Outputs(NamedTuple):
    """What a net says of a batch; ``logits`` are the moves before their softmax."""

    won: Tensor
    cleared: Tensor
    duration: Tensor
    logits: Tensor

    @property
    def moves(self) -> Tensor:
        """The distribution over the slots."""
        return torch.softmax(self.logits, dim=1)


class _Residual(nn.Module):  # type: ignore[name-defined]
    """Two convolutions, and what came in added to what comes out."""

    def __init__(self, shape: NetShape) -> None:
        super().__init__()
        self.conv1, self.norm1 = _conv(shape, shape.f), nn.BatchNorm2d(shape.f)
        self.conv2, self.norm2 = _conv(shape, shape.f), nn.BatchNorm2d(shape.f)
        self.slope = shape.l

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.leaky_relu(self.norm1(self.conv1(x)), self.slope)
        return functional.leaky_relu(x + self.norm2(self.conv2(inner)), self.slope)


def _conv(shape: NetShape, channels: int) -> Any:
    return nn.Conv2d(channels, shape.f, shape.k, padding=shape.k // 2)


class Net(nn.Module):  # type: ignore[name-defined]
    """A net of a shape, with random parameters of a seed."""

    def __init__(self, shape: NetShape, seed: int = 1) -> None:
        super().__init__()
        self.shape, self.bfloat16 = shape, False
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.conv, self.norm = _conv(shape, shape.channels), nn.BatchNorm2d(shape.f)
            self.layers = nn.ModuleList(_Residual(shape) for _ in range(shape.r))
            self.full = nn.Linear(shape.f * shape.cells, shape.outputs)

    def forward(self, planes: Tensor, shared: Shared | None = None) -> Outputs:
        """What it says of positions × channels × x × y; with what the full layer has learned for all cells alike."""
        # With ``bfloat16`` the layers of cells calculate in 16 bits; the full layer, which says durations, does not.
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.bfloat16):
            x = functional.leaky_relu(self.norm(self.conv(planes)), self.shape.l)
            for layer in self.layers:
                x = layer(x)
        x = x.to(planes.dtype)
        out = self.full(x.flatten(1))
        if shared is not None:
            out = out + shared(x)
        return Outputs(
            torch.tanh(out[:, 0]),
            functional.softplus(out[:, 1], beta=1, threshold=THRESHOLD),
            functional.softplus(out[:, 2], beta=1, threshold=THRESHOLD),
            out[:, VALUES:],
        )

    @property
    def count(self) -> int:
        """How many numbers are learned."""
        return sum(each.numel() for each in self.parameters())


class Shared(nn.Module):  # type: ignore[name-defined]
    """What the full layer learns for all cells alike, while it learns.

    A full layer learns for every cell anew what a line of four is. Here moves are a convolution of what the layers
    found, where slots are planes of cells, and values see sums over rows and columns. Both are linear maps into the
    same outputs, so in the end they become part of the full layer, and the net is what it was without them.
    """

    def __init__(self, shape: NetShape, slot_planes: int) -> None:
        super().__init__()
        self.shape = shape
        self.moves = None
        if slot_planes:
            self.moves = nn.Conv2d(shape.f, slot_planes, _SHARED_WIDTH, padding=_SHARED_WIDTH // 2, bias=False)
        self.values = nn.Linear(shape.f * (shape.width + shape.height), VALUES, bias=False)
        for each in self.parameters():
            nn.init.zeros_(each)

    def forward(self, x: Tensor) -> Tensor:
        """What comes to the outputs of the full layer."""
        sums = torch.cat([x.sum(dim=3).flatten(1) / 4, x.sum(dim=2).flatten(1) / 4], dim=1)
        moves = x.new_zeros(len(x), self.shape.slots) if self.moves is None else self.moves(x).flatten(1)
        return torch.cat([self.values(sums), moves], dim=1)

    def fold_into(self, net: Net) -> None:
        """Make it part of the full layer, and begin anew with nothing."""
        shape = self.shape
        with torch.no_grad():
            units = torch.eye(shape.f * shape.cells).reshape(-1, shape.f, shape.width, shape.height)
            net.full.weight += self(units).T
            for each in self.parameters():
                each.zero_()


def folded(net: Net) -> Net:
    """The same net for inference: each norm is part of the convolution before it."""
    made: Any = Net(net.shape)
    made.load_state_dict(net.state_dict())
    pairs = [(made.conv, made.norm)]
    for layer in made.layers:
        pairs += [(layer.conv1, layer.norm1), (layer.conv2, layer.norm2)]
    with torch.no_grad():
        for conv, norm in pairs:
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            conv.weight.mul_(scale[:, None, None, None])
            conv.bias.copy_((conv.bias - norm.running_mean) * scale + norm.bias)
    made.norm = nn.Identity()
    for layer in made.layers:
        layer.norm1, layer.norm2 = nn.Identity(), nn.Identity()
    folded_net: Net = made.eval().to(memory_format=torch.channels_last)
    return folded_net
