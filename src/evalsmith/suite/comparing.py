"""Two runs of one suite compared position by position: what became worse or better, and whether it is chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.run import InputError, MismatchError, derive
from evalsmith.run.results import Result
from evalsmith.run.tables import TextTable
from evalsmith.suite.answers import Answer
from evalsmith.suite.run_result import SuiteRun, number, read_suite_run, shown_score
from evalsmith.suite.settings import CompareSettings
from evalsmith.suite.statistics import Mean, bootstrap_interval, group_numbers, mean_of, wilcoxon

SHOWN = 10
WORSE, BETTER, OPEN = "worse", "better", "not proven"
_EQUAL = 1e-9
# The interval is about the mean, the test about most positions; where few positions changed, one alone is too easily
# fooled.
_SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Change:
    """One position: the answers of both runs; ``loss`` is how much more the second one lost."""

    first: Answer
    second: Answer

    @property
    def loss(self) -> float:
        """Above 0 where the second run is worse."""
        return self.second.loss - self.first.loss


@dataclass(frozen=True, repr=False)
class SuiteComparison(Result):
    """The second run against the first, on the positions that both have answered.

    ``difference`` is the mean loss of the second less that of the first, so above 0 it is worse; ``low`` and ``high``
    are the ends of its 95 % bootstrap interval, ``p_value`` is Wilcoxon's.
    """

    first: SuiteRun
    second: SuiteRun
    rows: npt.NDArray[np.intp]
    difference: float
    low: float
    high: float
    p_value: float
    tolerance: float = 0.0
    tag: str | None = None

    @property
    def game(self) -> Game:
        """The game of the suite."""
        return self.first.game

    @property
    def positions(self) -> int:
        """How many positions both have answered."""
        return len(self.rows)

    @property
    def differences(self) -> npt.NDArray[np.float64]:
        """What the second lost more, position by position."""
        found: npt.NDArray[np.float64] = self.second.answers["loss"][self.rows] - self.first.answers["loss"][self.rows]
        return found

    @property
    def verdict(self) -> str:
        """Worse or better where the interval lies beyond the tolerance and Wilcoxon's test agrees, else not proven."""
        if self.p_value >= _SIGNIFICANT:
            return OPEN
        return WORSE if self.low > self.tolerance else BETTER if self.high < -self.tolerance else OPEN

    @property
    def worse(self) -> bool:
        """Whether the second run is proven to be worse."""
        return self.verdict == WORSE

    @property
    def names(self) -> tuple[str, str]:
        """What the runs are called: their players, or their folders where these have one name."""
        names = self.first.player, self.second.player
        if names[0] != names[1] or self.first.run is None or self.second.run is None:
            return names
        return self.first.run.name, self.second.run.name

    def regressions(self, count: int | None = None) -> list[Change]:
        """Where the second run is worse, worst first."""
        return self._changes(np.argsort(-self.differences, kind="stable"), 1, count)

    def improvements(self, count: int | None = None) -> list[Change]:
        """Where the second run is better, best first."""
        return self._changes(np.argsort(self.differences, kind="stable"), -1, count)

    def _changes(self, order: npt.NDArray[np.intp], sign: int, count: int | None) -> list[Change]:
        differences = self.differences
        chosen = [int(self.rows[place]) for place in order[:count] if sign * differences[place] > _EQUAL]
        return [Change(self.first.answers.row(row), self.second.answers.row(row)) for row in chosen]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Positions that became worse, stayed, and became better."""
        differences = self.differences
        worse, better = int((differences > _EQUAL).sum()), int((differences < -_EQUAL).sum())
        return worse, self.positions - worse - better, better

    def by_tag(self) -> dict[str, Mean]:
        """The mean difference of the positions with each tag."""
        groups, found = group_numbers(self.first.answers["group"])[self.rows], {}
        for tag in self.first.answers.all_tags():
            chosen = self.first.answers.has_tag(tag)[self.rows]
            if chosen.any():
                found[tag] = mean_of(self.differences[chosen], groups[chosen])
        return found

    # ── Shown ──

    def tables(self) -> Sequence[TextTable]:
        """The verdict, the difference by tag, and the ten worst and best changes."""
        first, second = self.names
        rows = [("all", self.positions, f"{self.difference:+.3f}", f"{self.low:+.3f} to {self.high:+.3f}")]
        for tag, mean in self.by_tag().items():
            interval = (
                "" if mean.error != mean.error else f"{mean.mean - mean.error:+.3f} to {mean.mean + mean.error:+.3f}"
            )
            rows.append((tag, mean.count, f"{mean.mean:+.3f}", interval))
        title = f"{second} against {first} on {self.first.suite}: loss of the second less that of the first"
        columns = ("positions", "count", "difference", "95 % interval")
        tables = [TextTable(columns, tuple(rows), tuple(self.sentences()), title)]
        for title, changes in (("Regressions", self.regressions(SHOWN)), ("Improvements", self.improvements(SHOWN))):
            if changes:
                tables.append(_change_table(title, changes, self.names))
        return tables

    def sentences(self) -> list[str]:
        """The verdict and how it comes about."""
        first, second = self.names
        worse, same, better = self.counts
        what = {
            WORSE: f"{second} is worse than {first}",
            BETTER: f"{second} is better than {first}",
            OPEN: f"no difference between {first} and {second} is proven",
        }[self.verdict]
        beyond = f" by more than {self.tolerance:g}" if self.tolerance and self.verdict != OPEN else ""
        found = [
            f"{what}{beyond} (Wilcoxon p = {self.p_value:.2g})",
            f"{worse:,} positions became worse, {better:,} better, {same:,} cost the same",
        ]
        left_out = self.first.positions - self.positions
        if left_out and self.tag is None:
            found.append(
                f"{left_out:,} of {self.first.positions:,} positions were left out: one of the runs failed there"
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith suite compare --json``."""
        worse, same, better = self.counts
        return {
            "positions": self.positions,
            "players": list(self.names),
            "loss_mean": [number(self._mean(self.first)), number(self._mean(self.second))],
            "difference": number(self.difference),
            "low": number(self.low),
            "high": number(self.high),
            "p_value": number(self.p_value),
            "verdict": self.verdict,
            "worse": worse,
            "same": same,
            "better": better,
            "by_tag": {
                tag: {"positions": mean.count, "difference": number(mean.mean), "error": number(mean.error)}
                for tag, mean in self.by_tag().items()
            },
            "regressions": [_plain(change) for change in self.regressions(SHOWN)],
            "improvements": [_plain(change) for change in self.improvements(SHOWN)],
            "failed": self.first.positions - self.positions if self.tag is None else None,
        }

    def _mean(self, run: SuiteRun) -> float:
        return float(run.answers["loss"][self.rows].mean())

    def report(self, path: Path | str) -> Path:
        """Write the page: all changes, sortable and filtered by tag, and the largest ones with their boards."""
        # Pages are made of results of every kind, so `report` stands above the rooms that make results.
        pages: Any = import_module("evalsmith.report.suite_compare")
        written: Path = pages.write_comparison(self, Path(path))
        return written


def _change_table(title: str, changes: Sequence[Change], names: tuple[str, str]) -> TextTable:
    rows = tuple(
        (
            f"{change.loss:+.1f}",
            _answer(change.first),
            _answer(change.second),
            change.first.best,
            change.first.tags,
            change.first.id,
            change.first.text,
        )
        for change in changes
    )
    return TextTable(("loss", names[0], names[1], "best", "tags", "id", "position"), rows, (), title)


def _answer(answer: Answer) -> str:
    score = shown_score(answer.move_score)
    return f"{answer.move or answer.reason}{f' ({score})' if score else ''}"


def _plain(change: Change) -> dict[str, Any]:
    return {
        "id": change.first.id, "position": change.first.text, "moves": [change.first.move, change.second.move],
        "losses": [number(change.first.loss), number(change.second.loss)], "best": change.first.best.split(),
        "tags": change.first.tags.split(),
    }  # fmt: skip


def compare_suites(first: SuiteRun | Path | str, second: SuiteRun | Path | str, **settings: Any) -> SuiteComparison:
    """Compare two runs of the same suite, position by position.

        compare_suites("runs/old", "runs/new").verdict

    Runs are those of `run_suite`, or their folders; settings are those of `CompareSettings`.
    """
    chosen = CompareSettings.from_options(settings)
    before, after = (run if isinstance(run, SuiteRun) else read_suite_run(Path(run)) for run in (first, second))
    _check(before, after)
    rows = before.answers.judged & after.answers.judged
    if chosen.tag is not None:
        tags = before.answers.all_tags()
        if chosen.tag not in tags:
            raise InputError(f"no position has the tag {chosen.tag!r}; the tags are {', '.join(tags) or 'none'}")
        rows &= before.answers.has_tag(chosen.tag)
    places = np.flatnonzero(rows)
    if not len(places):
        raise InputError("no position was answered in both runs, so there is nothing to compare")
    differences = after.answers["loss"][places] - before.answers["loss"][places]
    groups = group_numbers(before.answers["group"])[places]
    low, high = bootstrap_interval(differences, groups, derive(chosen.seed, "bootstrap"))
    return SuiteComparison(
        before, after, places, float(differences.mean()), low, high, wilcoxon(differences), chosen.tolerance, chosen.tag
    )


def _check(before: SuiteRun, after: SuiteRun) -> None:
    if before.game.name != after.game.name:
        raise MismatchError(
            f"{before.run} is a run of {before.game.name}, {after.run} one of {after.game.name}; "
            "only runs of the same suite can be compared"
        )
    if before.fingerprint != after.fingerprint:
        raise MismatchError(
            f"{before.run} is a run of {before.suite}, {after.run} one of {after.suite} with other positions or "
            "scores; only runs of the same suite can be compared"
        )
