"""The parts of a page that show how a net was trained: rounds of a loop, and the losses of a training, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evalsmith.arena.statistics.elo import elo_from_score
from evalsmith.net.results import CurvePoint, curve_points
from evalsmith.report.axes import Level
from evalsmith.report.lines import Series, line_chart
from evalsmith.report.page import Figure, Page
from evalsmith.run import read_config
from evalsmith.run.folder import read_events

_PARTS = {"won": "who wins", "cleared": "what is cleared", "duration": "how long it takes", "moves": "what to play"}
_WIDTH, _HEIGHT = 460.0, 300.0
_CURVE = "Every round's net on the same starts, with its 95 % interval; the start stands at −1."


def loop_sections(page: Page, run: Path) -> None:
    """Round by round: games, losses, the gate."""
    rounds = read_events(run, "round")
    page.section("Round by round")
    alone = any(one.get("left") is not None for one in rounds)
    won, left = ("cleared", ["left"]) if alone else ("won by the first", [])
    page.table(
        ["round", "games", "positions", won, "moves", *left, "loss", "against the best", "± 95 %", "kept"],
        [
            [one["round"], one["games"], one["positions"], f"{100 * one['won']:.0f} %", round(one["moves"], 1),
             *([round(one["left"], 2)] if alone else []), round(one["loss"], 3),
             _signed(one.get("difference")), _error(one.get("error")), "yes" if one["kept"] else "no"]
            for one in rounds
        ],
        caption="Games are those of self-play, with noise; the gate is played without, on starts of its own.",
    )  # fmt: skip
    page.figures(*_round_pictures(rounds, alone))
    start = next((event["yardstick"] for event in read_events(run, "start")), None)
    if points := curve_points(start, rounds):
        _yardstick_section(page, points, str(read_config(run)["yardstick"]))


def _yardstick_section(page: Page, points: Sequence[CurvePoint], yardstick: str) -> None:
    """Every net against the same opponent on the same starts: whether the rounds rise."""
    alone = points[0].cleared is not None
    page.section(f"Against {yardstick}")
    page.table(
        ["net of round", "score", "difference", "± 95 %", *(["cleared", "moves when cleared", "against its moves",
         "± 95 %"] if alone else ["Elo"]), "kept"],
        [
            ["start" if one.round < 0 else one.round, round(one.score, 4), _signed(one.difference), _error(one.error),
             *(_alone_cells(one) if alone else [round(elo_from_score(one.score))]), "yes" if one.kept else "no"]
            for one in points
        ],
        caption=f"{points[0].games} paired starts, the same for all nets, without noise.",
    )  # fmt: skip
    page.figures(*_yardstick_pictures(points, yardstick, alone))


def _alone_cells(one: CurvePoint) -> list[Any]:
    found = one.moves_difference
    moves = "" if one.moves is None else round(one.moves, 1)
    return [one.cleared, moves, *(["", ""] if found is None else [f"{found.mean:+.1f}", f"{1.96 * found.error:.1f}"])]


def _yardstick_pictures(points: Sequence[CurvePoint], yardstick: str, alone: bool) -> Iterator[Figure]:
    """The curve of the rounds, with its error; the net that the loop started from stands before round 0."""
    numbers = [one.round for one in points]
    ends = [one.interval or (one.difference, one.difference) for one in points]
    if not alone:
        elo = [[elo_from_score((1 + value) / 2) for value in (one.difference, *end)]
               for one, end in zip(points, ends, strict=True)]  # fmt: skip
        series = Series("Elo", numbers, *([each[i] for each in elo] for i in range(3)))
        title = f"Elo against {yardstick}"
        yield Figure(_chart([series], title, "round", "Elo", levels=[Level(0.0, yardstick)]), _CURVE)
        return
    score = Series("difference", numbers, [one.difference for one in points], *zip(*ends, strict=True))
    levels = [Level(0.0, yardstick)]
    yield Figure(_chart([score], f"Score against {yardstick}", "round", "", levels=levels), _CURVE)
    both = [one for one in points if one.moves_difference is not None]
    if both:
        middle = [one.moves_difference.mean for one in both if one.moves_difference is not None]
        low, high = zip(*(one.moves_difference.interval for one in both if one.moves_difference), strict=True)
        moves = Series("moves", [one.round for one in both], middle, low, high)
        chart = _chart([moves], f"Moves against those of {yardstick}", "round", "", levels=levels)
        yield Figure(chart, "On the boards that both cleared; lower is better.")


def _signed(value: Any) -> str:
    return "" if value is None else f"{value:+.4f}"


def _error(value: Any) -> str:
    return "" if value is None else f"{1.96 * value:.4f}"


def _round_pictures(rounds: Sequence[dict[str, Any]], alone: bool) -> Iterator[Figure]:
    numbers = [one["round"] for one in rounds]
    shares = Series("cleared" if alone else "won by the first side", numbers, [100 * one["won"] for one in rounds])
    yield Figure(_chart([shares], "Games of self-play", "round", "%"), "The games that each round learned from.")
    yield Figure(_chart([Series("moves", numbers, [one["moves"] for one in rounds])], "Moves per game", "round", ""))
    parts = [Series(words, numbers, [one["losses"][name] for one in rounds]) for name, words in _PARTS.items()]
    yield Figure(_chart(parts, "Losses", "round", ""), "On held-out games, after each round's training.")
    gates = [one for one in rounds if one.get("difference") is not None]
    if gates:
        middle = [one["difference"] for one in gates]
        low = [one["difference"] - 1.96 * one["error"] for one in gates]
        high = [one["difference"] + 1.96 * one["error"] for one in gates]
        series = Series("difference", [one["round"] for one in gates], middle, low, high)
        yield Figure(
            _chart([series], "Against the best net before", "round", "", levels=[Level(0.0, "no better")]),
            "The difference of the scores on paired starts, with its 95 % interval.",
        )


def training_sections(page: Page, run: Path) -> None:
    """The losses and the learning rate, step by step."""
    steps = read_events(run, "step")
    page.section("The losses, step by step")
    numbers = [one["step"] for one in steps]
    figures = [
        Figure(_chart([Series(words, numbers, [one[name] for one in steps])], words, "steps", ""))
        for name, words in _PARTS.items()
    ]
    figures.append(
        Figure(_chart([Series("rate", numbers, [one["rate"] for one in steps])], "Learning rate", "steps", ""))
    )
    page.figures(*figures)
    for event in read_events(run, "trained"):
        page.facts({"steps": event["result"]["steps"], "positions": event["result"]["positions"]})
        page.table(["loss", "value"], [[name, value] for name, value in event["result"]["losses"].items()])


def value_sections(page: Page, run: Path) -> None:
    """The loss of the small net of alpha-beta, step by step, and its integers against the linear weights."""
    steps = read_events(run, "step")
    page.section("The loss, step by step")
    series = Series("loss", [one["step"] for one in steps], [one["loss"] for one in steps])
    page.figures(Figure(_chart([series], "Squared error", "steps", "")))
    for event in read_events(run, "trained"):
        found = event["result"]
        page.facts({name: found[name] for name in ("steps", "positions", "numbers")})
        of = "held-out games" if found["held_out"] else "the games it learned from"
        page.table(["squared error", of], [[name, value] for name, value in found["losses"].items()])


def _chart(series: Sequence[Series], title: str, x: str, y: str, **options: Any) -> str:
    return line_chart(series, title=title, x_label=x, y_label=y, width=_WIDTH, height=_HEIGHT, **options)
