"""The moves of JKF: squares, the piece before it moves, whether it promotes; or the words of KI2 in letters."""

from __future__ import annotations

from typing import Any

from evalsmith.games import Position, find_game
from evalsmith.games.shogi.movegen.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.notation.kif import PIECES, RANKS
from evalsmith.games.shogi.squares import HAND_KINDS, PROMOTED, square_at
from evalsmith.records.text import shown
from evalsmith.run.errors import MoveError

KINDS = {
    name: kind
    for kind, name in enumerate(["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"], 1)
}  # fmt: skip
_WORDS = {"L": "左", "C": "直", "R": "右", "U": "上", "M": "寄", "D": "引", "H": "打"}
_FILES = "１２３４５６７８９"


def named(value: Any) -> dict[str, Any]:
    """An object of JSON, empty where something else stands."""
    return value if isinstance(value, dict) else {}


def read_move(position: Position, move: Any, last: int | None) -> int:
    """The legal move that an object describes; ``last`` is where the one before went."""
    game, parts = find_game("shogi"), named(move)
    kind = KINDS.get(str(parts.get("piece", "")))
    target = last if parts.get("to") is None and parts.get("same") else _square(parts.get("to"))
    if kind is None or target is None:
        raise MoveError(f"{shown(str(move), 120)} has no piece or no target")
    if parts.get("color") in (0, 1) and parts["color"] != game.mover(position):
        raise MoveError(f"{shown(str(move), 120)}: the other side is to move in {game.format(position)}")
    if parts.get("from") is None:
        return _by_words(position, parts, kind, target)
    origin = _square(parts["from"])
    if origin is None:
        raise MoveError(f"{shown(str(parts['from']))} is not a square")
    standing = int(position[origin >> 3]) >> 8 * (origin & 7) & 15
    # Files made from CSA name the piece as it is afterwards.
    promotes = parts.get("promote") is True or kind == standing + PROMOTED
    number = target + ORIGIN * origin + (PROMOTE if promotes else 0)
    if standing not in (kind, kind - PROMOTED) or number not in game.moves(position):
        raise MoveError(f"{shown(str(move), 120)} is not a legal move in {game.format(position)}")
    return number


def _by_words(position: Position, parts: dict[str, Any], kind: int, target: int) -> int:
    """A move without its origin: a drop, or what KI2 would write so."""
    game = find_game("shogi")
    relative = str(parts.get("relative") or "")
    drop = target + ORIGIN * (DROP + kind)
    if relative == "H":
        if kind in HAND_KINDS and drop in game.moves(position):
            return drop
        raise MoveError(f"{shown(str(parts), 120)} is not a legal drop in {game.format(position)}")
    promotion = {True: "成", False: "不成"}.get(parts.get("promote"), "")  # type: ignore[arg-type]
    words = "".join(_WORDS.get(letter, "?") for letter in relative)
    text = f"{_FILES[target // 9]}{RANKS[target % 9]}{PIECES[kind]}{words}{promotion}"
    return game.parse_move(position, text)


def _square(place: Any) -> int | None:
    file, rank = named(place).get("x"), named(place).get("y")
    if not isinstance(file, int) or not isinstance(rank, int):
        return None
    square = square_at(file - 1, rank - 1)
    return square if square >= 0 else None
