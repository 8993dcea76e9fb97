"""How the learning rate goes on: it grows at first, then it falls along a cosine or stays."""

from __future__ import annotations

import math

WARM = 0.05  # share of the steps in which the rate grows
LAST_RATE = 0.02  # where the cosine ends, as a share of the highest rate


def rate_at(step: int, steps: int, highest: float, schedule: str = "cosine") -> float:
    """The learning rate of a step, of so many."""
    warm = max(1, round(WARM * steps))
    if step < warm:
        return highest * (step + 1) / warm
    if schedule == "constant":
        return highest
    way = (step - warm) / max(1, steps - warm)
    return highest * (LAST_RATE + (1 - LAST_RATE) * (1 + math.cos(math.pi * way)) / 2)
