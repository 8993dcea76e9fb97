"""The options that events share: limits, openings, and how games are judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalsmith.arena.play.adjudication import Adjudication
    from evalsmith.players import Player
    from evalsmith.search import Limit

Players: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        help="self, weights:W (a file, hand-set, fitted), cof:FOLDER, random, or uci:, usi:, nboard:, gtp:, "
        "codecup:COMMAND, with ;key=value options; or a name in --players. Once a player.",
    ),
]
Roster: TypeAlias = Annotated[
    Path | None, typer.Option("--players", metavar="FILE", help="A TOML file with named players.")
]
Tc: TypeAlias = Annotated[
    str | None, typer.Option("--tc", metavar="2+0.02", help="A clock: BASE+INCREMENT or MOVES/BASE+INCREMENT, in s.")
]
Nodes: TypeAlias = Annotated[int | None, typer.Option("--nodes", help="Search effort a move: games repeat.")]
Depth: TypeAlias = Annotated[int | None, typer.Option("--depth", help="Search depth a move.")]
Movetime: TypeAlias = Annotated[float | None, typer.Option("--movetime", help="Seconds a move.")]
Byoyomi: TypeAlias = Annotated[
    float | None, typer.Option("--byoyomi", help="Seconds a move once the main time is gone.")
]
Budget: TypeAlias = Annotated[float | None, typer.Option("--budget", help="Seconds for a whole game.")]
Margin: TypeAlias = Annotated[
    float | None, typer.Option("--margin", help="Seconds that a move may be late (0.1 if left out).")
]
RandomPlies: TypeAlias = Annotated[int, typer.Option("--random-plies", help="Random plies of the openings.")]
Book: TypeAlias = Annotated[
    Path | None,
    typer.Option("--book", metavar="FILE", help="Openings: a file of games, or positions or moves, one a line."),
]
BookPlies: TypeAlias = Annotated[int | None, typer.Option("--book-plies", help="Use so many plies of each game.")]
Order: TypeAlias = Annotated[str, typer.Option("--order", help="The order of the book: random or sequential.")]
Repeat: TypeAlias = Annotated[bool, typer.Option("--repeat", help="Use openings again where there are too few.")]
Balance: TypeAlias = Annotated[
    int | None,
    typer.Option("--balance", help="Only openings that our search scores within this, in the game's unit."),
]
Draw: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--draw", metavar="SCORE,MOVES,AFTER", help="A draw when both say so for so many moves, after so many plies."
    ),
]
Resign: TypeAlias = Annotated[
    str | None, typer.Option("--resign", metavar="SCORE,MOVES", help="A loss when both say so for so many moves.")
]
MaxPlies: TypeAlias = Annotated[int | None, typer.Option("--max-plies", help="A draw after so many plies.")]
SolveFrom: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--solve-from",
        help="The exact result, from this ply on, as soon as the game's solver finds it in some seconds.",
    ),
]
Replace: TypeAlias = Annotated[
    bool | None,
    typer.Option("--replace-failed/--no-replace-failed", help="Play on with random moves for a failed program."),
]
Pin: TypeAlias = Annotated[
    bool, typer.Option("--pin/--no-pin", help="Keep each game's programs on one core (not for programs with threads).")
]
Save: TypeAlias = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Also write the games in the game's own format (PGN, CSA, GGF, …)."),
]
Output: TypeAlias = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="RUN", help="The run folder; named by the settings if left out."),
]


def warn_of_threads(players: Sequence[Player], limit: Limit) -> None:
    """Say whose games will not be the same again, though a number of nodes was fixed."""
    from evalsmith.cli.output import say

    for player in players:
        if player.threads > 1 and (player.limit or limit).nodes is not None:
            say(f"{player.name}: with several threads a search of so many nodes does not repeat")


def adjudication_of(
    draw: str | None, resign: str | None, max_plies: int | None, solve_from: int | None
) -> Adjudication:
    """The early ends that were asked for."""
    from evalsmith.arena.play.adjudication import Adjudication

    drawn, lost = _whole(draw, "--draw", 3), _whole(resign, "--resign", 2)
    return Adjudication(
        draw_score=drawn[0] if drawn else None,
        **({"draw_moves": drawn[1], "draw_after": drawn[2]} if drawn else {}),
        resign_score=lost[0] if lost else None,
        **({"resign_moves": lost[1]} if lost else {}),
        max_plies=max_plies,
        solve_from=solve_from,
    )


def _whole(text: str | None, option: str, count: int) -> list[int]:
    from evalsmith.run import InputError

    if text is None:
        return []
    parts = text.split(",")
    if len(parts) != count or not all(part.strip().isdecimal() and len(part) < 10 for part in parts):
        raise InputError(f"{option} takes {count} whole numbers with commas between them, not {text!r}")
    return [int(part) for part in parts]
