"""Games of self-play as samples of a dataset: each decision, its distribution over moves, and how the game went on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalsmith.games import Game
from evalsmith.games.bulk import ask_each
from evalsmith.games.contract import PHASE
from evalsmith.net.playing import FinishedGame, visit_shares
from evalsmith.positions.samples import UNKNOWN, Samples
from evalsmith.records.position_batch import no_policy


def samples_of(game: Game, played: Sequence[FinishedGame]) -> Samples:
    """The samples of some games.

    ``duration`` is the number of moves to the end, ``cleared`` what a game for one still cleared.
    """
    decisions = [(one, number) for one in played for number in range(len(one.decisions))]
    if not decisions:
        return Samples.join([], game.words)
    count = len(decisions)
    shares = [visit_shares(one.decisions[number].said) for one, number in decisions]
    wide = max(int((row > 0).sum()) for row in shares)
    policy = no_policy(count, wide)
    for row, (one, number) in enumerate(decisions):
        both = zip(one.decisions[number].said, shares[row], strict=True)
        chosen = [(said.move, share) for said, share in both if share > 0]
        policy[row, : len(chosen)] = chosen
    words = np.stack([one.decisions[number].position for one, number in decisions])
    at = [one.decisions[number] for one, number in decisions]
    sign = [1 if each.mover == 0 or game.players == 1 else -1 for each in at]
    alone = game.players == 1
    return Samples(
        words,
        np.array([one.number for one, _ in decisions], dtype=np.int64),
        np.array([each.ply for each in at], dtype=np.int32),
        ask_each(game, PHASE, words).astype(np.int32),
        np.array([way * one.value for way, (one, _) in zip(sign, decisions, strict=True)], dtype=np.int32),
        np.full(count, UNKNOWN, dtype=np.int32),
        move=np.array([each.move for each in at], dtype=np.int32),
        policy=policy,
        cleared=np.array([one.left[n] - one.left[-1] if alone else -1 for one, n in decisions], dtype=np.int32),
        duration=np.array([one.moves - n for one, n in decisions], dtype=np.int32),
    )
