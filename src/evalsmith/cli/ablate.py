"""``evalsmith ablate``: which sources, filters and terms of a fit earn their place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from evalsmith.cli.common import calls
from evalsmith.cli.common.inputs import announce_compiling
from evalsmith.cli.common.options import takes
from evalsmith.cli.common.output import Concurrency, JsonFlag, On, print_result, say
from evalsmith.fit.settings import TuneSettings
from evalsmith.run.watching import bars


@takes(TuneSettings, without=("prove",))
def ablate(
    given: dict[str, Any],
    sources: Annotated[
        list[Path], typer.Argument(metavar="CONFIG.toml|DATASET|FILES…", help="What 'evalsmith tune' is given.")
    ],
    drop: Annotated[str, typer.Option("--drop", metavar="group|source|filter", help="What to leave out.")] = "group",
    prove: Annotated[bool, typer.Option("--prove", help="Also play each fit against the complete one.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RUN", help="The run folder. Default: NAME.DROP-ablation.")
    ] = None,
    concurrency: Concurrency = None,
    on: On = None,
    json_output: JsonFlag = False,
) -> None:
    """Refit without each source, filter or group of terms, and compare the losses on held-out games."""
    announce_compiling()
    result = calls.ablate(
        sources,
        output or sources[0].with_suffix(f".{drop}-ablation"),
        drop=drop,
        prove=prove,
        concurrency=concurrency,
        progress=bars,
        say=say,
        **given,
    )
    print_result(result, json_output)
