"""The loss of a net on a batch.

    (won − w)² + ((cleared − c) / max(c, 1))² + ((duration − d) / max(d, 1))²
    − Σ moves · log(moves predicted) + λ‖parameters‖²

w, c, d and moves are what happened; a part whose truth is not known (a result of NaN, a count below 0, a distribution
that is empty) adds nothing. The batch counts with its mean, the parameters once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from evalsmith.net.model import Net, Outputs, torch

if TYPE_CHECKING:
    from torch import Tensor


class Targets(NamedTuple):
    """What a net should say of a batch: NaN, counts below 0 and rows of moves without shares are not known."""

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
        """The sum of all parts."""
        return self.weighted(1.0)

    def weighted(self, duration: float) -> Tensor:
        """What training makes small: the sum, in which the duration counts so many times."""
        return self.won + self.cleared + duration * self.duration + self.moves + self.weights

    def numbers(self) -> dict[str, float]:
        """The parts as plain numbers."""
        return {name: float(part.detach()) for name, part in self._asdict().items()}


def losses(net: Net, said: Outputs, truth: Targets, floor: float = 1.0) -> Losses:
    """The loss of what a net said, part by part; durations below ``floor`` count as if they were so long.

    Relative to what is left, a pill more or less means little in the middle of a game and much at its end. A higher
    floor lets it mean more nearly the same.
    """
    cross = -(truth.moves * torch.log_softmax(said.logits, dim=1)).sum(dim=1)
    return Losses(
        _squares(said.won, truth.won),
        _relative(said.cleared, truth.cleared, 1.0),
        _relative(said.duration, truth.duration, floor),
        cross.mean(),
        penalty(net),
    )


def penalty(net: Net) -> Tensor:
    """λ‖parameters‖²."""
    squares = torch.stack([(each**2).sum() for each in net.parameters()])
    return net.shape.c * squares.sum()


def _squares(said: Tensor, truth: Tensor) -> Tensor:
    """The mean of the squares of errors, where the truth is known."""
    error = said - torch.nan_to_num(truth)
    return torch.where(torch.isnan(truth), torch.zeros_like(error), error**2).mean()


def _relative(said: Tensor, truth: Tensor, floor: float) -> Tensor:
    """The mean of the squares of relative errors, where the truth is known."""
    known = truth >= 0
    error = (said - truth) / truth.clamp(min=floor)
    return torch.where(known, error**2, torch.zeros_like(error)).mean()
