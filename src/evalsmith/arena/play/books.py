"""Books of openings: files of games in any known format, or plain lists of positions or of moves, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evalsmith.arena.play.referee import Opening, position_after
from evalsmith.games import OVER, Game
from evalsmith.games.movetext import parse_moves
from evalsmith.records import open_bytes, open_records
from evalsmith.run import InputError

LONGEST_LINE = 1 << 16
_COMMENTS = ("#", ";", "%")
_EPD_FIELDS = 4


def read_book(game: Game, path: Path, plies: int | None = None) -> list[Opening]:
    """The different openings of a file, in its order; of games at most the first ``plies``."""
    found: list[Opening] = []
    seen: set[int] = set()
    for opening in _openings(game, path, plies):
        key = _key_after(game, opening)
        if key is not None and key not in seen:
            seen.add(key)
            found.append(opening)
    if not found:
        raise InputError(f"{path} holds no opening for {game.name}")
    return found


def _key_after(game: Game, opening: Opening) -> int | None:
    """The key where an opening leads; None where the game is over there."""
    position = position_after(game, opening)
    return None if game.status(position) == OVER else game.key(position)


def _openings(game: Game, path: Path, plies: int | None) -> Iterator[Opening]:
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    try:
        reader = open_records(path, game=game.name)
    except InputError:
        yield from _plain(game, path, plies)
        return
    for record in reader:
        start = game.start() if record.start is None else game.parse(record.start)
        yield Opening(start, _cut(record.moves, plies), record.start)


def _cut(moves: tuple[int, ...], plies: int | None) -> tuple[int, ...]:
    return moves if plies is None else moves[:plies]


def _plain(game: Game, path: Path, plies: int | None) -> Iterator[Opening]:
    """Lines of positions or of moves from the start; a line that is neither is refused, for a book must be right."""
    with open_bytes(path) as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE):
            number += 1
            text = line.decode("utf-8", errors="replace").strip().removeprefix("\ufeff")
            if text and not text.startswith(_COMMENTS):
                yield _line(game, text, plies, f"{path}, line {number}")


def _line(game: Game, text: str, plies: int | None, place: str) -> Opening:
    reasons = []
    # An EPD line goes on with operations after the four fields of its position.
    for candidate in dict.fromkeys((text, text.split(";")[0].strip(), " ".join(text.split()[:_EPD_FIELDS]))):
        try:
            return Opening(game.parse(candidate), text=candidate)
        except InputError as error:
            reasons.append(str(error))
    try:
        return Opening(game.start(), _cut(tuple(parse_moves(game, game.start(), text)), plies))
    except InputError as error:
        raise InputError(f"{place}: neither a position ({reasons[0]}) nor moves ({error})") from None
