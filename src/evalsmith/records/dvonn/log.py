"""DVONN logs: moves in capitals over several lines, with comments that name the players, the score and the time.

    # Player 1: ./first --fast
    # Player 2: ./second
    F3 C3 I3 A1 …
    # Score: 18 - 24. Time: 1.250 - 2.031

Lines have at most 80 characters: they end after the moves 24 and 49, and after every 16 after them.
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

_PLAYER = re.compile(r"#\s*Player\s*([12])\s*:(.*)", re.IGNORECASE)
_SCORE = re.compile(r"#\s*Score\s*:\s*([0-9]+)\s*-\s*([0-9]+)(.*)", re.IGNORECASE)
_FIELD = re.compile(r"[A-K][1-5]")
_PLACINGS = re.compile(r"\s*(?:[A-K][1-5]\s+){7,}[A-K][1-5](?:\s+\S{0,4})*\s*")
_BREAKS = (24, 49)
_LATER_BREAK = 16

TIMES = "times of the players, which records have no place for"


class DvonnLog(Format):
    """Reads and writes logs."""

    name = "dvonn-log"
    game = "dvonn"
    suffixes = (".dvonn",)

    def sniff(self, head: bytes) -> bool:
        """The first line that is no comment has at least eight placings in capitals, none on a field that is taken."""
        for line in head_lines(head):
            if line.strip() and not line.lstrip().startswith("#"):
                names = [name for name in line.split() if _FIELD.fullmatch(name)]
                return _PLACINGS.fullmatch(line) is not None and len(set(names)) == len(names)
        return False

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The games, one after another."""
        for number, gathered in enumerate(_gathered(stream, faults), 1):
            try:
                yield gathered.record(path, number, faults)
            except BrokenGameError as broken:
                faults.add(broken.fault(path, f"line {gathered.line}", number))

    def format_record(self, record: Record) -> str:
        """The log of a game."""
        return format_dvonn_log(record)


def _gathered(stream: io.BufferedIOBase, faults: Faults) -> Iterator[Gathered]:
    game: Gathered | None = None
    for line in lines(stream):
        text = "" if line.text is None else line.text.strip()
        if player := _PLAYER.match(text):
            if game is not None and (game.words or game.players[int(player[1]) - 1]):
                yield game
                game = None
            game = game or Gathered(line.number)
            game.players[int(player[1]) - 1] = player[2].strip()
        elif score := _SCORE.match(text):
            if game is not None:
                game.tell(score[1], score[2])
                faults.warn(TIMES, int("time" in score[3].lower()))
        elif line.text is None or not text.startswith("#"):
            for word in text.split():
                if game is not None and game.ends_before(word):
                    yield game
                    game = None
                game = game or Gathered(line.number)
                game.add(word)
            if line.text is None:
                game = game or Gathered(line.number)
                game.broken = game.broken or BrokenGameError(LONG_LINE)
    if game is not None:
        yield game


def format_dvonn_log(record: Record) -> str:
    """The log of a game; the time is given where the seconds of all moves are known."""
    names = names_of(record)
    written = [f"# Player {i}: {clean(name)}".rstrip() for i, name in enumerate(record.players, 1)]
    begin = 0
    while begin < len(names):
        end = next((place for place in _BREAKS if place > begin), begin + _LATER_BREAK)
        written.append(" ".join(names[begin:end]))
        begin = end
    if record.result is not None:
        written.append(f"# Score: {_score(record)}{_time(record)}")
    return "\n".join(written) + "\n"


def _score(record: Record) -> str:
    """The stones of both sides; where the game is not over only their difference is known, and the lesser is 0."""
    from evalsmith.games import find_game
    from evalsmith.games.dvonn import notation

    assert record.result is not None
    if record.finished:
        game, position = find_game("dvonn"), notation.start()
        for move in record.moves:
            position = game.play_unchecked(position, move)
        stones = [0, 0]
        for stack in notation.stacks_of(position).values():
            if stack.owner is not None:
                stones[stack.owner] += stack.height
        return f"{stones[0]} - {stones[1]}"
    margin = record.result // CENTISTONE
    return f"{max(margin, 0)} - {max(-margin, 0)}"


def _time(record: Record) -> str:
    from evalsmith.games import find_game

    seconds = [None if score is None else score.seconds for score in record.scores]
    if not seconds or None in seconds:
        return ""
    game = find_game("dvonn")
    position, spent = game.start(), [0.0, 0.0]
    for move, took in zip(record.moves, seconds, strict=True):
        spent[game.mover(position)] += took or 0.0
        position = game.play_unchecked(position, move)
    return f". Time: {spent[0]:.3f} - {spent[1]:.3f}"
