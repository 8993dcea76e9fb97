"""The right heap is looked up among the inner heap's weights; there is no fused evaluation to contradict it."""

from dataclasses import replace

import numpy as np

from broken import base
from broken.base import phase, starting  # noqa: F401
from evalsmith.compile import Indices, Values, Words
from evalsmith.games import Evaluation
from evalsmith.games.contract import contract

GAME = replace(base.GAME, name="asymmetric_terms", terms=__name__)


@contract
def terms(position: Words, index: Indices, value: Values) -> int:
    index[0] = np.int64(position[0])
    index[1] = 6 + np.int64(position[1])
    index[2] = 6 + np.int64(position[2])
    for i in range(3):
        value[i] = 1
    return 3


def evaluation() -> Evaluation:
    return replace(base.evaluation(), terms=None, amounts=None)
