"""Books of openings: files of games in any known format, or plain lists of positions or of moves, one a line.

A match takes openings in the order of the file, each with its moves (`read_book`); self-play takes the positions alone,
of millions of games if need be (`book_positions`). Both read the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.games import OVER, Game
from evalsmith.games.movetext import parse_moves
from evalsmith.games.opening import Opening
from evalsmith.positions.importing.chunks import read_chunks
from evalsmith.positions.replay import replay
from evalsmith.records import Batch, Faults, open_bytes, read_games
from evalsmith.records.opening import UNREADABLE, explain
from evalsmith.records.reader import Reader
from evalsmith.run import InputError

BOOK = "openings.txt"
"""The book that a game ships, if it does: a file beside its rules. `tools/make_book.py` makes one."""

LONGEST_LINE = 1 << 16
MAX_POSITIONS = 1_000_000  # that self-play takes from one book
_COMMENTS = ("#", ";", "%")
_EPD_FIELDS = 4


def read_book(
    game: Game, path: Path, plies: int | None = None, say: Callable[[str], None] | None = None
) -> list[Opening]:
    """The different openings of a file, in its order; of games at most the first ``plies``.

    ``say`` is told of games that could not be read.
    """
    found: list[Opening] = []
    seen: set[int] = set()
    over = False
    reader = _reader(game, path)
    for opening in _plain(game, path, plies) if reader is None else _of_games(game, reader, plies):
        key = _key_after(game, opening)
        if key is None:
            over = True
        elif key not in seen:
            seen.add(key)
            found.append(opening)
    reading = None if reader is None else reader.reading
    broken = "" if reading is None or not reading.examples else str(reading.examples[0])
    if not found:
        why = broken or (over and "its games end there; --book-plies N takes the first N plies of each")
        raise InputError(f"{path} holds no opening for {game.name}" + (f": {why}" if why else ""))
    if reading is not None and broken and say is not None:
        say(f"{path}: {reading.broken} that cannot be read are left out; the first: {broken}")
    return found


def shipped_book(game: Game) -> Path | None:
    """The book that a game ships, or None where it ships none."""
    package = game.rules_module.__name__.rpartition(".")[0]
    if not package:  # rules in a single module have no folder of their own
        return None
    file = Path(str(resources.files(package) / BOOK))
    return file if file.is_file() else None


def book_positions(game: Game, path: Path, plies: int) -> npt.NDArray[np.uint64]:
    """The positions of a list, or those that games reach after ``plies``; sorted, and none twice.

    Games that are not longer have none; a line of moves in a plain list is an opening however short it is.
    """
    found: list[npt.NDArray[np.uint64]] = []
    errors = Faults()
    reader = _reader(game, path)
    if reader is None:
        found += [opening.position(game).reshape(1, -1) for opening in _plain(game, path, plies)]
    for source in () if reader is None else reader.sources:
        for chunk in read_chunks(source, errors):
            if isinstance(chunk, Batch):
                lengths = chunk.first[1:] - chunk.first[:-1]
                replayed = replay(game, chunk.starts, chunk.moves, chunk.first)
                found.append(replayed.words[chunk.first[:-1][lengths > plies] + plies])
            else:
                found.append(chunk.words)
            if sum(map(len, found)) > MAX_POSITIONS:
                break
    rows = np.unique(np.concatenate(found), axis=0) if found else np.zeros((0, game.words), dtype=np.uint64)
    if len(rows) == 0:
        raise InputError(
            f"{path} has no opening of {plies} plies" + (f": {errors.examples[0]}" if errors.examples else "")
        )
    return rows


def _key_after(game: Game, opening: Opening) -> int | None:
    """The key of the position after an opening; None if the game is over there."""
    position = opening.position(game)
    return None if game.status(position) == OVER else game.key(position)


def _of_games(game: Game, reader: Reader, plies: int | None) -> Iterator[Opening]:
    for record in reader:
        start = game.start() if record.start is None else game.parse(record.start)
        yield Opening(start, _cut(record.moves, plies), record.start)


def _reader(game: Game, path: Path) -> Reader | None:
    """A reader of the games of a file or folder; None if it has no known format, so that it must be a plain list."""
    if not path.exists():
        raise InputError(f"there is no file {path}")
    try:
        return read_games(path, game=game.name)
    except InputError:
        if path.is_dir():
            raise
        return None


def _cut(moves: tuple[int, ...], plies: int | None) -> tuple[int, ...]:
    return moves if plies is None else moves[:plies]


def _plain(game: Game, path: Path, plies: int | None) -> Iterator[Opening]:
    """Lines of positions or of moves from the start; a line that is neither is refused, for a book must be right."""
    for number, line in enumerate(_lines(path), 1):
        text = line.decode("utf-8", errors="replace").strip().removeprefix("\ufeff")
        if text and not text.startswith(_COMMENTS):
            yield _line(game, text, plies, f"{path}, line {number}")


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a file; a packed one that is damaged is named."""
    try:
        with open_bytes(path) as stream:
            while line := stream.readline(LONGEST_LINE):
                yield line
    except UNREADABLE as error:
        raise InputError(f"cannot read {path}: {explain(error)}") from None


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
