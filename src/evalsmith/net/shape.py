"""The shape of a net: what it sees, what it says, and its hyperparameters, as its file stores them.

The hyperparameters have the letters of their origin: ``k`` the width of a filter, ``f`` filters, ``r`` residual layers,
``l`` the slope of the leaky ReLU, ``c`` the weight of the regularisation.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from evalsmith.games import Game
from evalsmith.games.planes import planes_of
from evalsmith.run import InputError, MismatchError

FORMAT = 1
VALUES = 3
"""Outputs besides the moves: won, cleared, duration."""


@dataclass(frozen=True)
class NetShape:
    """A net of one game; ``slots`` is the length of its distribution over moves."""

    game: str
    rules_version: int
    channels: int
    width: int
    height: int
    slots: int
    k: int = 3
    f: int = 256
    r: int = 19
    l: float = 0.1  # noqa: E741  (its name where it comes from)
    c: float = 1e-4

    @classmethod
    def of(cls, game: Game, **hyperparameters: Any) -> NetShape:
        """The shape of a net of a game."""
        planes = planes_of(game)
        made = cls(
            game.name, game.rules_version, planes.channels, planes.width, planes.height, game.slots, **hyperparameters
        )
        if made.k % 2 == 0 or made.k < 1 or made.f < 1 or made.r < 0:
            raise InputError(f"a net has an odd k, f from 1 and r from 0 on, not k={made.k}, f={made.f}, r={made.r}")
        return made

    @property
    def cells(self) -> int:
        """The cells of a plane."""
        return self.width * self.height

    @property
    def outputs(self) -> int:
        """Numbers that the last layer gives."""
        return VALUES + self.slots

    @property
    def parameters(self) -> int:
        """How many numbers are learned: filters with their biases, two numbers a normalised filter, the last layer."""
        first = self.k**2 * self.channels * self.f + self.f
        other = self.k**2 * self.f * self.f + self.f
        norms = 2 * self.f * (1 + 2 * self.r)
        return first + 2 * self.r * other + norms + (self.f * self.cells + 1) * self.outputs

    def to_metadata(self, facts: dict[str, Any]) -> dict[str, str]:
        """The texts that a checkpoint stores: the shape, and where the net comes from."""
        # One text: several would come in any order, and the same net would be another file.
        return {"evalsmith": json.dumps({"format": FORMAT, "shape": asdict(self), "facts": facts}, sort_keys=True)}

    @classmethod
    def from_metadata(cls, found: dict[str, str] | None, where: str) -> tuple[NetShape, dict[str, Any]]:
        """The shape and the facts of a checkpoint."""
        try:
            described = json.loads((found or {})["evalsmith"])
            if described["format"] > FORMAT:
                raise InputError(f"{where} was written by a later version of Evalsmith")
            made, facts = cls(**described["shape"]), dict(described["facts"])
        except InputError:
            raise
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{where} is not a net of Evalsmith: it is not described as one") from None
        return made, facts

    def check(self, game: Game, where: str) -> None:
        """Refuse a net of another game, or of planes that the game has no more."""
        if self.game != game.name:
            raise MismatchError(f"{where} is a net of {self.game}, not of {game.name}")
        ours = NetShape.of(game)
        for name in ("rules_version", "channels", "width", "height", "slots"):
            if getattr(self, name) != getattr(ours, name):
                was, now = getattr(self, name), getattr(ours, name)
                raise MismatchError(f"{where} was made for {name} {was} of {game.name}, which now has {now}")
