"""What the verbs share: options, tables on standard output, JSON, progress and messages on standard error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from evalsmith.run.errors import InputError
from evalsmith.run.settings import entries
from evalsmith.scale.place import PlaceSettings, enter_place

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


[ON] = entries(PlaceSettings)

MAX_BYTES = 1 << 40  # more is a slip of the finger

GameName: TypeAlias = Annotated[str, typer.Argument(metavar="GAME", help="An installed game; see `evalsmith games`.")]
PositionText: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--position",
        "-p",
        metavar="TEXT",
        rich_help_panel="Position",
        help="The position in the game's notation, or moves from the start. Default: the start position.",
    ),
]
RequiredPositionText: TypeAlias = Annotated[
    str,
    typer.Option(
        "--position",
        "-p",
        metavar="TEXT",
        rich_help_panel="Position",
        help="The position in the game's notation, or moves from the start.",
    ),
]
JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]


def _seed(value: int) -> int:
    """A seed is a word of the kernels; a longer one is refused here, and not wherever it is first used."""
    if not -(2**63) <= value < 2**63:
        raise InputError(f"the seed must be from -2^63 to 2^63 - 1, not {value}")
    return value


Seed: TypeAlias = Annotated[int, typer.Option("--seed", callback=_seed, help="Random seed.")]
Concurrency: TypeAlias = Annotated[
    int | None, typer.Option("--concurrency", min=1, help="Number of workers. Default: all cores.")
]


def _enter(context: typer.Context, where: str | None) -> str | None:
    """Have the work of this command run where the user says."""
    if where is not None and not context.resilient_parsing:
        context.call_on_close(enter_place(where))
    return where


On: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--on", metavar=ON.declared.metavar, callback=_enter, rich_help_panel=ON.declared.group, help=ON.declared.help
    ),
]
Threads: TypeAlias = Annotated[
    int, typer.Option("--threads", min=1, help="Threads per search. With more than one, results vary between runs.")
]
Memory: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="BYTES",
        min=1,
        max=MAX_BYTES,
        help="Memory limit for the table or tree and the work arrays.",
    ),
]
Method: TypeAlias = Annotated[
    str, typer.Option("--method", help="The search algorithm: alphabeta, or mcts, where a node is a simulation.")
]
DEFAULT_REPLACEMENT = "relevance"
Replacement: TypeAlias = Annotated[
    str, typer.Option("--replacement", help="How to choose the table entry to replace: relevance, depth or always.")
]
Without: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--without", metavar="TECHNIQUE", help="An alpha-beta technique to turn off, such as lmr. Repeatable."
    ),
]
WEIGHTS_HELP = "A weights file, hand-set, zero, fitted, self, cof:FOLDER (NTest's tables) or slices:FOLDER."
WeightsText: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--weights", "-w", metavar="WEIGHTS", rich_help_panel="Position", help=f"{WEIGHTS_HELP} Default: self."
    ),
]
WeightsArgument: TypeAlias = Annotated[str, typer.Argument(metavar="WEIGHTS", help=WEIGHTS_HELP)]
WeightsGame: TypeAlias = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game, for a name such as hand-set that does not imply it."),
]


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
