"""Opening files of games: which format each is of, and one pass over all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evalsmith.games import game_names
from evalsmith.records.batch import Batch
from evalsmith.records.csa.format import Csa
from evalsmith.records.drmario.maryodel import Maryodel
from evalsmith.records.dvonn.codecup import DvonnCodecup
from evalsmith.records.dvonn.log import DvonnLog
from evalsmith.records.epd.format import Epd, EpdMover
from evalsmith.records.format import Format
from evalsmith.records.jkf.format import Jkf
from evalsmith.records.kif.format import Kif
from evalsmith.records.kif.ki2 import Ki2
from evalsmith.records.lists import LISTS
from evalsmith.records.moves.format import MOVES, stated_game
from evalsmith.records.opening import UNREADABLE, bare_suffix, explain, parts
from evalsmith.records.othello.ggf import Ggf
from evalsmith.records.othello.obf import Obf
from evalsmith.records.othello.transcript import Transcript
from evalsmith.records.othello.wthor import Wthor
from evalsmith.records.packed.format import BINARY_FORMATS
from evalsmith.records.pgn.format import Pgn
from evalsmith.records.record import Faults, Reading, Record
from evalsmith.records.sfen.format import Sfen, Usi
from evalsmith.run.errors import InputError, MismatchError

FORMATS: tuple[Format, ...] = (
    *MOVES,
    Wthor(),
    Ggf(),
    Obf(),
    DvonnLog(),
    DvonnCodecup(),
    Transcript(),
    Csa(),
    Kif(),
    Ki2(),
    Jkf(),
    Usi(),
    Sfen(),
    Pgn(),
    Epd(),
    EpdMover(),
    *LISTS,
    Maryodel(),
    *BINARY_FORMATS,
)
HEAD = 4096


def find_format(name: str) -> Format:
    """The format of that name."""
    for known in FORMATS:
        if known.name == name:
            return known
    raise InputError(f"unknown record format {name!r}; expected one of {', '.join(f.name for f in FORMATS)}")


@dataclass(frozen=True)
class Source:
    """A file and the format it is read as."""

    path: Path
    format: Format


class Reader:
    """The games of some files, one after another; ``reading`` sums up what the last pass met.

    ``skipped`` are the files in folders that are of no known format.
    """

    def __init__(self, sources: tuple[Source, ...], skipped: tuple[Path, ...] = (), limit: int = 100) -> None:
        self.sources, self.skipped = sources, skipped
        self.game = sources[0].format.game
        self._limit = limit
        self._faults = Faults(limit)
        self._games = 0

    def __iter__(self) -> Iterator[Record]:
        """Read all files from their beginning."""
        self._faults, self._games = Faults(self._limit), 0
        for source in self.sources:
            for record in source.format.read(source.path, self._faults):
                self._games += 1
                yield record

    def batches(self) -> Iterator[Batch]:
        """The same pass, with many games at once."""
        self._faults, self._games = Faults(self._limit), 0
        for source in self.sources:
            for batch in source.format.read_batches(source.path, self._faults):
                self._games += len(batch)
                yield batch

    @property
    def reading(self) -> Reading:
        """What was read so far."""
        faults = self._faults
        return Reading(self._games, dict(faults.counts), dict(faults.warnings), tuple(faults.examples))


def read_games(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    game: str | None = None,
    format: str | None = None,
    limit: int = 100,
) -> Reader:
    """Read the games of some files one by one; a broken game does not affect the others.

        for game in read_games("games.pgn"):
            print(game.players, game.result, len(game.moves))

    The format of each file is recognised by its content. ``game`` and ``format`` restrict the formats; a given
    ``format`` is not checked against a file given by name. ``limit`` is the number of broken games reported in full.
    A file of unknown format is an error, but is skipped inside a folder.
    """
    candidates = _candidates(game, format)
    sources: list[Source] = []
    skipped: list[Path] = []
    for path in map(Path, [paths] if isinstance(paths, str | os.PathLike) else paths):
        if not path.is_dir():
            sources.append(_named(path, candidates, trusted=format is not None))
            continue
        found = len(sources)
        for file in _files(path):
            source = _recognise(file, candidates)
            if source is None:
                skipped.append(file)
            else:
                sources.append(source)
        if len(sources) == found:
            others = (_of_another_game(file, candidates) for file in skipped if path in file.parents)
            other = next((source for source in others if source is not None), None)
            if other is not None:
                raise MismatchError(f"the folder {path}: {_mismatch(other, candidates)}")
            if (path / "dataset.json").exists():
                raise InputError(f"{path} is a dataset, which has positions and no games; expected files of games")
            raise InputError(f"the folder {path} has no file of games; expected {_expected(candidates)}")
    if not sources:
        raise InputError("expected at least one file of games")
    games = sorted({source.format.game for source in sources})
    if len(games) > 1:
        examples = [next(s for s in sources if s.format.game == name) for name in games]
        kinds = ", ".join(f"{source.path} is {source.format.game}" for source in examples)
        raise MismatchError(f"expected files of one game, but {kinds}")
    return Reader(tuple(sources), tuple(skipped), limit)


def _candidates(game: str | None, format: str | None) -> tuple[Format, ...]:
    chosen = FORMATS if format is None else (find_format(format),)
    fitting = tuple(known for known in chosen if game in (None, known.game))
    if not fitting:
        kind = f"format {format}" if format else "file format"
        raise InputError(f"there is no {kind} for games of {game}")
    return fitting


def _files(folder: Path) -> Iterator[Path]:
    """The plain files in a folder and below it, in order; hidden ones are passed over."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and path.is_file():
            yield path


def _named(path: Path, candidates: tuple[Format, ...], trusted: bool) -> Source:
    """A file that was asked for by name: it must be there and be of a known format."""
    try:
        if not path.exists():
            raise InputError(f"there is no file {path}")
        if not path.is_file():
            raise InputError(f"{path} is not a plain file")
        with open(path, "rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {explain(error)}") from None
    source = Source(path, candidates[0]) if trusted else _recognise(path, candidates)
    if source is None:
        other = _of_another_game(path, candidates)
        if other is not None:
            raise MismatchError(_mismatch(other, candidates))
        what = "is empty" if empty else "has an unknown format"
        raise InputError(f"{path} {what}; expected {_expected(candidates)}")
    return source


def _recognise(path: Path, candidates: tuple[Format, ...]) -> Source | None:
    """The file with its format: by its suffix, else by how it begins. An archive has that of its first such file."""
    for part in parts(path):
        for name in (path, part.path):
            for known in candidates:
                if bare_suffix(name) in known.suffixes:
                    return Source(path, known)
        try:
            with part.open() as stream:
                head = stream.read(HEAD)
        except UNREADABLE:
            continue
        stated = stated_game(head)
        if stated is not None and stated not in game_names():
            raise InputError(f"{path} holds games of {stated}, which is not installed; see `evalsmith games`")
        for known in candidates:
            if known.sniff(head):
                return Source(path, known)
    return None


def _of_another_game(path: Path, candidates: tuple[Format, ...]) -> Source | None:
    """The file with its format, where that belongs to a game that was not asked for."""
    asked = {known.game for known in candidates}
    return _recognise(path, tuple(known for known in FORMATS if known.game not in asked))


def _mismatch(source: Source, candidates: tuple[Format, ...]) -> str:
    what = "positions" if source.format.positions else "games"
    asked = " or ".join(sorted({known.game for known in candidates}))
    return f"{source.path} holds {what} of {source.format.game} ({source.format.name}), not of {asked}"


def _expected(candidates: tuple[Format, ...]) -> str:
    """The formats that a file may have, by game where there are several."""
    by_game: dict[str, list[str]] = {}
    for known in candidates:
        shown = f"{known.name} ({', '.join(known.suffixes)})" if known.suffixes else known.name
        by_game.setdefault(known.game, []).append(shown)
    if len(by_game) == 1:
        return " or ".join(*by_game.values())
    return "a format of " + "; of ".join(f"{game}: {', '.join(names)}" for game, names in sorted(by_game.items()))
