"""What the verbs share: options, tables on standard output, JSON, progress and messages on standard error."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from evalsmith.run.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from evalsmith.games import Game, Position
    from evalsmith.games.board import Board
    from evalsmith.weights import Weights

MOST_BYTES = 1 << 40  # more is a slip of the finger

GameName: TypeAlias = Annotated[str, typer.Argument(metavar="GAME", help="An installed game; see `evalsmith games`.")]
PositionText: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--position",
        "-p",
        metavar="TEXT",
        rich_help_panel="Position",
        help="The position as the game writes it, or moves from the start. Default: the start.",
    ),
]
RequiredPositionText: TypeAlias = Annotated[
    str,
    typer.Option(
        "--position",
        "-p",
        metavar="TEXT",
        rich_help_panel="Position",
        help="The position as the game writes it, or moves from the start.",
    ),
]
JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]


def _seed(value: int) -> int:
    """A seed is a word of the kernels; a longer one is refused here, and not wherever it is first used."""
    if not -(2**63) <= value < 2**63:
        raise InputError(f"a seed is from -2^63 to 2^63 - 1, not {value}")
    return value


Seed: TypeAlias = Annotated[int, typer.Option("--seed", callback=_seed, help="Random seed.")]
Concurrency: TypeAlias = Annotated[
    int | None, typer.Option("--concurrency", min=1, help="Number of workers. Default: all cores.")
]
Threads: TypeAlias = Annotated[
    int, typer.Option("--threads", min=1, help="Threads of one search; with more than one it does not repeat.")
]
Memory: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="BYTES",
        min=1,
        max=MOST_BYTES,
        help="Bound on the table (or tree) and the work arrays.",
    ),
]
Method: TypeAlias = Annotated[str, typer.Option("--method", help="alphabeta, or mcts (nodes are simulations).")]
DEFAULT_REPLACEMENT = "relevance"
Replacement: TypeAlias = Annotated[
    str, typer.Option("--replacement", help="Which table entry gives way: relevance, depth or always.")
]
Without: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--without", metavar="TECHNIQUE", help="Leave a technique of alpha-beta out, such as lmr. Repeatable."
    ),
]
WEIGHTS_HELP = "A weights file, hand-set, fitted, self, cof:FOLDER (NTest's tables) or slices:FOLDER."
WeightsText: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--weights", "-w", metavar="WEIGHTS", rich_help_panel="Position", help=f"{WEIGHTS_HELP} Default: self."
    ),
]
WeightsArgument: TypeAlias = Annotated[str, typer.Argument(metavar="WEIGHTS", help=WEIGHTS_HELP)]
WeightsGame: TypeAlias = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="Whose weights, where a name such as hand-set does not say it."),
]


def load_game(name: str) -> Game:
    """The game of that name; says what is compiled from here on."""
    from evalsmith.games import find_game

    game = find_game(name)
    announce_compiling()
    return game


def load_board(game_name: str, position_text: str | None) -> Board:
    """A board at the position a user gave, or at the start."""
    from evalsmith.games.board import Board

    return Board(load_game(game_name), position_text)


def announce_compiling() -> None:
    """Say on standard error when kernels are compiled: once as a line, on a terminal with each one's name."""
    from evalsmith import compile as kernels

    said = False

    def say(name: str) -> None:
        nonlocal said
        if sys.stderr is None:
            return
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[2Kcompiling {name} (first use; kept for later)\r")
        elif not said:
            sys.stderr.write("compiling kernels (first use; kept for later)\n")
        sys.stderr.flush()
        said = True

    kernels.listen(say)


def read_weights(text: str, game_name: str | None) -> Weights:
    """The weights a user named for a verb that is about no game; ``game_name`` is what --game says."""
    from evalsmith.games import find_game
    from evalsmith.run.errors import InputError
    from evalsmith.weights import NAMES, load_weights

    if text in NAMES and game_name is None:
        raise InputError(f"{text} weights of which game? --game says it")
    return load_weights(text, None if game_name is None else find_game(game_name))


def read_position(game: Game, text: str | None) -> Position:
    """The position a user gave, or the start."""
    return game.start() if text is None else game.parse(text)


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(document, ensure_ascii=False))


def open_console(**options: Any) -> Console:
    """Standard output for tables; a reader who has gone is an error as with plain text, not an exit code of rich's."""
    from rich.console import Console

    class _Console(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            raise BrokenPipeError

    return _Console(**options)


def print_table(table: Table, *sentences: str) -> None:
    """A table on standard output, and plain sentences below it."""
    console = open_console()
    console.print(table)
    for sentence in sentences:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)


def print_result(result: Any, json_output: bool) -> None:
    """A result as its text, or as one JSON document, with its run folder where it has one."""
    if json_output:
        run = {"run": str(result.run)} if hasattr(result, "run") else {}
        print_json({**result.to_json(), **run})
    else:
        typer.echo(str(result))


def say(text: str) -> None:
    """A message on standard error."""
    typer.echo(text, err=True)
