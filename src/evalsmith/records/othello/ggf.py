"""GGF: Othello games of the Generic Game Server, with the programs' scores.

``(;GM[Othello]…BO[8 …]B[f5/0.5/1.2]W[f6];)``: tags with values, several games a line or one over several lines. A value
ends at its first ``]``. Scores are in discs for the mover, the result in discs for black.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evalsmith.games import Position, find_game
from evalsmith.records.chunks import read_chunks
from evalsmith.records.format import NO_MOVES, NOT_POSITION, OTHER_BOARD, BrokenGameError, Format
from evalsmith.records.othello.moves import MOVES, NAMES, PASS, PASSES
from evalsmith.records.record import Fault, Faults, Record, Score
from evalsmith.records.text import clean, decode, number, shown
from evalsmith.run.errors import InputError, PositionError

# Where a game begins. A broken game ends at the next such place, so that it takes no other with it.
_BEGIN = re.compile(rb"\(;\s{0,64}[A-Za-z]{1,8}\s{0,64}\[")
_TAG = re.compile(r"\s*([A-Za-z]+)\s*\[([^\]]*)\]")
_END = re.compile(r"\s*;\s*\)")
_KIND = re.compile(r"([skbwa]*)([0-9]+)([abwkr]*)[0-9]*([abwk]*)")
_RESULT = re.compile(r"([^:]*)(?::\s*([a-z]*))?\s*")
_SQUARE = re.compile(r"([a-h][1-8])[a-z]*")
_SIZE = re.compile(r"\s*([0-9]+)\s+(.*)", re.DOTALL)
# The standard start, with all spaces left out.
_USUAL = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27 + "*"
_TERMINATIONS = {"r": "resigned", "t": "time", "s": "agreed", "l": "left"}
_SHORT_TERMINATIONS = {long: short for short, long in _TERMINATIONS.items()}
_GAME_LIMIT = 1 << 20
# A value has no escapes: brackets inside it would end it, or look like a game that begins.
_NO_BRACKETS = str.maketrans("[]", "()")
# No program means more than this many discs; such a number is no score.
_MAX_DISCS = 1000

OUTSIDE = "text outside of a game"
LONG = "the game is too long"
NO_END = "the game has no end ;)"
OTHER_GAME = "another game than Othello"
ANTI = "anti-Othello"
BAD_MOVE = "not a move"
WRONG_COLOUR = "the other colour is to move"
ODD_RESULT = "a result that is not understood"
ODD_SCORE = "a score or a time that is not understood"


class Ggf(Format):
    """Reads games of the Generic Game Server."""

    name = "ggf"
    game = "othello"
    suffixes = (".ggf",)
    needs_moves = True
    """Whether a game without moves is broken: in a file it is, to an interface it is a position."""

    def sniff(self, head: bytes) -> bool:
        """A game begins, and says that it is Othello."""
        return (
            _BEGIN.search(head) is not None and re.search(rb"GM\s*\[\s*othello\s*\]", head, re.IGNORECASE) is not None
        )

    def games(self, stream: io.BufferedIOBase, path: Path, faults: Faults) -> Iterator[Record]:
        """The games, wherever they stand."""
        count = 0
        for chunk in read_chunks(stream, _BEGIN, _GAME_LIMIT):
            place, text = f"line {chunk.line}", decode(chunk.content)
            if chunk.begins:
                count += 1
                try:
                    tags, text = _tags(text, chunk.complete)
                    yield _record(tags, path, count, chunk.line, faults, self.needs_moves)
                except BrokenGameError as broken:
                    faults.add(broken.fault(path, place, count))
                    if broken.reason in (NO_END, LONG):
                        continue
            # Between games stand only the numbers of games of the matches.
            if outside := text.removeprefix("\ufeff").strip(" \t\r\n0123456789"):
                faults.add(Fault(str(path), place, None, OUTSIDE, shown(outside)))

    def format_record(self, record: Record) -> str:
        """A line."""
        return format_ggf(record) + "\n"


@dataclass(frozen=True, slots=True)
class _Tags:
    """The tags of a game: the first value of each, and the moves in their order, with their colours."""

    values: dict[str, str]
    moves: list[tuple[int, str]]

    def text(self, name: str) -> str:
        return clean(self.values.get(name, ""))

    def number(self, name: str) -> float | None:
        return number(self.values.get(name, ""))


def _tags(text: str, whole: bool) -> tuple[_Tags, str]:
    """The tags of the game that ``text`` begins with, and what stands after it."""
    tags, place = _Tags({}, []), 2
    while match := _TAG.match(text, place):
        name, value = match[1].upper(), match[2]
        if name in ("B", "W"):
            tags.moves.append((0 if name == "B" else 1, value))
        else:
            tags.values.setdefault(name, value)
        place = match.end()
    if end := _END.match(text, place):
        return tags, text[end.end() :]
    if not whole:
        raise BrokenGameError(LONG, f"over {_GAME_LIMIT} bytes")
    raise BrokenGameError(NO_END, f"{shown(text[place:].strip())} is neither a tag nor the end")


def _record(tags: _Tags, path: Path, count: int, line: int, faults: Faults, needs_moves: bool) -> Record:
    from evalsmith.records.othello.replay import replay_one

    _check_kind(tags)
    start, standard = _start(tags.values.get("BO"))
    moves = [_move(text, ply) for ply, (_, text) in enumerate(tags.moves, 1)]
    if needs_moves and not moves:
        raise BrokenGameError(NO_MOVES)
    replayed = replay_one(moves, start)
    scores, odd = _scores(replayed.moves, int(start[2]), moves, tags.moves)
    faults.warn(ODD_SCORE, odd)
    stated, termination = _result(tags.values.get("RE", "?"), faults)
    return Record(
        "othello",
        replayed.moves,
        start=None if standard else find_game("othello").format(start),
        result=replayed.settle(stated, faults),
        finished=replayed.finished,
        termination=termination,
        players=(tags.text("PB"), tags.text("PW")),
        ratings=(tags.number("RB"), tags.number("RW")),
        event=tags.text("PC"),
        date=tags.text("DT"),
        source=str(path),
        number=count,
        offset=line,
        scores=scores,
    )


def _check_kind(tags: _Tags) -> None:
    """Refuse other games and boards."""
    name = tags.text("GM")
    if name.lower() not in ("othello", "reversi"):
        raise BrokenGameError(OTHER_GAME, f"GM is {shown(name)}")
    kind = _KIND.fullmatch(tags.text("TY").lower())
    if kind is not None and kind[2] != "8":
        raise BrokenGameError(OTHER_BOARD, f"TY is {shown(tags.text('TY'))}")
    if kind is not None and "a" in kind[1] + kind[3] + kind[4]:
        raise BrokenGameError(ANTI, f"TY is {shown(tags.text('TY'))}")


def _start(text: str | None) -> tuple[Position, bool]:
    """The position of a BO tag, and whether it is the standard start, as it is without one."""
    game = find_game("othello")
    if text is None:
        return game.start(), True
    sized = _SIZE.fullmatch(text)
    if sized is None:
        raise BrokenGameError(NOT_POSITION, f"BO is {shown(text)}, not 8 and 64 cells and the side to move")
    if sized[1] != "8":
        raise BrokenGameError(OTHER_BOARD, f"BO begins with {shown(sized[1])}")
    cells = "".join(sized[2].split())
    if cells == _USUAL:
        return game.start(), True
    if len(cells) != 65:
        raise BrokenGameError(NOT_POSITION, f"BO does not have 64 cells and the side to move: {shown(text)}")
    try:
        position = game.parse(cells)
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None
    return position, bool(np.array_equal(position, game.start()))


def _move(text: str, ply: int) -> int:
    name = text.partition("/")[0]
    if (move := MOVES.get(name)) is not None:
        return move
    name = name.strip().lower()
    if (match := _SQUARE.fullmatch(name)) or name in PASSES:
        return MOVES[match[1] if match else name]
    raise BrokenGameError(BAD_MOVE, shown(text), ply)


def _scores(
    plies: tuple[int, ...], side: int, moves: list[int], written: list[tuple[int, str]]
) -> tuple[tuple[Score | None, ...], int]:
    """The scores of all plies, and how many made no sense; checks that each move has the colour that plays it."""
    scores: list[Score | None] = []
    given = odd = 0
    for ply, move in enumerate(plies):
        if given == len(moves) or moves[given] != move:
            scores.append(None)  # a pass that was left out
            continue
        colour, text = written[given]
        if colour != side ^ (ply & 1):
            raise BrokenGameError(WRONG_COLOUR, f"{'BW'[colour]}[{text[:20]}]", given + 1)
        score, sensible = _score(text)
        scores.append(score)
        odd += not sensible
        given += 1
    return tuple(scores) if any(scores) else (), odd


def _score(text: str) -> tuple[Score | None, bool]:
    """The score and the time of a move's value, ``f5/eval/seconds``, and whether both make sense or are missing."""
    _, slash, rest = text.partition("/")
    if not slash:
        return None, True
    value, _, took = rest.partition("/")
    discs, seconds = number(value), number(took)
    if discs is not None and abs(discs) > _MAX_DISCS:
        discs = None
    sensible = (discs is not None or not value.strip()) and (seconds is not None or not took.strip())
    if discs is None and seconds is None:
        return None, sensible
    return Score(None if discs is None else round(100 * discs), None, seconds), sensible


def _result(text: str, faults: Faults) -> tuple[int | None, str]:
    """Black's margin in centidiscs, or None, and how the game ended."""
    match = _RESULT.fullmatch(text.strip().lower())
    discs = number(match[1]) if match else None
    flag = _TERMINATIONS.get((match[2] or "")[:1], "") if match else ""
    if discs is None or abs(discs) > 64:
        if text.strip() not in ("", "?"):
            faults.warn(ODD_RESULT)
        return None, flag
    return round(100 * discs), flag


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


def format_ggf(record: Record) -> str:
    """A game as one line of GGF; search depths have no place in it."""
    game = find_game("othello")
    if record.game != game.name:
        raise InputError(f"GGF holds {game.title}, not a game of {record.game}")
    start = game.start() if record.start is None else game.parse(record.start)
    board = game.format(start).replace("X", "*")
    rows = " ".join(board[i : i + 8] for i in range(0, 64, 8))
    tags = [("GM", game.title), ("PC", record.event), ("DT", record.date)]
    tags += [("PB", record.players[0]), ("PW", record.players[1])]
    tags += [
        (tag, f"{rating:.10g}") for tag, rating in zip(("RB", "RW"), record.ratings, strict=True) if rating is not None
    ]
    tags += [("TY", "8"), ("RE", _format_result(record)), ("BO", f"8 {rows} {board[-1]}")]
    scores = record.scores or (None,) * len(record.moves)
    for ply, (move, score) in enumerate(zip(record.moves, scores, strict=True)):
        name = "PA" if move == PASS else NAMES[move]
        tags.append(("BW"[(int(start[2]) + ply) & 1], name + _format_score(score)))
    return "(;" + "".join(f"{tag}[{clean(value.translate(_NO_BRACKETS))}]" for tag, value in tags) + ";)"


def _format_result(record: Record) -> str:
    if record.result is None:
        return "?"
    flag = _SHORT_TERMINATIONS.get(record.termination)
    return f"{record.result / 100:+.3f}" + (f":{flag}" if flag else "")


def _format_score(score: Score | None) -> str:
    if score is None:
        return ""
    value = "" if score.value is None else f"{score.value / 100:.2f}"
    took = "" if score.seconds is None else f"/{score.seconds:.3f}"
    return f"/{value}{took}" if value or took else ""
