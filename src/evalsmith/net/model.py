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
        self.shape = shape
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.conv, self.norm = _conv(shape, shape.channels), nn.BatchNorm2d(shape.f)
            self.layers = nn.ModuleList(_Residual(shape) for _ in range(shape.r))
            self.full = nn.Linear(shape.f * shape.cells, shape.outputs)

    def forward(self, planes: Tensor) -> Outputs:
        """What it says of positions × channels × x × y."""
        x = functional.leaky_relu(self.norm(self.conv(planes)), self.shape.l)
        for layer in self.layers:
            x = layer(x)
        out = self.full(x.flatten(1))
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
