"""Shogi games written as KIF and KI2."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from evalsmith.games import Position, find_game
from evalsmith.records.record import Record, Score
from evalsmith.records.shogi.comments import comment_lines
from evalsmith.records.shogi.terminations import KIF, MATE, NOT_STATED, Termination
from evalsmith.records.text import clean
from evalsmith.run.atomic import write_with
from evalsmith.run.errors import InputError

_TABLE = "手数----指手---------消費時間--"
_KI2_WIDTH = 6  # moves a line


def format_kif(record: Record) -> str:
    """A game as KIF. Scores have a place in its comments alone, parts of seconds have none."""
    from evalsmith.games.shogi.notation import kif

    lines = [*_heading(record), _TABLE, *comment_lines(record.comments, 0, "*")]
    spent = [0, 0]
    clocked = any(score is not None and score.seconds is not None for score in record.scores)
    side = 0

    def write(position: Position, move: int, last: int | None, ply: int) -> None:
        nonlocal side
        side = find_game("shogi").mover(position)
        score = record.scores[ply] if record.scores else None
        text = f"{ply + 1:4d} {kif.format_kif(position, move, last)}"
        lines.append(f"{text}   {_clock(score, spent, side)}".rstrip() if clocked else text)
        lines.extend(comment_lines(record.comments, ply + 1, "*"))

    mover, mated = _walk(record, write)
    word, termination = _termination(record, mover, mated)
    if word:
        lines.append(f"{len(record.moves) + 1:4d} {word}")
    lines += _summary(record, termination)
    return "\n".join(lines) + "\n"


def format_ki2(record: Record) -> str:
    """A game as KI2, which has no times."""
    from evalsmith.games.shogi.notation import ki2

    rows = comment_lines(record.comments, 0, "*")
    names: list[str] = []

    def write(position: Position, move: int, last: int | None, ply: int) -> None:
        names.append(ki2.format_ki2(position, move, last))
        if len(names) == _KI2_WIDTH or ply + 1 in record.comments or ply + 1 == len(record.moves):
            rows.append(" ".join(names))
            names.clear()
        rows.extend(comment_lines(record.comments, ply + 1, "*"))

    mover, mated = _walk(record, write)
    return "\n".join([*_heading(record), "", *rows, *_summary(record, _termination(record, mover, mated)[1])]) + "\n"


def _walk(record: Record, visit: Callable[[Position, int, int | None, int], None]) -> tuple[int, bool]:
    """Show every move with its position, the target of the move before, its ply; who moves then, and if it is mate."""
    game = find_game("shogi")
    if record.game != game.name:
        raise InputError(f"KIF and KI2 hold {game.title}, not a game of {record.game}")
    position = game.start() if record.start is None else game.parse(record.start)
    last: int | None = None
    for ply, move in enumerate(record.moves):
        following = game.play(position, move)
        visit(position, move, last, ply)
        position, last = following, move & 127
    return game.mover(position), not game.moves(position)


def _heading(record: Record) -> list[str]:
    from evalsmith.records.kif.heading import OTHER, format_start

    game = find_game("shogi")
    start = format_start(game.start() if record.start is None else game.parse(record.start)).rstrip("\n").split("\n")
    titles = (("開始日時", record.date), ("棋戦", record.event), ("持ち時間", record.time_control))
    lines = [f"{key}：{clean(value)}" for key, value in titles if clean(value)] + start
    plain = start[0].endswith(("平手", OTHER))
    for side, name, rating in zip(("先手", "後手") if plain else ("下手", "上手"), record.players, record.ratings,
                                  strict=True):  # fmt: skip
        lines.append(f"{side}：{clean(name)}" + (f"(R{rating:.0f})" if rating is not None else ""))
    return lines


def _clock(score: Score | None, spent: list[int], side: int) -> str:
    if score is None or score.seconds is None:
        return ""
    seconds = int(score.seconds)
    spent[side] += seconds
    total = spent[side]
    return f"({seconds // 60:2d}:{seconds % 60:02d}/{total // 3600:02d}:{total // 60 % 60:02d}:{total % 60:02d})"


def _termination(record: Record, mover: int, mated: bool) -> tuple[str, Termination]:
    """The word that stands as the last move, empty where none tells the result."""
    name = MATE.name if mated and record.termination == NOT_STATED.name else record.termination
    for word, termination in KIF.items():
        if termination.name == name and termination.result(mover) == record.result:
            return word, termination
    return "", NOT_STATED


def _summary(record: Record, termination: Termination) -> list[str]:
    """``まで113手で先手の勝ち``; nothing where nothing is known."""
    head = f"まで{len(record.moves)}手で"
    word = next((word for word, known in KIF.items() if known is termination), "")
    if record.result is None or record.result == 0:
        return [head + (word or "引き分け")] if word or record.result == 0 else []
    winner = "先手" if record.result > 0 else "後手"
    how = {"illegal": "反則勝ち", "declared": "入玉勝ち"}.get(termination.name, "勝ち")
    return [f"{head}{'時間切れにより' if termination.name == 'time' else ''}{winner}の{how}"]


def write_kif(path: Path, records: Iterable[Record], encoding: str = "utf-8") -> int:
    """Write games into one file, in one step; the number of games. What ``encoding`` lacks becomes a question mark."""
    count = 0

    def write(temporary: Path) -> None:
        nonlocal count
        with open(temporary, "w", encoding=encoding, errors="replace", newline="\r\n") as file:
            for record in records:
                file.write(("\n" if count else "") + format_kif(record))
                count += 1

    write_with(path, write)
    return count
