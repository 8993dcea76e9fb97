"""Games of self-play as samples of a dataset: each decision, its distribution over moves, and how the game went on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalsmith.engine.mcts.searcher import RootMove
from evalsmith.games import Game
from evalsmith.games.bulk import ask_each
from evalsmith.games.contract import PHASE
from evalsmith.net.playing import FinishedGame, visit_shares
from evalsmith.positions.samples import LINE_MOVE, LINE_SCORE, UNKNOWN, Samples, no_lines
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
        np.array([_score(each.said) for each in at], dtype=np.int32),
        move=np.array([each.move for each in at], dtype=np.int32),
        lines=_lines([each.said for each in at]),
        policy=policy,
        cleared=np.array([one.left[n] - one.left[-1] if alone else -1 for one, n in decisions], dtype=np.int32),
        duration=np.array([one.moves - n for one, n in decisions], dtype=np.int32),
    )


def _score(said: Sequence[RootMove]) -> int:
    """What the best move is worth, where who played says so."""
    return UNKNOWN if said[0].score is None else said[0].score


def _lines(said: Sequence[Sequence[RootMove]]) -> npt.NDArray[np.int32]:
    """What all moves are worth, where who played says so."""
    told = [[(one.move, one.score) for one in each if one.score is not None] for each in said]
    found = no_lines(len(said), max(map(len, told)))
    for row, each in enumerate(told):
        if each:
            found[row, : len(each), [LINE_MOVE, LINE_SCORE]] = np.array(each, dtype=np.int32).T
    return found
