"""The command ``evalsmith``: its verbs, and what an error looks like to a user.

Exit codes: 0 done, 1 the answer is "no", 2 bad input or usage, 130 interrupted. The
verb that is called is imported, and no other.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from evalsmith.cli import start_interruptible
from evalsmith.cli.common.help import VerbApp, VerbGroup, listed
from evalsmith.run.errors import EvalsmithError, Interrupted
from evalsmith.version import __version__

_GROUPS = {
    "Getting started": {
        "demo": "Self-play, fit, match and report: watch an evaluation become stronger in a few minutes.",
        "games": "List the installed games.",
        "doctor": "Show what is installed: versions, cores, the kernel cache, outside engines.",
        "play": "Play against the engine in the terminal.",
    },
    "Positions": {
        "show": "Show a position: the side to move, the legal moves, and the result if the game is over.",
        "perft": "Count the move sequences of a given length, to verify a move generator.",
        "search": "Search a position for the best moves.",
        "solve": "Solve a position: the exact score for the side to move, and best play to the end.",
        "explain": "Show the evaluation of a position: sums by feature and group for each side, then term by term.",
        "engine": "Run the engine on standard input and output, for graphical interfaces and match runners.",
        "bench": "Count the nodes of fixed searches in every game.",
    },
    "From games to weights": {
        "data": "Create datasets of positions from self-play or files of games, and work with them.",
        "tune": "Fit the weights of a game to positions, validated on held-out games.",
        "improve": "Improve the weights of a game by generations of self-play, fits and matches.",
        "probcut": "Fit how well shallow searches predict deep ones, so that the search can leave deep ones out.",
        "ablate": "Refit without each source, filter or group of terms, and compare the losses on held-out games.",
        "weights": "Inspect, evaluate, compare, export and patch weights.",
        "net": "Train a neural net by self-play: play, train, evaluate, all of it in rounds, export.",
    },
    "Judging single moves": {
        "suite": "Build suites of positions with scored moves, run players on them, and compare the runs.",
    },
    "Proof": {
        "match": "Play a match of paired games, and report what it proves.",
        "tournament": "Play a tournament defined by a file or by flags (which override it), or show the table of a "
        "run folder.",
        "spsa": "Tune constants of our search or options of a program by games between it and itself.",
        "stats": "Compute Elo, likelihood of superiority and SPRT of a match, or ratings from a crosstable or a "
        "tournament.",
        "placements": "Judge openings: cut games after --ply, and let referees finish them.",
        "lockstep": "Compare the searches of two players at a fixed depth (default: 8) or number of nodes.",
        "check-engine": "Check that a program follows its protocol: handshake, options, limits, stop, bad input, "
        "lines, memory, quit.",
        "report": "Write report.html, a page with charts, into a run folder.",
    },
}

# Where the verbs of a group are, if they have a folder of their own.
_FOLDERS = {"Positions": "evalsmith.cli.positions", "Proof": "evalsmith.cli.proof"}


# Verbs that go on where they stopped when they are called again.
_RESUMABLE = ("data", "tune", "improve", "match", "tournament", "placements", "demo", "spsa", "suite", "net", "probcut")


class _Unread(Exception):
    """A broken pipe under a name that typer does not know: it would end with exit code 1, which means "no"."""


class Verbs(VerbGroup):
    """The verbs; Ctrl-C and a reader who has gone are dealt with before typer makes something else of them."""

    def __init__(self, **options: Any) -> None:
        verbs = [
            verb
            for title, sentences in _GROUPS.items()
            for verb in listed(_FOLDERS.get(title, "evalsmith.cli"), sentences, title)
        ]
        super().__init__(**{**options, "commands": verbs})

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
            resumable = ctx.invoked_subcommand in _RESUMABLE
            raise Interrupted("completed work is saved; run the same command to resume" if resumable else "") from None


app = VerbApp(
    "evalsmith", "Turn played games into a stronger evaluation function, and prove that it is stronger.", cls=Verbs
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evalsmith {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Turn played games into a stronger evaluation function, and prove that it is stronger."""


def main() -> None:
    """Run the command line; an error that a user can mend is one line and exit code 2."""
    try:
        start_interruptible()
        app()
    except EvalsmithError as error:
        _fail(str(error), 2)
    except Interrupted as error:
        _fail(f"interrupted: {error.saved}" if error.saved else "interrupted", 130)
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
