"""The headings of KIF and KI2: who played, when and under which handicap, or from which board (BOD), both ways."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evalsmith.games.game import Position
from evalsmith.games.shogi.board import Board, board_of
from evalsmith.games.shogi.handicaps import HANDICAPS
from evalsmith.games.shogi.notation import handicap, parse, start
from evalsmith.games.shogi.notation.kif import PIECES, RANKS
from evalsmith.games.shogi.squares import HAND_KINDS, WHITE, WHITE_PIECE
from evalsmith.records.format import NOT_POSITION, BrokenGameError
from evalsmith.records.text import clean, shown
from evalsmith.run.errors import PositionError

OTHER = "その他"
_KEY = re.compile(r"\s*([^：:|]{1,24})[：:](.*)", re.DOTALL)
_SINGLE = {10: "杏", 11: "圭", 12: "全"}  # a cell of a board has one letter
_KINDS = {name: kind for kind, name in enumerate(PIECES) if len(name) == 1} | {
    "王": 8, "竜": 14, **{name: kind for kind, name in _SINGLE.items()},
}  # fmt: skip
_WHITE_LETTERS, _BLACK_LETTERS, _EMPTY_LETTERS = "vVｖ△▽☖", " 　^▲☗\t", "・.．*･"
_NUMBERS = {"": 1, "十": 10} | {digit: value for value, digit in enumerate(RANKS, 1)}
_NUMBERS |= {f"十{digit}": 10 + value for value, digit in enumerate(RANKS, 1)}
_TO_KANJI = str.maketrans("123456789１２３４５６７８９", RANKS * 2)
_BOTH = re.compile(r"(.*?)[ 　]*[/／][ 　]*(?:後手|上手)[ 　]*[:：](.*)")
_RATED = re.compile(r"(.*?)\s*[(（\[]\s*([RrＲ])?\s*([0-9]{3,4})(?:\.[0-9]*)?\s*[)）\]]")
_RATINGS = ("レート", "レーティング", "R", "のレート", "のR")


@dataclass
class Heading:
    """What the lines before the moves say; ``odd`` counts those that are not understood."""

    players: list[str] = field(default_factory=lambda: ["", ""])
    ratings: list[float | None] = field(default_factory=lambda: [None, None])
    values: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    hands: list[str] = field(default_factory=lambda: ["", ""])
    mover: int | None = None
    odd: int = 0


# What stands for the key of a line that has none: a row of a board, who moves, or nothing that is known.
_ROW, _MOVER, _ODD = "|", "番", "?"
_SIDES = {"先手": 0, "下手": 0, "後手": 1, "上手": 1}


def read_heading(lines: list[str]) -> Heading:
    """Sort the lines of a heading."""
    heading = Heading()
    for line in lines:
        key, value = _split(line)
        if key == _ROW:
            heading.rows.append(value)
        elif key == _MOVER:
            heading.mover = _SIDES[value[:2]]
        elif key == _ODD:
            heading.odd += 1
        elif key:
            _take(heading, key, value)
    return heading


def _split(line: str) -> tuple[str, str]:
    """A line's key and its value, fit to be stored; no key where it says nothing."""
    stripped = line.strip(" \t　\ufeff\x1a")
    if not stripped or stripped[0] in "*&#＊+-０１２３４５６７８９0123456789":
        return "", ""
    if stripped[0] == "|":
        return _ROW, stripped
    if (match := _KEY.fullmatch(stripped)) is not None:
        return match[1].strip(" 　") or _ODD, clean(match[2])
    if stripped[:2] in _SIDES and stripped[2:] == "番":
        return _MOVER, stripped
    return ("", "") if stripped.startswith("手数") else (_ODD, "")


def _take(heading: Heading, key: str, value: str) -> None:
    side = _SIDES.get(key[:2])
    if side is None:
        heading.values.setdefault(key, value)
        return
    rest = key[2:]
    if rest == "" and side == 0 and (both := both_names(value)) is not None:
        for one in (0, 1):
            _take(heading, "先手後手"[2 * one : 2 * one + 2], both[one])
    elif rest == "":
        heading.players[side], rating = rated(value)
        heading.ratings[side] = heading.ratings[side] if rating is None else rating
    elif rest in ("の持駒", "の持ち駒", "持駒"):
        heading.hands[side] = value
    elif rest in _RATINGS and (match := re.match(r"R?([0-9]{1,4})", value)):
        heading.ratings[side] = float(match[1])
    else:
        heading.values.setdefault(key, value)


def both_names(value: str) -> tuple[str, str] | None:
    """Both names of a line such as ``先手: A / 後手: B``, as Gekisashi writes it; None where there is one."""
    match = _BOTH.fullmatch(value)
    return None if match is None else (clean(match[1]), clean(match[2]))


def rated(name: str) -> tuple[str, float | None]:
    """A name and the rating in brackets after it; a bare number that could be a year is part of the name."""
    match = _RATED.fullmatch(name)
    if match is None or (match[2] is None and match[3][:2] in ("19", "20") and len(match[3]) == 4):
        return name, None
    return match[1], float(match[3])


# ── Positions ───────────────────────────────────────────────────────────────────────────────────


def start_of(heading: Heading) -> Position:
    """The position that a heading describes, or a BrokenGameError."""
    name = _handicap(heading.values.get("手合割", ""))
    try:
        if heading.rows:
            return _board(heading, WHITE if HANDICAPS.get(name) else 0)
        if name in HANDICAPS:
            return handicap(name)
        stated = heading.values.get("開始局面", "")
        if not name or name == OTHER:
            if stated or name:
                return parse(stated)
            return start()
    except PositionError as error:
        raise BrokenGameError(NOT_POSITION, str(error)) from None
    raise BrokenGameError(NOT_POSITION, f"unknown handicap {shown(name)}, and no board")


def _handicap(text: str) -> str:
    """The standard name of a handicap: 2枚落 is 二枚落ち."""
    name = text.partition("（")[0].partition("(")[0].strip(" 　").translate(_TO_KANJI).replace("一0", "十")
    name = name.removesuffix("ち") + "ち" if name.endswith(("落", "落ち")) else name
    return {"飛落ち": "飛車落ち", "香車落ち": "香落ち", "飛車香落ち": "飛香落ち", "角行落ち": "角落ち"}.get(name, name)


def _board(heading: Heading, mover: int) -> Position:
    if len(heading.rows) != 9:
        raise BrokenGameError(NOT_POSITION, f"a board has 9 rows, not {len(heading.rows)}")
    board = Board(side=mover if heading.mover is None else heading.mover)
    for rank, row in enumerate(heading.rows):
        cells = _cells(row)
        for place, piece in enumerate(cells):
            board.pieces[9 * (8 - place) + rank] = piece
    for side, held in enumerate(heading.hands):
        for item in held.replace("　", " ").split():
            kind, count = _KINDS.get(item[0], 0), _count(item[1:])
            if item == "なし":
                continue
            if kind not in HAND_KINDS or count is None:
                raise BrokenGameError(NOT_POSITION, f"{shown(item)} cannot be in hand")
            board.hands[side][kind] += count
    return board.position(" ".join(heading.rows)[:120])


def _count(text: str) -> int | None:
    if text in _NUMBERS:
        return _NUMBERS[text]
    return int(text) if text.isdigit() and len(text) < 3 else None


def _cells(row: str) -> list[int]:
    """The nine pieces of ``|v香v桂 ・ …|一``."""
    cells: list[int] = []
    side = 0
    for letter in row[1:].partition("|")[0]:
        if letter in _WHITE_LETTERS:
            side = WHITE_PIECE
        elif letter in _KINDS:
            cells.append(_KINDS[letter] | side)
            side = 0
        elif letter in _EMPTY_LETTERS:
            cells.append(0)
            side = 0
        elif letter not in _BLACK_LETTERS:
            raise BrokenGameError(NOT_POSITION, f"{shown(letter)} in {shown(row)} is not a piece")
    if len(cells) != 9:
        raise BrokenGameError(NOT_POSITION, f"{shown(row)} has {len(cells)} squares, not 9")
    return cells


def format_start(position: Position) -> str:
    """The lines for a starting position: a handicap by its name, any other board drawn."""
    board = board_of(position)
    board.number = 1
    for name in HANDICAPS:
        if board == board_of(handicap(name)):
            return f"手合割：{name}\n"
    frame = "+" + "-" * 27 + "+"
    lines = [f"手合割：{OTHER}", _hand("後手", board.hands[WHITE]), "  ９ ８ ７ ６ ５ ４ ３ ２ １", frame]
    for rank in range(9):
        cells = "".join(_cell(board.pieces[9 * file + rank]) for file in range(8, -1, -1))
        lines.append(f"|{cells}|{RANKS[rank]}")
    lines += [frame, _hand("先手", board.hands[0])]
    if board.side == WHITE:
        lines.append("後手番")
    return "\n".join(lines) + "\n"


def _cell(piece: int) -> str:
    kind = piece & 15
    name = _SINGLE.get(kind, PIECES[kind]) or "・"
    return ("v" if piece & WHITE_PIECE else " ") + name


def _hand(side: str, hand: dict[int, int]) -> str:
    names = {count: text for text, count in _NUMBERS.items()}
    held = "　".join(PIECES[kind] + names[hand[kind]] for kind in reversed(HAND_KINDS) if hand[kind])
    return f"{side}の持駒：{held or 'なし'}"
