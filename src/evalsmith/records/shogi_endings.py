"""How shogi games end: the words of the files, and who has won by each.

A file tells an ending as if it were the next move, so most of them say what happened to the side to move. What no
file tells stays unknown; it is never taken for a draw.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from evalsmith.records.format import DISAGREES
from evalsmith.records.record import Faults

WIN = 30_000

# Whom an ending names, beside a fixed side (0 black, 1 white).
MOVER_WINS, MOVER_LOSES, DRAWN, OPEN = "mover wins", "mover loses", "drawn", "open"


@dataclass(frozen=True)
class Ending:
    """What ended a game, in a record's words, and for whom: the mover, a side by its number, both or nobody."""

    name: str
    outcome: str | int

    def result(self, mover: int) -> int | None:
        """For black, with ``mover`` to move where the game ended."""
        match self.outcome:
            case "drawn":
                return 0
            case "mover wins":
                return _won(mover)
            case "mover loses":
                return _won(1 - mover)
            case int(winner):
                return _won(winner)
            case _:
                return None


def _won(side: int) -> int:
    return WIN if side == 0 else -WIN


RESIGNED = Ending("resigned", MOVER_LOSES)
TIME = Ending("time", MOVER_LOSES)
REPETITION = Ending("repetition", DRAWN)
ILLEGAL = Ending("illegal", MOVER_LOSES)
OTHER_ILLEGAL = Ending("illegal", MOVER_WINS)
IMPASSE = Ending("impasse", DRAWN)
DECLARED = Ending("declared", MOVER_WINS)
AGREED = Ending("agreed", DRAWN)
TOO_LONG = Ending("too long", DRAWN)
MATE = Ending("mate", MOVER_LOSES)
INTERRUPTED = Ending("interrupted", OPEN)
SEALED = Ending("sealed", OPEN)
NO_MATE = Ending("no mate", OPEN)
ERROR = Ending("error", OPEN)
TAKEN_BACK = Ending("taken back", OPEN)
NOT_TOLD = Ending("", OPEN)

CSA = {
    b"%TORYO": RESIGNED,
    b"%CHUDAN": INTERRUPTED,
    b"%SENNICHITE": REPETITION,
    b"%TIME_UP": TIME,
    b"%ILLEGAL_MOVE": ILLEGAL,
    b"%+ILLEGAL_ACTION": Ending("illegal", 1),
    b"%-ILLEGAL_ACTION": Ending("illegal", 0),
    b"%JISHOGI": IMPASSE,
    b"%KACHI": DECLARED,
    b"%HIKIWAKE": AGREED,
    b"%MAX_MOVES": TOO_LONG,
    b"%TSUMI": MATE,
    b"%FUZUMI": NO_MATE,
    b"%ERROR": ERROR,
    b"%MATTA": TAKEN_BACK,
}

KIF = {
    "投了": RESIGNED,
    "中断": INTERRUPTED,
    "千日手": REPETITION,
    "先日手": REPETITION,  # so misspelt by some programs
    "切れ負け": TIME,
    "時間切れ": TIME,
    "反則負け": ILLEGAL,
    "反則勝ち": OTHER_ILLEGAL,
    "反則": ILLEGAL,
    "持将棋": IMPASSE,
    "入玉勝ち": DECLARED,
    "入玉宣言": DECLARED,
    "宣言勝ち": DECLARED,
    "引き分け": AGREED,
    "引分": AGREED,
    "最大手数": TOO_LONG,
    "詰み": MATE,
    "詰": MATE,
    "不詰": NO_MATE,
    "封じ手": SEALED,
    "エラー": ERROR,
    "待った": TAKEN_BACK,
}

# The last line of KIF and KI2, まで113手で先手の勝ち, behind its number.
_SIDE = {"先": 0, "下": 0, "▲": 0, "☗": 0, "後": 1, "上": 1, "△": 1, "☖": 1}
_TOLD = re.compile(
    r"[\s　]*まで[、,\s　]*(?P<number>[0-9０-９]{1,9})?[\s　]*手?(?:で|にて)?[、,\s　]*(?P<rest>.*)", re.DOTALL
)
_WHO = r"(?:(?P<side>[先後下上])手|(?P<mark>[▲△☗☖]))番?[のが]?"
_WINNER = re.compile(_WHO + r"(?:反則|入玉|宣言|時間切れ|切れ)?勝")
_LOSER = re.compile(_WHO + r"(?:負|反則|投了|時間切れ|切れ)")

UNCLEAR = "an ending that is not understood"
REPEATED_NOT = "a repetition that the moves do not show"
LAST_ILLEGAL = "the last move is illegal, as the ending says, and is left out"
MISCOUNTED = "the number of moves told is not that of the moves"


@dataclass(frozen=True)
class Told:
    """What a line that sums a game up says; ``number`` is its count of moves."""

    ending: Ending
    number: int | None


@functools.lru_cache(1024)
def told_by(line: str) -> Told | None:
    """The ending that ``まで113手で先手の勝ち`` tells; None where it says nothing that is understood."""
    match = _TOLD.fullmatch(line.strip())
    if match is None:
        return None
    number = int(match["number"]) if match["number"] else None
    rest = match["rest"].strip("　 。")
    name = next((ending.name for word, ending in _NAMED.items() if word in rest), "")
    for pattern, lost in ((_WINNER, 0), (_LOSER, 1)):
        if (who := pattern.search(rest)) is not None:
            return Told(Ending(name, _SIDE[who["side"] or who["mark"]] ^ lost), number)
    for word, ending in KIF.items():
        if rest.startswith(word):
            return Told(ending, number)
    return None if rest else Told(NOT_TOLD, number)


_NAMED = {
    "反則": ILLEGAL, "時間切れ": TIME, "切れ負け": TIME, "切れ勝ち": TIME, "入玉": DECLARED, "宣言": DECLARED,
    "投了": RESIGNED, "詰み": MATE, "千日手": REPETITION,
}  # fmt: skip


def settle(ending: Ending, mover: int, mated: bool, times: int, faults: Faults) -> tuple[int | None, bool]:
    """The result for black, and whether the moves reach the end of the game.

    A mate on the board needs no telling; a repetition counts as the end where the file says so.
    """
    result = ending.result(mover)
    if mated:
        lost = _won(1 - mover)
        if result is not None and result != lost:
            faults.note(DISAGREES)
        return lost, True
    if ending.name == MATE.name:
        faults.note(DISAGREES)
    repeated = ending.name == REPETITION.name
    if repeated and times < 4:
        faults.note(REPEATED_NOT)
    return result, repeated and times >= 4
