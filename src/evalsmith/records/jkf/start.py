"""Where a game in JKF begins: a handicap by its name, or a board square by square."""

from __future__ import annotations

from typing import Any

from evalsmith.games import Position
from evalsmith.games.shogi.board import Board
from evalsmith.games.shogi.notation import handicap, start
from evalsmith.games.shogi.squares import HAND_KINDS, WHITE_PIECE
from evalsmith.records.jkf.moves import KINDS, named
from evalsmith.records.text import shown
from evalsmith.run.errors import PositionError

_PRESETS = {
    "HIRATE": "平手", "KY": "香落ち", "KY_R": "右香落ち", "KA": "角落ち", "HI": "飛車落ち", "HIKY": "飛香落ち",
    "2": "二枚落ち", "3": "三枚落ち", "4": "四枚落ち", "5": "五枚落ち", "5_L": "左五枚落ち", "6": "六枚落ち",
    "7_L": "左七枚落ち", "7_R": "右七枚落ち", "8": "八枚落ち", "10": "十枚落ち",
}  # fmt: skip


def read_start(initial: Any) -> tuple[Position, bool]:
    """The position that ``initial`` describes, and whether it is the standard one."""
    if initial is None:
        return start(), True
    preset, data = str(named(initial).get("preset", "")), named(initial).get("data")
    if preset in _PRESETS and preset != "HIRATE":
        return handicap(_PRESETS[preset]), False
    if preset == "HIRATE":
        return start(), True
    if preset != "OTHER" or not isinstance(data, dict):
        raise PositionError(f"unknown preset {shown(preset)}, and no board")
    position = _board(data).position("the board of JKF")
    standard = start()
    return position, bool((position == standard).all())


def _board(data: dict[str, Any]) -> Board:
    files, hands = data.get("board"), data.get("hands")
    if not isinstance(files, list) or len(files) != 9 or any(not isinstance(f, list) or len(f) != 9 for f in files):
        raise PositionError("a board of JKF has 9 files of 9 squares")
    board = Board(side=1 if data.get("color") == 1 else 0)
    for square, cell in enumerate(cell for ranks in files for cell in ranks):
        kind = named(cell).get("kind")
        if kind is not None:
            if kind not in KINDS:
                raise PositionError(f"{shown(str(kind))} is not a piece")
            board.pieces[square] = KINDS[kind] + (WHITE_PIECE if named(cell).get("color") == 1 else 0)
    for side, hand in enumerate(hands[:2] if isinstance(hands, list) else ()):
        for name, count in named(hand).items():
            if KINDS.get(name) not in HAND_KINDS or not isinstance(count, int) or not 0 <= count <= 18:
                raise PositionError(f"{shown(str(count))} of {shown(name)} cannot be in hand")
            board.hands[side][KINDS[name]] += count
    return board
