"""What a score says of the end of a game: whether it is a proven win or loss.

Where games are only won or lost, a win n plies away is worth ``win`` - n. Where ``win`` is 0 a result is a margin, and
no score is decided. The search compiles ``decided_above`` for its kernels.
"""

from __future__ import annotations

MAX_DISTANCE = 256  # plies: a score is this close to ``win`` at most where it is a proven win
INFINITE = 1 << 22  # above every score; scores fit 24 bits with their sign


def decided_above(win: int) -> int:
    """Scores above this are proven wins, and scores below its negative are proven losses."""
    return win - min(MAX_DISTANCE, win // 2) if win > 0 else INFINITE


def is_decided(score: int, win: int) -> bool:
    """Whether a score is a proven win or loss."""
    return abs(score) > decided_above(win)
