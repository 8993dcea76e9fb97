"""``evalsmith weights patch``: weights written into a source file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling, read_any_weights
from evalsmith.cli.common.output import WEIGHTS_HELP, JsonFlag, WeightsGame, print_json, say
from evalsmith.run import InputError


def patch(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="A C, C++, Rust, Java or Python file with evalsmith markers.")
    ],
    weights: Annotated[
        str,
        typer.Option(
            "--weights", "-w", metavar="WEIGHTS", help=f"{WEIGHTS_HELP} Also a file of an outside engine's weights."
        ),
    ],
    game: WeightsGame = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print the difference, and write nothing.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if the source has other numbers.")
    ] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Allow weights that have no place in the source.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Write weights into a C, C++, Rust, Java or Python source, between its markers.

    The comments `evalsmith: begin NAME` and `evalsmith: end` mark where the numbers of a feature or group stand. Only
    numbers change, and all of them or none.
    """
    if diff and json_output:
        raise InputError("--diff prints text; --json does not go with it")
    announce_compiling()
    patched = calls.patch_file(source, read_any_weights(weights, game), partial=partial, write=not (diff or check))
    if diff:
        typer.echo(patched.diff(), nl=False)
    if json_output:
        document = {"source": str(source), "numbers": patched.numbers, "changed": patched.changed}
        print_json({**document, "sections": list(patched.sections), "without_place": list(patched.without_place)})
    elif not diff:
        verb = "would change" if check else "changed"
        typer.echo(f"{source}: {patched.changed:,} of {patched.numbers:,} numbers {verb}")
    if patched.without_place:
        say(f"not in {source}: {', '.join(patched.without_place)}")
    if check and not patched.same:
        raise typer.Exit(1)
