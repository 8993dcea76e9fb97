"""``evalsmith data import``: a dataset from files of games and lists of positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from evalsmith.cli.data.options import Output, Tally, TextFlag, print_counts
from evalsmith.cli.output import JsonFlag, Seed, announce_compiling, print_json, say

SHOWN_FAULTS = 10


def import_(
    files: Annotated[list[Path], typer.Argument(help="Files of games or of positions, or folders of them.")],
    output: Output,
    game_name: Annotated[str | None, typer.Option("--game", help="The game, where the files do not tell.")] = None,
    format_name: Annotated[
        str | None, typer.Option("--format", help="The format of the files, where they do not tell.")
    ] = None,
    select: Annotated[
        Path | None, typer.Option("--select", metavar="TOML", help=r"A file with a table \[select]; flags come on top.")
    ] = None,
    min_rating: Annotated[int | None, typer.Option("--min-rating", help="Both players have at least this.")] = None,
    max_rating: Annotated[int | None, typer.Option("--max-rating", help="Both players have at most this.")] = None,
    min_plies: Annotated[int | None, typer.Option("--min-plies", help="Games have at least so many plies.")] = None,
    max_plies: Annotated[int | None, typer.Option("--max-plies", help="Games have at most so many plies.")] = None,
    min_seconds: Annotated[
        float | None, typer.Option("--min-seconds", help="The time control gives at least this for 40 moves.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option("--max-seconds", help="The time control gives at most this for 40 moves.")
    ] = None,
    unknown_results: Annotated[
        bool, typer.Option("--unknown-results", help="Take games without a result too.")
    ] = False,
    skip_first: Annotated[int | None, typer.Option("--skip-first", help="Opening plies left out.")] = None,
    skip_last: Annotated[int | None, typer.Option("--skip-last", help="Closing plies left out.")] = None,
    no_check: Annotated[bool, typer.Option("--no-check", help="No positions in check.")] = False,
    quiet: Annotated[
        str | None,
        typer.Option(
            "--quiet", metavar="N|line", help="So many quiet plies before, and no check; or the quiescence line's end."
        ),
    ] = None,
    per_game: Annotated[int | None, typer.Option("--per-game", help="At most so many positions a game.")] = None,
    per_stage: Annotated[int | None, typer.Option("--per-stage", help="At most so many positions a stage.")] = None,
    dedup: Annotated[bool, typer.Option("--dedup", help="Take a position only once in the dataset.")] = False,
    symmetry: Annotated[
        bool, typer.Option("--symmetry", help="Take one for all images of a position under the game's symmetries.")
    ] = False,
    append: Annotated[
        bool, typer.Option("--append", help="Put the positions behind those of a dataset that is there.")
    ] = False,
    moves: Annotated[bool, typer.Option("--moves/--no-moves", help="Keep the move played in each position.")] = True,
    anew: Annotated[
        bool, typer.Option("--anew", help="Delete what an import with other arguments left there, and begin anew.")
    ] = False,
    text: TextFlag = False,
    seed: Seed = 1,
    json_output: JsonFlag = False,
) -> None:
    """Read files of played games or of positions into a dataset, and count what is turned away by its reason.

    Killed work goes on behind its last part with the same command.
    """
    from evalsmith.games import find_game
    from evalsmith.positions import Selection, import_records
    from evalsmith.positions.importing.appending import append_records
    from evalsmith.positions.selection.selection import parse_quiet, read_selection

    flags: dict[str, Any] = {
        "min_rating": min_rating, "max_rating": max_rating, "min_plies": min_plies, "max_plies": max_plies,
        "min_seconds": min_seconds, "max_seconds": max_seconds, "unknown_results": unknown_results or None,
        "skip_first": skip_first, "skip_last": skip_last, "no_check": no_check or None, "quiet": parse_quiet(quiet),
        "per_game": per_game, "per_stage": per_stage, "dedup": dedup or None, "symmetry": symmetry or None,
        "seed": seed if seed != 1 else None,
    }  # fmt: skip
    chosen = read_selection(select) if select is not None else Selection()
    chosen = replace(chosen, **{name: value for name, value in flags.items() if value is not None})
    game = find_game(game_name) if game_name else None
    announce_compiling()
    with Tally("importing", "games") as bar:
        if append:
            imported = append_records(
                files, output, selection=chosen, moves=moves, format=format_name, anew=anew, progress=bar
            )
        else:
            imported = import_records(
                files, output, game=game, selection=chosen, text=text, moves=moves, format=format_name, anew=anew,
                progress=bar,
            )  # fmt: skip
    for fault in imported.faults[:SHOWN_FAULTS]:
        say(fault)
    if len(imported.faults) > SHOWN_FAULTS:
        say(f"… and more; the first {len(imported.faults)} are in {output / 'import.json'}")
    if json_output:
        print_json(imported.to_json())
        return
    told = imported.to_json()
    rows = [("games", imported.games), ("positions", imported.positions)]
    for name in ("rejected_games", "rejected_positions"):
        rows += [(f"rejected: {reason}", n) for reason, n in sorted(told[name].items(), key=lambda item: -item[1])]
    rows += [(f"warning: {remark}", n) for remark, n in imported.warnings.items()]
    print_counts(rows)
