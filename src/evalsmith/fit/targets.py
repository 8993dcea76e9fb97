"""What the evaluation of a position should be: the label that was made for it, the result of its game, or both.

Results of games that are only won or lost count as a part of a win, and scores are cut there, so that no evaluation
looks like a proven win. Games with a margin (``win`` 0) take results as they are. A score that was only thought of is
cut at the largest margin; a result or an exact value beyond it is an error.

The results of a game played alone are no such values: a won game has one from its first position to its last, while
scores of searches count what is left to do. So such a game is fitted to the differences between the moves of one
decision where a dataset has these, else to scores alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.fit.settings import ALTERNATIVES, AUTO, TuneSettings
from evalsmith.games import Game
from evalsmith.games.scores import decided_above
from evalsmith.positions.samples import EXACT, LABELS, REPORTED, UNKNOWN, Samples
from evalsmith.positions.selfplay.alternatives import decisions
from evalsmith.run import InputError

RESULT, MIXTURE = "result", "mixture"  # what a target is, besides the words of LABELS
WIN_SHARE = 10  # a won game counts as this part of its `win`

Vector = npt.NDArray[np.float64]


def resolve_squares(game: Game, samples: Samples, settings: TuneSettings) -> str:
    """What squared errors are fitted to, where nobody says: by the game and by what the positions have."""
    if settings.target != AUTO or game.players > 1:
        return settings.squares_target
    if (decisions(samples) >= 0).any():
        return ALTERNATIVES
    return "score" if (samples.score != UNKNOWN).any() else settings.squares_target


def targets(game: Game, samples: Samples, kind: str = "label", share: float = 0.5) -> Vector:
    """The value of each position for the mover, in the game's unit; not a number where it is not known.

    ``label`` is one that was made (by a playout, a search, a solve or another program), else the result, else what a
    player reported; ``result`` and ``score`` are one of them alone; ``mix`` is ``share`` of the result and the rest of
    the score, and whichever there is where one is missing; ``alternatives`` are the values of the moves of decisions.
    """
    result = np.where(samples.result == UNKNOWN, np.nan, samples.result / (WIN_SHARE if game.win else 1))
    score = np.where(samples.score == UNKNOWN, np.nan, samples.score.astype(np.float64))
    if game.margin:
        _check_margin(game, samples)
    bound = _score_bound(game, score)
    score = np.clip(score, -bound, bound)
    if kind == "result":
        return result
    if kind == "score":
        return score
    if kind == ALTERNATIVES:
        return np.where(decisions(samples) >= 0, score, np.nan)
    if kind == "mix":
        both = share * result + (1 - share) * score
        return np.where(np.isnan(result), score, np.where(np.isnan(score), result, both))
    return np.where(labelled(samples), score, result)


def _score_bound(game: Game, score: Vector) -> float:
    """The largest score that counts.

    A game played alone is scored by what is left to do, which may be much: only proven ends are cut there, at the
    largest score that is none.
    """
    if game.players == 1 and game.win:
        open_scores = np.abs(score[np.abs(score) <= decided_above(game.win)])
        return float(open_scores.max(initial=1.0))
    return game.win / WIN_SHARE or game.margin or np.inf


def target_kinds(samples: Samples, kind: str) -> npt.NDArray[np.str_]:
    """What each target is: how its score was found (a word of LABELS), ``result``, or ``mixture`` of both."""
    by_label = np.array(LABELS)[samples.label]
    if kind == "result":
        return np.full(len(samples), RESULT)
    if kind in ("score", ALTERNATIVES):
        return by_label
    if kind == "mix":
        has_score, has_result = samples.score != UNKNOWN, samples.result != UNKNOWN
        return np.where(has_score & has_result, MIXTURE, np.where(has_score, by_label, RESULT))
    return np.where(labelled(samples), by_label, RESULT)


def _check_margin(game: Game, samples: Samples) -> None:
    """Refuse values of finished games that no game can have."""
    exact = np.where(samples.label == EXACT, samples.score, UNKNOWN)
    for name, column in (("result", samples.result), ("exact value", exact)):
        beyond = np.flatnonzero((np.abs(column.astype(np.int64)) > game.margin) & (column != UNKNOWN))
        if beyond.size:
            row = int(beyond[0])
            raise InputError(
                f"game {samples.game[row]}, ply {samples.ply[row]}: the {name} is {column[row] / 100:g} "
                f"{game.whole_unit}, beyond ±{game.margin // 100}: {game.format(samples.words[row])}"
            )


def labelled(samples: Samples) -> npt.NDArray[np.bool_]:
    """The positions whose score goes before the result: a label was made, or there is no result."""
    return (samples.score != UNKNOWN) & ((samples.label != REPORTED) | (samples.result == UNKNOWN))
