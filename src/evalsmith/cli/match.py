"""``evalsmith match``: two players, pairs of games, and what may be concluded."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalsmith.cli.output import Concurrency, GameName, JsonFlag, Seed, load_game, print_json, print_table

if TYPE_CHECKING:
    from evalsmith.arena import MatchResult
    from evalsmith.games import Game


def match(
    game_name: GameName,
    player: Annotated[
        list[str], typer.Option("--player", help="self, weights:FILE or random, with ;key=value options. Twice.")
    ],
    games: Annotated[int, typer.Option("--games", help="How many games, in pairs with sides swapped.")] = 200,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Search effort a move (1000 if no limit is given).")
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Search depth a move.")] = None,
    movetime: Annotated[float | None, typer.Option("--movetime", help="Seconds a move.")] = None,
    random_plies: Annotated[int, typer.Option("--random-plies", help="Random plies of the openings.")] = 8,
    sprt: Annotated[
        str | None, typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop when this test has decided.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="RUN", help="The run folder; named by the settings if left out."),
    ] = None,
    seed: Seed = 1,
    concurrency: Concurrency = None,
    json_output: JsonFlag = False,
) -> None:
    """Play a match of paired games, and say what it proves."""
    from evalsmith.arena import MatchConfig, parse_sprt, play_match
    from evalsmith.players import parse_player
    from evalsmith.run import Bar, InputError, RunFolder, to_toml
    from evalsmith.search import Limit

    if len(player) != 2:
        raise InputError(f"a match needs --player twice, not {len(player)} times")
    if nodes is None and depth is None and movetime is None:
        nodes = 1000
    game = load_game(game_name)
    limit = Limit(depth=depth, nodes=nodes, seconds=movetime)
    players = (parse_player(player[0], game), parse_player(player[1], game))
    config = MatchConfig(games, limit, random_plies, seed, parse_sprt(sprt) if sprt else None)
    stored: dict[str, Any] = {
        "kind": "match",
        "game": game.name,
        "rules_version": game.rules_version,
        "players": player,
        "names": [one.name for one in players],
        "games": games,
        "nodes": nodes,
        "depth": depth,
        "movetime": movetime,
        "random_plies": random_plies,
        "sprt": sprt,
        "seed": seed,
        "weights": [_digest(text) for text in player],
    }
    name = hashlib.blake2b(to_toml(stored).encode(), digest_size=4).hexdigest()
    folder = output or Path("runs") / f"match-{game.name}-{name}"
    with RunFolder(folder, stored) as run, Bar("match", 2 * config.pairs, "games") as bar:
        result = play_match(game, players, config, run, concurrency=concurrency, progress=bar)
    if json_output:
        print_json({**result.to_json(), "run": str(folder)})
        return
    _show(game, result, folder)


def _digest(player: str) -> str:
    """A hash of the weights a player brings, so that a run is never continued with others."""
    kind, _, rest = player.partition(":")
    path = Path(rest.split(";")[0])
    if kind != "weights" or not path.is_file():
        return "none"
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()


def _show(game: Game, result: MatchResult, folder: Path) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("player", "points", "won", "tied", "lost", "fail", "time avg", "time max")
    for column in table.columns[1:]:
        column.justify = "right"
    for score in result.players:
        table.add_row(
            escape(score.name), f"{score.points:g}", *(str(n) for n in (score.won, score.tied, score.lost, score.fail)),
            f"{score.time_avg:.3f} s", f"{score.time_max:.3f} s",
        )  # fmt: skip
    summary = result.summary
    lines = [
        f"pairs LL LD WL+DD WD WW: {' '.join(map(str, result.counts))}",
        f"Elo {summary.elo:+.1f} ± {summary.elo_error:.1f} (95 %), "
        f"normalized {summary.nelo:+.1f} ± {summary.nelo_error:.1f}, "
        f"LOS {100 * summary.los:.1f} %, p {result.p_value:.2g}",
    ]
    if game.win == 0:
        lines.append(
            f"mean margin {result.margin / 100:+.2f} ± {result.margin_error / 100:.2f} {game.whole_unit} a game"
        )
    if result.sprt is not None:
        test = result.sprt
        lines.append(f"SPRT LLR {test.llr:.2f} of {test.lower:.2f} … {test.upper:.2f}: {test.state}")
    print_table(table, *lines, result.verdict(), f"games in {folder}")
