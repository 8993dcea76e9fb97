"""KI2 and KIF moves read and written in plain Python: what the compiled readers and writers must agree with."""

from __future__ import annotations

import re
from collections.abc import Callable

from evalsmith.games.game import Position
from evalsmith.games.shogi.board import board_of, piece_on, side_of
from evalsmith.games.shogi.movegen.generate import DROP, ORIGIN, PROMOTE
from evalsmith.games.shogi.notation.kif import MARKS, PIECES, RANKS
from evalsmith.games.shogi.notation.kif import target_name as _target
from evalsmith.games.shogi.squares import (
    BISHOP,
    BLACK,
    DRAGON,
    GOLD_LIKE,
    HORSE,
    ROOK,
    SILVER,
    SLIDES,
    SQUARES,
    WHITE_PIECE,
    ray,
    steps,
)
from evalsmith.run.errors import MoveError

_KINDS = {name: kind for kind, name in enumerate(PIECES) if kind} | {
    "王": 8, "竜": 14, "杏": 10, "圭": 11, "全": 12, "成歩": 9,
}  # fmt: skip
_DIGITS = str.maketrans("１２３４５６７８９（）", "123456789()")
_TEXT = re.compile(
    r"(?P<mark>[▲△▼▽☗☖])?\s*"
    r"(?:(?P<file>[1-9])(?P<rank>[1-9一二三四五六七八九])|(?P<same>同))\s*"
    rf"(?P<piece>{'|'.join(sorted(_KINDS, key=len, reverse=True))})"
    r"(?P<place>[左右直])?(?P<motion>[上寄引行入])?"
    r"(?P<change>成|不成|生|打)?\s*"
    r"(?:\((?P<origin>[1-9][1-9])\))?"
)
_STRAIGHT = (*GOLD_LIKE, SILVER)  # only these go 直
_LONG = (BISHOP, ROOK, HORSE, DRAGON)


def reaches(board, origin: int, target: int) -> bool:
    """Whether the piece on ``origin`` reaches ``target``, its king's safety aside."""
    piece = board.pieces[origin]
    if steps(piece, origin) >> target & 1:
        return True
    for direction in SLIDES.get(piece & 15, ()):
        # White looks the other way.
        line = ray(origin, (direction + 4) % 8 if piece & WHITE_PIECE else direction)
        if line >> target & 1:
            beyond = ray(target, (direction + 4) % 8 if piece & WHITE_PIECE else direction) | 1 << target
            return not any(board.pieces[square] for square in range(SQUARES) if (line & ~beyond) >> square & 1)
    return False


# ── KI2 ─────────────────────────────────────────────────────────────────────────────────────────


def format_ki2(position: Position, move: int, last: int | None = None) -> str:
    """``▲７六歩``, ``△５八金右``, ``▲２三角不成``; 打 only where a move could be meant."""
    board = board_of(position)
    target, origin = move & 127, move >> 7 & 127
    kind = origin - DROP if origin > DROP else board.pieces[origin] & 15
    rivals = [square for square in range(81) if board.pieces[square] == kind | board.side * WHITE_PIECE]
    rivals = [square for square in rivals if reaches(board, square, target)]
    text = f"{MARKS[board.side]}{_target(target, last)}{PIECES[kind]}"
    if origin > DROP:
        return text + ("打" if rivals else "")
    text += _distinction(board.side, kind, origin, target, rivals)
    if move & PROMOTE:
        return text + "成"
    zone = {_rank(board.side, square) < 3 for square in (origin, target)}
    return text + ("不成" if True in zone and kind <= ROOK else "")


def _rank(side: int, square: int) -> int:
    """The rank as a side sees it, 0 at the far end."""
    return square % 9 if side == BLACK else 8 - square % 9


def _motion(side: int, origin: int, target: int) -> str:
    ahead = _rank(side, origin) - _rank(side, target)
    return "上" if ahead > 0 else "引" if ahead < 0 else "寄"


def _leftness(side: int, origin: int, target: int) -> int:
    """How many files a piece stands to the left of its target, as its side sees it."""
    return (origin // 9 - target // 9) * (1 if side == BLACK else -1)


def _distinction(side: int, kind: int, origin: int, target: int, rivals: list[int]) -> str:
    """The words that tell a piece from its rivals: motion first, then place, then both."""
    if len(rivals) == 1:
        return ""
    motion, left = _motion(side, origin, target), _leftness(side, origin, target)
    alike = [square for square in rivals if _motion(side, square, target) == motion]
    if len(alike) == 1:
        return motion
    if kind in _LONG:
        # Two at most, and one of them may stand straight below: what counts is which is further left.
        return "左" if left == max(_leftness(side, square, target) for square in alike) else "右"
    if left == 0 and kind in _STRAIGHT:
        return "直"
    place = "左" if left > 0 else "右"
    beside = [square for square in rivals if _leftness(side, square, target) * left > 0]
    return place if len(beside) == 1 else place + motion


# ── Reading KIF and KI2 ─────────────────────────────────────────────────────────────────────────


def parse_japanese(position: Position, text: str, last: int | None = None) -> int:
    """A legal move from a KIF or a KI2 text, or a MoveError that says why not."""
    from evalsmith.games.shogi import GAME

    plain = "".join(text.split()).translate(_DIGITS)
    match = _TEXT.fullmatch(plain)
    if match is None:
        raise MoveError("no move of KIF or KI2")
    side = side_of(position)
    if match["mark"] and (match["mark"] in "▲▼☗") != (side == BLACK):
        raise MoveError(f"a move of the side that is not to move ({match['mark']}), so not possible")
    if match["same"]:
        if last is None:
            raise MoveError("without a move before that 同 could repeat, so no move")
        target = last
    else:
        rank = match["rank"]
        target = 9 * (int(match["file"]) - 1) + (RANKS.index(rank) if rank in RANKS else int(rank) - 1)
    kind = _KINDS[match["piece"]]
    promoting = match["change"] == "成"
    if match["origin"]:
        return _from_origin(position, text, kind, target, match["origin"], promoting)
    found = [move for move in GAME.moves(position) if move & 127 == target and _kind(position, move) == kind]
    if not found:
        raise MoveError(text)
    found = _by_words(side, found, kind, match)
    chosen = [move for move in found if bool(move & PROMOTE) == promoting]
    if len(chosen) > 1:
        chosen = _as_written(position, chosen, match) or chosen
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise MoveError(f"said of {len(chosen)} pieces, so not one move")
    if found:
        raise MoveError("not possible with 成" if promoting else "possible only with 成, so no move")
    raise MoveError(text)


def _kind(position: Position, move: int) -> int:
    origin = move >> 7 & 127
    return origin - DROP if origin > DROP else piece_on(position, origin) & 15


def _from_origin(position: Position, text: str, kind: int, target: int, digits: str, promoting: bool) -> int:
    from evalsmith.games.shogi.rules import is_legal

    origin = 9 * int(digits[0]) + int(digits[1]) - 10
    if piece_on(position, origin) != kind | side_of(position) * WHITE_PIECE:
        raise MoveError(f"not possible, because no such piece stands on {digits},")
    move = target + ORIGIN * origin + (PROMOTE if promoting else 0)
    if not is_legal(position, move):
        raise MoveError(text)
    return move


def _by_words(side: int, found: list[int], kind: int, match: re.Match[str]) -> list[int]:
    """What is left of the moves when the words of KI2 are applied."""
    from_board = [move for move in found if move >> 7 & 127 <= DROP]
    if match["change"] == "打" or not from_board:
        return [move for move in found if move not in from_board]
    motion = "上" if match["motion"] in ("行", "入") else match["motion"]
    if motion:
        from_board = _keep(from_board, lambda origin, target: _motion(side, origin, target) == motion)
    if match["place"] == "直":
        return _keep(
            from_board,
            lambda origin, target: origin // 9 == target // 9 and _motion(side, origin, target) == "上",
        )
    if match["place"]:
        sign = 1 if match["place"] == "左" else -1

        def leftness(origin: int, target: int) -> int:
            return sign * _leftness(side, origin, target)

        beside = _keep(from_board, lambda origin, target: leftness(origin, target) > 0)
        if beside and kind not in _LONG:
            return beside
        most = max((leftness(move >> 7 & 127, move & 127) for move in from_board), default=0)
        return _keep(from_board, lambda origin, target: leftness(origin, target) == most)
    return from_board


def _as_written(position: Position, moves: list[int], match: re.Match[str]) -> list[int]:
    """Those of which format_ki2 would say as much: some writers leave out a motion that the place does not replace."""
    words = (match["place"] or "") + (match["motion"] or "")
    return [move for move in moves if words and words in format_ki2(position, move)]


def _keep(moves: list[int], wanted: Callable[[int, int], bool]) -> list[int]:
    return [move for move in moves if wanted(move >> 7 & 127, move & 127)]
