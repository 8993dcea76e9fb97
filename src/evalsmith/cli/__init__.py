"""The command line: one file per verb, no logic.

Started as a command, this package is the first of ours to be imported: from here until ``main`` runs, Ctrl-C ends the
process at once and without a word, since nothing has been begun.
"""

import os
import signal
import sys
from types import FrameType

_NAMES = ("evalsmith", "__main__.py", "-m")  # what the first word is in a script, a folder and under `python -m`


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(130)


def start_interruptible() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again: from now on somebody deals with it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if os.path.basename(sys.argv[0] if sys.argv else "") in _NAMES:  # noqa: PTH119  (quicker by an import)
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)
    except ValueError:
        pass  # not the main thread, so nobody's command
