"""``evalsmith doctor``: the environment, the kernel cache, the engines at hand; ``--warm`` compiles everything."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import platform
import shutil
import sys
import time
from importlib import metadata
from typing import Annotated

import typer

import evalsmith as es
from evalsmith.cli.common import calls
from evalsmith.cli.common.output import JsonFlag, print_json, print_table, say
from evalsmith.processes.cgroup import describe
from evalsmith.run.errors import MissingPackage
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
    root = calls.cache_root()
    cached = sum(file.stat().st_size for file in root.rglob("*") if file.is_file()) if root.exists() else 0
    engines = {name: shutil.which(name) or shutil.which(name, path=_PLACES) for name in ENGINES}
    memory_limits = describe()
    document = {
        "evalsmith": __version__,
        "python": platform.python_version(),
        "packages": {name: metadata.version(name) for name in ("numba", "numpy", "scipy", "pyarrow")},
        "cores": cores(),
        "compiled": calls.COMPILED,
        "cache": str(root),
        "cache_bytes": cached,
        "games": es.game_names(),
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
    table.add_row("kernels", "compiled" if calls.COMPILED else "plain Python (EVALSMITH_COMPILE=0)")
    table.add_row("kernel cache", f"{root}, {cached / 1e6:.1f} MB")
    table.add_row("games", ", ".join(es.game_names()))
    for name, place in engines.items():
        table.add_row(name, place or "not found")
    table.add_row("memory limits", memory_limits)
    if compiled is not None:
        table.add_row("warmed", f"{compiled['functions']} functions compiled in {compiled['seconds']} s")
    print_table(table)


def import_everything() -> None:
    """Import every module of the package, so that all of its kernels are registered, whatever the rooms are called.

    What needs an optional package that is not installed has no kernels, and is left out.
    """
    for module in pkgutil.walk_packages(es.__path__, f"{es.__name__}."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(MissingPackage):
                importlib.import_module(module.name)


def _warm() -> dict[str, float]:
    """Load the kernels of every module and game, naming each function that has to be compiled."""
    began, count = time.perf_counter(), 0

    def name_it(name: str) -> None:
        nonlocal count
        count += 1
        say(f"compiling {name}")

    calls.listen(name_it)
    import_everything()
    for name in es.game_names():
        game = es.find_game(name)
        game.context(evaluation=True)
        for hook in game.hooks:
            made = game.hook(hook)
            if isinstance(made, es.Game):  # the same game with other terms
                made.context(evaluation=True)
    if calls.COMPILED:
        calls.load_kernels(*(entry for entry in calls.KERNELS if entry.kind != "helper"))
    sys.stderr.flush()
    return {"functions": count, "seconds": round(time.perf_counter() - began, 2)}
