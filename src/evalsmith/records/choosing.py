"""Which format the games of a file are written in: the suffix of its name decides."""

from __future__ import annotations

from pathlib import Path

from evalsmith.games import Game
from evalsmith.records.format import Format
from evalsmith.records.opening import bare_suffix
from evalsmith.records.reader import FORMATS
from evalsmith.run.errors import InputError


def format_for(game: Game, path: Path) -> Format:
    """The format in which a file of the game's records is written; a suffix of one that the game has not is refused.

    A name with no suffix, or with one that belongs to no format, gives the first format of the game.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder; --save needs the name of a file")
    able = [one for one in FORMATS if one.game == game.name and one.writable and not one.positions]
    # The formats that the rest of the world reads come first.
    able.sort(key=lambda one: one.suffixes == ())
    suffix = path.suffix.lower()
    for one in able:
        if suffix in one.all_suffixes:
            return one
    if is_record(path) or not able:
        known = sorted({suffix for one in able for suffix in one.all_suffixes})
        raise InputError(f"games of {game.name} cannot be written as {suffix} ({path}); use {' or '.join(known)}")
    return able[0]


def is_record(path: Path) -> bool:
    """Whether the suffix of a name, packed or not, is that of a record format, of whatever game."""
    return any(bare_suffix(path) in one.all_suffixes for one in FORMATS)
