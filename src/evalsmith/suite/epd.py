"""Suites as EPD, both ways: best moves, moves to avoid, points as the Strategic Test Suite has them, scores of moves.

    … bm f5; id "STS(v1.0) Undermine.001"; c0 "f5=10, Be5+=2";       points of moves, which have no sign
    … bm Nf3; am Qh5; id "WAC.001";                                  the best moves alone, or those to avoid
    … acd 16; bm Nf3; c0 "Nf3=+35, e4=+30, g4=#-3"; c1 "quiet"; …    scores of moves, which have one; # is a mate

Scores are written into c0, tags into c1, the stable depth into c2, and the moves, the values and the moves as engines
write them into c7, c8 and c9, as the Strategic Test Suite does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalsmith.games import Game, Position, find_game
from evalsmith.games.contract import PHASE
from evalsmith.records.epd.operations import EpdLine, format_epd, parse_epd
from evalsmith.records.opening import UNREADABLE, explain, open_bytes
from evalsmith.records.text import lines
from evalsmith.run import InputError, MoveError
from evalsmith.suite.loss import parse_score, score_text
from evalsmith.suite.store import Suite, SuitePosition

GAME = "chess"
_SHORT = 60


def read_epd_suite(path: Path) -> Suite:
    """The suite of an EPD file; a line that cannot be read is a position that has failed, with its reason."""
    game = find_game(GAME)
    positions: list[SuitePosition] = []
    try:
        with open_bytes(path) as stream:
            for line in lines(stream):
                text = "" if line.text is None else line.text.strip()
                if line.text is not None and (not text or text[0] in "#%"):
                    continue
                positions.append(_read_line(game, text, path.name, line.number))
    except UNREADABLE as error:
        if not positions:
            raise InputError(f"cannot read {path}: {explain(error)}") from None
        # What was read before a file is cut off counts; that there was more is one failed position.
        positions.append(SuitePosition("", f"{path.name}: the rest", failed=f"the file is cut off: {explain(error)}"))
    if not positions:
        raise InputError(f"{path} has no positions")
    return Suite(game, positions, path.stem, {"by": path.name}, path)


def _read_line(game: Game, text: str, source: str, number: int) -> SuitePosition:
    name = f"{source}:{number}"
    try:
        line = parse_epd(text)
        name = line.name or name
        return _position(game, line, name, source)
    except InputError as error:
        return SuitePosition(text[:_SHORT], name, source=source, failed=f"line {number}: {error}")


def _position(game: Game, line: EpdLine, name: str, source: str) -> SuitePosition:
    position = line.position
    best, avoid = (tuple(game.format_move(position, move) for move in moves) for moves in (line.best, line.avoid))
    values, scored = _values(game, line)
    if not (best or avoid or values):
        raise InputError("there is no bm, no am, and no move with a value in c0 or c9")
    moves = tuple(sorted(values, key=lambda move: -values[move]))
    highest = max(values.values(), default=0)
    found: dict[str, Any] = {"scores" if scored else "points": tuple(values[move] for move in moves)} if values else {}
    if values:
        # What has the highest value is best, whatever bm says: some lines of known suites disagree with themselves.
        best = tuple(move for move in moves if values[move] == highest)
    return SuitePosition(
        game.format(position),
        name,
        moves,
        best=best,
        avoid=avoid,
        depth=_number(line, "acd"),
        stable_depth=_number(line, "c2"),
        tags=tuple(" ".join(line.operations.get("c1", ())).split()) if scored else _theme(line.name),
        phase=int(_phase(game, position)),
        source=source,
        **found,
    )


def _values(game: Game, line: EpdLine) -> tuple[dict[str, int], bool]:
    """The values of moves, and whether they are scores; points otherwise."""
    position = line.position
    entries = [part.strip().rpartition("=")[::2] for part in " ".join(line.operations.get("c0", ())).split(",")]
    named = " ".join(line.operations.get("c9", ())).split()
    if not all(move and parse_score(value) is not None for move, value in entries) and named:
        entries = list(zip(named, " ".join(line.operations.get("c8", ())).split(), strict=False))
    values: dict[str, int] = {}
    signed = bool(entries) and all(value[:1] in ("+", "-", "#") for _, value in entries)
    for move, value in entries:
        number = parse_score(value)
        if number is None:
            return {}, False
        try:
            values[game.format_move(position, game.parse_move(position, move))] = number
        except MoveError:
            return {}, False  # a comment that happens to look like values
    return values, signed


def _theme(name: str) -> tuple[str, ...]:
    """What positions of such a name have in common, as a tag: ``Undermine`` of ``STS(v1.0) Undermine.001``."""
    words = re.sub(r"[^A-Za-z]*[0-9]+$", "", name.rpartition(")")[2])
    theme = re.sub(r"[^A-Za-z0-9]+", "-", words).strip("-")
    return (theme,) if theme else ()


def _number(line: EpdLine, opcode: str) -> int:
    text = "".join(line.operations.get(opcode, ()))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1


def _phase(game: Game, position: Position) -> int:
    from evalsmith.games.bulk.rows import ask_each

    return int(ask_each(game, PHASE, position.reshape(1, -1))[0])


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


def epd_lines(suite: Suite) -> Iterator[str]:
    """The suite as lines of EPD; positions that have failed are left out."""
    if suite.game.name != GAME:
        raise InputError(f"EPD holds positions of {GAME}, not of {suite.game.name}")
    for one in suite.positions:
        if not one.failed:
            yield format_epd(_line(suite.game, one))


def _line(game: Game, one: SuitePosition) -> EpdLine:
    position = game.parse(one.text)
    operations: dict[str, tuple[str, ...]] = {}
    if one.depth >= 0:
        operations["acd"] = (str(one.depth),)
    for opcode, moves in (("bm", one.best), ("am", one.avoid)):
        if moves:
            operations[opcode] = tuple(_written(game, position, move) for move in moves)
    operations["id"] = (one.id,)
    values = [score_text(score) for score in one.scores] if one.scores else [str(points) for points in one.points]
    if values:
        names = [_written(game, position, move) for move in one.moves]
        operations["c0"] = (", ".join(f"{name}={value}" for name, value in zip(names, values, strict=True)),)
        if one.scores and one.tags:
            operations["c1"] = (" ".join(one.tags),)
        if one.stable_depth >= 0:
            operations["c2"] = (str(one.stable_depth),)
        operations |= {"c7": (" ".join(names),), "c8": (" ".join(values),), "c9": (" ".join(one.moves),)}
    # The counters of a FEN have no place among the four fields.
    clock, number = game.format(position).split()[4:6]
    return EpdLine(position, {**operations, "hmvc": (clock,), "fmvn": (number,)})


def _written(game: Game, position: Position, move: str) -> str:
    return game.write_move(position, game.parse_move(position, move))
