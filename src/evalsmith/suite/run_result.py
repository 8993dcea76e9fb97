"""The result of a run: what a player's moves cost, in all and by tag, phase and played game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game, find_game
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable
from evalsmith.suite.answers import ANSWERS_FILE, FAILED, ILLEGAL, UNKNOWN, Answer, Answers, read_answers
from evalsmith.suite.loss import score_text
from evalsmith.suite.parts import PARTS, part_name, phase_parts
from evalsmith.suite.statistics import Mean, group_numbers, mean_of

SHOWN = 10
_SOLVED = 1e-9  # a best move costs nothing


@dataclass(frozen=True, repr=False)
class SuiteRun(RunResult):
    """A player's answers to a suite, and what they cost; a loss is from 0 to 100 for each position."""

    game: Game
    player: str
    suite: str
    fingerprint: str
    limit: str
    answers: Answers
    run: Path | None = None

    @property
    def positions(self) -> int:
        """How many positions the suite has, failed ones too."""
        return len(self.answers)

    @property
    def failed(self) -> int:
        """How many positions have no loss: the player or the suite failed there."""
        return int((~self.answers.judged).sum())

    @property
    def illegal(self) -> int:
        """How many answers were illegal, or moves that the suite lacks; they cost the maximum."""
        return int((self.answers["status"] == ILLEGAL).sum())

    @cached_property
    def losses(self) -> npt.NDArray[np.float64]:
        """The losses of the positions that were judged."""
        return np.asarray(self.answers["loss"][self.answers.judged], dtype=np.float64)

    @property
    def loss_total(self) -> float:
        """The sum of all losses."""
        return float(self.losses.sum())

    @property
    def loss(self) -> Mean:
        """The mean loss of a position, with its error."""
        return self._mean(np.ones(self.positions, dtype=np.bool_))

    @property
    def solved(self) -> int:
        """How many positions a best move was found in."""
        return int((self.losses < _SOLVED).sum())

    @property
    def points(self) -> tuple[int, int] | None:
        """Points and the most there were; None for a suite without points."""
        known = self.answers["max_points"] != UNKNOWN
        if not known.any():
            return None
        got = self.answers["points"][known]
        return int(got[got != UNKNOWN].sum()), int(self.answers["max_points"][known].sum())

    @cached_property
    def _groups(self) -> npt.NDArray[np.int64]:
        return group_numbers(self.answers["group"])

    def _mean(self, chosen: npt.NDArray[np.bool_]) -> Mean:
        rows = chosen & self.answers.judged
        return mean_of(np.asarray(self.answers["loss"][rows], dtype=np.float64), self._groups[rows])

    def by_tag(self) -> dict[str, Mean]:
        """The mean loss of the positions with each tag."""
        return {tag: self._mean(self.answers.has_tag(tag)) for tag in self.answers.all_tags()}

    def by_phase(self) -> dict[str, Mean]:
        """The mean loss by parts of the game."""
        parts = phase_parts(self.game, self.answers["phase"])
        return {part_name(self.game, part): self._mean(parts == part) for part in range(PARTS) if (parts == part).any()}

    def by_game(self, count: int = SHOWN) -> dict[str, Mean]:
        """The mean loss of the played games that cost most, of those with several positions in the suite."""
        names, sizes = np.unique(self.answers["group"].astype(str), return_counts=True)
        rows = self.answers.judged
        sums = np.bincount(self._groups[rows], self.answers["loss"][rows], len(names))
        order = [place for place in np.argsort(-sums, kind="stable") if sizes[place] > 1]
        return {str(names[place]): self._mean(self._groups == place) for place in order[:count]}

    def worst(self, count: int = SHOWN) -> list[Answer]:
        """The answers that cost most, worst first."""
        losses = np.where(self.answers.judged, self.answers["loss"], -1.0)
        order = np.argsort(-losses, kind="stable")[:count]
        return [self.answers.row(int(place)) for place in order if losses[place] > _SOLVED]

    def failures(self) -> list[Answer]:
        """The positions that failed, and answers that were illegal."""
        places = np.flatnonzero((self.answers["status"] == FAILED) | (self.answers["status"] == ILLEGAL))
        return [self.answers.row(int(place)) for place in places]

    # ── Shown ──

    def tables(self) -> Sequence[TextTable]:
        """The mean loss in all, by tag and by phase; the worst answers; what failed."""
        rows = [("all", self.loss.count, self.loss.text, self.loss.count * self.loss.mean)]
        for name, mean in {**self.by_tag(), **self.by_phase()}.items():
            rows.append((name, mean.count, mean.text, mean.count * mean.mean))
        shown = tuple((name, count, text, f"{total:.1f}" if count else "–") for name, count, text, total in rows)
        title = f"{self.player} on {self.suite}, {self.limit}"
        tables = [TextTable(("positions", "count", "mean loss", "total loss"), shown, tuple(self.sentences()), title)]
        if worst := self.worst():
            tables.append(answer_table(worst, "The costliest answers"))
        return tables

    def sentences(self) -> list[str]:
        """Points, solved positions, and what failed."""
        found = [f"a best move in {self.solved:,} of {len(self.losses):,} positions"]
        if self.points is not None:
            got, most = self.points
            found.append(f"{got:,} of {most:,} points ({100 * got / max(1, most):.1f} %)")
        if self.illegal:
            found.append(f"{self.illegal:,} answers were illegal or not in the suite, and cost 100 each")
        if self.failed:
            first = next(one for one in self.failures() if one.status == FAILED)
            found.append(
                f"{self.failed:,} of {self.positions:,} positions failed; the first, {first.id}: {first.reason}"
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith suite run --json``."""
        points = self.points
        return {
            "positions": self.positions,
            "loss_mean": number(self.loss.mean),
            "loss_total": round(self.loss_total, 6),
            "error": number(self.loss.error),
            "by_tag": _means(self.by_tag()),
            "failed": self.failed,
            "illegal": self.illegal,
            "solved": self.solved,
            "points": None if points is None else points[0],
            "max_points": None if points is None else points[1],
            "by_phase": _means(self.by_phase()),
            "by_game": _means(self.by_game()),
            "game": self.game.name,
            "player": self.player,
            "suite": self.suite,
            "fingerprint": self.fingerprint,
            "limit": self.limit,
            "failures": [{"id": one.id, "status": one.status, "reason": one.reason} for one in self.failures()[:100]],
        }


def answer_table(answers: Sequence[Answer], title: str) -> TextTable:
    """Answers that cost something, one a row."""
    rows = tuple(
        (f"{one.loss:.1f}", one.move or one.reason, one.best, shown_score(one.move_score), shown_score(one.best_score),
         one.tags, one.id, one.text)
        for one in answers
    )  # fmt: skip
    return TextTable(("loss", "played", "best", "score", "best score", "tags", "id", "position"), rows, (), title)


def shown_score(score: int) -> str:
    """A score with its sign, or nothing."""
    return "" if score == UNKNOWN else score_text(score)


def number(value: float) -> float | None:
    """A number for JSON, which has no nan."""
    return None if value != value else round(value, 6)


def _means(means: dict[str, Mean]) -> dict[str, Any]:
    return {
        name: {"positions": mean.count, "loss_mean": number(mean.mean), "error": number(mean.error)}
        for name, mean in means.items()
    }


def read_suite_run(run: Path) -> SuiteRun:
    """The result of a run folder."""
    answers, head = read_answers(run / ANSWERS_FILE)
    return SuiteRun(
        find_game(str(head["game"])), str(head["player"]), str(head["suite"]), str(head["fingerprint"]),
        str(head["limit"]), answers, run,
    )  # fmt: skip
