"""``evalsmith solve``: the exact score of a position, for games that have a solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalsmith.cli.output import WEIGHTS_HELP, GameName, JsonFlag, load_game, print_json, print_table, say

if TYPE_CHECKING:
    from evalsmith.games import Game, Position


def solve(
    game_name: GameName,
    position_text: Annotated[
        str, typer.Option("--position", "-p", metavar="TEXT", help="The game's own position text.")
    ],
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            "-w",
            metavar="WEIGHTS",
            help=f"Orders the moves; the score does not depend on it. {WEIGHTS_HELP} Or none, a lighter evaluation; "
            "if left out, fitted where there are such.",
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Give up after so many positions.")] = None,
    movetime: Annotated[float | None, typer.Option("--movetime", help="Give up after so many seconds.")] = None,
    memory: Annotated[
        int | None, typer.Option("--memory", metavar="BYTES", help="Bytes for the solver's table; 64 MiB if left out.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Solve a position: its exact score for the side to move, and a line of best moves to the end.

    Where a limit is reached first, it says between which scores the exact one lies, and the exit code is 1.
    """
    from evalsmith.games import find_game, game_names
    from evalsmith.run import InputError
    from evalsmith.weights import find_weights, fitted_weights

    game = load_game(game_name)
    solver = game.hook("solve")
    if solver is None:
        able = ", ".join(name for name in game_names() if "solve" in find_game(name).hooks) or "none"
        raise InputError(f"{game.title} has no solver; games that have one: {able}")
    position = game.parse(position_text)
    options: dict[str, Any] = {"nodes": nodes, "seconds": movetime, "watch": _tell(game)}
    chosen = fitted_weights(game) if weights is None else None if weights == "none" else find_weights(weights, game)
    if chosen is not None:
        options |= {"weights": chosen.engine_row, "terms": chosen.game.terms_module}
    if memory is not None:
        options["table_bytes"] = memory
    solution = solver(position, **options)
    names = _names(game, position, solution.line)
    if json_output:
        print_json(
            {
                "score": solution.score,
                "unit": game.unit,
                "bestmove": names[0] if names else None,
                "pv": names,
                "nodes": solution.nodes,
                "seconds": round(solution.seconds, 6),
                "solved": solution.solved,
                "lower": solution.lower,
                "upper": solution.upper,
            }
        )
    else:
        _print(game, solution, names)
    if not solution.solved:
        raise typer.Exit(1)


def _print(game: Game, solution: Any, names: list[str]) -> None:
    """The answer for a person."""
    from rich.table import Table

    rate = solution.nodes / max(solution.seconds, 1e-9)
    cost = f"{solution.nodes:,} nodes in {solution.seconds:.2f} s ({rate / 1e6:.2f} million/s)"
    if not solution.solved:
        typer.echo(f"not solved: the score {_between(game, solution)}")
        typer.echo(cost)
        return
    table = Table("move", f"score ({game.units})", "line")
    table.columns[1].justify = "right"
    table.add_row(names[0] if names else "the game is over", f"{solution.score:+d}", " ".join(names))
    print_table(table, cost)


def _between(game: Game, found: Any) -> str:
    """What is known of a score."""
    if found.lower == found.upper:
        return f"is {found.lower:+d} {game.units}, the best moves are not known"
    return f"lies from {found.lower:+d} to {found.upper:+d} {game.units}"


def _names(game: Game, position: Position, line: tuple[int, ...]) -> list[str]:
    """The moves of a line as text."""
    names, here = [], position
    for move in line:
        names.append(game.format_move(here, move))
        here = game.play_unchecked(here, move)
    return names


def _tell(game: Game) -> Any:
    """Says on standard error how far the solver is."""

    def tell(progress: Any) -> None:
        rate = progress.nodes / max(progress.seconds, 1e-9)
        say(f"{progress.nodes:,} nodes, {rate / 1e6:.1f} million/s, the score {_between(game, progress)}")

    return tell
