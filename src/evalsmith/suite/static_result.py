"""The result of comparing a static evaluation with the reference scores of a suite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalsmith.games import Game, find_game
from evalsmith.run import InputError
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable
from evalsmith.suite.run_result import number

RESULT = "result.json"
SHOWN = 15


@dataclass(frozen=True)
class Agreement:
    """How far evaluation and reference agree on some positions.

    ``rank_correlation`` is Spearman's, nan for fewer than three positions. ``error`` is the mean distance of the two
    chances to win in percent, with half its 95 % interval; ``bias`` the mean residual, likewise.
    """

    name: str
    positions: int
    rank_correlation: float
    error: float
    error_interval: float
    bias: float
    bias_interval: float


@dataclass(frozen=True)
class TermResidual:
    """A term and the mean residual where it counts for the mover, or minus that where it counts against him.

    ``residual`` is in percent of a chance to win, ``interval`` half its 95 % interval. Of many terms some are far from
    0 by chance: ``significant`` says that this one is not, even as the most extreme of all of them.
    """

    term: str
    index: str
    positions: int
    residual: float
    interval: float
    significant: bool


@dataclass(frozen=True, repr=False)
class StaticRun(RunResult):
    """The evaluation of some weights against a suite's reference scores."""

    game: Game
    player: str
    suite: str
    overall: Agreement
    parts: tuple[Agreement, ...]
    terms: tuple[TermResidual, ...]
    features: tuple[TermResidual, ...]
    failed: int
    run: Path | None = None

    def tables(self) -> Sequence[TextTable]:
        """Agreement by phase and tag, then the terms with the largest residuals."""
        rows = tuple(
            (
                one.name,
                one.positions,
                shown(one.rank_correlation, 3),
                f"{one.error:.1f} ± {shown(one.error_interval)}",
                f"{one.bias:+.1f} ± {shown(one.bias_interval)}",
            )
            for one in (self.overall, *self.parts)
        )
        first = TextTable(
            ("positions", "count", "rank correlation", "error in win probability (%)", "bias (%)"),
            rows,
            (f"{self.failed:,} positions have no reference score",) if self.failed else (),
            f"the evaluation of {self.player} on {self.suite}",
        )
        return (
            first,
            residual_table(self.features, "By feature: where the evaluation thinks too little (+) or too much (−)"),
            residual_table(self.terms[:SHOWN], "By term"),
        )

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith suite run --static --json``."""

        def plain(one: Agreement | TermResidual) -> dict[str, Any]:
            return {key: number(value) if isinstance(value, float) else value for key, value in asdict(one).items()}

        return {
            "positions": self.overall.positions,
            "rank_correlation": number(self.overall.rank_correlation),
            "error": number(self.overall.error),
            "error_interval": number(self.overall.error_interval),
            "bias": number(self.overall.bias),
            "bias_interval": number(self.overall.bias_interval),
            "parts": [plain(one) for one in self.parts],
            "terms": [plain(one) for one in self.terms],
            "features": [plain(one) for one in self.features],
            "failed": self.failed,
            "game": self.game.name,
            "player": self.player,
            "suite": self.suite,
        }


def residual_table(terms: Sequence[TermResidual], title: str) -> TextTable:
    """Terms and their residuals, one a row."""
    rows = tuple(
        (
            one.term,
            one.index,
            one.positions,
            f"{one.residual:+.2f} ± {one.interval:.2f}",
            "yes" if one.significant else "",
        )
        for one in terms
    )
    note = "beyond chance: so far from 0 even as the most extreme of all that were looked at (Bonferroni, 95 %)"
    columns = ("term", "is", "positions", "residual (% win probability)", "beyond chance")
    return TextTable(columns, rows, (note,) if rows else ("no term occurs in enough positions",), title)


def shown(value: float, digits: int = 1) -> str:
    """A number, or a dash where it is not known."""
    return "–" if value != value else f"{value:.{digits}f}"


def read_static_run(run: Path) -> StaticRun:
    """The result of a run folder."""
    try:
        document = json.loads((run / RESULT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{run} has no result yet: run its command again to finish it") from None
    except ValueError as error:
        raise InputError(f"{run / RESULT} is damaged: {error}") from None

    def restored(one: dict[str, Any]) -> dict[str, Any]:
        return {key: float("nan") if value is None else value for key, value in one.items()}

    overall = Agreement(
        "all", *(restored(document)[key] for key in ("positions", "rank_correlation", "error", "error_interval", "bias",
                                                     "bias_interval")),
    )  # fmt: skip
    return StaticRun(
        find_game(str(document["game"])),
        str(document["player"]),
        str(document["suite"]),
        overall,
        tuple(Agreement(**restored(one)) for one in document["parts"]),
        tuple(TermResidual(**restored(one)) for one in document["terms"]),
        tuple(TermResidual(**restored(one)) for one in document["features"]),
        int(document["failed"]),
        run,
    )
