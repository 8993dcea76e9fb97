"""The files that a player brings: its program, and what its command and its options name."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from evalsmith.players.spec import Player

_LOG = re.compile(r"(^|[^a-z])log(file|[^a-z]|$)", re.IGNORECASE)


def files_of_player(player: Player) -> dict[str, Path]:
    """The files that a program is started with, by the words that name them: a script, a book, a net.

    Whatever is called a log is left out, because the program itself changes it. Our own players bring none: their
    weights are part of them.
    """
    if player.outside is None:
        return {}
    launch = player.outside.launch
    words = [*pairwise(launch.command), *player.outside.options]
    named = [word for before, word in words if not _LOG.search(before) and not _LOG.search(Path(word).name)]
    parts = [part for word in named for part in (word, word.partition("=")[2])]
    found = {word: _file(word, launch.cwd) for word in (launch.command[0], *parts)}
    return {word: path for word, path in found.items() if path is not None}


def sent_files(player: Player) -> tuple[tuple[str, Path], ...]:
    """The files that a worker elsewhere must be sent; a program that is named without a folder must be there."""
    if player.outside is None:
        return ()
    files = files_of_player(player)
    if "/" not in player.outside.program:
        files.pop(player.outside.launch.command[0], None)
    return tuple(files.items())


def _file(word: str, folder: Path | None) -> Path | None:
    """The file that a word of a command names, as the program sees it."""
    try:
        path = ((folder or Path()) / word).resolve()
        return path if word and path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None
