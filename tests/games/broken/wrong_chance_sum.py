"""The die shows too little."""

from dataclasses import replace

from broken import base
from broken.base import key, mover, moves, null_move, play, result, reveal, slot, status  # noqa: F401
from evalsmith.compile import Reals, Words
from evalsmith.games.contract import contract

GAME = replace(base.GAME, name="wrong_chance_sum", rules=__name__)


@contract
def chance(position: Words, probability: Reals) -> int:
    probability[0] = 1 / 2
    probability[1] = 1 / 3
    probability[2] = 1 / 12
    return 3
