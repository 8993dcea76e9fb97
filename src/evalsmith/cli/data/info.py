"""``evalsmith data info``: what datasets hold, and how they differ."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli.output import JsonFlag, announce_compiling, print_json, print_table

if TYPE_CHECKING:
    from evalsmith.positions.store.info import Info


def info(
    paths: Annotated[list[Path], typer.Argument(metavar="DATASETS…", help="One dataset, or several to compare.")],
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page with pictures of it.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show what datasets hold: results, labels, ratings, stages, plies, openings, sources."""
    from evalsmith.positions import open_dataset
    from evalsmith.positions.store.info import describe
    from evalsmith.run import Bar

    announce_compiling()
    total = sum(open_dataset(path).rows() for path in paths)
    with Bar("counting", total, "positions") as bar:
        found = [describe(path, bar) for path in paths]
    if report is not None:
        from evalsmith.report.datasets import write_dataset_report

        write_dataset_report(found, report)
    if json_output:
        documents = [each.to_json() for each in found]
        print_json(
            documents[0]
            if len(found) == 1
            else {"datasets": {str(path): told for path, told in zip(paths, documents, strict=True)}}
        )
        return
    _print(found)


def _print(found: list[Info]) -> None:
    from rich.table import Table

    table = Table("", *(each.dataset.path.name for each in found))
    for column in table.columns[1:]:
        column.justify = "right"
    for name, values in _lines(found):
        table.add_row(name, *values)
    sentences = []
    for each in found:
        if not each.dataset.whole:
            sentences.append(f"{each.dataset.path} is not finished: give the command again that makes it.")
        if each.openings:
            sentences.append(f"Most frequent after {each.opening_ply} plies in {each.dataset.path.name}:")
            sentences += [f"  {opening.games:>8,}  {opening.text}" for opening in each.openings]
        if len(each.sources) > 1:
            sentences.append(f"Sources of {each.dataset.path.name}:")
            ordered = sorted(each.sources.items(), key=lambda item: -item[1].positions)
            sentences += [f"  {counts.positions:>10,}  {name}" for name, counts in ordered[:20]]
    print_table(table, *sentences)


def _lines(found: list[Info]) -> list[tuple[str, list[str]]]:
    def share(part: int, whole: int) -> str:
        return f"{100 * part / whole:.1f} %" if whole else "-"

    def mean(value: float | None, figures: int = 1) -> str:
        return "-" if value is None else f"{value:,.{figures}f}"

    told = [(each, each.counts, each.counts.to_json()) for each in found]
    labels = sorted({name for _, counts, _ in told for name in counts.labels})
    return [
        ("game", [each.dataset.game.name for each in found]),
        ("positions", [f"{counts.positions:,}" for _, counts, _ in told]),
        ("games", [f"{each.games:,}" for each in found]),
        ("positions a game", [mean(c.positions / each.games if each.games else None) for each, c, _ in told]),
        ("with a value", [share(c.known, c.positions) for _, c, _ in told]),
        ("won", [share(c.won, c.known) for _, c, _ in told]),
        ("tied", [share(c.tied, c.known) for _, c, _ in told]),
        ("lost", [share(c.lost, c.known) for _, c, _ in told]),
        (
            "mean of the absolute value",
            [f"{mean(t['mean_absolute'])} {each.dataset.game.units}" for each, _, t in told],
        ),
        ("mean rating", [mean(t["mean_rating"], 0) for _, _, t in told]),
        ("mean ply", [mean(t["mean_ply"]) for _, _, t in told]),
        ("mean stage", [mean(t["mean_stage"]) for _, _, t in told]),
        (
            "stages",
            [f"{len(c.stages)}, from {min(c.stages, default=0)} to {max(c.stages, default=0)}" for _, c, _ in told],
        ),
        *((f"label: {name}", [share(c.labels[name], c.positions) for _, c, _ in told]) for name in labels),
        ("mean depth", [mean(t["mean_depth"]) for _, _, t in told]),
        ("bytes a position", [mean(each.bytes / c.positions if c.positions else None, 2) for each, c, _ in told]),
        ("made by", [str(each.dataset.made.get("how", "-")) for each in found]),
    ]
