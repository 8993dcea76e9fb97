"""The part of a page that shows a match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalsmith.arena.results.entry import GameEntry
from evalsmith.arena.results.summary import read_games
from evalsmith.arena.statistics.elo import pentanomial
from evalsmith.games import Game
from evalsmith.report.axes import Level
from evalsmith.report.bars import Bars, bar_chart, histogram
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Outcome, Page

SMALL, TALL = 340.0, 260.0  # three pictures stand side by side


def match_verdict(page: Page, result: dict[str, Any]) -> None:
    """The sentence that a reader came for."""
    outcome: Outcome = "not proven"
    if abs(result["elo"]) > result["elo_error"] and result["p_value"] < 0.05:
        outcome = "stronger" if result["elo"] > 0 else "weaker"
    page.verdict(outcome, result["verdict"])


def match_sections(page: Page, game: Game, run: Path, result: dict[str, Any]) -> None:
    """The table, the pairs, the score as it went, and one game's last position."""
    page.section("The match")
    summary = pentanomial(result["pentanomial"])
    page.facts(
        {
            "Elo": summary.elo_text(0),
            "likelihood of superiority": f"{100 * result['los']:.1f} %",
            "p-value": f"{result['p_value']:.2g}",
            "games": f"{result['games']}",
        }
    )
    keys = ("points", "won", "tied", "lost", "fail", "time_avg", "time_max")
    page.table(
        ["player", "points", "won", "tied", "lost", "fail", "time a game (s)", "longest game (s)"],
        [[player["name"], *(player[key] for key in keys)] for player in result["players"]],
        caption="Both players had each opening once with either side.",
    )
    _times(page, result)
    names = ["both lost", "half a point", "level", "one and a half", "both won"]
    first = result["players"][0]["name"]
    entries = list(read_games(run / "games.jsonl").values())
    margins = [entry.value_for(first) for entry in entries]
    figures = [
        Figure(
            bar_chart(
                names,
                [Bars("pairs", result["pentanomial"])],
                title="Pairs of games",
                value_label="pairs",
                width=SMALL,
                height=TALL,
            ),
            f"What {first} made of the two games from each opening.",
        ),
        Figure(_course(margins, first), "The score as the match went on, with its 95 % interval."),
    ]
    if game.win == 0:
        error = "" if summary.few else f" ± {result['margin_error'] / 100:.2f}"
        figures.append(
            Figure(
                histogram(
                    [margin / 100 for margin in margins],
                    title="Margins",
                    width=SMALL,
                    height=TALL,
                    x_label=f"{game.whole_unit} for {first}",
                ),
                f"Mean {result['margin'] / 100:+.2f}{error} {game.whole_unit} a game.",
            )
        )
    page.figures(*figures)
    if entries:
        page.figures(*last_positions(game, entries[:3]))


def _times(page: Page, result: dict[str, Any]) -> None:
    """The players' own account of their times beside ours, and whether the machine was too busy."""
    told = [one for one in result.get("times", ()) if one.get("told_avg") is not None]
    if told:
        page.table(
            ["player", "by our clock (s a game)", "by its own (s a game)", "latency (ms a move)", "longest move (s)"],
            [
                [one["name"], one["time_avg"], one["told_avg"], round(1000 * one["latency"], 2), one["longest"]]
                for one in told
            ],
            caption="What programs say of their time, and how much more of each move we saw.",
        )
    if result.get("overload"):
        page.paragraph(f"The machine was too busy for its times to count: {'; '.join(result['overload'])}.")


def _course(margins: list[int], name: str) -> str:
    """The running share of points after each game."""
    x, y, low, high = [], [], [], []
    total = squares = 0.0
    for count, margin in enumerate(margins, 1):
        point = 0.5 + 0.5 * ((margin > 0) - (margin < 0))
        total, squares = total + point, squares + point * point
        if count % max(1, len(margins) // 100) == 0:
            mean = total / count
            error = 1.959964 * (max(squares / count - mean * mean, 0.0) / count) ** 0.5
            x.append(count)
            y.append(100 * mean)
            low.append(100 * max(0.0, mean - error))
            high.append(100 * min(1.0, mean + error))
    return line_chart(
        [Series(name, x, y, low, high)],
        title=f"Score of {name}",
        x_label="games",
        y_label="%",
        levels=[Level(50.0, "even")],
        width=SMALL,
        height=TALL,
    )


def last_positions(game: Game, entries: list[GameEntry]) -> Iterator[Figure]:
    """How some games ended, as boards."""
    from evalsmith.games import CHANCE

    for entry in entries:
        position, last = game.start() if entry.start is None else game.parse(entry.start), None
        for move in (*entry.opening, *entry.moves):
            if game.status(position) == CHANCE:
                position = game.reveal(position, move)
            else:
                position, last = game.play(position, move), move
        sides = " – ".join(entry.sides)
        yield Figure(game.svg(position, size=260, last=last), f"{sides}: {entry.result / 100:+g} ({entry.termination})")
