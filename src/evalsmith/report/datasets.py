"""The page of one dataset or several: their contents in tables and pictures, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalsmith.positions.store.info import PLY_STEP, RATING_STEP, Counts, DatasetInfo, score_step
from evalsmith.report.charts import Bars, bar_chart
from evalsmith.report.page import Page
from evalsmith.run import InputError

MAX_BARS = 32


def write_dataset_report(found: Sequence[DatasetInfo], path: Path) -> None:
    """Write the page of some datasets of one game."""
    games = {info.dataset.game.name for info in found}
    if len(games) > 1:
        raise InputError(f"a page shows datasets of one game, not of {', '.join(sorted(games))}")
    game = found[0].dataset.game
    page = Page(f"Positions of {game.title}", subtitle=" – ".join(str(info.dataset.path) for info in found))
    _facts(page, found)
    named = [(info.dataset.path.name, info.counts) for info in found]
    _pictures(page, named, game.unit, score_step(game))
    _openings(page, found)
    for info in found:
        if len(info.sources) > 1:
            _sources(page, info)
    for info in found:
        page.configuration(info.dataset.made, heading=f"How {info.dataset.path.name} was made")
    page.write(path)


def _facts(page: Page, found: Sequence[DatasetInfo]) -> None:
    page.section("Contents")
    value = f"mean |value| ({found[0].dataset.game.whole_unit})"
    names = ("positions", "games", "with a value", "won", "tied", "lost", value, "mean rating", "mean ply")
    columns = [_contents(info) for info in found]
    rows = [[name, *(column[row] for column in columns)] for row, name in enumerate((*names, "bytes per position"))]
    page.table(["", *(info.dataset.path.name for info in found)], rows, align="l" + "r" * len(found))
    page.paragraph(
        "Values are for the side to move. Bars are shares, so that datasets of different sizes can be compared."
    )


def _contents(info: DatasetInfo) -> tuple[object, ...]:
    """What the table of contents says of one dataset, from top to bottom."""
    counts, means = info.counts, info.counts.to_json()
    return (
        counts.positions,
        info.games,
        _percent(counts.known, counts.positions),
        _percent(counts.won, counts.known),
        _percent(counts.tied, counts.known),
        _percent(counts.lost, counts.known),
        _whole(means["mean_absolute"]),
        _round(means["mean_rating"]),
        _round(means["mean_ply"]),
        _round(info.bytes / counts.positions if counts.positions else None, 2),
    )


def _pictures(page: Page, named: Sequence[tuple[str, Counts]], unit: str, step: int) -> None:
    page.section("Distributions")
    charts = (
        ("stages", "Positions by stage", "stage", 1),
        ("plies", "Positions by ply", "ply, from", PLY_STEP),
        ("ratings", "Rating of the side to move", "Elo, from", RATING_STEP),
        ("scores", "Scores", f"{unit}, from", step),
        ("depths", "Depths of scores", "plies", 1),
    )
    for name, title, label, width in charts:
        tallies = [(who, getattr(counts, name)) for who, counts in named]
        if not any(tally for _, tally in tallies):
            continue
        lows, wide = _bins([low for _, tally in tallies for low in tally], width)
        bars = []
        for who, tally in tallies:
            total = sum(tally.values()) or 1
            grouped = dict.fromkeys(lows, 0)
            for low, count in tally.items():
                grouped[low // wide * wide] += count
            bars.append(Bars(who, [100 * grouped[low] / total for low in lows]))
        page.figure(
            bar_chart([str(low) for low in lows], bars, title=title, value_label="% of positions"), f"Bins: {label}."
        )
    page.section("Labels", level=3)
    names = sorted({label for _, counts in named for label in counts.labels})
    page.table(
        ["", *("no label" if name == "none" else name for name in names)],
        [[who, *(_percent(counts.labels[name], counts.positions) for name in names)] for who, counts in named],
    )


def _bins(lows: list[int], width: int) -> tuple[list[int], int]:
    """The lower ends of at most MAX_BARS bins, and how wide each is."""
    wide = width
    while (max(lows) // wide - min(lows) // wide) >= MAX_BARS:
        wide *= 2
    first, last = min(lows) // wide, max(lows) // wide
    return [number * wide for number in range(first, last + 1)], wide


def _openings(page: Page, found: Sequence[DatasetInfo]) -> None:
    rows = [
        [info.dataset.path.name, opening.text, opening.games, _percent(opening.games, info.games)]
        for info in found
        for opening in info.openings
    ]
    if rows:
        page.section("Most frequent openings")
        page.table(["", f"after {found[0].opening_ply} plies", "games", "share"], rows, align="llrr")


def _sources(page: Page, info: DatasetInfo) -> None:
    page.section(f"Sources of {info.dataset.path.name}")
    ordered = sorted(info.sources.items(), key=lambda item: -item[1].positions)[:MAX_BARS]
    rows = []
    for name, counts in ordered:
        means = counts.to_json()
        rows.append(
            [
                name,
                counts.positions,
                _percent(counts.won, counts.known),
                _percent(counts.tied, counts.known),
                _whole(means["mean_absolute"]),
                _round(means["mean_rating"]),
                _round(means["mean_ply"]),
                _round(means["mean_stage"]),
            ]
        )
    page.table(["", "positions", "won", "tied", "mean |value|", "mean rating", "mean ply", "mean stage"], rows)


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.1f} %" if total else "–"


def _whole(hundredths: float | None) -> str:
    return _round(None if hundredths is None else hundredths / 100, 2)


def _round(value: float | None, figures: int = 1) -> str:
    return "–" if value is None else f"{value:,.{figures}f}"
