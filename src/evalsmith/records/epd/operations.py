"""One line of EPD with all its operations, both ways: best moves, names, comments, points of moves.

A line is four fields of a FEN and operations, ``bm Nf3 e4; id "name"; ce 35;``. Real files break the rules, so this
reads as well: the two counters of a FEN, a semicolon before the first operation or none at all, names without quotes,
``+`` apart from its move, moves as UCI has them, and ``bm #3`` for a mate in three.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from evalsmith.games import Position, find_game
from evalsmith.records.text import clean, decode, shown
from evalsmith.run.errors import InputError, MoveError, PositionError

_OPCODES = {"acd", "acn", "acs", "am", "bm", "ce", "dm", "eco", "fmvn", "hmvc", "id", "nic", "noop", "pm", "pv", "rc"}
_COMMENT = re.compile(r"c[0-9]")
_PERFT = re.compile(r"D[0-9]+")
_OPCODE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,14}")
_TOKEN = re.compile(r'"([^"]*)(?:"|$)|([^\s;"]+)|(;)')
_MATE = re.compile(r"#([0-9]{1,3})")
_SIGNS = re.compile(r"[+#!?]+")
_LONGEST_STRING = 8000  # the scores of all moves of a position have room


@dataclass(frozen=True)
class EpdLine:
    """A position and its operations: the operands of each by its name, strings without their quotes."""

    position: Position
    operations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The operand of ``id``, or nothing."""
        return " ".join(self.operations.get("id", ()))

    @property
    def best(self) -> tuple[int, ...]:
        """The moves of ``bm``; any of them solves the position."""
        return self._moves("bm")

    @property
    def avoid(self) -> tuple[int, ...]:
        """The moves of ``am``."""
        return self._moves("am")

    @property
    def mate(self) -> int | None:
        """In how many moves of its own the mover mates, by ``dm`` or ``bm #3``."""
        for text in self.operations.get("dm", ()):
            if text.isascii() and text.isdigit():
                return int(text[:4])
        for text in self.operations.get("bm", ()):
            if found := _MATE.fullmatch(text):
                return int(found[1])
        return None

    @property
    def points(self) -> dict[int, int]:
        """Points of moves out of ``c0 "f5=10, Be5+=2"``; none where the comment says something else."""
        game, found = find_game("chess"), {}
        for part in " ".join(self.operations.get("c0", ())).split(","):
            move, equals, value = part.strip().rpartition("=")
            if not equals or not (value.isascii() and value.isdigit()) or len(value) > 6:
                return {}
            try:
                found[game.parse_move(self.position, move)] = int(value)
            except MoveError:
                return {}
        return found

    def _moves(self, opcode: str) -> tuple[int, ...]:
        """The moves of an operation; a MoveError names one that is illegal."""
        game = find_game("chess")
        words = [
            word for word in self.operations.get(opcode, ()) if not _SIGNS.fullmatch(word) and not _MATE.fullmatch(word)
        ]
        return tuple(dict.fromkeys(game.parse_move(self.position, word) for word in words))


def parse_epd(line: str | bytes) -> EpdLine:
    """A line of EPD, or an InputError that says what is wrong with it."""
    text = (decode(line) if isinstance(line, bytes) else line).lstrip("\ufeff").strip()
    fields = re.match(r"(\S+)\s+([wb])\s+([^\s;]+)\s+([^\s;]+)(?:\s+([0-9]+)\s+([0-9]+)(?=[\s;]|$))?", text)
    if fields is None:
        raise InputError(f"not a line of EPD: expected a board, a side, castling and en passant, not {shown(text)}")
    operations = dict(_operations(text[fields.end() :]))
    clock, number = fields[5], fields[6]
    if clock is None:
        clock, number = (_counter(operations, opcode, start) for opcode, start in (("hmvc", "0"), ("fmvn", "1")))
    try:
        position = find_game("chess").parse(" ".join([*fields.group(1, 2, 3, 4), clock, number]))
    except PositionError as error:
        raise InputError(f"not a line of EPD: {error}") from None
    return EpdLine(position, operations)


def format_epd(line: EpdLine) -> str:
    """The line, with counters as ``hmvc`` and ``fmvn`` only where it has these operations."""
    fen = " ".join(find_game("chess").format(line.position).split()[:4])
    parts = []
    for opcode, operands in line.operations.items():
        if _OPCODE.fullmatch(opcode) is None:
            raise InputError(f"an operation of EPD cannot be called {shown(opcode)}")
        quoted = opcode in ("id", "eco", "nic") or _COMMENT.fullmatch(opcode)
        words = [f'"{_string(operand)}"' if quoted else _word(operand) for operand in operands]
        parts.append(" ".join([opcode, *words]) + ";")
    return " ".join([fen, *parts])


def _operations(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The operations after a position; without semicolons a known opcode begins the next one."""
    words = [(found[1] is not None, found[1] if found[1] is not None else found[0]) for found in _TOKEN.finditer(text)]
    opcode, operands = "", list[str]()
    for place, (quoted, word) in enumerate(words):
        follows_quote = place + 1 < len(words) and words[place + 1][0]
        if not quoted and word == ";":
            if opcode:
                yield opcode, tuple(operands)
            opcode, operands = "", []
        elif quoted or (opcode and not (operands and _begins(word, follows_quote))):
            if opcode:
                operands.append(word)
        else:
            if opcode:
                yield opcode, tuple(operands)
            opcode, operands = (word, []) if _OPCODE.fullmatch(word) else ("", [])
    if opcode:
        yield opcode, tuple(operands)


def _begins(word: str, follows_quote: bool) -> bool:
    """Whether a word inside an operation begins the next; ``c4`` is a move unless a string follows it."""
    return word in _OPCODES or _PERFT.fullmatch(word) is not None or (bool(_COMMENT.fullmatch(word)) and follows_quote)


def _counter(operations: dict[str, tuple[str, ...]], opcode: str, start: str) -> str:
    text = "".join(operations.get(opcode, ()))[:6]
    return text if text.isascii() and text.isdigit() else start


def _string(text: str) -> str:
    return clean(text, _LONGEST_STRING).replace('"', "'")


def _word(text: str) -> str:
    if not text or re.search(r'[\s;"]', text):
        raise InputError(f"an operand of EPD is one word, not {shown(text)}")
    return text
