"""The static evaluation against the reference scores of a suite: where an evaluation is wrong.

Nothing is searched. The score of a position is that of its best move; the residual is the chance to win that the
reference gives less the one that the evaluation gives, so it is above 0 where the evaluation thinks too little of the
mover. A term that goes with residuals of one sign is where to look.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games.contract import call_evaluate, call_terms
from evalsmith.players import Player
from evalsmith.run import InputError, write_json
from evalsmith.suite.loss import win_probability
from evalsmith.suite.parts import PARTS, part_name, phase_parts
from evalsmith.suite.static_result import RESULT, Agreement, StaticRun, TermResidual
from evalsmith.suite.statistics import Mean, group_numbers, mean_of
from evalsmith.suite.store import Suite, SuitePosition
from evalsmith.suite.tags import QUIET
from evalsmith.weights import Weights

_MIN_POSITIONS = 10  # positions with a term before anything is said of it
Numbers = npt.NDArray[np.float64]


def run_static(suite: Suite, player: Player, scale: float, folder: Path) -> StaticRun:
    """Compare the evaluation of a player's weights with the scores of a suite."""
    if player.outside is not None or player.random:
        raise InputError(f"--static looks at weights of ours; {player.name} is a program or plays at random")
    used = [one for one in suite.positions if one.scores]
    if not used:
        raise InputError(f"{suite.name} has no scores of moves to compare an evaluation with; build a suite of scores")
    found = _compare(suite, player, used, scale)
    result = StaticRun(
        suite.game, player.name, suite.name, found.overall, found.parts, found.terms, found.features,
        len(suite) - len(used), folder,
    )  # fmt: skip
    write_json(folder / RESULT, result.to_json())
    return result


@dataclass(frozen=True)
class _Found:
    overall: Agreement
    parts: tuple[Agreement, ...]
    terms: tuple[TermResidual, ...]
    features: tuple[TermResidual, ...]


def _compare(suite: Suite, player: Player, used: list[SuitePosition], scale: float) -> _Found:
    game, weights = suite.game, player.weights
    words = np.stack([game.parse(one.text) for one in used])
    reference = np.array([one.scores[0] for one in used], dtype=np.float64)
    static, rows, columns, values = _evaluated(weights, words)
    residual = 100 * (win_probability(reference, scale) - win_probability(static, scale))
    groups = group_numbers(
        np.array([f"{one.source}:{one.game}:{one.id if one.game < 0 else ''}" for one in used], object)
    )

    def agree(name: str, chosen: npt.NDArray[np.bool_]) -> Agreement:
        error = mean_of(np.abs(residual[chosen]), groups[chosen])
        bias = mean_of(residual[chosen], groups[chosen])
        rank = _spearman(static[chosen], reference[chosen])
        return Agreement(name, error.count, rank, error.mean, error.error, bias.mean, bias.error)

    parts = phase_parts(game, np.array([one.phase for one in used]))
    tags = sorted({tag for one in used for tag in one.tags}, key=lambda tag: (tag != QUIET, tag))
    split = [(part_name(game, part), parts == part) for part in range(PARTS)]
    split += [(tag, np.array([tag in one.tags for one in used])) for tag in tags]
    by_term = _residuals(weights, (rows, columns, values), residual, groups)
    by_feature = _by_feature(weights, (rows, columns, values), residual, groups)
    return _Found(
        agree("all", np.ones(len(used), dtype=np.bool_)),
        tuple(agree(name, chosen) for name, chosen in split if chosen.any()),
        by_term,
        by_feature,
    )


def _spearman(a: Numbers, b: Numbers) -> float:
    if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    from scipy import stats

    return float(stats.spearmanr(a, b).statistic)


def _evaluated(weights: Weights, words: npt.NDArray[np.uint64]) -> tuple[Numbers, Any, Any, Any]:
    """The evaluation of each position, and its terms: row, index in a column of weights, value."""
    game = weights.game
    context = game.context(evaluation=True)
    weights.attach(context)
    index, value = np.zeros(game.max_terms + 8, dtype=np.int32), np.zeros(game.max_terms + 8, dtype=np.int16)
    static, rows, columns, values = np.zeros(len(words)), [], [], []
    for row, position in enumerate(words):
        static[row] = call_evaluate(context.row, position)
        count = call_terms(context.row, position, index, value)
        rows.append(np.full(count, row))
        columns.append(index[:count].astype(np.int64))
        values.append(value[:count].astype(np.float64))
    return static, np.concatenate(rows), np.concatenate(columns), np.concatenate(values)


def _residuals(
    weights: Weights, terms: tuple[Any, Any, Any], residual: Numbers, groups: Any
) -> tuple[TermResidual, ...]:
    """Every single weight that enough positions have, by how far its residual is from 0."""

    def name(place: int) -> tuple[str, str]:
        feature, within = weights.layout.feature_at(place)
        known = next(one for one in weights.game.evaluation.features if one.name == feature)
        return feature, known.describe(within)

    return _ranked(terms, residual, groups, name)


def _by_feature(
    weights: Weights, terms: tuple[Any, Any, Any], residual: Numbers, groups: Any
) -> tuple[TermResidual, ...]:
    """The same for whole features: whoever has more of one by the evaluation has it."""
    rows, columns, values = terms
    names = [feature.name for feature in weights.game.evaluation.features]
    ends = np.cumsum([feature.size for feature in weights.game.evaluation.features])
    features = np.searchsorted(ends, columns, side="right")
    # What a term is worth says whom it speaks for; a table of squares has both signs.
    worth = values * np.abs(weights.values).max(axis=0)[columns] * np.sign(weights.values.sum(axis=0))[columns]
    return _ranked((rows, features, worth), residual, groups, lambda place: (names[place], ""))


def _ranked(
    terms: tuple[Any, Any, Any], residual: Numbers, groups: Any, name: Callable[[int], tuple[str, str]]
) -> tuple[TermResidual, ...]:
    """Columns of a matrix of terms, those first whose residual is furthest from 0 by its error."""
    from scipy import sparse, stats

    rows, columns, values = terms
    shape = (len(residual), int(columns.max(initial=0)) + 1)
    matrix = sparse.coo_matrix((values, (rows, columns)), shape=shape).tocsc()
    known: list[tuple[int, Mean]] = []
    for place in range(shape[1]):
        part = slice(matrix.indptr[place], matrix.indptr[place + 1])
        here, amounts = matrix.indices[part], matrix.data[part]
        here, amounts = here[amounts != 0], amounts[amounts != 0]
        if len(here) >= _MIN_POSITIONS:
            mean = mean_of(np.sign(amounts) * residual[here], groups[here])
            if mean.error > 0:
                known.append((place, mean))
    bound = float(stats.norm.isf(0.025 / max(1, len(known)))) / float(stats.norm.isf(0.025))
    known.sort(key=lambda item: -abs(item[1].mean) / item[1].error)
    found = []
    for place, mean in known:
        term, index = name(place)
        significant = abs(mean.mean) > bound * mean.error
        found.append(TermResidual(term, index, mean.count, mean.mean, mean.error, significant))
    return tuple(found)
