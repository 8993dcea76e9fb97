"""``evalsmith match``: two players, pairs of games, and what may be concluded."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli import arena_options as options
from evalsmith.cli.output import Concurrency, GameName, JsonFlag, Seed, load_game, print_json, print_table

if TYPE_CHECKING:
    from evalsmith.arena.results.summary import MatchResult
    from evalsmith.games import Game


def match(
    game_name: GameName,
    player: options.Players = None,
    players_file: options.Roster = None,
    games: Annotated[int, typer.Option("--games", help="How many games, in pairs with sides swapped.")] = 200,
    tc: options.Tc = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    movetime: options.Movetime = None,
    byoyomi: options.Byoyomi = None,
    budget: options.Budget = None,
    margin: options.Margin = None,
    random_plies: options.RandomPlies = 8,
    book: options.Book = None,
    book_plies: options.BookPlies = None,
    order: options.Order = "random",
    repeat: options.Repeat = False,
    balance: options.Balance = None,
    draw: options.Draw = None,
    resign: options.Resign = None,
    max_plies: options.MaxPlies = None,
    solve_from: options.SolveFrom = None,
    replace_failed: options.Replace = None,
    sprt: Annotated[
        str | None, typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop when this test has decided.")
    ] = None,
    model: Annotated[str, typer.Option("--model", help="What the Elo of --sprt is: normalized or logistic.")] = (
        "normalized"
    ),
    trinomial: Annotated[
        bool, typer.Option("--trinomial", help="Let --sprt count games one by one, not by pairs.")
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Play nothing: say how many games and hours --elo takes.")
    ] = False,
    elo: Annotated[float, typer.Option("--elo", help="With --plan: the difference to be found.")] = 5.0,
    pin: options.Pin = True,
    output: options.Output = None,
    save: options.Save = None,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Play a match of paired games, and say what it proves. Without a limit the clock is 2+0.02."""
    from evalsmith.arena.events.config import EventConfig, make_limit
    from evalsmith.arena.events.match import MatchConfig, play_match
    from evalsmith.arena.play.openings import OpeningConfig
    from evalsmith.arena.statistics.sequential import parse_sprt
    from evalsmith.players import load_players
    from evalsmith.run import Bar, InputError, RunFolder, to_toml

    limit = make_limit(
        tc=tc, nodes=nodes, depth=depth, movetime=movetime, byoyomi=byoyomi, budget=budget, margin=margin
    )
    if plan:
        _plan(game_name, limit, elo, concurrency, seed, json_output)
        return
    if not player or len(player) != 2:
        raise InputError(f"a match needs --player twice, not {len(player or ())} times")
    if model not in ("normalized", "logistic"):
        raise InputError(f"--model is normalized or logistic, not {model!r}")
    game = load_game(game_name)
    event = EventConfig(
        game.name,
        tuple(player),
        load_players(players_file) if players_file else {},
        format="match",
        games=games,
        limit=limit,
        openings=OpeningConfig(random_plies, book, book_plies, order, repeat, balance),
        adjudication=options.adjudication_of(draw, resign, max_plies, solve_from),
        points="wins",
        replace_failed=bool(replace_failed),
        seed=seed,
    )
    first, second = event.resolved(game)
    options.warn_of_threads((first, second), limit)
    test = (
        parse_sprt(sprt, "logistic" if model == "logistic" else "normalized", counting=_counting(trinomial))
        if sprt
        else None
    )
    config = MatchConfig(games, limit, random_plies, seed, test, event.rules(game), event.openings, pin=pin)
    stored = {**event.stored(game, (first, second), "match"), "sprt": sprt}
    if test is not None:
        stored |= {"model": model, "counting": test.counting}
    if save is not None:
        from evalsmith.arena.results.saving import format_for

        format_for(game, save)
    name = hashlib.blake2b(to_toml(stored).encode(), digest_size=4).hexdigest()
    folder = output or Path("runs") / f"match-{game.name}-{name}"
    with RunFolder(folder, stored) as run, Bar("match", 2 * config.pairs, "games") as bar:
        result = play_match(game, (first, second), config, run, concurrency=concurrency, progress=bar)
    if save is not None:
        from evalsmith.arena.events.tournament import read_tournament
        from evalsmith.arena.results.saving import save_games

        save_games(game, read_tournament(folder)[1], save, "match")
    if json_output:
        print_json({**result.to_json(), "game": game.name, "unit": game.unit, "run": str(folder)})
        return
    _show(game, result, folder)


def _counting(trinomial: bool) -> str:
    return "trinomial" if trinomial else "pentanomial"


def _show(game: Game, result: MatchResult, folder: Path) -> None:
    from evalsmith.cli.arena_tables import score_table, time_lines

    summary = result.summary
    lines = [
        f"pairs LL LD WL+DD WD WW: {' '.join(map(str, result.counts))}",
        f"Elo {summary.elo_text()}{'' if summary.few else ' (95 %)'}, "
        f"normalized {summary.nelo:+.1f}{'' if summary.few else f' ± {summary.nelo_error:.1f}'}, "
        f"LOS {100 * summary.los:.1f} %, p {result.p_value:.2g}",
    ]
    if game.win == 0:
        lines.append(
            f"mean margin {result.margin / 100:+.2f}"
            f"{'' if summary.few else f' ± {result.margin_error / 100:.2f}'} {game.whole_unit} a game"
        )
    if result.sprt is not None:
        test = result.sprt
        lines.append(f"SPRT LLR {test.llr:.2f} of {test.lower:.2f} … {test.upper:.2f}: {test.state}")
    ends = ", ".join(f"{count} {reason}" for reason, count in sorted(result.reasons.items()))
    lines += [f"ends: {ends}", *time_lines(result.times, result.overload)]
    print_table(score_table(result.players), *lines, result.verdict(), f"games in {folder}")


def _plan(game_name: str, limit: object, elo: float, concurrency: int | None, seed: int, json_output: bool) -> None:
    from dataclasses import asdict

    from evalsmith.arena.events.plan import make_plan
    from evalsmith.cli.arena_tables import plan_table
    from evalsmith.scale import cores

    game = load_game(game_name)
    plan = make_plan(game, limit, elo, concurrency or cores(), seed)  # type: ignore[arg-type]
    if json_output:
        print_json(asdict(plan))
        return
    print_table(plan_table(plan), *plan.sentences())
