"""``evalsmith placements``: whose openings were better, by referees that finish the games."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalsmith.cli import arena_options as options
from evalsmith.cli.output import Concurrency, JsonFlag, Seed, announce_compiling, print_json, print_table

if TYPE_CHECKING:
    from evalsmith.arena.play.placement_table import PlacementTable
    from evalsmith.games import Game


def placements(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGS…", help="Run folders of events, or files of games.")],
    ply: Annotated[int, typer.Option("--ply", help="Cut each game after so many plies.")],
    referee: Annotated[list[str], typer.Option("--referee", help="A player that finishes the games; repeatable.")],
    times: Annotated[int, typer.Option("--times", help="How often each game is finished.")] = 10,
    tc: options.Tc = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    movetime: options.Movetime = None,
    budget: options.Budget = None,
    output: options.Output = None,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Cut games after --ply, let referees finish them, and say whose part was better (1000 nodes if no limit)."""
    from evalsmith.arena.events.config import digest, make_limit
    from evalsmith.arena.play.placement_table import placement_table
    from evalsmith.arena.play.placements import finish_all, read_placements
    from evalsmith.players import parse_player
    from evalsmith.run import Bar, RunFolder, to_toml

    announce_compiling()
    if all(one is None for one in (tc, nodes, depth, movetime, budget)):
        nodes = 1000
    limit = make_limit(tc=tc, nodes=nodes, depth=depth, movetime=movetime, budget=budget)
    game, cut, short = read_placements(logs, ply)
    referees = [parse_player(text, game) for text in referee]
    content = hashlib.blake2b(repr(cut).encode(), digest_size=8).hexdigest()
    stored = {
        "kind": "placements",
        "game": game.name,
        "rules_version": game.rules_version,
        "logs": [str(path) for path in logs],
        "content": content,
        "ply": ply,
        "referees": referee,
        "files": [digest(one) for one in referees],
        "limit": str(limit),
        "seed": seed,
    }
    name = hashlib.blake2b(to_toml(stored).encode(), digest_size=4).hexdigest()
    folder = output or Path("runs") / f"placements-{game.name}-{name}"
    total = len(cut) * len(referees) * times
    with RunFolder(folder, stored) as run, Bar("placements", total, "games") as bar:
        done = finish_all(game, cut, referees, limit, times, seed, run.path, concurrency=concurrency, progress=bar)
    table = placement_table(cut, [one for one in done if one.time < times])
    if json_output:
        print_json({"game": game.name, "ply": ply, **table.to_json(), "skipped": short, "run": str(folder)})
        return
    _show(game, table, ply, short)


def _show(game: Game, table: PlacementTable, ply: int, short: int) -> None:
    from rich.markup import escape
    from rich.table import Table

    shown = Table("player", "referee", "placements", "better", "level", "worse", "share", f"margin ({game.whole_unit})")
    for column in shown.columns[2:]:
        column.justify = "right"
    for row in table.rows:
        shown.add_row(
            escape(row.name), escape(row.referee), *(str(n) for n in (row.placements, row.won, row.tied, row.lost)),
            f"{100 * row.share:.1f} ± {100 * row.share_error:.1f} %",
            f"{row.margin / 100:+.2f} ± {row.margin_error / 100:.2f}" if game.win == 0 else "–",
        )  # fmt: skip
    lines = [f"games cut after {ply} plies, each finished {table.times} times; {short} were too short"]
    for referee, groups in table.groups.items():
        told = "; ".join(" = ".join(group) for group in groups)
        lines.append(f"by {referee}, the best first, = for those who cannot be told apart: {told}")
    lines += [
        f"{one.first} and {one.second} prefer the same side in {100 * one.same:.0f} % of the placements"
        + ("" if one.correlation is None else f"; their margins correlate by {one.correlation:.2f}")
        for one in table.agreement
    ]
    print_table(shown, *lines)
