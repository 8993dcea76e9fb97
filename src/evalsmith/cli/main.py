"""The command ``evalsmith``: its verbs, and what an error looks like to a user.

Exit codes: 0 done, 1 the answer is "no", 2 bad input or usage, 130 interrupted. Verbs import what they need when they
run, so that help comes at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import typer

from evalsmith.cli import start_interruptible
from evalsmith.cli.bench import bench
from evalsmith.cli.check_engine import check_engine
from evalsmith.cli.data import data_app
from evalsmith.cli.demo import demo
from evalsmith.cli.doctor import doctor
from evalsmith.cli.engine import engine
from evalsmith.cli.explain import explain
from evalsmith.cli.games import games
from evalsmith.cli.help import VerbApp, VerbGroup
from evalsmith.cli.lockstep import lockstep
from evalsmith.cli.match import match
from evalsmith.cli.perft import perft
from evalsmith.cli.placements import placements
from evalsmith.cli.play import play
from evalsmith.cli.report import report
from evalsmith.cli.search import search
from evalsmith.cli.show import show
from evalsmith.cli.solve import solve
from evalsmith.cli.stats import stats
from evalsmith.cli.tournament import tournament
from evalsmith.cli.tune import tune
from evalsmith.cli.weights import weights_app
from evalsmith.run.errors import EvalsmithError, Interrupted
from evalsmith.version import __version__


class _Unread(Exception):
    """A broken pipe under a name that typer does not know: it would end with exit code 1, which means "no"."""


class Verbs(VerbGroup):
    """The verbs; Ctrl-C and a reader who has gone are dealt with before typer makes something else of them."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line; that nobody reads the answer any more is no failure."""
        try:
            return super().main(*args, **extra)
        except _Unread:
            # Nothing is left to say, not even by the interpreter at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read the words of the command line; ``--version`` answers here."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            raise _Unread from None
        except KeyboardInterrupt:
            raise Interrupted("") from None

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _Unread from None
        except KeyboardInterrupt:
            resumable = ctx.invoked_subcommand in ("data", "tune", "match", "tournament", "placements", "demo")
            raise Interrupted("what was finished is kept; the same command goes on" if resumable else "") from None


app = VerbApp(
    "evalsmith", "Turns played games into a stronger evaluation function, and proves that it is stronger.", cls=Verbs
)

_GROUPS: dict[str, tuple[Callable[..., None] | typer.Typer, ...]] = {
    "Begin here": (demo, games, doctor, play),
    "Look at positions": (show, perft, search, solve, explain, engine, bench),
    "From games to weights": (data_app, tune, weights_app),
    "Proof": (match, tournament, stats, placements, lockstep, check_engine, report),
}
for _title, _verbs in _GROUPS.items():
    for _verb in _verbs:
        if isinstance(_verb, typer.Typer):
            app.add_typer(_verb, rich_help_panel=_title)
        else:
            app.command(rich_help_panel=_title)(_verb)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evalsmith {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Turns played games into a stronger evaluation function, and proves that it is stronger."""


def main() -> None:
    """Run the command line; an error that a user can mend is one line and exit code 2."""
    try:
        start_interruptible()
        app()
    except EvalsmithError as error:
        _fail(str(error), 2)
    except Interrupted as error:
        _fail(f"interrupted: {error.kept}" if error.kept else "interrupted", 130)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except UnicodeEncodeError as error:
        _fail(f"a text holds characters that cannot be written: {error.object[:40]!r}", 2)
    except MemoryError as error:
        _fail(f"there is not enough memory: {error}" if str(error) else "there is not enough memory", 2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror or error}", 2)


def _fail(message: str, code: int) -> None:
    shown = message.encode("utf-8", "backslashreplace").decode()
    if sys.stderr is not None:  # print would take standard output instead, which is for answers
        print(f"evalsmith: {shown}", file=sys.stderr)
    sys.exit(code)
