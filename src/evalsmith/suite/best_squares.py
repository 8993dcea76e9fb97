"""Othello positions with one best square a line, as lists of solved endgames have them: a suite of best moves.

``-OOOOOO---OOOO…-X- Black 32 -34`` has the board from a1 with X for Black, the side to move, a best square counted from
a1 = 0 row by row (-1: none is given), and a score. The score is Black's discs less White's without the empty squares,
whoever moves, so it is not what moves are compared by and is left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from evalsmith.games import Game, find_game
from evalsmith.games.bulk.rows import ask_each
from evalsmith.games.contract import PHASE
from evalsmith.records.text import head_lines
from evalsmith.run import InputError
from evalsmith.suite.store import Suite, SuitePosition

GAME = "othello"
_LINE = re.compile(r"\s*([-.XxOo]{64})\s+(black|white)\s+(-?[0-9]{1,2})\s+(-?[0-9]{1,2})\s*", re.IGNORECASE)


def has_best_squares(head: bytes) -> bool:
    """Whether a file begins like such a list."""
    found = [line for line in head_lines(head) if line.strip()]
    return bool(found) and _LINE.fullmatch(found[0]) is not None


def read_best_squares(path: Path) -> Suite:
    """The suite of such a file; a line that cannot be read is a position that has failed, with its reason."""
    game = find_game(GAME)
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    positions = [_position(game, line, f"{path.name}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    return Suite(game, positions, path.stem, {"by": path.name}, path)


def _position(game: Game, line: str, name: str) -> SuitePosition:
    source = name.rpartition(":")[0]
    found = _LINE.fullmatch(line)
    if found is None:
        return SuitePosition(
            "", name, source=source, failed=f"expected board, side, square and score, not {line[:90]!r}"
        )
    board, side, square, _ = found.groups()
    try:
        position = game.parse(f"{board} {'X' if side.lower() == 'black' else 'O'}")
        text = game.format(position)
        if int(square) < 0:
            return SuitePosition(text, name, source=source, failed="no best square is given")
        best = game.format_move(position, game.parse_move(position, _name(int(square))))
    except InputError as error:
        return SuitePosition("", name, source=source, failed=str(error))
    phase = int(ask_each(game, PHASE, position.reshape(1, -1))[0])
    return SuitePosition(text, name, best=(best,), phase=phase, source=source)


def _name(square: int) -> str:
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"
