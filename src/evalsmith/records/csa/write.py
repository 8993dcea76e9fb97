"""Shogi games written as CSA, the main format of shogi: V2.2, or V3.0 where a text or a time needs it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evalsmith.games import find_game
from evalsmith.records.record import Record
from evalsmith.records.shogi.comments import comment_lines
from evalsmith.records.shogi.terminations import CSA, MATE, NOT_STATED
from evalsmith.records.text import clean
from evalsmith.run.atomic import write_with
from evalsmith.run.errors import InputError

_ENCODING = "'CSA encoding=UTF-8\n"


def format_csa(record: Record) -> str:
    """A game as CSA. Depths of searches have no place in it; other results are a comment, as comments are."""
    from evalsmith.games.shogi.notation import csa
    from evalsmith.records.csa.start import format_start

    game = find_game("shogi")
    if record.game != game.name:
        raise InputError(f"CSA holds {game.title}, not a game of {record.game}")
    position = game.start() if record.start is None else game.parse(record.start)
    lines = [*_heading(record), format_start(position).rstrip("\n"), *_comments(record, 0)]
    scores = record.scores or (None,) * len(record.moves)
    for ply, (move, score) in enumerate(zip(record.moves, scores, strict=True), 1):
        lines.append(csa.format_csa(position, move))
        if score is not None and score.seconds is not None:
            lines.append(f"T{_seconds(score.seconds)}")
        if score is not None and score.value is not None:
            lines.append(f"'** {score.value * (1 - 2 * game.mover(position))}")
        lines += _comments(record, ply)
        position = game.play(position, move)
    lines += _termination(record, game.mover(position), mated=not game.moves(position))
    text = "\n".join(lines) + "\n"
    if text.isascii() and not any("." in line for line in lines if line.startswith("T")):
        return f"V2.2\n{text}"
    return f"{_ENCODING}V3.0\n{text}"


def _heading(record: Record) -> list[str]:
    lines = [f"N{sign}{clean(name)}" for sign, name in zip("+-", record.players, strict=True) if clean(name)]
    titles = (("EVENT", record.event), ("START_TIME", record.date), ("TIME_LIMIT", record.time_control))
    lines += [f"${key}:{clean(value)}" for key, value in titles if clean(value)]
    for colour, name, rating in zip(("black", "white"), record.players, record.ratings, strict=True):
        if rating is not None:
            lines.append(f"'{colour}_rate:{clean(name) or colour}:{rating:.1f}")
    return lines


def _comments(record: Record, ply: int) -> list[str]:
    """The comments after a ply; what would be read as a score is left out."""
    return [line for line in comment_lines(record.comments, ply, "'*") if not line.startswith("'**")]


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def _termination(record: Record, mover: int, mated: bool) -> list[str]:
    """The statement that gives termination and result; where none does, a server's comment."""
    if mated and record.termination == NOT_STATED.name and record.result == MATE.result(mover):
        return ["%TSUMI"]
    for code, termination in CSA.items():
        if termination.name == record.termination and termination.result(mover) == record.result:
            return [code.decode()]
    if record.result is None:
        return []
    black, white = ("draw", "draw") if record.result == 0 else ("win", "lose") if record.result > 0 else ("lose", "win")
    players = zip(record.players, ("black", "white"), strict=True)
    names = [clean(name.replace(":", " ")) or side for name, side in players]
    reason = clean(record.termination.replace(":", " "))
    return [f"'summary:{reason}:{names[0]} {black}:{names[1]} {white}"]


def write_csa(path: Path, records: Iterable[Record]) -> int:
    """Write games into one file, in one step; the number of games."""
    count = 0

    def write(temporary: Path) -> None:
        nonlocal count
        with open(temporary, "w", encoding="utf-8", newline="\n") as file:
            for record in records:
                # The encoding stands in the first line of a file or not at all.
                text = format_csa(record).removeprefix(_ENCODING)
                file.write("/\n" if count else _ENCODING)
                file.write(text)
                count += 1

    write_with(path, write)
    return count
