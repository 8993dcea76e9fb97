"""CodeCup's transcripts of DVONN games: header lines, then numbered pairs of moves in lower case.

Event [CodeCup]
Site [codecup.nl]
White [first]
Black [second]

1. f3 c3
2. i3 a1

Little Golem's transcripts are of the same kind, but stand on one line, leave out the last placing, which is forced, and
end with ``resign`` where a player gave up.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

from evalsmith.records.dvonn.games import CENTISTONE, Gathered, names_of
from evalsmith.records.format import LONG_LINE, BrokenGameError, Format
from evalsmith.records.record import Faults, Record
from evalsmith.records.text import clean, head_lines, lines

_HEADER = re.compile(r"([A-Za-z]{2,20})\s*\[(.*)\]")
_HEADERS = re.compile(r"\s*([A-Za-z]{2,20})\s*\[([^\]]*)\]")  # one of several on a line
_RESIGNS = re.compile(r"resign(?:s|ed)?[.!]?", re.IGNORECASE)
_BEGINNING = re.compile(r"\s*(?:Event|Site|White|Black)\s*\[", re.IGNORECASE)
_NUMBER = re.compile(r"\A[0-9]+(?:\.+|\Z)")
_SCORE = re.compile(r"([0-9]{1,2})\s*-\s*([0-9]{1,2})")
_NO_BRACKETS = str.maketrans("[]", "()")


class DvonnCodecup(Format):
    """Reads and writes CodeCup's transcripts."""

    name = "dvonn-codecup"
    game = "dvonn"
    suffixes = (".codecup",)

    def sniff(self, head: bytes) -> bool:
        """Begins with one of the header lines, and the first move is a placing."""
        found = [line.strip() for line in head_lines(head) if line.strip()]
        if not found or not _BEGINNING.match(found[0]):
            return False
        parted = (_parted(line)[1].strip() for line in found)
        moves = [rest for rest in parted if rest]
        return not moves or re.match(r"(?:1\.?\s*)?[a-kA-K][1-5]\b", moves[0]) is not None

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The games, one after another."""
        for number, gathered in enumerate(_gathered(stream), 1):
            try:
                yield gathered.record(path, number, faults)
            except BrokenGameError as broken:
                faults.add(broken.fault(path, f"line {gathered.line}", number))

    def format_record(self, record: Record) -> str:
        """The transcript of a game."""
        return format_dvonn_codecup(record)


def _gathered(stream: io.BufferedIOBase) -> Iterator[Gathered]:
    game: Gathered | None = None
    for line in lines(stream):
        headers, text = _parted("" if line.text is None else line.text.strip())
        for name, value in headers:
            if game is not None and game.words:
                yield game
                game = None
            game = game or Gathered(line.number)
            _tell(game, name.lower(), value.strip())
        if line.text is None:
            game = game or Gathered(line.number)
            game.broken = game.broken or BrokenGameError(LONG_LINE)
        elif score := _SCORE.fullmatch(text.strip()):
            if game is not None:
                game.tell(score[1], score[2])
        else:
            for word in text.split():
                # The number of a pair, which may touch its first move.
                move = _NUMBER.sub("", word, count=1)
                if not move:
                    continue
                if _RESIGNS.fullmatch(move) and game is not None and game.words:
                    game.resign()
                    continue
                if game is not None and game.ends_before(move):
                    yield game
                    game = None
                game = game or Gathered(line.number)
                game.add(move)
    if game is not None:
        yield game


def _parted(line: str) -> tuple[list[tuple[str, str]], str]:
    """The headers that a line begins with, and what follows them."""
    if alone := _HEADER.fullmatch(line):
        inside = list(_HEADERS.finditer(line))
        # A value may have brackets of its own; several headers fill the line from end to end.
        if len(inside) < 2 or "".join(one[0] for one in inside) != line:
            return [(alone[1], alone[2])], ""
    headers, at = [], 0
    while found := _HEADERS.match(line, at):
        headers.append((found[1], found[2]))
        at = found.end()
    return headers, line[at:]


def _tell(game: Gathered, name: str, value: str) -> None:
    if name in ("white", "black"):
        game.players[0 if name == "white" else 1] = value
    elif name == "event":
        game.event = value
    elif name == "date":
        game.date = value
    elif name == "result" and (score := _SCORE.fullmatch(value)):
        game.tell(score[1], score[2])


def format_dvonn_codecup(record: Record) -> str:
    """The transcript of a game."""
    names = [name.lower() for name in names_of(record)]
    tags = [("Event", record.event), ("Site", ""), ("White", record.players[0]), ("Black", record.players[1])]
    if record.date:
        tags.append(("Date", record.date))
    if record.result is not None and not record.finished:
        margin = record.result // CENTISTONE
        tags.append(("Result", f"{max(margin, 0)}-{max(-margin, 0)}"))
    written = [f"{tag} [{clean(value.translate(_NO_BRACKETS))}]" for tag, value in tags]
    written.append("")
    written += [f"{i // 2 + 1}. {' '.join(names[i : i + 2])}" for i in range(0, len(names), 2)]
    return "\n".join(written) + "\n\n"
