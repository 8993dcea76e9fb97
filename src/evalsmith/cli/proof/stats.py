"""``evalsmith stats``: what the counts of a match, or a table of results, say about strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from evalsmith.arena.statistics.elo import Summary, pentanomial, trinomial
from evalsmith.arena.statistics.sprt import MINIMUM_PAIRS, Sprt, sprt
from evalsmith.arena.statistics.verdict import Verdict, judge
from evalsmith.cli.common import calls
from evalsmith.cli.common.output import print_json
from evalsmith.run.errors import InputError
from evalsmith.run.tables import TextTable

COUNTS, TABLES, TEST = "Counts of a match", "Ratings", "Sequential test"


@dataclass(frozen=True)
class _Test:
    """The sequential test that was asked for."""

    text: str | None
    model: str
    alpha: float
    beta: float

    def state(self, counts: Sequence[int]) -> Sprt | None:

        if self.text is None:
            return None
        if self.model not in ("normalized", "logistic"):
            raise InputError(f"--model: expected normalized or logistic, got {self.model}")
        form = "ELO0,ELO1"
        elo0, elo1 = (_real(text, "--sprt", form) for text in _split(self.text, 2, "--sprt", form))
        return sprt(
            counts,
            elo0,
            elo1,
            model="logistic" if self.model == "logistic" else "normalized",
            alpha=self.alpha,
            beta=self.beta,
        )


def stats(
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="The run folder of a match or a tournament, complete or not.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="NAME",
            rich_help_panel=COUNTS,
            help="With RUN: a player A whose Elo to compute, then a player B. Give the option twice.",
        ),
    ] = None,
    trinomial: Annotated[
        bool,
        typer.Option("--trinomial", rich_help_panel=COUNTS, help="With RUN: count single games instead of pairs."),
    ] = False,
    wdl: Annotated[
        str | None,
        typer.Option(metavar="W,D,L", rich_help_panel=COUNTS, help="Games that A won, drew and lost against B."),
    ] = None,
    penta: Annotated[
        str | None,
        typer.Option(
            metavar="n,n,n,n,n", rich_help_panel=COUNTS, help="Game pairs by A's result: LL, LD, WL or DD, WD, WW."
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            rich_help_panel=TEST,
            help="Test whether A is ELO1 (H1) rather than ELO0 (H0) stronger than B.",
        ),
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="MODEL", rich_help_panel=TEST, help="Elo model of --sprt: normalized or logistic.")
    ] = "normalized",
    alpha: Annotated[
        float, typer.Option(metavar="X", rich_help_panel=TEST, help="Probability of accepting H1 when H0 is true.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(metavar="X", rich_help_panel=TEST, help="Probability of accepting H0 when H1 is true.")
    ] = 0.05,
    crosstable: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=TABLES,
            help="Rate all players in a file with fields separated by commas or spaces: either lines `A B wins draws "
            "losses`, counted for A, or a square table with a header row of names and, in each row, a name and its "
            "points against each column (two players' games are the sum of their two cells; `-` or blank: none).",
        ),
    ] = None,
    prior: Annotated[
        float,
        typer.Option(metavar="X", rich_help_panel=TABLES, help="Virtual draws between any two players who have met."),
    ] = 0.0,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ELO", rich_help_panel=TABLES, help="Fix a player's rating. Repeatable. Default: a mean of 0."
        ),
    ] = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON document; los is from 0 to 1.")] = False,
) -> None:
    """Compute Elo, likelihood of superiority and SPRT of a match, or ratings from a crosstable or a tournament.

    Give RUN or one of --wdl, --penta and --crosstable. Intervals are 95 %; a rating's error is half the width of one.
    """
    if sum(option is not None for option in (run, wdl, penta, crosstable)) != 1:
        raise InputError("expected exactly one of RUN, --wdl, --penta and --crosstable")
    if run is None and (player or trinomial):
        raise InputError("--player and --trinomial need RUN")
    if crosstable is None and (prior or anchor):
        raise InputError("--prior and --anchor need --crosstable")
    test = _Test(sprt, model, alpha, beta)
    if run is not None:
        _stored(run, player or [], trinomial, test, json_output)
    elif crosstable is not None:
        if sprt is not None:
            raise InputError("--sprt needs --wdl or --penta, not --crosstable")
        _rate(crosstable, prior, anchor or [], json_output)
    elif wdl is not None:
        won, drawn, lost = (_whole(text, "--wdl", "W,D,L") for text in _split(wdl, 3, "--wdl", "W,D,L"))
        _judge((lost, drawn, won), test, json_output)
    else:
        five = "five counts LL,LD,WL+DD,WD,WW"
        _judge([_whole(text, "--penta", five) for text in _split(penta or "", 5, "--penta", five)], test, json_output)


def _judge(counts: Sequence[int], test: _Test, json_output: bool) -> None:
    """The verdict on counts: (lost, drawn, won) of games, or five of pairs."""
    summary = trinomial(counts[2], counts[1], counts[0]) if len(counts) == 3 else pentanomial(counts)
    names = ("A", "B")
    _show(counts, names, summary, judge(names, summary), test, json_output)


def _show(
    counts: Sequence[int], names: tuple[str, str], summary: Summary, verdict: Verdict, test: _Test, json_output: bool
) -> None:
    state = test.state(counts)
    if json_output:
        print_json(
            {name: getattr(summary, name) for name in ("elo", "elo_error", "nelo", "nelo_error", "los")}
            | {name: getattr(summary, name) for name in ("elo_low", "elo_high", "p_value")}
            | {"outcome": verdict.outcome, "verdict": verdict.text}
            | {name: getattr(state, name, None) for name in ("llr", "lower", "upper", "state")}
        )
        return
    rows = [*_rows(summary, names), *_test_rows(state, test)]
    typer.echo(str(TextTable(("", ""), tuple(rows), (verdict.text,))))


def _stored(run: Path, players: list[str], trinomial: bool, test: _Test, json_output: bool) -> None:
    """The same for the games of a run folder."""
    event = calls.read_event(run)
    names = ", ".join(event.names)
    if not players and len(event.names) > 2:
        if test.text is not None:
            raise InputError(f"--sprt compares two players: give --player twice, from {names}")
        table = calls.read_tournament(run).standings
        if table.unrated:
            raise InputError(f"{run}: {table.unrated}")
        comparisons = [one.to_json() for one in table.comparisons]
        _show_ratings(table.ratings, "the mean is 0", {"comparisons": comparisons} if json_output else None)
        return
    if players and (len(players) != 2 or players[0] == players[1] or not set(players) <= set(event.names)):
        raise InputError(f"give --player twice, with two different players of {names}")
    first, second = players or event.names
    meeting = event.counted().meeting(first, second)
    counts = meeting.all.game_counts if trinomial else meeting.all.pair_counts
    summary, verdict = calls.judge_meeting(meeting, single=trinomial)
    _show(counts, (first, second), summary, verdict, test, json_output)


def _rate(path: Path, prior: float, anchors: list[str], json_output: bool) -> None:
    fixed = {}
    for text in anchors:
        name, _, elo = text.rpartition("=")
        fixed[name] = _real(elo, "--anchor", "NAME=ELO")
    pairings = calls.read_crosstable(path)
    try:
        rows = calls.bradley_terry(pairings, anchors=fixed, prior=prior).table()
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    _show_ratings(rows, "the anchors are fixed" if fixed else "the mean is 0", {} if json_output else None)


def _show_ratings(rows: Sequence[calls.Rating], zero: str, more: dict[str, object] | None) -> None:
    """The ratings as a table, or in one JSON document with ``more``."""
    if more is not None:
        print_json({"ratings": [asdict(row) for row in rows], **more})
        return
    cells = tuple((row.name, f"{row.elo:8.2f}", f"{row.error:7.2f}") for row in rows)
    sentence = f"Bradley–Terry by maximum likelihood; errors are 95 %; {zero}"
    typer.echo(str(TextTable(("player", "     Elo", "± 95 %"), cells, (sentence,))))


def _rows(summary: Summary, names: tuple[str, str]) -> list[tuple[str, str]]:
    kind, how = ("pentanomial", "by pairs") if summary.pairs else ("trinomial", "exact binomial, draws left out")
    return [
        ("games", f"{summary.games} ({kind})"),
        (f"score of {names[0]}", f"{100 * summary.score:.2f} %"),
        (f"Elo of {names[0]} over {names[1]}", summary.elo_text(2)),
        ("normalized Elo", f"{summary.nelo:+.2f} ± {summary.nelo_error:.2f}"),
        ("likelihood of superiority", f"{100 * summary.los:.2f} %"),
        ("p-value, two-sided", f"{summary.p_text.removeprefix('p ')} ({how})"),
    ]


def _test_rows(state: Sprt | None, test: _Test) -> list[tuple[str, str]]:

    if state is None:
        return []
    early = state.state == "running" and not state.lower < state.llr < state.upper
    text = f"{state.state} (at least {MINIMUM_PAIRS} pairs)" if early else state.state
    where = f"LLR {state.llr:.4f}, bounds {state.lower:.4f} and {state.upper:.4f}: {text}"
    return [(f"SPRT {test.text}, {test.model}", where)]


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
