"""The small net of alpha-beta while it learns (PyTorch), and how its numbers become integers.

It is what `evalsmith.weights.value_net.ValueNet` calculates, in floating point: hidden units between 0 and 1, and a
value in units of the game's scale (an advantage of one makes odds of e).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.games.planes import planes_of
from evalsmith.net.torch_import import need_torch
from evalsmith.weights.value_kernel import ONE
from evalsmith.weights.value_net import ValueNet

if TYPE_CHECKING:
    from torch import Tensor

torch = need_torch("a net that learns")
nn = torch.nn

_LARGEST, _MAX_SHIFT = 2**15 - 1, 16


class ValueModel(nn.Module):  # type: ignore[name-defined]
    """A hidden layer of clipped units for each view, and a value for each bucket; at first it says 0 of everything."""

    def __init__(self, inputs: int, units: int, views: int, buckets: int, seed: int = 1) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.first, self.last = nn.Linear(inputs, units), nn.Linear(views * units, buckets)
            # Few of the inputs are 1; begin in the middle of what a unit can be.
            nn.init.normal_(self.first.weight, std=0.1)
            nn.init.constant_(self.first.bias, 0.3)
            nn.init.zeros_(self.last.weight)
            nn.init.zeros_(self.last.bias)

    def forward(self, bits: Tensor, bucket: Tensor) -> Tensor:
        """Values for the mover, in units of the scale; ``bits`` are views × positions × inputs."""
        hidden = torch.cat([self.first(view).clamp(0, 1) for view in bits], dim=1)
        return self.last(hidden).gather(1, bucket[:, None])[:, 0]


def quantised(model: Any, game: Game, scale: float, most_bits: int, alone: bool) -> ValueNet:
    """The net in integers; ``scale`` is what its values are measured by, in the game's unit."""
    parts = {name: tensor.detach().double().numpy() for name, tensor in model.state_dict().items()}
    last, bias = parts["last.weight"] * scale / ONE, parts["last.bias"] * scale
    largest = max(float(np.abs(last).max()), float(np.abs(bias).max()) * _LARGEST / 2**30, 1e-9)
    shift = int(np.clip(np.floor(np.log2(_LARGEST / largest)), 0, _MAX_SHIFT))
    half = 1 << shift >> 1  # shifts round down
    return ValueNet(
        planes_of(game).names,
        _narrow(parts["first.weight"].T * ONE),
        _narrow(last * (1 << shift)),
        np.concatenate([np.round(parts["first.bias"] * ONE), np.round(bias * (1 << shift)) + half]).astype(np.int32),
        shift,
        most_bits,
        alone,
    )


def _narrow(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.int16]:
    return np.ascontiguousarray(np.clip(np.round(numbers), -_LARGEST, _LARGEST), dtype=np.int16)
