"""The exceptions that Evalsmith raises on purpose.

EvalsmithError                 anything a user can mend; the command line prints it in one line
├── InputError                 a file, a text or an option is not what it should be
│   ├── UnknownGame            no game of that name is installed
│   ├── PositionError          a text is not a position of the game
│   ├── MoveError              a text or number is not a legal move there
│   ├── KernelError            a function of a game cannot be compiled; names its file and line
│   ├── RecordError            a file of games is broken at a place that is named
│   ├── MissingPackage         an optional package is not installed; says how to install it
│   └── MismatchError          files of two games, or of two versions of the rules, met
├── OutputError                a file or folder cannot be written
├── BusyError                  another process holds what this one needs
└── ConformanceError           a game breaks the contract
Interrupted                    the user pressed Ctrl-C; says what is saved
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "BusyError",
    "ConformanceError",
    "EvalsmithError",
    "InputError",
    "Interrupted",
    "KernelError",
    "MismatchError",
    "MissingPackage",
    "MoveError",
    "OutputError",
    "PositionError",
    "RecordError",
    "UnknownGame",
]


class EvalsmithError(Exception):
    """The root of all errors that a user can fix."""


class InputError(EvalsmithError, ValueError):
    """A file, a text or an option is not what it should be."""


class MissingPackage(InputError):
    """An optional package is not installed."""


class UnknownGame(InputError):
    """No game of that name is installed."""


class PositionError(InputError):
    """A text is not a position of the game."""


class MoveError(InputError):
    """A text or a number is not a legal move in the position."""


class KernelError(InputError):
    """A function of a game cannot be compiled; the message names its file and line, and what to write."""


class RecordError(InputError):
    """A file of games is broken at a place that the message names."""


class MismatchError(InputError):
    """Files of two games, or of two versions of the rules, were brought together."""


class OutputError(EvalsmithError):
    """A file or a folder cannot be written."""


class BusyError(EvalsmithError):
    """Another process holds what this one needs."""


class ConformanceError(EvalsmithError):
    """A game breaks the game contract; `evalsmith.games.conformance` says where."""


class Interrupted(BaseException):
    """Ctrl-C, with a sentence about what is saved, and the run folder where there is one.

    Not a KeyboardInterrupt, because command line libraries swallow those in different ways, and not an Exception, so
    that no handler of ordinary errors takes it.
    """

    def __init__(self, saved: str = "", run: Path | None = None) -> None:
        super().__init__(saved)
        self.saved, self.run = saved, run
