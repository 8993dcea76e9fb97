"""The loss of a net on a batch.

    (won − w)² + ((cleared − c) / max(c, 1))² + ((duration − d) / max(d, 1))²
    − Σ moves · log(moves predicted) + λ‖parameters‖²

w, c, d and moves are what happened; a part whose truth is not known (below 0, or a distribution that is empty) adds
nothing. The batch counts with its mean, the parameters once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from evalsmith.net.model import Net, Outputs, torch

if TYPE_CHECKING:
    from torch import Tensor


class Targets(NamedTuple):
    """What a net should say of a batch: counts below 0 and rows of moves without shares are not known."""

    won: Tensor
    cleared: Tensor
    duration: Tensor
    moves: Tensor


class Losses(NamedTuple):
    """The parts of a loss, each a mean over the batch; ``total`` is their sum."""

    won: Tensor
    cleared: Tensor
    duration: Tensor
    moves: Tensor
    weights: Tensor

    @property
    def total(self) -> Tensor:
        """What training makes small."""
        return self.won + self.cleared + self.duration + self.moves + self.weights

    def numbers(self) -> dict[str, float]:
        """The parts as plain numbers."""
        return {name: float(part.detach()) for name, part in self._asdict().items()}


def losses(net: Net, said: Outputs, truth: Targets) -> Losses:
    """The loss of what a net said, part by part."""
    cross = -(truth.moves * torch.log_softmax(said.logits, dim=1)).sum(dim=1)
    return Losses(
        ((said.won - truth.won) ** 2).mean(),
        _relative(said.cleared, truth.cleared),
        _relative(said.duration, truth.duration),
        cross.mean(),
        penalty(net),
    )


def penalty(net: Net) -> Tensor:
    """λ‖parameters‖²."""
    squares = torch.stack([(each**2).sum() for each in net.parameters()])
    return net.shape.c * squares.sum()


def _relative(said: Tensor, truth: Tensor) -> Tensor:
    """The mean of the squares of relative errors, where the truth is known."""
    known = truth >= 0
    error = (said - truth) / truth.clamp(min=1)
    return torch.where(known, error**2, torch.zeros_like(error)).mean()
