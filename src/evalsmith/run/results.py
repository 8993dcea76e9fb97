"""What results have in common: they show themselves as tables, and those of long commands have a page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from evalsmith.run.errors import InputError
from evalsmith.run.tables import TextTable


class Result:
    """The base of results: text in a terminal, HTML in a notebook."""

    def tables(self) -> Sequence[TextTable]:
        """What is shown of the result."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n\n".join(str(table) for table in self.tables())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self.tables())


class RunResult(Result):
    """The result of a long command, which also has the page of its run folder."""

    run: Path | None
    """The run folder that the result comes from."""

    def report(self) -> Path:
        """Write ``report.html`` into the run folder; the path of the page."""
        if self.run is None:
            raise InputError("this result has no run folder to write its page into")
        # Pages are made of results of every kind, so `report` stands above the rooms that make results.
        reports: Any = import_module("evalsmith.report.runs")
        path: Path = reports.write_report(self.run)
        return path
