"""``evalsmith stats``: what the counts of a match, or a table of results, say about strength."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli.output import print_json, print_table
from evalsmith.run.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from evalsmith.arena.results.standings import Standings
    from evalsmith.arena.statistics.elo import Summary
    from evalsmith.arena.statistics.ratings import Rating
    from evalsmith.arena.statistics.sprt import Sprt


class Model(StrEnum):
    """What the Elo differences of a test mean."""

    normalized = "normalized"
    logistic = "logistic"


def stats(
    run: Annotated[
        Path | None, typer.Argument(metavar="[RUN]", help="The run folder of a match or a tournament, finished or not.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", help="With RUN: two of its players, the one whose Elo is asked for first."),
    ] = None,
    trinomial_counts: Annotated[
        bool, typer.Option("--trinomial", help="With RUN: count games one by one, not by pairs.")
    ] = False,
    wdl: Annotated[str | None, typer.Option(metavar="W,D,L", help="Games that A won, drew and lost against B.")] = None,
    penta: Annotated[
        str | None,
        typer.Option(metavar="n,n,n,n,n", help="Game pairs by A's result: LL, LD, WL or DD, WD, WW."),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Test whether A is ELO1 (H1) rather than ELO0 (H0) stronger than B."),
    ] = None,
    model: Annotated[Model, typer.Option(help="What ELO0 and ELO1 mean.")] = Model.normalized,
    alpha: Annotated[float, typer.Option(help="How often H1 may be accepted though H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often H0 may be accepted though H1 is true.")] = 0.05,
    crosstable: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Rate all players of a file, by commas or spaces: either lines `A B wins draws losses` (A's view), "
            "or a square table with a header row of names and, in each row, a name and its points against each "
            "column (the games of two players are the sum of their two cells; `-` or blank: none).",
        ),
    ] = None,
    prior: Annotated[
        float, typer.Option(help="With --crosstable: virtual draws between any two players who met.")
    ] = 0.0,
    anchor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=ELO", help="With --crosstable: fix a rating (repeatable); else the mean is 0."),
    ] = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON document; los is from 0 to 1.")] = False,
) -> None:
    """Elo, likelihood of superiority and SPRT of a match, or the ratings of a crosstable or of an event.

    Give RUN or one of --wdl, --penta and --crosstable. All errors are 95 % (half the width of the interval).
    """
    if sum(option is not None for option in (run, wdl, penta, crosstable)) != 1:
        raise InputError("expected exactly one of RUN, --wdl, --penta and --crosstable")
    if run is None and (player or trinomial_counts):
        raise InputError("--player and --trinomial need RUN")
    if run is not None and (prior or anchor):
        raise InputError("--prior and --anchor need --crosstable")
    if run is not None:
        _stored(run, player or [], trinomial_counts, sprt, model, alpha, beta, json_output)
    elif crosstable is not None:
        if sprt is not None:
            raise InputError("--sprt needs --wdl or --penta, not --crosstable")
        _rate(crosstable, prior, anchor or [], json_output)
    else:
        if prior or anchor:
            raise InputError("--prior and --anchor need --crosstable")
        _judge(wdl, penta, sprt, model, alpha, beta, json_output)


def _judge(
    wdl: str | None,
    penta: str | None,
    test: str | None,
    model: Model,
    alpha: float,
    beta: float,
    json_output: bool,
    names: tuple[str, str] = ("A", "B"),
) -> None:
    from evalsmith.arena.statistics.elo import pentanomial, trinomial
    from evalsmith.arena.statistics.sprt import sprt

    if wdl is not None:
        won, drawn, lost = (_whole(text, "--wdl", "W,D,L") for text in _split(wdl, 3, "--wdl", "W,D,L"))
        counts, summary = [lost, drawn, won], trinomial(won, drawn, lost)
    else:
        five = "five counts LL,LD,WL+DD,WD,WW"
        counts = [_whole(text, "--penta", five) for text in _split(penta or "", 5, "--penta", five)]
        summary = pentanomial(counts)
    verdict = None
    if test is not None:
        elo0, elo1 = (_real(text, "--sprt", "ELO0,ELO1") for text in _split(test, 2, "--sprt", "ELO0,ELO1"))
        verdict = sprt(counts, elo0, elo1, model=model.value, alpha=alpha, beta=beta)
    if json_output:
        print_json(
            {name: getattr(summary, name) for name in ("elo", "elo_error", "nelo", "nelo_error", "los")}
            | {name: getattr(verdict, name, None) for name in ("llr", "lower", "upper", "state")}
        )
    else:
        kind = "trinomial" if wdl is not None else "pentanomial"
        table = _match_table(summary, kind, verdict, f"SPRT {test}, {model.value}", names)
        print_table(table, summary.sentence(*names))


def _stored(
    run: Path,
    players: list[str],
    trinomial_counts: bool,
    test: str | None,
    model: Model,
    alpha: float,
    beta: float,
    json_output: bool,
) -> None:
    """The same for the games of a run folder."""
    from evalsmith.arena.events.tournament import read_tournament
    from evalsmith.arena.results.summary import counts_of

    table, games = read_tournament(run)
    names = table.names
    if not players and len(names) > 2:
        if test is not None:
            raise InputError(f"--sprt compares two players: give --player twice, of {', '.join(names)}")
        _rated(run, table, json_output)
        return
    if players and (len(players) != 2 or players[0] == players[1] or not set(players) <= set(names)):
        raise InputError(f"--player is given twice, two different ones of {', '.join(names)}")
    first, second = players or _in_order(run)
    pairs, singles = counts_of(games, first, second)
    lost, drawn, won = singles
    if trinomial_counts:
        _judge(f"{won},{drawn},{lost}", None, test, model, alpha, beta, json_output, (first, second))
    else:
        _judge(None, ",".join(map(str, pairs)), test, model, alpha, beta, json_output, (first, second))


def _in_order(run: Path) -> tuple[str, str]:
    """The two players of a match, as they were named."""
    from evalsmith.run import read_config

    first, second = read_config(run)["names"]
    return first, second


def _rated(run: Path, table: Standings, json_output: bool) -> None:
    if table.unrated:
        raise InputError(f"{run}: {table.unrated}")
    if json_output:
        print_json(
            {
                "ratings": [{"name": row.name, "elo": row.elo, "error": row.error} for row in table.ratings],
                "comparisons": [one.to_json() for one in table.comparisons],
            }
        )
    else:
        print_table(
            _rating_table(list(table.ratings)),
            "Bradley–Terry by maximum likelihood; errors are 95 %; the mean is 0",
        )


def _rate(path: Path, prior: float, anchors: list[str], json_output: bool) -> None:
    from evalsmith.arena.statistics.ratings import bradley_terry, read_crosstable

    fixed = {}
    for text in anchors:
        name, _, elo = text.rpartition("=")
        fixed[name] = _real(elo, "--anchor", "NAME=ELO")
    pairings = read_crosstable(path)
    try:
        rows = bradley_terry(pairings, anchors=fixed, prior=prior).table()
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    if json_output:
        print_json({"ratings": [{"name": row.name, "elo": row.elo, "error": row.error} for row in rows]})
    else:
        zero = "the anchors are fixed" if fixed else "the mean is 0"
        print_table(_rating_table(rows), f"Bradley–Terry by maximum likelihood; errors are 95 %; {zero}")


def _match_table(summary: Summary, kind: str, verdict: Sprt | None, test: str, names: tuple[str, str]) -> Table:
    from rich.markup import escape
    from rich.table import Table

    from evalsmith.arena.statistics.sprt import MINIMUM_PAIRS

    table = Table(show_header=False)
    table.add_row("games", f"{summary.games} ({kind})")
    table.add_row(f"score of {escape(names[0])}", f"{100 * summary.score:.2f} %")
    table.add_row(f"Elo of {escape(names[0])} over {escape(names[1])}", summary.elo_text(2))
    table.add_row("normalized Elo", f"{summary.nelo:+.2f} ± {summary.nelo_error:.2f}")
    table.add_row("likelihood of superiority", f"{100 * summary.los:.2f} %")
    how = "exact binomial, draws left out" if kind == "trinomial" else "on pairs"
    table.add_row("p-value, two-sided", f"{summary.p_value:.2g} ({how})")
    if verdict is not None:
        early = verdict.state == "running" and not verdict.lower < verdict.llr < verdict.upper
        state = f"{verdict.state} (at least {MINIMUM_PAIRS} pairs)" if early else verdict.state
        table.add_row(test, f"LLR {verdict.llr:.4f}, bounds {verdict.lower:.4f} and {verdict.upper:.4f}: {state}")
    return table


def _rating_table(rows: list[Rating]) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table("player")
    table.add_column("Elo", justify="right")
    table.add_column("± 95 %", justify="right")
    for row in rows:
        table.add_row(escape(row.name), f"{row.elo:.2f}", f"{row.error:.2f}")
    return table


def _split(text: str, parts: int, option: str, form: str) -> list[str]:
    cells = text.split(",")
    if len(cells) != parts:
        raise InputError(f"{option}: expected {form}, got {text}")
    return cells


def _whole(text: str, option: str, form: str) -> int:
    if not text.strip().isdecimal() or len(text) > 20:
        raise InputError(f"{option}: expected {form} with whole numbers, got {text}")
    return int(text)


def _real(text: str, option: str, form: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option}: expected {form} with numbers, got {text}") from None
