"""Games of chess as PGN: the seven tags and others that are known, SAN, the result, and scores when asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from evalsmith.games import Position, find_game
from evalsmith.records.record import Record, Score
from evalsmith.records.text import clean
from evalsmith.run import write_with
from evalsmith.run.errors import InputError, MoveError, PositionError

_WIDTH = 79
_MATE_NEAR = 1000  # plies; see MATES of scores.py
_TERMINATIONS = {
    "time": "time forfeit",
    "left": "abandoned",
    "adjudicated": "adjudication",
    "illegal": "rules infraction",
    "too long": "adjudication",
    "repetition": "normal",
}


def format_pgn(record: Record, scores: bool = False) -> str:
    """One game with a blank line after it; ``scores`` adds ``{+0.31/12 0.500s}`` after moves, for the mover."""
    if record.game != "chess":
        raise InputError(f"PGN holds games of chess, not of {record.game}")
    game = find_game("chess")
    try:
        start = game.parse(record.start) if record.start is not None else game.start()
        words = list(_words(record, start, scores))
    except (PositionError, MoveError) as error:
        raise InputError(f"game {record.number} of {record.source or 'no file'} cannot be written: {error}") from None
    lines, line = [], ""
    for word in (*words, _result(record)):
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    tags = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in _tags(record, start))
    return "\n".join([tags, "", *lines, line]) + "\n\n"


def write_pgn(path: Path, records: Iterable[Record], scores: bool = False) -> int:
    """Write games as PGN, in one step; the number of games."""
    count = 0

    def write(temporary: Path) -> None:
        nonlocal count
        with open(temporary, "w", encoding="utf-8", newline="\n") as file:
            for record in records:
                file.write(format_pgn(record, scores))
                count += 1

    write_with(path, write)
    return count


def _tags(record: Record, start: Position) -> Iterator[tuple[str, str]]:
    from evalsmith.games.chess.board import is_chess960

    yield "Event", record.event or "?"
    yield "Site", "?"
    yield "Date", record.date or "????.??.??"
    yield "Round", "?"
    yield "White", record.players[0] or "?"
    yield "Black", record.players[1] or "?"
    yield "Result", _result(record)
    for name, rating in zip(("WhiteElo", "BlackElo"), record.ratings, strict=True):
        if rating is not None:
            yield name, str(round(rating))
    if record.time_control:
        yield "TimeControl", record.time_control
    if record.termination or record.finished:
        yield "Termination", _TERMINATIONS.get(record.termination, record.termination) or "normal"
    yield "PlyCount", str(len(record.moves))
    if record.start is not None:
        if is_chess960(start):
            yield "Variant", "Chess960"
        yield "SetUp", "1"
        yield "FEN", record.start


def _words(record: Record, start: Position, scores: bool) -> Iterator[str]:
    """Move numbers, moves and comments."""
    from evalsmith.games.chess.notation.moves import format_san

    game = find_game("chess")
    position = start
    number, side = int(game.format(start).split()[-1]), game.mover(start)
    for ply, move in enumerate(record.moves):
        if side == 0 or ply == 0:
            yield f"{number}." if side == 0 else f"{number}..."
        if move not in game.moves(position):
            raise MoveError(f"move {ply + 1} ({move}) is not legal in {game.format(position)}")
        yield format_san(position, move)
        score = record.scores[ply] if scores and record.scores else None
        if score is not None and (text := _comment(score)):
            yield text
        position = game.play_unchecked(position, move)
        number, side = number + side, 1 - side


def _comment(score: Score) -> str:
    """A score as cutechess and fastchess write it."""
    taken = "" if score.seconds is None else f"{score.seconds:.3f}s"
    if score.value is None:
        return f"{{{taken}}}" if taken else ""
    win, sign = find_game("chess").win, "-" if score.value < 0 else "+" if score.value > 0 else ""
    if abs(score.value) >= win - _MATE_NEAR:
        value = f"{sign}M{win - abs(score.value)}"
    else:
        value = f"{sign}{abs(score.value) / 100:.2f}"
    return f"{{{' '.join(filter(None, (f'{value}/{score.depth or 0}', taken)))}}}"


def _result(record: Record) -> str:
    if record.result is None:
        return "*"
    return "1-0" if record.result > 0 else "0-1" if record.result < 0 else "1/2-1/2"


def _escaped(text: str) -> str:
    return clean(text).replace("\\", "\\\\").replace('"', '\\"')
