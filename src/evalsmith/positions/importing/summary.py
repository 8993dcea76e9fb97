"""What an import gave: how much was taken, what was rejected and why."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from evalsmith.positions.selection.chooser import POSITION_REASONS
from evalsmith.positions.store.dataset import IMPORTED, Dataset
from evalsmith.run.tables import TextTable


@dataclass(frozen=True)
class ImportSummary:
    """Counts of an import; ``rejected`` by reason, ``errors`` the first broken games, ``warnings`` by what was odd.

    ``games`` are those that were read and taken; all positions of ``empty_games`` of them were rejected, so that the
    dataset has none of theirs, and whoever counts its games finds so many fewer.
    """

    games: int = 0
    positions: int = 0
    rejected: dict[str, int] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    warnings: dict[str, int] = field(default_factory=dict)
    empty_games: int = 0

    @property
    def rejected_games(self) -> dict[str, int]:
        """Games that were not taken, by reason."""
        return {reason: count for reason, count in self.rejected.items() if reason not in POSITION_REASONS}

    @property
    def rejected_positions(self) -> dict[str, int]:
        """Positions that were not taken, by reason."""
        return {reason: count for reason, count in self.rejected.items() if reason in POSITION_REASONS}

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith data import --json``."""
        return {
            "games": self.games,
            "games_without_position": self.empty_games,
            "positions": self.positions,
            "rejected": self.rejected,
            "rejected_games": self.rejected_games,
            "rejected_positions": self.rejected_positions,
            "warnings": self.warnings,
        }

    def stored(self) -> dict[str, Any]:
        """The summary as ``import.json`` has it."""
        return {**self.to_json(), "errors": list(self.errors)}

    @classmethod
    def from_stored(cls, stored: dict[str, Any]) -> ImportSummary:
        """The summary of an ``import.json``."""
        # Version 0.1.0 wrote errors as faults and warnings as notes.
        errors, warnings = stored.get("errors", stored.get("faults", ())), stored.get("warnings", stored.get("notes"))
        return cls(
            games=stored["games"],
            positions=stored["positions"],
            rejected=stored["rejected"],
            errors=tuple(map(str, errors)),
            warnings=warnings or {},
            empty_games=stored.get("games_without_position", 0),
        )


@dataclass(frozen=True, repr=False)
class ImportedDataset(Dataset):
    """A dataset that was imported, with the summary of its import."""

    summary: ImportSummary = field(default_factory=ImportSummary)

    @classmethod
    def of(cls, dataset: Dataset, summary: ImportSummary) -> ImportedDataset:
        """A dataset with the summary of its import."""
        return cls(**{**vars(dataset), "summary": summary})

    def table(self) -> TextTable:
        """The counts as a table."""
        summary = self.summary
        rows: list[tuple[str, int]] = [("games", summary.games)]
        if summary.empty_games:
            rows.append(("games without a position: all of theirs were rejected", summary.empty_games))
        rows.append(("positions", summary.positions))
        for counts in (summary.rejected_games, summary.rejected_positions):
            rows += [(f"rejected: {reason}", n) for reason, n in sorted(counts.items(), key=lambda item: -item[1])]
        rows += [(f"warning: {what}", count) for what, count in summary.warnings.items()]
        return TextTable(("", "count"), tuple(rows), (f"dataset in {self.path}",))


def stored_summary(dataset: Dataset) -> ImportSummary:
    """The summary of a complete import; where it is lost, what the dataset itself tells."""
    try:
        return ImportSummary.from_stored(json.loads((dataset.path / IMPORTED).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ImportSummary(games=int(dataset.extra.get("games", 0)), positions=dataset.rows())
