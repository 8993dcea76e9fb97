"""``evalsmith doctor``: the environment, the kernel cache, the engines at hand; ``--warm`` compiles everything."""

from __future__ import annotations

import importlib
import pkgutil
import platform
import shutil
import sys
import time
from importlib import metadata
from typing import Annotated

import typer

from evalsmith import compile as kernels
from evalsmith.cli.common.output import JsonFlag, print_json, print_table, say
from evalsmith.games import Game, find_game, game_names
from evalsmith.processes.cgroup import describe
from evalsmith.scale import cores
from evalsmith.version import __version__

ENGINES = ("stockfish", "ethereal-chess", "glaurung", "toga2", "gnuchess", "fairy-stockfish", "gpsusi", "gtp-rhino")
_PLACES = "/usr/games:/usr/local/games"


def doctor(
    warm: Annotated[bool, typer.Option("--warm", help="Compile the kernels of every game now.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Show what is installed: versions, cores, the kernel cache, outside engines."""
    from rich.table import Table

    compiled = _warm() if warm else None
    root = kernels.cache_root()
    cached = sum(file.stat().st_size for file in root.rglob("*") if file.is_file()) if root.exists() else 0
    engines = {name: shutil.which(name) or shutil.which(name, path=_PLACES) for name in ENGINES}
    memory_limits = describe()
    document = {
        "evalsmith": __version__,
        "python": platform.python_version(),
        "packages": {name: metadata.version(name) for name in ("numba", "numpy", "scipy", "pyarrow")},
        "cores": cores(),
        "compiled": kernels.COMPILED,
        "cache": str(root),
        "cache_bytes": cached,
        "games": game_names(),
        "engines": engines,
        "memory_limits": memory_limits,
        "warmed": compiled,
    }
    if json_output:
        print_json(document)
        return
    table = Table(show_header=False)
    table.add_row("evalsmith", __version__)
    table.add_row("python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    table.add_row(
        "packages", ", ".join(f"{name} {metadata.version(name)}" for name in ("numba", "numpy", "scipy", "pyarrow"))
    )
    table.add_row("cores", str(cores()))
    table.add_row("kernels", "compiled" if kernels.COMPILED else "plain Python (EVALSMITH_COMPILE=0)")
    table.add_row("kernel cache", f"{root}, {cached / 1e6:.1f} MB")
    table.add_row("games", ", ".join(game_names()))
    for name, place in engines.items():
        table.add_row(name, place or "not found")
    table.add_row("memory limits", memory_limits)
    if compiled is not None:
        table.add_row("warmed", f"{compiled['functions']} functions compiled in {compiled['seconds']} s")
    print_table(table)


def _warm() -> dict[str, float]:
    """Load the kernels of every room and game, naming each function that has to be compiled."""
    began, count = time.perf_counter(), 0

    def name_it(name: str) -> None:
        nonlocal count
        count += 1
        say(f"compiling {name}")

    kernels.listen(name_it)
    for room in ("games", "search", "weights", "records", "positions", "arena", "fit"):
        package = importlib.import_module(f"evalsmith.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for name in game_names():
        game = find_game(name)
        game.context(evaluation=True)
        for hook in game.hooks:
            made = game.hook(hook)
            if isinstance(made, Game):  # the same game with other terms
                made.context(evaluation=True)
    kernels.load(*(entry for entry in kernels.KERNELS if entry.kind != "helper"))
    sys.stderr.flush()
    return {"functions": count, "seconds": round(time.perf_counter() - began, 2)}
